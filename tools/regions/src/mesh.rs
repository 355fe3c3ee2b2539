//! [`Mesh`]: rounds of messages between processes that are near each other, and a tree between all.
//!
//! A process sends a parcel to each process that is near, and waits for one of each. What all must know goes through
//! a binary tree of the processes, towards its root and back. So does a message to a process that is not near. Each
//! process has at most 3 others beside it in the tree, however many there are.

use crate::error::Error;
use crate::message::{Traffic, pack, unpack};
use crate::network::Network;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A message that goes through the tree.
#[derive(Serialize, Deserialize)]
struct Far<T> {
    from: u16,
    to: u16,
    value: T,
}

/// The processes of a plane, as one of them sees the others.
pub(crate) struct Mesh {
    /// `None` for the only process of a plane.
    pub(crate) network: Option<Network>,
    pub(crate) process: u16,
    /// The processes that take part, in order.
    pub(crate) members: Vec<u16>,
    /// The processes whose regions are near those of this one, in order. Each of them has this one in its list.
    pub(crate) near: Vec<u16>,
    pub(crate) traffic: Traffic,
}

/// The places beside one in a binary tree of `count` places, each of whose parts is consecutive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) parent: Option<usize>,
    /// The parts below. The first place of each is its root.
    pub(crate) parts: Vec<Range<usize>>,
}

impl Beside {
    pub(crate) fn new(place: usize, count: usize) -> Self {
        let (mut parent, mut part) = (None, 0..count);
        loop {
            let (from, end) = (part.start + 1, part.end);
            let middle = from + (end - from).div_ceil(2);
            let parts = [from..middle, middle..end];
            if place == part.start {
                return Self {
                    parent,
                    parts: parts.into_iter().filter(|it| !it.is_empty()).collect(),
                };
            }
            parent = Some(part.start);
            part = parts.into_iter().find(|it| it.contains(&place)).unwrap_or(place..count);
        }
    }

    /// Returns the places beside this one.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.parent.into_iter().chain(self.parts.iter().map(|part| part.start))
    }
}

impl Mesh {
    /// Sends values to processes and returns those that came, in order of their senders. With `far` the values may be
    /// for any process; else those for a process that is not near are a defect of the plane.
    ///
    /// # Errors
    /// Returns the errors of [`Network::receive`].
    pub(crate) fn swap<T: Serialize + DeserializeOwned>(
        &mut self,
        values: Vec<(u16, T)>,
        far: bool,
    ) -> Result<Vec<T>, Error> {
        Ok(self.swap_and_sum(values, far, (), |(), ()| ())?.0)
    }

    /// Does what [`swap`](Self::swap) does, and joins a value of every process. The sum is that of this process alone
    /// without `far`.
    pub(crate) fn swap_and_sum<T, S>(
        &mut self,
        values: Vec<(u16, T)>,
        far: bool,
        sum: S,
        join: impl Fn(S, S) -> S,
    ) -> Result<(Vec<T>, S), Error>
    where
        T: Serialize + DeserializeOwned,
        S: Clone + Serialize + DeserializeOwned,
    {
        let here = self.process;
        // Each value with its sender.
        let mut came: Vec<(u16, T)> = Vec::new();
        let mut near: Vec<Vec<T>> = Vec::new();
        near.resize_with(self.near.len(), Vec::new);
        let mut distant = Vec::new();
        for (to, value) in values {
            if to == here {
                came.push((here, value));
                continue;
            }
            self.traffic.messages += 1;
            match self.near.binary_search(&to) {
                Ok(i) => near[i].push(value),
                Err(_) => distant.push(Far { from: here, to, value }),
            }
        }
        debug_assert!(far || distant.is_empty(), "values for a process that is not near");
        self.begin(!self.near.is_empty());
        if !self.near.is_empty() {
            for (i, values) in near.into_iter().enumerate() {
                self.send(self.near[i], &pack(&values)?)?;
            }
            for i in 0..self.near.len() {
                let from = self.near[i];
                let values: Vec<T> = self.receive(from)?;
                came.extend(values.into_iter().map(|value| (from, value)));
            }
        }
        let mut total = sum.clone();
        if far {
            let (distant, sum) = self.sweep(distant, sum, join)?;
            total = sum;
            came.extend(distant.into_iter().map(|Far { from, value, .. }| (from, value)));
        }
        came.sort_by_key(|(from, _)| *from);
        Ok((came.into_iter().map(|(_, value)| value).collect(), total))
    }

    /// Tells every process a value, and returns those of all, in order of the processes.
    pub(crate) fn tell<T: Clone + Serialize + DeserializeOwned>(
        &mut self,
        value: T,
    ) -> Result<Vec<T>, Error> {
        let mut all = self.sum(vec![(self.process, value)], |mut a, b| {
            a.extend(b);
            a
        })?;
        all.sort_by_key(|(process, _)| *process);
        Ok(all.into_iter().map(|(_, value)| value).collect())
    }

    /// Joins a value of every process. `join` gives the same for any order.
    pub(crate) fn sum<S: Clone + Serialize + DeserializeOwned>(
        &mut self,
        value: S,
        join: impl Fn(S, S) -> S,
    ) -> Result<S, Error> {
        Ok(self.sweep(Vec::<Far<()>>::new(), value, join)?.1)
    }

    /// Passes values through the tree, towards the root and back: the messages to their processes, and the sum to all.
    fn sweep<T, S>(
        &mut self,
        mut rising: Vec<Far<T>>,
        mut sum: S,
        join: impl Fn(S, S) -> S,
    ) -> Result<(Vec<Far<T>>, S), Error>
    where
        T: Serialize + DeserializeOwned,
        S: Clone + Serialize + DeserializeOwned,
    {
        if self.network.is_none() {
            return Ok((rising, sum));
        }
        self.begin(self.members.len() > 1);
        let of = |members: &[u16], process| members.binary_search(&process).unwrap_or(usize::MAX);
        let place = of(&self.members, self.process);
        let Beside { parent, parts } = Beside::new(place, self.members.len());
        for part in &parts {
            let (more, other): (Vec<Far<T>>, S) = self.receive(self.members[part.start])?;
            rising.extend(more);
            sum = join(sum, other);
        }
        let end = parts.last().map_or(place + 1, |part| part.end);
        let is_below = |far: &Far<T>| (place..end).contains(&of(&self.members, far.to));
        let (mut sinking, rising): (Vec<_>, Vec<_>) = rising.into_iter().partition(is_below);
        if let Some(parent) = parent {
            let parent = self.members[parent];
            self.send(parent, &pack(&(rising, sum))?)?;
            let more: Vec<Far<T>>;
            (more, sum) = self.receive(parent)?;
            sinking.extend(more);
        }
        for part in parts {
            let is_there = |far: &Far<T>| part.contains(&of(&self.members, far.to));
            let (there, other): (Vec<_>, Vec<_>) = sinking.into_iter().partition(is_there);
            sinking = other;
            self.send(self.members[part.start], &pack(&(there, &sum))?)?;
        }
        Ok((sinking, sum))
    }

    /// Returns the processes beside this one in the tree.
    pub(crate) fn beside(&self) -> Vec<usize> {
        let place = self.members.binary_search(&self.process).unwrap_or_default();
        let beside = Beside::new(place, self.members.len());
        beside.places().map(|place| self.members[place].into()).collect()
    }

    /// Begins a round, in which this process waits for others or does not.
    fn begin(&mut self, waits: bool) {
        self.traffic.rounds += u64::from(waits);
        if let Some(network) = &mut self.network {
            network.round += 1;
        }
    }

    fn send(&mut self, process: u16, bytes: &[u8]) -> Result<(), Error> {
        self.traffic.parcels += 1;
        self.traffic.bytes += bytes.len() as u64;
        self.network.as_mut().map_or(Ok(()), |network| network.send(process.into(), bytes))
    }

    fn receive<T: DeserializeOwned>(&mut self, process: u16) -> Result<T, Error> {
        let process = usize::from(process);
        let bytes =
            self.network.as_mut().map_or(Ok(Vec::new()), |network| network.receive(process))?;
        unpack(process, &bytes)
    }
}
