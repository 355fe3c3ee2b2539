//! From boxes to touching pairs, in one go: the sweep hands on candidates as it finds them, some
//! hundreds at a time, with the masks' records beside the boxes, and they are settled there and
//! then. No list of candidates is kept; only what touches is put in order.
//!
//! ```text
//! pack moving   (and fixed, where one of them changed)
//! sweep moving, cross moving with fixed:   candidates -> may they meet? -> kernels -> found
//! order found by slots
//! ```
//!
//! Called by the update. What is kept true: what is found, and its order, depends on boxes, looks
//! and masks alone.

use super::broad::{Leaves, Order, Tree};
use super::events::Events;
use super::lent::Lent;
use super::place::Placed;
use super::room;
use super::settle::View;
use super::sift::Sifted;
use super::slots::Slots;
use super::{ColliderId, Pair};
use crate::mask::HotMask;
use crate::narrow::batch::{Columns, Engine, Positions};
use crate::narrow::{Accuracy, Simd};
use crate::parallel;
use std::fmt;

const NOBODY: Pair = Pair { a: ColliderId::new(0, 0), b: ColliderId::new(0, 0) };

/// Finds the touching pairs. Kept between updates, for its memory and for the index that queries
/// ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    pub(crate) moving: Tree<Placed>,
    pub(crate) fixed: Tree<Placed>,
    /// True where the index of fixed colliders holds what there is.
    fixed_is_good: bool,
    order: Order,
    workers: Workers,
}

/// Candidates of one worker: within the index of what moves, and across to what is fixed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    pub(crate) within: List,
    pub(crate) across: List,
}

/// Candidates, by their positions in tree order.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    first: Vec<u32>,
    second: Vec<u32>,
}

impl List {
    fn add(&mut self, first: &[u32], second: &[u32]) {
        self.first.extend_from_slice(first);
        self.second.extend_from_slice(second);
    }

    pub(crate) const fn len(&self) -> usize {
        self.first.len()
    }

    /// As many at a time as the sweep hands on.
    fn chunks(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        self.first.chunks(1024).zip(self.second.chunks(1024))
    }
}

/// What pairs are settled with. A clone starts without, and makes its own.
#[derive(Default)]
struct Workers {
    all: Vec<Worker>,
    engines: Engines,
}

/// One for each thread in the end.
type Engines = Lent<Kit>;

/// What a thread settles pairs with.
struct Kit {
    engine: Engine,
    sifted: Sifted,
    answers: Vec<bool>,
    areas: Vec<u64>,
}

impl Kit {
    fn new() -> Self {
        let engine = Engine::new(Simd::preferred());
        Self { engine, sifted: Sifted::default(), answers: Vec::new(), areas: Vec::new() }
    }
}

#[derive(Default)]
struct Worker {
    /// Slots of touching pairs, the lower one first.
    found: Vec<[u32; 2]>,
}

impl AsRef<[[u32; 2]]> for Worker {
    fn as_ref(&self) -> &[[u32; 2]] {
        &self.found
    }
}

impl Workers {
    /// That many, with nothing found yet.
    fn ready(&mut self, wanted: usize) -> (&mut [Worker], &Engines) {
        let Self { all, engines } = self;
        if all.len() < wanted {
            all.resize_with(wanted, Worker::default);
        }
        all.iter_mut().for_each(|worker| worker.found.clear());
        (&mut all[..wanted], engines)
    }
}

impl Clone for Workers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} workers", self.all.len())
    }
}

impl Finder {
    /// A fixed collider came, went or changed.
    pub(crate) fn forget_fixed(&mut self) {
        self.fixed_is_good = false;
    }

    /// Packs the boxes anew.
    pub(crate) fn pack(&mut self, view: View<'_>) {
        let slots = view.slots;
        if !self.fixed_is_good {
            let boxes = slots.fixed.iter().map(|(&slot, &placed)| (slot, placed));
            self.fixed.pack_some(boxes);
            self.fixed_is_good = true;
        }
        self.moving.pack(&slots.moving);
    }

    /// The candidates alone, for those who want to know what takes how long: each worker keeps
    /// those of its own. The boxes are packed.
    pub(crate) fn list(&mut self, lists: &mut [Listed]) {
        let Self { moving, fixed, .. } = self;
        lists.iter_mut().for_each(|list| *list = Listed::default());
        moving.sweep_parts(lists, |list, _, first, second| list.within.add(first, second));
        if fixed.len() > 0 {
            moving.cross_parts(fixed, lists, |list, _, _, first, second| {
                list.across.add(first, second);
            });
        }
    }

    /// How many lists of candidates there are.
    pub(crate) fn lists(&self) -> usize {
        self.moving.workers().min(2 * parallel::threads())
    }

    /// Settles listed candidates.
    pub(crate) fn settle(&mut self, view: View<'_>, lists: &[Listed]) {
        let Self { moving, fixed, workers, .. } = self;
        let (leaves, others) = (moving.leaves(), fixed.leaves());
        let (workers, engines) = workers.ready(lists.len());
        parallel::share(
            workers,
            lists,
            &|lists, left, _| lists.split_at(left.len()),
            &|worker, lists: &[Listed]| {
                for list in lists {
                    for (first, second) in list.within.chunks() {
                        worker.settle(view, engines, [leaves, leaves], first, second);
                    }
                    for (first, second) in list.across.chunks() {
                        worker.settle(view, engines, [leaves, others], first, second);
                    }
                }
            },
        );
    }

    /// Puts what the workers found in order, as ids, into `touching`: the lower slot first,
    /// ascending.
    pub(crate) fn order(&mut self, slots: &Slots, touching: &mut Vec<Pair>) {
        self.order.take(&self.workers.all, slots.len());
        self.order.put(touching, NOBODY, |pair| slots.pair(pair));
    }

    /// The same, and what began and ended since `before`.
    pub(crate) fn order_and_compare(
        &mut self,
        slots: &Slots,
        [before, touching, began, ended]: [&mut Vec<Pair>; 4],
        events: &mut Events,
    ) {
        self.order.take(&self.workers.all, slots.len());
        events.with(self.order.workers(), began, ended, |found| {
            self.order.put_parts(found, touching, NOBODY, |found, ids, keys, to| {
                found.write(before, (ids, keys), to, slots.same, |pair| slots.pair(pair));
            });
        });
    }

    /// Finds the touching pairs. The boxes are packed.
    pub(crate) fn find(&mut self, view: View<'_>) {
        let lists = self.lists();
        let Self { moving, fixed, workers, .. } = self;
        let (workers, engines) = workers.ready(lists);
        moving.sweep_parts(workers, |worker, leaves, first, second| {
            worker.settle(view, engines, [leaves, leaves], first, second);
        });
        if fixed.len() > 0 {
            moving.cross_parts(fixed, workers, |worker, leaves, others, first, second| {
                worker.settle(view, engines, [leaves, others], first, second);
            });
        }
    }
}

/// Candidates as the kernels ask for them.
#[inline(always)]
fn asked<'l>(
    sides: [Leaves<'l, HotMask>; 2],
    (first, second): (&'l [u32], &'l [u32]),
) -> Positions<'l> {
    let sides = sides.map(|leaves| Columns::new(leaves.payload, leaves.x0, leaves.y0));
    Positions { first, second, sides }
}

impl Worker {
    /// Takes up candidates, as positions among `leaves`, and keeps those that touch.
    fn settle(
        &mut self,
        view: View<'_>,
        engines: &Engines,
        leaves: [Leaves<'_, HotMask>; 2],
        first: &[u32],
        second: &[u32],
    ) {
        let all_plain =
            view.accuracy == Accuracy::Exact && view.looks.all_plain() && view.looks.all_meet();
        // For a thousand pairs.
        engines.lend(Kit::new, |kit| {
            let Kit { engine, sifted, answers, areas } = kit;
            if all_plain {
                return self.plain((engine, answers), view, leaves, (first, second));
            }
            sifted.sift(view, leaves, (first, second));
            self.plain((engine, answers), view, leaves, sifted.plain.pairs());
            self.deep((engine, areas), view, leaves, sifted.deep.pairs());
            let slots = |(a, b)| [leaves[0].ids[a as usize], leaves[1].ids[b as usize]];
            let (first, second) = sifted.others.pairs();
            for [a, b] in first.iter().copied().zip(second.iter().copied()).map(slots) {
                if view.touch(a as usize, b as usize) {
                    self.found.push([a.min(b), a.max(b)]);
                }
            }
        });
    }

    /// The same for sprites that have to share some pixels.
    fn deep(
        &mut self,
        (engine, areas): (&mut Engine, &mut Vec<u64>),
        view: View<'_>,
        [leaves, others]: [Leaves<'_, HotMask>; 2],
        (first, second): (&[u32], &[u32]),
    ) {
        if first.is_empty() {
            return;
        }
        let areas = room::some(areas, first.len());
        engine.area(view.records.pool(), asked([leaves, others], (first, second)), areas);
        for ((&a, &b), &area) in first.iter().zip(second).zip(&*areas) {
            let (a, b) = (leaves.ids[a as usize], others.ids[b as usize]);
            if area >= view.least(a as usize, b as usize) {
                self.found.push([a.min(b), a.max(b)]);
            }
        }
    }

    /// The same for plain pairs: through the kernels that look for one pixel.
    fn plain(
        &mut self,
        (engine, answers): (&mut Engine, &mut Vec<bool>),
        view: View<'_>,
        [leaves, others]: [Leaves<'_, HotMask>; 2],
        (first, second): (&[u32], &[u32]),
    ) {
        let answers = room::some(answers, first.len());
        engine.touches(view.records.pool(), asked([leaves, others], (first, second)), answers);
        // Written whether it touches or not, and kept where it does: no branch to mispredict.
        let start = self.found.len();
        room::resize(&mut self.found, start + first.len(), [0; 2]);
        let found = &mut self.found[start..];
        let mut kept = 0;
        for ((&a, &b), &touches) in first.iter().zip(second).zip(&*answers) {
            let (a, b) = (leaves.ids[a as usize], others.ids[b as usize]);
            found[kept] = [a.min(b), a.max(b)];
            kept += usize::from(touches);
        }
        self.found.truncate(start + kept);
    }
}
