import { ANGLES, draw } from "./pose.js";

/** The number of sprites. */
const COUNT = 10_000;
/** The longer side of a sprite, in pixels: larger ones are baked smaller. */
const SIDE = 13;
/** Pixels of the plane for each sprite. */
const ROOM = 280;
/** Pixels around the plane, so that sprites at its edges are drawn without a check. */
const BORDER = 16;
/** The most sprites of different kinds. */
const KINDS = 16;

/** 10,000 sprites that drift and turn. Pixels that two of them share are lit, and so are the sprites. */
export class Crowd {
  /**
   * @param {import("./hitmask/index.js").Hitmask} hitmask
   * @param {{ frames: ImageData[], alpha: number }[]} arts
   * @param {number} aspect Width by height of the plane.
   */
  constructor(hitmask, arts, aspect) {
    this.width = Math.round(Math.sqrt(COUNT * ROOM * aspect));
    this.height = Math.round((COUNT * ROOM) / this.width);
    /** The picture, with a border. */
    this.canvas = Object.assign(document.createElement("canvas"), { width: this.width + 2 * BORDER, height: this.height + 2 * BORDER });
    this.image = new ImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.kinds = arts.slice(0, KINDS).map(({ frames: [image], alpha }) => {
      const scale = Math.max(1 / 64, Math.min(1, SIDE / Math.max(image.width, image.height)));
      return { image, alpha, scale, poses: new Array(ANGLES) };
    });
    const sprites = this.kinds.map(({ image, alpha, scale }, i) => {
      return { name: `${i}`, imageData: image, alpha, angles: ANGLES, scales: [scale] };
    });
    const atlas = hitmask.bake(sprites);
    this.world = hitmask.world(atlas);
    atlas.dispose();
    this.ids = new Float64Array(COUNT);
    this.places = new Float32Array(3 * COUNT);
    this.speeds = new Float32Array(3 * COUNT);
    const { random } = Math;
    for (let i = 0; i < COUNT; i++) {
      const kind = i % this.kinds.length;
      this.places.set([random() * this.width, random() * this.height, random() * 2 * Math.PI], 3 * i);
      this.speeds.set([random() * 60 - 30, random() * 60 - 30, random() * 2 - 1], 3 * i);
      this.ids[i] = this.world.add({ sprite: `${kind}`, scale: this.kinds[kind].scale });
    }
    /** By slot: whether the sprite touches another. */
    this.isLit = new Uint8Array(2 * COUNT);
    this.pairs = 0;
    /** Milliseconds of the placement and the update, and of the whole frame: moving averages. */
    this.updateTime = this.frameTime = 0;
    this.frames = 0;
  }

  /** Moves all sprites by a time in seconds, finds the pairs, and draws. `colors` are those of lit sprites and pixels. */
  step(seconds, colors) {
    const start = performance.now();
    this.#move(Math.min(seconds, 0.05));
    const placed = performance.now();
    this.world.placeMany(this.ids, this.places);
    this.world.update();
    const updated = performance.now();
    const pairs = this.world.touchingArray();
    this.pairs = pairs.length / 2;
    this.isLit.fill(0);
    for (let i = 0; i < pairs.length; i++) this.isLit[pairs[i] >>> 0] = 1;
    this.#draw(colors);
    const average = (before, now) => (this.frames === 0 ? now : before + (now - before) / 10);
    this.updateTime = average(this.updateTime, updated - placed);
    this.frameTime = average(this.frameTime, performance.now() - start);
    this.frames++;
  }

  #move(seconds) {
    const { places, speeds } = this;
    for (let i = 0; i < places.length; i++) {
      places[i] += speeds[i] * seconds;
      const end = [this.width, this.height, Infinity][i % 3];
      if (i % 3 < 2 && (speeds[i] < 0 ? places[i] < 0 : places[i] > end)) speeds[i] = -speeds[i];
    }
  }

  #draw({ lit, shared }) {
    const { pixels, places, ids, isLit, kinds } = this;
    const row = this.image.width;
    pixels.fill(0);
    for (let i = 0; i < COUNT; i++) {
      const step = ((Math.round((places[3 * i + 2] * ANGLES) / (2 * Math.PI)) % ANGLES) + ANGLES) % ANGLES;
      const kind = kinds[i % kinds.length];
      const { offsets, colors } = (kind.poses[step] ??= solidPixels(kind, step, row));
      const from = (Math.floor(places[3 * i + 1] + 0.5) + BORDER) * row + Math.floor(places[3 * i] + 0.5) + BORDER;
      const isTouching = isLit[ids[i] >>> 0] === 1;
      for (let j = 0; j < offsets.length; j++) {
        const at = from + offsets[j];
        pixels[at] = pixels[at] !== 0 ? shared : isTouching ? lit : colors[j];
      }
    }
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
  }

  /** Frees the memory of the world. */
  dispose() {
    this.world.dispose();
  }
}

/** Returns the solid pixels of a kind at an angle, as offsets in an image with rows of that length. */
function solidPixels({ image, alpha, scale }, step, row) {
  const { image: drawn, x0, y0 } = draw(image, { step, scale });
  const colors = new Uint32Array(drawn.data.buffer);
  const solid = [...colors.keys()].filter((at) => drawn.data[4 * at + 3] >= alpha);
  return {
    offsets: Int32Array.from(solid, (at) => (y0 + Math.floor(at / drawn.width)) * row + x0 + (at % drawn.width)),
    colors: Uint32Array.from(solid, (at) => (colors[at] | 0xff000000) >>> 0),
  };
}
