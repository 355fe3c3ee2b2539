// Pages in Chromium, times in ms: the adapter of PixiJS, the first moves of a pointer, and a world in a worker.
// `node bench/browser.js REF` measures the adapter of another commit in the same frames.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { browse } from "../test/browser/chromium.js";

const [ref] = process.argv.slice(2);
const adapters = ref ? "/pixi.js,/bench/old/pixi.js" : "/pixi.js";
if (ref) {
  mkdirSync(new URL("old/lib", import.meta.url), { recursive: true });
  for (const file of ["pixi.js", "lib/adapter.js", "lib/error.js", "lib/pixels.js"]) {
    const text = execFileSync("git", ["show", `${ref}:./${file}`], { cwd: new URL("..", import.meta.url) });
    writeFileSync(new URL(`old/${file}`, import.meta.url), text);
  }
}
const browser = await browse(new URL("..", import.meta.url));

/** Returns the results of a page. */
async function run(path) {
  const page = await browser.open(`bench/${path}`);
  await page.waitForFunction(() => window.results, null, { timeout: 300_000 });
  const results = await page.evaluate(() => window.results);
  await page.close();
  return results;
}

/** Returns the median without the first frames, which are compiled. The clock of a page has steps of 0.1 ms. */
function median(times) {
  const list = times.slice(times.length >> 2).sort((a, b) => a - b);
  const [from, to] = [Math.floor(0.3 * list.length), Math.ceil(0.7 * list.length)];
  return (list.slice(from, to).reduce((sum, one) => sum + one) / (to - from)).toFixed(2);
}
const parts = (times) => Object.entries(times).map(([part, list]) => `${part} ${median(list)}`).join(", ");

for (const [count, moving] of [[10_000, 1], [50_000, 1], [50_000, 0.02]]) {
  const { sides, pairs } = await run(`pixi.html?count=${count}&moving=${moving}&adapters=${adapters}`);
  for (const { path, times } of sides) {
    console.log(`${count} sprites of PixiJS, ${100 * moving}% move, ${pairs} pairs, ${path}: ${parts(times)}`);
  }
}
for (const path of adapters.split(",")) console.log(`pointer over 4,096 px, ${path}:`, await run(`pointer.html?adapter=${path}`));
const { times, pairs } = await run("worker.html");
console.log(`50000 sprites in a worker, ${pairs} pairs: ${parts(times)}`);
await browser.close();
