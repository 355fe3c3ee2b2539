//! The figures of a sprite that `bake`, `info` and `report` give alike: steps, error, bytes, and how
//! the stored poses compare with exact turning.

use crate::describe;
use hitmask::{Atlas, Fidelity, Sprite};
use rayon::prelude::*;
use serde::Serialize;

/// Those of one sprite.
#[derive(Serialize)]
pub(crate) struct Figures<'a> {
    pub(crate) sprite: &'a str,
    /// Steps in a full turn.
    pub(crate) angles: u32,
    /// Farthest that turning in steps puts a solid pixel from where an exact turn would, in pixels,
    /// at the largest scale; null for what never turns.
    pub(crate) error: Option<f64>,
    /// Bytes that its masks take, shared ones included.
    pub(crate) mask_bytes: u64,
    /// Null where it cannot be measured: see [`Sprite::fidelity`].
    pub(crate) fidelity: Option<Measured>,
}

/// A [`Fidelity`], for programs.
#[derive(Serialize)]
pub(crate) struct Measured {
    /// Angles between the steps that were compared.
    pub(crate) angles: u32,
    /// Disagreeing pixels as a share of the mask's.
    pub(crate) share: f64,
    /// Farthest that a pixel of either mask lies from the nearest of the other, in pixels.
    pub(crate) distance: f32,
}

impl<'a> Figures<'a> {
    pub(crate) fn of(sprite: Sprite<'a>, resolution: f32) -> Self {
        Self {
            sprite: sprite.name(),
            angles: sprite.angles(),
            error: describe::error(sprite, resolution.into()),
            mask_bytes: sprite.mask_bytes(),
            fidelity: sprite.fidelity().map(Measured::from),
        }
    }

    /// Those of all sprites, in the order of their names, on every core.
    pub(crate) fn of_all(atlas: &'a Atlas) -> Vec<Self> {
        let sprites: Vec<Sprite<'a>> = atlas.sprites().collect();
        sprites.into_par_iter().map(|sprite| Self::of(sprite, atlas.resolution())).collect()
    }

    /// The error in words.
    pub(crate) fn error_in_words(&self) -> String {
        match self.error {
            None => "none: it never turns".to_owned(),
            Some(error) => format!("{error:.2} px at most, at the largest scale"),
        }
    }

    /// The fidelity in words.
    pub(crate) fn fidelity_in_words(&self) -> String {
        match &self.fidelity {
            None => "not measured".to_owned(),
            Some(Measured { angles, share, distance }) => format!(
                "{:.2}% of the pixels at {angles} angles between steps, by {distance} px at most",
                100.0 * share
            ),
        }
    }
}

impl From<Fidelity> for Measured {
    fn from(fidelity: Fidelity) -> Self {
        let Fidelity { angles, distance, .. } = fidelity;
        Self { angles, share: fidelity.share(), distance }
    }
}
