//! The bake from files to an atlas: names, sharing, warnings and progress.

mod budget;
mod corpus;
mod encode;
mod errors;
mod incremental;
mod keep_going;
mod last_good;
mod levels;
mod shards;
mod sources;
mod texts;
mod unicode;

use hitmask::baking::Frame;
use hitmask::{Atlas, BuildError, Mask, Sampling, Settings, Warning};
use hitmask_bake::{Bake, BakeError, BakeFault};
use hitmask_scenes::Folder;
use image::{Rgba, RgbaImage};
use std::path::PathBuf;

/// Writes a square image, solid except for part of one column. Images of different sizes have
/// different pixels.
fn image(folder: &Folder, name: &str, side: u32) -> PathBuf {
    let alpha = |x, y| if x == side / 2 && y < side / 2 { 0 } else { 255 };
    folder.write(name, encode::png::of_alpha([side, side], alpha))
}

/// Returns a frame with these planes.
fn planes<const N: usize>(planes: [(&str, Mask); N]) -> Frame {
    Frame::of_planes(planes.map(|(name, mask)| (name.to_owned(), mask)).into())
}

/// Returns the error of the builder within that of a bake.
fn built(error: BakeError) -> BuildError {
    match error.fault {
        BakeFault::Build(error) => *error,
        _ => panic!("{error}"),
    }
}

fn names(bake: &Bake) -> Vec<String> {
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    atlas.verify().unwrap();
    atlas.sprites().map(|s| s.name().to_owned()).collect()
}

#[test]
fn the_bytes_do_not_depend_on_order_or_threads() {
    let folder = Folder::new("order");
    for (i, name) in ["c", "a", "b/x", "b/y", "d"].iter().enumerate() {
        image(&folder, &format!("{name}.png"), 5 + i as u32);
    }
    let one_way = Bake::new().sprites(folder.path("")).unwrap().to_bytes().unwrap();
    let files = ["d.png", "c.png", "a.png"].map(|name| folder.path(name));
    let other_way = files
        .iter()
        .fold(Bake::new(), |bake, file| bake.sprites(file).unwrap())
        .sprites(folder.path("**/[xy].png"))
        .unwrap();
    assert_eq!(other_way.to_bytes().unwrap(), one_way);
    for threads in [1, 2, 3, 16] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let bytes =
            pool.install(|| Bake::new().sprites(folder.path("")).unwrap().to_bytes().unwrap());
        assert_eq!(bytes, one_way, "{threads} threads");
    }
}

#[test]
fn equal_images_share_their_masks_and_unequal_settings_do_not() {
    let folder = Folder::new("shared");
    for name in ["a", "b", "c"] {
        image(&folder, &format!("{name}.png"), 40);
    }
    let one = Bake::new().sprites(folder.path("a.png")).unwrap().write(folder.path("one")).unwrap();
    let three =
        Bake::new().sprites(folder.path("*.png")).unwrap().write(folder.path("three")).unwrap();
    assert_eq!((one.sprites, one.shared_frames, one.poses), (1, 0, 64));
    assert_eq!((three.sprites, three.shared_frames, three.poses), (3, 2, 3 * 64));
    assert!(three.bytes < one.bytes + 512, "equal sprites add only names and records");
    let stored = |name| Atlas::open(folder.path(name)).unwrap().pose_count();
    assert_eq!((stored("one"), stored("three")), (64, 64), "shared poses are stored once");
    let other = Settings { angles: 32, ..Settings::default() };
    let mixed = Bake::new().sprites(folder.path("a.png")).unwrap();
    let mixed = mixed.sprites_with(folder.path("b.png"), other).unwrap();
    assert_eq!(mixed.write(folder.path("mixed")).unwrap().shared_frames, 0);
    assert_eq!(stored("mixed"), 64 + 32);
}

#[test]
fn empty_sprites_are_baked_with_warnings() {
    let folder = Folder::new("warnings");
    RgbaImage::new(4, 4).save(folder.path("blank.png")).unwrap();
    image(&folder, "ship.png", 3);
    RgbaImage::from_pixel(5, 4, Rgba([255; 4])).save(folder.path("wide.png")).unwrap();
    let bake = Bake::new().sprites(folder.path("")).unwrap();
    let report = bake.write(folder.path("out")).unwrap();
    let sprite = |name: &str| name.to_owned();
    assert_eq!(report.warnings, [Warning::Empty { sprite: sprite("blank"), frame: 0 }]);
    let full = Warning::Opaque { sprite: sprite("wide") };
    assert_eq!(report.hints, [full], "5 x 4 texels have a centre as any other size");
    let atlas = Atlas::open(folder.path("out")).unwrap();
    atlas.verify().unwrap();
    assert_eq!(atlas.sprite(atlas.sprite_id("wide").unwrap()).unwrap().pivot(0), Some([5, 4]));
}

#[test]
fn progress_ends_at_the_number_of_sprites() {
    use std::sync::{Arc, Mutex};
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let mask = hitmask::Mask::new(3, 3).unwrap();
    let bake = (0..700).fold(Bake::new().angles(1), |b, i| b.mask(format!("{i:03}"), mask.clone()));
    let bake = bake.progress(move |done, all| sink.lock().unwrap().push((done, all)));
    bake.to_bytes().unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!((seen[0], *seen.last().unwrap()), ((0, 700), (700, 700)));
    assert!(seen.len() > 3 && seen.is_sorted(), "{seen:?}");
}

#[test]
fn coverage_is_recorded_and_differs_from_nearest() {
    let folder = Folder::new("coverage");
    let ship = image(&folder, "ship.png", 31);
    let bake =
        |sampling| Bake::new().sprites(&ship).unwrap().sampling(sampling).to_bytes().unwrap();
    let (nearest, coverage) = (bake(Sampling::Nearest), bake(Sampling::Coverage25));
    assert_ne!(nearest, coverage);
    let atlas = Atlas::from_vec(coverage).unwrap();
    assert_eq!(atlas.sprites().next().unwrap().sampling(), Sampling::Coverage25);
}
