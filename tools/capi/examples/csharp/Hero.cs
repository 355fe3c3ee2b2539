// A platform game that plays itself: a hero runs, climbs slopes, jumps onto ledges from below, rides a lift and collects
// coins. Its argument is the file of a picture. An engine would give the input, and draw.
using System;
using System.Collections.Generic;
using Hitmask;

sealed class Hero {
    const uint Solid = 1, Ledge = 2;
    readonly World world;
    readonly ColliderId body, lift;
    readonly List<ColliderId> coins = new List<ColliderId>(), ground = new List<ColliderId>();
    readonly MoveRules rules = new MoveRules { OneWay = Ledge, Climb = 1 };
    Vec2 speed;
    bool isOnFloor;
    int collected, jumps;

    Hero(Atlas atlas) {
        world = new World(atlas);
        var hill = Slope(96, 32);
        // Terrain by its top left corner: floor, hill, block and wall.
        Place(Box(640, 20), 0, 180, Solid);
        Place(hill, 150, 148, Solid);
        Place(Box(60, 32), 246, 148, Solid);
        Place(Box(20, 140), 620, 40, Solid);
        for (var i = 0; i < 3; i++) Place(Box(50, 4), 330 + 60 * i, 140 - 28 * i, Ledge);
        lift = Place(Box(48, 6), 540, 170, Solid);
        foreach (var at in new Vec2[] { (200, 150), (275, 135), (355, 130), (415, 100), (475, 72), (564, 40) }) {
            coins.Add(world.Insert(new Collider(atlas.Sprite("coin")) { Position = at, Sensor = true }));
        }
        body = world.Insert(new Collider(atlas.Sprite("hero")) { Position = (30, 150) });
        world.Update();
    }

    static Mask Box(int width, int height) => Mask.Solid(width, height);

    // A triangle that rises to the right.
    static Mask Slope(int width, int height) => Mask.FromPolygon(new Vec2[] { (0, height), (width, 0), (width, height) }, out _);

    ColliderId Place(Mask mask, float x, float y, uint layers) {
        using (mask) {
            var shape = world.InsertMask(mask, new Pivot());
            ground.Add(world.Insert(new Collider(shape) { Position = (x, y), Layers = layers, Fixed = true }));
            return ground[ground.Count - 1];
        }
    }

    // One tick of 1/60 s: input and gravity, a move, and what it met.
    void Tick(int tick, float walk, bool jump) {
        world.MoveTo(lift, (540, 130 + 40 * (float)Math.Cos(tick / 40.0)));
        speed.X = walk;
        speed.Y = Math.Min(speed.Y + 0.25f, 6);
        if (jump && isOnFloor) {
            speed.Y = -4.6f;
            jumps++;
        }
        var moved = world.MoveByRules(body, speed, rules);
        isOnFloor = moved.IsBlocked(Side.Below);
        if (isOnFloor && speed.Y > 0 || moved.IsBlocked(Side.Above) && speed.Y < 0) speed.Y = 0;
        foreach (var coin in moved.Passed.ToArray()) {
            if (!coins.Remove(coin)) continue;
            world.Remove(coin);
            collected++;
        }
        world.Update();
    }

    static void Main(string[] arguments) {
        using (Mask box = Mask.Solid(10, 20), disc = Mask.Disc(4))
        using (var bake = new Bake { Settings = new BakeSettings { Angles = 1 } }.Mask("hero", box).Mask("coin", disc))
        using (var atlas = bake.ToAtlas()) {
            var game = new Hero(atlas);
            var picture = new Picture(640, 200);
            for (var tick = 0; tick < 680; tick++) {
                // Runs to the right, jumps onto each ledge from below, and from the lift where it is highest.
                var at = game.world.Get(game.body).Position;
                var isBelow = at.X > 330 && at.X < 372 && at.Y > 150 || at.X > 372 && at.X < 390 || at.X > 432 && at.X < 450;
                game.Tick(tick, at.X < 564 ? 1.5f : 0, isBelow || at.X > 563 && at.Y < 85);
                if (tick % 12 == 0) picture.Draw(game.world, game.body, 0x3d5a80);
            }
            foreach (var id in game.ground) picture.Draw(game.world, id, 0x6b705c);
            foreach (var id in game.coins) picture.Draw(game.world, id, 0xffd166);
            picture.Draw(game.world, game.body, 0xef476f);
            picture.Save(arguments[0]);
            var end = game.world.Get(game.body).Position;
            Console.WriteLine($"{game.collected} coins, {game.jumps} jumps, the hero is at {end}");
            game.world.Dispose();
        }
    }
}
