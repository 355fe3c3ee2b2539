//! Bytes as the files that a bake reads: a picture in letters, a manifest, descriptions of sheets,
//! tilesets, Aseprite's own files. They are read or refused by a typed error; what is read bakes or
//! is refused, and what bakes opens and verifies.

use hitmask::{Atlas, Bake, BakeError, Mask};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What the bytes behind the first are.
pub const KINDS: [&str; 6] = ["mask", "toml", "json", "atlas", "tsx", "aseprite"];

/// Bytes of a file.
const MOST: usize = 1 << 14;

pub fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    if bytes.len() > MOST {
        return;
    }
    match KINDS[usize::from(kind) % KINDS.len()] {
        "mask" => picture(bytes),
        "toml" => manifest(bytes),
        "aseprite" if aseprite_texels(bytes) > 1 << 20 => {}
        ending => {
            let path = write(&format!("sheet.{ending}"), bytes);
            let is_small = ending == "aseprite" || has_small_numbers(bytes);
            // Tilesets are drawn as they are read.
            if is_small || ending != "tsx" {
                bake(Bake::new().sprites(path), is_small);
            }
        }
    }
}

fn picture(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Mask>() {
        Ok(mask) => assert_eq!(mask.to_string().parse::<Mask>(), Ok(mask)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn manifest(bytes: &[u8]) {
    // A root may lead anywhere, and the whole of a disk takes its time.
    let text = String::from_utf8_lossy(bytes);
    if text.contains("root") && text.contains(['/', '\\', '.']) {
        return;
    }
    // What a manifest asks for may rightly take hours.
    bake(Bake::new().manifest(write("hitmask.toml", bytes)), false);
}

fn bake(bake: Result<Bake, BakeError>, write: bool) {
    let baked = match bake {
        Ok(bake) if write => bake.angles(4).to_bytes(),
        Ok(bake) => {
            let _ = (bake.watched(), bake.output());
            return;
        }
        Err(error) => Err(error),
    };
    match baked {
        Ok(bytes) => Atlas::from_vec(bytes).expect("it opens").verify().expect("it verifies"),
        Err(error) => assert!(!error.to_string().is_empty() && !format!("{error:?}").is_empty()),
    }
}

/// True without a number of more than three digits: what is larger may rightly take long.
fn has_small_numbers(bytes: &[u8]) -> bool {
    let long = bytes.windows(4).any(|four| four.iter().all(u8::is_ascii_digit));
    let power = |two: &[u8]| matches!(two, [b'0'..=b'9' | b'.', b'e' | b'E']);
    !long && !bytes.windows(2).any(power)
}

/// Texels of all frames of an Aseprite file, by its header.
fn aseprite_texels(bytes: &[u8]) -> u64 {
    let number = |at: usize| match bytes.get(at..at + 2) {
        Some(&[low, high]) => u64::from(u16::from_le_bytes([low, high])),
        _ => 0,
    };
    number(6) * number(8) * number(10)
}

/// Writes a file into the folder of this process, where the page of a sheet lies too.
fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a temporary folder takes files");
    path
}

fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let temporary = std::env::temp_dir();
        let root = if memory.is_dir() { memory } else { &temporary };
        let folder = root.join(format!("hitmask-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        let page =
            image::RgbaImage::from_fn(9, 6, |x, y| image::Rgba([0, 0, 0, 16 * (x ^ y) as u8]));
        let mut png = Cursor::new(Vec::new());
        page.write_to(&mut png, image::ImageFormat::Png).expect("a small page");
        fs::write(folder.join("page.png"), png.into_inner()).expect("and files");
        folder
    })
}
