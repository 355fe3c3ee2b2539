// A world is saved to a file, and goes on in a new world, as in a fresh process.
using System;
using System.IO;
using Hitmask;

static class Saves {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var id = world.Insert(new Collider(atlas.Sprite("rock")));
            world.Update();
            File.WriteAllBytes("saved-by-csharp.world", world.Snapshot().ToArray());
            var hash = world.StateHash();
            world.MoveTo(id, (50, 0));
            Console.WriteLine("moved: " + (world.StateHash() != hash ? "true" : "false"));
            // A fresh process needs no more than the atlas and the file.
            using (var fresh = new World(Atlas.Open("art.hitmask"))) {
                fresh.Restore(File.ReadAllBytes("saved-by-csharp.world"));
                Console.WriteLine("restored: " + (fresh.StateHash() == hash ? "true" : "false"));
            }
        }
    }
}
