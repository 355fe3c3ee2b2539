// A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys.
using System;
using System.IO;
using System.Linq;
using Hitmask;

static class Game {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas))
        using (var course = world.InsertMap("course")) {
            var items = course.Map.Items;
            MapItem start = course.Map.Find("start"), lift = course.Map.Find("lift");
            var hero = world.Insert(new Collider(atlas.Sprite("hero")) { Position = start.Position });
            var rules = new MoveRules { Climb = 3, OneWay = 2 };
            MapItem floor = null; // What the hero stands on.
            float speed = 0;
            int tick = 0, ticksInAir = 0;
            var hasJumped = false;
            foreach (var key in File.ReadAllText("keys.txt").Where(key => !char.IsWhiteSpace(key))) {
                int right = ">/".IndexOf(key) >= 0 ? 1 : 0, left = "<\\".IndexOf(key) >= 0 ? 1 : 0;
                bool jump = "^/\\".IndexOf(key) >= 0, down = key == 'v';

                // The lift goes up and down by 1 px per tick.
                var height = 80 - Math.Abs(tick++ % 160 - 80);
                world.MoveTo(lift.Collider, (lift.Position.X, lift.Position.Y - height));

                // Sideways first. The belt carries the hero to the left.
                var drift = floor?.Name == "belt" ? -1 : 0;
                var at = world.MoveByRules(hero, (1.5f * (right - left) + drift, 0), rules).Position;

                // Coyote time: a jump still works 6 ticks after the hero has left the ground.
                if (jump && !hasJumped && ticksInAir <= 6) {
                    speed = -5;
                    ticksInAir = 7;
                    floor = null;
                } else if (down && floor?.Class == "one-way") {
                    // A one-way platform raises what is up to 2 px deep in it, by the rule Rise. So 3 px down fall through.
                    world.MoveTo(hero, (at.X, at.Y + 3));
                    floor = null;
                }
                hasJumped = jump;

                // In the air the hero falls. On the ground 2 px down keep it on a slope.
                speed = Math.Min(speed + 0.25f, 6);
                var moved = world.MoveByRules(hero, (0, floor != null ? 2 : speed), rules);
                floor = null;
                foreach (var contact in moved.Contacts) {
                    if (contact.Side == Side.Below) floor = items.First(item => item.Collider == contact.Collider);
                    speed = 0; // On the ground, or at a ceiling.
                }
                ticksInAir = floor != null ? 0 : ticksInAir + 1;
                world.Update();
                Console.WriteLine($"{moved.Position.X} {moved.Position.Y}");
            }
        }
    }
}
