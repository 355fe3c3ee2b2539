//! Builds an atlas from source masks: draws every image at every pose in parallel and writes the
//! poses in order.
//!
//! Called by the bake and by `compact::expand` when a compact atlas opens. Invariants: both callers
//! get the same bytes for the same input, and images with equal poses are drawn once.

use super::aligned_bytes::Bytes;
use super::reuse::{Kept, Run};
use super::source_sprite::{Image, SourceSprite};
use super::write::{AtlasWriter, DrawnPoses, FrameEntry, Full, PoseData, SpriteEntry};
use crate::mask::{MAX_SIDE, Mask, words_of};
use crate::memory::parallel;
use crate::pose::{PoseError, PoseSet, Resolution, stored_steps};
use crate::raster::{Raster, Sampling};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

impl SourceSprite {
    /// Returns a hashable key per image. Images with equal keys have equal poses.
    pub(crate) fn pose_keys(&self) -> impl Iterator<Item = impl Hash> {
        self.images.iter().map(|image| Key::of(self, image))
    }
}

/// The input that determines the poses of an image.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    tight: Mask,
    /// In half-texels from the corner of the tight box.
    pivot: [i32; 2],
    poses: PoseSet,
    sampling: Sampling,
}

impl Key {
    fn of(sprite: &SourceSprite, image: &Image) -> Self {
        let [x, y] = image.pivot;
        let pivot = match image.tight.width() {
            0 => [x & 1, y & 1],
            _ => [x - 2 * image.corner.x, y - 2 * image.corner.y],
        };
        Self {
            tight: image.tight.clone(),
            pivot,
            poses: sprite.poses.clone(),
            sampling: sprite.sampling,
        }
    }

    /// Returns an upper bound for the bytes of the masks of all poses.
    fn max_bytes(&self) -> u64 {
        let (w, h) = (f64::from(self.tight.width()), f64::from(self.tight.height()));
        let of_scale = |scale: &f32| {
            let reach = w.hypot(h) * f64::from(scale * self.poses.resolution());
            let side = (reach.ceil() as u32).saturating_add(4).min(MAX_SIDE);
            8 * u64::from(words_of(side, side)) * u64::from(stored_steps(self.poses.angles()))
        };
        self.poses.scales().iter().map(of_scale).fold(0, u64::saturating_add)
    }

    fn draw(&self, drawn: &mut DrawnPoses) -> Result<(), PoseError> {
        let raster = Raster::of_tight(self.tight.clone(), self.pivot, self.sampling);
        drawn.fill(|poses| raster.stored(&self.poses, poses))
    }
}

/// The reason why a sprite cannot be drawn.
#[derive(Debug)]
pub(crate) enum DrawError {
    Pose { name: String, cause: PoseError },
    Full,
}

impl From<Full> for DrawError {
    fn from(Full: Full) -> Self {
        Self::Full
    }
}

/// A sprite to be added to an atlas.
pub(crate) enum Entry<'a> {
    /// Sprite whose poses are to be drawn.
    New(SourceSprite),
    /// Sprite that is copied with its poses from another atlas.
    Kept(Kept<'a>),
}

impl Entry<'_> {
    /// Returns the source sprite if its poses are to be drawn.
    pub(crate) fn into_source_sprite(self) -> Option<SourceSprite> {
        match self {
            Self::New(sprite) => Some(sprite),
            Self::Kept(_) => None,
        }
    }

    /// Returns the name and settings of the sprite.
    fn sprite(&self) -> &SourceSprite {
        match self {
            Self::New(sprite) => sprite,
            Self::Kept(kept) => &kept.sprite,
        }
    }

    fn poses(&self) -> usize {
        match self {
            Self::New(sprite) => {
                let each = sprite.poses.angles() as usize * sprite.poses.scales().len();
                sprite.images.len() * each
            }
            Self::Kept(kept) => kept.frames.len() * kept.poses_each() as usize,
        }
    }
}

/// The source of the poses of one plane of a frame. Equal sources give equal poses.
#[derive(Clone, PartialEq, Eq, Hash)]
enum PoseSource {
    Image(Key),
    Run(Run),
}

/// Poses that are not in the atlas yet.
struct PoseJob<'a> {
    entry: &'a Entry<'a>,
    source: PoseSource,
    outcome: Result<(), DrawError>,
    /// Poses of an image, filled by `make`.
    drawn: DrawnPoses,
    /// Poses copied from a file, filled by `make`.
    kept: Vec<PoseData<'a>>,
}

impl PoseJob<'_> {
    /// Draws the poses or looks them up in their file. Fails without drawing if the poses are
    /// certain to exceed `limit` bytes.
    fn make(&mut self, limit: u64) {
        match (&self.source, self.entry) {
            (PoseSource::Run(run), Entry::Kept(kept)) => self.kept = kept.pose_data(run),
            (PoseSource::Run(_), Entry::New(_)) => {}
            // The bound is divided by 64, because equal poses of an image are stored once.
            (PoseSource::Image(key), _) if key.max_bytes() / 64 > limit => {
                self.outcome = Err(DrawError::Full);
            }
            (PoseSource::Image(key), entry) => {
                let failed = |cause| DrawError::Pose { name: entry.sprite().name.clone(), cause };
                self.outcome = key.draw(&mut self.drawn).map_err(failed);
            }
        }
    }
}

/// A group of sprites whose poses are made together.
struct Batch<'a> {
    entries: &'a [Entry<'a>],
    /// Poses to make for these sprites.
    jobs: Vec<PoseJob<'a>>,
    /// For each sprite, the sources of the poses of its images.
    sources: Vec<Vec<PoseSource>>,
}

/// Draws sprites into an atlas.
pub(crate) struct Drawer {
    writer: AtlasWriter,
    /// First pose of each source that is in the atlas or in a batch.
    first_poses: HashMap<PoseSource, u32>,
    /// Upper limit for the bytes of the atlas.
    limit: u64,
    /// Pose buffers of earlier batches for reuse, which avoids freeing and allocating memory.
    spare: Vec<DrawnPoses>,
}

/// Poses per batch: enough to keep all threads busy with little memory. Two batches are in memory
/// at a time.
const POSES_PER_BATCH: usize = 1 << 12;
/// Largest pose buffer that is kept for reuse, in bytes.
const MAX_SPARE_BYTES: usize = 1 << 20;

impl Drawer {
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self::limited(resolution, u64::MAX)
    }

    /// Returns a drawer that fails once the atlas exceeds `limit` bytes. It does not draw images
    /// that are certain to exceed the limit by far.
    pub(crate) fn limited(resolution: Resolution, limit: u64) -> Self {
        let writer = AtlasWriter::new(resolution);
        Self { writer, first_poses: HashMap::new(), limit, spare: Vec::new() }
    }

    /// Appends sprites. Names must ascend over all calls. While the poses of one batch are drawn,
    /// the batch before it is written.
    pub(crate) fn add(&mut self, entries: &[Entry<'_>]) -> Result<(), DrawError> {
        let mut before = None;
        for range in batches(entries) {
            let mut next = self.batch(&entries[range]);
            let (limit, mut written) = (self.limit, Ok(()));
            parallel::join(
                || parallel::each(&mut next.jobs, &|job| job.make(limit)),
                || written = before.take().map_or(Ok(()), |batch| self.write(batch)),
            );
            written?;
            before = Some(next);
        }
        before.map_or(Ok(()), |batch| self.write(batch))
    }

    /// Collects the poses to make for a group of sprites.
    fn batch<'a>(&mut self, entries: &'a [Entry<'a>]) -> Batch<'a> {
        let mut jobs: Vec<PoseJob<'_>> = Vec::new();
        let mut sources = Vec::with_capacity(entries.len());
        for entry in entries {
            let of_entry: Vec<PoseSource> = match entry {
                Entry::New(sprite) => {
                    let image = |image| PoseSource::Image(Key::of(sprite, image));
                    sprite.images.iter().map(image).collect()
                }
                Entry::Kept(kept) => {
                    kept.frames.iter().map(|frame| PoseSource::Run(kept.run(frame))).collect()
                }
            };
            for source in &of_entry {
                if self.first_poses.contains_key(source) {
                    continue;
                }
                self.first_poses.insert(source.clone(), 0);
                let drawn = self.spare.pop().unwrap_or_default();
                let (source, outcome, kept) = (source.clone(), Ok(()), Vec::new());
                jobs.push(PoseJob { entry, source, outcome, drawn, kept });
            }
            sources.push(of_entry);
        }
        Batch { entries, jobs, sources }
    }

    /// Writes the sprites of a batch whose poses are made.
    fn write(&mut self, Batch { entries, jobs, sources }: Batch<'_>) -> Result<(), DrawError> {
        for PoseJob { source, outcome, drawn, kept, .. } in jobs {
            outcome?;
            let first_pose = match source {
                PoseSource::Image(_) => self.writer.add_poses(drawn.iter())?,
                PoseSource::Run(_) => self.writer.add_poses(kept.into_iter())?,
            };
            self.first_poses.insert(source, first_pose);
            if drawn.bytes() <= MAX_SPARE_BYTES {
                self.spare.push(drawn);
            }
        }
        for (entry, sources) in entries.iter().zip(&sources) {
            let first_poses = sources.iter().map(|source| self.first_poses[source]);
            let images: Vec<([i32; 2], [u32; 2])> = match entry {
                Entry::New(sprite) => {
                    sprite.images.iter().map(|image| (image.pivot, image.size)).collect()
                }
                Entry::Kept(kept) => {
                    kept.frames.iter().map(|f| (f.pivot, [f.width, f.height])).collect()
                }
            };
            let frame = |(first_pose, (pivot, size))| FrameEntry { first_pose, pivot, size };
            let frames: Vec<FrameEntry> = first_poses.zip(images).map(frame).collect();
            self.writer.add_sprite(&SpriteEntry::of(entry.sprite()), &frames)?;
        }
        if self.writer.len() > self.limit { Err(DrawError::Full) } else { Ok(()) }
    }

    /// Returns the bytes of the atlas.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Full> {
        self.writer.finish()
    }

    /// Returns the bytes of the atlas in an aligned buffer.
    pub(crate) fn finish_in_place(self) -> Result<Bytes, Full> {
        self.writer.finish_in_place()
    }
}

impl<'a> SpriteEntry<'a> {
    pub(super) fn of(sprite: &'a SourceSprite) -> Self {
        let SourceSprite { name, planes, poses, rule, sampling, .. } = sprite;
        Self { name, planes, poses, rule: *rule, sampling: *sampling }
    }
}

/// Splits the sprites into ranges of about [`POSES_PER_BATCH`] poses each.
fn batches(entries: &[Entry<'_>]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut poses) = (0, 0);
    for (i, entry) in entries.iter().enumerate() {
        poses += entry.poses();
        if poses >= POSES_PER_BATCH {
            batches.push(start..i + 1);
            (start, poses) = (i + 1, 0);
        }
    }
    if start < entries.len() {
        batches.push(start..entries.len());
    }
    batches
}
