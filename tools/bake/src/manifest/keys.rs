//! The keys of a manifest, and how they change the settings.
//!
//! Used by `manifest`. Unknown keys are rejected by the parser.

use super::values::{
    Alpha, Angles, ChannelKey, ColorKey, FlipKey, Many, MaskPixels, MaxError, Megabytes, OrderKey,
    Pair, PivotKey, Radius, Rectangle, Scales, Thresholds, Tile,
};
use crate::image::Grid;
use crate::map_rule::MapRule;
use crate::settings::{LayerPlane, SourceSettings};
use hitmask::Sampling;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use toml::Spanned;

/// A whole manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) output: Option<Spanned<String>>,
    pub(super) root: Option<Spanned<String>>,
    pub(super) max_mb: Option<Megabytes>,
    pub(super) resolution: Option<MaskPixels>,
    pub(super) compact: Option<bool>,
    #[serde(default)]
    pub(super) defaults: Keys,
    #[serde(default)]
    pub(super) source: Vec<Spanned<Keys>>,
}

/// Declares the keys of one source or of the defaults, and how they override each other.
macro_rules! keys {
    ($($visible:vis $key:ident: $value:ty,)*) => {
        /// The keys of one source or of the defaults.
        #[derive(Clone, Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct Keys {
            $($visible $key: Option<$value>,)*
        }

        impl Keys {
            /// Merges two sets of keys. These keys override those of `under`.
            pub(super) fn over(self, under: &Self) -> Self {
                let mut under = under.clone();
                if self.angles.is_some() {
                    // An explicit number of steps overrides an inherited error limit.
                    under.max_error = None;
                }
                Self { $($key: self.$key.or(under.$key),)* }
            }
        }
    };
}

keys! {
    pub(super) files: Spanned<Many<String>>,
    pub(super) name: Spanned<String>,
    pub(super) except: Spanned<Many<String>>,
    pub(super) grid: Spanned<GridKeys>,
    pub(super) rect: Spanned<Rectangle>,
    pub(super) tags: bool,
    pub(super) numbered: bool,
    pub(super) flip: FlipKey,
    planes: BTreeMap<String, Many<String>>,
    slices: Many<String>,
    fill_holes: bool,
    shrink: Radius,
    grow: Radius,
    angles: Angles,
    max_error: MaxError,
    scales: Scales,
    alpha: Alpha,
    thresholds: Thresholds,
    channel: ChannelKey,
    exclude_color: Many<ColorKey>,
    only_color: Many<ColorKey>,
    pivot: PivotKey,
    coverage: bool,
    motion_frame: bool,
    mirrored: bool,
    map: Vec<MapRule>,
}

impl Keys {
    /// Returns `settings` with the changes of these keys.
    pub(super) fn settings(&self, settings: &SourceSettings) -> SourceSettings {
        let mut settings = settings.clone();
        let sprite = &mut settings.sprite;
        if let Some(Angles(angles)) = self.angles {
            (sprite.angles, sprite.max_error) = (angles, None);
        }
        sprite.max_error = self.max_error.map(|error| error.0).or(sprite.max_error);
        set(&mut sprite.scales, self.scales.as_ref().map(|scales| &scales.0));
        set(&mut sprite.alpha, self.alpha.as_ref().map(|alpha| &alpha.0));
        set(&mut sprite.thresholds, self.thresholds.as_ref().map(|list| &list.0));
        set(&mut sprite.channel, self.channel.as_ref().map(|channel| &channel.0));
        set(&mut sprite.motion_frame, self.motion_frame.as_ref());
        set(&mut sprite.mirrored, self.mirrored.as_ref());
        let colors = |Many(keys): &Many<ColorKey>| keys.iter().map(|key| key.0).collect();
        set(&mut sprite.exclude_color, self.exclude_color.as_ref().map(colors).as_ref());
        set(&mut sprite.only_color, self.only_color.as_ref().map(colors).as_ref());
        if let Some(coverage) = self.coverage {
            sprite.sampling = if coverage { Sampling::Coverage25 } else { Sampling::Nearest };
        }
        match self.pivot {
            Some(PivotKey::At(pivot)) => (sprite.pivot, settings.anchor) = (pivot, None),
            Some(PivotKey::Anchor(anchor)) => settings.anchor = Some(anchor),
            None => {}
        }
        set(&mut settings.fill_holes, self.fill_holes.as_ref());
        set(&mut settings.shrink, self.shrink.as_ref().map(|radius| &radius.0));
        set(&mut settings.grow, self.grow.as_ref().map(|radius| &radius.0));
        set(&mut settings.map, self.map.as_ref());
        set(&mut settings.slices, self.slices.as_ref().map(|slices| &slices.0));
        if let Some(planes) = &self.planes {
            let plane = |(name, Many(layers)): (&String, &Many<String>)| LayerPlane {
                name: name.clone(),
                layers: layers.clone(),
            };
            settings.planes = planes.iter().map(plane).collect();
        }
        settings
    }
}

/// Sets an option that is given.
fn set<T: Clone>(option: &mut T, given: Option<&T>) {
    if let Some(given) = given {
        option.clone_from(given);
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GridKeys {
    tile: Option<Tile>,
    columns: Option<NonZeroU32>,
    rows: Option<NonZeroU32>,
    margin: Option<Pair>,
    spacing: Option<Pair>,
    count: Option<u32>,
    order: Option<OrderKey>,
}

impl GridKeys {
    pub(super) fn grid(self) -> Grid {
        let pair = |pair: Option<Pair>| pair.map_or([0, 0], |Pair(pair)| pair);
        Grid {
            tile: self.tile.map_or([0, 0], |Tile(tile)| tile),
            margin: pair(self.margin),
            spacing: pair(self.spacing),
            count: self.count,
            columns: self.columns.map(NonZeroU32::get),
            rows: self.rows.map(NonZeroU32::get),
            order: self.order.map(|OrderKey(order)| order).unwrap_or_default(),
        }
    }

    /// Returns true if the keys give the size of a tile.
    pub(super) const fn has_tile(self) -> bool {
        self.tile.is_some() || self.columns.is_some() && self.rows.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, Manifest};
    use serde::de::DeserializeOwned;
    use std::collections::BTreeSet;

    /// Returns the keys that the parser lists when it meets another one.
    fn keys_of<T: DeserializeOwned>() -> BTreeSet<String> {
        let error = toml::from_str::<T>("no_key = 1").err().expect("an unknown key");
        error.message().split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_manual_has_a_row_for_each_key() {
        let manual = include_str!("../MANIFEST.md").split("\n## ");
        let rows = |title: &str| -> BTreeSet<String> {
            let section = manual.clone().find(|section| section.starts_with(title));
            let rows = section.expect("the section").lines();
            rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
                .collect()
        };
        let mut top = rows("Top level");
        top.extend(["defaults", "source"].map(str::to_owned));
        assert_eq!(top, keys_of::<Manifest>());
        assert_eq!(rows("`[defaults]` and"), keys_of::<Keys>());
    }
}
