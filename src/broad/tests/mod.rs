//! The tree against brute force and against rstar, over distributions of boxes that might break it,
//! at every SIMD level of the machine.

mod casts;
mod cost;
mod parts;

use crate::broad::aabb_soa::{self, BLOCK_BOXES};
use crate::broad::kernels::{Kernels, with_kernels};
use crate::broad::sweep::SweepBuffers;
use crate::broad::{BoxTree, Item, Tree};
use crate::geom::Rect;
use crate::simd::Simd;
use hitmask_scenes::Numbers;
use proptest::prelude::*;
use rstar::{AABB, RTree, RTreeObject};
use std::ops::ControlFlow;

/// As [`Numbers::rects`], with the rectangles of this crate.
fn rects(r: &mut Numbers, n: usize, area: [i64; 2], size: [i64; 2]) -> Vec<Rect> {
    r.rects(n, area, size).iter().map(|b| Rect::new(b.x0, b.y0, b.x1, b.y1)).collect()
}

fn scenes(n: usize) -> Vec<(&'static str, Vec<Rect>)> {
    let spreads = hitmask_scenes::box_spreads(n).into_iter();
    let own = spreads.map(|(name, boxes)| {
        (name, boxes.iter().map(|b| Rect::new(b.x0, b.y0, b.x1, b.y1)).collect())
    });
    own.collect()
}

#[derive(Clone, Copy, Default)]
struct Tagged(Rect, [u32; 4]);

impl Item for Tagged {
    type Payload = [u32; 4];

    fn rect(&self) -> Rect {
        self.0
    }

    fn payload(&self) -> [u32; 4] {
        self.1
    }
}

fn tagged(boxes: &[Rect]) -> Vec<Tagged> {
    let tag = |id: u32| [id, id ^ 0x5555, !id, id.wrapping_mul(7919)];
    boxes.iter().zip(0..).map(|(&rect, id)| Tagged(rect, tag(id))).collect()
}

/// A box for the reference tree: closed, and in i64, because rstar multiplies sides.
struct Leaf(u32, AABB<[i64; 2]>);

impl RTreeObject for Leaf {
    type Envelope = AABB<[i64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.1
    }
}

fn envelope(rect: &Rect) -> AABB<[i64; 2]> {
    let Rect { x0, y0, x1, y1 } = *rect;
    AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
}

fn oracle(boxes: &[Rect]) -> RTree<Leaf> {
    let leaves = boxes.iter().zip(0..).filter(|(rect, _)| !rect.is_empty());
    RTree::bulk_load(leaves.map(|(rect, index)| Leaf(index, envelope(rect))).collect())
}

fn oracle_pairs(boxes: &[Rect]) -> Vec<[u32; 2]> {
    let tree = oracle(boxes);
    let twice = tree.intersection_candidates_with_other_tree(&tree);
    let mut pairs: Vec<_> = twice.filter(|(a, b)| a.0 < b.0).map(|(a, b)| [a.0, b.0]).collect();
    pairs.sort_unstable();
    pairs
}

fn brute_pairs(boxes: &[Rect]) -> Vec<[u32; 2]> {
    let n = boxes.len() as u32;
    let meet = |&[a, b]: &[u32; 2]| boxes[a as usize].intersection(boxes[b as usize]).is_some();
    (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).filter(meet).collect()
}

/// Returns the pairs of `tree`, in order. Checks that every level finds the same pairs, and that
/// all levels without a block sweep find them in the same order.
fn pairs_of(tree: &mut BoxTree) -> Vec<[u32; 2]> {
    let (mut pairs, mut streamed) = (Vec::new(), Vec::new());
    tree.pairs(&mut pairs);
    tree.each_pair(|some| streamed.extend_from_slice(some));
    streamed.sort_unstable();
    let (mut scratch, mut one_by_one) = (SweepBuffers::default(), None);
    for level in Simd::available().into_iter().filter_map(Simd::level) {
        let mut found = Vec::new();
        let (swept, ids) = (tree.tree.swept(), tree.tree.leaves().ids);
        swept.run_on(level, 0..swept.units(), &mut scratch, &mut |first, second| {
            let id = |&at: &u32| ids[at as usize];
            let named = first.iter().map(id).zip(second.iter().map(id));
            found.extend(named.map(|(a, b)| [a.min(b), a.max(b)]));
        });
        let mut by_id = Vec::new();
        swept.run_ids_on(level, 0..swept.units(), &mut scratch, &mut |first, second| {
            by_id.extend(first.iter().zip(second).map(|(&a, &b)| [a.min(b), a.max(b)]));
        });
        assert!(by_id == found, "{level:?}: other pairs, or another order, by ids");
        if !with_kernels!(level, kernels => has_block_sweep(kernels)) {
            assert!(*one_by_one.get_or_insert_with(|| found.clone()) == found, "{level:?}");
        }
        found.sort_unstable();
        assert!(found == streamed, "{level:?}: {} pairs, not {}", found.len(), streamed.len());
    }
    assert!(streamed == pairs, "{} pairs in order, {} without", pairs.len(), streamed.len());
    pairs
}

fn has_block_sweep<S: fearless_simd::Simd>(_: Kernels<S>) -> bool {
    Kernels::<S>::HAS_BLOCK_SWEEP
}

fn query_ids(tree: &BoxTree, rect: Rect) -> Vec<u32> {
    let mut found = Vec::new();
    tree.query_rect(rect, &mut found);
    for level in Simd::available().into_iter().filter_map(Simd::level) {
        let mut again = Vec::new();
        let _: ControlFlow<()> = tree.tree.query_rect_with(level, rect, |at| {
            again.push(tree.tree.leaves().ids[at]);
            ControlFlow::Continue(())
        });
        assert_eq!(again, found, "{level:?}");
    }
    found.sort_unstable();
    found
}

fn brute_query(boxes: &[Rect], rect: Rect) -> Vec<u32> {
    let indices = boxes.iter().zip(0..).filter(|(b, _)| b.intersection(rect).is_some());
    indices.map(|(_, index)| index).collect()
}

/// Checks the invariants of a tree.
fn validate<I: Item>(tree: &Tree<I>, boxes: &[Rect]) {
    let (bounds, ids) = (&tree.leaves.bounds, &tree.leaves.ids);
    let len = bounds.len();
    assert_eq!(len % BLOCK_BOXES, 0);
    assert_eq!(ids.len(), len);
    let mut is_packed = vec![false; boxes.len()];
    let mut start = 0;
    for row in &tree.rows {
        assert_eq!(row.start as usize, start, "rows leave no gap");
        assert!(row.start < row.end, "a row is never empty");
        start = row.padded();
        let mut right = i64::MIN;
        let places = row.start as usize..row.end as usize;
        for (at, &id) in places.clone().zip(&ids[places]) {
            let rect = bounds.edges().get(at);
            let id = id as usize;
            assert_eq!(rect, boxes[id]);
            assert!(!std::mem::replace(&mut is_packed[id], true), "box {id} is there twice");
            assert!(row.top <= rect.y0 && rect.y1 <= row.bottom);
            assert!(i64::from(rect.x0) + i64::from(row.slack) >= right, "order within slack");
            right = right.max(rect.x0.into());
        }
        let padding = row.end as usize..row.padded();
        for (at, &id) in padding.clone().zip(&ids[padding]) {
            assert_eq!(bounds.edges().get(at), aabb_soa::NO_BOX);
            assert_eq!(id, u32::MAX);
        }
    }
    assert_eq!(start, len);
    for class in &tree.classes {
        let mut reach = i32::MIN;
        for (i, row) in tree.rows[class.clone()].iter().enumerate() {
            reach = reach.max(row.bottom);
            assert_eq!(row.reach, reach);
            if i > 0 {
                let above = &tree.rows[class.start + i - 1];
                assert!(above.top < row.top, "rows go from top to bottom");
            }
        }
    }
    for (is_packed, rect) in is_packed.iter().zip(boxes) {
        assert_eq!(*is_packed, !rect.is_empty());
    }
}

fn check(tree: &mut BoxTree, boxes: &[Rect]) {
    tree.pack(boxes);
    validate(&tree.tree, boxes);
    let found = pairs_of(tree);
    assert!(found == oracle_pairs(boxes), "rstar finds other pairs");
    if boxes.len() <= 700 {
        assert!(found == brute_pairs(boxes), "brute force finds other pairs");
    }
    casts::check_rays_and_casts(tree, boxes, boxes.len() as u64);
    let reference = oracle(boxes);
    let probe = |i: usize| boxes[i * 7919 % boxes.len()];
    for i in 0..20.min(boxes.len()) {
        let (a, b) = (probe(i), probe(i + 1));
        let corner = Rect::new(a.x0, a.y0, a.x0.saturating_add(1), a.y0.saturating_add(1));
        let between = Rect::new(a.x1, a.y1, a.x1.saturating_add(40), b.y0);
        for rect in [a, b, corner, between] {
            let found = query_ids(tree, rect);
            assert_eq!(found, brute_query(boxes, rect));
            if !rect.is_empty() {
                let near = reference.locate_in_envelope_intersecting(envelope(&rect));
                let mut near: Vec<u32> = near.map(|leaf| leaf.0).collect();
                near.sort_unstable();
                assert_eq!(found, near);
            }
        }
    }
}

#[test]
fn every_distribution_gives_the_pairs_of_brute_force_and_rstar() {
    // One tree for all scenes: the state left by one update must not affect the next.
    let mut tree = BoxTree::new();
    for n in [1, 2, 15, 16, 17, 63, 64, 65, 300, 700, 6000] {
        for (name, boxes) in scenes(n) {
            println!("{name}, {n}");
            check(&mut tree, &boxes);
        }
    }
    tree.pack(&[]);
    assert_eq!((pairs_of(&mut tree), query_ids(&tree, Rect::new(0, 0, 9, 9))), (vec![], vec![]));
}

#[test]
fn boxes_at_the_ends_of_the_range_do_not_overflow() {
    let (least, most) = (i32::MIN, i32::MAX);
    let boxes = [
        Rect::new(least, least, least + 1, least + 1),
        Rect::new(most - 1, most - 1, most, most),
        Rect::new(least, least, most, most),
        Rect::new(most - 1, least, most, most),
        Rect::new(least, 0, 0, 1),
        Rect::new(most, most, most, most),
    ];
    let mut tree = BoxTree::new();
    check(&mut tree, &boxes);
    check(&mut tree, &boxes.repeat(40));
    tree.pack(&boxes);
    assert_eq!(query_ids(&tree, boxes[1]), [1, 2, 3]);
}

#[test]
fn a_small_box_and_a_huge_one_at_the_end_of_the_range_are_no_pair() {
    let huge = Rect::new(2_021_161_064, 0, i32::MAX, 67_108_864);
    check(&mut BoxTree::new(), &[Rect::new(0, 0, 2048, 2048), huge]);
}

#[test]
fn the_order_of_the_leaves_does_not_depend_on_what_was_packed_before() {
    let mut used = BoxTree::new();
    for (_, boxes) in scenes(2000) {
        used.pack(&boxes);
        let mut fresh = BoxTree::new();
        fresh.pack(&boxes);
        let (used, fresh) = (&used.tree, &fresh.tree);
        assert_eq!((used.leaves().ids, &used.rows), (fresh.leaves().ids, &fresh.rows));
    }
}

#[test]
fn an_unrepresentative_sample_does_not_turn_most_boxes_into_giants() {
    let mut tree = BoxTree::new();
    let mut r = Numbers(3);
    // The sample takes every fourth of 10,000 boxes.
    let spread = rects(&mut r, 10_000, [90_000, 90_000], [300, 300]);
    // Relative to the sampled boxes these are giants.
    let mut row = rects(&mut r, 10_000, [1_000_000, 4], [60, 3]);
    row.iter_mut().for_each(|rect| rect.x1 += 1400);
    for (mut boxes, sampled) in [(spread, Rect::default()), (row, Rect::new(0, 0, 1, 1))] {
        boxes.iter_mut().step_by(4).for_each(|rect| *rect = sampled.translated([rect.x0, rect.y0]));
        check(&mut tree, &boxes);
        let first = tree.tree.classes[0].clone();
        let usual: usize = tree.tree.rows[first].iter().map(|row| row.len()).sum();
        let all = boxes.iter().filter(|rect| !rect.is_empty()).count();
        assert!(usual > all * 7 / 8, "{usual} of {all} boxes count as usual ones");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_boxes_give_the_pairs_of_brute_force(
        boxes in prop::collection::vec((-50_i32..50, -50_i32..50, 0_i32..30, 0_i32..30), 0..60)
    ) {
        let boxes: Vec<Rect> =
            boxes.into_iter().map(|(x, y, w, h)| Rect::new(x, y, x + w, y + h)).collect();
        check(&mut BoxTree::new(), &boxes);
    }

    #[test]
    fn boxes_of_any_size_anywhere_give_the_pairs_of_brute_force(
        boxes in prop::collection::vec((any::<[i32; 4]>(), 0_u32..31), 0..200)
    ) {
        let boxes: Vec<Rect> = boxes
            .into_iter()
            .map(|([x, y, w, h], s)| {
                let size = |side: i32| (side.unsigned_abs() >> s) as i32;
                Rect::new(x, y, x.saturating_add(size(w)), y.saturating_add(size(h)))
            })
            .collect();
        check(&mut BoxTree::new(), &boxes);
    }
}
