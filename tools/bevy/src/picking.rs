//! A backend of Bevy's picking: pointers pick entities by the pixels of their colliders.
//!
//! A pointer ray is followed to the plane of each sprite, so cameras of any projection work that do not look along
//! that plane. Colliders of all accuracies are picked by their pixels.

use crate::pixel_world::PixelWorld;
use crate::queries::{PixelQuery, QueryFilter};
use bevy_app::{App, Plugin, PreUpdate};
use bevy_camera::Camera;
use bevy_camera::visibility::{RenderLayers, ViewVisibility};
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};
use bevy_transform::components::GlobalTransform;

/// Lets pointers hover, click and drag the entities of colliders, by their pixels.
///
/// Of several entities under a pointer, the one of greatest z is on top. Bevy's `Pickable` is honoured, and so are
/// render layers and visibility. The answers are those of the last tick.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_hitmask::{HitmaskPlugin, PixelCollider, PixelPickingPlugin};
///
/// let mut app = App::new();
/// app.add_plugins((DefaultPlugins, PickingPlugin, HitmaskPlugin::default(), PixelPickingPlugin));
/// app.world_mut().spawn(PixelCollider::named("door")).observe(|_: On<PointerClick>| println!("knock"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PixelPickingPlugin;

impl Plugin for PixelPickingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, pick.in_set(PickingSystems::Backend));
    }
}

/// What decides whether an entity is picked.
type Target = (
    &'static GlobalTransform,
    Option<&'static Pickable>,
    Option<&'static RenderLayers>,
    Option<&'static ViewVisibility>,
);

fn pick(
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Option<&RenderLayers>)>,
    targets: Query<Target>,
    pixels: PixelQuery,
    world: Option<Res<PixelWorld>>,
    mut hits: MessageWriter<PointerHits>,
) {
    if world.is_none() {
        return;
    }
    // The planes of sprites at other depths are hit elsewhere, unless the ray is at a right angle to them.
    for (id, ray) in rays.iter() {
        let ray = (ray.origin, ray.direction);
        let Ok((camera, layers)) = cameras.get(id.camera) else { continue };
        if !camera.is_active {
            continue;
        }
        let Some(point) = at_depth(ray, 0.0) else { continue };
        let is_upright = ray.1.x == 0.0 && ray.1.y == 0.0;
        let found = match is_upright {
            true => pixels.at_point(point.truncate(), QueryFilter::ALL),
            false => slanted(ray, &targets, &pixels),
        };
        let picks: Vec<(Entity, HitData)> = found
            .into_iter()
            .filter_map(|entity| {
                let (transform, pickable, own_layers, visibility) = targets.get(entity).ok()?;
                let is_ignored = pickable.is_some_and(|pickable| *pickable == Pickable::IGNORE);
                let is_hidden = visibility.is_some_and(|visibility| !visibility.get());
                let is_shown =
                    layers.unwrap_or_default().intersects(own_layers.unwrap_or_default());
                if is_ignored || is_hidden || !is_shown {
                    return None;
                }
                let at = at_depth(ray, transform.translation().z)?;
                let depth = (at - ray.0).dot(*ray.1);
                (depth >= 0.0).then(|| (entity, HitData::new(id.camera, depth, Some(at), None)))
            })
            .collect();
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}

/// Returns the entities that a ray meets in the plane of their own z.
fn slanted(ray: (Vec3, Dir3), targets: &Query<Target>, pixels: &PixelQuery<'_>) -> Vec<Entity> {
    let mut depths: Vec<f32> = targets.iter().map(|target| target.0.translation().z).collect();
    depths.sort_unstable_by(f32::total_cmp);
    depths.dedup();
    let mut found = Vec::new();
    for z in depths {
        let Some(at) = at_depth(ray, z) else { continue };
        let here = pixels.at_point(at.truncate(), QueryFilter::ALL).into_iter();
        found.extend(here.filter(|&entity| {
            targets.get(entity).is_ok_and(|target| target.0.translation().z == z)
        }));
    }
    found
}

/// Returns the point of a ray at a z; `None` if the ray is parallel to that plane.
fn at_depth((origin, direction): (Vec3, Dir3), z: f32) -> Option<Vec3> {
    let distance = (z - origin.z) / direction.z;
    distance.is_finite().then(|| origin + *direction * distance)
}
