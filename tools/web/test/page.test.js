import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { after, test } from "node:test";
import { browse } from "./browser/chromium.js";

const root = new URL("..", import.meta.url);
execFileSync("page/build.sh", { cwd: root });
const browser = await browse(new URL("../../target/web/page/", root));
after(() => browser.close());

test("the page runs: frames advance, touching sprites are lit, a click picks, dropped files collide", async () => {
  const page = await browser.open("", { width: 1300, height: 960 });
  const state = () => page.evaluate(() => ({ ...window.page, picked: window.page.picked?.texture.key ?? null }));
  const until = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 120_000 });
  await until(() => window.page?.frames > 5);
  const first = await state();
  assert.ok(first.touching > 500, `${first.touching} pairs`);
  // All sprites of a pair are lit, and a part of the crowd is not.
  assert.ok(first.lit > 500 && first.lit < 5000, `${first.lit} lit`);
  await until((frames) => window.page.frames > frames + 5, first.frames);

  // With so many sprites, a click near the centre hits one soon.
  const box = await page.locator("#game canvas").boundingBox();
  for (let i = 0; i < 20 && !(await state()).picked; i++) {
    await page.mouse.click(box.x + box.width / 2 + 7 * i, box.y + box.height / 2);
    await until((clicks) => window.page.clicks > clicks, i);
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
  await until(() => window.page.dropped === 1);
  // A real drop, of a file that is no image too.
  await page.evaluate((png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "other.png", { type: "image/png" }));
    data.items.add(new File(["no image"], "text.png", { type: "image/png" }));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  }, png);
  await until(() => document.getElementById("error").textContent.startsWith("text.png"));
  assert.equal((await state()).dropped, 2);
  const { frames } = await state();
  await until((frames) => window.page.frames > frames + 5, frames);
  assert.deepEqual(page.errors, []);
  await mkdir(new URL("../../target/web/screens/", root), { recursive: true });
  await page.screenshot({ path: new URL("../../target/web/screens/page.png", root).pathname, fullPage: true });
});
