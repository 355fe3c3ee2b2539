//! An atlas as it lies in its file, a compact one undrawn: where sprites are taken from that go
//! into another atlas as they are. A bake keeps those that have not changed, a merge puts together
//! those of its shards.

use super::aligned_bytes::Bytes;
use super::compression;
use super::error::AtlasError;
use super::format::{COMPACT, FrameRecord, Header};
use super::source_sprite::Subject;
use super::validate::{self, Records};
use super::verify;
use super::write::Stored;
use crate::pose::{Resolution, stored_steps};
use std::path::Path;

/// The bytes of an atlas, every one of them checked.
pub(crate) struct AtlasFile {
    bytes: Bytes,
    header: Header,
    /// Tells it from other files that are written into the same atlas.
    number: usize,
}

impl AtlasFile {
    /// Reads a file and holds every byte against its checksums: about a second for some GB.
    pub(crate) fn read(path: &Path) -> Result<Self, AtlasError> {
        Self::checked(Bytes::read(path)?, 0)
    }

    /// The same for a copy of bytes, the file of this number among several.
    pub(crate) fn from_bytes(bytes: &[u8], number: usize) -> Result<Self, AtlasError> {
        Self::checked(Bytes::copied(bytes), number)
    }

    fn checked(bytes: Bytes, number: usize) -> Result<Self, AtlasError> {
        let bytes = compression::unpack(bytes)?;
        let header = validate::records(bytes.as_slice())?;
        validate::pool(bytes.as_slice(), &header)?;
        Ok(Self { bytes, header, number })
    }

    /// Holds every mask against its record too, for a file that someone else wrote.
    pub(crate) fn verify(&self) -> Result<(), AtlasError> {
        if self.is_compact() {
            return Ok(());
        }
        verify::verify(self.as_bytes(), &self.header, &self.records())
    }

    /// Its bytes; those of a compact atlas unpacked.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// True where it stores source masks, of which poses are drawn.
    pub(crate) fn is_compact(&self) -> bool {
        self.header.kind == COMPACT
    }

    /// Mask pixels along the side of a pixel.
    pub(crate) fn resolution(&self) -> Resolution {
        self.records().resolution()
    }

    /// Number of sprites.
    pub(crate) fn len(&self) -> usize {
        self.records().sprites().len()
    }

    /// The name of sprite `i`, inside.
    pub(crate) fn name(&self, i: usize) -> &str {
        self.records().name(i)
    }

    /// Sprite `i` of a compact atlas, to be drawn; `None` where a mask lies outside its image.
    pub(crate) fn subject(&self, i: usize) -> Option<Subject> {
        Subject::read(&self.records(), i)
    }

    /// Sprite `i` of a whole atlas, to be taken over; `None` where its settings cannot be.
    pub(crate) fn kept(&self, i: usize) -> Option<Kept<'_>> {
        let records = self.records();
        let sprite = records.sprites()[i];
        let frames = records.frames_of(&sprite);
        Some(Kept { subject: Subject::settings(&records, i)?, frames, file: self })
    }

    fn records(&self) -> Records<'_> {
        Records::new(self.as_bytes(), &self.header)
    }
}

/// A sprite of a whole atlas, with its poses.
pub(crate) struct Kept<'a> {
    /// Its name and settings; no images.
    pub(super) subject: Subject,
    pub(super) frames: &'a [FrameRecord],
    file: &'a AtlasFile,
}

impl<'a> Kept<'a> {
    /// Poses that one plane of a frame has.
    pub(super) fn poses_each(&self) -> u32 {
        let poses = &self.subject.poses;
        stored_steps(poses.angles()) * poses.scales().len() as u32
    }

    /// The poses of a frame record.
    pub(super) fn run(&self, frame: &FrameRecord) -> Run {
        Run { file: self.file.number, first_pose: frame.first_pose, poses: self.poses_each() }
    }

    /// The poses of a run, as they are written again.
    pub(super) fn stored(&self, run: &Run) -> Vec<Stored<'a>> {
        let records = self.file.records();
        let pose = |i: usize| {
            let (mask, cold) = (records.mask(i), records.cold()[i]);
            Stored::new(mask, cold.origin.into(), cold.area, records.boards_of(i))
        };
        (run.first_pose..run.first_pose + run.poses).map(|i| pose(i as usize)).collect()
    }
}

/// Poses that lie one after another in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    file: usize,
    first_pose: u32,
    poses: u32,
}
