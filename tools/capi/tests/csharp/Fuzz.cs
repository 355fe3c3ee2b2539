// Random calls from two threads that share their objects: with disposed, foreign and null objects, stale ids, and numbers
// that are huge or none. Each bad call gives an exception. Arguments: the number of calls, and a seed. Ends with counts.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Hitmask;

sealed class Fuzz {
    // What both threads use. Each may replace or dispose of an object at any time.
    static readonly Atlas[] atlases = new Atlas[4];
    static readonly Mask[] masks = new Mask[12];
    static readonly World[] worlds = new World[6];
    static readonly Batch[] batches = new Batch[2];
    static readonly Shape[] shapes = new Shape[3];
    static readonly ShapeGrid[] grids = new ShapeGrid[3];
    static readonly PlacedMap[] maps = new PlacedMap[2];
    static readonly ulong[] ids = new ulong[64];

    static void Main(string[] arguments) {
        var calls = int.Parse(arguments[0]);
        var seed = int.Parse(arguments[1]);
        var threads = new Thread[2];
        var fuzzers = new Fuzz[2];
        for (var i = 0; i < 2; i++) {
            var fuzzer = fuzzers[i] = new Fuzz(seed + i);
            threads[i] = new Thread(() => fuzzer.Run(calls / 2));
            threads[i].Start();
        }
        foreach (var thread in threads) thread.Join();
        foreach (var fuzzer in fuzzers) if (fuzzer.failure != null) throw new Exception("a call failed otherwise", fuzzer.failure);
        var kinds = new SortedDictionary<string, int>();
        foreach (var fuzzer in fuzzers)
            foreach (var kind in fuzzer.refusals) kinds[kind.Key] = (kinds.TryGetValue(kind.Key, out var n) ? n : 0) + kind.Value;
        foreach (var kind in kinds) Console.WriteLine(kind.Key + " " + kind.Value);
        var refused = kinds.Values.Sum();
        Console.WriteLine(calls + " calls, " + refused + " refused");
    }

    readonly Random random;
    readonly World own;
    readonly Dictionary<string, int> refusals = new Dictionary<string, int>();
    readonly Action[] calls;
    readonly Filter filter = new Filter();
    readonly MoveRules rules = new MoveRules();
    Exception failure;
    static int sum;

    Fuzz(int seed) {
        random = new Random(seed);
        using (Mask disc = Mask.Disc(6), box = Mask.Solid(9, 5))
        using (var bake = new Bake()) {
            atlases[0] = bake.Mask("disc", disc).Mask("box", box).ToAtlas();
        }
        own = new World(atlases[0]);
        calls = Calls();
    }

    void Run(int count) {
        for (var i = 0; i < count && failure == null; i++) {
            try {
                calls[random.Next(calls.Length)]();
            } catch (HitmaskException refused) {
                Count(refused.Status.ToString());
                if (refused.Status == Status.Panic || refused.Status == Status.Poisoned || refused.Status == Status.InvalidWorld) failure = refused;
            } catch (ObjectDisposedException) {
                Count("disposed");
            } catch (ArgumentException) {
                Count("argument");
            } catch (InvalidOperationException) {
                Count("stale list");
            } catch (KeyNotFoundException) {
                Count("name");
            } catch (Exception other) {
                failure = other;
            }
        }
    }

    void Count(string kind) => refusals[kind] = (refusals.TryGetValue(kind, out var count) ? count : 0) + 1;

    // ---- Arguments. ----

    bool Chance(int of) => random.Next(of) == 0;
    T Any<T>(T[] items) => Chance(40) ? default : items[random.Next(items.Length)];
    // An object to call: disposed or foreign, and not null.
    T On<T>(T[] items) where T : class => items[random.Next(items.Length)] ?? throw new ArgumentException("none yet");
    static readonly int[] Sizes = { 0, 1, 3, 7, 20, 64, -1, 40000, int.MaxValue, int.MinValue };
    int Size() => Chance(4) ? Any(Sizes) : random.Next(1, 40);
    static readonly float[] Numbers = { 0, 1, -1, 1e-30f, 1e9f, -1e9f, 3e38f, float.NaN, float.PositiveInfinity, float.NegativeInfinity };
    float Number() => Chance(6) ? Any(Numbers) : random.Next(-60, 60) / 2f;
    Vec2 Vec() => new Vec2(Number(), Number());
    Point Spot() => Chance(8) ? new Point(Size(), Size()) : new Point(random.Next(-9, 9), random.Next(-9, 9));
    Rect Box() => new Rect(Size() - 9, Size() - 9, Size(), Size());
    ColliderId Id() => new ColliderId(Number64());
    MaskId MaskId() => new MaskId(Number64());
    SpriteId Sprite() => new SpriteId(Number64());
    ulong Number64() => Chance(30) ? (ulong)random.Next() << random.Next(40) : ids[random.Next(ids.Length)];
    World World() => Chance(3) ? own : On(worlds);
    Filter Filter() {
        if (Chance(2)) return null;
        filter.Except = Id();
        filter.Layers = (uint)random.Next(-1, 9);
        filter.Sensors = Chance(2);
        filter.Accuracy = (Accuracy)random.Next(Chance(9) ? 9 : 3);
        return filter;
    }
    T[] Many<T>(Func<T> item) {
        var list = new T[Chance(9) ? 0 : random.Next(1, 9)];
        for (var i = 0; i < list.Length; i++) list[i] = item();
        return list;
    }
    Collider Collider() {
        if (Chance(30)) return new Collider();
        var collider = Chance(4) ? new Collider(MaskId()) : new Collider(Sprite());
        collider.Position = Vec();
        collider.Angle = Number();
        if (Chance(9)) collider.Scale = Number();
        if (Chance(9)) collider.Owner = (uint)random.Next(4);
        if (Chance(9)) collider.Frame = Size();
        if (Chance(30)) collider.Accuracy = (Accuracy)random.Next(256);
        collider.Fixed = Chance(3);
        collider.Sensor = Chance(5);
        return collider;
    }

    static bool Throw() {
        throw new ArgumentException("a callback");
    }

    void Keep(ulong id) => ids[random.Next(ids.Length)] = id;
    // A list of a world of both threads may end at any time, so only those of its own are read.
    void Read(World world, Lent<ColliderId> list) {
        if (world != own) return;
        foreach (var id in list) Keep(id.Value);
    }
    void Read(World world, Lent<Pair> list) {
        if (world != own) return;
        foreach (var pair in list) Keep(pair.A.Value);
    }
    void Replace<T>(T[] items, T made) where T : class, IDisposable {
        var at = random.Next(items.Length);
        // Some are left to the garbage collector.
        if (Chance(3)) items[at]?.Dispose();
        items[at] = made;
    }

    // ---- Calls. ----

    Action[] Calls() => new Action[] {
        () => Replace(masks, Mask.Solid(Size(), Size())),
        () => Replace(masks, new Mask(Size(), Size())),
        () => Replace(masks, Mask.Disc(Chance(9) ? Size() : random.Next(9))),
        () => Replace(masks, Mask.FromText(Chance(3) ? null : "##.\n.#.")),
        () => Replace(masks, Mask.FromRgba(Size(), 1, new byte[4 * random.Next(40)])),
        () => Replace(masks, Mask.FromAlpha(3, 2, new byte[random.Next(5, 8)], (byte)random.Next(256))),
        () => Replace(masks, Mask.FromPolygon(Many(Vec), out _)),
        () => Replace(masks, Mask.FromPolygons(Many(Vec), Many(Size), out _)),
        () => Replace(masks, Mask.Union(Many(() => Any(masks)), Many(Spot), out _)),
        () => Replace(masks, On(masks).Clone()),
        () => Replace(masks, On(masks).Grown(random.Next(-1, 3), (GrowShape)random.Next(3))),
        () => Replace(masks, On(masks).Cropped(Box())),
        () => Replace(masks, On(masks).Trimmed(out _)),
        () => On(masks).Dispose(),
        () => On(masks).Set(Size(), Size(), Chance(2)),
        () => On(masks).FillRect(Box(), Chance(2)),
        () => On(masks).Blit(Any(masks), Spot(), (BlitOperation)random.Next(5)),
        () => sum += (int)On(masks).Count,
        () => sum += On(masks).Text().Length,
        () => sum += On(masks).Components((Connectivity)random.Next(12)).Length,
        () => sum += On(masks).Polygons().Length,
        () => On(masks).TryContact(Any(masks), out _, Spot()),
        () => On(masks).TryOverlap(Any(masks), out _, Spot()),
        () => On(masks).TryCast(Any(masks), Spot(), Spot(), out _),
        () => Replace(shapes, On(masks).Shape(new ShapeOptions { MaxError = Number(), MaxCorners = Size() })),
        () => sum += On(shapes).Rings(out _).Length,
        () => sum += On(shapes).Pieces(out _).Length,
        () => On(shapes).Dispose(),
        () => Replace(grids, new ShapeGrid(Any(masks), Chance(2) ? 8 : Size())),
        () => sum += On(grids).Update(Any(masks), Box()).Length,
        () => On(grids).TryChains(Size(), out _, out _),

        () => {
            using (var bake = new Bake { Compact = Chance(2) }) {
                bake.Masks(Chance(20) ? null : "disc", Many(() => Any(masks))).Mask("box", Any(masks));
                Replace(atlases, bake.ToAtlas());
            }
        },
        () => Keep(On(atlases).Sprite(Chance(20) ? "dics" : "disc").Value),
        () => Keep(On(atlases).Sprite("box").Value),
        () => On(atlases).SpriteInfo(Sprite()),
        () => On(atlases).TryPosedMask(Sprite(), out _, out _, Size(), Size(), Number(), Number()),
        () => { if (Chance(40)) On(atlases).Dispose(); },
        () => Replace(atlases, Atlas.FromBytes(new byte[random.Next(300)])),
        () => Replace(batches, new Batch(Any(atlases))),
        () => {
            if (!On(atlases).TryPose(Sprite(), out var pose, out _)) return;
            sum += On(batches).Contact(new[] { new PosePair { A = pose, B = new PoseId(Number64()), At = Spot() } }).Length;
        },

        () => Replace(worlds, new World(Any(atlases))),
        () => Replace(worlds, World().Clone()),
        () => { if (Chance(9)) On(worlds).Dispose(); },
        () => Keep(World().Insert(Collider()).Value),
        () => Keep(World().Insert(Collider()).Value),
        () => { var world = World(); Read(world, world.InsertAll(Many(Collider))); },
        () => World().Set(Id(), Collider()),
        () => World().Get(Id()),
        () => World().Remove(Id()),
        () => World().RemoveAll(Many(Id)),
        () => { var world = World(); if (world.Count > 200) world.RemoveAll(world.Ids().ToArray()); },
        () => World().MoveTo(Id(), Vec()),
        () => World().Place(Id(), Vec(), Number(), Number()),
        () => World().SetPlacements(Many(Id), Many(() => new Placement(Vec(), Number()))),
        () => World().Placements(Many(Id)),
        () => World().SetUserData(Id(), Number64()),
        () => World().Update(),
        () => World().Update(),
        () => World().UpdateWith((pair, a, b) => { if (Chance(50)) throw new ArgumentException(); return Chance(2); }),
        () => { var world = World(); world.UpdateWith((pair, a, b) => { sum += world.Count; return true; }); },
        () => { var world = On(worlds); world.UpdateWith((pair, a, b) => { if (Chance(20)) world.Dispose(); return true; }); },
        () => { var world = World(); Read(world, world.Touching()); },
        () => { var world = World(); Read(world, world.Began()); },
        () => { var world = World(); Read(world, world.Ids()); },
        () => { own.Update(); foreach (var pair in own.Touching()) if (Chance(9)) own.Update(); },
        () => World().TryContact(new Pair(Id(), Id()), out _),
        () => World().TryOverlap(new Pair(Id(), Id()), out _),
        () => World().TryExplain(new Pair(Id(), Id()), out _),
        () => { var world = World(); Read(world, world.TouchingWith(Id())); },
        () => { var world = World(); Read(world, world.QueryCircle(Vec(), Number(), Filter())); },
        () => { var world = World(); Read(world, world.QueryRect(Box(), Filter())); },
        () => { var world = World(); Read(world, world.QueryMask(Any(masks), Spot(), Filter())); },
        () => World().TryRay(Vec(), Vec(), out _, Filter()),
        () => World().Rays(Many(Vec), Filter()),
        () => World().TryPick(Vec(), out _, Number(), (PickOrder)random.Next(3), Filter()),
        () => World().TryNearest(Vec(), Number(), out _, Filter()),
        () => World().TryCast(Id(), Vec(), out _, Chance(2) ? null : (KeepCollider)((id, data) => !Chance(9) || Throw())),
        () => World().MoveAndSlide(Id(), Vec()),
        () => World().MoveByRules(Id(), Vec(), rules),
        () => World().MoveAll(Many(Id), Many(Vec), rules),
        () => World().TranslateBody((uint)random.Next(4), Vec()),
        () => Keep(World().InsertMask(Any(masks), Chance(2) ? (Pivot?)null : new Pivot { X2 = Size(), Y2 = Size() }).Value),
        () => World().FillDisc(MaskId(), Spot(), Chance(9) ? Size() : 4, Chance(2)),
        () => World().Blit(MaskId(), Any(masks), Spot()),
        () => Replace(masks, World().CopyMask(MaskId())),
        () => World().RemoveMask(MaskId()),
        () => { var world = World(); var saved = world == own ? world.Snapshot().ToArray() : new byte[random.Next(99)]; World().Restore(saved); },
        () => sum += (int)World().StateHash(),
        () => World().AddAtlas(Any(atlases)),
        () => World().ReplaceAtlas(new AtlasId((uint)Number64()), Any(atlases)),
        () => Replace(maps, World().InsertMap(Chance(9) ? null : "none", Vec())),
        () => World().UpdateMap(Any(maps)),
        () => World().Validate(),
        () => { if (Chance(200)) GC.Collect(); },
    };
}
