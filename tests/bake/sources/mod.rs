//! Every kind of source, from files made here: what it bakes to, pixel by pixel, and what is said
//! of a file that is damaged or means harm.

mod aseprite;
mod colors;
mod folder;
mod images;
mod manifest;
mod sheets;
mod tiled;
mod warnings;
