// What the page shows, as the fragment of its address: `#tab=crowd&count=50000&a=12_-3_6_1_0_0_128_rocket`. It holds
// what differs from the beginning. Pictures are not in it.
import { COUNTS, ZOOMS } from "./many.js";
import { ANGLES, scalesOf } from "./pose.js";

/** By the name in an address: what the page shows, and how it is read, which gives undefined for what cannot be. */
const anyOf = (...values) => (text) => values.find((value) => `${value}` === text);
const within = (from, to) => (text) => (text !== "" && text >= from && text <= to ? Number(text) : undefined);
const FIELDS = {
  tab: ["mode", anyOf("touch", "mask", "pieces", "crowd")],
  code: ["language", anyOf("JavaScript", "Rust", "C", "Python")],
  sprite: ["selected", anyOf(0, 1)],
  boxes: ["boxes", anyOf(true, false)],
  masks: ["masks", anyOf(true, false)],
  out: ["wayOut", anyOf(true, false)],
  error: ["error", within(0.1, 8)],
  count: ["count", anyOf(...COUNTS)],
  zoom: ["zoom", anyOf(0, ...ZOOMS)],
};
/** The farthest position, in pixels. */
const FARTHEST = 4096;

const write = ({ art, x, y, step, scale, flipX, frame }) => [x, y, step, scale, Number(flipX), frame, art.alpha, art.name].join("_");

/** Returns the fragment for what is shown, without what is as in `first`. */
export function fragmentOf(shown, players, first) {
  const all = Object.entries(FIELDS).map(([name, [key]]) => [name, `${shown[key]}`]);
  all.push(["a", write(players[0])], ["b", write(players[1])]);
  const before = new URLSearchParams(first);
  return `${new URLSearchParams(all.filter(([name, value]) => before.get(name) !== value))}`;
}

/**
 * Shows what a fragment says, as far as it can be, and returns the names of the sprites that are not here.
 *
 * @param {string} fragment
 * @param {object} shown
 * @param {object[]} players Those of scene.js.
 * @param {{ name: string }[]} arts
 */
export function show(fragment, shown, players, arts) {
  const given = new URLSearchParams(fragment);
  for (const [name, [key, read]] of Object.entries(FIELDS)) shown[key] = read(given.get(name) ?? "") ?? shown[key];
  return ["a", "b"].flatMap((name, i) => {
    if (!given.has(name)) return [];
    const [x, y, step, scale, flipX, frame, alpha, ...rest] = given.get(name).split("_");
    const art = arts.find((one) => one.name === rest.join("_"));
    if (!art) return [rest.join("_")];
    const whole = (text, from, to) => Math.round(within(from, to)(text) ?? 0);
    art.alpha = whole(alpha, 1, 255) || art.alpha;
    Object.assign(players[i], {
      art, x: whole(x, -FARTHEST, FARTHEST), y: whole(y, -FARTHEST, FARTHEST), step: whole(step, 0, ANGLES - 1),
      scale: anyOf(...scalesOf(art))(scale) ?? 1, flipX: flipX === "1", frame: whole(frame, 0, art.frames.length - 1),
    });
    return [];
  });
}
