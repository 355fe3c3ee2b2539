//! Motion queries and character movement.

pub(crate) mod cast;
pub(crate) mod cast_all;
pub(crate) mod character_move;
pub(crate) mod compound;
mod contact_rules;
pub(crate) mod move_rules;
mod walk;
