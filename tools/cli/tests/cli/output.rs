//! Tests of output paths: files and links that are replaced. `refusals.txt` has those that are not.

use crate::folder::Folder;
use std::fs;
use std::os::unix::fs::symlink;

fn art(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.ok("bake art -o a --angles 4");
    folder.ok("bake art -o s1 --shard 1/2");
    folder
}

#[test]
fn an_output_link_is_followed_and_remains_a_link() {
    let folder = art("output-link");
    fs::create_dir(folder.0.join("far")).unwrap();
    symlink("far/next", folder.0.join("link")).unwrap();
    symlink("real", folder.0.join("far/next")).unwrap();
    // First creates the target of the link, then replaces it.
    for angles in ["4", "8"] {
        folder.ok(&format!("bake art -o link --angles {angles}"));
        folder.ok(&format!("bake art -o plain --angles {angles}"));
        let [link, real, plain] = ["link", "far/real", "plain"].map(|name| folder.read(name));
        assert!(link == real && real == plain);
        for name in ["link", "far/next"] {
            assert!(fs::symlink_metadata(folder.0.join(name)).unwrap().is_symlink(), "{name}");
        }
        assert_eq!(
            fs::read_dir(folder.0.join("far")).unwrap().count(),
            2,
            "no temporary file is left"
        );
    }
    // A link to an input counts as the input.
    symlink("../art/arrow.png", folder.0.join("far/art")).unwrap();
    folder.refuses("bake art -o far/art", "one of the files", "");
    symlink("round", folder.0.join("round")).unwrap();
    folder.refuses("bake art -o round", "cannot write round", "");
}

#[test]
fn an_input_is_unharmed_if_the_output_is_another_name_of_it() {
    let folder = art("output-hard-link");
    let before = folder.read("a");
    for (verb, name) in [("show a arrow --png", "show.png"), ("show a arrow --sheet", "sheet.png")]
    {
        let (path, link) = (folder.0.join(name), format!("link-{name}"));
        fs::hard_link(folder.0.join("a"), &path).unwrap();
        // The same through a symbolic link. An atlas is no picture.
        symlink(name, folder.0.join(&link)).unwrap();
        folder.fails(&format!("{verb} {link}"));
        assert!(folder.read("a") == before, "{name}");
        // A picture with a second name keeps its contents under that name, and the link remains a link.
        fs::remove_file(&path).unwrap();
        folder.ok(&format!("{verb} {name}"));
        let picture = folder.read(name);
        fs::write(&path, [&picture[..], b" "].concat()).unwrap();
        fs::hard_link(&path, folder.0.join(format!("first-{name}"))).unwrap();
        folder.ok(&format!("{verb} {link}"));
        assert!(folder.read(name) == picture, "{name}");
        assert_eq!(folder.read(&format!("first-{name}")).len(), picture.len() + 1, "{name}");
        assert!(fs::symlink_metadata(folder.0.join(&link)).unwrap().is_symlink(), "{name}");
    }
    symlink("round", folder.0.join("round")).unwrap();
    folder.refuses("report a -o round", "cannot write round", "");
    let left = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().ends_with(".tmp")));
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_is_no_file_to_write() {
    let folder = Folder::new("output-special");
    // The link to this test's standard output has no path as its target.
    symlink("/proc/self/fd/1", folder.0.join("answers")).unwrap();
    folder.refuses("bake art -o answers", "a device, a pipe or a socket", "");
}

#[test]
fn a_replaced_output_keeps_its_mode_and_may_have_a_name_of_255_bytes() {
    use std::os::unix::fs::PermissionsExt;
    let folder = art("output-mode");
    let long = "a".repeat(255);
    for (name, mode) in [("a", 0o600), ("s1", 0o640), ("page", 0o600), (long.as_str(), 0o660)] {
        let path = folder.0.join(name);
        if !path.exists() {
            folder.write(name, "");
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let before = fs::read(&path).unwrap();
        match name {
            "s1" => folder.ok(&format!("bake art -o {name} --shard 1/2 --angles 8")),
            "page" => folder.ok(&format!("report a -o {name}")),
            _ => folder.ok(&format!("bake art -o {name} --angles 8")),
        };
        assert_ne!(fs::read(&path).unwrap(), before, "{name}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode, "{name}");
    }
    folder.ok(&format!("verify {long}"));
}
