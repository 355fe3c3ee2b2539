//! Bounds the number of boxes that the sweep tests.

use crate::broad::BoxTree;
use crate::broad::kernels::tested;
use crate::broad::sweep::SweepBuffers;
use crate::broad::tests::scenes;
use crate::simd::Simd;

#[test]
fn the_sweep_tests_a_bounded_number_of_boxes_for_every_distribution() {
    let mut tree = BoxTree::new();
    for n in [1000, 30_000] {
        for (name, boxes) in scenes(n) {
            tree.pack(&boxes);
            let mut pairs = 0;
            let swept = tree.tree.swept();
            let mut scratch = SweepBuffers::default();
            // The narrowest vectors test the fewest boxes in vain, so the bound is theirs.
            let level = Simd::available().last().and_then(|simd| simd.level()).unwrap();
            tested::take();
            let sink = &mut |a: &[u32], _: &[u32]| pairs += a.len() as u64;
            swept.run_on(level, 0..swept.units(), &mut scratch, sink);
            let non_empty = boxes.iter().filter(|rect| !rect.is_empty()).count() as u64;
            let (boxes, tested) = (boxes.len() as u64, tested::take());
            println!("{name}: {boxes} boxes, {pairs} pairs, {tested} boxes tested");
            assert!(
                tested >= non_empty,
                "{name}: {tested} tested of {non_empty} boxes with pixels"
            );
            assert!(tested <= 100 * boxes + 8 * pairs, "{name}: {tested} tested of {boxes} boxes");
        }
    }
}
