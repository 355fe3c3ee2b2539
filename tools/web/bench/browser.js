// Pages in Chromium, lower quartiles of frames in ms: the adapter of PixiJS, and a world in a worker.
import { browse } from "../test/browser/chromium.js";
import { quartile } from "./scene.js";

const browser = await browse(new URL("..", import.meta.url));
for (const [title, path] of [["10,000 sprites of PixiJS", "pixi"], ["50,000 sprites in a worker", "worker"]]) {
  const page = await browser.open(`bench/${path}.html`);
  await page.waitForFunction(() => window.results, null, { timeout: 120_000 });
  const { times, pairs } = await page.evaluate(() => window.results);
  // The first frames are compiled.
  const parts = Object.entries(times).map(([part, list]) => `${part} ${quartile(list.slice(list.length >> 2)).toFixed(1)}`);
  console.log(`${title}, ${pairs} pairs: ${parts.join(", ")}`);
  await page.close();
}
await browser.close();
