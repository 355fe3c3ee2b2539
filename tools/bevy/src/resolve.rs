//! Places one collider: from the components of an entity to a collider of the world.
//!
//! ```text
//! shape -> sprite of an atlas, frame, plane    or a run-time mask
//! transform and image -> a baked pose, if the transform is a similarity, else a drawn mask
//! -> insert or set in the world
//! ```
//!
//! Called by `sync` for each collider that is new or has changed otherwise than by moving. Invariant: a collider that
//! cannot be placed is disabled in the world, and its fault is kept; nothing panics.

use crate::atlas_asset::PixelAtlas;
use crate::components::{
    ColliderAccuracy, ColliderDisabled, ColliderFrame, ColliderOverlap, ColliderOwner,
    ColliderPlane, ColliderShape, CollisionLayers, FixedCollider, PixelCollider, Sensor,
};
use crate::error::ColliderError;
use crate::fit::{self, FastPlacement, ImageFit, SpriteLook, TOLERANCE};
use crate::pixel_world::{PixelWorld, Stretch};
use crate::state::ColliderState;
use bevy_asset::{AssetId, AssetServer, LoadState};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{QueryData, QueryItem};
use bevy_math::{Affine2, Vec2};
use bevy_transform::components::GlobalTransform;
use hitmask::baking::alike;
use hitmask::{Affine, CallError, Collider, ColliderId, Raster, SpriteId, World as HitmaskWorld};
use std::sync::Arc;

/// All that decides about a collider.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct ColliderParts {
    pub(crate) entity: Entity,
    collider: &'static PixelCollider,
    transform: &'static GlobalTransform,
    state: &'static mut ColliderState,
    layers: Option<&'static CollisionLayers>,
    frame: Option<&'static ColliderFrame>,
    plane: Option<&'static ColliderPlane>,
    accuracy: Option<&'static ColliderAccuracy>,
    overlap: Option<&'static ColliderOverlap>,
    owner: Option<&'static ColliderOwner>,
    is_sensor: Has<Sensor>,
    is_fixed: Has<FixedCollider>,
    is_disabled: Has<ColliderDisabled>,
    is_entity_disabled: Has<Disabled>,
    name: Option<&'static Name>,
    #[cfg(feature = "sprite")]
    sprite: Option<&'static bevy_sprite::Sprite>,
    #[cfg(feature = "sprite")]
    anchor: Option<&'static bevy_sprite::Anchor>,
}

/// The result for a collider without a fault.
enum Resolved {
    Placed(ColliderId, FastPlacement),
    /// It is left out, until something changes: it is disabled, has no size, or awaits its atlas.
    LeftOut,
}

/// An image to show: a frame of a sprite, or a run-time mask.
struct Image {
    raster: RasterSource,
    fit: ImageFit,
    /// Offset of the pivot from the position. Not known before it is placed for a raster of the game.
    phase: Option<Vec2>,
    /// The image's corner from its pivot, in texels, y down.
    corner: Vec2,
}

enum RasterSource {
    Sprite { sprite: SpriteId, frame: u32, plane: u32 },
    Raster(Arc<Raster>),
}

impl PixelWorld {
    /// Places the collider of an entity again. Logs a fault.
    pub(crate) fn refresh(
        &mut self,
        mut parts: QueryItem<'_, '_, ColliderParts>,
        assets: Option<&AssetServer>,
    ) {
        let entity = parts.entity;
        match self.resolve(&parts, assets) {
            Ok(Resolved::Placed(id, fast)) => {
                parts.state.set(Some(id), fast);
                self.faults.remove(&entity);
            }
            Ok(Resolved::LeftOut) => {
                self.leave_out(&mut parts.state);
                self.faults.remove(&entity);
            }
            Err(error) => {
                self.leave_out(&mut parts.state);
                self.report(entity, parts.name, error);
            }
        }
    }

    /// Disables a collider in the world.
    fn leave_out(&mut self, state: &mut ColliderState) {
        let id = state.id();
        state.set(id, FastPlacement::default());
        if let (Some(world), Some(id)) = (&mut self.world, id)
            && let Some(collider) = world.get(id)
            && collider.enabled
        {
            // Only the flag changes, so the world accepts it.
            let _ = world.set(id, collider.disabled());
        }
    }

    fn resolve(
        &mut self,
        parts: &QueryItem<'_, '_, ColliderParts>,
        assets: Option<&AssetServer>,
    ) -> Result<Resolved, ColliderError> {
        let is_out = parts.is_disabled || parts.is_entity_disabled;
        if is_out || self.hidden.contains(&parts.entity) {
            return Ok(Resolved::LeftOut);
        }
        let transform = fit::flat(parts.transform);
        if !transform.is_finite() {
            return Err(ColliderError::Transform(transform));
        }
        if (self.world.is_none() || parts.collider.atlas.is_some())
            && self.awaits(parts.collider, assets)?
        {
            return Ok(Resolved::LeftOut);
        }
        let Some(world) = &self.world else { return Err(ColliderError::NoAtlas) };
        let image = match &parts.collider.shape {
            ColliderShape::Mask(mask) => {
                let linear = fit::linear(&transform, &ImageFit::PLAIN);
                let upright = linear.similarity(TOLERANCE).filter(|similarity| {
                    let (scale, angle) = (similarity.scale - 1.0, similarity.angle);
                    !similarity.flip.x && scale.abs().max(angle.abs()) <= TOLERANCE as f32
                });
                return match upright {
                    Some(_) => self.place_mask(parts, Collider::from_mask(*mask), &transform),
                    None if is_flat(&linear) => Ok(Resolved::LeftOut),
                    None => Err(ColliderError::TurnedMask),
                };
            }
            ColliderShape::Raster(raster) => {
                let raster = RasterSource::Raster(Arc::clone(raster));
                Image { raster, fit: ImageFit::PLAIN, phase: None, corner: Vec2::ZERO }
            }
            ColliderShape::Sprite(sprite) => image(world, *sprite, parts)?,
            ColliderShape::Name(name) => match self.sprite_named(name, parts.collider, world) {
                Some(sprite) => image(world, sprite, parts)?,
                None if self.awaits_any(assets) => return Ok(Resolved::LeftOut),
                None => {
                    let names = world.atlases().flat_map(|atlas| atlas.sprites());
                    let alike = alike(name, names.map(|sprite| sprite.name())).map(str::to_owned);
                    return Err(ColliderError::UnknownName { sprite: name.to_string(), alike });
                }
            },
        };
        self.place(parts, &image, &transform)
    }

    /// Places a collider of an image by a baked pose, or by a drawn mask.
    fn place(
        &mut self,
        parts: &QueryItem<'_, '_, ColliderParts>,
        image: &Image,
        transform: &Affine2,
    ) -> Result<Resolved, ColliderError> {
        let linear = fit::linear(transform, &image.fit);
        if is_flat(&linear) {
            return Ok(Resolved::LeftOut);
        }
        let phase = image.phase.unwrap_or_default();
        let position = fit::position(transform, image.fit.pivot, phase);
        let similarity = linear.similarity(TOLERANCE);
        if let (&RasterSource::Sprite { sprite, frame, plane }, Some(similarity)) =
            (&image.raster, similarity)
        {
            let mut fast = FastPlacement::new(transform, &image.fit, phase);
            // The same angle as the next placement gives, to the last bit.
            let angle = match fast.placement(transform) {
                Some(placement) => placement.angle,
                None => {
                    fast = FastPlacement::default();
                    similarity.angle.into()
                }
            };
            let shown = Collider::new(sprite).with_frame(frame).with_plane(plane);
            let shown = shown.flipped(similarity.flip).scaled(similarity.scale).turned(angle);
            match self.put(parts, shown.at(position)) {
                Ok(id) => {
                    self.drawn.release(parts.entity);
                    return Ok(Resolved::Placed(id, fast));
                }
                Err(CallError::UnbakedScale { .. }) if self.stretch == Stretch::Draw => {}
                Err(error) => return Err(error.into()),
            }
        }
        if similarity.is_none() && self.stretch == Stretch::Refuse {
            return Err(ColliderError::Stretched(*transform));
        }
        let raster = match &image.raster {
            RasterSource::Raster(raster) => Arc::clone(raster),
            &RasterSource::Sprite { sprite, frame, plane } => {
                let sprite = self.world.as_ref().and_then(|world| world.sprite(sprite));
                let make = || sprite?.in_plane(plane)?.raster(frame);
                let key = sprite.map(|sprite| (sprite.id(), frame, plane));
                let raster = key.and_then(|key| self.drawn.raster(key, make));
                let name = || sprite.map_or_else(String::new, |sprite| sprite.name().to_owned());
                raster.ok_or_else(|| ColliderError::NoSource { sprite: name() })?
            }
        };
        let Some(world) = &mut self.world else { return Err(ColliderError::NoAtlas) };
        let shift = image.phase.map_or(Vec2::ZERO, |phase| {
            fit::shift_to_pixels(&linear, image.corner, phase, world.atlas().resolution())
        });
        let [tx, ty] = shift.to_array().map(f64::from);
        let mask = self.drawn.draw(world, parts.entity, raster, Affine { tx, ty, ..linear })?;
        let shown = Collider::from_mask(mask);
        match image.phase {
            Some(phase) => {
                let position = fit::position(transform, image.fit.pivot, phase + shift);
                let id = self.put(parts, shown.at(position))?;
                Ok(Resolved::Placed(id, FastPlacement::default()))
            }
            None => self.place_mask(parts, shown, transform),
        }
    }

    /// Places a mask whose phase only the world knows.
    fn place_mask(
        &mut self,
        parts: &QueryItem<'_, '_, ColliderParts>,
        shown: Collider,
        transform: &Affine2,
    ) -> Result<Resolved, ColliderError> {
        let position = |phase| fit::position(transform, Vec2::ZERO, phase);
        let id = self.put(parts, shown.at(position(Vec2::ZERO)))?;
        if let Some(world) = &mut self.world
            && let Some(posed) = world.posed(id)
        {
            let resolution = world.atlas().resolution();
            let phase = Vec2::from(posed.pivot2.map(|half| half as f32 / (2.0 * resolution)));
            world.move_to(id, position(phase))?;
        }
        Ok(Resolved::Placed(id, FastPlacement::default()))
    }

    /// Inserts the collider of an entity, or replaces it, with the settings of its components.
    fn put(
        &mut self,
        parts: &QueryItem<'_, '_, ColliderParts>,
        shown: Collider,
    ) -> Result<ColliderId, CallError> {
        let layers = parts.layers.copied().unwrap_or_default();
        let accuracy = parts.accuracy.copied().unwrap_or_default();
        let collider = Collider {
            layers: layers.layers,
            collides_with: layers.collides_with,
            fixed: parts.is_fixed,
            sensor: parts.is_sensor,
            owner: self.owners.own(parts.entity, parts.owner.map(|owner| owner.0)),
            accuracy: accuracy.touch,
            move_accuracy: accuracy.motion,
            min_overlap: parts.overlap.map_or(shown.min_overlap, |overlap| overlap.0),
            ..shown
        };
        let Some(world) = &mut self.world else { return Err(CallError::Full) };
        if let Some(id) = self.entities.id(parts.entity) {
            world.set(id, collider)?;
            return Ok(id);
        }
        let id = world.insert(collider)?;
        self.entities.insert(parts.entity, id);
        Ok(id)
    }

    /// Returns the sprite of a name: of the atlas of the collider, or else of the first atlas that has it.
    fn sprite_named(
        &self,
        name: &str,
        collider: &PixelCollider,
        world: &HitmaskWorld,
    ) -> Option<SpriteId> {
        let Some(handle) = &collider.atlas else {
            return world.atlases().find_map(|atlas| atlas.sprite_id(name));
        };
        let wanted = self.atlases.of(handle.id())?;
        world.atlases().find(|atlas| atlas.id() == wanted)?.sprite_id(name)
    }

    /// Tests whether the atlas of a collider is still being loaded. An error if it could not be loaded.
    fn awaits(
        &self,
        collider: &PixelCollider,
        assets: Option<&AssetServer>,
    ) -> Result<bool, ColliderError> {
        let Some(handle) = &collider.atlas else {
            if self.awaits_any(assets) {
                return Ok(true);
            }
            let failed = self.atlases.loaded_by_plugin.first();
            return failed.map_or(Ok(false), |handle| Err(not_loaded(handle.id(), assets)));
        };
        if self.atlases.of(handle.id()).is_some() {
            return Ok(false);
        }
        match assets.and_then(|assets| assets.get_load_state(handle.id())) {
            Some(LoadState::Failed(_)) => Err(not_loaded(handle.id(), assets)),
            // An asset that is added by code has no load state.
            _ => Ok(true),
        }
    }

    /// Tests whether an atlas of the plugin is still being loaded.
    fn awaits_any(&self, assets: Option<&AssetServer>) -> bool {
        self.atlases.loaded_by_plugin.iter().any(|handle| {
            let state = assets.and_then(|assets| assets.get_load_state(handle.id()));
            let is_failed = matches!(state, Some(LoadState::Failed(_)));
            !is_failed && self.atlases.of(handle.id()).is_none()
        })
    }
}

fn not_loaded(atlas: AssetId<PixelAtlas>, assets: Option<&AssetServer>) -> ColliderError {
    let path = assets.and_then(|assets| assets.get_path(atlas)).map(|path| path.to_string());
    ColliderError::AtlasNotLoaded { path }
}

/// Tests whether a transform leaves no area, as the scale 0 does.
fn is_flat(linear: &Affine) -> bool {
    linear.a * linear.d - linear.b * linear.c == 0.0
}

/// Returns the image of a sprite that the components select.
fn image(
    world: &HitmaskWorld,
    sprite: SpriteId,
    parts: &QueryItem<'_, '_, ColliderParts>,
) -> Result<Image, ColliderError> {
    let Some(sprite) = world.sprite(sprite) else {
        let sprites = world.atlas().sprites().len() as u32;
        let is_known = sprite.atlas().is_none_or(|id| id == world.atlas().id());
        return Err(ColliderError::Place(match is_known {
            true => CallError::UnknownSprite { sprite, sprites },
            false => CallError::OtherAtlas { sprite },
        }));
    };
    let (look, index) = look(parts);
    let frame = parts.frame.map_or(index, |frame| frame.0);
    let plane = match parts.plane {
        None => 0,
        Some(&ColliderPlane::Index(plane)) => plane,
        Some(ColliderPlane::Name(name)) => sprite.plane(name).ok_or_else(|| {
            let alike = alike(name, sprite.planes()).map(str::to_owned);
            let (sprite, plane) = (sprite.name().to_owned(), name.to_string());
            ColliderError::UnknownPlane { sprite, plane, alike }
        })?,
    };
    let (Some(size), Some(pivot)) = (sprite.frame_size(frame), sprite.pivot(frame)) else {
        let frames = sprite.frame_count();
        return Err(CallError::UnknownFrame { frame, frames }.into());
    };
    Ok(Image {
        raster: RasterSource::Sprite { sprite: sprite.id(), frame, plane },
        fit: look.map_or(ImageFit::PLAIN, |look| ImageFit::of(&look, size, pivot)),
        phase: Some(fit::phase(pivot, world.atlas().resolution())),
        corner: Vec2::from(pivot.map(|half_texels| -half_texels as f32 / 2.0)),
    })
}

/// Returns how Bevy draws the sprite of an entity, if it has one, and the index of its texture atlas.
#[cfg(feature = "sprite")]
fn look(parts: &QueryItem<'_, '_, ColliderParts>) -> (Option<SpriteLook>, u32) {
    let Some(sprite) = parts.sprite else { return (None, 0) };
    let index = sprite.texture_atlas.as_ref().map_or(0, |atlas| atlas.index);
    let look = SpriteLook {
        flip: [sprite.flip_x, sprite.flip_y],
        anchor: parts.anchor.map_or(Vec2::ZERO, |anchor| anchor.0),
        custom_size: sprite.custom_size,
    };
    (Some(look), u32::try_from(index).unwrap_or(u32::MAX))
}

#[cfg(not(feature = "sprite"))]
fn look(_: &QueryItem<'_, '_, ColliderParts>) -> (Option<SpriteLook>, u32) {
    (None, 0)
}
