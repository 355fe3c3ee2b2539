//! Maps of atlases: the classes `Map` and `MapItem`, and the colliders of a map in a world: `PlacedMap`.

use crate::atlas::{PyAtlas, unknown_name};
use crate::errors::{Kind, OrRaise, raise};
use crate::values::{Xy, record, repr_of, xy};
use crate::world::PyWorld;
use hitmask::{Atlas, CallError, ColliderId, PlacedMap, World};
use pyo3::prelude::*;
use std::collections::{BTreeMap, HashSet};

record! {
    /// A level of an atlas: its colliders and its named places.
    Map {
        /// The name, as that of a sprite.
        name: String,
        /// Width and height in pixels.
        size: (f32, f32),
        /// The properties of the map, with their values as text.
        properties: BTreeMap<String, String>,
        /// The colliders and the places, in the order of the level file.
        items: Vec<MapItem>,
    }
}

record! {
    /// A part of a map: a chunk of tiles, an object or a point.
    MapItem {
        /// The id of the collider, or None of a point and of an item that is in no world.
        id: Option<u64>,
        /// What tells the item from all others, in this version of the level and in later ones: "solid/3,-1" is
        /// the chunk in column 3 and row -1, "things/17" is object 17 of a layer.
        path: String,
        /// The name of the object, or the terrain of a chunk.
        name: String,
        /// The class of the object; "chunk" for a chunk of tiles.
        class_: String,
        /// The position in pixels, of the collider or of the point: in the world from `World.insert_map`, and
        /// from the top-left corner of the map from `Atlas.map`.
        position: (f32, f32),
        /// Width and height of the object in pixels, before it is turned. 0 of a point.
        size: (f32, f32),
        /// The properties of the object, with their values as text.
        properties: BTreeMap<String, String>,
    }
}

record! {
    /// What `World.update_map` has done.
    MapReport {
        /// Items whose colliders were inserted.
        inserted: Vec<MapItem>,
        /// Items that are gone, as they were before. Their colliders were removed.
        removed: Vec<MapItem>,
        /// Items whose colliders were moved, or changed in another field. Other pixels alone do not count.
        changed: Vec<MapItem>,
        /// Items that the game has changed or removed itself. They keep what it changed.
        kept: Vec<MapItem>,
    }
}

/// The colliders of a map in a world: `World.insert_map` makes it, and `World.update_map` brings it up to date.
#[pyclass(name = "PlacedMap", module = "hitmask")]
pub(crate) struct PyPlacedMap {
    /// The name of the map.
    #[pyo3(get)]
    name: String,
    /// The items of the map, those with a collider with its id. Each use copies the list.
    #[pyo3(get)]
    items: Vec<MapItem>,
    at: [f32; 2],
    placed: PlacedMap,
}

#[pymethods]
impl PyPlacedMap {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = repr_of(py, self.name.clone())?;
        Ok(format!("<hitmask.PlacedMap {name}, {} items>", self.items.len()))
    }
}

impl MapItem {
    fn list(map: hitmask::Map, at: [f32; 2], ids: &[Option<ColliderId>]) -> Vec<Self> {
        map.items.into_iter().zip(ids).map(|(item, &id)| Self::of(item, at, id)).collect()
    }

    fn of(item: hitmask::MapItem, at: [f32; 2], id: Option<ColliderId>) -> Self {
        Self {
            id: id.map(ColliderId::to_bits),
            path: item.id,
            name: item.name,
            class_: item.class,
            position: (item.position[0] + at[0], item.position[1] + at[1]),
            size: xy(item.size),
            properties: item.properties.into_iter().collect(),
        }
    }
}

#[pymethods]
impl PyAtlas {
    /// Returns the map of this name, or None. It is copied: call this once per level.
    fn map(&self, name: &str) -> Option<Map> {
        self.0.map(name).map(|map| Map {
            name: map.name,
            size: xy(map.size),
            properties: map.properties.into_iter().collect(),
            items: map.items.into_iter().map(|item| MapItem::of(item, [0.0; 2], None)).collect(),
        })
    }
}

/// Returns the map of the first atlas of a world that has one of this name.
fn find_map(world: &World, name: &str) -> PyResult<hitmask::Map> {
    world.atlases().find_map(|atlas| atlas.map(name)).ok_or_else(|| {
        let maps: Vec<_> = world.atlases().flat_map(Atlas::maps).collect();
        let message = format!("no atlas of the world has the map {name:?}");
        match maps.is_empty() {
            true => raise(Kind::UnknownId, message, "bake a level file; they have no maps"),
            false => unknown_name(message, name, maps.iter().map(|map| &*map.name)),
        }
    })
}

#[pymethods]
impl PyWorld {
    /// Adds the colliders of a map, fixed, with the top-left corner of the map at a position in pixels. Takes
    /// the map from the first atlas that has one of this name. The `items` of the result have the ids of the
    /// colliders. To take the map out again, remove those ids. Raises a `KeyError`.
    #[pyo3(signature = (name, at=Xy([0.0, 0.0])))]
    #[pyo3(text_signature = "($self, name, at=(0.0, 0.0))")]
    fn insert_map(&self, name: &str, at: Xy) -> PyResult<PyPlacedMap> {
        self.write(|world| {
            if !at.0.iter().all(|number| number.is_finite()) {
                return Err(CallError::Position(at.0)).or_raise();
            }
            let map = find_map(world, name)?;
            let placed = world.insert_map(&map, at).or_raise()?;
            let items = MapItem::list(map, at.0, &placed.ids);
            Ok(PyPlacedMap { name: name.to_owned(), items, at: at.0, placed })
        })
    }

    /// Brings a placed map up to date with the atlas, as a rule after `replace_atlas`: after an edit of the level.
    /// Items are matched by their paths: those in both versions keep their colliders, and so does what the game
    /// has changed itself. Raises a `KeyError` or a `ValueError`; then the world and the map are as they were.
    fn update_map(&self, mut map: PyRefMut<'_, PyPlacedMap>) -> PyResult<MapReport> {
        self.write(|world| {
            let found = find_map(world, &map.name)?;
            let report = world.update_map(&mut map.placed, &found).or_raise()?;
            let items = MapItem::list(found, map.at, &map.placed.ids);
            let gone: HashSet<_> =
                report.removed.iter().map(|(_, id)| Some(id.to_bits())).collect();
            let mut removed = std::mem::replace(&mut map.items, items);
            removed.retain(|item| gone.contains(&item.id));
            let listed =
                |indices: &[usize]| indices.iter().map(|&at| map.items[at].clone()).collect();
            let [inserted, changed, kept] =
                [&report.inserted, &report.changed, &report.kept].map(|indices| listed(indices));
            Ok(MapReport { inserted, removed, changed, kept })
        })
    }
}
