//! Rules of the Aseprite format that decide over pixels and pivots, and limits of the reader.

use super::super::folder::{Folder, assert_refused, bake, baked, fails, pictures, rows};
use crate::encode::aseprite::*;
use crate::encode::zlib;
use hitmask::{AlphaRule, Channel, Warning};
use hitmask_bake::{Bake, BakeFault, BakeLimits, LayerPlane, SourceSettings};

/// Bakes a file and returns its frames.
fn frames(folder: &Folder, bytes: &[u8]) -> Vec<String> {
    pictures(bake(folder.write("a.aseprite", bytes)).unwrap())
}

/// Asserts that a file is refused with a text that has each of these parts.
fn refused(folder: &Folder, bytes: &[u8], parts: &[&str]) {
    let error = fails(folder, bake(folder.write("bad.ase", bytes)));
    for part in parts.iter().chain(&["bad.ase"]) {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
}

#[test]
fn the_transparent_index_does_not_apply_to_the_background() {
    let folder = Folder::new("ase-background");
    let white = palette(&[[255; 4]; 4]);
    for (flags, expected) in [(1, "##..\n"), (9, "####\n")] {
        let layer = Layer { flags, ..LAYER }.chunk();
        let bytes = INDEXED.file(&[vec![white.clone(), layer, indices(&[0, 2, 3, 3])]]);
        assert_eq!(frames(&folder, &bytes), [expected]);
    }
}

#[test]
fn palettes_of_all_kinds_are_read_from_the_frame_that_has_them() {
    let folder = Folder::new("ase-palettes");
    let old = |kind, white: u8| {
        chunk(kind, &[1, 0, 0, 3, white, white, white, 0, 0, white, white, white, white])
    };
    for (kind, white) in [(0x0004, 255), (0x0011, 63)] {
        let chunks = vec![old(kind, white), LAYER.chunk(), indices(&[0, 1, 2, 3])];
        let path = folder.write("old.ase", INDEXED.file(&[chunks]));
        assert_eq!(pictures(bake(&path).unwrap()), ["###.\n"]);
        let coloured = bake(&path).unwrap().exclude_color([255; 3]);
        assert_eq!(pictures(coloured), [".#..\n"], "0x{kind:04X}");
    }
    // Index 1 is clear in the first palette, index 0 in the second. The old chunk after them is
    // ignored. Index 2 is beyond the first palette, and not set in the second.
    let (clear, full) = ([0; 4], [9, 9, 9, 255]);
    let second = [&[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0; 8], &[0, 0], &clear].concat();
    let bytes = INDEXED.file(&[
        vec![palette(&[full, clear]), LAYER.chunk(), indices(&[0, 1, 2, 3])],
        vec![indices(&[0, 1, 2, 3]), chunk(0x2019, &second)],
        vec![indices(&[0, 1, 2, 3]), old(0x0004, 255)],
        vec![indices(&[0, 0, 2, 1]), palette(&[full; 3])],
    ]);
    assert_eq!(frames(&folder, &bytes), ["#...\n", "..#.\n", "..#.\n", "####\n"]);
    let bytes = INDEXED.file(&[vec![LAYER.chunk(), indices(&[0])]]);
    refused(&folder, &bytes, &["frame 0", "palette"]);
}

const CORNER: &[&str] = &["##.", "#..", "..."];
const HOOK: &[&str] = &["#..", "#..", "##."];
const MAP: Layer<'_> = Layer { kind: 2, ..LAYER };

#[test]
fn tiles_are_drawn_with_every_flip_and_cut_at_the_canvas() {
    let folder = Folder::new("ase-tiles");
    let empty = &["###"; 3][..];
    let mapped = |flags, map: Vec<u8>| {
        let set = tileset(flags, [3, 3], &[empty, CORNER, HOOK]);
        Head { size: [6, 3], ..HEAD }.file(&[vec![set, MAP.chunk(), map]])
    };
    for flips in 0..8 {
        let chosen: Vec<u32> = (0..3).filter(|i| flips >> i & 1 == 1).map(|i| FLIPS[i]).collect();
        let bits: u32 = chosen.iter().sum();
        // Pixel by pixel: x and y are mirrored, and then exchanged.
        let source = |x: usize, y: usize| {
            let u = if bits & FLIPS[0] != 0 { 2 - x } else { x };
            let v = if bits & FLIPS[1] != 0 { 2 - y } else { y };
            let (u, v) = if bits & FLIPS[2] != 0 { (v, u) } else { (u, v) };
            &HOOK[v][u..=u]
        };
        let row = |y| format!("...{}\n", (0..3).map(|x| source(x, y)).collect::<String>());
        let expected: String = (0..3).map(row).collect();
        // Tile 0 is empty, although the tileset has pixels there.
        let bytes = mapped(6, tilemap([0, 0], 2, 32, &[0, 2 | bits]));
        assert_eq!(frames(&folder, &bytes), [expected], "flips {flips:03b}");
    }
    let bytes = mapped(6, tilemap([-1, -2], 3, 32, &[1, 1, 1, 2, 2, 2]));
    assert_eq!(frames(&folder, &bytes), [rows(&["......", "..#..#", "..#..#"])]);
    // In files of early versions, the empty tile has all bits set.
    let bytes = mapped(2, tilemap([0, 0], 2, 32, &[u32::MAX, 0]));
    assert_eq!(frames(&folder, &bytes), [rows(&["...###"; 3])]);
}

#[test]
fn tilemaps_that_cannot_be_drawn_are_refused() {
    let folder = Folder::new("ase-tiles-bad");
    let tiles: &[&[&str]] = &[CORNER, CORNER];
    let with = |set: Vec<u8>, map: Vec<u8>| file(&[vec![set, MAP.chunk(), map]]);
    let one = || tilemap([0, 0], 1, 32, &[1]);
    refused(
        &folder,
        &with(tileset(5, [3, 3], tiles), one()),
        &["frame 0", "\"body\"", "tileset 7", "another file"],
    );
    // Nothing is missing while the layer is hidden.
    let hidden = Layer { flags: 0, ..MAP }.chunk();
    let bytes = file(&[vec![tileset(5, [3, 3], tiles), hidden, one()]]);
    assert_eq!(frames(&folder, &bytes), [rows(&["...."; 3])]);
    refused(&folder, &file(&[vec![MAP.chunk(), one()]]), &["tileset 7 is missing"]);
    let set = || tileset(6, [3, 3], tiles);
    refused(&folder, &with(set(), tilemap([0, 0], 1, 32, &[2])), &["tile 2 of 2"]);
    refused(&folder, &with(set(), tilemap([0, 0], 1, 16, &[1])), &["16 bits"]);
    let wide = tileset(6, [3, 1], &[&["###"], &["###"]]);
    refused(&folder, &with(wide, tilemap([0, 0], 1, 32, &[1 | FLIPS[2]])), &["diagonal"]);
    refused(&folder, &with(tileset(6, [0, 3], tiles), one()), &["0 x 3"]);
    refused(&folder, &with(set(), cel(0, [0, 0], 255, &["#"])), &["pixels"]);
    let mut many = tileset(6, [3, 3], tiles);
    many[14..18].copy_from_slice(&[0xFF; 4]);
    refused(&folder, &with(many, one()), &["bytes"]);
}

#[test]
fn opacity_counts_where_the_header_says_that_it_is_valid() {
    let folder = Folder::new("ase-opacity");
    let alpha = |flags, layers: &[Layer<'_>]| {
        let mut chunks: Vec<_> = layers.iter().map(|layer| layer.chunk()).collect();
        chunks.push(cel(layers.len() as u16 - 1, [0, 0], 255, &["#"]));
        let path = folder.write("a.ase", Head { flags, size: [1, 1], ..HEAD }.file(&[chunks]));
        let is_solid =
            |alpha| pictures(bake(&path).unwrap().alpha(AlphaRule::AtLeast(alpha))) == ["#\n"];
        (1..=255).rev().find(|&alpha| is_solid(alpha)).unwrap_or(0)
    };
    let half = Layer { opacity: 128, ..LAYER };
    assert_eq!(alpha(1, &[half]), 128);
    assert_eq!(alpha(0, &[half]), 255);
    // The opacity of a background never counts.
    assert_eq!(alpha(1, &[Layer { flags: 9, ..half }]), 255);
    let groups = [
        Layer { kind: 1, ..half },
        Layer { kind: 1, level: 1, ..half },
        Layer { level: 2, ..half },
    ];
    assert_eq!(alpha(1, &groups), 128);
    assert_eq!(alpha(3, &groups), 32);
    assert_eq!(alpha(2, &groups), 255);
    // Two layers in a group cover each other first: 128 over 128 is 192, and half of it is 96.
    let two = [
        Layer { kind: 1, ..half }.chunk(),
        Layer { level: 1, ..half }.chunk(),
        Layer { level: 1, ..half }.chunk(),
        cel(1, [0, 0], 255, &["#"]),
        cel(2, [0, 0], 255, &["#"]),
    ];
    let path = folder.write("two.ase", Head { flags: 3, ..HEAD }.file(&[two.to_vec()]));
    for (threshold, expected) in [(96, "#...\n"), (97, "....\n")] {
        let bake = bake(&path).unwrap().alpha(AlphaRule::AtLeast(threshold));
        assert!(pictures(bake)[0].starts_with(expected), "{threshold}");
    }
    let mut nested: Vec<_> =
        (0..70).map(|level| Layer { kind: 1, level, ..LAYER }.chunk()).collect();
    nested.extend([Layer { level: 70, ..LAYER }.chunk(), cel(70, [0, 0], 255, &["#"])]);
    refused(&folder, &Head { flags: 3, ..HEAD }.file(&[nested.clone()]), &["groups"]);
    assert_eq!(frames(&folder, &file(&[nested])), [rows(&["#...", "....", "...."])]);
}

#[test]
fn links_are_followed_to_an_image_and_cycles_end() {
    let folder = Folder::new("ase-links");
    let image = || vec![LAYER.chunk(), cel(0, [0, 0], 255, &["##"])];
    let expected = rows(&["....", "##..", "...."]).replace("##", "#.");
    let chain = file(&[image(), vec![linked(0, 0)], vec![linked(0, 1)], vec![linked(0, 2)]]);
    assert_eq!(frames(&folder, &chain)[1..], [&expected[..]; 3]);
    let forward = file(&[
        vec![LAYER.chunk(), linked(0, 1)],
        vec![linked(0, 2)],
        vec![cel(0, [0, 0], 255, &["##"])],
    ]);
    assert_eq!(frames(&folder, &forward)[..2], [&expected[..]; 2]);
    let cycle = |last| {
        file(&[vec![LAYER.chunk(), linked(0, 1)], vec![linked(0, 2)], vec![linked(0, last)]])
    };
    for last in [0, 1, 2, 9] {
        refused(&folder, &cycle(last), &["frame 0", "linked"]);
    }
    // A chain as long as a file can have.
    let mut long = vec![image()];
    long.extend((0..65_534).map(|frame| vec![linked(0, frame)]));
    let tiny = Head { size: [1, 2], ..HEAD };
    let baked = bake(folder.write("long.ase", tiny.file(&long))).unwrap().angles(1);
    assert!(baked.to_bytes().is_ok());
}

#[test]
fn a_hidden_slice_has_no_pivot() {
    let folder = Folder::new("ase-slices");
    let image = || vec![layer("body", true, false, 0, 255), cel(0, [0, 0], 255, &["####"; 3])];
    let slice_of = |keys: &[[i32; 7]]| {
        let long = |n: i32| n.to_le_bytes();
        let head = [keys.len() as i32, 2, 0].map(long).concat();
        let keys = keys.as_flattened().iter().flat_map(|&n| long(n)).collect();
        chunk(0x2022, &[head, text("grip"), keys].concat())
    };
    let pivots = |slices: &[Vec<u8>]| -> Vec<[i32; 2]> {
        let first = [image(), slices.to_vec()].concat();
        let frames = [first, vec![linked(0, 0)], vec![linked(0, 0)]];
        let path = folder.write("a.ase", file(&frames));
        let bake = bake(path).unwrap().pivot(hitmask::Pivot::HalfTexels(2, 2));
        baked(bake)[0].1.iter().map(|(_, pivot)| *pivot).collect()
    };
    let default = [2, 2];
    assert_eq!(pivots(&[slice([1, 0], [2, 0])]), [default, [6, 0], [6, 0]]);
    let later = [[0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 2, 2, 1, 1], [2, 1, 0, 2, 0, 1, 1]];
    assert_eq!(pivots(&[slice_of(&later)]), [default, [4, 2], default]);
    // Another slice sets the pivot where the first one is hidden.
    let other = slice_of(&[[0, 0, 0, 1, 1, 0, 1]]);
    assert_eq!(pivots(&[slice_of(&later), other]), [[0, 2], [4, 2], [0, 2]]);
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn the_z_index_moves_a_cel_among_the_layers() {
    let folder = Folder::new("ase-order");
    let is_red = |head: Head, layers: &[Layer<'_>], cels: &[Vec<u8>]| {
        let mut chunks: Vec<_> = layers.iter().map(|layer| layer.chunk()).collect();
        chunks.extend(cels.iter().cloned());
        let path = folder.write("a.ase", head.file(&[chunks]));
        pictures(bake(path).unwrap().channel(Channel::Red)) == ["#\n"]
    };
    let head = Head { size: [1, 1], depth: 32, ..HEAD };
    let three = [LAYER; 3];
    let cels = |red, blue| [plain(0, red, [1, 1], RED), plain(2, blue, [1, 1], BLUE)];
    for (red, blue, expected) in [
        (0, 0, false),
        (1, 0, false),
        (2, 0, true), // equal positions: the greater z-index is drawn later
        (3, 0, true),
        (0, -1, false),
        (0, -2, true),
        (-5, -9, true),
    ] {
        assert_eq!(is_red(head, &three, &cels(red, blue)), expected, "{red}, {blue}");
    }
    // The order of the chunks does not count.
    let [red, blue] = cels(0, 0);
    assert!(!is_red(head, &three, &[blue.clone(), red.clone()]));
    // A group that is drawn on its own keeps its cels together.
    let grouped = [Layer { kind: 1, ..LAYER }, Layer { level: 1, ..LAYER }, LAYER];
    let cels = [plain(1, 5, [1, 1], RED), blue];
    assert!(is_red(head, &grouped, &cels));
    assert!(!is_red(Head { flags: 3, ..head }, &grouped, &cels));
}

#[test]
fn hidden_layers_and_reference_layers_are_not_drawn() {
    let folder = Folder::new("ase-hidden");
    let group = Layer { name: "group", kind: 1, ..LAYER };
    for (outer, inner, expected) in
        [(1, 1, "#...\n"), (0, 1, "....\n"), (1, 0, "....\n"), (1, 65, "....\n")]
    {
        for flags in [1, 3] {
            let bytes = Head { flags, ..HEAD }.file(&[vec![
                Layer { flags: outer, ..group }.chunk(),
                Layer { name: "inner", flags: inner, level: 1, ..LAYER }.chunk(),
                cel(1, [0, 0], 255, &["#"]),
            ]]);
            let shown = frames(&folder, &bytes);
            assert!(shown[0].starts_with(expected), "{outer}, {inner}: {shown:?}");
        }
    }
    let bytes = file(&[vec![
        group.chunk(),
        Layer { name: "photo", flags: 65, level: 1, ..LAYER }.chunk(),
        cel(1, [0, 0], 255, &["#"]),
    ]]);
    let path = folder.write("bad.ase", &bytes);
    let body = |layer: &str| {
        let planes = vec![LayerPlane { name: "body".to_owned(), layers: vec![layer.to_owned()] }];
        Bake::new().settings(SourceSettings { planes, ..SourceSettings::default() }).sprites(&path)
    };
    assert_eq!(pictures(body("group").unwrap()), [rows(&["...."; 3])]);
    let error = fails(&folder, body("photo"));
    assert!(error.to_string().contains("\"photo\" is a reference layer"), "{error}");
}

#[test]
fn blend_modes_keep_alpha_and_are_refused_where_colours_decide() {
    let folder = Folder::new("ase-blend");
    let with = |blend, flags| {
        file(&[vec![Layer { blend, flags, ..LAYER }.chunk(), cel(0, [0, 0], 255, &["#"])]])
    };
    for blend in 0..19 {
        let path = folder.write("a.ase", with(blend, 1));
        assert!(pictures(bake(&path).unwrap())[0].starts_with("#..."));
        let red = bake(&path).unwrap().channel(Channel::Red);
        assert_eq!(red.to_bytes().is_ok(), blend == 0, "{blend}");
        let excluded = bake(&path).unwrap().exclude_color([0; 3]);
        assert_eq!(excluded.to_bytes().is_ok(), blend == 0, "{blend}");
    }
    refused(&folder, &with(19, 1), &["frame 0", "\"body\"", "blend mode 19"]);
    // The blend mode of a hidden layer or a background does not count.
    assert!(frames(&folder, &with(19, 0))[0].starts_with("...."));
    assert!(frames(&folder, &with(19, 9))[0].starts_with("#..."));
    let group = |flags| {
        Head { flags, ..HEAD }.file(&[vec![
            Layer { name: "group", kind: 1, blend: 19, ..LAYER }.chunk(),
            Layer { level: 1, ..LAYER }.chunk(),
            cel(1, [0, 0], 255, &["#"]),
        ]])
    };
    assert!(frames(&folder, &group(1))[0].starts_with("#..."));
    refused(&folder, &group(3), &["group \"group\"", "blend mode 19"]);
}

#[test]
fn unknown_parts_of_the_format_are_refused() {
    let folder = Folder::new("ase-unknown");
    let with = |extra: Vec<u8>| {
        file(&[vec![LAYER.chunk(), cel(0, [0, 0], 255, &["#"])], vec![linked(0, 0), extra]])
    };
    for kind in [0x2007, 0x2008, 0x2016, 0x2017, 0x2020] {
        assert_eq!(frames(&folder, &with(chunk(kind, &[0; 9]))).len(), 2);
    }
    for kind in [0x0005, 0x2024, 0x2FFF, 0xFFFF] {
        refused(&folder, &with(chunk(kind, &[0; 9])), &["frame 1", &format!("0x{kind:04X}")]);
    }
    let odd = Layer { name: "odd", kind: 3, ..LAYER }.chunk();
    refused(&folder, &with(odd), &["\"odd\"", "type 3"]);
    // Bounds that a cel extra chunk states: flags, then x, y, width and height in 1/65,536 px.
    let extra = |flags: i32, bounds: [i32; 4]| {
        let mut data = flags.to_le_bytes().to_vec();
        bounds.iter().for_each(|part| data.extend((part << 16).to_le_bytes()));
        with(chunk(0x2006, &[data, vec![0; 16]].concat()))
    };
    for (flags, bounds, is_drawn) in [
        (1, [-1, 1, 1, 1], true),
        (1, [-1, 1, 2, 1], false),
        (1, [0, 1, 1, 1], false),
        (0, [5, 5, 5, 5], true),
        (1, [5, 5, 0, 5], true),
    ] {
        let bytes = extra(flags, bounds);
        if is_drawn {
            assert_eq!(frames(&folder, &bytes).len(), 2);
        } else {
            refused(&folder, &bytes, &["frame 1", "\"body\"", "scaled"]);
        }
    }
}

#[test]
fn a_cel_is_cut_at_the_canvas_up_to_the_side_limit() {
    let folder = Folder::new("ase-large");
    let sized = |size: [u16; 2], texels: &[u8]| {
        let size = size.map(u16::to_le_bytes).concat();
        let cel = [cel_head(0, [-1, 0], 255, 2), size, zlib(texels)].concat();
        file(&[vec![LAYER.chunk(), chunk(0x2005, &cel)]])
    };
    let bytes = sized([32_767, 1], &[9, 255].repeat(32_767));
    assert_eq!(frames(&folder, &bytes), [rows(&["####", "....", "...."])]);
    refused(&folder, &sized([65_535, 16_000], &[]), &["frame 0", "\"body\"", "65535 x 16000"]);
    refused(&folder, &sized([1, 32_768], &[]), &["1 x 32768"]);
    refused(&folder, &sized([16_384, 16_384], &[0; 64]), &["decompressed"]);
}

#[test]
fn a_file_of_another_format_is_named() {
    let folder = Folder::new("ase-other");
    // Adobe swatches have the same extension.
    let path = folder.write("bad.ase", b"ASEF\0\x01\0\0 and more");
    assert_refused(&folder, bake(path), "NotAnImage", "bad.ase");
    // A folder without images is refused like the file. One with images passes over the file.
    assert_refused(&folder, bake(folder.path("")), "NotAnImage", "");
    folder.write("good.ase", file(&[vec![LAYER.chunk(), cel(0, [0, 0], 255, &["#"])]]));
    let report = bake(folder.path("")).unwrap().write(folder.path("a.hitmask")).unwrap();
    assert_eq!(report.sprites, 1);
    let is_named = |warning: &Warning| {
        matches!(warning, Warning::NotAnImage { sprite, path }
            if sprite == "bad" && path.ends_with("bad.ase"))
    };
    assert!(report.warnings.iter().any(is_named), "{:?}", report.warnings);
    // A truncated file is damaged, in a folder too.
    folder.write("cut.ase", [1, 2, 3]);
    let error = fails(&folder, bake(folder.path("")));
    assert!(error.to_string().contains("cut.ase"), "{error}");
}

#[test]
fn the_masks_count_for_the_memory_of_a_canvas_like_its_texels() {
    let folder = Folder::new("ase-memory");
    let canvas = |side: u16, frames: usize| {
        let chunks = vec![LAYER.chunk(), cel(0, [0, 0], 255, &["#"])];
        Head { size: [side, side], ..HEAD }.file(&vec![chunks; frames])
    };
    // 4 bytes a texel, and the solid and the visible bits of each frame.
    let needed = |side: u64, frames: u64| 4 * side * side + 2 * frames * (side * side / 8);
    // The texels of both fit into 1 GiB.
    for (side, frames) in [(16_384_u16, 1_usize), (15_500, 2)] {
        let error = fails(&folder, bake(folder.write("a.ase", canvas(side, frames))));
        let (quantity, needed) = ("bytes to decode", needed(side.into(), frames as u64));
        assert_eq!(error.fault, BakeFault::OverLimit { quantity, needed, limit: 1 << 30 });
    }
    let path = folder.write("a.ase", canvas(40, 3));
    let limited = |max_decoding_bytes| {
        let limits = BakeLimits { max_decoding_bytes, ..BakeLimits::default() };
        Bake::new().limits(limits).angles(1).sprites(&path).unwrap().to_bytes()
    };
    assert!(limited(needed(40, 3)).is_ok() && limited(needed(40, 3) - 1).is_err());
}
