//! From boxes to touching pairs: broad phase, then narrow phase, in one order.

use super::broad::BoxTree;
use super::place::Placement;
use crate::atlas::Records;
use crate::geom::{Point, Rect};
use crate::narrow::batch::{Engine, HotPair};
use crate::narrow::{Accuracy, Certainty, Contact, Simd};
use crate::parallel;
use std::fmt;

/// Candidates from which settling them is spread over threads: fewer are settled in less time
/// than it takes to wake one.
const SPREAD: usize = 4096;

/// Finds the touching pairs of placements. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    tree: BoxTree,
    boxes: Vec<Rect>,
    candidates: Vec<[u32; 2]>,
    settlers: Settlers,
}

/// What each thread settles pairs with. A clone starts without, and makes its own.
#[derive(Default)]
struct Settlers(Vec<Settler>);

struct Settler {
    engine: Engine,
    answers: Vec<bool>,
}

impl Settlers {
    /// As many as there are threads to settle `candidates` with.
    fn for_candidates(&mut self, candidates: usize) -> &mut [Settler] {
        let wanted = if candidates < SPREAD { 1 } else { parallel::threads() };
        while self.0.len() < wanted {
            let engine = Engine::new(Simd::preferred());
            self.0.push(Settler { engine, answers: Vec::new() });
        }
        &mut self.0[..wanted]
    }
}

impl Clone for Settlers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Settlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} settlers", self.0.len())
    }
}

impl Finder {
    /// The touching pairs of `placements`, whose indices ascend: lower index first, in ascending
    /// order.
    pub(crate) fn touching(
        &mut self,
        records: &Records<'_>,
        placements: &[(u32, Placement)],
        accuracy: Accuracy,
    ) -> Vec<[u32; 2]> {
        self.boxes.clear();
        self.boxes.extend(placements.iter().map(|(_, placement)| placement.rect));
        self.tree.pack(&self.boxes);
        self.tree.pairs(&mut self.candidates);
        let settlers = self.settlers.for_candidates(self.candidates.len());
        let settled = parallel::map_parts(&self.candidates, settlers, |settler, candidates| {
            settler.settle(candidates, records, placements, accuracy)
        });
        settled.concat()
    }
}

impl Settler {
    /// Those of `candidates`, indices among `placements`, that touch, by their colliders' indices.
    fn settle(
        &mut self,
        candidates: &[[u32; 2]],
        records: &Records<'_>,
        placements: &[(u32, Placement)],
        accuracy: Accuracy,
    ) -> Vec<[u32; 2]> {
        let placement = |i: u32| &placements[i as usize].1;
        self.answers.clear();
        match accuracy {
            Accuracy::Box | Accuracy::Coarse => self.answers.extend(
                candidates
                    .iter()
                    .map(|&[a, b]| touches(records, placement(a), placement(b), accuracy)),
            ),
            Accuracy::Exact => {
                self.answers.resize(candidates.len(), false);
                let pairs = candidates.iter().map(|&[a, b]| {
                    let (a, b) = (placement(a), placement(b));
                    let Point { x: dx, y: dy } = offset(a, b);
                    HotPair { a: a.hot, b: b.hot, dx, dy }
                });
                self.engine.touches(records.pool(), pairs, &mut self.answers);
            }
        }
        let touching = candidates.iter().zip(&self.answers).filter(|(_, touches)| **touches);
        touching.map(|(pair, _)| pair.map(|i| placements[i as usize].0)).collect()
    }
}

/// True where two placements whose boxes overlap touch.
fn touches(records: &Records<'_>, a: &Placement, b: &Placement, accuracy: Accuracy) -> bool {
    match accuracy {
        Accuracy::Box => true,
        Accuracy::Coarse => {
            let (mask_a, mask_b) = (a.mask(records), b.mask(records));
            mask_a.coarse(mask_b, offset(a, b)) != Certainty::No
        }
        Accuracy::Exact => a.mask(records).touches(b.mask(records), offset(a, b)),
    }
}

/// Where two placements overlap, in world pixels.
pub(crate) fn contact(
    records: &Records<'_>,
    a: &Placement,
    b: &Placement,
    accuracy: Accuracy,
) -> Option<Contact> {
    let shared = a.rect.intersection(b.rect)?;
    match accuracy {
        Accuracy::Box | Accuracy::Coarse => {
            touches(records, a, b, accuracy).then(|| Contact::of_boxes(shared))
        }
        Accuracy::Exact => {
            let contact = a.mask(records).contact(b.mask(records), offset(a, b))?;
            Some(contact.translated(Point::new(a.rect.x0, a.rect.y0)))
        }
    }
}

/// Where b's corner lies from a's. Positions are limited so that it cannot overflow.
fn offset(a: &Placement, b: &Placement) -> Point {
    Point::new(b.rect.x0 - a.rect.x0, b.rect.y0 - a.rect.y0)
}
