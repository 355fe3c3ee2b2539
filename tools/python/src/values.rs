//! Arguments and results that several classes share: points, rectangles, names of options, records.

use crate::errors::{OrRaise, invalid};
use hitmask::baking::alike;
use hitmask::{
    Accuracy, AlphaRule, Angle, Channel, ColorRange, Connectivity, Flip, GrowShape, Pivot, Point,
    Rect, Sampling, ScanOrder, Side, TexelRule,
};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};
use pyo3::{Borrowed, IntoPyObjectExt, intern};

/// Corners (x0, y0) and (x1, y1) of a rectangle, the second exclusive.
pub(crate) type Corners = (i32, i32, i32, i32);

/// A rectangle that is given: its corners as any sequence of four whole numbers, or a rectangle of pygame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RectArg(pub(crate) Rect);

impl<'py> FromPyObject<'_, 'py> for RectArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let item = |index: usize| object.get_item(index)?.extract::<i32>();
        // Tuples take the short way.
        let bottom = match object.is_instance_of::<PyTuple>() {
            true => None,
            false => object.getattr_opt(intern!(py, "bottom"))?,
        };
        let [x0, y0, x1, y1] = match bottom {
            Some(bottom) => {
                let side = |name| object.getattr(name)?.extract::<i32>();
                let (left, top) = (side(intern!(py, "left"))?, side(intern!(py, "top"))?);
                [left, top, side(intern!(py, "right"))?, bottom.extract()?]
            }
            None if object.len().is_ok_and(|length| length == 4) => {
                [item(0)?, item(1)?, item(2)?, item(3)?]
            }
            None => {
                return Err(PyTypeError::new_err(format!(
                    "a rectangle is needed, and this is {}; pass its corners (x0, y0, x1, y1)",
                    repr(object.to_owned())
                )));
            }
        };
        if x1 < x0 || y1 < y0 {
            let (right, bottom) = (x0.saturating_add(x1), y0.saturating_add(y1));
            return Err(invalid(
                format!("the rectangle ({x0}, {y0}, {x1}, {y1}) ends before it begins"),
                format!(
                    "pass its corners (x0, y0, x1, y1): x, y, width and height of these numbers are \
                     ({x0}, {y0}, {right}, {bottom})"
                ),
            ));
        }
        Ok(Self(Rect::new(x0, y0, x1, y1)))
    }
}

/// Returns an object as Python shows it.
pub(crate) fn repr(object: Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| String::from("something else"), |text| text.to_string())
}

/// Returns a value as Python shows it.
pub(crate) fn repr_of<'py>(py: Python<'py>, value: impl IntoPyObject<'py>) -> PyResult<String> {
    value.into_bound_py_any(py)?.repr().map(|text| text.to_string())
}

/// What `__reduce__` returns for pickles: a function and its arguments.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// A position or a direction: any sequence of two numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Xy(pub(crate) [f32; 2]);

/// A point or a translation of whole pixels: any sequence of two whole numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ij(pub(crate) [i32; 2]);

/// Extracts two items of a sequence. Tuples take the short way.
#[inline]
fn two<'py, T>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<[T; 2]>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    if let Ok(tuple) = object.cast::<PyTuple>() {
        if tuple.len() == 2 {
            return Ok([
                tuple.get_borrowed_item(0)?.extract()?,
                tuple.get_borrowed_item(1)?.extract()?,
            ]);
        }
    } else if object.len().is_ok_and(|length| length == 2) {
        return Ok([object.get_item(0)?.extract()?, object.get_item(1)?.extract()?]);
    }
    Err(PyTypeError::new_err(format!(
        "a pair of numbers (x, y) is needed, and this is {}; pass a tuple, a list or an array of 2",
        repr(object.to_owned())
    )))
}

/// Makes two numbers of a type an argument.
macro_rules! pairs {
    ($($wrapper:ident of $number:ty),+) => {$(
        impl<'py> FromPyObject<'_, 'py> for $wrapper {
            type Error = PyErr;

            #[inline]
            fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                two::<$number>(object).map(Self)
            }
        }

        impl From<$wrapper> for [$number; 2] {
            fn from(pair: $wrapper) -> Self {
                pair.0
            }
        }
    )+};
}

pairs! { Xy of f32, Ij of i32 }

pub(crate) const fn corners(rect: Rect) -> Corners {
    (rect.x0, rect.y0, rect.x1, rect.y1)
}

pub(crate) const fn ij(point: Point) -> (i32, i32) {
    (point.x, point.y)
}

pub(crate) const fn xy([x, y]: [f32; 2]) -> (f32, f32) {
    (x, y)
}

/// Returns how to correct a name: the one that was meant, if it is near, and all others.
pub(crate) fn use_one_of(name: &str, names: &[&str]) -> String {
    let meant = alike(name, names.iter().copied());
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let all = format!("use one of {}", quoted.join(", "));
    meant.map_or_else(|| all.clone(), |meant| format!("did you mean {meant:?}? {all}"))
}

/// Defines how an enum of the library is named in Python: the value of a keyword argument.
macro_rules! names {
    ($($(#[$documentation:meta])* $wrapper:ident of $kind:ty, $argument:literal: { $($name:literal => $value:expr),+ $(,)? })+) => {$(
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $wrapper(pub(crate) $kind);

        impl<'py> FromPyObject<'_, 'py> for $wrapper {
            type Error = PyErr;

            fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                let name: String = object.extract()?;
                match &name[..] {
                    $($name => Ok(Self($value)),)+
                    _ => Err(invalid(
                        format!("{} is {name:?}", $argument),
                        $crate::values::use_one_of(&name, &[$($name),+]),
                    )),
                }
            }
        }
    )+};
}

names! {
    AccuracyName of Accuracy, "accuracy": {
        "exact" => Accuracy::Exact, "coarse" => Accuracy::Coarse, "box" => Accuracy::Box,
    }
    SamplingName of Sampling, "sampling": {
        "nearest" => Sampling::Nearest, "coverage" => Sampling::Coverage25,
    }
    ChannelName of Channel, "channel": {
        "alpha" => Channel::Alpha, "red" => Channel::Red, "green" => Channel::Green,
        "blue" => Channel::Blue,
    }
    ReachName of GrowShape, "shape": { "disc" => GrowShape::Disc, "square" => GrowShape::Square }
    OrderName of ScanOrder, "order": {
        "top" => ScanOrder::Top, "bottom" => ScanOrder::Bottom, "left" => ScanOrder::Left,
        "right" => ScanOrder::Right,
    }
    FitName of hitmask::Fit, "fit": {
        "nearest" => hitmask::Fit::Nearest, "outside" => hitmask::Fit::Outside,
        "inside" => hitmask::Fit::Inside,
    }
    /// How an alpha value is compared with the number that is given.
    AlphaTest of fn(u8) -> AlphaRule, "alpha_test": {
        "at_least" => AlphaRule::AtLeast, "above" => AlphaRule::Above, "bits" => AlphaRule::Bits,
    }
}

pub(crate) const fn accuracy_name(accuracy: Accuracy) -> &'static str {
    match accuracy {
        Accuracy::Exact => "exact",
        Accuracy::Coarse => "coarse",
        Accuracy::Box => "box",
    }
}

pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Below => "below",
        Side::Above => "above",
        Side::Left => "left",
        Side::Right => "right",
    }
}

pub(crate) fn connectivity(number: u8) -> PyResult<Connectivity> {
    match number {
        4 => Ok(Connectivity::Four),
        8 => Ok(Connectivity::Eight),
        _ => Err(invalid(format!("connectivity is {number}"), "use 4 or 8")),
    }
}

pub(crate) const fn flip(x: bool, y: bool) -> Flip {
    Flip { x, y }
}

/// Returns the angle of a collider: exact 65,536ths of a turn win over radians.
pub(crate) fn angle(radians: f32, turn: Option<u16>) -> Angle {
    match turn {
        Some(turn) => Angle::turn(turn),
        None if radians == 0.0 => Angle::turn(0),
        None => radians.into(),
    }
}

/// A pivot in pixels from the top left corner, in halves; without one the centre.
pub(crate) fn pivot(at: Option<(f64, f64)>) -> PyResult<Pivot> {
    let Some((x, y)) = at else { return Ok(Pivot::Center) };
    let halves = [2.0 * x, 2.0 * y];
    if halves.iter().all(|half| half.fract() == 0.0 && half.abs() <= f64::from(i32::MAX)) {
        return Ok(Pivot::HalfTexels(halves[0] as i32, halves[1] as i32));
    }
    Err(invalid(
        format!("pivot ({x}, {y}) is not in whole or half pixels"),
        "round it to multiples of 0.5",
    ))
}

/// A colour: text such as "#ff00ff" or "#000000..#20202080", or 3 or 4 numbers from 0 to 255.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Color(pub(crate) ColorRange);

impl<'py> FromPyObject<'_, 'py> for Color {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.extract::<String>() {
            return text.parse().or_raise().map(Self);
        }
        // A colour of pygame has 4 parts; without alpha every alpha is meant.
        if let Ok(color) = object.extract::<[u8; 3]>() {
            return Ok(Self(color.into()));
        }
        Ok(Self(object.extract::<[u8; 4]>()?.into()))
    }
}

/// Returns the rule that tells solid from clear texels.
pub(crate) fn texel_rule(
    alpha: u8,
    alpha_test: AlphaTest,
    channel: ChannelName,
    exclude_color: Vec<Color>,
    only_color: Vec<Color>,
) -> TexelRule {
    let ranges = |colors: Vec<Color>| colors.into_iter().map(|color| color.0).collect();
    TexelRule {
        alpha: (alpha_test.0)(alpha),
        channel: channel.0,
        exclude_color: ranges(exclude_color),
        only_color: ranges(only_color),
    }
}

/// Returns an object as a whole number of 64 bits, or names the argument.
pub(crate) fn bits(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<u64> {
    if !object.is_instance_of::<PyInt>() && object.extract::<u64>().is_err() {
        return Err(PyTypeError::new_err(format!(
            "{argument} is not a whole number; pass an id that the world has returned"
        )));
    }
    object.extract()
}

/// Defines a result with named, read-only fields, which prints as its constructor.
macro_rules! record {
    ($(#[$documentation:meta])* $name:ident { $($(#[$field_documentation:meta])* $field:ident: $kind:ty),+ $(,)? }) => {
        $(#[$documentation])*
        #[pyclass(module = "hitmask", frozen, get_all, eq)]
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) struct $name {
            $($(#[$field_documentation])* pub(crate) $field: $kind),+
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let fields = [$(format!(
                    "{}={}",
                    stringify!($field),
                    $crate::values::repr_of(py, self.$field.clone())?
                )),+];
                Ok(format!("{}({})", stringify!($name), fields.join(", ")))
            }
        }
    };
}
pub(crate) use record;

record! {
    /// The overlap of two masks or colliders.
    Contact {
        /// The number of shared pixels.
        area: u64,
        /// The tight box of the shared pixels as (x0, y0, x1, y1), the second corner exclusive.
        rect: Corners,
        /// The first shared pixel: of the top row, the leftmost.
        point: (i32, i32),
    }
}

record! {
    /// The overlap of two masks or colliders, with what separates them.
    Overlap {
        /// The number of shared pixels.
        area: u64,
        /// The tight box of the shared pixels as (x0, y0, x1, y1), the second corner exclusive.
        rect: Corners,
        /// The first shared pixel: of the top row, the leftmost.
        point: (i32, i32),
        /// The centre of the shared pixels.
        centroid: (f32, f32),
        /// The surface normal, of length 1, from the second to the first.
        normal: (f32, f32),
        /// The side of the second, as seen from the first: "below", "above", "left" or "right".
        side: &'static str,
        /// The shortest translation of the first, in mask pixels, that ends the overlap.
        push_out: (i32, i32),
        /// The length of `push_out` in mask pixels.
        depth: f32,
    }
}

record! {
    /// The first contact of a motion.
    Impact {
        /// The step of the contact: 0 if both overlap at the start. A step is 1 pixel of the longer axis.
        step: u32,
        /// The steps of the whole motion.
        steps: u32,
        /// The fraction of the motion that is free, from 0 to 1.
        time: f32,
        /// The last free translation, in mask pixels.
        free_offset: (i32, i32),
        /// The translation at which both touch, in mask pixels.
        contact_offset: (i32, i32),
        /// The first shared pixel at the contact.
        point: (i32, i32),
        /// The surface normal, of length 1, from the obstacle to what moves.
        normal: (f32, f32),
        /// The side of the obstacle, as seen from what moves.
        side: &'static str,
        /// The index of the pose at the contact, of a motion that turns; otherwise 0.
        pose: u32,
    }
}

record! {
    /// The pixel at which a line enters a mask.
    LineHit {
        /// The pixel.
        point: (i32, i32),
        /// The number of the pixel on the line, from 0.
        step: u32,
        /// The steps of the whole line.
        steps: u32,
        /// The surface normal at the pixel, of length 1.
        normal: (f32, f32),
    }
}

impl From<hitmask::Contact> for Contact {
    fn from(contact: hitmask::Contact) -> Self {
        Self { area: contact.area, rect: corners(contact.rect), point: ij(contact.point) }
    }
}

impl From<&hitmask::Overlap<'_>> for Overlap {
    fn from(overlap: &hitmask::Overlap<'_>) -> Self {
        let Contact { area, rect, point } = overlap.contact().into();
        let normal = overlap.normal();
        Self {
            area,
            rect,
            point,
            centroid: xy(overlap.centroid()),
            normal: (normal.x, normal.y),
            side: side_name(normal.side()),
            push_out: ij(overlap.push_out()),
            depth: overlap.depth(),
        }
    }
}

impl From<hitmask::Impact> for Impact {
    fn from(impact: hitmask::Impact) -> Self {
        Self {
            step: impact.step,
            steps: impact.steps,
            time: impact.time(),
            free_offset: ij(impact.free_offset),
            contact_offset: ij(impact.contact_offset),
            point: ij(impact.point),
            normal: (impact.normal.x, impact.normal.y),
            side: side_name(impact.normal.side()),
            pose: impact.pose,
        }
    }
}

impl From<hitmask::LineHit> for LineHit {
    fn from(hit: hitmask::LineHit) -> Self {
        Self {
            point: ij(hit.point),
            step: hit.step,
            steps: hit.steps,
            normal: (hit.normal.x, hit.normal.y),
        }
    }
}

/// Reads keyword arguments: `read` returns whether there is one of the name. An error names the argument, and
/// the nearest of all `names`, which spaces separate.
pub(crate) fn arguments<'py>(
    given: Option<&Bound<'py, PyDict>>,
    whose: &str,
    names: &str,
    help: &str,
    mut read: impl FnMut(&str, &Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<()> {
    for (key, value) in given.into_iter().flatten() {
        let key = key.cast_into::<PyString>()?;
        let key = key.to_cow()?;
        let is_known = read(&key, &value).map_err(|error| {
            let (py, class) = (value.py(), error.get_type(value.py()));
            if class.is(py.get_type::<PyOverflowError>()) {
                invalid(
                    format!("{key} cannot be {value}"),
                    "pass a whole number from 0 to its limit: 255 for alpha and thresholds, 65535 for a turn, \
                     2**64 - 1 for user_data, else 2**32 - 1",
                )
            } else if class.is(py.get_type::<PyTypeError>()) {
                PyTypeError::new_err(format!("argument '{key}': {}", error.value(py)))
            } else {
                error
            }
        })?;
        if !is_known {
            let meant = alike(&key, names.split(' '))
                .map_or_else(String::new, |meant| format!("did you mean {meant}? "));
            return Err(PyTypeError::new_err(format!(
                "{whose} has no argument {key:?}; {meant}{help}"
            )));
        }
    }
    Ok(())
}
