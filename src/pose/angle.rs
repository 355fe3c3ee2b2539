//! Angles and their nearest step of a full turn.
//!
//! Invariants: the nearest step is the same on every machine. Both ways to compute a floor agree.

use crate::geom::fast_floor;
use std::f64::consts::TAU;

/// An angle, clockwise on screen (y down), in radians or as an exact fraction of a turn.
///
/// Wherever an angle is expected, a bare `f32` means radians.
///
/// ```
/// use hitmask::Angle;
/// assert_eq!(Angle::from(std::f32::consts::PI).step(64), Some(32));
/// assert_eq!(Angle::Turn(0x4000).step(64), Some(16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Angle {
    /// Radians, of any magnitude and sign.
    Radians(f32),
    /// 1/65,536 parts of a full turn: exact on every machine, for lockstep games.
    Turn(u16),
}

impl Angle {
    /// Returns an angle given in radians counter-clockwise on screen, for games with y up.
    #[must_use]
    pub const fn counter_clockwise(radians: f32) -> Self {
        Self::Radians(-radians)
    }

    /// Returns the nearest of `angles` equal steps of a full turn, halves rounded up: floor(a N / 2
    /// pi + 1/2) modulo N. Returns `None` where the angle is not finite or `angles` is 0.
    #[must_use]
    #[inline(always)]
    pub fn step(self, angles: u32) -> Option<u32> {
        if angles == 0 {
            return None;
        }
        match self {
            Self::Radians(a) if !a.is_finite() => None,
            Self::Radians(_) => Some(floor_modulo(steps(self.parts(), f64::from(angles)), angles)),
            Self::Turn(t) => {
                // At most one whole turn, so a compare replaces the remainder and its division.
                let step = ((u64::from(t) * u64::from(angles) + 0x8000) >> 16) as u32;
                Some(if step == angles { 0 } else { step })
            }
        }
    }

    /// Returns the angle and a full turn in the same unit.
    #[inline(always)]
    pub(crate) fn parts(self) -> [f64; 2] {
        match self {
            Self::Radians(a) => [f64::from(a), TAU],
            Self::Turn(t) => [f64::from(t), TURN_UNITS],
        }
    }
}

pub(crate) const TURN_UNITS: f64 = 65_536.0;

/// Returns the angle in steps of 1/`n` turn, plus 1/2 for rounding.
#[inline(always)]
pub(crate) fn steps([angle, turn]: [f64; 2], n: f64) -> f64 {
    // Both operands are exact and the rest is IEEE arithmetic, so the step is the same everywhere.
    // For `Angle::Turn` the result is exact.
    angle * n / turn + 0.5
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
        Self::Turn(0)
    }
}

impl From<f32> for Angle {
    fn from(radians: f32) -> Self {
        Self::Radians(radians)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
