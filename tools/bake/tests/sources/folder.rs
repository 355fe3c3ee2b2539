//! Helpers for tests of sources: folders, images as text, and baked frames as text.

pub(crate) use crate::encode::png::of_rows as png;
use hitmask::{Atlas, Flip, Pose, Sprite};
use hitmask_bake::{Bake, BakeError, BakeFault};
pub(crate) use hitmask_scenes::Folder;
use std::fs;
use std::path::Path;

/// Only a file that begins like an atlas may be replaced by one.
const OLD: &[u8] = b"HITMASK\x1a and so on";

/// Runs a failing bake over an existing atlas and returns the error. Asserts that the atlas is
/// unchanged.
pub(crate) fn fails(folder: &Folder, bake: Result<Bake, BakeError>) -> BakeError {
    let output = folder.write("old.hitmask", OLD);
    let error = match bake {
        Ok(bake) => bake.write(&output).unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(fs::read(&output).unwrap(), OLD);
    let mut files = fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(
        !files.any(|name| name.to_string_lossy().ends_with(".tmp")),
        "a temporary file was left"
    );
    error
}

/// Returns the name of the fault of an error.
pub(crate) fn kind(error: &BakeError) -> String {
    let fault = format!("{:?}", error.fault);
    fault.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()
}

/// Asserts that a bake fails with a fault of this name, or above the limit of this quantity, and with a message that
/// contains `said`. Returns the error.
#[track_caller]
pub(crate) fn assert_refused(
    folder: &Folder,
    bake: Result<Bake, BakeError>,
    fault: &str,
    said: &str,
) -> BakeError {
    let error = fails(folder, bake);
    let is_it = kind(&error) == fault || quantity(&error) == fault;
    assert!(is_it && error.to_string().contains(said), "{fault}, {said}: {error:?}");
    error
}

/// A whole frame as text, and its pivot in half-texels.
pub(crate) type Shown = (String, [i32; 2]);

/// Returns the sprites of a bake, unrotated. Each has its name and its frames, untrimmed, as text
/// with the pivot in half-texels.
pub(crate) fn baked(bake: Bake) -> Vec<(String, Vec<Shown>)> {
    shown(&bake.angles(1).to_bytes().unwrap())
}

/// Returns the sprites of an atlas, unrotated, as [`baked`] does.
pub(crate) fn shown(atlas: &[u8]) -> Vec<(String, Vec<Shown>)> {
    let atlas = Atlas::from_bytes(atlas).unwrap();
    atlas.verify().unwrap();
    let shown = |sprite: Sprite<'_>, frame| {
        let posed = sprite.posed(frame, Pose::default(), Flip::NONE).unwrap();
        let ([width, height], pivot) =
            (sprite.frame_size(frame).unwrap(), sprite.pivot(frame).unwrap());
        let corner = pivot.map(|half_texels| half_texels.div_euclid(2));
        let solid = |x: i32, y: i32| {
            posed.mask.get(x - corner[0] - posed.origin.x, y - corner[1] - posed.origin.y)
        };
        let row = |y| -> String {
            (0..width as i32).map(|x| if solid(x, y) { '#' } else { '.' }).chain(['\n']).collect()
        };
        ((0..height as i32).map(row).collect(), pivot)
    };
    let sprite = |sprite: Sprite<'_>| {
        let frames = (0..sprite.frame_count()).map(|frame| shown(sprite, frame)).collect();
        (sprite.name().to_owned(), frames)
    };
    atlas.sprites().map(sprite).collect()
}

/// Returns the frames of the only sprite of a bake, as text.
pub(crate) fn pictures(bake: Bake) -> Vec<String> {
    let mut sprites = baked(bake);
    assert_eq!(sprites.len(), 1);
    sprites.remove(0).1.into_iter().map(|(picture, _)| picture).collect()
}

/// Joins rows to the form that [`pictures`] returns.
pub(crate) fn rows(rows: &[&str]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Returns the quantity that exceeds a limit, or an empty text for another error.
pub(crate) fn quantity(error: &BakeError) -> &'static str {
    match error.fault {
        BakeFault::OverLimit { quantity, .. } => quantity,
        _ => "",
    }
}

pub(crate) fn bake(path: impl AsRef<Path>) -> Result<Bake, BakeError> {
    Bake::new().sprites(path)
}

/// Returns the bake of a manifest.
pub(crate) fn manifest(folder: &Folder, text: impl AsRef<[u8]>) -> Result<Bake, BakeError> {
    Bake::new().manifest(folder.write("hitmask.toml", text))
}

/// Returns the bake of a manifest of one source, with these files and more keys.
pub(crate) fn source(folder: &Folder, files: &str, keys: &str) -> Result<Bake, BakeError> {
    manifest(folder, format!("[[source]]\nfiles = {files:?}\n{keys}\n"))
}

/// Compares a text with the one in a file of the tests, which `HITMASK_BLESS=1` writes anew.
pub(crate) fn assert_same_text(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    if std::env::var_os("HITMASK_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap();
    let differs = text.lines().zip(committed.lines()).find(|(new, old)| new != old);
    assert!(text == committed, "another text than {name} has, first in {differs:?}");
}
