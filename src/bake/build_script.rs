//! What a build script leaves for the game: the atlas, and Rust source that names its sprites.

use super::BakeError;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hint::black_box;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// Bytes of an atlas that takes about a second without optimisation: worth a word.
pub(super) const WORTH_OPTIMISING: usize = 1 << 20;
/// The word.
pub(super) const UNOPTIMISED: &str = "hitmask bakes many times slower than it could, because build scripts are compiled \
     without optimisation; add opt-level = 3 under [profile.dev.build-override] and \
     [profile.release.build-override] to the Cargo.toml of the workspace";

/// What cargo is told to watch. For the crate's own folder that is what stands in it, but for
/// `target`, which changes with every build and would call for another.
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

/// The Rust source that names the atlas `name` and its sprites. `names` are theirs in ascending
/// order, which is the order of their ids.
pub(super) fn source(name: &str, names: &[&str]) -> Result<String, BakeError> {
    let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !is_identifier {
        return Err(BakeError::NotAnIdentifier { name: name.to_owned() });
    }
    let mut source = format!(
        "const FILE: &::hitmask::Aligned<[u8]> = &::hitmask::Aligned(*include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.hitmask\")));\n\
         /// The atlas, where it can be read in place.\n\
         pub static BYTES: &[u8] = &FILE.0;\n"
    );
    let mut taken = BTreeMap::new();
    for (index, &sprite) in names.iter().enumerate() {
        let identifier = identifier(sprite);
        let line = format!(
            "/// The sprite {sprite:?}.\npub const {identifier}: ::hitmask::SpriteId = ::hitmask::SpriteId::new({index});"
        );
        let _ = writeln!(source, "{line}");
        if let Some(first) = taken.insert(identifier.clone(), sprite) {
            let (first, second) = (first.to_owned(), sprite.to_owned());
            return Err(BakeError::SameIdentifier { identifier, first, second });
        }
    }
    Ok(source)
}

/// A sprite's name as a constant's: capitals, digits and `_`.
fn identifier(name: &str) -> String {
    let upper =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    let identifier: String = upper.collect();
    // `_` alone is no name; `BYTES` and `FILE` are the module's own.
    if identifier.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{identifier}")
    } else if ["BYTES", "FILE", "_"].contains(&identifier.as_str()) {
        format!("{identifier}_")
    } else {
        identifier
    }
}

/// Bytes looked at each time: some 30 microseconds' work for the standard library.
const BYTES: usize = 1 << 15;
/// Rounds, of which the fastest counts.
const ROUNDS: usize = 7;
/// Times the standard library's time, which comes compiled with optimisation, that the same kind of
/// work takes here at most: a twentieth with optimisation, a half with a little, ten without.
const SLOWEST: u32 = 3;

/// Tells whether this crate was compiled without optimisation, as the dependencies of build scripts
/// are unless told otherwise. Only the speed of its code shows that.
pub(super) fn is_unoptimised() -> bool {
    let text = "\u{e9}".repeat(BYTES / 2).into_bytes();
    let there = fastest(|| std::str::from_utf8(black_box(&text)).is_ok());
    let here = fastest(|| black_box(&text).iter().filter(|byte| **byte > 127).count() > 0);
    here > there * SLOWEST
}

fn fastest(work: impl Fn() -> bool) -> Duration {
    let times = (0..ROUNDS).map(|_| {
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
    fn names_become_constants() {
        for (name, constant) in [
            ("ship", "SHIP"),
            ("enemies/ship-1", "ENEMIES_SHIP_1"),
            ("2fast", "_2FAST"),
            ("bytes", "BYTES_"),
            ("-", "__"),
            ("schön", "SCH_N"),
        ] {
            assert_eq!(identifier(name), constant);
        }
    }

    #[test]
    fn the_crates_own_folder_is_watched_without_what_cargo_writes() {
        // Tests run in the folder of the crate, which has both.
        let here = watched(["", ".", "art"].map(Path::new).into_iter());
        let is_watched = |path: &str| here.contains(Path::new(path));
        assert!(is_watched("./src") && is_watched("art"), "{here:?}");
        assert!(!["", ".", "./target", "./.git"].into_iter().any(is_watched), "{here:?}");
    }

    #[test]
    fn two_names_of_one_constant_are_refused_by_both_names() {
        let clash = source("sprites", &["a-b", "a_b"]);
        assert!(matches!(clash, Err(BakeError::SameIdentifier { identifier, first, second })
            if identifier == "A_B" && first == "a-b" && second == "a_b"));
        assert!(matches!(source("no/name", &[]), Err(BakeError::NotAnIdentifier { .. })));
    }

    // That code without optimisation is told apart is tested where there is some: the crate
    // tools/game builds a copy of itself.
    #[test]
    fn these_tests_are_compiled_with_some_optimisation() {
        assert!(!is_unoptimised());
    }
}
