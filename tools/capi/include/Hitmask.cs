// hitmask for C#: every function of hitmask.h, as class Hm. See README.md. Compile with -unsafe; C# 7 is enough.
// Generated from hitmask.h by tools/capi/header.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Hitmask {
    /// <summary>The result of a call. HM_OK is 0. HM_NONE is an answer and no error: there is no such thing. All others are errors: the call has changed nothing, and hm_last_error() says why.</summary>
    public enum hm_status {
        /// <summary>The call succeeded.</summary>
        HM_OK = 0,
        /// <summary>The call succeeded, and the answer is that there is none: no hit, no contact, no such name. The out parameter holds zeros.</summary>
        HM_NONE = 1,
        /// <summary>A pointer that must not be null is null.</summary>
        HM_NULL_POINTER = 2,
        /// <summary>A pointer is not aligned to the type that it points to.</summary>
        HM_BAD_POINTER = 3,
        /// <summary>A length is larger than any memory, or does not fit the other arguments.</summary>
        HM_BAD_LENGTH = 4,
        /// <summary>The caller's buffer is too small. It was left as it was.</summary>
        HM_BUFFER_TOO_SMALL = 5,
        /// <summary>A text has no NUL among its first 4096 bytes, or is not UTF-8.</summary>
        HM_BAD_TEXT = 6,
        /// <summary>A handle is null.</summary>
        HM_NULL_HANDLE = 7,
        /// <summary>A pointer is no handle of this library.</summary>
        HM_BAD_HANDLE = 8,
        /// <summary>A handle was destroyed.</summary>
        HM_STALE_HANDLE = 9,
        /// <summary>A handle is of another type, as a mask where a world is expected.</summary>
        HM_WRONG_HANDLE = 10,
        /// <summary>Another thread is inside a call with this object, or the call comes from a callback that runs inside such a call.</summary>
        HM_BUSY = 11,
        /// <summary>The library had an internal error. It is a bug of hitmask: please report the message.</summary>
        HM_PANIC = 12,
        /// <summary>An earlier call on this world or baker returned HM_PANIC. Only its destruction is allowed.</summary>
        HM_POISONED = 13,
        /// <summary>A struct was not filled by its hm_default_...() function.</summary>
        HM_UNINITIALISED = 14,
        /// <summary>An argument has a value that the function does not know, such as accuracy 9.</summary>
        HM_BAD_VALUE = 15,
        /// <summary>A position, radius, angle, direction or scale is not finite or out of range.</summary>
        HM_BAD_NUMBER = 16,
        /// <summary>The id of a collider or of a run-time mask is 0 or stale.</summary>
        HM_STALE_ID = 17,
        /// <summary>The atlas has no such sprite, frame, plane or map.</summary>
        HM_UNKNOWN_SPRITE = 18,
        /// <summary>The sprite is not baked near this scale.</summary>
        HM_UNBAKED_SCALE = 19,
        /// <summary>No collider has this owner.</summary>
        HM_UNKNOWN_OWNER = 20,
        /// <summary>A run-time mask is shown with a frame, an angle, a scale or a flip; or is in use; or has no source to be drawn from.</summary>
        HM_MASK_USE = 21,
        /// <summary>The world, or the table of handles, is full.</summary>
        HM_FULL = 22,
        /// <summary>A file cannot be read.</summary>
        HM_IO = 23,
        /// <summary>The bytes are no atlas, or one of another version.</summary>
        HM_NOT_AN_ATLAS = 24,
        /// <summary>The atlas or the snapshot is damaged.</summary>
        HM_DAMAGED = 25,
        /// <summary>The atlas would take more memory or time to draw than the limits allow.</summary>
        HM_OVER_LIMIT = 26,
        /// <summary>The snapshot is no snapshot, or belongs to another atlas or version.</summary>
        HM_NOT_A_SNAPSHOT = 27,
        /// <summary>A mask is too large, or its text or pixels are malformed.</summary>
        HM_BAD_MASK = 28,
        /// <summary>The bake failed.</summary>
        HM_BAKE = 29,
        /// <summary>The world breaks one of its invariants. It is a bug of hitmask.</summary>
        HM_INVALID_WORLD = 30,
        /// <summary>This build of the library leaves the function out, as files in a browser.</summary>
        HM_UNSUPPORTED = 31,
        /// <summary>The world has colliders and was never updated, so no pair is known yet.</summary>
        HM_NOT_UPDATED = 32,
        /// <summary>The world has no atlas with this id.</summary>
        HM_UNKNOWN_ATLAS = 33,
        /// <summary>The atlas cannot be added, dropped or replaced: it is in use, the only one, of another resolution, or its id is taken.</summary>
        HM_ATLAS_USE = 34,
    }
    /// <summary>A sprite or a run-time mask placed in the world. Fill it with hm_default_collider(), then set what differs.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_collider {
        /// <summary>Set by hm_default_collider(); do not change it.</summary>
        public uint cookie;
        /// <summary>The compound that the collider belongs to, or 0 for none. Colliders with the same owner never touch or block each other.</summary>
        public uint owner;
        /// <summary>The sprite, or 0 if `mask` is given.</summary>
        public ulong sprite;
        /// <summary>The run-time mask, or 0 if `sprite` is given. A run-time mask has one pose, so frame, plane, angle, scale and flips must keep their defaults.</summary>
        public ulong mask;
        /// <summary>The frame of the sprite, from 0.</summary>
        public uint frame;
        /// <summary>The plane of the frame, from 0: see hm_atlas_plane().</summary>
        public uint plane;
        /// <summary>The position of the pivot in pixels, to the right. The pivot is the centre of the image unless the bake has set another. The position snaps to the nearest mask pixel, and must be within 1e9 mask pixels of 0.</summary>
        public float x;
        /// <summary>The position of the pivot in pixels, down.</summary>
        public float y;
        /// <summary>The rotation about the pivot in radians, clockwise on screen. Ignored if `use_turn` is set.</summary>
        public float angle;
        /// <summary>The scale relative to the image. Default 1.</summary>
        public float scale;
        /// <summary>Layers of the collider, 1 bit each. Default: the lowest bit.</summary>
        public uint layers;
        /// <summary>Layers that the collider can touch. Default: all. A pair can touch only if each collider is on a layer that the other can touch.</summary>
        public uint collides_with;
        /// <summary>The least overlap that counts as touching, in pixels of area. 0 is the default: any pixel. Ignored if `min_width` or `min_height` is not 0.</summary>
        public uint min_overlap;
        /// <summary>The least width of the overlap, in pixels; 0 for none.</summary>
        public uint min_width;
        /// <summary>The least height of the overlap, in pixels; 0 for none.</summary>
        public uint min_height;
        /// <summary>The rotation in 65,536ths of a turn, if `use_turn` is set.</summary>
        public ushort turn;
        /// <summary>Not 0 if `turn` holds the rotation instead of `angle`.</summary>
        public byte use_turn;
        /// <summary>Not 0 to mirror left and right, before the rotation.</summary>
        public byte flip_x;
        /// <summary>Not 0 to mirror top and bottom, before the rotation.</summary>
        public byte flip_y;
        /// <summary>Not 0 if the collider never or seldom moves. Fixed colliders do not touch each other.</summary>
        public byte @fixed;
        /// <summary>Not 0 if the collider reports touches without blocking moves.</summary>
        public byte sensor;
        /// <summary>0 to take no part: it keeps its id, but touches and blocks nothing and is found by no query.</summary>
        public byte enabled;
        /// <summary>The accuracy for touching. Default HM_ACCURACY_EXACT.</summary>
        public byte accuracy;
        /// <summary>The accuracy for moves and casts. Default HM_ACCURACY_SAME.</summary>
        public byte move_accuracy;
        /// <summary>0.</summary>
        public ushort reserved;
    }
    /// <summary>The position and the angle of a collider: what usually changes from tick to tick. The library reads arrays of it in place.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_placement {
        /// <summary>The position of the pivot in pixels, to the right.</summary>
        public float x;
        /// <summary>The position of the pivot in pixels, down.</summary>
        public float y;
        /// <summary>The rotation about the pivot in radians, clockwise on screen.</summary>
        public float angle;
    }
    /// <summary>The position and the angle of a collider, the angle as an exact part of a turn.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_placement_turn {
        /// <summary>The position of the pivot in pixels, to the right.</summary>
        public float x;
        /// <summary>The position of the pivot in pixels, down.</summary>
        public float y;
        /// <summary>The rotation about the pivot in 65,536ths of a turn, clockwise on screen.</summary>
        public ushort turn;
        /// <summary>0.</summary>
        public ushort reserved;
    }
    /// <summary>A lent list of ids of colliders.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_colliders {
        /// <summary>The first id.</summary>
        public ulong* items;
        /// <summary>The number of ids.</summary>
        public UIntPtr count;
    }
    /// <summary>A rectangle of mask pixels, from (x0, y0) up to but without (x1, y1). Empty if x0 &gt;= x1 or y0 &gt;= y1.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_rect {
        /// <summary>The first column.</summary>
        public int x0;
        /// <summary>The first row.</summary>
        public int y0;
        /// <summary>The column after the last.</summary>
        public int x1;
        /// <summary>The row after the last.</summary>
        public int y1;
    }
    /// <summary>A whole-number point or translation in mask pixels: x right, y down.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_point {
        /// <summary>To the right.</summary>
        public int x;
        /// <summary>Down.</summary>
        public int y;
    }
    /// <summary>The colliders that a query considers. A null pointer to it means all. Fill it with hm_default_filter(): a filter of zeros has no layer, so it finds nothing.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_filter {
        /// <summary>A collider to leave out, usually the one that asks; or 0.</summary>
        public ulong except;
        /// <summary>Colliders on at least one of these layers, 1 bit each. Default: all.</summary>
        public uint layers;
        /// <summary>0 to leave out sensors. Default 1.</summary>
        public byte sensors;
        /// <summary>HM_ACCURACY_BOX to test the tight boxes of colliders, else their pixels are tested.</summary>
        public byte accuracy;
        /// <summary>0.</summary>
        public ushort reserved;
    }
    /// <summary>Two colliders that touch; `a` has the lower slot.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_pair {
        /// <summary>The collider of lower slot.</summary>
        public ulong a;
        /// <summary>The collider of higher slot.</summary>
        public ulong b;
    }
    /// <summary>Decides whether two colliders whose pixels touch count as touching. Gets `user` and the numbers that are stored with the two colliders. Returns 0 to drop the pair. It runs inside the call that got it, on its thread, for one pair after the other: calls with the same world give HM_BUSY. It must return: no exception and no longjmp.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_pair(IntPtr user, hm_pair pair, ulong user_data_a, ulong user_data_b);
    /// <summary>A point or a direction in pixels: x right, y down.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_vec2 {
        /// <summary>To the right.</summary>
        public float x;
        /// <summary>Down.</summary>
        public float y;
    }
    /// <summary>Decides whether two colliders that touch count as touching. Gets what hm_keep_pair gets, the side of `pair.a` on which `pair.b` lies, and the surface normal from `b` to `a`. Returns 0 to drop the pair. The rules of hm_keep_pair apply.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_touch(IntPtr user, hm_pair pair, ulong user_data_a, ulong user_data_b, uint side, hm_vec2 normal);
    /// <summary>A lent list of pairs.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_pairs {
        /// <summary>The first pair.</summary>
        public hm_pair* items;
        /// <summary>The number of pairs.</summary>
        public UIntPtr count;
    }
    /// <summary>The overlap of two masks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_contact {
        /// <summary>The number of shared pixels.</summary>
        public ulong area;
        /// <summary>The tight box of the shared pixels.</summary>
        public hm_rect rect;
        /// <summary>The first shared pixel: of the top row, the leftmost.</summary>
        public hm_point point;
    }
    /// <summary>The details of an overlap of two colliders, or of two masks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_overlap {
        /// <summary>Area, tight box and first pixel of the overlap.</summary>
        public hm_contact contact;
        /// <summary>The centre of the shared pixels, in mask pixels.</summary>
        public hm_vec2 centroid;
        /// <summary>The surface normal, of length 1, from `b` to `a`.</summary>
        public hm_vec2 normal;
        /// <summary>The shortest translation of `a` that ends the overlap, in mask pixels.</summary>
        public hm_point push_out;
        /// <summary>The length of `push_out`, in mask pixels.</summary>
        public float depth;
        /// <summary>The side of `b` as seen from `a`.</summary>
        public uint side;
    }
    /// <summary>Two planes that overlap, one of each collider of a pair.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_plane_pair {
        /// <summary>The plane of the first collider.</summary>
        public uint a;
        /// <summary>The plane of the second collider.</summary>
        public uint b;
    }
    /// <summary>A lent list of pairs of planes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_plane_pairs {
        /// <summary>The first pair.</summary>
        public hm_plane_pair* items;
        /// <summary>The number of pairs.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent text: UTF-8 with a NUL at its end.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_text {
        /// <summary>The first byte.</summary>
        public byte* items;
        /// <summary>The number of bytes without the NUL.</summary>
        public UIntPtr count;
    }
    /// <summary>A collider that a ray hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_line_hit {
        /// <summary>The collider that is hit.</summary>
        public ulong collider;
        /// <summary>The first pixel of the line that the collider has too, in mask pixels.</summary>
        public hm_point point;
        /// <summary>The step of the line at which that pixel is, from 0.</summary>
        public uint step;
        /// <summary>The steps of the whole line.</summary>
        public uint steps;
        /// <summary>The surface normal at that pixel, of length 1, out of the collider.</summary>
        public hm_vec2 normal;
    }
    /// <summary>A lent list of hits of a ray.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_line_hits {
        /// <summary>The first hit.</summary>
        public hm_line_hit* items;
        /// <summary>The number of hits.</summary>
        public UIntPtr count;
    }
    /// <summary>A collider and its distance.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_nearest {
        /// <summary>The collider.</summary>
        public ulong collider;
        /// <summary>The distance in pixels.</summary>
        public double distance;
    }
    /// <summary>A collider that is touched or grazed.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_grazed {
        /// <summary>The collider.</summary>
        public ulong collider;
        /// <summary>HM_GRAZE_NEAR or HM_GRAZE_HIT.</summary>
        public uint graze;
        /// <summary>0.</summary>
        public uint reserved;
    }
    /// <summary>A lent list of grazed colliders.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_grazes {
        /// <summary>The first.</summary>
        public hm_grazed* items;
        /// <summary>The number of colliders.</summary>
        public UIntPtr count;
    }
    /// <summary>The rules of a character move. Fill it with hm_default_move_rules().</summary>
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
    /// <summary>Decides whether a collider blocks a motion. Gets `user` and the number that is stored with the collider. Returns 0 to let the mover through. The rules of hm_keep_pair apply.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_collider(IntPtr user, ulong collider, ulong user_data);
    /// <summary>The first contact of a motion with one obstacle.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_impact {
        /// <summary>The step at which the two touch first: 0 if they overlap at the start. A step is one pixel on the longer axis of the motion.</summary>
        public uint step;
        /// <summary>The steps of the whole motion.</summary>
        public uint steps;
        /// <summary>The last free translation, in mask pixels.</summary>
        public hm_point free_offset;
        /// <summary>The translation at which the two touch, in mask pixels.</summary>
        public hm_point contact_offset;
        /// <summary>The surface normal at the contact, of length 1, from the obstacle to what moves.</summary>
        public hm_vec2 normal;
        /// <summary>The fraction of the motion that is free, from 0 to 1.</summary>
        public float time;
        /// <summary>The side of the obstacle as seen from what moves.</summary>
        public uint side;
    }
    /// <summary>A collider that a motion hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_hit {
        /// <summary>The collider that is hit.</summary>
        public ulong collider;
        /// <summary>Where the mover ends: its position at the last free pixel, in pixels. (0, 0) for the casts of masks, which have no position.</summary>
        public hm_vec2 position;
        /// <summary>The top-left corner of the first pixel that both have, in pixels: where a shell carves, or an effect appears. A sprite of one pixel with its pivot there covers that pixel.</summary>
        public hm_vec2 point;
        /// <summary>The contact.</summary>
        public hm_impact impact;
    }
    /// <summary>A lent list of hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_hits {
        /// <summary>The first hit.</summary>
        public hm_hit* items;
        /// <summary>The number of hits.</summary>
        public UIntPtr count;
    }
    /// <summary>The result of one move of hm_world_move_all().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_moved {
        /// <summary>The new position of the collider, in pixels.</summary>
        public hm_vec2 position;
        /// <summary>The distance moved, in mask pixels.</summary>
        public hm_point translation;
        /// <summary>The number of its contacts.</summary>
        public uint contacts;
        /// <summary>The number of sensors that it touched on its way.</summary>
        public uint passed;
        /// <summary>The number of obstacles that it still overlaps.</summary>
        public uint stuck_in;
    }
    /// <summary>An obstacle that ended a part of a move.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_blocked {
        /// <summary>The obstacle.</summary>
        public ulong collider;
        /// <summary>Its side as seen from the mover: HM_SIDE_BELOW for a floor.</summary>
        public uint side;
        /// <summary>0.</summary>
        public uint reserved;
    }
    /// <summary>A lent list of obstacles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_blocked_list {
        /// <summary>The first.</summary>
        public hm_blocked* items;
        /// <summary>The number of obstacles.</summary>
        public UIntPtr count;
    }
    /// <summary>The results of hm_world_move_all(), in the order of the ids. Each of the last three lists has the items of the first move, then those of the second, and so on.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_moves {
        /// <summary>The first result.</summary>
        public hm_moved* items;
        /// <summary>The number of results.</summary>
        public UIntPtr count;
        /// <summary>The obstacles that ended a part of a motion, in the order of contact.</summary>
        public hm_blocked_list contacts;
        /// <summary>The sensors that the colliders touched on their ways, in the order of each way.</summary>
        public hm_colliders passed;
        /// <summary>The obstacles that the colliders still overlap: they are crushed.</summary>
        public hm_colliders stuck_in;
    }
    /// <summary>The result of a character move. The lists are lent until the next call of hm_world_move_and_slide() or hm_world_move_by_rules...() with the same world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_move_result {
        /// <summary>The new position of the collider, in pixels.</summary>
        public hm_vec2 position;
        /// <summary>The distance moved, in mask pixels.</summary>
        public hm_point translation;
        /// <summary>The obstacles that ended a part of the motion, in the order of contact.</summary>
        public hm_blocked_list contacts;
        /// <summary>The sensors that the collider touched on its way, in the order of the way.</summary>
        public hm_colliders passed;
        /// <summary>The obstacles that the collider still overlaps: it is crushed. Usually empty.</summary>
        public hm_colliders stuck_in;
    }
    /// <summary>Decides whether a contact blocks a move. Gets `user`, the obstacle, the number that is stored with it, its side as seen from the mover, and the surface normal from the obstacle to the mover. Returns 0 to let the mover through. The rules of hm_keep_pair apply.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte hm_keep_contact(IntPtr user, ulong collider, ulong user_data, uint side, hm_vec2 normal);
    /// <summary>A lent list of placements.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_placements {
        /// <summary>The first placement.</summary>
        public hm_placement* items;
        /// <summary>The number of placements.</summary>
        public UIntPtr count;
    }
    /// <summary>One object: all colliders of an owner, or a collider without an owner. hm_collider.owner names the body of a collider.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_body {
        /// <summary>The collider, or 0 if the body is that of an owner.</summary>
        public ulong collider;
        /// <summary>The owner, or 0 if the body is a single collider.</summary>
        public uint owner;
        /// <summary>0.</summary>
        public uint reserved;
    }
    /// <summary>Two bodies that touch, and the parts by which they do.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_body_pair {
        /// <summary>The lesser body: owners come before single colliders.</summary>
        public hm_body a;
        /// <summary>The greater body.</summary>
        public hm_body b;
        /// <summary>A part of `a` that touches `part_b`.</summary>
        public ulong part_a;
        /// <summary>A part of `b`.</summary>
        public ulong part_b;
    }
    /// <summary>A lent list of pairs of bodies.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_body_pairs {
        /// <summary>The first pair.</summary>
        public hm_body_pair* items;
        /// <summary>The number of pairs.</summary>
        public UIntPtr count;
    }
    /// <summary>The first collider that the motion of a body hits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_body_hit {
        /// <summary>The part that hits.</summary>
        public ulong part;
        /// <summary>The body that is hit.</summary>
        public hm_body body;
        /// <summary>The collider that is hit, and the position of the part at its last free pixel.</summary>
        public hm_hit hit;
    }
    /// <summary>A pivot in half-texels from the top left corner of a mask: (1, 1) is the centre of its first pixel. It may be outside the mask. A null pointer to it means the centre of the mask.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_pivot {
        /// <summary>Half-texels to the right.</summary>
        public int x2;
        /// <summary>Half-texels down.</summary>
        public int y2;
    }
    /// <summary>A transform of the plane: (x, y) becomes (a x + c y + tx, b x + d y + ty).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_affine {
        /// <summary>x to x.</summary>
        public double a;
        /// <summary>x to y.</summary>
        public double b;
        /// <summary>y to x.</summary>
        public double c;
        /// <summary>y to y.</summary>
        public double d;
        /// <summary>Translation to the right, in pixels.</summary>
        public double tx;
        /// <summary>Translation down, in pixels.</summary>
        public double ty;
    }
    /// <summary>A lent list of bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_bytes {
        /// <summary>The first byte.</summary>
        public byte* items;
        /// <summary>The number of bytes.</summary>
        public UIntPtr count;
    }
    /// <summary>Limits on what opening an atlas may draw. A compact atlas of a few hundred bytes can state settings that take gigabytes to draw. Fill it with hm_default_atlas_limits(). A null pointer to it means the default limits.</summary>
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
        /// <summary>The first property.</summary>
        public hm_property* items;
        /// <summary>The number of properties.</summary>
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
        /// <summary>The position in pixels: of the collider, or of the point. From the top-left corner of the map for hm_atlas_map(), else in the world.</summary>
        public hm_vec2 position;
        /// <summary>The size of the object in pixels, before it is turned. (0, 0) for a point.</summary>
        public hm_vec2 size;
        /// <summary>The collider in the world. 0 for a point, for an item whose collider the game removed before an update of the map, and for all items of hm_atlas_map().</summary>
        public ulong collider;
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
        public hm_vec2 size;
        /// <summary>The properties of the map.</summary>
        public hm_properties properties;
        /// <summary>The colliders and the places, in the order of the level file.</summary>
        public hm_map_items items;
    }
    /// <summary>What is known about a sprite. The name is lent until the atlas is destroyed.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_sprite {
        /// <summary>The id of the sprite.</summary>
        public ulong id;
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
        /// <summary>The first number.</summary>
        public float* items;
        /// <summary>The number of numbers.</summary>
        public UIntPtr count;
    }
    /// <summary>A range of colours: each of red, green, blue and alpha from a lowest to a highest value, both included.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_color_range {
        /// <summary>The lowest red, green, blue and alpha.</summary>
        public fixed byte from[4];
        /// <summary>The highest red, green, blue and alpha.</summary>
        public fixed byte to[4];
    }
    /// <summary>Which pixels of an image are solid. Fill it with hm_default_texel_rule(). The arrays are read during the call that gets the rule.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_texel_rule {
        /// <summary>Set by hm_default_texel_rule(); do not change it.</summary>
        public uint cookie;
        /// <summary>The number that the value of the channel is compared with. Default 128.</summary>
        public byte alpha;
        /// <summary>How the two are compared. Default HM_ALPHA_AT_LEAST.</summary>
        public byte alpha_test;
        /// <summary>The channel. Default HM_CHANNEL_ALPHA.</summary>
        public byte channel;
        /// <summary>0.</summary>
        public byte reserved;
        /// <summary>Colours that are never solid, or null.</summary>
        public hm_color_range* exclude;
        /// <summary>The number of these colours. Default 0.</summary>
        public UIntPtr exclude_count;
        /// <summary>Colours that alone can be solid, or null for all.</summary>
        public hm_color_range* only;
        /// <summary>The number of these colours. Default 0.</summary>
        public UIntPtr only_count;
    }
    /// <summary>A size in pixels.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_size {
        /// <summary>Columns.</summary>
        public uint width;
        /// <summary>Rows.</summary>
        public uint height;
    }
    /// <summary>The result of hm_world_replace_atlas().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_reload_report {
        /// <summary>The colliders that keep the pixels of the earlier version, because the new one has no sprite, plane or frame for them, in order of slots. Lent until the next call that lends ids.</summary>
        public hm_colliders outdated;
        /// <summary>The id of the new atlas.</summary>
        public uint atlas;
        /// <summary>The number of sprites that differ: see hm_world_sprite_change().</summary>
        public uint changes;
    }
    /// <summary>A lent list of whole numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_numbers {
        /// <summary>The first number.</summary>
        public uint* items;
        /// <summary>The number of numbers.</summary>
        public UIntPtr count;
    }
    /// <summary>A sprite that differs between two versions of an atlas. The lists are lent until the next call of hm_world_replace_atlas() with the same world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_sprite_change {
        /// <summary>The name of the sprite, UTF-8 with a NUL at its end.</summary>
        public byte* sprite;
        /// <summary>The names of the planes that the new version lacks, with a line feed after each.</summary>
        public byte* lost_planes;
        /// <summary>The frames of both versions whose images have another size, counted from 0.</summary>
        public hm_numbers resized;
        /// <summary>HM_SPRITE_ADDED, HM_SPRITE_VANISHED or HM_SPRITE_CHANGED.</summary>
        public uint kind;
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
        /// <summary>The first id.</summary>
        public uint* items;
        /// <summary>The number of ids.</summary>
        public UIntPtr count;
    }
    /// <summary>The figures of hm_world_pose_stats().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_pose_stats {
        /// <summary>The number of poses that are drawn at present, shown or not.</summary>
        public ulong poses;
        /// <summary>The bytes of their masks, with unused gaps between them.</summary>
        public ulong bytes;
        /// <summary>The number of poses drawn since the last update.</summary>
        public ulong draws;
    }
    /// <summary>The result of hm_world_update_map(). The numbers are indices of `map.items`, ascending. All is lent until the next update of the same placed map, or its destruction.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_map_report {
        /// <summary>The map as it is now, with the ids of its colliders.</summary>
        public hm_map map;
        /// <summary>The items whose colliders were inserted.</summary>
        public hm_numbers inserted;
        /// <summary>The items that are gone, as they were before. Their colliders were removed, and the ids are stale.</summary>
        public hm_map_items removed;
        /// <summary>The items whose colliders were moved, or changed in another field. Other pixels alone do not count: hm_world_replace_atlas() shows them.</summary>
        public hm_numbers changed;
        /// <summary>The items that the game has changed or removed itself. They keep what it changed.</summary>
        public hm_numbers kept;
    }
    /// <summary>How sprites are baked. Fill it with hm_default_bake_settings().</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_bake_settings {
        /// <summary>Set by hm_default_bake_settings(); do not change it.</summary>
        public uint cookie;
        /// <summary>The number of angles in a full turn. Ignored if `max_error` is not 0. Default 64.</summary>
        public uint angles;
        /// <summary>The scales, as an array that is read during the call; null for scale 1 only.</summary>
        public float* scales;
        /// <summary>The number of scales. Default 0.</summary>
        public UIntPtr scale_count;
        /// <summary>If not 0, the number of angles is chosen for each sprite so that no pixel is farther from its exact place, in pixels. Default 0.</summary>
        public float max_error;
        /// <summary>How pixels are decided. Default HM_SAMPLING_NEAREST.</summary>
        public uint sampling;
        /// <summary>The pivot, if `use_pivot` is not 0.</summary>
        public hm_pivot pivot;
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
        /// <summary>Additional planes by alpha, each from 1 to 255, read during the call; or null. Each plane has the pixels whose alpha is at least its threshold. See hm_atlas_plane_for_threshold().</summary>
        public byte* thresholds;
        /// <summary>The number of these planes. Default 0.</summary>
        public UIntPtr threshold_count;
    }
    /// <summary>A lent list of points.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_points {
        /// <summary>The first point.</summary>
        public hm_point* items;
        /// <summary>The number of points.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of rectangles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_rects {
        /// <summary>The first rectangle.</summary>
        public hm_rect* items;
        /// <summary>The number of rectangles.</summary>
        public UIntPtr count;
    }
    /// <summary>A connected part of a mask.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_component {
        /// <summary>The number of its pixels.</summary>
        public ulong area;
        /// <summary>Its tight box.</summary>
        public hm_rect rect;
    }
    /// <summary>A lent list of connected parts.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_components {
        /// <summary>The first part.</summary>
        public hm_component* items;
        /// <summary>The number of parts.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of polygons. The corners of polygon i are `points[starts[i]]` up to but without `points[starts[i + 1]]`. Outer ones run clockwise, holes counter-clockwise.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_polygons {
        /// <summary>The corners of all polygons.</summary>
        public hm_point* points;
        /// <summary>count + 1 numbers: where each polygon starts, and where the last one ends.</summary>
        public uint* starts;
        /// <summary>The number of polygons.</summary>
        public UIntPtr count;
    }
    /// <summary>What a shape shall be like. Fill it with hm_default_shape_options(). Output units are pixels unless `scale` says otherwise, such as metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_shape_options {
        /// <summary>Set by hm_default_shape_options(); do not change it.</summary>
        public uint cookie;
        /// <summary>The greatest distance between the exact border and that of the shape, in pixels, either way: 0.1 to 32767. Default 1.</summary>
        public float max_error;
        /// <summary>On which side the shape may be. Default HM_FIT_NEAREST.</summary>
        public uint fit;
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
        public fixed byte reserved[3];
        /// <summary>The origin of the output, in pixels from the top left corner of the mask, or from the pivot of the sprite. Default (0, 0).</summary>
        public hm_vec2 origin;
    }
    /// <summary>Area, centroid and moment of inertia of a shape, in output units, for a density of 1.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_mass {
        /// <summary>The area.</summary>
        public double area;
        /// <summary>The centroid, to the right; 0 where the area is 0.</summary>
        public double centroid_x;
        /// <summary>The centroid, along y.</summary>
        public double centroid_y;
        /// <summary>The moment of inertia about the centroid.</summary>
        public double inertia;
    }
    /// <summary>A lent list of polygons or chains in output units. The corners of polygon i are `points[starts[i]]` up to but without `points[starts[i + 1]]`. The last corner of a polygon is joined to the first.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_paths {
        /// <summary>The corners of all polygons.</summary>
        public hm_vec2* points;
        /// <summary>count + 1 numbers: where each polygon starts, and where the last one ends.</summary>
        public uint* starts;
        /// <summary>The number of polygons.</summary>
        public UIntPtr count;
    }
    /// <summary>The pieces that were left out because they are thinner than hm_shape_options.min_width.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_thin_pieces {
        /// <summary>Their area in square output units.</summary>
        public double area;
        /// <summary>Their number.</summary>
        public uint count;
        /// <summary>0.</summary>
        public uint reserved;
    }
    /// <summary>A cell of a shape grid.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_shape_cell {
        /// <summary>The pixels of the cell.</summary>
        public hm_rect rect;
        /// <summary>The number of updates that changed the cell.</summary>
        public uint version;
        /// <summary>The number of islands that min_area left out.</summary>
        public uint islands_left_out;
        /// <summary>The number of holes that min_area left out.</summary>
        public uint holes_left_out;
    }
    /// <summary>Two poses of an atlas, and the offset of the second.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_pose_pair {
        /// <summary>The first pose. The top left pixel of its mask is at (0, 0).</summary>
        public ulong a;
        /// <summary>The second pose.</summary>
        public ulong b;
        /// <summary>The top left pixel of the second mask.</summary>
        public hm_point at;
    }
    /// <summary>A lent list of areas, one for each pair of a batch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_areas {
        /// <summary>The first number.</summary>
        public ulong* items;
        /// <summary>The number of pairs.</summary>
        public UIntPtr count;
    }
    /// <summary>A lent list of contacts, one for each pair of a batch.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct hm_contacts {
        /// <summary>The first contact.</summary>
        public hm_contact* items;
        /// <summary>The number of pairs.</summary>
        public UIntPtr count;
    }
    /// <summary>Receives a message of the log. The text is valid during the call. The callback runs on the thread whose call found something. It must return: no exception and no longjmp.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void hm_log_callback(IntPtr user, uint level, byte* message);
    public static unsafe partial class Hm {
        // libhitmask.so, libhitmask.dylib or hitmask.dll. Unity on iOS and WebGL needs "__Internal".
        const string Library = "hitmask";

        /// <summary>Returns whether there is an answer: false for HM_NONE. Throws if the call was refused.</summary>
        public static bool Check(hm_status status) {
            if (status > hm_status.HM_NONE) throw new HitmaskException(status);
            return status == hm_status.HM_OK;
        }

        /// <summary>Returns the bytes of a name or a path, for a call.</summary>
        public static byte[] Utf8(string text) {
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        /// <summary>Returns the id of a sprite of an atlas. Throws if there is none of this name.</summary>
        public static ulong Sprite(IntPtr atlas, string name) {
            if (Check(hm_atlas_sprite(atlas, Utf8(name), out var sprite))) return sprite;
            var message = "the atlas has no sprite \"" + name + "\"";
            if (Check(hm_atlas_alike(atlas, 0, Utf8(name), out var other))) {
                message += "; did you mean \"" + Text(other) + "\"?";
            }
            throw new ArgumentException(message);
        }

        /// <summary>Copies a text that the library lends.</summary>
        public static string Text(byte* lent) {
            var length = 0;
            while (lent[length] != 0) length++;
            return Encoding.UTF8.GetString(lent, length);
        }
    }

    /// <summary>A refused call: its status, and the message of hm_last_error().</summary>
    public unsafe class HitmaskException : Exception {
        public readonly hm_status Status;
        public HitmaskException(hm_status status)
            : base(Hm.Text(Hm.hm_status_text((int)status)) + ": " + Hm.Text(Hm.hm_last_error())) { Status = status; }
    }

    public static unsafe partial class Hm {
        /// <summary>Creates a world without colliders, over the sprites of an atlas. The world keeps the atlas alive: the handle of the atlas may be destroyed before the world.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_create(IntPtr atlas, out IntPtr world);
        /// <summary>Creates a copy of a world with the same ids, settings, pairs and user data. What happens in one does not affect the other. As a state to return to; see also hm_world_snapshot().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_clone(IntPtr world, out IntPtr copy);
        /// <summary>Destroys a world. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_destroy(IntPtr world);
        /// <summary>The tight boxes of the pixels decide.</summary>
        public const int HM_ACCURACY_BOX = 0;
        /// <summary>Coarse masks of 8 x 8 pixels decide where they can, for large sprites.</summary>
        public const int HM_ACCURACY_COARSE = 1;
        /// <summary>Pixels decide. The default.</summary>
        public const int HM_ACCURACY_EXACT = 2;
        /// <summary>For hm_collider.move_accuracy: the accuracy for touching. The default.</summary>
        public const int HM_ACCURACY_SAME = 255;
        /// <summary>Inserts a collider and writes its id. Errors: HM_UNINITIALISED, HM_BAD_VALUE, HM_UNKNOWN_SPRITE, HM_BAD_NUMBER, HM_UNBAKED_SCALE, HM_STALE_ID for a mask that was removed, HM_MASK_USE, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_insert(IntPtr world, hm_collider* collider, out ulong id);
        /// <summary>Replaces a collider by another, under the same id. Errors: those of hm_world_insert(), and HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set(IntPtr world, ulong id, hm_collider* collider);
        /// <summary>Writes the collider with this id. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_get(IntPtr world, ulong id, out hm_collider collider);
        /// <summary>Removes a collider. Its id stays stale. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_remove(IntPtr world, ulong id);
        /// <summary>Removes many colliders, as those of a map, and writes how many there were. Skips 0 and stale ids. Errors: HM_BAD_LENGTH, HM_NULL_POINTER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_remove_all(IntPtr world, ulong[] ids, UIntPtr count, out UIntPtr removed);
        /// <summary>Moves a collider to a position in pixels. Everything else stays as it is. Errors: HM_BAD_NUMBER, HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_to(IntPtr world, ulong id, float x, float y);
        /// <summary>Turns a collider to an angle in radians, clockwise on screen. Everything else stays as it is. Errors: HM_BAD_NUMBER, HM_STALE_ID, HM_MASK_USE for a run-time mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_turn_to(IntPtr world, ulong id, float angle);
        /// <summary>Places a collider at a position in pixels, an angle in radians and a scale at once. Everything else stays as it is. Errors: as hm_world_set().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_place(IntPtr world, ulong id, float x, float y, float angle, float scale);
        /// <summary>Places many colliders: `placements[i]` is that of `ids[i]`. All are placed, or none. The fastest way to move many: it takes less than 1/5 of the time of hm_world_set() for each. Ids in ascending order of slots are fastest. If an id is listed twice, its last placement counts. Errors: HM_STALE_ID, HM_BAD_NUMBER, HM_MASK_USE for a run-time mask with an angle. The message names the first bad item. Nothing was placed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set_placements(IntPtr world, ulong[] ids, hm_placement[] placements, UIntPtr count);
        /// <summary>Does the same as hm_world_set_placements(), with angles in 65,536ths of a turn.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set_placements_turn(IntPtr world, ulong[] ids, hm_placement_turn[] placements, UIntPtr count);
        /// <summary>Writes the number of colliders.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_count(IntPtr world, out UIntPtr count);
        /// <summary>Lends the ids of all colliders, in order of slots, until the next call that lends ids.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_ids(IntPtr world, out hm_colliders ids);
        /// <summary>Writes the tight box of a collider's pixels, in mask pixels. HM_NONE if it has no pixels. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_rect(IntPtr world, ulong id, out hm_rect rect);
        /// <summary>Creates a mask of the pixels of a collider, as it is placed, for drawing and for questions without the world. Writes to `origin` where the top left pixel of the mask is in the world, in mask pixels; `origin` may be null. Destroy the mask with hm_mask_destroy(). Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_posed_mask(IntPtr world, ulong id, out IntPtr mask, out hm_point origin);
        /// <summary>Sets the finest accuracy of pair tests from the next update on. Colliders with a coarser one keep theirs. The default is HM_ACCURACY_EXACT. Errors: HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set_accuracy(IntPtr world, byte accuracy);
        /// <summary>Writes the finest accuracy of pair tests.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_accuracy(IntPtr world, out byte accuracy);
        /// <summary>Sets which scales colliders may have, from the next call that sets a scale on: those within this factor of a baked one. 1 allows baked scales only; infinity allows all. The default is 1.5. Errors: HM_BAD_NUMBER for a factor below 1 or NaN.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set_scale_policy(IntPtr world, float factor);
        /// <summary>Writes the factor of hm_world_set_scale_policy().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_scale_policy(IntPtr world, out float factor);
        /// <summary>Stores a number with a collider, such as an index or a pointer of the caller. It stays until the collider is removed. The library uses it in hm_world_pick() and gives it to callbacks. It is not part of snapshots. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set_user_data(IntPtr world, ulong id, ulong data);
        /// <summary>Writes the number that was stored with a collider, 0 if none was. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_user_data(IntPtr world, ulong id, out ulong data);
        /// <summary>Returns a collider of the first frame of no sprite, at (0, 0), not rotated, at scale 1. Set at least `sprite` or `mask`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_collider hm_default_collider();
        /// <summary>Returns a filter that lets all colliders through, sensors included, tested by pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_filter hm_default_filter();
        /// <summary>Finds all pairs that touch. Call it once per tick, after the moves and before the questions about pairs. What was lent by hm_world_touching(), hm_world_began() and hm_world_ended() becomes invalid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_update(IntPtr world);
        /// <summary>Does the same as hm_world_update(), and keeps only the pairs for which `keep` does not return 0. Errors: HM_NULL_POINTER if `keep` is null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_update_with(IntPtr world, hm_keep_pair keep, IntPtr user);
        /// <summary>The obstacle is below: a floor.</summary>
        public const int HM_SIDE_BELOW = 0;
        /// <summary>The obstacle is above: a ceiling.</summary>
        public const int HM_SIDE_ABOVE = 1;
        /// <summary>The obstacle is on the left.</summary>
        public const int HM_SIDE_LEFT = 2;
        /// <summary>The obstacle is on the right.</summary>
        public const int HM_SIDE_RIGHT = 3;
        /// <summary>Does the same as hm_world_update_with(), with a callback that gets side and normal of each contact: a game can drop the contacts with walls. Computing them costs about 5 times as much as the area of the overlap, for each pair. Errors: HM_NULL_POINTER if `keep` is null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_update_with_contacts(IntPtr world, hm_keep_touch keep, IntPtr user);
        /// <summary>Writes whether the pairs of a world are known: 0 before its first hm_world_update(). A clone and a restored snapshot are as their world was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_is_updated(IntPtr world, out byte is_updated);
        /// <summary>Lends the pairs that touched at the last update, in ascending order of slots, until the next update, the next hm_world_restore(), or the end of the world. Errors: HM_NOT_UPDATED if the world has colliders and was never updated.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_touching(IntPtr world, out hm_pairs pairs);
        /// <summary>Lends the pairs that touched at the last update but not at the one before, in order, until the next update, the next hm_world_restore(), or the end of the world. Empty before the first update.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_began(IntPtr world, out hm_pairs pairs);
        /// <summary>Lends the pairs that touched at the update before the last but not at the last, in order, until the next update, the next hm_world_restore(), or the end of the world. Ids of removed colliders are among them. Empty before the first update.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_ended(IntPtr world, out hm_pairs pairs);
        /// <summary>Lends the pairs that touched at both of the last two updates, in order, until the next call that lends pairs other than those of the events.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_stayed(IntPtr world, out hm_pairs pairs);
        /// <summary>Writes the contact of a pair at the current placements. HM_NONE if the two do not touch, if one is disabled, or if an id is stale. Follows the accuracies, and ignores layers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_contact(IntPtr world, hm_pair pair, out hm_contact contact);
        /// <summary>Writes the contact of a pair at the given accuracy, whatever those of the colliders are. HM_NONE as for hm_world_contact(). Errors: HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_contact_at(IntPtr world, hm_pair pair, byte accuracy, out hm_contact contact);
        /// <summary>Writes the details of the overlap of a pair's pixels: normal, push-out, depth. HM_NONE if no pixels overlap. Costs some microseconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_overlap(IntPtr world, hm_pair pair, out hm_overlap overlap);
        /// <summary>Lends the planes of a pair that overlap, in order, until the next call of this function with the same world. Empty if an id is stale.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_overlapping_planes(IntPtr world, hm_pair pair, out hm_plane_pairs planes);
        /// <summary>Lends a text that explains why a pair touches or not: layers, boxes, accuracy, pixels. It is lent until the next call that lends a text from this world. HM_NONE if an id is stale.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_explain(IntPtr world, hm_pair pair, out hm_text text);
        /// <summary>Lends the colliders that touch a collider now, without an update, until the next call that lends ids. Follows layers, accuracies and owners. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_touching_with(IntPtr world, ulong id, out hm_colliders found);
        /// <summary>Lends the pairs that touch now, one collider of each list, until the next call that lends pairs other than those of the events. Stale ids touch nothing. Errors: HM_BAD_LENGTH, HM_NULL_POINTER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_touching_between(IntPtr world, ulong[] group, UIntPtr group_count, ulong[] others, UIntPtr others_count, out hm_pairs pairs);
        /// <summary>Writes the distance in pixels between the nearest pixels of two colliders, from centre to centre; 0 if they touch. HM_NONE if one has no pixels or is disabled. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_distance(IntPtr world, ulong a, ulong b, out double distance);
        /// <summary>Writes the shortest translation, in pixels, that ends every overlap of a collider with obstacles, at most `radius` pixels long. (0, 0) if it overlaps none. HM_NONE if there is no such translation. Errors: HM_STALE_ID, HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_push_out(IntPtr world, ulong id, float radius, out hm_vec2 translation);
        /// <summary>Lends the colliders that have a pixel at a position in pixels, until the next call that lends ids. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_query_point(IntPtr world, float x, float y, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel in a rectangle of mask pixels, until the next call that lends ids. A filter with HM_ACCURACY_BOX finds those whose tight box overlaps the rectangle.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_query_rect(IntPtr world, hm_rect rect, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel whose centre is at most `radius` from a position, in pixels, until the next call that lends ids. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_query_circle(IntPtr world, float x, float y, float radius, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel whose centre lies in an upright ellipse, in pixels, until the next call that lends ids. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_query_ellipse(IntPtr world, float x, float y, float radius_x, float radius_y, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that have a pixel on a line between two positions in pixels, both ends included, until the next call that lends ids. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_query_line(IntPtr world, hm_vec2 from, hm_vec2 to, hm_filter* filter, out hm_colliders found);
        /// <summary>Lends the colliders that share a pixel with a mask whose top left pixel is at `at`, in mask pixels, until the next call that lends ids. Errors: those of handles.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_query_mask(IntPtr world, IntPtr mask, hm_point at, hm_filter* filter, out hm_colliders found);
        /// <summary>Writes the first collider that a ray hits on its way between two positions in pixels. HM_NONE if it hits none. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_ray(IntPtr world, hm_vec2 from, hm_vec2 to, hm_filter* filter, out hm_line_hit hit);
        /// <summary>Lends all colliders that a ray hits on its way between two positions in pixels, in order of the way, until the next call of this function with the same world. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_ray_all(IntPtr world, hm_vec2 from, hm_vec2 to, hm_filter* filter, out hm_line_hits hits);
        /// <summary>The highest slot wins.</summary>
        public const int HM_PICK_BY_SLOT = 0;
        /// <summary>The largest number of hm_world_set_user_data() wins, as unsigned number: a height. Among equals the highest slot wins.</summary>
        public const int HM_PICK_BY_USER_DATA = 1;
        /// <summary>Writes the collider under a pointer at a position in pixels. If no pixel is there, the nearest collider within `radius` pixels is picked, so that small sprites can be hit. `order` decides among several: HM_PICK_BY_SLOT or HM_PICK_BY_USER_DATA. HM_NONE if there is none. Errors: HM_BAD_NUMBER, HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_pick(IntPtr world, float x, float y, float radius, uint order, hm_filter* filter, out ulong collider);
        /// <summary>Writes the collider whose pixels are nearest to a position, at most `within` pixels away, and the distance to the centre of that pixel. HM_NONE if there is none. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_nearest(IntPtr world, float x, float y, float within, hm_filter* filter, out hm_nearest nearest);
        /// <summary>Writes the collider whose pixels are nearest to those of another collider, at most `within` pixels away, and the distance from pixel centre to pixel centre. HM_NONE if there is none. Errors: HM_BAD_NUMBER, HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_nearest_to(IntPtr world, ulong id, float within, hm_filter* filter, out hm_nearest nearest);
        /// <summary>The pixels are farther apart than the radius.</summary>
        public const int HM_GRAZE_CLEAR = 0;
        /// <summary>The pixels do not touch, and are within the radius.</summary>
        public const int HM_GRAZE_NEAR = 1;
        /// <summary>The pixels touch.</summary>
        public const int HM_GRAZE_HIT = 2;
        /// <summary>Lends the colliders whose pixels touch those of a collider or come within `radius` pixels of them, until the next call of this function with the same world. Ignores layers of the collider itself. Errors: HM_STALE_ID, HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_graze(IntPtr world, ulong id, float radius, hm_filter* filter, out hm_grazes found);
        /// <summary>Writes the shortest translation, in mask pixels, after which a mask at `at` overlaps no collider of the filter, at most `radius` mask pixels long. (0, 0) if it overlaps none. HM_NONE if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_nearest_free_offset(IntPtr world, IntPtr mask, hm_point at, uint radius, hm_filter* filter, out hm_point offset);
        /// <summary>Returns the rules of a walker: climb 1, slip 0, no one-way layers, rise 2.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_move_rules hm_default_move_rules();
        /// <summary>Writes the first collider that a collider would hit if it moved by `motion`, in pixels. HM_NONE if the way is free. Nothing moves. Every pixel of the way is tested, at any speed. `keep` may be null: then every obstacle blocks. Errors: HM_STALE_ID, HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_cast(IntPtr world, ulong id, hm_vec2 motion, hm_keep_collider keep, IntPtr user, out hm_hit hit);
        /// <summary>Lends all colliders that a collider would hit if it moved by `motion` through everything, in the order of the way, until the next call that lends hits. `keep` may be null. Errors: HM_STALE_ID, HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_cast_all(IntPtr world, ulong id, hm_vec2 motion, hm_keep_collider keep, IntPtr user, out hm_hits hits);
        /// <summary>Writes the first collider of the filter that a mask would hit if it moved by `motion`, both in mask pixels; `at` is where its top left pixel is. HM_NONE if the way is free.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_cast_mask(IntPtr world, IntPtr mask, hm_point at, hm_point motion, hm_filter* filter, out hm_hit hit);
        /// <summary>Lends all colliders of the filter that a mask would hit if it moved by `motion` through everything, in the order of the way, until the next call that lends hits.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_cast_mask_all(IntPtr world, IntPtr mask, hm_point at, hm_point motion, hm_filter* filter, out hm_hits hits);
        /// <summary>Moves a collider by `motion`, in pixels, up to the first obstacle, and writes the hit that ended the motion. HM_NONE if the whole way was free. `hit.position` is the new position. Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_until_contact(IntPtr world, ulong id, hm_vec2 motion, out hm_hit hit);
        /// <summary>Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Gives the results of calls of hm_world_move_by_rules() in this order, faster on several threads. `rules` may be null. The lists are lent until the next call with the same world that moves colliders. Errors: HM_STALE_ID, HM_BAD_NUMBER. The message names the first bad item. Nothing has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_all(IntPtr world, ulong[] ids, hm_vec2[] motions, UIntPtr count, hm_move_rules* rules, out hm_moves moves);
        /// <summary>Moves a collider by `motion`, in pixels, and slides along obstacles: it stops flat at walls and floors and walks up slopes of up to 45 degrees. It does not overlap, bounce or stick. Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_and_slide(IntPtr world, ulong id, hm_vec2 motion, out hm_move_result result);
        /// <summary>Does the same as hm_world_move_and_slide(), by the given rules, and without the obstacles for which `keep` returns 0. `rules` and `keep` may be null. Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_by_rules(IntPtr world, ulong id, hm_vec2 motion, hm_move_rules* rules, hm_keep_collider keep, IntPtr user, out hm_move_result result);
        /// <summary>Does the same as hm_world_move_by_rules(), with a callback that decides about each contact: a game can let a jump through ceilings, or make only steep walls count. Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_by_rules_per_contact(IntPtr world, ulong id, hm_vec2 motion, hm_move_rules* rules, hm_keep_contact keep, IntPtr user, out hm_move_result result);
        /// <summary>Inserts many colliders, and lends their ids in the same order until the next call that lends ids. All are inserted, or none. Errors: as hm_world_insert(). The message names the first bad item.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_insert_all(IntPtr world, hm_collider[] colliders, UIntPtr count, out hm_colliders ids);
        /// <summary>Lends the positions and angles of many colliders, in the order of `ids`, until the next call of this function with the same world. Errors: HM_STALE_ID. The message names the first stale id.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_placements(IntPtr world, ulong[] ids, UIntPtr count, out hm_placements placements);
        /// <summary>Lends what many rays hit first, until the next call of hm_world_ray_all() or this function with the same world. Ray i runs from `ends[2 * i]` to `ends[2 * i + 1]`, in pixels: there are 2 * `count` ends. The collider of a hit is 0 if the ray hits none. Errors: HM_BAD_NUMBER. The message names the first bad ray.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_rays(IntPtr world, hm_vec2[] ends, UIntPtr count, hm_filter* filter, out hm_line_hits hits);
        /// <summary>Lends the colliders under many pointers, by the rules of hm_world_pick(), until the next call of this function with the same world. 0 for a pointer over none. Errors: HM_BAD_NUMBER, HM_BAD_VALUE. The message names the first bad point.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_picks(IntPtr world, hm_vec2[] points, UIntPtr count, float radius, uint order, hm_filter* filter, out hm_colliders colliders);
        /// <summary>Lends the first obstacle on the way of many colliders, `ids[i]` moved by `motions[i]` pixels, until the next call that lends hits. Nothing moves. The collider of a hit is 0 if the way is free. Errors: HM_STALE_ID, HM_BAD_NUMBER. The message names the first bad item.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_casts(IntPtr world, ulong[] ids, hm_vec2[] motions, UIntPtr count, out hm_hits hits);
        /// <summary>Draws the poses that colliders would show, before they show them: while a level loads, or in the rest of a frame. Positions and rules do not matter. Stops before a group of poses when this call has taken `max_microseconds` or has drawn `max_bytes` of masks; UINT64_MAX is no limit. A group takes about 0.2 ms and 128 KiB. Writes the number of colliders at the front whose poses are drawn: call it with the others in the next frame, until none is left. Does nothing over a single drawn atlas, and for run-time masks. No answer depends on it. Errors: as hm_world_insert(), and HM_OVER_LIMIT if the poses exceed the budget of the world. The message names the first bad item. HM_BAD_VALUE for a limit on time in WebAssembly, which has no clock.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_draw_ahead(IntPtr world, hm_collider[] colliders, UIntPtr count, ulong max_microseconds, ulong max_bytes, out UIntPtr drawn);
        /// <summary>Lends the colliders of an owner, in order of slots, until the next call that lends ids. Empty if the owner has none, or is 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_parts_of(IntPtr world, uint owner, out hm_colliders parts);
        /// <summary>Lends the pairs of bodies that touched at the last update, each pair once, until the next call that lends pairs of bodies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_touching_bodies(IntPtr world, out hm_body_pairs pairs);
        /// <summary>Lends the pairs of bodies that began to touch at the last update, until the next call that lends pairs of bodies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_began_bodies(IntPtr world, out hm_body_pairs pairs);
        /// <summary>Lends the pairs of bodies that ceased to touch at the last update, until the next call that lends pairs of bodies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_ended_bodies(IntPtr world, out hm_body_pairs pairs);
        /// <summary>Writes the first collider that a body would hit if all its parts moved by `motion`, in pixels. HM_NONE if the way is free for all. Nothing moves. Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_cast_body(IntPtr world, uint owner, hm_vec2 motion, out hm_body_hit hit);
        /// <summary>Moves all parts of a body by `motion`, in pixels, up to the first obstacle of any of them, and writes the hit that ended the motion. HM_NONE if the way was free. Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER. Nothing has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_move_body(IntPtr world, uint owner, hm_vec2 motion, out hm_body_hit hit);
        /// <summary>Moves all parts of a body by `motion`, in pixels, through everything. Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER. Nothing has moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_translate_body(IntPtr world, uint owner, hm_vec2 motion);
        /// <summary>Adds a copy of a mask to a world and writes its id. Colliders show it with hm_collider.mask; any number of them can share it. Errors: HM_BAD_NUMBER for a pivot out of range, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_insert_mask(IntPtr world, IntPtr mask, hm_pivot* pivot, out ulong id);
        /// <summary>Returns the transform of a child in its parent: scaled, then turned by `radians`, clockwise on screen, about `registration` in the child, which is placed at `at` in the parent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_affine hm_affine_placed(hm_vec2 at, hm_vec2 registration, float angle, float scale);
        /// <summary>Returns the transform that applies `first`, then `second`, as for a child and its parent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_affine hm_affine_then(hm_affine first, hm_affine second);
        /// <summary>Adds a mask that is drawn from a source by a transform about the pivot of the source, and writes its id: for scales, skews and angles that no atlas holds. Errors: HM_BAD_NUMBER for a pivot or transform out of range, HM_BAD_MASK if the result is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_insert_transformed(IntPtr world, IntPtr source, hm_pivot* pivot, hm_affine* transform, out ulong id);
        /// <summary>Draws a mask of hm_world_insert_transformed() again with another transform, for all colliders that show it. A transform that differs by whole pixels only moves the mask. Errors: HM_STALE_ID, HM_MASK_USE for a mask without a source, HM_BAD_NUMBER, HM_BAD_MASK.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_transform_mask(IntPtr world, ulong id, hm_affine* transform);
        /// <summary>Draws a mask of hm_world_insert_transformed() again from another source and pivot, with its last transform, for all colliders that show it: a hole in the source turns with the rest. Errors: HM_STALE_ID, HM_MASK_USE for a mask without a source, HM_BAD_NUMBER, HM_BAD_MASK.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_redraw_mask(IntPtr world, ulong id, IntPtr source, hm_pivot* pivot);
        /// <summary>Sets or clears a rectangle of a run-time mask, for all colliders that show it. The rectangle is in pixels of the mask. What is outside of the mask is ignored. `solid` is 0 to clear. Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_fill_rect(IntPtr world, ulong id, hm_rect rect, byte solid);
        /// <summary>Sets or clears a disc of a run-time mask: the pixels whose centre is at most `radius` pixels from the centre of the pixel `center`. `solid` is 0 to clear: a crater. Errors: HM_STALE_ID, HM_BAD_MASK for a radius that is too large.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_fill_disc(IntPtr world, ulong id, hm_point center, uint radius, byte solid);
        /// <summary>Sets the pixels that are set in the other mask.</summary>
        public const int HM_BLIT_DRAW = 0;
        /// <summary>Clears the pixels that are set in the other mask.</summary>
        public const int HM_BLIT_ERASE = 1;
        /// <summary>Toggles the pixels that are set in the other mask.</summary>
        public const int HM_BLIT_TOGGLE = 2;
        /// <summary>Clears the pixels that are not set in the other mask, also those outside of it.</summary>
        public const int HM_BLIT_INTERSECT = 3;
        /// <summary>Draws a mask on a run-time mask: HM_BLIT_DRAW, HM_BLIT_ERASE, HM_BLIT_TOGGLE or HM_BLIT_INTERSECT. The top left pixel of `mask` goes to `at`. Errors: HM_STALE_ID, HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_blit(IntPtr world, ulong id, IntPtr mask, hm_point at, uint operation);
        /// <summary>Replaces the pixels of a run-time mask by those of a mask of the same size. Errors: HM_STALE_ID, HM_BAD_LENGTH if the sizes differ.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_replace_mask(IntPtr world, ulong id, IntPtr mask);
        /// <summary>Creates a copy of a run-time mask. Destroy it with hm_mask_destroy(). Errors: HM_STALE_ID.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_copy_mask(IntPtr world, ulong id, out IntPtr mask);
        /// <summary>Removes a run-time mask from a world. Its id stays stale. Errors: HM_STALE_ID, HM_MASK_USE if a collider shows it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_remove_mask(IntPtr world, ulong id);
        /// <summary>Lends the whole state of a world as bytes, until the next call of this function or of hm_world_snapshot_to() with the same world: for rollback, replays and saved games. User data is not included. The same state gives the same bytes on every machine.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_snapshot(IntPtr world, out hm_bytes bytes);
        /// <summary>Writes the whole state of a world to the caller's buffer, and the number of its bytes to `size`. If the buffer is too small, `size` is the number of bytes that are needed. A null pointer with the capacity 0 asks for that number. Errors: HM_BUFFER_TOO_SMALL, HM_NULL_POINTER, HM_BAD_LENGTH for a capacity beyond any memory.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_snapshot_to(IntPtr world, byte[] buffer, UIntPtr capacity, out UIntPtr size);
        /// <summary>Restores the state of a snapshot of a world over the same atlas. Ids that were valid then are valid again. The lists of events are those of the snapshot; older lent ones become invalid. Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED. The world is left as it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_restore(IntPtr world, byte[] bytes, UIntPtr count);
        /// <summary>Creates a world from a snapshot over the same atlas. Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_from_snapshot(IntPtr atlas, byte[] bytes, UIntPtr count, out IntPtr world);
        /// <summary>Writes a hash of the state that snapshots hold: equal states give equal hashes on every machine, in every language. In Rust and Python that includes user data; those of C are not part of it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_state_hash(IntPtr world, out ulong hash);
        /// <summary>Checks the invariants of a world, for bug reports. It takes a while. Errors: HM_INVALID_WORLD.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_validate(IntPtr world);
        /// <summary>Returns the default limits for opening an atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_atlas_limits hm_default_atlas_limits();
        /// <summary>Opens an atlas file. Its structure is checked; hm_atlas_verify() checks the pixels too. Errors: HM_BAD_TEXT for a path that is not UTF-8 or has more than 4095 bytes, HM_IO, HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_FULL, HM_UNSUPPORTED in a browser.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_open(byte[] path, hm_atlas_limits* limits, out IntPtr atlas);
        /// <summary>Opens an atlas in memory. The bytes are copied. Errors: HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_from_bytes(byte[] bytes, UIntPtr count, hm_atlas_limits* limits, out IntPtr atlas);
        /// <summary>Opens an atlas in place, without a copy if the bytes are aligned to 64. The bytes must stay as they are until the atlas and every world and batch over it is destroyed: for data that is part of the program, or a file that is mapped into memory. Errors: HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_from_static(byte* bytes, UIntPtr count, hm_atlas_limits* limits, out IntPtr atlas);
        /// <summary>Destroys the handle of an atlas. Worlds over it keep what they need. All texts that it has lent become invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_destroy(IntPtr atlas);
        /// <summary>Checks every byte of an atlas: checksums and pixels. Opening checks the structure only, which is enough for files of one's own. Takes about 1 ms per megabyte. Errors: HM_DAMAGED.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_verify(IntPtr atlas);
        /// <summary>Writes the number of sprites.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_sprite_count(IntPtr atlas, out uint count);
        /// <summary>Writes the number of stored poses.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_pose_count(IntPtr atlas, out uint count);
        /// <summary>Writes the mask pixels per pixel of positions: 1 unless the atlas was baked otherwise.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_resolution(IntPtr atlas, out float resolution);
        /// <summary>Lends the bytes of an atlas until it is destroyed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_bytes(IntPtr atlas, out hm_bytes bytes);
        /// <summary>Writes the map with this name, for reading. Its texts and lists are lent until the atlas is destroyed. HM_NONE if there is none. Errors: HM_BAD_TEXT, HM_NULL_POINTER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_map(IntPtr atlas, byte[] name, out hm_map map);
        /// <summary>Writes the id of the sprite with this name. HM_NONE if there is none: hm_atlas_alike() gives a name to suggest. Errors: HM_BAD_TEXT, HM_NULL_POINTER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_sprite(IntPtr atlas, byte[] name, out ulong sprite);
        /// <summary>Lends the name most like a misspelt one, for a message, until the atlas is destroyed: of a sprite if `sprite` is 0, or else of a plane of that sprite. HM_NONE if no name is like it. Costs about 1 us for each sprite. Errors: HM_UNKNOWN_SPRITE, HM_BAD_TEXT, HM_NULL_POINTER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_alike(IntPtr atlas, ulong sprite, byte[] name, out byte* other);
        /// <summary>Writes the id of the sprite at an index, in the order of names from 0. HM_NONE beyond the last.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_sprite_at(IntPtr atlas, uint index, out ulong sprite);
        /// <summary>Writes what is known about a sprite. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_sprite_info(IntPtr atlas, ulong sprite, out hm_sprite info);
        /// <summary>Lends the baked scales of a sprite, in ascending order, until the atlas is destroyed. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_scales(IntPtr atlas, ulong sprite, out hm_floats scales);
        /// <summary>Writes the index of the plane with this name. HM_NONE if there is none. Errors: HM_UNKNOWN_SPRITE, HM_BAD_TEXT, HM_NULL_POINTER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_plane(IntPtr atlas, ulong sprite, byte[] name, out uint plane);
        /// <summary>Lends the name of a plane until the atlas is destroyed. HM_NONE if there is no such plane. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_plane_name(IntPtr atlas, ulong sprite, uint plane, out byte* name);
        /// <summary>Solid if the value is at least `alpha`. The default.</summary>
        public const int HM_ALPHA_AT_LEAST = 0;
        /// <summary>Solid if the value is greater than `alpha`.</summary>
        public const int HM_ALPHA_ABOVE = 1;
        /// <summary>Solid if all bits of `alpha` are set in the value.</summary>
        public const int HM_ALPHA_BITS = 2;
        /// <summary>The fourth byte of a pixel. The default.</summary>
        public const int HM_CHANNEL_ALPHA = 0;
        /// <summary>The first byte.</summary>
        public const int HM_CHANNEL_RED = 1;
        /// <summary>The second byte.</summary>
        public const int HM_CHANNEL_GREEN = 2;
        /// <summary>The third byte.</summary>
        public const int HM_CHANNEL_BLUE = 3;
        /// <summary>Writes the rule for alpha that a sprite was baked with, for masks at run time that equal baked ones. Its channel and colours are the defaults, because an atlas does not hold them. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_alpha_rule(IntPtr atlas, ulong sprite, out hm_texel_rule rule);
        /// <summary>Writes the threshold of a plane by alpha: its pixels have at least this alpha. HM_NONE if the plane has none, or if there is no such plane. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_plane_threshold(IntPtr atlas, ulong sprite, uint plane, out byte threshold);
        /// <summary>Writes the plane with the least threshold that is at least `threshold`: every pixel of it has at least this alpha. HM_NONE if there is none. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_plane_for_threshold(IntPtr atlas, ulong sprite, byte threshold, out uint plane);
        /// <summary>Writes the plane of a sprite that is drawn with an alpha of its own, `fade`, usually from 0 to 1: a pixel counts if its alpha times `fade` is at least `threshold`. HM_NONE if no pixel can: disable the collider then. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_plane_for_fade(IntPtr atlas, ulong sprite, byte threshold, float fade, out uint plane);
        /// <summary>Writes the size of a frame's image in pixels, before trimming. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_frame_size(IntPtr atlas, ulong sprite, uint frame, out hm_size size);
        /// <summary>Writes the pivot of a frame in half-pixels from the top left corner of its image. Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_pivot(IntPtr atlas, ulong sprite, uint frame, out hm_point pivot);
        /// <summary>Creates a mask of a pose: the baked one nearest to an angle in radians and a scale. Writes to `origin` where its top left pixel is relative to the position of a collider; `origin` may be null. The flips are 0 or not. HM_NONE if the angle or the scale is not finite. Errors: HM_UNKNOWN_SPRITE, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_posed_mask(IntPtr atlas, ulong sprite, uint frame, uint plane, float angle, float scale, byte flip_x, byte flip_y, out IntPtr mask, out hm_point origin);
        /// <summary>For hm_world_set_pose_budget(): no limit.</summary>
        public const ulong HM_NO_POSE_BUDGET = ulong.MaxValue;
        /// <summary>Writes the id of an atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_get_id(IntPtr atlas, out uint id);
        /// <summary>Creates a handle of the same atlas under another id, which depends on its own id and on `label`. So a world can hold an atlas several times. Sprite ids of the atlas before are refused by the new one. The bytes are shared. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_labelled(IntPtr atlas, uint label, out IntPtr labelled);
        /// <summary>Writes whether all poses of an atlas are stored. Those of a compact atlas are drawn when they are shown, unless it is opened with hm_atlas_drawn().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_is_drawn(IntPtr atlas, out byte is_drawn);
        /// <summary>Creates a handle of the same atlas with all poses, on all cores. It has the same id. A drawn atlas is shared at once. Errors: HM_OVER_LIMIT, HM_DAMAGED, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_drawn(IntPtr atlas, out IntPtr drawn);
        /// <summary>Adds an atlas to a world and writes its id, so that colliders may show its sprites beside those of the others. All atlases of a world have one resolution and different ids. Places every collider again. The handle of the atlas may be destroyed afterwards. Errors: HM_ATLAS_USE for another resolution or an id that the world has, HM_OVER_LIMIT.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_add_atlas(IntPtr world, IntPtr atlas, out uint id);
        /// <summary>Drops an atlas that no collider shows, with its earlier versions. Its sprite ids are refused from then on. Errors: HM_ATLAS_USE if colliders show it or if it is the only one, HM_UNKNOWN_ATLAS.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_drop_atlas(IntPtr world, uint atlas);
        /// <summary>Drops an atlas with its earlier versions, removes the colliders that show it, and lends their ids, which are stale from then on, until the next call that lends ids. Their pairs end with the next update. Errors: HM_ATLAS_USE if it is the only one, HM_UNKNOWN_ATLAS.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_drop_atlas_and_colliders(IntPtr world, uint atlas, out hm_colliders removed);
        /// <summary>Replaces the atlas with the id `old` by another version of it, as after a new bake. Sprites, planes and ids are matched by name: each collider keeps its id and place, and sprite ids of the earlier version keep working. A collider whose sprite, plane or frame is missing in the new version keeps its earlier pixels, and the report lists it. The next update tests all pairs. Errors: HM_UNKNOWN_ATLAS, HM_ATLAS_USE for another resolution or the id of another atlas of the world, HM_OVER_LIMIT.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_replace_atlas(IntPtr world, uint old, IntPtr atlas, out hm_reload_report report);
        /// <summary>Only the new atlas has the sprite.</summary>
        public const int HM_SPRITE_ADDED = 0;
        /// <summary>Only the earlier atlas has the sprite.</summary>
        public const int HM_SPRITE_VANISHED = 1;
        /// <summary>The images of the sprite differ in number or size, or it lost a plane.</summary>
        public const int HM_SPRITE_CHANGED = 2;
        /// <summary>Writes a sprite that differs, by its index in the last report of hm_world_replace_atlas(): first the added ones, then the vanished, then the changed. HM_NONE beyond the last.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_sprite_change(IntPtr world, uint index, out hm_sprite_change change);
        /// <summary>Lends the ids of the atlases of a world, in the order of adding, until the next call of this function with the same world. Earlier versions that colliders still show follow.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_atlases(IntPtr world, out hm_atlas_ids ids);
        /// <summary>Creates a handle of an atlas of a world. Destroy it with hm_atlas_destroy(). The bytes are shared. Errors: HM_UNKNOWN_ATLAS, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_atlas(IntPtr world, uint id, out IntPtr atlas);
        /// <summary>Writes the atlas of a world that has a sprite, and the id of the sprite there. An id of an earlier version names the sprite of the same name in the newest one. HM_NONE if no atlas has it. `newest` may be null. Errors: HM_UNKNOWN_SPRITE if `sprite` is no id.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_atlas_of_sprite(IntPtr world, ulong sprite, out uint atlas, out ulong newest);
        /// <summary>Creates a world from a snapshot over several atlases: those of hm_world_atlases() when the snapshot was taken, in that order. For one atlas, hm_world_from_snapshot() does the same. Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED, HM_FULL; those of handles, for each atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_from_snapshot_over(IntPtr[] atlases, UIntPtr atlas_count, byte[] bytes, UIntPtr count, out IntPtr world);
        /// <summary>Limits the bytes of the masks that a world has drawn from compact atlases, or of several atlases. HM_NO_POSE_BUDGET, the default, is no limit. When a new pose does not fit, poses that no collider shows make room, which takes a pass over all colliders. Give at least 4/3 of what colliders show: close to the limit almost every new pose takes such a pass. Errors: HM_OVER_LIMIT if the poses that colliders show take more.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_set_pose_budget(IntPtr world, ulong bytes);
        /// <summary>Writes the budget of hm_world_set_pose_budget().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_pose_budget(IntPtr world, out ulong bytes);
        /// <summary>Writes figures about the poses that a world has drawn. All are 0 over a single drawn atlas.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_pose_stats(IntPtr world, out hm_pose_stats stats);
        /// <summary>Inserts the colliders of a map, fixed, with the map's top-left corner at a position in pixels. Takes the map of the first atlas of hm_world_atlases() that has one with this name. Lends the map with the ids of its colliders until the next call of this function with the same world. hm_world_remove_all() takes them out again. After hm_world_replace_atlas() the colliders show the new pixels, and hm_world_update_map() brings the rest up to date. It takes `placed`, which may be null for a map that is never edited. Errors: HM_UNKNOWN_SPRITE if no atlas has the map, or the map's atlas has no sprite that the map needs; HM_BAD_TEXT, HM_BAD_NUMBER, HM_UNBAKED_SCALE, HM_OVER_LIMIT, HM_FULL. No collider was inserted.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_insert_map(IntPtr world, byte[] name, hm_vec2 at, out hm_map map, out IntPtr placed);
        /// <summary>Brings a placed map up to date with the map of the same name in the first atlas of hm_world_atlases() that has one, as a rule after hm_world_replace_atlas(). Items are matched by their ids: those that are gone are removed, new ones inserted, moved ones moved, and all others keep their colliders. What the game has changed itself stays, and the report lists it. Errors: those of hm_world_insert_map(). The world and the placed map stay as they were, with a level that is damaged or incomplete too: the game goes on with the last one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_update_map(IntPtr world, IntPtr placed, out hm_map_report report);
        /// <summary>Destroys a placed map, and leaves its colliders in the world. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_placed_map_destroy(IntPtr placed);
        /// <summary>The texel under the pixel's centre decides, as a renderer with nearest filtering draws.</summary>
        public const int HM_SAMPLING_NEAREST = 0;
        /// <summary>4 of 16 samples decide. Keeps thin lines in one piece; baking takes about 10 times as long.</summary>
        public const int HM_SAMPLING_COVERAGE25 = 1;
        /// <summary>Returns the default settings: 64 angles, scale 1, alpha of at least 128, the centre as pivot.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_bake_settings hm_default_bake_settings();
        /// <summary>Creates a baker without sprites. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_create(out IntPtr baker);
        /// <summary>Destroys a baker. The bytes that it has lent become invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_destroy(IntPtr baker);
        /// <summary>Sets the settings of all sprites that are added afterwards without settings of their own. Errors: HM_UNINITIALISED, HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_set_settings(IntPtr baker, hm_bake_settings* settings);
        /// <summary>Sets the mask pixels per pixel of positions, a power of 2 from 1/8 to 8. Default 1. The bake reports other values: HM_BAKE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_set_resolution(IntPtr baker, float resolution);
        /// <summary>Limits the size of the opened atlas in bytes. If it would be larger, sprites that turn get fewer angles. The bake fails if 8 angles for each exceed the limit. Default: no limit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_set_max_bytes(IntPtr baker, ulong bytes);
        /// <summary>Sets whether the atlas holds the images only, and a world draws poses when they are first shown. `compact` is 0 or not. Default 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_set_compact(IntPtr baker, byte compact);
        /// <summary>Adds a sprite of `frames` images of one size: 4 bytes per pixel, the last of which is alpha, row by row from the top, one image after the other. The bytes are read during the call. `settings` may be null. Bad names are reported by the bake. Errors: HM_BAD_TEXT, HM_BAD_LENGTH if `count` is not 4 * width * height * frames, HM_BAD_MASK if a side is too large, HM_UNINITIALISED, HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_add_rgba(IntPtr baker, byte[] name, uint width, uint height, uint frames, byte[] rgba, UIntPtr count, hm_bake_settings* settings);
        /// <summary>Adds a sprite whose frames are copies of masks. `settings` may be null. Errors: those of handles, for each mask; HM_BAD_TEXT, HM_NULL_POINTER, HM_UNINITIALISED, HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_add_masks(IntPtr baker, byte[] name, IntPtr[] masks, UIntPtr count, hm_bake_settings* settings);
        /// <summary>Adds a sprite of several named planes, such as a body, a weak spot and a shield. `masks` has `frames` * `plane_count` masks: those of the first frame in the order of `planes`, then those of the next. All masks of a frame have one size. Colliders choose a plane with hm_collider.plane. `settings` may be null. Errors: those of handles, for each mask; HM_BAD_TEXT, HM_NULL_POINTER, HM_UNINITIALISED, HM_BAD_VALUE; HM_BAD_LENGTH for more masks than any memory holds; HM_BAKE if `plane_count` is 0, for a bad or repeated name of a plane, or masks of different sizes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_add_planes(IntPtr baker, byte[] name, IntPtr[] planes, UIntPtr plane_count, IntPtr[] masks, UIntPtr frames, hm_bake_settings* settings);
        /// <summary>Bakes all sprites and lends the bytes of the atlas, until the next call of this function with the same baker. The same sprites and settings give the same bytes on every machine. Warnings go to the callback of hm_set_log(). Uses all cores. Errors: HM_BAKE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_bake(IntPtr baker, out hm_bytes bytes);
        /// <summary>Bakes all sprites and opens the atlas, without its bytes as a detour. Errors: HM_BAKE, HM_OVER_LIMIT, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_baker_bake_atlas(IntPtr baker, out IntPtr atlas);
        /// <summary>Returns the default rule: solid if alpha is at least 128, at any colour.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_texel_rule hm_default_texel_rule();
        /// <summary>Creates a mask from an image as hm_mask_from_rgba() does, with a rule for alpha, channel and colours. Errors: HM_BAD_MASK if `count` is not 4 * width * height, HM_UNINITIALISED, HM_BAD_VALUE, HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_rgba_by_rule(uint width, uint height, byte[] rgba, UIntPtr count, hm_texel_rule* rule, out IntPtr mask);
        /// <summary>Returns the number of hm_texel_rule.alpha, for HM_ALPHA_BITS, that classic pixel collision libraries call an alpha tolerance of `tolerance`, from 0 to 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte hm_alpha_tolerance(float tolerance);
        /// <summary>Creates a mask of clear pixels. Each side is at most 32767 pixels. Errors: HM_BAD_MASK, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_create(uint width, uint height, out IntPtr mask);
        /// <summary>Creates a mask of set pixels. Errors: HM_BAD_MASK, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_solid(uint width, uint height, out IntPtr mask);
        /// <summary>Creates a disc: the pixels whose centres are at most `radius` pixels from the centre of the middle pixel. Each side is 2 * radius + 1. Errors: HM_BAD_MASK, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_disc(uint radius, out IntPtr mask);
        /// <summary>Creates a mask from rows of text of at most 4095 bytes: '#' is a set pixel, '.' a clear one, and a line feed ends a row. Empty lines and spaces at both ends of a row are ignored. Errors: HM_BAD_TEXT, HM_BAD_MASK for other characters and for rows of different lengths, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_text(byte[] rows, out IntPtr mask);
        /// <summary>Creates a mask from an image: 4 bytes per pixel, the last of which is alpha, row by row from the top, without padding. A pixel is set if its alpha is at least `alpha`, usually 128. `count` is the number of bytes. Errors: HM_BAD_MASK if `count` is not 4 * width * height, HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_rgba(uint width, uint height, byte[] rgba, UIntPtr count, byte alpha, out IntPtr mask);
        /// <summary>Creates a mask from bytes, one per pixel, row by row from the top, without padding. A pixel is set if its byte is at least `alpha`. Errors: HM_BAD_MASK if `count` is not width * height, HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_alpha(uint width, uint height, byte[] bytes, UIntPtr count, byte alpha, out IntPtr mask);
        /// <summary>Creates a mask from packed bits: each row takes (width + 7) / 8 bytes, the leftmost pixel in the highest bit, as in PBM files. Errors: HM_BAD_MASK if `count` is not height * ((width + 7) / 8), HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_bits(uint width, uint height, byte[] bits, UIntPtr count, out IntPtr mask);
        /// <summary>Creates a copy of a mask. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_clone(IntPtr mask, out IntPtr copy);
        /// <summary>Destroys a mask. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_destroy(IntPtr mask);
        /// <summary>Writes the size of a mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_size(IntPtr mask, out hm_size size);
        /// <summary>Writes whether a pixel is set. Pixels outside of the mask are clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_get(IntPtr mask, int x, int y, out byte is_set);
        /// <summary>Writes the number of set pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_count(IntPtr mask, out ulong count);
        /// <summary>Writes the tight box of the set pixels. HM_NONE if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_bounds(IntPtr mask, out hm_rect rect);
        /// <summary>Writes the centre of the set pixels. HM_NONE if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_centroid(IntPtr mask, out hm_vec2 centroid);
        /// <summary>Lends the outline of the first shape of a mask: its border pixels in clockwise order, from the leftmost pixel of the top row on. Lent until the next call that lends points of this mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_outline(IntPtr mask, out hm_points points);
        /// <summary>Lends rectangles that cover the set pixels, each pixel once, until the next call of this function with the same mask: for drawing, or for a physics engine of boxes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_rects(IntPtr mask, out hm_rects rects);
        /// <summary>Lends the pixels as packed bits, as hm_mask_from_bits() takes them, until the next call that lends bytes of this mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_bits(IntPtr mask, out hm_bytes bits);
        /// <summary>Lends the pixels as bytes, 255 for a set pixel and 0 for a clear one, row by row: an alpha texture. Lent until the next call that lends bytes of this mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_alpha(IntPtr mask, out hm_bytes bytes);
        /// <summary>Lends the mask as rows of text, as hm_mask_from_text() takes them, until the next call of this function with the same mask.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_text(IntPtr mask, out hm_text rows);
        /// <summary>Sets or clears a pixel. Pixels outside of the mask are ignored. `solid` is 0 to clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_set(IntPtr mask, int x, int y, byte solid);
        /// <summary>Sets all pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_fill(IntPtr mask);
        /// <summary>Clears all pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_clear(IntPtr mask);
        /// <summary>Toggles all pixels.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_invert(IntPtr mask);
        /// <summary>Sets or clears a rectangle. What is outside of the mask is ignored. `solid` is 0 to clear.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_fill_rect(IntPtr mask, hm_rect rect, byte solid);
        /// <summary>Draws `other` on `mask`: HM_BLIT_DRAW, HM_BLIT_ERASE, HM_BLIT_TOGGLE or HM_BLIT_INTERSECT. The top left pixel of `other` goes to `at`. The two may be the same mask. Errors: HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_blit(IntPtr mask, IntPtr other, hm_point at, uint operation);
        /// <summary>Creates a mask of the pixels of a rectangle. Pixels outside of the mask are clear. Errors: HM_BAD_MASK if a side is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_cropped(IntPtr mask, hm_rect rect, out IntPtr cropped);
        /// <summary>Creates a mask that is scaled to another size, by the nearest pixel. Errors: HM_BAD_MASK if a side is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_scaled(IntPtr mask, uint width, uint height, out IntPtr scaled);
        /// <summary>Creates a mask that is mirrored left and right. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_flipped_x(IntPtr mask, out IntPtr flipped);
        /// <summary>Creates a mask that is mirrored top and bottom. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_flipped_y(IntPtr mask, out IntPtr flipped);
        /// <summary>Creates a mask that is turned by a quarter turn, clockwise on screen. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_quarter_turned(IntPtr mask, out IntPtr turned);
        /// <summary>Grows by a disc: to all pixels whose centre is at most the radius away.</summary>
        public const int HM_GROW_DISC = 0;
        /// <summary>Grows by a square: by the radius along each axis.</summary>
        public const int HM_GROW_SQUARE = 1;
        /// <summary>Creates a mask that is grown by `radius` pixels on each side. Its top left pixel is that of the mask moved by `radius` to the left and up. Errors: HM_BAD_MASK if a side is too large, HM_BAD_VALUE, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_grown(IntPtr mask, uint radius, uint shape, out IntPtr grown);
        /// <summary>Creates a mask of the same size without the pixels that are within `radius` pixels of a clear one. Errors: HM_BAD_VALUE, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_shrunk(IntPtr mask, uint radius, uint shape, out IntPtr shrunk);
        /// <summary>Writes whether two masks share a set pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_touches(IntPtr mask, IntPtr other, hm_point at, out byte touches);
        /// <summary>Writes the number of pixels that two masks share.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_overlap_area(IntPtr mask, IntPtr other, hm_point at, out ulong area);
        /// <summary>Writes the tight box of the pixels that two masks share, in pixels of `mask`. HM_NONE if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_overlap_rect(IntPtr mask, IntPtr other, hm_point at, out hm_rect rect);
        /// <summary>Writes area, tight box and first pixel of the overlap, in pixels of `mask`. HM_NONE if the masks do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_contact(IntPtr mask, IntPtr other, hm_point at, out hm_contact contact);
        /// <summary>Creates a mask of the pixels that two masks share. It has the size of `mask`. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_overlap_mask(IntPtr mask, IntPtr other, hm_point at, out IntPtr overlap);
        /// <summary>Writes the shortest translation of `mask` that ends its overlap with `other`. Among equally short ones it points farthest up, then farthest left. HM_NONE if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_push_out(IntPtr mask, IntPtr other, hm_point at, out hm_point translation);
        /// <summary>Writes the shortest translation of `mask` after which it touches `other`; (0, 0) if it does. HM_NONE if one has no set pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_nearest(IntPtr mask, IntPtr other, hm_point at, out hm_point translation);
        /// <summary>Writes the distance between the nearest pixels of two masks, from centre to centre. HM_NONE if one has no set pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_distance(IntPtr mask, IntPtr other, hm_point at, out double distance);
        /// <summary>Writes the first contact of `mask` with `other` if `mask` moves by `motion`. HM_NONE if the way is free.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_cast(IntPtr mask, IntPtr other, hm_point at, hm_point motion, out hm_impact impact);
        /// <summary>Writes whether two masks touch (HM_GRAZE_HIT), come within `radius` pixels (HM_GRAZE_NEAR) or neither (HM_GRAZE_CLEAR).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_graze(IntPtr mask, IntPtr other, hm_point at, uint radius, out uint graze);
        /// <summary>Creates a mask of the pixels whose centres lie inside polygons. A pixel counts if it is inside an odd number of them, so a polygon inside another one is a hole. Polygon i has the corners `corners[starts[i]]` up to but without `corners[starts[i + 1]]`, in pixels; `starts` has `polygon_count` + 1 numbers, and null means one polygon of all corners. Corners snap to 1/256 of a pixel. Writes to `origin` the position of the top left pixel; `origin` may be null. Errors: HM_BAD_LENGTH if `starts` does not ascend up to at most `corner_count`, HM_BAD_NUMBER for a corner that is not finite or too far, HM_BAD_MASK for a mask that is too large, HM_NULL_POINTER, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_polygons(hm_vec2[] corners, UIntPtr corner_count, uint[] starts, UIntPtr polygon_count, out IntPtr mask, out hm_point origin);
        /// <summary>Creates a mask of the pixels whose centres lie in an upright ellipse with these radii, in pixels; a circle if both are equal. Writes to `origin` the position of the top left pixel; `origin` may be null. Errors: HM_BAD_NUMBER, HM_BAD_MASK if it is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_ellipse(hm_vec2 center, float radius_x, float radius_y, out IntPtr mask, out hm_point origin);
        /// <summary>Creates a mask of the pixels of a line between two positions in pixels, both ends included. Writes to `origin` the position of the top left pixel; `origin` may be null. Errors: HM_BAD_NUMBER, HM_BAD_MASK if it is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_from_line(hm_vec2 from, hm_vec2 to, out IntPtr mask, out hm_point origin);
        /// <summary>Creates one mask of the pixels of several masks, the top left pixel of `masks[i]` being at `positions[i]`. With all frames of a swing as parts it covers the whole swing. Writes to `origin` the position of the top left pixel; `origin` may be null. Errors: those of handles, for each mask; HM_NULL_POINTER, HM_BAD_MASK if it is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_union(IntPtr[] masks, hm_point[] positions, UIntPtr count, out IntPtr mask, out hm_point origin);
        /// <summary>Creates a copy that is cropped to the tight box of its pixels. Writes to `origin` where the top left pixel was in the mask; `origin` may be null. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_trimmed(IntPtr mask, out IntPtr trimmed, out hm_point origin);
        /// <summary>Creates a mask that is drawn from another one by a transform about a pivot, by nearest pixels, as sprites are baked. Writes to `origin` where the top left pixel of the result is relative to the pixel in which the pivot lies; `origin` and `pivot` may be null. Costs a few nanoseconds per pixel of the result's box: seconds for one of 30,000 pixels a side. Errors: HM_BAD_NUMBER for a pivot or transform out of range, HM_BAD_MASK if the result is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_transformed(IntPtr mask, hm_pivot* pivot, hm_affine* transform, out IntPtr transformed, out hm_point origin);
        /// <summary>Creates a mask of the offsets at which `mask` overlaps `other`: pixel (x, y) is set if they touch with `other` at (x - w + 1, y - h + 1), w and h being the sides of `other`. Clear pixels are the offsets at which `other` fits. Errors: HM_BAD_MASK if it is too large, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_convolve(IntPtr mask, IntPtr other, out IntPtr offsets);
        /// <summary>Writes the angle of the direction in which the pixels spread most, in radians from -pi/2 to pi/2, clockwise on screen; 0 if no direction dominates, as for a disc. HM_NONE if no pixel is set.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_angle(IntPtr mask, out float angle);
        /// <summary>Pixels that share an edge.</summary>
        public const int HM_CONNECT_4 = 4;
        /// <summary>Pixels that share an edge or a corner.</summary>
        public const int HM_CONNECT_8 = 8;
        /// <summary>Lends the connected parts of a mask, in the order of their first pixels, until the next call of this function with the same mask. hm_mask_component() makes a mask of each. Errors: HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_components(IntPtr mask, uint connectivity, out hm_components components);
        /// <summary>Creates a mask of a connected part, by its index in the last list of hm_mask_components() of this mask. It has the size of the tight box. HM_NONE beyond the last part. Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_component(IntPtr mask, UIntPtr index, out IntPtr component);
        /// <summary>Lends the borders of a mask as polygons between pixels, until the next call that lends points of this mask. They are exact; hm_mask_shape() gives polygons with fewer corners. Errors: HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_polygons(IntPtr mask, uint connectivity, out hm_polygons polygons);
        /// <summary>Lends the corners of the convex hull of a mask, between pixels, in clockwise order, until the next call that lends points of this mask. Empty if there is no pixel.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_convex_hull(IntPtr mask, out hm_points points);
        /// <summary>Writes where a line between two positions in pixels first meets a mask whose top left pixel is at `at`. The collider of the hit is 0. HM_NONE if it misses. Errors: HM_BAD_NUMBER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_ray(IntPtr mask, hm_point at, hm_vec2 from, hm_vec2 to, out hm_line_hit hit);
        /// <summary>Writes whether two masks share at least `pixels` pixels, the top left pixel of `other` being at `at`. 0 counts as 1. Usually faster than the exact number.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_overlap_at_least(IntPtr mask, uint pixels, IntPtr other, hm_point at, out byte overlaps);
        /// <summary>The topmost pixel; of these, the leftmost.</summary>
        public const int HM_SCAN_TOP = 0;
        /// <summary>The bottommost pixel; of these, the leftmost.</summary>
        public const int HM_SCAN_BOTTOM = 1;
        /// <summary>The leftmost pixel; of these, the topmost.</summary>
        public const int HM_SCAN_LEFT = 2;
        /// <summary>The rightmost pixel; of these, the topmost.</summary>
        public const int HM_SCAN_RIGHT = 3;
        /// <summary>Writes the first shared pixel of two masks in an order: HM_SCAN_TOP, HM_SCAN_BOTTOM, HM_SCAN_LEFT or HM_SCAN_RIGHT. In pixels of `mask`. HM_NONE if they do not touch. Errors: HM_BAD_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_first_overlap(IntPtr mask, uint order, IntPtr other, hm_point at, out hm_point point);
        /// <summary>Writes the shortest translation of `mask` that ends its overlap with `other`, along the line of pixels towards (x, y) = `direction`. HM_NONE if they do not touch or the direction is (0, 0).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_push_along(IntPtr mask, IntPtr other, hm_point at, hm_point direction, out hm_point translation);
        /// <summary>Writes the details of the overlap of two masks, in pixels of `mask`: normal, push-out, depth. `a` is `mask`, and `b` is `other`. HM_NONE if they do not touch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_overlap(IntPtr mask, IntPtr other, hm_point at, out hm_overlap overlap);
        /// <summary>On either side. It takes the fewest corners. The default.</summary>
        public const int HM_FIT_NEAREST = 0;
        /// <summary>The shape covers every set pixel.</summary>
        public const int HM_FIT_OUTSIDE = 1;
        /// <summary>The shape covers no clear pixel.</summary>
        public const int HM_FIT_INSIDE = 2;
        /// <summary>Returns the default options: 1 px of error, 8 corners a piece, in pixels with y down.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_shape_options hm_default_shape_options();
        /// <summary>Creates the shape of the set pixels of a mask: outlines as valid polygons within an error. A null pointer to the options means the defaults. The shape of an empty mask has no polygons. Errors: HM_UNINITIALISED, HM_BAD_NUMBER for an option out of range, HM_BAD_VALUE, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_mask_shape(IntPtr mask, hm_shape_options* options, out IntPtr shape);
        /// <summary>Creates the shape of a frame of a sprite about its pivot, upright and at scale 1. Options are in pixels of the image, and their origin is relative to the pivot. Otherwise it does what hm_mask_shape() does. Errors: HM_UNKNOWN_SPRITE, and those of hm_mask_shape().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_shape(IntPtr atlas, ulong sprite, uint frame, uint plane, hm_shape_options* options, out IntPtr shape);
        /// <summary>Creates the shape of a run-time mask of a world, as hm_mask_shape() does. Errors: HM_STALE_ID, and those of hm_mask_shape().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_mask_shape(IntPtr world, ulong id, hm_shape_options* options, out IntPtr shape);
        /// <summary>Destroys a shape. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_destroy(IntPtr shape);
        /// <summary>Writes area, centroid and moment of inertia of a shape.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_mass(IntPtr shape, out hm_mass mass);
        /// <summary>Writes the number of islands and of holes that hm_shape_options.min_area left out; `holes` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_left_out(IntPtr shape, out uint islands, out uint holes);
        /// <summary>Lends the outlines of a shape, each outer border before its holes, until the next call of this function with the same shape. Borders have positive area, holes negative. Lends with `borders` the index of the border of each ring: a border has its own. `borders` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_rings(IntPtr shape, out hm_paths rings, out hm_numbers borders);
        /// <summary>Lends convex pieces that are together the shape, until the next call of this function with the same shape. They have positive area: counter-clockwise with y up. Writes to `thin` what was left out; `thin` may be null.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_pieces(IntPtr shape, out hm_paths pieces, out hm_thin_pieces thin);
        /// <summary>Creates the shapes of a large mask in cells of `side` x `side` pixels, 8 to 1024, usually 64: for terrain that changes. A null pointer to the options means the defaults. Errors: HM_UNINITIALISED, HM_BAD_NUMBER for a side or an option out of range, HM_BAD_VALUE, HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_create(IntPtr mask, uint side, hm_shape_options* options, out IntPtr grid);
        /// <summary>Creates the shapes of a run-time mask of a world in cells, as hm_shape_grid_create() does. Errors: HM_STALE_ID, and those of hm_shape_grid_create().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_shape_grid(IntPtr world, ulong id, uint side, hm_shape_options* options, out IntPtr grid);
        /// <summary>Destroys a shape grid. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_destroy(IntPtr grid);
        /// <summary>Traces the cells near `rect` again, and lends the ids of those that are different in ascending order, until the next update of this grid. `rect` covers every pixel that was edited since the last update, in pixels of the mask; it may reach beyond the mask. Errors: HM_BAD_LENGTH if the mask has another size than the first one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_update(IntPtr grid, IntPtr mask, hm_rect rect, out hm_numbers changed);
        /// <summary>Traces cells again by a run-time mask of a world, as hm_shape_grid_update() does. Errors: HM_STALE_ID, HM_BAD_LENGTH.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_world_update_shape_grid(IntPtr world, ulong id, IntPtr grid, hm_rect rect, out hm_numbers changed);
        /// <summary>Writes the number of cells. Their ids are below it, row by row.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_count(IntPtr grid, out uint count);
        /// <summary>Writes what is known of a cell. HM_NONE beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_cell(IntPtr grid, uint id, out hm_shape_cell cell);
        /// <summary>Lends the outlines of a cell, as hm_shape_rings() does, until the next call of this function with the same grid. All cells have the coordinates of the whole mask. HM_NONE beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_rings(IntPtr grid, uint id, out hm_paths rings, out hm_numbers borders);
        /// <summary>Lends the convex pieces of a cell, as hm_shape_pieces() does, until the next call of this function with the same grid. HM_NONE beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_pieces(IntPtr grid, uint id, out hm_paths pieces, out hm_thin_pieces thin);
        /// <summary>Lends the outlines of the ground within a cell as chains, without the seams to other cells, until the next call of this function with the same grid. `closed` has 1 for a chain whose last point is joined to the first. Any other chain begins and ends with a ghost point in another cell, as Box2D takes it. `closed` may be null. HM_NONE beyond the last cell.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_shape_grid_chains(IntPtr grid, uint id, out hm_paths chains, out hm_bytes closed);
        /// <summary>No pixel is shared.</summary>
        public const int HM_CERTAINTY_NO = 0;
        /// <summary>Coarse masks cannot decide.</summary>
        public const int HM_CERTAINTY_MAYBE = 1;
        /// <summary>A pixel is shared.</summary>
        public const int HM_CERTAINTY_YES = 2;
        /// <summary>Writes the id of the stored pose that is nearest to an angle in radians and a scale, for a batch. Writes to `origin` where the top left pixel of its mask is relative to the position of a sprite; `origin` may be null. The flips are 0 or not. HM_NONE if the angle or the scale is not finite, or if the atlas is not drawn: see hm_atlas_drawn(). Errors: HM_UNKNOWN_SPRITE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_atlas_pose(IntPtr atlas, ulong sprite, uint frame, uint plane, float angle, float scale, byte flip_x, byte flip_y, out ulong pose, out hm_point origin);
        /// <summary>Creates a batch over the poses of an atlas, which it keeps: the handle of the atlas may be destroyed first. Reuse a batch, because its first questions allocate up to 1 MB. An atlas that is not drawn has no poses: see hm_atlas_drawn(). Errors: HM_FULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_create(IntPtr atlas, out IntPtr batch);
        /// <summary>Destroys a batch. All that it has lent becomes invalid. Null is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_destroy(IntPtr batch);
        /// <summary>Lends for each pair a byte: 1 if the two masks share a pixel, else 0. Lent until the next call that lends bytes of this batch. A pose that the atlas does not have touches nothing. Errors: HM_UNKNOWN_SPRITE if an id is 0 or was never given out, HM_NULL_POINTER, HM_BAD_LENGTH.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_touches(IntPtr batch, hm_pose_pair[] pairs, UIntPtr count, out hm_bytes answers);
        /// <summary>Lends for each pair a byte: 1 if the two masks share at least `pixels` pixels, else 0. 0 pixels count as 1. Lent until the next call that lends bytes of this batch. Errors: those of hm_batch_touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_overlap_at_least(IntPtr batch, uint pixels, hm_pose_pair[] pairs, UIntPtr count, out hm_bytes answers);
        /// <summary>Lends for each pair what coarse masks say: HM_CERTAINTY_NO, HM_CERTAINTY_MAYBE or HM_CERTAINTY_YES. Masks without coarse ones are tested exactly. Lent until the next call that lends bytes of this batch. Errors: those of hm_batch_touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_coarse(IntPtr batch, hm_pose_pair[] pairs, UIntPtr count, out hm_bytes answers);
        /// <summary>Lends for each pair the number of shared pixels, until the next call of this function with the same batch. Errors: those of hm_batch_touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_overlap_area(IntPtr batch, hm_pose_pair[] pairs, UIntPtr count, out hm_areas areas);
        /// <summary>Lends for each pair area, tight box and first pixel of the overlap, in pixels of the first mask. A pair that does not touch has area 0 and zeros. Lent until the next call that lends contacts of this batch. Errors: those of hm_batch_touches().</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_batch_contact(IntPtr batch, hm_pose_pair[] pairs, UIntPtr count, out hm_contacts contacts);
        /// <summary>The version of this interface. It grows when a function or a struct changes so that old callers would break. Compare it with hm_abi_version() of the library that was loaded.</summary>
        public const int HM_ABI_VERSION = 1;
        /// <summary>Returns the version of the interface that this library has: HM_ABI_VERSION of its header.</summary>
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
        /// <summary>A probable mistake, such as a sprite without pixels.</summary>
        public const int HM_LOG_WARNING = 1;
        /// <summary>A finding that needs no action as a rule, such as two equal sprites.</summary>
        public const int HM_LOG_HINT = 2;
        /// <summary>Sets the callback that receives the warnings of all threads; null for none, as at the start. `user` is passed to it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern hm_status hm_set_log(hm_log_callback callback, IntPtr user);
    }
}
