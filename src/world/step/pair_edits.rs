//! Edits of the ordered list of touching pairs: insertions and removals.
//!
//! ```text
//! few edits     move the runs between them within the list
//! many edits    copy the runs to another list, on several threads
//! ```
//!
//! Called by the pair finder. Invariant: the list stays in order.

use crate::memory::{parallel, vec_growth};
use crate::world::Pair;
use crate::world::step::edits_in_place::EditsInPlace;
use std::ops::Range;

/// Pairs that repay one more thread to copy them.
const PAIRS_PER_THREAD: usize = 60_000;

/// Pairs an edit above which runs are moved within the list. Shorter runs cost more to move than to
/// copy.
const FEW_EDITS: usize = 32;

/// Edits of a list of pairs. Kept between updates for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairEdits {
    /// The positions in the old list before which pairs are inserted.
    began_at: Vec<usize>,
    /// The positions in the old list of the pairs to remove.
    ended_at: Vec<usize>,
    in_place: EditsInPlace,
}

impl PairEdits {
    pub(crate) fn clear(&mut self) {
        self.began_at.clear();
        self.ended_at.clear();
    }

    /// Adds edits behind all others. Positions are those in the old list, and ascend.
    pub(crate) fn extend(&mut self, began_at: &[usize], ended_at: &[usize]) {
        self.began_at.extend_from_slice(began_at);
        self.ended_at.extend_from_slice(ended_at);
    }

    /// Applies the edits to `pairs`. `began` are the pairs to insert, in order. May exchange `pairs`
    /// with `spare`.
    pub(crate) fn apply(&mut self, pairs: &mut Vec<Pair>, began: &[Pair], spare: &mut Vec<Pair>) {
        self.apply_on(parallel::threads_for(pairs.len(), PAIRS_PER_THREAD), pairs, began, spare);
    }

    fn apply_on(
        &mut self,
        workers: usize,
        pairs: &mut Vec<Pair>,
        began: &[Pair],
        spare: &mut Vec<Pair>,
    ) {
        let Self { began_at, ended_at, in_place } = self;
        let edits = began_at.len() + ended_at.len();
        if edits == 0 {
            return;
        }
        if edits <= pairs.len() / FEW_EDITS {
            return in_place.apply(workers, pairs, (began_at, began), ended_at);
        }
        let blank = began.iter().chain(&*pairs).next().copied();
        let Some(blank) = blank else { return };
        vec_growth::resize(spare, pairs.len() + began.len() - ended_at.len(), blank);
        let whole = EditedRun { pairs: 0..pairs.len(), began_at, began, ended_at, to: spare };
        let none = &mut [(); parallel::MAX_THREADS][..workers];
        parallel::share(none, whole, &EditedRun::split, &|(), run| run.write(pairs));
        std::mem::swap(pairs, spare);
    }
}

/// A run of the old list, its edits, and the output.
struct EditedRun<'e> {
    /// The positions of the run in the old list.
    pairs: Range<usize>,
    /// The positions before which pairs are inserted.
    began_at: &'e [usize],
    began: &'e [Pair],
    /// The positions of the pairs to leave out.
    ended_at: &'e [usize],
    to: &'e mut [Pair],
}

impl EditedRun<'_> {
    /// Splits the run in proportion to the workers.
    fn split(self, left: &[()], right: &[()]) -> (Self, Self) {
        let Self { pairs, began_at, began, ended_at, to } = self;
        let middle = pairs.start + pairs.len() * left.len() / (left.len() + right.len());
        let (began_at, began_later) =
            began_at.split_at(began_at.partition_point(|&at| at < middle));
        let (began, later) = began.split_at(began_at.len());
        let (ended_at, ended_later) =
            ended_at.split_at(ended_at.partition_point(|&at| at < middle));
        let len = middle - pairs.start + began.len() - ended_at.len();
        let (to, rest) = to.split_at_mut(len);
        (
            EditedRun { pairs: pairs.start..middle, began_at, began, ended_at, to },
            EditedRun {
                pairs: middle..pairs.end,
                began_at: began_later,
                began: later,
                ended_at: ended_later,
                to: rest,
            },
        )
    }

    /// Writes the edited run.
    fn write(self, before: &[Pair]) {
        let Self { pairs, began_at, began, mut ended_at, to } = self;
        let mut output = RunCopy { before, from: pairs.start, to };
        for (&at, &pair) in began_at.iter().zip(began) {
            while let [ended, later @ ..] = ended_at
                && *ended < at
            {
                output.copy_to(*ended);
                output.from += 1;
                ended_at = later;
            }
            output.copy_to(at);
            output.push(pair);
        }
        for &ended in ended_at {
            output.copy_to(ended);
            output.from += 1;
        }
        output.copy_to(pairs.end);
    }
}

/// Copies the old list, run by run.
struct RunCopy<'e> {
    before: &'e [Pair],
    /// Position of the next pair to copy.
    from: usize,
    /// The rest of the output.
    to: &'e mut [Pair],
}

impl RunCopy<'_> {
    /// Copies the pairs up to the position `end`.
    fn copy_to(&mut self, end: usize) {
        let (run, rest) = std::mem::take(&mut self.to).split_at_mut(end - self.from);
        run.copy_from_slice(&self.before[self.from..end]);
        (self.from, self.to) = (end, rest);
    }

    /// Writes a pair that is not in the old list.
    fn push(&mut self, pair: Pair) {
        if let [first, rest @ ..] = std::mem::take(&mut self.to) {
            *first = pair;
            self.to = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ColliderId;
    use crate::world::step::events::key;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn edits_of_any_number_give_the_edited_set(
            before in prop::collection::btree_set(0_u32..600, 0..300),
            change in prop::collection::btree_set(0_u32..600, 0..60),
            few in 0_usize..4,
            workers in 1_usize..6,
        ) {
            let pair = |&b: &u32| Pair { a: ColliderId::new(0, 0), b: ColliderId::new(b + 1, 7) };
            // Some changes only, so that both ways are taken.
            let change: Vec<u32> = change.into_iter().take([1, 2, 5, 60][few]).collect();
            let began: Vec<Pair> = change.iter().filter(|b| !before.contains(b)).map(pair).collect();
            let mut pairs: Vec<Pair> = before.iter().map(pair).collect();
            let at = |b: &u32| pairs.partition_point(|other| key(other) < key(&pair(b)));
            let (mut edits, mut spare) = (PairEdits::default(), pairs.clone());
            for b in &change {
                if before.contains(b) {
                    edits.extend(&[], &[at(b)]);
                } else {
                    edits.extend(&[at(b)], &[]);
                }
            }
            let mut after: BTreeSet<u32> = before.clone();
            for b in change {
                if !after.remove(&b) {
                    after.insert(b);
                }
            }
            edits.apply_on(workers, &mut pairs, &began, &mut spare);
            prop_assert_eq!(pairs, after.iter().map(pair).collect::<Vec<_>>());
        }
    }
}
