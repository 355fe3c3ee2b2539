//! Gizmos of colliders and contacts.

use crate::support::*;
use bevy::gizmos::GizmoPlugin;
use bevy::prelude::*;
use bevy_hitmask::{ColliderDisabled, PixelGizmos, PixelGizmosPlugin};

#[test]
fn gizmos_outline_colliders_where_they_are() {
    let mut app = app();
    app.add_plugins((GizmoPlugin, PixelGizmosPlugin));
    spawn(&mut app, "square", 20.0, 10.0);
    let hidden = spawn(&mut app, "square", 90.0, 10.0);
    app.world_mut().entity_mut(hidden).insert(ColliderDisabled);
    tick(&mut app);
    tick(&mut app);
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    let style = store.config_mut::<PixelGizmos>().1;
    style.outlines = Some(Color::WHITE);
    style.boxes = Some(Color::BLACK);
    tick(&mut app);
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let lines: Vec<Vec2> = assets
        .iter()
        .flat_map(|(_, asset)| &asset.buffer().list_positions)
        .map(|at| at.truncate())
        .collect();
    let corners = [[15.0, 5.0], [15.0, 15.0], [25.0, 5.0], [25.0, 15.0]].map(Vec2::from);
    assert!(lines.len() >= 8, "{lines:?}");
    assert!(corners.iter().all(|corner| lines.contains(corner)), "{lines:?}");
    assert!(lines.iter().all(|at| at.x <= 25.0), "{lines:?}");
}
