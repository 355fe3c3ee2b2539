//! Places very many colliders that only moved and turned.
//!
//! ```text
//! tables of the ECS -> chunks, one task each
//! chunk             -> skip it if nothing in it changed
//!                   -> position and direction of what changed
//!                   -> angles of 32 directions at a time
//!                   -> ids and placements, in the order of the tables
//! ```
//!
//! Called by `sync`. Invariants: the placements are those of [`FastPlacement::placement`], to the last bit. Their order
//! does not depend on threads.

use crate::fit::{self, angle_of};
use crate::state::ColliderState;
use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use bevy_transform::components::GlobalTransform;
use hitmask::{Angle, ColliderId, Placement};
use rayon::prelude::*;

/// Colliders per task. Fewer would take less time than waking a thread.
const CHUNK: usize = 8_192;
/// An id to fill new memory with.
const ANY_ID: ColliderId = ColliderId::from_bits(1 << 32).unwrap();
/// Directions whose angles are computed together, in vector registers.
const BLOCK: usize = 32;

/// A part of a table.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) entities: &'a [Entity],
    pub(crate) transforms: &'a [GlobalTransform],
    pub(crate) changed: &'a [Tick],
    pub(crate) states: &'a [ColliderState],
}

/// A chunk of a table, and where its results go. There is room for all rows.
struct Chunk<'a> {
    rows: Rows<'a>,
    ids: &'a mut [ColliderId],
    placements: &'a mut [Placement],
    others: &'a mut Vec<Entity>,
    placed: usize,
}

/// The lists of a bulk placement. Kept from tick to tick for their memory.
#[derive(Debug, Default)]
pub(crate) struct BulkPlacement {
    ids: Vec<ColliderId>,
    placements: Vec<Placement>,
    /// Of each chunk.
    others: Vec<Vec<Entity>>,
    len: usize,
}

impl BulkPlacement {
    /// Lists the colliders whose transform changed between two runs of a system. Those that need more than a new
    /// position and angle go into `others`.
    pub(crate) fn collect<'a>(
        &mut self,
        tables: impl Iterator<Item = Rows<'a>>,
        ticks: [Tick; 2],
        others: &mut Vec<Entity>,
    ) {
        // Found on this thread, so that no other one is woken for a still scene.
        let parts: Vec<Rows<'_>> = tables
            .flat_map(|table| table.chunks())
            .filter(|rows| rows.changed.iter().any(|changed| is_newer(*changed, ticks)))
            .collect();
        let count = parts.iter().map(|rows| rows.entities.len()).sum();
        if self.ids.len() < count {
            self.ids.resize(count, ANY_ID);
            self.placements.resize(count, Placement::default());
        }
        if self.others.len() < parts.len() {
            self.others.resize_with(parts.len(), Vec::new);
        }
        let (mut ids, mut placements) = (&mut self.ids[..], &mut self.placements[..]);
        let mut chunks = Vec::with_capacity(parts.len());
        for (rows, others) in parts.into_iter().zip(&mut self.others) {
            let (ids, placements) = (
                ids.split_off_mut(..rows.entities.len()).unwrap_or_default(),
                placements.split_off_mut(..rows.entities.len()).unwrap_or_default(),
            );
            chunks.push(Chunk { rows, ids, placements, others, placed: 0 });
        }
        // The threads of hitmask, which the update uses too. Those of Bevy are half as many or fewer.
        match &mut chunks[..] {
            [one] => one.fill(ticks),
            all => all.par_iter_mut().for_each(|chunk| chunk.fill(ticks)),
        }
        let placed: Vec<[usize; 2]> =
            chunks.iter().map(|chunk| [chunk.rows.entities.len(), chunk.placed]).collect();
        let mut from = 0;
        self.len = 0;
        for [rows, placed] in placed {
            // Closes the gap that rows without a placement left.
            if self.len < from {
                self.ids.copy_within(from..from + placed, self.len);
                self.placements.copy_within(from..from + placed, self.len);
            }
            self.len += placed;
            from += rows;
        }
        self.others.iter_mut().for_each(|more| others.append(more));
    }

    /// Returns the colliders to place, and where.
    pub(crate) fn items(&self) -> (&[ColliderId], &[Placement]) {
        (&self.ids[..self.len], &self.placements[..self.len])
    }
}

/// Returns true if a change came after the last run of a system.
#[inline(always)]
fn is_newer(changed: Tick, [last_run, this_run]: [Tick; 2]) -> bool {
    changed.is_newer_than(last_run, this_run)
}

impl<'a> Rows<'a> {
    fn chunks(self) -> impl Iterator<Item = Self> {
        (0..self.entities.len()).step_by(CHUNK).map(move |from| {
            let to = (from + CHUNK).min(self.entities.len());
            Self {
                entities: &self.entities[from..to],
                transforms: &self.transforms[from..to],
                changed: &self.changed[from..to],
                states: &self.states[from..to],
            }
        })
    }
}

impl Chunk<'_> {
    fn fill(&mut self, ticks: [Tick; 2]) {
        let Self { rows, ids, placements, others, placed } = self;
        let rows = rows.entities.iter().zip(rows.transforms).zip(rows.changed).zip(rows.states);
        let mut directions = Directions::default();
        for (((entity, transform), changed), state) in rows {
            if !is_newer(*changed, ticks) {
                continue;
            }
            let place = state.fast.position_and_direction(&fit::flat(transform));
            let (Some(id), Some((position, direction))) = (state.id(), place) else {
                others.push(*entity);
                continue;
            };
            ids[*placed] = id;
            placements[*placed].position = position;
            *placed += 1;
            directions.push(direction);
            if directions.len == BLOCK {
                directions.write(&mut placements[..*placed]);
            }
        }
        directions.write(&mut placements[..*placed]);
    }
}

/// The directions of the last placements.
struct Directions {
    x: [f32; BLOCK],
    y: [f32; BLOCK],
    len: usize,
}

impl Default for Directions {
    fn default() -> Self {
        Self { x: [1.0; BLOCK], y: [0.0; BLOCK], len: 0 }
    }
}

impl Directions {
    #[inline(always)]
    fn push(&mut self, direction: Vec2) {
        (self.x[self.len], self.y[self.len]) = direction.into();
        self.len += 1;
    }

    /// Writes the angles into the last placements.
    fn write(&mut self, placements: &mut [Placement]) {
        let mut angles = [0.0; BLOCK];
        for ((angle, &y), &x) in angles.iter_mut().zip(&self.y).zip(&self.x) {
            *angle = angle_of(y, x);
        }
        let first = placements.len() - self.len;
        for (placement, angle) in placements[first..].iter_mut().zip(angles) {
            placement.angle = Angle::radians(angle);
        }
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::FastPlacement;
    use bevy_math::{Quat, Vec3};
    use bevy_transform::components::Transform;

    #[test]
    fn bulk_placements_are_those_of_single_ones_in_the_order_of_the_tables() {
        let mut random = 3_u64;
        let mut next = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 40) as f32 / (1 << 24) as f32
        };
        let count = CHUNK * 2 + 77;
        let mut expected = Vec::new();
        let (mut entities, mut transforms, mut changed, mut states) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for i in 0..count {
            let entity = Entity::from_raw_u32(i as u32).unwrap();
            let scale = if i % 5 == 0 { Vec3::new(-2.0, 2.0, 1.0) } else { Vec3::ONE };
            let start = GlobalTransform::from(Transform::from_scale(scale));
            let fit = fit::ImageFit { scale: Vec2::new(1.0, -1.0), pivot: Vec2::new(3.0, 1.0) };
            let fast = FastPlacement::new(&fit::flat(&start), &fit, Vec2::new(0.5, 0.0));
            let id = ColliderId::from_bits(1 << 32 | i as u64);
            let id = id.filter(|_| i % 11 != 0);
            let mut state = ColliderState::default();
            state.set(id, fast);
            let moved = Transform::from_xyz(next() * 900.0, next() * 900.0, next())
                .with_rotation(Quat::from_rotation_z(next() * 9.0))
                // A few are stretched.
                .with_scale(if i % 13 == 0 { scale * Vec3::new(1.1, 1.0, 1.0) } else { scale });
            let moved = GlobalTransform::from(moved);
            let is_changed = i % 7 != 0;
            if is_changed {
                let placement = state.fast.placement(&fit::flat(&moved));
                expected.push((entity, id.zip(placement)));
            }
            entities.push(entity);
            transforms.push(moved);
            changed.push(Tick::new(if is_changed { 20 } else { 5 }));
            states.push(state);
        }
        let (entities, transforms) = (&entities[..], &transforms[..]);
        let rows = Rows { entities, transforms, changed: &changed, states: &states };
        let (mut bulk, mut others) = (BulkPlacement::default(), Vec::new());
        for _ in 0..2 {
            others.clear();
            bulk.collect([rows].into_iter(), [Tick::new(10), Tick::new(30)], &mut others);
            let placed: Vec<(ColliderId, Placement)> =
                expected.iter().filter_map(|(_, at)| *at).collect();
            let left: Vec<Entity> =
                expected.iter().filter(|(_, at)| at.is_none()).map(|(entity, _)| *entity).collect();
            let (ids, placements) = bulk.items();
            let placements = placements.iter().copied();
            let got: Vec<(ColliderId, Placement)> = ids.iter().copied().zip(placements).collect();
            assert_eq!((&got, &others), (&placed, &left));
            assert!(placed.len() > count / 2 && left.len() > count / 20);
        }
    }
}
