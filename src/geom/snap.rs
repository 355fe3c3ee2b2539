//! Snapping of fractional positions to whole pixels, and a floor to i32 without a library call.
//!
//! Called by `world` for every position ([`lattice`]), for angles ([`fast_floor`]), and by callers
//! that test single pairs ([`Snap`]).
//!
//! Invariants: the world and [`Snap::Lattice`] use one rule, floor(p + 1/2). Offsets of valid
//! positions fit an i32.

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

/// A rule that turns two fractional positions into an offset in whole pixels.
///
/// For tests of single pairs; a [`World`](crate::World) uses one lattice for all colliders.
///
/// ```
/// use hitmask::{Angle, Atlas, AtlasBuilder, Flip, Point, Snap};
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("bar", "##########".parse()?).to_bytes()?)?;
/// let bar = atlas.sprites().next().unwrap();
/// let pose = bar.nearest(Angle::Turn(0), 1.0).unwrap();
/// let [a, b] = [bar.posed(0, pose, Flip::NONE).unwrap(); 2];
///
/// let (from, to) = ([0.4, 0.0], [9.6, 0.0]);
/// assert_eq!(Snap::Lattice.offset(from, to), Some(Point::new(10, 0)));
/// let apart = Snap::Relative.offset(from, to).unwrap();
/// assert_eq!(apart, Point::new(9, 0));
/// assert!(a.mask.touches(b.mask, apart + b.origin - a.origin));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Snap {
    /// Each position p snaps to its own pixel, floor(p + 1/2) on each axis, as in a world. A
    /// position always snaps to the same pixel.
    #[default]
    Lattice,
    /// The difference of the positions is rounded to whole pixels, halves to the greater number.
    /// The error is at most half a pixel, where two separately snapped positions can be off by
    /// nearly one. There is no common lattice: the offsets among three positions need not add up.
    Relative,
}

impl Snap {
    /// Returns the offset from the lattice origin of `from` to that of `to`, in pixels. Positions
    /// are in mask pixels: multiply by the atlas's resolution if it has one.
    ///
    /// The result is exact: no sum or difference is rounded before it is snapped. Returns `None`
    /// where a position is not finite or is more than [`MAX_POSITION`] from the origin.
    #[must_use]
    pub fn offset(self, from: impl Into<[f32; 2]>, to: impl Into<[f32; 2]>) -> Option<Point> {
        let (from, to) = (from.into(), to.into());
        let (start, end) = (lattice(from)?, lattice(to)?);
        let nearest = |i: usize| nearest_difference(to[i].into(), from[i].into());
        Some(match self {
            Self::Lattice => end - start,
            Self::Relative => Point::new(nearest(0), nearest(1)),
        })
    }
}

/// Returns the lattice origin of a position in mask pixels; `None` where the position is not finite
/// or beyond [`MAX_POSITION`].
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

/// Returns `a - b` rounded to the nearest integer, halves to the greater.
fn nearest_difference(a: f64, b: f64) -> i32 {
    let difference = a - b;
    // Rounding error of the difference (Knuth's two-sum). It matters only next to a half, because
    // rounding never carries a difference below 1 past it.
    let subtracted = difference - a;
    let error = (a - (difference - subtracted)) + (-b - subtracted);
    let whole = fast_floor(difference);
    let part = difference - f64::from(whole);
    whole + i32::from(part > 0.5 || part == 0.5 && error >= 0.0)
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

    /// Splits `p` into units of 2^-100 and, where it is smaller, of 2^-149. Exact for an f32 up to
    /// 2^20 that is above 2^-70 or below 2^-100.
    fn units(p: f32) -> [i128; 2] {
        let size = |unit: i32| (f64::from(p) * 2_f64.powi(unit)) as i128;
        if p.abs() < 1e-30 { [0, size(149)] } else { [size(100), 0] }
    }

    #[test]
    fn a_difference_of_positions_is_snapped_without_rounding() {
        let near = [0.0, -0.0, 0.5, 0.25, 1.5, 0.75, 1e-14, f32::from_bits(1), 1e-40, 0.499_999_97];
        let near = near.into_iter().flat_map(|p: f32| [p, p.next_up(), p.next_down()]);
        let near: Vec<f32> = near.flat_map(|p| [p, -p]).collect();
        for (&a, &b) in near.iter().flat_map(|a| near.iter().map(move |b| (a, b))) {
            let [[a_high, a_low], [b_high, b_low]] = [a, b].map(units);
            // Add half a pixel, then take the floor.
            let (high, low) = (a_high - b_high + (1 << 99), a_low - b_low);
            let below = i128::from(high % (1 << 100) == 0 && low < 0);
            let truth = high.div_euclid(1 << 100) - below;
            assert_eq!(i128::from(nearest_difference(a.into(), b.into())), truth, "{a:e} - {b:e}");
        }
    }

    #[test]
    fn whole_positions_snap_alike_under_both_rules_and_far_ones_fit() {
        for (from, to) in [([3.0, -4.0], [-7.0, 9.0]), ([1e9, 1e9], [-1e9, -1e9])] {
            let lattice = Snap::Lattice.offset(from, to);
            assert_eq!(lattice, Snap::Relative.offset(from, to));
            assert_eq!(
                lattice.map(|p| [p.x as f32, p.y as f32]),
                Some([to[0] - from[0], to[1] - from[1]])
            );
        }
        for beyond in [f32::NAN, f32::INFINITY, -1.000_000_1e9] {
            for snap in [Snap::Lattice, Snap::Relative] {
                assert_eq!(snap.offset([0.0, beyond], [0.0; 2]), None);
                assert_eq!(snap.offset([0.0; 2], [beyond, 0.0]), None);
            }
        }
    }

    #[test]
    fn a_relative_snap_is_off_by_half_a_pixel_at_most() {
        let mut apart = [0.0_f64; 2];
        for i in 0..4000_u32 {
            let [from, to] = [i * 37 % 1000, i * 91 % 1777].map(|n| n as f32 / 64.0);
            let truth = f64::from(to) - f64::from(from);
            for (most, snap) in apart.iter_mut().zip([Snap::Lattice, Snap::Relative]) {
                let offset = snap.offset([from, 0.0], [to, 0.0]).unwrap();
                *most = most.max((f64::from(offset.x) - truth).abs());
            }
        }
        assert!(apart[0] > 0.9 && apart[1] == 0.5, "{apart:?}");
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
