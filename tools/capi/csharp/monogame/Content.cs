// Opens an atlas of the content of a game in MonoGame. TitleContainer finds it on every platform, also inside a package.
using System;
using System.IO;
using Hitmask;

static class HitmaskContent {
    // HitmaskContent.Load(() => TitleContainer.OpenStream("Content/sprites.hitmask"))
    public static Atlas Load(Func<Stream> open) {
        using (var stream = open())
        using (var bytes = new MemoryStream()) {
            stream.CopyTo(bytes);
            return Atlas.FromBytes(bytes.ToArray());
        }
    }
}
