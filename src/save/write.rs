//! Serialiser of worlds, in the layout that `snapshot` documents.
//!
//! Called to collect the bytes, and to hash them without storing them.
//!
//! Invariants: the bytes depend on the state alone, never on the calls that led to it.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

use crate::ids::ColliderId;
use crate::mask::Mask;
use crate::narrow::Accuracy;
use crate::pose::{ScalePolicy, Unit};
use crate::raster::Sampling;
use crate::scene::changes::OwnerLists;
use crate::scene::collider::Appearance;
use crate::scene::placed::{NO_COLLIDER, Slots};
use crate::scene::stock::{AtlasList, MaskStore, RasterSource, RuntimeMask};
use crate::scene::{ColliderShape, MinOverlap, Pair, Scene};
use crate::update::PairLists;
use std::collections::HashSet;
use xxhash_rust::xxh3::Xxh3Default;

pub(super) const SNAPSHOT_MAGIC: [u8; 8] = *b"HITWORLD";
/// Format version: written by `write`, and the only one that `read` accepts.
pub(super) const SNAPSHOT_VERSION: u32 = 1;

/// Bytes that are passed on together. Hashed number by number, a state takes 7 times as long.
const BLOCK_BYTES: usize = 4096;

/// How the pixels of run-time masks are written.
#[derive(Clone, Copy)]
pub(super) enum PixelForm {
    Bits,
    /// A digest that is kept beside the pixels: the hash of a state then costs nothing per pixel.
    Digest,
}

/// Collects the bytes in blocks.
struct Out<'o> {
    pixels: PixelForm,
    block: [u8; BLOCK_BYTES],
    len: usize,
    /// Receives each block.
    pass: &'o mut dyn FnMut(&[u8]),
}

impl Out<'_> {
    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        if self.len.saturating_add(bytes.len()) > BLOCK_BYTES {
            return self.next_block(bytes);
        }
        let end = self.len.saturating_add(bytes.len());
        self.block[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    #[cold]
    fn next_block(&mut self, bytes: &[u8]) {
        (self.pass)(&self.block[..self.len]);
        self.len = 0;
        if bytes.len() > BLOCK_BYTES { (self.pass)(bytes) } else { self.bytes(bytes) }
    }

    #[inline(always)]
    fn numbers<const N: usize>(&mut self, numbers: [u32; N]) {
        self.bytes(numbers.map(u32::to_le_bytes).as_flattened());
    }
}

#[inline(always)]
fn put(out: &mut Out<'_>, number: u32) {
    out.numbers([number]);
}

fn list(out: &mut Out<'_>, numbers: &[u32]) {
    put(out, numbers.len() as u32);
    numbers.iter().for_each(|&number| put(out, number));
}

/// Calls `pass` with the bytes of a state, in blocks.
pub(super) fn state(
    (scene, pairs): (&Scene, &PairLists),
    pixels: PixelForm,
    pass: &mut dyn FnMut(&[u8]),
) {
    let mut out = Out { pixels, block: [0; BLOCK_BYTES], len: 0, pass };
    parts(scene, pairs, &mut out);
    (out.pass)(&out.block[..out.len]);
}

fn parts(scene: &Scene, pairs: &PairLists, out: &mut Out<'_>) {
    out.bytes(&SNAPSHOT_MAGIC);
    put(out, SNAPSHOT_VERSION);
    put(out, scene.stock.atlases.first().unlabelled_id().bits());
    settings(scene, pairs.is_updated, out);
    masks(&scene.stock.masks, out);
    slots(scene, out);
    for list in [&pairs.touching, &pairs.began, &pairs.ended] {
        put(out, list.len() as u32);
        list.iter().for_each(|pair| one_pair(pair, out));
    }
    let owners = owner_lists(scene, pairs);
    if owners != OwnerLists::default() {
        past_owners(&owners.last, out);
        past_owners(&owners.before, out);
    }
}

/// Bit 2: the world was never updated. Bit 3: a factor of the scale policy follows, because it is
/// not the default. Bit 4: the atlases follow, because there are several.
fn settings(scene: &Scene, is_updated: bool, out: &mut Out<'_>) {
    let policy = scene.scale_policy;
    let has_policy = policy != ScalePolicy::default();
    let has_several = scene.stock.atlases.all().len() > 1;
    let flags =
        u32::from(!is_updated) << 2 | u32::from(has_policy) << 3 | u32::from(has_several) << 4;
    put(out, accuracy(scene.accuracy) | flags);
    if has_policy {
        put(out, policy.factor().to_bits());
    }
    if has_several {
        put(out, scene.stock.atlases.all().len() as u32);
        scene.stock.atlases.unlabelled_ids().flatten().for_each(|number| put(out, number));
    }
}

fn masks(masks: &MaskStore, out: &mut Out<'_>) {
    put(out, masks.places.len() as u32);
    for (generation, entry) in &masks.places {
        put(out, *generation);
        put(out, u32::from(entry.is_some()));
        let Some(RuntimeMask { mask, pivot, source, .. }) = entry else { continue };
        one_mask((mask, *pivot), || mask.digest(digest_of), out);
        put(out, u32::from(source.is_some()));
        let Some(RasterSource { raster, transform: t, whole }) = source.as_deref() else {
            continue;
        };
        let (source, pivot, sampling) = raster.source();
        one_mask((source, pivot), || raster.digest(digest_of), out);
        put(out, u32::from(sampling == Sampling::Coverage25));
        [t.a, t.b, t.c, t.d, t.tx, t.ty]
            .iter()
            .for_each(|v| out.bytes(&(v + 0.0).to_bits().to_le_bytes()));
        [whole.x, whole.y].iter().for_each(|&v| put(out, v as u32));
    }
    list(out, &masks.free);
}

fn one_mask((mask, pivot): (&Mask, [i32; 2]), digest: impl Fn() -> u64, out: &mut Out<'_>) {
    pivot.iter().for_each(|&p| put(out, p as u32));
    put(out, mask.width());
    put(out, mask.height());
    match out.pixels {
        PixelForm::Bits => out.bytes(&mask.to_bits()),
        PixelForm::Digest => out.bytes(&digest().to_le_bytes()),
    }
}

/// Returns the XXH3 hash of the rows of each strip, as little-endian words.
fn digest_of(mask: &Mask) -> u64 {
    let (mask, mut hash) = (mask.as_ref(), Xxh3Default::new());
    let pass = &mut |part: &[u8]| hash.update(part);
    let mut out = Out { pixels: PixelForm::Bits, block: [0; BLOCK_BYTES], len: 0, pass };
    let words = (0..mask.strips()).flat_map(|strip| mask.rows(strip));
    words.for_each(|word| out.bytes(&word.to_le_bytes()));
    (out.pass)(&out.block[..out.len]);
    hash.digest()
}

fn slots(scene: &Scene, out: &mut Out<'_>) {
    let Slots { generations, positions, angles, scales, appearances, free, .. } =
        &scene.placed.slots;
    // Appearances are numbered by the first slot that shows them, because their internal numbers
    // depend on history.
    let (mut order, mut numbers) = (Vec::new(), Vec::new());
    for &number in appearances.iter().filter(|appearance| **appearance != NO_COLLIDER) {
        let appearance = number as usize;
        if numbers.len() <= appearance {
            numbers.resize(appearance.saturating_add(1), NO_COLLIDER);
        }
        if numbers[appearance] == NO_COLLIDER {
            numbers[appearance] = order.len() as u32;
            order.push(number);
        }
    }
    put(out, order.len() as u32);
    order.iter().for_each(|&appearance| {
        one_appearance(&scene.stock.atlases, scene.placed.appearances.get(appearance), out);
    });
    put(out, appearances.len() as u32);
    for (slot, &appearance) in appearances.iter().enumerate() {
        let Some(&number) = numbers.get(appearance as usize) else {
            out.numbers([generations[slot], NO_COLLIDER]);
            continue;
        };
        // A sum turns -0 into the 0 that it equals.
        let [x, y] = positions[slot].map(|p| (p + 0.0).to_bits());
        // Angles of 0 are equal in both units.
        let (kind, bits) = match angles[slot].unit() {
            Unit::Radians(0.0) => (0, 0),
            Unit::Turn(turn) => (0, u32::from(turn)),
            Unit::Radians(radians) => (1, radians.to_bits()),
        };
        // Bit 1: an owner follows. Bit 2: user data follow.
        let (owner, user_data) =
            (scene.placed.slots.owner(slot), scene.placed.slots.user_data(slot));
        let kind = kind | u32::from(owner != 0) << 1 | u32::from(user_data != 0) << 2;
        out.numbers([generations[slot], number, x, y, kind, bits]);
        if owner != 0 {
            put(out, owner);
        }
        if user_data != 0 {
            out.bytes(&user_data.to_le_bytes());
        }
        put(out, scales[slot].to_bits());
    }
    list(out, free);
}

fn one_appearance(atlases: &AtlasList, appearance: &Appearance, out: &mut Out<'_>) {
    let (kind, index, generation) = match appearance.shape {
        ColliderShape::Sprite(sprite) => (0, sprite.index(), atlases.place_of(sprite)),
        ColliderShape::Mask(mask) => (1, mask.index(), mask.generation()),
    };
    let Appearance { flip, fixed, sensor, enabled, .. } = *appearance;
    let (by_size, least, height) = match appearance.min_overlap {
        MinOverlap::Pixels(pixels) => (false, pixels, None),
        MinOverlap::Size { width, height } => (true, width, Some(height)),
    };
    let flags = [flip.x, flip.y, fixed, sensor, !enabled, by_size];
    let flags = flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u32::from(flag));
    // 0 without an accuracy for moves, so that other appearances have the bytes of earlier versions.
    let move_accuracy =
        appearance.move_accuracy.map_or(0, |level| accuracy(level).saturating_add(1));
    out.numbers([
        kind,
        index,
        generation,
        appearance.frame,
        appearance.plane,
        flags,
        appearance.layers,
        appearance.collides_with,
        accuracy(appearance.accuracy) | move_accuracy << 2,
        least,
    ]);
    height.into_iter().for_each(|height| put(out, height));
}

const fn accuracy(accuracy: Accuracy) -> u32 {
    match accuracy {
        Accuracy::Box => 0,
        Accuracy::Coarse => 1,
        Accuracy::Exact => 2,
    }
}

pub(super) fn owner_lists(scene: &Scene, pairs: &PairLists) -> OwnerLists {
    let OwnerLists { mut last, mut before } = scene.changes.past_owners.lists();
    if last.is_empty() && before.is_empty() {
        return OwnerLists::default();
    }
    let in_pairs = pairs_of(&last, pairs.touching.iter().chain(&pairs.ended));
    last.retain(|&(id, owner)| in_pairs.contains(&id) && owner != scene.placed.owner(id));
    let in_old = pairs_of(&before, pairs.stayed().chain(&pairs.ended));
    before.retain(|&(id, owner)| in_old.contains(&id) && owner != scene.owner_at_last(id));
    OwnerLists { last, before }
}

/// Returns the ids in `pairs` of which `list` has the slot. Only these are hashed, because there are few.
fn pairs_of<'p>(
    list: &[(ColliderId, u32)],
    pairs: impl Iterator<Item = &'p Pair>,
) -> HashSet<ColliderId> {
    let Some((greatest, _)) = list.last() else { return HashSet::new() };
    let mut is_listed = vec![false; greatest.slot().saturating_add(1)];
    list.iter().for_each(|(id, _)| is_listed[id.slot()] = true);
    let is_listed = |id: &ColliderId| is_listed.get(id.slot()).is_some_and(|&is| is);
    pairs.flat_map(|pair| [pair.a, pair.b]).filter(is_listed).collect()
}

fn past_owners(list: &[(ColliderId, u32)], out: &mut Out<'_>) {
    put(out, list.len() as u32);
    for (id, owner) in list {
        out.numbers([id.index(), id.generation(), *owner]);
    }
}

fn one_pair(pair: &Pair, out: &mut Out<'_>) {
    let Pair { a, b } = pair;
    out.numbers([a.index(), a.generation(), b.index(), b.generation()]);
}
