//! Worlds: creation, colliders, settings, bulk placement and user data.
//!
//! Invariants: a call that fails leaves the world as it was. Lists are lent from the fields of
//! [`WorldState`], one for each kind of list, and are overwritten by the next call that lends the
//! same kind.

use crate::collider::{hm_collider, id};
use crate::handles::{
    answer_with, answer_with_mut, call_with_mut, destroy, handle, hm_atlas, hm_mask, hm_world,
    maybe_with_mut, store, with_mut,
};
use crate::lists::{
    hm_blocked, hm_body_pair, hm_colliders, hm_grazed, hm_hit, hm_line_hit, hm_moved,
    hm_plane_pair, hm_text, lend,
};
use crate::maps::LentMap;
use crate::mask::MaskState;
use crate::pointers::{answer_two, given, slice};
use crate::status::{Answer, c_string, call, hm_status};
use crate::types::{
    accuracy, accuracy_number, hm_accuracy, hm_collider_id, hm_placement, hm_placement_turn,
    hm_point, hm_rect,
};
use hitmask::{Angle, Atlas, CallError, Collider, ColliderId, Pair, Placement, ScalePolicy, World};
use std::ffi::CString;
use std::sync::Arc;

/// A sprite that differs, with the texts and numbers that are lent.
pub(crate) struct SpriteChange {
    pub(crate) name: CString,
    pub(crate) lost_planes: CString,
    pub(crate) resized: Vec<u32>,
    pub(crate) kind: u32,
    pub(crate) frames: [u32; 2],
}

/// A world with the lists that it lends.
pub(crate) struct WorldState {
    pub(crate) world: World,
    pub(crate) lent: LentLists,
    placements: Vec<Placement>,
    /// For each slot, the bits of the id and the user data of its collider: a callback cannot ask the world that
    /// a call changes.
    pub(crate) user_data: Vec<(u64, u64)>,
}

/// What calls about a world have lent, until the next call of their kind.
#[derive(Default)]
pub(crate) struct LentLists {
    pub(crate) colliders: Vec<ColliderId>,
    pub(crate) passed: Vec<ColliderId>,
    pub(crate) stuck_in: Vec<ColliderId>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) hits: Vec<hm_hit>,
    pub(crate) line_hits: Vec<hm_line_hit>,
    pub(crate) placements: Vec<hm_placement>,
    /// Ids of picks, with 0 for none.
    pub(crate) picked: Vec<hm_collider_id>,
    pub(crate) grazes: Vec<hm_grazed>,
    pub(crate) blocked: Vec<hm_blocked>,
    pub(crate) moved: Vec<hm_moved>,
    pub(crate) body_pairs: Vec<hm_body_pair>,
    pub(crate) plane_pairs: Vec<hm_plane_pair>,
    pub(crate) atlas_ids: Vec<u32>,
    pub(crate) changes: Vec<SpriteChange>,
    pub(crate) map: Option<Arc<LentMap>>,
    pub(crate) snapshot: Vec<u8>,
    text: CString,
}

impl LentLists {
    pub(crate) fn lend_text(&mut self, text: &str) -> hm_text {
        self.text = c_string(text);
        self.text.as_c_str().into()
    }
}

impl WorldState {
    /// Stores a world in the table of handles.
    pub(crate) fn store(world: World) -> Answer<*mut hm_world> {
        let user_data = user_data(&world);
        store(Self { world, lent: LentLists::default(), placements: Vec::new(), user_data })
    }

    fn find(&self, bits: hm_collider_id) -> Answer<(ColliderId, Collider)> {
        let id = id(bits)?;
        Ok((id, self.world.get(id).ok_or(CallError::Stale(id))?))
    }

    pub(crate) fn present(&self, bits: hm_collider_id) -> Answer<ColliderId> {
        self.find(bits).map(|(id, _)| id)
    }

    pub(crate) fn restore(&mut self, snapshot: &[u8]) -> Answer<()> {
        self.world.restore(snapshot)?;
        self.user_data = user_data(&self.world);
        Ok(())
    }

    /// Returns the world with its user data, for callbacks that change the world.
    pub(crate) fn split(&mut self) -> (&mut World, &[(u64, u64)]) {
        (&mut self.world, &self.user_data)
    }
}

handle! { hm_world of WorldState, World, ENDS_BY_PANIC }

/// Returns the user data of all colliders, as [`WorldState::user_data`].
fn user_data(world: &World) -> Vec<(u64, u64)> {
    let mut all = Vec::new();
    for (id, Collider { user_data, .. }) in world.iter().filter(|(_, it)| it.user_data != 0) {
        all.resize(id.index() as usize, (0, 0));
        all.push((id.to_bits(), user_data));
    }
    all
}

/// Returns the number that the caller stored for a collider, 0 for none.
pub(crate) fn user_data_of(user_data: &[(u64, u64)], id: ColliderId) -> u64 {
    let stored = user_data.get(id.index() as usize);
    stored.filter(|(bits, _)| *bits == id.to_bits()).map_or(0, |(_, data)| *data)
}

/// Creates a world without colliders, over the sprites of an atlas. The world keeps the atlas alive:
/// the handle of the atlas may be destroyed before the world.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_create(atlas: *const hm_atlas, world: *mut *mut hm_world) -> hm_status {
    answer_with(world, atlas, |state| WorldState::store(World::new(state.atlas.clone())))
}

/// Creates a copy of a world with the same ids, settings, pairs and user data. What happens in one
/// does not affect the other. As a state to return to; hm_world_assign() saves to it again.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_clone(world: *const hm_world, copy: *mut *mut hm_world) -> hm_status {
    answer_with_mut(copy, world, |state| WorldState::store(state.world.clone()))
}

/// Takes over the whole state of another world with the same atlases: ids, settings, pairs and user data. For
/// rollback: saves to a copy of hm_world_clone(), and loads from one, without allocating memory. Older lent
/// lists become invalid.
///
/// Errors: HM_UNKNOWN_ATLAS if an atlas differs. The world is left as it was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_assign(world: *mut hm_world, source: *const hm_world) -> hm_status {
    if world.cast_const() == source {
        return call_with_mut(world, |_| Ok(()));
    }
    call_with_mut(source, |from| {
        with_mut(world, |to| {
            let ids = |world: &World| world.atlases().map(Atlas::id).collect::<Vec<_>>();
            let (here, there) = (ids(&to.world), ids(&from.world));
            if here != there {
                let other = there.iter().find(|id| !here.contains(id)).unwrap_or(&here[0]);
                return Err(CallError::UnknownAtlas(*other).into());
            }
            to.world.clone_from(&from.world);
            to.user_data.clone_from(&from.user_data);
            Ok(())
        })
    })
}

/// Lends a text that says what differs first between two worlds, the value of `world` first: "collider 17:
/// position.x 3.0 / 3.5". A collider is named by its slot. HM_NONE if their snapshots are equal. The text is
/// lent until the next call that lends a text from this world.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_first_difference(
    world: *mut hm_world,
    other: *const hm_world,
    text: *mut hm_text,
) -> hm_status {
    maybe_with_mut(text, world, |state| {
        if world.cast_const() == other {
            return Ok(None);
        }
        with_mut(other, |other| {
            let difference = state.world.first_difference(&other.world);
            Ok(difference.map(|text| state.lent.lend_text(&text)))
        })
    })
}

/// Destroys a world. All that it has lent becomes invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_destroy(world: *mut hm_world) -> hm_status {
    call(|| destroy(world))
}

/// Inserts a collider and writes its id.
///
/// Errors: HM_UNINITIALISED, HM_BAD_VALUE, HM_UNKNOWN_SPRITE, HM_BAD_NUMBER, HM_UNBAKED_SCALE,
/// HM_STALE_ID for a mask that was removed, HM_MASK_USE, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_insert(
    world: *mut hm_world,
    collider: *const hm_collider,
    id: *mut hm_collider_id,
) -> hm_status {
    answer_with_mut(id, world, |state| {
        let collider = given(collider, "collider")?.read()?;
        Ok(state.world.insert(collider)?.to_bits())
    })
}

/// Replaces a collider by another, under the same id. Its user data stays.
///
/// Errors: those of hm_world_insert(), and HM_STALE_ID.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set(
    world: *mut hm_world,
    id: hm_collider_id,
    collider: *const hm_collider,
) -> hm_status {
    call_with_mut(world, |state| {
        let (id, collider) = (self::id(id)?, given(collider, "collider")?.read()?);
        let user_data = user_data_of(&state.user_data, id);
        Ok(state.world.set(id, Collider { user_data, ..collider })?)
    })
}

/// Writes the collider with this id.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_get(
    world: *const hm_world,
    id: hm_collider_id,
    collider: *mut hm_collider,
) -> hm_status {
    answer_with_mut(collider, world, |state| Ok(hm_collider::of(&state.find(id)?.1)))
}

/// Removes a collider. Its id stays stale.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_remove(world: *mut hm_world, id: hm_collider_id) -> hm_status {
    call_with_mut(world, |state| {
        let id = self::id(id)?;
        Ok(state.world.remove(id).ok_or(CallError::Stale(id))?)
    })
}

/// Removes many colliders, as those of a map, and writes how many there were. Skips 0 and stale ids.
///
/// Errors: HM_BAD_LENGTH, HM_NULL_POINTER.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_remove_all(
    world: *mut hm_world,
    ids: *const hm_collider_id,
    count: usize,
    removed: *mut usize,
) -> hm_status {
    answer_with_mut(removed, world, |state| {
        let ids = slice(ids.cast::<ColliderId>(), count, "ids")?;
        Ok(ids.iter().filter(|id| state.world.remove(**id).is_some()).count())
    })
}

/// Moves a collider to a position in pixels. Everything else stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_to(
    world: *mut hm_world,
    id: hm_collider_id,
    x: f32,
    y: f32,
) -> hm_status {
    call_with_mut(world, |state| Ok(state.world.move_to(self::id(id)?, [x, y])?))
}

/// Turns a collider to an angle in radians, clockwise on screen. Everything else stays as it is.
///
/// Errors: HM_BAD_NUMBER, HM_STALE_ID, HM_MASK_USE for a run-time mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_turn_to(
    world: *mut hm_world,
    id: hm_collider_id,
    angle: f32,
) -> hm_status {
    call_with_mut(world, |state| {
        let (id, collider) = state.find(id)?;
        Ok(state.world.set(id, collider.turned(angle))?)
    })
}

/// Places a collider at a position in pixels, an angle in radians and a scale at once. Everything else
/// stays as it is.
///
/// Errors: as hm_world_set().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_place(
    world: *mut hm_world,
    id: hm_collider_id,
    x: f32,
    y: f32,
    angle: f32,
    scale: f32,
) -> hm_status {
    call_with_mut(world, |state| Ok(state.world.place(self::id(id)?, [x, y], angle, scale)?))
}

/// Places many colliders: `placements[i]` is that of `ids[i]`. All are placed, or none. The fastest
/// way to move many: it takes less than 1/5 of the time of hm_world_set() for each. Ids in
/// ascending order of slots are fastest. If an id is listed twice, its last placement counts.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER, HM_MASK_USE for a run-time mask with an angle. The message
/// names the first bad item. Nothing was placed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set_placements(
    world: *mut hm_world,
    ids: *const hm_collider_id,
    placements: *const hm_placement,
    count: usize,
) -> hm_status {
    call_with_mut(world, |state| {
        let ids = slice(ids.cast::<ColliderId>(), count, "ids")?;
        let placements = slice(placements.cast::<Placement>(), count, "placements")?;
        // In Rust the bits of some NaNs are turns. Without a branch, the loop is vectorised.
        let is_turn = |place: &Placement| place.angle.as_turn().is_some();
        let has_turn = placements.iter().fold(false, |any, place| any | is_turn(place));
        if !has_turn {
            return Ok(state.world.set_placements(ids, placements)?);
        }
        // Refused, but for the first fault of the list.
        let refused = placements.iter().map(|place| match is_turn(place) {
            true => Placement { angle: Angle::radians(f32::NAN), ..*place },
            false => *place,
        });
        Ok(state.world.set_placements(ids, &refused.collect::<Vec<_>>())?)
    })
}

/// Does the same as hm_world_set_placements(), with angles in 65,536ths of a turn.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set_placements_turn(
    world: *mut hm_world,
    ids: *const hm_collider_id,
    placements: *const hm_placement_turn,
    count: usize,
) -> hm_status {
    call_with_mut(world, |state| {
        let ids = slice(ids.cast::<ColliderId>(), count, "ids")?;
        let turns = slice(placements, count, "placements")?.iter();
        let placed = |turn: &hm_placement_turn| Placement {
            position: [turn.x, turn.y],
            angle: Angle::turn(turn.turn),
        };
        state.placements.clear();
        state.placements.extend(turns.map(placed));
        Ok(state.world.set_placements(ids, &state.placements)?)
    })
}

/// Writes the number of colliders.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_count(world: *const hm_world, count: *mut usize) -> hm_status {
    answer_with_mut(count, world, |state| Ok(state.world.len()))
}

/// Lends the ids of all colliders, in order of slots, until the next call that lends ids.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_ids(world: *mut hm_world, ids: *mut hm_colliders) -> hm_status {
    answer_with_mut(ids, world, |state| {
        lend(&mut state.lent.colliders, state.world.iter().map(|(id, _)| id))
    })
}

/// Writes the tight box of a collider's pixels, in mask pixels. HM_NONE if it has no pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_rect(
    world: *const hm_world,
    id: hm_collider_id,
    rect: *mut hm_rect,
) -> hm_status {
    maybe_with_mut(rect, world, |state| Ok(state.world.rect(state.present(id)?).map(hm_rect::from)))
}

/// Creates a mask of the pixels of a collider, as it is placed, for drawing and for questions
/// without the world. Writes to `origin` where the top left pixel of the mask is in the world, in
/// mask pixels; `origin` may be null. Destroy the mask with hm_mask_destroy().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_posed_mask(
    world: *const hm_world,
    id: hm_collider_id,
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    answer_two(mask, origin, || {
        with_mut(world, |state| {
            let id = self::id(id)?;
            let posed = state.world.posed(id).ok_or(CallError::Stale(id))?;
            Ok((MaskState::store(posed.mask.to_mask())?, posed.origin.into()))
        })
    })
}

/// Sets the finest accuracy of pair tests from the next update on. Colliders with a coarser one
/// keep theirs. The default is HM_ACCURACY_EXACT.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set_accuracy(world: *mut hm_world, accuracy: hm_accuracy) -> hm_status {
    call_with_mut(world, |state| {
        state.world.set_accuracy(self::accuracy(accuracy)?);
        Ok(())
    })
}

/// Writes the finest accuracy of pair tests.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_accuracy(
    world: *const hm_world,
    accuracy: *mut hm_accuracy,
) -> hm_status {
    answer_with_mut(accuracy, world, |state| Ok(accuracy_number(state.world.accuracy())))
}

/// Sets which scales colliders may have, from the next call that sets a scale on: those within this
/// factor of a baked one. 1 allows baked scales only; infinity allows all. The default is 1.5.
///
/// Errors: HM_BAD_NUMBER for a factor below 1 or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set_scale_policy(world: *mut hm_world, factor: f32) -> hm_status {
    call_with_mut(world, |state| {
        let policy = match factor {
            1.0 => ScalePolicy::Exact,
            f32::INFINITY => ScalePolicy::Nearest,
            _ => ScalePolicy::Within(factor),
        };
        Ok(state.world.set_scale_policy(policy)?)
    })
}

/// Writes the factor of hm_world_set_scale_policy().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_scale_policy(world: *const hm_world, factor: *mut f32) -> hm_status {
    answer_with_mut(factor, world, |state| {
        Ok(match state.world.scale_policy() {
            ScalePolicy::Exact => 1.0,
            ScalePolicy::Within(factor) => factor,
            ScalePolicy::Nearest => f32::INFINITY,
        })
    })
}

/// Stores a number with a collider, such as an index or a pointer of the caller. It stays until the
/// collider is removed. The library uses it in hm_world_pick() and gives it to callbacks. It is part of
/// snapshots and of the hash of the state.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_set_user_data(
    world: *mut hm_world,
    id: hm_collider_id,
    data: u64,
) -> hm_status {
    call_with_mut(world, |state| {
        let (id, collider) = state.find(id)?;
        let slot = id.index() as usize;
        state.world.set(id, Collider { user_data: data, ..collider })?;
        if state.user_data.len() <= slot {
            if data == 0 {
                return Ok(());
            }
            state.user_data.resize(slot + 1, (0, 0));
        }
        state.user_data[slot] = (id.to_bits(), data);
        Ok(())
    })
}

/// Writes the number that was stored with a collider, 0 if none was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_user_data(
    world: *const hm_world,
    id: hm_collider_id,
    data: *mut u64,
) -> hm_status {
    answer_with_mut(data, world, |state| Ok(user_data_of(&state.user_data, state.present(id)?)))
}
