//! Small files that state huge images: refused before the memory is taken.

use super::folder::{Folder, assert_refused, bake, fails, png, quantity};
use crate::encode::sheets::{entry, json};
use hitmask_bake::{Bake, BakeError, BakeFault, BakeLimits, Grid};
use std::path::Path;

/// Writes bits from the lowest on, as lossless WebP stores them.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn put(&mut self, value: u32, bits: u32) {
        for bit in 0..bits {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (self.len % 8);
            self.len += 1;
        }
    }
}

/// Returns a lossless WebP of one colour: 34 bytes for any size.
fn webp(side: u32) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(side - 1, 14);
    bits.put(side - 1, 14);
    // Alpha, version 0, no transform, no colour cache, no groups of codes.
    bits.put(1, 1);
    bits.put(0, 6);
    for symbol in [0, 0, 0, 255, 0] {
        // A code of one symbol of 8 bits.
        bits.put(0b1_01, 3);
        bits.put(symbol, 8);
    }
    let data = [&[0x2f], &bits.bytes[..]].concat();
    let mut body = [b"WEBPVP8L", &(data.len() as u32).to_le_bytes()[..], &data].concat();
    body.resize(body.len().next_multiple_of(2), 0);
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

#[test]
fn an_image_whose_decoder_would_take_more_than_a_gibibyte_is_refused() {
    let folder = Folder::new("memory");
    let path = folder.write("a.webp", webp(64));
    assert!(bake(&path).unwrap().to_bytes().is_ok());
    folder.write("a.webp", webp(16_384));
    let error = assert_refused(&folder, bake(&path), "bytes to decode", "");
    assert!(error.to_string().contains("1073741824"), "{error}");
    assert!(error.help().contains("PNG"), "{}", error.help());
}

/// Bakes with limits. Asserts that exactly the quantity in the error is enough.
#[track_caller]
fn exact(
    folder: &Folder,
    expected: &str,
    lowered: impl Fn(u64) -> BakeLimits,
    sources: impl Fn(Bake) -> Result<Bake, BakeError>,
) -> u64 {
    let with = |limit| sources(Bake::new().limits(lowered(limit)).thresholds([9, 200]));
    let error = fails(folder, with(0));
    let BakeFault::OverLimit { quantity: of, needed, limit: 0 } = error.fault else {
        panic!("{error}");
    };
    assert_eq!(of, expected, "{error}");
    let (said, help) = (error.to_string(), error.help());
    let file = error.place.path.as_ref().unwrap().display().to_string();
    assert_eq!(said, format!("{file} takes {needed} {expected}, but the limit is 0"));
    assert!(help.contains("BakeLimits::max_") && help.contains("--limit-"), "{help}");
    // The help states the least value that is enough.
    let number = |after: &str| -> u64 {
        let digits = help.split(after).nth(1).unwrap();
        digits.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    let raised = number(" = ");
    with(raised).unwrap().to_bytes().unwrap();
    let error = fails(folder, with(raised - 1));
    assert_eq!(quantity(&error), expected, "{error}");
    needed
}

#[test]
fn each_limit_is_exact_and_its_error_says_how_to_raise_it() {
    let folder = Folder::new("limits");
    let image = folder.write("a.png", png(&["#..#.##.", "########"]));
    let sprites = |path: &Path| {
        let path = path.to_owned();
        move |bake: Bake| bake.sprites(&path)
    };
    let no = BakeLimits::UNLIMITED;
    let max_texels = |max_texels| BakeLimits { max_texels, ..no };
    let max_frames = |max_frames| BakeLimits { max_frames, ..no };
    let texels = exact(&folder, "texels in all images", max_texels, sprites(&image));
    assert_eq!(texels, 16);
    let memory = |max_decoding_bytes| BakeLimits { max_decoding_bytes, ..no };
    let bytes = exact(&folder, "bytes to decode", memory, sprites(&image));
    assert_eq!(bytes, 2 * 16 + 2 * 4, "2 bytes a texel, and 4 masks");
    let grid = Grid { spacing: [1, 0], ..Grid::of([1, 2]) };
    let tiles = |bake: Bake| bake.sheets(&image, grid);
    assert_eq!(exact(&folder, "frames", max_frames, tiles), 4);
    let sheet = folder.write(
        "s.xml",
        r#"<TextureAtlas imagePath="a.png"><SubTexture name="x" x="0" y="0" width="2" height="2"
        frameX="0" frameY="0" frameWidth="9" frameHeight="5"/><SubTexture name="y" x="1" y="0"
        width="1" height="1"/></TextureAtlas>"#,
    );
    assert_eq!(exact(&folder, "frames", max_frames, sprites(&sheet)), 2);
    let untrimmed = |max_untrimmed_texels| BakeLimits { max_untrimmed_texels, ..no };
    let texels = exact(&folder, "texels before trimming", untrimmed, sprites(&sheet));
    assert_eq!(texels, 9 * 5 + 1);
    let tiles = folder.write(
        "t.tsx",
        r#"<tileset tilewidth="4" tileheight="3" tilecount="5"><tile id="2"/></tileset>"#,
    );
    assert_eq!(exact(&folder, "frames", max_frames, sprites(&tiles)), 5);
    assert_eq!(exact(&folder, "texels in all images", max_texels, sprites(&tiles)), 6 * 12);
    let manifest = folder.write("hitmask.toml", "[[source]]\nfiles = \"s.xml\"\n");
    let of_manifest = |bake: Bake| bake.manifest(&manifest);
    assert_eq!(exact(&folder, "frames", max_frames, of_manifest), 2);
}

#[test]
fn planes_by_threshold_have_8_times_the_texels_of_the_images() {
    let folder = Folder::new("limits-thresholds");
    let image = folder.write("a.png", png(&["####", "####"]));
    let bake = |thresholds: u8, max_texels| {
        let limits = BakeLimits { max_texels, ..BakeLimits::default() };
        let bake = Bake::new().limits(limits).thresholds((1..=thresholds).collect::<Vec<_>>());
        bake.sprites(&image)
    };
    bake(8, 8).unwrap().to_bytes().unwrap();
    let error = fails(&folder, bake(9, 8));
    let (quantity, needed, limit) = ("texels in all planes by threshold", 72, 64);
    assert_eq!(error.fault, BakeFault::OverLimit { quantity, needed, limit });
    assert!(error.help().contains("max_texels = 9"), "{}", error.help());
    bake(9, 9).unwrap().to_bytes().unwrap();
}

#[test]
fn limits_apply_to_the_sources_that_are_added_after_them() {
    let folder = Folder::new("limits-raised");
    folder.write("a.png", png(&["##", "##"]));
    let sheet = folder.write(
        "s.xml",
        r#"<TextureAtlas imagePath="a.png"><SubTexture name="x" x="0" y="0" width="2" height="2"
        frameX="0" frameY="0" frameWidth="4096" frameHeight="4096"/></TextureAtlas>"#,
    );
    let low = BakeLimits { max_untrimmed_texels: 1 << 20, ..BakeLimits::default() };
    let error = fails(&folder, Bake::new().limits(low).sprites(&sheet));
    assert!(matches!(error.fault, BakeFault::OverLimit { limit: 1_048_576, .. }), "{error}");
    let bytes = Bake::new().limits(BakeLimits::UNLIMITED).sprites(&sheet).unwrap().to_bytes();
    assert!(bytes.is_ok());
}

#[test]
fn huge_untrimmed_frames_are_refused_before_any_is_drawn() {
    let folder = Folder::new("export-huge");
    folder.write("s.png", png(&["##", "##"]));
    let huge = r#", "spriteSourceSize": {"x":0,"y":0,"w":2,"h":2},
        "sourceSize": {"w":16384,"h":16384}"#;
    let frame = |name: &str| entry(name, [0, 0, 2, 2], huge);
    let frames: Vec<String> = (0..2000).map(|i| frame(&format!("f{i}"))).collect();
    let error = fails(&folder, bake(folder.write("s.json", json(&frames, "s.png", ""))));
    let limit_is_shown = error.to_string().contains("the limit is 4294967296");
    assert!(quantity(&error) == "texels before trimming" && limit_is_shown, "{error}");
    // One frame that an animation shows 2,000 times.
    let animation = vec!["\"f\""; 2000].join(",");
    let more = format!(r#"}}, "animations": {{"a": [{animation}]"#);
    let path = folder.write("s.json", json(&[frame("f")], "s.png", &more));
    assert_eq!(quantity(&fails(&folder, bake(path))), "texels before trimming");
}
