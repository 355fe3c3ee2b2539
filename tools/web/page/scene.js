import { ANGLES, draw } from "./pose.js";

/**
 * Two sprites that a person moves. `players` are the two as the page shows them, at whole pixels:
 * { art, frame, x, y, step, scale, flipX }. The library answers for their masks.
 */
export class Scene {
  #hitmask;
  #world = null;
  #ids = [];
  /** By player: what its mask was made of. */
  #baked = [];

  constructor(hitmask, arts) {
    this.#hitmask = hitmask;
    this.players = arts.map((art) => ({ art, frame: 0, x: 0, y: 0, step: 0, scale: 1, flipX: false }));
  }

  /** Gives the world what the players show now. */
  update() {
    const made = this.players.flatMap(({ art, frame, scale }) => [art.frames[frame], art.alpha, scale]);
    if (made.some((value, i) => value !== this.#baked[i])) this.#bake(made);
    this.players.forEach((player, i) => this.#world.set(this.#ids[i], this.#collider(i)));
  }

  /** Bakes the frames on show, at their scales only, so that a slider moves at once. */
  #bake(made) {
    const sprites = this.players.map(({ art, frame, scale }, i) => {
      return { name: `${i}`, imageData: art.frames[frame], alpha: art.alpha, angles: ANGLES, scales: [scale] };
    });
    const atlas = this.#hitmask.bake(sprites, { compact: true });
    this.#world?.dispose();
    this.#world = this.#hitmask.world(atlas);
    atlas.dispose();
    this.#ids = this.players.map((_, i) => this.#world.add(this.#collider(i)));
    this.#baked = made;
  }

  #collider(i) {
    const { x, y, step, scale, flipX } = this.players[i];
    return { sprite: `${i}`, x, y, angle: (2 * Math.PI * step) / ANGLES, scale, flipX };
  }

  /** Moves the first player from the left into the second, so that they share some pixels. */
  meet() {
    const [a, b] = this.players;
    const reach = this.radius(a) + this.radius(b);
    [a.x, a.y, b.x, b.y] = [-Math.ceil(reach), -Math.round(0.1 * this.radius(b)), 0, 0];
    this.update();
    const hit = this.#world.cast(this.#ids[0], 2 * Math.ceil(reach), 0);
    const overlap = Math.max(2, Math.round(Math.min(this.radius(a), this.radius(b)) / 5));
    a.x = hit ? Math.round(hit.x) + overlap : -Math.round(reach / 2);
    this.update();
    // The middle of all pixels is the middle of the stage.
    const rects = [...this.rects(0), ...this.rects(1)];
    const { x0, y0, x1, y1 } = boundsOf(rects) ?? { x0: a.x, y0: 0, x1: 0, y1: 0 };
    for (const player of this.players) {
      player.x -= Math.round((x0 + x1) / 2);
      player.y -= Math.round((y0 + y1) / 2);
    }
    this.update();
  }

  /** Returns the radius of a circle that holds a player at any angle. */
  radius({ art, scale }) {
    const { width, height } = art.frames[0];
    return (scale * Math.hypot(width, height)) / 2;
  }

  /** Returns the number of the player at a place, or null. */
  pick(x, y, radius) {
    const id = this.#world.pick(x, y, { radius });
    return id === null ? null : this.#ids.indexOf(id);
  }

  /** Returns boxes that cover the mask of a player: x0, y0, x1, y1, ... */
  rects(i) {
    return this.#world.rects(this.#ids[i]);
  }

  /** Returns the borders of the mask of a player, each as x, y, x, y, ... */
  borders(i) {
    return this.#world.polygons(this.#ids[i]);
  }

  /** Returns what the library says about the two. */
  answer() {
    const overlap = this.#world.overlap(this.#ids[0], this.#ids[1]);
    const rects = [this.rects(0), this.rects(1)];
    const [a, b] = rects.map(boundsOf);
    const boxesOverlap = Boolean(a && b) && a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
    const distance = overlap ? 0 : this.#world.distance(this.#ids[0], this.#ids[1]);
    return { overlap, distance, boxesOverlap, rects, bounds: [a, b], shared: overlap ? common(...rects, overlap.rect) : [] };
  }

  /** Returns the picture of a player at its pose, as `draw` of pose.js does. */
  picture({ art, frame, step, scale, flipX }) {
    return draw(art.frames[frame], { step, scale, flipX });
  }
}

/** Returns the box around boxes, or null if there are none. */
function boundsOf(rects) {
  if (rects.length === 0) return null;
  const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let i = 0; i < rects.length; i += 4) {
    bounds.x0 = Math.min(bounds.x0, rects[i]);
    bounds.y0 = Math.min(bounds.y0, rects[i + 1]);
    bounds.x1 = Math.max(bounds.x1, rects[i + 2]);
    bounds.y1 = Math.max(bounds.y1, rects[i + 3]);
  }
  return bounds;
}

/** Returns the pixels [x, y] of a rectangle that lie in boxes of both lists. */
function common(a, b, { x0, y0, x1, y1 }) {
  const width = x1 - x0;
  const count = new Uint8Array(width * (y1 - y0));
  // The boxes of one list do not overlap.
  for (const rects of [a, b]) {
    for (let i = 0; i < rects.length; i += 4) {
      for (let y = Math.max(y0, rects[i + 1]); y < Math.min(y1, rects[i + 3]); y++) {
        for (let x = Math.max(x0, rects[i]); x < Math.min(x1, rects[i + 2]); x++) count[(y - y0) * width + x - x0]++;
      }
    }
  }
  const pixels = [];
  count.forEach((times, at) => times === 2 && pixels.push([x0 + (at % width), y0 + Math.floor(at / width)]));
  return pixels;
}
