//! A picture of a scene: terrain, sprites by their masks, and the edges of all pieces.

use crate::scene::CELL;
use crate::{Engine, Placed, SCALE, Scene, Sprite};
use hitmask::{Mask, Rect};
use hitmask_demo::{Color, Picture};

/// Draws the part of a scene in `view`, in pixels of the terrain, at `zoom` pixels per pixel.
pub fn scene<E: Engine>(scene: &mut Scene<'_, E>, view: Rect, zoom: i32) -> Picture {
    let size = [(view.x1 - view.x0) * zoom, (view.y1 - view.y0) * zoom];
    let mut canvas = Canvas { picture: Picture::new(size, [0; 4]), view, zoom };
    canvas.background(&scene.terrain);
    for cell in (0..scene.grid.len() as u32).filter_map(|id| scene.grid.cell(id)) {
        canvas.edges(&cell.pieces().pieces, Placed::default(), [0, 0, 0], 0.22);
    }
    for (placed, &(_, sprite)) in scene.placed().into_iter().zip(&scene.bodies) {
        canvas.sprite(sprite, placed);
        canvas.edges(&sprite.pieces.pieces, placed, [255, 255, 255], 0.4);
    }
    canvas.picture
}

struct Canvas {
    picture: Picture,
    view: Rect,
    zoom: i32,
}

fn mixed(from: [u8; 3], to: [u8; 3], share: f32) -> [u8; 3] {
    std::array::from_fn(|k| {
        (f32::from(from[k]) + (f32::from(to[k]) - f32::from(from[k])) * share) as u8
    })
}

fn opaque([r, g, b]: [u8; 3]) -> Color {
    [r, g, b, 255]
}

impl Canvas {
    fn background(&mut self, terrain: &Mask) {
        let [width, height] = self.picture.size();
        // Pixels of ground above each pixel, up to 40.
        let mut depth = vec![0_i32; terrain.width() as usize];
        for x in 0..terrain.width() as i32 {
            let above = (self.view.y0 - 40..self.view.y0).rev();
            depth[x as usize] = above.take_while(|&y| terrain.get(x, y)).count() as i32;
        }
        for v in 0..height {
            let y = self.view.y0 + v / self.zoom;
            let sky = mixed([22, 26, 46], [96, 124, 158], v as f32 / height as f32);
            for u in 0..width {
                let x = self.view.x0 + u / self.zoom;
                let Some(depth) = depth.get_mut(x.max(0) as usize).filter(|_| x >= 0) else {
                    self.picture.set(u, v, opaque(sky));
                    continue;
                };
                let is_ground = terrain.get(x, y);
                if v % self.zoom == 0 && u % self.zoom == 0 {
                    *depth = if is_ground { (*depth + 1).min(40) } else { 0 };
                }
                let soil = mixed([134, 98, 66], [78, 58, 50], *depth as f32 / 40.0);
                let is_seam = x % CELL as i32 == 0 || y % CELL as i32 == 0;
                let color = match *depth {
                    0 => sky,
                    1..=3 => [118, 170, 82],
                    _ if is_seam => mixed(soil, [255, 220, 150], 0.2),
                    _ => soil,
                };
                self.picture.set(u, v, opaque(color));
            }
        }
    }

    /// Returns the place of a point in metres on the picture.
    fn project(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let zoom = self.zoom as f32;
        [(x / SCALE - self.view.x0 as f32) * zoom, (-y / SCALE - self.view.y0 as f32) * zoom]
    }

    fn sprite(&mut self, sprite: &Sprite, placed: Placed) {
        let [px, py] = sprite.pivot2.map(|v| v as f32 / 2.0);
        let [w, h] = [sprite.mask.width(), sprite.mask.height()].map(|side| side as f32);
        let reach = (px.max(w - px).hypot(py.max(h - py)) * self.zoom as f32).ceil() as i32;
        let [cx, cy] = self.project(placed.at);
        let (s, c) = placed.angle.sin_cos();
        for v in cy as i32 - reach..=cy as i32 + reach {
            for u in cx as i32 - reach..=cx as i32 + reach {
                let [dx, dy] =
                    [u as f32 + 0.5 - cx, v as f32 + 0.5 - cy].map(|d| d / self.zoom as f32);
                // The body is turned counterclockwise, with y down in the image.
                let (x, y) = ((px + dx * c - dy * s).floor(), (py + dx * s + dy * c).floor());
                let (x, y) = (x as i32, y as i32);
                if !sprite.mask.get(x, y) {
                    continue;
                }
                let at = 4 * (y as usize * sprite.mask.width() as usize + x as usize);
                let texel = [0, 1, 2].map(|k| sprite.rgba[at + k]);
                let sides = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
                let is_rim = sides.iter().any(|&[x, y]| !sprite.mask.get(x, y));
                let color = if is_rim { mixed(texel, [16, 16, 24], 0.55) } else { texel };
                self.picture.set(u, v, opaque(color));
            }
        }
    }

    fn edges(&mut self, pieces: &[Vec<[f32; 2]>], placed: Placed, color: [u8; 3], share: f32) {
        let (s, c) = placed.angle.sin_cos();
        let [px, py] = placed.at;
        for piece in pieces {
            let corners: Vec<[f32; 2]> = piece
                .iter()
                .map(|&[x, y]| self.project([px + x * c - y * s, py + x * s + y * c]))
                .collect();
            for (&a, &b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                self.line(a, b, color, share);
            }
        }
    }

    /// Mixes a colour into each pixel of a line once.
    fn line(&mut self, a: [f32; 2], b: [f32; 2], color: [u8; 3], share: f32) {
        let steps = (b[0] - a[0]).abs().max((b[1] - a[1]).abs()).ceil().max(1.0);
        for i in 0..steps as i32 {
            let t = i as f32 / steps;
            let [u, v] = [0, 1].map(|k| (a[k] + (b[k] - a[k]) * t).floor() as i32);
            if let Some([r, g, b, _]) = self.picture.get(u, v) {
                self.picture.set(u, v, opaque(mixed([r, g, b], color, share)));
            }
        }
    }
}
