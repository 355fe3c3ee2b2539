//! Every operation on owned masks against the same operation done pixel by pixel.

mod algebra;
mod components;
mod fill;
mod graze;
mod grow;
mod large;
mod per_pixel;
mod pixels;
mod polygon;
mod shape;
