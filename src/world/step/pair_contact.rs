//! The contact of a touching pair, for filters that look at sides and normals.
//!
//! Made by `World::update_with_contacts` for each touching pair, and by `World::pair_contact`.
//! Invariant: the shapes are those by which the pair touches, so an answer exists at any accuracy.

use crate::narrow::{Accuracy, Contact, Normal, Overlap, Side};
use crate::world::state::view::ColliderView;
use crate::world::{Collider, ColliderId, Pair, World};

/// A pair of touching colliders, and questions about its contact. Each is answered when it is
/// asked.
///
/// ```
/// # use hitmask::{Atlas, Bake, Collider, Mask, World};
/// use hitmask::Side;
/// # let bake = Bake::new().mask("hero", Mask::solid(8, 8)?).mask("floor", Mask::solid(80, 8)?);
/// # let atlas = Atlas::from_vec(bake.to_bytes()?)?;
/// # let [hero, floor] = ["hero", "floor"].map(|name| Collider::new(atlas.sprite_id(name).unwrap()));
/// # let mut world = World::new(atlas);
/// let hero = world.insert(hero)?;
/// let floor = world.insert(floor.at([0.0, 7.0]))?;
/// // The hero refuses floors.
/// world.update_with_contacts(|touch| touch.side_of(hero) != Some(Side::Below));
/// assert_eq!(world.touching(), []);
/// world.update();
/// let touch = world.pair_contact(&world.touching()[0]).unwrap();
/// assert_eq!(touch.normal_of(hero).map(<[f32; 2]>::from), Some([0.0, -1.0]));
/// assert_eq!((touch.side_of(floor), touch.other(floor)), (Some(Side::Above), Some(hero)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PairContact<'w> {
    world: &'w World,
    pair: Pair,
    slots: [usize; 2],
}

impl World {
    /// As [`update_with`](Self::update_with), with a filter that sees the contact of each pair: its
    /// side, normal, box and pixels. A pair that `keep` refuses does not touch in this update, so
    /// it neither begins nor stays.
    ///
    /// Costs nothing for questions that `keep` does not ask. A side or a normal costs about 5 times
    /// an [`overlap_area`](crate::Mask::overlap_area).
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, Mask, World};
    /// # let atlas = Atlas::from_vec(Bake::new().mask("a", Mask::solid(8, 8)?).to_bytes()?)?;
    /// # let block = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// use hitmask::Side;
    /// let hero = world.insert(block)?;
    /// let wall = world.insert(block.at([7.0, 1.0]))?;
    /// let floor = world.insert(block.at([1.0, 7.0]))?;
    /// // Passes through walls.
    /// let is_wall = |side| matches!(side, Some(Side::Left | Side::Right));
    /// world.update_with_contacts(|touch| !is_wall(touch.side_of(hero)));
    /// assert_eq!(world.touching_with(hero), [wall, floor]);
    /// assert!(world.began().iter().all(|pair| (pair.a, pair.b) != (hero, wall)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_with_contacts(&mut self, mut keep: impl FnMut(&PairContact<'_>) -> bool) {
        self.update_filtered(|world, pair| {
            let slots = [pair.a.slot(), pair.b.slot()];
            keep(&PairContact { world, pair: *pair, slots })
        });
    }

    /// Returns the contact of two colliders at their present placements, such as a pair of
    /// [`began`](Self::began). Returns `None` if they do not overlap by their accuracies, as in
    /// [`contact`](Self::contact).
    #[must_use]
    pub fn pair_contact(&self, pair: &Pair) -> Option<PairContact<'_>> {
        let slots = [self.enabled_slot(pair.a)?, self.enabled_slot(pair.b)?];
        self.view().contact(slots[0], slots[1])?;
        Some(PairContact { world: self, pair: *pair, slots })
    }
}

impl<'w> PairContact<'w> {
    /// Returns the pair.
    #[must_use]
    pub const fn pair(&self) -> Pair {
        self.pair
    }

    /// Returns the two colliders, in the order of the pair.
    #[must_use]
    pub fn colliders(&self) -> [Collider; 2] {
        self.slots.map(|slot| self.world.slots.collider(&self.world.appearances, slot))
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

    /// Returns the box, the area and the first pixel of the overlap, as [`World::contact`].
    #[must_use]
    pub fn contact(&self) -> Option<Contact> {
        let [a, b] = self.slots;
        self.world.view().contact(a, b)
    }

    /// Returns the details of the shared pixels, as [`World::overlap`]. `None` if the pair touches
    /// by its boxes or cells, and shares no pixel.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap<'w>> {
        self.world.overlap(&self.pair)
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
    /// shapes are those of [`side_of`](Self::side_of). `None` if `id` is not in the pair.
    #[must_use]
    pub fn normal_of(&self, id: ColliderId) -> Option<Normal> {
        self.other(id)?;
        let [a, b] = self.slots;
        let [a, b] = if id == self.pair.a { [a, b] } else { [b, a] };
        let view = self.world.view();
        let [first, second] = [a, b].map(|slot| view.collider_view(slot, view.accuracy(slot)));
        normal(&first, &second).or_else(|| {
            let boxes = [a, b].map(|slot| view.collider_view(slot, Accuracy::Box));
            normal(&boxes[0], &boxes[1])
        })
    }
}

/// Returns the normal of two shapes; `None` if they share no pixel.
fn normal(a: &ColliderView<'_>, b: &ColliderView<'_>) -> Option<Normal> {
    Some(Overlap::new((a.mask(), a.origin), (b.mask(), b.origin))?.normal())
}
