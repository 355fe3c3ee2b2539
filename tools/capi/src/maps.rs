//! Maps of atlases: their items, and the colliders of these in a world.

use crate::handles::{answer_with_mut, destroy, handle, hm_placed_map, hm_world, store, with_mut};
use crate::lists::{hm_map_item, hm_map_items, hm_numbers, hm_properties, hm_property};
use crate::pointers::{Lent, answer_two, any_bits, text};
use crate::status::{Answer, Failure, c_string, call, hm_status};
use crate::types::hm_vec2;
use hitmask::{Atlas, ColliderId, Map, MapReport, PlacedMap, World};
use std::collections::HashSet;
use std::ffi::{CStr, CString, c_char};
use std::iter::once;
use std::ptr::null_mut;
use std::sync::Arc;

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

/// The result of hm_world_update_map(). The numbers are indices of `map.items`, ascending. All is lent
/// until the next update of the same placed map, or its destruction.
#[repr(C)]
#[derive(Default)]
pub struct hm_map_report {
    /// The map as it is now, with the ids of its colliders.
    pub map: hm_map,
    /// The items whose colliders were inserted.
    pub inserted: hm_numbers,
    /// The items that are gone, as they were before. Their colliders were removed, and the ids are stale.
    pub removed: hm_map_items,
    /// The items whose colliders were moved, or changed in another field. Other pixels alone do not count:
    /// hm_world_replace_atlas() shows them.
    pub changed: hm_numbers,
    /// The items that the game has changed or removed itself. They keep what it changed.
    pub kept: hm_numbers,
}

/// A map with the texts that it lends.
pub(crate) struct LentMap {
    size: hm_vec2,
    /// The name of the map, keys and values, and the id, the name and the class of each item.
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
        let item_texts = map.items.iter().flat_map(|item| [&item.id, &item.name, &item.class]);
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
                id: next(),
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

/// A placed map with what its last update lends.
pub(crate) struct PlacedMapState {
    name: String,
    at: hm_vec2,
    placed: PlacedMap,
    map: Arc<LentMap>,
    /// The map before the last update, which has the texts of the removed items.
    _before: Option<Arc<LentMap>>,
    removed: Lent<hm_map_item>,
    /// The inserted, the changed and the kept items.
    numbers: [Vec<u32>; 3],
}

impl PlacedMapState {
    /// Returns the state of a map before its items are placed.
    fn new(name: String, at: hm_vec2) -> Self {
        let map = Arc::new(LentMap::new(&Map::default(), at, &[]));
        let (placed, removed) = (PlacedMap::default(), Lent(Vec::new()));
        Self { name, at, placed, map, _before: None, removed, numbers: Default::default() }
    }

    /// Lends a report, after `placed` was brought up to date with `map`.
    fn report(&mut self, map: &Map, report: MapReport) -> hm_map_report {
        let map = Arc::new(LentMap::new(map, self.at, &self.placed.ids));
        let before = std::mem::replace(&mut self.map, map);
        let gone: HashSet<u64> = report.removed.iter().map(|(_, id)| id.to_bits()).collect();
        let mut removed = before.items.0.clone();
        removed.retain(|item| gone.contains(&item.collider));
        self.removed = Lent(removed);
        self._before = Some(before);
        let numbers = |list: Vec<usize>| list.into_iter().map(|index| index as u32).collect();
        self.numbers = [report.inserted, report.changed, report.kept].map(numbers);
        let [inserted, changed, kept] = self.numbers.each_ref().map(|list| list.as_slice().into());
        let removed = self.removed.0.as_slice().into();
        hm_map_report { map: self.map.lend(), inserted, removed, changed, kept }
    }
}

handle! { hm_placed_map of PlacedMapState, PlacedMap }

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

/// Returns the map of the first atlas of a world that has one with this name.
fn find_map(world: &World, name: &str) -> Answer<Map> {
    let found = world.atlases().find_map(|atlas| atlas.map(name));
    found.ok_or_else(|| no_map(name, world.atlases()))
}

/// Inserts the colliders of a map, fixed, with the map's top-left corner at a position in pixels. Takes the
/// map of the first atlas of hm_world_atlases() that has one with this name. Lends the map with the ids of
/// its colliders until the next call of this function with the same world. hm_world_remove_all() takes
/// them out again.
///
/// After hm_world_replace_atlas() the colliders show the new pixels, and hm_world_update_map() brings the
/// rest up to date. It takes `placed`, which may be null for a map that is never edited.
///
/// Errors: HM_UNKNOWN_SPRITE if no atlas has the map, or the map's atlas has no sprite that the map
/// needs; HM_BAD_TEXT, HM_BAD_NUMBER, HM_UNBAKED_SCALE, HM_OVER_LIMIT, HM_FULL. No collider was inserted.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_insert_map(
    world: *mut hm_world,
    name: *const c_char,
    at: hm_vec2,
    map: *mut hm_map,
    placed: *mut *mut hm_placed_map,
) -> hm_status {
    let is_kept = !placed.is_null();
    answer_two(map, placed, || {
        with_mut(world, |state| {
            let name = text(name, "name")?.to_owned();
            let found = find_map(&state.world, &name)?;
            // First the handle, which may be refused: to remove colliders again would leave a trace.
            let stored: *mut hm_placed_map =
                if is_kept { store(PlacedMapState::new(name, at))? } else { null_mut() };
            let placed = state.world.insert_map(&found, [at.x, at.y]);
            let placed = placed.inspect_err(|_| _ = destroy(stored))?;
            let map = Arc::new(LentMap::new(&found, at, &placed.ids));
            let lent = state.lent.map.insert(map.clone()).lend();
            if is_kept {
                with_mut(stored, |kept: &mut PlacedMapState| {
                    (kept.placed, kept.map) = (placed, map);
                    Ok(())
                })?;
            }
            Ok((lent, stored))
        })
    })
}

/// Brings a placed map up to date with the map of the same name in the first atlas of hm_world_atlases() that
/// has one, as a rule after hm_world_replace_atlas(). Items are matched by their ids: those that are gone are
/// removed, new ones inserted, moved ones moved, and all others keep their colliders. What the game has
/// changed itself stays, and the report lists it.
///
/// Errors: those of hm_world_insert_map(). The world and the placed map stay as they were, with a level that
/// is damaged or incomplete too: the game goes on with the last one.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_update_map(
    world: *mut hm_world,
    placed: *mut hm_placed_map,
    report: *mut hm_map_report,
) -> hm_status {
    answer_with_mut(report, world, |state| {
        with_mut(placed, |map| {
            let found = find_map(&state.world, &map.name)?;
            let report = state.world.update_map(&mut map.placed, &found)?;
            Ok(map.report(&found, report))
        })
    })
}

/// Destroys a placed map, and leaves its colliders in the world. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_placed_map_destroy(placed: *mut hm_placed_map) -> hm_status {
    call(|| destroy(placed))
}
