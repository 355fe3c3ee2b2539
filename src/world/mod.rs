//! The world: sprites placed on the plane, and which of them touch.

mod broad;
mod collider;
mod error;
mod id;
#[cfg(feature = "rstar")]
mod index;
mod pairs;
mod place;

pub use broad::BoxTree;
pub use collider::Collider;
pub use error::PlaceError;
pub use id::{ColliderId, Pair};
#[cfg(feature = "rstar")]
pub use index::ColliderBox;
pub use place::MAX_POSITION;

use crate::atlas::Atlas;
use crate::geom::{Point, Rect};
use crate::narrow::{Accuracy, Contact};
use crate::raster::PosedRef;
use place::Placement;

/// Colliders on the plane, and which of them touch.
///
/// Insert and move colliders at any time; [`update`](Self::update), once per tick, finds every
/// touching pair.
///
/// ```
/// use hitmask::{Atlas, Bake, Collider, Mask, World};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let atlas = Atlas::from_vec(Bake::new().mask("arrow", arrow).to_bytes()?)?;
/// let arrow = atlas.sprite("arrow").unwrap();
///
/// let mut world = World::new(atlas);
/// let a = world.insert(Collider::new(arrow).at([10.0, 10.0]))?;
/// let b = world.insert(Collider::new(arrow).at([11.0, 10.4]).turned(0.3))?;
/// world.update();
/// for pair in world.touching() {
///     assert_eq!((pair.a, pair.b), (a, b));
///     println!("{:?}", world.contact(pair));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    atlas: Atlas,
    accuracy: Accuracy,
    slots: Vec<Slot>,
    /// Slots without a collider, the last freed on top.
    free: Vec<u32>,
    finder: pairs::Finder,
    touching: Vec<Pair>,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    collider: Option<(Collider, Placement)>,
}

impl World {
    /// A world without colliders, over the sprites of `atlas`.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        Self {
            atlas,
            accuracy: Accuracy::default(),
            slots: Vec::new(),
            free: Vec::new(),
            finder: pairs::Finder::default(),
            touching: Vec::new(),
        }
    }

    /// How closely pairs are looked at, from the next [`update`](Self::update) or
    /// [`contact`](Self::contact) on. The default is [`Accuracy::Exact`].
    pub fn set_accuracy(&mut self, accuracy: Accuracy) {
        self.accuracy = accuracy;
    }

    /// How closely pairs are looked at.
    #[must_use]
    pub const fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    /// The atlas whose sprites are placed here.
    #[must_use]
    pub const fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Adds a collider.
    ///
    /// # Errors
    /// [`PlaceError`] where it cannot be placed; the world is then as it was.
    pub fn insert(&mut self, collider: Collider) -> Result<ColliderId, PlaceError> {
        let placement = Placement::new(&self.atlas, &collider)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.slots.len()).map_err(|_| PlaceError::Full)?;
                self.slots.push(Slot { generation: 0, collider: None });
                index
            }
        };
        let slot = &mut self.slots[index as usize];
        slot.collider = Some((collider, placement));
        Ok(ColliderId::new(index, slot.generation))
    }

    /// Moves or otherwise changes a collider.
    ///
    /// # Errors
    /// [`PlaceError`] where it cannot be placed so, or where `id` is no longer in the world; the
    /// world is then as it was.
    pub fn set(&mut self, id: ColliderId, collider: Collider) -> Result<(), PlaceError> {
        let placement = Placement::new(&self.atlas, &collider)?;
        let slot = self.slots.get_mut(id.index() as usize);
        match slot.filter(|slot| slot.generation == id.generation()) {
            Some(Slot { collider: Some(present), .. }) => {
                *present = (collider, placement);
                Ok(())
            }
            _ => Err(PlaceError::Stale(id)),
        }
    }

    /// Takes a collider out; `None` where `id` is no longer in the world. Its id stays stale for
    /// ever, or until its slot has been used 2^32 times.
    pub fn remove(&mut self, id: ColliderId) -> Option<Collider> {
        let slot = self.slots.get_mut(id.index() as usize)?;
        if slot.generation != id.generation() {
            return None;
        }
        let (collider, _) = slot.collider.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index());
        Some(collider)
    }

    /// The collider of this id; `None` where it is no longer in the world.
    #[must_use]
    pub fn get(&self, id: ColliderId) -> Option<&Collider> {
        self.slot(id).map(|(collider, _)| collider)
    }

    /// The tight box of a collider's pixels, in world pixels; `None` where `id` is no longer in
    /// the world or its sprite has no set pixel.
    #[must_use]
    pub fn rect(&self, id: ColliderId) -> Option<Rect> {
        self.slot(id).map(|(_, placement)| placement.rect).filter(|rect| !rect.is_empty())
    }

    /// A collider's posed mask, with its origin in world pixels; `None` where `id` is no longer in
    /// the world.
    #[must_use]
    pub fn posed(&self, id: ColliderId) -> Option<PosedRef<'_>> {
        let (collider, placement) = self.slot(id)?;
        let half = self.atlas.get(collider.sprite)?.pivot(collider.frame)?[0] & 1 == 1;
        let Rect { x0, y0, .. } = placement.rect;
        Some(PosedRef {
            mask: placement.mask(&self.atlas.records()),
            origin: Point::new(x0, y0),
            half,
        })
    }

    /// Number of colliders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// True where there is no collider.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All colliders, in order of their ids' indices.
    pub fn iter(&self) -> impl Iterator<Item = (ColliderId, &Collider)> {
        self.slots.iter().zip(0..).filter_map(|(slot, index)| {
            let (collider, _) = slot.collider.as_ref()?;
            Some((ColliderId::new(index, slot.generation), collider))
        })
    }

    /// Finds every touching pair. Call it once per tick, after moving.
    ///
    /// Costs about as much as sorting the boxes, and then a few nanoseconds for each pair whose
    /// boxes overlap; runs on every core where the feature `rayon` is on.
    pub fn update(&mut self) {
        let placements: Vec<(u32, Placement)> = self
            .slots
            .iter()
            .zip(0..)
            .filter_map(|(slot, index)| slot.collider.as_ref().map(|(_, place)| (index, *place)))
            .collect();
        let found = self.finder.touching(&self.atlas.records(), &placements, self.accuracy);
        let id = |index: u32| ColliderId::new(index, self.slots[index as usize].generation);
        self.touching = found.into_iter().map(|[a, b]| Pair { a: id(a), b: id(b) }).collect();
    }

    /// The pairs that touched at the last [`update`](Self::update), each once: in each pair the
    /// collider of lower index first, the pairs in order of a's index, then b's. The order
    /// depends on nothing else, now and in later versions.
    #[must_use]
    pub fn touching(&self) -> &[Pair] {
        &self.touching
    }

    /// Where two colliders overlap, in world pixels, as they are placed now; `None` where they do
    /// not, or where one of them is no longer in the world.
    ///
    /// At [`Accuracy::Box`] and [`Accuracy::Coarse`] sprites count as solid boxes: the answer is
    /// then the rectangle that the boxes share, its area and its top-left pixel.
    #[must_use]
    pub fn contact(&self, pair: &Pair) -> Option<Contact> {
        let ((_, a), (_, b)) = (self.slot(pair.a)?, self.slot(pair.b)?);
        pairs::contact(&self.atlas.records(), a, b, self.accuracy)
    }

    fn slot(&self, id: ColliderId) -> Option<&(Collider, Placement)> {
        let slot = self.slots.get(id.index() as usize)?;
        slot.collider.as_ref().filter(|_| slot.generation == id.generation())
    }
}
