//! Two colliders of a world: contact, overlap, distance, sides and planes.
//!
//! Invariant: sides and normals are those of the shapes by which the pair touches, so they exist at
//! any accuracy.

use crate::ids::ColliderId;
use crate::ids::SpriteId;
use crate::narrow::{Accuracy, Contact, Normal, Overlap, Side};
use crate::raster::{Posed, PosedRef};
use crate::scene::collider::Appearance;
use crate::scene::placed::Slots;
use crate::scene::placement::snap;
use crate::scene::view::ColliderView;
use crate::scene::{Collider, ColliderShape, Pair, Scene, SceneView};

/// Two colliders of a world, and questions about them. Each is answered for the current placements
/// when it is asked. Layers and `min_overlap` do not count here: one shared pixel is enough.
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
/// let touch = world.pair(&world.touching()[0]).unwrap();
/// assert_eq!(touch.normal_of(hero).map(<[f32; 2]>::from), Some([0.0, -1.0]));
/// assert_eq!((touch.side_of(floor), touch.other(floor)), (Some(Side::Above), Some(hero)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PairRef<'w> {
    scene: &'w Scene,
    pair: Pair,
    slots: [usize; 2],
}

impl<'w> PairRef<'w> {
    /// Returns the view of a pair of the last update, whose ids are not stale.
    pub(crate) const fn new(scene: &'w Scene, pair: Pair) -> Self {
        Self { scene, pair, slots: [pair.a.slot(), pair.b.slot()] }
    }

    /// Returns the view of two colliders; `None` if an id is stale.
    pub(crate) fn of(scene: &'w Scene, pair: Pair) -> Option<Self> {
        let slots = [scene.placed.slots.find(pair.a)?, scene.placed.slots.find(pair.b)?];
        Some(Self { scene, pair, slots })
    }

    pub(crate) const fn scene(&self) -> &'w Scene {
        self.scene
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

    /// Returns the overlap of the two, in mask pixels: its box, its area and its first pixel. `None` if
    /// they do not overlap, or if one of them is disabled.
    ///
    /// At [`Accuracy::Coarse`] two sprites with coarse levels count as filled boxes, unless the levels
    /// prove that they do not touch. At [`Accuracy::Box`] they always count as filled boxes. The
    /// contact of two such sprites is the intersection of their boxes, with its area and its top-left
    /// pixel. [`DecidedBy`](crate::DecidedBy) describes pairs of different accuracies.
    #[must_use]
    pub fn contact(&self) -> Option<Contact> {
        self.scene.contact(&self.pair)
    }

    /// Returns the contact at an accuracy chosen for this call, and the level that was used. `None` if
    /// a collider is disabled.
    ///
    /// For a factor, give [`Accuracy::from_factor`]. The accuracies of the colliders and the world
    /// are not used.
    #[must_use]
    pub fn contact_at(&self, accuracy: Accuracy) -> Option<ContactAt> {
        let [a, b] = self.enabled()?;
        let (contact, by_levels) = self.scene.view().contact_by(a, b, [accuracy; 2]);
        let accuracy = match accuracy {
            Accuracy::Coarse if !by_levels => Accuracy::Exact,
            accuracy => accuracy,
        };
        Some(ContactAt { contact, accuracy })
    }

    /// Returns the details of the shared pixels, in mask pixels. `None` if the two share no pixel, or
    /// if one is disabled. Accuracies are not used.
    #[must_use]
    pub fn overlap(&self) -> Option<Overlap<'w>> {
        self.scene.overlap(&self.pair)
    }

    /// Returns the distance between the nearest pixels of the two, from centre to centre, in units of
    /// positions. `None` if a collider is disabled or has no pixels.
    #[must_use]
    pub fn distance(&self) -> Option<f64> {
        let [a, b] = self.enabled()?.map(|slot| self.scene.view().posed(slot));
        let pixels = a.mask.distance(b.mask, b.origin - a.origin)?;
        Some(pixels / f64::from(self.scene.stock.resolution()))
    }

    /// Returns the planes of the two that share pixels. Each entry is a plane of the first and a plane
    /// of the second; entries are sorted.
    ///
    /// Every plane of the shown frames is tested, at the shown pose and flip. A runtime mask has
    /// the single plane 0. The result is empty if no planes overlap, or if a collider is disabled.
    /// Accuracies are not used. Costs one test of two masks per pair of planes with overlapping boxes.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
    /// let [edge, hilt] = ["..##", "##.."].map(|art| art.parse::<Mask>().unwrap());
    /// let [body, shield] = [".##.", "...#"].map(|art| art.parse::<Mask>().unwrap());
    /// let bake = AtlasBuilder::new()
    ///     .planes("sword", ["edge", "hilt"], [vec![edge, hilt]])?
    ///     .planes("ogre", ["body", "shield"], [vec![body, shield]])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let [sword, ogre] = ["sword", "ogre"].map(|name| atlas.sprite_id(name).unwrap());
    /// let mut world = World::new(atlas);
    /// let a = world.insert(Collider::new(sword))?;
    /// let b = world.insert(Collider::new(ogre))?;
    /// // The edge overlaps the body and the shield; the hilt overlaps only the body.
    /// assert_eq!(world.pair([a, b]).unwrap().planes(), [[0, 0], [0, 1], [1, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn planes(&self) -> Vec<[u32; 2]> {
        let Some([a, b]) = self.enabled() else { return Vec::new() };
        let [firsts, seconds] = [a, b].map(|slot| planes(self.scene.view(), slot));
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

    /// Returns the slots of the two; `None` if one of them is disabled.
    fn enabled(&self) -> Option<[usize; 2]> {
        Some([
            self.scene.placed.enabled_slot(self.pair.a)?,
            self.scene.placed.enabled_slot(self.pair.b)?,
        ])
    }

    /// Returns the side of the collider `id` on which the other one lies: below for a floor, left
    /// or right for a wall. `None` if `id` is not in the pair, or if the two do not touch.
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
    /// if `id` is not in the pair, or if the two do not touch.
    #[must_use]
    pub fn normal_of(&self, id: ColliderId) -> Option<Normal> {
        self.other(id)?;
        let [a, b] = self.enabled()?;
        let [a, b] = if id == self.pair.a { [a, b] } else { [b, a] };
        let view = self.scene.view();
        let [first, second] = [a, b].map(|slot| view.collider_view(slot, view.accuracy(slot)));
        let is_reversed = a > b;
        normal(&first, &second, is_reversed).or_else(|| {
            // Coarse levels may count as touching what shares no pixel.
            self.contact()?;
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

/// The answer of [`PairRef::contact_at`].
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use hitmask::Accuracy;
/// # let bake = AtlasBuilder::new().mask("dot", "#".parse()?).mask("ring", "###\n#.#\n###".parse()?);
/// # let atlas = Atlas::from_vec(bake.to_bytes()?)?;
/// # let [dot, ring] = ["dot", "ring"].map(|name| Collider::new(atlas.sprite_id(name).unwrap()));
/// # let mut world = World::new(atlas);
/// let pair = [world.insert(dot)?, world.insert(ring)?];
/// let pair = world.pair(pair).unwrap();
/// let exact = pair.contact_at(Accuracy::from_factor(1.0)?).unwrap();
/// assert_eq!((exact.contact, exact.accuracy), (None, Accuracy::Exact));
/// let coarse = pair.contact_at(Accuracy::from_factor(0.1)?).unwrap();
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
