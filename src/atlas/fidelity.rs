//! Measures how far the stored angle steps of a sprite are from exact rotation.
//!
//! Part of the public API, and used by `hitmask info`. It draws a few masks at angles between the
//! steps and compares them with the stored ones.

use super::Sprite;
use crate::geom::Flip;
use crate::mask::{GrowShape, MaskRef};
use crate::pose::{Pose, PoseSet};
use crate::raster::{Pivot, Posed, PosedRef, Raster};

/// The difference between the stored poses of a sprite and masks drawn at angles between them. It
/// shows what a game loses by showing the nearest step instead of the exact angle.
/// [`Sprite::fidelity`] measures it and has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fidelity {
    /// Number of angles compared.
    pub angles: u32,
    /// Pixels set in the exactly rotated masks, summed over all compared angles.
    pub area: u64,
    /// Pixels set in exactly one of the two masks, summed over all compared angles.
    pub disagreeing: u64,
    /// Largest distance of a set pixel of either mask from the nearest set pixel of the other, in
    /// screen pixels. Measured between pixel centres and rounded up to whole mask pixels. At most
    /// [`FARTHEST`](Self::FARTHEST) mask pixels.
    pub distance: f32,
}

impl Fidelity {
    /// Number of angles compared: at 8 places of a quarter turn, each 1/8 or 3/8 of a step off a
    /// stored angle. The other quarters hold the same pixels.
    pub const ANGLES: u32 = 8;
    /// Search limit for [`distance`](Self::distance), in mask pixels.
    pub const FARTHEST: u32 = 16;

    /// Returns the disagreeing pixels as a fraction of the area. Returns 0 if no pixel is set.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.disagreeing as f64 / self.area.max(1) as f64
    }
}

/// Largest number of pixels of an upright mask that is compared. The comparison takes seconds for such
/// a mask. A file of a few hundred bytes can state 2^28 pixels.
const MAX_PIXELS: f64 = (1 << 24) as f64;

/// Parts that a step is divided into.
const SUBSTEPS: u32 = 8;
/// Offsets of the compared angles from a stored step, in such parts. Each stands for a quarter of
/// the angles between steps.
const SUBSTEP_OFFSETS: [i32; 4] = [1, 3, -1, -3];

impl Sprite<'_> {
    /// Compares the stored poses with the same mask drawn at [`Fidelity::ANGLES`] angles between
    /// the steps. Uses the first frame in the current plane. Uses the largest scale at which each
    /// texel covers whole mask pixels, because the source is known only there. That is scale 1, or
    /// 2 or 4 if the pivot lies between texels. Images that exceed 2^24 mask pixels at a scale are not
    /// compared there.
    ///
    /// Returns `None` if the sprite has 1 angle or more than 8,192, if no scale qualifies, or if no
    /// pixel is set. Costs about as much as baking 16 poses, and more if the masks differ.
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder, Mask};
    /// let mut bar = Mask::new(40, 6)?;
    /// bar.fill();
    /// let measure = |angles| -> Result<f64, Box<dyn std::error::Error>> {
    ///     let bytes = AtlasBuilder::new().mask("bar", bar.clone()).angles(angles).to_bytes()?;
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
        let (pivot, pivot2) = (self.pivot(0)?, self.pivot2(0)?);
        // The image corner must also be a pixel corner. Then a pose is its magnified source.
        let [width, height] = self.frame_size(0)?.map(f64::from);
        let is_whole = |scale: &f32| {
            let pixels = scale * resolution;
            let is_corner = |axis: usize| (pixels as i32 * pivot[axis] - pivot2[axis]) % 2 == 0;
            let area = width * height * f64::from(pixels).powi(2);
            pixels.fract() == 0.0 && is_corner(0) && is_corner(1) && area <= MAX_PIXELS
        };
        let scale = self.scales().iter().rposition(is_whole)? as u32;
        if angles == 1 {
            return None;
        }
        let source = self.draw(0, Pose { step: 0, scale }, Flip::NONE)?;
        let fine = PoseSet::new(SUBSTEPS * angles, [1.0]).ok()?;
        let [fx, fy] = source.pivot2;
        let [x, y] = [fx - 2 * source.origin.x, fy - 2 * source.origin.y];
        let raster = Raster::new(&source.mask, Pivot::HalfTexels(x, y), self.sampling()).ok()?;
        let mut fidelity =
            Fidelity { angles: Fidelity::ANGLES, area: 0, disagreeing: 0, distance: 0.0 };
        for (i, offset) in (0..Fidelity::ANGLES).zip(SUBSTEP_OFFSETS.into_iter().cycle()) {
            let step = i * angles / (4 * Fidelity::ANGLES);
            let part = ((SUBSTEPS * step) as i32 + offset).rem_euclid(fine.angles() as i32);
            let exact = raster.pose(&fine, Pose { step: part as u32, scale: 0 }).ok()?;
            let stored = self.draw(0, Pose { step, scale }, Flip::NONE)?;
            fidelity.add(&exact, stored.as_ref(), resolution);
        }
        (fidelity.area > 0).then_some(fidelity)
    }
}

impl Fidelity {
    fn add(&mut self, exact: &Posed, stored: PosedRef<'_>, resolution: f32) {
        // The lattices differ by whole pixels, and the pivot is the same point in both.
        let [x, y] = [0, 1].map(|axis| (stored.pivot2[axis] - exact.pivot2[axis]) / 2);
        let by = [stored.origin.x - x - exact.origin.x, stored.origin.y - y - exact.origin.y];
        let (exact, stored) = (exact.mask.as_ref(), stored.mask);
        let (area, other) = (exact.count(), stored.count());
        self.area += area;
        self.disagreeing += area + other - 2 * exact.overlap_area(stored, by);
        let distance =
            cover_radius(exact, stored, by).max(cover_radius(stored, exact, by.map(|at| -at)));
        self.distance = self.distance.max(distance as f32 / resolution);
    }
}

/// Returns the radius by which `mask` must grow to cover `other` at an offset.
fn cover_radius(mask: MaskRef<'_>, other: MaskRef<'_>, by: [i32; 2]) -> u32 {
    let covers = |radius: u32| {
        let grown = mask.grown(radius, GrowShape::Disc);
        grown.is_ok_and(|grown| {
            grown.overlap_area(other, by.map(|at| at + radius as i32)) == other.count()
        })
    };
    (0..Fidelity::FARTHEST).find(|&radius| covers(radius)).unwrap_or(Fidelity::FARTHEST)
}
