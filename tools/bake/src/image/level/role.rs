//! [`Role`]: what a tile or an object becomes by the rules.
//!
//! Used by `level_map`.

use super::level::Properties;
use crate::map_rule::MapRule;
use glob::Pattern;

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
