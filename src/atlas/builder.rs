//! Builds an atlas from source masks: draws every image at every pose in parallel and writes the
//! poses in order.
//!
//! Called by the bake and by `compact::expand` when a compact atlas opens. Invariants: both callers
//! get the same bytes for the same input, and images with equal poses are drawn once.

use super::aligned_bytes::Bytes;
use super::reuse::{Kept, Run};
use super::source_sprite::{Image, Subject};
use super::write::{AtlasWriter, FrameEntry, Full, SpriteEntry, Stored, StoredPoses};
use crate::mask::{MAX_SIDE, Mask, words_of};
use crate::memory::parallel;
use crate::pose::{PoseError, PoseSet, Resolution, stored_steps};
use crate::raster::{Raster, Sampling};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

impl Subject {
    /// Returns a hashable key per image. Images with equal keys have equal poses.
    pub(crate) fn origins(&self) -> impl Iterator<Item = impl Hash> {
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
    fn of(subject: &Subject, image: &Image) -> Self {
        let [x, y] = image.pivot;
        let pivot = match image.tight.width() {
            0 => [x & 1, y & 1],
            _ => [x - 2 * image.corner.x, y - 2 * image.corner.y],
        };
        Self {
            tight: image.tight.clone(),
            pivot,
            poses: subject.poses.clone(),
            sampling: subject.sampling,
        }
    }

    /// Returns an upper bound for the bytes of the masks of all poses.
    fn most_bytes(&self) -> u64 {
        let (w, h) = (f64::from(self.tight.width()), f64::from(self.tight.height()));
        let of_scale = |scale: &f32| {
            let reach = w.hypot(h) * f64::from(scale * self.poses.resolution());
            let side = (reach.ceil() as u32).saturating_add(4).min(MAX_SIDE);
            8 * u64::from(words_of(side, side)) * u64::from(stored_steps(self.poses.angles()))
        };
        self.poses.scales().iter().map(of_scale).fold(0, u64::saturating_add)
    }

    fn draw(&self, drawn: &mut StoredPoses) -> Result<(), PoseError> {
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
    New(Subject),
    /// Sprite that is copied with its poses from another atlas.
    Kept(Kept<'a>),
}

impl Entry<'_> {
    /// Returns the source sprite if its poses are to be drawn.
    pub(crate) fn into_subject(self) -> Option<Subject> {
        match self {
            Self::New(subject) => Some(subject),
            Self::Kept(_) => None,
        }
    }

    /// Returns the name and settings of the sprite.
    fn subject(&self) -> &Subject {
        match self {
            Self::New(subject) => subject,
            Self::Kept(kept) => &kept.subject,
        }
    }

    fn poses(&self) -> usize {
        match self {
            Self::New(subject) => {
                let each = subject.poses.angles() as usize * subject.poses.scales().len();
                subject.images.len() * each
            }
            Self::Kept(kept) => kept.frames.len() * kept.poses_each() as usize,
        }
    }
}

/// The source of the poses of one plane of a frame. Equal sources give equal poses.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Origin {
    Image(Key),
    Run(Run),
}

/// Poses that are not in the atlas yet.
struct Wanted<'a> {
    entry: &'a Entry<'a>,
    origin: Origin,
    made: Result<(), DrawError>,
    /// Poses of an image, filled by `make`.
    drawn: StoredPoses,
    /// Poses copied from a file, filled by `make`.
    kept: Vec<Stored<'a>>,
}

impl Wanted<'_> {
    /// Draws the poses or looks them up in their file. Fails without drawing if the poses are
    /// certain to exceed `limit` bytes.
    fn make(&mut self, limit: u64) {
        match (&self.origin, self.entry) {
            (Origin::Run(run), Entry::Kept(kept)) => self.kept = kept.stored(run),
            (Origin::Run(_), Entry::New(_)) => {}
            // The bound is divided by 64, because equal poses of an image are stored once.
            (Origin::Image(key), _) if key.most_bytes() / 64 > limit => {
                self.made = Err(DrawError::Full);
            }
            (Origin::Image(key), entry) => {
                let failed = |cause| DrawError::Pose { name: entry.subject().name.clone(), cause };
                self.made = key.draw(&mut self.drawn).map_err(failed);
            }
        }
    }
}

/// A group of sprites whose poses are made together.
struct Batch<'a> {
    entries: &'a [Entry<'a>],
    /// Poses to make for these sprites.
    wanted: Vec<Wanted<'a>>,
    /// For each sprite, the sources of the poses of its images.
    origins: Vec<Vec<Origin>>,
}

/// Draws sprites into an atlas.
pub(crate) struct Drawer {
    writer: AtlasWriter,
    /// First pose of each source that is in the atlas or in a batch.
    written: HashMap<Origin, u32>,
    /// Upper limit for the bytes of the atlas.
    limit: u64,
    /// Pose buffers of earlier batches for reuse, which avoids freeing and allocating memory.
    spare: Vec<StoredPoses>,
}

/// Poses per batch: enough to keep all threads busy with little memory. Two batches are in memory
/// at a time.
const BATCH: usize = 1 << 12;
/// Largest pose buffer that is kept for reuse, in bytes.
const SPARE: usize = 1 << 20;

impl Drawer {
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self::limited(resolution, u64::MAX)
    }

    /// Returns a drawer that fails once the atlas exceeds `limit` bytes. It does not draw images
    /// that are certain to exceed the limit by far.
    pub(crate) fn limited(resolution: Resolution, limit: u64) -> Self {
        let writer = AtlasWriter::new(resolution);
        Self { writer, written: HashMap::new(), limit, spare: Vec::new() }
    }

    /// Appends sprites. Names must ascend over all calls. While the poses of one batch are drawn,
    /// the batch before it is written.
    pub(crate) fn add(&mut self, entries: &[Entry<'_>]) -> Result<(), DrawError> {
        let mut before = None;
        for range in batches(entries) {
            let mut next = self.batch(&entries[range]);
            let (limit, mut written) = (self.limit, Ok(()));
            parallel::join(
                || parallel::each(&mut next.wanted, &|wanted| wanted.make(limit)),
                || written = before.take().map_or(Ok(()), |batch| self.write(batch)),
            );
            written?;
            before = Some(next);
        }
        before.map_or(Ok(()), |batch| self.write(batch))
    }

    /// Collects the poses to make for a group of sprites.
    fn batch<'a>(&mut self, entries: &'a [Entry<'a>]) -> Batch<'a> {
        let mut wanted: Vec<Wanted<'_>> = Vec::new();
        let mut origins = Vec::with_capacity(entries.len());
        for entry in entries {
            let of_entry: Vec<Origin> = match entry {
                Entry::New(subject) => {
                    let image = |image| Origin::Image(Key::of(subject, image));
                    subject.images.iter().map(image).collect()
                }
                Entry::Kept(kept) => {
                    kept.frames.iter().map(|frame| Origin::Run(kept.run(frame))).collect()
                }
            };
            for origin in &of_entry {
                if self.written.contains_key(origin) {
                    continue;
                }
                self.written.insert(origin.clone(), 0);
                let drawn = self.spare.pop().unwrap_or_default();
                let (origin, made, kept) = (origin.clone(), Ok(()), Vec::new());
                wanted.push(Wanted { entry, origin, made, drawn, kept });
            }
            origins.push(of_entry);
        }
        Batch { entries, wanted, origins }
    }

    /// Writes the sprites of a batch whose poses are made.
    fn write(&mut self, Batch { entries, wanted, origins }: Batch<'_>) -> Result<(), DrawError> {
        for Wanted { origin, made, drawn, kept, .. } in wanted {
            made?;
            let first_pose = match origin {
                Origin::Image(_) => self.writer.add_poses(drawn.iter())?,
                Origin::Run(_) => self.writer.add_poses(kept.into_iter())?,
            };
            self.written.insert(origin, first_pose);
            if drawn.bytes() <= SPARE {
                self.spare.push(drawn);
            }
        }
        for (entry, origins) in entries.iter().zip(&origins) {
            let first_poses = origins.iter().map(|origin| self.written[origin]);
            let images: Vec<([i32; 2], [u32; 2])> = match entry {
                Entry::New(subject) => {
                    subject.images.iter().map(|image| (image.pivot, image.size)).collect()
                }
                Entry::Kept(kept) => {
                    kept.frames.iter().map(|f| (f.pivot, [f.width, f.height])).collect()
                }
            };
            let frame = |(first_pose, (pivot, size))| FrameEntry { first_pose, pivot, size };
            let frames: Vec<FrameEntry> = first_poses.zip(images).map(frame).collect();
            self.writer.add_sprite(&SpriteEntry::of(entry.subject()), &frames)?;
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
    pub(super) fn of(subject: &'a Subject) -> Self {
        let Subject { name, planes, poses, rule, sampling, .. } = subject;
        Self { name, planes, poses, rule: *rule, sampling: *sampling }
    }
}

/// Splits the sprites into ranges of about [`BATCH`] poses each.
fn batches(entries: &[Entry<'_>]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut poses) = (0, 0);
    for (i, entry) in entries.iter().enumerate() {
        poses += entry.poses();
        if poses >= BATCH {
            batches.push(start..i + 1);
            (start, poses) = (i + 1, 0);
        }
    }
    if start < entries.len() {
        batches.push(start..entries.len());
    }
    batches
}
