//! The opened atlas: opening, whole-file facts, and access to single records.
//!
//! Used by every part of the runtime. Invariants: opening draws no pose. The records are checked
//! before an [`Atlas`] exists, so record accessors index without further checks.

use super::aligned_bytes::Bytes;
use super::error::{FileError, Section};
use super::format::{FrameRecord, Header, HotPose, KIND_COMPACT, SpriteRecord, checked};
use super::id;
use super::map::Map;
use super::options::AtlasOptions;
use super::undrawn::{PoseDrawer, PoseNumbers};
use super::validate::{self, Records, next_plane_name, plane_names};
use super::{compact, compression, verify};
use crate::error::CallError;
use crate::geom::Point;
use crate::ids::AtlasId;
use crate::mask::{Diagonals, MaskPool, MaskRef, RowRanges, has_levels};
use crate::raster::{PoseBuffer, PosedRef};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// An opened atlas. Cloning is cheap: clones share the bytes.
///
/// Opening checks every record, which costs about one pass over the records. The masks are not
/// read. They are not copied either if the bytes start at a multiple of 64. After opening, no query
/// fails or panics. [`verify`](Self::verify) also reads the masks.
///
/// # Undrawn atlases
/// A [compact](crate::AtlasBuilder::compact) atlas stores source masks instead of poses, and stays undrawn
/// when it opens. A [`World`](crate::World) draws each pose when a collider first shows it.
/// [`Sprite::draw`](crate::Sprite::draw) draws one pose of any atlas. [`Sprite::posed`] and
/// [`Sprite::pose_id`] return `None`, because they give stored poses only.
///
/// [`drawn`](Self::drawn) draws all poses, for a [`Batch`](crate::Batch) or for programs that show
/// most of them. A full turn takes about 0.5 microseconds for a pose of 64 px, on each core.
///
/// [`Sprite::posed`]: crate::Sprite::posed
/// [`Sprite::pose_id`]: crate::Sprite::pose_id
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Mask};
/// let wedge: Mask = ".#\n##".parse()?;
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("wedge", wedge).to_bytes()?)?;
/// assert_eq!(atlas.sprites().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Pose};
/// let tile = AtlasBuilder::new().mask("tile", Mask::solid(6, 4)?).compact(true);
/// let compact = Atlas::from_vec(tile.to_bytes()?)?;
/// let sprite = compact.sprites().next().unwrap();
/// assert!(!compact.is_drawn() && sprite.posed(0, Pose::default(), Flip::NONE).is_none());
/// assert_eq!(sprite.draw(0, Pose::default(), Flip::NONE).unwrap().mask.count(), 24);
/// assert_eq!(compact.drawn()?.pose_count(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Atlas(Arc<Shared>, AtlasId);

struct Shared {
    bytes: Bytes,
    header: Header,
    options: AtlasOptions,
    /// `None` if all poses are stored.
    numbers: Option<PoseNumbers>,
    /// The atlases that are combined to this one, in ascending order of their first poses.
    #[cfg(feature = "runtime")]
    parts: Vec<AtlasPart>,
    /// Occupied rows of the masks. Filled on first use, because opening does not read the masks.
    row_ranges: OnceLock<RowRanges>,
    /// Staging data of each pose for batches, filled on first use: see
    /// [`Listed`](crate::narrow::batch::Listed).
    staged: OnceLock<Vec<[u32; 4]>>,
}

#[cfg(feature = "runtime")]
pub(super) struct AtlasPart {
    /// The number of its first pose in the combined atlas.
    pub(super) first_pose: u32,
    pub(super) atlas: Atlas,
}

impl Shared {
    fn new(bytes: Bytes, header: Header, numbers: Option<PoseNumbers>) -> Self {
        Self {
            bytes,
            header,
            options: AtlasOptions::DEFAULT,
            numbers,
            #[cfg(feature = "runtime")]
            parts: Vec::new(),
            row_ranges: OnceLock::new(),
            staged: OnceLock::new(),
        }
    }
}

impl Atlas {
    /// Opens the atlas in a file. A compact atlas stays [undrawn](Self#undrawn-atlases).
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be read, is not an atlas, has another version, or has
    /// damaged records. [`FileError::OverLimit`] if it is compact and its source masks exceed
    /// [`AtlasOptions::max_bytes`], or if it has more than 2^31 poses.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        AtlasOptions::DEFAULT.open(path)
    }

    /// Opens bytes that live as long as the program, such as those of
    /// [`include_atlas!`](crate::include_atlas). Bytes at a multiple of 64 are used in place, as
    /// those of `include_atlas!` are. Other bytes are copied once.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, FileError> {
        Self::checked(Bytes::from_static(bytes), AtlasOptions::DEFAULT)
    }

    /// Opens bytes and takes ownership of them. Bytes at a multiple of 64 are used in place. Other
    /// bytes are copied once to an aligned buffer.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, FileError> {
        AtlasOptions::DEFAULT.from_vec(bytes)
    }

    /// Opens a copy of `bytes`.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        Self::checked(Bytes::copied(bytes), AtlasOptions::DEFAULT)
    }
}

impl AtlasOptions {
    /// Opens the atlas in a file, as [`Atlas::open`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::open`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<Atlas, FileError> {
        Atlas::checked(Bytes::read(path.as_ref(), 0)?, self)
    }

    /// Opens static bytes, as [`Atlas::from_static`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_static`].
    pub fn from_static(self, bytes: &'static [u8]) -> Result<Atlas, FileError> {
        Atlas::checked(Bytes::from_static(bytes), self)
    }

    /// Opens owned bytes, as [`Atlas::from_vec`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_vec`].
    pub fn from_vec(self, bytes: Vec<u8>) -> Result<Atlas, FileError> {
        Atlas::checked(Bytes::from_vec(bytes), self)
    }
}

impl Atlas {
    /// Checks the records of an atlas. Draws nothing.
    pub(super) fn checked(bytes: Bytes, options: AtlasOptions) -> Result<Self, FileError> {
        let bytes = compression::unpack(bytes, options.max_bytes)?;
        let header = validate::records(bytes.as_slice())?;
        let numbers = match header.kind {
            KIND_COMPACT => Some(PoseNumbers::of(&Records::new(bytes.as_slice(), &header))?),
            _ => None,
        };
        let id = header.id();
        let shared = Shared { options, ..Shared::new(bytes, header, numbers) };
        Ok(Self(Arc::new(shared), id))
    }

    /// Returns the id of the atlas, which its [`SpriteId`](crate::SpriteId)s carry.
    #[must_use]
    pub const fn id(&self) -> AtlasId {
        self.1
    }

    /// Returns the id without the label, which equal atlases have in common.
    pub(crate) fn unlabelled_id(&self) -> AtlasId {
        self.0.header.id()
    }

    /// Returns the atlas under another id, which depends on its own id and on `label`. So a world can
    /// hold an atlas several times, and replace or drop each on its own. Ids from the atlas before,
    /// and those of [`include_atlas!`](crate::include_atlas), are refused by the new one. Snapshots
    /// ignore labels. The label 0 changes nothing.
    #[must_use]
    pub fn labelled(self, label: u32) -> Self {
        let id = if label == 0 { self.1 } else { id::labelled(self.1, label) };
        Self(self.0, id)
    }

    #[cfg(feature = "runtime")]
    pub(super) fn of_parts(
        bytes: Bytes,
        header: Header,
        numbers: PoseNumbers,
        parts: Vec<AtlasPart>,
    ) -> Self {
        let id = header.id();
        Self(Arc::new(Shared { parts, ..Shared::new(bytes, header, Some(numbers)) }), id)
    }

    /// Returns true if the atlas stores all poses. A compact atlas stores source masks.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.0.numbers.is_none()
    }

    /// Returns the atlas with all poses: draws those of a compact atlas, on all cores. Another
    /// atlas is returned as it is, at once.
    ///
    /// # Errors
    /// [`FileError::OverLimit`] if the poses exceed a limit of the [`AtlasOptions`] that the atlas
    /// was opened with. [`FileError::Corrupt`] if they do not have the size and the id that the
    /// header states.
    pub fn drawn(&self) -> Result<Self, FileError> {
        if self.is_drawn() {
            return Ok(self.clone());
        }
        let Shared { bytes, header, options, .. } = &*self.0;
        let drawn = Self::checked(compact::expand(bytes.as_slice(), header, options)?, *options)?;
        if drawn.1 != self.unlabelled_id() {
            let (section, field) = (Section::Header, "full_id");
            return Err(FileError::Corrupt { section, index: 0, field, offset: 0 });
        }
        Ok(Self(drawn.0, self.1))
    }

    /// Returns the bytes of the [drawn](Self::drawn) atlas, as the header states them. A forged
    /// compact atlas can state any number, up to `u64::MAX`: [`drawn`](Self::drawn) then fails.
    #[must_use]
    pub fn drawn_bytes(&self) -> u64 {
        self.0.header.full_bytes
    }

    /// Reads and checks every byte: the [id](Self::id) and the checksums, and the tightness, pixel
    /// count and padding of each mask. Takes about 1 s for 500 MB. Draws nothing:
    /// [`drawn`](Self::drawn) checks the id of a compact atlas.
    ///
    /// # Errors
    /// [`FileError`] for the first fault found.
    pub fn verify(&self) -> Result<(), FileError> {
        verify::verify(self.as_bytes(), &self.0.header, &self.records())
    }

    /// Returns the number of frames of all sprites together.
    #[must_use]
    pub fn frame_count(&self) -> u32 {
        self.records().sprites().iter().map(|sprite| sprite.frames).sum()
    }

    /// Returns the map of this name, for reading or for [`World::insert_map`](crate::World::insert_map).
    ///
    /// The items are copied, so the call costs about 0.2 microseconds for each item of all maps of the
    /// atlas. Make it once per level. Opening the atlas checks them, at about 0.3 microseconds each.
    #[must_use]
    pub fn map(&self, name: &str) -> Option<Map> {
        self.maps().into_iter().find(|map| map.name == name)
    }

    /// Returns all maps, in ascending order of their names.
    #[must_use]
    pub fn maps(&self) -> Vec<Map> {
        let mut maps = self.records().maps();
        maps.iter_mut().for_each(|map| map.atlas = Some(self.id()));
        maps
    }

    /// Returns the number of mask pixels along one side of a pixel. It is 1 unless the atlas was
    /// baked at another [resolution](crate::AtlasBuilder::resolution).
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.records().resolution().value()
    }

    /// Returns the number of stored poses. Sprites with equal pixels and settings share their
    /// poses. An undrawn atlas stores none.
    #[must_use]
    pub fn pose_count(&self) -> u32 {
        if self.is_drawn() { self.0.header.poses } else { 0 }
    }

    /// Returns the bytes of the atlas as in its file. For an undrawn atlas, returns the decompressed
    /// bytes. They start where the given bytes do if those are used in place.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.bytes.as_slice()
    }

    /// Returns the number of the first pose of a frame record.
    pub(super) fn first_pose(&self, frame: usize) -> u32 {
        match &self.0.numbers {
            Some(numbers) => numbers.first(frame),
            None => self.records().frames()[frame].first_pose,
        }
    }

    /// Returns true if both are clones of one atlas.
    #[cfg(feature = "runtime")]
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns true if the atlas is undrawn and a pose may exceed [`MAX_SIDE`](crate::MAX_SIDE).
    #[cfg(feature = "runtime")]
    pub(crate) fn has_huge_poses(&self) -> bool {
        self.0.numbers.as_ref().is_some_and(|numbers| numbers.are_huge)
    }

    /// Returns or draws the pose of this number, which must be in range.
    pub(crate) fn pose<'d>(
        &'d self,
        drawer: &'d mut PoseDrawer,
        pose: u32,
    ) -> Result<PosedRef<'d>, CallError> {
        if self.is_drawn() {
            return Ok(self.stored_pose(pose));
        }
        drawer.drawn_by(|drawer, drawn| self.draw_into(drawer, pose, drawn))
    }

    /// Appends the pose of this number to `drawn`. Fails as [`PoseDrawer::draw_into`].
    pub(crate) fn draw_into(
        &self,
        drawer: &mut PoseDrawer,
        pose: u32,
        drawn: &mut PoseBuffer,
    ) -> Result<(), CallError> {
        #[cfg(feature = "runtime")]
        {
            let parts = &self.0.parts;
            let after = parts.partition_point(|part| part.first_pose <= pose);
            if let Some((at, part)) = after.checked_sub(1).map(|at| (at, &parts[at])) {
                let pose = pose - part.first_pose;
                return part.atlas.draw_into(drawer.of_part(at), pose, drawn);
            }
        }
        match &self.0.numbers {
            Some(numbers) => drawer.draw_into(&self.records(), numbers, pose, drawn),
            None => {
                drawn.add_copy(self.stored_pose(pose));
                Ok(())
            }
        }
    }

    fn stored_pose(&self, pose: u32) -> PosedRef<'_> {
        let (records, at) = (self.records(), pose as usize);
        PosedRef { mask: records.mask(at), origin: records.origin(at), pivot2: [0; 2] }
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records::new(self.as_bytes(), &self.0.header)
    }

    /// Returns the mask pool. The first call reads the outer rows of all tall masks.
    pub(crate) fn pool(&self) -> MaskPool<'_> {
        let records = self.records();
        let ranges = self.0.row_ranges.get_or_init(|| {
            let masks = (0..self.stored().len()).flat_map(|i| records.mask(i).and_levels());
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
            self.stored().iter().map(staged).collect()
        })
    }

    /// Returns the records of the stored poses. An undrawn atlas has none.
    pub(super) fn stored(&self) -> &[HotPose] {
        if self.is_drawn() { self.records().hot() } else { &[] }
    }
}

impl<'a> Records<'a> {
    /// Returns the name of sprite `i`, which must be in range.
    pub(crate) fn name(&self, i: usize) -> &'a str {
        let sprite = &self.sprites()[i];
        let name = &self.names()[sprite.name_start as usize..][..sprite.name_bytes as usize];
        checked(str::from_utf8(name).ok())
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

    /// Returns the pivot as [`PosedRef::pivot2`](crate::PosedRef::pivot2).
    pub(super) fn pivot2(&self, frame: &FrameRecord) -> [i32; 2] {
        self.resolution().pivot2(frame.pivot)
    }

    pub(super) fn planes_of(
        &self,
        sprite: &SpriteRecord,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let count = sprite.named_planes;
        let mut rest = plane_names(self.names(), sprite);
        // Checked when the atlas opened.
        (0..count).map_while(move |_| next_plane_name(&mut rest))
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
