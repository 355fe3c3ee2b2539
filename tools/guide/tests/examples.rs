//! Runs the examples of the guide in Rust. Those in other languages are run where these are tested, by the same
//! rule: each prints what `prints.txt` beside it says.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a committed file with what it must be, or writes it with `HITMASK_BLESS`.
fn assert_committed(path: &str, bytes: &[u8]) {
    let whole = root().join(path);
    if env::var_os("HITMASK_BLESS").is_some() {
        fs::write(&whole, bytes).unwrap();
    }
    let committed = fs::read(whole).unwrap_or_default();
    assert!(committed == bytes, "{path} differs; run the test with HITMASK_BLESS=1");
}

#[test]
fn the_committed_art_is_what_the_code_draws() {
    for (file, is_new) in [("art.hitmask", false), ("art-new.hitmask", true)] {
        assert_committed(file, &hitmask_guide::art(is_new).unwrap());
    }
}

#[test]
fn the_committed_pictures_are_what_the_code_draws() {
    for (name, svg) in hitmask_guide::pictures().unwrap() {
        assert!(svg.len() < 150_000, "{name}");
        assert_committed(&format!("pictures/{name}.svg"), svg.as_bytes());
    }
}

/// Returns the folder of the examples that cargo has built beside this test.
fn built() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples")
}

#[test]
fn each_example_prints_what_the_guide_says() {
    let mut count = 0;
    for folder in fs::read_dir(root().join("examples")).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let output = Command::new(built().join(format!("guide_{name}")))
            .current_dir(root())
            .output()
            .unwrap();
        let [printed, errors] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{name}/main.rs: {errors}");
        let path = folder.join("prints.txt");
        if env::var_os("HITMASK_BLESS").is_some() {
            fs::write(&path, &*printed).unwrap();
        }
        assert_eq!(printed, fs::read_to_string(&path).unwrap_or_default(), "{name}/main.rs");
        count += 1;
    }
    assert!(count >= 12, "{count}");
}
