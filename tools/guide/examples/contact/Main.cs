// Where two rocks overlap, and how they are pushed apart.
using System;
using Hitmask;
using static System.FormattableString;

static class Contact {
    static void Main() {
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var world = new World(atlas)) {
            var rock = new Collider(atlas.Sprite("rock"));
            var first = world.Insert(rock);
            rock.Position = (36, 10);
            var pair = new Pair(first, world.Insert(rock));
            if (world.TryOverlap(pair, out var overlap)) {
                var (normal, contact) = (overlap.Normal, overlap.Contact);
                Console.WriteLine($"{contact.Area} pixels, the first at {contact.Point}");
                Console.WriteLine(Invariant($"normal {normal.X:0.00}, {normal.Y:0.00}"));
                Console.WriteLine($"push out by {overlap.PushOut}");
            }
        }
    }
}
