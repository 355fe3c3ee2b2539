//! Tests the build script under cargo: builds a copy of this crate repeatedly while its art
//! changes.
//!
//! Each copy compiles the library, so the first run is slow.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Program of the copy: prints the sprites of the atlas. Compiles only if the sprite ids exist.
const MAIN: &str = r#"
hitmask::include_atlas!(pub sprites);
fn main() {
    let atlas = hitmask::Atlas::from_static(sprites::BYTES).unwrap();
    assert_eq!(atlas.as_bytes().as_ptr(), sprites::BYTES.as_ptr());
    assert_eq!(atlas.sprite(sprites::ENEMIES_SAUCER).unwrap().name(), "enemies/saucer");
    atlas.sprites().for_each(|s| println!("{} {:?}", s.name(), s.frame_size(0).unwrap()));
}
"#;

/// A copy of this crate outside of its workspace.
struct Crate(PathBuf);

impl Crate {
    fn new() -> Self {
        let name = "hitmask-game-copy";
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let copy = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        let _ = fs::remove_dir_all(&copy.0);
        for folder in ["src", "art/enemies"] {
            fs::create_dir_all(copy.0.join(folder)).unwrap();
        }
        for file in ["build.rs", "art/ship.png", "art/enemies/saucer.png"] {
            fs::copy(here.join(file), copy.0.join(file)).unwrap();
        }
        let library = here.join("../../..").canonicalize().unwrap();
        let baker = library.join("tools/bake");
        // The same lock file, so that cargo downloads nothing.
        fs::copy(library.join("Cargo.lock"), copy.0.join("Cargo.lock")).unwrap();
        fs::write(copy.0.join("src/main.rs"), MAIN).unwrap();
        let cargo = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\nhitmask = {{ path = {library:?} }}\n\
             [build-dependencies]\nhitmask-bake = {{ path = {baker:?} }}\n"
        );
        fs::write(copy.0.join("Cargo.toml"), cargo).unwrap();
        copy
    }

    fn cargo(&self, verb: &str) -> Output {
        // A shared target folder, so that dependencies are compiled once.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copies");
        Command::new(env!("CARGO"))
            // Cargo sets it for this test, and the copy would inherit it.
            .env_remove("OUT_DIR")
            .args([verb, "--offline", "--target-dir"])
            .arg(target)
            .env_remove("RUSTFLAGS")
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// Builds and runs the copy. Returns standard output and standard error.
    fn run(&self) -> (String, String) {
        let output = self.cargo("run");
        let [out, err] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
        assert!(output.status.success(), "{err}");
        (out, err)
    }

    /// Writes an image that is solid except for its first texel.
    fn image(&self, name: &str, [w, h]: [u32; 2]) {
        let mut rgba = [200, 100, 50, 255].repeat((w * h) as usize);
        rgba[3] = 0;
        let path = self.0.join("art").join(name);
        image::save_buffer(path, &rgba, w, h, image::ExtendedColorType::Rgba8).unwrap();
    }
}

#[test]
fn the_readme_shows_this_program() {
    let readme = include_str!("../../../../README.md");
    for file in [include_str!("../build.rs"), include_str!("../src/main.rs")] {
        let (_, code) = file.split_once("\n\n").unwrap();
        assert!(readme.contains(code), "README.md does not show:\n{code}");
    }
}

#[test]
fn the_program_prints_what_the_readme_says() {
    let output = Command::new(env!("CARGO_BIN_EXE_hitmask-game")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", output.status);
    let said = format!("prints\n`{}`", printed.trim_end());
    assert!(include_str!("../../../../README.md").contains(&said), "{printed}");
}

#[test]
fn changed_art_is_baked_again_and_errors_are_readable() {
    let copy = Crate::new();
    let (sprites, said) = copy.run();
    assert_eq!(sprites, "enemies/saucer [40, 24]\nship [48, 32]\n");
    assert!(!said.contains("warning"), "a small bake gives no warning\n{said}");
    // Without a change nothing is compiled.
    assert!(!copy.run().1.contains("Compiling"));
    copy.image("enemies/new.png", [7, 5]);
    assert!(copy.run().0.contains("enemies/new [7, 5]"));
    fs::remove_file(copy.0.join("art/ship.png")).unwrap();
    assert!(!copy.run().0.contains("ship"));
    copy.image("enemies/new.png", [9, 5]);
    assert!(copy.run().0.contains("enemies/new [9, 5]"));

    // The program names a sprite that is gone, so compilation fails.
    fs::rename(copy.0.join("art/enemies/saucer.png"), copy.0.join("art/saucer.png")).unwrap();
    let said = String::from_utf8(copy.cargo("build").stderr).unwrap();
    assert!(said.contains("ENEMIES_SAUCER"), "{said}");

    // Art that cannot be baked gives a readable message, not a debug dump.
    fs::write(copy.0.join("art/broken.png"), "not an image").unwrap();
    let said = String::from_utf8(copy.cargo("build").stderr).unwrap();
    assert!(said.contains("Error: art/broken.png is "), "{said}");
    assert!(said.contains("; convert the file, or remove it from the sources"), "{said}");

    // Many warnings take one line per kind.
    fs::remove_file(copy.0.join("art/broken.png")).unwrap();
    fs::rename(copy.0.join("art/saucer.png"), copy.0.join("art/enemies/saucer.png")).unwrap();
    for i in 0..40 {
        let clear = vec![0; 4 * 4];
        let path = copy.0.join(format!("art/clear{i}.png"));
        image::save_buffer(path, &clear, 2, 2, image::ExtendedColorType::Rgba8).unwrap();
    }
    let said = copy.run().1;
    assert!(said.contains("40 frames are empty, such as clear"), "{said}");
    assert!(said.matches("warning: ").count() <= 5, "{said}");

    // A large bake without optimisation warns and gives the remedy.
    copy.image("large.png", [600, 600]);
    let said = copy.run().1;
    assert!(said.contains("warning: ") && said.contains("[profile.dev.build-override]"), "{said}");

    // Without a build script the macro says what is missing.
    fs::remove_file(copy.0.join("build.rs")).unwrap();
    let said = String::from_utf8(copy.cargo("build").stderr).unwrap();
    assert!(said.contains("include_atlas! needs a build.rs"), "{said}");
}
