//! The resource that holds the hitmask world, and which entity each collider belongs to.

use crate::atlas_asset::{Atlases, PixelAtlas};
use crate::bulk::BulkPlacement;
use crate::drawn_masks::DrawnMasks;
use crate::entity_map::EntityMap;
use crate::error::{ColliderError, ColliderFault};
use crate::state::ColliderState;
use bevy_asset::AssetId;
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use hitmask::{Atlas, AtlasId, CallError, ColliderId, ReloadReport, World as HitmaskWorld};
use std::fmt;
use std::sync::Arc;
use tracing::warn;

/// Upper bound on faults of one synchronisation that are logged one by one: all of a missing atlas are alike.
const MAX_WARNINGS: usize = 20;

/// What happens to a collider whose transform stretches or slants its sprite, as a parent with an uneven scale does.
/// Also to one whose scale is far from every baked scale.
///
/// ```
/// use bevy_hitmask::Stretch;
/// assert_eq!(Stretch::default(), Stretch::Draw);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stretch {
    /// Its mask is drawn under the transform, each time the transform stretches differently. That takes a few
    /// microseconds, and each pair of such a collider takes about 4x the time of baked sprites.
    #[default]
    Draw,
    /// It is a fault: the collider is disabled, and the reason logged.
    Refuse,
}

/// The hitmask world of an app, with the entities of its colliders.
///
/// The plugin keeps it in step with the entities. Games ask through [`PixelQuery`](crate::PixelQuery), and use this
/// resource for faults, run-time masks and settings.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_hitmask::{PixelCollider, PixelWorld, hitmask::{Mask, Pivot}};
///
/// fn dig(mut commands: Commands, mut pixels: ResMut<PixelWorld>) -> Result {
///     let world = pixels.world_mut().ok_or("no atlas is loaded yet")?;
///     let ground = world.masks_mut().insert(Mask::solid(640, 200)?, Pivot::Center)?;
///     commands.spawn(PixelCollider::from_mask(ground));
///     Ok(())
/// }
/// ```
#[derive(Resource, Default)]
pub struct PixelWorld {
    pub(crate) world: Option<HitmaskWorld>,
    pub(crate) entities: EntityMap,
    pub(crate) atlases: Atlases,
    pub(crate) drawn: DrawnMasks,
    pub(crate) owners: Owners,
    pub(crate) stretch: Stretch,
    /// Called for the world when it is made.
    pub(crate) configure: Option<Arc<dyn Fn(&mut HitmaskWorld) + Send + Sync>>,
    /// Entities whose colliders are placed again at the next synchronisation.
    pub(crate) queue: Vec<Entity>,
    /// All colliders are placed again.
    pub(crate) queue_all: bool,
    /// An atlas was replaced, so maps may be others.
    pub(crate) has_reloaded: bool,
    /// The entities may be others than those of the save that was loaded.
    pub(crate) is_loaded: bool,
    /// Number of entities that got a `PixelCollider`.
    pub(crate) spawned: u64,
    /// Colliders that are left out because they are hidden.
    pub(crate) hidden: EntityHashSet,
    pub(crate) faults: EntityHashMap<ColliderError>,
    pub(crate) new_faults: usize,
    /// New faults, whose events are raised after the update.
    pub(crate) raised_faults: Vec<ColliderFault>,
    /// Pairs of the last update, until the events are raised.
    pub(crate) began: Vec<[Entity; 2]>,
    pub(crate) ended: Vec<[Entity; 2]>,
    /// Entities that got the component `Touching` since the last events.
    pub(crate) new_touching: Vec<Entity>,
    pub(crate) bulk: BulkPlacement,
}

impl PixelWorld {
    /// Returns the world of hitmask, with y down. `None` before the first atlas is added.
    #[must_use]
    pub const fn world(&self) -> Option<&HitmaskWorld> {
        self.world.as_ref()
    }

    /// Returns the world of hitmask, for run-time masks, settings such as the accuracy, and
    /// [`draw_ahead`](hitmask::AtlasesMut::draw_ahead). `None` before the first atlas is added.
    ///
    /// The plugin inserts, moves and removes the colliders of entities, and updates the world. Leave that to the
    /// plugin, because changes of these are overwritten, and touches of other updates are not reported.
    #[must_use]
    pub const fn world_mut(&mut self) -> Option<&mut HitmaskWorld> {
        self.world.as_mut()
    }

    /// Returns the collider of an entity. `None` if the entity has none, or was not yet synchronised.
    #[must_use]
    pub fn id(&self, entity: Entity) -> Option<ColliderId> {
        self.entities.id(entity)
    }

    /// Returns the entity of a collider. The ids of [`World::ended`](hitmask::World::ended) have one too, even if the
    /// entity is gone.
    #[must_use]
    pub fn entity(&self, id: ColliderId) -> Option<Entity> {
        self.entities.entity(id)
    }

    /// Returns the reason why the collider of an entity is disabled; `None` if it is in order.
    #[must_use]
    pub fn fault(&self, entity: Entity) -> Option<&ColliderError> {
        self.faults.get(&entity)
    }

    /// Sets what happens to stretched colliders, and places all colliders again.
    pub fn set_stretch(&mut self, stretch: Stretch) {
        self.queue_all |= stretch != self.stretch;
        self.stretch = stretch;
    }

    /// Adds an atlas that is not an asset, such as one of [`hitmask::include_atlas!`], and returns its id.
    ///
    /// # Errors
    /// Those of [`AtlasesMut::add`](hitmask::AtlasesMut::add). Nothing has changed then.
    pub fn add_atlas(&mut self, atlas: Atlas) -> Result<AtlasId, CallError> {
        self.add(None, atlas)
    }

    /// Replaces an atlas that is not an asset by a newer version, as a reload does with an asset.
    ///
    /// # Errors
    /// Those of [`AtlasesMut::replace`](hitmask::AtlasesMut::replace). Nothing has changed then.
    pub fn replace_atlas(&mut self, old: AtlasId, atlas: Atlas) -> Result<ReloadReport, CallError> {
        let world = self.world.as_mut().ok_or(CallError::UnknownAtlas(old))?;
        let report = world.atlases_mut().replace(old, atlas)?;
        self.atlases.replaced(old, report.atlas);
        self.atlases_changed();
        Ok(report)
    }

    pub(crate) fn add(
        &mut self,
        asset: Option<AssetId<PixelAtlas>>,
        atlas: Atlas,
    ) -> Result<AtlasId, CallError> {
        let id = match &mut self.world {
            Some(world) => world.atlases_mut().add(atlas)?,
            None => {
                let id = atlas.id();
                let mut world = HitmaskWorld::new(atlas);
                if let Some(configure) = &self.configure {
                    configure(&mut world);
                }
                self.world = Some(world);
                id
            }
        };
        self.atlases.added(asset, id);
        self.atlases_changed();
        Ok(id)
    }

    /// Looks every name up again, and draws every drawn mask again.
    pub(crate) fn atlases_changed(&mut self) {
        self.drawn.forget_rasters();
        self.queue_all = true;
    }

    pub(crate) fn remove(&mut self, entity: Entity) {
        self.faults.remove(&entity);
        self.hidden.remove(&entity);
        self.owners.forget(entity);
        if let (Some(id), Some(world)) = (self.entities.remove(entity), &mut self.world) {
            world.remove(id);
        }
        // Drawn before the first placing, which may have failed.
        self.drawn.release(entity);
    }

    /// Logs a fault, unless the last one of the entity was of the same kind.
    pub(crate) fn report(&mut self, entity: Entity, name: Option<&Name>, error: ColliderError) {
        let is_known = self.faults.get(&entity).is_some_and(|fault| fault.is_kind_of(&error));
        self.new_faults += usize::from(!is_known);
        if !is_known && self.new_faults <= MAX_WARNINGS {
            let help = error.help();
            let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
            say(format_args!("entity {entity}{name}: collider disabled: {error}; {help}"));
        }
        if !is_known {
            self.raised_faults.push(ColliderFault { entity, error: error.clone() });
        }
        self.faults.insert(entity, error);
    }

    /// Logs the number of faults that were not logged one by one. Called at the end of a synchronisation.
    pub(crate) fn end_reports(&mut self) {
        let new_faults = std::mem::take(&mut self.new_faults);
        if new_faults > MAX_WARNINGS {
            let more = new_faults - MAX_WARNINGS;
            say(format_args!("{more} more colliders are disabled; PixelWorld::fault tells why"));
        }
    }
}

/// Logs a warning. An app without a logger, as with `MinimalPlugins`, prints it to stderr.
fn say(warning: std::fmt::Arguments<'_>) {
    if tracing::dispatcher::has_been_set() {
        warn!("{warning}");
    } else {
        eprintln!("warning: {warning}");
    }
}

/// The hook of insertion: places the collider at the next synchronisation.
pub(crate) fn on_insert(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() else { return };
    pixels.queue.push(context.entity);
    pixels.spawned += 1;
    let order = pixels.spawned;
    if let Some(mut state) = world.get_mut::<ColliderState>(context.entity)
        && state.order == 0
    {
        state.order = order;
    }
}

/// The hook of removal and despawning: removes the collider from the world. Its touches end with the next update.
pub(crate) fn on_remove(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut state) = world.get_mut::<ColliderState>(context.entity) {
        *state = ColliderState::default();
    }
    if let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() {
        pixels.remove(context.entity);
    }
}

impl fmt::Debug for PixelWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PixelWorld")
            .field("colliders", &self.world.as_ref().map(HitmaskWorld::len))
            .field("faults", &self.faults)
            .finish_non_exhaustive()
    }
}

/// The numbers of entities that own colliders, for as long as they own one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    /// By owner: its number, and how many colliders it owns.
    numbers: EntityHashMap<(u32, usize)>,
    /// By entity of a collider.
    owners: EntityHashMap<Entity>,
    /// Numbers that are used again.
    free: Vec<u32>,
}

impl Owners {
    /// Sets the owner of a collider, and returns its number: from 1 on, 0 for none.
    pub(crate) fn own(&mut self, collider: Entity, owner: Option<Entity>) -> u32 {
        if self.owners.get(&collider).copied() != owner {
            self.forget(collider);
            let Some(owner) = owner else { return 0 };
            self.owners.insert(collider, owner);
            // If no number is free, those up to the number of owners are in use.
            let next = self.numbers.len() as u32 + 1;
            let free = &mut self.free;
            let entry = self.numbers.entry(owner);
            entry.or_insert_with(|| (free.pop().unwrap_or(next), 0)).1 += 1;
        }
        owner.and_then(|owner| self.numbers.get(&owner)).map_or(0, |(number, _)| *number)
    }

    /// Replaces an entity, as a collider and as an owner, by another one.
    pub(crate) fn rename(&mut self, from: Entity, to: Entity) {
        if let Some(owner) = self.owners.remove(&from) {
            self.owners.insert(to, owner);
        }
        if let Some(number) = self.numbers.remove(&from) {
            self.numbers.insert(to, number);
            self.owners.values_mut().filter(|owner| **owner == from).for_each(|owner| *owner = to);
        }
    }

    /// Forgets a collider, and its owner with its last one.
    pub(crate) fn forget(&mut self, collider: Entity) {
        let Some(owner) = self.owners.remove(&collider) else { return };
        if let Some((number, colliders)) = self.numbers.get_mut(&owner) {
            *colliders -= 1;
            if *colliders == 0 {
                self.free.push(*number);
                self.numbers.remove(&owner);
            }
        }
    }
}
