//! Real game art, from the Debian packages pingus-data and frozen-bubble-data, which are unpacked
//! into target/corpus and never committed. Too large for the default run, and not on every
//! machine: `cargo test --release --test corpus -- --ignored` runs it, and fails without the art.

use hitmask::naive::Drawing;
use hitmask::{
    AlphaRule, Angle, Atlas, Bake, Certainty, Collider, Contact, Mask, MaskRef, Pair, Pivot, Point,
    Pose, PosePair, PoseSet, Sampling, Simd, World, naive,
};
use hitmask_sprites::Random;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 2] = ["pingus", "frozen-bubble"];
const ANGLES: u32 = 64;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus/usr/share/games")
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

/// The mask of an image, decoded apart from the bake.
fn source(name: &str) -> Mask {
    let path =
        FOLDERS.iter().map(|f| games().join(f).join(format!("{name}.png"))).find(|p| p.exists());
    let image = image::open(path.unwrap()).unwrap().to_rgba8();
    Mask::from_rgba(image.width(), image.height(), image.as_raw(), AlphaRule::default()).unwrap()
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn every_pose_of_a_sample_equals_the_naive_raster() {
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
            let shown = |step, x, y| sprite.posed(0, Pose { step, scale: 0 }, x, y).unwrap();
            let at = format!("{}, step {step}", sprite.name());
            assert_eq!(shown(step, false, false), truth.as_ref(), "{at}");
            assert_eq!(shown(back, true, false), truth.flip_x().as_ref(), "flip x of {at}");
            assert_eq!(shown(back, false, true), truth.flip_y().as_ref(), "flip y of {at}");
        }
    }
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn random_scenes_equal_brute_force_pair_for_pair_and_area_for_area() {
    let atlas = atlas();
    let mut touches = 0;
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut world = World::new(atlas.clone());
        let mut all = Vec::new();
        for _ in 0..120 {
            let sprite = hitmask::SpriteId::new(random.below(atlas.sprites().len() as u32));
            let [w, h] = atlas.get(sprite).unwrap().frame_size(0).unwrap();
            if w.max(h) > 300 {
                continue;
            }
            let mut coordinate = || random.unit() * 900.0 - 450.0;
            let collider = Collider::new(sprite)
                .at([coordinate(), coordinate()])
                .turned(random.unit() * 40.0 - 20.0)
                .flipped(random.below(3) == 0, random.below(3) == 0);
            all.push((world.insert(collider).unwrap(), drawn(&atlas, &collider)));
        }
        world.update();
        let mut truth = Vec::new();
        for (i, (a, (first, at_first))) in all.iter().enumerate() {
            for (b, (second, at_second)) in &all[i + 1..] {
                let offset = [at_second.x - at_first.x, at_second.y - at_first.y];
                let contact = naive::contact(first.as_ref(), second.as_ref(), offset);
                let pair = Pair { a: *a, b: *b };
                let world_contact = contact.map(|c| Contact {
                    rect: c.rect.translated(*at_first),
                    point: Point::new(c.point.x + at_first.x, c.point.y + at_first.y),
                    ..c
                });
                assert_eq!(world.contact(&pair), world_contact);
                truth.extend(contact.map(|_| pair));
            }
        }
        assert_eq!(world.touching(), truth);
        touches += truth.len();
    }
    assert!(touches > 1000, "only {touches} touches");
}

/// A collider's mask by the naive raster and by flips of its pixels, and where its corner lies.
fn drawn(atlas: &Atlas, collider: &Collider) -> (Mask, Point) {
    let source = source(atlas.get(collider.sprite).unwrap().name());
    let poses = PoseSet::new(ANGLES, [1.0]).unwrap();
    let Angle::Radians(angle) = collider.angle else { panic!("scenes turn by radians") };
    let step = Angle::Radians(angle).step(ANGLES).unwrap();
    let mirrored = collider.flip_x != collider.flip_y;
    let pose = Pose { step: if mirrored { (ANGLES - step) % ANGLES } else { step }, scale: 0 };
    let mut posed =
        Drawing::new(&source, Pivot::Center, Sampling::Nearest, &poses, pose).unwrap().posed();
    if collider.flip_x {
        posed = posed.flip_x();
    }
    if collider.flip_y {
        posed = posed.flip_y();
    }
    let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
    (posed.mask, Point::new(x + posed.origin.x, y + posed.origin.y))
}

/// Random pairs of posed sprites whose boxes overlap; a quarter of them upside down.
fn random_pairs(atlas: &Atlas, seed: u64, count: usize) -> Vec<(PosePair, [MaskRef<'_>; 2])> {
    let mut random = Random::new(seed);
    let sprites = atlas.sprites().len() as u32;
    let mut pairs = Vec::with_capacity(count);
    while pairs.len() < count {
        let mut pick = || {
            let sprite = atlas.get(hitmask::SpriteId::new(random.below(sprites))).unwrap();
            let pose = Pose { step: random.below(ANGLES), scale: 0 };
            let flip = random.below(4) == 0;
            let id = sprite.pose_id(0, pose, flip, false).unwrap();
            (id, sprite.posed(0, pose, flip, false).unwrap().mask)
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

/// True where a pixel is set in both, looked up pixel by pixel until one is found.
fn meets([a, b]: [MaskRef<'_>; 2], offset: Point) -> bool {
    let span = |a: u32, b: u32, at: i32| at.max(0)..(a as i32).min(at + b as i32);
    let (columns, rows) =
        (span(a.width(), b.width(), offset.x), span(a.height(), b.height(), offset.y));
    rows.into_iter()
        .any(|y| columns.clone().any(|x| a.get(x, y) && b.get(x - offset.x, y - offset.y)))
}

#[test]
#[ignore = "needs the art in target/corpus; .ci/run fetches it and runs this"]
fn ten_million_pairs_of_real_sprites_equal_the_truth() {
    const CHUNK: usize = 100_000;
    let atlas = atlas();
    let hits: usize = (0..100_u64)
        .into_par_iter()
        .map(|seed| {
            let pairs = random_pairs(&atlas, seed, CHUNK);
            let asked: Vec<PosePair> = pairs.iter().map(|(pair, _)| *pair).collect();
            // Each instruction set in turn: together they see the same kinds of pairs.
            let levels = Simd::available();
            let mut batch = atlas.batch().with_simd(levels[seed as usize % levels.len()]);
            let mut answers = vec![false; CHUNK];
            batch.touches(&asked, &mut answers);
            for ((pair, masks), answer) in pairs.iter().zip(&answers) {
                assert_eq!(*answer, meets(*masks, pair.offset), "{pair:?}, {:?}", batch.simd());
            }
            // The rest of the queries on a part, since their truth looks at every pixel.
            let part = &asked[..CHUNK / 50];
            let mut contacts = vec![None; part.len()];
            batch.contact(part, &mut contacts);
            for ((pair, [a, b]), contact) in pairs.iter().zip(contacts) {
                assert_eq!(contact, naive::contact(*a, *b, pair.offset), "{pair:?}");
                let certain = a.coarse(*b, pair.offset);
                assert!(certain != Certainty::No || contact.is_none(), "{pair:?}");
                assert!(certain != Certainty::Yes || contact.is_some(), "{pair:?}");
            }
            answers.into_iter().filter(|answer| *answer).count()
        })
        .sum();
    assert!((2_000_000..9_000_000).contains(&hits), "{hits} hits: not the mix it should be");
}
