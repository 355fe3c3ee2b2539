//! Hot reload: a running game shows new art as soon as the baker has written it.
//!
//! `hitmask bake art --output art.hitmask --watch` bakes after each change of the art. Beside it,
//! `cargo run --example hot_reload -- art.hitmask` shows every sprite of the atlas. It looks at the
//! file ten times a second, and prints what each new version changes. Either may be started first.
//!
//! A file that is missing, damaged, of another format version or of another resolution is reported
//! once. The game goes on with the art that it has, and takes the next good file.
//!
//! `cargo run --example hot_reload` bakes a few versions itself, and checks what the world does.

use hitmask::{Atlas, AtlasBuilder, AtlasId, Collider, ColliderId, Mask, ReloadReport, World};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, fs, process, thread};

/// The file of an atlas, and the version of it that was opened last.
struct AtlasFile {
    path: PathBuf,
    opened: Option<(SystemTime, u64)>,
}

impl AtlasFile {
    fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), opened: None }
    }

    /// Opens the atlas if the file has changed since the last call. The baker replaces the file in
    /// one step, so it is never half written. Another program may write in place: then the first
    /// attempt fails, and the next change is read again.
    fn poll(&mut self) -> Result<Option<Atlas>, Box<dyn Error>> {
        let found = fs::metadata(&self.path).and_then(|state| Ok((state.modified()?, state.len())));
        // A file that was away is read again, even if it is the one before.
        let found = found.inspect_err(|_| self.opened = None).map(Some)?;
        if found == self.opened {
            return Ok(None);
        }
        self.opened = found;
        Ok(Some(Atlas::open(&self.path).map_err(|error| format!("{error}: {}", error.help()))?))
    }
}

struct Game {
    file: AtlasFile,
    atlas: AtlasId,
    world: World,
    /// The fault that was reported last.
    fault: Option<String>,
}

impl Game {
    fn new(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut file = AtlasFile::new(path);
        let atlas = file.poll()?.ok_or("no atlas")?;
        Ok(Self { file, atlas: atlas.id(), world: World::new(atlas), fault: None })
    }

    /// Takes the new art, if there is any, and runs one tick. After a fault the game goes on with the
    /// art that it has.
    fn tick(&mut self) -> Option<ReloadReport> {
        let report = match self.reload() {
            Ok(report) => report,
            Err(error) => {
                self.complain(&error.to_string());
                None
            }
        };
        self.world.update();
        report
    }

    fn reload(&mut self) -> Result<Option<ReloadReport>, Box<dyn Error>> {
        let Some(atlas) = self.file.poll()? else { return Ok(None) };
        let replaced = self.world.atlases_mut().replace(self.atlas, atlas);
        let report = replaced.map_err(|error| format!("{error}: {}", error.help()))?;
        (self.atlas, self.fault) = (report.atlas, None);
        Ok(Some(report))
    }

    /// Reports a fault, once.
    fn complain(&mut self, fault: &str) {
        if self.fault.as_deref() != Some(fault) {
            eprintln!("{}: {fault}", self.file.path.display());
            self.fault = Some(fault.to_owned());
        }
    }
}

fn print(report: &ReloadReport, world: &World) {
    println!("atlas {}: {} pairs touch", report.atlas, world.touching().len());
    report.added.iter().for_each(|name| println!("  new: {name}"));
    report.vanished.iter().for_each(|name| println!("  gone: {name}"));
    for change in &report.changed {
        let [before, after] = change.frames;
        println!(
            "  changed: {}, {before} -> {after} frames, {} of another size",
            change.sprite,
            change.resized.len()
        );
    }
    if !report.outdated.is_empty() {
        println!("  {} colliders keep their earlier pixels", report.outdated.len());
    }
}

/// Time between two looks at the file.
const POLL: Duration = Duration::from_millis(100);

/// Shows every sprite of an atlas file until the process is stopped.
fn watch(path: &Path) -> Result<(), Box<dyn Error>> {
    while !path.exists() {
        thread::sleep(POLL);
    }
    let mut game = Game::new(path)?;
    let sprites: Vec<_> = game.world.atlas().sprites().map(|sprite| sprite.id()).collect();
    for (i, sprite) in sprites.into_iter().enumerate() {
        // Close together, so that some touch.
        game.world.insert(Collider::new(sprite).at([i as f32 * 8.0, 0.0]))?;
    }
    println!("{} sprites; waiting for changes of {}", game.world.len(), path.display());
    loop {
        if let Some(report) = game.tick() {
            print(&report, &game.world);
        }
        thread::sleep(POLL);
    }
}

/// Bakes several versions of an atlas to a file beside a running game.
fn demonstrate(path: &Path) -> Result<(), Box<dyn Error>> {
    let bake = |masks: &[(&str, &str)]| -> Result<(), Box<dyn Error>> {
        let mut bake = AtlasBuilder::new();
        for &(name, mask) in masks {
            bake = bake.mask(name, mask.parse::<Mask>()?);
        }
        // Renamed when complete, so that the game never reads a part.
        let new = path.with_extension("new");
        std::fs::write(&new, bake.to_bytes()?)?;
        std::fs::rename(new, path)?;
        Ok(())
    };
    bake(&[("coin", "##\n##"), ("ship", "####")])?;
    let mut game = Game::new(path)?;
    let (coin, ship) = (game.world.atlas().sprite_id("coin"), game.world.atlas().sprite_id("ship"));
    let (coin, ship) = (coin.ok_or("no coin")?, ship.ok_or("no ship")?);
    let place = |world: &mut World, sprite, at: [f32; 2]| -> Result<ColliderId, Box<dyn Error>> {
        Ok(world.insert(Collider::new(sprite).at(at))?)
    };
    let coin_id = place(&mut game.world, coin, [0.0, 0.0])?;
    let ship_id = place(&mut game.world, ship, [6.0, 0.0])?;
    assert_eq!(game.tick(), None);
    assert_eq!(game.world.touching().len(), 0, "the ship is beside the coin");

    // The artist widens the ship. Now it touches the coin.
    bake(&[("coin", "##\n##"), ("ship", "############")])?;
    let report = game.tick().ok_or("no reload")?;
    print(&report, &game.world);
    assert_eq!(report.changed[0].sprite, "ship");
    assert_eq!(game.world.began().len(), 1);
    assert_eq!(game.world.began()[0].a, coin_id);

    // A sprite before the others: every index changes, and the ids of the game still work.
    bake(&[("anchor", "###\n.#."), ("coin", "##\n##"), ("ship", "############")])?;
    let report = game.tick().ok_or("no reload")?;
    print(&report, &game.world);
    assert_eq!(report.added, ["anchor"]);
    let second = place(&mut game.world, ship, [6.0, 0.0])?;
    assert_eq!(game.world.rect(second), game.world.rect(ship_id));

    // The coin is gone. Its collider keeps the pixels that it has.
    bake(&[("anchor", "###\n.#."), ("ship", "############")])?;
    let report = game.tick().ok_or("no reload")?;
    print(&report, &game.world);
    assert_eq!((report.vanished, report.outdated), (vec!["coin".to_owned()], vec![coin_id]));
    assert_eq!(game.world.touching_with(coin_id), [ship_id, second]);
    assert!(game.world.insert(Collider::new(coin)).is_err(), "no coin is left for new colliders");

    // Files that cannot replace the atlas change nothing, and each fault is reported once.
    let pairs = game.world.touching().to_vec();
    let good = fs::read(path)?;
    let finer =
        AtlasBuilder::new().resolution(2.0).mask("ship", "####".parse::<Mask>()?).to_bytes()?;
    let mut newer = good.clone();
    newer[8] = 99;
    for (bytes, fault) in [
        (Some(&b"not an atlas"[..]), "not"),
        (Some(&good[..good.len() / 2]), "bytes"),
        (Some(&newer), "version"),
        (Some(&finer), "resolution"),
        (None, "file"),
    ] {
        match bytes {
            Some(bytes) => fs::write(path, bytes)?,
            None => fs::remove_file(path)?,
        }
        for _ in 0..2 {
            assert_eq!(game.tick(), None);
            let reported = game.fault.as_deref().unwrap_or_default();
            assert!(reported.contains(fault), "{reported}");
        }
        assert_eq!((game.world.touching(), game.world.len()), (&pairs[..], 3));
    }
    // The next good file is taken, even if it is the one before.
    fs::write(path, good)?;
    let report = game.tick().ok_or("no reload")?;
    assert!(report.changed.is_empty() && game.fault.is_none());
    assert_eq!(game.world.touching(), pairs);
    Ok(())
}

/// Runs the demonstration in a folder of its own.
fn demonstrate_in_temporary_folder() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("hitmask-hot-reload-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let result = demonstrate(&folder.join("art.hitmask"));
    fs::remove_dir_all(&folder)?;
    result
}

fn main() -> Result<(), Box<dyn Error>> {
    match env::args_os().nth(1) {
        Some(path) => watch(Path::new(&path)),
        None => demonstrate_in_temporary_folder(),
    }
}

#[test]
fn a_running_game_takes_each_version_of_its_atlas() {
    demonstrate_in_temporary_folder().unwrap();
}
