import { checkImage, halves } from "./bake.js";
import { finite, whole, checkKeys, describe, HitmaskError } from "./error.js";
import { wide } from "./memory.js";

/** Masks that are made at run time: terrain that can be destroyed, and shapes at any transform. */

/**
 * Adds a mask of an image to a world and returns its id.
 *
 * @param {import("./world.js").World} world
 * @param {{ width: number, height: number, data: ArrayLike<number> }} imageData
 * @param {import("../index.js").MaskOptions} [options]
 */
export function addMask(world, imageData, options = {}) {
  checkKeys(options, ["pivot", "alpha", "transform"], "the options of a mask");
  const { memory, exports } = world;
  const transform = options.transform === undefined ? undefined : affine(options.transform);
  return withImage(world, imageData, options, (mask, pivot) => {
    if (transform) {
      memory.f64.set(transform, memory.struct >>> 3);
      memory.call(exports.hm_world_insert_transformed, world.handle, mask, pivot, memory.struct, memory.out);
    } else {
      memory.call(exports.hm_world_insert_mask, world.handle, mask, pivot, memory.out);
    }
    return memory.id(memory.out);
  });
}

/** Draws a mask that has a transform again, from another image. */
export function redrawMask(world, mask, imageData, options = {}) {
  checkKeys(options, ["pivot", "alpha"], "the options of a mask");
  const { memory, exports } = world;
  const id = wide(mask, "the mask");
  withImage(world, imageData, options, (image, pivot) =>
    memory.call(exports.hm_world_redraw_mask, world.handle, id, image, pivot),
  );
}

/** Calls a function with a mask of an image, and with the address of its pivot. A world copies the mask. */
function withImage({ memory, exports }, imageData, options, use) {
  checkImage(imageData, imageData?.width, imageData?.height, "a mask");
  const { width, height, data } = imageData;
  const alpha = whole(options.alpha ?? 128, "alpha", 0, 255);
  const pivot = options.pivot === undefined ? undefined : halves(options.pivot);
  memory.call(exports.hm_mask_from_rgba, width, height, memory.bytes(data), data.length, alpha, memory.out);
  const mask = memory.u32[memory.out >>> 2];
  try {
    return use(mask, pivot ? memory.whole(pivot) : 0);
  } finally {
    memory.call(exports.hm_mask_destroy, mask);
  }
}

/** Draws a mask again with another transform [a, b, c, d, tx, ty], as of a canvas. */
export function transformMask(world, mask, transform) {
  const { memory, exports } = world;
  memory.f64.set(affine(transform), memory.struct >>> 3);
  memory.call(exports.hm_world_transform_mask, world.handle, wide(mask, "the mask"), memory.struct);
}

/** Sets or clears a disc of a mask. */
export function fillDisc(world, mask, x, y, radius, solid) {
  const { memory, exports } = world;
  const at = memory.whole([pixel(x), pixel(y)]);
  const most = whole(radius, "radius");
  memory.call(exports.hm_world_fill_disc, world.handle, wide(mask, "the mask"), at, most, solid ? 1 : 0);
}

/** Sets or clears a rectangle of a mask. */
export function fillRect(world, mask, x0, y0, x1, y1, solid) {
  const { memory, exports } = world;
  const at = memory.whole([x0, y0, x1, y1].map(pixel));
  memory.call(exports.hm_world_fill_rect, world.handle, wide(mask, "the mask"), at, solid ? 1 : 0);
}

const pixel = (value) => whole(value, "a pixel", -0x80000000, 0x7fffffff);

function affine(transform) {
  if (!Array.isArray(transform) || transform.length !== 6) {
    const found = Array.isArray(transform) ? `${transform.length} numbers` : describe(transform);
    throw new HitmaskError("BAD_VALUE", `transform is ${found}`, "give [a, b, c, d, tx, ty] as of a canvas");
  }
  return transform.map((number) => finite(number, "a number of the transform"));
}
