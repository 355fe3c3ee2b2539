//! The setters of [`Bake`] for options of all sources and of the bake itself.

use super::Bake;
#[cfg(feature = "image")]
use super::BakeLimits;
use super::settings::Settings;
use crate::mask::{AlphaRule, Channel, ColorRange};
use crate::raster::{Pivot, Sampling};
use std::path::PathBuf;

impl Bake {
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
        self.plan.resolution = resolution;
        self
    }

    /// Limits the size of the opened atlas in bytes. If it would be larger, turning sprites get
    /// fewer angle steps, so that the largest error of any sprite is as small as possible.
    /// [`Report::each`](crate::Report::each) has the resulting steps and errors. The bake fails
    /// with [`BakeError::OverBudget`](crate::BakeError::OverBudget) if 8 steps per sprite exceed
    /// the limit.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.plan.max_bytes = Some(bytes);
        self
    }

    /// Writes a compact atlas: compressed source masks and settings only, often 0.1% of the size. Each
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
        self.plan.compact = compact;
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
    /// needs more steps gets 128 and [`Warning::OverError`](crate::Warning::OverError), which has
    /// the error and the steps that would keep the limit. More steps are baked only on demand, by
    /// [`angles`](Self::angles), because the masks of a large sprite would take hundreds of MB.
    ///
    /// 1 is a good choice, and 0.5 shows no gain. [`Report::each`](crate::Report::each) has the
    /// resulting errors. Replaces [`angles`](Self::angles), unless that is 1.
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

    /// Excludes texels of a colour or colour range from every mask. `[255, 0, 255]` is a key colour
    /// at every alpha, and `[0, 0, 0]..=[40, 40, 60]` a range. A fourth number limits the alpha:
    /// `[0, 0, 0, 0]..=[0, 0, 0, 127]` is a soft shadow. Repeated calls add colours. By default no
    /// colour is excluded.
    #[must_use]
    pub fn exclude_color(mut self, colors: impl Into<ColorRange>) -> Self {
        self.settings.exclude_color.push(colors.into());
        self
    }

    /// Limits every mask to the texels of a colour or colour range, as for
    /// [`exclude_color`](Self::exclude_color). Repeated calls add colours. An excluded colour stays
    /// excluded. By default texels of all colours can be solid.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Flip, Pose};
    /// let (red, grey) = ([255, 0, 0, 255], [90, 90, 90, 255]);
    /// let bake = Bake::new().only_color([255, 0, 0]).rgba("spikes", 2, 1, &[red, grey].concat())?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let spikes = atlas.sprites().next().unwrap();
    /// assert_eq!(spikes.posed(0, Pose::default(), Flip::NONE).unwrap().mask.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only_color(mut self, colors: impl Into<ColorRange>) -> Self {
        self.settings.only_color.push(colors.into());
        self
    }

    /// Adds one plane per threshold to each sprite, so that a game chooses how opaque a texel must
    /// be for each collider or test. The plane of threshold 32 is named `alpha32`. It has the texels
    /// of the body whose alpha is at least 32. [`Sprite::plane_for_threshold`] finds the plane for a
    /// threshold, and [`Sprite::plane_for_fade`] that of a sprite which fades. By default there are
    /// none.
    ///
    /// Plane 0 stays the body by the [alpha rule](Self::alpha). The planes by threshold are the last
    /// ones, in ascending order. They read the same [channel](Self::channel) and leave out the same
    /// colours as the body. For masks and Tiled shapes, whose pixels count as opaque, they equal the
    /// first plane. Planes with equal pixels take no memory of their own.
    ///
    /// A bake fails if a threshold is 0 or repeated, or if a plane of a layer or mask has the name
    /// of one. It also fails if a sprite would have more than 255 planes.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Flip, Pose};
    /// let bake = Bake::new().thresholds([32, 224]).alpha_bytes("fog", 3, 1, &[40, 150, 255])?;
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

    /// Sets the channel that the alpha rule reads. The default is alpha.
    #[must_use]
    pub fn channel(mut self, channel: Channel) -> Self {
        self.settings.channel = channel;
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

    /// Adds a motion frame to each sprite: one more frame, after the last, that is the union of all
    /// frames. The union is taken plane by plane, with the pivots aligned. Its index is
    /// `frame_count() - 1` of the sprite. Show it while a fast animation skips frames: the collider
    /// then touches everything that any frame would touch. By default there is none.
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

    /// Bakes one of `of` shards, numbered from 1: every `of`-th sprite in order of their names, for
    /// several processes or machines. [`write`](Self::write) then writes a shard, which is not an
    /// atlas. [`merge`](crate::merge) combines all shards into the atlas of a single bake, byte for
    /// byte. There may be more shards than sprites.
    ///
    /// Every shard needs all sources and the same settings. A merge compares names and settings,
    /// but not the images, so keep them equal on all machines. A shard has no [cache](Self::cache)
    /// and cannot keep [`max_bytes`](Self::max_bytes). Warnings about duplicates cover only the
    /// sprites of the shard. The [shards page](crate::shards) has recipes.
    #[must_use]
    pub fn shard(mut self, shard: u32, of: u32) -> Self {
        self.shard = Some([shard, of]);
        self
    }

    /// Leaves out files that cannot be baked, and bakes the others. The default is `false`: the
    /// first fault ends the bake with an error. With `true`, [`write`](Self::write) succeeds as
    /// long as one sprite is left, and [`Report::failures`](crate::Report::failures) lists each
    /// file with its fault. The atlas has no sprite of these files, so check the list.
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
    /// use hitmask::{Bake, Mask};
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
    /// [`BakeError::OverLimit`](crate::BakeError::OverLimit), which names the limit and its value.
    ///
    /// Call it before the sources are added, because descriptions of sheets are read then.
    #[cfg(feature = "image")]
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
