// Compares what an engine has drawn with the masks of an adapter, pixel by pixel.

/** Returns an image without symmetry, as a canvas: a block with a notch, a hole and a tail. */
export function picture(width, height, color = "#ffffff") {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  context.clearRect(0, 0, Math.floor(width / 2), Math.floor(height / 3));
  context.clearRect(Math.floor(width / 4), Math.floor(height / 2), 2, 2);
  context.clearRect(Math.floor(width / 2), height - 2, width, 2);
  return canvas;
}

/** Returns a PNG of what is drawn, as a data URL, with the pixels of all masks in green. */
export function overlay(canvas, adapter) {
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  const context = copy.getContext("2d");
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  context.fillStyle = "rgb(0 220 100 / 0.6)";
  adapter.eachBox((...box) => context.fillRect(...box.slice(0, 4)));
  return copy.toDataURL();
}

/**
 * Returns for each object that has a collider: its name, the number of pixels of its mask, the number
 * of pixels that are drawn but not in the mask or the reverse, and how far the centre of what is drawn
 * is from that of the mask, in pixels. Objects are apart from each other.
 */
export function compare(canvas, adapter) {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const drawn = copy.getImageData(0, 0, width, height).data;
  const boxes = new Map();
  adapter.eachBox((x, y, w, h, object) => boxes.set(object, [...(boxes.get(object) ?? []), [x, y, w, h]]));
  const results = [];
  for (const [object, list] of boxes) {
    const mask = new Set();
    for (const [x0, y0, w, h] of list) {
      for (let y = y0; y < y0 + h; y++) for (let x = x0; x < x0 + w; x++) mask.add(y * width + x);
    }
    const xs = list.flatMap(([x, , w]) => [x, x + w]);
    const ys = list.flatMap(([, y, , h]) => [y, y + h]);
    const sums = [[0, 0, 0], [0, 0, 0]];
    let wrong = 0;
    for (let y = Math.min(...ys) - 4; y < Math.max(...ys) + 4; y++) {
      for (let x = Math.min(...xs) - 4; x < Math.max(...xs) + 4; x++) {
        const sides = [drawn[4 * (y * width + x) + 3] >= 128, mask.has(y * width + x)];
        if (sides[0] !== sides[1]) wrong++;
        sides.forEach((isSet, side) => isSet && [1, x, y].forEach((number, at) => (sums[side][at] += number)));
      }
    }
    const [a, b] = sums.map(([count, x, y]) => [x / count, y / count]);
    const name = object.label ?? object.name;
    results.push({ name, wrong, area: mask.size, drawn: sums[0][0], shift: [a[0] - b[0], a[1] - b[1]] });
  }
  return results;
}

/** The steps of 64 angles, in radians. */
export const step = (k) => (k * 2 * Math.PI) / 64;
