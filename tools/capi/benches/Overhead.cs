// Times calls through the classes beside the same calls of the raw declarations, in one run: the least times
// of rounds that alternate, because other programs share the machine. Run by `tools/capi/csharp/check.sh FOLDER bench`.
using System;
using System.Diagnostics;
using Hitmask;
using Hitmask.Native;

static unsafe class Overhead {
    const int Sprites = 10000, Rounds = 301;
    static World world;
    static IntPtr raw;
    static ColliderId[] ids = new ColliderId[Sprites];
    static readonly Placement[] placements = new Placement[Sprites];
    static Pair[] pairs;
    static readonly Vec2[] ends = new Vec2[2000];
    static long sum;

    static void Main() {
        using (var atlas = new Bake().Mask("disc", Mask.Disc(12)).ToAtlas()) world = new World(atlas);
        raw = world.NativeHandle;
        var sprite = world.Atlas(world.Atlases()[0]).Sprite("disc");
        var colliders = new Collider[Sprites];
        for (var i = 0; i < Sprites; i++) colliders[i] = new Collider(sprite) { X = i % 100 * 22, Y = i / 100 * 22 };
        ids = world.InsertAll(colliders).ToArray();
        world.Update();
        pairs = world.Touching().ToArray();
        for (var i = 0; i < ends.Length; i++) ends[i] = (i * 37 % 2200, i * 91 % 2200);
        Console.WriteLine("{0}, {1} pairs touch", Environment.Version, pairs.Length);
        Compare("MoveTo", 2000, n => {
            for (var i = 0; i < n; i++) HmCheck(Hm.hm_world_move_to(raw, ids[i % 64].Value, i % 5, 7));
        }, n => {
            for (var i = 0; i < n; i++) world.MoveTo(ids[i % 64], (i % 5, 7));
        });
        Compare("UserData", 2000, n => {
            for (var i = 0; i < n; i++) {
                HmCheck(Hm.hm_world_user_data(raw, ids[i % 64].Value, out var data));
                sum += (long)data;
            }
        }, n => {
            for (var i = 0; i < n; i++) sum += (long)world.UserData(ids[i % 64]);
        });
        Compare("TryContact", 2000, n => {
            for (var i = 0; i < n; i++) if (HmCheck(Hm.hm_world_contact(raw, pairs[i % pairs.Length], out var hit))) sum += hit.Area;
        }, n => {
            for (var i = 0; i < n; i++) if (world.TryContact(pairs[i % pairs.Length], out var hit)) sum += hit.Area;
        });
        Compare("QueryPoint", 2000, n => {
            for (var i = 0; i < n; i++) {
                HmCheck(Hm.hm_world_query_point(raw, i % 2000, 700, null, out var found));
                for (var k = 0; k < (int)found.count; k++) sum += (long)found.items[k].Value;
            }
        }, n => {
            for (var i = 0; i < n; i++) foreach (var id in world.QueryPoint((i % 2000, 700))) sum += (long)id.Value;
        });
        Compare("SetPlacements, 10,000", 2, n => {
            for (var i = 0; i < n; i++) {
                Scatter();
                fixed (ColliderId* idsAt = ids)
                fixed (Placement* at = placements) HmCheck(Hm.hm_world_set_placements(raw, idsAt, at, (UIntPtr)Sprites));
            }
        }, n => {
            for (var i = 0; i < n; i++) {
                Scatter();
                world.SetPlacements(ids, placements);
            }
        });
        Compare("a frame of 10,000", 1, n => {
            for (var i = 0; i < n; i++) {
                Scatter();
                fixed (ColliderId* idsAt = ids)
                fixed (Placement* at = placements) HmCheck(Hm.hm_world_set_placements(raw, idsAt, at, (UIntPtr)Sprites));
                HmCheck(Hm.hm_world_update(raw));
                HmCheck(Hm.hm_world_touching(raw, out var touching));
                for (var k = 0; k < (int)touching.count; k++) sum += (long)touching.items[k].B.Value;
            }
        }, n => {
            for (var i = 0; i < n; i++) {
                Scatter();
                world.SetPlacements(ids, placements);
                world.Update();
                foreach (var pair in world.Touching()) sum += (long)pair.B.Value;
            }
        });
        Compare("Rays, 1,000", 4, n => {
            for (var i = 0; i < n; i++) {
                fixed (Vec2* at = ends) HmCheck(Hm.hm_world_rays(raw, at, (UIntPtr)(ends.Length / 2), null, out var hits));
            }
        }, n => {
            for (var i = 0; i < n; i++) world.Rays(ends);
        });
        Console.WriteLine(sum == 1 ? " " : "");
    }

    static bool HmCheck(Status status) {
        if (status > Status.None) throw new Exception(status.ToString());
        return status == Status.Ok;
    }

    static int tick;

    // Moves every sprite by a pixel.
    static void Scatter() {
        tick++;
        for (var i = 0; i < Sprites; i++) {
            placements[i].X = i % 100 * 22 + (tick & 1);
            placements[i].Y = i / 100 * 22;
        }
    }

    static void Compare(string what, int calls, Action<int> declared, Action<int> classes) {
        double[] first = new double[Rounds], second = new double[Rounds];
        declared(calls);
        classes(calls);
        for (var round = 0; round < Rounds; round++) {
            // Each goes first in every other round.
            if (round % 2 == 0) first[round] = Time(calls, declared);
            second[round] = Time(calls, classes);
            if (round % 2 == 1) first[round] = Time(calls, declared);
        }
        Array.Sort(first);
        Array.Sort(second);
        double a = first[0], b = second[0];
        Console.WriteLine("{0,-24} raw {1,12:n0} ns  classes {2,12:n0} ns  {3:0.00}x", what, a, b, b / a);
    }

    static double Time(int calls, Action<int> work) {
        var watch = Stopwatch.StartNew();
        work(calls);
        return watch.Elapsed.TotalMilliseconds * 1e6 / calls;
    }
}
