// Tests of the pages in target/web/page. The page of the demo takes minutes to build, so page/build.sh
// must have built it before.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { load } from "../index.js";
import { browse } from "./browser/chromium.js";
import { differences, pixels, positions } from "./browser/pixels.js";

const root = new URL("..", import.meta.url);
const folder = new URL("../../target/web/", root);
const screens = fileURLToPath(new URL("screens/", folder));
mkdirSync(screens, { recursive: true });
execFileSync("page/build.sh", ["playground"], { cwd: root });
const browser = await browse(new URL("page/", folder));
after(() => browser.close());

/** Waits without frames of its own, which would be counted. */
const until = (page, condition, argument) =>
  page.waitForFunction(condition, argument, { timeout: 120_000, polling: 20 });

/** Opens the playground. `prepare` gets the page before its scripts run again. */
async function open({ width = 1280, height = 900, prepare } = {}) {
  const page = await browser.open("", { width, height });
  if (prepare) {
    await prepare(page);
    await page.reload();
  }
  await until(page, () => document.documentElement.dataset.ready || !document.getElementById("fault").hidden);
  return page;
}

async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.close();
}

const text = (page, id) => page.evaluate((id) => document.getElementById(id).innerText, id);
/** Returns the facts on the page by their names. */
const facts = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#facts dt")].map((dt) => [dt.innerText, dt.nextSibling.innerText])));
/** Sets a range. */
const slide = (page, id, value) => page.locator(`#${id}`).fill(`${value}`);
/** Returns the two players as the page has them. */
const players = (page) =>
  page.evaluate(() => window.playground.scene.players.map(({ art, ...rest }) => ({ ...rest, name: art.name, alpha: art.alpha })));

/** Returns shared pixels of the two pictures, as the page draws them: area and first pixel. Uses no mask. */
const sharedPixels = (page) =>
  page.evaluate(() => {
    const { scene } = window.playground;
    const [a, b] = scene.players.map((player) => {
      const { image, x0, y0 } = scene.picture(player);
      const solid = new Set();
      for (let i = 0; i < image.width * image.height; i++) {
        if (image.data[4 * i + 3] < player.art.alpha) continue;
        solid.add(`${player.x + x0 + (i % image.width)}, ${player.y + y0 + Math.floor(i / image.width)}`);
      }
      return solid;
    });
    const both = [...a].filter((pixel) => b.has(pixel));
    return { area: both.length, first: both[0] };
  });

/** Checks that the page shows what the pixels of both pictures give. */
async function checkContact(page) {
  const { area, first } = await sharedPixels(page);
  const shown = await facts(page);
  if (area === 0) return assert.notEqual(await text(page, "verdict"), "They touch");
  assert.equal(await text(page, "verdict"), "They touch");
  const plain = (value) => value?.replaceAll("−", "-");
  assert.deepEqual([shown["shared pixels"], plain(shown["contact point"])], [`${area}`, first]);
  return plain(shown["way out"]);
}

/** Returns the place in the window of a place on the plane. */
const onScreen = (page, x, y) =>
  page.evaluate(([x, y]) => {
    const { stage } = window.playground;
    const box = stage.canvas.getBoundingClientRect();
    const [u, v] = stage.place({ clientX: box.left, clientY: box.top });
    return [box.left + (x - u) / stage.length(1), box.top + (y - v) / stage.length(1)];
  }, [x, y]);

/** Drops files as a person does. Each is { name, bytes }. */
const drop = async (page, files) => {
  const before = await page.evaluate(() => window.playground.drops);
  const given = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString("base64") }));
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (const { name, base64 } of files) {
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    }
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true }));
  }, given);
  await until(page, (before) => window.playground.drops > before, before);
};

/** Returns the alpha of the frames of a sprite on the page, as texts: a row of digits each, 0 to 9 for 0 to 255. */
const shapesOf = (page, name) =>
  page.evaluate((name) => {
    const { frames } = window.playground.arts.find((art) => art.name === name) ?? { frames: [] };
    return frames.map(({ width, height, data }) =>
      Array.from({ length: height }, (_, y) =>
        Array.from({ length: width }, (__, x) => Math.round((9 * data[4 * (y * width + x) + 3]) / 255)).join("")).join("\n"));
  }, name);

/** Returns RGBA bytes of a picture that is written as rows of digits, as shapesOf() returns them. */
function rgbaOf(picture) {
  const rows = picture.split("\n");
  return Buffer.from(rows.flatMap((row) => [...row].flatMap((digit) => [200, 100, 50, Math.round((255 * digit) / 9)])));
}
const sizeOf = (picture) => [picture.indexOf("\n"), picture.split("\n").length];

function png(picture) {
  const [width, height] = sizeOf(picture);
  const image = new PNG({ width, height });
  rgbaOf(picture).copy(image.data);
  return PNG.sync.write(image);
}

const u16 = (...values) => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values) => Buffer.from(Uint32Array.from(values).buffer);

/** Returns a GIF of frames of 0 and 9. */
function gif(frames) {
  const [width, height] = sizeOf(frames[0]);
  const parts = [Buffer.from("GIF89a"), u16(width, height), Buffer.from([0x91, 0, 0, 0, 0, 0, 200, 100, 50, 0, 0, 0, 0, 0, 0])];
  for (const frame of frames) {
    parts.push(Buffer.from([0x21, 0xf9, 4, 9, 10, 0, 0, 0]), Buffer.from([0x2c]), u16(0, 0, width, height), Buffer.from([0, 2]));
    // Codes of 3 bits. A clear code after each pair of pixels keeps the table of the decoder small.
    const codes = [...frame.replaceAll("\n", "")].flatMap((digit, i) => [...(i % 2 ? [] : [4]), digit === "9" ? 1 : 0]);
    const bits = [...codes, 5].map((code) => code.toString(2).padStart(3, "0").split("").reverse().join("")).join("");
    const bytes = bits.match(/.{1,8}/g).map((byte) => parseInt(byte.split("").reverse().join(""), 2));
    for (let i = 0; i < bytes.length; i += 255) {
      const block = bytes.slice(i, i + 255);
      parts.push(Buffer.from([block.length, ...block]));
    }
    parts.push(Buffer.from([0]));
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])]);
}

/** Returns an Aseprite file. Each frame is a list of chunks. */
function aseprite(width, height, depth, frames) {
  const body = frames.map((chunks) => {
    const bytes = Buffer.concat(chunks);
    return Buffer.concat([u32(16 + bytes.length), u16(0xf1fa, chunks.length, 100, 0), u32(chunks.length), bytes]);
  });
  const size = 128 + body.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.concat([u32(size), u16(0xa5e0, frames.length, width, height, depth), u32(1), Buffer.alloc(110)]);
  return Buffer.concat([header, ...body]);
}
const chunk = (type, ...parts) => {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([u32(6 + bytes.length), u16(type), bytes]);
};
const layer = ({ visible = true, kind = 0, level = 0, opacity = 255 } = {}) =>
  chunk(0x2004, u16(visible ? 1 : 0, kind, level, 0, 0, 0), Buffer.from([opacity, 0, 0, 0]), u16(1), Buffer.from("l"));
const celHead = (at, x, y, kind, opacity = 255) => [u16(at, x & 0xffff, y & 0xffff), Buffer.from([opacity]), u16(kind, 0), Buffer.alloc(5)];
const rawCel = (at, x, y, [width, height], bytes) => chunk(0x2005, ...celHead(at, x, y, 0), u16(width, height), bytes);
const packedCel = (at, x, y, [width, height], bytes) => chunk(0x2005, ...celHead(at, x, y, 2), u16(width, height), deflateSync(bytes));
const linkedCel = (at, x, y, frame) => chunk(0x2005, ...celHead(at, x, y, 1), u16(frame));

const TEE = "9999999\n9999999\n0009000\n0009000\n0009000";
const ELL = "9000000\n9000000\n9000000\n9000000\n9999999";
const rows = (picture, of = (digit) => digit) => picture.split("\n").map((row) => [...row].map(of).join("")).join("\n");
/** Returns a picture turned a quarter clockwise, as sheets store some frames. */
const quarter = (picture) => {
  const lines = picture.split("\n");
  return [...lines[0]].map((_, x) => lines.map((line) => line[x]).reverse().join("")).join("\n");
};

test("the playground begins with two sprites that touch, and its answer is that of their pixels", async () => {
  const page = await open();
  await checkContact(page);
  // The lit pixels are on screen.
  const shared = positions(await pixels(page), await colorOf(page, "--shared"));
  assert.ok(shared.length > 500, `${shared.length} lit pixels`);
  await close(page);
});

/** Returns a color of the page as red, green and blue. */
const colorOf = (page, name) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const color = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
    probe.remove();
    return color;
  }, name);

test("files of each kind become sprites of their very pixels", async () => {
  const page = await open();
  const webp = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 1 });
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
  }, png(TEE).toString("base64"));

  const half = rows(TEE, (digit) => (digit === "9" ? "4" : "0"));
  const size = sizeOf(TEE);
  const bytesOf = (picture, of) => Buffer.from([...picture.replaceAll("\n", "")].flatMap(of));
  const color = [layer(), layer({ visible: false }), layer({ visible: false, kind: 1 }), layer({ level: 1 }), layer({ opacity: 114 })];
  const full = rgbaOf(rows(TEE, () => "9"));
  const layers = aseprite(7, 5, 32, [
    // The second layer is hidden, and the fourth by its group. The last one has an opacity of 4 / 9.
    [...color, packedCel(0, 0, 0, size, rgbaOf(TEE)), rawCel(1, 0, 0, size, full), rawCel(3, 0, 0, size, full)],
    [linkedCel(0, 0, 0, 0)],
    // A cel beyond the edges of the image.
    [packedCel(0, -3, -2, [10, 9], rgbaOf(Array(9).fill("0000000009").join("\n")))],
    [rawCel(4, 0, 0, size, rgbaOf(TEE))],
  ]);
  const gray = aseprite(7, 5, 16, [[layer(), packedCel(0, 0, 0, size, bytesOf(TEE, (digit) => [80, digit === "9" ? 255 : 0]))]]);
  const palette = chunk(0x2019, u32(3, 0, 2), Buffer.alloc(8), u16(0), Buffer.from([1, 2, 3, 255]), u16(1),
    Buffer.from([9, 9, 9, 255]), u16(2), Buffer.from("ab"), u16(0), Buffer.from([4, 5, 6, 113]));
  const indexed = aseprite(7, 5, 8, [[layer(), palette, packedCel(0, 0, 0, size, bytesOf(TEE, (digit) => (digit === "9" ? 2 : 0)))]]);

  // TEE upright, trimmed by 1 px at the left in a frame of 9 x 6, and ELL turned.
  const turned = quarter(ELL).split("\n");
  const sheetRows = TEE.split("\n").map((row, y) => row + turned[y]).concat(turned.slice(5).map((row) => "0000000" + row));
  const part = (x, y, w, h, more) => ({ frame: { x, y, w, h }, rotated: false, trimmed: false, sourceSize: { w, h }, ...more });
  const tee = { spriteSourceSize: { x: 1, y: 0, w: 7, h: 5 }, sourceSize: { w: 9, h: 6 }, trimmed: true };
  const hash = { frames: { "art/tee.png": part(0, 0, 7, 5, tee), "ell.png": part(7, 0, 7, 5, { rotated: true }) }, meta: { image: "out/hash.png" } };
  const strip = TEE.split("\n").map((row, y) => row + ELL.split("\n")[y]).join("\n");
  const array = { frames: [0, 1].map((i) => part(7 * i, 0, 7, 5, { filename: `walk ${i}.aseprite` })), meta: { app: "https://www.aseprite.org/", image: "walk.png" } };

  await drop(page, [
    { name: "picture.png", bytes: png(TEE) },
    { name: "two.gif", bytes: gif([TEE, ELL]) },
    { name: "web.webp", bytes: Buffer.from(webp, "base64") },
    { name: "layers.aseprite", bytes: layers },
    { name: "gray.ase", bytes: gray },
    { name: "indexed.aseprite", bytes: indexed },
    { name: "hash.json", bytes: Buffer.from(JSON.stringify(hash)) },
    { name: "hash.png", bytes: png(sheetRows.join("\n")) },
    { name: "walk.json", bytes: Buffer.from(JSON.stringify(array)) },
    { name: "walk.png", bytes: png(strip) },
  ]);
  assert.equal(await text(page, "faults"), "");
  const opaque = "0000009\n".repeat(5).trim();
  const expected = {
    picture: [TEE],
    two: [TEE, ELL],
    web: [TEE],
    layers: [TEE, TEE, opaque, half],
    gray: [TEE],
    indexed: [half],
    "art/tee": [[...TEE.split("\n").map((row) => `0${row}0`), "000000000"].join("\n")],
    ell: [ELL],
    walk: [TEE, ELL],
  };
  for (const [name, frames] of Object.entries(expected)) assert.deepEqual(await shapesOf(page, name), frames, name);
  const names = await page.evaluate(() => window.playground.arts.filter(({ isYours }) => isYours).map(({ name }) => name));
  assert.deepEqual(names.toSorted(), Object.keys(expected).toSorted());
  // The first one is on the stage, and touches.
  assert.equal((await players(page))[0].name, names[0]);
  await checkContact(page);

  // Chosen files, with a name that is taken, and the second frame of a GIF.
  await page.setInputFiles("#files", { name: "two.gif", mimeType: "image/gif", buffer: gif([ELL, TEE]) });
  await until(page, () => window.playground.drops === 2);
  assert.deepEqual(await shapesOf(page, "two-2"), [ELL, TEE]);
  await slide(page, "frame", 1);
  await checkContact(page);
  assert.equal(await text(page, "frame-text"), "2 of 2");
  await page.screenshot({ path: `${screens}page_files.png`, fullPage: true });
  await close(page);
});

test("the stage invites to drop pictures in the first window, and a paste adds one", async () => {
  for (const [width, height] of [[360, 640], [1280, 720]]) {
    const page = await open({ width, height });
    for (const mode of ["touch", "mask", "pieces", "crowd"]) {
      await page.click(`#mode-${mode}`);
      const [invite, stage] = await Promise.all([".invite", ".stage"].map((part) => page.locator(part).boundingBox()));
      assert.match(await page.innerText(".invite"), width > 360 ? /^Your sprites: drop or paste them here, or choose files$/ : /^Your sprites: choose files$/);
      assert.ok(invite.y + invite.height < height && invite.y > stage.y && invite.x > stage.x, JSON.stringify(invite));
      assert.ok(invite.x + invite.width < stage.x + stage.width && invite.height < 45);
    }
    await close(page);
  }
  const page = await open();
  const paste = (name, type, base64) =>
    page.evaluate(([name, type, base64]) => {
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64 ?? ""), (letter) => letter.charCodeAt(0));
      clipboardData.items.add(...(name ? [new File([bytes], name, { type })] : ["a text", "text/plain"]));
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, [name, type, base64]);
  await paste("image.png", "image/png", png(TEE).toString("base64"));
  await until(page, () => window.playground.drops === 1);
  assert.deepEqual(await shapesOf(page, "image"), [TEE]);
  await checkContact(page);
  await paste(null);
  // With many sprites a new one is among them at once.
  await page.click("#mode-crowd");
  await paste("image.png", "image/png", png(ELL).toString("base64"));
  await until(page, () => window.playground.drops === 2);
  assert.deepEqual(await shapesOf(page, "image-2"), [ELL]);
  assert.deepEqual(await page.evaluate(() => [window.playground.shown.mode, window.playground.many.crowd.kinds.length]), ["crowd", 3]);
  await close(page);
});

test("an SVG is drawn as the browser draws it, and as small as the page takes", async () => {
  const page = await open();
  const svg = (size, more = "") => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 7 5"><path d="M0 0h7v2H0zm3 2h1v3H3z"/>${more}</svg>`);
  await drop(page, [
    { name: "tee.svg", bytes: svg('width="7" height="5"') },
    { name: "large.svg", bytes: svg('width="2800" height="2000"') },
    { name: "broken.svg", bytes: svg("", "<g>") },
  ]);
  assert.deepEqual(await shapesOf(page, "tee"), [TEE]);
  assert.deepEqual((await shapesOf(page, "large")).map(sizeOf), [[1024, 731]]);
  assert.match(await text(page, "faults"), /^broken.svg is no image that this browser can read/);
  await close(page);
});

test("a sprite of one's own can be removed, and others take its place on the stage", async () => {
  const page = await open();
  assert.equal(await page.locator(".remove").count(), 0);
  await drop(page, [{ name: "tee.png", bytes: png(TEE) }, { name: "ell.png", bytes: png(ELL) }]);
  await page.check('[name=player][value="1"]');
  await page.click("#gallery [data-name=tee]");
  assert.deepEqual((await players(page)).map(({ name }) => name), ["tee", "tee"]);
  await page.click('[aria-label="Remove tee"]');
  assert.deepEqual((await players(page)).map(({ name }) => name), ["rocket", "magnet"]);
  await checkContact(page);
  assert.deepEqual(await shapesOf(page, "tee"), []);
  assert.equal(await page.locator("#gallery [data-name=tee]").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "files");
  // The name is free again.
  await drop(page, [{ name: "tee.png", bytes: png(ELL) }]);
  assert.deepEqual(await shapesOf(page, "tee"), [ELL]);
  await page.click("#mode-crowd");
  await page.click('[aria-label="Remove ell"]');
  assert.deepEqual(await page.evaluate(() => window.playground.many.crowd.kinds.length), 2);
  await close(page);
});

/** Returns pictures side by side, and rows of them one below the other. */
const sheetOf = (...lines) =>
  lines.flatMap((cells) => cells[0].split("\n").map((_, y) => cells.map((cell) => cell.split("\n")[y]).join(""))).join("\n");

test("a grid cuts a sheet into frames of a sprite, or into sprites", async () => {
  const page = await open();
  assert.equal(await page.isVisible("#cut"), false);
  const [none, full] = ["0", "9"].map((digit) => rows(TEE, () => digit));
  await drop(page, [{ name: "sheet.png", bytes: png(sheetOf([TEE, ELL, TEE], [ELL, none, full])) }]);
  const cell = async (width, height) => {
    await page.fill("#cell-width", `${width}`);
    await page.fill("#cell-height", `${height}`);
  };
  assert.equal(await page.isVisible("#frame"), false);
  await page.click("#cut summary");
  await cell(7, 5);
  await page.click("#cut-frames");
  assert.deepEqual(await shapesOf(page, "sheet"), [TEE, ELL, TEE, ELL, full]);
  // On both places of the stage.
  await page.check('[name=player][value="1"]');
  await page.click("#gallery [data-name=sheet]");
  await slide(page, "frame", 1);
  assert.equal(await text(page, "frame-text"), "2 of 5");
  await slide(page, "scale", 6);
  await page.click("#again");
  await checkContact(page);
  await page.check('[name=player][value="0"]');
  // Again, with another size: what is no whole cell is left out.
  await cell(14, 10);
  await page.click("#cut-frames");
  assert.deepEqual((await shapesOf(page, "sheet")).map(sizeOf), [[14, 10]]);
  await checkContact(page);
  // What cannot be changes nothing.
  await cell(1, 1);
  await page.click("#cut-sprites");
  assert.match(await text(page, "faults"), /^sheet has \d+ cells, and this page takes up to 64 sprites at a time/);
  await cell(22, 5);
  await page.click("#cut-frames");
  assert.equal(await page.evaluate(() => document.activeElement.id), "cell-width");
  assert.deepEqual((await shapesOf(page, "sheet")).map(sizeOf), [[14, 10]]);
  await cell(7, 5);
  await page.screenshot({ path: `${screens}page_grid.png` });
  await page.click("#cut-sprites");
  assert.equal(await text(page, "faults"), "");
  for (const [i, picture] of [TEE, ELL, TEE, ELL, full].entries()) assert.deepEqual(await shapesOf(page, `sheet-${i + 1}`), [picture]);
  assert.deepEqual(await shapesOf(page, "sheet"), []);
  assert.deepEqual((await players(page)).map(({ name }) => name), ["sheet-1", "sheet-1"]);
  await checkContact(page);
  // One that is too large for a sprite is cut at once.
  const wide = "9".repeat(20).padEnd(1280, "0");
  await drop(page, [{ name: "large.png", bytes: png(Array(64).fill(wide).join("\n")) }]);
  assert.equal(await text(page, "faults"), "");
  assert.deepEqual((await shapesOf(page, "large")).map(sizeOf), [[32, 32], [32, 32]]);
  assert.deepEqual([await page.inputValue("#cell-width"), await page.isVisible("#cell-height")], ["32", true]);
  await close(page);
});

test("a picture without a clear pixel gets a word, and can lose its background", async () => {
  const page = await open();
  const jpeg = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(40, 40);
    const context = canvas.getContext("2d");
    for (const [color, ...box] of [["#e8e8e8", 0, 0, 40, 40], ["#202080", 8, 16, 24, 8]]) {
      context.fillStyle = color;
      context.fillRect(...box);
    }
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  });
  await drop(page, [{ name: "photo.jpg", bytes: Buffer.from(jpeg, "base64") }]);
  assert.match(await text(page, "note"), /^No pixel of photo is clear, so its mask is a full rectangle\. Save it as PNG or WebP/);
  await page.screenshot({ path: `${screens}page_photo.png` });
  await page.click("#clear");
  assert.equal(await text(page, "note"), "");
  assert.equal(await page.isVisible("#clear"), false);
  await checkContact(page);
  await page.click("#mode-mask");
  const solid = Number((await text(page, "verdict")).match(/\d+/)[0]);
  assert.ok(Math.abs(solid - 24 * 8) < 40, `${solid}`);
  // One color only: nothing would be left.
  await page.click("#mode-touch");
  await drop(page, [{ name: "full.png", bytes: png(rows(TEE, () => "9")) }]);
  await page.click("#clear");
  assert.equal(await text(page, "faults"), "full has one color only, so nothing would be left");
  assert.deepEqual(await shapesOf(page, "full"), [rows(TEE, () => "9")]);
  // The pictures of the page get no word.
  await page.click("#gallery [data-name=rocket]");
  assert.equal(await text(page, "note"), "");
  await close(page);
});

test("a browser without ImageDecoder says that it shows the first frame", async () => {
  const page = await open({ prepare: (page) => page.addInitScript(() => delete globalThis.ImageDecoder) });
  await drop(page, [{ name: "two.gif", bytes: gif([TEE, ELL]) }]);
  assert.deepEqual(await shapesOf(page, "two"), [TEE]);
  assert.match(await text(page, "gallery"), /first frame only/);
  await close(page);
});

test("a level of Tiled or LDtk is dropped with its images, and those that are missing are named", async () => {
  const page = await open();
  const example = (name) => ({ name: name.split("/")[1], bytes: readFileSync(new URL(`../bake/examples/${name}`, root)) });
  const rows = ELL.split("\n");
  const mirrored = rows.map((row) => [...row].reverse().join(""));
  // The tile as it is, mirrored left to right, and upside down.
  const gids = [1, 0x80000001, 0x40000001];
  const tileset = { firstgid: 1, image: "art/ell.png", tilewidth: 7, tileheight: 5, columns: 1 };
  const level = (layer, more) => Buffer.from(JSON.stringify({
    orientation: "orthogonal", width: 3, height: 1, tilewidth: 7, tileheight: 5, tilesets: [tileset],
    layers: [{ type: "tilelayer", width: 3, height: 1, ...layer }], ...more,
  }));
  const packed = deflateSync(Buffer.from(Uint32Array.from(gids).buffer)).toString("base64");
  await drop(page, [
    example("tiled_platformer/yard.tmx"), example("tiled_platformer/tiles.png"),
    example("ldtk_topdown/garden.ldtk"), example("ldtk_topdown/garden-tiles.png"),
    { name: "plain.tmj", bytes: level({ data: gids }) },
    { name: "packed.tmj", bytes: level({ data: packed, encoding: "base64", compression: "zlib" }) },
    { name: "ell.png", bytes: png(ELL) },
    { name: "alone.tmj", bytes: level({ data: gids }, { tilesets: [{ ...tileset, image: "gone.png" }] }) },
    { name: "outer.tmj", bytes: level({ data: gids }, { tilesets: [{ firstgid: 1, source: "outer.tsx" }] }) },
    { name: "iso.tmj", bytes: level({ data: gids }, { orientation: "isometric" }) },
    { name: "broken.tmx", bytes: Buffer.from("<map") },
  ]);
  assert.deepEqual((await text(page, "faults")).split("\n"), [
    'alone.tmj needs "gone.png": drop all files of the level together',
    'outer.tmj needs "outer.tsx": drop all files of the level together',
    "iso.tmj is isometric, and this page takes orthogonal levels; `hitmask bake` takes more",
    "broken.tmx is no map of Tiled",
  ]);
  const expected = rows.map((row, y) => row + mirrored[y] + rows.at(-1 - y)).join("\n");
  for (const name of ["plain", "packed"]) assert.deepEqual(await shapesOf(page, name), [expected], name);
  const [yard] = await shapesOf(page, "yard");
  const [garden] = await shapesOf(page, "garden");
  const at = (shape, x, y) => shape.split("\n")[y][x] !== "0";
  assert.equal(yard.indexOf("\n"), 768);
  // Sky, ground, a slope, a ledge and a coin; then a wall and grass.
  assert.deepEqual([[5, 100], [5, 165], [140, 158], [131, 145], [360, 114], [184, 152]].map(([x, y]) => at(yard, x, y)), [false, true, true, false, true, true]);
  assert.deepEqual([at(garden, 2, 2), at(garden, 40, 40)], [true, false]);
  await close(page);
});

test("files that are no sprites are named with what is wrong, and the others are taken", async () => {
  const page = await open();
  const broken = aseprite(7, 5, 32, [[layer(), packedCel(0, 0, 0, [7, 5], rgbaOf(TEE))]]);
  const unpacked = Buffer.from(broken);
  unpacked.fill(0xff, broken.length - 12);
  const sheet = (frame, image = "picture.png") => Buffer.from(JSON.stringify({ frames: { a: { frame } }, meta: { image } }));
  const json = (value) => Buffer.from(JSON.stringify(value));
  await drop(page, [
    { name: "good.png", bytes: png(TEE) },
    { name: "text.png", bytes: Buffer.from("no image") },
    { name: "cut.png", bytes: png(TEE).subarray(0, 40) },
    { name: "cut.gif", bytes: gif([TEE]).subarray(0, 12) },
    { name: "empty.gif", bytes: Buffer.alloc(0) },
    { name: "wide.png", bytes: png("9".repeat(1100) + "\n" + "9".repeat(1100)) },
    { name: "cut.aseprite", bytes: broken.subarray(0, 150) },
    { name: "short.aseprite", bytes: broken.subarray(0, 20) },
    { name: "unpacked.aseprite", bytes: unpacked },
    { name: "other.aseprite", bytes: png(TEE) },
    { name: "large.aseprite", bytes: aseprite(5000, 5, 32, [[]]) },
    { name: "depth.aseprite", bytes: aseprite(7, 5, 24, [[]]) },
    { name: "tiles.aseprite", bytes: aseprite(7, 5, 32, [[layer(), chunk(0x2005, ...celHead(0, 0, 0, 3), u16(1, 1))]]) },
    { name: "huge.bin", bytes: Buffer.alloc(33 * 2 ** 20) },
    { name: "alone.json", bytes: sheet({ x: 0, y: 0, w: 2, h: 2 }, "gone.png") },
    { name: "outside.json", bytes: sheet({ x: 4, y: 0, w: 9, h: 2 }, "good.png") },
    { name: "half.json", bytes: sheet({ x: 0, y: 0, w: 2.5, h: 2 }, "good.png") },
    { name: "list.json", bytes: json([1, 2]) },
    { name: "none.json", bytes: json({ frames: {} }) },
    { name: "broken.json", bytes: Buffer.from("{") },
  ]);
  const faults = (await text(page, "faults")).split("\n");
  const noImage = "is no image that this browser can read; give PNG, GIF, WebP, SVG, Aseprite, or a sheet with its JSON";
  const starts = [
    "alone.json has no picture: drop \"gone.png\" together with the JSON",
    'outside.json places "a" outside of its picture of 7 x 5 px',
    'half.json is a sheet whose frame "a" has no whole x, y, w and h',
    'list.json is no sheet: it has no "frames", as TexturePacker (hash or array) and Aseprite write them',
    "none.json is a sheet without frames",
    "broken.json is no JSON: ",
    `text.png ${noImage}`,
    `cut.png ${noImage}`,
    `cut.gif ${noImage}`,
    "empty.gif is empty",
    "wide.png has 1100 x 2 px, and this page takes up to 1024 px a side; `hitmask bake` takes more",
    "cut.aseprite is a damaged Aseprite file: frame 0 is cut off",
    "short.aseprite is a damaged Aseprite file: it ends too early",
    "unpacked.aseprite is a damaged Aseprite file: its pixels cannot be unpacked",
    "other.aseprite is no Aseprite file: its first bytes are others",
    "large.aseprite has 5000 x 5 px, and this page takes up to 1024 px a side; `hitmask bake` takes more",
    "depth.aseprite is a damaged Aseprite file: it has 24 bits a pixel",
    "tiles.aseprite has a tilemap, which this page does not read: convert the layer to pixels, or use `hitmask bake`",
    "huge.bin has 33 MB, and this page takes up to 32 MB; `hitmask bake` takes more",
  ];
  assert.equal(faults.length, starts.length, faults.join("\n"));
  for (const [i, start] of starts.entries()) assert.ok(faults[i].startsWith(start), `${faults[i]} instead of ${start}`);
  // A picture that a sheet has used is no sprite of its own. So good.png was taken by the damaged sheets.
  await drop(page, [{ name: "good.png", bytes: png(TEE) }]);
  assert.equal(await text(page, "faults"), "");
  assert.deepEqual(await shapesOf(page, "good"), [TEE]);
  await close(page);
});

test("turn, scale, mirror and alpha change mask and contact as they change the pixels", async () => {
  const page = await open();
  for (const [player, star] of [["0", "ghost"], ["1", "gear"]]) {
    await page.check(`[name=player][value="${player}"]`);
    await page.click(`#gallery [data-name=${star}]`);
    await checkContact(page);
    for (const step of [0, 5, 16, 31, 63]) {
      await slide(page, "step", step);
      await checkContact(page);
    }
    for (const scale of [0, 1, 3, 4, 5, 6, 2]) {
      await slide(page, "scale", scale);
      await checkContact(page);
    }
    await page.check("#flipX");
    await checkContact(page);
    for (const alpha of [1, 40, 200, 255]) {
      await slide(page, "alpha", alpha);
      await checkContact(page);
    }
    for (const box of ["masks", "boxes", "wayOut"]) await page.click(`#${box}`);
  }
  await page.click("#mode-mask");
  let before = Infinity;
  for (const alpha of [1, 60, 128, 220]) {
    await slide(page, "alpha", alpha);
    const counted = await page.evaluate(() => {
      const { scene, shown } = window.playground;
      const player = scene.players[shown.selected];
      const alphas = scene.picture(player).image.data.filter((_, i) => i % 4 === 3);
      return [alphas.filter((value) => value >= player.art.alpha).length, alphas.filter((value) => value > 0).length];
    });
    const [solid, visible] = counted.map((count) => count.toLocaleString("en"));
    assert.equal(await text(page, "verdict"), `${solid} px are solid`);
    assert.equal((await facts(page))["visible pixels"], visible);
    assert.ok(counted[0] <= before);
    before = counted[0];
  }
  await slide(page, "alpha", 255);
  await page.check('[name=player][value="0"]');
  await slide(page, "alpha", 255);
  await page.click("#gallery [data-name=star]");
  await close(page);
});

test("a sprite without a solid pixel touches nothing, and the page says what to do", async () => {
  const page = await open();
  await drop(page, [{ name: "faint.png", bytes: png(rows(TEE, (digit) => (digit === "9" ? "3" : "0"))) }]);
  assert.equal(await text(page, "verdict"), "They do not touch");
  assert.deepEqual(await facts(page), { "nearest pixels": "none: a sprite has no solid pixel" });
  await page.click("#mode-mask");
  assert.equal(await text(page, "verdict"), "No pixel is solid: lower the alpha");
  await page.click("#mode-pieces");
  assert.equal(await text(page, "verdict"), "0 convex pieces");
  await page.click("#mode-touch");
  await slide(page, "alpha", 20);
  await page.click("#again");
  await checkContact(page);
  assert.equal(await text(page, "verdict"), "They touch");
  await close(page);
});

test("a mouse drags sprites apart and together, and turns one by its handle", async () => {
  const page = await open();
  const [, b] = await players(page);
  const [fromX, fromY] = await onScreen(page, b.x - 16, b.y);
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  for (const [dx, dy, verdict] of [[150, 0, "They do not touch"], [0, 0, "They touch"], [-60, 30, "They touch"]]) {
    await page.mouse.move(fromX + dx, fromY + dy, { steps: 3 });
    assert.equal(await text(page, "verdict"), verdict);
    await checkContact(page);
  }
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.playground.shown.selected), 1);
  await page.mouse.move(fromX, fromY - 100);
  const moved = await players(page);
  // The way out that is shown ends the overlap, when keys walk it.
  const [x, y] = (await checkContact(page)).match(/-?\d+/g).map(Number);
  await page.check('[name=player][value="0"]');
  await page.locator("#stage").focus();
  for (let i = 0; i < Math.abs(x); i++) await page.keyboard.press(x < 0 ? "ArrowLeft" : "ArrowRight");
  for (let i = 0; i < Math.abs(y); i++) await page.keyboard.press(y < 0 ? "ArrowUp" : "ArrowDown");
  assert.deepEqual([(await players(page))[0].x, (await players(page))[0].y], [moved[0].x + x, moved[0].y + y]);
  assert.notEqual(await text(page, "verdict"), "They touch");
  await checkContact(page);

  const a = (await players(page))[0];
  const handle = await page.evaluate(() => window.playground.stage.handle());
  const [handleX, handleY] = await onScreen(page, ...handle);
  const [centerX, centerY] = await onScreen(page, a.x, a.y);
  await page.mouse.move(handleX, handleY);
  await page.mouse.down();
  // Straight to the left: three quarters of a turn.
  await page.mouse.move(centerX - 120, centerY, { steps: 4 });
  await page.mouse.up();
  assert.equal((await players(page))[0].step, 48);
  await checkContact(page);
  // Boxes that overlap without pixels: the mouth of the magnet.
  await page.evaluate(() => {
    const [a, b] = window.playground.scene.players;
    Object.assign(a, { step: 0, scale: 0.5, x: b.x + 4, y: b.y });
  });
  await page.locator("#stage").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "verdict"), "Their boxes overlap, their pixels do not");
  await close(page);
});

test("a finger drags a sprite, and scrolls the page beside it", async () => {
  const page = await open({ width: 360, height: 740 });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const [, b] = await players(page);
  const [x, y] = await onScreen(page, b.x - 16, b.y);
  await touch("touchStart", [x, y]);
  for (let i = 1; i <= 8; i++) await touch("touchMove", [x + 4 * i, y + 6 * i]);
  await touch("touchEnd");
  await until(page, ([x, y]) => {
    const { x: nowX, y: nowY } = window.playground.scene.players[1];
    return nowX > x && nowY > y;
  }, [b.x, b.y]);
  await checkContact(page);
  assert.equal(await page.evaluate(() => scrollY), 0);
  const before = await players(page);
  const box = await page.locator("#stage").boundingBox();
  await touch("touchStart", [box.x + 15, box.y + box.height - 15]);
  for (let i = 1; i <= 8; i++) await touch("touchMove", [box.x + 15, box.y + box.height - 15 - 20 * i]);
  await touch("touchEnd");
  await until(page, () => scrollY > 50);
  assert.deepEqual(await players(page), before);
  await close(page);
});

test("what is shown is in the address, and is there after a reload, but for pictures of one's own", async () => {
  const page = await open();
  const hash = () => page.evaluate(() => location.hash);
  const kept = async (word) => until(page, (word) => location.hash.includes(word), word);
  assert.equal(await hash(), "");
  await page.check('[name=player][value="1"]');
  await page.click("#gallery [data-name=ghost]");
  await slide(page, "step", 9);
  await slide(page, "scale", 3);
  await page.check("#flipX");
  await slide(page, "alpha", 60);
  await page.uncheck("#boxes");
  await page.locator("#stage").press("ArrowLeft");
  await page.click("#code-Rust");
  await kept("code=Rust");
  const reload = async () => {
    await page.reload();
    await until(page, () => document.documentElement.dataset.ready);
  };
  const before = [await players(page), await facts(page), await text(page, "program")];
  await reload();
  assert.deepEqual([await players(page), await facts(page), await text(page, "program")], before);
  assert.equal(await page.isChecked("#boxes"), false);
  assert.equal(await page.isChecked('[name=player][value="1"]'), true);
  assert.equal(await page.getAttribute("#code-Rust", "aria-selected"), "true");
  for (const [mode, word] of [["mask", "tab=mask"], ["pieces", "tab=pieces"], ["crowd", "tab=crowd"]]) {
    await page.click(`#mode-${mode}`);
    await kept(word);
  }
  await slide(page, "count", 1);
  await slide(page, "zoom", 0);
  await kept("count=200");
  await reload();
  assert.equal(await page.getAttribute("#mode-crowd", "aria-selected"), "true");
  assert.equal(await text(page, "zoom-text"), "all");
  assert.equal((await facts(page)).sprites, "200");
  // A picture of one's own.
  await page.click("#mode-touch");
  await drop(page, [{ name: "my_tee & more.png", bytes: png(TEE) }]);
  await kept("my_tee");
  await reload();
  assert.equal(await text(page, "faults"), "“my_tee & more” is not here, because an address holds no pictures: drop it again");
  assert.deepEqual((await players(page)).map(({ name }) => name), ["rocket", "magnet"]);
  await close(page);
});

test("an address that says what cannot be shows what can", async () => {
  const page = await open();
  const address = page.url();
  for (const fragment of ["tab=nothing&count=12345&zoom=-1&error=99&sprite=7&code=Perl&a=", "a=x_y_99_77_z_-3_999_star&b=1e9_-1e9_", "%&=&a=5_5", "a=1e999_0_0_1_0_7_128_gear"]) {
    await page.goto("about:blank");
    await page.goto(`${address}#${fragment}`);
    await until(page, () => document.documentElement.dataset.ready);
    assert.equal(await page.isVisible("#fault"), false);
    for (const { x, y, step, scale, frame, alpha } of await players(page)) {
      assert.ok([x, y, step, frame, alpha].every(Number.isInteger) && scale === 1 && frame === 0, fragment);
    }
    await checkContact(page);
  }
  // Sprites that an address places far away are on the stage.
  await page.goto("about:blank");
  await page.goto(`${address}#b=4000_-4000_0_1_0_0_128_star`);
  await until(page, () => document.documentElement.dataset.ready);
  const [, { x, y, name }] = await players(page);
  assert.ok(x > 0 && x < 200 && y < 0 && y > -200 && name === "star", `${x}, ${y}`);
  await close(page);
});

/** Opens the tab of many sprites with a number of them, standing still. */
async function openMany(count, options) {
  const page = await open(options);
  await page.click("#mode-crowd");
  await page.click("#run");
  assert.equal(await text(page, "run"), "Run");
  await slide(page, "count", count);
  return page;
}

/** Lets a canvas have the named contexts only. */
const onlyContexts = (...kinds) => (page) =>
  page.addInitScript((kinds) => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kinds.includes(kind) ? getContext.call(this, kind, ...rest) : null;
    };
  }, kinds);

test("10,000 sprites move, and their pairs are those of their pixels", async () => {
  const page = await openMany(6);
  const [found, expected] = await page.evaluate(async () => {
    const { ANGLES, draw } = await import("./pose.js");
    const { crowd } = window.playground.many;
    const covered = new Map();
    const pairs = new Set();
    const poses = new Map();
    for (let i = 0; i < crowd.ids.length; i++) {
      const [x, y, angle] = crowd.places.subarray(3 * i, 3 * i + 3);
      const kind = i % crowd.kinds.length;
      const step = ((Math.round((angle * ANGLES) / (2 * Math.PI)) % ANGLES) + ANGLES) % ANGLES;
      if (!poses.has(`${kind} ${step}`)) {
        const { image, alpha, scale } = crowd.kinds[kind];
        const { image: { width, data }, x0, y0 } = draw(image, { step, scale });
        const solid = [...Array(data.length / 4).keys()].filter((at) => data[4 * at + 3] >= alpha);
        poses.set(`${kind} ${step}`, solid.map((at) => (y0 + Math.floor(at / width)) * 65536 + x0 + (at % width)));
      }
      const from = Math.floor(y + 0.5) * 65536 + Math.floor(x + 0.5);
      for (const offset of poses.get(`${kind} ${step}`)) {
        const others = covered.get(from + offset) ?? [];
        for (const other of others) pairs.add(`${crowd.ids[other]} ${crowd.ids[i]}`);
        covered.set(from + offset, [...others, i]);
      }
    }
    return [crowd.world.touching().map((pair) => pair.join(" ")).sort(), [...pairs].sort()];
  });
  assert.ok(found.length > 2000, `${found.length} pairs`);
  assert.deepEqual(found, expected);
  const at = await page.evaluate(() => window.playground.many.frames);
  await page.click("#run");
  await until(page, (at) => window.playground.many.frames > at + 20, at);
  assert.match(await text(page, "verdict"), /^\d,\d{3} pairs touch$/);
  await until(page, () => document.getElementById("facts").innerText.includes("a second"));
  const shown = await facts(page);
  assert.equal(shown.sprites, "10,000");
  assert.match(shown["update: all pairs"], /^\d+\.\d ms$/);
  assert.match(shown.drawing, /^\d+\.\d ms \+ GPU$/);
  assert.equal(await page.isVisible("#undrawn"), false);
  assert.equal(await page.getAttribute("#verdict", "aria-live"), "off");
  await page.screenshot({ path: `${screens}page_many.png` });
  // Back, and in again with a sprite of one's own.
  await page.click("#mode-touch");
  await checkContact(page);
  await drop(page, [{ name: "tee.png", bytes: png(TEE) }]);
  await page.click("#mode-crowd");
  assert.equal(await page.evaluate(() => window.playground.many.crowd.kinds.length), 2);
  await page.click("#gallery [data-name=star]");
  assert.equal(await page.getAttribute("#mode-touch", "aria-selected"), "true");
  await checkContact(page);
  await close(page);
});

test("WebGL draws the solid pixels of many sprites, lights those that two share, and edges those that touch", async () => {
  const page = await openMany(3);
  const [shared, edge] = await Promise.all([colorOf(page, "--shared"), colorOf(page, "--a")]);
  for (const scale of [1, 2]) {
    await slide(page, "zoom", await page.evaluate((scale) => window.playground.many.zooms().indexOf(scale), scale));
    await page.locator("#many").press("ArrowRight");
    const seen = await page.evaluate(async ({ scale, shared, edge }) => {
      const { ANGLES, draw } = await import("./pose.js");
      const { many } = window.playground;
      const { crowd, canvas } = many;
      const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      // In one task, as long as the picture is there.
      many.frame(0);
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const covers = new Uint8Array(canvas.width * canvas.height);
      const expected = new Uint8ClampedArray(data.length);
      const [left, top] = [many.x, many.y].map((at, i) => {
        return Math.round([canvas.width, canvas.height][i] / 2 - (at % 1) * scale) - Math.floor(at) * scale;
      });
      for (let i = 0; i < crowd.ids.length; i++) {
        const [x, y, angle] = crowd.places.subarray(3 * i, 3 * i + 3);
        const { image, alpha, scale: baked } = crowd.kinds[i % crowd.kinds.length];
        const step = ((Math.round((angle * ANGLES) / (2 * Math.PI)) % ANGLES) + ANGLES) % ANGLES;
        const { image: pose, x0, y0 } = draw(image, { step, scale: baked });
        const isSolid = (at) => pose.data[4 * at + 3] >= alpha;
        for (let at = 0; at < pose.width * pose.height; at++) {
          if (!isSolid(at)) continue;
          const isEdge = crowd.touches[i] && ![at - 1, at + 1, at - pose.width, at + pose.width].every(isSolid);
          const [u, v] = [x0 + (at % pose.width) + Math.floor(x + 0.5), y0 + Math.floor(at / pose.width) + Math.floor(y + 0.5)];
          for (let b = 0; b < scale * scale; b++) {
            const [px, py] = [left + scale * u + (b % scale), top + scale * v + Math.floor(b / scale)];
            if (px < 0 || py < 0 || px >= canvas.width || py >= canvas.height) continue;
            const target = py * canvas.width + px;
            const color = ++covers[target] > 1 ? shared : isEdge ? edge : crowd.touches[i] ? null : pose.data.slice(4 * at, 4 * at + 3);
            // Within an edge sprites are tinted.
            expected.set(color ? [...color, 255] : [0, 0, 0, 1], 4 * target);
          }
        }
      }
      const wrong = [];
      for (let at = 0; at < data.length; at += 4) {
        const want = expected.subarray(at, at + 4);
        const got = data.subarray(at, at + 4);
        const isRight = want[3] === 1 ? got[3] === 255 : want.every((value, i) => Math.abs(value - got[i]) <= 3);
        if (!isRight) wrong.push([at / 4, [...want], [...got]]);
      }
      const count = (color) => wrong.length === 0 && data.filter((_, i) => i % 4 === 0 && color.every((value, j) => data[i + j] === value)).length;
      return { wrong: wrong.length, some: wrong.slice(0, 4), shared: count(shared), solid: covers.filter((times) => times).length };
    }, { scale, shared, edge });
    assert.deepEqual([seen.wrong, seen.some], [0, []]);
    assert.ok(seen.shared > 1000 && seen.solid > 50_000, JSON.stringify(seen));
  }
  await close(page);
});

test("sliders, keys, wheel and pointer change how many sprites there are, and what is seen of them", async () => {
  const page = await openMany(9);
  assert.equal((await facts(page)).sprites, "100,000");
  assert.equal(await text(page, "count-text"), "100,000");
  assert.ok((await text(page, "program")).includes("100_000"));
  await slide(page, "count", 0);
  const { sprites, frames } = await facts(page);
  assert.deepEqual([sprites, frames], ["100", "stands still"]);
  const camera = () => page.evaluate(() => [window.playground.many.x, window.playground.many.y]);
  const zoomed = () => text(page, "zoom-text");
  await slide(page, "zoom", 0);
  assert.equal(await zoomed(), "all");
  const [x, y] = await camera();
  await page.locator("#many").focus();
  const steps = [];
  for (const key of ["+", "=", "-"]) {
    await page.keyboard.press(key);
    steps.push(await zoomed());
  }
  assert.deepEqual(steps, ["2x", "4x", "2x"]);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await camera(), [x + 20, y - 20]);
  const box = await page.locator("#many").boundingBox();
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 60);
  await page.mouse.up();
  await page.mouse.move(box.x + 300, box.y + 300);
  assert.deepEqual(await camera(), [x, y]);
  await page.mouse.wheel(0, -100);
  await until(page, () => document.getElementById("zoom-text").innerText === "4x");
  // Without the focus the wheel scrolls the page.
  await page.locator("#run").focus();
  await page.mouse.wheel(0, 200);
  await until(page, () => scrollY > 50);
  assert.equal(await zoomed(), "4x");
  // The camera stays over the sprites.
  await page.locator("#many").focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press("Shift+ArrowLeft");
  assert.equal((await camera())[0], 0);
  await close(page);
});

test("without WebGL2 many sprites are tested all the same, and the page says that they are not drawn", async () => {
  const page = await open({ prepare: onlyContexts("2d") });
  await page.click("#mode-crowd");
  assert.match(await text(page, "undrawn"), /no WebGL2/);
  await until(page, () => window.playground.many.frames > 8 && document.getElementById("facts").innerText.includes("a second"));
  const shown = await facts(page);
  assert.equal(shown.drawing, "none");
  assert.match(shown["update: all pairs"], /ms$/);
  await page.click("#mode-mask");
  assert.equal(await page.isVisible("#undrawn"), false);
  await close(page);
});

test("many sprites are drawn again after the graphics driver was lost", async () => {
  const page = await openMany(1);
  await page.evaluate(() => {
    window.lost = document.getElementById("many").getContext("webgl2").getExtension("WEBGL_lose_context");
    window.lost.loseContext();
  });
  await until(page, () => !document.getElementById("undrawn").hidden);
  await page.evaluate(() => window.lost.restoreContext());
  await until(page, () => document.getElementById("undrawn").hidden);
  const drawn = await page.evaluate(() => {
    const { many } = window.playground;
    const context = new OffscreenCanvas(many.canvas.width, many.canvas.height).getContext("2d");
    many.frame(0);
    context.drawImage(many.canvas, 0, 0);
    return context.getImageData(0, 0, many.canvas.width, many.canvas.height).data.filter((value) => value > 0).length;
  });
  assert.ok(drawn > 10_000, `${drawn}`);
  await close(page);
});

test("an error that the page does not expect is shown", async () => {
  const page = await open();
  await page.evaluate(() => setTimeout(() => window.playground.scene.players.nothing.x));
  await until(page, () => !document.getElementById("fault").hidden);
  assert.match(await text(page, "fault"), /nothing|undefined/);
  await page.close();
});

test("a person who wants less motion sees a crowd that stands until they let it run", async () => {
  const page = await open({ prepare: (page) => page.emulateMedia({ reducedMotion: "reduce" }) });
  await page.click("#mode-crowd");
  assert.equal(await text(page, "run"), "Run");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await page.evaluate(() => window.playground.many.crowd.places.some(Number.isNaN)), false);
  const places = () => page.evaluate(() => [...window.playground.many.crowd.places.subarray(0, 6)]);
  const before = await places();
  await page.click("#run");
  await until(page, (x) => window.playground.many.crowd.places[0] !== x, before[0]);
  await close(page);
});

const hitmask = await load({ bake: true });

test("pieces are those of the library at the chosen error", async () => {
  const page = await open();
  await page.click("#mode-pieces");
  const image = await page.evaluate(() => {
    const { width, height, data } = window.playground.scene.players[0].art.frames[0];
    return { width, height, data: [...data] };
  });
  image.data = Uint8Array.from(image.data);
  const seen = new Set();
  for (const error of [0.1, 0.5, 1, 3, 8]) {
    await slide(page, "error", error);
    const { pieces, polygons } = hitmask.shape(image, { maxError: error });
    assert.equal(await text(page, "verdict"), `${pieces.length} convex piece${pieces.length === 1 ? "" : "s"}`);
    assert.equal((await facts(page))["outline corners"], `${polygons.flatMap(({ border, holes }) => [border, ...holes].flat()).length}`);
    seen.add(pieces.length);
  }
  assert.ok(seen.size > 2);
  await close(page);
});

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test("downloads hold the sprites, and the program in JavaScript finds what is on screen", async () => {
  const page = await open();
  await drop(page, [{ name: 'a "quoted" name.gif', bytes: gif([TEE, ELL]) }]);
  await slide(page, "scale", 4);
  await slide(page, "step", 9);
  await slide(page, "frame", 1);
  await page.check("#flipX");
  await page.click("#again");
  await checkContact(page);
  const { name, bytes } = await download(page, "#save-atlas");
  assert.equal(name, "sprites.hitmask");
  assert.equal(await text(page, "saved"), `sprites.hitmask: ${bytes.length.toLocaleString("en")} bytes`);
  const atlas = hitmask.atlas(bytes);
  atlas.verify();
  assert.deepEqual(atlas.names(), ['a "quoted" name', "magnet"]);
  assert.deepEqual({ ...atlas.sprite('a "quoted" name'), id: 0 }, { id: 0, name: 'a "quoted" name', frames: 2, planes: 1, angles: 64 });
  assert.deepEqual(atlas.scales("magnet"), [1, 2]);
  // The masks are those of the pictures.
  const world = hitmask.world(atlas);
  const [a, b] = await players(page);
  const add = ({ name, x, y, step, scale, flipX, frame }) =>
    world.add({ sprite: name, x, y, angle: (2 * Math.PI * step) / 64, scale, flipX, frame });
  const overlap = world.overlap(add(a), add(b));
  const { area, first } = await sharedPixels(page);
  assert.deepEqual([overlap.area, `${overlap.point.x}, ${overlap.point.y}`], [area, first]);

  const program = (await text(page, "program")).replace('import { load } from "hitmask";', "").replace("await load()", "hitmask");
  const printed = [];
  const run = new Function("hitmask", "fetch", "console", `return (async () => {${program.replace("const hitmask = hitmask;", "")}})()`);
  await run(hitmask, async () => ({ arrayBuffer: async () => bytes }), { log: (...values) => printed.push(values) });
  assert.deepEqual(printed, [[1, "pair"], [overlap.point, overlap.normal, overlap.pushOut]]);

  const shapes = await download(page, "#save-shapes");
  assert.equal(shapes.name, "shapes.json");
  const { sprites, ...head } = JSON.parse(shapes.bytes);
  assert.deepEqual(head, {
    generator: `hitmask ${hitmask.version}`, version: 1, scale: 1, y_up: false, max_error: 1, fit: "nearest", min_area: 0,
    max_corners: 8, min_width: 0.02,
  });
  assert.deepEqual(Object.keys(sprites), ['a "quoted" name', "magnet"]);
  for (const name of atlas.names()) {
    for (const [frame, shape] of sprites[name].frames.entries()) {
      const { pieces, polygons, mass } = atlas.shape(name, { frame });
      const { width, height, pivot } = atlas.frame(name, frame);
      assert.deepEqual([shape.size, shape.pivot], [[width, height], pivot]);
      const flat = (points) => points.flatMap(({ x, y }) => [x, y]);
      const close = (found, list) => assert.ok(found.length === list.length && found.every((value, i) => Math.abs(value - list[i]) < 1e-5));
      assert.deepEqual([shape.pieces.length, shape.polygons.length], [pieces.length, polygons.length]);
      shape.pieces.forEach((piece, i) => close(piece, flat(pieces[i])));
      shape.polygons.forEach(({ border, holes }, i) => {
        close(border, flat(polygons[i].border));
        holes.forEach((hole, j) => close(hole, flat(polygons[i].holes[j])));
      });
      assert.ok(Math.abs(shape.mass.area - mass.area) < 1e-6);
      assert.deepEqual(Object.keys(shape.left_out), ["islands", "holes", "pieces", "pieces_area"]);
    }
  }
  await close(page);
});

test("each language has a program for each view, which names what is on screen", async () => {
  const page = await open();
  const header = readFileSync(new URL("../capi/include/hitmask.h", root), "utf8");
  for (const [mode, words] of [["touch", ["rocket", "magnet", "overlap"]], ["mask", ["rocket"]], ["pieces", ["rocket", "shape"]], ["crowd", ["rocket", "magnet", "gear", "10"]]]) {
    await page.click(`#mode-${mode}`);
    for (const language of ["JavaScript", "Rust", "C", "Python"]) {
      await page.click(`#code-${language}`);
      const program = await text(page, "program");
      for (const word of [...words, "sprites.hitmask"]) assert.ok(program.includes(word), `${word} in ${program}`);
      assert.ok(program.split("\n").length <= 22, program);
      if (language !== "C") continue;
      for (const [call] of program.matchAll(/\bhm_\w+/g)) assert.match(header, new RegExp(`\\b${call}\\b`), call);
    }
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#copy");
  await until(page, () => document.getElementById("copy").textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.evaluate(() => document.getElementById("program").textContent));
  await close(page);
});

test("all works by keys, and the focus is seen", async () => {
  const page = await open();
  const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.dataset.name || document.activeElement.tagName);
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const name = await active();
    if (name === "BODY") break;
    seen.push(name);
    const ring = await page.evaluate(() => {
      const { activeElement: one } = document;
      const shown = one.id === "files" ? one.parentElement : one;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      return outlineStyle !== "none" && parseFloat(outlineWidth) > 1;
    });
    assert.ok(ring, `${name} has no focus ring`);
  }
  for (const name of ["mode-touch", "stage", "step", "scale", "alpha", "flipX", "again", "star", "files", "save-atlas", "code-JavaScript", "copy"]) {
    assert.ok(seen.includes(name), `${name} in ${seen}`);
  }
  const [a] = await players(page);
  await page.locator("#stage").focus();
  for (const key of ["ArrowDown", "Shift+ArrowRight", "e", "E", "q", "+"]) {
    await page.keyboard.press(key);
    await checkContact(page);
  }
  const [moved] = await players(page);
  assert.deepEqual([moved.x - a.x, moved.y - a.y, moved.step - a.step, moved.scale], [10, 1, 1, 1.5]);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => window.playground.shown.selected), 1);
  await page.locator("#mode-touch").focus();
  for (const mode of ["mask", "pieces", "crowd", "touch"]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await active(), `mode-${mode}`);
    assert.equal(await page.getAttribute("#view", "aria-labelledby"), `mode-${mode}`);
  }
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  assert.equal(await active(), "mode-touch");
  // A name for each control.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, canvas, [role=tab]")]
      .filter((one) => !(one.textContent.trim() || one.labels?.length || one.ariaLabel || one.ariaHidden || one.parentElement.closest("button")))
      .map(({ outerHTML }) => outerHTML));
  assert.deepEqual(nameless, []);
  await close(page);
});

test("the page fits windows of 360 to 2,560 px, light and dark", async () => {
  const page = await open({ width: 360, height: 740 });
  const papers = new Set();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [[360, 740], [1280, 900], [2560, 1400]]) {
      await page.setViewportSize({ width, height });
      await until(page, (width) => window.innerWidth === width, width);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await checkContact(page);
      await page.screenshot({ path: `${screens}page_${width}_${colorScheme}.png`, fullPage: true });
    }
    papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  assert.equal(papers.size, 2);
  await close(page);
});

test("forced colors show the tab that is chosen, and the stage keeps its colors", async () => {
  const page = await open({ prepare: (page) => page.emulateMedia({ forcedColors: "active" }) });
  await checkContact(page);
  const shared = positions(await pixels(page, `${screens}page_forced.png`), await page.evaluate(() => {
    document.getElementById("stage").style.color = "var(--shared)";
    return getComputedStyle(document.getElementById("stage")).color.match(/\d+/g).slice(0, 3).map(Number);
  }));
  assert.ok(shared.length > 500, `${shared.length} lit pixels`);
  for (const mode of ["mask", "crowd", "touch"]) {
    await page.click(`#mode-${mode}`);
    await page.locator("#view .answer").hover();
    const outlined = await page.evaluate(() => {
      document.activeElement.blur();
      return [...document.querySelectorAll("[role=tab]")].filter((tab) => getComputedStyle(tab).outlineStyle === "solid").map(({ id }) => id);
    });
    assert.deepEqual(outlined, [`mode-${mode}`, "code-JavaScript"]);
  }
  const marked = await page.evaluate(() => [...document.querySelectorAll("#gallery [data-name]")].filter((one) => getComputedStyle(one).outlineStyle === "solid").map((one) => one.dataset.name));
  assert.deepEqual(marked, ["rocket"]);
  // Alerts are no lists, and lists are no alerts.
  assert.equal(await page.evaluate(() => document.querySelectorAll("ul[role], [role=alert] > ul#faults").length), 1);
  await close(page);
});

test("a page without WebAssembly, or without the module, says why", async () => {
  const noWasm = (page) => page.addInitScript(() => delete globalThis.WebAssembly);
  const noModule = (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  const noNetwork = (page) => page.route("**/*.wasm", (route) => route.abort());
  for (const [prepare, message] of [[noWasm, /no WebAssembly.*use a browser/], [noModule, /gives status 404, and no module/], [noNetwork, /the module cannot be used/]]) {
    const page = await open({ prepare });
    assert.match(await text(page, "fault"), message);
    assert.equal(await page.isVisible("#view"), false);
    await page.close();
  }
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

/** Returns the left and right edges of panels: runs of more than 100 rows in a column. Rows between runs can be other edges. */
async function edges(page) {
  const shown = await pixels(page, `${screens}demo_narrow.png`);
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
}

test("the demo page in a narrow window: the list of keys is below the meter", async () => {
  const page = await browser.open("demo/", { width: 360, height: 640 });
  await until(page, () => document.querySelector("canvas").width > 0);
  let found = [];
  for (let i = 0; i < 100 && found.length < 4; i++) found = await edges(page);
  assert.equal(found.length, 4, JSON.stringify(found));
  const [left, meter, below, keys] = found;
  assert.deepEqual([meter.slice(1), below[0], keys.slice(1)], [left.slice(1), left[0], below.slice(1)]);
  assert.ok(meter[2] < keys[1], JSON.stringify(found));
  assert.ok(keys[0] < 360 && keys[2] < 640);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the demo page on a phone has no list of keys", async () => {
  const page = await browser.open("demo/", { width: 360, height: 640 });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await session.send("Emulation.setDeviceMetricsOverride", { width: 360, height: 640, deviceScaleFactor: 1, mobile: true });
  await page.reload();
  await until(page, () => document.querySelector("canvas").width > 0);
  let found = [];
  for (let i = 0; i < 100 && found.length !== 2; i++) found = await edges(page);
  assert.equal(found.length, 2, JSON.stringify(found));
  // The meter, from the first row on, and nothing below it later.
  await page.waitForTimeout(500);
  assert.deepEqual(await edges(page), found);
  assert.ok(found[0][1] < 20, JSON.stringify(found));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the demo page without WebGL or WebAssembly says so", async () => {
  const noWasm = (page) => page.addInitScript(() => delete globalThis.WebAssembly);
  for (const [prepare, word] of [[onlyContexts("2d"), /^This browser has no WebGL/], [noWasm, /^This browser has no WebAssembly/]]) {
    const page = await browser.open("demo/", { width: 360, height: 640 });
    await prepare(page);
    await page.reload();
    assert.match(await text(page, "word"), word);
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});
