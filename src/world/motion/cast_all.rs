//! Piercing casts: every collider that a moving collider or mask meets on its way.
//!
//! Called by users through `World`. The whole path is searched once, because nothing ends it.
//!
//! Invariant: the result equals that of testing every pixel step in order. Each collider is listed
//! once, with the first step at which it is met.

use crate::geom::{PixelPath, Point};
use crate::mask::MaskRef;
use crate::narrow::motion::cast::first_touch;
use crate::narrow::{Accuracy, Impact};
use crate::world::motion::cast::{Route, box_entry, frame};
use crate::world::query::candidates::Part;
use crate::world::{ColliderId, Filter, Hit, PlaceError, World};

impl World {
    /// Returns every collider that a collider meets if it moves by `motion`, in units of positions,
    /// and nothing stops it: a piercing bullet. The collider stays where it is.
    ///
    /// The hits are in order of the step at which each collider is first met, and of the index
    /// where steps are equal. An initial overlap is met at step 0. The path and the rules are those
    /// of [`cast`](Self::cast), except that sensors are met too. So a sensor is found even if a
    /// fast collider jumps over it. [`Collider::sensor`](crate::Collider::sensor) tells sensors
    /// from obstacles.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "##\n##".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let bullet = world.insert(a)?;
    /// let wall = world.insert(a.at([20.0, 0.0]))?;
    /// let gate = world.insert(a.at([10.0, 0.0]).sensor())?;
    /// let hits = world.cast_all(bullet, [50.0, 0.0])?;
    /// assert_eq!([hits[0].collider, hits[1].collider], [gate, wall]);
    /// assert_eq!([hits[0].impact.step, hits[1].impact.step], [9, 19]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Costs one search of the index for the path, and one [`Mask::cast`](crate::Mask::cast) per
    /// collider whose box the path crosses.
    ///
    /// # Errors
    /// Returns the errors of [`cast`](Self::cast).
    pub fn cast_all(
        &self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<Vec<Hit>, PlaceError> {
        self.cast_all_with(id, motion, |_| true)
    }

    /// Does the same as [`cast_all`](Self::cast_all), except that only colliders for which `keep`
    /// returns true are met.
    ///
    /// `keep` is called once for each collider near the path, in no particular order.
    ///
    /// # Errors
    /// Returns the errors of [`cast`](Self::cast).
    pub fn cast_all_with(
        &self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<Vec<Hit>, PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let start = self.slots.positions[slot];
        let route = Route::new(start, motion.into(), self.atlas.resolution())?;
        let mover = self.view().move_view(slot);
        let meets = |other| self.can_meet(slot, other) && keep(other);
        let met = self.all_hits((mover.mask(), mover.origin), route.path, None, meets);
        Ok(met.into_iter().map(|hit| route.hit(hit)).collect())
    }

    /// Returns every collider that a mask meets if it moves by `motion` from `at`, the position of
    /// its top-left pixel. Both are in mask pixels. The order is that of
    /// [`cast_all`](Self::cast_all).
    ///
    /// The filter decides which colliders are met, sensors included, and at which accuracy. The
    /// whole mask has to lie within the range of i32; pixels beyond it meet nothing.
    #[must_use]
    pub fn cast_mask_all<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
        filter: Filter,
    ) -> Vec<(ColliderId, Impact)> {
        let (mover, path) = ((mask.into(), Point::from(at.into())), PixelPath::new(motion));
        self.all_hits(mover, path, Some(filter.accuracy), |id| self.is_wanted(id, filter))
    }

    /// Returns the first contact with each collider on the path for which `meets` is true. Each is
    /// seen at the given accuracy, or else at its own accuracy for moves.
    fn all_hits(
        &self,
        mover: (MaskRef<'_>, Point),
        path: PixelPath,
        accuracy: Option<Accuracy>,
        meets: impl Fn(ColliderId) -> bool,
    ) -> Vec<(ColliderId, Impact)> {
        let Some(start) = frame(mover) else { return Vec::new() };
        let ((mask, at), view) = (mover, self.view());
        let mut hits = Vec::new();
        self.each_near(&Part::whole(start, path), |id| {
            let Some(entry) = box_entry(start, self.slots.rect(id.slot()), path) else { return };
            if !meets(id) {
                return;
            }
            let met = view.view_in_motion(id.slot(), accuracy);
            let (other, offset) = met.beside(at);
            if let Some(step) = first_touch(mask, other, offset, path, (entry, path.steps())) {
                hits.push((id, Impact::new(mask, other, offset, path, step)));
            }
        });
        hits.sort_unstable_by_key(|&(id, impact)| (impact.step, id));
        hits
    }
}
