// What all adapters do alike, with objects of an engine of this test: faults, events, memory, hidden objects.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { HitmaskError } from "../index.js";
import { Adapter } from "../lib/adapter.js";
import * as phaser from "../phaser.js";
import * as pixi from "../pixi.js";
import { modules, refused } from "./modules.js";
import { drawn } from "./scene.js";

const images = new Map(
  [["block", 10], ["large", 16]].map(([name, side]) => [name, { name, image: drawn(side, side, () => true), resolution: 1 }]),
);

/** A sprite whose upper left corner is at (x, y). */
class Sprite extends EventEmitter {
  constructor(name, x, y, change = {}) {
    super();
    Object.assign(this, { name, x, y, image: "block", scale: [1, 1], visible: true, active: true }, change);
  }

  destroy() {
    this.emit("destroy", this);
    this.removeAllListeners();
  }
}

class Engine extends Adapter {
  constructor(hitmask, options = {}) {
    super(hitmask, options.images ?? images, options);
  }

  #destroyed = (sprite) => this.detach(sprite);
  watch = (sprite) => sprite.once("destroy", this.#destroyed);
  unwatch = (sprite) => sprite.off("destroy", this.#destroyed);
  isVisible = (sprite) => sprite.visible;
  nameOf = (texture) => texture;

  read({ image, x, y, scale, active }) {
    return { texture: image, a: scale[0], b: 0, c: 0, d: scale[1], x, y, enabled: active };
  }

  announce(event, a, b) {
    a.emit(event, b);
    b.emit(event, a);
  }
}

/** Attaches a sprite that writes its events to a log. */
function attached(hits, log, ...rest) {
  const sprite = hits.attach(new Sprite(...rest));
  for (const event of ["began", "ended"]) {
    sprite.on(`hitmask:${event}`, (other) => log.push(`${sprite.name} ${event} ${other.name}`));
  }
  return sprite;
}

/** Counts the calls of a method of a world. */
function counted(world, method) {
  const calls = [];
  const original = world[method];
  world[method] = (...rest) => {
    calls.push(rest);
    return original.apply(world, rest);
  };
  return calls;
}

test("pointer events of what has no pixels are refused", () => {
  for (const { pixelPerfect } of [phaser, pixi]) {
    for (const bad of [undefined, null, 7, {}, "sprite"]) assert.equal(refused(() => pixelPerfect(bad)).code, "BAD_VALUE");
    const container = { children: [], list: [], on: () => {} };
    for (const options of [{ alfa: 1 }, { alpha: 256 }, { alpha: NaN }, null]) {
      assert.equal(refused(() => pixelPerfect(container, options)).code, "BAD_VALUE");
    }
    assert.equal(pixelPerfect(container, { alpha: 0 }), container);
  }
});

for (const [name, load] of modules) {
  const hitmask = await load();

  test(`${name}: a handler that destroys its object ends the touch for both`, () => {
    const [hits, log] = [new Engine(hitmask), []];
    const a = attached(hits, log, "a", 0, 0);
    const b = attached(hits, log, "b", 5, 0);
    a.once("hitmask:began", () => a.destroy());
    hits.update();
    assert.deepEqual(log.splice(0), ["a began b", "b began a"]);
    hits.update();
    assert.deepEqual(log.splice(0), ["b ended a"], "the listeners of a are gone");
    hits.update();
    assert.deepEqual([log, hits.count], [[], 1]);
    // The other one is destroyed, and an object of both ends in one update.
    const c = attached(hits, log, "c", 5, 5);
    b.once("hitmask:began", (other) => other.destroy());
    hits.update();
    hits.update();
    assert.deepEqual(log, ["c began b", "b began c", "b ended c"]);
    assert.equal(hits.id(c), undefined);
    hits.dispose();
  });

  test(`${name}: a sprite at NaN stays where it was, and no move of another one is lost`, () => {
    const [hits, log] = [new Engine(hitmask), []];
    const a = attached(hits, log, "a", 0, 0);
    const b = attached(hits, log, "b", 50, 0);
    const c = attached(hits, log, "c", 200, 0);
    hits.update();
    for (const [bad, code] of [[NaN, "BAD_NUMBER"], [Infinity, "BAD_NUMBER"], [1e30, "BAD_NUMBER"]]) {
      c.x = bad;
      b.x = 5;
      const error = refused(() => hits.update());
      assert.ok(error instanceof HitmaskError && error.code === code && error.help, error.stack);
      assert.match(error.message, /"c"/);
      assert.deepEqual(log.splice(0), ["a began b", "b began a"], `${bad}`);
      assert.equal(hits.world.get(hits.id(c)).x > 190, true);
      b.x = 50;
      assert.equal(refused(() => hits.sync()).code, code);
      c.x = 200;
      hits.update();
      assert.deepEqual(log.splice(0), ["a ended b", "b ended a"]);
    }
    // The same with a texture that was not baked, and with a scale that is no number.
    for (const [change, code] of [[{ image: "late" }, "UNKNOWN_SPRITE"], [{ scale: [NaN, 1] }, "BAD_NUMBER"]]) {
      const before = { image: c.image, scale: c.scale };
      Object.assign(c, change);
      b.x = 5;
      assert.equal(refused(() => hits.update()).code, code);
      assert.deepEqual(log.splice(0), ["a began b", "b began a"]);
      Object.assign(c, before);
      b.x = 50;
      hits.update();
      assert.deepEqual(log.splice(0), ["a ended b", "b ended a"]);
    }
    // A sprite that is repaired at a new place is there at once.
    c.x = NaN;
    refused(() => hits.update());
    c.x = 5;
    hits.update();
    assert.deepEqual(log, ["a began c", "c began a"]);
    hits.dispose();
    assert.equal(a.listenerCount("destroy"), 0);
  });

  test(`${name}: a handler that throws takes no event from others`, () => {
    const [hits, log] = [new Engine(hitmask), []];
    const a = attached(hits, log, "a", 0, 0);
    attached(hits, log, "b", 5, 0);
    attached(hits, log, "c", 100, 0);
    attached(hits, log, "d", 105, 0);
    a.prependListener("hitmask:began", () => {
      throw new Error("of the game");
    });
    assert.match(refused(() => hits.update()).message, /of the game/);
    assert.deepEqual(log, ["c began d", "d began c"]);
    hits.dispose();
  });

  test(`${name}: sprites at scales that are not baked take masks from a pool`, () => {
    const hits = new Engine(hitmask);
    const [added, removed] = ["addMask", "removeMask"].map((method) => counted(hits.world, method));
    const stretched = new Sprite("a", 0, 0, { scale: [1.5, 1] });
    hits.attach(stretched);
    const sizes = new Set();
    for (let frame = 0; frame < 1000; frame++) {
      stretched.image = frame % 2 ? "block" : "large";
      stretched.scale = frame % 5 ? [1.5, 1] : [1, 1];
      hits.update();
      const rects = hits.world.rects(hits.id(stretched));
      const area = [...Array(rects.length / 4).keys()]
        .map((i) => (rects[4 * i + 2] - rects[4 * i]) * (rects[4 * i + 3] - rects[4 * i + 1]))
        .reduce((sum, one) => sum + one);
      const side = stretched.image === "block" ? 10 : 16;
      assert.equal(area, side * side * stretched.scale[0]);
      sizes.add(area);
    }
    assert.deepEqual([sizes.size, removed.length], [4, 0]);
    assert.ok(added.length <= 2, `${added.length} masks`);
    // Sprites that come and go take them too.
    for (let i = 0; i < 100; i++) {
      const sprite = hits.attach(new Sprite("b", 0, 0, { scale: [3, 1] }));
      hits.update();
      sprite.destroy();
    }
    assert.ok(added.length <= 3, `${added.length} masks`);
    assert.equal(hits.count, 1);
    hits.dispose();
  });

  test(`${name}: with snapScales a sprite shows the nearest baked scale, and no mask is drawn for it`, () => {
    const hits = new Engine(hitmask, { scales: [1, 1.5, 2], snapScales: true });
    const added = counted(hits.world, "addMask");
    const sprite = hits.attach(new Sprite("a", 100, 100));
    for (const [scale, shown] of [[1, 1], [1.1, 1], [1.25, 1.5], [1.7, 1.5], [1.8, 2], [9, 2], [0.2, 1], [-1.8, 2]]) {
      sprite.scale = [scale, Math.abs(scale)];
      hits.update();
      const { scale: found, flipX, x } = hits.world.get(hits.id(sprite));
      assert.deepEqual([found, flipX], [shown, scale < 0]);
      // The centre of the picture, whatever is shown there.
      assert.ok(Math.abs(x - (100 + 5 * scale)) < 0.01, `${x}`);
    }
    assert.equal(added.length, 0);
    // One that is stretched has no nearest scale.
    sprite.scale = [1, 2];
    hits.update();
    assert.equal(added.length, 1);
    assert.equal(refused(() => new Engine(hitmask, { snapScales: "yes" })).code, "BAD_VALUE");
    hits.dispose();
  });

  test(`${name}: angles are those of Math.atan2() to the last of 32 bits, in all directions and mirrored`, () => {
    class Turned extends Engine {
      read({ angle, sign }) {
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        return { texture: "block", a: sign * cos, b: sign * sin, c: -sin, d: cos, x: 0, y: 0, enabled: true };
      }
    }
    const hits = new Turned(hitmask);
    const sprite = hits.attach(new Sprite("a", 0, 0, { angle: 0, sign: 1 }));
    for (let i = -500; i <= 500; i++) {
      // Quarter turns and eighths are among them.
      Object.assign(sprite, { angle: (i * Math.PI) / 200, sign: i % 3 ? 1 : -1 });
      hits.update();
      const { angle, flipX } = hits.world.get(hits.id(sprite));
      const off = Math.atan2(Math.sin(angle - sprite.angle), Math.cos(angle - sprite.angle));
      assert.ok(Math.abs(off) < 1.3e-7 && flipX === sprite.sign < 0, `${sprite.angle} is ${angle}`);
    }
    hits.dispose();
  });

  test(`${name}: in an event of the engine errors are reported once and not thrown`, (context) => {
    const late = [];
    context.mock.method(globalThis, "setTimeout", (work) => late.push(work));
    const [hits, log] = [new Engine(hitmask), []];
    const a = attached(hits, log, "a", 0, 0);
    attached(hits, log, "b", 5, 0);
    const reported = () => {
      try {
        for (const work of late.splice(0)) work();
        return "";
      } catch (error) {
        return error.message;
      }
    };
    a.x = NaN;
    hits.tick();
    assert.match(reported(), /"a": .*is not finite/);
    hits.tick();
    assert.equal(reported(), "");
    a.x = 0;
    hits.tick();
    a.x = NaN;
    hits.tick();
    assert.match(reported(), /"a"/, "after a good update it is told again");
    hits.dispose();
    hits.tick();
    assert.equal(reported(), "");
  });

  test(`${name}: a texture that is drawn again changes what collides, at once`, () => {
    let [version, side] = [0, 10];
    const again = new Map([["late", { name: "late", resolution: 1, image: drawn(10, 10, () => true), version: () => version }]]);
    again.get("late").part = () => {
      if (side === 0) throw new HitmaskError("BAD_MASK", "cannot be read", "serve it");
      const pixels = drawn(20, 20, (x, y) => x < side && y < 10).data;
      const from = { pixels, stride: 20, x: 0, y: 0, w: 10, h: 10, u: 0, v: 0, ux: 10, uy: 0, vx: 0, vy: 10 };
      return { ...from, source: again, version, width: 10, height: 10 };
    };
    class Again extends Engine {
      lookStamp = () => 1;
      placeStamp = () => 1;
      parentStamp = () => 1;
      readPlace = () => false;
    }
    const hits = new Again(hitmask, { images: again });
    const sprite = hits.attach(new Sprite("a", 100, 100, { image: "late" }));
    const columns = () => hits.world.rects(hits.id(sprite))[2] - hits.world.rects(hits.id(sprite))[0];
    hits.update();
    assert.equal(columns(), 10);
    [version, side] = [1, 4];
    assert.equal(columns(), 10);
    hits.update();
    assert.equal(columns(), 4);
    // One that cannot be read leaves the mask, and says so until it can.
    [version, side] = [2, 0];
    for (let i = 0; i < 2; i++) assert.equal(refused(() => hits.update()).code, "BAD_MASK");
    assert.equal(columns(), 4);
    side = 7;
    hits.update();
    assert.equal(columns(), 7);
    hits.dispose();
  });

  test(`${name}: a refused attach leaves nothing`, () => {
    const hits = new Engine(hitmask);
    const added = counted(hits.world, "addMask");
    for (let i = 0; i < 20; i++) {
      const sprite = new Sprite("a", 0, 0, { scale: [1.5, 1] });
      assert.equal(refused(() => hits.attach(sprite, { layers: 1.5 })).code, "BAD_VALUE");
      assert.equal(refused(() => hits.attach(new Sprite("a", NaN, 0, { scale: [1.5, 1] }))).code, "BAD_NUMBER");
      assert.deepEqual([sprite.listenerCount("destroy"), hits.count, hits.world.count], [0, 0, 0]);
    }
    assert.equal(added.length, 1);
    hits.dispose();
  });

  test(`${name}: after dispose() nothing waits for sprites, even in a handler`, () => {
    const [hits, log] = [new Engine(hitmask), []];
    const sprites = [attached(hits, log, "a", 0, 0), attached(hits, log, "b", 5, 0), attached(hits, log, "c", 9, 0)];
    hits.update();
    log.length = 0;
    sprites[0].x = sprites[2].x = 900;
    sprites[0].once("hitmask:ended", () => hits.dispose());
    hits.update();
    assert.deepEqual(log, ["a ended b", "b ended a"], "no event after dispose()");
    assert.ok(hits.world.isDisposed);
    assert.deepEqual(sprites.map((sprite) => sprite.listenerCount("destroy")), [0, 0, 0]);
    sprites[0].destroy();
    hits.dispose();
    assert.equal(refused(() => hits.update()).code, "STALE_HANDLE");
  });

  test(`${name}: hidden sprites collide unless a switch leaves them out, and are never picked`, () => {
    assert.equal(refused(() => new Engine(hitmask, { collideHidden: 1 })).code, "BAD_VALUE");
    for (const collideHidden of [undefined, true, false]) {
      const [hits, log] = [new Engine(hitmask, { collideHidden }), []];
      const a = attached(hits, log, "a", 0, 0);
      const b = attached(hits, log, "b", 5, 0);
      hits.update();
      log.length = 0;
      assert.equal(hits.pick(7, 5), b);
      b.visible = false;
      hits.update();
      assert.deepEqual(log.splice(0), collideHidden === false ? ["a ended b", "b ended a"] : []);
      const hash = hits.world.stateHash();
      assert.deepEqual([hits.pick(7, 5), hits.pick(12, 5), hits.pick(12, 5, { radius: 4 })], [a, null, a]);
      assert.equal(hits.world.stateHash(), hash, "a pick changes nothing");
      b.visible = true;
      hits.update();
      assert.deepEqual(log.splice(0), collideHidden === false ? ["a began b", "b began a"] : []);
      assert.equal(hits.pick(12, 5), b);
      // One that is hidden from the first.
      const c = attached(hits, log, "c", 0, 5, { visible: false });
      hits.update();
      assert.equal(log.length, collideHidden === false ? 0 : 4);
      c.destroy();
      hits.dispose();
    }
  });
}

/** The least of PixiJS that its adapter reads: a container, a sprite of 10 x 10 px, and a graphics object. */
class PixiObject extends EventEmitter {
  constructor(x, y, parent = null) {
    super();
    const source = { resolution: 1, pixelWidth: 10, pixelHeight: 10, resource: drawn(10, 10, () => true), on() {} };
    const uvs = { x0: 0, y0: 0, x1: 1, y1: 0, x2: 1, y2: 1, x3: 0, y3: 1 };
    const texture = { label: "block", uid: 1, source, orig: { width: 10, height: 10 }, trim: null, uvs, on() {} };
    Object.assign(this, { x, y, parent, texture, anchor: { x: 0, y: 0 }, visible: true, rects: [] });
  }

  updateLocalTransform() {
    this.localTransform = { a: 1, b: 0, c: 0, d: 1, tx: this.x, ty: this.y };
  }

  clear = () => (this.rects = []);
  rect = (...rect) => this.rects.push(rect);
  fill = () => {};
}

for (const [name, load] of modules) {
  test(`${name}: PixiJS draws the masks where sprites are when they are rendered, wherever debug() is called`, async () => {
    const root = new PixiObject(0, 0);
    const [sprite, graphics] = [new PixiObject(5, 7, root), new PixiObject(0, 0, root)];
    const hits = new pixi.PixiHitmask(await load(), { textures: [sprite.texture], root });
    hits.attach(sprite);
    hits.update();
    const others = [];
    graphics.onRender = (renderer) => others.push(renderer);
    for (const isUpdatedLast of [true, false]) {
      hits.debug(graphics);
      sprite.x += 6;
      if (isUpdatedLast) hits.update();
      graphics.onRender("renderer");
      assert.deepEqual(graphics.rects, [[sprite.x, 7, 10, 10]]);
    }
    assert.deepEqual(others, ["renderer", "renderer"]);
    // Drawn once for each call.
    sprite.x += 6;
    graphics.onRender();
    assert.deepEqual(graphics.rects, [[sprite.x - 6, 7, 10, 10]]);
    hits.debug(graphics);
    hits.dispose();
    graphics.onRender();
  });
}
