import { HitmaskError, describe } from "./error.js";

/**
 * Returns the pixels of a part of a drawable image, placed in a larger clear one.
 *
 * @param {CanvasImageSource} source An image, canvas or bitmap.
 * @param {{ x: number, y: number, width: number, height: number }} cut The part, in pixels of the source.
 * @param {{ x: number, y: number, width: number, height: number }} [into] The size of the result, and where the
 *   part goes in it.
 * @returns {ImageData}
 */
export function pixelsOf(source, cut, into = { ...cut, x: 0, y: 0 }) {
  const canvas =
    typeof OffscreenCanvas === "undefined"
      ? Object.assign(document.createElement("canvas"), { width: into.width, height: into.height })
      : new OffscreenCanvas(into.width, into.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  try {
    const { x, y, width, height } = cut;
    context.drawImage(source, x, y, width, height, into.x, into.y, width, height);
    return context.getImageData(0, 0, into.width, into.height);
  } catch (error) {
    const help = "serve images from the page's own host, or with CORS headers and crossOrigin";
    throw new HitmaskError("BAD_MASK", `the pixels of ${describe(source)} cannot be read: ${error.message}`, help, {
      cause: error,
    });
  }
}
