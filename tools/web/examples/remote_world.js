// The page's side of world_worker.js. Arrays are handed over and back, so nothing is copied.
import { HitmaskError } from "hitmask";

export class RemoteWorld {
  /** How long a call may take in milliseconds: a worker that was ended gives no event. */
  patience = 10_000;
  #worker;
  #pairs = new Uint32Array(1024);
  #waiting;
  #ended;

  /**
   * Starts a world in a worker, with a collider for each name in `sprites`.
   *
   * @param {Worker} worker
   * @param {ArrayBuffer | Uint8Array} atlas
   * @param {string[]} sprites
   * @param {import("hitmask").LoadOptions} [options] For load() in the worker.
   */
  static async create(worker, atlas, sprites, options = {}) {
    const remote = new RemoteWorld(worker);
    await remote.#call("create", { atlas, sprites, options });
    return remote;
  }

  constructor(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data: { value, error } }) => {
      const { resolve, reject } = this.#waiting;
      if (error) reject(new HitmaskError(error.code ?? "WORKER", error.message, error.help));
      else resolve(value);
    };
    worker.onerror = (event) => this.#end(`the worker has failed: ${event.message ?? "its script cannot be loaded"}`);
  }

  /**
   * Places all sprites, x, y and angle of each, and updates the world. Resolves with the same array, `pairs` whose first
   * `count` numbers are the sprites that touch, and times. `places` cannot be used in between, and is lost after an error.
   *
   * @param {Float32Array} places
   */
  async step(places) {
    // An error keeps the array that was handed over.
    const pairs = this.#pairs.length > 0 ? this.#pairs : new Uint32Array(1024);
    const answer = await this.#call("step", { places, pairs }, [places.buffer, pairs.buffer]);
    this.#pairs = answer.pairs;
    return answer;
  }

  /** Ends the worker. A call that waits is rejected. */
  dispose() {
    this.#worker.terminate();
    this.#end("the world was disposed of");
  }

  #end(message) {
    this.#ended ??= new HitmaskError("WORKER", message, "create another worker and world");
    this.#waiting?.reject(this.#ended);
  }

  #call(call, argument, transferred = []) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      if (this.#waiting) throw new HitmaskError("BUSY", "the worker is at another call", "await its answer first");
      const late = setTimeout(() => this.#end(`the worker has not answered in ${this.patience} ms`), this.patience);
      const ended = (use) => (value) => {
        clearTimeout(late);
        this.#waiting = undefined;
        use(value);
      };
      this.#waiting = { resolve: ended(resolve), reject: ended(reject) };
      try {
        this.#worker.postMessage({ call, argument }, transferred);
      } catch (error) {
        this.#waiting.reject(error);
      }
    });
  }
}
