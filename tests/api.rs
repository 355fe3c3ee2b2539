//! The shape of the public API: threads and conversions.

use hitmask::{
    Accuracy, Affine, Atlas, AtlasBuilder, AtlasError, Batch, BoxTree, BuildError, Collider,
    ColliderId, Filter, Mask, MaskRef, PlaceError, Point, PosedRef, Raster, SpriteId, World, Zone,
};

const fn assert_send_and_sync<T: Send + Sync>() {}

/// Compiles only if each type may be sent to, and shared with, other threads.
const _: () = {
    assert_send_and_sync::<Atlas>();
    assert_send_and_sync::<AtlasBuilder>();
    assert_send_and_sync::<Batch<'_>>();
    assert_send_and_sync::<BoxTree>();
    assert_send_and_sync::<Mask>();
    assert_send_and_sync::<MaskRef<'_>>();
    assert_send_and_sync::<PosedRef<'_>>();
    assert_send_and_sync::<Raster>();
    assert_send_and_sync::<World>();
    assert_send_and_sync::<Zone>();
    assert_send_and_sync::<(AtlasError, BuildError, PlaceError)>();
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
fn queries_into_a_list_replace_its_contents_by_the_same_answer() {
    let atlas =
        Atlas::from_vec(AtlasBuilder::new().mask("ball", ball()).to_bytes().unwrap()).unwrap();
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
