//! Runs every target without a fuzzer: on its seeds, on mutations of them, and on what the fuzzer has found.

use hitmask_fuzz::{atlas, capi, image, maps, masks, seeds, shapes, snapshot, text, views, world};
use hitmask_scenes::{Folder, Random};
use std::path::Path;
use std::process::Command;

type Run = fn(&[u8]);

const TARGETS: [(&str, Run); 10] = [
    ("atlas", atlas::run),
    ("capi", capi::run),
    ("image", image::run),
    ("maps", maps::run),
    ("masks", masks::run),
    ("shapes", shapes::run),
    ("snapshot", snapshot::run),
    ("text", text::run),
    ("views", views::run),
    ("world", world::run),
];

#[test]
fn seeds_and_what_is_near_them_hold_their_promises() {
    let mut random = Random::new(5);
    for (target, seeds) in seeds::all() {
        let (_, run) = TARGETS.into_iter().find(|(name, _)| *name == target).expect("a target");
        for (name, bytes) in seeds {
            println!("{target}/{name}");
            run(&bytes);
            for _ in 0..3 {
                let mut changed = bytes.clone();
                for _ in 0..=random.below(3) {
                    if !changed.is_empty() {
                        let at = random.below(changed.len() as u32) as usize;
                        changed[at] ^= 1 << random.below(8);
                    }
                }
                run(&changed);
            }
        }
    }
}

/// `.ci/fuzz pack` writes the archives. Prints each input, so that the last line of a failure names it.
#[test]
fn inputs_that_the_fuzzer_has_found_hold_their_promises() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("packed");
    for (target, run) in TARGETS {
        let folder = Folder::new(&format!("packed-{target}"));
        let archive = packed.join(target).with_extension("tar.gz");
        let tar =
            Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(folder.root()).status();
        assert!(tar.unwrap().success(), "{}", archive.display());
        let mut inputs: Vec<_> =
            std::fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        assert!(inputs.len() > 100, "{target}");
        for input in inputs {
            println!("{}", input.display());
            run(&std::fs::read(input).unwrap());
        }
    }
}
