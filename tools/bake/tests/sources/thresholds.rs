//! Planes by alpha threshold of every kind of source, and alpha in the ranges of colours.

use super::folder::Folder;
use crate::encode::aseprite::hero;
use crate::encode::png::{self, Png};
use hitmask::baking::TexelMasks;
use hitmask::{
    AlphaRule, Atlas, AtlasBuilder, BuildFault, Channel, ColorRange, Flip, Mask, Pivot, Pose,
    Settings, Sprite,
};
use hitmask_bake::{Bake, BakeError, Grid, LayerPlane, SourceSettings, merge};
use hitmask_scenes::Random;
use image::{Rgba, RgbaImage};
use std::fs;

const THRESHOLDS: [u8; 4] = [1, 40, 130, 255];

/// Returns an image of random colours and alphas.
fn noise(seed: u64, width: u32, height: u32) -> RgbaImage {
    let mut random = Random::new(seed);
    RgbaImage::from_fn(width, height, |_, _| Rgba([(); 4].map(|()| random.below(256) as u8)))
}

fn encoded(images: &[RgbaImage]) -> Vec<u8> {
    let size = [images[0].width(), images[0].height()];
    if let [still] = images {
        return png::still(size, still);
    }
    let frame = |png: Png, (i, image): (usize, &RgbaImage)| {
        png.whole_frame([0, 0], &png::packed(image, 4 * size[0] as usize), i == 0)
    };
    let png = Png::new(size, png::RGBA).animated(images.len() as u32);
    images.iter().enumerate().fold(png, frame).end()
}

/// Writes files of every kind.
fn art(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("still.png", encoded(&[noise(1, 70, 9)]));
    folder.write("moving.png", encoded(&[2, 3, 4].map(|seed| noise(seed, 11, 7))));
    folder.write("sheet.png", encoded(&[noise(5, 24, 16)]));
    folder.write("page.png", encoded(&[noise(6, 20, 20)]));
    let frame = |x: u32, rotated: bool| {
        format!(
            r#"{{"filename": "f{x}", "frame": {{"x":{x},"y":2,"w":5,"h":4}}, "rotated": {rotated},
            "trimmed": true, "spriteSourceSize": {{"x":1,"y":2,"w":5,"h":4}},
            "sourceSize": {{"w":8,"h":8}}}}"#
        )
    };
    let frames = [frame(0, false), frame(9, true)].join(",");
    folder
        .write("ui.json", format!(r#"{{"frames": [{frames}], "meta": {{"image": "page.png"}}}}"#));
    folder.write("hero.ase", hero(true));
    folder.write("walk_1.png", encoded(&[noise(7, 6, 6)]));
    folder.write("walk_2.png", encoded(&[noise(8, 6, 8)]));
    folder.write(
        "tiles.tsx",
        r#"<tileset name="t" tilewidth="6" tileheight="6" tilecount="1" columns="1"><tile id="0">
        <objectgroup><object id="1" x="1" y="1" width="4" height="3"/></objectgroup></tile></tileset>"#,
    );
    folder
}

/// Returns a bake of all files of [`art`], with these settings.
fn bake(folder: &Folder, settings: Settings) -> Bake {
    let rgba = noise(9, 5, 5);
    let text = "[[source]]\nfiles = [\"still.png\", \"moving.png\", \"hero.ase\", \"tiles.tsx\", \"ui.json\"]\n\
        [[source]]\nfiles = \"walk*\"\nnumbered = true\nflip = \"x\"\n";
    let masks = TexelMasks::from_rgba([5, 5], &rgba, &settings).unwrap();
    let memory = masks.into_frame(&settings);
    let layers = vec!["box".to_owned(), "glow".to_owned()];
    let planes = vec![LayerPlane { name: "shield".to_owned(), layers }];
    let bake = Bake::new().settings(SourceSettings { planes, ..settings.into() });
    let bake = bake.frames("memory", [memory], None);
    bake.manifest(folder.write("hitmask.toml", text))
        .unwrap()
        .sheets(folder.path("sheet.png"), Grid::of([8, 8]))
        .unwrap()
        .mask("mask", "##.\n.##".parse::<Mask>().unwrap())
}

fn open(bake: Bake) -> Atlas {
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    atlas.verify().unwrap();
    atlas
}

/// Asserts that the selected planes of two sprites have equal pixels in every frame and pose.
fn assert_equal(one: Sprite<'_>, other: Sprite<'_>, place: &str) {
    assert_eq!(one.frame_count(), other.frame_count());
    for frame in 0..one.frame_count() {
        for step in 0..one.angles() {
            let pose = Pose { step, scale: 0 };
            let posed = |sprite: Sprite<'_>| {
                let posed = sprite.draw(frame, pose, Flip::NONE).unwrap();
                (posed.mask, posed.origin)
            };
            assert_eq!(posed(one), posed(other), "{place} frame {frame} step {step}");
        }
    }
}

/// Asserts that each plane by threshold is the body of a bake with that alpha rule. Asserts that the
/// other planes are those of a bake without thresholds.
fn check(bake: impl Fn(&dyn Fn(&mut Settings)) -> Bake) {
    let plain = open(bake(&|_| ()));
    let atlas = open(bake(&|settings| settings.thresholds = THRESHOLDS.into()));
    let by_rule: Vec<Atlas> = THRESHOLDS
        .iter()
        .map(|&t| open(bake(&|settings| settings.alpha = AlphaRule::AtLeast(t))))
        .collect();
    assert_eq!(atlas.sprites().len(), plain.sprites().len());
    for (sprite, plain) in atlas.sprites().zip(plain.sprites()) {
        let name = sprite.name();
        // The body, the planes of layers, and the planes by threshold.
        let added = THRESHOLDS.map(|t| format!("alpha{t}"));
        let planes: Vec<&str> = plain.planes().chain(added.iter().map(String::as_str)).collect();
        assert!(sprite.planes().eq(planes), "{name}");
        assert_eq!(sprite.alpha_rule(), plain.alpha_rule());
        for plane in 0..plain.plane_count() {
            assert_equal(in_plane(sprite, plane), in_plane(plain, plane), name);
        }
        for (t, of_rule) in THRESHOLDS.iter().zip(&by_rule) {
            let plane = sprite.plane_for_threshold(*t).unwrap();
            let of_rule = of_rule.sprite(of_rule.sprite_id(name).unwrap()).unwrap();
            assert_equal(in_plane(sprite, plane), of_rule, &format!("{name} {t}"));
        }
    }
}

fn in_plane(sprite: Sprite<'_>, plane: u32) -> Sprite<'_> {
    sprite.in_plane(plane).unwrap()
}

#[test]
fn every_source_has_planes_by_threshold() {
    let folder = art("thresholds");
    let base = Settings { angles: 8, ..Settings::default() };
    let range = ColorRange { from: [0, 0, 0, 30], to: [255, 255, 120, 200] };
    let colors = Settings { exclude_color: vec![range], ..base.clone() };
    let pivot = Pivot::HalfTexels(0, 0);
    let only = Settings { only_color: vec![range], motion_frame: true, pivot, ..base.clone() };
    let red = Settings { channel: Channel::Red, ..base.clone() };
    for settings in [base.clone(), colors, only, red] {
        check(|change| {
            let mut settings = settings.clone();
            change(&mut settings);
            bake(&folder, settings)
        });
    }
    for (resolution, compact) in [(2.0, false), (0.5, true)] {
        check(|change| {
            let mut settings = base.clone();
            change(&mut settings);
            bake(&folder, settings).resolution(resolution).compact(compact)
        });
    }
}

#[test]
fn the_cache_and_shards_include_the_thresholds() {
    let folder = art("threshold-cache");
    let of = |thresholds: &[u8]| {
        let settings = Settings { angles: 4, thresholds: thresholds.into(), ..Settings::default() };
        bake(&folder, settings)
    };
    let output = folder.path("a.hitmask");
    let write = |thresholds: &[u8]| {
        let report = of(thresholds).cache(folder.path("cache")).write(&output).unwrap();
        assert!(fs::read(&output).unwrap() == of(thresholds).to_bytes().unwrap());
        (report.kept, report.sprites, report.written)
    };
    let (_, sprites, _) = write(&[40, 130]);
    assert_eq!(write(&[40, 130]), (sprites, sprites, false));
    assert_eq!(write(&[40]), (0, sprites, true));
    assert_eq!(write(&[41]), (0, sprites, true));
    assert!(!of(&[42]).cache(folder.path("cache")).check(&output).unwrap().is_fresh);
    let shards = [1, 2, 3].map(|i| {
        let path = folder.path(&format!("shard-{i}"));
        of(&[40, 130]).shard(i, 3).write(&path).unwrap();
        path
    });
    let merged = folder.path("merged.hitmask");
    merge(&merged, &shards, hitmask::AtlasOptions::DEFAULT).unwrap();
    assert!(fs::read(&merged).unwrap() == of(&[40, 130]).to_bytes().unwrap());
}

#[test]
fn a_manifest_sets_thresholds_and_colours_with_alpha() {
    let folder = Folder::new("threshold-keys");
    let texels = [[255, 0, 0, 255], [255, 0, 0, 90], [9, 9, 9, 200], [9, 9, 9, 60]];
    let image = RgbaImage::from_raw(4, 1, texels.concat()).unwrap();
    for name in ["a.png", "b.png"] {
        folder.write(name, encoded(std::slice::from_ref(&image)));
    }
    let manifest = |keys: &str| {
        let text = format!(
            "[defaults]\nalpha = 50\nangles = 1\nthresholds = [200, 80]\n\
             [[source]]\nfiles = \"*.png\"\n[[source]]\nfiles = \"b.png\"\n{keys}"
        );
        super::folder::manifest(&folder, text)
    };
    let shown = |keys: &str| -> Vec<(String, u64)> {
        let atlas = open(manifest(keys).unwrap());
        let b = atlas.sprite(atlas.sprite_id("b").unwrap()).unwrap();
        let count = |plane| {
            let plane = in_plane(b, plane);
            plane.posed(0, Pose::default(), Flip::NONE).unwrap().mask.count()
        };
        b.planes().map(str::to_owned).zip((0..).map(count)).collect()
    };
    let named = |counts: &[(&str, u64)]| -> Vec<(String, u64)> {
        counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    };
    assert_eq!(shown(""), named(&[("body", 4), ("alpha80", 3), ("alpha200", 2)]));
    assert_eq!(shown("thresholds = 255"), named(&[("body", 4), ("alpha255", 1)]));
    assert_eq!(shown("thresholds = []"), named(&[("body", 4)]));
    let body = |keys: &str| shown(keys)[0].1;
    assert_eq!(body("exclude_color = \"#ff0000\""), 2);
    assert_eq!(body("exclude_color = \"#ff00005a\""), 3);
    assert_eq!(body("exclude_color = \"#000000..#ffffff64\""), 2);
    assert_eq!(body("exclude_color = \"#00000050..#ffffff\""), 1);
    assert_eq!(body("only_color = [\"#ff0000ff\", \"#09090900..#0909093c\"]"), 2);
    assert_eq!(body("only_color = \"#ff0000\"\nexclude_color = \"#ff00005a\""), 1);
}

#[test]
fn thresholds_are_no_names_of_other_planes_and_at_most_255_planes_in_all() {
    let folder = Folder::new("threshold-errors");
    let path = folder.write("hero.ase", hero(false));
    let of_file = |thresholds: &[u8], plane: &str| {
        let planes = vec![LayerPlane { name: plane.to_owned(), layers: vec!["box".to_owned()] }];
        let sprite = Settings { thresholds: thresholds.into(), ..Settings::default() };
        let settings = SourceSettings { planes, ..sprite.into() };
        Bake::new().settings(settings).sprites(&path).unwrap().to_bytes()
    };
    // Masks in memory with planes of their own.
    let in_memory = |thresholds: &[u8], names: [&str; 2]| {
        let masks = [["#".parse::<Mask>().unwrap(), "#".parse().unwrap()]];
        let bake = AtlasBuilder::new().thresholds(thresholds).planes("a", names, masks).unwrap();
        bake.to_bytes().map_err(BakeError::from)
    };
    let refused = |bytes: Result<Vec<u8>, BakeError>, said: &str| {
        let error = crate::built(bytes.unwrap_err());
        assert!(
            error.fault == BuildFault::Thresholds && error.to_string().contains(said),
            "{error}"
        );
    };
    refused(of_file(&[3, 32], "alpha32"), "\"alpha32\"");
    refused(in_memory(&[9], ["body", "alpha9"]), "\"alpha9\"");
    // The body, the shield and 253 thresholds are 255 planes.
    let all: Vec<u8> = (1..=254).collect();
    assert!(of_file(&all[..253], "shield").is_ok() && in_memory(&[10], ["body", "alpha9"]).is_ok());
    refused(of_file(&all, "shield"), "256 planes");
    refused(in_memory(&all, ["a", "b"]), "256 planes");
}

#[test]
fn a_bake_records_the_rule_that_made_a_sprite_in_memory() {
    // The alpha rule is changed after the sprite was added.
    let alpha = [100, 200];
    let bake = AtlasBuilder::new().alpha(AlphaRule::AtLeast(90)).alpha_bytes("a", 2, 1, &alpha);
    let bake = bake.unwrap().alpha(AlphaRule::AtLeast(220));
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    assert_eq!(sprite.alpha_rule(), AlphaRule::AtLeast(90));
    assert_eq!(sprite.plane_for_threshold(90), Some(0));
    assert_eq!(sprite.plane_for_threshold(150), None);
}
