//! Maps of an atlas by their names, and the terrain in them.

use crate::CliError;
use crate::sprites::suggested;
use hitmask::Map;
pub(crate) use hitmask_demo::{terrain, terrains};

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
