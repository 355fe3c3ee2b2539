use std::cmp::Ordering;

/// pi / 2 in units of 2^-100, rounded down.
const HALF_PI: i128 = 1_991_220_906_497_848_681_844_175_556_976;
/// One, in the units of 2^-62 that sine and cosine are computed in.
const ONE: i128 = 1 << 62;

/// The map from a pose back to its source: cosine and sine over scale, in units of 2^-30,
/// rounded to nearest. Exact at quarter turns; equal in size at eighths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) c: i64,
    pub(crate) s: i64,
}

impl Matrix {
    /// Step `step` of `angles` in a full turn, at `scale` (a finite number of at least
    /// [`MIN_SCALE`](crate::pose::MIN_SCALE)).
    ///
    /// Reduced to one eighth of a turn and computed there by series in integers: no floating
    /// point and no platform's trigonometry decides a bit.
    pub(crate) fn new(step: u32, angles: u32, scale: f32) -> Self {
        let n = u64::from(angles);
        let quarters = 4 * (u64::from(step) % n);
        let (quadrant, part) = (quarters / n, quarters % n);
        let (cos, sin) = quarter_cos_sin(part, n);
        let (c, s) = (over_scale(cos, scale), over_scale(sin, scale));
        match quadrant {
            0 => Self { c, s },
            1 => Self { c: -s, s: c },
            2 => Self { c: -c, s: -s },
            _ => Self { c: s, s: -c },
        }
    }
}

/// Cosine and sine of `part / n` of a quarter turn, less than a whole one, in units of 2^-62:
/// past the middle they change places, and in the middle they are equal to the last bit.
fn quarter_cos_sin(part: u64, n: u64) -> (i128, i128) {
    match (2 * part).cmp(&n) {
        Ordering::Less => cos_sin(part, n),
        Ordering::Equal => {
            let (cos, _) = cos_sin(part, n);
            (cos, cos)
        }
        Ordering::Greater => {
            let (cos, sin) = cos_sin(n - part, n);
            (sin, cos)
        }
    }
}

/// Cosine and sine of `part / n` of a quarter turn, at most one half, in units of 2^-62, each to
/// within 2^-57: Taylor's series until its terms vanish.
fn cos_sin(part: u64, n: u64) -> (i128, i128) {
    let x = (HALF_PI * i128::from(part) / i128::from(n)) >> 38;
    let (mut cos, mut sin) = (0, 0);
    let (mut term, mut k) = (ONE, 0);
    while term != 0 {
        match k % 4 {
            0 => cos += term,
            1 => sin += term,
            2 => cos -= term,
            _ => sin -= term,
        }
        k += 1;
        term = ((term * x) >> 62) / k;
    }
    (cos, sin)
}

/// `value`, in units of 2^-62 and not negative, over `scale`, in units of 2^-30, to nearest.
fn over_scale(value: i128, scale: f32) -> i64 {
    // A scale is mantissa x 2^exponent exactly: the division is one of integers.
    let bits = scale.to_bits();
    let mantissa = i128::from(bits & 0x7f_ffff | 0x80_0000);
    let exponent = (bits >> 23 & 0xff) as i32 - 150;
    let divisor = mantissa << (32 + exponent);
    ((value + divisor / 2) / divisor) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_exact_and_eighths_have_equal_parts() {
        for n in [4, 8, 64, 360, 65_536] {
            let at = |step| Matrix::new(step, n, 1.0);
            let one = 1 << 30;
            assert_eq!(at(0), Matrix { c: one, s: 0 });
            assert_eq!(at(n / 4), Matrix { c: 0, s: one });
            assert_eq!(at(n / 2), Matrix { c: -one, s: 0 });
            assert_eq!(at(3 * (n / 4)), Matrix { c: 0, s: -one });
            if n % 8 == 0 {
                assert_eq!(at(n / 8), Matrix { c: 759_250_125, s: 759_250_125 });
            }
        }
        // Before rounding, too: no scale can then part them.
        let (cos, sin) = quarter_cos_sin(16, 32);
        assert_eq!(cos, sin);
        assert_eq!(Matrix::new(1, 2, 2.0), Matrix { c: -(1 << 29), s: 0 });
    }

    #[test]
    fn every_entry_is_the_nearest_integer_to_the_true_value() {
        for n in [12, 28, 64, 100, 360, 4096] {
            for scale in [1.0_f32 / 64.0, 0.1, 0.5, 0.7, 1.0, 1.5, 3.0, 64.0] {
                for step in 0..n {
                    let angle = std::f64::consts::TAU * f64::from(step) / f64::from(n);
                    let unit = f64::from(1 << 30) / f64::from(scale);
                    let got = Matrix::new(step, n, scale);
                    // f64 knows the true value to about 2^-16 of a unit at the smallest scale.
                    for (got, truth) in [(got.c, angle.cos() * unit), (got.s, angle.sin() * unit)] {
                        assert!((got as f64 - truth).abs() < 0.5001, "{step} of {n} at {scale}");
                    }
                }
            }
        }
    }
}
