// A coin falls onto terrain, which loses a crater each time.
using System;
using Hitmask;

static class Terrain {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas))
        using (var mask = Mask.Solid(300, 100)) {
            // Terrain is a mask of the world, with its top left pixel at the position of its collider.
            var terrain = world.InsertMask(mask, new Pivot());
            world.Insert(new Collider(terrain) { Y = 200 });
            var coin = world.Insert(new Collider(atlas.Sprite("coin")) { Position = (150, 100) });
            for (var i = 0; i < 3; i++) {
                if (!world.TryCast(coin, (0, 300), out var hit)) break;
                Console.WriteLine($"the coin falls to y = {hit.Position.Y}");
                world.FillDisc(terrain, ((int)hit.Point.X, (int)hit.Point.Y - 200), 20, false);
            }
        }
    }
}
