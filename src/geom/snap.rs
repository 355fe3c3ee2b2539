//! Snapping of fractional positions to whole pixels, and a floor to i32 without a library call.
//!
//! Invariants: every position snaps by one rule, floor(p + 1/2). Offsets of valid positions fit an i32.

use super::Point;

/// Upper bound on the distance of a collider from the origin on either axis, in mask pixels. In
/// position units the bound is this value divided by the atlas's resolution. Differences of two
/// positions, poses included, then fit an i32.
pub const MAX_POSITION: f32 = 1e9;

/// Returns a position in mask pixels, where `resolution` of them are a pixel. The resolution is a power
/// of two, so the product is exact. One below the least f32 keeps its sign, and so its pixel.
pub(crate) fn mask_pixels(position: [f32; 2], resolution: f32) -> [f32; 2] {
    position.map(|p| match p * resolution {
        0.0 if p < 0.0 => -f32::from_bits(1),
        product => product,
    })
}

/// Returns the pixel of a position; `None` if not finite or beyond [`MAX_POSITION`].
#[inline(always)]
pub(crate) fn lattice(position: [f32; 2]) -> Option<Point> {
    let [x, y] = position.map(pixel);
    position.iter().all(|p| p.abs() <= MAX_POSITION).then_some(Point::new(x, y))
}

/// Returns the pixel of a coordinate within [`MAX_POSITION`]: floor(p + 1/2).
#[inline(always)]
pub(crate) fn pixel(position: f32) -> i32 {
    // In f64 the sum is exact wherever rounding could cross an integer.
    fast_floor(f64::from(position) + 0.5)
}

/// Returns the floor of `value`, which must be within the range of i32. Any other value, NaN
/// included, gives an unspecified number.
///
/// Baseline x86-64 has no floor instruction, so `f64::floor` is a function call. Adding 1.5 * 2^52
/// rounds `value` to the nearest integer, which the low bits of the sum hold. One compare turns the
/// nearest integer into the floor.
///
/// This costs half of a cast and a compare, and the compiler handles both axes at once.
#[inline(always)]
pub(crate) fn fast_floor(value: f64) -> i32 {
    const ROUNDING_BIAS: f64 = 6_755_399_441_055_744.0;
    let biased = value + ROUNDING_BIAS;
    let nearest = biased.to_bits() as i32;
    nearest.wrapping_sub(i32::from(biased - ROUNDING_BIAS > value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_snap_to_the_floor_of_p_plus_a_half_without_rounding_the_sum() {
        for (p, pixel) in [
            (0.0, 0),
            (0.499_999_97, 0),
            (0.5, 1),
            (-0.5, 0),
            (-0.500_000_06, -1),
            (1.5, 2),
            (-1.5, -1),
            (-1e-40, 0),
            (8_388_607.5, 8_388_608),
            (16_777_217.0, 16_777_216),
            (1e9, 1_000_000_000),
            (-1e9, -1_000_000_000),
        ] {
            assert_eq!(lattice([p, -0.0]), Some(Point::new(pixel, 0)), "{p}");
        }
        for beyond in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1.000_001e9, -2e9, f32::MAX] {
            assert_eq!([lattice([0.0, beyond]), lattice([beyond, 0.0])], [None; 2], "{beyond}");
        }
    }

    #[test]
    fn it_equals_floor_over_the_range_of_i32() {
        let edges = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        let spread = (0..100_000_i64).map(|i| (i * i * i % 4_294_967_291 - 2_147_483_645) as i32);
        for whole in edges.into_iter().chain(spread) {
            let whole = f64::from(whole);
            for value in [whole, whole + 0.5, whole.next_up(), whole.next_down(), whole + 0.25] {
                if (f64::from(i32::MIN)..f64::from(i32::MAX)).contains(&value) {
                    assert_eq!(f64::from(fast_floor(value)), value.floor(), "{value}");
                }
            }
        }
        assert_eq!(
            (fast_floor(-0.0), fast_floor(-1e-300), fast_floor(0.999_999_999_999)),
            (0, -1, 0)
        );
        // NaN, infinities and values out of range have no floor; they must not panic.
        for value in [f64::NAN, f64::INFINITY, -1e300] {
            let _ = fast_floor(value);
        }
    }
}
