import { HitmaskError, checkKeys, describe, whole } from "./error.js";

/**
 * A rectangle that shows texels of a source, in a whole picture of `width` x `height` pixels. The rectangle is at (x, y)
 * and has w x h pixels. Its corner shows texel (u, v), and its sides run along (ux, uy) and (vx, vy) texels, which are
 * turned or mirrored in sheets that packed the picture so.
 *
 * @typedef {{ source: object, pixels: any, stride: number, version: number, width: number, height: number, x: number,
 *   y: number, w: number, h: number, u: number, v: number, ux: number, uy: number, vx: number, vy: number }} Part
 *   `pixels` is what can be drawn on a canvas, or bytes of RGBA with `stride` pixels in a row.
 */

/** A shift to the lower right, in pixels: a point on an edge between two pixels is in the latter. */
const TIE = 2 ** -10;
/** The side of the squares in which pixels are read for pointers. A first read of a whole sheet would take a second. */
const TILE = 256;

let scratch;

function canvas(width, height) {
  const made =
    typeof OffscreenCanvas === "undefined"
      ? Object.assign(document.createElement("canvas"), { width, height })
      : new OffscreenCanvas(width, height);
  return made.getContext("2d", { willReadFrequently: true });
}

/** Returns pixels of a part's source from (x, y) on: bytes of RGBA, their place, and the pixels in a row. */
function texels({ pixels, stride }, x, y, width, height) {
  if (ArrayBuffer.isView(pixels)) {
    if (pixels.BYTES_PER_ELEMENT === 1 && pixels.length % (4 * stride) === 0) return { data: pixels, x: 0, y: 0, stride };
    throw new HitmaskError("BAD_MASK", "the texture has another format", "give a texture of 4 bytes per pixel");
  }
  // What has not loaded, or was freed, would be drawn as clear pixels.
  if (!(pixels?.naturalWidth ?? pixels?.videoWidth ?? pixels?.width)) {
    const help = "wait until it has loaded; of what the GPU draws, make a canvas first, and a texture of that";
    throw new HitmaskError("BAD_MASK", `the texture has no pixels that can be read, but ${describe(pixels)}`, help);
  }
  let context;
  try {
    // Drawing a canvas copies all of it.
    const own = pixels.getContext?.("2d");
    if (own) return { data: own.getImageData(x, y, width, height).data, x, y, stride: width };
    context = Math.max(width, height) > TILE ? canvas(width, height) : (scratch ??= canvas(TILE, TILE));
    context.clearRect(0, 0, width, height);
    context.drawImage(pixels, x, y, width, height, 0, 0, width, height);
    return { data: context.getImageData(0, 0, width, height).data, x, y, stride: width };
  } catch (error) {
    // Nothing can be read from a canvas with a foreign image any more.
    if (context === scratch) scratch = undefined;
    const help = "serve images from the page's own host, or with CORS headers and crossOrigin, and not compressed";
    throw new HitmaskError("BAD_MASK", `the pixels of ${describe(pixels)} cannot be read: ${error.message}`, help, {
      cause: error,
    });
  }
}

/** Returns two edges in ascending order, as whole numbers that differ. */
function sides(a, b) {
  const first = Math.floor(Math.min(a, b) + TIE);
  return [first, Math.max(first + 1, Math.ceil(Math.max(a, b) - TIE))];
}

/**
 * Returns the whole picture of a part. Pixels outside of its rectangle are clear.
 *
 * @param {Part} part
 */
export function imageOf(part) {
  const { width, height, x, y, w, h, u, v, ux, uy, vx, vy } = part;
  const [left, right] = sides(u, u + ux + vx);
  const [top, bottom] = sides(v, v + uy + vy);
  const from = texels(part, left, top, right - left, bottom - top);
  const data = new Uint8Array(4 * width * height);
  const [first, last] = [Math.max(0, Math.ceil(x - 0.5)), Math.min(width, Math.ceil(x + w - 0.5))];
  for (let row = Math.max(0, Math.ceil(y - 0.5)); row < Math.min(height, y + h - 0.5); row++) {
    const t = (row + 0.5 - y) / h;
    for (let column = first; column < last; column++) {
      const s = (column + 0.5 - x) / w;
      const at = 4 * (Math.floor(v + s * uy + t * vy - from.y) * from.stride + Math.floor(u + s * ux + t * vx - from.x));
      data[4 * (row * width + column) + 3] = from.data[at + 3];
    }
  }
  return { width, height, data };
}

const versions = new WeakMap();

/**
 * Returns how often an object of an engine was drawn again.
 *
 * @param {object} object
 * @param {(object: any, count: () => void) => void} listen Called once for each object.
 */
export function versionOf(object, listen) {
  if (!versions.has(object)) {
    versions.set(object, 0);
    listen(object, () => versions.set(object, versions.get(object) + 1));
  }
  return versions.get(object);
}

/** Squares of alpha bytes, by sources. */
const tiles = new WeakMap();

/** Returns the alpha of texel (u, v) of a part. */
function alphaAt(part, u, v) {
  let known = tiles.get(part.source);
  if (known?.version !== part.version) tiles.set(part.source, (known = { version: part.version, map: new Map() }));
  const [x, y] = [u & -TILE, v & -TILE];
  const key = (y / TILE) * 65536 + x / TILE;
  let alpha = known.map.get(key);
  if (known.fault) throw known.fault;
  if (!alpha) {
    let read;
    try {
      read = texels(part, x, y, TILE, TILE);
    } catch (error) {
      // What has not loaded may load.
      if (error.cause) known.fault = error;
      throw error;
    }
    const { data, x: left, y: top, stride } = read;
    alpha = new Uint8Array(TILE * TILE);
    for (let at = 0; at < alpha.length; at++) {
      alpha[at] = data[4 * ((y - top + (at / TILE | 0)) * stride + x - left + (at % TILE)) + 3];
    }
    known.map.set(key, alpha);
  }
  return alpha[(v - y) * TILE + (u - x)];
}

/**
 * Returns a function that tells whether the point (x, y) of a part's picture is on a solid pixel, for pointer events. A
 * picture that cannot be read is solid in its rectangle, because an error in a hit test would take the event from all.
 *
 * @param {{ alpha?: number }} options
 */
export function solidTexels(options) {
  checkKeys(options, ["alpha"], "the options of pixelPerfect()");
  const least = whole(options.alpha ?? 128, "alpha", 0, 255);
  return (part, x, y) => {
    const { w, h, u, v, ux, uy, vx, vy } = part;
    const [s, t] = [(x + TIE - part.x) / w, (y + TIE - part.y) / h];
    if (!(s >= 0 && t >= 0 && s < 1 && t < 1)) return false;
    try {
      return alphaAt(part, Math.floor(u + s * ux + t * vx), Math.floor(v + s * uy + t * vy)) >= least;
    } catch {
      return true;
    }
  };
}

/**
 * Reads some pixels of a part, and throws if it cannot. So a browser decodes an image before a pointer moves over it, and
 * takes a canvas from the GPU, which it does at the second reading.
 *
 * @param {Part} part
 */
export function readAhead(part) {
  const known = tiles.get(part.source);
  if (known?.version === part.version && known.map.size > 0) return;
  alphaAt(part, Math.floor(part.u + part.ux / 2), Math.floor(part.v + part.vy / 2));
  if (part.pixels.getContext) texels(part, 0, 0, 1, 1);
}

/** Returns the error of an object whose pixels cannot be followed. */
export function noPixels(object, help) {
  return new HitmaskError("BAD_VALUE", `the pixels of ${describe(object)} cannot be followed`, help);
}
