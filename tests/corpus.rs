//! Real game art, from the Debian packages pingus-data and frozen-bubble-data, which are unpacked
//! into target/corpus and never committed. Too large for the default run, and not on every
//! machine: `cargo test --release --test corpus -- --ignored` runs it, and fails without the art.

use hitmask::naive::Drawing;
use hitmask::{
    AlphaRule, Angle, Atlas, Bake, Collider, Contact, Mask, Pair, Pivot, Point, Pose, PoseSet,
};
use hitmask::{Sampling, World, naive};
use hitmask_sprites::Random;
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
