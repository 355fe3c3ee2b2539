//! [`Plane`]: the face of the crate, as one process sees it.

use crate::error::{Error, ErrorKind};
use crate::exchange::{Alone, Exchange};
use crate::ids::{MAX_INSERTS, PlaneId, PlanePair};
use crate::message::{Message, Sight, Traffic, swap};
use crate::network::{Hello, Network};
use crate::options::Options;
use crate::partition::{Leaf, Load, Partition, RegionId, grown, holds};
use crate::region::{Region, Role, pixel_of};
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
    pub(crate) exchange: Box<dyn Exchange>,
    pub(crate) options: Options,
    /// The world that each region begins with.
    pub(crate) template: World,
    pub(crate) partition: Partition,
    pub(crate) regions: Vec<Region<D>>,
    /// Regions that have left this process since the last update.
    retired: Vec<Region<D>>,
    /// Edits of colliders whose home is in another process.
    edits: Vec<(RegionId, Message<D>)>,
    /// Colliders that each process has inserted; also of processes that a run had before its last snapshot.
    pub(crate) inserted: Vec<u64>,
    pub(crate) ticks: u64,
    pub(crate) traffic: Traffic,
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
        Self::over(Box::new(Alone), template, options)
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
        options.partition(hosts.len())?;
        let [world, hash] = options.hashes(&template);
        let hello = Hello { run: options.run, atlas: world, options: hash };
        let network = Network::connect(hosts, process, hello, options.limit)?;
        Self::over(Box::new(network), template, options)
    }

    pub(crate) fn over(
        exchange: Box<dyn Exchange>,
        template: World,
        options: Options,
    ) -> Result<Self, Error> {
        if !template.is_empty() {
            let cause = format!("the world of a plane has {} colliders", template.len());
            let help = "insert the colliders into the plane";
            return Err(Error::new(ErrorKind::Options, cause, help));
        }
        let partition = options.partition(exchange.processes())?;
        let mut plane = Self {
            exchange,
            options,
            template,
            partition,
            regions: Vec::new(),
            retired: Vec::new(),
            edits: Vec::new(),
            inserted: Vec::new(),
            ticks: 0,
            traffic: Traffic::default(),
            began: Vec::new(),
            ended: Vec::new(),
        };
        plane.inserted.resize(plane.processes(), 0);
        plane.follow_partition();
        Ok(plane)
    }

    /// Returns the world that every region begins with, which has the atlases.
    #[must_use]
    pub const fn template(&self) -> &World {
        &self.template
    }

    /// Returns the index of this process, counted from 0.
    #[must_use]
    pub fn process(&self) -> usize {
        self.exchange.process()
    }

    /// Returns the number of processes.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.exchange.processes()
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

    /// Returns the data of a collider whose home is in this process, to change it.
    #[must_use]
    pub fn data_mut(&mut self, id: PlaneId) -> Option<&mut D> {
        let [i, slot] = self.find_home(id).ok()?;
        self.regions[i].data[slot].as_mut()
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
    /// Returns [`ErrorKind::Lost`] or [`ErrorKind::Garbage`] with the process at fault. The run is then over.
    pub fn tick(&mut self) -> Result<(), Error> {
        let is_due = self.options.rebalance > 0
            && self.ticks.is_multiple_of(u64::from(self.options.rebalance));
        self.sync(is_due)?;
        let mut sights = Vec::new();
        for region in self.regions.iter_mut().chain(&mut self.retired) {
            region.update(&mut sights);
        }
        self.settle(sights)?;
        self.report();
        self.retired.clear();
        self.ticks += 1;
        Ok(())
    }

    /// Lets each pair that two regions may have seen be reported by none of them, if it touched before and touches
    /// now. One process compares what is known of a pair.
    fn settle(&mut self, sights: Vec<Sight>) -> Result<(), Error> {
        let (here, processes) = (self.process() as u16, self.processes() as u64);
        let sent = sights.into_iter().map(|sight| {
            let mixed = (sight.pair.a.to_bits() ^ sight.pair.b.to_bits().rotate_left(32))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
            ((mixed >> 32) % processes, sight)
        });
        let sent = sent.map(|(process, sight)| (process as u16, (here, sight))).collect();
        let mut seen: HashMap<PlanePair, Vec<(u16, Sight)>> = HashMap::default();
        for (process, sight) in swap(&mut *self.exchange, sent, &mut self.traffic)? {
            seen.entry(sight.pair).or_default().push((process, sight));
        }
        let mut stayed = Vec::new();
        for (pair, sights) in seen {
            if sights.iter().any(|(_, sight)| sight.now)
                && sights.iter().any(|(_, sight)| !sight.now)
            {
                let reported = sights.iter().filter(|(_, sight)| sight.reported);
                stayed.extend(reported.map(|&(process, sight)| (process, (sight.region, pair))));
            }
        }
        // A region that moves to another process has very many of them.
        let mut of_region: HashMap<RegionId, HashSet<PlanePair>> = HashMap::default();
        for (region, pair) in swap(&mut *self.exchange, stayed, &mut self.traffic)? {
            of_region.entry(region).or_default().insert(pair);
        }
        for region in self.regions.iter_mut().chain(&mut self.retired) {
            if let Some(stayed) = of_region.get(&region.id) {
                region.forget(stayed);
            }
        }
        Ok(())
    }

    /// Brings every collider to its home and its ghosts up to date.
    pub(crate) fn sync(&mut self, rebalance: bool) -> Result<(), Error> {
        // Edits first, because they may change where a collider belongs.
        let edits = std::mem::take(&mut self.edits);
        let mut out = self.route(edits)?;
        if rebalance {
            let loads: Vec<Load> = self.regions.iter().map(Region::load).collect();
            let sent = (0..self.processes() as u16)
                .flat_map(|process| loads.iter().map(move |&load| (process, load)));
            let loads = swap(&mut *self.exchange, sent.collect(), &mut self.traffic)?;
            if self.partition.rebalance(&loads) {
                self.follow_partition();
            }
        }
        let halo = self.options.halo as i32;
        for region in self.regions.iter_mut().chain(&mut self.retired) {
            region.hand_over(&self.partition, halo, &mut out);
        }
        self.route(out).map(drop)
    }

    /// Sends messages to their regions, and applies those that came. Returns the messages that these caused.
    fn route(
        &mut self,
        messages: Vec<(RegionId, Message<D>)>,
    ) -> Result<Vec<(RegionId, Message<D>)>, Error> {
        let leaves: HashMap<RegionId, u16> =
            self.partition.leaves().map(|leaf| (leaf.region, leaf.process)).collect();
        let sent = messages.into_iter();
        let sent =
            sent.filter_map(|(region, message)| Some((*leaves.get(&region)?, (region, message))));
        let sent = sent.collect();
        let mut out = Vec::new();
        for (region, message) in swap(&mut *self.exchange, sent, &mut self.traffic)? {
            if let Some(region) = self.regions.iter_mut().find(|other| other.id == region) {
                region.apply(message, &mut out)?;
            }
        }
        Ok(out)
    }

    /// Begins and ends regions as the partition says.
    fn follow_partition(&mut self) {
        let here = self.process() as u16;
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
            Stats { regions: self.regions.len(), traffic: self.traffic, ..Stats::default() };
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
