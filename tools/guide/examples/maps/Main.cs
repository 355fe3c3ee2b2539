// A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.
using System;
using Hitmask;

static class Maps {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var artNew = Atlas.Open("art-new.hitmask"))
        using (var world = new World(atlas))
        using (var yard = world.InsertMap("yard")) {
            Console.WriteLine($"{yard.Map.Items.Count} items, {world.Count} colliders");
            var start = yard.Map.Find("start").Position;
            var hero = world.Insert(new Collider(atlas.Sprite("hero")) { Position = start });
            var moved = world.MoveAndSlide(hero, (0, 100));
            Console.WriteLine($"the hero falls to {moved.Position}");
            // The level is saved anew: a boulder below the hero, and the hill farther away.
            world.ReplaceAtlas(atlas.Id, artNew);
            var report = world.UpdateMap(yard);
            var (inserted, removed) = (report.Inserted.Length, report.Removed.Count);
            Console.WriteLine($"{inserted} inserted, {removed} removed, {report.Changed.Length} changed");
        }
    }
}
