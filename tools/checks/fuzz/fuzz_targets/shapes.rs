#![no_main]

use hitmask_fuzz::{seeds, shapes};

libfuzzer_sys::fuzz_target!(init: seeds::write("shapes"), |data: &[u8]| shapes::run(data));
