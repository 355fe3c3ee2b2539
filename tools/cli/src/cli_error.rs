use hitmask::{AtlasError, BakeError, BulkPlaceError, MergeError, PlaceError};
use std::fmt;
use std::process::ExitCode;

/// Why a verb failed, in one line, and what to do, in another.
#[derive(Debug)]
pub(crate) struct Failure {
    cause: String,
    help: String,
    code: u8,
}

impl Failure {
    pub(crate) fn new(cause: impl Into<String>, help: impl Into<String>) -> Self {
        Self { cause: cause.into(), help: help.into(), code: 1 }
    }

    /// The same failure with an exit code of its own.
    pub(crate) fn with_code(self, code: u8) -> Self {
        Self { code, ..self }
    }

    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }

    /// The same failure, with what it concerns named in front.
    pub(crate) fn of(self, what: &str) -> Self {
        Self { cause: format!("{what}: {}", self.cause), ..self }
    }
}

/// What is wrong and how to fix it, where there is room for one line only.
pub(crate) fn one_line(cause: impl fmt::Display, help: impl fmt::Display) -> String {
    format!("{cause}; {help}")
}

macro_rules! from_errors_of_the_library {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new(error.to_string(), error.help())
            }
        }
    )*};
}
from_errors_of_the_library!(AtlasError, BakeError, MergeError, PlaceError, BulkPlaceError);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A cause from a decoder or the system may have lines of its own.
        write!(f, "error: {}\nhelp: {}", self.cause.replace('\n', " "), self.help)
    }
}
