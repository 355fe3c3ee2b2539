//! Angles and their nearest step of a full turn.
//!
//! Invariants: the nearest step is the same on every machine. Both ways to compute a floor agree.

use crate::geom::fast_floor;
use std::f64::consts::TAU;
use std::fmt;

/// An angle, clockwise on screen (y down), in radians or as an exact fraction of a turn.
///
/// Wherever an angle is expected, a bare `f32` means radians.
///
/// It takes 4 bytes: an angle in radians has the layout of its `f32`. So C, a graphics processor or a
/// `Float32Array` can share memory with a slice of [`Placement`](crate::Placement).
///
/// ```
/// use hitmask::Angle;
/// assert_eq!(Angle::from(std::f32::consts::PI).step(64), Some(32));
/// assert_eq!(Angle::turn(0x4000).step(64), Some(16));
/// ```
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Unit", into = "Unit"))]
#[repr(transparent)]
pub struct Angle(u32);

/// An angle with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "Angle"))]
pub(crate) enum Unit {
    Radians(f32),
    Turn(u16),
}

/// Upper 16 bits of an [`Angle`] in parts of a turn. As an `f32` it is a signalling NaN, which no
/// arithmetic gives, so an angle that another language computed is never taken for a turn.
const TURN_TAG: u32 = 0xffa5_0000;

impl Angle {
    /// Returns an angle in radians, of any magnitude and sign.
    #[must_use]
    #[inline(always)]
    pub const fn radians(radians: f32) -> Self {
        Self(if radians.is_nan() { f32::NAN.to_bits() } else { radians.to_bits() })
    }

    /// Returns an angle in 1/65,536 parts of a full turn: exact on every machine, for lockstep games.
    #[must_use]
    #[inline(always)]
    pub const fn turn(parts: u16) -> Self {
        Self(TURN_TAG | parts as u32)
    }

    /// Returns the angle in 1/65,536 parts of a full turn; `None` for an angle in radians.
    #[must_use]
    #[inline(always)]
    pub const fn as_turn(self) -> Option<u16> {
        if self.is_turn() { Some(self.0 as u16) } else { None }
    }

    /// Returns the angle in radians, rounded to an `f32` where it was given in parts of a turn.
    #[must_use]
    pub fn to_radians(self) -> f32 {
        self.radians_f64() as f32
    }

    /// Returns the angle in radians. The factor is 1 or a power of two times [`TAU`], so the product is
    /// rounded at most once.
    pub(crate) fn radians_f64(self) -> f64 {
        let [angle, turn] = self.parts();
        angle * (TAU / turn)
    }

    #[inline(always)]
    const fn is_turn(self) -> bool {
        self.0 >> 16 == TURN_TAG >> 16
    }

    #[inline(always)]
    pub(crate) const fn unit(self) -> Unit {
        match self.as_turn() {
            Some(parts) => Unit::Turn(parts),
            None => Unit::Radians(f32::from_bits(self.0)),
        }
    }

    /// Returns true if the angle is finite, without a branch.
    #[inline(always)]
    pub(crate) const fn is_finite(self) -> bool {
        self.is_turn() | (self.0 & i32::MAX as u32 <= f32::MAX.to_bits())
    }

    /// Returns the nearest of `angles` equal steps of a full turn, halves rounded up: floor(a N / 2
    /// pi + 1/2) modulo N. Returns `None` where the angle is not finite or `angles` is 0.
    #[must_use]
    #[inline(always)]
    pub fn step(self, angles: u32) -> Option<u32> {
        if angles == 0 {
            return None;
        }
        match self.unit() {
            Unit::Radians(a) if !a.is_finite() => None,
            Unit::Radians(_) => Some(floor_modulo(steps(self.parts(), f64::from(angles)), angles)),
            Unit::Turn(t) => {
                // At most one whole turn, so a compare replaces the remainder and its division.
                let step = ((u64::from(t) * u64::from(angles) + 0x8000) >> 16) as u32;
                Some(if step == angles { 0 } else { step })
            }
        }
    }

    /// Returns the angle and a full turn in the same unit.
    #[inline(always)]
    pub(crate) fn parts(self) -> [f64; 2] {
        match self.unit() {
            Unit::Radians(a) => [f64::from(a), TAU],
            Unit::Turn(t) => [f64::from(t), TURN_UNITS],
        }
    }
}

pub(crate) const TURN_UNITS: f64 = 65_536.0;

/// Returns the angle in steps of 1/`n` turn, plus 1/2 for rounding.
#[inline(always)]
pub(crate) fn steps([angle, turn]: [f64; 2], n: f64) -> f64 {
    // Both operands are exact and the rest is IEEE arithmetic, so the step is the same everywhere.
    // For parts of a turn the result is exact.
    angle * n / turn + 0.5
}

/// Largest magnitude in radians that [`nearest_steps`] accepts. No sprite has 2^30 steps at this angle.
const MAX_RADIANS: f32 = 65_536.0;

/// Writes the nearest step of each of `angles` to `to`. `angle_counts` holds the steps of a full
/// turn for each angle. Returns false if an angle is not finite or beyond [`MAX_RADIANS`]; `to` is
/// then meaningless.
///
/// There is no branch, so two or more angles are computed at a time.
#[inline(always)]
pub(crate) fn nearest_steps(angles: &[Angle], angle_counts: &[u32], to: &mut [u32]) -> bool {
    let (mut margin, mut any_odd) = (0, 0);
    for ((&angle, &n), to) in angles.iter().zip(angle_counts).zip(&mut *to) {
        let (Angle(bits), is_turn) = (angle, angle.is_turn());
        let radians = if is_turn { 0 } else { bits };
        // Non-negative floats sort like their bits; a value that is too large leaves a negative
        // margin.
        margin |= (MAX_RADIANS.to_bits() as i32).wrapping_sub((radians & i32::MAX as u32) as i32);
        // A small number: as a signed one it is converted by a single instruction.
        let parts = f64::from((bits & 0xffff) as i32);
        let angle = if is_turn { parts } else { f64::from(f32::from_bits(radians)) };
        let turn = if is_turn { TURN_UNITS } else { TAU };
        let floor = fast_floor(steps([angle, turn], f64::from(n as i32)));
        // Usually the number of steps is a power of two, and the modulo is an AND.
        any_odd |= n & (n - 1);
        *to = if n & (n - 1) == 0 { floor as u32 & (n - 1) } else { floor as u32 };
    }
    if any_odd != 0 {
        for (to, &n) in to.iter_mut().zip(angle_counts) {
            *to = modulo(*to as i32, n);
        }
    }
    margin >= 0
}

/// Below this, floors are computed in integers. It covers angles of less than a million turns.
const MAX_INTEGER_FLOOR: f64 = (1 << 30) as f64;

#[inline(always)]
fn floor_modulo(value: f64, n: u32) -> u32 {
    // Floor and remainder of f64 are function calls on baseline x86-64.
    if value.abs() < MAX_INTEGER_FLOOR && n < 1 << 31 {
        return modulo(fast_floor(value), n);
    }
    value.floor().rem_euclid(f64::from(n)) as u32 % n
}

/// Returns `value` modulo `n`, which is at least 1 and below 2^31.
#[inline(always)]
pub(crate) fn modulo(value: i32, n: u32) -> u32 {
    // Most sprites have a power of two of angle steps. A division takes 10% of the time to place a
    // collider.
    let mask = n - 1;
    if n & mask == 0 { value as u32 & mask } else { value.rem_euclid(n as i32) as u32 }
}

impl Default for Angle {
    fn default() -> Self {
        Self::turn(0)
    }
}

/// Angles of different units are equal if both are 0.
impl PartialEq for Angle {
    fn eq(&self, other: &Self) -> bool {
        match (self.unit(), other.unit()) {
            (Unit::Radians(radians), Unit::Turn(0)) | (Unit::Turn(0), Unit::Radians(radians)) => {
                radians == 0.0
            }
            (one, other) => one == other,
        }
    }
}

impl fmt::Debug for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.unit().fmt(f)
    }
}

#[cfg(feature = "serde")]
impl From<Unit> for Angle {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Radians(radians) => Self::radians(radians),
            Unit::Turn(parts) => Self::turn(parts),
        }
    }
}

#[cfg(feature = "serde")]
impl From<Angle> for Unit {
    fn from(angle: Angle) -> Self {
        angle.unit()
    }
}

impl From<f32> for Angle {
    fn from(radians: f32) -> Self {
        Self::radians(radians)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::MAX_ANGLES;

    #[test]
    fn the_integer_and_the_f64_path_of_the_floor_agree() {
        for i in 0..200_000_i64 {
            // Integers, halves and numbers just beside them, beyond the limit of the integer path.
            let value = (i * i * i % 4_000_000_007 - 2_000_000_003) as f64 / 2.0;
            for value in [value, value.next_up(), value.next_down(), value / 1e6] {
                for n in [1, 4, 12, 64, 65_536] {
                    let truth = value.floor().rem_euclid(f64::from(n)) as u32;
                    assert_eq!(floor_modulo(value, n), truth, "{value} modulo {n}");
                }
            }
        }
    }

    #[test]
    fn many_angles_have_the_steps_that_each_has_alone() {
        let angles: Vec<Angle> = (0..40_000_u32)
            .map(|i| match i % 4 {
                0 => Angle::turn((i * 7) as u16),
                1 => Angle::radians(i as f32 * 0.01 - 200.0),
                2 => Angle::radians(if i % 8 == 2 { MAX_RADIANS } else { -MAX_RADIANS }),
                // Halves between steps, and full turns.
                _ => Angle::radians((i / 4) as f32 * std::f32::consts::TAU / 128.0),
            })
            .collect();
        let angle_counts: Vec<u32> =
            (0..angles.len()).map(|i| [1, 4, 12, 64, MAX_ANGLES][i % 5]).collect();
        let mut found = vec![0; angles.len()];
        assert!(nearest_steps(&angles, &angle_counts, &mut found));
        for ((angle, &n), &step) in angles.iter().zip(&angle_counts).zip(&found) {
            assert_eq!(angle.step(n), Some(step), "{angle:?} of {n}");
        }
        for beyond in [f32::INFINITY, MAX_RADIANS.next_up(), -MAX_RADIANS.next_up()] {
            let angles = [Angle::turn(1), beyond.into()];
            assert!(!nearest_steps(&angles, &[64, 64], &mut [0; 2]), "{beyond}");
        }
    }

    #[test]
    fn angles_keep_their_unit_and_every_nan_is_radians() {
        for turn in 0..=u16::MAX {
            assert_eq!(Angle::turn(turn).as_turn(), Some(turn));
        }
        for radians in [0.0, -0.0, 1.5, -1e-40, f32::MAX, f32::MIN, f32::MIN_POSITIVE] {
            let angle = Angle::radians(radians);
            assert_eq!((angle.as_turn(), angle.to_radians().to_bits()), (None, radians.to_bits()));
            assert!(angle.is_finite());
        }
        for bits in [TURN_TAG, TURN_TAG | 7, 0x7fc0_0000, 0xffff_ffff, f32::INFINITY.to_bits()] {
            let angle = Angle::radians(f32::from_bits(bits));
            assert_eq!((angle.as_turn(), angle.is_finite(), angle.step(4)), (None, false, None));
        }
        assert!(Angle::turn(9).is_finite());
        assert_eq!(Angle::turn(0x4000).to_radians(), std::f32::consts::FRAC_PI_2);
    }
}
