//! Atlases for plays.

use crate::{named, open, solid};
use hitmask::{Atlas, AtlasBuilder, Mask, Sampling, Settings};

/// Returns the same atlas drawn and compact.
#[must_use]
pub fn forms(bake: &AtlasBuilder) -> [Atlas; 2] {
    [false, true].map(|compact| open(&bake.clone().compact(compact)))
}

/// Returns a version of an atlas of all kinds of sprites, some of which change, some of which only one
/// version has.
///
/// # Panics
/// Never: its masks and planes are legal.
#[must_use]
pub fn all_kinds(version: u32) -> AtlasBuilder {
    let settings = |angles, scales: &[f32], sampling| Settings {
        angles,
        scales: scales.into(),
        sampling,
        ..Settings::default()
    };
    let [hull, ring, star, line] = ["hull", "ring", "star", "diagonal"].map(|n| named(n).mask());
    let walk = [ring.clone(), solid(9, 70 + version), star.clone()];
    let bake = AtlasBuilder::new()
        .angles(16)
        .mask("hull", hull.clone())
        .mask("block", solid(20 + 9 * version, 31))
        .mask("none", Mask::default())
        .frames_with("walk", walk, settings(1, &[0.7, 1.0], Sampling::Nearest))
        .frames_with("thin", [line], settings(8, &[0.7], Sampling::Coverage25))
        .frames_with(
            "large",
            [Mask::disc(70).expect("a small mask")],
            settings(4, &[1.0], Sampling::Nearest),
        )
        // Too many poses for the table of poses.
        .frames_with("fine", [ring.clone()], settings(4100, &[1.0], Sampling::Nearest));
    let planes: &[&str] = if version == 0 { &["rim", "bull"] } else { &["arm", "bull"] };
    let bake =
        bake.planes("target", planes.iter().copied(), [[ring.clone(), hull]]).expect("two planes");
    match version {
        0 => bake.mask("first", star),
        _ => bake.mask("added", ring).mask("a", star),
    }
}
