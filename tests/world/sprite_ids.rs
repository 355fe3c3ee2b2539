//! Ids of sprites: an id of another atlas is refused, in the atlas, the world and snapshots.

use hitmask::{AtlasBuilder, AtlasId, CallError, Collider, ColliderShape, SpriteId, World};
use hitmask_scenes::{open, solid};

/// Returns a bake of solid masks of these names and widths.
fn bake(masks: &[(&str, u32)]) -> AtlasBuilder {
    let add = |bake: AtlasBuilder, &(name, width): &(&str, u32)| bake.mask(name, solid(width, 4));
    masks.iter().fold(AtlasBuilder::new().angles(16), add)
}

#[test]
fn names_sizes_settings_and_pixels_change_the_id() {
    let base = || bake(&[("a", 3), ("b", 7)]);
    let id = |bake: AtlasBuilder| open(&bake).id();
    let others = [
        bake(&[("a", 3), ("c", 7)]),
        bake(&[("a", 3), ("b", 8)]),
        bake(&[("a", 3)]),
        bake(&[("a", 3), ("b", 7), ("c", 7)]),
        base().angles(8),
        base().scales([2.0]),
        base().resolution(2.0),
        base().pivot(hitmask::Pivot::HalfTexels(1, 1)),
    ];
    for (i, other) in others.into_iter().enumerate() {
        assert_ne!(id(other), id(base()), "{i}");
    }
    let edited = ["a", "b"].iter().zip([3, 7]).fold(
        AtlasBuilder::new().angles(16),
        |bake, (name, width)| {
            let mut mask = solid(width, 4);
            mask.set(1, 1, false);
            bake.mask(*name, mask)
        },
    );
    assert_ne!(id(edited), id(base()));
}

#[test]
fn an_id_of_another_atlas_is_refused() {
    let (own, other) = (open(&bake(&[("a", 3)])), open(&bake(&[("a", 5), ("b", 7)])));
    let mut world = World::new(own.clone());
    let sprite = own.sprite_id("a").unwrap();
    let id = world.insert(Collider::new(sprite)).unwrap();
    let state = world.state_hash();
    for stranger in other.sprites().map(|sprite| sprite.id()) {
        assert!(own.sprite(stranger).is_none());
        let collider = Collider::new(stranger);
        let refused = world.insert(collider).unwrap_err();
        assert_eq!(refused, CallError::OtherAtlas { sprite: stranger });
        assert_eq!(world.set(id, collider), Err(refused.clone()));
        assert!(refused.to_string().contains(&other.id().to_string()), "{refused}");
        assert!(refused.help().contains("Atlas::sprite_id"));
        assert_eq!((world.state_hash(), world.len()), (state, 1));
    }
}

#[test]
fn an_id_without_an_atlas_means_the_only_atlas_of_the_world() {
    let atlas = open(&bake(&[("a", 3), ("b", 7)]));
    let mut world = World::new(atlas.clone());
    let plain = SpriteId::new(1);
    assert_eq!((plain.atlas(), atlas.sprite(plain).unwrap().name()), (None, "b"));
    let id = world.insert(Collider::new(plain)).unwrap();
    let shown = world.get(id).unwrap();
    assert_eq!(shown.shape, ColliderShape::Sprite(atlas.sprite_id("b").unwrap()));
    let mut same = World::new(atlas);
    same.insert(shown).unwrap();
    assert_eq!(world.state_hash(), same.state_hash());
    world.set(id, Collider::new(plain).at([3.0, 0.0])).unwrap();
    assert_eq!(world.get(id).unwrap().shape, shown.shape);
}

#[test]
fn a_label_gives_an_atlas_another_id_which_snapshots_restore() {
    let day = open(&bake(&[("a", 3)]));
    let [night, dusk] = [1, 2].map(|label| day.clone().labelled(label));
    let ids = [&day, &night, &dusk].map(|atlas| atlas.sprite_id("a").unwrap());
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    assert_eq!(day.clone().labelled(0).id(), day.id());
    let mut world = World::new(night.clone());
    let id = world.insert(Collider::new(ids[1])).unwrap();
    assert_eq!(world.insert(Collider::new(ids[0])), Err(CallError::OtherAtlas { sprite: ids[0] }));
    let saved = world.snapshot();
    world.remove(id);
    world.restore(&saved).unwrap();
    assert_eq!(world.get(id), Some(Collider::new(ids[1])));
    let copy = World::from_snapshot([day], &saved).unwrap();
    assert_eq!(copy.get(id), Some(Collider::new(ids[0])));
}

#[test]
fn the_bits_of_an_id_are_never_0() {
    assert_eq!([0, 1, 7, u32::MAX].map(|bits| AtlasId::new(bits).bits()), [1, 1, 7, u32::MAX]);
    assert_eq!(AtlasId::new(0xab).to_string(), "000000ab");
    for id in [SpriteId::new(9), SpriteId::of_atlas(AtlasId::new(0xab), u32::MAX - 1)] {
        assert_eq!(SpriteId::from_bits(id.to_bits()), Some(id));
    }
    assert_eq!(SpriteId::from_bits(10), Some(SpriteId::new(9)));
}
