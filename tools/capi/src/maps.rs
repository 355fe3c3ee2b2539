//! Maps of atlases: their items, and the colliders of these in a world.

use crate::handles::{answer_with_mut, hm_world};
use crate::lists::{hm_map_item, hm_map_items, hm_properties, hm_property};
use crate::pointers::{Lent, any_bits, text};
use crate::status::{Failure, c_string, hm_status};
use crate::types::hm_vec2;
use hitmask::{Atlas, ColliderId, Map};
use std::ffi::{CStr, CString, c_char};
use std::iter::once;

any_bits! { hm_property hm_map_item }

/// A map: the colliders and the named places of a level.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_map {
    /// The name, UTF-8 with a NUL at its end. Null if there is no map.
    pub name: *const c_char,
    /// Width and height in pixels.
    pub size: hm_vec2,
    /// The properties of the map.
    pub properties: hm_properties,
    /// The colliders and the places, in the order of the level file.
    pub items: hm_map_items,
}

/// A map with the texts that it lends.
pub(crate) struct LentMap {
    size: hm_vec2,
    /// The name of the map, keys and values, and the name and the class of each item.
    texts: Vec<CString>,
    /// The properties of the map, and then those of each item.
    properties: Lent<hm_property>,
    /// The number of properties of the map.
    own_properties: usize,
    items: Lent<hm_map_item>,
}

impl LentMap {
    /// Copies a map whose top-left corner is at a position. `ids` has the collider of each item, or is empty.
    pub(crate) fn new(map: &Map, at: hm_vec2, ids: &[Option<ColliderId>]) -> Self {
        let of_items = map.items.iter().flat_map(|item| &item.properties);
        let pairs: Vec<_> = map.properties.iter().chain(of_items).collect();
        let pair_texts = pairs.iter().flat_map(|(key, value)| [key, value]);
        let item_texts = map.items.iter().flat_map(|item| [&item.name, &item.class]);
        let all_texts = once(&map.name).chain(pair_texts).chain(item_texts);
        let texts: Vec<CString> = all_texts.map(|text| c_string(text)).collect();
        // The addresses are taken in the order of the texts.
        let mut addresses = texts.iter().skip(1).map(|text| text.as_ptr());
        let mut next = || addresses.next().unwrap_or(c"".as_ptr());
        let properties: Vec<_> =
            pairs.iter().map(|_| hm_property { key: next(), value: next() }).collect();
        let own_properties = map.properties.len();
        let mut rest = &properties[own_properties..];
        let items = map.items.iter().enumerate().map(|(index, item)| {
            let (own, others) = rest.split_at(item.properties.len());
            rest = others;
            let id = ids.get(index).copied().flatten();
            hm_map_item {
                name: next(),
                class_name: next(),
                properties: own.into(),
                position: hm_vec2 { x: item.position[0] + at.x, y: item.position[1] + at.y },
                size: item.size.into(),
                collider: id.map_or(0, ColliderId::to_bits),
            }
        });
        let items = Lent(items.collect());
        Self { size: map.size.into(), texts, properties: Lent(properties), own_properties, items }
    }

    /// Returns the name.
    pub(crate) fn name(&self) -> &CStr {
        &self.texts[0]
    }

    pub(crate) fn lend(&self) -> hm_map {
        hm_map {
            name: self.texts[0].as_ptr(),
            size: self.size,
            properties: self.properties.0[..self.own_properties].into(),
            items: self.items.0.as_slice().into(),
        }
    }
}

/// Returns the failure of a name that no map of these atlases has.
#[cold]
fn no_map<'a>(name: &str, atlases: impl Iterator<Item = &'a Atlas>) -> Failure {
    /// The number of names in the message.
    const MOST: usize = 20;
    let names: Vec<String> = atlases.flat_map(Atlas::maps).map(|map| map.name).collect();
    let shown = names.iter().take(MOST).map(|name| format!("{name:?}")).collect::<Vec<_>>();
    let more = names.len() - shown.len();
    let help = match (shown.join(", "), more) {
        (_, 0) if names.is_empty() => {
            "bake a level file into an atlas; they have no maps".to_owned()
        }
        (shown, 0) => format!("their maps: {shown}"),
        (shown, more) => format!("their maps: {shown} and {more} more"),
    };
    let message = format!("no atlas of the world has the map {name:?}; {help}");
    Failure::new(hm_status::HM_UNKNOWN_SPRITE, message)
}

/// Inserts the colliders of a map, fixed, with the map's top-left corner at a position in pixels. Takes the
/// map of the first atlas of hm_world_atlases() that has one with this name. Lends the map with the ids of
/// its colliders until the next call of this function with the same world. hm_world_remove_all() takes
/// them out again.
///
/// After hm_world_replace_atlas() the colliders show the new pixels. If the map has changed, remove
/// its colliders and insert it again.
///
/// Errors: HM_UNKNOWN_SPRITE if no atlas has the map, or the map's atlas has no sprite that the map
/// needs; HM_BAD_TEXT, HM_BAD_NUMBER, HM_UNBAKED_SCALE, HM_OVER_LIMIT, HM_FULL. No collider was inserted.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_insert_map(
    world: *mut hm_world,
    name: *const c_char,
    at: hm_vec2,
    map: *mut hm_map,
) -> hm_status {
    answer_with_mut(map, world, |state| {
        let name = text(name, "name")?;
        let world = &mut state.world;
        let found = world.atlases().find_map(|atlas| atlas.map(name));
        let found = found.ok_or_else(|| no_map(name, world.atlases()))?;
        let ids = world.insert_map(&found, [at.x, at.y])?.ids;
        Ok(state.lent.map.insert(LentMap::new(&found, at, &ids)).lend())
    })
}
