// Bullets that fly 900 px per tick hit what lies between.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
world.add({ sprite: "rock", x: 500, y: 0 });
for (const y of [0, -21, -23]) {
  const bullet = world.add({ sprite: "bullet", x: 0, y });
  // 900 px in one tick: every pixel of the way is tested.
  const hit = world.cast(bullet, 900, 0);
  console.log(hit ? `y = ${y}: stops at x = ${hit.x}` : `y = ${y}: flies on`);
  world.remove(bullet);
}
