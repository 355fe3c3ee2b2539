import { HitmaskError, checkKeys, describe, whole } from "./error.js";

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

/** Alpha planes by frames and textures. Pixels are read when a pointer first meets them. */
const planes = new WeakMap();

/**
 * Returns a function that tells whether texel (u, v) of a frame or texture is solid, for pointer events.
 *
 * @param {{ alpha?: number }} options
 * @param {(key: object) => import("../index.js").Pixels} read Returns the image of a key.
 */
export function solidTexels(options, read) {
  checkKeys(options, ["alpha"], "the options of pixelPerfect()");
  const least = whole(options.alpha ?? 128, "alpha", 0, 255);
  return (key, u, v) => {
    let plane = planes.get(key);
    if (!plane) {
      const { width, height, data } = read(key);
      plane = { width, height, alpha: Uint8Array.from({ length: width * height }, (_, at) => data[4 * at + 3]) };
      planes.set(key, plane);
    }
    const [x, y] = [Math.floor(u), Math.floor(v)];
    return x >= 0 && y >= 0 && x < plane.width && y < plane.height && plane.alpha[y * plane.width + x] >= least;
  };
}

/** Returns the error of an object whose pointer events cannot follow its pixels. */
export const noPointer = (object) =>
  new HitmaskError("BAD_VALUE", `${describe(object)} has no pixels to click`, "give a sprite, or a container of sprites");
