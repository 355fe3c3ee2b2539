//! [`MapRule`]: what the tiles and objects of a level become.
//!
//! Part of the public API. A part of the settings of a source, which `image` applies.

use serde::Deserialize;

/// What tiles, values and objects of a level become, if they match. Fields that are `None` match all, or
/// change nothing. A later rule overrides an earlier one.
///
/// Without a rule every tile is solid by its pixels, and becomes part of the terrain `solid`. So does an
/// object with a picture. Other objects with an area are sensors. Values of an IntGrid become nothing.
///
/// ```
/// use hitmask_bake::{MapRule, SourceSettings};
/// let spikes = MapRule {
///     class: Some("spikes".into()),
///     becomes: Some("hazard".into()),
///     sensor: Some(true),
///     ..MapRule::default()
/// };
/// let background = MapRule {
///     layer: Some("back*".into()),
///     becomes: Some(String::new()),
///     ..MapRule::default()
/// };
/// let settings = SourceSettings { map: vec![spikes, background], ..SourceSettings::default() };
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapRule {
    /// Matches the name of the layer, behind those of its groups: `cave/ground`. `*` stands for any
    /// characters.
    pub layer: Option<String>,
    /// Matches the class of the tile, the layer or the object, or the name or number of a value.
    pub class: Option<String>,
    /// Matches a property of the tile, the layer or the object. `name` matches if its value is neither
    /// `false` nor empty, `name=value` if that is its value.
    pub property: Option<String>,
    /// The name of the terrain that tiles become part of. The empty name leaves tiles out. An object of an
    /// empty name is a point.
    pub becomes: Option<String>,
    /// Makes sensors, which never block motion.
    pub sensor: Option<bool>,
    /// The layers of the colliders, as bits. Default 1.
    pub layers: Option<u32>,
    /// The layers that the colliders collide with. Default all.
    pub collides_with: Option<u32>,
    /// Draws a tile by its collision shapes instead of its pixels. One without shapes is empty.
    pub shapes: Option<bool>,
}
