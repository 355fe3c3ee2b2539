/// The floor of `value`, which is within the range of i32; of anything else some number.
///
/// Baseline x86-64 has no instruction for it, and the library calls a function. Next to 1.5 * 2^52
/// an f64 has whole numbers only, and its lowest bits are those of the number added: the nearest
/// whole one, from which the floor is a compare away. That is half of what a cast and a compare
/// take, and both axes go at once.
#[inline(always)]
pub(crate) fn fast_floor(value: f64) -> i32 {
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let near = value + WHOLE;
    let nearest = near.to_bits() as i32;
    nearest.wrapping_sub(i32::from(near - WHOLE > value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_floor_all_over_its_range() {
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
        // What is no number has no floor, and is no reason to panic.
        for value in [f64::NAN, f64::INFINITY, -1e300] {
            let _ = fast_floor(value);
        }
    }
}
