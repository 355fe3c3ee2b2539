import { MAP, MAP_ITEM, MAP_REPORT, PROPERTY } from "./abi.js";
import { HitmaskError, describe } from "./error.js";
import { Handle } from "./handle.js";

/** The colliders of a map in a world, which `world.updateMap()` brings up to date. */
export class PlacedMap {
  /**
   * @param {import("./hitmask.js").Hitmask} hitmask
   * @param {number} handle
   * @param {import("../index.js").LevelMap} map
   * @param {number} x The place of the top left corner.
   * @param {number} y
   */
  constructor(hitmask, handle, { name, items }, x, y) {
    this.placed = new Handle(hitmask, handle, hitmask.exports.hm_placed_map_destroy, "the placed map");
    Object.assign(this, { name, items, x, y });
  }

  /** Frees the memory. The colliders stay. */
  dispose() {
    this.placed.dispose();
  }
}

/**
 * Brings a placed map up to date. Returns the report, which `memory.out` has too.
 *
 * @param {import("./world.js").World} world
 * @param {PlacedMap} map
 */
export function update(world, map) {
  const { hitmask, memory, exports } = world;
  if (!(map instanceof PlacedMap && map.placed.hitmask === hitmask)) {
    throw new HitmaskError("WRONG_HANDLE", `the map is ${describe(map)}`, "give one that addMap() has returned");
  }
  memory.call(exports.hm_world_update_map, world.handle, map.placed.handle, memory.out);
  const { items } = readMap(memory, memory.out + MAP_REPORT.map);
  const listed = (field) => {
    const [numbers, count] = memory.list(memory.out + field);
    return Array.from(memory.u32.subarray(numbers >>> 2, (numbers >>> 2) + count), (index) => items[index]);
  };
  map.items = items;
  return {
    inserted: listed(MAP_REPORT.inserted),
    removed: readItems(memory, memory.out + MAP_REPORT.removed),
    changed: listed(MAP_REPORT.changed),
    kept: listed(MAP_REPORT.kept),
  };
}

/**
 * Returns the map at an address.
 *
 * @param {import("./memory.js").Memory} memory
 * @param {number} at
 */
export function readMap(memory, at) {
  return {
    name: memory.text(memory.u32[(at + MAP.name) >>> 2]),
    ...readSize(memory, at + MAP.size),
    properties: readProperties(memory, at + MAP.properties),
    items: readItems(memory, at + MAP.items),
  };
}

function readSize(memory, at) {
  const { x: width, y: height } = memory.readVec2(at);
  return { width, height };
}

function readProperties(memory, list) {
  const [items, count] = memory.list(list);
  const text = (at) => memory.text(memory.u32[at >>> 2]);
  const pair = (_, i) => [text(items + i * PROPERTY.BYTES + PROPERTY.key), text(items + i * PROPERTY.BYTES + PROPERTY.value)];
  return Object.fromEntries(Array.from({ length: count }, pair));
}

/** Returns the items of the list at an address. */
function readItems(memory, list) {
  const [items, count] = memory.list(list);
  const text = (field) => memory.text(memory.u32[field >>> 2]);
  const item = (_, i) => {
    const from = items + i * MAP_ITEM.BYTES;
    return {
      id: memory.id(from + MAP_ITEM.collider) || null,
      path: text(from + MAP_ITEM.id),
      name: text(from + MAP_ITEM.name),
      class: text(from + MAP_ITEM.class_name),
      ...memory.readVec2(from + MAP_ITEM.position),
      ...readSize(memory, from + MAP_ITEM.size),
      properties: readProperties(memory, from + MAP_ITEM.properties),
    };
  };
  return Array.from({ length: count }, item);
}
