//! The colliders' state, each field in an array of its own, by slot.
//!
//! Filled by the world, read by the update and by queries. What is kept true: all arrays are of one
//! length; a slot without a collider has [`NOBODY`] for a look and no box; a collider's box is in
//! `moving` or, as its look says, in `fixed`, and there is none in the other.

use super::look::Looks;
use super::place::Placement;
use super::room;
use super::{Collider, ColliderId, PlaceError};
use crate::geom::Rect;
use crate::mask::HotMask;
use crate::pose::Angle;
use std::collections::BTreeMap;

/// The look of a slot without a collider.
pub(crate) const NOBODY: u32 = u32::MAX;

/// What the update takes along of a collider besides its box.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaf {
    /// Its mask in the atlas; none for a mask made at run time.
    pub(crate) hot: HotMask,
    /// The number of its look.
    pub(crate) look: u32,
}

/// The state of all colliders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// How often each slot was freed.
    pub(crate) generations: Vec<u32>,
    pub(crate) positions: Vec<[f32; 2]>,
    pub(crate) angles: Vec<Angle>,
    pub(crate) scales: Vec<f32>,
    pub(crate) leaves: Vec<Leaf>,
    /// Boxes of colliders that move.
    pub(crate) moving: Vec<Rect>,
    /// Boxes of fixed ones that have a pixel, by slot.
    pub(crate) fixed: BTreeMap<u32, Rect>,
    /// Slots without a collider, the last freed on top.
    pub(crate) free: Vec<u32>,
}

impl Slots {
    /// Number of slots, free ones counted.
    pub(crate) const fn len(&self) -> usize {
        self.leaves.len()
    }

    /// The slot of a collider that is in the world.
    #[inline(always)]
    pub(crate) fn find(&self, id: ColliderId) -> Option<usize> {
        let slot = id.index() as usize;
        let present =
            *self.generations.get(slot)? == id.generation() && self.leaves[slot].look != NOBODY;
        present.then_some(slot)
    }

    /// The id of the collider in this slot.
    #[inline]
    pub(crate) fn id(&self, slot: u32) -> ColliderId {
        ColliderId::new(slot, self.generations[slot as usize])
    }

    /// The slots that have a collider.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.leaves).filter(|(_, leaf)| leaf.look != NOBODY).map(|(slot, _)| slot)
    }

    /// A slot for a collider to come: [`put`](Self::put) it there.
    pub(crate) fn take(&mut self) -> Result<usize, PlaceError> {
        if let Some(slot) = self.free.pop() {
            return Ok(slot as usize);
        }
        let slot = self.len();
        // Positions in the index, padding included, are 32 bits too.
        if slot >= super::MAX_COLLIDERS {
            return Err(PlaceError::Full);
        }
        // All of them as a list of `room` grows: doubled they would be half empty, for ever.
        room::make(&mut self.generations, slot + 1);
        room::make(&mut self.positions, slot + 1);
        room::make(&mut self.angles, slot + 1);
        room::make(&mut self.scales, slot + 1);
        room::make(&mut self.leaves, slot + 1);
        room::make(&mut self.moving, slot + 1);
        self.generations.push(0);
        self.positions.push([0.0; 2]);
        self.angles.push(Angle::default());
        self.scales.push(1.0);
        self.leaves.push(Leaf { hot: HotMask::default(), look: NOBODY });
        self.moving.push(Rect::default());
        Ok(slot)
    }

    /// Writes a collider into its slot.
    pub(crate) fn put(
        &mut self,
        slot: usize,
        collider: &Collider,
        look: u32,
        placement: Placement,
    ) {
        self.positions[slot] = collider.position;
        self.angles[slot] = collider.angle;
        self.scales[slot] = collider.scale;
        self.leaves[slot] = Leaf { hot: placement.hot, look };
        self.put_rect(slot, collider.fixed, placement.rect);
    }

    /// Writes a collider's box.
    pub(crate) fn put_rect(&mut self, slot: usize, fixed: bool, rect: Rect) {
        let key = slot as u32;
        // One that moves has nothing to take back.
        if self.moving[slot].is_empty() {
            self.fixed.remove(&key);
        }
        self.moving[slot] = if fixed { Rect::default() } else { rect };
        if fixed && !rect.is_empty() {
            self.fixed.insert(key, rect);
        }
    }

    /// Leaves a slot without a collider, for another.
    pub(crate) fn free(&mut self, slot: usize) {
        self.leaves[slot] = Leaf { hot: HotMask::default(), look: NOBODY };
        self.put_rect(slot, false, Rect::default());
        self.generations[slot] = self.generations[slot].wrapping_add(1);
        self.free.push(slot as u32);
    }

    /// The box of the collider in this slot; empty where it has no pixel.
    pub(crate) fn rect(&self, slot: usize) -> Rect {
        let moving = self.moving[slot];
        if !moving.is_empty() || self.fixed.is_empty() {
            return moving;
        }
        self.fixed.get(&(slot as u32)).copied().unwrap_or(moving)
    }

    /// The collider in this slot, which has one.
    pub(crate) fn collider(&self, looks: &Looks, slot: usize) -> Collider {
        let look = looks.get(self.leaves[slot].look);
        Collider {
            shape: look.shape,
            frame: look.frame,
            plane: look.plane,
            position: self.positions[slot],
            angle: self.angles[slot],
            scale: self.scales[slot],
            flip_x: look.flip_x,
            flip_y: look.flip_y,
            layers: look.layers,
            collides_with: look.collides_with,
            fixed: look.fixed,
            sensor: look.sensor,
            accuracy: look.accuracy,
            min_overlap: look.min_overlap,
        }
    }
}
