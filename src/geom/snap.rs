//! How positions, fractions and all, come to whole pixels.

use super::{Point, fast_floor};

/// Farthest that a collider may be from the origin on either axis, in mask pixels: in the units of
/// positions that is this over the atlas's resolution. Differences of two positions, poses included,
/// then fit an i32.
pub const MAX_POSITION: f32 = 1e9;

/// How two positions, fractions and all, come to an offset in whole pixels.
///
/// For pairs that are asked one by one; a [`World`](crate::World) has one lattice for all.
///
/// ```
/// use hitmask::{Angle, Atlas, Bake, Flip, Point, Snap};
/// let atlas = Atlas::from_vec(Bake::new().mask("bar", "##########".parse()?).to_bytes()?)?;
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
    /// Each position p goes to its own pixel, floor(p + 1/2) on each axis, as in a world: wherever
    /// somebody is, he is there for everybody.
    #[default]
    Lattice,
    /// The way from one position to the other goes to the nearest number of pixels, halves to the
    /// greater: at most half a pixel from the true way, where both positions on their own may be a
    /// whole one from it. On no lattice: of three, the ways from one to the next need not add up.
    Relative,
}

impl Snap {
    /// How far the lattice origin of what is at `to` lies from that of what is at `from`. Positions are
    /// in mask pixels: where the atlas has a resolution, times that.
    ///
    /// Exact: no sum or difference is rounded before it is snapped. `None` where a position is not
    /// finite, or farther than [`MAX_POSITION`] from the origin.
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

/// The lattice origin of a position in mask pixels; `None` where it is not finite or beyond
/// [`MAX_POSITION`].
#[inline(always)]
pub(crate) fn lattice(position: [f32; 2]) -> Option<Point> {
    let [x, y] = position.map(pixel);
    position.iter().all(|p| p.abs() <= MAX_POSITION).then_some(Point::new(x, y))
}

/// The pixel of a position that is near enough, on one axis: floor(p + 1/2).
#[inline(always)]
pub(crate) fn pixel(position: f32) -> i32 {
    // In f64 the sum is exact wherever rounding could carry it across a whole number.
    fast_floor(f64::from(position) + 0.5)
}

/// `a - b` to the nearest whole number, halves to the greater.
fn nearest_difference(a: f64, b: f64) -> i32 {
    let difference = a - b;
    // What rounding took away from it (Knuth's two-sum), which matters next to a half alone: a
    // difference below one is never rounded beyond it.
    let taken = difference - a;
    let lost = (a - (difference - taken)) + (-b - taken);
    let whole = fast_floor(difference);
    let part = difference - f64::from(whole);
    whole + i32::from(part > 0.5 || part == 0.5 && lost >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In units of 2^-100, and what is less than that in units of 2^-149: exact for an f32 of up to 2^20
    /// that is either more than 2^-70 or less than 2^-100.
    fn units(p: f32) -> [i128; 2] {
        let size = |unit: i32| (f64::from(p) * 2_f64.powi(unit)) as i128;
        if p.abs() < 1e-30 { [0, size(149)] } else { [size(100), 0] }
    }

    #[test]
    fn a_way_between_two_positions_is_snapped_without_rounding() {
        let near = [0.0, -0.0, 0.5, 0.25, 1.5, 0.75, 1e-14, f32::from_bits(1), 1e-40, 0.499_999_97];
        let near = near.into_iter().flat_map(|p: f32| [p, p.next_up(), p.next_down()]);
        let near: Vec<f32> = near.flat_map(|p| [p, -p]).collect();
        for (&a, &b) in near.iter().flat_map(|a| near.iter().map(move |b| (a, b))) {
            let [[a_high, a_low], [b_high, b_low]] = [a, b].map(units);
            // Half a pixel more, and then the floor.
            let (high, low) = (a_high - b_high + (1 << 99), a_low - b_low);
            let below = i128::from(high % (1 << 100) == 0 && low < 0);
            let truth = high.div_euclid(1 << 100) - below;
            assert_eq!(i128::from(nearest_difference(a.into(), b.into())), truth, "{a:e} - {b:e}");
        }
    }

    #[test]
    fn ways_between_whole_positions_are_alike_and_far_ones_fit() {
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
    fn what_is_snapped_together_is_half_a_pixel_off_at_most() {
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
}
