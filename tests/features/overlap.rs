//! The classic systems, without their flaws: what is told of two that overlap, and how closely.

use crate::{atlas, mask, solid, world};
use hitmask::{
    Accuracy, Atlas, Bake, BakeError, Certainty, Collider, Flip, Pair, Point, Pose, PoseError,
    Rect, ScanOrder, World, reference,
};
use hitmask_scenes::{Random, named};

#[test]
fn sk1_the_overlap_rectangle_in_common_space() {
    let (world, ids) =
        world(&[("a", &solid(10, 10), [5.0, 5.0]), ("b", &solid(10, 10), [12.0, 8.0])]);
    let contact = world.contact(&Pair { a: ids[0], b: ids[1] }).unwrap();
    assert_eq!(contact.rect, Rect::new(7, 3, 10, 10));
}

#[test]
fn sk3_tg6_one_answer_for_no() {
    let (a, b) = (mask("#."), mask(".#"));
    assert_eq!(a.contact(&b, [0, 0]), None);
    assert_eq!(a.as_ref().overlap_rect(&b, [0, 0]), None);
    assert_eq!(Rect::new(0, 0, 4, 4).intersection(Rect::new(4, 0, 8, 4)), None);
}

#[test]
fn sk4_tg4_work_stays_within_the_intersection() {
    // A box of the union of these two could not even be told in 32 bits.
    let a = solid(16_000, 2);
    assert_eq!(a.overlap_area(&a, [i32::MAX, 0]), 0);
    assert_eq!(a.contact(&a, [15_999, 1]).unwrap().rect, Rect::new(15_999, 1, 16_000, 2));
}

#[test]
fn sk10_tg8_the_collision_point_really_overlaps() {
    // Overlap in two corners: the centre of its box is empty.
    let (a, b) = (mask("##..\n....\n...#"), mask("#...\n....\n..##"));
    let contact = a.contact(&b, [0, 0]).unwrap();
    assert!(a.get(contact.point.x, contact.point.y) && b.get(contact.point.x, contact.point.y));
    let [x, y] = contact.center();
    assert_eq!([x, y], [2.0, 1.5]);
    assert!(!a.get(x as i32, y as i32), "the middle, by contrast, may be empty");
}

#[test]
fn sk11_yes_or_no() {
    let corner = mask(".##\n.#.");
    assert!(corner.touches(&corner, [1, 0]) && !corner.touches(&corner, [1, 1]));
}

#[test]
fn w1_ck7_the_angle_of_the_collision_in_radians_and_degrees() {
    let (ball, floor) = (solid(6, 6), solid(40, 6));
    let normal = ball.overlap(&floor, [-10, 4]).unwrap().normal();
    assert_eq!((normal.degrees(), normal.radians()), (-90.0, -std::f32::consts::FRAC_PI_2));
    assert_eq!((normal.x, normal.y), (0.0, -1.0), "up, out of the floor");
}

#[test]
fn fx3_fx7_it_does_not_matter_who_asks() {
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
fn fx3_fx7_nor_of_masks_and_colliders_of_any_kind() {
    let masks = ["hull", "ring", "diagonal", "frame", "dot"].map(|name| named(name).mask());
    let mut random = Random::new(37);
    for _ in 0..400 {
        let mut pick = || masks[random.below(5) as usize].as_ref();
        let (a, b) = (pick(), pick());
        let (a, b) = if random.below(3) == 0 { (a.flip_y(), b) } else { (a, b) };
        let within = |a: u32, b: u32| (-(b as i32) - 9, a as i32 + 9);
        let (x, y) = (within(a.width(), b.width()), within(a.height(), b.height()));
        let at = Point::new(random.within(x.0, x.1), random.within(y.0, y.1));
        let back = Point::default() - at;
        assert_eq!(a.distance(b, at), b.distance(a, back), "{at:?}");
        assert_eq!(a.overlap_area(b, at), b.overlap_area(a, back));
        for radius in [0, 1, 7, 20] {
            assert_eq!(a.graze(b, at, radius), b.graze(a, back, radius), "{at:?} {radius}");
        }
        for least in [1, 5, 60] {
            assert_eq!(a.overlap_at_least(least, b, at), b.overlap_at_least(least, a, back));
        }
        let swapped = b.contact(a, back).map(|c| (c.area, c.rect.translated(at), c.point + at));
        assert_eq!(a.contact(b, at).map(|c| (c.area, c.rect, c.point)), swapped);
    }
    // The same colliders, inserted from the first to the last and from the last to the first.
    let pictures = ["hull", "ring", "diagonal", "frame", "dot"];
    let atlas = atlas(&pictures.iter().copied().zip(&masks).collect::<Vec<_>>());
    let accuracies = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact];
    let colliders: Vec<Collider> = (0..160)
        .map(|_| {
            let name = pictures[random.below(5) as usize];
            let at = [random.unit() * 500.0, random.unit() * 500.0];
            Collider {
                accuracy: accuracies[random.below(3) as usize],
                min_overlap: [1, 1, 9, 80][random.below(4) as usize],
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
        let (up, up_ids) = insert(&mut (0..160));
        let (down, down_ids) = insert(&mut (0..160).rev());
        let mut touching = 0;
        for i in 0..160 {
            for j in 0..i {
                let [a, b] = [i, j].map(|n| up_ids[n]);
                let asked = up.touching_with(a).contains(&b);
                assert_eq!(asked, up.touching_with(b).contains(&a), "{accuracy:?}");
                assert_eq!(asked, down.touching_with(down_ids[i]).contains(&down_ids[j]));
                let pairs = [(&up, [b, a]), (&down, [down_ids[i], down_ids[j]])];
                for (world, [a, b]) in pairs {
                    assert_eq!(asked, world.touching().contains(&Pair { a, b }), "{accuracy:?}");
                }
                let contacts = pairs.map(|(world, [a, b])| world.contact(&Pair { a, b }));
                assert_eq!(contacts[0], contacts[1]);
                touching += usize::from(asked);
            }
        }
        assert!(touching > 60, "{touching}");
    }
}

#[test]
fn ht1_ht2_yes_box_and_pixel_rectangle() {
    let (a, b) = (mask("##.\n##.\n..#"), mask("..#\n.#.\n#.."));
    assert!(a.touches(&b, [0, 0]));
    let (rect_a, rect_b) = (a.bounds().unwrap(), b.bounds().unwrap());
    assert_eq!(rect_a.intersection(rect_b), Some(Rect::new(0, 0, 3, 3)));
    assert_eq!(a.as_ref().overlap_rect(&b, [0, 0]), Some(Rect::new(1, 1, 2, 2)));
}

#[test]
fn ht3_the_pixel_rectangle_by_an_accuracy_factor() {
    // The lower right of the one is empty, so that its pixels end before its box does.
    let (mut notched, square) = (solid(20, 20), solid(20, 20));
    notched.fill_rect(Rect::new(8, 16, 20, 20), false);
    let rects = |factor: f32| {
        let bake = Bake::new().resolution(factor).mask("a", notched.clone());
        let bytes = bake.mask("b", square.clone()).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        let [a, b] = ["a", "b"].map(|name| atlas.sprite_id(name).unwrap());
        let mut world = World::new(atlas);
        let a = world.insert(Collider::new(a)).unwrap();
        let b = world.insert(Collider::new(b).at([14.25, 14.5])).unwrap();
        let boxes = world.rect(a).unwrap().intersection(world.rect(b).unwrap()).unwrap();
        let pixels = world.contact(&Pair { a, b }).unwrap().rect;
        // In units of positions again.
        [boxes, pixels].map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / factor))
    };
    assert_eq!(rects(4.0), [[4.25, 4.5, 10.0, 10.0], [4.25, 4.5, 10.0, 6.0]], "exact to a quarter");
    assert_eq!(rects(2.0), [[4.5, 4.5, 10.0, 10.0], [4.5, 4.5, 10.0, 6.0]]);
    assert_eq!(rects(1.0), [[4.0, 5.0, 10.0, 10.0], [4.0, 5.0, 10.0, 6.0]]);
    assert_eq!(rects(0.5), [[4.0, 4.0, 10.0, 10.0], [4.0, 4.0, 10.0, 6.0]], "to two pixels");
}

#[test]
fn ht4_an_accuracy_of_zero_or_less_is_an_error() {
    for bad in [0.0, -1.0, f32::NAN, 3.0] {
        let refused = Bake::new().resolution(bad).mask("a", solid(4, 4)).to_bytes();
        let told = match refused.unwrap_err() {
            BakeError::Settings(PoseError::Resolution(told)) => told,
            other => panic!("{bad}: {other}"),
        };
        assert_eq!(told.to_bits(), bad.to_bits(), "what was given");
    }
}

#[test]
fn ht5_coarser_and_faster_or_finer_than_a_pixel() {
    let sprite = solid(32, 32);
    let rect = |resolution: f32| {
        let bake = Bake::new().resolution(resolution).mask("a", sprite.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let a = atlas.sprite_id("a").unwrap();
        let mut world = World::new(atlas);
        let id = world.insert(Collider::new(a).at([100.25, 100.0])).unwrap();
        // In units of positions again.
        world.rect(id).map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / resolution))
    };
    assert_eq!(rect(1.0), Some([84.0, 84.0, 116.0, 116.0]));
    assert_eq!(rect(4.0), Some([84.25, 84.0, 116.25, 116.0]), "to a quarter of a pixel");
    assert_eq!(rect(0.5), Some([84.0, 84.0, 116.0, 116.0]));
    // Fewer pixels to read are what makes it faster: a quarter of them, and sixteen times as many.
    let area = |resolution: f32| {
        let bake = Bake::new().resolution(resolution).mask("a", sprite.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let upright = Pose { step: 0, scale: 0 };
        let sprite = atlas.sprites().next().unwrap();
        sprite.posed(0, upright, Flip::NONE).unwrap().mask.count()
    };
    assert_eq!([0.5, 1.0, 2.0, 4.0].map(area), [256, 1024, 4096, 16_384]);
}

#[test]
fn ht6_a_least_overlap_to_count() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(10, 10), [9.0, 8.0])]);
    assert_eq!(world.contact(&Pair { a: ids[0], b: ids[1] }).unwrap().area, 2);
    for (least, touches) in [(2, true), (3, false)] {
        world.set(ids[0], Collider { min_overlap: least, ..world.get(ids[0]).unwrap() }).unwrap();
        world.update();
        assert_eq!(!world.touching().is_empty(), touches);
        assert_eq!(solid(10, 10).as_ref().overlap_at_least(least, &solid(10, 10), [9, 8]), touches);
    }
}

#[test]
fn tw1_tw2_tw3_small_pictures_first_and_never_wrong() {
    let mut frame = solid(200, 200);
    frame.fill_rect(Rect::new(20, 20, 180, 180), false);
    let atlas = atlas(&[("frame", &frame), ("slab", &solid(60, 60))]);
    let shown = |name: &str| {
        let sprite = atlas.sprite(atlas.sprite_id(name).unwrap()).unwrap();
        sprite.posed(0, Pose::default(), Flip::NONE).unwrap().mask
    };
    let (frame, slab) = (shown("frame"), shown("slab"));
    let mut seen = [0; 3];
    for x in (-60..200).step_by(3) {
        for y in (-60..200).step_by(3) {
            let truth = reference::contact(frame, slab, [x, y]).is_some();
            match frame.coarse(slab, [x, y]) {
                Certainty::No => {
                    seen[0] += 1;
                    assert!(!truth)
                }
                Certainty::Yes => {
                    seen[1] += 1;
                    assert!(truth)
                }
                Certainty::Maybe => seen[2] += 1,
            }
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] < seen[0] + seen[1], "{seen:?}");
}

#[test]
fn ck4_every_overlapping_point() {
    let (a, b) = (mask("#.#\n.#."), mask("###\n.##"));
    let points: Vec<Point> = a.as_ref().overlap(&b, [0, 0]).unwrap().pixels().collect();
    assert_eq!(points, [[0, 0], [2, 0], [1, 1]].map(Point::from));
    assert_eq!(a.as_ref().overlap(&b, [0, 0]).unwrap().first(ScanOrder::Right), Point::new(2, 0));
}
