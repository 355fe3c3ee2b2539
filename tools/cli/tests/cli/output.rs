//! Tests of output paths: no verb overwrites its inputs, other kinds of files, or special files.

use crate::folder::Folder;
use std::fs;

fn art(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("hitmask.toml", "output = \"art/arrow.png\"\n[[source]]\nfiles = \"art/*.png\"\n");
    folder.write("notes.txt", "mine");
    folder.ok("bake art -o a --angles 4");
    for shard in ["1/2", "2/2"] {
        folder.ok(&format!("bake art -o s{} --shard {shard}", &shard[..1]));
    }
    folder
}

#[test]
fn inputs_and_files_of_another_kind_are_never_overwritten() {
    let folder = art("output");
    let read = || {
        let names = ["art/arrow.png", "hitmask.toml", "notes.txt", "a", "s1", "s2"];
        names.map(|name| folder.read(name))
    };
    let before = read();
    for (args, expected) in [
        ("bake art -o art/arrow.png", "art/arrow.png is one of the files"),
        ("bake art -o art/small/../arrow.png", "arrow.png is one of the files"),
        ("bake art/arrow.png -o art/arrow.png", "art/arrow.png is one of the files"),
        ("bake -m hitmask.toml", "art/arrow.png is one of the files"),
        ("bake -m hitmask.toml -o hitmask.toml", "hitmask.toml is one of the files"),
        ("bake art -o b --cache art/arrow.png", "art/arrow.png is one of"),
        ("bake art -o b --cache b", "b is the output file"),
        ("bake art/small -o art/arrow.png", "arrow.png exists and is neither"),
        ("bake art -o notes.txt", "notes.txt exists and is neither"),
        ("bake art -o notes.txt --shard 1/2", "notes.txt exists"),
        ("bake art -o s1", "s1 is a shard"),
        ("bake art -o a --shard 1/2", "a is a whole atlas"),
        ("merge s1 s1 s2", "s1 is one of the files"),
        ("merge s2 s1", "s2 is a shard"),
        ("merge notes.txt s1 s2", "notes.txt exists and is neither"),
        ("report a -o ./a", "./a is one of the files"),
        ("report a --art art -o art/arrow.png", "an image in the art folder"),
        ("report a -o art/arrow.png", "art/arrow.png exists and is not an HTML file"),
        ("report a -o notes.txt", "notes.txt exists and is not an HTML file"),
        ("show a arrow --png a", "a is one of the files"),
        ("show a arrow --sheet art/../a", "a is one of the files"),
    ] {
        folder.refuses(args, expected, "another path");
        assert!(read() == before && !folder.0.join("b").exists(), "{args:?}");
    }
    // Empty files, and files of the same kind, may be replaced.
    folder.write("empty", "");
    folder.ok("bake art -o empty");
    folder.write("page", "");
    folder.ok("report a -o page");
    folder.ok("report a -o page");
    folder.write("page", "\n<HTML>");
    folder.ok("report a -o page");
    folder.ok("bake art -o a --angles 8");
    folder.ok("bake art -o s1 --shard 1/2 --angles 8");
}

#[test]
fn a_missing_output_folder_is_reported_before_the_work() {
    let folder = Folder::new("output-nowhere");
    folder.refuses("demo --seconds 0 --output no/x.png", "cannot write no/x.png", "folder");
    folder.refuses("demo --output art", "is a folder", "");
}

#[cfg(unix)]
#[test]
fn an_output_link_is_followed_and_remains_a_link() {
    use std::os::unix::fs::symlink;
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

#[cfg(unix)]
#[test]
fn an_input_is_unharmed_if_the_output_is_another_name_of_it() {
    use std::os::unix::fs::symlink;
    let folder = art("output-hard-link");
    let before = folder.read("a");
    for (verb, name) in [("show a arrow --png", "show.png"), ("show a arrow --sheet", "sheet.png")]
    {
        fs::write(folder.0.join(name), "").unwrap();
        folder.ok(&format!("{verb} {name}"));
        let expected = folder.read(name);
        assert!(!expected.is_empty(), "{name}");
        fs::remove_file(folder.0.join(name)).unwrap();
        fs::hard_link(folder.0.join("a"), folder.0.join(name)).unwrap();
        // The same through a symbolic link, which remains a link.
        let link = format!("link-{name}");
        symlink(name, folder.0.join(&link)).unwrap();
        // An atlas is no picture.
        folder.fails(&format!("{verb} {link}"));
        assert!(folder.read("a") == before, "{name}");
        // A picture with a second name keeps its contents under that name.
        fs::remove_file(folder.0.join(name)).unwrap();
        fs::write(folder.0.join("first"), [&expected[..], b" "].concat()).unwrap();
        let _ = fs::remove_file(folder.0.join(name));
        fs::hard_link(folder.0.join("first"), folder.0.join(name)).unwrap();
        folder.ok(&format!("{verb} {link}"));
        assert_eq!(folder.read("first").len(), expected.len() + 1, "{name}");
        fs::remove_file(folder.0.join("first")).unwrap();
        assert!(folder.read(name) == expected, "{name}");
        assert!(fs::symlink_metadata(folder.0.join(&link)).unwrap().is_symlink(), "{name}");
    }
    symlink("round", folder.0.join("round")).unwrap();
    folder.refuses("report a -o round", "cannot write round", "");
    let left = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().ends_with(".tmp")));
}

#[cfg(unix)]
#[test]
fn special_files_are_refused_without_being_opened() {
    let folder = art("output-special");
    let made = std::process::Command::new("mkfifo").arg(folder.0.join("pipe")).status();
    assert!(made.expect("this test needs mkfifo").success());
    let _socket = std::os::unix::net::UnixListener::bind(folder.0.join("socket")).unwrap();
    for name in ["pipe", "socket"] {
        for args in [
            "bake art -o",
            "bake art --no-cache -o",
            "report a -o",
            "show a arrow --png",
            "show a arrow --sheet",
            "demo --seconds 0 --output",
        ] {
            folder.refuses(&format!("{args} {name}"), "a device, a pipe or a socket", "");
        }
        folder.refuses(&format!("merge {name} s1 s2"), "a device, a pipe or a socket", "");
        for args in ["bake -o b", "bake -o b -m"] {
            let cause = format!("{name} is not a file");
            folder.refuses(&format!("{args} {name}"), &cause, "regular file");
        }
        for verb in ["info", "verify"] {
            folder.refuses(&format!("{verb} {name}"), "not a hitmask atlas", "");
        }
        folder.refuses(&format!("merge b s1 {name}"), &format!("{name} is not a shard"), "");
        folder.exits(&format!("bake art -o {name} --check"), 2);
        // An unusable cache only costs time.
        folder.ok(&format!("bake art -o a --cache {name}"));
        let kind = fs::symlink_metadata(folder.0.join(name)).unwrap().file_type();
        assert!(!kind.is_file(), "{name} was replaced");
    }
    // The link to this test's standard output has no path as its target.
    if cfg!(target_os = "linux") {
        std::os::unix::fs::symlink("/proc/self/fd/1", folder.0.join("answers")).unwrap();
        folder.refuses("bake art -o answers", "a device, a pipe or a socket", "");
    }
    for args in ["bake art -o art", "merge art s1 s2"] {
        folder.refuses(args, "art is a folder", "");
    }
}

#[cfg(unix)]
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
