//! Bad input: a warning once, the collider disabled, and enabled again when it is mended.

use crate::support::{app, app_with, atlas, bake, both, spawn, tick, touch};
use bevy::prelude::*;
use bevy_hitmask::hitmask::{Atlas, AtlasBuilder, CallError, Mask, Pivot};
use bevy_hitmask::{
    ColliderError, ColliderFault, ColliderFrame, ColliderPlane, HitmaskPlugin, MoveAndSlide,
    PixelAtlas, PixelCollider, PixelWorld, Stretch,
};
use std::cell::RefCell;
use std::fmt::{Debug, Write};
use std::sync::Once;
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber, span};

thread_local! {
    static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Keeps the text of each warning for the thread that it was said on. Set for the whole process: one that is set for a
/// thread misses warnings while tests on other threads begin and end.
struct Warnings;

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= tracing::Level::WARN && metadata.target().starts_with("bevy_hitmask")
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        struct Text(String);
        impl Visit for Text {
            fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
                write!(self.0, "{value:?}").unwrap();
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        SAID.with_borrow_mut(|said| said.push(text.0));
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

impl Warnings {
    fn take(&self) -> Vec<String> {
        SAID.take()
    }
}

/// Runs a test with the warnings of its thread. The systems of the plugin run on it.
fn watched(test: impl FnOnce(&Warnings)) {
    static START: Once = Once::new();
    START.call_once(|| tracing::subscriber::set_global_default(Warnings).unwrap());
    SAID.take();
    test(&Warnings);
}

/// Breaks a collider that touches another one, and mends it: one warning that names entity and fault.
fn check(
    mut app: App,
    warnings: &Warnings,
    break_it: impl Fn(&mut EntityWorldMut<'_>),
    mend_it: impl Fn(&mut EntityWorldMut<'_>),
    fault: impl Fn(&ColliderError) -> bool,
) {
    let a = spawn(&mut app, "square", 0.0, 0.0);
    let b = spawn(&mut app, "square", 5.0, 0.0);
    app.world_mut().entity_mut(b).insert(Name::new("the broken one"));
    assert_eq!(tick(&mut app).0, both(a, b));
    assert_eq!(warnings.take(), [""; 0]);
    for _ in 0..2 {
        break_it(&mut app.world_mut().entity_mut(b));
        assert_eq!(tick(&mut app), (vec![], both(a, b)));
        let said = warnings.take();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(&b.to_string()) && said[0].contains("the broken one"), "{said:?}");
        let found = app.world().resource::<PixelWorld>().fault(b).unwrap();
        assert!(fault(found), "{found:?}");
        assert!(said[0].contains(&found.to_string()) && said[0].contains(&*found.help()));
        // Once: neither later ticks nor other changes say it again.
        for _ in 0..3 {
            break_it(&mut app.world_mut().entity_mut(b));
            assert_eq!(tick(&mut app), (vec![], vec![]));
        }
        assert_eq!(warnings.take(), [""; 0]);
        mend_it(&mut app.world_mut().entity_mut(b));
        assert_eq!(tick(&mut app), (both(a, b), vec![]));
        assert_eq!(app.world().resource::<PixelWorld>().fault(b), None);
        assert_eq!(warnings.take(), [""; 0]);
    }
    // A faulty collider may be despawned.
    break_it(&mut app.world_mut().entity_mut(b));
    tick(&mut app);
    app.world_mut().despawn(b);
    tick(&mut app);
    assert_eq!(app.world().resource::<PixelWorld>().fault(b), None);
    let warnings = warnings.take();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

fn shown(name: &'static str) -> impl Fn(&mut EntityWorldMut<'_>) {
    move |entity| {
        entity.insert(PixelCollider::named(name));
    }
}

#[test]
fn an_unknown_name_is_a_fault_until_the_collider_shows_a_sprite() {
    watched(|warnings| {
        let fault = |fault: &ColliderError| {
            *fault
                == ColliderError::UnknownName {
                    sprite: "sqare".to_owned(),
                    alike: Some("square".to_owned()),
                }
        };
        check(app(), warnings, shown("sqare"), shown("square"), fault);
    });
}

#[test]
fn a_frame_out_of_range_is_a_fault_until_it_is_in_range() {
    watched(|warnings| {
        let frame = |frame| {
            move |entity: &mut EntityWorldMut<'_>| {
                entity.insert(ColliderFrame(frame));
            }
        };
        let cause = CallError::UnknownFrame { frame: 7, frames: 1 };
        let fault = |fault: &ColliderError| *fault == ColliderError::Place(cause.clone());
        check(app(), warnings, frame(7), frame(0), fault);
    });
}

#[test]
fn an_unknown_plane_is_a_fault_until_it_is_removed() {
    watched(|warnings| {
        let break_it = |b: &mut EntityWorldMut<'_>| {
            b.insert(ColliderPlane::named("wing"));
        };
        let mend_it = |b: &mut EntityWorldMut<'_>| {
            b.remove::<ColliderPlane>();
        };
        let fault = |fault: &ColliderError| matches!(fault, ColliderError::UnknownPlane { .. });
        check(app(), warnings, break_it, mend_it, fault);
        let break_it = |b: &mut EntityWorldMut<'_>| {
            b.insert(ColliderPlane::Index(9));
        };
        let fault = |fault: &ColliderError| {
            matches!(fault, ColliderError::Place(CallError::UnknownPlane { plane: 9, .. }))
        };
        check(app(), warnings, break_it, mend_it, fault);
    });
}

#[test]
fn a_transform_that_is_not_finite_is_a_fault_until_it_is() {
    watched(|warnings| {
        let at = |x: f32| {
            move |b: &mut EntityWorldMut<'_>| b.get_mut::<Transform>().unwrap().translation.x = x
        };
        for bad in [f32::NAN, f32::INFINITY] {
            let fault = |fault: &ColliderError| matches!(fault, ColliderError::Transform(_));
            check(app(), warnings, at(bad), at(5.0), fault);
        }
        let fault =
            |fault: &ColliderError| matches!(fault, ColliderError::Place(CallError::Position(_)));
        check(app(), warnings, at(1e30), at(5.0), fault);
        let scale = |scale: f32| {
            move |b: &mut EntityWorldMut<'_>| b.get_mut::<Transform>().unwrap().scale.y = scale
        };
        let fault = |fault: &ColliderError| matches!(fault, ColliderError::Transform(_));
        check(app(), warnings, scale(f32::NAN), scale(1.0), fault);
        let fault = |fault: &ColliderError| {
            matches!(
                fault,
                ColliderError::Place(
                    CallError::Pivot { .. } | CallError::Transform | CallError::TooLarge { .. }
                )
            )
        };
        check(app(), warnings, scale(1e9), scale(1.0), fault);
    });
}

#[test]
fn a_stretched_collider_is_a_fault_under_a_rule_that_forbids_it() {
    watched(|warnings| {
        let plugin = || HitmaskPlugin::default().with_atlas(atlas()).stretch(Stretch::Refuse);
        let scale = |scale: f32| {
            move |b: &mut EntityWorldMut<'_>| b.get_mut::<Transform>().unwrap().scale.y = scale
        };
        let fault = |fault: &ColliderError| matches!(fault, ColliderError::Stretched(_));
        check(app_with(plugin()), warnings, scale(2.0), scale(1.0), fault);
        let all = |scale: f32| {
            move |b: &mut EntityWorldMut<'_>| {
                b.get_mut::<Transform>().unwrap().scale = Vec3::splat(scale);
            }
        };
        let fault = |fault: &ColliderError| {
            matches!(fault, ColliderError::Place(CallError::UnbakedScale { .. }))
        };
        check(app_with(plugin()), warnings, all(9.0), all(1.0), fault);
    });
}

#[test]
fn a_stretched_sprite_of_an_atlas_without_its_source_is_a_fault() {
    watched(|warnings| {
        let bake = AtlasBuilder::new().scales([2.0]).mask("square", Mask::solid(10, 10).unwrap());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let mut app = app_with(HitmaskPlugin::default().with_atlas(atlas));
        let a = spawn(&mut app, "square", 0.0, 0.0);
        app.world_mut().get_mut::<Transform>(a).unwrap().scale = Vec3::new(2.0, 3.0, 1.0);
        tick(&mut app);
        let no_source = ColliderError::NoSource { sprite: "square".to_owned() };
        assert_eq!(app.world().resource::<PixelWorld>().fault(a), Some(&no_source));
        assert_eq!(warnings.take().len(), 1);
        app.world_mut().get_mut::<Transform>(a).unwrap().scale = Vec3::splat(2.0);
        tick(&mut app);
        assert_eq!(app.world().resource::<PixelWorld>().fault(a), None);
    });
}

#[test]
fn a_scale_of_0_leaves_a_collider_out_without_a_warning() {
    watched(|warnings| {
        let mut app = app();
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let b = spawn(&mut app, "square", 5.0, 0.0);
        tick(&mut app);
        app.world_mut().get_mut::<Transform>(b).unwrap().scale = Vec3::ZERO;
        assert_eq!(tick(&mut app).1, both(a, b));
        app.world_mut().get_mut::<Transform>(b).unwrap().scale = Vec3::ONE;
        assert_eq!(tick(&mut app).0, both(a, b));
        assert_eq!(warnings.take(), [""; 0]);
    });
}

#[test]
fn a_missing_atlas_is_a_fault_until_one_is_added() {
    watched(|warnings| {
        let mut app = app_with(HitmaskPlugin::default());
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let b = spawn(&mut app, "square", 5.0, 0.0);
        (0..3).for_each(|_| assert_eq!(tick(&mut app), (vec![], vec![])));
        let pixels = app.world().resource::<PixelWorld>();
        assert_eq!(
            (pixels.fault(a), pixels.world().is_none()),
            (Some(&ColliderError::NoAtlas), true)
        );
        assert_eq!(warnings.take().len(), 2, "one for each entity");
        app.world_mut().resource_mut::<PixelWorld>().add_atlas(atlas()).unwrap();
        assert_eq!(tick(&mut app).0, both(a, b));
        assert_eq!(warnings.take(), [""; 0]);
    });
}

#[test]
fn a_name_of_a_later_atlas_is_mended_by_that_atlas() {
    watched(|warnings| {
        let mut app = app();
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let b = spawn(&mut app, "boss", 5.0, 0.0);
        (0..2).for_each(|_| {
            tick(&mut app);
        });
        assert_eq!(warnings.take().len(), 1);
        let boss = AtlasBuilder::new().mask("boss", Mask::solid(10, 10).unwrap());
        let boss = Atlas::from_vec(boss.to_bytes().unwrap()).unwrap();
        app.world_mut().resource_mut::<PixelWorld>().add_atlas(boss).unwrap();
        assert_eq!(tick(&mut app).0, both(a, b));
    });
}

#[test]
fn an_atlas_that_cannot_be_loaded_is_a_fault_and_not_a_panic() {
    watched(|warnings| {
        let mut app = app_with(HitmaskPlugin::default().load("missing.hitmask"));
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let handle: Handle<PixelAtlas> =
            app.world().resource::<AssetServer>().load("missing.hitmask");
        let b = PixelCollider::named("square").in_atlas(handle.clone());
        let b = app.world_mut().spawn(b).id();
        // Until the asset server has looked.
        for _ in 0..100_000 {
            tick(&mut app);
            if app.world().resource::<AssetServer>().load_state(handle.id()).is_failed() {
                break;
            }
            std::thread::yield_now();
        }
        tick(&mut app);
        tick(&mut app);
        for entity in [a, b] {
            let fault = app.world().resource::<PixelWorld>().fault(entity);
            assert!(matches!(fault, Some(ColliderError::AtlasNotLoaded { .. })), "{fault:?}");
        }
        assert_eq!(warnings.take().len(), 2);
    });
}

#[test]
fn typed_ids_of_another_atlas_are_a_fault() {
    watched(|warnings| {
        let other = AtlasBuilder::new().mask("other", Mask::solid(3, 3).unwrap());
        let other = Atlas::from_vec(other.to_bytes().unwrap()).unwrap();
        let foreign = other.sprite_id("other").unwrap();
        let break_it = move |b: &mut EntityWorldMut<'_>| {
            b.insert(PixelCollider::new(foreign));
        };
        let fault = |fault: &ColliderError| {
            matches!(fault, ColliderError::Place(CallError::OtherAtlas { .. }))
        };
        check(app(), warnings, break_it, shown("square"), fault);
        let outside = bevy_hitmask::hitmask::SpriteId::new(1_000);
        let break_it = move |b: &mut EntityWorldMut<'_>| {
            b.insert(PixelCollider::new(outside));
        };
        let fault = |fault: &ColliderError| {
            matches!(fault, ColliderError::Place(CallError::UnknownSprite { .. }))
        };
        check(app(), warnings, break_it, shown("square"), fault);
    });
}

#[test]
fn a_mask_of_the_world_that_turns_is_a_fault() {
    watched(|warnings| {
        let mut app = app();
        let mut pixels = app.world_mut().resource_mut::<PixelWorld>();
        let world = pixels.world_mut().unwrap();
        let mask = world.masks_mut().insert(Mask::solid(11, 7).unwrap(), Pivot::Center).unwrap();
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let ground = PixelCollider::from_mask(mask);
        let b = app.world_mut().spawn((ground, Transform::from_xyz(5.5, 0.5, 0.0))).id();
        assert_eq!(tick(&mut app).0, both(a, b));
        let found = crate::support::pixels(&app, b);
        assert_eq!((found[0], found.len()), (IVec2::new(0, -3), 77));
        app.world_mut().get_mut::<Transform>(b).unwrap().rotate_z(0.5);
        assert_eq!(tick(&mut app).1, both(a, b));
        assert_eq!(warnings.take().len(), 1);
        app.world_mut().get_mut::<Transform>(b).unwrap().rotation = Quat::IDENTITY;
        assert_eq!(tick(&mut app).0, both(a, b));
        // A mask that was removed.
        app.world_mut().entity_mut(b).remove::<PixelCollider>();
        let mut pixels = app.world_mut().resource_mut::<PixelWorld>();
        pixels.world_mut().unwrap().masks_mut().remove(mask).unwrap();
        app.world_mut().entity_mut(b).insert(PixelCollider::from_mask(mask));
        tick(&mut app);
        let fault = app.world().resource::<PixelWorld>().fault(b);
        assert_eq!(fault, Some(&ColliderError::Place(CallError::UnknownMask(mask))));
    });
}

#[test]
fn a_motion_that_is_not_finite_is_refused_with_one_warning() {
    watched(|warnings| {
        let mut app = app();
        let a = spawn(&mut app, "square", 0.0, 0.0);
        app.world_mut().entity_mut(a).insert(MoveAndSlide::default());
        tick(&mut app);
        for _ in 0..3 {
            app.world_mut().get_mut::<MoveAndSlide>(a).unwrap().motion.x = f32::NAN;
            tick(&mut app);
        }
        assert_eq!(warnings.take().len(), 1);
        assert_eq!(app.world().get::<Transform>(a).unwrap().translation, Vec3::ZERO);
        app.world_mut().get_mut::<MoveAndSlide>(a).unwrap().motion.x = 3.0;
        tick(&mut app);
        assert_eq!(app.world().get::<Transform>(a).unwrap().translation.x, 3.0);
    });
}

/// Numbers and components of any kind, at random: no panic, and what is in order still collides.
#[test]
fn a_game_of_random_faults_never_panics() {
    let mut app = app();
    let (a, b) = (spawn(&mut app, "square", -500.0, 0.0), spawn(&mut app, "square", -495.0, 0.0));
    let atlas = Atlas::from_vec(bake().to_bytes().unwrap()).unwrap();
    let mut random = 7_u64;
    let mut next = move |n: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % n
    };
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1e-30,
        1e30,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::NAN,
        f32::INFINITY,
    ];
    let entities: Vec<Entity> = (0..12).map(|_| spawn(&mut app, "letter", 0.0, 0.0)).collect();
    for _ in 0..600 {
        let entity = entities[next(12) as usize];
        let mut number = || numbers[next(11) as usize];
        let vector = Vec3::new(number(), number(), number());
        let mut entity = app.world_mut().entity_mut(entity);
        match next(9) {
            0 => entity.get_mut::<Transform>().unwrap().translation = vector,
            1 => entity.get_mut::<Transform>().unwrap().scale = vector,
            2 => {
                let rotation = Quat::from_xyzw(vector.x, vector.y, vector.z, 1.0);
                entity.get_mut::<Transform>().unwrap().rotation = rotation;
            }
            3 => *entity.get_mut::<Transform>().unwrap() = Transform::IDENTITY,
            4 => _ = entity.insert(ColliderFrame(next(3) as u32)),
            5 => _ = entity.insert(ColliderPlane::Index(next(3) as u32)),
            6 => _ = entity.insert(Sprite { custom_size: Some(vector.truncate()), ..default() }),
            7 => _ = entity.remove::<(ColliderFrame, ColliderPlane, Sprite)>(),
            _ => {
                let name = ["letter", "knight", "none", "walk"][next(4) as usize];
                entity.insert(PixelCollider::named(name));
            }
        }
        tick(&mut app);
        assert!(touch(&app, a, b));
        let world = app.world().resource::<PixelWorld>().world().unwrap();
        assert_eq!(world.validate(), Ok(()));
    }
    assert!(atlas.sprites().len() > 3);
}

#[test]
fn colliders_whose_first_placing_fails_leave_no_mask_behind() {
    watched(|_| {
        let mut app = app();
        let state = |app: &App| {
            let world = app.world().resource::<PixelWorld>().world().unwrap();
            world.snapshot().len()
        };
        let mut sizes = Vec::new();
        for _ in 0..50 {
            // Its mask is drawn, and then its position is refused.
            let stretched =
                Transform::from_xyz(1e30, 0.0, 0.0).with_scale(Vec3::new(1.5, 1.0, 1.0));
            let entity = (PixelCollider::named("square"), stretched);
            let entity = app.world_mut().spawn(entity).id();
            tick(&mut app);
            assert!(app.world().resource::<PixelWorld>().fault(entity).is_some());
            app.world_mut().despawn(entity);
            tick(&mut app);
            sizes.push(state(&app));
        }
        assert_eq!(sizes.first(), sizes.last(), "{sizes:?}");
    });
}

#[test]
fn very_many_faults_at_once_are_logged_in_a_few_lines() {
    watched(|warnings| {
        let mut app = app();
        (0..500).for_each(|_| {
            spawn(&mut app, "none", 0.0, 0.0);
        });
        tick(&mut app);
        let said = warnings.take();
        assert_eq!(said.len(), 21, "{said:?}");
        assert!(said[20].contains("480 more"), "{said:?}");
        tick(&mut app);
        assert_eq!(warnings.take(), [""; 0]);
    });
}

/// The test app has no logger, as an app of `MinimalPlugins`.
#[test]
fn a_fault_raises_an_event_once_and_names_what_is_meant() {
    #[derive(Resource, Default)]
    struct Faults(Vec<(Entity, String)>);

    let mut app = app();
    app.init_resource::<Faults>();
    app.add_observer(|fault: On<ColliderFault>, mut faults: ResMut<Faults>| {
        faults.0.push((fault.entity, format!("{}; {}", fault.error, fault.error.help())));
    });
    let good = spawn(&mut app, "square", 0.0, 0.0);
    let bad = spawn(&mut app, "sqare", 0.0, 0.0);
    for _ in 0..3 {
        tick(&mut app);
    }
    let said = "no atlas has a sprite named \"sqare\"; did you mean \"square\"? `hitmask info` lists the names";
    assert_eq!(app.world().resource::<Faults>().0, [(bad, said.to_owned())]);
    // A mended name has no fault, and a new fault raises an event.
    app.world_mut().entity_mut(bad).insert(PixelCollider::named("square"));
    assert_eq!(tick(&mut app).0, both(good, bad));
    app.world_mut().entity_mut(bad).insert(PixelCollider::named("zebra"));
    tick(&mut app);
    let faults = &app.world().resource::<Faults>().0;
    assert!(faults.len() == 2 && !faults[1].1.contains("did you mean"), "{faults:?}");
    let messages = app.world().resource::<Messages<ColliderFault>>();
    assert!(messages.iter_current_update_messages().any(|fault| fault.entity == bad));
}
