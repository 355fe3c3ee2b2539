//! The opened atlas: opening, whole-file facts, and access to single records.
//!
//! Used by every part of the runtime. Invariant: the records are checked before an [`Atlas`]
//! exists, so record accessors index without further checks.

use super::aligned_bytes::Bytes;
use super::error::AtlasError;
use super::format::{FrameRecord, Header, HotPose, SpriteRecord};
use super::id::AtlasId;
use super::validate::Records;
use super::verify;
use crate::geom::Point;
use crate::mask::{Diagonals, MaskPool, MaskRef, RowRanges, has_levels};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// An opened atlas. Cloning is cheap: clones share the bytes.
///
/// Opening checks every record, which costs about one pass over the records. The masks are not
/// read. They are not copied either if the bytes start at a multiple of 64. A compact atlas is
/// drawn in full when it opens, on all cores, within the default limits of
/// [`AtlasOptions`](crate::AtlasOptions). After opening, no query fails or panics.
/// [`verify`](Self::verify) also reads the masks.
///
/// ```
/// use hitmask::{Atlas, Bake, Mask};
/// let wedge: Mask = ".#\n##".parse()?;
/// let atlas = Atlas::from_vec(Bake::new().mask("wedge", wedge).to_bytes()?)?;
/// assert_eq!(atlas.sprites().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Atlas(Arc<Shared>, AtlasId);

struct Shared {
    bytes: Bytes,
    header: Header,
    /// Occupied rows of the masks. Filled on first use, because opening does not read the masks.
    row_ranges: OnceLock<RowRanges>,
    /// Staging data of each pose for batches, filled on first use: see
    /// [`Listed`](crate::narrow::batch::Listed).
    staged: OnceLock<Vec<[u32; 4]>>,
}

impl Atlas {
    /// Returns the atlas in bytes whose records are checked and which stores all poses.
    pub(super) fn new(bytes: Bytes, header: Header) -> Self {
        let id = AtlasId::of(&Records::new(bytes.as_slice(), &header));
        let (row_ranges, staged) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(Shared { bytes, header, row_ranges, staged }), id)
    }

    /// Returns the id of the atlas, which its [`SpriteId`](crate::SpriteId)s carry.
    #[must_use]
    pub const fn id(&self) -> AtlasId {
        self.1
    }

    /// Returns the atlas under another id, which depends on its own id and on `label`. So a world can
    /// hold several atlases that differ in pixels only, such as levels with the same sprites. Ids
    /// from the atlas before, and those of [`include_atlas!`](crate::include_atlas), are refused by
    /// the new one. The label 0 changes nothing.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Mask};
    /// let bake = Bake::new().mask("tile", Mask::solid(8, 8)?);
    /// let day = Atlas::from_vec(bake.to_bytes()?)?;
    /// let night = day.clone().labelled(1);
    /// assert_ne!(night.id(), day.id());
    /// assert!(night.sprite(day.sprite_id("tile").unwrap()).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn labelled(self, label: u32) -> Self {
        let id = if label == 0 { self.1 } else { self.1.labelled(label) };
        Self(self.0, id)
    }

    /// Reads and checks every byte: the checksums, and the tightness, pixel count and padding of
    /// each mask. Takes about 1 s for 500 MB.
    ///
    /// # Errors
    /// [`AtlasError`] for the first fault found.
    pub fn verify(&self) -> Result<(), AtlasError> {
        verify::verify(self.as_bytes(), &self.0.header, &self.records())
    }

    /// Returns the number of frames of all sprites together.
    #[must_use]
    pub fn frame_count(&self) -> u32 {
        self.records().sprites().iter().map(|sprite| sprite.frames).sum()
    }

    /// Returns the number of mask pixels along one side of a pixel. It is 1 unless the atlas was
    /// baked at another [resolution](crate::Bake::resolution).
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.records().resolution().value()
    }

    /// Returns the number of stored poses. Sprites with equal pixels and settings share their
    /// poses.
    #[must_use]
    pub fn pose_count(&self) -> u32 {
        self.0.header.poses
    }

    /// Returns the bytes of the atlas as in its file. For a compact atlas, returns those of the
    /// drawn atlas.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.bytes.as_slice()
    }

    /// Returns true if the given bytes are used in place. Returns false if they were copied or read
    /// from a file.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.0.bytes.is_in_place()
    }

    /// Returns a checksum of all content, masks included. Equal atlases have equal checksums.
    /// Different atlases almost always have different ones.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let head = &self.0.header;
        head.records_crc ^ head.pool_crc.rotate_left(1)
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records::new(self.as_bytes(), &self.0.header)
    }

    /// Returns the mask pool as kernels take it. The first call reads the first and last rows of
    /// all masks of more than 64 rows.
    pub(crate) fn pool(&self) -> MaskPool<'_> {
        let records = self.records();
        let ranges = self.0.row_ranges.get_or_init(|| {
            let masks = (0..records.hot().len()).flat_map(|i| {
                let mask = records.mask(i);
                let levels = mask.levels().map(|l| [l.dilated, l.outer, l.inner]);
                levels.into_iter().flatten().chain([mask])
            });
            RowRanges::of(masks.map(|mask| (mask.place_key(), mask)))
        });
        MaskPool::new(records.pool(), ranges, records.level_side())
    }

    /// Returns the staging data of each pose for batches. The first call reads the outer rows of
    /// all masks.
    ///
    /// Computed on the calling thread, because a cell that waits for parallel work can hang. The
    /// waiting thread may run another job of the pool, which would then wait for the same cell.
    pub(super) fn staged(&self) -> &[[u32; 4]] {
        self.0.staged.get_or_init(|| {
            let records = self.records();
            let staged = |&hot: &HotPose| {
                let Diagonals { falling, rising } = Diagonals::of(records.mask_of(hot));
                [hot.words, falling, hot.size.0, rising]
            };
            records.hot().iter().map(staged).collect()
        })
    }
}

impl<'a> Records<'a> {
    /// Returns the name of sprite `i`, which must be in range.
    pub(crate) fn name(&self, i: usize) -> &'a str {
        let sprite = &self.sprites()[i];
        let name = &self.names()[sprite.name_start as usize..][..sprite.name_bytes as usize];
        // Checked when the atlas opened. The fallback avoids a panic.
        str::from_utf8(name).unwrap_or_default()
    }

    /// Returns the frame records of a sprite. The planes of one frame are adjacent.
    pub(super) fn frames_of(&self, sprite: &SpriteRecord) -> &'a [FrameRecord] {
        let count = (sprite.frames * sprite.planes()) as usize;
        &self.frames()[sprite.first_frame as usize..][..count]
    }

    /// Returns one plane of a frame of a sprite. Both must be in range.
    #[inline(always)]
    pub(super) fn frame(&self, sprite: &SpriteRecord, frame: u32, plane: u32) -> &'a FrameRecord {
        &self.frames()[(sprite.first_frame + frame * sprite.planes() + plane) as usize]
    }

    /// Returns the distance of the pivot from the lattice origin, in the units of
    /// [`PosedRef::pivot2`](crate::PosedRef::pivot2).
    pub(super) fn pivot2(&self, frame: &FrameRecord) -> [i32; 2] {
        self.resolution().pivot2(frame.pivot)
    }

    /// Returns the scales of a sprite, ascending.
    pub(super) fn scales_of(&self, sprite: &SpriteRecord) -> &'a [f32] {
        &self.scales()[sprite.first_scale as usize..][..sprite.scales as usize]
    }

    /// Returns the mask of pose `i`, which must be in range, with its levels. Inlined: one wide load
    /// right after several narrow stores defeats store forwarding.
    #[inline(always)]
    pub(crate) fn mask(&self, i: usize) -> MaskRef<'a> {
        self.mask_of(self.hot()[i])
    }

    #[inline(always)]
    fn mask_of(&self, hot: HotPose) -> MaskRef<'a> {
        let (width, height) = (hot.size.width(), hot.size.height());
        MaskRef::in_pool(self.pool(), hot.words, hot.stride, width, height).with_levels(has_levels(
            width,
            height,
            self.level_side(),
        ))
    }

    /// Returns the offset of the mask of pose `i` from its lattice origin. `i` must be in range.
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
