//! The part of the crate `bevy` that the tests, examples and README of `bevy_hitmask` use.
//!
//! Bevy's renderer needs a newer compiler and a window. This crate has the same names without both, so that the code
//! of a game compiles and runs headless. A game depends on `bevy` instead.

/// As `bevy::prelude`.
pub mod prelude {
    pub use crate::{DefaultPlugins, MinimalPlugins, default};
    pub use bevy_app::prelude::*;
    pub use bevy_asset::prelude::*;
    pub use bevy_camera::prelude::*;
    pub use bevy_color::Color;
    pub use bevy_ecs::prelude::*;
    pub use bevy_gizmos::prelude::*;
    pub use bevy_image::prelude::*;
    pub use bevy_math::prelude::*;
    pub use bevy_picking::prelude::*;
    pub use bevy_reflect::prelude::*;
    pub use bevy_shape::prelude::*;
    pub use bevy_sprite::prelude::*;
    pub use bevy_time::prelude::*;
    pub use bevy_transform::prelude::*;
}

pub use {
    bevy_app as app, bevy_asset as asset, bevy_camera as camera, bevy_color as color,
    bevy_ecs as ecs, bevy_gizmos as gizmos, bevy_image as image, bevy_math as math,
    bevy_picking as picking, bevy_reflect as reflect, bevy_shape as shape, bevy_sprite as sprite,
    bevy_tasks as tasks, bevy_time as time, bevy_transform as transform, bevy_window as window,
};

use bevy_app::{App, AppExit, Plugin, PluginGroup, PluginGroupBuilder};
use std::time::{Duration, Instant};

/// As `bevy::utils::default`.
#[must_use]
pub fn default<T: Default>() -> T {
    T::default()
}

/// As `bevy::MinimalPlugins`, without the count of frames.
#[derive(Debug)]
pub struct MinimalPlugins;

impl PluginGroup for MinimalPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(bevy_app::TaskPoolPlugin::default())
            .add(bevy_time::TimePlugin)
            .add(bevy_app::ScheduleRunnerPlugin::default())
    }
}

/// As `bevy::DefaultPlugins`, without window, input and renderer. An app runs as if its window was closed after half a
/// second.
#[derive(Debug)]
pub struct DefaultPlugins;

impl PluginGroup for DefaultPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(ClosedWindow)
            .add(bevy_app::TaskPoolPlugin::default())
            .add(bevy_time::TimePlugin)
            .add(bevy_transform::TransformPlugin)
            .add(bevy_asset::AssetPlugin::default())
            .add(bevy_image::ImagePlugin::default())
            .add(bevy_image::TextureAtlasPlugin)
    }
}

/// Runs the frames of an app for half a second.
struct ClosedWindow;

impl Plugin for ClosedWindow {
    fn build(&self, app: &mut App) {
        app.set_runner(|mut app| {
            app.finish();
            app.cleanup();
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(500) {
                app.update();
                if let Some(exit) = app.should_exit() {
                    return exit;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            AppExit::Success
        });
    }
}
