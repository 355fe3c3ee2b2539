// A world is saved, changed and restored.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const id = world.add({ sprite: "rock" });
world.update();
const [saved, hash] = [world.snapshot(), world.stateHash()];
world.moveTo(id, 50, 0);
console.log("moved:", world.stateHash() !== hash);
world.restore(saved);
console.log("restored:", world.stateHash() === hash);
