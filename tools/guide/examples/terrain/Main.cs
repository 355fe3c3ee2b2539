// A coin falls onto terrain, which loses a crater each time.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Terrain {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider coin = hm_default_collider(), terrain = coin;
        coin.sprite = Sprite(atlas, "coin");
        Check(hm_world_create(atlas, out var world));
        // Terrain is a mask of the world, with its top left pixel at the position of its collider.
        var corner = new hm_pivot();
        Check(hm_mask_solid(300, 100, out var mask));
        Check(hm_world_insert_mask(world, mask, &corner, out terrain.mask));
        (terrain.y, coin.x, coin.y) = (200, 150, 100);
        Check(hm_world_insert(world, &terrain, out _));
        Check(hm_world_insert(world, &coin, out var id));
        var fall = new hm_vec2 { y = 300 };
        for (var i = 0; i < 3; i++) {
            if (!Check(hm_world_cast(world, id, fall, null, IntPtr.Zero, out var hit))) break;
            Console.WriteLine($"the coin falls to y = {hit.position.y}");
            var crater = new hm_point { x = (int)hit.point.x, y = (int)hit.point.y - 200 };
            Check(hm_world_fill_disc(world, terrain.mask, crater, 20, 0));
        }
        Check(hm_mask_destroy(mask));
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
