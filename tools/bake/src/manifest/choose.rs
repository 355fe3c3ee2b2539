//! Resolves the patterns of a manifest: which files it names, and the keys of each.
//!
//! Called by `read`.

use super::keys::{Keys, Manifest};
use super::manifest_text::ManifestText;
use crate::error::BakeError;
use crate::failures::Failures;
use crate::image;
use hitmask::Settings;
use hitmask::baking::SourceSprite;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The sources of each file. One with a name of its own is independent of the others.
pub(super) type Chosen = BTreeMap<(PathBuf, Option<String>), ChosenSource>;

/// The sources that match a file.
pub(super) struct ChosenSource {
    /// The keys of all of them.
    pub(super) keys: Keys,
    /// The place of the last of them.
    pub(super) span: Range<usize>,
    /// True if one of them names the file without wildcards, or gives it a name.
    pub(super) is_named: bool,
}

/// Resolves the files of all sources and their keys. Keys of a later source override those of an
/// earlier one. Returns the files that wildcards match but no program wrote as an image, too.
pub(super) fn choose(
    text: &ManifestText,
    root: &Path,
    manifest: &Manifest,
    failures: &mut Failures,
) -> Result<(Chosen, BTreeSet<PathBuf>), BakeError> {
    let (mut chosen, mut foreign) = (Chosen::new(), BTreeSet::new());
    for source in &manifest.source {
        let (span, keys) = (source.span(), source.get_ref());
        check(text, &span, keys)?;
        let except = excepted(text, root, keys, &manifest.defaults, failures)?;
        let Some(files) = &keys.files else { continue };
        for pattern in &files.get_ref().0 {
            text.check_is_below_root(files, pattern)?;
            let wrong = |cause: String| text.error(&text.within(files, pattern), cause);
            let mut found = image::sources(root, pattern, failures)?;
            let matched = found.len();
            found.retain(|file| !except.contains(file));
            if found.is_empty() && matched > 0 {
                return Err(wrong(format!("except leaves out all that matches {pattern:?}")));
            }
            if found.is_empty() {
                let advice = advice(root, pattern);
                return Err(wrong(format!("no image or sheet matches {pattern:?}{advice}")));
            }
            // A file that the pattern names without wildcards is asked for, so it is an error.
            let is_pattern = image::is_pattern_below(root, pattern);
            if is_pattern {
                foreign.extend(found.extract_if(.., |file| image::is_foreign(file)));
            }
            if let (Some(name), true) = (&keys.name, found.len() > 1) {
                let count = found.len();
                let cause = format!("{pattern:?} matches {count} files, but there is one name");
                return Err(text.error(&name.span(), cause));
            }
            for file in found {
                let key = (file, keys.name.as_ref().map(|name| name.get_ref().clone()));
                let under = chosen.get(&key);
                let keys = keys.clone().over(under.map_or(&manifest.defaults, |it| &it.keys));
                let is_named =
                    !is_pattern || keys.name.is_some() || under.is_some_and(|under| under.is_named);
                chosen.insert(key, ChosenSource { keys, span: span.clone(), is_named });
            }
        }
    }
    match foreign.first() {
        _ if !chosen.is_empty() => Ok((chosen, foreign)),
        Some(path) => Err(BakeError::not_an_image(path, "")),
        None => Err(text.error(&(0..0), "the manifest has no [[source]]")),
    }
}

/// Checks the keys of a source that need no file.
fn check(text: &ManifestText, span: &Range<usize>, keys: &Keys) -> Result<(), BakeError> {
    if let Some(grid) = keys.grid.as_ref().filter(|grid| !grid.get_ref().has_tile()) {
        let cause = "a grid needs tile = [width, height], or columns and rows";
        return Err(text.error(&grid.span(), cause));
    }
    match &keys.files {
        None => return Err(text.error(span, "this source has no files = \"...\"")),
        Some(files) if files.get_ref().0.is_empty() => {
            return Err(text.error(&files.span(), "the list of files is empty"));
        }
        Some(_) => {}
    }
    let Some(name) = &keys.name else { return Ok(()) };
    SourceSprite::check(name.get_ref(), std::iter::empty(), &Settings::default(), 1.0)
        .map_err(|error| text.error(&name.span(), error))
}

/// Returns the files that a source leaves out.
fn excepted(
    text: &ManifestText,
    root: &Path,
    keys: &Keys,
    defaults: &Keys,
    failures: &mut Failures,
) -> Result<BTreeSet<PathBuf>, BakeError> {
    let mut except = BTreeSet::new();
    let Some(list) = keys.except.as_ref().or(defaults.except.as_ref()) else { return Ok(except) };
    for pattern in &list.get_ref().0 {
        text.check_is_below_root(list, pattern)?;
        let found = image::matching(root, pattern, failures)?;
        if found.is_empty() && !image::is_pattern(pattern) {
            let advice = advice(root, pattern);
            let cause = format!("except names {pattern:?}, which is no file{advice}");
            return Err(text.error(&text.within(list, pattern), cause));
        }
        except.extend(found);
    }
    Ok(except)
}

/// Returns what to write instead of a pattern that matches nothing, for the end of a message.
fn advice(root: &Path, pattern: &str) -> String {
    let slashed = pattern.replace('\\', "/");
    let folder = slashed.strip_suffix("**").unwrap_or(&slashed).trim_end_matches('/');
    let images = if folder.is_empty() { "**/*".to_owned() } else { format!("{folder}/**/*") };
    if slashed.ends_with("**") {
        format!("; write {images:?} for the images below")
    } else if root.join(folder).is_dir() {
        format!("; it is a folder: write {images:?} for the images in it")
    } else if slashed != pattern {
        format!("; folders are separated by /: write {slashed:?}")
    } else if let Some((_, rest)) = pattern.split_once('[') {
        let set = rest.split(']').next().unwrap_or_default();
        format!("; [{set}] stands for one of the characters in it: write [[] for a bracket")
    } else {
        String::new()
    }
}
