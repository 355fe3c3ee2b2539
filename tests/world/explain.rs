//! `PairRef::explain` against the update.

use hitmask::Accuracy::{self, Box, Coarse, Exact};
use hitmask::DecidedBy::{self, Boxes, Fixed, Layers, Levels, MinOverlap, Pixels};
use hitmask::{
    Angle, Atlas, AtlasBuilder, Collider, ColliderId, Explanation, Mask, Pair, Pivot, Rect,
    Settings, World,
};
use hitmask_scenes::{explain, open, solid};

/// A square ring of 480 x 480 px with a rim of 80 px: large enough to have levels.
fn ring() -> Mask {
    let mut ring = solid(480, 480);
    ring.fill_rect(Rect::new(80, 80, 400, 400), false);
    ring
}

/// The ring; a dot of 4 x 4 px, without levels; and a block of 256 x 256 px, with levels. Pivots are the top-left corners.
fn atlas() -> Atlas {
    let settings = Settings { pivot: Pivot::HalfTexels(0, 0), ..Settings::default() };
    let bake = AtlasBuilder::new().settings(settings).angles(1);
    let bake = bake.mask("ring", ring()).mask("dot", solid(4, 4)).mask("block", solid(256, 256));
    open(&bake)
}

struct Scene {
    world: World,
    ids: [ColliderId; 2],
}

impl Scene {
    /// Creates a world with a ring and another sprite at the origin.
    fn new(other: &str) -> Self {
        let atlas = atlas();
        let mut world = World::new(atlas.clone());
        let ids = ["ring", other]
            .map(|name| world.insert(Collider::new(atlas.sprite_id(name).unwrap())).unwrap());
        Self { world, ids }
    }

    fn change(&mut self, side: usize, change: impl FnOnce(Collider) -> Collider) {
        let id = self.ids[side];
        let changed = change(self.world.get(id).unwrap());
        self.world.set(id, changed).unwrap();
    }

    fn set_rules(&mut self, accuracies: [Accuracy; 2], least: [u32; 2]) {
        for (side, (accuracy, min_overlap)) in accuracies.into_iter().zip(least).enumerate() {
            self.change(side, |collider| {
                Collider { accuracy, ..collider }.with_min_overlap(min_overlap)
            });
        }
    }

    /// Explains the pair, and checks that the update and a single query agree.
    fn why(&mut self) -> Explanation {
        self.world.update();
        let [a, b] = self.ids;
        let why = explain(&self.world, Pair { a, b }).unwrap();
        assert_eq!(why.touches, !self.world.touching().is_empty(), "the update: {why:?}");
        if why.decision != Fixed {
            assert_eq!(why.touches, !self.world.touching_with(a).is_empty(), "touched_by: {why:?}");
        }
        why
    }

    fn result(&mut self) -> (bool, DecidedBy, Option<i32>) {
        let Explanation { touches, decision, row, .. } = self.why();
        (touches, decision, row)
    }
}

/// Positions of the second sprite's top-left corner.
const APART: [f32; 2] = [800.0, 0.0];
const IN_THE_HOLE: [f32; 2] = [160.0, 176.0];
/// Two rows of the dot lie in the hole, and two on the lower rim.
const ON_THE_RIM: [f32; 2] = [160.0, 398.0];

#[test]
fn the_deciding_test_is_named_for_any_two_accuracies() {
    let no = |decision| (false, decision, None);
    let yes = |decision| (true, decision, None);
    // Each row: the expected results for a dot in the hole and a dot on the rim. Each pair: for a
    // `min_overlap` of 1 and of 17 px.
    let by_boxes = [[yes(Boxes), no(MinOverlap)]; 2];
    let by_the_dot = |row| [(true, Pixels, Some(row)), (false, MinOverlap, Some(row))];
    let by_pixels = [[no(Pixels); 2], by_the_dot(400)];
    // The dot has no levels, so pixels decide. One pixel is enough at `Coarse`.
    let by_any_pixel = [[no(Pixels); 2], [(true, Pixels, Some(400)); 2]];
    let table = [
        ([Box, Box], by_boxes),
        // Pixels of the dot within the box of the ring.
        ([Box, Coarse], [by_the_dot(176), by_the_dot(398)]),
        ([Box, Exact], [by_the_dot(176), by_the_dot(398)]),
        // Pixels of the ring within the box of the dot.
        ([Coarse, Box], by_pixels),
        ([Exact, Box], by_pixels),
        ([Coarse, Coarse], by_any_pixel),
        ([Coarse, Exact], by_any_pixel),
        ([Exact, Coarse], by_any_pixel),
        ([Exact, Exact], by_pixels),
    ];
    let mut scene = Scene::new("dot");
    for (accuracies, [in_the_hole, on_the_rim]) in table {
        let apart = [no(Boxes); 2];
        for (at, expected) in [(APART, apart), (IN_THE_HOLE, in_the_hole), (ON_THE_RIM, on_the_rim)]
        {
            for (least, expected) in [1, 17].into_iter().zip(expected) {
                scene.change(1, |dot| dot.at(at));
                // Either of the two colliders may set `min_overlap`.
                for least in [[least, 0], [1, least]] {
                    scene.set_rules(accuracies, least);
                    assert_eq!(scene.result(), expected, "{accuracies:?} at {at:?}, {least:?}");
                }
            }
        }
    }
}

#[test]
fn levels_decide_if_they_are_certain() {
    let mut scene = Scene::new("block");
    let all = [[Coarse, Coarse], [Coarse, Exact], [Exact, Coarse]];
    // In the hole no cells overlap; in the corner full cells overlap; beside the rim only pixels
    // can tell.
    let (hole, corner, beside) = ([112.0, 112.0], [0.0, 0.0], [144.0, 112.0]);
    for least in [1, 17] {
        for (at, touches) in [(hole, false), (corner, true), (beside, true)] {
            scene.change(1, |block| block.at(at));
            for accuracies in all {
                scene.set_rules(accuracies, [least, 1]);
                assert_eq!(scene.result(), (touches, Levels, None), "{accuracies:?} at {at:?}");
            }
        }
        scene.set_rules([Exact, Exact], [least, 1]);
        assert_eq!(scene.result(), (false, Pixels, None), "beside the rim, {least}");
        scene.change(1, |block| block.at(hole));
        assert_eq!(scene.result(), (false, Levels, None), "in the hole, {least}");
    }
    scene.change(1, |block| block.at(corner));
    // Full cells share a pixel, but do not give the number of shared pixels.
    for (least, expected) in [
        (1, (true, Levels, None)),
        (17, (true, Pixels, Some(0))),
        (60_000, (false, MinOverlap, Some(0))),
    ] {
        scene.set_rules([Exact, Exact], [1, least]);
        assert_eq!(scene.result(), expected, "{least}");
    }
}

#[test]
fn a_runtime_mask_has_no_levels() {
    let mut scene = Scene::new("block");
    let mask = scene.world.masks_mut().insert(ring(), Pivot::HalfTexels(0, 0)).unwrap();
    scene.change(0, |_| Collider::from_mask(mask));
    scene.change(1, |block| block.at([112.0, 112.0]));
    for (accuracies, expected) in [
        ([Exact, Exact], (false, Pixels, None)),
        ([Exact, Coarse], (false, Pixels, None)),
        ([Coarse, Coarse], (false, Pixels, None)),
        ([Exact, Box], (false, Pixels, None)),
        ([Box, Exact], (true, Pixels, Some(112))),
    ] {
        scene.set_rules(accuracies, [1, 1]);
        assert_eq!(scene.result(), expected, "{accuracies:?}");
    }
    scene.change(1, |block| block.at([0.0, 0.0]));
    scene.set_rules([Exact, Exact], [1, 1]);
    assert_eq!(scene.result(), (true, Pixels, Some(0)), "full cells, but levels for one mask only");
}

#[test]
fn the_worlds_accuracy_applies_if_it_is_coarser() {
    let mut scene = Scene::new("block");
    scene.change(1, |block| block.at([112.0, 112.0]));
    for (accuracy, expected) in [(Box, (true, Boxes)), (Coarse, (false, Levels))] {
        scene.world.set_accuracy(accuracy);
        let why = scene.why();
        assert_eq!((why.touches, why.decision), expected);
        assert_eq!((why.accuracy, why.pixels), (accuracy, None));
    }
    // The block's own accuracy is coarser than the world's.
    scene.set_rules([Exact, Box], [1, 1]);
    assert_eq!(scene.result(), (false, Pixels, None));
}

#[test]
fn layers_decide_first_and_fixed_pairs_are_skipped() {
    let mut scene = Scene::new("dot");
    scene.change(1, |dot| dot.at(ON_THE_RIM));
    assert_eq!(scene.result(), (true, Pixels, Some(400)));
    scene.change(0, Collider::fixed);
    assert_eq!(scene.result(), (true, Pixels, Some(400)), "one of the two is fixed");
    scene.change(1, Collider::fixed);
    assert_eq!(scene.result(), (false, Fixed, None));
    assert!(scene.why().pixels.is_some());
    scene.change(1, |dot| dot.on_layers(2, 1));
    assert_eq!(scene.result(), (false, Fixed, None), "the ring collides with all layers");
    scene.change(0, |ring| ring.on_layers(1, 1));
    assert_eq!(scene.result(), (false, Layers, None));
    scene.change(0, |ring| Collider { fixed: false, ..ring });
    assert_eq!(scene.result(), (false, Layers, None));
    scene.change(0, |ring| ring.on_layers(4, 2));
    assert_eq!(scene.result(), (false, Layers, None), "the layers of the other side");
}

#[test]
fn explain_agrees_with_the_update_at_every_offset() {
    for other in ["dot", "block"] {
        let mut scene = Scene::new(other);
        for accuracies in
            [Box, Coarse, Exact].map(|a| [Box, Coarse, Exact].map(|b| [a, b])).concat()
        {
            for least in [1, 17, 150] {
                scene.set_rules(accuracies, [least, 1]);
                for y in (-260_i32..490).step_by(7) {
                    // The column varies with the row, so that every column of the ring is tested in
                    // some row.
                    scene.change(1, |moved| {
                        moved.at([((y * 29).rem_euclid(747) - 260) as f32, y as f32])
                    });
                    let Explanation { touches, decision, row, pixels, .. } = scene.why();
                    // A row is reported only if pixels decided.
                    assert!(row.is_none() || matches!(decision, Pixels | MinOverlap));
                    assert!(!touches || decision != MinOverlap);
                    if accuracies == [Exact, Exact] && row.is_some() {
                        assert_eq!(row, pixels.map(|contact| contact.point.y));
                    }
                }
            }
        }
    }
}

#[test]
fn explain_reports_the_rounding_of_angle_scale_and_position() {
    for resolution in [1.0, 2.0] {
        let bake = AtlasBuilder::new().angles(16).scales([1.0, 2.0]).resolution(resolution);
        let atlas = open(&bake.mask("a", solid(4, 4)));
        let a = atlas.sprite_id("a").unwrap();
        let mut world = World::new(atlas);
        let collider = Collider::new(a).at([10.25, 20.875]);
        let [a, b] = [collider.turned(0.5).scaled(1.25), collider.turned(Angle::turn(65_000))]
            .map(|collider| world.insert(collider).unwrap());
        let why = explain(&world, Pair { a, b }).unwrap();
        let [one, other] = &why.sides;
        // At resolution 1 the pixels are at 10 and 21. At 2 they are at 10.5 (from 20.5, rounded
        // up) and 21 (from 41.75).
        let x = if resolution == 1.0 { -0.25 } else { 0.25 };
        assert_eq!(one.position_error, [x, 0.125]);
        assert_eq!((one.scale_error, other.scale_error), (-0.25, 0.0));
        let step = std::f32::consts::TAU / 16.0;
        assert!((one.angle_error - (step - 0.5)).abs() < 1e-6, "{}", one.angle_error);
        // The angle is 536 / 65,536 short of a whole turn, and the pose of step 0 is shown.
        let parts = std::f32::consts::TAU * 536.0 / 65_536.0;
        assert!((other.angle_error - parts).abs() < 1e-6, "{}", other.angle_error);
        assert_eq!((one.pose.step, other.pose.step), (1, 0));
    }
}

#[test]
fn a_collider_does_not_touch_itself() {
    let Scene { world, ids: [ring, _] } = Scene::new("dot");
    let explanation = explain(&world, Pair { a: ring, b: ring }).unwrap();
    assert_eq!((explanation.touches, explanation.decision), (false, DecidedBy::Owner));
}
