// A server of static files for tests in a browser: this package with its node_modules.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".css": "text/css",
};

/**
 * Serves a folder at a free port of this machine. Returns its address and a function that ends it.
 *
 * @param {URL} root
 */
export async function serve(root) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = new URL("." + (path.endsWith("/") ? path + "index.html" : path), root);
    try {
      if (!file.href.startsWith(root.href)) throw new Error("outside of the folder");
      let bytes = await readFile(fileURLToPath(file));
      // The files of the package that games copy. Workers have no import map.
      if (/\/examples\/.*world/.test(file.pathname)) bytes = String(bytes).replace('"hitmask"', '"/index.js"');
      response.writeHead(200, { "content-type": TYPES[extname(file.pathname)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/`, close: () => new Promise((closed) => server.close(closed)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL(`file://${process.cwd()}/${process.argv[2] ?? ""}/`);
  console.log((await serve(folder)).url);
}
