//! Apps and sprites that the tests share.

use bevy::ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_hitmask::hitmask::{Atlas, AtlasBuilder, ColliderId, Mask, World as HitmaskWorld};
use bevy_hitmask::{CollisionEnd, CollisionStart, HitmaskPlugin, PixelCollider, PixelWorld};
use std::time::Duration;

/// Returns a mask without symmetry, so that each flip and turn shows.
pub(crate) fn letter(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    let (width, height) = (width as i32, height as i32);
    for y in 0..height {
        for x in 0..width {
            let is_stem = x < width / 3;
            let is_bar = y < height / 4;
            let is_dot = x + 2 >= width && y + 3 >= height;
            mask.set(x, y, is_stem || is_bar || is_dot);
        }
    }
    mask
}

/// Returns an atlas with a few sprites: squares, letters, a sprite of frames and one of planes.
pub(crate) fn atlas() -> Atlas {
    open(bake())
}

pub(crate) fn open(bake: AtlasBuilder) -> Atlas {
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

pub(crate) fn bake() -> AtlasBuilder {
    let solid = |w, h| Mask::solid(w, h).unwrap();
    AtlasBuilder::new()
        .mask("square", solid(10, 10))
        .mask("letter", letter(12, 16))
        .mask("odd", letter(13, 17))
        .mask("wall", solid(4, 200))
        .mask("floor", solid(400, 10))
        .frames("walk", [solid(4, 4), solid(20, 4)])
        .planes("knight", ["body", "shield"], [[solid(10, 10), Mask::new(10, 10).unwrap()]])
        .unwrap()
}

/// Returns an app whose updates are one tick each.
pub(crate) fn app_with(plugin: HitmaskPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((DefaultPlugins, plugin));
    one_tick_each(&mut app);
    app.init_resource::<Log>();
    app.add_systems(Last, log);
    on_this_thread(&mut app);
    // The first frame takes no time.
    app.update();
    app
}

/// Makes each update take the time of a tick.
pub(crate) fn one_tick_each(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
}

/// Makes every schedule run on the thread of the test. Elsewhere the threads of all tests share the systems, and the
/// warnings of one test reach another.
pub(crate) fn on_this_thread(app: &mut App) {
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

pub(crate) fn app() -> App {
    app_with(HitmaskPlugin::default().with_atlas(atlas()))
}

/// Returns an app with squares of 10 px at these x, and y = 0.
pub(crate) fn squares<const N: usize>(at: [f32; N]) -> (App, [Entity; N]) {
    let mut app = app();
    let squares = at.map(|x| spawn(&mut app, "square", x, 0.0));
    (app, squares)
}

/// The messages of the last update.
#[derive(Resource, Default)]
pub(crate) struct Log {
    pub(crate) started: Vec<[Entity; 2]>,
    pub(crate) ended: Vec<[Entity; 2]>,
}

fn log(
    mut log: ResMut<Log>,
    mut started: MessageReader<CollisionStart>,
    mut ended: MessageReader<CollisionEnd>,
) {
    log.started = started.read().map(|hit| [hit.entity, hit.other]).collect();
    log.ended = ended.read().map(|hit| [hit.entity, hit.other]).collect();
}

/// Runs one tick, and returns the touches that started and ended, as messages.
pub(crate) fn tick(app: &mut App) -> (Vec<[Entity; 2]>, Vec<[Entity; 2]>) {
    app.update();
    let log = app.world().resource::<Log>();
    (log.started.clone(), log.ended.clone())
}

/// Returns both directions of a pair.
pub(crate) fn both(a: Entity, b: Entity) -> Vec<[Entity; 2]> {
    vec![[a, b], [b, a]]
}

pub(crate) fn spawn(app: &mut App, name: &'static str, x: f32, y: f32) -> Entity {
    app.world_mut().spawn((PixelCollider::named(name), Transform::from_xyz(x, y, 0.0))).id()
}

pub(crate) fn move_to(app: &mut App, entity: Entity, x: f32, y: f32) {
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation = Vec3::new(x, y, 0.0);
}

/// Returns random numbers below the argument.
pub(crate) fn random(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |n| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    }
}

pub(crate) fn hitmask_world(app: &App) -> &HitmaskWorld {
    app.world().resource::<PixelWorld>().world().unwrap()
}

/// Tests whether two entities touch as of the last tick.
pub(crate) fn touch(app: &App, a: Entity, b: Entity) -> bool {
    let pixels = app.world().resource::<PixelWorld>();
    let (Some(a), Some(b)) = (pixels.id(a), pixels.id(b)) else { return false };
    let touching = hitmask_world(app).touching();
    touching.iter().any(|pair| (pair.a, pair.b) == (a.min(b), a.max(b)))
}

/// Returns the solid pixels of an entity, as the lower left corners of unit squares, y up.
pub(crate) fn pixels(app: &App, entity: Entity) -> Vec<IVec2> {
    let world = hitmask_world(app);
    let id = app.world().resource::<PixelWorld>().id(entity).expect("the entity has a collider");
    if !world.get(id).unwrap().enabled {
        return Vec::new();
    }
    solid(world, id)
}

/// Returns the solid pixels of a collider, as [`pixels`] does.
pub(crate) fn solid(world: &HitmaskWorld, id: ColliderId) -> Vec<IVec2> {
    let posed = world.posed(id).unwrap();
    let mut found = Vec::new();
    for y in 0..posed.mask.height() as i32 {
        for x in 0..posed.mask.width() as i32 {
            if posed.mask.get(x, y) {
                found.push(IVec2::new(posed.origin.x + x, -(posed.origin.y + y) - 1));
            }
        }
    }
    found.sort_unstable_by_key(|at| (at.x, at.y));
    found
}
