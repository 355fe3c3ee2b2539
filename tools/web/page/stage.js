import { canvasOf } from "./pose.js";

/** The part of the stage that sprites take. */
const FILL = 0.92;

/**
 * The picture of the two sprites, and the pointer on it. One pixel of the plane is a whole number of pixels of the
 * screen, if there is room.
 */
export class Stage {
  /** Canvases with the pictures of poses, by player. */
  #pictures = [{}, {}];
  #zoom = 1;
  #center = [0, 0];

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./scene.js").Scene} scene
   * @param {object} shown What the page shows: mode, selected, boxes, masks, wayOut, and the shape of the pieces.
   */
  constructor(canvas, scene, shown) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.scene = scene;
    this.shown = shown;
  }

  /** Takes the size of the element and the colors of the page. */
  resize() {
    const { canvas } = this;
    this.ratio = globalThis.devicePixelRatio || 1;
    const box = canvas.getBoundingClientRect();
    canvas.width = Math.max(1, Math.round(box.width * this.ratio));
    canvas.height = Math.max(1, Math.round(box.height * this.ratio));
    // A property of its own is a text. As the color of an element it is computed.
    const color = (name) => {
      canvas.style.color = `var(--${name})`;
      return getComputedStyle(canvas).color;
    };
    const names = ["a", "b", "shared", "normal", "out", "lost", "grid", "ink", "board"];
    this.colors = Object.fromEntries(names.map((name) => [name, color(name)]));
  }

  /** Chooses zoom and center so that the sprites fill the stage. */
  fit() {
    const { scene, shown, canvas } = this;
    const { players } = scene;
    let [width, height] = [1, 1];
    if (shown.mode === "touch") {
      const [a, b] = players.map((player) => 2 * scene.radius(player));
      [width, height] = [0.82 * (a + b), 1.15 * Math.max(a, b)];
      this.#center = [0, 0];
    } else {
      const player = players[shown.selected];
      const { width: w, height: h } = player.art.frames[0];
      const side = 2 * scene.radius(player);
      [width, height] = shown.mode === "mask" ? [side, side] : [w, h];
      this.#center = shown.mode === "mask" ? [player.x, player.y] : [0, 0];
    }
    const zoom = FILL * Math.min(canvas.width / width, canvas.height / height);
    this.#zoom = zoom >= 1 ? Math.floor(zoom) : zoom;
  }

  /** Returns the place on the plane of a pointer event. */
  place({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const { x, y } = this.#origin();
    return [((clientX - box.left) * this.ratio - x) / this.#zoom, ((clientY - box.top) * this.ratio - y) / this.#zoom];
  }

  /** Returns a length on the plane, of pixels of the page. */
  length(pixels) {
    return (pixels * this.ratio) / this.#zoom;
  }

  /** Returns the place on the plane of the handle that turns the selected sprite. */
  handle() {
    const player = this.scene.players[this.shown.selected];
    const angle = (2 * Math.PI * player.step) / 64 - Math.PI / 2;
    const reach = this.scene.radius(player) + this.length(16);
    return [player.x + reach * Math.cos(angle), player.y + reach * Math.sin(angle)];
  }

  /** Keeps a place on the plane within the stage. */
  inside([x, y]) {
    const [w, h] = [this.canvas.width, this.canvas.height].map((side) => (0.48 * side) / this.#zoom);
    return [Math.round(Math.max(-w, Math.min(w, x))), Math.round(Math.max(-h, Math.min(h, y)))];
  }

  #origin() {
    const { canvas } = this;
    const [x, y] = this.#center;
    return { x: Math.round(canvas.width / 2 - x * this.#zoom), y: Math.round(canvas.height / 2 - y * this.#zoom) };
  }

  /** Draws what the mode shows. `answer` is that of the scene. */
  draw(answer) {
    const { context, canvas, shown } = this;
    const origin = this.#origin();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = this.#zoom < 1;
    this.#grid(origin);
    context.setTransform(this.#zoom, 0, 0, this.#zoom, origin.x, origin.y);
    if (shown.mode === "touch") this.#drawTouch(answer);
    if (shown.mode === "mask") this.#drawMask(answer);
    if (shown.mode === "pieces") this.#drawPieces();
  }

  /** Lines between pixels of the plane. */
  #grid({ x, y }) {
    const { context, canvas } = this;
    const step = this.#zoom >= 7 ? this.#zoom : 8 * this.#zoom;
    if (step < 7) return;
    context.fillStyle = this.colors.grid;
    for (let at = x % step; at < canvas.width; at += step) context.fillRect(Math.round(at), 0, 1, canvas.height);
    for (let at = y % step; at < canvas.height; at += step) context.fillRect(0, Math.round(at), canvas.width, 1);
  }

  #drawTouch({ overlap, rects, bounds, shared }) {
    const { context, scene, shown, colors } = this;
    const { players } = scene;
    const colorOf = [colors.a, colors.b];
    const order = [1 - shown.selected, shown.selected];
    if (overlap && shown.wayOut) {
      const { x, y } = overlap.pushOut;
      this.#fill(rects[0].map((value, i) => value + (i % 2 ? y : x)), colors.out, 0.45);
    }
    for (const i of order) this.#picture(i, players[i].x, players[i].y);
    if (shown.masks) for (const i of order) this.#mask(i, rects[i], colorOf[i]);
    if (shown.boxes) bounds.forEach((box, i) => box && this.#box(box, colorOf[i]));
    const pixel = this.length(1) < 0.4 ? 0.06 : 0;
    context.fillStyle = colors.shared;
    for (const [x, y] of shared) context.fillRect(x + pixel, y + pixel, 1 - 2 * pixel, 1 - 2 * pixel);
    this.#selection(players[shown.selected], colorOf[shown.selected]);
    if (!overlap) return;
    const { centroid: from, normal, pushOut, point } = overlap;
    if (shown.wayOut) {
      const { x, y } = players[0];
      this.#arrow([x, y], [x + pushOut.x, y + pushOut.y], colors.out);
    }
    const reach = this.length(64);
    this.#arrow([from.x, from.y], [from.x + reach * normal.x, from.y + reach * normal.y], colors.normal);
    this.#ring(point.x + 0.5, point.y + 0.5, this.length(9), colors.ink, colors.board);
  }

  #drawMask({ rects }) {
    const { shown, scene, colors, context } = this;
    const player = scene.players[shown.selected];
    const { image, x0, y0 } = this.#picture(shown.selected, player.x, player.y);
    this.#mask(shown.selected, rects[shown.selected], shown.selected ? colors.b : colors.a);
    // The pixels that are seen and not solid.
    context.fillStyle = colors.lost;
    const inset = this.length(1) < 0.4 ? 0.36 : 0;
    for (let at = 3; at < image.data.length; at += 4) {
      if (image.data[at] === 0 || image.data[at] >= player.art.alpha) continue;
      const i = (at - 3) / 4;
      const [x, y] = [player.x + x0 + (i % image.width), player.y + y0 + Math.floor(i / image.width)];
      context.fillRect(x + inset, y + inset, 1 - 2 * inset, 1 - 2 * inset);
    }
  }

  #drawPieces() {
    const { shown, scene, context, colors } = this;
    const { art, frame } = scene.players[shown.selected];
    const { width, height } = art.frames[frame];
    context.globalAlpha = 0.5;
    this.#picture(shown.selected, 0, 0, { step: 0, scale: 1, flipX: false });
    context.globalAlpha = 1;
    // Shapes count from the centre of the image, and pixels from the pixel that it lies in.
    context.translate((width & 1) / 2, (height & 1) / 2);
    context.lineJoin = "round";
    const trace = (points) => {
      points.forEach(({ x, y }, i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
    };
    shown.shape.pieces.forEach((points, i) => {
      context.beginPath();
      trace(points);
      context.fillStyle = `hsl(${(i * 137.5) % 360} 70% 55% / 0.5)`;
      context.fill();
      this.#stroke(colors.board, 1.5);
    });
    context.beginPath();
    for (const { border, holes } of shown.shape.polygons) [border, ...holes].forEach(trace);
    this.#stroke(colors.ink, 2);
  }

  /** Draws a player at a place, and returns its picture. */
  #picture(i, x, y, pose) {
    const player = { ...this.scene.players[i], ...pose };
    const { art, frame, step, scale, flipX } = player;
    const kept = this.#pictures[i];
    if (kept.image !== art.frames[frame] || kept.key !== `${step} ${scale} ${flipX}`) {
      const picture = this.scene.picture(player);
      this.#pictures[i] = { image: art.frames[frame], key: `${step} ${scale} ${flipX}`, picture, canvas: canvasOf(picture.image) };
    }
    const { canvas, picture } = this.#pictures[i];
    this.context.drawImage(canvas, x + picture.x0, y + picture.y0);
    return picture;
  }

  #fill(rects, color, alpha) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = color;
    // One path, so that no seams show between boxes.
    context.beginPath();
    for (let i = 0; i < rects.length; i += 4) context.rect(rects[i], rects[i + 1], rects[i + 2] - rects[i], rects[i + 3] - rects[i + 1]);
    context.fill();
    context.globalAlpha = 1;
  }

  /** The mask of a player: its solid pixels, and their borders. */
  #mask(i, rects, color) {
    const { context } = this;
    this.#fill(rects, color, 0.45);
    context.beginPath();
    for (const ring of this.scene.borders(i)) {
      for (let at = 0; at < ring.length; at += 2) context[at ? "lineTo" : "moveTo"](ring[at], ring[at + 1]);
      context.closePath();
    }
    this.#stroke(color, 2.5);
  }

  /** Draws the present path as a line, as wide as so many pixels of the page. */
  #stroke(color, width) {
    Object.assign(this.context, { strokeStyle: color, lineWidth: this.length(width) });
    this.context.stroke();
  }

  #box({ x0, y0, x1, y1 }, color) {
    const { context } = this;
    context.setLineDash([this.length(5), this.length(4)]);
    context.beginPath();
    context.rect(x0, y0, x1 - x0, y1 - y0);
    this.#stroke(color, 1.5);
    context.setLineDash([]);
  }

  /** The handle that turns a sprite. */
  #selection(player, color) {
    const { context } = this;
    const [x, y] = this.handle();
    context.beginPath();
    context.arc(player.x, player.y, this.scene.radius(player), 0, 2 * Math.PI);
    context.moveTo(player.x, player.y);
    context.lineTo(x, y);
    context.globalAlpha = 0.4;
    this.#stroke(color, 1);
    context.globalAlpha = 1;
    this.#ring(x, y, this.length(8), color, this.colors.board);
  }

  #ring(x, y, radius, color, halo) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    this.#stroke(halo, 5);
    this.#stroke(color, 2.5);
  }

  #arrow([x0, y0], [x1, y1], color) {
    const { context } = this;
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length === 0) return;
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const head = Math.min(this.length(11), length);
    Object.assign(context, { lineCap: "round", lineJoin: "round" });
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.moveTo(x1 - head * (dx - 0.6 * dy), y1 - head * (dy + 0.6 * dx));
    context.lineTo(x1, y1);
    context.lineTo(x1 - head * (dx + 0.6 * dy), y1 - head * (dy - 0.6 * dx));
    this.#stroke(this.colors.board, 6);
    this.#stroke(color, 3);
  }
}
