//! Import cycles of the crates below `tools`.

use super::cycles::find_cycle;
use super::source::sources;

/// The folders of crate roots, each with a number of paths between files that it exceeds. Fewer paths
/// mean that the parser misses some.
const CRATES: [(&str, usize); 7] = [
    ("tools/bake/src", 50),
    ("tools/bevy/src", 50),
    ("tools/capi/src", 100),
    ("tools/cli/src", 50),
    ("tools/demo/src", 50),
    ("tools/demo/src/bin/window", 4),
    ("tools/python/src", 30),
];

#[test]
fn imports_of_tools_have_no_cycle() {
    for (folder, min_edges) in CRATES {
        let mut files = sources(folder);
        // Binaries are crates of their own.
        files.retain(|file| !file.name.starts_with("bin/"));
        let (cycle, edges) = find_cycle(files);
        assert_eq!(cycle, None, "{folder}");
        assert!(edges > min_edges, "{folder}: only {edges} paths between files were found");
    }
}
