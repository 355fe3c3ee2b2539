//! Tests of the `hitmask` binary, one file per verb.
//!
//! Each test runs the binary in a temporary folder. Results are on standard output, errors are two
//! lines on standard error. Exit codes: 0 success, 1 failure, 2 wrong usage.

mod bake;
mod completions;
mod demo;
mod export;
mod faults;
mod folder;
mod init;
mod limits;
mod maps;
#[cfg(unix)]
mod output;
mod report;
mod shape_check;
mod shards;
mod show;
#[cfg(target_os = "linux")]
mod transcripts;
mod usage;
mod watch;
