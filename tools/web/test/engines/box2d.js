// planck, a port of Box2D.
import { Polygon, Settings, World } from "planck";

const METRES = 1 / 32;

/** Returns an engine of `pile()`. */
export function box2d() {
  const world = new World({ gravity: { x: 0, y: -10 }, allowSleep: true });
  // Contacts are then those at the places before a step.
  world.setContinuousPhysics(false);
  let poses = new Map();
  const pose = (body) => {
    const { x, y } = body.getPosition();
    return { x: x / METRES, y: -y / METRES, angle: -body.getAngle() };
  };
  const add = (body, pieces) => {
    for (const piece of pieces) body.createFixture({ shape: new Polygon(piece), density: 1, friction: 0.6 });
    return body;
  };
  return {
    slop: (2 * Settings.polygonRadius + Settings.linearSlop) / METRES,
    options: { scale: METRES, yUp: true },
    body(shape, { x, y, angle }) {
      const body = add(world.createDynamicBody({ position: { x: x * METRES, y: -y * METRES }, angle: -angle }), shape.pieces);
      poses.set(body, pose(body));
      return body;
    },
    ground: (cell) => add(world.createBody(), cell.pieces),
    remove: (body) => world.destroyBody(body),
    step() {
      for (const body of poses.keys()) poses.set(body, pose(body));
      world.step(1 / 60);
      const found = [];
      for (let contact = world.getContactList(); contact; contact = contact.getNext()) {
        if (!contact.isTouching()) continue;
        const { separations, pointCount } = contact.getWorldManifold(null);
        const depth = -Math.min(...separations.slice(0, pointCount)) / METRES;
        found.push([contact.getFixtureA().getBody(), contact.getFixtureB().getBody(), depth]);
      }
      return found;
    },
    pose: (body) => poses.get(body),
    mass(body) {
      const [area, centroid] = [body.getMass(), body.getLocalCenter()];
      // Box2D has it about the origin of the body.
      return { area, centroid, inertia: body.getInertia() - area * (centroid.x ** 2 + centroid.y ** 2) };
    },
  };
}
