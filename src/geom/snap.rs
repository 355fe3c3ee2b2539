//! Snapping of fractional positions to whole pixels, and a floor to i32 without a library call.
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
/// let pose = bar.nearest(Angle::turn(0), 1.0).unwrap();
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
