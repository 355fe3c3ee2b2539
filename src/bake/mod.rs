//! The bake: from images to the bytes of an atlas, at build time.
//!
//! ```text
//! sources --decode--> masks --dedupe--> distinct masks --rasterise--> poses --write--> bytes
//! ```
//!
//! Build scripts and the command line share this module. What it keeps true: the same sources and
//! settings give the same bytes, on any machine and at any number of threads; and a bake that
//! fails leaves the file it was to replace as it was.

mod budget;
mod cache;
mod check;
mod digest;
mod error;
mod fact;
mod file;
mod frame;
#[cfg(feature = "image")]
mod grid;
#[cfg(feature = "image")]
mod image;
mod incremental;
#[cfg(feature = "image")]
mod manifest;
mod message;
mod out_dir;
mod output;
mod pipeline;
mod report;
mod settings;
mod shard;
mod source;
mod swing;
mod target;
mod texel;
mod unoptimised;
mod warnings;

pub use check::Check;
pub use error::{BakeError, FrameFault};
pub use file::replace as replace_file;
#[cfg(feature = "image")]
pub use grid::Grid;
#[cfg(feature = "image")]
#[doc = include_str!("MANIFEST.md")]
pub mod manifest_format {}
#[doc = include_str!("SHARDS.md")]
pub mod shards {}
pub use report::{Baked, Note, Report, Warning};
pub use settings::{LayerPlane, Settings};
pub use shard::{MergeError, Merged, merge};
pub use target::OutputFault;
pub use texel::{Channel, ColorRange};

use crate::mask::{AlphaRule, Mask, MaskError};
use crate::raster::{Pivot, Sampling};
use frame::Frame;
use pipeline::Plan;
use source::{Content, Source};
use std::fmt;
#[cfg(feature = "image")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "image")]
use image::Pages;
/// Nothing is shared where no files are read.
#[cfg(not(feature = "image"))]
#[derive(Debug, Default)]
struct Pages {}

/// Bakes sprites into an atlas.
///
/// Name the sources and the settings, in any order, then write:
///
/// ```
/// use hitmask::{Atlas, Bake, Mask};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let bytes = Bake::new().mask("arrow", arrow).angles(32).scales([0.5, 1.0]).to_bytes()?;
/// assert_eq!(Atlas::from_vec(bytes)?.get(hitmask::SpriteId::new(0)).unwrap().angles(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The setters change the settings of every source that was not given settings of its own.
pub struct Bake {
    sources: Vec<Source>,
    settings: Settings,
    plan: Plan,
    /// Bytes of an atlas beyond which a bake warns.
    budget: u64,
    /// Files and folders a change to which calls for another bake.
    watched: Vec<PathBuf>,
    cache: Option<PathBuf>,
    /// Which of how many shards to bake, from 1.
    shard: Option<[u32; 2]>,
    #[cfg(feature = "image")]
    output: Option<PathBuf>,
    progress: Option<Progress>,
}

type Progress = Box<dyn Fn(usize, usize) + Send + Sync>;

impl Bake {
    /// A bake without sources, at the default [`Settings`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            sources: Vec::new(),
            settings: Settings::default(),
            plan: Plan { resolution: 1.0, max_bytes: None, compact: false },
            budget: 512 << 20,
            watched: Vec::new(),
            cache: None,
            shard: None,
            #[cfg(feature = "image")]
            output: None,
            progress: None,
        }
    }

    /// Mask pixels along the side of a pixel, for the whole atlas: 2 or 4 to be finer than a pixel,
    /// 0.5 or 0.25 to be coarser, smaller and faster. The default is 1.
    ///
    /// It is the atlas's, not a sprite's, since pixels of different sizes cannot meet. Positions
    /// snap to the nearest mask pixel, and all that is answered in pixels is in mask pixels: divide
    /// by [`Atlas::resolution`](crate::Atlas::resolution). Bytes grow with its square.
    ///
    /// A power of two from [`MIN_RESOLUTION`](crate::MIN_RESOLUTION) to
    /// [`MAX_RESOLUTION`](crate::MAX_RESOLUTION); else the bake fails.
    #[must_use]
    pub fn resolution(mut self, resolution: f32) -> Self {
        self.plan.resolution = resolution;
        self
    }

    /// The most bytes that the atlas may take, opened: where more would be needed, angle steps are
    /// taken from the sprites that turn, so that the largest error of any is as small as it can be.
    /// [`Report::each`] says what that came to. Fails with [`BakeError::OverBudget`] where eight
    /// steps each are too many.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.plan.max_bytes = Some(bytes);
        self
    }

    /// Writes a compact atlas: source masks and settings only, packed, often a thousandth of the
    /// size. It opens as any other, which draws its poses then, on every core: a thousand sprites of
    /// 60 pixels and 64 angles in some 150 milliseconds on two. What is open is byte for byte the
    /// atlas that would have been written without this, and takes as much memory.
    #[must_use]
    pub fn compact(mut self, compact: bool) -> Self {
        self.plan.compact = compact;
        self
    }

    /// Angle steps in a full turn: a multiple of four, or 1 for what never turns. The default is
    /// 64. Bytes and time grow with it.
    #[must_use]
    pub fn angles(mut self, angles: u32) -> Self {
        self.settings.angles = angles;
        self.settings.max_error = None;
        self
    }

    /// Chooses each sprite's angle steps, from 8 to 128, so that no pixel is farther than `pixels`
    /// from where an exact turn would put it: 1 is a good choice, and half of it shows no gain.
    /// [`Report::each`] has what it came to. Replaces [`angles`](Self::angles), unless that is 1.
    #[must_use]
    pub fn max_error(mut self, pixels: f32) -> Self {
        self.settings.max_error = Some(pixels);
        self
    }

    /// The scales to bake at, 1 being source size. The default is 1 alone.
    #[must_use]
    pub fn scales(mut self, scales: impl Into<Vec<f32>>) -> Self {
        self.settings.scales = scales.into();
        self
    }

    /// Which texels are solid. The default is alpha >= 128.
    #[must_use]
    pub fn alpha(mut self, rule: AlphaRule) -> Self {
        self.settings.alpha = rule;
        self
    }

    /// Leaves texels of a colour, or of a range of colours, out of every mask, whatever their
    /// alpha: `[255, 0, 255]` for a key colour, `[0, 0, 0]..=[40, 40, 60]` for a range. May be
    /// called again for more. The default is to leave nothing out.
    #[must_use]
    pub fn leave_out(mut self, colors: impl Into<ColorRange>) -> Self {
        self.settings.leave_out.push(colors.into());
        self
    }

    /// The value of a texel that the alpha rule reads. The default is its alpha.
    #[must_use]
    pub fn channel(mut self, channel: Channel) -> Self {
        self.settings.channel = channel;
        self
    }

    /// The point that a collider's position names. The default is the image's centre.
    #[must_use]
    pub fn pivot(mut self, pivot: Pivot) -> Self {
        self.settings.pivot = pivot;
        self
    }

    /// Which pixels of a pose are set. The default is the nearest texel's.
    #[must_use]
    pub fn sampling(mut self, sampling: Sampling) -> Self {
        self.settings.sampling = sampling;
        self
    }

    /// Gives each sprite one more frame, after its last, that has the pixels of all of them, plane by
    /// plane, the frames' pivots on each other: `frame_count() - 1` of the sprite. A collider that
    /// shows it, for the updates in which a blade's frames fly by, touches whom any of them would.
    /// The default is not to.
    #[must_use]
    pub fn swing(mut self, swing: bool) -> Self {
        self.settings.swing = swing;
        self
    }

    /// Replaces all settings at once.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Adds the images that `pattern` names: a file, a folder and all images below it, or a pattern
    /// with `*`, `?`, `[..]` and `**`, such as `art/**/*.png`. Hidden files are left out. Links are
    /// followed, though into no folder twice: not in circles, and by a link only into what is
    /// nowhere below without one. Images are PNG, GIF, WebP and Aseprite files; an animation is a
    /// sprite of several frames, or one for each of its tags.
    ///
    /// Sheets are named by their descriptions, `.json`, `.atlas` or `.tsx`, for which a folder does
    /// not stand. Each is like a folder of its frames: `ui.json` gives `ui/button`. The
    /// [manifest's page](crate::manifest_format) has the rules for each kind.
    ///
    /// A sprite is named by its path from the folder given (for a file its own folder, for a
    /// pattern the part without wildcards), without the extension, with `/` on every system.
    /// Images are decoded when the bake is written.
    ///
    /// # Errors
    /// [`BakeError`] where nothing is there, no image is found, or a folder cannot be read.
    #[cfg(feature = "image")]
    pub fn sprites(mut self, pattern: impl AsRef<Path>) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), &image::Options::default(), None)?;
        Ok(self)
    }

    /// As [`sprites`](Self::sprites), with settings of their own.
    ///
    /// # Errors
    /// As [`sprites`](Self::sprites).
    #[cfg(feature = "image")]
    pub fn sprites_with(
        mut self,
        pattern: impl AsRef<Path>,
        settings: Settings,
    ) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), &image::Options::default(), Some(&settings))?;
        Ok(self)
    }

    /// Adds the sources of a manifest, `hitmask.toml`, each with the settings it gives them; what it
    /// leaves open is as the setters called before have it. Paths in it are counted from its own
    /// folder. [Its page](crate::manifest_format) has every key.
    ///
    /// # Errors
    /// [`BakeError::Manifest`] and [`BakeError::UnknownKey`], with line and column, for a manifest that
    /// cannot be read as one or that names no file; and as [`sprites`](Self::sprites) for the files.
    #[cfg(feature = "image")]
    pub fn manifest(mut self, path: impl AsRef<Path>) -> Result<Self, BakeError> {
        let read = manifest::read(path.as_ref(), &self.settings)?;
        self.sources.extend(read.sources);
        self.watched.extend(read.watched);
        self.output = read.output.or(self.output);
        self.plan.max_bytes = read.max_bytes.or(self.plan.max_bytes);
        self.plan.resolution = read.resolution.unwrap_or(self.plan.resolution);
        self.plan.compact = read.compact.unwrap_or(self.plan.compact);
        Ok(self)
    }

    /// Where the manifest that was read last puts the atlas, if it says so.
    #[cfg(feature = "image")]
    #[must_use]
    pub fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Adds the sheets that `pattern` names, as [`sprites`](Self::sprites) does, each a sprite whose
    /// frames are the tiles of a grid.
    ///
    /// # Errors
    /// As [`sprites`](Self::sprites); and, when the bake is written, [`BakeError::Grid`] where
    /// fewer frames lie on a sheet than are to be taken, or none, and [`BakeError::Tile`] where a
    /// tile has no texel.
    #[cfg(feature = "image")]
    pub fn sheets(mut self, pattern: impl AsRef<Path>, grid: Grid) -> Result<Self, BakeError> {
        let options = image::Options { grid: Some(grid), ..image::Options::default() };
        self.add_files(pattern.as_ref(), &options, None)?;
        Ok(self)
    }

    #[cfg(feature = "image")]
    fn add_files(
        &mut self,
        pattern: &Path,
        options: &image::Options,
        settings: Option<&Settings>,
    ) -> Result<(), BakeError> {
        let found = image::find(pattern)?;
        self.watched.extend(found.watched);
        for (name, path) in found.files {
            for (name, content) in image::open(&name, &path, options)? {
                self.sources.push(Source { name, content, settings: settings.cloned() });
            }
            self.watched.push(path);
        }
        Ok(())
    }

    /// Adds a sprite of one frame, from a mask made by the caller.
    #[must_use]
    pub fn mask(self, name: impl Into<String>, mask: Mask) -> Self {
        self.frames(name, [mask])
    }

    /// Adds a sprite of several frames, from masks made by the caller.
    #[must_use]
    pub fn frames(self, name: impl Into<String>, frames: impl IntoIterator<Item = Mask>) -> Self {
        self.add_frames(name.into(), frames, None)
    }

    /// As [`frames`](Self::frames), with settings of their own. Their alpha rule is recorded, not
    /// applied: a mask has no alpha.
    #[must_use]
    pub fn frames_with(
        self,
        name: impl Into<String>,
        frames: impl IntoIterator<Item = Mask>,
        settings: Settings,
    ) -> Self {
        self.add_frames(name.into(), frames, Some(settings))
    }

    fn add_frames(
        self,
        name: String,
        frames: impl IntoIterator<Item = Mask>,
        settings: Option<Settings>,
    ) -> Self {
        self.add_content(name, frames.into_iter().map(Frame::of).collect(), settings)
    }

    fn add_content(mut self, name: String, frames: Vec<Frame>, settings: Option<Settings>) -> Self {
        self.sources.push(Source { name, content: Content::Frames(frames), settings });
        self
    }

    /// Adds a sprite of several planes, such as a body, a weak spot and a shield: each frame gives
    /// a mask for each of `planes`, in their order, all of one size. The first plane is the one
    /// that a collider shows unless told otherwise.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Mask};
    /// let (body, eye): (Mask, Mask) = (".###\n####".parse()?, "....\n..#.".parse()?);
    /// let bake = Bake::new().planes("cyclops", ["body", "eye"], [vec![body, eye]])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let cyclops = atlas.sprites().next().unwrap();
    /// assert_eq!(cyclops.plane("eye"), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::PlaneName`] where a plane's name is empty, longer than 255 bytes, has control
    /// characters or is there twice, or there are none or more than 255; [`BakeError::PlaneMasks`]
    /// where a frame has not one mask for each plane, all of one size.
    pub fn planes<P: Into<String>, F: IntoIterator<Item = Mask>>(
        mut self,
        name: impl Into<String>,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
    ) -> Result<Self, BakeError> {
        let (name, planes) = (name.into(), planes.into_iter().map(Into::into).collect());
        let frames = frames.into_iter().map(|masks| masks.into_iter().collect()).collect();
        self.sources.push(Source::of_planes(name, planes, frames)?);
        Ok(self)
    }

    /// Adds a sprite of one frame, from the bytes red, green, blue, alpha of an image, row by row
    /// without padding. The rules for alpha, channel and colours are those of the settings at
    /// this moment.
    ///
    /// # Errors
    /// [`MaskError`] where the bytes do not fit the size, or a side is too long.
    pub fn rgba(
        self,
        name: impl Into<String>,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<Self, MaskError> {
        let frame = texel::frame(width, height, rgba, &self.settings)?;
        Ok(self.add_content(name.into(), vec![frame], None))
    }

    /// Adds a sprite of one frame, from the alpha bytes of an image, row by row without padding.
    /// The alpha rule is that of the settings at this moment.
    ///
    /// # Errors
    /// [`MaskError`] where the bytes do not fit the size, or a side is too long.
    pub fn alpha_bytes(
        self,
        name: impl Into<String>,
        width: u32,
        height: u32,
        alpha: &[u8],
    ) -> Result<Self, MaskError> {
        let solid = Mask::from_alpha(width, height, alpha, self.settings.alpha)?;
        let seen = Mask::from_alpha(width, height, alpha, AlphaRule::AtLeast(1))?.count();
        let frame = Frame { seen: Some(seen), ..Frame::of(solid) };
        Ok(self.add_content(name.into(), vec![frame], None))
    }

    /// Warns where the atlas takes more than this number of bytes. The default is 512 MiB.
    #[must_use]
    pub fn budget(mut self, bytes: u64) -> Self {
        self.budget = bytes;
        self
    }

    /// Remembers in a file what was baked from what, so that the next bake into the same atlas does
    /// again only what has changed: nothing, or the sprites whose files or settings are others, with
    /// the poses of all others taken from the atlas. The bytes are those of a bake from nothing.
    /// The default is no cache; [`write_out_dir`](Self::write_out_dir) has one of its own.
    ///
    /// A file counts as unchanged where its size and times are, unless it was modified so shortly
    /// before the last bake that the clock could not tell; and else where its contents are. The
    /// cache takes about 300 bytes a sprite and may be deleted at any time. One that is damaged,
    /// of another version or of another atlas is not used, which [`Report::notes`] says; a file that is
    /// neither empty nor a cache is left as it is, and the bake does without.
    ///
    /// With [`max_bytes`](Self::max_bytes) sprites depend on each other: one change bakes all. A
    /// [compact](Self::compact) atlas saves the decoding of what has not changed; its size is that
    /// of the drawn one, which is drawn for that.
    ///
    /// ```
    /// use hitmask::{Bake, Mask};
    /// let folder = std::env::temp_dir().join(format!("hitmask-doc-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// let wedge: Mask = ".#\n##".parse()?;
    /// let bake = Bake::new().mask("wedge", wedge).cache(folder.join("sprites.cache"));
    /// let first = bake.write(folder.join("sprites.hitmask"))?;
    /// let second = bake.write(folder.join("sprites.hitmask"))?;
    /// assert_eq!((first.written, first.kept), (true, 0));
    /// assert_eq!((second.written, second.kept), (false, 1));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cache(mut self, path: impl Into<PathBuf>) -> Self {
        self.cache = Some(path.into());
        self
    }

    /// Bakes one of `of` shards, from 1: every `of`-th sprite in order of their names, for several
    /// processes or machines. [`write`](Self::write) then writes a shard, which is no atlas;
    /// [`merge`] puts all of them together into the atlas that a bake in one piece
    /// gives, byte for byte. There may be more shards than sprites.
    ///
    /// Every shard wants all sources and the same settings: names and settings are compared when
    /// they are merged, so see to it that the art is the same everywhere. A shard has no
    /// [cache](Self::cache), and cannot keep to [`max_bytes`](Self::max_bytes). Warnings of
    /// duplicates are those within the shard. [Its page](crate::shards) has recipes.
    #[must_use]
    pub fn shard(mut self, shard: u32, of: u32) -> Self {
        self.shard = Some([shard, of]);
        self
    }

    /// Calls `report` with the number of sprites done and of all sprites, as the bake goes on;
    /// from several threads, though never at once.
    #[must_use]
    pub fn progress(mut self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(report));
        self
    }
}

impl Default for Bake {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Bake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bake")
            .field("sources", &self.sources.len())
            .field("settings", &self.settings)
            .finish()
    }
}
