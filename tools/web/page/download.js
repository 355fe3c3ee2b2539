import { ANGLES } from "./pose.js";

/** Bytes of masks from which on an atlas holds the images only, and poses are drawn when they are shown. */
const MOST_BYTES = 2 ** 27;

/**
 * Bakes sprites at the given scales, and returns the bytes of the atlas.
 *
 * @param {import("./hitmask/index.js").Hitmask} hitmask
 * @param {{ name: string, frames: ImageData[], alpha: number }[]} arts
 * @param {number[]} scales
 */
export function atlasBytes(hitmask, arts, scales) {
  const area = (image, scale) => (image.width * scale * image.height * scale) / 8;
  const bytes = arts.flatMap(({ frames }) => scales.map((scale) => frames.length * ANGLES * area(frames[0], scale)));
  const sprites = arts.map(({ name, frames, alpha }) => ({ name, frames, alpha, angles: ANGLES, scales }));
  const atlas = hitmask.bake(sprites, { compact: bytes.reduce((sum, each) => sum + each, 0) > MOST_BYTES });
  try {
    return atlas.bytes();
  } finally {
    atlas.dispose();
  }
}

/** Returns the shortest decimal number that a 32-bit float stands for. */
function short(value) {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded + 0;
  }
  return value;
}

const flat = (points) => points.flatMap(({ x, y }) => [short(x), short(y)]);

/**
 * Returns the shapes of sprites as `hitmask export --format json` writes them: about their pivots, in pixels.
 *
 * @param {import("./hitmask/index.js").Hitmask} hitmask
 * @param {{ name: string, frames: ImageData[], alpha: number }[]} arts
 * @param {number} maxError
 */
export function shapesJson(hitmask, arts, maxError) {
  const frameOf = (image, alpha) => {
    const { width, height } = image;
    const pivot = [width / 2, height / 2];
    const { polygons, pieces, mass, leftOut } = hitmask.shape(image, { alpha, maxError, origin: pivot });
    const { islands, holes, pieces: thin, piecesArea } = leftOut;
    return {
      size: [width, height],
      pivot,
      polygons: polygons.map(({ border, holes }) => ({ border: flat(border), holes: holes.map(flat) })),
      pieces: pieces.map(flat),
      mass: { area: mass.area, centroid: [mass.centroid.x, mass.centroid.y], inertia: mass.inertia },
      left_out: { islands, holes, pieces: thin, pieces_area: piecesArea },
    };
  };
  const options = { scale: 1, y_up: false, max_error: maxError, fit: "nearest", min_area: 0, max_corners: 8, min_width: 0.02 };
  const byName = arts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const sprites = Object.fromEntries(
    byName.map(({ name, frames, alpha }) => [name, { frames: frames.map((image) => frameOf(image, alpha)) }]),
  );
  return JSON.stringify({ generator: `hitmask ${hitmask.version}`, version: 1, ...options, sprites });
}

/** Lets the browser save bytes or a text as a file. */
export function save(name, content) {
  const address = URL.createObjectURL(new Blob([content]));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
