//! [`Plane`]: the face of the crate, as one process sees it.

use crate::error::{Error, ErrorKind};
use crate::ids::{MAX_INSERTS, PlaneId, PlanePair};
use crate::mesh::Mesh;
use crate::message::{Message, Sight, Traffic};
use crate::network::{Network, Purpose};
use crate::options::Options;
use crate::partition::{Leaf, Load, Partition, RegionId, grown, holds};
use crate::region::{Reach, Region, Role, pixel_of};
use crate::save::Journal;
use hitmask::{Collider, Contact, Filter, Hit, MoveResult, MoveRules, Placement, Rect, World};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a collider of a plane carries for the game, from process to process.
pub trait Data: Clone + Serialize + DeserializeOwned {}
impl<T: Clone + Serialize + DeserializeOwned> Data for T {}

/// A plane of colliders in several processes, as one of them sees it.
///
/// Every process runs the same program. Each holds the colliders of its own regions, and ghosts of those close to
/// them. [`tick`](Self::tick), [`ask`](Self::ask), [`save`](Self::save) and [`state_hash`](Self::state_hash) are
/// calls of all processes together: each process makes the same ones in the same order.
pub struct Plane<D> {
    pub(crate) mesh: Mesh,
    pub(crate) options: Options,
    /// The world that each region begins with.
    pub(crate) template: World,
    pub(crate) partition: Partition,
    /// The regions of the partition.
    leaves: HashMap<RegionId, Leaf>,
    /// Processes with regions within this distance exchange parcels, in mask pixels: 2 halos and the largest box.
    pub(crate) margin: i32,
    /// Whether a collider has moved between regions that are not near each other since the last update.
    is_far: bool,
    /// Whether processes have come or gone since the loads were compared.
    pub(crate) has_new_owners: bool,
    /// Whether this process wants to leave.
    pub(crate) is_leaving: bool,
    /// The inputs of the game since the newest snapshot.
    pub(crate) journal: Option<Journal>,
    /// The tick of the newest snapshot.
    pub(crate) saved: Option<u64>,
    pub(crate) regions: Vec<Region<D>>,
    /// Regions that have left this process since the last update.
    retired: Vec<Region<D>>,
    /// Edits of colliders whose home is in another process.
    edits: Vec<(RegionId, Message<D>)>,
    /// Colliders that each process has inserted; also of processes that a run had before its last snapshot.
    pub(crate) inserted: Vec<u64>,
    pub(crate) ticks: u64,
    began: Vec<PlanePair>,
    ended: Vec<PlanePair>,
}

/// What [`Plane::stats`] counts, in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Regions of this process.
    pub regions: usize,
    /// Colliders whose home is here.
    pub colliders: usize,
    /// Colliders of other regions that regions of this process show.
    pub ghosts: usize,
    /// What this process has sent since it began.
    pub traffic: Traffic,
}

impl<D: Data> Plane<D> {
    /// Returns a plane of one process. `template` is an empty world: its atlases, runtime masks, accuracy and
    /// scale policy are those of every region.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Options`] if the options cannot be used, or if the world has colliders.
    pub fn alone(template: World, options: Options) -> Result<Self, Error> {
        Self::over(None, template, options, vec![0])
    }

    /// Connects this process to the others, and returns the plane of all. `hosts` has an address of each process,
    /// "host:port", and `process` is the index of this one. Waits until all have connected.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Options`] as [`alone`](Self::alone), [`ErrorKind::Mismatch`] for a process of another
    /// version, world or run, and [`ErrorKind::Lost`] if one does not connect within [`Options::limit`].
    pub fn join(
        hosts: &[String],
        process: usize,
        template: World,
        options: Options,
    ) -> Result<Self, Error> {
        options.partition(options.members(hosts.len())?)?;
        let hello = options.hello(&template, Purpose::Play);
        let network = Network::open(hosts, process, hello, 0, options.limit)?;
        let members = (0..options.members(hosts.len())? as u16).collect();
        let mut plane = Self::over(Some(network), template, options, members)?;
        plane.mesh.tell(())?;
        Ok(plane)
    }

    /// Makes the plane of these processes. Process `network` is one of them.
    pub(crate) fn over(
        mut network: Option<Network>,
        template: World,
        options: Options,
        members: Vec<u16>,
    ) -> Result<Self, Error> {
        if let Some(network) = &mut network {
            network.recovers = options.recovers;
        }
        if !template.is_empty() {
            let cause = format!("the world of a plane has {} colliders", template.len());
            let help = "insert the colliders into the plane";
            return Err(Error::new(ErrorKind::Options, cause, help));
        }
        let partition = options.partition(members.len())?.with_owners(members.clone());
        let process = network.as_ref().map_or(0, Network::process) as u16;
        let inserted = vec![0; network.as_ref().map_or(1, Network::hosts)];
        let (near, traffic) = (Vec::new(), Traffic::default());
        let mut plane = Self {
            mesh: Mesh { network, process, members, near, traffic },
            margin: 2 * options.halo as i32,
            options,
            template,
            partition,
            leaves: HashMap::default(),
            is_far: false,
            has_new_owners: false,
            is_leaving: false,
            journal: None,
            saved: None,
            regions: Vec::new(),
            retired: Vec::new(),
            edits: Vec::new(),
            inserted,
            ticks: 0,
            began: Vec::new(),
            ended: Vec::new(),
        };
        plane.follow_partition();
        plane.meet_near(None);
        Ok(plane)
    }

    /// Returns the world that every region begins with, which has the atlases.
    #[must_use]
    pub const fn template(&self) -> &World {
        &self.template
    }

    /// Returns the index of this process, counted from 0.
    #[must_use]
    pub const fn process(&self) -> usize {
        self.mesh.process as usize
    }

    /// Returns the indices of the processes that take part, in order.
    #[must_use]
    pub fn members(&self) -> &[u16] {
        &self.mesh.members
    }

    /// Returns the number of ticks since the plane began, those before its snapshot included.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns whether a position, in pixels, lies in a region of this process: so that one process of all does
    /// what happens there.
    #[must_use]
    pub fn is_here(&self, position: [f32; 2]) -> bool {
        usize::from(self.partition.at(pixel_of(&self.template, position)).process) == self.process()
    }

    /// Inserts a collider with data of the game, anywhere on the plane. It moves to its region at the next
    /// [`tick`](Self::tick), and until then this process holds it.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`] for a collider that [`World::insert`] refuses.
    pub fn insert(&mut self, collider: Collider, data: D) -> Result<PlaneId, Error> {
        let here = self.process();
        let id = PlaneId::new(here as u16, self.inserted[here]);
        if self.inserted[here] == MAX_INSERTS {
            let cause = "the ids of this process are used up";
            return Err(Error::new(ErrorKind::Call, cause, "insert in another process"));
        }
        let pixel = pixel_of(&self.template, collider.position);
        // Most are inserted where they belong.
        let at = self.regions.iter().position(|region| region.rect.contains(pixel)).unwrap_or(0);
        self.regions[at].insert(id, collider, data)?;
        self.inserted[here] += 1;
        Ok(id)
    }

    /// Returns the region and the slot of a collider: its home if that is in this process, else a ghost.
    fn find(&self, id: PlaneId) -> Result<[usize; 2], Error> {
        let mut found = None;
        for (i, region) in self.regions.iter().enumerate() {
            if let Some(slot) = region.find(id) {
                if region.slots.roles[slot] != Role::Ghost {
                    return Ok([i, slot]);
                }
                found = Some([i, slot]);
            }
        }
        found.ok_or_else(|| {
            let cause = format!("collider {id} is not in this process");
            let help = "edit a collider in the process of its region or of a region near it";
            Error::new(ErrorKind::Call, cause, help)
        })
    }

    fn find_home(&self, id: PlaneId) -> Result<[usize; 2], Error> {
        let [i, slot] = self.find(id)?;
        if self.regions[i].slots.roles[slot] != Role::Ghost {
            return Ok([i, slot]);
        }
        let cause = format!("the home of collider {id} is in another process");
        Err(Error::new(ErrorKind::Call, cause, "move a collider in the process of its region"))
    }

    /// Returns a collider of this process, or a ghost of one that is close to it, as of the last exchange.
    #[must_use]
    pub fn get(&self, id: PlaneId) -> Option<Collider> {
        let [i, slot] = self.find(id).ok()?;
        self.regions[i].world.get(self.regions[i].slots.locals[slot])
    }

    /// Returns the data of a collider whose home is in this process.
    #[must_use]
    pub fn data(&self, id: PlaneId) -> Option<&D> {
        let [i, slot] = self.find_home(id).ok()?;
        self.regions[i].data[slot].as_ref()
    }

    /// Returns each collider whose home is in this process, with its data.
    pub fn iter(&self) -> impl Iterator<Item = (PlaneId, Collider, &D)> {
        self.regions.iter().flat_map(|region| {
            region.data.iter().enumerate().filter_map(|(slot, data)| {
                let data = data.as_ref()?;
                let collider = region.world.get(region.slots.locals[slot])?;
                Some((region.slots.ids[slot], collider, data))
            })
        })
    }

    /// Changes a collider that this process can see. One whose home is elsewhere is changed at the next
    /// [`tick`](Self::tick), after the edits of its own process; edits of several processes follow in their order.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`] if this process does not see the collider, or if [`World::set`] refuses it.
    pub fn set(&mut self, id: PlaneId, collider: Collider) -> Result<(), Error> {
        let [i, slot] = self.find(id)?;
        let region = &mut self.regions[i];
        if region.slots.roles[slot] == Role::Ghost {
            // A world that refuses the collider refuses it here.
            let local = region.slots.locals[slot];
            let before = region.world.get(local);
            region.world.set(local, collider)?;
            if let Some(before) = before {
                region.world.set(local, before)?;
            }
            self.edits.push((region.home(slot), Message::Set(id, collider)));
            return Ok(());
        }
        region.set(slot, collider)
    }

    /// Removes a collider that this process can see. One whose home is elsewhere is removed at the next
    /// [`tick`](Self::tick).
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`] if this process does not see the collider.
    pub fn remove(&mut self, id: PlaneId) -> Result<(), Error> {
        let [i, slot] = self.find(id)?;
        let home = self.regions[i].home(slot);
        if self.regions[i].slots.roles[slot] == Role::Ghost {
            self.edits.push((home, Message::Remove(id)));
        } else {
            self.regions[i].remove(slot, &mut self.edits);
        }
        Ok(())
    }

    /// Calls `drive` for each collider whose home is in this process, to change its placement and its data. The
    /// fastest way to move very many.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`] if [`World::set_placements`] refuses a placement. All placements are then as
    /// before; the data are as `drive` left them.
    pub fn drive(
        &mut self,
        mut drive: impl FnMut(PlaneId, &mut Placement, &mut D),
    ) -> Result<(), Error> {
        let halo = self.options.halo as f32;
        for region in &mut self.regions {
            region.drive(halo, &mut drive);
        }
        let Some(error) = self.regions.iter_mut().find_map(|region| region.move_driven().err())
        else {
            return Ok(());
        };
        for region in &mut self.regions {
            region.take_back()?;
        }
        Err(error.into())
    }

    /// Returns the first collider that one of this process hits if it moves by `motion`, in pixels. Colliders of
    /// other processes are at their places of the last exchange.
    ///
    /// `filter` may name layers and sensors. Its `except` and `keep` are for ids of one world.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`] for a collider whose home is elsewhere, for a motion beyond the halo, and for
    /// what [`World::cast`] refuses.
    pub fn cast(
        &self,
        id: PlaneId,
        motion: [f32; 2],
        filter: Filter<'_>,
    ) -> Result<Option<(PlaneId, Hit)>, Error> {
        let [i, slot] = self.find_home(id)?;
        self.check_reach([i, slot], motion, 0.0)?;
        let region = &self.regions[i];
        let hit = region.world.cast(region.slots.locals[slot], motion, filter)?;
        Ok(hit.map(|hit| (region.name(hit.collider), hit)))
    }

    /// Moves a collider of this process by `motion`, in pixels, as [`World::move_by_rules`], and returns the result
    /// with the ids of its contacts. Colliders of other processes are at their places of the last exchange.
    ///
    /// # Errors
    /// Returns the errors of [`cast`](Self::cast). The collider is then where it was.
    pub fn walk(
        &mut self,
        id: PlaneId,
        motion: [f32; 2],
        rules: MoveRules,
        filter: Filter<'_>,
    ) -> Result<(MoveResult, Vec<PlaneId>), Error> {
        let [i, slot] = self.find_home(id)?;
        let length = (motion[0].abs() + motion[1].abs()) * self.template.atlas().resolution();
        let aside = length * rules.climb.max(rules.slip) as f32
            + (rules.rise + rules.climb) as f32
            + PUSH_OUT;
        self.check_reach([i, slot], motion, aside)?;
        let region = &mut self.regions[i];
        let result =
            region.world.move_by_rules(region.slots.locals[slot], motion, rules, filter)?;
        region.follow(slot);
        let contacts = result.contacts.iter().map(|&(local, _)| region.name(local)).collect();
        Ok((result, contacts))
    }

    /// Tests whether the region sees all that a motion may meet, `aside` mask pixels to each side of it.
    fn check_reach(
        &self,
        [i, slot]: [usize; 2],
        motion: [f32; 2],
        aside: f32,
    ) -> Result<(), Error> {
        let region = &self.regions[i];
        let resolution = self.template.atlas().resolution();
        let bounds = region.bounds(slot);
        let margin = (aside + 2.0).min(i32::MAX as f32) as i32;
        let [dx, dy] = motion.map(|d| (d * resolution) as i32);
        let swept = Rect::new(
            bounds.x0.saturating_add(dx.min(0)),
            bounds.y0.saturating_add(dy.min(0)),
            bounds.x1.saturating_add(dx.max(0)),
            bounds.y1.saturating_add(dy.max(0)),
        );
        if holds(grown(region.rect, self.options.halo as i32), grown(swept, margin)) {
            return Ok(());
        }
        let cause = format!(
            "a motion of ({}, {}) px may leave the halo of {} px",
            motion[0], motion[1], self.options.halo
        );
        Err(Error::new(ErrorKind::Call, cause, "move in smaller steps, or raise Options::halo")
            .of_region(region.id))
    }

    /// Returns the overlap of two colliders that this process can see; `None` if they do not overlap, or if it does
    /// not see both in one region.
    #[must_use]
    pub fn contact(&self, pair: PlanePair) -> Option<Contact> {
        self.regions.iter().find_map(|region| {
            let locals =
                [region.find(pair.a)?, region.find(pair.b)?].map(|slot| region.slots.locals[slot]);
            region.world.contact(locals)
        })
    }

    /// Exchanges what has changed, updates every region, and finds the pairs that began and ended. A call of all
    /// processes together.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Lost`] or [`ErrorKind::Garbage`] with the process at fault. The run is then over, and the
    /// error tells how many ticks are lost.
    pub fn tick(&mut self) -> Result<(), Error> {
        let (ticks, saved) = (self.ticks, self.saved);
        self.try_tick().map_err(|error| error.after(ticks, saved))
    }

    /// Lets this process break down after some rounds, for tests.
    #[doc(hidden)]
    pub fn break_in(&mut self, rounds: u64) {
        if let Some(network) = &mut self.mesh.network {
            network.breaks_at = network.round + rounds;
        }
    }

    fn try_tick(&mut self) -> Result<(), Error> {
        self.sync(true)?;
        let mut sights = Vec::new();
        for region in self.regions.iter_mut().chain(&mut self.retired) {
            region.update(&mut sights);
        }
        self.settle(sights)?;
        self.meet_near(None);
        self.report();
        self.retired.clear();
        self.ticks += 1;
        Ok(())
    }

    /// Lets each pair that touched before in one region and touches now in another be reported by none of them. Both
    /// are in processes that are near each other, unless a collider has moved far.
    fn settle(&mut self, sights: Vec<Sight>) -> Result<(), Error> {
        let sights = if self.is_far {
            self.mesh.tell(sights)?.concat()
        } else {
            let near = self.mesh.near.iter().chain([&self.mesh.process]);
            let sent = near.flat_map(|&process| sights.iter().map(move |sight| (process, *sight)));
            self.mesh.swap(sent.collect(), false)?
        };
        let mut seen: HashMap<PlanePair, [bool; 2]> = HashMap::default();
        for Sight { pair, now } in sights {
            seen.entry(pair).or_default()[usize::from(now)] = true;
        }
        let stayed: HashSet<PlanePair> =
            seen.into_iter().filter(|(_, seen)| *seen == [true; 2]).map(|(pair, _)| pair).collect();
        if !stayed.is_empty() {
            for region in self.regions.iter_mut().chain(&mut self.retired) {
                region.forget(&stayed);
            }
        }
        self.is_far = false;
        Ok(())
    }

    /// Brings every collider to its home and its ghosts up to date.
    pub(crate) fn sync(&mut self, is_tick: bool) -> Result<(), Error> {
        // Edits first, because they may change where a collider belongs. Ghosts are in processes that are near.
        let edits = std::mem::take(&mut self.edits);
        let edits = self.addressed(edits);
        let edits = self.mesh.swap(edits, false)?;
        let mut out = self.apply(edits)?;
        let rebalance = u64::from(self.options.rebalance);
        let is_due = rebalance > 0 && self.ticks.is_multiple_of(rebalance);
        let mut before = None;
        if is_tick && (is_due || std::mem::take(&mut self.has_new_owners)) {
            let loads: Vec<Load> = self.regions.iter().map(Region::load).collect();
            let loads = self.mesh.tell(loads)?.concat();
            let partition = self.partition.clone();
            if self.partition.rebalance(&loads) {
                before = Some((partition, self.follow_partition()));
                self.meet_near(before.as_ref().map(|before| &before.0));
            }
        }
        let halo = self.options.halo as i32;
        let to = Reach {
            partition: &self.partition,
            before: before.as_ref().map_or(&self.leaves, |before| &before.1),
            margin: is_tick.then_some(self.margin),
            has_changed: before.is_some(),
        };
        let mut sum = (self.is_far, 0.0);
        for region in self.regions.iter_mut().chain(&mut self.retired) {
            sum.0 |= region.hand_over(&to, halo, &mut out);
            sum.1 = region.reach.max(sum.1);
        }
        let out = self.addressed(out);
        let join = |a: (bool, f32), b: (bool, f32)| (a.0 || b.0, a.1.max(b.1));
        let (came, (is_far, reach)) = self.mesh.swap_and_sum(out, true, sum, join)?;
        self.apply(came)?;
        self.is_far = is_far;
        let margin = (2.0 * reach + 2.0 * self.options.halo as f32).min(1e9) as i32;
        // The update after this exchange compares what the old and the new regions saw.
        if margin > self.margin || before.is_some() {
            self.margin = margin.max(self.margin);
            self.meet_near(before.as_ref().map(|before| &before.0));
        }
        Ok(())
    }

    /// Finds the processes that are near.
    pub(crate) fn meet_near(&mut self, before: Option<&Partition>) {
        self.mesh.near = self.partition.near(before, self.mesh.process, self.margin);
    }

    /// Adds to messages the processes of their regions. A region that is gone needs none.
    fn addressed(
        &self,
        messages: Vec<(RegionId, Message<D>)>,
    ) -> Vec<(u16, (RegionId, Message<D>))> {
        let process = |region| self.leaves.get(&region).map(|leaf| leaf.process);
        let messages = messages.into_iter();
        messages
            .filter_map(|(region, message)| Some((process(region)?, (region, message))))
            .collect()
    }

    /// Applies messages to their regions. Returns the messages that these caused.
    fn apply(
        &mut self,
        messages: Vec<(RegionId, Message<D>)>,
    ) -> Result<Vec<(RegionId, Message<D>)>, Error> {
        let mut out = Vec::new();
        for (region, message) in messages {
            if let Some(region) = self.regions.iter_mut().find(|other| other.id == region) {
                region.apply(message, &mut out)?;
            }
        }
        Ok(out)
    }

    /// Begins and ends regions as the partition says. Returns those of the partition before.
    fn follow_partition(&mut self) -> HashMap<RegionId, Leaf> {
        let here = self.mesh.process;
        let all = self.partition.leaves().map(|leaf| (leaf.region, leaf)).collect();
        let leaves: Vec<Leaf> =
            self.partition.leaves().filter(|leaf| leaf.process == here).collect();
        for mut region in std::mem::take(&mut self.regions) {
            if let Some(leaf) = leaves.iter().find(|leaf| leaf.region == region.id) {
                region.reshape(Some(leaf.rect));
                self.regions.push(region);
            } else {
                region.reshape(None);
                self.retired.push(region);
            }
        }
        for leaf in &leaves {
            if !self.regions.iter().any(|region| region.id == leaf.region) {
                self.regions.push(Region::new(leaf.region, leaf.rect, self.template.clone()));
            }
        }
        // In the order of a restored plane, so that it goes on with the same ids.
        let place = |id| leaves.iter().position(|leaf| leaf.region == id);
        self.regions.sort_by_key(|region| place(region.id));
        std::mem::replace(&mut self.leaves, all)
    }

    /// Returns the pairs of this process that touched at the last [`tick`](Self::tick), in no particular order. Each
    /// pair is in one process.
    pub fn touching(&self) -> impl Iterator<Item = PlanePair> {
        self.regions.iter().flat_map(Region::touching)
    }

    /// Returns the pairs of this process that touched at the last [`tick`](Self::tick) and not at the one before, in
    /// no particular order.
    #[must_use]
    pub fn began(&self) -> &[PlanePair] {
        &self.began
    }

    /// Returns the pairs that touched at the tick before the last one and do not touch any more, in no
    /// particular order. The process of the region that they were in reports them.
    #[must_use]
    pub fn ended(&self) -> &[PlanePair] {
        &self.ended
    }

    /// Returns how much this process holds, and what it has sent.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats =
            Stats { regions: self.regions.len(), traffic: self.mesh.traffic, ..Stats::default() };
        for region in &self.regions {
            let [colliders, ghosts] = region.counts();
            stats.colliders += colliders;
            stats.ghosts += ghosts;
        }
        stats
    }

    /// Takes the state of a snapshot.
    pub(crate) fn take(
        &mut self,
        partition: Partition,
        regions: Vec<Region<D>>,
        inserted: Vec<u64>,
        ticks: u64,
    ) {
        (self.partition, self.regions) = (partition, regions);
        (self.inserted, self.ticks) = (inserted, ticks);
        self.leaves = self.partition.leaves().map(|leaf| (leaf.region, leaf)).collect();
        self.meet_near(None);
        self.edits.clear();
        self.report();
    }

    /// Collects the pairs that began and ended.
    fn report(&mut self) {
        self.began.clear();
        self.ended.clear();
        for region in self.regions.iter().chain(&self.retired) {
            self.began.extend(&region.began);
            self.ended.extend(&region.ended);
        }
    }
}

/// Mask pixels by which a walk may push a collider out of an overlap, at most.
const PUSH_OUT: f32 = 16.0;
