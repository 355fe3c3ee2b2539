// Shapes of images, sprites and masks: polygons, pieces, mass, and terrain in cells.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../index.js";
import { modules, refused } from "./modules.js";
import { drawn } from "./scene.js";

/** A ring of 100 px with a hole of 60 x 60 px, in which an island of 4 px lies. */
const ring = drawn(100, 100, (x, y) => {
  const inHole = x >= 20 && x < 80 && y >= 20 && y < 80;
  return !inHole || (x >= 50 && x < 52 && y >= 50 && y < 52);
});
/** A boot, which is no mirror of itself. */
const boot = drawn(31, 40, (x, y) => x < 12 || y >= 30);

/** The area of a polygon: positive for outer borders. */
const area = (points) =>
  points.reduce((sum, a, at) => {
    const b = points[(at + 1) % points.length];
    return sum + (a.x * b.y - a.y * b.x) / 2;
  }, 0);
const near = (a, b, within = 1e-4) => assert.ok(Math.abs(a - b) <= within, `${a} and ${b}`);
const sorted = (points) => points.map(({ x, y }) => `${x},${y}`).sort();

for (const [name, load] of modules) {
  const hitmask = await load();
  const atlas = hitmask.bake([{ name: "boot", imageData: boot, pivot: [6, 20.5] }]);

  test(`${name}: a shape has borders with their holes, pieces that are together the shape, and its mass`, () => {
    const shape = hitmask.shape(ring);
    assert.deepEqual(shape.polygons.map(({ holes }) => holes.length), [1, 0]);
    assert.deepEqual(sorted(shape.polygons[0].border), ["0,0", "0,100", "100,0", "100,100"]);
    assert.deepEqual(shape.polygons.map(({ border }) => area(border)), [10000, 4]);
    assert.equal(area(shape.polygons[0].holes[0]), -3600);
    const sum = shape.pieces.reduce((sum, piece) => sum + area(piece), 0);
    near(sum, 6404);
    near(shape.mass.area, 6404);
    assert.ok(shape.pieces.every((piece) => piece.length <= 8 && area(piece) > 0));
    assert.deepEqual(shape.leftOut, { islands: 0, holes: 0, pieces: 0, piecesArea: 0 });
  });

  test(`${name}: options of a shape: metres with y up about an origin, less small islands`, () => {
    const options = { scale: 1 / 32, yUp: true, origin: [50, 50], minArea: 5, maxCorners: 4, fit: "inside" };
    const { polygons, pieces, mass, leftOut } = hitmask.shape(ring, options);
    assert.equal(polygons.length, 1);
    near(mass.area, 6400 / 1024);
    near(mass.centroid.x, 0);
    near(mass.centroid.y, 0);
    near(mass.inertia, (100 ** 4 - 60 ** 4) / 6 / 32 ** 4);
    near(area(polygons[0].border), 10000 / 1024);
    assert.ok(pieces.every((piece) => piece.length <= 4));
    assert.equal(leftOut.islands, 1);
    const thin = hitmask.shape(ring, { ...options, minWidth: 1 });
    assert.deepEqual([thin.pieces.length, thin.leftOut.pieces > 0], [0, true]);
    near(thin.leftOut.piecesArea, 6400 / 1024);
    assert.deepEqual(hitmask.shape(drawn(9, 9, () => false)).polygons, []);
  });

  test(`${name}: a sprite has its pivot as origin, at any resolution of the atlas`, () => {
    const corners = sorted(atlas.shape("boot").polygons[0].border);
    const expected = [[0, 0], [12, 0], [12, 30], [31, 30], [31, 40], [0, 40]].map(([x, y]) => ({ x: x - 6, y: y - 20.5 }));
    assert.deepEqual(corners, sorted(expected));
    for (const [resolution, scale] of [[2, 1], [0.5, 1], [1, 2], [2, 1.5]]) {
      const sprite = { name: "boot", imageData: boot, pivot: [6, 20.5], scales: [scale] };
      const other = hitmask.bake([sprite], { resolution });
      const { mass } = other.shape("boot", { maxError: 1 });
      // Masks of another size are drawn to half a mask pixel, and shapes have other corners then.
      const within = 0.05 + 0.5 / (resolution * scale);
      const exact = atlas.shape("boot").mass;
      near(mass.centroid.x, exact.centroid.x, within);
      near(mass.centroid.y, exact.centroid.y, within);
      near(mass.area / exact.area, 1, resolution < 1 ? 0.05 : 0.02);
    }
    const corner = atlas.shape("boot", { origin: [0, 0], scale: 2, yUp: true });
    assert.deepEqual(sorted(corner.polygons[0].border), sorted(expected.map(({ x, y }) => ({ x: 2 * (x + 6), y: -2 * (y + 20.5) || 0 }))));
    assert.equal(refused(() => atlas.shape("boot", { frame: 1 })).code, "UNKNOWN_SPRITE");
    assert.equal(refused(() => atlas.shape("boot", { plane: 1 })).code, "UNKNOWN_SPRITE");
    assert.equal(refused(() => atlas.shape("shoe")).code, "UNKNOWN_SPRITE");
  });

  test(`${name}: a crater changes the cells that it meets, and no others`, () => {
    const world = hitmask.world(atlas);
    const mask = world.addMask(drawn(300, 100, () => true), { pivot: [0, 0] });
    const grid = world.shapeGrid(mask);
    assert.equal(grid.count, 10);
    const before = grid.cell(1);
    assert.deepEqual(before.rect, { x0: 64, y0: 0, x1: 128, y1: 64 });
    assert.deepEqual(before.chains, [{ points: [{ x: 64, y: 0 }, { x: 128, y: 0 }], ghosts: [{ x: 0, y: 0 }, { x: 192, y: 0 }] }]);
    world.fillDisc(mask, 200, 0, 10);
    // The crater is in cells 2 and 3, and the ghost points beside them have moved.
    assert.deepEqual(grid.update({ x0: 190, y0: -10, x1: 211, y1: 11 }), [1, 2, 3, 4]);
    assert.deepEqual(grid.update({ x0: 190, y0: -10, x1: 211, y1: 11 }), []);
    assert.deepEqual([0, 1, 2, 3].map((id) => grid.cell(id).version), [0, 1, 1, 1]);
    let sum = 0;
    for (let id = 0; id < grid.count; id++) {
      const { rect, pieces, polygons } = grid.cell(id);
      const whole = polygons.reduce((sum, { border, holes }) => sum + area(border) + holes.reduce((s, h) => s + area(h), 0), 0);
      const parts = pieces.reduce((sum, piece) => sum + area(piece), 0);
      near(parts, whole, 1e-3);
      assert.ok(pieces.flat().every(({ x, y }) => x >= rect.x0 && x <= rect.x1 && y >= rect.y0 && y <= rect.y1));
      sum += parts;
    }
    near(sum, world.shape(mask).mass.area, 80);
    // A hole in the middle of a cell is a closed chain.
    world.fillDisc(mask, 32, 32, 8);
    assert.deepEqual(grid.update({ x0: 20, y0: 20, x1: 45, y1: 45 }), [0]);
    const closed = grid.cell(0).chains.find(({ ghosts }) => ghosts === null);
    assert.ok(area(closed.points) < -100);
    grid.dispose();
    assert.equal(refused(() => grid.cell(0)).code, "STALE_HANDLE");
    world.dispose();
  });

  test(`${name}: bad options, rectangles and ids are refused`, () => {
    const world = hitmask.world(atlas);
    const mask = world.addMask(drawn(100, 100, () => true));
    const grid = world.shapeGrid(mask);
    for (const [options, code, text] of [
      [{ maxError: 0 }, "BAD_NUMBER", /max_error 0/], [{ maxError: NaN }, "BAD_NUMBER", /maxError/],
      [{ maxError: "1" }, "BAD_NUMBER", /maxError/], [{ maxCorners: 2 }, "BAD_NUMBER", /max_corners 2/],
      [{ maxCorners: 2.5 }, "BAD_VALUE", /maxCorners/], [{ fit: "in" }, "BAD_VALUE", /nearest/],
      [{ minArea: -1 }, "BAD_VALUE", /minArea/], [{ minWidth: -1 }, "BAD_NUMBER", /min_width/],
      [{ scale: 0 }, "BAD_NUMBER", /scale/], [{ origin: 3 }, "BAD_VALUE", /origin/],
      [{ origin: [0, Infinity] }, "BAD_NUMBER", /origin/], [{ maxerror: 1 }, "BAD_VALUE", /maxError/],
    ]) {
      const calls = [
        () => hitmask.shape(ring, options), () => atlas.shape("boot", options), () => world.shape(mask, options),
        () => world.shapeGrid(mask, options),
      ];
      for (const call of calls) {
        const error = refused(call);
        assert.equal(error.code, code, error.message);
        assert.match(error.message, text);
        assert.ok(error.help);
      }
    }
    assert.equal(refused(() => world.shapeGrid(mask, { side: 7 })).code, "BAD_NUMBER");
    assert.equal(refused(() => world.shape(mask + 1)).code, "STALE_ID");
    assert.equal(refused(() => hitmask.shape({ width: 3, height: 3 })).code, "BAD_MASK");
    assert.equal(refused(() => grid.cell(grid.count)).code, "BAD_VALUE");
    assert.equal(refused(() => grid.update({ x0: 0, y0: 0, x1: 1.5, y1: 2 })).code, "BAD_VALUE");
    assert.equal(refused(() => grid.update({ x0: 0, y0: 0, x1: 3 })).code, "BAD_VALUE");
    world.removeMask(mask);
    assert.equal(refused(() => grid.update({ x0: 0, y0: 0, x1: 3, y1: 3 })).code, "STALE_ID");
    world.dispose();
    assert.equal(refused(() => grid.update({ x0: 0, y0: 0, x1: 3, y1: 3 })).code, "STALE_HANDLE");
  });
}

test("the module without bake() says that it has no shapes", async () => {
  const hitmask = await load();
  const error = refused(() => hitmask.shape(ring));
  assert.equal(error.code, "UNSUPPORTED");
  assert.match(error.help, /bake: true/);
});
