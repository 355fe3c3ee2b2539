//! The jobs of a bake, one per sprite in order of names, and the options of all of them.
//!
//! Made by `write`, and read by `pipeline` and what it calls.

use crate::error::{BakeError, BakeFault};
use crate::failures::Failures;
use crate::limits::BakeLimits;
use crate::settings::{MAX_RADIUS, SourceSettings};
use crate::source::Source;
use hitmask::BuildFault;
use hitmask::baking::{DEFAULT_PLANE, SourceSprite};
use std::borrow::Cow;
use std::path::PathBuf;

/// Options of the bake as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Mask pixels along one side of a pixel.
    pub(super) resolution: f32,
    /// Size limit of the opened atlas in bytes.
    pub(super) max_bytes: Option<u64>,
    /// Stores source masks only.
    pub(super) compact: bool,
    /// Limits on what files take to decode.
    pub(super) limits: BakeLimits,
}

/// One sprite to be baked.
pub(super) struct Job<'a> {
    pub(super) source: &'a Source,
    pub(super) settings: Cow<'a, SourceSettings>,
}

/// Returns the sources in order of their names, with checked settings.
pub(super) fn jobs<'a>(
    sources: &'a [Source],
    settings: &'a SourceSettings,
    resolution: f32,
    failures: &mut Failures,
) -> Result<Vec<Job<'a>>, BakeError> {
    if sources.is_empty() {
        failures.none_yet()?;
        let help = "add an image or a folder of images";
        return Err(BakeError::new(BakeFault::Nothing, "there is nothing to bake", help));
    }
    let mut jobs = Vec::with_capacity(sources.len());
    for source in sources {
        let settings = source.settings(settings);
        check_settings(&source.name, &settings)?;
        let layers = settings.planes.iter().map(|plane| plane.name.as_str());
        let planes = layers.filter(|&layer| layer != DEFAULT_PLANE).chain([DEFAULT_PLANE]);
        let planes = planes.chain(settings.slices.iter().map(String::as_str));
        let checked = SourceSprite::check(&source.name, planes, &settings.sprite, resolution);
        match checked {
            Ok(()) => jobs.push(Job { source, settings }),
            // A name is a fault of its file.
            Err(error) if error.fault == BuildFault::Name && error.sprite.is_some() => {
                failures.skip_sprite(source.place(), Err::<(), _>(error.into()))?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    if jobs.is_empty() {
        failures.none_yet()?;
    }
    jobs.sort_by(|a, b| a.source.name.cmp(&b.source.name));
    for pair in jobs.windows(2) {
        let (first, second) = (pair[0].source, pair[1].source);
        if first.name == second.name {
            return Err(same_name(&first.name, first.origin(), second.origin()));
        }
    }
    Ok(jobs)
}

/// Checks the settings of a sprite that concern its file.
fn check_settings(name: &str, settings: &SourceSettings) -> Result<(), BakeError> {
    let refused = |cause, help| Err(BakeError::new(BakeFault::Option, cause, help).in_sprite(name));
    let SourceSettings { planes, slices, shrink, grow, .. } = settings;
    let radius = (*shrink).max(*grow);
    if radius > MAX_RADIUS {
        let cause = format!("sprite {name:?} grows or shrinks by {radius} texels");
        return refused(cause, "use a radius of at most 256 texels");
    }
    for (i, slice) in slices.iter().enumerate() {
        let is_taken = slice == DEFAULT_PLANE || planes.iter().any(|plane| plane.name == *slice);
        if is_taken || slices[..i].contains(slice) {
            let cause = format!("sprite {name:?} has two planes {slice:?}, one of a slice");
            return refused(cause, "rename the slice or the plane, or leave out one of them");
        }
    }
    Ok(())
}

/// Returns the error of two sources with one name. `None` is a source without an image.
fn same_name(name: &str, first: Option<PathBuf>, second: Option<PathBuf>) -> BakeError {
    let place = |path: &Option<PathBuf>| path.as_ref()?.canonicalize().ok();
    let (cause, help) = match (&first, &second) {
        // Two paths to one file are reported as one path.
        (Some(path), Some(other))
            if path == other || place(&first).is_some() && place(&first) == place(&second) =>
        {
            let help = "name the file once, or give one of the sprites another name";
            (format!("{} gives a sprite named {name:?} twice", path.display()), help)
        }
        (Some(path), Some(other)) => {
            let help = if path.parent() == other.parent() {
                "rename one of them, or give it a name in a manifest: a [[source]] with files and name"
            } else {
                "rename one of them, or bake their common parent folder"
            };
            let (path, other) = (path.display(), other.display());
            (format!("two sources give a sprite named {name:?}: {path} and {other}"), help)
        }
        (Some(path), None) | (None, Some(path)) => {
            let path = path.display();
            let cause = format!(
                "two sources give a sprite named {name:?}: {path} and one that is not an image"
            );
            (cause, "rename one of them")
        }
        (None, None) => {
            let cause = format!("two sources without images give a sprite named {name:?}");
            (cause, "rename one of them")
        }
    };
    let error = BakeError::new(BakeFault::SameName, cause, help).in_sprite(name);
    match first.or(second) {
        Some(path) => error.of(&path),
        None => error,
    }
}
