//! From boxes to touching pairs: broad phase, then narrow phase, in one order.

use super::broad::BoxTree;
use super::place::Placement;
use crate::atlas::Records;
use crate::geom::{Point, Rect};
use crate::narrow::{Accuracy, Certainty, Contact};
use crate::parallel;

/// Pairs that one task settles: enough to outweigh handing it to another thread.
const CHUNK: usize = 512;

/// Finds the touching pairs of placements. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    tree: BoxTree,
    boxes: Vec<Rect>,
    candidates: Vec<[u32; 2]>,
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
        settle(&self.candidates, records, placements, accuracy)
    }
}

/// Those of `candidates`, indices among `placements`, that touch, by their colliders' indices.
fn settle(
    candidates: &[[u32; 2]],
    records: &Records<'_>,
    placements: &[(u32, Placement)],
    accuracy: Accuracy,
) -> Vec<[u32; 2]> {
    let chunks: Vec<&[[u32; 2]]> = candidates.chunks(CHUNK).collect();
    let settled = parallel::map(&chunks, |chunk| {
        let touching = chunk.iter().filter(|pair| {
            let [a, b] = pair.map(|i| &placements[i as usize].1);
            touches(records, a, b, accuracy)
        });
        touching.map(|pair| pair.map(|i| placements[i as usize].0)).collect::<Vec<_>>()
    });
    settled.concat()
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
