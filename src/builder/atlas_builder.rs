//! [`AtlasBuilder`]: makes the bytes of an atlas from masks and pixels in memory.
//!
//! Part of the public API. Bakers that read files do the same steps one by one; see
//! [`baking`](crate::baking).

use super::{BuildReport, Frame, Settings, SpriteInfo, TexelMasks, Warning};
use crate::atlas::{
    Assembler, BuildError, BuildFault, DEFAULT_PLANE, Entry, Finished, Map, SourceSprite,
};
use crate::error::CallError;
use crate::mask::{AlphaRule, Mask};
use crate::memory::parallel;
use crate::raster::{Pivot, Sampling};
use std::borrow::Cow;

/// Sprites that are prepared and drawn at a time.
const SPRITES_PER_BATCH: usize = 256;

/// Makes an atlas of sprites in memory.
///
/// Name the sprites and settings in any order, then take the bytes. The setters change the settings of
/// all sprites that were not added with settings of their own. Sprites from image files are baked by
/// the crate `hitmask-bake`.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Mask};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let bytes = AtlasBuilder::new().mask("arrow", arrow).angles(32).scales([0.5, 1.0]).to_bytes()?;
/// let atlas = Atlas::from_vec(bytes)?;
/// assert_eq!(atlas.sprites().next().unwrap().angles(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AtlasBuilder {
    sprites: Vec<Source>,
    settings: Settings,
    /// Mask pixels along one side of a pixel.
    resolution: f32,
    /// Size limit of the opened atlas in bytes.
    max_bytes: Option<u64>,
    /// Stores source masks only.
    compact: bool,
    maps: Vec<Map>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    frames: Vec<Frame>,
    /// Settings of its own. `None` means those of the builder.
    settings: Option<Settings>,
}

impl Default for AtlasBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl AtlasBuilder {
    /// Returns a builder without sprites, with default [`Settings`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            sprites: Vec::new(),
            settings: Settings::default(),
            resolution: 1.0,
            max_bytes: None,
            compact: false,
            maps: Vec::new(),
        }
    }

    /// Sets the number of mask pixels along one side of a pixel, for the whole atlas. 2 and 4 are
    /// finer than a pixel. 0.5 and 0.25 are coarser, smaller and faster. The default is 1.
    ///
    /// The resolution belongs to the atlas, because masks with pixels of different sizes cannot be
    /// compared. Positions snap to the nearest mask pixel. All results in pixels are in mask
    /// pixels: divide them by [`Atlas::resolution`](crate::Atlas::resolution). The atlas size grows
    /// with the square of the resolution.
    ///
    /// The value must be a power of two from [`MIN_RESOLUTION`](crate::MIN_RESOLUTION) to
    /// [`MAX_RESOLUTION`](crate::MAX_RESOLUTION). Otherwise the bake fails.
    #[must_use]
    pub fn resolution(mut self, resolution: f32) -> Self {
        self.resolution = resolution;
        self
    }

    /// Limits the size of the opened atlas in bytes. If it could be larger, turning sprites get
    /// fewer angle steps, so that the largest error of any sprite is as small as possible. This is
    /// decided before poses are drawn, by an upper bound. A sprite with equal poses, such as a disc,
    /// stays far below it. [`BuildReport::each`] has the resulting steps and errors. The bake fails with
    /// [`BuildFault::OverBudget`] if 8 steps per sprite exceed the limit.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Makes a compact atlas: compressed source masks and settings only, often 0.1% of the size. Each
    /// pose is drawn once to measure the drawn atlas, and dropped.
    /// It opens [undrawn](crate::Atlas#undrawn-atlases): a [`World`](crate::World) draws poses when
    /// they are first shown, and its memory follows what it shows.
    ///
    /// [`Atlas::drawn`](crate::Atlas::drawn) draws all poses on all cores. 1,000 sprites of 60 px at
    /// 64 angles take about 150 ms on two cores. The drawn atlas equals the full atlas byte for byte.
    /// Above the default limits of [`AtlasOptions`](crate::AtlasOptions), such as 1 GiB of masks, it
    /// is drawn only with options that raise them.
    #[must_use]
    pub fn compact(mut self, compact: bool) -> Self {
        self.compact = compact;
        self
    }

    /// Sets the angle steps in a full turn: a multiple of 4, or 1 for sprites that never turn. The
    /// default is 64. Atlas size and bake time grow with it.
    #[must_use]
    pub fn angles(mut self, angles: u32) -> Self {
        self.settings.angles = angles;
        self.settings.max_error = None;
        self
    }

    /// Chooses the angle steps of each sprite, from 8 to 128. No pixel then lies farther than
    /// `pixels` from its exactly rotated position, if 128 steps suffice. They suffice for a limit of
    /// 1 px as far as 40 px from the pivot, and the error grows with the distance. A sprite that
    /// needs more steps gets 128 and [`Warning::OverError`], which has
    /// the error and the steps that would keep the limit. More steps are baked only on demand, by
    /// [`angles`](Self::angles), because the masks of a large sprite would take hundreds of MB.
    ///
    /// 1 is a good choice, and 0.5 shows no gain. [`BuildReport::each`] has the resulting errors. Replaces [`angles`](Self::angles), unless that is 1.
    #[must_use]
    pub fn max_error(mut self, pixels: f32) -> Self {
        self.settings.max_error = Some(pixels);
        self
    }

    /// Sets the scales to bake at; 1 is source size. The default is 1 alone. Colliders show the
    /// nearest. Worlds refuse a scale that is far from all: see [`ScalePolicy`](crate::ScalePolicy).
    #[must_use]
    pub fn scales(mut self, scales: impl Into<Vec<f32>>) -> Self {
        self.settings.scales = scales.into();
        self
    }

    /// Sets the rule for solid texels. The default is alpha >= 128.
    #[must_use]
    pub fn alpha(mut self, rule: AlphaRule) -> Self {
        self.settings.alpha = rule;
        self
    }

    /// Adds one plane per threshold to each sprite, so that a game chooses how opaque a texel must
    /// be for each collider or test. The plane of threshold 32 is named `alpha32`. It has the texels
    /// of the body whose alpha is at least 32. [`Sprite::plane_for_threshold`] finds the plane for a
    /// threshold, and [`Sprite::plane_for_fade`] that of a sprite which fades. By default there are
    /// none.
    ///
    /// Plane 0 stays the body by the [alpha rule](Self::alpha). The planes by threshold are the last
    /// ones, in ascending order. They read the same [channel](Settings::channel) and leave out the same
    /// colours as the body. For masks and Tiled shapes, whose pixels count as opaque, they equal the
    /// first plane. Planes with equal pixels take no memory of their own.
    ///
    /// A bake fails if a threshold is 0 or repeated, or if a plane of a layer or mask has the name
    /// of one. It also fails if a sprite would have more than 255 planes.
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder, Flip, Pose};
    /// let bake = AtlasBuilder::new().thresholds([32, 224]).alpha_bytes("fog", 3, 1, &[40, 150, 255])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let fog = atlas.sprites().next().unwrap();
    /// let pixels = |plane| {
    ///     let in_plane = fog.in_plane(plane)?;
    ///     Some(in_plane.posed(0, Pose::default(), Flip::NONE)?.mask.count())
    /// };
    /// let counts: Vec<_> = (0..fog.plane_count()).filter_map(pixels).collect();
    /// assert_eq!(counts, [2, 3, 1]); // the body with at least 128, then 32 and 224
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`Sprite::plane_for_threshold`]: crate::Sprite::plane_for_threshold
    /// [`Sprite::plane_for_fade`]: crate::Sprite::plane_for_fade
    #[must_use]
    pub fn thresholds(mut self, thresholds: impl Into<Vec<u8>>) -> Self {
        self.settings.thresholds = thresholds.into();
        self
    }

    /// Sets the pivot: the point of the sprite that lies at a collider's position. The default is
    /// the image centre.
    #[must_use]
    pub fn pivot(mut self, pivot: Pivot) -> Self {
        self.settings.pivot = pivot;
        self
    }

    /// Sets the rule for the pixels of a pose. The default is nearest texel.
    #[must_use]
    pub fn sampling(mut self, sampling: Sampling) -> Self {
        self.settings.sampling = sampling;
        self
    }

    /// Replaces all settings at once.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Adds a sprite of one frame, from a mask.
    #[must_use]
    pub fn mask(self, name: impl Into<String>, mask: Mask) -> Self {
        self.frames(name, [mask])
    }

    /// Adds a sprite of several frames, from masks.
    #[must_use]
    pub fn frames(self, name: impl Into<String>, frames: impl IntoIterator<Item = Mask>) -> Self {
        self.add(name.into(), frames.into_iter().map(Frame::from).collect(), None)
    }

    /// Adds frames like [`frames`](Self::frames), with settings of their own. The alpha rule is
    /// recorded but not applied, because a mask has no alpha. Its pixels count as opaque for
    /// [`thresholds`](Self::thresholds).
    #[must_use]
    pub fn frames_with(
        self,
        name: impl Into<String>,
        frames: impl IntoIterator<Item = Mask>,
        settings: Settings,
    ) -> Self {
        self.add(name.into(), frames.into_iter().map(Frame::from).collect(), Some(settings))
    }

    /// Adds a sprite of several planes, such as a body, a weak spot and a shield. Each frame has
    /// one mask for each of `planes`, in the same order and of one size. A collider shows the first
    /// plane by default.
    ///
    /// # Errors
    /// [`BuildFault::Planes`] if there is no plane or more than 255. The same if the name of a plane is
    /// empty, longer than 255 bytes, repeated, or has control characters. The same if a frame does not
    /// have one mask for each plane, all of one size.
    pub fn planes<P: Into<String>, F: IntoIterator<Item = Mask>>(
        self,
        name: impl Into<String>,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
    ) -> Result<Self, BuildError> {
        self.add_planes(name.into(), planes, frames, None)
    }

    /// Adds a sprite of several planes like [`planes`](Self::planes), with settings of its own.
    ///
    /// # Errors
    /// As [`planes`](Self::planes).
    pub fn planes_with<P: Into<String>, F: IntoIterator<Item = Mask>>(
        self,
        name: impl Into<String>,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
        settings: Settings,
    ) -> Result<Self, BuildError> {
        self.add_planes(name.into(), planes, frames, Some(settings))
    }

    fn add_planes<P: Into<String>, F: IntoIterator<Item = Mask>>(
        self,
        name: String,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
        settings: Option<Settings>,
    ) -> Result<Self, BuildError> {
        let planes: Vec<String> = planes.into_iter().map(Into::into).collect();
        let frames = frames.into_iter().map(|masks| masks.into_iter().collect()).collect();
        let frames = Frame::with_planes(&name, &planes, frames)?;
        Ok(self.add(name, frames, settings))
    }

    /// Adds a sprite of one frame, from RGBA bytes, row by row without padding. Uses the current
    /// settings for alpha, channel, colours and thresholds.
    ///
    /// # Errors
    /// [`CallError`] if the number of bytes does not match the size, or a side is too long.
    pub fn rgba(
        self,
        name: impl Into<String>,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<Self, CallError> {
        let masks = TexelMasks::from_rgba([width, height], rgba, &self.settings)?;
        let frame = masks.into_frame(&self.settings);
        Ok(self.add(name.into(), vec![frame], None))
    }

    /// Adds a sprite of several frames of one size, from the RGBA bytes of each, with settings of its
    /// own. Alpha, channel, colours and thresholds apply to every frame.
    ///
    /// # Errors
    /// [`CallError`] if the number of bytes of a frame does not match the size, or a side is too long.
    pub fn rgba_frames(
        self,
        name: impl Into<String>,
        size: [u32; 2],
        frames: impl IntoIterator<Item = impl AsRef<[u8]>>,
        settings: Settings,
    ) -> Result<Self, CallError> {
        let frame = |rgba: &[u8]| {
            let masks = TexelMasks::from_rgba(size, rgba, &settings)?;
            Ok(masks.into_frame(&settings))
        };
        let frames = frames.into_iter().map(|rgba| frame(rgba.as_ref()));
        let frames = frames.collect::<Result<Vec<Frame>, CallError>>()?;
        Ok(self.add(name.into(), frames, Some(settings)))
    }

    /// Adds a sprite of one frame, from alpha bytes, row by row without padding. Uses the alpha
    /// rule and the thresholds of the current settings.
    ///
    /// # Errors
    /// [`CallError`] if the number of bytes does not match the size, or a side is too long.
    pub fn alpha_bytes(
        self,
        name: impl Into<String>,
        width: u32,
        height: u32,
        alpha: &[u8],
    ) -> Result<Self, CallError> {
        let masks = TexelMasks::from_alpha([width, height], alpha, &self.settings)?;
        let frame = masks.into_frame(&self.settings);
        Ok(self.add(name.into(), vec![frame], None))
    }

    /// Adds a map, whose items show sprites by name. The field `atlas` is not stored.
    ///
    /// The bake fails if two maps have one name, or if a name or a number of one is invalid: see
    /// [`BuildFault::Map`]. The sprites may be in another atlas.
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder, Map, MapItem, MapShape, Mask, World};
    /// let shape = MapShape { sprite: "tile".into(), ..MapShape::default() };
    /// let item = MapItem { position: [16.0, 0.0], shape: Some(shape), ..MapItem::default() };
    /// let map = Map { name: "yard".into(), items: vec![item], ..Map::default() };
    /// let bytes = AtlasBuilder::new().mask("tile", Mask::solid(16, 16)?).map(map).to_bytes()?;
    /// let mut world = World::new(Atlas::from_vec(bytes)?);
    /// let map = world.atlas().map("yard").unwrap();
    /// let placed = world.insert_map(&map, [100.0, 0.0])?;
    /// assert_eq!(world.get(placed.ids[0].unwrap()).unwrap().position, [116.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn map(mut self, map: Map) -> Self {
        self.maps.push(map);
        self
    }

    fn add(mut self, name: String, frames: Vec<Frame>, settings: Option<Settings>) -> Self {
        self.sprites.push(Source { name, frames, settings });
        self
    }

    /// Returns the bytes of the atlas. The same sprites and settings give the same bytes on any machine
    /// and with any number of threads.
    ///
    /// # Errors
    /// [`BuildError`] for the first sprite, in order of names, that cannot be baked.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BuildError> {
        self.build().map(|(bytes, _)| bytes)
    }

    /// Returns the bytes of [`to_bytes`](Self::to_bytes) with the report on them.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn build(&self) -> Result<(Vec<u8>, BuildReport), BuildError> {
        let sources = self.ordered()?;
        let mut assembler = Assembler::new(self.resolution, self.compact, None)?;
        let mut infos = Vec::with_capacity(sources.len());
        if let Some(limit) = self.max_bytes {
            // The limit depends on all sprites, so none is drawn before all are prepared.
            let (mut sprites, mut all) = self.prepared(&sources)?;
            super::fit(&mut sprites, limit)?;
            all.iter_mut().zip(&sprites).for_each(|(info, sprite)| info.record_poses(sprite));
            infos = all;
            let entries: Vec<Entry<'_>> = sprites.into_iter().map(Entry::New).collect();
            for batch in entries.chunks(SPRITES_PER_BATCH) {
                assembler.add(batch)?;
            }
        } else {
            for batch in sources.chunks(SPRITES_PER_BATCH) {
                let (sprites, some) = self.prepared(batch)?;
                infos.extend(some);
                let entries: Vec<Entry<'_>> = sprites.into_iter().map(Entry::New).collect();
                assembler.add(&entries)?;
            }
        }
        assembler.set_maps(self.maps.clone())?;
        let Finished::Bytes(bytes) = assembler.finish(&[])? else {
            return Ok((Vec::new(), BuildReport::default()));
        };
        let mut report = BuildReport::new(&infos, bytes.len());
        let over = sources.iter().zip(&report.each);
        let over =
            over.filter_map(|(source, one)| one.over_error(self.settings_of(source).max_error));
        let over: Vec<Warning> = over.collect();
        report.warnings.extend(over);
        Ok((bytes, report))
    }

    /// Returns the sprites in order of their names, with checked names and settings.
    fn ordered(&self) -> Result<Vec<&Source>, BuildError> {
        if self.sprites.is_empty() {
            let (cause, help) = ("there is nothing to bake", "add a sprite");
            return Err(BuildError::new(BuildFault::NoSprites, cause, help));
        }
        for source in &self.sprites {
            let (planes, settings) = ([DEFAULT_PLANE].into_iter(), self.settings_of(source));
            SourceSprite::check(&source.name, planes, settings, self.resolution)?;
        }
        let mut sources: Vec<&Source> = self.sprites.iter().collect();
        sources.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = sources.windows(2).find(|pair| pair[0].name == pair[1].name) {
            let name = &pair[0].name;
            let cause = format!("two sprites have the name {name:?}");
            let error = BuildError::new(BuildFault::SameName, cause, "rename one of them");
            return Err(error.of(name));
        }
        Ok(sources)
    }

    fn settings_of<'a>(&'a self, source: &'a Source) -> &'a Settings {
        source.settings.as_ref().unwrap_or(&self.settings)
    }

    fn prepared(
        &self,
        sources: &[&Source],
    ) -> Result<(Vec<SourceSprite>, Vec<SpriteInfo>), BuildError> {
        let prepared = parallel::map(sources, |source| {
            let settings = self.settings_of(source);
            let mut frames = Cow::Borrowed(source.frames.as_slice());
            if !settings.thresholds.is_empty() {
                for frame in frames.to_mut() {
                    frame.add_threshold_planes(&source.name, settings)?;
                }
            }
            let sprite = SourceSprite::new(&source.name, &frames, settings, self.resolution)?;
            let info = SpriteInfo::new(&sprite, &frames, settings);
            Ok((sprite, info))
        });
        prepared.into_iter().collect()
    }
}
