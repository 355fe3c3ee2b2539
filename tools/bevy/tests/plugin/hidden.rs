//! Sprites that are hidden by their visibility, or by that of a parent.

use crate::support::*;
use bevy::prelude::*;
use bevy_hitmask::{HitmaskPlugin, PixelCollider};

fn show(app: &mut App, entity: Entity, visibility: Visibility) {
    app.world_mut().entity_mut(entity).insert(visibility);
}

#[test]
fn hidden_sprites_collide_by_default() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    show(&mut app, a, Visibility::Hidden);
    assert_eq!(tick(&mut app).0, both(a, b));
    show(&mut app, b, Visibility::Hidden);
    assert_eq!(tick(&mut app), (vec![], vec![]));
}

#[test]
fn hidden_sprites_are_left_out_in_the_same_tick_if_the_plugin_says_so() {
    for plugin in [HitmaskPlugin::default(), HitmaskPlugin::new(PostUpdate)] {
        let mut app = app_with(plugin.with_atlas(atlas()).collide_hidden(false));
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let parent = app.world_mut().spawn((Transform::IDENTITY, Visibility::Inherited)).id();
        let b = (PixelCollider::named("square"), Visibility::Inherited, ChildOf(parent));
        let b = app.world_mut().spawn(b).id();
        assert_eq!(tick(&mut app).0, both(a, b));
        for hidden in [parent, b] {
            show(&mut app, hidden, Visibility::Hidden);
            assert_eq!(tick(&mut app).1, both(a, b));
            // It moves while it is hidden.
            app.world_mut().get_mut::<Transform>(b).unwrap().translation.x += 1.0;
            assert_eq!(tick(&mut app), (vec![], vec![]));
            show(&mut app, hidden, Visibility::Inherited);
            assert_eq!(tick(&mut app).0, both(a, b));
        }
        // A child may be shown though its parent is hidden.
        show(&mut app, b, Visibility::Visible);
        show(&mut app, parent, Visibility::Hidden);
        assert_eq!(tick(&mut app), (vec![], vec![]));
        // A collider without the component is never hidden, and a hidden one may show another sprite, and go.
        assert!(touch(&app, a, b));
        show(&mut app, b, Visibility::Hidden);
        app.world_mut().entity_mut(b).insert(PixelCollider::named("letter"));
        assert_eq!(tick(&mut app).1, both(a, b));
        app.world_mut().entity_mut(b).remove::<PixelCollider>();
        assert_eq!(tick(&mut app), (vec![], vec![]));
    }
}
