// Two sprites, one of which moves: the tick and the pixel of the first contact.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const ship = world.add({ sprite: "ship", x: 0, y: 40 });
world.add({ sprite: "rock", x: 90, y: 52 });
for (let tick = 0; tick < 100; tick++) {
  world.moveTo(ship, tick, 40);
  world.update();
  for (const [a, b] of world.began()) {
    const hit = world.contact(a, b);
    console.log(`tick ${tick}: hit at ${hit.point.x}, ${hit.point.y}`);
  }
}
