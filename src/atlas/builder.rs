//! Builds an atlas from source masks: draws every image at every pose in parallel and writes the
//! poses in order.
//!
//! Invariants: both callers get the same bytes for the same input, and images with equal poses are
//! drawn once. The memory for drawn poses is bounded, whatever the number and size of the images.

use super::aligned_bytes::Bytes;
use super::drawn_poses::DrawnPoses;
use super::finish::Finished;
use super::id::AtlasId;
use super::pool_writer::{Scratch, WriteError};
use super::pose_job::{DrawError, Entry, PoseJob, PoseSource};
use super::source_sprite::SourceSprite;
use super::write::{AtlasWriter, FrameEntry, OpenRun, SpriteEntry};
use crate::memory::parallel;
use crate::pose::Resolution;
use std::collections::HashMap;

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

pub(crate) struct Drawer<'s> {
    writer: AtlasWriter<'s>,
    open: Option<OpenRun>,
    /// First pose of each source that is in the atlas or in a batch.
    first_poses: HashMap<PoseSource, u32>,
    /// Upper limit for the bytes of the atlas.
    limit: u64,
    /// Pose buffers of earlier batches for reuse, which avoids freeing and allocating memory.
    spare: Vec<DrawnPoses>,
    spare_bytes: usize,
}

impl<'s> Drawer<'s> {
    /// Returns a drawer that uses the scratch file, if there is one, for a large atlas.
    pub(crate) fn new(resolution: Resolution, scratch: Option<&'s mut dyn Scratch>) -> Self {
        Self::of(AtlasWriter::new(resolution, scratch), u64::MAX)
    }

    /// Returns a drawer that measures the atlas. It draws each pose and drops it.
    pub(crate) fn measuring(resolution: Resolution) -> Self {
        Self::of(AtlasWriter::measuring(resolution), u64::MAX)
    }

    /// Returns a drawer in memory that fails once the atlas exceeds `limit` bytes. It does not draw
    /// images that are certain to exceed the limit by far.
    pub(crate) fn limited(resolution: Resolution, limit: u64) -> Self {
        Self::of(AtlasWriter::new(resolution, None), limit)
    }

    fn of(writer: AtlasWriter<'s>, limit: u64) -> Self {
        let (first_poses, spare) = (HashMap::new(), Vec::new());
        Self { writer, open: None, first_poses, limit, spare, spare_bytes: 0 }
    }

    /// Appends sprites, whose names ascend over all calls. Writes a batch while it draws the next.
    pub(crate) fn add(&mut self, entries: &[Entry<'_>]) -> Result<(), DrawError> {
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
        before.map_or(Ok(()), |batch| self.write(batch))
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
    fn write(&mut self, DrawBatch { jobs, sprites }: DrawBatch<'_>) -> Result<(), DrawError> {
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

    /// Returns the size in bytes and the id of the atlas that was measured.
    pub(crate) fn measured(&self) -> Result<(u64, AtlasId), WriteError> {
        self.writer.measured()
    }

    /// Finishes the atlas behind the bytes of `prefix`.
    pub(crate) fn finish(self, prefix: &[u8]) -> Result<Finished, WriteError> {
        self.writer.finish(prefix)
    }

    /// Returns the bytes of the atlas in an aligned buffer.
    pub(crate) fn finish_in_place(self) -> Result<Bytes, WriteError> {
        self.writer.finish_in_place()
    }
}

impl<'a> SpriteEntry<'a> {
    pub(super) fn of(sprite: &'a SourceSprite) -> Self {
        let SourceSprite { name, planes, poses, rule, sampling, .. } = sprite;
        Self { name, planes, poses, rule: *rule, sampling: *sampling }
    }
}
