//! Errors of the library as exceptions of Python.
//!
//! The classes are in `hitmask/_errors.py`, because a class of two bases is one line there. Each
//! message ends with the remedy, which is also the attribute `help`.

use hitmask::{BuildError, BuildFault, CallError, FileError, InvariantViolation, IoCause};
use hitmask_bake::{BakeError, BakeFault};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

/// The class of an exception, by its name in `hitmask/_errors.py`.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    InvalidValue,
    UnknownId,
    Outside,
    Damaged,
    Bake,
    State,
    Busy,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::InvalidValue => "InvalidValueError",
            Self::UnknownId => "UnknownIdError",
            Self::Outside => "OutsideError",
            Self::Damaged => "DamagedError",
            Self::Bake => "BakeError",
            Self::State => "StateError",
            Self::Busy => "BusyError",
        }
    }
}

/// Returns the exception that a class or a function of `hitmask/_errors.py` makes.
#[cold]
fn make(name: &str, arguments: impl for<'py> PyCallArgs<'py>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    Python::attach(|py| {
        let import = || py.import("hitmask._errors").map(Bound::unbind);
        let module = MODULE.get_or_try_init(py, import);
        let made = module.and_then(|module| module.bind(py).getattr(name)?.call1(arguments));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// Returns the exception of a class with a message and a remedy.
#[cold]
pub(crate) fn raise(kind: Kind, message: impl Display, help: impl Display) -> PyErr {
    make(kind.name(), (format!("{message}; {help}"), help.to_string()))
}

/// Names in remedies of the library, and those of this package.
const NAMES: [(&str, &str); 15] = [
    ("get the id from Atlas::sprite_id", "use a name, a Sprite or its id"),
    ("get the index from Sprite::plane", "use a name of Sprite.planes, or Sprite.plane(name)"),
    ("AtlasBuilder::scales", "the scales of Bake"),
    ("with AtlasBuilder::resolution(", "with Bake(resolution="),
    ("World::set_scale_policy", "World.scale_policy"),
    ("ScalePolicy::Nearest", "\"nearest\""),
    ("that Collider::owned_by gave to", "that is the owner of"),
    ("insert the raster with", "make the mask with"),
    ("give AtlasesMut::drop InUse::Remove", "call World.atlases_mut().drop(id, remove=True)"),
    ("AtlasesMut::set_pose_budget", "World.set_pose_budget"),
    ("MasksMut::insert_drawn", "World.insert_transformed"),
    ("MasksMut::insert", "World.insert_mask"),
    ("AtlasesMut::replace", "World.replace_atlas"),
    ("World::", "World."),
    ("Atlas::", "Atlas."),
];

/// Returns a remedy of the library in the names of this package.
fn in_python_names(help: Cow<'static, str>) -> Cow<'static, str> {
    NAMES.iter().fold(help, |help, (ours, theirs)| match help.contains(ours) {
        true => help.replace(ours, theirs).into(),
        false => help,
    })
}

/// Returns an `InvalidValueError`.
#[cold]
pub(crate) fn invalid(message: impl Display, help: impl Display) -> PyErr {
    raise(Kind::InvalidValue, message, help)
}

/// Returns the `OSError` of a path.
#[cold]
fn file_error(cause: &IoCause, message: &str, help: &str, path: Option<&Path>) -> PyErr {
    make("file_error", (cause.code, format!("{message}; {help}"), help, path))
}

/// Turns an error of the library into an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Fault> OrRaise<T> for Result<T, E> {
    #[inline]
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| error.exception())
    }
}

/// An error of the library.
pub(crate) trait Fault: Display {
    fn exception(&self) -> PyErr;
}

impl Fault for CallError {
    fn exception(&self) -> PyErr {
        let kind = match self.cause() {
            Self::Stale(_)
            | Self::UnknownSprite { .. }
            | Self::OtherAtlas { .. }
            | Self::NoSprite(_)
            | Self::UnknownMask(_)
            | Self::UnknownAtlas(_)
            | Self::UnknownOwner(_) => Kind::UnknownId,
            Self::MaskInUse(_) | Self::Full | Self::AtlasInUse { .. } | Self::OnlyAtlas(_) => {
                Kind::State
            }
            _ => Kind::InvalidValue,
        };
        raise(kind, self, in_python_names(self.help()))
    }
}

impl Fault for InvariantViolation {
    fn exception(&self) -> PyErr {
        raise(Kind::Damaged, self, in_python_names(self.help()))
    }
}

impl Fault for FileError {
    fn exception(&self) -> PyErr {
        match self {
            Self::Io { path, cause } => {
                file_error(cause, &self.to_string(), &self.help(), Some(path))
            }
            Self::OverLimit { .. } => {
                let help =
                    "if you trust the file, open it with trusted=True; or bake it without compact";
                raise(Kind::Damaged, self, help)
            }
            _ => raise(Kind::Damaged, self, in_python_names(self.help())),
        }
    }
}

impl Fault for BuildError {
    fn exception(&self) -> PyErr {
        match &self.fault {
            BuildFault::Scratch(cause) => file_error(cause, &self.to_string(), &self.help(), None),
            _ => raise(Kind::Bake, self, self.help()),
        }
    }
}

impl Fault for BakeError {
    fn exception(&self) -> PyErr {
        let (message, help) = (self.to_string(), self.help());
        let path = self.place.path.as_deref();
        match &self.fault {
            BakeFault::Read(cause) | BakeFault::Write(cause) => {
                file_error(cause, &message, &help, path)
            }
            BakeFault::NotFound => {
                let cause = IoCause { kind: std::io::ErrorKind::NotFound, code: Some(2) };
                file_error(&cause, &message, &help, path)
            }
            BakeFault::Build(error) => error.exception(),
            BakeFault::Atlas(error) => error.exception(),
            _ => raise(Kind::Bake, message, help),
        }
    }
}
