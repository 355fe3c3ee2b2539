//! Box2D v3, by the crate boxdd.

use crate::walk::{self, Walk};
use crate::{Engine, Motion, Placed, SCALE, TICK};
use boxdd::{
    BodyId, BodyType, ChainDef, Filter, Foundation, MassData, MoverQueryBuffer, Position,
    QueryFilter, ShapeDef, ShapeId, Vec2, World, WorldBuilder, shapes, solve_planes,
};
use hitmask::{Mass, Placement, ShapeChain};
use hitmask_bench::WalkPlan;

/// A world of Box2D.
pub struct Box2d {
    world: World,
    bodies: Vec<BodyId>,
}

const GOOD: &str = "the harness gives valid arguments";

fn vector([x, y]: [f32; 2]) -> Vec2 {
    Vec2::new(x, y)
}

fn world(gravity: f32) -> World {
    let foundation = Foundation::initialize_default().expect(GOOD);
    let world = WorldBuilder::from(foundation.world_def()).gravity([0.0, -gravity]);
    foundation.create_world(world.build().expect(GOOD)).expect(GOOD)
}

impl Box2d {
    fn create(&mut self, motion: Motion, Placed { at: [x, y], angle }: Placed) -> BodyId {
        let body = self.world.body_builder().position(Position::new(x, y)).angle(angle);
        let body = match motion {
            Motion::Static => body,
            Motion::Dynamic => body.body_type(BodyType::Dynamic),
        };
        let id = self.world.create_body(body.build().expect(GOOD)).expect(GOOD);
        if motion == Motion::Dynamic {
            self.bodies.push(id);
        }
        id
    }
}

impl Engine for Box2d {
    type Body = BodyId;

    const NAME: &'static str = "box2d";
    // `B2_LINEAR_SLOP`.
    const SLOP: f32 = 0.005;
    // `b2ComputeHull` joins corners nearer than 4 slops, and drops those within 2 of a line.
    const TRIM: f32 = 0.02;

    fn new(gravity: f32) -> Self {
        Self { world: world(gravity), bodies: Vec::new() }
    }

    fn insert(
        &mut self,
        pieces: &[Vec<[f32; 2]>],
        motion: Motion,
        placed: Placed,
    ) -> (BodyId, usize) {
        let id = self.create(motion, placed);
        let mut body = self.world.body(id).expect(GOOD);
        let def = ShapeDef::builder().density(1.0).build().expect(GOOD);
        let mut refused = 0;
        for piece in pieces {
            match shapes::polygon_from_points(piece.iter().map(|&corner| vector(corner)), 0.0) {
                Ok(polygon) => _ = body.create_polygon(&def, &polygon).expect(GOOD),
                Err(_) => refused += 1,
            }
        }
        // The mass of what `b2ComputeHull` drops would be missing: up to 2%.
        let Mass { area, centroid: [x, y], inertia } =
            Mass::of(pieces.iter().map(|piece| &piece[..]));
        let center = Vec2::new(x as f32, y as f32);
        if motion == Motion::Dynamic {
            let mass = MassData::new(area as f32, center, inertia as f32);
            body.set_mass_data(mass.expect(GOOD)).expect(GOOD);
        }
        (id, refused)
    }

    fn insert_ball(&mut self, radius: f32, at: [f32; 2], speed: f32) -> BodyId {
        let id = self.create(Motion::Dynamic, Placed { at, angle: 0.0 });
        let mut body = self.world.body(id).expect(GOOD);
        let def = ShapeDef::builder().density(1.0).build().expect(GOOD);
        body.create_centered_circle(&def, radius).expect(GOOD);
        body.set_linear_velocity([speed, 0.0]).expect(GOOD);
        body.set_angular_velocity(-speed / radius).expect(GOOD);
        id
    }

    fn insert_chains(&mut self, chains: &[ShapeChain]) -> (BodyId, usize) {
        let id = self.create(Motion::Static, Placed::default());
        let mut body = self.world.body(id).expect(GOOD);
        let mut refused = 0;
        for ShapeChain { points, ghosts } in chains {
            let mut points: Vec<Vec2> = points.iter().map(|&point| vector(point)).collect();
            match ghosts {
                // An open chain begins and ends with its ghost points.
                Some([before, after]) => {
                    points.insert(0, vector(*before));
                    points.push(vector(*after));
                }
                // A loop has at least 4 points: a triangle takes the middle of a side.
                None if points.len() == 3 => {
                    let [a, b] = [points[2], points[0]];
                    points.push(Vec2::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0));
                }
                None => {}
            }
            let chain = ChainDef::builder().points(points).is_loop(ghosts.is_none());
            let chain = chain.build().and_then(|chain| body.create_chain(&chain));
            refused += usize::from(chain.is_err());
        }
        (id, refused)
    }

    fn remove(&mut self, body: BodyId) {
        self.bodies.retain(|&other| other != body);
        self.world.body(body).expect(GOOD).destroy().expect(GOOD);
    }

    fn step(&mut self) {
        let _events = self.world.step(TICK, 4).expect(GOOD);
    }

    fn placed(&mut self, body: BodyId) -> Placed {
        let body = self.world.body(body).expect(GOOD);
        let at = body.position().expect(GOOD);
        Placed { at: [at.x, at.y], angle: body.rotation().expect(GOOD).angle() }
    }

    fn velocity(&mut self, body: BodyId) -> [f32; 2] {
        let velocity = self.world.body(body).and_then(|body| body.linear_velocity()).expect(GOOD);
        [velocity.x, velocity.y]
    }

    fn set_velocity(&mut self, body: BodyId, velocity: [f32; 2]) {
        let mut body = self.world.body(body).expect(GOOD);
        body.set_awake(true).expect(GOOD);
        body.set_linear_velocity(velocity).expect(GOOD);
    }

    fn mass(&mut self, body: BodyId) -> Mass {
        let mass = self.world.body(body).and_then(|body| body.mass_data()).expect(GOOD);
        let center = mass.center();
        Mass {
            area: f64::from(mass.mass()),
            centroid: [center.x, center.y].map(f64::from),
            inertia: f64::from(mass.rotational_inertia()),
        }
    }

    fn contacts(&mut self) -> Vec<[BodyId; 2]> {
        let mut touching = Vec::new();
        for &body in &self.bodies {
            for contact in self.world.body(body).and_then(|body| body.contact_data()).expect(GOOD) {
                if contact.manifold.points().iter().any(|point| point.separation <= 0.0) {
                    touching.push([contact.shape_id_a, contact.shape_id_b].map(|shape| {
                        self.world.shape(shape).and_then(|shape| shape.body_id()).expect(GOOD)
                    }));
                }
            }
        }
        touching
    }
}

/// Layers of slabs and of walkers.
const SLABS: u64 = 1;
const WALKERS: u64 = 2;

/// Walkers by Box2D's character mover, in the loop of its sample: planes of what is near, a motion that
/// respects them, and a cast that slabs stop. Each walker has a kinematic body, which follows it by
/// `b2Body_SetTransform`, so that later walkers collide with it.
pub struct Box2dWalk {
    world: World,
    walkers: Vec<Walker>,
    planes: MoverQueryBuffer,
    plan: WalkPlan,
    tick: u32,
}

struct Walker {
    body: BodyId,
    shape: ShapeId,
    /// In metres.
    at: [f32; 2],
}

impl Walk for Box2dWalk {
    const NAME: &'static str = "box2d";

    fn new(plan: WalkPlan) -> Self {
        let mut world = world(0.0);
        let mut create = |body_type: BodyType, layer: u64, [x, y]: [f32; 2], angle: f32| {
            let body = world.body_builder().body_type(body_type);
            let body = body.position(Position::new(x, y)).angle(angle).build().expect(GOOD);
            let body = world.create_body(body).expect(GOOD);
            let filter = Filter { category_bits: layer, ..Filter::default() };
            let def = ShapeDef::builder().filter(filter).build().expect(GOOD);
            let mut owner = world.body(body).expect(GOOD);
            let shape = if layer == SLABS {
                let [half_width, half_height] = walk::half_slab();
                owner.create_box(&def, half_width, half_height)
            } else {
                let [half_length, radius] = walk::capsule();
                let ends = [vector([0.0, -half_length]), vector([0.0, half_length])];
                owner.create_capsule(&def, &shapes::capsule(ends[0], ends[1], radius).expect(GOOD))
            };
            (body, shape.expect(GOOD))
        };
        for &Placement { position, angle } in &plan.slabs {
            create(BodyType::Static, SLABS, walk::metres(position), angle.to_radians());
        }
        let walker = |&place: &[f32; 2]| {
            let at = walk::metres(place);
            let (body, shape) = create(BodyType::Kinematic, WALKERS, at, 0.0);
            Walker { body, shape, at }
        };
        let walkers = plan.walkers.iter().map(walker).collect();
        let _ = world.step(TICK, 4).expect(GOOD);
        Self { world, walkers, planes: MoverQueryBuffer::new(), plan, tick: 0 }
    }

    fn walk(&mut self, distance: f32) {
        let Self { world, walkers, planes, plan, tick } = self;
        let [half_length, radius] = walk::capsule();
        let ends = [vector([0.0, -half_length]), vector([0.0, half_length])];
        let near = QueryFilter::new().category(WALKERS).mask(SLABS | WALKERS);
        // Walkers do not stop casts, as in the sample: their planes push.
        let stops = QueryFilter::new().category(WALKERS).mask(SLABS);
        // The sample's: it ends when a turn moves less than that.
        let tolerance = 0.01;
        let mut solid = Vec::new();
        for (i, walker) in walkers.iter_mut().enumerate() {
            let [dx, dy] = walk::metres(plan.motion(i, *tick, distance));
            let target = [walker.at[0] + dx, walker.at[1] + dy];
            let query = world.query().expect(GOOD);
            for _ in 0..5 {
                let rest = [target[0] - walker.at[0], target[1] - walker.at[1]];
                if rest[0].hypot(rest[1]) < tolerance {
                    break;
                }
                let origin = Position::new(walker.at[0], walker.at[1]);
                query
                    .collide_mover_into(origin, ends[0], ends[1], radius, near, planes)
                    .expect(GOOD);
                solid.clear();
                let others = planes.iter().filter(|plane| plane.shape_id != walker.shape);
                solid.extend(others.filter_map(|p| p.into_rigid_collision_plane().expect(GOOD)));
                let moved = solve_planes(vector(rest), &mut solid).expect(GOOD).translation();
                let part =
                    query.cast_mover(origin, ends[0], ends[1], radius, moved, stops).expect(GOOD);
                let by = [moved.x * part, moved.y * part];
                walker.at = [walker.at[0] + by[0], walker.at[1] + by[1]];
                if by[0].hypot(by[1]) < tolerance {
                    break;
                }
            }
            drop(query);
            let [x, y] = walker.at;
            let mut body = world.body(walker.body).expect(GOOD);
            body.set_position_and_rotation(Position::new(x, y), 0.0).expect(GOOD);
        }
        *tick += 1;
        let _events = world.step(TICK, 4).expect(GOOD);
    }

    fn places(&mut self) -> Vec<[f32; 2]> {
        self.walkers.iter().map(|walker| walker.at.map(|v| v / SCALE)).collect()
    }
}
