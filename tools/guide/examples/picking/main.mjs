// What a mouse or a finger points at.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const ship = world.add({ sprite: "ship", x: 100, y: 100 });
const coin = world.add({ sprite: "coin", x: 104, y: 100 });
for (const [x, y, radius] of [[104, 100, 0], [92, 98, 0], [110, 108, 0], [110, 108, 5]]) {
  // Later colliders are on top.
  const id = world.pick(x, y, { radius });
  const name = id === ship ? "the ship" : id === coin ? "the coin" : "nothing";
  console.log(`${x}, ${y} within ${radius} px: ${name}`);
}
