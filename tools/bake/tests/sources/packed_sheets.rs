//! Random frames, trimmed, rotated and packed on several pages by the tests' own code, one pixel at a
//! time. In every pose they must equal the same frames as plain masks, in each sheet format.

use super::folder::{Folder, bake, png};
use crate::encode::sheets::{self, Packed};
use hitmask::{Atlas, Flip, Mask};
use hitmask_bake::Bake;
use hitmask_scenes::Random;

/// An untrimmed frame, as rows of bits.
type Picture = Vec<Vec<bool>>;

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

/// Bakes 4 sheets of random frames, which `write` describes in a file. Asserts that the frames equal the
/// untrimmed ones.
fn check(
    format: &str,
    pages: usize,
    turns: &[usize],
    write: impl Fn(&Folder, u64, &[Packed]) -> &'static str,
) {
    for seed in 0..4 {
        let folder = Folder::new(&format!("truth-{format}-{seed}"));
        let mut random = Random::new(seed);
        let pictures = pictures(&mut random);
        let packed = pack(&folder, &mut random, &pictures, pages, turns);
        let name = write(&folder, seed, &packed);
        let prefix = name.split_once('.').unwrap().0;
        assert_same(bake(folder.path(name)).unwrap(), prefix, &packed, &pictures);
    }
}

#[test]
fn packed_json_frames_equal_the_untrimmed_ones_in_every_pose() {
    check("json", PAGES, &[0, 1], |folder, _, packed| {
        for page in 0..PAGES {
            let own = packed.iter().filter(|frame| frame.page == page);
            let frames: Vec<String> = own.map(sheets::packed_entry).collect();
            let others = (0..PAGES).filter(|&other| other != page);
            let related: Vec<String> = others.map(|page| format!("\"m-{page}.json\"")).collect();
            let meta = format!(r#", "related_multi_packs": [{}]"#, related.join(","));
            let json = sheets::json(&frames, &format!("{page}.png"), &meta);
            folder.write(&format!("m-{page}.json"), json);
        }
        "m-1.json"
    });
}

#[test]
fn packed_libgdx_regions_equal_the_untrimmed_ones_in_every_pose() {
    check("gdx", PAGES, &[0, 1, 2, 3], |folder, seed, packed| {
        let mut text = String::new();
        for page in 0..PAGES {
            text += &format!("\n{page}.png\nsize: 96,384\nfilter: Nearest,Nearest\n");
            for (i, frame) in packed.iter().enumerate().filter(|(_, frame)| frame.page == page) {
                // Counter-clockwise; the old format has words.
                let rotate = [["false", "270", "180", "90"], ["0", "270", "180", "true"]];
                text += &sheets::region(frame, seed % 2 == 0, rotate[i % 2][frame.turns]);
            }
        }
        folder.write("p.atlas", text);
        "p.atlas"
    });
}

#[test]
fn packed_starling_textures_equal_the_untrimmed_ones_in_every_pose() {
    check("xml", 1, &[0, 1], |folder, _, packed| {
        let textures: Vec<String> = packed.iter().map(sheets::packed_texture).collect();
        folder.write("p.xml", sheets::starling("imagePath=\"0.png\"", &textures));
        "p.xml"
    });
}

#[test]
fn packed_cocos2d_frames_equal_the_untrimmed_ones_in_every_pose() {
    check("plist", 1, &[0, 1], |folder, seed, packed| {
        let (format, more) = [(2, ""), (3, "<key>aliases</key><array/>")][seed as usize % 2];
        folder.write("p.plist", sheets::plist(format, "0.png", packed, more));
        "p.plist"
    });
}
