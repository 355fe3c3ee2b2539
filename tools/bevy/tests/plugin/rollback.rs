//! Saves and loads of a running game, as `bevy_ggrs` makes them: each frame is played 8 times again, and entities that a
//! load brings back are others than before.

use crate::support::{atlas, on_this_thread};
use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_hitmask::hitmask::{
    Atlas, AtlasBuilder, CallError, Mask, MaskId, MoveRules, Pivot, Raster, Rect, Sampling,
};
use bevy_hitmask::{
    ColliderOwner, ColliderState, CollisionLayers, CollisionStart, HitmaskPlugin, MoveAndSlide,
    MoveOutcome, PixelCollider, PixelWorld, Touching, after_load,
};
use std::collections::BTreeMap;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Frame;

/// What tells an entity from all others, in each play of a frame.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u32);

#[derive(Component, Clone, Copy)]
struct Bullet(Vec2);

/// The state that lies beside the entities.
#[derive(Resource, Clone, Copy, Default)]
struct Counts {
    frame: u32,
    keys: u32,
    hits: u32,
}

#[derive(Resource)]
struct Ground(MaskId);

impl Counts {
    fn key(&mut self) -> Key {
        self.keys += 1;
        Key(self.keys)
    }
}

fn play(
    mut commands: Commands,
    mut counts: ResMut<Counts>,
    mut heroes: Query<(Entity, &Key, &mut MoveAndSlide, &mut Transform), Without<Bullet>>,
    mut bullets: Query<(Entity, &Key, &Bullet, &mut Transform)>,
) {
    counts.frame += 1;
    let frame = counts.frame;
    let mut heroes: Vec<_> = heroes.iter_mut().collect();
    heroes.sort_by_key(|(_, key, ..)| **key);
    if let (true, Some(hero)) =
        (frame.is_multiple_of(5), (frame as usize).checked_rem(heroes.len()))
    {
        let (entity, _, _, transform) = &heroes[hero];
        commands.entity(*entity).despawn();
        spawn_hero(&mut commands, &mut counts, transform.translation);
    }
    for (hero, key, mover, transform) in &mut heroes {
        // All push each other.
        let side = if transform.translation.x < 0.0 { 3.0 } else { -3.0 };
        mover.motion = Vec2::new(side, -1.5);
        mover.rules = MoveRules::default();
        if frame.is_multiple_of(7) {
            // Stretched: its mask is drawn.
            transform.scale.x = 3.0 - transform.scale.x;
        }
        if (frame + key.0).is_multiple_of(3) {
            let flight = Vec2::new(side * 2.0, 2.5);
            let at = transform.translation + Vec3::new(side * 4.0, 9.0, 0.0);
            let shape =
                PixelCollider::named(if frame.is_multiple_of(2) { "odd" } else { "letter" });
            let at = Transform::from_translation(at).with_scale(Vec3::splat(0.5));
            let bullet = (counts.key(), Bullet(flight), shape, at, Touching::default());
            commands.spawn((bullet, ColliderOwner(*hero)));
        }
    }
    // In the order of keys: a load changes the order of tables.
    let mut bullets: Vec<_> = bullets.iter_mut().collect();
    bullets.sort_by_key(|(_, key, ..)| **key);
    for (entity, key, bullet, mut transform) in bullets {
        transform.translation += bullet.0.extend(0.0);
        transform.rotate_z(0.125);
        if (frame + key.0).is_multiple_of(11) {
            commands.entity(entity).despawn();
        }
    }
}

fn spawn_hero(commands: &mut Commands, counts: &mut Counts, at: Vec3) {
    let hero = (PixelCollider::named("square"), Transform::from_translation(at));
    let hero = commands.spawn((counts.key(), hero, MoveAndSlide::default())).id();
    commands.entity(hero).insert((ColliderOwner(hero), Touching::default()));
}

/// Bullets that hit leave two sparks, which have no colliders yet when the frame is saved, and dig.
fn hit(
    hit: On<CollisionStart>,
    bullets: Query<&Transform, With<Bullet>>,
    mut counts: ResMut<Counts>,
    mut commands: Commands,
    mut pixels: ResMut<PixelWorld>,
    ground: Res<Ground>,
) {
    let Ok(&at) = bullets.get(hit.entity) else { return };
    counts.hits += 1;
    if bullets.contains(hit.other) {
        return;
    }
    commands.entity(hit.entity).try_despawn();
    if counts.hits.is_multiple_of(2) {
        for x in [-40.0, 40.0] {
            let at = at.with_translation(at.translation + Vec3::new(x, 60.0, 0.0));
            let spark = (Bullet(Vec2::new(-x / 9.0, -1.0)), PixelCollider::named("walk"), at);
            commands.spawn((counts.key(), spark));
        }
    }
    let x = (at.translation.x as i32).rem_euclid(400);
    let masks = pixels.world_mut().unwrap().masks_mut();
    { masks }.edit(ground.0, |mask| mask.fill_rect(Rect::new(x, 0, x + 4, 3), false));
}

fn game() -> App {
    let mut app = App::new();
    app.init_schedule(Frame);
    app.add_plugins((DefaultPlugins, HitmaskPlugin::new(Frame).with_atlas(atlas())));
    app.edit_schedule(Frame, |schedule| {
        // As in the schedule of `bevy_ggrs`.
        let ambiguity_detection = LogLevel::Error;
        let settings = ScheduleBuildSettings { ambiguity_detection, ..default() };
        schedule.set_build_settings(settings);
    });
    app.add_systems(Frame, play.before(TransformSystems::Propagate)).add_observer(hit);
    on_this_thread(&mut app);
    let mut counts = Counts::default();
    let world = app.world_mut();
    let masks = &mut world.resource_mut::<PixelWorld>();
    let masks = masks.world_mut().unwrap().masks_mut();
    let ground = { masks }.insert(Mask::solid(400, 40).unwrap(), Pivot::Center).unwrap();
    world.insert_resource(Ground(ground));
    world.spawn((counts.key(), PixelCollider::from_mask(ground), Touching::default()));
    let raster = Raster::new(&Mask::disc(9).unwrap(), Pivot::Center, Sampling::Nearest).unwrap();
    let at = Transform::from_xyz(0.0, 90.0, 0.0).with_scale(Vec3::new(4.0, 1.0, 1.0));
    world.spawn((counts.key(), PixelCollider::from_raster(raster), at));
    for x in [-60.0, 0.0, 70.0] {
        spawn_hero(&mut world.commands(), &mut counts, Vec3::new(x, 40.0, 0.0));
    }
    world.flush();
    world.insert_resource(counts);
    app
}

fn step(app: &mut App) {
    app.world_mut().run_schedule(Frame);
}

/// A copy of the components of an entity.
struct Parts {
    transform: Transform,
    collider: PixelCollider,
    state: ColliderState,
    bullet: Option<Bullet>,
    mover: Option<MoveAndSlide>,
    touching: Option<Touching>,
    owner: Option<(Entity, Option<Key>)>,
}

struct Save {
    pixels: PixelWorld,
    counts: Counts,
    entities: BTreeMap<Key, Parts>,
}

fn entities(app: &mut App) -> BTreeMap<Key, Entity> {
    let mut query = app.world_mut().query::<(Entity, &Key)>();
    query.iter(app.world()).map(|(entity, key)| (*key, entity)).collect()
}

fn save(app: &mut App) -> Save {
    let entities = entities(app).into_iter().map(|(key, entity)| {
        let entity = app.world().entity(entity);
        let key_of = |owner: &ColliderOwner| (owner.0, app.world().get::<Key>(owner.0).copied());
        let parts = Parts {
            transform: *entity.get().unwrap(),
            collider: entity.get::<PixelCollider>().unwrap().clone(),
            state: *entity.get().unwrap(),
            bullet: entity.get().copied(),
            mover: entity.get().copied(),
            touching: entity.get().cloned(),
            owner: entity.get().map(key_of),
        };
        (key, parts)
    });
    let entities = entities.collect();
    let (pixels, counts) = (app.world().resource(), app.world().resource());
    Save { pixels: PixelWorld::clone(pixels), counts: *counts, entities }
}

/// Loads a save, and returns the number of entities that were spawned again.
fn load(app: &mut App, save: &Save, with_state: bool) -> usize {
    let mut here = entities(app);
    for (_, entity) in here.extract_if(.., |key, _| !save.entities.contains_key(key)) {
        app.world_mut().despawn(entity);
    }
    let present = here.len();
    // In another order than before.
    for &key in save.entities.keys().rev() {
        here.entry(key).or_insert_with(|| app.world_mut().spawn(key).id());
    }
    app.world_mut().resource_mut::<PixelWorld>().load(&save.pixels).unwrap();
    app.world_mut().insert_resource(save.counts);
    for (key, parts) in save.entities.iter().rev() {
        let mut entity = app.world_mut().entity_mut(here[key]);
        parts.mover.map(|mover| entity.insert(mover));
        // An owner that is gone stays what it was.
        let owner = parts.owner.map(|(entity, key)| key.map_or(entity, |key| here[&key]));
        owner.map(|owner| entity.insert(ColliderOwner(owner)));
        entity.insert((parts.transform, parts.collider.clone()));
        if with_state {
            entity.insert(parts.state);
        }
        parts.bullet.map(|bullet| entity.insert(bullet));
        parts.touching.clone().map(|touching| entity.insert(touching));
    }
    app.world_mut().run_system_cached(after_load).unwrap();
    if with_state {
        assert_matched(app);
    }
    here.len() - present
}

fn hash(app: &App) -> u64 {
    app.world().resource::<PixelWorld>().state_hash()
}

/// Asserts that each entity has a collider of its own at its place, that there are no more colliders, and that `Touching`
/// lists the pairs.
fn assert_matched(app: &mut App) {
    // Those that were spawned by observers have none yet.
    let mut query =
        app.world_mut().query_filtered::<(Entity, Option<&Touching>), With<ColliderState>>();
    let pixels = app.world().resource::<PixelWorld>();
    let world = pixels.world().unwrap();
    let mut count = 0;
    for (entity, touching) in query.iter(app.world()) {
        assert_eq!(pixels.fault(entity), None);
        let Some(id) = pixels.id(entity) else { continue };
        count += 1;
        assert_eq!(pixels.entity(id), Some(entity));
        let shown = world.get(id).unwrap();
        let at = app.world().get::<Transform>(entity).unwrap().translation;
        let distance = at.truncate().distance(Vec2::new(shown.position[0], -shown.position[1]));
        assert!(distance < 2.0, "entity {entity} is at {at}, its collider at {:?}", shown.position);
        let Some(touching) = touching else { continue };
        let pairs = world.touching().iter().filter(|pair| pair.a == id || pair.b == id);
        let others = pairs.map(|pair| if pair.a == id { pair.b } else { pair.a });
        let mut others: Vec<Entity> = others.filter_map(|other| pixels.entity(other)).collect();
        others.sort();
        assert!(touching.iter().eq(others.iter().copied()), "{touching:?} {others:?}");
    }
    assert_eq!(count, world.len());
}

#[test]
fn frames_that_are_played_again_give_equal_hashes_with_spawns_and_despawns_between() {
    let mut app = game();
    let mut frames: Vec<(Save, u64)> = Vec::new();
    let (mut respawned, mut differ) = (0, Vec::new());
    for frame in 0..120_usize {
        frames.push((save(&mut app), hash(&app)));
        step(&mut app);
        assert_matched(&mut app);
        let Some(from) = (frame + 1).checked_sub(8) else { continue };
        let last = hash(&app);
        respawned += load(&mut app, &frames[from].0, true);
        for again in from + 1..=frame + 1 {
            step(&mut app);
            assert_matched(&mut app);
            let expected = frames.get(again).map_or(last, |(_, hash)| *hash);
            if hash(&app) != expected {
                let pixels = app.world().resource::<PixelWorld>();
                let difference =
                    frames.get(again).map(|(save, _)| save.pixels.first_difference(pixels));
                differ.push((frame, again, difference));
            }
        }
    }
    assert_eq!(differ, []);
    let counts = app.world().resource::<Counts>();
    assert!(
        respawned > 100 && counts.hits > 50 && counts.keys > 100,
        "{respawned} {}",
        counts.hits
    );
}

#[test]
fn colliders_are_rebuilt_for_entities_that_come_back_without_their_state() {
    let mut app = game();
    (0..30).for_each(|_| step(&mut app));
    let saved = save(&mut app);
    (0..8).for_each(|_| step(&mut app));
    assert!(load(&mut app, &saved, false) > 0);
    for _ in 0..8 {
        step(&mut app);
        assert_matched(&mut app);
    }
}

#[test]
fn a_component_that_was_not_loaded_decides_after_a_load_too() {
    let mut app = game();
    step(&mut app);
    let saved = app.world().resource::<PixelWorld>().clone();
    let hero = entities(&mut app)[&Key(4)];
    app.world_mut().entity_mut(hero).insert(CollisionLayers::new(4, 2));
    step(&mut app);
    app.world_mut().resource_mut::<PixelWorld>().load(&saved).unwrap();
    step(&mut app);
    let pixels = app.world().resource::<PixelWorld>();
    let shown = pixels.world().unwrap().get(pixels.id(hero).unwrap()).unwrap();
    assert_eq!((shown.layers, shown.collides_with), (4, 2));
}

#[test]
fn a_load_that_brings_no_entity_back_removes_their_colliders() {
    let mut app = game();
    (0..30).for_each(|_| step(&mut app));
    let saved = app.world().resource::<PixelWorld>().clone();
    for entity in entities(&mut app).into_values() {
        app.world_mut().despawn(entity);
    }
    step(&mut app);
    app.world_mut().resource_mut::<PixelWorld>().load(&saved).unwrap();
    assert!(app.world().resource::<PixelWorld>().world().unwrap().len() > 5);
    step(&mut app);
    assert_matched(&mut app);
    assert_eq!(app.world().resource::<PixelWorld>().world().unwrap().len(), 0);
}

#[test]
fn a_save_of_another_atlas_is_refused_and_changes_nothing() {
    let mut app = game();
    (0..9).for_each(|_| step(&mut app));
    let before = app.world().resource::<PixelWorld>().clone();
    let other = AtlasBuilder::new().mask("square", Mask::disc(5).unwrap());
    let other = Atlas::from_vec(other.to_bytes().unwrap()).unwrap();
    let mut others = PixelWorld::default();
    let id = others.add_atlas(other).unwrap();
    let mut pixels = app.world_mut().resource_mut::<PixelWorld>();
    assert_eq!(pixels.load(&others), Err(CallError::UnknownAtlas(id)));
    let here = pixels.world().unwrap().atlas().id();
    assert_eq!(pixels.load(&PixelWorld::default()), Err(CallError::UnknownAtlas(here)));
    assert_eq!(pixels.first_difference(&before), None);
    assert_eq!(
        pixels.first_difference(&PixelWorld::default()).as_deref(),
        Some("one has no atlas")
    );
    assert_eq!(pixels.state_hash(), before.state_hash());
    assert_eq!(PixelWorld::default().state_hash(), 0);
    step(&mut app);
    assert_matched(&mut app);
}

#[test]
fn the_first_difference_names_the_entity() {
    let mut app = game();
    step(&mut app);
    let hero = entities(&mut app)[&Key(4)];
    let before = app.world().resource::<PixelWorld>().clone();
    let mut pixels = app.world_mut().resource_mut::<PixelWorld>();
    let id = pixels.id(hero).unwrap();
    pixels.world_mut().unwrap().move_to(id, [3.5, 0.0]).unwrap();
    let difference = before.first_difference(&pixels).unwrap();
    let expected = format!("entity {hero}, collider {}: position.x ", id.index());
    assert!(difference.starts_with(&expected) && difference.ends_with("/ 3.5"), "{difference}");
}

#[test]
fn entities_in_lists_are_mapped() {
    let mut world = World::new();
    let [a, b, c] = [(); 3].map(|()| world.spawn_empty().id());
    let mut swap = bevy::ecs::entity::EntityHashMap::from_iter([(a, c), (c, a)]);
    use bevy::ecs::entity::MapEntities;
    let mut owner = ColliderOwner(a);
    owner.map_entities(&mut swap);
    let mut moved = MoveOutcome { passed: vec![b, c], stuck_in: vec![a], ..default() };
    moved.map_entities(&mut swap);
    assert_eq!((owner.0, moved.passed, moved.stuck_in), (c, vec![b, a], vec![c]));
}
