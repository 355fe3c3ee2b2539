//! [`hm_collider`] and the placements: what a caller states about a collider.
//!
//! Used by the exports of worlds. Values are checked by the library; here only those that have no
//! counterpart in it, such as accuracy 9.

use crate::lists::hm_body;
use crate::pointers::{any_bits, maybe_given};
use crate::status::{Answer, Failure, hm_status};
use crate::types::{
    HM_ACCURACY_EXACT, HM_ACCURACY_SAME, accuracy, accuracy_number, hm_accuracy, hm_collider_id,
    hm_mask_id, hm_placement, hm_sprite_id,
};
use hitmask::{
    Angle, Body, Collider, ColliderId, ColliderShape, Filter, Flip, MaskId, MinOverlap, Placement,
    SpriteId,
};
use std::mem::offset_of;

/// The value of hm_collider.cookie.
const COOKIE: u32 = 0x4843_4f4c;

/// A sprite or a run-time mask placed in the world. Fill it with hm_default_collider(), then set
/// what differs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_collider {
    /// Set by hm_default_collider(); do not change it.
    pub cookie: u32,
    /// The compound that the collider belongs to, or 0 for none. Colliders with the same owner
    /// never touch or block each other.
    pub owner: u32,
    /// The sprite, or 0 if `mask` is given.
    pub sprite: hm_sprite_id,
    /// The run-time mask, or 0 if `sprite` is given. A run-time mask has one pose, so frame, plane,
    /// angle, scale and flips must keep their defaults.
    pub mask: hm_mask_id,
    /// The frame of the sprite, from 0.
    pub frame: u32,
    /// The plane of the frame, from 0: see hm_atlas_plane().
    pub plane: u32,
    /// The position of the pivot in pixels, to the right. The pivot is the centre of the image unless
    /// the bake has set another. The position snaps to the nearest mask pixel, and
    /// must be within 1e9 mask pixels of 0.
    pub x: f32,
    /// The position of the pivot in pixels, down.
    pub y: f32,
    /// The rotation about the pivot in radians, clockwise on screen. Ignored if `use_turn` is set.
    pub angle: f32,
    /// The scale relative to the image. Default 1.
    pub scale: f32,
    /// Layers of the collider, 1 bit each. Default: the lowest bit.
    pub layers: u32,
    /// Layers that the collider can touch. Default: all. A pair can touch only if each collider is
    /// on a layer that the other can touch.
    pub collides_with: u32,
    /// The least overlap that counts as touching, in pixels of area. 0 is the default: any pixel.
    /// Ignored if `min_width` or `min_height` is not 0.
    pub min_overlap: u32,
    /// The least width of the overlap, in pixels; 0 for none.
    pub min_width: u32,
    /// The least height of the overlap, in pixels; 0 for none.
    pub min_height: u32,
    /// The rotation in 65,536ths of a turn, if `use_turn` is set.
    pub turn: u16,
    /// Not 0 if `turn` holds the rotation instead of `angle`.
    pub use_turn: u8,
    /// Not 0 to mirror left and right, before the rotation.
    pub flip_x: u8,
    /// Not 0 to mirror top and bottom, before the rotation.
    pub flip_y: u8,
    /// Not 0 if the collider never or seldom moves. Fixed colliders do not touch each other.
    pub fixed: u8,
    /// Not 0 if the collider reports touches without blocking moves.
    pub sensor: u8,
    /// 0 to take no part: it keeps its id, but touches and blocks nothing and is found by no query.
    pub enabled: u8,
    /// The accuracy for touching. Default HM_ACCURACY_EXACT.
    pub accuracy: hm_accuracy,
    /// The accuracy for moves and casts. Default HM_ACCURACY_SAME.
    pub move_accuracy: hm_accuracy,
    /// 0.
    pub reserved: u16,
}

any_bits! { hm_collider }

/// The colliders that a query considers. A null pointer to it means all. Fill it with
/// hm_default_filter(): a filter of zeros has no layer, so it finds nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_filter {
    /// A collider to leave out, usually the one that asks; or 0.
    pub except: hm_collider_id,
    /// Colliders on at least one of these layers, 1 bit each. Default: all.
    pub layers: u32,
    /// 0 to leave out sensors. Default 1.
    pub sensors: u8,
    /// HM_ACCURACY_BOX to test the tight boxes of colliders, else their pixels are tested.
    pub accuracy: hm_accuracy,
    /// 0.
    pub reserved: u16,
}

any_bits! { hm_filter }

/// Returns a collider of the first frame of no sprite, at (0, 0), not rotated, at scale 1. Set at
/// least `sprite` or `mask`.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_collider() -> hm_collider {
    hm_collider {
        cookie: COOKIE,
        scale: 1.0,
        layers: 1,
        collides_with: u32::MAX,
        enabled: 1,
        accuracy: HM_ACCURACY_EXACT,
        move_accuracy: HM_ACCURACY_SAME,
        ..hm_collider::default()
    }
}

/// Returns a filter that lets all colliders through, sensors included, tested by pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_filter() -> hm_filter {
    let accuracy = HM_ACCURACY_EXACT;
    hm_filter { except: 0, layers: u32::MAX, sensors: 1, accuracy, reserved: 0 }
}

/// Returns the id with these bits. The world refuses stale ones.
pub(crate) fn id(bits: hm_collider_id) -> Answer<ColliderId> {
    ColliderId::from_bits(bits).ok_or_else(|| {
        let message = format!("{bits} is no id of a collider; pass one that hm_world_insert wrote");
        Failure::new(hm_status::HM_STALE_ID, message)
    })
}

/// Returns the mask id with these bits.
pub(crate) fn mask_id(bits: hm_mask_id) -> Answer<MaskId> {
    MaskId::from_bits(bits).ok_or_else(|| {
        let message =
            format!("{bits} is no id of a mask; pass one that hm_world_insert_mask wrote");
        Failure::new(hm_status::HM_STALE_ID, message)
    })
}

/// Returns the sprite id with these bits.
pub(crate) fn sprite_id(bits: hm_sprite_id) -> Answer<SpriteId> {
    SpriteId::from_bits(bits).ok_or_else(|| {
        let message = format!("{bits} is no id of a sprite; pass one that hm_atlas_sprite wrote");
        Failure::new(hm_status::HM_UNKNOWN_SPRITE, message)
    })
}

impl hm_collider {
    /// Returns the collider in the library's form.
    pub(crate) fn read(&self) -> Answer<Collider> {
        if self.cookie != COOKIE {
            return Err(Failure::uninitialised("hm_collider", self.cookie));
        }
        let base = match (self.sprite, self.mask) {
            (sprite, 0) => Collider::new(sprite_id(sprite)?),
            (0, mask) => Collider::from_mask(mask_id(mask)?),
            _ => {
                let message = "a collider has a sprite and a mask; set one of them to 0";
                return Err(Failure::new(hm_status::HM_BAD_VALUE, message));
            }
        };
        let angle = match self.use_turn {
            0 if self.angle == 0.0 => Angle::turn(0),
            0 => self.angle.into(),
            _ => Angle::turn(self.turn),
        };
        let min_overlap = match [self.min_width, self.min_height] {
            [0, 0] => MinOverlap::Pixels(self.min_overlap),
            [width, height] => MinOverlap::Size { width, height },
        };
        let move_accuracy = match self.move_accuracy {
            HM_ACCURACY_SAME => None,
            number => Some(accuracy(number)?),
        };
        Ok(Collider {
            frame: self.frame,
            plane: self.plane,
            position: [self.x, self.y],
            angle,
            scale: self.scale,
            flip: Flip { x: self.flip_x != 0, y: self.flip_y != 0 },
            layers: self.layers,
            collides_with: self.collides_with,
            fixed: self.fixed != 0,
            sensor: self.sensor != 0,
            owner: self.owner,
            enabled: self.enabled != 0,
            accuracy: accuracy(self.accuracy)?,
            move_accuracy,
            min_overlap,
            ..base
        })
    }

    /// Returns the C form of a collider.
    pub(crate) fn of(collider: &Collider) -> Self {
        let (sprite, mask) = match collider.shape {
            ColliderShape::Sprite(sprite) => (sprite.to_bits(), 0),
            ColliderShape::Mask(mask) => (0, mask.to_bits()),
        };
        let (angle, turn, use_turn) = match collider.angle.as_turn() {
            Some(turn) => (0.0, turn, u8::from(turn != 0)),
            None => (collider.angle.to_radians(), 0, 0),
        };
        let (min_overlap, min_width, min_height) = match collider.min_overlap {
            MinOverlap::Pixels(pixels) => (pixels, 0, 0),
            MinOverlap::Size { width, height } => (0, width, height),
        };
        Self {
            cookie: COOKIE,
            owner: collider.owner,
            sprite,
            mask,
            frame: collider.frame,
            plane: collider.plane,
            x: collider.position[0],
            y: collider.position[1],
            angle,
            scale: collider.scale,
            layers: collider.layers,
            collides_with: collider.collides_with,
            min_overlap,
            min_width,
            min_height,
            turn,
            use_turn,
            flip_x: collider.flip.x.into(),
            flip_y: collider.flip.y.into(),
            fixed: collider.fixed.into(),
            sensor: collider.sensor.into(),
            enabled: collider.enabled.into(),
            accuracy: accuracy_number(collider.accuracy),
            move_accuracy: collider.move_accuracy.map_or(HM_ACCURACY_SAME, accuracy_number),
            reserved: 0,
        }
    }
}

impl hm_filter {
    /// Returns the filter in the library's form. No filter lets all colliders through.
    pub(crate) fn read(this: *const Self) -> Answer<Filter<'static>> {
        let Some(this) = maybe_given(this, "filter")? else { return Ok(Filter::ALL) };
        Ok(Filter {
            layers: this.layers,
            sensors: this.sensors != 0,
            except: ColliderId::from_bits(this.except),
            accuracy: accuracy(this.accuracy)?,
            ..Filter::ALL
        })
    }
}

/// The placements of C are read in place as those of the library.
const _: () = {
    assert!(size_of::<hm_placement>() == size_of::<Placement>());
    assert!(align_of::<hm_placement>() == align_of::<Placement>());
    assert!(offset_of!(hm_placement, x) == offset_of!(Placement, position));
    assert!(offset_of!(hm_placement, angle) == offset_of!(Placement, angle));
};

impl From<Body> for hm_body {
    fn from(body: Body) -> Self {
        match body {
            Body::Owner(owner) => Self { owner, ..Self::default() },
            Body::Collider(id) => Self { collider: id.to_bits(), ..Self::default() },
        }
    }
}
