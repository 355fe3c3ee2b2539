// New art in a running game: a coin that has grown touches its neighbour.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
world.add({ sprite: "coin" });
world.add({ sprite: "coin", x: 16 });
world.update();
console.log(`before: ${world.touching().length} pairs touch`);
// Colliders keep their ids, places and pairs.
world.replaceAtlas(atlas, hitmask.atlas(await readFile("art-new.hitmask")));
world.update();
console.log(`after: ${world.touching().length} pairs touch`);
