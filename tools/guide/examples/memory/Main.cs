// Poses of a compact atlas are drawn when they are first shown, or ahead.
using System;
using Hitmask;

static class Memory {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var rock = new Collider(atlas.Sprite("rock"));
            world.Insert(rock);
            Console.WriteLine($"{world.PoseStats().Poses} pose is drawn");
            // One collider for each angle that will be shown. In a game: some of them in each frame.
            var wave = new Collider[64];
            for (var i = 0; i < wave.Length; i++) {
                rock.Angle = (float)(2 * Math.PI * i / 64);
                wave[i] = rock;
            }
            var drawn = world.DrawAhead(wave, maxBytes: 1000000);
            Console.WriteLine($"{drawn} of {wave.Length} are ready");
            var stats = world.PoseStats();
            Console.WriteLine($"{stats.Poses} poses take {stats.Bytes} bytes");
        }
    }
}
