import { BAKE_SETTINGS } from "./abi.js";
import { Atlas } from "./atlas.js";
import { HitmaskError, checkKeys, describe, finite, oneOf, whole } from "./error.js";

const SPRITE_KEYS = ["name", "imageData", "frames", "angles", "scales", "maxError", "sampling", "pivot", "alpha"];
const SAMPLINGS = ["nearest", "coverage"];
const S = BAKE_SETTINGS;

/** Bakes an atlas of images. See index.d.ts. */
export function bake(hitmask, sprites, options = {}) {
  checkKeys(options, ["resolution", "compact"], "the options of bake()");
  if (!Array.isArray(sprites)) {
    throw new HitmaskError("BAD_VALUE", `the sprites are ${describe(sprites)}`, "give an array of { name, imageData }");
  }
  const { memory, exports } = hitmask;
  if (exports.hm_baker_create === undefined) {
    const help = "load it by load({ bake: true }), or open an atlas that was baked before";
    throw new HitmaskError("UNSUPPORTED", "this module cannot bake", help);
  }
  memory.call(exports.hm_baker_create, memory.out);
  const baker = memory.u32[memory.out >>> 2];
  try {
    if (options.resolution !== undefined) {
      memory.call(exports.hm_baker_set_resolution, baker, finite(options.resolution, "resolution"));
    }
    memory.call(exports.hm_baker_set_compact, baker, options.compact ? 1 : 0);
    for (const sprite of sprites) add(hitmask, baker, sprite);
    warnings(hitmask);
    memory.call(exports.hm_baker_bake_atlas, baker, memory.out);
    const atlas = new Atlas(hitmask, memory.u32[memory.out >>> 2]);
    atlas.warnings = warnings(hitmask);
    return atlas;
  } finally {
    memory.call(exports.hm_baker_destroy, baker);
  }
}

/** Returns the warnings since the last call. */
function warnings({ memory, exports }) {
  const found = [];
  for (let next = 0; (next = memory.raw(exports.hm_web_next_warning)) !== 0; ) found.push(memory.text(next));
  return found;
}

function add({ memory, exports }, baker, sprite) {
  checkKeys(sprite, SPRITE_KEYS, "a sprite of bake()");
  const frames = sprite.frames ?? (sprite.imageData ? [sprite.imageData] : []);
  if (!Array.isArray(frames) || frames.length === 0) {
    const help = "give `imageData`, or an array of them as `frames`";
    throw new HitmaskError("BAD_VALUE", `the sprite ${describe(sprite.name)} has no image`, help);
  }
  const { width, height } = frames[0];
  const image = 4 * width * height;
  for (const frame of frames) checkImage(frame, width, height, sprite.name);
  const settings = settingsOf(sprite);
  // The name, the scales and the images lie in one piece of memory.
  const scaleBytes = 4 * settings.scales.length;
  const pixels = memory.allocate(scaleBytes + image * frames.length);
  try {
    memory.f32.set(settings.scales, pixels >>> 2);
    frames.forEach((frame, at) => memory.u8.set(frame.data, pixels + scaleBytes + at * image));
    writeSettings(memory, exports, settings, pixels);
    const name = memory.cString(sprite.name, "the name of a sprite");
    const bytes = image * frames.length;
    const rgba = pixels + scaleBytes;
    memory.call(exports.hm_baker_add_rgba, baker, name, width, height, frames.length, rgba, bytes, memory.struct);
  } finally {
    memory.free(pixels);
  }
}

/** Throws unless an image has pixels, and the size of the first one. */
export function checkImage(image, width, height, name) {
  const sized = Number.isInteger(image?.width) && Number.isInteger(image?.height) && ArrayBuffer.isView(image.data);
  if (!sized || image.width < 1 || image.height < 1) {
    const help = "give an ImageData, or { width, height, data } with 4 bytes per pixel";
    throw new HitmaskError("BAD_MASK", `an image of ${describe(name)} is ${describe(image)}`, help);
  }
  if (image.width !== width || image.height !== height) {
    const found = `${image.width} x ${image.height} pixels, and the first has ${width} x ${height}`;
    const help = "give all frames one size, or make them sprites of their own";
    throw new HitmaskError("BAD_LENGTH", `a frame of ${describe(name)} has ${found}`, help);
  }
  if (image.data.length !== 4 * width * height || image.data.BYTES_PER_ELEMENT !== 1) {
    const found = `${image.data.length} bytes for ${width} x ${height} pixels`;
    throw new HitmaskError("BAD_LENGTH", `an image of ${describe(name)} has ${found}`, "give 4 bytes per pixel");
  }
}

function settingsOf(sprite) {
  const { angles, scales = [], maxError = 0, sampling = "nearest", pivot, alpha = 128 } = sprite;
  if (!Array.isArray(scales)) {
    throw new HitmaskError("BAD_VALUE", `scales is ${describe(scales)}`, "give an array of numbers");
  }
  return {
    angles: angles === undefined ? undefined : whole(angles, "angles", 1, 65536),
    scales: scales.map((scale) => finite(scale, "a scale")),
    maxError: finite(maxError, "maxError"),
    sampling: oneOf(sampling, "sampling", SAMPLINGS),
    pivot: pivot === undefined ? undefined : halves(pivot),
    alpha: whole(alpha, "alpha", 0, 255),
  };
}

/** Returns a pivot in half pixels. */
export function halves(pivot) {
  const [x, y] = Array.isArray(pivot) ? pivot : [];
  if (!Number.isInteger(2 * x) || !Number.isInteger(2 * y)) {
    const help = "give [x, y] from the top left corner, in whole or half pixels";
    throw new HitmaskError("BAD_VALUE", `pivot is ${Array.isArray(pivot) ? `[${pivot}]` : describe(pivot)}`, help);
  }
  return [2 * x, 2 * y];
}

/** Writes the settings to the memory for structs. */
function writeSettings(memory, exports, settings, scales) {
  const at = memory.struct;
  memory.raw(exports.hm_default_bake_settings, at);
  if (settings.angles !== undefined) memory.u32[(at + S.angles) >>> 2] = settings.angles;
  memory.u32[(at + S.scales) >>> 2] = scales;
  memory.u32[(at + S.scale_count) >>> 2] = settings.scales.length;
  memory.f32[(at + S.max_error) >>> 2] = settings.maxError;
  memory.u32[(at + S.sampling) >>> 2] = settings.sampling;
  memory.u8[at + S.alpha] = settings.alpha;
  if (settings.pivot) {
    memory.i32.set(settings.pivot, (at + S.pivot) >>> 2);
    memory.u8[at + S.use_pivot] = 1;
  }
}
