//! What a spread costs, without a clock.

use crate::broad::BoxTree;
use crate::broad::aabb_soa::{Block, Edges};
use crate::broad::hit_buffer::Hits;
use crate::broad::kernels::{Lanes, Portable};
use crate::broad::line::Line;
use crate::broad::sweep::Scratch;
use crate::broad::tests::{BLOCK, scenes};
use crate::geom::{Point, Rect};
use std::cell::Cell;

/// Boxes tested: what a spread costs, without a clock.
#[derive(Clone, Copy)]
struct Counting<'c>(Portable, &'c Cell<u64>);

impl Lanes for Counting<'_> {
    const STEP: usize = Portable::STEP;

    fn overlapping(self, block: Block<'_>, rect: Rect) -> u32 {
        self.1.set(self.1.get() + BLOCK as u64);
        self.0.overlapping(block, rect)
    }

    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits) {
        self.1.set(self.1.get() + Self::STEP as u64);
        self.0.meet(bounds, at, rect, probe, hits);
    }

    fn around(self, block: Block<'_>) -> Rect {
        self.0.around(block)
    }

    fn along(self, block: Block<'_>, line: &Line) -> [u32; 2] {
        self.1.set(self.1.get() + BLOCK as u64);
        self.0.along(block, line)
    }

    fn distances(self, block: Block<'_>, point: Point) -> [f32; BLOCK] {
        self.1.set(self.1.get() + BLOCK as u64);
        self.0.distances(block, point)
    }

    fn past(self, edges: &[i32], at: usize, line: i32, list: &mut [u32]) -> usize {
        self.1.set(self.1.get() + BLOCK as u64);
        self.0.past(edges, at, line, list)
    }

    fn beside(self, bounds: Edges<'_>, at: usize, rows: [i32; 2], list: &mut [u32]) -> usize {
        self.1.set(self.1.get() + BLOCK as u64);
        self.0.beside(bounds, at, rows, list)
    }
}

#[test]
fn no_spread_makes_the_sweep_blow_up() {
    let mut tree = BoxTree::new();
    for n in [1000, 30_000] {
        for (name, boxes) in scenes(n) {
            tree.pack(&boxes);
            let tested = Cell::new(0);
            let mut pairs = 0;
            let swept = tree.tree.swept();
            let mut scratch = Scratch::default();
            let lanes = Counting(Portable, &tested);
            swept.run(lanes, 0..swept.units(), &mut scratch, &mut |a, _| pairs += a.len() as u64);
            let (boxes, tested) = (boxes.len() as u64, tested.get());
            println!("{name}: {boxes} boxes, {pairs} pairs, {tested} boxes tested");
            assert!(tested <= 100 * boxes + 8 * pairs, "{name}: {tested} tested of {boxes} boxes");
        }
    }
}
