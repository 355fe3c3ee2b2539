//! Levels of map editors: reading them, and drawing their terrain and objects.
//!
//! Called by `inputs`, `source` and `pipeline`.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

#[cfg_attr(not(test), expect(dead_code, reason = "no source reads levels yet"))]
mod ldtk;
#[expect(dead_code, reason = "nothing draws levels yet")]
#[expect(clippy::module_inception, reason = "the file holds the type `Level`")]
mod level;
