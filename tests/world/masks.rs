//! Runtime masks: shown, edited, removed and refused.

use crate::atlas;
use hitmask::{AlphaRule, CallError, Collider, Flip, Mask, MaskId, Pair, Pivot, Rect, World};
use hitmask_scenes::world_of;

#[test]
fn runtime_masks_collide_and_can_be_edited() {
    let (mut world, dot) = world_of(atlas(), "dot");
    let filled = Mask::from_alpha(100, 50, &[255; 5000], AlphaRule::default()).unwrap();
    let ground = world.masks_mut().insert(filled.clone(), Pivot::HalfTexels(0, 0)).unwrap();
    let here = world.insert(Collider::from_mask(ground).at([10.0, 20.0]).fixed()).unwrap();
    let there = world.insert(Collider::from_mask(ground).at([500.0, 20.0])).unwrap();
    let bullet = world.insert(dot.at([30.0, 40.0])).unwrap();
    assert_eq!(world.rect(here), Some(Rect::new(10, 20, 110, 70)));
    world.update();
    let pair = Pair { a: here, b: bullet };
    assert_eq!(world.touching(), [pair]);
    let hit = world.contact(pair).unwrap();
    assert_eq!(hit.area, world.rect(bullet).unwrap().area());

    // The ground is cleared within the bullet's box.
    let copy = world.clone();
    let rect = world.rect(bullet).unwrap();
    world
        .masks_mut()
        .edit(ground, |mask| {
            for (x, y) in (rect.x0..rect.x1).flat_map(|x| (rect.y0..rect.y1).map(move |y| (x, y))) {
                mask.set(x - 10, y - 20, false);
            }
        })
        .unwrap();
    world.update();
    assert_eq!((world.touching(), world.ended()), (&[][..], &[pair][..]));
    assert_eq!(copy.mask(ground), Some(&filled), "a clone keeps its own mask");
    assert_eq!(copy.contact(pair), Some(hit));

    // The box shrinks with the mask, for all colliders that show it.
    world.masks_mut().edit(ground, |mask| *mask = "....\n..#.\n".parse().unwrap());
    assert_eq!(world.rect(here), Some(Rect::new(12, 21, 13, 22)));
    assert_eq!(world.rect(there), Some(Rect::new(502, 21, 503, 22)));
    world.set(bullet, dot.at([12.0, 21.0])).unwrap();
    world.update();
    assert_eq!(world.touching(), [pair]);
    world.masks_mut().edit(ground, |mask| *mask = Mask::new(3, 3).unwrap());
    assert_eq!(world.rect(here), None);
    world.update();
    assert_eq!(world.touching(), []);
}

#[test]
fn a_runtime_mask_keeps_a_pivot_in_the_middle_of_a_pixel() {
    let mut world = World::new(atlas());
    for pivot in [-3, 0, 1, 4, 7] {
        let mask =
            world.masks_mut().insert("##".parse().unwrap(), Pivot::HalfTexels(pivot, 3)).unwrap();
        let id = world.insert(Collider::from_mask(mask).at([50.0, 60.0])).unwrap();
        assert_eq!(world.posed(id).unwrap().pivot2, [pivot.rem_euclid(2), 1], "{pivot}");
    }
}

#[test]
fn invalid_uses_of_runtime_masks_are_refused_and_stale_ids_stay_stale() {
    let atlas = atlas();
    let mut world = World::new(atlas);
    let dot = || "#".parse::<Mask>().unwrap();
    let far = world.masks_mut().insert(dot(), Pivot::HalfTexels(1 << 20, 0));
    assert!(matches!(
        far,
        Err(CallError::Pivot { .. } | CallError::Transform | CallError::TooLarge { .. })
    ));
    let mask = world.masks_mut().insert(dot(), Pivot::Center).unwrap();
    let good = Collider::from_mask(mask);
    let id = world.insert(good).unwrap();
    for bad in [good.turned(0.1), good.scaled(2.0), good.flipped(Flip::X), good.with_frame(1)] {
        assert_eq!(world.insert(bad), Err(CallError::PosedMask(mask)));
        assert_eq!(world.set(id, bad), Err(CallError::PosedMask(mask)));
    }
    assert_eq!(world.masks_mut().remove(mask), Err(CallError::MaskInUse(mask)));
    world.remove(id);
    assert_eq!(world.masks_mut().remove(mask), Ok(dot()));
    assert_eq!(world.masks_mut().remove(mask), Err(CallError::UnknownMask(mask)));
    let again = world.masks_mut().insert(dot(), Pivot::Center).unwrap();
    assert_eq!((again.index(), again.to_bits() >> 32), (0, 2));
    assert_eq!(world.insert(good), Err(CallError::UnknownMask(mask)));
    assert_eq!(world.masks_mut().edit(mask, |_| ()), None);
    assert_eq!(world.mask(mask), None);
    assert!(world.insert(Collider::from_mask(again)).is_ok());
}

#[test]
fn removing_an_unknown_mask_is_refused() {
    let mut world = World::new(atlas());
    let mask = || "##\n#.\n".parse::<Mask>().unwrap();
    // Bit 31 tells ids of masks from those of colliders.
    let id_of = |index: u32, revision: u32| {
        MaskId::from_bits(u64::from(revision) << 32 | 1 << 31 | u64::from(index)).unwrap()
    };
    let unknown = |id| Err(CallError::UnknownMask(id));
    let none = id_of(0, 1);
    assert_eq!(world.masks_mut().remove(none), unknown(none), "there is no mask");

    let kept = world.masks_mut().insert(mask(), Pivot::Center).unwrap();
    let stale = world.masks_mut().insert(mask(), Pivot::Center).unwrap();
    world.masks_mut().remove(stale).unwrap();
    let again = world.masks_mut().insert(mask(), Pivot::Center).unwrap();
    world.insert(Collider::from_mask(again)).unwrap();

    let before = world.snapshot();
    let unknown_ids = [
        id_of(2, 1),
        id_of(u32::MAX, u32::MAX),
        id_of(kept.index(), 2),
        id_of(again.index(), 3),
        // Its place holds another mask, which is in use and must not affect the answer.
        stale,
    ];
    for id in unknown_ids {
        assert_eq!(world.masks_mut().remove(id), unknown(id), "{id:?}");
        assert_eq!(world.snapshot(), before, "{id:?}");
    }
}
