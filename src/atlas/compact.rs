//! The compact atlas: source masks and settings, from which all poses can be drawn.
//!
//! Invariant: an expanded atlas equals, byte for byte, the atlas that a bake of the same masks and
//! settings gives. The reason is that an [`Assembler`] draws both.

use super::aligned_bytes::Bytes;
use super::assembler::Assembler;
use super::build_error::BuildFault;
use super::drawing_cost;
use super::error::{FileError, Section};
use super::format::{Header, checked};
use super::options::AtlasOptions;
use super::pose_job::Entry;
use super::source_sprite::SourceSprite;
use super::validate::{self, Records};

/// Sprites drawn between two checks of the size limit.
const SPRITES_PER_SIZE_CHECK: usize = 256;

/// Draws the full atlas of checked records. Fails first if it may exceed a limit of `options`.
pub(super) fn expand(
    bytes: &[u8],
    head: &Header,
    options: &AtlasOptions,
) -> Result<Bytes, FileError> {
    validate::pool(bytes, head)?;
    let records = Records::new(bytes, head);
    drawing_cost::check(std::iter::once(records), options)?;
    let wrong = |section, index: usize, field| {
        let index = index as u32;
        FileError::Corrupt { section, index, field, offset: 0 }
    };
    let size_is_wrong = || wrong(Section::Header, 0, "full_bytes");
    let mut assembler = Assembler::limited(records.resolution(), head.full_bytes);
    assembler.set_maps(records.maps()).map_err(|_| size_is_wrong())?;
    let sprites: Vec<usize> = (0..records.sprites().len()).collect();
    for batch in sprites.chunks(SPRITES_PER_SIZE_CHECK) {
        let sprite = |&i: &usize| {
            SourceSprite::read(&records, i).ok_or_else(|| wrong(Section::Sprites, i, "frames"))
        };
        let entries = batch.iter().map(|i| sprite(i).map(Entry::New));
        assembler.add(&entries.collect::<Result<Vec<_>, _>>()?).map_err(|error| {
            match (&error.fault, &error.sprite) {
                (BuildFault::Settings(_), Some(name)) => {
                    let at = batch.iter().find(|&&i| records.name(i) == *name);
                    wrong(Section::Sprites, checked(at.copied()), "scales")
                }
                _ => size_is_wrong(),
            }
        })?;
    }
    let whole = assembler.finish_in_place().map_err(|_| size_is_wrong())?;
    if whole.as_slice().len() as u64 == head.full_bytes { Ok(whole) } else { Err(size_is_wrong()) }
}
