//! Motions of a world: casts, pushes, character moves, and moves of compounds.

use crate::geom::Point;
use crate::mask::MaskRef;
use crate::motion::{Hit, Hits, MoveResult, MoveRules, MoveVeto, OwnerHit, walk_all};
use crate::narrow::Impact;
use crate::query::Filter;
use crate::scene::{BulkPlaceError, ColliderId, PlaceError};
use crate::world::World;

/// # Motion: casts, moves and push-outs
impl World {
    /// Returns the first collider that a collider hits if it moves by `motion`, in pixels. Returns `None` if the path is free. The collider stays where it is.
    ///
    /// The path is the [`PixelPath`](crate::PixelPath) from the pixel of the collider's position to the pixel of the
    /// position plus the motion. Every pixel step is tested, so nothing is passed through at any
    /// speed.
    ///
    /// Every non-sensor collider with compatible layers blocks the motion. An initial overlap is
    /// reported as step 0. Pixels decide, or the box of a collider whose
    /// [`move_accuracy`](crate::Collider::move_accuracy) is [`Accuracy::Box`](crate::Accuracy::Box). `min_overlap` is not used.
    ///
    /// Only colliders for which `keep` returns true block the motion: a door that lets its owner
    /// through. It is called for colliders near the path, in no particular order, possibly more than
    /// once each.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "##".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let owner = world.insert(a)?;
    /// let door = world.insert(a.at([10.0, 0.0]))?;
    /// assert_eq!(world.cast(owner, [50.0, 0.0], |_| true)?.unwrap().collider, door);
    /// assert_eq!(world.cast(owner, [50.0, 0.0], |other| other != door)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlaceError::Stale`] if the collider was removed, and [`PlaceError::Position`] if
    /// the end is not finite or out of range.
    pub fn cast(
        &self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<Option<Hit>, PlaceError> {
        let hits = self.search().cast(id, motion.into(), Hits::First, keep)?;
        Ok(hits.into_iter().next())
    }

    /// Returns every collider that a collider meets if it moves by `motion`, in pixels, and
    /// nothing stops it: a piercing bullet. The collider stays where it is.
    ///
    /// The hits are in order of the step at which each collider is first met, and of the index
    /// where steps are equal. An initial overlap is met at step 0. The path and the rules are those
    /// of [`cast`](Self::cast), except that sensors are met too. So a sensor is found even if a
    /// fast collider jumps over it. [`Collider::sensor`](crate::Collider::sensor) tells sensors
    /// from obstacles.
    ///
    /// Only colliders for which `keep` returns true are met. It is called once for each collider near
    /// the path, in no particular order.
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
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<Vec<Hit>, PlaceError> {
        self.search().cast(id, motion.into(), Hits::All, keep)
    }

    /// Moves a collider by `motion`, in pixels, up to the first obstacle. Returns the
    /// hit that ended the motion, or `None` if the whole path was free. See [`cast`](Self::cast).
    ///
    /// # Errors
    /// Returns the errors of [`cast`](Self::cast). The collider is left where it was.
    pub fn move_until_contact(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<Option<Hit>, PlaceError> {
        let motion = motion.into();
        let hit = self.cast(id, motion, |_| true)?;
        let collider = self.get(id).ok_or(PlaceError::Stale(id))?;
        let [x, y] = collider.position;
        let position = hit.map_or([x + motion[0], y + motion[1]], |hit| hit.position);
        self.set(id, collider.at(position))?;
        Ok(hit)
    }

    /// Moves a collider by `motion`, in pixels, and slides along obstacles.
    ///
    /// An obstacle ends the part of the motion that leads into it; the rest continues along the
    /// obstacle. The collider stops flat at walls and floors: it never overlaps, bounces or sticks.
    /// By default it walks up slopes of up to 45 degrees; [`move_by_rules`](Self::move_by_rules)
    /// takes other rules. Pixels or boxes decide, as in [`cast`](Self::cast).
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Pivot, Side, World};
    /// # let mut wall = Mask::new(10, 100)?;
    /// # wall.fill();
    /// # let bytes = AtlasBuilder::new().mask("hero", "####\n####".parse()?).mask("wall", wall).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let [hero, wall] = ["hero", "wall"].map(|name| atlas.sprite_id(name).unwrap());
    /// # let mut world = World::new(atlas);
    /// let hero = world.insert(Collider::new(hero).at([0.0, 0.0]))?;
    /// world.insert(Collider::new(wall).at([25.0, 0.0]).fixed())?;
    /// let moved = world.move_and_slide(hero, [100.0, 7.5])?;
    /// assert_eq!(moved.position, [18.0, 7.5]);
    /// assert!(moved.blocked_on(Side::Right));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlaceError::Stale`] if the collider was removed, and [`PlaceError::Position`] if
    /// the end is not finite or out of range. The end includes the push out of overlaps. The
    /// collider is left where it was.
    pub fn move_and_slide(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<MoveResult, PlaceError> {
        self.move_by_rules(id, motion, MoveRules::default())
    }

    /// Does the same as [`move_and_slide`](Self::move_and_slide), by the given rules.
    ///
    /// Every non-sensor collider with compatible layers blocks the motion. If the collider overlaps
    /// such obstacles at the start, it is first pushed out of all of them, by at most 16 mask
    /// pixels. If that fails, the obstacles that it overlaps do not block the motion.
    /// [`MoveResult::stuck_in`] lists those that it still overlaps at the end: it is crushed.
    ///
    /// [`MoveRules::among`] leaves out obstacles, and [`MoveRules::at_contacts`] refuses single contacts.
    ///
    /// # One-way platforms
    /// A collider on a layer of [`MoveRules::one_way`] stops motion that comes down on it. Motion
    /// from below and from the side passes through it, with these exceptions:
    /// - A mover that stands on it is held: it blocks that mover sideways as well, as solid ground
    ///   does. To stand means that the platform is 1 px beneath and not overlapped.
    /// - A mover on the ground climbs onto it as onto solid ground, by at most [`MoveRules::climb`]
    ///   pixels. To be on the ground means that an obstacle lies at most `climb` pixels beneath, or
    ///   1 px if `climb` is 0.
    /// - A mover whose lowest rows overlap it is raised onto it, by at most [`MoveRules::rise`]
    ///   pixels: the platform has risen beneath. A mover is not raised into an obstacle, nor if its
    ///   motion is upward.
    ///
    /// A platform carries nothing sideways. Add its sideways motion of the tick to the motion of
    /// the colliders that stand on it: those with the platform below in [`MoveResult::contacts`].
    /// On a platform that sinks, the downward motion has to be at least that of the platform.
    ///
    /// To drop through a platform on purpose, leave it out with
    /// [`MoveRules::among`]. Leave it out until the collider is below
    /// its top by more than `rise` pixels.
    ///
    /// # Cost
    /// One search of the index for the box of all that the move can reach: the motion, plus `climb`
    /// or `slip` pixels aside per pixel. Then one pass over the obstacles found per stop, bend or
    /// climbed pixel. Free stretches and flat walls take one [`cast`](Self::cast), at any length.
    ///
    /// # Errors
    /// Returns the errors of [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules<'k>(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: impl Into<MoveVeto<'k>>,
    ) -> Result<MoveResult, PlaceError> {
        let moved = self.search().walk(id, motion.into(), &rules.into())?.result;
        self.move_to(id, moved.position)?;
        Ok(moved)
    }

    /// Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Returns the results
    /// of calls of [`move_by_rules`](Self::move_by_rules) in this order. Each collider meets those
    /// before it at their new places, and those after it at their old ones.
    ///
    /// With the feature `rayon` and rules without a veto it uses one thread for every 256 colliders.
    /// They compute walks ahead; those whose area has changed are repeated. So the results are the
    /// same at any number of threads, but a dense crowd gains little from a second one.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, MoveRules, Side, World};
    /// # let bytes = AtlasBuilder::new().mask("a", Mask::solid(4, 4)?).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let [first, second] = [world.insert(a)?, world.insert(a.at([4.0, 0.0]))?];
    /// let moved = world.move_all(&[second, first], &[[3.0, 0.0]; 2], MoveRules::default())?;
    /// assert_eq!([moved[0].position, moved[1].position], [[7.0, 0.0], [3.0, 0.0]]);
    /// let moved = world.move_all(&[first, second], &[[3.0, 0.0]; 2], MoveRules::default())?;
    /// assert!(moved[0].blocked_on(Side::Right));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`BulkPlaceError`] with the first move that is refused. All colliders are left where they
    /// were. If a veto panics, the colliders before that one have moved.
    ///
    /// # Panics
    /// If the slices have different lengths.
    pub fn move_all<'k>(
        &mut self,
        ids: &[ColliderId],
        motions: &[[f32; 2]],
        rules: impl Into<MoveVeto<'k>>,
    ) -> Result<Vec<MoveResult>, BulkPlaceError> {
        walk_all(&mut self.scene, &self.updater.index, (ids, motions), &rules.into())
    }

    /// Returns the first collider that a mask hits if it moves by `motion` from `at`, the position
    /// of its top-left pixel. Both are in mask pixels. Of several colliders hit at one step, the
    /// one of lowest index is returned.
    ///
    /// The whole mask has to lie within the range of i32; pixels beyond it hit nothing. Exact
    /// pixels decide unless the filter's accuracy is lower.
    #[must_use]
    pub fn cast_mask<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
        filter: Filter,
    ) -> Option<(ColliderId, Impact)> {
        let mover = (mask.into(), at.into().into());
        self.search().cast_mask(mover, motion.into().into(), Hits::First, filter).into_iter().next()
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
        let mover = (mask.into(), at.into().into());
        self.search().cast_mask(mover, motion.into().into(), Hits::All, filter)
    }

    /// Returns the shortest translation, in mask pixels, that frees a collider from everything that
    /// blocks it. Every non-sensor collider with compatible layers blocks, by its pixels or its box
    /// as in [`cast`](Self::cast).
    ///
    /// Returns (0, 0) if the collider is free. Returns `None` if no free place lies within `radius`
    /// mask pixels, or if `id` is stale. Ties and cost are those of
    /// [`nearest_free_offset`](Self::nearest_free_offset). The collider stays where it is.
    #[must_use]
    pub fn push_out(&self, id: ColliderId, radius: u32) -> Option<Point> {
        self.search().push_out(id, radius)
    }

    /// Returns the first collider that a compound hits if all its parts move by `motion`, in pixels. Returns `None` if the way is free for all. Nothing moves.
    ///
    /// Each part is blocked by the rules of [`cast`](Self::cast), by its own layers and accuracy.
    /// The parts do not block each other. Sensors and disabled parts move along and are blocked by
    /// nothing.
    ///
    /// All parts follow one [`PixelPath`](crate::PixelPath), that of the part of lowest index. At its end each part
    /// snaps to the pixel of its own position, which may lie one pixel further. If a part is
    /// blocked only there, the hit has one step more than the path.
    ///
    /// Costs one cast for each part.
    ///
    /// # Errors
    /// Returns [`PlaceError::UnknownOwner`] if the owner has no colliders, and
    /// [`PlaceError::Position`] if the end of a part is not finite or out of range.
    pub fn cast_owner(
        &self,
        owner: u32,
        motion: impl Into<[f32; 2]>,
    ) -> Result<Option<OwnerHit>, PlaceError> {
        Ok(self.search().owner_motion(owner, motion.into())?.hit)
    }

    /// Moves all parts of a compound by `motion`, in pixels, up to the first obstacle
    /// of any of them. Returns the hit that ended the motion, or `None` if the way was free. See
    /// [`cast_owner`](Self::cast_owner).
    ///
    /// The parts keep their distances, apart from the rounding of f32.
    ///
    /// # Errors
    /// Returns the errors of [`cast_owner`](Self::cast_owner). Nothing has moved.
    pub fn move_owner(
        &mut self,
        owner: u32,
        motion: impl Into<[f32; 2]>,
    ) -> Result<Option<OwnerHit>, PlaceError> {
        let end = self.search().owner_motion(owner, motion.into())?;
        self.set_placements(&end.ids, &end.placements).map_err(|error| error.cause)?;
        Ok(end.hit)
    }

    /// Moves all parts of a compound by `motion`, in pixels, through everything. For
    /// other placements of all parts, give [`parts_of`](Self::parts_of) to
    /// [`set_placements`](Self::set_placements), which also places all or none.
    ///
    /// # Errors
    /// Returns the errors of [`cast_owner`](Self::cast_owner). Nothing has moved.
    pub fn translate_owner(
        &mut self,
        owner: u32,
        motion: impl Into<[f32; 2]>,
    ) -> Result<(), PlaceError> {
        let end = self.search().owner_translation(owner, motion.into())?;
        self.set_placements(&end.ids, &end.placements).map_err(|error| error.cause)
    }
}
