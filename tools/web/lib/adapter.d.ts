import type { BakeSprite, ColliderId, ColliderOptions, Contact, Filter, World } from "../index.js";

/** Settings of the bake, for all textures. */
export type BakeSettings = Pick<BakeSprite, "angles" | "scales" | "maxError" | "sampling" | "alpha">;

/** Options of every adapter. */
export interface AdapterOptions extends BakeSettings {
  /**
   * Whether objects whose `visible` is false, or that of a parent, collide all the same. Default true, as with the
   * physics of engines. `pick()` never returns them.
   */
  collideHidden?: boolean;
  /**
   * Whether a sprite at a scale that was not baked shows the mask of the nearest one in `scales`. Default false: a mask is
   * drawn for it in each update that changes its scale, which takes 25 to 130 us for 24 to 64 px. Stretched sprites get
   * masks of their own all the same.
   */
  snapScales?: boolean;
}

/** Options of a collider that do not follow from what the object shows. */
export type AttachOptions = Omit<
  ColliderOptions,
  "sprite" | "mask" | "x" | "y" | "angle" | "turn" | "scale" | "flipX" | "flipY" | "frame" | "plane"
>;

/** The events of an attached object, which it emits with the object that it touches. */
export interface TouchEvents<Body> {
  on(event: "hitmask:began" | "hitmask:ended", listener: (other: Body) => void, context?: unknown): this;
  once(event: "hitmask:began" | "hitmask:ended", listener: (other: Body) => void, context?: unknown): this;
}

/** Colliders that follow the objects of an engine. */
export class Adapter<Body extends object> {
  protected constructor();
  /** The world of all colliders, for queries. Its ids are those of `id(object)`. */
  readonly world: World;
  /** Warnings of the bake, and of attached objects with a mask, which does not change what collides. */
  readonly warnings: string[];
  /** The number of objects that have a collider. */
  readonly count: number;
  /**
   * Gives an object a collider that follows its pixels, and returns the object. It ends with the object. Refuses what does
   * not show a texture as it is, such as tiles and texts, with BAD_VALUE. Masks, filters and alpha do not count.
   */
  attach<T extends Body>(object: T, options?: AttachOptions): TouchEvents<Body> & T;
  /** Removes the collider of an object. Nothing happens if it has none. */
  detach(object: Body): void;
  /** Returns the id of an object's collider, or undefined. */
  id(object: Body): ColliderId | undefined;
  /** Returns the object of a collider, or undefined. */
  object(id: ColliderId): Body | undefined;
  /**
   * Places all colliders where their objects are, finds the pairs that touch, and emits the events. If an object
   * cannot be followed, or a handler throws, all others are served first. Then the first such error is thrown. In a
   * ticker or after the update of a scene it is reported as an uncaught error, because it would end the engine's loop. A
   * listener that a handler adds is called from the next update on.
   */
  update(): void;
  /**
   * Places all colliders where their objects are, for queries between two updates. If an object cannot be followed,
   * such as one at NaN, its collider stays where it was. All others are placed, and then the error is thrown.
   */
  sync(): void;
  /** Returns the objects that touch an object at its place, without an update. */
  touching(object: Body): Body[];
  /** Returns the overlap of two objects, or null. */
  contact(a: Body, b: Body): Contact | null;
  /** Returns the visible object under a pointer, or null. */
  pick(x: number, y: number, options?: { radius?: number; order?: "slot" | "data"; filter?: Filter }): Body | null;
  /** Calls a function with the boxes that cover each object's pixels. */
  eachBox(draw: (x: number, y: number, width: number, height: number, object: Body) => void): void;
  /** Calls a function with each border of each object's pixels: x, y, x, y, ... Holes run counter-clockwise. */
  eachPolygon(draw: (points: Int32Array, object: Body) => void): void;
  /** Frees the world, and ends to wait for the objects. They stay. */
  dispose(): void;
}
