//! Files of inputs, and the bakes of them.

use hitmask::Atlas;
use hitmask_bake::{Bake, BakeError, BakeLimits};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// Size limit of an input in bytes.
pub(crate) const MAX_BYTES: usize = 1 << 14;

/// Returns a bake whose limits no input can use to take long: files of a few bytes may state images of
/// millions of texels.
pub(crate) fn limited() -> Bake {
    Bake::new().limits(BakeLimits {
        max_texels: 1 << 13,
        max_frames: 64,
        max_decoding_bytes: 1 << 20,
        max_untrimmed_texels: 1 << 14,
        max_pose_pixels: 1 << 24,
    })
}

/// Returns a bake for levels, whose chunks of terrain have 2^18 texels each: 8 of them.
pub(crate) fn limited_level() -> Bake {
    Bake::new().limits(BakeLimits {
        max_texels: 1 << 21,
        max_frames: 64,
        max_decoding_bytes: 1 << 20,
        max_untrimmed_texels: 1 << 14,
        max_pose_pixels: 1 << 24,
    })
}

/// Bakes, and asserts that the atlas is sound. A refusal has a message.
pub(crate) fn bake(bake: Result<Bake, BakeError>) {
    match bake.and_then(|bake| bake.angles(4).to_bytes()) {
        Ok(bytes) => Atlas::from_vec(bytes).expect("it opens").verify().expect("it verifies"),
        Err(error) => assert!(!error.to_string().is_empty() && !format!("{error:?}").is_empty()),
    }
}

/// A tileset, a template and a level of a project that levels name.
const SET: &str = r#"<tileset name="set" tilewidth="3" tileheight="2" tilecount="9" columns="3">
<image source="page.png" width="9" height="6"/>
<tile id="2" type="water"><properties><property name="shaped" type="bool" value="true"/></properties>
<objectgroup><object x="1" y="0" width="2" height="1"/></objectgroup>
<animation><frame tileid="2" duration="9"/><frame tileid="5" duration="9"/></animation></tile></tileset>"#;
const TEMPLATE: &str = r#"<template><tileset firstgid="1" source="set.tsx"/>
<object name="coin" type="coin" gid="3" width="6" height="4"/></template>"#;
const OWN_LEVEL: &str = r#"{"identifier":"B","worldX":0,"worldY":0,"worldDepth":0,"pxWid":3,"pxHei":3,
"externalRelPath":null,"fieldInstances":[],"layerInstances":[]}"#;

/// Writes a file into a temporary folder of this thread, beside the files that others name.
pub(crate) fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.with(|folder| folder.0.join(name));
    fs::write(&path, bytes).expect("a temporary folder takes files");
    path
}

/// A folder of one thread, because tests run several targets at once. Removed when the thread ends.
struct Own(PathBuf);

impl Own {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let temporary = std::env::temp_dir();
        let root = if memory.is_dir() { memory } else { &temporary };
        let thread = std::thread::current().id();
        let folder = root.join(format!("hitmask-fuzz-{}-{thread:?}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        let page =
            image::RgbaImage::from_fn(9, 8, |x, y| image::Rgba([0, 0, 0, 16 * (x ^ y) as u8]));
        let mut png = Cursor::new(Vec::new());
        page.write_to(&mut png, image::ImageFormat::Png).expect("a small page");
        fs::write(folder.join("page.png"), png.into_inner()).expect("and files");
        let others = [("set.tsx", SET), ("thing.tx", TEMPLATE), ("level.ldtkl", OWN_LEVEL)];
        for (name, text) in others {
            fs::write(folder.join(name), text).expect("and files");
        }
        Self(folder)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

thread_local! {
    static FOLDER: Own = Own::new();
}
