// The examples of the guide in JavaScript print what the guide says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const guide = fileURLToPath(new URL("../../guide/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hitmask-guide-"));
after(() => rmSync(folder, { recursive: true }));
// As in a game, in which the package is installed.
mkdirSync(join(folder, "node_modules"));
symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules/hitmask"), "dir");
for (const file of ["art.hitmask", "art-new.hitmask", "keys.txt"]) cpSync(join(guide, file), join(folder, file));

const names = readdirSync(join(guide, "examples")).filter((name) => existsSync(join(guide, "examples", name, "main.mjs")));

test("the guide has examples in JavaScript", () => assert.ok(names.length >= 15));

for (const name of names) {
  test(`the example ${name}/main.mjs prints what the guide says`, () => {
    cpSync(join(guide, "examples", name, "main.mjs"), join(folder, "main.mjs"));
    const printed = execFileSync(process.execPath, ["main.mjs"], { cwd: folder, encoding: "utf8" });
    assert.equal(printed, readFileSync(join(guide, "examples", name, "prints.txt"), "utf8"));
  });
}
