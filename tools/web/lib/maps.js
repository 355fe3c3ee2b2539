import { MAP, MAP_ITEM, PROPERTY } from "./abi.js";

/**
 * Returns the map at an address.
 *
 * @param {import("./memory.js").Memory} memory
 * @param {number} at
 */
export function readMap(memory, at) {
  const text = (field) => memory.text(memory.u32[field >>> 2]);
  const properties = (list) => {
    const [items, count] = memory.list(list);
    const pair = (_, i) => [text(items + i * PROPERTY.BYTES + PROPERTY.key), text(items + i * PROPERTY.BYTES + PROPERTY.value)];
    return Object.fromEntries(Array.from({ length: count }, pair));
  };
  const size = (field) => {
    const { x: width, y: height } = memory.readVec2(field);
    return { width, height };
  };
  const [items, count] = memory.list(at + MAP.items);
  const item = (_, i) => {
    const from = items + i * MAP_ITEM.BYTES;
    return {
      id: memory.id(from + MAP_ITEM.collider) || null,
      name: text(from + MAP_ITEM.name),
      class: text(from + MAP_ITEM.class_name),
      ...memory.readVec2(from + MAP_ITEM.position),
      ...size(from + MAP_ITEM.size),
      properties: properties(from + MAP_ITEM.properties),
    };
  };
  return {
    name: text(at + MAP.name),
    ...size(at + MAP.size),
    properties: properties(at + MAP.properties),
    items: Array.from({ length: count }, item),
  };
}
