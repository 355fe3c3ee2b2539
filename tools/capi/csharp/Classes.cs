// The methods of the classes that have a regular form. Generated from hitmask.h by tools/capi/header.
using System;
using System.Runtime.InteropServices;
using Hitmask.Native;

namespace Hitmask {
    public sealed unsafe partial class Atlas {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Whole = 0;
            internal const int SpriteInfo = 1;
            internal const int AlphaRule = 2;
            internal const int Count = 3;
        }
        /// <summary>Opens an atlas file. Its structure is checked; Atlas.Verify() checks the pixels too. Errors: BadText for a path that is not UTF-8 or has more than 4095 bytes, Io, NotAnAtlas, Damaged, OverLimit, Full, Unsupported in a browser.</summary>
        public static Atlas Open(string path, AtlasLimits limits = null) {
            Library.Check();
            var limitsValue = limits == null ? default : limits.Native();
            Is(Hm.hm_atlas_open(Utf8.Bytes(path), limits == null ? null : &limitsValue, out IntPtr atlasOut));
            return atlasOut == IntPtr.Zero ? null : new Atlas(atlasOut);
        }
        /// <summary>Opens an atlas in memory. The bytes are copied. Errors: NotAnAtlas, Damaged, OverLimit, Full.</summary>
        public static Atlas FromBytes(ReadOnlySpan<byte> bytes, AtlasLimits limits = null) {
            Library.Check();
            var limitsValue = limits == null ? default : limits.Native();
            fixed (byte* bytesAt = &MemoryMarshal.GetReference(bytes)) {
                Is(Hm.hm_atlas_from_bytes(bytesAt, (UIntPtr)(uint)bytes.Length, limits == null ? null : &limitsValue, out IntPtr atlasOut));
                return atlasOut == IntPtr.Zero ? null : new Atlas(atlasOut);
            }
        }
        /// <summary>Checks every byte of an atlas: checksums and pixels. Opening checks the structure only, which is enough for files of one's own. Takes about 1 ms per megabyte. Errors: Damaged.</summary>
        public void Verify() {
            Is(Hm.hm_atlas_verify(Raw));
            GC.KeepAlive(this);
        }
        /// <summary>Gets the number of sprites.</summary>
        public int SpriteCount {
            get {
                Is(Hm.hm_atlas_sprite_count(Raw, out uint countOut));
                GC.KeepAlive(this);
                return (int)countOut;
            }
        }
        /// <summary>Gets the number of stored poses.</summary>
        public int PoseCount {
            get {
                Is(Hm.hm_atlas_pose_count(Raw, out uint countOut));
                GC.KeepAlive(this);
                return (int)countOut;
            }
        }
        /// <summary>Gets the mask pixels per pixel of positions: 1 unless the atlas was baked otherwise.</summary>
        public float Resolution {
            get {
                Is(Hm.hm_atlas_resolution(Raw, out float resolutionOut));
                GC.KeepAlive(this);
                return resolutionOut;
            }
        }
        /// <summary>Lends the bytes of an atlas until it is destroyed.</summary>
        public Lent<byte> Bytes() {
            Is(Hm.hm_atlas_bytes(Raw, out hm_bytes bytesOut));
            GC.KeepAlive(this);
            return new Lent<byte>(this, Lends.Whole, bytesOut.items, bytesOut.count);
        }
        /// <summary>Gets the id of the sprite at an index, in the order of names from 0. False beyond the last.</summary>
        public bool TrySpriteAt(int index, out SpriteId sprite) {
            var isThere = Is(Hm.hm_atlas_sprite_at(Raw, (uint)index, out SpriteId spriteOut));
            sprite = spriteOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the baked scales of a sprite, in ascending order, until the atlas is destroyed.</summary>
        public Lent<float> Scales(SpriteId sprite) {
            Is(Hm.hm_atlas_scales(Raw, sprite.Value, out hm_floats scalesOut));
            GC.KeepAlive(this);
            return new Lent<float>(this, Lends.Whole, scalesOut.items, scalesOut.count);
        }
        /// <summary>Gets the index of the plane with this name. False if there is none.</summary>
        public bool TryPlane(SpriteId sprite, string name, out int plane) {
            var isThere = Is(Hm.hm_atlas_plane(Raw, sprite.Value, Utf8.Bytes(name), out uint planeOut));
            plane = (int)planeOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the name of a plane until the atlas is destroyed. False if there is no such plane.</summary>
        public bool TryPlaneName(SpriteId sprite, out string name, int plane = 0) {
            var isThere = Is(Hm.hm_atlas_plane_name(Raw, sprite.Value, (uint)plane, out byte* nameOut));
            name = Utf8.Text(nameOut);
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the threshold of a plane by alpha: its pixels have at least this alpha. False if the plane has none, or if there is no such plane.</summary>
        public bool TryPlaneThreshold(SpriteId sprite, out byte threshold, int plane = 0) {
            var isThere = Is(Hm.hm_atlas_plane_threshold(Raw, sprite.Value, (uint)plane, out byte thresholdOut));
            threshold = thresholdOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the plane with the least threshold that is at least `threshold`: every pixel of it has at least this alpha. False if there is none.</summary>
        public bool TryPlaneForThreshold(SpriteId sprite, byte threshold, out int plane) {
            var isThere = Is(Hm.hm_atlas_plane_for_threshold(Raw, sprite.Value, threshold, out uint planeOut));
            plane = (int)planeOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the plane of a sprite that is drawn with an alpha of its own, `fade`, usually from 0 to 1: a pixel counts if its alpha times `fade` is at least `threshold`. False if no pixel can: disable the collider then.</summary>
        public bool TryPlaneForFade(SpriteId sprite, byte threshold, float fade, out int plane) {
            var isThere = Is(Hm.hm_atlas_plane_for_fade(Raw, sprite.Value, threshold, fade, out uint planeOut));
            plane = (int)planeOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the size of a frame's image in pixels, before trimming.</summary>
        public Size FrameSize(SpriteId sprite, int frame = 0) {
            Is(Hm.hm_atlas_frame_size(Raw, sprite.Value, (uint)frame, out Size sizeOut));
            GC.KeepAlive(this);
            return sizeOut;
        }
        /// <summary>Gets the pivot of a frame in half-pixels from the top left corner of its image.</summary>
        public Point Pivot(SpriteId sprite, int frame = 0) {
            Is(Hm.hm_atlas_pivot(Raw, sprite.Value, (uint)frame, out Point pivotOut));
            GC.KeepAlive(this);
            return pivotOut;
        }
        /// <summary>Creates a mask of a pose: the baked one nearest to an angle in radians and a scale. Writes to `origin` where its top left pixel is relative to the position of a collider. False if the angle or the scale is not finite.</summary>
        public bool TryPosedMask(SpriteId sprite, out Mask mask, out Point origin, int frame = 0, int plane = 0, float angle = 0, float scale = 1, bool flipX = false, bool flipY = false) {
            var isThere = Is(Hm.hm_atlas_posed_mask(Raw, sprite.Value, (uint)frame, (uint)plane, angle, scale, flipX ? (byte)1 : (byte)0, flipY ? (byte)1 : (byte)0, out IntPtr maskOut, out Point originOut));
            mask = maskOut == IntPtr.Zero ? null : new Mask(maskOut);
            origin = originOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the id of an atlas.</summary>
        public AtlasId Id {
            get {
                Is(Hm.hm_atlas_get_id(Raw, out AtlasId idOut));
                GC.KeepAlive(this);
                return idOut;
            }
        }
        /// <summary>Creates a handle of the same atlas under another id, which depends on its own id and on `label`. So a world can hold an atlas several times. Sprite ids of the atlas before are refused by the new one. The bytes are shared.</summary>
        public Atlas Labelled(uint label) {
            Is(Hm.hm_atlas_labelled(Raw, label, out IntPtr labelledOut));
            GC.KeepAlive(this);
            return labelledOut == IntPtr.Zero ? null : new Atlas(labelledOut);
        }
        /// <summary>Gets whether all poses of an atlas are stored. Those of a compact atlas are drawn when they are shown, unless it is opened with Atlas.Drawn().</summary>
        public bool IsDrawn {
            get {
                Is(Hm.hm_atlas_is_drawn(Raw, out byte isDrawnOut));
                GC.KeepAlive(this);
                return isDrawnOut != 0;
            }
        }
        /// <summary>Creates a handle of the same atlas with all poses, on all cores. It has the same id. A drawn atlas is shared at once. Errors: OverLimit, Damaged, Full.</summary>
        public Atlas Drawn() {
            Is(Hm.hm_atlas_drawn(Raw, out IntPtr drawnOut));
            GC.KeepAlive(this);
            return drawnOut == IntPtr.Zero ? null : new Atlas(drawnOut);
        }
        /// <summary>Creates the shape of a frame of a sprite about its pivot, upright and at scale 1. Options are in pixels of the image, and their origin is relative to the pivot. Otherwise it does what Mask.Shape() does. Errors: UnknownSprite, and those of Mask.Shape().</summary>
        public Shape Shape(SpriteId sprite, int frame = 0, int plane = 0, ShapeOptions options = null) {
            var optionsValue = options == null ? default : options.Native();
            Is(Hm.hm_atlas_shape(Raw, sprite.Value, (uint)frame, (uint)plane, options == null ? null : &optionsValue, out IntPtr shapeOut));
            GC.KeepAlive(this);
            return shapeOut == IntPtr.Zero ? null : new Shape(shapeOut);
        }
        /// <summary>Gets the id of the stored pose that is nearest to an angle in radians and a scale, for a batch. Writes to `origin` where the top left pixel of its mask is relative to the position of a sprite. False if the angle or the scale is not finite, or if the atlas is not drawn: see Atlas.Drawn().</summary>
        public bool TryPose(SpriteId sprite, out PoseId pose, out Point origin, int frame = 0, int plane = 0, float angle = 0, float scale = 1, bool flipX = false, bool flipY = false) {
            var isThere = Is(Hm.hm_atlas_pose(Raw, sprite.Value, (uint)frame, (uint)plane, angle, scale, flipX ? (byte)1 : (byte)0, flipY ? (byte)1 : (byte)0, out PoseId poseOut, out Point originOut));
            pose = poseOut;
            origin = originOut;
            GC.KeepAlive(this);
            return isThere;
        }
    }
    public sealed unsafe partial class World {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Ids = 0;
            internal const int Events = 1;
            internal const int Pairs = 2;
            internal const int OverlappingPlanes = 3;
            internal const int RayAll = 4;
            internal const int Graze = 5;
            internal const int Hits = 6;
            internal const int Moves = 7;
            internal const int MoveAndSlide = 8;
            internal const int MoveByRules = 9;
            internal const int MoveByRulesPerContact = 10;
            internal const int Placements = 11;
            internal const int Picks = 12;
            internal const int BodyPairs = 13;
            internal const int Snapshot = 14;
            internal const int ReplaceAtlas = 15;
            internal const int SpriteChange = 16;
            internal const int Atlases = 17;
            internal const int InsertMap = 18;
            internal const int UpdateMap = 19;
            internal const int UpdateShapeGrid = 20;
            internal const int Count = 21;
        }
        /// <summary>Creates a copy of a world with the same ids, settings, pairs and user data. What happens in one does not affect the other. As a state to return to; World.Assign() saves to it again.</summary>
        public World Clone() {
            Is(Hm.hm_world_clone(Raw, out IntPtr copyOut));
            GC.KeepAlive(this);
            return copyOut == IntPtr.Zero ? null : new World(copyOut);
        }
        /// <summary>Takes over the whole state of another world with the same atlases: ids, settings, pairs and user data. For rollback: saves to a copy of World.Clone(), and loads from one, without allocating memory. Older lent lists become invalid. Errors: UnknownAtlas if an atlas differs. The world is left as it was.</summary>
        public void Assign(World source) {
            EndAll();
            Is(Hm.hm_world_assign(Raw, Of(source)));
            GC.KeepAlive(this);
            GC.KeepAlive(source);
        }
        /// <summary>Lends a text that says what differs first between two worlds, the value of `world` first: "collider 17: position.x 3.0 / 3.5". A collider is named by its slot. False if their snapshots are equal. The text is lent until the next call that lends a text from this world.</summary>
        public bool TryFirstDifference(World other, out string text) {
            var isThere = Is(Hm.hm_world_first_difference(Raw, Of(other), out hm_text textOut));
            text = Utf8.Text(textOut.items);
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Inserts a collider and writes its id. Errors: Uninitialised, BadValue, UnknownSprite, BadNumber, UnbakedScale, StaleId for a mask that was removed, MaskUse, Full.</summary>
        public ColliderId Insert(Collider collider) {
            Is(Hm.hm_world_insert(Raw, &collider, out ColliderId idOut));
            GC.KeepAlive(this);
            return idOut;
        }
        /// <summary>Replaces a collider by another, under the same id. Its user data stays. Errors: those of World.Insert(), and StaleId.</summary>
        public void Set(ColliderId id, Collider collider) {
            Is(Hm.hm_world_set(Raw, id.Value, &collider));
            GC.KeepAlive(this);
        }
        /// <summary>Gets the collider with this id.</summary>
        public Collider Get(ColliderId id) {
            Is(Hm.hm_world_get(Raw, id.Value, out Collider colliderOut));
            GC.KeepAlive(this);
            return colliderOut;
        }
        /// <summary>Removes a collider. Its id stays stale.</summary>
        public void Remove(ColliderId id) {
            Is(Hm.hm_world_remove(Raw, id.Value));
            GC.KeepAlive(this);
        }
        /// <summary>Removes many colliders, as those of a map, and writes how many there were. Skips 0 and stale ids. Errors: BadLength.</summary>
        public int RemoveAll(ReadOnlySpan<ColliderId> ids) {
            fixed (ColliderId* idsAt = &MemoryMarshal.GetReference(ids)) {
                Is(Hm.hm_world_remove_all(Raw, idsAt, (UIntPtr)(uint)ids.Length, out UIntPtr removedOut));
                GC.KeepAlive(this);
                return (int)(ulong)removedOut;
            }
        }
        /// <summary>Moves a collider to a position in pixels. Everything else stays as it is.</summary>
        public void MoveTo(ColliderId id, Vec2 position) {
            Is(Hm.hm_world_move_to(Raw, id.Value, position.X, position.Y));
            GC.KeepAlive(this);
        }
        /// <summary>Turns a collider to an angle in radians, clockwise on screen. Everything else stays as it is. Errors: BadNumber, StaleId, MaskUse for a run-time mask.</summary>
        public void TurnTo(ColliderId id, float angle) {
            Is(Hm.hm_world_turn_to(Raw, id.Value, angle));
            GC.KeepAlive(this);
        }
        /// <summary>Places a collider at a position in pixels, an angle in radians and a scale at once. Everything else stays as it is. Errors: as World.Set().</summary>
        public void Place(ColliderId id, Vec2 position, float angle, float scale = 1) {
            Is(Hm.hm_world_place(Raw, id.Value, position.X, position.Y, angle, scale));
            GC.KeepAlive(this);
        }
        /// <summary>Places many colliders: `placements[i]` is that of `ids[i]`. All are placed, or none. The fastest way to move many: it takes less than 1/5 of the time of World.Set() for each. Ids in ascending order of slots are fastest. If an id is listed twice, its last placement counts. Errors: StaleId, BadNumber, MaskUse for a run-time mask with an angle. The message names the first bad item. Nothing was placed.</summary>
        public void SetPlacements(ReadOnlySpan<ColliderId> ids, ReadOnlySpan<Placement> placements) {
            SameLength(ids.Length, placements.Length);
            fixed (ColliderId* idsAt = &MemoryMarshal.GetReference(ids))
            fixed (Placement* placementsAt = &MemoryMarshal.GetReference(placements)) {
                Is(Hm.hm_world_set_placements(Raw, idsAt, placementsAt, (UIntPtr)(uint)ids.Length));
                GC.KeepAlive(this);
            }
        }
        /// <summary>Does the same as World.SetPlacements(), with angles in 65,536ths of a turn.</summary>
        public void SetPlacementsTurn(ReadOnlySpan<ColliderId> ids, ReadOnlySpan<PlacementTurn> placements) {
            SameLength(ids.Length, placements.Length);
            fixed (ColliderId* idsAt = &MemoryMarshal.GetReference(ids))
            fixed (PlacementTurn* placementsAt = &MemoryMarshal.GetReference(placements)) {
                Is(Hm.hm_world_set_placements_turn(Raw, idsAt, placementsAt, (UIntPtr)(uint)ids.Length));
                GC.KeepAlive(this);
            }
        }
        /// <summary>Gets the number of colliders.</summary>
        public int Count {
            get {
                Is(Hm.hm_world_count(Raw, out UIntPtr countOut));
                GC.KeepAlive(this);
                return (int)(ulong)countOut;
            }
        }
        /// <summary>Lends the ids of all colliders, in order of slots, until the next call that lends ids.</summary>
        public Lent<ColliderId> Ids() {
            End(Lends.Ids);
            Is(Hm.hm_world_ids(Raw, out hm_colliders idsOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, idsOut.items, idsOut.count);
        }
        /// <summary>Gets the tight box of a collider's pixels, in mask pixels. False if it has no pixels.</summary>
        public bool TryRect(ColliderId id, out Rect rect) {
            var isThere = Is(Hm.hm_world_rect(Raw, id.Value, out Rect rectOut));
            rect = rectOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Creates a mask of the pixels of a collider, as it is placed, for drawing and for questions without the world. Writes to `origin` where the top left pixel of the mask is in the world, in mask pixels.</summary>
        public Mask PosedMask(ColliderId id, out Point origin) {
            Is(Hm.hm_world_posed_mask(Raw, id.Value, out IntPtr maskOut, out Point originOut));
            origin = originOut;
            GC.KeepAlive(this);
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Gets the finest accuracy of pair tests.</summary>
        public Accuracy Accuracy {
            get {
                Is(Hm.hm_world_accuracy(Raw, out Accuracy accuracyOut));
                GC.KeepAlive(this);
                return accuracyOut;
            }
            set {
                Is(Hm.hm_world_set_accuracy(Raw, value));
                GC.KeepAlive(this);
            }
        }
        /// <summary>Gets the factor of World.SetScalePolicy().</summary>
        public float ScalePolicy {
            get {
                Is(Hm.hm_world_scale_policy(Raw, out float factorOut));
                GC.KeepAlive(this);
                return factorOut;
            }
            set {
                Is(Hm.hm_world_set_scale_policy(Raw, value));
                GC.KeepAlive(this);
            }
        }
        /// <summary>Stores a number with a collider, such as an index or a pointer of the caller. It stays until the collider is removed. The library uses it in World.TryPick() and gives it to callbacks. It is part of snapshots and of the hash of the state.</summary>
        public void SetUserData(ColliderId id, ulong data) {
            Is(Hm.hm_world_set_user_data(Raw, id.Value, data));
            GC.KeepAlive(this);
        }
        /// <summary>Gets the number that was stored with a collider, 0 if none was.</summary>
        public ulong UserData(ColliderId id) {
            Is(Hm.hm_world_user_data(Raw, id.Value, out ulong dataOut));
            GC.KeepAlive(this);
            return dataOut;
        }
        /// <summary>Finds all pairs that touch. Call it once per tick, after the moves and before the questions about pairs. What was lent by World.Touching(), World.Began() and World.Ended() becomes invalid.</summary>
        public void Update() {
            End(Lends.Events);
            Is(Hm.hm_world_update(Raw));
            GC.KeepAlive(this);
        }
        /// <summary>Gets whether the pairs of a world are known: 0 before its first World.Update(). A clone and a restored snapshot are as their world was.</summary>
        public bool IsUpdated {
            get {
                Is(Hm.hm_world_is_updated(Raw, out byte isUpdatedOut));
                GC.KeepAlive(this);
                return isUpdatedOut != 0;
            }
        }
        /// <summary>Lends the pairs that touched at the last update, in ascending order of slots, until the next update, the next World.Restore(), or the end of the world. Errors: NotUpdated if the world has colliders and was never updated.</summary>
        public Lent<Pair> Touching() {
            Is(Hm.hm_world_touching(Raw, out hm_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<Pair>(this, Lends.Events, pairsOut.items, pairsOut.count);
        }
        /// <summary>Lends the pairs that touched at the last update but not at the one before, in order, until the next update, the next World.Restore(), or the end of the world. Empty before the first update.</summary>
        public Lent<Pair> Began() {
            Is(Hm.hm_world_began(Raw, out hm_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<Pair>(this, Lends.Events, pairsOut.items, pairsOut.count);
        }
        /// <summary>Lends the pairs that touched at the update before the last but not at the last, in order, until the next update, the next World.Restore(), or the end of the world. Ids of removed colliders are among them. Empty before the first update.</summary>
        public Lent<Pair> Ended() {
            Is(Hm.hm_world_ended(Raw, out hm_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<Pair>(this, Lends.Events, pairsOut.items, pairsOut.count);
        }
        /// <summary>Lends the pairs that touched at both of the last two updates, in order, until the next call that lends pairs other than those of the events.</summary>
        public Lent<Pair> Stayed() {
            End(Lends.Pairs);
            Is(Hm.hm_world_stayed(Raw, out hm_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<Pair>(this, Lends.Pairs, pairsOut.items, pairsOut.count);
        }
        /// <summary>Gets the contact of a pair at the current placements. False if the two do not touch, if one is disabled, or if an id is stale. Follows the accuracies, and ignores layers.</summary>
        public bool TryContact(Pair pair, out Contact contact) {
            var isThere = Is(Hm.hm_world_contact(Raw, pair, out Contact contactOut));
            contact = contactOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the contact of a pair at the given accuracy, whatever those of the colliders are. False as for World.TryContact().</summary>
        public bool TryContactAt(Pair pair, Accuracy accuracy, out Contact contact) {
            var isThere = Is(Hm.hm_world_contact_at(Raw, pair, accuracy, out Contact contactOut));
            contact = contactOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the details of the overlap of a pair's pixels: normal, push-out, depth. False if no pixels overlap. Costs some microseconds.</summary>
        public bool TryOverlap(Pair pair, out Overlap overlap) {
            var isThere = Is(Hm.hm_world_overlap(Raw, pair, out Overlap overlapOut));
            overlap = overlapOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the planes of a pair that overlap, in order, until the next call of this function with the same world. Empty if an id is stale.</summary>
        public Lent<PlanePair> OverlappingPlanes(Pair pair) {
            End(Lends.OverlappingPlanes);
            Is(Hm.hm_world_overlapping_planes(Raw, pair, out hm_plane_pairs planesOut));
            GC.KeepAlive(this);
            return new Lent<PlanePair>(this, Lends.OverlappingPlanes, planesOut.items, planesOut.count);
        }
        /// <summary>Lends a text that explains why a pair touches or not: layers, boxes, accuracy, pixels. It is lent until the next call that lends a text from this world. False if an id is stale.</summary>
        public bool TryExplain(Pair pair, out string text) {
            var isThere = Is(Hm.hm_world_explain(Raw, pair, out hm_text textOut));
            text = Utf8.Text(textOut.items);
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the colliders that touch a collider now, without an update, until the next call that lends ids. Follows layers, accuracies and owners.</summary>
        public Lent<ColliderId> TouchingWith(ColliderId id) {
            End(Lends.Ids);
            Is(Hm.hm_world_touching_with(Raw, id.Value, out hm_colliders foundOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Lends the pairs that touch now, one collider of each list, until the next call that lends pairs other than those of the events. Stale ids touch nothing. Errors: BadLength.</summary>
        public Lent<Pair> TouchingBetween(ReadOnlySpan<ColliderId> group, ReadOnlySpan<ColliderId> others) {
            End(Lends.Pairs);
            fixed (ColliderId* groupAt = &MemoryMarshal.GetReference(group))
            fixed (ColliderId* othersAt = &MemoryMarshal.GetReference(others)) {
                Is(Hm.hm_world_touching_between(Raw, groupAt, (UIntPtr)(uint)group.Length, othersAt, (UIntPtr)(uint)others.Length, out hm_pairs pairsOut));
                GC.KeepAlive(this);
                return new Lent<Pair>(this, Lends.Pairs, pairsOut.items, pairsOut.count);
            }
        }
        /// <summary>Gets the distance in pixels between the nearest pixels of two colliders, from centre to centre; 0 if they touch. False if one has no pixels or is disabled.</summary>
        public bool TryDistance(ColliderId a, ColliderId b, out double distance) {
            var isThere = Is(Hm.hm_world_distance(Raw, a.Value, b.Value, out double distanceOut));
            distance = distanceOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the shortest translation, in pixels, that ends every overlap of a collider with obstacles, at most `radius` pixels long. (0, 0) if it overlaps none. False if there is no such translation.</summary>
        public bool TryPushOut(ColliderId id, float radius, out Vec2 translation) {
            var isThere = Is(Hm.hm_world_push_out(Raw, id.Value, radius, out Vec2 translationOut));
            translation = translationOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the colliders that have a pixel at a position in pixels, until the next call that lends ids.</summary>
        public Lent<ColliderId> QueryPoint(Vec2 position, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Ids);
            Is(Hm.hm_world_query_point(Raw, position.X, position.Y, filter == null ? null : &filterValue, out hm_colliders foundOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Lends the colliders that have a pixel in a rectangle of mask pixels, until the next call that lends ids. A filter with Accuracy.Box finds those whose tight box overlaps the rectangle.</summary>
        public Lent<ColliderId> QueryRect(Rect rect, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Ids);
            Is(Hm.hm_world_query_rect(Raw, rect, filter == null ? null : &filterValue, out hm_colliders foundOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Lends the colliders that have a pixel whose centre is at most `radius` from a position, in pixels, until the next call that lends ids.</summary>
        public Lent<ColliderId> QueryCircle(Vec2 position, float radius, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Ids);
            Is(Hm.hm_world_query_circle(Raw, position.X, position.Y, radius, filter == null ? null : &filterValue, out hm_colliders foundOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Lends the colliders that have a pixel whose centre lies in an upright ellipse, in pixels, until the next call that lends ids.</summary>
        public Lent<ColliderId> QueryEllipse(Vec2 position, float radiusX, float radiusY, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Ids);
            Is(Hm.hm_world_query_ellipse(Raw, position.X, position.Y, radiusX, radiusY, filter == null ? null : &filterValue, out hm_colliders foundOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Lends the colliders that have a pixel on a line between two positions in pixels, both ends included, until the next call that lends ids.</summary>
        public Lent<ColliderId> QueryLine(Vec2 from, Vec2 to, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Ids);
            Is(Hm.hm_world_query_line(Raw, from, to, filter == null ? null : &filterValue, out hm_colliders foundOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Lends the colliders that share a pixel with a mask whose top left pixel is at `at`, in mask pixels, until the next call that lends ids. Errors: those of handles.</summary>
        public Lent<ColliderId> QueryMask(Mask mask, Point at = default, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Ids);
            Is(Hm.hm_world_query_mask(Raw, Of(mask), at, filter == null ? null : &filterValue, out hm_colliders foundOut));
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
            return new Lent<ColliderId>(this, Lends.Ids, foundOut.items, foundOut.count);
        }
        /// <summary>Gets the first collider that a ray hits on its way between two positions in pixels. False if it hits none.</summary>
        public bool TryRay(Vec2 from, Vec2 to, out LineHit hit, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            var isThere = Is(Hm.hm_world_ray(Raw, from, to, filter == null ? null : &filterValue, out LineHit hitOut));
            hit = hitOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends all colliders that a ray hits on its way between two positions in pixels, in order of the way, until the next call of this function with the same world.</summary>
        public Lent<LineHit> RayAll(Vec2 from, Vec2 to, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.RayAll);
            Is(Hm.hm_world_ray_all(Raw, from, to, filter == null ? null : &filterValue, out hm_line_hits hitsOut));
            GC.KeepAlive(this);
            return new Lent<LineHit>(this, Lends.RayAll, hitsOut.items, hitsOut.count);
        }
        /// <summary>Gets the collider under a pointer at a position in pixels. If no pixel is there, the nearest collider within `radius` pixels is picked, so that small sprites can be hit. `order` decides among several: PickOrder.Slot or PickOrder.UserData. False if there is none.</summary>
        public bool TryPick(Vec2 position, out ColliderId collider, float radius = 0, PickOrder order = 0, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            var isThere = Is(Hm.hm_world_pick(Raw, position.X, position.Y, radius, order, filter == null ? null : &filterValue, out ColliderId colliderOut));
            collider = colliderOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the collider whose pixels are nearest to a position, at most `within` pixels away, and the distance to the centre of that pixel. False if there is none.</summary>
        public bool TryNearest(Vec2 position, float within, out Nearest nearest, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            var isThere = Is(Hm.hm_world_nearest(Raw, position.X, position.Y, within, filter == null ? null : &filterValue, out Nearest nearestOut));
            nearest = nearestOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the collider whose pixels are nearest to those of another collider, at most `within` pixels away, and the distance from pixel centre to pixel centre. False if there is none.</summary>
        public bool TryNearestTo(ColliderId id, float within, out Nearest nearest, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            var isThere = Is(Hm.hm_world_nearest_to(Raw, id.Value, within, filter == null ? null : &filterValue, out Nearest nearestOut));
            nearest = nearestOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the colliders whose pixels touch those of a collider or come within `radius` pixels of them, until the next call of this function with the same world. Ignores layers of the collider itself.</summary>
        public Lent<Grazed> Graze(ColliderId id, float radius, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Graze);
            Is(Hm.hm_world_graze(Raw, id.Value, radius, filter == null ? null : &filterValue, out hm_grazes foundOut));
            GC.KeepAlive(this);
            return new Lent<Grazed>(this, Lends.Graze, foundOut.items, foundOut.count);
        }
        /// <summary>Gets the shortest translation, in mask pixels, after which a mask at `at` overlaps no collider of the filter, at most `radius` mask pixels long. (0, 0) if it overlaps none. False if there is none.</summary>
        public bool TryNearestFreeOffset(Mask mask, Point at, int radius, out Point offset, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            var isThere = Is(Hm.hm_world_nearest_free_offset(Raw, Of(mask), at, (uint)radius, filter == null ? null : &filterValue, out Point offsetOut));
            offset = offsetOut;
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
            return isThere;
        }
        /// <summary>Gets the first collider of the filter that a mask would hit if it moved by `motion`, both in mask pixels; `at` is where its top left pixel is. False if the way is free.</summary>
        public bool TryCastMask(Mask mask, Point at, Point motion, out Hit hit, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            var isThere = Is(Hm.hm_world_cast_mask(Raw, Of(mask), at, motion, filter == null ? null : &filterValue, out Hit hitOut));
            hit = hitOut;
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
            return isThere;
        }
        /// <summary>Lends all colliders of the filter that a mask would hit if it moved by `motion` through everything, in the order of the way, until the next call that lends hits.</summary>
        public Lent<Hit> CastMaskAll(Mask mask, Point at, Point motion, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Hits);
            Is(Hm.hm_world_cast_mask_all(Raw, Of(mask), at, motion, filter == null ? null : &filterValue, out hm_hits hitsOut));
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
            return new Lent<Hit>(this, Lends.Hits, hitsOut.items, hitsOut.count);
        }
        /// <summary>Moves a collider by `motion`, in pixels, up to the first obstacle, and writes the hit that ended the motion. False if the whole way was free. `hit.position` is the new position. Errors: StaleId, BadNumber. The collider is left where it was.</summary>
        public bool MoveUntilContact(ColliderId id, Vec2 motion, out Hit hit) {
            var isThere = Is(Hm.hm_world_move_until_contact(Raw, id.Value, motion, out Hit hitOut));
            hit = hitOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Inserts many colliders, and lends their ids in the same order until the next call that lends ids. All are inserted, or none. Errors: as World.Insert(). The message names the first bad item.</summary>
        public Lent<ColliderId> InsertAll(ReadOnlySpan<Collider> colliders) {
            End(Lends.Ids);
            fixed (Collider* collidersAt = &MemoryMarshal.GetReference(colliders)) {
                Is(Hm.hm_world_insert_all(Raw, collidersAt, (UIntPtr)(uint)colliders.Length, out hm_colliders idsOut));
                GC.KeepAlive(this);
                return new Lent<ColliderId>(this, Lends.Ids, idsOut.items, idsOut.count);
            }
        }
        /// <summary>Lends the positions and angles of many colliders, in the order of `ids`, until the next call of this function with the same world. Errors: StaleId. The message names the first stale id.</summary>
        public Lent<Placement> Placements(ReadOnlySpan<ColliderId> ids) {
            End(Lends.Placements);
            fixed (ColliderId* idsAt = &MemoryMarshal.GetReference(ids)) {
                Is(Hm.hm_world_placements(Raw, idsAt, (UIntPtr)(uint)ids.Length, out hm_placements placementsOut));
                GC.KeepAlive(this);
                return new Lent<Placement>(this, Lends.Placements, placementsOut.items, placementsOut.count);
            }
        }
        /// <summary>Lends the colliders under many pointers, by the rules of World.TryPick(), until the next call of this function with the same world. None for a pointer over none. Errors: BadNumber, BadValue. The message names the first bad point.</summary>
        public Lent<ColliderId> Picks(ReadOnlySpan<Vec2> points, float radius = 0, PickOrder order = 0, Filter filter = null) {
            var filterValue = filter == null ? default : filter.Native();
            End(Lends.Picks);
            fixed (Vec2* pointsAt = &MemoryMarshal.GetReference(points)) {
                Is(Hm.hm_world_picks(Raw, pointsAt, (UIntPtr)(uint)points.Length, radius, order, filter == null ? null : &filterValue, out hm_colliders collidersOut));
                GC.KeepAlive(this);
                return new Lent<ColliderId>(this, Lends.Picks, collidersOut.items, collidersOut.count);
            }
        }
        /// <summary>Lends the first obstacle on the way of many colliders, `ids[i]` moved by `motions[i]` pixels, until the next call that lends hits. Nothing moves. The collider of a hit is none if the way is free. Errors: StaleId, BadNumber. The message names the first bad item.</summary>
        public Lent<Hit> Casts(ReadOnlySpan<ColliderId> ids, ReadOnlySpan<Vec2> motions) {
            SameLength(ids.Length, motions.Length);
            End(Lends.Hits);
            fixed (ColliderId* idsAt = &MemoryMarshal.GetReference(ids))
            fixed (Vec2* motionsAt = &MemoryMarshal.GetReference(motions)) {
                Is(Hm.hm_world_casts(Raw, idsAt, motionsAt, (UIntPtr)(uint)ids.Length, out hm_hits hitsOut));
                GC.KeepAlive(this);
                return new Lent<Hit>(this, Lends.Hits, hitsOut.items, hitsOut.count);
            }
        }
        /// <summary>Draws the poses that colliders would show, before they show them: while a level loads, or in the rest of a frame. Positions and rules do not matter. Stops before a group of poses when this call has taken `maxMicroseconds` or has drawn `maxBytes` of masks; the default is no limit. A group takes about 0.2 ms and 128 KiB. Writes the number of colliders at the front whose poses are drawn: call it with the others in the next frame, until none is left. Does nothing over a single drawn atlas, and for run-time masks. No answer depends on it. Errors: as World.Insert(), and OverLimit if the poses exceed the budget of the world. The message names the first bad item. BadValue for a limit on time in WebAssembly, which has no clock.</summary>
        public int DrawAhead(ReadOnlySpan<Collider> colliders, ulong maxMicroseconds = ulong.MaxValue, ulong maxBytes = ulong.MaxValue) {
            fixed (Collider* collidersAt = &MemoryMarshal.GetReference(colliders)) {
                Is(Hm.hm_world_draw_ahead(Raw, collidersAt, (UIntPtr)(uint)colliders.Length, maxMicroseconds, maxBytes, out UIntPtr drawnOut));
                GC.KeepAlive(this);
                return (int)(ulong)drawnOut;
            }
        }
        /// <summary>Lends the colliders of an owner, in order of slots, until the next call that lends ids. Empty if the owner has none, or is 0.</summary>
        public Lent<ColliderId> PartsOf(uint owner) {
            End(Lends.Ids);
            Is(Hm.hm_world_parts_of(Raw, owner, out hm_colliders partsOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, partsOut.items, partsOut.count);
        }
        /// <summary>Lends the pairs of bodies that touched at the last update, each pair once, until the next call that lends pairs of bodies.</summary>
        public Lent<BodyPair> TouchingBodies() {
            End(Lends.BodyPairs);
            Is(Hm.hm_world_touching_bodies(Raw, out hm_body_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<BodyPair>(this, Lends.BodyPairs, pairsOut.items, pairsOut.count);
        }
        /// <summary>Lends the pairs of bodies that began to touch at the last update, until the next call that lends pairs of bodies.</summary>
        public Lent<BodyPair> BeganBodies() {
            End(Lends.BodyPairs);
            Is(Hm.hm_world_began_bodies(Raw, out hm_body_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<BodyPair>(this, Lends.BodyPairs, pairsOut.items, pairsOut.count);
        }
        /// <summary>Lends the pairs of bodies that ceased to touch at the last update, until the next call that lends pairs of bodies.</summary>
        public Lent<BodyPair> EndedBodies() {
            End(Lends.BodyPairs);
            Is(Hm.hm_world_ended_bodies(Raw, out hm_body_pairs pairsOut));
            GC.KeepAlive(this);
            return new Lent<BodyPair>(this, Lends.BodyPairs, pairsOut.items, pairsOut.count);
        }
        /// <summary>Gets the first collider that a body would hit if all its parts moved by `motion`, in pixels. False if the way is free for all. Nothing moves.</summary>
        public bool TryCastBody(uint owner, Vec2 motion, out BodyHit hit) {
            var isThere = Is(Hm.hm_world_cast_body(Raw, owner, motion, out BodyHit hitOut));
            hit = hitOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Moves all parts of a body by `motion`, in pixels, up to the first obstacle of any of them, and writes the hit that ended the motion. False if the way was free. Errors: UnknownOwner, BadNumber. Nothing has moved.</summary>
        public bool MoveBody(uint owner, Vec2 motion, out BodyHit hit) {
            var isThere = Is(Hm.hm_world_move_body(Raw, owner, motion, out BodyHit hitOut));
            hit = hitOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Moves all parts of a body by `motion`, in pixels, through everything. Errors: UnknownOwner, BadNumber. Nothing has moved.</summary>
        public void TranslateBody(uint owner, Vec2 motion) {
            Is(Hm.hm_world_translate_body(Raw, owner, motion));
            GC.KeepAlive(this);
        }
        /// <summary>Adds a copy of a mask to a world and writes its id. Colliders show it with Collider.Mask; any number of them can share it. Errors: BadNumber for a pivot out of range, Full.</summary>
        public MaskId InsertMask(Mask mask, Pivot? pivot = null) {
            var pivotValue = pivot == null ? default : pivot.Value;
            Is(Hm.hm_world_insert_mask(Raw, Of(mask), pivot == null ? null : &pivotValue, out MaskId idOut));
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
            return idOut;
        }
        /// <summary>Adds a mask that is drawn from a source by a transform about the pivot of the source, and writes its id: for scales, skews and angles that no atlas holds. Errors: BadNumber for a pivot or transform out of range, BadMask if the result is too large, Full.</summary>
        public MaskId InsertTransformed(Mask source, Pivot? pivot, Affine transform) {
            var pivotValue = pivot == null ? default : pivot.Value;
            Is(Hm.hm_world_insert_transformed(Raw, Of(source), pivot == null ? null : &pivotValue, &transform, out MaskId idOut));
            GC.KeepAlive(this);
            GC.KeepAlive(source);
            return idOut;
        }
        /// <summary>Draws a mask of World.InsertTransformed() again with another transform, for all colliders that show it. A transform that differs by whole pixels only moves the mask. Errors: StaleId, MaskUse for a mask without a source, BadNumber, BadMask.</summary>
        public void TransformMask(MaskId id, Affine transform) {
            Is(Hm.hm_world_transform_mask(Raw, id.Value, &transform));
            GC.KeepAlive(this);
        }
        /// <summary>Draws a mask of World.InsertTransformed() again from another source and pivot, with its last transform, for all colliders that show it: a hole in the source turns with the rest. Errors: StaleId, MaskUse for a mask without a source, BadNumber, BadMask.</summary>
        public void RedrawMask(MaskId id, Mask source, Pivot? pivot = null) {
            var pivotValue = pivot == null ? default : pivot.Value;
            Is(Hm.hm_world_redraw_mask(Raw, id.Value, Of(source), pivot == null ? null : &pivotValue));
            GC.KeepAlive(this);
            GC.KeepAlive(source);
        }
        /// <summary>Sets or clears a rectangle of a run-time mask, for all colliders that show it. The rectangle is in pixels of the mask. What is outside of the mask is ignored. `solid` is false to clear.</summary>
        public void FillRect(MaskId id, Rect rect, bool solid = true) {
            Is(Hm.hm_world_fill_rect(Raw, id.Value, rect, solid ? (byte)1 : (byte)0));
            GC.KeepAlive(this);
        }
        /// <summary>Sets or clears a disc of a run-time mask: the pixels whose centre is at most `radius` pixels from the centre of the pixel `center`. `solid` is false to clear: a crater. Errors: StaleId, BadMask for a radius that is too large.</summary>
        public void FillDisc(MaskId id, Point center, int radius, bool solid = true) {
            Is(Hm.hm_world_fill_disc(Raw, id.Value, center, (uint)radius, solid ? (byte)1 : (byte)0));
            GC.KeepAlive(this);
        }
        /// <summary>Draws a mask on a run-time mask: BlitOperation.Draw, BlitOperation.Erase, BlitOperation.Toggle or BlitOperation.Intersect. The top left pixel of `mask` goes to `at`.</summary>
        public void Blit(MaskId id, Mask mask, Point at = default, BlitOperation operation = Hitmask.BlitOperation.Draw) {
            Is(Hm.hm_world_blit(Raw, id.Value, Of(mask), at, operation));
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
        }
        /// <summary>Replaces the pixels of a run-time mask by those of a mask of the same size. Errors: StaleId, BadLength if the sizes differ.</summary>
        public void ReplaceMask(MaskId id, Mask mask) {
            Is(Hm.hm_world_replace_mask(Raw, id.Value, Of(mask)));
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
        }
        /// <summary>Creates a copy of a run-time mask. Destroy it with Dispose().</summary>
        public Mask CopyMask(MaskId id) {
            Is(Hm.hm_world_copy_mask(Raw, id.Value, out IntPtr maskOut));
            GC.KeepAlive(this);
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Removes a run-time mask from a world. Its id stays stale. Errors: StaleId, MaskUse if a collider shows it.</summary>
        public void RemoveMask(MaskId id) {
            Is(Hm.hm_world_remove_mask(Raw, id.Value));
            GC.KeepAlive(this);
        }
        /// <summary>Lends the whole state of a world as bytes, until the next call of this function or of World.SnapshotTo() with the same world: for replays and saved games. User data is included. The same state gives the same bytes on every machine. For rollback, World.Assign() is faster.</summary>
        public Lent<byte> Snapshot() {
            End(Lends.Snapshot);
            Is(Hm.hm_world_snapshot(Raw, out hm_bytes bytesOut));
            GC.KeepAlive(this);
            return new Lent<byte>(this, Lends.Snapshot, bytesOut.items, bytesOut.count);
        }
        /// <summary>Restores the state of a snapshot of a world over the same atlas. Ids that were valid then are valid again. The lists of events are those of the snapshot; older lent ones become invalid. Errors: NotASnapshot, Damaged. The world is left as it was.</summary>
        public void Restore(ReadOnlySpan<byte> bytes) {
            End(Lends.Events);
            fixed (byte* bytesAt = &MemoryMarshal.GetReference(bytes)) {
                Is(Hm.hm_world_restore(Raw, bytesAt, (UIntPtr)(uint)bytes.Length));
                GC.KeepAlive(this);
            }
        }
        /// <summary>Creates a world from a snapshot over the same atlas. Errors: NotASnapshot, Damaged, Full.</summary>
        public static World FromSnapshot(Atlas atlas, ReadOnlySpan<byte> bytes) {
            Library.Check();
            fixed (byte* bytesAt = &MemoryMarshal.GetReference(bytes)) {
                Is(Hm.hm_world_from_snapshot(Of(atlas), bytesAt, (UIntPtr)(uint)bytes.Length, out IntPtr worldOut));
                GC.KeepAlive(atlas);
                return worldOut == IntPtr.Zero ? null : new World(worldOut);
            }
        }
        /// <summary>Gets a hash of the state that snapshots hold: equal states give equal hashes on every machine, in every language. User data is included. A later version of the library may give another value.</summary>
        public ulong StateHash() {
            Is(Hm.hm_world_state_hash(Raw, out ulong hashOut));
            GC.KeepAlive(this);
            return hashOut;
        }
        /// <summary>Checks the invariants of a world, for bug reports. It takes a while. Errors: InvalidWorld.</summary>
        public void Validate() {
            Is(Hm.hm_world_validate(Raw));
            GC.KeepAlive(this);
        }
        /// <summary>Adds an atlas to a world and writes its id, so that colliders may show its sprites beside those of the others. All atlases of a world have one resolution and different ids. Places every collider again. The handle of the atlas may be destroyed afterwards. Errors: AtlasUse for another resolution or an id that the world has, OverLimit.</summary>
        public AtlasId AddAtlas(Atlas atlas) {
            Is(Hm.hm_world_add_atlas(Raw, Of(atlas), out AtlasId idOut));
            GC.KeepAlive(this);
            GC.KeepAlive(atlas);
            return idOut;
        }
        /// <summary>Drops an atlas that no collider shows, with its earlier versions. Its sprite ids are refused from then on. Errors: AtlasUse if colliders show it or if it is the only one, UnknownAtlas.</summary>
        public void DropAtlas(AtlasId atlas) {
            Is(Hm.hm_world_drop_atlas(Raw, atlas.Value));
            GC.KeepAlive(this);
        }
        /// <summary>Drops an atlas with its earlier versions, removes the colliders that show it, and lends their ids, which are stale from then on, until the next call that lends ids. Their pairs end with the next update. Errors: AtlasUse if it is the only one, UnknownAtlas.</summary>
        public Lent<ColliderId> DropAtlasAndColliders(AtlasId atlas) {
            End(Lends.Ids);
            Is(Hm.hm_world_drop_atlas_and_colliders(Raw, atlas.Value, out hm_colliders removedOut));
            GC.KeepAlive(this);
            return new Lent<ColliderId>(this, Lends.Ids, removedOut.items, removedOut.count);
        }
        /// <summary>Lends the ids of the atlases of a world, in the order of adding, until the next call of this function with the same world. Earlier versions that colliders still show follow.</summary>
        public Lent<AtlasId> Atlases() {
            End(Lends.Atlases);
            Is(Hm.hm_world_atlases(Raw, out hm_atlas_ids idsOut));
            GC.KeepAlive(this);
            return new Lent<AtlasId>(this, Lends.Atlases, idsOut.items, idsOut.count);
        }
        /// <summary>Creates a handle of an atlas of a world. The bytes are shared.</summary>
        public Atlas Atlas(AtlasId id) {
            Is(Hm.hm_world_atlas(Raw, id.Value, out IntPtr atlasOut));
            GC.KeepAlive(this);
            return atlasOut == IntPtr.Zero ? null : new Atlas(atlasOut);
        }
        /// <summary>Gets the atlas of a world that has a sprite, and the id of the sprite there. An id of an earlier version names the sprite of the same name in the newest one. False if no atlas has it. Errors: UnknownSprite if `sprite` is no id.</summary>
        public bool TryAtlasOfSprite(SpriteId sprite, out AtlasId atlas, out SpriteId newest) {
            var isThere = Is(Hm.hm_world_atlas_of_sprite(Raw, sprite.Value, out AtlasId atlasOut, out SpriteId newestOut));
            atlas = atlasOut;
            newest = newestOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the budget of World.SetPoseBudget().</summary>
        public ulong PoseBudget {
            get {
                Is(Hm.hm_world_pose_budget(Raw, out ulong bytesOut));
                GC.KeepAlive(this);
                return bytesOut;
            }
            set {
                Is(Hm.hm_world_set_pose_budget(Raw, value));
                GC.KeepAlive(this);
            }
        }
        /// <summary>Gets figures about the poses that a world has drawn. All are 0 over a single drawn atlas.</summary>
        public PoseStats PoseStats() {
            Is(Hm.hm_world_pose_stats(Raw, out PoseStats statsOut));
            GC.KeepAlive(this);
            return statsOut;
        }
        /// <summary>Creates the shape of a run-time mask of a world, as Mask.Shape() does. Errors: StaleId, and those of Mask.Shape().</summary>
        public Shape MaskShape(MaskId id, ShapeOptions options = null) {
            var optionsValue = options == null ? default : options.Native();
            Is(Hm.hm_world_mask_shape(Raw, id.Value, options == null ? null : &optionsValue, out IntPtr shapeOut));
            GC.KeepAlive(this);
            return shapeOut == IntPtr.Zero ? null : new Shape(shapeOut);
        }
        /// <summary>Creates the shapes of a run-time mask of a world in cells, as new ShapeGrid() does. Errors: StaleId, and those of new ShapeGrid().</summary>
        public ShapeGrid ShapeGrid(MaskId id, int side = 64, ShapeOptions options = null) {
            var optionsValue = options == null ? default : options.Native();
            Is(Hm.hm_world_shape_grid(Raw, id.Value, (uint)side, options == null ? null : &optionsValue, out IntPtr gridOut));
            GC.KeepAlive(this);
            return gridOut == IntPtr.Zero ? null : new ShapeGrid(gridOut);
        }
        /// <summary>Traces cells again by a run-time mask of a world, as ShapeGrid.Update() does. Errors: StaleId, BadLength.</summary>
        public Lent<int> UpdateShapeGrid(MaskId id, ShapeGrid grid, Rect rect) {
            End(Lends.UpdateShapeGrid);
            Is(Hm.hm_world_update_shape_grid(Raw, id.Value, Of(grid), rect, out hm_numbers changedOut));
            GC.KeepAlive(this);
            GC.KeepAlive(grid);
            return new Lent<int>(this, Lends.UpdateShapeGrid, changedOut.items, changedOut.count);
        }
    }
    public sealed unsafe partial class Mask {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Points = 0;
            internal const int Rects = 1;
            internal const int Bytes = 2;
            internal const int Components = 3;
            internal const int Count = 4;
        }
        /// <summary>Creates a mask of set pixels.</summary>
        public static Mask Solid(int width, int height) {
            Library.Check();
            Is(Hm.hm_mask_solid((uint)width, (uint)height, out IntPtr maskOut));
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Creates a disc: the pixels whose centres are at most `radius` pixels from the centre of the middle pixel. Each side is 2 * radius + 1.</summary>
        public static Mask Disc(int radius) {
            Library.Check();
            Is(Hm.hm_mask_disc((uint)radius, out IntPtr maskOut));
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Creates a mask from rows of text of at most 4095 bytes: '#' is a set pixel, '.' a clear one, and a line feed ends a row. Empty lines and spaces at both ends of a row are ignored. Errors: BadText, BadMask for other characters and for rows of different lengths, Full.</summary>
        public static Mask FromText(string rows) {
            Library.Check();
            Is(Hm.hm_mask_from_text(Utf8.Bytes(rows), out IntPtr maskOut));
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Creates a mask from an image: 4 bytes per pixel, the last of which is alpha, row by row from the top, without padding. A pixel is set if its alpha is at least `alpha`, usually 128. `count` is the number of bytes. Errors: BadMask if the number of bytes is not 4 * width * height, Full.</summary>
        public static Mask FromRgba(int width, int height, ReadOnlySpan<byte> rgba, byte alpha = 128) {
            Library.Check();
            fixed (byte* rgbaAt = &MemoryMarshal.GetReference(rgba)) {
                Is(Hm.hm_mask_from_rgba((uint)width, (uint)height, rgbaAt, (UIntPtr)(uint)rgba.Length, alpha, out IntPtr maskOut));
                return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
            }
        }
        /// <summary>Creates a mask from bytes, one per pixel, row by row from the top, without padding. A pixel is set if its byte is at least `alpha`. Errors: BadMask if the number of bytes is not width * height, Full.</summary>
        public static Mask FromAlpha(int width, int height, ReadOnlySpan<byte> bytes, byte alpha = 128) {
            Library.Check();
            fixed (byte* bytesAt = &MemoryMarshal.GetReference(bytes)) {
                Is(Hm.hm_mask_from_alpha((uint)width, (uint)height, bytesAt, (UIntPtr)(uint)bytes.Length, alpha, out IntPtr maskOut));
                return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
            }
        }
        /// <summary>Creates a mask from packed bits: each row takes (width + 7) / 8 bytes, the leftmost pixel in the highest bit, as in PBM files. Errors: BadMask if the number of bytes is not height * ((width + 7) / 8), Full.</summary>
        public static Mask FromBits(int width, int height, ReadOnlySpan<byte> bits) {
            Library.Check();
            fixed (byte* bitsAt = &MemoryMarshal.GetReference(bits)) {
                Is(Hm.hm_mask_from_bits((uint)width, (uint)height, bitsAt, (UIntPtr)(uint)bits.Length, out IntPtr maskOut));
                return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
            }
        }
        /// <summary>Creates a copy of a mask.</summary>
        public Mask Clone() {
            Is(Hm.hm_mask_clone(Raw, out IntPtr copyOut));
            GC.KeepAlive(this);
            return copyOut == IntPtr.Zero ? null : new Mask(copyOut);
        }
        /// <summary>Gets the size of a mask.</summary>
        public Size Size {
            get {
                Is(Hm.hm_mask_size(Raw, out Size sizeOut));
                GC.KeepAlive(this);
                return sizeOut;
            }
        }
        /// <summary>Gets whether a pixel is set. Pixels outside of the mask are clear.</summary>
        public bool Get(int x, int y) {
            Is(Hm.hm_mask_get(Raw, x, y, out byte isSetOut));
            GC.KeepAlive(this);
            return isSetOut != 0;
        }
        /// <summary>Gets the number of set pixels.</summary>
        public long Count {
            get {
                Is(Hm.hm_mask_count(Raw, out ulong countOut));
                GC.KeepAlive(this);
                return (long)countOut;
            }
        }
        /// <summary>Gets the tight box of the set pixels. False if there is none.</summary>
        public bool TryBounds(out Rect rect) {
            var isThere = Is(Hm.hm_mask_bounds(Raw, out Rect rectOut));
            rect = rectOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets the centre of the set pixels. False if there is none.</summary>
        public bool TryCentroid(out Vec2 centroid) {
            var isThere = Is(Hm.hm_mask_centroid(Raw, out Vec2 centroidOut));
            centroid = centroidOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the outline of the first shape of a mask: its border pixels in clockwise order, from the leftmost pixel of the top row on. Lent until the next call that lends points of this mask.</summary>
        public Lent<Point> Outline() {
            End(Lends.Points);
            Is(Hm.hm_mask_outline(Raw, out hm_points pointsOut));
            GC.KeepAlive(this);
            return new Lent<Point>(this, Lends.Points, pointsOut.items, pointsOut.count);
        }
        /// <summary>Lends rectangles that cover the set pixels, each pixel once, until the next call of this function with the same mask: for drawing, or for a physics engine of boxes.</summary>
        public Lent<Rect> Rects() {
            End(Lends.Rects);
            Is(Hm.hm_mask_rects(Raw, out hm_rects rectsOut));
            GC.KeepAlive(this);
            return new Lent<Rect>(this, Lends.Rects, rectsOut.items, rectsOut.count);
        }
        /// <summary>Lends the pixels as packed bits, as Mask.FromBits() takes them, until the next call that lends bytes of this mask.</summary>
        public Lent<byte> Bits() {
            End(Lends.Bytes);
            Is(Hm.hm_mask_bits(Raw, out hm_bytes bitsOut));
            GC.KeepAlive(this);
            return new Lent<byte>(this, Lends.Bytes, bitsOut.items, bitsOut.count);
        }
        /// <summary>Lends the pixels as bytes, 255 for a set pixel and 0 for a clear one, row by row: an alpha texture. Lent until the next call that lends bytes of this mask.</summary>
        public Lent<byte> Alpha() {
            End(Lends.Bytes);
            Is(Hm.hm_mask_alpha(Raw, out hm_bytes bytesOut));
            GC.KeepAlive(this);
            return new Lent<byte>(this, Lends.Bytes, bytesOut.items, bytesOut.count);
        }
        /// <summary>Lends the mask as rows of text, as Mask.FromText() takes them, until the next call of this function with the same mask.</summary>
        public string Text() {
            Is(Hm.hm_mask_text(Raw, out hm_text rowsOut));
            var copy = Utf8.Text(rowsOut.items);
            GC.KeepAlive(this);
            return copy;
        }
        /// <summary>Sets or clears a pixel. Pixels outside of the mask are ignored. `solid` is false to clear.</summary>
        public void Set(int x, int y, bool solid = true) {
            Is(Hm.hm_mask_set(Raw, x, y, solid ? (byte)1 : (byte)0));
            GC.KeepAlive(this);
        }
        /// <summary>Sets all pixels.</summary>
        public void Fill() {
            Is(Hm.hm_mask_fill(Raw));
            GC.KeepAlive(this);
        }
        /// <summary>Clears all pixels.</summary>
        public void Clear() {
            Is(Hm.hm_mask_clear(Raw));
            GC.KeepAlive(this);
        }
        /// <summary>Toggles all pixels.</summary>
        public void Invert() {
            Is(Hm.hm_mask_invert(Raw));
            GC.KeepAlive(this);
        }
        /// <summary>Sets or clears a rectangle. What is outside of the mask is ignored. `solid` is false to clear.</summary>
        public void FillRect(Rect rect, bool solid = true) {
            Is(Hm.hm_mask_fill_rect(Raw, rect, solid ? (byte)1 : (byte)0));
            GC.KeepAlive(this);
        }
        /// <summary>Draws `other` on `mask`: BlitOperation.Draw, BlitOperation.Erase, BlitOperation.Toggle or BlitOperation.Intersect. The top left pixel of `other` goes to `at`. The two may be the same mask.</summary>
        public void Blit(Mask other, Point at = default, BlitOperation operation = Hitmask.BlitOperation.Draw) {
            Is(Hm.hm_mask_blit(Raw, Of(other), at, operation));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
        }
        /// <summary>Creates a mask of the pixels of a rectangle. Pixels outside of the mask are clear.</summary>
        public Mask Cropped(Rect rect) {
            Is(Hm.hm_mask_cropped(Raw, rect, out IntPtr croppedOut));
            GC.KeepAlive(this);
            return croppedOut == IntPtr.Zero ? null : new Mask(croppedOut);
        }
        /// <summary>Creates a mask that is scaled to another size, by the nearest pixel.</summary>
        public Mask Scaled(int width, int height) {
            Is(Hm.hm_mask_scaled(Raw, (uint)width, (uint)height, out IntPtr scaledOut));
            GC.KeepAlive(this);
            return scaledOut == IntPtr.Zero ? null : new Mask(scaledOut);
        }
        /// <summary>Creates a mask that is mirrored left and right.</summary>
        public Mask FlippedX() {
            Is(Hm.hm_mask_flipped_x(Raw, out IntPtr flippedOut));
            GC.KeepAlive(this);
            return flippedOut == IntPtr.Zero ? null : new Mask(flippedOut);
        }
        /// <summary>Creates a mask that is mirrored top and bottom.</summary>
        public Mask FlippedY() {
            Is(Hm.hm_mask_flipped_y(Raw, out IntPtr flippedOut));
            GC.KeepAlive(this);
            return flippedOut == IntPtr.Zero ? null : new Mask(flippedOut);
        }
        /// <summary>Creates a mask that is turned by a quarter turn, clockwise on screen.</summary>
        public Mask QuarterTurned() {
            Is(Hm.hm_mask_quarter_turned(Raw, out IntPtr turnedOut));
            GC.KeepAlive(this);
            return turnedOut == IntPtr.Zero ? null : new Mask(turnedOut);
        }
        /// <summary>Creates a mask that is grown by `radius` pixels on each side. Its top left pixel is that of the mask moved by `radius` to the left and up.</summary>
        public Mask Grown(int radius, GrowShape shape = Hitmask.GrowShape.Disc) {
            Is(Hm.hm_mask_grown(Raw, (uint)radius, shape, out IntPtr grownOut));
            GC.KeepAlive(this);
            return grownOut == IntPtr.Zero ? null : new Mask(grownOut);
        }
        /// <summary>Creates a mask of the same size without the pixels that are within `radius` pixels of a clear one.</summary>
        public Mask Shrunk(int radius, GrowShape shape = Hitmask.GrowShape.Disc) {
            Is(Hm.hm_mask_shrunk(Raw, (uint)radius, shape, out IntPtr shrunkOut));
            GC.KeepAlive(this);
            return shrunkOut == IntPtr.Zero ? null : new Mask(shrunkOut);
        }
        /// <summary>Gets whether two masks share a set pixel.</summary>
        public bool Touches(Mask other, Point at = default) {
            Is(Hm.hm_mask_touches(Raw, Of(other), at, out byte touchesOut));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return touchesOut != 0;
        }
        /// <summary>Gets the number of pixels that two masks share.</summary>
        public long OverlapArea(Mask other, Point at = default) {
            Is(Hm.hm_mask_overlap_area(Raw, Of(other), at, out ulong areaOut));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return (long)areaOut;
        }
        /// <summary>Gets the tight box of the pixels that two masks share, in pixels of `mask`. False if they do not touch.</summary>
        public bool TryOverlapRect(Mask other, out Rect rect, Point at = default) {
            var isThere = Is(Hm.hm_mask_overlap_rect(Raw, Of(other), at, out Rect rectOut));
            rect = rectOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets area, tight box and first pixel of the overlap, in pixels of `mask`. False if the masks do not touch.</summary>
        public bool TryContact(Mask other, out Contact contact, Point at = default) {
            var isThere = Is(Hm.hm_mask_contact(Raw, Of(other), at, out Contact contactOut));
            contact = contactOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Creates a mask of the pixels that two masks share. It has the size of `mask`.</summary>
        public Mask OverlapMask(Mask other, Point at = default) {
            Is(Hm.hm_mask_overlap_mask(Raw, Of(other), at, out IntPtr overlapOut));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return overlapOut == IntPtr.Zero ? null : new Mask(overlapOut);
        }
        /// <summary>Gets the shortest translation of `mask` that ends its overlap with `other`. Among equally short ones it points farthest up, then farthest left. False if they do not touch.</summary>
        public bool TryPushOut(Mask other, out Point translation, Point at = default) {
            var isThere = Is(Hm.hm_mask_push_out(Raw, Of(other), at, out Point translationOut));
            translation = translationOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets the shortest translation of `mask` after which it touches `other`; (0, 0) if it does. False if one has no set pixel.</summary>
        public bool TryNearest(Mask other, out Point translation, Point at = default) {
            var isThere = Is(Hm.hm_mask_nearest(Raw, Of(other), at, out Point translationOut));
            translation = translationOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets the distance between the nearest pixels of two masks, from centre to centre. False if one has no set pixel.</summary>
        public bool TryDistance(Mask other, out double distance, Point at = default) {
            var isThere = Is(Hm.hm_mask_distance(Raw, Of(other), at, out double distanceOut));
            distance = distanceOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets the first contact of `mask` with `other` if `mask` moves by `motion`. False if the way is free.</summary>
        public bool TryCast(Mask other, Point at, Point motion, out Impact impact) {
            var isThere = Is(Hm.hm_mask_cast(Raw, Of(other), at, motion, out Impact impactOut));
            impact = impactOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets whether two masks touch (Graze.Hit), come within `radius` pixels (Graze.Near) or neither (Graze.Clear).</summary>
        public Graze Graze(Mask other, Point at, int radius) {
            Is(Hm.hm_mask_graze(Raw, Of(other), at, (uint)radius, out Graze grazeOut));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return grazeOut;
        }
        /// <summary>Creates a mask of the pixels whose centres lie in an upright ellipse with these radii, in pixels; a circle if both are equal. Writes to `origin` the position of the top left pixel.</summary>
        public static Mask FromEllipse(Vec2 center, float radiusX, float radiusY, out Point origin) {
            Library.Check();
            Is(Hm.hm_mask_from_ellipse(center, radiusX, radiusY, out IntPtr maskOut, out Point originOut));
            origin = originOut;
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Creates a mask of the pixels of a line between two positions in pixels, both ends included. Writes to `origin` the position of the top left pixel.</summary>
        public static Mask FromLine(Vec2 from, Vec2 to, out Point origin) {
            Library.Check();
            Is(Hm.hm_mask_from_line(from, to, out IntPtr maskOut, out Point originOut));
            origin = originOut;
            return maskOut == IntPtr.Zero ? null : new Mask(maskOut);
        }
        /// <summary>Creates a copy that is cropped to the tight box of its pixels. Writes to `origin` where the top left pixel was in the mask.</summary>
        public Mask Trimmed(out Point origin) {
            Is(Hm.hm_mask_trimmed(Raw, out IntPtr trimmedOut, out Point originOut));
            origin = originOut;
            GC.KeepAlive(this);
            return trimmedOut == IntPtr.Zero ? null : new Mask(trimmedOut);
        }
        /// <summary>Creates a mask that is drawn from another one by a transform about a pivot, by nearest pixels, as sprites are baked. Writes to `origin` where the top left pixel of the result is relative to the pixel in which the pivot lies. Costs a few nanoseconds per pixel of the result's box: seconds for one of 30,000 pixels a side. Errors: BadNumber for a pivot or transform out of range, BadMask if the result is too large, Full.</summary>
        public Mask Transformed(Pivot? pivot, Affine transform, out Point origin) {
            var pivotValue = pivot == null ? default : pivot.Value;
            Is(Hm.hm_mask_transformed(Raw, pivot == null ? null : &pivotValue, &transform, out IntPtr transformedOut, out Point originOut));
            origin = originOut;
            GC.KeepAlive(this);
            return transformedOut == IntPtr.Zero ? null : new Mask(transformedOut);
        }
        /// <summary>Creates a mask of the offsets at which `mask` overlaps `other`: pixel (x, y) is set if they touch with `other` at (x - w + 1, y - h + 1), w and h being the sides of `other`. Clear pixels are the offsets at which `other` fits.</summary>
        public Mask Convolve(Mask other) {
            Is(Hm.hm_mask_convolve(Raw, Of(other), out IntPtr offsetsOut));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return offsetsOut == IntPtr.Zero ? null : new Mask(offsetsOut);
        }
        /// <summary>Gets the angle of the direction in which the pixels spread most, in radians from -pi/2 to pi/2, clockwise on screen; 0 if no direction dominates, as for a disc. False if no pixel is set.</summary>
        public bool TryAngle(out float angle) {
            var isThere = Is(Hm.hm_mask_angle(Raw, out float angleOut));
            angle = angleOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the connected parts of a mask, in the order of their first pixels, until the next call of this function with the same mask. Mask.TryComponent() makes a mask of each.</summary>
        public Lent<Component> Components(Connectivity connectivity = Hitmask.Connectivity.Eight) {
            End(Lends.Components);
            Is(Hm.hm_mask_components(Raw, connectivity, out hm_components componentsOut));
            GC.KeepAlive(this);
            return new Lent<Component>(this, Lends.Components, componentsOut.items, componentsOut.count);
        }
        /// <summary>Creates a mask of a connected part, by its index in the last list of Mask.Components() of this mask. It has the size of the tight box. False beyond the last part.</summary>
        public bool TryComponent(int index, out Mask component) {
            var isThere = Is(Hm.hm_mask_component(Raw, Natural(index), out IntPtr componentOut));
            component = componentOut == IntPtr.Zero ? null : new Mask(componentOut);
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the corners of the convex hull of a mask, between pixels, in clockwise order, until the next call that lends points of this mask. Empty if there is no pixel.</summary>
        public Lent<Point> ConvexHull() {
            End(Lends.Points);
            Is(Hm.hm_mask_convex_hull(Raw, out hm_points pointsOut));
            GC.KeepAlive(this);
            return new Lent<Point>(this, Lends.Points, pointsOut.items, pointsOut.count);
        }
        /// <summary>Gets where a line between two positions in pixels first meets a mask whose top left pixel is at `at`. The collider of the hit is 0. False if it misses.</summary>
        public bool TryRay(Point at, Vec2 from, Vec2 to, out LineHit hit) {
            var isThere = Is(Hm.hm_mask_ray(Raw, at, from, to, out LineHit hitOut));
            hit = hitOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Gets whether two masks share at least `pixels` pixels, the top left pixel of `other` being at `at`. 0 counts as 1. Usually faster than the exact number.</summary>
        public bool OverlapAtLeast(int pixels, Mask other, Point at = default) {
            Is(Hm.hm_mask_overlap_at_least(Raw, (uint)pixels, Of(other), at, out byte overlapsOut));
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return overlapsOut != 0;
        }
        /// <summary>Gets the first shared pixel of two masks in an order: ScanOrder.Top, ScanOrder.Bottom, ScanOrder.Left or ScanOrder.Right. In pixels of `mask`. False if they do not touch.</summary>
        public bool TryFirstOverlap(ScanOrder order, Mask other, out Point point, Point at = default) {
            var isThere = Is(Hm.hm_mask_first_overlap(Raw, order, Of(other), at, out Point pointOut));
            point = pointOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets the shortest translation of `mask` that ends its overlap with `other`, along the line of pixels towards (x, y) = `direction`. False if they do not touch or the direction is (0, 0).</summary>
        public bool TryPushAlong(Mask other, Point at, Point direction, out Point translation) {
            var isThere = Is(Hm.hm_mask_push_along(Raw, Of(other), at, direction, out Point translationOut));
            translation = translationOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Gets the details of the overlap of two masks, in pixels of `mask`: normal, push-out, depth. `a` is `mask`, and `b` is `other`. False if they do not touch.</summary>
        public bool TryOverlap(Mask other, out Overlap overlap, Point at = default) {
            var isThere = Is(Hm.hm_mask_overlap(Raw, Of(other), at, out Overlap overlapOut));
            overlap = overlapOut;
            GC.KeepAlive(this);
            GC.KeepAlive(other);
            return isThere;
        }
        /// <summary>Creates the shape of the set pixels of a mask: outlines as valid polygons within an error. No options mean the defaults. The shape of an empty mask has no polygons. Errors: Uninitialised, BadNumber for an option out of range, BadValue, Full.</summary>
        public Shape Shape(ShapeOptions options = null) {
            var optionsValue = options == null ? default : options.Native();
            Is(Hm.hm_mask_shape(Raw, options == null ? null : &optionsValue, out IntPtr shapeOut));
            GC.KeepAlive(this);
            return shapeOut == IntPtr.Zero ? null : new Shape(shapeOut);
        }
    }
    public sealed unsafe partial class PlacedMap {
    }
    public sealed unsafe partial class Bake {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Bake = 0;
            internal const int Count = 1;
        }
    }
    public sealed unsafe partial class Shape {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Rings = 0;
            internal const int Pieces = 1;
            internal const int Count = 2;
        }
        /// <summary>Gets area, centroid and moment of inertia of a shape.</summary>
        public Mass Mass {
            get {
                Is(Hm.hm_shape_mass(Raw, out Mass massOut));
                GC.KeepAlive(this);
                return massOut;
            }
        }
        /// <summary>Lends the outlines of a shape, each outer border before its holes, until the next call of this function with the same shape. Borders have positive area, holes negative. Lends with `borders` the index of the border of each ring: a border has its own.</summary>
        public Paths<Vec2> Rings(out Lent<int> borders) {
            End(Lends.Rings);
            Is(Hm.hm_shape_rings(Raw, out hm_paths ringsOut, out hm_numbers bordersOut));
            borders = new Lent<int>(this, Lends.Rings, bordersOut.items, bordersOut.count);
            GC.KeepAlive(this);
            return new Paths<Vec2>(this, Lends.Rings, ringsOut.points, ringsOut.starts, ringsOut.count);
        }
        /// <summary>Lends convex pieces that are together the shape, until the next call of this function with the same shape. They have positive area: counter-clockwise with y up. Writes to `thin` what was left out.</summary>
        public Paths<Vec2> Pieces(out ThinPieces thin) {
            End(Lends.Pieces);
            Is(Hm.hm_shape_pieces(Raw, out hm_paths piecesOut, out ThinPieces thinOut));
            thin = thinOut;
            GC.KeepAlive(this);
            return new Paths<Vec2>(this, Lends.Pieces, piecesOut.points, piecesOut.starts, piecesOut.count);
        }
    }
    public sealed unsafe partial class ShapeGrid {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Changed = 0;
            internal const int Rings = 1;
            internal const int Pieces = 2;
            internal const int Chains = 3;
            internal const int Count = 4;
        }
        /// <summary>Traces the cells near `rect` again, and lends the ids of those that are different in ascending order, until the next update of this grid. `rect` covers every pixel that was edited since the last update, in pixels of the mask; it may reach beyond the mask. Errors: BadLength if the mask has another size than the first one.</summary>
        public Lent<int> Update(Mask mask, Rect rect) {
            End(Lends.Changed);
            Is(Hm.hm_shape_grid_update(Raw, Of(mask), rect, out hm_numbers changedOut));
            GC.KeepAlive(this);
            GC.KeepAlive(mask);
            return new Lent<int>(this, Lends.Changed, changedOut.items, changedOut.count);
        }
        /// <summary>Gets the number of cells. Their ids are below it, row by row.</summary>
        public int Count {
            get {
                Is(Hm.hm_shape_grid_count(Raw, out uint countOut));
                GC.KeepAlive(this);
                return (int)countOut;
            }
        }
        /// <summary>Gets what is known of a cell. False beyond the last cell.</summary>
        public bool TryCell(int id, out ShapeCell cell) {
            var isThere = Is(Hm.hm_shape_grid_cell(Raw, (uint)id, out ShapeCell cellOut));
            cell = cellOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the outlines of a cell, as Shape.Rings() does, until the next call of this function with the same grid. All cells have the coordinates of the whole mask. False beyond the last cell.</summary>
        public bool TryRings(int id, out Paths<Vec2> rings, out Lent<int> borders) {
            End(Lends.Rings);
            var isThere = Is(Hm.hm_shape_grid_rings(Raw, (uint)id, out hm_paths ringsOut, out hm_numbers bordersOut));
            rings = new Paths<Vec2>(this, Lends.Rings, ringsOut.points, ringsOut.starts, ringsOut.count);
            borders = new Lent<int>(this, Lends.Rings, bordersOut.items, bordersOut.count);
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the convex pieces of a cell, as Shape.Pieces() does, until the next call of this function with the same grid. False beyond the last cell.</summary>
        public bool TryPieces(int id, out Paths<Vec2> pieces, out ThinPieces thin) {
            End(Lends.Pieces);
            var isThere = Is(Hm.hm_shape_grid_pieces(Raw, (uint)id, out hm_paths piecesOut, out ThinPieces thinOut));
            pieces = new Paths<Vec2>(this, Lends.Pieces, piecesOut.points, piecesOut.starts, piecesOut.count);
            thin = thinOut;
            GC.KeepAlive(this);
            return isThere;
        }
        /// <summary>Lends the outlines of the ground within a cell as chains, without the seams to other cells, until the next call of this function with the same grid. `closed` has 1 for a chain whose last point is joined to the first. Any other chain begins and ends with a ghost point in another cell, as Box2D takes it. False beyond the last cell.</summary>
        public bool TryChains(int id, out Paths<Vec2> chains, out Lent<byte> closed) {
            End(Lends.Chains);
            var isThere = Is(Hm.hm_shape_grid_chains(Raw, (uint)id, out hm_paths chainsOut, out hm_bytes closedOut));
            chains = new Paths<Vec2>(this, Lends.Chains, chainsOut.points, chainsOut.starts, chainsOut.count);
            closed = new Lent<byte>(this, Lends.Chains, closedOut.items, closedOut.count);
            GC.KeepAlive(this);
            return isThere;
        }
    }
    public sealed unsafe partial class Batch {
        // The kinds of lent lists: those of one kind end together.
        static class Lends {
            internal const int Bytes = 0;
            internal const int OverlapArea = 1;
            internal const int Contacts = 2;
            internal const int Count = 3;
        }
        /// <summary>Lends for each pair a byte: 1 if the two masks share a pixel, else 0. Lent until the next call that lends bytes of this batch. A pose that the atlas does not have touches nothing. Errors: UnknownSprite if an id is 0 or was never given out, BadLength.</summary>
        public Lent<byte> Touches(ReadOnlySpan<PosePair> pairs) {
            End(Lends.Bytes);
            fixed (PosePair* pairsAt = &MemoryMarshal.GetReference(pairs)) {
                Is(Hm.hm_batch_touches(Raw, pairsAt, (UIntPtr)(uint)pairs.Length, out hm_bytes answersOut));
                GC.KeepAlive(this);
                return new Lent<byte>(this, Lends.Bytes, answersOut.items, answersOut.count);
            }
        }
        /// <summary>Lends for each pair a byte: 1 if the two masks share at least `pixels` pixels, else 0. 0 pixels count as 1. Lent until the next call that lends bytes of this batch. Errors: those of Batch.Touches().</summary>
        public Lent<byte> OverlapAtLeast(int pixels, ReadOnlySpan<PosePair> pairs) {
            End(Lends.Bytes);
            fixed (PosePair* pairsAt = &MemoryMarshal.GetReference(pairs)) {
                Is(Hm.hm_batch_overlap_at_least(Raw, (uint)pixels, pairsAt, (UIntPtr)(uint)pairs.Length, out hm_bytes answersOut));
                GC.KeepAlive(this);
                return new Lent<byte>(this, Lends.Bytes, answersOut.items, answersOut.count);
            }
        }
        /// <summary>Lends for each pair what coarse masks say: Certainty.No, Certainty.Maybe or Certainty.Yes. Masks without coarse ones are tested exactly. Lent until the next call that lends bytes of this batch. Errors: those of Batch.Touches().</summary>
        public Lent<byte> Coarse(ReadOnlySpan<PosePair> pairs) {
            End(Lends.Bytes);
            fixed (PosePair* pairsAt = &MemoryMarshal.GetReference(pairs)) {
                Is(Hm.hm_batch_coarse(Raw, pairsAt, (UIntPtr)(uint)pairs.Length, out hm_bytes answersOut));
                GC.KeepAlive(this);
                return new Lent<byte>(this, Lends.Bytes, answersOut.items, answersOut.count);
            }
        }
        /// <summary>Lends for each pair the number of shared pixels, until the next call of this function with the same batch. Errors: those of Batch.Touches().</summary>
        public Lent<long> OverlapArea(ReadOnlySpan<PosePair> pairs) {
            End(Lends.OverlapArea);
            fixed (PosePair* pairsAt = &MemoryMarshal.GetReference(pairs)) {
                Is(Hm.hm_batch_overlap_area(Raw, pairsAt, (UIntPtr)(uint)pairs.Length, out hm_areas areasOut));
                GC.KeepAlive(this);
                return new Lent<long>(this, Lends.OverlapArea, areasOut.items, areasOut.count);
            }
        }
        /// <summary>Lends for each pair area, tight box and first pixel of the overlap, in pixels of the first mask. A pair that does not touch has area 0 and zeros. Lent until the next call that lends contacts of this batch. Errors: those of Batch.Touches().</summary>
        public Lent<Contact> Contact(ReadOnlySpan<PosePair> pairs) {
            End(Lends.Contacts);
            fixed (PosePair* pairsAt = &MemoryMarshal.GetReference(pairs)) {
                Is(Hm.hm_batch_contact(Raw, pairsAt, (UIntPtr)(uint)pairs.Length, out hm_contacts contactsOut));
                GC.KeepAlive(this);
                return new Lent<Contact>(this, Lends.Contacts, contactsOut.items, contactsOut.count);
            }
        }
    }
}
