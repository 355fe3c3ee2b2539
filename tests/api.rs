//! The shape of the public API: threads, conversions, and one answer from `Mask` and `MaskRef`.

use hitmask::{
    Accuracy, Affine, Atlas, AtlasError, Bake, BakeError, Batch, BoxTree, Collider, ColliderId,
    Filter, Line, Mask, MaskRef, MergeError, PlaceError, Point, PosedRef, Raster, ScanOrder,
    SpriteId, World, Zone,
};

const fn assert_send_and_sync<T: Send + Sync>() {}

/// Compiles only if each type may be sent to, and shared with, other threads.
const _: () = {
    assert_send_and_sync::<Atlas>();
    assert_send_and_sync::<Bake>();
    assert_send_and_sync::<Batch<'_>>();
    assert_send_and_sync::<BoxTree>();
    assert_send_and_sync::<Mask>();
    assert_send_and_sync::<MaskRef<'_>>();
    assert_send_and_sync::<PosedRef<'_>>();
    assert_send_and_sync::<Raster>();
    assert_send_and_sync::<World>();
    assert_send_and_sync::<Zone>();
    assert_send_and_sync::<(AtlasError, BakeError, MergeError, PlaceError)>();
};

fn ball() -> Mask {
    ".##.\n####\n####\n.##.".parse().unwrap()
}

#[test]
fn points_and_positions_of_glam_and_mint_are_taken_as_they_are() {
    let ball = ball();
    assert!(ball.touches(&ball, glam::IVec2::new(2, 1)));
    assert!(ball.touches(&ball, mint::Vector2 { x: 2, y: 1 }));
    assert!(ball.touches(&ball, Point::new(2, 1)) && ball.touches(&ball, (2, 1)));
    let out = ball.push_out(&ball, [3, 1]).unwrap();
    assert_eq!(glam::IVec2::from(<[i32; 2]>::from(out)), glam::IVec2::new(0, -1));

    let sprite = Collider::new(SpriteId::new(0));
    let expected = sprite.at([1.5, 2.0]);
    assert_eq!(sprite.at(glam::Vec2::new(1.5, 2.0)), expected);
    assert_eq!(sprite.at(mint::Point2 { x: 1.5, y: 2.0 }), expected);
    assert_eq!(Affine::translation(glam::Vec2::new(1.5, 2.0)), Affine::translation([1.5, 2.0]));
}

#[test]
fn a_mask_answers_as_its_reference_does() {
    let (mask, other) = (ball(), Mask::solid(5, 3).unwrap());
    let (a, b) = (mask.as_ref(), other.as_ref());
    let zone = Zone::circle([2.0, 2.0], 1.5).unwrap();
    let line = Line::new([-3.0, 1.5], [9.0, 2.5]).unwrap();
    for offset in [[0, 0], [3, 2], [-4, 1], [4, 4], [9, 9]] {
        assert_eq!(mask.touches(&other, offset), a.touches(b, offset));
        assert_eq!(mask.overlap_at_least(3, &other, offset), a.overlap_at_least(3, b, offset));
        assert_eq!(mask.overlap_area(&other, offset), a.overlap_area(b, offset));
        assert_eq!(mask.overlap_rect(&other, offset), a.overlap_rect(b, offset));
        for order in [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right] {
            assert_eq!(
                mask.first_overlap(order, &other, offset),
                a.first_overlap(order, b, offset)
            );
        }
        assert!(mask.overlap_pixels(&other, offset).eq(a.overlap_pixels(b, offset)));
        assert_eq!(mask.overlap_mask(&other, offset), a.overlap_mask(b, offset));
        assert_eq!(mask.contact(&other, offset), a.contact(b, offset));
        assert_eq!(
            mask.overlap(&other, offset).map(|overlap| overlap.contact()),
            a.overlap(b, offset).map(|overlap| overlap.contact())
        );
        assert_eq!(mask.push_out(&other, offset), a.push_out(b, offset));
        assert_eq!(mask.push_along(&other, offset, [1, 2]), a.push_along(b, offset, [1, 2]));
        assert_eq!(mask.nearest(&other, offset), a.nearest(b, offset));
        assert_eq!(mask.distance(&other, offset), a.distance(b, offset));
        assert_eq!(mask.cast(&other, offset, [7, 3]), a.cast(b, offset, [7, 3]));
        assert_eq!(mask.graze(&other, offset, 2), a.graze(b, offset, 2));
        assert_eq!(mask.touches_zone(&zone, offset), a.touches_zone(&zone, offset));
        assert_eq!(mask.first_line_hit(&line, offset), a.first_line_hit(&line, offset));
        assert!(mask.line_hits(&line, offset).eq(a.line_hits(&line, offset)));
    }
}

#[test]
fn queries_into_a_list_replace_its_contents_by_the_same_answer() {
    let atlas = Atlas::from_vec(Bake::new().mask("ball", ball()).to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprite_id("ball").unwrap();
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..6)
        .map(|i| world.insert(Collider::new(sprite).at([3.0 * i as f32, 0.0])).unwrap())
        .collect();
    world.update();
    let zone = Zone::circle([4.0, 0.0], 3.0).unwrap();
    let rect = zone.bounds().unwrap();
    // Stale contents, which every call must replace.
    let mut found = ids.clone();
    world.query_into(&zone, Filter::ALL, &mut found).unwrap();
    assert_eq!(found, world.query(&zone, Filter::ALL).unwrap());
    assert!(!found.is_empty() && found.len() < ids.len());
    found = world.query_mask(&ball(), [1, -1], Filter::ALL);
    assert_eq!(found, world.query_mask(&ball(), [1, -1], Filter::ALL));
    let boxes = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
    world.query_into(&Zone::rect(rect), boxes, &mut found).unwrap();
    assert_eq!(found, world.query(&Zone::rect(rect), boxes).unwrap());
    found = world.touching_with(ids[1]);
    assert_eq!(found, world.touching_with(ids[1]));
    assert_eq!(found, [ids[0], ids[2]]);
}
