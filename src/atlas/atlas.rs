use super::aligned_bytes::Bytes;
use super::compact;
use super::compression;
use super::error::AtlasError;
use super::format::{COMPACT, FrameRecord, Header, HotPose, SpriteRecord};
use super::validate::{self, Records};
use super::verify;
use crate::geom::Point;
use crate::mask::{BoardShape, Diagonals, MaskRef, Pool, RowRanges};
use crate::memory::parallel;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// An opened atlas. Cheap to clone: clones share the bytes.
///
/// Opening checks every record and costs about one pass over them; the masks themselves are
/// neither read nor, where the bytes lie at a multiple of 64, copied. A compact atlas is drawn whole
/// instead, on every core. After that no query fails or
/// panics. [`verify`](Self::verify) reads the masks as well.
#[derive(Clone)]
pub struct Atlas(Arc<Shared>);

struct Shared {
    bytes: Bytes,
    header: Header,
    /// Of the masks, from the first time that a kernel takes them: opening does not read them.
    row_ranges: OnceLock<RowRanges>,
    /// What batches stage of each pose, from the first one on: see [`Listed`](crate::narrow::batch::Listed).
    staged: OnceLock<Vec<[u32; 4]>>,
}

impl Atlas {
    /// Reads the atlas in a file.
    ///
    /// # Errors
    /// [`AtlasError`] where the file cannot be read, is no atlas, is of another version, or is
    /// damaged in any byte of its records.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, AtlasError> {
        Self::checked(Bytes::read(path.as_ref())?)
    }

    /// Opens bytes that live as long as the program, such as those of
    /// [`include_atlas!`](crate::include_atlas): in place if they lie at a multiple of 64, as
    /// those do, else copied once.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, AtlasError> {
        Self::checked(Bytes::from_static(bytes))
    }

    /// Opens bytes and keeps them: in place if they happen to lie at a multiple of 64, else copied
    /// once, to where they do.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, AtlasError> {
        Self::checked(Bytes::from_vec(bytes))
    }

    /// Opens a copy of bytes.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AtlasError> {
        Self::checked(Bytes::copied(bytes))
    }

    fn checked(bytes: Bytes) -> Result<Self, AtlasError> {
        let mut bytes = compression::unpack(bytes)?;
        let mut header = validate::records(bytes.as_slice())?;
        if header.kind == COMPACT {
            bytes = compact::expand(bytes.as_slice(), &header)?;
            header = validate::records(bytes.as_slice())?;
        }
        Ok(Self(Arc::new(Shared {
            bytes,
            header,
            row_ranges: OnceLock::new(),
            staged: OnceLock::new(),
        })))
    }

    /// Reads every byte: checksums, and whether each mask is as tight, as many pixels and as
    /// cleanly padded as its record says. Takes about a second for 500 MB.
    ///
    /// # Errors
    /// [`AtlasError`] for the first thing that is wrong.
    pub fn verify(&self) -> Result<(), AtlasError> {
        verify::verify(self.as_bytes(), &self.0.header, &self.records())
    }

    /// Number of frames of all sprites.
    #[must_use]
    pub fn frame_count(&self) -> u32 {
        self.records().sprites().iter().map(|sprite| sprite.frames).sum()
    }

    /// Mask pixels along the side of a pixel: 1 unless it was baked at another
    /// [resolution](crate::Bake::resolution).
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.records().resolution().value()
    }

    /// Number of poses stored. Sprites of equal pixels and settings share theirs.
    #[must_use]
    pub fn pose_count(&self) -> u32 {
        self.0.header.poses
    }

    /// The atlas as it lies in its file; that of a compact one as it was drawn.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.bytes.as_slice()
    }

    /// True where the bytes given are used where they lie; false where they were copied or read
    /// from a file.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.0.bytes.is_in_place()
    }

    /// The checksum of all that tells what the atlas holds, masks included: equal for equal
    /// atlases, and hardly ever otherwise.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let head = &self.0.header;
        head.records_crc ^ head.pool_crc.rotate_left(1)
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records::new(self.as_bytes(), &self.0.header)
    }

    /// The masks as kernels take many of them. The first time it reads the ends of the strips of all
    /// tall ones.
    pub(crate) fn pool(&self) -> Pool<'_> {
        let records = self.records();
        let ranges = self.0.row_ranges.get_or_init(|| {
            let hot = records.hot().iter().enumerate();
            RowRanges::of(hot.map(|(i, hot)| (hot.words, records.mask(i))))
        });
        Pool::new(records.pool(), ranges)
    }

    /// What batches stage of each pose. The first time it reads all masks but their middles.
    pub(super) fn staged(&self) -> &[[u32; 4]] {
        self.0.staged.get_or_init(|| {
            let records = self.records();
            parallel::map(records.hot(), |&hot| {
                let Diagonals { falling, rising } = Diagonals::of(records.bare_mask(hot));
                [hot.words, falling, hot.size.0, rising]
            })
        })
    }
}

impl<'a> Records<'a> {
    /// The name of sprite `i`, inside.
    pub(crate) fn name(&self, i: usize) -> &'a str {
        let sprite = &self.sprites()[i];
        let name = &self.names()[sprite.name_start as usize..][..sprite.name_bytes as usize];
        // Checked when the atlas opened; empty rather than a panic if ever that were wrong.
        str::from_utf8(name).unwrap_or_default()
    }

    /// The frames of a sprite, those of its planes side by side.
    pub(super) fn frames_of(&self, sprite: &SpriteRecord) -> &'a [FrameRecord] {
        let count = (sprite.frames * sprite.planes()) as usize;
        &self.frames()[sprite.first_frame as usize..][..count]
    }

    /// One plane of a frame of a sprite, both inside.
    #[inline(always)]
    pub(super) fn frame(&self, sprite: &SpriteRecord, frame: u32, plane: u32) -> &'a FrameRecord {
        &self.frames()[(sprite.first_frame + frame * sprite.planes() + plane) as usize]
    }

    /// Where its pivot lies from the lattice origin, as [`PosedRef::pivot2`](crate::PosedRef::pivot2)
    /// has it.
    pub(super) fn pivot2(&self, frame: &FrameRecord) -> i32 {
        self.resolution().pivot2(frame.pivot[0])
    }

    /// The scales of a sprite.
    pub(super) fn scales_of(&self, sprite: &SpriteRecord) -> &'a [f32] {
        &self.scales()[sprite.first_scale as usize..][..sprite.scales as usize]
    }

    /// The mask of pose `i`, inside, with its boards. Inlined, for it would be moved from where it was
    /// stored field by field, and waited for.
    #[inline(always)]
    pub(crate) fn mask(&self, i: usize) -> MaskRef<'a> {
        self.bare_mask(self.hot()[i]).with_boards(self.boards_of(i))
    }

    /// The mask of a pose, without its boards.
    #[inline(always)]
    fn bare_mask(&self, hot: HotPose) -> MaskRef<'a> {
        MaskRef::in_pool(self.pool(), hot.words, hot.stride, hot.size.width(), hot.size.height())
    }

    /// The boards of pose `i`, inside; empty where it has none.
    #[inline(always)]
    pub(crate) fn boards_of(&self, i: usize) -> &'a [u64] {
        let hot: HotPose = self.hot()[i];
        match BoardShape::of(hot.size.width(), hot.size.height()) {
            // A source mask of a compact atlas has none.
            Some(shape) if !self.boards().is_empty() => {
                &self.boards()[hot.boards as usize..][..2 * shape.words() as usize]
            }
            _ => &[],
        }
    }

    /// Where the mask of pose `i`, inside, lies from its lattice origin.
    #[inline(always)]
    pub(crate) fn origin(&self, i: usize) -> Point {
        self.cold()[i].origin.into()
    }
}

impl fmt::Debug for Atlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Atlas")
            .field("sprites", &self.0.header.sprites)
            .field("poses", &self.0.header.poses)
            .field("bytes", &self.as_bytes().len())
            .finish()
    }
}
