//! Images and animations in PNG, APNG, GIF and WebP, and sheets cut by a grid.

use super::folder::{Folder, assert_refused, bake, baked, fails, pictures, quantity, rows};
use crate::encode::aseprite::hero;
use crate::encode::png::{self, Png, packed};
use crate::encode::{rgba, webp};
use hitmask::{Atlas, BuildFault, CallError, Flip, Pivot, Pose, Settings};
use hitmask_bake::{Bake, BakeError, BakeFault, Grid, GridOrder};
use hitmask_scenes::sample;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Frame, RgbaImage};
use std::path::PathBuf;

/// The three frames of an animation as shown: frame 2 draws a bar over frame 1, frame 3 shows a
/// dot.
const SHOWN: [[&str; 3]; 3] = [["#..", "#..", "#.."], ["###", "#..", "#.."], ["..#", "...", "..."]];

/// Returns an animation that needs compositing: frame 2 is drawn over part of frame 1, frame 3
/// replaces all.
fn apng() -> Vec<u8> {
    let data = |rows: &[&str]| packed(&rgba(rows), 4 * rows[0].len());
    Png::new([3, 3], png::RGBA)
        .animated(3)
        .whole_frame([0, 0], &data(&SHOWN[0]), true)
        .frame([[1, 0], [2, 1]], [0, 1], &[&data(&["##"])], false)
        .whole_frame([0, 0], &data(&SHOWN[2]), false)
        .end()
}

/// Returns an animation of whole frames. The disposal methods are patched in, because the encoder
/// of `image` cannot set them.
fn gif() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new(&mut bytes);
    encoder.set_repeat(Repeat::Infinite).unwrap();
    for shown in SHOWN {
        let image = RgbaImage::from_raw(3, 3, rgba(&shown)).unwrap();
        encoder.encode_frame(Frame::new(image)).unwrap();
    }
    drop(encoder);
    // The graphic control block of a frame has its disposal method: 1 keeps the frame, 2 clears it.
    let blocks: Vec<usize> =
        (0..bytes.len() - 3).filter(|&i| bytes[i..i + 3] == [0x21, 0xF9, 4]).collect();
    assert_eq!(blocks.len(), 3);
    for (block, method) in blocks.into_iter().zip([1, 2, 1]) {
        bytes[block + 3] = bytes[block + 3] & !0x1C | method << 2;
    }
    bytes
}

fn lossless(pixels: &[&str]) -> ([u32; 2], Vec<u8>) {
    let size = [pixels[0].len() as u32, pixels.len() as u32];
    (size, webp::lossless(size, rgba(pixels).as_chunks().0))
}

fn webp(pixels: &[&str]) -> Vec<u8> {
    webp::file(&[&lossless(pixels).1])
}

/// Returns an animation of 3 x 3 texels.
fn animated_webp() -> Vec<u8> {
    let image = |corner, pixels: &[&str], flags| {
        let (size, chunk) = lossless(pixels);
        webp::frame(corner, size, flags, &[&chunk])
    };
    webp::file(&[
        &webp::head(0x12, [3, 3]),
        // An opaque background colour, which must have no effect.
        &webp::chunk(b"ANIM", &[9, 9, 9, 255, 0, 0]),
        // Flag 2: no blending. Flag 1: cleared afterwards.
        &image([0, 0], &SHOWN[0], 2),
        &image([0, 0], &["###"], 1),
        &image([2, 0], &["#"], 0),
    ])
}

#[test]
fn a_still_image_of_any_format_is_one_frame() {
    let folder = Folder::new("stills");
    let pixels = ["#.#.", "..##"];
    folder.write("a.png", png::of_rows(&pixels));
    folder.write("b.webp", webp(&pixels));
    // The extension is wrong on purpose: the contents decide.
    folder.write("c.gif", png::of_rows(&pixels));
    for name in ["a.png", "b.webp", "c.gif"] {
        assert_eq!(pictures(bake(folder.path(name)).unwrap()), [rows(&pixels)], "{name}");
    }
    folder.write("notes.txt", "no image");
    let report = bake(folder.path("")).unwrap().write(folder.path("a.hitmask")).unwrap();
    assert_eq!((report.sprites, report.shared_frames), (3, 2));
}

#[test]
fn a_sheet_is_cut_by_its_grid() {
    let folder = Folder::new("grid");
    let sheet =
        folder.write("walk.png", png::of_rows(&["........", ".#.#..#.", "..#.##..", "........"]));
    let grid = Grid { margin: [1, 1], spacing: [1, 0], ..Grid::of([2, 2]) };
    let sheets = |grid| Bake::new().sheets(&sheet, grid);
    let expected = [["#.", ".#"], ["..", "##"]].map(|tile| rows(&tile));
    assert_eq!(pictures(sheets(grid).unwrap()), expected);
    assert_eq!(pictures(sheets(Grid { count: Some(1), ..grid }).unwrap()), expected[..1]);
    let down = Grid { order: GridOrder::Columns, count: Some(2), ..Grid::divided([2, 2]) };
    let expected = [["....", ".#.#"], ["..#.", "...."]].map(|tile| rows(&tile));
    assert_eq!(pictures(sheets(down).unwrap()), expected);
    // A single frame is followed by no spacing, whatever its size.
    let alone = Grid { spacing: [u32::MAX; 2], ..Grid::of([8, 4]) };
    assert_eq!(pictures(sheets(alone).unwrap()), pictures(bake(&sheet).unwrap()));
}

#[test]
fn a_grid_refuses_a_file_of_several_frames() {
    let folder = Folder::new("grid-frames");
    for (name, bytes) in
        [("a.png", apng()), ("a.gif", gif()), ("a.webp", animated_webp()), ("a.ase", hero(true))]
    {
        assert_refused(
            &folder,
            Bake::new().sheets(folder.write(name, bytes), Grid::of([1, 1])),
            "Unsupported",
            &format!("{name}: a grid cuts one image, but the file has "),
        );
    }
}

#[test]
fn a_truncated_or_changed_image_is_reported_by_name() {
    let folder = Folder::new("cut");
    let files = [
        ("a.png", png::of_rows(&["#.", ".#"])),
        ("b.png", apng()),
        ("c.gif", gif()),
        ("d.webp", webp(&["#.", ".#"])),
        ("e.webp", animated_webp()),
    ];
    for (name, bytes) in files {
        for len in 0..bytes.len() {
            let path = folder.write(name, &bytes[..len]);
            // A file that lacks only its last bytes may still decode. A GIF gives its complete
            // frames, with a warning.
            match bake(&path).unwrap().to_bytes() {
                Ok(_) => {
                    assert!(len + 20 > bytes.len() || name == "c.gif", "{name} cut to {len}");
                }
                Err(error) => {
                    let named = error.to_string().contains(name);
                    assert!(named && is_bad_file(&error), "{name} cut to {len}: {error}");
                }
            }
        }
        let flips = (0..bytes.len()).flat_map(|i| [(i, 0xFF), (i, 1), (i, 0x80)]);
        for (i, flip) in sample(flips, 4) {
            let mut bytes = bytes.clone();
            bytes[i] ^= flip;
            let path = folder.write(name, &bytes);
            if let Err(error) = bake(&path).unwrap().to_bytes() {
                assert!(is_bad_file(&error), "{name} with byte {i} changed: {error}");
            }
        }
    }
}

#[test]
fn an_image_with_a_huge_size_in_its_header_is_rejected() {
    let folder = Folder::new("huge");
    // A valid header, checksum included, and the first bytes of a compressed stream.
    let head = |size| Png::new(size, png::RGBA).still(&[0x78, 0x9C]).end();
    for side in [65_537, 100_000, (1 << 31) - 1] {
        let path = folder.write("huge.png", head([side, side]));
        let error = fails(&folder, bake(&path));
        let (quantity, needed, limit) = ("pixels a side", u64::from(side), 65_536);
        assert_eq!(error.fault, BakeFault::OverLimit { quantity, needed, limit });
        assert!(error.to_string().contains("huge.png"), "{error}");
    }
    for size in [[0, 5], [5, 0]] {
        assert_refused(&folder, bake(folder.write("none.png", head(size))), "Damaged", "none.png");
    }
    // A chunk whose end would exceed 32 bits, the addresses of some machines.
    for len in [u32::MAX, u32::MAX - 11, u32::MAX - 12, 1 << 31] {
        let mut bytes = head([4, 4]);
        // Behind the signature and the chunk IHDR.
        bytes[33..37].copy_from_slice(&len.to_be_bytes());
        assert_refused(&folder, bake(folder.write("long.png", bytes)), "Damaged", "cut off");
    }
    // The size of the whole animation counts, not that of one frame.
    let mut vast = gif();
    vast[6..10].fill(0xFF);
    assert_refused(&folder, bake(folder.write("vast.gif", vast)), "texels in all images", "");
}

#[cfg(unix)]
#[test]
fn cyclic_links_between_folders_end() {
    let folder = Folder::new("loop");
    folder.write("art/a.png", png::of_rows(&["#"]));
    folder.write("art/z/b.png", png::of_rows(&["##"]));
    folder.write("far/c.png", png::of_rows(&["###"]));
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(folder.path(to), folder.path(from)).unwrap();
    };
    // Cycles over one and two folders, two links to a folder elsewhere, and one to a folder that is
    // reachable without it.
    link("art", "art/again");
    link("art", "art/z/up");
    link("far", "art/far");
    link("far", "art/far too");
    link("art/z", "art/also z");
    let names =
        |bake: Bake| -> Vec<String> { baked(bake).into_iter().map(|(name, _)| name).collect() };
    let all = ["a", "far/c", "z/b"];
    assert_eq!(names(bake(folder.path("art")).unwrap()), all);
    assert_eq!(names(bake(folder.path("art/**/*.png")).unwrap()), all);
    let manifest = folder.write("art/hitmask.toml", "[[source]]\nfiles = \"**/*\"\n");
    assert_eq!(names(Bake::new().manifest(manifest).unwrap()), all);
    // A link that a pattern matches is followed, because `*` does not skip repeated folders.
    assert_eq!(names(bake(folder.path("art/*/b.png")).unwrap()), ["also z/b", "z/b"]);
}

fn is_bad_file(error: &BakeError) -> bool {
    matches!(error.fault, BakeFault::Damaged | BakeFault::NotAnImage)
        || ["pixels a side", "texels in all images"].contains(&quantity(error))
}

#[test]
fn a_frame_may_be_wider_than_a_mask_if_its_solid_part_is_not() {
    let folder = Folder::new("wide-frame");
    let png = |name: &str, width: u32, first: u32| {
        let alpha = |x: u32, y: u32| if x >= first && !(x + y).is_multiple_of(3) { 255 } else { 0 };
        let end = first + 30;
        let bytes = png::of_alpha([width, 4], |x, y| if x < end { alpha(x, y) } else { 0 });
        folder.write(name, bytes)
    };
    let about = |x| Settings { pivot: Pivot::HalfTexels(x, 3), ..Settings::default() };
    let bake = |path: PathBuf, x| Bake::new().sprites_with(path, about(x)).unwrap();
    let small = bake(png("a.png", 30, 0), 0).to_bytes().unwrap();
    let small = Atlas::from_vec(small).unwrap();
    let small = small.sprites().next().unwrap();
    // 40,002 is a multiple of 3, so that both have the same pattern.
    let wide = png("b.png", 65_536, 40_002);
    for compact in [false, true] {
        let bytes = bake(wide.clone(), 80_004).compact(compact).to_bytes();
        let error = bytes.unwrap_err();
        // The pivot may be up to 32,768 texels from the corner.
        let fault = crate::built(error).fault;
        assert!(matches!(fault, BuildFault::Settings(Some(CallError::Pivot { .. }))), "{fault:?}");
    }
    let wide = png("c.png", 65_536, 30_000);
    for compact in [false, true] {
        let bytes = bake(wide.clone(), 60_000).compact(compact).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        atlas.verify().unwrap();
        let wide = atlas.sprites().next().unwrap();
        assert_eq!(wide.frame_size(0), Some([65_536, 4]));
        for step in 0..64 {
            let posed = [small, wide].map(|s| s.draw(0, Pose { step, scale: 0 }, Flip::NONE));
            assert_eq!(posed[0], posed[1], "step {step}, compact {compact}");
        }
    }
}

#[test]
fn a_level_of_32_768_rows_is_baked_if_its_first_row_is_transparent() {
    let folder = Folder::new("level");
    let png = |name: &str, first: u32| {
        let is_set = |x: u32, y: u32| y >= first && (y == first || (x + y).is_multiple_of(3));
        let alpha = |x, y| if is_set(x, y) { 255 } else { 0 };
        folder.write(name, png::of_alpha([70, 32_768], alpha))
    };
    let still = Settings { angles: 1, pivot: Pivot::HalfTexels(0, 0), ..Settings::default() };
    let bake = |path: PathBuf| Bake::new().sprites_with(path, still.clone()).unwrap();
    let level = png("level.png", 1);
    for compact in [false, true] {
        let bytes = bake(level.clone()).compact(compact).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        atlas.verify().unwrap();
        let sprite = atlas.sprites().next().unwrap();
        assert_eq!(sprite.frame_size(0), Some([70, 32_768]));
        let posed = sprite.draw(0, Pose { step: 0, scale: 0 }, Flip::NONE).unwrap();
        assert_eq!((posed.mask.width(), posed.mask.height()), (70, 32_767));
        assert_eq!((posed.origin.x, posed.origin.y), (0, 1));
        let is_set = |y: i32| (0..70).filter(|&x| posed.mask.get(x, y - 1)).count();
        assert_eq!([1, 2, 16_384, 32_767].map(is_set), [70, 23, 23, 23]);
    }
    let error = bake(png("whole.png", 0)).to_bytes().unwrap_err();
    let error = crate::built(error);
    assert_eq!(error.fault, BuildFault::FrameTooLarge);
    assert!(error.to_string().contains("70 x 32768") && error.to_string().contains("32767"));
}
