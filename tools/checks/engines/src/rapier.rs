//! Rapier, by the crate rapier2d.

use crate::engine::line;
use crate::walk::{self, Walk};
use crate::{Engine, Motion, Placed, SCALE, TICK};
use hitmask::{Mass, Placement, ShapeChain};
use hitmask_bench::WalkPlan;
use rapier2d::control::KinematicCharacterController;
use rapier2d::prelude::*;

/// A world of Rapier.
pub struct Rapier(PhysicsWorld);

fn vectors(corners: &[[f32; 2]]) -> Vec<Vector> {
    corners.iter().map(|&[x, y]| Vector::new(x, y)).collect()
}

impl Engine for Rapier {
    type Body = RigidBodyHandle;

    const NAME: &'static str = "rapier";
    // `IntegrationParameters::normalized_allowed_linear_error`.
    const SLOP: f32 = 0.005;
    const TRIM: f32 = 0.0;

    fn new(gravity: f32) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::new(0.0, -gravity), ..Default::default() };
        world.integration_parameters.dt = TICK;
        Self(world)
    }

    fn insert(
        &mut self,
        pieces: &[Vec<[f32; 2]>],
        motion: Motion,
        placed: Placed,
    ) -> (RigidBodyHandle, usize) {
        let body = match motion {
            Motion::Static => RigidBodyBuilder::fixed(),
            Motion::Dynamic => RigidBodyBuilder::dynamic().ccd_enabled(true),
        };
        let [x, y] = placed.at;
        let body = body.translation(Vector::new(x, y)).rotation(placed.angle);
        // Not `convex_polyline`, which removes corners of up to 1.5 degrees.
        let polygon = |piece: &Vec<[f32; 2]>| {
            let shape = SharedShape::convex_polyline_unmodified(vectors(piece))?;
            Some((Pose::IDENTITY, shape))
        };
        let shapes: Vec<_> = pieces.iter().filter_map(polygon).collect();
        let refused = pieces.len() - shapes.len();
        let collider = ColliderBuilder::compound(shapes).density(1.0);
        (self.0.insert(body, collider).0, refused)
    }

    fn insert_ball(&mut self, radius: f32, [x, y]: [f32; 2], speed: f32) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, y));
        let body = body.linvel(Vector::new(speed, 0.0)).angvel(-speed / radius);
        self.0.insert(body, ColliderBuilder::ball(radius)).0
    }

    fn insert_chains(&mut self, chains: &[ShapeChain]) -> (RigidBodyHandle, usize) {
        let body = self.0.insert_body(RigidBodyBuilder::fixed());
        for chain in chains {
            let points = vectors(&line(chain));
            self.0.insert_collider(ColliderBuilder::oriented_polyline(points, None), Some(body));
        }
        (body, 0)
    }

    fn remove(&mut self, body: RigidBodyHandle) {
        self.0.remove_body(body);
    }

    fn step(&mut self) {
        self.0.step();
    }

    fn placed(&mut self, body: RigidBodyHandle) -> Placed {
        let body = &self.0.bodies[body];
        Placed { at: body.translation().into(), angle: body.rotation().angle() }
    }

    fn velocity(&mut self, body: RigidBodyHandle) -> [f32; 2] {
        self.0.bodies[body].linvel().into()
    }

    fn set_velocity(&mut self, body: RigidBodyHandle, [x, y]: [f32; 2]) {
        self.0.bodies[body].set_linvel(Vector::new(x, y), true);
    }

    fn mass(&mut self, body: RigidBodyHandle) -> Mass {
        let body = &mut self.0.bodies[body];
        body.recompute_mass_properties_from_colliders(&self.0.colliders);
        let mass = body.mass_properties().local_mprops;
        Mass {
            area: f64::from(mass.mass()),
            centroid: <[f32; 2]>::from(mass.local_com).map(f64::from),
            inertia: 1.0 / f64::from(mass.inv_principal_inertia),
        }
    }

    fn contacts(&mut self) -> Vec<[RigidBodyHandle; 2]> {
        let parent = |collider: ColliderHandle| self.0.colliders[collider].parent();
        let touching = self.0.contact_pairs().filter(|pair| {
            let mut points = pair.manifolds().iter().flat_map(|manifold| &manifold.points);
            points.any(|point| point.dist <= 0.0)
        });
        touching
            .filter_map(|pair| Some([parent(pair.collider1)?, parent(pair.collider2)?]))
            .collect()
    }
}

/// Walkers by Rapier's character controller. As its guide recommends for colliders without bodies, each
/// collider is set to its new position. `set_aabb` makes that known to the queries of later walkers.
pub struct RapierWalk {
    world: PhysicsWorld,
    walkers: Vec<ColliderHandle>,
    controller: KinematicCharacterController,
    plan: WalkPlan,
    tick: u32,
}

impl Walk for RapierWalk {
    const NAME: &'static str = "rapier";

    fn new(plan: WalkPlan) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..Default::default() };
        let at = |pixels| Vector::from(walk::metres(pixels));
        let ([half_width, half_height], [half_length, radius]) =
            (walk::half_slab(), walk::capsule());
        for &Placement { position, angle } in &plan.slabs {
            let slab = ColliderBuilder::cuboid(half_width, half_height).translation(at(position));
            world.insert_collider(slab.rotation(angle.to_radians()), None);
        }
        let walker = |&place: &[f32; 2]| {
            let walker = ColliderBuilder::capsule_y(half_length, radius).translation(at(place));
            world.insert_collider(walker, None)
        };
        let walkers = plan.walkers.iter().map(walker).collect();
        world.detect_collisions(&(), &());
        // Upwards is to negative y, and there is no ground to snap to.
        let controller = KinematicCharacterController {
            up: -Vector::Y,
            snap_to_ground: None,
            ..Default::default()
        };
        Self { world, walkers, controller, plan, tick: 0 }
    }

    fn walk(&mut self, distance: f32) {
        let Self { world, walkers, controller, plan, tick } = self;
        for (i, &handle) in walkers.iter().enumerate() {
            let motion = Vector::from(walk::metres(plan.motion(i, *tick, distance)));
            let queries =
                world.query_pipeline_with_filter(QueryFilter::default().exclude_collider(handle));
            let walker = &world.colliders[handle];
            let (shape, at) = (walker.shape(), walker.position());
            let moved = controller.move_shape(TICK, &queries, shape, at, motion, |_| {});
            let to = walker.translation() + moved.translation;
            let walker = &mut world.colliders[handle];
            walker.set_translation(to);
            let bounds = walker.compute_aabb();
            world.broad_phase.set_aabb(&world.integration_parameters, handle, bounds);
        }
        *tick += 1;
        world.detect_collisions(&(), &());
    }

    fn places(&mut self) -> Vec<[f32; 2]> {
        let place = |&walker: &ColliderHandle| {
            let at = self.world.colliders[walker].translation();
            [at.x, at.y].map(|v| v / SCALE)
        };
        self.walkers.iter().map(place).collect()
    }
}
