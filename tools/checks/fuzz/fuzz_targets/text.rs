#![no_main]

use hitmask_fuzz::{seeds, text};

libfuzzer_sys::fuzz_target!(init: seeds::write("text"), |data: &[u8]| text::run(data));
