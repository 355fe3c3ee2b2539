#![no_main]

use hitmask_fuzz::{image, seeds};

libfuzzer_sys::fuzz_target!(init: seeds::write("image"), |data: &[u8]| image::run(data));
