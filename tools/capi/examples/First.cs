// A first hit in C#: two sprites, one of which moves. Prints what the guide says.
using System;
using Hitmask;

static class First {
    static void Main() {
        // The art of a game comes from a file: Atlas.Open("sprites.hitmask").
        using (var atlas = new Bake().Mask("ball", Mask.Disc(16)).Mask("rock", Mask.Disc(30)).ToAtlas())
        using (var world = new World(atlas)) {
            var ball = world.Insert(new Collider(atlas.Sprite("ball")) { Position = (0, 40) });
            world.Insert(new Collider(atlas.Sprite("rock")) { Position = (120, 60), Fixed = true });
            for (var tick = 0; tick < 200; tick++) {
                world.MoveTo(ball, (tick, 40)); // the centre in pixels
                world.Update(); // once per tick
                foreach (var pair in world.Began()) {
                    world.TryContact(pair, out var hit);
                    Console.WriteLine($"tick {tick}: {hit.Area} px, the first at {hit.Point}");
                }
            }
        }
    }
}
