// A world in a worker. The page's side is remote_world.js.
import { load } from "hitmask";

let world;
let ids;

/** What the page asks for, by name. Each answers with a value, and with the buffers that it hands over. */
const calls = {
  async create({ atlas, sprites, options }) {
    const hitmask = await load(options);
    world = hitmask.world(hitmask.atlas(atlas));
    ids = Float64Array.from(sprites, (sprite) => world.add({ sprite }));
    return [ids.length, []];
  },
  step({ places, pairs }) {
    const begin = performance.now();
    world.placeMany(ids, places);
    const placed = performance.now();
    world.update();
    const updated = performance.now();
    const touching = world.touchingArray();
    if (pairs.length < touching.length) pairs = new Uint32Array(2 * touching.length);
    // A slot is the number of a sprite, because no collider was removed.
    for (let i = 0; i < touching.length; i++) pairs[i] = touching[i] >>> 0;
    const times = { place: placed - begin, update: updated - placed, read: performance.now() - updated };
    return [{ places, pairs, count: touching.length, times }, [places.buffer, pairs.buffer]];
  },
};

onmessage = async ({ data: { call, argument } }) => {
  try {
    const [value, transferred] = await calls[call](argument);
    postMessage({ value }, transferred);
  } catch (error) {
    // An error of a class arrives as a plain Error, without its fields.
    postMessage({ error: { message: error.message, code: error.code, help: error.help } });
  }
};
