import { ABI_VERSION } from "./abi.js";
import { HitmaskError, checkKeys, describe } from "./error.js";
import { Hitmask } from "./hitmask.js";
import { Memory } from "./memory.js";

/** A module whose one function uses a vector: valid only where simd128 is. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const isNode = typeof process === "object" && typeof process.versions?.node === "string";

/** Returns whether this engine has the vector instructions of WebAssembly. */
export const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

/**
 * Loads the module and returns the library. Each call loads one more, with a memory of its own.
 *
 * @param {import("../index.js").LoadOptions} [options]
 * @returns {Promise<Hitmask>}
 */
export async function load(options = {}) {
  checkKeys(options, ["simd", "bake", "wasm"], "the options of load()");
  const simd = options.simd ?? hasSimd();
  if (simd && !hasSimd()) {
    throw new HitmaskError("UNSUPPORTED", "this engine has no simd128", "leave out `simd`, or give false");
  }
  const source = options.wasm ?? moduleUrl(simd, options.bake ?? true);
  let instance;
  try {
    const module = await compile(source);
    instance = await WebAssembly.instantiate(module, {});
  } catch (error) {
    if (error instanceof HitmaskError) throw error;
    const help = "serve the files of the folder wasm/ of this package unchanged, or pass the module as `wasm`";
    throw new HitmaskError("BAD_MODULE", `the module cannot be used: ${error.message}`, help, { cause: error });
  }
  const { exports } = instance;
  if (typeof exports.hm_abi_version !== "function" || typeof exports.hm_web_start !== "function") {
    throw new HitmaskError("BAD_MODULE", "the module is not that of hitmask", "pass a module of the folder wasm/");
  }
  const version = exports.hm_abi_version();
  if (version !== ABI_VERSION) {
    const help = "use the module and the scripts of one version of the package";
    throw new HitmaskError("BAD_MODULE", `the module has interface ${version}, and not ${ABI_VERSION}`, help);
  }
  exports.hm_web_start();
  return new Hitmask(exports, new Memory(exports));
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

/** Compiles a module that is given as an address, a response, bytes, or already compiled. */
async function compile(source) {
  source = await source;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof source === "string" || source instanceof URL) {
    const url = new URL(source, isNode ? import.meta.url : globalThis.location?.href);
    if (isNode && url.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      return WebAssembly.compile(await readFile(url));
    }
    source = await fetch(url);
  }
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    const help = "give a URL, a Response, bytes or a WebAssembly.Module";
    throw new HitmaskError("BAD_MODULE", `wasm is ${describe(source)}`, help);
  }
  if (!source.ok) {
    const help = "serve the folder wasm/ beside lib/, or give its address as `wasm`";
    throw new HitmaskError("BAD_MODULE", `${source.url} gives status ${source.status}`, help);
  }
  // Servers that do not know the type of wasm files are common, so that the stream is not compiled.
  return WebAssembly.compile(await source.arrayBuffer());
}
