// Frames a second of the pages in target/web/page, in Chromium without a GPU, and the time of their
// scripts in each frame: medians. Build the pages before: page/build.sh.
import { browse } from "../test/browser/chromium.js";

const FRAMES = Number(process.argv[2] ?? 120);
const browser = await browse(new URL("../../../target/web/page/", import.meta.url));

/** Records each frame of a page from here on, and returns the figures of some frames. */
async function watch(page) {
  await page.evaluate(() => {
    const request = window.requestAnimationFrame.bind(window);
    window.times = [];
    window.requestAnimationFrame = (draw) =>
      request((time) => {
        const begin = performance.now();
        draw(time);
        window.times.push([begin, performance.now() - begin]);
      });
  });
  return async (name) => {
    // The first frames after a change are longer.
    const begin = (await page.evaluate(() => window.times.length)) + 20;
    // Not at each frame, as is the default: those frames would be counted too.
    await page.waitForFunction((end) => window.times.length > end, begin + FRAMES, { timeout: 300_000, polling: 100 });
    const times = (await page.evaluate(() => window.times)).slice(begin, begin + FRAMES + 1);
    const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const frame = middle(times.slice(1).map(([at], i) => at - times[i][0]));
    const script = middle(times.map(([, script]) => script));
    console.log(`${name.padEnd(32)} ${script.toFixed(1).padStart(9)} ${frame.toFixed(1).padStart(8)} ${(1000 / frame).toFixed(0).padStart(8)}`);
  };
}

console.log("page, 1280 x 720                 script ms frame ms frames/s");
const demo = await browser.open("demo/", { width: 1280, height: 720 });
const measure = await watch(demo);
for (const count of ["100,000", "10,000", "1,000"]) {
  await measure(`demo, ${count} sprites`);
  await demo.keyboard.press("Minus");
}
await demo.close();
const playground = await browser.open("", { width: 1300, height: 960 });
await playground.click("#mode-crowd");
await playground.waitForFunction(() => window.playground?.frames > 5);
const measureCrowd = await watch(playground);
await measureCrowd("playground, 10,000 sprites");
await browser.close();
