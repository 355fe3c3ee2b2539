//! The command as a person or a script meets it: answers on standard output, errors in two lines
//! on standard error, and exit codes 0 done, 1 failed, 2 wrong usage. One file for each verb.

mod bake;
mod chart;
mod check;
mod completions;
mod demo;
mod diff;
mod folder;
mod init;
mod interrupted;
mod output;
mod report;
mod shards;
mod show;
mod usage;
mod watch;
