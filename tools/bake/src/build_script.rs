//! Support for build scripts: generated Rust source, paths for cargo to watch, and the warning
//! about missing optimisation.
//!
//! Called by `Bake::write_out_dir`.

use crate::error::{BakeError, BakeFault};
use crate::{image, names};
use hitmask::AtlasId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hint::black_box;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// Atlas size in bytes that takes about 1 s to bake without optimisation. Larger atlases cause a
/// warning.
pub(super) const OPTIMISE_ABOVE_BYTES: usize = 1 << 20;
/// Text of that warning.
pub(super) const UNOPTIMISED_WARNING: &str = "hitmask bakes slowly because build scripts are compiled without optimisation; \
     add opt-level = 3 under [profile.dev.build-override] and [profile.release.build-override] \
     to the Cargo.toml of the workspace";

/// Returns the paths that cargo shall watch. The crate's own folder is replaced by its entries
/// without `target`, because `target` changes with every build and would trigger another one.
pub(super) fn watched<'a>(paths: impl Iterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
    let is_here = |path: &Path| path.components().all(|part| part == Component::CurDir);
    let is_source = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name != "target" && !name.starts_with('.')
    };
    let mut all = BTreeSet::new();
    for path in paths {
        if is_here(path) {
            let entries = std::fs::read_dir(".").into_iter().flatten().flatten();
            all.extend(entries.map(|entry| entry.path()).filter(|path| is_source(path)));
        } else {
            all.insert(path.to_owned());
        }
    }
    all
}

/// Returns the Rust source with the bytes of the atlas `name` and a constant per sprite. `names`
/// ascend, so their indices are those of the sprite ids. `atlas` is `None` before the bake.
pub(super) fn source(
    name: &str,
    atlas: Option<AtlasId>,
    names: &[&str],
) -> Result<String, BakeError> {
    let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !is_identifier {
        let cause = format!("{name:?} is not a valid module name");
        let help = "use letters, digits and _, and begin with a letter";
        return Err(BakeError::new(BakeFault::Option, cause, help));
    }
    let mut source = format!(
        "const FILE: &::hitmask::Aligned<[u8]> = &::hitmask::Aligned(*include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.hitmask\")));\n\
         /// The atlas, where it can be read in place.\n\
         pub static BYTES: &[u8] = &FILE.0;\n"
    );
    let mut taken = BTreeMap::new();
    let bits = atlas.map_or(0, AtlasId::bits);
    let _ = writeln!(
        source,
        "/// The id of the atlas.\npub const ATLAS_ID: ::hitmask::AtlasId = ::hitmask::AtlasId::new({bits});"
    );
    for (index, &sprite) in names.iter().enumerate() {
        let identifier = names::constant(sprite);
        let line = format!(
            "/// The sprite {sprite:?}.\npub const {identifier}: ::hitmask::SpriteId = ::hitmask::SpriteId::of_atlas(ATLAS_ID, {index});"
        );
        let _ = writeln!(source, "{line}");
        if let Some(first) = taken.insert(identifier.clone(), sprite) {
            let cause =
                format!("sprites {first:?} and {sprite:?} have the same identifier {identifier}");
            let error = BakeError::new(BakeFault::SameName, cause, "rename one of them");
            return Err(error.in_sprite(sprite));
        }
    }
    Ok(source)
}

/// Returns the lines of a manifest that give the sprite `name` another name, if it is all of the file at
/// `origin`. `names` are those of all sprites.
pub(super) fn manifest_lines(name: &str, origin: Option<&Path>, names: &[&str]) -> Option<String> {
    let ending = origin?.extension()?.to_str()?;
    let is_whole = origin?.with_extension("").ends_with(name);
    if !is_whole {
        return None;
    }
    let taken: BTreeSet<String> = names.iter().map(|name| names::constant(name)).collect();
    let free = (2..).map(|i| format!("{name}_{i}"));
    let other = free.into_iter().find(|other| !taken.contains(&names::constant(other)))?;
    let file = format!("{}.{ending}", image::escaped(name));
    Some(format!(
        ", by these lines of hitmask.toml:\n\n\
         [[source]]\nfiles = \"**/*.{ending}\"\nexcept = {file:?}\n\n\
         [[source]]\nfiles = {file:?}\nname = {other:?}\n"
    ))
}

/// Bytes processed per measurement: about 30 us of work for the standard library.
const PROBE_BYTES: usize = 1 << 15;
/// Number of measurements. The fastest counts.
const PROBE_ROUNDS: usize = 7;
/// Largest accepted ratio of the time here to that of the standard library, which is always
/// optimised. Measured ratios: 0.05 with full optimisation, 0.5 with some, 10 without.
const MAX_SLOWDOWN: u32 = 3;

/// Tests whether this crate was compiled without optimisation, which is the default for
/// build-script dependencies. Only a timing measurement shows it.
pub(super) fn is_unoptimised() -> bool {
    let text = "\u{e9}".repeat(PROBE_BYTES / 2).into_bytes();
    let there = fastest(|| std::str::from_utf8(black_box(&text)).is_ok());
    let here = fastest(|| black_box(&text).iter().filter(|byte| **byte > 127).count() > 0);
    here > there * MAX_SLOWDOWN
}

fn fastest(work: impl Fn() -> bool) -> Duration {
    let times = (0..PROBE_ROUNDS).map(|_| {
        let begin = Instant::now();
        black_box(work());
        begin.elapsed()
    });
    times.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_folder_is_watched_without_target_and_hidden_files() {
        // Tests run in the crate folder, which has `target` and `.git`.
        let here = watched(["", ".", "art"].map(Path::new).into_iter());
        let is_watched = |path: &str| here.contains(Path::new(path));
        assert!(is_watched("./src") && is_watched("art"), "{here:?}");
        assert!(!["", ".", "./target", "./.git"].into_iter().any(is_watched), "{here:?}");
    }

    #[test]
    fn names_that_give_the_same_constant_are_rejected() {
        let clash = source("sprites", None, &["a-b", "a_b"]).unwrap_err();
        assert_eq!(clash.fault, BakeFault::SameName);
        let text = "sprites \"a-b\" and \"a_b\" have the same identifier A_B";
        assert_eq!((clash.to_string().as_str(), &*clash.help()), (text, "rename one of them"));
        let invalid = source("no/name", None, &[]).unwrap_err();
        assert_eq!(invalid.fault, BakeFault::Option);
        assert_eq!(invalid.to_string(), "\"no/name\" is not a valid module name");
        assert_eq!(invalid.help(), "use letters, digits and _, and begin with a letter");
    }

    #[test]
    fn the_lines_of_a_manifest_settle_names_with_the_same_constant() {
        let folder = hitmask_scenes::Folder::new("constants");
        for name in
            ["button-pressed.png", "button_pressed.png", "[x] y.png", "button_pressed_2.png"]
        {
            folder.write(name, "");
        }
        for clashing in ["button_pressed", "button-pressed", "[x] y"] {
            let names = ["[x] y", "button-pressed", "button_pressed", "button_pressed_2"];
            let path = folder.path(&format!("{clashing}.png"));
            let lines = manifest_lines(clashing, Some(&path), &names).unwrap();
            let (head, manifest) = lines.split_once("\n\n").unwrap();
            assert_eq!(head, ", by these lines of hitmask.toml:");
            // Without the sprite that has the same number behind its name.
            let bake = crate::Bake::new().manifest(folder.write("hitmask.toml", manifest)).unwrap();
            let mut found: Vec<&str> = bake.sources.iter().map(|it| it.name.as_str()).collect();
            found.sort_unstable();
            assert_eq!(found.len(), names.len(), "{manifest}");
            assert!(!found.contains(&clashing), "{manifest}");
            if clashing != "[x] y" {
                assert!(source("sprites", None, &found).is_ok(), "{found:?}");
            }
        }
        // A frame of a sheet has no file of its own.
        let sheet = folder.path("ui.json");
        assert_eq!(manifest_lines("ui/button", Some(&sheet), &["ui/button"]), None);
        assert_eq!(manifest_lines("a", None, &["a"]), None);
    }

    // Cargo.toml leaves this crate unoptimised in tests, and optimises it in a release. The crate tools/bake/game
    // tests the warning.
    #[test]
    fn a_build_without_optimisation_is_recognised() {
        assert_eq!(is_unoptimised(), cfg!(debug_assertions));
    }
}
