//! The setters of [`Bake`] for options of all sources and of the bake itself.

use crate::bake::Bake;
use crate::error::BakeError;
use crate::limits::BakeLimits;
use crate::settings::{Anchor, SourceSettings};
use crate::shard;
use hitmask::{AlphaRule, Channel, ColorRange, Pivot, Sampling};
use std::path::PathBuf;

impl Bake {
    /// Sets the number of mask pixels along one side of a pixel. As
    /// [`AtlasBuilder::resolution`](hitmask::AtlasBuilder::resolution).
    #[must_use]
    pub fn resolution(mut self, resolution: f32) -> Self {
        self.plan.resolution = resolution;
        self
    }

    /// Limits the size of the opened atlas in bytes; turning sprites get fewer angle steps. As
    /// [`AtlasBuilder::max_bytes`](hitmask::AtlasBuilder::max_bytes).
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.plan.max_bytes = Some(bytes);
        self
    }

    /// Writes a compact atlas: source masks and settings only, from which a world draws poses when
    /// they are shown. As [`AtlasBuilder::compact`](hitmask::AtlasBuilder::compact).
    #[must_use]
    pub fn compact(mut self, compact: bool) -> Self {
        self.plan.compact = compact;
        self
    }

    /// Sets the angle steps in a full turn: a multiple of 4, or 1 for sprites that never turn. The
    /// default is 64. As [`AtlasBuilder::angles`](hitmask::AtlasBuilder::angles).
    #[must_use]
    pub fn angles(mut self, angles: u32) -> Self {
        self.settings.sprite.angles = angles;
        self.settings.sprite.max_error = None;
        self
    }

    /// Chooses the angle steps of each sprite, from 8 to 128, so that no pixel lies farther than
    /// `pixels` from its exactly rotated position. As
    /// [`AtlasBuilder::max_error`](hitmask::AtlasBuilder::max_error).
    #[must_use]
    pub fn max_error(mut self, pixels: f32) -> Self {
        self.settings.sprite.max_error = Some(pixels);
        self
    }

    /// Sets the scales to bake at; 1 is source size. The default is 1 alone. As
    /// [`AtlasBuilder::scales`](hitmask::AtlasBuilder::scales).
    #[must_use]
    pub fn scales(mut self, scales: impl Into<Vec<f32>>) -> Self {
        self.settings.sprite.scales = scales.into();
        self
    }

    /// Sets the rule for solid texels. The default is alpha >= 128. As
    /// [`AtlasBuilder::alpha`](hitmask::AtlasBuilder::alpha).
    #[must_use]
    pub fn alpha(mut self, rule: AlphaRule) -> Self {
        self.settings.sprite.alpha = rule;
        self
    }

    /// Excludes texels of a colour or colour range from every mask. As
    /// [`Settings::exclude_color`](hitmask::Settings::exclude_color).
    #[must_use]
    pub fn exclude_color(mut self, colors: impl Into<ColorRange>) -> Self {
        self.settings.sprite.exclude_color.push(colors.into());
        self
    }

    /// Limits every mask to the texels of a colour or colour range. As
    /// [`Settings::only_color`](hitmask::Settings::only_color).
    #[must_use]
    pub fn only_color(mut self, colors: impl Into<ColorRange>) -> Self {
        self.settings.sprite.only_color.push(colors.into());
        self
    }

    /// Adds one plane per alpha threshold to each sprite. Shapes of Tiled count as opaque. As
    /// [`AtlasBuilder::thresholds`](hitmask::AtlasBuilder::thresholds).
    #[must_use]
    pub fn thresholds(mut self, thresholds: impl Into<Vec<u8>>) -> Self {
        self.settings.sprite.thresholds = thresholds.into();
        self
    }

    /// Sets the channel that the alpha rule reads. The default is alpha. As
    /// [`Settings::channel`](hitmask::Settings::channel).
    #[must_use]
    pub fn channel(mut self, channel: Channel) -> Self {
        self.settings.sprite.channel = channel;
        self
    }

    /// Sets the pivot of files that name none. The default is the image centre. As
    /// [`AtlasBuilder::pivot`](hitmask::AtlasBuilder::pivot).
    #[must_use]
    pub fn pivot(mut self, pivot: Pivot) -> Self {
        (self.settings.sprite.pivot, self.settings.anchor) = (pivot, None);
        self
    }

    /// Sets the pivot of files that name none to a corner, a side middle or the centre of each frame.
    #[must_use]
    pub fn anchor(mut self, anchor: Anchor) -> Self {
        self.settings.anchor = Some(anchor);
        self
    }

    /// Fills the holes of every mask. As [`Mask::fill_holes`](crate::Mask::fill_holes).
    #[must_use]
    pub fn fill_holes(mut self, fill_holes: bool) -> Self {
        self.settings.fill_holes = fill_holes;
        self
    }

    /// Shrinks every mask by a radius of up to 256 texels, after holes are filled. As
    /// [`Mask::shrunk`](crate::Mask::shrunk) with a disc.
    #[must_use]
    pub fn shrink(mut self, radius: u32) -> Self {
        self.settings.shrink = radius;
        self
    }

    /// Grows every mask by a radius of up to 256 texels, after holes are filled and it has shrunk. As
    /// [`Mask::grown`](crate::Mask::grown) with a disc. The frame grows by the radius on each side, and
    /// the pivot stays on its texel.
    #[must_use]
    pub fn grow(mut self, radius: u32) -> Self {
        self.settings.grow = radius;
        self
    }

    /// Sets the rule for the pixels of a pose. The default is nearest texel. As
    /// [`AtlasBuilder::sampling`](hitmask::AtlasBuilder::sampling).
    #[must_use]
    pub fn sampling(mut self, sampling: Sampling) -> Self {
        self.settings.sprite.sampling = sampling;
        self
    }

    /// Adds to each sprite one more frame, the union of all frames. As
    /// [`Settings::motion_frame`](hitmask::Settings::motion_frame).
    #[must_use]
    pub fn motion_frame(mut self, motion_frame: bool) -> Self {
        self.settings.sprite.motion_frame = motion_frame;
        self
    }

    /// Replaces all settings of sources at once.
    #[must_use]
    pub fn settings(mut self, settings: impl Into<SourceSettings>) -> Self {
        self.settings = settings.into();
        self
    }

    /// Sets the atlas size in bytes above which the bake warns. The default is 512 MiB.
    #[must_use]
    pub fn budget(mut self, bytes: u64) -> Self {
        self.budget = bytes;
        self
    }

    /// Sets a cache file, which describes the previous bake. The next bake into the same atlas
    /// bakes only the sprites whose files or settings have changed and copies the others from the
    /// atlas. The bytes are those of a full bake. By default there is no cache;
    /// [`write_out_dir`](Self::write_out_dir) uses one of its own.
    ///
    /// A file counts as unchanged if its size and times are the same. If it was modified within the
    /// clock's resolution before the last bake, its contents are compared instead. The cache takes
    /// about 300 bytes per sprite and may be deleted at any time. A cache that is damaged, or of
    /// another version or atlas, is not used, and [`Report::notes`](crate::Report::notes) says so.
    /// A file that is neither empty nor a cache is left unchanged, and the bake runs without a
    /// cache.
    ///
    /// With [`max_bytes`](Self::max_bytes), sprites depend on each other, so one change bakes all.
    /// For a [compact](Self::compact) atlas, only the decoding of unchanged images is saved. Its
    /// poses are drawn in any case, because the file stores the size of the drawn atlas.
    ///
    /// ```
    /// use hitmask_bake::{Bake, Mask};
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

    /// Bakes one of `of` shards, numbered from 1, for several processes or machines. [`write`](Self::write)
    /// then writes a shard, which is not an atlas. [`merge`](crate::merge) combines all shards into the atlas of
    /// a single bake, byte for byte. There may be more shards than sprites.
    ///
    /// The sprites are divided by work: pixels of poses, by the sizes that the files state. Each shard computes the same
    /// division. So every shard needs all sources and the same settings, and reads the bytes of all files. A merge
    /// compares names, settings and a digest of these bytes, so shards of different art are refused. A
    /// [cache](Self::cache) spares the reading and the sprites that have not changed. A shard cannot keep
    /// [`max_bytes`](Self::max_bytes). Warnings about duplicates cover only the sprites of the shard. The [shards
    /// page](crate::shards) has recipes.
    #[must_use]
    pub fn shard(mut self, shard: u32, of: u32) -> Self {
        self.plan.shard = Some([shard, of]);
        self
    }

    /// Bakes the [shard](Self::shard) that a scheduler states in the environment. In a job array of Slurm, these
    /// are `SLURM_ARRAY_TASK_ID`, `_COUNT`, `_MIN` and `_MAX`; the array begins at 0 or 1 and has no gaps. In an
    /// indexed job of Kubernetes, it is `JOB_COMPLETION_INDEX`. The manifest of the job must set
    /// `JOB_COMPLETIONS` to the number of completions, because Kubernetes does not.
    ///
    /// # Errors
    /// [`BakeFault::Option`](crate::BakeFault::Option) if neither scheduler or both state a shard, or if a variable
    /// is missing, is not a number, or contradicts another. The error names the variable and its value.
    pub fn shard_from_env(mut self) -> Result<Self, BakeError> {
        self.plan.shard = Some(shard::of_scheduler(|name| std::env::var_os(name))?);
        Ok(self)
    }

    /// Passes over files that cannot be baked, and bakes the others. The default is `false`: the
    /// first fault ends the bake with an error. With `true`, [`write`](Self::write) succeeds as
    /// long as one sprite is left, and [`Report::failures`](crate::Report::failures) lists each
    /// file with its fault.
    ///
    /// A sprite of such a file keeps its masks of the atlas at the output path. They are those of the last
    /// bake that could read the file. [`Report::stale`](crate::Report::stale) names these sprites. Others are
    /// left out, so check both lists. If the new atlas cannot hold the old masks, the bake fails and the old
    /// atlas stays. So it is with another [resolution](Self::resolution), with [`max_bytes`](Self::max_bytes), or
    /// if only the new atlas is [compact](Self::compact).
    ///
    /// Faults of single files are skipped: unreadable or damaged files, dangling links, files of
    /// another kind, and masks or names that an atlas cannot hold. Other faults still end the bake,
    /// such as a missing path, a malformed manifest, or two sprites with one name. The same holds
    /// for [`to_bytes`](Self::to_bytes), [`check`](Self::check) and [shards](Self::shard), which
    /// need all files.
    ///
    /// Call it before the sources are added, because descriptions of sheets are read then.
    ///
    /// ```
    /// use hitmask_bake::{Bake, Mask};
    /// let bake = Bake::new().keep_going(true).mask("dot", "#".parse::<Mask>()?);
    /// let path = std::env::temp_dir().join(format!("hitmask-going-{}", std::process::id()));
    /// for (file, error) in bake.write(&path)?.failures {
    ///     eprintln!("{} is left out: {error}; {}", file.display(), error.help());
    /// }
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.failures.keep_going = keep_going;
        self
    }

    /// Sets the limits on what files may take to decode. Use it to allow a large file that you trust,
    /// or to lower the limits for files of strangers. A file above a limit gives
    /// [`BakeFault::OverLimit`](crate::BakeFault::OverLimit), which names the limit and its value.
    ///
    /// Call it before the sources are added, because descriptions of sheets are read then.
    #[must_use]
    pub fn limits(mut self, limits: BakeLimits) -> Self {
        self.plan.limits = limits;
        self
    }

    /// Sets a progress callback. It receives the number of finished sprites and of all sprites.
    /// Several threads call it, but never at the same time.
    #[must_use]
    pub fn progress(mut self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.progress = Some(Box::new(report));
        self
    }
}
