//! Casts and moves of colliders.
//!
//! Obstacles are all colliders with compatible layers that are no sensors. A callback can leave out
//! some of them.

use crate::collider::{hm_filter, id};
use crate::handles::{answer_with_mut, hm_mask, hm_world, maybe_with_mut, with};
use crate::lists::{hm_blocked, hm_blocked_list, hm_colliders, hm_hit, hm_hits, hm_moved, lend};
use crate::pointers::{any_bits, maybe_given, slice};
use crate::query::{answer_filtered, maybe_filtered};
use crate::status::{Answer, hm_status};
use crate::types::{hm_collider_id, hm_point, hm_side, hm_vec2, side_number};
use crate::world::{LentLists, WorldState, user_data_of};
use hitmask::{ColliderId, Filter, Hit, Impact, MoveContact, MoveResult, MoveRules, Side, World};
use std::ffi::c_void;

/// Decides whether a collider blocks a motion. Gets `user` and the number that is stored with the
/// collider. Returns 0 to let the mover through. The rules of hm_keep_pair apply.
pub type hm_keep_collider =
    Option<extern "C" fn(user: *mut c_void, collider: hm_collider_id, user_data: u64) -> u8>;

/// Decides whether a contact blocks a move. Gets `user`, the obstacle, the number that is stored
/// with it, its side as seen from the mover, and the surface normal from the obstacle to the mover.
/// Returns 0 to let the mover through. The rules of hm_keep_pair apply.
pub type hm_keep_contact = Option<
    extern "C" fn(
        user: *mut c_void,
        collider: hm_collider_id,
        user_data: u64,
        side: hm_side,
        normal: hm_vec2,
    ) -> u8,
>;

/// The rules of a character move. Fill it with hm_default_move_rules().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_move_rules {
    /// Pixels that the collider may step up per pixel sideways. 1 climbs slopes of 45 degrees, 0
    /// none. Default 1.
    pub climb: u32,
    /// Pixels that the collider may slip to a free side per pixel of motion, as top-down games
    /// need. Default 0.
    pub slip: u32,
    /// Layers whose colliders block only motion that comes down on them: platforms to jump
    /// through. Default 0.
    pub one_way: u32,
    /// The largest distance in mask pixels by which a one-way platform may rise into a mover
    /// between two moves and still raise it. Default 2.
    pub rise: u32,
}

any_bits! { hm_move_rules }

/// The result of a character move. The lists are lent until the next call of
/// hm_world_move_and_slide() or hm_world_move_by_rules...() with the same world.
#[repr(C)]
#[derive(Default)]
pub struct hm_move_result {
    /// The new position of the collider, in pixels.
    pub position: hm_vec2,
    /// The distance moved, in mask pixels.
    pub translation: hm_point,
    /// The obstacles that ended a part of the motion, in the order of contact.
    pub contacts: hm_blocked_list,
    /// The sensors that the collider touched on its way, in the order of the way.
    pub passed: hm_colliders,
    /// The obstacles that the collider still overlaps: it is crushed. Usually empty.
    pub stuck_in: hm_colliders,
}

/// Returns the rules of a walker: climb 1, slip 0, no one-way layers, rise 2.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_move_rules() -> hm_move_rules {
    let MoveRules { climb, slip, one_way, rise } = MoveRules::default();
    hm_move_rules { climb, slip, one_way, rise }
}

impl hm_move_rules {
    fn read(this: *const Self) -> Answer<MoveRules> {
        let given = maybe_given(this, "rules")?;
        Ok(given.map_or_else(MoveRules::default, |&Self { climb, slip, one_way, rise }| {
            MoveRules { climb, slip, one_way, rise }
        }))
    }
}

impl From<Hit> for hm_hit {
    fn from(hit: Hit) -> Self {
        let (collider, position) = (hit.collider.to_bits(), hit.position.into());
        Self { collider, position, point: hit.point.into(), impact: hit.impact.into() }
    }
}

/// Returns the hit of a mask that starts with its top-left pixel at `at`.
fn mask_hit(world: &World, at: hm_point) -> impl Fn((ColliderId, Impact)) -> hm_hit + use<> {
    let resolution = world.atlas().resolution();
    move |(id, impact)| hm_hit {
        collider: id.to_bits(),
        position: hm_vec2::default(),
        point: hm_vec2 {
            x: (at.x as f32 + impact.point.x as f32) / resolution,
            y: (at.y as f32 + impact.point.y as f32) / resolution,
        },
        impact: impact.into(),
    }
}

/// Returns the veto of a callback. Without one, every collider blocks.
fn veto(
    keep: hm_keep_collider,
    user: *mut c_void,
    data: &[(u64, u64)],
) -> impl Fn(ColliderId) -> bool + '_ {
    move |id| keep.is_none_or(|keep| keep(user, id.to_bits(), user_data_of(data, id)) != 0)
}

/// Writes the first collider that a collider would hit if it moved by `motion`, in pixels. HM_NONE
/// if the way is free. Nothing moves. Every pixel of the way is tested, at any speed. `keep` may be
/// null: then every obstacle blocks.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_cast(
    world: *const hm_world,
    id: hm_collider_id,
    motion: hm_vec2,
    keep: hm_keep_collider,
    user: *mut c_void,
    hit: *mut hm_hit,
) -> hm_status {
    maybe_with_mut(hit, world, |state| {
        let (world, data) = state.split();
        let found = world.cast(
            self::id(id)?,
            motion,
            Filter { keep: Some(&veto(keep, user, data)), ..Filter::SOLID },
        )?;
        Ok(found.map(hm_hit::from))
    })
}

/// Lends all colliders that a collider would hit if it moved by `motion` through everything, in the
/// order of the way, until the next call that lends hits. `keep` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_cast_all(
    world: *mut hm_world,
    id: hm_collider_id,
    motion: hm_vec2,
    keep: hm_keep_collider,
    user: *mut c_void,
    hits: *mut hm_hits,
) -> hm_status {
    answer_with_mut(hits, world, |state| {
        let (world, data) = state.split();
        let found = world.cast_all(
            self::id(id)?,
            motion,
            Filter { keep: Some(&veto(keep, user, data)), ..Filter::ALL },
        )?;
        lend(&mut state.lent.hits, found.into_iter().map(hm_hit::from))
    })
}

/// Writes the first collider of the filter that a mask would hit if it moved by `motion`, both in
/// mask pixels; `at` is where its top left pixel is. HM_NONE if the way is free.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_cast_mask(
    world: *const hm_world,
    mask: *const hm_mask,
    at: hm_point,
    motion: hm_point,
    filter: *const hm_filter,
    hit: *mut hm_hit,
) -> hm_status {
    maybe_filtered(hit, world, filter, |state, filter| {
        let hit_of = mask_hit(&state.world, at);
        with(mask, |mask| Ok(state.world.probe(&mask.mask, at).cast(motion, filter).map(hit_of)))
    })
}

/// Lends all colliders of the filter that a mask would hit if it moved by `motion` through
/// everything, in the order of the way, until the next call that lends hits.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_cast_mask_all(
    world: *mut hm_world,
    mask: *const hm_mask,
    at: hm_point,
    motion: hm_point,
    filter: *const hm_filter,
    hits: *mut hm_hits,
) -> hm_status {
    answer_filtered(hits, world, filter, |state, filter| {
        let found =
            with(mask, |mask| Ok(state.world.probe(&mask.mask, at).cast_all(motion, filter)))?;
        let hit_of = mask_hit(&state.world, at);
        lend(&mut state.lent.hits, found.into_iter().map(hit_of))
    })
}

/// Moves a collider by `motion`, in pixels, up to the first obstacle, and writes the hit that ended
/// the motion. HM_NONE if the whole way was free. `hit.position` is the new position.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_until_contact(
    world: *mut hm_world,
    id: hm_collider_id,
    motion: hm_vec2,
    hit: *mut hm_hit,
) -> hm_status {
    maybe_with_mut(hit, world, |state| {
        Ok(state.world.move_until_contact(self::id(id)?, motion, Filter::SOLID)?.map(hm_hit::from))
    })
}

/// The results of hm_world_move_all(), in the order of the ids. Each of the last three lists has the items
/// of the first move, then those of the second, and so on.
#[repr(C)]
#[derive(Default)]
pub struct hm_moves {
    /// The first result.
    pub items: *const hm_moved,
    /// The number of results.
    pub count: usize,
    /// The obstacles that ended a part of a motion, in the order of contact.
    pub contacts: hm_blocked_list,
    /// The sensors that the colliders touched on their ways, in the order of each way.
    pub passed: hm_colliders,
    /// The obstacles that the colliders still overlap: they are crushed.
    pub stuck_in: hm_colliders,
}

/// Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Gives the results of
/// calls of hm_world_move_by_rules() in this order, faster on several threads. `rules` may be null. The
/// lists are lent until the next call with the same world that moves colliders.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER. The message names the first bad item. Nothing has moved.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_all(
    world: *mut hm_world,
    ids: *const hm_collider_id,
    motions: *const hm_vec2,
    count: usize,
    rules: *const hm_move_rules,
    moves: *mut hm_moves,
) -> hm_status {
    answer_with_mut(moves, world, |state| {
        let ids = slice(ids.cast::<ColliderId>(), count, "ids")?;
        let motions: Vec<[f32; 2]> =
            slice(motions, count, "motions")?.iter().map(|by| [by.x, by.y]).collect();
        let rules = hm_move_rules::read(rules)?;
        let LentLists { moved: results, blocked, passed, stuck_in, .. } = &mut state.lent;
        blocked.clear();
        passed.clear();
        stuck_in.clear();
        results.clear();
        state.world.move_all(ids, &motions, rules, Filter::SOLID, |_, moved| {
            let MoveResult {
                position, translation, contacts, passed: met, stuck_in: stuck, ..
            } = moved;
            results.push(hm_moved {
                position: position.into(),
                translation: translation.into(),
                contacts: contacts.len() as u32,
                passed: met.len() as u32,
                stuck_in: stuck.len() as u32,
            });
            blocked.extend(contacts.into_iter().map(hm_blocked::from));
            passed.extend(met);
            stuck_in.extend(stuck);
        })?;
        Ok(hm_moves {
            items: results.as_ptr(),
            count: results.len(),
            contacts: blocked.as_slice().into(),
            passed: passed.as_slice().into(),
            stuck_in: stuck_in.as_slice().into(),
        })
    })
}

impl From<(ColliderId, Side)> for hm_blocked {
    fn from((id, side): (ColliderId, Side)) -> Self {
        Self { collider: id.to_bits(), side: side_number(side), reserved: 0 }
    }
}

fn lend_move(state: &mut WorldState, moved: MoveResult) -> hm_move_result {
    let MoveResult { position, translation, contacts, passed, stuck_in, .. } = moved;
    state.lent.blocked.clear();
    state.lent.blocked.extend(contacts.into_iter().map(hm_blocked::from));
    state.lent.passed = passed;
    state.lent.stuck_in = stuck_in;
    hm_move_result {
        position: position.into(),
        translation: translation.into(),
        contacts: state.lent.blocked.as_slice().into(),
        passed: state.lent.passed.as_slice().into(),
        stuck_in: state.lent.stuck_in.as_slice().into(),
    }
}

/// Moves a collider by `motion`, in pixels, and slides along obstacles: it stops flat at walls and
/// floors and walks up slopes of up to 45 degrees. It does not overlap, bounce or stick.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_and_slide(
    world: *mut hm_world,
    id: hm_collider_id,
    motion: hm_vec2,
    result: *mut hm_move_result,
) -> hm_status {
    hm_world_move_by_rules(world, id, motion, std::ptr::null(), None, std::ptr::null_mut(), result)
}

/// Does the same as hm_world_move_and_slide(), by the given rules, and without the obstacles for
/// which `keep` returns 0. `rules` and `keep` may be null.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_by_rules(
    world: *mut hm_world,
    id: hm_collider_id,
    motion: hm_vec2,
    rules: *const hm_move_rules,
    keep: hm_keep_collider,
    user: *mut c_void,
    result: *mut hm_move_result,
) -> hm_status {
    answer_with_mut(result, world, |state| {
        let (world, data) = state.split();
        let (id, rules) = (self::id(id)?, hm_move_rules::read(rules)?);
        let moved = world.move_by_rules(
            id,
            motion,
            rules,
            Filter { keep: Some(&veto(keep, user, data)), ..Filter::SOLID },
        )?;
        Ok(lend_move(state, moved))
    })
}

/// Does the same as hm_world_move_by_rules(), with a callback that decides about each contact: a
/// game can let a jump through ceilings, or make only steep walls count.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_by_rules_per_contact(
    world: *mut hm_world,
    id: hm_collider_id,
    motion: hm_vec2,
    rules: *const hm_move_rules,
    keep: hm_keep_contact,
    user: *mut c_void,
    result: *mut hm_move_result,
) -> hm_status {
    answer_with_mut(result, world, |state| {
        let (world, data) = state.split();
        let (id, rules) = (self::id(id)?, hm_move_rules::read(rules)?);
        let moved = world.move_by_rules(
            id,
            motion,
            rules,
            Filter {
                contacts: Some(&|contact| {
                    let MoveContact { collider, side, normal, .. } = *contact;
                    let (data, side) = (user_data_of(data, collider), side_number(side));
                    let (id, normal) = (collider.to_bits(), normal.into());
                    keep.is_none_or(|keep| keep(user, id, data, side, normal) != 0)
                }),
                ..Filter::SOLID
            },
        )?;
        Ok(lend_move(state, moved))
    })
}
