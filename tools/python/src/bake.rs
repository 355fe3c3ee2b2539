//! The class `Bake`: files, folders and arrays in memory to an atlas.
//!
//! Invariant: nothing is read before the bake runs, so a refused call leaves the bake as it was.

use crate::atlas::{PyAtlas, options};
use crate::errors::{OrRaise, invalid};
use crate::forks::RunningBake;
use crate::image::Image;
use crate::mask::{PyMask, PygameMask, mask_of};
use crate::values::{
    self, AlphaTest, ChannelName, Color, SamplingName, arguments, record, use_one_of,
};
use hitmask::baking::{DEFAULT_PLANE, Frame};
use hitmask::{AlphaRule, AtlasOptions, Settings};
use hitmask_bake::{Bake, BakeLimits, Grid, GridOrder, LayerPlane, Report, SourceSettings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A source of a bake.
enum Source {
    Files(PathBuf, Option<SourceSettings>),
    Sheets(PathBuf, Grid),
    Manifest(PathBuf),
    Frames(String, Vec<Frame>, Option<SourceSettings>),
}

/// Bakes art to an atlas: images, animations, sheets, Aseprite and Tiled files, manifests and arrays.
///
/// The settings, for all sources or for one:
/// angles=64 (a multiple of 4, or 1 for sprites that never turn), max_error (in pixels, chooses the angles),
/// scales=(1.0,), alpha=128, alpha_test="at_least", channel="alpha", exclude_color, only_color, thresholds,
/// pivot ((x, y) in whole or half pixels, or an anchor such as "bottom"), sampling="nearest" or "coverage",
/// motion_frame, fill_holes, shrink and grow (radii in pixels, up to 256), and for files planes={name: [layers]},
/// slices.
///
/// resolution is the number of mask pixels per pixel. A compact atlas stores source masks, from which poses
/// are drawn when they are shown. max_bytes limits the size of the opened atlas. cache is a file by which the
/// next bake of the same atlas bakes what has changed. If keep_going, files that cannot be baked are left
/// out and listed in the report. limits={name: number} changes what a file may take: max_texels, max_frames,
/// max_decoding_bytes, max_untrimmed_texels and max_pose_pixels; None takes one off. progress is called with the numbers of finished and of all sprites, on threads
/// of the bake.
///
/// A bake uses all cores. In the child of a fork it uses one, and raises a `StateError` if another thread of the
/// parent baked when it forked.
#[pyclass(name = "Bake", module = "hitmask")]
pub(crate) struct PyBake {
    resolution: f32,
    compact: bool,
    max_bytes: Option<u64>,
    cache: Option<PathBuf>,
    keep_going: bool,
    progress: Option<Py<PyAny>>,
    limits: BakeLimits,
    settings: SourceSettings,
    sources: Vec<Source>,
    shard: Option<Shard>,
}

/// The shard to bake.
#[derive(Clone, Copy)]
enum Shard {
    /// The one that a scheduler states in the environment.
    Auto,
    /// Number, from 1, and count.
    Of(u32, u32),
}

record! {
    /// What a merge of shards has made.
    MergeReport {
        /// The number of shards.
        shards: usize,
        /// The number of sprites.
        sprites: usize,
        /// The size of the atlas in bytes.
        bytes: usize,
        /// False if the file already held these bytes and was left alone.
        written: bool,
    }
}

record! {
    /// What a bake has made.
    BakeReport {
        /// The number of sprites.
        sprites: usize,
        /// The number of frames of all sprites.
        frames: usize,
        /// The number of poses.
        poses: usize,
        /// The size of the atlas in bytes.
        bytes: usize,
        /// The number of unchanged sprites that were copied from the previous atlas.
        kept: usize,
        /// False if the file already held these bytes and was left alone.
        written: bool,
        /// Probable mistakes in the art, each with its remedy.
        warnings: Vec<String>,
        /// Findings that are rarely mistakes.
        hints: Vec<String>,
        /// Files that were left out, with the fault.
        failures: Vec<(String, String)>,
    }
}

/// Returns settings changed by keyword arguments. Those of files are refused for arrays.
fn settings(base: &SourceSettings, given: Option<&Bound<'_, PyDict>>) -> PyResult<SourceSettings> {
    let mut settings = base.clone();
    let mut alpha = settings.sprite.alpha;
    let colors = |value: &Bound<'_, PyAny>| -> PyResult<_> {
        Ok(value.extract::<Vec<Color>>()?.into_iter().map(|color| color.0).collect())
    };
    let names = "angles max_error scales alpha alpha_test channel exclude_color only_color thresholds \
                 sampling motion_frame pivot fill_holes shrink grow slices planes resolution compact \
                 max_bytes cache keep_going progress limits";
    arguments(given, "a bake", names, "help(hitmask.Bake) lists its settings", |key, value| {
        let sprite = &mut settings.sprite;
        match key {
            "angles" => (sprite.angles, sprite.max_error) = (value.extract()?, None),
            "max_error" => sprite.max_error = value.extract()?,
            "scales" => sprite.scales = value.extract()?,
            "alpha" => {
                let number: u8 = value.extract()?;
                alpha = match alpha {
                    AlphaRule::AtLeast(_) => AlphaRule::AtLeast(number),
                    AlphaRule::Above(_) => AlphaRule::Above(number),
                    AlphaRule::Bits(_) => AlphaRule::Bits(number),
                };
            }
            "alpha_test" => {
                let (AlphaRule::AtLeast(number)
                | AlphaRule::Above(number)
                | AlphaRule::Bits(number)) = alpha;
                alpha = (value.extract::<AlphaTest>()?.0)(number);
            }
            "channel" => sprite.channel = value.extract::<ChannelName>()?.0,
            "exclude_color" => sprite.exclude_color = colors(value)?,
            "only_color" => sprite.only_color = colors(value)?,
            "thresholds" => sprite.thresholds = value.extract()?,
            "sampling" => sprite.sampling = value.extract::<SamplingName>()?.0,
            "motion_frame" => sprite.motion_frame = value.extract()?,
            "pivot" => match value.extract::<String>() {
                Ok(name) => {
                    let anchor = name.parse().map_err(|fault: String| {
                        invalid(format!("pivot: {fault}"), "use one of these, or (x, y) in pixels")
                    })?;
                    settings.anchor = Some(anchor);
                }
                Err(_) => {
                    sprite.pivot = values::pivot(value.extract()?)?;
                    settings.anchor = None;
                }
            },
            "fill_holes" => settings.fill_holes = value.extract()?,
            "shrink" => settings.shrink = value.extract()?,
            "grow" => settings.grow = value.extract()?,
            "slices" => settings.slices = value.extract()?,
            "planes" => {
                let planes: Vec<(String, Vec<String>)> = value
                    .cast::<PyDict>()?
                    .iter()
                    .map(|(name, layers)| Ok((name.extract()?, layers.extract()?)))
                    .collect::<PyResult<_>>()?;
                settings.planes =
                    planes.into_iter().map(|(name, layers)| LayerPlane { name, layers }).collect();
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    settings.sprite.alpha = alpha;
    Ok(settings)
}

/// Returns the default limits, changed by a dictionary. A value of None takes a limit off.
fn limits(given: Option<&Bound<'_, PyDict>>) -> PyResult<BakeLimits> {
    let mut limits = BakeLimits::default();
    let names = "max_texels max_frames max_decoding_bytes max_untrimmed_texels max_pose_pixels";
    arguments(given, "limits of a bake", names, &format!("it takes {names}"), |key, value| {
        let limit = match key {
            "max_texels" => &mut limits.max_texels,
            "max_frames" => &mut limits.max_frames,
            "max_decoding_bytes" => &mut limits.max_decoding_bytes,
            "max_untrimmed_texels" => &mut limits.max_untrimmed_texels,
            "max_pose_pixels" => &mut limits.max_pose_pixels,
            _ => return Ok(false),
        };
        *limit = value.extract::<Option<u64>>()?.unwrap_or(u64::MAX);
        Ok(true)
    })?;
    Ok(limits)
}

/// Returns a frame of anything that `Mask` takes.
fn frame(object: &Bound<'_, PyAny>, settings: &Settings) -> PyResult<Frame> {
    let rule = settings.texel_rule();
    let is_mask = object.is_instance_of::<PyMask>() || object.is_instance_of::<PygameMask>();
    if is_mask || object.is_instance_of::<PyString>() {
        return Ok(mask_of(object, &rule)?.into());
    }
    if let Ok(planes) = object.cast::<PyDict>() {
        let plane = |(name, pixels): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            PyResult::Ok((name.extract::<String>()?, mask_of(&pixels, &rule)?))
        };
        let masks = planes.iter().map(plane).collect::<PyResult<Vec<_>>>()?;
        if masks.first().is_none_or(|(name, _)| name != DEFAULT_PLANE) {
            return Err(invalid(
                "the first plane of a frame is not \"body\"",
                "pass {\"body\": pixels, ...}, the same names for each frame",
            ));
        }
        return Ok(Frame::of_planes(masks));
    }
    Image::read(object)?.frame(object.py(), settings)
}

#[pymethods]
impl PyBake {
    #[new]
    #[pyo3(signature = (*, resolution=1.0, compact=false, max_bytes=None, cache=None, keep_going=false, progress=None, limits=None, **settings))]
    fn new(
        resolution: f32,
        compact: bool,
        max_bytes: Option<u64>,
        cache: Option<PathBuf>,
        keep_going: bool,
        progress: Option<Py<PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let limits = self::limits(limits)?;
        let settings = self::settings(&SourceSettings::default(), settings)?;
        let sources = Vec::new();
        Ok(Self {
            resolution,
            compact,
            max_bytes,
            cache,
            keep_going,
            progress,
            limits,
            settings,
            sources,
            shard: None,
        })
    }

    /// Adds images: a file, a folder with all images below it, or a pattern such as "art/**/*.png". Also
    /// descriptions of sheets: .json, .atlas, .xml, .plist, .tsx, .tsj. Settings given here hold for these
    /// only. Returns the bake.
    #[pyo3(signature = (path, **settings))]
    fn add<'py>(
        slf: Bound<'py, Self>,
        path: PathBuf,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = slf.try_borrow_mut()?;
        let own = settings.map(|given| self::settings(&this.settings, Some(given))).transpose()?;
        this.sources.push(Source::Files(path, own));
        drop(this);
        Ok(slf)
    }

    /// Adds a sprite in memory: an image or a list of images of one size, each anything that `Mask` takes, or
    /// {"body": image, other planes}. Settings given here hold for this sprite only. Returns the bake.
    #[pyo3(signature = (name, frames, **settings))]
    fn add_frames<'py>(
        slf: Bound<'py, Self>,
        name: String,
        frames: &Bound<'py, PyAny>,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut this = slf.try_borrow_mut()?;
        let own = self::settings(&this.settings, settings)?;
        let is_of_file = |key| settings.is_some_and(|given| given.contains(key).unwrap_or(false));
        if is_of_file("planes") || is_of_file("slices") {
            return Err(PyTypeError::new_err(
                "planes and slices are settings of files; pass the planes as {\"body\": image, other planes}",
            ));
        }
        let is_list = frames.is_instance_of::<PyList>() || frames.is_instance_of::<PyTuple>();
        let frames = if is_list {
            frames.try_iter()?.map(|item| frame(&item?, &own.sprite)).collect::<PyResult<_>>()?
        } else {
            vec![frame(frames, &own.sprite)?]
        };
        this.sources.push(Source::Frames(name, frames, settings.map(|_| own)));
        drop(this);
        Ok(slf)
    }

    /// Adds the sources of a manifest, hitmask.toml, with its settings. Returns the bake.
    fn add_manifest(slf: Bound<'_, Self>, path: PathBuf) -> PyResult<Bound<'_, Self>> {
        slf.try_borrow_mut()?.sources.push(Source::Manifest(path));
        Ok(slf)
    }

    /// Adds sheets whose frames are tiles of a grid, all numbers in pixels. A side of 0 divides the sheet by
    /// columns or rows. order is "rows" or "columns". Returns the bake.
    #[pyo3(signature = (path, tile=(0, 0), *, margin=(0, 0), spacing=(0, 0), count=None, columns=None, rows=None, order="rows"))]
    #[pyo3(
        text_signature = "($self, path, tile=(0, 0), *, margin=(0, 0), spacing=(0, 0), count=None, columns=None, rows=None, order='rows')"
    )]
    fn add_sheets<'py>(
        slf: Bound<'py, Self>,
        path: PathBuf,
        tile: (u32, u32),
        margin: (u32, u32),
        spacing: (u32, u32),
        count: Option<u32>,
        columns: Option<u32>,
        rows: Option<u32>,
        order: &str,
    ) -> PyResult<Bound<'py, Self>> {
        let order = match order {
            "rows" => GridOrder::Rows,
            "columns" => GridOrder::Columns,
            _ => {
                let help = use_one_of(order, &["rows", "columns"]);
                return Err(invalid(format!("order is {order:?}"), help));
            }
        };
        let (tile, margin, spacing) = (tile.into(), margin.into(), spacing.into());
        let grid = Grid { tile, margin, spacing, count, columns, rows, order };
        slf.try_borrow_mut()?.sources.push(Source::Sheets(path, grid));
        Ok(slf)
    }

    /// Bakes one of several shards, for several processes or machines: shard number index, from 1, of count.
    /// `write` then writes a shard, which is not an atlas, and `hitmask.merge` joins all shards. "auto" in place
    /// of the numbers takes those of a job array of Slurm. It takes those of an indexed job of Kubernetes too, if its
    /// manifest sets JOB_COMPLETIONS. Returns the bake.
    #[pyo3(signature = (index, count=None))]
    fn shard<'py>(
        slf: Bound<'py, Self>,
        index: &Bound<'py, PyAny>,
        count: Option<u32>,
    ) -> PyResult<Bound<'py, Self>> {
        let shard = match (index.extract::<String>(), count) {
            (Ok(text), None) if text == "auto" => Shard::Auto,
            (Ok(text), _) => {
                let cause = format!("the shard is {text:?}, count {count:?}");
                return Err(invalid(
                    cause,
                    "pass \"auto\" alone, or the numbers of the shard and of all shards",
                ));
            }
            (Err(_), Some(count)) => Shard::Of(index.extract()?, count),
            (Err(_), None) => {
                let help =
                    "pass a shard and the number of shards, such as shard(1, 4), or \"auto\"";
                return Err(PyTypeError::new_err(format!(
                    "shard() lacks the number of shards; {help}"
                )));
            }
        };
        slf.try_borrow_mut()?.shard = Some(shard);
        Ok(slf)
    }

    /// Bakes and writes the atlas atomically. A failed bake leaves the previous file as it was.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<BakeReport> {
        let report = self.run(py, |bake| bake.write(&path))?;
        Ok(report.into())
    }

    /// Bakes and returns the bytes of the atlas.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.run(py, Bake::to_bytes)?))
    }

    /// Bakes and opens the atlas.
    fn atlas(&self, py: Python<'_>) -> PyResult<PyAtlas> {
        let bytes = self.run(py, Bake::to_bytes)?;
        py.detach(|| AtlasOptions::UNLIMITED.from_vec(bytes)).or_raise().map(PyAtlas)
    }

    /// Compares an atlas file with its sources, and writes nothing. Returns whether it is that of a new bake.
    fn is_fresh(&self, py: Python<'_>, path: PathBuf) -> PyResult<bool> {
        Ok(self.run(py, |bake| bake.check(&path))?.is_fresh)
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Bake of {} sources>", self.sources.len())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.progress)
    }

    fn __clear__(&mut self) {
        self.progress = None;
    }
}

impl PyBake {
    /// Runs a bake without the lock of the interpreter.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        finish: impl FnOnce(&Bake) -> Result<T, hitmask_bake::BakeError> + Send,
    ) -> PyResult<T> {
        let _running = RunningBake::begin()?;
        let raised = Arc::new(Mutex::new(None));
        let progress = self.progress.as_ref().map(|call| call.clone_ref(py));
        let first = Arc::clone(&raised);
        let result = py.detach(|| {
            let mut bake = Bake::new()
                .resolution(self.resolution)
                .compact(self.compact)
                .keep_going(self.keep_going)
                .limits(self.limits)
                .settings(self.settings.clone());
            if let Some(bytes) = self.max_bytes {
                bake = bake.max_bytes(bytes);
            }
            if let Some(path) = &self.cache {
                bake = bake.cache(path);
            }
            if let Some(call) = progress {
                bake = bake.progress(move |done, all| {
                    Python::attach(|py| {
                        if let (Err(error), Ok(mut first)) =
                            (call.call1(py, (done, all)), first.lock())
                        {
                            first.get_or_insert(error);
                        }
                    });
                });
            }
            for source in &self.sources {
                bake = source.add_to(bake)?;
            }
            bake = match self.shard {
                Some(Shard::Auto) => bake.shard_from_env()?,
                Some(Shard::Of(index, count)) => bake.shard(index, count),
                None => bake,
            };
            finish(&bake)
        });
        match raised.lock().map(|mut error| error.take()) {
            Ok(Some(error)) => Err(error),
            _ => result.or_raise(),
        }
    }
}

/// Merges the shards of one bake into the atlas at a path, which is written atomically. It is byte for byte the
/// atlas of a bake without shards. The shards may be given in any order. A failed merge leaves the previous file
/// as it was. If the shards are trusted, the limits on what it takes to draw compact ones are off.
#[pyfunction]
#[pyo3(signature = (path, shards, *, trusted=false))]
pub(crate) fn merge(
    py: Python<'_>,
    path: PathBuf,
    shards: Vec<PathBuf>,
    trusted: bool,
) -> PyResult<MergeReport> {
    let _running = RunningBake::begin()?;
    let merged = py.detach(|| hitmask_bake::merge(path, shards, options(trusted)));
    let hitmask_bake::MergeReport { shards, sprites, bytes, written, .. } = merged.or_raise()?;
    Ok(MergeReport { shards, sprites, bytes, written })
}

impl Source {
    fn add_to(&self, bake: Bake) -> Result<Bake, hitmask_bake::BakeError> {
        match self {
            Self::Files(path, None) => bake.sprites(path),
            Self::Files(path, Some(settings)) => bake.sprites_with(path, settings.clone()),
            Self::Sheets(path, grid) => bake.sheets(path, *grid),
            Self::Manifest(path) => bake.manifest(path),
            Self::Frames(name, frames, settings) => {
                let (name, frames) = (name.clone(), frames.iter().cloned());
                Ok(match settings.clone() {
                    Some(settings) => bake.frames_with(name, frames, settings),
                    None => bake.frames(name, frames, None),
                })
            }
        }
    }
}

impl From<Report> for BakeReport {
    fn from(report: Report) -> Self {
        let texts = |warnings: Vec<hitmask::Warning>| {
            warnings.iter().map(|warning| format!("{warning}; {}", warning.help())).collect()
        };
        let path = |path: &Path| path.display().to_string();
        Self {
            sprites: report.sprites,
            frames: report.frames,
            poses: report.poses,
            bytes: report.bytes,
            kept: report.kept,
            written: report.written,
            failures: report
                .failures
                .iter()
                .map(|(at, e)| (path(at), format!("{e}; {}", e.help())))
                .collect(),
            warnings: texts(report.warnings),
            hints: texts(report.hints),
        }
    }
}
