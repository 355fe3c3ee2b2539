// Compiled by `npm run types`, never run: the types of the README and of each method.
import { HitmaskError, hasSimd, load, type Contact, type Hit, type MoveResult, type ReloadReport, type World } from "hitmask";

const hitmask = await load({ simd: hasSimd(), bake: true });
await load({ wasm: new URL("https://example.org/hitmask.wasm") });
await load({ wasm: fetch("/hitmask.wasm") });
await load();
const imageData = new ImageData(4, 4);
const atlas = hitmask.bake([{ name: "ship", imageData, angles: 32, scales: [1, 2], pivot: [2, 2.5] }]);
const second = hitmask.bake([{ name: "rock", imageData }], { compact: true });
const names: string[] = atlas.names();
const world: World = hitmask.world(hitmask.atlas(atlas.bytes()));
const ship: number = world.add({ sprite: "ship", x: 1, y: 2, angle: 0.5, layers: 1, flipX: true });
world.placeMany([ship], new Float32Array([1, 2, 3]));
world.placeMany(new Float64Array([ship]), [1, 2, 3]);
world.update();
for (const [a, b] of world.began()) {
  const contact: Contact | null = world.contact(a, b);
  if (contact) console.log(contact.area, contact.rect.x0, names.length);
}
const pairs: Float64Array = world.touchingArray();
const same: boolean = world.stateHash() === 0n;
const saved: Uint8Array = world.snapshot(new Uint8Array(4096));
world.restore(saved);
const picked: number | null = world.pick(1, 2, { radius: 3, order: "data", filter: { layers: 2 } });
const hit: Hit | null = world.cast(ship, 10, 0);
const moved: MoveResult = world.moveAndSlide(ship, 1, 0, { climb: 2, oneWay: 4 });
const many: Float32Array = world.moveMany([ship], [1, 0], { climb: 2 }).xy;
console.log(pairs.length, picked, hit?.side, moved.contacts[0]?.collider, world.ray(0, 0, 1, 1)?.normal.x);
world.addAtlas(second);
world.add({ sprite: "rock", atlas: second });
world.setPoseBudget(null);
const report: ReloadReport = world.replaceAtlas(second, atlas);
const [border]: Int32Array[] = world.polygons(ship);
const rays: Float64Array = world.raysArray(new Float32Array(4), { layers: 1 });
console.log(report.changed[0]?.resized, border, rays, world.contactsArray(pairs), world.poseStats().budget);
console.log(world.dropAtlas(second, { colliders: true }).length);
try {
  world.remove(ship);
} catch (error) {
  if (error instanceof HitmaskError && error.code === "STALE_ID") console.log(error.help);
}
world.dispose();

// @ts-expect-error An option that does not exist.
world.add({ sprite: "ship", layer: 1 });
// @ts-expect-error Worlds come from Hitmask.world().
new (world.constructor as typeof World)();
// @ts-expect-error An accuracy that does not exist.
world.setAccuracy("pixel");
