// The classes for C#: owners, lent lists, callbacks, options and messages. Answers are counted by hand. Its argument is
// the atlas with maps. Ends with the number of its checks.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Hitmask;
using Hitmask.Native;

static class Classes {
    static int checks;

    static void Main(string[] arguments) {
        Masks();
        Shapes();
        Atlases();
        Baking();
        Worlds();
        Options();
        LentLists();
        ListsOfForgottenObjects();
        CallbacksThatThrow();
        Disposal();
        Maps(arguments[0]);
        NoAllocation();
        UpwardAxis();
        Console.WriteLine(checks + " checks");
    }

    static void Expect(bool holds, [CallerLineNumber] int line = 0) {
        checks++;
        if (!holds) throw new Exception("line " + line + " of Classes.cs");
    }

    // Expects an exception of a type, and returns its message.
    static string Throws<T>(Action call, [CallerLineNumber] int line = 0) where T : Exception {
        try {
            call();
        } catch (T expected) {
            checks++;
            return expected.Message;
        }
        throw new Exception("line " + line + " of Classes.cs: no " + typeof(T).Name);
    }

    // A callback that throws: throw expressions in lambdas give invalid code with mcs.
    static bool Fail(string message = "") {
        throw new FormatException(message);
    }

    static Status Refused(Action call, [CallerLineNumber] int line = 0) {
        try {
            call();
        } catch (HitmaskException refused) {
            checks++;
            return refused.Status;
        }
        throw new Exception("line " + line + " of Classes.cs: not refused");
    }

    static Atlas Art() {
        using (Mask box = Mask.Solid(10, 10), rock = Mask.Solid(4, 2))
        using (var bake = new Bake()) return bake.Mask("box", box).Mask("rock", rock).ToAtlas();
    }

    static void Masks() {
        using (var mask = Mask.FromText("##.\n.#.\n")) {
            Expect(mask.Size.Width == 3 && mask.Size.Height == 2 && mask.Count == 3);
            Expect(mask.Get(1, 1) && !mask.Get(0, 1) && !mask.Get(9, 9));
            Expect(mask.TryBounds(out var bounds) && bounds.X0 == 0 && bounds.X1 == 2 && bounds.Y1 == 2);
            Expect(mask.Text().Trim() == "##.\n.#.");
            Expect(mask.Alpha().ToArray().SequenceEqual(new byte[] { 255, 255, 0, 0, 255, 0 }));
            Expect(mask.Rects().ToArray().Sum(r => (r.X1 - r.X0) * (r.Y1 - r.Y0)) == 3);
            var corners = 0;
            foreach (var polygon in mask.Polygons()) corners += polygon.Length;
            Expect(corners == 6);
            mask.Set(2, 0);
            mask.Set(1, 1, false);
            Expect(mask.Text().Trim() == "###\n...");
            using (var other = Mask.Solid(2, 2)) {
                Expect(mask.Touches(other) && !mask.Touches(other, (3, 0)));
                Expect(mask.OverlapArea(other, (1, 0)) == 2);
                Expect(mask.TryContact(other, out var contact, (2, 0)) && contact.Area == 1 && contact.Point == (2, 0));
                Expect(!mask.TryContact(other, out contact, (0, 1)) && contact.Area == 0);
                using (var both = Mask.Union(new[] { mask, other }, new Point[] { (0, 0), (5, 5) }, out var origin)) {
                    Expect(both.Count == 7 && origin == (0, 0));
                }
                mask.Blit(other, (0, 0), BlitOperation.Erase);
                Expect(mask.Count == 1);
            }
            mask.Fill();
            using (var empty = new Mask(3, 2)) Expect(empty.Count == 0 && !empty.TryBounds(out _));
            using (var copy = mask.Clone()) Expect(copy.Count == 6);
            mask.Clear();
            Expect(!mask.TryCentroid(out _));
            Expect(mask.Components().IsEmpty && !mask.TryComponent(0, out var none) && none == null);
        }
        Vec2[] square = { (0, 0), (4, 0), (4, 3), (0, 3) };
        using (var filled = Mask.FromPolygon(square, out var at)) Expect(filled.Count == 12 && at == (0, 0));
        var hole = square.Concat(new Vec2[] { (1, 1), (3, 1), (3, 2), (1, 2) }).ToArray();
        using (var filled = Mask.FromPolygons(hole, new[] { 0, 4, 8 }, out _)) Expect(filled.Count == 10);
        byte[] red = { 255, 0, 0, 255 }, rgba = red.Concat(new byte[] { 0, 255, 0, 255 }).ToArray();
        var noRed = new TexelRule { Exclude = new[] { new ColorRange(255, 0, 0, 255) } };
        using (var both = Mask.FromRgba(2, 1, rgba)) Expect(both.Count == 2);
        using (var green = Mask.FromRgba(2, 1, rgba, noRed)) Expect(green.Count == 1 && green.Get(1, 0));
        Expect(Refused(() => Mask.FromRgba(3, 1, rgba)) == Status.BadMask);
        Expect(Refused(() => Mask.FromText("#?")) == Status.BadMask);
        Expect(Refused(() => Mask.Solid(-1, 4)) == Status.BadMask);
        Throws<ArgumentNullException>(() => Mask.FromText(null));
        Throws<ArgumentException>(() => Mask.FromText("#\0#"));
    }

    static void Shapes() {
        using (var mask = Mask.Solid(8, 4)) {
            using (var shape = mask.Shape(new ShapeOptions { Scale = 0.5f })) {
                Expect(shape.Mass.Area == 8);
                var rings = shape.Rings(out var borders);
                Expect(rings.Length == 1 && rings[0].Length == 4 && borders[0] == 0);
                shape.LeftOut(out var islands, out var holes);
                Expect(islands == 0 && holes == 0);
                Expect(shape.Pieces(out var thin).Length == 1 && thin.Count == 0);
            }
            using (var grid = new ShapeGrid(mask, 8)) {
                Expect(grid.Count == 1 && grid.TryCell(0, out var cell) && cell.Rect.X1 == 8 && !grid.TryCell(1, out _));
                mask.Set(0, 0, false);
                Expect(grid.Update(mask, new Rect(0, 0, 1, 1)).ToArray().SequenceEqual(new[] { 0 }));
                Expect(grid.TryChains(0, out var chains, out var closed) && chains.Length == closed.Length);
                Expect(!grid.TryRings(7, out var none, out _) && none.Length == 0);
            }
            using (var empty = new Mask(2, 2))
            using (var shape = empty.Shape()) {
                var count = 0;
                foreach (var ring in shape.Rings(out _)) count += ring.Length;
                Expect(count == 0);
            }
        }
    }

    static void Atlases() {
        using (var atlas = Art()) {
            Expect(atlas.SpriteCount == 2 && atlas.IsDrawn && atlas.Resolution == 1);
            Expect(atlas.TrySprite("box", out var box) && !box.IsNone && box == atlas.Sprite("box"));
            Expect(!atlas.TrySprite("bix", out var none) && none.IsNone);
            Expect(Throws<KeyNotFoundException>(() => atlas.Sprite("bix")) == "the atlas has no sprite \"bix\"; did you mean \"box\"?");
            var info = atlas.SpriteInfo(box);
            Expect(info.Name == "box" && info.Frames == 1 && info.Planes == 1 && info.Angles == 64 && info.Id == box);
            Expect(atlas.Scales(box).ToArray().SequenceEqual(new[] { 1f }));
            Expect(atlas.FrameSize(box).Width == 10 && atlas.Pivot(box) == (10, 10));
            Expect(atlas.AlphaRule(box).Alpha == 128);
            Expect(Refused(() => atlas.FrameSize(new SpriteId(77))) == Status.UnknownSprite);
            Expect(atlas.TryPosedMask(box, out var mask, out var origin, angle: (float)(Math.PI / 2)) && mask.Count == 100);
            mask.Dispose();
            using (var again = Atlas.FromBytes(atlas.Bytes())) Expect(again.SpriteCount == 2 && again.Id == atlas.Id);
            Expect(Refused(() => Atlas.FromBytes(new byte[9])) == Status.NotAnAtlas);
            var limits = new AtlasLimits { MaxBytes = 10 };
            using (var compact = new Bake { Compact = true }.Mask("box", Mask.Solid(50, 50))) {
                var bytes = compact.ToBytes();
                Expect(Refused(() => Atlas.FromBytes(bytes, limits).Drawn()) == Status.OverLimit);
            }
            Expect(Refused(() => Atlas.Open("niño.hitmask")) == Status.Io);
            Expect(Throws<HitmaskException>(() => Atlas.Open("niño.hitmask")).Contains("niño.hitmask"));
            using (var batch = new Batch(atlas)) {
                atlas.TryPose(box, out var pose, out _);
                PosePair[] pairs = { new PosePair { A = pose, B = pose, At = (9, 9) }, new PosePair { A = pose, B = pose, At = (10, 0) } };
                Expect(batch.Touches(pairs).ToArray().SequenceEqual(new byte[] { 1, 0 }));
                Expect(batch.OverlapArea(pairs).ToArray().SequenceEqual(new[] { 1L, 0L }));
                Expect(batch.Contact(pairs)[0].Point == (9, 9));
            }
        }
    }

    static void Baking() {
        var settings = new BakeSettings { Angles = 8, Scales = new[] { 1f, 2f }, Pivot = new Pivot { X2 = 0, Y2 = 0 }, MotionFrame = true };
        using (var bake = new Bake { Settings = settings, Resolution = 2 }) {
            bake.Masks("run", new[] { Mask.Solid(4, 4), Mask.Solid(2, 2) });
            bake.Planes("ogre", new[] { "body", "eye" }, new[] { Mask.Solid(8, 8), Mask.FromText("########\n" + string.Concat(Enumerable.Repeat("........\n", 7))) }, new BakeSettings());
            var rgba = new byte[4 * 4];
            for (var i = 3; i < rgba.Length; i += 4) rgba[i] = (byte)(i * 10);
            bake.Rgba("fade", 2, 2, rgba, 1, new BakeSettings { Alpha = 30, Thresholds = new byte[] { 100 } });
            using (var atlas = bake.ToAtlas()) {
                Expect(atlas.Resolution == 2 && bake.Resolution == 2);
                var run = atlas.SpriteInfo(atlas.Sprite("run"));
                Expect(run.Frames == 3 && run.Angles == 8 && run.Scales == 2);
                Expect(atlas.Pivot(run.Id) == (0, 0));
                var ogre = atlas.Sprite("ogre");
                Expect(atlas.Plane(ogre, "eye") == 1 && atlas.SpriteInfo(ogre).Angles == 64);
                Expect(Throws<KeyNotFoundException>(() => atlas.Plane(ogre, "eyes")).EndsWith("did you mean \"eye\"?"));
                Expect(atlas.TryPlaneForThreshold(atlas.Sprite("fade"), 90, out var plane) && plane == 1);
            }
            Throws<ArgumentException>(() => bake.Planes("x", new[] { "a", "b" }, new[] { Mask.Solid(1, 1) }));
            Throws<ArgumentNullException>(() => bake.Mask("x", null));
            Expect(Refused(() => bake.Mask("bad", Mask.Solid(1, 1), new BakeSettings { Sampling = (Sampling)9 })) == Status.BadValue);
        }
        var logged = "";
        Library.Log = (level, message) => logged += level + " " + message;
        GC.Collect();
        using (var bake = new Bake().Rgba("ghost", 2, 2, new byte[16])) {
            bake.ToBytes();
            Expect(logged.StartsWith("Warning") && logged.Contains("ghost"));
            Library.Log = (level, message) => Fail("log");
            Expect(Throws<FormatException>(() => bake.ToBytes()) == "log");
            Library.Log = null;
            Expect(bake.ToBytes().Length > 0);
        }
    }

    static void Worlds() {
        using (var atlas = Art())
        using (var world = new World(atlas)) {
            Expect(!world.IsUpdated && world.Count == 0 && world.Accuracy == Accuracy.Exact && world.ScalePolicy == 1.5f);
            var a = world.Insert(new Collider(atlas.Sprite("box")));
            var b = world.Insert(new Collider(atlas.Sprite("rock")) { Position = (6, 0), Layers = 2 });
            Expect(a != b && world.Count == 2 && world.Get(b).Sprite == atlas.Sprite("rock") && world.Get(b).Layers == 2);
            Expect(Refused(() => world.Touching()) == Status.NotUpdated);
            Expect(Throws<HitmaskException>(() => world.Touching()).Contains("World.Update"));
            world.Update();
            Expect(world.IsUpdated && world.Touching().Length == 1 && world.Began()[0].Equals(new Pair(a, b)));
            var pair = world.Touching()[0];
            Expect(pair.Has(a) && pair.Other(a) == b);
            Expect(world.TryContact(pair, out var contact) && contact.Area == 2 && contact.Rect.X0 == 4 && contact.Point == (4, -1));
            Expect(world.TryOverlap(pair, out var overlap) && overlap.Side == Side.Right && overlap.PushOut == (-1, 0));
            Expect(world.TryExplain(pair, out var text) && text.Contains("touch"));
            Expect(!world.TryContact(new Pair(a, default), out contact) && contact.Area == 0);
            world.SetUserData(b, 7);
            Expect(world.UserData(b) == 7 && world.UserData(a) == 0);
            Expect(world.TouchingWith(a)[0] == b && world.PartsOf(3).IsEmpty);
            Expect(world.TryRect(a, out var rect) && rect.X0 == -5 && rect.X1 == 5);
            Expect(world.TryPick((0, 0), out var picked) && picked == a && !world.TryPick((50, 0), out picked) && picked.IsNone);
            Expect(world.TryPick((50, 0), out picked, 60, PickOrder.UserData) && picked == b);
            Expect(world.QueryRect(new Rect(5, -9, 9, 9), new Filter { Layers = 1 }).IsEmpty);
            Expect(world.QueryRect(new Rect(5, -9, 9, 9)).ToArray().SequenceEqual(new[] { b }));
            Expect(world.QueryPoint((0, 0), new Filter { Except = a }).IsEmpty);
            Expect(world.TryRay((-50, 0), (50, 0), out var hit) && hit.Collider == a && hit.Point == (-5, 0));
            var rays = world.Rays(new Vec2[] { (-50, 0), (50, 0), (-50, 99), (50, 99) });
            Expect(rays.Length == 2 && rays[0].Collider == a && rays[1].Collider.IsNone);
            Throws<ArgumentException>(() => world.Rays(new Vec2[3]));
            world.MoveTo(b, (30, 0));
            Expect(world.TryCast(b, (-40, 0), out var impact) && impact.Collider == a && impact.Position == (7, 0));
            Expect(!world.TryCast(b, (-40, 0), out _, (id, data) => id != a || data != 0));
            Expect(world.CastAll(b, (-40, 0)).Length == 1 && world.Casts(new[] { b }, new Vec2[] { (0, 40) })[0].Collider.IsNone);
            var moved = world.MoveAndSlide(b, (-40, 0));
            Expect(moved.Position == (7, 0) && moved.IsBlocked(Side.Left) && !moved.IsBlocked(Side.Below));
            Expect(moved.Contacts.Length == 1 && moved.Contacts[0].Collider == a && moved.StuckIn.IsEmpty);
            moved = world.MoveByRules(b, (-40, 0), new MoveRules { Climb = 0 }, (id, data) => false);
            Expect(moved.Position == (-33, 0));
            moved = world.MoveByRulesPerContact(b, (70, 0), null, (id, data, side, normal) => side == Side.Right && normal.X != -1);
            Expect(moved.Position == (37, 0));
            var moves = world.MoveAll(new[] { b }, new Vec2[] { (-70, 0) });
            Expect(moves.Results.Length == 1 && moves.Results[0].Position == (7, 0) && moves.Contacts[0].Collider == a);
            Expect(world.MoveUntilContact(b, (-3, 0), out impact) && impact.Collider == a);
            world.SetPlacements(new[] { a, b }, new[] { new Placement((1, 2), 0.5f), new Placement((80, 0)) });
            var placements = world.Placements(new[] { b, a });
            Expect(placements[0].Position == (80, 0) && placements[1].Angle == 0.5f);
            Throws<ArgumentException>(() => world.SetPlacements(new[] { a, b }, new Placement[1]));
            var saved = world.Snapshot().ToArray();
            var hash = world.StateHash();
            var buffer = new byte[saved.Length];
            Expect(world.SnapshotTo(buffer) == saved.Length && buffer.SequenceEqual(saved));
            Expect(Refused(() => world.SnapshotTo(new byte[3])) == Status.BufferTooSmall);
            world.Remove(b);
            Expect(Refused(() => world.MoveTo(b, (0, 0))) == Status.StaleId && world.Count == 1);
            using (var other = World.FromSnapshot(atlas, saved)) Expect(other.StateHash() == hash && other.Count == 2);
            using (var other = World.FromSnapshot(new[] { atlas }, saved)) Expect(other.StateHash() == hash);
            using (var other = world.Clone()) Expect(other.Count == 1 && other.StateHash() == world.StateHash());
            world.Restore(saved);
            Expect(world.StateHash() == hash);
            using (var kept = world.Clone()) {
                Expect(!world.TryFirstDifference(kept, out var difference) && difference == null);
                world.MoveTo(b, (-9, 4));
                Expect(world.TryFirstDifference(kept, out difference) && difference.Contains("position"));
                Throws<InvalidOperationException>(() => {
                    var ids = world.Ids();
                    world.Assign(kept);
                    ids.ToArray();
                });
                Expect(world.StateHash() == hash && world.Get(b).Position == (80, 0) && world.UserData(b) == 7);
                var before = GC.GetAllocatedBytesForCurrentThread();
                world.Assign(kept);
                Expect(GC.GetAllocatedBytesForCurrentThread() == before);
            }
            Expect(world.InsertAll(new[] { new Collider(atlas.Sprite("box")), new Collider(atlas.Sprite("box")) { Owner = 3 } }).Length == 2);
            Expect(world.PartsOf(3).Length == 1 && world.RemoveAll(world.Ids()) == 4);
            var mask = world.InsertMask(Mask.Solid(20, 20), new Pivot());
            world.Insert(new Collider(mask) { Position = (5, 5), Fixed = true, Sensor = true });
            world.FillDisc(mask, (10, 10), 3, false);
            using (var copy = world.CopyMask(mask)) Expect(copy.Count == 400 - 29 && !copy.Get(10, 10));
            using (var shape = world.MaskShape(mask)) Expect(shape.Rings(out _).Length == 2);
            Expect(world.QueryPoint((6, 6)).Length == 1 && world.QueryPoint((6, 6), new Filter { Sensors = false }).IsEmpty);
            world.Validate();
            var message = Throws<HitmaskException>(() => world.Insert(new Collider()));
            Expect(message.Contains("the constructor of Collider") && !message.Contains("hm_"));
            // Many colliders of two worlds, and an id of the other one.
            using (var other = new World(atlas)) {
                var foreign = default(ColliderId);
                for (var i = 0; i < 9; i++) foreign = other.Insert(new Collider(atlas.Sprite("box")));
                Expect(Refused(() => world.Get(foreign)) == Status.StaleId);
            }
        }
    }

    static void Options() {
        var filter = new Filter();
        Expect(filter.Layers == uint.MaxValue && filter.Sensors && filter.Except.IsNone && filter.Accuracy == Accuracy.Exact);
        var rules = new MoveRules();
        Expect(rules.Climb == 1 && rules.Slip == 0 && rules.Rise == 2 && rules.OneWay == 0);
        var shape = new ShapeOptions();
        Expect(shape.MaxError == 1 && shape.MaxCorners == 8 && shape.Scale == 1 && !shape.YUp && shape.Fit == Fit.Nearest);
        Expect(new AtlasLimits().MaxBytes == 1 << 30);
        var collider = new Collider(new SpriteId(1));
        Expect(collider.Scale == 1 && collider.Layers == 1 && collider.CollidesWith == uint.MaxValue && collider.Enabled && !collider.Fixed);
        Expect(collider.Accuracy == Accuracy.Exact && collider.MoveAccuracy == Accuracy.Same && collider.Position == (0, 0));
        // The classes have the defaults of the library.
        var native = Hm.hm_default_bake_settings();
        var settings = new BakeSettings();
        Expect(native.angles == settings.Angles && native.alpha == settings.Alpha && native.sampling == settings.Sampling);
        var rule = Hm.hm_default_texel_rule();
        Expect(rule.alpha == new TexelRule().Alpha && rule.alpha_test == new TexelRule().AlphaTest && rule.channel == new TexelRule().Channel);
        Expect(TexelRule.Tolerance(1) == Hm.hm_alpha_tolerance(1) && Library.Version == "0.1.0");
        var placed = Affine.Placed((10, 0), (0, 0), 0, 2).Then(Affine.Placed((1, 1), (0, 0), 0));
        Expect(placed.A == 2 && placed.Tx == 11 && placed.Ty == 1);
    }

    static void LentLists() {
        using (var atlas = Art())
        using (var world = new World(atlas)) {
            for (var i = 0; i < 5; i++) world.Insert(new Collider(atlas.Sprite("box")) { X = i });
            world.Update();
            Throws<InvalidOperationException>(() => {
                var began = world.Began();
                world.Update();
                Expect(began[0].A.IsNone);
            });
            Throws<InvalidOperationException>(() => {
                foreach (var pair in world.Touching()) world.Update();
            });
            Throws<InvalidOperationException>(() => {
                var found = world.QueryPoint((0, 0));
                world.Ids();
                found.ToArray();
            });
            Throws<InvalidOperationException>(() => {
                var touching = world.Touching();
                world.Restore(world.Snapshot());
                touching.ToArray();
            });
            world.Update();
            // The lists of one kind end together, and the others stay.
            var pairs = world.Touching();
            var ids = world.Ids();
            world.MoveTo(ids[0], (3, 3));
            world.CastAll(ids[0], (1, 1));
            Expect(pairs.Length == 10 && pairs[9].A != pairs[9].B && ids[4] != ids[3]);
            ReadOnlySpan<Pair> span = pairs;
            Expect(span.Length == 10 && pairs.Span.ToArray()[0].Equals(pairs[0]));
            Throws<IndexOutOfRangeException>(() => Expect(world.Touching()[10].A.IsNone));
            Throws<IndexOutOfRangeException>(() => Expect(world.Touching()[-1].A.IsNone));
            Expect(default(Lent<Pair>).IsEmpty && default(Lent<Pair>).ToArray().Length == 0 && default(Paths<Vec2>).Length == 0);
            foreach (var none in default(Lent<Pair>)) Expect(false);
            Throws<InvalidOperationException>(() => {
                var other = new World(atlas);
                other.Insert(new Collider(atlas.Sprite("box")));
                var lent = other.Ids();
                other.Dispose();
                lent.ToArray();
            });
        }
    }

    // A list keeps its object from the garbage collector.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ListsOfForgottenObjects() {
        var raw = IntPtr.Zero;
        foreach (var rect in Temporary(out raw).Rects()) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Expect(Hm.hm_mask_count(raw, out var count) == Status.Ok && count == 2 && rect.Y1 - rect.Y0 == 1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Mask Temporary(out IntPtr raw) {
        var mask = Mask.FromText("#..\n..#");
        raw = mask.NativeHandle;
        return mask;
    }

    static void CallbacksThatThrow() {
        using (var atlas = Art())
        using (var world = new World(atlas))
        using (var other = new World(atlas)) {
            var ids = new ColliderId[4];
            for (var i = 0; i < 4; i++) {
                ids[i] = world.Insert(new Collider(atlas.Sprite("box")) { X = 3 * i });
                world.SetUserData(ids[i], (ulong)i);
                other.Insert(new Collider(atlas.Sprite("box")));
            }
            world.UpdateWith((pair, a, b) => a == 0 && pair.A == ids[0]);
            Expect(world.Touching().Length == 3);
            var calls = 0;
            Expect(Throws<FormatException>(() => world.UpdateWith((pair, a, b) => ++calls == 2 ? Fail("pair") : true)) == "pair");
            Expect(calls == 2 && world.Touching().Length == 1);
            Expect(Throws<FormatException>(() => world.UpdateWithContacts((pair, a, b, side, normal) => Fail("touch"))) == "touch");
            world.UpdateWithContacts((pair, a, b, side, normal) => side == Side.Right && normal.X != 0);
            Throws<FormatException>(() => world.TryCast(ids[0], (50, 0), out _, (id, data) => Fail()));
            Throws<FormatException>(() => world.CastAll(ids[0], (50, 0), (id, data) => Fail()));
            world.MoveTo(ids[0], (-30, 0));
            Throws<FormatException>(() => world.MoveByRules(ids[0], (50, 0), null, (id, data) => Fail()));
            world.MoveTo(ids[0], (-30, 0));
            Throws<FormatException>(() => world.MoveByRulesPerContact(ids[0], (50, 0), null, (id, data, side, normal) => Fail()));
            Throws<ArgumentNullException>(() => world.UpdateWith(null));
            // A call with the same world is refused inside of a callback. One with another world runs, with a callback of its own.
            Expect(Refused(() => world.UpdateWith((pair, a, b) => world.Count == 0)) == Status.Busy);
            var inner = 0;
            world.UpdateWith((pair, a, b) => {
                other.UpdateWith((otherPair, c, d) => ++inner > 0);
                return true;
            });
            Expect(inner >= 6 && other.Touching().Length == 6 && world.Touching().Length == 3);
            world.UpdateWith((pair, a, b) => {
                Throws<FormatException>(() => other.UpdateWith((otherPair, c, d) => Fail()));
                return true;
            });
            Expect(world.Touching().Length == 3);
        }
    }

    static void Disposal() {
        var atlas = Art();
        var world = new World(atlas);
        var id = world.Insert(new Collider(atlas.Sprite("box")));
        Expect(world.NativeHandle != IntPtr.Zero && !world.IsDisposed);
        atlas.Dispose();
        atlas.Dispose();
        Expect(atlas.IsDisposed && world.Count == 1);
        Expect(Throws<ObjectDisposedException>(() => atlas.Sprite("box")).Contains("an atlas was disposed"));
        Throws<ObjectDisposedException>(() => new World(atlas));
        Throws<ArgumentNullException>(() => new World(null));
        Throws<ArgumentNullException>(() => world.QueryMask(null));
        // Disposed inside a call with it: the call goes on, and the end comes later.
        var raw = world.NativeHandle;
        world.Insert(new Collider(world.Get(id).Sprite));
        world.UpdateWith((pair, a, b) => {
            world.Dispose();
            return true;
        });
        Expect(Throws<ObjectDisposedException>(() => world.Update()).Contains("a world was disposed"));
        for (var i = 0; i < 50 && Hm.hm_world_count(raw, out _) != Status.StaleHandle; i++) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Expect(Hm.hm_world_count(raw, out _) == Status.StaleHandle);
        // The garbage collector destroys what is forgotten, on its thread.
        var forgotten = Forget(200);
        for (var i = 0; i < 50 && forgotten.Any(mask => Hm.hm_mask_count(mask, out _) == Status.Ok); i++) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        // A conservative collector may take a number for an address.
        Expect(forgotten.Count(mask => Hm.hm_mask_count(mask, out _) == Status.Ok) < 20);
        // Two threads dispose of one object: it is destroyed once.
        for (var i = 0; i < 200; i++) {
            var shared = Mask.Solid(3, 3);
            var other = new Thread(shared.Dispose);
            other.Start();
            shared.Dispose();
            other.Join();
            Throws<ObjectDisposedException>(() => shared.Fill());
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static IntPtr[] Forget(int count) {
        var raw = new IntPtr[count];
        var thread = new Thread(() => {
            for (var i = 0; i < count; i++) raw[i] = Mask.Solid(3, 3).NativeHandle;
        });
        thread.Start();
        thread.Join();
        return raw;
    }

    static void Maps(string path) {
        using (var atlas = Atlas.Open(path))
        using (var world = new World(atlas)) {
            Expect(atlas.TryMap("levels/yard", out var map) && map.Items.Count == 3 && map.Size == (320, 200.5f));
            Expect(!atlas.TryMap("levels/none", out var none) && none == null);
            Expect(map.Properties["music"] == "" && map.Find("nothing") == null);
            var box = map.Find("box");
            Expect(box.Id == "things/4" && box.Class == "crate" && box.Properties["damage"] == "3" && box.Properties["Zahl"] == "π");
            Expect(box.Position == (40, 8) && box.Size == (4, 4) && box.Collider.IsNone);
            using (var placed = world.InsertMap("levels/yard", (100, 0))) {
                Expect(world.Count == 2 && placed.Colliders().Length == 2);
                var ground = placed.Map.Find("solid").Collider;
                Expect(world.Get(ground).Position == (100, 0) && world.Get(ground).Fixed && world.Get(ground).Layers == 2);
                world.MoveTo(ground, (90, 0));
                var report = world.UpdateMap(placed);
                Expect(report.Inserted.Length == 0 && report.Changed.Length == 0 && report.Removed.Count == 0);
                Expect(world.RemoveAll(placed.Colliders()) == 2 && world.Count == 0);
            }
            Expect(Refused(() => world.InsertMap("none")) == Status.UnknownSprite);
        }
    }

    const int Sprites = 10000;

    static void NoAllocation() {
        using (var atlas = Art())
        using (var world = new World(atlas)) {
            var colliders = Enumerable.Range(0, Sprites).Select(i => new Collider(atlas.Sprite("box")) { X = i % 100 * 9, Y = i / 100 * 9 });
            var ids = world.InsertAll(colliders.ToArray()).ToArray();
            var placements = world.Placements(ids).ToArray();
            Vec2[] motions = Enumerable.Repeat(new Vec2(1, 1), 100).ToArray();
            var filter = new Filter { Layers = 1 };
            var rules = new MoveRules();
            KeepPair keep = (pair, a, b) => true;
            KeepCollider block = (collider, data) => true;
            var seen = 0L;
            for (var frame = 0; frame < 12; frame++) {
                var before = GC.GetAllocatedBytesForCurrentThread();
                var collections = GC.CollectionCount(0);
                for (var i = 0; i < Sprites; i++) placements[i].X += frame % 2 * 2 - 1;
                world.SetPlacements(ids, placements);
                if (frame % 2 == 0) world.Update();
                else world.UpdateWith(keep);
                foreach (var pair in world.Touching()) {
                    if (seen++ % 64 == 0 && world.TryContact(pair, out var contact)) seen += contact.Area;
                }
                seen += world.Began().Length + world.Ended().Length;
                for (var i = 0; i < 100; i++) {
                    world.MoveTo(ids[i], (i, 7));
                    foreach (var id in world.QueryCircle((i, 300), 20, filter)) seen += id == ids[0] ? 1 : 0;
                    if (world.TryRay((0, i), (900, i), out var hit, filter)) seen += hit.Step;
                    if (world.TryCast(ids[i], (4, 4), out var impact, block)) seen++;
                    seen += world.MoveByRules(ids[i], (1, 1), rules, block).Contacts.Length;
                }
                seen += world.MoveAll(ids.AsSpan(0, 100), motions, rules).Results.Length;
                world.SetUserData(ids[0], (ulong)frame);
                var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
                if (frame >= 2) {
                    if (allocated != 0) throw new Exception("frame " + frame + " allocated " + allocated + " bytes");
                    Expect(GC.CollectionCount(0) == collections);
                }
            }
            Expect(seen > 0);
        }
    }

    static void UpwardAxis() {
        var up = new YUp(32);
        Expect(up.ToPixels(2, 3) == (64, -96) && up.ToUnits((64, -96)) == (2, 3));
        Expect(Math.Abs(up.ToRadians(90) + Math.PI / 2) < 1e-6);
        var placement = up.ToPlacement(1, -1, 180, default);
        Expect(placement.Position == (32, 32) && Math.Abs(placement.Angle + Math.PI) < 1e-6);
        // The engine draws 3 x 3 pixels from (0, 0) up to (3, 3), and 4 x 2 from (-2, 5) up to (2, 7).
        using (Mask odd = Mask.Solid(3, 3), even = Mask.Solid(4, 2))
        using (var bake = new Bake().Mask("odd", odd).Mask("even", even))
        using (var atlas = bake.ToAtlas())
        using (var world = new World(atlas)) {
            var one = new YUp(1);
            foreach (var name in new[] { "odd", "even" }) {
                var sprite = atlas.Sprite(name);
                var pivot = atlas.Pivot(sprite);
                var at = name == "odd" ? new Vec2(1.5f, 1.5f) : new Vec2(0, 6);
                placement = one.ToPlacement(at.X, at.Y, 0, pivot);
                var id = world.Insert(new Collider(sprite) { Position = placement.Position });
                Expect(world.TryRect(id, out var rect) && one.ToUnits(placement.Position, pivot) == at);
                var right = name == "odd" ? new Rect(0, -3, 3, 0) : new Rect(-2, -7, 2, -5);
                Expect(rect.X0 == right.X0 && rect.Y0 == right.Y0 && rect.X1 == right.X1 && rect.Y1 == right.Y1);
            }
        }
    }
}
