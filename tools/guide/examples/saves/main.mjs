// A world is saved to a file, and goes on in a new world, as in a fresh process.
import { readFile, writeFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const id = world.add({ sprite: "rock" });
world.update();
await writeFile("saved-by-javascript.world", world.snapshot());
const hash = world.stateHash();
world.moveTo(id, 50, 0);
console.log("moved:", world.stateHash() !== hash);
// A fresh process needs no more than the atlas and the file.
const fresh = hitmask.world(hitmask.atlas(await readFile("art.hitmask")));
fresh.restore(await readFile("saved-by-javascript.world"));
console.log("restored:", fresh.stateHash() === hash);
