//! Settings that change the masks of any source, regions and grids of images, and images that look
//! like sheets.

use super::folder::{Folder, bake, baked, fails, png, rows, source};
use hitmask::{GrowShape, Mask, Pivot, Settings, Warning};
use hitmask_bake::{Anchor, Bake, BakeError, BakeFault, SourceSettings};

const RING: [&str; 6] = ["........", ".####...", ".#..###.", ".#..#.#.", ".######.", "........"];

fn manifest(folder: &Folder, keys: &str) -> Result<Bake, BakeError> {
    source(folder, "ring.png", keys)
}

#[test]
fn masks_grow_shrink_and_lose_their_holes_as_by_the_calls_of_mask() {
    let folder = Folder::new("shape");
    let path = folder.write("ring.png", png(&RING));
    let mask: Mask = RING.join("\n").parse().unwrap();
    for (fill_holes, shrink, grow) in
        [(true, 0, 0), (false, 1, 0), (false, 0, 1), (false, 0, 3), (true, 1, 0), (true, 1, 2)]
    {
        let mut expected = mask.clone();
        if fill_holes {
            expected.fill_holes();
        }
        if shrink > 0 {
            expected = expected.shrunk(shrink, GrowShape::Disc);
        }
        if grow > 0 {
            expected = expected.grown(grow, GrowShape::Disc).unwrap();
        }
        // The centre of 8 x 6 texels, and the corner, each moved by the radius.
        let moved = 2 * grow as i32;
        let shown = |pivot: [i32; 2]| vec![(expected.to_string(), pivot.map(|at| at + moved))];
        let keys = format!("fill_holes = {fill_holes}\nshrink = {shrink}\ngrow = {grow}");
        let by_manifest = |pivot: &str| manifest(&folder, &format!("{keys}\n{pivot}")).unwrap();
        assert_eq!(baked(by_manifest(""))[0].1, shown([8, 6]), "{keys}");
        assert_eq!(baked(by_manifest("pivot = [0, 1]"))[0].1, shown([0, 2]), "{keys}");
        assert_eq!(baked(by_manifest("pivot = \"bottom\""))[0].1, shown([8, 12]), "{keys}");
        let of_bake = |bake: Bake| bake.fill_holes(fill_holes).shrink(shrink).grow(grow);
        let by_setters = of_bake(bake(&path).unwrap().pivot(Pivot::HalfTexels(3, 5)));
        assert_eq!(baked(by_setters)[0].1, shown([3, 5]), "{keys}");
        let settings = SourceSettings { fill_holes, shrink, grow, ..SourceSettings::default() };
        let by_settings = Bake::new().sprites_with(&path, settings).unwrap();
        assert_eq!(baked(by_settings)[0].1, shown([8, 6]), "{keys}");
        // Masks in memory have the same settings.
        let in_memory = of_bake(Bake::new().mask("ring", mask.clone()));
        assert_eq!(baked(in_memory)[0].1, shown([8, 6]), "{keys}");
    }
    // Each source has its own.
    folder.write("b.png", png(&["##", "##"]));
    let text = "[defaults]\ngrow = 1\n[[source]]\nfiles = \"ring.png\"\ngrow = 0\n\
        [[source]]\nfiles = \"b.png\"\n";
    let sprites = baked(super::folder::manifest(&folder, text).unwrap());
    assert_eq!(sprites[0].1[0].0, rows(&[".##.", "####", "####", ".##."]));
    assert_eq!(sprites[1].1[0].0, rows(&RING));
}

#[test]
fn every_plane_grows_and_a_second_bake_keeps_only_equal_settings() {
    let folder = Folder::new("shape-planes");
    let path = folder.write("dot.png", png(&["...", ".#.", "..."]));
    let bake = |grow| {
        let settings = Settings { thresholds: vec![200], ..Settings::default() };
        let settings = SourceSettings { grow, ..settings.into() };
        Bake::new().cache(folder.path("a.cache")).sprites_with(&path, settings).unwrap()
    };
    let (output, plus) = (folder.path("a.hitmask"), 5);
    for (grow, kept, count) in [(1, 0, plus), (1, 1, plus), (0, 0, 1)] {
        let report = bake(grow).write(&output).unwrap();
        assert_eq!(report.kept, kept, "{grow}");
        let atlas = hitmask::Atlas::open(&output).unwrap();
        let sprite = atlas.sprites().next().unwrap();
        for plane in 0..2 {
            let sprite = sprite.in_plane(plane).unwrap();
            let posed = sprite.posed(0, hitmask::Pose::default(), hitmask::Flip::NONE).unwrap();
            assert_eq!(posed.mask.count(), count, "plane {plane}, grown by {grow}");
        }
    }
}

#[test]
fn a_frame_that_grows_beyond_the_limit_is_refused() {
    let folder = Folder::new("shape-limits");
    let wide = Mask::new(hitmask::MAX_SIDE, 1).unwrap();
    let error = fails(&folder, Ok(Bake::new().mask("wide", wide).grow(1)));
    assert!(matches!(error.fault, BakeFault::OverLimit { .. }), "{error}");
    assert!(error.to_string().contains("\"wide\", frame 0 has 32767 x 1 pixels"), "{error}");
}

#[test]
fn an_anchor_is_a_pivot_that_follows_the_size_of_the_frame() {
    let folder = Folder::new("shape-anchor");
    let path = folder.write("ring.png", png(&RING));
    let anchor: Anchor = "bottom-right".parse().unwrap();
    assert_eq!(baked(bake(&path).unwrap().anchor(anchor))[0].1[0].1, [16, 12]);
    // The last call decides.
    let last = bake(&path).unwrap().anchor(Anchor::Bottom).pivot(Pivot::HalfTexels(1, 1));
    assert_eq!(baked(last)[0].1[0].1, [1, 1]);
}

/// Returns a sheet of `columns` x `rows` figures, each a disc that moves and changes its size a little.
fn walker(columns: usize, rows: usize, tile: usize, frames: usize) -> Vec<u8> {
    let solid = |x: usize, y: usize| {
        let i = x / tile + y / tile * columns;
        let [dx, dy] = [x % tile, y % tile].map(|at| at as f64 + 0.5 - tile as f64 / 2.0);
        let radius = tile as f64 * (0.3 + 0.02 * (i % 4) as f64);
        let sway = (i % 3) as f64 - 1.0;
        i < frames && (dx - sway).hypot(dy) < radius
    };
    let row = |y: usize| -> String {
        (0..columns * tile).map(|x| if solid(x, y) { '#' } else { '.' }).collect()
    };
    let picture: Vec<String> = (0..rows * tile).map(row).collect();
    png(&picture.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_image_that_looks_like_a_sheet_gives_a_warning_with_the_grid_to_write() {
    let folder = Folder::new("shape-guess");
    let output = folder.path("a.hitmask");
    let write = |bake: Bake| bake.angles(4).write(&output).unwrap().warnings;
    for (columns, rows, tile, frames) in [(8, 2, 32, 16), (6, 1, 24, 6), (4, 2, 16, 7)] {
        let path = folder.write("walker.png", walker(columns, rows, tile, frames));
        let side = tile as u32;
        let expected =
            Warning::Sheet { sprite: "walker".to_owned(), tile: [side; 2], frames: frames as u32 };
        let help = expected.help();
        assert_eq!(write(bake(&path).unwrap()), [expected], "{columns} x {rows}");
        let written = format!("grid = {{ tile = [{side}, {side}] }}");
        assert!(help.contains(&format!("--grid {side}x{side},")) && help.contains(&written));
        let found = write(source(&folder, "walker.png", &written).unwrap());
        assert!(found.iter().all(|warning| matches!(warning, Warning::Empty { .. })), "{found:?}");
        // A cache keeps the warning.
        let cached = || bake(&path).unwrap().cache(folder.path("a.cache"));
        assert_eq!(write(cached()), write(cached()));
    }
    // Single figures, two figures, a figure across the border, and figures that differ.
    for (columns, rows, frames) in [(1, 1, 1), (2, 1, 2), (4, 1, 2)] {
        let path = folder.write("walker.png", walker(columns, rows, 32, frames));
        assert_eq!(write(bake(path).unwrap()), [], "{columns} x {rows}");
    }
    let mut wide = vec!["................................................".to_owned(); 16];
    wide[8].replace_range(2..46, &"#".repeat(44));
    wide[9].replace_range(2..46, &"#".repeat(44));
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    assert_eq!(write(bake(folder.write("wide.png", png(&wide))).unwrap()), []);
}

#[test]
fn the_pixels_of_all_poses_are_limited_before_any_is_drawn() {
    let folder = Folder::new("shape-cost");
    let path = folder.write("big.png", png(&["#".repeat(256).as_str(); 256]));
    let scales = [60.0, 61.0, 62.0, 63.0, 64.0];
    for keep_going in [false, true] {
        let bake = Bake::new().keep_going(keep_going).scales(scales).compact(true);
        let error = match bake.sprites(&path).unwrap().write(folder.path("a.hitmask")) {
            Ok(report) => report.failures[0].1.clone(),
            Err(error) => error,
        };
        assert_eq!(super::folder::quantity(&error), "pixels in all poses");
        // 256 x 256 texels at 64 angles, times the squares of the scales.
        let needed = 256 * 256 * 64 * (3600 + 3721 + 3844 + 3969 + 4096_u64);
        assert!(error.to_string().contains(&format!("takes {needed} pixels")), "{error}");
        let help = error.help();
        assert!(help.contains("max_pose_pixels") && help.contains("--limit-pose-pixels"), "{help}");
        assert_eq!(error.place.sprite.as_deref(), Some("big"));
    }
    // The box of solid texels counts, not the canvas.
    let mut sparse = vec![".".repeat(256); 256];
    sparse[9] = format!("{}#{}", ".".repeat(100), ".".repeat(155));
    let sparse: Vec<&str> = sparse.iter().map(String::as_str).collect();
    let path = folder.write("sparse.png", png(&sparse));
    assert!(bake(path).unwrap().scales(scales).compact(true).to_bytes().is_ok());
}
