//! C and C++ programs, compiled by the compilers of the system and run: the examples, and bad input. Also programs
//! in C#, and in Lua with LuaJIT and LÖVE.

use hitmask::{
    Angle, Atlas, AtlasBuilder, Collider, ColliderId, Flip, Map, MapItem, MapShape, Mask,
    Placement, World,
};
use hitmask_scenes::Random;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a built library of this crate: cargo puts it beside or above this test.
fn library(extension: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a path");
    let deps = own.parent().expect("a folder");
    // A header for the crate types, which cargo builds with the test.
    let _ = hitmask_capi::hm_abi_version();
    let file = format!("libhitmask_capi.{extension}");
    let folders = [deps, deps.parent().unwrap_or(deps)];
    let found = folders.iter().map(|folder| folder.join(&file)).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{file} is not in {}", deps.display()))
}

/// Tests whether a program is installed. CI installs all that these tests run; elsewhere some are left out.
fn has(command: &str) -> bool {
    // LuaJIT has a short option only, and LÖVE takes that for a game.
    let version = if command == "luajit" { "-v" } else { "--version" };
    let output = Command::new(command).arg(version).output();
    let is_there = output.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("{command} is not installed");
    }
    is_there
}

fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}

/// Returns an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn compile(compiler: &str, standard: &str, source: &str, flags: &str) -> PathBuf {
    let source = root().join(source);
    let name = source.file_name().and_then(|name| name.to_str()).expect("a name");
    let program = format!("{name}-{compiler}-{standard}");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(program.replace('+', "p"));
    let mut command = Command::new(compiler);
    command.arg(format!("-std={standard}"));
    command.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-g", "-ffp-contract=off"]);
    command.arg("-I").arg(root().join("include")).arg(&source).arg(library("a"));
    command.args(flags.split_whitespace());
    command.args(["-lpthread", "-ldl", "-lm", "-lgcc_s", "-o"]).arg(&program);
    succeed(&mut command);
    program
}

/// Returns what a program prints, once for each installed compiler of the list and its standard. Its arguments are the
/// atlases with maps.
fn outputs(source: &str, compilers: &[(&str, &str)]) -> impl Iterator<Item = String> {
    let installed = compilers.iter().filter(|(compiler, _)| has(compiler));
    installed.map(move |(compiler, standard)| {
        let program = compile(compiler, standard, source, "");
        succeed(Command::new(program).args([YARD, EDITED].map(|path| root().join(path))))
    })
}

/// Runs a program of `tests/c`, which ends with the number of its checks.
fn check(source: &str, compilers: &[(&str, &str)]) {
    for output in outputs(source, compilers) {
        assert!(output.ends_with(" checks\n"), "{output}");
    }
}

/// The atlas with maps for the tests of all languages.
const YARD: &str = "tests/yard.hitmask";

/// The same atlas after an edit of the level: the ground and the start moved, the box gone, and a lamp put there.
const EDITED: &str = "tests/yard-edited.hitmask";

/// The pairs and the hash of the scene of `examples/bounce.c`, in Rust, with angles in this unit.
fn bounce(unit: fn(u16) -> Angle) -> String {
    const SIZE: i32 = 32;
    let mut ring = Mask::new(SIZE as u32, SIZE as u32).expect("a small mask");
    for y in 0..SIZE {
        for x in 0..SIZE {
            let (dx, dy) = (2 * x - SIZE + 1, 2 * y - SIZE + 1);
            let d = dx * dx + dy * dy;
            ring.set(x, y, d < SIZE * SIZE && d > SIZE * SIZE / 3);
        }
    }
    let arrow = "
        #........
        ####.....
        #######..
        #########
        #######..
        ####.....
        #........
    ";
    let bake =
        AtlasBuilder::new().mask("arrow", arrow.parse().expect("an arrow")).mask("ring", ring);
    let atlas = Atlas::from_vec(bake.to_bytes().expect("a bake")).expect("an atlas");
    let sprites = ["arrow", "ring"].map(|name| atlas.sprite_id(name).expect("a sprite"));
    let mut world = World::new(atlas);
    let mut random = Random::new(38);
    let (mut ids, mut at, mut motions) = (Vec::<ColliderId>::new(), Vec::new(), Vec::new());
    for i in 0..10_000 {
        let [x, y] = [4000, 3000].map(|side| random.below(side) as f32);
        let turn = random.below(65536) as u16;
        let speed = [0, 1].map(|_| random.below(33) as f32 / 4.0 - 4.0);
        let spin = random.below(2048) as u16;
        let collider = Collider::new(sprites[i % 2]).at([x, y]).turned(unit(turn));
        ids.push(world.insert(collider).expect("a place"));
        at.push(([x, y], turn));
        motions.push((speed, spin));
    }
    let mut began = 0;
    for _ in 0..30 {
        for ((at, turn), (speed, spin)) in at.iter_mut().zip(&mut motions) {
            for (axis, side) in [(0, 4000.0), (1, 3000.0)] {
                at[axis] += speed[axis];
                if at[axis] < 0.0 || at[axis] > side {
                    speed[axis] = -speed[axis];
                }
            }
            *turn = turn.wrapping_add(*spin);
        }
        let placement =
            |&(position, turn): &([f32; 2], u16)| Placement { position, angle: unit(turn) };
        let placements: Vec<Placement> = at.iter().map(placement).collect();
        world.set_placements(&ids, &placements).expect("places");
        world.update();
        began += world.began().len();
    }
    let (touching, hash) = (world.touching().len(), world.state_hash());
    format!("touching {touching}, began {began}, state {hash:016x}\n")
}

#[test]
fn ten_thousand_sprites_have_the_same_state_in_c_and_in_rust() {
    let expected = bounce(Angle::turn);
    assert!(!expected.starts_with("touching 0"), "{expected}");
    // Tests of tools/web compare the same file with node and Chromium.
    assert_eq!(expected, include_str!("../../web/test/bounce.txt"));
    for output in outputs("examples/bounce.c", &[("gcc", "c99"), ("clang", "c99")]) {
        assert_eq!(output, expected);
    }
}

/// Writes a text to a file for the compilers, and returns its path.
fn source(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a path in UTF-8").into()
}

#[test]
fn the_first_program_of_the_readme_prints_what_the_readme_says() {
    let folder = folder("first");
    // The ship ends at x = 110 px at the start, and the disc begins at 139 px.
    let ship = Mask::solid(20, 10).expect("a small mask");
    let rock = Mask::disc(21).expect("a small mask");
    let bake = AtlasBuilder::new().mask("ship", ship).mask("rock", rock);
    let atlas = bake.to_bytes().expect("a bake");
    std::fs::write(folder.join("sprites.hitmask"), atlas).expect("a file");
    let readme = include_str!("../README.md");
    let (_, code) = readme.split_once("```c\n").expect("a program");
    let (code, _) = code.split_once("```").expect("an end");
    let program = compile("gcc", "c99", &source("readme.c", code), "");
    let output = succeed(Command::new(&program).current_dir(&folder));
    assert!(readme.contains(&format!("prints `{}`", output.trim_end())), "{output}");
    // Without an atlas the program says so.
    let none = Command::new(&program).current_dir(folder.join("..")).output().expect("it starts");
    let message = String::from_utf8_lossy(&none.stderr);
    assert!(!none.status.success() && message.contains("cannot read sprites.hitmask"), "{message}");
    // Of a sprite that is not there it says the name, and one that is alike.
    let ship = || Mask::solid(20, 10).expect("a small mask");
    for (names, expected) in [
        (["Ship", "rock"], "the atlas has no sprite \"ship\"; did you mean \"Ship\"?\n"),
        (["ship", "tree"], "the atlas has no sprite \"rock\"\n"),
    ] {
        let bake = names.iter().fold(AtlasBuilder::new(), |bake, &name| bake.mask(name, ship()));
        std::fs::write(folder.join("sprites.hitmask"), bake.to_bytes().expect("a bake"))
            .expect("a file");
        let lost = Command::new(&program).current_dir(&folder).output().expect("it starts");
        let message = String::from_utf8_lossy(&lost.stderr);
        assert!(!lost.status.success() && message == expected, "{message}");
    }
}

/// The chapter of the guide about these languages.
const CHAPTER: &str = include_str!("../../guide/chapters/c.md");

/// Asserts that the chapter includes a program, and that the program prints what the chapter says.
fn assert_first(source: &str, output: &str) {
    let include = format!("\n[The program](../../capi/{source})\n");
    assert!(CHAPTER.contains(&include), "c.md does not include {source}");
    // LÖVE says before that there is no audio device.
    let last = output.lines().last().unwrap_or_default();
    assert!(CHAPTER.contains(&format!("`tools/capi/{source}`. It prints `{last}`")), "{output}");
}

#[test]
fn bad_input_is_answered_with_a_status_and_a_message() {
    check("tests/c/bad_input.c", &[("gcc", "c99"), ("gcc", "c11"), ("clang", "c99")]);
}

#[test]
fn atlases_batches_shapes_and_many_in_one_call_answer_in_c() {
    for source in ["tests/c/parts.c", "tests/c/masks.c", "tests/c/atlases.c", "tests/c/worlds.c"] {
        check(source, &[("gcc", "c99"), ("clang", "c11")]);
    }
}

#[test]
fn traces_of_the_naive_world_have_the_same_answers_in_c() {
    let folder = folder("traces");
    let traces = hitmask_scenes::naive::write_traces(&folder);
    let compilers = [("gcc", "c99"), ("clang", "c11")];
    for (compiler, standard) in compilers.into_iter().filter(|(compiler, _)| has(compiler)) {
        let mut replay = Command::new(compile(compiler, standard, "tests/c/replay.c", ""));
        let output = succeed(replay.arg(&folder).args(&traces));
        assert!(output.ends_with(" checks\n"), "{output}");
    }
}

#[test]
fn traces_of_the_naive_world_have_the_same_answers_in_c_sharp() {
    let source = "tests/csharp/Replay.cs";
    let Some(mut replay) = c_sharp(source, &["-r:System.Core.dll"]) else { return };
    let folder = folder("traces-c-sharp");
    let traces = hitmask_scenes::naive::write_traces(&folder);
    let output = succeed(replay.arg(&folder).args(&traces));
    assert!(output.ends_with(" checks\n"), "{output}");
}

#[test]
fn games_in_c_sharp_play_by_themselves_and_draw_what_collides() {
    let picture_source = root().join("examples/csharp/Picture.cs");
    let pictures = folder("pictures-c-sharp");
    for (game, arguments, expected) in [
        ("Hero", &[][..], "6 coins, 5 jumps, the hero is at 564, "),
        ("Swarm", &["60"], "10000 drones, "),
    ] {
        let source = format!("examples/csharp/{game}.cs");
        let flags = [&*picture_source.to_string_lossy(), "-r:System.Core.dll"];
        let Some(mut command) = c_sharp(&source, &flags) else { return };
        let picture = pictures.join(format!("{game}.png"));
        let output = succeed(command.args(arguments).arg(&picture));
        assert!(output.starts_with(expected), "{output}");
        assert!(game == "Hero" || output.contains("\n0 bytes allocated by 58 frames"), "{output}");
        let bytes = std::fs::read(picture).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG\r\n") && bytes.ends_with(b"\xaeB`\x82"), "{game}");
        let lines = std::fs::read_to_string(root().join(source)).expect("a game").lines().count();
        assert!(lines <= 100, "{game}: {lines} lines");
    }
}

#[test]
fn bad_calls_from_two_threads_are_exceptions_in_c_sharp() {
    let source = "tests/csharp/Fuzz.cs";
    let Some(mut fuzz) = c_sharp(source, &["-r:System.Core.dll"]) else { return };
    let is_heavy = std::env::var_os("HITMASK_HEAVY").is_some();
    let calls = if is_heavy { 1_000_000 } else { 100_000 };
    let output = succeed(fuzz.args([calls.to_string(), "1".into()]));
    let last = output.lines().last().unwrap_or_default();
    let refused = last.strip_prefix(&format!("{calls} calls, "));
    let refused: u32 = refused
        .and_then(|rest| rest.strip_suffix(" refused")?.parse().ok())
        .unwrap_or_else(|| panic!("{output}"));
    assert!(refused > calls / 4, "{output}");
    for kind in ["Busy", "disposed", "StaleId", "BadNumber", "BadLength", "UnknownSprite"] {
        assert!(output.contains(&format!("{kind} ")), "{kind}: {output}");
    }
}

/// Returns the bytes of `YARD`, or of `EDITED`.
fn yard(is_edited: bool) -> Vec<u8> {
    let text = str::to_owned;
    let ground = MapShape { sprite: text("ground"), layers: 2, ..MapShape::default() };
    let box_ = MapShape {
        sprite: text("crate"),
        angle: Angle::turn(16384),
        flip: Flip::X,
        sensor: true,
        collides_with: 5,
        ..MapShape::default()
    };
    let ground = MapItem {
        id: text("solid/0,0"),
        name: text("solid"),
        class: text("chunk"),
        size: [64.0, 8.0],
        shape: Some(ground),
        ..MapItem::default()
    };
    let start = MapItem {
        id: text("things/1"),
        name: text("start"),
        position: [7.5, -3.0],
        ..MapItem::default()
    };
    let box_ = MapItem {
        id: text("things/4"),
        name: text("box"),
        class: text("crate"),
        position: [40.0, 8.0],
        size: [4.0, 4.0],
        properties: vec![(text("damage"), text("3")), (text("Zahl"), text("π"))],
        shape: Some(box_),
    };
    let mut items = vec![ground, start, box_];
    if is_edited {
        items[0].position = [8.0, 1.0];
        items[1].position = [9.0, -3.0];
        let (id, position) = (text("things/7"), [20.0, -8.0]);
        items[2] = MapItem { id, name: text("lamp"), position, ..items[2].clone() };
        // The editor puts the new one first.
        items.rotate_right(1);
    }
    let map = Map {
        name: text("levels/yard"),
        size: [320.0, 200.5],
        properties: vec![(text("music"), text(""))],
        items,
        ..Map::default()
    };
    let empty = Map { name: text("empty"), ..Map::default() };
    let solid = |name, width, height| (name, Mask::solid(width, height).expect("a small mask"));
    let masks = [solid("ground", 64, 8), solid("crate", 4, 4)];
    let builder = AtlasBuilder::new().angles(4).compact(true).map(map).map(empty);
    let builder = masks.into_iter().fold(builder, |builder, (name, mask)| builder.mask(name, mask));
    builder.to_bytes().expect("a bake")
}

#[test]
fn maps_of_an_atlas_answer_in_c() {
    for (file, is_edited) in [(YARD, false), (EDITED, true)] {
        let (path, current) = (root().join(file), yard(is_edited));
        if std::env::var_os("HITMASK_BLESS").is_some() {
            std::fs::write(&path, &current).expect("the file can be written");
        }
        let committed = std::fs::read(&path).unwrap_or_default();
        assert!(committed == current, "{file} differs; run the test with HITMASK_BLESS=1");
    }
    check("tests/c/maps.c", &[("gcc", "c99"), ("clang", "c11")]);
}

#[test]
fn sdl_draws_what_the_masks_say() {
    let sdl = Command::new("pkg-config").args(["--cflags", "--libs", "sdl2"]).output();
    let Some(sdl) = sdl.ok().filter(|output| output.status.success()) else {
        println!("SDL 2 is not installed");
        return;
    };
    let flags = String::from_utf8(sdl.stdout).expect("flags are text");
    let program = compile("gcc", "c99", "examples/sdl.c", &flags);
    let mut command = Command::new(program);
    command.arg("60").env("SDL_VIDEODRIVER", "dummy").env("SDL_RENDER_DRIVER", "software");
    let output = succeed(&mut command);
    let numbers: Vec<u32> = output
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let [touching, lit, drawn] = numbers[..] else { panic!("{output}") };
    assert!(touching > 20 && lit > touching / 2, "{output}");
    // SDL turns pictures by other arithmetic, so single pixels at the edges differ.
    assert!(drawn * 10 >= touching * 8, "{output}");
}

#[test]
fn the_cpp_header_owns_handles_and_throws() {
    let compilers = [("g++", "c++17"), ("g++", "c++20"), ("clang++", "c++17")];
    check("tests/c/wrapper.cpp", &compilers);
    for output in outputs("examples/platform.cpp", &compilers) {
        let expected = "fell to 10, 38\nwalked to 78, 38\nhit, 5 pixels\n\
            the 2. atlas hurts\nin a batch: 1, 0\nrefused: stale id\n";
        assert_eq!(output, expected);
    }
}

/// Returns a command that runs Lua with the shared library. `None` without the program, which is in the package
/// `luajit` or `love` of Debian.
fn lua(program: &str) -> Option<Command> {
    if !has(program) {
        return None;
    }
    let mut command = Command::new("timeout");
    command
        .args(["100", program])
        .env("LUA_PATH", root().join("love/?.lua"))
        .env("HITMASK_LIBRARY", library("so"));
    Some(command)
}

/// `bounce.lua` places sprites by radians, as `love.graphics.draw` does.
fn bounce_in_radians() -> String {
    bounce(|turn| Angle::radians((f64::from(turn) * (std::f64::consts::TAU / 65536.0)) as f32))
}

#[test]
fn ten_thousand_sprites_have_the_same_state_in_luajit() {
    let Some(mut command) = lua("luajit") else { return };
    assert_eq!(succeed(command.arg(root().join("examples/bounce.lua"))), bounce_in_radians());
}

#[test]
fn bad_input_is_an_error_in_lua() {
    // With its compiler and without.
    for flag in ["-jon", "-joff"] {
        let Some(mut command) = lua("luajit") else { return };
        let output = succeed(command.arg(flag).arg(root().join("tests/lua/plain.lua")));
        assert!(output.ends_with(" checks\n"), "{output}");
    }
}

#[test]
fn lua_says_where_it_has_looked_for_the_library() {
    let folder = folder("lua");
    std::fs::create_dir(folder.join("cpath")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("main.lua", "print(require('hitmask').version())\n");
    write("bad.so", "no library\n");
    let run = |script: &str, variables: &[(&str, &str)]| {
        let mut command = lua("luajit")?;
        command.env_remove("HITMASK_LIBRARY").env("LUA_CPATH", folder.join("cpath/?.so"));
        command.envs(variables.iter().copied()).current_dir("/");
        let output = command.args(["-e", script]).arg(folder.join("main.lua")).output();
        let Output { status, stdout, stderr } = output.expect("it starts");
        let texts = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        Some((status.success(), texts.concat()))
    };
    let Some((is_ok, message)) = run("", &[]) else { return };
    let beside = folder.join("libhitmask.so");
    let cpath = folder.join("cpath/hitmask.so");
    assert!(!is_ok && message.contains("main.lua:1: hitmask: cannot load hitmask: "), "{message}");
    for part in
        [&*beside.to_string_lossy(), &*cpath.to_string_lossy(), "HITMASK_LIBRARY", "load(path)"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    let bad = folder.join("bad.so").display().to_string();
    let other =
        if Path::new("/lib/x86_64-linux-gnu/libm.so.6").exists() { "libm.so.6" } else { "libm.so" };
    for (path, part) in
        [(&*bad, "cannot load"), ("none.so", "cannot load"), (other, "another library")]
    {
        let (is_ok, message) = run("", &[("HITMASK_LIBRARY", path)]).expect("luajit");
        assert!(!is_ok && message.contains(part) && message.contains(path), "{message}");
        let load = format!("require('hitmask').load('{path}')");
        let (is_ok, message) = run(&load, &[]).expect("luajit");
        assert!(!is_ok && message.contains(part), "{message}");
    }
    let version = format!("{}\n", env!("CARGO_PKG_VERSION"));
    let load = format!("require('hitmask').load('{}')", library("so").display());
    assert_eq!(run(&load, &[]), Some((true, version.clone())));
    for place in [cpath, beside] {
        std::fs::copy(library("so"), &place).expect("a copy");
        assert_eq!(run("", &[]), Some((true, version.clone())));
        std::fs::remove_file(&place).expect("the copy");
    }
}

/// A virtual display that ends with the test.
struct Display(Child, String);

impl Display {
    /// Returns `None` if Xvfb is not installed.
    fn new() -> Option<Self> {
        let mut server = Command::new("Xvfb");
        server.args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"]);
        let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut number = String::new();
        BufReader::new(server.stdout.take()?).read_line(&mut number).expect("a number");
        Some(Self(server, format!(":{}", number.trim())))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn love_draws_where_the_masks_are() {
    let Some(display) = Display::new() else {
        println!("Xvfb is not installed");
        return;
    };
    let love = |arguments: &[&Path]| {
        let mut command = lua("love")?;
        command.args(arguments).env("DISPLAY", &display.1).env("LIBGL_ALWAYS_SOFTWARE", "1");
        Some(succeed(
            command.env_remove("WAYLAND_DISPLAY").env("HOME", env!("CARGO_TARGET_TMPDIR")),
        ))
    };
    let Some(output) = love(&[&root().join("tests/lua"), root()]) else { return };
    assert!(output.ends_with(&bounce_in_radians()) && output.contains(" checks\n"), "{output}");
    // In a folder with its library, as the guide says.
    let folder = folder("first-love");
    let copy = |from: &Path, name: &str| std::fs::copy(from, folder.join(name)).expect("a copy");
    copy(&root().join("examples/first/main.lua"), "main.lua");
    copy(&root().join("love/hitmask.lua"), "hitmask.lua");
    assert_first("examples/first/main.lua", &love(&[&folder]).expect("LÖVE"));
    // The example plays by itself. Its picture stays.
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("love.png");
    let _ = std::fs::remove_file(&picture);
    let output = love(&[&root().join("love"), Path::new("150"), &picture]).expect("LÖVE");
    assert!(output.starts_with("tick 150: ") && !output.contains(" 0 craters"), "{output}");
    assert!(std::fs::metadata(&picture).is_ok_and(|file| file.len() > 10_000));
}

/// The classes for C#, compiled to a folder of their own. `None` without mono.
fn classes() -> Option<&'static Path> {
    static CLASSES: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compiled = CLASSES.get_or_init(|| {
        if !has("mcs") || !has("mono") {
            return None;
        }
        let folder = folder("csharp");
        succeed(Command::new(root().join("csharp/build.sh")).arg(&folder));
        Some(folder)
    });
    compiled.as_deref()
}

/// Compiles a C# program with the classes, and returns a command that runs it. `None` without mono. A flag may be
/// another source.
fn c_sharp(source: &str, flags: &[&str]) -> Option<Command> {
    let classes = classes()?;
    let folder = folder(&source.replace('/', "-"));
    let shared = if cfg!(target_os = "macos") { "dylib" } else { "so" };
    let copies = [
        (library(shared), folder.join(format!("libhitmask.{shared}"))),
        (classes.join("Hitmask.dll"), folder.join("Hitmask.dll")),
    ];
    for (from, to) in copies {
        std::fs::copy(from, to).expect("a copy");
    }
    let program = folder.join("program.exe");
    let mut compiler = Command::new("mcs");
    compiler.args(["-warnaserror", "-warn:4", "-langversion:7.2"]).args(flags);
    compiler.arg(format!("-r:{}", folder.join("Hitmask.dll").display()));
    compiler.arg(format!("-out:{}", program.display())).arg(root().join(source));
    succeed(&mut compiler);
    let mut command = Command::new("mono");
    command.arg("--debug").arg(program).env("LD_LIBRARY_PATH", &folder);
    Some(command)
}

#[test]
fn the_classes_for_c_sharp_own_check_and_allocate_nothing_in_a_frame() {
    let source = "tests/csharp/Classes.cs";
    let Some(mut command) = c_sharp(source, &["-r:System.Core.dll"]) else { return };
    let output = succeed(command.arg(root().join(YARD)));
    assert!(output.ends_with(" checks\n"), "{output}");
}

#[test]
fn the_first_program_in_c_sharp_prints_what_the_guide_says() {
    if let Some(mut first) = c_sharp("examples/First.cs", &[]) {
        assert_first("examples/First.cs", &succeed(&mut first));
    }
    let lines = include_str!("../examples/First.cs").lines().count();
    assert!(lines <= 25, "{lines} lines");
}

#[test]
fn a_library_that_is_missing_or_of_another_version_is_named_in_c_sharp() {
    let Some(mut program) = c_sharp("tests/csharp/Missing.cs", &[]) else { return };
    let folder = folder("no-library");
    let run = |command: &mut Command| {
        let output = command.output().expect("mono starts");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let from = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tests-csharp-Missing.cs");
    std::fs::remove_file(from.join("libhitmask.so")).expect("a library");
    let message = run(program.env("LD_LIBRARY_PATH", &folder));
    for part in ["libhitmask.so is not in", &*folder.to_string_lossy(), "LD_LIBRARY_PATH"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let other = "unsigned hm_abi_version(void) { return 99; }
        const char *hm_version(void) { return \"9.8.7\"; }\n";
    for (text, parts) in [
        (other, &["version 9.8.7 with interface 99", "need interface 1"][..]),
        ("int unrelated;\n", &["is another library than hitmask"]),
    ] {
        let mut compiler = Command::new("gcc");
        compiler.args(["-shared", "-fPIC", "-o"]).arg(folder.join("libhitmask.so"));
        succeed(compiler.arg(source("other.c", text)));
        let message = run(program.env("LD_LIBRARY_PATH", &folder));
        for part in parts {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

#[test]
fn ten_thousand_sprites_have_the_same_state_in_c_sharp() {
    if let Some(mut bounce) = c_sharp("examples/bounce.cs", &[]) {
        assert_eq!(succeed(&mut bounce), include_str!("../../web/test/bounce.txt"));
    }
}

/// Returns a command that runs an example of the guide. `None` without the compiler of its language.
fn example(name: &str, file: &str) -> Option<Command> {
    let source = format!("../guide/examples/{name}/{file}");
    // Without symbols, because the linker spends time on those of the library.
    let compiled = |compiler, standard| {
        has(compiler).then(|| Command::new(compile(compiler, standard, &source, "-g0 -s")))
    };
    match file {
        "main.c" => compiled("gcc", "c99"),
        "main.cpp" => compiled("g++", "c++17"),
        "Main.cs" => c_sharp(&source, &[]),
        _ => lua("luajit").map(|mut command| {
            command.arg(root().join(source));
            command
        }),
    }
}

/// Runs the examples of the guide in a file of this name, of which there must be so many.
fn run_examples(names: &[String], file: &str, least: usize) {
    let guide = root().join("../guide");
    let path = |name: &str, file: &str| guide.join("examples").join(name).join(file);
    let written: Vec<&String> = names.iter().filter(|name| path(name, file).exists()).collect();
    assert!(written.len() >= least, "{file} is only in {written:?} of {names:?}");
    for name in written {
        let Some(mut command) = example(name, file) else { break };
        let expected = std::fs::read_to_string(path(name, "prints.txt")).expect("its output");
        assert_eq!(succeed(command.current_dir(&guide)), expected, "{name}/{file}");
    }
}

#[test]
fn the_examples_of_the_guide_print_what_it_says() {
    let read = std::fs::read_dir(root().join("../guide/examples")).expect("the examples");
    let names = read.flatten().filter_map(|it| it.file_name().into_string().ok());
    let names = &*names.collect::<Vec<String>>();
    // Every example is there in C. One needs calls that the file for Lua lacks.
    let files = [("main.c", names.len()), ("main.cpp", 16), ("Main.cs", 16), ("main.lua", 15)];
    // At once, because most of the time goes to compilers of one thread.
    std::thread::scope(|scope| {
        for (file, least) in files {
            scope.spawn(move || run_examples(names, file, least));
        }
    });
}

/// A C program that prints the size of each struct of the header, and the offset of each field.
fn layouts_in_c() -> String {
    let (mut fields, mut out) = (Vec::new(), String::new());
    for line in include_str!("../include/hitmask.h").lines() {
        if line == "typedef struct {" {
            fields.clear();
        } else if let Some(name) = line.strip_prefix("} hm_") {
            let name = format!("hm_{}", name.trim_end_matches(';'));
            if fields.is_empty() {
                continue; // the statuses
            }
            out += &format!("  printf(\"{name} %d\\n\", (int)sizeof({name}));\n");
            for field in fields.drain(..) {
                let offset = format!("(int)offsetof({name}, {field})");
                out += &format!("  printf(\"{name}.{field} %d\\n\", {offset});\n");
            }
        } else if line.starts_with("  ") && line.ends_with(';') && !line.contains('(') {
            let name = line.trim_end_matches(';').rsplit([' ', '*']).next().expect("a name");
            fields.push(name.split('[').next().unwrap_or(name));
        }
    }
    format!("#include \"hitmask.h\"\n#include <stdio.h>\nint main(void) {{\n{out}  return 0;\n}}\n")
}

#[test]
fn structs_have_the_same_layout_in_c_and_in_c_sharp() {
    let Some(mut in_c_sharp) = c_sharp("tests/csharp/Layouts.cs", &[]) else { return };
    let program = compile("gcc", "c99", &source("layouts.c", &layouts_in_c()), "");
    let in_c = succeed(&mut Command::new(program));
    let mut in_c: Vec<&str> = in_c.lines().collect();
    in_c.sort_unstable();
    assert!(in_c.len() > 150, "{in_c:?}");
    assert_eq!(in_c, succeed(&mut in_c_sharp).lines().collect::<Vec<_>>());
}

/// The lines of a text without those that are empty, and without indentation.
fn code(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The parts of a document's code in a language, which empty lines divide.
fn shown_code<'a>(document: &'a str, language: &str) -> impl Iterator<Item = &'a str> {
    let blocks = document.split("\n```").skip(1).step_by(2);
    blocks
        .filter_map(move |block| block.strip_prefix(language))
        .flat_map(|block| block.split("\n\n"))
}

#[test]
fn the_code_of_the_readme_and_of_the_guide_is_that_of_the_examples() {
    let first = (include_str!("../README.md"), "c\n", include_str!("../examples/first.c"));
    let godot = (CHAPTER, "cpp\n", include_str!("../examples/godot.cpp"));
    for (document, language, source) in [first, godot] {
        let parts: Vec<_> = shown_code(document, language).map(code).collect();
        assert!(parts.len() >= 2, "{language}");
        for part in parts {
            // A part may leave out lines in between, such as other declarations.
            let mut lines = code(source).into_iter();
            let is_held = part.iter().all(|line| lines.any(|other| other == *line));
            assert!(is_held, "not in the example: {part:#?}");
        }
    }
}

#[test]
fn the_installed_library_is_found_by_pkg_config() {
    if !has("pkg-config") {
        return;
    }
    let prefix = folder("prefix");
    let from = library("so");
    let mut install = Command::new(root().join("install.sh"));
    succeed(install.arg(&prefix).arg(from.parent().expect("a folder")));
    let flags = |arguments: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.args(arguments).arg("hitmask");
        succeed(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")))
    };
    assert_eq!(flags(&["--modversion"]).trim(), env!("CARGO_PKG_VERSION"));
    let program = prefix.join("bounce");
    let compile = |libraries: &[&str]| {
        let mut command = Command::new("cc");
        command.arg("-std=c99").arg(root().join("examples/bounce.c")).arg("-o").arg(&program);
        succeed(command.args(flags(&["--cflags"]).split_whitespace()).args(libraries));
    };
    let libraries = flags(&["--libs"]);
    compile(&libraries.split_whitespace().collect::<Vec<_>>());
    // The program names the library by its soname, and finds it by the link.
    let output = succeed(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")));
    assert!(output.starts_with("touching "));
    // The static library alone, with the libraries that it needs.
    let archive = prefix.join("lib/libhitmask.a").display().to_string();
    let needed = flags(&["--static", "--libs"]);
    let needed = needed.split_whitespace().filter(|&flag| flag != "-lhitmask");
    compile(&std::iter::once(&*archive).chain(needed).collect::<Vec<_>>());
    assert_eq!(succeed(&mut Command::new(&program)), output);
}

#[test]
fn the_commands_of_the_guide_find_the_library_in_a_folder_of_the_user() {
    if !has("pkg-config") {
        return;
    }
    let (_, commands) = CHAPTER.split_once("```sh\nprefix=").expect("commands");
    let (commands, _) = commands.split_once("```").expect("an end");
    let folder = folder("user");
    std::fs::create_dir_all(folder.join("tools/capi")).expect("a folder");
    std::fs::copy(root().join("examples/bounce.c"), folder.join("game.c")).expect("a copy");
    // The script, which installs what was built for this test.
    let (script, built) = (root().join("install.sh"), library("so"));
    let built = built.parent().expect("a folder").display();
    let install = format!("exec sh {} \"$1\" {built} >/dev/null\n", script.display());
    std::fs::write(folder.join("tools/capi/install.sh"), install).expect("a file");
    let shell = |script: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-ec", script]).current_dir(&folder);
        shell.env("HOME", &folder).env_remove("LD_LIBRARY_PATH").env_remove("PKG_CONFIG_PATH");
        shell
    };
    let commands = format!("chmod +x tools/capi/install.sh\nprefix={commands}");
    let expected = include_str!("../../web/test/bounce.txt");
    assert_eq!(succeed(&mut shell(&commands)), expected.repeat(2));
    // The last program does not name the folder.
    let lost = shell("./game").output().expect("it starts");
    let message = String::from_utf8_lossy(&lost.stderr);
    assert!(!lost.status.success() && message.contains("libhitmask"), "{message}");
    // What `ldconfig` finds: the soname, under which programs look for the library.
    if Path::new("/sbin/ldconfig").exists() {
        let listed = succeed(&mut shell("/sbin/ldconfig -nNv .local/lib"));
        let soname = listed.lines().any(|line| line.trim().starts_with("libhitmask.so.0.1 -> "));
        assert!(soname, "{listed}");
    }
}

/// Clippy asks for the reason of each block.
#[test]
fn unsafe_code_is_in_one_file() {
    for file in std::fs::read_dir(root().join("src")).expect("sources").flatten() {
        let path = file.path();
        let text = std::fs::read_to_string(&path).expect("a source file");
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or_default();
            let is_unsafe =
                ["unsafe {", "unsafe impl", "unsafe fn"].iter().any(|it| code.contains(it));
            assert!(!is_unsafe || path.ends_with("pointers.rs"), "{}: {line}", path.display());
        }
    }
}
