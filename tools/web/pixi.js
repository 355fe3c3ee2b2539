import { Adapter, checkOptions } from "./lib/adapter.js";
import { HitmaskError, describe } from "./lib/error.js";
import { noPixels, readAhead, solidTexels, versionOf } from "./lib/pixels.js";

/** After the game's own callbacks of the ticker (0), and before the renderer's (-25). */
const PRIORITY = -10;

/** The transforms of what is in no tree, and of the container above all. */
const NOWHERE = { a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0, isIn: false, version: 0 };
const STAGE = { ...NOWHERE, isIn: true };

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
  /** The number of this update, and the transforms of containers in it. */
  #frame = 0;
  #placesOf = new WeakMap();
  /** The listeners of sprites, by slots. */
  #events = [];
  #versions = 0;
  #last;
  #lastPlace;
  #shown = { texture: null, crop: undefined, left: 0, top: 0, a: 0, b: 0, c: 0, d: 0, x: 0, y: 0, enabled: true };
  /** What debug() draws on a graphics object when it is next rendered, because sprites may move until then. */
  #drawings = new WeakMap();
  #destroyed = (sprite) => this.detach(sprite);
  #tick = () => this.tick();

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

  hasPixels(object) {
    return hasPixels(object);
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
   * Draws the pixels of all colliders on a graphics object, to compare them with what is drawn. Draws them again when
   * the object is next rendered, so the order of callbacks does not matter.
   *
   * @param {import("pixi.js").Graphics} graphics
   */
  debug(graphics, color = 0x00ff88, alpha = 0.5) {
    const draw = () => {
      graphics.clear();
      this.eachShownBox((x, y, width, height) => graphics.rect(x, y, width, height));
      graphics.fill({ color, alpha });
    };
    draw();
    const isKnown = this.#drawings.has(graphics);
    this.#drawings.set(graphics, draw);
    if (isKnown) return;
    // Stays, because PixiJS skips the callback behind one that is removed while it runs.
    const { onRender } = graphics;
    graphics.onRender = (renderer) => {
      this.#drawings.get(graphics)?.();
      this.#drawings.set(graphics, undefined);
      onRender?.call(graphics, renderer);
    };
  }

  announce(event, a, b, isA, isB) {
    if (isA) a.emit(event, b);
    if (isB) b.emit(event, a);
    this.#root?.emit(event, a, b);
  }

  nameOf(texture) {
    return nameOf(texture);
  }

  help = HELP;

  prepare() {
    this.#frame++;
    this.#last = undefined;
  }

  /** PixiJS counts the changes of each container. A version that does not has undefined, which equals no number. */
  lookStamp(sprite) {
    return sprite._didViewChangeTick;
  }

  placeStamp(sprite) {
    return sprite._didContainerChangeTick;
  }

  parentStamp(sprite) {
    return this.#placeOf(sprite.parent).version;
  }

  /** One listener is that of the sprite's destruction, as long as it has the object of its listeners. */
  mayListen(sprite, slot) {
    const { _events: events } = sprite;
    if (this.#events[slot] !== events || events === undefined) {
      if (!events?.destroyed) return true;
      this.#events[slot] = events;
    }
    return sprite._eventsCount !== 1;
  }

  isHeard(event) {
    return this.#root?.listenerCount(event) > 0;
  }

  /** Returns the transform of a container to `root`, computed once in each update. Its version is that of no other. */
  #placeOf(container) {
    if (container === this.#last) return this.#lastPlace;
    if (!container) return NOWHERE;
    let place = this.#placesOf.get(container);
    if (!place) {
      place = { ...NOWHERE, isIn: container === this.#root, frame: 0, version: ++this.#versions };
      this.#placesOf.set(container, place);
    }
    if (place.frame !== this.#frame && container !== this.#root) {
      container.updateLocalTransform();
      const { a, b, c, d, tx, ty } = container.localTransform;
      // Without a root, that is the container above all.
      const above = container.parent ? this.#placeOf(container.parent) : this.#root ? NOWHERE : STAGE;
      const now = product(above, a, b, c, d, tx, ty);
      now.isIn = above.isIn;
      for (const key in now) if (now[key] !== place[key]) place.version = ++this.#versions;
      Object.assign(place, now);
    }
    place.frame = this.#frame;
    this.#last = container;
    return (this.#lastPlace = place);
  }

  /** How a sprite is drawn: texel (u, v) is at (a u + c v + x, b u + d v + y). */
  read(sprite) {
    const { texture, anchor } = sprite;
    if (!texture?.source) {
      throw new HitmaskError("BAD_MASK", "its texture was destroyed", "set another one, or detach() it");
    }
    const shown = this.#shown;
    shown.texture = texture;
    shown.enabled = this.readPlace(sprite);
    const { width, height } = texture.orig;
    const { resolution } = texture.source;
    const [a, b, c, d, x, y] = this.place;
    const [left, top] = [-anchor.x * width, -anchor.y * height];
    shown.left = left * resolution;
    shown.top = top * resolution;
    shown.x = a * left + c * top + x;
    shown.y = b * left + d * top + y;
    shown.a = a / resolution;
    shown.b = b / resolution;
    shown.c = c / resolution;
    shown.d = d / resolution;
    return shown;
  }

  readPlace(sprite) {
    sprite.updateLocalTransform();
    const { a, b, c, d, tx, ty } = sprite.localTransform;
    const of = this.#placeOf(sprite.parent);
    const to = this.place;
    to[0] = of.a * a + of.c * b;
    to[1] = of.b * a + of.d * b;
    to[2] = of.a * c + of.c * d;
    to[3] = of.b * c + of.d * d;
    to[4] = of.a * tx + of.c * ty + of.tx;
    to[5] = of.b * tx + of.d * ty + of.ty;
    return of.isIn;
  }
}

/** Returns a transform after another one. */
const product = (m, a, b, c, d, tx, ty) => ({
  a: m.a * a + m.c * b,
  b: m.b * a + m.d * b,
  c: m.a * c + m.c * d,
  d: m.b * c + m.d * d,
  tx: m.a * tx + m.c * ty + m.tx,
  ty: m.b * tx + m.d * ty + m.ty,
});

const HELP = "give a Sprite, or a container of them; renderer.extract.canvas() draws others for Texture.from()";

/** Returns whether an object shows its texture as it is. Tiles, nine-slices and meshes have textures too. */
const hasPixels = (object) =>
  Boolean(object?.texture?.orig && object.anchor) && object.tilePosition === undefined && object.leftWidth === undefined;

/** Containers whose sprites follow pixels, with what their later ones do. */
const followed = new WeakMap();

/**
 * Lets the pointer events of a sprite, or of all present and later sprites in a container, follow visible pixels.
 *
 * @param {object} object
 * @param {{ alpha?: number }} [options]
 */
export function pixelPerfect(object, options = {}) {
  const isSolid = solidTexels(options);
  // A picture that cannot be read is an error here, and none in the events of a pointer.
  if (hasPixels(object)) readAhead(partOf(object.texture));
  else if (!object?.children || object.containsPoint) throw noPixels(object, HELP);
  follow(object, isSolid);
  return object;
}

function follow(object, isSolid) {
  if (hasPixels(object)) {
    try {
      readAhead(partOf(object.texture));
    } catch {
      // It may get another texture. Until then its rectangle counts.
    }
    object.containsPoint = function ({ x, y }) {
      const { texture, anchor } = this;
      if (!texture?.source || !anchor) return false;
      const { orig, source } = texture;
      const { resolution } = source;
      return isSolid(partOf(texture), (x + anchor.x * orig.width) * resolution, (y + anchor.y * orig.height) * resolution);
    };
  }
  for (const child of object.children) follow(child, isSolid);
  if (!followed.has(object)) object.on("childAdded", (child) => follow(child, followed.get(object)));
  followed.set(object, isSolid);
}

/** Returns the part of its source that a texture shows. */
function partOf(texture) {
  const { orig, trim, source, uvs } = texture;
  if (!source) throw new HitmaskError("BAD_MASK", `the texture ${describe(nameOf(texture))} was destroyed`, "load it again");
  const { resolution, pixelWidth, pixelHeight } = source;
  const px = (length) => Math.round(length * resolution);
  const [u, v] = [uvs.x0 * pixelWidth, uvs.y0 * pixelHeight];
  return {
    source,
    pixels: source.resource,
    stride: pixelWidth,
    version: changesOf(texture),
    width: px(orig.width),
    height: px(orig.height),
    x: trim ? px(trim.x) : 0,
    y: trim ? px(trim.y) : 0,
    w: px((trim ?? orig).width),
    h: px((trim ?? orig).height),
    u,
    v,
    ux: uvs.x1 * pixelWidth - u,
    uy: uvs.y1 * pixelHeight - v,
    vx: uvs.x3 * pixelWidth - u,
    vy: uvs.y3 * pixelHeight - v,
  };
}

const nameOf = (texture) => String(texture.label ?? texture.uid);

/** Counts the events by which a game shows a changed frame or a canvas that was drawn again. */
const listen = (it, count) => it.on("update", count);

const changesOf = (texture) => versionOf(texture, listen) + (texture.source ? versionOf(texture.source, listen) : 0);

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
    found.set(texture, { name, part: () => partOf(texture), version: () => changesOf(texture), resolution: texture.source.resolution });
  }
  return found;
}
