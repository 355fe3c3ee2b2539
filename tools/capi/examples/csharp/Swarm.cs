// 10,000 drones that drift, turn and bounce off each other where their pixels touch, placed by one call a frame. Nothing is
// allocated after the first frames. Arguments: the number of frames, and the file of a picture.
using System;
using System.Diagnostics;
using Hitmask;

sealed class Swarm : IDisposable {
    const int Drones = 10000, Width = 1600, Height = 1000;
    readonly World world;
    readonly ColliderId[] ids = new ColliderId[Drones];
    readonly Placement[] placements = new Placement[Drones];
    readonly Vec2[] speeds = new Vec2[Drones];
    readonly float[] spins = new float[Drones];
    readonly Random random = new Random(7);

    Swarm(Atlas atlas) {
        world = new World(atlas);
        var drone = atlas.Sprite("drone");
        for (var i = 0; i < Drones; i++) {
            placements[i] = new Placement((Between(0, Width), Between(0, Height)), Between(0, 6.28f));
            speeds[i] = (Between(-1, 1), Between(-1, 1));
            spins[i] = Between(-0.05f, 0.05f);
            ids[i] = world.Insert(new Collider(drone) { Position = placements[i].Position, Angle = placements[i].Angle });
            // The index of the drone, which events give back.
            world.SetUserData(ids[i], (ulong)i);
        }
    }

    float Between(float from, float to) => from + (to - from) * (float)random.NextDouble();

    // Returns the number of pairs that began to touch.
    int Frame() {
        for (var i = 0; i < Drones; i++) {
            ref var at = ref placements[i];
            at.X += speeds[i].X;
            at.Y += speeds[i].Y;
            at.Angle += spins[i];
            if (at.X < 0 || at.X > Width) speeds[i].X = Math.Abs(speeds[i].X) * (at.X < 0 ? 1 : -1);
            if (at.Y < 0 || at.Y > Height) speeds[i].Y = Math.Abs(speeds[i].Y) * (at.Y < 0 ? 1 : -1);
        }
        world.SetPlacements(ids, placements);
        world.Update();
        var began = world.Began();
        foreach (var pair in began) {
            // Both exchange their speeds, as balls of one mass do.
            int a = (int)world.UserData(pair.A), b = (int)world.UserData(pair.B);
            var speed = speeds[a];
            speeds[a] = speeds[b];
            speeds[b] = speed;
        }
        return began.Length;
    }

    void Draw(string path) {
        var picture = new Picture(Width, Height);
        foreach (var id in ids) picture.Draw(world, id, 0x3d5a80);
        foreach (var pair in world.Touching().ToArray()) {
            picture.Draw(world, pair.A, 0xffd166);
            picture.Draw(world, pair.B, 0xffd166);
        }
        picture.Save(path);
    }

    public void Dispose() => world.Dispose();

    static void Main(string[] arguments) {
        const string rows = "....#....\n...###...\n...###...\n#..###..#\n#########\n##.###.##\n...#.#...\n..##.##..\n";
        using (var mask = Mask.FromText(rows))
        using (var bake = new Bake().Mask("drone", mask))
        using (var atlas = bake.ToAtlas())
        using (var swarm = new Swarm(atlas)) {
            var frames = int.Parse(arguments[0]);
            var began = swarm.Frame() + swarm.Frame();
            var watch = Stopwatch.StartNew();
            var allocated = GC.GetAllocatedBytesForCurrentThread();
            for (var frame = 2; frame < frames; frame++) began += swarm.Frame();
            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
            var time = watch.Elapsed.TotalMilliseconds / Math.Max(frames - 2, 1);
            swarm.Draw(arguments[1]);
            Console.WriteLine($"{Drones} drones, {began} contacts began, {swarm.world.Touching().Length} pairs touch");
            // What follows differs from run to run.
            Console.Error.WriteLine($"{time:0.00} ms a frame");
            Console.WriteLine($"{allocated} bytes allocated by {frames - 2} frames");
        }
    }
}
