import { Atlas } from "./atlas.js";
import { known } from "./atlases.js";
import { bake, checkImage } from "./bake.js";
import { asBytes } from "./bytes.js";
import { whole } from "./error.js";
import { checkShapeOptions, shapeOf } from "./shapes.js";
import { World } from "./world.js";

/** The loaded library: makes atlases and worlds. Get it from `load()`. */
export class Hitmask {
  /**
   * @param {Record<string, any>} exports
   * @param {import("./memory.js").Memory} memory
   */
  constructor(exports, memory) {
    /** The functions of the module. See index.d.ts. */
    this.exports = exports;
    /** The memory of the module, for the functions that this package does not call. */
    this.memory = memory;
  }

  /** The version of the library, such as "0.1.0". */
  get version() {
    return this.memory.text(this.exports.hm_version());
  }

  /**
   * Opens an atlas that `hitmask bake` or `bake()` has made. The bytes are copied.
   *
   * @param {ArrayBuffer | ArrayBufferView} bytes
   */
  atlas(bytes) {
    const { memory, exports } = this;
    const view = asBytes(bytes);
    const pointer = memory.allocate(view.length);
    try {
      memory.u8.set(view, pointer);
      memory.call(exports.hm_atlas_from_bytes, pointer, view.length, 0, memory.out);
      return new Atlas(this, memory.u32[memory.out >>> 2]);
    } finally {
      memory.free(pointer);
    }
  }

  /**
   * Bakes an atlas of images, in the page itself.
   *
   * @param {import("../index.js").BakeSprite[]} sprites
   * @param {import("../index.js").BakeOptions} [options]
   */
  bake(sprites, options) {
    return bake(this, sprites, options);
  }

  /**
   * Returns the outlines and convex pieces of an image, for a physics engine.
   *
   * @param {{ width: number, height: number, data: ArrayLike<number> }} imageData
   * @param {import("../index.js").ShapeOptions & { alpha?: number }} [options]
   */
  shape(imageData, options = {}) {
    const { memory, exports } = this;
    checkShapeOptions(this, options, ["alpha"]);
    checkImage(imageData, imageData?.width, imageData?.height, "a shape");
    const { width, height, data } = imageData;
    const alpha = whole(options.alpha ?? 128, "alpha", 0, 255);
    memory.call(exports.hm_mask_from_rgba, width, height, memory.bytes(data), data.length, alpha, memory.out);
    const mask = memory.u32[memory.out >>> 2];
    try {
      return shapeOf(this, options, exports.hm_mask_shape, [mask]);
    } finally {
      memory.call(exports.hm_mask_destroy, mask);
    }
  }

  /**
   * Creates a world over the sprites of an atlas. The atlas may be disposed of before the world.
   *
   * @param {Atlas} atlas
   */
  world(atlas) {
    this.memory.call(this.exports.hm_world_create, known(this, atlas).handle, this.memory.out);
    return new World(this, this.memory.u32[this.memory.out >>> 2], atlas);
  }
}
