//! The classes `Atlas` and `Sprite`: what a bake has made, and what is known about its sprites.

use crate::arrays::{self, ANY};
use crate::errors::{Kind, OrRaise, invalid, raise};
use crate::forks;
use crate::mask::{MaskArg, PyMask, posed};
use crate::mask_shapes::{PyShape, shape_options};
use crate::values::{self, Ij, Impact, Reduced, ij, repr_of};
use hitmask::baking::alike;
use hitmask::{
    Atlas, AtlasOptions, Flip, Point, Pose, PoseId, PosePair, Posed, PosedRef, Sampling, SpriteId,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::path::PathBuf;

/// The masks of all sprites at all angles and scales. It never changes.
///
/// `Atlas(data)` opens the bytes of an atlas, which are copied. `Atlas.open(path)` opens a file. Opening
/// checks the structure; `verify` checks every byte.
#[pyclass(name = "Atlas", module = "hitmask", frozen, weakref)]
pub(crate) struct PyAtlas(pub(crate) Atlas);

/// A sprite of an atlas.
#[pyclass(name = "Sprite", module = "hitmask", frozen)]
pub(crate) struct PySprite {
    atlas: Atlas,
    id: SpriteId,
}

/// Returns the limits of an opened atlas, all off for a file that the program itself has made.
pub(crate) const fn options(trusted: bool) -> AtlasOptions {
    if trusted { AtlasOptions::UNLIMITED } else { AtlasOptions::DEFAULT }
}

#[pymethods]
impl PyAtlas {
    #[new]
    #[pyo3(signature = (data, *, trusted=false))]
    fn new(py: Python<'_>, data: &Bound<'_, PyAny>, trusted: bool) -> PyResult<Self> {
        forks::prepare()?;
        let bytes = arrays::bytes_of(data, "data")?;
        py.detach(|| options(trusted).from_vec(bytes)).or_raise().map(Self)
    }

    /// Opens an atlas file. Raises `FileNotFoundError`, `OSError`, or `DamagedError`. If the file is
    /// trusted, the limits on what it takes to draw a compact atlas are off.
    #[staticmethod]
    #[pyo3(signature = (path, *, trusted=false))]
    fn open(py: Python<'_>, path: PathBuf, trusted: bool) -> PyResult<Self> {
        forks::prepare()?;
        py.detach(|| options(trusted).open(path)).or_raise().map(Self)
    }

    /// Returns the names of all sprites, in order.
    fn names(&self) -> Vec<String> {
        self.0.sprites().map(|sprite| sprite.name().to_owned()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.sprites().len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.sprite_id(name).is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.names())?.into_any().call_method0("__iter__")
    }

    /// Returns a sprite by its name. Raises a `KeyError`.
    fn __getitem__(&self, name: &str) -> PyResult<PySprite> {
        Ok(PySprite { atlas: self.0.clone(), id: sprite_id(&self.0, name)? })
    }

    /// The id of the atlas: two players with equal ids have the same names, settings and masks.
    #[getter]
    fn id(&self) -> u32 {
        self.0.id().bits()
    }

    /// The mask pixels per pixel of positions.
    #[getter]
    fn resolution(&self) -> f32 {
        self.0.resolution()
    }

    /// The number of frames of all sprites.
    #[getter]
    fn frame_count(&self) -> u32 {
        self.0.frame_count()
    }

    /// The number of stored poses.
    #[getter]
    fn pose_count(&self) -> u32 {
        self.0.pose_count()
    }

    /// Whether all poses are drawn. A compact atlas draws them when they are shown.
    #[getter]
    fn is_drawn(&self) -> bool {
        self.0.is_drawn()
    }

    /// Tests many pairs of poses for a shared pixel: (n,) of bool. `poses` is (n, 2) of uint64 ids of
    /// `Sprite.pose_ids`. `offsets` is (n, 2) of int32: the top left corner of the second mask, from that of the
    /// first. An id of another atlas shows another pose, or none. Releases the lock of the interpreter.
    fn batch_touches<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let pairs = pose_pairs(poses, offsets)?;
        let mut answers = vec![false; pairs.len()];
        py.detach(|| self.0.batch().touches(&pairs, &mut answers));
        Ok(PyArray1::from_vec(py, answers))
    }

    /// Counts the shared pixels of many pairs of poses: (n,) of uint64. Arguments as of `batch_touches`.
    fn batch_area<'py>(
        &self,
        py: Python<'py>,
        poses: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let pairs = pose_pairs(poses, offsets)?;
        let mut answers = vec![0; pairs.len()];
        py.detach(|| self.0.batch().overlap_area(&pairs, &mut answers));
        Ok(PyArray1::from_vec(py, answers))
    }

    /// Returns an atlas with all poses drawn.
    fn drawn(&self, py: Python<'_>) -> PyResult<Self> {
        forks::prepare()?;
        py.detach(|| self.0.drawn()).or_raise().map(Self)
    }

    /// Returns the atlas with an id of its own, so that a world can hold the same one twice.
    fn labelled(&self, label: u32) -> Self {
        Self(self.0.clone().labelled(label))
    }

    /// Checks every byte. Raises `DamagedError`.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        forks::prepare()?;
        py.detach(|| self.0.verify()).or_raise()
    }

    /// Returns a copy of the bytes, to store them.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        Ok((py.get_type::<Self>().into_any(), (self.to_bytes(py),)))
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Atlas of {} sprites, {} poses>", self.__len__(), self.0.pose_count())
    }
}

/// Returns the id of a sprite by its name.
pub(crate) fn sprite_id(atlas: &Atlas, name: &str) -> PyResult<SpriteId> {
    atlas.sprite_id(name).ok_or_else(|| {
        let names = || atlas.sprites().map(|sprite| sprite.name());
        unknown_name(format!("the atlas has no sprite {name:?}"), name, names())
    })
}

/// Returns the exception for a name of nothing, with the name that was meant, or else the first of all names.
#[cold]
pub(crate) fn unknown_name<'a>(
    message: String,
    name: &str,
    names: impl Iterator<Item = &'a str>,
) -> PyErr {
    let names: Vec<&str> = names.collect();
    let some = names.iter().take(8).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 8 { ", ..." } else { "" };
    let meant = alike(name, names.iter().copied())
        .map_or_else(String::new, |meant| format!("did you mean {meant:?}? "));
    raise(Kind::UnknownId, message, format!("{meant}it has {some}{more}"))
}

impl PySprite {
    pub(crate) const fn bits(&self) -> u64 {
        self.id.to_bits()
    }

    fn in_plane(&self, plane: u32) -> PyResult<hitmask::Sprite<'_>> {
        let sprite = self.atlas.sprite(self.id);
        let sprite =
            sprite.ok_or_else(|| invalid("the sprite is of another atlas", "look it up"))?;
        sprite.in_plane(plane).ok_or_else(|| {
            let count = sprite.plane_count();
            invalid(format!("plane {plane} is none of {count}"), format!("use 0 to {}", count - 1))
        })
    }

    fn frame(&self, frame: u32, plane: u32) -> PyResult<hitmask::Sprite<'_>> {
        let sprite = self.in_plane(plane)?;
        let count = sprite.frame_count();
        if frame < count {
            return Ok(sprite);
        }
        Err(invalid(format!("frame {frame} is none of {count}"), format!("use 0 to {}", count - 1)))
    }
}

/// Returns the baked pose nearest to an angle in radians and a scale.
fn near(sprite: hitmask::Sprite<'_>, angle: f32, scale: f32) -> PyResult<Pose> {
    sprite.nearest(angle, scale).ok_or_else(|| {
        let what = format!("angle {angle} or scale {scale} is not finite, or not above 0");
        invalid(what, "check both")
    })
}

fn drawn(sprite: hitmask::Sprite<'_>, frame: u32, pose: Pose, flip: Flip) -> PyResult<Posed> {
    let drawn = sprite.draw(frame, pose, flip);
    drawn.ok_or_else(|| invalid("the pose does not exist", "check the atlas"))
}

/// Reads the pairs of a batch: ids of poses, and the offsets of the second ones.
fn pose_pairs(poses: &Bound<'_, PyAny>, offsets: &Bound<'_, PyAny>) -> PyResult<Vec<PosePair>> {
    let ids = arrays::read::<u64, _>(poses, "poses", &[ANY, 2], |ids, _| ids.to_vec())?;
    let pose = |bits: u64| {
        let help = "pass ids of Sprite.pose_ids of this atlas";
        let what = format!("{bits} is no id of a pose");
        PoseId::from_bits(bits).ok_or_else(|| raise(Kind::UnknownId, what, help))
    };
    arrays::read::<i32, _>(offsets, "offsets", &[ids.len() / 2, 2], |offsets, _| {
        let pairs = ids.as_chunks::<2>().0.iter().zip(offsets.as_chunks::<2>().0);
        let pair = |(&[a, b], &[x, y]): (&[u64; 2], &[i32; 2])| {
            Ok(PosePair { a: pose(a)?, b: pose(b)?, offset: Point::new(x, y) })
        };
        pairs.map(pair).collect()
    })?
}

#[pymethods]
impl PySprite {
    /// The name.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.in_plane(0)?.name().to_owned())
    }

    /// The id, which `World.insert` takes too. It carries the id of its atlas.
    #[getter]
    fn id(&self) -> u64 {
        self.id.to_bits()
    }

    /// The number of frames.
    #[getter]
    fn frame_count(&self) -> PyResult<u32> {
        Ok(self.in_plane(0)?.frame_count())
    }

    /// The names of the planes. The first one is "body".
    #[getter]
    fn planes(&self) -> PyResult<Vec<String>> {
        Ok(self.in_plane(0)?.planes().map(str::to_owned).collect())
    }

    /// The number of angle steps in a full turn.
    #[getter]
    fn angles(&self) -> PyResult<u32> {
        Ok(self.in_plane(0)?.angles())
    }

    /// The baked scales, ascending.
    #[getter]
    fn scales(&self) -> PyResult<Vec<f32>> {
        Ok(self.in_plane(0)?.scales().to_vec())
    }

    /// How poses are drawn: "nearest" or "coverage".
    #[getter]
    fn sampling(&self) -> PyResult<&'static str> {
        Ok(match self.in_plane(0)?.sampling() {
            Sampling::Nearest => "nearest",
            Sampling::Coverage25 => "coverage",
        })
    }

    /// The bytes that the masks take.
    #[getter]
    fn mask_bytes(&self) -> PyResult<u64> {
        Ok(self.in_plane(0)?.mask_bytes())
    }

    /// Returns the number of a plane by its name. Raises a `KeyError`.
    fn plane(&self, name: &str) -> PyResult<u32> {
        let sprite = self.in_plane(0)?;
        sprite.plane(name).ok_or_else(|| {
            let message = format!("sprite {:?} has no plane {name:?}", sprite.name());
            unknown_name(message, name, sprite.planes())
        })
    }

    /// Returns the plane of a sprite that fades out: of the texels whose alpha times `fade`, from 0 to 1, is
    /// at least `threshold`. None if no plane has so great a threshold: the sprite then touches nothing.
    fn plane_for_fade(&self, threshold: u8, fade: f32) -> PyResult<Option<u32>> {
        Ok(self.in_plane(0)?.plane_for_fade(threshold, fade))
    }

    /// Returns the size of a frame as (width, height) in mask pixels.
    #[pyo3(signature = (frame=0))]
    fn frame_size(&self, frame: u32) -> PyResult<Option<(u32, u32)>> {
        Ok(self.frame(frame, 0)?.frame_size(frame).map(Into::into))
    }

    /// Returns the pivot of a frame in mask pixels from its top left corner.
    #[pyo3(signature = (frame=0))]
    fn pivot(&self, frame: u32) -> PyResult<Option<(f32, f32)>> {
        let halves = self.frame(frame, 0)?.pivot(frame);
        Ok(halves.map(|[x, y]| (x as f32 / 2.0, y as f32 / 2.0)))
    }

    /// Returns the tight mask of a frame as it was drawn, and its position from the top left corner of the
    /// frame; or None where the atlas does not store it.
    #[pyo3(signature = (frame=0, plane=0))]
    fn source(&self, frame: u32, plane: u32) -> PyResult<Option<(PyMask, (i32, i32))>> {
        let source = self.frame(frame, plane)?.source(frame);
        Ok(source.map(|(mask, at)| (PyMask(mask.to_mask()), ij(at))))
    }

    /// Returns the mask of the baked pose nearest to an angle in radians and a scale, and the position of
    /// its top left corner from the pivot.
    #[pyo3(signature = (frame=0, angle=0.0, scale=1.0, *, plane=0, flip_x=false, flip_y=false))]
    fn posed(
        &self,
        frame: u32,
        angle: f32,
        scale: f32,
        plane: u32,
        flip_x: bool,
        flip_y: bool,
    ) -> PyResult<(PyMask, (i32, i32))> {
        let sprite = self.frame(frame, plane)?;
        let pose = near(sprite, angle, scale)?;
        let drawn = drawn(sprite, frame, pose, values::flip(flip_x, flip_y))?;
        Ok(posed(drawn))
    }

    /// Returns where the sprite first touches a mask if it moves by (dx, dy) pixels and turns through `angles`, in
    /// radians, at equal steps; or None. `at` is the top left corner of the mask, from the pivot of the sprite.
    /// `Impact.pose` is the index of the angle at the contact.
    #[pyo3(signature = (other, at, motion, angles, *, scale=1.0, frame=0, plane=0, flip_x=false, flip_y=false))]
    fn cast_turning(
        &self,
        other: MaskArg<'_, PyMask>,
        at: Ij,
        motion: Ij,
        angles: Vec<f32>,
        scale: f32,
        frame: u32,
        plane: u32,
        flip_x: bool,
        flip_y: bool,
    ) -> PyResult<Option<Impact>> {
        if angles.is_empty() {
            return Err(invalid("angles is empty", "pass the angle of each pose on the way"));
        }
        let sprite = self.frame(frame, plane)?;
        let flip = values::flip(flip_x, flip_y);
        let mut last = None;
        let mut poses: Vec<Posed> = Vec::with_capacity(angles.len());
        for angle in angles {
            let pose = near(sprite, angle, scale)?;
            match (poses.last(), last == Some(pose)) {
                (Some(same), true) => poses.push(same.clone()),
                _ => poses.push(drawn(sprite, frame, pose, flip)?),
            }
            last = Some(pose);
        }
        let poses: Vec<_> = poses.iter().map(Posed::as_ref).collect();
        let other = other.try_borrow()?;
        Ok(PosedRef::cast_turning(&poses, &other.0, at, motion).map(Impact::from))
    }

    /// Returns the ids of the stored poses nearest to angles in radians, for `Atlas.batch_touches`: (n,) of uint64.
    /// `angles` is (n,) of float32. A compact atlas stores no poses: take `Atlas.drawn()`.
    #[pyo3(signature = (angles, *, scale=1.0, frame=0, plane=0, flip_x=false, flip_y=false))]
    fn pose_ids<'py>(
        &self,
        py: Python<'py>,
        angles: &Bound<'py, PyAny>,
        scale: f32,
        frame: u32,
        plane: u32,
        flip_x: bool,
        flip_y: bool,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let sprite = self.frame(frame, plane)?;
        let id = |&angle: &f32| {
            let pose = near(sprite, angle, scale)?;
            let id = sprite.pose_id(frame, pose, values::flip(flip_x, flip_y));
            let help = "a compact atlas stores none; take Atlas.drawn()";
            id.map(PoseId::to_bits).ok_or_else(|| invalid("the atlas has no such pose", help))
        };
        let ids = arrays::read::<f32, _>(angles, "angles", &[ANY], |angles, _| {
            angles.iter().map(id).collect::<PyResult<Vec<u64>>>()
        })??;
        Ok(PyArray1::from_vec(py, ids))
    }

    /// Returns the step of the angle and the number of the scale of the pose nearest to an angle in radians
    /// and a scale.
    fn nearest(&self, angle: f32, scale: f32) -> PyResult<Option<(u32, u32)>> {
        Ok(self.in_plane(0)?.nearest(angle, scale).map(|Pose { step, scale }| (step, scale)))
    }

    /// Returns the outlines of a frame about its pivot, upright and at scale 1, as valid polygons for a physics
    /// engine: a body with its pieces shows the sprite at its own position and angle.
    ///
    /// Keyword arguments as of `Mask.shape`, in pixels of the image. `origin` is relative to the pivot. Releases
    /// the lock of the interpreter.
    #[pyo3(signature = (frame=0, max_error=1.0, *, plane=0, **options))]
    #[pyo3(
        text_signature = "($self, frame=0, max_error=1.0, *, plane=0, fit='nearest', min_area=0, max_corners=8, min_width=0.02, scale=1.0, y_up=False, origin=(0.0, 0.0))"
    )]
    fn shape(
        &self,
        py: Python<'_>,
        frame: u32,
        max_error: f32,
        plane: u32,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyShape> {
        let (sprite, options) = (self.frame(frame, plane)?, shape_options(max_error, options)?);
        py.detach(|| sprite.shape(frame, options)).or_raise().map(PyShape)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let sprite = self.in_plane(0)?;
        Ok(format!(
            "<hitmask.Sprite {}, frames={}, planes={}, angles={}>",
            repr_of(py, sprite.name())?,
            sprite.frame_count(),
            sprite.plane_count(),
            sprite.angles()
        ))
    }
}
