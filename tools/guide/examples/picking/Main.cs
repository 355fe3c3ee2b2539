// What a mouse or a finger points at.
using System;
using Hitmask;

static class Picking {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var ship = world.Insert(new Collider(atlas.Sprite("ship")) { Position = (100, 100) });
            var coin = world.Insert(new Collider(atlas.Sprite("coin")) { Position = (104, 100) });
            var points = new[] { (104, 100, 0), (92, 98, 0), (110, 108, 0), (110, 108, 5) };
            foreach (var point in points) {
                var (x, y, radius) = point;
                // Later colliders are on top. The id is none if nothing is there.
                world.TryPick((x, y), out var id, radius);
                var name = id == ship ? "the ship" : id == coin ? "the coin" : "nothing";
                Console.WriteLine($"{x}, {y} within {radius} px: {name}");
            }
        }
    }
}
