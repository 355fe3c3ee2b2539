//! The settings of a source: [`SourceSettings`] and [`LayerPlane`].
//!
//! Part of the public API. Read by the decoders and by `pipeline`, and hashed by `incremental`.

use hitmask::Settings;

/// The settings of a source: those of its sprites, and how its file is read.
///
/// ```
/// use hitmask_bake::{Settings, SourceSettings};
/// let still = SourceSettings::from(Settings { angles: 1, ..Settings::default() });
/// assert!(still.planes.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct SourceSettings {
    /// How the masks are made and posed.
    pub sprite: Settings,
    /// Additional planes from layers of an Aseprite file. Default none.
    pub planes: Vec<LayerPlane>,
}

impl From<Settings> for SourceSettings {
    /// Returns these settings without planes of layers.
    fn from(sprite: Settings) -> Self {
        Self { sprite, planes: Vec::new() }
    }
}

/// A plane from layers of an Aseprite file: a mask of its own, drawn from these layers.
///
/// The plane `body` is the first plane of every frame. Without an entry here, it consists of all
/// visible layers.
///
/// ```
/// use hitmask_bake::{LayerPlane, SourceSettings};
/// let eye = LayerPlane { name: "eye".into(), layers: vec!["iris".into(), "pupil".into()] };
/// let settings = SourceSettings { planes: vec![eye], ..SourceSettings::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerPlane {
    /// The name of the plane.
    pub name: String,
    /// The names of its layers or layer groups. Hidden layers are included.
    pub layers: Vec<String>,
}
