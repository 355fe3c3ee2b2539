// Modules that cannot be fetched or compiled, bytes that are none, and memory that is given back.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { HitmaskError, load } from "../index.js";
import * as inline from "../inline.js";
import { refused } from "./modules.js";
import { bounce, drawn } from "./scene.js";

const wasm = await readFile(new URL("../wasm/hitmask.nobake.wasm", import.meta.url));
const block = drawn(10, 6, () => true);

/** Returns the error of a promise, which must be one of hitmask that says what to do. */
async function rejected(promise) {
  const error = await promise.then(() => assert.fail("nothing was thrown"), (error) => error);
  assert.ok(error instanceof HitmaskError && error.help && !error.message.includes("undefined"), error.stack);
  return error;
}

/** Lets fetch() answer by addresses. */
function serve(t, answers) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (url) => {
    asked.push(String(url));
    const answer = answers[new URL(url).pathname] ?? new Response("gone", { status: 404 });
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return asked;
}
const response = (body, type, status = 200) => new Response(body, { status, headers: type ? { "content-type": type } : {} });

test("answers of servers that are no module are refused, and each says what it was", async (t) => {
  const html = "<!doctype html><title>The game</title>";
  serve(t, {
    "/page": response(html, "text/html; charset=utf-8"),
    "/text": response(html, "text/plain"),
    "/error": response("broken", "application/wasm", 500),
    "/cut": response(wasm.subarray(0, 5000), "application/wasm"),
    "/offline": new TypeError("fetch failed"),
    "/empty": response(new Uint8Array(0), "application/wasm"),
    "/outside": response("403 Restricted", "text/html", 403),
  });
  const expected = {
    page: /page gives a document \(text\/html\), and no module/,
    text: /cannot be used: .*expected magic word/,
    error: /error gives status 500/,
    cut: /cannot be used/,
    offline: /cannot be used: fetch failed/,
    empty: /cannot be used/,
    none: /none gives status 404/,
  };
  for (const [path, pattern] of Object.entries(expected)) {
    // As in a browser, a response knows its address.
    const answer = globalThis.fetch(`http://game.test/${path}`).then((found) => Object.defineProperty(found, "url", { value: path }));
    const error = await rejected(load({ wasm: answer }));
    assert.equal(error.code, "BAD_MODULE");
    assert.match(error.message, pattern);
    assert.match(error.help, /hitmask\/inline/);
  }
  // What vite answers for a package that npm has linked.
  const linked = await rejected(load({ wasm: "http://game.test/outside" }));
  assert.match(linked.message, /outside gives status 403/);
  assert.match(linked.help, /linked package: install the file that `npm pack` writes/);
});

test("a module is taken with any type but that of a page, and streamed with its own", async (t) => {
  const streaming = t.mock.method(WebAssembly, "compileStreaming");
  const types = ["application/wasm", "application/octet-stream", "text/plain", "application/wasm; charset=x", undefined];
  for (const type of types) {
    serve(t, { "/module": response(wasm, type) });
    const hitmask = await load({ wasm: "http://game.test/module" });
    assert.match(hitmask.version, /^\d+\.\d+\.\d+/);
  }
  assert.equal(streaming.mock.callCount(), 1);
});

test("an engine without WebAssembly or simd128 is told", async (t) => {
  const { WebAssembly: engine } = globalThis;
  t.after(() => (globalThis.WebAssembly = engine));
  delete globalThis.WebAssembly;
  for (const one of [load, inline.load]) {
    const error = await rejected(one(one === load ? {} : { wasm }));
    assert.deepEqual([error.code, /no WebAssembly/.test(error.message)], ["UNSUPPORTED", true]);
  }
  globalThis.WebAssembly = engine;
  t.mock.method(WebAssembly, "validate", () => false);
  const error = await rejected(inline.load());
  assert.equal(error.code, "UNSUPPORTED");
  assert.match(error.help, /from "hitmask"/);
});

test("hitmask/inline gives the same state, and its errors are those of hitmask", async () => {
  const hitmask = await inline.load();
  assert.equal(bounce(hitmask), await readFile(new URL("bounce.txt", import.meta.url), "utf8"));
  const error = refused(() => hitmask.bake([]));
  assert.ok(error instanceof HitmaskError && error instanceof inline.HitmaskError);
  assert.ok(!(new Error("other") instanceof HitmaskError) && !({ name: "HitmaskError" } instanceof HitmaskError));
  assert.equal((await rejected(inline.load({ simd: false }))).code, "UNSUPPORTED");
  assert.equal((await rejected(inline.load({ smid: true }))).code, "BAD_VALUE");
});

test("files that are no atlas and no image are refused", async () => {
  const hitmask = await load({ bake: true });
  const files = { png: "\x89PNG\r\n\x1a\n", gif: "GIF89a", page: "<!doctype html>", json: '{"frames":[]}', zip: "PK\x03\x04", gzip: "\x1f\x8b\x08" };
  for (const [name, text] of Object.entries(files)) {
    const bytes = Uint8Array.from(text.padEnd(300, "\0"), (letter) => letter.charCodeAt(0));
    assert.equal(refused(() => hitmask.atlas(bytes)).code, "NOT_AN_ATLAS", name);
    assert.equal(refused(() => hitmask.bake([{ name, imageData: bytes }])).code, "BAD_MASK", name);
  }
  for (const bad of [new Blob(["x"]), "ship.png", 7, new ArrayBuffer(8), []]) {
    assert.equal(refused(() => hitmask.bake([{ name: "a", imageData: bad }])).code, "BAD_MASK");
    assert.equal(refused(() => hitmask.shape(bad)).code, "BAD_MASK");
  }
  const wide = { width: 65_536, height: 1, data: new Uint8Array(4 * 65_536).fill(255) };
  assert.equal(refused(() => hitmask.bake([{ name: "wide", imageData: wide }])).code, "BAD_MASK");
});

test("65,537 sprites bake, open, and are found", async () => {
  const hitmask = await load({ bake: true });
  const imageData = drawn(2, 2, () => true);
  const atlas = hitmask.bake(Array.from({ length: 65_537 }, (_, i) => ({ name: `s${i}`, imageData, angles: 1 })));
  const world = hitmask.world(hitmask.atlas(atlas.bytes()));
  const [a, b] = [world.add({ sprite: "s0" }), world.add({ sprite: "s65536", x: 1 })];
  assert.equal(world.get(b).sprite, "s65536");
  assert.equal(world.contact(a, b).area, 2);
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
/** Lets the garbage collector and its callbacks run. */
async function settle() {
  for (let i = 0; i < 5; i++) {
    collect();
    await new Promise((next) => setTimeout(next, 5));
  }
}

for (const isDisposed of [true, false]) {
  test(`worlds and atlases that are ${isDisposed ? "disposed of" : "dropped"} give their memory back`, async () => {
    const hitmask = await load({ bake: true });
    const { memory } = hitmask.exports;
    const use = () => {
      const atlas = hitmask.bake([{ name: "block", imageData: block, scales: [1, 2, 3] }]);
      const world = hitmask.world(atlas);
      const mask = world.addMask(drawn(400, 400, () => true));
      for (let i = 0; i < 2000; i++) world.add({ sprite: "block", x: 3 * i });
      world.update();
      const grid = world.shapeGrid(mask);
      if (isDisposed) for (const one of [grid, world, atlas]) one.dispose();
    };
    for (let i = 0; i < 10; i++) use();
    await settle();
    const { byteLength } = memory.buffer;
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 10; i++) use();
      await settle();
    }
    assert.equal(memory.buffer.byteLength, byteLength);
  });
}

test("a module that is dropped with its worlds gives its memory back", async () => {
  const dropped = [];
  for (let i = 0; i < 3; i++) {
    const hitmask = await load({ bake: true });
    const world = hitmask.world(hitmask.bake([{ name: "block", imageData: block }]));
    world.add({ sprite: "block" });
    world.update();
    dropped.push(new WeakRef(hitmask.exports.memory));
  }
  await settle();
  // The last one may still be in a register of this function.
  assert.ok(dropped.slice(0, 2).every((one) => one.deref() === undefined));
});

test("require() gives the library in a context without TextEncoder, as Jest with jsdom has it", async () => {
  const file = new URL("../index.cjs", import.meta.url);
  const names = { module: { exports: {} }, __dirname: new URL(".", file).pathname.slice(0, -1), process, URL, console };
  runInNewContext(await readFile(file, "utf8"), names, { filename: "index.cjs" });
  const hitmask = await names.module.exports.load({ bake: true });
  const atlas = hitmask.bake([{ name: "schiff-\u00e9-\u{1f680}", imageData: block }]);
  assert.deepEqual(Array.from(atlas.names()), ["schiff-\u00e9-\u{1f680}"]);
  const world = hitmask.world(atlas);
  const [a, b] = [0, 5].map((x) => world.add({ sprite: atlas.names()[0], x }));
  assert.equal(world.contact(a, b).area, 30);
  assert.equal(refused(() => world.remove(7)).code, "STALE_ID");
  const { createRequire } = await import("node:module");
  const require = createRequire(import.meta.url);
  for (const engine of ["phaser", "pixi"]) {
    const error = refused(() => require(`../${engine}.cjs`).pixelPerfect(7));
    assert.ok(error instanceof HitmaskError && error.code === "BAD_VALUE");
  }
});
