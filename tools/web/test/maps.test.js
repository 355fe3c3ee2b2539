// Maps of atlases, and their colliders in a world.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { modules, refused } from "./modules.js";
import { drawn } from "./scene.js";

// Of tools/capi/tests/c_programs.rs.
const [bytes, editedBytes] = await Promise.all(
  ["yard", "yard-edited"].map((name) => readFile(new URL(`../../capi/tests/${name}.hitmask`, import.meta.url))),
);
const item = (fields) => ({ id: null, path: "", name: "", class: "", x: 0, y: 0, width: 0, height: 0, properties: {}, ...fields });
const GROUND = item({ path: "solid/0,0", name: "solid", class: "chunk", width: 64, height: 8 });
const START = item({ path: "things/1", name: "start", x: 7.5, y: -3 });
const BOX = item({ path: "things/4", name: "box", class: "crate", x: 40, y: 8, width: 4, height: 4, properties: { damage: "3", Zahl: "π" } });
const moved = (part, id) => ({ ...part, id, x: part.x + 1000, y: part.y + 0.5 });

for (const [name, load] of modules) {
  const hitmask = await load();
  const atlas = hitmask.atlas(bytes);
  const edited = hitmask.atlas(editedBytes);

  test(`${name}: a map of an atlas is read`, () => {
    const level = { name: "levels/yard", width: 320, height: 200.5, properties: { music: "" }, items: [GROUND, START, BOX] };
    assert.deepEqual(atlas.map("levels/yard"), level);
    assert.deepEqual(atlas.map("empty"), { name: "empty", width: 0, height: 0, properties: {}, items: [] });
    assert.equal(atlas.map("levels"), null);
    for (const bad of [undefined, 3, "a\0b", "a".repeat(5000)]) assert.equal(refused(() => atlas.map(bad)).code, "BAD_TEXT");
  });

  test(`${name}: a map places its colliders, and leaves by its ids`, () => {
    const world = hitmask.world(hitmask.bake([{ name: "other", imageData: drawn(2, 2, () => true) }]));
    world.addAtlas(atlas);
    const { items } = world.addMap("levels/yard", 1000, 0.5);
    const [ground, start, box] = items.map(({ id }) => id);
    assert.ok(ground > 0 && box > 0 && start === null);
    assert.deepEqual(items, [moved(GROUND, ground), moved(START, null), moved(BOX, box)]);
    assert.deepEqual(world.queryPoint(1041, 9), [box]);
    const { sprite, fixed, sensor, turn, flipX } = world.get(box);
    assert.deepEqual({ sprite, fixed, sensor, turn, flipX }, { sprite: "crate", fixed: true, sensor: true, turn: 16384, flipX: true });
    assert.deepEqual(world.addMap("empty").items, []);
    assert.equal(world.addMap("levels/yard").items[2].x, 40);
    assert.equal(world.count, 4);
    for (const id of [ground, box]) world.remove(id);
    assert.deepEqual([world.queryPoint(1041, 9), world.count], [[], 2]);
  });

  test(`${name}: a placed map is brought up to date with an edited level`, () => {
    const world = hitmask.world(atlas);
    const [placed, other] = [world.addMap("levels/yard", 1000, 0.5), world.addMap("levels/yard")];
    const none = { inserted: [], removed: [], changed: [], kept: [] };
    assert.deepEqual(world.updateMap(placed), none);
    const [ground, , box] = placed.items;
    assert.deepEqual(world.replaceAtlas(atlas, edited).outdated, []);
    let report = world.updateMap(placed);
    const [lamp, still, start] = placed.items;
    assert.deepEqual(report, { inserted: [lamp], removed: [box], changed: [still], kept: [] });
    assert.deepEqual([lamp.path, lamp.name, still.id, still.x, start.x], ["things/7", "lamp", ground.id, 1008, 1009]);
    assert.deepEqual([world.get(ground.id).x, refused(() => world.get(box.id)).code], [1008, "STALE_ID"]);
    // What the game has moved and removed stays so.
    world.moveTo(ground.id, 3, 4);
    world.remove(lamp.id);
    report = world.updateMap(placed);
    assert.deepEqual(report, { ...none, kept: placed.items.slice(0, 2) });
    assert.deepEqual([placed.items[0].id, world.get(ground.id).x], [null, 3]);
    const hash = world.stateHash();
    for (const bad of [undefined, null, "levels/yard", placed.items, atlas]) {
      assert.equal(refused(() => world.updateMap(bad)).code, "WRONG_HANDLE");
    }
    placed.dispose();
    assert.equal(refused(() => world.updateMap(placed)).code, "STALE_HANDLE");
    assert.deepEqual([world.stateHash(), world.updateMap(other).removed.length], [hash, 1]);
  });

  test(`${name}: a refused map changes nothing`, () => {
    const world = hitmask.world(atlas);
    const hash = world.stateHash();
    const missing = refused(() => world.addMap("yard"));
    assert.equal(missing.code, "UNKNOWN_SPRITE");
    assert.match(missing.message, /has the map "yard"; their maps: "empty", "levels\/yard"$/);
    for (const bad of [NaN, Infinity, 3e9, "a", {}]) {
      assert.equal(refused(() => world.addMap("levels/yard", bad)).code, "BAD_NUMBER");
      assert.equal(refused(() => world.addMap("levels/yard", 0, bad)).code, "BAD_NUMBER");
    }
    for (const bad of [undefined, 3, "a\0b"]) assert.equal(refused(() => world.addMap(bad)).code, "BAD_TEXT");
    assert.equal(world.stateHash(), hash);
  });

  test(`${name}: ids of maps fit a number of JavaScript after millions of uses of a slot`, () => {
    const world = hitmask.world(atlas);
    const useUpOneSlot = () => {
      for (let last = 0; last / 2 ** 32 < 2 ** 21 - 1; world.remove(last)) last = world.add({ sprite: "crate" });
    };
    useUpOneSlot();
    const placed = world.addMap("levels/yard");
    const [ground, , box] = placed.items.map(({ id }) => id);
    assert.ok(Number.isSafeInteger(ground) && Number.isSafeInteger(box));
    assert.equal(world.count, 2);
    assert.deepEqual(world.queryPoint(41, 9), [box]);
    assert.deepEqual(world.queryPoint(1, 1), [ground]);
    // An update too: it adds the map anew.
    useUpOneSlot();
    world.replaceAtlas(atlas, edited);
    const report = world.updateMap(placed);
    assert.deepEqual([report.inserted.length, report.removed.map(({ id }) => id), world.count], [2, [ground, box], 2]);
    assert.ok(report.inserted.every(({ id }) => Number.isSafeInteger(id)));
    assert.deepEqual(world.queryPoint(9, 2), [placed.items[1].id]);
    assert.deepEqual(world.updateMap(placed).kept, []);
  });
}
