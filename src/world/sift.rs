//! Candidates sorted by who settles them, where looks have rules of their own.
//!
//! ```text
//! for each pair: may its layers meet?  ->  plain   the kernels, one pixel is enough
//!                                          deep    the kernels that count pixels
//!                                          others  one by one: boxes, masks made at run time
//! ```
//!
//! Without a branch: who may meet whom is as good as random, and a mispredicted branch takes longer
//! than all else that is done here for a pair.
//!
//! Called by whoever settles candidates.

use super::broad::Leaves;
use super::look::Rule;
use super::room;
use super::settle::View;
use crate::mask::MaskDescriptor;
use crate::narrow::Accuracy;

/// Pairs of positions in tree order.
#[derive(Default)]
pub(super) struct Kind {
    first: Vec<u32>,
    second: Vec<u32>,
    len: usize,
}

impl Kind {
    /// Begins anew, with room for that many.
    fn refill(&mut self, room: usize) -> Refill<'_> {
        let Self { first, second, len } = self;
        let (first, second) = (room::some(first, room), room::some(second, room));
        Refill { first, second, len, kept: 0 }
    }

    pub(super) fn pairs(&self) -> (&[u32], &[u32]) {
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
pub(super) struct Sifted {
    pub(super) plain: Kind,
    pub(super) deep: Kind,
    pub(super) others: Kind,
}

impl Sifted {
    /// Sorts pairs, as positions among `leaves`.
    pub(super) fn sift(
        &mut self,
        view: View<'_>,
        [leaves, others]: [Leaves<'_, MaskDescriptor>; 2],
        (first, second): (&[u32], &[u32]),
    ) {
        // One more, that is written and never kept.
        let room = first.len() + 1;
        let (mut plain, mut deep, mut rest) =
            (self.plain.refill(room), self.deep.refill(room), self.others.refill(room));
        let (rules, looks) = (view.looks.rules(), &view.slots.looks[..]);
        let all = if view.accuracy == Accuracy::Exact { Rule::PLAIN | Rule::DEEP } else { 0 };
        let of = |a: u32, b: u32| {
            let slots = [leaves.ids[a as usize], others.ids[b as usize]];
            slots.map(|slot| rules[looks[slot as usize] as usize])
        };
        let asked = first.iter().zip(second);
        if all != 0 && view.looks.all_plain() {
            // Layers alone: the other lists stay empty.
            for (&a, &b) in asked {
                let [rule, other] = of(a, b);
                plain.push_if(a, b, rule.meets(other));
            }
        } else {
            for (&a, &b) in asked {
                let [rule, other] = of(a, b);
                let (meets, kernels) = (rule.meets(other), rule.kernels & other.kernels & all);
                let (is_plain, is_deep) = (kernels & Rule::PLAIN != 0, kernels & Rule::DEEP != 0);
                plain.push_if(a, b, meets & is_plain);
                deep.push_if(a, b, meets & is_deep & !is_plain);
                rest.push_if(a, b, meets & !is_deep);
            }
        }
        plain.finish();
        deep.finish();
        rest.finish();
    }
}
