//! The plugin in headless apps, one tick at a time.

mod assets;
mod bad_input;
mod complaints;
#[cfg(feature = "gizmos")]
mod debug;
mod drawn;
mod events;
#[cfg(feature = "sprite")]
mod hidden;
mod maps;
mod moves;
mod queries;
mod rollback;
mod support;
