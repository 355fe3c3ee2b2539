//! Motions: casts and character moves.

pub(crate) mod cast;
pub(crate) mod character_move;
