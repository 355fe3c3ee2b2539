//! The cost of the plugin: 100,000 colliders that move and turn, in an app, against the same world without Bevy.
//!
//! Both sides take turns in one run, and the touching pairs of both are compared. The clock of the app starts before the
//! first set of the plugin and stops after its last one. Transform propagation, which Bevy does without the plugin too,
//! is timed apart. `cargo bench --manifest-path tools/bevy/Cargo.toml -p bevy_hitmask --bench sync`

use bevy_app::{App, PostUpdate, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_hitmask::{HitmaskPlugin, HitmaskSystems, PixelCollider, PixelWorld};
use bevy_math::{Quat, Vec2};
use bevy_transform::components::Transform;
use bevy_transform::{TransformPlugin, TransformSystems};
use hitmask_scenes::{Crowd, Stage};
use std::time::{Duration, Instant};

const COUNT: usize = 100_000;
const SPACING: f32 = 80.0;
const TICKS: usize = 60;

/// Times between the sets of a tick.
#[derive(Resource, Default)]
struct Clock {
    stages: [Option<Instant>; 5],
}

fn stamp<const STAGE: usize>(mut clock: ResMut<Clock>) {
    clock.stages[STAGE] = Some(Instant::now());
}

fn app(stage: &Stage, crowd: &Crowd) -> (App, Vec<(Entity, Vec2)>) {
    let mut app = App::new();
    let plugin = HitmaskPlugin::new(PostUpdate).with_atlas(stage.atlas.clone());
    app.add_plugins((TaskPoolPlugin::default(), TransformPlugin, plugin)).init_resource::<Clock>();
    app.add_systems(
        PostUpdate,
        (
            stamp::<0>.before(TransformSystems::Propagate),
            stamp::<1>.after(TransformSystems::Propagate).before(HitmaskSystems::Sync),
            stamp::<2>.after(HitmaskSystems::Move).before(HitmaskSystems::Update),
            stamp::<3>.after(HitmaskSystems::Update).before(HitmaskSystems::Events),
            stamp::<4>.after(HitmaskSystems::Events),
        ),
    );
    let spawn = |(_, collider): (_, bevy_hitmask::hitmask::Collider)| {
        let sprite = collider.shape.sprite().unwrap();
        let pivot = stage.atlas.sprite(sprite).unwrap().pivot(0).unwrap();
        // A pivot at the middle of a texel is half a pixel from the position.
        let phase = Vec2::from(pivot.map(|half| (half & 1) as f32 / 2.0));
        (app.world_mut().spawn(PixelCollider::new(sprite)).id(), phase)
    };
    let entities = crowd.world.iter().map(spawn).collect();
    (app, entities)
}

/// Gives the entities the places of the crowd.
fn follow(app: &mut App, entities: &[(Entity, Vec2)], crowd: &Crowd) {
    for (&(entity, phase), (_, collider)) in entities.iter().zip(crowd.world.iter()) {
        let [x, y] = collider.position;
        let angle = collider.angle.to_radians();
        let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
        *transform = Transform::from_xyz(x + phase.x, -(y + phase.y), 0.0)
            .with_rotation(Quat::from_rotation_z(-angle));
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() {
    let stage = Stage::new(30..=80);
    let mut crowd = Crowd::new(&stage, COUNT, SPACING).unwrap();
    let (mut app, entities) = app(&stage, &crowd);
    let mut times: [Vec<Duration>; 7] = Default::default();
    for tick in 0..TICKS {
        crowd.think();
        let begin = Instant::now();
        crowd.place().unwrap();
        let placed = Instant::now();
        crowd.world.update();
        let updated = Instant::now();
        follow(&mut app, &entities, &crowd);
        app.update();
        let clock = app.world().resource::<Clock>().stages.map(Option::unwrap);
        // The first ticks fill memory that later ones use again.
        if tick < 5 {
            continue;
        }
        let pixels = app.world().resource::<PixelWorld>().world().unwrap();
        let [here, there] = [pixels.touching().len(), crowd.world.touching().len()];
        assert!(here.abs_diff(there) * 200 <= there, "{here} pairs in the app, {there} without");
        times[0].push(placed - begin);
        times[1].push(updated - placed);
        (1..5).for_each(|i| times[1 + i].push(clock[i] - clock[i - 1]));
        times[6].push((clock[4] - clock[1]).saturating_sub(updated - begin));
    }
    let [place, update, propagate, sync, same, events, more] = times.each_mut().map(|t| median(t));
    println!("{COUNT} colliders that move and turn, medians of {} ticks, ms", TICKS - 5);
    println!("  without Bevy: place {place:.2}, update {update:.2}");
    println!("  in an app:    sync {sync:.2}, update {same:.2}, events {events:.2}");
    println!("  the app takes more: {more:.2} (median of the differences)");
    println!("  transform propagation by Bevy, not included: {propagate:.2}");

    let mut still: [Vec<Duration>; 2] = Default::default();
    for _ in 0..TICKS {
        app.update();
        let clock = app.world().resource::<Clock>().stages.map(Option::unwrap);
        still[0].push(clock[4] - clock[1]);
        still[1].push(clock[1] - clock[0]);
    }
    let [plugin, propagate] = still.each_mut().map(|t| median(t));
    println!("  nothing moves: plugin {plugin:.3}, transform propagation {propagate:.3}");
}
