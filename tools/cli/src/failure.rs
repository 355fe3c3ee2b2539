use hitmask::{AtlasError, BakeError, MergeError, PlaceError, PlaceManyError};
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

    /// The library's messages hold both, cause and help, with "; " before the latter.
    fn from_message(message: &str) -> Self {
        let (cause, help) = message.rsplit_once("; ").unwrap_or((message, "see hitmask --help"));
        Self::new(cause, help)
    }
}

impl From<AtlasError> for Failure {
    fn from(error: AtlasError) -> Self {
        Self::from_message(&error.to_string())
    }
}

impl From<BakeError> for Failure {
    fn from(error: BakeError) -> Self {
        Self::from_message(&error.to_string())
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        Self::from_message(&error.to_string())
    }
}

impl From<PlaceError> for Failure {
    fn from(error: PlaceError) -> Self {
        Self::from_message(&error.to_string())
    }
}

impl From<PlaceManyError> for Failure {
    fn from(error: PlaceManyError) -> Self {
        Self::from_message(&error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A cause from a decoder or the system may have lines of its own.
        write!(f, "error: {}\nhelp: {}", self.cause.replace('\n', " "), self.help)
    }
}
