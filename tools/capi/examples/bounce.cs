// The scene of bounce.c in C#: 10,000 sprites that bounce around. Prints the same line.
using System;
using Hitmask;

static class Bounce {
    const int Sprites = 10000, Ticks = 30, Width = 4000, Height = 3000, Ring = 32;

    // SplitMix64.
    static ulong state = 38;
    static uint Below(uint end) {
        unchecked {
            var z = state += 0x9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            z ^= z >> 31;
            return (uint)(((z >> 32) * end) >> 32);
        }
    }

    static Atlas Bake() {
        var ring = new byte[Ring * Ring * 4];
        for (var y = 0; y < Ring; y++) {
            for (var x = 0; x < Ring; x++) {
                int dx = 2 * x - Ring + 1, dy = 2 * y - Ring + 1, d = dx * dx + dy * dy;
                ring[(y * Ring + x) * 4 + 3] = (byte)(d < Ring * Ring && d > Ring * Ring / 3 ? 255 : 0);
            }
        }
        const string rows = "#........\n####.....\n#######..\n#########\n#######..\n####.....\n#........\n";
        using (var arrow = Mask.FromText(rows))
        using (var bake = new Bake()) {
            return bake.Rgba("ring", Ring, Ring, ring).Mask("arrow", arrow).ToAtlas();
        }
    }

    static void Main() {
        using (var atlas = Bake())
        using (var world = new World(atlas)) {
            SpriteId arrow = atlas.Sprite("arrow"), ring = atlas.Sprite("ring");
            var ids = new ColliderId[Sprites];
            var at = new PlacementTurn[Sprites];
            var speed = new Vec2[Sprites];
            var spin = new ushort[Sprites];
            for (var i = 0; i < Sprites; i++) {
                at[i].X = Below(Width);
                at[i].Y = Below(Height);
                at[i].Turn = (ushort)Below(65536);
                speed[i].X = Below(33) / 4f - 4;
                speed[i].Y = Below(33) / 4f - 4;
                spin[i] = (ushort)Below(2048);
                ids[i] = world.Insert(new Collider(i % 2 == 0 ? arrow : ring) {
                    X = at[i].X, Y = at[i].Y, Turn = at[i].Turn, UseTurn = true
                });
            }
            var began = 0;
            for (var tick = 0; tick < Ticks; tick++) {
                for (var i = 0; i < Sprites; i++) {
                    at[i].X += speed[i].X;
                    at[i].Y += speed[i].Y;
                    if (at[i].X < 0 || at[i].X > Width) speed[i].X = -speed[i].X;
                    if (at[i].Y < 0 || at[i].Y > Height) speed[i].Y = -speed[i].Y;
                    at[i].Turn = unchecked((ushort)(at[i].Turn + spin[i]));
                }
                world.SetPlacementsTurn(ids, at); // arrays are read in place
                world.Update();
                began += world.Began().Length;
            }
            Console.WriteLine("touching {0}, began {1}, state {2:x16}", world.Touching().Length, began, world.StateHash());
        }
    }
}
