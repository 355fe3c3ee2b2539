//! Compares an atlas file with its sources.
//!
//! Called by `Bake::check`. Writes nothing.

use crate::error::BakeError;
use crate::failures::Failures;
use crate::job::{Job, Plan};
use crate::pipeline::{self, Output};
use crate::{atomic_write, incremental};
use hitmask::{Atlas, AtlasOptions, FileError, Flip, Pose, Sprite};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// The differences between an atlas file and a new bake of its sources, as
/// [`Bake::check`](crate::Bake::check) returns them.
///
/// ```no_run
/// use hitmask_bake::{Bake, Mask};
/// let dot: Mask = "#".parse()?;
/// let check = Bake::new().mask("dot", dot).check("sprites.hitmask")?;
/// assert!(check.is_fresh, "bake again: {:?} changed", check.changed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CheckReport {
    /// True if the file equals a new bake byte for byte.
    pub is_fresh: bool,
    /// Names of sprites that a bake would add.
    pub new: Vec<String>,
    /// Names of sprites that have no source any more.
    pub gone: Vec<String>,
    /// Names of sprites whose settings or pixels would change. If all lists are empty and the atlas
    /// is not fresh, only its form differs: full or compact, or of another version.
    pub changed: Vec<String>,
    /// Why the file cannot be read as an atlas. If set, all sprites count as new.
    pub unreadable: Option<FileError>,
}

/// Compares the atlas at `output` with its sources. Writes nothing.
pub(super) fn check(
    jobs: &[Job<'_>],
    plan: &Plan,
    output: &Path,
    cache: Option<&Path>,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<CheckReport, BakeError> {
    let mut reusable = None;
    if let Some(cache) = cache {
        let (is_fresh, found) = incremental::look(jobs, plan, output, cache);
        if is_fresh {
            progress(jobs.len());
            return Ok(CheckReport { is_fresh, ..CheckReport::default() });
        }
        reusable = found;
    }
    let memory = Output::in_memory(&[]);
    let mut failures = Failures::default();
    let bytes = pipeline::bake(jobs, plan, reusable, memory, &mut failures, progress)?.into_bytes();
    if atomic_write::holds(output, &bytes) {
        return Ok(CheckReport { is_fresh: true, ..CheckReport::default() });
    }
    let names = |atlas: &Atlas| -> BTreeSet<String> {
        atlas.sprites().map(|sprite| sprite.name().to_owned()).collect()
    };
    // Cannot fail: the bytes come from the bake above.
    let baked = AtlasOptions::UNLIMITED.from_vec(bytes).and_then(|atlas| atlas.drawn());
    let Ok(baked) = baked else {
        return Ok(CheckReport::default());
    };
    // An atlas of about the size of this bake opens, whatever the size is.
    let expected = 4 * baked.as_bytes().len() as u64;
    let max_bytes = expected.max(AtlasOptions::DEFAULT.max_bytes);
    let options = AtlasOptions { max_bytes, ..AtlasOptions::UNLIMITED };
    let stored = match options.open(output).and_then(|atlas| atlas.drawn()) {
        Ok(stored) => stored,
        Err(error) => {
            let new = names(&baked).into_iter().collect();
            return Ok(CheckReport { new, unreadable: Some(error), ..CheckReport::default() });
        }
    };
    let (old, new) = (names(&stored), names(&baked));
    let both: Vec<&String> = old.intersection(&new).collect();
    let is_other_resolution = stored.resolution() != baked.resolution();
    let differs: Vec<bool> = both
        .par_iter()
        .map(|name| {
            let find = |atlas: &Atlas| atlas.sprite_id(name);
            match find(&stored)
                .and_then(|id| stored.sprite(id))
                .zip(find(&baked).and_then(|id| baked.sprite(id)))
            {
                Some((one, other)) => is_other_resolution || !are_equal(one, other),
                None => true,
            }
        })
        .collect();
    let changed = both.iter().zip(differs).filter(|(_, differs)| *differs);
    Ok(CheckReport {
        is_fresh: false,
        new: new.difference(&old).cloned().collect(),
        gone: old.difference(&new).cloned().collect(),
        changed: changed.map(|(name, _)| name.to_string()).collect(),
        unreadable: None,
    })
}

/// Returns true if two sprites have equal settings and equal pixels in every pose.
fn are_equal(one: Sprite<'_>, other: Sprite<'_>) -> bool {
    let settings = |s: Sprite<'_>| (s.angles(), s.alpha_rule(), s.sampling(), s.frame_count());
    settings(one) == settings(other)
        && one.scales() == other.scales()
        && one.planes().eq(other.planes())
        && (0..one.frame_count()).all(|frame| {
            let image = |s: Sprite<'_>| (s.frame_size(frame), s.pivot(frame));
            image(one) == image(other)
        })
        && (0..one.plane_count()).all(|plane| {
            let planes = one.in_plane(plane).zip(other.in_plane(plane));
            planes.is_some_and(|(one, other)| poses_are_equal(one, other))
        })
}

/// Compares the poses of one plane.
fn poses_are_equal(one: Sprite<'_>, other: Sprite<'_>) -> bool {
    let scales = one.scales().len() as u32;
    // Flipped poses are derived from these, so they need no comparison.
    (0..one.frame_count()).all(|frame| {
        (0..scales).all(|scale| {
            (0..one.angles()).all(|step| {
                let pose = Pose { step, scale };
                one.posed(frame, pose, Flip::NONE) == other.posed(frame, pose, Flip::NONE)
            })
        })
    })
}
