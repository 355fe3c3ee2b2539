//! The classic systems, without their flaws: which texels count.

use hitmask::{
    AlphaRule, Atlas, Bake, Collider, ColorRange, Filter, Flip, Mask, Pair, Pivot, Pose, Rect,
    World,
};

#[test]
fn sk5_sk6_sk7_sk8_fx1_mc3_a_transparency_rule_for_each_object() {
    // Alpha of one, alpha of the other, tolerance.
    for (alpha_a, alpha_b, tolerance, hits) in [
        (255, 255, 0.5, true),
        (255, 0, 0.5, false),
        (0x87, 0xff, 0.0, true),
        (0x87, 0xff, 1.0, false),
    ] {
        let rule = AlphaRule::Bits((tolerance * 255.0_f32) as u8);
        let texel = |alpha| Mask::from_alpha(1, 1, &[alpha], rule).unwrap();
        assert_eq!(texel(alpha_a).touches(&texel(alpha_b), [0, 0]), hits, "{alpha_a} {alpha_b}");
    }
    // Each its own, both honoured.
    let soft = |rule| Mask::from_alpha(1, 1, &[100], rule).unwrap();
    let (loose, strict) = (soft(AlphaRule::AtLeast(100)), soft(AlphaRule::Above(100)));
    assert!(loose.touches(&loose, [0, 0]));
    assert!(!loose.touches(&strict, [0, 0]) && !strict.touches(&loose, [0, 0]));
}

#[test]
fn mc1_mc2_each_side_has_its_own_threshold() {
    // The same picture, by two rules: a texel that one of them sees, and one that both see.
    let texels = [9, 9, 9, 100, 9, 9, 9, 255];
    let bake = Bake::new().pivot(Pivot::HalfTexels(0, 0));
    let bake = bake.alpha(AlphaRule::AtLeast(100)).rgba("loose", 2, 1, &texels).unwrap();
    let bake = bake.alpha(AlphaRule::Above(100)).rgba("strict", 2, 1, &texels).unwrap();
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let [loose, strict] = ["loose", "strict"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let here = world.insert(Collider::new(loose)).unwrap();
    let there = world.insert(Collider::new(strict)).unwrap();
    let touching = |world: &mut World| {
        world.update();
        world.touching().to_vec()
    };
    assert_eq!(touching(&mut world), [Pair { a: here, b: there }]);
    assert_eq!(world.contact(&Pair { a: here, b: there }).unwrap().rect, Rect::new(1, 0, 2, 1));
    // Beside each other, what one rule alone sees meets what the other sees only on one side.
    for (x, meets) in [(1.0, false), (-1.0, true)] {
        world.set(there, Collider::new(strict).at([x, 0.0])).unwrap();
        assert_eq!(!touching(&mut world).is_empty(), meets, "{x}");
    }
    world.set(there, Collider::new(strict)).unwrap();
    // A mask by a third rule, against both.
    let third = |rule| Mask::from_alpha(1, 1, &[100], rule).unwrap();
    let asked = |rule, x| world.query_mask(&third(rule), [x, 0], Filter::ALL);
    let (seen, unseen) = (AlphaRule::Bits(0x60), AlphaRule::Bits(0x80));
    assert_eq!((asked(seen, 0), asked(seen, 1)), (vec![here], vec![here, there]));
    assert_eq!((asked(unseen, 0), asked(unseen, 1)), (vec![], vec![]));
}

#[test]
fn ck6_colours_within_a_range_are_left_out() {
    let rgba = [255, 0, 255, 255, 250, 3, 250, 255, 90, 90, 90, 255];
    let bake = Bake::new().exclude_color(ColorRange::near([255, 0, 255], 8));
    let atlas = Atlas::from_vec(bake.rgba("a", 3, 1, &rgba).unwrap().to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    let shown = sprite.posed(0, Pose::default(), Flip::NONE).unwrap();
    assert_eq!(shown.mask.count(), 1);
}
