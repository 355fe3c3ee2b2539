// The outline of a ship as convex pieces for a physics engine.
using System;
using Hitmask;
using static Hitmask.Hm;
using static System.FormattableString;

static unsafe class Bodies {
    static void Main() {
        Check(hm_atlas_open(Utf8("art.hitmask"), null, out var atlas));
        // Within 1 px of the pixels, about the pivot, in metres of 32 px.
        var options = hm_default_shape_options();
        options.max_error = 1;
        options.scale = 1f / 32;
        Check(hm_atlas_shape(atlas, Sprite(atlas, "ship"), 0, 0, &options, out var shape));
        Check(hm_shape_rings(shape, out var polygons, out _));
        Check(hm_shape_mass(shape, out var mass));
        Console.WriteLine(Invariant($"{polygons.count} polygon, {mass.area:0.00} square metres"));
        Check(hm_shape_pieces(shape, out var pieces, out _));
        for (var i = 0; i < (int)pieces.count; i++) {
            var corners = pieces.starts[i + 1] - pieces.starts[i];
            Console.WriteLine($"a convex piece of {corners} corners");
        }
        Check(hm_shape_destroy(shape));
        Check(hm_atlas_destroy(atlas));
    }
}
