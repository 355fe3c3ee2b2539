// The sprites of this page, drawn by code.

/** Returns the sprites of the page. */
export const ours = () =>
  Object.entries(PAINTERS).map(([name, [width, height, paint]]) => {
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    paint(context);
    return newArt(name, [context.getImageData(0, 0, width, height)]);
  });

/**
 * Returns a sprite: its frames, all of one size, and the least alpha of a solid pixel.
 *
 * @param {string} name
 * @param {ImageData[]} frames
 */
export const newArt = (name, frames) => ({ name, frames, alpha: 128, isYours: false, note: "" });

/** Fills a path. Points are x, y, x, y, ... */
function polygon(context, color, ...points) {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
  context.fillStyle = color;
  context.fill();
}

function disc(context, color, x, y, radius, from = 0, to = 2 * Math.PI) {
  context.beginPath();
  context.arc(x, y, radius, from, to);
  context.fillStyle = color;
  context.fill();
}

function arc(context, color, line, x, y, radius, from = 0, to = 2 * Math.PI) {
  context.beginPath();
  context.arc(x, y, radius, from, to);
  Object.assign(context, { strokeStyle: color, lineWidth: line });
  context.stroke();
}

/** By name: width, height, and what paints it. */
const PAINTERS = {
  rocket: [44, 28, (context) => {
    polygon(context, "#f7b733", 8, 10, 0, 14, 8, 18);
    polygon(context, "#c8453b", 7, 14, 4, 1, 11, 1, 24, 9, 24, 19, 11, 27, 4, 27);
    context.beginPath();
    context.ellipse(22, 14, 20, 7, 0, 0, 2 * Math.PI);
    context.fillStyle = "#dfe5ee";
    context.fill();
    polygon(context, "#c8453b", 36, 9, 43, 14, 36, 19);
    disc(context, "#33415c", 26, 14, 4);
    disc(context, "#7fd1ff", 26, 14, 3);
    disc(context, "#ffffff", 25, 13, 1);
  }],
  magnet: [40, 40, (context) => {
    arc(context, "#3f74d1", 9, 20, 20, 14, 0.75, 2 * Math.PI - 0.75);
    arc(context, "#dfe5ee", 9, 20, 20, 14, 0.75, 1.15);
    arc(context, "#dfe5ee", 9, 20, 20, 14, -1.15, -0.75);
    arc(context, "#79a5f0", 2, 20, 20, 16, Math.PI, 1.45 * Math.PI);
  }],
  ghost: [38, 38, (context) => {
    const glow = context.createRadialGradient(19, 19, 7, 19, 19, 19);
    glow.addColorStop(0, "rgba(140, 120, 255, 1)");
    glow.addColorStop(1, "rgba(140, 120, 255, 0)");
    disc(context, glow, 19, 19, 19);
    disc(context, "#f3efff", 19, 17, 9, Math.PI);
    polygon(context, "#f3efff", 10, 17, 28, 17, 28, 28, 25, 25, 22, 28, 19, 25, 16, 28, 13, 25, 10, 28);
    disc(context, "#2d2350", 15.5, 17, 2);
    disc(context, "#2d2350", 22.5, 17, 2);
  }],
  star: [36, 36, (context) => {
    const points = Array.from({ length: 10 }, (_, i) => {
      const reach = i % 2 ? 7 : 18;
      return [18 + reach * Math.sin((i * Math.PI) / 5), 19 - reach * Math.cos((i * Math.PI) / 5)];
    });
    polygon(context, "#f2a900", ...points.flat());
    polygon(context, "#ffd34d", ...points.map(([x, y]) => [18 + (x - 18) * 0.7, 18.5 + (y - 18.5) * 0.7]).flat());
  }],
  gear: [42, 42, (context) => {
    for (let i = 0; i < 8; i++) {
      context.setTransform(Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4), -Math.sin((i * Math.PI) / 4), Math.cos((i * Math.PI) / 4), 21, 21);
      polygon(context, "#6b7686", 12, -5, 20, -3, 20, 3, 12, 5);
    }
    context.setTransform(1, 0, 0, 1, 21, 21);
    arc(context, "#6b7686", 9, 0, 0, 11.5);
    arc(context, "#9aa7b8", 2, 0, 0, 13);
    context.resetTransform();
  }],
};
