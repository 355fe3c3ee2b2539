// build.sh says at its start what is missing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
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
