//! A map of Tiled to walk on: baked with rules, inserted into a world, and crossed by a hero.
//!
//! `yard.tmx` has slopes, ledges to jump through, spikes, coins, a start and a goal. The rules in `hitmask.toml`
//! give the ledges a layer of their own, and make sensors of spikes and coins. The example prints what the hero
//! meets, and draws the map over its art, with the way of the hero.
//!
//! `cargo run -p hitmask-bake --example tiled_platformer`
//!
//! With an atlas as its argument, it follows the level while that is edited in Tiled:
//!
//! ```sh
//! hitmask bake -m tools/bake/examples/tiled_platformer/hitmask.toml -o yard.hitmask --watch &
//! cargo run -p hitmask-bake --example tiled_platformer -- yard.hitmask
//! ```

use hitmask::{
    Atlas, Collider, ColliderId, Filter, Map, MapItem, MapReport, Mask, MoveRules, Pivot,
    PlacedMap, Point, Rect, Side, World,
};
use hitmask_bake::Bake;
use hitmask_demo::{MapPicture, headless, open_art};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, thread};

const MANIFEST: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tiled_platformer/hitmask.toml");

/// Layer of one-way platforms, as in the manifest: they only block downward motion.
const LEDGES: u32 = 0b10;
/// Width and height of the hero in pixels.
const HERO: [u32; 2] = [10, 14];
/// Speeds in pixels per tick.
const JUMP: f32 = -7.0;
const GRAVITY: f32 = 0.4;
/// Side of a pixel of the map in the picture.
const ZOOM: i32 = 2;

struct Game {
    world: World,
    map: Map,
    /// The collider of each item of the map; none for the start, which is a point.
    placed: PlacedMap,
    hero: ColliderId,
    speed: [f32; 2],
    /// Names of the sensors that the hero has met, in order.
    met: Vec<String>,
    /// Where it was.
    way: Vec<[f32; 2]>,
}

impl Game {
    fn new(atlas: Atlas) -> Result<Self, Box<dyn Error>> {
        let map = atlas.map("yard").ok_or("no map")?;
        let mut world = World::new(atlas);
        let placed = world.insert_map(&map, [0.0; 2])?;
        let start = map.items.iter().find(|item| item.class == "start").ok_or("no start")?;
        let body = Mask::solid(HERO[0], HERO[1])?;
        let body = world.masks_mut().insert(body, Pivot::HalfTexels(0, 0))?;
        let hero = world.insert(Collider::from_mask(body).at(start.position))?;
        Ok(Self { world, map, placed, hero, speed: [0.0; 2], met: Vec::new(), way: Vec::new() })
    }

    /// Moves the hero by one tick. Returns true if it stands.
    fn tick(&mut self, run: f32, jump: bool) -> Result<bool, Box<dyn Error>> {
        let fall = if jump { JUMP } else { (self.speed[1] + GRAVITY).min(6.0) };
        self.speed = [run, fall];
        let rules = MoveRules { one_way: LEDGES, ..MoveRules::default() };
        let moved = self.world.move_by_rules(self.hero, self.speed, rules, Filter::SOLID)?;
        let stands = moved.blocked_on(Side::Below);
        if stands || moved.blocked_on(Side::Above) {
            self.speed[1] = 0.0;
        }
        for sensor in moved.passed {
            // The index of a collider is that of its item, which has the names of the editor.
            let Some(index) = self.placed.ids.iter().position(|&id| id == Some(sensor)) else {
                continue;
            };
            let MapItem { name, class, .. } = &self.map.items[index];
            if class == "coin" {
                self.world.remove(sensor);
            }
            if !self.met.contains(name) {
                let [x, y] = moved.position;
                println!("at x = {x:.0}, y = {y:.0}: {name}");
                self.met.push(name.clone());
            }
        }
        self.way.push([0, 1].map(|axis| moved.position[axis] + HERO[axis] as f32 / 2.0));
        Ok(stands)
    }

    /// Runs until the right side of the hero is at `x`. Returns the row below its feet.
    fn run_to(&mut self, x: i32) -> Result<i32, Box<dyn Error>> {
        while self.rect().x1 < x {
            self.tick(1.5, false)?;
        }
        Ok(self.rect().y1)
    }

    /// Jumps and drifts to the right until the hero stands. Returns the highest row below its feet, and the last.
    fn jump(&mut self, drift: f32) -> Result<[i32; 2], Box<dyn Error>> {
        let mut stands = self.tick(drift, true)?;
        let mut top = self.rect().y1;
        while !stands {
            stands = self.tick(drift, false)?;
            top = top.min(self.rect().y1);
        }
        Ok([top, self.rect().y1])
    }

    /// Takes a new version of the level. One that is refused leaves the last one.
    fn update(&mut self, atlas: Atlas) -> Result<MapReport, Box<dyn Error>> {
        let map = atlas.map("yard").ok_or("the atlas has no map yard")?;
        let (mut world, mut placed) = (self.world.clone(), self.placed.clone());
        let old = world.atlas().id();
        world.atlases_mut().replace(old, atlas)?;
        let report = world.update_map(&mut placed, &map)?;
        (self.world, self.map, self.placed) = (world, map, placed);
        Ok(report)
    }

    /// Draws the level over its art in a folder, as it is now: with the way of the hero, without what it has taken.
    fn draw(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let mut art = open_art(folder, &self.map).ok_or("no level")?;
        let picture = MapPicture::of(&self.world, &self.map, &self.placed.ids, Some(&mut art));
        let mut picture = picture.over_tiles();
        for [x, y] in self.way.iter().map(|at| at.map(|at| at as i32)) {
            picture.set(x, y, [255; 4]);
        }
        let Rect { x0, y0, .. } = self.rect();
        picture.draw(&hitmask_demo::hero(), Point::new(x0, y0));
        let path = env::current_exe()?.with_extension("png");
        headless::write_png(&path, &picture.zoomed(ZOOM))?;
        println!("the level over its art: {}", path.display());
        Ok(())
    }

    fn rect(&self) -> Rect {
        self.world.rect(self.hero).unwrap_or_default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    env::args().nth(1).map_or_else(tour, |path| follow(&path))
}

fn tour() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new(bake(&[])?)?;
    assert_eq!(game.run_to(120)?, 160, "from the start to the ground");
    assert_eq!(game.run_to(200)?, 144, "up a slope");
    assert_eq!(game.run_to(250)?, 160, "down a slope");
    assert_eq!(game.met, ["coin1"]);
    assert_eq!(game.run_to(330)?, 160, "through the spikes, which block nothing");
    assert_eq!(game.met, ["coin1", "hazard"]);

    game.run_to(370)?;
    let [top, feet] = game.jump(0.6)?;
    assert!(top < 112, "from below through the ledge: {top}");
    assert_eq!(feet, 112, "on the ledge");
    game.run_to(400)?;
    let [top, feet] = game.jump(1.2)?;
    assert!(top < 64, "through the next: {top}");
    assert_eq!(feet, 64, "on the next ledge");
    assert_eq!(game.met, ["coin1", "hazard", "coin2"]);

    // Off the end of the ledge onto a slope, across the edge of two chunks of terrain at x = 512.
    assert_eq!(game.run_to(560)?, 112, "on the hill");
    assert_eq!(game.run_to(735)?, 160, "down the hill");
    assert_eq!(game.met, ["coin1", "hazard", "coin2", "coin3", "coin4", "goal"]);

    // The level is saved in Tiled: the goal is nearer, the last coin gone and another one there. The coins that
    // the hero has taken stay taken.
    let coin4 = r#"<object id="5" name="coin4" type="coin" gid="6" x="544""#;
    let coin5 = r#"<object id="7" name="coin5" type="coin" gid="6" x="240""#;
    let report = game.update(bake(&[(r#"x="720""#, r#"x="640""#), (coin4, coin5)])?)?;
    let of = |items: &[usize]| {
        items.iter().map(|&item| game.map.items[item].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(&report.inserted), ["coin5"]);
    assert_eq!(of(&report.changed), ["goal"]);
    assert_eq!(of(&report.kept), ["coin1", "coin2", "coin3"]);
    game.draw(&folder()?)
}

/// Shows the level of an atlas file, and each version that is written while this runs.
fn follow(path: &str) -> Result<(), Box<dyn Error>> {
    let written = || fs::metadata(path).and_then(|data| data.modified()).ok();
    let (mut last, mut game) = (written(), Game::new(Atlas::open(path)?)?);
    let art = Path::new(MANIFEST).with_file_name("");
    game.draw(&art)?;
    loop {
        // Here a game has its tick.
        thread::sleep(Duration::from_millis(50));
        let now = written();
        if now.is_none() || now == last {
            continue;
        }
        last = now;
        match Atlas::open(path).map_err(Box::from).and_then(|atlas| game.update(atlas)) {
            Ok(report) => println!("{report:?}"),
            Err(error) => eprintln!("{error}; the last level stays"),
        }
        game.draw(&art)?;
    }
}

/// Returns the folder of the copy of the level that is edited.
fn folder() -> Result<PathBuf, Box<dyn Error>> {
    Ok(env::current_exe()?.with_extension("level"))
}

/// Bakes a copy of the level, with an edit of its file.
fn bake(edits: &[(&str, &str)]) -> Result<Atlas, Box<dyn Error>> {
    let folder = folder()?;
    fs::create_dir_all(&folder)?;
    for file in fs::read_dir(Path::new(MANIFEST).with_file_name(""))? {
        let file = file?.path();
        fs::copy(&file, folder.join(file.file_name().ok_or("no name")?))?;
    }
    let level = folder.join("yard.tmx");
    let text = fs::read_to_string(&level)?;
    fs::write(&level, edits.iter().fold(text, |text, (from, to)| text.replace(from, to)))?;
    let bytes = Bake::new().manifest(folder.join("hitmask.toml"))?.to_bytes()?;
    Ok(Atlas::from_vec(bytes)?)
}
