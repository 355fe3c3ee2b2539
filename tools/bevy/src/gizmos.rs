//! Draws what collides: outlines, boxes, contacts and normals.

use crate::components::PixelCollider;
use crate::pixel_world::PixelWorld;
use crate::queries::up_rect;
use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::TransformSystems;
use std::collections::HashSet;

/// Draws the colliders of the last tick with Bevy's gizmos. [`PixelGizmos`] has the colours.
///
/// Each outline is traced anew in each frame. So use the plugin to look for faults, not in thousands of sprites.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_hitmask::{HitmaskPlugin, PixelGizmosPlugin};
/// App::new().add_plugins((DefaultPlugins, HitmaskPlugin::default(), PixelGizmosPlugin)).run();
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PixelGizmosPlugin;

/// The colours of [`PixelGizmosPlugin`]. `None` draws nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_hitmask::PixelGizmos;
/// fn show_boxes(mut gizmos: ResMut<GizmoConfigStore>) {
///     gizmos.config_mut::<PixelGizmos>().1.boxes = Some(Color::WHITE);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Reflect, GizmoConfigGroup)]
#[reflect(Clone, Default)]
pub struct PixelGizmos {
    /// Outlines of colliders that touch nothing.
    pub outlines: Option<Color>,
    /// Outlines of colliders that touch others.
    pub touching: Option<Color>,
    /// Tight boxes of colliders.
    pub boxes: Option<Color>,
    /// Boxes around the shared pixels of touching pairs.
    pub contacts: Option<Color>,
    /// Normals of touching pairs: arrows in which the first collider leaves the second.
    pub normals: Option<Color>,
    /// Length of the arrows, in pixels.
    pub normal_length: f32,
}

impl Default for PixelGizmos {
    fn default() -> Self {
        Self {
            outlines: Some(Color::srgb(0.3, 0.8, 0.3)),
            touching: Some(Color::srgb(1.0, 0.3, 0.2)),
            boxes: None,
            contacts: Some(Color::srgb(1.0, 0.9, 0.2)),
            normals: Some(Color::srgb(0.3, 0.6, 1.0)),
            normal_length: 16.0,
        }
    }
}

impl Plugin for PixelGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<PixelGizmos>().add_systems(
            PostUpdate,
            draw.after(TransformSystems::Propagate)
                .run_if(|store: Res<GizmoConfigStore>| store.config::<PixelGizmos>().0.enabled),
        );
    }
}

fn draw(
    mut gizmos: Gizmos<PixelGizmos>,
    pixels: Res<PixelWorld>,
    colliders: Query<Entity, With<PixelCollider>>,
) {
    let Some(world) = pixels.world().filter(|world| world.is_updated()) else { return };
    let (style, scale) = (gizmos.config_ext.clone(), world.atlas().resolution());
    let touching: HashSet<_> = world.touching().iter().flat_map(|pair| [pair.a, pair.b]).collect();
    for entity in &colliders {
        let Some(id) = pixels.id(entity) else { continue };
        if !world.get(id).is_some_and(|collider| collider.enabled) {
            continue;
        }
        let color = if touching.contains(&id) { style.touching } else { style.outlines };
        if let (Some(color), Some(posed)) = (color, world.posed(id)) {
            // Steps of an outline: from the first point of each to the second.
            for [from, to] in edges(posed.mask) {
                let up = |at: [i32; 2]| {
                    let [x, y] = [posed.origin.x + at[0], posed.origin.y + at[1]];
                    Vec2::new(x as f32, -y as f32) / scale
                };
                gizmos.line_2d(up(from), up(to), color);
            }
        }
        if let (Some(color), Some(rect)) = (style.boxes, world.rect(id)) {
            let rect = up_rect(rect, scale);
            gizmos.rect_2d(rect.center(), rect.size(), color);
        }
    }
    for pair in world.touching() {
        let Some(touch) = world.pair(pair) else { continue };
        let Some(contact) = touch.contact() else { continue };
        let rect = up_rect(contact.rect, scale);
        if let Some(color) = style.contacts {
            gizmos.rect_2d(rect.center(), rect.size(), color);
        }
        if let (Some(color), Some(normal)) = (style.normals, touch.normal_of(pair.a)) {
            let along = Vec2::new(normal.x, -normal.y) * style.normal_length;
            gizmos.arrow_2d(rect.center(), rect.center() + along, color);
        }
    }
}

/// Returns the edges between solid and clear pixels of a mask, joined along rows and columns.
fn edges(mask: hitmask::MaskRef<'_>) -> Vec<[[i32; 2]; 2]> {
    let (width, height) = (mask.width() as i32, mask.height() as i32);
    let is_solid = |x: i32, y: i32| mask.get(x, y);
    let mut edges = Vec::new();
    let mut join = |lines: i32,
                    steps: i32,
                    is_edge: &dyn Fn(i32, i32) -> bool,
                    at: fn(i32, i32) -> [i32; 2]| {
        for line in 0..=lines {
            let mut start = None;
            for step in 0..=steps {
                match (start, step < steps && is_edge(line, step)) {
                    (None, true) => start = Some(step),
                    (Some(from), false) => {
                        edges.push([at(line, from), at(line, step)]);
                        start = None;
                    }
                    _ => {}
                }
            }
        }
    };
    join(height, width, &|y, x| is_solid(x, y) != is_solid(x, y - 1), |y, x| [x, y]);
    join(width, height, &|x, y| is_solid(x, y) != is_solid(x - 1, y), |x, y| [x, y]);
    edges
}
