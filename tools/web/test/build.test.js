// build.sh says at its start what is missing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("build.sh refuses a folder without packages, and unknown parts, before it compiles anything", () => {
  const root = mkdtempSync(join(tmpdir(), "hitmask-build-"));
  try {
    const folder = join(root, "tools", "web");
    mkdirSync(folder, { recursive: true });
    copyFileSync(new URL("../build.sh", import.meta.url), join(folder, "build.sh"));
    const run = (...parts) => spawnSync("bash", [join(folder, "build.sh"), ...parts], { encoding: "utf8" });
    for (const parts of [[], ["simd128"], ["simd128", "plain"]]) {
      const { status, stderr } = run(...parts);
      assert.equal(status, 1);
      assert.match(stderr, /^error: .*node_modules\/\.bin\/esbuild is missing\n {2}help: run `npm ci` in .*tools\/web\n$/);
    }
    const { status, stderr } = run("simd");
    assert.equal(status, 1);
    assert.match(stderr, /^error: unknown part 'simd'\n/);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("the playground is built of the module with simd128 alone, and says which module it needs", () => {
  const root = mkdtempSync(join(tmpdir(), "hitmask-page-"));
  try {
    const folder = join(root, "tools", "web");
    for (const name of ["page", "lib", "index.js"]) cpSync(new URL(`../${name}`, import.meta.url), join(folder, name), { recursive: true });
    mkdirSync(join(folder, "wasm"));
    const build = () => spawnSync("bash", [join(folder, "page/build.sh"), "playground"], { encoding: "utf8" });
    writeFileSync(join(folder, "wasm/hitmask.wasm"), "");
    const { status, stderr } = build();
    assert.deepEqual([status, stderr], [1, "error: no module with simd128: run tools/web/build.sh simd128 first\n"]);
    const built = (name) => existsSync(join(root, "target/web/page/hitmask/wasm", name));
    for (const hasPlain of [true, false]) {
      writeFileSync(join(folder, "wasm/hitmask.simd.wasm"), "");
      if (!hasPlain) rmSync(join(folder, "wasm/hitmask.wasm"));
      assert.equal(build().status, 0);
      assert.deepEqual([built("hitmask.simd.wasm"), built("hitmask.wasm")], [true, hasPlain]);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});
