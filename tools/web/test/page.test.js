// Tests of the pages in target/web/page. The page of the demo takes minutes to build, so page/build.sh
// must have built it before.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse } from "./browser/chromium.js";
import { differences, pixels, positions } from "./browser/pixels.js";

const root = new URL("..", import.meta.url);
const folder = new URL("../../target/web/", root);
const screens = fileURLToPath(new URL("screens/", folder));
mkdirSync(screens, { recursive: true });
execFileSync("page/build.sh", ["phaser"], { cwd: root });
const browser = await browse(new URL("page/", folder));
after(() => browser.close());

/** Waits without frames of its own, which would be counted. */
const until = (page, condition, argument) =>
  page.waitForFunction(condition, argument, { timeout: 120_000, polling: 20 });

test("the Phaser page: frames advance, touching sprites are lit, a click picks, dropped files collide", async () => {
  const page = await browser.open("", { width: 1300, height: 960 });
  const state = () =>
    page.evaluate(() => ({ ...window.page, scene: null, picked: window.page.picked?.texture.key ?? null }));
  const frames = async (count) =>
    until(page, (frame) => window.page.frames > frame, (await page.evaluate(() => window.page.frames)) + count);
  await until(page, () => window.page?.frames > 5);
  const first = await state();
  assert.ok(first.touching > 500, `${first.touching} pairs`);
  // All sprites of a pair are lit, and a part of the crowd is not.
  assert.ok(first.lit > 500 && first.lit < 5000, `${first.lit} lit`);
  await frames(5);
  const shown = await pixels(page);
  for (const color of [[0xff, 0xb0, 0x60], [0x88, 0x99, 0xbb]]) {
    const { length } = positions(shown, color);
    assert.ok(length > 2000, `${length} pixels of ${color}`);
  }

  // With so many sprites, a click near the centre hits one soon.
  const box = await page.locator("#game canvas").boundingBox();
  for (let i = 0; i < 20 && !(await state()).picked; i++) {
    await page.mouse.click(box.x + box.width / 2 + 7 * i, box.y + box.height / 2);
    await until(page, (clicks) => window.page.clicks > clicks, i);
  }
  assert.ok((await state()).picked, "a click picks a sprite");

  const png = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 60, height: 40 });
    const context = canvas.getContext("2d");
    context.fillStyle = "#4af";
    context.fillRect(0, 0, 60, 12);
    context.fillRect(24, 0, 12, 40);
    return canvas.toDataURL("image/png").split(",")[1];
  });
  await page.setInputFiles("#files", { name: "tee.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
  await until(page, () => window.page.dropped === 1);
  // A real drop, of a file that is no image too.
  await page.evaluate((png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "other.png", { type: "image/png" }));
    data.items.add(new File(["no image"], "text.png", { type: "image/png" }));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  }, png);
  await until(page, () => document.getElementById("error").textContent.startsWith("text.png"));
  assert.equal((await state()).dropped, 2);
  await frames(5);
  // Masks of the pixels of the file: 60 x 12 and 12 x 28, turned.
  const masks = await page.evaluate(() => {
    const { hits, movers } = window.page.scene;
    const dropped = movers.filter(({ sprite }) => /^(tee|other)\.png/.test(sprite.texture.key));
    return dropped.map(({ sprite }) => {
      const rects = hits.world.rects(hits.id(sprite));
      let area = 0;
      for (let i = 0; i < rects.length; i += 4) area += (rects[i + 2] - rects[i]) * (rects[i + 3] - rects[i + 1]);
      return { area, lit: sprite.isTouching };
    });
  });
  assert.equal(masks.length, 20);
  assert.ok(masks.every(({ area }) => Math.abs(area - 1056) < 40), JSON.stringify(masks));
  assert.ok(masks.filter(({ lit }) => lit).length > 10, JSON.stringify(masks));
  assert.deepEqual(page.errors, []);
  await page.screenshot({ path: `${screens}page.png`, fullPage: true });
  await page.close();
});

/** Colors of tools/demo/src/palette.rs. */
const [LIT, SHARED, SPACE, HOVER] = [[255, 168, 62], [255, 255, 255], [9, 10, 15], [255, 236, 150]];
const near = ([x, y], [fromX, fromY], distance) => Math.max(Math.abs(x - fromX), Math.abs(y - fromY)) <= distance;
/** Whether a position is outside of the panel with the figures. */
const outsideMeter = ([x, y]) => x > 280 || y > 260;

test("the demo page: frames advance, touching sprites are lit, the mouse grabs a sprite and moves it", async () => {
  assert.ok(existsSync(new URL("page/demo/hitmask-demo.wasm", folder)), "run page/build.sh first");
  const page = await browser.open("demo/", { width: 1280, height: 720 });
  // Counts the frames of the page from here on.
  await page.evaluate(() => {
    const request = window.requestAnimationFrame;
    window.shown = 0;
    window.requestAnimationFrame = (draw) =>
      request((time) => {
        draw(time);
        window.shown++;
      });
  });
  const frames = async (count) =>
    until(page, (shown) => window.shown > shown, (await page.evaluate(() => window.shown)) + count);
  const press = async (key) => {
    await page.keyboard.press(key);
    await frames(2);
  };
  await frames(3);
  const first = await pixels(page, `${screens}demo.png`);
  await frames(3);
  assert.ok(differences(first, await pixels(page)).filter(outsideMeter).length > 5000, "the sprites move");
  const [lit, shared] = [LIT, SHARED].map((color) => positions(first, color).length);
  assert.ok(lit > 2000 && shared > 1000, `${lit} lit and ${shared} shared pixels`);

  // 100 sprites in the middle of the window, without the list of keys, standing still.
  for (const key of ["Minus", "Minus", "Minus", "h", "Space"]) await press(key);
  await page.mouse.move(640, 700);
  await frames(3);
  const before = await pixels(page);
  await frames(3);
  assert.deepEqual(differences(before, await pixels(page)).filter(outsideMeter), []);

  // The outline of a sprite that touches another one. It goes to where nothing is.
  const from = positions(before, LIT).find(([x, y]) => x > 400 && x < 880 && y > 300 && y < 420);
  const to = [from[0] + 12, 650];
  const empty = positions(before, SPACE).filter((at) => near(at, to, 40));
  assert.equal(empty.length, 81 * 81);
  await page.mouse.move(from[0] + 0.5, from[1] + 0.5);
  await frames(3);
  // The pair under the pointer has frames.
  assert.ok(positions(await pixels(page), HOVER).length > 20);
  await page.mouse.down();
  await frames(2);
  await page.mouse.move(to[0] + 0.5, to[1] + 0.5, { steps: 4 });
  await frames(2);
  await page.mouse.up();
  await frames(2);
  await page.mouse.move(100, 400);
  await frames(3);
  const after = await pixels(page, `${screens}demo_moved.png`);
  const changed = differences(before, after).filter(outsideMeter);
  const [left, arrived] = [from, to].map((at) => changed.filter((one) => near(one, at, 150)));
  assert.ok(left.length > 30 && arrived.length > 30, `${left.length} and ${arrived.length} pixels changed`);
  assert.equal(changed.length, new Set([...left, ...arrived]).size, "nothing else has moved");
  assert.deepEqual(positions(after, LIT).filter((at) => near(at, to, 60)), [], "the moved sprite touches nothing");
  assert.deepEqual(page.errors, []);
  await page.close();
});

/** The edge of a panel. */
const BORDER = [58, 66, 88];

test("the demo page in the window of a phone: the list of keys is below the meter", async () => {
  const page = await browser.open("demo/", { width: 360, height: 640 });
  await until(page, () => document.querySelector("canvas").width > 0);
  // The left and right edges of panels: runs of more than 100 rows in a column. Rows between runs can be other edges.
  const edges = async () => {
    const shown = await pixels(page, `${screens}demo_phone.png`);
    const runs = [];
    const last = new Map();
    for (const [x, y] of positions(shown, BORDER)) {
      if (last.get(x)?.[2] !== y - 1) {
        last.set(x, [x, y, y]);
        runs.push(last.get(x));
      }
      last.get(x)[2] = y;
    }
    return runs.filter(([, from, to]) => to - from > 100).sort(([a, from], [b, other]) => from - other || a - b);
  };
  let found = [];
  for (let i = 0; i < 100 && found.length < 4; i++) found = await edges();
  assert.equal(found.length, 4, JSON.stringify(found));
  const [left, meter, below, keys] = found;
  assert.deepEqual([meter.slice(1), below[0], keys.slice(1)], [left.slice(1), left[0], below.slice(1)]);
  assert.ok(meter[2] < keys[1], JSON.stringify(found));
  assert.ok(keys[0] < 360 && keys[2] < 640);
  assert.deepEqual(page.errors, []);
  await page.close();
});
