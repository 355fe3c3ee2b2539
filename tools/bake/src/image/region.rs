//! A frame as a sheet description states it, and its validation.
//!
//! Used by the parsers of all sheet formats. Invariant: a [`Cut`] exists only for whole,
//! non-negative coordinates within the limits.

use super::sheet_frame::{Cut, PackedRotation};
use super::triangles::Triangles;
use crate::{BakeError, BakeFault};
use hitmask::MAX_SIDE;
use hitmask::{MAX_PIVOT, Pivot};
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// A frame as stated in a description, in texels, not validated.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// Top-left corner on the page.
    pub(super) from: [f64; 2],
    /// Width and height of the upright image.
    pub(super) size: [f64; 2],
    pub(super) rotation: PackedRotation,
    /// Corner of the trimmed image in the untrimmed frame.
    pub(super) at: [f64; 2],
    /// Width and height of the untrimmed frame.
    pub(super) frame: [f64; 2],
    /// Pivot relative to the corner of the untrimmed frame.
    pub(super) pivot: Option<[f64; 2]>,
    /// The part of the untrimmed frame that the frame owns. `None` means all of it.
    pub(super) triangles: Option<Triangles>,
}

impl Region {
    /// Validates the region of the frame `name` in the description at `path`.
    pub(super) fn checked(&self, path: &Path, name: &str) -> Result<Cut, BakeError> {
        let whole = |[x, y]: [f64; 2]| {
            let limit = f64::from(MAX_SIDE);
            let part = |v: f64| match v {
                v if v.fract() != 0.0 => {
                    Err(FrameFault::new("has a position or size that is not a whole number"))
                } // NaN and infinity too
                v if v < 0.0 => Err(FrameFault::new("has a negative position or size")),
                v if v > limit => Err(FrameFault::too_large()),
                v => Ok(v as u32),
            };
            Ok([part(x)?, part(y)?])
        };
        let cut = || {
            let ([from, size], [at, frame]) =
                ([whole(self.from)?, whole(self.size)?], [whole(self.at)?, whole(self.frame)?]);
            if (0..2).any(|axis| at[axis].saturating_add(size[axis]) > frame[axis]) {
                return Err(FrameFault::trim());
            }
            let size = match self.rotation {
                PackedRotation::Upright | PackedRotation::HalfTurn => size,
                PackedRotation::Clockwise | PackedRotation::CounterClockwise => [size[1], size[0]],
            };
            let pivot = self.pivot.map(pivot).transpose()?;
            let triangles = self.triangles.clone();
            Ok(Cut { from, size, rotation: self.rotation, at, frame, pivot, triangles })
        };
        cut().map_err(|fault: FrameFault| fault.of(path, name))
    }
}

/// The fault of a frame: a predicate of the frame, and the remedy.
#[derive(Debug)]
pub(super) struct FrameFault {
    predicate: Cow<'static, str>,
    help: &'static str,
}

impl FrameFault {
    pub(super) fn new(predicate: impl Into<Cow<'static, str>>) -> Self {
        let help = "export the sheet and its description again, together";
        Self { predicate: predicate.into(), help }
    }

    pub(super) fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    pub(super) fn too_large() -> Self {
        Self::new(format!("has a position or size above {MAX_SIDE}"))
    }

    pub(super) fn trim() -> Self {
        Self::new("exceeds the size that it had before trimming")
    }

    pub(super) fn outside_page([width, height]: [u32; 2]) -> Self {
        Self::new(format!("exceeds its page of {width} x {height} texels"))
    }

    /// Returns the error of the frame `name` in the file at `path`.
    pub(super) fn of(self, path: &Path, name: &str) -> BakeError {
        let rest = format_args!(": frame {name:?} {}", self.predicate);
        BakeError::of_file(BakeFault::Malformed, path, rest, self.help).in_frame(name)
    }
}

/// Rounds a pivot in texels to the nearest half-texel. Ties round up.
pub(super) fn pivot(texels: [f64; 2]) -> Result<Pivot, FrameFault> {
    let [x, y] = texels.map(|texels| (2.0 * texels + 0.5).floor());
    let is_near = |v: f64| v.abs() <= f64::from(MAX_PIVOT); // false for NaN
    if !is_near(x) || !is_near(y) {
        return Err(FrameFault::new("has a pivot that is not a number or is too far away"));
    }
    Ok(Pivot::HalfTexels(x as i32, y as i32))
}

/// Returns the path of the file `named` in the description at `path`: a page or another
/// description. It must be in the description's folder or below it.
pub(super) fn page(path: &Path, named: &str) -> Result<PathBuf, BakeError> {
    // Tools write both path separators.
    let relative = PathBuf::from(named.replace('\\', "/"));
    let stays =
        relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !stays || named.contains(['\0', ':']) {
        let rest = format_args!(" names the file {named:?} outside its own folder");
        let help = "move the named file to the folder of the description";
        return Err(BakeError::of_file(BakeFault::Malformed, path, rest, help));
    }
    let names = relative.components().filter(|c| matches!(c, Component::Normal(_)));
    let page = path.with_file_name("").join(names.collect::<PathBuf>());
    if !page.is_file() {
        let rest = format_args!(" names the file {named:?}, which does not exist");
        let help = "put the named file into the folder of the description";
        return Err(BakeError::of_file(BakeFault::NotFound, path, rest, help));
    }
    Ok(page)
}
