import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { HitmaskError, load } from "../index.js";
import { modules, refused } from "./modules.js";
import { drawn } from "./scene.js";

const block = drawn(10, 6, () => true);
const file = (name) => readFile(new URL(`../wasm/${name}`, import.meta.url));

/** Asserts that a call throws an error of this code, with a message and a remedy. */
function refuses(code, work, pattern) {
  const error = refused(work);
  assert.ok(error instanceof HitmaskError, `${error.stack}`);
  assert.equal(error.code, code, error.message);
  assert.ok(error.message.length > 0 && error.help.length > 0, error.message);
  if (pattern) assert.match(error.message, pattern);
}

for (const [name, load] of modules) {
  const hitmask = await load();
  const atlas = hitmask.bake([{ name: "block", imageData: block }]);

  /** Runs a test on a world of two colliders, which must be the same afterwards. */
  const unchanged = (title, work) =>
    test(`${name}: ${title}, and the world is as it was`, () => {
      const world = hitmask.world(atlas);
      const a = world.add({ sprite: "block", x: 0, y: 0 });
      const b = world.add({ sprite: "block", x: 5, y: 0 });
      world.update();
      const hash = world.stateHash();
      work(world, a, b);
      assert.equal(world.stateHash(), hash);
      assert.deepEqual(world.touching(), [[a, b]]);
      world.dispose();
    });

  unchanged("numbers that are not finite are refused", (world, a) => {
    refuses("BAD_NUMBER", () => world.turnTo(a, NaN));
    for (const bad of [NaN, Infinity, -Infinity, 1e30]) {
      refuses("BAD_NUMBER", () => world.moveTo(a, bad, 0));
      refuses("BAD_NUMBER", () => world.place(a, bad, 0, 0, 1));
      refuses("BAD_NUMBER", () => world.add({ sprite: "block", x: bad }));
      refuses("BAD_NUMBER", () => world.placeMany([a], [bad, 0, 0]), /item 0/);
      refuses("BAD_NUMBER", () => world.cast(a, bad, 0));
      refuses("BAD_NUMBER", () => world.moveAndSlide(a, bad, 0));
      refuses("BAD_NUMBER", () => world.ray(bad, 0, 1, 1));
      refuses("BAD_NUMBER", () => world.pick(0, bad));
      refuses("BAD_NUMBER", () => world.queryCircle(0, bad, 1));
    }
    refuses("BAD_NUMBER", () => world.add({ sprite: "block", angle: NaN }));
    refuses("BAD_NUMBER", () => world.add({ sprite: "block", scale: 0 }));
    refuses("UNBAKED_SCALE", () => world.add({ sprite: "block", scale: 8 }), /scale 8/);
    refuses("BAD_NUMBER", () => world.pick(0, 0, { radius: NaN }));
    refuses("BAD_NUMBER", () => world.scaleFactor(0.5));
    refuses("BAD_NUMBER", () => world.moveTo(a));
  });

  unchanged("values of another type are refused", (world, a) => {
    refuses("BAD_NUMBER", () => world.add({ sprite: "block", x: "5" }), /"5"/);
    refuses("BAD_VALUE", () => world.add({ sprite: "block", layers: 1.5 }));
    refuses("BAD_VALUE", () => world.add({ sprite: "block", flipX: 1 }));
    refuses("BAD_VALUE", () => world.add({ sprite: "block", turn: 65536 }));
    refuses("BAD_VALUE", () => world.add({ sprite: "block", accuracy: "pixel" }), /"exact"/);
    refuses("BAD_VALUE", () => world.add({ sprite: "block", layer: 2 }), /no option "layer"/);
    refuses("BAD_VALUE", () => world.add("block"));
    refuses("BAD_VALUE", () => world.add());
    refuses("BAD_VALUE", () => world.add(null));
    refuses("BAD_VALUE", () => world.pick(0, 0, { order: "top" }));
    refuses("BAD_VALUE", () => world.pick(0, 0, { radios: 3 }));
    refuses("BAD_VALUE", () => world.moveAndSlide(a, 1, 0, { climb: -1 }));
    refuses("BAD_VALUE", () => world.setAccuracy("pixel"));
    refuses("BAD_VALUE", () => world.setData(a, -1));
    refuses("BAD_VALUE", () => world.setData(a, 2 ** 53));
    refuses("BAD_VALUE", () => world.queryRect(0.5, 0, 1, 1));
  });

  unchanged("sprites that do not exist are refused", (world) => {
    refuses("UNKNOWN_SPRITE", () => world.add({ sprite: "blok" }), /"blok".*did you mean "block"\?.*"block"/);
    refuses("UNKNOWN_SPRITE", () => world.add({ sprite: 7 }));
    refuses("UNKNOWN_SPRITE", () => world.add({}));
    refuses("UNKNOWN_SPRITE", () => world.add({ sprite: "block", frame: 1 }));
    refuses("UNKNOWN_SPRITE", () => world.add({ sprite: "block", plane: 1 }));
    refuses("UNKNOWN_SPRITE", () => atlas.frame("block", 9));
    refuses("UNKNOWN_SPRITE", () => atlas.sprite("__proto__"));
  });

  unchanged("ids that are stale, forged or none are refused", (world, a) => {
    const snapshot = world.snapshot();
    const gone = world.add({ sprite: "block", x: 900 });
    world.remove(gone);
    for (const bad of [gone, 0, -1, 1.5, NaN, 2 ** 53, a + 2 ** 32, a + 7, "1", undefined, null, {}, 1n]) {
      refuses("STALE_ID", () => world.moveTo(bad, 1, 1));
      refuses("STALE_ID", () => world.remove(bad));
      refuses("STALE_ID", () => world.get(bad));
      refuses("STALE_ID", () => world.set(bad, { sprite: "block" }));
      refuses("STALE_ID", () => world.cast(bad, 1, 1));
      refuses("STALE_ID", () => world.touchingWith(bad));
      refuses("STALE_ID", () => world.setData(bad, 1));
    }
    refuses("STALE_ID", () => world.placeMany([a, NaN], [1, 1, 0, 2, 2, 0]), /item 1/);
    refuses("STALE_ID", () => world.contact(a, NaN), /NaN/);
    for (const bad of [gone, 0, a + 2 ** 32]) {
      refuses("STALE_ID", () => world.placeMany([a, bad], [1, 1, 0, 2, 2, 0]), /item 1/);
      assert.equal(world.contact(a, bad), null);
    }
    refuses("STALE_ID", () => world.add({ mask: 5 }));
    world.restore(snapshot);
    const second = hitmask.world(atlas);
    refuses("STALE_ID", () => second.moveTo(a, 1, 1));
    second.dispose();
  });

  unchanged("lengths that lie are refused", (world, a, b) => {
    refuses("BAD_LENGTH", () => world.placeMany([a, b], [1, 2, 3]));
    refuses("BAD_LENGTH", () => world.placeMany([a], [1, 2]));
    refuses("BAD_LENGTH", () => world.placeMany([a], new Float32Array(4)));
    refuses("BAD_LENGTH", () => world.placeMany(a, [1, 2, 3]));
    refuses("BAD_LENGTH", () => world.placeMany(undefined, undefined));
    refuses("BAD_LENGTH", () => world.placeManyTurns([a], []));
    world.placeMany([], []);
    const image = { width: 4, height: 4, data: new Uint8Array(63) };
    refuses("BAD_LENGTH", () => world.addMask(image));
    refuses("BAD_LENGTH", () => world.addMask({ ...image, data: new Float32Array(64) }));
    refuses("BAD_MASK", () => world.addMask({ ...image, width: 0 }));
    refuses("BAD_MASK", () => world.addMask({ ...image, width: -4 }));
    refuses("BAD_MASK", () => world.addMask({ ...image, width: NaN }));
    refuses("BAD_MASK", () => world.addMask(null));
    refuses("BAD_MASK", () => world.addMask({ width: 40000, height: 1, data: new Uint8Array(160000) }));
    refuses("BAD_VALUE", () => world.addMask(block, { pivot: [0.3, 0] }));
    refuses("BAD_VALUE", () => world.addMask(block, { transform: [1, 0, 0, 1] }));
    refuses("BAD_NUMBER", () => world.addMask(block, { transform: [1, 0, 0, NaN, 0, 0] }));
  });

  unchanged("run-time masks take no angle, and are kept while they are shown", (world) => {
    const snapshot = world.snapshot();
    const mask = world.addMask(block);
    refuses("MASK_USE", () => world.add({ mask, angle: 1 }));
    const id = world.add({ mask, x: 500 });
    refuses("MASK_USE", () => world.removeMask(mask));
    refuses("MASK_USE", () => world.transformMask(mask, [1, 0, 0, 1, 0, 0]));
    refuses("MASK_USE", () => world.redrawMask(mask, block));
    refuses("STALE_ID", () => world.redrawMask(999, block));
    refuses("STALE_ID", () => world.redrawMask("mask", block));
    refuses("BAD_MASK", () => world.redrawMask(mask, null));
    refuses("BAD_VALUE", () => world.redrawMask(mask, block, { transform: [1, 0, 0, 1, 0, 0] }));
    refuses("BAD_VALUE", () => world.fillDisc(mask, 0, 0, -1));
    world.remove(id);
    world.removeMask(mask);
    refuses("STALE_ID", () => world.fillDisc(mask, 0, 0, 1));
    world.restore(snapshot);
  });

  unchanged("bytes that are no snapshot are refused", (world) => {
    const snapshot = world.snapshot();
    refuses("NOT_A_SNAPSHOT", () => world.restore(new Uint8Array(100)));
    refuses("NOT_A_SNAPSHOT", () => world.restore(new ArrayBuffer(0)));
    refuses("BAD_VALUE", () => world.restore("state"));
    refuses("BAD_VALUE", () => world.restore());
    snapshot[snapshot.length >> 1] ^= 0x55;
    refuses("DAMAGED", () => world.restore(snapshot));
  });

  test(`${name}: bytes that are no atlas are refused`, () => {
    refuses("NOT_AN_ATLAS", () => hitmask.atlas(new Uint8Array(200)));
    refuses("NOT_AN_ATLAS", () => hitmask.atlas(new ArrayBuffer(0)));
    refuses("BAD_VALUE", () => hitmask.atlas("sprites.hitmask"), /"sprites.hitmask"/);
    refuses("BAD_VALUE", () => hitmask.atlas());
    const good = atlas.bytes();
    refuses("DAMAGED", () => hitmask.atlas(good.subarray(0, good.length - 1)));
    for (let at = 0; at < good.length; at += 1 + (at >> 6)) {
      const damaged = good.slice();
      damaged[at] ^= 0x41;
      let opened;
      try {
        opened = hitmask.atlas(damaged);
      } catch (error) {
        assert.ok(error instanceof HitmaskError, error.stack);
        continue;
      }
      refuses("DAMAGED", () => opened.verify());
      opened.dispose();
    }
    // A view into a larger buffer is one too.
    const shifted = new Uint8Array(good.length + 7);
    shifted.set(good, 7);
    assert.deepEqual(hitmask.atlas(shifted.subarray(7)).names(), ["block"]);
  });

  test(`${name}: sprites that cannot be baked are refused`, () => {
    const bake = (sprite) => () => hitmask.bake([{ name: "a", imageData: block, ...sprite }]);
    refuses("BAKE", () => hitmask.bake([]));
    refuses("BAD_VALUE", () => hitmask.bake({ name: "a", imageData: block }));
    refuses("BAD_VALUE", () => hitmask.bake());
    refuses("BAD_VALUE", () => hitmask.bake(["a"]));
    refuses("BAD_VALUE", () => hitmask.bake([{ name: "a" }]));
    refuses("BAD_VALUE", bake({ image: block }), /"image"/);
    refuses("BAKE", bake({ name: "" }));
    refuses("BAD_TEXT", bake({ name: undefined }));
    refuses("BAD_TEXT", bake({ name: "a\0b" }));
    refuses("BAD_TEXT", bake({ name: "x".repeat(5000) }), /5000 bytes/);
    refuses("BAKE", () => hitmask.bake([{ name: "a", imageData: block }, { name: "a", imageData: block }]));
    refuses("BAD_MASK", bake({ imageData: { width: 2, height: 2 } }));
    refuses("BAD_LENGTH", bake({ imageData: { width: 2, height: 2, data: new Uint8Array(15) } }));
    refuses("BAD_LENGTH", bake({ imageData: undefined, frames: [block, drawn(9, 6, () => true)] }), /9 x 6/);
    refuses("BAD_VALUE", bake({ imageData: undefined, frames: [] }));
    refuses("BAKE", bake({ angles: 7 }));
    refuses("BAD_VALUE", bake({ angles: 0 }));
    refuses("BAD_VALUE", bake({ angles: "64" }));
    refuses("BAD_VALUE", bake({ scales: 2 }));
    refuses("BAD_NUMBER", bake({ scales: [NaN] }));
    refuses("BAKE", bake({ scales: [-1] }));
    refuses("BAD_NUMBER", bake({ maxError: NaN }));
    refuses("BAD_VALUE", bake({ sampling: "linear" }));
    refuses("BAD_VALUE", bake({ pivot: [0.25, 0] }));
    refuses("BAD_VALUE", bake({ pivot: "centre" }));
    refuses("BAD_VALUE", bake({ alpha: 256 }));
    refuses("BAD_VALUE", () => hitmask.bake([{ name: "a", imageData: block }], { resolutions: 2 }));
    refuses("BAKE", () => hitmask.bake([{ name: "a", imageData: block }], { resolution: 3 }));
  });

  test(`${name}: objects of another load, and those that were disposed of, are refused`, async () => {
    const other = await load();
    const world = hitmask.world(atlas);
    refuses("WRONG_HANDLE", () => other.world(atlas));
    for (const bad of [undefined, null, {}, world, 1]) refuses("WRONG_HANDLE", () => hitmask.world(bad));
    const id = world.add({ sprite: "block" });
    world.dispose();
    world.dispose();
    assert.ok(world.isDisposed);
    for (const work of [
      () => world.update(),
      () => world.add({ sprite: "block" }),
      () => world.moveTo(id, 1, 1),
      () => world.placeMany([id], [1, 1, 0]),
      () => world.touchingArray(),
      () => world.stateHash(),
    ]) {
      refuses("STALE_HANDLE", work, /disposed/);
    }
    const gone = hitmask.bake([{ name: "block", imageData: block }]);
    gone.dispose();
    refuses("STALE_HANDLE", () => gone.bytes());
    refuses("STALE_HANDLE", () => hitmask.world(gone));
  });

  test(`${name}: pairs before the first update are refused`, () => {
    const world = hitmask.world(atlas);
    world.add({ sprite: "block" });
    refuses("NOT_UPDATED", () => world.touchingArray());
  });

  test(`${name}: a call that ends the module makes all later ones throw`, async () => {
    const broken = await load();
    const world = broken.world(broken.bake([{ name: "block", imageData: block }]));
    // More than a module of 32 bits can address.
    refuses("OUT_OF_MEMORY", () => broken.memory.allocate(2 ** 32));
    assert.equal(world.count, 0);
    // Forged addresses that only code beside this package can pass: the engine traps.
    refuses("OUT_OF_MEMORY", () => broken.memory.call(broken.exports.hm_world_count, world.handle, 0xfffffff8));
    refuses("PANIC", () => world.update(), /load the module again/);
    refuses("PANIC", () => broken.bake([{ name: "block", imageData: block }]));
    // Other modules are not affected.
    hitmask.world(atlas).update();
  });
}

test("modules that cannot be used are refused", async () => {
  const refusesLoad = async (options, pattern) => {
    const error = await load(options).then(() => undefined, (error) => error);
    assert.ok(error instanceof HitmaskError, `${error?.stack}`);
    assert.equal(error.code, "BAD_MODULE");
    assert.ok(error.help);
    assert.match(error.message, pattern);
  };
  await refusesLoad({ wasm: new Uint8Array(8) }, /cannot be used/);
  await refusesLoad({ wasm: new URL("no_such_file.wasm", import.meta.url) }, /no_such_file/);
  await refusesLoad({ wasm: 7 }, /7/);
  // An empty module, and one that is cut off.
  await refusesLoad({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }, /not that of hitmask/);
  await refusesLoad({ wasm: (await file("hitmask.wasm")).subarray(0, 1000) }, /cannot be used/);
  const misspelt = await load({ smid: true }).then(() => undefined, (error) => error);
  assert.equal(misspelt.code, "BAD_VALUE");
});

test("an engine without simd128 gets the plain module", async (t) => {
  const simd = await WebAssembly.compile(await file("hitmask.simd.wasm"));
  assert.ok(simd);
  t.mock.method(WebAssembly, "validate", () => false);
  const error = await load({ simd: true }).then(() => undefined, (error) => error);
  assert.equal(error.code, "UNSUPPORTED");
  const opened = [];
  const compile = WebAssembly.compile;
  t.mock.method(WebAssembly, "compile", (bytes) => (opened.push(bytes.length), compile(bytes)));
  await load();
  const hitmask = await load({ bake: true });
  assert.deepEqual(opened, [(await file("hitmask.nobake.wasm")).length, (await file("hitmask.wasm")).length]);
  assert.equal(hitmask.bake([{ name: "block", imageData: block }]).names().length, 1);
});
