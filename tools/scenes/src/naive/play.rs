//! The driver: makes each call in all worlds, and compares them with the model.

use super::model::{Art, Model};
use super::source::Source;
use super::trace::Trace;
use hitmask::{Atlas, Collider, ColliderId, MaskId, Pair, ScalePolicy, World};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// How a world in lockstep takes its atlases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With all poses drawn.
    Drawn,
    /// Poses are drawn on demand.
    OnDemand,
    /// As on demand, within a budget that calls set.
    Limited,
}

/// Kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Inserts, removals and placements, single and many.
    Place,
    /// Changes of the rules and the look of a collider, and of the world's accuracy.
    Rules,
    /// Masks that are inserted, drawn, edited and removed.
    Masks,
    /// Moves, slides, and moves of compounds.
    Moves,
    /// Atlases that are added, replaced and dropped, and budgets of poses.
    Atlases,
    /// Snapshots, restored or made a new world, and clones.
    Saves,
    /// Calls that change nothing.
    Alike,
    /// Runs of many edits, with questions in between.
    Runs,
    /// Calls that each world refuses.
    Misuse,
    /// Calls of the views of masks and atlases that each world refuses.
    MisuseViews,
    /// Queries, casts and contacts.
    Ask,
    /// Calls and answers that only a trace needs.
    Trace,
    /// Updates by any way.
    Update,
}

/// What a play is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// The atlases. The world begins with the first version of the first family.
    pub art: Art,
    /// The worlds in lockstep.
    pub forms: Vec<Form>,
    /// Colliders that a world holds at most.
    pub most: usize,
    /// Half the side of the square that colliders are placed in, in pixels.
    pub side: i32,
    /// The weight of each group of calls.
    pub weights: Vec<(Group, u32)>,
    /// True if numbers may have any bits, and ids may be stale or of another world.
    pub is_wild: bool,
}

/// What happened in a play, for tests that nothing was idle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Pairs that touched, summed over updates.
    pub touches: usize,
    /// Calls that were refused, in the first world.
    pub refused: usize,
    /// Calls that a budget of poses refused.
    pub over_budget: usize,
    /// Answers that were compared between updates.
    pub answers: usize,
    /// Colliders that an answer named.
    pub found: usize,
    /// Moves that went neither nowhere nor all the way.
    pub blocked: usize,
    /// Colliders that kept the pixels of an earlier version of an atlas.
    pub outdated: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.touches += other.touches;
        self.refused += other.refused;
        self.over_budget += other.over_budget;
        self.answers += other.answers;
        self.found += other.found;
        self.blocked += other.blocked;
        self.outdated += other.outdated;
    }
}

/// Worlds under random calls, with the model of them.
#[derive(Debug)]
pub struct Play<'a> {
    /// The worlds in lockstep.
    pub worlds: Vec<World>,
    /// What happened.
    pub tally: Tally,
    /// The calls and their answers, if they are written.
    pub(super) trace: Option<Trace>,
    pub(super) options: &'a Options,
    pub(super) model: Model<'a>,
    pub(super) source: Source<'a>,
    /// A snapshot, and the worlds and the model of that time.
    pub(super) saved: Option<(Vec<u8>, Vec<World>, Model<'a>)>,
    /// Worlds of other states, which copies are made in.
    pub(super) spares: Vec<World>,
    /// Ids that no collider or mask has.
    pub(super) stale: (Vec<ColliderId>, Vec<MaskId>),
    /// The last calls, which a failure prints.
    calls: Vec<Group>,
}

impl<'a> Play<'a> {
    /// Creates worlds without colliders.
    ///
    /// # Panics
    /// If the options have no atlas.
    #[must_use]
    pub fn new(options: &'a Options, source: Source<'a>) -> Self {
        let policy = if options.is_wild { ScalePolicy::Nearest } else { ScalePolicy::default() };
        let worlds = options.forms.iter().map(|&form| {
            let mut world = World::new(in_form(&options.art[0][0], form));
            world.set_scale_policy(policy).expect("a valid policy");
            world
        });
        let worlds: Vec<World> = worlds.collect();
        Self {
            spares: worlds.clone(),
            worlds,
            tally: Tally::default(),
            trace: None,
            options,
            model: Model::new(&options.art, policy),
            source,
            saved: None,
            stale: (Vec::new(), Vec::new()),
            calls: Vec::new(),
        }
    }

    /// Returns true if the bytes of the source are used up.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.source.is_spent()
    }

    /// Makes one random call.
    ///
    /// # Panics
    /// If a world and the model differ.
    pub fn step(&mut self) {
        let weights = &self.options.weights;
        let mut at = self.source.below(weights.iter().map(|(_, weight)| weight).sum());
        let mut all = weights.iter().copied();
        let group = all.find(|&(_, weight)| {
            let is_here = at < weight;
            at = at.wrapping_sub(weight);
            is_here
        });
        let (group, _) = group.expect("a weight above 0");
        self.calls.push(group);
        match group {
            Group::Place => self.place(),
            Group::Rules => self.change_rules(),
            Group::Masks => self.change_masks(),
            Group::Moves => self.move_some(),
            Group::Atlases => self.change_atlases(),
            Group::Saves => self.save_or_restore(),
            Group::Alike => self.change_nothing(),
            Group::Runs => self.run(),
            Group::Misuse => self.misuse(),
            Group::MisuseViews => self.misuse_views(),
            Group::Ask => self.ask(),
            Group::Trace => self.make_traced(),
            Group::Update => self.update(),
        }
        let is_checked = self.is_small() || self.calls.len().is_multiple_of(16);
        for world in self.worlds.iter().filter(|_| is_checked) {
            assert_eq!(world.len(), self.model.colliders.len());
            for (id, collider) in world.iter() {
                assert_eq!(Some(&collider), self.model.colliders.get(&id));
            }
        }
    }

    /// Inserts `count` colliders by one call.
    ///
    /// # Panics
    /// If a world and the model differ.
    pub fn fill(&mut self, count: usize) {
        let colliders = std::iter::repeat_with(|| self.collider()).flatten();
        let colliders: Vec<Collider> = colliders.take(count).collect();
        self.insert_some(&colliders);
    }

    /// Returns true if checks of the whole world cost little beside a call.
    fn is_small(&self) -> bool {
        self.model.colliders.len() <= 200
    }

    /// Updates all worlds by one of the ways to update, and compares pairs, events and bodies with the
    /// model, and each world with one that is made of its snapshot.
    ///
    /// # Panics
    /// If a world and the model differ.
    pub fn update(&mut self) {
        let (way, salt) = (self.source.below(10), self.source.bits() | 1);
        self.model.refresh();
        let is_kept = |pair: Pair| {
            let of = |id: ColliderId| id.index() ^ self.model.colliders[&id].user_data as u32;
            way != 0 || (of(pair.a) ^ of(pair.b).rotate_left(9)).wrapping_mul(salt) >> 29 != 0
        };
        let truth = self.model.naive.touching().into_iter();
        let truth: BTreeSet<Pair> = truth.filter(|&pair| is_kept(pair)).collect();
        let sorted = |pairs: Vec<Pair>| {
            let mut pairs = pairs;
            pairs.sort_by_key(|pair| [pair.a.index(), pair.b.index()]);
            pairs
        };
        let before = &self.model.touching;
        let began = sorted(truth.difference(before).copied().collect());
        let ended = sorted(before.difference(&truth).copied().collect());
        let bodies = self.model.bodies_of(&truth);
        let beside = |these: &Bodies, others: &Bodies| {
            let new = these.iter().filter(|(bodies, _)| !others.contains_key(*bodies));
            new.map(|(&[a, b], &parts)| (a, b, parts)).collect::<Vec<_>>()
        };
        for (world, spare) in self.worlds.iter_mut().zip(&mut self.spares) {
            let mut rebuilt = self.calls.len().is_multiple_of(3).then(|| rebuilt(world));
            for world in rebuilt.iter_mut().chain([&mut *world]) {
                match way {
                    0 => world.update_with(|touch| is_kept(touch.pair())),
                    1 => world.update_with(|_| true),
                    // WebAssembly has no clock.
                    2 if !cfg!(target_family = "wasm") => _ = world.update_timed(),
                    3 => {
                        copy_in(spare, world);
                        world.update();
                    }
                    _ => world.update(),
                }
                world.validate().expect("valid after an update");
                assert!(world.touching().iter().eq(&truth), "{:?} {truth:?}", world.touching());
                assert_eq!((world.began(), world.ended()), (&began[..], &ended[..]));
                assert_eq!(world.stayed().count(), truth.len() - began.len());
            }
            if let Some(rebuilt) = rebuilt {
                assert_eq!(rebuilt.state_hash(), world.state_hash());
            }
            let named = |all: Vec<hitmask::BodyPair>| -> Vec<_> {
                all.into_iter().map(|pair| (pair.a, pair.b, pair.parts)).collect()
            };
            assert_eq!(named(world.bodies().touching()), beside(&bodies, &Bodies::new()));
            assert_eq!(named(world.bodies().began()), beside(&bodies, &self.model.bodies));
            let past = beside(&self.model.bodies, &bodies);
            assert_eq!(named(world.bodies().ended()), past);
        }
        self.tally.touches += truth.len();
        (self.model.touching, self.model.bodies) = (truth, bodies);
        self.model.body_events = body_events(&self.worlds[0]);
        match way {
            0 => self.note(format_args!("update_with({salt})"), Some(())),
            _ => self.note(format_args!("update()"), Some(())),
        }
        self.note_events(&began, &ended);
        self.calls.clear();
        self.compare();
    }

    /// Compares boxes and pixels of all colliders, and the worlds with each other.
    pub(super) fn compare(&mut self) {
        self.model.refresh();
        for world in &self.worlds {
            assert_eq!(world.state_hash(), self.worlds[0].state_hash());
            assert_eq!(world.first_difference(&self.worlds[0]), None);
            // Events stay those of the update, whatever owners change after it.
            if world.is_updated() {
                assert!(world.touching().iter().eq(&self.model.touching));
                assert_eq!(body_events(world), self.model.body_events);
            }
            for shown in &self.model.naive.shown {
                let posed = world.posed(shown.id).expect("a collider of the world");
                assert_eq!(world.rect(shown.id), shown.rect, "{:?}", shown.collider);
                assert_eq!(posed.mask, shown.mask(), "{:?}", shown.collider);
                assert!(shown.rect.is_none() || posed.origin == shown.at, "{:?}", shown.collider);
            }
        }
    }

    /// Makes a call in each world. All give the same answer, and a refused call changes nothing. A
    /// budget of poses may refuse a call of its world alone, which is then repeated without it.
    pub(super) fn all<T: Debug, E: Debug>(
        &mut self,
        call: impl Fn(&mut World, Form) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut first = None;
        // Not after each call, because the check itself makes a search pack what has moved.
        let is_checked = self.calls.len().is_multiple_of(if self.is_small() { 4 } else { 32 });
        for (world, &form) in self.worlds.iter_mut().zip(&self.options.forms) {
            let before = state(world);
            let mut answer = call(world, form);
            if let Err(error) = &answer {
                assert_eq!(state(world), before, "{error:?}");
                if form == Form::Limited && format!("{error:?}").contains("the shown poses take") {
                    let stats = world.pose_stats();
                    assert!(stats.bytes <= stats.budget.expect("a budget that refuses"));
                    world.validate().expect("valid after a refused call");
                    self.tally.over_budget += 1;
                    world.atlases_mut().set_pose_budget(None).expect("no limit");
                    answer = call(world, form);
                }
            }
            if is_checked || answer.is_err() {
                world.validate().expect("valid after each call");
            }
            match &first {
                None => first = Some(answer),
                Some(first) => assert_eq!(text(first), text(&answer)),
            }
        }
        let answer = first.expect("a world");
        self.tally.refused += usize::from(answer.is_err());
        answer
    }

    /// As [`all`](Self::all), where the model knows whether the call is refused.
    pub(super) fn expect<T: Debug, E: Debug>(
        &mut self,
        is_accepted: bool,
        call: impl Fn(&mut World, Form) -> Result<T, E>,
    ) -> Option<T> {
        let answer = self.all(call);
        assert_eq!(answer.is_ok(), is_accepted, "{answer:?}");
        answer.ok()
    }

    /// Returns one of the colliders, or now and then an id of none.
    pub(super) fn any_id(&mut self) -> Option<ColliderId> {
        if self.options.is_wild && self.source.one_in(8) {
            return self.source.pick(&self.stale.0);
        }
        let ids: Vec<ColliderId> = self.model.colliders.keys().copied().collect();
        self.source.pick(&ids)
    }

    /// Returns a collider that shows the newest version of its atlas, and its id.
    pub(super) fn any(&mut self) -> Option<(ColliderId, Collider)> {
        let id = self.any_id()?;
        let collider = self.model.colliders.get(&id).copied()?;
        (!self.model.is_outdated(&collider)).then_some((id, collider))
    }
}

type Bodies = std::collections::BTreeMap<[hitmask::Body; 2], [ColliderId; 2]>;

/// A failure prints the calls since the last update.
impl Drop for Play<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("calls since the last update: {:?}", self.calls);
        }
    }
}

fn body_events(world: &World) -> [Vec<hitmask::BodyPair>; 3] {
    [world.bodies().touching(), world.bodies().began(), world.bodies().ended()]
}

/// Returns an atlas as a world of this form takes it.
pub(super) fn in_form([drawn, compact]: &[Atlas; 2], form: Form) -> Atlas {
    if form == Form::Drawn { drawn.clone() } else { compact.clone() }
}

/// Returns a world that is made of the snapshot of another one.
///
/// # Panics
/// If the snapshot is refused, or the new world writes another one.
#[must_use]
pub fn rebuilt(world: &World) -> World {
    let (atlases, saved) = (world.atlases().cloned().collect::<Vec<_>>(), world.snapshot());
    let rebuilt = World::from_snapshot(atlases, &saved).expect("its own snapshot");
    assert!(rebuilt.snapshot() == saved, "a restored world writes the same bytes");
    rebuilt
}

/// Returns what a refused call must leave as it was.
fn state(world: &World) -> (u64, Option<u64>, usize, Vec<hitmask::AtlasId>) {
    let (hash, budget) = (world.state_hash(), world.pose_stats().budget);
    (hash, budget, world.began().len(), world.atlases().map(Atlas::id).collect())
}

/// Returns an answer as text, because NaN in an error is not equal to itself.
fn text(answer: &impl Debug) -> String {
    format!("{answer:?}")
}

/// Makes a copy of a world in a spare one, and takes that for the world.
pub(super) fn copy_in(spare: &mut World, world: &mut World) {
    spare.clone_from(world);
    std::mem::swap(world, spare);
}
