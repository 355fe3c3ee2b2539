import { HitmaskError } from "./error.js";

/** Destroys what the garbage collector finds without a call of dispose(). */
const forgotten =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry(({ memory, destroy, handle }) => {
        try {
          memory.call(destroy, handle);
        } catch (error) {
          // After a trap no call succeeds, and there is no caller to tell.
          if (!(error instanceof HitmaskError)) throw error;
        }
      });

/** An object of the module, named by a handle. */
export class Handle {
  #handle;
  #destroy;
  #name;

  /**
   * @param {import("./hitmask.js").Hitmask} hitmask
   * @param {number} handle
   * @param {Function} destroy The export that destroys it.
   * @param {string} name Such as "the world".
   */
  constructor(hitmask, handle, destroy, name) {
    /** The library that created this object. */
    this.hitmask = hitmask;
    this.#handle = handle;
    this.#destroy = destroy;
    this.#name = name;
    forgotten?.register(this, { memory: hitmask.memory, destroy, handle }, this);
  }

  /** The handle for functions of the module. Throws after dispose(). */
  get handle() {
    if (this.#handle === 0) throw new HitmaskError("STALE_HANDLE", `${this.#name} was disposed of`);
    return this.#handle;
  }

  /** Whether dispose() was called. */
  get isDisposed() {
    return this.#handle === 0;
  }

  /** Frees the memory of this object. A second call does nothing. */
  dispose() {
    if (this.#handle === 0) return;
    this.hitmask.memory.call(this.#destroy, this.#handle);
    this.#handle = 0;
    forgotten?.unregister(this);
  }
}

if (Symbol.dispose) {
  Handle.prototype[Symbol.dispose] = Handle.prototype.dispose;
}
