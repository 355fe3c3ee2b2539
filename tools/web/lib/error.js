/**
 * What to do about an error, by its code, in the words of this package. Errors of the module bring a
 * remedy of their own, in the words of the library.
 */
const HELP = {
  ATLAS_USE: "replace it by replaceAtlas(), or drop it by dropAtlas(atlas, { colliders: true }); bake one resolution",
  STALE_ID: "add it again and use the new id",
  UNBAKED_SCALE: "bake the sprite at this scale, or allow the scale with world.scaleFactor(factor)",
  MASK_USE: "give a mask no frame, angle, scale or flip, and remove its colliders before the mask",
  UNKNOWN_ATLAS: "add it by world.addAtlas(atlas)",
  UNKNOWN_OWNER: "use the `owner` of a collider in the world",
  FULL: "remove colliders, or dispose of objects that are not needed",
  NULL_HANDLE: "pass an object of this package",
  STALE_HANDLE: "create another one, and use nothing after its dispose()",
  WRONG_HANDLE: "pass an object that the same load() has created",
  NOT_UPDATED: "call world.update() first",
  POISONED: "create another world",
  PANIC: "load the module again, and report this message as a bug of hitmask",
  OUT_OF_MEMORY: "dispose of objects that are not needed, or bake fewer poses; then load the module again",
};

/**
 * An error of hitmask: `message` says what is wrong, `help` what to do, and `code` is a constant to
 * compare with. A call that throws has changed nothing.
 */
export class HitmaskError extends Error {
  /**
   * @param {string} code A constant in capitals, such as "STALE_ID".
   * @param {string} message What is wrong, with the value.
   * @param {string} [help] What to do. Defaults to the remedy of the code.
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, help = HELP[code] ?? "", options) {
    super(help ? `${message}; ${help}` : message, options);
    this.name = "HitmaskError";
    this.code = code;
    this.help = help;
  }

  /** Errors of two copies of this package, such as "hitmask" and "hitmask/inline", are of one class. */
  static [Symbol.hasInstance](value) {
    return value instanceof Error && value.name === "HitmaskError";
  }

  /**
   * Returns the error of a status and the text that the module gives for it.
   *
   * @param {string} code
   * @param {string} text What is wrong and a remedy, separated by the first semicolon.
   */
  static of(code, text) {
    const [message, ...remedy] = text.split("; ");
    // Functions of C are named as methods here: hm_world_set_pose_budget is world.setPoseBudget.
    const named = remedy.join("; ").replace(/\bhm_([a-z]+)_(\w+)/g, (_, of, name) => `${of}.${name.replace(/_(\w)/g, (__, it) => it.toUpperCase())}`);
    return new HitmaskError(code, message, HELP[code] ?? named);
  }

  /**
   * Returns the same error with the name of what it is about.
   *
   * @param {string} name
   */
  about(name) {
    const error = new HitmaskError(this.code, `${name}: ${this.message}`, "", { cause: this });
    error.help = this.help;
    return error;
  }
}

/**
 * Throws for keys of an object of options that do not exist.
 *
 * @param {object} options
 * @param {readonly string[]} known
 * @param {string} name The name of the argument.
 */
export function checkKeys(options, known, name) {
  if (options === null || typeof options !== "object") {
    throw new HitmaskError("BAD_VALUE", `${name} is ${describe(options)}`, "give an object with its options");
  }
  for (const key in options) {
    if (!known.includes(key)) {
      throw new HitmaskError("BAD_VALUE", `${name} has no option "${key}"`, `the options are ${known.join(", ")}`);
    }
  }
}

/**
 * Returns a number, or throws if the value is none or is not finite.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function finite(value, name) {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new HitmaskError("BAD_NUMBER", `${name} is ${describe(value)}`, "give a finite number");
  }
  return value;
}

/**
 * Returns a whole number from `min` to `max`, or throws.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @returns {number}
 */
export function whole(value, name, min = 0, max = 0xffffffff) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new HitmaskError("BAD_VALUE", `${name} is ${describe(value)}`, `give a whole number from ${min} to ${max}`);
  }
  return /** @type {number} */ (value);
}

/**
 * Returns the place of a value in a list of allowed ones, or throws.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {readonly unknown[]} allowed
 */
export function oneOf(value, name, allowed) {
  const at = allowed.indexOf(value);
  if (at < 0) {
    throw new HitmaskError("BAD_VALUE", `${name} is ${describe(value)}`, `give ${allowed.map(describe).join(" or ")}`);
  }
  return at;
}

/** Returns a short text of any value, for messages. */
export function describe(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? value.slice(0, 60) + "..." : value);
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name ?? "object"}`;
  return String(value);
}
