//! The broad phase: which boxes overlap. The only file that names rstar.

use crate::geom::Rect;
use rstar::{AABB, RTree, RTreeObject};

struct Leaf {
    index: u32,
    rect: Rect,
}

impl RTreeObject for Leaf {
    /// i64, because the tree multiplies sides, and i32 would overflow.
    type Envelope = AABB<[i64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let Rect { x0, y0, x1, y1 } = self.rect;
        // The tree's boxes are closed and touching ones meet: give it the last pixel inside.
        AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
    }
}

/// All pairs of overlapping boxes, each once, lower index first, in no particular order. No box
/// is empty.
pub(crate) fn pairs(boxes: &[Rect]) -> Vec<[u32; 2]> {
    let leaves = boxes.iter().zip(0..).map(|(&rect, index)| Leaf { index, rect }).collect();
    let tree = RTree::bulk_load(leaves);
    tree.intersection_candidates_with_other_tree(&tree)
        // The join of a tree with itself gives each pair twice, and each box with itself.
        .filter(|(a, b)| a.index < b.index)
        .map(|(a, b)| [a.index, b.index])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_overlapping_pair_is_found_once(
            boxes in prop::collection::vec((-50_i32..50, -50_i32..50, 1_i32..30, 1_i32..30), 0..60)
        ) {
            let boxes: Vec<Rect> =
                boxes.into_iter().map(|(x, y, w, h)| Rect::new(x, y, x + w, y + h)).collect();
            let mut found = pairs(&boxes);
            found.sort_unstable();
            let n = boxes.len() as u32;
            let overlap = |a: u32, b: u32| boxes[a as usize].intersection(boxes[b as usize]);
            let truth: Vec<[u32; 2]> = (0..n)
                .flat_map(|a| (a + 1..n).map(move |b| [a, b]))
                .filter(|&[a, b]| overlap(a, b).is_some())
                .collect();
            prop_assert_eq!(found, truth);
        }
    }

    #[test]
    fn boxes_at_the_ends_of_the_range_do_not_overflow() {
        let end = i32::MAX;
        let boxes = [
            Rect::new(-end, -end, 1 - end, 1 - end),
            Rect::new(end - 1, end - 1, end, end),
            Rect::new(-end, -end, end, end),
        ];
        let mut found = pairs(&boxes);
        found.sort_unstable();
        assert_eq!(found, [[0, 2], [1, 2]]);
    }
}
