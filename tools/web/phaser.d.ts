import type { GameObjects } from "phaser";
import type { Hitmask } from "./index.js";
import { Adapter, type AdapterOptions } from "./lib/adapter.js";

export type { AdapterOptions, AttachOptions, BakeSettings, TouchEvents } from "./lib/adapter.js";

/** What is needed of a sprite or an image of Phaser. */
export interface PhaserSprite {
  x: number;
  y: number;
  rotation: number;
  scaleX: number;
  scaleY: number;
  originX: number;
  originY: number;
  flipX: boolean;
  flipY: boolean;
  active: boolean;
  visible: boolean;
  frame: object;
  emit(event: string | symbol, ...args: any[]): boolean;
}

/**
 * Makes a sprite or an image interactive by its visible pixels, or all present ones of a container, layer or group.
 * Pixels count from `alpha` on, by default 128. Needs no module and no collider. Refuses an object that does not show a
 * frame as it is (BAD_VALUE), or whose pixels cannot be read (BAD_MASK). In a container, the former get no events, and the
 * latter those of their rectangles.
 */
export function pixelPerfect<T extends object>(object: T, options?: { alpha?: number }): T;

/** What is needed of a scene. */
export interface PhaserScene {
  textures: { exists(key: string): boolean; get(key: string): object };
  events: { emit(event: string | symbol, ...args: any[]): boolean };
}

/** What is needed of a graphics object. */
export interface PhaserGraphics {
  clear(): unknown;
  fillStyle(color: number, alpha?: number): unknown;
  fillRect(x: number, y: number, width: number, height: number): unknown;
}

export interface PhaserOptions extends AdapterOptions {
  /** The keys of the textures that are baked, with all their frames. */
  textures: string[];
  /** Whether `update()` runs after each update() of the scene. Default true. */
  autoUpdate?: boolean;
}

/**
 * Pixel-perfect collisions between the sprites and images of a scene of Phaser 3 or 4.
 *
 * Both objects of a pair emit "hitmask:began" and "hitmask:ended" with the other one, and
 * `scene.events` emits them with both. Colliders follow frames, origins, flips, rotations, scales and
 * containers. Inactive objects, and those in no list of the scene, touch nothing. A canvas is read
 * again after its refresh(). From then on its masks are drawn at run time. Ends with the scene. `Body` is the class of all attached
 * objects, by default that of images, which sprites are too.
 */
export class PhaserHitmask<Body extends PhaserSprite = GameObjects.Image> extends Adapter<Body> {
  constructor(scene: PhaserScene, hitmask: Hitmask, options: PhaserOptions);
  /** Draws the pixels of all colliders, to compare them with what is drawn. */
  debug(graphics: PhaserGraphics, color?: number, alpha?: number): void;
}
