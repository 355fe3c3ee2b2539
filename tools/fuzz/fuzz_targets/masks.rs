#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hitmask_fuzz::masks::run(data));
