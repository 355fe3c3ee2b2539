//! The plugin, and the order of its systems.

use crate::atlas_asset::{PixelAtlas, PixelAtlasLoader};
use crate::atlas_reload::{self, AtlasReloaded};
use crate::components::*;
use crate::error::ColliderFault;
use crate::events::{self, CollisionEnd, CollisionStart};
use crate::maps::{self, MapItem};
use crate::moves;
use crate::pixel_world::{PixelWorld, Stretch};
use crate::rollback;
use crate::sync;
use bevy_app::{App, FixedPostUpdate, Plugin, PostUpdate, PreUpdate};
use bevy_asset::{AssetApp, AssetServer};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformSystems;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms,
    sync_simple_transforms,
};
use hitmask::{Atlas, World as HitmaskWorld};
use std::sync::Arc;
use tracing::error;

/// The steps of the plugin, in this order, in the schedule of the plugin. All come after
/// [`TransformSystems::Propagate`] of that schedule.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_hitmask::{CollisionStart, HitmaskPlugin, HitmaskSystems};
/// # fn count_hits(mut hits: MessageReader<CollisionStart>) { hits.read().count(); }
/// # let mut app = App::new();
/// # app.add_plugins((DefaultPlugins, HitmaskPlugin::default()));
/// // In the tick of the hits.
/// app.add_systems(FixedPostUpdate, count_hits.after(HitmaskSystems::Events));
/// # app.update();
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitmaskSystems {
    /// Brings the world in step with the entities.
    Sync,
    /// Moves the [`MoveAndSlide`] colliders.
    Move,
    /// Finds all touching pairs.
    Update,
    /// Raises [`ColliderFault`], [`CollisionStart`] and [`CollisionEnd`], and updates [`Touching`].
    Events,
}

/// Adds pixel-perfect collisions to an app. The [documentation of the crate](crate) has a game.
///
/// The plugin runs in [`FixedPostUpdate`], so after all game code of a tick. It propagates transforms there first: the
/// hits of a tick are those of its own transforms. With [`PostUpdate`] it uses Bevy's own propagation.
pub struct HitmaskPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    atlases: Vec<Atlas>,
    paths: Vec<String>,
    stretch: Stretch,
    #[cfg(feature = "sprite")]
    collide_hidden: bool,
    configure: Option<Arc<dyn Fn(&mut HitmaskWorld) + Send + Sync>>,
}

impl Default for HitmaskPlugin {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl HitmaskPlugin {
    /// Returns a plugin that runs in this schedule.
    #[must_use]
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            atlases: Vec::new(),
            paths: Vec::new(),
            stretch: Stretch::default(),
            #[cfg(feature = "sprite")]
            collide_hidden: true,
            configure: None,
        }
    }

    /// Adds an atlas. Use it for bytes of [`hitmask::include_atlas!`], which
    /// [`Atlas::from_static`](hitmask::Atlas::from_static) opens.
    #[must_use]
    pub fn with_atlas(mut self, atlas: Atlas) -> Self {
        self.atlases.push(atlas);
        self
    }

    /// Adds the atlas that the build script baked into the program: the `BYTES` of [`hitmask::include_atlas!`]. If the
    /// program was linked with damaged bytes, the error is logged, and the world has no atlas.
    #[must_use]
    pub fn with_static(self, bytes: &'static [u8]) -> Self {
        match Atlas::from_static(bytes) {
            Ok(atlas) => self.with_atlas(atlas),
            Err(cause) => {
                error!("the atlas is left out: {cause}; {}", cause.help());
                self
            }
        }
    }

    /// Loads an atlas from the asset folder. Colliders that name its sprites wait for it.
    #[must_use]
    pub fn load(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// Sets what happens to colliders whose transform stretches or slants the sprite.
    #[must_use]
    pub const fn stretch(mut self, stretch: Stretch) -> Self {
        self.stretch = stretch;
        self
    }

    /// Sets whether sprites that are hidden by their `Visibility`, or by that of a parent, collide all the same. Default
    /// true, as with the physics of engines: a wall may be invisible, and a sprite that blinks begins no new touches.
    /// With false the colliders are left out in the tick in which they are hidden. Pointers never pick hidden sprites.
    ///
    /// ```
    /// use bevy_hitmask::HitmaskPlugin;
    /// let plugin = HitmaskPlugin::default().collide_hidden(false);
    /// ```
    #[cfg(feature = "sprite")]
    #[must_use]
    pub const fn collide_hidden(mut self, collide_hidden: bool) -> Self {
        self.collide_hidden = collide_hidden;
        self
    }

    /// Calls `configure` once for the world when its first atlas is there, to set the accuracy, the policy for scales
    /// or the budget of poses.
    ///
    /// ```
    /// use bevy_hitmask::{HitmaskPlugin, hitmask::Accuracy};
    /// let plugin = HitmaskPlugin::default().configure(|world| world.set_accuracy(Accuracy::Coarse));
    /// ```
    #[must_use]
    pub fn configure(
        mut self,
        configure: impl Fn(&mut HitmaskWorld) + Send + Sync + 'static,
    ) -> Self {
        self.configure = Some(Arc::new(configure));
        self
    }

    /// Adds the loader, once the asset server is there.
    fn add_assets(&self, app: &mut App) {
        app.init_asset::<PixelAtlas>()
            .init_asset_loader::<PixelAtlasLoader>()
            .add_systems(PreUpdate, (atlas_reload::follow_assets, maps::update_reloaded).chain());
        let assets = app.world().resource::<AssetServer>().clone();
        let handles: Vec<_> = self.paths.iter().map(|path| assets.load(path.clone())).collect();
        app.world_mut().resource_mut::<PixelWorld>().atlases.loaded_by_plugin = handles;
    }
}

impl Plugin for HitmaskPlugin {
    fn build(&self, app: &mut App) {
        let (stretch, configure) = (self.stretch, self.configure.clone());
        let mut pixels = PixelWorld { stretch, configure, ..PixelWorld::default() };
        for atlas in &self.atlases {
            if let Err(cause) = pixels.add_atlas(atlas.clone()) {
                error!("atlas {} is left out: {cause}; {}", atlas.id(), cause.help());
            }
        }
        // Entities that are older than the plugin.
        pixels.queue_all = true;
        app.insert_resource(pixels)
            .init_resource::<StaticTransformOptimizations>()
            .add_message::<CollisionStart>()
            .add_message::<CollisionEnd>()
            .add_message::<ColliderFault>()
            .add_message::<AtlasReloaded>();
        register(app);
        observe_removals(app);

        let schedule = self.schedule;
        app.configure_sets(
            schedule,
            (
                HitmaskSystems::Sync,
                HitmaskSystems::Move,
                HitmaskSystems::Update,
                HitmaskSystems::Events,
            )
                .chain()
                .after(TransformSystems::Propagate),
        );
        if schedule != PostUpdate.intern() {
            app.add_systems(
                schedule,
                (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms)
                    .chain()
                    .in_set(TransformSystems::Propagate),
            );
        }
        #[cfg(feature = "sprite")]
        {
            let collide_hidden = self.collide_hidden;
            let hidden = sync::queue_hidden.run_if(move || !collide_hidden);
            app.add_systems(
                schedule,
                (sync::queue_changed_sprites, hidden)
                    .chain()
                    .in_set(HitmaskSystems::Sync)
                    .after(sync::queue_changed)
                    .before(sync::refresh_queued),
            );
        }
        app.add_systems(
            schedule,
            (
                (
                    rollback::after_load,
                    sync::place_moved,
                    sync::queue_changed,
                    sync::refresh_queued,
                )
                    .chain()
                    .in_set(HitmaskSystems::Sync),
                (moves::move_and_slide, sync::refresh_moved).chain().in_set(HitmaskSystems::Move),
                sync::update.in_set(HitmaskSystems::Update),
                events::raise.in_set(HitmaskSystems::Events),
            ),
        );
        if app.world().contains_resource::<AssetServer>() {
            self.add_assets(app);
        }
    }

    fn finish(&self, app: &mut App) {
        // The asset plugin was added after this one.
        let has_server = app.world().contains_resource::<AssetServer>();
        if has_server && !app.world().contains_resource::<bevy_asset::Assets<PixelAtlas>>() {
            self.add_assets(app);
        }
    }
}

/// Registers the components for inspectors and scenes.
fn register(app: &mut App) {
    app.register_type::<PixelCollider>()
        .register_type::<CollisionLayers>()
        .register_type::<Sensor>()
        .register_type::<FixedCollider>()
        .register_type::<ColliderDisabled>()
        .register_type::<ColliderFrame>()
        .register_type::<ColliderPlane>()
        .register_type::<ColliderAccuracy>()
        .register_type::<ColliderOverlap>()
        .register_type::<ColliderOwner>()
        .register_type::<Touching>()
        .register_type::<MoveAndSlide>()
        .register_type::<MoveOutcome>()
        .register_type::<MapItem>();
}

/// Watches for components that are removed. Change detection does not see them.
fn observe_removals(app: &mut App) {
    app.add_observer(sync::queue_removed::<CollisionLayers>)
        .add_observer(sync::queue_removed::<Sensor>)
        .add_observer(sync::queue_removed::<FixedCollider>)
        .add_observer(sync::queue_removed::<ColliderDisabled>)
        .add_observer(sync::queue_removed::<Disabled>)
        .add_observer(sync::queue_removed::<ColliderFrame>)
        .add_observer(sync::queue_removed::<ColliderPlane>)
        .add_observer(sync::queue_removed::<ColliderAccuracy>)
        .add_observer(sync::queue_removed::<ColliderOverlap>)
        .add_observer(sync::queue_removed::<ColliderOwner>)
        .add_observer(sync::note_touching);
    #[cfg(feature = "sprite")]
    app.add_observer(sync::queue_removed::<bevy_sprite::Sprite>)
        .add_observer(sync::queue_removed::<bevy_sprite::Anchor>);
}
