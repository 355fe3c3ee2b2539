//! Adds, drops and replaces atlases of a scene.
//!
//! Each call makes a list of atlases, then places every collider in a new scene over that list. Only
//! if all are placed does the scene take its atlases, appearances and placed masks. An atlas that is
//! added behind undrawn ones changes no number of a sprite or a pose, so no collider is placed.

use crate::atlas::{Atlas, Sprite};
use crate::error::CallError;
use crate::ids::ColliderId;
use crate::ids::{AtlasId, SpriteId};
use crate::pose::ScalePolicy;
use crate::scene::stock::{AtlasList, EarlierVersion, Member, ShownPoses, Stock};
use crate::scene::{Collider, ColliderShape, Scene};
use std::collections::{HashMap, HashSet};

impl Scene {
    /// Adds an atlas and returns its id.
    pub(crate) fn add_atlas(&mut self, atlas: Atlas) -> Result<AtlasId, CallError> {
        let id = atlas.id();
        self.check_new(&atlas, None)?;
        let mut members = self.stock.atlases.members.to_vec();
        let place = members.iter().take_while(|member| member.newest.is_none()).count();
        let is_last = place == members.len();
        members.insert(place, Member::new(atlas, None));
        let (list, combined) = AtlasList::of(members, self.stock.atlases.versions.to_vec())?;
        if is_last && self.stock.poses.are_drawn_on_demand() {
            // The numbers of all sprites, frames, scales and poses stay.
            (self.stock.atlases, self.stock.atlas) = (list, combined);
        } else {
            self.take_atlases(list, combined, |_, collider| collider)?;
        }
        Ok(id)
    }

    /// Drops an atlas with its versions. Returns the removed colliders.
    pub(crate) fn drop_atlas(
        &mut self,
        atlas: AtlasId,
        in_use: InUse,
    ) -> Result<Vec<ColliderId>, CallError> {
        let atlas = self.stock.atlases.newest(atlas)?;
        let showing = self.showing(atlas);
        let colliders = showing.len();
        if in_use == InUse::Refuse && colliders > 0 {
            return Err(CallError::AtlasInUse { atlas, colliders });
        }
        // Before anything is removed, because it may fail.
        let (list, combined) = self.without(atlas)?;
        for &id in &showing {
            self.remove(id);
        }
        self.take_atlases(list, combined, |_, collider| collider)?;
        Ok(showing)
    }

    /// Replaces an atlas by another version. Names match sprites and planes, pictures match frames of maps.
    pub(crate) fn replace_atlas(
        &mut self,
        old: AtlasId,
        atlas: Atlas,
    ) -> Result<ReloadReport, CallError> {
        let old = self.stock.atlases.newest(old)?;
        self.check_new(&atlas, Some(old))?;
        let mut members = self.stock.atlases.members.to_vec();
        let Some(place) = members.iter().position(|member| member.atlas.id() == old) else {
            return Err(CallError::UnknownAtlas(old));
        };
        let earlier = std::mem::replace(&mut members[place], Member::new(atlas.clone(), None));
        let versions = self.versions_after(&earlier.atlas, &atlas);
        let mut report = ReloadReport::of(&earlier.atlas, &atlas, &versions);
        // The replaced atlas, and its earlier versions.
        let sources = self.stock.atlases.members.iter().filter(|member| member.is_version_of(old));
        let sources: HashSet<AtlasId> = sources.map(|member| member.atlas.id()).collect();
        // Earlier versions stay as long as a collider shows them.
        let (mut taken_over, mut kept) = (HashMap::new(), HashSet::new());
        for (id, collider) in self.placed.iter() {
            let Some(sprite) = collider.shape.sprite() else { continue };
            let Some(source) = sprite.atlas().filter(|source| sources.contains(source)) else {
                continue;
            };
            let appearance = self.placed.slots.appearances[id.slot()];
            let taken = taken_over.entry(appearance).or_insert_with(|| {
                let mut known = versions.iter().filter(|version| version.has(source));
                match source == atlas.id() {
                    true => Some(collider),
                    false => known.next().and_then(|version| version.taken_over(collider, sprite)),
                }
            });
            if taken.is_none() {
                kept.insert(source);
                report.outdated.push(id);
            }
        }
        let stays = |member: &Member| kept.contains(&member.atlas.id());
        members.retain(|member| {
            member.newest.is_none() || !member.is_version_of(old) || stays(member)
        });
        for member in members.iter_mut().filter(|member| member.newest == Some(old)) {
            member.newest = Some(atlas.id());
        }
        if stays(&earlier) {
            // Later versions come first. Those of other atlases keep their places.
            let first = members.iter().position(|member| member.newest == Some(atlas.id()));
            let replaced = Member::new(earlier.atlas, Some(atlas.id()));
            members.insert(first.unwrap_or(members.len()), replaced);
        }
        let (list, combined) = AtlasList::of(members, versions)?;
        self.take_atlases(list, combined, |appearance, collider| {
            taken_over.get(&appearance).copied().flatten().unwrap_or(collider)
        })?;
        Ok(report)
    }

    /// Returns the sprite that an id names, by name in the newest version, or else in an earlier
    /// one that is shown.
    pub(crate) fn sprite(&self, id: SpriteId) -> Option<Sprite<'_>> {
        match self.stock.atlases.own(Collider::new(id)) {
            Ok(Collider { shape: ColliderShape::Sprite(sprite), .. }) => {
                self.stock.atlases.sprite(sprite)
            }
            Err(CallError::Vanished { .. }) => self.stock.atlases.sprite(id),
            _ => None,
        }
    }

    /// Returns an error for an atlas that cannot be added, or cannot replace `old`.
    fn check_new(&self, atlas: &Atlas, old: Option<AtlasId>) -> Result<(), CallError> {
        let (id, resolution) = (atlas.id(), atlas.resolution());
        let world = self.stock.atlases.first().resolution();
        if resolution != world {
            return Err(CallError::OtherResolution { atlas: resolution, world });
        }
        match self.stock.atlases.newest(id) {
            Ok(present) if Some(present) != old => Err(CallError::SameAtlas(id)),
            _ => Ok(()),
        }
    }

    /// Returns the colliders that show an atlas or an earlier version of it, in order of slots.
    fn showing(&self, atlas: AtlasId) -> Vec<ColliderId> {
        let members = self.stock.atlases.members.iter();
        let versions: HashSet<AtlasId> = members
            .filter(|member| member.is_version_of(atlas))
            .map(|member| member.atlas.id())
            .collect();
        let shows = |collider: &Collider| {
            let sprite = collider.shape.sprite().and_then(SpriteId::atlas);
            sprite.is_some_and(|atlas| versions.contains(&atlas))
        };
        self.placed.iter().filter(|(_, collider)| shows(collider)).map(|(id, _)| id).collect()
    }

    /// Returns the list without an atlas and its earlier versions, and its combined atlas.
    fn without(&self, atlas: AtlasId) -> Result<(AtlasList, Atlas), CallError> {
        let mut members = self.stock.atlases.members.to_vec();
        members.retain(|member| !member.is_version_of(atlas));
        if members.is_empty() {
            return Err(CallError::OnlyAtlas(atlas));
        }
        let mut versions = self.stock.atlases.versions.to_vec();
        versions.retain(|version| version.newest != atlas);
        AtlasList::of(members, versions)
    }

    /// Counts the colliders that show each earlier version of an atlas, after all were placed.
    pub(crate) fn count_earlier_versions(&mut self) {
        let Self { stock, placed, .. } = self;
        let shown = placed.slots.occupied().map(|slot| placed.appearance(slot as usize).shape);
        stock.atlases.count_earlier(shown.filter_map(ColliderShape::sprite));
    }

    fn versions_after(&self, old: &Atlas, new: &Atlas) -> Vec<EarlierVersion> {
        let mut versions = self.stock.atlases.versions.to_vec();
        // The version may be back.
        EarlierVersion::forget(&mut versions, new.id());
        for version in versions.iter_mut().filter(|version| version.newest == old.id()) {
            version.follow(new);
        }
        if old.id() != new.id() {
            EarlierVersion::add(&mut versions, old, new);
        }
        versions
    }

    /// Places every collider, as `shown` changes it, over other atlases. Then takes the atlases.
    fn take_atlases(
        &mut self,
        atlases: AtlasList,
        combined: Atlas,
        shown: impl Fn(u32, Collider) -> Collider,
    ) -> Result<(), CallError> {
        let mut poses = ShownPoses::new(&combined);
        poses.set_filling(self.stock.poses.budget);
        let mut next = Scene::over(Stock::new(atlases, combined, poses));
        next.stock.masks = self.stock.masks.clone();
        let mut slots = self.placed.slots.clone();
        // Colliders of one appearance before share one after, so each is looked up once.
        let mut shapes = HashMap::new();
        let mut from = None;
        for (id, collider) in self.placed.iter() {
            let appearance = self.placed.slots.appearances[id.slot()];
            let Collider { shape, frame, plane, .. } =
                *shapes.entry(appearance).or_insert_with(|| shown(appearance, collider));
            let collider = Collider { shape, frame, plane, ..collider };
            // A scale that was accepted once stays so.
            let (appearance, placed) = next
                .resolve(&collider, from, ScalePolicy::Nearest, None)
                .map_err(|cause| match cause {
                    CallError::PoseBudget { .. } => cause,
                    _ => cause.of_collider(id),
                })?;
            from = Some(appearance);
            slots.appearances[id.slot()] = appearance;
            slots.put_placed(id.slot(), collider.fixed, placed);
        }
        next.placed.slots = slots;
        next.stock.poses.set_filling(None);
        next.set_pose_budget(self.stock.poses.budget)?;
        (self.stock, self.placed) = (next.stock, next.placed);
        self.count_earlier_versions();
        self.changes.record_all();
        Ok(())
    }
}

/// What [`AtlasesMut::drop`](crate::AtlasesMut::drop) does if colliders show the atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InUse {
    /// Refuses to drop it.
    Refuse,
    /// Removes these colliders.
    Remove,
}

/// The result of [`AtlasesMut::replace`](crate::AtlasesMut::replace): what differs between the
/// two versions, and the colliders that keep the earlier one.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Mask, World};
/// let ship = |width| AtlasBuilder::new().mask("ship", Mask::solid(width, 4).unwrap()).to_bytes();
/// let [small, wide] = [Atlas::from_vec(ship(4)?)?, Atlas::from_vec(ship(6)?)?];
/// let mut world = World::new(small.clone());
/// let report = world.atlases_mut().replace(small.id(), wide)?;
/// assert_eq!(report.changed[0].sprite, "ship");
/// assert_eq!(report.changed[0].resized, [0]);
/// assert!(report.vanished.is_empty() && report.outdated.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReloadReport {
    /// Id of the new atlas.
    pub atlas: AtlasId,
    /// Names of sprites that only the new atlas has, in order.
    pub added: Vec<String>,
    /// Names of sprites that only the earlier atlas has, in order.
    pub vanished: Vec<String>,
    /// Sprites of both, whose images differ in size or number, or that lost a plane, in order of
    /// their names.
    pub changed: Vec<SpriteChange>,
    /// Colliders that keep the pixels of the earlier version, in order of slots: the new one has no
    /// sprite, plane or frame for them.
    pub outdated: Vec<ColliderId>,
}

/// A sprite whose images changed in size or number between two versions of an atlas.
/// [`ReloadReport`] has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpriteChange {
    /// Name of the sprite.
    pub sprite: String,
    /// Number of frames of the earlier version and of the new one.
    pub frames: [u32; 2],
    /// Frames of both versions whose images have another size, counted from 0. Their numbers are those of
    /// the earlier version.
    pub resized: Vec<u32>,
    /// Names of the planes that the new version lacks.
    pub lost_planes: Vec<String>,
}

impl ReloadReport {
    fn of(old: &Atlas, new: &Atlas, versions: &[EarlierVersion]) -> Self {
        let in_other = |other: &Atlas, sprite: &Sprite<'_>| other.sprite_id(sprite.name());
        let only_in = |one: &Atlas, other: &Atlas| -> Vec<String> {
            let missing = one.sprites().filter(|sprite| in_other(other, sprite).is_none());
            missing.map(|sprite| sprite.name().to_owned()).collect()
        };
        let changed = old.sprites().filter_map(|before| {
            let after = new.sprite(in_other(new, &before)?)?;
            let version = versions.iter().find(|version| version.has(old.id()));
            let frame = |frame| version.map_or(Some(frame), |it| it.frame(before.id(), frame));
            SpriteChange::of(before, after, frame)
        });
        Self {
            atlas: new.id(),
            added: only_in(new, old),
            vanished: only_in(old, new),
            changed: changed.collect(),
            outdated: Vec::new(),
        }
    }
}

impl SpriteChange {
    /// `frame` returns the number of a frame after the change, if it is still there.
    fn of(
        before: Sprite<'_>,
        after: Sprite<'_>,
        frame: impl Fn(u32) -> Option<u32>,
    ) -> Option<Self> {
        let frames = [before.frame_count(), after.frame_count()];
        let is_resized = |&old: &u32| {
            let new = frame(old).filter(|&new| new < frames[1]);
            new.is_some_and(|new| before.frame_size(old) != after.frame_size(new))
        };
        let resized: Vec<u32> = (0..frames[0]).filter(is_resized).collect();
        let lost = before.planes().filter(|plane| after.plane(plane).is_none());
        let lost_planes: Vec<String> = lost.map(str::to_owned).collect();
        let is_same = frames[0] == frames[1] && resized.is_empty() && lost_planes.is_empty();
        let sprite = before.name().to_owned();
        (!is_same).then_some(Self { sprite, frames, resized, lost_planes })
    }
}
