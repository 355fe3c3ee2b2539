use super::Sprite;
use crate::geom::Flip;
use crate::mask::{GrowShape, MaskRef};
use crate::pose::{Pose, PoseSet};
use crate::raster::{Pivot, Posed, PosedRef, Raster};

/// How the stored poses of a sprite compare with masks turned to angles between them: what a game
/// that shows the nearest step loses against one that draws every angle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fidelity {
    /// Angles compared.
    pub angles: u32,
    /// Pixels set in the masks turned exactly, over all of these angles.
    pub area: u64,
    /// Pixels set in one of the two and clear in the other, over all of these angles.
    pub disagreeing: u64,
    /// Farthest that a pixel of either lies from the nearest pixel of the other, in pixels of the
    /// screen: from centre to centre, rounded up to whole mask pixels, and
    /// [`FARTHEST`](Self::FARTHEST) of those at most.
    pub distance: f32,
}

impl Fidelity {
    /// Angles that are compared: an eighth and three eighths of a step to either side of stored
    /// ones, in eight places of a quarter turn. The other quarters hold the same pixels.
    pub const ANGLES: u32 = 8;
    /// Mask pixels as far as which [`distance`](Self::distance) is looked for.
    pub const FARTHEST: u32 = 16;

    /// Disagreeing pixels as a share of the area; 0 where no pixel is set.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.disagreeing as f64 / self.area.max(1) as f64
    }
}

/// Steps that a step is divided into.
const FINER: u32 = 8;
/// Angles between the steps, in such parts: they stand for all, each for a quarter of them.
const BETWEEN: [i32; 4] = [1, 3, -1, -3];

impl Sprite<'_> {
    /// Measures the stored poses against the same mask turned to [`Fidelity::ANGLES`] angles
    /// between the steps: its first frame, in the plane at hand, at the largest scale at which each
    /// texel is a square of whole mask pixels, since the source is known only there: at 1, or at 2
    /// and 4 where the pivot lies between texels.
    ///
    /// `None` for what never turns or has more than 8,192 steps, where no scale is like that, and
    /// where no pixel is set. Costs about as much as to bake sixteen poses, and some more where
    /// they differ.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Mask};
    /// let mut bar = Mask::new(40, 6)?;
    /// bar.fill();
    /// let measure = |angles| -> Result<f64, Box<dyn std::error::Error>> {
    ///     let bytes = Bake::new().mask("bar", bar.clone()).angles(angles).to_bytes()?;
    ///     let atlas = Atlas::from_vec(bytes)?;
    ///     Ok(atlas.sprites().next().and_then(|bar| bar.fidelity()).unwrap().share())
    /// };
    /// assert!(measure(64)? < measure(16)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fidelity(self) -> Option<Fidelity> {
        let angles = self.angles();
        let resolution = self.resolution();
        let (pivot, pivot2) = (self.pivot(0)?[0], self.pivot2(0)?);
        // Where the image's corner is one of a pixel, too: then a pose is its source, magnified.
        let is_whole = |scale: &f32| {
            let pixels = scale * resolution;
            pixels.fract() == 0.0 && (pixels as i32 * pivot - pivot2) % 2 == 0
        };
        let scale = self.scales().iter().rposition(is_whole)? as u32;
        if angles == 1 {
            return None;
        }
        let source = self.posed(0, Pose { step: 0, scale }, Flip::NONE)?;
        let fine = PoseSet::new(FINER * angles, [1.0]).ok()?;
        let [x, y] = [source.origin.x, source.origin.y].map(|at| source.pivot2 - 2 * at);
        let raster = Raster::new(source.mask, Pivot::HalfTexels(x, y), self.sampling()).ok()?;
        let mut fidelity =
            Fidelity { angles: Fidelity::ANGLES, area: 0, disagreeing: 0, distance: 0.0 };
        for (i, between) in (0..Fidelity::ANGLES).zip(BETWEEN.into_iter().cycle()) {
            let step = i * angles / (4 * Fidelity::ANGLES);
            let part = ((FINER * step) as i32 + between).rem_euclid(fine.angles() as i32);
            let exact = raster.pose(&fine, Pose { step: part as u32, scale: 0 }).ok()?;
            let stored = self.posed(0, Pose { step, scale }, Flip::NONE)?;
            fidelity.add(&exact, stored, resolution);
        }
        (fidelity.area > 0).then_some(fidelity)
    }
}

impl Fidelity {
    fn add(&mut self, exact: &Posed, stored: PosedRef<'_>, resolution: f32) {
        // Lattices that differ by whole pixels: the pivot is the same place of both.
        let shift = (stored.pivot2 - exact.pivot2) / 2;
        let by =
            [stored.origin.x - shift - exact.origin.x, stored.origin.y - shift - exact.origin.y];
        let (exact, stored) = (exact.mask.as_ref(), stored.mask);
        let (area, other) = (exact.count(), stored.count());
        self.area += area;
        self.disagreeing += area + other - 2 * exact.overlap_area(stored, by);
        let distance = reach(exact, stored, by).max(reach(stored, exact, by.map(|at| -at)));
        self.distance = self.distance.max(distance as f32 / resolution);
    }
}

/// How far `mask` must grow to cover `other`, at an offset from it.
fn reach(mask: MaskRef<'_>, other: MaskRef<'_>, by: [i32; 2]) -> u32 {
    let covers = |radius: u32| {
        let grown = mask.grown(radius, GrowShape::Disc);
        grown.is_ok_and(|grown| {
            grown.overlap_area(other, by.map(|at| at + radius as i32)) == other.count()
        })
    };
    (0..Fidelity::FARTHEST).find(|&radius| covers(radius)).unwrap_or(Fidelity::FARTHEST)
}
