//! Joins files whose names differ in a final number to one sprite.
//!
//! Called by `read`.

use super::choose::ChosenSource;
use super::manifest_text::ManifestText;
use crate::error::BakeError;
use crate::failures::Failures;
use crate::image::Recipe;
use crate::settings::SourceSettings;
use std::collections::BTreeMap;
use std::path::Path;

/// A sprite from one or more files.
pub(crate) struct FoundSprite {
    pub(crate) name: String,
    pub(crate) recipe: Recipe,
    pub(crate) settings: SourceSettings,
}

/// A sprite of a file, which may be a part of a numbered one.
pub(super) struct Part<'a> {
    pub(super) name: String,
    /// The fault of the file if it cannot be opened.
    pub(super) recipe: Result<Recipe, Box<BakeError>>,
    pub(super) settings: SourceSettings,
    pub(super) file: &'a Path,
    pub(super) source: &'a ChosenSource,
}

impl Part<'_> {
    fn into_sprite(self) -> Option<FoundSprite> {
        let Self { name, settings, .. } = self;
        self.recipe.ok().map(|recipe| FoundSprite { name, recipe, settings })
    }
}

/// Combines the parts whose names differ only in a final number into one sprite, in order of the numbers.
/// Leaves out sprites with a part that cannot be opened.
pub(super) fn numbered(
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
