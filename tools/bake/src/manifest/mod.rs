//! Reads the manifest: sources by pattern and settings per source, in TOML. `MANIFEST.md` is the
//! reference.
//!
//! Called by `Bake::manifest`. `keys` has the keys and `values` validates their values. This file
//! resolves patterns, cascades and names. Invariant: every error has a line and column of the
//! manifest.

mod keys;
mod values;

use super::failures::Failures;
use super::image::{self, Options, Recipe};
use super::text::Text;
use super::{BakeError, BakeFault, BakeLimits, SourceSettings, Warning};
use hitmask::baking::SourceSprite;
use hitmask::{Flip, Settings};
use keys::{Keys, Manifest};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use toml::Spanned;
use values::{FlipKey, Many, MaskPixels, Megabytes};

/// Remedy of a malformed manifest.
const HELP: &str = "correct the manifest at that position";

/// The contents of a manifest.
pub(super) struct Contents {
    pub(super) sprites: Vec<FoundSprite>,
    /// Files and folders whose change makes a new bake necessary.
    pub(super) watched: Vec<PathBuf>,
    /// Warnings about files, found when they were opened.
    pub(super) foreign: Vec<Warning>,
    /// The output path of the atlas, if given.
    pub(super) output: Option<PathBuf>,
    /// Options of the atlas as a whole.
    pub(super) max_bytes: Option<u64>,
    pub(super) resolution: Option<f32>,
    pub(super) compact: Option<bool>,
}

/// A sprite from one or more files.
pub(super) struct FoundSprite {
    pub(super) name: String,
    pub(super) recipe: Recipe,
    pub(super) settings: SourceSettings,
}

/// Reads the manifest at `path`. `base` has the settings that the manifest does not give.
pub(super) fn read(
    path: &Path,
    base: &SourceSettings,
    limits: BakeLimits,
    failures: &mut Failures,
) -> Result<Contents, BakeError> {
    let text = Text::read(path).map_err(|error| match error.fault {
        BakeFault::Malformed => error.with_help(HELP),
        _ => error,
    })?;
    let text = ManifestText(text);
    let manifest: Manifest = toml::from_str(&text.0.text).map_err(|e| text.parse_error(&e))?;
    for (key, span) in [
        ("files", manifest.defaults.files.as_ref().map(Spanned::span)),
        ("grid", manifest.defaults.grid.as_ref().map(Spanned::span)),
        ("rect", manifest.defaults.rect.as_ref().map(Spanned::span)),
        ("name", manifest.defaults.name.as_ref().map(Spanned::span)),
    ] {
        if let Some(span) = span {
            return Err(
                text.error(&span, format!("{key} is a key of [[source]], not of [defaults]"))
            );
        }
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    // `output` and `root` come from the author of the manifest and may lead anywhere.
    let root = match &manifest.root {
        Some(root) => text.existing(root, folder.join(root.get_ref()))?,
        None => folder.to_owned(),
    };
    let mut watched = vec![path.to_owned(), root.clone()];
    let (chosen, passed_over) = choose(&text, &root, &manifest, failures)?;
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    let mut pages = BTreeSet::new();
    for ((file, own_name), source) in &chosen {
        let keys = &source.keys;
        let options = Options {
            grid: keys.grid.as_ref().map(|grid| grid.get_ref().grid()),
            rect: keys.rect.as_ref().map(|rect| rect.get_ref().0),
            tags: keys.tags.unwrap_or(true),
            limits,
        };
        watched.push(file.clone());
        let name = match own_name {
            Some(name) => Some(name.clone()),
            None => failures.skip(file, image::name(&root, file))?,
        };
        let Some(name) = name else { continue };
        let opened = image::open(&name, file, &options, &mut warnings);
        let settings = keys.settings(base);
        let part = |name, recipe| Part { name, recipe, settings: settings.clone(), file, source };
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                failures.skip_sprites::<()>(&name, file, Err(error.clone()))?;
                found.push(part(name, Err(Box::new(error))));
                continue;
            }
        };
        for (name, recipe) in opened {
            pages.extend(recipe.pages().iter().cloned());
            let recipe = recipe.flipped(keys.flip.map_or(Flip::NONE, |FlipKey(flip)| flip));
            found.push(part(name, Ok(recipe)));
        }
    }
    // A file that is the page of a sheet is not a sprite of its own, unless a source asks for it.
    let is_page = |recipe: &Recipe| recipe.is_whole_of(&pages);
    found.retain(|it| it.source.is_named || !it.recipe.as_ref().is_ok_and(is_page));
    let is_page_of = |part: &&Part<'_>| {
        !part.source.is_named && part.recipe.as_ref().is_ok_and(Recipe::is_whole)
    };
    let images: BTreeMap<PathBuf, String> = found
        .iter()
        .filter(is_page_of)
        .map(|part| (part.file.to_owned(), part.name.clone()))
        .collect();
    let unnamed = image::pages_of_sheets(&root, &images.keys().cloned().collect(), limits);
    let page = |(page, path)| Some(Warning::Page { sprite: images.get(&page)?.clone(), path });
    warnings.extend(unnamed.into_iter().filter_map(page));
    let mut foreign = warnings;
    for path in passed_over {
        if let Some(sprite) = failures.skip(&path, image::name(&root, &path))? {
            foreign.push(Warning::NotAnImage { sprite, path });
        }
    }
    let output = manifest.output.map(|output| folder.join(output.get_ref()));
    Ok(Contents {
        sprites: numbered(&text, found, failures)?,
        watched,
        foreign,
        output,
        max_bytes: manifest.max_mb.map(|Megabytes(bytes)| bytes),
        resolution: manifest.resolution.map(|MaskPixels(resolution)| resolution),
        compact: manifest.compact,
    })
}

/// The sources of each file. One with a name of its own is independent of the others.
type Chosen = BTreeMap<(PathBuf, Option<String>), ChosenSource>;

/// The sources that match a file.
struct ChosenSource {
    /// The keys of all of them.
    keys: Keys,
    /// The place of the last of them.
    span: Range<usize>,
    /// True if one of them names the file without wildcards, or gives it a name.
    is_named: bool,
}

/// Resolves the files of all sources and their keys. Keys of a later source override those of an
/// earlier one. Returns the files that wildcards match but no program wrote as an image, too.
fn choose(
    text: &ManifestText,
    root: &Path,
    manifest: &Manifest,
    failures: &mut Failures,
) -> Result<(Chosen, BTreeSet<PathBuf>), BakeError> {
    let (mut chosen, mut foreign) = (Chosen::new(), BTreeSet::new());
    for source in &manifest.source {
        let (span, keys) = (source.span(), source.get_ref());
        if let Some(grid) = keys.grid.as_ref().filter(|grid| !grid.get_ref().has_tile()) {
            let cause = "a grid needs tile = [width, height], or columns and rows".to_owned();
            return Err(text.error(&grid.span(), cause));
        }
        let Some(files) = &keys.files else {
            return Err(text.error(&span, "this source has no files = \"...\"".to_owned()));
        };
        if files.get_ref().0.is_empty() {
            return Err(text.error(&files.span(), "the list of files is empty".to_owned()));
        }
        if let Some(name) = &keys.name {
            let (sprite, settings) = (name.get_ref(), Settings::default());
            SourceSprite::check(sprite, std::iter::empty(), &settings, 1.0)
                .map_err(|error| text.error(&name.span(), error.to_string()))?;
        }
        let mut except = BTreeSet::new();
        if let Some(list) = keys.except.as_ref().or(manifest.defaults.except.as_ref()) {
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
        }
        for pattern in &files.get_ref().0 {
            text.check_is_below_root(files, pattern)?;
            let mut found = image::sources(root, pattern, failures)?;
            let matched = found.len();
            found.retain(|file| !except.contains(file));
            if found.is_empty() && matched > 0 {
                let cause = format!("except leaves out all that matches {pattern:?}");
                return Err(text.error(&text.within(files, pattern), cause));
            }
            if found.is_empty() {
                let cause =
                    format!("no image or sheet matches {pattern:?}{}", advice(root, pattern));
                return Err(text.error(&text.within(files, pattern), cause));
            }
            // A file that the pattern names without wildcards is asked for, so it is an error.
            let is_pattern = image::is_pattern_below(root, pattern);
            if is_pattern {
                let is_foreign = |file: &PathBuf| image::is_foreign(file);
                foreign.extend(found.extract_if(.., |file| is_foreign(file)));
            }
            let own_name = keys.name.as_ref().map(|name| name.get_ref().clone());
            if let (Some(name), true) = (&keys.name, found.len() > 1) {
                let cause =
                    format!("{pattern:?} matches {} files, but there is one name", found.len());
                return Err(text.error(&name.span(), cause));
            }
            for file in found {
                let key = (file, own_name.clone());
                let under = chosen.get(&key);
                let keys = keys.clone().over(under.map_or(&manifest.defaults, |it| &it.keys));
                let is_named =
                    !is_pattern || keys.name.is_some() || under.is_some_and(|under| under.is_named);
                chosen.insert(key, ChosenSource { keys, span: span.clone(), is_named });
            }
        }
    }
    if let (true, Some(path)) = (chosen.is_empty(), foreign.first()) {
        return Err(BakeError::not_an_image(path, ""));
    }
    if chosen.is_empty() {
        return Err(text.error(&(0..0), "the manifest has no [[source]]".to_owned()));
    }
    Ok((chosen, foreign))
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

/// A sprite of a file, which may be a part of a numbered one.
struct Part<'a> {
    name: String,
    /// The fault of the file if it cannot be opened.
    recipe: Result<Recipe, Box<BakeError>>,
    settings: SourceSettings,
    file: &'a Path,
    source: &'a ChosenSource,
}

impl Part<'_> {
    fn into_sprite(self) -> Option<FoundSprite> {
        let Self { name, settings, .. } = self;
        self.recipe.ok().map(|recipe| FoundSprite { name, recipe, settings })
    }
}

/// Combines the parts whose names differ only in a final number into one sprite, in order of the numbers.
/// Leaves out sprites with a part that cannot be opened.
fn numbered(
    text: &ManifestText,
    all: Vec<Part<'_>>,
    failures: &mut Failures,
) -> Result<Vec<FoundSprite>, BakeError> {
    let mut groups: BTreeMap<String, Vec<(u64, Part<'_>)>> = BTreeMap::new();
    let mut sprites = Vec::new();
    for part in all {
        match stem(&part.name).filter(|_| part.source.keys.numbered == Some(true)) {
            Some((stem, number)) => groups.entry(stem.to_owned()).or_default().push((number, part)),
            None => sprites.extend(part.into_sprite()),
        }
    }
    for (stem, mut group) in groups {
        let name = stem.trim_end_matches(SEPARATORS).to_owned();
        // The number of a lone `boss2` belongs to its name.
        if group.len() == 1 && name == stem {
            sprites.extend(group.into_iter().filter_map(|(_, part)| part.into_sprite()));
            continue;
        }
        group.sort_by(|(a, first), (b, second)| (a, &first.name).cmp(&(b, &second.name)));
        let first = &group[0].1;
        if let Some((_, other)) = group.iter().find(|(_, it)| it.settings != first.settings) {
            let (file, of_first) = (other.file.display(), first.file.display());
            let cause = format!(
                "{file} has other settings than {of_first}, but both are frames of sprite {name:?}: give their sources the same keys"
            );
            let later = [first, other].into_iter().max_by_key(|it| it.source.span.start);
            return Err(text.error(&later.map_or(0..0, |it| it.source.span.clone()), cause));
        }
        let settings = first.settings.clone();
        if let Some((fault, part)) =
            group.iter().find_map(|(_, part)| Some((part.recipe.as_ref().err()?, part)))
        {
            failures.lose(&name, part.file, BakeError::clone(fault));
        }
        let recipes: Result<_, _> = group.into_iter().map(|(_, part)| part.recipe).collect();
        let joined = |recipes| FoundSprite { name, recipe: Recipe::Joined(recipes), settings };
        sprites.extend(recipes.map(joined));
    }
    Ok(sprites)
}

/// Characters between a name and its number.
const SEPARATORS: [char; 5] = ['_', '-', '.', ' ', '#'];

/// Splits `walk_03` into `walk_` and 3. Returns `None` if there is no number or no name before it.
fn stem(name: &str) -> Option<(&str, u64)> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[stem.len()..].parse().ok()?;
    let name = stem.trim_end_matches(SEPARATORS);
    (!name.is_empty() && !name.ends_with('/')).then_some((stem, number))
}

/// The text of a manifest, for errors that point into it.
struct ManifestText(Text);

impl ManifestText {
    fn error(&self, span: &Range<usize>, cause: String) -> BakeError {
        self.0.error(BakeFault::Malformed, span.start, cause, HELP)
    }

    /// Checks that a pattern of a list has no part that leads upwards, because names are paths from the
    /// root.
    fn check_is_below_root(
        &self,
        list: &Spanned<Many<String>>,
        pattern: &str,
    ) -> Result<(), BakeError> {
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if Path::new(pattern).components().all(is_below) {
            return Ok(());
        }
        let cause = format!(
            "{pattern:?} is not a path below the root: write it without .., or set root to a higher folder"
        );
        Err(self.error(&self.within(list, pattern), cause))
    }

    /// Checks that the root is an existing folder.
    fn existing(&self, root: &Spanned<String>, folder: PathBuf) -> Result<PathBuf, BakeError> {
        // The empty path is the current folder.
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(folder);
        }
        let cause = format!("the root {:?} is not an existing folder", root.get_ref());
        Err(self.error(&root.span(), cause))
    }

    /// Returns the position of a string in a list.
    fn within(&self, list: &Spanned<Many<String>>, string: &str) -> Range<usize> {
        let span = list.span();
        let written = self.0.text.get(span.clone()).unwrap_or_default();
        let at = written.find(&format!("{string:?}")).unwrap_or(0);
        span.start + at..span.end
    }

    fn parse_error(&self, error: &toml::de::Error) -> BakeError {
        let span = error.span().unwrap_or(0..0);
        let message = error.message();
        // The format of serde's message: unknown field `angels`, expected one of `angles`,
        // `scales`.
        let mut quoted = message.split('`').skip(1).step_by(2);
        if let (true, Some(key)) = (message.starts_with("unknown field"), quoted.next()) {
            let help: Cow<'static, str> = match nearest(key, quoted) {
                Some(nearest) => format!("did you mean {nearest:?}?").into(),
                None => "run hitmask init, which writes a manifest with every key".into(),
            };
            let cause = format!("unknown key {key:?}");
            return self.0.error(BakeFault::Malformed, span.start, cause, help);
        }
        self.error(&span, message.replace('\n', " "))
    }
}

/// Returns the word with the smallest edit distance to `key`, if the distance is small.
fn nearest<'a>(key: &str, words: impl Iterator<Item = &'a str>) -> Option<String> {
    let distance = |word: &str| {
        let word: Vec<char> = word.chars().collect();
        let mut row: Vec<usize> = (0..=word.len()).collect();
        for (i, c) in key.chars().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, &w) in word.iter().enumerate() {
                let changed = diagonal + usize::from(c != w);
                diagonal = row[j + 1];
                row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
            }
        }
        row[word.len()]
    };
    let best = words.map(|word| (distance(word), word)).min();
    best.filter(|&(changes, word)| changes <= 1 + word.len() / 3).map(|(_, word)| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_has_the_smallest_edit_distance() {
        let near = |key| nearest(key, ["angles", "scales", "alpha", "pivot"].into_iter());
        assert_eq!(near("angels").as_deref(), Some("angles"));
        assert_eq!(near("scale").as_deref(), Some("scales"));
        assert_eq!(near("pivots").as_deref(), Some("pivot"));
        assert_eq!(near("colour"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn a_final_number_is_split_off_the_name() {
        assert_eq!(stem("walk_03"), Some(("walk_", 3)));
        assert_eq!(stem("a/walk 12"), Some(("a/walk ", 12)));
        assert_eq!(stem("walk7"), Some(("walk", 7)));
        for none in ["walk", "7", "a/7", "a/_7", "walk99999999999999999999999"] {
            assert_eq!(stem(none), None, "{none}");
        }
    }
}
