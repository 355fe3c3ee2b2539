import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../page/pose.js";

// Node has none.
globalThis.ImageData ??= class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
};

/** Returns an image whose texels are the numbers from 1 on. */
function numbered(width, height) {
  const image = new ImageData(width, height);
  new Uint32Array(image.data.buffer).forEach((_, i, texels) => (texels[i] = i + 1));
  return image;
}

test("the page draws the texel that contains the centre of a pixel, at every scale", () => {
  // Scales in eighths, so that texels and pixels meet at whole numbers.
  for (const eighths of [4, 6, 8, 12, 16, 20, 24, 32, 48, 80, 96]) {
    for (const [width, height] of [[5, 5], [3, 2], [2, 3], [10, 7], [128, 1]]) {
      const { image, x0, y0 } = draw(numbered(width, height), { step: 0, scale: eighths / 8 });
      const pixels = new Uint32Array(image.data.buffer);
      const texel = (at, side) => Math.floor(((2 * at + 1 - (side & 1)) * 8 + side * eighths) / (2 * eighths));
      for (let i = 0; i < pixels.length; i++) {
        const x = texel(x0 + (i % image.width), width);
        const y = texel(y0 + Math.floor(i / image.width), height);
        const wanted = x >= 0 && y >= 0 && x < width && y < height ? y * width + x + 1 : 0;
        assert.equal(pixels[i], wanted, `${width} x ${height} at ${eighths} / 8, pixel ${i}`);
      }
    }
  }
});
