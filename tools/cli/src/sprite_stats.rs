//! Statistics of a sprite that `bake`, `info` and `report` print: angle steps, rotation error,
//! bytes, and the fidelity of the stored poses.

use crate::describe;
use hitmask::{Atlas, Fidelity, Sprite};
use rayon::prelude::*;
use serde::Serialize;

/// Statistics of one sprite, serialised as JSON.
#[derive(Serialize)]
pub(crate) struct SpriteStats<'a> {
    pub(crate) sprite: &'a str,
    /// Angle steps in a full turn.
    pub(crate) angles: u32,
    /// Largest distance of a solid pixel from its position under exact rotation, in pixels, at the
    /// largest scale; null for a sprite with 1 angle.
    pub(crate) error: Option<f64>,
    /// Bytes of the sprite's masks, including those that it shares.
    pub(crate) mask_bytes: u64,
    /// Null where it cannot be measured; see [`Sprite::fidelity`].
    pub(crate) fidelity: Option<FidelityStats>,
}

/// A [`Fidelity`] in serialisable form.
#[derive(Serialize)]
pub(crate) struct FidelityStats {
    /// Number of angles between steps at which poses were compared.
    pub(crate) angles: u32,
    /// Number of differing pixels divided by the number of set pixels.
    pub(crate) share: f64,
    /// Largest distance of a pixel of one mask from the nearest pixel of the other, in pixels.
    pub(crate) distance: f32,
}

/// A warning or hint about a sprite, serialised as JSON.
#[derive(Serialize)]
pub(crate) struct Warned<'a> {
    pub(crate) sprite: &'a str,
    pub(crate) warning: String,
}

impl<'a> SpriteStats<'a> {
    pub(crate) fn of(sprite: Sprite<'a>, resolution: f32) -> Self {
        Self {
            sprite: sprite.name(),
            angles: sprite.angles(),
            error: describe::error(sprite, resolution.into()),
            mask_bytes: sprite.mask_bytes(),
            fidelity: sprite.fidelity().map(FidelityStats::from),
        }
    }

    /// Measures all sprites in the order of their names, on all cores.
    pub(crate) fn of_all(atlas: &'a Atlas) -> Vec<Self> {
        let sprites: Vec<Sprite<'a>> = atlas.sprites().collect();
        sprites.into_par_iter().map(|sprite| Self::of(sprite, atlas.resolution())).collect()
    }

    /// Formats the error.
    pub(crate) fn error_in_words(&self) -> String {
        match self.error {
            None => "none: the sprite has 1 angle".to_owned(),
            Some(error) => format!("{error:.2} px at most, at the largest scale"),
        }
    }

    /// Formats the fidelity.
    pub(crate) fn fidelity_in_words(&self) -> String {
        match &self.fidelity {
            None => "not measured".to_owned(),
            Some(FidelityStats { angles, share, distance }) => format!(
                "{:.2}% of the pixels at {angles} angles between steps, by {distance} px at most",
                100.0 * share
            ),
        }
    }
}

impl From<Fidelity> for FidelityStats {
    fn from(fidelity: Fidelity) -> Self {
        let Fidelity { angles, distance, .. } = fidelity;
        Self { angles, share: fidelity.share(), distance }
    }
}
