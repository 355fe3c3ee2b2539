#![no_main]

use hitmask_fuzz::{regions, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::write("regions"), |data: &[u8]| regions::run(data));
