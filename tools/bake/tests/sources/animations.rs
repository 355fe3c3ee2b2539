//! Animations in APNG, GIF and WebP: random files against a plain compositor written from the
//! specifications, and files that other readers show wrongly.

use super::folder::{Folder, assert_refused, bake, baked, fails, pictures, rows};
use crate::encode::gif::{lzw, packed_lzw, stored_rows};
use crate::encode::png::{self, Png};
use crate::encode::{Texel, webp, zlib};
use hitmask::{AlphaRule, Channel, Warning};
use hitmask_bake::Bake;
use hitmask_scenes::{Random, cases};

/// Treatment of the rectangle of a frame before the next frame, in the order of the APNG codes.
#[derive(Clone, Copy, PartialEq)]
enum Dispose {
    Keep,
    Clear,
    Restore,
}

struct Drawn {
    corner: [u32; 2],
    size: [u32; 2],
    dispose: Dispose,
    is_blended: bool,
    texels: Vec<Texel>,
}

/// Returns the canvas after each frame. Straight from the specifications: all numbers exact, each
/// result rounded to the nearest value.
fn shown([width, height]: [u32; 2], frames: &[Drawn]) -> Vec<Vec<Texel>> {
    let mut canvas = vec![[0; 4]; (width * height) as usize];
    let mut shown = Vec::new();
    for frame in frames {
        let before = canvas.clone();
        let places: Vec<usize> = (0..frame.size[1])
            .flat_map(|y| (0..frame.size[0]).map(move |x| (x, y)))
            .map(|(x, y)| ((frame.corner[1] + y) * width + frame.corner[0] + x) as usize)
            .collect();
        for (&place, &texel) in places.iter().zip(&frame.texels) {
            canvas[place] = if frame.is_blended { blended(texel, canvas[place]) } else { texel };
        }
        shown.push(canvas.clone());
        match frame.dispose {
            Dispose::Keep => {}
            Dispose::Clear => places.iter().for_each(|&place| canvas[place] = [0; 4]),
            Dispose::Restore => canvas = before,
        }
    }
    shown
}

fn blended(above: Texel, below: Texel) -> Texel {
    let [a, b] = [above, below].map(|texel| f64::from(texel[3]) / 255.0);
    let alpha = a + b * (1.0 - a);
    if alpha == 0.0 || a == 0.0 {
        return below;
    }
    let color = |i: usize| {
        let sum = f64::from(above[i]) * a + f64::from(below[i]) * b * (1.0 - a);
        // Adds less than any difference between two results, so that ties round up.
        (sum / alpha + 1e-9).round() as u8
    };
    [color(0), color(1), color(2), (alpha * 255.0).round() as u8]
}

/// The rules by which files are baked: a channel, its index in a texel, and the least solid value.
type Rules = [(Channel, usize, u8)];

const ALPHA: &Rules = &[(Channel::Alpha, 3, 128), (Channel::Alpha, 3, 41)];
const ALPHA_AND_RED: &Rules = &[ALPHA[0], ALPHA[1], (Channel::Red, 0, 100)];

/// Bakes files by some rules and compares every texel of every frame.
fn compare(test: &str, ending: &str, rules: &Rules, files: &[(Vec<u8>, [u32; 2], Vec<Drawn>)]) {
    let folder = Folder::new(test);
    for (i, (bytes, ..)) in files.iter().enumerate() {
        folder.write(&format!("{i:04}.{ending}"), bytes);
    }
    for &(channel, index, least) in rules {
        let bake = Bake::new().alpha(AlphaRule::AtLeast(least)).channel(channel);
        let sprites = baked(bake.sprites(folder.path("")).unwrap());
        assert_eq!(sprites.len(), files.len());
        for ((name, frames), (_, size, drawn)) in sprites.iter().zip(files) {
            let is_solid = |texel: &Texel| if texel[index] >= least { '#' } else { '.' };
            let expected: Vec<String> = shown(*size, drawn)
                .iter()
                .map(|canvas| {
                    let row = |row: &[Texel]| row.iter().map(is_solid).chain(['\n']).collect();
                    canvas.chunks(size[0] as usize).map(row).collect::<Vec<String>>().concat()
                })
                .collect();
            let frames: Vec<&String> = frames.iter().map(|(picture, _)| picture).collect();
            assert_eq!(frames, expected.iter().collect::<Vec<_>>(), "{name}, {channel:?}");
        }
    }
}

/// Returns a rectangle on a canvas. Its corner is at multiples of `unit`.
fn rectangle(random: &mut Random, canvas: [u32; 2], unit: u32) -> ([u32; 2], [u32; 2]) {
    let corner = canvas.map(|side| random.below(side.div_ceil(unit)) * unit);
    let size = [0, 1].map(|axis| 1 + random.below(canvas[axis] - corner[axis]));
    (corner, size)
}

fn chance(random: &mut Random, of: u32) -> bool {
    random.below(of) == 0
}

// PNG

/// The order of the texels of an interlaced image in each square of 8 x 8.
const ADAM7: [&[u8; 8]; 8] = [
    b"16462646",
    b"77777777",
    b"56565656",
    b"77777777",
    b"36463646",
    b"77777777",
    b"56565656",
    b"77777777",
];

/// The kind of a PNG: colour type and bits per sample, palette and chunk tRNS.
struct PngKind {
    color: u8,
    depth: u8,
    is_interlaced: bool,
    palette: Vec<[u8; 3]>,
    transparency: Vec<u8>,
}

impl PngKind {
    fn random(random: &mut Random) -> Self {
        let kinds: [(u8, &[u8]); 5] = [
            (0, &[1, 2, 4, 8, 16]),
            (2, &[8, 16]),
            (3, &[1, 2, 4, 8]),
            (4, &[8, 16]),
            (6, &[8, 16]),
        ];
        let (color, depths) = kinds[random.below(5) as usize];
        let depth = depths[random.below(depths.len() as u32) as usize];
        let colors = if color == 3 { 1 << depth } else { 0 };
        let palette = (0..colors).map(|_| [0; 3].map(|_: u8| random.bits() as u8)).collect();
        let transparency = match color {
            _ if chance(random, 3) => Vec::new(),
            // One sample for each channel, with 16 bits.
            0 | 2 => (0..if color == 0 { 1 } else { 3 })
                .flat_map(|_| sample(random, depth).to_be_bytes())
                .collect(),
            3 => (0..1 + random.below(colors)).map(|_| random.bits() as u8).collect(),
            _ => Vec::new(),
        };
        Self { color, depth, is_interlaced: chance(random, 2), palette, transparency }
    }

    /// Returns a random texel: its samples, and its value in 8 bits.
    fn texel(&self, random: &mut Random) -> (Vec<u16>, Texel) {
        let count = [1, 0, 3, 1, 2, 0, 4][usize::from(self.color)];
        let samples: Vec<u16> = (0..count).map(|_| sample(random, self.depth)).collect();
        let largest = f64::from((1_u32 << self.depth) - 1);
        let value = |i: usize| (f64::from(samples[i]) / largest * 255.0).round() as u8;
        let stored: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
        let opaque = if stored == self.transparency { 0 } else { 255 };
        let texel = match self.color {
            0 => [value(0), value(0), value(0), opaque],
            2 => [value(0), value(1), value(2), opaque],
            3 => {
                let index = usize::from(samples[0]);
                let [r, g, b] = self.palette[index];
                [r, g, b, self.transparency.get(index).copied().unwrap_or(255)]
            }
            4 => [value(0), value(0), value(0), value(1)],
            _ => [value(0), value(1), value(2), value(3)],
        };
        (samples, texel)
    }

    /// Begins a file.
    fn header(&self, size: [u32; 2]) -> Png {
        Png::new(size, [self.depth, self.color, self.is_interlaced.into()])
    }

    /// Adds the palette and the transparency.
    fn colors(&self, mut png: Png) -> Png {
        if self.color == 3 {
            png = png.with(b"PLTE", self.palette.as_flattened());
        }
        if self.transparency.is_empty() { png } else { png.with(b"tRNS", &self.transparency) }
    }

    /// Returns random texels: compressed, and their values.
    fn image(&self, random: &mut Random, size: [u32; 2]) -> (Vec<u8>, Vec<Texel>) {
        let (samples, texels): (Vec<_>, Vec<_>) =
            (0..size[0] * size[1]).map(|_| self.texel(random)).unzip();
        (self.compressed(size, &samples), texels)
    }

    /// Packs samples to compressed rows.
    fn compressed(&self, [width, height]: [u32; 2], texels: &[Vec<u16>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for pass in if self.is_interlaced { b'1'..=b'7' } else { 0..=0 } {
            for y in 0..height {
                let is_sent = |x: &u32| pass == 0 || ADAM7[y as usize % 8][*x as usize % 8] == pass;
                let columns: Vec<u32> = (0..width).filter(is_sent).collect();
                if columns.is_empty() {
                    continue;
                }
                bytes.push(0); // no filter
                let (mut packed, mut bits) = (0_u32, 0);
                for &sample in columns.iter().flat_map(|x| &texels[(y * width + x) as usize]) {
                    packed = packed << self.depth | u32::from(sample);
                    bits += self.depth;
                    while bits >= 8 {
                        bits -= 8;
                        bytes.push((packed >> bits) as u8);
                    }
                }
                if bits > 0 {
                    bytes.push((packed << (8 - bits)) as u8);
                }
            }
        }
        zlib(&bytes)
    }
}

/// Returns a random sample of `depth` bits. Extremes and a middle value are frequent, so that
/// samples equal each other and the transparent one.
fn sample(random: &mut Random, depth: u8) -> u16 {
    let largest = ((1_u32 << depth) - 1) as u16;
    match random.below(4) {
        0 => 0,
        1 => largest,
        2 => largest / 2,
        _ => random.bits() as u16 & largest,
    }
}

fn apng(random: &mut Random) -> (Vec<u8>, [u32; 2], Vec<Drawn>) {
    let kind = PngKind::random(random);
    let canvas = [1 + random.below(19), 1 + random.below(19)];
    let count = 1 + random.below(5);
    let mut png = kind.colors(kind.header(canvas).animated(count));
    let has_separate_still = chance(random, 4);
    if has_separate_still {
        png = png.still(&kind.image(random, canvas).0);
    }
    let mut frames = Vec::new();
    for i in 0..count {
        let is_still = i == 0 && !has_separate_still;
        let whole = ([0, 0], canvas);
        let (corner, size) = if is_still { whole } else { rectangle(random, canvas, 1) };
        let dispose = [Dispose::Keep, Dispose::Clear, Dispose::Restore][random.below(3) as usize];
        let is_blended = chance(random, 2);
        let (data, texels) = kind.image(random, size);
        // The data of a frame may be in several chunks.
        let parts: Vec<&[u8]> = data.chunks(1 + random.below(60) as usize).collect();
        png = png.frame([corner, size], [dispose as u8, is_blended.into()], &parts, is_still);
        frames.push(Drawn { corner, size, dispose, is_blended, texels });
    }
    (png.end(), canvas, frames)
}

#[test]
fn random_apng_files_are_composited_as_specified() {
    let mut random = Random::new(1);
    let files: Vec<_> = (0..cases(150, 5000)).map(|_| apng(&mut random)).collect();
    compare("random apng", "png", ALPHA_AND_RED, &files);
}

/// A still image of every kind is read by the same code.
#[test]
fn random_still_png_files_have_the_alpha_of_their_texels() {
    let mut random = Random::new(2);
    let file = |random: &mut Random| {
        let kind = PngKind::random(random);
        let size = [1 + random.below(19), 1 + random.below(19)];
        let (data, texels) = kind.image(random, size);
        let (corner, dispose) = ([0, 0], Dispose::Keep);
        let drawn = Drawn { corner, size, dispose, is_blended: false, texels };
        (kind.colors(kind.header(size)).still(&data).end(), size, vec![drawn])
    };
    let files: Vec<_> = (0..cases(80, 3000)).map(|_| file(&mut random)).collect();
    compare("random png", "png", ALPHA_AND_RED, &files);
}

// GIF

/// Returns a palette of 128 colours, as stored.
fn palette(random: &mut Random) -> Vec<u8> {
    (0..3 * 128).map(|_| random.bits() as u8).collect()
}

#[test]
fn rows_of_an_interlaced_gif_may_end_inside_a_code() {
    let folder = Folder::new("gif-interlaced");
    let mut random = Random::new(8);
    for i in 0..60 {
        let size = [1 + random.below(20), 1 + random.below(20)];
        // Long runs of equal texels, which one code covers beyond the end of a row.
        let is_plain = i % 3 == 0;
        let texels: Vec<u8> = (0..size[0] * size[1])
            .map(|_| if is_plain { 1 } else { u8::from(random.below(5) > 0) })
            .collect();
        let file = |is_interlaced: bool| {
            let mut gif = b"GIF89a".to_vec();
            gif.extend([size[0] as u8, 0, size[1] as u8, 0, 0x81, 0, 0]);
            gif.extend([9; 12]);
            gif.extend(b"\x21\xF9\x04\x01\0\0\0\0\x2C\0\0\0\0");
            gif.extend([size[0] as u8, 0, size[1] as u8, 0, u8::from(is_interlaced) << 6]);
            let order = if is_interlaced { stored_rows(size[1]) } else { (0..size[1]).collect() };
            let row = |y: u32| texels[(y * size[0]) as usize..][..size[0] as usize].to_vec();
            gif.extend(packed_lzw(&order.into_iter().flat_map(row).collect::<Vec<_>>()));
            gif.push(0x3B);
            gif
        };
        let row = |row: &[u8]| -> String {
            row.iter().map(|&texel| if texel == 1 { '#' } else { '.' }).chain(['\n']).collect()
        };
        let expected: String = texels.chunks(size[0] as usize).map(row).collect();
        for is_interlaced in [false, true] {
            let path = folder.write("a.gif", file(is_interlaced));
            let shown = pictures(bake(path).unwrap());
            assert_eq!(shown, [expected.as_str()], "{i}, interlaced: {is_interlaced}");
        }
    }
}

fn gif(random: &mut Random) -> (Vec<u8>, [u32; 2], Vec<Drawn>) {
    let screen = [1 + random.below(19), 1 + random.below(19)];
    let short = |n: u32| (n as u16).to_le_bytes();
    let global = palette(random);
    let mut gif = b"GIF89a".to_vec();
    screen.iter().for_each(|&side| gif.extend(short(side)));
    gif.extend([0x86, 3, 0]); // a palette of 128 colours, and a background that has no effect
    gif.extend(&global);
    let mut frames = Vec::new();
    for _ in 0..1 + random.below(5) {
        let (corner, size) = rectangle(random, screen, 1);
        let indices: Vec<u8> = (0..size[0] * size[1]).map(|_| random.below(128) as u8).collect();
        // Few colours, so that many texels are transparent.
        let few = 1 + random.below(4) as u8;
        let indices: Vec<u8> = indices.iter().map(|index| index % (few * 2)).collect();
        let transparent = random.below(2).checked_sub(1).map(|_| random.below(8) as u8);
        let local = chance(random, 2).then(|| palette(random));
        let is_interlaced = chance(random, 2);
        let method = random.below(5) as u8;
        let dispose = match method {
            2 => Dispose::Clear,
            3 | 4 => Dispose::Restore,
            _ => Dispose::Keep,
        };
        if method > 0 || transparent.is_some() || chance(random, 2) {
            let flags = method << 2 | u8::from(transparent.is_some());
            gif.extend([0x21, 0xF9, 4, flags, 10, 0, transparent.unwrap_or(1), 0]);
        }
        if chance(random, 3) {
            gif.extend(b"\x21\xFE\x03abc\x00"); // a comment
        }
        gif.push(0x2C);
        [corner, size].as_flattened().iter().for_each(|&n| gif.extend(short(n)));
        let flags = if local.is_some() { 0x86 } else { 0 };
        gif.push(flags | u8::from(is_interlaced) << 6);
        gif.extend(local.iter().flatten());
        let order: Vec<u32> =
            if is_interlaced { stored_rows(size[1]) } else { (0..size[1]).collect() };
        let row = |y: u32| &indices[(y * size[0]) as usize..][..size[0] as usize];
        let stored: Vec<u8> = order.into_iter().flat_map(row).copied().collect();
        gif.extend(lzw(&stored));
        let colors = local.as_ref().unwrap_or(&global);
        let texel = |&index: &u8| {
            let at = 3 * usize::from(index);
            let alpha = if transparent == Some(index) { 0 } else { 255 };
            [colors[at], colors[at + 1], colors[at + 2], alpha]
        };
        let texels = indices.iter().map(texel).collect();
        frames.push(Drawn { corner, size, dispose, is_blended: true, texels });
    }
    gif.push(0x3B);
    (gif, screen, frames)
}

#[test]
fn random_gif_files_are_composited_as_specified() {
    let mut random = Random::new(3);
    let files: Vec<_> = (0..cases(150, 5000)).map(|_| gif(&mut random)).collect();
    compare("random gif", "gif", ALPHA_AND_RED, &files);
}

// WebP

fn random_webp(random: &mut Random, may_be_lossy: bool) -> (Vec<u8>, [u32; 2], Vec<Drawn>) {
    let canvas = [1 + random.below(15), 1 + random.below(15)];
    // The flag for alpha may be wrong: frames have it anyway.
    let flags = if chance(random, 3) { 0x02 } else { 0x12 };
    let mut body =
        [webp::head(flags, canvas), webp::chunk(b"ANIM", &[9, 9, 9, 255, 0, 0])].concat();
    let mut frames = Vec::new();
    for _ in 0..1 + random.below(5) {
        let (corner, size) = rectangle(random, canvas, 2);
        let alpha =
            |random: &mut Random| [0, 255, 128, random.bits() as u8][random.below(4) as usize];
        let mut texels: Vec<Texel> = (0..size[0] * size[1])
            .map(|_| [random.bits() as u8, random.bits() as u8, 9, alpha(random)])
            .collect();
        let (is_blended, is_cleared) = (chance(random, 2), chance(random, 2));
        let chunks = match random.below(if may_be_lossy { 3 } else { 1 }) {
            0 => webp::lossless(size, &texels),
            1 => {
                let stored = [vec![0], texels.iter().map(|texel| texel[3]).collect()].concat();
                [webp::chunk(b"ALPH", &stored), webp::lossy(size)].concat()
            }
            _ => {
                texels.iter_mut().for_each(|texel| texel[3] = 255);
                webp::lossy(size)
            }
        };
        let flags = u8::from(is_cleared) | u8::from(!is_blended) << 1;
        body.extend(webp::frame(corner, size, flags, &[&chunks]));
        let dispose = if is_cleared { Dispose::Clear } else { Dispose::Keep };
        frames.push(Drawn { corner, size, dispose, is_blended, texels });
    }
    (webp::file(&[&body]), canvas, frames)
}

#[test]
fn random_webp_files_are_composited_as_specified() {
    let mut random = Random::new(4);
    let files: Vec<_> = (0..cases(150, 5000)).map(|_| random_webp(&mut random, false)).collect();
    compare("random webp", "webp", ALPHA_AND_RED, &files);
}

#[test]
fn lossy_frames_of_webp_have_the_alpha_of_their_own_chunk() {
    let mut random = Random::new(5);
    let files: Vec<_> = (0..cases(100, 3000)).map(|_| random_webp(&mut random, true)).collect();
    compare("lossy webp", "webp", ALPHA, &files);
}

// Single files

/// Returns a GIF of 3 x 2 texels with two frames.
fn small_gif() -> Vec<u8> {
    let mut gif = b"GIF89a\x03\0\x02\0\x86\0\0".to_vec();
    gif.extend([7; 3 * 128]);
    gif.extend(b"\x21\xF9\x04\x01\x0A\0\0\0\x2C\0\0\0\0\x03\0\x02\0\0");
    gif.extend(lzw(&[1, 0, 0, 0, 1, 0]));
    gif.extend(b"\x21\xF9\x04\x01\x0A\0\0\0\x2C\x01\0\0\0\x02\0\x02\0\0");
    gif.extend(lzw(&[0, 1, 0, 1]));
    gif.push(0x3B);
    gif
}

#[test]
fn a_gif_that_ends_too_early_keeps_its_complete_frames_and_causes_a_warning() {
    let folder = Folder::new("cut gif");
    let frames = [rows(&["#..", ".#."]), rows(&["#.#", ".##"])];
    let gif = small_gif();
    let last = gif.len() - 1;
    let (mut one, mut two) = (0, 0);
    for len in 0..=gif.len() {
        let path = folder.write("cut.gif", &gif[..len]);
        let bake = || Bake::new().sprites(&path).unwrap();
        let Ok(report) = bake().write(folder.path("cut.hitmask")) else {
            assert!(one + two == 0, "a longer file has no fewer frames than a shorter one");
            continue;
        };
        let shown = pictures(bake());
        assert!(frames.starts_with(&shown), "cut to {len}: {shown:?}");
        one += usize::from(shown.len() == 1);
        two += usize::from(shown.len() == 2);
        let mut warnings = report.warnings;
        warnings.retain(|warning| matches!(warning, Warning::Truncated { .. }));
        let expected = Warning::Truncated { sprite: "cut".to_owned(), frame: shown.len() - 1 };
        assert_eq!(warnings, if len > last { vec![] } else { vec![expected] }, "cut to {len}");
    }
    // The second frame is complete without the code for its end, the empty block and the end mark.
    assert_eq!(two, 4);
    assert!(one > 10);
}

#[test]
fn empty_blocks_between_the_blocks_of_a_gif_are_skipped() {
    let folder = Folder::new("zero blocks");
    let gif = small_gif();
    let frames = pictures(bake(folder.write("a.gif", &gif)).unwrap());
    let is_block = |&at: &usize| gif[at..].starts_with(&[0x21, 0xF9]) || at == gif.len() - 1;
    let places: Vec<usize> = (0..gif.len()).filter(is_block).collect();
    assert_eq!(places.len(), 3);
    for at in places {
        let padded = [&gif[..at], &[0, 0], &gif[at..]].concat();
        assert_eq!(pictures(bake(folder.write("a.gif", padded)).unwrap()), frames, "at {at}");
    }
}

#[test]
fn a_gif_without_a_screen_has_the_size_of_its_first_frame() {
    let folder = Folder::new("screen");
    let mut gif = small_gif();
    let frames = [rows(&["#..", ".#."]), rows(&["#.#", ".##"])];
    for screen in [[0, 0], [3, 0], [0, 2], [2, 1]] {
        [gif[6], gif[8]] = screen;
        assert_eq!(pictures(bake(folder.write("a.gif", &gif)).unwrap()), frames);
    }
    // Viewers disagree: the size of the frame, or the union of both.
    [gif[6], gif[8]] = [2, 4];
    let error = fails(&folder, bake(folder.write("a.gif", &gif)));
    let place = "frame 0 of 3 x 2 at 0,0 exceeds the screen of 2 x 4";
    assert!(error.to_string().contains(place), "{error}");
}

#[test]
fn a_png_optimised_by_xcode_is_refused_with_the_way_to_convert_it() {
    let folder = Folder::new("xcode");
    let plain = Png::new([4, 4], png::RGBA).cut();
    let png = [&plain[..8], &png::chunk(b"CgBI", &[0x50, 0, 0x20, 6]), &plain[8..]].concat();
    let said = " is optimised by Xcode (chunk CgBI), so it is not a standard PNG";
    let error = assert_refused(&folder, bake(folder.write("icon.png", png)), "Unsupported", said);
    assert!(error.help().contains("-revert-iphone-optimizations"), "{error:?}");
}

#[test]
fn an_animation_with_too_many_texels_is_refused_before_it_is_decoded() {
    const COUNT: u32 = 300;
    let folder = Folder::new("many texels");
    let mut png = Png::new([0x4000; 2], png::RGBA).animated(COUNT);
    let mut body = webp::head(0x12, [0x4000; 2]);
    for i in 0..COUNT {
        // No texels: decoding would report damage.
        let side = if i == 0 { 0x4000 } else { 1 };
        png = png.frame([[0, 0], [side; 2]], [0, 0], &[&[0]], i == 0);
        body.extend(webp::frame([0, 0], [1, 1], 0, &[&webp::chunk(b"VP8L", &[0])]));
    }
    folder.write("a.png", png.end());
    folder.write("b.webp", webp::file(&[&body]));
    for name in ["a.png", "b.webp"] {
        assert_refused(&folder, bake(folder.path(name)), "texels in all images", "");
    }
}
