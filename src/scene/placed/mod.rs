//! What is placed on the plane: colliders by slot, and their appearances.

mod appearances;
#[expect(clippy::module_inception, reason = "the file holds the type `Placed`")]
mod placed;
mod slots;

pub(crate) use appearances::{Appearances, PairBits};
pub(crate) use placed::Placed;
pub(crate) use slots::{NO_COLLIDER, Slots};
