//! The shortest push out of several overlaps, and the nearest free offset.

use crate::{blocked, crowd};
use hitmask::{Filter, Mask, Point};
use hitmask_scenes::Random;

#[test]
fn one_push_leaves_several_overlaps() {
    for seed in 40..42 {
        let world = crowd(seed);
        for id in world.iter().map(|(id, _)| id) {
            let found = world.push_out(id, 24, Filter::SOLID);
            let mut truth: Option<(i32, i32, i32)> = None;
            for y in -24..=24_i32 {
                for x in -24..=24_i32 {
                    let key = (x * x + y * y, y, x);
                    let better = key.0 <= 24 * 24 && truth.is_none_or(|best| key < best);
                    if better && !blocked(&world, id, Point::new(x, y)) {
                        truth = Some(key);
                    }
                }
            }
            assert_eq!(found, truth.map(|(_, y, x)| Point::new(x, y)), "{id:?}");
        }
        // The same for a mask without a collider, beside the colliders and among them.
        let disc = Mask::disc(9).unwrap();
        let mut random = Random::new(seed);
        for _ in 0..30 {
            let at = Point::new(random.within(0, 700), random.within(0, 700));
            let around = (-12..=12_i32).flat_map(|y| (-12..=12_i32).map(move |x| (y, x)));
            let truth = around
                .map(|(y, x)| (x * x + y * y, y, x))
                .filter(|&(square, y, x)| {
                    let there = at + Point::new(x, y);
                    square <= 12 * 12 && world.probe(&disc, there).touching(Filter::ALL).is_empty()
                })
                .min();
            let found = world.probe(&disc, at).push_out(12, Filter::ALL);
            assert_eq!(found, truth.map(|(_, y, x)| Point::new(x, y)), "{at:?}");
        }
        let free = world
            .probe(&"###\n###\n###".parse::<Mask>().unwrap(), [350, 350])
            .push_out(400, Filter::ALL)
            .unwrap();
        let at = Point::new(350, 350) + free;
        assert_eq!(
            world.probe(&"###\n###\n###".parse::<Mask>().unwrap(), at).touching(Filter::ALL),
            []
        );
    }
}
