// hitmask for C#: classes that own the objects of the library, and lists that it lends. C# 7.3, .NET Standard 2.1.
//
//   using (var world = new World(atlas)) {
//       world.Update();
//       foreach (var pair in world.Began()) { ... }
//   }
//
// Classes.cs has the methods that have a regular form, and Native.cs the types and the functions of C.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Text;
using Hitmask.Native;

namespace Hitmask {
    /// <summary>A refused call: its status, and what is wrong and how to fix it. The object is as it was. Beside the
    /// errors that its comment names, a method refuses ids and sprites that are not there, numbers that are not finite or
    /// out of range, and objects that are disposed or in use.</summary>
    public sealed class HitmaskException : Exception {
        /// <summary>The reason of the refusal.</summary>
        public Status Status { get; }
        internal HitmaskException(Status status, string message) : base(message) { Status = status; }

        // Returns the exception for a call that this thread made last.
        internal static unsafe Exception Of(Status status) {
            var message = Names(Utf8.Text(Hm.hm_last_error()));
            switch (status) {
                case Status.NullHandle:
                    var at = message.IndexOf("where ", StringComparison.Ordinal) + 6;
                    var end = message.IndexOf(" is expected", StringComparison.Ordinal);
                    var what = end > at && at > 5 ? message.Substring(at, end - at) : "an object";
                    return new ObjectDisposedException(null, what + " was disposed; create another, or dispose of it later");
                case Status.StaleHandle:
                    return new ObjectDisposedException(null, message);
                default:
                    return new HitmaskException(status, Utf8.Text(Hm.hm_status_text((int)status)) + ": " + message);
            }
        }

        // Puts the names of C# in place of those of C.
        static string Names(string text) {
            var at = text.IndexOf("hm_", StringComparison.Ordinal);
            if (at < 0) return text;
            var end = at;
            while (end < text.Length && (char.IsLetterOrDigit(text[end]) || text[end] == '_' || text[end] == '.')) end++;
            var name = new StringBuilder();
            var word = text.Substring(at + 3, end - at - 3).TrimEnd('.');
            end = at + 3 + word.Length;
            if (word.StartsWith("default_", StringComparison.Ordinal)) {
                name.Append("the constructor of ");
                word = word.Substring(8);
            }
            var first = word.IndexOf('_');
            var owner = first < 0 ? "" : word.Substring(0, first);
            var isMember = owner == "world" || owner == "atlas" || owner == "mask" || owner == "baker" || owner == "batch";
            if (owner == "baker") word = "bake" + word.Substring(5);
            var isUpper = true;
            for (var i = 0; i < word.Length; i++) {
                var letter = word[i];
                if (letter == '_' && isMember) {
                    name.Append('.');
                    isMember = false;
                } else if (letter != '_') name.Append(isUpper ? char.ToUpperInvariant(letter) : letter);
                isUpper = letter == '_' || letter == '.';
            }
            return text.Substring(0, at) + name + Names(text.Substring(end));
        }
    }

    /// <summary>The native library of this process.</summary>
    public static unsafe class Library {
        static bool isChecked;
        static Action<LogLevel, string> log;

        /// <summary>The version of the native library, such as "0.1.0".</summary>
        public static string Version {
            get {
                Check();
                return Utf8.Text(Hm.hm_version());
            }
        }

        /// <summary>Receives the warnings of bakes, on the threads whose calls find them; null for none. An exception of
        /// it comes out of the bake.</summary>
        public static Action<LogLevel, string> Log {
            get => log;
            set {
                Check();
                log = value;
                Owner.Is(Hm.hm_set_log(value == null ? null : Callbacks.Log, IntPtr.Zero));
            }
        }

        // Says which file is missing, or that it is of another version. Before the first call of every object.
        internal static void Check() {
            if (!isChecked) Load();
        }

        static void Load() {
            uint interfaceVersion;
            try {
                interfaceVersion = Hm.hm_abi_version();
            } catch (DllNotFoundException missing) {
                throw new DllNotFoundException("the native library of hitmask is missing: " + FileName + " is not " + Places
                    + ". Put it beside the program, or into Assets/Plugins in Unity.", missing);
            } catch (BadImageFormatException other) {
                throw new BadImageFormatException("the native library of hitmask, " + FileName + ", is for another processor: this process has "
                    + IntPtr.Size * 8 + " bits. Looked for it " + Places + ".", other);
            } catch (EntryPointNotFoundException other) {
                throw new DllNotFoundException(FileName + " is another library than hitmask. Looked for it " + Places + ".", other);
            }
            if (interfaceVersion != Hm.HM_ABI_VERSION) {
                throw new DllNotFoundException("the native library of hitmask is version " + Utf8.Text(Hm.hm_version()) + " with interface "
                    + interfaceVersion + ", and these classes need interface " + Hm.HM_ABI_VERSION
                    + ". Take both from one release. Looked for it " + Places + ".");
            }
            isChecked = true;
        }

        static string FileName {
            get {
                if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows)) return "hitmask.dll";
                return RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? "libhitmask.dylib" : "libhitmask.so";
            }
        }

        // Where the runtime looks, in words.
        static string Places {
            get {
                var isWindows = RuntimeInformation.IsOSPlatform(OSPlatform.Windows);
                var name = isWindows ? "PATH" : RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
                var folders = Environment.GetEnvironmentVariable(name);
                var listed = string.IsNullOrEmpty(folders) ? name + ", which is not set" : name + " (" + folders + ")";
                return "in " + AppContext.BaseDirectory + ", in the folders of " + listed + ", or in those of the system";
            }
        }
    }

    /// <summary>An object of the library. Dispose of it when it is no longer needed; the garbage collector does so
    /// otherwise. Nothing is destroyed while another thread is inside a call with it.</summary>
    public abstract unsafe class Owner : IDisposable {
        readonly Handle handle;
        // How often the lists of each kind have ended.
        internal readonly int[] Ends;
        internal IntPtr Raw;

        internal Owner(Kind kind, IntPtr raw, int lists) {
            handle = new Handle(kind, raw);
            Raw = raw;
            Ends = lists == 0 ? Array.Empty<int>() : new int[lists];
        }

        /// <summary>The handle for functions of <see cref="Hm"/>, 0 if the object is disposed. Keep the object alive during
        /// such a call.</summary>
        public IntPtr NativeHandle => Raw;

        /// <summary>True after <see cref="Dispose"/>.</summary>
        public bool IsDisposed => Raw == IntPtr.Zero;

        /// <summary>Destroys the object. All that it has lent ends. A second call does nothing.</summary>
        public void Dispose() {
            Raw = IntPtr.Zero;
            EndAll();
            handle.Dispose();
        }

        internal static IntPtr Of(Owner owner) {
            if (owner == null) throw new ArgumentNullException(nameof(owner), "an object of hitmask is null; create it first");
            return owner.Raw;
        }

        internal static IntPtr[] Of(Owner[] owners) {
            if (owners == null) throw new ArgumentNullException(nameof(owners));
            var raw = new IntPtr[owners.Length];
            for (var i = 0; i < raw.Length; i++) raw[i] = Of(owners[i]);
            return raw;
        }

        // Returns whether there is an answer. Throws if the call was refused.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        internal static bool Is(Status status) {
            return status == Status.Ok || status != Status.None && Refuse(status);
        }

        static bool Refuse(Status status) => throw HitmaskException.Of(status);

        internal static UIntPtr Natural(int count) {
            if (count < 0) throw new ArgumentOutOfRangeException(nameof(count), count, "a count or an index is negative");
            return (UIntPtr)(uint)count;
        }

        internal static void SameLength(int first, int second) {
            if (first != second) throw new ArgumentException("lists that belong together have " + first + " and " + second + " items; give as many of each");
        }

        internal void End(int kind) => Ends[kind]++;

        internal void EndAll() {
            for (var kind = 0; kind < Ends.Length; kind++) Ends[kind]++;
        }
    }

    enum Kind { Atlas, Mask, World, Bake, Batch, Shape, ShapeGrid, PlacedMap }

    // Destroys an object of the library once, whoever comes first: Dispose or the garbage collector.
    sealed class Handle : SafeHandle {
        readonly Kind kind;

        internal Handle(Kind kind, IntPtr raw) : base(IntPtr.Zero, true) {
            this.kind = kind;
            SetHandle(raw);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        protected override bool ReleaseHandle() {
            if (Destroy(kind, handle) == Status.Busy) GC.KeepAlive(new Late(kind, handle));
            return true;
        }

        static Status Destroy(Kind kind, IntPtr raw) {
            switch (kind) {
                case Kind.Atlas: return Hm.hm_atlas_destroy(raw);
                case Kind.Mask: return Hm.hm_mask_destroy(raw);
                case Kind.World: return Hm.hm_world_destroy(raw);
                case Kind.Bake: return Hm.hm_baker_destroy(raw);
                case Kind.Batch: return Hm.hm_batch_destroy(raw);
                case Kind.Shape: return Hm.hm_shape_destroy(raw);
                case Kind.ShapeGrid: return Hm.hm_shape_grid_destroy(raw);
                default: return Hm.hm_placed_map_destroy(raw);
            }
        }

        // An object that was disposed inside a call with it: by another thread, or by a callback. Each run of the
        // garbage collector tries again.
        sealed class Late {
            readonly Kind kind;
            readonly IntPtr raw;
            internal Late(Kind kind, IntPtr raw) {
                this.kind = kind;
                this.raw = raw;
            }
            ~Late() {
                if (Destroy(kind, raw) == Status.Busy) GC.ReRegisterForFinalize(this);
            }
        }
    }

    /// <summary>A list in the memory of the library. The documentation of each method says how long it is valid, and a
    /// use after that throws. <see cref="Span"/> gives it as a span, which cannot check.</summary>
    public readonly unsafe ref struct Lent<T> where T : struct {
        readonly ReadOnlySpan<T> items;
        // Kept alive by its list.
        readonly Owner owner;
        // How often lists of this kind had ended when this one was lent.
        readonly int kind, lent;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        internal Lent(Owner owner, int kind, void* items, UIntPtr count) {
            this.items = new ReadOnlySpan<T>(items, checked((int)(ulong)count));
            this.owner = owner;
            this.kind = kind;
            lent = owner.Ends[kind];
        }

        /// <summary>The number of items.</summary>
        public int Length => items.Length;
        /// <summary>True for a list without items.</summary>
        public bool IsEmpty => items.Length == 0;

        /// <summary>Returns an item.</summary>
        public T this[int index] {
            get {
                var item = Span[index];
                GC.KeepAlive(owner);
                return item;
            }
        }

        /// <summary>The items as a span, which is valid as long as this list. Keep the owner of the list alive.</summary>
        public ReadOnlySpan<T> Span {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get {
                if (owner != null && owner.Ends[kind] != lent) Lists.Stale();
                return items;
            }
        }

        /// <summary>Gives the items as a span, which is valid as long as this list.</summary>
        public static implicit operator ReadOnlySpan<T>(Lent<T> list) => list.Span;

        /// <summary>Copies the items to an array.</summary>
        public T[] ToArray() {
            var copy = Span.ToArray();
            GC.KeepAlive(owner);
            return copy;
        }

        /// <summary>Returns the items one after the other.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public Enumerator GetEnumerator() => new Enumerator(Span, owner, kind);

        /// <summary>Goes through a list, and checks at each step that it is still valid.</summary>
        public ref struct Enumerator {
            readonly ReadOnlySpan<T> items;
            readonly Owner owner;
            readonly int kind, lent;
            int at;

            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            internal Enumerator(ReadOnlySpan<T> items, Owner owner, int kind) {
                this.items = items;
                this.owner = owner;
                this.kind = kind;
                lent = owner == null ? 0 : owner.Ends[kind];
                at = -1;
            }

            /// <summary>The item.</summary>
            public T Current => items[at];

            /// <summary>Goes to the next item.</summary>
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            public bool MoveNext() {
                if (++at >= items.Length) return false;
                if (owner.Ends[kind] != lent) Lists.Stale();
                return true;
            }
        }
    }

    static class Lists {
        internal static void Stale() => throw new InvalidOperationException(
            "the list is no longer valid: a later call has replaced what the library lent, or its owner was disposed; copy it by ToArray() first");
    }

    /// <summary>Polygons or chains in the memory of the library, valid as long as their method says.</summary>
    public readonly unsafe ref struct Paths<T> where T : struct {
        readonly Lent<int> starts;
        readonly ReadOnlySpan<T> points;

        internal Paths(Owner owner, int kind, void* points, uint* starts, UIntPtr count) {
            this.starts = new Lent<int>(owner, kind, starts, starts == null ? UIntPtr.Zero : count + 1);
            this.points = starts == null ? default : new ReadOnlySpan<T>(points, this.starts[(int)(ulong)count]);
        }

        /// <summary>The number of polygons or chains.</summary>
        public int Length => Math.Max(starts.Length - 1, 0);
        /// <summary>Returns the corners of one.</summary>
        public ReadOnlySpan<T> this[int index] => points.Slice(starts[index], starts[index + 1] - starts[index]);
        /// <summary>Returns the polygons or chains one after the other.</summary>
        public Enumerator GetEnumerator() => new Enumerator(this);

        /// <summary>Goes through polygons or chains.</summary>
        public ref struct Enumerator {
            readonly Paths<T> paths;
            int at;
            internal Enumerator(Paths<T> paths) {
                this.paths = paths;
                at = -1;
            }
            /// <summary>The corners of one.</summary>
            public ReadOnlySpan<T> Current => paths[at];
            /// <summary>Goes to the next one.</summary>
            public bool MoveNext() => ++at < paths.Length;
        }
    }

    static unsafe class Utf8 {
        // Returns the bytes of a text with a NUL.
        internal static byte[] Bytes(string text) {
            if (text == null) throw new ArgumentNullException(nameof(text), "a name, a path or a text is null");
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a name, a path or a text has a NUL inside", nameof(text));
            var bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
            Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        // Copies a text that the library lends.
        internal static string Text(byte* lent) {
            if (lent == null) return null;
            var length = 0;
            while (lent[length] != 0) length++;
            return Encoding.UTF8.GetString(lent, length);
        }
    }

    /// <summary>Decides whether two colliders whose pixels touch count as touching, by the numbers that are stored with
    /// them. Calls with the same world are refused inside of it. If it throws, no other pair counts, and the exception
    /// comes out of the call that ran it.</summary>
    public delegate bool KeepPair(Pair pair, ulong userDataA, ulong userDataB);
    /// <summary>As <see cref="KeepPair"/>, with the side of `pair.A` on which `pair.B` lies, and the surface normal from
    /// `pair.B` to `pair.A`.</summary>
    public delegate bool KeepTouch(Pair pair, ulong userDataA, ulong userDataB, Side side, Vec2 normal);
    /// <summary>Decides whether a collider blocks a motion, by the number that is stored with it. If it throws, nothing
    /// else blocks, and the exception comes out of the call that ran it.</summary>
    public delegate bool KeepCollider(ColliderId collider, ulong userData);
    /// <summary>As <see cref="KeepCollider"/>, for a contact: with its side as seen from the mover, and the surface normal
    /// from the obstacle to the mover.</summary>
    public delegate bool KeepContact(ColliderId collider, ulong userData, Side side, Vec2 normal);

    // Unity's IL2CPP compiles methods with an attribute of this name so that C can call them.
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute {
        public MonoPInvokeCallbackAttribute(Type type) { Type = type; }
        public Type Type { get; }
    }

    // The callbacks that C runs, on the thread of the call. An exception waits until that call has returned.
    static unsafe class Callbacks {
        [ThreadStatic] static Delegate running;
        [ThreadStatic] static Exception thrown;

        // Fields, because the library keeps addresses of them.
        internal static readonly hm_keep_pair Pair = OnPair;
        internal static readonly hm_keep_touch Touch = OnTouch;
        internal static readonly hm_keep_collider Collider = OnCollider;
        internal static readonly hm_keep_contact Contact = OnContact;
        internal static readonly hm_log_callback Log = OnLog;

        // Begins a call with a callback. Returns the callback inside which it runs.
        internal static Delegate Begin(Delegate keep) {
            var outer = running;
            running = keep;
            return outer;
        }

        // Ends a call, and throws what its callback threw.
        internal static void End(Delegate outer) {
            running = outer;
            if (thrown != null) Throw();
        }

        internal static void Throw() {
            var exception = thrown;
            thrown = null;
            if (exception != null) ExceptionDispatchInfo.Capture(exception).Throw();
        }

        [MonoPInvokeCallback(typeof(hm_keep_pair))]
        static byte OnPair(IntPtr user, Pair pair, ulong userDataA, ulong userDataB) {
            try {
                return thrown == null && ((KeepPair)running)(pair, userDataA, userDataB) ? (byte)1 : (byte)0;
            } catch (Exception exception) {
                thrown = exception;
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(hm_keep_touch))]
        static byte OnTouch(IntPtr user, Pair pair, ulong userDataA, ulong userDataB, Side side, Vec2 normal) {
            try {
                return thrown == null && ((KeepTouch)running)(pair, userDataA, userDataB, side, normal) ? (byte)1 : (byte)0;
            } catch (Exception exception) {
                thrown = exception;
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(hm_keep_collider))]
        static byte OnCollider(IntPtr user, ColliderId collider, ulong userData) {
            try {
                return thrown == null && ((KeepCollider)running)(collider, userData) ? (byte)1 : (byte)0;
            } catch (Exception exception) {
                thrown = exception;
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(hm_keep_contact))]
        static byte OnContact(IntPtr user, ColliderId collider, ulong userData, Side side, Vec2 normal) {
            try {
                return thrown == null && ((KeepContact)running)(collider, userData, side, normal) ? (byte)1 : (byte)0;
            } catch (Exception exception) {
                thrown = exception;
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(hm_log_callback))]
        static void OnLog(IntPtr user, LogLevel level, byte* message) {
            try {
                Library.Log?.Invoke(level, Utf8.Text(message));
            } catch (Exception exception) {
                thrown = exception;
            }
        }
    }

    public partial struct Vec2 : IEquatable<Vec2> {
        /// <summary>Makes a point or a direction.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public Vec2(float x, float y) {
            X = x;
            Y = y;
        }
        /// <summary>Makes a point or a direction of two numbers, such as `(1.5f, 2)`.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static implicit operator Vec2((float x, float y) at) => new Vec2(at.x, at.y);
        /// <summary>Gives the two numbers.</summary>
        public void Deconstruct(out float x, out float y) {
            x = X;
            y = Y;
        }
        /// <inheritdoc/>
        public bool Equals(Vec2 other) => X == other.X && Y == other.Y;
        /// <summary>Says whether both numbers are equal.</summary>
        public static bool operator ==(Vec2 a, Vec2 b) => a.X == b.X && a.Y == b.Y;
        /// <summary>Says whether a number differs.</summary>
        public static bool operator !=(Vec2 a, Vec2 b) => !(a == b);
        /// <inheritdoc/>
        public override bool Equals(object other) => other is Vec2 at && Equals(at);
        /// <inheritdoc/>
        public override int GetHashCode() => X.GetHashCode() * 31 + Y.GetHashCode();
        /// <inheritdoc/>
        public override string ToString() => FormattableString.Invariant($"{X}, {Y}");
    }

    public partial struct Point : IEquatable<Point> {
        /// <summary>Makes a point or a translation.</summary>
        public Point(int x, int y) {
            X = x;
            Y = y;
        }
        /// <summary>Makes a point or a translation of two numbers, such as `(1, 2)`.</summary>
        public static implicit operator Point((int x, int y) at) => new Point(at.x, at.y);
        /// <summary>Gives the two numbers.</summary>
        public void Deconstruct(out int x, out int y) {
            x = X;
            y = Y;
        }
        /// <inheritdoc/>
        public bool Equals(Point other) => X == other.X && Y == other.Y;
        /// <summary>Says whether both numbers are equal.</summary>
        public static bool operator ==(Point a, Point b) => a.X == b.X && a.Y == b.Y;
        /// <summary>Says whether a number differs.</summary>
        public static bool operator !=(Point a, Point b) => !(a == b);
        /// <inheritdoc/>
        public override bool Equals(object other) => other is Point at && Equals(at);
        /// <inheritdoc/>
        public override int GetHashCode() => X * 31 + Y;
        /// <inheritdoc/>
        public override string ToString() => FormattableString.Invariant($"{X}, {Y}");
    }

    public partial struct Rect {
        /// <summary>Makes a rectangle from (x0, y0) up to but without (x1, y1).</summary>
        public Rect(int x0, int y0, int x1, int y1) {
            X0 = x0;
            Y0 = y0;
            X1 = x1;
            Y1 = y1;
        }
    }

    public partial struct Pair : IEquatable<Pair> {
        /// <summary>Makes a pair.</summary>
        public Pair(ColliderId a, ColliderId b) {
            A = a;
            B = b;
        }
        /// <summary>Says whether a collider is one of the two.</summary>
        public bool Has(ColliderId id) => A == id || B == id;
        /// <summary>Returns the other one of the two.</summary>
        public ColliderId Other(ColliderId id) => A == id ? B : A;
        /// <inheritdoc/>
        public bool Equals(Pair other) => A == other.A && B == other.B;
        /// <inheritdoc/>
        public override bool Equals(object other) => other is Pair pair && Equals(pair);
        /// <inheritdoc/>
        public override int GetHashCode() => A.GetHashCode() * 31 + B.GetHashCode();
    }

    public partial struct Placement {
        /// <summary>Makes a placement.</summary>
        public Placement(Vec2 position, float angle = 0) {
            X = position.X;
            Y = position.Y;
            Angle = angle;
        }
        /// <summary>The position of the pivot in pixels.</summary>
        public Vec2 Position {
            get => new Vec2(X, Y);
            set {
                X = value.X;
                Y = value.Y;
            }
        }
    }

    public partial struct Collider {
        /// <summary>Makes a collider of a sprite, at (0, 0), not rotated, at scale 1.</summary>
        public Collider(SpriteId sprite) {
            Library.Check();
            this = Hm.hm_default_collider();
            Sprite = sprite;
        }
        /// <summary>Makes a collider of a run-time mask, at (0, 0).</summary>
        public Collider(MaskId mask) {
            Library.Check();
            this = Hm.hm_default_collider();
            Mask = mask;
        }
        /// <summary>The position of the pivot in pixels: x right, y down.</summary>
        public Vec2 Position {
            get => new Vec2(X, Y);
            set {
                X = value.X;
                Y = value.Y;
            }
        }
    }

    public partial struct Affine {
        /// <summary>Returns the transform of a child in its parent: scaled, then turned by `angle` in radians, clockwise on
        /// screen, about `registration` in the child, which is placed at `at` in the parent.</summary>
        public static Affine Placed(Vec2 at, Vec2 registration, float angle, float scale = 1) {
            Library.Check();
            return Hm.hm_affine_placed(at, registration, angle, scale);
        }
        /// <summary>Returns the transform that applies this one, then `second`, as for a child and its parent.</summary>
        public Affine Then(Affine second) {
            Library.Check();
            return Hm.hm_affine_then(this, second);
        }
    }

    public partial struct ColorRange {
        /// <summary>Makes the range of one colour.</summary>
        public ColorRange(byte red, byte green, byte blue, byte alpha) : this(red, red, green, green, blue, blue, alpha, alpha) { }
        /// <summary>Makes a range from a lowest to a highest value of each, both included.</summary>
        public ColorRange(byte redFrom, byte redTo, byte greenFrom, byte greenTo, byte blueFrom, byte blueTo, byte alphaFrom, byte alphaTo) {
            from_0 = redFrom;
            from_1 = greenFrom;
            from_2 = blueFrom;
            from_3 = alphaFrom;
            to_0 = redTo;
            to_1 = greenTo;
            to_2 = blueTo;
            to_3 = alphaTo;
        }
    }

    /// <summary>Which pixels of an image are solid.</summary>
    public sealed unsafe class TexelRule {
        /// <summary>The number that the value of the channel is compared with. Default 128.</summary>
        public byte Alpha = 128;
        /// <summary>How the two are compared.</summary>
        public AlphaTest AlphaTest = AlphaTest.AtLeast;
        /// <summary>The channel.</summary>
        public Channel Channel = Channel.Alpha;
        /// <summary>Colours that are never solid.</summary>
        public ColorRange[] Exclude;
        /// <summary>Colours that alone can be solid; null for all.</summary>
        public ColorRange[] Only;

        /// <summary>Returns the number of <see cref="Alpha"/>, for <see cref="AlphaTest.Bits"/>, that classic pixel collision
        /// libraries call an alpha tolerance, from 0 to 1.</summary>
        public static byte Tolerance(float tolerance) {
            Library.Check();
            return Hm.hm_alpha_tolerance(tolerance);
        }

        internal hm_texel_rule Native(Pins pins) {
            var native = Hm.hm_default_texel_rule();
            native.alpha = Alpha;
            native.alpha_test = AlphaTest;
            native.channel = Channel;
            native.exclude = (ColorRange*)pins.Add(Exclude);
            native.exclude_count = Pins.Count(Exclude);
            native.only = (ColorRange*)pins.Add(Only);
            native.only_count = Pins.Count(Only);
            return native;
        }
    }

    /// <summary>How sprites are baked.</summary>
    public sealed unsafe class BakeSettings {
        /// <summary>The number of angles in a full turn. Ignored if <see cref="MaxError"/> is not 0.</summary>
        public int Angles = 64;
        /// <summary>The scales; null for scale 1 only.</summary>
        public float[] Scales;
        /// <summary>If not 0, the number of angles is chosen for each sprite so that no pixel is farther from its exact
        /// place, in pixels.</summary>
        public float MaxError;
        /// <summary>How pixels are decided.</summary>
        public Sampling Sampling = Sampling.Nearest;
        /// <summary>The pivot in half-texels; null for the centre of each frame.</summary>
        public Pivot? Pivot;
        /// <summary>A pixel of an image is solid if its alpha is at least this.</summary>
        public byte Alpha = 128;
        /// <summary>True to add a frame after the last: the union of all frames, which cannot miss a hit on a frame that the
        /// game skips.</summary>
        public bool MotionFrame;
        /// <summary>The rule for solid pixels of images; null for <see cref="Alpha"/>.</summary>
        public TexelRule Rule;
        /// <summary>Additional planes by alpha, each from 1 to 255: each has the pixels whose alpha is at least its
        /// threshold.</summary>
        public byte[] Thresholds;

        // `rule` is where the rule stands during the call.
        internal hm_bake_settings Native(Pins pins, hm_texel_rule* rule) {
            var native = Hm.hm_default_bake_settings();
            native.angles = (uint)Angles;
            native.scales = (float*)pins.Add(Scales);
            native.scale_count = Pins.Count(Scales);
            native.max_error = MaxError;
            native.sampling = Sampling;
            native.pivot = Pivot.GetValueOrDefault();
            native.use_pivot = Pivot.HasValue ? (byte)1 : (byte)0;
            native.alpha = Alpha;
            native.motion_frame = MotionFrame ? (byte)1 : (byte)0;
            native.thresholds = (byte*)pins.Add(Thresholds);
            native.threshold_count = Pins.Count(Thresholds);
            if (Rule != null) {
                *rule = Rule.Native(pins);
                native.rule = rule;
            }
            return native;
        }
    }

    // Arrays that stay at their addresses during a call.
    sealed class Pins : IDisposable {
        readonly List<GCHandle> pinned = new List<GCHandle>();

        internal IntPtr Add(Array array) {
            if (array == null) return IntPtr.Zero;
            var handle = GCHandle.Alloc(array, GCHandleType.Pinned);
            pinned.Add(handle);
            return handle.AddrOfPinnedObject();
        }

        internal static UIntPtr Count(Array array) => (UIntPtr)(uint)(array == null ? 0 : array.Length);

        public void Dispose() {
            foreach (var handle in pinned) handle.Free();
        }
    }

    /// <summary>A mask of 1 bit per pixel. Several threads can ask it at once; edits are for one thread.</summary>
    public sealed unsafe partial class Mask : Owner {
        internal Mask(IntPtr raw) : base(Kind.Mask, raw, Lends.Count) { }

        /// <summary>Makes a mask of clear pixels. Each side is at most 32767 pixels.</summary>
        public Mask(int width, int height) : this(Create(width, height)) { }

        static IntPtr Create(int width, int height) {
            Library.Check();
            Is(Hm.hm_mask_create((uint)width, (uint)height, out var mask));
            return mask;
        }

        /// <summary>Makes a mask from an image, as the other overload does, with a rule for alpha, channel and colours.</summary>
        public static Mask FromRgba(int width, int height, ReadOnlySpan<byte> rgba, TexelRule rule) {
            if (rule == null) throw new ArgumentNullException(nameof(rule));
            Library.Check();
            using (var pins = new Pins()) {
                var native = rule.Native(pins);
                fixed (byte* at = &MemoryMarshal.GetReference(rgba)) {
                    Is(Hm.hm_mask_from_rgba_by_rule((uint)width, (uint)height, at, (UIntPtr)(uint)rgba.Length, &native, out var mask));
                    return new Mask(mask);
                }
            }
        }

        /// <summary>Makes a mask of the pixels whose centres lie inside one polygon, in pixels. `origin` is the position of
        /// the top left pixel.</summary>
        public static Mask FromPolygon(ReadOnlySpan<Vec2> corners, out Point origin) => FromPolygons(corners, default, out origin);

        /// <summary>Makes a mask of the pixels whose centres lie inside an odd number of polygons, so that one inside another is
        /// a hole. Polygon i has the corners from `starts[i]` up to `starts[i + 1]`: there is one number more than there
        /// are polygons. `origin` is the position of the top left pixel.</summary>
        public static Mask FromPolygons(ReadOnlySpan<Vec2> corners, ReadOnlySpan<int> starts, out Point origin) {
            Library.Check();
            fixed (Vec2* cornersAt = &MemoryMarshal.GetReference(corners))
            fixed (int* startsAt = &MemoryMarshal.GetReference(starts)) {
                var polygons = starts.Length == 0 ? 1 : starts.Length - 1;
                Is(Hm.hm_mask_from_polygons(cornersAt, (UIntPtr)(uint)corners.Length, (uint*)startsAt, (UIntPtr)(uint)polygons, out var mask, out origin));
                return new Mask(mask);
            }
        }

        /// <summary>Makes one mask of the pixels of several masks, the top left pixel of `masks[i]` being at `positions[i]`.
        /// `origin` is the position of the top left pixel.</summary>
        public static Mask Union(Mask[] masks, ReadOnlySpan<Point> positions, out Point origin) {
            Library.Check();
            var raw = Of(masks);
            SameLength(raw.Length, positions.Length);
            fixed (Point* at = &MemoryMarshal.GetReference(positions)) {
                Is(Hm.hm_mask_union(raw, at, (UIntPtr)(uint)raw.Length, out var mask, out origin));
                GC.KeepAlive(masks);
                return new Mask(mask);
            }
        }

        /// <summary>Lends the borders as polygons between pixels, until the next call that lends points of this mask. Outer
        /// ones run clockwise, holes counter-clockwise.</summary>
        public Paths<Point> Polygons(Connectivity connectivity = Connectivity.Eight) {
            End(Lends.Points);
            Is(Hm.hm_mask_polygons(Raw, connectivity, out var found));
            GC.KeepAlive(this);
            return new Paths<Point>(this, Lends.Points, found.points, found.starts, found.count);
        }
    }

    /// <summary>The outlines of a mask for a physics engine. One thread at a time. See <see cref="Mask.Shape"/>,
    /// <see cref="Atlas.Shape"/> and <see cref="World.MaskShape"/>.</summary>
    public sealed unsafe partial class Shape : Owner {
        internal Shape(IntPtr raw) : base(Kind.Shape, raw, Lends.Count) { }

        /// <summary>Gets the number of islands and of holes that <see cref="ShapeOptions.MinArea"/> left out.</summary>
        public void LeftOut(out int islands, out int holes) {
            Is(Hm.hm_shape_left_out(Raw, out var islandsOut, out var holesOut));
            GC.KeepAlive(this);
            (islands, holes) = ((int)islandsOut, (int)holesOut);
        }
    }

    /// <summary>The shapes of a large mask in cells, of which an edit traces few again. One thread at a time.</summary>
    public sealed unsafe partial class ShapeGrid : Owner {
        internal ShapeGrid(IntPtr raw) : base(Kind.ShapeGrid, raw, Lends.Count) { }

        /// <summary>Makes the shapes of a mask in cells of `side` x `side` pixels, 8 to 1024.</summary>
        public ShapeGrid(Mask mask, int side = 64, ShapeOptions options = null) : this(Create(mask, side, options)) { }

        static IntPtr Create(Mask mask, int side, ShapeOptions options) {
            var native = options == null ? default : options.Native();
            Is(Hm.hm_shape_grid_create(Of(mask), (uint)side, options == null ? null : &native, out var grid));
            GC.KeepAlive(mask);
            return grid;
        }
    }

    /// <summary>Answers questions about many pairs of poses of one atlas at once. One thread at a time.</summary>
    public sealed unsafe partial class Batch : Owner {
        /// <summary>Makes a batch over the poses of an atlas, which it keeps. Reuse it.</summary>
        public Batch(Atlas atlas) : base(Kind.Batch, Create(atlas), Lends.Count) { }

        static IntPtr Create(Atlas atlas) {
            Is(Hm.hm_batch_create(Of(atlas), out var batch));
            GC.KeepAlive(atlas);
            return batch;
        }
    }

    /// <summary>What is known about a sprite.</summary>
    public sealed class SpriteInfo {
        /// <summary>The id of the sprite.</summary>
        public SpriteId Id { get; internal set; }
        /// <summary>The name.</summary>
        public string Name { get; internal set; }
        /// <summary>The number of frames.</summary>
        public int Frames { get; internal set; }
        /// <summary>The number of planes of each frame, at least 1.</summary>
        public int Planes { get; internal set; }
        /// <summary>The number of baked angles in a full turn.</summary>
        public int Angles { get; internal set; }
        /// <summary>The number of baked scales.</summary>
        public int Scales { get; internal set; }
        /// <summary>The bytes of its masks.</summary>
        public long MaskBytes { get; internal set; }
    }

    /// <summary>The masks of all sprites. It does not change, and all threads can use it at once.</summary>
    public sealed unsafe partial class Atlas : Owner {
        internal Atlas(IntPtr raw) : base(Kind.Atlas, raw, Lends.Count) { }

        /// <summary>Gets the sprite with this name. False if there is none.</summary>
        public bool TrySprite(string name, out SpriteId sprite) {
            var isThere = Is(Hm.hm_atlas_sprite(Raw, Utf8.Bytes(name), out sprite));
            GC.KeepAlive(this);
            return isThere;
        }

        /// <summary>Returns the sprite with this name. Throws with the name that may be meant if there is none.</summary>
        public SpriteId Sprite(string name) {
            return TrySprite(name, out var sprite) ? sprite : throw Unknown("sprite", default, name);
        }

        /// <summary>Returns the plane of a sprite with this name. Throws with the name that may be meant if there is none.</summary>
        public int Plane(SpriteId sprite, string name) {
            return TryPlane(sprite, name, out var plane) ? plane : throw Unknown("plane", sprite, name);
        }

        Exception Unknown(string what, SpriteId sprite, string name) {
            var message = "the atlas has no " + what + " \"" + name + "\"";
            if (Is(Hm.hm_atlas_alike(Raw, sprite.Value, Utf8.Bytes(name), out var other))) {
                message += "; did you mean \"" + Utf8.Text(other) + "\"?";
            }
            GC.KeepAlive(this);
            return new KeyNotFoundException(message);
        }

        /// <summary>Returns what is known about a sprite.</summary>
        public SpriteInfo SpriteInfo(SpriteId sprite) {
            Is(Hm.hm_atlas_sprite_info(Raw, sprite.Value, out var info));
            var copy = new SpriteInfo {
                Id = info.id, Name = Utf8.Text(info.name), Frames = (int)info.frames, Planes = (int)info.planes,
                Angles = (int)info.angles, Scales = (int)info.scales, MaskBytes = (long)info.mask_bytes
            };
            GC.KeepAlive(this);
            return copy;
        }

        /// <summary>Returns the rule for alpha that a sprite was baked with.</summary>
        public TexelRule AlphaRule(SpriteId sprite) {
            Is(Hm.hm_atlas_alpha_rule(Raw, sprite.Value, out var rule));
            GC.KeepAlive(this);
            return new TexelRule { Alpha = rule.alpha, AlphaTest = rule.alpha_test, Channel = rule.channel };
        }

        /// <summary>Copies the map with this name, for reading. False if there is none.</summary>
        public bool TryMap(string name, out Map map) {
            var isThere = Is(Hm.hm_atlas_map(Raw, Utf8.Bytes(name), out var found));
            map = isThere ? new Map(found) : null;
            GC.KeepAlive(this);
            return isThere;
        }
    }

    /// <summary>A map: the colliders and the named places of a level.</summary>
    public sealed unsafe class Map {
        /// <summary>The name.</summary>
        public string Name { get; }
        /// <summary>Width and height in pixels.</summary>
        public Vec2 Size { get; }
        /// <summary>The properties of the map.</summary>
        public IReadOnlyDictionary<string, string> Properties { get; }
        /// <summary>The colliders and the places, in the order of the level file.</summary>
        public IReadOnlyList<MapItem> Items { get; }

        internal Map(hm_map map) {
            Name = Utf8.Text(map.name);
            Size = map.size;
            Properties = MapItem.Copies(map.properties);
            Items = MapItem.Copies(map.items);
        }

        /// <summary>Returns the first item with this name, such as a place where a hero starts; null if there is none.</summary>
        public MapItem Find(string name) => MapItem.Find(Items, name);
    }

    /// <summary>A part of a map: a chunk of tiles, an object or a point.</summary>
    public sealed unsafe class MapItem {
        /// <summary>What tells the item from all others, in this version of the level and in later ones.</summary>
        public string Id { get; private set; }
        /// <summary>The name of the object, or the terrain of a chunk.</summary>
        public string Name { get; private set; }
        /// <summary>The class of the object; "chunk" for a chunk of tiles.</summary>
        public string Class { get; private set; }
        /// <summary>The properties of the object.</summary>
        public IReadOnlyDictionary<string, string> Properties { get; private set; }
        /// <summary>The position in pixels: of the collider, or of the point.</summary>
        public Vec2 Position { get; private set; }
        /// <summary>The size of the object in pixels, before it is turned. (0, 0) for a point.</summary>
        public Vec2 Size { get; private set; }
        /// <summary>The collider in the world; none for a point.</summary>
        public ColliderId Collider { get; private set; }

        internal static Dictionary<string, string> Copies(hm_properties list) {
            var copies = new Dictionary<string, string>();
            for (var i = 0; i < (int)(ulong)list.count; i++) copies[Utf8.Text(list.items[i].key)] = Utf8.Text(list.items[i].value);
            return copies;
        }

        internal static MapItem[] Copies(hm_map_items list) {
            var copies = new MapItem[(int)(ulong)list.count];
            for (var i = 0; i < copies.Length; i++) {
                var item = list.items[i];
                copies[i] = new MapItem {
                    Id = Utf8.Text(item.id), Name = Utf8.Text(item.name), Class = Utf8.Text(item.class_name),
                    Properties = Copies(item.properties), Position = item.position, Size = item.size, Collider = item.collider
                };
            }
            return copies;
        }

        internal static MapItem Find(IReadOnlyList<MapItem> items, string name) {
            for (var i = 0; i < items.Count; i++) if (items[i].Name == name) return items[i];
            return null;
        }
    }

    /// <summary>A map in a world. Its end leaves the colliders.</summary>
    public sealed unsafe partial class PlacedMap : Owner {
        /// <summary>The map as it was placed or updated last, with the ids of its colliders.</summary>
        public Map Map { get; internal set; }

        internal PlacedMap(IntPtr raw, hm_map map) : base(Kind.PlacedMap, raw, 0) { Map = new Map(map); }

        /// <summary>The ids of the colliders of the map, for <see cref="World.RemoveAll"/>.</summary>
        public ColliderId[] Colliders() {
            var ids = new List<ColliderId>();
            foreach (var item in Map.Items) if (!item.Collider.IsNone) ids.Add(item.Collider);
            return ids.ToArray();
        }
    }

    /// <summary>What <see cref="World.UpdateMap"/> has done. The numbers are indices of the items of the map.</summary>
    public sealed class MapReport {
        /// <summary>The items whose colliders were inserted.</summary>
        public int[] Inserted { get; internal set; }
        /// <summary>The items that are gone, as they were before.</summary>
        public IReadOnlyList<MapItem> Removed { get; internal set; }
        /// <summary>The items whose colliders were moved, or changed in another field.</summary>
        public int[] Changed { get; internal set; }
        /// <summary>The items that the game has changed or removed itself.</summary>
        public int[] Kept { get; internal set; }
    }

    /// <summary>What <see cref="World.ReplaceAtlas"/> has done.</summary>
    public sealed class ReloadReport {
        /// <summary>The id of the new atlas.</summary>
        public AtlasId Atlas { get; internal set; }
        /// <summary>The colliders that keep the pixels of the earlier version.</summary>
        public ColliderId[] Outdated { get; internal set; }
        /// <summary>The sprites that differ: first the added ones, then the vanished, then the changed.</summary>
        public IReadOnlyList<SpriteChange> Changes { get; internal set; }
    }

    /// <summary>A sprite that differs between two versions of an atlas.</summary>
    public sealed class SpriteChange {
        /// <summary>The name of the sprite.</summary>
        public string Sprite { get; internal set; }
        /// <summary>Whether it was added, has vanished or has changed.</summary>
        public SpriteChangeKind Kind { get; internal set; }
        /// <summary>The names of the planes that the new version lacks.</summary>
        public string[] LostPlanes { get; internal set; }
        /// <summary>The frames of both versions whose images have another size.</summary>
        public int[] Resized { get; internal set; }
        /// <summary>The number of frames before, of a changed sprite.</summary>
        public int FramesBefore { get; internal set; }
        /// <summary>The number of frames now, of a changed sprite.</summary>
        public int Frames { get; internal set; }
    }

    /// <summary>Collects sprites and bakes an atlas of them in memory. One thread at a time.</summary>
    public sealed unsafe partial class Bake : Owner {
        BakeSettings settings;
        float resolution = 1;
        long maxBytes;
        bool isCompact;

        /// <summary>Makes a bake without sprites.</summary>
        public Bake() : base(Kind.Bake, Create(), Lends.Count) { }

        static IntPtr Create() {
            Library.Check();
            Is(Hm.hm_baker_create(out var baker));
            return baker;
        }

        /// <summary>The settings of all sprites that are added afterwards without settings of their own; null for the
        /// defaults.</summary>
        public BakeSettings Settings {
            get => settings;
            set {
                With(value ?? new BakeSettings(), native => Hm.hm_baker_set_settings(Raw, (hm_bake_settings*)native));
                settings = value;
            }
        }

        /// <summary>The mask pixels per pixel of positions, a power of 2 from 1/8 to 8.</summary>
        public float Resolution {
            get => resolution;
            set {
                Is(Hm.hm_baker_set_resolution(Raw, value));
                GC.KeepAlive(this);
                resolution = value;
            }
        }

        /// <summary>The largest size of the opened atlas in bytes; 0 for no limit. If it would be larger, sprites that turn get
        /// fewer angles.</summary>
        public long MaxBytes {
            get => maxBytes;
            set {
                Is(Hm.hm_baker_set_max_bytes(Raw, value == 0 ? ulong.MaxValue : (ulong)value));
                GC.KeepAlive(this);
                maxBytes = value;
            }
        }

        /// <summary>True if the atlas holds the images only, and a world draws poses when they are first shown.</summary>
        public bool Compact {
            get => isCompact;
            set {
                Is(Hm.hm_baker_set_compact(Raw, value ? (byte)1 : (byte)0));
                GC.KeepAlive(this);
                isCompact = value;
            }
        }

        /// <summary>Adds a sprite of one image.</summary>
        public Bake Mask(string name, Mask mask, BakeSettings settings = null) => Masks(name, new[] { mask }, settings);

        /// <summary>Adds a sprite whose frames are copies of masks.</summary>
        public Bake Masks(string name, Mask[] frames, BakeSettings settings = null) {
            byte[] text = Utf8.Bytes(name);
            var raw = Of(frames);
            With(settings, native => Hm.hm_baker_add_masks(Raw, text, raw, (UIntPtr)(uint)raw.Length, (hm_bake_settings*)native));
            GC.KeepAlive(frames);
            return this;
        }

        /// <summary>Adds a sprite of several named planes, such as a body and a shield. `masks` has those of the first frame in
        /// the order of `planes`, then those of the next.</summary>
        public Bake Planes(string name, string[] planes, Mask[] masks, BakeSettings settings = null) {
            if (planes == null) throw new ArgumentNullException(nameof(planes));
            if (planes.Length == 0 || masks == null || masks.Length % planes.Length != 0) {
                throw new ArgumentException("each frame needs one mask for each plane");
            }
            byte[] text = Utf8.Bytes(name);
            var raw = Of(masks);
            using (var pins = new Pins()) {
                var names = new IntPtr[planes.Length];
                for (var i = 0; i < names.Length; i++) names[i] = pins.Add(Utf8.Bytes(planes[i]));
                With(settings, native => Hm.hm_baker_add_planes(Raw, text, names, (UIntPtr)(uint)names.Length, raw,
                    (UIntPtr)(uint)(raw.Length / names.Length), (hm_bake_settings*)native));
            }
            GC.KeepAlive(masks);
            return this;
        }

        /// <summary>Adds a sprite of images of one size: 4 bytes per pixel, the last of which is alpha, row by row from the
        /// top, one image after the other.</summary>
        public Bake Rgba(string name, int width, int height, ReadOnlySpan<byte> rgba, int frames = 1, BakeSettings settings = null) {
            byte[] text = Utf8.Bytes(name);
            var count = (UIntPtr)(uint)rgba.Length;
            fixed (byte* at = &MemoryMarshal.GetReference(rgba)) {
                var first = (IntPtr)at;
                With(settings, native => Hm.hm_baker_add_rgba(Raw, text, (uint)width, (uint)height, (uint)frames, (byte*)first, count,
                    (hm_bake_settings*)native));
            }
            return this;
        }

        /// <summary>Bakes all sprites and opens the atlas.</summary>
        public Atlas ToAtlas() {
            var status = Hm.hm_baker_bake_atlas(Raw, out var atlas);
            GC.KeepAlive(this);
            Is(status);
            var baked = new Atlas(atlas);
            Callbacks.Throw();
            return baked;
        }

        /// <summary>Bakes all sprites and returns the bytes of the atlas. The same sprites and settings give the same bytes on
        /// every machine.</summary>
        public byte[] ToBytes() {
            Is(Hm.hm_baker_bake(Raw, out var bytes));
            var copy = new ReadOnlySpan<byte>(bytes.items, checked((int)(ulong)bytes.count)).ToArray();
            GC.KeepAlive(this);
            Callbacks.Throw();
            return copy;
        }

        // Runs a call with settings, or with none.
        void With(BakeSettings settings, Func<IntPtr, Status> call) {
            using (var pins = new Pins()) {
                hm_texel_rule rule;
                var native = settings == null ? default : settings.Native(pins, &rule);
                Is(call(settings == null ? IntPtr.Zero : (IntPtr)(&native)));
            }
            GC.KeepAlive(this);
        }
    }

    /// <summary>The result of a character move. The lists are lent until the next call with the same world that moves by
    /// rules.</summary>
    public readonly unsafe ref struct MoveResult {
        /// <summary>The new position of the collider, in pixels.</summary>
        public readonly Vec2 Position;
        /// <summary>The distance moved, in mask pixels.</summary>
        public readonly Point Translation;
        /// <summary>The obstacles that ended a part of the motion, in the order of contact.</summary>
        public readonly Lent<Blocked> Contacts;
        /// <summary>The sensors that the collider touched on its way, in the order of the way.</summary>
        public readonly Lent<ColliderId> Passed;
        /// <summary>The obstacles that the collider still overlaps: it is crushed. Usually empty.</summary>
        public readonly Lent<ColliderId> StuckIn;

        internal MoveResult(Owner world, int kind, in hm_move_result native) {
            Position = native.position;
            Translation = native.translation;
            Contacts = new Lent<Blocked>(world, kind, native.contacts.items, native.contacts.count);
            Passed = new Lent<ColliderId>(world, kind, native.passed.items, native.passed.count);
            StuckIn = new Lent<ColliderId>(world, kind, native.stuck_in.items, native.stuck_in.count);
        }

        /// <summary>Says whether an obstacle on a side ended a part of the motion: <see cref="Side.Below"/> for a floor.</summary>
        public bool IsBlocked(Side side) {
            for (var i = 0; i < Contacts.Length; i++) if (Contacts[i].Side == side) return true;
            return false;
        }
    }

    /// <summary>The results of <see cref="World.MoveAll"/>, in the order of the ids. Each of the last three lists has the items
    /// of the first move, then those of the second, and so on. Lent until the next call that moves colliders by
    /// rules.</summary>
    public readonly unsafe ref struct Moves {
        /// <summary>One result for each id.</summary>
        public readonly Lent<Moved> Results;
        /// <summary>The obstacles that ended a part of a motion, in the order of contact.</summary>
        public readonly Lent<Blocked> Contacts;
        /// <summary>The sensors that the colliders touched on their ways.</summary>
        public readonly Lent<ColliderId> Passed;
        /// <summary>The obstacles that the colliders still overlap: they are crushed.</summary>
        public readonly Lent<ColliderId> StuckIn;

        internal Moves(Owner world, int kind, in hm_moves native) {
            Results = new Lent<Moved>(world, kind, native.items, native.count);
            Contacts = new Lent<Blocked>(world, kind, native.contacts.items, native.contacts.count);
            Passed = new Lent<ColliderId>(world, kind, native.passed.items, native.passed.count);
            StuckIn = new Lent<ColliderId>(world, kind, native.stuck_in.items, native.stuck_in.count);
        }
    }

    /// <summary>Colliders on the plane, and the pairs of them that touch. One thread at a time: a second one gets a
    /// <see cref="HitmaskException"/> with <see cref="Status.Busy"/>. Different worlds are independent.</summary>
    public sealed unsafe partial class World : Owner {
        internal World(IntPtr raw) : base(Kind.World, raw, Lends.Count) { }

        /// <summary>Makes a world without colliders, over the sprites of an atlas, which it keeps.</summary>
        public World(Atlas atlas) : this(Create(atlas)) { }

        static IntPtr Create(Atlas atlas) {
            Is(Hm.hm_world_create(Of(atlas), out var world));
            GC.KeepAlive(atlas);
            return world;
        }

        /// <summary>Makes a world from a snapshot over several atlases: those of <see cref="Atlases"/> when it was taken, in that
        /// order.</summary>
        public static World FromSnapshot(Atlas[] atlases, ReadOnlySpan<byte> bytes) {
            var raw = Of(atlases);
            fixed (byte* at = &MemoryMarshal.GetReference(bytes)) {
                Is(Hm.hm_world_from_snapshot_over(raw, (UIntPtr)(uint)raw.Length, at, (UIntPtr)(uint)bytes.Length, out var world));
                GC.KeepAlive(atlases);
                return new World(world);
            }
        }

        /// <summary>Writes the whole state to a buffer, and returns its size in bytes. Throws if the buffer is too small.</summary>
        public int SnapshotTo(Span<byte> buffer) {
            fixed (byte* at = &MemoryMarshal.GetReference(buffer)) {
                Is(Hm.hm_world_snapshot_to(Raw, at, (UIntPtr)(uint)buffer.Length, out var size));
                GC.KeepAlive(this);
                return (int)(ulong)size;
            }
        }

        /// <summary>Does the same as <see cref="Update"/>, and keeps only the pairs for which `keep` returns true.</summary>
        public void UpdateWith(KeepPair keep) {
            if (keep == null) throw new ArgumentNullException(nameof(keep));
            End(Lends.Events);
            var outer = Callbacks.Begin(keep);
            var status = Hm.hm_world_update_with(Raw, Callbacks.Pair, IntPtr.Zero);
            Callbacks.End(outer);
            GC.KeepAlive(this);
            Is(status);
        }

        /// <summary>Does the same as <see cref="UpdateWith"/>, with a callback that gets side and normal of each contact: a game
        /// can drop the contacts with walls.</summary>
        public void UpdateWithContacts(KeepTouch keep) {
            if (keep == null) throw new ArgumentNullException(nameof(keep));
            End(Lends.Events);
            var outer = Callbacks.Begin(keep);
            var status = Hm.hm_world_update_with_contacts(Raw, Callbacks.Touch, IntPtr.Zero);
            Callbacks.End(outer);
            GC.KeepAlive(this);
            Is(status);
        }

        /// <summary>Gets the first collider that a collider would hit if it moved by `motion`, in pixels. False if the way is
        /// free. Nothing moves. Every pixel of the way is tested, at any speed.</summary>
        public bool TryCast(ColliderId id, Vec2 motion, out Hit hit, KeepCollider keep = null) {
            var outer = Callbacks.Begin(keep);
            var status = Hm.hm_world_cast(Raw, id.Value, motion, keep == null ? null : Callbacks.Collider, IntPtr.Zero, out hit);
            Callbacks.End(outer);
            GC.KeepAlive(this);
            return Is(status);
        }

        /// <summary>Lends all colliders that a collider would hit if it moved by `motion` through everything, in the order of the
        /// way, until the next call that lends hits.</summary>
        public Lent<Hit> CastAll(ColliderId id, Vec2 motion, KeepCollider keep = null) {
            End(Lends.Hits);
            var outer = Callbacks.Begin(keep);
            var status = Hm.hm_world_cast_all(Raw, id.Value, motion, keep == null ? null : Callbacks.Collider, IntPtr.Zero, out var hits);
            Callbacks.End(outer);
            Is(status);
            GC.KeepAlive(this);
            return new Lent<Hit>(this, Lends.Hits, hits.items, hits.count);
        }

        /// <summary>Lends what many rays hit first, until the next call of <see cref="RayAll"/> or this method. Ray i runs from
        /// `ends[2 * i]` to `ends[2 * i + 1]`, in pixels. The collider of a hit is none if the ray hits none.</summary>
        public Lent<LineHit> Rays(ReadOnlySpan<Vec2> ends, Filter filter = null) {
            if (ends.Length % 2 != 0) throw new ArgumentException("each ray has two ends; there are " + ends.Length, nameof(ends));
            End(Lends.RayAll);
            var native = filter == null ? default : filter.Native();
            fixed (Vec2* at = &MemoryMarshal.GetReference(ends)) {
                Is(Hm.hm_world_rays(Raw, at, (UIntPtr)(uint)(ends.Length / 2), filter == null ? null : &native, out var hits));
                GC.KeepAlive(this);
                return new Lent<LineHit>(this, Lends.RayAll, hits.items, hits.count);
            }
        }

        /// <summary>Moves a collider by `motion`, in pixels, and slides along obstacles: it stops flat at walls and floors and walks
        /// up slopes of up to 45 degrees. It does not overlap, bounce or stick.</summary>
        public MoveResult MoveAndSlide(ColliderId id, Vec2 motion) {
            End(Lends.Moves);
            Is(Hm.hm_world_move_and_slide(Raw, id.Value, motion, out var result));
            GC.KeepAlive(this);
            return new MoveResult(this, Lends.Moves, result);
        }

        /// <summary>Does the same as <see cref="MoveAndSlide"/>, by the given rules, and without the obstacles for which `keep`
        /// returns false.</summary>
        public MoveResult MoveByRules(ColliderId id, Vec2 motion, MoveRules rules = null, KeepCollider keep = null) {
            End(Lends.Moves);
            var native = rules == null ? default : rules.Native();
            var outer = Callbacks.Begin(keep);
            var status = Hm.hm_world_move_by_rules(Raw, id.Value, motion, rules == null ? null : &native,
                keep == null ? null : Callbacks.Collider, IntPtr.Zero, out var result);
            Callbacks.End(outer);
            Is(status);
            GC.KeepAlive(this);
            return new MoveResult(this, Lends.Moves, result);
        }

        /// <summary>Does the same as <see cref="MoveByRules"/>, with a callback that decides about each contact: a game can let a
        /// jump through ceilings, or make only steep walls count.</summary>
        public MoveResult MoveByRulesPerContact(ColliderId id, Vec2 motion, MoveRules rules, KeepContact keep) {
            End(Lends.Moves);
            var native = rules == null ? default : rules.Native();
            var outer = Callbacks.Begin(keep);
            var status = Hm.hm_world_move_by_rules_per_contact(Raw, id.Value, motion, rules == null ? null : &native,
                keep == null ? null : Callbacks.Contact, IntPtr.Zero, out var result);
            Callbacks.End(outer);
            Is(status);
            GC.KeepAlive(this);
            return new MoveResult(this, Lends.Moves, result);
        }

        /// <summary>Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Gives the results of calls of
        /// <see cref="MoveByRules"/> in this order, faster on several threads.</summary>
        public Moves MoveAll(ReadOnlySpan<ColliderId> ids, ReadOnlySpan<Vec2> motions, MoveRules rules = null) {
            SameLength(ids.Length, motions.Length);
            End(Lends.Moves);
            var native = rules == null ? default : rules.Native();
            fixed (ColliderId* idsAt = &MemoryMarshal.GetReference(ids))
            fixed (Vec2* motionsAt = &MemoryMarshal.GetReference(motions)) {
                Is(Hm.hm_world_move_all(Raw, idsAt, motionsAt, (UIntPtr)(uint)ids.Length, rules == null ? null : &native, out var moves));
                GC.KeepAlive(this);
                return new Moves(this, Lends.Moves, moves);
            }
        }

        /// <summary>Replaces the atlas with the id `old` by another version of it, as after a new bake. Each collider keeps its id
        /// and place. The next update tests all pairs.</summary>
        public ReloadReport ReplaceAtlas(AtlasId old, Atlas atlas) {
            End(Lends.Ids);
            Is(Hm.hm_world_replace_atlas(Raw, old.Value, Of(atlas), out var report));
            GC.KeepAlive(atlas);
            var changes = new SpriteChange[(int)report.changes];
            for (var i = 0; i < changes.Length; i++) {
                Is(Hm.hm_world_sprite_change(Raw, (uint)i, out var change));
                changes[i] = new SpriteChange {
                    Sprite = Utf8.Text(change.sprite), Kind = change.kind,
                    LostPlanes = Utf8.Text(change.lost_planes).Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries),
                    Resized = Copy(change.resized), FramesBefore = (int)change.frames_before, Frames = (int)change.frames
                };
            }
            var outdated = new ReadOnlySpan<ColliderId>(report.outdated.items, (int)(ulong)report.outdated.count).ToArray();
            GC.KeepAlive(this);
            return new ReloadReport { Atlas = report.atlas, Outdated = outdated, Changes = changes };
        }

        static int[] Copy(hm_numbers list) => new ReadOnlySpan<int>(list.items, (int)(ulong)list.count).ToArray();

        /// <summary>Inserts the colliders of a map, fixed, with its top-left corner at a position in pixels. Takes the map of the
        /// first atlas that has one with this name. <see cref="RemoveAll"/> takes them out again.</summary>
        public PlacedMap InsertMap(string name, Vec2 at = default) {
            Is(Hm.hm_world_insert_map(Raw, Utf8.Bytes(name), at, out var map, out var placed));
            var copy = new PlacedMap(placed, map);
            GC.KeepAlive(this);
            return copy;
        }

        /// <summary>Brings a map up to date with the atlas, as a rule after <see cref="ReplaceAtlas"/>: after an edit of the level.
        /// Colliders of items that are in both versions stay, and so does what the game has changed itself.</summary>
        public MapReport UpdateMap(PlacedMap placed) {
            Is(Hm.hm_world_update_map(Raw, Of(placed), out var report));
            placed.Map = new Map(report.map);
            var copy = new MapReport {
                Inserted = Copy(report.inserted), Removed = MapItem.Copies(report.removed), Changed = Copy(report.changed),
                Kept = Copy(report.kept)
            };
            GC.KeepAlive(placed);
            GC.KeepAlive(this);
            return copy;
        }
    }

    /// <summary>Positions and angles of an engine whose y goes up, such as Unity, in pixels of hitmask, whose y goes down. A
    /// game makes one of these, and converts where it calls the library and nowhere else. `pivot` is that of the sprite, of
    /// <see cref="Atlas.Pivot"/>: the centre of an odd number of pixels lies in the middle of one, and a position names its
    /// corner.</summary>
    public readonly struct YUp {
        /// <summary>Pixels of the art per unit of the engine: "Pixels Per Unit" of a sprite in Unity.</summary>
        public readonly float PixelsPerUnit;

        /// <summary>Makes the conversion for a number of pixels per unit.</summary>
        public YUp(float pixelsPerUnit) { PixelsPerUnit = pixelsPerUnit; }

        /// <summary>Returns a motion in pixels, or a position for a query.</summary>
        public Vec2 ToPixels(float x, float y) => new Vec2(x * PixelsPerUnit, -y * PixelsPerUnit);
        /// <summary>Returns the position of a collider, whose pivot the engine draws at (x, y).</summary>
        public Vec2 ToPixels(float x, float y, Point pivot) =>
            new Vec2(x * PixelsPerUnit - (pivot.X & 1) * 0.5f, -y * PixelsPerUnit - (pivot.Y & 1) * 0.5f);
        /// <summary>Returns an angle in radians, clockwise, for one in degrees, counter-clockwise.</summary>
        public float ToRadians(float degrees) => degrees * (float)(-Math.PI / 180);
        /// <summary>Returns the placement of a collider, whose pivot the engine draws at (x, y).</summary>
        public Placement ToPlacement(float x, float y, float degrees, Point pivot) =>
            new Placement(ToPixels(x, y, pivot), ToRadians(degrees));
        /// <summary>Returns a motion, or a position of a query, in units of the engine.</summary>
        public Vec2 ToUnits(Vec2 pixels) => new Vec2(pixels.X / PixelsPerUnit, -pixels.Y / PixelsPerUnit);
        /// <summary>Returns where the engine draws the pivot of a collider.</summary>
        public Vec2 ToUnits(Vec2 position, Point pivot) =>
            ToUnits(new Vec2(position.X + (pivot.X & 1) * 0.5f, position.Y + (pivot.Y & 1) * 0.5f));
    }
}
