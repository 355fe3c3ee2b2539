//! Sprites of an atlas: names, ids, frames, planes and the masks of their poses.

use crate::atlas::{AtlasState, SpriteNames};
use crate::collider::sprite_id;
use crate::handles::{answer_with, hm_atlas, hm_mask, maybe_with, with};
use crate::lists::hm_floats;
use crate::mask::MaskState;
use crate::pointers::{answer, maybe, maybe_two, text};
use crate::status::{Answer, Failure, c_string, hm_status};
use crate::types::{hm_point, hm_size, hm_sprite_id, hm_texel_rule};
use hitmask::baking::alike;
use hitmask::{Flip, Sprite, SpriteId};
use std::ffi::{CStr, CString, c_char};

impl AtlasState {
    fn names(&self) -> &[SpriteNames] {
        self.names.get_or_init(|| {
            let names = |sprite: Sprite<'_>| SpriteNames {
                name: c_string(sprite.name()),
                planes: sprite.planes().map(c_string).collect(),
            };
            self.atlas.sprites().map(names).collect()
        })
    }

    pub(crate) fn sprite(&self, bits: hm_sprite_id) -> Answer<Sprite<'_>> {
        let id = sprite_id(bits)?;
        self.atlas.sprite(id).ok_or_else(|| {
            let sprites = self.atlas.sprites().len();
            let message = format!(
                "the atlas has {sprites} sprites, and none with the id {bits}; get the id from \
                 hm_atlas_sprite"
            );
            Failure::new(hm_status::HM_UNKNOWN_SPRITE, message)
        })
    }
}

pub(crate) fn no_frame(frame: u32, sprite: Sprite<'_>) -> Failure {
    let frames = sprite.frame_count();
    let message = format!(
        "frame {frame} does not exist (frames of the sprite: {frames}); frames count from 0"
    );
    Failure::new(hm_status::HM_UNKNOWN_SPRITE, message)
}

pub(crate) fn in_plane(sprite: Sprite<'_>, plane: u32) -> Result<Sprite<'_>, Failure> {
    sprite.in_plane(plane).ok_or_else(|| {
        let planes = sprite.plane_count();
        let message = format!(
            "plane {plane} does not exist (planes: {planes}); get the index from hm_atlas_plane"
        );
        Failure::new(hm_status::HM_UNKNOWN_SPRITE, message)
    })
}

/// What is known about a sprite. The name is lent until the atlas is destroyed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_sprite {
    /// The id of the sprite.
    pub id: hm_sprite_id,
    /// The name, UTF-8 with a NUL at its end.
    pub name: *const c_char,
    /// The number of frames.
    pub frames: u32,
    /// The number of planes of each frame, at least 1.
    pub planes: u32,
    /// The number of baked angles in a full turn.
    pub angles: u32,
    /// The number of baked scales.
    pub scales: u32,
    /// The bytes of its masks.
    pub mask_bytes: u64,
}

/// Writes the id of the sprite with this name. HM_NONE if there is none: hm_atlas_alike() gives a name to
/// suggest.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_sprite(
    atlas: *const hm_atlas,
    name: *const c_char,
    sprite: *mut hm_sprite_id,
) -> hm_status {
    maybe_with(sprite, atlas, |state| {
        let name = text(name, "name")?;
        Ok(state.atlas.sprite_id(name).map(SpriteId::to_bits))
    })
}

/// Lends the name most like a misspelt one, for a message, until the atlas is destroyed: of a sprite if
/// `sprite` is 0, or else of a plane of that sprite. HM_NONE if no name is like it. Costs about 1 us for
/// each sprite.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_alike(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    name: *const c_char,
    other: *mut *const c_char,
) -> hm_status {
    maybe_with(other, atlas, |state| {
        let name = text(name, "name")?;
        let names: Vec<&CStr> = match sprite {
            0 => state.names().iter().map(|names| names.name.as_c_str()).collect(),
            _ => {
                let planes = &state.names()[state.sprite(sprite)?.id().index() as usize].planes;
                planes.iter().map(CString::as_c_str).collect()
            }
        };
        let texts = names.iter().filter_map(|other| other.to_str().ok());
        let found = alike(name, texts);
        let is_found =
            |other: &&&CStr| found.is_some_and(|found| other.to_bytes() == found.as_bytes());
        Ok(names.iter().find(is_found).map(|other| other.as_ptr()))
    })
}

/// Writes the id of the sprite at an index, in the order of names from 0. HM_NONE beyond the last.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_sprite_at(
    atlas: *const hm_atlas,
    index: u32,
    sprite: *mut hm_sprite_id,
) -> hm_status {
    maybe_with(sprite, atlas, |state| {
        Ok(state.atlas.sprites().nth(index as usize).map(|sprite| sprite.id().to_bits()))
    })
}

/// Writes what is known about a sprite.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_sprite_info(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    info: *mut hm_sprite,
) -> hm_status {
    answer_with(info, atlas, |state| {
        let sprite = state.sprite(sprite)?;
        let names = &state.names()[sprite.id().index() as usize];
        Ok(hm_sprite {
            id: sprite.id().to_bits(),
            name: names.name.as_ptr(),
            frames: sprite.frame_count(),
            planes: sprite.plane_count(),
            angles: sprite.angles(),
            scales: sprite.scales().len() as u32,
            mask_bytes: sprite.mask_bytes(),
        })
    })
}

/// Lends the baked scales of a sprite, in ascending order, until the atlas is destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_scales(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    scales: *mut hm_floats,
) -> hm_status {
    answer_with(scales, atlas, |state| Ok(state.sprite(sprite)?.scales().into()))
}

/// Writes the index of the plane with this name. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_plane(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    name: *const c_char,
    plane: *mut u32,
) -> hm_status {
    maybe_with(plane, atlas, |state| {
        let name = text(name, "name")?;
        Ok(state.sprite(sprite)?.plane(name))
    })
}

/// Lends the name of a plane until the atlas is destroyed. HM_NONE if there is no such plane.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_plane_name(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    plane: u32,
    name: *mut *const c_char,
) -> hm_status {
    maybe_with(name, atlas, |state| {
        let sprite = state.sprite(sprite)?.id();
        let planes = &state.names()[sprite.index() as usize].planes;
        Ok(planes.get(plane as usize).map(|name| name.as_ptr()))
    })
}

/// Writes the rule for alpha that a sprite was baked with, for masks at run time that equal baked ones.
/// Its channel and colours are the defaults, because an atlas does not hold them.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_alpha_rule(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    rule: *mut hm_texel_rule,
) -> hm_status {
    answer(rule, || with(atlas, |state| Ok(hm_texel_rule::of(state.sprite(sprite)?.alpha_rule()))))
}

/// Writes the threshold of a plane by alpha: its pixels have at least this alpha. HM_NONE if the plane
/// has none, or if there is no such plane.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_plane_threshold(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    plane: u32,
    threshold: *mut u8,
) -> hm_status {
    maybe_with(threshold, atlas, |state| {
        let mut planes = state.sprite(sprite)?.threshold_planes();
        Ok(planes.find(|&(_, of)| of == plane).map(|(threshold, _)| threshold))
    })
}

/// Writes the plane with the least threshold that is at least `threshold`: every pixel of it has at
/// least this alpha. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_plane_for_threshold(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    threshold: u8,
    plane: *mut u32,
) -> hm_status {
    maybe(plane, || with(atlas, |state| Ok(state.sprite(sprite)?.plane_for_threshold(threshold))))
}

/// Writes the plane of a sprite that is drawn with an alpha of its own, `fade`, usually from 0 to 1: a
/// pixel counts if its alpha times `fade` is at least `threshold`. HM_NONE if no pixel can: disable
/// the collider then.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_plane_for_fade(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    threshold: u8,
    fade: f32,
    plane: *mut u32,
) -> hm_status {
    maybe(plane, || with(atlas, |state| Ok(state.sprite(sprite)?.plane_for_fade(threshold, fade))))
}

/// Writes the size of a frame's image in pixels, before trimming.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_frame_size(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    frame: u32,
    size: *mut hm_size,
) -> hm_status {
    answer_with(size, atlas, |state| {
        let sprite = state.sprite(sprite)?;
        let [width, height] = sprite.frame_size(frame).ok_or_else(|| no_frame(frame, sprite))?;
        Ok(hm_size { width, height })
    })
}

/// Writes the pivot of a frame in half-pixels from the top left corner of its image.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_pivot(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    frame: u32,
    pivot: *mut hm_point,
) -> hm_status {
    answer_with(pivot, atlas, |state| {
        let sprite = state.sprite(sprite)?;
        let [x, y] = sprite.pivot(frame).ok_or_else(|| no_frame(frame, sprite))?;
        Ok(hm_point { x, y })
    })
}

/// Creates a mask of a pose: the baked one nearest to an angle in radians and a scale. Writes to
/// `origin` where its top left pixel is relative to the position of a collider; `origin` may be
/// null. The flips are 0 or not. HM_NONE if the angle or the scale is not finite.
#[unsafe(no_mangle)]
pub extern "C" fn hm_atlas_posed_mask(
    atlas: *const hm_atlas,
    sprite: hm_sprite_id,
    frame: u32,
    plane: u32,
    angle: f32,
    scale: f32,
    flip_x: u8,
    flip_y: u8,
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    maybe_two(mask, origin, || {
        with(atlas, |state| {
            let sprite = in_plane(state.sprite(sprite)?, plane)?;
            let Some(pose) = sprite.nearest(angle, scale) else { return Ok(None) };
            let flip = Flip { x: flip_x != 0, y: flip_y != 0 };
            let posed = sprite.posed(frame, pose, flip).ok_or_else(|| no_frame(frame, sprite))?;
            Ok(Some((MaskState::store(posed.mask.to_mask())?, posed.origin.into())))
        })
    })
}
