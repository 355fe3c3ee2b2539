//! Ships and saucers that drift and turn. Sprites that touch others are red, and gizmos draw the outlines and the
//! contacts. Drag a sprite with the mouse.
//!
//! `BEVY_ASSET_ROOT=../game cargo run --release` in this folder, with rustc 1.97.1 or newer.

use bevy::prelude::*;
use bevy_hitmask::{HitmaskPlugin, PixelCollider, PixelGizmosPlugin, PixelPickingPlugin, Touching};

hitmask::include_atlas!(sprites);

/// Half the sides of the area in which sprites drift.
const AREA: Vec2 = Vec2::new(600.0, 340.0);

#[derive(Component)]
struct Drift {
    velocity: Vec2,
    turn: f32,
}

fn main() {
    let mut app = App::new();
    app.add_plugins((DefaultPlugins, game));
    app.run();
}

fn game(app: &mut App) {
    let hitmask = HitmaskPlugin::default().with_static(sprites::BYTES);
    app.add_plugins((hitmask, PixelGizmosPlugin, PixelPickingPlugin))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, drift)
        .add_systems(Update, light);
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Camera2d);
    let ship = (sprites::SHIP, assets.load("ship.png"));
    let saucer = (sprites::ENEMIES_SAUCER, assets.load("enemies/saucer.png"));
    for i in 0..60 {
        let (sprite, image): &(_, Handle<Image>) = if i % 2 == 0 { &ship } else { &saucer };
        let angle = i as f32 * 2.4;
        let at = Vec2::from_angle(angle) * (i as f32 * 5.0);
        commands
            .spawn((
                Sprite::from_image(image.clone()),
                PixelCollider::new(*sprite),
                Touching::default(),
                Drift { velocity: Vec2::from_angle(angle * 1.7) * 40.0, turn: 0.5 - angle % 1.0 },
                Transform::from_translation(at.extend(i as f32)),
            ))
            .observe(drag);
    }
}

fn drift(mut sprites: Query<(&mut Transform, &Drift)>, time: Res<Time>) {
    for (mut transform, drift) in &mut sprites {
        transform.translation += (drift.velocity * time.delta_secs()).extend(0.0);
        transform.rotate_z(drift.turn * time.delta_secs());
        // Sprites that leave on one side enter on the opposite one.
        let at = transform.translation.truncate();
        let inside = (at + AREA).rem_euclid(2.0 * AREA) - AREA;
        transform.translation = inside.extend(transform.translation.z);
    }
}

fn light(mut sprites: Query<(&mut Sprite, &Touching), Changed<Touching>>) {
    for (mut sprite, touching) in &mut sprites {
        sprite.color = if touching.is_empty() { Color::WHITE } else { Color::srgb(1.0, 0.4, 0.4) };
    }
}

fn drag(drag: On<PointerDrag>, mut transforms: Query<&mut Transform>) {
    if let Ok(mut transform) = transforms.get_mut(drag.entity) {
        transform.translation += Vec3::new(drag.delta.x, -drag.delta.y, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::gizmos::GizmoPlugin;
    use bevy::time::TimeUpdateStrategy;
    use std::time::Duration;

    #[test]
    fn sprites_that_touch_are_red() {
        let mut app = App::new();
        app.add_plugins((DefaultPlugins, GizmoPlugin, PickingPlugin, game));
        let tick = Duration::from_secs_f64(1.0 / 64.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
        (0..64).for_each(|_| app.update());
        let world = app.world_mut();
        let mut sprites = world.query::<(&Sprite, &Touching)>();
        let (mut lit, mut all) = (0, 0);
        for (sprite, touching) in sprites.iter(world) {
            assert_eq!(sprite.color == Color::WHITE, touching.is_empty());
            lit += usize::from(!touching.is_empty());
            all += 1;
        }
        assert!(all == 60 && lit > 5 && lit < 60, "{lit} of {all}");
    }
}
