//! Maps of an atlas by their names, and the terrain in them.

use crate::CliError;
use crate::sprites::suggested;
use hitmask::{Map, MapItem};

/// Returns the map of this name, or an error that names those that are there.
pub(crate) fn find<'m>(maps: &'m [Map], name: &str) -> Result<&'m Map, CliError> {
    maps.iter().find(|map| map.name == name).ok_or_else(|| {
        let names: Vec<&str> = maps.iter().map(|map| map.name.as_str()).collect();
        let help = match names[..] {
            [] => "name a level among the art: .tmx, .tmj or .ldtk".to_owned(),
            _ => format!("the maps are: {}", names.join(", ")),
        };
        let help = suggested(names.into_iter(), name, &help);
        CliError::new(format!("the art has no map {name:?}"), help)
    })
}

/// Returns the name of the terrain that an item is a chunk of. `None` for an object.
pub(crate) fn terrain(item: &MapItem) -> Option<&str> {
    (item.class == "chunk" && item.shape.is_some()).then_some(&item.name)
}

/// Returns the names of the terrains of a map, in its order.
pub(crate) fn terrains(map: &Map) -> Vec<&str> {
    let mut names = Vec::new();
    for name in map.items.iter().filter_map(terrain) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
