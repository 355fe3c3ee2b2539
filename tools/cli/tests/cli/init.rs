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
    let names = folder.json("info art/sprites.hitmask --json");
    let names: Vec<_> =
        names["sprites"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["arrow", "small/dot"]);
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
    let said = folder.misused("bake");
    assert!(said.contains("hitmask.toml") && said.contains("hitmask init"), "{said}");
    let out = folder.ok("init");
    assert!(out.ends_with("then run: hitmask bake\n"), "{out}");
    let out = folder.ok("bake");
    assert!(out.starts_with("sprites.hitmask\n"), "{out}");
    let names = folder.json("info sprites.hitmask --json");
    assert_eq!(names["sprites"].as_array().unwrap().len(), 2);
    // With other settings, and as a check.
    folder.ok("bake --check");
    folder.ok("bake -o other.hitmask");
    // Inputs leave the manifest out.
    let out = folder.ok("bake art/arrow.png -o one.hitmask");
    assert!(out.contains("sprites   1 "), "{out}");
}

#[test]
fn an_existing_manifest_is_never_overwritten() {
    let folder = Folder::new("init-twice");
    folder.write("hitmask.toml", "mine");
    folder.refuses("init", "hitmask.toml already exists", "edit the manifest");
    assert_eq!(folder.text("hitmask.toml"), "mine");
    folder.refuses("init nowhere", "nowhere", "");
}

#[test]
fn an_invalid_manifest_is_refused_by_line_and_the_old_atlas_stays() {
    let folder = Folder::new("manifest");
    folder.write("old.hitmask", "HITMASK\x1a and so on");
    folder.write("hitmask.toml", "[defaults]\nangels = 4\n");
    let (cause, help) = folder.fails("bake -m hitmask.toml -o old.hitmask");
    assert!(cause.contains("hitmask.toml, line 2, column 1"), "{cause}");
    assert_eq!(help, "did you mean \"angles\"?");
    assert_eq!(folder.text("old.hitmask"), "HITMASK\x1a and so on");
    folder.write("hitmask.toml", "[[source]]\nfiles = \"art/*.png\"\n");
    folder.refuses("bake -m hitmask.toml", "no output path", "-o FILE");
    // Command-line settings apply where the manifest has none.
    folder.ok("bake -m hitmask.toml -o a.hitmask --angles 8");
    assert_eq!(folder.json("info a.hitmask --json")["sprites"][0]["angles"], 8);
}

#[test]
fn a_manifest_gives_the_names_that_a_bake_of_the_folder_of_art_gives() {
    let folder = Folder::new("init-names");
    // Pictures of tools are no art.
    std::fs::create_dir_all(folder.0.join("target/doc")).unwrap();
    folder.image("target/doc/favicon.png", ["#.", "##"]);
    let names = |atlas: &str| -> Vec<String> {
        let info = folder.json(&format!("info {atlas} --json"));
        let sprites = info["sprites"].as_array().unwrap().iter();
        sprites.map(|sprite| sprite["name"].as_str().unwrap().to_owned()).collect()
    };
    let baked = |root: &str| {
        let _ = fs::remove_file(folder.0.join("hitmask.toml"));
        folder.ok("init");
        let text = folder.text("hitmask.toml");
        assert!(text.contains(&format!("\n{root}\n")), "{text}");
        folder.ok("bake");
        names("sprites.hitmask")
    };
    folder.ok("bake art -o plain.hitmask");
    assert_eq!(baked("root = \"art\""), names("plain.hitmask"));
    assert_eq!(names("plain.hitmask"), ["arrow", "small/dot"]);
    // Two folders of art have the names of a bake of this folder.
    fs::remove_dir_all(folder.0.join("target")).unwrap();
    fs::create_dir(folder.0.join("ui")).unwrap();
    folder.image("ui/button.png", ["#.", "##"]);
    folder.ok("bake . -o plain.hitmask");
    assert_eq!(baked("# root = \".\""), names("plain.hitmask"));
    assert_eq!(names("plain.hitmask"), ["art/arrow", "art/small/dot", "ui/button"]);
    // So has an image beside the folder.
    fs::remove_dir_all(folder.0.join("ui")).unwrap();
    folder.image("logo.png", ["#.", "##"]);
    assert_eq!(baked("# root = \".\""), ["art/arrow", "art/small/dot", "logo"]);
}
