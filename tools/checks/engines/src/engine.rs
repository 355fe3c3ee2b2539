//! What the tests ask of an engine.

use hitmask::{Mass, ShapeChain};
use std::fmt::Debug;
use std::hash::Hash;

/// Metres per pixel.
pub const SCALE: f32 = 1.0 / 32.0;

/// Seconds per step.
pub const TICK: f32 = 1.0 / 60.0;

/// The place and the angle of a body. Angles are counterclockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placed {
    /// The origin of the body in metres.
    pub at: [f32; 2],
    /// Radians.
    pub angle: f32,
}

/// Whether a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Ground.
    Static,
    /// Moved by forces. The density is 1.
    Dynamic,
}

/// Returns the points of a chain with its ghost points, which give its ends the normals of the neighbours. A ring
/// ends with its first point.
pub(crate) fn line(chain: &ShapeChain) -> Vec<[f32; 2]> {
    let points = &chain.points;
    match chain.ghosts {
        Some([before, after]) => [&[before], &points[..], &[after]].concat(),
        None => [&points[..], &points[..1]].concat(),
    }
}

/// A world of a physics engine. Each step lasts [`TICK`].
pub trait Engine {
    /// A handle of a body.
    type Body: Copy + Debug + Eq + Hash;

    /// The name of the engine.
    const NAME: &'static str;

    /// The distance in metres by which contacts may be wrong: the engine lets bodies overlap so far.
    const SLOP: f32;

    /// The distance in metres by which the engine's polygon may be smaller than its piece.
    const TRIM: f32;

    /// Returns an empty world with gravity in m/s^2, downwards.
    fn new(gravity: f32) -> Self;

    /// Inserts a body of convex pieces. Returns it and the number of pieces that the engine refused.
    fn insert(
        &mut self,
        pieces: &[Vec<[f32; 2]>],
        motion: Motion,
        placed: Placed,
    ) -> (Self::Body, usize);

    /// Inserts a ball that rolls to the right at a speed in m/s.
    fn insert_ball(&mut self, radius: f32, at: [f32; 2], speed: f32) -> Self::Body;

    /// Inserts ground of chains with ghost points. Returns it and the number of chains that the engine
    /// refused.
    fn insert_chains(&mut self, chains: &[ShapeChain]) -> (Self::Body, usize);

    /// Removes a body, and wakes what rested on it.
    fn remove(&mut self, body: Self::Body);

    /// Advances by one tick.
    fn step(&mut self);

    /// Returns the place of a body.
    fn placed(&mut self, body: Self::Body) -> Placed;

    /// Returns the velocity in m/s.
    fn velocity(&mut self, body: Self::Body) -> [f32; 2];

    /// Sets the velocity in m/s.
    fn set_velocity(&mut self, body: Self::Body, velocity: [f32; 2]);

    /// Returns mass, centre and inertia as the engine computes them from the pieces.
    fn mass(&mut self, body: Self::Body) -> Mass;

    /// Returns the pairs of bodies with a point of contact that is not separated, at the places before
    /// the last step.
    fn contacts(&mut self) -> Vec<[Self::Body; 2]>;
}
