//! A floor to i32 without a library call, for snapping positions to pixels.
//!
//! Called by `geom::snap` for every position that a world receives, and for angles.

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
