//! The findings of the bake that wrote an atlas, by sprite.
//!
//! Made by `report::run` from the cache of the bake, read by `row`.

use crate::cli_error::one_line;
use hitmask::Warning;
use hitmask_bake::Report;
use std::collections::BTreeMap;

/// The warnings and hints of a bake by sprite.
pub(super) struct Findings<'a> {
    pub(super) warnings: BTreeMap<&'a str, Vec<String>>,
    pub(super) hints: BTreeMap<&'a str, Vec<String>>,
}

impl<'a> Findings<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let by_sprite = |all: &'a [Warning]| {
            let mut by_sprite: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for one in all {
                by_sprite.entry(one.sprite()).or_default().push(one_line(one, one.help()));
            }
            by_sprite
        };
        Self { warnings: by_sprite(&report.warnings), hints: by_sprite(&report.hints) }
    }
}
