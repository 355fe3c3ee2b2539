import { Crowd } from "./crowd.js";
import { Quads } from "./quads.js";

/** The numbers of sprites and the zooms to choose from. The least zoom shows all sprites. */
export const COUNTS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
export const ZOOMS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
/** Milliseconds between two showings of the figures. */
const SHOWN_EVERY = 250;

/** The tab of very many sprites: a crowd, the part of it that is seen, and what it takes. */
export class Many {
  /** The sprites, or null while another tab is shown. */
  crowd = null;
  /** What lies in the middle of the canvas. */
  x = 0;
  y = 0;
  frames = 0;
  /** Milliseconds of updates, of calls that draw, and between frames: moving averages. */
  #times = {};
  #shownAt = 0;
  #seen = 0;
  #quads = null;

  /**
   * @param {import("./hitmask/index.js").Hitmask} hitmask
   * @param {HTMLCanvasElement} canvas
   * @param {object} shown What the page shows: count, zoom and isRunning.
   * @param {import("./stage.js").Stage} stage Has the size and the colors.
   * @param {{ showFacts: (facts: object) => void, changed: () => void }} calls `changed` is called when the graphics driver
   *   goes or comes back.
   */
  constructor(hitmask, canvas, shown, stage, { showFacts, changed }) {
    Object.assign(this, { hitmask, canvas, shown, stage, showFacts });
    // A graphics driver that starts again has lost all that it was given.
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.#quads = null;
      changed();
    });
    canvas.addEventListener("webglcontextrestored", changed);
  }

  /** Shows a new crowd of sprites, from its middle. */
  start(arts) {
    this.stop();
    const { width, height } = this.stage.canvas;
    this.crowd = new Crowd(this.hitmask, arts, this.shown.count, width / height);
    [this.x, this.y, this.frames] = [this.crowd.width / 2, this.crowd.height / 2, 0];
    this.#times = { update: 0, draw: 0, frame: 0 };
    this.resize();
    this.#run(this.crowd);
  }

  stop() {
    this.crowd?.dispose();
    this.crowd = null;
  }

  /** Takes the size and the colors of the stage, and the sprites to the graphics driver. */
  resize() {
    const { canvas, stage, crowd } = this;
    if (!crowd) return;
    [canvas.width, canvas.height] = [stage.canvas.width, stage.canvas.height];
    try {
      this.#quads ??= new Quads(canvas);
    } catch (error) {
      console.warn(`The sprites are not drawn: ${error.message}`);
    }
    if (this.#quads && this.#quads.kinds !== crowd.kinds) this.#quads.take(crowd.kinds);
    this.frame(0);
  }

  /** Whether the sprites are drawn. */
  get isDrawn() {
    return this.#quads !== null;
  }

  /** Returns the zooms of the slider: the least one shows all. */
  zooms() {
    const { width, height } = this.crowd;
    const { canvas, ratio } = this.stage;
    const all = Math.min(canvas.width / width, canvas.height / height) / ratio;
    return [all, ...ZOOMS.filter((zoom) => zoom > all * 1.1)];
  }

  /** Returns pixels of the canvas per pixel of the plane: a whole number from 1 on, so that all are of one size. */
  #scale() {
    const scale = Math.max(this.shown.zoom, this.zooms()[0]) * this.stage.ratio;
    return scale < 1 ? scale : Math.round(scale);
  }

  /** Moves the camera by pixels of the page. */
  pan(dx, dy) {
    const { crowd, stage } = this;
    const step = stage.ratio / this.#scale();
    this.x = Math.max(0, Math.min(crowd.width, this.x + dx * step));
    this.y = Math.max(0, Math.min(crowd.height, this.y + dy * step));
    if (!this.shown.isRunning) this.frame(0);
  }

  #run(mine) {
    let before = null;
    const tick = (now) => {
      if (this.crowd !== mine) return;
      if (this.shown.isRunning && before !== null) this.frame((now - before) / 1000);
      before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Moves the sprites by a time in seconds, and draws them. */
  frame(seconds) {
    const { crowd, stage, shown } = this;
    const update = crowd.step(seconds);
    const start = performance.now();
    const { a: edge, shared } = stage.colors;
    this.#seen = this.#quads?.draw(crowd, { x: this.x, y: this.y, zoom: this.#scale() }, { edge: rgb(edge), shared: rgb(shared) });
    const times = { update, draw: performance.now() - start, frame: 1000 * seconds };
    for (const [key, value] of Object.entries(times)) {
      const before = this.#times[key];
      if (value > 0) this.#times[key] = before ? before + (value - before) / 10 : value;
    }
    this.frames++;
    if (shown.isRunning && seconds > 0 && start - this.#shownAt < SHOWN_EVERY) return;
    this.#shownAt = start;
    this.showFacts(this.#facts());
  }

  #facts() {
    const { update, draw, frame } = this.#times;
    const { shown } = this;
    const milliseconds = (value) => `${value.toFixed(1)} ms`;
    return {
      verdict: `${this.crowd.pairs.toLocaleString("en")} pairs touch`,
      isHit: true,
      facts: [
        ["sprites", this.crowd.ids.length.toLocaleString("en")],
        ["in view", (this.#seen ?? 0).toLocaleString("en")],
        ["update: all pairs", milliseconds(update)],
        ["drawing", this.isDrawn ? `${milliseconds(draw)} + GPU` : "none"],
        ["frames", shown.isRunning && frame > 0 ? `${Math.round(1000 / frame)} a second` : "stands still"],
      ],
    };
  }
}

/** Returns a computed color as numbers from 0 to 1. */
const rgb = (color) => color.match(/[\d.]+/g).slice(0, 3).map((value) => value / 255);
