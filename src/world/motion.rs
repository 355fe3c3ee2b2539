//! Motions of a world: casts, pushes, character moves, and moves of bodies.

use crate::error::CallError;
use crate::ids::ColliderId;
use crate::motion::{BodyHit, Hit, Hits, MoveResult, MoveRules, walk_all};
use crate::query::Filter;
use crate::world::World;

/// # Motion: casts, moves and push-outs
impl World {
    /// Returns the first collider that a collider hits if it moves by `motion`, in pixels. Returns `None` if the path is free. The collider stays where it is.
    ///
    /// The path is the [`PixelPath`](crate::PixelPath) from the pixel of the collider's position to the pixel of the
    /// position plus the motion. Every pixel step is tested, so nothing is passed through at any
    /// speed.
    ///
    /// Every collider of the filter with compatible layers blocks the motion. Pass [`Filter::SOLID`]:
    /// sensors of [`Filter::ALL`] are hit too. [`Filter::keep`] leaves out a door that lets its owner
    /// through. An initial overlap is reported as step 0. Pixels decide, or the box of a collider whose
    /// [`move_accuracy`](crate::Collider::move_accuracy) is [`Accuracy::Box`](crate::Accuracy::Box).
    /// `min_overlap` is not used.
    ///
    /// # Errors
    /// Returns [`CallError::Stale`] if the collider was removed, and [`CallError::Position`] if
    /// the end is not finite or out of range.
    pub fn cast(
        &self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        filter: Filter<'_>,
    ) -> Result<Option<Hit>, CallError> {
        let hits = self.search().cast(id, motion.into(), Hits::First, filter)?;
        Ok(hits.into_iter().next())
    }

    /// Returns every collider that a collider meets if it moves by `motion`, in pixels, and
    /// nothing stops it: a piercing bullet. The collider stays where it is.
    ///
    /// The hits are in order of the step at which each collider is first met, and of the index
    /// where steps are equal. An initial overlap is met at step 0. The path and the rules are those
    /// of [`cast`](Self::cast). [`Filter::ALL`] meets sensors too, even if a fast collider jumps over
    /// them. [`Collider::sensor`](crate::Collider::sensor) tells sensors from obstacles.
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
        filter: Filter<'_>,
    ) -> Result<Vec<Hit>, CallError> {
        self.search().cast(id, motion.into(), Hits::All, filter)
    }

    /// Moves a collider by `motion`, in pixels, up to the first obstacle. Returns the
    /// hit that ended the motion, or `None` if the whole path was free. See [`cast`](Self::cast). Sensors never block.
    ///
    /// # Errors
    /// Returns the errors of [`cast`](Self::cast). The collider is left where it was.
    pub fn move_until_contact(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        filter: Filter<'_>,
    ) -> Result<Option<Hit>, CallError> {
        let motion = motion.into();
        let hit = self.cast(id, motion, Filter { sensors: false, ..filter })?;
        let collider = self.get(id).ok_or(CallError::Stale(id))?;
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
    /// Returns [`CallError::Stale`] if the collider was removed, and [`CallError::Position`] if
    /// the end is not finite or out of range. The end includes the push out of overlaps. The
    /// collider is left where it was.
    pub fn move_and_slide(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<MoveResult, CallError> {
        self.move_by_rules(id, motion, MoveRules::default(), Filter::SOLID)
    }

    /// Does the same as [`move_and_slide`](Self::move_and_slide), by the given rules.
    ///
    /// Every non-sensor collider of the filter with compatible layers blocks the motion. If the collider overlaps
    /// such obstacles at the start, it is first pushed out of all of them, by at most 16 mask
    /// pixels. If that fails, the obstacles that it overlaps do not block the motion.
    /// [`MoveResult::stuck_in`] lists those that it still overlaps at the end: it is crushed.
    ///
    /// [`Filter::keep`] leaves out obstacles, and [`Filter::contacts`] refuses single contacts.
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
    /// [`Filter::keep`]. Leave it out until the collider is below
    /// its top by more than `rise` pixels.
    ///
    /// # Cost
    /// One search of the index for the box of all that the move can reach: the motion, plus `climb`
    /// or `slip` pixels aside per pixel. Then one pass over the obstacles found per stop, bend or
    /// climbed pixel. Free stretches and flat walls take one [`cast`](Self::cast), at any length.
    ///
    /// # Errors
    /// Returns the errors of [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
        filter: Filter<'_>,
    ) -> Result<MoveResult, CallError> {
        let moved = self.search().walk(id, motion.into(), rules, filter)?.result;
        self.move_to(id, moved.position)?;
        Ok(moved)
    }

    /// Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Calls `each(i, result)`
    /// with what [`move_by_rules`](Self::move_by_rules) would return, in this order. Each collider meets those
    /// before it at their new places, and those after it at their old ones.
    ///
    /// With the feature `rayon` and a filter without functions it uses one thread for every 256 colliders.
    /// They compute walks ahead; those whose area has changed are repeated. So the results are the
    /// same at any number of threads, but a dense crowd gains little from a second one. `each` is called on
    /// one thread at a time, which may be another than the caller's.
    ///
    /// Takes 8 bytes per collider while it runs.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Mask, MoveRules, Side, World};
    /// # let bytes = AtlasBuilder::new().mask("a", Mask::solid(4, 4)?).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let [first, second] = [world.insert(a)?, world.insert(a.at([4.0, 0.0]))?];
    /// let (by, rules) = ([[3.0, 0.0]; 2], MoveRules::default());
    /// let mut ends = Vec::new();
    /// world.move_all(&[second, first], &by, rules, Filter::SOLID, |_, moved| ends.push(moved.position))?;
    /// assert_eq!(ends, [[7.0, 0.0], [3.0, 0.0]]);
    /// let mut is_blocked = [false; 2];
    /// world.move_all(&[first, second], &by, rules, Filter::SOLID, |i, moved| {
    ///     is_blocked[i] = moved.blocked_on(Side::Right);
    /// })?;
    /// assert_eq!(is_blocked, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CallError`] with the first move that is refused. All colliders are left where they
    /// were: what `each` got is void. If a function of the filter panics, the colliders before that one
    /// have moved. If `each` panics, the one of its result has moved too.
    ///
    /// # Panics
    /// If the slices have different lengths.
    pub fn move_all(
        &mut self,
        ids: &[ColliderId],
        motions: &[[f32; 2]],
        rules: MoveRules,
        filter: Filter<'_>,
        mut each: impl FnMut(usize, MoveResult) + Send,
    ) -> Result<(), CallError> {
        let (scene, index) = (&mut self.scene, &self.updater.index);
        walk_all(scene, index, (ids, motions), rules, filter, &mut each)
    }

    /// Returns the shortest translation, in pixels, that frees a collider from everything that
    /// blocks it. Every non-sensor collider of the filter with compatible layers blocks, by its pixels or its box
    /// as in [`cast`](Self::cast).
    ///
    /// Returns (0, 0) if the collider is free. Returns `None` if no free place lies within `radius`
    /// pixels, or if `id` is stale. The translation is a whole number of mask pixels. Ties and cost
    /// are those of [`Probe::push_out`](crate::Probe::push_out). The collider stays where it is.
    ///
    /// # Errors
    /// Returns [`CallError::Number`] if `radius` is negative or not finite.
    pub fn push_out(
        &self,
        id: ColliderId,
        radius: f32,
        filter: Filter<'_>,
    ) -> Result<Option<[f32; 2]>, CallError> {
        self.search().push_out(id, radius, filter)
    }

    /// Moves all parts of a body by `motion`, in pixels, up to the first obstacle of any of them.
    /// Returns the hit that ended the motion, or `None` if the way was free. See
    /// [`Bodies::cast`](crate::Bodies::cast).
    ///
    /// The parts keep their distances, apart from the rounding of f32. A filter with no layers moves
    /// them through everything. For other placements of all parts, give
    /// [`Bodies::parts`](crate::Bodies::parts) to [`set_placements`](Self::set_placements), which also
    /// places all or none.
    ///
    /// # Errors
    /// Returns the errors of [`Bodies::cast`](crate::Bodies::cast), and [`CallError::Item`] of a part that
    /// would be out of range. Nothing has moved.
    pub fn move_body(
        &mut self,
        owner: u32,
        motion: impl Into<[f32; 2]>,
        filter: Filter<'_>,
    ) -> Result<Option<BodyHit>, CallError> {
        let end = self.search().body_motion(owner, motion.into(), filter)?;
        self.set_placements(&end.ids, &end.placements)?;
        Ok(end.hit)
    }
}
