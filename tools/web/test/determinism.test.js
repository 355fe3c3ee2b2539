import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { modules } from "./modules.js";
import { bounce } from "./scene.js";

// A test of tools/capi compares the same file with Rust and C.
const expected = readFileSync(new URL("bounce.txt", import.meta.url), "utf8");

for (const [name, load] of modules) {
  test(`ten thousand sprites have the same state in node with ${name} as in Rust and C`, async () => {
    assert.equal(bounce(await load()), expected);
  });
}
