#![no_main]

use hitmask_fuzz::{capi, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::write("capi"), |data: &[u8]| capi::run(data));
