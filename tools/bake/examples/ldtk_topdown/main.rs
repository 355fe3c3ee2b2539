//! A level of LDtk seen from above: baked with rules, inserted into a world, and walked through by a hero.
//!
//! `garden.ldtk` has walls and water as values of an IntGrid, tiles that show them, and a start, coins, a key and a
//! door as entities. The rules in `hitmask.toml` make walls solid and water a hazard. The example prints what the hero
//! meets, and draws the level over its art, with the way of the hero.
//!
//! `cargo run -p hitmask-bake --example ldtk_topdown`
//!
//! The example `tiled_platformer` follows its level while that is edited. A level of LDtk is followed in the same way.

use hitmask::{
    Atlas, Collider, ColliderId, Map, MapItem, MapReport, Mask, Pivot, PlacedMap, Point, Side,
    World,
};
use hitmask_bake::Bake;
use hitmask_demo::{MapPicture, Picture, headless, open_art};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ldtk_topdown/hitmask.toml");

/// Speed along each axis in pixels per tick.
const SPEED: f32 = 2.0;
/// Side of a pixel of the map in the picture.
const ZOOM: i32 = 4;

struct Game {
    world: World,
    map: Map,
    /// The collider of each item of the map; none for the start, which is a point.
    placed: PlacedMap,
    hero: ColliderId,
    /// What the hero has met, in order.
    met: Vec<String>,
    /// The keys that the hero has.
    keys: Vec<String>,
    /// Where it was.
    way: Vec<[f32; 2]>,
}

impl Game {
    fn new(atlas: Atlas) -> Result<Self, Box<dyn Error>> {
        let map = atlas.map("garden/Pond").ok_or("no map")?;
        let mut world = World::new(atlas);
        let placed = world.insert_map(&map, [0.0; 2])?;
        let start = map.items.iter().find(|item| item.class == "Player").ok_or("no start")?;
        let body = world.masks_mut().insert(Mask::disc(6)?, Pivot::Center)?;
        let hero = world.insert(Collider::from_mask(body).at(start.position))?;
        Ok(Self { world, map, placed, hero, met: Vec::new(), keys: Vec::new(), way: Vec::new() })
    }

    /// Walks to a place and slides along what is in the way. Returns where the hero stops, and the sides on
    /// which it was blocked.
    fn walk(&mut self, to: [f32; 2]) -> Result<([f32; 2], Vec<Side>), Box<dyn Error>> {
        let mut sides = Vec::new();
        loop {
            let from = self.world.get(self.hero).ok_or("no hero")?.position;
            let step = [0, 1].map(|axis| (to[axis] - from[axis]).clamp(-SPEED, SPEED));
            let moved = self.world.move_and_slide(self.hero, step)?;
            for (id, side) in moved.contacts {
                if !sides.contains(&side) {
                    sides.push(side);
                }
                self.meet(id, moved.position)?;
            }
            for id in moved.passed {
                self.meet(id, moved.position)?;
            }
            self.way.push(moved.position);
            if moved.position == from {
                return Ok((from, sides));
            }
        }
    }

    /// Takes a new version of the level. One that is refused leaves the last one.
    fn update(&mut self, atlas: Atlas) -> Result<MapReport, Box<dyn Error>> {
        let map = atlas.map("garden/Pond").ok_or("the atlas has no map garden/Pond")?;
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
        // The hero of the tileset, of the very pixels that collide.
        let tiles = image::open(folder.join("garden-tiles.png"))?.into_rgba8();
        let hero = image::imageops::crop_imm(&tiles, 34, 18, 12, 12).to_image();
        let [x, y] = self.world.rect(self.hero).map_or([0; 2], |rect| [rect.x0, rect.y0]);
        picture.draw(&Picture::of_rgba(12, hero.as_raw()), Point::new(x, y));
        let path = env::current_exe()?.with_extension("png");
        headless::write_png(&path, &picture.zoomed(ZOOM))?;
        println!("the level over its art: {}", path.display());
        Ok(())
    }

    /// Takes coins and keys, and opens a door that has the same key.
    fn meet(&mut self, id: ColliderId, [x, y]: [f32; 2]) -> Result<(), Box<dyn Error>> {
        // The index of a collider is that of its item, which has the names and fields of the editor.
        let index =
            self.placed.ids.iter().position(|&own| own == Some(id)).ok_or("not of the map")?;
        let item = &self.map.items[index];
        let key = property(item, "key").map(str::to_owned);
        let has_key = key.as_ref().is_some_and(|key| self.keys.contains(key));
        let (told, is_taken) = match (&*item.name, &key) {
            ("solid", _) => return Ok(()),
            ("Door", Some(key)) if !has_key => (format!("a door, locked: key {key}"), false),
            ("Door", _) => ("the door opens".to_owned(), true),
            ("Coin", _) => ("a coin".to_owned(), true),
            ("Key", Some(key)) => (format!("a key: {key}"), true),
            (name, _) => (name.to_owned(), false),
        };
        if item.name == "Key" {
            self.keys.extend(key);
        }
        if is_taken {
            self.world.remove(id);
        }
        if is_taken || !self.met.contains(&told) {
            println!("at x = {x:.0}, y = {y:.0}: {told}");
            self.met.push(told);
        }
        Ok(())
    }
}

fn property<'i>(item: &'i MapItem, name: &str) -> Option<&'i str> {
    item.properties.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new(bake(&[])?)?;
    assert!(game.map.properties.contains(&("title".to_owned(), "The pond".to_owned())));
    let door = game.map.items.iter().find(|item| item.class == "Door").ok_or("no door")?;
    assert_eq!((door.position, property(door, "key")), ([208.0, 64.0], Some("bronze")));

    assert_eq!(game.walk([72.0, 56.0])?, ([72.0, 56.0], vec![]));
    assert_eq!(game.met, ["a coin"]);
    let beside_wall = game.walk([120.0, 88.0])?;
    assert_eq!(beside_wall, ([120.0, 88.0], vec![Side::Right]), "down the wall to the gap");
    let at_door = game.walk([240.0, 80.0])?;
    assert_eq!(at_door, ([201.0, 80.0], vec![Side::Right]), "through the water to the door");
    assert_eq!(game.met[1..], ["hazard", "a door, locked: key bronze"]);

    game.walk([168.0, 136.0])?;
    assert_eq!(game.walk([280.0, 88.0])?.0, [280.0, 88.0], "through the open door");
    assert_eq!(game.met[3..], ["a key: bronze", "the door opens", "a coin"]);
    assert_eq!(game.walk([400.0, 88.0])?, ([297.0, 88.0], vec![Side::Right]), "at the last wall");

    // The level is saved in LDtk: the last coin is gone, and another one there. What the hero has taken and opened
    // stays so.
    let report = game.update(bake(&[("coin-280-88", "coin-new"), ("[280,88]", "[232,120]")])?)?;
    let of = |items: &[usize]| {
        items.iter().map(|&item| game.map.items[item].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(&report.inserted), ["Coin"]);
    assert_eq!(of(&report.kept), ["Coin", "Key", "Door"]);
    game.draw(&folder()?)
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
    let level = folder.join("garden.ldtk");
    let text = fs::read_to_string(&level)?;
    fs::write(&level, edits.iter().fold(text, |text, (from, to)| text.replace(from, to)))?;
    let bytes = Bake::new().manifest(folder.join("hitmask.toml"))?.to_bytes()?;
    Ok(Atlas::from_vec(bytes)?)
}
