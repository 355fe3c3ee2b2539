import { COLLIDER, FILTER } from "./abi.js";
import { HitmaskError, checkKeys, describe, oneOf, whole } from "./error.js";
import { wide } from "./memory.js";

const ACCURACIES = ["box", "coarse", "exact"];
/** HM_ACCURACY_SAME: the accuracy of moves is that of touching. */
const SAME = 255;
const C = COLLIDER;

const NUMBERS = { x: C.x, y: C.y, angle: C.angle, scale: C.scale };
const WORDS = {
  frame: C.frame,
  plane: C.plane,
  layers: C.layers,
  collidesWith: C.collides_with,
  owner: C.owner,
  minOverlap: C.min_overlap,
  minWidth: C.min_width,
  minHeight: C.min_height,
};
const FLAGS = { flipX: C.flip_x, flipY: C.flip_y, fixed: C.fixed, sensor: C.sensor, enabled: C.enabled };
const KEYS = [
  "sprite", "atlas", "mask", "turn", "accuracy", "moveAccuracy",
  ...Object.keys(NUMBERS), ...Object.keys(WORDS), ...Object.keys(FLAGS),
];
const FILTER_KEYS = ["except", "layers", "sensors", "accuracy"];

/** Writes and reads the structs of colliders and filters, at `memory.struct`. */
export class Structs {
  #memory;
  #defaults;
  #filter;

  constructor(memory, exports) {
    this.#memory = memory;
    const copy = (fill, bytes) => {
      memory.raw(fill, memory.struct);
      return memory.u8.slice(memory.struct, memory.struct + bytes);
    };
    this.#defaults = copy(exports.hm_default_collider, C.BYTES);
    this.#filter = copy(exports.hm_default_filter, FILTER.BYTES);
  }

  /**
   * Writes a collider, and returns the address.
   *
   * @param {import("../index.js").ColliderOptions} options
   * @param {import("./atlases.js").Atlases} atlases
   */
  collider(options, atlases) {
    checkKeys(options, KEYS, "a collider");
    const memory = this.#memory;
    const at = memory.struct;
    memory.u8.set(this.#defaults, at);
    if (options.sprite !== undefined) memory.u64[(at + C.sprite) >>> 3] = atlases.sprite(options);
    if (options.mask !== undefined) memory.u64[(at + C.mask) >>> 3] = wide(options.mask, "the mask");
    for (const key in options) {
      const value = options[key];
      if (value === undefined) continue;
      if (key in NUMBERS) {
        if (typeof value !== "number") throw new HitmaskError("BAD_NUMBER", `${key} is ${describe(value)}`, "give a number");
        memory.f32[(at + NUMBERS[key]) >>> 2] = value;
      } else if (key in WORDS) {
        // Layers are bits, whose highest makes a number negative in JavaScript.
        const isBits = key === "layers" || key === "collidesWith";
        memory.u32[(at + WORDS[key]) >>> 2] = whole(value, key, isBits ? -0x80000000 : 0);
      } else if (key in FLAGS) {
        if (typeof value !== "boolean") throw new HitmaskError("BAD_VALUE", `${key} is ${describe(value)}`, "give true or false");
        memory.u8[at + FLAGS[key]] = value ? 1 : 0;
      }
    }
    if (options.turn !== undefined) {
      memory.u16[(at + C.turn) >>> 1] = whole(options.turn, "turn", 0, 65535);
      memory.u8[at + C.use_turn] = 1;
    }
    if (options.accuracy !== undefined) memory.u8[at + C.accuracy] = oneOf(options.accuracy, "accuracy", ACCURACIES);
    if (options.moveAccuracy !== undefined) {
      memory.u8[at + C.move_accuracy] = oneOf(options.moveAccuracy, "moveAccuracy", ACCURACIES);
    }
    return at;
  }

  /**
   * Returns the collider that a call wrote to an address.
   *
   * @param {number} at
   * @param {import("./atlases.js").Atlases} atlases
   */
  readCollider(at, atlases) {
    const { u8, u16, u32, f32, u64 } = this.#memory;
    const found = {};
    const sprite = u64[(at + C.sprite) >>> 3];
    if (sprite !== 0n) Object.assign(found, atlases.name(sprite));
    if (u32[(at + C.mask + 4) >>> 2] !== 0) found.mask = this.#memory.id(at + C.mask);
    for (const key in NUMBERS) found[key] = f32[(at + NUMBERS[key]) >>> 2];
    for (const key in WORDS) found[key] = u32[(at + WORDS[key]) >>> 2];
    for (const key in FLAGS) found[key] = u8[at + FLAGS[key]] !== 0;
    if (u8[at + C.use_turn] !== 0) found.turn = u16[(at + C.turn) >>> 1];
    found.accuracy = ACCURACIES[u8[at + C.accuracy]];
    const moves = u8[at + C.move_accuracy];
    if (moves !== SAME) found.moveAccuracy = ACCURACIES[moves];
    return found;
  }

  /**
   * Writes a filter, and returns its address, or null for none.
   *
   * @param {import("../index.js").Filter} [filter]
   */
  filter(filter) {
    if (filter === undefined) return 0;
    checkKeys(filter, FILTER_KEYS, "the filter");
    const memory = this.#memory;
    const at = memory.struct;
    memory.u8.set(this.#filter, at);
    if (filter.except !== undefined) memory.u64[(at + FILTER.except) >>> 3] = wide(filter.except, "except");
    if (filter.layers !== undefined) {
      memory.u32[(at + FILTER.layers) >>> 2] = whole(filter.layers, "layers", -0x80000000);
    }
    if (filter.sensors !== undefined) memory.u8[at + FILTER.sensors] = filter.sensors ? 1 : 0;
    if (filter.accuracy !== undefined) memory.u8[at + FILTER.accuracy] = oneOf(filter.accuracy, "accuracy", ACCURACIES);
    return at;
  }
}

/** Returns the number of an accuracy. */
export const accuracyNumber = (accuracy) => oneOf(accuracy, "accuracy", ACCURACIES);
