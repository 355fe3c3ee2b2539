import { Adapter, checkOptions } from "./lib/adapter.js";
import { HitmaskError, describe } from "./lib/error.js";
import { noPixels, readAhead, solidTexels, versionOf } from "./lib/pixels.js";

/**
 * Pixel-perfect collisions between the sprites and images of a Phaser 3 or Phaser 4 scene.
 *
 * The masks are baked from loaded textures, one for each frame. After the scene's update() the
 * colliders follow their objects, and "hitmask:began" and "hitmask:ended" are emitted: by both objects
 * with the other one, and by `scene.events` with both.
 */
export class PhaserHitmask extends Adapter {
  #scene;
  #shown = { texture: null, crop: undefined, a: 0, b: 0, c: 0, d: 0, x: 0, y: 0, enabled: true };
  /** What debug() draws on graphics objects when the scene is next rendered, because objects may move until then. */
  #drawings = new Map();
  #drawAll = () => {
    for (const draw of this.#drawings.values()) draw();
    this.#drawings.clear();
  };
  #destroyed = (object) => this.detach(object);
  #afterUpdate = () => this.tick();
  #shutdown = () => this.dispose();

  /**
   * @param {Phaser.Scene} scene
   * @param {import("./index.js").Hitmask} hitmask
   * @param {import("./phaser.js").PhaserOptions} options
   */
  constructor(scene, hitmask, options) {
    checkOptions(options, ["textures", "autoUpdate"]);
    super(hitmask, images(scene, options.textures), options);
    this.#scene = scene;
    if (options.autoUpdate !== false) scene.events.on("postupdate", this.#afterUpdate);
    scene.events.once("shutdown", this.#shutdown);
    scene.events.once("destroy", this.#shutdown);
  }

  help = HELP;

  hasPixels(object) {
    return hasPixels(object);
  }

  watch(object) {
    object.once("destroy", this.#destroyed);
  }

  unwatch(object) {
    object.off("destroy", this.#destroyed);
  }

  /** Objects and all their containers and layers have `visible` set. A scene's own list has no such field. */
  isVisible(object) {
    for (let it = object; it; it = it.parentContainer ?? it.displayList) if (it.visible === false) return false;
    return true;
  }

  dispose() {
    const { events } = this.#scene;
    events.off("postupdate", this.#afterUpdate);
    events.off("prerender", this.#drawAll);
    events.off("shutdown", this.#shutdown);
    events.off("destroy", this.#shutdown);
    super.dispose();
  }

  /**
   * Draws the pixels of all colliders on a graphics object, to compare them with what is drawn. Draws them again when
   * the scene is next rendered, so the order of callbacks does not matter.
   *
   * @param {Phaser.GameObjects.Graphics} graphics
   */
  debug(graphics, color = 0x00ff88, alpha = 0.5) {
    const draw = () => {
      // A destroyed object has no scene.
      if (!graphics.scene) return;
      graphics.clear();
      graphics.fillStyle(color, alpha);
      this.eachShownBox((x, y, width, height) => graphics.fillRect(x, y, width, height));
    };
    draw();
    if (this.#drawings.size === 0) this.#scene.events.once("prerender", this.#drawAll);
    this.#drawings.set(graphics, draw);
  }

  announce(event, a, b) {
    a.emit(event, b);
    b.emit(event, a);
    this.#scene.events.emit(event, a, b);
  }

  nameOf(frame) {
    return nameOf(frame);
  }

  /** Whether an object is in the tree of the scene, by containers and layers. */
  #isListed(object) {
    const list = this.#scene.sys.displayList;
    let it = object;
    while (it && it !== list) it = it.parentContainer ?? it.displayList;
    return it === list;
  }

  /** How an object is drawn: texel (u, v) of its frame is at (a u + c v + x, b u + d v + y). */
  read(object) {
    const { frame, flipX, flipY } = object;
    if (!frame.source) throw new HitmaskError("BAD_MASK", "its texture was removed", "set another one, or detach() it");
    const [width, height] = [frame.realWidth, frame.realHeight];
    const [originX, originY] = [object.originX * width, object.originY * height];
    const shown = this.#shown;
    let { x, y } = object;
    let a, b, c, d;
    if (object.parentContainer) {
      const matrix = object.getWorldTransformMatrix();
      ({ a, b, c, d } = matrix);
      [x, y] = [matrix.tx, matrix.ty];
    } else {
      const [cos, sin] = turn(object.rotation);
      a = cos * object.scaleX;
      b = sin * object.scaleX;
      c = -sin * object.scaleY;
      d = cos * object.scaleY;
    }
    // A flip mirrors the frame in place, or about a pivot that the frame brings.
    const left = flipX ? (frame.customPivot ? originX : width - originX) : -originX;
    const top = flipY ? (frame.customPivot ? originY : height - originY) : -originY;
    shown.texture = frame;
    shown.x = x + a * left + c * top;
    shown.y = y + b * left + d * top;
    shown.a = flipX ? -a : a;
    shown.b = flipX ? -b : b;
    shown.c = flipY ? -c : c;
    shown.d = flipY ? -d : d;
    shown.crop = object.isCropped ? partOf(frame, object) : undefined;
    shown.enabled = object.active && this.#isListed(object);
    return shown;
  }
}

const HELP = "give an Image or a Sprite, or a container of them; draw others on a texture of textures.createCanvas()";

/** Returns whether an object shows its frame as it is. Tiles, texts and videos have frames too. */
const hasPixels = (object) =>
  Boolean(object?.frame?.texture) && typeof object.flipX === "boolean" && typeof object.setCrop === "function" &&
  object.tilePositionX === undefined && object.text === undefined && object.video === undefined;

/**
 * Makes a sprite or an image interactive by its visible pixels, or all present ones of a container, layer or group.
 *
 * @param {object} object
 * @param {{ alpha?: number }} [options]
 */
export function pixelPerfect(object, options = {}) {
  const isSolid = solidTexels(options);
  const contains = (_area, x, y, object) => {
    const { frame, flipX, flipY, displayOriginX, displayOriginY } = object;
    // Of a texture that was removed.
    if (!frame?.source) return false;
    // A flip mirrors the frame in place, or about a pivot that the frame brings.
    const right = frame.customPivot ? 2 * displayOriginX : frame.realWidth;
    const bottom = frame.customPivot ? 2 * displayOriginY : frame.realHeight;
    return isSolid(partOf(frame, object), flipX ? right - x : x, flipY ? bottom - y : y);
  };
  const visit = (one) => {
    if (hasPixels(one)) {
      try {
        readAhead(partOf(one.frame, one));
      } catch {
        // It may get another texture. Until then its rectangle counts.
      }
      if (one.input) Object.assign(one.input, { hitAreaCallback: contains, customHitArea: true });
      else one.setInteractive({ hitArea: {}, hitAreaCallback: contains });
      return true;
    }
    const children = one?.getChildren?.() ?? one?.list;
    children?.forEach(visit);
    return children !== undefined;
  };
  // A picture that cannot be read is an error here, and none in the events of a pointer.
  if (hasPixels(object)) readAhead(partOf(object.frame, object));
  if (!visit(object)) throw noPixels(object, HELP);
  return object;
}

/** Returns cosine and sine, exact for quarter turns. */
function turn(radians) {
  const quarters = (2 * radians) / Math.PI;
  const whole = Math.round(quarters);
  if (Math.abs(quarters - whole) > 1e-9) return [Math.cos(radians), Math.sin(radians)];
  return [[1, 0], [0, 1], [-1, 0], [0, -1]][((whole % 4) + 4) % 4];
}

const nameOf = (frame) => `${frame.texture.key}/${frame.name}`;

function images(scene, textures) {
  if (!Array.isArray(textures) || textures.length === 0) {
    throw new HitmaskError("BAD_VALUE", `textures is ${describe(textures)}`, "give an array of the keys of textures");
  }
  const found = new Map();
  for (const key of textures) {
    if (!scene.textures.exists(key)) {
      throw new HitmaskError("UNKNOWN_SPRITE", `no texture has the key ${describe(key)}`, "load it in preload()");
    }
    const texture = scene.textures.get(key);
    // The frame __BASE of a sheet is the whole sheet, which no sprite shows as a rule.
    const all = Object.values(texture.frames);
    const frames = all.length > 1 ? all.filter((frame) => frame.name !== "__BASE") : all;
    for (const frame of frames) {
      const version = () => (frame.source ? versionOf(frame.source, listen) : 0);
      found.set(frame, { name: nameOf(frame), part: () => partOf(frame), version, resolution: 1 });
    }
  }
  return found;
}

/** Returns the part of its source that a frame shows, or that an object with a crop shows of it. */
function partOf(frame, object) {
  const { source, cutX, cutY, cutWidth, cutHeight, realWidth: width, realHeight: height } = frame;
  const part = { source, pixels: source.image, stride: 0, version: versionOf(source, listen), width, height };
  if (object?.isCropped) {
    const crop = object._crop;
    // As Phaser does before it draws.
    if (crop.flipX !== object.flipX || crop.flipY !== object.flipY) frame.updateCropUVs(crop, object.flipX, object.flipY);
    const { x, y, width: w, height: h, cx: u, cy: v, cw: ux, ch: vy } = crop;
    return Object.assign(part, { x, y, w, h, u, v, ux, uy: 0, vx: 0, vy });
  }
  const shown = { x: frame.x, y: frame.y, w: cutWidth, h: cutHeight, uy: 0, vx: 0 };
  // WebGL shows the turned frames of a sheet mirrored and not turned back, whatever was packed.
  return frame.rotated && source.glTexture
    ? Object.assign(part, shown, { u: cutX + cutHeight, v: cutY, ux: -cutHeight, vy: cutWidth })
    : Object.assign(part, shown, { u: cutX, v: cutY, ux: cutWidth, vy: cutHeight });
}

/** Counts the calls by which a game shows a canvas again. Phaser has no event for them. */
function listen(source, count) {
  const { update } = source;
  source.update = function () {
    count();
    update.call(this);
  };
}
