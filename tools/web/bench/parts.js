// Counts the code of a module by its part of the library, in bytes and gzipped. Needs a module with names:
//
//   HITMASK_WEB_NAMES=1 ./build.sh simd128 && node bench/parts.js wasm/hitmask.nobake.simd.wasm
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const bytes = readFileSync(process.argv[2] ?? "wasm/hitmask.simd.wasm");
/** Reads an unsigned LEB128 number. Returns it and the position behind it. */
function number(at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 127) << shift;
    if (byte < 128) return [value, at];
  }
}
const [EXTRA, FUNCTION_NAMES, CODE, DATA] = [0, 1, 10, 11];
const bodies = [];
const names = [];
let [code, data] = [0, 0];
for (let at = 8, size; at < bytes.length; at += size) {
  const id = bytes[at];
  [size, at] = number(at + 1);
  let [count, item] = number(at);
  if (id === CODE) {
    code = size;
    for (let length; count > 0; count--, item += length) {
      [length, item] = number(item);
      bodies.push(bytes.subarray(item, item + length));
    }
  } else if (id === DATA) {
    data = gzipSync(bytes.subarray(at, at + size), { level: 9 }).length;
  } else if (id === EXTRA && bytes.toString("latin1", item, item + count) === "name") {
    for (let part = item + count, length; part < at + size; part += length) {
      const kind = bytes[part];
      [length, part] = number(part + 1);
      if (kind !== FUNCTION_NAMES) continue;
      let [functions, next] = number(part);
      for (let index, letters; functions > 0; functions--, next += letters) {
        [index, next] = number(next);
        [letters, next] = number(next);
        names[index] = bytes.toString("latin1", next, next + letters);
      }
    }
  }
}
if (names.length === 0) throw new Error("the module has no names: build it with HITMASK_WEB_NAMES=1");

/** Returns the part of the library that a function belongs to, by its name. */
function part(name) {
  if (/^hm_/.test(name)) return "functions of C, with what is inlined into them";
  if (/fearless_simd.*vectorize/.test(name)) return "hitmask: kernels";
  if (/slice::sort/.test(name)) return "core: sorts";
  const [, module] = /^\W*hitmask::(\w+)/.exec(name) ?? [];
  if (module) return `hitmask: ${module}`;
  const [, other] = /\b(hitmask_capi|core::fmt|core::num|hashbrown|dlmalloc|miniz_oxide|alloc|core|std)\b/.exec(name) ?? [];
  return other?.replace("::", ": ") ?? "others";
}
const groups = new Map();
for (const [index, body] of bodies.entries()) {
  const name = part(names[index] ?? "");
  groups.set(name, [...(groups.get(name) ?? []), body]);
}
const rows = [...groups].map(([name, members]) => {
  const all = Buffer.concat(members);
  return [name, members.length, all.length, gzipSync(all, { level: 9 }).length];
});
rows.push(["texts and tables", "", "", data]);
rows.sort((a, b) => b[3] - a[3]);
console.log(`${code} bytes of code\n\n| part | functions | bytes | gzipped alone |\n|---|---|---|---|`);
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
