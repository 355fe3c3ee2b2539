// 10,000 rocks that drift apart, and all pairs that touch.
using System;
using System.Linq;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Many {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var rock = hm_default_collider();
        rock.sprite = Sprite(atlas, "rock");
        Check(hm_world_create(atlas, out var world));
        var rocks = Enumerable.Repeat(rock, 10000).ToArray(); // 100 rows of 100 rocks.
        Check(hm_world_insert_all(world, rocks, (UIntPtr)10000, out var lent));
        var ids = Enumerable.Range(0, 10000).Select(i => lent.items[i]).ToArray();
        for (var tick = 0; tick < 3; tick++) {
            var placements = Enumerable.Range(0, 10000).Select(i => new hm_placement {
                x = i % 100 * (40 + tick), y = i / 100 * (41 + tick) }).ToArray();
            Check(hm_world_set_placements(world, ids, placements, (UIntPtr)10000));
            Check(hm_world_update(world));
            Check(hm_world_touching(world, out var touching));
            Check(hm_world_began(world, out var began));
            Check(hm_world_ended(world, out var ended));
            Console.Write($"tick {tick}: {touching.count} pairs touch, ");
            Console.WriteLine($"{began.count} began, {ended.count} ended");
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
