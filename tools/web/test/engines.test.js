// Convex pieces as bodies in physics engines: sprites fall onto terrain, a crater opens, and they come to rest. The
// contacts of the engine are compared with the masks at the bodies' places. Phaser's engine is the one of its
// sources, which runs without a page.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import Matter from "matter-js";
import { Chain, Circle, Vec2, World } from "planck";
import { box2d } from "./engines/box2d.js";
import { matter } from "./engines/matter.js";
import { art, hitmask, pile, sprites } from "./engines/scene.js";
import { drawn } from "./scene.js";

const require = createRequire(import.meta.url);
const engines = {
  "matter-js": () => matter(Matter),
  "Phaser 3": () => matter(require("phaser/src/physics/matter-js/CustomMain.js")),
  planck: box2d,
};

/** The art takes longer to rest. Phaser's engine is that of matter-js, so one set is enough. */
const sets = [["drawn sprites", sprites, 600, Object.keys(engines)], ["sprites of games", art, 800, ["matter-js", "planck"]]];

for (const [set, images, ticks, names] of sets) {
  for (const name of names) {
    test(`${name}: ${set} touch where their masks do, and come to rest`, { skip: images.length === 0 }, () => {
      const report = pile(engines[name](), images, { ticks });
      assert.deepEqual(report.faults.slice(0, 5), []);
      assert.ok(report.contacts > 400, `${report.contacts} contacts`);
      assert.ok(report.moved < 1, `${report.moved} px at the end`);
      // All lie on the ground or in the crater.
      assert.ok(report.poses.every(({ x, y }) => x > 30 && x < 450 && y > 60 && y < 320), JSON.stringify(report.poses));
    });
  }
}

const wrong = {
  "without a piece": (shape) => ({ ...shape, pieces: shape.pieces.slice(1) }),
  "upside down": ({ pieces, ...shape }) => ({ ...shape, pieces: pieces.map((piece) => piece.map(({ x, y }) => ({ x, y: -y })).reverse()) }),
};
for (const [name, change] of Object.entries(wrong)) {
  test(`the comparison of contacts finds bodies ${name}`, () => {
    const engine = box2d();
    const { faults } = pile({ ...engine, body: (shape, pose) => engine.body(change(shape), pose) }, sprites, { ticks: 140 });
    const found = (text) => faults.some((fault) => fault.includes(text));
    assert.ok(found("no contact is as deep") && found("body 0"), faults.join("\n"));
    assert.ok(name === "without a piece" || found("the grown masks are apart"), faults.join("\n"));
  });
}

/** Lets a ball fall on flat ground of many cells and slide for 2 s. Returns where it is, in metres. */
function slide(withGhosts) {
  const world = new World({ gravity: { x: 0, y: -10 } });
  const masks = hitmask.world(hitmask.bake([{ name: "none", imageData: drawn(1, 1, () => false) }]));
  const mask = masks.addMask(drawn(512, 64, () => true), { pivot: [0, 0] });
  const grid = masks.shapeGrid(mask, { side: 16, scale: 1 / 32, yUp: true });
  const ground = world.createBody();
  for (let id = 0; id < grid.count; id++) {
    for (const { points, ghosts } of grid.cell(id).chains) {
      const chain = new Chain(points, ghosts === null);
      if (withGhosts && ghosts) chain.setPrevVertex(new Vec2(ghosts[0]));
      if (withGhosts && ghosts) chain.setNextVertex(new Vec2(ghosts[1]));
      ground.createFixture({ shape: chain, friction: 0 });
    }
  }
  const ball = world.createDynamicBody({ position: { x: 1, y: 0.8 }, linearVelocity: { x: 3, y: 0 } });
  ball.createFixture({ shape: new Circle(0.3), density: 1, friction: 0 });
  for (let tick = 0; tick < 120; tick++) world.step(1 / 60);
  return ball.getPosition();
}

test("planck: a ball slides over cell borders on chains with ghost points, and is stopped by them without", () => {
  const { x, y } = slide(true);
  assert.ok(Math.abs(x - 7) < 1e-3 && Math.abs(y - 0.3) < 0.02, `${x}, ${y}`);
  assert.ok(slide(false).x < 6, `${slide(false).x}`);
});
