import assert from "node:assert/strict";
import { test } from "node:test";
import { modules } from "./modules.js";
import { drawn, image } from "./scene.js";

const block = drawn(10, 6, () => true);
const corner = image(`
  #....
  ##...
  ###..
  ####.
  #####
`);
const sprites = [
  { name: "block", imageData: block },
  { name: "corner", imageData: corner, scales: [1, 2], angles: 16, pivot: [0, 0] },
];

for (const [name, load] of modules) {
  const hitmask = await load();
  const scene = () => {
    const atlas = hitmask.bake(sprites);
    return { atlas, world: hitmask.world(atlas) };
  };

  test(`${name}: an atlas knows its sprites, and its bytes open again`, () => {
    const { atlas } = scene();
    assert.deepEqual(atlas.names(), ["block", "corner"]);
    assert.equal(atlas.sprite("corner").angles, 16);
    assert.deepEqual(atlas.scales("corner"), [1, 2]);
    assert.deepEqual(atlas.frame("corner"), { width: 5, height: 5, pivot: [0, 0] });
    assert.deepEqual(atlas.frame("block"), { width: 10, height: 6, pivot: [5, 3] });
    const again = hitmask.atlas(atlas.bytes());
    again.verify();
    assert.deepEqual(again.bytes(), atlas.bytes());
    assert.equal(again.resolution, 1);
  });

  test(`${name}: pairs begin, stay and end`, () => {
    const { world } = scene();
    const a = world.add({ sprite: "block", x: 0, y: 0 });
    const b = world.add({ sprite: "block", x: 50, y: 0 });
    world.update();
    assert.deepEqual([world.touching(), world.began(), world.ended()], [[], [], []]);
    world.placeMany([a, b], [0, 0, 0, 9, 0, 0]);
    world.update();
    assert.deepEqual([world.touching(), world.began(), world.ended()], [[[a, b]], [[a, b]], []]);
    assert.deepEqual([...world.touchingArray()], [a, b]);
    world.update();
    assert.deepEqual([world.touching(), world.began(), world.ended()], [[[a, b]], [], []]);
    world.remove(b);
    world.update();
    assert.deepEqual([world.touching(), world.began(), world.ended()], [[], [], [[a, b]]]);
    assert.equal(world.count, 1);
  });

  test(`${name}: pixels decide, and not boxes`, () => {
    const { world } = scene();
    // The upper right half of the corner is clear.
    const corner = world.add({ sprite: "corner", x: 0, y: 0 });
    const other = world.add({ sprite: "corner", x: 3, y: -3 });
    assert.equal(world.contact(corner, other), null);
    world.moveTo(other, 1, -1);
    const contact = world.contact(corner, other);
    // Of a triangle of 15 pixels, moved by one to the right and up, 6 are shared.
    assert.equal(contact.area, 6);
    assert.deepEqual(contact.point, { x: 1, y: 1 });
    assert.deepEqual(contact.rect, { x0: 1, y0: 1, x1: 4, y1: 4 });
    assert.deepEqual(world.touchingWith(corner), [other]);
    assert.equal(world.distance(corner, other), 0);
    const { normal, pushOut, depth, side } = world.overlap(corner, other);
    assert.ok(Math.abs(Math.hypot(normal.x, normal.y) - 1) < 1e-6 && depth > 0);
    assert.equal(depth, Math.fround(Math.hypot(pushOut.x, pushOut.y)));
    assert.ok(["below", "above", "left", "right"].includes(side));
    assert.match(world.explain(corner, other), /pixel/);
  });

  test(`${name}: a collider is read back as it was added`, () => {
    const { world } = scene();
    const options = {
      sprite: "corner", frame: 0, plane: 0, x: 1.5, y: -2.25, turn: 16384, scale: 2, flipX: true, flipY: false,
      layers: 0x80000001, collidesWith: 6, owner: 7, minOverlap: 3, minWidth: 0, minHeight: 0, fixed: true,
      sensor: true, enabled: false, accuracy: "coarse", moveAccuracy: "box",
    };
    const id = world.add(options);
    const { angle, ...found } = world.get(id);
    assert.deepEqual(found, options);
    assert.equal(angle, 0);
    world.set(id, { sprite: "block", angle: 0.5 });
    assert.equal(world.get(id).sprite, "block");
    assert.equal(world.get(id).angle, 0.5);
    assert.equal(world.get(id).moveAccuracy, undefined);
    world.setData(id, Number.MAX_SAFE_INTEGER);
    assert.equal(world.data(id), Number.MAX_SAFE_INTEGER);
  });

  test(`${name}: a pointer picks, by pixel, by radius and by height`, () => {
    const { world } = scene();
    const low = world.add({ sprite: "block", x: 0, y: 0 });
    const high = world.add({ sprite: "block", x: 4, y: 0 });
    assert.equal(world.pick(2, 0), high);
    world.setData(low, 9);
    assert.equal(world.pick(2, 0, { order: "data" }), low);
    assert.equal(world.pick(0, -5), null);
    assert.equal(world.pick(-3, -5, { radius: 4 }), low);
    assert.equal(world.pick(2, 0, { filter: { except: high } }), low);
    assert.deepEqual(world.queryPoint(2, 0), [low, high]);
    assert.deepEqual(world.queryRect(-5, -3, -3, 0), [low]);
    assert.deepEqual(world.queryCircle(10, 0, 2), [high]);
    assert.deepEqual(world.queryPoint(2, 0, { layers: 2 }), []);
    const { collider, distance } = world.nearest(20, 0, 50);
    assert.equal(collider, high);
    assert.ok(distance > 10 && distance < 13);
  });

  test(`${name}: rays and casts stop at the first pixel`, () => {
    const { world } = scene();
    const near = world.add({ sprite: "block", x: 20, y: 0 });
    const far = world.add({ sprite: "block", x: 60, y: 0 });
    const mover = world.add({ sprite: "block", x: -20, y: 0 });
    const hit = world.ray(-5, 0, 100, 0);
    assert.equal(hit.collider, near);
    assert.deepEqual([hit.x, hit.y], [15, 0]);
    assert.ok(hit.normal.x < -0.9 && Math.abs(Math.hypot(hit.normal.x, hit.normal.y) - 1) < 1e-6);
    assert.deepEqual(world.rayAll(-5, 0, 100, 0).map((one) => one.collider), [near, far]);
    assert.equal(world.ray(-5, 50, 100, 50), null);
    const cast = world.cast(mover, 100, 0);
    assert.deepEqual([cast.collider, cast.x, cast.y, cast.side], [near, 10, 0, "right"]);
    assert.ok(Math.abs(cast.time - 0.3) < 0.02);
    // The first pixel that both have lies on the left side of the near block.
    assert.equal(cast.point.x, 15);
    assert.ok(cast.point.y >= -10 && cast.point.y < 10);
    assert.deepEqual(world.castAll(mover, 100, 0).map((one) => one.collider), [near, far]);
    assert.equal(world.cast(mover, 0, 100), null);
    assert.equal(world.moveUntilContact(mover, 100, 0).x, 10);
    assert.equal(world.get(mover).x, 10);
  });

  test(`${name}: a character walks on a floor and stops at a wall`, () => {
    const { world } = scene();
    const hero = world.add({ sprite: "block", x: 0, y: 0 });
    const floor = world.add({ mask: world.addMask(drawn(200, 4, () => true)), x: 0, y: 20, fixed: true });
    const wall = world.add({ mask: world.addMask(drawn(4, 60, () => true)), x: 40, y: 0, fixed: true });
    const fall = world.moveAndSlide(hero, 0, 100);
    assert.deepEqual(fall.contacts, [{ collider: floor, side: "below" }]);
    assert.deepEqual([fall.x, fall.y], [0, 15]);
    const walk = world.moveAndSlide(hero, 100, 0, { climb: 0 });
    assert.deepEqual(walk.contacts, [{ collider: wall, side: "right" }]);
    assert.equal(walk.x, 33);
    assert.deepEqual([walk.passed, walk.stuckIn], [[], []]);
    assert.deepEqual(world.pushOut(hero, 10), { x: 0, y: 0 });
  });

  test(`${name}: many moves in one call give what single moves give, or nothing moves`, () => {
    const [{ world }, { world: alone }] = [scene(), scene()];
    const [ids, dxDy] = [[], []];
    for (let i = 0; i < 300; i++) {
      const place = { sprite: "block", x: 13 * i, y: 0 };
      ids.push(world.add(place));
      assert.equal(alone.add(place), ids[i]);
      dxDy.push((i % 7) - 3, i % 3);
    }
    const moved = world.moveMany(ids, new Float32Array(dxDy), { climb: 0 });
    const contacts = [];
    ids.forEach((id, i) => {
      const one = alone.moveAndSlide(id, dxDy[2 * i], dxDy[2 * i + 1], { climb: 0 });
      assert.deepEqual([...moved.xy.subarray(2 * i, 2 * i + 2)], [one.x, one.y]);
      assert.deepEqual([...moved.translations.subarray(2 * i, 2 * i + 2)], [one.translation.x, one.translation.y]);
      assert.deepEqual([...moved.counts.subarray(3 * i, 3 * i + 3)], [one.contacts.length, 0, 0]);
      contacts.push(...one.contacts);
    });
    assert.ok(contacts.length > 20);
    assert.deepEqual([moved.contacts, moved.passed, moved.stuckIn], [contacts, [], []]);
    const before = world.stateHash();
    assert.equal(before, alone.stateHash());
    dxDy[599] = NaN;
    assert.throws(() => world.moveMany(ids, dxDy), { code: "BAD_NUMBER", message: /item 299/ });
    assert.throws(() => world.moveMany(ids, [1]), { code: "BAD_LENGTH" });
    assert.equal(world.stateHash(), before);
    assert.deepEqual(world.moveMany([], []).xy, new Float32Array(0));
  });

  test(`${name}: terrain gets craters, and a transform draws a mask again`, () => {
    const { world } = scene();
    const mask = world.addMask(drawn(40, 40, () => true), { pivot: [0, 0] });
    const ground = world.add({ mask, x: 0, y: 0 });
    const rock = world.add({ sprite: "block", x: 20, y: 20 });
    assert.equal(world.contact(ground, rock).area, 60);
    world.fillDisc(mask, 20, 20, 12);
    assert.equal(world.contact(ground, rock), null);
    world.fillRect(mask, 15, 17, 16, 18, true);
    assert.equal(world.contact(ground, rock).area, 1);
    const shape = world.addMask(block, { transform: [3, 0, 0, 1, 0, 0] });
    const wide = world.add({ mask: shape, x: 200, y: 200 });
    assert.equal(world.rects(wide).length, 4);
    assert.equal(world.rects(wide)[2] - world.rects(wide)[0], 30);
    world.transformMask(shape, [1, 0, 0, 4, 0, 0]);
    assert.equal(world.rects(wide)[3] - world.rects(wide)[1], 24);
    assert.deepEqual(world.polygons(wide).map((border) => border.length), [8]);
    world.remove(wide);
    world.removeMask(shape);
  });

  test(`${name}: a collider grazes what is near it`, () => {
    const { world } = scene();
    const [ship, hit, near, far] = [0, 9, 13, 40].map((x) => world.add({ sprite: "block", x, y: 0 }));
    const found = [{ collider: hit, graze: "hit" }, { collider: near, graze: "graze" }];
    assert.deepEqual(world.graze(ship, 4), found);
    assert.deepEqual(world.graze(ship, 3), found.slice(0, 1));
    assert.deepEqual(world.graze(ship, 4, { except: hit }), found.slice(1));
    assert.deepEqual(world.graze(far, 10), []);
    world.remove(far);
    assert.throws(() => world.graze(far, 4), { code: "STALE_ID" });
    assert.throws(() => world.graze(ship, -1), { code: "BAD_NUMBER" });
  });

  test(`${name}: a copy has the same state, and neither world affects the other`, () => {
    const { world, atlas } = scene();
    const [a, b] = [0, 9].map((x) => world.add({ sprite: "block", x, y: 0 }));
    world.update();
    const copy = world.copy();
    const hash = world.stateHash();
    assert.deepEqual([copy.stateHash(), copy.began(), copy.get(b).sprite], [hash, world.began(), "block"]);
    assert.deepEqual(copy.atlases, [atlas]);
    copy.moveTo(b, 100, 0);
    copy.addAtlas(hitmask.bake([{ name: "other", imageData: block }]));
    const c = copy.add({ sprite: "other", x: 0, y: 0 });
    copy.update();
    assert.deepEqual([copy.touching(), copy.ended()], [[[a, c]], [[a, b]]]);
    assert.deepEqual([world.stateHash(), world.atlases.length, world.touching()], [hash, 1, [[a, b]]]);
    world.dispose();
    assert.deepEqual(copy.touching(), [[a, c]]);
    copy.dispose();
  });

  test(`${name}: a world is saved to a copy and loaded from it`, () => {
    const { world } = scene();
    const [a, b] = [0, 9].map((x) => world.add({ sprite: "block", x, y: 0 }));
    world.update();
    const saved = world.copy();
    assert.equal(world.firstDifference(saved), null);
    world.setData(a, 4);
    saved.assign(world);
    const hash = world.stateHash();
    world.setData(a, 5);
    world.moveTo(b, 9.5, 0);
    world.remove(a);
    assert.equal(saved.firstDifference(world), "collider 0 only here");
    world.assign(saved);
    assert.deepEqual([world.stateHash(), world.data(a), world.get(b).x], [hash, 4, 9]);
    const snapshot = world.snapshot();
    world.setData(a, 6);
    assert.notEqual(world.stateHash(), hash);
    world.restore(snapshot);
    assert.equal(world.data(a), 4);
    const other = hitmask.world(hitmask.bake([{ name: "other", imageData: block }]));
    assert.throws(() => world.assign(other), { code: "UNKNOWN_ATLAS" });
    assert.throws(() => world.assign({}), { code: "WRONG_HANDLE" });
    assert.throws(() => world.firstDifference(null), { code: "WRONG_HANDLE" });
    assert.equal(world.stateHash(), hash);
  });

  test(`${name}: a snapshot restores the state, ids and all`, () => {
    const { world } = scene();
    const id = world.add({ sprite: "block", x: 3, y: 4 });
    world.update();
    const [snapshot, hash] = [world.snapshot(), world.stateHash()];
    assert.equal(typeof hash, "bigint");
    assert.equal(BigInt.asUintN(64, hash), hash);
    world.moveTo(id, 100, 100);
    assert.notEqual(world.stateHash(), hash);
    world.restore(snapshot);
    assert.equal(world.stateHash(), hash);
    assert.equal(world.get(id).x, 3);
  });

  test(`${name}: a snapshot is written to a buffer of the caller's`, () => {
    const { world } = scene();
    world.add({ sprite: "block", x: 3, y: 4 });
    const snapshot = world.snapshot();
    const buffer = new Uint8Array(snapshot.length + 9).fill(7);
    const written = world.snapshot(buffer.subarray(4));
    assert.deepEqual([written.buffer, written.byteOffset, written], [buffer.buffer, 4, snapshot]);
    assert.deepEqual([...buffer.subarray(0, 4), ...buffer.subarray(-5)], Array(9).fill(7));
    assert.deepEqual(world.snapshot(new ArrayBuffer(snapshot.length)), snapshot);
    const small = new Uint8Array(snapshot.length - 1).fill(7);
    const message = new RegExp(`has ${snapshot.length} bytes, and the buffer has ${small.length}`);
    assert.throws(() => world.snapshot(small), { code: "BUFFER_TOO_SMALL", needed: snapshot.length, message });
    assert.ok(small.every((byte) => byte === 7));
    assert.throws(() => world.snapshot(100), { code: "BAD_VALUE" });
    world.restore(written);
  });

  test(`${name}: memory that grows leaves no stale view`, () => {
    const { world } = scene();
    const first = world.add({ sprite: "block", x: 0, y: 0 });
    const before = hitmask.memory.u8.buffer.byteLength;
    // Several times the memory at the start.
    const masks = [];
    while (hitmask.memory.u8.buffer.byteLength < 4 * before) {
      masks.push(world.addMask(drawn(2000, 2000, (x, y) => (x ^ y) & 1)));
      assert.equal(hitmask.memory.u8.buffer, hitmask.exports.memory.buffer);
      assert.equal(world.get(first).x, 0);
      world.moveTo(first, 0, 0);
    }
    const many = Float64Array.from({ length: 50_000 }, (_, i) => world.add({ sprite: "block", x: 20 * i, y: 0 }));
    world.placeMany(many, Float32Array.from({ length: 150_000 }, (_, i) => (i % 3 === 0 ? 5 * i : 0)));
    world.update();
    assert.equal(world.touching()[0][0], first);
    assert.ok(world.touchingArray().length > 0);
    world.dispose();
  });

  test(`${name}: ids fit a number of JavaScript after millions of uses of a slot`, () => {
    const { world } = scene();
    let last = 0;
    for (let i = 0; i < 2 ** 21 + 5; i++) {
      last = world.add({ sprite: "block" });
      world.remove(last);
    }
    assert.ok(Number.isSafeInteger(last));
    assert.equal(world.count, 0);
    const id = world.add({ sprite: "block" });
    assert.deepEqual(world.touchingWith(id), []);
    assert.equal(world.count, 1);
    world.restore(world.snapshot());
    assert.equal(world.count, 1);
    world.dispose();
  });

  test(`${name}: warnings of a bake are kept with the atlas`, () => {
    const atlas = hitmask.bake([{ name: "blank", imageData: drawn(4, 4, () => false) }, sprites[0]]);
    assert.equal(atlas.warnings.length, 1);
    assert.match(atlas.warnings[0], /blank/);
    assert.deepEqual(hitmask.bake(sprites).warnings, []);
  });
}
