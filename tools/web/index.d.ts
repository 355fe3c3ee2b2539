/** The id of a collider: a whole number above 0. `id >>> 0` is its slot, which can index an array. */
export type ColliderId = number;
/** The id of a mask that was added to a world. */
export type MaskId = number;

export interface LoadOptions {
  /** Whether to use vector instructions. Default: if the engine has them. */
  simd?: boolean;
  /** Whether `bake()`, shapes and adapters are needed. Without them the module is a quarter smaller. Default: false. */
  bake?: boolean;
  /** The module, or where it is. Default: the folder `wasm/` of this package. */
  wasm?: string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;
}

/** Loads the module. Each call loads one more, with a memory of its own. */
export function load(options?: LoadOptions): Promise<Hitmask>;

/** Whether this engine has the vector instructions of WebAssembly. */
export function hasSimd(): boolean;

/** An image: 4 bytes per pixel, the last of which is alpha. An `ImageData` is one. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** A point or a direction in pixels: x right, y down. */
export interface Point {
  x: number;
  y: number;
}

/** Whole pixels from (x0, y0) up to but without (x1, y1). */
export interface Rect {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** How closely pixels are tested. `coarse` decides by cells of 8 x 8 pixels where it can. */
export type Accuracy = "box" | "coarse" | "exact";

/** A side of an obstacle, as seen from what moves. `below` is a floor. */
export type Side = "below" | "above" | "left" | "right";

export interface BakeSprite {
  /** The name, by which colliders show it. */
  name: string;
  /** Its image. */
  imageData?: Pixels;
  /** Its images, if it has several, all of one size. */
  frames?: Pixels[];
  /** The number of angles in a full turn. Default 64. */
  angles?: number;
  /** If above 0, the number of angles is chosen so that no pixel is farther off, in pixels. */
  maxError?: number;
  /** The scales to bake. Default `[1]`. */
  scales?: number[];
  /** Whether the nearest texel or 4 of 16 samples decide. Default `"nearest"`. */
  sampling?: "nearest" | "coverage";
  /** The pivot from the top left corner, in whole or half pixels. Default: the centre. */
  pivot?: [number, number];
  /** A pixel is solid if its alpha is at least this. Default 128. */
  alpha?: number;
}

export interface BakeOptions {
  /** Mask pixels per pixel, a power of 2 from 1/16 to 16. Default 1. */
  resolution?: number;
  /** Whether the atlas holds the images only, and worlds draw poses when they are shown. Default false. */
  compact?: boolean;
}

/** What is known about a sprite of an atlas. */
export interface Sprite {
  readonly name: string;
  readonly frames: number;
  readonly planes: number;
  /** The number of baked angles in a full turn. */
  readonly angles: number;
}

/** What a shape shall be like. Output units are pixels unless `scale` says otherwise, such as metres. */
export interface ShapeOptions {
  /** The greatest distance between the exact border and that of the shape, in pixels. From 0.1. Default 1. */
  maxError?: number;
  /** Whether the shape covers every solid pixel, no clear one, or is nearest. Default `"nearest"`. */
  fit?: "nearest" | "outside" | "inside";
  /** Islands and holes of fewer pixels are left out. Default 0. */
  minArea?: number;
  /** The most corners of a piece, from 3. Default 8, as Box2D and planck take. */
  maxCorners?: number;
  /** The least width of a piece, in output units. Thinner ones are left out. Default 0.02. */
  minWidth?: number;
  /** Output units per pixel, such as metres per pixel. Default 1. */
  scale?: number;
  /** Whether output y runs up. Default false. */
  yUp?: boolean;
  /** The origin of the output, in pixels from the top left corner. Default: that corner; of a sprite, its pivot. */
  origin?: [number, number];
}

/** Polygons and convex pieces. Borders and pieces have positive area: clockwise on screen with y down. */
export interface CellShape {
  /** Outer borders with their holes. None crosses or touches itself or another. */
  polygons: { border: Point[]; holes: Point[][] }[];
  /** Convex pieces, together the polygons. A physics engine takes each as a part of one body. */
  pieces: Point[][];
  /** The islands and holes below `minArea`, and the pieces thinner than `minWidth` with their area. */
  leftOut: { islands: number; holes: number; pieces: number; piecesArea: number };
}

/** The shape of a mask. */
export interface Shape extends CellShape {
  /** Area, centroid, and moment of inertia about the centroid, for a density of 1. */
  mass: { area: number; centroid: Point; inertia: number };
}

/** A cell of a ShapeGrid, in the coordinates of the whole mask. */
export interface ShapeCell extends CellShape {
  id: number;
  /** The pixels of the cell. */
  rect: Rect;
  /** The number of updates that changed it. */
  version: number;
  /**
   * The borders of the ground, without the seams between cells: for chains of edges. `ghosts` are the points
   * before and after in other cells, or null for a closed chain, whose last point is joined to the first.
   */
  chains: { points: Point[]; ghosts: [Point, Point] | null }[];
}

/** The loaded library: makes atlases and worlds. */
export class Hitmask {
  private constructor();
  /** The version of the library. */
  readonly version: string;
  /**
   * The functions of the module. `wasm/hitmask.all.simd.wasm` has all of the C header, for what this
   * package has no method for; the others have those that this package calls.
   */
  readonly exports: Record<string, any>;
  /** Opens an atlas that `hitmask bake` or `bake()` has made. The bytes are copied. */
  atlas(bytes: ArrayBuffer | ArrayBufferView): Atlas;
  /** Bakes an atlas of images, in the page itself: about 0.1 ms for a sprite of 32 x 32 pixels. */
  bake(sprites: BakeSprite[], options?: BakeOptions): Atlas;
  /** Returns the outlines and convex pieces of an image, for a physics engine. Throws BAD_NUMBER, UNSUPPORTED. */
  shape(imageData: Pixels, options?: ShapeOptions & { alpha?: number }): Shape;
  /** Creates a world over the sprites of an atlas. The atlas may be disposed of before the world. */
  world(atlas: Atlas): World;
}

/** The masks of all sprites at all angles and scales. It never changes. */
export class Atlas {
  private constructor();
  /** Warnings of the bake, such as a sprite without pixels. */
  readonly warnings: string[];
  /** A number that follows from the names, settings and masks of the sprites, such as to compare two players. */
  readonly id: number;
  /** The mask pixels per pixel of positions. */
  readonly resolution: number;
  readonly isDisposed: boolean;
  /** Returns the names of all sprites. */
  names(): string[];
  has(name: string): boolean;
  /** Returns what is known about a sprite. Throws UNKNOWN_SPRITE. */
  sprite(name: string): Sprite;
  /** Returns the map of this name, or null. Its items are in no world, so their `id` is null. */
  map(name: string): LevelMap | null;
  /** Returns the baked scales of a sprite, in ascending order. */
  scales(name: string): number[];
  /** Returns the size of a frame, and its pivot from the top left corner, both in pixels. */
  frame(name: string, frame?: number): { width: number; height: number; pivot: [number, number] };
  /** Returns the outlines and convex pieces of a frame at angle 0, about its pivot, in pixels of its image. */
  shape(name: string, options?: ShapeOptions & { frame?: number; plane?: number }): Shape;
  /** Checks every byte. Opening checks the structure only. Throws DAMAGED. */
  verify(): void;
  /** Returns a copy of the bytes, to store them. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** Frees the memory. Worlds over it keep what they need. */
  dispose(): void;
}

/** A level of an atlas: its colliders and its named places. */
export interface LevelMap {
  name: string;
  /** In pixels. */
  width: number;
  height: number;
  /** The properties of the map, with their values as text. */
  properties: Record<string, string>;
  /** In the order of the level file. */
  items: MapItem[];
}

/** The colliders of a map in a world: `world.addMap()` makes it, and `world.updateMap()` brings it up to date. */
export interface PlacedMap {
  readonly name: string;
  /** In the order of the level file. An update makes a new list. */
  items: MapItem[];
  /** Frees the memory. The colliders stay. */
  dispose(): void;
}

/** What `world.updateMap()` has done. */
export interface MapReport {
  /** Items whose colliders were added. */
  inserted: MapItem[];
  /** Items that are gone, as they were before. Their colliders were removed. */
  removed: MapItem[];
  /** Items whose colliders were moved, or changed in another field. Other pixels alone do not count. */
  changed: MapItem[];
  /** Items that the game has changed or removed itself. They keep what it changed. */
  kept: MapItem[];
}

/** A part of a map: a chunk of tiles, an object or a point. */
export interface MapItem {
  /** The collider, or null for a point and for an item that is in no world. */
  id: ColliderId | null;
  /**
   * What tells the item from all others, in this version of the level and in later ones: "solid/3,-1" is the chunk in
   * column 3 and row -1, "things/17" is object 17 of a layer.
   */
  path: string;
  /** The name of the object, or the terrain of a chunk. */
  name: string;
  /** The class of the object; "chunk" for a chunk of tiles. */
  class: string;
  /**
   * The position of the collider or of the point in pixels: in the world from `world.addMap()`, and from the top left
   * corner of the map from `atlas.map()`.
   */
  x: number;
  y: number;
  /** The size of the object in pixels, before it is turned; 0 for a point. */
  width: number;
  height: number;
  /** The properties of the object, with their values as text. */
  properties: Record<string, string>;
}

export interface ColliderOptions {
  /** The name of a sprite. Give this or `mask`. */
  sprite?: string;
  /** Its atlas, if the world has several. Default: the first that has the name. */
  atlas?: Atlas;
  /** A mask of `addMask()`. It takes no frame, plane, angle, scale or flip. */
  mask?: MaskId;
  /** Default 0. */
  frame?: number;
  /** Default 0. */
  plane?: number;
  /** The position of the pivot in pixels. Default 0. */
  x?: number;
  y?: number;
  /** The rotation about the pivot in radians, clockwise on screen. Default 0. */
  angle?: number;
  /** The rotation in 65,536ths of a turn, instead of `angle`. */
  turn?: number;
  /** The scale. It must be near a baked one. Default 1. */
  scale?: number;
  /** Whether to mirror left and right, before the rotation. */
  flipX?: boolean;
  /** Whether to mirror top and bottom, before the rotation. */
  flipY?: boolean;
  /** The layers it is on, 1 bit each. Default 1. */
  layers?: number;
  /** The layers it can touch, 1 bit each. Default: all. Both must allow a pair. */
  collidesWith?: number;
  /** Colliders with the same owner never touch. Default 0: none. */
  owner?: number;
  /** The least number of shared pixels that counts as touching. */
  minOverlap?: number;
  /** The least width of the overlap, in pixels, instead of `minOverlap`. */
  minWidth?: number;
  minHeight?: number;
  /** Whether it never or seldom moves. Fixed colliders do not touch each other. Default false. */
  fixed?: boolean;
  /** Whether it reports touches without blocking moves. Default false. */
  sensor?: boolean;
  /** Whether it takes part. Default true. */
  enabled?: boolean;
  /** The accuracy for touching. Default `"exact"`. */
  accuracy?: Accuracy;
  /** The accuracy for moves and casts. Default: that for touching. */
  moveAccuracy?: Accuracy;
}

/** A collider as the world holds it. */
export type Collider = ColliderOptions &
  Required<Omit<ColliderOptions, "sprite" | "atlas" | "mask" | "turn" | "moveAccuracy">>;

/** Which colliders a query considers. */
export interface Filter {
  /** A collider to leave out, usually the one that asks. */
  except?: ColliderId;
  /** Colliders on at least one of these layers. */
  layers?: number;
  /** Whether sensors count. Default true. */
  sensors?: boolean;
  /** `"box"` tests boxes, all others pixels. */
  accuracy?: Accuracy;
}

/** The overlap of two colliders, in mask pixels of the world. */
export interface Contact {
  /** The number of shared pixels. */
  area: number;
  /** The tight box of the shared pixels. */
  rect: Rect;
  /** The first shared pixel: of the top row, the leftmost. */
  point: Point;
}

export interface Overlap extends Contact {
  /** The centre of the shared pixels. */
  centroid: Point;
  /** The surface normal, of length 1, from `b` to `a`. */
  normal: Point;
  /** The shortest translation of `a` that ends the overlap. */
  pushOut: Point;
  /** The length of `pushOut`. */
  depth: number;
  /** The side of `b` as seen from `a`. */
  side: Side;
}

/** What a motion hits. `x` and `y` are the last free position, in pixels. */
export interface Hit extends Point {
  collider: ColliderId;
  /** The top-left corner of the first pixel that both have, in pixels: where a shell carves. */
  point: Point;
  /** The fraction of the motion that is free, from 0 to 1. */
  time: number;
  /** The step of the contact: 0 if the two overlap at the start. A step is 1 pixel of the longer axis. */
  step: number;
  steps: number;
  /** The last free translation, in mask pixels. */
  freeOffset: Point;
  /** The translation at which the two touch, in mask pixels. */
  contactOffset: Point;
  /** The surface normal, of length 1, from the obstacle to what moves. */
  normal: Point;
  /** The side of the obstacle, as seen from what moves. */
  side: Side;
}

/** What a ray hits. `x` and `y` are the pixel. */
export interface RayHit extends Point {
  collider: ColliderId;
  step: number;
  steps: number;
  /** The surface normal at that pixel, of length 1. */
  normal: Point;
}

export interface MoveRules {
  /** Pixels to step up per pixel sideways: 1 climbs slopes of 45 degrees. Default 1. */
  climb?: number;
  /** Pixels to slip to a free side per pixel of motion. Default 0. */
  slip?: number;
  /** Layers of platforms that block only what comes down on them. Default 0. */
  oneWay?: number;
  /** The largest rise of such a platform between two moves, in pixels. Default 2. */
  rise?: number;
}

/** The result of a move. `x` and `y` are the new position, in pixels. */
export interface MoveResult extends Point {
  /** The distance moved, in mask pixels. */
  translation: Point;
  /** The obstacles that ended a part of the motion, in the order of contact. */
  contacts: { collider: ColliderId; side: Side }[];
  /** The sensors on the way. */
  passed: ColliderId[];
  /** The obstacles that it still overlaps. Usually empty. */
  stuckIn: ColliderId[];
}

/** The results of many moves, in the order of the ids. */
export interface MoveResults {
  /** The new positions: x and y of each collider. */
  xy: Float32Array;
  /** The distances moved, in mask pixels: x and y of each collider. */
  translations: Int32Array;
  /** The numbers of contacts, of sensors passed, and of obstacles that it is stuck in, for each collider. */
  counts: Uint32Array;
  /** The obstacles that ended a part of a motion: those of the first move, then those of the second, and so on. */
  contacts: { collider: ColliderId; side: Side }[];
  /** The sensors on the ways, in the same order. */
  passed: ColliderId[];
  /** The obstacles that colliders still overlap, in the same order. */
  stuckIn: ColliderId[];
}

export interface MaskOptions {
  /** The pivot from the top left corner, in whole or half pixels. Default: the centre. */
  pivot?: [number, number];
  /** A pixel is solid if its alpha is at least this. Default 128. */
  alpha?: number;
  /** Draws the mask by [a, b, c, d, tx, ty] about its pivot, as `setTransform` of a canvas does. */
  transform?: [number, number, number, number, number, number];
}

/** What differs between two versions of an atlas. */
export interface ReloadReport {
  /** The colliders that keep their earlier pixels, because the new version has no such sprite, plane or frame. */
  outdated: ColliderId[];
  /** The names of sprites that only the new version has, and that only the earlier one had. */
  added: string[];
  vanished: string[];
  /** Sprites of other frames, with the frames of another size, or without some of their planes. */
  changed: { sprite: string; framesBefore: number; frames: number; resized: number[]; lostPlanes: string[] }[];
}

/** How `pick` chooses. */
export interface PickOptions {
  /** Pixels around the pointer. */
  radius?: number;
  order?: "slot" | "data";
  filter?: Filter;
}

/**
 * Colliders on the plane, and the pairs of them that touch.
 *
 * Positions are in pixels, x right and y down. They snap to the nearest mask pixel. Errors that many
 * methods throw: STALE_ID for a collider that was removed, BAD_NUMBER for a number that is not finite
 * or out of range, STALE_HANDLE after `dispose()`. After an error the world is as it was.
 */
export class World {
  private constructor();
  /** The atlases, in the order of adding. */
  readonly atlases: Atlas[];
  /** The number of colliders. */
  readonly count: number;
  readonly isDisposed: boolean;

  /** Adds an atlas of the same resolution, whose sprites colliders may then show. Throws ATLAS_USE. */
  addAtlas(atlas: Atlas): void;
  /**
   * Drops an atlas that no collider shows. With `colliders` it removes those that show it first, and returns their
   * ids. Throws ATLAS_USE, also for the only one, and UNKNOWN_ATLAS.
   */
  dropAtlas(atlas: Atlas, options?: { colliders?: boolean }): ColliderId[];
  /** Replaces an atlas by another version, as after a new bake. Colliders keep ids and places. Throws ATLAS_USE. */
  replaceAtlas(old: Atlas, atlas: Atlas): ReloadReport;
  /**
   * Limits the bytes of masks that are drawn for compact or several atlases. Null, the default, is no limit. Give
   * 4/3 of what colliders show. Throws OVER_LIMIT if they show more.
   */
  setPoseBudget(bytes: number | null): void;
  /** Returns the number and bytes of drawn masks, how many were drawn since the last update, and the budget. */
  poseStats(): { poses: number; bytes: number; draws: number; budget: number | null };

  /** Adds a collider and returns its id. Throws UNKNOWN_SPRITE, UNBAKED_SCALE, MASK_USE, FULL. */
  add(options: ColliderOptions): ColliderId;
  /** Adds many colliders, or none of them if one is refused. The error names its item. */
  addMany(list: ArrayLike<ColliderOptions>): ColliderId[];
  /**
   * Draws poses of compact or several atlases before colliders show them, so that no frame waits for many. Begins with
   * the item `first`, and stops after a time or a size: at most 0.3 ms or 256 KiB later. Returns the number of the
   * first item whose pose is not drawn. Give it as `first` in the next frame, until it is `list.length`.
   */
  drawAhead(list: ArrayLike<ColliderOptions>, options?: { milliseconds?: number; bytes?: number; first?: number }): number;
  /**
   * Adds the colliders of a map, fixed, with its top left corner at a position in pixels. Takes the map of the first
   * atlas that has one of this name. To take it out again, remove the ids of its items. Throws UNKNOWN_SPRITE with the
   * names of the maps, BAD_NUMBER, UNBAKED_SCALE, FULL.
   */
  addMap(name: string, x?: number, y?: number): PlacedMap;
  /**
   * Brings a map up to date with the atlas, as a rule after `replaceAtlas()`: after an edit of the level. Items are
   * matched by their paths: those in both versions keep their colliders, and so does what the game has changed itself.
   * Throws as `addMap()`. Then the world and the map are as they were.
   */
  updateMap(map: PlacedMap): MapReport;
  /** Replaces a collider under the same id. */
  set(id: ColliderId, options: ColliderOptions): void;
  get(id: ColliderId): Collider;
  /** Removes a collider. Its id stays stale. */
  remove(id: ColliderId): void;
  moveTo(id: ColliderId, x: number, y: number): void;
  /** Turns a collider to an angle in radians. */
  turnTo(id: ColliderId, angle: number): void;
  /** Places a collider at a position in pixels, an angle in radians and a scale at once. */
  place(id: ColliderId, x: number, y: number, angle: number, scale: number): void;
  /**
   * Places many colliders: x, y and angle of `ids[i]` are `xyAngle[3 * i]` and the two after it. All
   * are placed, or none. Throws BAD_LENGTH, and BAD_NUMBER or STALE_ID with the first bad item.
   */
  placeMany(ids: ArrayLike<ColliderId>, xyAngle: ArrayLike<number>): void;
  /** Does the same, with angles in 65,536ths of a turn: for games in lockstep. */
  placeManyTurns(ids: ArrayLike<ColliderId>, xyTurn: ArrayLike<number>): void;

  /** Returns x, y and angle in radians of many colliders, as `placeMany` takes them. Throws STALE_ID with the item. */
  placementsArray(ids: ArrayLike<ColliderId>): Float32Array;

  /** Finds all pairs that touch. Call it once per frame, after the moves. */
  update(): void;
  /** Returns the pairs that touched at the last update. For thousands see `touchingArray()`. */
  touching(): [ColliderId, ColliderId][];
  /** Returns the pairs that touched at the last update but not at the one before. */
  began(): [ColliderId, ColliderId][];
  /** Returns the pairs that ceased to touch. Ids of removed colliders are among them. */
  ended(): [ColliderId, ColliderId][];
  /** Returns the ids of the pairs as a, b, a, b, ... The array is used again by the next call. */
  touchingArray(): Float64Array;
  beganArray(): Float64Array;
  endedArray(): Float64Array;

  /**
   * Returns area, rect and point of many contacts: area, x0, y0, x1, y1, x, y of each, or zeros. `pairs` is a, b,
   * a, b, ..., by default `touchingArray()`. The array is used again by the next call.
   */
  contactsArray(pairs?: ArrayLike<ColliderId>): Float64Array;
  /** Returns the overlap of two colliders at their places, or null. An id that is stale touches nothing. */
  contact(a: ColliderId, b: ColliderId, accuracy?: Accuracy): Contact | null;
  /** Returns normal, push-out and depth of an overlap, or null. Costs some microseconds. */
  overlap(a: ColliderId, b: ColliderId): Overlap | null;
  /** Returns the colliders that touch a collider now, without an update. */
  touchingWith(id: ColliderId): ColliderId[];
  /** Returns the distance between the nearest pixels in pixels, or null if one has none. */
  distance(a: ColliderId, b: ColliderId): number | null;
  /** Returns the shortest translation out of all obstacles, at most `radius` pixels, or null. */
  pushOut(id: ColliderId, radius: number): Point | null;
  /** Returns a text that explains why two colliders touch or not, or null. */
  explain(a: ColliderId, b: ColliderId): string | null;

  /**
   * Returns the collider under a pointer, or null. If no pixel is there, the nearest one within
   * `radius` pixels is picked. Among several the highest slot wins, or the largest `setData()`.
   */
  pick(x: number, y: number, options?: PickOptions): ColliderId | null;
  /** Returns the collider whose pixels are nearest to a place, at most `within` pixels away. */
  nearest(x: number, y: number, within: number, filter?: Filter): { collider: ColliderId; distance: number } | null;
  /**
   * Returns the colliders that a collider hits or grazes, in order of their slots: those with a pixel within `within`
   * pixels of one of its own, from centre to centre. With 0 these are the hits.
   */
  graze(id: ColliderId, within: number, filter?: Filter): { collider: ColliderId; graze: "hit" | "graze" }[];
  queryPoint(x: number, y: number, filter?: Filter): ColliderId[];
  /** Returns the colliders that have a pixel in a rectangle of whole mask pixels. */
  queryRect(x0: number, y0: number, x1: number, y1: number, filter?: Filter): ColliderId[];
  queryCircle(x: number, y: number, radius: number, filter?: Filter): ColliderId[];
  /** Returns the first collider on a line, or null. */
  ray(x0: number, y0: number, x1: number, y1: number, filter?: Filter): RayHit | null;
  rayAll(x0: number, y0: number, x1: number, y1: number, filter?: Filter): RayHit[];
  /**
   * Returns what many rays hit first. Each is x0, y0, x1, y1 in `segments`, and collider, x, y, normal x and normal y
   * in the result, or zeros. The array is used again by the next call.
   */
  raysArray(segments: ArrayLike<number>, filter?: Filter): Float64Array;
  /** Returns the collider under each of many pointers x, y, by the rules of `pick`, or 0. The array is used again. */
  picksArray(points: ArrayLike<number>, options?: PickOptions): Float64Array;
  /**
   * Returns what many motions would hit first. Each is collider, x, y, x and y of the first common pixel, time, normal
   * x and normal y, or zeros. `ids[i]` moves by `dxDy[2 * i]` and the number after it. The array is used again.
   */
  castsArray(ids: ArrayLike<ColliderId>, dxDy: ArrayLike<number>): Float64Array;

  /** Returns what a motion would hit first, or null. Every pixel of the way is tested. */
  cast(id: ColliderId, dx: number, dy: number): Hit | null;
  castAll(id: ColliderId, dx: number, dy: number): Hit[];
  /** Moves a collider up to the first obstacle. Returns the hit that ended the motion, or null. */
  moveUntilContact(id: ColliderId, dx: number, dy: number): Hit | null;
  /** Moves a collider: it stops flat at walls and floors and walks up slopes. */
  moveAndSlide(id: ColliderId, dx: number, dy: number, rules?: MoveRules): MoveResult;
  /**
   * Moves many colliders, one after another: `ids[i]` by `dxDy[2 * i]` and the number after it. Gives what calls of
   * moveAndSlide() in this order give. All are moved, or none.
   */
  moveMany(ids: ArrayLike<ColliderId>, dxDy: ArrayLike<number>, rules?: MoveRules): MoveResults;

  /**
   * Returns all borders of the pixels, each as x, y, x, y, ... in mask pixels of the world. Outer borders run
   * clockwise, and holes counter-clockwise.
   */
  polygons(id: ColliderId): Int32Array[];
  /** Returns boxes that cover all pixels as x0, y0, x1, y1, ... in mask pixels of the world. */
  rects(id: ColliderId): Int32Array;

  setAccuracy(accuracy: Accuracy): void;
  /** Allows scales within a factor of a baked one. Default 1.5. */
  scaleFactor(factor: number): void;
  /** Stores a whole number with a collider, by which `pick()` can choose. */
  setData(id: ColliderId, data: number): void;
  data(id: ColliderId): number;

  /** Adds a mask that can change, such as terrain, and returns its id. */
  addMask(imageData: Pixels, options?: MaskOptions): MaskId;
  /** Draws a mask that has a transform again, from another image, for all its colliders. */
  redrawMask(mask: MaskId, imageData: Pixels, options?: Omit<MaskOptions, "transform">): void;
  /** Draws a mask that has a transform by another one, for all its colliders. */
  transformMask(mask: MaskId, transform: [number, number, number, number, number, number]): void;
  /** Clears, or sets, a disc of a mask, in pixels of the mask: a crater. */
  fillDisc(mask: MaskId, x: number, y: number, radius: number, solid?: boolean): void;
  fillRect(mask: MaskId, x0: number, y0: number, x1: number, y1: number, solid?: boolean): void;
  /** Removes a mask that no collider shows. */
  removeMask(mask: MaskId): void;
  /** Returns the outlines and convex pieces of a mask, from its top left corner. */
  shape(mask: MaskId, options?: ShapeOptions): Shape;
  /** Returns the shapes of a mask in cells of `side` x `side` pixels, 8 to 1024, by default 64. */
  shapeGrid(mask: MaskId, options?: ShapeOptions & { side?: number }): ShapeGrid;

  /**
   * Returns the hash of the state, of 64 bits, equal on every machine and in every language. A later version of hitmask
   * may give another value, so compare machines of one version, and store no hash.
   */
  stateHash(): bigint;
  /** Returns a copy with the same ids, settings and pairs, to look ahead or to return to. Dispose of it like a world. */
  copy(): World;
  /**
   * Takes over the whole state of another world with the same atlases: saves to a copy, or loads from one. Costs
   * less than a new copy.
   */
  assign(source: World): void;
  /**
   * Returns what differs first between two worlds, the value of this one first: "collider 17: position.x 3.0 / 3.5".
   * `null` if their snapshots are equal.
   */
  firstDifference(other: World): string | null;
  /** Returns the whole state as bytes: for saved games and replays. */
  snapshot(): Uint8Array<ArrayBuffer>;
  /**
   * Writes the whole state to the start of a buffer, and returns this part of it. Throws BUFFER_TOO_SMALL if the buffer
   * is too short. The error has the length that is `needed`, and the buffer stays as it was.
   */
  snapshot<B extends ArrayBufferLike>(buffer: Uint8Array<B>): Uint8Array<B>;
  restore(snapshot: ArrayBuffer | ArrayBufferView): void;
  /** Frees the memory of the world. */
  dispose(): void;
}

/** The shapes of a mask of a world in cells: for terrain that changes. Get it from `world.shapeGrid()`. */
export class ShapeGrid {
  private constructor();
  /** The number of cells. Their ids are below it, row by row. */
  readonly count: number;
  readonly isDisposed: boolean;
  /**
   * Traces the cells near a rectangle of edited pixels again. Returns the ids of the cells that are different:
   * replace their bodies. Throws STALE_ID after `removeMask()`.
   */
  update(rect: Rect): number[];
  cell(id: number): ShapeCell;
  /** Frees the memory. */
  dispose(): void;
}

/** The codes of errors. */
export type ErrorCode =
  | "ATLAS_USE" | "BAD_LENGTH" | "BAD_MASK" | "BAD_MODULE" | "BAD_NUMBER" | "BAD_TEXT" | "BAD_VALUE" | "BAKE" | "DAMAGED"
  | "FULL" | "MASK_USE" | "NOT_AN_ATLAS" | "NOT_A_SNAPSHOT" | "NOT_UPDATED" | "OUT_OF_MEMORY" | "OVER_LIMIT"
  | "PANIC" | "POISONED" | "STALE_HANDLE" | "STALE_ID" | "UNBAKED_SCALE" | "UNKNOWN_ATLAS"
  | "UNKNOWN_OWNER" | "UNKNOWN_SPRITE" | "UNSUPPORTED" | "WRONG_HANDLE" | (string & {});

/** An error of hitmask. A call that throws has changed nothing. */
export class HitmaskError extends Error {
  constructor(code: ErrorCode, message: string, help?: string, options?: ErrorOptions);
  /** A constant to compare with. */
  readonly code: ErrorCode;
  /** What to do. It is a part of `message` too. */
  readonly help: string;
  /** The length that `world.snapshot(buffer)` needs, with the code `BUFFER_TOO_SMALL`. */
  readonly needed?: number;
}
