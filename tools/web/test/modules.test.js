import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { header } from "../abi.js";
import { load } from "../index.js";
import { modules, refused } from "./modules.js";
import { bounce, drawn } from "./scene.js";

const root = new URL("..", import.meta.url);
const text = (name) => readFileSync(new URL(name, root), "utf8");
const bytes = (name) => readFileSync(new URL(`wasm/${name}`, root));
const expected = text("test/bounce.txt");

/** Returns the names of the functions that a module exports. */
const functions = (name) =>
  WebAssembly.Module.exports(new WebAssembly.Module(bytes(name))).filter(({ kind }) => kind === "function").map((it) => it.name).sort();

test("each module exports its functions and no others, and imports nothing", () => {
  const files = readdirSync(new URL("lib", root)).filter((name) => name.endsWith(".js"));
  const called = files.flatMap((name) => [...text(`lib/${name}`).matchAll(/exports\.(hm_\w+)/g)].map(([, it]) => it));
  // build.sh exports what it finds by this pattern.
  assert.deepEqual(files.filter((name) => /exports\[/.test(text(`lib/${name}`))), []);
  const package_ = [...new Set(called)].sort();
  const opening = package_.filter((name) => !/^hm_(baker_|default_bake)|shape/.test(name));
  assert.ok(package_.length > 70 && opening.length < package_.length);
  for (const simd of ["", ".simd"]) {
    assert.deepEqual(functions(`hitmask${simd}.wasm`), package_);
    assert.deepEqual(functions(`hitmask.nobake${simd}.wasm`), opening);
  }
  const declared = header() + readdirSync(new URL("src", root)).map((name) => text(`src/${name}`)).join("");
  const all = new Set([...declared.matchAll(/\b(hm_\w+)\(/g)].map(([, name]) => name));
  assert.deepEqual(functions("hitmask.all.simd.wasm"), [...all].sort());
  for (const name of readdirSync(new URL("wasm", root))) {
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes(name))), [], name);
  }
});

for (const [name, loadBoth] of modules) {
  test(`${name}: without bake() an atlas of another module gives the same state`, async () => {
    const hitmask = await load({ simd: name === "simd128" });
    assert.equal(bounce(hitmask, await loadBoth()), expected);
    const error = refused(() => hitmask.bake([{ name: "block", imageData: drawn(4, 4, () => true) }]));
    assert.equal(error.code, "UNSUPPORTED");
    assert.match(error.help, /bake: true/);
    // As in a module that build.sh has made without some functions.
    const absent = refused(() => hitmask.memory.call(hitmask.exports.hm_baker_create, 0));
    assert.deepEqual([absent.code, absent.message.includes("without the function")], ["UNSUPPORTED", true]);
  });
}

test("the module of all functions runs what the C header has and the package does not", async () => {
  const hitmask = await load({ wasm: bytes("hitmask.all.simd.wasm") });
  assert.equal(bounce(hitmask), expected);
  const { exports, memory } = hitmask;
  memory.call(exports.hm_mask_disc, 5, memory.out);
  const mask = memory.u32[memory.out >> 2];
  memory.call(exports.hm_mask_count, mask, memory.out);
  assert.ok(memory.u32[memory.out >> 2] > 60);
  memory.call(exports.hm_mask_destroy, mask);
});

for (const [name, load] of modules) {
  test(`${name}: addresses above 2 GiB are read as they are`, async () => {
    const hitmask = await load();
    // What the module takes from here on lies above: its allocator grows the memory by itself.
    hitmask.exports.memory.grow(2 ** 31 / 65536 - hitmask.exports.memory.buffer.byteLength / 65536);
    const probe = hitmask.memory.allocate(1 << 20);
    assert.ok(probe >= 2 ** 31, `${probe}`);
    assert.equal(bounce(hitmask), expected);
    const atlas = hitmask.bake([{ name: "block", imageData: drawn(9, 7, () => true), scales: [1, 2] }]);
    assert.deepEqual([atlas.names(), atlas.scales("block")], [["block"], [1, 2]]);
    const world = hitmask.world(hitmask.atlas(atlas.bytes()));
    const [a, b] = [0, 5].map((x) => world.add({ sprite: "block", x, y: 0 }));
    assert.deepEqual(world.queryCircle(2, 0, 9), [a, b]);
    assert.deepEqual([...world.rects(a)], [-4, -3, 5, 4]);
    assert.equal(world.rayAll(-50, 0, 50, 0).length, 2);
    assert.deepEqual(world.moveAndSlide(a, 40, 0).contacts.map((it) => it.collider), [b]);
    world.restore(world.snapshot());
    assert.match(world.explain(a, b), /touch/);
  });
}
