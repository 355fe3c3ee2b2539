// The types of hitmask, and its functions as they are in C. Generated from hitmask.h by tools/capi/header.
using System;
using System.Runtime.InteropServices;
using Hitmask.Native;

namespace Hitmask {
    /// <summary>The result of a call. Ok is 0. None is an answer and no error: there is no such thing. All others are errors: the call has changed nothing, and HitmaskException() says why.</summary>
    public enum Status {
        /// <summary>The call succeeded.</summary>
        Ok = 0,
        /// <summary>The call succeeded, and the answer is that there is none: no hit, no contact, no such name. The out parameter holds zeros.</summary>
        None = 1,
        /// <summary>A pointer that must not be null is null.</summary>
        NullPointer = 2,
        /// <summary>A pointer is not aligned to the type that it points to.</summary>
        BadPointer = 3,
        /// <summary>A length is larger than any memory, or does not fit the other arguments.</summary>
        BadLength = 4,
        /// <summary>The caller's buffer is too small. It was left as it was.</summary>
        BufferTooSmall = 5,
        /// <summary>A text has no NUL among its first 4096 bytes, or is not UTF-8.</summary>
        BadText = 6,
        /// <summary>A handle is null.</summary>
        NullHandle = 7,
        /// <summary>A pointer is no handle of this library.</summary>
        BadHandle = 8,
        /// <summary>A handle was destroyed.</summary>
        StaleHandle = 9,
        /// <summary>A handle is of another type, as a mask where a world is expected.</summary>
        WrongHandle = 10,
        /// <summary>Another thread is inside a call with this object, or the call comes from a callback that runs inside such a call.</summary>
        Busy = 11,
        /// <summary>The library had an internal error. It is a bug of hitmask: please report the message.</summary>
        Panic = 12,
        /// <summary>An earlier call on this world or baker returned Panic. Only its destruction is allowed.</summary>
        Poisoned = 13,
        /// <summary>A struct was not filled by its new ...() function.</summary>
        Uninitialised = 14,
        /// <summary>An argument has a value that the function does not know, such as accuracy 9.</summary>
        BadValue = 15,
        /// <summary>A position, radius, angle, direction or scale is not finite or out of range.</summary>
        BadNumber = 16,
        /// <summary>The id of a collider or of a run-time mask is 0 or stale.</summary>
        StaleId = 17,
        /// <summary>The atlas has no such sprite, frame, plane or map.</summary>
        UnknownSprite = 18,
        /// <summary>The sprite is not baked near this scale.</summary>
        UnbakedScale = 19,
        /// <summary>No collider has this owner.</summary>
        UnknownOwner = 20,
        /// <summary>A run-time mask is shown with a frame, an angle, a scale or a flip; or is in use; or has no source to be drawn from.</summary>
        MaskUse = 21,
        /// <summary>The world, or the table of handles, is full.</summary>
        Full = 22,
        /// <summary>A file cannot be read.</summary>
        Io = 23,
        /// <summary>The bytes are no atlas, or one of another version.</summary>
        NotAnAtlas = 24,
        /// <summary>The atlas or the snapshot is damaged.</summary>
        Damaged = 25,
        /// <summary>The atlas would take more memory or time to draw than the limits allow.</summary>
        OverLimit = 26,
        /// <summary>The snapshot is no snapshot, or belongs to another atlas or version.</summary>
        NotASnapshot = 27,
        /// <summary>A mask is too large, or its text or pixels are malformed.</summary>
        BadMask = 28,
        /// <summary>The bake failed.</summary>
        Bake = 29,
        /// <summary>The world breaks one of its invariants. It is a bug of hitmask.</summary>
        InvalidWorld = 30,
        /// <summary>This build of the library leaves the function out, as files in a browser.</summary>
        Unsupported = 31,
        /// <summary>The world has colliders and was never updated, so no pair is known yet.</summary>
        NotUpdated = 32,
        /// <summary>The world has no atlas with this id.</summary>
        UnknownAtlas = 33,
        /// <summary>The atlas cannot be added, dropped or replaced: it is in use, the only one, of another resolution, or its id is taken.</summary>
        AtlasUse = 34,
    }
    /// <summary>The id of a sprite in one atlas. 0 is no sprite. Do not store it in files: store names.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct SpriteId : IEquatable<SpriteId> {
        /// <summary>The number, which is 0 for none.</summary>
        public readonly ulong Value;
        /// <summary>Makes an id of a number that was kept.</summary>
        public SpriteId(ulong value) { Value = value; }
        /// <summary>True for 0, which names nothing.</summary>
        public bool IsNone => Value == 0;
        /// <inheritdoc/>
        public bool Equals(SpriteId other) => Value == other.Value;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is SpriteId id && Equals(id);
        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => "SpriteId(" + Value + ")";
        /// <summary>Says whether two ids are equal.</summary>
        public static bool operator ==(SpriteId a, SpriteId b) => a.Value == b.Value;
        /// <summary>Says whether two ids differ.</summary>
        public static bool operator !=(SpriteId a, SpriteId b) => a.Value != b.Value;
    }
    /// <summary>The id of a run-time mask in one world. 0 is no mask.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct MaskId : IEquatable<MaskId> {
        /// <summary>The number, which is 0 for none.</summary>
        public readonly ulong Value;
        /// <summary>Makes an id of a number that was kept.</summary>
        public MaskId(ulong value) { Value = value; }
        /// <summary>True for 0, which names nothing.</summary>
        public bool IsNone => Value == 0;
        /// <inheritdoc/>
        public bool Equals(MaskId other) => Value == other.Value;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is MaskId id && Equals(id);
        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => "MaskId(" + Value + ")";
        /// <summary>Says whether two ids are equal.</summary>
        public static bool operator ==(MaskId a, MaskId b) => a.Value == b.Value;
        /// <summary>Says whether two ids differ.</summary>
        public static bool operator !=(MaskId a, MaskId b) => a.Value != b.Value;
    }
    /// <summary>A sprite or a run-time mask placed in the world. Fill it with new Collider(), then set what differs.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Collider {
        /// <summary>Set by new Collider(); do not change it.</summary>
        internal uint cookie;
        /// <summary>The compound that the collider belongs to, or 0 for none. Colliders with the same owner never touch or block each other.</summary>
        public uint Owner;
        /// <summary>The sprite, or 0 if `mask` is given.</summary>
        public SpriteId Sprite;
        /// <summary>The run-time mask, or 0 if `sprite` is given. A run-time mask has one pose, so frame, plane, angle, scale and flips must keep their defaults.</summary>
        public MaskId Mask;
        /// <summary>The frame of the sprite, from 0.</summary>
        public int Frame;
        /// <summary>The plane of the frame, from 0: see Atlas.TryPlane().</summary>
        public int Plane;
        /// <summary>The position of the pivot in pixels, to the right. The pivot is the centre of the image unless the bake has set another. The position snaps to the nearest mask pixel, and must be within 1e9 mask pixels of 0.</summary>
        public float X;
        /// <summary>The position of the pivot in pixels, down.</summary>
        public float Y;
        /// <summary>The rotation about the pivot in radians, clockwise on screen. Ignored if `useTurn` is set.</summary>
        public float Angle;
        /// <summary>The scale relative to the image. Default 1.</summary>
        public float Scale;
        /// <summary>Layers of the collider, 1 bit each. Default: the lowest bit.</summary>
        public uint Layers;
        /// <summary>Layers that the collider can touch. Default: all. A pair can touch only if each collider is on a layer that the other can touch.</summary>
        public uint CollidesWith;
        /// <summary>The least overlap that counts as touching, in pixels of area. 0 is the default: any pixel. Ignored if `minWidth` or `minHeight` is not 0.</summary>
        public int MinOverlap;
        /// <summary>The least width of the overlap, in pixels; 0 for none.</summary>
        public int MinWidth;
        /// <summary>The least height of the overlap, in pixels; 0 for none.</summary>
        public int MinHeight;
        /// <summary>The rotation in 65,536ths of a turn, if `useTurn` is set.</summary>
        public ushort Turn;
        byte use_turn;
        /// <summary>True if `turn` holds the rotation instead of `angle`.</summary>
        public bool UseTurn { get => use_turn != 0; set => use_turn = value ? (byte)1 : (byte)0; }
        byte flip_x;
        /// <summary>True to mirror left and right, before the rotation.</summary>
        public bool FlipX { get => flip_x != 0; set => flip_x = value ? (byte)1 : (byte)0; }
        byte flip_y;
        /// <summary>True to mirror top and bottom, before the rotation.</summary>
        public bool FlipY { get => flip_y != 0; set => flip_y = value ? (byte)1 : (byte)0; }
        byte @fixed;
        /// <summary>True if the collider never or seldom moves. Fixed colliders do not touch each other.</summary>
        public bool Fixed { get => @fixed != 0; set => @fixed = value ? (byte)1 : (byte)0; }
        byte sensor;
        /// <summary>True if the collider reports touches without blocking moves.</summary>
        public bool Sensor { get => sensor != 0; set => sensor = value ? (byte)1 : (byte)0; }
        byte enabled;
        /// <summary>False to take no part: it keeps its id, but touches and blocks nothing and is found by no query.</summary>
        public bool Enabled { get => enabled != 0; set => enabled = value ? (byte)1 : (byte)0; }
        /// <summary>The accuracy for touching. Default Accuracy.Exact.</summary>
        public Accuracy Accuracy;
        /// <summary>The accuracy for moves and casts. Default Accuracy.Same.</summary>
        public Accuracy MoveAccuracy;
        /// <summary>0.</summary>
        internal ushort reserved;
    }
    /// <summary>The id of a collider in one world. 0 is no collider. An id of a removed collider is stale: it never names the collider that reuses its slot. The lower 32 bits are the slot, counted from 0, which can index arrays of your own.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct ColliderId : IEquatable<ColliderId> {
        /// <summary>The number, which is 0 for none.</summary>
        public readonly ulong Value;
        /// <summary>Makes an id of a number that was kept.</summary>
        public ColliderId(ulong value) { Value = value; }
        /// <summary>True for 0, which names nothing.</summary>
        public bool IsNone => Value == 0;
        /// <inheritdoc/>
        public bool Equals(ColliderId other) => Value == other.Value;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is ColliderId id && Equals(id);
        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => "ColliderId(" + Value + ")";
        /// <summary>Says whether two ids are equal.</summary>
        public static bool operator ==(ColliderId a, ColliderId b) => a.Value == b.Value;
        /// <summary>Says whether two ids differ.</summary>
        public static bool operator !=(ColliderId a, ColliderId b) => a.Value != b.Value;
    }
    /// <summary>The position and the angle of a collider: what usually changes from tick to tick. The library reads arrays of it in place.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Placement {
        /// <summary>The position of the pivot in pixels, to the right.</summary>
        public float X;
        /// <summary>The position of the pivot in pixels, down.</summary>
        public float Y;
        /// <summary>The rotation about the pivot in radians, clockwise on screen.</summary>
        public float Angle;
    }
    /// <summary>The position and the angle of a collider, the angle as an exact part of a turn.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct PlacementTurn {
        /// <summary>The position of the pivot in pixels, to the right.</summary>
        public float X;
        /// <summary>The position of the pivot in pixels, down.</summary>
        public float Y;
        /// <summary>The rotation about the pivot in 65,536ths of a turn, clockwise on screen.</summary>
        public ushort Turn;
        /// <summary>0.</summary>
        internal ushort reserved;
    }
    /// <summary>A rectangle of mask pixels, from (x0, y0) up to but without (x1, y1). Empty if x0 &gt;= x1 or y0 &gt;= y1.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Rect {
        /// <summary>The first column.</summary>
        public int X0;
        /// <summary>The first row.</summary>
        public int Y0;
        /// <summary>The column after the last.</summary>
        public int X1;
        /// <summary>The row after the last.</summary>
        public int Y1;
    }
    /// <summary>A whole-number point or translation in mask pixels: x right, y down.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Point {
        /// <summary>To the right.</summary>
        public int X;
        /// <summary>Down.</summary>
        public int Y;
    }
    /// <summary>The colliders that a query considers. A null pointer to it means all.</summary>
    public sealed unsafe class Filter {
        /// <summary>A collider to leave out, usually the one that asks; or 0.</summary>
        public ColliderId Except;
        /// <summary>Colliders on at least one of these layers, 1 bit each. Default: all.</summary>
        public uint Layers;
        /// <summary>False to leave out sensors. Default true.</summary>
        public bool Sensors;
        /// <summary>Accuracy.Box to test the tight boxes of colliders, else their pixels are tested.</summary>
        public Accuracy Accuracy;
        readonly hm_filter defaults;
        /// <summary>Makes options with the defaults.</summary>
        public Filter() {
            Library.Check();
            var native = defaults = Hm.hm_default_filter();
            Except = native.except;
            Layers = native.layers;
            Sensors = native.sensors != 0;
            Accuracy = native.accuracy;
        }
        internal hm_filter Native() {
            var native = defaults;
            native.except = Except;
            native.layers = Layers;
            native.sensors = Sensors ? (byte)1 : (byte)0;
            native.accuracy = Accuracy;
            return native;
        }
    }
    /// <summary>Two colliders that touch; `a` has the lower slot.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Pair {
        /// <summary>The collider of lower slot.</summary>
        public ColliderId A;
        /// <summary>The collider of higher slot.</summary>
        public ColliderId B;
    }
    /// <summary>A point or a direction in pixels: x right, y down.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Vec2 {
        /// <summary>To the right.</summary>
        public float X;
        /// <summary>Down.</summary>
        public float Y;
    }
    /// <summary>The overlap of two masks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Contact {
        /// <summary>The number of shared pixels.</summary>
        public long Area;
        /// <summary>The tight box of the shared pixels.</summary>
        public Rect Rect;
        /// <summary>The first shared pixel: of the top row, the leftmost.</summary>
        public Point Point;
    }
    /// <summary>The details of an overlap of two colliders, or of two masks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Overlap {
        /// <summary>Area, tight box and first pixel of the overlap.</summary>
        public Contact Contact;
        /// <summary>The centre of the shared pixels, in mask pixels.</summary>
        public Vec2 Centroid;
        /// <summary>The surface normal, of length 1, from `b` to `a`.</summary>
        public Vec2 Normal;
        /// <summary>The shortest translation of `a` that ends the overlap, in mask pixels.</summary>
        public Point PushOut;
        /// <summary>The length of `pushOut`, in mask pixels.</summary>
        public float Depth;
        /// <summary>The side of `b` as seen from `a`.</summary>
        public Side Side;
    }
    /// <summary>Two planes that overlap, one of each collider of a pair.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct PlanePair {
        /// <summary>The plane of the first collider.</summary>
        public int A;
        /// <summary>The plane of the second collider.</summary>
        public int B;
    }
    /// <summary>A collider that a ray hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LineHit {
        /// <summary>The collider that is hit.</summary>
        public ColliderId Collider;
        /// <summary>The first pixel of the line that the collider has too, in mask pixels.</summary>
        public Point Point;
        /// <summary>The step of the line at which that pixel is, from 0.</summary>
        public int Step;
        /// <summary>The steps of the whole line.</summary>
        public int Steps;
        /// <summary>The surface normal at that pixel, of length 1, out of the collider.</summary>
        public Vec2 Normal;
    }
    /// <summary>A collider and its distance.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Nearest {
        /// <summary>The collider.</summary>
        public ColliderId Collider;
        /// <summary>The distance in pixels.</summary>
        public double Distance;
    }
    /// <summary>A collider that is touched or grazed.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Grazed {
        /// <summary>The collider.</summary>
        public ColliderId Collider;
        /// <summary>Graze.Near or Graze.Hit.</summary>
        public Graze Graze;
        /// <summary>0.</summary>
        internal int reserved;
    }
    /// <summary>The rules of a character move.</summary>
    public sealed unsafe class MoveRules {
        /// <summary>Pixels that the collider may step up per pixel sideways. 1 climbs slopes of 45 degrees, 0 none. Default 1.</summary>
        public int Climb;
        /// <summary>Pixels that the collider may slip to a free side per pixel of motion, as top-down games need. Default 0.</summary>
        public int Slip;
        /// <summary>Layers whose colliders block only motion that comes down on them: platforms to jump through. Default 0.</summary>
        public uint OneWay;
        /// <summary>The largest distance in mask pixels by which a one-way platform may rise into a mover between two moves and still raise it. Default 2.</summary>
        public int Rise;
        readonly hm_move_rules defaults;
        /// <summary>Makes options with the defaults.</summary>
        public MoveRules() {
            Library.Check();
            var native = defaults = Hm.hm_default_move_rules();
            Climb = (int)native.climb;
            Slip = (int)native.slip;
            OneWay = native.one_way;
            Rise = (int)native.rise;
        }
        internal hm_move_rules Native() {
            var native = defaults;
            native.climb = (uint)Climb;
            native.slip = (uint)Slip;
            native.one_way = OneWay;
            native.rise = (uint)Rise;
            return native;
        }
    }
    /// <summary>The first contact of a motion with one obstacle.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Impact {
        /// <summary>The step at which the two touch first: 0 if they overlap at the start. A step is one pixel on the longer axis of the motion.</summary>
        public int Step;
        /// <summary>The steps of the whole motion.</summary>
        public int Steps;
        /// <summary>The last free translation, in mask pixels.</summary>
        public Point FreeOffset;
        /// <summary>The translation at which the two touch, in mask pixels.</summary>
        public Point ContactOffset;
        /// <summary>The surface normal at the contact, of length 1, from the obstacle to what moves.</summary>
        public Vec2 Normal;
        /// <summary>The fraction of the motion that is free, from 0 to 1.</summary>
        public float Time;
        /// <summary>The side of the obstacle as seen from what moves.</summary>
        public Side Side;
    }
    /// <summary>A collider that a motion hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Hit {
        /// <summary>The collider that is hit.</summary>
        public ColliderId Collider;
        /// <summary>Where the mover ends: its position at the last free pixel, in pixels. (0, 0) for the casts of masks, which have no position.</summary>
        public Vec2 Position;
        /// <summary>The top-left corner of the first pixel that both have, in pixels: where a shell carves, or an effect appears. A sprite of one pixel with its pivot there covers that pixel.</summary>
        public Vec2 Point;
        /// <summary>The contact.</summary>
        public Impact Impact;
    }
    /// <summary>The result of one move of World.MoveAll().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Moved {
        /// <summary>The new position of the collider, in pixels.</summary>
        public Vec2 Position;
        /// <summary>The distance moved, in mask pixels.</summary>
        public Point Translation;
        /// <summary>The number of its contacts.</summary>
        public int Contacts;
        /// <summary>The number of sensors that it touched on its way.</summary>
        public int Passed;
        /// <summary>The number of obstacles that it still overlaps.</summary>
        public int StuckIn;
    }
    /// <summary>An obstacle that ended a part of a move.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Blocked {
        /// <summary>The obstacle.</summary>
        public ColliderId Collider;
        /// <summary>Its side as seen from the mover: Side.Below for a floor.</summary>
        public Side Side;
        /// <summary>0.</summary>
        internal int reserved;
    }
    /// <summary>One object: all colliders of an owner, or a collider without an owner. Collider.Owner names the body of a collider.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Body {
        /// <summary>The collider, or 0 if the body is that of an owner.</summary>
        public ColliderId Collider;
        /// <summary>The owner, or 0 if the body is a single collider.</summary>
        public uint Owner;
        /// <summary>0.</summary>
        internal int reserved;
    }
    /// <summary>Two bodies that touch, and the parts by which they do.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct BodyPair {
        /// <summary>The lesser body: owners come before single colliders.</summary>
        public Body A;
        /// <summary>The greater body.</summary>
        public Body B;
        /// <summary>A part of `a` that touches `partB`.</summary>
        public ColliderId PartA;
        /// <summary>A part of `b`.</summary>
        public ColliderId PartB;
    }
    /// <summary>The first collider that the motion of a body hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct BodyHit {
        /// <summary>The part that hits.</summary>
        public ColliderId Part;
        /// <summary>The body that is hit.</summary>
        public Body Body;
        /// <summary>The collider that is hit, and the position of the part at its last free pixel.</summary>
        public Hit Hit;
    }
    /// <summary>A pivot in half-texels from the top left corner of a mask: (1, 1) is the centre of its first pixel. It may be outside the mask. A null pointer to it means the centre of the mask.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Pivot {
        /// <summary>Half-texels to the right.</summary>
        public int X2;
        /// <summary>Half-texels down.</summary>
        public int Y2;
    }
    /// <summary>A transform of the plane: (x, y) becomes (a x + c y + tx, b x + d y + ty).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Affine {
        /// <summary>x to x.</summary>
        public double A;
        /// <summary>x to y.</summary>
        public double B;
        /// <summary>y to x.</summary>
        public double C;
        /// <summary>y to y.</summary>
        public double D;
        /// <summary>Translation to the right, in pixels.</summary>
        public double Tx;
        /// <summary>Translation down, in pixels.</summary>
        public double Ty;
    }
    /// <summary>Limits on what opening an atlas may draw. A compact atlas of a few hundred bytes can state settings that take gigabytes to draw.</summary>
    public sealed unsafe class AtlasLimits {
        /// <summary>The largest size of a drawn atlas in bytes. Default 2^30.</summary>
        public long MaxBytes;
        /// <summary>The largest number of drawn poses. Default 2^23.</summary>
        public long MaxPoses;
        /// <summary>The largest number of samples, which limits the time. Default 2^33.</summary>
        public long MaxSamples;
        readonly hm_atlas_limits defaults;
        /// <summary>Makes options with the defaults.</summary>
        public AtlasLimits() {
            Library.Check();
            var native = defaults = Hm.hm_default_atlas_limits();
            MaxBytes = (long)native.max_bytes;
            MaxPoses = (long)native.max_poses;
            MaxSamples = (long)native.max_samples;
        }
        internal hm_atlas_limits Native() {
            var native = defaults;
            native.max_bytes = (ulong)MaxBytes;
            native.max_poses = (ulong)MaxPoses;
            native.max_samples = (ulong)MaxSamples;
            return native;
        }
    }
    /// <summary>A range of colours: each of red, green, blue and alpha from a lowest to a highest value, both included.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ColorRange {
        /// <summary>The lowest red, green, blue and alpha.</summary>
        internal byte from_0, from_1, from_2, from_3;
        /// <summary>The highest red, green, blue and alpha.</summary>
        internal byte to_0, to_1, to_2, to_3;
    }
    /// <summary>A size in pixels.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Size {
        /// <summary>Columns.</summary>
        public int Width;
        /// <summary>Rows.</summary>
        public int Height;
    }
    /// <summary>The id of an atlas, which depends on the names, the settings and the masks of its sprites. A game can tell by it whether two players have the same atlas. Sprite ids carry it. 0 is no atlas.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct AtlasId : IEquatable<AtlasId> {
        /// <summary>The number, which is 0 for none.</summary>
        public readonly uint Value;
        /// <summary>Makes an id of a number that was kept.</summary>
        public AtlasId(uint value) { Value = value; }
        /// <summary>True for 0, which names nothing.</summary>
        public bool IsNone => Value == 0;
        /// <inheritdoc/>
        public bool Equals(AtlasId other) => Value == other.Value;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is AtlasId id && Equals(id);
        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => "AtlasId(" + Value + ")";
        /// <summary>Says whether two ids are equal.</summary>
        public static bool operator ==(AtlasId a, AtlasId b) => a.Value == b.Value;
        /// <summary>Says whether two ids differ.</summary>
        public static bool operator !=(AtlasId a, AtlasId b) => a.Value != b.Value;
    }
    /// <summary>The figures of World.PoseStats().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct PoseStats {
        /// <summary>The number of poses that are drawn at present, shown or not.</summary>
        public long Poses;
        /// <summary>The bytes of their masks, with unused gaps between them.</summary>
        public long Bytes;
        /// <summary>The number of poses drawn since the last update.</summary>
        public long Draws;
    }
    /// <summary>A connected part of a mask.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Component {
        /// <summary>The number of its pixels.</summary>
        public long Area;
        /// <summary>Its tight box.</summary>
        public Rect Rect;
    }
    /// <summary>What a shape shall be like.</summary>
    public sealed unsafe class ShapeOptions {
        /// <summary>The greatest distance between the exact border and that of the shape, in pixels, either way: 0.1 to 32767. Default 1.</summary>
        public float MaxError;
        /// <summary>On which side the shape may be. Default Fit.Nearest.</summary>
        public Fit Fit;
        /// <summary>Islands and holes of fewer pixels are left out. Default 0.</summary>
        public int MinArea;
        /// <summary>The most corners of a piece, from 3. Default 8, as Box2D takes.</summary>
        public int MaxCorners;
        /// <summary>The least width of a piece in output units. Thinner ones are left out. Default 0.02.</summary>
        public float MinWidth;
        /// <summary>Output units per pixel, such as metres per pixel. Default 1.</summary>
        public float Scale;
        /// <summary>True if output y runs up. Default false.</summary>
        public bool YUp;
        /// <summary>The origin of the output, in pixels from the top left corner of the mask, or from the pivot of the sprite. Default (0, 0).</summary>
        public Vec2 Origin;
        readonly hm_shape_options defaults;
        /// <summary>Makes options with the defaults.</summary>
        public ShapeOptions() {
            Library.Check();
            var native = defaults = Hm.hm_default_shape_options();
            MaxError = native.max_error;
            Fit = native.fit;
            MinArea = (int)native.min_area;
            MaxCorners = (int)native.max_corners;
            MinWidth = native.min_width;
            Scale = native.scale;
            YUp = native.y_up != 0;
            Origin = native.origin;
        }
        internal hm_shape_options Native() {
            var native = defaults;
            native.max_error = MaxError;
            native.fit = Fit;
            native.min_area = (uint)MinArea;
            native.max_corners = (uint)MaxCorners;
            native.min_width = MinWidth;
            native.scale = Scale;
            native.y_up = YUp ? (byte)1 : (byte)0;
            native.origin = Origin;
            return native;
        }
    }
    /// <summary>Area, centroid and moment of inertia of a shape, in output units, for a density of 1.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Mass {
        /// <summary>The area.</summary>
        public double Area;
        /// <summary>The centroid, to the right; 0 where the area is 0.</summary>
        public double CentroidX;
        /// <summary>The centroid, along y.</summary>
        public double CentroidY;
        /// <summary>The moment of inertia about the centroid.</summary>
        public double Inertia;
    }
    /// <summary>The pieces that were left out because they are thinner than ShapeOptions.MinWidth.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ThinPieces {
        /// <summary>Their area in square output units.</summary>
        public double Area;
        /// <summary>Their number.</summary>
        public int Count;
        /// <summary>0.</summary>
        internal int reserved;
    }
    /// <summary>A cell of a shape grid.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ShapeCell {
        /// <summary>The pixels of the cell.</summary>
        public Rect Rect;
        /// <summary>The number of updates that changed the cell.</summary>
        public int Version;
        /// <summary>The number of islands that min_area left out.</summary>
        public int IslandsLeftOut;
        /// <summary>The number of holes that min_area left out.</summary>
        public int HolesLeftOut;
    }
    /// <summary>The id of a stored pose of one atlas, upright or upside down. 0 is no pose. It does not carry its atlas: with another one it names another pose, or none.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PoseId : IEquatable<PoseId> {
        /// <summary>The number, which is 0 for none.</summary>
        public readonly ulong Value;
        /// <summary>Makes an id of a number that was kept.</summary>
        public PoseId(ulong value) { Value = value; }
        /// <summary>True for 0, which names nothing.</summary>
        public bool IsNone => Value == 0;
        /// <inheritdoc/>
        public bool Equals(PoseId other) => Value == other.Value;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is PoseId id && Equals(id);
        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => "PoseId(" + Value + ")";
        /// <summary>Says whether two ids are equal.</summary>
        public static bool operator ==(PoseId a, PoseId b) => a.Value == b.Value;
        /// <summary>Says whether two ids differ.</summary>
        public static bool operator !=(PoseId a, PoseId b) => a.Value != b.Value;
    }
    /// <summary>Two poses of an atlas, and the offset of the second.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct PosePair {
        /// <summary>The first pose. The top left pixel of its mask is at (0, 0).</summary>
        public PoseId A;
        /// <summary>The second pose.</summary>
        public PoseId B;
        /// <summary>The top left pixel of the second mask.</summary>
        public Point At;
    }
    /// <summary>How closely pairs are tested: Accuracy.Box, Accuracy.Coarse or Accuracy.Exact.</summary>
    public enum Accuracy : byte {
        /// <summary>The tight boxes of the pixels decide.</summary>
        Box = 0,
        /// <summary>Coarse masks of 8 x 8 pixels decide where they can, for large sprites.</summary>
        Coarse = 1,
        /// <summary>Pixels decide. The default.</summary>
        Exact = 2,
        /// <summary>For Collider.MoveAccuracy: the accuracy for touching. The default.</summary>
        Same = 255,
    }
    /// <summary>How the value of the channel is compared with TexelRule.Alpha.</summary>
    public enum AlphaTest : byte {
        /// <summary>Solid if the value is at least `alpha`. The default.</summary>
        AtLeast = 0,
        /// <summary>Solid if the value is greater than `alpha`.</summary>
        Above = 1,
        /// <summary>Solid if all bits of `alpha` are set in the value.</summary>
        Bits = 2,
    }
    /// <summary>How a mask is drawn on another one.</summary>
    public enum BlitOperation : uint {
        /// <summary>Sets the pixels that are set in the other mask.</summary>
        Draw = 0,
        /// <summary>Clears the pixels that are set in the other mask.</summary>
        Erase = 1,
        /// <summary>Toggles the pixels that are set in the other mask.</summary>
        Toggle = 2,
        /// <summary>Clears the pixels that are not set in the other mask, also those outside of it.</summary>
        Intersect = 3,
    }
    /// <summary>Whether coarse masks decide about a pair: a byte of Batch.Coarse().</summary>
    public enum Certainty : byte {
        /// <summary>No pixel is shared.</summary>
        No = 0,
        /// <summary>Coarse masks cannot decide.</summary>
        Maybe = 1,
        /// <summary>A pixel is shared.</summary>
        Yes = 2,
    }
    /// <summary>The channel of an image that decides.</summary>
    public enum Channel : byte {
        /// <summary>The fourth byte of a pixel. The default.</summary>
        Alpha = 0,
        /// <summary>The first byte.</summary>
        Red = 1,
        /// <summary>The second byte.</summary>
        Green = 2,
        /// <summary>The third byte.</summary>
        Blue = 3,
    }
    /// <summary>Which pixels are connected: 4 or 8 neighbours.</summary>
    public enum Connectivity : uint {
        /// <summary>Pixels that share an edge.</summary>
        Four = 4,
        /// <summary>Pixels that share an edge or a corner.</summary>
        Eight = 8,
    }
    /// <summary>On which side of the exact border of the pixels a shape may be.</summary>
    public enum Fit : uint {
        /// <summary>On either side. It takes the fewest corners. The default.</summary>
        Nearest = 0,
        /// <summary>The shape covers every set pixel.</summary>
        Outside = 1,
        /// <summary>The shape covers no clear pixel.</summary>
        Inside = 2,
    }
    /// <summary>How near another collider is.</summary>
    public enum Graze : uint {
        /// <summary>The pixels are farther apart than the radius.</summary>
        Clear = 0,
        /// <summary>The pixels do not touch, and are within the radius.</summary>
        Near = 1,
        /// <summary>The pixels touch.</summary>
        Hit = 2,
    }
    /// <summary>The shape by which a mask grows.</summary>
    public enum GrowShape : uint {
        /// <summary>Grows by a disc: to all pixels whose centre is at most the radius away.</summary>
        Disc = 0,
        /// <summary>Grows by a square: by the radius along each axis.</summary>
        Square = 1,
    }
    /// <summary>The kind of a message of the log.</summary>
    public enum LogLevel : uint {
        /// <summary>A probable mistake, such as a sprite without pixels.</summary>
        Warning = 1,
        /// <summary>A finding that needs no action as a rule, such as two equal sprites.</summary>
        Hint = 2,
    }
    /// <summary>What decides among several colliders under a pointer.</summary>
    public enum PickOrder : uint {
        /// <summary>The highest slot wins.</summary>
        Slot = 0,
        /// <summary>The largest number of World.SetUserData() wins, as unsigned number: a height. Among equals the highest slot wins.</summary>
        UserData = 1,
    }
    /// <summary>How a pixel of a turned or scaled mask is decided.</summary>
    public enum Sampling : uint {
        /// <summary>The texel under the pixel's centre decides, as a renderer with nearest filtering draws.</summary>
        Nearest = 0,
        /// <summary>4 of 16 samples decide. Keeps thin lines in one piece; baking takes about 10 times as long.</summary>
        Coverage25 = 1,
    }
    /// <summary>Which shared pixel is the first.</summary>
    public enum ScanOrder : uint {
        /// <summary>The topmost pixel; of these, the leftmost.</summary>
        Top = 0,
        /// <summary>The bottommost pixel; of these, the leftmost.</summary>
        Bottom = 1,
        /// <summary>The leftmost pixel; of these, the topmost.</summary>
        Left = 2,
        /// <summary>The rightmost pixel; of these, the topmost.</summary>
        Right = 3,
    }
    /// <summary>A side of an obstacle, as seen from what moves.</summary>
    public enum Side : uint {
        /// <summary>The obstacle is below: a floor.</summary>
        Below = 0,
        /// <summary>The obstacle is above: a ceiling.</summary>
        Above = 1,
        /// <summary>The obstacle is on the left.</summary>
        Left = 2,
        /// <summary>The obstacle is on the right.</summary>
        Right = 3,
    }
    /// <summary>What happened to a sprite when an atlas was replaced.</summary>
    public enum SpriteChangeKind : uint {
        /// <summary>Only the new atlas has the sprite.</summary>
        Added = 0,
        /// <summary>Only the earlier atlas has the sprite.</summary>
        Vanished = 1,
        /// <summary>The images of the sprite differ in number or size, or it lost a plane.</summary>
        Changed = 2,
    }
}

namespace Hitmask.Native {
    /// <summary>A lent text: UTF-8 with a NUL at its end.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_text {
        /// <summary>The first byte.</summary>
        public byte* items;
        /// <summary>The number of bytes without the NUL.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of ids of colliders.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_colliders {
        /// <summary>The first item.</summary>
        public ColliderId* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>The colliders that a query considers. A null pointer to it means all. Fill it with new Filter(): a filter of zeros has no layer, so it finds nothing.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_filter {
        /// <summary>A collider to leave out, usually the one that asks; or 0.</summary>
        public ColliderId except;
        /// <summary>Colliders on at least one of these layers, 1 bit each. Default: all.</summary>
        public uint layers;
        /// <summary>0 to leave out sensors. Default 1.</summary>
        public byte sensors;
        /// <summary>Accuracy.Box to test the tight boxes of colliders, else their pixels are tested.</summary>
        public Accuracy accuracy;
        /// <summary>0.</summary>
        public ushort reserved;
    }
    /// <summary>Decides whether two colliders whose pixels touch count as touching. Gets `user` and the numbers that are stored with the two colliders. Returns 0 to drop the pair. It runs inside the call that got it, on its thread, for one pair after the other: calls with the same world give Busy. It must return: no exception and no longjmp.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_pair(IntPtr user, Pair pair, ulong user_data_a, ulong user_data_b);
    /// <summary>Decides whether two colliders that touch count as touching. Gets what KeepPair gets, the side of `pair.a` on which `pair.b` lies, and the surface normal from `b` to `a`. Returns 0 to drop the pair. The rules of KeepPair apply.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_touch(IntPtr user, Pair pair, ulong user_data_a, ulong user_data_b, Side side, Vec2 normal);
    /// <summary>A lent list of pairs.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_pairs {
        /// <summary>The first item.</summary>
        public Pair* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of pairs of planes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_plane_pairs {
        /// <summary>The first item.</summary>
        public PlanePair* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of hits of a ray.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_line_hits {
        /// <summary>The first item.</summary>
        public LineHit* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of grazed colliders.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_grazes {
        /// <summary>The first item.</summary>
        public Grazed* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>The rules of a character move. Fill it with new MoveRules().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_move_rules {
        /// <summary>Pixels that the collider may step up per pixel sideways. 1 climbs slopes of 45 degrees, 0 none. Default 1.</summary>
        public uint climb;
        /// <summary>Pixels that the collider may slip to a free side per pixel of motion, as top-down games need. Default 0.</summary>
        public uint slip;
        /// <summary>Layers whose colliders block only motion that comes down on them: platforms to jump through. Default 0.</summary>
        public uint one_way;
        /// <summary>The largest distance in mask pixels by which a one-way platform may rise into a mover between two moves and still raise it. Default 2.</summary>
        public uint rise;
    }
    /// <summary>Decides whether a collider blocks a motion. Gets `user` and the number that is stored with the collider. Returns 0 to let the mover through. The rules of KeepPair apply.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_collider(IntPtr user, ColliderId collider, ulong user_data);
    /// <summary>A lent list of hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_hits {
        /// <summary>The first item.</summary>
        public Hit* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of obstacles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_blocked_list {
        /// <summary>The first item.</summary>
        public Blocked* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>The results of World.MoveAll(), in the order of the ids. Each of the last three lists has the items of the first move, then those of the second, and so on.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_moves {
        /// <summary>The first result.</summary>
        public Moved* items;
        /// <summary>The number of results.</summary>
        public UIntPtr count;
        /// <summary>The obstacles that ended a part of a motion, in the order of contact.</summary>
        public hm_blocked_list contacts;
        /// <summary>The sensors that the colliders touched on their ways, in the order of each way.</summary>
        public hm_colliders passed;
        /// <summary>The obstacles that the colliders still overlap: they are crushed.</summary>
        public hm_colliders stuck_in;
    }
    /// <summary>The result of a character move. The lists are lent until the next call of World.MoveAndSlide() or World.MoveByRules...() with the same world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_move_result {
        /// <summary>The new position of the collider, in pixels.</summary>
        public Vec2 position;
        /// <summary>The distance moved, in mask pixels.</summary>
        public Point translation;
        /// <summary>The obstacles that ended a part of the motion, in the order of contact.</summary>
        public hm_blocked_list contacts;
        /// <summary>The sensors that the collider touched on its way, in the order of the way.</summary>
        public hm_colliders passed;
        /// <summary>The obstacles that the collider still overlaps: it is crushed. Usually empty.</summary>
        public hm_colliders stuck_in;
    }
    /// <summary>Decides whether a contact blocks a move. Gets `user`, the obstacle, the number that is stored with it, its side as seen from the mover, and the surface normal from the obstacle to the mover. Returns 0 to let the mover through. The rules of KeepPair apply.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_contact(IntPtr user, ColliderId collider, ulong user_data, Side side, Vec2 normal);
    /// <summary>A lent list of placements.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_placements {
        /// <summary>The first item.</summary>
        public Placement* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of pairs of bodies.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_body_pairs {
        /// <summary>The first item.</summary>
        public BodyPair* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_bytes {
        /// <summary>The first item.</summary>
        public byte* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>Limits on what opening an atlas may draw. A compact atlas of a few hundred bytes can state settings that take gigabytes to draw. Fill it with new AtlasLimits(). A null pointer to it means the default limits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_atlas_limits {
        /// <summary>The largest size of a drawn atlas in bytes. Default 2^30.</summary>
        public ulong max_bytes;
        /// <summary>The largest number of drawn poses. Default 2^23.</summary>
        public ulong max_poses;
        /// <summary>The largest number of samples, which limits the time. Default 2^33.</summary>
        public ulong max_samples;
    }
    /// <summary>A property of a map or of an item: two texts in UTF-8 with a NUL at the end.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_property {
        /// <summary>The name of the property.</summary>
        public byte* key;
        /// <summary>The value as a text, such as "3", "true" or "#ff0000".</summary>
        public byte* value;
    }
    /// <summary>A lent list of properties.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_properties {
        /// <summary>The first item.</summary>
        public hm_property* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A part of a map: a chunk of tiles, an object or a point.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_map_item {
        /// <summary>What tells the item from all others, in this version of the level and in later ones: "solid/3,-1" is the chunk in column 3 and row -1, "things/17" is object 17 of a layer. UTF-8 with a NUL at its end.</summary>
        public byte* id;
        /// <summary>The name of the object, or the terrain of a chunk, UTF-8 with a NUL at its end.</summary>
        public byte* name;
        /// <summary>The class of the object; "chunk" for a chunk of tiles.</summary>
        public byte* class_name;
        /// <summary>The properties of the object.</summary>
        public hm_properties properties;
        /// <summary>The position in pixels: of the collider, or of the point. From the top-left corner of the map for Atlas.TryMap(), else in the world.</summary>
        public Vec2 position;
        /// <summary>The size of the object in pixels, before it is turned. (0, 0) for a point.</summary>
        public Vec2 size;
        /// <summary>The collider in the world. 0 for a point, for an item whose collider the game removed before an update of the map, and for all items of Atlas.TryMap().</summary>
        public ColliderId collider;
    }
    /// <summary>A lent list of the items of a map.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_map_items {
        /// <summary>The first item.</summary>
        public hm_map_item* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A map: the colliders and the named places of a level.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_map {
        /// <summary>The name, UTF-8 with a NUL at its end. Null if there is no map.</summary>
        public byte* name;
        /// <summary>Width and height in pixels.</summary>
        public Vec2 size;
        /// <summary>The properties of the map.</summary>
        public hm_properties properties;
        /// <summary>The colliders and the places, in the order of the level file.</summary>
        public hm_map_items items;
    }
    /// <summary>What is known about a sprite. The name is lent until the atlas is destroyed.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_sprite {
        /// <summary>The id of the sprite.</summary>
        public SpriteId id;
        /// <summary>The name, UTF-8 with a NUL at its end.</summary>
        public byte* name;
        /// <summary>The number of frames.</summary>
        public uint frames;
        /// <summary>The number of planes of each frame, at least 1.</summary>
        public uint planes;
        /// <summary>The number of baked angles in a full turn.</summary>
        public uint angles;
        /// <summary>The number of baked scales.</summary>
        public uint scales;
        /// <summary>The bytes of its masks.</summary>
        public ulong mask_bytes;
    }
    /// <summary>A lent list of numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_floats {
        /// <summary>The first item.</summary>
        public float* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>Which pixels of an image are solid. Fill it with new TexelRule(). The arrays are read during the call that gets the rule.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_texel_rule {
        /// <summary>Set by new TexelRule(); do not change it.</summary>
        public uint cookie;
        /// <summary>The number that the value of the channel is compared with. Default 128.</summary>
        public byte alpha;
        /// <summary>How the two are compared. Default AlphaTest.AtLeast.</summary>
        public AlphaTest alpha_test;
        /// <summary>The channel. Default Channel.Alpha.</summary>
        public Channel channel;
        /// <summary>0.</summary>
        public byte reserved;
        /// <summary>Colours that are never solid, or null.</summary>
        public ColorRange* exclude;
        /// <summary>The number of these colours. Default 0.</summary>
        public UIntPtr exclude_count;
        /// <summary>Colours that alone can be solid, or null for all.</summary>
        public ColorRange* only;
        /// <summary>The number of these colours. Default 0.</summary>
        public UIntPtr only_count;
    }
    /// <summary>The result of World.ReplaceAtlas().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_reload_report {
        /// <summary>The colliders that keep the pixels of the earlier version, because the new one has no sprite, plane or frame for them, in order of slots. Lent until the next call that lends ids.</summary>
        public hm_colliders outdated;
        /// <summary>The id of the new atlas.</summary>
        public AtlasId atlas;
        /// <summary>The number of sprites that differ: see ReloadReport.Changes().</summary>
        public uint changes;
    }
    /// <summary>A lent list of whole numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_numbers {
        /// <summary>The first item.</summary>
        public uint* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A sprite that differs between two versions of an atlas. The lists are lent until the next call of World.ReplaceAtlas() with the same world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_sprite_change {
        /// <summary>The name of the sprite, UTF-8 with a NUL at its end.</summary>
        public byte* sprite;
        /// <summary>The names of the planes that the new version lacks, with a line feed after each.</summary>
        public byte* lost_planes;
        /// <summary>The frames of both versions whose images have another size, counted from 0.</summary>
        public hm_numbers resized;
        /// <summary>SpriteChangeKind.Added, SpriteChangeKind.Vanished or SpriteChangeKind.Changed.</summary>
        public SpriteChangeKind kind;
        /// <summary>The number of frames before, of a changed sprite; else 0.</summary>
        public uint frames_before;
        /// <summary>The number of frames now, of a changed sprite; else 0.</summary>
        public uint frames;
        /// <summary>0.</summary>
        public uint reserved;
    }
    /// <summary>A lent list of ids of atlases.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_atlas_ids {
        /// <summary>The first item.</summary>
        public AtlasId* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>The result of World.UpdateMap(). The numbers are indices of `map.items`, ascending. All is lent until the next update of the same placed map, or its destruction.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_map_report {
        /// <summary>The map as it is now, with the ids of its colliders.</summary>
        public hm_map map;
        /// <summary>The items whose colliders were inserted.</summary>
        public hm_numbers inserted;
        /// <summary>The items that are gone, as they were before. Their colliders were removed, and the ids are stale.</summary>
        public hm_map_items removed;
        /// <summary>The items whose colliders were moved, or changed in another field. Other pixels alone do not count: World.ReplaceAtlas() shows them.</summary>
        public hm_numbers changed;
        /// <summary>The items that the game has changed or removed itself. They keep what it changed.</summary>
        public hm_numbers kept;
    }
    /// <summary>How sprites are baked. Fill it with new BakeSettings().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_bake_settings {
        /// <summary>Set by new BakeSettings(); do not change it.</summary>
        public uint cookie;
        /// <summary>The number of angles in a full turn. Ignored if `maxError` is not 0. Default 64.</summary>
        public uint angles;
        /// <summary>The scales, as an array that is read during the call; null for scale 1 only.</summary>
        public float* scales;
        /// <summary>The number of scales. Default 0.</summary>
        public UIntPtr scale_count;
        /// <summary>If not 0, the number of angles is chosen for each sprite so that no pixel is farther from its exact place, in pixels. Default 0.</summary>
        public float max_error;
        /// <summary>How pixels are decided. Default Sampling.Nearest.</summary>
        public Sampling sampling;
        /// <summary>The pivot, if `usePivot` is not 0.</summary>
        public Pivot pivot;
        /// <summary>0 for the centre of each frame. Default 0.</summary>
        public byte use_pivot;
        /// <summary>A pixel of an image is solid if its alpha is at least this. Default 128.</summary>
        public byte alpha;
        /// <summary>Not 0 to add a frame after the last: the union of all frames, which cannot miss a hit on a frame that the game skips. Default 0.</summary>
        public byte motion_frame;
        /// <summary>0.</summary>
        public byte reserved;
        /// <summary>The rule for solid pixels of images, read during the call; null for `alpha`.</summary>
        public hm_texel_rule* rule;
        /// <summary>Additional planes by alpha, each from 1 to 255, read during the call; or null. Each plane has the pixels whose alpha is at least its threshold. See Atlas.TryPlaneForThreshold().</summary>
        public byte* thresholds;
        /// <summary>The number of these planes. Default 0.</summary>
        public UIntPtr threshold_count;
    }
    /// <summary>A lent list of points.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_points {
        /// <summary>The first item.</summary>
        public Point* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of rectangles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_rects {
        /// <summary>The first item.</summary>
        public Rect* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of connected parts.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_components {
        /// <summary>The first item.</summary>
        public Component* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of polygons. The corners of polygon i are `points[starts[i]]` up to but without `points[starts[i + 1]]`. Outer ones run clockwise, holes counter-clockwise.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_polygons {
        /// <summary>The corners of all polygons.</summary>
        public Point* points;
        /// <summary>count + 1 numbers: where each polygon starts, and where the last one ends.</summary>
        public uint* starts;
        /// <summary>The number of polygons.</summary>
        public UIntPtr count;
    }
    /// <summary>What a shape shall be like. Fill it with new ShapeOptions(). Output units are pixels unless `scale` says otherwise, such as metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_shape_options {
        /// <summary>Set by new ShapeOptions(); do not change it.</summary>
        public uint cookie;
        /// <summary>The greatest distance between the exact border and that of the shape, in pixels, either way: 0.1 to 32767. Default 1.</summary>
        public float max_error;
        /// <summary>On which side the shape may be. Default Fit.Nearest.</summary>
        public Fit fit;
        /// <summary>Islands and holes of fewer pixels are left out. Default 0.</summary>
        public uint min_area;
        /// <summary>The most corners of a piece, from 3. Default 8, as Box2D takes.</summary>
        public uint max_corners;
        /// <summary>The least width of a piece in output units. Thinner ones are left out. Default 0.02.</summary>
        public float min_width;
        /// <summary>Output units per pixel, such as metres per pixel. Default 1.</summary>
        public float scale;
        /// <summary>1 if output y runs up. Default 0.</summary>
        public byte y_up;
        /// <summary>0.</summary>
        internal byte reserved_0, reserved_1, reserved_2;
        /// <summary>The origin of the output, in pixels from the top left corner of the mask, or from the pivot of the sprite. Default (0, 0).</summary>
        public Vec2 origin;
    }
    /// <summary>A lent list of polygons or chains in output units. The corners of polygon i are `points[starts[i]]` up to but without `points[starts[i + 1]]`. The last corner of a polygon is joined to the first.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_paths {
        /// <summary>The corners of all polygons.</summary>
        public Vec2* points;
        /// <summary>count + 1 numbers: where each polygon starts, and where the last one ends.</summary>
        public uint* starts;
        /// <summary>The number of polygons.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of areas, one for each pair of a batch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_areas {
        /// <summary>The first item.</summary>
        public ulong* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of contacts, one for each pair of a batch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_contacts {
        /// <summary>The first item.</summary>
        public Contact* items;
        /// <summary>The number of items.</summary>
        public UIntPtr count;
    }
    /// <summary>Receives a message of the log. The text is valid during the call. The callback runs on the thread whose call found something. It must return: no exception and no longjmp.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void hm_log_callback(IntPtr user, LogLevel level, byte* message);
    /// <summary>The functions of hitmask.h. The classes call them; programs rarely do.</summary>
    public static unsafe class Hm {
        // libhitmask.so, libhitmask.dylib or hitmask.dll. Unity links it into the program on iOS and for browsers.
#if UNITY_2017_1_OR_NEWER && !UNITY_EDITOR && (UNITY_IOS || UNITY_WEBGL)
        const string Library = "__Internal";
#else
        const string Library = "hitmask";
#endif

        /// <summary>Creates a world without colliders, over the sprites of an atlas. The world keeps the atlas alive: the handle of the atlas may be destroyed before the world.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_create(IntPtr atlas, out IntPtr world);
        /// <summary>Creates a copy of a world with the same ids, settings, pairs and user data. What happens in one does not affect the other. As a state to return to; World.Assign() saves to it again.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_clone(IntPtr world, out IntPtr copy);
        /// <summary>Takes over the whole state of another world with the same atlases: ids, settings, pairs and user data. For rollback: saves to a copy of World.Clone(), and loads from one, without allocating memory. Older lent lists become invalid. Errors: UnknownAtlas if an atlas differs. The world is left as it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_assign(IntPtr world, IntPtr source);
        /// <summary>Lends a text that says what differs first between two worlds, the value of `world` first: "collider 17: position.x 3.0 / 3.5". A collider is named by its slot. None if their snapshots are equal. The text is lent until the next call that lends a text from this world.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_first_difference(IntPtr world, IntPtr other, out hm_text text);
        /// <summary>Destroys a world. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_destroy(IntPtr world);
        /// <summary>Inserts a collider and writes its id. Errors: Uninitialised, BadValue, UnknownSprite, BadNumber, UnbakedScale, StaleId for a mask that was removed, MaskUse, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_insert(IntPtr world, Collider* collider, out ColliderId id);
        /// <summary>Replaces a collider by another, under the same id. Its user data stays. Errors: those of World.Insert(), and StaleId.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set(IntPtr world, ulong id, Collider* collider);
        /// <summary>Writes the collider with this id.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_get(IntPtr world, ulong id, out Collider collider);
        /// <summary>Removes a collider. Its id stays stale.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_remove(IntPtr world, ulong id);
        /// <summary>Removes many colliders, as those of a map, and writes how many there were. Skips 0 and stale ids. Errors: BadLength, NullPointer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_remove_all(IntPtr world, ColliderId* ids, UIntPtr count, out UIntPtr removed);
        /// <summary>Moves a collider to a position in pixels. Everything else stays as it is.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_to(IntPtr world, ulong id, float x, float y);
        /// <summary>Turns a collider to an angle in radians, clockwise on screen. Everything else stays as it is. Errors: BadNumber, StaleId, MaskUse for a run-time mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_turn_to(IntPtr world, ulong id, float angle);
        /// <summary>Places a collider at a position in pixels, an angle in radians and a scale at once. Everything else stays as it is. Errors: as World.Set().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_place(IntPtr world, ulong id, float x, float y, float angle, float scale);
        /// <summary>Places many colliders: `placements[i]` is that of `ids[i]`. All are placed, or none. The fastest way to move many: it takes less than 1/5 of the time of World.Set() for each. Ids in ascending order of slots are fastest. If an id is listed twice, its last placement counts. Errors: StaleId, BadNumber, MaskUse for a run-time mask with an angle. The message names the first bad item. Nothing was placed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set_placements(IntPtr world, ColliderId* ids, Placement* placements, UIntPtr count);
        /// <summary>Does the same as World.SetPlacements(), with angles in 65,536ths of a turn.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set_placements_turn(IntPtr world, ColliderId* ids, PlacementTurn* placements, UIntPtr count);
        /// <summary>Writes the number of colliders.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_count(IntPtr world, out UIntPtr count);
        /// <summary>Lends the ids of all colliders, in order of slots, until the next call that lends ids.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_ids(IntPtr world, out hm_colliders ids);
        /// <summary>Writes the tight box of a collider's pixels, in mask pixels. None if it has no pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_rect(IntPtr world, ulong id, out Rect rect);
        /// <summary>Creates a mask of the pixels of a collider, as it is placed, for drawing and for questions without the world. Writes to `origin` where the top left pixel of the mask is in the world, in mask pixels; `origin` may be null. Destroy the mask with Dispose().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_posed_mask(IntPtr world, ulong id, out IntPtr mask, out Point origin);
        /// <summary>Sets the finest accuracy of pair tests from the next update on. Colliders with a coarser one keep theirs. The default is Accuracy.Exact.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set_accuracy(IntPtr world, Accuracy accuracy);
        /// <summary>Writes the finest accuracy of pair tests.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_accuracy(IntPtr world, out Accuracy accuracy);
        /// <summary>Sets which scales colliders may have, from the next call that sets a scale on: those within this factor of a baked one. 1 allows baked scales only; infinity allows all. The default is 1.5. Errors: BadNumber for a factor below 1 or NaN.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set_scale_policy(IntPtr world, float factor);
        /// <summary>Writes the factor of World.SetScalePolicy().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_scale_policy(IntPtr world, out float factor);
        /// <summary>Stores a number with a collider, such as an index or a pointer of the caller. It stays until the collider is removed. The library uses it in World.TryPick() and gives it to callbacks. It is part of snapshots and of the hash of the state.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set_user_data(IntPtr world, ulong id, ulong data);
        /// <summary>Writes the number that was stored with a collider, 0 if none was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_user_data(IntPtr world, ulong id, out ulong data);
        /// <summary>Returns a collider of the first frame of no sprite, at (0, 0), not rotated, at scale 1. Set at least `sprite` or `mask`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Collider hm_default_collider();
        /// <summary>Returns a filter that lets all colliders through, sensors included, tested by pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_filter hm_default_filter();
        /// <summary>Finds all pairs that touch. Call it once per tick, after the moves and before the questions about pairs. What was lent by World.Touching(), World.Began() and World.Ended() becomes invalid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_update(IntPtr world);
        /// <summary>Does the same as World.Update(), and keeps only the pairs for which `keep` does not return 0. Errors: NullPointer if `keep` is null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_update_with(IntPtr world, hm_keep_pair keep, IntPtr user);
        /// <summary>Does the same as World.UpdateWith(), with a callback that gets side and normal of each contact: a game can drop the contacts with walls. Computing them costs about 5 times as much as the area of the overlap, for each pair. Errors: NullPointer if `keep` is null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_update_with_contacts(IntPtr world, hm_keep_touch keep, IntPtr user);
        /// <summary>Writes whether the pairs of a world are known: 0 before its first World.Update(). A clone and a restored snapshot are as their world was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_is_updated(IntPtr world, out byte is_updated);
        /// <summary>Lends the pairs that touched at the last update, in ascending order of slots, until the next update, the next World.Restore(), or the end of the world. Errors: NotUpdated if the world has colliders and was never updated.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_touching(IntPtr world, out hm_pairs pairs);
        /// <summary>Lends the pairs that touched at the last update but not at the one before, in order, until the next update, the next World.Restore(), or the end of the world. Empty before the first update.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_began(IntPtr world, out hm_pairs pairs);
        /// <summary>Lends the pairs that touched at the update before the last but not at the last, in order, until the next update, the next World.Restore(), or the end of the world. Ids of removed colliders are among them. Empty before the first update.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_ended(IntPtr world, out hm_pairs pairs);
        /// <summary>Lends the pairs that touched at both of the last two updates, in order, until the next call that lends pairs other than those of the events.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_stayed(IntPtr world, out hm_pairs pairs);
        /// <summary>Writes the contact of a pair at the current placements. None if the two do not touch, if one is disabled, or if an id is stale. Follows the accuracies, and ignores layers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_contact(IntPtr world, Pair pair, out Contact contact);
        /// <summary>Writes the contact of a pair at the given accuracy, whatever those of the colliders are. None as for World.TryContact().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_contact_at(IntPtr world, Pair pair, Accuracy accuracy, out Contact contact);
        /// <summary>Writes the details of the overlap of a pair's pixels: normal, push-out, depth. None if no pixels overlap. Costs some microseconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_overlap(IntPtr world, Pair pair, out Overlap overlap);
        /// <summary>Lends the planes of a pair that overlap, in order, until the next call of this function with the same world. Empty if an id is stale.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_overlapping_planes(IntPtr world, Pair pair, out hm_plane_pairs planes);
        /// <summary>Lends a text that explains why a pair touches or not: layers, boxes, accuracy, pixels. It is lent until the next call that lends a text from this world. None if an id is stale.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_explain(IntPtr world, Pair pair, out hm_text text);
        /// <summary>Lends the colliders that touch a collider now, without an update, until the next call that lends ids. Follows layers, accuracies and owners.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_touching_with(IntPtr world, ulong id, out hm_colliders found);
        /// <summary>Lends the pairs that touch now, one collider of each list, until the next call that lends pairs other than those of the events. Stale ids touch nothing. Errors: BadLength, NullPointer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_touching_between(IntPtr world, ColliderId* group, UIntPtr group_count, ColliderId* others, UIntPtr others_count, out hm_pairs pairs);
        /// <summary>Writes the distance in pixels between the nearest pixels of two colliders, from centre to centre; 0 if they touch. None if one has no pixels or is disabled.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_distance(IntPtr world, ulong a, ulong b, out double distance);
        /// <summary>Writes the shortest translation, in pixels, that ends every overlap of a collider with obstacles, at most `radius` pixels long. (0, 0) if it overlaps none. None if there is no such translation.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_push_out(IntPtr world, ulong id, float radius, out Vec2 translation);
        /// <summary>Lends the colliders that have a pixel at a position in pixels, until the next call that lends ids.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_query_point(IntPtr world, float x, float y, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel in a rectangle of mask pixels, until the next call that lends ids. A filter with Accuracy.Box finds those whose tight box overlaps the rectangle.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_query_rect(IntPtr world, Rect rect, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel whose centre is at most `radius` from a position, in pixels, until the next call that lends ids.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_query_circle(IntPtr world, float x, float y, float radius, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel whose centre lies in an upright ellipse, in pixels, until the next call that lends ids.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_query_ellipse(IntPtr world, float x, float y, float radius_x, float radius_y, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel on a line between two positions in pixels, both ends included, until the next call that lends ids.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_query_line(IntPtr world, Vec2 from, Vec2 to, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that share a pixel with a mask whose top left pixel is at `at`, in mask pixels, until the next call that lends ids. Errors: those of handles.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_query_mask(IntPtr world, IntPtr mask, Point at, hm_filter* filter, out hm_colliders found);
        /// <summary>Writes the first collider that a ray hits on its way between two positions in pixels. None if it hits none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_ray(IntPtr world, Vec2 from, Vec2 to, hm_filter* filter, out LineHit hit);
        /// <summary>Lends all colliders that a ray hits on its way between two positions in pixels, in order of the way, until the next call of this function with the same world.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_ray_all(IntPtr world, Vec2 from, Vec2 to, hm_filter* filter, out hm_line_hits hits);
        /// <summary>Writes the collider under a pointer at a position in pixels. If no pixel is there, the nearest collider within `radius` pixels is picked, so that small sprites can be hit. `order` decides among several: PickOrder.Slot or PickOrder.UserData. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_pick(IntPtr world, float x, float y, float radius, PickOrder order, hm_filter* filter, out ColliderId collider);
        /// <summary>Writes the collider whose pixels are nearest to a position, at most `within` pixels away, and the distance to the centre of that pixel. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_nearest(IntPtr world, float x, float y, float within, hm_filter* filter, out Nearest nearest);
        /// <summary>Writes the collider whose pixels are nearest to those of another collider, at most `within` pixels away, and the distance from pixel centre to pixel centre. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_nearest_to(IntPtr world, ulong id, float within, hm_filter* filter, out Nearest nearest);
        /// <summary>Lends the colliders whose pixels touch those of a collider or come within `radius` pixels of them, until the next call of this function with the same world. Ignores layers of the collider itself.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_graze(IntPtr world, ulong id, float radius, hm_filter* filter, out hm_grazes found);
        /// <summary>Writes the shortest translation, in mask pixels, after which a mask at `at` overlaps no collider of the filter, at most `radius` mask pixels long. (0, 0) if it overlaps none. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_nearest_free_offset(IntPtr world, IntPtr mask, Point at, uint radius, hm_filter* filter, out Point offset);
        /// <summary>Returns the rules of a walker: climb 1, slip 0, no one-way layers, rise 2.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_move_rules hm_default_move_rules();
        /// <summary>Writes the first collider that a collider would hit if it moved by `motion`, in pixels. None if the way is free. Nothing moves. Every pixel of the way is tested, at any speed. `keep` may be null: then every obstacle blocks.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_cast(IntPtr world, ulong id, Vec2 motion, hm_keep_collider keep, IntPtr user, out Hit hit);
        /// <summary>Lends all colliders that a collider would hit if it moved by `motion` through everything, in the order of the way, until the next call that lends hits. `keep` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_cast_all(IntPtr world, ulong id, Vec2 motion, hm_keep_collider keep, IntPtr user, out hm_hits hits);
        /// <summary>Writes the first collider of the filter that a mask would hit if it moved by `motion`, both in mask pixels; `at` is where its top left pixel is. None if the way is free.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_cast_mask(IntPtr world, IntPtr mask, Point at, Point motion, hm_filter* filter, out Hit hit);
        /// <summary>Lends all colliders of the filter that a mask would hit if it moved by `motion` through everything, in the order of the way, until the next call that lends hits.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_cast_mask_all(IntPtr world, IntPtr mask, Point at, Point motion, hm_filter* filter, out hm_hits hits);
        /// <summary>Moves a collider by `motion`, in pixels, up to the first obstacle, and writes the hit that ended the motion. None if the whole way was free. `hit.position` is the new position. Errors: StaleId, BadNumber. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_until_contact(IntPtr world, ulong id, Vec2 motion, out Hit hit);
        /// <summary>Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Gives the results of calls of World.MoveByRules() in this order, faster on several threads. `rules` may be null. The lists are lent until the next call with the same world that moves colliders. Errors: StaleId, BadNumber. The message names the first bad item. Nothing has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_all(IntPtr world, ColliderId* ids, Vec2* motions, UIntPtr count, hm_move_rules* rules, out hm_moves moves);
        /// <summary>Moves a collider by `motion`, in pixels, and slides along obstacles: it stops flat at walls and floors and walks up slopes of up to 45 degrees. It does not overlap, bounce or stick. Errors: StaleId, BadNumber. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_and_slide(IntPtr world, ulong id, Vec2 motion, out hm_move_result result);
        /// <summary>Does the same as World.MoveAndSlide(), by the given rules, and without the obstacles for which `keep` returns 0. `rules` and `keep` may be null. Errors: StaleId, BadNumber. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_by_rules(IntPtr world, ulong id, Vec2 motion, hm_move_rules* rules, hm_keep_collider keep, IntPtr user, out hm_move_result result);
        /// <summary>Does the same as World.MoveByRules(), with a callback that decides about each contact: a game can let a jump through ceilings, or make only steep walls count. Errors: StaleId, BadNumber. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_by_rules_per_contact(IntPtr world, ulong id, Vec2 motion, hm_move_rules* rules, hm_keep_contact keep, IntPtr user, out hm_move_result result);
        /// <summary>Inserts many colliders, and lends their ids in the same order until the next call that lends ids. All are inserted, or none. Errors: as World.Insert(). The message names the first bad item.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_insert_all(IntPtr world, Collider* colliders, UIntPtr count, out hm_colliders ids);
        /// <summary>Lends the positions and angles of many colliders, in the order of `ids`, until the next call of this function with the same world. Errors: StaleId. The message names the first stale id.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_placements(IntPtr world, ColliderId* ids, UIntPtr count, out hm_placements placements);
        /// <summary>Lends what many rays hit first, until the next call of World.RayAll() or this function with the same world. Ray i runs from `ends[2 * i]` to `ends[2 * i + 1]`, in pixels: there are 2 * `count` ends. The collider of a hit is 0 if the ray hits none. Errors: BadNumber. The message names the first bad ray.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_rays(IntPtr world, Vec2* ends, UIntPtr count, hm_filter* filter, out hm_line_hits hits);
        /// <summary>Lends the colliders under many pointers, by the rules of World.TryPick(), until the next call of this function with the same world. 0 for a pointer over none. Errors: BadNumber, BadValue. The message names the first bad point.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_picks(IntPtr world, Vec2* points, UIntPtr count, float radius, PickOrder order, hm_filter* filter, out hm_colliders colliders);
        /// <summary>Lends the first obstacle on the way of many colliders, `ids[i]` moved by `motions[i]` pixels, until the next call that lends hits. Nothing moves. The collider of a hit is 0 if the way is free. Errors: StaleId, BadNumber. The message names the first bad item.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_casts(IntPtr world, ColliderId* ids, Vec2* motions, UIntPtr count, out hm_hits hits);
        /// <summary>Draws the poses that colliders would show, before they show them: while a level loads, or in the rest of a frame. Positions and rules do not matter. Stops before a group of poses when this call has taken `maxMicroseconds` or has drawn `maxBytes` of masks; UINT64_MAX is no limit. A group takes about 0.2 ms and 128 KiB. Writes the number of colliders at the front whose poses are drawn: call it with the others in the next frame, until none is left. Does nothing over a single drawn atlas, and for run-time masks. No answer depends on it. Errors: as World.Insert(), and OverLimit if the poses exceed the budget of the world. The message names the first bad item. BadValue for a limit on time in WebAssembly, which has no clock.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_draw_ahead(IntPtr world, Collider* colliders, UIntPtr count, ulong max_microseconds, ulong max_bytes, out UIntPtr drawn);
        /// <summary>Lends the colliders of an owner, in order of slots, until the next call that lends ids. Empty if the owner has none, or is 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_parts_of(IntPtr world, uint owner, out hm_colliders parts);
        /// <summary>Lends the pairs of bodies that touched at the last update, each pair once, until the next call that lends pairs of bodies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_touching_bodies(IntPtr world, out hm_body_pairs pairs);
        /// <summary>Lends the pairs of bodies that began to touch at the last update, until the next call that lends pairs of bodies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_began_bodies(IntPtr world, out hm_body_pairs pairs);
        /// <summary>Lends the pairs of bodies that ceased to touch at the last update, until the next call that lends pairs of bodies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_ended_bodies(IntPtr world, out hm_body_pairs pairs);
        /// <summary>Writes the first collider that a body would hit if all its parts moved by `motion`, in pixels. None if the way is free for all. Nothing moves.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_cast_body(IntPtr world, uint owner, Vec2 motion, out BodyHit hit);
        /// <summary>Moves all parts of a body by `motion`, in pixels, up to the first obstacle of any of them, and writes the hit that ended the motion. None if the way was free. Errors: UnknownOwner, BadNumber. Nothing has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_move_body(IntPtr world, uint owner, Vec2 motion, out BodyHit hit);
        /// <summary>Moves all parts of a body by `motion`, in pixels, through everything. Errors: UnknownOwner, BadNumber. Nothing has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_translate_body(IntPtr world, uint owner, Vec2 motion);
        /// <summary>Adds a copy of a mask to a world and writes its id. Colliders show it with Collider.Mask; any number of them can share it. Errors: BadNumber for a pivot out of range, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_insert_mask(IntPtr world, IntPtr mask, Pivot* pivot, out MaskId id);
        /// <summary>Returns the transform of a child in its parent: scaled, then turned by `radians`, clockwise on screen, about `registration` in the child, which is placed at `at` in the parent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Affine hm_affine_placed(Vec2 at, Vec2 registration, float angle, float scale);
        /// <summary>Returns the transform that applies `first`, then `second`, as for a child and its parent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Affine hm_affine_then(Affine first, Affine second);
        /// <summary>Adds a mask that is drawn from a source by a transform about the pivot of the source, and writes its id: for scales, skews and angles that no atlas holds. Errors: BadNumber for a pivot or transform out of range, BadMask if the result is too large, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_insert_transformed(IntPtr world, IntPtr source, Pivot* pivot, Affine* transform, out MaskId id);
        /// <summary>Draws a mask of World.InsertTransformed() again with another transform, for all colliders that show it. A transform that differs by whole pixels only moves the mask. Errors: StaleId, MaskUse for a mask without a source, BadNumber, BadMask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_transform_mask(IntPtr world, ulong id, Affine* transform);
        /// <summary>Draws a mask of World.InsertTransformed() again from another source and pivot, with its last transform, for all colliders that show it: a hole in the source turns with the rest. Errors: StaleId, MaskUse for a mask without a source, BadNumber, BadMask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_redraw_mask(IntPtr world, ulong id, IntPtr source, Pivot* pivot);
        /// <summary>Sets or clears a rectangle of a run-time mask, for all colliders that show it. The rectangle is in pixels of the mask. What is outside of the mask is ignored. `solid` is 0 to clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_fill_rect(IntPtr world, ulong id, Rect rect, byte solid);
        /// <summary>Sets or clears a disc of a run-time mask: the pixels whose centre is at most `radius` pixels from the centre of the pixel `center`. `solid` is 0 to clear: a crater. Errors: StaleId, BadMask for a radius that is too large.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_fill_disc(IntPtr world, ulong id, Point center, uint radius, byte solid);
        /// <summary>Draws a mask on a run-time mask: BlitOperation.Draw, BlitOperation.Erase, BlitOperation.Toggle or BlitOperation.Intersect. The top left pixel of `mask` goes to `at`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_blit(IntPtr world, ulong id, IntPtr mask, Point at, BlitOperation operation);
        /// <summary>Replaces the pixels of a run-time mask by those of a mask of the same size. Errors: StaleId, BadLength if the sizes differ.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_replace_mask(IntPtr world, ulong id, IntPtr mask);
        /// <summary>Creates a copy of a run-time mask. Destroy it with Dispose().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_copy_mask(IntPtr world, ulong id, out IntPtr mask);
        /// <summary>Removes a run-time mask from a world. Its id stays stale. Errors: StaleId, MaskUse if a collider shows it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_remove_mask(IntPtr world, ulong id);
        /// <summary>Lends the whole state of a world as bytes, until the next call of this function or of World.SnapshotTo() with the same world: for replays and saved games. User data is included. The same state gives the same bytes on every machine. For rollback, World.Assign() is faster.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_snapshot(IntPtr world, out hm_bytes bytes);
        /// <summary>Writes the whole state of a world to the caller's buffer, and the number of its bytes to `size`. If the buffer is too small, `size` is the number of bytes that are needed. A null pointer with the capacity 0 asks for that number. Errors: BufferTooSmall, NullPointer, BadLength for a capacity beyond any memory.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_snapshot_to(IntPtr world, byte* buffer, UIntPtr capacity, out UIntPtr size);
        /// <summary>Restores the state of a snapshot of a world over the same atlas. Ids that were valid then are valid again. The lists of events are those of the snapshot; older lent ones become invalid. Errors: NotASnapshot, Damaged. The world is left as it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_restore(IntPtr world, byte* bytes, UIntPtr count);
        /// <summary>Creates a world from a snapshot over the same atlas. Errors: NotASnapshot, Damaged, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_from_snapshot(IntPtr atlas, byte* bytes, UIntPtr count, out IntPtr world);
        /// <summary>Writes a hash of the state that snapshots hold: equal states give equal hashes on every machine, in every language. User data is included. A later version of the library may give another value.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_state_hash(IntPtr world, out ulong hash);
        /// <summary>Checks the invariants of a world, for bug reports. It takes a while. Errors: InvalidWorld.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_validate(IntPtr world);
        /// <summary>Returns the default limits for opening an atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_atlas_limits hm_default_atlas_limits();
        /// <summary>Opens an atlas file. Its structure is checked; Atlas.Verify() checks the pixels too. Errors: BadText for a path that is not UTF-8 or has more than 4095 bytes, Io, NotAnAtlas, Damaged, OverLimit, Full, Unsupported in a browser.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_open(byte[] path, hm_atlas_limits* limits, out IntPtr atlas);
        /// <summary>Opens an atlas in memory. The bytes are copied. Errors: NotAnAtlas, Damaged, OverLimit, NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_from_bytes(byte* bytes, UIntPtr count, hm_atlas_limits* limits, out IntPtr atlas);
        /// <summary>Opens an atlas in place, without a copy if the bytes are aligned to 64. The bytes must stay as they are until the atlas and every world and batch over it is destroyed: for data that is part of the program, or a file that is mapped into memory. Errors: NotAnAtlas, Damaged, OverLimit, NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_from_static(byte* bytes, UIntPtr count, hm_atlas_limits* limits, out IntPtr atlas);
        /// <summary>Destroys the handle of an atlas. Worlds over it keep what they need. All texts that it has lent become invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_destroy(IntPtr atlas);
        /// <summary>Checks every byte of an atlas: checksums and pixels. Opening checks the structure only, which is enough for files of one's own. Takes about 1 ms per megabyte. Errors: Damaged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_verify(IntPtr atlas);
        /// <summary>Writes the number of sprites.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_sprite_count(IntPtr atlas, out uint count);
        /// <summary>Writes the number of stored poses.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_pose_count(IntPtr atlas, out uint count);
        /// <summary>Writes the mask pixels per pixel of positions: 1 unless the atlas was baked otherwise.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_resolution(IntPtr atlas, out float resolution);
        /// <summary>Lends the bytes of an atlas until it is destroyed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_bytes(IntPtr atlas, out hm_bytes bytes);
        /// <summary>Writes the map with this name, for reading. Its texts and lists are lent until the atlas is destroyed. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_map(IntPtr atlas, byte[] name, out hm_map map);
        /// <summary>Writes the id of the sprite with this name. None if there is none: Atlas.Sprite() gives a name to suggest.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_sprite(IntPtr atlas, byte[] name, out SpriteId sprite);
        /// <summary>Lends the name most like a misspelt one, for a message, until the atlas is destroyed: of a sprite if `sprite` is 0, or else of a plane of that sprite. None if no name is like it. Costs about 1 us for each sprite.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_alike(IntPtr atlas, ulong sprite, byte[] name, out byte* other);
        /// <summary>Writes the id of the sprite at an index, in the order of names from 0. None beyond the last.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_sprite_at(IntPtr atlas, uint index, out SpriteId sprite);
        /// <summary>Writes what is known about a sprite.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_sprite_info(IntPtr atlas, ulong sprite, out hm_sprite info);
        /// <summary>Lends the baked scales of a sprite, in ascending order, until the atlas is destroyed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_scales(IntPtr atlas, ulong sprite, out hm_floats scales);
        /// <summary>Writes the index of the plane with this name. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_plane(IntPtr atlas, ulong sprite, byte[] name, out uint plane);
        /// <summary>Lends the name of a plane until the atlas is destroyed. None if there is no such plane.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_plane_name(IntPtr atlas, ulong sprite, uint plane, out byte* name);
        /// <summary>Writes the rule for alpha that a sprite was baked with, for masks at run time that equal baked ones. Its channel and colours are the defaults, because an atlas does not hold them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_alpha_rule(IntPtr atlas, ulong sprite, out hm_texel_rule rule);
        /// <summary>Writes the threshold of a plane by alpha: its pixels have at least this alpha. None if the plane has none, or if there is no such plane.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_plane_threshold(IntPtr atlas, ulong sprite, uint plane, out byte threshold);
        /// <summary>Writes the plane with the least threshold that is at least `threshold`: every pixel of it has at least this alpha. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_plane_for_threshold(IntPtr atlas, ulong sprite, byte threshold, out uint plane);
        /// <summary>Writes the plane of a sprite that is drawn with an alpha of its own, `fade`, usually from 0 to 1: a pixel counts if its alpha times `fade` is at least `threshold`. None if no pixel can: disable the collider then.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_plane_for_fade(IntPtr atlas, ulong sprite, byte threshold, float fade, out uint plane);
        /// <summary>Writes the size of a frame's image in pixels, before trimming.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_frame_size(IntPtr atlas, ulong sprite, uint frame, out Size size);
        /// <summary>Writes the pivot of a frame in half-pixels from the top left corner of its image.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_pivot(IntPtr atlas, ulong sprite, uint frame, out Point pivot);
        /// <summary>Creates a mask of a pose: the baked one nearest to an angle in radians and a scale. Writes to `origin` where its top left pixel is relative to the position of a collider; `origin` may be null. The flips are 0 or not. None if the angle or the scale is not finite.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_posed_mask(IntPtr atlas, ulong sprite, uint frame, uint plane, float angle, float scale, byte flip_x, byte flip_y, out IntPtr mask, out Point origin);
        /// <summary>For World.SetPoseBudget(): no limit.</summary>
        public const ulong HM_NO_POSE_BUDGET = ulong.MaxValue;
        /// <summary>Writes the id of an atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_get_id(IntPtr atlas, out AtlasId id);
        /// <summary>Creates a handle of the same atlas under another id, which depends on its own id and on `label`. So a world can hold an atlas several times. Sprite ids of the atlas before are refused by the new one. The bytes are shared.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_labelled(IntPtr atlas, uint label, out IntPtr labelled);
        /// <summary>Writes whether all poses of an atlas are stored. Those of a compact atlas are drawn when they are shown, unless it is opened with Atlas.Drawn().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_is_drawn(IntPtr atlas, out byte is_drawn);
        /// <summary>Creates a handle of the same atlas with all poses, on all cores. It has the same id. A drawn atlas is shared at once. Errors: OverLimit, Damaged, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_drawn(IntPtr atlas, out IntPtr drawn);
        /// <summary>Adds an atlas to a world and writes its id, so that colliders may show its sprites beside those of the others. All atlases of a world have one resolution and different ids. Places every collider again. The handle of the atlas may be destroyed afterwards. Errors: AtlasUse for another resolution or an id that the world has, OverLimit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_add_atlas(IntPtr world, IntPtr atlas, out AtlasId id);
        /// <summary>Drops an atlas that no collider shows, with its earlier versions. Its sprite ids are refused from then on. Errors: AtlasUse if colliders show it or if it is the only one, UnknownAtlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_drop_atlas(IntPtr world, uint atlas);
        /// <summary>Drops an atlas with its earlier versions, removes the colliders that show it, and lends their ids, which are stale from then on, until the next call that lends ids. Their pairs end with the next update. Errors: AtlasUse if it is the only one, UnknownAtlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_drop_atlas_and_colliders(IntPtr world, uint atlas, out hm_colliders removed);
        /// <summary>Replaces the atlas with the id `old` by another version of it, as after a new bake. Sprites, planes and ids are matched by name: each collider keeps its id and place, and sprite ids of the earlier version keep working. A collider whose sprite, plane or frame is missing in the new version keeps its earlier pixels, and the report lists it. The next update tests all pairs. Errors: UnknownAtlas, AtlasUse for another resolution or the id of another atlas of the world, OverLimit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_replace_atlas(IntPtr world, uint old, IntPtr atlas, out hm_reload_report report);
        /// <summary>Writes a sprite that differs, by its index in the last report of World.ReplaceAtlas(): first the added ones, then the vanished, then the changed. None beyond the last.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_sprite_change(IntPtr world, uint index, out hm_sprite_change change);
        /// <summary>Lends the ids of the atlases of a world, in the order of adding, until the next call of this function with the same world. Earlier versions that colliders still show follow.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_atlases(IntPtr world, out hm_atlas_ids ids);
        /// <summary>Creates a handle of an atlas of a world. Destroy it with Dispose(). The bytes are shared.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_atlas(IntPtr world, uint id, out IntPtr atlas);
        /// <summary>Writes the atlas of a world that has a sprite, and the id of the sprite there. An id of an earlier version names the sprite of the same name in the newest one. None if no atlas has it. `newest` may be null. Errors: UnknownSprite if `sprite` is no id.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_atlas_of_sprite(IntPtr world, ulong sprite, out AtlasId atlas, out SpriteId newest);
        /// <summary>Creates a world from a snapshot over several atlases: those of World.Atlases() when the snapshot was taken, in that order. For one atlas, World.FromSnapshot() does the same. Errors: NotASnapshot, Damaged, Full; those of handles, for each atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_from_snapshot_over(IntPtr[] atlases, UIntPtr atlas_count, byte* bytes, UIntPtr count, out IntPtr world);
        /// <summary>Limits the bytes of the masks that a world has drawn from compact atlases, or of several atlases. NoPoseBudget, the default, is no limit. When a new pose does not fit, poses that no collider shows make room, which takes a pass over all colliders. Give at least 4/3 of what colliders show: close to the limit almost every new pose takes such a pass. Errors: OverLimit if the poses that colliders show take more.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_set_pose_budget(IntPtr world, ulong bytes);
        /// <summary>Writes the budget of World.SetPoseBudget().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_pose_budget(IntPtr world, out ulong bytes);
        /// <summary>Writes figures about the poses that a world has drawn. All are 0 over a single drawn atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_pose_stats(IntPtr world, out PoseStats stats);
        /// <summary>Inserts the colliders of a map, fixed, with the map's top-left corner at a position in pixels. Takes the map of the first atlas of World.Atlases() that has one with this name. Lends the map with the ids of its colliders until the next call of this function with the same world. World.RemoveAll() takes them out again. After World.ReplaceAtlas() the colliders show the new pixels, and World.UpdateMap() brings the rest up to date. It takes `placed`, which may be null for a map that is never edited. Errors: UnknownSprite if no atlas has the map, or the map's atlas has no sprite that the map needs; BadText, BadNumber, UnbakedScale, OverLimit, Full. No collider was inserted.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_insert_map(IntPtr world, byte[] name, Vec2 at, out hm_map map, out IntPtr placed);
        /// <summary>Brings a placed map up to date with the map of the same name in the first atlas of World.Atlases() that has one, as a rule after World.ReplaceAtlas(). Items are matched by their ids: those that are gone are removed, new ones inserted, moved ones moved, and all others keep their colliders. What the game has changed itself stays, and the report lists it. Errors: those of World.InsertMap(). The world and the placed map stay as they were, with a level that is damaged or incomplete too: the game goes on with the last one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_update_map(IntPtr world, IntPtr placed, out hm_map_report report);
        /// <summary>Destroys a placed map, and leaves its colliders in the world. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_placed_map_destroy(IntPtr placed);
        /// <summary>Returns the default settings: 64 angles, scale 1, alpha of at least 128, the centre as pivot.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_bake_settings hm_default_bake_settings();
        /// <summary>Creates a baker without sprites.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_create(out IntPtr baker);
        /// <summary>Destroys a baker. The bytes that it has lent become invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_destroy(IntPtr baker);
        /// <summary>Sets the settings of all sprites that are added afterwards without settings of their own.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_set_settings(IntPtr baker, hm_bake_settings* settings);
        /// <summary>Sets the mask pixels per pixel of positions, a power of 2 from 1/8 to 8. Default 1. The bake reports other values: Bake.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_set_resolution(IntPtr baker, float resolution);
        /// <summary>Limits the size of the opened atlas in bytes. If it would be larger, sprites that turn get fewer angles. The bake fails if 8 angles for each exceed the limit. Default: no limit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_set_max_bytes(IntPtr baker, ulong bytes);
        /// <summary>Sets whether the atlas holds the images only, and a world draws poses when they are first shown. `compact` is 0 or not. Default 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_set_compact(IntPtr baker, byte compact);
        /// <summary>Adds a sprite of `frames` images of one size: 4 bytes per pixel, the last of which is alpha, row by row from the top, one image after the other. The bytes are read during the call. `settings` may be null. Bad names are reported by the bake. Errors: BadText, BadLength if `count` is not 4 * width * height * frames, BadMask if a side is too large, Uninitialised, BadValue.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_add_rgba(IntPtr baker, byte[] name, uint width, uint height, uint frames, byte* rgba, UIntPtr count, hm_bake_settings* settings);
        /// <summary>Adds a sprite whose frames are copies of masks. `settings` may be null. Errors: those of handles, for each mask; BadText, NullPointer, Uninitialised, BadValue.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_add_masks(IntPtr baker, byte[] name, IntPtr[] masks, UIntPtr count, hm_bake_settings* settings);
        /// <summary>Adds a sprite of several named planes, such as a body, a weak spot and a shield. `masks` has `frames` * `planeCount` masks: those of the first frame in the order of `planes`, then those of the next. All masks of a frame have one size. Colliders choose a plane with Collider.Plane. `settings` may be null. Errors: those of handles, for each mask; BadText, NullPointer, Uninitialised, BadValue; BadLength for more masks than any memory holds; Bake if `planeCount` is 0, for a bad or repeated name of a plane, or masks of different sizes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_add_planes(IntPtr baker, byte[] name, IntPtr[] planes, UIntPtr plane_count, IntPtr[] masks, UIntPtr frames, hm_bake_settings* settings);
        /// <summary>Bakes all sprites and lends the bytes of the atlas, until the next call of this function with the same baker. The same sprites and settings give the same bytes on every machine. Warnings go to the callback of Library.Log(). Uses all cores. Errors: Bake.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_bake(IntPtr baker, out hm_bytes bytes);
        /// <summary>Bakes all sprites and opens the atlas, without its bytes as a detour. Errors: Bake, OverLimit, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_baker_bake_atlas(IntPtr baker, out IntPtr atlas);
        /// <summary>Returns the default rule: solid if alpha is at least 128, at any colour.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_texel_rule hm_default_texel_rule();
        /// <summary>Creates a mask from an image as Mask.FromRgba() does, with a rule for alpha, channel and colours. Errors: BadMask if `count` is not 4 * width * height, Uninitialised, BadValue, NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_rgba_by_rule(uint width, uint height, byte* rgba, UIntPtr count, hm_texel_rule* rule, out IntPtr mask);
        /// <summary>Returns the number of TexelRule.Alpha, for AlphaTest.Bits, that classic pixel collision libraries call an alpha tolerance of `tolerance`, from 0 to 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte hm_alpha_tolerance(float tolerance);
        /// <summary>Creates a mask of clear pixels. Each side is at most 32767 pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_create(uint width, uint height, out IntPtr mask);
        /// <summary>Creates a mask of set pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_solid(uint width, uint height, out IntPtr mask);
        /// <summary>Creates a disc: the pixels whose centres are at most `radius` pixels from the centre of the middle pixel. Each side is 2 * radius + 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_disc(uint radius, out IntPtr mask);
        /// <summary>Creates a mask from rows of text of at most 4095 bytes: '#' is a set pixel, '.' a clear one, and a line feed ends a row. Empty lines and spaces at both ends of a row are ignored. Errors: BadText, BadMask for other characters and for rows of different lengths, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_text(byte[] rows, out IntPtr mask);
        /// <summary>Creates a mask from an image: 4 bytes per pixel, the last of which is alpha, row by row from the top, without padding. A pixel is set if its alpha is at least `alpha`, usually 128. `count` is the number of bytes. Errors: BadMask if `count` is not 4 * width * height, NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_rgba(uint width, uint height, byte* rgba, UIntPtr count, byte alpha, out IntPtr mask);
        /// <summary>Creates a mask from bytes, one per pixel, row by row from the top, without padding. A pixel is set if its byte is at least `alpha`. Errors: BadMask if `count` is not width * height, NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_alpha(uint width, uint height, byte* bytes, UIntPtr count, byte alpha, out IntPtr mask);
        /// <summary>Creates a mask from packed bits: each row takes (width + 7) / 8 bytes, the leftmost pixel in the highest bit, as in PBM files. Errors: BadMask if `count` is not height * ((width + 7) / 8), NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_bits(uint width, uint height, byte* bits, UIntPtr count, out IntPtr mask);
        /// <summary>Creates a copy of a mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_clone(IntPtr mask, out IntPtr copy);
        /// <summary>Destroys a mask. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_destroy(IntPtr mask);
        /// <summary>Writes the size of a mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_size(IntPtr mask, out Size size);
        /// <summary>Writes whether a pixel is set. Pixels outside of the mask are clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_get(IntPtr mask, int x, int y, out byte is_set);
        /// <summary>Writes the number of set pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_count(IntPtr mask, out ulong count);
        /// <summary>Writes the tight box of the set pixels. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_bounds(IntPtr mask, out Rect rect);
        /// <summary>Writes the centre of the set pixels. None if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_centroid(IntPtr mask, out Vec2 centroid);
        /// <summary>Lends the outline of the first shape of a mask: its border pixels in clockwise order, from the leftmost pixel of the top row on. Lent until the next call that lends points of this mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_outline(IntPtr mask, out hm_points points);
        /// <summary>Lends rectangles that cover the set pixels, each pixel once, until the next call of this function with the same mask: for drawing, or for a physics engine of boxes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_rects(IntPtr mask, out hm_rects rects);
        /// <summary>Lends the pixels as packed bits, as Mask.FromBits() takes them, until the next call that lends bytes of this mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_bits(IntPtr mask, out hm_bytes bits);
        /// <summary>Lends the pixels as bytes, 255 for a set pixel and 0 for a clear one, row by row: an alpha texture. Lent until the next call that lends bytes of this mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_alpha(IntPtr mask, out hm_bytes bytes);
        /// <summary>Lends the mask as rows of text, as Mask.FromText() takes them, until the next call of this function with the same mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_text(IntPtr mask, out hm_text rows);
        /// <summary>Sets or clears a pixel. Pixels outside of the mask are ignored. `solid` is 0 to clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_set(IntPtr mask, int x, int y, byte solid);
        /// <summary>Sets all pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_fill(IntPtr mask);
        /// <summary>Clears all pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_clear(IntPtr mask);
        /// <summary>Toggles all pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_invert(IntPtr mask);
        /// <summary>Sets or clears a rectangle. What is outside of the mask is ignored. `solid` is 0 to clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_fill_rect(IntPtr mask, Rect rect, byte solid);
        /// <summary>Draws `other` on `mask`: BlitOperation.Draw, BlitOperation.Erase, BlitOperation.Toggle or BlitOperation.Intersect. The top left pixel of `other` goes to `at`. The two may be the same mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_blit(IntPtr mask, IntPtr other, Point at, BlitOperation operation);
        /// <summary>Creates a mask of the pixels of a rectangle. Pixels outside of the mask are clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_cropped(IntPtr mask, Rect rect, out IntPtr cropped);
        /// <summary>Creates a mask that is scaled to another size, by the nearest pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_scaled(IntPtr mask, uint width, uint height, out IntPtr scaled);
        /// <summary>Creates a mask that is mirrored left and right.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_flipped_x(IntPtr mask, out IntPtr flipped);
        /// <summary>Creates a mask that is mirrored top and bottom.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_flipped_y(IntPtr mask, out IntPtr flipped);
        /// <summary>Creates a mask that is turned by a quarter turn, clockwise on screen.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_quarter_turned(IntPtr mask, out IntPtr turned);
        /// <summary>Creates a mask that is grown by `radius` pixels on each side. Its top left pixel is that of the mask moved by `radius` to the left and up.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_grown(IntPtr mask, uint radius, GrowShape shape, out IntPtr grown);
        /// <summary>Creates a mask of the same size without the pixels that are within `radius` pixels of a clear one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_shrunk(IntPtr mask, uint radius, GrowShape shape, out IntPtr shrunk);
        /// <summary>Writes whether two masks share a set pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_touches(IntPtr mask, IntPtr other, Point at, out byte touches);
        /// <summary>Writes the number of pixels that two masks share.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_overlap_area(IntPtr mask, IntPtr other, Point at, out ulong area);
        /// <summary>Writes the tight box of the pixels that two masks share, in pixels of `mask`. None if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_overlap_rect(IntPtr mask, IntPtr other, Point at, out Rect rect);
        /// <summary>Writes area, tight box and first pixel of the overlap, in pixels of `mask`. None if the masks do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_contact(IntPtr mask, IntPtr other, Point at, out Contact contact);
        /// <summary>Creates a mask of the pixels that two masks share. It has the size of `mask`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_overlap_mask(IntPtr mask, IntPtr other, Point at, out IntPtr overlap);
        /// <summary>Writes the shortest translation of `mask` that ends its overlap with `other`. Among equally short ones it points farthest up, then farthest left. None if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_push_out(IntPtr mask, IntPtr other, Point at, out Point translation);
        /// <summary>Writes the shortest translation of `mask` after which it touches `other`; (0, 0) if it does. None if one has no set pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_nearest(IntPtr mask, IntPtr other, Point at, out Point translation);
        /// <summary>Writes the distance between the nearest pixels of two masks, from centre to centre. None if one has no set pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_distance(IntPtr mask, IntPtr other, Point at, out double distance);
        /// <summary>Writes the first contact of `mask` with `other` if `mask` moves by `motion`. None if the way is free.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_cast(IntPtr mask, IntPtr other, Point at, Point motion, out Impact impact);
        /// <summary>Writes whether two masks touch (Graze.Hit), come within `radius` pixels (Graze.Near) or neither (Graze.Clear).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_graze(IntPtr mask, IntPtr other, Point at, uint radius, out Graze graze);
        /// <summary>Creates a mask of the pixels whose centres lie inside polygons. A pixel counts if it is inside an odd number of them, so a polygon inside another one is a hole. Polygon i has the corners `corners[starts[i]]` up to but without `corners[starts[i + 1]]`, in pixels; `starts` has `polygonCount` + 1 numbers, and null means one polygon of all corners. Corners snap to 1/256 of a pixel. Writes to `origin` the position of the top left pixel; `origin` may be null. Errors: BadLength if `starts` does not ascend up to at most `cornerCount`, BadNumber for a corner that is not finite or too far, BadMask for a mask that is too large, NullPointer, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_polygons(Vec2* corners, UIntPtr corner_count, uint* starts, UIntPtr polygon_count, out IntPtr mask, out Point origin);
        /// <summary>Creates a mask of the pixels whose centres lie in an upright ellipse with these radii, in pixels; a circle if both are equal. Writes to `origin` the position of the top left pixel; `origin` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_ellipse(Vec2 center, float radius_x, float radius_y, out IntPtr mask, out Point origin);
        /// <summary>Creates a mask of the pixels of a line between two positions in pixels, both ends included. Writes to `origin` the position of the top left pixel; `origin` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_from_line(Vec2 from, Vec2 to, out IntPtr mask, out Point origin);
        /// <summary>Creates one mask of the pixels of several masks, the top left pixel of `masks[i]` being at `positions[i]`. With all frames of a swing as parts it covers the whole swing. Writes to `origin` the position of the top left pixel; `origin` may be null. Errors: those of handles, for each mask; NullPointer, BadMask if it is too large, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_union(IntPtr[] masks, Point* positions, UIntPtr count, out IntPtr mask, out Point origin);
        /// <summary>Creates a copy that is cropped to the tight box of its pixels. Writes to `origin` where the top left pixel was in the mask; `origin` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_trimmed(IntPtr mask, out IntPtr trimmed, out Point origin);
        /// <summary>Creates a mask that is drawn from another one by a transform about a pivot, by nearest pixels, as sprites are baked. Writes to `origin` where the top left pixel of the result is relative to the pixel in which the pivot lies; `origin` and `pivot` may be null. Costs a few nanoseconds per pixel of the result's box: seconds for one of 30,000 pixels a side. Errors: BadNumber for a pivot or transform out of range, BadMask if the result is too large, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_transformed(IntPtr mask, Pivot* pivot, Affine* transform, out IntPtr transformed, out Point origin);
        /// <summary>Creates a mask of the offsets at which `mask` overlaps `other`: pixel (x, y) is set if they touch with `other` at (x - w + 1, y - h + 1), w and h being the sides of `other`. Clear pixels are the offsets at which `other` fits.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_convolve(IntPtr mask, IntPtr other, out IntPtr offsets);
        /// <summary>Writes the angle of the direction in which the pixels spread most, in radians from -pi/2 to pi/2, clockwise on screen; 0 if no direction dominates, as for a disc. None if no pixel is set.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_angle(IntPtr mask, out float angle);
        /// <summary>Lends the connected parts of a mask, in the order of their first pixels, until the next call of this function with the same mask. Mask.TryComponent() makes a mask of each.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_components(IntPtr mask, Connectivity connectivity, out hm_components components);
        /// <summary>Creates a mask of a connected part, by its index in the last list of Mask.Components() of this mask. It has the size of the tight box. None beyond the last part.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_component(IntPtr mask, UIntPtr index, out IntPtr component);
        /// <summary>Lends the borders of a mask as polygons between pixels, until the next call that lends points of this mask. They are exact; Mask.Shape() gives polygons with fewer corners.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_polygons(IntPtr mask, Connectivity connectivity, out hm_polygons polygons);
        /// <summary>Lends the corners of the convex hull of a mask, between pixels, in clockwise order, until the next call that lends points of this mask. Empty if there is no pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_convex_hull(IntPtr mask, out hm_points points);
        /// <summary>Writes where a line between two positions in pixels first meets a mask whose top left pixel is at `at`. The collider of the hit is 0. None if it misses.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_ray(IntPtr mask, Point at, Vec2 from, Vec2 to, out LineHit hit);
        /// <summary>Writes whether two masks share at least `pixels` pixels, the top left pixel of `other` being at `at`. 0 counts as 1. Usually faster than the exact number.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_overlap_at_least(IntPtr mask, uint pixels, IntPtr other, Point at, out byte overlaps);
        /// <summary>Writes the first shared pixel of two masks in an order: ScanOrder.Top, ScanOrder.Bottom, ScanOrder.Left or ScanOrder.Right. In pixels of `mask`. None if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_first_overlap(IntPtr mask, ScanOrder order, IntPtr other, Point at, out Point point);
        /// <summary>Writes the shortest translation of `mask` that ends its overlap with `other`, along the line of pixels towards (x, y) = `direction`. None if they do not touch or the direction is (0, 0).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_push_along(IntPtr mask, IntPtr other, Point at, Point direction, out Point translation);
        /// <summary>Writes the details of the overlap of two masks, in pixels of `mask`: normal, push-out, depth. `a` is `mask`, and `b` is `other`. None if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_overlap(IntPtr mask, IntPtr other, Point at, out Overlap overlap);
        /// <summary>Returns the default options: 1 px of error, 8 corners a piece, in pixels with y down.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_shape_options hm_default_shape_options();
        /// <summary>Creates the shape of the set pixels of a mask: outlines as valid polygons within an error. A null pointer to the options means the defaults. The shape of an empty mask has no polygons. Errors: Uninitialised, BadNumber for an option out of range, BadValue, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_mask_shape(IntPtr mask, hm_shape_options* options, out IntPtr shape);
        /// <summary>Creates the shape of a frame of a sprite about its pivot, upright and at scale 1. Options are in pixels of the image, and their origin is relative to the pivot. Otherwise it does what Mask.Shape() does. Errors: UnknownSprite, and those of Mask.Shape().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_shape(IntPtr atlas, ulong sprite, uint frame, uint plane, hm_shape_options* options, out IntPtr shape);
        /// <summary>Creates the shape of a run-time mask of a world, as Mask.Shape() does. Errors: StaleId, and those of Mask.Shape().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_mask_shape(IntPtr world, ulong id, hm_shape_options* options, out IntPtr shape);
        /// <summary>Destroys a shape. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_destroy(IntPtr shape);
        /// <summary>Writes area, centroid and moment of inertia of a shape.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_mass(IntPtr shape, out Mass mass);
        /// <summary>Writes the number of islands and of holes that ShapeOptions.MinArea left out; `holes` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_left_out(IntPtr shape, out uint islands, out uint holes);
        /// <summary>Lends the outlines of a shape, each outer border before its holes, until the next call of this function with the same shape. Borders have positive area, holes negative. Lends with `borders` the index of the border of each ring: a border has its own. `borders` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_rings(IntPtr shape, out hm_paths rings, out hm_numbers borders);
        /// <summary>Lends convex pieces that are together the shape, until the next call of this function with the same shape. They have positive area: counter-clockwise with y up. Writes to `thin` what was left out; `thin` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_pieces(IntPtr shape, out hm_paths pieces, out ThinPieces thin);
        /// <summary>Creates the shapes of a large mask in cells of `side` x `side` pixels, 8 to 1024, usually 64: for terrain that changes. A null pointer to the options means the defaults. Errors: Uninitialised, BadNumber for a side or an option out of range, BadValue, Full.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_create(IntPtr mask, uint side, hm_shape_options* options, out IntPtr grid);
        /// <summary>Creates the shapes of a run-time mask of a world in cells, as new ShapeGrid() does. Errors: StaleId, and those of new ShapeGrid().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_shape_grid(IntPtr world, ulong id, uint side, hm_shape_options* options, out IntPtr grid);
        /// <summary>Destroys a shape grid. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_destroy(IntPtr grid);
        /// <summary>Traces the cells near `rect` again, and lends the ids of those that are different in ascending order, until the next update of this grid. `rect` covers every pixel that was edited since the last update, in pixels of the mask; it may reach beyond the mask. Errors: BadLength if the mask has another size than the first one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_update(IntPtr grid, IntPtr mask, Rect rect, out hm_numbers changed);
        /// <summary>Traces cells again by a run-time mask of a world, as ShapeGrid.Update() does. Errors: StaleId, BadLength.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_world_update_shape_grid(IntPtr world, ulong id, IntPtr grid, Rect rect, out hm_numbers changed);
        /// <summary>Writes the number of cells. Their ids are below it, row by row.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_count(IntPtr grid, out uint count);
        /// <summary>Writes what is known of a cell. None beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_cell(IntPtr grid, uint id, out ShapeCell cell);
        /// <summary>Lends the outlines of a cell, as Shape.Rings() does, until the next call of this function with the same grid. All cells have the coordinates of the whole mask. None beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_rings(IntPtr grid, uint id, out hm_paths rings, out hm_numbers borders);
        /// <summary>Lends the convex pieces of a cell, as Shape.Pieces() does, until the next call of this function with the same grid. None beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_pieces(IntPtr grid, uint id, out hm_paths pieces, out ThinPieces thin);
        /// <summary>Lends the outlines of the ground within a cell as chains, without the seams to other cells, until the next call of this function with the same grid. `closed` has 1 for a chain whose last point is joined to the first. Any other chain begins and ends with a ghost point in another cell, as Box2D takes it. `closed` may be null. None beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_shape_grid_chains(IntPtr grid, uint id, out hm_paths chains, out hm_bytes closed);
        /// <summary>Writes the id of the stored pose that is nearest to an angle in radians and a scale, for a batch. Writes to `origin` where the top left pixel of its mask is relative to the position of a sprite; `origin` may be null. The flips are 0 or not. None if the angle or the scale is not finite, or if the atlas is not drawn: see Atlas.Drawn().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_atlas_pose(IntPtr atlas, ulong sprite, uint frame, uint plane, float angle, float scale, byte flip_x, byte flip_y, out PoseId pose, out Point origin);
        /// <summary>Creates a batch over the poses of an atlas, which it keeps: the handle of the atlas may be destroyed first. Reuse a batch, because its first questions allocate up to 1 MB. An atlas that is not drawn has no poses: see Atlas.Drawn().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_create(IntPtr atlas, out IntPtr batch);
        /// <summary>Destroys a batch. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_destroy(IntPtr batch);
        /// <summary>Lends for each pair a byte: 1 if the two masks share a pixel, else 0. Lent until the next call that lends bytes of this batch. A pose that the atlas does not have touches nothing. Errors: UnknownSprite if an id is 0 or was never given out, NullPointer, BadLength.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_touches(IntPtr batch, PosePair* pairs, UIntPtr count, out hm_bytes answers);
        /// <summary>Lends for each pair a byte: 1 if the two masks share at least `pixels` pixels, else 0. 0 pixels count as 1. Lent until the next call that lends bytes of this batch. Errors: those of Batch.Touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_overlap_at_least(IntPtr batch, uint pixels, PosePair* pairs, UIntPtr count, out hm_bytes answers);
        /// <summary>Lends for each pair what coarse masks say: Certainty.No, Certainty.Maybe or Certainty.Yes. Masks without coarse ones are tested exactly. Lent until the next call that lends bytes of this batch. Errors: those of Batch.Touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_coarse(IntPtr batch, PosePair* pairs, UIntPtr count, out hm_bytes answers);
        /// <summary>Lends for each pair the number of shared pixels, until the next call of this function with the same batch. Errors: those of Batch.Touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_overlap_area(IntPtr batch, PosePair* pairs, UIntPtr count, out hm_areas areas);
        /// <summary>Lends for each pair area, tight box and first pixel of the overlap, in pixels of the first mask. A pair that does not touch has area 0 and zeros. Lent until the next call that lends contacts of this batch. Errors: those of Batch.Touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_batch_contact(IntPtr batch, PosePair* pairs, UIntPtr count, out hm_contacts contacts);
        /// <summary>The version of this interface. It grows when a function or a struct changes so that old callers would break. Compare it with Library.Version() of the library that was loaded.</summary>
        public const uint HM_ABI_VERSION = 1;
        /// <summary>Returns the version of the interface that this library has: AbiVersion of its header.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint hm_abi_version();
        /// <summary>Returns the version of the library as a text, such as "0.1.0". It is valid forever.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* hm_version();
        /// <summary>Returns a short text for a status, such as "stale id". It is valid forever. Any number is allowed; unknown ones give "unknown status".</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* hm_status_text(int status);
        /// <summary>Returns the message of the last failed call of this thread: what is wrong, the value, and how to fix it. It is an empty text if no call has failed. The text is lent until the next call that fails on this thread.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* hm_last_error();
        /// <summary>Sets the callback that receives the warnings of all threads; null for none, as at the start. `user` is passed to it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern Status hm_set_log(hm_log_callback callback, IntPtr user);
    }
}
