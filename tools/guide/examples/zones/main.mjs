// Colliders in a circle, on a ray, and nearest to a point.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
for (let i = 0; i < 10; i++) world.add({ sprite: "coin", x: 20 * i, y: 0 });
console.log(`${world.queryCircle(60, 0, 30).length} coins in the blast`);
const hit = world.ray(-50, 3, 300, 3);
if (hit) console.log(`the ray ends at ${hit.x}, ${hit.y}`);
const nearest = world.nearest(80, 50, 100);
if (nearest) console.log(`the nearest pixel is ${nearest.distance.toFixed(2)} px away`);
