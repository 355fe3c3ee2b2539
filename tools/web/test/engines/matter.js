// matter-js, or the one that Phaser holds.

/** Returns an engine of `pile()`. */
export function matter({ Body, Composite, Detector, Engine, Vertices }) {
  const engine = Engine.create({ enableSleeping: false });
  const pivots = new Map();
  const part = (vertices) => Body.create({ position: Vertices.centre(vertices), vertices });
  const root = (part) => (part.parent === part ? part : part.parent);
  return {
    slop: 0,
    options: {},
    body(shape, { x, y, angle }) {
      const body = Body.create({ parts: shape.pieces.map(part), friction: 0.9, frictionStatic: 1, frictionAir: 0.03 });
      Body.setInertia(body, shape.mass.inertia * body.density);
      // Its position is the centroid, and that of the sprite its pivot.
      const pivot = { ...body.position };
      pivots.set(body, pivot);
      Body.setAngle(body, angle);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      Body.setPosition(body, { x: x + cos * pivot.x - sin * pivot.y, y: y + sin * pivot.x + cos * pivot.y });
      Composite.add(engine.world, body);
      return body;
    },
    ground(cell) {
      const body = Body.create({ parts: cell.pieces.map(part), isStatic: true, friction: 0.9, frictionStatic: 1 });
      Composite.add(engine.world, body);
      return body;
    },
    remove: (body) => Composite.remove(engine.world, body),
    step() {
      Engine.update(engine, 1000 / 60);
      // Once more, at the places after the step.
      return Detector.collisions(engine.detector).map(({ bodyA, bodyB, depth }) => [root(bodyA), root(bodyB), depth]);
    },
    pose(body) {
      const { x, y } = pivots.get(body);
      const [cos, sin] = [Math.cos(body.angle), Math.sin(body.angle)];
      return { x: body.position.x - cos * x + sin * y, y: body.position.y - sin * x - cos * y, angle: body.angle };
    },
    mass: (body) => ({ area: body.area, centroid: pivots.get(body) }),
  };
}
