//! Pixel-perfect 2D sprite collisions for Bevy, by [`hitmask`].
//!
//! Add the [`HitmaskPlugin`] with an atlas of masks, and a [`PixelCollider`] to each sprite. Entities that begin to touch
//! raise [`CollisionStart`], and [`CollisionEnd`] when they part. Both are messages and events for observers. Colliders
//! lie where Bevy draws their sprites, in the tick of their transforms.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_hitmask::hitmask::{Atlas, AtlasBuilder, Mask};
//! use bevy_hitmask::{CollisionStart, HitmaskPlugin, PixelCollider};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // As a rule a build script bakes image files: see the README.
//! let bake = AtlasBuilder::new().mask("ship", Mask::disc(8)?).mask("rock", Mask::disc(20)?);
//! let atlas = Atlas::from_vec(bake.to_bytes()?)?;
//!
//! let mut app = App::new();
//! app.add_plugins((DefaultPlugins, HitmaskPlugin::new(PostUpdate).with_atlas(atlas)));
//! app.world_mut().spawn(PixelCollider::named("rock"));
//! app.world_mut()
//!     .spawn((PixelCollider::named("ship"), Transform::from_xyz(25.0, 0.0, 0.0)))
//!     .observe(|hit: On<CollisionStart>, mut commands: Commands| {
//!         commands.entity(hit.entity).despawn();
//!     });
//! app.update();
//! # assert_eq!(app.world_mut().query::<&PixelCollider>().iter(app.world()).count(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # First steps
//! - [`PixelCollider`] and the components beside it: layers, sensors, frames, planes, accuracy, owners.
//! - [`PixelQuery`]: contacts, rays, zones, casts, grazes and the nearest, in entities.
//! - [`MoveAndSlide`]: characters that walk on pixels.
//! - [`PixelAtlas`]: atlases as assets, with hot reload. [`PixelWorld`]: faults, run-time masks, settings.
//!
//! # Units
//! Positions and lengths are in pixels of Bevy's world, y up. A sprite of scale 1 has one mask pixel per unit. The z of
//! a transform is not used. Only `Transform` and `GlobalTransform` are read, in the schedule of the plugin. So
//! positions that are interpolated for drawing, between ticks, change no answer.
//!
//! A pixel is solid if its centre lies on a solid texel of the drawn sprite. Baked sprites snap: the position to whole
//! pixels, the angle and the scale to the nearest baked ones. The middle of a sprite of odd width is the middle of a
//! pixel, so such a sprite is drawn exactly at x = 0.5, 1.5 and so on.
//!
//! # Parents, mirrors and stretched sprites
//! A collider follows its `GlobalTransform`. A negative scale mirrors it. An uneven scale, of the entity, a parent or a
//! custom size, is drawn: see [`Stretch`].
//!
//! # Hidden sprites
//! A sprite that is hidden by its `Visibility` collides all the same, as with the physics of engines.
//! [`HitmaskPlugin::collide_hidden`] leaves hidden sprites out. Pointers never pick them.
//!
//! # Faults
//! Bad input never panics. The collider is left out, the reason is logged once with the entity and its name, and
//! [`PixelWorld::fault`] returns it. The collider comes back when the fault is mended.
//!
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `sprite` | yes | flips, anchors, custom sizes and texture atlases of Bevy's `Sprite` |
//! | `picking` | no | a backend of Bevy's picking: `PixelPickingPlugin` |
//! | `gizmos` | no | outlines, boxes, contacts and normals: `PixelGizmosPlugin` |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod atlas_asset;
mod atlas_reload;
mod bulk;
mod components;
mod drawn_masks;
mod entity_map;
mod error;
mod events;
mod fit;
#[cfg(feature = "gizmos")]
mod gizmos;
mod maps;
mod moves;
#[cfg(feature = "picking")]
mod picking;
mod pixel_world;
mod plugin;
mod queries;
mod resolve;
mod rollback;
mod state;
mod sync;

pub use atlas_asset::PixelAtlas;
pub use atlas_reload::AtlasReloaded;
pub use components::{
    ColliderAccuracy, ColliderDisabled, ColliderFrame, ColliderOverlap, ColliderOwner,
    ColliderPlane, ColliderShape, CollisionLayers, FixedCollider, MoveAndSlide, MoveOutcome,
    PixelCollider, Sensor, Touching,
};
pub use error::{ColliderError, ColliderFault};
pub use events::{CollisionEnd, CollisionStart};
#[cfg(feature = "gizmos")]
pub use gizmos::{PixelGizmos, PixelGizmosPlugin};
/// The library, so that games use one version of it.
pub use hitmask;
pub use maps::{MapItem, MapUpdate};
#[cfg(feature = "picking")]
pub use picking::PixelPickingPlugin;
pub use pixel_world::{PixelWorld, Stretch};
pub use plugin::{HitmaskPlugin, HitmaskSystems};
pub use queries::{CastHit, EntityContact, PixelQuery, QueryFilter, RayHit};
pub use rollback::after_load;
pub use state::ColliderState;
