//! Push out, distance, casts and normals of mask pairs, against searches that test one offset after
//! the other.

mod ends;
mod large;
mod largest;
mod limits;
mod normals;
mod search;

use hitmask::Mask;

fn solid(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    (0..height).for_each(|y| (0..width).for_each(|x| mask.set(x as i32, y as i32, true)));
    mask
}
