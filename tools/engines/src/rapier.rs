//! Rapier, by the crate rapier2d.

use crate::engine::line;
use crate::{Engine, Motion, Placed, TICK};
use hitmask::{Mass, ShapeChain};
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
