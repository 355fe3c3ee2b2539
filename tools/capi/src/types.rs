//! Plain structs that several exports share.
//!
//! Invariants: every struct is `repr(C)` without hidden padding that matters. Input structs hold
//! numbers only, so that no pattern of bits is invalid; a Boolean in them is a byte.

use crate::status::{Answer, Failure};
use hitmask::{Accuracy, Contact, Impact, Normal, Point, Rect, Side};

/// The id of a collider in one world. 0 is no collider. An id of a removed collider is stale: it
/// never names the collider that reuses its slot. The lower 32 bits are the slot, counted from 0,
/// which can index arrays of your own.
pub type hm_collider_id = u64;

/// The id of a run-time mask in one world. 0 is no mask.
pub type hm_mask_id = u64;

/// The id of a sprite in one atlas. 0 is no sprite. Do not store it in files: store names.
pub type hm_sprite_id = u64;

/// The id of an atlas, which depends on the names, the settings and the masks of its sprites. A game
/// can tell by it whether two players have the same atlas. Sprite ids carry it. 0 is no atlas.
pub type hm_atlas_id = u32;

/// How closely pairs are tested: HM_ACCURACY_BOX, HM_ACCURACY_COARSE or HM_ACCURACY_EXACT.
pub type hm_accuracy = u8;

/// The tight boxes of the pixels decide.
pub const HM_ACCURACY_BOX: hm_accuracy = 0;
/// Coarse masks of 8 x 8 pixels decide where they can, for large sprites.
pub const HM_ACCURACY_COARSE: hm_accuracy = 1;
/// Pixels decide. The default.
pub const HM_ACCURACY_EXACT: hm_accuracy = 2;
/// For hm_collider.move_accuracy: the accuracy for touching. The default.
pub const HM_ACCURACY_SAME: hm_accuracy = 255;

/// A side of an obstacle, as seen from what moves.
pub type hm_side = u32;

/// The obstacle is below: a floor.
pub const HM_SIDE_BELOW: hm_side = 0;
/// The obstacle is above: a ceiling.
pub const HM_SIDE_ABOVE: hm_side = 1;
/// The obstacle is on the left.
pub const HM_SIDE_LEFT: hm_side = 2;
/// The obstacle is on the right.
pub const HM_SIDE_RIGHT: hm_side = 3;

/// A point or a direction in pixels: x right, y down.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct hm_vec2 {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// A whole-number point or translation in mask pixels: x right, y down.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct hm_point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// A rectangle of mask pixels, from (x0, y0) up to but without (x1, y1). Empty if x0 >= x1 or
/// y0 >= y1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct hm_rect {
    /// The first column.
    pub x0: i32,
    /// The first row.
    pub y0: i32,
    /// The column after the last.
    pub x1: i32,
    /// The row after the last.
    pub y1: i32,
}

/// A size in pixels.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct hm_size {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Two colliders that touch; `a` has the lower slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct hm_pair {
    /// The collider of lower slot.
    pub a: hm_collider_id,
    /// The collider of higher slot.
    pub b: hm_collider_id,
}

/// The overlap of two masks.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct hm_contact {
    /// The number of shared pixels.
    pub area: u64,
    /// The tight box of the shared pixels.
    pub rect: hm_rect,
    /// The first shared pixel: of the top row, the leftmost.
    pub point: hm_point,
}

/// The first contact of a motion with one obstacle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct hm_impact {
    /// The step at which the two touch first: 0 if they overlap at the start. A step is one pixel
    /// on the longer axis of the motion.
    pub step: u32,
    /// The steps of the whole motion.
    pub steps: u32,
    /// The last free translation, in mask pixels.
    pub free_offset: hm_point,
    /// The translation at which the two touch, in mask pixels.
    pub contact_offset: hm_point,
    /// The surface normal at the contact, of length 1, from the obstacle to what moves.
    pub normal: hm_vec2,
    /// The fraction of the motion that is free, from 0 to 1.
    pub time: f32,
    /// The side of the obstacle as seen from what moves.
    pub side: hm_side,
}

/// The position and the angle of a collider: what usually changes from tick to tick. The library
/// reads arrays of it in place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_placement {
    /// The position of the pivot in pixels, to the right.
    pub x: f32,
    /// The position of the pivot in pixels, down.
    pub y: f32,
    /// The rotation about the pivot in radians, clockwise on screen.
    pub angle: f32,
}

/// The position and the angle of a collider, the angle as an exact part of a turn.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_placement_turn {
    /// The position of the pivot in pixels, to the right.
    pub x: f32,
    /// The position of the pivot in pixels, down.
    pub y: f32,
    /// The rotation about the pivot in 65,536ths of a turn, clockwise on screen.
    pub turn: u16,
    /// 0.
    pub reserved: u16,
}

/// The id of a stored pose of one atlas, upright or upside down. 0 is no pose. It does not carry its
/// atlas: with another one it names another pose, or none.
pub type hm_pose_id = u64;

/// Two poses of an atlas, and the offset of the second.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_pose_pair {
    /// The first pose. The top left pixel of its mask is at (0, 0).
    pub a: hm_pose_id,
    /// The second pose.
    pub b: hm_pose_id,
    /// The top left pixel of the second mask.
    pub at: hm_point,
}

/// How the value of the channel is compared with hm_texel_rule.alpha.
pub type hm_alpha_test = u8;

/// The channel of an image that decides.
pub type hm_channel = u8;

/// A range of colours: each of red, green, blue and alpha from a lowest to a highest value, both
/// included.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_color_range {
    /// The lowest red, green, blue and alpha.
    pub from: [u8; 4],
    /// The highest red, green, blue and alpha.
    pub to: [u8; 4],
}

/// Which pixels of an image are solid. Fill it with hm_default_texel_rule(). The arrays are read
/// during the call that gets the rule.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_texel_rule {
    /// Set by hm_default_texel_rule(); do not change it.
    pub cookie: u32,
    /// The number that the value of the channel is compared with. Default 128.
    pub alpha: u8,
    /// How the two are compared. Default HM_ALPHA_AT_LEAST.
    pub alpha_test: hm_alpha_test,
    /// The channel. Default HM_CHANNEL_ALPHA.
    pub channel: hm_channel,
    /// 0.
    pub reserved: u8,
    /// Colours that are never solid, or null.
    pub exclude: *const hm_color_range,
    /// The number of these colours. Default 0.
    pub exclude_count: usize,
    /// Colours that alone can be solid, or null for all.
    pub only: *const hm_color_range,
    /// The number of these colours. Default 0.
    pub only_count: usize,
}

impl From<[f32; 2]> for hm_vec2 {
    fn from([x, y]: [f32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Normal> for hm_vec2 {
    fn from(normal: Normal) -> Self {
        Self { x: normal.x, y: normal.y }
    }
}

impl From<hm_vec2> for [f32; 2] {
    fn from(v: hm_vec2) -> Self {
        [v.x, v.y]
    }
}

impl From<Point> for hm_point {
    fn from(Point { x, y }: Point) -> Self {
        Self { x, y }
    }
}

impl From<hm_point> for [i32; 2] {
    fn from(p: hm_point) -> Self {
        [p.x, p.y]
    }
}

impl From<Rect> for hm_rect {
    fn from(Rect { x0, y0, x1, y1 }: Rect) -> Self {
        Self { x0, y0, x1, y1 }
    }
}

impl From<hm_rect> for Rect {
    fn from(rect: hm_rect) -> Self {
        Self { x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: rect.y1 }
    }
}

impl From<Contact> for hm_contact {
    fn from(contact: Contact) -> Self {
        let Contact { rect, area, point, .. } = contact;
        Self { area, rect: rect.into(), point: point.into() }
    }
}

impl From<Impact> for hm_impact {
    fn from(impact: Impact) -> Self {
        let normal = impact.normal;
        Self {
            step: impact.step,
            steps: impact.steps,
            free_offset: impact.free_offset.into(),
            contact_offset: impact.contact_offset.into(),
            normal: normal.into(),
            time: impact.time(),
            side: side_number(normal.side()),
        }
    }
}

pub(crate) const fn side_number(side: Side) -> hm_side {
    match side {
        Side::Below => HM_SIDE_BELOW,
        Side::Above => HM_SIDE_ABOVE,
        Side::Left => HM_SIDE_LEFT,
        Side::Right => HM_SIDE_RIGHT,
    }
}

pub(crate) const fn accuracy_number(accuracy: Accuracy) -> hm_accuracy {
    match accuracy {
        Accuracy::Box => HM_ACCURACY_BOX,
        Accuracy::Coarse => HM_ACCURACY_COARSE,
        Accuracy::Exact => HM_ACCURACY_EXACT,
    }
}

pub(crate) fn accuracy(number: hm_accuracy) -> Answer<Accuracy> {
    match number {
        HM_ACCURACY_BOX => Ok(Accuracy::Box),
        HM_ACCURACY_COARSE => Ok(Accuracy::Coarse),
        HM_ACCURACY_EXACT => Ok(Accuracy::Exact),
        _ => {
            let allowed = "give HM_ACCURACY_BOX, _COARSE or _EXACT (0 to 2)";
            Failure::value("accuracy", number, allowed)
        }
    }
}
