use crate::folder::Folder;
use std::fs;

#[test]
fn a_new_manifest_matches_the_folder_and_bakes_unedited() {
    let folder = Folder::new("init");
    folder.write("art/tiles.tsx", "<tileset/>");
    folder.write("art/yard.ldtk", "{}");
    let out = folder.ok("init art");
    assert!(out.contains("art/hitmask.toml"), "{out}");
    let text = folder.text("art/hitmask.toml");
    assert!(
        text.contains("files = [\"**/*.png\"]")
            && text.contains("1 files end in .tsx. If they are tilesets of Tiled, with")
            && text.contains("1 files end in .ldtk. If they are levels of LDtk, which"),
        "{text}"
    );
    folder.ok("bake --manifest art/hitmask.toml");
    assert_eq!(folder.names("art/sprites.hitmask"), ["arrow", "small/dot"]);
    // The manual has every key, which a test of the baker shows.
    let manual = include_str!("../../../bake/src/MANIFEST.md").split("\n## ").skip(1).take(2);
    let rows = manual.flat_map(str::lines).filter_map(|row| row.strip_prefix("| `"));
    let keys: Vec<&str> = rows.filter_map(|row| Some(row.split_once('`')?.0)).collect();
    assert!(keys.len() > 30, "{keys:?}");
    for key in keys {
        assert!(text.contains(&format!("{key} = ")), "no line with {key}");
    }
    // Every commented key is valid once its # is removed.
    let all: String = text
        .lines()
        .map(|line| {
            let bare = line.strip_prefix("# ").filter(|bare| {
                let key = bare.split(" = ").next().unwrap_or_default();
                bare.contains(" = ") && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
            });
            format!("{}\n", bare.filter(|_| !text.is_empty()).unwrap_or(line))
        })
        .take_while(|line| !line.starts_with("[[source]]"))
        .collect();
    let all = all.replace("flip = \"none\"", "flip = \"y\"");
    assert!(all.contains("\nnumbered = false\n") && all.contains("\nroot = \".\"\n"), "{all}");
    folder.write("art/all.toml", &format!("{all}[[source]]\nfiles = \"**/*.png\"\n"));
    folder.ok("bake --manifest art/all.toml -o all.hitmask");
}

#[test]
fn a_plain_bake_finds_the_manifest_of_the_current_folder() {
    let folder = Folder::new("init-plain");
    let out = folder.ok("init");
    assert!(out.ends_with("then run: hitmask bake\n"), "{out}");
    let out = folder.ok("bake");
    assert!(out.starts_with("sprites.hitmask\n"), "{out}");
    assert_eq!(folder.names("sprites.hitmask").len(), 2);
    // With other settings, and as a check.
    folder.ok("bake --check");
    folder.ok("bake -o other.hitmask");
    // Inputs leave the manifest out.
    let out = folder.ok("bake art/arrow.png -o one.hitmask");
    assert!(out.contains("sprites   1 "), "{out}");
}

#[test]
fn settings_of_the_command_line_apply_where_a_manifest_has_none() {
    let folder = Folder::new("manifest");
    folder.write("hitmask.toml", "[[source]]\nfiles = \"art/*.png\"\n");
    folder.ok("bake -m hitmask.toml -o a.hitmask --angles 8");
    assert_eq!(folder.json("info a.hitmask --json")["sprites"][0]["angles"], 8);
}

#[test]
fn a_manifest_gives_the_names_that_a_bake_of_the_folder_of_art_gives() {
    let folder = Folder::new("init-names");
    // Pictures of tools are no art.
    std::fs::create_dir_all(folder.0.join("target/doc")).unwrap();
    folder.image("target/doc/favicon.png", ["#.", "##"]);
    let baked = |root: &str| {
        let _ = fs::remove_file(folder.0.join("hitmask.toml"));
        folder.ok("init");
        let text = folder.text("hitmask.toml");
        assert!(text.contains(&format!("\n{root}\n")), "{text}");
        folder.ok("bake");
        folder.names("sprites.hitmask")
    };
    folder.ok("bake art -o plain.hitmask");
    assert_eq!(baked("root = \"art\""), folder.names("plain.hitmask"));
    assert_eq!(folder.names("plain.hitmask"), ["arrow", "small/dot"]);
    // Two folders of art have the names of a bake of this folder.
    fs::remove_dir_all(folder.0.join("target")).unwrap();
    fs::create_dir(folder.0.join("ui")).unwrap();
    folder.image("ui/button.png", ["#.", "##"]);
    folder.ok("bake . -o plain.hitmask");
    assert_eq!(baked("# root = \".\""), folder.names("plain.hitmask"));
    assert_eq!(folder.names("plain.hitmask"), ["art/arrow", "art/small/dot", "ui/button"]);
    // So has an image beside the folder.
    fs::remove_dir_all(folder.0.join("ui")).unwrap();
    folder.image("logo.png", ["#.", "##"]);
    assert_eq!(baked("# root = \".\""), ["art/arrow", "art/small/dot", "logo"]);
}
