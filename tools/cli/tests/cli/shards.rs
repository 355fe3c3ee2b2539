//! Tests of `bake --shard` and `merge`.

use crate::folder::Folder;
use serde_json::json;

#[test]
fn merged_shards_equal_the_atlas_of_one_bake() {
    let folder = Folder::new("shards");
    folder.image("art/third.png", ["####", "#..."]);
    folder.ok("bake art -o one --no-cache");
    for shard in ["1/2", "2/2"] {
        let said = folder.ok(&format!("bake art -o {} --shard {shard}", &shard[..1]));
        assert!(said.contains("sprites   "), "{said}");
        assert!(!folder.0.join(format!("{}.cache", &shard[..1])).exists());
    }
    let said = folder.ok("merge out 2 1");
    assert!(said.contains("shards    2") && said.contains("sprites   3"), "{said}");
    assert_eq!(folder.read("out"), folder.read("one"));
    let answer = folder.json("merge out 1 2 --json");
    assert_eq!((&answer["shards"], &answer["written"]), (&json!(2), &json!(false)));
}

#[test]
fn errors_of_a_merge_name_the_file() {
    let folder = Folder::new("shards-bad");
    folder.ok("bake art -o one --shard 1/2");
    folder.ok("bake art -o two --shard 2/2");
    folder.ok("bake art -o other --shard 2/2 --angles 8");
    folder.ok("bake art -o whole");
    folder.write("out", "HITMASK\x1a and so on");
    for (shards, expected) in [
        ("one", "of 2 shards, number 2 is missing beside one"),
        ("one two one", "one and one are both shard 1"),
        ("one other", "one and other are shards of different bakes"),
        ("one whole", "whole is a whole atlas"),
        ("one art/arrow.png", "art/arrow.png is not a shard"),
        ("one absent", "cannot read absent"),
    ] {
        folder.refuses(&format!("merge out {shards}"), expected, "");
    }
    assert_eq!(folder.read("out"), b"HITMASK\x1a and so on");
    for verb in ["info", "verify"] {
        folder.refuses(&format!("{verb} one"), "one: this is one shard", "merge");
    }
    folder.refuses(
        "bake art -o x --shard 1/2 --max-mb 9",
        "depends on all sprites",
        "without shards",
    );
    for shard in ["0/2", "3/2", "1", "a/b", "1/0"] {
        folder.misuses(&format!("bake art -o x --shard {shard}"), "1/4");
    }
    folder.misuses("merge out", "SHARD");
}
