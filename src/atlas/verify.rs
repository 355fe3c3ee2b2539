//! The full check of an opened atlas: reads every byte and compares every mask with its record.
//!
//! Called by `Atlas::verify` and `AtlasFile::verify`, after `validate` has checked the records.

use super::error::{AtlasError, Section};
use super::format::{Header, HotPose};
use super::validate::{self, Records};
use crate::geom::Point;
use crate::mask::{BLOCK, LEAD, WORD, write_levels};
use crate::memory::parallel;

pub(crate) fn verify(
    bytes: &[u8],
    header: &Header,
    records: &Records<'_>,
) -> Result<(), AtlasError> {
    validate::pool(bytes, header)?;
    if records.pool()[..LEAD as usize].iter().any(|&word| word != 0) {
        let offset = header.offsets.pool;
        return Err(AtlasError::Corrupt {
            section: Section::Pool,
            index: 0,
            field: "lead",
            offset,
        });
    }
    let poses: Vec<usize> = (0..records.hot().len()).collect();
    let found = parallel::map(&poses, |&i| verify_pose(records, i));
    match found.into_iter().enumerate().find_map(|(i, bad)| Some((i, bad?))) {
        None => Ok(()),
        Some((i, field)) => {
            let index = i as u32;
            let offset = header.offsets.hot + (i * size_of::<HotPose>()) as u64;
            Err(AtlasError::Corrupt { section: Section::Poses, index, field, offset })
        }
    }
}

/// Returns the field of pose `i` that contradicts its mask, if any.
fn verify_pose(records: &Records<'_>, i: usize) -> Option<&'static str> {
    let hot = records.hot()[i];
    let (mask, stride) = (records.mask(i), hot.stride as usize);
    if mask.width() == 0 {
        return None;
    }
    // The words before the levels are guards of another mask, or the lead.
    let (start, level_words) = (hot.words as usize, hot.level_words(records.level_side()) as usize);
    let before = &records.pool()[start - level_words + 1 - BLOCK as usize..start - level_words];
    let after = (0..mask.strips()).flat_map(|s| {
        let end = start + (s as usize + 1) * stride;
        &records.pool()[end - (stride - mask.height() as usize)..end]
    });
    if before.iter().chain(after).any(|&guard| guard != 0) {
        return Some("guards");
    }
    let used = (mask.width() - 1) % WORD + 1;
    let padding = u64::MAX.checked_shl(used).unwrap_or(0);
    if mask.rows(mask.strips() - 1).iter().any(|row| row & padding != 0) {
        return Some("padding");
    }
    if mask.bounds() != Some(mask.rect_at(Point::default())) {
        return Some("trim");
    }
    if mask.count() != u64::from(records.cold()[i].area) {
        return Some("area");
    }
    if level_words > 0 {
        let mut levels = vec![0; level_words];
        write_levels(mask, &mut levels);
        if records.pool()[start - level_words..start] != levels {
            return Some("levels");
        }
    }
    None
}
