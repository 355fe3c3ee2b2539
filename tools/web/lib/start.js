import { ABI_VERSION } from "./abi.js";
import { HitmaskError, describe } from "./error.js";
import { Hitmask } from "./hitmask.js";
import { Memory } from "./memory.js";

/** A module whose one function uses a vector: valid only where simd128 is. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
const SERVE = 'serve the folder wasm/ of this package unchanged, give its address as `wasm`, or import "hitmask/inline"';

/** Such as vite for the files of a package that npm has linked into its folder. */
const FORBIDDEN =
  "the server gives no files outside of its folder, such as those of a linked package: install the file that `npm pack` " +
  "writes in the folder of hitmask, or allow that folder, in vite by server.fs.allow";

/** Returns whether this engine has the vector instructions of WebAssembly. */
export const hasSimd = () => typeof WebAssembly === "object" && WebAssembly.validate(SIMD_PROBE);

/**
 * Compiles a module, starts it, and returns the library.
 *
 * @param {() => any} find Returns an address, several to try in turn, a response, bytes, or a compiled module.
 * @returns {Promise<Hitmask>}
 */
export async function start(find) {
  if (typeof WebAssembly !== "object") {
    const help = "use a browser with WebAssembly, and no mode that switches it off, such as lockdown";
    throw new HitmaskError("UNSUPPORTED", "this engine has no WebAssembly", help);
  }
  let instance;
  try {
    instance = await WebAssembly.instantiate(await compile(await find()), {});
  } catch (error) {
    if (error instanceof HitmaskError) throw error;
    const isForbidden = /unsafe-eval|disallowed/.test(error.message);
    const help = isForbidden ? "allow it in the content security policy: script-src 'wasm-unsafe-eval'" : SERVE;
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

async function compile(source) {
  if (typeof source === "string" || source instanceof URL) source = [source];
  if (Array.isArray(source)) source = await firstOf(source);
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    const help = "give a URL, a Response, bytes or a WebAssembly.Module";
    throw new HitmaskError("BAD_MODULE", `wasm is ${describe(source)}`, help);
  }
  if (!isModule(source)) {
    const found = source.ok ? `a document (${typeOf(source)})` : `status ${source.status}`;
    const help = source.status === 403 ? FORBIDDEN : SERVE;
    throw new HitmaskError("BAD_MODULE", `${source.url || "the response"} gives ${found}, and no module`, help);
  }
  // Servers that do not know the type of wasm files are common. Streams of all other types are refused.
  return source.headers.get("content-type") === "application/wasm" && WebAssembly.compileStreaming
    ? WebAssembly.compileStreaming(source)
    : WebAssembly.compile(await source.arrayBuffer());
}

/** Returns the bytes of the first file, or the first response with a module, or the last response. */
async function firstOf(addresses) {
  let response;
  for (const address of addresses) {
    // Node, without an `import` or a global at which bundlers for browsers would stop.
    const { process } = globalThis;
    const builtin = process?.getBuiltinModule;
    const url = new URL(address, globalThis.location?.href ?? `file://${process?.cwd()}/`);
    if (url.protocol === "file:" && builtin) {
      return builtin("node:fs/promises").readFile(builtin("node:url").fileURLToPath(url.href));
    }
    response = await fetch(url);
    if (isModule(response)) break;
  }
  return response;
}

const typeOf = (response) => (response.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
/** Servers of single-page applications give their page for every address. */
const isModule = (response) => response.ok && typeOf(response) !== "text/html";
