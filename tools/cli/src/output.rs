//! What the verbs have in common at the edges: standard output, atlases, pictures.

use crate::Failure;
use hitmask::{Atlas, AtlasError, BakeError, OutputRefused, replace_file};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// Writes to standard output. A reader that has seen enough, such as `head`, is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write the answer: {e}"), "check where it is sent"))
        }
        _ => Ok(()),
    }
}

/// Writes a value as one line of JSON to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value).map_err(|e| {
        Failure::new(format!("cannot write the answer as JSON: {e}"), "leave --json out")
    })?;
    print(&(json + "\n"))
}

/// Opens the atlas in a file; failures name it.
pub(crate) fn open(path: &Path) -> Result<Atlas, Failure> {
    Atlas::open(path).map_err(|error| match error {
        // The message names the file already.
        AtlasError::Io { .. } => error.into(),
        error => Failure::from(error).of(&path.display().to_string()),
    })
}

/// Refuses a path that cannot be written to, or that is one of the files that are `read`: before
/// the work is done, and while they are still there.
pub(crate) fn check_target(path: &Path, read: &[&Path]) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Err(cause) = fs::metadata(folder.unwrap_or(Path::new("."))) {
        return Err(cannot(path, &cause));
    }
    // Asked of the path itself, and not opened: opening a pipe would wait for a reader.
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(cannot(path, &"it is a folder")),
        Ok(meta) if !meta.is_file() => {
            return Err(refused(path, OutputRefused::Special));
        }
        _ => {}
    }
    let Ok(target) = fs::canonicalize(path) else { return Ok(()) };
    if read.iter().any(|read| fs::canonicalize(read).is_ok_and(|read| read == target)) {
        return Err(refused(path, OutputRefused::Needed));
    }
    Ok(())
}

/// Refuses to replace a file of another kind, such as a user's notes by a typing error.
///
/// `is_kind` tests the first 512 bytes of the file. An empty file may be replaced by any kind.
pub(crate) fn check_kind(
    path: &Path,
    kind: &str,
    is_kind: impl FnOnce(&[u8]) -> bool,
) -> Result<(), Failure> {
    let mut head = Vec::new();
    let cause = match fs::File::open(path).and_then(|file| file.take(512).read_to_end(&mut head)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(0) => return Ok(()),
        Ok(_) if is_kind(&head) => return Ok(()),
        Ok(_) => format!("{} is there already, and is no {kind}", path.display()),
        Err(e) => format!("cannot write {}: what is there cannot be read: {e}", path.display()),
    };
    Err(Failure::new(cause, "remove it, or choose another path"))
}

/// Writes a picture of red, green and blue bytes to a PNG file.
pub(crate) fn write_png(path: &Path, width: u32, height: u32, rgb: &[u8]) -> Result<(), Failure> {
    let (colour, format) = (image::ExtendedColorType::Rgb8, image::ImageFormat::Png);
    let mut bytes = io::Cursor::new(Vec::new());
    image::write_buffer_with_format(&mut bytes, rgb, width, height, colour, format)
        .map_err(|e| cannot(path, &e))?;
    write(path, bytes.get_ref())
}

/// Writes a file of text or other bytes, all or nothing.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace_file(path, bytes).map_err(|error| match error {
        BakeError::Write { cause, .. } => cannot(path, &cause),
        error => error.into(),
    })
}

/// As the library says that it does not write to a path.
fn refused(path: &Path, fault: OutputRefused) -> Failure {
    BakeError::Output { path: path.to_owned(), fault }.into()
}

/// That a file cannot be written.
pub(crate) fn cannot(path: &Path, cause: &dyn std::fmt::Display) -> Failure {
    let help = "check that the folder exists, may be written to and has room";
    Failure::new(format!("cannot write {}: {cause}", path.display()), help)
}

/// A bar on standard error, of so many steps; nothing where that is no terminal.
pub(crate) fn progress(steps: u64, of_what: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {of_what}, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows on standard error that work goes on, of which nobody knows how much is done; nothing where
/// that is no terminal.
pub(crate) fn busy(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    let bar = ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_message(what.to_owned());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// A number of bytes, for people.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
