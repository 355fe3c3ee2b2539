//! The first difference of two states, for games that play the same on several machines.
//!
//! Invariant: two states differ exactly if their snapshots do.

use crate::ids::ColliderId;
use crate::mask::Mask;
use crate::save::write::owner_lists;
use crate::scene::placed::NO_COLLIDER;
use crate::scene::stock::{RasterSource, RuntimeMask};
use crate::scene::{Collider, ColliderShape, Pair, Scene};
use crate::update::PairLists;
use std::fmt::{Arguments, Debug};

/// What differs, as an error.
type Found = Result<(), String>;

/// Compares all that a snapshot holds, in its order. The first number of each text is that of `one`.
pub(crate) fn first_difference(
    [one, other]: [&Scene; 2],
    [pairs, other_pairs]: [&PairLists; 2],
) -> Option<String> {
    let compare = || -> Found {
        settings([one, other])?;
        differ(format_args!("updated"), pairs.is_updated, other_pairs.is_updated)?;
        masks([one, other])?;
        slots([one, other])?;
        for (name, one, other) in [
            ("touching", &pairs.touching, &other_pairs.touching),
            ("began", &pairs.began, &other_pairs.began),
            ("ended", &pairs.ended, &other_pairs.ended),
        ] {
            let slots = |pair: &Pair| (pair.a.index(), pair.b.index());
            let print = |pair: &Pair| format!("{name}: pair {:?}", slots(pair));
            sorted([one, other], |pair| (slots(pair), pair.a, pair.b), print)?;
        }
        let owners = [owner_lists(one, pairs), owner_lists(other, other_pairs)];
        for (time, lists) in [
            ("the last update", owners.each_ref().map(|owners| &owners.last)),
            ("the update before the last", owners.each_ref().map(|owners| &owners.before)),
        ] {
            let print = |(id, owner): &(ColliderId, u32)| {
                format!("collider {}: owner {owner} at {time}", id.index())
            };
            sorted(lists.map(Vec::as_slice), |entry| *entry, print)?;
        }
        Ok(())
    };
    compare().err()
}

fn differ<T: PartialEq + Debug>(what: Arguments<'_>, one: T, other: T) -> Found {
    if one == other { Ok(()) } else { Err(format!("{what} {one:?} / {other:?}")) }
}

fn only(what: Arguments<'_>, is_here: bool) -> Found {
    Err(format!("{what} only {}", if is_here { "here" } else { "there" }))
}

/// Compares two lists in ascending order of `key`.
fn sorted<T, K: Ord>(
    [one, other]: [&[T]; 2],
    key: impl Fn(&T) -> K,
    print: impl Fn(&T) -> String,
) -> Found {
    let at = one.iter().zip(other).take_while(|(one, other)| key(one) == key(other)).count();
    let (here, there) = (one.get(at), other.get(at));
    let is_here = match (here, there) {
        (Some(here), Some(there)) => key(here) < key(there),
        (here, _) => here.is_some(),
    };
    let entry = if is_here { here } else { there };
    entry.map_or(Ok(()), |entry| only(format_args!("{}", print(entry)), is_here))
}

fn settings(scenes: [&Scene; 2]) -> Found {
    let [one, other] = scenes.map(|scene| {
        let ids: Vec<[u32; 2]> = scene.stock.atlases.unlabelled_ids().collect();
        (ids, scene.accuracy, scene.scale_policy.factor())
    });
    differ(format_args!("atlases"), one.0, other.0)?;
    differ(format_args!("accuracy"), one.1, other.1)?;
    differ(format_args!("scale policy"), one.2, other.2)
}

fn masks(scenes: [&Scene; 2]) -> Found {
    let [one, other] = scenes.map(|scene| &scene.stock.masks);
    for (index, (here, there)) in one.places.iter().zip(&other.places).enumerate() {
        if here.1.is_some() != there.1.is_some() {
            return only(format_args!("mask {index}"), here.1.is_some());
        }
        differ(format_args!("mask {index}: generation"), here.0, there.0)?;
        if let (Some(here), Some(there)) = (&here.1, &there.1) {
            mask(index, here, there)?;
        }
    }
    differ(format_args!("places of masks"), one.places.len(), other.places.len())?;
    differ(format_args!("free places of masks"), &one.free, &other.free)
}

fn mask(index: usize, here: &RuntimeMask, there: &RuntimeMask) -> Found {
    differ(format_args!("mask {index}: pivot"), here.pivot, there.pivot)?;
    rows(format_args!("mask {index}"), [&here.mask, &there.mask])?;
    let sources = [&here.source, &there.source].map(Option::as_deref);
    differ(format_args!("mask {index}: drawn"), sources[0].is_some(), sources[1].is_some())?;
    let [Some(here), Some(there)] = sources else { return Ok(()) };
    let [(here_mask, pivot, sampling), (there_mask, ..)] =
        [here, there].map(|at| at.raster.source());
    rows(format_args!("source of mask {index}"), [here_mask, there_mask])?;
    let (_, there_pivot, there_sampling) = there.raster.source();
    differ(format_args!("source of mask {index}: pivot"), pivot, there_pivot)?;
    differ(format_args!("source of mask {index}: sampling"), sampling, there_sampling)?;
    let transform = |source: &RasterSource| (source.transform, source.whole);
    differ(format_args!("mask {index}: transform"), transform(here), transform(there))
}

fn rows(what: Arguments<'_>, [one, other]: [&Mask; 2]) -> Found {
    let sizes = [one, other].map(|mask| [mask.width(), mask.height()]);
    differ(format_args!("{what}: size"), sizes[0], sizes[1])?;
    let [one, other] = [one, other].map(Mask::as_ref);
    let is_other = |&y: &u32| (0..one.strips()).any(|s| one.word(s, y) != other.word(s, y));
    match (0..one.height()).find(is_other) {
        Some(row) => Err(format!("{what}, row {row}")),
        None => Ok(()),
    }
}

fn slots(scenes: [&Scene; 2]) -> Found {
    let [one, other] = scenes.map(|scene| &scene.placed.slots);
    for slot in 0..one.len().max(other.len()) {
        let is_taken = [one, other]
            .map(|slots| slots.appearances.get(slot).is_some_and(|&number| number != NO_COLLIDER));
        if is_taken[0] != is_taken[1] {
            return only(format_args!("collider {slot}"), is_taken[0]);
        }
        let generations = [one, other].map(|slots| slots.generations.get(slot));
        differ(format_args!("collider {slot}: generation"), generations[0], generations[1])?;
        if is_taken[0] {
            collider(slot, scenes)?;
        }
    }
    differ(format_args!("free slots"), &one.free, &other.free)
}

fn collider(slot: usize, scenes: [&Scene; 2]) -> Found {
    let [one, other] = scenes.map(|scene| scene.placed.collider(slot));
    let shape = |scene: &Scene, collider: &Collider| match collider.shape {
        ColliderShape::Sprite(id) => ("sprite", id.index(), scene.stock.atlases.place_of(id)),
        ColliderShape::Mask(id) => ("mask", id.index(), id.generation()),
    };
    let shapes = (shape(scenes[0], &one), shape(scenes[1], &other));
    differ(format_args!("collider {slot}: shape"), shapes.0, shapes.1)?;
    for (axis, name) in ["x", "y"].into_iter().enumerate() {
        let positions = [one, other].map(|collider| collider.position[axis]);
        differ(format_args!("collider {slot}: position.{name}"), positions[0], positions[1])?;
    }
    macro_rules! fields {
        ($($field:ident)+) => {
            $(differ(format_args!("collider {slot}: {}", stringify!($field)), one.$field, other.$field)?;)+
        };
    }
    fields!(angle scale frame plane flip layers collides_with fixed sensor owner enabled accuracy);
    fields!(move_accuracy min_overlap user_data);
    Ok(())
}
