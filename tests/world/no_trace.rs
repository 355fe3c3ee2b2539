//! Edits that change nothing, and refused calls: neither leaves a trace, in the middle of a tick either.

use hitmask::{
    Angle, Atlas, AtlasBuilder, Collider, ColliderId, Filter, Map, MapItem, MapShape, Mask, MaskId,
    MoveResult, MoveRules, Pivot, Placement, Rect, World, Zone,
};
use hitmask_scenes::{open, solid};

/// Side of the square sprite, in pixels.
const SIDE: u32 = 4;

/// More colliders than a search tests one by one.
const MANY: usize = 60;

fn atlas() -> (Atlas, Collider) {
    let frames = [solid(SIDE, SIDE), Mask::new(SIDE, SIDE).unwrap()];
    let atlas = open(&AtlasBuilder::new().frames("square", frames));
    let square = Collider::new(atlas.sprite_id("square").unwrap());
    (atlas, square)
}

/// A world with a wall at [5000, 0], a hero 20 px to its left, and a crowd elsewhere.
struct Street {
    world: World,
    square: Collider,
    wall: ColliderId,
    hero: ColliderId,
    crowd: Vec<ColliderId>,
    /// A mask that a collider far away shows.
    mask: MaskId,
}

impl Street {
    /// Places `wall` at [5000, 0], and updates.
    fn new(wall: impl FnOnce(Collider) -> Collider) -> Self {
        let (atlas, square) = atlas();
        let mut world = World::new(atlas);
        let wall = world.insert(wall(square.at([5000.0, 0.0]))).unwrap();
        let hero = world.insert(square.at([4980.0, 0.0])).unwrap();
        let place = |i| square.at([i as f32 * 10.0 - 9000.0, 100.0]);
        let crowd = (0..1000).map(|i| world.insert(place(i)).unwrap()).collect();
        let mask = world.masks_mut().insert(solid(SIDE, SIDE), Pivot::Center).unwrap();
        world.insert(Collider::from_mask(mask).at([0.0, 3000.0])).unwrap();
        world.update();
        Self { world, square, wall, hero, crowd, mask }
    }

    /// Moves some of the crowd far, and asks for what is at the wall.
    fn at_wall_after_moves(&mut self, which: std::ops::Range<usize>) -> Vec<ColliderId> {
        for &id in &self.crowd[which] {
            let [x, y] = self.world.get(id).unwrap().position;
            self.world.move_to(id, [x, y + 50.0]).unwrap();
        }
        self.world.validate().unwrap();
        self.at_wall()
    }

    fn at_wall(&self) -> Vec<ColliderId> {
        let near = Zone::rect(Rect::new(4990, -10, 5010, 10));
        self.world.query(&near, Filter::ALL).unwrap()
    }

    /// Asserts that the wall is found and stops the hero, in the middle of the next ticks.
    fn assert_wall(&mut self, edit: &str) {
        for _ in 0..3 {
            assert_eq!(self.at_wall_after_moves(0..MANY), [self.wall], "{edit}");
            let cast = self.world.cast(self.hero, [60.0, 0.0], Filter::SOLID).unwrap();
            assert_eq!(cast.map(|hit| hit.collider), Some(self.wall), "{edit}");
            let walked = self.world.clone().move_and_slide(self.hero, [60.0, 0.0]).unwrap();
            assert_eq!(walked.position, [4996.0, 0.0], "{edit}");
            let near = self.world.nearest([5000.0, 0.0], 20.0, Filter::ALL).unwrap();
            assert_eq!(near.map(|(id, _)| id), Some(self.wall), "{edit}");
            self.world.update();
            assert_eq!(self.at_wall(), [self.wall], "{edit}");
        }
    }
}

#[test]
fn a_wall_that_was_set_to_itself_may_move_after_other_colliders_moved() {
    let mut street = Street::new(Collider::fixed);
    street.at_wall_after_moves(0..60);
    street.at_wall_after_moves(0..55);
    let beyond = |s: &mut Street, which: std::ops::Range<usize>| {
        s.crowd[which].iter().for_each(|&id| s.world.move_to(id, [0.0, -900.0]).unwrap());
        s.at_wall()
    };
    beyond(&mut street, 500..560);
    beyond(&mut street, 560..563);
    let wall = street.world.get(street.wall).unwrap();
    street.world.set(street.wall, Collider { user_data: 7, ..wall }).unwrap();
    street.world.update();
    street.at_wall_after_moves(0..60);
    street.world.move_to(street.wall, [5001.0, 0.0]).unwrap();
    assert_eq!(street.at_wall(), [street.wall]);
    street.world.validate().unwrap();
}

#[test]
fn a_collider_without_pixels_that_was_placed_in_bulk_is_found_when_it_shows_some() {
    let mut street = Street::new(|wall| wall.with_frame(1));
    assert_eq!(street.at_wall_after_moves(0..MANY), []);
    let placement = Placement { position: [5000.0, 0.0], angle: Angle::turn(0) };
    street.world.set_placements(&[street.wall], &[placement]).unwrap();
    street.world.update();
    street.world.set(street.wall, street.square.at([5000.0, 0.0])).unwrap();
    street.world.update();
    street.assert_wall("another frame");
}

#[test]
fn a_walker_that_is_named_twice_walks_twice_on_any_number_of_threads() {
    let (atlas, square) = atlas();
    for (frame, by) in [(0, [0.25, 0.0]), (0, [3.0, 0.5]), (1, [7.0, 0.0])] {
        let mut world = World::new(atlas.clone());
        let place = |i| square.at([i as f32 * 20.0, 500.0]);
        let mut ids: Vec<ColliderId> = (0..600).map(|i| world.insert(place(i)).unwrap()).collect();
        ids[0] = world.insert(square.with_frame(frame)).unwrap();
        ids[1] = ids[0];
        let mut motions = vec![[1.0, 0.0]; 600];
        (motions[0], motions[1]) = (by, by);
        world.update();
        let rules = MoveRules::default();
        let mut single = world.clone();
        let moves = ids.iter().zip(&motions);
        let singles: Vec<_> = moves
            .map(|(&id, &by)| single.move_by_rules(id, by, rules, Filter::SOLID).unwrap().position)
            .collect();
        for threads in [1, 2, 3] {
            let mut many = world.clone();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut ends = Vec::new();
            let each = |_, moved: MoveResult| ends.push(moved.position);
            pool.install(|| many.move_all(&ids, &motions, rules, Filter::SOLID, each)).unwrap();
            assert_eq!(ends, singles, "{threads} threads");
            assert_eq!(many.state_hash(), single.state_hash(), "{threads} threads");
        }
    }
}

/// Returns a world whose budget has room for three poses, and a collider of that atlas.
fn narrow_budget() -> (World, Collider) {
    let bake = AtlasBuilder::new().mask("a", Mask::disc(20).unwrap()).angles(16).compact(true);
    let atlas = open(&bake);
    let disc = Collider::new(atlas.sprite_id("a").unwrap());
    let mut world = World::new(atlas);
    world.insert(disc).unwrap();
    let bytes = world.pose_stats().bytes;
    world.atlases_mut().set_pose_budget(Some(bytes * 3)).unwrap();
    world.update();
    (world, disc)
}

#[test]
fn refused_inserts_leave_the_hash_the_next_id_and_the_budget() {
    let (mut world, disc) = narrow_budget();
    let turned: Vec<Collider> = (1..16).map(|i| disc.turned(i as f32 * 0.39)).collect();
    let refusals: [Vec<Collider>; 4] = [
        turned.clone(),
        turned,
        vec![disc, disc.at([f32::NAN, 0.0])],
        vec![disc, disc.with_frame(3), disc],
    ];
    for colliders in refusals {
        let mut unasked = world.clone();
        let error = world.insert_all(&colliders).unwrap_err();
        assert!(error.item().is_some(), "{error}");
        world.validate().unwrap();
        assert_eq!(world.state_hash(), unasked.state_hash(), "{error}");
        assert_eq!(world.pose_stats().budget, unasked.pose_stats().budget);
        let next = world.clone().insert(disc).unwrap();
        assert_eq!(next, unasked.insert(disc).unwrap(), "{error}");
    }
    // Freed slots are taken in the same order after a refusal.
    let ids = world.insert_all(&[disc; 5]).unwrap();
    ids[1..4].iter().for_each(|&id| _ = world.remove(id).unwrap());
    let hash = world.state_hash();
    world.insert_all(&[disc, disc.with_frame(9)]).unwrap_err();
    assert_eq!(world.state_hash(), hash);
}

/// A call that is refused, or that ends by a panic in a function of the caller.
type Refused = (&'static str, fn(&mut Street));

const REFUSED: [Refused; 15] = [
    ("insert", |s| refused(s.world.insert(s.square.at([f32::NAN, 0.0])))),
    ("insert_all, at its last item", |s| {
        let colliders = [s.square, s.square.at([1.0, 1.0]), s.square.with_frame(9)];
        refused(s.world.insert_all(&colliders));
    }),
    ("set", |s| refused(s.world.set(s.wall, s.square.with_frame(9)))),
    ("move_to", |s| refused(s.world.move_to(s.wall, [f32::INFINITY, 0.0]))),
    ("set_placements, at its last item", |s| {
        let mut placements =
            vec![Placement { position: [7.0, 7.0], angle: Angle::turn(0) }; s.crowd.len()];
        placements.last_mut().unwrap().position = [0.0, f32::NAN];
        refused(s.world.set_placements(&s.crowd, &placements));
    }),
    ("move_all, at its last item", |s| {
        let mut motions = vec![[3.0, 0.0]; s.crowd.len()];
        motions.last_mut().unwrap()[0] = f32::NAN;
        let rules = MoveRules::default();
        refused(s.world.move_all(&s.crowd, &motions, rules, Filter::SOLID, |_, _| ()));
    }),
    ("move_all, whose filter panics at once", |s| {
        let keep = |_: ColliderId| -> bool { panic!("on purpose") };
        let filter = Filter { keep: Some(&keep), ..Filter::SOLID };
        let by = [[60.0, 0.0]];
        panics(|| _ = s.world.move_all(&[s.hero], &by, MoveRules::default(), filter, |_, _| ()));
    }),
    ("move_body, out of range", |s| {
        refused(s.world.move_body(5, [f32::MAX, 0.0], Filter { layers: 0, ..Filter::ALL }));
    }),
    ("move_body of no parts", |s| _ = s.world.move_body(77, [4.0, 0.0], Filter::SOLID)),
    ("draw_ahead, at its last item", |s| {
        refused(s.world.atlases_mut().draw_ahead(&[s.square, s.square.with_frame(9)], |_| true));
    }),
    ("a mask edit that panics before it changes a pixel", |s| {
        let mask = s.mask;
        panics(|| _ = s.world.masks_mut().edit(mask, |_| panic!("on purpose")));
    }),
    ("remove of a mask in use", |s| refused(s.world.masks_mut().remove(s.mask))),
    ("replace, by an atlas that is not of the world", |s| {
        let other = open(&AtlasBuilder::new().mask("other", solid(2, 2)));
        refused(s.world.atlases_mut().replace(other.id(), other.clone()));
    }),
    ("restore of damaged bytes", |s| {
        let mut bytes = s.world.snapshot();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        refused(s.world.restore(&bytes));
    }),
    ("insert_map, whose sprite is not in the atlas", |s| {
        let shape = MapShape { sprite: "gone".to_owned(), ..MapShape::default() };
        let item = |shape| MapItem { shape: Some(shape), ..MapItem::default() };
        let here = MapShape { sprite: "square".to_owned(), ..MapShape::default() };
        let items = vec![item(here), item(shape)];
        refused(s.world.insert_map(&Map { items, ..Map::default() }, [0.0, 0.0]));
    }),
];

fn refused<T, E>(result: Result<T, E>) {
    assert!(result.is_err());
}

fn panics(call: impl FnOnce()) {
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
}

#[test]
fn refused_calls_in_the_middle_of_a_tick_leave_no_trace() {
    let walls: [fn(Collider) -> Collider; 2] = [Collider::fixed, |wall| wall.owned_by(5)];
    for wall in walls {
        for (name, call) in REFUSED {
            for moved in [0, MANY, 300] {
                let mut street = Street::new(wall);
                street.at_wall_after_moves(0..moved);
                let mut unasked = street.world.clone();
                for _ in 0..2 {
                    call(&mut street);
                    street.world.validate().unwrap();
                    assert_eq!(street.world.state_hash(), unasked.state_hash(), "{name}");
                    assert_eq!(street.at_wall(), [street.wall], "{name}");
                }
                let next = street.world.clone().insert(street.square).unwrap();
                assert_eq!(next, unasked.clone().insert(street.square).unwrap(), "{name}");
                unasked.update();
                street.world.update();
                assert_eq!(street.world.touching(), unasked.touching(), "{name}");
                assert_eq!(street.world.began(), unasked.began(), "{name}");
                street.assert_wall(name);
            }
        }
    }
}

#[test]
fn walks_that_end_by_a_panic_leave_those_before_it_and_a_valid_world() {
    let mut street = Street::new(Collider::fixed);
    street.at_wall_after_moves(0..MANY);
    let second = street.world.insert(street.square.at([4960.0, 0.0])).unwrap();
    let hero = street.hero;
    let keep = |id: ColliderId| -> bool {
        assert!(id != hero, "on purpose");
        true
    };
    let filter = Filter { keep: Some(&keep), ..Filter::SOLID };
    let motions = [[60.0, 0.0], [60.0, 0.0]];
    let both = [hero, second];
    let rules = MoveRules::default();
    panics(|| _ = street.world.move_all(&both, &motions, rules, filter, |_, _| ()));
    assert_eq!(street.world.get(hero).unwrap().position, [4996.0, 0.0]);
    assert_eq!(street.world.get(second).unwrap().position, [4960.0, 0.0]);
    street.world.validate().unwrap();
    street.world.update();
    street.world.move_to(hero, [4980.0, 0.0]).unwrap();
    street.assert_wall("after a panic");
}

#[test]
fn a_panic_while_poses_are_drawn_ahead_leaves_the_hash_and_a_valid_world() {
    let (mut world, disc) = narrow_budget();
    world.atlases_mut().set_pose_budget(None).unwrap();
    let turned: Vec<Collider> = (1..16).map(|i| disc.turned(i as f32 * 0.39)).collect();
    let hash = world.state_hash();
    panics(|| _ = world.atlases_mut().draw_ahead(&turned, |_| panic!("on purpose")));
    assert_eq!(world.state_hash(), hash);
    world.validate().unwrap();
    let mut other = narrow_budget().0;
    other.atlases_mut().set_pose_budget(None).unwrap();
    for world in [&mut world, &mut other] {
        world.insert_all(&turned).unwrap();
        world.update();
    }
    assert_eq!(world.state_hash(), other.state_hash());
    assert_eq!(world.touching(), other.touching());
}
