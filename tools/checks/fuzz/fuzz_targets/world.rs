#![no_main]

use hitmask_fuzz::{seeds, world};

libfuzzer_sys::fuzz_target!(init: seeds::write("world"), |data: &[u8]| world::run(data));
