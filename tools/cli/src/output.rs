//! Input and output that the verbs share: standard output, atlas files, pictures, progress bars.
//!
//! Every verb prints through [`print`] or [`print_json`], and opens atlases with [`open`] or
//! [`open_drawn`]. Files are
//! written with [`write`], after [`check_target`] has refused unsuitable paths.

use crate::{CliError, units};
use hitmask::{Atlas, AtlasOptions, FileError};
use hitmask_bake::{Bake, BakeFault, replace_file};
use hitmask_demo::headless;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Writes to standard output. A closed pipe, such as that of `head`, counts as success.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(CliError::new(
            format!("cannot write to standard output: {e}"),
            "check the file or pipe that standard output is redirected to",
        )),
        _ => Ok(()),
    }
}

/// Writes a value as one line of JSON to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), CliError> {
    let json = serde_json::to_string(value).map_err(|e| {
        CliError::new(format!("cannot write the result as JSON: {e}"), "run it without --json")
    })?;
    print(&(json + "\n"))
}

/// Writes the result of a verb: as JSON if it is asked for, else as text.
pub(crate) fn answer(
    json: bool,
    value: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), CliError> {
    if json { print_json(value) } else { print(&text()) }
}

/// The limits on a compact atlas, options of every verb that opens one.
#[derive(clap::Args)]
pub(crate) struct Limit {
    /// Largest size of a compact atlas, unpacked or drawn, in megabytes: 2000 or 2000mb. Default:
    /// 1074. The limits on poses and samples grow with it.
    #[arg(long = "limit", value_name = "MB", value_parser = units::megabytes, allow_negative_numbers = true)]
    megabytes: Option<f64>,
    /// Largest number of poses to draw of a compact atlas. Default: 8388608.
    #[arg(long = "limit-poses", value_name = "N")]
    poses: Option<u64>,
    /// Largest number of samples to take from the source masks of a compact atlas, about 10^9 per
    /// second. Default: 8589934592.
    #[arg(long = "limit-samples", value_name = "N")]
    samples: Option<u64>,
}

impl Limit {
    /// Returns the options that open an atlas with this limit.
    pub(crate) fn options(&self) -> AtlasOptions {
        let default_bytes = AtlasOptions::DEFAULT.max_bytes as f64;
        let bytes = self.megabytes.map_or(default_bytes, |megabytes| 1e6 * megabytes);
        let scaled = |limit: u64| (limit as f64 * (bytes / default_bytes).max(1.0)) as u64;
        AtlasOptions {
            max_bytes: bytes as u64,
            max_poses: self.poses.unwrap_or(scaled(AtlasOptions::DEFAULT.max_poses)),
            max_samples: self.samples.unwrap_or(scaled(AtlasOptions::DEFAULT.max_samples)),
        }
    }
}

/// Opens the atlas in a file with all its poses. The message of an error names the file.
pub(crate) fn open_drawn(path: &Path, limit: &Limit) -> Result<Atlas, CliError> {
    let drawn = limit.options().open(path).and_then(|atlas| atlas.drawn());
    drawn.map_err(|error| unopened(path, error))
}

/// Opens the atlas in a file. The poses of a compact one are not drawn.
pub(crate) fn open(path: &Path, limit: &Limit) -> Result<Atlas, CliError> {
    limit.options().open(path).map_err(|error| unopened(path, error))
}

/// Size above which no atlas can be drawn: its format ends at 32 GiB of masks.
const MAX_DRAWN_BYTES: u64 = 32 << 30;

/// Returns the size of an atlas with all poses. A forged compact atlas can state any size: `None` if
/// it is above the largest.
pub(crate) fn drawn_bytes(atlas: &Atlas) -> Option<u64> {
    let bytes = atlas.drawn_bytes();
    (atlas.is_drawn() || bytes <= MAX_DRAWN_BYTES).then_some(bytes)
}

/// Formats a size from [`drawn_bytes`].
pub(crate) fn drawn_size(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "too large to draw".to_owned(), size)
}

/// Returns the error for an atlas that cannot be opened.
pub(crate) fn unopened(path: &Path, error: FileError) -> CliError {
    match error {
        // The message of an I/O error already names the file.
        FileError::Io { .. } => error.into(),
        error => CliError::from(error).of(&path.display().to_string()),
    }
}

/// Refuses a path that cannot be written, or that is one of the input files in `read`. Called
/// before the work, so that no input is lost.
pub(crate) fn check_target(path: &Path, read: &[&Path]) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Err(cause) = fs::metadata(folder.unwrap_or(Path::new("."))) {
        return Err(cannot(path, &cause, Some(cause.kind())));
    }
    // Tests the metadata: opening a pipe would block until it has a reader.
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(cannot(path, &"it is a folder", None)),
        Ok(meta) if !meta.is_file() => {
            let cause = "is not a file, but a device, a pipe or a socket";
            let help = "choose the path of a regular file";
            return Err(CliError::new(format!("{} {cause}", path.display()), help));
        }
        _ => {}
    }
    let Ok(target) = fs::canonicalize(path) else { return Ok(()) };
    if read.iter().any(|read| fs::canonicalize(read).is_ok_and(|read| read == target)) {
        let cause = "is one of the files that are read, and would be lost";
        let help = "choose another path to write to";
        return Err(CliError::new(format!("{} {cause}", path.display()), help));
    }
    Ok(())
}

/// Refuses to replace a non-empty file of another kind, such as notes named by a typing error.
/// `kind` includes an article: "a PNG".
///
/// `is_kind` tests the first 512 bytes of the file. An empty or missing file passes.
pub(crate) fn check_kind(
    path: &Path,
    kind: &str,
    is_kind: impl FnOnce(&[u8]) -> bool,
) -> Result<(), CliError> {
    let mut head = Vec::new();
    let cause = match fs::File::open(path).and_then(|file| file.take(512).read_to_end(&mut head)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(0) => return Ok(()),
        Ok(_) if is_kind(&head) => return Ok(()),
        Ok(_) => format!("{} exists and is not {kind} file", path.display()),
        Err(e) => {
            format!("cannot write {}: the existing file is unreadable: {e}", path.display())
        }
    };
    Err(CliError::new(cause, "remove the file, or choose another path"))
}

/// Refuses to replace a picture that `hitmask` did not write, such as the art.
pub(crate) fn check_picture(path: &Path) -> Result<(), CliError> {
    check_kind(path, "a hitmask PNG", |head| {
        let mark = headless::PNG_MARK;
        head.windows(mark.len()).any(|part| part == mark)
    })
}

/// Longest side of a picture in pixels. Common viewers open pictures of this size.
const MAX_SIDE: i64 = 16_384;
/// Largest number of pixels of a picture.
const MAX_PIXELS: i64 = 1 << 27;

/// Refuses a picture above the limits.
pub(crate) fn check_size(what: &str, [w, h]: [i64; 2], help: &str) -> Result<(), CliError> {
    if w.max(h) <= MAX_SIDE && w * h <= MAX_PIXELS {
        return Ok(());
    }
    let cause = format!("the {what} would be {w} x {h} pixels; the limit is {MAX_SIDE} per side");
    Err(CliError::new(cause, help))
}

/// Writes a whole file atomically: readers see the old content or the new.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    replace_file(path, bytes).map_err(|error| match &error.fault {
        BakeFault::Write(cause) => cannot(path, cause, Some(cause.kind)),
        _ => error.into(),
    })
}

/// Returns the error for a file that cannot be written.
pub(crate) fn cannot(
    path: &Path,
    cause: &dyn std::fmt::Display,
    kind: Option<io::ErrorKind>,
) -> CliError {
    let help = match kind {
        Some(io::ErrorKind::PermissionDenied) => {
            "allow this user to write the file and its folder, or choose another path"
        }
        _ => "check that the folder exists and is writable, and that the disk has room",
    };
    CliError::new(format!("cannot write {}: {cause}", path.display()), help)
}

/// Returns a progress bar on standard error; hidden where standard error is not a terminal.
pub(crate) fn progress(steps: u64, of_what: &str) -> ProgressBar {
    let template =
        format!("{{wide_bar}} {{pos}}/{{len}} {of_what}, {{elapsed}} passed, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(steps).with_style(style);
    // Drawn again between two steps, so that the estimate does not freeze.
    bar.enable_steady_tick(std::time::Duration::from_millis(250));
    bar
}

/// Moves a progress bar over one step of a bench. Writes the step as a line where the bar is hidden, such as in
/// the log of a CI, because a step takes seconds.
pub(crate) fn measured(bar: &ProgressBar, step: &str) {
    bar.inc(1);
    if bar.is_hidden() {
        eprintln!("measured {}/{}: {step}", bar.position(), bar.length().unwrap_or(0));
    }
}

/// Attaches a progress bar to a bake.
pub(crate) fn baking(bake: Bake) -> (ProgressBar, Bake) {
    let bar = progress(0, "sprites");
    let shown = bar.clone();
    let bake = bake.progress(move |done, all| {
        shown.set_length(all as u64);
        shown.set_position(done as u64);
    });
    (bar, bake)
}

/// Returns a spinner on standard error for work of unknown length; hidden where standard error is
/// not a terminal.
pub(crate) fn busy(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    let bar = ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_message(what.to_owned());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// Returns the default path of the cache of an atlas.
pub(crate) fn cache_beside(atlas: &Path) -> PathBuf {
    let mut path = atlas.as_os_str().to_owned();
    path.push(".cache");
    path.into()
}

/// Formats a number with what it counts, in the singular for 1.
pub(crate) fn count(number: usize, of_what: &str) -> String {
    format!("{number} {of_what}{}", if number == 1 { "" } else { "s" })
}

/// Formats a number of bytes with a unit: bytes, kB or MB (powers of 1000).
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Escapes text for HTML and SVG elements and attribute values.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            _ => safe.push(letter),
        }
    }
    safe
}
