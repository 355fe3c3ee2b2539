//! The full check of an opened atlas: reads every byte and compares every mask with its record.
//!
//! Invariant: each mask is read once, however many poses share it.

#![deny(clippy::arithmetic_side_effects)]

use super::error::{FileError, Section};
use super::format::{Header, HotPose, checked};
use super::validate::{self, Records};
use crate::geom::Point;
use crate::mask::{BLOCK, LEAD, WORD, words_of, write_levels};
use crate::memory::parallel;

pub(crate) fn verify(
    bytes: &[u8],
    header: &Header,
    records: &Records<'_>,
) -> Result<(), FileError> {
    validate::pool(bytes, header)?;
    if records.pool()[..LEAD as usize].iter().any(|&word| word != 0) {
        let offset = header.offsets.pool;
        return Err(FileError::Corrupt { section: Section::Pool, index: 0, field: "lead", offset });
    }
    let bad = |i: u32, field| {
        let before = u64::from(i).saturating_mul(size_of::<HotPose>() as u64);
        let offset = header.offsets.hot.saturating_add(before);
        Err(FileError::Corrupt { section: Section::Poses, index: i, field, offset })
    };
    // Poses of one mask are adjacent in this order, and masks follow each other as in the pool.
    let hot = records.hot();
    let place = |i: u32| (hot[i as usize].words, hot[i as usize].size.0);
    let mut poses: Vec<u32> = (0..header.poses).filter(|&i| hot[i as usize].words > 0).collect();
    poses.sort_unstable_by_key(|&i| (place(i), i));
    let shared: Vec<&[u32]> = poses.chunk_by(|&a, &b| place(a) == place(b)).collect();
    // Masks that overlap would make this check quadratic, and no writer stores such masks.
    let overlap = shared.windows(2).find_map(|two| {
        let [first, second] = [two[0][0], two[1][0]].map(|i| hot[i as usize]);
        let words = words_of(first.size.width(), first.size.height());
        // The records have been checked, so the levels are in the pool.
        let start = second.words.saturating_sub(second.level_words(records.level_side()));
        let overlaps = u64::from(start) < u64::from(first.words).saturating_add(words.into());
        overlaps.then_some((two[1][0], "words"))
    });
    let wrong = overlap.or_else(|| {
        let wrong = parallel::map(&shared, |poses| verify_mask(records, poses));
        wrong.into_iter().flatten().min()
    });
    wrong.map_or(Ok(()), |(i, field)| bad(i, field))
}

/// Returns the first of `poses`, all of one mask, with a field that contradicts the mask.
fn verify_mask(records: &Records<'_>, poses: &[u32]) -> Option<(u32, &'static str)> {
    let &first = poses.first()?;
    let area = match mask_area(records, first as usize) {
        Ok(area) => area,
        Err(field) => return Some((first, field)),
    };
    let differs = |i: &&u32| u64::from(records.cold()[**i as usize].area) != area;
    let other = poses.iter().find(differs).map(|&i| (i, "area"));
    let is_first = other.is_some_and(|(i, _)| i == first);
    if !is_first && !levels_are_good(records, first as usize) {
        return Some((first, "levels"));
    }
    other
}

/// Returns the area of the mask of pose `i`, or the field that contradicts the mask.
fn mask_area(records: &Records<'_>, i: usize) -> Result<u64, &'static str> {
    let hot = records.hot()[i];
    let (mask, stride) = (records.mask(i), hot.stride as usize);
    // The words before the levels are guards of another mask, or the lead.
    let (start, level_words) = (hot.words as usize, hot.level_words(records.level_side()) as usize);
    let (before, rest) = records.pool().split_at_checked(start).ok_or("words")?;
    let before = checked(before.get(..before.len().saturating_sub(level_words)));
    let before = before.last_chunk::<{ BLOCK as usize - 1 }>().ok_or("words")?;
    let strips = rest.chunks_exact(stride.max(1)).take(mask.strips() as usize);
    let after = strips.flat_map(|strip| &strip[mask.height() as usize..]);
    if before.iter().chain(after).any(|&guard| guard != 0) {
        return Err("guards");
    }
    // The pixels of the last strip. A mask that has words is not empty.
    let strip = mask.strips().saturating_sub(1);
    let used = mask.width().saturating_sub(strip.saturating_mul(WORD));
    let padding = u64::MAX.checked_shl(used).unwrap_or(0);
    if mask.rows(strip).iter().any(|row| row & padding != 0) {
        return Err("padding");
    }
    if mask.bounds() != Some(mask.rect_at(Point::default())) {
        return Err("trim");
    }
    Ok(mask.count())
}

/// Returns true if the levels of pose `i` are those of its mask, or if it has none.
fn levels_are_good(records: &Records<'_>, i: usize) -> bool {
    let hot = records.hot()[i];
    let (start, words) = (hot.words as usize, hot.level_words(records.level_side()) as usize);
    if words == 0 {
        return true;
    }
    let mut levels = vec![0; words];
    write_levels(records.mask(i), &mut levels);
    let before = checked(records.pool().get(..start));
    before.ends_with(&levels)
}
