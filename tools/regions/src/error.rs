//! [`Error`]: why a plane refused a call, or stopped.

use hitmask::{CallError, FileError};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The reason why a plane refused a call, or why its run ended.
///
/// `Display` states the process and the region, the fault and its cause; [`help`](Self::help) states the
/// remedy. `Debug` prints both, because a program that returns the error from `main` prints it that way.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Error {
    /// What kind of fault it is.
    pub kind: ErrorKind,
    /// The process at fault, counted from 0; `None` if it is no particular one.
    pub process: Option<usize>,
    /// The region at fault; `None` if it is no particular one.
    pub region: Option<u32>,
    cause: String,
    help: Cow<'static, str>,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A call was refused. The plane is as it was.
    Call,
    /// The options of a plane cannot be used together.
    Options,
    /// A process or a snapshot differs from this process in its version, its run, its atlas or its options.
    Mismatch,
    /// A process sent bytes that are no message of a plane.
    Garbage,
    /// A process ended, or did not answer within the time limit. The run is over for every process.
    Lost,
    /// A snapshot cannot be written or read, or is damaged.
    Snapshot,
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        cause: impl Into<String>,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { kind, process: None, region: None, cause: cause.into(), help: help.into() }
    }

    pub(crate) fn of_process(self, process: usize) -> Self {
        Self { process: Some(process), ..self }
    }

    pub(crate) fn of_region(self, region: u32) -> Self {
        Self { region: Some(region), ..self }
    }

    /// Adds to the end of a run how many ticks since the newest snapshot are lost.
    pub(crate) fn after(mut self, ticks: u64, saved: Option<u64>) -> Self {
        if matches!(self.kind, ErrorKind::Lost | ErrorKind::Garbage) {
            self.cause += &match saved {
                Some(saved) => {
                    format!("; {} ticks since the snapshot of tick {saved} are lost", ticks - saved)
                }
                None => format!("; {ticks} ticks are lost, because there is no snapshot"),
            };
        }
        self
    }

    /// Returns the remedy.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.process, self.region) {
            (Some(process), Some(region)) => write!(f, "process {process}, region {region}: ")?,
            (Some(process), None) => write!(f, "process {process}: ")?,
            (None, Some(region)) => write!(f, "region {region}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.cause)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}; {}", self.help)
    }
}

impl std::error::Error for Error {}

impl From<CallError> for Error {
    fn from(error: CallError) -> Self {
        Self::new(ErrorKind::Call, error.to_string(), error.help())
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::new(ErrorKind::Snapshot, error.to_string(), error.help())
    }
}
