import { BLOCKED, CONTACT, GRAZED, HIT, LINE_HIT, MOVED, MOVES, MOVE_RESULT, MOVE_RULES, NEAREST, OVERLAP } from "./abi.js";
import { accuracyNumber } from "./collider.js";
import { HitmaskError, checkKeys, describe, finite, oneOf, whole } from "./error.js";
import { Handle } from "./handle.js";
import { wide } from "./memory.js";

const SIDES = ["below", "above", "left", "right"];
const ORDERS = ["slot", "data"];
const GRAZES = ["clear", "graze", "hit"];
const RULES = { climb: MOVE_RULES.climb, slip: MOVE_RULES.slip, oneWay: MOVE_RULES.one_way, rise: MOVE_RULES.rise };
/** The numbers of a hit of castsArray(). */
const CAST_FIELDS = [
  HIT.position_x, HIT.position_y, HIT.point_x, HIT.point_y, HIT.impact_time, HIT.impact_normal_x, HIT.impact_normal_y,
];

/** The questions that a world answers at the current places, and the moves along obstacles. */
export class Queries extends Handle {
  constructor(hitmask, handle, structs) {
    super(hitmask, handle, hitmask.exports.hm_world_destroy, "the world");
    this.memory = hitmask.memory;
    this.exports = hitmask.exports;
    this.structs = structs;
    /** Arrays that are lent, by name. */
    this.lists = {};
  }

  /** Returns area, box and first pixel of an overlap, or null. */
  contact(a, b, accuracy) {
    const { memory, exports } = this;
    const pair = memory.pair(a, b);
    const found =
      accuracy === undefined
        ? memory.call(exports.hm_world_contact, this.handle, pair, memory.out)
        : memory.call(exports.hm_world_contact_at, this.handle, pair, accuracyNumber(accuracy), memory.out);
    return found ? readContact(memory, memory.out) : null;
  }

  /** Returns the details of an overlap, or null. */
  overlap(a, b) {
    const { memory, exports } = this;
    if (!memory.call(exports.hm_world_overlap, this.handle, memory.pair(a, b), memory.out)) return null;
    const at = memory.out;
    return {
      ...readContact(memory, at + OVERLAP.contact),
      centroid: memory.readVec2(at + OVERLAP.centroid),
      normal: memory.readVec2(at + OVERLAP.normal),
      pushOut: memory.point(at + OVERLAP.push_out),
      depth: memory.f32[(at + OVERLAP.depth) >>> 2],
      side: SIDES[memory.u32[(at + OVERLAP.side) >>> 2]],
    };
  }

  /** Returns the colliders that touch a collider now. */
  touchingWith(id) {
    return this.#found(this.exports.hm_world_touching_with, wide(id), this.memory.out);
  }

  /** Returns the distance between the nearest pixels of two colliders, or null. */
  distance(a, b) {
    const { memory, exports } = this;
    const found = memory.call(exports.hm_world_distance, this.handle, wide(a), wide(b), memory.out);
    return found ? memory.f64[memory.out >>> 3] : null;
  }

  /** Returns the shortest way out of all obstacles, or null. */
  pushOut(id, radius) {
    const { memory, exports } = this;
    const found = memory.call(exports.hm_world_push_out, this.handle, wide(id), radius, memory.out);
    return found ? memory.readVec2(memory.out) : null;
  }

  /** Returns a text that explains why two colliders touch or not. */
  explain(a, b) {
    const { memory, exports } = this;
    const found = memory.call(exports.hm_world_explain, this.handle, memory.pair(a, b), memory.out);
    return found ? memory.text(memory.list()[0]) : null;
  }

  /** Returns the collider under a pointer, or null. */
  pick(x, y, options = {}) {
    checkKeys(options, ["radius", "order", "filter"], "the options of pick()");
    const { memory, exports } = this;
    const [radius, order, filter] = this.#pickRules(options);
    const found = memory.call(exports.hm_world_pick, this.handle, x, y, radius, order, filter, memory.out);
    return found ? memory.id(memory.out) : null;
  }

  /** Returns radius, order and filter of a pick. */
  #pickRules({ radius = 0, order = "slot", filter }) {
    return [finite(radius, "radius"), oneOf(order, "order", ORDERS), this.structs.filter(filter)];
  }

  /** Returns the nearest collider within a distance, or null. */
  nearest(x, y, within, filter) {
    const { memory, exports } = this;
    const at = memory.out;
    const rule = this.structs.filter(filter);
    if (!memory.call(exports.hm_world_nearest, this.handle, x, y, within, rule, at)) return null;
    return { collider: memory.id(at + NEAREST.collider), distance: memory.f64[(at + NEAREST.distance) >>> 3] };
  }

  /** Returns the colliders that a collider hits, or comes near to. */
  graze(id, within, filter) {
    const { memory, exports } = this;
    memory.call(exports.hm_world_graze, this.handle, wide(id), within, this.structs.filter(filter), memory.out);
    return readList(memory, memory.out, GRAZED.BYTES, readGrazed);
  }

  /** Returns the colliders that have a pixel at a place. */
  queryPoint(x, y, filter) {
    return this.#found(this.exports.hm_world_query_point, x, y, this.structs.filter(filter), this.memory.out);
  }

  /** Returns the colliders that have a pixel in a rectangle of mask pixels. */
  queryRect(x0, y0, x1, y1, filter) {
    const rect = this.memory.whole([x0, y0, x1, y1].map((side) => whole(side, "a side", -0x80000000, 0x7fffffff)));
    return this.#found(this.exports.hm_world_query_rect, rect, this.structs.filter(filter), this.memory.out);
  }

  /** Returns the colliders that have a pixel in a circle. */
  queryCircle(x, y, radius, filter) {
    const rule = this.structs.filter(filter);
    return this.#found(this.exports.hm_world_query_circle, x, y, radius, rule, this.memory.out);
  }

  /** Returns the first collider on a line, or null. */
  ray(x0, y0, x1, y1, filter) {
    const { memory, exports } = this;
    const [from, to] = [memory.vec2(x0, y0), memory.vec2(x1, y1, 1)];
    const rule = this.structs.filter(filter);
    const found = memory.call(exports.hm_world_ray, this.handle, from, to, rule, memory.out);
    return found ? readLineHit(memory, memory.out) : null;
  }

  /** Returns all colliders on a line, in order of the way. */
  rayAll(x0, y0, x1, y1, filter) {
    const { memory, exports } = this;
    const [from, to] = [memory.vec2(x0, y0), memory.vec2(x1, y1, 1)];
    memory.call(exports.hm_world_ray_all, this.handle, from, to, this.structs.filter(filter), memory.out);
    return readList(memory, memory.out, LINE_HIT.BYTES, readLineHit);
  }

  /** Returns the first collider that a motion hits, or null. Nothing moves. */
  cast(id, dx, dy) {
    const { memory, exports } = this;
    const motion = memory.vec2(dx, dy);
    const found = memory.call(exports.hm_world_cast, this.handle, wide(id), motion, 0, 0, memory.out);
    return found ? readHit(memory, memory.out) : null;
  }

  /** Returns all colliders that a motion hits, in order of the way. Nothing moves. */
  castAll(id, dx, dy) {
    const { memory, exports } = this;
    memory.call(exports.hm_world_cast_all, this.handle, wide(id), memory.vec2(dx, dy), 0, 0, memory.out);
    return readList(memory, memory.out, HIT.BYTES, readHit);
  }

  /** Returns what many rays hit first: collider, x, y and normal of each, or zeros. */
  raysArray(segments, filter) {
    const count = several(segments, 4, "numbers") / 4;
    const at = this.#numbers(segments);
    return this.#each("rays", 5, LINE_HIT.BYTES, this.exports.hm_world_rays, [at, count, this.structs.filter(filter)], (hit, to) => {
      const { i32, f32 } = this.memory;
      to[0] = this.memory.id(hit + LINE_HIT.collider);
      to[1] = i32[(hit + LINE_HIT.point_x) >>> 2];
      to[2] = i32[(hit + LINE_HIT.point_y) >>> 2];
      to[3] = f32[(hit + LINE_HIT.normal_x) >>> 2];
      to[4] = f32[(hit + LINE_HIT.normal_y) >>> 2];
    });
  }

  /** Returns the collider under each of many pointers, or 0. */
  picksArray(points, options = {}) {
    checkKeys(options, ["radius", "order", "filter"], "the options of picksArray()");
    const count = several(points, 2, "numbers") / 2;
    const [radius, order, filter] = this.#pickRules(options);
    const given = [this.#numbers(points), count, radius, order, filter];
    return this.#each("picks", 1, 8, this.exports.hm_world_picks, given, (id, to) => (to[0] = this.memory.id(id)));
  }

  /**
   * Returns what many motions hit first: collider, x, y, the x and y of the first common pixel, time and normal of
   * each, or zeros. `ids[i]` moves by `dxDy[2 * i]` and the number after it. Nothing moves.
   */
  castsArray(ids, dxDy) {
    const at = this.#moves(ids, dxDy);
    const given = [at, at + 8 * ids.length, ids.length];
    return this.#each("casts", 8, HIT.BYTES, this.exports.hm_world_casts, given, (hit, to) => {
      const { f32 } = this.memory;
      to[0] = this.memory.id(hit + HIT.collider);
      for (let i = 0; i < CAST_FIELDS.length; i++) to[i + 1] = f32[(hit + CAST_FIELDS[i]) >>> 2];
    });
  }

  /** Copies numbers into the module, and returns their address. */
  #numbers(numbers) {
    const at = this.memory.bulk(4 * numbers.length);
    this.memory.f32.set(numbers, at >>> 2);
    return at;
  }

  /** Calls a function that lends one answer for each item. Returns `words` numbers of each. */
  #each(kind, words, bytes, query, given, read) {
    this.memory.call(query, this.handle, ...given, this.memory.out);
    const [items, count] = this.memory.list();
    const found = lent(this.lists, kind, words * count);
    for (let i = 0; i < count; i++) read(items + i * bytes, found.subarray(words * i, words * i + words));
    return found;
  }

  /** Checks the lengths of ids and motions, and writes them. Returns their address. */
  #moves(ids, dxDy) {
    const count = ids?.length;
    if (!Number.isInteger(count) || dxDy?.length !== 2 * count) {
      const found = `${describe(dxDy?.length)} numbers for ${describe(count)} ids`;
      throw new HitmaskError("BAD_LENGTH", `there are ${found}`, "give dx and dy for each id");
    }
    const at = this.memory.bulk(16 * count);
    this.memory.setIds(ids, at);
    this.memory.f32.set(dxDy, (at + 8 * count) >>> 2);
    return at;
  }

  /** Moves a collider up to the first obstacle. Returns the hit that ended the motion, or null. */
  moveUntilContact(id, dx, dy) {
    const { memory, exports } = this;
    const motion = memory.vec2(dx, dy);
    const found = memory.call(exports.hm_world_move_until_contact, this.handle, wide(id), motion, memory.out);
    return found ? readHit(memory, memory.out) : null;
  }

  /** Moves a collider and slides along obstacles. */
  moveAndSlide(id, dx, dy, rules) {
    const { memory, exports } = this;
    const motion = memory.vec2(dx, dy);
    const how = this.#rules(rules);
    memory.call(exports.hm_world_move_by_rules, this.handle, wide(id), motion, how, 0, 0, memory.out);
    const at = memory.out;
    const [passed, passedCount] = memory.list(at + MOVE_RESULT.passed);
    const [stuckIn, stuckCount] = memory.list(at + MOVE_RESULT.stuck_in);
    return {
      ...memory.readVec2(at + MOVE_RESULT.position),
      translation: memory.point(at + MOVE_RESULT.translation),
      contacts: readList(memory, at + MOVE_RESULT.contacts, BLOCKED.BYTES, readBlocked),
      passed: memory.ids(passed, passedCount),
      stuckIn: memory.ids(stuckIn, stuckCount),
    };
  }

  /**
   * Moves many colliders, one after another: `ids[i]` by `dxDy[2 * i]` and the number after it. All are moved,
   * or none.
   */
  moveMany(ids, dxDy, rules) {
    const { memory, exports } = this;
    const how = this.#rules(rules);
    const at = this.#moves(ids, dxDy);
    const count = ids.length;
    memory.call(exports.hm_world_move_all, this.handle, at, at + 8 * count, count, how, memory.out);
    const [items] = memory.list(memory.out);
    const [xy, translations, counts] = [new Float32Array(2 * count), new Int32Array(2 * count), new Uint32Array(3 * count)];
    for (let i = 0; i < count; i++) {
      const fields = (from, field, words) => {
        const first = (items + i * MOVED.BYTES + field) >>> 2;
        return from.subarray(first, first + words);
      };
      xy.set(fields(memory.f32, MOVED.position, 2), 2 * i);
      translations.set(fields(memory.i32, MOVED.translation, 2), 2 * i);
      counts.set(fields(memory.u32, MOVED.contacts, 3), 3 * i);
    }
    const contacts = readList(memory, memory.out + MOVES.contacts, BLOCKED.BYTES, readBlocked);
    const idsOf = (list) => memory.ids(...memory.list(memory.out + list));
    return { xy, translations, counts, contacts, passed: idsOf(MOVES.passed), stuckIn: idsOf(MOVES.stuck_in) };
  }

  #rules(rules) {
    if (rules === undefined) return 0;
    checkKeys(rules, Object.keys(RULES), "the rules of a move");
    const { memory, exports } = this;
    memory.raw(exports.hm_default_move_rules, memory.struct);
    for (const key in rules) {
      const min = key === "oneWay" ? -0x80000000 : 0;
      memory.u32[(memory.struct + RULES[key]) >>> 2] = whole(rules[key], key, min);
    }
    return memory.struct;
  }

  /** Returns the ids that a query lends. */
  #found(query, ...rest) {
    this.memory.call(query, this.handle, ...rest);
    return this.memory.ids(...this.memory.list());
  }
}

/** Returns an array of numbers that the next call for the same kind uses again. */
export function lent(lists, kind, count) {
  let list = lists[kind];
  if (!list || list.length < count) {
    list = lists[kind] = new Float64Array(Math.max(64, Math.ceil(1.5 * count)));
  }
  return list.subarray(0, count);
}

/** Returns the length of a list, or throws unless it is a multiple of a number. */
export function several(list, each, name) {
  const isList = Number.isInteger(list?.length);
  if (isList && list.length % each === 0) return list.length;
  const found = isList ? `there are ${list.length} ${name}` : `the ${name} are ${describe(list)}`;
  throw new HitmaskError("BAD_LENGTH", found, `give a list with ${each} for each item`);
}

/** Returns the items of a lent list. */
function readList(memory, pointer, bytes, read) {
  const [items, count] = memory.list(pointer);
  return Array.from({ length: count }, (_, at) => read(memory, items + at * bytes));
}

function readBlocked(memory, at) {
  return { collider: memory.id(at + BLOCKED.collider), side: SIDES[memory.u32[(at + BLOCKED.side) >>> 2]] };
}

function readGrazed(memory, at) {
  return { collider: memory.id(at + GRAZED.collider), graze: GRAZES[memory.u32[(at + GRAZED.graze) >>> 2]] };
}

function readContact(memory, at) {
  return {
    area: memory.id(at + CONTACT.area),
    rect: memory.rect(at + CONTACT.rect),
    point: memory.point(at + CONTACT.point),
  };
}

function readHit(memory, at) {
  const word = (offset) => memory.u32[(at + offset) >>> 2];
  return {
    collider: memory.id(at + HIT.collider),
    ...memory.readVec2(at + HIT.position),
    point: memory.readVec2(at + HIT.point),
    time: memory.f32[(at + HIT.impact_time) >>> 2],
    step: word(HIT.impact_step),
    steps: word(HIT.impact_steps),
    freeOffset: memory.point(at + HIT.impact_free_offset),
    contactOffset: memory.point(at + HIT.impact_contact_offset),
    normal: memory.readVec2(at + HIT.impact_normal),
    side: SIDES[word(HIT.impact_side)],
  };
}

function readLineHit(memory, at) {
  return {
    collider: memory.id(at + LINE_HIT.collider),
    ...memory.point(at + LINE_HIT.point),
    step: memory.u32[(at + LINE_HIT.step) >>> 2],
    steps: memory.u32[(at + LINE_HIT.steps) >>> 2],
    normal: memory.readVec2(at + LINE_HIT.normal),
  };
}
