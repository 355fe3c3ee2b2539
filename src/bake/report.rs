use std::fmt;

/// What a bake did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Number of sprites.
    pub sprites: usize,
    /// Number of frames of all sprites.
    pub frames: usize,
    /// Number of frames that equal an earlier one in pixels and settings, and share its poses.
    pub shared_frames: usize,
    /// Number of poses: frames times angle steps times scales.
    pub poses: usize,
    /// Size of the atlas in bytes.
    pub bytes: usize,
    /// What may not be as it was meant, in order of the sprites' names.
    pub warnings: Vec<Warning>,
}

/// Something that may not be as it was meant. The bake went on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// No texel of a frame is solid by the alpha rule: it touches nothing.
    Empty {
        /// The sprite.
        sprite: String,
        /// The frame, from 0.
        frame: usize,
    },
    /// The pivot's half-texels were one odd and one even; y was lowered by one, that is, moved
    /// half a texel up.
    PivotLowered {
        /// The sprite.
        sprite: String,
        /// The frame, from 0.
        frame: usize,
    },
}

impl Warning {
    /// The sprite it is about.
    #[must_use]
    pub fn sprite(&self) -> &str {
        match self {
            Self::Empty { sprite, .. } | Self::PivotLowered { sprite, .. } => sprite,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: no texel is solid, so it touches nothing; lower the alpha threshold if that was not meant"
            ),
            Self::PivotLowered { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: the pivot was moved half a texel up, so that both axes share a lattice; give one with both coordinates whole or both halves to choose for yourself"
            ),
        }
    }
}
