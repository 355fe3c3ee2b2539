//! Motion queries and character movement.

pub(crate) mod cast;
pub(crate) mod character_move;
pub(crate) mod compound;
pub(crate) mod move_rules;
