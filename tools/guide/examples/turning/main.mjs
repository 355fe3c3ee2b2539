// A ship that turns and grows, and a coin near it.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const turning = world.add({ sprite: "ship" });
world.add({ sprite: "coin", x: 0, y: 18 });
for (const degrees of [0, 45, 90]) {
  for (const scale of [1, 2]) {
    world.place(turning, 0, 0, (degrees * Math.PI) / 180, scale);
    world.update();
    console.log(`${degrees} degrees, scale ${scale}: ${world.touching().length} pairs`);
  }
}
