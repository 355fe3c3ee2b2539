import { RELOAD_REPORT, SPRITE_CHANGE } from "./abi.js";
import { Atlas } from "./atlas.js";
import { HitmaskError, describe } from "./error.js";

const KINDS = ["added", "vanished"];

/**
 * Returns an atlas that a library has made, or throws.
 *
 * @param {import("./hitmask.js").Hitmask} hitmask
 */
export function known(hitmask, atlas) {
  if (atlas instanceof Atlas && atlas.hitmask === hitmask) return atlas;
  throw new HitmaskError("WRONG_HANDLE", `the atlas is ${describe(atlas)} that this library has not created`);
}

/** The atlases of a world: sprites by name, and names by sprite. */
export class Atlases {
  /** In the order of adding. */
  current = [];
  /** Earlier versions, whose pixels colliders may still show. */
  #earlier = [];

  /** @param {Atlas} first */
  constructor(first) {
    this.current.push(first);
  }

  /** Returns the same atlases for a copy of the world. */
  copy() {
    const copy = new Atlases(this.current[0]);
    copy.current = [...this.current];
    copy.#earlier = [...this.#earlier];
    return copy;
  }

  /** Returns the id of the sprite that options name: of the first atlas that has it, unless they name the atlas too. */
  sprite({ sprite, atlas }) {
    if (atlas !== undefined) this.#check(atlas);
    return (atlas ?? this.current.find((one) => one.has(sprite)) ?? this.current[0]).sprite(sprite).id;
  }

  /** Returns the name of a sprite, and its atlas if there are several. */
  name(id) {
    const atlas = [...this.current, ...this.#earlier].find((one) => one.nameOf(id) !== undefined);
    return { sprite: atlas?.nameOf(id), ...(this.current.length > 1 && { atlas }) };
  }

  /** Adds an atlas to a world. */
  add(world, atlas) {
    const { memory, exports } = world;
    memory.call(exports.hm_world_add_atlas, world.handle, known(world.hitmask, atlas).handle, memory.out);
    this.current.push(atlas);
  }

  /** Drops an atlas, with the colliders that show it or if there are none. Returns the ids of removed colliders. */
  drop(world, atlas, withColliders) {
    const { memory, exports } = world;
    const at = this.#check(atlas);
    const drop = withColliders ? exports.hm_world_drop_atlas_and_colliders : exports.hm_world_drop_atlas;
    memory.call(drop, world.handle, atlas.id, memory.out);
    this.current.splice(at, 1);
    return withColliders ? memory.ids(...memory.list()) : [];
  }

  /** Replaces an atlas by another version of it. Returns what differs. */
  replace(world, old, atlas) {
    const { memory, exports } = world;
    const at = this.#check(old);
    const { handle } = known(world.hitmask, atlas);
    memory.call(exports.hm_world_replace_atlas, world.handle, old.id, handle, memory.out);
    const count = memory.u32[(memory.out + RELOAD_REPORT.changes) >>> 2];
    const report = { outdated: memory.ids(...memory.list()), added: [], vanished: [], changed: [] };
    for (let index = 0; index < count; index++) {
      memory.call(exports.hm_world_sprite_change, world.handle, index, memory.out);
      const word = (field) => memory.u32[(memory.out + field) >>> 2];
      const sprite = memory.text(word(SPRITE_CHANGE.sprite));
      const kind = KINDS[word(SPRITE_CHANGE.kind)];
      const [items, resized] = memory.list(memory.out + SPRITE_CHANGE.resized);
      if (kind) report[kind].push(sprite);
      else {
        report.changed.push({
          sprite,
          framesBefore: word(SPRITE_CHANGE.frames_before),
          frames: word(SPRITE_CHANGE.frames),
          resized: [...memory.u32.subarray(items >>> 2, (items >>> 2) + resized)],
          lostPlanes: memory.text(word(SPRITE_CHANGE.lost_planes)).split("\n").slice(0, -1),
        });
      }
    }
    this.current[at] = atlas;
    this.#earlier.push(old);
    return report;
  }

  #check(atlas) {
    const at = this.current.indexOf(atlas);
    if (at < 0) throw new HitmaskError("UNKNOWN_ATLAS", `the atlas is ${describe(atlas)} that this world does not have`);
    return at;
  }
}
