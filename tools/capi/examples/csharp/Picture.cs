// A picture of a world: the pixels of its colliders, which are exactly those that collide. Written as PNG.
using System;
using System.IO;
using Hitmask;

sealed class Picture {
    readonly int width, height, left, top;
    readonly byte[] rows;

    // A picture of the part of the world whose top left corner is at (left, top).
    public Picture(int width, int height, int left = 0, int top = 0) {
        this.width = width;
        this.height = height;
        this.left = left;
        this.top = top;
        rows = new byte[height * (3 * width + 1)];
        for (var y = 0; y < height; y++) {
            for (var x = 0; x < width; x++) Set(x, y, 0x18202c);
        }
    }

    void Set(int x, int y, int colour) {
        if (x < 0 || y < 0 || x >= width || y >= height) return;
        var at = y * (3 * width + 1) + 1 + 3 * x;
        for (var i = 0; i < 3; i++) rows[at + i] = (byte)(colour >> (16 - 8 * i));
    }

    public void Draw(World world, ColliderId id, int colour) {
        using (var mask = world.PosedMask(id, out var origin)) {
            foreach (var rect in mask.Rects()) {
                for (var y = rect.Y0; y < rect.Y1; y++) {
                    for (var x = rect.X0; x < rect.X1; x++) Set(origin.X + x - left, origin.Y + y - top, colour);
                }
            }
        }
    }

    public void Save(string path) {
        using (var file = File.Create(path)) {
            file.Write(new byte[] { 0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10 }, 0, 8);
            // Width, height, 8 bits of red, green and blue.
            byte[] head = { 0, 0, (byte)(width >> 8), (byte)width, 0, 0, (byte)(height >> 8), (byte)height, 8, 2, 0, 0, 0 };
            Chunk(file, "IHDR", head);
            Chunk(file, "IDAT", Stored());
            Chunk(file, "IEND", new byte[0]);
        }
    }

    // The rows as a zlib stream without compression.
    byte[] Stored() {
        var stream = new MemoryStream();
        stream.Write(new byte[] { 0x78, 1 }, 0, 2);
        for (var at = 0; at < rows.Length; at += 65535) {
            var count = Math.Min(65535, rows.Length - at);
            stream.WriteByte(at + count == rows.Length ? (byte)1 : (byte)0);
            stream.Write(new[] { (byte)count, (byte)(count >> 8), (byte)~count, (byte)(~count >> 8) }, 0, 4);
            stream.Write(rows, at, count);
        }
        uint a = 1, b = 0;
        foreach (var value in rows) {
            a = (a + value) % 65521;
            b = (b + a) % 65521;
        }
        Number(stream, b << 16 | a);
        return stream.ToArray();
    }

    static void Chunk(Stream file, string name, byte[] data) {
        Number(file, (uint)data.Length);
        var check = uint.MaxValue;
        for (var i = 0; i < 4 + data.Length; i++) {
            var value = i < 4 ? (byte)name[i] : data[i - 4];
            file.WriteByte(value);
            check ^= value;
            for (var bit = 0; bit < 8; bit++) check = check >> 1 ^ (check & 1) * 0xedb88320;
        }
        Number(file, ~check);
    }

    static void Number(Stream file, uint value) {
        for (var shift = 24; shift >= 0; shift -= 8) file.WriteByte((byte)(value >> shift));
    }
}
