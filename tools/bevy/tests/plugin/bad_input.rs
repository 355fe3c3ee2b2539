//! Bad input: a warning once, the collider disabled, and enabled again when it is mended.

use crate::support::*;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{AtlasBuilder, CallError, Mask, Pivot, SpriteId};
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

/// Begins to keep the warnings of the thread. The systems of the plugin run on it.
fn watch() {
    static START: Once = Once::new();
    START.call_once(|| tracing::subscriber::set_global_default(Warnings).unwrap());
    SAID.take();
}

/// Breaks a collider that touches another one, and mends it: one warning that names entity and fault. Returns the fault.
fn check(
    mut app: App,
    break_it: impl Fn(&mut EntityWorldMut<'_>),
    mend_it: impl Fn(&mut EntityWorldMut<'_>),
) -> ColliderError {
    watch();
    let [a, b] = [0.0, 5.0].map(|x| spawn(&mut app, "square", x, 0.0));
    app.world_mut().entity_mut(b).insert(Name::new("the broken one"));
    assert_eq!(tick(&mut app).0, both(a, b));
    assert_eq!(SAID.take(), [""; 0]);
    let [first, second] = [0, 1].map(|_| {
        break_it(&mut app.world_mut().entity_mut(b));
        assert_eq!(tick(&mut app), (vec![], both(a, b)));
        let said = SAID.take();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(&b.to_string()) && said[0].contains("the broken one"), "{said:?}");
        let found = fault(&app, b).unwrap().clone();
        assert!(said[0].contains(&found.to_string()) && said[0].contains(&*found.help()));
        // Once: neither later ticks nor other changes say it again.
        for _ in 0..3 {
            break_it(&mut app.world_mut().entity_mut(b));
            assert_eq!(tick(&mut app), (vec![], vec![]));
        }
        assert_eq!(SAID.take(), [""; 0]);
        mend_it(&mut app.world_mut().entity_mut(b));
        assert_eq!(tick(&mut app), (both(a, b), vec![]));
        assert_eq!(fault(&app, b), None);
        assert_eq!(SAID.take(), [""; 0]);
        found
    });
    // A faulty collider may be despawned.
    break_it(&mut app.world_mut().entity_mut(b));
    tick(&mut app);
    app.world_mut().despawn(b);
    tick(&mut app);
    assert_eq!(fault(&app, b), None);
    let warnings = SAID.take();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(first.to_string(), second.to_string());
    first
}

fn fault(app: &App, entity: Entity) -> Option<&ColliderError> {
    app.world().resource::<PixelWorld>().fault(entity)
}

fn insert(bundle: impl Bundle + Clone) -> impl Fn(&mut EntityWorldMut<'_>) {
    move |entity| _ = entity.insert(bundle.clone())
}

fn change(change: fn(&mut Transform)) -> impl Fn(&mut EntityWorldMut<'_>) {
    move |entity| change(&mut entity.get_mut::<Transform>().unwrap())
}

fn square() -> impl Fn(&mut EntityWorldMut<'_>) {
    insert(PixelCollider::named("square"))
}

#[test]
fn an_unknown_name_is_a_fault_until_the_collider_shows_a_sprite() {
    let fault = check(app(), insert(PixelCollider::named("sqare")), square());
    let (sprite, alike) = ("sqare".to_owned(), Some("square".to_owned()));
    assert_eq!(fault, ColliderError::UnknownName { sprite, alike });
}

#[test]
fn a_frame_out_of_range_is_a_fault_until_it_is_in_range() {
    let fault = check(app(), insert(ColliderFrame(7)), insert(ColliderFrame(0)));
    assert_eq!(fault, ColliderError::Place(CallError::UnknownFrame { frame: 7, frames: 1 }));
}

#[test]
fn an_unknown_plane_is_a_fault_until_it_is_removed() {
    let mend_it = |b: &mut EntityWorldMut<'_>| _ = b.remove::<ColliderPlane>();
    let fault = check(app(), insert(ColliderPlane::named("wing")), mend_it);
    assert!(matches!(fault, ColliderError::UnknownPlane { .. }), "{fault:?}");
    let fault = check(app(), insert(ColliderPlane::Index(9)), mend_it);
    let is_plane = |cause: &CallError| matches!(cause, CallError::UnknownPlane { plane: 9, .. });
    assert!(matches!(&fault, ColliderError::Place(cause) if is_plane(cause)), "{fault:?}");
}

#[test]
fn a_transform_that_is_not_finite_is_a_fault_until_it_is() {
    let (near, upright) =
        (|t: &mut Transform| t.translation.x = 5.0, |t: &mut Transform| t.scale.y = 1.0);
    for fault in [
        check(app(), change(|at| at.translation.x = f32::NAN), change(near)),
        check(app(), change(|at| at.translation.x = f32::INFINITY), change(near)),
        check(app(), change(|at| at.scale.y = f32::NAN), change(upright)),
    ] {
        assert!(matches!(fault, ColliderError::Transform(_)), "{fault:?}");
    }
    let far = check(app(), change(|at| at.translation.x = 1e30), change(near));
    assert!(matches!(far, ColliderError::Place(CallError::Position(_))), "{far:?}");
    let large = check(app(), change(|at| at.scale.y = 1e9), change(upright));
    let ColliderError::Place(cause) = large else { panic!("{large:?}") };
    let is_large = matches!(
        cause,
        CallError::Pivot { .. } | CallError::Transform | CallError::TooLarge { .. }
    );
    assert!(is_large, "{cause:?}");
}

#[test]
fn a_stretched_collider_is_a_fault_under_a_rule_that_forbids_it() {
    let app = || app_with(HitmaskPlugin::default().with_atlas(atlas()).stretch(Stretch::Refuse));
    let mend_it = || change(|at| at.scale = Vec3::ONE);
    let uneven = check(app(), change(|at| at.scale.y = 2.0), mend_it());
    assert!(matches!(uneven, ColliderError::Stretched(_)), "{uneven:?}");
    let large = check(app(), change(|at| at.scale = Vec3::splat(9.0)), mend_it());
    assert!(matches!(large, ColliderError::Place(CallError::UnbakedScale { .. })), "{large:?}");
}

#[test]
fn a_stretched_sprite_of_an_atlas_without_its_source_is_a_fault() {
    watch();
    let bake = AtlasBuilder::new().scales([2.0]).mask("square", Mask::solid(10, 10).unwrap());
    let mut app = app_with(HitmaskPlugin::default().with_atlas(open(bake)));
    let a = spawn(&mut app, "square", 0.0, 0.0);
    app.world_mut().get_mut::<Transform>(a).unwrap().scale = Vec3::new(2.0, 3.0, 1.0);
    tick(&mut app);
    let no_source = ColliderError::NoSource { sprite: "square".to_owned() };
    assert_eq!(fault(&app, a), Some(&no_source));
    assert_eq!(SAID.take().len(), 1);
    app.world_mut().get_mut::<Transform>(a).unwrap().scale = Vec3::splat(2.0);
    tick(&mut app);
    assert_eq!(fault(&app, a), None);
}

#[test]
fn a_scale_of_0_leaves_a_collider_out_without_a_warning() {
    watch();
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    tick(&mut app);
    app.world_mut().get_mut::<Transform>(b).unwrap().scale = Vec3::ZERO;
    assert_eq!(tick(&mut app).1, both(a, b));
    app.world_mut().get_mut::<Transform>(b).unwrap().scale = Vec3::ONE;
    assert_eq!(tick(&mut app).0, both(a, b));
    assert_eq!(SAID.take(), [""; 0]);
}

#[test]
fn a_missing_atlas_is_a_fault_until_one_is_added() {
    watch();
    let mut app = app_with(HitmaskPlugin::default());
    let [a, b] = [0.0, 5.0].map(|x| spawn(&mut app, "square", x, 0.0));
    (0..3).for_each(|_| assert_eq!(tick(&mut app), (vec![], vec![])));
    let pixels = app.world().resource::<PixelWorld>();
    assert_eq!((pixels.fault(a), pixels.world().is_none()), (Some(&ColliderError::NoAtlas), true));
    assert_eq!(SAID.take().len(), 2, "one for each entity");
    app.world_mut().resource_mut::<PixelWorld>().add_atlas(atlas()).unwrap();
    assert_eq!(tick(&mut app).0, both(a, b));
    assert_eq!(SAID.take(), [""; 0]);
}

#[test]
fn a_name_of_a_later_atlas_is_mended_by_that_atlas() {
    watch();
    let (mut app, [a]) = squares([0.0]);
    let b = spawn(&mut app, "boss", 5.0, 0.0);
    (0..2).for_each(|_| _ = tick(&mut app));
    assert_eq!(SAID.take().len(), 1);
    let boss = open(AtlasBuilder::new().mask("boss", Mask::solid(10, 10).unwrap()));
    app.world_mut().resource_mut::<PixelWorld>().add_atlas(boss).unwrap();
    assert_eq!(tick(&mut app).0, both(a, b));
}

#[test]
fn an_atlas_that_cannot_be_loaded_is_a_fault_and_not_a_panic() {
    watch();
    let mut app = app_with(HitmaskPlugin::default().load("missing.hitmask"));
    let a = spawn(&mut app, "square", 0.0, 0.0);
    let handle: Handle<PixelAtlas> = app.world().resource::<AssetServer>().load("missing.hitmask");
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
    (0..2).for_each(|_| _ = tick(&mut app));
    for entity in [a, b] {
        let found = fault(&app, entity);
        assert!(matches!(found, Some(ColliderError::AtlasNotLoaded { .. })), "{found:?}");
    }
    assert_eq!(SAID.take().len(), 2);
}

#[test]
fn typed_ids_of_another_atlas_are_a_fault() {
    let other = open(AtlasBuilder::new().mask("other", Mask::solid(3, 3).unwrap()));
    let foreign = PixelCollider::new(other.sprite_id("other").unwrap());
    let fault = check(app(), insert(foreign), square());
    assert!(matches!(fault, ColliderError::Place(CallError::OtherAtlas { .. })), "{fault:?}");
    let outside = PixelCollider::new(SpriteId::new(1_000));
    let fault = check(app(), insert(outside), square());
    assert!(matches!(fault, ColliderError::Place(CallError::UnknownSprite { .. })), "{fault:?}");
}

#[test]
fn a_mask_of_the_world_that_turns_is_a_fault() {
    watch();
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
    assert_eq!(SAID.take().len(), 1);
    app.world_mut().get_mut::<Transform>(b).unwrap().rotation = Quat::IDENTITY;
    assert_eq!(tick(&mut app).0, both(a, b));
    // A mask that was removed.
    app.world_mut().entity_mut(b).remove::<PixelCollider>();
    let mut pixels = app.world_mut().resource_mut::<PixelWorld>();
    pixels.world_mut().unwrap().masks_mut().remove(mask).unwrap();
    app.world_mut().entity_mut(b).insert(PixelCollider::from_mask(mask));
    tick(&mut app);
    assert_eq!(fault(&app, b), Some(&ColliderError::Place(CallError::UnknownMask(mask))));
}

#[test]
fn a_motion_that_is_not_finite_is_refused_with_one_warning() {
    watch();
    let (mut app, [a]) = squares([0.0]);
    app.world_mut().entity_mut(a).insert(MoveAndSlide::default());
    tick(&mut app);
    for _ in 0..3 {
        app.world_mut().get_mut::<MoveAndSlide>(a).unwrap().motion.x = f32::NAN;
        tick(&mut app);
    }
    assert_eq!(SAID.take().len(), 1);
    assert_eq!(app.world().get::<Transform>(a).unwrap().translation, Vec3::ZERO);
    app.world_mut().get_mut::<MoveAndSlide>(a).unwrap().motion.x = 3.0;
    tick(&mut app);
    assert_eq!(app.world().get::<Transform>(a).unwrap().translation.x, 3.0);
}

/// Numbers and components of any kind, at random: no panic, and what is in order still collides.
#[test]
fn a_game_of_random_faults_never_panics() {
    let (mut app, [a, b]) = squares([-500.0, -495.0]);
    let mut next = random(7);
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
        assert_eq!(hitmask_world(&app).validate(), Ok(()));
    }
}

#[test]
fn colliders_whose_first_placing_fails_leave_no_mask_behind() {
    watch();
    let mut app = app();
    let mut sizes = Vec::new();
    for _ in 0..50 {
        // Its mask is drawn, and then its position is refused.
        let entity = spawn(&mut app, "square", 1e30, 0.0);
        app.world_mut().get_mut::<Transform>(entity).unwrap().scale.x = 1.5;
        tick(&mut app);
        assert!(fault(&app, entity).is_some());
        app.world_mut().despawn(entity);
        tick(&mut app);
        sizes.push(hitmask_world(&app).snapshot().len());
    }
    assert_eq!(sizes.first(), sizes.last(), "{sizes:?}");
}

#[test]
fn very_many_faults_at_once_are_logged_in_a_few_lines() {
    watch();
    let mut app = app();
    (0..500).for_each(|_| _ = spawn(&mut app, "none", 0.0, 0.0));
    tick(&mut app);
    let said = SAID.take();
    assert_eq!(said.len(), 21, "{said:?}");
    assert!(said[20].contains("480 more"), "{said:?}");
    tick(&mut app);
    assert_eq!(SAID.take(), [""; 0]);
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
    (0..3).for_each(|_| _ = tick(&mut app));
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
