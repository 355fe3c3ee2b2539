// Bullets that fly 900 px per tick hit what lies between.
using System;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Bullets {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        hm_collider bullet = hm_default_collider(), rock = bullet;
        bullet.sprite = Sprite(atlas, "bullet");
        rock.sprite = Sprite(atlas, "rock");
        Check(hm_world_create(atlas, out var world));
        rock.x = 500;
        Check(hm_world_insert(world, &rock, out _));
        var motion = new hm_vec2 { x = 900, y = 0 };
        foreach (var y in new[] { 0, -21, -23 }) {
            bullet.y = y;
            Check(hm_world_insert(world, &bullet, out var id));
            // 900 px in one tick: every pixel of the way is tested.
            var stops = Check(hm_world_cast(world, id, motion, null, IntPtr.Zero, out var hit));
            var word = stops ? $"stops at x = {hit.position.x}" : "flies on";
            Console.WriteLine($"y = {y}: {word}");
            Check(hm_world_remove(world, id));
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
