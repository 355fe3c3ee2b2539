// Bullets that hit a ship, or pass it within 10 px.
using System;
using Hitmask;

static class Grazing {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var ship = world.Insert(new Collider(atlas.Sprite("ship")));
            var bullet = world.Insert(new Collider(atlas.Sprite("bullet")));
            foreach (var y in new[] { 0, 12, 40 }) {
                world.MoveTo(bullet, (0, y));
                var word = "clear";
                foreach (var found in world.Graze(ship, 10))
                    word = found.Graze == Graze.Hit ? "hit" : "near miss";
                Console.WriteLine($"y = {y}: {word}");
            }
        }
    }
}
