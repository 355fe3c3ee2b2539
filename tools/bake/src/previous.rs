//! The atlas at the output path before a bake: the source of unchanged sprites, and of those whose files
//! cannot be baked any more.
//!
//! Made by `write`, filled by `incremental`, and read by `pipeline`. The file is read when a sprite of it is
//! first needed. Invariant: a sprite is copied as it is, or not at all.

use crate::binary::Digest;
use crate::cache::Sprite;
use crate::error::BakeError;
use crate::job::Plan;
use hitmask::baking::{AtlasFile, Entry, SpriteInfo};
use hitmask::{Atlas, AtlasOptions, Flip, Pose, Rect, SpriteReport};
use std::cmp::Ordering;
use std::f64::consts::PI;
use std::path::Path;
use std::sync::OnceLock;

/// The key of a sprite whose source is not known. No source has it, so the next bake tries the source again.
const NO_KEY: Digest = 0;

/// The atlas at the output path before a bake.
pub(super) struct PreviousAtlas<'p> {
    path: &'p Path,
    /// The byte of the file where the atlas begins: behind the head of a shard.
    start: u64,
    /// `None` inside if there is no intact atlas.
    file: OnceLock<Option<AtlasFile>>,
    /// For each job, the index in the file and the report data, if the sprite is unchanged.
    pub(super) unchanged: Vec<Option<(usize, SpriteInfo)>>,
    /// What the cache has about its sprites, in order of their names. Empty without a cache.
    pub(super) known: Vec<Sprite>,
}

/// The masks of a sprite from the last bake that could read its source.
pub(super) struct LastGood<'a> {
    pub(super) entry: Entry<'a>,
    pub(super) info: SpriteInfo,
    /// The key of the source that gave the masks.
    pub(super) key: Digest,
}

impl<'p> PreviousAtlas<'p> {
    /// Returns the atlas from byte `start` of the file at `path`. Reads nothing.
    pub(super) fn at(path: &'p Path, start: u64) -> Self {
        Self { path, start, file: OnceLock::new(), unchanged: Vec::new(), known: Vec::new() }
    }

    /// Returns the same atlas, which has been read already.
    pub(super) fn with_file(self, file: AtlasFile) -> Self {
        Self { file: OnceLock::from(Some(file)), ..self }
    }

    /// Returns the atlas, or `None` if there is no intact one.
    pub(super) fn file(&self) -> Option<&AtlasFile> {
        self.file.get_or_init(|| AtlasFile::read(self.path, self.start).ok()).as_ref()
    }

    /// Returns the names of its sprites, in ascending order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.file().into_iter().flat_map(|file| (0..file.len()).map(|i| file.name(i)))
    }

    /// Returns the masks of the sprite `name`, or `None` if there is no such sprite. Fails with `fault`, the
    /// fault of its source, if an atlas of this plan cannot hold the masks.
    pub(super) fn last_good(
        &self,
        name: &str,
        plan: &Plan,
        fault: &BakeError,
    ) -> Result<Option<LastGood<'_>>, BakeError> {
        let Some(file) = self.file() else { return Ok(None) };
        let Some(i) = find(file, name) else { return Ok(None) };
        let known = self.known.binary_search_by(|sprite| sprite.name().cmp(name)).ok();
        let known = known.map(|k| &self.known[k]);
        let entry = if file.resolution() != plan.resolution {
            Err("they have another resolution")
        } else if file.is_compact() {
            file.sprite(i).map(Entry::New).ok_or("they are damaged")
        } else if plan.compact {
            Err("a compact atlas needs the masks as they are in the image")
        } else if plan.max_bytes.is_some() {
            Err("a limit on the size may have to reduce their angle steps")
        } else {
            file.kept(i).map(Entry::Kept).ok_or("they are damaged")
        };
        let refused = |why| {
            let help = format!(
                "{}; {} is unchanged, because the new atlas cannot take over the masks of {name:?}: {why}",
                fault.help(),
                self.path.display()
            );
            fault.clone().with_help(help)
        };
        let entry = entry.map_err(refused)?;
        let info = known.map(|sprite| sprite.info.clone());
        let info = info
            .or_else(|| self.examined(name, &entry))
            .ok_or_else(|| refused("they are damaged"))?;
        Ok(Some(LastGood { entry, info, key: known.map_or(NO_KEY, |sprite| sprite.key) }))
    }

    /// Returns the report data of a sprite that no cache has. The error is an upper bound, by the boxes of
    /// the poses.
    fn examined(&self, name: &str, entry: &Entry<'_>) -> Option<SpriteInfo> {
        let atlas: Atlas = AtlasOptions::UNLIMITED.open(self.path).ok()?;
        let sprite = atlas.sprite(atlas.sprite_id(name)?)?;
        let (frames, angles, scales) =
            (sprite.frame_count(), sprite.angles(), sprite.scales().len());
        let poses = frames as usize * sprite.plane_count() as usize * angles as usize * scales;
        let baked = SpriteReport { sprite: name.to_owned(), angles, poses, error: 0.0 };
        let mut info = SpriteInfo {
            frames: frames as usize,
            warnings: Vec::new(),
            appearance: None,
            pixels: 0,
            baked,
            images: Vec::new(),
        };
        if let Entry::New(source) = entry {
            info.record_poses(source);
            return Some(info);
        }
        let largest = Pose { step: 0, scale: scales.checked_sub(1)? as u32 };
        let reach = |frame| {
            let posed = sprite.posed(frame, largest, Flip::NONE)?;
            let Rect { x0, y0, x1, y1 } = posed.rect();
            let far = |from: i32, to: i32| f64::from(from.unsigned_abs().max(to.unsigned_abs()));
            Some(far(x0, x1).hypot(far(y0, y1)) / f64::from(atlas.resolution()))
        };
        let reach = (0..frames).filter_map(reach).fold(0.0, f64::max);
        info.baked.error = if angles == 1 { 0.0 } else { (reach * PI / f64::from(angles)) as f32 };
        Some(info)
    }
}

/// Returns the index of a sprite in a file, whose names ascend.
fn find(file: &AtlasFile, name: &str) -> Option<usize> {
    let (mut low, mut high) = (0, file.len());
    while low < high {
        let middle = low.midpoint(high);
        match file.name(middle).cmp(name) {
            Ordering::Equal => return Some(middle),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}
