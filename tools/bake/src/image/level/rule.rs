//! [`MapRule`]: what the tiles and objects of a level become.
//!
//! Part of the public API. Used by `level_map`.

use super::level::Properties;
use glob::Pattern;
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

/// What a tile or an object becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) becomes: String,
    pub(super) sensor: bool,
    pub(super) layers: u32,
    pub(super) collides_with: u32,
    pub(super) shapes: bool,
}

impl Role {
    /// Returns what matches no rule.
    pub(super) fn new(becomes: &str, sensor: bool) -> Self {
        let becomes = becomes.to_owned();
        Self { becomes, sensor, layers: 1, collides_with: u32::MAX, shapes: false }
    }

    /// Changes the role by the rules that match a layer, one of the classes, and one of the properties.
    pub(super) fn by(
        mut self,
        rules: &[MapRule],
        layer: &str,
        classes: &[&str],
        properties: &[&Properties],
    ) -> Self {
        let has = |property: &str| {
            let (name, value) = property
                .split_once('=')
                .map_or((property, None), |(name, value)| (name, Some(value)));
            properties.iter().flat_map(|list| list.iter()).any(|(key, own)| {
                key == name && value.map_or(own != "false" && !own.is_empty(), |value| own == value)
            })
        };
        let is_layer = |pattern: &str| {
            Pattern::new(pattern).map_or(pattern == layer, |pattern| pattern.matches(layer))
        };
        for rule in rules {
            let MapRule { becomes, sensor, layers, collides_with, shapes, .. } = rule;
            if rule.layer.as_deref().is_none_or(is_layer)
                && rule.class.as_deref().is_none_or(|class| classes.contains(&class))
                && rule.property.as_deref().is_none_or(has)
            {
                self.becomes = becomes.clone().unwrap_or(self.becomes);
                self.sensor = sensor.unwrap_or(self.sensor);
                self.layers = layers.unwrap_or(self.layers);
                self.collides_with = collides_with.unwrap_or(self.collides_with);
                self.shapes = shapes.unwrap_or(self.shapes);
            }
        }
        self
    }
}
