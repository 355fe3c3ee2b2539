// 10,000 rocks that drift apart, and all pairs that touch.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
// 100 rows of 100 rocks.
const ids = world.addMany(new Array(10000).fill({ sprite: "rock" }));
const xyAngle = new Float32Array(3 * ids.length);
for (let tick = 0; tick < 3; tick++) {
  for (let i = 0; i < ids.length; i++) {
    xyAngle[3 * i] = (i % 100) * (40 + tick);
    xyAngle[3 * i + 1] = Math.floor(i / 100) * (41 + tick);
  }
  world.placeMany(ids, xyAngle);
  world.update();
  const [touching, began, ended] = [world.touching(), world.began(), world.ended()];
  console.log(`tick ${tick}: ${touching.length} pairs touch, ${began.length} began, ${ended.length} ended`);
}
