//! The world against brute force over the per-pixel reference, through random sequences of every
//! operation.

mod accuracy;
mod delta;
mod drawn;
mod explain;
mod large;
mod layers;
mod limits;
mod many;
mod masks;
mod near;
mod on_demand;
mod on_demand_sequences;
mod operations;
mod reload;
mod scales;
mod several_atlases;
mod sprite_ids;
mod updates;
mod zeros;

use hitmask::{
    Accuracy, AlphaRule, Angle, Atlas, AtlasBuilder, Collider, ColliderId, Contact, Flip, Mask,
    MinOverlap, Pair, Point, SpriteId, World, reference,
};
use hitmask_scenes::{Random, all};
use std::collections::BTreeSet;

fn atlas() -> Atlas {
    let bake = all()
        .iter()
        .filter(|p| p.width < 200)
        .fold(AtlasBuilder::new().angles(16), |bake, p| bake.mask(p.name, p.mask()));
    let still = hitmask::Settings { angles: 1, ..Default::default() };
    let frames = ["###\n..#\n", "#..\n#..\n###\n", ""].map(|text| text.parse().unwrap());
    Atlas::from_vec(bake.frames_with("walk", frames, still).to_bytes().unwrap()).unwrap()
}

fn random_collider(random: &mut Random, atlas: &Atlas, side: i32) -> Collider {
    let sprite = SpriteId::of_atlas(atlas.id(), random.below(atlas.sprites().len() as u32));
    let mut coordinate = || random.within(-8 * side, 8 * side) as f32 / 8.0;
    let at = [coordinate(), coordinate()];
    let angle = match random.below(3) {
        0 => Angle::turn(random.bits() as u16),
        _ => Angle::radians(random.within(-900, 900) as f32 / 100.0),
    };
    Collider::new(sprite)
        .at(at)
        .turned(angle)
        .scaled(if random.below(4) == 0 { 0.7 } else { 1.0 })
        .flipped(Flip { x: random.below(3) == 0, y: random.below(3) == 0 })
        .with_frame(random.below(atlas.sprite(sprite).unwrap().frame_count()))
}

/// Changes some of the colliders to other accuracies, layers and required overlaps.
fn with_rules(random: &mut Random, collider: Collider) -> Collider {
    let mut one_in = |n| random.below(n) == 0;
    Collider {
        layers: if one_in(3) { 1 << (u32::from(one_in(2)) + 1) } else { collider.layers },
        collides_with: if one_in(3) { 0b110 } else { u32::MAX },
        fixed: one_in(4),
        sensor: one_in(5),
        enabled: !one_in(6),
        owner: if one_in(3) { 7 } else { 0 },
        accuracy: if one_in(4) { Accuracy::Box } else { Accuracy::Exact },
        min_overlap: match (one_in(4), one_in(4), one_in(2)) {
            (true, true, _) => [9, 6].into(),
            (true, ..) => 40.into(),
            (.., one) => u32::from(one).into(),
        },
        ..collider
    }
}

/// Returns the pose and the top-left pixel of a collider, computed from the atlas without the
/// world.
fn placed<'a>(atlas: &'a Atlas, collider: &Collider) -> (hitmask::PosedRef<'a>, Point) {
    let sprite = atlas.sprite(collider.shape.sprite().unwrap()).unwrap();
    let pose = sprite.nearest(collider.angle, collider.scale).unwrap();
    let posed = sprite.posed(collider.frame, pose, collider.flip).unwrap();
    let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
    (posed, Point::new(x + posed.origin.x, y + posed.origin.y))
}

/// Returns a collider's mask at its accuracy: its pixels, or its tight box, filled.
fn seen(atlas: &Atlas, collider: &Collider) -> (Mask, Point) {
    let (posed, at) = placed(atlas, collider);
    let (w, h) = (posed.mask.width(), posed.mask.height());
    let alpha = vec![255; (w * h) as usize];
    match collider.accuracy {
        Accuracy::Box => (Mask::from_alpha(w, h, &alpha, AlphaRule::default()).unwrap(), at),
        _ => (posed.mask.to_mask(), at),
    }
}

fn naive_contact(atlas: &Atlas, a: &Collider, b: &Collider) -> Option<Contact> {
    if !(a.enabled && b.enabled) {
        return None;
    }
    let ((a, at_a), (b, at_b)) = (seen(atlas, a), seen(atlas, b));
    let found = reference::contact(a.as_ref(), b.as_ref(), [at_b.x - at_a.x, at_b.y - at_a.y])?;
    Some(found.translated(at_a))
}

/// Tests whether two colliders with this contact count as touching.
fn counts(contact: Option<Contact>, a: &Collider, b: &Collider) -> bool {
    let agree = a.layers & b.collides_with != 0 && b.layers & a.collides_with != 0;
    let suffices = |contact: Contact| {
        [a, b].iter().all(|side| match side.min_overlap {
            MinOverlap::Pixels(pixels) => contact.area >= pixels.into(),
            MinOverlap::Size { width, height } => {
                contact.rect.width() >= width && contact.rect.height() >= height
            }
        })
    };
    let apart = a.owner == 0 || a.owner != b.owner;
    agree && apart && !(a.fixed && b.fixed) && contact.is_some_and(suffices)
}

/// Updates the world, then compares every pair with the reference and every event with the pairs
/// before.
fn assert_matches_brute_force(world: &mut World, atlas: &Atlas) -> usize {
    // Unlike `touching`, these may be asked before the first update.
    let before: BTreeSet<Pair> = world.began().iter().chain(world.stayed()).copied().collect();
    world.update();
    assert_eq!(world.validate(), Ok(()));
    let all: Vec<(ColliderId, Collider)> = world.iter().collect();
    assert_eq!(all.len(), world.len());
    let mut truth = Vec::new();
    for (i, &(a, first)) in all.iter().enumerate() {
        for &(b, second) in &all[i + 1..] {
            let contact = naive_contact(atlas, &first, &second);
            assert_eq!(world.contact(Pair { a, b }), contact, "{first:?}\n{second:?}");
            truth.extend(counts(contact, &first, &second).then_some(Pair { a, b }));
        }
    }
    assert_eq!(world.touching(), truth);
    let in_order = |pairs: Vec<Pair>| {
        let mut pairs = pairs;
        pairs.sort_by_key(|pair| [pair.a.index(), pair.b.index()]);
        pairs
    };
    let now: BTreeSet<Pair> = truth.iter().copied().collect();
    assert_eq!(world.began(), in_order((&now - &before).into_iter().collect()));
    assert_eq!(world.ended(), in_order((&before - &now).into_iter().collect()));
    let stayed: Vec<Pair> = world.stayed().copied().collect();
    assert_eq!(stayed, in_order((&now & &before).into_iter().collect()));
    truth.len()
}

/// Fails a run with a set that is unknown, or that this machine lacks.
#[test]
fn the_environment_names_an_available_instruction_set() {
    let error = |error: hitmask::SimdError| panic!("{error}; {}", error.help());
    assert_eq!(hitmask::Simd::from_env().unwrap_or_else(error), hitmask::Simd::preferred());
}
