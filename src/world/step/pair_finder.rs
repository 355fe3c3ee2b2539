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

use crate::broad::{Leaves, Order, Parted, Tree, ids_of, keys_of_pairs};
use crate::mask::MaskDescriptor;
use crate::memory::object_pool::Lent;
use crate::memory::{parallel, vec_growth};
use crate::narrow::Accuracy;
use crate::narrow::batch::{Columns, Engine, Positions};
use crate::simd::Simd;
use crate::world::state::appearance::Rule;
use crate::world::state::placement::PlacedMask;
use crate::world::state::slots::Slots;
use crate::world::state::view::WorldView;
use crate::world::step::events::{Events, Owners};
use crate::world::{ColliderId, Pair};

const NOBODY: Pair = Pair { a: ColliderId::new(0, 0), b: ColliderId::new(0, 0) };

/// Finds the touching pairs. Kept between updates, for its memory and for the index that queries
/// ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairFinder {
    pub(crate) moving: Tree<PlacedMask>,
    pub(crate) fixed: Tree<PlacedMask>,
    /// True where the index of fixed colliders holds what there is.
    fixed_is_good: bool,
    order: Order,
    engines: Engines,
    /// For updates part after part alone: empty in a world that has none.
    listed: Vec<Listed>,
}

/// Candidates of one worker: within the index of what moves, and across to what is fixed.
#[derive(Clone, Debug, Default)]
struct Listed {
    within: List,
    across: List,
}

/// Candidates, by their positions in tree order.
#[derive(Clone, Debug, Default)]
struct List {
    first: Vec<u32>,
    second: Vec<u32>,
}

impl List {
    fn clear(&mut self) {
        self.first.clear();
        self.second.clear();
    }

    fn add(&mut self, first: &[u32], second: &[u32]) {
        self.first.extend_from_slice(first);
        self.second.extend_from_slice(second);
    }

    const fn len(&self) -> usize {
        self.first.len()
    }

    /// As many at a time as the sweep hands on.
    fn chunks(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        self.first.chunks(1024).zip(self.second.chunks(1024))
    }
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

impl PairFinder {
    /// A fixed collider came, went or changed.
    pub(crate) fn mark_fixed_dirty(&mut self) {
        self.fixed_is_good = false;
    }

    /// Packs the boxes anew.
    pub(crate) fn pack(&mut self, view: WorldView<'_>) {
        let slots = view.slots;
        if !self.fixed_is_good {
            let boxes = slots.fixed.iter().map(|(&slot, &placed)| (slot, placed));
            self.fixed.pack_some(boxes);
            self.fixed_is_good = true;
        }
        self.moving.pack(&slots.moving);
    }

    /// Lists the candidates, for those who want to know what takes how long: each worker keeps those
    /// of its own. Gives how many there are. The boxes are packed.
    pub(crate) fn list(&mut self) -> usize {
        let wanted = self.lists();
        let Self { moving, fixed, listed, .. } = self;
        listed.resize_with(wanted, Listed::default);
        for Listed { within, across } in &mut *listed {
            within.clear();
            across.clear();
        }
        moving.sweep_parts(listed, |list, _, first, second| list.within.add(first, second));
        if fixed.len() > 0 {
            moving.cross_parts(fixed, listed, |list, _, _, first, second| {
                list.across.add(first, second);
            });
        }
        listed.iter().map(|list| list.within.len() + list.across.len()).sum()
    }

    /// How many lists of candidates there are.
    fn lists(&self) -> usize {
        self.moving.workers().min(2 * parallel::threads())
    }

    /// Settles listed candidates.
    pub(crate) fn settle(&mut self, view: WorldView<'_>) {
        let Self { moving, fixed, order, engines, listed, .. } = self;
        let (leaves, others) = (moving.leaves(), fixed.leaves());
        let settling = Settling { view, engines };
        parallel::share(
            order.begin(listed.len(), view.slots.len()),
            &listed[..],
            &|lists, left, _| <[Listed]>::split_at(lists, left.len()),
            &|found, lists: &[Listed]| {
                for list in lists {
                    for (first, second) in list.within.chunks() {
                        settling.settle(found, [leaves, leaves], (first, second));
                    }
                    for (first, second) in list.across.chunks() {
                        settling.settle(found, [leaves, others], (first, second));
                    }
                }
            },
        );
        order.end();
    }

    /// Puts what the workers found in order, as ids, into `touching`: the lower slot first,
    /// ascending.
    pub(crate) fn order(&mut self, slots: &Slots, touching: &mut Vec<Pair>) {
        self.order.put(touching, NOBODY, |pair| slots.pair(pair));
    }

    /// The same, and what began and ended since `before`.
    pub(crate) fn order_and_compare(
        &mut self,
        slots: &Slots,
        [before, touching, began, ended]: [&mut Vec<Pair>; 4],
        events: &mut Events,
    ) {
        events.with(self.order.workers(), began, ended, |found| {
            self.order.put_parts(found, touching, NOBODY, |found, ids, keys, to| {
                found.write(before, (ids, keys), to, slots);
            });
        });
    }

    /// Finds the touching pairs. The boxes are packed.
    pub(crate) fn find(&mut self, view: WorldView<'_>) {
        let lists = self.lists();
        let Self { moving, fixed, order, engines, .. } = self;
        let settling = Settling { view, engines };
        let workers = order.begin(lists, view.slots.len());
        moving.sweep_parts(workers, |found, leaves, first, second| {
            settling.settle(found, [leaves, leaves], (first, second));
        });
        if fixed.len() > 0 {
            moving.cross_parts(fixed, workers, |found, leaves, others, first, second| {
                settling.settle(found, [leaves, others], (first, second));
            });
        }
        order.end();
    }
}

/// Settles candidates.
#[derive(Clone, Copy)]
struct Settling<'s> {
    view: WorldView<'s>,
    engines: &'s Engines,
}

impl Settling<'_> {
    /// Takes up candidates, as positions among `sides`, and puts those that touch to what was found,
    /// as slots.
    fn settle(
        &self,
        found: &mut Parted,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        asked: (&[u32], &[u32]),
    ) {
        let view = self.view;
        let all_plain = view.accuracy == Accuracy::Exact
            && view.appearances.all_plain()
            && view.appearances.all_meet();
        // For a thousand pairs.
        self.engines.lend(Kit::new, |kit| {
            let Kit { engine, sifted, answers, areas } = kit;
            if all_plain {
                return self.plain((engine, answers), found, sides, asked);
            }
            sifted.sift(view, sides, asked);
            self.plain((engine, answers), found, sides, sifted.plain.pairs());
            self.deep((engine, areas), found, sides, sifted.deep.pairs());
            for key in keys_of_pairs(sides, sifted.others.pairs()) {
                let [a, b] = ids_of(key).map(|slot| slot as usize);
                if view.touch(a, b) {
                    found.push(key);
                }
            }
        });
    }

    /// The same for sprites that have to share some pixels.
    fn deep(
        &self,
        (engine, areas): (&mut Engine, &mut Vec<u64>),
        found: &mut Parted,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        asked: (&[u32], &[u32]),
    ) {
        if asked.0.is_empty() {
            return;
        }
        let view = self.view;
        let areas = vec_growth::some(areas, asked.0.len());
        engine.area(view.atlas.pool(), positions(sides, asked), areas);
        found.extend(keys_of_pairs(sides, asked).zip(&*areas).map(|(key, &area)| {
            let [a, b] = ids_of(key).map(|slot| slot as usize);
            (key, area >= view.min_overlap(a, b))
        }));
    }

    /// The same for plain pairs: through the kernels that look for one pixel.
    fn plain(
        &self,
        (engine, answers): (&mut Engine, &mut Vec<bool>),
        found: &mut Parted,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        asked: (&[u32], &[u32]),
    ) {
        let answers = vec_growth::some(answers, asked.0.len());
        engine.touches(self.view.atlas.pool(), positions(sides, asked), answers);
        found.extend(keys_of_pairs(sides, asked).zip(answers.iter().copied()));
    }
}

/// Candidates as the kernels ask for them.
#[inline(always)]
fn positions<'l>(
    sides: [Leaves<'l, MaskDescriptor>; 2],
    (first, second): (&'l [u32], &'l [u32]),
) -> Positions<'l> {
    let sides = sides.map(|leaves| Columns { masks: leaves.payload, x: leaves.x0, y: leaves.y0 });
    Positions { first, second, sides }
}

/// Pairs of positions in tree order.
#[derive(Default)]
pub(crate) struct Kind {
    first: Vec<u32>,
    second: Vec<u32>,
    len: usize,
}

impl Kind {
    /// Begins anew, with room for that many.
    fn refill(&mut self, room: usize) -> Refill<'_> {
        let Self { first, second, len } = self;
        let (first, second) = (vec_growth::some(first, room), vec_growth::some(second, room));
        Refill { first, second, len, kept: 0 }
    }

    pub(crate) fn pairs(&self) -> (&[u32], &[u32]) {
        (&self.first[..self.len], &self.second[..self.len])
    }
}

/// Pairs of a kind as they come, their number in a register of its own.
struct Refill<'k> {
    first: &'k mut [u32],
    second: &'k mut [u32],
    len: &'k mut usize,
    kept: usize,
}

impl Refill<'_> {
    /// Writes a pair, and keeps it if told so.
    #[inline(always)]
    fn push_if(&mut self, a: u32, b: u32, keep: bool) {
        self.first[self.kept] = a;
        self.second[self.kept] = b;
        self.kept += usize::from(keep);
    }

    fn finish(self) {
        *self.len = self.kept;
    }
}

/// Kept from one thousand pairs to the next, for its memory.
#[derive(Default)]
pub(crate) struct Sifted {
    pub(crate) plain: Kind,
    pub(crate) deep: Kind,
    pub(crate) others: Kind,
}

impl Sifted {
    /// Sorts pairs, as positions among `leaves`.
    pub(crate) fn sift(
        &mut self,
        view: WorldView<'_>,
        [leaves, others]: [Leaves<'_, MaskDescriptor>; 2],
        (first, second): (&[u32], &[u32]),
    ) {
        // One more, that is written and never kept.
        let room = first.len() + 1;
        let (mut plain, mut deep, mut rest) =
            (self.plain.refill(room), self.deep.refill(room), self.others.refill(room));
        let (rules, appearances) = (view.appearances.rules(), &view.slots.appearances[..]);
        let all = if view.accuracy == Accuracy::Exact { Rule::PLAIN | Rule::DEEP } else { 0 };
        let of = |a: u32, b: u32| {
            let slots = [leaves.ids[a as usize], others.ids[b as usize]];
            slots.map(|slot| rules[appearances[slot as usize] as usize])
        };
        let asked = first.iter().zip(second);
        if all != 0 && view.appearances.all_plain() {
            // Layers alone: the other lists stay empty.
            for (&a, &b) in asked {
                let [rule, other] = of(a, b);
                plain.push_if(a, b, rule.can_collide(other));
            }
        } else {
            for (&a, &b) in asked {
                let [rule, other] = of(a, b);
                let (can_collide, kernels) =
                    (rule.can_collide(other), rule.kernels & other.kernels & all);
                let (is_plain, is_deep) = (kernels & Rule::PLAIN != 0, kernels & Rule::DEEP != 0);
                plain.push_if(a, b, can_collide & is_plain);
                deep.push_if(a, b, can_collide & is_deep & !is_plain);
                rest.push_if(a, b, can_collide & !is_deep);
            }
        }
        plain.finish();
        deep.finish();
        rest.finish();
    }
}
