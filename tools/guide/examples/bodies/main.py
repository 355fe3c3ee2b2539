"""The outline of a ship as convex pieces for a physics engine."""

from hitmask import Atlas

atlas = Atlas.open("art.hitmask")
# Within 1 px of the pixels, about the pivot, in metres of 32 px.
shape = atlas["ship"].shape(0, 1.0, scale=1 / 32)
print(f"{len(shape.polygons())} polygon, {shape.mass().area:.2f} square metres")
for piece in shape.pieces():
    print(f"a convex piece of {len(piece)} corners")
