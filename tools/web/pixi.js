import { Adapter, checkOptions } from "./lib/adapter.js";
import { HitmaskError, describe } from "./lib/error.js";
import { noPointer, pixelsOf, solidTexels } from "./lib/pixels.js";

/** After the game's own callbacks of the ticker (0), and before the renderer's (-25). */
const PRIORITY = -10;

/**
 * Pixel-perfect collisions between the sprites of PixiJS 8.
 *
 * The masks are baked from textures. In `update()`, or in each frame of a ticker, the colliders follow
 * their sprites, and "hitmask:began" and "hitmask:ended" are emitted: by both sprites with the other
 * one, and by `root` with both.
 */
export class PixiHitmask extends Adapter {
  #root;
  #ticker;
  #shown = { texture: null, a: 0, b: 0, c: 0, d: 0, x: 0, y: 0, enabled: true };
  #destroyed = (sprite) => this.detach(sprite);
  // An engine may call a listener once more after its removal.
  #tick = () => this.world.isDisposed || this.update();

  /**
   * @param {import("./index.js").Hitmask} hitmask
   * @param {import("./pixi.js").PixiOptions} options
   */
  constructor(hitmask, options) {
    checkOptions(options, ["textures", "root", "ticker"]);
    super(hitmask, images(options.textures), options);
    this.#root = options.root;
    this.#ticker = options.ticker;
    this.#ticker?.add(this.#tick, this, PRIORITY);
  }

  watch(sprite) {
    sprite.once("destroyed", this.#destroyed);
  }

  unwatch(sprite) {
    sprite.off("destroyed", this.#destroyed);
  }

  /** Sprites and all their parents have `visible` set. */
  isVisible(sprite) {
    for (let it = sprite; it; it = it.parent) if (!it.visible) return false;
    return true;
  }

  dispose() {
    this.#ticker?.remove(this.#tick, this);
    super.dispose();
  }

  /**
   * Draws the pixels of all colliders on a graphics object, to compare them with what is drawn.
   *
   * @param {import("pixi.js").Graphics} graphics
   */
  debug(graphics, color = 0x00ff88, alpha = 0.5) {
    graphics.clear();
    this.eachBox((x, y, width, height) => graphics.rect(x, y, width, height));
    graphics.fill({ color, alpha });
  }

  announce(event, a, b) {
    a.emit(event, b);
    b.emit(event, a);
    this.#root?.emit(event, a, b);
  }

  nameOf(texture) {
    return String(texture.label ?? texture.uid);
  }

  /** How a sprite is drawn: texel (u, v) is at (a u + c v + x, b u + d v + y). */
  read(sprite) {
    const { texture, anchor } = sprite;
    const shown = this.#shown;
    shown.texture = texture;
    sprite.updateLocalTransform();
    let matrix = sprite.localTransform;
    let { parent } = sprite;
    shown.enabled = parent !== null;
    for (; parent && parent !== this.#root; parent = parent.parent) {
      parent.updateLocalTransform();
      matrix = product(parent.localTransform, matrix);
    }
    const { a, b, c, d, tx, ty } = matrix;
    const { width, height } = texture.orig;
    const { resolution } = texture.source;
    const left = -anchor.x * width;
    const top = -anchor.y * height;
    shown.x = a * left + c * top + tx;
    shown.y = b * left + d * top + ty;
    shown.a = a / resolution;
    shown.b = b / resolution;
    shown.c = c / resolution;
    shown.d = d / resolution;
    return shown;
  }
}

/** Returns the matrix of a transform after another one. */
const product = (m, { a, b, c, d, tx, ty }) => ({
  a: m.a * a + m.c * b,
  b: m.b * a + m.d * b,
  c: m.a * c + m.c * d,
  d: m.b * c + m.d * d,
  tx: m.a * tx + m.c * ty + m.tx,
  ty: m.b * tx + m.d * ty + m.ty,
});

/** Containers whose sprites follow pixels, with what their later ones do. */
const followed = new WeakMap();

/**
 * Lets the pointer events of a sprite, or of all present and later sprites in a container, follow visible pixels.
 *
 * @param {object} object
 * @param {{ alpha?: number }} [options]
 */
export function pixelPerfect(object, options = {}) {
  const isSolid = solidTexels(options, (texture) => pixels(texture, texture.label));
  if (!object?.children) throw noPointer(object);
  follow(object, isSolid);
  return object;
}

function follow(object, isSolid) {
  const { texture, anchor, tilePosition, leftWidth } = object;
  if (texture?.orig && anchor && tilePosition === undefined && leftWidth === undefined) {
    const original = object.containsPoint;
    object.containsPoint = function ({ x, y }) {
      const { texture, anchor } = this;
      const { orig, source } = texture;
      // Of what was drawn by the GPU there are no pixels to read.
      if (!source.resource) return original.call(this, { x, y });
      const { resolution } = source;
      return isSolid(texture, (x + anchor.x * orig.width) * resolution, (y + anchor.y * orig.height) * resolution);
    };
  }
  for (const child of object.children) follow(child, isSolid);
  if (!followed.has(object)) object.on("childAdded", (child) => follow(child, followed.get(object)));
  followed.set(object, isSolid);
}

function images(textures) {
  const entries = Array.isArray(textures) ? textures.map((one) => [one?.label ?? one?.uid, one]) : Object.entries(textures ?? {});
  if (entries.length === 0) {
    const help = "give an array of textures, or an object of them by name";
    throw new HitmaskError("BAD_VALUE", `textures is ${describe(textures)}`, help);
  }
  const found = new Map();
  const names = new Set();
  for (const [key, texture] of entries) {
    if (!texture?.source || !texture.orig) {
      throw new HitmaskError("BAD_VALUE", `the texture ${describe(key)} is ${describe(texture)}`, "give a Texture");
    }
    // Two textures may have one label, such as the name of a file in two folders.
    const name = names.has(String(key)) ? `${key} ${texture.uid}` : String(key);
    names.add(name);
    found.set(texture, { name, image: pixels(texture, name), resolution: texture.source.resolution });
  }
  return found;
}

function pixels({ frame, orig, trim, source, rotate }, name) {
  if (rotate) {
    throw new HitmaskError("BAD_MASK", `the texture ${describe(name)} is rotated in its sheet`, "pack it without rotation");
  }
  const scaled = (rect) => ({
    x: Math.round(rect.x * source.resolution),
    y: Math.round(rect.y * source.resolution),
    width: Math.round(rect.width * source.resolution),
    height: Math.round(rect.height * source.resolution),
  });
  const cut = scaled(frame);
  const into = { ...scaled(orig), x: trim ? scaled(trim).x : 0, y: trim ? scaled(trim).y : 0 };
  const { resource } = source;
  if (!ArrayBuffer.isView(resource)) return pixelsOf(resource, cut, into);
  if (resource.length !== 4 * source.pixelWidth * source.pixelHeight) {
    const help = "give a texture of 4 bytes per pixel";
    throw new HitmaskError("BAD_MASK", `the texture ${describe(name)} has another format`, help);
  }
  const data = new Uint8Array(4 * into.width * into.height);
  for (let y = 0; y < cut.height; y++) {
    const from = 4 * ((cut.y + y) * source.pixelWidth + cut.x);
    data.set(resource.subarray(from, from + 4 * cut.width), 4 * ((into.y + y) * into.width + into.x));
  }
  return { width: into.width, height: into.height, data };
}
