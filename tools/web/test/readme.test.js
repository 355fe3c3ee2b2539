// The code of README.md and of its chapter in the guide: TypeScript's strict mode accepts each part, and the first
// program prints what is said.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("..", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const chapter = readFileSync(new URL("../guide/chapters/javascript.md", root), "utf8");
const [ofReadme, ofChapter] = [readme, chapter].map((page) =>
  [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code));
const parts = [...ofReadme, ...ofChapter];

/** What the parts take from the game around them. */
const GAME = {
  Phaser: 'import * as Phaser from "phaser";',
  app: 'import { Application } from "pixi.js"; declare const app: Application;',
  Sprite: 'import { Sprite } from "pixi.js";',
  shipTexture: 'import { Texture } from "pixi.js"; declare const shipTexture: Texture;',
  atlas: 'import { Atlas } from "hitmask"; declare const atlas: Atlas;',
  ground: "declare const ground: number;",
  replaceBody: "declare function replaceBody(id: number, pieces: { x: number; y: number }[][]): void;",
  world: 'declare const world: import("hitmask").World;',
  ids: "declare const ids: Float64Array;",
  xyAngle: "declare const xyAngle: Float32Array;",
  sprites: "declare const sprites: { name: string }[];",
  bump: "declare function bump(a: { name: string }, b: { name: string }): void;",
  id: "declare const id: number;",
  x: "declare const x: number;",
  y: "declare const y: number;",
};

test("TypeScript's strict mode accepts each part of the README and of its chapter, unedited", () => {
  assert.ok(ofReadme.length >= 2 && ofChapter.length >= 9, `${ofReadme.length} and ${ofChapter.length} parts`);
  // In this folder, so that "hitmask" is the package itself.
  const folder = new URL("test/types/readme/", root);
  mkdirSync(folder, { recursive: true });
  try {
    const files = parts.map((code, at) => {
      const isUsed = (name) => new RegExp(`(?<![.\\w"])${name}\\b(?! =[^=])`).test(code) && !code.includes(`const ${name} =`);
      const game = Object.keys(GAME).filter(isUsed).map((name) => GAME[name]);
      writeFileSync(new URL(`part${at}.ts`, folder), `${game.join("\n")}\n${code}\nexport {};\n`);
      return `part${at}.ts`;
    });
    writeFileSync(new URL("remote_world.ts", folder), 'export * from "../../../examples/remote_world.js";');
    const compilerOptions = { skipLibCheck: true, allowJs: true, checkJs: false };
    const options = { extends: "../tsconfig.json", compilerOptions, files };
    writeFileSync(new URL("tsconfig.json", folder), JSON.stringify(options));
    execFileSync("node_modules/.bin/tsc", ["--project", "test/types/readme"], { cwd: root, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    assert.fail(error.stdout || error.message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the first program of the README prints what the README says", () => {
  const output = execFileSync("node", ["--input-type=module", "--eval", parts[0]], { cwd: root, encoding: "utf8" });
  const [, said] = /^It prints `([^`]*)`/m.exec(readme);
  assert.equal(output, `${said}\n`);
});
