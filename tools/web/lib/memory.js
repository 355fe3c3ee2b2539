import { STATUSES } from "./abi.js";
import { HitmaskError, describe } from "./error.js";

/** Bytes for out parameters, for a struct, and for small arguments that C passes by value. */
const OUT_BYTES = 256;
const STRUCT_BYTES = 128;
const ARGUMENT_BYTES = 128;
/** Most bytes of a text that is passed to the module, without its NUL. */
const MAX_TEXT = 4095;
/** Ids have 64 bits: the slot in the lower 32, the generation in the upper ones. */
const HIGH = 4294967296;

// jsdom, in which Jest runs tests, has neither of the two.
const encode =
  typeof TextEncoder === "undefined"
    ? (text) => Uint8Array.from(unescape(encodeURIComponent(text)), (byte) => byte.charCodeAt(0))
    : (text) => new TextEncoder().encode(text);
const decode =
  typeof TextDecoder === "undefined"
    ? (bytes) => decodeURIComponent(escape(String.fromCharCode(...bytes)))
    : (bytes) => new TextDecoder().decode(bytes);

/**
 * The memory of the module, and every call into it.
 *
 * Invariants: the views are those of the current memory after each call, because memory that grows
 * gets a new buffer. After a trap each call throws.
 */
export class Memory {
  #exports;
  #dead = "";
  #bulk = 0;
  #bulkBytes = 0;

  /** @param {Record<string, any>} exports Those of the module. */
  constructor(exports) {
    this.#exports = exports;
    this.#renew();
    /** Where out parameters are written. */
    this.out = this.allocate(OUT_BYTES + STRUCT_BYTES + ARGUMENT_BYTES);
    /** Where one struct is passed. */
    this.struct = this.out + OUT_BYTES;
    /** Where points, pairs and rectangles are passed. */
    this.argument = this.struct + STRUCT_BYTES;
  }

  #renew() {
    const { buffer } = this.#exports.memory;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
  }

  /**
   * Calls a function of the module that returns a status. Returns whether there is a result, and
   * throws if the call was refused.
   *
   * @param {Function} fn One of the exports.
   * @returns {boolean}
   */
  call(fn, a, b, c, d, e, f, g, h, i, j) {
    const status = this.raw(fn, a, b, c, d, e, f, g, h, i, j);
    if (status > 1) throw this.#error(status);
    return status === 0;
  }

  /** Calls a function of the module that returns anything else. */
  raw(fn, a, b, c, d, e, f, g, h, i, j) {
    if (this.#dead) throw new HitmaskError("PANIC", this.#dead);
    let result;
    try {
      result = fn(a, b, c, d, e, f, g, h, i, j);
    } catch (error) {
      throw this.#trapped(error, fn);
    }
    // Memory that has grown detaches its old buffer.
    if (this.u8.length === 0) this.#renew();
    return result;
  }

  #error(status) {
    const code = STATUSES[status] ?? "UNKNOWN_STATUS";
    return HitmaskError.of(code, this.text(this.#exports.hm_last_error()));
  }

  /** A trap ends the module: its state may be half changed. */
  #trapped(error, fn) {
    if (error instanceof TypeError && typeof fn !== "function") {
      const help = "load another one, such as hitmask.all.simd.wasm";
      return new HitmaskError("UNSUPPORTED", "this module was built without the function", help);
    }
    const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    if (!isTrap) return error;
    this.#renew();
    let text = "";
    try {
      text = this.text(this.#exports.hm_web_panic_text());
    } catch {
      // The text is in memory that the trap has spoilt. The trap itself is the cause below.
    }
    const panicked = text !== "";
    this.#dead = `an earlier call has ended the module: ${text || error.message}`;
    return panicked
      ? new HitmaskError("PANIC", text, undefined, { cause: error })
      : new HitmaskError("OUT_OF_MEMORY", `the module has no memory left: ${error.message}`, undefined, { cause: error });
  }

  /**
   * Allocates bytes of zeros, aligned to 8, and returns their address.
   *
   * @param {number} bytes
   */
  allocate(bytes) {
    const pointer = bytes < HIGH ? this.raw(this.#exports.hm_web_allocate, bytes) >>> 0 : 0;
    if (pointer === 0) throw new HitmaskError("OUT_OF_MEMORY", `${bytes} bytes cannot be allocated`);
    return pointer;
  }

  /** Frees what `allocate` returned. */
  free(pointer) {
    this.raw(this.#exports.hm_web_free, pointer);
  }

  /**
   * Returns the address of at least `bytes` bytes. Their content is kept until the next call of this
   * method.
   */
  bulk(bytes) {
    if (bytes > this.#bulkBytes) {
      const grown = Math.max(bytes, 4096, Math.min(2 * this.#bulkBytes, 1 << 24));
      const pointer = this.allocate(grown);
      if (this.#bulk) this.free(this.#bulk);
      this.#bulk = pointer;
      this.#bulkBytes = grown;
    }
    return this.#bulk;
  }

  /** Copies bytes into the module and returns their address, valid until the next `bulk`. */
  bytes(bytes) {
    const pointer = this.bulk(bytes.length);
    this.u8.set(bytes, pointer);
    return pointer;
  }

  /**
   * Copies a text into the module, with a NUL at its end, and returns its address.
   *
   * @param {unknown} text
   * @param {string} name The name of the argument.
   */
  cString(text, name) {
    if (typeof text !== "string") {
      throw new HitmaskError("BAD_TEXT", `${name} is ${describe(text)}`, "give a string");
    }
    if (text.includes("\0")) {
      throw new HitmaskError("BAD_TEXT", `${name} ${describe(text)} contains a NUL`, "remove it");
    }
    const bytes = encode(text);
    if (bytes.length > MAX_TEXT) {
      throw new HitmaskError("BAD_TEXT", `${name} has ${bytes.length} bytes`, `give at most ${MAX_TEXT}`);
    }
    const pointer = this.bulk(bytes.length + 1);
    this.u8.set(bytes, pointer);
    this.u8[pointer + bytes.length] = 0;
    return pointer;
  }

  /** Returns the text at an address, up to its NUL. Null is an empty text. */
  text(pointer) {
    const begin = pointer >>> 0;
    return begin === 0 ? "" : decode(this.u8.subarray(begin, this.u8.indexOf(0, begin)));
  }

  /** Writes a point of numbers as the argument at an index, and returns its address. */
  vec2(x, y, index = 0) {
    const at = this.argument + 32 * index;
    this.f32[at >>> 2] = x;
    this.f32[(at >>> 2) + 1] = y;
    return at;
  }

  /** Writes whole numbers as the argument at an index, and returns its address. */
  whole(numbers, index = 0) {
    const at = this.argument + 32 * index;
    this.i32.set(numbers, at >>> 2);
    return at;
  }

  /** Writes two ids as an argument, and returns its address. */
  pair(a, b) {
    this.u64[this.argument >>> 3] = wide(a);
    this.u64[(this.argument >>> 3) + 1] = wide(b);
    return this.argument;
  }

  /** Returns the point of whole numbers at an address. */
  point(pointer) {
    return { x: this.i32[pointer >>> 2], y: this.i32[(pointer >>> 2) + 1] };
  }

  /** Returns the point of numbers at an address. */
  readVec2(pointer) {
    return { x: this.f32[pointer >>> 2], y: this.f32[(pointer >>> 2) + 1] };
  }

  /** Returns the rectangle at an address. */
  rect(pointer) {
    const [x0, y0, x1, y1] = this.i32.subarray(pointer >>> 2, (pointer >>> 2) + 4);
    return { x0, y0, x1, y1 };
  }

  /** Returns the list at an address: the address of its items, and their number. */
  list(pointer = this.out) {
    return [this.u32[pointer >>> 2], this.u32[(pointer >>> 2) + 1]];
  }

  /** Returns the id of 64 bits at an address as a number. */
  id(pointer) {
    const at = pointer >>> 2;
    return this.u32[at] + this.u32[at + 1] * HIGH;
  }

  /** Returns the ids at an address: `count` of them, `stride` bytes apart. */
  ids(pointer, count, stride = 8) {
    const found = new Array(count);
    for (let i = 0; i < count; i++) found[i] = this.id((pointer >>> 0) + i * stride);
    return found;
  }

  /** Writes ids at an address. Whatever is no id becomes a stale one. */
  setIds(ids, pointer) {
    const { u32 } = this;
    let at = pointer >>> 2;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      u32[at++] = id;
      u32[at++] = id / HIGH;
    }
  }
}

/**
 * Returns an id as the module takes it, or throws if it is none.
 *
 * @param {number} id
 * @param {string} name
 */
export function wide(id, name = "the id") {
  if (!Number.isSafeInteger(id) || id < 0) {
    throw new HitmaskError("STALE_ID", `${name} is ${describe(id)}, which is no id`);
  }
  return BigInt(id);
}
