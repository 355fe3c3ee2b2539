//! [`Region`]: one part of the plane, with a [`World`] of the colliders that reach into it.
//!
//! A collider's home is the region that contains the top-left pixel of its box. Every other region that its box
//! comes near has a ghost of it. A pair belongs to the region that contains the top-left pixel of the
//! intersection of its boxes. Both colliders are there, so each pair belongs to exactly one region that sees it.

use crate::error::{Error, ErrorKind};
use crate::ids::{PlaneId, PlanePair};
use crate::message::{Message, Sight};
use crate::partition::{Leaf, Load, Partition, RegionId, grown, holds};
use hitmask::{CallError, Collider, ColliderId, Pair, Placement, Point, Rect, World};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use serde::{Deserialize, Serialize};

/// What a slot of a region's world holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    /// Nothing.
    Free,
    /// A collider at home that no other region sees. All of its pairs belong to the region.
    Inner,
    /// An inner collider that was none at the last update.
    Entered,
    /// A collider at home that other regions may see too.
    Border,
    /// A collider whose home is elsewhere.
    Ghost,
}

impl Role {
    const fn is_home(self) -> bool {
        matches!(self, Self::Inner | Self::Entered | Self::Border)
    }
}

/// Colliders of a region's world by their slots: parallel lists, so that a loop over all reads little memory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Slots {
    pub(crate) roles: Vec<Role>,
    pub(crate) ids: Vec<PlaneId>,
    pub(crate) locals: Vec<ColliderId>,
    pub(crate) placements: Vec<Placement>,
    is_dirty: Vec<bool>,
    dirty: Vec<u32>,
}

/// One part of the plane.
#[derive(Clone, Debug)]
pub(crate) struct Region<D> {
    pub(crate) id: RegionId,
    pub(crate) rect: Rect,
    pub(crate) world: World,
    pub(crate) slots: Slots,
    /// One of each slot; `None` for a ghost.
    pub(crate) data: Vec<Option<D>>,
    pub(crate) by_id: HashMap<PlaneId, u32>,
    /// Regions with a ghost of a border collider, by its slot.
    ghosts_of: HashMap<u32, Vec<RegionId>>,
    /// The home of a ghost, by its slot.
    home_of: HashMap<u32, RegionId>,
    /// Slots of colliders that came from another region since the last update, and whether a slot is one.
    arrived: Vec<u32>,
    has_arrived: Vec<bool>,
    /// Colliders that have left since the last update, and whether they were removed from the plane.
    left: HashMap<ColliderId, (PlaneId, bool)>,
    /// Upper bound on the distance from the position of a collider at home to the sides of its box, in mask pixels.
    pub(crate) reach: f32,
    /// The placements before the last [`drive`](Self::drive), of all slots.
    before: Vec<Placement>,
    /// Number of colliders that it moved.
    moved: usize,
    /// Slots of the colliders with [`Role::Entered`].
    entered: Vec<u32>,
    /// Slots whose colliders were inner ones at the last update and have ceased to be.
    exited: HashSet<u32>,
    /// The pairs of the last update that belonged to the region although none of their colliders was inner.
    border_pairs: HashSet<PlanePair>,
    pub(crate) began: Vec<PlanePair>,
    pub(crate) ended: Vec<PlanePair>,
}

/// What tells whether regions are near each other.
pub(crate) struct Reach<'a> {
    pub(crate) partition: &'a Partition,
    /// The regions of the last exchange.
    pub(crate) before: &'a HashMap<RegionId, Leaf>,
    /// How far apart regions may be, in mask pixels; `None` if each motion between regions counts as far.
    pub(crate) margin: Option<i32>,
    /// Whether regions have changed since the last exchange.
    pub(crate) has_changed: bool,
}

impl Reach<'_> {
    /// Tests whether two regions may both have reports of a pair of this collider, and are not near each other: one
    /// that saw it before, and one that sees it now.
    fn is_far(&self, region: RegionId, others: &[RegionId], home: &Leaf, ghosts: &[Leaf]) -> bool {
        let before = || others.iter().chain([&region]);
        let now = || ghosts.iter().chain([home]);
        let is_known = |leaf: &Leaf| before().any(|&region| region == leaf.region);
        let Some(margin) = self.margin else {
            return !now().all(is_known) || now().count() != before().count();
        };
        // Regions that see one box are near each other.
        if !self.has_changed && now().all(is_known) {
            return false;
        }
        let is_near = |old: &RegionId, leaf: &Leaf| {
            let old = self.before.get(old).map(|old| grown(old.rect, margin));
            old.is_some_and(|old| old.intersection(leaf.rect).is_some())
        };
        !before().all(|old| now().all(|leaf| is_near(old, leaf)))
    }
}

/// What [`Region::save`] keeps beside the world, in this order.
type Kept<D> = (
    (RegionId, Rect),
    (Slots, Vec<Option<D>>),
    (HashMap<u32, Vec<RegionId>>, HashMap<u32, RegionId>),
    (HashSet<PlanePair>, Vec<PlanePair>, Vec<PlanePair>),
);

impl<D: Clone> Region<D> {
    pub(crate) fn new(id: RegionId, rect: Rect, world: World) -> Self {
        Self {
            id,
            rect,
            world,
            slots: Slots::default(),
            data: Vec::new(),
            by_id: HashMap::default(),
            ghosts_of: HashMap::default(),
            home_of: HashMap::default(),
            arrived: Vec::new(),
            has_arrived: Vec::new(),
            left: HashMap::default(),
            reach: 0.0,
            before: Vec::new(),
            moved: 0,
            entered: Vec::new(),
            exited: HashSet::default(),
            border_pairs: HashSet::default(),
            began: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Returns the slot of a collider that is here, at home or as a ghost.
    pub(crate) fn find(&self, id: PlaneId) -> Option<usize> {
        self.by_id.get(&id).map(|&slot| slot as usize)
    }

    /// Returns the name of a collider of the region's world.
    pub(crate) fn name(&self, local: ColliderId) -> PlaneId {
        self.slots.ids[local.index() as usize]
    }

    /// Returns the home of the collider in a slot.
    pub(crate) fn home(&self, slot: usize) -> RegionId {
        self.home_of.get(&(slot as u32)).copied().unwrap_or(self.id)
    }

    /// Returns the number of colliders at home, and of ghosts.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.by_id.len() - self.home_of.len(), self.home_of.len()]
    }

    /// Inserts a collider whose home is here until the next exchange.
    pub(crate) fn insert(&mut self, id: PlaneId, collider: Collider, data: D) -> Result<(), Error> {
        let local = self.world.insert(collider)?;
        self.occupy(id, local, Role::Border, Some(data), &collider);
        self.slots.touch(local.index());
        Ok(())
    }

    fn occupy(
        &mut self,
        id: PlaneId,
        local: ColliderId,
        role: Role,
        data: Option<D>,
        collider: &Collider,
    ) {
        let slot = local.index() as usize;
        if slot >= self.slots.roles.len() {
            self.slots.roles.resize(slot + 1, Role::Free);
            self.slots.ids.resize(slot + 1, id);
            self.slots.locals.resize(slot + 1, local);
            self.slots.placements.resize(slot + 1, Placement::default());
            self.slots.is_dirty.resize(slot + 1, false);
            self.data.resize(slot + 1, None);
            self.has_arrived.resize(slot + 1, false);
        }
        self.set_role(slot, role);
        self.slots.ids[slot] = id;
        self.slots.locals[slot] = local;
        self.data[slot] = data;
        self.by_id.insert(id, slot as u32);
        self.place(slot, collider);
    }

    /// Changes the role of a slot. Takes [`Role::Inner`] for [`Role::Entered`] too.
    fn set_role(&mut self, slot: usize, role: Role) {
        let before = self.slots.roles[slot];
        let role = match (before, role) {
            (Role::Inner | Role::Entered, Role::Inner) => before,
            (_, Role::Inner) => {
                self.entered.push(slot as u32);
                Role::Entered
            }
            _ => role,
        };
        if before == Role::Inner && role != Role::Inner {
            self.exited.insert(slot as u32);
        }
        self.slots.roles[slot] = role;
    }

    /// Records the placement of a collider that has changed.
    fn place(&mut self, slot: usize, collider: &Collider) {
        let Collider { position, angle, .. } = *collider;
        self.slots.placements[slot] = Placement { position, angle };
        if self.slots.roles[slot] != Role::Ghost {
            self.reach = self.reach.max(reach_of(&self.world, self.slots.locals[slot]));
        }
    }

    /// Changes a collider at home.
    pub(crate) fn set(&mut self, slot: usize, collider: Collider) -> Result<(), Error> {
        self.world.set(self.slots.locals[slot], collider)?;
        self.place(slot, &collider);
        self.slots.touch(slot as u32);
        Ok(())
    }

    /// Follows a motion of the collider in a slot that the world has made itself.
    pub(crate) fn follow(&mut self, slot: usize) {
        if let Some(collider) = self.world.get(self.slots.locals[slot]) {
            self.place(slot, &collider);
            self.slots.touch(slot as u32);
        }
    }

    /// Removes a collider at home, and tells the regions that have a ghost of it.
    pub(crate) fn remove(&mut self, slot: usize, out: &mut Vec<(RegionId, Message<D>)>) {
        let id = self.slots.ids[slot];
        for region in self.ghosts_of.remove(&(slot as u32)).unwrap_or_default() {
            out.push((region, Message::Leave { id, removed: true }));
        }
        self.vacate(slot, true);
    }

    fn vacate(&mut self, slot: usize, removed: bool) {
        let (id, local) = (self.slots.ids[slot], self.slots.locals[slot]);
        self.world.remove(local);
        self.set_role(slot, Role::Free);
        self.data[slot] = None;
        self.by_id.remove(&id);
        self.home_of.remove(&(slot as u32));
        self.has_arrived[slot] = false;
        self.left.insert(local, (id, removed));
    }

    /// Takes another rectangle, or none if the region ends in this process. Marks the colliders whose home or ghosts
    /// may change.
    pub(crate) fn reshape(&mut self, rect: Option<Rect>) {
        let before = std::mem::replace(&mut self.rect, rect.unwrap_or(Rect::new(0, 0, 0, 0)));
        for slot in 0..self.slots.roles.len() {
            match self.slots.roles[slot] {
                Role::Inner | Role::Entered if self.rect == before => {}
                Role::Inner | Role::Entered | Role::Border => self.slots.touch(slot as u32),
                Role::Ghost if rect.is_none() => self.vacate(slot, false),
                _ => {}
            }
        }
    }

    /// Applies a message of another region, or of an edit.
    pub(crate) fn apply(
        &mut self,
        message: Message<D>,
        out: &mut Vec<(RegionId, Message<D>)>,
    ) -> Result<(), Error> {
        match message {
            Message::Set(id, collider) => match self.find(id) {
                Some(slot) => self.set(slot, collider),
                // Another process has removed it.
                None => Ok(()),
            },
            Message::Remove(id) => {
                if let Some(slot) = self.find(id) {
                    self.remove(slot, out);
                }
                Ok(())
            }
            Message::Home { id, collider, data, ghosts } => {
                let slot = self.show(id, collider, Role::Border)?;
                self.data[slot] = Some(data);
                self.home_of.remove(&(slot as u32));
                let is_inner = ghosts.is_empty();
                self.set_role(slot, if is_inner { Role::Inner } else { Role::Border });
                if !is_inner {
                    self.ghosts_of.insert(slot as u32, ghosts);
                }
                Ok(())
            }
            Message::Ghost { id, collider, home } => {
                let slot = self.show(id, collider, Role::Ghost)?;
                self.home_of.insert(slot as u32, home);
                Ok(())
            }
            Message::Leave { id, removed } => {
                if let Some(slot) = self.find(id) {
                    self.vacate(slot, removed);
                }
                Ok(())
            }
        }
    }

    /// Ends the reports of pairs that began or ended here, because they touched before or touch now in another
    /// region.
    pub(crate) fn forget(&mut self, stayed: &HashSet<PlanePair>) {
        self.began.retain(|pair| !stayed.contains(pair));
        self.ended.retain(|pair| !stayed.contains(pair));
    }

    /// Places a collider that another region has sent.
    fn show(&mut self, id: PlaneId, collider: Collider, role: Role) -> Result<usize, Error> {
        let refused = |error: CallError| {
            let cause = format!("collider {id}: {error}");
            Error::new(ErrorKind::Garbage, cause, "begin all processes with equal worlds")
        };
        if let Some(slot) = self.find(id) {
            self.world.set(self.slots.locals[slot], collider).map_err(refused)?;
            self.place(slot, &collider);
            self.set_role(slot, role);
            return Ok(slot);
        }
        let local = self.world.insert(collider).map_err(refused)?;
        self.occupy(id, local, role, None, &collider);
        self.arrived.push(local.index());
        self.has_arrived[local.index() as usize] = true;
        Ok(local.index() as usize)
    }

    /// Hands over each changed collider whose home is elsewhere now, and tells the regions that see it. Returns
    /// whether one has moved between regions that are not near each other.
    pub(crate) fn hand_over(
        &mut self,
        to: &Reach<'_>,
        halo: i32,
        out: &mut Vec<(RegionId, Message<D>)>,
    ) -> bool {
        let mut is_far = false;
        for slot in std::mem::take(&mut self.slots.dirty) {
            let i = slot as usize;
            if !std::mem::take(&mut self.slots.is_dirty[i]) || !self.slots.roles[i].is_home() {
                continue;
            }
            let (id, local) = (self.slots.ids[i], self.slots.locals[i]);
            let bounds = self.bounds(i);
            let before = self.ghosts_of.remove(&slot).unwrap_or_default();
            if before.is_empty() && holds(self.rect, grown(bounds, halo)) {
                self.set_role(i, Role::Inner);
                continue;
            }
            let Some(collider) = self.world.get(local) else { continue };
            let (home, ghosts) = to.partition.places(bounds, halo);
            is_far = is_far || to.is_far(self.id, &before, &home, &ghosts);
            let home = home.region;
            let ghosts: Vec<RegionId> = ghosts.iter().map(|leaf| leaf.region).collect();
            for &region in
                before.iter().filter(|region| **region != home && !ghosts.contains(region))
            {
                out.push((region, Message::Leave { id, removed: false }));
            }
            for &region in ghosts.iter().filter(|region| **region != self.id) {
                out.push((region, Message::Ghost { id, collider, home }));
            }
            if home == self.id {
                self.set_role(i, if ghosts.is_empty() { Role::Inner } else { Role::Border });
                if !ghosts.is_empty() {
                    self.ghosts_of.insert(slot, ghosts);
                }
                continue;
            }
            let Some(data) = self.data[i].take() else { continue };
            if ghosts.contains(&self.id) {
                self.set_role(i, Role::Ghost);
                self.home_of.insert(slot, home);
            } else {
                self.vacate(i, false);
            }
            out.push((home, Message::Home { id, collider, data, ghosts }));
        }
        is_far
    }

    /// Lets `drive` change the placements and the data of the colliders at home.
    pub(crate) fn drive(
        &mut self,
        halo: f32,
        drive: &mut impl FnMut(PlaneId, &mut Placement, &mut D),
    ) {
        // Most colliders are far from the sides of the region, which their positions alone tell.
        let (resolution, margin) =
            (f64::from(self.world.atlas().resolution()), f64::from(self.reach + halo));
        let [x0, y0] = [self.rect.x0, self.rect.y0]
            .map(|side| ((f64::from(side) + margin) / resolution) as f32)
            .map(f32::next_up);
        let [x1, y1] = [self.rect.x1, self.rect.y1]
            .map(|side| ((f64::from(side) - margin) / resolution) as f32)
            .map(f32::next_down);
        // A second list, because a copy of what moves would be written beside the one that is changed.
        std::mem::swap(&mut self.before, &mut self.slots.placements);
        let count = self.before.len();
        self.slots.placements.resize(count, Placement::default());
        let (mut near, mut moved) = (Vec::new(), 0);
        let of_slots = self.data.iter_mut().zip(&self.slots.ids);
        let placements = self.slots.placements.iter_mut().zip(&self.before);
        for (slot, ((data, id), (placement, before))) in of_slots.zip(placements).enumerate() {
            *placement = *before;
            let Some(data) = data else { continue };
            drive(*id, placement, data);
            let has_moved = placement != before;
            moved += usize::from(has_moved);
            let [x, y] = placement.position;
            if !(x > x0 && x < x1 && y > y0 && y < y1) && has_moved {
                near.push(slot as u32);
            }
        }
        self.moved = moved;
        near.into_iter().for_each(|slot| self.slots.touch(slot));
        // Their ghosts follow even if they are far from the sides now.
        for &slot in self.ghosts_of.keys() {
            if self.slots.placements[slot as usize] != self.before[slot as usize] {
                self.slots.touch(slot);
            }
        }
    }

    /// Gives the world the placements of [`drive`](Self::drive). If it refuses one, some may have been taken.
    pub(crate) fn move_driven(&mut self) -> Result<(), CallError> {
        let Slots { roles, locals, placements, .. } = &self.slots;
        if self.moved == 0 {
            return Ok(());
        }
        if 2 * self.moved > roles.len() {
            // A world takes consecutive slots faster than half of them, even if some hold ghosts, which rest.
            let mut from = 0;
            for run in roles.split(|role| *role == Role::Free) {
                let slots = from..from + run.len();
                self.world.set_placements(&locals[slots.clone()], &placements[slots])?;
                from += run.len() + 1;
            }
            return Ok(());
        }
        let moved = (0..roles.len()).filter(|&slot| placements[slot] != self.before[slot]);
        let (locals, placements): (Vec<_>, Vec<_>) =
            moved.map(|slot| (locals[slot], placements[slot])).unzip();
        self.world.set_placements(&locals, &placements)
    }

    /// Returns all colliders to where they were before [`drive`](Self::drive).
    pub(crate) fn take_back(&mut self) -> Result<(), CallError> {
        std::mem::swap(&mut self.before, &mut self.slots.placements);
        self.move_driven()
    }

    /// Returns the box of a collider; its pixel if it has no box.
    pub(crate) fn bounds(&self, slot: usize) -> Rect {
        self.world.rect(self.slots.locals[slot]).unwrap_or_else(|| {
            let pixel = pixel_of(&self.world, self.slots.placements[slot].position);
            Rect::new(pixel.x, pixel.y, pixel.x.saturating_add(1), pixel.y.saturating_add(1))
        })
    }

    /// Updates the world, finds the pairs that began and ended in this region, and returns those that another
    /// region may have seen.
    pub(crate) fn update(&mut self, sights: &mut Vec<Sight>) {
        self.world.update();
        self.began.clear();
        self.ended.clear();
        let mut border_pairs = HashSet::default();
        // A pair with a collider that was and is an inner one belongs to this region as before.
        let is_steady = |pair: &Pair| {
            [pair.a, pair.b].iter().any(|id| self.slots.roles[id.index() as usize] == Role::Inner)
        };
        let began: HashSet<Pair> =
            self.world.began().iter().filter(|pair| !is_steady(pair)).copied().collect();
        let mut see = |pair, now| sights.push(Sight { pair, now });
        for pair in self.world.touching() {
            if is_steady(pair) {
                continue;
            }
            let name = self.names(pair);
            let was_touching = !began.contains(pair);
            let was_owned = was_touching && self.was_owned(pair, name);
            let has_inner = self.has_inner(pair);
            let is_owned = has_inner || self.is_owned(pair);
            if is_owned && !has_inner {
                border_pairs.insert(name);
            }
            if was_touching && is_owned != was_owned {
                see(name, is_owned);
            }
        }
        for pair in self.world.began() {
            if !self.has_inner(pair) && !self.is_owned(pair) {
                continue;
            }
            let name = self.names(pair);
            self.began.push(name);
            if [pair.a, pair.b].iter().any(|id| self.has_arrived[id.index() as usize]) {
                see(name, true);
            }
        }
        for pair in self.world.ended() {
            let [a, b] = [pair.a, pair.b].map(|local| {
                let slot = local.index() as usize;
                if self.slots.locals[slot] == local && self.slots.roles[slot] != Role::Free {
                    return (self.slots.ids[slot], None);
                }
                let (id, removed) = self.left[&local];
                (id, Some(removed))
            });
            let name = PlanePair::from([a.0, b.0]);
            if !self.was_owned(pair, name) {
                continue;
            }
            self.ended.push(name);
            let is_removed = a.1 == Some(true) || b.1 == Some(true);
            if !is_removed && (a.1.is_some() || b.1.is_some()) {
                see(name, false);
            }
        }
        self.border_pairs = border_pairs;
        for slot in self.entered.drain(..) {
            let role = &mut self.slots.roles[slot as usize];
            if *role == Role::Entered {
                *role = Role::Inner;
            }
        }
        self.exited.clear();
        for slot in self.arrived.drain(..) {
            self.has_arrived[slot as usize] = false;
        }
        self.left.clear();
    }

    fn has_inner(&self, pair: &Pair) -> bool {
        let is_inner = |id: &ColliderId| {
            matches!(self.slots.roles[id.index() as usize], Role::Inner | Role::Entered)
        };
        [pair.a, pair.b].iter().any(is_inner)
    }

    /// Tests whether a pair that touched at the last update belonged to this region then.
    fn was_owned(&self, pair: &Pair, name: PlanePair) -> bool {
        let was_inner = |id: &ColliderId| {
            self.slots.roles[id.index() as usize] == Role::Inner
                || self.exited.contains(&id.index())
        };
        [pair.a, pair.b].iter().any(was_inner) || self.border_pairs.contains(&name)
    }

    /// Tests whether a pair of overlapping boxes belongs to this region.
    fn is_owned(&self, pair: &Pair) -> bool {
        let [a, b] = [pair.a, pair.b].map(|local| self.bounds(local.index() as usize));
        self.rect.contains([a.x0.max(b.x0), a.y0.max(b.y0)])
    }

    fn names(&self, pair: &Pair) -> PlanePair {
        [self.name(pair.a), self.name(pair.b)].into()
    }

    /// Returns the touching pairs of this region.
    pub(crate) fn touching(&self) -> impl Iterator<Item = PlanePair> {
        let is_here =
            |pair: &&Pair| self.has_inner(pair) || self.border_pairs.contains(&self.names(pair));
        self.world.touching().iter().filter(is_here).map(|pair| self.names(pair))
    }

    /// Returns the load, with the cut that halves the colliders at home.
    pub(crate) fn load(&self) -> Load {
        let [colliders, _] = self.counts();
        // A sample suffices: 1,024 of them err by 3% or less.
        let is_home = |slot: &usize| self.slots.roles[*slot].is_home();
        let step = (self.slots.roles.len() / 1024).max(1);
        let mut corners: Vec<[i32; 2]> = (0..self.slots.roles.len())
            .step_by(step)
            .filter(is_home)
            .map(|slot| self.bounds(slot))
            .map(|bounds| [bounds.x0, bounds.y0])
            .collect();
        let mut cut = None;
        if corners.len() > 1 {
            let extent = [0, 1].map(|axis| {
                let values = corners.iter().map(|corner| corner[axis]);
                values.clone().max().unwrap_or(0).abs_diff(values.min().unwrap_or(0))
            });
            let axis = usize::from(extent[1] > extent[0]);
            let middle = corners.len() / 2;
            let (_, corner, _) = corners.select_nth_unstable_by_key(middle, |corner| corner[axis]);
            cut = Some((axis as u8, corner[axis]));
        }
        Load { region: self.id, colliders: colliders as u64, cut }
    }
}

impl<D: Clone + Serialize + for<'de> Deserialize<'de>> Region<D> {
    /// Returns the region as bytes: its world, and what it keeps beside it. Only right after an update.
    pub(crate) fn save(&self) -> Result<Vec<u8>, postcard::Error> {
        let kept = (
            (self.id, self.rect),
            (&self.slots, &self.data),
            (&self.ghosts_of, &self.home_of),
            (&self.border_pairs, &self.began, &self.ended),
        );
        postcard::to_stdvec(&(kept, self.world.snapshot()))
    }

    /// Reads what [`save`](Self::save) has written, for worlds like `template`.
    pub(crate) fn load_saved(bytes: &[u8], template: &World) -> Result<Self, String> {
        let (kept, snapshot): (Kept<D>, Vec<u8>) =
            postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
        let mut world = template.clone();
        world.restore(&snapshot).map_err(|error| error.to_string())?;
        let mut by_id = HashMap::with_capacity_and_hasher(world.len(), Default::default());
        let ((id, rect), (slots, data), (ghosts_of, home_of), (border_pairs, began, ended)) = kept;
        let count = slots.roles.len();
        let is_whole =
            [slots.ids.len(), slots.locals.len(), slots.placements.len(), data.len()] == [count; 4];
        if !is_whole {
            return Err("the lists of the region differ in length".into());
        }
        for (slot, role) in slots.roles.iter().enumerate().filter(|(_, role)| **role != Role::Free)
        {
            if world.get(slots.locals[slot]).is_none()
                || (*role != Role::Ghost && data[slot].is_none())
            {
                return Err(format!("collider {} is incomplete", slots.ids[slot]));
            }
            by_id.insert(slots.ids[slot], slot as u32);
        }
        let home = slots.roles.iter().zip(&slots.locals).filter(|(role, _)| role.is_home());
        let reach = home.map(|(_, &local)| reach_of(&world, local)).fold(0.0, f32::max);
        Ok(Self {
            slots,
            data,
            by_id,
            ghosts_of,
            home_of,
            has_arrived: vec![false; count],
            reach,
            border_pairs,
            began,
            ended,
            ..Self::new(id, rect, world)
        })
    }
}

impl Slots {
    /// Marks a collider at home as changed.
    pub(crate) fn touch(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_dirty[slot as usize], true) {
            self.dirty.push(slot);
        }
    }
}

/// Returns the mask pixel of a position, in pixels. It saturates at the ends of the plane.
pub(crate) fn pixel_of(world: &World, position: [f32; 2]) -> Point {
    let [x, y] = position.map(|p| (p * world.atlas().resolution()).floor() as i32);
    Point::new(x, y)
}

/// Returns an upper bound on the distance from the position to the sides of the box, in mask pixels, at any angle.
fn reach_of(world: &World, local: ColliderId) -> f32 {
    let of_sprite = |collider: &Collider| {
        let sprite = world.sprite(collider.shape.sprite()?)?;
        let (size, pivot) = (sprite.frame_size(collider.frame)?, sprite.pivot(collider.frame)?);
        let side = |axis: usize| {
            let [end, pivot] = [size[axis] as f32, pivot[axis] as f32 / 2.0];
            pivot.abs().max((end - pivot).abs())
        };
        Some(side(0).hypot(side(1)) * sprite.scales().last()? * world.atlas().resolution())
    };
    // A runtime mask never turns.
    let of_mask = |collider: &Collider| {
        let (rect, [x, y]) =
            (world.rect(local)?, collider.position.map(|p| p * world.atlas().resolution()));
        let [x, y] = [(rect.x0, rect.x1, x), (rect.y0, rect.y1, y)]
            .map(|(from, to, at)| (from as f32 - at).abs().max((to as f32 - at).abs()));
        Some(x.max(y))
    };
    let reach =
        world.get(local).and_then(|collider| of_sprite(&collider).or_else(|| of_mask(&collider)));
    // Snapping, the half-texel of the pivot, and rounding outwards.
    reach.unwrap_or(0.0) + 4.0
}
