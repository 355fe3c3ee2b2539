//! Warnings of a bake.

use hitmask::{AlphaRule, AtlasBuilder, Mask, Sampling, Settings, Warning};
use hitmask_bake::Bake;
use hitmask_scenes::Folder;

fn warnings(builder: AtlasBuilder) -> Vec<Warning> {
    let (_, report) = builder.build().unwrap();
    assert!(report.warnings.iter().all(|warning| !warning.is_hint()));
    assert!(report.hints.iter().all(Warning::is_hint));
    [report.warnings, report.hints].concat()
}

#[test]
fn an_edge_that_depends_on_the_threshold_causes_a_hint() {
    // 10 solid texels, and some that are visible but not solid.
    let image = |faint: usize| {
        let mut alpha = vec![0; 20];
        alpha[..10].fill(255);
        alpha[10..10 + faint].fill(60);
        alpha
    };
    let of = |faint, rule| {
        let bake =
            AtlasBuilder::new().alpha(rule).alpha_bytes("ghost", 10, 2, &image(faint)).unwrap();
        warnings(bake)
    };
    let half = AlphaRule::AtLeast(128);
    assert_eq!(of(1, half), [], "a ratio of 1.1 causes no hint");
    let expected = Warning::Sensitive { sprite: "ghost".to_owned(), frame: 0, seen: 12, solid: 10 };
    assert_eq!(of(2, half), [expected]);
    assert_eq!(of(9, AlphaRule::AtLeast(1)), []);
    // No texel reaches the threshold.
    let bake = AtlasBuilder::new().alpha_bytes("mist", 4, 1, &[9; 4]).unwrap();
    assert_eq!(warnings(bake), [Warning::Empty { sprite: "mist".to_owned(), frame: 0 }]);
}

#[test]
fn thin_parts_that_break_cause_a_warning() {
    let mut chain = Mask::new(50, 50).unwrap();
    (0..50).for_each(|i| chain.set(i, i, true));
    let mut ball = Mask::new(50, 50).unwrap();
    (0..50 * 50).for_each(|i| ball.set(i % 50, i / 50, true));
    let bake = |settings: Settings| {
        let bake = AtlasBuilder::new().settings(settings);
        warnings(bake.frames("chain", [ball.clone(), chain.clone()]).mask("ball", ball.clone()))
    };
    let expected = [Warning::Thin { sprite: "chain".to_owned(), frame: 1 }];
    assert_eq!(bake(Settings::default()), expected);
    assert_eq!(bake(Settings { angles: 1, ..Settings::default() }), []);
    let sampling = Sampling::Coverage25;
    assert_eq!(bake(Settings { sampling, ..Settings::default() }), []);
}

#[test]
fn a_duplicate_of_another_sprite_causes_a_hint() {
    let mask = |text: &str| text.parse::<Mask>().unwrap();
    let (a, b) = (mask("##\n##"), mask("##\n##\n##\n##"));
    let bake = AtlasBuilder::new()
        .frames("walk", [a.clone(), b.clone()])
        .frames("walk again", [a.clone(), b.clone()])
        .frames("backwards", [b.clone(), a.clone()])
        .mask("stand", a)
        .mask("blank", mask(".."))
        .mask("clear", mask(".."));
    let duplicates: Vec<_> =
        warnings(bake).into_iter().filter(|w| !matches!(w, Warning::Empty { .. })).collect();
    let expected = Warning::Duplicate { sprite: "walk again".to_owned(), of: "walk".to_owned() };
    assert_eq!(duplicates, [expected]);
}

#[test]
fn an_atlas_over_budget_causes_a_warning_with_its_largest_sprite() {
    let square = |side| {
        let mut mask = Mask::new(side, side).unwrap();
        (0..side * side).for_each(|i| mask.set((i % side) as i32, (i / side) as i32, true));
        mask
    };
    let bake = || Bake::new().mask("small", square(9)).mask("large", square(99));
    let folder = Folder::new("warnings");
    let warnings = |bake: Bake| bake.write(folder.path("sprites.hitmask")).unwrap().warnings;
    assert_eq!(warnings(bake()), []);
    match &warnings(bake().budget(1000))[..] {
        [Warning::OverBudget { sprite, bytes, budget: 1000 }] => {
            assert_eq!(sprite, "large");
            assert!(*bytes > 1000);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_summary_has_one_line_per_kind_with_count_worst_example_and_remedy() {
    let (blank, dot): (Mask, Mask) = ("..".parse().unwrap(), "##".parse().unwrap());
    let mut bake = Bake::new().budget(10).frames("b", vec![blank.clone(); 3], None);
    for i in 0..50 {
        bake = bake.mask(format!("a{i}"), blank.clone()).mask(format!("c{i}"), dot.clone());
    }
    let report = bake.write(Folder::new("summary").path("a.hitmask")).unwrap();
    assert!(report.warnings.len() > 50);
    let lines = report.summary();
    assert!(lines.len() <= 4, "{lines:#?}");
    assert!(lines[0].contains("more than the budget of 10 bytes"), "{lines:#?}");
    // `b` has three empty frames, every other sprite has one.
    let empty = "53 frames are empty, such as b, frame 0: no texel is solid";
    assert!(lines[1].starts_with(empty) && lines[1].contains("; lower the alpha"), "{lines:#?}");
    assert!(lines.iter().all(|line| line.contains("; ") && !line.contains('\n')));
}

#[test]
fn an_image_without_a_clear_texel_gives_a_hint_with_the_remedies() {
    let folder = Folder::new("opaque");
    let hints = |bake: Bake| {
        let report = bake.angles(1).write(folder.path("a.hitmask")).unwrap();
        let opaque = |hint: &Warning| matches!(hint, Warning::Opaque { .. });
        assert!(!report.warnings.iter().any(opaque));
        report
            .hints
            .into_iter()
            .filter(opaque)
            .map(|hint| hint.sprite().to_owned())
            .collect::<Vec<_>>()
    };
    let rgb = image::RgbImage::from_pixel(8, 6, image::Rgb([255, 0, 255]));
    for name in ["rgb.png", "rgb.bmp", "rgb.tga", "rgb.webp", "rgb.gif"] {
        rgb.save(folder.path(name)).unwrap();
        let bake = || Bake::new().sprites(folder.path(name)).unwrap();
        assert_eq!(hints(bake()), ["rgb"], "{name}");
        // With a grid it is the same picture.
        assert_eq!(
            hints(Bake::new().sheets(folder.path(name), hitmask_bake::Grid::of([4, 3])).unwrap()),
            ["rgb"]
        );
        assert_eq!(
            hints(bake().exclude_color(hitmask::ColorRange::from([255, 0, 255]))),
            [""; 0],
            "{name}"
        );
    }
    let mut one_clear = image::RgbaImage::from_pixel(8, 6, image::Rgba([9, 9, 9, 255]));
    one_clear.save(folder.path("full.png")).unwrap();
    assert_eq!(hints(Bake::new().sprites(folder.path("full.png")).unwrap()), ["full"]);
    one_clear.put_pixel(7, 5, image::Rgba([9, 9, 9, 127]));
    one_clear.save(folder.path("clear.png")).unwrap();
    assert_eq!(hints(Bake::new().sprites(folder.path("clear.png")).unwrap()), [""; 0]);
    // A mask of the caller, and an image of one texel a side, have no background.
    assert_eq!(hints(Bake::new().mask("a", Mask::solid(8, 8).unwrap())), [""; 0]);
    image::RgbImage::new(1, 9).save(folder.path("line.png")).unwrap();
    assert_eq!(hints(Bake::new().sprites(folder.path("line.png")).unwrap()), [""; 0]);
    let help = Warning::Opaque { sprite: "a".into() }.help();
    assert!(help.contains("transparency") && help.contains("exclude_color"), "{help}");
}

#[test]
fn an_error_above_the_limit_is_written_with_the_decimals_that_show_it() {
    let text = |error, limit| {
        let sprite = "hero".to_owned();
        Warning::OverError { sprite, error, limit, angles: 128, needed: 320 }.to_string()
    };
    for (error, limit, shown) in [
        (2.5, 1.0, "2.5 px"),
        (1.04, 1.0, "1.04 px"),
        (1.0004, 1.0, "1.0004 px"),
        (0.26, 0.25, "0.3 px"),
    ] {
        assert!(
            text(error, limit).contains(&format!("error is {shown} at")),
            "{}",
            text(error, limit)
        );
    }
}
