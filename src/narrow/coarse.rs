//! Tests of two masks at an offset on their coarse levels alone.
//!
//! Called by `Mask::coarse`. `batch::level_tests` does the same for many pairs. Invariants:
//! `No` and `Yes` equal the answer of the pixels, and the order of the masks does not matter.

use super::Certainty;
use crate::geom::Point;
use crate::mask::{Levels, MaskRef};

/// Tests `a`, at (0, 0), and `b`, at `offset`. Masks without levels are tested exactly.
pub(crate) fn certainty(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Certainty {
    let (Some(of_a), Some(of_b)) = (a.levels(), b.levels()) else {
        return if a.touches(b, offset) { Certainty::Yes } else { Certainty::No };
    };
    // One of the two is dilated, so the order decides where cells are aligned. The mask farther
    // left comes first, then the upper one. Masks at one place are alike, or one is flipped.
    let (dx, dy) = (offset.x, offset.y);
    let is_later = dx < 0 || dx == 0 && (dy < 0 || dy == 0 && a.place_key() > b.place_key());
    let (first, second, offset) = if is_later {
        (of_b, of_a, Point::new(dx.wrapping_neg(), dy.wrapping_neg()))
    } else {
        (of_a, of_b, offset)
    };
    of_levels(first, second, offset)
}

fn of_levels(first: Levels<'_>, second: Levels<'_>, offset: Point) -> Certainty {
    let cells = first.cells_to(second, offset);
    if !first.dilated.touches(second.outer, cells + Point::new(1, 1)) {
        Certainty::No
    } else if first.inner.touches(second.inner, cells) {
        Certainty::Yes
    } else {
        Certainty::Maybe
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::mask::{LEAD, LevelShape, Mask, stride_of, write_levels};
    use proptest::prelude::*;

    /// Returns a mask of solid lumps, so that all three answers occur, or of single distant dots,
    /// so that a wrong neighbour cell is noticed.
    fn lumps(width: u32, height: u32, seed: u32) -> Mask {
        let mut mask = Mask::new(width, height).unwrap();
        for y in 0..height {
            for x in 0..width {
                let lump = (x + seed % 13) / 19 + (y + seed % 7) / 23;
                let dot = x % 29 == seed % 29 && y % 31 == seed % 31;
                mask.set(
                    x as i32,
                    y as i32,
                    if seed.is_multiple_of(2) { lump % 3 != seed % 3 } else { dot },
                );
            }
        }
        mask
    }

    /// Returns a pool that holds the levels of `mask` and then its strips.
    fn pool_of(mask: &Mask) -> (Vec<u64>, u32) {
        let mask = mask.as_ref();
        let levels = LevelShape::of(mask.width(), mask.height()).words();
        let mut pool = vec![0; (LEAD + levels) as usize];
        write_levels(mask, &mut pool[LEAD as usize..]);
        for s in 0..mask.strips() {
            pool.extend(mask.rows(s));
            let end = (LEAD + levels + (s + 1) * stride_of(mask.height())) as usize;
            pool.resize(end, 0);
        }
        (pool, LEAD + levels)
    }

    fn with_levels<'p>((pool, words): &'p (Vec<u64>, u32), mask: &Mask) -> MaskRef<'p> {
        let (w, h) = (mask.width(), mask.height());
        MaskRef::in_pool(pool, *words, stride_of(h), w, h).with_levels(true)
    }

    /// Returns set pixel `n` modulo the number of set pixels.
    fn nth_pixel(mask: MaskRef<'_>, n: u32) -> Option<Point> {
        let all = (0..mask.height() as i32)
            .flat_map(|y| (0..mask.width() as i32).map(move |x| Point::new(x, y)));
        let set: Vec<Point> = all.filter(|p| mask.get(p.x, p.y)).collect();
        set.get(n as usize % set.len().max(1)).copied()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_coarse_answer_is_never_wrong(
            (aw, ah, bw, bh) in (1_u32..150, 1_u32..150, 1_u32..600, 1_u32..60),
            (seed_a, seed_b) in (0_u32..100, 0_u32..100),
            (flip_a, flip_b) in (any::<bool>(), any::<bool>()),
            (pixel_a, pixel_b) in any::<(u32, u32)>(),
            (dx, dy) in (-2_i32..=2, -2_i32..=2),
        ) {
            let (a, b) = (lumps(aw, ah, seed_a), lumps(bw, bh, seed_b));
            let (pool_a, pool_b) = (pool_of(&a), pool_of(&b));
            let (a, b) = (with_levels(&pool_a, &a), with_levels(&pool_b, &b));
            let a = if flip_a { a.flip_y() } else { a };
            let b = if flip_b { b.flip_y() } else { b };
            // At these offsets one chosen pixel of each mask coincides, give or take 2 px: the
            // hardest case.
            let (Some(p), Some(q)) = (nth_pixel(a, pixel_a), nth_pixel(b, pixel_b)) else {
                return Ok(());
            };
            let (dx, dy) = (p.x - q.x + dx, p.y - q.y + dy);
            let expected = reference::contact(a, b, [dx, dy]).is_some();
            match a.coarse(b, [dx, dy]) {
                Certainty::No => prop_assert!(!expected),
                Certainty::Yes => prop_assert!(expected),
                Certainty::Maybe => {}
            }
            prop_assert_eq!(a.coarse(b, [dx, dy]), b.coarse(a, [-dx, -dy]));
        }
    }

    #[test]
    fn all_three_answers_occur_and_masks_without_levels_are_exact() {
        let mask = lumps(64, 64, 2);
        let pool = pool_of(&mask);
        let view = with_levels(&pool, &mask);
        let mut counts = [0; 3];
        for (dx, dy) in (-64..64).flat_map(|dx| (-64..64).map(move |dy| (dx, dy))) {
            counts[match view.coarse(view, [dx, dy]) {
                Certainty::No => 0,
                Certainty::Maybe => 1,
                Certainty::Yes => 2,
            }] += 1;
            let exact = if view.touches(view, [dx, dy]) { Certainty::Yes } else { Certainty::No };
            assert_eq!(mask.as_ref().coarse(view, [dx, dy]), exact);
        }
        assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
    }

    #[test]
    fn offsets_far_out_of_range_are_misses() {
        let mask = lumps(64, 64, 2);
        let pool = pool_of(&mask);
        let view = with_levels(&pool, &mask);
        for x in [i32::MIN, -1 << 30, 0, i32::MAX] {
            for y in [i32::MIN, 1 << 30, i32::MAX] {
                assert_eq!(view.coarse(view.flip_y(), [x, y]), Certainty::No);
                assert_eq!(view.coarse(view, [y, x]), Certainty::No);
            }
        }
    }
}
