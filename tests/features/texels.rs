//! Capabilities of classic systems: the texels that count as solid.

use hitmask::{AlphaRule, AtlasBuilder, Collider, Filter, Mask, Pair, Pivot, Rect, World};
use hitmask_scenes::open;

#[test]
fn each_object_has_its_own_transparency_rule() {
    // Alpha of a, alpha of b, tolerance, overlap.
    for (alpha_a, alpha_b, tolerance, hits) in [
        (255, 255, 0.5, true),
        (255, 0, 0.5, false),
        (0x87, 0xff, 0.0, true),
        (0x87, 0xff, 1.0, false),
    ] {
        let rule = AlphaRule::tolerance(tolerance);
        let texel = |alpha| Mask::from_alpha(1, 1, &[alpha], rule).unwrap();
        assert_eq!(texel(alpha_a).touches(&texel(alpha_b), [0, 0]), hits, "{alpha_a} {alpha_b}");
    }
    // Two objects with different rules: the pixel counts only if it is solid in both.
    let soft = |rule| Mask::from_alpha(1, 1, &[100], rule).unwrap();
    let (loose, strict) = (soft(AlphaRule::AtLeast(100)), soft(AlphaRule::Above(100)));
    assert!(loose.touches(&loose, [0, 0]));
    assert!(!loose.touches(&strict, [0, 0]) && !strict.touches(&loose, [0, 0]));
}

#[test]
fn an_alpha_tolerance_is_a_bit_mask_and_never_counts_clear_texels() {
    let clear: [f32; 5] = [0.0, -0.0, -1.0, f32::NEG_INFINITY, f32::NAN];
    for (alpha, tolerance, hits) in [
        (0x87, 0.5, true),
        (0x7f, 0.5, false),
        (0x00, 0.0, false),
        // round(255 t) is 0 below 1 / 510, which as a bit mask would count every texel.
        (0x00, 0.001, false),
        (0x01, 0.001, true),
        (0xff, 1.0, true),
        (0xfe, 1.0, false),
        // Above 1 counts as 1.
        (0xff, 1.5, true),
        (0xfe, f32::INFINITY, false),
    ] {
        let texel = Mask::from_alpha(1, 1, &[alpha], AlphaRule::tolerance(tolerance)).unwrap();
        assert_eq!(texel.touches(&texel, [0, 0]), hits, "{alpha:#x} at {tolerance}");
    }
    for tolerance in clear {
        assert_eq!(AlphaRule::tolerance(tolerance), AlphaRule::Bits(1), "{tolerance}");
    }
    // Each bit mask is the tolerance of its own 255th.
    for mask in 1..=255_u8 {
        assert_eq!(AlphaRule::tolerance(f32::from(mask) / 255.0), AlphaRule::Bits(mask));
    }
}

#[test]
fn each_side_has_its_own_threshold() {
    // One picture under two rules: texel 0 is solid under one of them, texel 1 under both.
    let texels = [9, 9, 9, 100, 9, 9, 9, 255];
    let bake = AtlasBuilder::new().pivot(Pivot::HalfTexels(0, 0));
    let bake = bake.alpha(AlphaRule::AtLeast(100)).rgba("loose", 2, 1, &texels).unwrap();
    let bake = bake.alpha(AlphaRule::Above(100)).rgba("strict", 2, 1, &texels).unwrap();
    let atlas = open(&bake);
    let [loose, strict] = ["loose", "strict"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let loose_id = world.insert(Collider::new(loose)).unwrap();
    let strict_id = world.insert(Collider::new(strict)).unwrap();
    let touching = |world: &mut World| {
        world.update();
        world.touching().to_vec()
    };
    assert_eq!(touching(&mut world), [Pair { a: loose_id, b: strict_id }]);
    assert_eq!(
        world.contact(Pair { a: loose_id, b: strict_id }).unwrap().rect,
        Rect::new(1, 0, 2, 1)
    );
    // Moved by 1 px, a touch is possible only on the side of the texel that one rule alone counts.
    for (x, meets) in [(1.0, false), (-1.0, true)] {
        world.set(strict_id, Collider::new(strict).at([x, 0.0])).unwrap();
        assert_eq!(!touching(&mut world).is_empty(), meets, "{x}");
    }
    world.set(strict_id, Collider::new(strict)).unwrap();
    // A mask under a third rule against both colliders.
    let third = |rule| Mask::from_alpha(1, 1, &[100], rule).unwrap();
    let query = |rule, x| world.probe(&third(rule), [x, 0]).touching(Filter::ALL);
    let (solid, clear) = (AlphaRule::Bits(0x60), AlphaRule::Bits(0x80));
    assert_eq!((query(solid, 0), query(solid, 1)), (vec![loose_id], vec![loose_id, strict_id]));
    assert_eq!((query(clear, 0), query(clear, 1)), (vec![], vec![]));
}
