#![no_main]

use hitmask_fuzz::{atlas, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::write("atlas"), |data: &[u8]| atlas::run(data));
