import { Adapter, checkOptions } from "./lib/adapter.js";
import { HitmaskError, describe } from "./lib/error.js";
import { noPointer, pixelsOf, solidTexels } from "./lib/pixels.js";

/**
 * Pixel-perfect collisions between the sprites and images of a Phaser 3 or Phaser 4 scene.
 *
 * The masks are baked from loaded textures, one for each frame. After the scene's update() the
 * colliders follow their objects, and "hitmask:began" and "hitmask:ended" are emitted: by both objects
 * with the other one, and by `scene.events` with both.
 */
export class PhaserHitmask extends Adapter {
  #scene;
  #shown = { texture: null, a: 0, b: 0, c: 0, d: 0, x: 0, y: 0, enabled: true };
  #destroyed = (object) => this.detach(object);
  // An engine may call a listener once more after its removal.
  #afterUpdate = () => this.world.isDisposed || this.update();
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
    events.off("shutdown", this.#shutdown);
    events.off("destroy", this.#shutdown);
    super.dispose();
  }

  /**
   * Draws the pixels of all colliders on a graphics object, to compare them with what is drawn.
   *
   * @param {Phaser.GameObjects.Graphics} graphics
   */
  debug(graphics, color = 0x00ff88, alpha = 0.5) {
    graphics.clear();
    graphics.fillStyle(color, alpha);
    this.eachBox((x, y, width, height) => graphics.fillRect(x, y, width, height));
  }

  announce(event, a, b) {
    a.emit(event, b);
    b.emit(event, a);
    this.#scene.events.emit(event, a, b);
  }

  nameOf(frame) {
    return nameOf(frame);
  }

  /** How an object is drawn: texel (u, v) of its frame is at (a u + c v + x, b u + d v + y). */
  read(object) {
    const { frame, flipX, flipY } = object;
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
    shown.enabled = object.active;
    return shown;
  }
}

/**
 * Makes a sprite or an image interactive by its visible pixels, or all present ones of a container, layer or group.
 *
 * @param {object} object
 * @param {{ alpha?: number }} [options]
 */
export function pixelPerfect(object, options = {}) {
  const isSolid = solidTexels(options, imageOf);
  const contains = (_area, x, y, { frame, flipX, flipY, displayOriginX, displayOriginY }) => {
    // A flip mirrors the frame in place, or about a pivot that the frame brings.
    const right = frame.customPivot ? 2 * displayOriginX : frame.realWidth;
    const bottom = frame.customPivot ? 2 * displayOriginY : frame.realHeight;
    return isSolid(frame, flipX ? right - x : x, flipY ? bottom - y : y);
  };
  const visit = (one) => {
    // Tiles and texts have frames too, which they do not show as they are.
    if (one?.frame?.texture && one.tilePositionX === undefined && one.text === undefined) {
      if (one.input) Object.assign(one.input, { hitAreaCallback: contains, customHitArea: true });
      else one.setInteractive({ hitArea: {}, hitAreaCallback: contains });
      return true;
    }
    const children = one?.getChildren?.() ?? one?.list;
    children?.forEach(visit);
    return children !== undefined;
  };
  if (!visit(object)) throw noPointer(object);
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
    for (const frame of frames) found.set(frame, { name: nameOf(frame), image: imageOf(frame), resolution: 1 });
  }
  return found;
}

function imageOf(frame) {
  if (frame.rotated) {
    const place = `the frame ${describe(frame.name)} of ${describe(frame.texture.key)}`;
    throw new HitmaskError("BAD_MASK", `${place} is rotated`, "pack the sheet without rotation");
  }
  const cut = { x: frame.cutX, y: frame.cutY, width: frame.cutWidth, height: frame.cutHeight };
  const into = { x: frame.x, y: frame.y, width: frame.realWidth, height: frame.realHeight };
  return pixelsOf(frame.source.image, cut, into);
}
