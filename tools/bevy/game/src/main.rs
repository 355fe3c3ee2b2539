//! The README's game: prints what the ship hits.

use bevy::prelude::*;
use bevy_hitmask::{CollisionStart, HitmaskPlugin, PixelCollider};

hitmask::include_atlas!(sprites);

fn main() {
    let hitmask = HitmaskPlugin::default().with_static(sprites::BYTES);
    App::new().add_plugins((DefaultPlugins, hitmask)).add_systems(Startup, setup).run();
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Camera2d);
    let saucer = Sprite::from_image(assets.load("enemies/saucer.png"));
    commands.spawn((saucer, PixelCollider::new(sprites::ENEMIES_SAUCER), Name::new("saucer")));
    let ship = Sprite::from_image(assets.load("ship.png"));
    commands
        .spawn((ship, PixelCollider::new(sprites::SHIP), Transform::from_xyz(-30.0, 0.0, 0.0)))
        .observe(|hit: On<CollisionStart>, names: Query<&Name>| {
            names.get(hit.other).iter().for_each(|name| println!("the ship hits the {name}"));
        });
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::time::TimeUpdateStrategy;
    use std::time::Duration;

    #[test]
    fn the_ship_hits_the_saucer() {
        let mut app = App::new();
        let hitmask = HitmaskPlugin::default().with_static(sprites::BYTES);
        app.add_plugins((DefaultPlugins, hitmask)).add_systems(Startup, setup);
        let tick = Duration::from_secs_f64(1.0 / 64.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
        (0..3).for_each(|_| app.update());
        let hits = app.world().resource::<Messages<CollisionStart>>();
        assert_eq!(hits.len(), 2, "one for each entity");
    }

    #[test]
    fn the_readme_is_short_and_shows_this_program_of_at_most_25_lines() {
        let readme = include_str!("../../README.md");
        assert!(readme.lines().count() <= 100);
        let mut lines = 2; // the commands that add the dependencies
        for file in [include_str!("../build.rs"), include_str!("main.rs")] {
            let (_, code) = file.split_once("\n\n").unwrap();
            let code = code.split("\n#[cfg(test)]").next().unwrap();
            assert!(readme.contains(code), "README.md does not show:\n{code}");
            lines += code.lines().filter(|line| !line.is_empty()).count();
        }
        assert!(lines <= 25, "{lines} lines");
    }

    #[test]
    fn the_chapter_of_the_guide_shows_both_programs() {
        let chapter = include_str!("../../../guide/chapters/bevy.md");
        for link in ["README.md \"game\"", "game/src/headless.rs"] {
            let link = format!("](../../bevy/{link})\n");
            assert!(chapter.contains(&link), "bevy.md does not have:{link}");
        }
    }
}
