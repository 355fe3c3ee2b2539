//! Terrain in cells and bodies of sprites, in any engine.

use crate::art::options;
use crate::{Engine, Motion, Placed, SCALE, Sprite};
use hitmask::{Mask, Rect, ShapeGrid};

/// Pixels of a side of a cell.
pub const CELL: u32 = 64;

/// A world with terrain and bodies of sprites.
pub struct Scene<'a, E: Engine> {
    /// The engine.
    pub engine: E,
    /// The terrain, from (0, 0) downwards.
    pub terrain: Mask,
    /// The shapes of the terrain.
    pub grid: ShapeGrid,
    /// A static body per cell with pieces.
    pub cells: Vec<Option<E::Body>>,
    /// The sprites' bodies.
    pub bodies: Vec<(E::Body, &'a Sprite)>,
    /// The number of pieces that the engine took.
    pub pieces: usize,
    /// The number of pieces that the engine refused.
    pub refused: usize,
    /// The number of pieces that were too thin.
    pub thin: u32,
    /// The number of cells whose bodies were replaced.
    pub replaced: usize,
}

impl<'a, E: Engine> Scene<'a, E> {
    /// Returns a scene of terrain.
    #[must_use]
    pub fn new(terrain: Mask) -> Self {
        let grid = ShapeGrid::new(&terrain, CELL, options([0.0; 2])).expect("legal options");
        let mut scene = Self {
            engine: E::new(9.81),
            cells: vec![None; grid.len()],
            terrain,
            grid,
            bodies: Vec::new(),
            pieces: 0,
            refused: 0,
            thin: 0,
            replaced: 0,
        };
        for id in 0..scene.cells.len() {
            scene.place_cell(id);
        }
        scene
    }

    fn place_cell(&mut self, id: usize) {
        let pieces = self.grid.cell(id as u32).expect("an id of the grid").pieces();
        if let Some(body) = self.cells[id].take() {
            self.engine.remove(body);
        }
        self.thin += pieces.left_out;
        if !pieces.pieces.is_empty() {
            let placed = Placed::default();
            let (body, refused) = self.engine.insert(&pieces.pieces, Motion::Static, placed);
            self.cells[id] = Some(body);
            self.pieces += pieces.pieces.len() - refused;
            self.refused += refused;
        }
    }

    /// Inserts a sprite.
    pub fn insert(&mut self, sprite: &'a Sprite, placed: Placed) -> E::Body {
        let pieces = &sprite.pieces.pieces;
        let (body, refused) = self.engine.insert(pieces, Motion::Dynamic, placed);
        self.pieces += pieces.len() - refused;
        self.refused += refused;
        self.thin += sprite.pieces.left_out;
        self.bodies.push((body, sprite));
        body
    }

    /// Inserts sprites above a row of the terrain, in shelves between two columns, at angles of all
    /// kinds. Returns the height of the shelves in pixels.
    pub fn drop_all(&mut self, sprites: &'a [Sprite], [left, right]: [i32; 2], top: i32) -> i32 {
        let (mut x, mut y, mut row) = (left, top, 0);
        for (i, sprite) in sprites.iter().enumerate() {
            // The circle about the origin holds the sprite at any angle.
            let [w, h] = [sprite.mask.width(), sprite.mask.height()].map(|side| side as f32);
            let [px, py] = sprite.pivot2.map(|v| v as f32 / 2.0);
            let radius = px.max(w - px).hypot(py.max(h - py)).ceil() as i32 + 3;
            if x + 2 * radius > right {
                (x, y, row) = (left, y - row, 0);
            }
            let at = [(x + radius) as f32 * SCALE, -(y - radius) as f32 * SCALE];
            self.insert(sprite, Placed { at, angle: i as f32 * 0.7 });
            x += 2 * radius;
            row = row.max(2 * radius);
        }
        top - (y - row)
    }

    /// Erases a disc from the terrain, centred at a pixel, and replaces the bodies of changed cells.
    pub fn carve(&mut self, radius: u32, [x, y]: [i32; 2]) {
        let disc = Mask::disc(radius).expect("a small disc");
        let r = radius as i32;
        self.terrain.erase(&disc, [x - r, y - r]);
        let changed = Rect::new(x - r, y - r, x + r + 1, y + r + 1);
        let ids = self.grid.update(&self.terrain, changed).expect("terrain of one size");
        self.replaced += ids.len();
        for id in ids {
            self.place_cell(id as usize);
        }
    }

    /// Returns the places of all sprites.
    pub fn placed(&mut self) -> Vec<Placed> {
        self.bodies.iter().map(|&(body, _)| self.engine.placed(body)).collect()
    }

    /// Returns the greatest speed of a sprite in m/s.
    pub fn speed(&mut self) -> f32 {
        let speed = |engine: &mut E, body| {
            let [x, y] = engine.velocity(body);
            x.hypot(y)
        };
        self.bodies.iter().map(|&(body, _)| speed(&mut self.engine, body)).fold(0.0, f32::max)
    }
}
