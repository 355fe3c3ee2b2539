// What the pages of engines have in common: the picture of a star, and sprites that drift and turn.
import { load } from "../index.js";

export const [WIDTH, HEIGHT, COUNT] = [640, 400, 60];
export const BACKGROUND = [16, 16, 24];
export const LIT = [255, 176, 96];

/** Returns a star of 24 x 24 pixels without soft edges, as a canvas. */
export function star() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 24, height: 24 });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  for (let y = 0; y < 24; y++) {
    for (let x = 0; x < 24; x++) {
      const [dx, dy] = [x - 11.5, y - 11.5];
      const distance = Math.hypot(dx, dy);
      if (distance < 8.4 + 3.6 * Math.cos(5 * Math.atan2(dy, dx)) && distance > 3) context.fillRect(x, y, 1, 1);
    }
  }
  return canvas;
}

/**
 * Returns sprites with places { x, y, angle }, and a function for each frame. It moves the sprites, finds those that
 * touch, and calls `show` with each one, its number, and whether it touches another.
 */
export async function crowd(image, show) {
  const hitmask = await load({ bake: true });
  const imageData = image.getContext("2d").getImageData(0, 0, image.width, image.height);
  const world = hitmask.world(hitmask.bake([{ name: "star", imageData }]));
  const between = (from, to) => from + Math.random() * (to - from);
  const sprites = Array.from({ length: COUNT }, () => ({
    x: between(20, WIDTH - 20), y: between(20, HEIGHT - 20), angle: between(0, 7),
    dx: between(-1, 1), dy: between(-1, 1), turn: between(-0.05, 0.05), id: world.add({ sprite: "star" }),
  }));
  // A test stops it to look at a frame.
  const state = { frames: 0, isMoving: true, world, sprites };
  window.example = state;
  const step = () => {
    for (const it of state.isMoving ? sprites : []) {
      if (it.x + it.dx < 20 || it.x + it.dx > WIDTH - 20) it.dx = -it.dx;
      if (it.y + it.dy < 20 || it.y + it.dy > HEIGHT - 20) it.dy = -it.dy;
      it.x += it.dx;
      it.y += it.dy;
      it.angle += it.turn;
      world.place(it.id, it.x, it.y, it.angle, 1);
    }
    world.update();
    const touched = new Set(world.touchingArray());
    sprites.forEach((sprite, i) => show(sprite, i, touched.has(sprite.id)));
    state.frames++;
  };
  return { sprites, step };
}
