//! Owned masks, by what they are asked for: each answer against the same one pixel by pixel.

mod algebra;
mod components;
mod graze;
mod polygon;
mod reach;
mod shape;
mod truth;
