//! Capabilities of classic systems: colliders that are switched off, and owners.

use crate::{solid, world};
use hitmask::{Collider, Filter, Pair, Rect, Zone};
use hitmask_scenes::{explain, rebuilt};

#[test]
fn a_disabled_collider_keeps_its_id_and_takes_no_part() {
    let block = solid(8, 8);
    for fixed in [false, true] {
        let (mut world, ids) = world(&[("a", &block, [0.0, 0.0]), ("b", &block, [4.0, 0.0])]);
        let [a, b] = [ids[0], ids[1]];
        let off = Collider { fixed, ..world.get(b).unwrap() }.disabled();
        world.set(b, off).unwrap();
        // Random plays ask all questions about disabled colliders, but for their planes.
        let pair = Pair { a, b };
        assert!(world.pair(pair).is_none_or(|pair| pair.planes().is_empty()));
        world.update();
        assert_eq!((world.touching(), world.ended()), (&[][..], &[pair][..]));
        // The collider keeps its id, its slot and its place.
        assert_eq!((world.get(b), world.len()), (Some(off), 2));
        assert_eq!(world.rect(b), Some(Rect::new(0, -4, 8, 4)));
        let why = explain(&world, pair).unwrap();
        assert_eq!(why.decision, hitmask::DecidedBy::Disabled);
        assert!(why.to_string().contains("because one is disabled"), "{why}");
        // A snapshot holds the flag, and the hash depends on it.
        let copy = rebuilt(&world);
        assert_eq!((copy.get(b), copy.state_hash()), (Some(off), world.state_hash()));
        world.set(b, Collider { enabled: true, ..off }).unwrap();
        assert_ne!(copy.state_hash(), world.state_hash());
        world.update();
        assert_eq!(world.began(), [pair]);
    }
}

#[test]
fn colliders_of_one_owner_never_meet() {
    let block = solid(8, 8);
    let (mut world, ids) = world(&[("a", &block, [0.0, 0.0]), ("b", &block, [3.0, 0.0])]);
    for &id in &ids {
        world.set(id, world.get(id).unwrap().owned_by(1)).unwrap();
    }
    // Random plays give owners to all kinds of colliders, and ask all questions about them.
    world.update();
    assert_eq!(world.touching(), []);
    let pair = Pair { a: ids[0], b: ids[1] };
    let why = explain(&world, pair).unwrap();
    assert_eq!((why.touches, why.decision), (false, hitmask::DecidedBy::Owner));
    assert!(why.to_string().contains("because they have one owner"), "{why}");
    // Queries and the pixels of a pair ignore the owner.
    assert!(world.contact(pair).is_some());
    assert_eq!(world.query(&Zone::point([3.0, 0.0]).unwrap(), Filter::ALL).unwrap(), ids);
    let before = world.state_hash();
    world.set(ids[1], world.get(ids[1]).unwrap().owned_by(2)).unwrap();
    assert_ne!(before, world.state_hash());
    world.update();
    assert_eq!(world.touching(), [pair]);
}
