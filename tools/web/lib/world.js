import { COLLIDER, CONTACT, MAP, MAP_ITEM, MAP_REPORT, PLACEMENT, PLACEMENT_TURN, POSE_STATS } from "./abi.js";
import { Atlases } from "./atlases.js";
import { Structs, accuracyNumber } from "./collider.js";
import { HitmaskError, checkKeys, describe, finite, whole } from "./error.js";
import { asBytes } from "./bytes.js";
import { PlacedMap, readMap, update } from "./maps.js";
import * as masks from "./masks.js";
import { wide } from "./memory.js";
import { Queries, lent, several } from "./queries.js";
import { ShapeGrid, checkShapeOptions, shapeOf } from "./shapes.js";

/**
 * The upper words from which an id does not fit a number of JavaScript. A slot gets there after
 * 2,097,150 colliders. It is given up then.
 */
const MAX_HIGH = 2 ** 21;
/** Colliders and bytes of masks of one call that draws ahead, between two looks at the clock. */
const AHEAD = 256;
const AHEAD_BYTES = 128 << 10;
/** HM_CONNECT_4: pixels that meet at a corner alone are of two polygons. */
const CONNECT_4 = 4;

/** Colliders on the plane, and the pairs of them that touch. */
export class World extends Queries {
  /** @type {Atlases} */
  #atlases;
  /** The number of slots that were given up. */
  #retired = 0;

  constructor(hitmask, handle, atlas) {
    super(hitmask, handle, new Structs(hitmask.memory, hitmask.exports));
    this.#atlases = new Atlases(atlas);
  }

  /** The atlases of the world, in the order of adding. */
  get atlases() {
    return [...this.#atlases.current];
  }

  /** Adds an atlas, whose sprites colliders may show beside those of the others. */
  addAtlas(atlas) {
    this.#atlases.add(this, atlas);
  }

  /** Drops an atlas that no collider shows, or with `colliders` removes those that show it. Returns their ids. */
  dropAtlas(atlas, options = {}) {
    checkKeys(options, ["colliders"], "the options of dropAtlas()");
    const removed = this.#atlases.drop(this, atlas, options.colliders === true);
    this.#countRetired();
    return removed;
  }

  /** Replaces an atlas by another version of it, as after a new bake. Returns what differs. */
  replaceAtlas(old, atlas) {
    return this.#atlases.replace(this, old, atlas);
  }

  /** Limits the bytes of masks that are drawn for compact or several atlases. Null is no limit. */
  setPoseBudget(bytes) {
    const limit = bytes === null ? -1n : BigInt(whole(bytes, "the budget", 0, Number.MAX_SAFE_INTEGER));
    this.memory.call(this.exports.hm_world_set_pose_budget, this.handle, limit);
  }

  /** Returns figures about the drawn masks. */
  poseStats() {
    const { memory, exports } = this;
    memory.call(exports.hm_world_pose_budget, this.handle, memory.out);
    const budget = memory.u64[memory.out >>> 3];
    memory.call(exports.hm_world_pose_stats, this.handle, memory.out);
    const number = (field) => memory.id(memory.out + field);
    return {
      poses: number(POSE_STATS.poses),
      bytes: number(POSE_STATS.bytes),
      draws: number(POSE_STATS.draws),
      budget: budget === 2n ** 64n - 1n ? null : Number(budget),
    };
  }

  /** Adds a collider and returns its id. */
  add(options) {
    const { memory, exports } = this;
    for (;;) {
      memory.call(exports.hm_world_insert, this.handle, this.structs.collider(options, this.#atlases), memory.out);
      if (memory.u32[(memory.out >>> 2) + 1] < MAX_HIGH) return memory.id(memory.out);
      const id = memory.u64[memory.out >>> 3];
      const disabled = this.structs.collider({ ...options, enabled: false, x: 0, y: 0 }, this.#atlases);
      memory.call(exports.hm_world_set, this.handle, id, disabled);
      this.#retired++;
    }
  }

  /** Adds many colliders, or none of them, and returns their ids. */
  addMany(list) {
    const { memory, exports } = this;
    const colliders = this.#colliders(list);
    for (;;) {
      memory.call(exports.hm_world_insert_all, this.handle, memory.bytes(colliders), list.length, memory.out);
      const [items, count] = memory.list();
      if (this.#areNumbers(Array.from({ length: count }, (_, i) => items + 8 * i))) return memory.ids(items, count);
    }
  }

  /**
   * Draws the poses of colliders before they are shown, from the item `first` on, within a time and a size.
   * Returns the number of the first item whose pose is not drawn: `list.length` when all are.
   */
  drawAhead(list, options = {}) {
    checkKeys(options, ["milliseconds", "bytes", "first"], "the options of drawAhead()");
    const end = performance.now() + finite(options.milliseconds ?? Number.MAX_VALUE, "milliseconds");
    const limit = whole(options.bytes ?? Number.MAX_SAFE_INTEGER, "bytes", 0, Number.MAX_SAFE_INTEGER);
    const { memory, exports } = this;
    let first = whole(options.first ?? 0, "first", 0, several(list, 1, "colliders"));
    let bytes = 0;
    while (first < list.length && bytes < limit && performance.now() < end) {
      const part = Array.from({ length: Math.min(AHEAD, list.length - first) }, (_, i) => list[first + i]);
      const at = memory.bytes(this.#colliders(part, first));
      const before = this.poseStats().bytes;
      const most = BigInt(Math.min(limit - bytes, AHEAD_BYTES));
      try {
        memory.call(exports.hm_world_draw_ahead, this.handle, at, part.length, -1n, most, memory.out);
      } catch (error) {
        error.message = error.message.replace(/^item (\d+)/, (_, item) => `item ${first + Number(item)}`);
        throw error;
      }
      first += memory.u32[memory.out >>> 2];
      bytes += Math.max(0, this.poseStats().bytes - before);
    }
    return first;
  }

  /** Returns the structs of many colliders, of which the first one is the item `first` of a list. */
  #colliders(list, first = 0) {
    const bytes = new Uint8Array(several(list, 1, "colliders") * COLLIDER.BYTES);
    for (let i = 0; i < list.length; i++) {
      let at;
      try {
        at = this.structs.collider(list[i], this.#atlases);
      } catch (error) {
        throw error instanceof HitmaskError ? error.about(`item ${first + i}`) : error;
      }
      bytes.set(this.memory.u8.subarray(at, at + COLLIDER.BYTES), i * COLLIDER.BYTES);
    }
    return bytes;
  }

  /** Adds the colliders of a map, whose top left corner is at a position. */
  addMap(name, x = 0, y = 0) {
    const { memory, exports } = this;
    for (;;) {
      const text = memory.cString(name, "the name");
      memory.call(exports.hm_world_insert_map, this.handle, text, memory.vec2(x, y), memory.out, memory.struct);
      const placed = memory.u32[memory.struct >>> 2];
      const [items, count] = memory.list(memory.out + MAP.items);
      const fields = Array.from({ length: count }, (_, i) => items + i * MAP_ITEM.BYTES + MAP_ITEM.collider);
      if (this.#areNumbers(fields)) return new PlacedMap(this.hitmask, placed, readMap(memory, memory.out), x, y);
      memory.call(exports.hm_placed_map_destroy, placed);
    }
  }

  /** Brings a placed map up to date with the atlas. Returns what came, went, moved, and what the game has changed. */
  updateMap(map) {
    const { memory } = this;
    const before = map?.items;
    const report = update(this, map);
    const [items] = memory.list(memory.out + MAP_REPORT.map_items);
    const [numbers, count] = memory.list(memory.out + MAP_REPORT.inserted);
    const index = (i) => memory.u32[(numbers >>> 2) + i];
    const fields = Array.from({ length: count }, (_, i) => items + index(i) * MAP_ITEM.BYTES + MAP_ITEM.collider);
    if (this.#areNumbers(fields)) return report;
    // The map has colliders of slots that are given up, so it is added anew.
    for (const item of map.items) if (item.id !== null && !report.inserted.includes(item)) this.remove(item.id);
    map.dispose();
    Object.assign(map, this.addMap(map.name, map.x, map.y));
    const placed = (list) => list.filter(({ id }) => id !== null);
    return { inserted: placed(map.items), removed: placed(before), changed: [], kept: [] };
  }

  /** Returns whether all ids at these addresses fit numbers. Else it gives those slots up, and removes the others. */
  #areNumbers(fields) {
    const { memory, exports } = this;
    const isRetired = (at) => memory.u32[(at >>> 2) + 1] >= MAX_HIGH;
    if (!fields.some(isRetired)) return true;
    for (const at of fields) {
      const id = memory.u64[at >>> 3];
      if (id !== 0n && !isRetired(at)) memory.call(exports.hm_world_remove, this.handle, id);
      if (!isRetired(at)) continue;
      memory.call(exports.hm_world_get, this.handle, id, memory.struct);
      memory.u8[memory.struct + COLLIDER.enabled] = 0;
      memory.call(exports.hm_world_set, this.handle, id, memory.struct);
      this.#retired++;
    }
    return false;
  }

  /** Replaces a collider under the same id. */
  set(id, options) {
    const bits = wide(id);
    this.memory.call(this.exports.hm_world_set, this.handle, bits, this.structs.collider(options, this.#atlases));
  }

  /** Returns a collider, with all its options. */
  get(id) {
    this.memory.call(this.exports.hm_world_get, this.handle, wide(id), this.memory.out);
    return this.structs.readCollider(this.memory.out, this.#atlases);
  }

  /** Removes a collider. Its id stays stale. */
  remove(id) {
    this.memory.call(this.exports.hm_world_remove, this.handle, wide(id));
  }

  /** Moves a collider to a position in pixels. */
  moveTo(id, x, y) {
    this.memory.call(this.exports.hm_world_move_to, this.handle, wide(id), x, y);
  }

  /** Turns a collider to an angle in radians. */
  turnTo(id, angle) {
    this.memory.call(this.exports.hm_world_turn_to, this.handle, wide(id), angle);
  }

  /** Places a collider at a position, an angle and a scale at once. */
  place(id, x, y, angle, scale) {
    this.memory.call(this.exports.hm_world_place, this.handle, wide(id), x, y, angle, scale);
  }

  /** The number of colliders. */
  get count() {
    this.memory.call(this.exports.hm_world_count, this.handle, this.memory.out);
    return this.memory.u32[this.memory.out >>> 2] - this.#retired;
  }

  /**
   * Places many colliders: x, y and angle of `ids[i]` are `xyAngle[3 * i]` and the two after it. All
   * are placed, or none.
   */
  placeMany(ids, xyAngle) {
    const { memory, exports } = this;
    const [count, at] = this.#placements(ids, xyAngle, PLACEMENT.BYTES);
    memory.f32.set(xyAngle, (at + 8 * count) >>> 2);
    memory.call(exports.hm_world_set_placements, this.handle, at, at + 8 * count, count);
  }

  /** Does the same, with angles in 65,536ths of a turn. */
  placeManyTurns(ids, xyTurn) {
    const { memory, exports } = this;
    const [count, at] = this.#placements(ids, xyTurn, PLACEMENT_TURN.BYTES);
    let word = (at + 8 * count) >>> 2;
    for (let i = 0; i < xyTurn.length; i += 3) {
      memory.f32[word] = xyTurn[i];
      memory.f32[word + 1] = xyTurn[i + 1];
      memory.u32[word + 2] = xyTurn[i + 2] & 0xffff;
      word += 3;
    }
    memory.call(exports.hm_world_set_placements_turn, this.handle, at, at + 8 * count, count);
  }

  /** Checks the lengths, and writes the ids. Returns their number and address. */
  #placements(ids, numbers, bytes) {
    const count = ids?.length;
    if (!Number.isInteger(count) || numbers?.length !== 3 * count) {
      const found = `${describe(numbers?.length)} numbers for ${describe(count)} ids`;
      throw new HitmaskError("BAD_LENGTH", `there are ${found}`, "give x, y and an angle for each id");
    }
    const at = this.memory.bulk(count * (8 + bytes));
    this.memory.setIds(ids, at);
    return [count, at];
  }

  /** Returns x, y and angle of many colliders, as `placeMany` takes them. */
  placementsArray(ids) {
    const { memory, exports } = this;
    const count = several(ids, 1, "ids");
    const at = memory.bulk(8 * count);
    memory.setIds(ids, at);
    memory.call(exports.hm_world_placements, this.handle, at, count, memory.out);
    const [items] = memory.list();
    return memory.f32.slice(items >>> 2, (items >>> 2) + 3 * count);
  }

  /** Finds all pairs that touch. Call it once per frame, after the moves. */
  update() {
    this.memory.call(this.exports.hm_world_update, this.handle);
  }

  /** Returns the pairs that touched at the last update, as arrays [a, b]. */
  touching() {
    return tuples(this.touchingArray());
  }

  /** Returns the pairs that began to touch at the last update, as arrays [a, b]. */
  began() {
    return tuples(this.beganArray());
  }

  /** Returns the pairs that ceased to touch at the last update, as arrays [a, b]. */
  ended() {
    return tuples(this.endedArray());
  }

  /** Returns the ids of the pairs that touched at the last update: a, b, a, b, ... */
  touchingArray() {
    return this.#pairs("touching", this.exports.hm_world_touching);
  }

  /** Returns the ids of the pairs that began to touch at the last update. */
  beganArray() {
    return this.#pairs("began", this.exports.hm_world_began);
  }

  /** Returns the ids of the pairs that ceased to touch at the last update. */
  endedArray() {
    return this.#pairs("ended", this.exports.hm_world_ended);
  }

  #pairs(kind, read) {
    const { memory } = this;
    memory.call(read, this.handle, memory.out);
    const [items, pairs] = memory.list();
    const list = lent(this.lists, kind, 2 * pairs);
    const { u32 } = memory;
    for (let i = 0, at = items >>> 2; i < list.length; i++, at += 2) list[i] = u32[at] + u32[at + 1] * 4294967296;
    return list;
  }

  /** Returns the contacts of pairs of ids: area, x0, y0, x1, y1, x, y of each, or zeros. */
  contactsArray(pairs = this.touchingArray()) {
    const { memory, exports } = this;
    const count = several(pairs, 2, "ids") / 2;
    const found = lent(this.lists, "contacts", 7 * count);
    const at = memory.bulk(8 * pairs.length);
    memory.setIds(pairs, at);
    for (let i = 0; i < count; i++) {
      memory.call(exports.hm_world_contact, this.handle, at + 16 * i, memory.out);
      found[7 * i] = memory.id(memory.out + CONTACT.area);
      const word = (memory.out + CONTACT.rect) >>> 2;
      for (let field = 0; field < 6; field++) found[7 * i + 1 + field] = memory.i32[word + field];
    }
    return found;
  }

  /** Returns the borders of a collider's pixels, each as x, y, x, y, ... in mask pixels of the world. */
  polygons(id) {
    const { memory, exports } = this;
    return this.#drawn(id, (mask) => {
      memory.call(exports.hm_mask_polygons, mask, CONNECT_4, memory.out);
      const [points, starts, count] = memory.u32.subarray(memory.out >>> 2, (memory.out >>> 2) + 3);
      const ends = memory.u32.subarray(starts >>> 2, (starts >>> 2) + count + 1);
      const at = (corner) => (points >>> 2) + 2 * corner;
      return Array.from({ length: count }, (_, i) => memory.i32.slice(at(ends[i]), at(ends[i + 1])));
    });
  }

  /** Returns boxes that cover the pixels of a collider: x0, y0, x1, y1, ... in mask pixels. */
  rects(id) {
    const { memory, exports } = this;
    const [rects] = this.#drawn(id, (mask) => {
      memory.call(exports.hm_mask_rects, mask, memory.out);
      const [items, count] = memory.list();
      return [memory.i32.slice(items >>> 2, (items >>> 2) + 4 * count)];
    });
    return rects;
  }

  /** Returns lists of points of a collider's mask, at its place. */
  #drawn(id, read) {
    const { memory, exports } = this;
    memory.call(exports.hm_world_posed_mask, this.handle, wide(id), memory.out, memory.argument);
    const mask = memory.u32[memory.out >>> 2];
    const { x, y } = memory.point(memory.argument);
    try {
      const lists = read(mask);
      for (const list of lists) for (let i = 0; i < list.length; i++) list[i] += i % 2 ? y : x;
      return lists;
    } finally {
      memory.call(exports.hm_mask_destroy, mask);
    }
  }

  /** Sets the finest accuracy of pair tests. */
  setAccuracy(accuracy) {
    this.memory.call(this.exports.hm_world_set_accuracy, this.handle, accuracyNumber(accuracy));
  }

  /** Allows scales within a factor of a baked one: 1 for baked ones only. The default is 1.5. */
  scaleFactor(factor) {
    if (typeof factor !== "number") finite(factor, "the factor");
    this.memory.call(this.exports.hm_world_set_scale_policy, this.handle, factor);
  }

  /** Stores a whole number with a collider, by which pick() can choose. */
  setData(id, data) {
    const bits = wide(id);
    const number = BigInt(whole(data, "the data", 0, Number.MAX_SAFE_INTEGER));
    this.memory.call(this.exports.hm_world_set_user_data, this.handle, bits, number);
  }

  /** Returns the number that is stored with a collider. */
  data(id) {
    this.memory.call(this.exports.hm_world_user_data, this.handle, wide(id), this.memory.out);
    return this.memory.id(this.memory.out);
  }

  /** Adds a mask of an image and returns its id, for `add({ mask })`. */
  addMask(imageData, options) {
    return masks.addMask(this, imageData, options);
  }

  /** Draws a mask that has a transform again, from another image. */
  redrawMask(mask, imageData, options) {
    masks.redrawMask(this, mask, imageData, options);
  }

  /** Draws a mask that has a transform by another one. */
  transformMask(mask, transform) {
    masks.transformMask(this, mask, transform);
  }

  /** Sets or clears a disc of a mask. */
  fillDisc(mask, x, y, radius, solid = false) {
    masks.fillDisc(this, mask, x, y, radius, solid);
  }

  /** Sets or clears a rectangle of a mask, without its last column and row. */
  fillRect(mask, x0, y0, x1, y1, solid = false) {
    masks.fillRect(this, mask, x0, y0, x1, y1, solid);
  }

  /** Removes a mask that no collider shows. */
  removeMask(mask) {
    this.memory.call(this.exports.hm_world_remove_mask, this.handle, wide(mask, "the mask"));
  }

  /** Returns the outlines and convex pieces of a mask, for a physics engine. */
  shape(mask, options = {}) {
    checkShapeOptions(this.hitmask, options);
    return shapeOf(this.hitmask, options, this.exports.hm_world_mask_shape, [this.handle, wide(mask, "the mask")]);
  }

  /** Returns the shapes of a mask in cells, for terrain that changes. */
  shapeGrid(mask, options = {}) {
    return new ShapeGrid(this, mask, options);
  }

  /** Returns the hash of the state, of 64 bits, equal on every machine. */
  stateHash() {
    this.memory.call(this.exports.hm_world_state_hash, this.handle, this.memory.out);
    return this.memory.u64[this.memory.out >>> 3];
  }

  /** Returns a copy with the same ids, settings and pairs. What happens in one does not affect the other. */
  copy() {
    const { memory, exports } = this;
    memory.call(exports.hm_world_clone, this.handle, memory.out);
    const copy = new World(this.hitmask, memory.u32[memory.out >>> 2], this.#atlases.current[0]);
    copy.#atlases = this.#atlases.copy();
    copy.#retired = this.#retired;
    return copy;
  }

  /** Takes over the whole state of another world with the same atlases. */
  assign(source) {
    this.memory.call(this.exports.hm_world_assign, this.handle, this.#known(source));
    this.#atlases = source.#atlases.copy();
    this.#retired = source.#retired;
  }

  /** Returns what differs first between two worlds, or `null`. */
  firstDifference(other) {
    const { memory, exports } = this;
    if (!memory.call(exports.hm_world_first_difference, this.handle, this.#known(other), memory.out)) return null;
    return memory.text(memory.u32[memory.out >>> 2]);
  }

  #known(world) {
    if (world instanceof World && world.hitmask === this.hitmask) return world.handle;
    throw new HitmaskError("WRONG_HANDLE", `the world is ${describe(world)} that this library has not created`);
  }

  /** Returns the whole state as bytes: in a new array, or at the start of a buffer. */
  snapshot(buffer) {
    const { memory, exports } = this;
    const into = buffer === undefined ? null : asBytes(buffer);
    memory.call(exports.hm_world_snapshot, this.handle, memory.out);
    const [items, needed] = memory.list();
    const bytes = memory.u8.subarray(items, items + needed);
    if (!into) return bytes.slice();
    if (into.length < needed) {
      const message = `the snapshot has ${needed} bytes, and the buffer has ${into.length}`;
      const error = new HitmaskError("BUFFER_TOO_SMALL", message, `give a buffer of ${needed} bytes or more`);
      throw Object.assign(error, { needed });
    }
    into.set(bytes);
    return into.subarray(0, needed);
  }

  /** Restores the state of a snapshot of a world over the same atlas. */
  restore(snapshot) {
    const bytes = asBytes(snapshot);
    const { memory, exports } = this;
    memory.call(exports.hm_world_restore, this.handle, memory.bytes(bytes), bytes.length);
    this.#countRetired();
  }

  #countRetired() {
    const { memory, exports } = this;
    memory.call(exports.hm_world_ids, this.handle, memory.out);
    this.#retired = memory.ids(...memory.list()).filter((id) => id / 4294967296 >= MAX_HIGH).length;
  }
}

/** Returns pairs as arrays of two. */
function tuples(ids) {
  const pairs = new Array(ids.length / 2);
  for (let i = 0; i < pairs.length; i++) pairs[i] = [ids[2 * i], ids[2 * i + 1]];
  return pairs;
}
