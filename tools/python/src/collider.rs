//! Colliders and filters as keyword arguments, and colliders as the world holds them.

use crate::arrays::{self, ANY};
use crate::atlas::{PySprite, unknown_name};
use crate::errors::{Kind, OrRaise, invalid, raise};
use crate::values::{AccuracyName, Xy, accuracy_name, arguments, bits, repr_of, xy};
use hitmask::{
    Angle, Collider, ColliderId, ColliderShape, Filter, MaskId, MinOverlap, SpriteId, World,
};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// A collider as the world holds it.
#[pyclass(name = "Collider", module = "hitmask", frozen, get_all, eq)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PyCollider {
    /// The name of its sprite, or None if it shows a run-time mask.
    sprite: Option<String>,
    /// The id of its run-time mask, or None.
    mask: Option<u64>,
    /// The frame.
    frame: u32,
    /// The plane.
    plane: u32,
    /// The position of its pivot in pixels.
    at: (f32, f32),
    /// The rotation about its pivot in radians, clockwise on screen.
    angle: f32,
    /// The rotation in 65,536ths of a turn, if it was given so.
    turn: Option<u16>,
    /// The scale.
    scale: f32,
    /// Whether it is mirrored left and right, before the rotation.
    flip_x: bool,
    /// Whether it is mirrored top and bottom, before the rotation.
    flip_y: bool,
    /// The layers it is on, 1 bit each.
    layers: u32,
    /// The layers it can touch, 1 bit each.
    collides_with: u32,
    /// Colliders with the same owner never touch. 0 is none.
    owner: u32,
    /// The least number of shared pixels that counts as touching.
    min_overlap: u32,
    /// The least width and height of the overlap, instead of `min_overlap`; or None.
    min_size: Option<(u32, u32)>,
    /// Whether it never or seldom moves. Fixed colliders do not touch each other.
    fixed: bool,
    /// Whether it reports touches without blocking moves.
    sensor: bool,
    /// Whether it takes part.
    enabled: bool,
    /// The accuracy for touching: "exact", "coarse" or "box".
    accuracy: &'static str,
    /// The accuracy for moves and casts, or None for that of touching.
    move_accuracy: Option<&'static str>,
    /// A number of your own.
    user_data: u64,
}

#[pymethods]
impl PyCollider {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = match (&self.sprite, self.mask) {
            (Some(sprite), _) => repr_of(py, sprite)?,
            (None, mask) => format!("mask={}", mask.unwrap_or(0)),
        };
        let (at, angle) = (repr_of(py, self.at)?, repr_of(py, self.angle)?);
        let scale = repr_of(py, self.scale)?;
        Ok(format!("<hitmask.Collider {shown} at {at}, angle={angle}, scale={scale}>"))
    }
}

impl PyCollider {
    pub(crate) fn of(world: &World, collider: &Collider) -> Self {
        let (sprite, mask) = match collider.shape {
            ColliderShape::Sprite(id) => {
                (world.sprite(id).map(|sprite| sprite.name().to_owned()), None)
            }
            ColliderShape::Mask(id) => (None, Some(id.to_bits())),
        };
        let (min_overlap, min_size) = match collider.min_overlap {
            MinOverlap::Pixels(pixels) => (pixels, None),
            MinOverlap::Size { width, height } => (0, Some((width, height))),
        };
        Self {
            sprite,
            mask,
            frame: collider.frame,
            plane: collider.plane,
            at: xy(collider.position),
            angle: collider.angle.to_radians(),
            turn: collider.angle.as_turn().filter(|&turn| turn != 0),
            scale: collider.scale,
            flip_x: collider.flip.x,
            flip_y: collider.flip.y,
            layers: collider.layers,
            collides_with: collider.collides_with,
            owner: collider.owner,
            min_overlap,
            min_size,
            fixed: collider.fixed,
            sensor: collider.sensor,
            enabled: collider.enabled,
            accuracy: accuracy_name(collider.accuracy),
            move_accuracy: collider.move_accuracy.map(accuracy_name),
            user_data: collider.user_data,
        }
    }
}

/// Returns the id of a sprite: its name, an object `Sprite`, or an id.
pub(crate) fn sprite_of(world: &World, given: &Bound<'_, PyAny>) -> PyResult<SpriteId> {
    if let Ok(name) = given.cast::<PyString>() {
        let name = name.to_cow()?;
        let found = world.atlases().find_map(|atlas| atlas.sprite_id(&name));
        return found.ok_or_else(|| {
            let names =
                world.atlases().flat_map(|atlas| atlas.sprites()).map(|sprite| sprite.name());
            unknown_name(format!("the world has no sprite {name:?}"), &name, names)
        });
    }
    let number = match given.cast::<PySprite>() {
        Ok(sprite) => sprite.get().bits(),
        Err(_) => bits(given, "sprite")?,
    };
    SpriteId::from_bits(number).ok_or_else(|| {
        raise(
            Kind::UnknownId,
            format!("{number} is no id of a sprite"),
            "pass a name, or Sprite.id",
        )
    })
}

/// The id of a collider that is given.
#[derive(Clone, Copy)]
pub(crate) struct Id(pub(crate) ColliderId);

impl FromPyObject<'_, '_> for Id {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        collider_id(object.extract()?).map(Self)
    }
}

impl Id {
    /// Returns the collider. Refuses a stale id.
    pub(crate) fn find(self, world: &World) -> PyResult<Collider> {
        world.get(self.0).ok_or(hitmask::CallError::Stale(self.0)).or_raise()
    }
}

/// Reads an array (n,) of ids.
pub(crate) fn ids(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<ColliderId>> {
    arrays::read::<u64, _>(given, argument, &[ANY], |bits, _| {
        bits.iter().map(|&bits| collider_id(bits)).collect()
    })?
}

/// Returns the numbers of ids.
pub(crate) fn numbers(ids: Vec<ColliderId>) -> Vec<u64> {
    ids.into_iter().map(ColliderId::to_bits).collect()
}

/// Returns the id of a collider. The world refuses stale ones.
#[inline]
pub(crate) fn collider_id(bits: u64) -> PyResult<ColliderId> {
    ColliderId::from_bits(bits).ok_or_else(|| {
        let help = "pass one that World.insert has returned";
        let what = if MaskId::from_bits(bits).is_some() { "a mask, and" } else { "nothing, and" };
        raise(Kind::UnknownId, format!("{bits} is the id of {what} a collider is needed"), help)
    })
}

/// Returns the id of a run-time mask. The world refuses stale ones.
pub(crate) fn mask_id(bits: u64) -> PyResult<MaskId> {
    MaskId::from_bits(bits).ok_or_else(|| {
        let help = "pass one that World.insert_mask has returned";
        let is_collider = ColliderId::from_bits(bits).is_some();
        let what = if is_collider { "a collider, and" } else { "nothing, and" };
        raise(Kind::UnknownId, format!("{bits} is the id of {what} a mask is needed"), help)
    })
}

/// Changes a collider by keyword arguments.
pub(crate) fn change(
    world: &World,
    collider: &mut Collider,
    given: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let names = "sprite mask frame plane at angle turn scale flip_x flip_y layers collides_with owner \
                 min_overlap min_size fixed sensor enabled accuracy move_accuracy user_data";
    let help = "help(hitmask.World.insert) lists them";
    arguments(Some(given), "a collider", names, help, |key, value| {
        match key {
            "sprite" => collider.shape = ColliderShape::Sprite(sprite_of(world, value)?),
            "mask" => collider.shape = ColliderShape::Mask(mask_id(bits(value, "mask")?)?),
            "frame" => collider.frame = value.extract()?,
            "plane" => collider.plane = plane(world, collider, value)?,
            "at" => collider.position = value.extract::<Xy>()?.0,
            "angle" => collider.angle = crate::values::angle(value.extract()?, None),
            "turn" => {
                if let Some(turn) = value.extract::<Option<u16>>()? {
                    collider.angle = Angle::turn(turn);
                }
            }
            "scale" => collider.scale = value.extract()?,
            "flip_x" => collider.flip.x = value.extract()?,
            "flip_y" => collider.flip.y = value.extract()?,
            "layers" => collider.layers = value.extract()?,
            "collides_with" => collider.collides_with = value.extract()?,
            "owner" => collider.owner = value.extract()?,
            "min_overlap" => collider.min_overlap = value.extract::<u32>()?.into(),
            "min_size" => {
                if let Some((width, height)) = value.extract::<Option<(u32, u32)>>()? {
                    collider.min_overlap = MinOverlap::Size { width, height };
                }
            }
            "fixed" => collider.fixed = value.extract()?,
            "sensor" => collider.sensor = value.extract()?,
            "enabled" => collider.enabled = value.extract()?,
            "accuracy" => collider.accuracy = value.extract::<AccuracyName>()?.0,
            "move_accuracy" => {
                collider.move_accuracy =
                    value.extract::<Option<AccuracyName>>()?.map(|name| name.0);
            }
            "user_data" => collider.user_data = value.extract()?,
            _ => return Ok(false),
        }
        Ok(true)
    })
}

/// Returns a plane of a collider's sprite by its number or name.
fn plane(world: &World, collider: &Collider, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let Ok(name) = value.cast::<PyString>() else { return value.extract() };
    let name = name.to_cow()?;
    let sprite = collider.shape.sprite().and_then(|id| world.sprite(id));
    sprite.and_then(|sprite| sprite.plane(&name)).ok_or_else(|| {
        let planes = sprite.iter().flat_map(|sprite| sprite.planes());
        unknown_name(format!("the sprite has no plane {name:?}"), &name, planes)
    })
}

/// Returns a filter by keyword arguments: ignore, layers, sensors, accuracy.
pub(crate) fn filter(given: Option<&Bound<'_, PyDict>>) -> PyResult<Filter<'static>> {
    let mut filter = Filter::ALL;
    let names = "ignore layers sensors accuracy";
    let help = "it takes ignore, layers, sensors and accuracy";
    arguments(given, "a query", names, help, |key, value| {
        match key {
            "ignore" => {
                filter.except = value.extract::<Option<u64>>()?.map(collider_id).transpose()?;
            }
            "layers" => filter.layers = value.extract()?,
            "sensors" => filter.sensors = value.extract()?,
            "accuracy" => filter.accuracy = value.extract::<AccuracyName>()?.0,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(filter)
}

/// Refuses a sprite and a mask for one collider.
pub(crate) fn shape_of(
    world: &World,
    sprite: Option<&Bound<'_, PyAny>>,
    mask: Option<u64>,
) -> PyResult<Collider> {
    match (sprite, mask) {
        (Some(sprite), None) => Ok(Collider::new(sprite_of(world, sprite)?)),
        (None, Some(mask)) => Ok(Collider::from_mask(mask_id(mask)?)),
        (given, _) => Err(invalid(
            if given.is_some() {
                "a collider has a sprite and a mask"
            } else {
                "a collider has no shape"
            },
            "pass the name of a sprite, or mask= with an id of World.insert_mask",
        )),
    }
}
