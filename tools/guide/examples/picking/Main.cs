// What a mouse or a finger points at.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Picking {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider ship = hm_default_collider(), coin = ship;
        ship.sprite = Sprite(atlas, "ship");
        coin.sprite = Sprite(atlas, "coin");
        Check(hm_world_create(atlas, out var world));
        ship.x = ship.y = coin.y = 100;
        coin.x = 104;
        Check(hm_world_insert(world, &ship, out var ship_id));
        Check(hm_world_insert(world, &coin, out var coin_id));
        var points = new[] { (104, 100, 0), (92, 98, 0), (110, 108, 0), (110, 108, 5) };
        foreach (var point in points) {
            var (x, y, radius) = point;
            // Later colliders are on top.
            Check(hm_world_pick(world, x, y, radius, HM_PICK_BY_SLOT, null, out var id));
            var name = id == ship_id ? "the ship" : id == coin_id ? "the coin" : "nothing";
            Console.WriteLine($"{x}, {y} within {radius} px: {name}");
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
