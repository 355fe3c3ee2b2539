// A bullet hits the body of an ogre, or its eye.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
// The parts of one body have an owner, so they never meet each other. The planes of the ogre: 0 its body, 1 its eye.
const body = world.add({ sprite: "ogre", owner: 1 });
const eye = world.add({ sprite: "ogre", plane: 1, owner: 1 });
const bullet = world.add({ sprite: "bullet" });
for (const [x, y] of [[0, 0], [8, -13], [30, 0]]) {
  world.moveTo(bullet, x, y);
  world.update();
  const hit = world.touchingWith(bullet);
  const what = hit.includes(eye) ? "the eye" : hit.includes(body) ? "the body" : "nothing";
  console.log(`${x}, ${y}: ${what}`);
}
