//! What began and what ended between two updates: two ordered lists of pairs, held side by side,
//! a run of them by each worker.

use super::{Pair, room};
use crate::parallel;

/// Workers that compare at most.
const MOST: usize = 16;

/// Pairs of both sides from which several workers compare: fewer are compared in little more time
/// than it takes to wake one.
const SPREAD: usize = 60_000;

/// What each worker but the first found. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events(Vec<Found>);

#[derive(Clone, Debug, Default)]
struct Found {
    began: Vec<Pair>,
    ended: Vec<Pair>,
}

/// Pairs of the update before, and of this one: runs with the same keys.
type Sides<'p> = (&'p [Pair], &'p [Pair]);

impl Events {
    /// Writes down which pairs of `now` are not in `before`, and the other way round. Both are in
    /// order, as [`World::touching`](super::World::touching) says, and so are the answers.
    pub(crate) fn compare(
        &mut self,
        before: &[Pair],
        now: &[Pair],
        began: &mut Vec<Pair>,
        ended: &mut Vec<Pair>,
    ) {
        let many = before.len() + now.len() >= SPREAD;
        let workers = if many { parallel::threads().min(MOST) } else { 1 };
        self.compare_on(workers, (before, now), began, ended);
    }

    fn compare_on(
        &mut self,
        workers: usize,
        sides: Sides<'_>,
        began: &mut Vec<Pair>,
        ended: &mut Vec<Pair>,
    ) {
        if self.0.len() < workers {
            self.0.resize_with(workers, Found::default);
        }
        let found = &mut self.0[..workers];
        // The first writes where the answer goes.
        std::mem::swap(&mut found[0].began, began);
        std::mem::swap(&mut found[0].ended, ended);
        parallel::share(found, sides, &split, &|found, sides| found.compare(sides));
        std::mem::swap(&mut found[0].began, began);
        std::mem::swap(&mut found[0].ended, ended);
        for Found { began: more, ended: less } in &found[1..] {
            began.extend_from_slice(more);
            ended.extend_from_slice(less);
        }
    }
}

/// Two runs of both sides, all keys of the first below those of the second.
fn split<'p>((before, now): Sides<'p>, left: &[Found], right: &[Found]) -> (Sides<'p>, Sides<'p>) {
    // Cut by the longer side: the other may be empty.
    let (long, short) = if before.len() > now.len() { (before, now) } else { (now, before) };
    let (long, later) = long.split_at(long.len() * left.len() / (left.len() + right.len()));
    let border = later.first().map_or(u64::MAX, key);
    let (short, later_short) = short.split_at(short.partition_point(|pair| key(pair) < border));
    if before.len() > now.len() {
        ((long, short), (later, later_short))
    } else {
        ((short, long), (later_short, later))
    }
}

impl Found {
    fn compare(&mut self, (before, now): Sides<'_>) {
        let Self { began, ended } = self;
        began.clear();
        ended.clear();
        let (mut b, mut n) = (0, 0);
        loop {
            // Most stay from one update to the next: side by side for as long as they are alike.
            let sides = before[b..].iter().zip(&now[n..]);
            let alike = sides.take_while(|(old, young)| old == young).count();
            (b, n) = (b + alike, n + alike);
            let (Some(&old), Some(&young)) = (before.get(b), now.get(n)) else { break };
            let (old_key, young_key) = (key(&old), key(&young));
            // Equal slots hold another collider by now: then one pair ended and another began.
            if old_key <= young_key {
                room::push(ended, old);
                b += 1;
            }
            if young_key <= old_key {
                room::push(began, young);
                n += 1;
            }
        }
        before[b..].iter().for_each(|&old| room::push(ended, old));
        now[n..].iter().for_each(|&young| room::push(began, young));
    }
}

/// Those of `now` that did not begin: `began` is in the same order.
pub(crate) fn stayed<'a>(now: &'a [Pair], began: &'a [Pair]) -> impl Iterator<Item = &'a Pair> {
    let mut began = began.iter().peekable();
    now.iter().filter(move |pair| began.next_if_eq(pair).is_none())
}

/// By which pairs are ordered: there is one pair of the same slots at a time.
#[inline(always)]
fn key(pair: &Pair) -> u64 {
    u64::from(pair.a.index()) << 32 | u64::from(pair.b.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ColliderId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pairs(of: &BTreeMap<(u32, u32), (u32, u32)>) -> Vec<Pair> {
        of.iter()
            .map(|(&(a, b), &(first, second))| Pair {
                a: ColliderId::new(a, first),
                b: ColliderId::new(b, second),
            })
            .collect()
    }

    proptest! {
        #[test]
        fn began_and_ended_are_the_differences_of_two_sets(
            before in prop::collection::btree_map((0_u32..20, 20_u32..60), (0_u32..2, 0_u32..2), 0..400),
            now in prop::collection::btree_map((0_u32..20, 20_u32..60), (0_u32..2, 0_u32..2), 0..400),
            workers in 1_usize..6,
        ) {
            let (before, now) = (pairs(&before), pairs(&now));
            let without = |a: &[Pair], b: &[Pair]| -> Vec<Pair> {
                a.iter().filter(|pair| !b.contains(pair)).copied().collect()
            };
            let (mut began, mut ended) = (vec![now.first().copied(); 1].into_iter().flatten().collect(), Vec::new());
            Events::default().compare_on(workers, (&before, &now), &mut began, &mut ended);
            prop_assert_eq!(&began, &without(&now, &before));
            prop_assert_eq!(&ended, &without(&before, &now));
            let kept: Vec<Pair> = stayed(&now, &began).copied().collect();
            prop_assert_eq!(kept, without(&now, &began));
        }
    }
}
