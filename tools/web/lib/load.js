import { HitmaskError, checkKeys } from "./error.js";
import { hasSimd, start } from "./start.js";

/**
 * Loads the module and returns the library. Each call loads one more, with a memory of its own.
 *
 * @param {import("../index.js").LoadOptions} [options]
 */
export async function load(options = {}) {
  checkKeys(options, ["simd", "bake", "wasm"], "the options of load()");
  const simd = options.simd ?? hasSimd();
  if (simd && !hasSimd()) {
    throw new HitmaskError("UNSUPPORTED", "this engine has no simd128", "leave out `simd`, or give false");
  }
  return start(() => options.wasm ?? addresses(simd, options.bake ?? false));
}

function addresses(simd, bake) {
  const { href } = moduleUrl(simd, bake);
  // Development servers such as vite's move the scripts of a package to a folder such as node_modules/.vite/deps, and
  // leave its other files where they are.
  return [...new Set([href, href.replace(/\/node_modules\/.*\/wasm\//, "/node_modules/hitmask/wasm/")])];
}

// Written so that bundlers find all files and copy them.
function moduleUrl(simd, bake) {
  if (!bake) {
    return simd
      ? new URL("../wasm/hitmask.nobake.simd.wasm", import.meta.url)
      : new URL("../wasm/hitmask.nobake.wasm", import.meta.url);
  }
  return simd
    ? new URL("../wasm/hitmask.simd.wasm", import.meta.url)
    : new URL("../wasm/hitmask.wasm", import.meta.url);
}
