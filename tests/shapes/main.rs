//! Outlines, convex pieces and cells of masks, against checks that compare all pairs.

mod check;
mod grid;
mod outlines;
mod pieces;
