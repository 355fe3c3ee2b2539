import { HitmaskError, checkKeys, describe } from "./error.js";

/** Events that objects of the engine emit, with the other object as argument. */
export const BEGAN = "hitmask:began";
export const ENDED = "hitmask:ended";

/** The largest relative difference of two scales that count as one. */
const SAME_SCALE = 1e-3;
/**
 * A shift of positions to the lower right, in pixels. A sprite of odd size at a whole position has its
 * edges on pixel centres, where positions snap up, whatever the rounding of the sums before.
 */
const TIE = 2 ** -10;
/** The least area of a drawn texel. Smaller objects have no pixels, as in the middle of a tween to scale 0. */
const LEAST_AREA = 1e-6;

const IDENTITY = [1, 0, 0, 1, 0, 0];

/** The numbers that are kept for a body: what its collider was placed by. */
const FIELDS = 4;
const [X, Y, ANGLE, SCALE] = [0, 1, 2, 3];

const BAKE_KEYS = ["angles", "scales", "maxError", "sampling", "alpha"];
/** Options of colliders that follow from what the object shows. */
const SHOWN = ["sprite", "mask", "x", "y", "angle", "turn", "scale", "flipX", "flipY", "frame", "plane"];

/**
 * Colliders that follow the objects of an engine. Engines differ in six methods:
 *
 *   read(object)             how the object is drawn
 *   nameOf(texture)          the name of a texture, for an error
 *   isVisible(object)        whether the engine shows it
 *   announce(event, a, b)    emits an event
 *   watch(object), unwatch(object)    begin and end to wait for its destruction, which detaches it
 *
 * Invariants: for the collider in a slot, `#bodies[slot]` is the body, `#objects[slot]` the object, `#slotIds[slot]` the
 * id, and `#table` has its FIELDS at `FIELDS * slot`. Thousands of objects with fields are cache misses. A sprite that is drawn by a
 * rotation, flips and a baked scale shows a baked mask. All others show a mask that is drawn for them.
 * The place of a body counts as known only when its collider is there.
 */
export class Adapter {
  #hitmask;
  /** By textures, or by frames of them: the name, the image, and the baked scales in ascending order. */
  #images;
  /** Bodies by the slots of their colliders. */
  #bodies = [];
  #objects = [];
  #slotIds = new Float64Array(64);
  #table = new Float64Array(64 * FIELDS);
  /** Bodies by objects. */
  #of = new Map();
  /** Objects of removed colliders, by id: since the last update, whose pairs end with the next one, and before it. */
  #gone = new Map();
  #goneBefore = new Map();
  /** Drawn masks that no collider shows. They are drawn again, so ids of masks do not grow. */
  #free = [];
  #collideHidden;
  /** The ids and places of the next bulk call, and their number. */
  #movedCount = 0;
  #ids = new Float64Array(64);
  #places = new Float32Array(192);

  /**
   * @param {import("../index.js").Hitmask} hitmask
   * @param {Map<any, { name: string, image: import("../index.js").Pixels, resolution: number }>} images By textures.
   * @param {object} options Settings of the bake.
   */
  constructor(hitmask, images, options) {
    const { collideHidden = true } = options;
    if (typeof collideHidden !== "boolean") {
      throw new HitmaskError("BAD_VALUE", `collideHidden is ${describe(collideHidden)}`, "give true or false");
    }
    this.#collideHidden = collideHidden;
    this.#hitmask = hitmask;
    this.#images = images;
    const settings = Object.fromEntries(BAKE_KEYS.filter((key) => key in options).map((key) => [key, options[key]]));
    const sprites = Array.from(images.values(), ({ name, image, resolution }) => {
      const scales = (settings.scales ?? [1]).map((scale) => scale / resolution);
      return { ...settings, name, imageData: image, scales };
    });
    const atlas = hitmask.bake(sprites);
    for (const entry of images.values()) entry.scales = atlas.scales(entry.name);
    /** Warnings of the bake. */
    this.warnings = atlas.warnings;
    /** The world of all colliders, for queries. Its ids are those of `id(object)`. */
    this.world = hitmask.world(atlas);
    atlas.dispose();
  }

  /** The keys of the options that the bake takes. */
  static BAKE_KEYS = BAKE_KEYS;

  /**
   * Gives an object a collider that follows it, and returns the object.
   *
   * @template {object} T
   * @param {T} object
   * @param {object} [options] Layers and other options of a collider.
   * @returns {T}
   */
  attach(object, options = {}) {
    if (this.#of.has(object)) {
      throw new HitmaskError("BAD_VALUE", `${describe(object)} is attached already`, "detach() it first");
    }
    for (const key in options) {
      if (SHOWN.includes(key)) {
        const help = "set it on the object itself; its collider follows";
        throw new HitmaskError("BAD_VALUE", `${key} is given by what the object shows`, help);
      }
    }
    const isWanted = options.enabled !== false;
    const body = { options, isWanted, slot: -1, mask: 0, texture: undefined, entry: undefined, enabled: false, flipX: false, drawn: [] };
    this.#follow(body, object);
    this.#bodies[body.slot] = body;
    this.#objects[body.slot] = object;
    this.#of.set(object, body);
    this.watch(object);
    return object;
  }

  /** Removes the collider of an object. Nothing happens if it has none. */
  detach(object) {
    const body = this.#of.get(object);
    if (!body) return;
    this.unwatch(object);
    this.#of.delete(object);
    this.#bodies[body.slot] = this.#objects[body.slot] = undefined;
    if (this.world.isDisposed) return;
    const id = this.#idOf(body);
    this.world.remove(id);
    if (body.mask !== 0) this.#free.push(body.mask);
    this.#gone.set(id, object);
  }

  /** Returns the id of an object's collider, or undefined. */
  id(object) {
    const body = this.#of.get(object);
    return body && this.#idOf(body);
  }

  #idOf(body) {
    return this.#slotIds[body.slot];
  }

  /** Returns the object of a collider, or undefined. */
  object(id) {
    const slot = id >>> 0;
    const object = this.#slotIds[slot] === id ? this.#objects[slot] : undefined;
    return object ?? this.#gone.get(id) ?? this.#goneBefore.get(id);
  }

  /** The number of objects that have a collider. */
  get count() {
    return this.#of.size;
  }

  /**
   * Places all colliders where their objects are, finds the pairs that touch, and emits the events. Throws the first
   * error of an object or of a handler at its end, so that all others have been served.
   */
  update() {
    const fault = this.#followAll();
    // The pairs of a collider that a handler removes end with the next update.
    [this.#goneBefore, this.#gone] = [this.#gone, new Map()];
    this.world.update();
    // Both are copied before a handler runs, which may dispose of the world.
    const [ended, began] = [this.world.endedArray().slice(), this.world.beganArray().slice()];
    const faults = [fault, this.#announceAll(ENDED, ended), this.#announceAll(BEGAN, began)];
    const first = faults.find((one) => one !== undefined);
    if (first !== undefined) throw first;
  }

  /**
   * Places all colliders where their objects are. Throws the first error of an object at its end: that collider stays
   * where it was, and all others are placed.
   */
  sync() {
    const fault = this.#followAll();
    if (fault !== undefined) throw fault;
  }

  /** Lets all colliders follow. Returns the first error. */
  #followAll() {
    let fault;
    this.#movedCount = 0;
    for (let slot = 0; slot < this.#bodies.length; slot++) {
      const object = this.#objects[slot];
      if (object === undefined) continue;
      try {
        this.#follow(this.#bodies[slot], object);
      } catch (error) {
        fault ??= about(object, error);
      }
    }
    const count = this.#movedCount;
    if (count === 0) return fault;
    try {
      this.world.placeMany(this.#ids.subarray(0, count), this.#places.subarray(0, 3 * count));
    } catch {
      for (let i = 0; i < count; i++) {
        try {
          this.world.placeMany(this.#ids.subarray(i, i + 1), this.#places.subarray(3 * i, 3 * i + 3));
        } catch (error) {
          const slot = this.#ids[i] >>> 0;
          this.#table[FIELDS * slot + X] = NaN;
          fault ??= about(this.#objects[slot], error);
        }
      }
    }
    return fault;
  }

  /** Returns the objects that touch an object at its place, without an update. */
  touching(object) {
    return this.world.touchingWith(this.#known(object)).map((id) => this.object(id));
  }

  /** Returns the overlap of two objects, or null. */
  contact(a, b) {
    return this.world.contact(this.#known(a), this.#known(b));
  }

  /** Returns the visible object under a pointer, or null. */
  pick(x, y, options) {
    const hidden = [];
    try {
      for (;;) {
        const id = this.world.pick(x, y, options);
        if (id === null) return null;
        const object = this.object(id);
        if (object !== undefined && this.isVisible(object)) return object;
        // Out of the way for this search.
        const collider = this.world.get(id);
        this.world.set(id, { ...collider, enabled: false });
        hidden.push([id, collider]);
      }
    } finally {
      for (const [id, collider] of hidden) this.world.set(id, collider);
    }
  }

  /** Calls a function with the boxes that cover each object's pixels: x, y, width, height. */
  eachBox(draw) {
    for (const [object, body] of this.#of) {
      const rects = this.world.rects(this.#idOf(body));
      for (let i = 0; i < rects.length; i += 4) {
        draw(rects[i], rects[i + 1], rects[i + 2] - rects[i], rects[i + 3] - rects[i + 1], object);
      }
    }
  }

  /** Calls a function with each border of each object's pixels: x, y, x, y, ... */
  eachPolygon(draw) {
    for (const [object, body] of this.#of) for (const one of this.world.polygons(this.#idOf(body))) draw(one, object);
  }

  /** Frees the world. Objects stay, and nothing waits for them. */
  dispose() {
    for (const object of this.#of.keys()) this.unwatch(object);
    this.#of.clear();
    this.#bodies.length = this.#objects.length = this.#free.length = 0;
    this.#gone.clear();
    this.#goneBefore.clear();
    this.world.dispose();
  }

  #known(object) {
    const body = this.#of.get(object);
    if (!body) throw new HitmaskError("STALE_ID", `${describe(object)} has no collider`, "attach() it first");
    return this.#idOf(body);
  }

  /** Emits an event for each pair. Returns the first error of a handler. */
  #announceAll(event, ids) {
    let fault;
    for (let i = 0; i < ids.length; i += 2) {
      const a = this.object(ids[i]);
      const b = this.object(ids[i + 1]);
      // A handler may have disposed of this adapter, and games may add colliders of their own.
      if (a === undefined || b === undefined) continue;
      try {
        this.announce(event, a, b);
      } catch (error) {
        fault ??= error;
      }
    }
    return fault;
  }

  /** Reads how an object is drawn, and lets its collider follow: in the next bulk call if only its place has changed. */
  #follow(body, object) {
    const { texture, a, b, c, d, x, y, enabled } = this.read(object);
    const entry = texture === body.texture ? body.entry : this.#images.get(texture);
    if (!entry) {
      const help = "list the texture when the adapter is made";
      throw new HitmaskError("UNKNOWN_SPRITE", `the texture ${describe(this.nameOf(texture))} was not baked`, help);
    }
    const { width, height } = entry.image;
    const area = a * d - b * c;
    if (Number.isNaN(area)) {
      throw new HitmaskError("BAD_NUMBER", `the transform [${[a, b, c, d]}] is not finite`, "set a finite rotation and scale");
    }
    const isSeen = this.#collideHidden || this.isVisible(object);
    const isShown = enabled && isSeen && body.isWanted && Math.abs(area) > LEAST_AREA;
    if (!isShown && body.slot >= 0) {
      if (body.enabled) this.#set(body, { ...this.world.get(this.#idOf(body)), enabled: false });
      body.enabled = false;
      return;
    }
    // The pivot of a mask is the centre of its image. Positions name the pixel that it is in.
    const left = x + (a * width + c * height) / 2 - (width & 1) / 2 + TIE;
    const top = y + (b * width + d * height) / 2 - (height & 1) / 2 + TIE;
    const flipX = area < 0;
    const { scales } = entry;
    const scale = isShown ? bakedScale(a, b, c, d, scales) : scales[0];
    const angle = scale === 0 ? 0 : flipX ? Math.atan2(-b, -a) : Math.atan2(b, a);
    // A body without a collider is not enabled.
    let at = FIELDS * body.slot;
    const isSame = body.enabled && texture === body.texture && scale === this.#table[at + SCALE];
    if (isSame && (scale === 0 || flipX === body.flipX)) {
      const table = this.#table;
      if (scale === 0) this.#redraw(body, a, b, c, d);
      if (left === table[at + X] && top === table[at + Y] && angle === table[at + ANGLE]) return;
      this.#push(body, left, top, angle);
    } else {
      const mask = scale === 0 ? this.#draw(entry.image, [a, b, c, d, 0, 0]) : 0;
      const shown = mask === 0 ? { sprite: entry.name, angle, scale, flipX } : { mask };
      let unused = mask;
      try {
        this.#set(body, { ...body.options, ...shown, x: left, y: top, enabled: isShown });
        unused = body.mask;
      } finally {
        if (unused !== 0) this.#free.push(unused);
      }
      body.mask = mask;
      body.drawn = [a, b, c, d];
      body.texture = texture;
      body.entry = entry;
      body.enabled = isShown;
      body.flipX = flipX;
      at = FIELDS * body.slot;
      this.#table[at + SCALE] = scale;
    }
    const table = this.#table;
    table[at + X] = left;
    table[at + Y] = top;
    table[at + ANGLE] = angle;
  }

  /** Gives a body its collider, or another one. */
  #set(body, collider) {
    if (body.slot >= 0) return this.world.set(this.#idOf(body), collider);
    const id = this.world.add(collider);
    body.slot = id >>> 0;
    while (body.slot >= this.#slotIds.length) {
      this.#slotIds = grown(this.#slotIds);
      this.#table = grown(this.#table);
    }
    this.#slotIds[body.slot] = id;
  }

  /** Returns a mask of an image that is drawn by a transform. */
  #draw(image, transform) {
    const mask = this.#free.pop();
    if (mask === undefined) return this.world.addMask(image, { transform });
    try {
      // The last transform may be out of range for this image.
      this.world.transformMask(mask, IDENTITY);
      this.world.redrawMask(mask, image);
      this.world.transformMask(mask, transform);
    } catch (error) {
      this.#free.push(mask);
      throw error;
    }
    return mask;
  }

  /** Draws the mask of a body again, if its transform has changed. */
  #redraw(body, a, b, c, d) {
    const { drawn } = body;
    if (a === drawn[0] && b === drawn[1] && c === drawn[2] && d === drawn[3]) return;
    this.world.transformMask(body.mask, [a, b, c, d, 0, 0]);
    body.drawn = [a, b, c, d];
  }

  /** Writes a place for the next bulk call. */
  #push(body, x, y, angle) {
    const at = this.#movedCount++;
    if (at === this.#ids.length) {
      this.#ids = grown(this.#ids);
      this.#places = grown(this.#places);
    }
    this.#ids[at] = this.#idOf(body);
    this.#places[3 * at] = x;
    this.#places[3 * at + 1] = y;
    this.#places[3 * at + 2] = angle;
  }
}

/**
 * Returns the baked scale of a transform. Returns 0 if the transform is no rotation with or without a
 * flip, or if its scale is not baked.
 */
function bakedScale(a, b, c, d, scales) {
  const scale = Math.sqrt(a * a + b * b);
  const sign = a * d - b * c < 0 ? -1 : 1;
  const slack = SAME_SCALE * scale;
  // The second axis is the first one, turned by a quarter and mirrored or not.
  if (Math.abs(sign * a - d) > slack || Math.abs(sign * b + c) > slack) return 0;
  for (const one of scales) if (Math.abs(one - scale) <= SAME_SCALE * one) return one;
  return 0;
}

/** Throws for options that an adapter does not know. */
export function checkOptions(options, keys) {
  checkKeys(options, [...keys, "collideHidden", ...BAKE_KEYS], "the options");
}

/** Returns an error with the name of the object that it is about. */
function about(object, error) {
  if (!(error instanceof HitmaskError)) return error;
  const name = object.name || object.label;
  return error.about(describe(object) + (name ? ` ${describe(name)}` : ""));
}

function grown(array) {
  const larger = new array.constructor(2 * array.length);
  larger.set(array);
  return larger;
}
