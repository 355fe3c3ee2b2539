//! An atlas file as input of another atlas: a compact one stays undrawn.
//!
//! Invariants: an [`AtlasFile`] exists only if all checksums are right. The masks of a large file
//! stay in the file, so that memory does not follow its size.

use super::aligned_bytes::Bytes;
use super::compression;
use super::drawing_cost;
use super::drawn_poses::DrawnPoses;
use super::error::{FileError, Section};
use super::finish::header_digest;
use super::format::{FrameRecord, Header, HotPose, KIND_FULL};
use super::map::Map;
use super::options::AtlasOptions;
use super::pool_writer::WriteError;
use super::source_sprite::SourceSprite;
use super::validate::{self, Records, header, preamble};
use super::verify;
use crate::mask::{MaskRef, words_of};
use crate::raster::PosedRef;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Length from which the masks of a file stay in the file, in bytes.
const MIN_BYTES_ON_DISK: u64 = 16 << 20;

/// Words that are read from a file at a time: 1 MiB.
const WINDOW_WORDS: u32 = 1 << 17;

/// An atlas whose sprites are added to another atlas. All checksums are right. The masks of a file of
/// 16 MiB or more stay in the file.
#[derive(Debug)]
pub struct AtlasFile {
    store: Store,
    header: Header,
    /// Distinguishes files that are copied into the same atlas.
    number: usize,
}

#[derive(Debug)]
enum Store {
    Memory(Bytes),
    /// The bytes before the pool, the file with the pool, and the byte of the file where the atlas begins.
    Disk(Bytes, Mutex<File>, u64),
}

impl AtlasFile {
    /// Reads the atlas from byte `start` of a file, up to the end, and checks all checksums, at several GB
    /// per second. A shard has its atlas behind a head.
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be read or has no intact atlas there.
    pub fn read(path: &Path, start: u64) -> Result<Self, FileError> {
        match Self::on_disk(path, start, MIN_BYTES_ON_DISK)? {
            Some(file) => Ok(file),
            None => Self::checked(Bytes::read(path, start)?, 0, AtlasOptions::DEFAULT),
        }
    }

    /// Reads the records of a full atlas of at least `min_bytes`. Returns `None` for another file.
    fn on_disk(path: &Path, start: u64, min_bytes: u64) -> Result<Option<Self>, FileError> {
        let failed = |e: io::Error| FileError::Io { path: path.to_owned(), cause: e.into() };
        // Queried before opening, because opening a pipe waits for a writer.
        let meta = fs::metadata(path).map_err(failed)?;
        let len = meta.len().saturating_sub(start);
        if !meta.is_file() || len < min_bytes.max(size_of::<Header>() as u64) {
            return Ok(None);
        }
        let mut file = File::open(path).map_err(failed)?;
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        let mut first = [0; size_of::<Header>()];
        file.read_exact(&mut first).map_err(failed)?;
        preamble(&first, len)?;
        let head = Header::read(&first);
        if head.kind != KIND_FULL {
            return Ok(None);
        }
        // Compared before memory is allocated for the records.
        let (offsets, file_bytes) = head.layout();
        let pool = usize::try_from(offsets.pool).map_err(|_| header("offsets"))?;
        if file_bytes != len || pool < first.len() {
            return Err(header("counts"));
        }
        let mut read = Ok(());
        let records = Bytes::filled_by(pool, |bytes| {
            let (head, rest) = bytes.split_at_mut(first.len());
            head.copy_from_slice(&first);
            read = file.read_exact(rest);
        });
        read.map_err(failed)?;
        let header = validate::records_of(records.as_slice(), len)?;
        let (mut checksum, mut part) =
            (crc32fast::Hasher::new(), vec![0; 8 * WINDOW_WORDS as usize]);
        loop {
            match file.read(&mut part).map_err(failed)? {
                0 => break,
                read => checksum.update(&part[..read]),
            }
        }
        let (section, expected) = (Section::Pool, header.pool_crc);
        match checksum.finalize() {
            got if got == expected => {
                let store = Store::Disk(records, Mutex::new(file), start);
                Ok(Some(Self { store, header, number: 0 }))
            }
            got => Err(FileError::Checksum { section, expected, got }),
        }
    }

    /// Copies `bytes` and checks all checksums. `number` is the index of the file among those that are
    /// added to one atlas.
    ///
    /// # Errors
    /// [`FileError`] if the bytes are not an intact atlas, or [`FileError::OverLimit`] if a compact
    /// one has more bytes than `options` allow.
    pub fn copied(bytes: &[u8], number: usize, options: AtlasOptions) -> Result<Self, FileError> {
        Self::checked(Bytes::copied(bytes), number, options)
    }

    fn checked(bytes: Bytes, number: usize, options: AtlasOptions) -> Result<Self, FileError> {
        let bytes = compression::unpack(bytes, options.max_bytes)?;
        let header = validate::records(bytes.as_slice())?;
        validate::pool(bytes.as_slice(), &header)?;
        Ok(Self { store: Store::Memory(bytes), header, number })
    }

    /// Checks every mask against its record, for a file from another process, which is in memory.
    ///
    /// # Errors
    /// [`FileError::Corrupt`] for the first record that is wrong.
    pub fn verify(&self) -> Result<(), FileError> {
        verify::verify(self.first_bytes(), &self.header, &self.records())
    }

    /// Returns a digest of the header, equal to [`Finished::digest`](super::Finished::digest) of an equal
    /// atlas.
    #[must_use]
    pub fn digest(&self) -> u128 {
        header_digest(self.first_bytes())
    }

    /// Returns the bytes of the atlas, decompressed if it is compact, at least up to its pool.
    fn first_bytes(&self) -> &[u8] {
        match &self.store {
            Store::Memory(bytes) | Store::Disk(bytes, ..) => bytes.as_slice(),
        }
    }

    /// Returns true if the atlas stores source masks, from which poses are drawn.
    #[must_use]
    pub fn is_compact(&self) -> bool {
        self.header.kind != KIND_FULL
    }

    /// Returns the number of mask pixels along one side of a pixel.
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.records().resolution().value()
    }

    /// Returns the number of sprites.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an atlas has sprites")]
    pub fn len(&self) -> usize {
        self.records().sprites().len()
    }

    /// Returns the name of sprite `i`, which must be in range.
    #[must_use]
    pub fn name(&self, i: usize) -> &str {
        self.records().name(i)
    }

    /// Returns the maps, in ascending order of their names.
    #[must_use]
    pub fn maps(&self) -> Vec<Map> {
        self.records().maps()
    }

    /// Returns sprite `i` of a compact atlas for drawing. Returns `None` if a mask exceeds its
    /// image.
    #[must_use]
    pub fn sprite(&self, i: usize) -> Option<SourceSprite> {
        SourceSprite::read(&self.records(), i)
    }

    /// Returns sprite `i` of a full atlas for copying. Returns `None` if its settings are invalid.
    #[must_use]
    pub fn kept(&self, i: usize) -> Option<Kept<'_>> {
        let records = self.records();
        let sprite = records.sprites()[i];
        let frames = records.frames_of(&sprite);
        Some(Kept { sprite: SourceSprite::settings(&records, i)?, frames, file: self })
    }

    /// Fails if drawing the sprites of these compact atlases together may exceed a limit of `options`.
    ///
    /// # Errors
    /// [`FileError::OverLimit`].
    pub fn check_drawing_cost<'a>(
        files: impl Iterator<Item = &'a Self>,
        options: &AtlasOptions,
    ) -> Result<(), FileError> {
        drawing_cost::check(files.map(Self::records), options)
    }

    /// Returns the records. Their pool may be accessed only if the file is in memory.
    fn records(&self) -> Records<'_> {
        Records::new(self.first_bytes(), &self.header)
    }

    /// Reads words of the pool from a file on disk.
    fn read_words(
        &self,
        (file, start): (&Mutex<File>, u64),
        first: u32,
        words: &mut [u64],
    ) -> io::Result<()> {
        // A panic in another thread leaves the file valid, because each use seeks first.
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start + self.header.offsets.pool + 8 * u64::from(first)))?;
        file.read_exact(bytemuck::cast_slice_mut(words))
    }
}

/// A sprite of a full atlas, with its poses.
#[derive(Debug)]
pub struct Kept<'a> {
    /// The name and settings, without images.
    pub(super) sprite: SourceSprite,
    pub(super) frames: &'a [FrameRecord],
    file: &'a AtlasFile,
}

impl<'a> Kept<'a> {
    pub(super) fn poses_each(&self) -> u32 {
        self.sprite.poses.stored_count()
    }

    pub(super) fn run(&self, frame: &FrameRecord) -> Run {
        Run { file: self.file.number, first_pose: frame.first_pose, poses: self.poses_each() }
    }

    pub(super) fn bytes(&self, frame: &FrameRecord) -> u64 {
        let first = frame.first_pose as usize;
        let all = &self.file.records().hot()[first..][..self.poses_each() as usize];
        all.iter().map(|hot| 8 * u64::from(words_of(hot.size.width(), hot.size.height()))).sum()
    }

    /// Copies the poses with these indices in the file to `drawn`.
    pub(super) fn fill(&self, poses: Range<u32>, drawn: &mut DrawnPoses) -> Result<(), WriteError> {
        let records = self.file.records();
        let poses = poses.start as usize..poses.end as usize;
        let (hot, cold) = (&records.hot()[poses.clone()], &records.cold()[poses]);
        let mut window = Window { start: 0, words: Vec::new() };
        drawn.fill(|all| {
            for (i, (&pose, cold)) in hot.iter().zip(cold).enumerate() {
                let (pool, first) = match &self.file.store {
                    Store::Memory(_) => (records.pool(), pose.words),
                    Store::Disk(_, file, start) => {
                        if !window.has(pose) {
                            window.move_to(&hot[i..]);
                            let place = (file, *start);
                            self.file.read_words(place, window.start, &mut window.words)?;
                        }
                        (window.words.as_slice(), pose.words - window.start)
                    }
                };
                let (width, height) = (pose.size.width(), pose.size.height());
                let mask = MaskRef::in_pool(pool, first, pose.stride, width, height);
                all.add_copy(PosedRef { mask, origin: cold.origin.into(), pivot2: [0; 2] });
            }
            Ok(())
        })
    }
}

/// Words of a pool that were read together.
struct Window {
    start: u32,
    words: Vec<u64>,
}

impl Window {
    /// Returns the word behind a mask.
    fn end(pose: HotPose) -> u32 {
        pose.words + words_of(pose.size.width(), pose.size.height())
    }

    fn has(&self, pose: HotPose) -> bool {
        self.start <= pose.words
            && Self::end(pose) as usize <= self.start as usize + self.words.len()
    }

    /// Moves to the first of `poses`, and makes room for those that follow it in the pool.
    fn move_to(&mut self, poses: &[HotPose]) {
        let Some(&first) = poses.first() else { return };
        let mut end = Self::end(first);
        for &pose in &poses[1..] {
            if pose.words < first.words || Self::end(pose) - first.words > WINDOW_WORDS {
                break;
            }
            end = end.max(Self::end(pose));
        }
        self.start = first.words;
        self.words.resize((end - first.words) as usize, 0);
    }
}

/// Adjacent poses in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    file: usize,
    pub(super) first_pose: u32,
    pub(super) poses: u32,
}
