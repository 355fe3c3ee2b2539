//! Tests of runtime masks.

use crate::{
    Affine, Atlas, AtlasBuilder, Collider, Mask, MaskId, Pivot, PlaceError, Raster, Sampling, World,
};
use std::sync::Arc;

fn mask() -> Mask {
    "##\n#.\n".parse().unwrap()
}

#[test]
fn removing_an_unknown_mask_is_refused() {
    let bake = AtlasBuilder::new().mask("dot", "#".parse().unwrap());
    let mut world = World::new(Atlas::from_vec(bake.to_bytes().unwrap()).unwrap());
    let unknown = |id| Err(PlaceError::UnknownMask(id));
    let none = MaskId::new(0, 0);
    assert_eq!(world.remove_mask(none), unknown(none), "there is no mask");

    let kept = world.insert_mask(mask(), Pivot::Center).unwrap();
    let stale = world.insert_mask(mask(), Pivot::Center).unwrap();
    assert_eq!(world.remove_mask(stale), Ok(mask()));
    assert_eq!(world.remove_mask(stale), unknown(stale), "its place is free");
    let again = world.insert_mask(mask(), Pivot::Center).unwrap();
    assert_eq!((again.index(), again.generation()), (stale.index(), 1));
    let here = world.insert(Collider::from_mask(again)).unwrap();
    world.update();

    let before = world.snapshot();
    let unknown_ids = [
        MaskId::new(2, 0),
        MaskId::new(u32::MAX, u32::MAX),
        MaskId::new(kept.index(), 1),
        MaskId::new(again.index(), 2),
        // Its place holds another mask, which is in use and must not affect the answer.
        stale,
    ];
    for id in unknown_ids {
        assert_eq!(world.remove_mask(id), unknown(id), "{id:?}");
        assert_eq!(world.snapshot(), before, "{id:?}");
    }
    assert_eq!(world.remove_mask(again), Err(PlaceError::MaskInUse(again)));
    assert_eq!(world.snapshot(), before);
    world.remove(here).unwrap();
    assert_eq!((world.remove_mask(again), world.remove_mask(kept)), (Ok(mask()), Ok(mask())));
    // Places are reused, the last freed first.
    let next = world.insert_mask(mask(), Pivot::Center).unwrap();
    assert_eq!((next.index(), next.generation()), (kept.index(), 1));
}

#[test]
fn tiny_negative_translations_snapshot_as_whole_pixels() {
    let card: Mask = "###\n#..\n".parse().unwrap();
    let atlas = Atlas::from_vec(AtlasBuilder::new().mask("card", card.clone()).to_bytes().unwrap());
    let atlas = atlas.unwrap();
    let raster = Arc::new(Raster::new(&card, Pivot::Center, Sampling::Nearest).unwrap());
    let shown = |tx, ty| {
        let mut world = World::new(atlas.clone());
        let transform = Affine { tx, ty, ..Affine::rotation(0.4) };
        let mask = world.insert_transformed(Arc::clone(&raster), transform).unwrap();
        let id = world.insert(Collider::from_mask(mask)).unwrap();
        world.update();
        // Setting the transform gives the same state as inserting with it.
        let mut moved = World::new(atlas.clone());
        let mask = moved.insert_transformed(Arc::clone(&raster), Affine::IDENTITY).unwrap();
        moved.insert(Collider::from_mask(mask)).unwrap();
        moved.transform_mask(mask, transform).unwrap();
        moved.update();
        assert_eq!(moved.snapshot(), world.snapshot());
        let saved = world.snapshot();
        let restored = World::from_snapshot([atlas.clone()], &saved).unwrap();
        assert_eq!(restored.snapshot(), saved);
        (saved, world.rect(id))
    };
    let there = shown(4.0, -2.0);
    for hair in [1e-17, 1e-30, f64::MIN_POSITIVE] {
        assert_eq!(shown(-hair, -hair), shown(0.0, 0.0), "{hair}");
    }
    assert_eq!(shown(4.0 - 1e-17, -2.0), there);
}
