/** The number of baked angles in a full turn. */
export const ANGLES = 64;
/** The baked scales. */
export const SCALES = [0.5, 0.75, 1, 1.5, 2, 3, 4];

/** The longest side of a scaled image, in pixels: beyond it, turns are no longer drawn at once. */
const MOST_SIDE = 2048;

/** Returns the scales at which the page shows a sprite. */
export const scalesOf = ({ frames: [{ width, height }] }) => SCALES.filter((scale) => scale * Math.max(width, height) <= MOST_SIDE);

/** The unit of the fixed-point numbers below. */
const ONE = 2 ** 30;
/** A pixel centre on the edge of a texel, off by rounding, belongs to the texel on its right and below. */
const EDGE = 2 ** 17;

/**
 * Draws an image turned and scaled about its centre: nearest texel at pixel centres, in whole numbers, as the masks of
 * the library are drawn. Pixel (i, j) of the result lies at (x0 + i, y0 + j) from the position of a collider.
 *
 * @param {ImageData} image
 * @param {{ step: number, scale: number, flipX?: boolean }} pose
 * @returns {{ image: ImageData, x0: number, y0: number }}
 */
export function draw(image, { step, scale, flipX = false }) {
  const { width, height } = image;
  const texels = new Uint32Array(image.data.buffer, image.data.byteOffset, width * height);
  const angle = (2 * Math.PI * (flipX ? -step : step)) / ANGLES;
  const cos = Math.round((ONE * Math.cos(angle)) / scale);
  const sin = Math.round((ONE * Math.sin(angle)) / scale);
  // A pivot between texels lies on a corner of pixels, and one in the middle of a texel in the middle of a pixel.
  const [oddX, oddY] = [width & 1, height & 1];
  const reach = (along, across) => Math.ceil(((along + across) * scale) / 2) + 1;
  const x0 = -reach(width * Math.abs(Math.cos(angle)), height * Math.abs(Math.sin(angle)));
  const y0 = -reach(width * Math.abs(Math.sin(angle)), height * Math.abs(Math.cos(angle)));
  const result = new ImageData(1 - 2 * x0, 1 - 2 * y0);
  const pixels = new Uint32Array(result.data.buffer);
  for (let v = y0, at = 0; v <= -y0; v++) {
    const dy = 2 * v + 1 - oddY;
    for (let i = x0; i <= -x0; i++, at++) {
      const dx = 2 * (flipX ? oddX - 1 - i : i) + 1 - oddX;
      const x = Math.floor((dx * cos + dy * sin + width * ONE + EDGE) / (2 * ONE));
      const y = Math.floor((dy * cos - dx * sin + height * ONE + EDGE) / (2 * ONE));
      if (x >= 0 && y >= 0 && x < width && y < height) pixels[at] = texels[y * width + x];
    }
  }
  return { image: result, x0, y0 };
}

/** Returns a canvas with an image. */
export function canvasOf(image) {
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
