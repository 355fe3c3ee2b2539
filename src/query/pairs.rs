//! Questions about one pair: its contact, its distance and its overlapping planes.
//!
//! Invariant: the shapes of a contact are those by which the pair touches, so an answer exists at any
//! accuracy.

use crate::atlas::SpriteId;
use crate::narrow::{Accuracy, Contact, Normal, Overlap, Side};
use crate::raster::{Posed, PosedRef};
use crate::scene::collider::Appearance;
use crate::scene::placed::Slots;
use crate::scene::placement::snap;
use crate::scene::view::ColliderView;
use crate::scene::{Collider, ColliderId, ColliderShape, Pair, Scene, SceneView};

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

impl<'w> PairContact<'w> {
    /// Returns the contact of two enabled colliders that overlap by their accuracies.
    pub(crate) fn of(scene: &'w Scene, pair: &Pair) -> Option<Self> {
        let [a, b] = enabled_slots(scene, pair)?;
        scene.view().contact(a, b)?;
        Some(Self::new(scene, *pair))
    }

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
        self.slots.map(|slot| self.scene.placed.collider(slot))
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

impl ContactAt {
    /// Returns the contact of two enabled colliders at an accuracy, and the level that was used.
    pub(crate) fn of(scene: &Scene, pair: &Pair, accuracy: Accuracy) -> Option<Self> {
        let [a, b] = enabled_slots(scene, pair)?;
        let (contact, by_levels) = scene.view().contact_by(a, b, [accuracy; 2]);
        let accuracy = match accuracy {
            Accuracy::Coarse if !by_levels => Accuracy::Exact,
            accuracy => accuracy,
        };
        Some(Self { contact, accuracy })
    }
}

fn enabled_slots(scene: &Scene, pair: &Pair) -> Option<[usize; 2]> {
    Some([scene.placed.enabled_slot(pair.a)?, scene.placed.enabled_slot(pair.b)?])
}

/// Returns the distance between the nearest pixel centres of two enabled colliders.
pub(crate) fn distance(scene: &Scene, a: ColliderId, b: ColliderId) -> Option<f64> {
    let (a, b) = (scene.enabled_mask(a)?, scene.enabled_mask(b)?);
    let pixels = a.mask.distance(b.mask, b.origin - a.origin)?;
    Some(pixels / f64::from(scene.stock.resolution()))
}

/// Returns the pairs of planes of two colliders that share pixels, in order.
pub(crate) fn overlapping_planes(scene: &Scene, pair: &Pair) -> Vec<[u32; 2]> {
    let Some([a, b]) = enabled_slots(scene, pair) else { return Vec::new() };
    let [firsts, seconds] = [a, b].map(|slot| planes(scene.view(), slot));
    let mut met = Vec::new();
    for (i, first) in (0..).zip(firsts.iter().map(Plane::posed)) {
        for (j, second) in (0..).zip(seconds.iter().map(Plane::posed)) {
            if first.mask.touches(second.mask, second.origin - first.origin) {
                met.push([i, j]);
            }
        }
    }
    met
}

enum Plane<'w> {
    Stored(PosedRef<'w>),
    /// A pose that no collider shows, of an undrawn atlas.
    Drawn(Posed),
}

impl Plane<'_> {
    fn posed(&self) -> PosedRef<'_> {
        match self {
            Self::Stored(posed) => *posed,
            Self::Drawn(posed) => posed.as_ref(),
        }
    }
}

/// Returns the planes of a collider in order, drawn if no collider shows them.
fn planes(view: SceneView<'_>, slot: usize) -> Vec<Plane<'_>> {
    let shown = view.placed.appearance(slot);
    let ColliderShape::Sprite(sprite) = shown.shape else {
        return vec![Plane::Stored(view.posed(slot))];
    };
    let plane = |plane| {
        let shown = Appearance { plane, ..*shown };
        let source = view.stock.source(&shown).ok()?;
        let stored = view.posed_as(slot, source);
        stored.map(Plane::Stored).or_else(|| drawn_plane(view, slot, sprite, &shown))
    };
    (0..).map_while(plane).collect()
}

/// Draws a plane of the collider in this slot at its pose.
fn drawn_plane<'w>(
    view: SceneView<'w>,
    slot: usize,
    sprite: SpriteId,
    shown: &Appearance,
) -> Option<Plane<'w>> {
    let Slots { positions, angles, scales, .. } = &view.placed.slots;
    let sprite = view.stock.atlases.sprite(sprite)?.in_plane(shown.plane)?;
    let pose = sprite.nearest(angles[slot], scales[slot])?;
    let posed = sprite.draw(shown.frame, pose, shown.flip)?;
    let lattice = snap(positions[slot], view.stock.resolution())?;
    Some(Plane::Drawn(Posed { origin: posed.origin + lattice, ..posed }))
}
