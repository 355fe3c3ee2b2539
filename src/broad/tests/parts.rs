//! Trees with a payload: packed and swept by several workers, and joined.

use crate::broad::pack;
use crate::broad::pair_order::key_of;
use crate::broad::sweep::JoinInput;
use crate::broad::sweep::SweepBuffers;
use crate::broad::tests::{Simd, Tagged, oracle, oracle_pairs, scenes, tagged, validate};
use crate::broad::{BoxTree, PairOrder, Tree};
use crate::geom::Rect;

/// Returns all pairs of `tree` found by `workers` workers, in the order of the output.
fn sweep_with(tree: &mut Tree<Tagged>, workers: usize) -> Vec<[u32; 2]> {
    let mut workers = vec![Vec::new(); workers];
    tree.sweep_parts(&mut workers, |pairs, leaves, first, second| {
        for (&a, &b) in first.iter().zip(second) {
            let [a, b] = [a as usize, b as usize];
            assert_eq!(leaves.payload[a][0], leaves.ids[a]);
            pairs.push([leaves.ids[a], leaves.payload[b][0]]);
        }
    });
    workers.concat()
}

fn join_with(tree: &mut Tree<Tagged>, other: &Tree<Tagged>, workers: usize) -> Vec<[u32; 2]> {
    let mut workers = vec![Vec::new(); workers];
    tree.join_parts(other, &mut workers, |pairs, leaves, others, first, second| {
        for (&a, &b) in first.iter().zip(second) {
            pairs.push([leaves.ids[a as usize], others.payload[b as usize][0]]);
        }
    });
    workers.concat()
}

fn check_join(boxes: &[Rect], others: &[Rect]) {
    let [mut tree, mut other] = [Tree::default(), Tree::default()];
    tree.pack(&tagged(boxes));
    other.pack(&tagged(others));
    let mut found = join_with(&mut tree, &other, 1);
    for workers in [2, 3, 16] {
        assert!(join_with(&mut tree, &other, workers) == found, "{workers} workers");
    }
    found.sort_unstable();
    let join = JoinInput { upper: tree.swept(), lower: other.swept() };
    let [ids, other_ids] = [tree.leaves().ids, other.leaves().ids];
    let mut scratch = SweepBuffers::default();
    for level in Simd::available().into_iter().filter_map(Simd::level) {
        let mut again = Vec::new();
        join.run_on(level, 0..tree.rows.len(), &mut scratch, &mut |first, second| {
            let named = first.iter().zip(second);
            again.extend(named.map(|(&a, &b)| [ids[a as usize], other_ids[b as usize]]));
        });
        again.sort_unstable();
        assert!(again == found, "{level:?}");
    }
    let (a, b) = (oracle(boxes), oracle(others));
    let pairs = a.intersection_candidates_with_other_tree(&b);
    let mut truth: Vec<_> = pairs.map(|(a, b)| [a.0, b.0]).collect();
    truth.sort_unstable();
    assert!(found == truth, "{} pairs, not {}", found.len(), truth.len());
}

#[test]
fn payloads_stay_with_their_boxes_and_pairs_do_not_depend_on_the_number_of_workers() {
    let mut tree = Tree::default();
    for n in [1, 17, 700, 6000] {
        for (name, boxes) in scenes(n) {
            println!("{name}, {n}");
            let items = tagged(&boxes);
            tree.pack(&items);
            validate(&tree, &boxes);
            let leaves = tree.leaves();
            for (&id, payload) in leaves.ids.iter().zip(leaves.payload) {
                assert!(id == u32::MAX || *payload == items[id as usize].1);
            }
            let whole = sweep_with(&mut tree, 1);
            for workers in [2, 3, 8, 40] {
                assert!(sweep_with(&mut tree, workers) == whole, "{workers} workers");
            }
            let mut plain = BoxTree::new();
            plain.pack(&boxes);
            let mut streamed = Vec::new();
            plain.each_pair(|pairs| streamed.extend_from_slice(pairs));
            let pairs: Vec<_> = whole.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
            assert_eq!(streamed.len(), pairs.len());
            let mut order = PairOrder::default();
            let lists: Vec<_> = pairs.chunks(77).collect();
            for (found, list) in order.begin(lists.len(), boxes.len()).iter_mut().zip(lists) {
                list.iter().for_each(|&[a, b]| found.push(key_of(a, b)));
            }
            order.end();
            let mut ordered = Vec::new();
            order.write(&mut ordered, [0; 2], |pair| pair);
            assert!(ordered == oracle_pairs(&boxes));
        }
    }
}

#[test]
fn many_boxes_are_packed_the_same_by_one_worker_and_by_many() {
    let mut tree = Tree::default();
    for (name, boxes) in scenes(10 * pack::BOXES_PER_WORKER + 500) {
        println!("{name}");
        let items = tagged(&boxes);
        tree.pack(&items);
        validate(&tree, &boxes);
        for workers in [1, 7] {
            let mut other = Tree::default();
            other.pack_with(workers, &items);
            assert_eq!(tree.rows, other.rows);
            assert!(tree.leaves().ids == other.leaves().ids);
            assert!(tree.leaves().payload == other.leaves().payload);
        }
    }
}

#[test]
fn a_join_of_two_trees_gives_the_pairs_of_rstar() {
    for n in [1, 64, 700] {
        let scenes = scenes(n);
        for (name, boxes) in &scenes {
            for (other_name, others) in &scenes {
                println!("{name} x {other_name}, {n}");
                check_join(boxes, others);
            }
            let few = &boxes[..boxes.len().div_ceil(9)];
            check_join(boxes, few);
            check_join(few, boxes);
            check_join(boxes, &[]);
            check_join(&[], boxes);
        }
    }
}
