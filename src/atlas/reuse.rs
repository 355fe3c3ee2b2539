//! An atlas file as input of another atlas: a compact one stays undrawn.
//!
//! Used by incremental bakes, which copy unchanged sprites, and by `merge`, which joins the sprites
//! of shards. Invariant: an [`AtlasFile`] exists only if all checksums are right.

use super::aligned_bytes::Bytes;
use super::compression;
use super::error::AtlasError;
use super::format::{FrameRecord, Header, KIND_COMPACT};
use super::options::AtlasOptions;
use super::source_sprite::SourceSprite;
use super::validate::{self, Records};
use super::verify;
use super::write::PoseData;
use crate::pose::{Resolution, stored_steps};
use std::path::Path;

/// The bytes of an atlas, with all checksums checked.
pub(crate) struct AtlasFile {
    bytes: Bytes,
    header: Header,
    /// Distinguishes files that are copied into the same atlas.
    number: usize,
}

impl AtlasFile {
    /// Reads a file and checks all checksums, at several GB per second.
    pub(crate) fn read(path: &Path) -> Result<Self, AtlasError> {
        Self::checked(Bytes::read(path)?, 0, AtlasOptions::new())
    }

    /// Copies `bytes` and checks all checksums. `number` is the index of the file among several.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        number: usize,
        options: AtlasOptions,
    ) -> Result<Self, AtlasError> {
        Self::checked(Bytes::copied(bytes), number, options)
    }

    fn checked(bytes: Bytes, number: usize, options: AtlasOptions) -> Result<Self, AtlasError> {
        let bytes = compression::unpack(bytes, options.max_bytes)?;
        let header = validate::records(bytes.as_slice())?;
        validate::pool(bytes.as_slice(), &header)?;
        Ok(Self { bytes, header, number })
    }

    /// Checks every mask against its record, for files from another process.
    pub(crate) fn verify(&self) -> Result<(), AtlasError> {
        verify::verify(self.as_bytes(), &self.header, &self.records())
    }

    /// Returns the bytes of the atlas, decompressed if it is compact.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// Returns true if the atlas stores source masks, from which poses are drawn.
    pub(crate) fn is_compact(&self) -> bool {
        self.header.kind == KIND_COMPACT
    }

    /// Returns the number of mask pixels along one side of a pixel.
    pub(crate) fn resolution(&self) -> Resolution {
        self.records().resolution()
    }

    /// Returns the number of sprites.
    pub(crate) fn len(&self) -> usize {
        self.records().sprites().len()
    }

    /// Returns the name of sprite `i`, which must be in range.
    pub(crate) fn name(&self, i: usize) -> &str {
        self.records().name(i)
    }

    /// Returns sprite `i` of a compact atlas for drawing. Returns `None` if a mask exceeds its
    /// image.
    pub(crate) fn sprite(&self, i: usize) -> Option<SourceSprite> {
        SourceSprite::read(&self.records(), i)
    }

    /// Returns sprite `i` of a full atlas for copying. Returns `None` if its settings are invalid.
    pub(crate) fn kept(&self, i: usize) -> Option<Kept<'_>> {
        let records = self.records();
        let sprite = records.sprites()[i];
        let frames = records.frames_of(&sprite);
        Some(Kept { sprite: SourceSprite::settings(&records, i)?, frames, file: self })
    }

    /// Returns the records.
    pub(crate) fn records(&self) -> Records<'_> {
        Records::new(self.as_bytes(), &self.header)
    }
}

/// A sprite of a full atlas, with its poses.
pub(crate) struct Kept<'a> {
    /// The name and settings, without images.
    pub(super) sprite: SourceSprite,
    pub(super) frames: &'a [FrameRecord],
    file: &'a AtlasFile,
}

impl<'a> Kept<'a> {
    /// Returns the number of poses per plane of a frame.
    pub(super) fn poses_each(&self) -> u32 {
        let poses = &self.sprite.poses;
        stored_steps(poses.angles()) * poses.scales().len() as u32
    }

    /// Returns the poses of a frame record as a run.
    pub(super) fn run(&self, frame: &FrameRecord) -> Run {
        Run { file: self.file.number, first_pose: frame.first_pose, poses: self.poses_each() }
    }

    /// Returns the poses of a run for writing.
    pub(super) fn pose_data(&self, run: &Run) -> Vec<PoseData<'a>> {
        let records = self.file.records();
        let pose = |i: usize| {
            let (mask, cold) = (records.mask(i), records.cold()[i]);
            PoseData::new(mask, cold.origin.into(), cold.area)
        };
        (run.first_pose..run.first_pose + run.poses).map(|i| pose(i as usize)).collect()
    }
}

/// Adjacent poses in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    file: usize,
    first_pose: u32,
    poses: u32,
}
