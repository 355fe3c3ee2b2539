//! Reads the manifest: sources by pattern and settings per source, in TOML. `MANIFEST.md` is the
//! reference.
//!
//! Called by `Bake::manifest`. Invariant: every error has a line and column of the manifest.
//!
//! ```text
//! values, keys:  text -> keys of each source
//! choose:        patterns -> files, each with its keys
//! numbered:      files that are frames of one sprite -> sprites
//! ```

mod choose;
mod keys;
mod manifest_text;
mod numbered;
mod read;
mod values;

pub(super) use read::read;
