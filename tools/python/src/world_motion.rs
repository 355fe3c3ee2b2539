//! Motions of a world: casts, moves and pushes. Every pixel of the way is tested.

use crate::arrays::{self, column};
use crate::collider::{self, Id, filter, numbers};
use crate::errors::OrRaise;
use crate::mask::{MaskArg, PyMask};
use crate::values::{Ij, Impact, Xy, ij, record, side_name, xy};
use crate::world::{PyWorld, body};
use hitmask::{ColliderId, Filter, MoveRules};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;

record! {
    /// What a motion hits.
    Hit {
        /// The id of the collider.
        collider: u64,
        /// The last free position of what moves, in pixels.
        position: (f32, f32),
        /// The top left corner of the first shared pixel, in pixels: where a shell carves.
        point: (f32, f32),
        /// Step, offsets and normal of the contact, in mask pixels.
        impact: Impact,
    }
}

record! {
    /// What the motion of an owner's colliders hits.
    BodyHit {
        /// The collider of the owner that hits.
        part: u64,
        /// What it hits: ("owner", number), or ("collider", id).
        body: (&'static str, u64),
        /// The hit of that collider.
        hit: Hit,
    }
}

record! {
    /// The result of a move.
    MoveResult {
        /// The new position in pixels.
        position: (f32, f32),
        /// The distance moved in mask pixels.
        translation: (i32, i32),
        /// The colliders that ended a part of the motion, with the side of each, in the order of contact.
        contacts: Vec<(u64, &'static str)>,
        /// The sensors on the way.
        passed: Vec<u64>,
        /// The obstacles that it still overlaps. Usually empty.
        stuck_in: Vec<u64>,
    }
}

/// The results of many moves as columns, in the order of the moves.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct MoveResults {
    /// The new positions in pixels: (n, 2) of float32.
    position: Py<PyArray2<f32>>,
    /// The distances moved in mask pixels: (n, 2) of int32.
    translation: Py<PyArray2<i32>>,
    /// Who was stopped by what, as ids: (k, 2) of uint64.
    contacts: Py<PyArray2<u64>>,
    /// The side of each contact as seen from the collider that moved: k texts.
    sides: Vec<&'static str>,
    /// Who met which sensor on the way, as ids: (k, 2) of uint64.
    passed: Py<PyArray2<u64>>,
    /// Who still overlaps which obstacle, as ids: (k, 2) of uint64. Usually empty.
    stuck_in: Py<PyArray2<u64>>,
}

fn hit(hit: hitmask::Hit) -> Hit {
    Hit {
        collider: hit.collider.to_bits(),
        position: xy(hit.position),
        point: xy(hit.point),
        impact: hit.impact.into(),
    }
}

fn mask_hit((id, impact): (ColliderId, hitmask::Impact)) -> (u64, Impact) {
    (id.to_bits(), impact.into())
}

fn body_hit(found: hitmask::BodyHit) -> BodyHit {
    BodyHit { part: found.part.to_bits(), body: body(found.body), hit: hit(found.hit) }
}

/// A function of Python that tells which colliders count. Keeps the first exception.
struct Among<'a, 'py> {
    call: Option<&'a Bound<'py, PyAny>>,
    raised: RefCell<Option<PyErr>>,
}

impl<'a, 'py> Among<'a, 'py> {
    fn new(call: Option<&'a Bound<'py, PyAny>>) -> Self {
        Self { call, raised: RefCell::new(None) }
    }

    fn keeps(&self, id: ColliderId) -> bool {
        let Some(call) = self.call else { return true };
        let answer = call.call1((id.to_bits(),)).and_then(|answer| answer.is_truthy());
        answer.unwrap_or_else(|error| {
            self.raised.borrow_mut().get_or_insert(error);
            false
        })
    }

    /// Returns the result, or the exception of the function.
    fn finish<T>(self, result: T) -> PyResult<T> {
        self.raised.into_inner().map_or(Ok(result), Err)
    }
}

#[pymethods]
impl PyWorld {
    /// Returns what a collider, moved by (dx, dy) pixels, would hit first, or None. `among(id)` tells which
    /// obstacles count.
    #[pyo3(signature = (id, motion, *, among=None))]
    fn cast(&self, id: Id, motion: Xy, among: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Hit>> {
        let among = Among::new(among);
        let found = self.read(|world| {
            world
                .cast(id.0, motion, Filter { keep: Some(&|id| among.keeps(id)), ..Filter::SOLID })
                .or_raise()
        })?;
        among.finish(found.map(hit))
    }

    /// Returns all that a collider, moved by (dx, dy) pixels, would hit, in order. `among(id)` tells which
    /// obstacles count.
    #[pyo3(signature = (id, motion, *, among=None))]
    fn cast_all(&self, id: Id, motion: Xy, among: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Hit>> {
        let among = Among::new(among);
        let found = self.read(|world| {
            world
                .cast_all(id.0, motion, Filter { keep: Some(&|id| among.keeps(id)), ..Filter::ALL })
                .or_raise()
        })?;
        among.finish(found.into_iter().map(hit).collect())
    }

    /// Returns what a mask at a mask pixel, moved by (dx, dy) mask pixels, would hit first: the id and the
    /// impact; or None. Keyword arguments as of `query_point`.
    #[pyo3(signature = (mask, at, motion, **filter))]
    fn cast_mask(
        &self,
        mask: MaskArg<'_, PyMask>,
        at: Ij,
        motion: Ij,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<(u64, Impact)>> {
        let (mask, filter) = (mask.try_borrow()?, self::filter(filter)?);
        self.read(|world| Ok(world.probe(&mask.0, at).cast(motion, filter).map(mask_hit)))
    }

    /// Returns all that a mask at a mask pixel, moved by (dx, dy) mask pixels, would hit, in order. Keyword
    /// arguments as of `query_point`.
    #[pyo3(signature = (mask, at, motion, **filter))]
    fn cast_mask_all(
        &self,
        mask: MaskArg<'_, PyMask>,
        at: Ij,
        motion: Ij,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(u64, Impact)>> {
        let (mask, filter) = (mask.try_borrow()?, self::filter(filter)?);
        self.read(|world| {
            let found = world.probe(&mask.0, at).cast_all(motion, filter);
            Ok(found.into_iter().map(mask_hit).collect())
        })
    }

    /// Moves a collider by (dx, dy) pixels up to the first obstacle. Returns the hit that ended the motion,
    /// or None.
    fn move_until_contact(&self, id: Id, motion: Xy) -> PyResult<Option<Hit>> {
        self.write(|world| {
            Ok(world.move_until_contact(id.0, motion, Filter::SOLID).or_raise()?.map(hit))
        })
    }

    /// Moves a collider by (dx, dy) pixels: it stops flat at walls and floors and walks up slopes.
    ///
    /// `climb` is the pixels to step up per pixel sideways; `slip` those to slip to a free side per pixel of
    /// motion; `one_way` the layers of platforms that block only what comes down on them, and `rise` the
    /// largest rise of such a platform between two moves, in pixels. `among(id)` tells which obstacles count;
    /// it cannot enter this world.
    #[pyo3(signature = (id, motion, *, climb=1, slip=0, one_way=0, rise=2, among=None))]
    fn move_and_slide(
        &self,
        id: Id,
        motion: Xy,
        climb: u32,
        slip: u32,
        one_way: u32,
        rise: u32,
        among: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<MoveResult> {
        let among = Among::new(among);
        let rules = MoveRules { climb, slip, one_way, rise };
        let keep = |id: ColliderId| among.keeps(id);
        self.write(|world| {
            let before = world.get(id.0);
            let moved = world
                .move_by_rules(id.0, motion, rules, Filter { keep: Some(&keep), ..Filter::SOLID })
                .or_raise()?;
            if let (true, Some(before)) = (among.raised.borrow().is_some(), before) {
                world.set(id.0, before).or_raise()?;
            }
            let contact = |(id, side): (ColliderId, _)| (id.to_bits(), side_name(side));
            Ok(MoveResult {
                position: xy(moved.position),
                translation: ij(moved.translation),
                contacts: moved.contacts.into_iter().map(contact).collect(),
                passed: numbers(moved.passed),
                stuck_in: numbers(moved.stuck_in),
            })
        })
        .and_then(|moved| among.finish(moved))
    }

    /// Moves many colliders, one after another, and gives what calls of `move_and_slide` in this order give.
    ///
    /// `ids` is (n,) of uint64 and `motions` (n, 2) of float32 in pixels. Moves run on several threads. All are
    /// moved, or none: an error names the first bad item.
    #[pyo3(signature = (ids, motions, *, climb=1, slip=0, one_way=0, rise=2))]
    fn move_all(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        motions: &Bound<'_, PyAny>,
        climb: u32,
        slip: u32,
        one_way: u32,
        rise: u32,
    ) -> PyResult<MoveResults> {
        let ids = collider::ids(ids, "ids")?;
        let motions = arrays::read::<f32, _>(motions, "motions", &[ids.len(), 2], |by, _| {
            by.as_chunks::<2>().0.to_vec()
        })?;
        let rules = MoveRules { climb, slip, one_way, rise };
        let mut moves = Vec::with_capacity(ids.len());
        self.write(|world| {
            let each = |_, moved| moves.push(moved);
            py.detach(|| world.move_all(&ids, &motions, rules, Filter::SOLID, each)).or_raise()
        })?;
        let each = || ids.iter().zip(&moves);
        let pairs = |of: fn(&hitmask::MoveResult) -> Vec<ColliderId>| {
            let pairs =
                each().flat_map(|(id, moved)| of(moved).into_iter().map(|other| [*id, other]));
            let bits = pairs.map(|pair| pair.map(ColliderId::to_bits));
            column(py, bits.collect::<Vec<_>>())
        };
        let contacts = moves.iter().flat_map(|moved| &moved.contacts);
        Ok(MoveResults {
            position: column(py, moves.iter().map(|moved| moved.position))?,
            translation: column(py, moves.iter().map(|moved| moved.translation.into()))?,
            contacts: pairs(|moved| moved.contacts.iter().map(|(other, _)| *other).collect())?,
            sides: contacts.map(|&(_, side)| side_name(side)).collect(),
            passed: pairs(|moved| moved.passed.clone())?,
            stuck_in: pairs(|moved| moved.stuck_in.clone())?,
        })
    }

    /// Returns the shortest translation, at most `radius` pixels, that frees a collider from all
    /// obstacles: (0, 0) if it is free, None if no place within the radius is.
    fn push_out(&self, id: Id, radius: f32) -> PyResult<Option<(f32, f32)>> {
        self.read(|world| {
            Ok(world.push_out(id.0, radius, Filter::SOLID).or_raise()?.map(Into::into))
        })
    }

    /// Returns what all colliders of an owner, moved together by (dx, dy) pixels, would hit first, or None.
    fn cast_body(&self, owner: u32, motion: Xy) -> PyResult<Option<BodyHit>> {
        self.read(|world| {
            Ok(world.bodies().cast(owner, motion, Filter::SOLID).or_raise()?.map(body_hit))
        })
    }

    /// Moves all colliders of an owner by (dx, dy) pixels up to the first obstacle of any. Returns the hit
    /// that ended the motion, or None.
    fn move_body(&self, owner: u32, motion: Xy) -> PyResult<Option<BodyHit>> {
        self.write(|world| {
            Ok(world.move_body(owner, motion, Filter::SOLID).or_raise()?.map(body_hit))
        })
    }

    /// Moves all colliders of an owner by (dx, dy) pixels, whatever is in the way.
    fn translate_body(&self, owner: u32, motion: Xy) -> PyResult<()> {
        self.write(|world| {
            world.move_body(owner, motion, Filter { layers: 0, ..Filter::SOLID }).or_raise()?;
            Ok(())
        })
    }
}
