//! Tests of instruction sets and of closed pipes.

use crate::folder::{Folder, texts};
use std::path::Path;
use std::process::Command;

#[test]
fn an_instruction_set_that_is_unknown_or_missing_exits_with_2_and_names_the_available_ones() {
    let run = |name: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hitmask"));
        program.args(["completions", "bash"]).env("HITMASK_SIMD", name).output().unwrap()
    };
    let available = hitmask::Simd::available();
    let all = ["avx512", "avx2", "sse2", "neon", "wasm", "fallback"];
    let has = |name: &str| available.iter().any(|simd| simd.name() == name);
    for name in all.into_iter().filter(|name| !has(name)).chain(["avx-512", "AVX2", " "]) {
        let output = run(name);
        assert_eq!(output.status.code(), Some(2), "{name:?}");
        let (out, said) = texts(&output);
        assert_eq!(out, "", "{name:?}");
        let (error, help) = said.trim_end().split_once('\n').unwrap();
        assert!(error.contains("HITMASK_SIMD") && error.contains(name), "{said}");
        let names: Vec<&str> = available.iter().map(|simd| simd.name()).collect();
        assert!(help.starts_with("help: ") && help.ends_with(&names.join(", ")), "{said}");
    }
    for name in available.iter().map(|simd| simd.name()).chain([""]) {
        assert!(run(name).status.success(), "{name:?}");
    }
}

#[test]
fn a_closed_pipe_counts_as_success() {
    let folder = Folder::new("pipe");
    folder.ok("bake art -o a --angles 4");
    let exe = Path::new(env!("CARGO_BIN_EXE_hitmask"));
    let script = format!("{} info a; echo $? >&2", exe.display());
    let piped = format!("({script}) | true");
    let output = Command::new("sh").args(["-c", &piped]).current_dir(&folder.0).output().unwrap();
    assert_eq!(texts(&output).1.trim(), "0");
}
