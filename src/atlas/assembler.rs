//! Assembles an atlas from sprites in order of their names: draws every image at every pose in
//! parallel, and writes the poses in order.
//!
//! Invariants: a full atlas, and a compact one that is expanded, get the same bytes for the same
//! sprites. Images with equal poses are drawn once. The memory for drawn poses is bounded, whatever
//! the number and size of the images.

use super::aligned_bytes::Bytes;
use super::build_error::BuildError;
use super::compression;
use super::drawn_poses::{DrawnPoses, PoseData};
use super::finish::Finished;
use super::map::{self, Map};
use super::pool_writer::{Scratch, WriteError};
use super::pose_job::{Entry, PoseJob, PoseSource};
use super::source_sprite::{Image, SourceSprite};
use super::write::{AtlasWriter, FrameEntry, OpenRun, SpriteEntry};
use crate::memory::parallel;
use crate::pose::Resolution;
use std::collections::HashMap;
use std::iter;

/// Poses per batch, of which two are in memory: enough to keep all threads busy.
const POSES_PER_BATCH: usize = 1 << 12;
/// About the bytes of the masks of a batch. A single pose may exceed it.
const BYTES_PER_BATCH: u64 = 16 << 20;
/// Most memory that is kept for reuse by later batches, in bytes: of one buffer, and of all.
const MAX_SPARE_BYTES: usize = 1 << 20;
const MAX_ALL_SPARE_BYTES: usize = 16 << 20;

#[derive(Default)]
struct DrawBatch<'a> {
    jobs: Vec<PoseJob<'a>>,
    /// Sprites whose last poses are in this batch or before it, with the sources of their images.
    sprites: Vec<(&'a Entry<'a>, Vec<PoseSource>)>,
}

/// The place in a list of sprites up to which there are batches.
#[derive(Default)]
struct Cursor {
    entry: usize,
    /// Number of the next pose of an image.
    pose: u32,
    sources: Vec<PoseSource>,
}

/// An atlas that is being written, full or compact.
///
/// ```
/// use hitmask::baking::{Assembler, Entry, Finished, Frame, SourceSprite};
/// use hitmask::{Atlas, Mask, Settings};
/// let frames = [Frame::from(Mask::solid(3, 2)?)];
/// let sprite = SourceSprite::new("tile", &frames, &Settings::default(), 1.0)?;
/// let mut assembler = Assembler::new(1.0, false, None)?;
/// assembler.add(&[Entry::New(sprite)])?;
/// let Finished::Bytes(bytes) = assembler.finish(&[])? else { panic!("there is no file") };
/// assert_eq!(Atlas::from_vec(bytes)?.sprites().next().unwrap().name(), "tile");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Assembler<'s> {
    /// The full atlas. For a compact one it draws each pose, measures it and drops it.
    writer: AtlasWriter<'s>,
    /// The source masks of a compact atlas.
    compact: Option<AtlasWriter<'static>>,
    open: Option<OpenRun>,
    /// First pose of each source that is in the atlas or in a batch.
    first_poses: HashMap<PoseSource, u32>,
    /// Upper limit for the bytes of the atlas.
    limit: u64,
    /// Pose buffers of earlier batches for reuse, which avoids freeing and allocating memory.
    spare: Vec<DrawnPoses>,
    spare_bytes: usize,
}

impl<'s> Assembler<'s> {
    /// Returns an atlas without sprites. A full atlas above 16 MiB grows in the scratch file, if
    /// there is one.
    ///
    /// # Errors
    /// [`BuildFault::Settings`](crate::BuildFault) if the resolution is invalid.
    pub fn new(
        resolution: f32,
        is_compact: bool,
        scratch: Option<&'s mut dyn Scratch>,
    ) -> Result<Self, BuildError> {
        let resolution = Resolution::new(resolution).map_err(BuildError::settings)?;
        let mut assembler = Self::of(if is_compact {
            AtlasWriter::measuring(resolution)
        } else {
            AtlasWriter::new(resolution, scratch)
        });
        assembler.compact = is_compact.then(|| AtlasWriter::compact(resolution));
        Ok(assembler)
    }

    /// Returns a full atlas in memory that fails once it exceeds `limit` bytes. It does not draw
    /// images that are certain to exceed the limit by far.
    pub(super) fn limited(resolution: Resolution, limit: u64) -> Self {
        Self { limit, ..Self::of(AtlasWriter::new(resolution, None)) }
    }

    fn of(writer: AtlasWriter<'s>) -> Self {
        Self {
            writer,
            compact: None,
            open: None,
            first_poses: HashMap::new(),
            limit: u64::MAX,
            spare: Vec::new(),
            spare_bytes: 0,
        }
    }

    /// Appends sprites, whose names ascend over all calls. Draws their poses on all cores, and writes a
    /// batch while it draws the next.
    ///
    /// # Errors
    /// [`BuildError`] if a pose is too large, or if the atlas cannot hold or write the sprites.
    pub fn add(&mut self, entries: &[Entry<'_>]) -> Result<(), BuildError> {
        let (mut cursor, mut before) = (Cursor::default(), None);
        while cursor.entry < entries.len() {
            let mut next = self.batch(entries, &mut cursor);
            let (limit, mut written) = (self.limit, Ok(()));
            parallel::join(
                || parallel::each(&mut next.jobs, &|job| job.make(limit)),
                || written = before.take().map_or(Ok(()), |batch| self.write(batch)),
            );
            written?;
            before = Some(next);
        }
        before.map_or(Ok(()), |batch| self.write(batch))?;
        if let Some(compact) = &mut self.compact {
            for entry in entries {
                if let Entry::New(sprite) = entry {
                    add_masks(compact, sprite)?;
                }
            }
        }
        Ok(())
    }

    fn batch<'a>(&mut self, entries: &'a [Entry<'a>], cursor: &mut Cursor) -> DrawBatch<'a> {
        let (mut batch, mut poses, mut bytes) = (DrawBatch::default(), 0, 0);
        while let Some(entry) = entries.get(cursor.entry) {
            while cursor.sources.len() < entry.images() || cursor.pose > 0 {
                // A source that is listed while its poses have no jobs yet is the current one.
                if cursor.pose == 0 {
                    let source = entry.source(cursor.sources.len());
                    cursor.sources.push(source.clone());
                    if self.first_poses.contains_key(&source) {
                        continue;
                    }
                    self.first_poses.insert(source, 0);
                }
                let image = cursor.sources.len() - 1;
                let drawn = self.spare.pop().unwrap_or_default();
                self.spare_bytes -= drawn.bytes().min(self.spare_bytes);
                let source = &cursor.sources[image];
                let job = PoseJob::next(entry, image, cursor.pose, source, drawn);
                (poses, bytes) = (poses + job.poses(), bytes + job.bytes);
                cursor.pose = if job.ends.is_some() { 0 } else { job.end() };
                batch.jobs.push(job);
                if poses >= POSES_PER_BATCH || bytes >= BYTES_PER_BATCH {
                    return batch;
                }
            }
            batch.sprites.push((entry, std::mem::take(&mut cursor.sources)));
            cursor.entry += 1;
        }
        batch
    }

    /// Writes the poses of a batch, which are made, and the sprites that they complete.
    fn write(&mut self, DrawBatch { jobs, sprites }: DrawBatch<'_>) -> Result<(), BuildError> {
        for PoseJob { outcome, drawn, ends, .. } in jobs {
            outcome?;
            let mut run = self.open.take().unwrap_or_else(|| self.writer.begin_run());
            self.writer.add_poses(&mut run, drawn.iter())?;
            match ends {
                Some(source) => {
                    let first_pose = self.writer.end_run(run)?;
                    self.first_poses.insert(source, first_pose);
                }
                None => self.open = Some(run),
            }
            let bytes = drawn.bytes();
            if bytes <= MAX_SPARE_BYTES && self.spare_bytes + bytes <= MAX_ALL_SPARE_BYTES {
                self.spare_bytes += bytes;
                self.spare.push(drawn);
            }
        }
        for (entry, sources) in sprites {
            let frame = |(i, source): (usize, &PoseSource)| {
                let (pivot, size) = entry.image(i);
                FrameEntry { first_pose: self.first_poses[source], pivot, size }
            };
            let frames: Vec<FrameEntry> = sources.iter().enumerate().map(frame).collect();
            self.writer.add_sprite(&SpriteEntry::of(entry.sprite()), &frames)?;
        }
        if self.writer.len() > self.limit { Err(WriteError::Full.into()) } else { Ok(()) }
    }

    /// Sets the maps of the atlas, in any order.
    ///
    /// # Errors
    /// [`BuildFault::SameName`](crate::BuildFault) if two have one name.
    /// [`BuildFault::Map`](crate::BuildFault) if a name or a number of one is invalid.
    pub fn set_maps(&mut self, maps: Vec<Map>) -> Result<(), BuildError> {
        let bytes = map::encode(maps)?;
        self.compact.iter_mut().for_each(|compact| compact.maps.clone_from(&bytes));
        self.writer.maps = bytes;
        Ok(())
    }

    /// Returns the atlas, behind the bytes of `prefix`.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn finish(self, prefix: &[u8]) -> Result<Finished, BuildError> {
        let Some(compact) = self.compact else { return Ok(self.writer.finish(prefix)?) };
        let full = self.writer.measured()?;
        // Freed first, because the atlas is packed in memory.
        drop((self.writer, self.first_poses, self.spare));
        let bytes = compression::pack(&compact.into_bytes(full)?);
        Ok(Finished::Bytes(if prefix.is_empty() { bytes } else { [prefix, &bytes].concat() }))
    }

    /// Returns the bytes of a full atlas in an aligned buffer.
    pub(super) fn finish_in_place(self) -> Result<Bytes, WriteError> {
        self.writer.finish_in_place()
    }
}

/// Appends the source masks of a sprite to a compact atlas.
fn add_masks(writer: &mut AtlasWriter<'_>, sprite: &SourceSprite) -> Result<(), WriteError> {
    let mut entry = |image: &Image| {
        let mask = image.tight.as_ref();
        let source = PoseData::new(mask, image.corner, mask.count() as u32);
        let mut run = writer.begin_run();
        writer.add_poses(&mut run, iter::once(source))?;
        let first_pose = writer.end_run(run)?;
        Ok(FrameEntry { first_pose, pivot: image.pivot, size: image.size })
    };
    let frames = sprite.images.iter().map(&mut entry).collect::<Result<Vec<_>, WriteError>>()?;
    writer.add_sprite(&SpriteEntry::of(sprite), &frames)
}

impl<'a> SpriteEntry<'a> {
    fn of(sprite: &'a SourceSprite) -> Self {
        let SourceSprite { name, planes, poses, rule, sampling, .. } = sprite;
        Self { name, planes, poses, rule: *rule, sampling: *sampling }
    }
}
