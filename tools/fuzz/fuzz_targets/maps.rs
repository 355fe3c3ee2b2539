#![no_main]

use hitmask_fuzz::{maps, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::write("maps"), |data: &[u8]| maps::run(data));
