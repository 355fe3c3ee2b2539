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
