//! The settings of a source: [`SourceSettings`], and the changes that they make to its frames.
//!
//! Part of the public API. Frames are changed when a source is loaded: holes are filled, masks shrink and
//! grow, and the pivot moves to an anchor. Invariant: the masks are those of the calls of [`Mask`].

use crate::error::{BakeError, BakeFault};
use crate::map_rule::MapRule;
use hitmask::baking::Frame;
use hitmask::{GrowShape, MAX_SIDE, Mask, Pivot, Rect, Settings};
use std::str::FromStr;

/// The settings of a source: those of its sprites, and how its file is read.
///
/// ```
/// use hitmask_bake::{Settings, SourceSettings};
/// let still = SourceSettings::from(Settings { angles: 1, ..Settings::default() });
/// assert!(still.planes.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct SourceSettings {
    /// How the masks are made and posed.
    pub sprite: Settings,
    /// Additional planes from layers of an Aseprite file. Default none.
    pub planes: Vec<LayerPlane>,
    /// Additional planes from slices of an Aseprite file or sheet, each with the name of its slice. In
    /// each frame the plane is the rectangle of the slice, and it is empty where the slice is hidden.
    /// Slices of one name are one plane. Default none.
    pub slices: Vec<String>,
    /// What the tiles and objects of levels become. Later rules override earlier ones. Read when the source
    /// is added. Default none.
    pub map: Vec<MapRule>,
    /// The pivot of frames whose file names none, relative to their size. Default none: that of
    /// `sprite`.
    pub anchor: Option<Anchor>,
    /// Fills the holes of every mask. Default false.
    pub fill_holes: bool,
    /// The radius by which every mask shrinks, in texels, up to 256. It happens after holes are filled.
    /// Default 0.
    pub shrink: u32,
    /// The radius by which every mask then grows, in texels, up to 256. Planes of slices keep their
    /// pixels. Default 0.
    pub grow: u32,
}

impl From<Settings> for SourceSettings {
    /// Returns these settings, with the defaults of all others.
    fn from(sprite: Settings) -> Self {
        Self { sprite, ..Self::default() }
    }
}

/// A plane from layers of an Aseprite file: a mask of its own, drawn from these layers.
///
/// The plane `body` is the first plane of every frame. Without an entry here, it consists of all
/// visible layers.
///
/// ```
/// use hitmask_bake::{LayerPlane, SourceSettings};
/// let eye = LayerPlane { name: "eye".into(), layers: vec!["iris".into(), "pupil".into()] };
/// let settings = SourceSettings { planes: vec![eye], ..SourceSettings::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerPlane {
    /// The name of the plane.
    pub name: String,
    /// The names of its layers or layer groups. Hidden layers are included.
    pub layers: Vec<String>,
}

/// A corner, side middle or the centre of a frame, as a pivot that depends on the size of the frame.
///
/// ```
/// use hitmask_bake::Anchor;
/// assert_eq!("bottom-left".parse(), Ok(Anchor::BottomLeft));
/// assert!("feet".parse::<Anchor>().unwrap_err().contains("\"bottom\""));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say all")]
pub enum Anchor {
    TopLeft,
    Top,
    TopRight,
    Left,
    Center,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

/// The anchors in reading order, with their names in a manifest and on the command line.
const NAMES: [(&str, Anchor); 9] = [
    ("top-left", Anchor::TopLeft),
    ("top", Anchor::Top),
    ("top-right", Anchor::TopRight),
    ("left", Anchor::Left),
    ("center", Anchor::Center),
    ("right", Anchor::Right),
    ("bottom-left", Anchor::BottomLeft),
    ("bottom", Anchor::Bottom),
    ("bottom-right", Anchor::BottomRight),
];

impl Anchor {
    /// Returns the pivot in a frame of this size.
    pub(super) fn pivot(self, [width, height]: [i32; 2]) -> Pivot {
        let place = self as i32;
        // Half a side in texels equals the whole side in half-texels.
        Pivot::HalfTexels(width * (place % 3), height * (place / 3))
    }
}

impl FromStr for Anchor {
    /// A text that lists all names.
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, anchor)| anchor).ok_or_else(|| {
            let names = NAMES.map(|(name, _)| format!("{name:?}")).join(", ");
            format!("{name:?} is not one of {names}")
        })
    }
}

/// Largest radius by which masks grow and shrink, in texels.
pub(super) const MAX_RADIUS: u32 = 256;

impl SourceSettings {
    /// Returns a number of angle steps that a sprite has at least: if an error chooses them, quarter turns.
    pub(super) fn sure_steps(&self) -> u32 {
        let steps = self.sprite.angles;
        if self.sprite.max_error.is_some() { steps.min(4) } else { steps }
    }

    /// Returns true if the frames of a source stay as they are.
    pub(super) fn keeps_frames(&self) -> bool {
        self.anchor.is_none() && !self.fill_holes && self.shrink == 0 && self.grow == 0
    }

    /// Changes the frames of the sprite `name`: fills holes, then shrinks, then grows. A plane of a slice
    /// keeps its pixels.
    pub(super) fn shape(&self, name: &str, frames: &mut [Frame]) -> Result<(), BakeError> {
        for (i, frame) in frames.iter_mut().enumerate() {
            let first = frame.planes.first();
            let size = first.map_or([0, 0], |(_, mask)| [mask.width(), mask.height()]);
            let anchor = self.anchor.map(|anchor| anchor.pivot(size.map(|side| side as i32)));
            frame.pivot = frame.pivot.or(anchor);
            if !self.fill_holes && self.shrink == 0 && self.grow == 0 {
                continue;
            }
            // The solid texels are no longer those of the alpha rule, so they are not compared.
            frame.visible = None;
            for (plane, mask) in &mut frame.planes {
                let is_slice = self.slices.contains(plane);
                *mask = self
                    .shaped(mask, is_slice)
                    .ok_or_else(|| too_large(name, i, size, self.grow))?;
            }
            if let Pivot::HalfTexels(x, y) = frame.pivot.unwrap_or(self.sprite.pivot) {
                // The corner of the frame moves by the radius. A pivot too far away is refused later.
                let moved = |at: i32| at.saturating_add_unsigned(2 * self.grow);
                frame.pivot = Some(Pivot::HalfTexels(moved(x), moved(y)));
            }
        }
        Ok(())
    }

    /// Returns the mask of a plane after all changes. `None` if it would be too large.
    fn shaped(&self, mask: &Mask, is_slice: bool) -> Option<Mask> {
        let radius = self.grow as i32;
        if is_slice {
            let [width, height] = [mask.width(), mask.height()].map(|side| side as i32 + radius);
            return mask.cropped(Rect::new(-radius, -radius, width, height)).ok();
        }
        let mut mask = mask.clone();
        if self.fill_holes {
            mask.fill_holes();
        }
        if self.shrink > 0 {
            mask = mask.shrunk(self.shrink, GrowShape::Disc);
        }
        if self.grow > 0 { mask.grown(self.grow, GrowShape::Disc).ok() } else { Some(mask) }
    }
}

/// Returns the error of a frame that is too large after it has grown.
fn too_large(name: &str, frame: usize, [width, height]: [u32; 2], grow: u32) -> BakeError {
    let needed = (u64::from(width.max(height))) + 2 * u64::from(grow);
    let fault = BakeFault::OverLimit { quantity: "pixels a side", needed, limit: MAX_SIDE.into() };
    let cause = format!(
        "sprite {name:?}, frame {frame} has {width} x {height} pixels, and grown by {grow} it exceeds the limit of {MAX_SIDE} a side"
    );
    let help = "grow it less, or make the image smaller";
    BakeError::new(fault, cause, help).in_sprite(name).in_frame(&frame.to_string())
}
