// A world is saved, changed and restored.
using System;
using Hitmask;

static class Saves {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var id = world.Insert(new Collider(atlas.Sprite("rock")));
            world.Update();
            var saved = world.Snapshot().ToArray();
            var hash = world.StateHash();
            world.MoveTo(id, (50, 0));
            Console.WriteLine("moved: " + (world.StateHash() != hash ? "true" : "false"));
            world.Restore(saved);
            Console.WriteLine("restored: " + (world.StateHash() == hash ? "true" : "false"));
        }
    }
}
