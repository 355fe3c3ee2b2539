//! Inserts the colliders of a map, and brings them up to date with another version of it.
//!
//! ```text
//! placed before    placed by the game since    the new map
//! an item          as it was placed            takes each field of the new item
//!                  a field is another one      keeps that field; the report says so
//!                  was removed                 stays removed; the report says so
//! an item          any                         has no such item: the collider is removed
//! no such item                                 an item: a collider is inserted
//! ```
//!
//! Invariant: a failed call leaves the scene and the placed map unchanged.

use crate::atlas::{Map, MapItem, MapShape};
use crate::error::CallError;
use crate::ids::{ColliderId, SpriteId};
use crate::scene::{Collider, Scene};
use std::collections::HashMap;

/// The colliders of a [`Map`] in a world: [`World::insert_map`](crate::World::insert_map) makes it, and
/// [`World::update_map`](crate::World::update_map) brings it up to date after the level was edited.
///
/// It has the ids of the colliders, and what each was when it was placed: about 200 bytes an item.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacedMap {
    /// The collider of each item of the map, in their order. `None` for a point, and for an item whose
    /// collider the game removed before the last update of the map.
    pub ids: Vec<Option<ColliderId>>,
    at: [f32; 2],
    items: Vec<PlacedItem>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct PlacedItem {
    id: String,
    /// Number of earlier items with this id, such as the empty one.
    number: usize,
    /// The collider by the map, whatever the game has made of it. `None` for a point.
    collider: Option<Collider>,
}

/// What [`World::update_map`](crate::World::update_map) has done. The numbers are indices of the items of the
/// new map, ascending.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapReport {
    /// Items whose colliders were inserted.
    pub inserted: Vec<usize>,
    /// The [ids](MapItem::id) of the items that are gone, each with its collider, which was removed.
    pub removed: Vec<(String, ColliderId)>,
    /// Items whose colliders were moved, or changed in another field. Other pixels alone do not count:
    /// [`AtlasesMut::replace`](crate::AtlasesMut::replace) shows them.
    pub changed: Vec<usize>,
    /// Items that the game has changed or removed itself. They keep what it changed.
    pub kept: Vec<usize>,
}

impl Scene {
    pub(crate) fn insert_map(&mut self, map: &Map, at: [f32; 2]) -> Result<PlacedMap, CallError> {
        let items = self.placed_items(map, at)?;
        let ids = self.insert_items(&items, |_| true)?;
        Ok(PlacedMap { ids, at, items })
    }

    pub(crate) fn update_map(
        &mut self,
        placed: &mut PlacedMap,
        map: &Map,
    ) -> Result<MapReport, CallError> {
        let items = self.placed_items(map, placed.at)?;
        let mut report = MapReport::default();
        let with_collider = |(at, item): (usize, &PlacedItem)| Some((at, item.collider?));
        let mut before: HashMap<(String, usize), (usize, Collider)> = HashMap::new();
        for (at, item) in placed.items.iter().enumerate() {
            before
                .extend(with_collider((at, item)).map(|old| ((item.id.clone(), item.number), old)));
        }
        let (mut ids, mut changes) = (vec![None; items.len()], Vec::new());
        for (index, item) in items.iter().enumerate() {
            let Some(new) = item.collider else { continue };
            let Some((at, old)) = before.remove(&(item.id.clone(), item.number)) else {
                report.inserted.push(index);
                continue;
            };
            let there = placed.ids.get(at).copied().flatten();
            let Some((id, now)) = there.and_then(|id| Some((id, self.placed.get(id)?))) else {
                report.kept.push(index);
                continue;
            };
            ids[index] = Some(id);
            let (next, is_kept) = merged(self.as_now(old, now), now, new);
            if is_kept {
                report.kept.push(index);
            }
            if next != now {
                report.changed.push(index);
                changes.push((index, id, next));
            }
        }
        for (at, _) in before.into_values() {
            let there = placed.ids.get(at).copied().flatten();
            let there = there.filter(|&id| self.placed.get(id).is_some());
            report.removed.extend(there.map(|id| (placed.items[at].id.clone(), id)));
        }
        report.removed.sort_by_key(|&(_, id)| id);
        // All that can fail comes first. Poses that are drawn now are not dropped by what follows.
        let shown: Vec<Collider> = changes.iter().map(|&(.., next)| next).collect();
        let of_item = |cause: CallError| cause.in_items(|at| changes[at].0);
        self.draw_ahead(&shown, &mut |_| true).map_err(of_item)?;
        let inserted = &report.inserted;
        let is_new = |index: usize| inserted.binary_search(&index).is_ok();
        let new_ids = self.insert_items(&items, is_new)?;
        ids.iter_mut().zip(new_ids).for_each(|(id, new)| *id = id.or(new));
        for (index, id, next) in changes {
            self.set(id, next).map_err(|cause| cause.of_item(index))?;
        }
        for &(_, id) in &report.removed {
            self.remove(id);
        }
        (placed.ids, placed.items) = (ids, items);
        Ok(report)
    }

    /// Returns what was placed with the ids of the atlas that `now` shows, unless the game has changed it to
    /// another sprite.
    fn as_now(&self, placed: Collider, now: Collider) -> Collider {
        let atlases = &self.stock.atlases;
        if let Ok(placed) = atlases.own(placed) {
            return placed;
        }
        // The newest version has no such sprite or picture, so `now` is of an earlier one.
        let name = |collider: Collider| atlases.name(collider.shape.sprite()?);
        let Collider { shape, frame, plane, .. } = now;
        match name(placed) == name(now) {
            true => Collider { shape, frame, plane, ..placed },
            false => placed,
        }
    }

    /// Inserts the colliders of the items that `is_wanted`, or none. Returns an id for each item.
    fn insert_items(
        &mut self,
        items: &[PlacedItem],
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Option<ColliderId>>, CallError> {
        let wanted = items.iter().enumerate().filter(|(index, _)| is_wanted(*index));
        let (indices, colliders): (Vec<usize>, Vec<Collider>) =
            wanted.filter_map(|(index, item)| Some((index, item.collider?))).unzip();
        let inserted = self.insert_all(&colliders);
        let inserted = inserted.map_err(|cause| cause.in_items(|at| indices[at]))?;
        let mut ids = vec![None; items.len()];
        indices.into_iter().zip(inserted).for_each(|(item, id)| ids[item] = Some(id));
        Ok(ids)
    }

    /// Returns the items of a map at a place.
    fn placed_items(&self, map: &Map, at: [f32; 2]) -> Result<Vec<PlacedItem>, CallError> {
        if at.iter().any(|v| !v.is_finite()) {
            return Err(CallError::Position(at));
        }
        let is_of_map = |id| map.atlas.is_none_or(|atlas| atlas == id);
        if let Some(atlas) = map.atlas
            && !self.stock.atlases.all().any(|known| known.id() == atlas)
        {
            return Err(CallError::UnknownAtlas(atlas));
        }
        let mut sprites: HashMap<&str, SpriteId> = HashMap::new();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut items = Vec::with_capacity(map.items.len());
        for (index, item) in map.items.iter().enumerate() {
            // Items of one id go by their order.
            let number = *seen.entry(&item.id).and_modify(|count| *count += 1).or_insert(0);
            let id = item.id.clone();
            let Some(shape) = &item.shape else {
                items.push(PlacedItem { id, number, collider: None });
                continue;
            };
            let mut atlases = self.stock.atlases.all().filter(|atlas| is_of_map(atlas.id()));
            let sprite = sprites.get(&*shape.sprite).copied();
            let sprite =
                sprite.or_else(|| atlases.find_map(|atlas| atlas.sprite_id(&shape.sprite)));
            let Some(sprite) = sprite else {
                return Err(CallError::NoSprite(shape.sprite.clone()).of_item(index));
            };
            sprites.insert(&shape.sprite, sprite);
            let collider = Some(collider(item, shape, sprite, at));
            items.push(PlacedItem { id, number, collider });
        }
        Ok(items)
    }
}

fn collider(item: &MapItem, shape: &MapShape, sprite: SpriteId, [x, y]: [f32; 2]) -> Collider {
    Collider {
        frame: shape.frame,
        plane: shape.plane,
        position: [item.position[0] + x, item.position[1] + y],
        angle: shape.angle,
        scale: shape.scale,
        flip: shape.flip,
        sensor: shape.sensor,
        layers: shape.layers,
        collides_with: shape.collides_with,
        fixed: true,
        ..Collider::new(sprite)
    }
}

/// Returns a collider with the fields of a new map, and whether the game has changed one of these since it
/// was placed. Those are kept.
fn merged(placed: Collider, now: Collider, new: Collider) -> (Collider, bool) {
    let (mut next, mut is_kept) = (now, false);
    macro_rules! take {
        ($($field:ident),+) => {
            if ($(placed.$field,)+) == ($(now.$field,)+) {
                $(next.$field = new.$field;)+
            } else {
                is_kept = true;
            }
        };
    }
    take!(shape, frame, plane);
    take!(position);
    take!(angle);
    take!(scale);
    take!(flip);
    take!(sensor);
    take!(layers);
    take!(collides_with);
    (next, is_kept)
}
