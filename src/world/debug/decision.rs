//! What settles two colliders: as [`View::touch`] settles them, and by what.
//!
//! Beside it, not within it: updates ask that of very many pairs, and want to know nothing else. What is
//! kept true: both give the same answer.

use crate::narrow::{Accuracy, Certainty, Contact};
use crate::world::step::pair_test::View;

/// What settled a pair: the coarsest look that was enough.
///
/// An update takes each collider at its own [`accuracy`](crate::world::Collider::accuracy), or at the world's
/// where that is coarser. For two of different accuracies this decides:
///
/// | One | The other | Decision |
/// |---|---|---|
/// | Box | Box | [`Boxes`](Self::Boxes), or [`MinOverlap`](Self::MinOverlap) by the area that they share |
/// | Box | Coarse or Exact | [`Pixels`](Self::Pixels), or `MinOverlap`: the other's, in the box of the one |
/// | Coarse | Coarse or Exact | [`Boards`](Self::Boards); `Boxes` where one of them has no boards |
/// | Exact | Exact | `Boards` where they are certain and that is enough; else `Pixels`, or `MinOverlap` |
///
/// Boxes that do not overlap decide in any case. Masks of at most 16 pixels a side have no boards, nor
/// have those made at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decision {
    /// Layers: one is on none that the other may meet.
    Layers,
    /// Both are fixed: an update does not ask such pairs.
    Fixed,
    /// The tight boxes: they do not overlap, or nothing closer was to be looked at.
    Boxes,
    /// The coarse boards: cells of 8 x 8 pixels that do not meet, or, where nothing closer was to
    /// be looked at, that do; or, seen from within, full cells that do.
    Boards,
    /// The pixels: none is shared, or enough are.
    Pixels,
    /// The number of shared pixels, below what one of the two asks for.
    MinOverlap,
}

/// An answer and what gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) touches: bool,
    pub(crate) decision: Decision,
    /// Of the first pixel that was counted.
    pub(crate) row: Option<i32>,
}

impl Told {
    pub(crate) const fn new(touches: bool, decision: Decision) -> Self {
        Self { touches, decision, row: None }
    }

    /// By pixels that were counted.
    fn counted(contact: Option<Contact>, least: u64) -> Self {
        let Some(Contact { area, point, .. }) = contact else {
            return Self::new(false, Decision::Pixels);
        };
        let touches = area >= least;
        let decision = if touches { Decision::Pixels } else { Decision::MinOverlap };
        Self { touches, decision, row: Some(point.y) }
    }
}

impl View<'_> {
    /// Whether two colliders touch, by all their rules but the layers, and what says so.
    pub(crate) fn tell(&self, a: usize, b: usize) -> Told {
        let Some(shared) = self.slots.rect(a).intersection(self.slots.rect(b)) else {
            return Told::new(false, Decision::Boxes);
        };
        let least = self.least(a, b);
        let counted = || Told::counted(self.contact(a, b), least);
        match (self.accuracy(a), self.accuracy(b)) {
            (Accuracy::Box, Accuracy::Box) if shared.area() < least => {
                Told::new(false, Decision::MinOverlap)
            }
            (Accuracy::Box, Accuracy::Box) => Told::new(true, Decision::Boxes),
            (Accuracy::Box, _) | (_, Accuracy::Box) => counted(),
            (Accuracy::Exact, Accuracy::Exact) => match self.boards(a, b) {
                Some(Certainty::No) => Told::new(false, Decision::Boards),
                Some(Certainty::Yes) if least == 1 => Told::new(true, Decision::Boards),
                _ => counted(),
            },
            _ => match self.boards(a, b) {
                Some(certainty) => Told::new(certainty != Certainty::No, Decision::Boards),
                None => Told::new(true, Decision::Boxes),
            },
        }
    }

    /// What the boards say; `None` where one has none.
    fn boards(&self, a: usize, b: usize) -> Option<Certainty> {
        let (a, b) = (self.posed(a), self.posed(b));
        a.mask.boards().and(b.mask.boards())?;
        Some(a.mask.coarse(b.mask, b.origin - a.origin))
    }
}
