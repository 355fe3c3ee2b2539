// New art in a running game: a coin that has grown touches its neighbour.
using System;
using Hitmask;

static class Reload {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var artNew = Atlas.Open("art-new.hitmask"))
        using (var world = new World(atlas)) {
            world.Insert(new Collider(atlas.Sprite("coin")));
            world.Insert(new Collider(atlas.Sprite("coin")) { X = 16 });
            world.Update();
            Console.WriteLine($"before: {world.Touching().Length} pairs touch");
            // Colliders keep their ids, places and pairs.
            world.ReplaceAtlas(atlas.Id, artNew);
            world.Update();
            Console.WriteLine($"after: {world.Touching().Length} pairs touch");
        }
    }
}
