//! What parts masks, what brings them together and when they meet on the way: against searches
//! that try one place after the other.

mod ends;
mod normals;
mod search;

use hitmask::Mask;

fn solid(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    (0..height).for_each(|y| (0..width).for_each(|x| mask.set(x as i32, y as i32, true)));
    mask
}
