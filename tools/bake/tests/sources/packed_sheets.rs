//! Random frames, trimmed, rotated and packed on several pages by the tests' own code, one pixel at a
//! time. In every pose they must equal the same frames as plain masks, in each sheet format.

use super::folder::{Folder, bake, png};
use hitmask::{Atlas, Flip, Mask};
use hitmask_bake::Bake;
use hitmask_scenes::Random;
use std::fmt::Write;

/// An untrimmed frame, as rows of bits.
type Picture = Vec<Vec<bool>>;

/// A frame on its page.
struct Packed {
    name: String,
    page: usize,
    /// Corner on the page.
    x: usize,
    y: usize,
    /// Size and corner of the trimmed image in the frame.
    w: usize,
    h: usize,
    left: usize,
    top: usize,
    /// Size of the untrimmed frame.
    size: [usize; 2],
    /// Quarter turns clockwise on the page.
    turns: usize,
}

const PAGES: usize = 3;

/// Returns the smallest part of a picture that holds all solid pixels, or one pixel if none is.
fn trimmed(picture: &Picture) -> (usize, usize, Picture) {
    let solid: Vec<(usize, usize)> = (0..picture.len())
        .flat_map(|y| (0..picture[0].len()).map(move |x| (x, y)))
        .filter(|&(x, y)| picture[y][x])
        .collect();
    let range = |of: fn(&(usize, usize)) -> usize| {
        let low = solid.iter().map(of).min().unwrap_or(0);
        low..solid.iter().map(of).max().unwrap_or(0) + 1
    };
    let (xs, ys) = (range(|p| p.0), range(|p| p.1));
    let rows = picture[ys.clone()].iter().map(|row| row[xs.clone()].to_vec());
    (xs.start, ys.start, rows.collect())
}

/// Turns a picture clockwise by a quarter: its left column becomes its top row, reversed.
fn turned(picture: &Picture) -> Picture {
    let column = |x: usize| picture.iter().rev().map(|row| row[x]).collect();
    (0..picture[0].len()).map(column).collect()
}

/// Packs pictures in rows on several pages. `turns` are the rotations that the format has.
fn pack(
    folder: &Folder,
    random: &mut Random,
    pictures: &[Picture],
    pages: usize,
    turns: &[usize],
) -> Vec<Packed> {
    const SIDE: usize = 96;
    let mut drawn = vec![vec![vec![false; SIDE]; SIDE * 4]; pages];
    let mut next = vec![(0, 0, 0); pages];
    let mut packed = Vec::new();
    for (i, picture) in pictures.iter().enumerate() {
        let (left, top, upright) = trimmed(picture);
        let quarter = turns[random.below(turns.len() as u32) as usize];
        let image = (0..quarter).fold(upright.clone(), |image, _| turned(&image));
        let page = random.below(pages as u32) as usize;
        let (mut x, mut y, mut height) = next[page];
        if x + image[0].len() > SIDE {
            (x, y, height) = (0, y + height, 0);
        }
        for (j, row) in image.iter().enumerate() {
            drawn[page][y + j][x..x + row.len()].copy_from_slice(row);
        }
        next[page] = (x + image[0].len(), y, height.max(image.len()));
        packed.push(Packed {
            name: format!("f{i:02}"),
            page,
            x,
            y,
            w: upright[0].len(),
            h: upright.len(),
            left,
            top,
            size: [picture[0].len(), picture.len()],
            turns: quarter,
        });
    }
    for (page, rows) in drawn.iter().enumerate() {
        let text = |row: &Vec<bool>| row.iter().map(|&b| if b { '#' } else { '.' }).collect();
        let rows: Vec<String> = rows.iter().map(text).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        folder.write(&format!("{page}.png"), png(&rows));
    }
    packed
}

fn pictures(random: &mut Random) -> Vec<Picture> {
    let mut picture = || {
        let [width, height] = [1 + random.below(20), 1 + random.below(20)];
        // Margins on all sides, and few solid pixels, so that trimming takes off something.
        let [left, top] = [random.below(width), random.below(height)];
        let mut row = |y| {
            let mut pixel = |x| x >= left && y >= top && random.below(3) == 0;
            (0..width).map(&mut pixel).collect()
        };
        (0..height).map(&mut row).collect()
    };
    (0..30).map(|_| picture()).collect()
}

/// Asserts that a bake of the sheet equals one of the untrimmed pictures, in every pose.
fn assert_same(sheet: Bake, prefix: &str, packed: &[Packed], pictures: &[Picture]) {
    let mut plain = Bake::new();
    for (frame, picture) in packed.iter().zip(pictures) {
        let mut mask = Mask::new(frame.size[0] as u32, frame.size[1] as u32).unwrap();
        for (y, row) in picture.iter().enumerate() {
            for (x, &solid) in row.iter().enumerate() {
                mask.set(x as i32, y as i32, solid);
            }
        }
        plain = plain.mask(format!("{prefix}/{}", frame.name), mask);
    }
    let open = |bake: Bake| Atlas::from_vec(bake.angles(16).to_bytes().unwrap()).unwrap();
    let (sheet, plain) = (open(sheet), open(plain));
    let names = |atlas: &Atlas| atlas.sprites().map(|s| s.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&sheet), names(&plain));
    for (a, b) in sheet.sprites().zip(plain.sprites()) {
        assert_eq!((a.frame_size(0), a.pivot(0)), (b.frame_size(0), b.pivot(0)), "{}", a.name());
        for angle in 0..16 {
            let pose = hitmask::Pose { step: angle, ..hitmask::Pose::default() };
            let [a_posed, b_posed] = [a, b].map(|s| s.posed(0, pose, Flip::NONE).unwrap());
            assert_eq!(a_posed.origin, b_posed.origin, "{} at {angle}", a.name());
            assert_eq!(a_posed.mask.to_mask(), b_posed.mask.to_mask(), "{} at {angle}", a.name());
        }
    }
}

#[test]
fn packed_json_frames_equal_the_untrimmed_ones_in_every_pose() {
    for seed in 0..4 {
        let (folder, mut random) = (Folder::new(&format!("truth-json-{seed}")), Random::new(seed));
        let pictures = pictures(&mut random);
        let packed = pack(&folder, &mut random, &pictures, PAGES, &[0, 1]);
        for page in 0..PAGES {
            let mut text = String::new();
            for frame in packed.iter().filter(|frame| frame.page == page) {
                let Packed { name, x, y, w, h, left, top, size, turns, .. } = frame;
                let separator = if text.is_empty() { "" } else { "," };
                write!(
                    text,
                    r#"{separator}"{name}.png": {{"frame": {{"x":{x},"y":{y},"w":{w},"h":{h}}},
                    "rotated": {}, "trimmed": true,
                    "spriteSourceSize": {{"x":{left},"y":{top},"w":{w},"h":{h}}},
                    "sourceSize": {{"w":{},"h":{}}}}}"#,
                    *turns == 1,
                    size[0],
                    size[1]
                )
                .unwrap();
            }
            let related: Vec<String> =
                (0..PAGES).filter(|&p| p != page).map(|p| format!("\"m-{p}.json\"")).collect();
            let meta = format!(
                r#"{{"image": "{page}.png", "related_multi_packs": [{}]}}"#,
                related.join(",")
            );
            let json = format!(r#"{{"frames": {{{text}}}, "meta": {meta}}}"#);
            folder.write(&format!("m-{page}.json"), json);
        }
        assert_same(bake(folder.path("m-1.json")).unwrap(), "m-1", &packed, &pictures);
    }
}

#[test]
fn packed_libgdx_regions_equal_the_untrimmed_ones_in_every_pose() {
    for seed in 0..4 {
        let (folder, mut random) = (Folder::new(&format!("truth-gdx-{seed}")), Random::new(seed));
        let pictures = pictures(&mut random);
        let packed = pack(&folder, &mut random, &pictures, PAGES, &[0, 1, 2, 3]);
        let mut text = String::new();
        for page in 0..PAGES {
            write!(text, "\n{page}.png\nsize: 96,384\nfilter: Nearest,Nearest\n").unwrap();
            for (i, frame) in packed.iter().enumerate().filter(|(_, frame)| frame.page == page) {
                let Packed { name, x, y, w, h, left, top, size: [width, height], turns, .. } =
                    frame;
                let bottom = height - h - top;
                // Counter-clockwise; the old format has words.
                let rotate = [["false", "270", "180", "90"], ["0", "270", "180", "true"]];
                let rotate = rotate[i % 2][*turns];
                if seed % 2 == 0 {
                    writeln!(
                        text,
                        "{name}\n  rotate: {rotate}\n  xy: {x}, {y}\n  size: {w}, {h}\n  \
                        orig: {width}, {height}\n  offset: {left}, {bottom}\n  index: -1"
                    )
                } else {
                    writeln!(
                        text,
                        "{name}\nbounds:{x},{y},{w},{h}\noffsets:{left},{bottom},{width},{height}\n\
                        rotate:{rotate}"
                    )
                }
                .unwrap();
            }
        }
        let path = folder.write("p.atlas", text);
        assert_same(bake(path).unwrap(), "p", &packed, &pictures);
    }
}

#[test]
fn packed_starling_textures_equal_the_untrimmed_ones_in_every_pose() {
    for seed in 0..4 {
        let (folder, mut random) = (Folder::new(&format!("truth-xml-{seed}")), Random::new(seed));
        let pictures = pictures(&mut random);
        let packed = pack(&folder, &mut random, &pictures, 1, &[0, 1]);
        let mut text = "<?xml version=\"1.0\"?>\n<TextureAtlas imagePath=\"0.png\">\n".to_owned();
        for frame in &packed {
            let Packed { name, x, y, w, h, left, top, size: [width, height], turns, .. } = frame;
            // The size on the page.
            let (w, h) = if *turns == 1 { (h, w) } else { (w, h) };
            let rotated = if *turns == 1 { " rotated=\"true\"" } else { "" };
            writeln!(
                text,
                "<SubTexture name=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" \
                frameX=\"-{left}\" frameY=\"-{top}\" frameWidth=\"{width}\" \
                frameHeight=\"{height}\"{rotated}/>"
            )
            .unwrap();
        }
        text.push_str("</TextureAtlas>\n");
        assert_same(bake(folder.write("p.xml", text)).unwrap(), "p", &packed, &pictures);
    }
}

#[test]
fn packed_cocos2d_frames_equal_the_untrimmed_ones_in_every_pose() {
    for seed in 0..4 {
        let (folder, mut random) = (Folder::new(&format!("truth-plist-{seed}")), Random::new(seed));
        let pictures = pictures(&mut random);
        let packed = pack(&folder, &mut random, &pictures, 1, &[0, 1]);
        let format = 2 + seed % 2;
        let mut frames = String::new();
        for frame in &packed {
            let Packed { name, x, y, w, h, left, top, size: [width, height], turns, .. } = frame;
            // From centre to centre, y up.
            let right = (2 * left + w) as f64 / 2.0 - *width as f64 / 2.0;
            let up = *height as f64 / 2.0 - (2 * top + h) as f64 / 2.0;
            let rotated = *turns == 1;
            let entries = if format == 2 {
                format!(
                    "<key>frame</key><string>{{{{{x},{y}}},{{{w},{h}}}}}</string>\
                    <key>offset</key><string>{{{right},{up}}}</string>\
                    <key>rotated</key><{rotated}/>\
                    <key>sourceColorRect</key><string>{{{{{left},{top}}},{{{w},{h}}}}}</string>\
                    <key>sourceSize</key><string>{{{width},{height}}}</string>"
                )
            } else {
                format!(
                    "<key>aliases</key><array/>\
                    <key>spriteOffset</key><string>{{{right},{up}}}</string>\
                    <key>spriteSize</key><string>{{{w},{h}}}</string>\
                    <key>spriteSourceSize</key><string>{{{width},{height}}}</string>\
                    <key>textureRect</key><string>{{{{{x},{y}}},{{{w},{h}}}}}</string>\
                    <key>textureRotated</key><{rotated}/>"
                )
            };
            writeln!(frames, "<key>{name}.png</key><dict>{entries}</dict>").unwrap();
        }
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST \
            1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\"><dict>\
            <key>frames</key><dict>{frames}</dict><key>metadata</key><dict><key>format</key>\
            <integer>{format}</integer><key>textureFileName</key><string>0.png</string></dict></dict>\
            </plist>"
        );
        assert_same(bake(folder.write("p.plist", text)).unwrap(), "p", &packed, &pictures);
    }
}
