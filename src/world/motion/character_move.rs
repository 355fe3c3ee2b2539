//! Character movement: the calls that move a collider up to an obstacle, or along it.
//!
//! Called by users through `World`. [`Walk`] does the work.

use crate::world::motion::cast::{self, Obstacle, Route};
use crate::world::motion::move_rules::{MoveContact, MoveResult, MoveRules};
use crate::world::motion::walk::{ContactVeto, Walk};
use crate::world::{ColliderId, Hit, PlaceError, World};
use std::cell::RefCell;

impl World {
    /// Moves a collider by `motion`, in units of positions, up to the first obstacle. Returns the
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
        let hit = self.cast(id, motion)?;
        let collider = self.get(id).ok_or(PlaceError::Stale(id))?;
        let [x, y] = collider.position;
        let position = hit.map_or([x + motion[0], y + motion[1]], |hit| hit.position);
        self.set(id, collider.at(position))?;
        Ok(hit)
    }

    /// Moves a collider by `motion`, in units of positions, and slides along obstacles.
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
    /// [`move_by_rules_with`](Self::move_by_rules_with). Leave it out until the collider is below
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
    ) -> Result<MoveResult, PlaceError> {
        self.move_by_rules_with(id, motion, rules, |_| true)
    }

    /// Does the same as [`move_by_rules`](Self::move_by_rules), except that only colliders for
    /// which `keep` returns true block the motion or push the collider out. `keep` is not asked
    /// about sensors.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, MoveRules, World};
    /// # let bytes = AtlasBuilder::new().mask("a", Mask::disc(4)?).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let a = atlas.sprite_id("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// let owner = world.insert(Collider::new(a))?;
    /// let door = world.insert(Collider::new(a).at([20.0, 0.0]))?;
    /// let all = MoveRules::default();
    /// let moved = world.move_by_rules_with(owner, [40.0, 0.0], all, |other| other != door)?;
    /// assert_eq!(moved.position, [40.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules_with(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<MoveResult, PlaceError> {
        self.walk(id, motion.into(), rules, (keep, None))
    }

    /// Does the same as [`move_by_rules`](Self::move_by_rules), except that an obstacle blocks only
    /// the contacts for which `keep` returns true. A game can let a jump through ceilings, or make
    /// only steep walls count.
    ///
    /// The collider passes into an obstacle that is refused. The obstacle does not block again
    /// before the collider has left it. An overlap at the start counts as the contact at which this
    /// motion would have entered the obstacle. If the motion is 0 px, the normal of the overlap
    /// counts. A refused overlap pushes nothing out.
    ///
    /// `keep` may be called several times for one contact. It is called for each pixel of a slide,
    /// so a long slide takes one step per pixel.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, MoveRules, Side, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "###\n###".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let hero = world.insert(a.at([0.0, 20.0]))?;
    /// world.insert(a)?;
    /// let rules = MoveRules::default();
    /// // Ceilings let the hero through, floors do not.
    /// for (motion, y) in [([0.0, -40.0], -20.0), ([0.0, 40.0], -2.0)] {
    ///     let moved =
    ///         world.move_by_rules_per_contact(hero, motion, rules, |c| c.side != Side::Above)?;
    ///     assert_eq!(moved.position, [0.0, y]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules_per_contact(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
        keep: impl Fn(&MoveContact) -> bool,
    ) -> Result<MoveResult, PlaceError> {
        self.walk(id, motion.into(), rules, (|_| true, Some(&keep)))
    }

    /// Moves a collider. Obstacles are the colliders that the first veto keeps, each as long as the
    /// second veto keeps the contact.
    fn walk(
        &mut self,
        id: ColliderId,
        motion: [f32; 2],
        rules: MoveRules,
        (keep, keep_contact): (impl Fn(ColliderId) -> bool, Option<ContactVeto<'_>>),
    ) -> Result<MoveResult, PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let route = Route::new(self.slots.positions[slot], motion, self.atlas.resolution())?;
        let view = self.view();
        let mover = view.move_view(slot);
        let mut walk = Walk::new((mover.mask(), mover.origin), rules, keep_contact);
        let by = route.path.motion();
        if let Some(start) = cast::frame((mover.mask(), mover.origin)) {
            let sensors = RefCell::new(Vec::new());
            let blocks = |other| {
                let meets = self.can_meet(slot, other);
                if meets && self.is_sensor(other) {
                    sensors.borrow_mut().push(other);
                    return false;
                }
                meets && keep(other)
            };
            self.collect_obstacles(
                walk.area(start, by),
                (None, rules.one_way),
                blocks,
                &mut walk.obstacles,
            );
            walk.sensors.extend(sensors.into_inner().into_iter().map(|id| Obstacle {
                id,
                view: view.move_view(id.slot()),
                rect: self.slots.rect(id.slot()),
                one_way: false,
            }));
            walk.push_out_of_overlaps(by);
            if motion[1] >= 0.0 {
                walk.rise_with_platforms();
            }
            walk.advance(by);
        } else {
            walk.by = by;
        }
        let stuck_in = walk.stuck_in();
        let Walk { by, contacts, passed, .. } = walk;
        let position = route.position(by);
        let collider = self.slots.collider(&self.appearances, slot);
        self.set(id, collider.at(position))?;
        Ok(MoveResult { position, translation: by, contacts, passed, stuck_in })
    }
}
