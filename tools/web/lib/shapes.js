import { MASS, SHAPE_CELL, SHAPE_OPTIONS, THIN_PIECES } from "./abi.js";
import { HitmaskError, checkKeys, describe, finite, oneOf, whole } from "./error.js";
import { Handle } from "./handle.js";
import { wide } from "./memory.js";

/** Shapes of masks for physics engines: outlines within an error, convex pieces, and terrain in cells. */

const KEYS = ["maxError", "fit", "minArea", "maxCorners", "minWidth", "scale", "yUp", "origin"];
const FITS = ["nearest", "outside", "inside"];
const S = SHAPE_OPTIONS;
/** Bytes of memory.out for one list. */
const LIST_BYTES = 64;

/** The functions of a shape, and those of a cell, which take its id too. */
const shapeCalls = ({ exports }) => ({ rings: exports.hm_shape_rings, pieces: exports.hm_shape_pieces });
const cellCalls = ({ exports }) => ({ rings: exports.hm_shape_grid_rings, pieces: exports.hm_shape_grid_pieces });

/**
 * Throws for unknown options, and for a module without shapes. Returns the options that are given.
 *
 * @param {import("./hitmask.js").Hitmask} hitmask
 * @param {object} options
 * @param {readonly string[]} [more] Further options.
 */
export function checkShapeOptions({ exports }, options, more = []) {
  checkKeys(options, [...KEYS, ...more], "the options of a shape");
  if (exports.hm_mask_shape === undefined) {
    throw new HitmaskError("UNSUPPORTED", "this module has no shapes", "load it by load({ bake: true })");
  }
}

/** Writes the options to the memory for structs, and returns their address. */
function writeOptions({ memory, exports }, options) {
  const at = memory.struct;
  memory.raw(exports.hm_default_shape_options, at);
  const number = (key, field) => {
    if (options[key] !== undefined) memory.f32[(at + field) >>> 2] = finite(options[key], key);
  };
  number("maxError", S.max_error);
  number("minWidth", S.min_width);
  number("scale", S.scale);
  if (options.fit !== undefined) memory.u32[(at + S.fit) >>> 2] = oneOf(options.fit, "fit", FITS);
  if (options.minArea !== undefined) memory.u32[(at + S.min_area) >>> 2] = whole(options.minArea, "minArea");
  if (options.maxCorners !== undefined) memory.u32[(at + S.max_corners) >>> 2] = whole(options.maxCorners, "maxCorners");
  memory.u8[at + S.y_up] = options.yUp ? 1 : 0;
  if (options.origin !== undefined) memory.f32.set(pointOf(options.origin), (at + S.origin) >>> 2);
  return at;
}

/** Returns an origin, or throws. */
export function pointOf(origin) {
  if (!Array.isArray(origin) || origin.length !== 2) {
    throw new HitmaskError("BAD_VALUE", `origin is ${describe(origin)}`, "give [x, y] from the top left corner, in pixels");
  }
  return origin.map((value) => finite(value, "origin"));
}

/**
 * Returns the shape of a mask. `make` is the export that creates it, and `owner` what comes before the options.
 *
 * @param {import("./hitmask.js").Hitmask} hitmask
 * @param {object} options
 * @param {Function} make
 * @param {any[]} owner
 */
export function shapeOf(hitmask, options, make, owner) {
  const { memory, exports } = hitmask;
  memory.call(make, ...owner, writeOptions(hitmask, options), memory.out);
  const shape = memory.u32[memory.out >>> 2];
  try {
    memory.call(exports.hm_shape_left_out, shape, memory.out, memory.out + 4);
    const [islands, holes] = memory.u32.subarray(memory.out >>> 2, (memory.out >>> 2) + 2);
    memory.call(exports.hm_shape_mass, shape, memory.out);
    const number = (field) => memory.f64[(memory.out + field) >>> 3];
    const centroid = { x: number(MASS.centroid_x), y: number(MASS.centroid_y) };
    const mass = { area: number(MASS.area), centroid, inertia: number(MASS.inertia) };
    return { ...readShape(memory, shapeCalls(hitmask), [shape], { islands, holes }), mass };
  } finally {
    memory.call(exports.hm_shape_destroy, shape);
  }
}

/** Returns the polygons and the pieces that two functions lend. */
function readShape(memory, { rings, pieces }, of, leftOut) {
  const [out, beside] = [memory.out, memory.out + LIST_BYTES];
  memory.call(rings, ...of, out, beside);
  const borders = memory.u32[beside >>> 2] >>> 2;
  const polygons = [];
  readPaths(memory).forEach((ring, at) => {
    if (memory.u32[borders + at] === at) polygons.push({ border: ring, holes: [] });
    else polygons.at(-1).holes.push(ring);
  });
  memory.call(pieces, ...of, out, beside);
  const thin = memory.u32[(beside + THIN_PIECES.count) >>> 2];
  const thinArea = memory.f64[(beside + THIN_PIECES.area) >>> 3];
  return { polygons, pieces: readPaths(memory), leftOut: { ...leftOut, pieces: thin, piecesArea: thinArea } };
}

/** Returns the polygons of the list that was written last, as arrays of { x, y }. */
function readPaths({ u32, f32, out }) {
  const [points, starts, count] = [0, 1, 2].map((word) => u32[(out >>> 2) + word]);
  const paths = new Array(count);
  for (let i = 0; i < count; i++) {
    const at = (starts >>> 2) + i;
    const [from, to] = [u32[at], u32[at + 1]];
    paths[i] = Array.from({ length: to - from }, (_, j) => {
      const place = (points >>> 2) + 2 * (from + j);
      return { x: f32[place], y: f32[place + 1] };
    });
  }
  return paths;
}

/** The shapes of a mask of a world, in cells: for terrain that changes. */
export class ShapeGrid extends Handle {
  #world;
  #mask;
  #count;

  /** @param {import("./world.js").World} world */
  constructor(world, mask, options = {}) {
    const { hitmask, memory, exports } = world;
    checkShapeOptions(hitmask, options, ["side"]);
    const side = whole(options.side ?? 64, "side");
    const id = wide(mask, "the mask");
    memory.call(exports.hm_world_shape_grid, world.handle, id, side, writeOptions(hitmask, options), memory.out);
    super(hitmask, memory.u32[memory.out >>> 2], exports.hm_shape_grid_destroy, "the grid");
    this.#world = world;
    this.#mask = id;
    memory.call(exports.hm_shape_grid_count, this.handle, memory.out);
    this.#count = memory.u32[memory.out >>> 2];
  }

  /** The number of cells. Their ids are below it, row by row. */
  get count() {
    return this.#count;
  }

  /** Traces the cells near a rectangle again. Returns the ids of those that are different. */
  update(rect) {
    checkKeys(rect, ["x0", "y0", "x1", "y1"], "the rectangle");
    const { memory, exports } = this.hitmask;
    const sides = [rect.x0, rect.y0, rect.x1, rect.y1];
    const at = memory.whole(sides.map((value) => whole(value, "a pixel", -0x80000000, 0x7fffffff)));
    memory.call(exports.hm_world_update_shape_grid, this.#world.handle, this.#mask, this.handle, at, memory.out);
    const [items, count] = memory.list();
    return [...memory.u32.subarray(items >>> 2, (items >>> 2) + count)];
  }

  /** Returns a cell with its shape. */
  cell(id) {
    const { hitmask, handle } = this;
    const { memory, exports } = hitmask;
    const of = [handle, whole(id, "the id of a cell", 0, Math.max(0, this.#count - 1))];
    const [out, beside] = [memory.out, memory.out + LIST_BYTES];
    memory.call(exports.hm_shape_grid_cell, ...of, out);
    const word = (field) => memory.u32[(out + field) >>> 2];
    const leftOut = { islands: word(SHAPE_CELL.islands_left_out), holes: word(SHAPE_CELL.holes_left_out) };
    const cell = { id, rect: memory.rect(out + SHAPE_CELL.rect), version: word(SHAPE_CELL.version) };
    Object.assign(cell, readShape(memory, cellCalls(hitmask), of, leftOut));
    memory.call(exports.hm_shape_grid_chains, ...of, out, beside);
    const closed = memory.u32[beside >>> 2];
    const chains = readPaths(memory).map((points, at) => {
      if (memory.u8[closed + at] === 1) return { points, ghosts: null };
      return { points: points.slice(1, -1), ghosts: [points[0], points.at(-1)] };
    });
    return Object.assign(cell, { chains });
  }
}
