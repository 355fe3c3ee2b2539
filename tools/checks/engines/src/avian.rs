//! Avian, by the crates avian2d and bevy.

use crate::engine::line;
use crate::{Engine, Motion, Placed, TICK};
use avian2d::parry::math::{Pose, Vector};
use avian2d::parry::shape::{Polyline, PolylineFlags, SharedShape};
use avian2d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use hitmask::{Mass, ShapeChain};
use std::time::Duration;

/// An app with physics and without a window.
pub struct Avian(App);

fn vectors(corners: &[[f32; 2]]) -> Vec<Vector> {
    corners.iter().map(|&[x, y]| Vector::new(x, y)).collect()
}

impl Avian {
    fn spawn(
        &mut self,
        body: RigidBody,
        Placed { at: [x, y], angle }: Placed,
    ) -> EntityWorldMut<'_> {
        self.0.world_mut().spawn((
            body,
            Position(Vec2::new(x, y)),
            Rotation::radians(angle),
            Transform::from_xyz(x, y, 0.0).with_rotation(Quat::from_rotation_z(angle)),
        ))
    }

    fn get<C: Component>(&self, body: Entity) -> &C {
        self.0.world().get::<C>(body).expect("a component of bodies")
    }
}

impl Engine for Avian {
    type Body = Entity;

    const NAME: &'static str = "avian";
    // `SolverConfig` and `NarrowPhaseConfig` have the tolerance of Box2D.
    const SLOP: f32 = 0.005;
    const TRIM: f32 = 0.0;

    fn new(gravity: f32) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::new(PostUpdate)))
            .insert_resource(Gravity(Vec2::new(0.0, -gravity)))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(TICK)));
        app.finish();
        app.cleanup();
        // The first update lasts no time.
        app.update();
        Self(app)
    }

    fn insert(
        &mut self,
        pieces: &[Vec<[f32; 2]>],
        motion: Motion,
        placed: Placed,
    ) -> (Entity, usize) {
        // Not `Collider::convex_polyline`, which removes corners of up to 1.5 degrees.
        let polygon = |piece: &Vec<[f32; 2]>| {
            let shape = SharedShape::convex_polyline_unmodified(vectors(piece))?;
            Some((Pose::IDENTITY, shape))
        };
        let shapes: Vec<_> = pieces.iter().filter_map(polygon).collect();
        let refused = pieces.len() - shapes.len();
        let collider = Collider::from(SharedShape::compound(shapes));
        let body = match motion {
            Motion::Static => self.spawn(RigidBody::Static, placed).insert(collider).id(),
            Motion::Dynamic => self
                .spawn(RigidBody::Dynamic, placed)
                .insert((collider, ColliderDensity(1.0), SweptCcd::default()))
                .id(),
        };
        (body, refused)
    }

    fn insert_ball(&mut self, radius: f32, at: [f32; 2], speed: f32) -> Entity {
        let velocity = LinearVelocity(Vec2::new(speed, 0.0));
        self.spawn(RigidBody::Dynamic, Placed { at, angle: 0.0 })
            .insert((Collider::circle(radius), velocity, AngularVelocity(-speed / radius)))
            .id()
    }

    fn insert_chains(&mut self, chains: &[ShapeChain]) -> (Entity, usize) {
        let body = self.spawn(RigidBody::Static, Placed::default()).id();
        for chain in chains {
            let points = vectors(&line(chain));
            let polyline = Polyline::with_flags(points, None, PolylineFlags::ORIENTED);
            let collider = Collider::from(SharedShape::new(polyline));
            self.0.world_mut().spawn((collider, Transform::default(), ChildOf(body)));
        }
        (body, 0)
    }

    fn remove(&mut self, body: Entity) {
        self.0.world_mut().despawn(body);
    }

    fn step(&mut self) {
        self.0.update();
    }

    fn placed(&mut self, body: Entity) -> Placed {
        let angle = self.get::<Rotation>(body).as_radians();
        Placed { at: self.get::<Position>(body).0.into(), angle }
    }

    fn velocity(&mut self, body: Entity) -> [f32; 2] {
        self.get::<LinearVelocity>(body).0.into()
    }

    fn set_velocity(&mut self, body: Entity, velocity: [f32; 2]) {
        self.0.world_mut().entity_mut(body).insert(LinearVelocity(velocity.into()));
    }

    fn mass(&mut self, body: Entity) -> Mass {
        // Computed within an update.
        self.0.update();
        Mass {
            area: f64::from(self.get::<ComputedMass>(body).value()),
            centroid: self.get::<ComputedCenterOfMass>(body).0.to_array().map(f64::from),
            inertia: f64::from(self.get::<ComputedAngularInertia>(body).value()),
        }
    }

    fn contacts(&mut self) -> Vec<[Entity; 2]> {
        let graph = self.0.world().resource::<ContactGraph>();
        let touching = graph.iter_active().chain(graph.iter_sleeping()).filter(|pair| {
            let mut points = pair.manifolds.iter().flat_map(|manifold| &manifold.points);
            points.any(|point| point.penetration >= 0.0)
        });
        touching.filter_map(|pair| Some([pair.body1?, pair.body2?])).collect()
    }
}
