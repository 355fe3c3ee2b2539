//! BMP and TGA files, built byte by byte and compared with readers of their own.

use super::folder::{Folder, assert_refused, bake, fails, pictures, rows};
use hitmask::{Channel, Settings};
use hitmask_bake::{Bake, BakeFault};
use proptest::prelude::*;

const SIZE: [u32; 2] = [5, 3];

fn little<const N: usize>(numbers: [u32; N]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A BMP of 5 x 3 pixels.
#[derive(Clone, Debug)]
struct Bmp {
    /// Bytes of the header.
    header: u32,
    bits: u32,
    compression: u32,
    masks: [u32; 4],
    is_top_down: bool,
    palette: Vec<[u8; 3]>,
    data: Vec<u8>,
}

impl Bmp {
    fn of(header: u32, bits: u32, data: Vec<u8>) -> Self {
        let palette = if bits <= 8 { vec![[1, 2, 3], [250, 9, 7]] } else { Vec::new() };
        let (compression, masks) = (0, [0; 4]);
        Self { header, bits, compression, masks, is_top_down: false, palette, data }
    }

    fn row_bytes(bits: u32) -> usize {
        (SIZE[0] * bits).div_ceil(32) as usize * 4
    }

    fn bytes(&self) -> Vec<u8> {
        let [width, height] = SIZE;
        let height = if self.is_top_down { height.wrapping_neg() } else { height };
        let planes = 1 | self.bits << 16;
        let mut head = if self.header == 12 {
            little([12, width | height << 16, planes])
        } else {
            let colors = self.palette.len() as u32;
            let mut head =
                little([self.header, width, height, planes, self.compression, 0, 0, 0, colors, 0]);
            if self.header > 40 || self.compression == 3 {
                // A short header is followed by three masks, a longer one contains them.
                let count = if self.header >= 56 { 4 } else { 3 };
                head.extend(&little(self.masks)[..4 * count]);
            }
            head.resize(head.len().max(self.header as usize), 0);
            head
        };
        for &[r, g, b] in &self.palette {
            head.extend([b, g, r]);
            head.extend((self.header > 12).then_some(0));
        }
        let start = 14 + head.len() as u32;
        let len = start + self.data.len() as u32;
        [b"BM".to_vec(), little([len, 0, start]), head, self.data.clone()].concat()
    }

    /// Returns red and alpha of each pixel, from the top left.
    fn texels(&self) -> Vec<[u8; 2]> {
        let row_bytes = Self::row_bytes(self.bits);
        let part = |value: u32, mask: u32| {
            let max = f64::from(mask >> mask.trailing_zeros());
            (f64::from((value & mask) >> mask.trailing_zeros()) * 255.0 / max).round() as u8
        };
        let texel = |x: u32, y: u32| {
            let line = if self.is_top_down { y } else { SIZE[1] - 1 - y };
            let row = &self.data[line as usize * row_bytes..][..row_bytes];
            let at = (x * self.bits / 8) as usize;
            match self.bits {
                1..=8 => {
                    let shift = 8 - self.bits - x * self.bits % 8;
                    let index = u32::from(row[at]) >> shift & ((1 << self.bits) - 1);
                    [self.palette[index as usize][0], 255]
                }
                24 => [row[at + 2], 255],
                _ => {
                    let bytes = &row[at..at + self.bits as usize / 8];
                    let value =
                        bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
                    let [red, .., alpha] = match (self.compression, self.bits) {
                        (3, _) => self.masks,
                        (_, 16) => [0x7C00, 0, 0, self.masks[3] & 0xFFFF],
                        _ => [0xFF_0000, 0, 0, self.masks[3]],
                    };
                    let has_alpha = self.header >= 56 && alpha != 0;
                    [part(value, red), if has_alpha { part(value, alpha) } else { 255 }]
                }
            }
        };
        (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| texel(x, y))).collect()
    }
}

/// Asserts that the masks by alpha and by red are those of these texels.
#[track_caller]
fn assert_texels(folder: &Folder, file: &str, bytes: &[u8], texels: &[[u8; 2]]) {
    let path = folder.write(file, bytes);
    for (channel, of) in [(Channel::Alpha, 1), (Channel::Red, 0)] {
        let settings = Settings { channel, ..Settings::default() };
        let shown = pictures(Bake::new().sprites_with(&path, settings).unwrap());
        let row = |row: &[[u8; 2]]| -> String {
            row.iter().map(|texel| if texel[of] >= 128 { '#' } else { '.' }).chain(['\n']).collect()
        };
        let expected: String = texels.chunks(SIZE[0] as usize).map(row).collect();
        assert_eq!(shown, [expected], "{file} by {channel:?}");
    }
}

#[test]
fn every_kind_of_bmp_is_read_as_the_format_says() {
    let folder = Folder::new("bmp-kinds");
    let masks_32 = [
        [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000],
        [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000],
        [0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF],
        [0xFF00_0000, 0xFF_0000, 0xFF00, 0],
        [0xFF_0000, 0xFF00, 0xFF, 0],
        [0x3FF0_0000, 0xF_FC00, 0x3FF, 0xC000_0000],
        [0xFF_0000, 0xFF00, 0xFF, 0x7F00_0000],
    ];
    let masks_16 =
        [[0xF800, 0x7E0, 0x1F, 0], [0x7C00, 0x3E0, 0x1F, 0x8000], [0xF00, 0xF0, 0xF, 0xF000]];
    let mut kinds = Vec::new();
    for header in [12, 40, 52, 56, 108, 124] {
        for bits in [1, 2, 4, 8, 16, 24, 32] {
            if header > 12 || [1, 4, 8, 24].contains(&bits) {
                kinds.push((header, bits, 0, [0; 4]));
            }
        }
        // Uncompressed pixels with a mask for alpha, in the fixed order of colours or without masks for
        // them. A mask beyond the bits of a pixel has no effect.
        if header >= 56 {
            for (bits, masks) in [
                (32, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
                (32, [0, 0, 0, 0xFF00_0000]),
                (32, [0, 0, 0, 0x7F00_0000]),
                (16, [0x7C00, 0x3E0, 0x1F, 0x8000]),
                (16, [0, 0, 0, 0xFF00_8000]),
                (16, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
                (24, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
                (8, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
            ] {
                kinds.push((header, bits, 0, masks));
            }
        }
        for masks in masks_32.into_iter().filter(|_| header > 12) {
            kinds.push((header, 32, 3, masks));
        }
        for masks in masks_16.into_iter().filter(|_| header > 12) {
            kinds.push((header, 16, 3, masks));
        }
    }
    let mut state = 7_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    for (header, bits, compression, masks) in kinds {
        for is_top_down in [false, true] {
            let mut data: Vec<u8> = (0..3 * Bmp::row_bytes(bits)).map(|_| random()).collect();
            // Fourth bytes without a stated meaning have to be padding.
            if (bits, compression, masks[3]) == (32, 0, 0) {
                data.iter_mut()
                    .skip(3)
                    .step_by(4)
                    .for_each(|a| *a = if is_top_down { 0 } else { 255 });
            }
            let palette = match bits {
                1..=8 => (0..1 << bits).map(|_| [random(), 1, 2]).collect(),
                _ => Vec::new(),
            };
            let is_top_down = is_top_down && header > 12;
            let bmp =
                Bmp { compression, masks, is_top_down, palette, ..Bmp::of(header, bits, data) };
            let name = format!("{header}-{bits}-{compression}-{:x}.bmp", masks[3]);
            assert_texels(&folder, &name, &bmp.bytes(), &bmp.texels());
        }
    }
}

#[test]
fn compressed_bmps_are_read_and_skipped_pixels_are_refused() {
    let folder = Folder::new("bmp-runs");
    let (red, end_row, end) = ([3, 1], [0, 0], [0, 1]);
    let picture = ["#####", "#.#..", "..###"];
    let whole = [
        [2, 0].to_vec(),
        red.to_vec(),
        end_row.to_vec(),
        // Five pixels by themselves, padded to an even number of bytes.
        vec![0, 5, 1, 0, 1, 0, 0, 0],
        end_row.to_vec(),
        vec![5, 1],
        end_row.to_vec(),
        end.to_vec(),
    ];
    let of =
        |compression, bits, data: Vec<u8>| Bmp { compression, ..Bmp::of(40, bits, data) }.bytes();
    let red_mask = |path| {
        let settings = Settings { channel: Channel::Red, ..Settings::default() };
        pictures(Bake::new().sprites_with(path, settings).unwrap())
    };
    let path = folder.write("8.bmp", of(1, 8, whole.concat()));
    assert_eq!(red_mask(path), [rows(&picture)]);
    let four = vec![2, 0, 3, 0x11, 0, 0, 0, 5, 0x10, 0x10, 0, 0, 0, 0, 5, 0x11, 0, 0, 0, 1];
    let path = folder.write("4.bmp", of(2, 4, four));
    assert_eq!(red_mask(path), [rows(&picture)]);
    // A short row, a jump, and an early end.
    for data in [
        vec![2, 0, 0, 0, 5, 1, 0, 0, 5, 1, 0, 0, 0, 1],
        vec![2, 0, 0, 2, 1, 0, 2, 0, 0, 0, 5, 1, 0, 0, 5, 1, 0, 1],
        vec![5, 1, 0, 0, 0, 1],
    ] {
        assert_refused(
            &folder,
            bake(folder.write("a.bmp", of(1, 8, data))),
            "Unsupported",
            "leave pixels out",
        );
    }
    for data in [whole[..4].concat(), vec![6, 1, 0, 0], Vec::new()] {
        assert_refused(&folder, bake(folder.write("a.bmp", of(1, 8, data))), "Damaged", "");
    }
}

#[test]
fn bmps_that_cannot_be_read_with_certainty_are_refused() {
    let folder = Folder::new("bmp-refused");
    let whole = Bmp::of(124, 32, vec![255; 60]);
    let patched = |at: usize, value: u32| {
        let mut bytes = whole.bytes();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let uncompressed = |bits, masks| Bmp { masks, bits, ..whole.clone() }.bytes();
    let mut padded = vec![0; 60];
    padded[7] = 1;
    let mut solid = vec![255; 60];
    solid[59] = 0;
    let unstated = "states no alpha";
    let wide = Bmp { compression: 3, masks: [0x3, 0xC, 0x30, 0x3FF0_0000], ..whole.clone() };
    for (bytes, cause) in [
        (patched(14, 64), "64 bytes"),
        (patched(30, 4), "compression 4"),
        (patched(30, 6), "compression 6"),
        (wide.bytes(), "10 bits"),
        (Bmp::of(40, 32, padded.clone()).bytes(), unstated),
        (Bmp::of(124, 32, padded).bytes(), unstated),
        (Bmp::of(52, 32, solid).bytes(), unstated),
        (Bmp::of(40, 32, vec![128; 60]).bytes(), unstated),
        // The colours lie elsewhere than in uncompressed pixels, or alpha lies among them.
        (uncompressed(32, [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]), "alpha mask 0xff000000"),
        (uncompressed(32, [0, 0, 0, 0xFF]), "alpha mask 0xff"),
        (uncompressed(24, [0, 0, 0, 0xFF_0000]), "alpha mask 0xff0000"),
        (uncompressed(16, [0xF00, 0xF0, 0xF, 0xF000]), "alpha mask 0xf000"),
    ] {
        assert_refused(&folder, bake(folder.write("a.bmp", bytes)), "Unsupported", cause);
    }
    for bytes in [patched(10, 20), patched(18, 0), whole.bytes()[..190].to_vec()] {
        assert_refused(&folder, bake(folder.write("a.bmp", bytes)), "Damaged", "");
    }
    assert_refused(
        &folder,
        bake(folder.write("a.bmp", patched(18, 65_537))),
        "pixels a side",
        " has 65537 x 3 pixels",
    );
}

/// A TGA of 5 x 3 pixels.
#[derive(Clone, Debug)]
struct Tga {
    kind: u8,
    bits: u8,
    descriptor: u8,
    /// Bits of a colour, and the colours.
    map: Option<(u8, Vec<u8>)>,
    data: Vec<u8>,
}

impl Tga {
    fn bytes(&self) -> Vec<u8> {
        let (entry, map) = self.map.clone().unwrap_or_default();
        let colors = map.len() / usize::from(entry.div_ceil(8).max(1));
        let [width, height] = SIZE.map(|side| side as u8);
        let mut bytes = vec![3, u8::from(entry > 0), self.kind, 0, 0, colors as u8, 0, entry];
        bytes.extend([0, 0, 0, 0, width, 0, height, 0, self.bits, self.descriptor]);
        bytes.extend(b"id!");
        bytes.extend(map);
        bytes.extend(&self.data);
        bytes
    }

    /// Returns red and alpha of each pixel, from the top left.
    fn texels(&self) -> Vec<[u8; 2]> {
        let len = usize::from(self.bits.div_ceil(8));
        let mut pixels: Vec<Vec<u8>> = Vec::new();
        let mut data = self.data.as_slice();
        while pixels.len() < 15 {
            let (count, repeats) = match self.kind {
                9.. => {
                    let packet = data[0];
                    data = &data[1..];
                    (usize::from(packet & 127) + 1, packet > 127)
                }
                _ => (15, false),
            };
            for i in 0..count {
                pixels.push(data[..len].to_vec());
                if !repeats || i + 1 == count {
                    data = &data[len..];
                }
            }
        }
        let has_alpha = self.descriptor & 15 == 8;
        let color = |bytes: &[u8]| match *bytes {
            [grey] => [grey, 255],
            [low, high] if self.kind % 8 != 3 => {
                let five = u32::from(u16::from_le_bytes([low, high]) >> 10 & 31);
                [(five * 255 / 31) as u8, 255]
            }
            [grey, alpha] => [grey, alpha],
            [_, _, red] => [red, 255],
            [_, _, red, alpha] => [red, if has_alpha { alpha } else { 255 }],
            _ => unreachable!(),
        };
        let texel = |x: usize, y: usize| {
            let x = if self.descriptor & 16 != 0 { 4 - x } else { x };
            let y = if self.descriptor & 32 != 0 { y } else { 2 - y };
            let pixel = &pixels[5 * y + x];
            match &self.map {
                Some((bits, map)) => {
                    let entry = usize::from(bits.div_ceil(8));
                    color(&map[entry * usize::from(pixel[0])..][..entry])
                }
                None => color(pixel),
            }
        };
        (0..3).flat_map(|y| (0..5).map(move |x| texel(x, y))).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_kind_of_tga_is_read_as_the_format_says(
        kind in prop::sample::select(vec![(2, 15, 0), (2, 16, 0), (2, 24, 0), (2, 32, 0), (2, 32, 8), (3, 8, 0),
            (3, 16, 8), (1, 15, 0), (1, 16, 0), (1, 24, 0), (1, 32, 0), (1, 32, 8)]),
        is_compressed: bool,
        corner in 0_u8..4,
        random in prop::collection::vec(any::<u8>(), 256),
        packets in prop::collection::vec((1_u8..=8, any::<bool>()), 15),
    ) {
        let (kind, bits, alpha) = kind;
        let mut random = random;
        // Fourth bytes without a stated meaning have to be padding.
        if (bits, alpha) == (32, 0) {
            random.iter_mut().skip(3).step_by(4).for_each(|a| *a = 255 * (corner & 1));
        }
        let map = (kind == 1).then(|| {
            (bits, random[..4 * usize::from(u8::div_ceil(bits, 8))].to_vec())
        });
        let depth = if kind == 1 { 8 } else { bits };
        let len = usize::from(u8::div_ceil(depth, 8));
        let mut bytes = random[100..].iter().map(|&byte| if kind == 1 { byte % 4 } else { byte });
        let mut data = Vec::new();
        let mut left = 15;
        for (count, repeats) in packets {
            let count = if is_compressed { count.min(left) } else { left };
            if count == 0 {
                break;
            }
            left -= count;
            if is_compressed {
                data.push((count - 1) | u8::from(repeats) << 7);
            }
            let pixels = if is_compressed && repeats { 1 } else { usize::from(count) };
            data.extend(bytes.by_ref().take(pixels * len));
        }
        let kind = kind + if is_compressed { 8 } else { 0 };
        let tga = Tga { kind, bits: depth, descriptor: alpha | corner << 4, map, data };
        let folder = Folder::new(&format!("tga-{kind}-{bits}-{alpha}"));
        assert_texels(&folder, "a.tga", &tga.bytes(), &tga.texels());
        if !is_compressed {
            let cut = tga.bytes()[..tga.bytes().len() - 1].to_vec();
            let error = fails(&folder, bake(folder.write("a.tga", cut)));
            prop_assert!(error.fault == BakeFault::Damaged, "{error:?}");
        }
    }
}

#[test]
fn tgas_that_cannot_be_read_with_certainty_are_refused() {
    let folder = Folder::new("tga-refused");
    let whole = Tga { kind: 2, bits: 32, descriptor: 40, map: None, data: vec![255; 60] };
    let with = |change: &dyn Fn(&mut Tga)| {
        let mut tga = whole.clone();
        change(&mut tga);
        tga.bytes()
    };
    // The extension area of version 2 states the kind of alpha in its last byte.
    let extended = |kind: u8| {
        let mut bytes = whole.bytes();
        let at = bytes.len() as u32;
        bytes.extend([0; 494]);
        bytes.push(kind);
        bytes.extend(little([at, 0]));
        bytes.extend(b"TRUEVISION-XFILE.\0");
        bytes
    };
    for (bytes, cause) in [
        (with(&|tga| tga.kind = 32), "type 32"),
        (with(&|tga| tga.descriptor = 0xC8), "interleaved"),
        (with(&|tga| (tga.bits, tga.descriptor) = (16, 1)), "16 bits a pixel, 1 of them"),
        (with(&|tga| (tga.kind, tga.bits) = (3, 8)), "8 bits a pixel, 8 of them"),
        (extended(1), "no meaning"),
        (with(&|tga| (tga.descriptor, tga.data[3]) = (32, 254)), "states no alpha"),
        (
            // A run of 15 equal pixels.
            with(&|tga| (tga.kind, tga.descriptor, tga.data) = (10, 32, vec![0x8E, 1, 2, 3, 9])),
            "states no alpha",
        ),
        (
            with(&|tga| {
                let map = Some((32, vec![1, 2, 3, 255, 1, 2, 3, 0]));
                let data = [0, 1, 0].repeat(5);
                *tga = Tga { kind: 1, bits: 8, descriptor: 32, map, data };
            }),
            "states no alpha",
        ),
    ] {
        assert_refused(&folder, bake(folder.write("a.tga", bytes)), "Unsupported", cause);
    }
    for kind in [3, 4] {
        let solid = vec![rows(&["#####"; 3])];
        assert_eq!(pictures(bake(folder.write("a.tga", extended(kind))).unwrap()), solid);
    }
    let by_color = Settings { channel: Channel::Red, ..Settings::default() };
    let premultiplied = Bake::new().sprites_with(folder.path("a.tga"), by_color);
    assert!(fails(&folder, premultiplied).fault == BakeFault::Unsupported);
    for text in ["no image", "#include <not an image>"] {
        assert_refused(&folder, bake(folder.write("a.tga", text)), "NotAnImage", "");
    }
    // 65,535 x 65,535 texels of 32 bytes exceed 32 bits, and a colour map of 65,535 entries too.
    let mut vast = Tga { kind: 1, bits: 8, map: None, ..whole.clone() }.bytes();
    vast[1] = 1;
    vast[5..8].copy_from_slice(&[255, 255, 24]);
    vast[12..17].fill(255);
    vast[17] = 0;
    let error = fails(&folder, bake(folder.write("a.tga", vast)));
    assert!(matches!(error.fault, BakeFault::Damaged | BakeFault::OverLimit { .. }), "{error:?}");
    let mut longer = whole.bytes();
    longer[13] = 65;
    assert_refused(&folder, bake(folder.write("a.tga", longer)), "Damaged", "");
}

#[test]
fn folders_contain_bmp_and_tga_files() {
    let folder = Folder::new("bitmap-folder");
    folder.write("a.BMP", Bmp::of(40, 24, vec![255; 48]).bytes());
    folder.write(
        "b.tga",
        Tga { kind: 3, bits: 8, descriptor: 0, map: None, data: vec![0; 15] }.bytes(),
    );
    let atlas = bake(folder.path("")).unwrap().to_bytes().unwrap();
    let atlas = hitmask::Atlas::from_vec(atlas).unwrap();
    assert_eq!(atlas.sprites().map(|sprite| sprite.name()).collect::<Vec<_>>(), ["a", "b"]);
}
