//! The hero of the guide's chapter "Walking" in Bevy: it runs, climbs, jumps, drops through ledges, and rides a belt
//! and a lift, by a file of keys. It prints the places that the program has in every other language.
//!
//! `cargo run --example hero`

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_hitmask::hitmask::{Atlas, MoveRules, Side};
use bevy_hitmask::{HitmaskPlugin, MapItem, MoveAndSlide, MoveOutcome, PixelCollider, PixelWorld};
use std::{error::Error, fs, path::Path, time::Duration};

#[derive(Component, Default)]
struct Hero {
    /// What the hero stands on.
    floor: Option<Entity>,
    /// Speed downwards, in pixels per tick.
    speed: f32,
    ticks_in_air: u32,
    has_jumped: bool,
}

/// The keys, one for each tick of the game. The plugin moves a collider once per tick of its own, and the hero moves
/// sideways first. So a tick of the game takes two.
#[derive(Resource)]
struct Script {
    keys: Vec<char>,
    halves: usize,
}

fn setup(mut commands: Commands, pixels: Res<PixelWorld>) -> Result {
    let course = pixels.world().and_then(|world| world.atlas().map("course"));
    let start = course.iter().flat_map(|map| &map.items).find(|item| item.name == "start");
    let [x, y] = start.ok_or("no start")?.position;
    pixels.spawn_map(&mut commands, "course", Transform::IDENTITY)?;
    let rules = MoveRules { climb: 3, one_way: 2, ..default() };
    let mover = MoveAndSlide { rules, ..default() };
    let at = Transform::from_xyz(x, -y, 0.0);
    commands.spawn((Hero::default(), PixelCollider::named("hero"), mover, at));
    Ok(())
}

fn play(
    mut script: ResMut<Script>,
    hero: Single<(&mut Hero, &mut MoveAndSlide, &MoveOutcome, &mut Transform)>,
    mut items: Query<(&Name, &MapItem, &mut Transform), Without<Hero>>,
    mut lift_start: Local<Option<f32>>,
) {
    let (mut hero, mut mover, moved, mut place) = hero.into_inner();
    let (tick, is_second_half) = (script.halves / 2, script.halves % 2 == 1);
    let Some(&key) = script.keys.get(tick) else { return };
    script.halves += 1;
    let is = |keys: &str| keys.contains(key);
    let (left, right, jump, down) = (is("<\\"), is(">/"), is("^/\\"), is("v"));
    if !is_second_half {
        if tick > 0 {
            // What the fall of the last tick met.
            let below = moved.contacts.iter().find(|(_, side)| *side == Side::Below);
            hero.floor = below.map(|&(entity, _)| entity);
            hero.ticks_in_air = if hero.floor.is_some() { 0 } else { hero.ticks_in_air + 1 };
            if !moved.contacts.is_empty() {
                hero.speed = 0.0; // On the ground, or at a ceiling.
            }
        }
        // The lift goes up and down by 1 px per tick.
        for (_, _, mut lift) in items.iter_mut().filter(|(name, ..)| name.as_str() == "lift") {
            let start = *lift_start.get_or_insert(lift.translation.y);
            lift.translation.y = start + (80 - (tick as i32 % 160 - 80).abs()) as f32;
        }
        // Sideways first. The belt carries the hero to the left.
        let floor = hero.floor.and_then(|floor| items.get(floor).ok());
        let drift =
            if floor.is_some_and(|(name, ..)| name.as_str() == "belt") { -1.0 } else { 0.0 };
        let run = 1.5 * (f32::from(right) - f32::from(left));
        mover.motion = Vec2::new(run + drift, 0.0);
        return;
    }
    let floor = hero.floor.and_then(|floor| items.get(floor).ok());
    // Coyote time: a jump still works 6 ticks after the hero has left the ground.
    if jump && !hero.has_jumped && hero.ticks_in_air <= 6 {
        (hero.speed, hero.ticks_in_air, hero.floor) = (-5.0, 7, None);
    } else if down && floor.is_some_and(|(_, item, _)| item.class == "one-way") {
        // A one-way platform raises what is up to 2 px deep in it, by the rule `rise`. So 3 px down fall through.
        place.translation.y -= 3.0;
        hero.floor = None;
    }
    hero.has_jumped = jump;
    // In the air the hero falls. On the ground 2 px down keep it on a slope.
    hero.speed = f32::min(hero.speed + 0.25, 6.0);
    mover.motion = Vec2::new(0.0, if hero.floor.is_some() { -2.0 } else { -hero.speed });
}

/// Plays the keys, and returns a line for each tick: the place of the hero in pixels of the map.
fn places() -> Result<String, Box<dyn Error>> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("guide");
    let keys = fs::read_to_string(guide.join("keys.txt"))?;
    let keys: Vec<char> = keys.chars().filter(|key| !key.is_whitespace()).collect();
    let ticks = keys.len();
    let mut app = App::new();
    let atlas = Atlas::open(guide.join("art.hitmask"))?;
    app.add_plugins((DefaultPlugins, HitmaskPlugin::default().with_atlas(atlas)))
        .insert_resource(Script { keys, halves: 0 })
        // Each update is one tick of the plugin, except for the first, which takes no time.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, play);
    app.update();
    let mut lines = String::new();
    for _ in 0..ticks {
        app.update();
        app.update();
        let world = app.world_mut();
        let at = world.query_filtered::<&Transform, With<Hero>>().single(world)?.translation;
        lines += &format!("{} {}\n", at.x, -at.y);
    }
    Ok(lines)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", places()?);
    Ok(())
}

#[test]
fn the_places_are_those_of_the_program_in_other_languages() {
    let expected = include_str!("../../guide/examples/hero/prints.txt");
    let places = places().unwrap();
    assert_eq!([&places, expected].map(|text| text.lines().count()), [600; 2]);
    for (tick, (place, expected)) in places.lines().zip(expected.lines()).enumerate() {
        assert_eq!(place, expected, "tick {tick}");
    }
}
