// A pile of sprites on terrain that a shell carves, and the comparison of an engine's contacts with the masks.
import { existsSync, readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { load } from "../../index.js";
import { drawn } from "../scene.js";

const wasm = new URL("../../wasm/hitmask.all.simd.wasm", import.meta.url);
export const hitmask = await load({ wasm: readFileSync(wasm) });

/** The size of the terrain in pixels, and the crater. */
const [WIDTH, HEIGHT] = [480, 320];
const CRATER = { x: 240, y: 270, radius: 26, tick: 200 };
/** Mask pixels per pixel in the comparison: turned masks are then exact to 0.18 px. */
const FINE = 4;
const RASTER = 0.3;
/** Engines may push bodies into each other by this, in pixels. Deeper contacts are not compared. */
const DEPTH = 1;
const SPRITES = 14;
/** The ticks at the end in which sprites rest. */
const REST = 60;

/** Sprites without symmetry, with arms, gaps and holes. */
export const sprites = [
  // A key: a ring with a hole, and two teeth on one side.
  drawn(56, 30, (x, y) => {
    const reach = Math.hypot(x - 14.5, y - 14.5);
    const tooth = (x > 34 && x < 41) || (x > 46 && x < 54);
    return (reach < 14.5 && reach > 5.5) || (x > 26 && x < 55 && y > 10 && y < 19) || (tooth && y > 16 && y < 29);
  }),
  // A horseshoe.
  drawn(44, 48, (x, y) => {
    const reach = Math.hypot(x - 21.5, y - 22);
    return (y < 22 && reach < 21.5 && reach > 11) || (y >= 22 && Math.abs(Math.abs(x - 21.5) - 16) < 5.5 && y < 36 + x / 4);
  }),
  // A boot.
  drawn(40, 46, (x, y) => (x < 19 && y < 34) || (y >= 28 && y < 46 && (x < 30 || Math.hypot(x - 30, y - 37) < 9.5))),
  // A star with a hole beside its middle.
  drawn(52, 52, (x, y) => {
    const [dx, dy] = [x - 25.5, y - 25.5];
    const reach = 26 * (0.72 + 0.28 * Math.cos(5 * Math.atan2(dy, dx) + 0.4));
    return Math.hypot(dx, dy) < reach && Math.hypot(dx + 6, dy) > 5;
  }),
];

/** Sprites of games, if target/corpus has them: see .ci/run. */
export const art = ["wait_p1_0097", "loose_p1_0054", "win_rp1_0027", "wait_rp1_0055", "anime-shooter_rp2_0021"].flatMap((name) => {
  const file = new URL(`../../../../target/corpus/usr/share/games/frozen-bubble/gfx/pinguins/${name}.png`, import.meta.url);
  return existsSync(file) ? [PNG.sync.read(readFileSync(file))] : [];
});

/** Hills with walls at both ends, and a cave. */
const terrain = drawn(WIDTH, HEIGHT, (x, y) => {
  const wall = Math.max(0, 60 - x, x - (WIDTH - 60)) ** 2 / 12;
  const ground = 232 + 9 * Math.sin(x / 23) + 5 * Math.sin(x / 7.3) - wall;
  return y > ground && Math.hypot(x - 120, y - 285) > 22;
});

/** Returns a copy with FINE x FINE pixels for each. */
const fine = ({ width, height, data }) =>
  drawn(FINE * width, FINE * height, (x, y) => data[4 * (Math.floor(y / FINE) * width + Math.floor(x / FINE)) + 3] >= 128);

/** Returns a copy with a clear border, grown or shrunk by `radius` pixels. */
function resized({ width, height, data }, radius) {
  const { memory, exports } = hitmask;
  // A clear pixel on each side, so that the sides of a full image shrink too.
  const [w, h] = [width + 2, height + 2];
  const framed = new Uint8Array(w * h);
  for (let at = 0; at < width * height; at++) {
    framed[(Math.floor(at / width) + 1) * w + (at % width) + 1] = data[4 * at + 3];
  }
  memory.call(exports.hm_mask_from_alpha, w, h, memory.bytes(framed), w * h, 128, memory.out);
  const mask = memory.u32[memory.out >>> 2];
  const change = radius < 0 ? exports.hm_mask_shrunk : exports.hm_mask_grown;
  memory.call(change, mask, Math.abs(radius), 0, memory.out);
  const made = memory.u32[memory.out >>> 2];
  memory.call(exports.hm_mask_size, made, memory.out);
  const [madeW, madeH] = memory.u32.subarray(memory.out >>> 2, (memory.out >>> 2) + 2);
  memory.call(exports.hm_mask_alpha, made, memory.out);
  const alpha = memory.u8.slice(memory.list()[0], memory.list()[0] + madeW * madeH);
  memory.call(exports.hm_mask_destroy, mask);
  memory.call(exports.hm_mask_destroy, made);
  // A grown mask is larger on all sides.
  const more = (madeW - w) / 2;
  const grown = { width: madeW, height: madeH, data: new Uint8Array(4 * madeW * madeH) };
  alpha.forEach((value, at) => (grown.data[4 * at + 3] = value));
  return { image: grown, border: 1 + more };
}

/** The masks of bodies, grown and shrunk, at the places of the bodies. */
class Masks {
  /** The grown and the shrunk image of each image, with their borders. */
  #resized = new Map();
  #world = hitmask.world(hitmask.bake([{ name: "none", imageData: drawn(1, 1, () => false) }]));
  /** For each body, the masks with their pivots. */
  #bodies = [];
  #collided = new Map();

  /** @param {number} grow Pixels by which masks are grown, so that each contact overlaps. */
  constructor(grow, shrink) {
    this.radii = [Math.ceil(FINE * grow), -Math.ceil(FINE * shrink)];
  }

  /** Adds a body with a pivot in pixels. A body without a pivot never moves. */
  add(image, pivot) {
    const body = this.#bodies.length;
    if (!this.#resized.has(image)) {
      const large = fine(image);
      this.#resized.set(image, this.radii.map((radius) => resized(large, radius)));
    }
    this.#bodies.push(this.#resized.get(image).map(({ image, border }, layer) => {
      const [x, y] = (pivot ?? [0, 0]).map((value) => FINE * value + border);
      const mask = this.#world.addMask(image, { pivot: [x, y], ...(pivot && { transform: [1, 0, 0, 1, 0, 0] }) });
      const bits = { layers: 1 << layer, collidesWith: 1 << layer };
      const id = this.#world.add({ mask, fixed: !pivot, ...bits });
      this.#collided.set(id, { body, layer });
      return { mask, id };
    }));
    return body;
  }

  remove(body) {
    for (const { mask, id } of this.#bodies[body]) {
      this.#world.remove(id);
      this.#world.removeMask(mask);
    }
  }

  place(body, { x, y, angle }) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (const { mask } of this.#bodies[body]) {
      this.#world.transformMask(mask, [cos, sin, -sin, cos, FINE * x, FINE * y]);
    }
  }

  /** Returns the pairs of bodies whose grown masks overlap, and those whose shrunk ones do. */
  overlaps() {
    this.#world.update();
    const found = [new Set(), new Set()];
    for (const [a, b] of this.#world.touching()) {
      const { body, layer } = this.#collided.get(a);
      found[layer].add(pairKey(body, this.#collided.get(b).body));
    }
    return found;
  }
}

export const pairKey = (a, b) => (a < b ? `${a},${b}` : `${b},${a}`);

/**
 * Lets sprites fall onto terrain, carves a crater under them, and waits until they rest.
 *
 * An engine has `body(shape, pose)` and `ground(cell)`, which return a body; `remove(body)`; `step()`, which returns
 * the depth in pixels of each contact as [body, body, depth]; `pose(body)`: x, y and angle of the pivot, in pixels with
 * y down, at which these contacts were found; `mass(body)` as that of a shape; `slop` in pixels; and `options`.
 */
export function pile(engine, images, { maxError = 1, ticks = 600, every = 20 } = {}) {
  const grow = maxError + engine.slop / 2 + RASTER;
  const masks = new Masks(grow, grow + DEPTH);
  const world = hitmask.world(hitmask.bake([{ name: "none", imageData: drawn(1, 1, () => false) }]));
  const mask = world.addMask(terrain, { pivot: [0, 0] });
  const options = { maxError, ...engine.options };
  const grid = world.shapeGrid(mask, { side: 64, ...options });
  const cells = [];
  const replace = (id) => {
    if (cells[id]) engine.remove(cells[id]);
    const cell = grid.cell(id);
    cells[id] = cell.pieces.length ? engine.ground(cell) : null;
  };
  for (let id = 0; id < grid.count; id++) replace(id);
  let ground = masks.add(terrain);
  const report = { contacts: 0, deepest: 0, compared: 0, cores: 0, grazes: 0, faults: [] };
  const bodies = new Map();
  // None touches another one at the start.
  const gap = Math.max(...images.map(({ width, height }) => Math.hypot(width, height)));
  const columns = Math.floor(300 / gap) + 1;
  for (let i = 0; i < SPRITES; i++) {
    const image = images[i % images.length];
    const pivot = [image.width / 2, image.height / 2];
    const shape = hitmask.shape(image, { origin: pivot, ...options });
    const pose = { x: 90 + gap * (i % columns), y: 150 - gap * Math.floor(i / columns), angle: i * 0.7 };
    const body = engine.body(shape, pose);
    bodies.set(body, masks.add(image, pivot));
    // The engine adds up its pieces.
    const { area, centroid, inertia = shape.mass.inertia } = engine.mass(body);
    const near = (a, b, size) => Math.abs(a - b) <= 1e-3 * size;
    const side = Math.sqrt(shape.mass.area);
    const isSame =
      near(area, shape.mass.area, shape.mass.area) && near(inertia, shape.mass.inertia, shape.mass.inertia) &&
      near(centroid.x, shape.mass.centroid.x, side) && near(centroid.y, shape.mass.centroid.y, side);
    if (!isSame) report.faults.push(`body ${i}: ${JSON.stringify([area, centroid, inertia, shape.mass])}`);
  }
  const poses = () => [...bodies.keys()].map((body) => engine.pose(body));
  let last = [];
  for (let tick = 0; tick < ticks; tick++) {
    if (tick === CRATER.tick) {
      const { x, y, radius } = CRATER;
      world.fillDisc(mask, x, y, radius);
      const rect = { x0: x - radius, y0: y - radius, x1: x + radius + 1, y1: y + radius + 1 };
      grid.update(rect).forEach(replace);
      masks.remove(ground);
      const carved = { ...terrain, data: terrain.data.slice() };
      for (let at = 0; at < WIDTH * HEIGHT; at++) {
        if (Math.hypot((at % WIDTH) - x, Math.floor(at / WIDTH) - y) <= radius) carved.data[4 * at + 3] = 0;
      }
      ground = masks.add(carved);
    }
    if (tick === ticks - REST) last = poses();
    const found = engine.step();
    if (tick % every !== 0 && tick !== ticks - 1) continue;
    const depths = new Map();
    for (const [a, b, depth] of found) {
      const key = pairKey(bodies.get(a) ?? ground, bodies.get(b) ?? ground);
      depths.set(key, Math.max(depth, depths.get(key) ?? 0));
    }
    for (const [body, at] of bodies) masks.place(at, engine.pose(body));
    const [grown, cores] = masks.overlaps();
    const fault = (text, key) => report.faults.push(`tick ${tick}, bodies ${key}: ${text} (depth ${depths.get(key)})`);
    for (const [key, depth] of depths) {
      report.contacts++;
      report.deepest = Math.max(report.deepest, depth);
      if (!grown.has(key)) fault("a contact, and the grown masks are apart", key);
    }
    for (const key of cores) {
      report.cores++;
      if (!((depths.get(key) ?? 0) > DEPTH)) fault("the shrunk masks overlap, and no contact is as deep", key);
    }
    report.grazes += [...grown].filter((key) => !depths.has(key)).length;
    report.compared += grown.size;
  }
  report.poses = poses();
  report.moved = Math.max(...report.poses.map(({ x, y }, at) => Math.hypot(x - last[at].x, y - last[at].y)));
  return report;
}
