//! Compares the public API of the library with `hitmask.txt`, and prints what differs.
//!
//! ```text
//! cargo run --manifest-path tools/checks/public_api/Cargo.toml              # exits with 1 if they differ
//! cargo run --manifest-path tools/checks/public_api/Cargo.toml -- --bless   # writes the list again
//! ```
//!
//! The list has every item that a user can name, with all features. A review of a change sees in it
//! what the change means for users: a line that goes away breaks some of them.

use public_api::Builder;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (root, list) = (here.join("../../.."), here.join("hitmask.txt"));
    let found = public_api(&root)?;
    if env::args().nth(1).is_some_and(|argument| argument == "--bless") {
        fs::write(list, found)?;
        return Ok(ExitCode::SUCCESS);
    }
    let listed = fs::read_to_string(&list).unwrap_or_default();
    let [before, now] = [&listed, &found].map(|text| text.lines().collect::<BTreeSet<_>>());
    before.difference(&now).for_each(|line| println!("- {line}"));
    now.difference(&before).for_each(|line| println!("+ {line}"));
    if listed == found {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("error: the public API is not that of tools/checks/public_api/hitmask.txt");
    eprintln!("help: if the change is wanted, write the list again with the argument --bless");
    Ok(ExitCode::FAILURE)
}

/// Returns one line for each public item of the library.
fn public_api(root: &Path) -> Result<String, Box<dyn Error>> {
    let target = root.join("target/public_api");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["rustdoc", "--quiet", "--package", "hitmask", "--lib", "--all-features"])
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json"])
        // The JSON of rustdoc is unstable; `public-api` reads that of one or two compilers.
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root)
        .status()?;
    if !status.success() {
        return Err("cargo rustdoc failed".into());
    }
    let api = Builder::from_rustdoc_json(target.join("doc/hitmask.json"))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| {
            format!("{error}; give public-api the version that reads this compiler's")
        })?;
    Ok(format!("{api}\n"))
}
