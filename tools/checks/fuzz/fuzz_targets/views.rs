#![no_main]

use hitmask_fuzz::{seeds, views};

libfuzzer_sys::fuzz_target!(init: seeds::write("views"), |data: &[u8]| views::run(data));
