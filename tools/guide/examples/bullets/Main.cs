// Bullets that fly 900 px per tick hit what lies between.
using System;
using Hitmask;

static class Bullets {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            world.Insert(new Collider(atlas.Sprite("rock")) { X = 500 });
            foreach (var y in new[] { 0, -21, -23 }) {
                var id = world.Insert(new Collider(atlas.Sprite("bullet")) { Y = y });
                // 900 px in one tick: every pixel of the way is tested.
                var stops = world.TryCast(id, (900, 0), out var hit);
                var word = stops ? $"stops at x = {hit.Position.X}" : "flies on";
                Console.WriteLine($"y = {y}: {word}");
                world.Remove(id);
            }
        }
    }
}
