// Two sprites, one of which moves: the tick and the pixel of the first contact.
using System;
using Hitmask;

static class First {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var ship = world.Insert(new Collider(atlas.Sprite("ship")) { Position = (0, 40) });
            world.Insert(new Collider(atlas.Sprite("rock")) { Position = (90, 52) });
            for (var tick = 0; tick < 100; tick++) {
                world.MoveTo(ship, (tick, 40));
                world.Update();
                foreach (var pair in world.Began())
                    if (world.TryContact(pair, out var hit))
                        Console.WriteLine($"tick {tick}: hit at {hit.Point}");
            }
        }
    }
}
