// A coin falls onto terrain, which loses a crater each time.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
// Terrain is a mask of the world, with its top left pixel at the position of its collider.
const image = { width: 300, height: 100, data: new Uint8Array(4 * 300 * 100).fill(255) };
const terrain = world.addMask(image, { pivot: [0, 0] });
world.add({ mask: terrain, x: 0, y: 200 });
const coin = world.add({ sprite: "coin", x: 150, y: 100 });
for (let i = 0; i < 3; i++) {
  const hit = world.cast(coin, 0, 300);
  console.log(`the coin falls to y = ${hit.y}`);
  world.fillDisc(terrain, hit.point.x, hit.point.y - 200, 20, false);
}
