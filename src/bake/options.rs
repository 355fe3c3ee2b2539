//! What a bake can be told about all of its sources, and about itself.

use super::Bake;
use super::settings::{Channel, ColorRange, Settings};
use crate::mask::AlphaRule;
use crate::raster::{Pivot, Sampling};
use std::path::PathBuf;

impl Bake {
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
    /// [`Report::each`](crate::Report::each) says what that came to. Fails with
    /// [`BakeError::OverBudget`](crate::BakeError::OverBudget) where eight steps each are too many.
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
    /// [`Report::each`](crate::Report::each) has what it came to. Replaces [`angles`](Self::angles),
    /// unless that is 1.
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
    pub fn exclude_color(mut self, colors: impl Into<ColorRange>) -> Self {
        self.settings.exclude_color.push(colors.into());
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
    pub fn motion_frame(mut self, motion_frame: bool) -> Self {
        self.settings.motion_frame = motion_frame;
        self
    }

    /// Replaces all settings at once.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
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
    /// of another version or of another atlas is not used, which
    /// [`Report::notes`](crate::Report::notes) says; a file that is neither empty nor a cache is left as
    /// it is, and the bake does without.
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
    /// [`merge`](crate::merge) puts all of them together into the atlas that a bake in one piece
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
