//! [`CallError`]: why a call refused its input.
//!
//! One type for masks, poses, zones, colliders and atlases, so that `?` passes each on. Files have
//! [`FileError`](crate::FileError), and bakes have [`BuildError`](crate::BuildError).
//!
//! Invariants: a call that returns it has changed nothing. `Display` states the fault and the offending
//! value; `help` states the remedy.

use crate::ids::{AtlasId, ColliderId, MAX_COLLIDERS, MaskId, SpriteId};
use std::borrow::Cow;
use std::fmt;

/// The reason why a call refused its input. Nothing has changed.
///
/// `Debug` prints the fault and the remedy on one line, because a program that returns the error from
/// `main` prints it that way.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, CallError, Collider, Mask, World};
/// let error = Mask::new(1 << 20, 1).unwrap_err();
/// assert_eq!(error.to_string(), "1048576 x 1 pixels exceed the limit of 32767 a side");
///
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// let a = Collider::new(atlas.sprite_id("a").unwrap());
/// let mut world = World::new(atlas);
/// let id = world.insert(a)?;
/// world.remove(id).unwrap();
/// let error = world.set(id, a).unwrap_err();
/// assert_eq!(error, CallError::Stale(id));
/// assert_eq!(error.to_string(), "collider 0 (generation 0) is no longer in the world");
/// assert_eq!(error.help(), "insert the collider again and use the new id");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum CallError {
    /// The atlas has no sprite with this id.
    UnknownSprite {
        /// The offending id.
        sprite: SpriteId,
        /// Number of sprites in the atlas.
        sprites: u32,
    },
    /// The sprite belongs to an atlas that is not in the world.
    OtherAtlas {
        /// The offending id.
        sprite: SpriteId,
    },
    /// No atlas of the world has a sprite of this name, which a map shows.
    NoSprite(String),
    /// The sprite or the plane is of an earlier version of an atlas. The
    /// [newest version](crate::AtlasesMut::replace) has none of that name.
    Vanished {
        /// The offending id.
        sprite: SpriteId,
        /// The plane that was asked for, counted from 0.
        plane: u32,
    },
    /// The sprite is mirrored, but was baked for one that never is, such as terrain of a map.
    NeverMirrored {
        /// The offending id.
        sprite: SpriteId,
    },
    /// The sprite has no frame with this index.
    UnknownFrame {
        /// The offending frame, counted from 0.
        frame: u32,
        /// Number of frames of the sprite.
        frames: u32,
    },
    /// The sprite has no plane with this index.
    UnknownPlane {
        /// The offending plane, counted from 0.
        plane: u32,
        /// Number of planes of the sprite.
        planes: u32,
    },
    /// The collider with this id was removed.
    Stale(ColliderId),
    /// No collider of the world has this [owner](crate::Collider::owner).
    UnknownOwner(u32),
    /// The mask with this id was removed or was never inserted.
    UnknownMask(MaskId),
    /// No atlas of the world has this id, or the atlas was dropped.
    UnknownAtlas(AtlasId),
    /// The collider shows a runtime mask with a frame, angle, scale or flip. A runtime mask has one
    /// frame and one pose.
    PosedMask(MaskId),
    /// The mask cannot be removed because a collider shows it.
    MaskInUse(MaskId),
    /// The mask was inserted with [`MasksMut::insert`](crate::MasksMut::insert), so it has no
    /// source raster to draw again.
    UndrawnMask(MaskId),
    /// The world has an atlas of this id already, or had it as an earlier version of another atlas.
    SameAtlas(AtlasId),
    /// The atlas has another resolution than the world.
    OtherResolution {
        /// The resolution of the atlas.
        atlas: f32,
        /// The resolution of the world.
        world: f32,
    },
    /// Colliders show sprites of the atlas.
    AtlasInUse {
        /// The id of the atlas.
        atlas: AtlasId,
        /// The number of colliders.
        colliders: usize,
    },
    /// The atlas is the only one of the world.
    OnlyAtlas(AtlasId),
    /// The atlases of the world have too many sprites, poses or pixels together.
    AtlasesTooLarge,
    /// The poses that colliders would show take more than the
    /// [budget](crate::AtlasesMut::set_pose_budget), after all others were dropped.
    PoseBudget {
        /// Bytes of the masks that would be shown. A call that places all colliders, such as
        /// [`restore`](crate::World::restore), stops at the first pose that exceeds the budget.
        needed: u64,
        /// The budget, in bytes.
        budget: u64,
    },
    /// The world already holds [`MAX_COLLIDERS`] colliders, the index range of masks is used up, or
    /// its poses take 32 GiB.
    Full,
    /// A number is not finite, out of range, or breaks a rule that `help` states. The name tells which:
    /// "scale", "angle", "radius or length", or that of a field or of a setter.
    Number {
        /// The name of the number.
        name: &'static str,
        /// Its value.
        value: f32,
        /// The least value.
        least: f32,
        /// The greatest value.
        most: f32,
    },
    /// The scale is too far from every scale that the sprite is baked at, by the world's
    /// [`ScalePolicy`](crate::ScalePolicy).
    UnbakedScale {
        /// The offending scale.
        scale: f32,
        /// The nearest baked scale.
        nearest: f32,
        /// How many times larger or smaller than a baked scale the policy allows. 1 for
        /// [`ScalePolicy::Exact`](crate::ScalePolicy::Exact).
        factor: f32,
    },
    /// The list of scales is empty.
    NoScales,
    /// A coordinate is not finite or too far from the origin. Colliders and corners reach up to
    /// [`MAX_POSITION`](crate::MAX_POSITION) mask pixels on either axis, zones and lines up to
    /// 2,000,000,000. Mask pixels are units of positions times the resolution.
    Position([f32; 2]),
    /// A direction is zero or not finite.
    Direction([f32; 2]),
    /// The ends of a line are more than 2,147,483,647 mask pixels apart on one axis.
    Span {
        /// Requested start.
        from: [f32; 2],
        /// Requested end.
        to: [f32; 2],
    },
    /// The pivot is too far from the image.
    Pivot {
        /// The pivot in half-texels from the top-left corner.
        half_texels: [i32; 2],
        /// Upper bound on its distance from the image's corner on either axis, in half-texels.
        limit: i32,
    },
    /// A transform, or what it is made of, is not finite, or it translates by more than 10^9 pixels.
    Transform,
    /// The matrix has perspective, which no affine transform reproduces.
    Perspective {
        /// Change of w along x: entry 3 of the matrix.
        x: f32,
        /// Change of w along y: entry 7 of the matrix.
        y: f32,
    },
    /// The point lies in or behind the plane of the viewer. The divisor w there is 0, or below 0
    /// under perspective.
    Behind {
        /// The divisor w of the point.
        w: f32,
    },
    /// A mask would have a longer side than a mask may have.
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
        /// The limit: [`MAX_SIDE`](crate::MAX_SIDE).
        most: u32,
    },
    /// The number of bytes does not match the size.
    WrongLength {
        /// Bytes required by width and height.
        expected: usize,
        /// Bytes given.
        got: usize,
    },
    /// A mask whose shape is updated has another size than before.
    SizeChanged {
        /// The first width and height in pixels.
        expected: [u32; 2],
        /// The width and height now.
        got: [u32; 2],
    },
    /// A text picture contains a character other than `.` and `#`.
    BadCharacter {
        /// The character.
        found: char,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// A text picture has rows of different lengths.
    RaggedRow {
        /// Line, from 1, whose length differs from that of the first row.
        line: usize,
        /// Characters in the first row.
        expected: usize,
        /// Characters in this row.
        got: usize,
    },
    /// A text is neither a colour nor a range of colours.
    BadColor {
        /// The text.
        text: String,
    },
    /// The environment variable `HITMASK_SIMD` names no instruction set of this machine.
    Simd {
        /// The value of the variable.
        name: String,
        /// The sets of this machine, best first.
        available: Box<[&'static str]>,
    },
    /// The fault of one item of a list. The call has changed none of them.
    Item {
        /// Index of the offending item in the given list, counted from 0.
        index: usize,
        /// The fault of that item.
        cause: Box<Self>,
    },
    /// A collider cannot be placed with a new atlas, or as a snapshot has it.
    Collider {
        /// The collider.
        collider: ColliderId,
        /// Its fault.
        cause: Box<Self>,
    },
}

debug_with_help!(CallError);

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSprite { sprite, sprites } => {
                let index = sprite.index();
                write!(f, "sprite {index} does not exist (sprites in the atlas: {sprites})")
            }
            Self::NoSprite(name) => write!(f, "no atlas of the world has the sprite {name:?}"),
            Self::NeverMirrored { sprite } => {
                write!(f, "sprite {} was baked without mirror images", sprite.index())
            }
            Self::OtherAtlas { sprite } => {
                write!(f, "sprite {} belongs to ", sprite.index())?;
                match sprite.atlas() {
                    Some(atlas) => write!(f, "atlas {atlas}, which is not in the world"),
                    None => f.write_str("no atlas, but the world has several"),
                }
            }
            Self::Vanished { sprite, plane } => {
                write!(f, "plane {plane} of sprite {} of atlas ", sprite.index())?;
                sprite.atlas().map_or(Ok(()), |atlas| atlas.fmt(f))?;
                f.write_str(" is not in its newest version")
            }
            Self::UnknownFrame { frame, frames } => {
                write!(f, "frame {frame} does not exist (frames of the sprite: {frames})")
            }
            Self::UnknownPlane { plane, planes } => {
                write!(f, "plane {plane} does not exist (planes of the sprite: {planes})")
            }
            Self::Stale(id) => {
                let (index, generation) = (id.index(), id.generation());
                write!(f, "collider {index} (generation {generation}) is no longer in the world")
            }
            Self::UnknownOwner(owner) => write!(f, "owner {owner} has no colliders in the world"),
            Self::UnknownMask(id) => {
                let (index, generation) = (id.index(), id.generation());
                write!(f, "mask {index} (generation {generation}) is not in the world")
            }
            Self::UnknownAtlas(atlas) => write!(f, "atlas {atlas} is not in the world"),
            Self::PosedMask(id) => {
                write!(f, "runtime mask {} cannot take a frame, angle, scale or flip", id.index())
            }
            Self::MaskInUse(id) => write!(f, "mask {} is in use by a collider", id.index()),
            Self::UndrawnMask(id) => write!(f, "mask {} has no raster to draw it from", id.index()),
            Self::SameAtlas(atlas) => write!(f, "the world already has an atlas with id {atlas}"),
            Self::OtherResolution { atlas, world } => write!(
                f,
                "the atlas has resolution {atlas}, but the atlases of the world have {world}"
            ),
            Self::AtlasInUse { atlas, colliders } => {
                write!(f, "atlas {atlas} is in use by {colliders} colliders")
            }
            Self::OnlyAtlas(atlas) => write!(f, "atlas {atlas} is the only one of the world"),
            Self::AtlasesTooLarge => f.write_str("the atlases are too large for one world"),
            Self::PoseBudget { needed, budget } => {
                write!(f, "the shown poses take {needed} bytes (the budget is {budget} bytes)")
            }
            Self::Full => write!(f, "the world is full (limit {MAX_COLLIDERS} colliders)"),
            Self::Number { name, value, least, most } => {
                write!(f, "invalid {name} {value}: ")?;
                match (value.is_finite(), value < least, value > most) {
                    (false, ..) => f.write_str("not a finite number"),
                    (_, true, _) => write!(f, "below {least}"),
                    (.., true) => write!(f, "above {most}"),
                    _ => f.write_str(rule_of(name)),
                }
            }
            Self::UnbakedScale { scale, nearest, factor: 1.0 } => {
                write!(f, "scale {scale} is not baked (the nearest baked scale is {nearest})")
            }
            Self::UnbakedScale { scale, nearest, factor } => write!(
                f,
                "scale {scale} is not baked: it is more than {factor}x away from the nearest baked \
                 scale, {nearest}"
            ),
            Self::NoScales => f.write_str("the list of scales is empty"),
            Self::Position([x, y]) => {
                write!(f, "position ({x}, {y}) is not finite or too far from the origin")
            }
            Self::Direction([x, y]) => {
                write!(f, "invalid direction ({x}, {y}): zero or not finite")
            }
            Self::Span { from: [x0, y0], to: [x1, y1] } => {
                write!(f, "the line from ({x0}, {y0}) to ({x1}, {y1}) is too long")
            }
            Self::Pivot { half_texels: [x, y], .. } => {
                write!(f, "pivot ({x}, {y}), in half-texels, is too far from the image")
            }
            Self::Transform => f.write_str("the transform is not finite, or translates too far"),
            Self::Perspective { x, y } => {
                write!(f, "the matrix has perspective ({x} along x, {y} along y)")
            }
            Self::Behind { w } => {
                write!(f, "the point is not in front of the viewer (its divisor w is {w})")
            }
            Self::TooLarge { width, height, most } => {
                write!(f, "{width} x {height} pixels exceed the limit of {most} a side")
            }
            Self::WrongLength { expected, got } => {
                write!(f, "got {got} bytes, but the size requires {expected}")
            }
            Self::SizeChanged { expected: [w, h], got: [width, height] } => {
                write!(f, "the mask is {width} x {height} pixels, but was {w} x {h}")
            }
            Self::BadCharacter { found, line, column } => {
                write!(f, "unexpected {found:?} at line {line}, column {column}")
            }
            Self::RaggedRow { line, expected, got } => {
                write!(f, "line {line} has {got} characters, but the first row has {expected}")
            }
            Self::BadColor { text } => {
                write!(f, "{text:?} is neither a colour nor a range of colours")
            }
            Self::Simd { name, .. } => {
                write!(f, "this machine has no instruction set {name:?}, which HITMASK_SIMD names")
            }
            Self::Item { index, cause } => write!(f, "item {index}: {cause}"),
            Self::Collider { collider, cause } => {
                write!(f, "collider {}: {cause}", collider.index())
            }
        }
    }
}

/// Returns the rule that a number of this name breaks although it is within its bounds.
fn rule_of(name: &str) -> &'static str {
    match name {
        "number of angle steps" => "neither 1 nor a multiple of 4",
        "resolution" => "not a power of two",
        _ => "not above 0",
    }
}

/// Returns a valid number of this name, and what it means.
fn example_of(name: &str) -> &'static str {
    match name {
        "accuracy factor" => "1 for pixels, 0.1 for cells, 0.01 for boxes",
        "scale" => "1.0",
        "factor of a scale policy" => "2, or ScalePolicy::Nearest for any scale",
        "angle" => "0.5, in radians",
        "radius or length" => "10.0",
        "max_error" => "1.0, the pixels that an outline may be off",
        "max_corners" => "8, the corners that Box2D takes",
        "min_width" => "0.02, the width below which Box2D refuses a piece",
        "cell side" => "64",
        "frame" => "0, the first frame",
        _ => "0.0",
    }
}

impl CallError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::UnknownSprite { .. } => "get the id from Atlas::sprite_id",
            Self::NeverMirrored { .. } => "leave the flip at Flip::NONE, or bake the sprite with Settings::mirrored",
            Self::NoSprite(_) => "bake the sprite and the map into one atlas, or add the atlas of the sprite to the world",
            Self::OtherAtlas { .. } => "get the id from Atlas::sprite_id of an atlas of the world",
            Self::Vanished { .. } => {
                "show another sprite, or replace the atlas by a version with the same names"
            }
            Self::UnknownFrame { frames: 1, .. } => "give frame 0: the sprite has one frame",
            Self::UnknownFrame { frames, .. } => {
                return format!("give a frame from 0 to {}", frames.saturating_sub(1)).into();
            }
            Self::UnknownPlane { .. } => "get the index from Sprite::plane",
            Self::Stale(_) => "insert the collider again and use the new id",
            Self::UnknownOwner(_) => {
                "give a number other than 0 that Collider::owned_by gave to a collider in the world"
            }
            Self::UnknownMask(_) => "insert the mask with MasksMut::insert and use the new id",
            Self::UnknownAtlas(_) => "give the id of an atlas that World::atlases lists",
            Self::PosedMask(_) => "leave frame, angle, scale and flips at their defaults",
            Self::MaskInUse(_) => {
                "first remove every collider that shows the mask, or give it another shape"
            }
            Self::UndrawnMask(_) => "insert the raster with MasksMut::insert_drawn instead",
            Self::SameAtlas(_) => {
                "replace the atlas with AtlasesMut::replace, or give the other one a label with \
                 Atlas::labelled"
            }
            Self::OtherResolution { world, .. } => {
                return format!("bake the atlas with AtlasBuilder::resolution({world})").into();
            }
            Self::AtlasInUse { .. } => {
                "first remove the colliders, or give AtlasesMut::drop InUse::Remove"
            }
            Self::OnlyAtlas(_) => "add another atlas first, or drop the world",
            Self::AtlasesTooLarge => "drop an atlas first",
            Self::PoseBudget { needed, .. } => {
                return format!(
                    "give AtlasesMut::set_pose_budget {needed} bytes or more, or show fewer poses at once"
                )
                .into();
            }
            Self::Full => "remove colliders before inserting more",
            Self::Number { name, least, most, .. } => {
                let example = example_of(name);
                return match (*name, *least > f32::MIN, *most < f32::MAX) {
                    ("number of angle steps", ..) => format!(
                        "give a multiple of 4 up to {most}, or 1 for a sprite that never turns"
                    ),
                    ("resolution", ..) => format!("give a power of two from {least} to {most}"),
                    ("scale" | "accuracy factor", true, false) => {
                        format!("give a number above 0, such as {example}")
                    }
                    (_, true, true) => {
                        format!("give a number from {least} to {most}, such as {example}")
                    }
                    (_, true, false) => format!("give {least} or more, such as {example}"),
                    _ => format!("give a finite number, such as {example}"),
                }
                .into();
            }
            Self::UnbakedScale { scale, .. } => {
                return format!(
                    "add {scale} to AtlasBuilder::scales, or allow the scale with World::set_scale_policy; \
                     MasksMut::insert_drawn draws any scale"
                )
                .into();
            }
            Self::NoScales => "give at least one, such as 1",
            Self::Position(_) => {
                "keep x and y finite and, times the resolution of the atlas, within 10^9 of 0; zones and \
                 lines within 2 x 10^9"
            }
            Self::Direction(_) => "pass finite numbers that are not both zero",
            Self::Span { .. } => {
                "keep its ends within 2147483647 mask pixels of each other on each axis"
            }
            Self::Pivot { limit, .. } => {
                return format!("keep it within {limit} half-texels on either axis").into();
            }
            Self::Transform => {
                "check the numbers that it is made of, and keep its translation within 10^9 pixels"
            }
            Self::Perspective { .. } => {
                "name the point that matters with Affine::from_projected_at"
            }
            Self::Behind { .. } => "disable the collider while its object is behind the viewer",
            Self::TooLarge { .. } => "lower the scale, or cut the art into pieces",
            Self::WrongLength { .. } => {
                "pass all rows from the top; each row of bits begins with a new byte, and pixels have \
                 no padding"
            }
            Self::SizeChanged { .. } => {
                "pass the mask that the grid was made of, or make a new grid"
            }
            Self::BadCharacter { .. } => "write '#' for a set pixel and '.' for a clear one",
            Self::RaggedRow { .. } => "make all rows equally long",
            Self::BadColor { .. } => {
                "write #ff00ff, #ff00ff80 with alpha, or a range #000000..#202020, lower bounds first"
            }
            Self::Simd { available, .. } => {
                return format!(
                    "unset HITMASK_SIMD for the best set, or name one of this machine: {}",
                    available.join(", ")
                )
                .into();
            }
            Self::Item { cause, .. } | Self::Collider { cause, .. } => return cause.help(),
        }
        .into()
    }

    /// Returns the fault itself, without the item of a list or the collider that has it.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::Item { cause, .. } | Self::Collider { cause, .. } => cause.cause(),
            _ => self,
        }
    }

    /// Returns the index of the item of a list that has the fault, counted from 0.
    #[must_use]
    pub const fn item(&self) -> Option<usize> {
        match self {
            Self::Item { index, .. } => Some(*index),
            _ => None,
        }
    }

    /// Converts an error of a zone or a line from mask pixels to units of `resolution` mask pixels each.
    pub(crate) fn in_units(self, resolution: f32) -> Self {
        let units = |at: [f32; 2]| at.map(|v| v / resolution);
        match self {
            Self::Position(at) => Self::Position(units(at)),
            Self::Span { from, to } => Self::Span { from: units(from), to: units(to) },
            Self::Number { name, value, least, most } => {
                Self::Number { name, value: value / resolution, least, most }
            }
            _ => self,
        }
    }

    pub(crate) const fn of_angle(radians: f32) -> Self {
        Self::Number { name: "angle", value: radians, least: f32::MIN, most: f32::MAX }
    }

    pub(crate) const fn of_scale(scale: f32) -> Self {
        Self::Number { name: "scale", value: scale, least: 0.0, most: f32::MAX }
    }

    /// Returns an error unless a number is finite and within its bounds.
    pub(crate) fn check_number(
        name: &'static str,
        value: f32,
        least: f32,
        most: f32,
    ) -> Result<(), Self> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(Self::Number { name, value, least, most })
    }

    /// Returns an error if a side is longer than `most`.
    pub(crate) const fn check_size([width, height]: [u64; 2], most: u32) -> Result<(), Self> {
        if width > most as u64 || height > most as u64 {
            return Err(Self::TooLarge { width, height, most });
        }
        Ok(())
    }

    /// Returns the error of a list whose item `index`, counted from 0, has this fault.
    #[must_use]
    pub fn of_item(self, index: usize) -> Self {
        Self::Item { index, cause: self.into() }
    }

    /// Returns the error with another index of its item, if it has one.
    pub(crate) fn in_items(self, index_of: impl FnOnce(usize) -> usize) -> Self {
        match self {
            Self::Item { index, cause } => cause.of_item(index_of(index)),
            other => other,
        }
    }

    pub(crate) fn of_collider(self, collider: ColliderId) -> Self {
        Self::Collider { collider, cause: self.into() }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Item { cause, .. } | Self::Collider { cause, .. } => Some(&**cause),
            _ => None,
        }
    }
}
