// Replays traces of the naive world through the classes: each line is a call and its right answer, `name(arguments) =>
// answer`. The file tools/scenes/src/naive/trace.rs describes them. Arguments: the folder of the atlases, then the traces.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Hitmask;

static class Replay {
    static int checks;

    // ---- The line: tokens of the call, of which `next` is next, and those of the answer. ----

    static List<string> tokens, answers;
    static int next, nextAnswer;
    static bool isSame;
    static readonly StringBuilder got = new StringBuilder();

    // Splits at punctuation. Brackets are tokens of a call, and left out of an answer, as are the words of an option.
    static List<string> Split(string line, bool isCall) {
        var list = new List<string>();
        var start = -1;
        for (var at = 0; at <= line.Length; at++) {
            var letter = at < line.Length ? line[at] : ' ';
            var isBracket = letter == '[' || letter == ']';
            if (!isBracket && " ,()=\"".IndexOf(letter) < 0) {
                if (start < 0) start = at;
                continue;
            }
            if (start >= 0) {
                var word = line.Substring(start, at - start);
                if (isCall || word != "None" && word != "Some") list.Add(word);
                start = -1;
            }
            if (isBracket && isCall) list.Add(letter.ToString());
        }
        return list;
    }

    // ---- Arguments. ----

    static string folder;
    static World world;
    static byte[] saved;

    static string Next() => next < tokens.Count ? tokens[next++] : "";
    static bool IsNext(string token) => next < tokens.Count && tokens[next] == token;

    static double Parsed(string text) {
        if (text == "inf") return double.PositiveInfinity;
        if (text == "-inf") return double.NegativeInfinity;
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) ? value : double.NaN;
    }

    static double Real() => Parsed(Next());
    static float Number() => (float)Real();
    static ulong Natural() => ulong.TryParse(Next(), out var value) ? value : 0;
    static int Whole() => unchecked((int)long.Parse(Next(), CultureInfo.InvariantCulture));
    static bool Flag() => Next() == "true";
    static ColliderId Id() => new ColliderId(Natural());
    static MaskId MaskId() => new MaskId(Natural());
    static Vec2 Vec() => new Vec2(Number(), Number());
    static Point Spot() => new Point(Whole(), Whole());
    static Rect Box() => new Rect(Whole(), Whole(), Whole(), Whole());
    static Affine Transform() => new Affine { A = Real(), B = Real(), C = Real(), D = Real(), Tx = Real(), Ty = Real() };

    static readonly string[] Accuracies = { "box", "coarse", "exact" };
    static Accuracy Level() {
        var at = Array.IndexOf(Accuracies, Next());
        return at < 0 ? Accuracy.Same : (Accuracy)at;
    }

    static T[] Items<T>(Func<T> item) {
        var list = new List<T>();
        for (Next(); !IsNext("]"); ) list.Add(item());
        Next();
        return list.ToArray();
    }

    static ColliderId[] Ids() => Items(Id);
    static Vec2[] Vecs() => Items(Vec);

    // M("##./.#.")
    static Mask Card() {
        Next();
        return Mask.FromText(Next().Replace('/', '\n'));
    }

    // A(family, version)
    static Atlas Art() {
        Next();
        return Atlas.Open(Path.Combine(folder, "atlas-" + Next() + "-" + Next() + ".hitmask"));
    }

    // ---- Keyword arguments, which change the defaults. ----

    static Collider collider;
    static Filter filter;
    static MoveRules rules;
    static Pivot? pivot;
    static double[] turns, angles, scales;
    static ulong? userData;
    static bool isOdd, isSet;

    // One number, or a list. Returns the first.
    static double Reals(ref double[] list) {
        if (!IsNext("[")) return Real();
        list = Items(Real);
        return 0;
    }

    static void Keys() {
        while (next < tokens.Count) {
            var key = Next();
            switch (key) {
                case "sprite":
                    collider.Sprite = new SpriteId(Natural());
                    collider.Mask = default;
                    break;
                case "mask":
                    collider.Mask = MaskId();
                    collider.Sprite = default;
                    break;
                case "at": collider.Position = Vec(); break;
                case "turn":
                    collider.Turn = (ushort)Reals(ref turns);
                    collider.UseTurn = true;
                    break;
                case "angle":
                    collider.Angle = (float)Reals(ref angles);
                    collider.UseTurn = false;
                    break;
                case "scale": collider.Scale = (float)Reals(ref scales); break;
                case "frame": collider.Frame = (int)Natural(); break;
                case "plane": collider.Plane = (int)Natural(); break;
                case "flip_x": collider.FlipX = Flag(); break;
                case "flip_y": collider.FlipY = Flag(); break;
                case "layers": collider.Layers = filter.Layers = (uint)Natural(); break;
                case "collides_with": collider.CollidesWith = (uint)Natural(); break;
                case "owner": collider.Owner = (uint)Natural(); break;
                case "min_overlap":
                    collider.MinOverlap = (int)Natural();
                    collider.MinWidth = collider.MinHeight = 0;
                    break;
                case "min_size":
                    collider.MinWidth = (int)Natural();
                    collider.MinHeight = (int)Natural();
                    break;
                case "fixed": collider.Fixed = Flag(); break;
                case "sensor": collider.Sensor = Flag(); break;
                case "enabled": collider.Enabled = Flag(); break;
                case "accuracy": collider.Accuracy = filter.Accuracy = Level(); break;
                case "move_accuracy": collider.MoveAccuracy = Level(); break;
                case "user_data": userData = Natural(); break;
                case "ignore": filter.Except = Id(); break;
                case "sensors": filter.Sensors = Flag(); break;
                case "climb": rules.Climb = (int)Natural(); break;
                case "slip": rules.Slip = (int)Natural(); break;
                case "one_way": rules.OneWay = (uint)Natural(); break;
                case "rise": rules.Rise = (int)Natural(); break;
                case "pivot": pivot = new Pivot { X2 = (int)(2 * Real()), Y2 = (int)(2 * Real()) }; break;
                case "among": isOdd = Next() == "odd"; break;
                case "remove": isSet = Flag(); break;
                default: throw new Exception("unknown argument " + key);
            }
        }
    }

    static Filter Filtered() {
        Keys();
        return filter;
    }

    // ---- The answer: each value is compared with the next token of the right one. ----

    static string Wanted => nextAnswer < answers.Count ? answers[nextAnswer] : "";

    static void Put(bool isRight, string value) {
        isRight &= nextAnswer < answers.Count;
        isSame &= isRight;
        got.Append(isRight ? answers[nextAnswer] : value).Append(' ');
        nextAnswer++;
    }

    static void Put(string value) {
        if (value != "") Put(Wanted == value, value);
    }

    static void Put(double value) {
        var wanted = Wanted;
        var isRight = wanted != "" && (char.IsDigit(wanted[wanted.Length - 1]) || wanted == "inf") && Parsed(wanted) == value;
        Put(isRight, value.ToString("R", CultureInfo.InvariantCulture));
    }

    static void Put(ulong value) => Put(value.ToString(CultureInfo.InvariantCulture));
    static void Put(ColliderId id) => Put(id.Value);
    static void Put(bool value) => Put(value ? "true" : "false");
    static void Put(Accuracy value) => Put(value == Accuracy.Same ? "" : Accuracies[(int)value]);
    static void Put(Side side) => Put(side.ToString().ToLowerInvariant());
    static void Put(Vec2 at) => Put2(at.X, at.Y);
    static void Put(Point at) => Put2(at.X, at.Y);
    static void Put2(double x, double y) {
        Put(x);
        Put(y);
    }

    static void Put(Rect of) {
        Put2(of.X0, of.Y0);
        Put2(of.X1, of.Y1);
    }

    static void Put(Lent<ColliderId> list) {
        foreach (var id in list) Put(id);
    }

    static void Put(Contact of) {
        Put((ulong)of.Area);
        Put(of.Rect);
        Put(of.Point);
    }

    static void Put(Body body) {
        Put(body.Owner != 0 ? "owner" : "collider");
        Put(body.Owner != 0 ? body.Owner : body.Collider.Value);
    }

    static void Put(Impact of) {
        Put2(of.Step, of.Steps);
        Put(of.Time);
        Put(of.FreeOffset);
        Put(of.ContactOffset);
        Put(of.Normal);
        Put(of.Side);
    }

    static void Put(Hit of) {
        Put(of.Collider);
        Put(of.Position);
        Put(of.Point);
        Put(of.Impact);
    }

    static void Put(LineHit of) {
        Put(of.Collider);
        Put(of.Point);
        Put2(of.Step, of.Steps);
        Put(of.Normal);
    }

    static void Put(Lent<Pair> list) {
        foreach (var pair in list) {
            Put(pair.A);
            Put(pair.B);
        }
    }

    static void Put(Lent<BodyPair> list) {
        foreach (var pair in list) {
            Put(pair.A);
            Put(pair.B);
            Put(pair.PartA);
            Put(pair.PartB);
        }
    }

    static void Put(Mask shown) {
        using (shown) Put(shown.Text().TrimEnd('\n').Replace('\n', '/'));
    }

    static void PutPlaces(ColliderId[] ids) {
        foreach (var at in world.Placements(ids)) {
            Put(at.Position);
            Put(at.Angle);
        }
    }

    static void PutState(ColliderId id) {
        var of = world.Get(id);
        Put2(of.Frame, of.Plane);
        Put(of.Position);
        Put2(of.UseTurn ? of.Turn : of.Angle, of.Scale);
        Put(of.FlipX);
        Put(of.FlipY);
        Put((ulong)of.Layers);
        Put((ulong)of.CollidesWith);
        Put((ulong)of.Owner);
        if (of.MinWidth != 0 || of.MinHeight != 0) Put2(of.MinWidth, of.MinHeight);
        else Put(of.MinOverlap);
        Put(of.Fixed);
        Put(of.Sensor);
        Put(of.Enabled);
        Put(of.Accuracy);
        Put(of.MoveAccuracy);
        Put(world.UserData(id));
    }

    // ---- Calls of several statements. ----

    static void Insert() {
        Keys();
        var id = world.Insert(collider);
        if (userData != null) world.SetUserData(id, userData.Value);
        Put(id);
        PutState(id);
    }

    // Colliders whose sprites and places are lists, or which share a mask.
    static Collider[] Columns(bool hasPlaces) {
        var sprites = IsNext("[") ? Items(Natural) : null;
        if (sprites == null) Next();
        var places = hasPlaces ? Vecs() : new Vec2[0];
        Keys();
        var all = new Collider[sprites == null ? places.Length : sprites.Length];
        for (var i = 0; i < all.Length; i++) {
            all[i] = collider;
            if (sprites != null) all[i].Sprite = new SpriteId(sprites[i]);
            if (places.Length > 0) all[i].Position = places[i];
            if (turns != null) all[i].Turn = (ushort)turns[i];
            if (angles != null) all[i].Angle = (float)angles[i];
            if (scales != null) all[i].Scale = (float)scales[i];
        }
        return all;
    }

    static void InsertAll() {
        var ids = world.InsertAll(Columns(true)).ToArray();
        foreach (var id in ids) {
            if (userData != null) world.SetUserData(id, userData.Value);
            Put(id);
        }
        foreach (var id in ids) PutState(id);
    }

    static void Set() {
        var id = Id();
        collider = world.Get(id);
        Keys();
        world.Set(id, collider);
        if (userData != null) world.SetUserData(id, userData.Value);
        PutState(id);
    }

    static void SetPlacements() {
        ColliderId[] ids = Ids();
        Vec2[] at = Vecs();
        Keys();
        if (turns != null) {
            var turned = new PlacementTurn[ids.Length];
            for (var i = 0; i < ids.Length; i++) turned[i] = new PlacementTurn { X = at[i].X, Y = at[i].Y, Turn = (ushort)turns[i] };
            world.SetPlacementsTurn(ids, turned);
        } else {
            var placed = new Placement[ids.Length];
            for (var i = 0; i < ids.Length; i++) placed[i] = new Placement(at[i], angles == null ? 0 : (float)angles[i]);
            world.SetPlacements(ids, placed);
        }
        PutPlaces(ids);
    }

    static void Rays() {
        Vec2[] from = Vecs(), to = Vecs();
        var ends = new Vec2[2 * from.Length];
        for (var i = 0; i < from.Length; i++) {
            ends[2 * i] = from[i];
            ends[2 * i + 1] = to[i];
        }
        foreach (var hit in world.Rays(ends, Filtered())) Put(hit);
    }

    static void Casts() {
        foreach (var of in world.Casts(Ids(), Vecs())) {
            Put(of.Collider);
            if (of.Collider.IsNone) continue;
            Put(of.Position);
            Put(of.Point);
            Put(of.Impact.Time);
            Put(of.Impact.Normal);
        }
    }

    static KeepCollider Among() {
        Keys();
        return isOdd ? (id, data) => (id.Value & 1) != 0 : (KeepCollider)null;
    }

    static void MoveAndSlide() {
        ColliderId id = Id();
        Vec2 motion = Vec();
        Keys();
        var moved = world.MoveByRules(id, motion, rules);
        Put(moved.Position);
        Put(moved.Translation);
        foreach (var contact in moved.Contacts) {
            Put(contact.Collider);
            Put(contact.Side);
        }
        Put(moved.Passed);
        Put(moved.StuckIn);
    }

    // Columns, with the mover before each item of the others.
    static void MoveAll() {
        ColliderId[] ids = Ids();
        Vec2[] motions = Vecs();
        Keys();
        var moves = world.MoveAll(ids, motions, rules);
        foreach (var moved in moves.Results) {
            Put(moved.Position);
            Put(moved.Translation);
        }
        int contacts = 0, passed = 0, stuck = 0;
        for (var i = 0; i < ids.Length; i++) {
            for (var k = 0; k < moves.Results[i].Contacts; k++, contacts++) {
                Put(ids[i]);
                Put(moves.Contacts[contacts].Collider);
                Put(moves.Contacts[contacts].Side);
            }
        }
        for (var i = 0; i < ids.Length; i++) {
            for (var k = 0; k < moves.Results[i].Passed; k++, passed++) {
                Put(ids[i]);
                Put(moves.Passed[passed]);
            }
        }
        for (var i = 0; i < ids.Length; i++) {
            for (var k = 0; k < moves.Results[i].StuckIn; k++, stuck++) {
                Put(ids[i]);
                Put(moves.StuckIn[stuck]);
            }
        }
    }

    static void Edit(Action<MaskId> edit) {
        var id = MaskId();
        edit(id);
        Put(world.CopyMask(id));
    }

    static void RemoveMask() {
        var id = MaskId();
        Mask shown = null;
        try {
            shown = world.CopyMask(id);
        } catch (HitmaskException) {
        }
        world.RemoveMask(id);
        Put(shown);
    }

    static void PutReport(ReloadReport report) {
        Put((ulong)report.Atlas.Value);
        foreach (var change in report.Changes) Put(change.Sprite);
        foreach (var id in report.Outdated) Put(id);
    }

    static void Rebuild() {
        var atlases = world.Atlases().ToArray().Select(id => world.Atlas(id)).ToArray();
        Become(World.FromSnapshot(atlases, world.Snapshot()));
        foreach (var atlas in atlases) atlas.Dispose();
    }

    static void Become(World made) {
        world?.Dispose();
        world = made;
    }

    static Pair TheirPair() => new Pair(Id(), Id());

    // ---- All calls. ----

    static readonly Dictionary<string, Action> Calls = new Dictionary<string, Action> {
        ["create"] = () => { using (var art = Art()) Become(new World(art)); },
        ["insert"] = Insert,
        ["insert_all"] = InsertAll,
        ["draw_ahead"] = () => Put(world.DrawAhead(Columns(false))),
        ["set"] = Set,
        ["get"] = () => PutState(Id()),
        ["remove"] = () => world.Remove(Id()),
        ["remove_all"] = () => world.RemoveAll(Ids()),
        ["move_to"] = () => { var id = Id(); world.MoveTo(id, Vec()); PutState(id); },
        ["turn_to"] = () => { var id = Id(); world.TurnTo(id, Number()); PutState(id); },
        ["place"] = () => { var id = Id(); world.Place(id, Vec(), Number(), Number()); PutState(id); },
        ["set_placements"] = SetPlacements,
        ["placements"] = () => PutPlaces(Ids()),
        ["set_user_data"] = () => { var id = Id(); world.SetUserData(id, Natural()); PutState(id); },
        ["user_data"] = () => Put(world.UserData(Id())),
        ["ids"] = () => Put(world.Ids()),
        ["count"] = () => Put(world.Count),
        ["rect"] = () => { if (world.TryRect(Id(), out var rect)) Put(rect); },
        ["posed"] = () => { Put(world.PosedMask(Id(), out var origin)); Put(origin); },
        ["set_accuracy"] = () => world.Accuracy = Level(),
        ["accuracy"] = () => Put(world.Accuracy),
        ["set_scale_policy"] = () => world.ScalePolicy = Number(),
        ["scale_policy"] = () => Put(world.ScalePolicy),
        ["validate"] = () => world.Validate(),
        ["state_hash"] = () => Put(world.StateHash()),

        ["update"] = () => world.Update(),
        ["update_with"] = () => {
            var salt = (uint)Natural();
            world.UpdateWith((pair, dataA, dataB) => {
                uint a = unchecked((uint)(pair.A.Value ^ dataA)), b = unchecked((uint)(pair.B.Value ^ dataB));
                return unchecked((a ^ (b << 9 | b >> 23)) * salt) >> 29 != 0;
            });
        },
        ["touching"] = () => Put(world.Touching()),
        ["began"] = () => Put(world.Began()),
        ["ended"] = () => Put(world.Ended()),
        ["stayed"] = () => Put(world.Stayed()),
        ["touching_bodies"] = () => Put(world.TouchingBodies()),
        ["began_bodies"] = () => Put(world.BeganBodies()),
        ["ended_bodies"] = () => Put(world.EndedBodies()),
        ["parts_of"] = () => Put(world.PartsOf((uint)Natural())),
        ["touching_with"] = () => Put(world.TouchingWith(Id())),
        ["touching_between"] = () => Put(world.TouchingBetween(Ids(), Ids())),
        ["contact"] = () => { if (world.TryContact(TheirPair(), out var contact)) Put(contact); },
        ["contact_at"] = () => { if (world.TryContactAt(TheirPair(), Level(), out var contact)) Put(contact); },
        // A call of Python alone.
        ["contacts"] = () => nextAnswer = answers.Count,
        ["overlap"] = () => {
            if (!world.TryOverlap(TheirPair(), out var overlap)) return;
            Put(overlap.Contact);
            Put(overlap.Centroid);
            Put(overlap.Normal);
            Put(overlap.Side);
            Put(overlap.PushOut);
            Put(overlap.Depth);
        },
        ["overlapping_planes"] = () => { foreach (var planes in world.OverlappingPlanes(TheirPair())) Put2(planes.A, planes.B); },
        ["distance"] = () => { if (world.TryDistance(Id(), Id(), out var distance)) Put(distance); },

        ["query_point"] = () => Put(world.QueryPoint(Vec(), Filtered())),
        ["query_rect"] = () => Put(world.QueryRect(Box(), Filtered())),
        ["query_circle"] = () => Put(world.QueryCircle(Vec(), Number(), Filtered())),
        ["query_ellipse"] = () => Put(world.QueryEllipse(Vec(), Number(), Number(), Filtered())),
        ["query_line"] = () => Put(world.QueryLine(Vec(), Vec(), Filtered())),
        ["query_mask"] = () => { using (var card = Card()) Put(world.QueryMask(card, Spot(), Filtered())); },
        ["ray"] = () => { if (world.TryRay(Vec(), Vec(), out var hit, Filtered())) Put(hit); },
        ["ray_all"] = () => { foreach (var hit in world.RayAll(Vec(), Vec(), Filtered())) Put(hit); },
        ["rays"] = Rays,
        ["nearest"] = () => { if (world.TryNearest(Vec(), Number(), out var nearest, Filtered())) PutNearest(nearest); },
        ["nearest_to"] = () => { if (world.TryNearestTo(Id(), Number(), out var nearest, Filtered())) PutNearest(nearest); },
        ["pick"] = () => {
            var (at, radius, order) = (Vec(), Number(), Next() == "data" ? PickOrder.UserData : PickOrder.Slot);
            if (world.TryPick(at, out var id, radius, order, Filtered())) Put(id);
        },
        ["picks"] = () => Put(world.Picks(Vecs(), Number(), PickOrder.Slot, Filtered())),
        ["graze"] = () => {
            foreach (var found in world.Graze(Id(), Number(), Filtered())) {
                Put(found.Collider);
                Put(found.Graze == Graze.Hit ? "hit" : "graze");
            }
        },
        ["nearest_free_offset"] = () => {
            using (var card = Card()) {
                if (world.TryNearestFreeOffset(card, Spot(), Whole(), out var offset, Filtered())) Put(offset);
            }
        },
        ["push_out"] = () => { if (world.TryPushOut(Id(), Number(), out var way)) Put(way); },

        ["cast"] = () => { if (world.TryCast(Id(), Vec(), out var hit, Among())) Put(hit); },
        ["cast_all"] = () => { foreach (var hit in world.CastAll(Id(), Vec(), Among())) Put(hit); },
        ["casts"] = Casts,
        ["cast_mask"] = () => {
            using (var card = Card()) {
                if (!world.TryCastMask(card, Spot(), Spot(), out var hit, Filtered())) return;
                Put(hit.Collider);
                Put(hit.Impact);
            }
        },
        ["cast_mask_all"] = () => {
            using (var card = Card()) {
                foreach (var hit in world.CastMaskAll(card, Spot(), Spot(), Filtered())) {
                    Put(hit.Collider);
                    Put(hit.Impact);
                }
            }
        },
        ["move_until_contact"] = () => { if (world.MoveUntilContact(Id(), Vec(), out var hit)) Put(hit); },
        ["move_and_slide"] = MoveAndSlide,
        ["move_all"] = MoveAll,
        ["cast_body"] = () => { if (world.TryCastBody((uint)Natural(), Vec(), out var hit)) PutBodyHit(hit); },
        ["move_body"] = () => { if (world.MoveBody((uint)Natural(), Vec(), out var hit)) PutBodyHit(hit); },
        ["translate_body"] = () => world.TranslateBody((uint)Natural(), Vec()),

        ["insert_mask"] = () => {
            using (var card = Card()) {
                Keys();
                Put(world.InsertMask(card, pivot).Value);
            }
        },
        ["insert_transformed"] = () => { using (var card = Card()) Put(world.InsertTransformed(card, null, Transform()).Value); },
        ["transform_mask"] = () => Edit(id => world.TransformMask(id, Transform())),
        ["redraw_mask"] = () => Edit(id => { using (var card = Card()) world.RedrawMask(id, card); }),
        ["mask"] = () => Put(world.CopyMask(MaskId())),
        ["replace_mask"] = () => Edit(id => { using (var card = Card()) world.ReplaceMask(id, card); }),
        ["invert_mask"] = () => Edit(id => {
            using (var full = world.CopyMask(id)) {
                full.Fill();
                world.Blit(id, full, (0, 0), BlitOperation.Toggle);
            }
        }),
        ["fill_rect"] = () => Edit(id => world.FillRect(id, Box(), Flag())),
        ["fill_disc"] = () => Edit(id => world.FillDisc(id, Spot(), Whole(), Flag())),
        ["draw_mask"] = () => Edit(id => {
            using (var card = Card()) world.Blit(id, card, Spot(), Flag() ? BlitOperation.Draw : BlitOperation.Erase);
        }),
        ["remove_mask"] = RemoveMask,

        ["add_atlas"] = () => { using (var art = Art()) Put((ulong)world.AddAtlas(art).Value); },
        ["drop_atlas"] = () => {
            var id = new AtlasId((uint)Natural());
            Keys();
            if (isSet) Put(world.DropAtlasAndColliders(id));
            else world.DropAtlas(id);
        },
        ["replace_atlas"] = () => {
            var id = new AtlasId((uint)Natural());
            using (var art = Art()) PutReport(world.ReplaceAtlas(id, art));
        },
        ["save"] = () => saved = world.Snapshot().ToArray(),
        ["load"] = () => world.Restore(saved),
        ["copy"] = () => Become(world.Clone()),
        ["rebuild"] = Rebuild,
    };

    static void PutNearest(Nearest nearest) {
        Put(nearest.Collider);
        Put(nearest.Distance);
    }

    static void PutBodyHit(BodyHit hit) {
        Put(hit.Part);
        Put(hit.Body);
        Put(hit.Hit);
    }

    static void Run(string path, HashSet<string> called) {
        var number = 0;
        foreach (var line in File.ReadLines(path)) {
            var at = line.IndexOf(" => ", StringComparison.Ordinal);
            string call = line.Substring(0, at), answer = line.Substring(at + 4), refusal = null;
            tokens = Split(call, true);
            answers = Split(answer, false);
            next = 1;
            nextAnswer = 0;
            isSame = true;
            got.Clear();
            collider = new Collider(default(SpriteId));
            filter = new Filter();
            rules = new MoveRules();
            pivot = null;
            turns = angles = scales = null;
            userData = null;
            isOdd = isSet = false;
            called.Add(tokens[0]);
            try {
                Calls[tokens[0]]();
            } catch (HitmaskException refused) {
                refusal = refused.Message;
                Put("refused");
            }
            number++;
            checks++;
            if (!isSame || nextAnswer != answers.Count || refusal != null != (answer == "refused")) {
                throw new Exception(path + ", line " + number + ": " + call + "\n  expected " + answer + "\n  got      " + got + refusal);
            }
        }
    }

    static void Main(string[] arguments) {
        folder = arguments[0];
        var called = new HashSet<string>();
        foreach (var path in arguments.Skip(1)) Run(path, called);
        var never = Calls.Keys.Where(name => !called.Contains(name)).ToArray();
        if (arguments.Length < 2 || never.Length > 0) throw new Exception("no trace calls " + string.Join(", ", never));
        world.Dispose();
        Console.WriteLine(checks + " checks");
    }
}
