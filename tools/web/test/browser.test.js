import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { browse } from "./browser/chromium.js";
import { pixels } from "./browser/pixels.js";

/** The largest distance by which positions snap, in pixels: half a pixel on each axis, and an angle's step. */
const MAX_SNAP = 0.8;
/** The same where edges lie on pixel centres: engines round them up, down, or as their sums happen to be. */
const MAX_TIE = 1.5;
const root = new URL("..", import.meta.url);
const browser = await browse(root);
after(() => browser.close());

/** Opens a page, waits for its results, and keeps a picture of it. */
async function run(path, name) {
  const page = await browser.open(path);
  await page.waitForFunction(() => window.results && window.results.done !== false, null, { timeout: 60_000 });
  if (name) await page.waitForFunction(() => window.results.done, null, { timeout: 60_000 });
  const results = await page.evaluate(() => window.results);
  if (name) {
    // To look at: what is drawn, with the masks over it.
    const folder = new URL("../../target/web/screens/", root);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(`${name}.png`, folder), Buffer.from(results.picture.split(",")[1], "base64"));
  }
  await page.close();
  return { ...results, errors: page.errors };
}

/**
 * Asserts that what is drawn is what collides. Where edges lie on pixel centres, or between pixels after a
 * turn, the two differ by the snap of positions to whole pixels.
 */
function compareCases(cases, least) {
  assert.ok(cases.length >= least, `${cases.length} cases`);
  const found = cases.map(({ name, wrong, area, drawn, shift }) => {
    const isSnapped = /turned|origin|anchor|pivot|container|skewed|1\.5|twice|by both|wide|fraction|whole/.test(name);
    const isSame = wrong === 0 && area > 0;
    const [most, change] = /whole|twice|by both/.test(name) ? [MAX_TIE, 0.2] : [MAX_SNAP, 0.12];
    const isNear = Math.hypot(...shift) <= most && Math.abs(drawn - area) <= change * area;
    return isSame || (isSnapped && isNear) ? "" : `${name}: ${wrong} of ${area}, ${drawn} drawn, shift ${shift}`;
  });
  if (process.env.HITMASK_CASES) console.log(cases.map((one) => JSON.stringify(one)).join("\n"));
  assert.deepEqual(found.filter((fault) => fault !== ""), []);
}

const meeting = [
  "a hitmask:began b", "b hitmask:began a", "ROOT a b",
  "picked b, touching b", "area true",
  "a hitmask:ended b", "b hitmask:ended a",
  "a hitmask:began b", "b hitmask:began a", "ROOT a b",
  "a hitmask:ended b", "b hitmask:ended a",
  "a hitmask:began b", "b hitmask:began a", "ROOT a b",
  // The other one was destroyed, with its listeners.
  "a hitmask:ended b",
  "left 1",
  // Shown, hidden by its container, hidden by itself; and whether no listener is left.
  "hidden 1 true, 1 false, 1 false, true, 1 true, 0 false, 0 false, true",
];

test("ten thousand sprites have the same state in Chromium as in Rust and C", async () => {
  const expected = readFileSync(new URL("bounce.txt", import.meta.url), "utf8");
  const { lines, refusal, errors } = await run("test/browser/library.html");
  assert.deepEqual(lines, [expected, expected, expected]);
  assert.equal(refusal, "BAD_MODULE");
  // The request that was refused.
  assert.equal(errors.filter((error) => !/404/.test(error)).length, 0, errors.join("\n"));
});

for (const [title, query] of [["Phaser 3", ""], ["Phaser 4", "?phaser4"]]) {
  test(`${title} draws what collides, and its sprites tell what they touch`, async () => {
    const { cases, log, version, errors, body } = await run(`test/browser/phaser.html${query}`, title.replace(" ", "_"));
    assert.deepEqual(errors, []);
    assert.ok(version.startsWith(title.slice(-1)), version);
    compareCases(cases, 39);
    // A body of convex pieces, within an error of 1 px, is where its sprite is drawn.
    assert.ok(body.angle > 0.5 && body.fallen > 5, JSON.stringify(body));
    assert.ok(body.drawn > 1500 && body.wrong < 0.06 * body.drawn && body.shift < 0.4, JSON.stringify(body));
    assert.deepEqual(log, [
      ...meeting.map((line) => line.replace("ROOT", "scene")),
      "refused BAD_VALUE, BAD_VALUE", "refused UNKNOWN_SPRITE", "refused UNKNOWN_SPRITE", "disposed true",
    ]);
  });
}

test("PixiJS 8 draws what collides, and its sprites tell what they touch", async () => {
  const { cases, log, version, errors } = await run("test/browser/pixi.html", "PixiJS_8");
  assert.deepEqual(errors, []);
  assert.ok(version.startsWith("8."), version);
  compareCases(cases, 41);
  assert.deepEqual(log, [
    "left 0", ...meeting.map((line) => line.replace("ROOT", "root")),
    "refused BAD_VALUE", "refused UNKNOWN_SPRITE", "refused BAD_VALUE", "disposed true",
  ]);
});

for (const engine of ["pixi", "phaser", "phaser4"]) {
  test(`${engine} delivers clicks to the sprite that is drawn at a pixel, among 200 random ones`, async () => {
    const page = await browser.open(`test/browser/pointer.html?${engine}`);
    await page.waitForFunction(() => window.results?.done, null, { timeout: 60_000 });
    const clicks = await page.evaluate(() => window.results.clicks);
    const clear = clicks.filter(([, , id]) => id === -1).length;
    assert.ok(clicks.length > 300 && clear > 30, `${clicks.length} clicks, ${clear} of them on nothing`);
    const found = [];
    for (const [x, y] of clicks) {
      await page.evaluate(() => (window.results.hit = -1));
      await page.mouse.click(x, y);
      found.push([x, y, await page.evaluate(() => window.results.hit)]);
    }
    assert.deepEqual(found, clicks);
    assert.deepEqual(page.errors, []);
    await page.close();
  });
}

for (const engine of ["pixi", "phaser", "phaser4"]) {
  test(`${engine}: each kind of object collides and is clicked where it is drawn, or is refused at the call`, async () => {
    const page = await browser.open(`test/browser/kinds.html?${engine}`);
    await page.waitForFunction(() => window.results?.done, null, { timeout: 60_000 });
    const { kinds, log } = await page.evaluate(() => window.results);
    const isPixi = engine === "pixi";
    const drawn = isPixi ? ["render texture"] : ["render texture", "dynamic texture"];
    const others = isPixi
      ? ["tiling", "nine-slice", "rope", "graphics", "text"]
      : ["tiles", "nine-slice", "rope", "blitter", "graphics", "rectangle", "text"];
    const expected = (name) =>
      others.includes(name) ? "BAD_VALUE,BAD_VALUE" : drawn.includes(name) ? "UNKNOWN_SPRITE,BAD_MASK" : "exact,exact";
    assert.deepEqual(Object.entries(kinds).filter(([name, found]) => String(found) !== expected(name)), []);
    assert.equal(Object.keys(kinds).length, isPixi ? 22 : 23);
    assert.deepEqual(log, isPixi
      ? [
          // Unreadable, drawn by the GPU, without a texture, and a text.
          "foreign true,true,false,true", "refused BAD_MASK BAD_MASK", ...new Array(3).fill("textures BAD_MASK"),
          "container BAD_VALUE BAD_VALUE",
          "tree began,1,ended,0,began,1,ended,0,began,1,ended,0,began,1,ended,0,began,1,1,1,ended,0,0,began,1",
          'alone, a Sprite "Sprite" has a mask: the pixels that it hides collide', "freed BAD_MASK",
        ]
      : [
          "foreign true,true", "refused BAD_MASK", "textures BAD_MASK", "textures BAD_MASK",
          "container BAD_VALUE BAD_VALUE", "tree 1,0,1,0,1,0,1", "freed BAD_MASK",
        ]);
    // The freed texture is reported once, and frames go on.
    assert.equal(page.errors.length, 1, page.errors.join("\n"));
    assert.match(page.errors[0], /its texture was (destroyed|removed); set another one/);
    await page.close();
  });
}

test("a world in a worker gives what a world in the page does, and its ends are errors", async () => {
  const { wrong, pairs, refusals, errors } = await run("test/browser/worker.html");
  assert.equal(wrong, 0);
  assert.ok(pairs > 10_000, `${pairs} pairs`);
  const expected = [
    /^BAD_LENGTH: .*7 numbers for 500 ids/, /^WORKER: .*cannot be loaded/, /^NOT_AN_ATLAS: /, /^UNKNOWN_SPRITE: .*"moon"/,
    /^BAD_MODULE: .*none\.wasm gives status 404/, /^BUSY: /, /^WORKER: .*disposed of/, /^WORKER: .*100 ms/, /^WORKER: .*100 ms/,
  ];
  assert.equal(refusals.length, expected.length);
  refusals.forEach((text, i) => assert.match(text, expected[i]));
  assert.deepEqual(errors.filter((error) => !/404/.test(error)), []);
});

for (const engine of ["canvas", "excalibur", "kaplay"]) {
  test(`${engine}: what is drawn is what collides, and touched sprites are lit`, async () => {
    const page = await browser.open(`examples/${engine}.html`, { width: 640, height: 400 });
    await page.waitForFunction(() => window.example?.frames > 30, null, { timeout: 60_000 });
    const moved = await page.evaluate(() => {
      window.example.isMoving = false;
      return window.example.frames;
    });
    await page.waitForFunction((frames) => window.example.frames > frames + 3, moved);
    const shown = await pixels(page);
    const rects = await page.evaluate(() => {
      const { world, sprites } = window.example;
      const touched = new Set(world.touchingArray());
      return sprites.map(({ id }) => [touched.has(id), [...world.rects(id)]]);
    });
    // 0 is clear, 1 plain, 2 lit. Where two overlap, both are lit.
    const masks = new Uint8Array(640 * 400);
    for (const [isTouched, rect] of rects) {
      for (let i = 0; i < rect.length; i += 4) {
        for (let y = rect[i + 1]; y < rect[i + 3]; y++) masks.fill(isTouched ? 2 : 1, 640 * y + rect[i], 640 * y + rect[i + 2]);
      }
    }
    let [area, wrong, lit] = [0, 0, 0];
    for (let at = 0; at < masks.length; at++) {
      const blue = shown.data[4 * at + 2];
      const found = blue < 60 ? 0 : blue > 200 ? 1 : 2;
      if (found !== 0) area++;
      if (found === 2) lit++;
      if (found !== masks[at]) wrong++;
    }
    if (process.env.HITMASK_CASES) console.log(engine, area, lit, wrong);
    // Positions snap to pixels and angles to steps, so edges differ by less than a pixel.
    assert.ok(area > 10_000 && lit > 500 && wrong < 0.25 * area, `${area} drawn, ${lit} lit, ${wrong} wrong`);
    assert.deepEqual(page.errors, []);
    await page.close();
  });
}

test("a page whose policy forbids WebAssembly is told what to allow", async () => {
  const { message } = await run("test/browser/policy.html");
  assert.match(message, /cannot be used: .*script-src 'wasm-unsafe-eval'/);
});
