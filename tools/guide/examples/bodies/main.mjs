// The outline of a ship as convex pieces for a physics engine.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load({ bake: true }); // with shapes
const atlas = hitmask.atlas(await readFile("art.hitmask"));
// Within 1 px of the pixels, about the pivot, in metres of 32 px.
const shape = atlas.shape("ship", { maxError: 1, scale: 1 / 32 });
console.log(`${shape.polygons.length} polygon, ${shape.mass.area.toFixed(2)} square metres`);
for (const piece of shape.pieces) console.log(`a convex piece of ${piece.length} corners`);
