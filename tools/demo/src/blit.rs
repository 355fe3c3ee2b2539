//! Draws all visible sprites into one picture, on every core.
//!
//! ```text
//! draw      for each band of rows, in parallel: background, sprites that touch nothing, sprites that touch
//! details   near pairs: shared pixels, normals, boxes
//! ```
//!
//! One draw call a sprite would show 6 frames a second. Every sprite is clipped to the picture, so the
//! time follows the number of window pixels and the number of sprites, not the size of the world.
//!
//! Invariants: at zoom 1 and above, exactly the pixels of the posed masks are drawn. The picture
//! does not depend on the number of threads.

use crate::art::{Art, Look, Looks};
use crate::camera::{Camera, Zoom};
use crate::palette::{
    BOX, GRID, HOVER, HUE_COUNT, NORMAL, OVERLAP, PAPER, Palette, SPACE, palette_index, palettes,
};
use crate::picture::{Color, Picture, blended};
use crate::scene::{Scene, pair_of, turn};
use crate::threads;
use hitmask::{ColliderId, Pair, Placement, Point, Rect};

/// Distance of the dots on the background, in picture pixels.
const GRID_STEP: i32 = 32;
/// Length of a drawn normal in pixels.
const NORMAL_LENGTH: f32 = 12.0;

/// What is drawn besides the sprites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// The normal of each overlap. Only at zoom 1 and above.
    pub normals: bool,
    /// Boxes of sprites that overlap by box and not by pixel. Only at zoom 1 and above.
    pub boxes: bool,
    /// A pair whose boxes are framed.
    pub hover: Option<Pair>,
}

/// Draws scenes into pictures.
#[derive(Debug)]
pub(crate) struct Blitter {
    palettes: [Palette; 2 * HUE_COUNT],
}

/// A range of rows of a picture.
struct Band<'p> {
    pixels: &'p mut [Color],
    width: i32,
    rows: std::ops::Range<i32>,
    /// Number of sprites of which the first visible row is in the band.
    sprites: usize,
}

impl Default for Blitter {
    fn default() -> Self {
        Self { palettes: palettes() }
    }
}

impl Blitter {
    /// Draws a scene as a camera sees it, and returns the number of visible sprites. The picture
    /// gets the camera's size.
    pub(crate) fn draw(
        &self,
        art: &Art,
        scene: &Scene<'_>,
        camera: &Camera,
        layers: &Layers,
        picture: &mut Picture,
    ) -> usize {
        picture.resize(camera.picture_size());
        let drawn = match camera.zoom {
            Zoom::In(_) => {
                self.paint(art.full(), art, scene, camera, picture, |pixel, shade, palette| {
                    if shade != 0 {
                        *pixel = palette.full[usize::from(shade & 7)];
                    }
                })
            }
            Zoom::Out(halvings) => {
                let looks = art.reduced(halvings);
                self.paint(looks, art, scene, camera, picture, |pixel, cover, palette| {
                    if cover as u8 != 0 {
                        let color = palette.reduced[usize::from(cover >> 8 & 15)];
                        *pixel = blended(*pixel, color, cover as u8);
                    }
                })
            }
        };
        details(scene, camera, layers, picture);
        drawn
    }

    /// Draws the background and the sprites. Returns the number of visible sprites.
    fn paint<T: Copy + Sync>(
        &self,
        looks: &Looks<T>,
        art: &Art,
        scene: &Scene<'_>,
        camera: &Camera,
        picture: &mut Picture,
        put: impl Fn(&mut Color, T, &Palette) + Sync,
    ) -> usize {
        let [width, height] = picture.size();
        if width == 0 || height == 0 {
            return 0;
        }
        let rows = (height as usize).div_ceil(threads::pieces()).max(1);
        let chunks = picture.pixels_mut().chunks_mut(rows * width as usize);
        let band = |(y, pixels): (i32, _)| {
            let rows = y..(y + rows as i32).min(height);
            Band { pixels, width, rows, sprites: 0 }
        };
        let mut bands: Vec<Band<'_>> = (0..).step_by(rows).zip(chunks).map(band).collect();
        let (places, origin) = (&scene.places, camera.origin());
        let halvings = camera.zoom.world_per_pixel().ilog2();
        let side_mask = camera.zoom.world_per_pixel() - 1;
        threads::for_each(&mut bands, |_, band| {
            band.background(scene.size(), camera);
            let draw = |band: &mut Band<'_>, index: usize| {
                let (shown, place) = (scene.looks[index], &places[index]);
                let [x, y] = [0, 1].map(|axis| snapped(place.position[axis]) - origin[axis]);
                let phase =
                    [x, y].map(|at| ((at & side_mask) >> (halvings - looks.phase_bits)) as u32);
                let pose = art.pose(shown.sprite, turn(place.angle));
                let look = looks.looks[looks.index(phase, pose)];
                let [x, y] = [(x >> halvings, 0), (y >> halvings, 1)]
                    .map(|(at, axis)| at + i32::from(look.corner[axis]));
                let [w, h] = look.size.map(i32::from);
                let is_seen = x < width && x + w > 0 && y + h > 0;
                band.sprites += usize::from(is_seen && band.rows.contains(&y.max(0)));
                let palette = &self.palettes[palette_index(shown.hue, scene.lit[index])];
                band.blit(look, [x, y], &looks.pixels, |pixel, value| put(pixel, value, palette));
            };
            let here = camera.in_world(Rect::new(0, band.rows.start, width, band.rows.end));
            let near = |low, high| (low - art.reach()) as f32..(high + art.reach()) as f32;
            let (across, down) = (near(here.x0, here.x1), near(here.y0, here.y1));
            // Sprites that touch another one are drawn above the others.
            let mut lit = Vec::new();
            for (index, Placement { position: [x, y], .. }) in places.iter().enumerate() {
                if down.contains(y) && across.contains(x) {
                    if scene.lit[index] {
                        lit.push(index);
                    } else {
                        draw(band, index);
                    }
                }
            }
            lit.into_iter().for_each(|index| draw(band, index));
        });
        bands.iter().map(|band| band.sprites).sum()
    }
}

/// Draws shared pixels, normals and boxes.
fn details(scene: &Scene<'_>, camera: &Camera, layers: &Layers, picture: &mut Picture) {
    let world = scene.world();
    let [width, height] = picture.size();
    if camera.zoom.world_per_pixel() == 1 {
        let seen = scene.boxes_in(camera.in_world(Rect::new(0, 0, width, height)));
        overlaps(scene, &seen, camera.origin(), layers, picture);
        for &id in seen.iter().filter(|&&id| layers.boxes && is_box_only(scene, id)) {
            picture.frame(camera.in_picture(world.rect(id).unwrap_or_default()), BOX);
        }
    }
    for id in layers.hover.into_iter().flat_map(|pair| [pair.a, pair.b]) {
        if let Some(Rect { x0, y0, x1, y1 }) = world.rect(id).map(|rect| camera.in_picture(rect)) {
            picture.frame(Rect::new(x0 - 1, y0 - 1, x1 + 1, y1 + 1), HOVER);
        }
    }
}

/// Draws the shared pixels of all visible pairs, and their normals.
fn overlaps(
    scene: &Scene<'_>,
    seen: &[ColliderId],
    origin: [i32; 2],
    layers: &Layers,
    picture: &mut Picture,
) {
    let world = scene.world();
    let mut normals = Vec::new();
    let others = |&a: &ColliderId| world.touching_with(a).into_iter().map(move |b| (a, b));
    // Each pair once.
    for (a, b) in seen.iter().flat_map(others).filter(|(a, b)| a < b) {
        let pair = pair_of(a, b);
        let Some(overlap) = world.pair(pair).and_then(|pair| pair.overlap()) else { continue };
        for Point { x, y } in overlap.pixels() {
            picture.set(x - origin[0], y - origin[1], OVERLAP);
        }
        if layers.normals {
            let [x, y] = overlap.centroid();
            let normal = overlap.normal();
            let at = |along: f32| {
                let x = x + normal.x * along - origin[0] as f32;
                let y = y + normal.y * along - origin[1] as f32;
                Point::new(x.floor() as i32, y.floor() as i32)
            };
            normals.push([at(0.0), at(NORMAL_LENGTH)]);
        }
    }
    for [from, to] in normals {
        picture.line(from, to, NORMAL);
        picture.fill(Rect::new(from.x - 1, from.y - 1, from.x + 2, from.y + 2), NORMAL);
    }
}

/// Tests whether a sprite overlaps another one by box and not by pixel.
fn is_box_only(scene: &Scene<'_>, id: ColliderId) -> bool {
    let world = scene.world();
    scene
        .boxes_in(world.rect(id).unwrap_or_default())
        .into_iter()
        .any(|other| other != id && world.touching().binary_search(&pair_of(id, other)).is_err())
}

impl Band<'_> {
    /// Fills the band with the background: an area with a grid of dots, and space around it.
    fn background(&mut self, area: [f32; 2], camera: &Camera) {
        let origin = camera.origin();
        let per_pixel = camera.zoom.world_per_pixel();
        let area = area.map(|side| side as i32);
        let in_picture = |axis: usize, at: i32| (at - origin[axis]).div_euclid(per_pixel);
        let [left, right] = [0, area[0]].map(|x| in_picture(0, x).clamp(0, self.width) as usize);
        let [top, bottom] = [0, area[1]].map(|y| in_picture(1, y));
        // Dots lie at whole multiples of their distance in the world.
        let step = GRID_STEP * per_pixel;
        let first = (-origin[0]).rem_euclid(step) / per_pixel;
        for (y, row) in self.rows.clone().zip(self.pixels.chunks_mut(self.width as usize)) {
            row.fill(SPACE);
            if !(top..bottom).contains(&y) {
                continue;
            }
            row[left..right].fill(PAPER);
            if (origin[1] + y * per_pixel).rem_euclid(step) < per_pixel {
                let dots = (first as usize..right).step_by(GRID_STEP as usize);
                dots.filter(|&x| x >= left).for_each(|x| row[x] = GRID);
            }
        }
    }

    /// Draws the part of a look that lies in this band, with its top left at `at`.
    #[inline]
    fn blit<T: Copy>(
        &mut self,
        Look { start, size, .. }: Look,
        [x, y]: [i32; 2],
        pixels: &[T],
        put: impl Fn(&mut Color, T),
    ) {
        let [width, height] = size.map(i32::from);
        let rows = y.max(self.rows.start)..(y + height).min(self.rows.end);
        let columns = x.max(0)..(x + width).min(self.width);
        if columns.is_empty() {
            return;
        }
        for row in rows {
            let from = start as usize + ((row - y) * width + columns.start - x) as usize;
            let to = ((row - self.rows.start) * self.width + columns.start) as usize;
            let pixels = pixels[from..].iter();
            for (pixel, &value) in self.pixels[to..to + columns.len()].iter_mut().zip(pixels) {
                put(pixel, value);
            }
        }
    }
}

/// Returns the pixel that a position snaps to. `f64::floor` is a call without SSE 4.1.
#[inline]
fn snapped(position: f32) -> i32 {
    let middle = f64::from(position) + 0.5;
    let whole = middle as i32;
    whole - i32::from(middle < f64::from(whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Crowd, Pace, stage};
    use crate::scene::Show;
    use crate::threads::Threads;

    struct Shown<'s> {
        scene: Scene<'s>,
        art: Art,
        blitter: Blitter,
        camera: Camera,
    }

    impl<'s> Shown<'s> {
        fn new(stage: &'s hitmask_scenes::Stage, count: usize) -> Self {
            let mut crowd = Crowd::new(stage, count, Crowd::size_for(count), Pace::Live).unwrap();
            crowd.advance(0x1234_5678);
            crowd.update().unwrap();
            let scene = crowd.scene().clone();
            let art = Art::new(&stage.atlas);
            let camera = Camera::new([500, 300], scene.size(), Some(Zoom::In(1)));
            Self { scene, art, blitter: Blitter::default(), camera }
        }

        fn draw(&mut self, layers: &Layers) -> (Picture, usize) {
            let mut picture = Picture::default();
            let Self { scene, art, blitter, camera } = self;
            let drawn = blitter.draw(art, scene, camera, layers, &mut picture);
            (picture, drawn)
        }
    }

    #[test]
    fn positions_snap_to_the_nearest_pixel_and_halves_up() {
        let positions = [0.0, 0.499_999_97, 0.5, -0.5, -0.501, -7.0, 1e6];
        assert_eq!(positions.map(snapped), [0, 0, 1, 0, -1, -7, 1_000_000]);
    }

    #[test]
    fn exactly_the_pixels_of_posed_masks_are_drawn() {
        let stage = stage();
        let mut shown = Shown::new(&stage, 600);
        let (picture, drawn) = shown.draw(&Layers::default());
        let origin = shown.camera.origin();
        let (world, mut covered) = (shown.scene.world(), vec![0_u8; 500 * 300]);
        let mut visible = 0;
        for id in world.iter().map(|(id, _)| id) {
            let (rect, mask) = (world.rect(id).unwrap(), world.posed(id).unwrap().mask);
            let seen = Rect::new(origin[0], origin[1], origin[0] + 500, origin[1] + 300);
            let Some(seen) = rect.intersection(seen) else { continue };
            visible += 1;
            for y in seen.y0..seen.y1 {
                for x in seen.x0..seen.x1 {
                    let at = (y - origin[1]) * 500 + x - origin[0];
                    covered[at as usize] += u8::from(mask.get(x - rect.x0, y - rect.y0));
                }
            }
        }
        assert!(visible > 40 && drawn == visible, "{visible} visible, {drawn} drawn");
        for (i, (&pixel, &covered)) in picture.pixels().iter().zip(&covered).enumerate() {
            let is_background = [PAPER, GRID, SPACE].contains(&pixel);
            assert_eq!(is_background, covered == 0, "pixel {i}");
            assert_eq!(pixel == OVERLAP, covered > 1, "pixel {i}");
        }
    }

    #[test]
    fn the_picture_is_the_same_on_one_thread_and_on_many() {
        let stage = stage();
        let mut shown = Shown::new(&stage, 20_000);
        for zoom in [Zoom::In(2), Zoom::In(1), Zoom::Out(1), Zoom::Out(3), Zoom::Out(5)] {
            shown.camera.zoom = zoom;
            let layers = Layers { normals: true, boxes: true, hover: None };
            let many = shown.draw(&layers);
            let mut threads = Threads::default();
            threads.toggle();
            assert_eq!(threads.count(), 1);
            assert!(threads.run(|| shown.draw(&layers)) == many, "{zoom}");
        }
    }

    #[test]
    fn a_zoomed_out_picture_is_the_mean_of_the_full_one() {
        let stage = stage();
        let mut shown = Shown::new(&stage, 2_000);
        shown.camera.window = [1280, 720];
        let ink = |picture: &Picture| {
            let bright = |p: &Color| f64::from(p[0]) + f64::from(p[1]) + f64::from(p[2]);
            picture.pixels().iter().map(bright).sum::<f64>() / picture.pixels().len() as f64
        };
        let full = ink(&shown.draw(&Layers::default()).0);
        for halvings in 1..=3 {
            shown.camera.window = [1280 >> halvings, 720 >> halvings];
            shown.camera.zoom = Zoom::Out(halvings);
            let reduced = ink(&shown.draw(&Layers::default()).0);
            assert!((reduced / full - 1.0).abs() < 0.1, "1/{}: {reduced} {full}", 1 << halvings);
        }
    }

    #[test]
    fn normals_boxes_and_the_pair_under_the_pointer_are_drawn_on_request() {
        let stage = stage();
        let mut shown = Shown::new(&stage, 600);
        let count = |picture: &Picture, color: Color| {
            picture.pixels().iter().filter(|&&pixel| pixel == color).count()
        };
        let (plain, _) = shown.draw(&Layers::default());
        for color in [NORMAL, BOX, HOVER] {
            assert_eq!(count(&plain, color), 0);
        }
        let middle = shown.camera.centre.map(|at| at as i32);
        let near = Rect::new(middle[0] - 99, middle[1] - 99, middle[0] + 99, middle[1] + 99);
        let world = shown.scene.world();
        let near = |pair: &&Pair| world.rect(pair.a).unwrap().intersection(near).is_some();
        let hover = world.touching().iter().find(near).copied();
        let (full, _) = shown.draw(&Layers { normals: true, boxes: true, hover });
        for color in [NORMAL, BOX, HOVER] {
            assert!(count(&full, color) > 20, "{color:?}");
        }
    }
}
