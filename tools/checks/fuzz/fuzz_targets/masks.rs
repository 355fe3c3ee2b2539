#![no_main]

use hitmask_fuzz::{masks, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::write("masks"), |data: &[u8]| masks::run(data));
