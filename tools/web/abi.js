// Writes lib/abi.js: the structs, statuses and version of the C header, as a 32-bit target lays them
// out. `node abi.js` after a change of the header; a test compares.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HEADER = new URL("../capi/include/hitmask.h", import.meta.url);
const TARGET = new URL("lib/abi.js", import.meta.url);

/** The structs that the package reads or writes. */
const STRUCTS = [
  "hm_atlas_limits", "hm_bake_settings", "hm_collider", "hm_contact", "hm_filter", "hm_hit",
  "hm_line_hit", "hm_map", "hm_map_item", "hm_map_report", "hm_move_result", "hm_moved", "hm_moves", "hm_move_rules", "hm_nearest", "hm_overlap", "hm_pose_stats", "hm_property", "hm_reload_report",
  "hm_sprite", "hm_sprite_change",
  "hm_blocked", "hm_grazed", "hm_placement", "hm_placement_turn", "hm_mass", "hm_shape_cell", "hm_shape_options",
  "hm_thin_pieces",
];

const NUMBERS = {
  uint8_t: 1, bool: 1, char: 1, uint16_t: 2, int16_t: 2, uint32_t: 4, int32_t: 4, float: 4, size_t: 4,
  uint64_t: 8, int64_t: 8, double: 8,
};

/** Returns the text of lib/abi.js for a header. */
export function abi(header) {
  const text = header.replace(/\/\*[\s\S]*?\*\//g, "");
  const layouts = new Map(Object.entries(NUMBERS).map(([name, size]) => [name, { size, align: size }]));
  const layout = (type) => {
    const found = type.includes("*") ? layouts.get("size_t") : layouts.get(type.replace("const ", ""));
    if (!found) throw new Error(`the header uses the type ${type} before it declares it`);
    return found;
  };
  // An enum, a struct, the pointer of a function, or another name of a type.
  const declaration =
    /typedef (?:enum \{([^}]*)\} (\w+);|struct \{([^}]*)\} (\w+);|struct \w+ \w+;|[^;{}]*\(\*(\w+)\)[^;]*;|(\w+) (\w+);)/g;
  let statuses = [];
  for (const [, values, , fields, struct, callback, type, alias] of text.matchAll(declaration)) {
    if (values) {
      statuses = [...values.matchAll(/HM_(\w+) = (\d+)/g)].map(([, name], at) => [at, name]);
    } else if (struct) {
      const found = { size: 0, align: 1, fields: [] };
      for (const [, type, name] of fields.matchAll(/([\w ]+ \**)(\w+);/g)) {
        const { size, align, fields: inner } = layout(type.trim());
        const offset = Math.ceil(found.size / align) * align;
        found.fields.push([name, offset], ...(inner ?? []).map(([n, o]) => [`${name}_${n}`, offset + o]));
        found.size = offset + size;
        found.align = Math.max(found.align, align);
      }
      found.size = Math.ceil(found.size / found.align) * found.align;
      layouts.set(struct, found);
    } else if (callback) {
      layouts.set(callback, layouts.get("size_t"));
    } else if (alias) {
      layouts.set(alias, layout(type));
    }
  }
  const version = /#define HM_ABI_VERSION (\d+)/.exec(header)?.[1];
  const lines = [
    "// Written by abi.js from tools/capi/include/hitmask.h. Do not edit.",
    "",
    `export const ABI_VERSION = ${version};`,
    "",
    "/** The names of the statuses, by number. */",
    `export const STATUSES = [\n${statuses.map(([, name]) => `  "${name}",`).join("\n")}\n];`,
  ];
  for (const name of STRUCTS) {
    const { size, fields } = layouts.get(name) ?? {};
    if (!fields) throw new Error(`the header has no struct ${name}`);
    const constant = name.replace("hm_", "").toUpperCase();
    const entries = [["BYTES", size], ...fields];
    lines.push("", `/** Offsets of \`${name}\` in bytes. */`, `export const ${constant} = {`);
    lines.push(...entries.map(([field, value]) => `  ${field}: ${value},`), "};");
  }
  return lines.join("\n") + "\n";
}

/** Returns the text of the C header. */
export const header = () => readFileSync(HEADER, "utf8");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TARGET, abi(header()));
}
