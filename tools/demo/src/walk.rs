//! A hero that walks on a map of an atlas, as in a platformer. All that is drawn are the masks that collide.
//!
//! ```text
//! tick      keys -> motion by rules: slopes, one-way ledges, sensors on the way
//! picture   the part of the map around the hero, each mask pixel as a square
//! ```

use crate::headless::DemoError;
use crate::palette::{BOX, HOVER, LIT_EDGE, NORMAL, OVERLAP, PAPER, SPACE};
use crate::picture::{Color, LETTER, Picture};
use hitmask::{
    Atlas, CallError, Collider, ColliderId, Filter, Map, MapItem, Mask, MoveRules, Pivot, Point,
    Rect, Side, World,
};

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

/// A map with a hero on it.
#[derive(Debug)]
pub struct Walk {
    world: World,
    map: Map,
    /// The collider of each item of the map.
    ids: Vec<Option<ColliderId>>,
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
        let ids = world.insert_map(&map, [0.0; 2])?.ids;
        let is_start = |item: &&MapItem| {
            let names = [&item.class, &item.name].map(|name| name.to_lowercase());
            names.iter().any(|name| ["start", "spawn", "player"].contains(&name.as_str()))
        };
        let start = map.items.iter().find(is_start).map(|item| item.position);
        let start = start.unwrap_or([map.size[0] / 2.0, 0.0]);
        let body = Mask::solid(HERO[0], HERO[1])?;
        let body = world.masks_mut().insert(body, Pivot::HalfTexels(0, 0))?;
        let hero = world.insert(Collider::from_mask(body).at(start))?;
        let coins = map.items.iter().filter(|item| is_coin(item)).count();
        Ok(Self {
            world,
            map,
            ids,
            hero,
            start,
            speed: [0.0; 2],
            stands: false,
            is_blocked: false,
            is_top_down: false,
            touched: Vec::new(),
            coins: [0, coins],
        })
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
            let Some(index) = self.ids.iter().position(|&id| id == Some(sensor)) else { continue };
            if is_coin(&self.map.items[index]) {
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
    pub fn picture(&self, window: [i32; 2]) -> Picture {
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
        for (index, (item, &id)) in self.map.items.iter().zip(&self.ids).enumerate() {
            let Some(shape) = &item.shape else {
                let [x, y] = item.position.map(|at| (at * resolution) as i32);
                let Rect { x0, y0, .. } = shown(Rect::new(x, y, x, y));
                picture.text(&item.name, Point::new(x0, y0), [1, 1], BOX);
                continue;
            };
            let color = match shape {
                _ if is_coin(item) => HOVER,
                _ if self.touched.contains(&index) => OVERLAP,
                shape if shape.sensor => SENSOR,
                shape if shape.layers & LEDGES != 0 => LIT_EDGE,
                _ => BOX,
            };
            let Some(posed) = id.and_then(|id| self.world.posed(id)) else { continue };
            for rect in posed.mask.rects() {
                picture.fill(shown(rect.translated([posed.origin.x, posed.origin.y])), color);
            }
        }
        picture.fill(shown(hero), NORMAL);
        let [has, all] = self.coins;
        let touched = self.touched.first().map_or("", |&index| &self.map.items[index].name);
        let text = format!("{}: coins {has} of {all}  {touched}", self.map.name);
        picture.text(&text, Point::new(GAP, GAP), [2, 2], OVERLAP);
        let keys = match self.is_top_down {
            true => "arrows: walk   Q: quit",
            false => "arrows: walk   space or up: jump   Q: quit   from above: --top-down",
        };
        picture.text(keys, Point::new(GAP, 2 * GAP + 2 * LETTER), [1, 1], BOX);
        picture
    }
}

/// Tests whether an item is a sensor to collect.
fn is_coin(item: &MapItem) -> bool {
    item.class.eq_ignore_ascii_case("coin") && item.shape.as_ref().is_some_and(|shape| shape.sensor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask::{AtlasBuilder, MapShape};

    /// Returns an atlas with a floor, a wall of 3 px, a coin in the air and a ledge.
    fn atlas() -> Atlas {
        let item = |name: &str, class: &str, position, sprite: &str| MapItem {
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
        let map = Map {
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
        let walk = Walk::new(atlas()).unwrap();
        let picture = walk.picture([400, 200]);
        let count = |color| picture.pixels().iter().filter(|&&pixel| pixel == color).count();
        assert_eq!(count(LIT_EDGE), 4 * 60 * 3, "at zoom 2");
        assert_eq!(count(HOVER), 4 * 4 * 4);
        assert_eq!(count(NORMAL), (4 * HERO[0] * HERO[1]) as usize);
    }

    #[test]
    fn an_atlas_without_a_map_is_refused() {
        let atlas = AtlasBuilder::new().mask("dot", Mask::solid(1, 1).unwrap()).to_bytes().unwrap();
        let error = Walk::new(Atlas::from_vec(atlas).unwrap()).unwrap_err();
        assert!(error.help().contains("hitmask bake"), "{error}");
    }
}
