//! The rule of a pair: which two colliders may touch, and by what they do.
//!
//! ```text
//! may meet    both are enabled, each is on a layer that the other can touch, and they have no
//!             common owner; updates skip pairs of two fixed colliders too
//! test        boxes, pixels within a box, coarse levels or pixels, by the accuracies of both
//! least       the greater least overlap of the two, in mask pixels
//! ```
//!
//! The batch kernels of an update apply the same rule to many pairs: `PairBits` holds it as bits.
//! Invariant: a pair touches in an update exactly if [`SceneView::decide`] says so.

use crate::geom::{Point, Rect};
use crate::mask::Mask;
use crate::narrow::{Accuracy, Certainty, Contact};
use crate::scene::collider::LeastOverlap;
use crate::scene::placed::Placed;
use crate::scene::{Pair, Scene, SceneView};

/// The test that decided a pair: the coarsest one that was sufficient.
///
/// An update tests each collider at its own [`accuracy`](crate::Collider::accuracy), or at
/// the world's if that is coarser. For each combination of accuracies, this test decides:
///
/// | One | The other | Decision |
/// |---|---|---|
/// | Box | Box | [`Boxes`](Self::Boxes), or [`MinOverlap`](Self::MinOverlap) by the area or size of the shared box |
/// | Box | Coarse or Exact | [`Pixels`](Self::Pixels), or `MinOverlap`: pixels of the second within the box of the first |
/// | Coarse | Coarse or Exact | [`Levels`](Self::Levels); `Pixels` if one of them has no levels |
/// | Exact | Exact | `Levels` if they give a certain answer; else `Pixels`, or `MinOverlap` |
///
/// Disjoint boxes decide at any accuracy. [`Accuracy::Coarse`] says which masks have levels. A
/// certain overlap of levels decides only if any shared mask pixel counts.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Pair, World};
/// use hitmask::DecidedBy;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot)?);
/// assert_eq!(world.pair([a, b]).and_then(|pair| pair.explain()).unwrap().decision, DecidedBy::Pixels);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecidedBy {
    /// One of the colliders is not [enabled](crate::Collider::enabled).
    Disabled,
    /// Both colliders belong to the same [owner](crate::Collider::owner), or are one.
    Owner,
    /// Layers: the layers of one are not in `collides_with` of the other.
    Layers,
    /// Both colliders are fixed; an update skips such pairs.
    Fixed,
    /// The tight boxes: they are disjoint, or the accuracy asks for no finer test.
    Boxes,
    /// The coarse levels, cells of 8 x 8 pixels. Either no cells overlap, or cells overlap and the
    /// accuracy asks for no finer test, or full cells overlap.
    Levels,
    /// The pixels: none is shared, or enough are.
    Pixels,
    /// The number of shared pixels, or the size of their box: below the `min_overlap` of one of the
    /// two.
    MinOverlap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairDecision {
    pub(crate) touches: bool,
    pub(crate) decision: DecidedBy,
    /// Row of the first shared pixel, if pixels were tested.
    pub(crate) row: Option<i32>,
}

impl PairDecision {
    const fn new(touches: bool, decision: DecidedBy) -> Self {
        Self { touches, decision, row: None }
    }

    fn counted(contact: Option<Contact>, least: LeastOverlap) -> Self {
        let Some(contact) = contact else {
            return Self::new(false, DecidedBy::Pixels);
        };
        let touches = least.is_met_by(&contact);
        let decision = if touches { DecidedBy::Pixels } else { DecidedBy::MinOverlap };
        Self { touches, decision, row: Some(contact.point.y) }
    }
}

#[derive(Clone, Copy, Debug)]
enum PairTest {
    Boxes,
    /// The pixels of the collider in this slot, within the box of the other.
    PixelsInBox(usize),
    /// The coarse levels of both. Without levels, their pixels.
    Levels,
    Pixels,
}

impl PairTest {
    const fn of([a, b]: [usize; 2], accuracies: [Accuracy; 2]) -> Self {
        match accuracies {
            [Accuracy::Box, Accuracy::Box] => Self::Boxes,
            [Accuracy::Box, _] => Self::PixelsInBox(b),
            [_, Accuracy::Box] => Self::PixelsInBox(a),
            [Accuracy::Exact, Accuracy::Exact] => Self::Pixels,
            _ => Self::Levels,
        }
    }
}

/// Returns why the colliders in two slots may not meet; `None` if they may.
#[inline]
fn refusal(placed: &Placed, [a, b]: [usize; 2]) -> Option<DecidedBy> {
    let Placed { slots, appearances } = placed;
    let share_owner = slots.share_owner(a, b);
    if appearances.can_collide(slots.appearances[a], slots.appearances[b]) && !share_owner {
        return None;
    }
    let are_enabled = [a, b].map(|slot| placed.appearance(slot).enabled) == [true; 2];
    Some(match (are_enabled, share_owner) {
        (false, _) => DecidedBy::Disabled,
        (true, true) => DecidedBy::Owner,
        (true, false) => DecidedBy::Layers,
    })
}

/// Tests whether the colliders in two slots may meet, as obstacles or as sensors.
pub(crate) fn may_meet(placed: &Placed, slots: [usize; 2]) -> bool {
    refusal(placed, slots).is_none()
}

impl Scene {
    /// Returns the overlap of two enabled colliders, by their accuracies.
    pub(crate) fn contact(&self, pair: &Pair) -> Option<Contact> {
        let [a, b] = [self.placed.enabled_slot(pair.a)?, self.placed.enabled_slot(pair.b)?];
        self.view().contact(a, b)
    }
}

impl SceneView<'_> {
    pub(crate) fn accuracy(&self, slot: usize) -> Accuracy {
        self.placed.appearance(slot).accuracy.min(self.accuracy)
    }

    /// Returns the least overlap of a pair of these slots, in mask pixels.
    pub(crate) fn least_overlap(&self, a: usize, b: usize) -> LeastOverlap {
        let [a, b] = [a, b]
            .map(|slot| self.placed.appearances.least_overlap(self.placed.slots.appearances[slot]));
        a.max(b)
    }

    fn test(&self, a: usize, b: usize) -> PairTest {
        PairTest::of([a, b], [self.accuracy(a), self.accuracy(b)])
    }

    /// Tests whether two colliders with overlapping boxes, which may meet, touch.
    pub(crate) fn touch(&self, a: usize, b: usize) -> bool {
        let least = self.least_overlap(a, b);
        let shared = || self.placed.slots.rect(a).intersection(self.placed.slots.rect(b));
        match self.test(a, b) {
            PairTest::Boxes => {
                shared().is_some_and(|rect| least.is_met_by(&Contact::of_boxes(rect)))
            }
            PairTest::PixelsInBox(slot) => {
                let contact = shared().and_then(|rect| self.contact_with_rect(slot, rect));
                contact.is_some_and(|contact| least.is_met_by(&contact))
            }
            PairTest::Levels => {
                let (a, b) = (self.posed(a), self.posed(b));
                a.mask.coarse(b.mask, b.origin - a.origin) != Certainty::No
            }
            PairTest::Pixels => {
                let (a, b) = (self.pixels(a), self.pixels(b));
                let (other, offset) = b.beside(a.origin);
                if least.is_any() {
                    a.mask().touches(other, offset)
                } else if least.is_by_area() {
                    a.mask().overlap_area(other, offset) >= least.area
                } else {
                    let contact = a.mask().contact(other, offset);
                    contact.is_some_and(|contact| least.is_met_by(&contact))
                }
            }
        }
    }

    /// Returns the overlap of two colliders by their accuracies. One pixel is enough.
    pub(crate) fn contact(&self, a: usize, b: usize) -> Option<Contact> {
        self.contact_by(a, b, [self.accuracy(a), self.accuracy(b)]).0
    }

    /// Returns the overlap of two colliders at these accuracies, and true if coarse levels decided.
    pub(crate) fn contact_by(
        &self,
        a: usize,
        b: usize,
        accuracies: [Accuracy; 2],
    ) -> (Option<Contact>, bool) {
        let shared = self.placed.slots.rect(a).intersection(self.placed.slots.rect(b));
        match PairTest::of([a, b], accuracies) {
            PairTest::Boxes => (shared.map(Contact::of_boxes), false),
            PairTest::PixelsInBox(slot) => {
                (shared.and_then(|rect| self.contact_with_rect(slot, rect)), false)
            }
            PairTest::Levels => match self.levels(a, b) {
                Some(certainty) => {
                    let shared = shared.filter(|_| certainty != Certainty::No);
                    (shared.map(Contact::of_boxes), true)
                }
                None => (self.pixel_contact(a, b), false),
            },
            PairTest::Pixels => (shared.and_then(|_| self.pixel_contact(a, b)), false),
        }
    }

    /// Tests whether two colliders touch, by all rules of an update.
    pub(crate) fn decide(&self, a: usize, b: usize) -> PairDecision {
        if let Some(decision) = refusal(self.placed, [a, b]) {
            return PairDecision::new(false, decision);
        }
        if a == b {
            return PairDecision::new(false, DecidedBy::Owner);
        }
        let is_fixed = |slot| self.placed.appearance(slot).fixed;
        if is_fixed(a) && is_fixed(b) {
            return PairDecision::new(false, DecidedBy::Fixed);
        }
        let Some(shared) = self.placed.slots.rect(a).intersection(self.placed.slots.rect(b)) else {
            return PairDecision::new(false, DecidedBy::Boxes);
        };
        let least = self.least_overlap(a, b);
        let counted = |least| PairDecision::counted(self.contact(a, b), least);
        match self.test(a, b) {
            PairTest::Boxes if !least.is_met_by(&Contact::of_boxes(shared)) => {
                PairDecision::new(false, DecidedBy::MinOverlap)
            }
            PairTest::Boxes => PairDecision::new(true, DecidedBy::Boxes),
            PairTest::PixelsInBox(_) => counted(least),
            PairTest::Pixels => match self.levels(a, b) {
                Some(Certainty::No) => PairDecision::new(false, DecidedBy::Levels),
                Some(Certainty::Yes) if least.is_any() => {
                    PairDecision::new(true, DecidedBy::Levels)
                }
                _ => counted(least),
            },
            PairTest::Levels => match self.levels(a, b) {
                Some(certainty) => PairDecision::new(certainty != Certainty::No, DecidedBy::Levels),
                None => counted(LeastOverlap::ANY),
            },
        }
    }

    /// Compares the coarse levels; `None` if one of the masks has none.
    fn levels(&self, a: usize, b: usize) -> Option<Certainty> {
        let (a, b) = (self.posed(a), self.posed(b));
        a.mask.levels().and(b.mask.levels())?;
        Some(a.mask.coarse(b.mask, b.origin - a.origin))
    }

    fn pixel_contact(&self, a: usize, b: usize) -> Option<Contact> {
        let (a, b) = (self.pixels(a), self.pixels(b));
        let (other, offset) = b.beside(a.origin);
        Some(a.mask().contact(other, offset)?.translated(a.origin))
    }

    /// Returns the contact of the collider in this slot with the filled `rect`, a part of its box.
    fn contact_with_rect(&self, slot: usize, rect: Rect) -> Option<Contact> {
        let pixels = self.pixels(slot);
        let filled = Mask::full(rect.width(), rect.height());
        let offset = Point::new(rect.x0, rect.y0) - pixels.origin;
        Some(pixels.mask().contact(&filled, offset)?.translated(pixels.origin))
    }
}
