import { SPRITE } from "./abi.js";
import { HitmaskError, describe, whole } from "./error.js";
import { Handle } from "./handle.js";
import { readMap } from "./maps.js";
import { checkShapeOptions, pointOf, shapeOf } from "./shapes.js";

/** The masks of all sprites at all angles and scales. It never changes. */
export class Atlas extends Handle {
  /** @type {Map<string, import("../index.js").Sprite & { id: bigint }>} */
  #sprites = new Map();
  /** @type {Map<bigint, string>} */
  #names = new Map();

  constructor(hitmask, handle) {
    super(hitmask, handle, hitmask.exports.hm_atlas_destroy, "the atlas");
    /** Warnings of the bake, if it was baked here. */
    this.warnings = [];
    const { memory, exports } = hitmask;
    memory.call(exports.hm_atlas_get_id, handle, memory.out);
    /** A number that follows from the names, settings and masks of the sprites. */
    this.id = memory.u32[memory.out >>> 2];
    memory.call(exports.hm_atlas_sprite_count, handle, memory.out);
    const count = memory.u32[memory.out >>> 2];
    for (let index = 0; index < count; index++) {
      memory.call(exports.hm_atlas_sprite_at, handle, index, memory.out);
      const id = memory.u64[memory.out >>> 3];
      memory.call(exports.hm_atlas_sprite_info, handle, id, memory.out);
      const at = memory.out;
      const word = (offset) => memory.u32[(at + offset) >>> 2];
      const sprite = {
        id,
        name: memory.text(word(SPRITE.name)),
        frames: word(SPRITE.frames),
        planes: word(SPRITE.planes),
        angles: word(SPRITE.angles),
      };
      this.#sprites.set(sprite.name, Object.freeze(sprite));
      this.#names.set(id, sprite.name);
    }
  }

  /** Returns the names of all sprites. */
  names() {
    return [...this.#sprites.keys()];
  }

  /** Returns whether there is a sprite of this name. */
  has(name) {
    return this.#sprites.has(name);
  }

  /**
   * Returns what is known about a sprite. Throws if there is none of this name.
   *
   * @param {string} name
   */
  sprite(name) {
    const sprite = this.#sprites.get(name) ?? this.#sprites.get(String(name).normalize());
    if (!sprite) {
      const names = this.names();
      const some = names.slice(0, 5).map(describe).join(", ") + (names.length > 5 ? ", ..." : "");
      const other = this.#alike(name);
      const help = `${other ? `did you mean ${describe(other)}? ` : ""}the sprites are ${some}`;
      throw new HitmaskError("UNKNOWN_SPRITE", `no sprite is called ${describe(name)}`, help);
    }
    return sprite;
  }

  /** Returns the name most like a misspelt one; an empty text if none is like it. */
  #alike(name) {
    const { memory, exports } = this.hitmask;
    if (typeof name !== "string" || name.length > 200 || name.includes("\0")) return "";
    memory.call(exports.hm_atlas_alike, this.handle, 0n, memory.cString(name, "name"), memory.out);
    return memory.text(memory.u32[memory.out >>> 2]);
  }

  /**
   * Returns the map of this name, or null.
   *
   * @param {string} name
   */
  map(name) {
    const { memory, exports } = this.hitmask;
    const found = memory.call(exports.hm_atlas_map, this.handle, memory.cString(name, "name"), memory.out);
    return found ? readMap(memory, memory.out) : null;
  }

  /** Returns the name of the sprite with an id of the module. */
  nameOf(id) {
    return this.#names.get(id);
  }

  /**
   * Returns the scales that a sprite was baked at, in ascending order.
   *
   * @param {string} name
   */
  scales(name) {
    const { memory, exports } = this.hitmask;
    memory.call(exports.hm_atlas_scales, this.handle, this.sprite(name).id, memory.out);
    const [items, count] = memory.list();
    return [...memory.f32.subarray(items >>> 2, (items >>> 2) + count)];
  }

  /**
   * Returns the size of a frame in pixels, and its pivot in pixels from the top left corner.
   *
   * @param {string} name
   * @param {number} [frame]
   */
  frame(name, frame = 0) {
    const { memory, exports } = this.hitmask;
    const { id } = this.sprite(name);
    const at = memory.out >>> 2;
    memory.call(exports.hm_atlas_frame_size, this.handle, id, frame, memory.out);
    const [width, height] = memory.u32.subarray(at, at + 2);
    memory.call(exports.hm_atlas_pivot, this.handle, id, frame, memory.out);
    const [x2, y2] = memory.i32.subarray(at, at + 2);
    return { width, height, pivot: [x2 / 2, y2 / 2] };
  }

  /** The mask pixels per pixel of positions: 1 unless it was baked otherwise. */
  get resolution() {
    const { memory, exports } = this.hitmask;
    memory.call(exports.hm_atlas_resolution, this.handle, memory.out);
    return memory.f32[memory.out >>> 2];
  }

  /**
   * Returns the outlines and convex pieces of a frame at angle 0, about its pivot, in pixels of its image.
   *
   * @param {string} name
   * @param {import("../index.js").ShapeOptions & { frame?: number, plane?: number }} [options]
   */
  shape(name, options = {}) {
    const { exports } = this.hitmask;
    checkShapeOptions(this.hitmask, options, ["frame", "plane"]);
    const { frame = 0, plane = 0, origin } = options;
    const of = [this.sprite(name).id, whole(frame, "frame"), whole(plane, "plane")];
    const { pivot } = this.frame(name, frame);
    // The module takes the origin from the pivot.
    const about = origin && pointOf(origin).map((value, axis) => value - pivot[axis]);
    return shapeOf(this.hitmask, { ...options, origin: about }, exports.hm_atlas_shape, [this.handle, ...of]);
  }

  /** Checks every byte. Opening checks the structure only. */
  verify() {
    this.hitmask.memory.call(this.hitmask.exports.hm_atlas_verify, this.handle);
  }

  /** Returns a copy of the bytes of the atlas, to store them. */
  bytes() {
    const { memory, exports } = this.hitmask;
    memory.call(exports.hm_atlas_bytes, this.handle, memory.out);
    const [items, count] = memory.list();
    return memory.u8.slice(items, items + count);
  }
}
