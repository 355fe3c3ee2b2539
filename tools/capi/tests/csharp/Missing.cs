// Ends with what the classes say of a native library that is missing, or of another version.
using Hitmask;

static class Missing {
    static void Main() {
        Mask.Disc(3).Dispose();
    }
}
