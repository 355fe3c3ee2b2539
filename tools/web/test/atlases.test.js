// Several atlases in a world, budgets of drawn poses, and bulk answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randoms } from "../bench/scene.js";
import { modules, refused } from "./modules.js";
import { drawn } from "./scene.js";

const block = (width, height) => drawn(width, height, () => true);
const frame = drawn(20, 20, (x, y) => x < 3 || x > 16 || y < 3 || y > 16);
const code = (work) => refused(work).code;

for (const [name, load] of modules) {
  const hitmask = await load();
  const bake = (sprites, options) =>
    hitmask.bake(Object.entries(sprites).map(([name, imageData]) => ({ name, imageData })), options);

  test(`${name}: a world shows sprites of several atlases, and loses one with its colliders`, () => {
    const [first, second] = [bake({ ship: block(10, 6) }), bake({ ship: block(4, 4), ring: frame })];
    assert.notEqual(first.id, second.id);
    const world = hitmask.world(first);
    const alone = world.add({ sprite: "ship" });
    assert.equal(world.get(alone).atlas, undefined);
    world.addAtlas(second);
    // What the world has is found after dispose() too.
    second.dispose();
    assert.deepEqual(world.atlases, [first, second]);
    const small = world.add({ sprite: "ship", atlas: second, x: 3 });
    const ring = world.add({ sprite: "ring", x: 100 });
    assert.deepEqual([alone, small, ring].map((id) => world.get(id)).map(({ sprite, atlas }) => [sprite, atlas]), [
      ["ship", first], ["ship", second], ["ring", second],
    ]);
    // A collider is read and set back as it was.
    world.set(small, world.get(small));
    assert.equal(world.contact(alone, small).area, 16);
    world.update();
    assert.deepEqual(world.touching(), [[alone, small]]);
    assert.equal(code(() => world.add({ sprite: "nothing" })), "UNKNOWN_SPRITE");
    const third = bake({ other: frame });
    const hash = world.stateHash();
    for (const atlas of [third, undefined, null, {}]) assert.equal(code(() => world.dropAtlas(atlas)), "UNKNOWN_ATLAS");
    assert.equal(code(() => world.add({ sprite: "other", atlas: third })), "UNKNOWN_ATLAS");
    assert.equal(code(() => world.replaceAtlas(third, third)), "UNKNOWN_ATLAS");
    assert.equal(code(() => world.addAtlas({})), "WRONG_HANDLE");
    assert.equal(code(() => world.addAtlas(second)), "STALE_HANDLE");
    assert.equal(code(() => world.addAtlas(first)), "ATLAS_USE");
    assert.equal(code(() => world.addAtlas(bake({ fine: frame }, { resolution: 2 }))), "ATLAS_USE");
    const used = refused(() => world.dropAtlas(second));
    assert.equal(used.code, "ATLAS_USE");
    assert.match(used.help, /colliders: true/);
    assert.equal(code(() => world.dropAtlas(second, { collider: true })), "BAD_VALUE");
    assert.equal(world.stateHash(), hash);
    assert.deepEqual(world.dropAtlas(second, { colliders: true }), [small, ring]);
    assert.deepEqual([world.atlases, world.count], [[first], 1]);
    assert.equal(code(() => world.dropAtlas(first)), "ATLAS_USE");
    world.update();
    assert.deepEqual(world.ended(), [[alone, small]]);
    world.addAtlas(third);
    assert.deepEqual(world.dropAtlas(third), []);
  });

  test(`${name}: another version of an atlas replaces it, and the report says what differs`, () => {
    const old = bake({ ship: block(10, 6), ring: frame });
    const world = hitmask.world(old);
    const [ship, ring] = ["ship", "ring"].map((sprite) => world.add({ sprite }));
    const next = bake({ ship: block(8, 4), mine: frame });
    assert.deepEqual(world.replaceAtlas(old, next), {
      outdated: [ring],
      added: ["mine"],
      vanished: ["ring"],
      changed: [{ sprite: "ship", framesBefore: 1, frames: 1, resized: [0], lostPlanes: [] }],
    });
    assert.deepEqual(world.atlases, [next]);
    assert.deepEqual([world.get(ship).sprite, world.get(ring).sprite], ["ship", "ring"]);
    assert.deepEqual([...world.rects(ship)], [-4, -2, 4, 2]);
    const mine = world.add({ sprite: "mine" });
    assert.equal(world.contact(ring, mine).area, 20 * 20 - 14 * 14);
    assert.equal(code(() => world.add({ sprite: "ring" })), "UNKNOWN_SPRITE");
  });

  test(`${name}: a compact atlas draws what is shown, within a budget`, () => {
    const world = hitmask.world(bake({ ship: block(20, 12) }, { compact: true }));
    assert.deepEqual(world.poseStats(), { poses: 0, bytes: 0, draws: 0, budget: null });
    const ship = world.add({ sprite: "ship" });
    for (let turn = 0; turn < 64; turn++) world.turnTo(ship, (turn * Math.PI) / 32);
    const { poses, bytes } = world.poseStats();
    assert.ok(poses > 30 && bytes > 1000, `${poses} poses, ${bytes} bytes`);
    world.setPoseBudget(1000);
    for (let turn = 0; turn < 64; turn++) world.turnTo(ship, (turn * Math.PI) / 32);
    assert.ok(world.poseStats().bytes <= 1000 && world.poseStats().budget === 1000);
    const error = refused(() => world.setPoseBudget(1));
    assert.equal(error.code, "OVER_LIMIT");
    assert.match(error.help, /world\.setPoseBudget/);
    for (const bad of [-1, 0.5, NaN, "1", undefined]) assert.equal(code(() => world.setPoseBudget(bad)), "BAD_VALUE");
    assert.equal(world.poseStats().budget, 1000);
    world.setPoseBudget(null);
    assert.equal(world.poseStats().budget, null);
  });

  test(`${name}: bulk rays and contacts give what single calls do`, () => {
    const random = randoms(51);
    const world = hitmask.world(bake({ ring: frame, ship: block(9, 30) }));
    const ids = Array.from({ length: 300 }, (_, i) =>
      world.add({ sprite: i % 2 ? "ring" : "ship", x: 400 * random(), y: 400 * random(), angle: 7 * random(), layers: 1 + (i % 3) }));
    world.update();
    const pairs = world.touching();
    const contacts = world.contactsArray();
    assert.ok(pairs.length > 200 && contacts.length === 7 * pairs.length);
    const flat = ({ area, rect, point }) => [area, rect.x0, rect.y0, rect.x1, rect.y1, point.x, point.y];
    pairs.forEach(([a, b], i) => assert.deepEqual([...contacts.subarray(7 * i, 7 * i + 7)], flat(world.contact(a, b))));
    // Of given pairs: one that is apart, and one with a stale id, have zeros.
    const gone = world.add({ sprite: "ring" });
    const apart = world.add({ sprite: "ring", x: 9000 });
    world.remove(gone);
    const some = world.contactsArray([...pairs[0], ids[0], apart, ids[0], gone]);
    assert.deepEqual([...some], [...flat(world.contact(...pairs[0])), ...new Array(14).fill(0)]);

    const segments = Float32Array.from({ length: 4 * 200 }, () => 440 * random() - 20);
    segments.set([-50, -50, -60, -50]);
    for (const filter of [undefined, { layers: 2 }]) {
      const rays = world.raysArray(segments, filter);
      let hits = 0;
      for (let i = 0; i < 200; i++) {
        const hit = world.ray(...segments.subarray(4 * i, 4 * i + 4), filter);
        const expected = hit ? [hit.collider, hit.x, hit.y, hit.normal.x, hit.normal.y] : [0, 0, 0, 0, 0];
        assert.deepEqual([...rays.subarray(5 * i, 5 * i + 5)], expected);
        if (hit) hits++;
      }
      assert.ok(hits > 100 && rays[0] === 0);
    }
    assert.deepEqual([[...world.raysArray([])], [...world.contactsArray([])]], [[], []]);
    for (const bad of [[1, 2, 3], undefined, 7, {}]) assert.equal(code(() => world.raysArray(bad)), "BAD_LENGTH");
    assert.equal(code(() => world.contactsArray([1])), "BAD_LENGTH");
    const error = refused(() => world.raysArray([0, 0, 1, 1, 0, NaN, 0, 0]));
    assert.equal(error.code, "BAD_NUMBER");
    assert.match(error.message, /^item 1: /);
  });

  test(`${name}: many inserts, placements, picks and casts are those of single calls`, () => {
    const random = randoms(7);
    const atlas = bake({ ring: block(9, 9), ship: block(5, 30) });
    const [world, alone] = [hitmask.world(atlas), hitmask.world(atlas)];
    const list = Array.from({ length: 200 }, (_, i) => ({
      sprite: i % 2 ? "ring" : "ship", x: 300 * random(), y: 300 * random(), angle: 6 * random(), fixed: i % 9 === 0,
    }));
    const ids = world.addMany(list);
    assert.deepEqual(list.map((one) => alone.add(one)), ids);
    assert.equal(world.stateHash(), alone.stateHash());
    const places = world.placementsArray(ids);
    list.forEach(({ x, y, angle }, i) => assert.deepEqual([...places.subarray(3 * i, 3 * i + 3)], [x, y, angle].map(Math.fround)));
    world.placeMany(ids, places);
    assert.equal(world.stateHash(), alone.stateHash());
    const points = Float32Array.from({ length: 400 }, () => 300 * random());
    for (const options of [{}, { radius: 8, filter: { except: ids[3] } }]) {
      const picks = [...world.picksArray(points, options)];
      assert.deepEqual(picks, Array.from(picks, (_, i) => world.pick(points[2 * i], points[2 * i + 1], options) ?? 0));
      assert.ok(picks.includes(0) && new Set(picks).size > 10);
    }
    const casts = world.castsArray(ids, points.map((v) => v / 4 - 30));
    let hits = 0;
    ids.forEach((id, i) => {
      const hit = world.cast(id, points[2 * i] / 4 - 30, points[2 * i + 1] / 4 - 30);
      const expected = hit && [hit.collider, hit.x, hit.y, hit.point.x, hit.point.y, hit.time, hit.normal.x, hit.normal.y];
      assert.deepEqual([...casts.subarray(8 * i, 8 * i + 8)], expected ?? new Array(8).fill(0));
      if (hit) hits++;
    });
    assert.ok(hits > 20 && hits < 200);
    assert.deepEqual([world.addMany([]), [...world.picksArray([])], [...world.castsArray([], [])]], [[], [], []]);

    // Refused calls name the item and change nothing.
    for (const bad of [{ ...list[1], scale: 0 }, { ...list[1], sprit: "ring" }, { sprite: "rin" }, null]) {
      const error = refused(() => world.addMany([...list.slice(0, 7), bad]));
      assert.match(error.message, /^item 7: /);
    }
    for (const bad of [undefined, 7, {}]) assert.equal(code(() => world.addMany(bad)), "BAD_LENGTH");
    assert.equal(code(() => world.picksArray([1])), "BAD_LENGTH");
    assert.equal(code(() => world.picksArray([1, NaN])), "BAD_NUMBER");
    assert.equal(code(() => world.castsArray(ids, [1, 2])), "BAD_LENGTH");
    assert.equal(code(() => world.placementsArray([...ids, 5])), "STALE_ID");
    assert.equal(world.stateHash(), alone.stateHash());
  });

  test(`${name}: poses that are drawn ahead are not drawn again`, () => {
    const world = hitmask.world(bake({ ship: block(40, 30) }));
    world.addAtlas(bake({ other: block(3, 3) }));
    const list = Array.from({ length: 900 }, (_, i) => ({ sprite: "ship", x: 50 * i, angle: i / 50 }));
    assert.equal(world.drawAhead(list, { milliseconds: 0 }), 0);
    assert.equal(world.drawAhead(list, { bytes: 0, first: 9 }), 9);
    assert.equal(world.poseStats().poses, 0);
    let [next, calls] = [0, 0];
    for (; next < list.length; calls++) next = world.drawAhead(list, { bytes: 1, first: next });
    assert.ok(calls > 3, `${calls}`);
    assert.equal(world.drawAhead(list), 900);
    world.update();
    world.addMany(list);
    assert.equal(world.poseStats().draws, 0);
    assert.match(refused(() => world.drawAhead([list[0], { sprite: "shi" }])).message, /^item 1: /);
    assert.match(refused(() => world.drawAhead([...list, { ...list[0], angle: NaN }], { first: 890 })).message, /^item 900: /);
    assert.equal(code(() => world.drawAhead(list, { first: 901 })), "BAD_VALUE");
  });

  test(`${name}: polygons are all borders of a collider, with their holes`, () => {
    const islands = drawn(30, 20, (x, y) => (x < 10 && y < 10 && !(x > 2 && x < 6 && y > 3 && y < 7)) || x > 19);
    const world = hitmask.world(bake({ islands }));
    const borders = world.polygons(world.add({ sprite: "islands", x: 15, y: 10 }));
    const area = (points) => {
      let sum = 0;
      for (let i = 0; i < points.length; i += 2) {
        const j = (i + 2) % points.length;
        sum += points[i] * points[j + 1] - points[j] * points[i + 1];
      }
      return sum / 2;
    };
    assert.deepEqual(borders.map(area).sort((a, b) => a - b), [-9, 100, 200]);
    assert.ok(borders.every((points) => points instanceof Int32Array && points.length === 8));
  });
}
