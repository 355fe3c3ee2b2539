//! [`Question`] and [`Answer`]: queries of the whole plane.

use crate::error::Error;
use crate::ids::PlaneId;
use crate::partition::grown;
use crate::plane::{Data, Plane};
use hitmask::{Accuracy, CallError, ColliderId, Filter, Line, LineHit, Rect, World, Zone};
use serde::{Deserialize, Serialize};

/// What a [`Question`] asks for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// The colliders with a pixel in a rectangle, in mask pixels: [`World::query`].
    Rect(Rect),
    /// The colliders with a pixel in a circle of a centre and a radius, in pixels: [`World::query`].
    Circle([f32; 2], f32),
    /// The first collider on a line between two positions, in pixels: [`World::ray`].
    Ray([f32; 2], [f32; 2]),
    /// The collider nearest to a position within a distance, in pixels: [`World::nearest`].
    Nearest([f32; 2], f32),
}

/// A query of the whole plane, for [`Plane::ask`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked for.
    pub shape: Shape,
    /// Colliders on at least one of these layers, one bit each.
    pub layers: u32,
    /// Whether sensors are included.
    pub sensors: bool,
    /// [`Accuracy::Box`] tests boxes, any other pixels.
    pub accuracy: Accuracy,
}

impl Question {
    /// Returns the question for all colliders, by their pixels.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape, layers: u32::MAX, sensors: true, accuracy: Accuracy::Exact }
    }

    pub(crate) fn filter(&self) -> Filter<'static> {
        let &Self { layers, sensors, accuracy, .. } = self;
        Filter { layers, sensors, accuracy, ..Filter::ALL }
    }

    /// Returns a box of all pixels that may decide the answer.
    fn bounds(&self, resolution: f32) -> Result<Rect, CallError> {
        let bounds = match self.shape {
            Shape::Rect(rect) => return Ok(rect),
            Shape::Circle(center, radius) | Shape::Nearest(center, radius) => {
                Zone::circle(center, radius)?;
                let [x, y] = center.map(f64::from);
                let radius = f64::from(radius);
                [x - radius, y - radius, x + radius, y + radius]
            }
            Shape::Ray(from, to) => {
                Line::new(from, to)?;
                let [[x0, y0], [x1, y1]] = [from, to].map(|end| end.map(f64::from));
                [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
            }
        };
        // Rounds outwards, and saturates at the ends of the plane.
        let [x0, y0, x1, y1] = bounds.map(|value| (value * f64::from(resolution)).floor() as i32);
        Ok(grown(Rect::new(x0, y0, x1, y1), 2))
    }

    /// Asks one world. `name` gives the order of ids.
    fn ask(
        &self,
        world: &World,
        name: impl Fn(ColliderId) -> PlaneId,
    ) -> Result<Answer, CallError> {
        let filter = self.filter();
        let zone = |zone: Zone| {
            let mut found: Vec<PlaneId> =
                world.query(&zone, filter)?.into_iter().map(&name).collect();
            found.sort_unstable();
            Ok(Answer::Colliders(found))
        };
        match self.shape {
            Shape::Rect(rect) => zone(Zone::rect(rect)),
            Shape::Circle(center, radius) => zone(Zone::circle(center, radius)?),
            Shape::Ray(from, to) => {
                let line = Line::new(from, to)?;
                let Some((first, hit)) = world.ray(&line, filter)? else {
                    return Ok(Answer::Ray(None));
                };
                // Of the colliders with this pixel the lowest id of the plane wins, not that of the world.
                let pixel = Rect::new(hit.point.x, hit.point.y, hit.point.x + 1, hit.point.y + 1);
                let there = world.query(&Zone::rect(pixel), filter)?;
                let lowest = there.into_iter().min_by_key(|&id| name(id)).unwrap_or(first);
                let keep = |id| id == lowest;
                let hit = if lowest == first {
                    Some((first, hit))
                } else {
                    world.ray(&line, Filter { keep: Some(&keep), ..filter })?
                };
                Ok(Answer::Ray(hit.map(|(id, hit)| (name(id), hit))))
            }
            Shape::Nearest(at, within) => {
                let mut best: Option<(PlaneId, f64)> = None;
                let mut seen = Vec::new();
                loop {
                    let keep = |id: ColliderId| !seen.contains(&id);
                    let next = world.nearest(at, within, Filter { keep: Some(&keep), ..filter })?;
                    let Some((id, distance)) =
                        next.filter(|next| best.is_none_or(|best| next.1 <= best.1))
                    else {
                        return Ok(Answer::Nearest(best));
                    };
                    seen.push(id);
                    best = Some(
                        best.map_or((name(id), distance), |best| (best.0.min(name(id)), distance)),
                    );
                }
            }
        }
    }
}

/// The answer to a [`Question`]. Of colliders that are equally near, the one of lowest id is named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The colliders of a zone, in order of their ids.
    Colliders(Vec<PlaneId>),
    /// The first collider on a line.
    Ray(Option<(PlaneId, LineHit)>),
    /// The nearest collider and its distance, in pixels.
    Nearest(Option<(PlaneId, f64)>),
}

impl Answer {
    /// Joins the answers of two worlds.
    fn join(&mut self, other: Self) {
        match (self, other) {
            (Self::Colliders(all), Self::Colliders(others)) => {
                all.extend(others);
                all.sort_unstable();
                all.dedup();
            }
            (Self::Ray(best), Self::Ray(Some(other)))
                if best.is_none_or(|best| (other.1.step, other.0) < (best.1.step, best.0)) =>
            {
                *best = Some(other);
            }
            (Self::Nearest(best), Self::Nearest(Some(other)))
                if best.is_none_or(|best| (other.1, other.0) < (best.1, best.0)) =>
            {
                *best = Some(other);
            }
            _ => {}
        }
    }
}

impl<D: Data> Plane<D> {
    /// Answers questions as one world with all colliders would, at their present places in every process. A call of
    /// all processes together; each may have other questions, or none.
    ///
    /// Costs two exchanges, one search per region that a question reaches, and the exchange of what has changed.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`](crate::ErrorKind::Call) for a question that a world refuses, and the errors of
    /// [`tick`](Self::tick).
    pub fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, Error> {
        self.sync(false)?;
        let resolution = self.template.atlas().resolution();
        let mut refused = None;
        let mut answers = Vec::with_capacity(questions.len());
        let mut sent = Vec::new();
        let here = self.process() as u16;
        for (i, question) in questions.iter().enumerate() {
            // The world without colliders refuses what any world does.
            let empty = question.ask(&self.template, |_| PlaneId::new(0, 0));
            match empty.and_then(|answer| Ok((answer, question.bounds(resolution)?))) {
                Err(error) => refused = refused.or(Some(error)),
                Ok((answer, bounds)) => {
                    answers.push(answer);
                    let processes = self.partition.processes(bounds).into_iter();
                    sent.extend(processes.map(|to| (to, (here, i as u32, *question))));
                }
            }
        }
        if refused.is_some() {
            sent.clear();
        }
        let asked = self.mesh.swap(sent, true)?;
        let mut found = Vec::with_capacity(asked.len());
        for (process, i, question) in asked {
            let bounds = question.bounds(resolution)?;
            let mut answer = question.ask(&self.template, |_| PlaneId::new(0, 0))?;
            for region in self.regions.iter().filter(|it| it.rect.intersection(bounds).is_some()) {
                answer.join(question.ask(&region.world, |id| region.name(id))?);
            }
            found.push((process, (i, answer)));
        }
        for (i, answer) in self.mesh.swap(found, true)? {
            if let Some(joined) = answers.get_mut(i as usize) {
                joined.join(answer);
            }
        }
        refused.map_or(Ok(answers), |error| Err(error.into()))
    }
}
