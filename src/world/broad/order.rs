//! Pairs in the order in which they leave: by the smaller id, then by the greater.
//!
//! A counting sort by the smaller id, since ids are small and dense, which a comparing sort does not
//! know; then the few pairs that share one are put in order where they lie. Where many share one,
//! two counting sorts, by the greater id and then by the smaller, take less.
//!
//! ```text
//! each worker counts its part of the pairs, id by id
//! where each goes: after those of smaller ids, and of its own id after those of workers before
//! each worker writes its part there
//! each worker orders a part of what was written, in which no id is cut in two
//! ```
//!
//! No two workers write to one place, but their places lie between each other: so they are
//! atomics, loaded and stored without any order, which costs what plain numbers cost.

use crate::parallel;
use crate::world::room;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Workers that a list is ordered by at most: each has a counter for every id.
const MOST: usize = 4;

/// Pairs from which several workers order them: at a tenth of a million two take as long as one.
const SPREAD: usize = 200_000;

/// Pairs an id from which they are sorted by counting twice.
const DENSE: usize = 2;

/// A pair that any worker may write.
#[derive(Default)]
pub(crate) struct Place([AtomicU32; 2]);

impl Place {
    #[inline(always)]
    fn set(&self, [a, b]: [u32; 2]) {
        self.0[0].store(a, Relaxed);
        self.0[1].store(b, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> [u32; 2] {
        [self.0[0].load(Relaxed), self.0[1].load(Relaxed)]
    }

    /// Ascends as pairs do.
    #[inline(always)]
    fn key(&self) -> u64 {
        let [a, b] = self.get();
        u64::from(a) << 32 | u64::from(b)
    }
}

/// Orders pairs, and keeps them. A clone starts without, and makes its own.
#[derive(Default)]
pub(crate) struct Order {
    /// For each worker how many pairs each id has, and then where the next of them goes.
    counters: Vec<Vec<u32>>,
    /// In order of the greater id, where there are very many.
    half: Vec<Place>,
    ordered: Vec<Place>,
}

impl Clone for Order {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pairs", self.ordered.len())
    }
}

impl Order {
    /// Takes up the pairs of `parts`. In each the smaller id comes first; all are below `ids`.
    pub(crate) fn by_ids<P: AsRef<[[u32; 2]]> + Sync>(&mut self, parts: &[P], ids: usize) {
        let pairs: usize = parts.iter().map(|part| part.as_ref().len()).sum();
        let workers = if pairs < SPREAD { 1 } else { parallel::threads().min(MOST) };
        self.by_ids_on(workers, parts, ids);
    }

    pub(super) fn by_ids_on<P: AsRef<[[u32; 2]]> + Sync>(
        &mut self,
        workers: usize,
        parts: &[P],
        ids: usize,
    ) {
        let Self { counters, half, ordered } = self;
        let pairs = parts.iter().map(|part| part.as_ref().len()).sum();
        room::make(ordered, pairs);
        ordered.resize_with(pairs, Place::default);
        if u32::try_from(pairs).is_err() {
            // More than can be counted in 32 bits: rare, and slow anyhow.
            let mut all: Vec<_> = parts.iter().flat_map(AsRef::as_ref).copied().collect();
            all.sort_unstable();
            return ordered.iter().zip(all).for_each(|(place, pair)| place.set(pair));
        }
        if counters.len() < workers {
            counters.resize_with(workers, Vec::new);
        }
        let counters = &mut counters[..workers];
        if pairs / DENSE >= ids {
            room::make(half, pairs);
            half.resize_with(pairs, Place::default);
            counting_sort(counters, Pairs::Parts(parts), half, ids, 1);
            return counting_sort(counters, Pairs::<P>::Places(half), ordered, ids, 0);
        }
        counting_sort(counters, Pairs::Parts(parts), ordered, ids, 0);
        parallel::share(counters, &mut ordered[..], &split, &|_, places| by_greater(places));
    }

    /// The pairs, in order.
    pub(crate) fn ordered(&self) -> &[Place] {
        &self.ordered
    }

    /// Puts `pairs` in order of ids, likewise.
    pub(super) fn sort(&mut self, ids: usize, pairs: &mut [[u32; 2]]) {
        self.by_ids(&[&*pairs], ids);
        pairs.iter_mut().zip(&self.ordered).for_each(|(pair, place)| *pair = place.get());
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        let counters: usize = self.counters.iter().map(Vec::capacity).sum();
        4 * counters + 8 * (self.half.capacity() + self.ordered.capacity())
    }
}

/// Pairs to be ordered.
enum Pairs<'p, P> {
    Parts(&'p [P]),
    Places(&'p [Place]),
}

impl<P> Clone for Pairs<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Pairs<'_, P> {}

impl<P: AsRef<[[u32; 2]]>> Pairs<'_, P> {
    /// A part for some workers, and one for the others, in order.
    fn split(self, left: &[Vec<u32>], right: &[Vec<u32>]) -> (Self, Self) {
        let cut = |len: usize| len * left.len() / (left.len() + right.len());
        match self {
            Self::Parts(parts) => {
                let (these, others) = parts.split_at(cut(parts.len()));
                (Self::Parts(these), Self::Parts(others))
            }
            Self::Places(places) => {
                let (these, others) = places.split_at(cut(places.len()));
                (Self::Places(these), Self::Places(others))
            }
        }
    }

    #[inline(always)]
    fn each(self, mut visit: impl FnMut([u32; 2])) {
        match self {
            Self::Parts(parts) => {
                parts.iter().for_each(|part| part.as_ref().iter().for_each(|&pair| visit(pair)));
            }
            Self::Places(places) => places.iter().for_each(|place| visit(place.get())),
        }
    }
}

/// Stably sorts what is in `from` into `to`, of the same length, by one of its ids.
fn counting_sort<P: AsRef<[[u32; 2]]> + Sync>(
    counters: &mut [Vec<u32>],
    from: Pairs<'_, P>,
    to: &[Place],
    ids: usize,
    by: usize,
) {
    parallel::share(counters, from, &Pairs::split, &|counts: &mut Vec<u32>, from| {
        counts.clear();
        room::resize(counts, ids, 0);
        let counts = &mut counts[..];
        from.each(|pair| counts[pair[by] as usize] += 1);
    });
    begin(counters, ids);
    parallel::share(counters, from, &Pairs::split, &|next: &mut Vec<u32>, from| {
        let next = &mut next[..];
        from.each(|pair| {
            let next = &mut next[pair[by] as usize];
            to[*next as usize].set(pair);
            *next += 1;
        });
    });
}

/// Pairs in order of the smaller id for some workers, and for others: none of one id for both.
fn split<'p>(
    places: &'p mut [Place],
    left: &[Vec<u32>],
    right: &[Vec<u32>],
) -> (&'p mut [Place], &'p mut [Place]) {
    let cut = places.len() * left.len() / (left.len() + right.len());
    let id = |place: &Place| place.get()[0];
    let cut = match places.get(cut).map(id) {
        Some(last) => cut + places[cut..].partition_point(|place| id(place) == last),
        None => cut,
    };
    places.split_at_mut(cut)
}

/// Places that a pair is moved over, one by one, at most.
const FEW: usize = 16;

/// Puts pairs that are in order of the smaller id in order of the greater one too.
fn by_greater(places: &mut [Place]) {
    let (mut i, mut greatest) = (0, 0);
    while i < places.len() {
        let (pair, key) = (places[i].get(), places[i].key());
        if key >= greatest {
            (i, greatest) = (i + 1, key);
            continue;
        }
        let mut at = i;
        while at > 0 && i - at < FEW && places[at - 1].key() > key {
            places[at].set(places[at - 1].get());
            at -= 1;
        }
        places[at].set(pair);
        i += 1;
        if i - at > FEW {
            // An id of very many pairs: in the middle of all others it may have any number.
            let start = places[..i].partition_point(|place| place.get()[0] < pair[0]);
            i += places[i..].partition_point(|place| place.get()[0] == pair[0]);
            places[start..i].sort_unstable_by_key(Place::key);
            greatest = places[i - 1].key();
        }
    }
}

/// Some ids, and the counters that all workers have of them.
#[derive(Default)]
struct Span<'c> {
    counters: [&'c mut [u32]; MOST],
    /// Pairs of these ids; then where the first goes.
    pairs: u32,
}

/// From how many pairs each worker has of each id to where the first of them goes.
fn begin(counters: &mut [Vec<u32>], ids: usize) {
    let workers = counters.len();
    let mut spans: [Span<'_>; MOST] = Default::default();
    let spans = &mut spans[..workers];
    for (worker, counters) in counters.iter_mut().enumerate() {
        let mut rest = &mut counters[..ids];
        for (i, span) in spans.iter_mut().enumerate() {
            let len = ids * (i + 1) / workers - ids * i / workers;
            (span.counters[worker], rest) = rest.split_at_mut(len);
        }
    }
    parallel::each(spans, &|span| {
        span.pairs = span.counters.iter().flat_map(|counts| counts.iter()).sum();
    });
    let mut start = 0;
    for span in &mut *spans {
        start += std::mem::replace(&mut span.pairs, start);
    }
    parallel::each(spans, &|span| {
        let mut start = span.pairs;
        for id in 0..span.counters[0].len() {
            for counters in &mut span.counters[..workers] {
                start += std::mem::replace(&mut counters[id], start);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_come_in_the_order_of_a_plain_sort(
            pairs in prop::collection::vec((0_u32..14, 14_u32..90), 0..400),
            part in 1_usize..50,
            workers in 1_usize..=MOST,
        ) {
            let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            let mut truth = pairs.clone();
            truth.sort_unstable();
            let parts: Vec<&[[u32; 2]]> = pairs.chunks(part).collect();
            let mut order = Order::default();
            // Memory of another time is no matter. Few pairs to an id, and many.
            for ids in [200, 90, 4000] {
                order.by_ids_on(workers, &parts, ids);
                let ordered: Vec<_> = order.ordered().iter().map(Place::get).collect();
                prop_assert_eq!(&ordered, &truth);
            }
        }
    }
}
