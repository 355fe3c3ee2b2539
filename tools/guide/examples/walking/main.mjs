// A hero walks over the ground and up a slope.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
world.add({ sprite: "ground", x: 160, y: 108, fixed: true });
world.add({ sprite: "slope", x: 160, y: 84, fixed: true });
const hero = world.add({ sprite: "hero", x: 60, y: 50 });
for (let tick = 0; tick < 40; tick++) {
  // 3 px to the right, and 8 px down for gravity.
  world.moveAndSlide(hero, 3, 0);
  world.moveAndSlide(hero, 0, 8);
}
const { x, y } = world.get(hero);
console.log(`the hero stands at ${x}, ${y}`);
