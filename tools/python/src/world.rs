//! The class `World`: colliders, updates, pairs, atlases and snapshots.
//!
//! Invariant: the lock of a world is only tried, never waited for. A second thread, or a callback that
//! enters the same world, gets a `BusyError`.

use crate::arrays::{self, ANY, column};
use crate::atlas::PyAtlas;
use crate::collider::{self, Id, PyCollider, collider_id, numbers};
use crate::errors::{Kind, OrRaise, invalid, raise};
use crate::forks;
use crate::values::{
    self, AccuracyName, Contact, Corners, Overlap, Reduced, Xy, accuracy_name, corners, record,
    use_one_of,
};
use hitmask::{
    Accuracy, Angle, Atlas, AtlasId, Body, CallError, ColliderId, InUse, Pair, Placement,
    ScalePolicy, World,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// Colliders on the plane, and the pairs of them that touch.
///
/// Positions, distances and motions are in pixels, x right and y down, as pairs (x, y). Whole-number results
/// are mask pixels, which are pixels unless the atlas has another resolution. Angles are in radians,
/// clockwise on screen. Ids are whole numbers above 0; one of a removed collider stays stale.
///
/// A refused call leaves the world as it was. `update` releases the lock of the interpreter; a thread or a
/// callback that enters the same world meanwhile gets a `BusyError`. In the child of a fork a world works on
/// one thread.
#[pyclass(name = "World", module = "hitmask", frozen, weakref)]
pub(crate) struct PyWorld {
    inner: RwLock<Inner>,
}

/// A world with the buffers of its bulk calls.
struct Inner {
    world: World,
    ids: Vec<ColliderId>,
    placements: Vec<Placement>,
}

record! {
    /// The times of an update in seconds.
    UpdateTimings {
        /// Bounding boxes and their index.
        build: f64,
        /// The search for pairs of boxes.
        join: f64,
        /// The tests of their pixels.
        narrow: f64,
        /// Pairs that began and ended.
        events: f64,
        /// The number of pairs of boxes.
        pairs: usize,
    }
}

record! {
    /// Figures about the poses that a world has drawn of compact or several atlases.
    PoseStats {
        /// The number of drawn poses.
        poses: usize,
        /// The bytes of their masks.
        bytes: u64,
        /// The number of poses drawn since the last update.
        draws: u64,
        /// The most bytes; None for no limit.
        budget: Option<u64>,
    }
}

record! {
    /// Two bodies that touch: ("owner", number) for all colliders of an owner, or ("collider", id).
    BodyPair {
        /// The first body.
        a: (&'static str, u64),
        /// The second body.
        b: (&'static str, u64),
        /// The ids of the first of their colliders that touch.
        parts: (u64, u64),
    }
}

record! {
    /// What a replaced atlas has changed.
    ReloadReport {
        /// The id of the new atlas.
        atlas: u32,
        /// New sprites.
        added: Vec<String>,
        /// Sprites that the new atlas does not have.
        vanished: Vec<String>,
        /// Sprites with another number of frames, other sizes or fewer planes.
        changed: Vec<String>,
        /// Colliders that keep their old pixels, because the new atlas has no sprite, frame or plane for them.
        outdated: Vec<u64>,
    }
}

/// The contacts of many pairs as columns of equal length. Pairs without an overlap have an area of 0.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct Contacts {
    /// The ids: (n, 2) of uint64.
    pairs: Py<PyArray2<u64>>,
    /// The numbers of shared pixels: (n,) of uint64.
    area: Py<PyArray1<u64>>,
    /// The tight boxes as x0, y0, x1, y1: (n, 4) of int32.
    rect: Py<PyArray2<i32>>,
    /// The first shared pixels: (n, 2) of int32.
    point: Py<PyArray2<i32>>,
    /// The surface normals, of length 1, from the second to the first: (n, 2) of float32, or None.
    normal: Option<Py<PyArray2<f32>>>,
    /// The shortest translations of the first that end the overlaps: (n, 2) of int32, or None.
    push_out: Option<Py<PyArray2<i32>>>,
}

#[cold]
fn busy() -> PyErr {
    if forks::is_child() {
        return raise(
            Kind::Busy,
            "the world is in use, perhaps by a thread of the parent process when it forked",
            "fork while no thread uses the world, or make it again in the child, as from a snapshot",
        );
    }
    raise(
        Kind::Busy,
        "the world is in use by another thread, or by the call that has called this function back",
        "let one thread at a time use a world (threading.Lock), and change it after the callback",
    )
}

#[cold]
fn in_use<G>(error: TryLockError<G>) -> PyErr {
    if matches!(error, TryLockError::WouldBlock) {
        return busy();
    }
    raise(
        Kind::State,
        "an internal error has left the world half changed",
        "make a new world, as from the last snapshot, and report the first error",
    )
}

impl PyWorld {
    pub(crate) fn of(world: World) -> Self {
        Self { inner: RwLock::new(Inner { world, ids: Vec::new(), placements: Vec::new() }) }
    }

    fn inner(&self) -> PyResult<RwLockReadGuard<'_, Inner>> {
        forks::prepare()?;
        self.inner.try_read().map_err(in_use)
    }

    fn inner_mut(&self) -> PyResult<RwLockWriteGuard<'_, Inner>> {
        forks::prepare()?;
        self.inner.try_write().map_err(in_use)
    }

    /// Calls a function with the world.
    #[inline]
    pub(crate) fn read<R>(&self, with: impl FnOnce(&World) -> PyResult<R>) -> PyResult<R> {
        with(&self.inner()?.world)
    }

    /// Calls a function that may change the world.
    #[inline]
    pub(crate) fn write<R>(&self, with: impl FnOnce(&mut World) -> PyResult<R>) -> PyResult<R> {
        with(&mut self.inner_mut()?.world)
    }
}

/// Returns an exception for the lists of pairs of a world that was never updated.
fn updated(world: &World) -> PyResult<&World> {
    if world.is_updated() || world.is_empty() {
        return Ok(world);
    }
    let help = "call World.update once per frame, after the moves";
    Err(raise(Kind::State, "no pair is known before the first update", help))
}

/// Returns a rule for scales that no pose is baked at.
fn scale_policy(given: &Bound<'_, PyAny>) -> PyResult<ScalePolicy> {
    if let Ok(name) = given.extract::<String>() {
        return match &name[..] {
            "nearest" => Ok(ScalePolicy::Nearest),
            "exact" => Ok(ScalePolicy::Exact),
            _ => Err(invalid(
                format!("scale_policy is {name:?}"),
                format!("{}, or a factor of at least 1", use_one_of(&name, &["nearest", "exact"])),
            )),
        };
    }
    Ok(ScalePolicy::Within(given.extract()?))
}

pub(crate) fn body(given: Body) -> (&'static str, u64) {
    match given {
        Body::Owner(owner) => ("owner", owner.into()),
        Body::Collider(id) => ("collider", id.to_bits()),
    }
}

fn body_pairs(pairs: Vec<hitmask::BodyPair>) -> Vec<BodyPair> {
    let pair = |pair: hitmask::BodyPair| BodyPair {
        a: body(pair.a),
        b: body(pair.b),
        parts: pair.parts.map(ColliderId::to_bits).into(),
    };
    pairs.into_iter().map(pair).collect()
}

/// Makes the placements of a bulk call. `angle` and `turn` without a value keep the angles.
fn placements(
    world: &World,
    ids: &[ColliderId],
    xy: &Bound<'_, PyAny>,
    angle: Option<&Bound<'_, PyAny>>,
    turn: Option<&Bound<'_, PyAny>>,
    into: &mut Vec<Placement>,
) -> PyResult<()> {
    into.clear();
    let count = ids.len();
    arrays::read::<f32, _>(xy, "xy", &[count, 2], |xy, _| {
        let place = |xy: &[f32]| Placement { position: [xy[0], xy[1]], ..Placement::default() };
        into.extend(xy.chunks_exact(2).map(place));
    })?;
    read_angles(angle, turn, count, into.iter_mut().map(|placement| &mut placement.angle))?;
    if angle.is_none() && turn.is_none() {
        for (placement, &id) in into.iter_mut().zip(ids) {
            // The world refuses a stale id itself.
            placement.angle = world.get(id).map(|collider| collider.angle).unwrap_or_default();
        }
    }
    Ok(())
}

/// Reads the angles of `count` items in radians, or in 65,536ths of a turn. Without an array they stay.
pub(crate) fn read_angles<'a>(
    angle: Option<&Bound<'_, PyAny>>,
    turn: Option<&Bound<'_, PyAny>>,
    count: usize,
    into: impl Iterator<Item = &'a mut Angle>,
) -> PyResult<()> {
    match (angle, turn) {
        (Some(angle), None) => arrays::read::<f32, _>(angle, "angle", &[count], |angles, _| {
            into.zip(angles).for_each(|(place, &angle)| *place = angle.into());
        }),
        (None, Some(turn)) => arrays::read::<u16, _>(turn, "turn", &[count], |turns, _| {
            into.zip(turns).for_each(|(place, &turn)| *place = Angle::turn(turn));
        }),
        (None, None) => Ok(()),
        _ => Err(invalid("both angle and turn are given", "pass one of them")),
    }
}

#[pymethods]
impl PyWorld {
    /// Makes a world over the sprites of an atlas.
    ///
    /// `accuracy` is the finest at which pairs are tested: "exact", "coarse" or "box". `scale_policy` tells
    /// how far from a baked scale a collider may be: a factor (1.5), "nearest" or "exact".
    #[new]
    #[pyo3(signature = (atlas, *, accuracy=AccuracyName(Accuracy::Exact), scale_policy=None))]
    #[pyo3(text_signature = "(atlas, *, accuracy='exact', scale_policy=1.5)")]
    fn new(
        atlas: &Bound<'_, PyAtlas>,
        accuracy: AccuracyName,
        scale_policy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        forks::prepare()?;
        let mut world = World::new(atlas.get().0.clone());
        world.set_accuracy(accuracy.0);
        if let Some(policy) = scale_policy {
            world.set_scale_policy(self::scale_policy(policy)?).or_raise()?;
        }
        Ok(Self::of(world))
    }

    /// Adds a collider and returns its id.
    ///
    /// `sprite` is a name, a `Sprite` or its id; or `mask` is an id of `insert_mask`. `at` is the position of
    /// the pivot in pixels. `angle` is in radians, clockwise on screen; `turn` instead in 65,536ths of a
    /// turn. More arguments: scale=1.0, frame=0, plane=0 (a number or a name), flip_x, flip_y, layers=1,
    /// collides_with (all), owner=0, min_overlap=0 (pixels), min_size=(width, height), fixed, sensor,
    /// enabled=True, accuracy="exact", move_accuracy, user_data=0.
    #[pyo3(signature = (sprite=None, at=Xy([0.0, 0.0]), *, mask=None, **options))]
    #[pyo3(text_signature = "($self, sprite=None, at=(0.0, 0.0), *, mask=None, **options)")]
    fn insert(
        &self,
        sprite: Option<&Bound<'_, PyAny>>,
        at: Xy,
        mask: Option<u64>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u64> {
        self.write(|world| {
            let mut collider = collider::shape_of(world, sprite, mask)?.at(at);
            if let Some(options) = options {
                collider::change(world, &mut collider, options)?;
            }
            Ok(world.insert(collider).or_raise()?.to_bits())
        })
    }

    /// Changes what the arguments name of a collider: those of `insert`.
    #[pyo3(signature = (id, **options))]
    fn set(&self, id: Id, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        self.write(|world| {
            let mut collider = id.find(world)?;
            if let Some(options) = options {
                collider::change(world, &mut collider, options)?;
            }
            world.set(id.0, collider).or_raise()
        })
    }

    /// Returns a collider. Raises a `KeyError`.
    fn get(&self, id: Id) -> PyResult<PyCollider> {
        self.read(|world| {
            let found = id.find(world)?;
            Ok(PyCollider::of(world, &found))
        })
    }

    /// Removes a collider. Its id stays stale. Raises a `KeyError`.
    fn remove(&self, id: Id) -> PyResult<()> {
        self.write(|world| {
            id.find(world)?;
            world.remove(id.0);
            Ok(())
        })
    }

    /// Returns the ids of all colliders, in the order of their slots, as an array (n,) of uint64.
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.read(|world| Ok(arrays::ids(py, world.iter().map(|(id, _)| id))))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.read(|world| Ok(world.len()))
    }

    fn __contains__(&self, id: u64) -> PyResult<bool> {
        self.read(|world| Ok(ColliderId::from_bits(id).is_some_and(|id| world.get(id).is_some())))
    }

    fn __repr__(&self) -> String {
        match self.inner() {
            Ok(inner) => format!("<hitmask.World of {} colliders>", inner.world.len()),
            Err(_) => "<hitmask.World in use>".into(),
        }
    }

    /// Moves a collider to a position in pixels.
    fn move_to(&self, id: Id, at: Xy) -> PyResult<()> {
        self.write(|world| world.move_to(id.0, at).or_raise())
    }

    /// Turns a collider to an angle in radians, or to 65,536ths of a turn.
    #[pyo3(signature = (id, angle=0.0, *, turn=None))]
    fn turn_to(&self, id: Id, angle: f32, turn: Option<u16>) -> PyResult<()> {
        self.write(|world| {
            let collider = id.find(world)?;
            world.set(id.0, collider.turned(values::angle(angle, turn))).or_raise()
        })
    }

    /// Places a collider at a position in pixels, an angle in radians and a scale at once.
    #[pyo3(signature = (id, at, angle=0.0, scale=1.0, *, turn=None))]
    fn place(&self, id: Id, at: Xy, angle: f32, scale: f32, turn: Option<u16>) -> PyResult<()> {
        self.write(|world| world.place(id.0, at, values::angle(angle, turn), scale).or_raise())
    }

    /// Places many colliders at once: all, or none.
    ///
    /// `ids` is (n,) of uint64, `xy` (n, 2) of float32 in pixels, `angle` (n,) of float32 in radians, `turn`
    /// instead (n,) of uint16, `scale` (n,) of float32. Without angle or scale they stay. Arrays of these types
    /// are read in place; others are converted. An error names the first bad item.
    #[pyo3(signature = (ids, xy, angle=None, scale=None, *, turn=None))]
    fn set_placements(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        xy: &Bound<'_, PyAny>,
        angle: Option<&Bound<'_, PyAny>>,
        scale: Option<&Bound<'_, PyAny>>,
        turn: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut inner = self.inner_mut()?;
        let Inner { world, ids: colliders, placements } = &mut *inner;
        arrays::read::<u64, _>(ids, "ids", &[ANY], |bits, _| {
            colliders.clear();
            for &bits in bits {
                colliders.push(collider_id(bits)?);
            }
            PyResult::Ok(())
        })??;
        self::placements(world, colliders, xy, angle, turn, placements)?;
        let (colliders, placements) = (&*colliders, &*placements);
        let Some(scale) = scale else {
            return py.detach(|| world.set_placements(colliders, placements)).or_raise();
        };
        let scales = arrays::read::<f32, _>(scale, "scale", &[colliders.len()], |scales, _| {
            scales.to_vec()
        })?;
        py.detach(|| place_all(world, colliders, placements, &scales)).or_raise()
    }

    /// Finds all pairs that touch. Call it once per frame, after the moves.
    ///
    /// `keep(a, b, contact)` is called for each pair that touches and tells whether it counts; it may read
    /// the results of other worlds, but not enter this one. If it raises, `touching` stays that of the last
    /// update, `began` and `ended` are empty, and the next update finds what has changed since.
    #[pyo3(signature = (keep=None))]
    fn update(&self, py: Python<'_>, keep: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut inner = self.inner_mut()?;
        let world = &mut inner.world;
        let Some(keep) = keep else {
            py.detach(|| world.update());
            return Ok(());
        };
        let mut raised = None;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            world.update_with(|found| {
                let pair = found.pair();
                let contact = found.contact().map(Contact::from);
                let answer = keep.call1((pair.a.to_bits(), pair.b.to_bits(), contact));
                answer.and_then(|answer| answer.is_truthy()).unwrap_or_else(|error| {
                    raised = Some(error);
                    // Ends the update as the library documents it, without a message.
                    resume_unwind(Box::new(()))
                })
            });
        }));
        match (ended, raised) {
            (_, Some(error)) => Err(error),
            (Err(panic), None) => resume_unwind(panic),
            (Ok(()), None) => Ok(()),
        }
    }

    /// As `update`, and returns the times of its parts.
    fn update_timed(&self, py: Python<'_>) -> PyResult<UpdateTimings> {
        let mut inner = self.inner_mut()?;
        let world = &mut inner.world;
        let times = py.detach(|| world.update_timed());
        Ok(UpdateTimings {
            build: times.build.as_secs_f64(),
            join: times.join.as_secs_f64(),
            narrow: times.narrow.as_secs_f64(),
            events: times.events.as_secs_f64(),
            pairs: times.pairs,
        })
    }

    /// Returns the pairs that touched at the last update: ids as an array (n, 2) of uint64.
    fn touching<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        self.read(|world| arrays::pairs(py, updated(world)?.touching()))
    }

    /// Returns the pairs that touched at the last update but not before, as `touching`.
    fn began<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        self.read(|world| arrays::pairs(py, updated(world)?.began()))
    }

    /// Returns the pairs that ceased to touch, as `touching`. Ids of removed colliders are among them.
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        self.read(|world| arrays::pairs(py, updated(world)?.ended()))
    }

    /// Returns the pairs that touched at the last update and before, as `touching`.
    fn stayed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        self.read(|world| arrays::pairs(py, updated(world)?.stayed()))
    }

    /// Returns the bodies that touched at the last update: owners, and colliders without one.
    fn touching_bodies(&self) -> PyResult<Vec<BodyPair>> {
        self.read(|world| Ok(body_pairs(updated(world)?.bodies().touching())))
    }

    /// Returns the bodies that touched at the last update but not before.
    fn began_bodies(&self) -> PyResult<Vec<BodyPair>> {
        self.read(|world| Ok(body_pairs(updated(world)?.bodies().began())))
    }

    /// Returns the bodies that ceased to touch.
    fn ended_bodies(&self) -> PyResult<Vec<BodyPair>> {
        self.read(|world| Ok(body_pairs(updated(world)?.bodies().ended())))
    }

    /// Returns the overlap of two colliders at their places, or None. A stale id touches nothing.
    fn contact(&self, a: Id, b: Id) -> PyResult<Option<Contact>> {
        self.read(|world| Ok(world.contact([a.0, b.0]).map(Contact::from)))
    }

    /// Returns the contacts of the pairs of the last update, or of an array (n, 2) of ids, as columns.
    /// `normals` adds normals and push-outs, which cost some microseconds a pair.
    #[pyo3(signature = (pairs=None, *, normals=false))]
    fn contacts(
        &self,
        py: Python<'_>,
        pairs: Option<&Bound<'_, PyAny>>,
        normals: bool,
    ) -> PyResult<Contacts> {
        let inner = self.inner()?;
        let world = &inner.world;
        let pairs: Vec<[ColliderId; 2]> = match pairs {
            None => updated(world)?.touching().iter().map(|pair| [pair.a, pair.b]).collect(),
            Some(pairs) => arrays::read::<u64, _>(pairs, "pairs", &[ANY, 2], |ids, _| {
                let pair = |ids: &[u64]| Ok([collider_id(ids[0])?, collider_id(ids[1])?]);
                ids.chunks_exact(2).map(pair).collect::<PyResult<_>>()
            })??,
        };
        let details = |&[a, b]: &[ColliderId; 2]| {
            let found = world.pair(Pair { a, b }).and_then(|pair| pair.overlap());
            let normal = found.as_ref().map_or([0.0; 2], |found| {
                let normal = found.normal();
                [normal.x, normal.y]
            });
            (normal, found.map_or([0; 2], |found| found.push_out().into()))
        };
        let asked = if normals { &pairs[..] } else { &[] };
        let (normal, push_out): (Vec<_>, Vec<_>) = py.detach(|| asked.iter().map(details).unzip());
        let found: Vec<Contact> = py.detach(|| {
            let none = Contact { area: 0, rect: (0, 0, 0, 0), point: (0, 0) };
            let contact =
                |&pair: &[ColliderId; 2]| world.contact(pair).map_or(none.clone(), Into::into);
            pairs.iter().map(contact).collect()
        });
        let found = || found.iter();
        Ok(Contacts {
            pairs: column(py, pairs.iter().map(|pair| pair.map(ColliderId::to_bits)))?,
            area: PyArray1::from_iter(py, found().map(|contact| contact.area)).unbind(),
            rect: column(py, found().map(|contact| contact.rect.into()))?,
            point: column(py, found().map(|contact| contact.point.into()))?,
            normal: normals.then(|| column(py, normal)).transpose()?,
            push_out: normals.then(|| column(py, push_out)).transpose()?,
        })
    }

    /// Returns the overlap of two colliders with its normal and push-out, or None. Costs some microseconds.
    fn overlap(&self, a: Id, b: Id) -> PyResult<Option<Overlap>> {
        self.read(|world| {
            let pair = Pair { a: a.0, b: b.0 };
            Ok(world.pair(pair).and_then(|pair| pair.overlap()).as_ref().map(Overlap::from))
        })
    }

    /// Returns the planes of two colliders whose pixels overlap, as pairs of their numbers.
    fn overlapping_planes(&self, a: Id, b: Id) -> PyResult<Vec<(u32, u32)>> {
        self.read(|world| {
            let pair = Pair { a: a.0, b: b.0 };
            let planes = world.pair(pair).map(|pair| pair.planes()).unwrap_or_default();
            Ok(planes.into_iter().map(Into::into).collect())
        })
    }

    /// Returns the distance between the nearest pixels of two colliders in pixels, or None if one has none.
    fn distance(&self, a: Id, b: Id) -> PyResult<Option<f64>> {
        self.read(|world| Ok(world.pair([a.0, b.0]).and_then(|pair| pair.distance())))
    }

    /// Returns the ids of the colliders that touch one now, without an update.
    fn touching_with(&self, id: Id) -> PyResult<Vec<u64>> {
        self.read(|world| Ok(numbers(world.touching_with(id.0))))
    }

    /// Returns the pairs that touch now between two arrays (n,) of ids, as an array (m, 2) of uint64.
    fn touching_between<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let (a, b) = (collider::ids(a, "a")?, collider::ids(b, "b")?);
        let inner = self.inner()?;
        let world = &inner.world;
        let found: Vec<Pair> = py.detach(|| world.touching_between(&a, &b));
        arrays::pairs(py, &found)
    }

    /// Returns the ids of the colliders of an owner.
    fn parts_of(&self, owner: u32) -> PyResult<Vec<u64>> {
        self.read(|world| Ok(numbers(world.bodies().parts(owner))))
    }

    /// Returns the tight box of a collider in mask pixels as (x0, y0, x1, y1), or None if it has no pixel.
    fn rect(&self, id: Id) -> PyResult<Option<Corners>> {
        self.read(|world| Ok(world.rect(id.0).map(corners)))
    }

    /// Returns the mask that a collider shows, tight, and the position of its top left corner in the world, in
    /// mask pixels; or None if the id is stale or the mask has no pixel.
    fn posed(&self, id: Id) -> PyResult<Option<(crate::mask::PyMask, (i32, i32))>> {
        self.read(|world| {
            let posed = world.posed(id.0);
            Ok(posed.map(|p| (crate::mask::PyMask(p.mask.to_mask()), values::ij(p.origin))))
        })
    }

    /// Returns a text that explains why two colliders touch or not, or None if one is stale.
    fn explain(&self, a: Id, b: Id) -> PyResult<Option<String>> {
        self.read(|world| {
            Ok(world.pair([a.0, b.0]).and_then(|pair| pair.explain()).map(|text| text.to_string()))
        })
    }

    /// Checks the inner state of the world. For tests. Raises `DamagedError`.
    fn validate(&self) -> PyResult<()> {
        self.read(|world| world.validate().or_raise())
    }

    /// The finest accuracy at which pairs are tested: "exact", "coarse" or "box".
    #[getter]
    fn accuracy(&self) -> PyResult<&'static str> {
        self.read(|world| Ok(accuracy_name(world.accuracy())))
    }

    #[setter]
    fn set_accuracy(&self, accuracy: AccuracyName) -> PyResult<()> {
        self.write(|world| {
            world.set_accuracy(accuracy.0);
            Ok(())
        })
    }

    /// How far from a baked scale a collider may be: a factor, "nearest" or "exact".
    #[getter]
    fn scale_policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(|world| {
            Ok(match world.scale_policy() {
                ScalePolicy::Within(factor) => factor.into_pyobject(py)?.into_any(),
                ScalePolicy::Exact => "exact".into_pyobject(py)?.into_any(),
                ScalePolicy::Nearest => "nearest".into_pyobject(py)?.into_any(),
            })
        })
    }

    #[setter]
    fn set_scale_policy(&self, policy: &Bound<'_, PyAny>) -> PyResult<()> {
        let policy = scale_policy(policy)?;
        self.write(|world| world.set_scale_policy(policy).or_raise())
    }

    /// The first atlas.
    #[getter]
    fn atlas(&self) -> PyResult<PyAtlas> {
        self.read(|world| Ok(PyAtlas(world.atlas().clone())))
    }

    /// Returns all atlases.
    fn atlases(&self) -> PyResult<Vec<PyAtlas>> {
        self.read(|world| Ok(world.atlases().cloned().map(PyAtlas).collect()))
    }

    /// Adds an atlas of the same resolution and returns its id.
    fn add_atlas(&self, atlas: &Bound<'_, PyAtlas>) -> PyResult<u32> {
        self.write(|world| Ok(world.atlases_mut().add(atlas.get().0.clone()).or_raise()?.bits()))
    }

    /// Drops an atlas. Its colliders are removed if `remove`, and their ids returned; otherwise a used atlas
    /// raises a `StateError`.
    #[pyo3(signature = (atlas, *, remove=false))]
    fn drop_atlas(&self, atlas: u32, remove: bool) -> PyResult<Vec<u64>> {
        let in_use = if remove { InUse::Remove } else { InUse::Refuse };
        self.write(|world| {
            Ok(numbers(world.atlases_mut().drop(AtlasId::new(atlas), in_use).or_raise()?))
        })
    }

    /// Replaces an atlas by another one. Colliders keep the sprites of the same names.
    fn replace_atlas(&self, atlas: u32, by: &Bound<'_, PyAtlas>) -> PyResult<ReloadReport> {
        self.write(|world| {
            let by = by.get().0.clone();
            let report = world.atlases_mut().replace(AtlasId::new(atlas), by).or_raise()?;
            Ok(ReloadReport {
                atlas: report.atlas.bits(),
                added: report.added,
                vanished: report.vanished,
                changed: report.changed.into_iter().map(|change| change.sprite).collect(),
                outdated: numbers(report.outdated),
            })
        })
    }

    /// Returns figures about the poses that were drawn of compact or several atlases.
    fn pose_stats(&self) -> PyResult<PoseStats> {
        self.read(|world| {
            let hitmask::PoseStats { poses, bytes, draws, budget, .. } = world.pose_stats();
            Ok(PoseStats { poses, bytes, draws, budget })
        })
    }

    /// Limits the memory of drawn poses of compact atlases in bytes; None is no limit.
    #[pyo3(signature = (bytes=None))]
    fn set_pose_budget(&self, bytes: Option<u64>) -> PyResult<()> {
        self.write(|world| world.atlases_mut().set_pose_budget(bytes).or_raise())
    }

    /// Returns the whole state as bytes: for saved games, replays and rollback.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.read(|world| Ok(PyBytes::new(py, &world.snapshot())))
    }

    /// Returns the world to a state of `snapshot`. Raises `DamagedError`, and leaves the world as it was.
    fn restore(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = arrays::bytes_of(data, "data")?;
        self.write(|world| world.restore(&data).or_raise())
    }

    /// Makes a world of a snapshot, over the same atlases in the same order.
    #[staticmethod]
    fn from_snapshot(atlases: Vec<Bound<'_, PyAtlas>>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        forks::prepare()?;
        let data = arrays::bytes_of(data, "data")?;
        let atlases = atlases.iter().map(|atlas| atlas.get().0.clone());
        World::from_snapshot(atlases, &data).or_raise().map(Self::of)
    }

    /// Returns the hash of the state, 64 bits: equal on every machine and in every language. A later version of hitmask may
    /// give another value.
    fn state_hash(&self) -> PyResult<u64> {
        self.read(|world| Ok(world.state_hash()))
    }

    /// Returns a copy with the same ids.
    fn copy(&self) -> PyResult<Self> {
        self.read(|world| Ok(Self::of(world.clone())))
    }

    /// Takes over the whole state of another world with the same atlases, as of a copy that was saved. Costs less
    /// than a new copy. Raises `UnknownError`, and leaves the world as it was.
    fn assign(&self, source: &Bound<'_, Self>) -> PyResult<()> {
        let source = source.get();
        if std::ptr::eq(self, source) {
            return Ok(());
        }
        source.read(|from| {
            self.write(|to| {
                let ids = |world: &World| world.atlases().map(Atlas::id).collect::<Vec<_>>();
                let (here, there) = (ids(to), ids(from));
                if here != there {
                    let other = there.iter().find(|id| !here.contains(id)).unwrap_or(&here[0]);
                    return Err(CallError::UnknownAtlas(*other)).or_raise();
                }
                to.clone_from(from);
                Ok(())
            })
        })
    }

    /// Returns what differs first between two worlds, this one's value first, such as "collider 17: position.x
    /// 3.0 / 3.5". Returns None if their snapshots are equal.
    fn first_difference(&self, other: &Bound<'_, Self>) -> PyResult<Option<String>> {
        let other = other.get();
        if std::ptr::eq(self, other) {
            return Ok(None);
        }
        self.read(|world| other.read(|other| Ok(world.first_difference(other))))
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> Reduced<'py, (Vec<PyAtlas>, Bound<'py, PyBytes>)> {
        let make = py.get_type::<Self>().getattr("from_snapshot")?;
        Ok((make, (self.atlases()?, self.snapshot(py)?)))
    }
}

/// Places colliders with their scales, all or none.
fn place_all(
    world: &mut World,
    ids: &[ColliderId],
    placements: &[Placement],
    scales: &[f32],
) -> Result<(), hitmask::CallError> {
    let mut before = Vec::with_capacity(ids.len());
    for (index, ((&id, placement), &scale)) in ids.iter().zip(placements).zip(scales).enumerate() {
        let old = world.get(id);
        match world.place(id, placement.position, placement.angle, scale) {
            Ok(()) => before.extend(old.map(|old| (id, old))),
            Err(cause) => {
                for &(id, old) in before.iter().rev() {
                    // The old state was accepted before.
                    let _ = world.set(id, old);
                }
                return Err(cause.of_item(index));
            }
        }
    }
    Ok(())
}
