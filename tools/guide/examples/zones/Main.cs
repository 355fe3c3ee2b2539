// Colliders in a circle, on a ray, and nearest to a point.
using System;
using Hitmask;
using static Hitmask.Hm;
using static System.FormattableString;

static unsafe class Zones {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var coin = hm_default_collider();
        coin.sprite = Sprite(atlas, "coin");
        Check(hm_world_create(atlas, out var world));
        for (var i = 0; i < 10; i++) {
            coin.x = 20 * i;
            Check(hm_world_insert(world, &coin, out var id));
        }
        Check(hm_world_query_circle(world, 60, 0, 30, null, out var blast));
        Console.WriteLine($"{blast.count} coins in the blast");
        var (from, to) = (new hm_vec2 { x = -50, y = 3 }, new hm_vec2 { x = 300, y = 3 });
        if (Check(hm_world_ray(world, from, to, null, out var hit))) {
            Console.WriteLine($"the ray ends at {hit.point.x}, {hit.point.y}");
        }
        if (Check(hm_world_nearest(world, 80, 50, 100, null, out var nearest))) {
            Console.WriteLine(Invariant($"the nearest pixel is {nearest.distance:0.00} px away"));
        }
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
