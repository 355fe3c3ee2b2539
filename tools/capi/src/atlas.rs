//! Atlases: opening, verifying, and their sizes.

use crate::handles::{answer_with, destroy, handle, hm_atlas, maybe_with, store, with};
use crate::lists::hm_bytes;
use crate::maps::{LentMap, hm_map};
use crate::pointers::{answer, any_bits, lent_forever, maybe_given, slice, text};
use crate::status::{Answer, call, hm_status};
use crate::types::hm_vec2;
use hitmask::{Atlas, AtlasOptions, Map};
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

/// The name of a sprite and of its planes, as C strings.
pub(crate) struct SpriteNames {
    pub(crate) name: CString,
    pub(crate) planes: Vec<CString>,
}

/// An atlas with the texts that it lends.
pub(crate) struct AtlasState {
    pub(crate) atlas: Atlas,
    /// The names as C strings, made when the first is asked for.
    pub(crate) names: OnceLock<Vec<SpriteNames>>,
    /// The maps, copied when the first is asked for.
    pub(crate) maps: OnceLock<Vec<LentMap>>,
}

impl AtlasState {
    /// Stores an atlas in the table of handles.
    pub(crate) fn store(atlas: Atlas) -> Answer<*mut hm_atlas> {
        store(Self { atlas, names: OnceLock::new(), maps: OnceLock::new() })
    }
}

handle! { hm_atlas of AtlasState, Atlas, IS_IMMUTABLE }

/// Limits on what opening an atlas may draw. A compact atlas of a few hundred bytes can state
/// settings that take gigabytes to draw. Fill it with hm_default_atlas_limits(). A null pointer to
/// it means the default limits.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_atlas_limits {
    /// The largest size of a drawn atlas in bytes. Default 2^30.
    pub max_bytes: u64,
    /// The largest number of drawn poses. Default 2^23.
    pub max_poses: u64,
    /// The largest number of samples, which limits the time. Default 2^33.
    pub max_samples: u64,
}

any_bits! { hm_atlas_limits }

impl hm_atlas_limits {
    fn read(this: *const Self) -> Answer<AtlasOptions> {
        let given = maybe_given(this, "limits")?;
        Ok(given.map_or(AtlasOptions::DEFAULT, |&Self { max_bytes, max_poses, max_samples }| {
            AtlasOptions { max_bytes, max_poses, max_samples }
        }))
    }
}

/// Returns the default limits for opening an atlas.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_atlas_limits() -> hm_atlas_limits {
    hm_atlas_limits {
        max_bytes: AtlasOptions::DEFAULT.max_bytes,
        max_poses: AtlasOptions::DEFAULT.max_poses,
        max_samples: AtlasOptions::DEFAULT.max_samples,
    }
}

/// Opens an atlas file. Its structure is checked; hm_atlas_verify() checks the pixels too.
///
/// Errors: HM_BAD_TEXT for a path that is not UTF-8 or has more than 4095 bytes, HM_IO,
/// HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_FULL, HM_UNSUPPORTED in a browser.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_open(
    path: *const c_char,
    limits: *const hm_atlas_limits,
    atlas: *mut *mut hm_atlas,
) -> hm_status {
    answer(atlas, || {
        let path = text(path, "path")?;
        AtlasState::store(open(path, hm_atlas_limits::read(limits)?)?)
    })
}

#[cfg(not(target_family = "wasm"))]
fn open(path: &str, options: AtlasOptions) -> Answer<Atlas> {
    Ok(options.open(path)?)
}

#[cfg(target_family = "wasm")]
fn open(_path: &str, _options: AtlasOptions) -> Answer<Atlas> {
    let message = "there are no files here; read the bytes and call hm_atlas_from_bytes";
    Err(crate::status::Failure::new(hm_status::HM_UNSUPPORTED, message))
}

/// Opens an atlas in memory. The bytes are copied.
///
/// Errors: HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_NULL_POINTER, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_from_bytes(
    bytes: *const u8,
    count: usize,
    limits: *const hm_atlas_limits,
    atlas: *mut *mut hm_atlas,
) -> hm_status {
    answer(atlas, || {
        let bytes = slice(bytes, count, "bytes")?;
        AtlasState::store(hm_atlas_limits::read(limits)?.from_vec(bytes.to_vec())?)
    })
}

/// Opens an atlas in place, without a copy if the bytes are aligned to 64. The bytes must stay as
/// they are until the atlas and every world and batch over it is destroyed: for data that is part of the
/// program, or a file that is mapped into memory.
///
/// Errors: HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_NULL_POINTER, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_from_static(
    bytes: *const u8,
    count: usize,
    limits: *const hm_atlas_limits,
    atlas: *mut *mut hm_atlas,
) -> hm_status {
    answer(atlas, || {
        let bytes = lent_forever(bytes, count)?;
        AtlasState::store(hm_atlas_limits::read(limits)?.from_static(bytes)?)
    })
}

/// Destroys the handle of an atlas. Worlds over it keep what they need. All texts that it has lent
/// become invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_destroy(atlas: *mut hm_atlas) -> hm_status {
    call(|| destroy(atlas))
}

/// Checks every byte of an atlas: checksums and pixels. Opening checks the structure only, which is
/// enough for files of one's own. Takes about 1 ms per megabyte.
///
/// Errors: HM_DAMAGED.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_verify(atlas: *const hm_atlas) -> hm_status {
    call(|| with(atlas, |state| Ok(state.atlas.verify()?)))
}

/// Writes the number of sprites.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_sprite_count(atlas: *const hm_atlas, count: *mut u32) -> hm_status {
    answer_with(count, atlas, |state| Ok(state.atlas.sprites().len() as u32))
}

/// Writes the number of stored poses.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_pose_count(atlas: *const hm_atlas, count: *mut u32) -> hm_status {
    answer_with(count, atlas, |state| Ok(state.atlas.pose_count()))
}

/// Writes the mask pixels per pixel of positions: 1 unless the atlas was baked otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_resolution(atlas: *const hm_atlas, resolution: *mut f32) -> hm_status {
    answer_with(resolution, atlas, |state| Ok(state.atlas.resolution()))
}

/// Lends the bytes of an atlas until it is destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_bytes(atlas: *const hm_atlas, bytes: *mut hm_bytes) -> hm_status {
    answer_with(bytes, atlas, |state| Ok(state.atlas.as_bytes().into()))
}

impl AtlasState {
    fn maps(&self) -> &[LentMap] {
        let lent = |map: &Map| LentMap::new(map, hm_vec2::default(), &[]);
        self.maps.get_or_init(|| self.atlas.maps().iter().map(lent).collect())
    }
}

/// Writes the map with this name, for reading. Its texts and lists are lent until the atlas is destroyed.
/// HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_map(
    atlas: *const hm_atlas,
    name: *const c_char,
    map: *mut hm_map,
) -> hm_status {
    maybe_with(map, atlas, |state| {
        let name = text(name, "name")?;
        let mut maps = state.maps().iter();
        Ok(maps.find(|map| map.name().to_bytes() == name.as_bytes()).map(LentMap::lend))
    })
}
