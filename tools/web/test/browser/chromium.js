// Chromium for tests: Debian's package, or the path in CHROMIUM.
import { chromium } from "playwright-core";
import { serve } from "./server.js";

/** Opens a browser over a folder. Returns a function that opens a page, and one that ends both. */
export async function browse(root) {
  const server = await serve(root);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Without a GPU, and as root in a container.
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  return {
    /** Opens a page of the folder. Errors of its scripts are collected in `page.errors`. */
    async open(path, viewport = { width: 800, height: 600 }) {
      const page = await browser.newPage({ viewport });
      page.errors = [];
      page.on("pageerror", (error) => page.errors.push(error.stack ?? error.message));
      page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
      await page.goto(new URL(path, server.url).href);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
