//! Reads a manifest to the sprites of its files.
//!
//! Called by `Bake::manifest`.

use super::choose::{Chosen, choose};
use super::keys::Keys;
use super::manifest_text::ManifestText;
use super::numbered::{FoundSprite, Part, numbered};
use super::values::{FlipKey, MaskPixels, Megabytes};
use crate::error::BakeError;
use crate::failures::Failures;
use crate::image::{self, Options, Recipe};
use crate::limits::BakeLimits;
use crate::settings::SourceSettings;
use hitmask::{Flip, Warning};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The contents of a manifest.
pub(crate) struct Contents {
    pub(crate) sprites: Vec<FoundSprite>,
    /// Files and folders whose change makes a new bake necessary.
    pub(crate) watched: Vec<PathBuf>,
    /// Warnings about files, found when they were opened.
    pub(crate) foreign: Vec<Warning>,
    /// The output path of the atlas, if given.
    pub(crate) output: Option<PathBuf>,
    /// Options of the atlas as a whole.
    pub(crate) max_bytes: Option<u64>,
    pub(crate) resolution: Option<f32>,
    pub(crate) compact: Option<bool>,
}

/// Reads the manifest at `path`. `base` has the settings that the manifest does not give.
pub(crate) fn read(
    path: &Path,
    base: &SourceSettings,
    limits: BakeLimits,
    failures: &mut Failures,
) -> Result<Contents, BakeError> {
    let text = ManifestText::read(path)?;
    let manifest = text.parse()?;
    check_defaults(&text, &manifest.defaults)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    // `output` and `root` come from the author of the manifest and may lead anywhere.
    let root = match &manifest.root {
        Some(root) => text.existing(root, folder.join(root.get_ref()))?,
        None => folder.to_owned(),
    };
    let (chosen, passed_over) = choose(&text, &root, &manifest, failures)?;
    let mut watched = vec![path.to_owned(), root.clone()];
    watched.extend(chosen.keys().map(|(file, _)| file.clone()));
    let mut foreign = Vec::new();
    let mut parts = open(&root, &chosen, base, limits, &mut foreign, failures)?;
    foreign.extend(without_pages(&root, limits, &mut parts));
    for path in passed_over {
        if let Some(sprite) = failures.skip(&path, image::name(&root, &path))? {
            foreign.push(Warning::NotAnImage { sprite, path });
        }
    }
    Ok(Contents {
        sprites: numbered(&text, parts, failures)?,
        watched,
        foreign,
        output: manifest.output.map(|output| folder.join(output.get_ref())),
        max_bytes: manifest.max_mb.map(|Megabytes(bytes)| bytes),
        resolution: manifest.resolution.map(|MaskPixels(resolution)| resolution),
        compact: manifest.compact,
    })
}

/// Refuses keys of the defaults that concern single files.
fn check_defaults(text: &ManifestText, defaults: &Keys) -> Result<(), BakeError> {
    for (key, span) in [
        ("files", defaults.files.as_ref().map(Spanned::span)),
        ("grid", defaults.grid.as_ref().map(Spanned::span)),
        ("rect", defaults.rect.as_ref().map(Spanned::span)),
        ("name", defaults.name.as_ref().map(Spanned::span)),
    ] {
        if let Some(span) = span {
            let cause = format!("{key} is a key of [[source]], not of [defaults]");
            return Err(text.error(&span, cause));
        }
    }
    Ok(())
}

/// Opens the chosen files. Adds findings about descriptions to `warnings`.
fn open<'a>(
    root: &Path,
    chosen: &'a Chosen,
    base: &SourceSettings,
    limits: BakeLimits,
    warnings: &mut Vec<Warning>,
    failures: &mut Failures,
) -> Result<Vec<Part<'a>>, BakeError> {
    let mut parts = Vec::new();
    for ((file, own_name), source) in chosen {
        let keys = &source.keys;
        let settings = keys.settings(base);
        let options = Options {
            grid: keys.grid.as_ref().map(|grid| grid.get_ref().grid()),
            rect: keys.rect.as_ref().map(|rect| rect.get_ref().0),
            tags: keys.tags.unwrap_or(true),
            ..Options::of(&settings, limits)
        };
        let name = match own_name {
            Some(name) => Some(name.clone()),
            None => failures.skip(file, image::name(root, file))?,
        };
        let Some(name) = name else { continue };
        let part = |name, recipe| Part { name, recipe, settings: settings.clone(), file, source };
        match image::open(&name, file, &options, warnings) {
            Ok(opened) => parts.extend(opened.into_iter().map(|(name, recipe)| {
                let flip = keys.flip.map_or(Flip::NONE, |FlipKey(flip)| flip);
                part(name, Ok(recipe.flipped(flip)))
            })),
            Err(error) => {
                failures.skip_sprites::<()>(&name, file, Err(error.clone()))?;
                parts.push(part(name, Err(Box::new(error))));
            }
        }
    }
    Ok(parts)
}

/// Removes the images that are pages of sheets among the parts, unless a source asks for them. Returns
/// warnings about images that are pages of other sheets.
fn without_pages(root: &Path, limits: BakeLimits, parts: &mut Vec<Part<'_>>) -> Vec<Warning> {
    let recipes = parts.iter().filter_map(|part| part.recipe.as_ref().ok());
    let pages: BTreeSet<PathBuf> = recipes.flat_map(Recipe::pages).cloned().collect();
    let is_page = |recipe: &Recipe| recipe.is_whole_of(&pages);
    parts.retain(|it| it.source.is_named || !it.recipe.as_ref().is_ok_and(is_page));
    let may_be_page = |part: &&Part<'_>| {
        !part.source.is_named && part.recipe.as_ref().is_ok_and(Recipe::is_whole)
    };
    let images = parts.iter().filter(may_be_page);
    let images: BTreeMap<PathBuf, String> =
        images.map(|part| (part.file.to_owned(), part.name.clone())).collect();
    let found = image::pages_of_sheets(root, &images.keys().cloned().collect(), limits);
    let warning = |(page, path)| Some(Warning::Page { sprite: images.get(&page)?.clone(), path });
    found.into_iter().filter_map(warning).collect()
}
