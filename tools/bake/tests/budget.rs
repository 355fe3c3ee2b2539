//! Angle steps chosen by an error limit, and reduced by a size limit; and the measured fidelity.

use super::built;
use hitmask::reference::Drawing;
use hitmask::{
    Atlas, BuildFault, Fidelity, Mask, Pivot, Pose, PoseSet, Posed, Rect, Sampling, Settings,
    SpriteReport, Warning,
};
use hitmask_bake::Bake;
use hitmask_scenes::{Folder, all, named};
use std::f64::consts::PI;

/// Returns the largest distance of a set pixel's corner from the image centre, computed pixel by
/// pixel.
fn reach(mask: &Mask) -> f64 {
    let (w, h) = (mask.width() as i32, mask.height() as i32);
    let pixels = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).filter(|&(x, y)| mask.get(x, y));
    let centre = [f64::from(w) / 2.0, f64::from(h) / 2.0];
    pixels
        .flat_map(|(x, y)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)])
        .map(|(x, y)| (f64::from(x) - centre[0]).hypot(f64::from(y) - centre[1]))
        .fold(0.0, f64::max)
}

fn drawn(bake: Bake) -> Bake {
    all().iter().fold(bake, |bake, p| bake.mask(p.name, p.mask()))
}

fn each(bake: &Bake) -> Vec<SpriteReport> {
    let report = bake.write(Folder::new("budget").path("sprites.hitmask")).unwrap();
    assert_eq!(report.sprites, report.each.len());
    report.each
}

#[test]
fn each_sprite_gets_the_fewest_steps_that_keep_the_error() {
    for limit in [0.5_f32, 1.0, 2.0] {
        let bake = drawn(Bake::new().max_error(limit));
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        for (baked, picture) in each(&bake).iter().zip(all()) {
            let (reach, n) = (reach(&picture.mask()), f64::from(baked.angles));
            assert_eq!(baked.sprite, picture.name);
            let sprite = atlas.sprite(atlas.sprite_id(picture.name).unwrap()).unwrap();
            assert_eq!(sprite.angles(), baked.angles);
            assert!((f64::from(baked.error) - reach * PI / n).abs() < 1e-3, "{}", picture.name);
            assert!(baked.error <= limit || n == 128.0, "{}: {}", picture.name, baked.error);
            assert!(n == 8.0 || reach * PI / (n - 4.0) > f64::from(limit), "{}", picture.name);
        }
    }
}

#[test]
fn the_largest_scale_decides_and_a_still_sprite_has_no_error() {
    let mask = named("hull").mask();
    let steps = |scale: f32| {
        each(&Bake::new().max_error(1.0).scales([0.25, scale]).mask("a", mask.clone()))[0].angles
    };
    assert!(steps(0.5) < steps(1.0) && steps(1.0) <= 128);
    let still = Settings { angles: 1, max_error: Some(1.0), ..Settings::default() };
    let baked = each(&Bake::new().frames("still", [mask.clone()], still));
    assert_eq!((baked[0].angles, baked[0].error), (1, 0.0));
    let far = Bake::new().max_error(1.0).pivot(Pivot::HalfTexels(2000, 2000)).mask("far", mask);
    assert_eq!(each(&far)[0].angles, 128);
    assert!(each(&far)[0].error > 1.0, "the report has the error above the limit");
    assert_eq!(
        each(&drawn(Bake::new().max_error(1.0).angles(16)))[0].angles,
        16,
        "the later setter wins"
    );
}

#[test]
fn a_size_limit_is_kept_and_reduces_the_largest_sprites_first() {
    let free = drawn(Bake::new().max_error(0.5));
    let bytes = free.to_bytes().unwrap().len() as u64;
    let mut last = 0.0_f32;
    for part in [2, 4, 6] {
        let bake = drawn(Bake::new().max_error(0.5)).max_bytes(bytes / part);
        let bytes_now = bake.to_bytes().unwrap().len() as u64;
        assert!(bytes_now <= bytes / part, "{bytes_now} of {bytes} / {part}");
        let (before, now) = (each(&free), each(&bake));
        let most = now.iter().map(|b| b.error).fold(0.0, f32::max);
        assert!(most >= last, "a smaller limit reduced the error");
        last = most;
        for (before, now) in before.iter().zip(&now) {
            assert!(now.angles <= before.angles && now.angles >= 8);
            // A sprite that lost steps would exceed the common error limit with 4 more.
            let with_more = now.error * now.angles as f32 / (now.angles + 4) as f32;
            assert!(now.angles == before.angles || with_more * 1.2 > 0.5, "{now:?}");
        }
    }
    let same = drawn(Bake::new().max_error(0.5)).max_bytes(1 << 40).to_bytes().unwrap();
    assert!(same == free.to_bytes().unwrap(), "a large limit changed the atlas");
}

#[test]
fn invalid_and_unreachable_limits_are_rejected() {
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = drawn(Bake::new().max_error(bad)).to_bytes().unwrap_err();
        assert_eq!(built(error).fault, BuildFault::Settings(None));
    }
    match built(drawn(Bake::new()).max_bytes(10_000).to_bytes().unwrap_err()).fault {
        BuildFault::OverBudget { bytes, limit } => assert!(bytes > limit && limit == 10_000),
        other => panic!("{other:?}"),
    }
}

/// Returns the fidelity of the only sprite of a bake. Also returns the area and the disagreeing
/// pixels of its source by the reference rasteriser, with the pivot at the centre.
fn fidelity(
    bake: Bake,
    source: &Mask,
    scale: f32,
    resolution: f32,
) -> (Option<Fidelity>, [u64; 2]) {
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    let angles = sprite.angles();
    let poses = |angles| PoseSet::new(angles, [scale]).unwrap().at_resolution(resolution).unwrap();
    let (coarse, fine) = (poses(angles), poses(8 * angles));
    let drawing = |poses: &PoseSet, step| {
        let pose = Pose { step, scale: 0 };
        Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, pose).unwrap().posed()
    };
    let mut truth = [0, 0];
    for i in 0..8 {
        let step = i * angles / 32;
        let part = (8 * step as i32 + [1, 3, -1, -3][i as usize % 4]).rem_euclid(8 * angles as i32);
        let (exact, stored) = (drawing(&fine, part as u32), drawing(&coarse, step));
        let at =
            |posed: &Posed, x: i32, y: i32| posed.mask.get(x - posed.origin.x, y - posed.origin.y);
        for y in -200..200 {
            for x in -200..200 {
                truth[0] += u64::from(at(&exact, x, y));
                truth[1] += u64::from(at(&exact, x, y) != at(&stored, x, y));
            }
        }
    }
    (sprite.fidelity(), truth)
}

#[test]
fn fidelity_equals_a_comparison_with_reference_drawings() {
    let mut odd = Mask::new(41, 23).unwrap();
    odd.fill();
    odd.fill_rect(Rect::new(3, 2, 20, 15), false);
    let even = Mask::union([(&odd, [0, 0]), (&odd, [1, 1])]).unwrap().0;
    for (mask, scales, scale, resolution) in [
        (&odd, vec![1.0], 1.0, 1.0),
        (&odd, vec![1.0, 2.0], 1.0, 1.0),
        (&odd, vec![1.0], 1.0, 2.0),
        (&even, vec![0.5, 2.0, 2.5], 2.0, 1.0),
    ] {
        for angles in [4, 16, 60] {
            let bake = Bake::new().mask("shape", mask.clone()).angles(angles);
            let bake = bake.scales(scales.clone()).resolution(resolution);
            let (got, [area, disagreeing]) = fidelity(bake, mask, scale, resolution);
            let got = got.unwrap();
            assert_eq!((got.area, got.disagreeing), (area, disagreeing), "{scales:?} {angles}");
            // No pixel is off by more than the step moves it plus a pixel diagonal on each side.
            let steps = 24.0 * scale * std::f32::consts::PI / angles as f32;
            assert!(got.distance <= (steps + 2.0).min(16.0) && got.distance > 0.0, "{got:?}");
        }
    }
    let none = |bake: Bake| fidelity(bake.mask("odd", odd.clone()), &odd, 1.0, 1.0).0;
    assert_eq!(none(Bake::new().angles(1).scales([1.0])), None, "the sprite does not turn");
    assert_eq!(none(Bake::new().angles(8).scales([0.5, 1.5])), None, "no scale has whole pixels");
    let empty = Bake::new().mask("empty", Mask::new(5, 5).unwrap()).to_bytes().unwrap();
    let empty = Atlas::from_vec(empty).unwrap();
    assert_eq!(empty.sprites().next().unwrap().fidelity(), None);
}

#[test]
fn an_error_limit_that_128_steps_do_not_keep_gives_a_warning_with_the_steps_that_would() {
    let folder = Folder::new("over-error");
    let mut mask = Mask::new(1200, 800).unwrap();
    // The corners alone, which decide over the error.
    for corner in [[0, 0], [1199, 0], [0, 799], [1199, 799]] {
        mask.set(corner[0], corner[1], true);
    }
    let small = named("hull").mask();
    let bake = Bake::new().max_error(1.0).mask("level", mask.clone()).mask("small", small);
    let over = |bake: &Bake| -> Vec<Warning> {
        let report = bake.write(folder.path("a.hitmask")).unwrap();
        let warnings = report.warnings.into_iter();
        warnings.filter(|warning| matches!(warning, Warning::OverError { .. })).collect()
    };
    let found = over(&bake);
    let [Warning::OverError { sprite, error, limit: 1.0, angles: 128, needed }] = &*found else {
        panic!("{found:?}");
    };
    let at = |steps: u32| 600_f64.hypot(400.0) * PI / f64::from(steps);
    assert_eq!(sprite, "level");
    assert!((f64::from(*error) - at(128)).abs() < 1e-3, "{error}");
    assert!(at(*needed) <= 1.0 && at(needed - 4) > 1.0, "{needed}");
    let text = found[0].to_string();
    assert_eq!(text, "level: the rotation error is 17.7 px at 128 angles, above the limit of 1 px");
    assert_eq!(found[0].help(), "bake the sprite with 2268 angles, or raise the error limit");
    assert!(!found[0].is_hint());
    // A bake with a cache says so again.
    let cached = bake.cache(folder.path("a.cache"));
    assert_eq!([over(&cached), over(&cached)], [found.clone(), found]);
    // Steps that the caller chose, and a limit that is kept, give no warning.
    assert_eq!(over(&Bake::new().angles(8).mask("level", mask.clone())), []);
    assert_eq!(over(&Bake::new().max_error(18.0).mask("level", mask)), []);
}

#[test]
fn a_size_limit_that_breaks_the_error_limit_gives_a_warning() {
    let folder = Folder::new("over-error-size");
    let bake = drawn(Bake::new().max_error(0.5)).max_bytes(230_000);
    let report = bake.write(folder.path("a.hitmask")).unwrap();
    let broken: Vec<&SpriteReport> = report.each.iter().filter(|one| one.error > 0.5).collect();
    let warned: Vec<&Warning> =
        report.warnings.iter().filter(|one| matches!(one, Warning::OverError { .. })).collect();
    assert!(!broken.is_empty());
    assert_eq!(warned.len(), broken.len());
    assert!(warned[0].help().starts_with("raise the limit on the size"), "{:?}", warned[0]);
}
