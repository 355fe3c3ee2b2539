//! Where queries find each collider whose box changed since the last update.
//!
//! Few changes are tested one by one. The first query that meets more of them gives each slot a home:
//! the base, or one of a few runs. The base is the index of the last update. If very many boxes have
//! changed, it is packed from all boxes.
//!
//! ```text
//! the first query that meets many changes     all changed slots form a run, but for those of the first
//!                                             changes that are near: they stay at home
//! a box then moves by little                  the slot stays at home; searches there grow by the largest such drift
//! a box then moves far                        the slot joins the last run
//! a query meets a long run                    packs it
//! a box joins after that                      opens a run; runs of similar lengths become one
//! ```
//!
//! So a call between updates costs what is near it, and a far motion about log(n) packed boxes. A
//! tree takes the boxes of the time of packing, so motions before that cost nothing. Changes that no
//! query follows cost nothing either.
//!
//! Written by `changes` alone, read by every query. Invariants: a slot with a pixel is in the
//! tree of its home exactly once, with a box at most the slot's drift away. Other entries of the
//! slot are ignored. A slot that is not in the dirty set is at home in the base, without a drift.

use crate::broad::{Item, Tree};
use crate::geom::Rect;
use crate::memory::clone_fields::clone_fields;
use crate::memory::object_pool::ObjectPool;
use crate::memory::vec_growth;
use crate::scene::changes::dirty_set::{ChangeList, DirtySet};
use crate::scene::placement::PlacedMask;
use std::sync::OnceLock;

/// Home of the slots that are in the base.
const BASE: u8 = 0;
/// Home of slots that lost their pixels after their tree was packed: they are in no tree.
const NOWHERE: u8 = u8::MAX;

/// Slots that are tested one by one. Searching a tree takes as long as testing so many.
const MAX_LISTED: usize = 48;

/// Least and greatest drift, in pixels, that leaves a slot at home. Larger values grow all searches,
/// smaller ones pack more boxes.
const DRIFTS_PX: [u8; 2] = [2, 16];

/// Far motions after which the limit of drifts doubles: a few fast colliders do not grow the searches of
/// all.
const FAR_PER_LIMIT: u32 = 64;

/// Homes that are added to the list at once.
const HOMES_ADDED: usize = 1024;

/// A tree of placed masks, by slot. It is packed by one thread, because a thread that waits for others
/// might run a query that waits for this very tree.
type SlotTree = Tree<PlacedMask>;

/// The homes of all slots, from the first query that needs them to the end of the next update.
#[derive(Debug, Default)]
pub(crate) struct Displaced {
    homes: OnceLock<Homes>,
    /// The boxes at the last update of the moving colliders that changed first, as long as no query has
    /// asked for the homes. Without them those slots would form a run all over the map, which each search
    /// of the tick visits.
    first: Vec<(u32, PlacedMask)>,
    /// A list of default homes, kept for its memory.
    spare: ObjectPool<Vec<Home>>,
}

clone_fields!([] Displaced { homes, first } scratch { spare });

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Home {
    /// [`BASE`], [`NOWHERE`], or 1 more than the index of a run.
    tree: u8,
    /// Upper bound on the distance of each edge from the box in that tree, in pixels.
    drift: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct Homes {
    /// Slots beyond the end are in the base.
    of_slots: Vec<Home>,
    /// The base, if it is not the index of the last update: the trees of moving and of fixed colliders.
    /// Packed by the first query.
    base: Option<OnceLock<[SlotTree; 2]>>,
    /// True if the tree of fixed colliders is that of the index, because none of them has changed.
    keeps_fixed: bool,
    base_drift: u8,
    runs: Vec<Run>,
    /// Drift up to which a slot stays at home.
    limit: u8,
    /// Far motions since the limit was set.
    far: u32,
}

/// Slots that moved far.
#[derive(Clone, Debug, Default)]
struct Run {
    slots: Vec<u32>,
    /// Packed by the first query that finds the run too long.
    tree: OnceLock<SlotTree>,
    /// The largest drift of its slots.
    drift: u8,
}

/// A run, for a query.
pub(crate) enum Members<'h> {
    Tree(&'h SlotTree),
    List(&'h [u32]),
}

impl Displaced {
    /// Returns the homes of all slots, or `None` as long as `dirty` has few slots. These are then to be
    /// tested one by one. `has_fixed` tells whether one tree of the index had all fixed colliders.
    #[inline]
    pub(crate) fn homes(
        &self,
        dirty: &DirtySet,
        has_fixed: bool,
        moving: impl Fn(u32) -> PlacedMask,
    ) -> Option<&Homes> {
        let homes = self.homes.get();
        if homes.is_none() && dirty.slots().is_some_and(|slots| slots.len() <= MAX_LISTED) {
            return None;
        }
        Some(homes.unwrap_or_else(|| self.find_homes(dirty, has_fixed, moving)))
    }

    #[cold]
    fn find_homes(
        &self,
        dirty: &DirtySet,
        has_fixed: bool,
        moving: impl Fn(u32) -> PlacedMask,
    ) -> &Homes {
        self.homes.get_or_init(|| {
            let mut homes = Homes::new(self.spare.take().unwrap_or_default());
            match dirty.slots() {
                Some(slots) => {
                    for &slot in slots {
                        let first = self.first.iter().find(|(first, _)| *first == slot);
                        homes.add_changed(
                            slot,
                            first.map(|(_, old)| old.rect()),
                            moving(slot).rect(),
                        );
                    }
                }
                None => {
                    homes.base = Some(OnceLock::new());
                    homes.keeps_fixed = has_fixed && !dirty.any_fixed;
                }
            }
            homes
        })
    }

    /// Returns true if queries have asked for the homes since the last update.
    pub(crate) fn are_found(&self) -> bool {
        self.homes.get().is_some()
    }

    /// Notes that a slot has changed: its placed mask before and after, and whether it was and is fixed.
    /// `is_first` tells whether this is its first change since the last update.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        slot: usize,
        placed: [PlacedMask; 2],
        fixed: [bool; 2],
        is_first: bool,
    ) {
        if let Some(homes) = self.homes.get_mut() {
            homes.note(slot, placed, fixed);
        } else if is_first && !fixed[0] && self.first.len() <= MAX_LISTED {
            vec_growth::push(&mut self.first, (slot as u32, placed[0]));
        }
    }

    /// Notes that the boxes of these lists changed. All count as far, which costs less than their former
    /// boxes.
    pub(super) fn note_moves(&mut self, lists: &[ChangeList], is_empty: impl Fn(u32) -> bool) {
        let Some(homes) = self.homes.get_mut() else { return };
        if !ChangeList::are_whole(lists) {
            return homes.note_all();
        }
        for &slot in lists.iter().flat_map(ChangeList::slots) {
            homes.note_change(slot as usize, None, is_empty(slot));
        }
    }

    /// Returns to the index of an update, which holds all current boxes, or forgets that index if `dirty`
    /// has all slots. `dirty` has what changed since the homes were found.
    pub(super) fn clear(&mut self, dirty: &DirtySet) {
        self.first.clear();
        let Some(Homes { mut of_slots, .. }) = self.homes.take() else { return };
        match dirty.slots() {
            Some(changed) => {
                for &slot in changed {
                    if let Some(home) = of_slots.get_mut(slot as usize) {
                        *home = Home::default();
                    }
                }
            }
            None => of_slots.clear(),
        }
        debug_assert!(of_slots.iter().all(|home| *home == Home::default()), "not in the dirty set");
        self.spare.put(of_slots);
    }

    /// Returns a slot that has left the base although it is not dirty, or that the kept list says so of.
    pub(super) fn wrong_home(&self, dirty: &DirtySet) -> Option<u32> {
        let present = self.homes.get().map_or(&[][..], |homes| &homes.of_slots);
        let mut away = (0..).zip(present).filter(|(_, home)| **home != Home::default());
        let wrong = away.find(|(slot, _)| !dirty.contains(*slot)).map(|(slot, _)| slot);
        let stale = self.spare.with(Vec::new, |kept| {
            kept.iter().position(|home| *home != Home::default()).map(|slot| slot as u32)
        });
        wrong.or(stale)
    }
}

impl Homes {
    fn new(of_slots: Vec<Home>) -> Self {
        let limit = DRIFTS_PX[0];
        Self {
            of_slots,
            base: None,
            keeps_fixed: false,
            base_drift: 0,
            runs: Vec::new(),
            limit,
            far: 0,
        }
    }

    #[inline(never)]
    fn note(&mut self, slot: usize, placed: [PlacedMask; 2], [was_fixed, is_fixed]: [bool; 2]) {
        let [old, new] = placed.map(|placed| placed.rect());
        if old == new && was_fixed == is_fixed {
            return;
        }
        // Searches of the tree of fixed colliders do not grow, so a box there never drifts.
        let is_far = was_fixed || is_fixed || old.is_empty() || new.is_empty();
        let by = if is_far { None } else { Some(old.edge_distance(&new)) };
        self.note_change(slot, by, new.is_empty());
    }

    /// Notes that a box changed, by at most so many pixels if that is known.
    fn note_change(&mut self, slot: usize, by: Option<u32>, is_empty: bool) {
        let Home { tree, drift } = self.home(slot);
        if !self.is_packed(tree) {
            return;
        }
        if is_empty {
            self.home_mut(slot).tree = NOWHERE;
            return;
        }
        if let Some(by) = by {
            let total = by.saturating_add(drift.into());
            if total <= self.limit.into() {
                let drift = total as u8;
                self.home_mut(slot).drift = drift;
                let most = match tree {
                    BASE => &mut self.base_drift,
                    run => &mut self.runs[usize::from(run) - 1].drift,
                };
                *most = drift.max(*most);
                return;
            }
            self.far += 1;
            if self.far > FAR_PER_LIMIT && self.limit < DRIFTS_PX[1] {
                (self.limit, self.far) = (2 * self.limit, 0);
            }
        }
        self.add(slot as u32);
    }

    /// Notes that very many boxes changed: the next query packs all.
    fn note_all(&mut self) {
        let mut of_slots = std::mem::take(&mut self.of_slots);
        of_slots.clear();
        *self = Self { base: Some(OnceLock::new()), ..Self::new(of_slots) };
    }

    #[inline(always)]
    fn home(&self, slot: usize) -> Home {
        self.of_slots.get(slot).copied().unwrap_or_default()
    }

    fn home_mut(&mut self, slot: usize) -> &mut Home {
        if self.of_slots.len() <= slot {
            // Many at once, because colliders often move in the order of their slots.
            let len = (slot + 1).next_multiple_of(HOMES_ADDED);
            vec_growth::resize(&mut self.of_slots, len, Home::default());
        }
        &mut self.of_slots[slot]
    }

    /// Adds a slot that changed before the homes were found: its box in the index, if that is known, and
    /// now. A fixed collider has none now.
    fn add_changed(&mut self, slot: u32, old: Option<Rect>, now: Rect) {
        let old = old.filter(|old| !old.is_empty() && !now.is_empty());
        match old.map(|old| old.edge_distance(&now)).filter(|&by| by <= self.limit.into()) {
            Some(by) => {
                self.home_mut(slot as usize).drift = by as u8;
                self.base_drift = self.base_drift.max(by as u8);
            }
            None => self.add(slot),
        }
    }

    /// Adds a slot to the last run.
    fn add(&mut self, slot: u32) {
        if self.runs.last().is_none_or(|run| run.tree.get().is_some()) {
            // It leaves its home first, so that runs which become one leave it out.
            self.home_mut(slot as usize).tree = NOWHERE;
            self.open_run();
        }
        *self.home_mut(slot as usize) = Home { tree: self.runs.len() as u8, drift: 0 };
        if let Some(run) = self.runs.last_mut() {
            vec_growth::push(&mut run.slots, slot);
        }
    }

    fn is_packed(&self, tree: u8) -> bool {
        match tree {
            BASE => self.base.as_ref().is_none_or(|base| base.get().is_some()),
            NOWHERE => true,
            run => self.runs[usize::from(run) - 1].tree.get().is_some(),
        }
    }

    /// Adds a run, and merges earlier ones until each is at least twice as long as the next. So there
    /// are at most 26, and a slot is packed again about log(n) times.
    #[cold]
    fn open_run(&mut self) {
        let Self { of_slots, runs, .. } = self;
        while let [.., earlier, later] = &runs[..]
            && earlier.slots.len() < 2 * later.slots.len()
        {
            let mut merged = Vec::with_capacity(earlier.slots.len() + later.slots.len());
            for (run, tree) in [(earlier, runs.len() as u8 - 1), (later, runs.len() as u8)] {
                let present = |slot: &&u32| of_slots[**slot as usize].tree == tree;
                merged.extend(run.slots.iter().filter(present).copied());
            }
            runs.truncate(runs.len() - 2);
            let home = Home { tree: runs.len() as u8 + 1, drift: 0 };
            merged.iter().for_each(|&slot| of_slots[slot as usize] = home);
            runs.push(Run { slots: merged, ..Run::default() });
        }
        runs.push(Run::default());
    }

    /// Returns the drift of a slot from its box in the tree with this number: 0 for the base, else a run.
    /// Returns `None` if queries find the slot elsewhere.
    #[inline(always)]
    pub(crate) fn drift_in(&self, tree: usize, slot: u32) -> Option<u8> {
        let home = self.home(slot as usize);
        (usize::from(home.tree) == tree).then_some(home.drift)
    }

    /// Returns the trees of moving and of fixed colliders in the base, unless it is the index of the last
    /// update. `of_index` is the tree of fixed colliders in that.
    pub(crate) fn base<'h>(
        &'h self,
        moving: &[PlacedMask],
        fixed: &[(u32, PlacedMask)],
        of_index: &'h SlotTree,
    ) -> Option<[&'h SlotTree; 2]> {
        let fixed = if self.keeps_fixed { &[] } else { fixed };
        let pack = || [Tree::of(moving), Tree::of_some(fixed.iter().copied())];
        let [moving, fixed] = self.base.as_ref()?.get_or_init(pack);
        Some([moving, if self.keeps_fixed { of_index } else { fixed }])
    }

    /// Returns the largest drift of a slot in the base, in pixels.
    pub(crate) fn base_drift(&self) -> u32 {
        self.base_drift.into()
    }

    /// Returns the number of each run, its slots, and their largest drift in pixels.
    pub(crate) fn runs(
        &self,
        placed: impl Fn(u32) -> PlacedMask,
    ) -> impl Iterator<Item = (usize, Members<'_>, u32)> {
        (1..).zip(&self.runs).map(move |(number, run)| {
            let members = if run.slots.len() <= MAX_LISTED {
                Members::List(&run.slots)
            } else {
                let placed = run.slots.iter().map(|&slot| (slot, placed(slot)));
                Members::Tree(run.tree.get_or_init(|| Tree::of_some(placed)))
            };
            (number, members, run.drift.into())
        })
    }
}
