//! The bake: from images to the bytes of an atlas, at build time.
//!
//! ```text
//! sources --decode--> masks --dedupe--> distinct masks --rasterise--> poses --write--> bytes
//! ```
//!
//! Build scripts and the command line share this module. What it keeps true: the same sources and
//! settings give the same bytes, on any machine and at any number of threads; and a bake that
//! fails leaves the file it was to replace as it was.

mod error;
mod file;
#[cfg(feature = "image")]
mod image;
mod out_dir;
mod pipeline;
mod report;
mod settings;
mod source;

pub use error::BakeError;
pub use report::{Report, Warning};
pub use settings::Settings;

use crate::mask::{AlphaRule, Mask, MaskError};
use crate::raster::{Pivot, Sampling};
use source::{Content, Source};
use std::fmt;
use std::path::{Path, PathBuf};

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
#[derive(Default)]
pub struct Bake {
    sources: Vec<Source>,
    settings: Settings,
    /// Files and folders a change to which calls for another bake.
    watched: Vec<PathBuf>,
    progress: Option<Progress>,
}

type Progress = Box<dyn Fn(usize, usize) + Send + Sync>;

impl Bake {
    /// A bake without sources, at the default [`Settings`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Angle steps in a full turn: a multiple of four, or 1 for what never turns. The default is
    /// 64. Bytes and time grow with it.
    #[must_use]
    pub fn angles(mut self, angles: u32) -> Self {
        self.settings.angles = angles;
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

    /// Replaces all settings at once.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Adds the images that `pattern` names: a PNG file, a folder and all PNG files below it, or
    /// a pattern with `*`, `?`, `[..]` and `**`, such as `art/**/*.png`. Hidden files are left out.
    ///
    /// A sprite is named by its path from the folder given (for a file its own folder, for a
    /// pattern the part without wildcards), without the extension, with `/` on every system.
    /// Images are decoded when the bake is written.
    ///
    /// # Errors
    /// [`BakeError`] where nothing is there, no image is found, or a folder cannot be read.
    #[cfg(feature = "image")]
    pub fn sprites(self, pattern: impl AsRef<Path>) -> Result<Self, BakeError> {
        self.add_images(pattern.as_ref(), None)
    }

    /// As [`sprites`](Self::sprites), with settings of their own.
    ///
    /// # Errors
    /// As [`sprites`](Self::sprites).
    #[cfg(feature = "image")]
    pub fn sprites_with(
        self,
        pattern: impl AsRef<Path>,
        settings: Settings,
    ) -> Result<Self, BakeError> {
        self.add_images(pattern.as_ref(), Some(settings))
    }

    #[cfg(feature = "image")]
    fn add_images(mut self, pattern: &Path, settings: Option<Settings>) -> Result<Self, BakeError> {
        let found = image::find(pattern)?;
        self.watched.push(found.root);
        for (name, path) in found.files {
            self.watched.push(path.clone());
            self.sources.push(Source {
                name,
                content: Content::Image(path),
                settings: settings.clone(),
            });
        }
        Ok(self)
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
        mut self,
        name: String,
        frames: impl IntoIterator<Item = Mask>,
        settings: Option<Settings>,
    ) -> Self {
        let content = Content::Frames(frames.into_iter().collect());
        self.sources.push(Source { name, content, settings });
        self
    }

    /// Adds a sprite of one frame, from the bytes red, green, blue, alpha of an image, row by row
    /// without padding. The alpha rule is that of the settings at this moment.
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
        let mask = Mask::from_rgba(width, height, rgba, self.settings.alpha)?;
        Ok(self.mask(name, mask))
    }

    /// Calls `report` with the number of sprites done and of all sprites, as the bake goes on;
    /// from several threads, though never at once.
    #[must_use]
    pub fn progress(mut self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// The bytes of the atlas.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BakeError> {
        self.run().map(|(bytes, _)| bytes)
    }

    /// Bakes and writes the atlas to a file, all or nothing: bytes go to a new file beside it,
    /// which then takes its name. A bake that fails leaves what was there before.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked, or where the
    /// file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<Report, BakeError> {
        let (bytes, report) = self.run()?;
        file::replace(path.as_ref(), &bytes)?;
        Ok(report)
    }

    /// For build scripts: bakes into `OUT_DIR`, writes an id for each sprite beside the atlas,
    /// and tells cargo to run the script again when a source changes or one is added. In the
    /// game, [`include_atlas!`](crate::include_atlas) with the same `name` brings both in.
    ///
    /// The id of a sprite is its name in capitals, with `_` for whatever is no letter or digit:
    /// `enemies/ship-1` becomes `ENEMIES_SHIP_1`.
    ///
    /// # Errors
    /// As [`write`](Self::write), and where two names give one id or this is no build script.
    pub fn write_out_dir(&self, name: &str) -> Result<Report, BakeError> {
        let folder = std::env::var_os("OUT_DIR").ok_or(BakeError::NoOutDir)?;
        let (bytes, report) = self.run()?;
        let mut names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        names.sort_unstable();
        out_dir::write(Path::new(&folder), name, &bytes, &names)?;
        for path in &self.watched {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        Ok(report)
    }

    fn run(&self) -> Result<(Vec<u8>, Report), BakeError> {
        let progress = |done| {
            if let Some(report) = &self.progress {
                report(done, self.sources.len());
            }
        };
        pipeline::run(&self.sources, &self.settings, &progress)
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
