// The part of hitmask.h that bounce.cs uses, for C#. C# 7 and .NET Framework 4.5 are enough, so it compiles with
// mono, Unity and .NET. Copy the file into a game, and add functions as they are needed.
//
// uint8_t is byte, and so is bool: a C# bool would be marshalled as 4 bytes. size_t is UIntPtr (nuint in C# 9).
// A handle is an IntPtr, an id an ulong, a text a byte[] in UTF-8 with a NUL at its end. Fields keep their order.
using System;
using System.Runtime.InteropServices;
using System.Text;

[StructLayout(LayoutKind.Sequential)] public struct Placement { public float X, Y, Radians; }
[StructLayout(LayoutKind.Sequential)] public struct PlacementTurn { public float X, Y; public ushort Turn, Reserved; }
[StructLayout(LayoutKind.Sequential)] public struct Pair { public ulong A, B; }
[StructLayout(LayoutKind.Sequential)] public unsafe struct Pairs { public Pair* Items; public UIntPtr Count; }
[StructLayout(LayoutKind.Sequential)] public struct Rect { public int X0, Y0, X1, Y1; }
[StructLayout(LayoutKind.Sequential)] public struct Contact { public ulong Area; public Rect Rect; public int X, Y; }

// Start from Hm.hm_default_collider(): a struct of zeros is refused.
[StructLayout(LayoutKind.Sequential)]
public struct Collider {
    uint cookie;
    public uint Owner;
    public ulong Sprite, Mask;
    public uint Frame, Plane;
    public float X, Y, Radians, Scale;
    public uint Layers, CollidesWith, MinOverlap, MinWidth, MinHeight;
    public ushort Turn;
    public byte UseTurn, FlipX, FlipY, Fixed, Sensor, Enabled, Accuracy, MoveAccuracy;
    ushort reserved;
}

// Returns 0 to drop a pair.
[UnmanagedFunctionPointer(CallingConvention.Cdecl)]
public delegate byte KeepPair(IntPtr user, Pair pair, ulong dataA, ulong dataB);

[UnmanagedFunctionPointer(CallingConvention.Cdecl)]
public delegate void Log(IntPtr user, uint level, IntPtr message);

public static unsafe class Hm {
    // libhitmask.so, libhitmask.dylib or hitmask.dll. On iOS and WebGL Unity needs "__Internal".
    const string Library = "hitmask";
    const CallingConvention C = CallingConvention.Cdecl;
    public const uint AbiVersion = 1;

    [DllImport(Library, CallingConvention = C)] public static extern uint hm_abi_version();
    [DllImport(Library, CallingConvention = C)] static extern IntPtr hm_status_text(int status);
    [DllImport(Library, CallingConvention = C)] static extern IntPtr hm_last_error();
    [DllImport(Library, CallingConvention = C)] public static extern int hm_set_log(Log log, IntPtr user);

    [DllImport(Library, CallingConvention = C)] public static extern int hm_mask_from_text(byte[] rows, out IntPtr mask);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_mask_get(IntPtr mask, int x, int y, out byte isSet);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_mask_destroy(IntPtr mask);

    [DllImport(Library, CallingConvention = C)] public static extern int hm_baker_create(out IntPtr baker);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_baker_add_rgba(
        IntPtr baker, byte[] name, uint width, uint height, uint frames, byte[] rgba, UIntPtr count, IntPtr settings);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_baker_add_masks(
        IntPtr baker, byte[] name, IntPtr[] masks, UIntPtr count, IntPtr settings);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_baker_bake_atlas(IntPtr baker, out IntPtr atlas);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_baker_destroy(IntPtr baker);

    [DllImport(Library, CallingConvention = C)] public static extern int hm_atlas_open(byte[] path, IntPtr limits, out IntPtr atlas);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_atlas_sprite(IntPtr atlas, byte[] name, out ulong sprite);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_atlas_destroy(IntPtr atlas);

    [DllImport(Library, CallingConvention = C)] public static extern Collider hm_default_collider();
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_create(IntPtr atlas, out IntPtr world);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_destroy(IntPtr world);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_insert(IntPtr world, ref Collider collider, out ulong id);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_get(IntPtr world, ulong id, out Collider collider);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_set_user_data(IntPtr world, ulong id, ulong data);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_set_placements(
        IntPtr world, ulong[] ids, Placement[] placements, UIntPtr count);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_set_placements_turn(
        IntPtr world, ulong[] ids, PlacementTurn[] placements, UIntPtr count);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_update(IntPtr world);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_update_with(IntPtr world, KeepPair keep, IntPtr user);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_touching(IntPtr world, out Pairs pairs);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_began(IntPtr world, out Pairs pairs);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_contact(IntPtr world, Pair pair, out Contact contact);
    [DllImport(Library, CallingConvention = C)] public static extern int hm_world_state_hash(IntPtr world, out ulong hash);

    // Returns whether there is an answer, and throws if the call was refused. 0 is HM_OK, 1 is HM_NONE.
    public static bool Check(int status) {
        if (status > 1) throw new HitmaskException(status, Text(hm_status_text(status)), Text(hm_last_error()));
        return status == 0;
    }

    // The bytes of a name or a path for a call.
    public static byte[] Utf8(string text) {
        return Encoding.UTF8.GetBytes(text + "\0");
    }

    // Copies a text that the library lends. Marshal.PtrToStringUTF8 does the same where it exists.
    public static string Text(IntPtr lent) {
        var length = 0;
        while (((byte*)lent)[length] != 0) length++;
        return Encoding.UTF8.GetString((byte*)lent, length);
    }
}

public class HitmaskException : Exception {
    public readonly int Status;
    public HitmaskException(int status, string title, string message) : base(title + ": " + message) { Status = status; }
}
