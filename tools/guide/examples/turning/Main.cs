// A ship that turns and grows, and a coin near it.
using System;
using Hitmask;

static class Turning {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var ship = world.Insert(new Collider(atlas.Sprite("ship")));
            world.Insert(new Collider(atlas.Sprite("coin")) { Y = 18 });
            foreach (var degrees in new[] { 0, 45, 90 }) {
                foreach (var scale in new[] { 1, 2 }) {
                    world.Place(ship, (0, 0), (float)(degrees * Math.PI / 180), scale);
                    world.Update();
                    var pairs = world.Touching().Length;
                    Console.WriteLine($"{degrees} degrees, scale {scale}: {pairs} pairs");
                }
            }
        }
    }
}
