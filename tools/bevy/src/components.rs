//! The components of a collider.
//!
//! Added by games. `sync` reads them. A marker may be added or removed at any time.

use crate::atlas_asset::PixelAtlas;
use crate::pixel_world;
use crate::state::ColliderState;
use bevy_asset::Handle;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use hitmask::{Accuracy, MaskId, MinOverlap, MoveRules, Raster, Side, SpriteId};
use std::borrow::Cow;
use std::sync::Arc;

/// Makes an entity a collider that touches others by its pixels.
///
/// The entity's [`GlobalTransform`](bevy_transform::components::GlobalTransform) places the pivot of the sprite,
/// which is its centre unless the bake set another one. With a Bevy `Sprite` (feature `sprite`), the collider lies
/// where the sprite is drawn: flips, the anchor, the custom size and the index of the texture atlas are honoured.
///
/// To show something else, insert the component again. The other components change the collider:
/// [`CollisionLayers`], [`Sensor`], [`FixedCollider`], [`ColliderFrame`], [`ColliderPlane`],
/// [`ColliderAccuracy`], [`ColliderOverlap`], [`ColliderOwner`], [`ColliderDisabled`].
///
/// ```
/// use bevy_hitmask::{CollisionLayers, PixelCollider};
/// use bevy::prelude::*;
///
/// fn setup(mut commands: Commands) {
///     let ship = PixelCollider::named("ship");
///     commands.spawn((ship, CollisionLayers::new(0b01, 0b10), Transform::from_xyz(100.0, 40.0, 0.0)));
/// }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[component(immutable, on_insert = pixel_world::on_insert, on_remove = pixel_world::on_remove)]
#[require(Transform, ColliderState)]
#[reflect(opaque, Component, Clone, Debug, PartialEq)]
pub struct PixelCollider {
    /// What the collider shows.
    pub shape: ColliderShape,
    /// The atlas in which a name is looked up. By default the first atlas that has the name.
    pub atlas: Option<Handle<PixelAtlas>>,
}

/// The shape of a collider. [`PixelCollider`] has an example.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// The sprite with this name in an atlas.
    Name(Cow<'static, str>),
    /// A sprite by its id, such as a constant of [`hitmask::include_atlas!`].
    Sprite(SpriteId),
    /// A mask that was inserted into the [world](crate::PixelWorld::world_mut). It cannot turn or scale.
    Mask(MaskId),
    /// A run-time mask that is drawn under the transform of the entity.
    Raster(Arc<Raster>),
}

impl PixelCollider {
    /// Returns a collider of the sprite with this name, which is looked up when its atlas is loaded.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>) -> Self {
        Self::of(ColliderShape::Name(name.into()))
    }

    /// Returns a collider of a sprite, such as a constant of [`hitmask::include_atlas!`].
    #[must_use]
    pub const fn new(sprite: SpriteId) -> Self {
        Self::of(ColliderShape::Sprite(sprite))
    }

    /// Returns a collider of a mask that was inserted into the [world](crate::PixelWorld::world_mut).
    #[must_use]
    pub const fn from_mask(mask: MaskId) -> Self {
        Self::of(ColliderShape::Mask(mask))
    }

    /// Returns a collider of a run-time mask, which is drawn under any transform of the entity.
    ///
    /// ```
    /// use bevy_hitmask::{PixelCollider, hitmask::{Mask, Pivot, Raster, Sampling}};
    /// let crater = Raster::new(&Mask::disc(20)?, Pivot::Center, Sampling::Nearest)?;
    /// let collider = PixelCollider::from_raster(crater);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_raster(raster: impl Into<Arc<Raster>>) -> Self {
        Self::of(ColliderShape::Raster(raster.into()))
    }

    /// Returns the collider with its name looked up in this atlas.
    #[must_use]
    pub fn in_atlas(self, atlas: Handle<PixelAtlas>) -> Self {
        Self { atlas: Some(atlas), ..self }
    }

    const fn of(shape: ColliderShape) -> Self {
        Self { shape, atlas: None }
    }
}

/// The layers of a collider, one bit each. A pair can touch only if each collider is on a layer that the other
/// collides with. Without this component a collider is on the lowest layer and collides with all.
///
/// ```
/// use bevy_hitmask::CollisionLayers;
/// let bullet = CollisionLayers::new(0b001, 0b110);
/// assert_eq!((bullet.layers, bullet.collides_with), (1, 6));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct CollisionLayers {
    /// Layers of the collider.
    pub layers: u32,
    /// Layers that the collider can touch.
    pub collides_with: u32,
}

impl CollisionLayers {
    /// Returns the layers of a collider, and the layers that it collides with.
    #[must_use]
    pub const fn new(layers: u32, collides_with: u32) -> Self {
        Self { layers, collides_with }
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::new(1, u32::MAX)
    }
}

/// Lets casts and moves pass through a collider. Its touches are reported as any other.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::{PixelCollider, Sensor};
/// # fn setup(mut commands: Commands) {
/// commands.spawn((PixelCollider::named("checkpoint"), Sensor));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct Sensor;

/// Marks a collider that never or seldom moves, such as level geometry. Fixed colliders do not touch each other, and
/// cost little while others move.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::{FixedCollider, PixelCollider};
/// # fn setup(mut commands: Commands) {
/// commands.spawn((PixelCollider::named("wall"), FixedCollider));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct FixedCollider;

/// Takes a collider out of the world, without removing it. Bevy's own
/// [`Disabled`](bevy_ecs::entity_disabling::Disabled) does the same.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::{ColliderDisabled, PixelCollider};
/// # fn hide(mut commands: Commands, ghost: Entity) {
/// commands.entity(ghost).insert(ColliderDisabled);
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct ColliderDisabled;

/// The frame of the sprite, counted from 0. Without this component the index of the Bevy sprite's texture atlas counts,
/// or else frame 0.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_hitmask::ColliderFrame;
/// fn animate(mut frames: Query<&mut ColliderFrame>) {
///     frames.iter_mut().for_each(|mut frame| frame.0 = (frame.0 + 1) % 8);
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct ColliderFrame(pub u32);

/// The plane of the frame: a named mask, such as "body" or "shield". Without this component the first plane counts.
///
/// ```
/// use bevy_hitmask::ColliderPlane;
/// assert_ne!(ColliderPlane::named("shield"), ColliderPlane::Index(0));
/// ```
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub enum ColliderPlane {
    /// The plane by its index, counted from 0.
    Index(u32),
    /// The plane by its name.
    Name(Cow<'static, str>),
}

impl ColliderPlane {
    /// Returns the plane with this name.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Name(name.into())
    }
}

/// How closely a collider is tested. Without this component its pixels count.
///
/// ```
/// use bevy_hitmask::{ColliderAccuracy, hitmask::Accuracy};
/// // Touches by its pixels, and blocks moves as a box.
/// let crate_of_wood = ColliderAccuracy { motion: Some(Accuracy::Box), ..Default::default() };
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(opaque, Component, Clone, Debug, Default, PartialEq)]
pub struct ColliderAccuracy {
    /// Accuracy for touching: [`hitmask::Collider::accuracy`].
    pub touch: Accuracy,
    /// Accuracy for moves and casts: [`hitmask::Collider::move_accuracy`].
    pub motion: Option<Accuracy>,
}

/// The least overlap that counts as touching: [`hitmask::Collider::min_overlap`]. Without this component one shared
/// pixel is enough.
///
/// ```
/// use bevy_hitmask::{ColliderOverlap, hitmask::MinOverlap};
/// let ten_pixels = ColliderOverlap(MinOverlap::Pixels(10));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(opaque, Component, Clone, Debug, PartialEq)]
pub struct ColliderOverlap(pub MinOverlap);

/// The entity that a collider is a part of, such as the root of a body. Colliders of one owner never touch or block
/// each other.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::{ColliderOwner, PixelCollider};
/// # fn setup(mut commands: Commands) {
/// let tank = commands.spawn(PixelCollider::named("hull")).id();
/// commands.entity(tank).insert(ColliderOwner(tank));
/// commands.spawn((PixelCollider::named("turret"), ColliderOwner(tank), ChildOf(tank)));
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct ColliderOwner(#[entities] pub Entity);

/// The entities that touch a collider, kept up to date by the plugin. Add it to the colliders that need it, at any
/// time.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_hitmask::Touching;
/// fn show(colliders: Query<(&Name, &Touching)>) {
///     for (name, touching) in &colliders {
///         println!("{name} touches {} others", touching.len());
///     }
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[component(clone_behavior = Ignore)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct Touching {
    /// In ascending order.
    entities: Vec<Entity>,
}

impl Touching {
    /// Returns the entities, in ascending order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> {
        self.entities.iter().copied()
    }

    /// Tests whether an entity touches the collider.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.entities.binary_search(&entity).is_ok()
    }

    /// Returns the number of entities.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entities.len()
    }

    /// Tests whether nothing touches the collider.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    pub(crate) fn insert(&mut self, entity: Entity) {
        if let Err(at) = self.entities.binary_search(&entity) {
            self.entities.insert(at, entity);
        }
    }

    pub(crate) fn remove(&mut self, entity: Entity) {
        if let Ok(at) = self.entities.binary_search(&entity) {
            self.entities.remove(at);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entities.clear();
    }
}

/// Moves a collider by a motion in the next tick, up to obstacles and along them:
/// [`hitmask::World::move_by_rules`]. The plugin then writes the [`Transform`] and [`MoveOutcome`], and sets the
/// motion to 0. Other colliders are tested after all moves of the tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_hitmask::MoveAndSlide;
/// fn fall(mut heroes: Query<&mut MoveAndSlide>) {
///     heroes.iter_mut().for_each(|mut hero| hero.motion = Vec2::new(1.5, -2.0));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[require(MoveOutcome)]
#[reflect(opaque, Component, Clone, Debug, Default, PartialEq)]
pub struct MoveAndSlide {
    /// Motion in the next tick, in pixels, y up.
    pub motion: Vec2,
    /// Slopes, slipping and one-way platforms.
    pub rules: MoveRules,
}

/// The result of the last move of a [`MoveAndSlide`] collider.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_hitmask::{MoveOutcome, hitmask::Side};
/// fn jump(heroes: Query<&MoveOutcome>) {
///     let can_jump = heroes.iter().any(|moved| moved.blocked_on(Side::Below));
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(opaque, Component, Clone, Debug, Default, PartialEq)]
pub struct MoveOutcome {
    /// The motion that took place, in pixels, y up.
    pub translation: Vec2,
    /// Obstacles that ended a part of the motion, in the order of contact, and the side on which each lies.
    pub contacts: Vec<(Entity, Side)>,
    /// Sensors that the collider touched on its way, in the order in which it met them.
    pub passed: Vec<Entity>,
    /// Obstacles that the collider overlaps and cannot leave: it is crushed.
    pub stuck_in: Vec<Entity>,
}

impl MoveOutcome {
    /// Tests whether an obstacle on this side ended a part of the motion.
    #[must_use]
    pub fn blocked_on(&self, side: Side) -> bool {
        self.contacts.iter().any(|&(_, blocked)| blocked == side)
    }
}
