import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { abi, header } from "../abi.js";
import * as package_ from "../index.js";

const root = new URL("..", import.meta.url);
const text = (name) => readFileSync(new URL(name, root), "utf8");

test("lib/abi.js is what the C header says", () => {
  assert.equal(text("lib/abi.js"), abi(header()), "run `node abi.js`");
});

test("the layouts of structs follow the rules of C", () => {
  const found = abi(`
    #define HM_ABI_VERSION 3
    typedef enum { HM_OK = 0, HM_NONE = 1, } hm_status;
    typedef uint8_t hm_small;
    typedef struct { float x; /* a comment; */ float y; } hm_vec2;
    ${["atlas_limits", "bake_settings", "collider", "contact", "filter", "hit", "line_hit", "map", "map_item", "map_report", "move_result",
       "move_rules", "nearest", "overlap", "pose_stats", "property", "reload_report", "sprite", "sprite_change", "moved", "moves", "blocked",
       "grazed", "placement", "mass", "shape_cell",
       "shape_options", "thin_pieces"]
      .map((name) => `typedef struct { uint8_t only; } hm_${name};`).join("\n")}
    typedef struct { hm_small a; const char *name; hm_vec2 at; hm_small b; uint64_t c; } hm_placement_turn;
  `);
  assert.match(found, /ABI_VERSION = 3/);
  const [, fields] = /PLACEMENT_TURN = \{([^}]*)\}/.exec(found);
  const expected = { BYTES: 32, a: 0, name: 4, at: 8, at_x: 8, at_y: 12, b: 16, c: 24 };
  assert.deepEqual(Object.fromEntries([...fields.matchAll(/(\w+): (\d+)/g)].map(([, n, v]) => [n, +v])), expected);
});

test("each function that the package calls is exported", () => {
  const declared = header() + readdirSync(new URL("src", root)).map((name) => text(`src/${name}`)).join("");
  const known = new Set([...declared.matchAll(/\b(hm_\w+)\(/g)].map(([, name]) => name));
  const files = readdirSync(new URL("lib", root)).filter((name) => name.endsWith(".js"));
  const called = files.flatMap((name) => [...text(`lib/${name}`).matchAll(/exports\.(hm_\w+)/g)].map(([, it]) => it));
  assert.ok(called.length > 40);
  assert.deepEqual(called.filter((name) => !known.has(name)), []);
});

test("the package holds what it needs and no more", () => {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" });
  const report = JSON.parse(output);
  const files = (Array.isArray(report) ? report : Object.values(report))[0].files.map((file) => file.path);
  const library = ["abi", "adapter", "atlas", "atlases", "bake", "bytes", "collider", "error", "handle", "hitmask", "load", "maps",
    "masks", "memory", "pixels", "queries", "shapes", "start", "world"];
  assert.deepEqual(files.sort(), [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md", "inline.d.ts", "inline.global.js", "inline.js", "package.json",
    ...["index", "phaser", "pixi"].flatMap((name) => ["cjs", "d.cts", "d.ts", "js"].map((end) => `${name}.${end}`)),
    ...library.map((name) => `lib/${name}.js`), "lib/adapter.d.cts", "lib/adapter.d.ts",
    "examples/remote_world.js", "examples/world_worker.js", "wasm/hitmask.all.simd.wasm",
    "wasm/hitmask.nobake.simd.wasm", "wasm/hitmask.nobake.wasm", "wasm/hitmask.simd.wasm", "wasm/hitmask.wasm",
  ].sort());
});

test("each export has a type, and each type of a value an export", () => {
  const declared = [...text("index.d.ts").matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  const exported = (file) => [...file.matchAll(/^export (?:\{ (.*) \}|(?:async )?function (\w+))/gm)];
  const inline = exported(text("lib/inline/module.js")).flatMap(([, list, name]) => list?.split(", ") ?? name);
  for (const found of [Object.keys(package_), inline]) assert.deepEqual(declared.sort(), found.sort());
});

test("each method has a type, and each typed method exists", () => {
  const types = text("index.d.ts");
  for (const name of ["Hitmask", "Atlas", "World", "ShapeGrid"]) {
    const [, body] = new RegExp(`^export class ${name} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(types);
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, member]) => member);
    const known = new Set(members);
    const found = new Set();
    for (let it = package_[name].prototype; it !== Object.prototype; it = Object.getPrototypeOf(it)) {
      Object.getOwnPropertyNames(it).forEach((member) => found.add(member));
    }
    const own = ["constructor", "handle", "nameOf"];
    const fields = ["exports", "id", "warnings"];
    assert.deepEqual([...found].filter((member) => !known.has(member) && !own.includes(member)), [], name);
    assert.deepEqual([...known].filter((member) => !found.has(member) && !fields.includes(member)), [], name);
  }
});

test("the version is that of the library", () => {
  const [, version] = /\[workspace\.package\]\nversion = "([^"]+)"/.exec(text("../../Cargo.toml"));
  assert.equal(JSON.parse(text("package.json")).version, version);
});

test("the lock file names no host", () => {
  for (const folder of ["", "test/bundlers/"]) assert.doesNotMatch(text(`${folder}package-lock.json`), /"resolved"/);
});
