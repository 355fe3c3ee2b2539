//! The error type of the CLI, printed by `main` as an `error:` line and a `help:` line.

use clap::builder::styling::AnsiColor;
use hitmask::{BuildError, CallError, FileError};
use hitmask_bake::BakeError;
use hitmask_demo::headless::DemoError;
use std::fmt;
use std::process::ExitCode;

/// An error of a verb: one line that says what is wrong, and one that says how to fix it.
#[derive(Debug)]
pub(crate) struct CliError {
    cause: String,
    help: String,
    code: u8,
}

impl CliError {
    /// Creates an error with exit code 1. `help` is an instruction without a full stop.
    pub(crate) fn new(cause: impl Into<String>, help: impl Into<String>) -> Self {
        Self { cause: cause.into(), help: help.into(), code: 1 }
    }

    /// Replaces the exit code, which is 1 by default.
    pub(crate) fn with_code(self, code: u8) -> Self {
        Self { code, ..self }
    }

    /// Returns the exit code.
    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }

    /// Prefixes the message with the file or item that it is about.
    pub(crate) fn of(self, what: &str) -> Self {
        Self { cause: format!("{what}: {}", self.cause), ..self }
    }
}

/// Joins a message and its remedy where only one line is available.
pub(crate) fn one_line(cause: impl fmt::Display, help: impl fmt::Display) -> String {
    format!("{cause}; {help}")
}

macro_rules! impl_from_library_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for CliError {
            fn from(error: $error) -> Self {
                Self::new(error.to_string(), error.help())
            }
        }
    )*};
}
impl_from_library_errors!(FileError, BakeError, BuildError, CallError, DemoError);

/// The kind of a line on standard error, which is its first word. A terminal shows it in the colour that
/// the parser of the arguments uses.
#[derive(Clone, Copy)]
pub(crate) enum Label {
    Error,
    Warning,
    Hint,
    Note,
    Help,
}

/// Writes a line to standard error.
pub(crate) fn say(label: Label, text: impl fmt::Display) {
    let (word, color) = match label {
        Label::Error => ("error", AnsiColor::Red),
        Label::Warning => ("warning", AnsiColor::Yellow),
        Label::Hint => ("hint", AnsiColor::Cyan),
        Label::Note => ("note", AnsiColor::Cyan),
        Label::Help => ("help", AnsiColor::Green),
    };
    let style = color.on_default().bold();
    anstream::eprintln!("{style}{word}:{style:#} {text}");
}

impl CliError {
    /// Writes the error to standard error.
    pub(crate) fn print(&self) {
        // Messages of decoders and of the system can contain line breaks.
        say(Label::Error, self.cause.replace('\n', " "));
        say(Label::Help, &self.help);
    }
}
