//! Every kind of source, from files made by the tests: the baked pixels, and the errors for damaged
//! and malicious files.

mod animations;
mod aseprite;
mod colors;
mod folder;
mod images;
mod manifest;
mod sheets;
mod tiled;
mod warnings;
