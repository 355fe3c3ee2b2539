/**
 * Pixel-perfect 2D sprite collisions for very many sprites. See README.md and index.d.ts.
 *
 *   load() -> Hitmask -> atlas(bytes) or bake(images) -> world(atlas) -> add, placeMany, update, began
 *                     shape(image), atlas.shape(name), world.shapeGrid(mask) -> polygons, pieces
 */
export { Atlas } from "./lib/atlas.js";
export { HitmaskError } from "./lib/error.js";
export { Hitmask } from "./lib/hitmask.js";
export { load } from "./lib/load.js";
export { ShapeGrid } from "./lib/shapes.js";
export { hasSimd } from "./lib/start.js";
export { World } from "./lib/world.js";
