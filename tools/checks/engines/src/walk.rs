//! Ticks of walkers: each moves by itself, and is blocked by slabs and by the walkers that have moved before.

use crate::SCALE;
use hitmask_bench::{WalkPlan, Walkers};

/// Walkers of a plan in an engine. Here y points down, as in the plan: there is no gravity.
pub trait Walk {
    /// The name of the engine.
    const NAME: &'static str;

    /// Places a plan.
    fn new(plan: WalkPlan) -> Self;

    /// Moves each walker in turn by `distance` pixels in its direction, as far as it gets. Later walkers
    /// meet it at its new place. Then updates the engine.
    fn walk(&mut self, distance: f32);

    /// Returns the centres of the walkers in pixels.
    fn places(&mut self) -> Vec<[f32; 2]>;
}

impl Walk for Walkers {
    const NAME: &'static str = "hitmask";

    fn new(plan: WalkPlan) -> Self {
        Self::new(plan).expect("a plan within the limits")
    }

    fn walk(&mut self, distance: f32) {
        self.walk(self.ids.len(), distance).expect("a place within the limits");
        self.world.update();
    }

    fn places(&mut self) -> Vec<[f32; 2]> {
        self.ids.iter().filter_map(|&id| Some(self.world.get(id)?.position)).collect()
    }
}

/// Half the height of a walker without its round ends, and its radius, in metres.
pub(crate) fn capsule() -> [f32; 2] {
    let [width, height] = WalkPlan::WALKER.map(|side| side as f32 * SCALE);
    [(height - width) / 2.0, width / 2.0]
}

/// Half the width and height of a slab in metres.
pub(crate) fn half_slab() -> [f32; 2] {
    WalkPlan::SLAB.map(|side| side as f32 * SCALE / 2.0)
}

/// Converts pixels to metres.
pub(crate) fn metres(pixels: [f32; 2]) -> [f32; 2] {
    pixels.map(|v| v * SCALE)
}

/// Returns the pixels per walk and walker that an engine moves in `ticks` ticks of `distance` pixels.
#[must_use]
pub fn way<W: Walk>(walkers: &mut W, ticks: u32, distance: f32) -> f32 {
    let (mut before, mut sum) = (walkers.places(), 0.0);
    for _ in 0..ticks {
        walkers.walk(distance);
        let places = walkers.places();
        let ways = before.iter().zip(&places).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        sum += ways.sum::<f32>() / places.len() as f32;
        before = places;
    }
    sum / ticks as f32
}
