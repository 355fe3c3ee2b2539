//! A plane of one process and many regions plays as one world does.

use hitmask::{Rect, World};
use hitmask_regions::game::{Game, PlayedPlane, PlayedWorld, atlas};
use hitmask_regions::{Options, Plane};

fn play(seed: u64, regions: u16, halo: u32, rebalance: u32, ticks: u64) {
    let atlas = atlas().unwrap();
    let game = Game::new(seed, &atlas, 700.0);
    let mut options = Options::new(Rect::new(0, 0, 700, 700));
    (options.regions, options.halo, options.rebalance) = (regions, halo, rebalance);
    let plane = Plane::alone(World::new(atlas.clone()), options).unwrap();
    let mut plane = PlayedPlane::new(plane, game, 150).unwrap();
    let mut world = PlayedWorld::new(World::new(atlas), game, 150).unwrap();
    let mut began = 0;
    for tick in 0..ticks {
        let [a, b] = [plane.tick().unwrap(), world.tick().unwrap()];
        assert_eq!(a, b, "seed {seed}, {regions} regions, halo {halo}, tick {tick}");
        began += plane.plane.began().len();
    }
    assert!(began > ticks as usize / 2, "{began} pairs began");
}

#[test]
fn p14_a_plane_of_many_regions_plays_as_one_world() {
    for seed in 0..6 {
        play(
            seed,
            [1, 2, 3, 5, 8, 16][seed as usize],
            [0, 0, 64, 1, 30, 200][seed as usize],
            7,
            300,
        );
    }
}
