//! The feature `serde`: plain data types keep their value through JSON.

use hitmask::{
    Accuracy, Affine, AlphaRule, Angle, Atlas, Bake, Collider, Connectivity, Filter, Flip,
    GrowShape, MoveRules, Pivot, Placement, Point, Pose, Rect, Sampling, ScanOrder, Side, Snap,
    World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn assert_kept<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let json = serde_json::to_string(&value).unwrap();
    let back: T = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{json}: {e}"));
    assert_eq!(back, value, "{json}");
}

#[test]
fn plain_data_types_keep_their_value() {
    assert_kept(Point::new(-3, i32::MAX));
    assert_kept(Rect::new(-1, 2, 3, 4));
    assert_kept(Flip::X);
    assert_kept(Affine::scale([0.5, -2.0]));
    assert_kept(Snap::Relative);
    assert_kept(AlphaRule::Bits(0x40));
    assert_kept(Connectivity::Eight);
    assert_kept(GrowShape::Disc);
    assert_kept(ScanOrder::Left);
    assert_kept(Side::Above);
    assert_kept([Angle::Radians(0.25), Angle::Turn(5)]);
    assert_kept(Pose { step: 7, scale: 1 });
    assert_kept(Pivot::HalfTexels(3, -4));
    assert_kept(Sampling::Coverage25);
    assert_kept(MoveRules { climb: 2, ..MoveRules::default() });
    assert_kept(Filter { accuracy: Accuracy::Box, ..Filter::SOLID });
    assert_kept(Placement { position: [1.5, -2.0], angle: Angle::Turn(9) });
}

#[test]
fn colliders_contacts_and_ids_keep_their_value() {
    let bar = "####\n####".parse().unwrap();
    let bytes = Bake::new().mask("bar", bar).to_bytes().unwrap();
    let mut world = World::new(Atlas::from_vec(bytes).unwrap());
    let sprite = world.atlas().sprite_id("bar").unwrap();
    let collider = Collider::new(sprite).at([2.25, -7.5]).turned(0.3).flipped(Flip::Y);
    let [a, b] = [collider, collider.at([3.0, -7.0])].map(|c| world.insert(c).unwrap());
    world.update();
    let pair = world.touching()[0];
    assert_kept(collider.sensor());
    assert_kept([a, b]);
    assert_kept(pair);
    assert_kept(world.contact(&pair).unwrap());
    assert_kept(world.cast(a, [9.0, 0.0]).unwrap().unwrap());
}
