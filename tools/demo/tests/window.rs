//! Tests of the window on a virtual display, with a GPU in software.
//!
//! Needs Xvfb and Mesa: `apt-get install xvfb libgl1 libgl1-mesa-dri libxkbcommon0 libxi6` on
//! Debian. A plain `cargo test` omits these tests. Run them with
//! `cargo test -p hitmask-demo --test window`. The pictures stay in `target/demo`.

use hitmask::{AtlasBuilder, Map, MapItem, MapShape, Mask};
use hitmask_demo::{LIT_EDGE, OVERLAP};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A virtual display that ends with the test.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn new() -> Self {
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut server = server.expect("this test needs Xvfb: apt-get install xvfb");
        let mut number = String::new();
        let out = server.stdout.take().unwrap();
        // Written as soon as the display accepts windows.
        BufReader::new(out).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Self { server, name: format!(":{}", number.trim()) }
    }

    /// Runs the demo on this display, and returns what it prints.
    fn demo(&self, args: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_hitmask-demo"))
            .args(args)
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .output()
            .unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
        assert!(output.status.success(), "{args:?}\n{out}\n{err}");
        out
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // A server that has ended already needs no end.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns the path of a picture that stays.
fn kept(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("demo");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Reads a PNG file as its width and its RGB pixels.
fn read(path: &Path) -> (u32, Vec<[u8; 3]>) {
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, bytes.as_chunks::<3>().0.to_vec())
}

fn count(pixels: &[[u8; 3]], [r, g, b, _]: [u8; 4]) -> usize {
    pixels.iter().filter(|&&pixel| pixel == [r, g, b]).count()
}

/// Draws some frames in a window and without one. Returns what the latter prints, and the last picture of both, which
/// is the same.
fn drawn(display: &Display, name: &str, args: &[&str], frames: &str) -> (String, Vec<[u8; 3]>) {
    let paths = ["", "-headless"].map(|kind| kept(&format!("{name}{kind}.png")));
    let [window, headless] = paths.each_ref().map(|path| path.to_str().unwrap());
    display.demo(&[args, &["--frames", frames, "--screenshot", window]].concat());
    let said = display.demo(&[args, &["--headless", frames, "--png", headless]].concat());
    let [shown, drawn] = paths.map(|path| read(&path));
    assert_eq!((shown.0, shown.1.len()), (1280, 1280 * 720));
    let differing = shown.1.iter().zip(&drawn.1).filter(|(a, b)| a != b).count();
    assert!(shown == drawn, "{differing} pixels of {name} differ");
    (said, shown.1)
}

#[test]
fn the_window_shows_the_checked_picture_pixel_by_pixel() {
    let display = Display::new();
    for (zoom, horde) in [("1", None), ("3", None), ("1/4", None), ("2", Some("--horde"))] {
        let args = ["--count", "5000", "--zoom", zoom, "--plain"].into_iter().chain(horde);
        let name = format!("window-{}", zoom.replace('/', "-"));
        let (said, pixels) = drawn(&display, &name, &args.collect::<Vec<_>>(), "5");
        assert!(said.contains("all agree"), "{said}");
        if zoom != "1/4" && horde.is_none() {
            let counts = [LIT_EDGE, OVERLAP].map(|color| count(&pixels, color));
            assert!(counts[0] > 2_000 && counts[1] > 500, "lit and shared pixels: {counts:?}");
        }
    }
}

#[test]
fn every_switch_works_in_a_window_with_panels() {
    let display = Display::new();
    let picture = kept("window.png");
    let args = ["--count", "20000", "--zoom", "2", "--frames", "4", "--keys", "nbvt"];
    let said = display.demo(&[&args[..], &["--screenshot", picture.to_str().unwrap()]].concat());
    assert!(said.contains("20000 sprites") && said.contains("pairs touch"), "{said}");
    let (_, pixels) = read(&picture);
    for color in [LIT_EDGE, OVERLAP, hitmask_demo::NORMAL, hitmask_demo::BOX] {
        assert!(count(&pixels, color) > 100, "{color:?}");
    }
}

#[test]
fn a_map_is_walked_on_in_a_window_as_without_one() {
    let item = |class: &str, position, sprite: &str| MapItem {
        class: class.to_owned(),
        position,
        shape: Some(MapShape { sprite: sprite.to_owned(), ..MapShape::default() }),
        ..MapItem::default()
    };
    let items =
        vec![item("chunk", [200.0, 180.0], "floor"), item("crate", [300.0, 150.0], "crate")];
    let map = Map { name: "yard".to_owned(), size: [400.0, 200.0], items, ..Map::default() };
    let [floor, crate_] = [[400, 20], [10, 20]].map(|[w, h]| Mask::solid(w, h).unwrap());
    let builder = AtlasBuilder::new().angles(1).mask("floor", floor).mask("crate", crate_);
    let atlas = kept("yard.hitmask");
    fs::write(&atlas, builder.map(map).to_bytes().unwrap()).unwrap();
    let args = ["--map", atlas.to_str().unwrap()];
    let (said, pixels) = drawn(&Display::new(), "walk", &args, "40");
    assert_eq!(said, "0 of 0 coins\n");
    assert_eq!(count(&pixels, hitmask_demo::NORMAL), 9 * 10 * 14, "the hero at zoom 3");
}

#[test]
fn a_level_is_drawn_over_its_tiles_in_a_window_as_without_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .with_file_name("bake")
        .join("examples/tiled_platformer");
    let bake = hitmask_bake::Bake::new().manifest(folder.join("hitmask.toml")).unwrap();
    let atlas = kept("platformer.hitmask");
    fs::write(&atlas, bake.to_bytes().unwrap()).unwrap();
    let display = Display::new();
    let [atlas, folder] = [&atlas, &folder].map(|path| path.to_str().unwrap());
    let grass = ["", "1"].map(|keys| {
        let args = ["--map", atlas, "--art", folder, "--keys", keys];
        let (_, pixels) = drawn(&display, &format!("level{keys}"), &args, "40");
        count(&pixels, [158, 214, 82, 255])
    });
    assert!(grass[0] == 0 && grass[1] > 1_000, "the key 1 hides the masks: {grass:?}");
}

#[test]
fn without_a_display_the_error_says_what_to_do() {
    let fails = |display: Option<&str>, expected: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hitmask-demo"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let output = command.envs(display.map(|name| ("DISPLAY", name))).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        let lines: Vec<&str> = said.lines().collect();
        let [error, help] = lines[..] else { panic!("{said}") };
        assert!(error.starts_with("error: ") && error.contains(expected), "{said}");
        assert!(help.starts_with("help: give --headless"), "{said}");
    };
    fails(None, "no display");
    // A display that no server has.
    fails(Some(":64321"), "the display opens no window");
    fails(Some("nowhere.invalid:0"), "the display opens no window");
}
