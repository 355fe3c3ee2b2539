//! Placements as a caller states them: position and angle, in three layouts.
//!
//! `World::set_placements` reads a slice of any layout in place. The code behind it takes a
//! [`PlacementSlice`], so it is compiled once and not for each layout.

use crate::pose::Angle;
use std::ops::Range;

/// Position and angle of a collider: the part that usually changes from tick to tick.
///
/// ```
/// use hitmask::{Angle, Placement};
///
/// let placement = Placement { position: [10.0, 20.5], angle: Angle::Radians(0.3) };
/// assert_eq!(placement.position[1], 20.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// Position of the pivot, as [`Collider::position`](crate::Collider::position).
    pub position: [f32; 2],
    /// Rotation about the pivot, clockwise on screen.
    pub angle: Angle,
}

/// A [`Placement`] of 3 numbers of 32 bits, with the layout of C: x, y and an angle in radians. For
/// memory that another language or a graphics processor shares.
///
/// ```
/// use hitmask::{Angle, Placement, PlacementRadians};
///
/// let placement = PlacementRadians { position: [10.0, 20.5], radians: 0.3 };
/// assert_eq!(Placement::from(placement).angle, Angle::Radians(0.3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PlacementRadians {
    /// Position of the pivot, as [`Collider::position`](crate::Collider::position).
    pub position: [f32; 2],
    /// Rotation about the pivot in radians, clockwise on screen.
    pub radians: f32,
}

/// A [`Placement`] of 2 numbers of 32 bits and 1 of 16 bits, with the layout of C. They are x, y and an
/// angle in 65,536ths of a turn. It takes 12 bytes, the last 2 of which are unused.
///
/// ```
/// use hitmask::{Angle, Placement, PlacementTurn};
///
/// let placement = PlacementTurn { position: [10.0, 20.5], turn: 0x4000 };
/// assert_eq!(Placement::from(placement).angle, Angle::Turn(0x4000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PlacementTurn {
    /// Position of the pivot, as [`Collider::position`](crate::Collider::position).
    pub position: [f32; 2],
    /// Rotation about the pivot in 65,536ths of a turn, clockwise on screen.
    pub turn: u16,
}

impl From<PlacementRadians> for Placement {
    #[inline(always)]
    fn from(PlacementRadians { position, radians }: PlacementRadians) -> Self {
        Self { position, angle: Angle::Radians(radians) }
    }
}

impl From<PlacementTurn> for Placement {
    #[inline(always)]
    fn from(PlacementTurn { position, turn }: PlacementTurn) -> Self {
        Self { position, angle: Angle::Turn(turn) }
    }
}

/// A layout of placements that [`World::set_placements`](crate::World::set_placements) reads in place:
/// [`Placement`], [`PlacementRadians`] or [`PlacementTurn`].
///
/// ```
/// use hitmask::{PlacementLayout, PlacementSlice, PlacementTurn};
///
/// let placements = [PlacementTurn::default(); 3];
/// assert_eq!(PlacementTurn::slice(&placements), PlacementSlice::Turn(&placements));
/// ```
pub trait PlacementLayout: Copy {
    /// Returns the slice as one of the three layouts.
    fn slice(placements: &[Self]) -> PlacementSlice<'_>;
}

impl PlacementLayout for Placement {
    fn slice(placements: &[Self]) -> PlacementSlice<'_> {
        PlacementSlice::Any(placements)
    }
}

impl PlacementLayout for PlacementRadians {
    fn slice(placements: &[Self]) -> PlacementSlice<'_> {
        PlacementSlice::Radians(placements)
    }
}

impl PlacementLayout for PlacementTurn {
    fn slice(placements: &[Self]) -> PlacementSlice<'_> {
        PlacementSlice::Turn(placements)
    }
}

/// Placements of many colliders in one of three layouts. [`PlacementLayout`] has an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlacementSlice<'a> {
    /// Each angle in radians or as a part of a turn.
    Any(&'a [Placement]),
    /// All angles in radians.
    Radians(&'a [PlacementRadians]),
    /// All angles in 65,536ths of a turn.
    Turn(&'a [PlacementTurn]),
}

impl<'a> PlacementSlice<'a> {
    #[inline(always)]
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::Any(all) => all.len(),
            Self::Radians(all) => all.len(),
            Self::Turn(all) => all.len(),
        }
    }

    #[inline(always)]
    pub(crate) fn get(self, index: usize) -> Placement {
        match self {
            Self::Any(all) => all[index],
            Self::Radians(all) => all[index].into(),
            Self::Turn(all) => all[index].into(),
        }
    }

    #[inline(always)]
    fn part(self, range: Range<usize>) -> Self {
        match self {
            Self::Any(all) => Self::Any(&all[range]),
            Self::Radians(all) => Self::Radians(&all[range]),
            Self::Turn(all) => Self::Turn(&all[range]),
        }
    }

    #[inline(always)]
    pub(crate) fn split_at(self, index: usize) -> (Self, Self) {
        (self.part(0..index), self.part(index..self.len()))
    }

    /// Returns runs of `size` placements; the last one may be shorter.
    #[inline(always)]
    pub(crate) fn chunks(self, size: usize) -> impl Iterator<Item = Self> + use<'a> {
        let len = self.len();
        (0..len).step_by(size).map(
            #[inline(always)]
            move |start| self.part(start..len.min(start + size)),
        )
    }

    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = Placement> + use<'a> {
        (0..self.len()).map(
            #[inline(always)]
            move |index| self.get(index),
        )
    }

    /// Writes the positions and the angles to separate slices of the same length.
    #[inline(always)]
    pub(crate) fn unzip_to<A: From<Angle>>(self, positions: &mut [[f32; 2]], angles: &mut [A]) {
        match self {
            Self::Any(all) => unzip(all, positions, angles),
            Self::Radians(all) => unzip(all, positions, angles),
            Self::Turn(all) => unzip(all, positions, angles),
        }
    }
}

/// Writes positions and angles to separate slices. One loop for each layout, so that the test of the
/// layout is outside of it.
#[inline(always)]
fn unzip<P: Copy + Into<Placement>, A: From<Angle>>(
    placements: &[P],
    positions: &mut [[f32; 2]],
    angles: &mut [A],
) {
    for ((position, angle), &placement) in positions.iter_mut().zip(angles).zip(placements) {
        let placement: Placement = placement.into();
        (*position, *angle) = (placement.position, placement.angle.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_every_layout_hold_the_same_placements() {
        let turns: Vec<PlacementTurn> = (0..70_u16)
            .map(|i| PlacementTurn { position: [i.into(), -f32::from(i)], turn: i * 900 })
            .collect();
        let any: Vec<Placement> = turns.iter().map(|&place| place.into()).collect();
        let [turns, any] = [PlacementTurn::slice(&turns), Placement::slice(&any)];
        assert_eq!([turns.len(), any.len()], [70; 2]);
        assert!(turns.iter().eq(any.iter()));
        for size in [1, 32, 69, 70, 71] {
            let runs = || turns.chunks(size).zip(any.chunks(size));
            assert!(runs().all(|(a, b)| a.iter().eq(b.iter()) && a.len() <= size));
            assert!(runs().flat_map(|(a, _)| a.iter()).eq(any.iter()));
        }
        let (before, after) = turns.split_at(23);
        assert!(before.iter().chain(after.iter()).eq(any.iter()));
        let (mut positions, mut angles) = (vec![[0.0; 2]; 70], vec![Angle::Radians(1.0); 70]);
        turns.unzip_to(&mut positions, &mut angles);
        let zipped = positions.iter().zip(&angles);
        assert!(zipped.map(|(&position, &angle)| Placement { position, angle }).eq(any.iter()));
    }
}
