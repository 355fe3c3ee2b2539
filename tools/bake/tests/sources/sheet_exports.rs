//! Sheets as tools export them with less common options: multi-packs, polygons, split layers, several
//! files, frames left out, hidden slices, and region names with colons.

use super::folder::{Folder, assert_refused, bake, baked, fails, png, quantity, source};
use crate::encode::sheets::{self, Packed, entry, json, tags};
use hitmask_bake::{Bake, BakeFault};
use std::path::PathBuf;

/// A page of 2 x 2 frames. Frame `i` has the bits of `i + 1` as its pixels.
fn strip(folder: &Folder, name: &str, count: usize) -> PathBuf {
    let row = |y: usize| -> String {
        let pixel = |x: usize| (x / 2 + 1) >> (x % 2 + 2 * y) & 1 == 1;
        (0..2 * count).map(|x| if pixel(x) { '#' } else { '.' }).collect()
    };
    let (top, bottom) = (row(0), row(1));
    folder.write(name, png(&[&top, &bottom]))
}

/// Returns the number of the frame of [`strip`] that a picture shows.
fn number(picture: &str) -> usize {
    let bits = picture.chars().filter(|c| *c != '\n').enumerate();
    bits.map(|(i, c)| usize::from(c == '#') << i).sum::<usize>().wrapping_sub(1)
}

/// Returns the sprites with the numbers of their frames.
fn numbers(bake: Bake) -> Vec<(String, Vec<usize>)> {
    let frames = |frames: Vec<(String, [i32; 2])>| {
        frames.iter().map(|(picture, _)| number(picture)).collect()
    };
    baked(bake).into_iter().map(|(name, shown)| (name, frames(shown))).collect()
}

fn expected(sprites: &[(&str, &[usize])]) -> Vec<(String, Vec<usize>)> {
    sprites.iter().map(|(name, frames)| ((*name).to_owned(), frames.to_vec())).collect()
}

/// Returns an Aseprite sheet with frames of these names, and more keys for `meta`.
fn aseprite(names: &[impl AsRef<str>], meta: &str) -> String {
    let frame = |i| Packed { x: 2 * i, w: 2, h: 2, size: [2, 2], ..Packed::default() };
    sheets::aseprite("s.png", names, meta, frame)
}

const LAYERS: &str = r#", "layers": [{"name": "body"}, {"name": "shield (big)"}]"#;

#[test]
fn tags_count_the_frames_that_the_names_show() {
    let folder = Folder::new("export-tags");
    strip(&folder, "s.png", 8);
    let two = tags(&[("idle", 0, 2), ("walk", 3, 4)]);
    let layers = format!("{LAYERS}{}", tags(&[("walk", 0, 1)]));
    for (names, meta, sprites) in [
        (
            &["0", "1", "2", "3", "4"][..],
            two.as_str(),
            &[("s/idle", &[0, 1, 2][..]), ("s/walk", &[3, 4])][..],
        ),
        // Layers of one file share its frame numbers.
        (
            &["h (body) 0", "h (body) 1", "h (body) 2", "h (shield (big)) 0", "h (shield (big)) 1"],
            &layers,
            &[("s/body/walk", &[0, 1]), ("s/shield (big)/walk", &[3, 4])],
        ),
        (
            &["h (body) 0", "h (shield (big)) 0"],
            LAYERS,
            &[("s/body", &[0]), ("s/shield (big)", &[1])],
        ),
        // Split by tags: the names show the tags, whatever the numbers count.
        (
            &["h #idle 0", "h #idle 1", "h #idle 2", "h #walk 0", "h #walk 1", "h 9"],
            &two,
            &[("s/idle", &[0, 1, 2]), ("s/walk", &[3, 4])],
        ),
        (
            &["idle_0", "idle_1", "idle_2", "walk_0", "walk_1"],
            &two,
            &[("s/idle", &[0, 1, 2]), ("s/walk", &[3, 4])],
        ),
        // A file that a tag fits alone, and files without tags.
        (&["a 0", "b 0", "b 1"], &tags(&[("t", 0, 1)]), &[("s/b/t", &[1, 2])]),
        (&["a 0", "b 0", "b 1"], "", &[("s/a", &[0]), ("s/b", &[1, 2])]),
        (&["hero2"], &tags(&[("t", 0, 0)]), &[("s/t", &[0])]),
    ] {
        let path = folder.write("s.json", aseprite(names, meta));
        let found = numbers(bake(path).unwrap());
        assert_eq!(found, expected(sprites), "{names:?}");
    }
}

#[test]
fn tags_whose_frames_the_names_do_not_show_are_refused() {
    let folder = Folder::new("export-refused");
    strip(&folder, "s.png", 8);
    let slices = r#", "slices": [{"name": "walk", "keys": [
        {"frame": 0, "bounds": {"x":0,"y":0,"w":1,"h":1}, "pivot": {"x":0,"y":0}},
        {"frame": 1, "bounds": {"x":0,"y":0,"w":1,"h":1}, "pivot": {"x":1,"y":0}}]}]"#;
    let walk = tags(&[("walk", 0, 1)]);
    for (names, meta, cause) in [
        (&["a 0", "a 1", "b 0", "b 1"][..], walk.as_str(), "2 files: a, b"),
        // Without a list of layers these may be two files.
        (&["h (x) 0", "h (x) 1", "h (y) 0", "h (y) 1"], &walk, "2 files: h (x), h (y)"),
        (&["h 1", "h 2", "h 3"], &walk, "begin with 0"),
        (&["h", "h", "h"], &walk, "no numbers"),
        (&["h 0", "h 1", "h 0", "h 1"], &walk, "repeat"),
        (&["h 0", "h 3"], &tags(&[("walk", 1, 2)]), "none of them"),
        (&["a 0", "a 1", "b 0", "b 1"], slices, "2 files: a, b"),
        (&["h 1", "h 2", "h 3"], slices, "begin with 0"),
    ] {
        let error = assert_refused(
            &folder,
            bake(folder.write("s.json", aseprite(names, meta))),
            "Unsupported",
            "",
        );
        let is_named = error.to_string().contains("the frames of \"walk\" are unclear: ");
        assert!(is_named && error.to_string().contains(cause), "{names:?}: {error}");
        assert!(error.help().contains("--filename-format"), "{error}");
    }
}

/// A frame that a sheet left out, as [`numbers`] returns it.
const EMPTY: usize = usize::MAX;

#[test]
fn tags_that_overlap_have_all_their_frames_whichever_tag_the_names_show() {
    let folder = Folder::new("export-nested");
    strip(&folder, "s.png", 8);
    let nested = tags(&[("a", 0, 5), ("in", 2, 3)]);
    // The tag, the frame in the file and the frame in the tag.
    let formats: [fn(&str, usize, usize) -> String; 12] = [
        |tag, frame, _| format!("hero #{tag} {frame}"),
        |tag, _, own| format!("hero #{tag} {own}"),
        |tag, frame, _| format!("{tag}-{frame}"),
        |tag, _, own| format!("{tag}_{own}"),
        |tag, _, own| format!("{tag}{own}"),
        |tag, frame, _| format!("hero-{tag}-{frame}"),
        |tag, frame, _| format!("{tag}/{frame}"),
        |tag, frame, _| format!("{tag}:{frame}"),
        |tag, _, own| format!("{tag} {}", own + 1),
        |tag, frame, _| format!("{tag} {:02}", frame + 1),
        |tag, frame, _| format!("{frame}-{tag}"),
        |tag, _, _| tag.to_owned(),
    ];
    let both = expected(&[("s/a", &[0, 1, 2, 3, 4, 5]), ("s/in", &[2, 3])]);
    let of_names = |names: &[String], meta: &str| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        bake(folder.write("s.json", aseprite(&names, meta)))
    };
    for format in formats {
        let name = |frame| match frame {
            2 | 3 => format("in", frame, frame - 2),
            _ => format("a", frame, frame),
        };
        let names: Vec<String> = (0..6).map(name).collect();
        assert_eq!(numbers(of_names(&names, &nested).unwrap()), both, "{names:?}");
        // Listed once per tag.
        let of_a = (0..6).map(|frame| format("a", frame, frame));
        let names: Vec<String> = of_a.chain([format("in", 2, 0), format("in", 3, 1)]).collect();
        let split = expected(&[("s/a", &[0, 1, 2, 3, 4, 5]), ("s/in", &[6, 7])]);
        assert_eq!(numbers(of_names(&names, &nested).unwrap()), split, "{names:?}");
    }
    let some = ["hero #a 0", "hero #in 3", "hero #a 5"].map(str::to_owned);
    let left_out = expected(&[("s/a", &[0, EMPTY, EMPTY, 1, EMPTY, 2]), ("s/in", &[EMPTY, 1])]);
    assert_eq!(numbers(of_names(&some, &nested).unwrap()), left_out);
    // A tag whose frames all show another one.
    let covered = tags(&[("all", 0, 1), ("l", 0, 0), ("r", 1, 1)]);
    let names = ["hero #l 0", "hero #r 1"].map(str::to_owned);
    let all = expected(&[("s/all", &[0, 1]), ("s/l", &[0]), ("s/r", &[1])]);
    assert_eq!(numbers(of_names(&names, &covered).unwrap()), all);
    // Names without a number that are there once.
    let names = ["in", "a"].map(str::to_owned);
    let short = tags(&[("a", 0, 1), ("in", 0, 0)]);
    let both = expected(&[("s/a", &[0, 1]), ("s/in", &[0])]);
    assert_eq!(numbers(of_names(&names, &short).unwrap()), both);
    // In several files a tag is in those that show it.
    let two = tags(&[("walk", 0, 1), ("run", 0, 1)]);
    let names = ["x #walk 0", "x #walk 1", "y #run 0", "y #run 1"].map(str::to_owned);
    let apart = expected(&[("s/x/walk", &[0, 1]), ("s/y/run", &[2, 3])]);
    assert_eq!(numbers(of_names(&names, &two).unwrap()), apart);
    for (names, meta, cause) in [
        (&["walk 2", "walk 3"][..], tags(&[("walk", 2, 5)]), "may count from"),
        (&["h #a 1", "h #a 2"], tags(&[("a", 0, 2)]), "may count from"),
        (&["walk 8", "walk 9"], tags(&[("walk", 2, 5)]), "may count from"),
        (&["a", "a", "in", "a", "a"], nested, "have no numbers"),
        (&["h #a 0", "h #a 1"], tags(&[("a", 0, 1), ("b", 2, 2)]), "none of them"),
    ] {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let error = fails(&folder, of_names(&names, &meta));
        let is_unclear = error.fault == BakeFault::Unsupported && error.to_string().contains(cause);
        assert!(is_unclear, "{names:?}: {error}");
    }
}

#[test]
fn names_may_show_tags_layers_and_numbers_in_other_orders() {
    let folder = Folder::new("export-orders");
    strip(&folder, "s.png", 8);
    let of = |names: &[&str], meta: &str| {
        numbers(bake(folder.write("s.json", aseprite(names, meta))).unwrap())
    };
    let tagged = tags(&[("idle", 0, 1), ("jump", 2, 3)]);
    let layered = format!(r#", "layers": [{{"name": "body 1"}}, {{"name": "glow"}}]{tagged}"#);
    let parts = expected(&[
        ("s/body 1/idle", &[0, 1]),
        ("s/body 1/jump", &[2, 3]),
        ("s/glow/idle", &[4, 5]),
        ("s/glow/jump", &[6, 7]),
    ]);
    // The tag, the layer, the frame in the file and the frame in the tag.
    type Format = fn(&str, &str, usize, usize) -> String;
    let formats: [Format; 4] = [
        |tag, layer, frame, _| format!("{tag}:{frame}:{layer}"),
        |tag, layer, _, own| format!("{tag}-{layer}-{own}"),
        |tag, layer, frame, _| format!("{layer}_{tag}_{frame}"),
        |tag, layer, frame, _| format!("hero ({layer}) #{tag} {frame}"),
    ];
    for format in formats {
        let frame =
            |layer, frame| format(if frame < 2 { "idle" } else { "jump" }, layer, frame, frame % 2);
        let names: Vec<String> = ["body 1", "glow"]
            .iter()
            .flat_map(|layer| (0..4).map(move |number| frame(layer, number)))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(of(&names, &layered), parts, "{names:?}");
    }
    let named = ["C:/art:hero:idle:0", "C:/art:hero:idle:1", "C:/art:hero:jump:2"];
    let both = expected(&[("s/idle", &[0, 1]), ("s/jump", &[2, EMPTY])]);
    assert_eq!(of(&named, &tagged), both);
    // The last frame has no tag.
    let formats: [fn(&str, usize, usize) -> String; 3] = [
        |tag, frame, _| format!("{tag}:{frame}"),
        |tag, _, own| format!("{tag}_{own}"),
        |tag, _, own| format!("{tag} {}", own + 1),
    ];
    for format in formats {
        let names = ["idle", "idle", "jump", "jump", ""].into_iter().zip(0..);
        let name = |(tag, i): (&str, usize)| format(tag, i, if i < 4 { i % 2 } else { i });
        let names: Vec<String> = names.map(name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let both = expected(&[("s/idle", &[0, 1]), ("s/jump", &[2, 3])]);
        assert_eq!(of(&names, &tagged), both, "{names:?}");
        let all = numbers(source(&folder, "s.json", "tags = false").unwrap());
        assert_eq!(all, expected(&[("s", &[0, 1, 2, 3, 4])]), "{names:?}");
    }
    // Names that are layers have no numbers.
    let layers = r#", "layers": [{"name": "Layer 1"}, {"name": "Layer 2"}, {"name": "Layer 3"}]"#;
    let alone = expected(&[("s/Layer 1", &[0]), ("s/Layer 2", &[1]), ("s/Layer 3", &[2])]);
    assert_eq!(of(&["Layer 1", "Layer 2", "Layer 3"], layers), alone);
    assert_eq!(of(&["Layer 1_0", "Layer 2_0", "Layer 3_0"], layers), alone);
}

#[test]
fn numbers_that_may_not_count_from_the_first_frame_are_refused_without_tags_too() {
    let folder = Folder::new("export-first");
    strip(&folder, "s.png", 8);
    let of = |names: &[&str]| bake(folder.write("s.json", aseprite(names, "")));
    // The first may be frame 0 of the format {frame1}, or frame 0 was left out. Or these are files.
    for names in [&["h 2", "h 3", "h 5"][..], &["h 1", "h 2", "h 3"], &["7", "9"], &["h1", "h2"]] {
        let error = fails(&folder, of(names));
        let is_unclear = error.fault == BakeFault::Unsupported
            && error.to_string().ends_with("do not begin with 0");
        assert!(
            is_unclear && error.help().contains("without --ignore-empty"),
            "{names:?}: {error}"
        );
    }
    let error = fails(&folder, of(&["h 0", "h 2", "h 0"]));
    assert!(error.to_string().ends_with("repeat"), "{error}");
    for names in [&["h 7"][..], &["h 0", "h 1", "h 0"], &["h", "h"], &["h0", "h1"]] {
        let all: Vec<usize> = (0..names.len()).collect();
        assert_eq!(numbers(of(names).unwrap()), expected(&[("s", &all)]), "{names:?}");
    }
}

#[test]
fn names_that_are_not_understood_are_named_as_the_cause() {
    let folder = Folder::new("export-names");
    strip(&folder, "s.png", 3);
    for names in [["h(0)", "h(1)", "h(2)"], ["0_h", "1_h", "2_h"], ["h0of3", "h1of3", "h2of3"]] {
        let json = aseprite(&names, &tags(&[("a", 0, 2)]));
        let files = format!("by their names the frames are of 3 files: {}", names.join(", "));
        assert_refused(&folder, bake(folder.write("s.json", json)), "Unsupported", &files);
    }
}

#[test]
fn two_tags_of_one_name_are_one_if_they_have_the_same_frames() {
    let folder = Folder::new("export-same-tag");
    strip(&folder, "s.png", 5);
    let of = |tags: &str| {
        folder.write("s.json", aseprite(&["h 0", "h 1", "h 2", "h 3"], tags));
        bake(folder.path("s.json"))
    };
    let equal = tags(&[("fall", 2, 3), ("run", 0, 1), ("fall", 2, 3)]);
    let both = expected(&[("s/fall", &[2, 3]), ("s/run", &[0, 1])]);
    assert_eq!(numbers(of(&equal).unwrap()), both);
    let other = tags(&[("fall", 0, 1), ("fall", 2, 3)]);
    assert_eq!(fails(&folder, of(&other)).fault, BakeFault::SameName);
    let whole = source(&folder, "s.json", "tags = false").unwrap();
    assert_eq!(numbers(whole), expected(&[("s", &[0, 1, 2, 3])]));
}

fn frame(name: &str, x: i32, more: &str) -> String {
    entry(name, [x, 0, 2, 2], more)
}

#[test]
fn a_multi_pack_is_one_sheet() {
    let folder = Folder::new("export-packs");
    strip(&folder, "0.png", 3);
    strip(&folder, "1.png", 3);
    let pack = |own: usize, frames: &str, animations: &str, related: &str| {
        folder.write(
            &format!("m-{own}.json"),
            format!(
                r#"{{"frames": {{{frames}}}, "animations": {{{animations}}}, "meta":
                {{"image": "{own}.png", "related_multi_packs": [{related}]}}}}"#
            ),
        )
    };
    let walk = r#""walk": ["w2.png", "w1.png", "w3.png"]"#;
    let first = format!("{},{}", frame("w1.png", 0, ""), frame("a.png", 2, ""));
    let second = format!("{},{}", frame("w2.png", 2, ""), frame("w3.png", 4, ""));
    let path = pack(0, &first, walk, r#""m-1.json""#);
    // The files name each other.
    pack(1, &second, "", r#""./m-0.json""#);
    let frames = [("m-0/a", &[1][..]), ("m-0/walk", &[1, 0, 2])];
    assert_eq!(numbers(bake(&path).unwrap()), expected(&frames));
    let other = pack(1, &second, walk, r#""m-0.json""#);
    let frames = [("m-1/a", &[1][..]), ("m-1/walk", &[1, 0, 2])];
    assert_eq!(numbers(bake(other).unwrap()), expected(&frames));
}

#[test]
fn huge_untrimmed_frames_are_refused_before_any_is_drawn() {
    let folder = Folder::new("export-huge");
    strip(&folder, "s.png", 1);
    let huge = r#", "spriteSourceSize": {"x":0,"y":0,"w":2,"h":2},
        "sourceSize": {"w":16384,"h":16384}"#;
    let frames: Vec<String> = (0..2000).map(|i| frame(&format!("f{i}"), 0, huge)).collect();
    let error = fails(&folder, bake(folder.write("s.json", json(&frames, "s.png", ""))));
    let limit_is_shown = error.to_string().contains("the limit is 4294967296");
    assert!(quantity(&error) == "texels before trimming" && limit_is_shown, "{error}");
    // One frame that an animation shows 2,000 times.
    let animation = vec!["\"f\""; 2000].join(",");
    let more = format!(r#"}}, "animations": {{"a": [{animation}]"#);
    let path = folder.write("s.json", json(&[frame("f", 0, huge)], "s.png", &more));
    assert_eq!(quantity(&fails(&folder, bake(path))), "texels before trimming");
}
