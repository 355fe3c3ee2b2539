// Looks for barriers on the pages of the built site with axe, at the widths of a phone and of a desk, light and dark, and
// for pages that are wider than the window.
//
//   node tools/guide/accessible.mjs SITE      after `npm ci` in tools/web; needs Chromium
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { browse } from "../web/test/browser/chromium.js";

const axe = createRequire(new URL("../web/package.json", import.meta.url)).resolve("axe-core/axe.min.js");
const site = resolve(process.argv[2] ?? "target/site");
// print.html has all chapters, so their anchors twice.
const pages = readdirSync(site).filter((name) => name.endsWith(".html") && !["print.html", "toc.html", "report.html", "level.html"].includes(name));
const browser = await browse(pathToFileURL(site + "/"));
let faults = 0;
const parts = ["playground/index.html", "demo/index.html"].filter((name) => existsSync(resolve(site, name)));
for (const name of [...pages, ...parts]) {
  const page = await browser.open(name);
  await page.addScriptTag({ path: axe });
  for (const [width, colorScheme] of [[360, "light"], [1280, "light"], [1280, "dark"], [2560, "light"]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, help, nodes } of violations) {
      faults++;
      console.error(`error: ${name} at ${width} px, ${colorScheme}: ${id}: ${help}\n  ${nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join("\n  ")}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) {
      faults++;
      console.error(`error: ${name} at ${width} px is ${wide} px wider than the window`);
    }
  }
  for (const error of page.errors) {
    faults++;
    console.error(`error: ${name}: ${error}`);
  }
  await page.close();
}
// The game on the page about walking: a key takes over, and moves the hero.
if (existsSync(resolve(site, "playground/hitmask"))) {
  const page = await browser.open("walking.html", { width: 1280, height: 900 });
  await page.waitForSelector("#hero canvas[data-place]");
  await page.focus("#hero canvas");
  await page.keyboard.down("ArrowLeft");
  // The left wall ends at x = 8, and the hero is 12 px wide. Its place is rounded down to a pixel.
  await page.waitForFunction(() => document.querySelector("#hero canvas").dataset.place.startsWith("13.5 "));
  for (const error of page.errors) {
    faults++;
    console.error(`error: the game of walking.html: ${error}`);
  }
  await page.close();
}
// The search finds what people look for.
const words = {
  tunnel: "bullets", hitbox: "hitboxes", shrink: "hitboxes", "one-way": "walking", platform: "walking", jump: "walking", rollback: "rollback",
  "save file": "saves", spritesheet: "first", tilemap: "maps", quadtree: "many", "spatial hash": "many", "bounding box": "index",
};
for (const [word, name] of Object.entries(words)) {
  const page = await browser.open(`index.html?search=${encodeURIComponent(word)}`);
  const results = page.locator("#mdbook-searchresults li a");
  await results.first().waitFor();
  const found = await results.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  if (!found.some((link) => link.startsWith(`${name}.html`))) {
    faults++;
    console.error(`error: the search for "${word}" does not find ${name}.html: ${found.join(", ")}`);
  }
  await page.close();
}
await browser.close();
console.log(`${pages.length + parts.length} pages, ${faults} faults`);
process.exitCode = faults ? 1 : 0;
