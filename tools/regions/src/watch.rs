//! [`View`]: what a player sees of a plane, and what has changed of it since the last tick.

use crate::error::Error;
use crate::ids::PlaneId;
use crate::plane::{Data, Plane};
use hitmask::{Accuracy, Collider, Filter, Rect, Zone};
use std::cmp::Ordering;

/// A rectangle of a plane, as a game server shows it to a player: see [`Plane::watch`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    rect: Rect,
    seen: Vec<(PlaneId, Collider)>,
    came: Vec<(PlaneId, Collider)>,
    changed: Vec<(PlaneId, Collider)>,
    went: Vec<PlaneId>,
}

impl View {
    /// Returns a view of a rectangle, in mask pixels, that has seen nothing yet.
    #[must_use]
    pub fn new(rect: Rect) -> Self {
        Self { rect, ..Self::default() }
    }

    /// Moves the view. What comes and goes by that is told after the next [`Plane::watch`].
    pub const fn look_at(&mut self, rect: Rect) {
        self.rect = rect;
    }

    /// Returns the colliders whose boxes meet the rectangle, in order of their ids.
    #[must_use]
    pub fn seen(&self) -> &[(PlaneId, Collider)] {
        &self.seen
    }

    /// Returns those that were not seen before, in order of their ids.
    #[must_use]
    pub fn came(&self) -> &[(PlaneId, Collider)] {
        &self.came
    }

    /// Returns those that were seen before with other values, in order of their ids.
    #[must_use]
    pub fn changed(&self) -> &[(PlaneId, Collider)] {
        &self.changed
    }

    /// Returns those that were seen before and are not seen any more, in order of their ids.
    #[must_use]
    pub fn went(&self) -> &[PlaneId] {
        &self.went
    }

    /// Takes what is seen now, in any order. Regions that share a collider may name it several times.
    fn update(&mut self, mut now: Vec<(PlaneId, Collider)>) {
        now.sort_unstable_by_key(|(id, _)| *id);
        now.dedup_by_key(|(id, _)| *id);
        self.came.clear();
        self.changed.clear();
        self.went.clear();
        let mut old = self.seen.iter().peekable();
        for one in &now {
            while let Some((id, _)) = old.next_if(|(id, _)| *id < one.0) {
                self.went.push(*id);
            }
            match old.peek().map(|(id, before)| (id.cmp(&one.0), *before == one.1)) {
                Some((Ordering::Equal, is_equal)) => {
                    old.next();
                    if !is_equal {
                        self.changed.push(*one);
                    }
                }
                _ => self.came.push(*one),
            }
        }
        self.went.extend(old.map(|(id, _)| *id));
        self.seen = now;
    }
}

impl<D: Data> Plane<D> {
    /// Brings views up to date with the last [`tick`](Self::tick), wherever on the plane they are. Costs what is in
    /// them. A call of all processes together; each may have other views, or none.
    ///
    /// # Errors
    /// Returns the errors of [`tick`](Self::tick).
    pub fn watch(&mut self, views: &mut [View]) -> Result<(), Error> {
        let here = self.mesh.process;
        let mut asked = Vec::new();
        let mut now = Vec::with_capacity(views.len());
        for (i, view) in views.iter().enumerate() {
            now.push(self.visible(view.rect)?);
            let processes = self.partition.processes(view.rect).into_iter();
            let others = processes.filter(|&process| process != here);
            asked.extend(others.map(|to| (to, (here, i as u32, view.rect))));
        }
        let mut answers = Vec::new();
        for (process, i, rect) in self.mesh.swap(asked, true)? {
            answers.push((process, (i, self.visible(rect)?)));
        }
        for (i, seen) in self.mesh.swap(answers, true)? {
            if let Some(now) = now.get_mut(i as usize) {
                now.extend(seen);
            }
        }
        for (view, now) in views.iter_mut().zip(now) {
            view.update(now);
        }
        Ok(())
    }

    /// Returns the colliders of this process whose boxes meet a rectangle.
    fn visible(&self, rect: Rect) -> Result<Vec<(PlaneId, Collider)>, Error> {
        let mut found = Vec::new();
        let filter = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
        for region in self.regions.iter().filter(|it| it.rect.intersection(rect).is_some()) {
            for local in region.world.query(&Zone::rect(rect), filter)? {
                found
                    .extend(region.world.get(local).map(|collider| (region.name(local), collider)));
            }
        }
        Ok(found)
    }
}
