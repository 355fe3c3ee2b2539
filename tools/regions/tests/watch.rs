//! Views of a plane of several processes show what one world has there, and tell all that changes.

use hitmask::{Accuracy, Collider, Filter, Rect, World, Zone};
use hitmask_regions::game::{Game, PlayedPlane, PlayedWorld, atlas, on_threads};
use hitmask_regions::{Options, Plane, PlaneId, View};
use hitmask_scenes::Random;
use std::collections::BTreeMap;

const SIDE: f32 = 700.0;
const COLLIDERS: usize = 120;
const TICKS: u64 = 60;

/// Returns the rectangle of a view at a tick. It moves now and then, and lies partly beyond the square.
fn rect(process: usize, view: u64, tick: u64) -> Rect {
    let mut random = Random::new((process as u64) << 40 | view << 20 | (tick / (4 + view)));
    let [x, y, width, height] = [700, 700, 300, 200].map(|end| random.below(end) as i32);
    Rect::new(x - 50, y - 50, x + width - 40, y + height - 40)
}

/// Returns what each view shows in each tick.
fn watch(hosts: &[String], process: usize) -> Vec<Vec<Collider>> {
    let mut options = Options::new(Rect::new(0, 0, SIDE as i32, SIDE as i32));
    (options.halo, options.rebalance) = (5, 9);
    let atlas = atlas();
    let game = Game::new(5, &atlas, SIDE);
    let plane = Plane::join(hosts, process, World::new(atlas), options).unwrap();
    let mut played = PlayedPlane::new(plane, game, COLLIDERS).unwrap();
    // Processes have different numbers of views.
    let mut views = vec![View::default(); 3 * process];
    let mut mirrors = vec![BTreeMap::<PlaneId, Collider>::new(); views.len()];
    let mut shown = Vec::new();
    for tick in 0..TICKS {
        played.tick().unwrap();
        for (i, view) in views.iter_mut().enumerate() {
            view.look_at(rect(process, i as u64, tick));
        }
        played.plane.watch(&mut views).unwrap();
        for (view, mirror) in views.iter().zip(&mut mirrors) {
            // A client that hears only of changes has what the view shows.
            for id in view.went() {
                assert!(mirror.remove(id).is_some());
            }
            for (id, collider) in view.came() {
                assert!(mirror.insert(*id, *collider).is_none());
            }
            for (id, collider) in view.changed() {
                assert!(mirror.insert(*id, *collider).is_some_and(|before| before != *collider));
            }
            assert!(mirror.iter().eq(view.seen().iter().map(|(id, collider)| (id, collider))));
            shown.push(mirror.values().copied().collect());
        }
    }
    shown
}

#[test]
fn views_show_what_one_world_has_and_tell_all_changes() {
    let shown = on_threads(3, watch);
    let atlas = atlas();
    let game = Game::new(5, &atlas, SIDE);
    let mut world = PlayedWorld::new(World::new(atlas), game, COLLIDERS).unwrap();
    let filter = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
    let mut count = 0;
    let mut shown: Vec<_> = shown.into_iter().map(Vec::into_iter).collect();
    for tick in 0..TICKS {
        world.tick().unwrap();
        for (process, shown) in shown.iter_mut().enumerate() {
            for view in 0..3 * process as u64 {
                let zone = Zone::rect(rect(process, view, tick));
                let found = world.world.query(&zone, filter).unwrap();
                let mut expected: Vec<Collider> =
                    found.into_iter().filter_map(|id| world.world.get(id)).collect();
                let mut seen: Vec<Collider> = shown.next().unwrap();
                for list in [&mut expected, &mut seen] {
                    list.sort_by_key(|collider| collider.user_data);
                }
                assert_eq!(seen, expected, "tick {tick}, view {view} of process {process}");
                count += seen.len();
            }
        }
    }
    assert!(count > 1000, "{count} colliders were seen");
}
