//! Calls for many colliders, rays, pointers or motions at once: arrays in, columns out.
//!
//! Invariant: a call that raises has changed nothing. Its error names the first bad item.

use crate::arrays::{self, ANY, column};
use crate::collider::{self, shape_of};
use crate::errors::{Kind, OrRaise, invalid, raise};
use crate::world::{PyWorld, read_angles};
use crate::world_queries::{NO_RAY_HIT, ray_hit};
use hitmask::{CallError, Collider, ColliderId, Filter, Line, World};
use numpy::{Element, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::time::{Duration, Instant};

/// Where colliders are, as columns of equal length. `World.set_placements` takes them back.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct Placements {
    /// The ids: (n,) of uint64.
    ids: Py<PyArray1<u64>>,
    /// The positions of the pivots in pixels: (n, 2) of float32.
    xy: Py<PyArray2<f32>>,
    /// The angles in radians, clockwise on screen: (n,) of float32.
    angle: Py<PyArray1<f32>>,
    /// The scales: (n,) of float32.
    scale: Py<PyArray1<f32>>,
}

/// What rays enter, as columns in the order of the rays. A ray that enters nothing has a collider of 0.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct RayHits {
    /// The ids of the colliders: (n,) of uint64.
    collider: Py<PyArray1<u64>>,
    /// The pixels: (n, 2) of int32.
    point: Py<PyArray2<i32>>,
    /// The numbers of the pixels on the lines, from 0: (n,) of uint32.
    step: Py<PyArray1<u32>>,
    /// The steps of the whole lines: (n,) of uint32.
    steps: Py<PyArray1<u32>>,
    /// The surface normals at the pixels, of length 1: (n, 2) of float32.
    normal: Py<PyArray2<f32>>,
}

/// What motions hit, as columns in the order of the motions. A motion that hits nothing has a collider of 0.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct Hits {
    /// The ids of the colliders: (n,) of uint64.
    collider: Py<PyArray1<u64>>,
    /// The last free positions of what moves, in pixels: (n, 2) of float32. Without a hit, the end of the motion.
    position: Py<PyArray2<f32>>,
    /// The top left corners of the first shared pixels, in pixels: (n, 2) of float32.
    point: Py<PyArray2<f32>>,
    /// The fractions of the motions that are free, from 0 to 1: (n,) of float32.
    time: Py<PyArray1<f32>>,
    /// The surface normals, of length 1: (n, 2) of float32.
    normal: Py<PyArray2<f32>>,
}

/// Answers one question for each item. An error names the item.
fn each<T, A>(
    items: impl IntoIterator<Item = T>,
    ask: impl Fn(T) -> Result<A, CallError>,
) -> Result<Vec<A>, CallError> {
    let ask = |(index, item)| ask(item).map_err(|cause| cause.of_item(index));
    items.into_iter().enumerate().map(ask).collect()
}

/// Reads an array (n, 2) of float32, of n rows or of any number.
fn points(given: &Bound<'_, PyAny>, argument: &str, count: usize) -> PyResult<Vec<[f32; 2]>> {
    arrays::read::<f32, _>(given, argument, &[count, 2], |xy, _| xy.as_chunks::<2>().0.to_vec())
}

/// Returns the filter by the keyword arguments of a query as a function that any thread may call.
fn plain_filter(
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<impl Fn() -> Filter<'static> + use<>> {
    let Filter { except, layers, sensors, accuracy, .. } = collider::filter(given)?;
    Ok(move || Filter { except, layers, sensors, accuracy, ..Filter::ALL })
}

/// Returns numbers as a field of a result.
fn list<T: Element>(py: Python<'_>, items: impl IntoIterator<Item = T>) -> Py<PyArray1<T>> {
    PyArray1::from_vec(py, items.into_iter().collect()).unbind()
}

/// What calls about many colliders take: their sprites, or one mask for all, and arrays with a row for each.
struct Rows<'a, 'py> {
    sprites: Option<&'a Bound<'py, PyAny>>,
    mask: Option<u64>,
    angle: Option<&'a Bound<'py, PyAny>>,
    turn: Option<&'a Bound<'py, PyAny>>,
    scale: Option<&'a Bound<'py, PyAny>>,
    options: Option<&'a Bound<'py, PyDict>>,
}

impl Rows<'_, '_> {
    /// Returns `count` colliders at (0, 0).
    fn colliders(&self, world: &World, count: usize) -> PyResult<Vec<Collider>> {
        let Self { sprites, mask, angle, turn, scale, options } = *self;
        let one = sprites.filter(|sprites| {
            sprites.is_instance_of::<PyString>() || !sprites.hasattr("__len__").unwrap_or(false)
        });
        let made = |sprite: Option<&Bound<'_, PyAny>>| -> PyResult<Collider> {
            let mut collider = shape_of(world, sprite, mask)?;
            if let Some(options) = options {
                collider::change(world, &mut collider, options)?;
            }
            Ok(collider)
        };
        let mut colliders = match (sprites, one) {
            (None, _) | (_, Some(_)) => vec![made(one)?; count],
            (Some(list), None) => {
                let length = list.len()?;
                if length != count {
                    return Err(invalid(
                        format!("sprites has {length} items and the arrays {count} rows"),
                        "pass one name for all, or one per row",
                    ));
                }
                let mut colliders: Vec<Collider> = Vec::with_capacity(count);
                let mut last: Option<Bound<'_, PyAny>> = None;
                for sprite in list.try_iter()? {
                    let sprite = sprite?;
                    let is_same = last.as_ref().is_some_and(|last| last.is(&sprite));
                    colliders.push(match colliders.last() {
                        Some(&same) if is_same => same,
                        _ => made(Some(&sprite))?,
                    });
                    last = Some(sprite);
                }
                colliders
            }
        };
        let angles = colliders.iter_mut().map(|collider| &mut collider.angle);
        read_angles(angle, turn, count, angles)?;
        if let Some(scale) = scale {
            arrays::read::<f32, _>(scale, "scale", &[count], |scales, _| {
                for (collider, &scale) in colliders.iter_mut().zip(scales) {
                    collider.scale = scale;
                }
            })?;
        }
        Ok(colliders)
    }
}

#[pymethods]
impl PyWorld {
    /// Adds many colliders and returns their ids as an array (n,) of uint64: all, or none.
    ///
    /// `sprites` is a name, a `Sprite` or its id for all, or a list of n of these; or `mask` is an id of
    /// `insert_mask` for all. `xy` is (n, 2) of float32 in pixels, `angle` (n,) of float32 in radians, `turn` instead
    /// (n,) of uint16 in 65,536ths of a turn, `scale` (n,) of float32. Keyword arguments of `insert` hold for all.
    #[pyo3(signature = (sprites, xy, angle=None, scale=None, *, turn=None, mask=None, **options))]
    fn insert_all<'py>(
        &self,
        py: Python<'py>,
        sprites: Option<&Bound<'py, PyAny>>,
        xy: &Bound<'py, PyAny>,
        angle: Option<&Bound<'py, PyAny>>,
        scale: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
        mask: Option<u64>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let xy = points(xy, "xy", ANY)?;
        let rows = Rows { sprites, mask, angle, turn, scale, options };
        self.write(|world| {
            let mut colliders = rows.colliders(world, xy.len())?;
            for (collider, &at) in colliders.iter_mut().zip(&xy) {
                collider.position = at;
            }
            Ok(arrays::ids(py, world.insert_all(&colliders).or_raise()?))
        })
    }

    /// Draws poses of compact or several atlases before colliders show them, for at most so many seconds and bytes of
    /// masks: while a level loads, or in the rest of a frame. Returns the number of the first item whose pose is not
    /// drawn. Give it as `first` in the next frame, until it is the number of items. Stops at most 0.3 ms later. Reads all
    /// n rows, so pass slices of long lists.
    ///
    /// `sprites` is a name, a `Sprite` or its id for all, or a list of n of these. `angle` is (n,) of float32 in radians,
    /// or `turn` (n,) of uint16 in 65,536ths of a turn, and `scale` (n,) of float32. Keyword arguments of `insert`, such
    /// as `frame`, hold for all.
    #[pyo3(signature = (sprites, angle=None, scale=None, *, turn=None, seconds=None, bytes=None, first=0, **options))]
    fn draw_ahead(
        &self,
        sprites: &Bound<'_, PyAny>,
        angle: Option<&Bound<'_, PyAny>>,
        scale: Option<&Bound<'_, PyAny>>,
        turn: Option<&Bound<'_, PyAny>>,
        seconds: Option<f64>,
        bytes: Option<u64>,
        first: usize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let begin = Instant::now();
        let given = [angle, turn, scale].into_iter().flatten().next();
        let list = given.or_else(|| (!sprites.is_instance_of::<PyString>()).then_some(sprites));
        let count = list.map_or(Ok(1), |list| list.len())?;
        let limit = match seconds.map(Duration::try_from_secs_f64).transpose() {
            Ok(limit) => limit.unwrap_or(Duration::MAX),
            Err(error) => return Err(invalid(format!("seconds: {error}"), "pass 0 or more")),
        };
        if first > count {
            let message = format!("first is {first}, and there are {count} items");
            return Err(invalid(message, "pass what the last call returned"));
        }
        let rows = Rows { sprites: Some(sprites), mask: None, angle, turn, scale, options };
        self.write(|world| {
            let colliders = rows.colliders(world, count)?;
            let most = bytes.unwrap_or(u64::MAX);
            let go_on = |drawn: u64| drawn < most && begin.elapsed() < limit;
            Ok(first + world.atlases_mut().draw_ahead(&colliders[first..], go_on).or_raise()?)
        })
    }

    /// Removes many colliders: all, or none. `ids` is (n,) of uint64, each id once.
    fn remove_all(&self, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = collider::ids(ids, "ids")?;
        let mut sorted: Vec<u64> = ids.iter().map(|id| id.to_bits()).collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            let message = format!("ids has {} twice", twice[0]);
            return Err(raise(Kind::UnknownId, message, "pass each id once, as numpy.unique(ids)"));
        }
        self.write(|world| {
            each(&ids, |&id| world.get(id).ok_or(CallError::Stale(id))).or_raise()?;
            for id in ids {
                world.remove(id);
            }
            Ok(())
        })
    }

    /// Returns where colliders are, as columns: those of an array (n,) of ids, or all in the order of `ids()`.
    #[pyo3(signature = (ids=None))]
    fn placements(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<Placements> {
        let ids = ids.map(|ids| collider::ids(ids, "ids")).transpose()?;
        self.read(|world| {
            let found: Vec<(ColliderId, Collider)> = match ids {
                None => world.iter().collect(),
                Some(ids) => {
                    let find = |id| Ok((id, world.get(id).ok_or(CallError::Stale(id))?));
                    each(ids, find).or_raise()?
                }
            };
            let colliders = || found.iter().map(|(_, collider)| collider);
            Ok(Placements {
                ids: arrays::ids(py, found.iter().map(|&(id, _)| id)).unbind(),
                xy: column(py, colliders().map(|collider| collider.position))?,
                angle: list(py, colliders().map(|collider| collider.angle.to_radians())),
                scale: list(py, colliders().map(|collider| collider.scale)),
            })
        })
    }

    /// Returns the first collider on each of many lines, as columns. `starts` and `ends` are (n, 2) of float32 in
    /// pixels. Keyword arguments as of `query_point`. Releases the lock of the interpreter.
    #[pyo3(signature = (starts, ends, **filter))]
    fn rays(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
        filter: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<RayHits> {
        let starts = points(starts, "starts", ANY)?;
        let (ends, filter) = (points(ends, "ends", starts.len())?, plain_filter(filter)?);
        let found = self.read(|world| {
            let ray = |(&start, &end): (&[f32; 2], &[f32; 2])| {
                let found = world.ray(&Line::new(start, end)?, filter())?;
                Ok(found.map_or(NO_RAY_HIT, ray_hit))
            };
            py.detach(|| each(starts.iter().zip(&ends), ray)).or_raise()
        })?;
        Ok(RayHits {
            collider: list(py, found.iter().map(|hit| hit.collider)),
            point: column(py, found.iter().map(|hit| hit.point.into()))?,
            step: list(py, found.iter().map(|hit| hit.step)),
            steps: list(py, found.iter().map(|hit| hit.steps)),
            normal: column(py, found.iter().map(|hit| hit.normal.into()))?,
        })
    }

    /// Returns the collider under each of many pointers, as an array (n,) of uint64 ids, 0 where none is. `at` is
    /// (n, 2) of float32 in pixels. Radius and keyword arguments as of `pick`. Releases the lock of the interpreter.
    #[pyo3(signature = (at, radius=0.0, **filter))]
    fn picks<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
        radius: f32,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (at, filter) = (points(at, "at", ANY)?, plain_filter(filter)?);
        let found = self.read(|world| {
            let pick = |&at: &[f32; 2]| {
                let found = world.pick(at, radius, filter(), ColliderId::index)?;
                Ok(found.map_or(0, ColliderId::to_bits))
            };
            py.detach(|| each(&at, pick)).or_raise()
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// Returns what each of many colliders, moved by its motion, would hit first, as columns. `ids` is (n,) of uint64
    /// and `motions` (n, 2) of float32 in pixels. No collider moves. Releases the lock of the interpreter.
    fn casts(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        motions: &Bound<'_, PyAny>,
    ) -> PyResult<Hits> {
        let ids = collider::ids(ids, "ids")?;
        let motions = points(motions, "motions", ids.len())?;
        let found = self.read(|world| {
            let cast = |(&id, &motion): (&ColliderId, &[f32; 2])| {
                let Some(hit) = world.cast(id, motion, Filter::SOLID)? else {
                    let from = world.get(id).map_or([0.0; 2], |collider| collider.position);
                    let end = [0, 1].map(|axis| from[axis] + motion[axis]);
                    return Ok((0, end, [0.0; 2], 1.0, [0.0; 2]));
                };
                let (time, normal) = (hit.impact.time(), hit.impact.normal);
                let normal = [normal.x, normal.y];
                Ok((hit.collider.to_bits(), hit.position, hit.point, time, normal))
            };
            py.detach(|| each(ids.iter().zip(&motions), cast)).or_raise()
        })?;
        Ok(Hits {
            collider: list(py, found.iter().map(|hit| hit.0)),
            position: column(py, found.iter().map(|hit| hit.1))?,
            point: column(py, found.iter().map(|hit| hit.2))?,
            time: list(py, found.iter().map(|hit| hit.3)),
            normal: column(py, found.iter().map(|hit| hit.4))?,
        })
    }
}
