//! Tests on real game art from the Debian packages pingus-data, frozen-bubble-data, teeworlds-data,
//! chromium-bsu-data and tiled. The packages are unpacked into target/corpus and never committed.
//! They are ignored by default, because the art is large and may be missing. `cargo test --release
//! --test bake corpus -- --ignored` runs them and fails without the art.

use hitmask::reference::Drawing;
use hitmask::{
    AlphaRule, Atlas, Certainty, Flip, Mask, MaskRef, Mass, Pivot, Point, Pose, PosePair, PoseSet,
    Sampling, Simd, reference,
};
use hitmask_bake::Bake;
use hitmask_scenes::{Folder, Random};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "the tests of shapes use the rest")]
#[path = "../../../tests/shapes/check.rs"]
mod check;

const FOLDERS: [&str; 2] = ["pingus", "frozen-bubble"];
const ANGLES: u32 = 64;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus/usr/share/games")
}

fn atlas() -> Atlas {
    let bake = FOLDERS.iter().fold(Bake::new().angles(ANGLES), |bake, folder| {
        bake.sprites(games().join(folder))
            .expect("unpack the two packages into target/corpus first")
    });
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    assert!(atlas.sprites().len() > 1000, "only {} sprites", atlas.sprites().len());
    atlas
}

/// Returns the mask of an image, decoded independently of the bake.
fn source(name: &str) -> Mask {
    let files = FOLDERS.iter().flat_map(|folder| {
        ["png", "gif", "jpg"].map(|ending| games().join(folder).join(format!("{name}.{ending}")))
    });
    let path = files.into_iter().find(|path| path.exists());
    let image = image::open(path.unwrap()).unwrap().to_rgba8();
    Mask::from_rgba(image.width(), image.height(), image.as_raw(), AlphaRule::default()).unwrap()
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn every_pose_of_a_sample_equals_the_reference_rasteriser() {
    let atlas = atlas();
    atlas.verify().unwrap();
    let poses = PoseSet::new(ANGLES, [1.0]).unwrap();
    let mut random = Random::new(1);
    let sprites: Vec<_> = atlas.sprites().collect();
    for _ in 0..60 {
        let sprite = sprites[random.below(sprites.len() as u32) as usize];
        let source = source(sprite.name());
        for step in 0..ANGLES {
            let pose = Pose { step, scale: 0 };
            let drawing = Drawing::new(&source, Pivot::Center, Sampling::Nearest, &poses, pose);
            let (truth, back) = (drawing.unwrap().posed(), (ANGLES - step) % ANGLES);
            let shown =
                |step, x, y| sprite.posed(0, Pose { step, scale: 0 }, Flip { x, y }).unwrap();
            let at = format!("{}, step {step}", sprite.name());
            assert_eq!(shown(step, false, false), truth.as_ref(), "{at}");
            assert_eq!(shown(back, true, false), truth.flip_x().as_ref(), "flip x of {at}");
            assert_eq!(shown(back, false, true), truth.flip_y().as_ref(), "flip y of {at}");
        }
    }
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn a_compact_atlas_of_real_art_takes_1_percent_and_expands_to_the_full_atlas() {
    for folder in FOLDERS {
        let bake = || Bake::new().angles(ANGLES).sprites(games().join(folder)).unwrap();
        let whole = bake().to_bytes().unwrap();
        let compact = bake().compact(true).to_bytes().unwrap();
        let times = whole.len() / compact.len();
        println!("{folder}: {times} times smaller, {} of {}", compact.len(), whole.len());
        assert!(times >= 100, "{folder}: {times} times smaller");
        assert!(Atlas::from_vec(compact).unwrap().drawn().unwrap().as_bytes() == whole, "{folder}");
    }
}

/// Returns random pairs of posed sprites whose boxes overlap. A quarter of the sprites are flipped.
fn random_pairs(atlas: &Atlas, seed: u64, count: usize) -> Vec<(PosePair, [MaskRef<'_>; 2])> {
    let mut random = Random::new(seed);
    let sprites = atlas.sprites().len() as u32;
    let mut pairs = Vec::with_capacity(count);
    while pairs.len() < count {
        let mut pick = || {
            let sprite = atlas.sprite(hitmask::SpriteId::new(random.below(sprites))).unwrap();
            let pose = Pose { step: random.below(ANGLES), scale: 0 };
            let flip = random.below(4) == 0;
            let id = sprite.pose_id(0, pose, Flip { x: flip, y: false }).unwrap();
            (id, sprite.posed(0, pose, Flip { x: flip, y: false }).unwrap().mask)
        };
        let ((a, mask_a), (b, mask_b)) = (pick(), pick());
        let is_usable = |mask: MaskRef<'_>| (1..=300).contains(&mask.width().max(mask.height()));
        if is_usable(mask_a) && is_usable(mask_b) {
            let mut within = |a: u32, b: u32| random.within(1 - b as i32, a as i32);
            let x = within(mask_a.width(), mask_b.width());
            let y = within(mask_a.height(), mask_b.height());
            let offset = Point::new(x, y);
            pairs.push((PosePair { a, b, offset }, [mask_a, mask_b]));
        }
    }
    pairs
}

/// Tests pixel by pixel whether a pixel is set in both masks.
fn meets([a, b]: [MaskRef<'_>; 2], offset: Point) -> bool {
    let span = |a: u32, b: u32, at: i32| at.max(0)..(a as i32).min(at + b as i32);
    let (columns, rows) =
        (span(a.width(), b.width(), offset.x), span(a.height(), b.height(), offset.y));
    rows.into_iter()
        .any(|y| columns.clone().any(|x| a.get(x, y) && b.get(x - offset.x, y - offset.y)))
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn ten_million_pairs_of_real_sprites_equal_the_reference() {
    const CHUNK: usize = 100_000;
    let atlas = atlas();
    let hits: usize = (0..100_u64)
        .into_par_iter()
        .map(|seed| {
            let pairs = random_pairs(&atlas, seed, CHUNK);
            let queries: Vec<PosePair> = pairs.iter().map(|(pair, _)| *pair).collect();
            // Uses each instruction set in turn, on the same distribution of pairs.
            let levels = Simd::available();
            let mut batch = atlas.batch().with_simd(levels[seed as usize % levels.len()]);
            let mut answers = vec![false; CHUNK];
            batch.touches(&queries, &mut answers);
            for ((pair, masks), answer) in pairs.iter().zip(&answers) {
                assert_eq!(*answer, meets(*masks, pair.offset), "{pair:?}, {batch:?}");
            }
            // The other queries run on 2% of the pairs, because their reference visits every pixel.
            let part = &queries[..CHUNK / 50];
            let mut contacts = vec![None; part.len()];
            batch.contact(part, &mut contacts);
            for ((pair, [a, b]), contact) in pairs.iter().zip(contacts) {
                assert_eq!(contact, reference::contact(*a, *b, pair.offset), "{pair:?}");
                let certain = a.coarse(*b, pair.offset);
                assert!(certain != Certainty::No || contact.is_none(), "{pair:?}");
                assert!(certain != Certainty::Yes || contact.is_some(), "{pair:?}");
            }
            answers.into_iter().filter(|answer| *answer).count()
        })
        .sum();
    assert!((2_000_000..9_000_000).contains(&hits), "unexpected share of hits: {hits}");
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn all_images_of_four_games_bake_with_defaults() {
    let ending = |path: &Path| path.extension().map(|e| e.to_str().unwrap().to_owned());
    for game in ["pingus", "frozen-bubble", "teeworlds", "chromium-bsu"] {
        let bake = Bake::new().angles(1).sprites(games().join(game)).expect("unpack the packages");
        let folder = Folder::new(game);
        let output = folder.path("sprites.hitmask");
        let report = bake.write(&output).unwrap();
        Atlas::open(&output).unwrap().verify().unwrap();
        let all = files(&games().join(game));
        let count = |wanted: &str| {
            all.iter().filter(|path| ending(path).as_deref() == Some(wanted)).count()
        };
        assert_eq!(report.sprites, count("png") + count("gif") + count("jpg"), "{game}");
        assert!(report.sprites > 60, "{game} has only {} images", report.sprites);
    }
}

/// Parses a Pingus `.sprite` file: the image, and its array, position and size if given.
fn sprite_file(text: &str) -> (String, [[u32; 2]; 3]) {
    let after = |word: &str| text.split_once(&format!("({word} ")).map(|(_, after)| after);
    let image = after("image").unwrap().split('"').nth(1).unwrap().to_owned();
    let pair = |word: &str, default: [u32; 2]| {
        let Some(after) = after(word) else { return default };
        let mut numbers = after.split([' ', ')']).filter(|part| !part.is_empty());
        [0, 1].map(|_| numbers.next().unwrap().parse().unwrap())
    };
    (image, [pair("array", [1, 1]), pair("position", [0, 0]), pair("size", [0, 0])])
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn a_manifest_cuts_the_sheets_of_pingus_like_its_sprite_files() {
    let root = games().join("pingus/data/images");
    let (mut manifest, mut expected) =
        (format!("root = {:?}\n", root.to_str().unwrap()), Vec::new());
    for path in files(&root).iter().filter(|path| path.extension().is_some_and(|e| e == "sprite")) {
        let (image, [array, position, size]) = sprite_file(&std::fs::read_to_string(path).unwrap());
        // Paths in .sprite files may contain `..`, those of a manifest may not.
        let Ok(image) = path.with_file_name(image).canonicalize() else { continue };
        let image = image.strip_prefix(root.canonicalize().unwrap()).unwrap().to_owned();
        if size[0] == 0 || image.extension().is_none_or(|e| e != "png") {
            continue;
        }
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let ([columns, rows], [x, y], [w, h]) = (array, position, size);
        // Some files state more frames than their image has.
        let taken = if rows == 1 { columns } else { 1 };
        let (wide, high) = image::image_dimensions(root.join(&image)).unwrap();
        if x + taken * w > wide || y + h > high {
            continue;
        }
        manifest += &format!("[[source]]\nfiles = {image:?}\nname = {name:?}\nangles = 1\n");
        // Takes one row of the array, because later rows of a wider sheet may belong to other
        // sprites.
        manifest +=
            &format!("grid = {{ tile = [{w}, {h}], margin = [{x}, {y}], count = {} }}\n", taken);
        expected.push((name, root.join(image), array, position, size));
    }
    assert!(expected.len() > 70, "only {} sheets", expected.len());
    let folder = Folder::new("pingus");
    let bake = Bake::new().manifest(folder.write("hitmask.toml", manifest));
    let atlas = Atlas::from_vec(bake.unwrap().to_bytes().unwrap()).unwrap();
    for (name, image, [columns, rows], [x, y], [w, h]) in expected {
        let sprite = atlas.sprite(atlas.sprite_id(&name).unwrap()).unwrap();
        assert_eq!(sprite.frame_count(), if rows == 1 { columns } else { 1 }, "{name}");
        let image = image::open(image).unwrap().to_rgba8();
        for frame in 0..sprite.frame_count() {
            assert_eq!(sprite.frame_size(frame), Some([w, h]));
            let tile = image::imageops::crop_imm(&image, x + frame * w, y, w, h).to_image();
            let rule = AlphaRule::default();
            let truth = Mask::from_rgba(w, h, tile.as_raw(), rule).unwrap().trimmed().0;
            let shown = sprite.posed(frame, Pose::default(), Flip::NONE).unwrap();
            assert_eq!(shown.mask, truth.as_ref(), "{name}, frame {frame}");
        }
    }
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn the_example_tilesets_of_tiled_are_read() {
    let examples = games().join("../doc/tiled/examples");
    let found: Vec<_> = files(&examples)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "tsx"))
        .collect();
    assert!(found.len() >= 3, "only {} tilesets", found.len());
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        let count = text.split("tilecount=\"").nth(1).and_then(|after| after.split('"').next());
        let bake = Bake::new().angles(1).sprites(&path).unwrap();
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let frames = atlas.sprites().next().unwrap().frame_count();
        // Older files do not state the number of tiles.
        let count = count.map_or(frames, |count| count.parse().unwrap());
        assert!(frames == count && frames > 1, "{}", path.display());
    }
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn real_aseprite_files_equal_the_output_of_their_loader() {
    use aseprite_loader::loader::{AsepriteFile, LayerSelection};
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus/aseprite");
    let found = files(&folder);
    assert!(found.len() >= 7, "only {} files", found.len());
    for path in found {
        let bytes = std::fs::read(&path).unwrap();
        let file = AsepriteFile::load(&bytes).unwrap();
        let (width, height) = file.size();
        let mut canvas = vec![0; 4 * usize::from(width) * usize::from(height)];
        let truth = |frame: usize, canvas: &mut Vec<u8>| {
            canvas.fill(0);
            file.render_frame(frame, canvas, &LayerSelection::Visible).unwrap();
            let rule = AlphaRule::default();
            Mask::from_rgba(width.into(), height.into(), canvas, rule).unwrap().trimmed().0
        };
        // A file with tags gives one sprite per tag, in order of their names.
        let mut tags: Vec<_> =
            file.tags().iter().map(|t| (t.name.clone(), t.range.clone())).collect();
        if tags.is_empty() {
            tags.push((String::new(), 0..=file.frames().len() as u16 - 1));
        }
        let bake = Bake::new().angles(1).sprites(&path).unwrap();
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        assert_eq!(atlas.sprites().len(), tags.len(), "{}", path.display());
        for (tag, range) in tags {
            let named = |name: &str| tag.is_empty() || name.ends_with(&format!("/{tag}"));
            let sprite = atlas.sprites().find(|sprite| named(sprite.name())).unwrap();
            assert_eq!(sprite.frame_count() as usize, range.len());
            for (i, frame) in range.enumerate() {
                let shown = sprite.posed(i as u32, Pose::default(), Flip::NONE).unwrap();
                let truth = truth(frame.into(), &mut canvas);
                assert_eq!(shown.mask, truth.as_ref(), "{}, frame {frame}", path.display());
            }
        }
    }
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn shapes_of_real_art_are_valid_and_their_pieces_are_the_shape() {
    let atlas = atlas();
    let small = |mask: &Mask| mask.width().max(mask.height()) <= 96;
    let masks: Vec<Mask> =
        atlas.sprites().map(|sprite| source(sprite.name())).filter(small).collect();
    assert!(masks.len() > 400, "only {} masks", masks.len());
    masks.par_iter().for_each(|mask| {
        for error in [0.5, 1.0, 2.0, 4.0, 8.0] {
            let shape = mask.shape(error).unwrap();
            check::assert_valid(&shape.polygons(), mask);
            let pieces = shape.pieces();
            let areas = pieces.pieces.iter().map(|piece| Mass::of([&piece[..]]).area);
            let whole = areas.sum::<f64>() + pieces.left_out_area;
            assert!((whole - shape.mass().area).abs() < 1e-6, "{error}\n{mask}");
        }
    });
}
