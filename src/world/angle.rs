//! A collider's angle in four bytes: very many are kept, read and written at every tick.
//!
//! What is kept true: every angle but radians that are not finite comes back as it was.

use crate::pose::Angle;

/// An angle that a collider has. Radians are kept by their bits, parts of a turn as bits of what is
/// no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptAngle(u32);

/// Above parts of a turn: with any of them, not a number.
const TURN: u32 = 0x7fc0_0000;

impl From<Angle> for KeptAngle {
    #[inline(always)]
    fn from(angle: Angle) -> Self {
        match angle {
            Angle::Radians(radians) => Self(radians.to_bits()),
            Angle::Turn(turn) => Self(TURN | u32::from(turn)),
        }
    }
}

impl From<KeptAngle> for Angle {
    #[inline(always)]
    fn from(KeptAngle(bits): KeptAngle) -> Self {
        if bits >> 16 == TURN >> 16 {
            Self::Turn(bits as u16)
        } else {
            Self::Radians(f32::from_bits(bits))
        }
    }
}

impl Default for KeptAngle {
    fn default() -> Self {
        Angle::default().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_as_they_were() {
        for turn in 0..=u16::MAX {
            assert_eq!(Angle::from(KeptAngle::from(Angle::Turn(turn))), Angle::Turn(turn));
        }
        for radians in [0.0, -0.0, 1.5, -1e-40, f32::MAX, f32::MIN, f32::MIN_POSITIVE] {
            let Angle::Radians(back) = KeptAngle::from(Angle::Radians(radians)).into() else {
                panic!("{radians} came back as parts of a turn");
            };
            assert_eq!(back.to_bits(), radians.to_bits());
        }
    }
}
