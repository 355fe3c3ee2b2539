import { ANGLES } from "./pose.js";
import { CELL } from "./quads.js";

/** Pixels of the plane for each sprite, so that about every second sprite touches another. */
export const ROOM = 3000;
/** The longest diagonal of a sprite, in pixels, so that each pose fits a cell. Larger sprites are baked smaller. */
const DIAGONAL = CELL - 4;
/** The most sprites of different kinds. */
const KINDS = 16;
/** Seconds after which a late frame moves sprites no farther. */
const LONGEST_STEP = 0.05;

/** Very many sprites that drift and turn. */
export class Crowd {
  /**
   * @param {import("./hitmask/index.js").Hitmask} hitmask
   * @param {{ frames: ImageData[], alpha: number }[]} arts
   * @param {number} count The number of sprites.
   * @param {number} aspect Width by height of the plane.
   */
  constructor(hitmask, arts, count, aspect) {
    this.width = Math.round(Math.sqrt(count * ROOM * aspect));
    this.height = Math.round((count * ROOM) / this.width);
    this.kinds = arts.slice(0, KINDS).map(({ frames: [image], alpha }) => {
      const fit = DIAGONAL / Math.hypot(image.width, image.height);
      return { image, alpha, scale: fit < 1 ? Math.max(1 / 64, fit) : Math.min(4, Math.floor(fit)) };
    });
    const sprites = this.kinds.map(({ image, alpha, scale }, i) => {
      return { name: `${i}`, imageData: image, alpha, angles: ANGLES, scales: [scale] };
    });
    const atlas = hitmask.bake(sprites);
    this.world = hitmask.world(atlas);
    atlas.dispose();
    this.ids = new Float64Array(count);
    /** By sprite: x, y and angle, and their speeds. */
    this.places = new Float32Array(3 * count);
    this.speeds = new Float32Array(3 * count);
    const { random } = Math;
    for (let i = 0; i < count; i++) {
      const kind = i % this.kinds.length;
      this.places.set([random() * this.width, random() * this.height, random() * 2 * Math.PI], 3 * i);
      this.speeds.set([random() * 60 - 30, random() * 60 - 30, random() * 2 - 1], 3 * i);
      this.ids[i] = this.world.add({ sprite: `${kind}`, scale: this.kinds[kind].scale });
    }
    /** By slot of a collider: the number of its sprite. */
    this.spriteOf = new Uint32Array(this.ids.reduce((most, id) => Math.max(most, id >>> 0), 0) + 1);
    this.ids.forEach((id, i) => (this.spriteOf[id >>> 0] = i));
    /** By sprite: 1 if it touches another one. */
    this.touches = new Uint8Array(count);
    this.pairs = 0;
  }

  /** Moves all sprites by a time in seconds and finds the pairs. Returns the milliseconds of placement and update. */
  step(seconds) {
    this.#move(Math.min(seconds, LONGEST_STEP));
    const start = performance.now();
    this.world.placeMany(this.ids, this.places);
    this.world.update();
    const milliseconds = performance.now() - start;
    const pairs = this.world.touchingArray();
    this.pairs = pairs.length / 2;
    this.touches.fill(0);
    for (let i = 0; i < pairs.length; i++) this.touches[this.spriteOf[pairs[i] >>> 0]] = 1;
    return milliseconds;
  }

  #move(seconds) {
    const { places, speeds, width, height } = this;
    for (let i = 0; i < places.length; i += 3) {
      places[i] += speeds[i] * seconds;
      places[i + 1] += speeds[i + 1] * seconds;
      places[i + 2] += speeds[i + 2] * seconds;
      if (speeds[i] < 0 ? places[i] < 0 : places[i] > width) speeds[i] = -speeds[i];
      if (speeds[i + 1] < 0 ? places[i + 1] < 0 : places[i + 1] > height) speeds[i + 1] = -speeds[i + 1];
    }
  }

  /** Frees the memory of the world. */
  dispose() {
    this.world.dispose();
  }
}
