// The outline of a ship as convex pieces for a physics engine.
using System;
using Hitmask;
using static System.FormattableString;

static class Bodies {
    static void Main() {
        // Within 1 px of the pixels, about the pivot, in metres of 32 px.
        var options = new ShapeOptions { MaxError = 1, Scale = 1f / 32 };
        using (var atlas = Atlas.Open("art.hitmask"))
        using (var shape = atlas.Shape(atlas.Sprite("ship"), options: options)) {
            var polygons = shape.Rings(out _).Length;
            Console.WriteLine(Invariant($"{polygons} polygon, {shape.Mass.Area:0.00} square metres"));
            foreach (var corners in shape.Pieces(out _))
                Console.WriteLine($"a convex piece of {corners.Length} corners");
        }
    }
}
