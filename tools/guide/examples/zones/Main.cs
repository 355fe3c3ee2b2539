// Colliders in a circle, on a ray, and nearest to a point.
using System;
using Hitmask;
using static System.FormattableString;

static class Zones {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            for (var i = 0; i < 10; i++)
                world.Insert(new Collider(atlas.Sprite("coin")) { X = 20 * i });
            Console.WriteLine($"{world.QueryCircle((60, 0), 30).Length} coins in the blast");
            if (world.TryRay((-50, 3), (300, 3), out var hit))
                Console.WriteLine($"the ray ends at {hit.Point}");
            if (world.TryNearest((80, 50), 100, out var nearest))
                Console.WriteLine(Invariant($"the nearest pixel is {nearest.Distance:0.00} px away"));
        }
    }
}
