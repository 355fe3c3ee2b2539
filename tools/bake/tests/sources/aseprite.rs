//! Aseprite files, assembled chunk by chunk.

mod rules;

use super::folder::{Folder, assert_refused, bake, baked, fails, pictures, rows, source};
use crate::encode::aseprite::*;
use crate::encode::zlib;
use hitmask_bake::{Bake, BakeFault, LayerPlane, SourceSettings};

const FRAMES: [[&str; 3]; 3] =
    [["....", "##..", "##.."], ["....", "##..", "##.."], ["....", "....", "...#"]];

#[test]
fn frames_are_composited_from_the_visible_layers() {
    let folder = Folder::new("ase");
    let path = folder.write("hero.aseprite", hero(false));
    let shown = |pivots: [[i32; 2]; 3]| -> Vec<_> {
        FRAMES.iter().zip(pivots).map(|(frame, pivot)| (rows(frame), pivot)).collect()
    };
    // Opacity 200 is above the alpha threshold; 50 and the layer's 100 are below it.
    let all = shown([[4, 3], [6, -2], [6, -2]]);
    assert_eq!(baked(bake(&path).unwrap()), [("hero".to_owned(), all.clone())]);
    let lower = bake(&path).unwrap().alpha(hitmask::AlphaRule::AtLeast(90));
    assert_eq!(pictures(lower)[0], rows(&["####", "##..", "##.."]));
    let path = folder.write("hero.ase", hero(true));
    assert_eq!(
        baked(bake(&path).unwrap()),
        [("hero/idle".to_owned(), all[..1].to_vec()), ("hero/walk".to_owned(), all[1..].to_vec())]
    );
    // A folder matches Aseprite files too.
    let sprites = bake(folder.path("")).unwrap().write(folder.path("a.hitmask")).unwrap().sprites;
    assert_eq!(sprites, 3);
}

#[test]
fn a_rectangle_keeps_the_pivots_and_the_tags() {
    let folder = Folder::new("ase-rect");
    folder.write("hero.ase", hero(true));
    folder.write("untagged.ase", hero(false));
    let shown = |file: &str, keys: &str| baked(source(&folder, file, keys).unwrap());
    let whole = "rect = [0, 0, 4, 3]";
    for file in ["hero.ase", "untagged.ase"] {
        for keys in ["tags = true", "tags = false"] {
            assert_eq!(shown(file, &format!("{keys}\n{whole}")), shown(file, keys), "{file}");
        }
    }
    // The first frame has no pivot, so it takes the centre of the rectangle.
    let frame = |rows_of: [&str; 3], pivot| (rows(&rows_of), pivot);
    let walk = vec![frame(["...", "#..", "#.."], [4, -2]), frame(["...", "...", "..#"], [4, -2])];
    let idle = vec![frame(["...", "#..", "#.."], [3, 3])];
    let sprites = [("hero/idle".to_owned(), idle), ("hero/walk".to_owned(), walk)];
    assert_eq!(shown("hero.ase", "rect = [1, 0, 3, 3]"), sprites);
}

#[test]
fn a_grid_refuses_the_pivot_of_a_whole_image() {
    let folder = Folder::new("ase-grid");
    let image = || vec![layer("body", true, false, 0, 255), cel(0, [0, 0], 255, &["#.##"; 3])];
    let grid = hitmask_bake::Grid::of([2, 3]);
    let sheet = |chunks: Vec<Vec<u8>>| {
        let chunks = [chunks, vec![tags(&[("all", 0, 0)])]].concat();
        Bake::new().sheets(folder.write("a.ase", file(&[chunks])), grid)
    };
    let sprites = baked(sheet(image()).unwrap());
    assert_eq!((sprites[0].0.as_str(), sprites[0].1.len()), ("a", 2), "a grid has no tags");
    // From frame 0 on: number of keys, flags, and the other fields of a slice.
    let numbers = [1, 2, 0].map(i32::to_le_bytes).concat();
    let key = [0, 1, 0, 1, 1, 1, 1].map(i32::to_le_bytes).concat();
    let pivot = chunk(0x2022, &[numbers, text("grip"), key].concat());
    assert_refused(
        &folder,
        sheet([image(), vec![pivot]].concat()),
        "Unsupported",
        "a pivot for the whole image",
    );
}

#[test]
fn a_plane_is_drawn_from_the_selected_layers_visible_or_hidden() {
    let folder = Folder::new("layers");
    let path = folder.write("hero.ase", hero(false));
    let body = |layers: &[&str]| {
        let layers = layers.iter().map(|&layer| layer.to_owned()).collect();
        let planes = vec![LayerPlane { name: "body".to_owned(), layers }];
        Bake::new().settings(SourceSettings { planes, ..SourceSettings::default() }).sprites(&path)
    };
    assert_eq!(pictures(body(&["box"]).unwrap())[0], rows(&["..##", "..##", "...."]));
    assert_eq!(pictures(body(&["box", "body"]).unwrap())[0], rows(&["..##", "####", "##.."]));
    // A group selects the layers in it.
    assert_eq!(pictures(body(&["sketches"]).unwrap())[0], rows(&["####"; 3]));
    let error = assert_refused(&folder, body(&["bocks"]), "NotFound", " has no layer \"bocks\"");
    assert_eq!(error.help(), "choose one of its layers: body, glow, box, sketches, sketch");
}

/// Returns the planes of each frame of the only sprite of a bake, by name, as text without clear rows
/// around.
fn planes_of(bake: Bake) -> Vec<Vec<(String, u64, [i32; 4])>> {
    let atlas = hitmask::Atlas::from_vec(bake.angles(1).to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    let of_frame = |frame| {
        let plane = |(i, name): (u32, &str)| {
            let plane = sprite.in_plane(i).unwrap();
            let pose = hitmask::Pose::default();
            let posed = plane.posed(frame, pose, hitmask::Flip::NONE).unwrap();
            let corner = sprite.pivot(frame).unwrap().map(|half| half.div_euclid(2));
            let (x, y) = (posed.origin.x + corner[0], posed.origin.y + corner[1]);
            let (width, height) = (posed.mask.width() as i32, posed.mask.height() as i32);
            (name.to_owned(), posed.mask.count(), [x, y, width, height])
        };
        (0..).zip(sprite.planes()).map(plane).collect()
    };
    (0..sprite.frame_count()).map(of_frame).collect()
}

#[test]
fn slices_and_layers_are_planes_that_change_over_frames() {
    let folder = Folder::new("ase-slices");
    let body = || layer("body", true, false, 0, 255);
    let bytes = file(&[
        vec![
            body(),
            layer("hurtbox", false, false, 0, 255),
            cel(0, [0, 0], 255, &["####"]),
            cel(1, [0, 1], 255, &["##"]),
            // From frame 1 on, wider in frame 2, hidden in frame 3.
            named_slice("hitbox", &[(1, [2, 1, 1, 2]), (2, [1, 1, 3, 1]), (3, [0, 0, 0, 0])]),
            named_slice("other", &[(0, [0, 0, 4, 3])]),
            // Partly outside the canvas.
            named_slice("edge", &[(0, [3, 2, 9, 9])]),
            // Two slices of one name.
            named_slice("two", &[(0, [0, 0, 1, 1])]),
            named_slice("two", &[(0, [3, 0, 1, 1])]),
        ],
        vec![cel(0, [0, 0], 255, &["####"]), cel(1, [2, 2], 255, &["##"])],
        vec![cel(0, [0, 0], 255, &["####"])],
        vec![cel(0, [0, 0], 255, &["####"])],
    ]);
    let path = folder.write("hero.aseprite", bytes);
    let manifest = |keys: &str| source(&folder, "hero.aseprite", keys);
    let keys = "planes = { hurtbox = \"hurtbox\" }\nslices = [\"hitbox\", \"edge\", \"two\"]";
    let frames = planes_of(manifest(keys).unwrap());
    let shown = |frame: usize, plane: usize| {
        let (name, count, rect) = &frames[frame][plane];
        (name.as_str(), *count, *rect)
    };
    for frame in 0..4 {
        assert_eq!(shown(frame, 0), ("body", 4, [0, 0, 4, 1]));
        assert_eq!(shown(frame, 3), ("edge", 1, [3, 2, 1, 1]));
        assert_eq!(shown(frame, 4), ("two", 2, [0, 0, 4, 1]));
    }
    let hurt = [0, 1].map(|frame| shown(frame, 1));
    assert_eq!(hurt, [("hurtbox", 2, [0, 1, 2, 1]), ("hurtbox", 2, [2, 2, 2, 1])]);
    assert_eq!([2, 3].map(|frame| shown(frame, 1).1), [0, 0]);
    assert_eq!(shown(1, 2), ("hitbox", 2, [2, 1, 1, 2]));
    assert_eq!(shown(2, 2), ("hitbox", 3, [1, 1, 3, 1]));
    assert_eq!([0, 3].map(|frame| shown(frame, 2).1), [0, 0]);
    // By settings, and moved with a frame that grows, but not grown.
    let settings = SourceSettings { slices: vec!["hitbox".into()], grow: 1, ..Default::default() };
    let grown = planes_of(Bake::new().sprites_with(&path, settings).unwrap());
    assert_eq!(grown[2][1], ("hitbox".to_owned(), 3, [2, 2, 3, 1]));
    assert_eq!(grown[2][0].1, 4 + 2 * 4 + 2);
    for (keys, fault, cause, help) in [
        ("slices = \"hit\"", BakeFault::NotFound, "has no slice \"hit\"", "hitbox, other, edge"),
        ("slices = \"body\"", BakeFault::Option, "two planes \"body\"", "rename"),
        ("slices = [\"two\", \"two\"]", BakeFault::Option, "two planes \"two\"", "rename"),
        (
            "planes = { two = \"body\" }\nslices = \"two\"",
            BakeFault::Option,
            "two planes \"two\"",
            "rename",
        ),
    ] {
        let error = fails(&folder, manifest(keys));
        assert!(error.fault == fault && error.to_string().contains(cause), "{keys}: {error}");
        assert!(error.help().contains(help), "{}", error.help());
    }
}

#[test]
fn malformed_files_are_rejected() {
    let folder = Folder::new("ase-bad");
    let refused = |name: &str, bytes: &[u8]| {
        let error = fails(&folder, bake(folder.write("bad.ase", bytes)));
        let named = error.to_string().contains("bad.ase");
        let is_known = matches!(error.fault, BakeFault::Damaged | BakeFault::Unsupported);
        assert!(is_known && named, "{name}: {error}");
    };
    let body = || layer("body", true, false, 0, 255);
    refused("no frames", &file(&[]));
    refused("a missing layer", &file(&[vec![body(), cel(1, [0, 0], 255, &["#"])]]));
    refused("a link to itself", &file(&[vec![body(), linked(0, 0)]]));
    refused("cyclic links", &file(&[vec![body(), linked(0, 1)], vec![linked(0, 0)]]));
    refused("a link to a missing frame", &file(&[vec![body(), linked(0, 9)]]));
    refused("a reversed tag", &file(&[vec![body(), tags(&[("bad", 1, 0)])]]));
    let vast = [cel_head(0, [0, 0], 255, 2), vec![0xFF; 4], zlib(&[])].concat();
    refused("a huge cel", &file(&[vec![body(), chunk(0x2005, &vast)]]));
    let raw = [cel_head(0, [0, 0], 255, 0), vec![2, 0, 2, 0, 1]].concat();
    refused("a short cel", &file(&[vec![body(), chunk(0x2005, &raw)]]));
    let tiles = [cel_head(0, [0, 0], 255, 3), vec![0; 32]].concat();
    refused("tiles", &file(&[vec![body(), chunk(0x2005, &tiles)]]));
    refused(
        "a cel of unknown type",
        &file(&[vec![body(), chunk(0x2005, &cel_head(0, [0, 0], 255, 7))]]),
    );
    let mut indexed = hero(false);
    indexed[12] = 8;
    refused("no palette", &indexed);
    let mut deep = hero(false);
    deep[12] = 7;
    refused("an unknown depth", &deep);
    assert_refused(
        &folder,
        bake(folder.write("t.ase", file(&[vec![tags(&[("bad", 0, 1)])]]))),
        "Malformed",
        ": tag \"bad\" has frames 0 to 1 of 1",
    );
    // 2,000 empty frames of 16,384 pixels a side: a small file that would exhaust the memory.
    let mut many = file(&vec![Vec::new(); 2000]);
    many[8..12].copy_from_slice(&[0, 0x40, 0, 0x40]);
    assert_refused(&folder, bake(folder.write("m.ase", &many)), "texels in all images", "");
    many[8..12].copy_from_slice(&[0, 0x80, 0, 0x40]);
    assert_refused(&folder, bake(folder.write("m.ase", &many)), "pixels a side", "");
}

#[test]
fn two_tags_of_one_name_are_one_if_they_have_the_same_frames() {
    let folder = Folder::new("ase-same-tag");
    let of = |second: (&str, u16, u16)| {
        let tags = tags(&[("fall", 1, 1), ("idle", 0, 0), second]);
        let first = vec![layer("body", true, false, 0, 255), tags, cel(0, [0, 0], 255, &["#"])];
        bake(folder.write("t.ase", file(&[first, vec![cel(0, [1, 1], 255, &["#"])]])))
    };
    let sprites = baked(of(("fall", 1, 1)).unwrap());
    let shown: Vec<_> = sprites.iter().map(|(name, of)| (name.as_str(), of.len())).collect();
    assert_eq!(shown, [("t/fall", 1), ("t/idle", 1)]);
    let text = ": two tags are named \"fall\", of frames 1 to 1 and 0 to 1";
    assert_refused(&folder, of(("fall", 0, 1)), "SameName", text);
}
