// 10,000 rocks that drift apart, and all pairs that touch.
using System;
using System.Linq;
using Hitmask;

static class Many {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var rock = new Collider(atlas.Sprite("rock"));
            var ids = world.InsertAll(Enumerable.Repeat(rock, 10000).ToArray()).ToArray();
            var placements = new Placement[10000]; // 100 rows of 100 rocks.
            for (var tick = 0; tick < 3; tick++) {
                for (var i = 0; i < placements.Length; i++)
                    placements[i].Position = (i % 100 * (40 + tick), i / 100 * (41 + tick));
                world.SetPlacements(ids, placements);
                world.Update();
                var (began, ended) = (world.Began().Length, world.Ended().Length);
                Console.Write($"tick {tick}: {world.Touching().Length} pairs touch, ");
                Console.WriteLine($"{began} began, {ended} ended");
            }
        }
    }
}
