//! Atlases of a world, and the poses that it has drawn from them.

use crate::atlas::{Atlas, Sprite};
use crate::error::CallError;
use crate::ids::ColliderId;
use crate::ids::{AtlasId, SpriteId};
use crate::scene::{Collider, InUse, PoseStats, ReloadReport, Scene};
use crate::world::World;

/// # Atlases and drawn poses
impl World {
    /// Returns the atlas of the world's sprites: the first one of [`atlases`](Self::atlases).
    #[must_use]
    pub fn atlas(&self) -> &Atlas {
        self.scene.stock.atlases.first()
    }

    /// Returns the atlases of the world, in the order of adding. Earlier versions that colliders
    /// still show follow: see [`ReloadReport::outdated`].
    pub fn atlases(&self) -> impl ExactSizeIterator<Item = &Atlas> {
        self.scene.stock.atlases.all()
    }

    /// Returns the sprite that an id names in an atlas of the world. An id of an earlier version
    /// names the sprite of the same name in the newest one. If that lacks it, it names the earlier
    /// sprite, as long as a collider shows one of that version. Returns `None` if there is none.
    #[must_use]
    pub fn sprite(&self, id: SpriteId) -> Option<Sprite<'_>> {
        self.scene.sprite(id)
    }

    /// Returns figures about the poses that the world has drawn from an undrawn atlas, or from several
    /// atlases.
    #[must_use]
    pub fn pose_stats(&self) -> PoseStats {
        self.scene.pose_stats()
    }

    /// Returns the view that adds, drops and replaces atlases, draws poses ahead, and limits their memory.
    #[must_use]
    pub const fn atlases_mut(&mut self) -> AtlasesMut<'_> {
        AtlasesMut { scene: &mut self.scene }
    }
}

/// The atlases of a world, for changes. Made by [`World::atlases_mut`].
#[derive(Debug)]
pub struct AtlasesMut<'w> {
    scene: &'w mut Scene,
}

impl AtlasesMut<'_> {
    /// Adds an atlas, so that colliders may show its sprites beside those of other atlases. Returns
    /// its id.
    ///
    /// All atlases of a world have one resolution and different ids. The call copies the records of
    /// all atlases and leaves the colliders alone: 0.2 ms for 1,000 sprites, beside 100,000 colliders.
    /// In two cases it places every collider again and draws the poses that they show, in about
    /// 1 microsecond per collider. One is the second atlas of a world over a drawn one. In the other,
    /// colliders still show an [earlier version](ReloadReport::outdated).
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, InUse, World};
    /// # let open = |name: &str| Atlas::from_vec(AtlasBuilder::new().mask(name, "#".parse().unwrap()).to_bytes().unwrap());
    /// let (heroes, level) = (open("hero")?, open("door")?);
    /// let [hero, door] = [heroes.sprite_id("hero").unwrap(), level.sprite_id("door").unwrap()];
    /// let mut world = World::new(heroes);
    /// let level = world.atlases_mut().add(level)?;
    /// world.insert(Collider::new(hero))?;
    /// let door = world.insert(Collider::new(door))?;
    /// world.update();
    /// assert_eq!(world.touching().len(), 1);
    /// assert_eq!(world.atlases_mut().drop(level, InUse::Remove)?, [door]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError`] for an atlas with another resolution, or with the id of an atlas of the
    /// world or of an earlier version of one. The world is left unchanged.
    pub fn add(&mut self, atlas: Atlas) -> Result<AtlasId, CallError> {
        self.scene.add_atlas(atlas)
    }

    /// Drops an atlas with its earlier versions. Its sprite ids are refused from then on. `in_use`
    /// tells what becomes of colliders that show the atlas. Places every other collider again.
    ///
    /// Returns the ids of the removed colliders, in order of slots. They are stale from then on, and
    /// their pairs end with the next [`update`](World::update), as after [`remove`](World::remove).
    ///
    /// # Errors
    /// [`CallError::AtlasInUse`] if colliders show the atlas, and by `in_use` that is refused.
    /// [`CallError::OnlyAtlas`] if it is the last one, and [`CallError::UnknownAtlas`] if
    /// it is not in the world. The world is left unchanged.
    pub fn drop(&mut self, atlas: AtlasId, in_use: InUse) -> Result<Vec<ColliderId>, CallError> {
        self.scene.drop_atlas(atlas, in_use)
    }

    /// Replaces an atlas by another version of it, as after a new bake. Sprites, planes and ids are
    /// matched by name:
    ///
    /// - Each collider keeps its id, its place and its pairs of the last update. It shows the sprite
    ///   and plane of the same names in the new version, at the same frame. The next
    ///   [`update`](World::update) tests all pairs.
    /// - Sprite ids of the earlier version keep working: they name the sprite of the same name. So
    ///   do those of [`include_atlas!`](crate::include_atlas). The world returns ids of the new
    ///   version.
    /// - A collider whose sprite, plane or frame the new version lacks keeps its earlier pixels, and
    ///   [`ReloadReport::outdated`] lists it. A later version that has them again takes it over.
    ///   Until then it can be moved, and [`set`](World::set) gives it another sprite. The earlier version
    ///   leaves the world with the last of these colliders. A snapshot of before brings it back, until
    ///   atlases are added, dropped or replaced. Its memory is freed then.
    ///
    /// The call places every collider again and draws the poses that they show, in about 1 microsecond
    /// per collider. Both versions of these poses are in memory until it returns: up to twice the
    /// [budget](Self::set_pose_budget).
    ///
    /// # Errors
    /// [`CallError`] if `old` is not in the world, or if the new atlas has another resolution
    /// or the id of another atlas of the world. The world is left unchanged.
    pub fn replace(&mut self, old: AtlasId, atlas: Atlas) -> Result<ReloadReport, CallError> {
        self.scene.replace_atlas(old, atlas)
    }

    /// Draws poses before colliders show them, for example while a level loads or in the rest of a frame.
    /// Each of `colliders` stands for the pose that it would show; positions and rules do not matter.
    ///
    /// Draws in the order of `colliders`. Before each group of poses it calls `go_on` with the bytes drawn so far
    /// in this call, and stops if that returns false. A group has about 128 KiB of masks: 0.2 ms, or 2 ms for
    /// sprites with [coverage sampling](crate::Sampling::Coverage25). Returns the number of colliders at the front
    /// whose poses are drawn. When that is `colliders.len()`, nothing is left to do.
    ///
    /// Does nothing for run-time masks, and over a single drawn atlas. No answer depends on this call. A collider
    /// whose pose is drawn already costs 0.1 µs, so pass the rest of the list in the next frame.
    ///
    /// Poses that no collider shows are dropped when a [budget](Self::set_pose_budget) needs their memory,
    /// the longest unseen first. The poses that one call has drawn stay until that call ends.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
    /// # use std::time::{Duration, Instant};
    /// # let bake = AtlasBuilder::new().mask("bat", Mask::disc(20)?).compact(true);
    /// # let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let bat = Collider::new(atlas.sprite_id("bat").unwrap());
    /// let mut world = World::new(atlas);
    /// // The next wave: bats at any of 64 angles.
    /// let wave: Vec<Collider> = (0..64).map(|i| bat.turned(i as f32 * std::f32::consts::TAU / 64.0)).collect();
    /// let mut rest = &wave[..];
    /// while !rest.is_empty() {
    ///     // Once per frame:
    ///     let begin = Instant::now();
    ///     let drawn = world.atlases_mut().draw_ahead(rest, |_| begin.elapsed() < Duration::from_micros(500))?;
    ///     rest = &rest[drawn..];
    /// }
    /// assert_eq!(world.pose_stats().poses, 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CallError::Item`] with the index of the first invalid collider. Its cause is
    /// [`CallError::PoseBudget`] if the poses of `colliders` and those that the world shows exceed the budget. Poses
    /// of colliders before that index may stay drawn.
    pub fn draw_ahead(
        &mut self,
        colliders: &[Collider],
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<usize, CallError> {
        self.scene.draw_ahead(colliders, &mut go_on)
    }

    /// Limits the bytes of the masks that the world has drawn from an undrawn atlas, or from several
    /// atlases. `None`, the default, is no limit. Has no effect while the only atlas stores its poses,
    /// and is kept for a time when it does not.
    ///
    /// When a new pose does not fit, poses that no collider shows make room, those first that were
    /// not shown for the longest time. That takes one pass over the colliders. With a budget,
    /// [`set_placements`](World::set_placements) looks poses up twice, about 1 ns per collider more. If
    /// the budget is close to what colliders show, almost every new pose takes such a pass. Leave
    /// 1/4 of it unused.
    ///
    /// The limit is on the masks. Each drawn pose takes about 40 bytes more, and the world keeps up
    /// to 4 MiB of source masks prepared for drawing. Masks that are being drawn in one call of
    /// [`set_placements`](World::set_placements) are stored twice for a moment.
    ///
    /// # Growth
    /// The memory of the masks grows by 1/2 at a time, up to the budget. Linux and Windows commit its
    /// pages when they are written, and Linux moves it without a copy. Elsewhere, as in WebAssembly,
    /// each growth copies all masks, and old and new memory exist for a moment.
    /// So does closing of gaps on every system. The peak is 2.5 times the masks, or twice the budget
    /// if there is one. Memory of WebAssembly never shrinks, so set a budget there.
    ///
    /// # Errors
    /// Returns [`CallError::PoseBudget`] if the poses that colliders show take more. The budget
    /// stays as it was.
    pub fn set_pose_budget(&mut self, bytes: Option<u64>) -> Result<(), CallError> {
        self.scene.set_pose_budget(bytes)
    }
}
