//! Batches: questions about many pairs of poses of one atlas, for games with a broad phase of their
//! own.

use crate::handles::{answer_with_mut, destroy, handle, hm_atlas, hm_batch, store, with};
use crate::lists::{hm_bytes, hm_list, keep, lend};
use crate::pointers::{OwnedBatch, answer, maybe_two, slice};
use crate::sprite::{in_plane, no_frame};
use crate::status::{Answer, Failure, call, hm_status};
use crate::types::{hm_contact, hm_point, hm_pose_id, hm_pose_pair, hm_sprite_id};
use hitmask::{Batch, Certainty, Contact, Flip, Point, PoseId, PosePair, ScanOrder};

/// Which shared pixel is the first.
pub type hm_scan_order = u32;

/// The topmost pixel; of these, the leftmost.
pub const HM_SCAN_TOP: hm_scan_order = 0;
/// The bottommost pixel; of these, the leftmost.
pub const HM_SCAN_BOTTOM: hm_scan_order = 1;
/// The leftmost pixel; of these, the topmost.
pub const HM_SCAN_LEFT: hm_scan_order = 2;
/// The rightmost pixel; of these, the topmost.
pub const HM_SCAN_RIGHT: hm_scan_order = 3;

/// Whether coarse masks decide about a pair: a byte of hm_batch_coarse().
pub type hm_certainty = u8;

/// No pixel is shared.
pub const HM_CERTAINTY_NO: hm_certainty = 0;
/// Coarse masks cannot decide.
pub const HM_CERTAINTY_MAYBE: hm_certainty = 1;
/// A pixel is shared.
pub const HM_CERTAINTY_YES: hm_certainty = 2;

/// A lent list of areas, one for each pair of a batch.
pub type hm_areas = hm_list<u64>;

/// A lent list of contacts, one for each pair of a batch.
pub type hm_contacts = hm_list<hm_contact>;

/// A batch with its questions and the answers that it lends.
pub(crate) struct BatchState {
    batch: OwnedBatch,
    pairs: Vec<PosePair>,
    bytes: Vec<u8>,
    areas: Vec<u64>,
    contacts: Vec<hm_contact>,
}

impl BatchState {
    /// Reads the pairs of the caller, and gives them to a query that fills one answer for each.
    fn ask<A: Clone>(
        &mut self,
        pairs: &[hm_pose_pair],
        blank: A,
        query: impl FnOnce(&mut Batch<'_>, &[PosePair], &mut [A]),
    ) -> Answer<Vec<A>> {
        self.pairs.clear();
        self.pairs.reserve(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let (a, b) = (PoseId::from_bits(pair.a), PoseId::from_bits(pair.b));
            let (Some(a), Some(b)) = (a, b) else {
                let message = format!(
                    "pair {index} names pose {} or {}, which is none; pass ids of hm_atlas_pose",
                    pair.a, pair.b
                );
                return Err(Failure::new(hm_status::HM_UNKNOWN_SPRITE, message));
            };
            self.pairs.push(PosePair { a, b, offset: Point::new(pair.at.x, pair.at.y) });
        }
        let mut answers = vec![blank; pairs.len()];
        let Self { batch, pairs, .. } = self;
        batch.ask(|batch| query(batch, pairs, &mut answers));
        Ok(answers)
    }
}

handle! { hm_batch of BatchState, Batch }

pub(crate) fn scan_order(order: hm_scan_order) -> Answer<ScanOrder> {
    match order {
        HM_SCAN_TOP => Ok(ScanOrder::Top),
        HM_SCAN_BOTTOM => Ok(ScanOrder::Bottom),
        HM_SCAN_LEFT => Ok(ScanOrder::Left),
        HM_SCAN_RIGHT => Ok(ScanOrder::Right),
        _ => Failure::value("order", order, "give HM_SCAN_TOP, _BOTTOM, _LEFT or _RIGHT (0 to 3)"),
    }
}

/// Writes the id of the stored pose that is nearest to an angle in radians and a scale, for a batch.
/// Writes to `origin` where the top left pixel of its mask is relative to the position of a sprite;
/// `origin` may be null. The flips are 0 or not. HM_NONE if the angle or the scale is not finite, or
/// if the atlas is not drawn: see hm_atlas_drawn().
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_pose(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    frame: u32,
    plane: u32,
    angle: f32,
    scale: f32,
    flip_x: u8,
    flip_y: u8,
    pose: *mut hm_pose_id,
    origin: *mut hm_point,
) -> hm_status {
    maybe_two(pose, origin, || {
        with(atlas, |state| {
            let sprite = in_plane(state.sprite(sprite)?, plane)?;
            if frame >= sprite.frame_count() {
                return Err(no_frame(frame, sprite));
            }
            let flip = Flip { x: flip_x != 0, y: flip_y != 0 };
            let Some(pose) = sprite.nearest(angle, scale) else { return Ok(None) };
            let posed = sprite.pose_id(frame, pose, flip).zip(sprite.posed(frame, pose, flip));
            Ok(posed.map(|(id, posed)| (id.to_bits(), posed.origin.into())))
        })
    })
}

/// Creates a batch over the poses of an atlas, which it keeps: the handle of the atlas may be
/// destroyed first. Reuse a batch, because its first questions allocate up to 1 MB. An atlas that is
/// not drawn has no poses: see hm_atlas_drawn().
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_create(atlas: *const hm_atlas, batch: *mut *mut hm_batch) -> hm_status {
    answer(batch, || {
        let batch = with(atlas, |state| Ok(OwnedBatch::new(state.atlas.clone())))?;
        let (pairs, bytes, areas, contacts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        store(BatchState { batch, pairs, bytes, areas, contacts })
    })
}

/// Destroys a batch. All that it has lent becomes invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_destroy(batch: *mut hm_batch) -> hm_status {
    call(|| destroy(batch))
}

/// Answers a question with one byte for each pair.
fn lend_bytes<A: Clone>(
    batch: *mut hm_batch,
    (pairs, count): (*const hm_pose_pair, usize),
    answers: *mut hm_bytes,
    blank: A,
    byte: impl Fn(A) -> u8,
    query: impl FnOnce(&mut Batch<'_>, &[PosePair], &mut [A]),
) -> hm_status {
    answer_with_mut(answers, batch, |state| {
        let pairs = slice(pairs, count, "pairs")?;
        let found = state.ask(pairs, blank, query)?;
        lend(&mut state.bytes, found.into_iter().map(byte))
    })
}

/// Lends for each pair a byte: 1 if the two masks share a pixel, else 0. Lent until the next call that
/// lends bytes of this batch. A pose that the atlas does not have touches nothing.
///
/// Errors: HM_UNKNOWN_SPRITE if an id is 0 or was never given out, HM_NULL_POINTER, HM_BAD_LENGTH.
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_touches(
    batch: *mut hm_batch,
    pairs: *const hm_pose_pair,
    count: usize,
    answers: *mut hm_bytes,
) -> hm_status {
    lend_bytes(batch, (pairs, count), answers, false, u8::from, |batch, pairs, answers| {
        batch.touches(pairs, answers);
    })
}

/// Lends for each pair a byte: 1 if the two masks share at least `pixels` pixels, else 0. 0 pixels
/// count as 1. Lent until the next call that lends bytes of this batch.
///
/// Errors: those of hm_batch_touches().
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_overlap_at_least(
    batch: *mut hm_batch,
    pixels: u32,
    pairs: *const hm_pose_pair,
    count: usize,
    answers: *mut hm_bytes,
) -> hm_status {
    lend_bytes(batch, (pairs, count), answers, false, u8::from, |batch, pairs, answers| {
        batch.overlap_at_least(pixels, pairs, answers);
    })
}

/// Lends for each pair what coarse masks say: HM_CERTAINTY_NO, HM_CERTAINTY_MAYBE or
/// HM_CERTAINTY_YES. Masks without coarse ones are tested exactly. Lent until the next call that lends
/// bytes of this batch.
///
/// Errors: those of hm_batch_touches().
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_coarse(
    batch: *mut hm_batch,
    pairs: *const hm_pose_pair,
    count: usize,
    answers: *mut hm_bytes,
) -> hm_status {
    let byte = |certainty| match certainty {
        Certainty::No => HM_CERTAINTY_NO,
        Certainty::Maybe => HM_CERTAINTY_MAYBE,
        Certainty::Yes => HM_CERTAINTY_YES,
    };
    let blank = Certainty::Maybe;
    lend_bytes(batch, (pairs, count), answers, blank, byte, |batch, pairs, answers| {
        batch.coarse(pairs, answers);
    })
}

/// Lends for each pair the number of shared pixels, until the next call of this function with the same
/// batch.
///
/// Errors: those of hm_batch_touches().
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_overlap_area(
    batch: *mut hm_batch,
    pairs: *const hm_pose_pair,
    count: usize,
    areas: *mut hm_areas,
) -> hm_status {
    answer_with_mut(areas, batch, |state| {
        let pairs = slice(pairs, count, "pairs")?;
        let areas = state.ask(pairs, 0, |batch, pairs, areas| batch.overlap_area(pairs, areas))?;
        keep(&mut state.areas, areas)
    })
}

/// Lends for each pair area, tight box and first pixel of the overlap, in pixels of the first mask. A
/// pair that does not touch has area 0 and zeros. Lent until the next call that lends contacts of this
/// batch.
///
/// Errors: those of hm_batch_touches().
#[unsafe(no_mangle)]
pub extern "C" fn hm_batch_contact(
    batch: *mut hm_batch,
    pairs: *const hm_pose_pair,
    count: usize,
    contacts: *mut hm_contacts,
) -> hm_status {
    answer_with_mut(contacts, batch, |state| {
        let pairs = slice(pairs, count, "pairs")?;
        let found = state.ask(pairs, None, |batch, pairs, found| batch.contact(pairs, found))?;
        let contacts = found.into_iter();
        let contact = |found: Option<Contact>| found.map_or_else(hm_contact::default, From::from);
        lend(&mut state.contacts, contacts.map(contact))
    })
}
