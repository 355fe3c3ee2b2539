//! Push out, distance, casts and normals of mask pairs, against searches that test one offset after
//! the other.

mod ends;
mod large;
mod largest;
mod limits;
mod normals;
mod search;

use hitmask_scenes::solid;
