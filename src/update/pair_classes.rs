//! Sorts candidate pairs by the test that they need, and drops pairs of one owner or of two fixed
//! colliders.
//!
//! Invariant: pairs keep their order within a list.

use crate::broad::Leaves;
use crate::mask::MaskDescriptor;
use crate::memory::vec_growth;
use crate::scene::PairBits;
use crate::scene::SceneView;
use crate::scene::slots::Slots;

#[derive(Default)]
pub(crate) struct PositionPairs {
    first: Vec<u32>,
    second: Vec<u32>,
    len: usize,
}

impl PositionPairs {
    /// Replaces the pairs by those of `pairs` that `filter` does not drop.
    pub(crate) fn keep_apart(
        &mut self,
        slots: &Slots,
        [leaves, others]: [Leaves<'_, MaskDescriptor>; 2],
        (first, second): (&[u32], &[u32]),
        filter: PairFilter,
    ) {
        // Room for one more, which is written but never kept.
        let mut kept = self.start_writing(first.len() + 1);
        for (&a, &b) in first.iter().zip(second) {
            let [one, other] = [leaves.ids[a as usize] as usize, others.ids[b as usize] as usize];
            let share_owner = filter.owners && slots.share_owner(one, other);
            // Both have a box, which is stored elsewhere for fixed colliders.
            let are_fixed =
                filter.fixed && slots.moving[one].is_empty() && slots.moving[other].is_empty();
            kept.push_if(a, b, !(share_owner | are_fixed));
        }
        kept.finish();
    }

    /// Clears the pairs and reserves `room` of them.
    fn start_writing(&mut self, room: usize) -> PairWriter<'_> {
        let Self { first, second, len } = self;
        let (first, second) =
            (vec_growth::resized_prefix(first, room), vec_growth::resized_prefix(second, room));
        PairWriter { first, second, len, count: 0 }
    }

    pub(crate) fn pairs(&self) -> (&[u32], &[u32]) {
        (&self.first[..self.len], &self.second[..self.len])
    }
}

#[derive(Clone, Copy)]
pub(crate) struct PairFilter {
    pub(crate) owners: bool,
    /// Drops pairs of two fixed colliders.
    pub(crate) fixed: bool,
}

/// Appends pairs to [`PositionPairs`], with the count in a register.
struct PairWriter<'k> {
    first: &'k mut [u32],
    second: &'k mut [u32],
    len: &'k mut usize,
    count: usize,
}

impl PairWriter<'_> {
    /// Writes a pair, and keeps it if `keep`. No branch depends on `keep`.
    #[inline(always)]
    fn push_if(&mut self, a: u32, b: u32, keep: bool) {
        self.first[self.count] = a;
        self.second[self.count] = b;
        self.count += usize::from(keep);
    }

    fn finish(self) {
        *self.len = self.count;
    }
}

/// Candidates by the test that they need. Kept between batches for their memory.
#[derive(Default)]
pub(crate) struct PairClasses {
    pub(crate) touch: PositionPairs,
    pub(crate) area: PositionPairs,
    pub(crate) coarse: PositionPairs,
    pub(crate) others: PositionPairs,
}

impl PairClasses {
    /// Distributes pairs, given as positions in `leaves` and `others`, to their tests.
    pub(crate) fn classify(
        &mut self,
        view: SceneView<'_>,
        [leaves, others]: [Leaves<'_, MaskDescriptor>; 2],
        (first, second): (&[u32], &[u32]),
    ) {
        // Room for one more, which is written but never kept.
        let room = first.len() + 1;
        let (mut touch, mut area, mut coarse, mut rest) = (
            self.touch.start_writing(room),
            self.area.start_writing(room),
            self.coarse.start_writing(room),
            self.others.start_writing(room),
        );
        let (rules, appearances) = (view.appearances.bits(), &view.slots.appearances[..]);
        let enabled_kernels = PairBits::kernels_at(view.accuracy);
        let common_kernels = view.appearances.common_kernels() & enabled_kernels;
        let rules_of = |a: u32, b: u32| {
            let slots = [leaves.ids[a as usize], others.ids[b as usize]];
            slots.map(|slot| rules[appearances[slot as usize] as usize])
        };
        let pairs = first.iter().zip(second);
        if common_kernels & PairBits::TOUCH != 0 {
            // Only layers matter: the other lists stay empty.
            for (&a, &b) in pairs {
                let [rule, other] = rules_of(a, b);
                touch.push_if(a, b, rule.can_collide(other));
            }
        } else {
            for (&a, &b) in pairs {
                let [rule, other] = rules_of(a, b);
                let (can_collide, kernels) =
                    (rule.can_collide(other), rule.kernels & other.kernels & enabled_kernels);
                let (uses_touch, uses_area) =
                    (kernels & PairBits::TOUCH != 0, kernels & PairBits::AREA != 0);
                let uses_coarse = PairBits::is_coarse(kernels);
                touch.push_if(a, b, can_collide & uses_touch);
                area.push_if(a, b, can_collide & uses_area & !uses_touch);
                coarse.push_if(a, b, can_collide & uses_coarse);
                rest.push_if(a, b, can_collide & !uses_area & !uses_coarse);
            }
        }
        touch.finish();
        area.finish();
        coarse.finish();
        rest.finish();
    }
}
