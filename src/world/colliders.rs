//! Colliders of a world: creation of worlds, edits of colliders, and the rules for all of them.

use crate::atlas::{Atlas, Map};
use crate::error::CallError;
use crate::geom::Rect;
use crate::ids::ColliderId;
use crate::narrow::Accuracy;
use crate::pose::{Angle, ScalePolicy};
use crate::raster::PosedRef;
use crate::scene::{Collider, MapReport, PlacedMap, Placement, Scene};
use crate::update::Updater;
use crate::world::World;

/// # Colliders: insert, move, remove, look up, and the rules for all
impl World {
    /// Creates a world without colliders, over the sprites of `atlas`. Over an
    /// [undrawn](Atlas#undrawn-atlases) atlas it draws each pose when a collider first shows it.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        Self { scene: Scene::new(atlas), updater: Updater::default() }
    }

    /// Inserts a collider and returns its id.
    ///
    /// # Errors
    /// Returns [`CallError`] if the collider is invalid or the world is full. The world is left
    /// unchanged.
    pub fn insert(&mut self, collider: Collider) -> Result<ColliderId, CallError> {
        self.scene.insert(collider)
    }

    /// Inserts all colliders and returns their ids in the same order.
    ///
    /// Checks all before the first insert. Costs about 0.2 microseconds per collider, no more than single inserts. A
    /// sprite that the world has not shown before adds about 1 microsecond.
    ///
    /// # Errors
    /// Returns [`CallError::Item`] with the index of the first invalid collider, or of the one for which there is
    /// no room. No collider is inserted then.
    pub fn insert_all(&mut self, colliders: &[Collider]) -> Result<Vec<ColliderId>, CallError> {
        self.scene.insert_all(colliders)
    }

    /// Inserts the colliders of a map, fixed, with the map's top-left corner at a position. Returns their
    /// ids, one for each item of [`Map::items`]. To take the map out again, remove those ids.
    ///
    /// After a [replacement](crate::AtlasesMut::replace) of the atlas its colliders show the new pixels, as
    /// far as the new level has the same pieces, shapes and pictures. [`update_map`](Self::update_map)
    /// brings their places, and what came and went, up to date.
    ///
    /// Costs about 0.2 microseconds per item, or 1 if each shows a frame of its own. Each sprite is looked
    /// up by name once.
    ///
    /// # Errors
    /// Returns [`CallError::Position`] if the position is not finite, and
    /// [`CallError::UnknownAtlas`] if the world lacks the atlas of the map. Returns
    /// [`CallError::Item`] with the index of the item if an atlas has no sprite of its name, or for the
    /// errors of [`insert`](Self::insert). No collider is inserted then.
    pub fn insert_map(
        &mut self,
        map: &Map,
        at: impl Into<[f32; 2]>,
    ) -> Result<PlacedMap, CallError> {
        self.scene.insert_map(map, at.into())
    }

    /// Brings a placed map up to date with another version of it, as a rule after a
    /// [replacement](crate::AtlasesMut::replace) of its atlas. [Ids](crate::MapItem::id) match the items.
    ///
    /// Colliders of items that are gone are removed. Those of new items are inserted. All others keep their
    /// ids, and take what differs between the two versions: place, angle, scale, flip, picture, sensor and
    /// layers. What the game has changed of these since stays, such as the place of a crate or the mask of a
    /// carved piece. A collider that the game removed does not come back. The report lists all of it.
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder, Map, MapItem, MapShape, Mask, World};
    /// let level = |items: &[(&str, f32)]| {
    ///     let shape = Some(MapShape { sprite: "tile".into(), ..MapShape::default() });
    ///     let item = |&(id, x): &(&str, f32)| MapItem {
    ///         id: id.into(),
    ///         position: [x, 0.0],
    ///         shape: shape.clone(),
    ///         ..MapItem::default()
    ///     };
    ///     let items = items.iter().map(item).collect();
    ///     let map = Map { name: "yard".into(), items, ..Map::default() };
    ///     let bytes = AtlasBuilder::new().mask("tile", "##".parse()?).map(map).to_bytes()?;
    ///     Ok::<_, Box<dyn std::error::Error>>(Atlas::from_vec(bytes)?)
    /// };
    /// let [before, after] = [level(&[("door", 0.0), ("step", 9.0)])?, level(&[("lamp", 4.0), ("door", 6.0)])?];
    /// let mut world = World::new(before.clone());
    /// let mut yard = world.insert_map(&before.map("yard").unwrap(), [0.0, 0.0])?;
    /// let [door, step] = [0, 1].map(|item| yard.ids[item].unwrap());
    ///
    /// world.atlases_mut().replace(before.id(), after.clone())?;
    /// let report = world.update_map(&mut yard, &after.map("yard").unwrap())?;
    /// assert_eq!((report.inserted, report.changed), (vec![0], vec![1]));
    /// assert_eq!(report.removed, [("step".to_owned(), step)]);
    /// assert_eq!((yard.ids[1], world.get(door).unwrap().position), (Some(door), [6.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Costs about 0.3 microseconds per item. Items that have not changed cost nothing at the next update.
    ///
    /// # Errors
    /// As [`insert_map`](Self::insert_map). The world and the placed map are left unchanged.
    pub fn update_map(
        &mut self,
        placed: &mut PlacedMap,
        map: &Map,
    ) -> Result<MapReport, CallError> {
        self.scene.update_map(placed, map)
    }

    /// Replaces a collider by another, under the same id.
    ///
    /// Costs about 50 ns if the appearance stays the same. It costs 70 ns if the new appearance
    /// followed the old one before, as in an animation, and else 140 ns.
    /// [`set_placements`](Self::set_placements) moves many colliders in less than 1/5 of the time
    /// each.
    ///
    /// # Errors
    /// Returns [`CallError`] if the collider is invalid or `id` is stale. The world is left
    /// unchanged.
    pub fn set(&mut self, id: ColliderId, collider: Collider) -> Result<(), CallError> {
        self.scene.set(id, collider)
    }

    /// Moves a collider to a position, in units of positions. Everything else stays as it is.
    ///
    /// # Errors
    /// Returns [`CallError`] if the position is not finite or out of range, or if `id` is stale.
    /// The world is left unchanged.
    pub fn move_to(
        &mut self,
        id: ColliderId,
        position: impl Into<[f32; 2]>,
    ) -> Result<(), CallError> {
        self.scene.move_to(id, position.into())
    }

    /// Places a collider at a position, an angle and a scale at once. Everything else stays as it is.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn place(
        &mut self,
        id: ColliderId,
        position: impl Into<[f32; 2]>,
        angle: impl Into<Angle>,
        scale: f32,
    ) -> Result<(), CallError> {
        let collider = self.get(id).ok_or(CallError::Stale(id))?;
        self.set(id, collider.at(position).turned(angle).scaled(scale))
    }

    /// Moves and rotates many colliders: the collider `ids[i]` gets `placements[i]`. Everything
    /// else about it stays. If an id occurs twice, the last placement counts.
    ///
    /// Takes some nanoseconds a collider, and twice as many if the indices of `ids` are not
    /// contiguous. It uses one thread for every 5,000 colliders. If the indices do not ascend, the
    /// placements are first sorted by ranges of indices, at 24 bytes of memory each.
    ///
    /// ```
    /// # use hitmask::{Angle, Atlas, AtlasBuilder, Collider, ColliderId, Placement, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = atlas.sprite_id("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// # for _ in 0..3 { world.insert(Collider::new(a))?; }
    /// let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    /// let placements: Vec<Placement> = (0..ids.len())
    ///     .map(|i| Placement { position: [i as f32, 0.0], angle: Angle::radians(0.1) })
    ///     .collect();
    /// world.set_placements(&ids, &placements)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError`] with the first collider that cannot be placed. The world is unchanged.
    ///
    /// # Panics
    /// If the slices have different lengths.
    pub fn set_placements(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), CallError> {
        self.scene.set_placements(ids, placements)
    }

    /// Removes a collider and returns it; `None` if `id` is stale. The id stays stale until its
    /// slot has been reused 2^32 - 1 times.
    pub fn remove(&mut self, id: ColliderId) -> Option<Collider> {
        self.scene.remove(id)
    }

    /// Returns the collider with this id; `None` if `id` is stale.
    #[must_use]
    pub fn get(&self, id: ColliderId) -> Option<Collider> {
        self.scene.placed.get(id)
    }

    /// Returns the tight box of a collider's pixels, in mask pixels. Returns `None` if `id` is
    /// stale or the collider has no pixels.
    #[must_use]
    pub fn rect(&self, id: ColliderId) -> Option<Rect> {
        self.scene.placed.rect(id)
    }

    /// Returns a collider's posed mask where it is in the world: its origin is absolute, in mask
    /// pixels. Returns `None` if `id` is stale. A mask of the atlas is trimmed to its tight box; a
    /// runtime mask keeps its size.
    #[must_use]
    pub fn posed(&self, id: ColliderId) -> Option<PosedRef<'_>> {
        self.scene.posed(id)
    }

    /// Returns the number of colliders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scene.placed.slots.len() - self.scene.placed.slots.free.len()
    }

    /// Tests whether the world has no colliders.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all colliders with their ids, in order of indices.
    pub fn iter(&self) -> impl Iterator<Item = (ColliderId, Collider)> {
        self.scene.placed.iter()
    }

    /// Sets the finest accuracy of pair tests, from the next [`update`](Self::update) or
    /// [`contact`](Self::contact) on. Colliders with a coarser accuracy keep theirs. The default is
    /// [`Accuracy::Exact`].
    ///
    /// Moves follow it too, except for colliders with a
    /// [`move_accuracy`](Collider::move_accuracy). Queries test pixels at any accuracy: [which calls
    /// follow accuracies](Self#which-calls-follow-accuracies).
    pub fn set_accuracy(&mut self, accuracy: Accuracy) {
        self.scene.set_accuracy(accuracy);
    }

    /// Returns the finest accuracy of pair tests.
    #[must_use]
    pub const fn accuracy(&self) -> Accuracy {
        self.scene.accuracy
    }

    /// Sets which scales colliders of sprites may have, from the next call that sets a scale or a
    /// sprite on. Present colliders keep theirs. The default is [`ScalePolicy::Within(1.5)`].
    ///
    /// [`ScalePolicy::Within(1.5)`]: ScalePolicy::Within
    ///
    /// # Errors
    /// Returns [`CallError::Number`] for a factor below 1 or NaN. The policy stays as it was.
    pub fn set_scale_policy(&mut self, policy: ScalePolicy) -> Result<(), CallError> {
        let factor = policy.factor();
        self.scene.scale_policy = ScalePolicy::of_factor(factor).ok_or(CallError::Number {
            name: "factor of a scale policy",
            value: factor,
            least: 1.0,
            most: f32::MAX,
        })?;
        Ok(())
    }

    /// Returns the rule for scales that a sprite is not baked at.
    #[must_use]
    pub const fn scale_policy(&self) -> ScalePolicy {
        self.scene.scale_policy
    }
}
