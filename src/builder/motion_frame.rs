//! The motion frame: the union of all frames of a sprite.
//!
//! Called by `source` if `Settings::motion_frame` is set. A collider that shows the motion frame
//! cannot miss a hit on a frame that a game skips.

use crate::atlas::{BuildError, BuildFault, Image};
use crate::mask::{MAX_FRAME_SIDE, MAX_SIDE, Mask};

/// Builds the motion frame. Each of its planes has the pixels of that plane in all frames, aligned
/// at their pivots. In `images`, the planes of one frame are adjacent.
pub(super) fn motion_frame(
    name: &str,
    images: &[Image],
    planes: usize,
) -> Result<Vec<Image>, BuildError> {
    let refused = |cause: String, help: &'static str| {
        let cause = format!("sprite {name:?} cannot have a motion frame: {cause}");
        BuildError::new(BuildFault::MotionFrame, cause, help).of(name)
    };
    let too_large = || {
        refused(
            format!("it would be larger than {MAX_SIDE} pixels on a side"),
            "move the pivots closer together, or bake the sprite without a motion frame",
        )
    };
    let [px, py] = images.first().map_or([0, 0], |image| image.pivot);
    // The corner of each frame relative to that of the first, and the box of all frames.
    let mut places: Vec<[i64; 2]> = Vec::with_capacity(images.len());
    let (mut from, mut to) = ([0_i64; 2], [0_i64; 2]);
    for (i, image) in images.iter().enumerate() {
        let by =
            [i64::from(px) - i64::from(image.pivot[0]), i64::from(py) - i64::from(image.pivot[1])];
        if by.iter().any(|by| by % 2 != 0) {
            let frame = i / planes;
            let cause = format!("the pivot of frame {frame} lies half a texel off that of frame 0");
            let help =
                "move all pivots to the same half texel, or bake the sprite without a motion frame";
            return Err(refused(cause, help).at(frame));
        }
        let at = by.map(|by| by / 2);
        for axis in 0..2 {
            from[axis] = from[axis].min(at[axis]);
            to[axis] = to[axis].max(at[axis] + i64::from(image.size[axis]));
        }
        places.push(at);
    }
    // The solid part is checked below.
    if (0..2).any(|axis| to[axis] - from[axis] > i64::from(MAX_FRAME_SIDE)) {
        return Err(too_large());
    }
    let size = [0, 1].map(|axis| (to[axis] - from[axis]) as u32);
    // All corners are within one mask side of the first, so they fit `i32`.
    let corner = from.map(|from| from as i32);
    let pivot = [px - 2 * corner[0], py - 2 * corner[1]];
    let plane = |plane: usize| {
        let parts = images.iter().zip(&places).skip(plane).step_by(planes).map(|(image, at)| {
            let at = [0, 1].map(|axis| (at[axis] - from[axis]) as i32);
            (&image.tight, [at[0] + image.corner.x, at[1] + image.corner.y])
        });
        let (tight, corner) = Mask::union(parts).map_err(|_| too_large())?;
        Ok(Image { size, pivot, tight, corner })
    };
    (0..planes).map(plane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point;

    #[test]
    fn the_motion_frame_aligns_pivots_and_respects_the_largest_mask_side() {
        let dot: Mask = "#".parse().unwrap();
        let (tight, corner) = dot.trimmed();
        let at = |pivot| Image { size: [1, 1], pivot, tight: tight.clone(), corner };
        let made = motion_frame("a", &[at([0, 0]), at([8, -6])], 1).unwrap();
        let Image { size, pivot, tight, corner } = &made[0];
        // The second dot lies 4 texels to the left of the first and 3 below it.
        assert_eq!((*size, *pivot, *corner), ([5, 4], [8, 0], Point::new(0, 0)));
        assert_eq!(tight.to_string(), "....#\n.....\n.....\n#....\n");
        let most = 2 * (MAX_SIDE as i32 - 1);
        assert!(motion_frame("a", &[at([0, 0]), at([most, 0])], 1).is_ok());
        let far = motion_frame("a", &[at([0, 0]), at([0, most + 2])], 1);
        let limit = format!("{MAX_SIDE} pixels");
        assert_eq!(far.unwrap_err().to_string().matches(&limit).count(), 1);
        // The size of the solid part counts, not that of the image.
        let wide = Image { size: [60_000, 1], ..at([100_000, 0]) };
        let made = motion_frame("a", &[wide, at([100_000, 2])], 1).unwrap();
        assert_eq!((made[0].size, made[0].tight.height()), ([60_000, 2], 2));
        let half = motion_frame("a", &[at([0, 0]), at([1, 1])], 1);
        assert_eq!(half.unwrap_err().frame, Some(1));
    }
}
