// The library with its module inside. build.sh bundles it as inline.js.
import zipped from "../../wasm/inline.gz";
import { HitmaskError, checkKeys } from "../error.js";
import { hasSimd, start } from "../start.js";

export { Atlas } from "../atlas.js";
export { HitmaskError } from "../error.js";
export { Hitmask } from "../hitmask.js";
export { hasSimd } from "../start.js";
export { ShapeGrid } from "../shapes.js";
export { World } from "../world.js";

/**
 * Loads the module that this file contains, which bakes, and returns the library.
 *
 * @param {import("../../index.js").LoadOptions} [options]
 */
export async function load(options = {}) {
  checkKeys(options, ["simd", "bake", "wasm"], "the options of load()");
  if (!options.wasm && (options.simd === false || !hasSimd())) {
    const help = 'load it by `import { load } from "hitmask"`, which has a plain module too';
    throw new HitmaskError("UNSUPPORTED", "the module of hitmask/inline needs simd128", help);
  }
  return start(() => options.wasm ?? unzipped());
}

const unzipped = () =>
  new Response(new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip")), {
    headers: { "content-type": "application/wasm" },
  });
