//! The lists that calls lend to the caller: a pointer and a count.
//!
//! Invariants: the items stay where they are until the next call that the function's documentation
//! names. An empty list may have any pointer.

use crate::status::Answer;
use crate::types::{
    hm_atlas_id, hm_collider_id, hm_impact, hm_pair, hm_placement, hm_point, hm_rect, hm_side,
    hm_vec2,
};
use hitmask::{ColliderId, Pair};
use std::ffi::c_char;

/// A list of an object: where its items are, and how many there are.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_list<T> {
    /// The first item.
    pub items: *const T,
    /// The number of items.
    pub count: usize,
}

/// A lent list of bytes.
pub type hm_bytes = hm_list<u8>;

/// A lent list of ids of colliders.
pub type hm_colliders = hm_list<hm_collider_id>;

/// A lent list of pairs.
pub type hm_pairs = hm_list<hm_pair>;

/// A lent list of placements.
pub type hm_placements = hm_list<hm_placement>;

/// A lent list of points.
pub type hm_points = hm_list<hm_point>;

/// A lent list of rectangles.
pub type hm_rects = hm_list<hm_rect>;

/// A lent list of ids of atlases.
pub type hm_atlas_ids = hm_list<hm_atlas_id>;

/// A lent list of whole numbers.
pub type hm_numbers = hm_list<u32>;

/// A lent list of numbers.
pub type hm_floats = hm_list<f32>;

/// A connected part of a mask.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_component {
    /// The number of its pixels.
    pub area: u64,
    /// Its tight box.
    pub rect: hm_rect,
}

/// A lent list of connected parts.
pub type hm_components = hm_list<hm_component>;

/// A lent list of polygons. The corners of polygon i are `points[starts[i]]` up to but without
/// `points[starts[i + 1]]`. Outer ones run clockwise, holes counter-clockwise.
#[repr(C)]
#[derive(Default)]
pub struct hm_polygons {
    /// The corners of all polygons.
    pub points: *const hm_point,
    /// count + 1 numbers: where each polygon starts, and where the last one ends.
    pub starts: *const u32,
    /// The number of polygons.
    pub count: usize,
}

/// A lent text: UTF-8 with a NUL at its end.
#[repr(C)]
#[derive(Default)]
pub struct hm_text {
    /// The first byte.
    pub items: *const c_char,
    /// The number of bytes without the NUL.
    pub count: usize,
}

/// A collider that a motion hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_hit {
    /// The collider that is hit.
    pub collider: hm_collider_id,
    /// Where the mover ends: its position at the last free pixel, in pixels. (0, 0) for the casts
    /// of masks, which have no position.
    pub position: hm_vec2,
    /// The top-left corner of the first pixel that both have, in pixels: where a shell carves, or an
    /// effect appears. A sprite of one pixel with its pivot there covers that pixel.
    pub point: hm_vec2,
    /// The contact.
    pub impact: hm_impact,
}

/// A lent list of hits.
pub type hm_hits = hm_list<hm_hit>;

/// A collider that a ray hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_line_hit {
    /// The collider that is hit.
    pub collider: hm_collider_id,
    /// The first pixel of the line that the collider has too, in mask pixels.
    pub point: hm_point,
    /// The step of the line at which that pixel is, from 0.
    pub step: u32,
    /// The steps of the whole line.
    pub steps: u32,
    /// The surface normal at that pixel, of length 1, out of the collider.
    pub normal: hm_vec2,
}

/// A lent list of hits of a ray.
pub type hm_line_hits = hm_list<hm_line_hit>;

/// How near another collider is.
pub type hm_graze = u32;

/// The pixels are farther apart than the radius.
pub const HM_GRAZE_CLEAR: hm_graze = 0;
/// The pixels do not touch, and are within the radius.
pub const HM_GRAZE_NEAR: hm_graze = 1;
/// The pixels touch.
pub const HM_GRAZE_HIT: hm_graze = 2;

/// A collider that is touched or grazed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_grazed {
    /// The collider.
    pub collider: hm_collider_id,
    /// HM_GRAZE_NEAR or HM_GRAZE_HIT.
    pub graze: hm_graze,
    /// 0.
    pub reserved: u32,
}

/// A lent list of grazed colliders.
pub type hm_grazes = hm_list<hm_grazed>;

/// An obstacle that ended a part of a move.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_blocked {
    /// The obstacle.
    pub collider: hm_collider_id,
    /// Its side as seen from the mover: HM_SIDE_BELOW for a floor.
    pub side: hm_side,
    /// 0.
    pub reserved: u32,
}

/// A lent list of obstacles.
pub type hm_blocked_list = hm_list<hm_blocked>;

/// One object: all colliders of an owner, or a collider without an owner. hm_collider.owner names the
/// body of a collider.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_body {
    /// The collider, or 0 if the body is that of an owner.
    pub collider: hm_collider_id,
    /// The owner, or 0 if the body is a single collider.
    pub owner: u32,
    /// 0.
    pub reserved: u32,
}

/// Two bodies that touch, and the parts by which they do.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_body_pair {
    /// The lesser body: owners come before single colliders.
    pub a: hm_body,
    /// The greater body.
    pub b: hm_body,
    /// A part of `a` that touches `part_b`.
    pub part_a: hm_collider_id,
    /// A part of `b`.
    pub part_b: hm_collider_id,
}

/// A lent list of pairs of bodies.
pub type hm_body_pairs = hm_list<hm_body_pair>;

/// Two planes that overlap, one of each collider of a pair.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_plane_pair {
    /// The plane of the first collider.
    pub a: u32,
    /// The plane of the second collider.
    pub b: u32,
}

/// A lent list of pairs of planes.
pub type hm_plane_pairs = hm_list<hm_plane_pair>;

/// A property of a map or of an item: two texts in UTF-8 with a NUL at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_property {
    /// The name of the property.
    pub key: *const c_char,
    /// The value as a text, such as "3", "true" or "#ff0000".
    pub value: *const c_char,
}

/// A part of a map: a chunk of tiles, an object or a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_map_item {
    /// What tells the item from all others, in this version of the level and in later ones: "solid/3,-1" is
    /// the chunk in column 3 and row -1, "things/17" is object 17 of a layer. UTF-8 with a NUL at its end.
    pub id: *const c_char,
    /// The name of the object, or the terrain of a chunk, UTF-8 with a NUL at its end.
    pub name: *const c_char,
    /// The class of the object; "chunk" for a chunk of tiles.
    pub class_name: *const c_char,
    /// The properties of the object.
    pub properties: hm_properties,
    /// The position in pixels: of the collider, or of the point. From the top-left corner of the map
    /// for hm_atlas_map(), else in the world.
    pub position: hm_vec2,
    /// The size of the object in pixels, before it is turned. (0, 0) for a point.
    pub size: hm_vec2,
    /// The collider in the world. 0 for a point, for an item whose collider the game removed before an
    /// update of the map, and for all items of hm_atlas_map().
    pub collider: hm_collider_id,
}

/// A lent list of properties.
pub type hm_properties = hm_list<hm_property>;

/// A lent list of the items of a map.
pub type hm_map_items = hm_list<hm_map_item>;

/// The result of one move of hm_world_move_all().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_moved {
    /// The new position of the collider, in pixels.
    pub position: hm_vec2,
    /// The distance moved, in mask pixels.
    pub translation: hm_point,
    /// The number of its contacts.
    pub contacts: u32,
    /// The number of sensors that it touched on its way.
    pub passed: u32,
    /// The number of obstacles that it still overlaps.
    pub stuck_in: u32,
}

/// Fills a list of an object, and lends it.
pub(crate) fn lend<T, L: for<'a> From<&'a [T]>>(
    list: &mut Vec<T>,
    items: impl IntoIterator<Item = T>,
) -> Answer<L> {
    list.clear();
    list.extend(items);
    Ok(list.as_slice().into())
}

/// Keeps a list in an object, and lends it.
pub(crate) fn keep<T, L: for<'a> From<&'a [T]>>(list: &mut Vec<T>, items: Vec<T>) -> Answer<L> {
    *list = items;
    Ok(list.as_slice().into())
}

impl<T> From<&[T]> for hm_list<T> {
    fn from(items: &[T]) -> Self {
        Self { items: items.as_ptr(), count: items.len() }
    }
}

/// The items have the same layout.
macro_rules! lend_as {
    ($($item:ty as $lent:ty;)*) => {
        $(impl From<&[$item]> for hm_list<$lent> {
            fn from(items: &[$item]) -> Self {
                Self { items: items.as_ptr().cast(), count: items.len() }
            }
        })*
    };
}
lend_as! { ColliderId as hm_collider_id; Pair as hm_pair; }

impl From<&std::ffi::CStr> for hm_text {
    fn from(text: &std::ffi::CStr) -> Self {
        Self { items: text.as_ptr(), count: text.count_bytes() }
    }
}

const _: () = {
    assert!(size_of::<ColliderId>() == 8 && align_of::<ColliderId>() >= align_of::<u64>());
    assert!(
        size_of::<Pair>() == size_of::<hm_pair>() && align_of::<Pair>() >= align_of::<hm_pair>()
    );
};

pub(crate) fn pair(pair: hm_pair) -> Option<Pair> {
    let hm_pair { a, b } = pair;
    Some(Pair { a: ColliderId::from_bits(a)?, b: ColliderId::from_bits(b)? })
}
