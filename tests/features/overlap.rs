//! Capabilities of classic systems: the answers about two overlapping objects, and their precision.

use crate::{atlas, mask, solid, world};
use hitmask::{
    Accuracy, Atlas, AtlasBuilder, BuildFault, CallError, Certainty, Collider, Flip, Pair, Point,
    Pose, Rect, ScanOrder, World, reference,
};
use hitmask_scenes::{Random, named};

#[test]
fn sk1_the_overlap_rectangle_is_in_world_space() {
    let (world, ids) =
        world(&[("a", &solid(10, 10), [5.0, 5.0]), ("b", &solid(10, 10), [12.0, 8.0])]);
    let contact = world.contact(Pair { a: ids[0], b: ids[1] }).unwrap();
    assert_eq!(contact.rect, Rect::new(7, 3, 10, 10));
}

#[test]
fn sk3_tg6_no_overlap_is_none() {
    let (a, b) = (mask("#."), mask(".#"));
    assert_eq!(a.contact(&b, [0, 0]), None);
    assert_eq!(a.as_ref().overlap_rect(&b, [0, 0]), None);
    assert_eq!(Rect::new(0, 0, 4, 4).intersection(Rect::new(4, 0, 8, 4)), None);
}

#[test]
fn sk4_tg4_work_stays_within_the_intersection() {
    // The union of these two boxes is wider than 32 bits can hold.
    let a = solid(16_000, 2);
    assert_eq!(a.overlap_area(&a, [i32::MAX, 0]), 0);
    assert_eq!(a.contact(&a, [15_999, 1]).unwrap().rect, Rect::new(15_999, 1, 16_000, 2));
}

#[test]
fn sk10_tg8_the_collision_point_is_a_pixel_of_both() {
    // The masks overlap in two opposite corners, so the centre of the overlap box is empty.
    let (a, b) = (mask("##..\n....\n...#"), mask("#...\n....\n..##"));
    let contact = a.contact(&b, [0, 0]).unwrap();
    assert!(a.get(contact.point.x, contact.point.y) && b.get(contact.point.x, contact.point.y));
    let [x, y] = contact.center();
    assert_eq!([x, y], [2.0, 1.5]);
    assert!(!a.get(x as i32, y as i32), "the centre of the box may be clear");
}

#[test]
fn sk11_touches_is_a_boolean() {
    let corner = mask(".##\n.#.");
    assert!(corner.touches(&corner, [1, 0]) && !corner.touches(&corner, [1, 1]));
}

#[test]
fn w1_ck7_the_collision_angle_in_radians_and_degrees() {
    let (ball, floor) = (solid(6, 6), solid(40, 6));
    let normal = ball.overlap(&floor, [-10, 4]).unwrap().normal();
    assert_eq!((normal.degrees(), normal.radians()), (-90.0, -std::f32::consts::FRAC_PI_2));
    assert_eq!((normal.x, normal.y), (0.0, -1.0), "up, out of the floor");
}

#[test]
fn fx3_fx7_two_masks_answer_the_same_in_both_orders() {
    let (a, b) = (mask("#..#\n.##.\n#..#"), mask("##.\n..#"));
    for x in -4..=4 {
        for y in -4..=4 {
            assert_eq!(a.touches(&b, [x, y]), b.touches(&a, [-x, -y]));
            assert_eq!(a.overlap_area(&b, [x, y]), b.overlap_area(&a, [-x, -y]));
            assert_eq!(a.distance(&b, [x, y]), b.distance(&a, [-x, -y]));
        }
    }
}

#[test]
fn fx3_fx7_random_masks_and_colliders_answer_the_same_in_both_orders() {
    let masks = ["hull", "ring", "diagonal", "frame", "dot"].map(|name| named(name).mask());
    let mut random = Random::new(37);
    for _ in 0..400 {
        let mut pick = || masks[random.below(5) as usize].as_ref();
        let (a, b) = (pick(), pick());
        let (a, b) = if random.below(3) == 0 { (a.flip_y(), b) } else { (a, b) };
        // Boxes are at most 9 px apart, so that distances and grazes differ.
        let within = |a: u32, b: u32| (-(b as i32) - 9, a as i32 + 9);
        let (x, y) = (within(a.width(), b.width()), within(a.height(), b.height()));
        let at = Point::new(random.within(x.0, x.1), random.within(y.0, y.1));
        let back = Point::default() - at;
        assert_eq!(a.distance(b, at), b.distance(a, back), "{at:?}");
        assert_eq!(a.overlap_area(b, at), b.overlap_area(a, back));
        for radius in [0, 1, 7, 20] {
            assert_eq!(a.graze(b, at, radius), b.graze(a, back, radius), "{at:?} {radius}");
        }
        let swapped = b.contact(a, back).map(|c| (c.area, c.rect.translated(at), c.point + at));
        assert_eq!(a.contact(b, at).map(|c| (c.area, c.rect, c.point)), swapped);
    }
    // Two worlds with the same colliders, inserted in opposite orders.
    let names = ["hull", "ring", "diagonal", "frame", "dot"];
    let atlas = atlas(&names.iter().copied().zip(&masks).collect::<Vec<_>>());
    let accuracies = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact];
    let colliders: Vec<Collider> = (0..160)
        .map(|_| {
            let name = names[random.below(5) as usize];
            let at = [random.unit() * 500.0, random.unit() * 500.0];
            Collider {
                accuracy: accuracies[random.below(3) as usize],
                min_overlap: [1.into(), 9.into(), 80.into(), [12, 5].into()]
                    [random.below(4) as usize],
                layers: 1 << random.below(2),
                collides_with: [u32::MAX, 0b10][random.below(2) as usize],
                ..Collider::new(atlas.sprite_id(name).unwrap()).at(at).turned(random.unit() * 6.0)
            }
        })
        .collect();
    for accuracy in accuracies {
        let insert = |order: &mut dyn Iterator<Item = usize>| {
            let mut world = World::new(atlas.clone());
            world.set_accuracy(accuracy);
            let mut ids = vec![None; colliders.len()];
            order.for_each(|i| ids[i] = Some(world.insert(colliders[i]).unwrap()));
            world.update();
            (world, ids.into_iter().map(Option::unwrap).collect::<Vec<_>>())
        };
        let (forward, forward_ids) = insert(&mut (0..160));
        let (backward, backward_ids) = insert(&mut (0..160).rev());
        let mut touching = 0;
        for i in 0..160 {
            for j in 0..i {
                let [a, b] = [i, j].map(|n| forward_ids[n]);
                let is_touching = forward.touching_with(a).contains(&b);
                assert_eq!(is_touching, forward.touching_with(b).contains(&a), "{accuracy:?}");
                assert_eq!(
                    is_touching,
                    backward.touching_with(backward_ids[i]).contains(&backward_ids[j])
                );
                let pairs = [(&forward, [b, a]), (&backward, [backward_ids[i], backward_ids[j]])];
                for (world, [a, b]) in pairs {
                    assert_eq!(
                        is_touching,
                        world.touching().contains(&Pair { a, b }),
                        "{accuracy:?}"
                    );
                }
                let contacts = pairs.map(|(world, [a, b])| world.contact(Pair { a, b }));
                assert_eq!(contacts[0], contacts[1]);
                touching += usize::from(is_touching);
            }
        }
        // Enough pairs touch for the comparison to mean something.
        assert!(touching > 60, "{touching}");
    }
}

#[test]
fn ht1_ht2_overlap_as_a_boolean_a_box_and_a_pixel_rectangle() {
    let (a, b) = (mask("##.\n##.\n..#"), mask("..#\n.#.\n#.."));
    assert!(a.touches(&b, [0, 0]));
    let (rect_a, rect_b) = (a.bounds().unwrap(), b.bounds().unwrap());
    assert_eq!(rect_a.intersection(rect_b), Some(Rect::new(0, 0, 3, 3)));
    assert_eq!(a.as_ref().overlap_rect(&b, [0, 0]), Some(Rect::new(1, 1, 2, 2)));
}

#[test]
fn ht3_the_resolution_sets_the_precision_of_the_pixel_rectangle() {
    // The lower right of a is clear, so the pixel rectangle is smaller than the box.
    let (mut notched, square) = (solid(20, 20), solid(20, 20));
    notched.fill_rect(Rect::new(8, 16, 20, 20), false);
    let rects = |factor: f32| {
        let bake = AtlasBuilder::new().resolution(factor).mask("a", notched.clone());
        let bytes = bake.mask("b", square.clone()).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        let [a, b] = ["a", "b"].map(|name| atlas.sprite_id(name).unwrap());
        let mut world = World::new(atlas);
        let a = world.insert(Collider::new(a)).unwrap();
        let b = world.insert(Collider::new(b).at([14.25, 14.5])).unwrap();
        let boxes = world.rect(a).unwrap().intersection(world.rect(b).unwrap()).unwrap();
        let pixels = world.contact(Pair { a, b }).unwrap().rect;
        // Converts pixels of the mask back to position units.
        [boxes, pixels].map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / factor))
    };
    assert_eq!(rects(4.0), [[4.25, 4.5, 10.0, 10.0], [4.25, 4.5, 10.0, 6.0]], "exact to 1/4 unit");
    assert_eq!(rects(2.0), [[4.5, 4.5, 10.0, 10.0], [4.5, 4.5, 10.0, 6.0]]);
    assert_eq!(rects(1.0), [[4.0, 5.0, 10.0, 10.0], [4.0, 5.0, 10.0, 6.0]]);
    assert_eq!(rects(0.5), [[4.0, 4.0, 10.0, 10.0], [4.0, 4.0, 10.0, 6.0]], "exact to 2 units");
}

#[test]
fn ht4_an_invalid_resolution_is_an_error() {
    for bad in [0.0, -1.0, f32::NAN, 3.0] {
        let result = AtlasBuilder::new().resolution(bad).mask("a", solid(4, 4)).to_bytes();
        let reported = match result.unwrap_err().fault {
            BuildFault::Settings(Some(CallError::Number { name: "resolution", value, .. })) => {
                value
            }
            other => panic!("{bad}: {other:?}"),
        };
        assert_eq!(reported.to_bits(), bad.to_bits(), "the given value");
    }
}

#[test]
fn ht5_the_resolution_scales_precision_and_pixel_count() {
    let sprite = solid(32, 32);
    let rect = |resolution: f32| {
        let bake = AtlasBuilder::new().resolution(resolution).mask("a", sprite.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let a = atlas.sprite_id("a").unwrap();
        let mut world = World::new(atlas);
        let id = world.insert(Collider::new(a).at([100.25, 100.0])).unwrap();
        // Converts pixels of the mask back to position units.
        world.rect(id).map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / resolution))
    };
    assert_eq!(rect(1.0), Some([84.0, 84.0, 116.0, 116.0]));
    assert_eq!(rect(4.0), Some([84.25, 84.0, 116.25, 116.0]), "exact to 1/4 unit");
    assert_eq!(rect(0.5), Some([84.0, 84.0, 116.0, 116.0]));
    // The pixel count, and with it the cost, grows with the square of the resolution.
    let area = |resolution: f32| {
        let bake = AtlasBuilder::new().resolution(resolution).mask("a", sprite.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let upright = Pose { step: 0, scale: 0 };
        let sprite = atlas.sprites().next().unwrap();
        sprite.posed(0, upright, Flip::NONE).unwrap().mask.count()
    };
    assert_eq!([0.5, 1.0, 2.0, 4.0].map(area), [256, 1024, 4096, 16_384]);
}

#[test]
fn ht6_a_minimum_overlap_counts_as_touching() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(10, 10), [9.0, 8.0])]);
    assert_eq!(world.contact(Pair { a: ids[0], b: ids[1] }).unwrap().area, 2);
    for (least, touches) in [(2, true), (3, false)] {
        world.set(ids[0], world.get(ids[0]).unwrap().with_min_overlap(least)).unwrap();
        world.update();
        assert_eq!(!world.touching().is_empty(), touches);
    }
}

#[test]
fn tw1_tw2_tw3_tw6_definite_coarse_answers_are_never_wrong() {
    // Large enough to have coarse levels. The bench `touches/levels` measures what they save.
    let mut frame = solid(600, 600);
    frame.fill_rect(Rect::new(60, 60, 540, 540), false);
    let atlas = atlas(&[("frame", &frame), ("slab", &solid(260, 260))]);
    let upright = |name: &str| {
        let sprite = atlas.sprite(atlas.sprite_id(name).unwrap()).unwrap();
        sprite.posed(0, Pose::default(), Flip::NONE).unwrap().mask
    };
    let (frame, slab) = (upright("frame"), upright("slab"));
    let mut counts = [0; 3];
    for x in (-260..600).step_by(17) {
        for y in (-260..600).step_by(17) {
            let truth = reference::contact(frame, slab, [x, y]).is_some();
            match frame.coarse(slab, [x, y]) {
                Certainty::No => {
                    counts[0] += 1;
                    assert!(!truth)
                }
                Certainty::Yes => {
                    counts[1] += 1;
                    assert!(truth)
                }
                Certainty::Maybe => counts[2] += 1,
            }
        }
    }
    // Three of four offsets have a definite answer.
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
    assert!(0 < counts[2] && 3 * counts[2] < counts[0] + counts[1], "{counts:?}");
}

#[test]
fn ck4_every_overlapping_pixel_is_listed() {
    let (a, b) = (mask("#.#\n.#."), mask("###\n.##"));
    let pixels: Vec<Point> = a.as_ref().overlap(&b, [0, 0]).unwrap().pixels().collect();
    assert_eq!(pixels, [[0, 0], [2, 0], [1, 1]].map(Point::from));
    assert_eq!(a.as_ref().overlap(&b, [0, 0]).unwrap().first(ScanOrder::Right), Point::new(2, 0));
}
