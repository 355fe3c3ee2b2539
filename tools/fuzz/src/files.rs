//! Files of inputs, and the bakes of them.

use hitmask::{Atlas, Bake, BakeError};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Bakes, if `writes`, and asserts that the atlas is sound. A refusal has a message.
pub(crate) fn bake(bake: Result<Bake, BakeError>, writes: bool) {
    let baked = match bake {
        Ok(bake) if writes => bake.angles(4).to_bytes(),
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

/// Writes a file into a temporary folder of this process, beside the page of the sheets.
pub(crate) fn write(name: &str, bytes: &[u8]) -> PathBuf {
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
