//! Baking in memory: images and masks in, bytes of an atlas out.

use crate::atlas::AtlasState;
use crate::handles::{
    answer_with_mut, call_with_mut, destroy, handle, hm_atlas, hm_baker, hm_mask, store,
};
use crate::lists::{hm_bytes, keep};
use crate::log::{HM_LOG_HINT, HM_LOG_WARNING, log};
use crate::mask::copies;
use crate::pointers::{answer, any_bits, given, maybe_given, slice, text};
use crate::runtime_masks::hm_pivot;
use crate::status::{Answer, Failure, call, hm_status};
use crate::types::hm_texel_rule;
use hitmask::{AlphaRule, Atlas, AtlasBuilder, Mask, Sampling, Settings, TexelRule};
use std::ffi::c_char;

/// A bake that is being described, and the bytes that it lends.
#[derive(Default)]
pub(crate) struct BakerState {
    bake: AtlasBuilder,
    settings: Settings,
    bytes: Vec<u8>,
}

// A call takes the sprites while it adds to them.
handle! { hm_baker of BakerState, Baker, ENDS_BY_PANIC }

/// How a pixel of a turned or scaled mask is decided.
pub type hm_sampling = u32;

/// The texel under the pixel's centre decides, as a renderer with nearest filtering draws.
pub const HM_SAMPLING_NEAREST: hm_sampling = 0;
/// 4 of 16 samples decide. Keeps thin lines in one piece; baking takes about 10 times as long.
pub const HM_SAMPLING_COVERAGE25: hm_sampling = 1;

/// How sprites are baked. Fill it with hm_default_bake_settings().
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_bake_settings {
    /// Set by hm_default_bake_settings(); do not change it.
    pub cookie: u32,
    /// The number of angles in a full turn. Ignored if `max_error` is not 0. Default 64.
    pub angles: u32,
    /// The scales, as an array that is read during the call; null for scale 1 only.
    pub scales: *const f32,
    /// The number of scales. Default 0.
    pub scale_count: usize,
    /// If not 0, the number of angles is chosen for each sprite so that no pixel is farther from
    /// its exact place, in pixels. Default 0.
    pub max_error: f32,
    /// How pixels are decided. Default HM_SAMPLING_NEAREST.
    pub sampling: hm_sampling,
    /// The pivot, if `use_pivot` is not 0.
    pub pivot: hm_pivot,
    /// 0 for the centre of each frame. Default 0.
    pub use_pivot: u8,
    /// A pixel of an image is solid if its alpha is at least this. Default 128.
    pub alpha: u8,
    /// Not 0 to add a frame after the last: the union of all frames, which cannot miss a hit on a
    /// frame that the game skips. Default 0.
    pub motion_frame: u8,
    /// 0.
    pub reserved: u8,
    /// The rule for solid pixels of images, read during the call; null for `alpha`.
    pub rule: *const hm_texel_rule,
    /// Additional planes by alpha, each from 1 to 255, read during the call; or null. Each plane has
    /// the pixels whose alpha is at least its threshold. See hm_atlas_plane_for_threshold().
    pub thresholds: *const u8,
    /// The number of these planes. Default 0.
    pub threshold_count: usize,
}

any_bits! { hm_bake_settings }

/// The value of hm_bake_settings.cookie.
const COOKIE: u32 = 0x4842_414b;

/// Returns the default settings: 64 angles, scale 1, alpha of at least 128, the centre as pivot.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_bake_settings() -> hm_bake_settings {
    hm_bake_settings { cookie: COOKIE, angles: 64, alpha: 128, ..hm_bake_settings::default() }
}

impl hm_bake_settings {
    fn read(&self) -> Answer<Settings> {
        if self.cookie != COOKIE {
            return Err(Failure::uninitialised("hm_bake_settings", self.cookie));
        }
        let scales = slice(self.scales, self.scale_count, "scales")?;
        let allowed = "give HM_SAMPLING_NEAREST or HM_SAMPLING_COVERAGE25";
        let sampling = match self.sampling {
            HM_SAMPLING_NEAREST => Sampling::Nearest,
            HM_SAMPLING_COVERAGE25 => Sampling::Coverage25,
            other => return Failure::value("sampling", other, allowed),
        };
        let pivot = if self.use_pivot != 0 { &raw const self.pivot } else { std::ptr::null() };
        let rule = match self.rule.is_null() {
            true => AlphaRule::AtLeast(self.alpha).into(),
            false => slice(self.rule, 1, "rule")?[0].read()?,
        };
        let TexelRule { alpha, channel, exclude_color, only_color } = rule;
        Ok(Settings {
            angles: self.angles,
            max_error: (self.max_error != 0.0).then_some(self.max_error),
            scales: if scales.is_empty() { vec![1.0] } else { scales.to_vec() },
            alpha,
            channel,
            exclude_color,
            only_color,
            thresholds: slice(self.thresholds, self.threshold_count, "thresholds")?.to_vec(),
            motion_frame: self.motion_frame != 0,
            mirrored: true,
            pivot: hm_pivot::read(pivot)?,
            sampling,
        })
    }
}

/// Creates a baker without sprites.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_create(baker: *mut *mut hm_baker) -> hm_status {
    answer(baker, || store(BakerState::default()))
}

/// Destroys a baker. The bytes that it has lent become invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_destroy(baker: *mut hm_baker) -> hm_status {
    call(|| destroy(baker))
}

/// Sets the settings of all sprites that are added afterwards without settings of their own.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_set_settings(
    baker: *mut hm_baker,
    settings: *const hm_bake_settings,
) -> hm_status {
    call_with_mut(baker, |state| {
        state.settings = given(settings, "settings")?.read()?;
        Ok(())
    })
}

/// Sets the mask pixels per pixel of positions, a power of 2 from 1/8 to 8. Default 1. The bake
/// reports other values: HM_BAKE.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_set_resolution(baker: *mut hm_baker, resolution: f32) -> hm_status {
    change(baker, |bake| bake.resolution(resolution))
}

/// Limits the size of the opened atlas in bytes. If it would be larger, sprites that turn get fewer
/// angles. The bake fails if 8 angles for each exceed the limit. Default: no limit.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_set_max_bytes(baker: *mut hm_baker, bytes: u64) -> hm_status {
    change(baker, |bake| bake.max_bytes(bytes))
}

/// Sets whether the atlas holds the images only, and a world draws poses when they are first shown.
/// `compact` is 0 or not. Default 0.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_set_compact(baker: *mut hm_baker, compact: u8) -> hm_status {
    change(baker, |bake| bake.compact(compact != 0))
}

fn change(baker: *mut hm_baker, change: impl FnOnce(AtlasBuilder) -> AtlasBuilder) -> hm_status {
    call_with_mut(baker, |state| {
        state.bake = change(std::mem::take(&mut state.bake));
        Ok(())
    })
}

/// Adds a sprite. `prepare` finds every fault of the input, because a bake whose `push` fails is lost.
fn add<P>(
    baker: *mut hm_baker,
    name: *const c_char,
    settings: *const hm_bake_settings,
    prepare: impl FnOnce(&str) -> Answer<P>,
    push: impl FnOnce(AtlasBuilder, &str, P, Settings) -> Answer<AtlasBuilder>,
) -> hm_status {
    call_with_mut(baker, |state| {
        let name = text(name, "name")?;
        let settings =
            maybe_given(settings, "settings")?.map(hm_bake_settings::read).transpose()?;
        let settings = settings.unwrap_or_else(|| state.settings.clone());
        let prepared = prepare(name)?;
        state.bake = push(std::mem::take(&mut state.bake), name, prepared, settings)?;
        Ok(())
    })
}

/// Adds a sprite of `frames` images of one size: 4 bytes per pixel, the last of which is alpha, row
/// by row from the top, one image after the other. The bytes are read during the call. `settings` may
/// be null. Bad names are reported by the bake.
///
/// Errors: HM_BAD_TEXT, HM_BAD_LENGTH if `count` is not 4 * width * height * frames, HM_BAD_MASK if
/// a side is too large, HM_UNINITIALISED, HM_BAD_VALUE.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_add_rgba(
    baker: *mut hm_baker,
    name: *const c_char,
    width: u32,
    height: u32,
    frames: u32,
    rgba: *const u8,
    count: usize,
    settings: *const hm_bake_settings,
) -> hm_status {
    let prepare = |_: &str| {
        let rgba = slice(rgba, count, "rgba")?;
        let bytes = u128::from(width) * u128::from(height) * 4;
        let needed = bytes * u128::from(frames);
        if needed != count as u128 || needed == 0 {
            let message = format!(
                "{frames} images of {width} x {height} pixels have {needed} bytes, and count is \
                 {count}; pass 4 bytes per pixel, row by row, without padding"
            );
            return Err(Failure::new(hm_status::HM_BAD_LENGTH, message));
        }
        // Refuses a side that is too long.
        Mask::new(width, height)?;
        Ok(rgba.chunks_exact(bytes as usize))
    };
    add(baker, name, settings, prepare, |bake, name, images, settings| {
        Ok(bake.rgba_frames(name, [width, height], images, settings)?)
    })
}

/// Adds a sprite whose frames are copies of masks. `settings` may be null.
///
/// Errors: those of handles, for each mask; HM_BAD_TEXT, HM_NULL_POINTER, HM_UNINITIALISED,
/// HM_BAD_VALUE.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_add_masks(
    baker: *mut hm_baker,
    name: *const c_char,
    masks: *const *const hm_mask,
    count: usize,
    settings: *const hm_bake_settings,
) -> hm_status {
    let prepare = |_: &str| copies(masks, count);
    add(baker, name, settings, prepare, |bake, name, frames, settings| {
        Ok(bake.frames_with(name, frames, settings))
    })
}

/// Adds a sprite of several named planes, such as a body, a weak spot and a shield. `masks` has
/// `frames` * `plane_count` masks: those of the first frame in the order of `planes`, then those of the
/// next. All masks of a frame have one size. Colliders choose a plane with hm_collider.plane.
/// `settings` may be null.
///
/// Errors: those of handles, for each mask; HM_BAD_TEXT, HM_NULL_POINTER, HM_UNINITIALISED,
/// HM_BAD_VALUE; HM_BAD_LENGTH for more masks than any memory holds; HM_BAKE if `plane_count` is 0, for a
/// bad or repeated name of a plane, or masks of different sizes.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_add_planes(
    baker: *mut hm_baker,
    name: *const c_char,
    planes: *const *const c_char,
    plane_count: usize,
    masks: *const *const hm_mask,
    frames: usize,
    settings: *const hm_bake_settings,
) -> hm_status {
    let prepare = |sprite: &str| {
        if plane_count == 0 {
            let message = "plane_count is 0; give each frame at least one plane, or call \
                           hm_baker_add_masks for sprites without planes";
            return Err(Failure::new(hm_status::HM_BAKE, message));
        }
        let names = slice(planes, plane_count, "planes")?;
        let names = names.iter().map(|&plane| text(plane, "the name of a plane"));
        let names = names.collect::<Answer<Vec<&str>>>()?;
        let Some(count) = frames.checked_mul(plane_count) else {
            let message = format!(
                "{frames} frames cannot have {plane_count} planes each; no memory has so many masks"
            );
            return Err(Failure::new(hm_status::HM_BAD_LENGTH, message));
        };
        let mut masks = copies(masks, count)?.into_iter();
        let frame = |_| masks.by_ref().take(plane_count).collect();
        let frames: Vec<Vec<Mask>> = (0..frames).map(frame).collect();
        // Refuses what the bake itself would refuse.
        AtlasBuilder::new().planes(sprite, names.iter().copied(), frames.iter().cloned())?;
        Ok((names, frames))
    };
    add(baker, name, settings, prepare, |bake, name, (names, frames), settings| {
        Ok(bake.planes_with(name, names, frames, settings)?)
    })
}

fn bake(state: &BakerState) -> Answer<Vec<u8>> {
    let (bytes, report) = state.bake.build()?;
    for warning in &report.warnings {
        log(HM_LOG_WARNING, &format!("{warning}; {}", warning.help()));
    }
    for hint in &report.hints {
        log(HM_LOG_HINT, &format!("{hint}; {}", hint.help()));
    }
    Ok(bytes)
}

/// Bakes all sprites and lends the bytes of the atlas, until the next call of this function with the
/// same baker. The same sprites and settings give the same bytes on every machine. Warnings go to
/// the callback of hm_set_log(). Uses all cores.
///
/// Errors: HM_BAKE.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_bake(baker: *mut hm_baker, bytes: *mut hm_bytes) -> hm_status {
    answer_with_mut(bytes, baker, |state| {
        let baked = bake(state)?;
        keep(&mut state.bytes, baked)
    })
}

/// Bakes all sprites and opens the atlas, without its bytes as a detour.
///
/// Errors: HM_BAKE, HM_OVER_LIMIT, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_baker_bake_atlas(
    baker: *mut hm_baker,
    atlas: *mut *mut hm_atlas,
) -> hm_status {
    answer_with_mut(atlas, baker, |state| AtlasState::store(Atlas::from_vec(bake(state)?)?))
}
