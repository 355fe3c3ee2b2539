//! Hover and click by pixels: a ring lets the pointer through its hole.
//!
//! `cargo run --example picking --features picking`

use bevy::prelude::*;
use bevy_hitmask::hitmask::{Atlas, AtlasBuilder, Mask};
use bevy_hitmask::{HitmaskPlugin, PixelCollider, PixelPickingPlugin};

fn atlas() -> Atlas {
    let mut ring = Mask::disc(40).unwrap();
    ring.erase(&Mask::disc(20).unwrap(), [20, 20]);
    let bake = AtlasBuilder::new().mask("ring", ring).mask("coin", Mask::disc(10).unwrap());
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

fn game(app: &mut App) {
    let hitmask = HitmaskPlugin::new(PostUpdate).with_atlas(atlas());
    app.add_plugins((hitmask, PickingPlugin, PixelPickingPlugin)).add_systems(Startup, setup);
}

fn setup(mut commands: Commands) {
    commands.spawn(Camera2d);
    // The coin lies behind the ring, in its hole.
    let coin = (PixelCollider::named("coin"), Transform::from_xyz(0.5, 0.5, 0.0));
    commands.spawn((Name::new("coin"), coin)).observe(say);
    let ring = (PixelCollider::named("ring"), Transform::from_xyz(0.5, 0.5, 1.0));
    commands.spawn((Name::new("ring"), ring)).observe(say);
}

fn say(click: On<PointerClick>, names: Query<&Name>) {
    if let Ok(name) = names.get(click.entity) {
        println!("clicked the {name}");
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    game(&mut app);
    app.run();
}

#[test]
fn the_pointer_picks_pixels_and_not_boxes() {
    use bevy::picking::PickingSystems;
    use bevy::picking::backend::{
        PointerHits,
        ray::{RayId, RayMap},
    };
    use bevy::picking::pointer::PointerId;

    /// Where the pointer is.
    #[derive(Resource)]
    struct Cursor(Vec2);
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    game(&mut app);
    app.insert_resource(Cursor(Vec2::ZERO));
    // There is no window, so the ray of the pointer is made here.
    let point =
        |mut rays: ResMut<RayMap>, cursor: Res<Cursor>, camera: Single<Entity, With<Camera>>| {
            let id = RayId { camera: *camera, pointer: PointerId::Mouse };
            let ray = Ray3d::new(cursor.0.extend(100.0), Dir3::NEG_Z);
            rays.map.insert(id, ray);
        };
    app.add_systems(
        PreUpdate,
        point.before(PickingSystems::Backend).after(PickingSystems::ProcessInput),
    );
    app.update();
    let mut names = app.world_mut().query::<&Name>();
    let mut picked = |x: f32| -> Vec<String> {
        app.world_mut().resource_mut::<Cursor>().0 = Vec2::new(x, 0.5);
        app.world_mut().resource_mut::<Messages<PointerHits>>().clear();
        app.update();
        let hits: Vec<PointerHits> =
            app.world_mut().resource_mut::<Messages<PointerHits>>().drain().collect();
        let mut picks: Vec<_> = hits.into_iter().flat_map(|hits| hits.picks).collect();
        picks.sort_by(|a, b| a.1.depth.total_cmp(&b.1.depth));
        let mut name = |entity| names.get(app.world(), entity).unwrap().to_string();
        picks.into_iter().map(|(entity, _)| name(entity)).collect()
    };
    assert_eq!(picked(0.5), ["coin"], "through the hole");
    assert_eq!(picked(30.5), ["ring"]);
    assert_eq!(picked(15.5), [""; 0], "between the coin and the ring");
    assert_eq!(picked(60.5), [""; 0]);
}
