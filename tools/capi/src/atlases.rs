//! Several atlases in one world: adding, dropping and replacing them, and their snapshots.

use crate::atlas::AtlasState;
use crate::collider::sprite_id;
use crate::handles::{
    answer_with, answer_with_mut, call_with_mut, hm_atlas, hm_world, maybe_with_mut, with, with_mut,
};
use crate::lists::{hm_atlas_ids, hm_colliders, hm_numbers, keep, lend};
use crate::pointers::{answer, maybe_two, slice};
use crate::status::{Answer, Failure, c_string, hm_status};
use crate::types::{hm_atlas_id, hm_sprite_id};
use crate::world::{SpriteChange, WorldState};
use hitmask::{Atlas, AtlasId, InUse, ReloadReport, World};
use std::ffi::{CString, c_char};

/// What happened to a sprite when an atlas was replaced.
pub type hm_sprite_change_kind = u32;

/// Only the new atlas has the sprite.
pub const HM_SPRITE_ADDED: hm_sprite_change_kind = 0;
/// Only the earlier atlas has the sprite.
pub const HM_SPRITE_VANISHED: hm_sprite_change_kind = 1;
/// The images of the sprite differ in number or size, or it lost a plane.
pub const HM_SPRITE_CHANGED: hm_sprite_change_kind = 2;

/// The result of hm_world_replace_atlas().
#[repr(C)]
#[derive(Default)]
pub struct hm_reload_report {
    /// The colliders that keep the pixels of the earlier version, because the new one has no sprite,
    /// plane or frame for them, in order of slots. Lent until the next call that lends ids.
    pub outdated: hm_colliders,
    /// The id of the new atlas.
    pub atlas: hm_atlas_id,
    /// The number of sprites that differ: see hm_world_sprite_change().
    pub changes: u32,
}

/// A sprite that differs between two versions of an atlas. The lists are lent until the next call of
/// hm_world_replace_atlas() with the same world.
#[repr(C)]
#[derive(Default)]
pub struct hm_sprite_change {
    /// The name of the sprite, UTF-8 with a NUL at its end.
    pub sprite: *const c_char,
    /// The names of the planes that the new version lacks, with a line feed after each.
    pub lost_planes: *const c_char,
    /// The frames of both versions whose images have another size, counted from 0.
    pub resized: hm_numbers,
    /// HM_SPRITE_ADDED, HM_SPRITE_VANISHED or HM_SPRITE_CHANGED.
    pub kind: hm_sprite_change_kind,
    /// The number of frames before, of a changed sprite; else 0.
    pub frames_before: u32,
    /// The number of frames now, of a changed sprite; else 0.
    pub frames: u32,
    /// 0.
    pub reserved: u32,
}

impl SpriteChange {
    /// Returns the changes of a report: added, vanished and changed sprites, each in order of names.
    fn list(report: &ReloadReport) -> Vec<Self> {
        let alone = |name: &String, kind| Self {
            name: c_string(name),
            lost_planes: CString::default(),
            resized: Vec::new(),
            kind,
            frames: [0; 2],
        };
        let added = report.added.iter().map(|name| alone(name, HM_SPRITE_ADDED));
        let vanished = report.vanished.iter().map(|name| alone(name, HM_SPRITE_VANISHED));
        let changed = report.changed.iter().map(|change| {
            let lost: String =
                change.lost_planes.iter().map(|plane| format!("{plane}\n")).collect();
            Self {
                name: c_string(&change.sprite),
                lost_planes: c_string(&lost),
                resized: change.resized.clone(),
                kind: HM_SPRITE_CHANGED,
                frames: change.frames,
            }
        });
        added.chain(vanished).chain(changed).collect()
    }
}

/// Returns the id with these bits.
fn atlas_id(bits: hm_atlas_id) -> Answer<AtlasId> {
    if bits == 0 {
        let message = "0 is no id of an atlas; pass one that hm_atlas_get_id wrote";
        return Err(Failure::new(hm_status::HM_UNKNOWN_ATLAS, message));
    }
    Ok(AtlasId::new(bits))
}

/// Returns a copy of the atlas of a handle. Its bytes are shared.
fn shared(atlas: *const hm_atlas) -> Answer<Atlas> {
    with(atlas, |state| Ok(state.atlas.clone()))
}

/// Writes the id of an atlas.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_get_id(atlas: *const hm_atlas, id: *mut hm_atlas_id) -> hm_status {
    answer_with(id, atlas, |state| Ok(state.atlas.id().bits()))
}

/// Creates a handle of the same atlas under another id, which depends on its own id and on `label`.
/// So a world can hold an atlas several times. Sprite ids of the atlas before are refused by the new
/// one. The bytes are shared.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_labelled(
    atlas: *const hm_atlas,
    label: u32,
    labelled: *mut *mut hm_atlas,
) -> hm_status {
    answer(labelled, || AtlasState::store(shared(atlas)?.labelled(label)))
}

/// Writes whether all poses of an atlas are stored. Those of a compact atlas are drawn when they are
/// shown, unless it is opened with hm_atlas_drawn().
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_is_drawn(atlas: *const hm_atlas, is_drawn: *mut bool) -> hm_status {
    answer_with(is_drawn, atlas, |state| Ok(state.atlas.is_drawn()))
}

/// Creates a handle of the same atlas with all poses, on all cores. It has the same id. A drawn atlas
/// is shared at once.
///
/// Errors: HM_OVER_LIMIT, HM_DAMAGED, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_drawn(atlas: *const hm_atlas, drawn: *mut *mut hm_atlas) -> hm_status {
    answer(drawn, || AtlasState::store(shared(atlas)?.drawn()?))
}

/// Adds an atlas to a world and writes its id, so that colliders may show its sprites beside those of
/// the others. All atlases of a world have one resolution and different ids. Places every collider
/// again. The handle of the atlas may be destroyed afterwards.
///
/// Errors: HM_ATLAS_USE for another resolution or an id that the world has, HM_OVER_LIMIT.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_add_atlas(
    world: *mut hm_world,
    atlas: *const hm_atlas,
    id: *mut hm_atlas_id,
) -> hm_status {
    answer_with_mut(id, world, |state| {
        let atlas = shared(atlas)?;
        Ok(state.world.atlases_mut().add(atlas)?.bits())
    })
}

/// Drops an atlas that no collider shows, with its earlier versions. Its sprite ids are refused from
/// then on.
///
/// Errors: HM_ATLAS_USE if colliders show it or if it is the only one, HM_UNKNOWN_ATLAS.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_drop_atlas(world: *mut hm_world, atlas: hm_atlas_id) -> hm_status {
    call_with_mut(world, |state| {
        Ok(state.world.atlases_mut().drop(atlas_id(atlas)?, InUse::Refuse)?)
    })
}

/// Drops an atlas with its earlier versions, removes the colliders that show it, and lends their ids,
/// which are stale from then on, until the next call that lends ids. Their pairs end with the next
/// update.
///
/// Errors: HM_ATLAS_USE if it is the only one, HM_UNKNOWN_ATLAS.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_drop_atlas_and_colliders(
    world: *mut hm_world,
    atlas: hm_atlas_id,
    removed: *mut hm_colliders,
) -> hm_status {
    answer_with_mut(removed, world, |state| {
        let removed = state.world.atlases_mut().drop(atlas_id(atlas)?, InUse::Remove)?;
        keep(&mut state.lent.colliders, removed)
    })
}

/// Replaces the atlas with the id `old` by another version of it, as after a new bake. Sprites,
/// planes and ids are matched by name: each collider keeps its id and place, and sprite ids of the
/// earlier version keep working. A collider whose sprite, plane or frame is missing in the new version
/// keeps its earlier pixels, and the report lists it. The next update tests all pairs.
///
/// Errors: HM_UNKNOWN_ATLAS, HM_ATLAS_USE for another resolution or the id of another atlas of the
/// world, HM_OVER_LIMIT.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_replace_atlas(
    world: *mut hm_world,
    old: hm_atlas_id,
    atlas: *const hm_atlas,
    report: *mut hm_reload_report,
) -> hm_status {
    answer_with_mut(report, world, |state| {
        let (old, atlas) = (atlas_id(old)?, shared(atlas)?);
        let report = state.world.atlases_mut().replace(old, atlas)?;
        state.lent.changes = SpriteChange::list(&report);
        state.lent.colliders = report.outdated;
        Ok(hm_reload_report {
            outdated: state.lent.colliders.as_slice().into(),
            atlas: report.atlas.bits(),
            changes: state.lent.changes.len() as u32,
        })
    })
}

/// Writes a sprite that differs, by its index in the last report of hm_world_replace_atlas(): first
/// the added ones, then the vanished, then the changed. HM_NONE beyond the last.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_sprite_change(
    world: *const hm_world,
    index: u32,
    change: *mut hm_sprite_change,
) -> hm_status {
    maybe_with_mut(change, world, |state| {
        Ok(state.lent.changes.get(index as usize).map(|change| hm_sprite_change {
            sprite: change.name.as_ptr(),
            lost_planes: change.lost_planes.as_ptr(),
            resized: change.resized.as_slice().into(),
            kind: change.kind,
            frames_before: change.frames[0],
            frames: change.frames[1],
            reserved: 0,
        }))
    })
}

/// Lends the ids of the atlases of a world, in the order of adding, until the next call of this
/// function with the same world. Earlier versions that colliders still show follow.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_atlases(world: *mut hm_world, ids: *mut hm_atlas_ids) -> hm_status {
    answer_with_mut(ids, world, |state| {
        lend(&mut state.lent.atlas_ids, state.world.atlases().map(|atlas| atlas.id().bits()))
    })
}

/// Creates a handle of an atlas of a world. Destroy it with hm_atlas_destroy(). The bytes are shared.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_atlas(
    world: *const hm_world,
    id: hm_atlas_id,
    atlas: *mut *mut hm_atlas,
) -> hm_status {
    answer_with_mut(atlas, world, |state| {
        let id = atlas_id(id)?;
        let found = state.world.atlases().find(|atlas| atlas.id() == id).cloned();
        AtlasState::store(found.ok_or(hitmask::CallError::UnknownAtlas(id))?)
    })
}

/// Writes the atlas of a world that has a sprite, and the id of the sprite there. An id of an earlier
/// version names the sprite of the same name in the newest one. HM_NONE if no atlas has it. `newest`
/// may be null.
///
/// Errors: HM_UNKNOWN_SPRITE if `sprite` is no id.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_atlas_of_sprite(
    world: *const hm_world,
    sprite: hm_sprite_id,
    atlas: *mut hm_atlas_id,
    newest: *mut hm_sprite_id,
) -> hm_status {
    maybe_two(atlas, newest, || {
        let sprite = sprite_id(sprite)?;
        with_mut(world, |state| {
            let found = state.world.sprite(sprite).map(|sprite| sprite.id());
            Ok(found.and_then(|id| Some((id.atlas()?.bits(), id.to_bits()))))
        })
    })
}

/// Creates a world from a snapshot over several atlases: those of hm_world_atlases() when the
/// snapshot was taken, in that order. For one atlas, hm_world_from_snapshot() does the same.
///
/// Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED, HM_FULL; those of handles, for each atlas.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_from_snapshot_over(
    atlases: *const *const hm_atlas,
    atlas_count: usize,
    bytes: *const u8,
    count: usize,
    world: *mut *mut hm_world,
) -> hm_status {
    answer(world, || {
        let atlases = slice(atlases, atlas_count, "atlases")?;
        let atlases = atlases.iter().map(|&atlas| shared(atlas)).collect::<Answer<Vec<_>>>()?;
        let bytes = slice(bytes, count, "bytes")?;
        WorldState::store(World::from_snapshot(atlases, bytes)?)
    })
}

/// The figures of hm_world_pose_stats().
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_pose_stats {
    /// The number of poses that are drawn at present, shown or not.
    pub poses: u64,
    /// The bytes of their masks, with unused gaps between them.
    pub bytes: u64,
    /// The number of poses drawn since the last update.
    pub draws: u64,
}

/// For hm_world_set_pose_budget(): no limit.
pub const HM_NO_POSE_BUDGET: u64 = u64::MAX;

/// Limits the bytes of the masks that a world has drawn from compact atlases, or of several atlases.
/// HM_NO_POSE_BUDGET, the default, is no limit. When a new pose does not fit, poses that no collider
/// shows make room, which takes a pass over all colliders. Give at least 4/3 of what colliders show:
/// close to the limit almost every new pose takes such a pass.
///
/// Errors: HM_OVER_LIMIT if the poses that colliders show take more.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set_pose_budget(world: *mut hm_world, bytes: u64) -> hm_status {
    let budget = (bytes != HM_NO_POSE_BUDGET).then_some(bytes);
    call_with_mut(world, |state| Ok(state.world.atlases_mut().set_pose_budget(budget)?))
}

/// Writes the budget of hm_world_set_pose_budget().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_pose_budget(world: *const hm_world, bytes: *mut u64) -> hm_status {
    answer_with_mut(bytes, world, |state| {
        Ok(state.world.pose_stats().budget.unwrap_or(HM_NO_POSE_BUDGET))
    })
}

/// Writes figures about the poses that a world has drawn. All are 0 over a single drawn atlas.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_pose_stats(
    world: *const hm_world,
    stats: *mut hm_pose_stats,
) -> hm_status {
    answer_with_mut(stats, world, |state| {
        let stats = state.world.pose_stats();
        let poses = stats.poses as u64;
        Ok(hm_pose_stats { poses, bytes: stats.bytes, draws: stats.draws })
    })
}
