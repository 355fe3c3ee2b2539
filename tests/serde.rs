//! The feature `serde`: plain data types survive a round trip through JSON.

use hitmask::{
    Accuracy, Affine, AlphaRule, Angle, AtlasBuilder, Channel, ColorRange, Connectivity, Filter,
    Flip, GrowShape, MinOverlap, MoveRules, Pivot, Placement, Point, Pose, Rect, Sampling,
    ScanOrder, Side, Snap, TexelRule,
};
use hitmask_scenes::{open, world_of};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let json = serde_json::to_string(&value).unwrap();
    let back: T = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{json}: {e}"));
    assert_eq!(back, value, "{json}");
}

#[test]
fn plain_data_types_survive_a_round_trip() {
    assert_round_trip(Point::new(-3, i32::MAX));
    assert_round_trip(Rect::new(-1, 2, 3, 4));
    assert_round_trip(Flip::X);
    assert_round_trip(Affine::scale([0.5, -2.0]));
    assert_round_trip(Snap::Relative);
    assert_round_trip(AlphaRule::Bits(0x40));
    assert_round_trip(TexelRule {
        channel: Channel::Red,
        exclude_color: vec![ColorRange::from([247, 0, 247, 1]..=[255, 8, 255, 9])],
        only_color: vec![[1, 2, 3].into()],
        ..TexelRule::default()
    });
    assert_round_trip(Connectivity::Eight);
    assert_round_trip(GrowShape::Disc);
    assert_round_trip(ScanOrder::Left);
    assert_round_trip(Side::Above);
    assert_round_trip([Angle::radians(0.25), Angle::turn(5)]);
    assert_round_trip(Pose { step: 7, scale: 1 });
    assert_round_trip(Pivot::HalfTexels(3, -4));
    assert_round_trip(Sampling::Coverage25);
    assert_round_trip(MoveRules { climb: 2, ..MoveRules::default() });
    // Functions are not written, so filters are compared by their fields.
    let filter = Filter { accuracy: Accuracy::Box, layers: 6, ..Filter::SOLID };
    let read: Filter<'_> = serde_json::from_str(&serde_json::to_string(&filter).unwrap()).unwrap();
    assert_eq!(format!("{read:?}"), format!("{filter:?}"));
    assert_round_trip(Placement { position: [1.5, -2.0], angle: Angle::turn(9) });
}

#[test]
fn colliders_contacts_and_ids_survive_a_round_trip() {
    let bar = "####\n####".parse().unwrap();
    let (mut world, bar) = world_of(open(&AtlasBuilder::new().mask("bar", bar)), "bar");
    let collider = bar.at([2.25, -7.5]).turned(0.3).flipped(Flip::Y);
    let [a, b] = [collider, collider.at([3.0, -7.0])].map(|c| world.insert(c).unwrap());
    world.update();
    let pair = world.touching()[0];
    assert_round_trip(collider.sensor());
    assert_round_trip(collider.with_move_accuracy(Accuracy::Box).with_min_overlap([3, 2]));
    assert_round_trip([MinOverlap::Pixels(9), [1, 2].into()]);
    assert_round_trip([a, b]);
    assert_round_trip(pair);
    assert_round_trip(world.contact(pair).unwrap());
    assert_round_trip(world.contact(pair).unwrap().in_space(Affine::IDENTITY).unwrap());
    assert_round_trip(world.cast(a, [9.0, 0.0], Filter::SOLID).unwrap().unwrap());
    assert_round_trip(world.clone().move_and_slide(a, [9.0, 0.0]).unwrap());
    assert_round_trip(world.pair(pair).and_then(|pair| pair.contact_at(Accuracy::Box)).unwrap());
    world.set(a, collider.owned_by(3)).unwrap();
    world.update();
    assert_round_trip(world.bodies().touching()[0]);
    assert_round_trip(world.bodies().cast(3, [9.0, 0.0], Filter::SOLID).unwrap().unwrap());
}
