//! The differences between two versions of an atlas, as `World::replace_atlas` reports them.

use crate::atlas::{Atlas, AtlasId, Sprite};
use crate::world::ColliderId;

/// The result of [`World::replace_atlas`](crate::World::replace_atlas): what differs between the
/// two versions, and the colliders that keep the earlier one.
///
/// ```
/// use hitmask::{Atlas, Bake, Mask, World};
/// let ship = |width| Bake::new().mask("ship", Mask::solid(width, 4).unwrap()).to_bytes();
/// let [small, wide] = [Atlas::from_vec(ship(4)?)?, Atlas::from_vec(ship(6)?)?];
/// let mut world = World::new(small.clone());
/// let report = world.replace_atlas(small.id(), wide)?;
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
    /// Frames of both versions whose images have another size, counted from 0.
    pub resized: Vec<u32>,
    /// Names of the planes that the new version lacks.
    pub lost_planes: Vec<String>,
}

impl ReloadReport {
    /// Returns the differences of two atlases, without colliders.
    pub(super) fn of(old: &Atlas, new: &Atlas) -> Self {
        let in_other = |other: &Atlas, sprite: &Sprite<'_>| other.sprite_id(sprite.name());
        let only_in = |one: &Atlas, other: &Atlas| -> Vec<String> {
            let missing = one.sprites().filter(|sprite| in_other(other, sprite).is_none());
            missing.map(|sprite| sprite.name().to_owned()).collect()
        };
        let changed = old.sprites().filter_map(|before| {
            let after = new.sprite(in_other(new, &before)?)?;
            SpriteChange::of(before, after)
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
    /// Returns the change of a sprite; `None` if there is none.
    fn of(before: Sprite<'_>, after: Sprite<'_>) -> Option<Self> {
        let frames = [before.frame_count(), after.frame_count()];
        let is_resized = |&frame: &u32| before.frame_size(frame) != after.frame_size(frame);
        let resized: Vec<u32> = (0..frames[0].min(frames[1])).filter(is_resized).collect();
        let lost = before.planes().filter(|plane| after.plane(plane).is_none());
        let lost_planes: Vec<String> = lost.map(str::to_owned).collect();
        let is_same = frames[0] == frames[1] && resized.is_empty() && lost_planes.is_empty();
        let sprite = before.name().to_owned();
        (!is_same).then_some(Self { sprite, frames, resized, lost_planes })
    }
}
