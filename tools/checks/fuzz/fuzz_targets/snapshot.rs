#![no_main]

use hitmask_fuzz::{seeds, snapshot};

libfuzzer_sys::fuzz_target!(init: seeds::write("snapshot"), |data: &[u8]| snapshot::run(data));
