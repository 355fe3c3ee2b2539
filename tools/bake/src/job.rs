//! The jobs of a bake: one per sprite, in order of names.
//!
//! Called by `write`.

use super::failures::Failures;
use super::inputs::Source;
use super::{BakeError, SourceSettings};
use hitmask::BuildFault;
use hitmask::baking::{DEFAULT_PLANE, SourceSprite};
use std::path::PathBuf;

/// One sprite to be baked.
pub(super) struct Job<'a> {
    pub(super) source: &'a Source,
    pub(super) settings: &'a SourceSettings,
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
        return Err(BakeError::NoSources);
    }
    let mut jobs = Vec::with_capacity(sources.len());
    for source in sources {
        let settings = source.settings.as_ref().unwrap_or(settings);
        let layers = settings.planes.iter().map(|plane| plane.name.as_str());
        let planes = layers.filter(|&layer| layer != DEFAULT_PLANE).chain([DEFAULT_PLANE]);
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
            let (name, first, second) = (first.name.clone(), first.origin(), second.origin());
            // Two paths to one file are reported as one path.
            let place = |path: &Option<PathBuf>| path.as_ref()?.canonicalize().ok();
            let is_one_file = place(&first).is_some() && place(&first) == place(&second);
            let second = if is_one_file { first.clone() } else { second };
            return Err(BakeError::SameName { name, first, second });
        }
    }
    Ok(jobs)
}
