//! Levels of map editors: reading them, and drawing their terrain and objects.
//!
//! Called by `inputs`, `source` and `pipeline`.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

#[expect(clippy::module_inception, reason = "the file holds the type `Level`")]
mod level;
