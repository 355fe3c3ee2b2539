// A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.
import { readFile } from "node:fs/promises";
import { load } from "hitmask";

const hitmask = await load();
const atlas = hitmask.atlas(await readFile("art.hitmask"));
const world = hitmask.world(atlas);
const yard = world.addMap("yard");
console.log(`${yard.items.length} items, ${world.count} colliders`);
const start = yard.items.find((item) => item.name === "start");
const hero = world.add({ sprite: "hero", x: start.x, y: start.y });
const { x, y } = world.moveAndSlide(hero, 0, 100);
console.log(`the hero falls to ${x}, ${y}`);
// The level is saved anew: a boulder below the hero, and the hill farther away.
world.replaceAtlas(atlas, hitmask.atlas(await readFile("art-new.hitmask")));
const { inserted, removed, changed } = world.updateMap(yard);
console.log(`${inserted.length} inserted, ${removed.length} removed, ${changed.length} changed`);
