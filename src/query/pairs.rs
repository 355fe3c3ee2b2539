//! The contact of a pair: for filters that look at sides and normals, and at an accuracy for one call.
//!
//! Invariant: the shapes are those by which the pair touches, so an answer exists at any accuracy.

use crate::narrow::{Accuracy, Contact, Normal, Overlap, Side};
use crate::scene::view::ColliderView;
use crate::scene::{Collider, ColliderId, Pair, Scene};

/// A pair of touching colliders, and questions about its contact. Each is answered when it is
/// asked.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
/// use hitmask::Side;
/// # let bake = AtlasBuilder::new().mask("hero", Mask::solid(8, 8)?).mask("floor", Mask::solid(80, 8)?);
/// # let atlas = Atlas::from_vec(bake.to_bytes()?)?;
/// # let [hero, floor] = ["hero", "floor"].map(|name| Collider::new(atlas.sprite_id(name).unwrap()));
/// # let mut world = World::new(atlas);
/// let hero = world.insert(hero)?;
/// let floor = world.insert(floor.at([0.0, 7.0]))?;
/// // The hero refuses floors.
/// world.update_with(|touch| touch.side_of(hero) != Some(Side::Below));
/// assert_eq!(world.touching(), []);
/// world.update();
/// let touch = world.pair_contact(&world.touching()[0]).unwrap();
/// assert_eq!(touch.normal_of(hero).map(<[f32; 2]>::from), Some([0.0, -1.0]));
/// assert_eq!((touch.side_of(floor), touch.other(floor)), (Some(Side::Above), Some(hero)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PairContact<'w> {
    scene: &'w Scene,
    pair: Pair,
    slots: [usize; 2],
}

impl Scene {
    /// Returns the contact of two enabled colliders that overlap by their accuracies.
    pub(crate) fn pair_contact(&self, pair: &Pair) -> Option<PairContact<'_>> {
        let slots = [self.enabled_slot(pair.a)?, self.enabled_slot(pair.b)?];
        self.view().contact(slots[0], slots[1])?;
        Some(PairContact { scene: self, pair: *pair, slots })
    }

    /// Returns the contact of two enabled colliders at an accuracy, and the level that was used.
    pub(crate) fn contact_at(&self, pair: &Pair, accuracy: Accuracy) -> Option<ContactAt> {
        let [a, b] = [self.enabled_slot(pair.a)?, self.enabled_slot(pair.b)?];
        let (contact, by_levels) = self.view().contact_by(a, b, [accuracy; 2]);
        let accuracy = match accuracy {
            Accuracy::Coarse if !by_levels => Accuracy::Exact,
            accuracy => accuracy,
        };
        Some(ContactAt { contact, accuracy })
    }
}

impl<'w> PairContact<'w> {
    pub(crate) const fn new(scene: &'w Scene, pair: Pair) -> Self {
        Self { scene, pair, slots: [pair.a.slot(), pair.b.slot()] }
    }

    /// Returns the pair.
    #[must_use]
    pub const fn pair(&self) -> Pair {
        self.pair
    }

    /// Returns the two colliders, in the order of the pair.
    #[must_use]
    pub fn colliders(&self) -> [Collider; 2] {
        self.slots.map(|slot| self.scene.slots.collider(&self.scene.appearances, slot))
    }

    /// Returns the other collider of the pair; `None` if `id` is not in it.
    #[must_use]
    pub fn other(&self, id: ColliderId) -> Option<ColliderId> {
        let Pair { a, b } = self.pair;
        match id {
            _ if id == a => Some(b),
            _ if id == b => Some(a),
            _ => None,
        }
    }

    /// Returns the box, the area and the first pixel of the overlap, as [`World::contact`](crate::World::contact).
    #[must_use]
    pub fn contact(&self) -> Option<Contact> {
        let [a, b] = self.slots;
        self.scene.view().contact(a, b)
    }

    /// Returns the details of the shared pixels, as [`World::overlap`](crate::World::overlap). `None` if the pair touches
    /// by its boxes or cells, and shares no pixel.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap<'w>> {
        self.scene.overlap(&self.pair)
    }

    /// Returns the side of the collider `id` on which the other one lies: below for a floor, left
    /// or right for a wall. `None` if `id` is not in the pair.
    ///
    /// Computed from the shapes by which the pair touches: pixels, or the box of a collider at
    /// [`Accuracy::Box`]. If those share no pixel, as is possible at [`Accuracy::Coarse`], the
    /// boxes of both count.
    #[must_use]
    pub fn side_of(&self, id: ColliderId) -> Option<Side> {
        self.normal_of(id).map(Normal::side)
    }

    /// Returns the direction in which the collider `id` leaves the other one: see [`Normal`]. The
    /// shapes are those of [`side_of`](Self::side_of). The other collider has the opposite one. `None`
    /// if `id` is not in the pair.
    #[must_use]
    pub fn normal_of(&self, id: ColliderId) -> Option<Normal> {
        self.other(id)?;
        let [a, b] = self.slots;
        let [a, b] = if id == self.pair.a { [a, b] } else { [b, a] };
        let view = self.scene.view();
        let [first, second] = [a, b].map(|slot| view.collider_view(slot, view.accuracy(slot)));
        let is_reversed = a > b;
        normal(&first, &second, is_reversed).or_else(|| {
            let boxes = [a, b].map(|slot| view.collider_view(slot, Accuracy::Box));
            normal(&boxes[0], &boxes[1], is_reversed)
        })
    }
}

/// Returns the normal of two shapes; `None` if they share no pixel.
fn normal(a: &ColliderView<'_>, b: &ColliderView<'_>, is_reversed: bool) -> Option<Normal> {
    let overlap = Overlap::new((a.mask(), a.origin), (b.mask(), b.origin))?;
    Some(overlap.reversed(is_reversed).normal())
}

/// The answer of [`World::contact_at`](crate::World::contact_at).
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
