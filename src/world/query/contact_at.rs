//! Accuracies for one call: the contact of a pair at a given level, and the level of a filter.
//!
//! Called by users through `World`. Invariant: the answer names the level that decided it.

use crate::narrow::{Accuracy, Certainty, Contact};
use crate::world::{Filter, Pair, World};

/// The answer of [`World::contact_at`].
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Pair, World};
/// use hitmask::Accuracy;
/// # let bake = AtlasBuilder::new().mask("dot", "#".parse()?).mask("ring", "###\n#.#\n###".parse()?);
/// # let atlas = Atlas::from_vec(bake.to_bytes()?)?;
/// # let [dot, ring] = ["dot", "ring"].map(|name| Collider::new(atlas.sprite_id(name).unwrap()));
/// # let mut world = World::new(atlas);
/// let pair = Pair { a: world.insert(dot)?, b: world.insert(ring)? };
/// let exact = world.contact_at(&pair, Accuracy::from_factor(1.0)?).unwrap();
/// assert_eq!((exact.contact, exact.accuracy), (None, Accuracy::Exact));
/// let coarse = world.contact_at(&pair, Accuracy::from_factor(0.1)?).unwrap();
/// // Such small masks have no coarse levels, so their pixels decide.
/// assert_eq!((coarse.contact, coarse.accuracy), (None, Accuracy::Exact));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactAt {
    /// The overlap in mask pixels; `None` if the two do not overlap. Unless pixels decided, it is
    /// that of the boxes.
    pub contact: Option<Contact>,
    /// The level that was used. It is [`Accuracy::Exact`] where [`Accuracy::Coarse`] was asked for
    /// and a mask has no coarse levels.
    pub accuracy: Accuracy,
}

impl World {
    /// Returns the contact of two colliders at an accuracy chosen for this call, and the level that
    /// was used. Returns `None` if an id is stale or a collider is disabled.
    ///
    /// For a factor, give [`Accuracy::from_factor`]. The accuracies of the colliders and the world
    /// are not used. Ignores layers; one pixel is enough.
    #[must_use]
    pub fn contact_at(&self, pair: &Pair, accuracy: Accuracy) -> Option<ContactAt> {
        let [a, b] = [self.enabled_slot(pair.a)?, self.enabled_slot(pair.b)?];
        let view = self.view();
        let boxes = || self.slots.rect(a).intersection(self.slots.rect(b)).map(Contact::of_boxes);
        let certainty = (accuracy == Accuracy::Coarse).then(|| view.levels(a, b)).flatten();
        Some(match (accuracy, certainty) {
            (Accuracy::Box, _) => ContactAt { contact: boxes(), accuracy },
            (Accuracy::Coarse, Some(certainty)) => {
                let contact = boxes().filter(|_| certainty != Certainty::No);
                ContactAt { contact, accuracy }
            }
            (Accuracy::Coarse, None) | (Accuracy::Exact, _) => {
                let contact = self.overlap(pair).map(|overlap| overlap.contact());
                ContactAt { contact, accuracy: Accuracy::Exact }
            }
        })
    }
}

impl Filter {
    /// Returns the level that queries with this filter test at: [`Accuracy::Box`], or
    /// [`Accuracy::Exact`] for every finer [`accuracy`](Self::accuracy).
    ///
    /// ```
    /// use hitmask::{Accuracy, Filter};
    ///
    /// let at = |factor| Accuracy::from_factor(factor).map(|accuracy| Filter { accuracy, ..Filter::ALL });
    /// assert_eq!(at(0.1)?.tested_at(), Accuracy::Exact);
    /// assert_eq!(at(0.01)?.tested_at(), Accuracy::Box);
    /// # Ok::<(), hitmask::AccuracyError>(())
    /// ```
    #[must_use]
    pub const fn tested_at(&self) -> Accuracy {
        match self.accuracy {
            Accuracy::Box => Accuracy::Box,
            Accuracy::Coarse | Accuracy::Exact => Accuracy::Exact,
        }
    }
}
