//! Colliders that move to a process that is not near go through the tree, and so do the reports of their pairs.

use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Rect, World};
use hitmask_regions::game::on_threads;
use hitmask_regions::{Options, Plane};

/// A wide plane, so that processes at its ends are not near each other.
const WIDTH: i32 = 60_000;

/// Moves two discs, which touch, from end to end. Returns the pairs that began, ended and touch in each tick.
fn play(hosts: &[String], process: usize, atlas: Atlas) -> Vec<[usize; 3]> {
    let disc = Collider::new(atlas.sprite_id("disc").unwrap());
    let mut options = Options::new(Rect::new(0, 0, WIDTH, 100));
    (options.regions, options.halo) = (1, 8);
    let mut plane = Plane::<u32>::join(hosts, process, World::new(atlas), options).unwrap();
    let ends = [100.0, WIDTH as f32 - 100.0];
    // Process 1 inserts what belongs to process 0.
    if process == 1 {
        for i in 0..2 {
            plane.insert(disc.at([ends[0] + 5.0 * i as f32, 50.0]), i).unwrap();
        }
    }
    let mut seen = Vec::new();
    for tick in 0..8 {
        plane.tick().unwrap();
        seen.push([plane.began().len(), plane.ended().len(), plane.touching().count()]);
        let here: Vec<_> = plane.iter().map(|(id, collider, &i)| (id, collider, i)).collect();
        for (id, collider, i) in here {
            let x = ends[usize::from(tick % 2 == 0)] + 5.0 * i as f32;
            // In the last tick one stays.
            if tick < 6 || i == 0 {
                plane.set(id, collider.at([x, 50.0])).unwrap();
            }
        }
    }
    seen
}

#[test]
fn a_pair_that_moves_far_neither_begins_nor_ends() {
    let atlas = AtlasBuilder::new().mask("disc", Mask::disc(8).unwrap());
    let atlas = Atlas::from_vec(atlas.to_bytes().unwrap()).unwrap();
    let seen = on_threads(6, |hosts, process| play(hosts, process, atlas.clone()));
    let sums = (0..8).map(|tick| [0, 1, 2].map(|i| seen.iter().map(|of| of[tick][i]).sum()));
    let mut expected = vec![[0, 0, 1]; 8];
    (expected[0], expected[7]) = ([1, 0, 1], [0, 1, 0]);
    assert_eq!(sums.collect::<Vec<[usize; 3]>>(), expected);
}
