//! Angle steps by an error in pixels, and within a number of bytes.

use hitmask::{Atlas, Bake, BakeError, Baked, Mask, Pivot, Settings};
use hitmask_sprites::{all, named};
use std::f64::consts::PI;

/// The farthest corner of a set pixel from the image's centre, pixel by pixel.
fn reach(mask: &Mask) -> f64 {
    let (w, h) = (mask.width() as i32, mask.height() as i32);
    let pixels = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).filter(|&(x, y)| mask.get(x, y));
    // The pivot of a mixed image is half a texel higher.
    let centre = [f64::from(w) / 2.0, f64::from(h - ((w ^ h) & 1)) / 2.0];
    pixels
        .flat_map(|(x, y)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)])
        .map(|(x, y)| (f64::from(x) - centre[0]).hypot(f64::from(y) - centre[1]))
        .fold(0.0, f64::max)
}

fn drawn(bake: Bake) -> Bake {
    all().iter().fold(bake, |bake, p| bake.mask(p.name, p.mask()))
}

fn each(bake: &Bake) -> Vec<Baked> {
    let folder = std::env::temp_dir().join(format!("hitmask-budget-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let name = format!("{:?}", std::thread::current().id());
    let report = bake.write(folder.join(name)).unwrap();
    assert_eq!(report.sprites, report.each.len());
    report.each
}

#[test]
fn each_sprite_gets_the_steps_that_keep_the_error() {
    for limit in [0.5_f32, 1.0, 2.0] {
        let bake = drawn(Bake::new().max_error(limit));
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        for (baked, picture) in each(&bake).iter().zip(all()) {
            let (reach, n) = (reach(&picture.mask()), f64::from(baked.angles));
            assert_eq!(baked.sprite, picture.name);
            let sprite = atlas.get(atlas.sprite(picture.name).unwrap()).unwrap();
            assert_eq!(sprite.angles(), baked.angles);
            assert!((f64::from(baked.error) - reach * PI / n).abs() < 1e-3, "{}", picture.name);
            assert!(baked.error <= limit || n == 128.0, "{}: {}", picture.name, baked.error);
            assert!(n == 8.0 || reach * PI / (n - 4.0) > f64::from(limit), "{}", picture.name);
        }
    }
}

#[test]
fn scales_count_and_what_never_turns_has_no_error() {
    let mask = named("hull").mask();
    let steps = |scale: f32| {
        each(&Bake::new().max_error(1.0).scales([0.25, scale]).mask("a", mask.clone()))[0].angles
    };
    assert!(steps(0.5) < steps(1.0) && steps(1.0) <= 128);
    let still = Settings { angles: 1, max_error: Some(1.0), ..Settings::default() };
    let baked = each(&Bake::new().frames_with("still", [mask.clone()], still));
    assert_eq!((baked[0].angles, baked[0].error), (1, 0.0));
    let far = Bake::new().max_error(1.0).pivot(Pivot::HalfTexels(2000, 2000)).mask("far", mask);
    assert_eq!(each(&far)[0].angles, 128);
    assert!(each(&far)[0].error > 1.0, "what could not be kept is told");
    assert_eq!(each(&drawn(Bake::new().max_error(1.0).angles(16)))[0].angles, 16, "the last word");
}

#[test]
fn a_limit_is_kept_and_taken_from_the_largest_sprites_first() {
    let free = drawn(Bake::new().max_error(0.5));
    let bytes = free.to_bytes().unwrap().len() as u64;
    let mut last = 0.0_f32;
    for part in [2, 4, 6] {
        let bake = drawn(Bake::new().max_error(0.5)).max_bytes(bytes / part);
        let bytes_now = bake.to_bytes().unwrap().len() as u64;
        assert!(bytes_now <= bytes / part, "{bytes_now} of {bytes} / {part}");
        let (before, now) = (each(&free), each(&bake));
        let most = now.iter().map(|b| b.error).fold(0.0, f32::max);
        assert!(most >= last, "less room, no less error");
        last = most;
        for (before, now) in before.iter().zip(&now) {
            assert!(now.angles <= before.angles && now.angles >= 8);
            // Nobody who lost steps could have kept four more within the largest error.
            let with_more = now.error * now.angles as f32 / (now.angles + 4) as f32;
            assert!(now.angles == before.angles || with_more * 1.2 > 0.5, "{now:?}");
        }
    }
    let same = drawn(Bake::new().max_error(0.5)).max_bytes(1 << 40).to_bytes().unwrap();
    assert!(same == free.to_bytes().unwrap(), "a limit far away changes nothing");
}

#[test]
fn impossible_budgets_are_refused() {
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = drawn(Bake::new().max_error(bad)).to_bytes().unwrap_err();
        assert!(matches!(error, BakeError::MaxError(_)), "{error}");
    }
    match drawn(Bake::new()).max_bytes(10_000).to_bytes().unwrap_err() {
        BakeError::OverBudget { bytes, limit } => assert!(bytes > limit && limit == 10_000),
        other => panic!("{other}"),
    }
}
