//! Pivots that depend on the size of a frame: [`Anchor`].
//!
//! Part of the public API, with the names of the manifest and the command line.

use hitmask::Pivot;
use std::str::FromStr;

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
