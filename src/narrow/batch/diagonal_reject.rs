//! Between stages 1 and 2: rejects pairs that cannot touch, by the diagonal extents of their masks.
//!
//! ```text
//! where b begins beyond the end of a, or ends before a begins, along either diagonal:
//!     b becomes a mask without pixels
//! ```
//!
//! 1. Most misses are two boxes that overlap in a corner. Two of three misses of the benches end here, and no
//!    pixel is read for them.
//! 2. Compiled to vectors, as stage 2 is, without a branch on a pair: 0.5 ns a pair. Where all sprites are
//!    smaller than [`LARGE_SIDE`] pixels, reading their pixels takes less.
//!
//! Called where pairs of a list are staged.

use super::staging::{LANES, PASSES, Stage};
use crate::mask::{Diagonals, MaskSize};

/// Chunks without a mask of this many pixels on a side are left alone: a power of two. With 128, 100 px takes
/// 12.9 ns and not 12.1, as without any of this; 64 and 80 px are alike either way.
const LARGE_SIDE: u32 = 64;

/// The bits of a size that are set for sides of [`LARGE_SIDE`] pixels and more, and for no others.
const LARGE: u32 =
    MaskSize::new(MaskSize::WIDTH & !(LARGE_SIDE - 1), MaskSize::HEIGHT & !(LARGE_SIDE - 1)).0;

/// Replaces the second mask by one without pixels in each of the first `n` pairs that cannot touch.
#[inline(always)]
pub(super) fn reject(stage: &mut Stage, n: usize) {
    for pass in 0..n.div_ceil(LANES).min(PASSES) {
        let [a_size, a_falling, a_rising] =
            [&stage.a_size, &stage.a_falling, &stage.a_rising].map(|lanes| lanes.pass(pass));
        let [b_falling, b_rising] =
            [&stage.b_falling, &stage.b_rising].map(|lanes| lanes.pass(pass));
        let [dx, dy] = [&stage.dx, &stage.dy].map(|lanes| lanes.pass(pass));
        let b_size = stage.b_size.pass_mut(pass);
        for i in 0..LANES {
            let [falling, rising] = shown(a_size[i], [a_falling[i], a_rising[i]]);
            let [b_falling, b_rising] = shown(b_size[i], [b_falling[i], b_rising[i]]);
            // In half-pixels, from middle row to middle row. For boxes that overlap nothing overflows, and
            // for others the answer does not matter.
            let (right, lower) = (
                dx[i].wrapping_mul(2),
                MaskSize(b_size[i]).height() as i32 - MaskSize(a_size[i]).height() as i32,
            );
            let down = dy[i].wrapping_mul(2).wrapping_add(lower);
            let apart = are_apart(falling, b_falling, right.wrapping_add(down))
                | are_apart(rising, b_rising, right.wrapping_sub(down));
            b_size[i] &= u32::from(apart).wrapping_sub(1);
        }
    }
}

/// True where one of the first `n` pairs has a mask that is large enough.
#[inline(always)]
pub(super) fn are_large(stage: &Stage, n: usize) -> bool {
    let sizes = stage.a_size.0[..n].iter().zip(&stage.b_size.0[..n]);
    sizes.fold(0, |all, (a, b)| all | a | b) & LARGE != 0
}

/// Returns the extents of a mask along the falling and the rising diagonal, the way up that it is shown.
#[inline(always)]
fn shown(size: u32, [falling, rising]: [u32; 2]) -> [u32; 2] {
    let differ = (falling ^ rising) & MaskSize(size).flip_bit().wrapping_neg();
    [falling ^ differ, rising ^ differ]
}

/// True where two extents along one diagonal, the second moved by `offset`, share nothing.
#[inline(always)]
fn are_apart(a: u32, b: u32, offset: i32) -> bool {
    let [least, most] = Diagonals::ends(a);
    let [b_least, b_most] = Diagonals::ends(b);
    (most < offset.wrapping_add(b_least)) | (offset.wrapping_add(b_most) < least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point;
    use crate::mask::{Mask, MaskRef, dotted};
    use crate::narrow::reference;
    use bytemuck::Zeroable;
    use proptest::prelude::*;

    /// A mask of this shape, large enough to be tested.
    fn mask(shape: u32, side: u32) -> Mask {
        let mut mask = Mask::new(side, side + shape).unwrap();
        let (w, h) = (i64::from(mask.width()), i64::from(mask.height()));
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            let [right, down] = [2 * x + 1 - w, 2 * y + 1 - h];
            let set = match shape {
                0 => right * right + down * down <= w * w,
                1 => (right + down).abs() < 9,
                2 => (right - down).abs() < 9,
                _ => x + y > w && x % 3 > 0,
            };
            mask.set(x as i32, y as i32, set);
        }
        if shape == 4 { dotted(side, side) } else { mask }
    }

    /// Tests whether a pair is rejected.
    fn is_rejected(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> bool {
        let mut stage = Box::new(Stage::zeroed());
        let size = |mask: MaskRef<'_>| {
            let flipped = u32::from(mask.is_flipped()) << MaskSize::FLIP_SHIFT;
            MaskSize::new(mask.width(), mask.height()).flipped_by(flipped).0
        };
        // As it is stored: upside down is one bit.
        let stored =
            |mask: MaskRef<'_>| Diagonals::of(if mask.is_flipped() { mask.flip_y() } else { mask });
        let (reach, other) = (stored(a), stored(b));
        // The last of a pass, behind others that stay as they are.
        let i = LANES + 3;
        (stage.a_size.0[i], stage.b_size.0[i]) = (size(a), size(b));
        (stage.a_falling.0[i], stage.a_rising.0[i]) = (reach.falling, reach.rising);
        (stage.b_falling.0[i], stage.b_rising.0[i]) = (other.falling, other.rising);
        (stage.dx.0[i], stage.dy.0[i]) = (offset.x, offset.y);
        assert!(are_large(&stage, i + 1) && !are_large(&stage, i));
        reject(&mut stage, i + 1);
        assert!(stage.b_size.0[i] == 0 || stage.b_size.0[i] == size(b));
        stage.b_size.0[i] == 0
    }

    proptest! {
        #[test]
        fn rejected_pairs_share_no_pixel(
            (a, b) in (0_u32..5, 0_u32..5),
            (side, other) in (64_u32..150, 3_u32..150),
            (x, y) in (-160_i32..160, -160_i32..160),
            (up, other_up) in (any::<bool>(), any::<bool>()),
        ) {
            let (a, b) = (mask(a, side), mask(b, other));
            let (a, b) = (a.as_ref(), b.as_ref());
            let a = if up { a.flip_y() } else { a };
            let b = if other_up { b.flip_y() } else { b };
            let offset = Point::new(x, y);
            prop_assert!(!is_rejected(a, b, offset) || reference::contact(a, b, offset).is_none());
        }
    }

    #[test]
    fn discs_in_each_others_corners_are_rejected() {
        let disc = mask(0, 100);
        let disc = disc.as_ref();
        for (x, y) in [(75, 75), (-75, 75), (75, -75), (-75, -75)] {
            assert!(is_rejected(disc, disc, Point::new(x, y)), "{x} {y}");
        }
        for (x, y) in [(70, 70), (70, -70), (-70, 70), (-70, -70), (0, 99), (99, 0)] {
            assert!(!is_rejected(disc, disc, Point::new(x, y)), "{x} {y}");
        }
        // One blade beside another, and one in the empty corner of the other.
        let blade = mask(1, 100);
        assert!(is_rejected(blade.as_ref(), blade.as_ref(), Point::new(9, 9)));
        assert!(!is_rejected(blade.as_ref(), blade.as_ref(), Point::new(9, -9)));
        assert!(is_rejected(blade.as_ref().flip_y(), blade.as_ref().flip_y(), Point::new(9, -9)));
        let dot = Mask::full(9, 9);
        for (x, y) in [(0, 0), (90, 90)] {
            assert!(is_rejected(blade.as_ref(), dot.as_ref(), Point::new(x, y)));
            assert!(is_rejected(dot.as_ref(), blade.as_ref(), Point::new(-x, -y)));
        }
    }

    #[test]
    fn offsets_beyond_all_reach_are_no_panic() {
        let disc = mask(0, 100);
        for x in [i32::MIN, i32::MAX, 1 << 30, -1 << 30] {
            for y in [i32::MIN, 0, i32::MAX] {
                is_rejected(disc.as_ref(), disc.as_ref(), Point::new(x, y));
            }
        }
    }
}
