//! The sprites of a replaced atlas, so that ids of that version keep working by name.
//!
//! Called by the list of atlases. Invariant: the names of a version stay known as long as an atlas
//! of the world replaces it, even while its newest version lacks them.

use crate::atlas::{Atlas, AtlasId, Sprite};

/// The names of an earlier version of an atlas.
#[derive(Clone, Debug)]
pub(crate) struct EarlierVersion {
    pub(crate) id: AtlasId,
    /// The newest version of the atlas.
    pub(crate) newest: AtlasId,
    sprites: Vec<NamedSprite>,
}

#[derive(Clone, Debug)]
struct NamedSprite {
    name: String,
    planes: Vec<String>,
    /// The index in the newest version.
    index: Option<u32>,
    /// For each plane: its index in the newest version.
    plane_indices: Vec<Option<u32>>,
}

/// The sprite and the plane of the newest version that have the names of an earlier one.
pub(crate) enum Renamed {
    Found {
        sprite: u32,
        plane: u32,
    },
    /// The earlier version has only so many sprites.
    NoSprite {
        sprites: u32,
    },
    /// The earlier version has only so many planes.
    NoPlane {
        planes: u32,
    },
    /// The newest version has no sprite or plane of this name.
    Vanished,
}

impl EarlierVersion {
    /// Returns the names of `old`, which `new` replaces.
    pub(crate) fn new(old: &Atlas, new: &Atlas) -> Self {
        let named = |sprite: Sprite<'_>| NamedSprite {
            name: sprite.name().to_owned(),
            planes: sprite.planes().map(str::to_owned).collect(),
            index: None,
            plane_indices: Vec::new(),
        };
        let sprites = old.sprites().map(named).collect();
        let mut version = Self { id: old.id(), newest: new.id(), sprites };
        version.follow(new);
        version
    }

    /// Finds the names in a newer version.
    pub(crate) fn follow(&mut self, newest: &Atlas) {
        self.newest = newest.id();
        for NamedSprite { name, planes, index, plane_indices } in &mut self.sprites {
            let found = newest.sprite_id(name).and_then(|id| newest.sprite(id));
            *index = found.map(|sprite| sprite.id().index());
            let plane = |name: &String| found.and_then(|sprite| sprite.plane(name));
            *plane_indices = planes.iter().map(plane).collect();
        }
    }

    /// Returns what the indices of a sprite and a plane of this version are in the newest one.
    pub(crate) fn renamed(&self, sprite: u32, plane: u32) -> Renamed {
        let Some(named) = self.sprites.get(sprite as usize) else {
            return Renamed::NoSprite { sprites: self.sprites.len() as u32 };
        };
        match (named.index, named.plane_indices.get(plane as usize)) {
            (None, _) | (_, Some(None)) => Renamed::Vanished,
            (_, None) => Renamed::NoPlane { planes: named.planes.len() as u32 },
            (Some(sprite), Some(&Some(plane))) => Renamed::Found { sprite, plane },
        }
    }
}
