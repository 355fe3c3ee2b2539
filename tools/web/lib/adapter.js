import { HitmaskError, checkKeys, describe } from "./error.js";
import { imageOf, noPixels } from "./pixels.js";

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

/**
 * The numbers that are kept for a body, in 64 bytes: what its collider was placed by, and the centre of its picture from
 * the origin of its transform, in texels. SCALE is negative for a flip, NaN for a disabled collider, and 0 for a mask that
 * is drawn at run time.
 */
const FIELDS = 8;
const [X, Y, ANGLE, SCALE, CENTER_X, CENTER_Y] = [0, 1, 2, 3, 4, 5];
/** The stamps of an object when its collider was placed, in 16 bytes. No stamp is negative. */
const STAMPS = 4;
const [LOOK, PLACE, PARENT] = [0, 1, 2];

const BAKE_KEYS = ["angles", "scales", "maxError", "sampling", "alpha"];
/** Options of colliders that follow from what the object shows. */
const SHOWN = ["sprite", "mask", "x", "y", "angle", "turn", "scale", "flipX", "flipY", "frame", "plane"];

/**
 * Colliders that follow the objects of an engine. Engines differ in six methods:
 *
 *   read(object)             how the object is drawn
 *   nameOf(texture)          the name of a texture, for an error
 *   isVisible(object)        whether the engine shows it
 *   announce(event, a, b, isA, isB)    emits an event; isA and isB tell whether the objects may listen
 *   watch(object), unwatch(object)    begin and end to wait for its destruction, which detaches it
 *
 * and in what they know besides, at the end of the class.
 *
 * Invariants: for the collider in a slot, `#bodies[slot]` is the body, `#objects[slot]` the object, `#entries[slot]` what
 * its texture shows, and `#slotIds[slot]` the id. `#table` has its FIELDS at `FIELDS * slot`, and `#stamps` its STAMPS,
 * because thousands of objects with fields are cache misses. A sprite that is drawn by a rotation, flips and a baked
 * scale shows a baked mask. All others show a mask that is drawn for them. The place of a body counts as known only when
 * its collider is there.
 */
export class Adapter {
  #hitmask;
  /** By textures, or by frames of them: the name, the image, and the baked scales in ascending order. */
  #images;
  /** Bodies by the slots of their colliders. */
  #bodies = [];
  #objects = [];
  #entries = [];
  #slotIds = new Float64Array(64);
  #table = new Float64Array(64 * FIELDS);
  #stamps = new Int32Array(64 * STAMPS);
  /** Whether an object may listen, as of the last update. */
  #listens = new Uint8Array(64);
  /** Bodies by objects. */
  #of = new Map();
  /** Objects of removed colliders, by id: since the last update, whose pairs end with the next one, and before it. */
  #gone = new Map();
  #goneBefore = new Map();
  /** Drawn masks that no collider shows. They are drawn again, so ids of masks do not grow. */
  #free = [];
  #collideHidden;
  #snapScales;
  /** What the last error was that was reported. */
  #reported;
  /** The ids and places of the next bulk call, and their number. */
  #movedCount = 0;
  #ids = new Float64Array(64);
  #places = new Float32Array(192);

  /**
   * @param {import("../index.js").Hitmask} hitmask
   * @param {Map<any, object>} images By textures: `name`, `resolution`, and `image`, or `part()` and `version()`.
   * @param {object} options Settings of the bake.
   */
  constructor(hitmask, images, options) {
    const { collideHidden = true, snapScales = false } = options;
    for (const [key, value] of Object.entries({ collideHidden, snapScales })) {
      if (typeof value !== "boolean") throw new HitmaskError("BAD_VALUE", `${key} is ${describe(value)}`, "give true or false");
    }
    this.#collideHidden = collideHidden;
    this.#snapScales = snapScales;
    this.#hitmask = hitmask;
    this.#images = images;
    const settings = Object.fromEntries(BAKE_KEYS.filter((key) => key in options).map((key) => [key, options[key]]));
    const sprites = Array.from(images, ([texture, entry]) => {
      const { name, resolution } = entry;
      Object.assign(entry, { texture, image: entry.image ?? imageOf(entry.part()), seen: entry.version?.(), isStale: false });
      return { ...settings, name, imageData: entry.image, scales: (settings.scales ?? [1]).map((scale) => scale / resolution) };
    });
    const atlas = hitmask.bake(sprites);
    for (const entry of images.values()) entry.scales = atlas.scales(entry.name);
    /** Warnings of the bake, and of objects with a mask. */
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
    if (!this.hasPixels(object)) throw noPixels(object, this.help);
    const body = { options, slot: -1, mask: 0, image: undefined, crop: undefined, drawn: [] };
    this.prepare();
    this.#follow(-1, object, body);
    this.#bodies[body.slot] = body;
    this.#objects[body.slot] = object;
    this.#of.set(object, body);
    this.watch(object);
    if (object.mask) this.warnings.push(`${nameOf(object)} has a mask: the pixels that it hides collide`);
    return object;
  }

  /** Removes the collider of an object. Nothing happens if it has none. */
  detach(object) {
    const body = this.#of.get(object);
    if (!body) return;
    this.unwatch(object);
    this.#of.delete(object);
    this.#bodies[body.slot] = this.#objects[body.slot] = this.#entries[body.slot] = undefined;
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
   * Runs update() in an event of the engine, whose loop an error would end. Errors are reported as uncaught ones: the
   * same one again only after an update without any.
   */
  tick() {
    // An engine may call a listener once more after its removal.
    if (this.world.isDisposed) return;
    try {
      this.update();
      this.#reported = undefined;
    } catch (error) {
      // The numbers in a message change.
      const kind = error?.code ?? String(error);
      if (kind === this.#reported) return;
      this.#reported = kind;
      setTimeout(() => {
        throw error;
      });
    }
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
    let isAnyStale = false;
    for (const entry of this.#images.values()) {
      const version = entry.version?.();
      if (version === entry.seen) continue;
      entry.seen = version;
      entry.isStale = isAnyStale = true;
    }
    this.prepare();
    this.#movedCount = 0;
    const [objects, listens, stamps] = [this.#objects, this.#listens, this.#stamps];
    const isStamped = this.#collideHidden && !isAnyStale;
    for (let slot = 0; slot < objects.length; slot++) {
      const object = objects[slot];
      if (object === undefined) continue;
      const at = STAMPS * slot;
      try {
        listens[slot] = this.mayListen(object, slot) ? 1 : 0;
        const look = this.lookStamp(object);
        const place = this.placeStamp(object);
        const parent = this.parentStamp(object);
        const isPlaced = isStamped && look === stamps[at + LOOK];
        if (isPlaced && place === stamps[at + PLACE] && parent === stamps[at + PARENT]) continue;
        if (!isPlaced || !this.#move(slot, object)) this.#follow(slot, object, this.#bodies[slot]);
        stamps[at + LOOK] = look;
        stamps[at + PLACE] = place;
        stamps[at + PARENT] = parent;
      } catch (error) {
        stamps[at + LOOK] = -1;
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
          stamps[STAMPS * slot + LOOK] = -1;
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

  /** Does the same for the places of now, such as right before they are drawn. The next update() reports what fails. */
  eachShownBox(draw) {
    if (this.world.isDisposed) return;
    this.#followAll();
    this.eachBox(draw);
  }

  /** Calls a function with each border of each object's pixels: x, y, x, y, ... */
  eachPolygon(draw) {
    for (const [object, body] of this.#of) for (const one of this.world.polygons(this.#idOf(body))) draw(one, object);
  }

  /** Frees the world. Objects stay, and nothing waits for them. */
  dispose() {
    for (const object of this.#of.keys()) this.unwatch(object);
    this.#of.clear();
    this.#bodies.length = this.#objects.length = this.#entries.length = this.#free.length = 0;
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
    const isHeard = this.isHeard(event);
    for (let i = 0; i < ids.length; i += 2) {
      const [isA, isB] = [this.#isListening(ids[i]), this.#isListening(ids[i + 1])];
      if (!isHeard && !isA && !isB) continue;
      const a = this.object(ids[i]);
      const b = this.object(ids[i + 1]);
      // A handler may have disposed of this adapter, and games may add colliders of their own.
      if (a === undefined || b === undefined) continue;
      try {
        this.announce(event, a, b, isA, isB);
      } catch (error) {
        fault ??= error;
      }
    }
    return fault;
  }

  /** Returns whether the object of a collider may listen. Of one that was removed nothing is known. */
  #isListening(id) {
    const slot = id >>> 0;
    return this.#slotIds[slot] !== id || this.#objects[slot] === undefined || this.#listens[slot] === 1;
  }

  /**
   * Lets a collider with a baked mask follow an object that has moved and turned. Returns whether it has done no more.
   * Numbers go by the table, because arguments that are no whole numbers are allocated.
   */
  #move(slot, object) {
    const table = this.#table;
    const at = FIELDS * slot;
    const scale = table[at + SCALE];
    if (scale === 0 || !this.readPlace(object)) return false;
    const { image, resolution } = this.#entries[slot];
    const { place } = this;
    const a = place[0] / resolution;
    const b = place[1] / resolution;
    const c = place[2] / resolution;
    const d = place[3] / resolution;
    const sign = scale < 0 ? -1 : 1;
    const slack = SAME_SCALE * sign * scale;
    // False for a disabled collider, and for numbers that are none.
    const isSame = Math.abs(sign * scale - Math.sqrt(a * a + b * b)) <= slack;
    if (!isSame || Math.abs(sign * a - d) > slack || Math.abs(sign * b + c) > slack) return false;
    const left = place[4] + a * table[at + CENTER_X] + c * table[at + CENTER_Y] - (image.width & 1) / 2 + TIE;
    const top = place[5] + b * table[at + CENTER_X] + d * table[at + CENTER_Y] - (image.height & 1) / 2 + TIE;
    const angle = angleOf(sign * a, sign * b);
    if (left === table[at + X] && top === table[at + Y] && angle === table[at + ANGLE]) return true;
    table[at + X] = left;
    table[at + Y] = top;
    table[at + ANGLE] = angle;
    this.#push(slot);
    return true;
  }

  /** Returns what a texture shows. */
  #entry(texture) {
    const entry = this.#images.get(texture);
    if (entry) return entry;
    const help = "list the texture when the adapter is made";
    const name = describe(texture ? this.nameOf(texture) : texture);
    throw new HitmaskError("UNKNOWN_SPRITE", `the texture ${name} was not baked`, help);
  }

  /** Reads the image of a texture that was drawn again. From then on its masks are drawn at run time. */
  #readAgain(entry) {
    entry.image = imageOf(entry.part());
    entry.scales = [];
    entry.isStale = false;
  }

  /**
   * Reads how an object is drawn, and lets its collider follow: in the next bulk call if only its place has changed. A
   * body without a collider gets one; its slot is -1.
   */
  #follow(slot, object, body) {
    const shown = this.read(object);
    const { texture, crop, a, b, c, d, x, y, enabled } = shown;
    const before = slot < 0 ? undefined : this.#entries[slot];
    const entry = before !== undefined && before.texture === texture ? before : this.#entry(texture);
    if (entry.isStale) this.#readAgain(entry);
    const { width, height } = entry.image;
    const area = a * d - b * c;
    if (Number.isNaN(area)) {
      throw new HitmaskError("BAD_NUMBER", `the transform [${[a, b, c, d]}] is not finite`, "set a finite rotation and scale");
    }
    let at = FIELDS * slot;
    const last = slot < 0 ? NaN : this.#table[at + SCALE];
    const isSeen = this.#collideHidden || this.isVisible(object);
    const isShown = enabled && isSeen && body.options.enabled !== false && Math.abs(area) > LEAST_AREA;
    if (!isShown && slot >= 0) {
      if (!Number.isNaN(last)) this.#set(body, { ...this.world.get(this.#idOf(body)), enabled: false });
      this.#table[at + SCALE] = NaN;
      return;
    }
    // The pivot of a mask is the centre of its image. Positions name the pixel that it is in.
    const left = x + (a * width + c * height) / 2 - (width & 1) / 2 + TIE;
    const top = y + (b * width + d * height) / 2 - (height & 1) / 2 + TIE;
    const { scales } = entry;
    const scale = crop || scales.length === 0 ? 0 : isShown ? bakedScale(a, b, c, d, scales, this.#snapScales) : scales[0];
    const angle = scale === 0 ? 0 : area < 0 ? angleOf(-a, -b) : angleOf(a, b);
    const signed = area < 0 ? -scale : scale;
    const image = crop ? croppedImage(body, crop) : entry.image;
    if (entry === before && signed === last && image === body.image) {
      if (scale === 0) this.#redraw(body, a, b, c, d);
      const table = this.#table;
      if (left !== table[at + X] || top !== table[at + Y] || angle !== table[at + ANGLE]) {
        table.set([left, top, angle], at);
        this.#push(slot);
      }
    } else {
      const mask = scale === 0 ? this.#draw(image, isShown ? [a, b, c, d, 0, 0] : IDENTITY) : 0;
      const look = mask === 0 ? { sprite: entry.name, angle, scale, flipX: area < 0 } : { mask };
      let unused = mask;
      try {
        this.#set(body, { ...body.options, ...look, x: left, y: top, enabled: isShown });
        unused = body.mask;
      } finally {
        if (unused !== 0) this.#free.push(unused);
      }
      Object.assign(body, { mask, image, crop, drawn: [a, b, c, d] });
      at = FIELDS * body.slot;
      this.#entries[body.slot] = entry;
      // The stamps are those of an update.
      this.#table.set([left, top, angle, isShown ? signed : NaN], at);
      this.#stamps[STAMPS * body.slot + LOOK] = -1;
    }
    this.#table[at + CENTER_X] = shown.left + width / 2;
    this.#table[at + CENTER_Y] = shown.top + height / 2;
  }

  /** Gives a body its collider, or another one. */
  #set(body, collider) {
    if (body.slot >= 0) return this.world.set(this.#idOf(body), collider);
    const id = this.world.add(collider);
    body.slot = id >>> 0;
    while (body.slot >= this.#slotIds.length) {
      this.#slotIds = grown(this.#slotIds);
      this.#table = grown(this.#table);
      this.#stamps = grown(this.#stamps);
      this.#listens = grown(this.#listens);
    }
    this.#slotIds[body.slot] = id;
    this.#listens[body.slot] = 1;
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

  /** Writes the place of a collider for the next bulk call. */
  #push(slot) {
    const at = this.#movedCount++;
    if (at === this.#ids.length) {
      this.#ids = grown(this.#ids);
      this.#places = grown(this.#places);
    }
    const from = FIELDS * slot;
    this.#ids[at] = this.#slotIds[slot];
    this.#places[3 * at] = this.#table[from + X];
    this.#places[3 * at + 1] = this.#table[from + Y];
    this.#places[3 * at + 2] = this.#table[from + ANGLE];
  }

  // What an engine may know besides.

  /** Whether an object shows a texture as it is. */
  hasPixels() {
    return true;
  }

  /** Is called before objects are read. */
  prepare() {}

  /** Where readPlace() writes the transform of an object, in pixels of its picture. */
  place = new Float64Array(6);

  /** Returns a number that differs after each change of an object but of its transform. NaN is not known. */
  lookStamp() {
    return NaN;
  }

  /** Returns a number that differs after each change of the transform of an object. */
  placeStamp() {
    return NaN;
  }

  /** Returns a number that differs after each change of the transform of an object's parents. */
  parentStamp() {
    return NaN;
  }

  /** Whether an object may listen to its events. */
  mayListen() {
    return true;
  }

  /** Whether a listener hears an event of all pairs. */
  isHeard() {
    return true;
  }
}

/** Returns the image of a body with a crop: the last one if the crop is the same. */
function croppedImage(body, crop) {
  const isSame = body.crop && Object.keys(crop).every((key) => crop[key] === body.crop[key]);
  return isSame ? body.image : imageOf(crop);
}

/**
 * Returns the baked scale of a transform. Returns 0 if the transform is no rotation with or without a
 * flip, or if its scale is not baked, unless it `snaps` to the nearest one.
 */
function bakedScale(a, b, c, d, scales, snaps) {
  const scale = Math.sqrt(a * a + b * b);
  const sign = a * d - b * c < 0 ? -1 : 1;
  const slack = SAME_SCALE * scale;
  // The second axis is the first one, turned by a quarter and mirrored or not.
  if (Math.abs(sign * a - d) > slack || Math.abs(sign * b + c) > slack) return 0;
  let nearest = scales[0];
  for (const one of scales) {
    if (Math.abs(one - scale) <= SAME_SCALE * one) return one;
    // By the ratio of the two.
    if (one * nearest < scale * scale) nearest = one;
  }
  return snaps ? nearest : 0;
}

/**
 * Returns the angle of a direction, with an error below 2e-9: less than that of the 32 bits that a world takes. Exact at
 * quarter turns, and equal in all engines. Takes half the time of Math.atan2().
 */
function angleOf(x, y) {
  const wide = Math.abs(x);
  const high = Math.abs(y);
  const t = Math.min(wide, high) / Math.max(wide, high);
  // The polynomial in u that is nearest to atan(t) / t from 0 to 1, in parts that do not wait for each other.
  const u = t * t;
  const u2 = u * u;
  const u4 = u2 * u2;
  const low = 0.9999999975460198 - 0.3333328229550806 * u + (0.19998230640342474 - 0.14261573680194484 * u) * u2;
  const middle = 0.10940198965141598 - 0.08372063948435568 * u + (0.05746355785515334 - 0.030717508908510355 * u) * u2;
  const angle = t * (low + (middle + (0.010680719446554575 - 0.001743701143495855 * u) * u4) * u4);
  const within = high > wide ? Math.PI / 2 - angle : angle;
  const turned = x < 0 ? Math.PI - within : within;
  return y < 0 ? -turned : turned;
}

/** Throws for options that an adapter does not know. */
export function checkOptions(options, keys) {
  checkKeys(options, [...keys, "collideHidden", "snapScales", ...BAKE_KEYS], "the options");
}

/** Returns an error with the name of the object that it is about. */
function about(object, error) {
  if (!(error instanceof HitmaskError)) return error;
  return error.about(nameOf(object));
}

function nameOf(object) {
  const name = object.name || object.label;
  return describe(object) + (name ? ` ${describe(name)}` : "");
}

function grown(array) {
  const larger = new array.constructor(2 * array.length);
  larger.set(array);
  return larger;
}
