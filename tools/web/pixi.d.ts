import type { Sprite } from "pixi.js";
import type { Hitmask } from "./index.js";
import { Adapter, type AdapterOptions } from "./lib/adapter.js";

export type { AdapterOptions, AttachOptions, BakeSettings, TouchEvents } from "./lib/adapter.js";

/** What is needed of a texture of PixiJS. */
export interface PixiTexture {
  readonly uid: number;
  readonly orig: { width: number; height: number };
}

/** What is needed of a sprite. */
export interface PixiSprite {
  texture: PixiTexture;
  readonly anchor: { x: number; y: number };
  visible: boolean;
  updateLocalTransform(): void;
}

/**
 * Lets the pointer events of a sprite, or of all present and later sprites in a container, follow visible pixels.
 * Pixels count from `alpha` on, by default 128. `eventMode` stays the game's. Needs no module and no collider. Reads some
 * pixels of each picture at once: a canvas of 4,096 px takes 100 ms then, and none when a pointer moves. Refuses an
 * object without a texture of its own (BAD_VALUE), or whose pixels cannot be read (BAD_MASK). In a container, such
 * objects keep their rectangles, or what the engine tests.
 */
export function pixelPerfect<T extends object>(object: T, options?: { alpha?: number }): T;

/** What is needed of a ticker. */
export interface PixiTicker {
  add(fn: () => void, context: unknown, priority: number): unknown;
  remove(fn: () => void, context: unknown): unknown;
}

/** What is needed of a graphics object. */
export interface PixiGraphics {
  clear(): unknown;
  rect(x: number, y: number, width: number, height: number): unknown;
  fill(style: { color: number; alpha: number }): unknown;
}

export interface PixiOptions extends AdapterOptions {
  /** The textures that are baked, as an array or by name. */
  textures: PixiTexture[] | Record<string, PixiTexture>;
  /**
   * The container in whose pixels positions are, such as that of a camera. What is not in its tree collides with nothing.
   * Default: the container above all, and then everything with a parent collides.
   */
  root?: object;
  /** Runs `update()` in each frame, after the game's own callbacks and before the renderer. */
  ticker?: PixiTicker;
}

/**
 * Pixel-perfect collisions between the sprites of PixiJS 8.
 *
 * Both sprites of a pair emit "hitmask:began" and "hitmask:ended" with the other one, and `root`, if
 * given, emits them with both. Colliders follow textures, anchors, rotations, scales and parents. A
 * sprite outside of the tree of `root` touches nothing. A texture is read again after its update() or that of its source.
 * From then on its masks are drawn at run time. `Body` is the class of all attached sprites.
 */
export class PixiHitmask<Body extends PixiSprite = Sprite> extends Adapter<Body> {
  constructor(hitmask: Hitmask, options: PixiOptions);
  /** Draws the pixels of all colliders, to compare them with what is drawn. */
  debug(graphics: PixiGraphics, color?: number, alpha?: number): void;
}
