// Poses of a compact atlas are drawn when they are first shown, or ahead.
using System;
using System.Linq;
using Hitmask;
using static Hitmask.Hm;

static unsafe class Memory {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        var rock = hm_default_collider();
        rock.sprite = Sprite(atlas, "rock");
        Check(hm_world_create(atlas, out var world));
        Check(hm_world_insert(world, &rock, out var id));
        Check(hm_world_pose_stats(world, out var stats));
        Console.WriteLine($"{stats.poses} pose is drawn");
        // One collider for each angle that will be shown. In a game: some of them in each frame.
        var wave = Enumerable.Repeat(rock, 64).ToArray();
        for (var i = 0; i < 64; i++) wave[i].angle = (float)(2 * Math.PI * i / 64);
        var max_time = ulong.MaxValue;
        Check(hm_world_draw_ahead(world, wave, (UIntPtr)64, max_time, 1000000, out var drawn));
        Console.WriteLine($"{drawn} of {wave.Length} are ready");
        Check(hm_world_pose_stats(world, out stats));
        Console.WriteLine($"{stats.poses} poses take {stats.bytes} bytes");
        Check(hm_world_destroy(world));
        Check(hm_atlas_destroy(atlas));
    }
}
