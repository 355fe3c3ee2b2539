// Bundlers build a program with the packed package, and Chromium runs it. Apart from other tests, because bundlers take
// 300 MB: `npm ci && npm test` in this folder, after the build of the package.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse } from "../browser/chromium.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = `${here}work/`;
const bin = `${here}node_modules/.bin/`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root));
execFileSync("tar", ["-xzf", filename], { cwd: folder });
const browser = await browse(new URL("work/", import.meta.url));
after(() => browser.close());

/** The program, by what it imports: in the form of the README, because older targets have no await outside of functions. */
const program = (from, load = "load({ bake: true })", before = "") => `${before}import { load } from "${from}";
${load}.then((hitmask) => {
  const imageData = { width: 16, height: 16, data: new Uint8Array(1024).fill(255) };
  const world = hitmask.world(hitmask.bake([{ name: "ship", imageData }]));
  const [a, b] = [0, 10].map((x) => world.add({ sprite: "ship", x }));
  globalThis.answer = world.contact(a, b).area;
  globalThis.process?.stdout?.write(String(globalThis.answer));
});
`;
/** The pixels that the two ships share. */
const ANSWER = 96;
const page = (script) => `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`;

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Makes a project with the package installed, and returns its folder. */
function project(name, code, files = {}) {
  const cwd = `${folder}${name}/`;
  mkdirSync(`${cwd}node_modules`, { recursive: true });
  cpSync(`${folder}package`, `${cwd}node_modules/hitmask`, { recursive: true });
  const all = { "package.json": '{ "type": "module" }', "main.js": code, "index.html": page("./main.js"), ...files };
  for (const [path, text] of Object.entries(all)) writeFileSync(cwd + path, text);
  return cwd;
}

/** Opens a page and asserts that its program ends with the right answer and without an error. */
async function answers(path) {
  const page = await browser.open(path);
  try {
    const done = page.waitForFunction(() => globalThis.answer !== undefined, null, { timeout: 20_000 });
    await Promise.race([done, page.waitForEvent("pageerror").then((error) => assert.fail(error.message))]);
    assert.equal(await page.evaluate(() => globalThis.answer), ANSWER);
  } catch (error) {
    assert.fail(`${page.errors.join("\n")}\n${error.message}`);
  } finally {
    await page.close();
  }
  assert.deepEqual(page.errors, []);
}

/** Runs the development server of vite in a project and calls a function with its address. */
async function develop(vite, cwd, use, base = "/") {
  const server = spawn(process.execPath, [`${vite}/bin/vite.js`, "--port", "0", "--base", base], { cwd });
  let log = "";
  try {
    const url = await new Promise((found, failed) => {
      const read = (text) => {
        log += text;
        // Without the codes of colors.
        const [, address] = /(http:\/\/localhost:\d+\/\S*)/.exec(log.replace(/\x1b\[\d+m/g, "")) ?? [];
        if (address) found(address);
      };
      server.stdout.on("data", read);
      server.stderr.on("data", read);
      server.on("exit", () => failed(new Error(log)));
    });
    await use(url);
  } finally {
    server.kill();
  }
}

const sources = [["hitmask", program("hitmask")], ["hitmask/inline", program("hitmask/inline", "load()")]];
const VITES = ["vite5", "vite6", "vite7", "vite8"];

for (const [from, code] of sources) {
  const name = (bundler) => `${bundler}-${from.replace("/", "-")}`;

  for (const vite of VITES) {
    test(`${vite} builds a program of ${from}, and its development server runs it without settings`, async () => {
      const cwd = project(name(vite), code);
      const path = `${here}node_modules/${vite}`;
      run(process.execPath, [`${path}/bin/vite.js`, "build", "--base", "./"], cwd);
      await answers(`${name(vite)}/dist/`);
      await develop(path, cwd, answers);
      if (vite === "vite7") await develop(path, cwd, answers, "/deep/base/");
    });
  }

  test(`webpack builds a program of ${from} without a warning`, async () => {
    const cwd = project(name("webpack"), code, { "dist.html": page("./dist/main.js") });
    const { default: webpack } = await import("webpack");
    const stats = await new Promise((done, failed) =>
      webpack({ context: cwd, entry: "./main.js", mode: "production", performance: false, output: { path: `${cwd}dist` } },
        (error, stats) => (error ? failed(error) : done(stats))));
    assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString());
    await answers(`${name("webpack")}/dist.html`);
  });

  test(`parcel builds a program of ${from}`, async () => {
    const cwd = project(name("parcel"), code);
    run(`${bin}parcel`, ["build", "index.html", "--public-url", ".", "--cache-dir", `${cwd}cache`, "--no-autoinstall"], cwd);
    await answers(`${name("parcel")}/dist/`);
  });

  test(`rollup builds a program of ${from} without a warning`, async () => {
    const cwd = project(name("rollup"), code, { "dist.html": page("./dist/main.js") });
    const [{ rollup }, { nodeResolve }, { importMetaAssets }] = await Promise.all(
      ["rollup", "@rollup/plugin-node-resolve", "@web/rollup-plugin-import-meta-assets"].map((name) => import(name)));
    const plugins = [nodeResolve({ rootDir: cwd }), ...(from === "hitmask" ? [importMetaAssets()] : [])];
    const onwarn = (warning) => assert.fail(warning.message);
    const bundle = await rollup({ input: `${cwd}main.js`, plugins, onwarn });
    await bundle.write({ dir: `${cwd}dist`, format: "es" });
    await answers(`${name("rollup")}/dist.html`);
  });

  test(`node runs a program of ${from}`, () => {
    assert.equal(run(process.execPath, ["main.js"], project(name("node"), code)), String(ANSWER));
  });
}

test("vite takes the example of a worker, and its development server runs it", async () => {
  const example = (name) => readFileSync(`${folder}package/examples/${name}`, "utf8");
  const code = `import { load } from "hitmask";
import { RemoteWorld } from "./remote_world.js";
const imageData = { width: 16, height: 16, data: new Uint8Array(1024).fill(255) };
const atlas = (await load({ bake: true })).bake([{ name: "ship", imageData }]);
const worker = new Worker(new URL("./world_worker.js", import.meta.url), { type: "module" });
const remote = await RemoteWorld.create(worker, atlas.bytes(), ["ship", "ship"]);
const { pairs, count } = await remote.step(new Float32Array([0, 0, 0, 10, 0, 0]));
globalThis.answer = count === 2 && pairs[0] + pairs[1] === 1 ? ${ANSWER} : [pairs, count];
`;
  const files = Object.fromEntries(["remote_world.js", "world_worker.js"].map((name) => [name, example(name)]));
  const cwd = project("worker", code, files);
  run(process.execPath, [`${here}node_modules/vite7/bin/vite.js`, "build", "--base", "./"], cwd);
  await answers("worker/dist/");
  await develop(`${here}node_modules/vite7`, cwd, answers);
});

/** Runs esbuild, which must print no warning. */
async function esbuild(name, code, settings) {
  const cwd = project(name, code, { "dist.html": page("./dist/main.js") });
  const { build } = await import("esbuild");
  const outdir = `${cwd}dist`;
  const { warnings } = await build({ absWorkingDir: cwd, entryPoints: ["main.js"], bundle: true, outdir, logLevel: "silent", ...settings });
  assert.deepEqual(warnings, []);
  await answers(`${name}/dist.html`);
}

test("esbuild builds a program of hitmask/inline, as a module and as a script", async () => {
  await esbuild("esbuild-inline", sources[1][1], { format: "esm" });
  await esbuild("esbuild-script", sources[1][1], { format: "iife" });
});

test("esbuild builds a program of hitmask with the loader for files", async () => {
  const code = program("hitmask", 'load({ wasm: new URL(wasm, import.meta.url) })', 'import wasm from "hitmask/hitmask.simd.wasm";\n');
  await esbuild("esbuild", code, { format: "esm", loader: { ".wasm": "file" } });
});

test("a module that a bundler has not copied gives an error that says what to do", async () => {
  await assert.rejects(esbuild("esbuild-none", sources[0][1], { format: "esm" }), /status 404, and no module; .*hitmask\/inline/);
});

test("a page takes inline.js and inline.global.js as they are", async () => {
  const cwd = project("script", "");
  cpSync(`${cwd}node_modules/hitmask/inline.js`, `${cwd}inline.js`);
  writeFileSync(`${cwd}index.html`, `${page("")}<script type="module">${program("./inline.js", "load()")}</script>`.replace(' src=""', ""));
  await answers("script/");
  const code = program("").replace(/^import.*\n/, "hitmask.");
  const script = `<!doctype html><link rel="icon" href="data:,"><script src="node_modules/hitmask/inline.global.js"></script><script>${code}</script>`;
  writeFileSync(`${cwd}index.html`, script);
  await answers("script/");
});

test("a first hit in a fresh vite project takes the two commands and the page of the README", async () => {
  const readme = readFileSync(`${root}README.md`, "utf8");
  const [, commands, html] = /```sh\n(npm install hitmask vite\nnpx vite\n)```[\s\S]*?```html\n([\s\S]*?)```/.exec(readme);
  assert.ok(commands.trim().split("\n").length === 2 && html.trim().split("\n").length <= 15, html);
  // Not here: npm would install into the folder above, which has a package.json.
  const cwd = mkdtempSync(`${tmpdir()}/hitmask-`) + "/";
  after(() => rmSync(cwd, { recursive: true }));
  writeFileSync(`${cwd}index.html`, html);
  const { version } = JSON.parse(readFileSync(`${here}node_modules/vite8/package.json`, "utf8"));
  // Before a release: a link to the folder would be outside of what vite serves. A later install makes none.
  assert.match(readme, /npm pack` in this folder, and `npm install FOLDER\/hitmask-\*.tgz/);
  for (const name of [folder + filename, `vite@${version}`]) {
    run("npm", ["install", name, "--prefer-offline", "--no-audit", "--no-fund"], cwd);
  }
  await develop(`${cwd}node_modules/vite`, cwd, async (url) => {
    const page = await browser.open(url);
    await page.waitForFunction(() => document.body.textContent.includes("hit"), null, { timeout: 20_000 });
    assert.match(await page.evaluate(() => document.body.textContent), /hit at 132, 37/);
    // The page has no icon.
    assert.deepEqual(page.errors.filter((error) => !/404/.test(error)), []);
    await page.close();
  });
});

test("node takes the package by require(), and finds its types", () => {
  const code = program("hitmask").replace(/^import.*\n/, 'const { load } = require("hitmask");\n');
  const cwd = project("commonjs", "", { "main.cjs": code });
  assert.equal(run(process.execPath, ["main.cjs"], cwd), String(ANSWER));
});

for (const [name, args] of [["publint", ["run", "--strict"]], ["attw", ["--exclude-entrypoints", "inline", "--profile", "node16"]]]) {
  test(`${name} accepts the package`, () => {
    try {
      run(`${bin}${name}`, [...args, folder + filename], folder);
    } catch (error) {
      assert.fail(`${error.stdout}${error.stderr}`);
    }
  });
}
