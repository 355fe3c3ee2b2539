// Bullets that hit a ship, or pass it within 10 px.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Graze {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider ship = hm_default_collider(), bullet = ship;
        ship.sprite = Sprite(atlas, "ship");
        bullet.sprite = Sprite(atlas, "bullet");
        Check(hm_world_create(atlas, out var world));
        Check(hm_world_insert(world, &ship, out var ship_id));
        Check(hm_world_insert(world, &bullet, out var bullet_id));
        foreach (var y in new[] { 0, 12, 40 }) {
            Check(hm_world_move_to(world, bullet_id, 0, y));
            Check(hm_world_graze(world, ship_id, 10, null, out var found));
            var word = "clear";
            if (found.count != UIntPtr.Zero) {
                word = found.items[0].graze == HM_GRAZE_HIT ? "hit" : "near miss";
            }
            Console.WriteLine($"y = {y}: {word}");
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
