// Where two rocks overlap, and how they are pushed apart.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const left = world.add({ sprite: "rock" });
const right = world.add({ sprite: "rock", x: 36, y: 10 });
const { area, point, normal, pushOut } = world.overlap(left, right);
console.log(`${area} pixels, the first at ${point.x}, ${point.y}`);
console.log(`normal ${normal.x.toFixed(2)}, ${normal.y.toFixed(2)}`);
console.log(`push out by ${pushOut.x}, ${pushOut.y}`);
