//! Maps of atlases: the classes `Map` and `MapItem`, and the colliders of a map in a world.

use crate::atlas::{PyAtlas, unknown_name};
use crate::errors::{Kind, OrRaise, raise};
use crate::values::{Xy, record, xy};
use crate::world::PyWorld;
use hitmask::{Atlas, CallError, ColliderId};
use pyo3::prelude::*;
use std::collections::BTreeMap;

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

impl MapItem {
    fn of(item: hitmask::MapItem, at: [f32; 2], id: Option<ColliderId>) -> Self {
        Self {
            id: id.map(ColliderId::to_bits),
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

#[pymethods]
impl PyWorld {
    /// Adds the colliders of a map, fixed, with the top-left corner of the map at a position in pixels. Takes
    /// the map from the first atlas that has one of this name. Returns the items of the map, those with a
    /// collider with its id. To take the map out again, remove those ids. Raises a `KeyError`.
    #[pyo3(signature = (name, at=Xy([0.0, 0.0])))]
    #[pyo3(text_signature = "($self, name, at=(0.0, 0.0))")]
    fn insert_map(&self, name: &str, at: Xy) -> PyResult<Vec<MapItem>> {
        self.write(|world| {
            if !at.0.iter().all(|number| number.is_finite()) {
                return Err(CallError::Position(at.0)).or_raise();
            }
            let map = world.atlases().find_map(|atlas| atlas.map(name)).ok_or_else(|| {
                let maps: Vec<_> = world.atlases().flat_map(Atlas::maps).collect();
                let message = format!("no atlas of the world has the map {name:?}");
                match maps.is_empty() {
                    true => raise(Kind::UnknownId, message, "bake a level file; they have no maps"),
                    false => unknown_name(message, name, maps.iter().map(|map| &*map.name)),
                }
            })?;
            let ids = world.insert_map(&map, at).or_raise()?.ids;
            let items = map.items.into_iter().zip(ids);
            Ok(items.map(|(item, id)| MapItem::of(item, at.0, id)).collect())
        })
    }
}
