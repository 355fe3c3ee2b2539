//! A hero that walks on a map of an atlas, as in a platformer. The masks that collide are drawn over the tiles of the
//! level, or alone without its art.
//!
//! ```text
//! tick      keys -> motion by rules: slopes, one-way ledges, sensors on the way
//! picture   the part of the map around the hero, each mask pixel as a square
//! update    a new version of the atlas, while the level is edited
//! ```

use super::map_picture::{OVER_TILES, removed};
use super::tiles::Tiles;
use crate::headless::DemoError;
use crate::palette::{BOX, HOVER, LIT_EDGE, NORMAL, OVERLAP, PAPER, SPACE};
use crate::picture::{Color, LETTER, Picture};
use hitmask::{
    Atlas, CallError, Collider, ColliderId, FileError, Filter, Map, MapItem, MapReport, MapShape,
    Mask, MoveRules, Pivot, PlacedMap, Point, Rect, Side, World,
};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Layer of one-way platforms. The rules of the bake put ledges on it: `layers = 2`.
const LEDGES: u32 = 0b10;
/// Width and height of the hero in mask pixels.
const HERO: [u32; 2] = [10, 14];
/// Speeds in pixels per tick of 1/60 s.
const RUN: f32 = 1.75;
const JUMP: f32 = -7.0;
const GRAVITY: f32 = 0.4;
const FALL: f32 = 6.0;
/// Colour of sensors that are no coins.
const SENSOR: Color = [224, 72, 62, 255];
/// Greatest zoom.
const MAX_ZOOM: i32 = 4;
/// Colour of the list of keys.
const KEYS: Color = [136, 146, 168, 255];
/// Distance of texts from the edge of the picture.
const GAP: i32 = 12;

/// What the keys ask for in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steering {
    /// Walk to the left.
    pub left: bool,
    /// Walk to the right.
    pub right: bool,
    /// Walk up, on a map that is seen from above.
    pub up: bool,
    /// Walk down, likewise.
    pub down: bool,
    /// Jump, if the hero stands.
    pub jump: bool,
}

/// What is drawn of the colliders of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlays {
    /// Masks of tiles and of tile objects that block.
    pub masks: bool,
    /// Sensors.
    pub sensors: bool,
    /// Shapes of objects that block, such as polygons.
    pub shapes: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { masks: true, sensors: true, shapes: true }
    }
}

impl Overlays {
    /// Shows or hides what a key names: 1 the masks, 2 the sensors, 3 the shapes. Returns false for another key.
    pub const fn toggle(&mut self, key: char) -> bool {
        let part = match key {
            '1' => &mut self.masks,
            '2' => &mut self.sensors,
            '3' => &mut self.shapes,
            _ => return false,
        };
        *part = !*part;
        true
    }

    /// Tests whether a collider of a map is drawn.
    fn show(self, shape: &MapShape) -> bool {
        match shape {
            shape if shape.sensor => self.sensors,
            // The name that a bake gives to the sprite of shapes.
            shape if shape.sprite.ends_with("/shapes") => self.shapes,
            _ => self.masks,
        }
    }

    /// Returns the keys, each with what it does.
    fn help(self) -> String {
        let verb = |is_shown| if is_shown { "hide" } else { "show" };
        let Self { masks, sensors, shapes } = self;
        let [masks, sensors, shapes] = [masks, sensors, shapes].map(verb);
        format!("1: {masks} masks   2: {sensors} sensors   3: {shapes} shapes")
    }
}

/// A map with a hero on it.
#[derive(Debug)]
pub struct Walk {
    world: World,
    map: Map,
    placed: PlacedMap,
    hero: ColliderId,
    start: [f32; 2],
    speed: [f32; 2],
    stands: bool,
    /// Whether a wall ended the last motion.
    is_blocked: bool,
    /// Whether the map is seen from above: nothing falls, and the hero walks in all directions.
    is_top_down: bool,
    /// Indices of the sensors that the hero touches.
    touched: Vec<usize>,
    coins: [usize; 2],
    /// The art of the level, if it is there.
    tiles: Option<Tiles>,
    overlays: Overlays,
}

impl Walk {
    /// Puts a hero on the first map of an atlas: at the point of the class or name `start`, `spawn` or
    /// `player`, or in the middle of the top.
    ///
    /// # Errors
    /// [`DemoError`] if the atlas has no map, or one whose colliders do not fit a world.
    pub fn new(atlas: Atlas) -> Result<Self, DemoError> {
        let Some(map) = atlas.maps().into_iter().next() else {
            let help = "bake a level of Tiled or LDtk: hitmask bake level.tmx -o level.hitmask";
            return Err(DemoError::new("the atlas has no map", help));
        };
        let mut world = World::new(atlas);
        let (placed, start) = (world.insert_map(&map, [0.0; 2])?, start(&map));
        let body = Mask::solid(HERO[0], HERO[1])?;
        let body = world.masks_mut().insert(body, Pivot::HalfTexels(0, 0))?;
        let hero = world.insert(Collider::from_mask(body).at(start))?;
        let coins = map.items.iter().filter(|item| is_coin(item)).count();
        Ok(Self {
            world,
            map,
            placed,
            hero,
            start,
            speed: [0.0; 2],
            stands: false,
            is_blocked: false,
            is_top_down: false,
            touched: Vec::new(),
            coins: [0, coins],
            tiles: None,
            overlays: Overlays::default(),
        })
    }

    /// Draws the tiles of the level in a folder, which is the one that was baked. Returns false if no file there is
    /// this map.
    #[must_use]
    pub fn show_art(&mut self, folder: &Path) -> bool {
        self.tiles = Tiles::open(folder, &self.map, self.world.atlas().resolution());
        self.tiles.is_some()
    }

    /// Returns what is drawn of the colliders.
    pub const fn overlays(&mut self) -> &mut Overlays {
        &mut self.overlays
    }

    /// Takes a new version of the atlas: the level as it is now. The hero stays where it is, and taken coins stay
    /// taken.
    ///
    /// # Errors
    /// [`DemoError`] if the atlas has no map of this name, or another resolution. The walk goes on with the last
    /// version.
    pub fn update(&mut self, atlas: Atlas) -> Result<MapReport, DemoError> {
        let Some(map) = atlas.map(&self.map.name) else {
            let cause = format!("the atlas has no map {:?}", self.map.name);
            return Err(DemoError::new(cause, "bake the level into it again"));
        };
        // A refused call leaves the world, but both are to happen or none.
        let (mut world, mut placed) = (self.world.clone(), self.placed.clone());
        let old = world.atlas().id();
        world.atlases_mut().replace(old, atlas)?;
        let report = world.update_map(&mut placed, &map)?;
        let coins = || map.items.iter().zip(&placed.ids).filter(|(item, _)| is_coin(item));
        self.coins = [coins().filter(|(_, id)| id.is_none()).count(), coins().count()];
        self.start = start(&map);
        self.touched.clear();
        (self.world, self.map, self.placed) = (world, map, placed);
        if let Some(tiles) = &mut self.tiles {
            tiles.reload(&self.map);
        }
        Ok(report)
    }

    /// Sets whether the map is seen from above. Then nothing falls, and the hero walks in all directions.
    #[must_use]
    pub const fn top_down(mut self, is_top_down: bool) -> Self {
        self.is_top_down = is_top_down;
        self
    }

    /// Returns what a hero without a player does: it walks to the right, and jumps at walls and often. On a map
    /// that is seen from above it walks 1.5 s to each side in turn.
    #[must_use]
    pub const fn automatic(&self, tick: u32) -> Steering {
        let none = Steering { left: false, right: false, up: false, down: false, jump: false };
        if !self.is_top_down {
            let jump = self.is_blocked || tick % 64 == 40;
            return Steering { right: true, jump, ..none };
        }
        match tick / 90 % 4 {
            0 => Steering { right: true, ..none },
            1 => Steering { down: true, ..none },
            2 => Steering { left: true, ..none },
            _ => Steering { up: true, ..none },
        }
    }

    /// Moves the hero by one tick of 1/60 s.
    ///
    /// # Errors
    /// None in practice: a hero that falls out of the map begins again.
    pub fn tick(&mut self, steering: Steering) -> Result<(), CallError> {
        let Steering { left, right, up, down, jump } = steering;
        let along = |back, on| RUN * (f32::from(u8::from(on)) - f32::from(u8::from(back)));
        self.speed[0] = along(left, right);
        let rules = if self.is_top_down {
            self.speed[1] = along(up, down);
            MoveRules { climb: 0, slip: 1, rise: 0, ..MoveRules::default() }
        } else {
            self.speed[1] = if jump && self.stands { JUMP } else { self.speed[1] + GRAVITY };
            self.speed[1] = self.speed[1].min(FALL);
            MoveRules { one_way: LEDGES, ..MoveRules::default() }
        };
        let moved = self.world.move_by_rules(self.hero, self.speed, rules, Filter::SOLID)?;
        self.stands = moved.blocked_on(Side::Below);
        self.is_blocked = moved.blocked_on(Side::Right) || moved.blocked_on(Side::Left);
        if self.stands || moved.blocked_on(Side::Above) {
            self.speed[1] = 0.0;
        }
        self.touched.clear();
        for sensor in moved.passed {
            let Some(index) = self.placed.ids.iter().position(|&id| id == Some(sensor)) else {
                continue;
            };
            let item = &self.map.items[index];
            if is_coin(item) {
                if let (Some(tiles), Some(rect)) = (&mut self.tiles, self.world.rect(sensor)) {
                    // The picture of a coin can be wider than the pixels that collide.
                    let reach = item.size[0].hypot(item.size[1]) * self.world.atlas().resolution();
                    tiles.forget(rect, reach as i32);
                }
                self.world.remove(sensor);
                self.coins[0] += 1;
            } else {
                self.touched.push(index);
            }
        }
        if moved.position[1] > self.map.size[1] {
            self.world.move_to(self.hero, self.start)?;
            self.speed = [0.0; 2];
        }
        Ok(())
    }

    /// Returns how many coins the hero has, and how many the map had.
    #[must_use]
    pub const fn coins(&self) -> [usize; 2] {
        self.coins
    }

    /// Draws the map around the hero into a picture of a size.
    #[must_use]
    pub fn picture(&mut self, window: [i32; 2]) -> Picture {
        let resolution = self.world.atlas().resolution();
        let size = self.map.size.map(|side| (side * resolution) as i32);
        let zoom = (window[1] / size[1].max(1)).clamp(1, MAX_ZOOM);
        let hero = self.world.rect(self.hero).unwrap_or_default();
        // The hero is in the middle, except at the edges of the map.
        let corner = [0, 1].map(|axis| {
            let seen = window[axis] / zoom;
            let middle = [hero.x0, hero.y0][axis] - seen / 2;
            if seen >= size[axis] {
                (size[axis] - seen) / 2
            } else {
                middle.clamp(0, size[axis] - seen)
            }
        });
        let shown = |rect: Rect| {
            let at = |value: i32, axis: usize| (value - corner[axis]) * zoom;
            Rect::new(at(rect.x0, 0), at(rect.y0, 1), at(rect.x1, 0), at(rect.y1, 1))
        };
        let mut picture = Picture::new(window, SPACE);
        picture.fill(shown(Rect::new(0, 0, size[0], size[1])), PAPER);
        let alpha = if self.tiles.is_some() { OVER_TILES } else { 255 };
        if let Some(tiles) = &mut self.tiles {
            let removed = removed(&self.world, &self.map, &self.placed.ids);
            tiles.draw(&mut picture, corner, zoom, &|id| !removed.contains(id));
        }
        for (index, (item, &id)) in self.map.items.iter().zip(&self.placed.ids).enumerate() {
            let Some(shape) = &item.shape else {
                let [x, y] = item.position.map(|at| (at * resolution) as i32);
                let Rect { x0, y0, .. } = shown(Rect::new(x, y, x, y));
                picture.text(&item.name, Point::new(x0, y0), [1, 1], BOX);
                continue;
            };
            if !self.overlays.show(shape) {
                continue;
            }
            let color = match shape {
                _ if is_coin(item) => HOVER,
                _ if self.touched.contains(&index) => OVERLAP,
                shape if shape.sensor => SENSOR,
                shape if shape.layers & LEDGES != 0 => LIT_EDGE,
                _ => BOX,
            };
            let Some(posed) = id.and_then(|id| self.world.posed(id)) else { continue };
            for rect in posed.mask.rects() {
                let rect = shown(rect.translated([posed.origin.x, posed.origin.y]));
                picture.tint(rect, color, alpha);
            }
        }
        let at = shown(hero);
        match self.tiles {
            Some(_) => picture.draw_zoomed(&self::hero(), Point::new(at.x0, at.y0), zoom),
            None => picture.fill(at, NORMAL),
        }
        let [has, all] = self.coins;
        let touched = self.touched.first().map_or("", |&index| &self.map.items[index].name);
        let text = format!("{}: coins {has} of {all}  {touched}", self.map.name);
        let keys = match self.is_top_down {
            true => "arrows: walk   Q: quit",
            false => "arrows: walk   space or up: jump   Q: quit   from above: --top-down",
        };
        let lines = [
            (&*text, GAP, 2, OVERLAP),
            (keys, 2 * GAP + 2 * LETTER, 1, KEYS),
            (&*self.overlays.help(), 3 * GAP + 3 * LETTER, 1, KEYS),
        ];
        // On dark ground, because a level may have any background.
        let width = lines.iter().map(|(text, _, zoom, _)| text.chars().count() as i32 * zoom).max();
        let size = [width.unwrap_or(0) * LETTER + 2 * GAP, 4 * GAP + 4 * LETTER];
        picture.tint(Rect::new(0, 0, size[0], size[1]), SPACE, 200);
        for (text, y, zoom, color) in lines {
            picture.text(text, Point::new(GAP, y), [zoom; 2], color);
        }
        picture
    }
}

/// An atlas file that is written again and again, as by `hitmask bake --watch`.
#[derive(Debug)]
pub struct AtlasFile {
    path: PathBuf,
    /// When the last version was written, and its size.
    seen: Option<(SystemTime, u64)>,
}

impl AtlasFile {
    /// Opens an atlas file, and remembers its version.
    ///
    /// # Errors
    /// [`FileError`] as of [`Atlas::open`].
    pub fn open(path: impl Into<PathBuf>) -> Result<(Self, Atlas), FileError> {
        let mut file = Self { path: path.into(), seen: None };
        file.seen = file.version();
        let atlas = Atlas::open(&file.path)?;
        Ok((file, atlas))
    }

    /// Returns the atlas if it was written again since the last call.
    ///
    /// # Errors
    /// [`FileError`] as of [`Atlas::open`], once for each damaged version.
    pub fn changed(&mut self) -> Result<Option<Atlas>, FileError> {
        let version = self.version();
        // A file that is replaced just now is missing for a moment.
        if version.is_none() || version == self.seen {
            return Ok(None);
        }
        self.seen = version;
        Atlas::open(&self.path).map(Some)
    }

    fn version(&self) -> Option<(SystemTime, u64)> {
        let data = std::fs::metadata(&self.path).ok()?;
        Some((data.modified().ok()?, data.len()))
    }
}

/// Returns the picture of a hero of 10 x 14 pixels, of which each is solid.
#[must_use]
pub fn hero() -> Picture {
    /// Letters for the colours below.
    const ROWS: [&[u8; HERO[0] as usize]; HERO[1] as usize] = [
        b"rrrrrrrrrr",
        b"rrhhrrrrrr",
        b"rrrrrrrrrr",
        b"bbbbbbbbbb",
        b"ffffffffff",
        b"ffkffffkff",
        b"ffkffffkff",
        b"ffffffffff",
        b"ffffkkkfff",
        b"bbbbbbbbbb",
        b"bbbbyybbbb",
        b"fbbbbbbbbf",
        b"bbbbddbbbb",
        b"dddddddddd",
    ];
    let color = |letter| match letter {
        b'r' => [214, 60, 60, 255],
        b'h' => [248, 150, 140, 255],
        b'f' => [244, 200, 160, 255],
        b'k' => [44, 34, 44, 255],
        b'y' => [250, 210, 80, 255],
        b'd' => [40, 50, 110, 255],
        _ => [64, 96, 190, 255],
    };
    let mut picture = Picture::new(HERO.map(|side| side as i32), [0; 4]);
    for (pixel, letter) in picture.pixels_mut().iter_mut().zip(ROWS.into_iter().flatten()) {
        *pixel = color(*letter);
    }
    picture
}

/// Returns where a hero begins.
fn start(map: &Map) -> [f32; 2] {
    let is_start = |item: &&MapItem| {
        let names = [&item.class, &item.name].map(|name| name.to_lowercase());
        names.iter().any(|name| ["start", "spawn", "player"].contains(&name.as_str()))
    };
    let start = map.items.iter().find(is_start).map(|item| item.position);
    start.unwrap_or([map.size[0] / 2.0, 0.0])
}

/// Tests whether an item is a sensor to collect.
fn is_coin(item: &MapItem) -> bool {
    item.class.eq_ignore_ascii_case("coin") && item.shape.as_ref().is_some_and(|shape| shape.sensor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::blended;
    use hitmask::AtlasBuilder;

    /// Returns an atlas with a floor, a wall of 3 px, a coin in the air and a ledge.
    fn atlas() -> Atlas {
        edited(|_| ())
    }

    /// Returns the atlas after an edit of its level.
    fn edited(edit: impl Fn(&mut Vec<MapItem>)) -> Atlas {
        let item = |name: &str, class: &str, position: [f32; 2], sprite: &str| MapItem {
            id: format!("things/{}", position[0]),
            name: name.to_owned(),
            class: class.to_owned(),
            position,
            shape: (!sprite.is_empty()).then(|| MapShape {
                sprite: sprite.to_owned(),
                sensor: class == "coin",
                layers: if sprite == "ledge" { LEDGES } else { 1 },
                ..MapShape::default()
            }),
            ..MapItem::default()
        };
        let mut map = Map {
            name: "yard".to_owned(),
            size: [200.0, 100.0],
            items: vec![
                item("", "start", [10.0, 40.0], ""),
                item("solid", "chunk", [0.0, 90.0], "floor"),
                item("solid", "chunk", [190.0, 40.0], "floor"),
                item("", "coin", [60.0, 80.0], "coin"),
                item("ledge", "chunk", [80.0, 60.0], "ledge"),
            ],
            ..Map::default()
        };
        edit(&mut map.items);
        let solid = |w, h| Mask::solid(w, h).unwrap();
        let corner = hitmask::Settings { pivot: Pivot::HalfTexels(0, 0), ..Default::default() };
        let builder = AtlasBuilder::new().angles(1).settings(corner).mask("floor", solid(200, 50));
        let builder = builder.mask("coin", solid(4, 4)).mask("ledge", solid(60, 3));
        Atlas::from_vec(builder.map(map).to_bytes().unwrap()).unwrap()
    }

    #[test]
    fn a_hero_collects_coins_stands_on_ledges_and_stops_at_walls() {
        let mut walk = Walk::new(atlas()).unwrap();
        let right = Steering { right: true, ..Steering::default() };
        let rect = |walk: &Walk| walk.world.rect(walk.hero).unwrap();
        while rect(&walk).x1 < 90 {
            walk.tick(right).unwrap();
        }
        assert_eq!((rect(&walk).y1, walk.coins()), (90, [1, 1]));
        walk.tick(Steering { jump: true, ..right }).unwrap();
        while !walk.stands {
            walk.tick(Steering { right: rect(&walk).x1 < 100, ..Steering::default() }).unwrap();
        }
        assert_eq!(rect(&walk).y1, 60, "through the ledge, and on it");
        for tick in 0..200 {
            walk.tick(Steering { jump: false, ..walk.automatic(tick) }).unwrap();
        }
        assert_eq!((rect(&walk).x1, walk.automatic(0).jump), (190, true), "at the wall");
    }

    #[test]
    fn a_hero_on_a_map_that_is_seen_from_above_walks_to_all_sides_and_does_not_fall() {
        let mut walk = Walk::new(atlas()).unwrap().top_down(true);
        let corner = |walk: &Walk| walk.world.rect(walk.hero).map(|rect| [rect.x0, rect.y0]);
        for _ in 0..30 {
            walk.tick(Steering::default()).unwrap();
        }
        assert_eq!(corner(&walk), Some([10, 40]), "it stays");
        let step = |walk: &mut Walk, steering, ticks| {
            (0..ticks).for_each(|_| walk.tick(steering).unwrap());
            corner(walk).unwrap()
        };
        let none = Steering::default();
        assert_eq!(step(&mut walk, Steering { up: true, ..none }, 8), [10, 26]);
        assert_eq!(step(&mut walk, Steering { right: true, ..none }, 8), [24, 26]);
        assert_eq!(step(&mut walk, Steering { down: true, ..none }, 99), [24, 76], "at the floor");
        assert_eq!(step(&mut walk, Steering { left: true, ..none }, 8), [10, 76]);
        // By itself it walks to the right first, over the coin.
        for tick in 0..60 {
            walk.tick(walk.automatic(tick)).unwrap();
        }
        assert_eq!(walk.coins(), [1, 1]);
    }

    #[test]
    fn the_picture_shows_the_pixels_that_collide() {
        let mut walk = Walk::new(atlas()).unwrap();
        let picture = walk.picture([400, 200]);
        let count = |color| picture.pixels().iter().filter(|&&pixel| pixel == color).count();
        assert_eq!(count(LIT_EDGE), 4 * 60 * 3, "at zoom 2");
        assert_eq!(count(HOVER), 4 * 4 * 4);
        assert_eq!(count(NORMAL), (4 * HERO[0] * HERO[1]) as usize);
    }

    /// Returns the platformer among the examples of the bake, and its folder.
    fn example() -> (Walk, PathBuf) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../bake/examples/tiled_platformer");
        let folder = PathBuf::from(folder);
        let bake = hitmask_bake::Bake::new().manifest(folder.join("hitmask.toml")).unwrap();
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        (Walk::new(atlas).unwrap(), folder)
    }

    #[test]
    fn a_level_is_drawn_over_its_tiles_and_keys_hide_what_collides() {
        const GRASS: Color = [158, 214, 82, 255];
        const SPIKE: Color = [226, 232, 240, 255];
        const SKY: Color = [140, 200, 240, 255];
        let window = [768, 192];
        let (mut walk, folder) = example();
        let count = |picture: &Picture, color| {
            picture.pixels().iter().filter(|&&pixel| pixel == color).count()
        };
        let at = |picture: &Picture, [x, y]: [i32; 2]| picture.get(x, y).unwrap();
        // The lawn, a spike, and the goal, which is a shape and a sensor.
        let places @ [lawn, spike, goal] = [[300, 160], [259, 159], [724, 130]];
        let masks = walk.picture(window);
        assert_eq!(places.map(|place| at(&masks, place)), [BOX, SENSOR, SENSOR]);
        assert!(!walk.show_art(&folder.join("none")) && walk.show_art(&folder));
        let over = walk.picture(window);
        let mixed = |below, color| blended(below, color, OVER_TILES);
        assert_eq!(at(&over, lawn), mixed(GRASS, BOX));
        assert_eq!(at(&over, spike), mixed(SPIKE, SENSOR));
        assert_eq!(at(&over, goal), mixed(SKY, SENSOR));
        // The hero stands before it in its own colours.
        assert_eq!(at(&over, [40, 120]), [214, 60, 60, 255]);
        assert!(walk.overlays().toggle('1') && !walk.overlays().toggle('4'));
        let sensors = walk.picture(window);
        assert_eq!(at(&sensors, lawn), GRASS);
        assert_eq!(at(&sensors, spike), mixed(SPIKE, SENSOR));
        walk.overlays().toggle('2');
        let tiles = walk.picture(window);
        assert_eq!(places.map(|place| at(&tiles, place)), [GRASS, SPIKE, SKY]);
        // 48 tiles across, of which slopes have a pixel a row.
        assert!((700..=768).contains(&count(&tiles, GRASS)), "{}", count(&tiles, GRASS));
        for (keys, expected) in [([true, true], &over), ([false, true], &sensors)] {
            let overlays = walk.overlays();
            (overlays.masks, overlays.sensors) = (keys[0], keys[1]);
            assert!(walk.picture(window).pixels() == expected.pixels());
        }
    }

    #[test]
    fn a_coin_leaves_the_picture_when_it_is_taken() {
        const GOLD: Color = [246, 196, 48, 255];
        let (mut walk, folder) = example();
        assert!(walk.show_art(&folder));
        walk.overlays().toggle('2');
        let gold = |walk: &mut Walk| {
            // High enough that no text covers a coin.
            let picture = walk.picture([768, 352]);
            picture.pixels().iter().filter(|&&pixel| pixel == GOLD).count()
        };
        let before = gold(&mut walk);
        while walk.coins() == [0, 4] {
            walk.tick(Steering { right: true, ..Steering::default() }).unwrap();
        }
        assert_eq!((walk.coins(), before % 4, gold(&mut walk)), ([1, 4], 0, before / 4 * 3));
    }

    #[test]
    fn an_edited_level_is_seen_in_the_next_tick() {
        let mut walk = Walk::new(atlas()).unwrap();
        let right = Steering { right: true, ..Steering::default() };
        while walk.coins()[0] == 0 {
            walk.tick(right).unwrap();
        }
        let at = walk.world.rect(walk.hero);
        // The ledge moves to the left and down, and another coin lies behind it. The wall is gone.
        let change = |items: &mut Vec<MapItem>| {
            items[4].position = [20.0, 70.0];
            let coin =
                MapItem { id: "things/7".into(), position: [120.0, 80.0], ..items[3].clone() };
            items.insert(0, coin);
            items.remove(3);
        };
        let report = walk.update(edited(change)).unwrap();
        assert_eq!((report.inserted, report.changed, report.kept), (vec![0], vec![4], vec![3]));
        assert_eq!(report.removed[0].0, "things/190");
        assert_eq!((walk.coins(), walk.world.rect(walk.hero)), ([1, 2], at));
        let picture = walk.picture([400, 200]);
        let color = |x: usize, y: usize| picture.pixels()[2 * y * 400 + 2 * x];
        assert_eq!([color(100, 61), color(30, 71), color(122, 82)], [PAPER, LIT_EDGE, HOVER]);
        walk.tick(right).unwrap();
        while walk.coins()[0] == 1 {
            walk.tick(right).unwrap();
        }
        assert_eq!(walk.coins(), [2, 2]);
    }

    #[test]
    fn a_damaged_or_wrong_version_leaves_the_last_level() {
        let path = std::env::temp_dir().join(format!("hitmask-walk-{}", std::process::id()));
        let write = |atlas: &Atlas| std::fs::write(&path, atlas.as_bytes()).unwrap();
        write(&atlas());
        let (mut file, first) = AtlasFile::open(&path).unwrap();
        let mut walk = Walk::new(first).unwrap();
        let before = walk.picture([400, 200]);
        assert!(file.changed().unwrap().is_none());
        // Half of the file, as a writer leaves it that is cut off.
        let bytes = atlas().as_bytes().to_vec();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(file.changed().is_err());
        assert!(file.changed().unwrap().is_none(), "one version is one error");
        std::fs::remove_file(&path).unwrap();
        assert!(file.changed().unwrap().is_none());
        let other = AtlasBuilder::new().mask("dot", Mask::solid(1, 1).unwrap()).to_bytes().unwrap();
        let error = walk.update(Atlas::from_vec(other).unwrap()).unwrap_err();
        assert!(error.to_string().contains("no map \"yard\""), "{error}");
        assert_eq!(walk.picture([400, 200]).pixels(), before.pixels());
        write(&edited(|items| _ = items.pop()));
        let next = file.changed().unwrap().unwrap();
        assert_eq!(walk.update(next).unwrap().removed.len(), 1);
        assert_ne!(walk.picture([400, 200]).pixels(), before.pixels());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn an_atlas_without_a_map_is_refused() {
        let atlas = AtlasBuilder::new().mask("dot", Mask::solid(1, 1).unwrap()).to_bytes().unwrap();
        let error = Walk::new(Atlas::from_vec(atlas).unwrap()).unwrap_err();
        assert!(error.help().contains("hitmask bake"), "{error}");
    }
}
