//! The warnings about sprites and atlases, and their summary.
//!
//! Part of the public API. `sprite_info` and bakers make them.

use super::angle_steps::MAX_CHOSEN_STEPS;
use crate::pose::MAX_ANGLES;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;

/// A finding about a source: a probable mistake, or a hint if [`is_hint`](Self::is_hint). The bake
/// has continued.
///
/// ```
/// use hitmask::Warning;
/// let warning = Warning::Thin { sprite: "rope".into(), frame: 0 };
/// assert_eq!(warning.sprite(), "rope");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A frame has no solid texel by the alpha rule, so it touches nothing.
    Empty {
        /// The name of the sprite.
        sprite: String,
        /// The index of the frame, from 0.
        frame: usize,
    },
    /// The result depends strongly on the alpha threshold: more than 1.1 times as many texels are
    /// visible as are solid. Reported for the frame with the highest ratio.
    Sensitive {
        /// The name of the sprite.
        sprite: String,
        /// The index of the frame, from 0.
        frame: usize,
        /// Number of visible texels: alpha 1 or more.
        seen: u64,
        /// Number of solid texels by the alpha rule.
        solid: u64,
    },
    /// Thin parts of a sprite break apart, or most of it is lost, when it turns or shrinks.
    Thin {
        /// The name of the sprite.
        sprite: String,
        /// The first such frame, from 0.
        frame: usize,
    },
    /// All frames have the pixels and pivots of those of an earlier sprite.
    Duplicate {
        /// The name of the sprite.
        sprite: String,
        /// The name of the earlier sprite.
        of: String,
    },
    /// The atlas is larger than the budget of the bake.
    OverBudget {
        /// The sprite with the largest masks.
        sprite: String,
        /// The size of the atlas in bytes.
        bytes: u64,
        /// The budget in bytes.
        budget: u64,
    },
    /// A GIF ends after this frame without its end mark, so later frames may be missing.
    Truncated {
        /// The name of the sprite.
        sprite: String,
        /// The index of the last complete frame, from 0.
        frame: usize,
    },
    /// The error of a sprite exceeds [`Settings::max_error`](crate::Settings::max_error). At most 128 angle steps are chosen, and a size limit lowers their number.
    OverError {
        /// The name of the sprite.
        sprite: String,
        /// The error in pixels: the largest distance of a pixel from its exactly rotated position.
        error: f32,
        /// The limit in pixels.
        limit: f32,
        /// The angle steps of the sprite.
        angles: u32,
        /// The fewest angle steps that keep the limit. May exceed [`MAX_ANGLES`].
        needed: u32,
    },
    /// A file that a folder or a wildcard contains has the extension .ase, but is no image. It was
    /// passed over.
    NotAnImage {
        /// The name that the sprite would have.
        sprite: String,
        /// The path of the file.
        path: PathBuf,
    },
    /// A sheet states another scale than 1, so its frames have another size than the art.
    Scaled {
        /// The name of the sheet.
        sprite: String,
        /// The size of the frames relative to the art.
        scale: f32,
    },
    /// A page of a sheet has another size than the sheet states, so the two are of different exports.
    PageSize {
        /// The name of the sheet.
        sprite: String,
        /// The path of the page.
        path: PathBuf,
        /// The width and height that the sheet states.
        stated: [u32; 2],
        /// The width and height of the page.
        size: [u32; 2],
    },
    /// An image of one frame looks like a sheet: each tile of a grid has a similar figure, and no figure
    /// crosses a border.
    Sheet {
        /// The name of the sprite.
        sprite: String,
        /// The size of a tile in texels.
        tile: [u32; 2],
        /// The number of tiles with a figure.
        frames: u32,
    },
    /// An image is a page of a sheet whose description lies beside it, or has the name of that description,
    /// but is one sprite.
    Page {
        /// The name of the sprite.
        sprite: String,
        /// The path of the description.
        path: PathBuf,
    },
    /// Every texel of an image is solid, so the sprite is a full rectangle.
    Opaque {
        /// The name of the sprite.
        sprite: String,
    },
    /// A part of a level is left out, or is not as its editor shows it.
    Level {
        /// The name of the map, or of one of its sprites.
        sprite: String,
        /// The path of the level, or of a file that it names.
        path: PathBuf,
        /// The finding: the part of the level, and what became of it.
        cause: String,
        /// The remedy.
        remedy: String,
    },
}

impl Warning {
    /// Returns true if the finding needs no action as a rule: soft edges, equal sprites and full rectangles.
    /// Bakers list these apart from the others.
    #[must_use]
    pub const fn is_hint(&self) -> bool {
        matches!(self, Self::Sensitive { .. } | Self::Duplicate { .. } | Self::Opaque { .. })
    }

    /// Returns the index into [`KINDS`].
    const fn kind(&self) -> usize {
        match self {
            Self::OverBudget { .. } => 0,
            Self::Empty { .. } => 1,
            Self::Thin { .. } => 2,
            Self::Sensitive { .. } => 3,
            Self::Duplicate { .. } => 4,
            Self::NotAnImage { .. } => 5,
            Self::Truncated { .. } => 6,
            Self::OverError { .. } => 7,
            Self::Scaled { .. } => 8,
            Self::Sheet { .. } => 9,
            Self::PageSize { .. } => 10,
            Self::Page { .. } => 11,
            Self::Opaque { .. } => 12,
            Self::Level { .. } => 13,
        }
    }

    /// Returns the name of the sprite that the warning is about.
    #[must_use]
    pub fn sprite(&self) -> &str {
        match self {
            Self::Empty { sprite, .. }
            | Self::Sensitive { sprite, .. }
            | Self::Thin { sprite, .. }
            | Self::Duplicate { sprite, .. }
            | Self::OverBudget { sprite, .. }
            | Self::Truncated { sprite, .. }
            | Self::OverError { sprite, .. }
            | Self::NotAnImage { sprite, .. }
            | Self::Scaled { sprite, .. }
            | Self::PageSize { sprite, .. }
            | Self::Page { sprite, .. }
            | Self::Opaque { sprite }
            | Self::Level { sprite, .. }
            | Self::Sheet { sprite, .. } => sprite,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { sprite, frame } => {
                write!(f, "{sprite}, frame {frame}: no texel is solid, so it touches nothing")
            }
            Self::Sensitive { sprite, frame, seen, solid } => write!(
                f,
                "{sprite}, frame {frame}: {seen} texels are visible but only {solid} are solid, so the alpha threshold shifts the edge"
            ),
            Self::Thin { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: parts of 1 texel width break when the sprite turns or shrinks"
            ),
            Self::Duplicate { sprite, of } => {
                write!(f, "{sprite}: all frames equal those of {of}, so both share their poses")
            }
            Self::OverBudget { sprite, bytes, budget } => write!(
                f,
                "the atlas takes {bytes} bytes, more than the budget of {budget} bytes; {sprite} takes the most"
            ),
            Self::Truncated { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: the file ends here without its end mark, so later frames may be missing"
            ),
            Self::OverError { sprite, error, limit, angles, .. } => {
                // As many decimals as show that the limit is exceeded.
                let shows = |decimals: &i32| {
                    let unit = 10_f32.powi(*decimals);
                    (error * unit).round() > limit * unit
                };
                let decimals = (1..6).find(shows).unwrap_or(6) as usize;
                write!(
                    f,
                    "{sprite}: the rotation error is {error:.decimals$} px at {angles} angles, above the limit of {limit} px"
                )
            }
            Self::NotAnImage { sprite, path } => {
                write!(f, "{sprite}: {} is no Aseprite file and was passed over", path.display())
            }
            Self::Scaled { sprite, scale } => {
                write!(f, "{sprite}: the sheet has frames at {scale} times the size of the art")
            }
            Self::PageSize { sprite, path, stated: [w, h], size: [width, height] } => write!(
                f,
                "{sprite}: the sheet states {w} x {h} texels for {}, which has {width} x {height}",
                path.display()
            ),
            Self::Sheet { sprite, tile: [width, height], frames } => write!(
                f,
                "{sprite}: looks like a sheet of {frames} frames of {width} x {height}, but is one sprite of one frame"
            ),
            Self::Page { sprite, path } => {
                write!(
                    f,
                    "{sprite}: the image is one sprite, but the sheet {} has it as a page, or has its name",
                    path.display()
                )
            }
            Self::Opaque { sprite } => {
                write!(f, "{sprite}: every texel is solid, so the sprite is a full rectangle")
            }
            Self::Level { sprite, path, cause, .. } => {
                write!(f, "{sprite}: {}: {cause}", path.display())
            }
        }
    }
}

impl Warning {
    /// Returns the remedy for the problem that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Empty { .. } => "lower the alpha threshold if the frame should not be empty",
            Self::Sensitive { .. } => "check the alpha threshold",
            Self::Thin { .. } => "bake the sprite with coverage sampling, or draw thicker lines",
            Self::Duplicate { .. } => "remove one of the two if they should not be equal",
            Self::OverBudget { .. } => "bake fewer angles or scales, or raise the budget",
            Self::Truncated { .. } => "export or download the file again",
            Self::OverError { angles, needed, .. } if *angles < MAX_CHOSEN_STEPS => {
                return format!(
                    "raise the limit on the size so that {needed} angles fit, or raise the error limit"
                )
                .into();
            }
            Self::OverError { needed, .. } if *needed > MAX_ANGLES => "raise the error limit",
            Self::OverError { needed, .. } => {
                return format!("bake the sprite with {needed} angles, or raise the error limit")
                    .into();
            }
            Self::NotAnImage { .. } => {
                "move the file out of the folder, or give it another extension"
            }
            Self::Scaled { scale, .. } => {
                let full = 1.0 / scale;
                return format!(
                    "bake with scale {full} if the game shows the art at its full size, as PixiJS and Starling do"
                )
                .into();
            }
            Self::PageSize { .. } => "export the sheet and its page again, together",
            Self::Page { path, .. } => {
                return format!("name {} in place of the image, or with it", path.display()).into();
            }
            Self::Opaque { .. } => {
                "if it has a background, save the image with transparency, or leave out the colour of the background by --exclude-color or exclude_color"
            }
            Self::Sheet { tile: [width, height], .. } => {
                return format!(
                    "if it is a sheet, cut it by --grid {width}x{height}, or in a manifest by grid = {{ tile = [{width}, {height}] }}"
                )
                .into();
            }
            Self::Level { remedy, .. } => return remedy.clone().into(),
        }
        .into()
    }
}

/// Predicates of several warnings of one kind, most serious first.
const KINDS: [&str; 14] = [
    "atlases are over the budget",
    "frames are empty",
    "sprites break apart",
    "sprites have soft edges",
    "sprites equal another",
    "files were passed over",
    "files end too early",
    "sprites exceed the error limit",
    "sheets have another scale than the art",
    "sprites look like sheets",
    "pages have another size than their sheets state",
    "images are pages of sheets, or have their names",
    "sprites are full rectangles",
    "parts of levels differ from what their editor shows",
];

/// Returns one line per kind of warning, most serious first: their number, the worst example and the
/// remedy.
#[must_use]
pub fn summary(warnings: &[Warning]) -> Vec<String> {
    let mut kinds: [Vec<&Warning>; KINDS.len()] = Default::default();
    warnings.iter().for_each(|warning| kinds[warning.kind()].push(warning));
    let line = |(of_kind, title): (&Vec<&Warning>, &str)| {
        let worst = worst(of_kind)?;
        Some(match of_kind.len() {
            1 => format!("{worst}; {}", worst.help()),
            count => format!("{count} {title}, such as {worst}; {}", worst.help()),
        })
    };
    kinds.iter().zip(KINDS).filter_map(line).collect()
}

/// Returns the worst warning of one kind by its measure, or by the count of its sprite.
fn worst<'a>(of_kind: &[&'a Warning]) -> Option<&'a Warning> {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    of_kind.iter().for_each(|warning| *counts.entry(warning.sprite()).or_default() += 1);
    let measure = |warning: &Warning| match warning {
        // In thousandths.
        Warning::Sensitive { seen, solid, .. } => seen.saturating_mul(1000) / solid.max(&1),
        Warning::OverError { error, .. } => (1000.0 * error) as u64,
        other => counts.get(other.sprite()).copied().unwrap_or_default(),
    };
    // The last of several maxima is the first in order of names.
    of_kind.iter().rev().max_by_key(|warning| measure(warning)).copied()
}
