//! Images that contradict their format: a reader that guesses would make up pixels. Also images
//! whose alpha has a fixed meaning in spite of a wrong flag or of unused bits.

use super::folder::{Folder, bake, fails, pictures, rows};
use crate::encode::Texel;
use crate::encode::png::{Png, packed};
use crate::encode::sheets::{entry, json};
use crate::encode::webp::{chunk, file, frame, head, lossless, lossy};
use hitmask_bake::BakeFault;

/// Returns a PNG, or an APNG of one frame. `rows` are packed samples, and `chunks` precede them.
fn png(
    [color, depth]: [u8; 2],
    width: u32,
    chunks: &[(&[u8; 4], &[u8])],
    rows: &[&[u8]],
    is_animated: bool,
) -> Vec<u8> {
    let mut png = Png::new([width, rows.len() as u32], [depth, color, 0]);
    if is_animated {
        png = png.animated(1);
    }
    png = chunks.iter().fold(png, |png, (name, data)| png.with(name, data));
    let data = packed(&rows.concat(), rows[0].len());
    if is_animated { png.whole_frame([0, 0], &data, true) } else { png.still(&data) }.end()
}

/// Asserts that the file is refused as damaged, with `cause`.
fn assert_damaged(folder: &Folder, name: &str, bytes: &[u8], cause: &str) {
    let error = fails(folder, bake(folder.write(name, bytes)));
    let is_damaged =
        error.fault == BakeFault::Damaged && error.place.path.as_ref().unwrap().ends_with(name);
    assert!(is_damaged && error.to_string().contains(cause), "{cause}: {error}");
}

#[test]
fn a_palette_index_beyond_the_palette_is_damage() {
    let folder = Folder::new("fault-index");
    let colors = [9; 3 * 9];
    // The last index of each row is the first one beyond the palette.
    for (depth, count, row) in [
        (1, 1, &[0b0010_0000][..]),
        (2, 3, &[0b0001_1100]),
        (4, 9, &[0x08, 0x90]),
        (8, 2, &[0, 1, 2]),
    ] {
        for is_animated in [false, true] {
            let palette = (b"PLTE", &colors[..3 * count]);
            let transparency = (b"tRNS", &[0][..]);
            let file =
                |rows: &[&[u8]]| png([3, depth], 3, &[palette, transparency], rows, is_animated);
            let index = count;
            let cause = format!("colour {index} of a palette of {count}");
            let first = &[0; 3][..row.len()];
            assert_damaged(&folder, "a.png", &file(&[first, row]), &cause);
            let path = folder.write("a.png", file(&[first]));
            assert_eq!(pictures(bake(path).unwrap()), [rows(&["..."])], "{depth} bits");
        }
    }
    // The bits after the last pixel of a row are no index.
    let palette = (b"PLTE", &colors[..3]);
    let path = folder.write("a.png", png([3, 2], 3, &[palette], &[&[0b0000_0011]], false));
    assert_eq!(pictures(bake(path).unwrap()), [rows(&["###"])]);
}

#[test]
fn a_transparency_chunk_that_does_not_fit_the_image_is_damage() {
    let folder = Folder::new("fault-transparency");
    let palette: (&[u8; 4], &[u8]) = (b"PLTE", &[9; 6]);
    for (color, len, cause) in [
        (0, 0, "has a wrong length"),
        (0, 1, "has a wrong length"),
        (0, 3, "has a wrong length"),
        (0, 6, "has a wrong length"),
        (2, 2, "has a wrong length"),
        (2, 5, "has a wrong length"),
        (2, 7, "has a wrong length"),
        (3, 0, "has a wrong length"),
        (3, 3, "has a wrong length"),
        (4, 2, "is not allowed"),
        (6, 6, "is not allowed"),
    ] {
        let samples = [1, 0, 3, 1, 2, 0, 4][usize::from(color)];
        for is_animated in [false, true] {
            let transparency: (&[u8; 4], &[u8]) = (b"tRNS", &[0; 7][..len]);
            let chunks = if color == 3 { vec![palette, transparency] } else { vec![transparency] };
            let file = png([color, 8], 1, &chunks, &[&[1; 4][..samples]], is_animated);
            let at = 33 + if is_animated { 20 } else { 0 } + if color == 3 { 18 } else { 0 };
            let cause = format!("chunk tRNS at byte {at} {cause}");
            assert_damaged(&folder, "a.png", &file, &cause);
        }
    }
    let early = png([3, 8], 1, &[(b"tRNS", &[0]), palette], &[&[0]], false);
    assert_damaged(&folder, "a.png", &early, "tRNS at byte 33 precedes the palette");
    for len in [0, 4, 8, 3 * 257] {
        let file = png([3, 8], 1, &[(b"PLTE", &vec![9; len])], &[&[0]], false);
        assert_damaged(&folder, "a.png", &file, "PLTE at byte 33 has a wrong length");
    }
}

#[test]
fn a_transparent_colour_is_compared_by_the_bits_of_the_image() {
    let folder = Folder::new("fault-bits");
    for (kind, row, transparency) in [
        ([0, 1], &[0b0100_0000][..], &[0xFF, 0xFF][..]),
        ([0, 2], &[0b0001_0000], &[0xFF, 0xFD]),
        ([0, 4], &[0x37, 0x30], &[0xAA, 0xA7]),
        ([0, 8], &[5, 6, 5], &[0x12, 6]),
        ([2, 8], &[1, 2, 4, 1, 2, 3, 0, 2, 3], &[7, 1, 7, 2, 7, 3]),
        ([0, 16], &[1, 2, 1, 3, 2, 3], &[1, 3]),
    ] {
        let file = png(kind, 3, &[(b"tRNS", transparency)], &[row], false);
        let found = pictures(bake(folder.write("a.png", file)).unwrap());
        assert_eq!(found, [rows(&["#.#"])], "{kind:?}");
    }
}

#[test]
fn the_alpha_of_a_still_webp_does_not_depend_on_its_flag() {
    let folder = Folder::new("fault-webp");
    let texels: [Texel; 3] = [[9, 9, 9, 255], [9, 9, 9, 0], [9, 9, 9, 255]];
    let (color, own) = (lossy([3, 1]), lossless([3, 1], &texels));
    let alpha = chunk(b"ALPH", &[0, 255, 0, 255]);
    let frame = frame([0, 0], [3, 1], 0, &[&color]);
    for flags in [0, 0x10] {
        for (chunks, shown) in [
            (&[&alpha[..], &color][..], "#.#"),
            (&[&own], "#.#"),
            (&[&color], "###"),
            // A lossless image has its own alpha.
            (&[&chunk(b"ALPH", &[0, 0, 0, 0]), &own], "#.#"),
        ] {
            let path =
                folder.write("a.webp", file(&[&[&head(flags, [3, 1])[..]], chunks].concat()));
            assert_eq!(pictures(bake(path).unwrap()), [rows(&[shown])], "flags {flags}: {shown}");
        }
        for (chunks, cause) in [
            (&[&color[..], &alpha][..], "chunk ALPH follows the image"),
            (&[&alpha, &alpha, &color], "there are two images"),
            (&[&own, &color], "there are two images"),
            (&[&alpha], "there is no image"),
            (&[&color, &frame], "chunk ANMF is in an image without animation"),
        ] {
            assert_damaged(
                &folder,
                "a.webp",
                &file(&[&[&head(flags, [3, 1])[..]], chunks].concat()),
                cause,
            );
        }
    }
}

#[test]
fn a_pointer_of_git_lfs_is_named_as_what_it_is_in_place_of_every_kind_of_file() {
    let folder = Folder::new("fault-pointer");
    let lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    let annex = "/annex/objects/SHA256E-s12345--4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393.png\n";
    let endings = "png gif webp bmp tga ase aseprite json atlas pack xml plist tsx tsj".split(' ');
    for (ending, pointer) in endings.flat_map(|ending| [(ending, lfs), (ending, annex)]) {
        let name = &format!("a.{ending}");
        let error = fails(&folder, bake(folder.write(name, pointer)));
        let said = " is a pointer of Git LFS or git-annex, and not the file that it stands for";
        assert!(error.to_string().ends_with(said), "{name}: {error}");
        assert!(error.help().contains("git lfs pull"), "{}", error.help());
        assert!(error.place.path.as_ref().unwrap().ends_with(name));
        assert_eq!(error.fault, BakeFault::NotAnImage);
    }
    // In a folder, an .ase file is not passed over as a file of another program.
    let alone = Folder::new("fault-pointer-ase");
    alone.write("art/a.ase", lfs);
    assert!(fails(&alone, bake(alone.path("art"))).to_string().contains("pointer of Git LFS"));
    // The page of a sheet, and a manifest.
    let page = folder.write("page.png", lfs);
    let frame = json(&[entry("f", [0, 0, 1, 1], "")], "page.png", "");
    let error = fails(&folder, bake(folder.write("sheet.json", frame)));
    assert!(error.to_string().starts_with(page.to_str().unwrap()), "{error}");
    let manifest = folder.write("hitmask.toml", lfs);
    let error = fails(&folder, hitmask_bake::Bake::new().manifest(manifest));
    assert!(error.to_string().contains("pointer of Git LFS"), "{error}");
}

#[test]
fn a_file_that_ends_in_the_head_of_a_chunk_is_damaged_with_the_byte() {
    let folder = Folder::new("fault-chunk-head");
    let whole = png([6, 8], 1, &[(b"gAMA", &[0, 0, 1, 1])], &[&[1, 2, 3, 255]], false);
    // The signature, IHDR, and a part of the next chunk. Fewer bytes may be those of the last one.
    let head = 8 + 25;
    for len in head + 4..head + 8 {
        let cause = format!(" is damaged: it is cut off at byte {len}");
        assert_damaged(&folder, "a.png", &whole[..len], &cause);
    }
    assert_damaged(&folder, "a.png", &whole[..head + 9], "chunk gAMA at byte 33 is cut off");
    let cut = file(&[&chunk(b"VP8X", &[0; 10]), b"VP8"]);
    // Without the padding of the file.
    let riff = &cut[..cut.len() - 1];
    assert_damaged(&folder, "a.webp", riff, "cut off in the head of a chunk");
    let short = b"RIFF\x7f\0\0\0WEBP";
    assert_damaged(&folder, "a.webp", short, "the file is shorter than its header says");
}
