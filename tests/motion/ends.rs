//! The ends of the range: any speed, any distance, and invalid input.

use crate::solid;
use hitmask::{Mask, Point, PosedRef};

#[test]
fn nothing_is_passed_through_at_any_speed_or_from_any_distance() {
    let (bullet, plate) = (solid(16, 16), solid(1, 3));
    for motion in [2_000_000_000, i32::MAX] {
        let impact = bullet.cast(&plate, [1_000_000_000, 7], [motion, 0]).unwrap();
        assert_eq!(impact.contact_offset, Point::new(1_000_000_000 - 15, 0));
    }
    // From one end of the range to the other.
    let impact = bullet.cast(&plate, [i32::MIN, i32::MIN], [i32::MIN, i32::MIN]).unwrap();
    assert_eq!(impact.contact_offset, Point::new(i32::MIN, i32::MIN));
}

#[test]
fn invalid_input_has_a_defined_answer() {
    let block = solid(8, 8);
    let block_ref = block.as_ref();
    let far = [[i32::MIN, i32::MIN], [i32::MAX, i32::MAX], [i32::MIN, 0], [0, i32::MAX]];
    for offset in far {
        assert_eq!(block.push_out(&block, offset), None);
        assert_eq!(block_ref.push_along(&block, offset, [1, 1]), None);
        assert!(block_ref.overlap(&block, offset).is_none());
        assert_eq!(block.cast(&block, offset, [0, 0]), None);
        for motion in far {
            let _ = block.cast(&block, offset, motion);
            assert_eq!(
                block.cast(&block, [0, 0], motion).map(|i| (i.step, i.time())),
                Some((0, 0.0))
            );
            let away = block_ref.push_along(&block, [0, 0], motion).unwrap();
            assert_eq!(away.x.abs().max(away.y.abs()), 8);
        }
        assert!(block.distance(&block, offset).unwrap() > 2e9);
    }
    assert_eq!(
        block_ref.push_along(&block, [0, 0], [0, 0]),
        None,
        "a zero vector has no direction"
    );
    for none in [Mask::new(0, 0).unwrap(), Mask::new(30, 0).unwrap(), Mask::new(30, 90).unwrap()] {
        for (a, b) in [(block_ref, none.as_ref()), (none.as_ref(), block_ref)] {
            assert_eq!(a.push_out(b, [0, 0]), None);
            assert_eq!(a.distance(b, [0, 0]), None);
            assert_eq!(a.cast(b, [-20, 0], [100, 0]), None);
            assert_eq!(a.cast(b, [-20, 0], [100, 0]), None);
        }
    }
    assert_eq!(PosedRef::cast_turning(&[], &block, [0, 0], [5, 5]), None);
}
