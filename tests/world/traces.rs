//! Traces of the naive world, which the tests of the Python package replay. Those of C write their own.

use std::path::Path;

#[test]
fn traces_of_the_naive_world_are_written_for_python() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traces");
    std::fs::create_dir_all(&folder).expect("a folder");
    let traces = hitmask_scenes::naive::write_traces(&folder);
    let lines = |path| std::fs::read_to_string(path).expect("a trace").lines().count();
    assert!(traces.iter().all(|path| lines(path) > 300), "{traces:?}");
}
