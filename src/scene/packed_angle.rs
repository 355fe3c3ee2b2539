//! A collider's angle in 4 bytes, because every tick reads and writes very many of them.
//!
//! Invariant: every angle survives the round trip, except radians that are not finite.

use crate::geom::fast_floor;
use crate::pose::{self, Angle};
use std::f64::consts::TAU;

/// Radians as their bits, or a turn in the low 16 bits of the bits of a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedAngle(u32);

/// Tag in the upper 16 bits of a turn. Together with any turn it is the bits of a NaN.
const TURN_TAG: u32 = 0x7fc0_0000;

impl From<Angle> for PackedAngle {
    #[inline(always)]
    fn from(angle: Angle) -> Self {
        match angle {
            Angle::Radians(radians) => Self(radians.to_bits()),
            Angle::Turn(turn) => Self(TURN_TAG | u32::from(turn)),
        }
    }
}

impl From<PackedAngle> for Angle {
    #[inline(always)]
    fn from(PackedAngle(bits): PackedAngle) -> Self {
        if bits >> 16 == TURN_TAG >> 16 {
            Self::Turn(bits as u16)
        } else {
            Self::Radians(f32::from_bits(bits))
        }
    }
}

impl Default for PackedAngle {
    fn default() -> Self {
        Angle::default().into()
    }
}

/// Largest magnitude in radians that [`steps`] accepts. No sprite has 2^30 steps at this angle.
const MAX_RADIANS: f32 = 65_536.0;

/// Writes the nearest steps of `angles` to `to`, of as many as `angle_counts` in a turn, without a
/// branch. Returns false, and writes nonsense, if one exceeds [`MAX_RADIANS`].
#[inline(always)]
pub(crate) fn steps(angles: &[PackedAngle], angle_counts: &[u32], to: &mut [u32]) -> bool {
    let (mut margin, mut any_odd) = (0, 0);
    for ((&PackedAngle(bits), &n), to) in angles.iter().zip(angle_counts).zip(&mut *to) {
        let is_turn = bits >> 16 == TURN_TAG >> 16;
        let radians = if is_turn { 0 } else { bits };
        // Non-negative floats sort like their bits; a value that is too large leaves a negative
        // margin.
        margin |= (MAX_RADIANS.to_bits() as i32).wrapping_sub((radians & i32::MAX as u32) as i32);
        // A small number: as a signed one it is converted by a single instruction.
        let parts = f64::from((bits & 0xffff) as i32);
        let angle = if is_turn { parts } else { f64::from(f32::from_bits(radians)) };
        let turn = if is_turn { pose::TURN_UNITS } else { TAU };
        let floor = fast_floor(pose::steps([angle, turn], f64::from(n as i32)));
        // Usually the number of steps is a power of two, and the modulo is an AND.
        any_odd |= n & (n - 1);
        *to = if n & (n - 1) == 0 { floor as u32 & (n - 1) } else { floor as u32 };
    }
    if any_odd != 0 {
        for (to, &n) in to.iter_mut().zip(angle_counts) {
            *to = pose::modulo(*to as i32, n);
        }
    }
    margin >= 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::MAX_ANGLES;

    #[test]
    fn many_angles_have_the_steps_that_each_has_alone() {
        let angles: Vec<Angle> = (0..40_000_u32)
            .map(|i| match i % 4 {
                0 => Angle::Turn((i * 7) as u16),
                1 => Angle::Radians(i as f32 * 0.01 - 200.0),
                2 => Angle::Radians(if i % 8 == 2 { MAX_RADIANS } else { -MAX_RADIANS }),
                // Halves between steps, and full turns.
                _ => Angle::Radians((i / 4) as f32 * std::f32::consts::TAU / 128.0),
            })
            .collect();
        let angle_counts: Vec<u32> =
            (0..angles.len()).map(|i| [1, 4, 12, 64, MAX_ANGLES][i % 5]).collect();
        let packed: Vec<PackedAngle> = angles.iter().map(|&angle| angle.into()).collect();
        let mut found = vec![0; angles.len()];
        assert!(steps(&packed, &angle_counts, &mut found));
        for ((angle, &n), &step) in angles.iter().zip(&angle_counts).zip(&found) {
            assert_eq!(angle.step(n), Some(step), "{angle:?} of {n}");
        }
        for beyond in [f32::INFINITY, MAX_RADIANS.next_up(), -MAX_RADIANS.next_up()] {
            let packed = [Angle::Turn(1), beyond.into()].map(PackedAngle::from);
            assert!(!steps(&packed, &[64, 64], &mut [0; 2]), "{beyond}");
        }
    }

    #[test]
    fn angles_come_back_as_they_were() {
        for turn in 0..=u16::MAX {
            assert_eq!(Angle::from(PackedAngle::from(Angle::Turn(turn))), Angle::Turn(turn));
        }
        for radians in [0.0, -0.0, 1.5, -1e-40, f32::MAX, f32::MIN, f32::MIN_POSITIVE] {
            let Angle::Radians(back) = PackedAngle::from(Angle::Radians(radians)).into() else {
                panic!("{radians} came back as parts of a turn");
            };
            assert_eq!(back.to_bits(), radians.to_bits());
        }
    }
}
