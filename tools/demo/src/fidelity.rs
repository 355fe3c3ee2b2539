//! Compares what a GPU draws with the masks that collide.
//!
//! ```text
//! Plan::new    all combinations of sprite, pivot, step, scale and flip, packed into pages
//! quad         where a game would draw the sprite: the GPU draws it with the nearest filter
//! compare      reads a page back, and compares each pixel with the posed mask
//! ```
//!
//! A pixel whose centre falls exactly on the edge of a texel is a tie. In a mask it belongs to the texel on its
//! right and below, and on the GPU rounding decides. So the two may differ there, and nowhere else.

use crate::picture::Picture;
use hitmask::{
    Angle, Atlas, AtlasBuilder, Collider, ColliderId, Flip, Pivot, Rect, SpriteId, World,
};
use hitmask_scenes::{Picture as Source, Random, named};

/// Sprites that are compared: even and odd sizes, round and thin shapes.
const SOURCES: [&str; 4] = ["fighter", "crescent", "checker", "diagonal"];
/// Pivots in half-texels: all parities.
const PIVOTS: [[i32; 2]; 4] = [[40, 44], [41, 44], [40, 45], [41, 45]];
const SCALES: [f32; 4] = [0.5, 1.0, 1.5, 2.0];
const FLIPS: [Flip; 4] = [Flip::NONE, Flip::X, Flip::Y, Flip::XY];
const ANGLES: u32 = 64;
/// Pixels around a sprite: what is drawn at a sub-pixel position reaches farther.
const MARGIN: i32 = 2;
/// Sprites at a random angle or position in each part after the first.
const RANDOM_DRAWS: usize = 4_096;

/// Greatest distance of a tie from the edge of a texel in pixels. GPUs place corners on a grid of
/// 1/256 px, and interpolate in 32 bits.
pub const TIE_DISTANCE: f64 = 1.0 / 128.0;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Baked steps at whole positions.
    Baked,
    /// Baked steps at positions with a fraction.
    SubPixel,
    /// Any angle at whole positions.
    InBetween,
    /// Any angle at positions with a fraction.
    Both,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Baked, Self::SubPixel, Self::InBetween, Self::Both];

    /// Returns a description.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baked => "baked steps, whole positions",
            Self::SubPixel => "baked steps, sub-pixel positions",
            Self::InBetween => "any angle, whole positions",
            Self::Both => "any angle, sub-pixel positions",
        }
    }
}

/// Sprites to draw, in pages that fit the window.
#[derive(Debug)]
pub struct Plan {
    world: World,
    id: ColliderId,
    sources: Vec<Source>,
    /// The sprites of each page.
    pub pages: Vec<Vec<Draw>>,
}

/// One sprite to draw.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Index into [`Plan::sources`].
    pub source: usize,
    pivot: [i32; 2],
    collider: Collider,
    /// The pixels of the page that belong to this sprite.
    cell: Rect,
}

/// Where a sprite is drawn, as drawing libraries ask for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad {
    /// Top left before the rotation.
    pub at: [f32; 2],
    /// Width and height.
    pub size: [f32; 2],
    /// The point that the rotation keeps in place.
    pub pivot: [f32; 2],
    /// Clockwise rotation in radians.
    pub rotation: f32,
    /// Mirroring before the rotation.
    pub flip: Flip,
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Number of sprites.
    pub draws: usize,
    /// Number of set pixels of their masks.
    pub pixels: u64,
    /// Number of pixels that differ.
    pub differing: u64,
    /// Number of pixels that differ and are no ties.
    pub beyond_ties: u64,
    /// Greatest distance of a differing pixel's sample from the edge of a texel, in pixels.
    pub farthest: f64,
}

impl Difference {
    /// Returns the share of differing pixels, by the number of set pixels.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.differing as f64 / self.pixels.max(1) as f64
    }
}

impl Quad {
    /// Returns the pixels that the quad can cover.
    fn bounds(&self) -> Rect {
        let (sin, cos) = self.rotation.sin_cos();
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|corner| {
            let [dx, dy] = [0, 1]
                .map(|axis| self.at[axis] + corner[axis] * self.size[axis] - self.pivot[axis]);
            [self.pivot[0] + dx * cos - dy * sin, self.pivot[1] + dx * sin + dy * cos]
        });
        let low = |axis: usize| corners.iter().map(|c| c[axis].floor() as i32).min().unwrap_or(0);
        let high = |axis: usize| corners.iter().map(|c| c[axis].ceil() as i32).max().unwrap_or(0);
        Rect::new(low(0), low(1), high(0), high(1))
    }
}

impl Plan {
    /// Packs all sprites of a part into pages of a size in pixels.
    ///
    /// # Panics
    /// If a page is smaller than a sprite.
    #[must_use]
    pub fn new(part: Part, page: [i32; 2]) -> Self {
        let sources: Vec<Source> = SOURCES.map(named).into();
        let atlas = |[x, y]: [i32; 2]| {
            let bake =
                AtlasBuilder::new().angles(ANGLES).scales(SCALES).pivot(Pivot::HalfTexels(x, y));
            let masks = sources.iter().enumerate();
            let bake = masks.fold(bake, |bake, (i, it)| bake.mask(format!("{i:02}"), it.mask()));
            Atlas::from_vec(bake.to_bytes().expect("drawn sprites bake")).expect("a baked atlas")
        };
        let mut world = World::new(atlas(PIVOTS[0]));
        let mut atlases = vec![world.atlas().id()];
        for pivot in &PIVOTS[1..] {
            atlases.push(world.atlases_mut().add(atlas(*pivot)).expect("few atlases"));
        }
        let sprite = |pivot: usize, source: usize| {
            Collider::new(SpriteId::of_atlas(atlases[pivot], source as u32))
        };
        let id = world.insert(sprite(0, 0)).expect("a baked sprite");
        let mut plan = Self { world, id, sources, pages: Vec::new() };
        let mut shelf = Shelf { page, at: [0, 0], height: 0 };
        let mut random = Random::new(7);
        let mut chosen = Random::new(3);
        let combinations = SOURCES.len() * PIVOTS.len() * SCALES.len() * FLIPS.len();
        let is_baked = part == Part::Baked;
        for i in 0..if is_baked { combinations * ANGLES as usize } else { RANDOM_DRAWS } {
            let mut rest = i;
            // The next combination, or a random one.
            let mut any = |count: usize| {
                let all = rest;
                rest /= count;
                if is_baked { all % count } else { chosen.below(count as u32) as usize }
            };
            let turn = match part {
                Part::Baked | Part::SubPixel => any(ANGLES as usize) * (65_536 / ANGLES as usize),
                Part::InBetween | Part::Both => any(65_536),
            };
            let (source, pivot) = (any(SOURCES.len()), any(PIVOTS.len()));
            let (scale, flip) = (SCALES[any(SCALES.len())], FLIPS[any(FLIPS.len())]);
            let collider = sprite(pivot, source).scaled(scale).flipped(flip);
            let fraction = match part {
                Part::Baked | Part::InBetween => [0.0; 2],
                Part::SubPixel | Part::Both => [random.unit() - 0.5, random.unit() - 0.5],
            };
            let collider = collider.turned(Angle::turn(turn as u16));
            let draw = Draw { source, pivot: PIVOTS[pivot], collider, cell: Rect::default() };
            plan.add(&mut shelf, draw, fraction);
        }
        plan
    }

    /// Gives a sprite a cell of a page, and a position such that its pixels lie in the cell.
    fn add(&mut self, shelf: &mut Shelf, draw: Draw, fraction: [f32; 2]) {
        let rect = self.quad(&draw).bounds();
        let size = [rect.width() as i32 + 2 * MARGIN, rect.height() as i32 + 2 * MARGIN];
        let (cell, is_new_page) = shelf.place(size);
        if is_new_page || self.pages.is_empty() {
            self.pages.push(Vec::new());
        }
        let position = [
            (cell.x0 + MARGIN - rect.x0) as f32 + fraction[0],
            (cell.y0 + MARGIN - rect.y0) as f32 + fraction[1],
        ];
        let collider = draw.collider.at(position);
        if let Some(page) = self.pages.last_mut() {
            page.push(Draw { collider, cell, ..draw });
        }
    }

    /// Returns the images of the sprites, as RGBA with an alpha of 0 or 255.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns where a game would draw a sprite.
    #[must_use]
    pub fn quad(&self, draw: &Draw) -> Quad {
        let Collider { position, scale, flip, angle, .. } = draw.collider;
        let source = &self.sources[draw.source];
        let size = [source.width as f32, source.height as f32];
        let mirrored = [flip.x, flip.y];
        let pivot = [0, 1].map(|axis| position[axis] + (draw.pivot[axis] & 1) as f32 / 2.0);
        let at = [0, 1].map(|axis| {
            let from_left = draw.pivot[axis] as f32 / 2.0;
            let before = if mirrored[axis] { size[axis] - from_left } else { from_left };
            pivot[axis] - before * scale
        });
        let rotation = f32::from(crate::scene::turn(angle)) / 65_536.0 * std::f32::consts::TAU;
        Quad { at, size: size.map(|side| side * scale), pivot, rotation, flip }
    }

    /// Compares the pixels of a page, white where a sprite is drawn, with the posed masks.
    ///
    /// # Panics
    /// If a page has another size than that of [`new`](Self::new).
    pub fn compare(&mut self, page: usize, drawn: &Picture, sum: &mut Difference) {
        for draw in &self.pages[page] {
            self.world.set(self.id, draw.collider).expect("a baked pose");
            let rect = self.world.rect(self.id).unwrap_or_default();
            let Some(posed) = self.world.posed(self.id) else { continue };
            sum.draws += 1;
            sum.pixels += posed.mask.count();
            for y in draw.cell.y0..draw.cell.y1 {
                for x in draw.cell.x0..draw.cell.x1 {
                    let pixel = drawn.get(x, y).expect("a pixel of the page");
                    if (pixel[0] > 127) == posed.mask.get(x - rect.x0, y - rect.y0) {
                        continue;
                    }
                    let distance = self.distance(draw, [x, y]);
                    sum.differing += 1;
                    sum.farthest = sum.farthest.max(distance);
                    sum.beyond_ties += u64::from(distance > TIE_DISTANCE);
                }
            }
        }
    }

    /// Returns the distance of a pixel's centre from the nearest edge of a texel, in pixels.
    fn distance(&self, draw: &Draw, pixel: [i32; 2]) -> f64 {
        let Collider { position, scale, flip, angle, .. } = draw.collider;
        let turned = f64::from(crate::scene::turn(angle)) / 65_536.0 * std::f64::consts::TAU;
        let (sin, cos) = turned.sin_cos();
        let [dx, dy] = [0, 1].map(|axis| {
            let pivot = f64::from(position[axis]) + f64::from(draw.pivot[axis] & 1) / 2.0;
            f64::from(pixel[axis]) + 0.5 - pivot
        });
        let back = [dx * cos + dy * sin, dy * cos - dx * sin];
        let away = [0, 1].map(|axis| {
            let mirrored = if [flip.x, flip.y][axis] { -back[axis] } else { back[axis] };
            let texel = mirrored / f64::from(scale) + f64::from(draw.pivot[axis]) / 2.0;
            (texel - texel.round()).abs() * f64::from(scale)
        });
        away[0].min(away[1])
    }
}

/// Places cells in rows, from the top left of a page.
struct Shelf {
    page: [i32; 2],
    at: [i32; 2],
    height: i32,
}

impl Shelf {
    /// Returns the next cell, and whether it begins a new page.
    fn place(&mut self, [width, height]: [i32; 2]) -> (Rect, bool) {
        assert!(width <= self.page[0] && height <= self.page[1], "the page is too small");
        let mut is_new_page = false;
        if self.at[0] + width > self.page[0] {
            self.at = [0, self.at[1] + self.height];
            self.height = 0;
        }
        if self.at[1] + height > self.page[1] {
            self.at = [0, 0];
            self.height = 0;
            is_new_page = true;
        }
        let [x, y] = self.at;
        self.at[0] += width;
        self.height = self.height.max(height);
        (Rect::new(x, y, x + width, y + height), is_new_page)
    }
}

/// Draws a page as a GPU does, in `f64` at pixel centres: the nearest texel, at the quad's place.
/// For tests of the comparison itself.
#[cfg(test)]
fn drawn(plan: &Plan, page: usize, size: [i32; 2]) -> Picture {
    let mut picture = Picture::new(size, [0, 0, 0, 255]);
    for draw in &plan.pages[page] {
        let quad = plan.quad(draw);
        let source = &plan.sources[draw.source];
        let mask = source.mask();
        let (sin, cos) = f64::from(quad.rotation).sin_cos();
        for y in draw.cell.y0..draw.cell.y1 {
            for x in draw.cell.x0..draw.cell.x1 {
                let dx = f64::from(x) + 0.5 - f64::from(quad.pivot[0]);
                let dy = f64::from(y) + 0.5 - f64::from(quad.pivot[1]);
                let back = [dx * cos + dy * sin, dy * cos - dx * sin];
                let texel = [0, 1].map(|axis| {
                    let from = f64::from(quad.pivot[axis]) + back[axis] - f64::from(quad.at[axis]);
                    let share = from / f64::from(quad.size[axis]);
                    let side = [source.width, source.height][axis];
                    let mirrored = [quad.flip.x, quad.flip.y][axis];
                    let share = if mirrored { 1.0 - share } else { share };
                    (share * f64::from(side)).floor() as i32
                });
                if mask.get(texel[0], texel[1]) {
                    picture.set(x, y, [255; 4]);
                }
            }
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: [i32; 2] = [640, 480];

    fn measured(part: Part, pages: usize) -> Difference {
        let mut plan = Plan::new(part, PAGE);
        let mut sum = Difference::default();
        for page in (0..plan.pages.len()).step_by(plan.pages.len() / pages) {
            let picture = drawn(&plan, page, PAGE);
            plan.compare(page, &picture, &mut sum);
        }
        sum
    }

    #[test]
    fn at_baked_steps_and_whole_positions_only_ties_differ() {
        let sum = measured(Part::Baked, 20);
        assert!(sum.draws > 200 && sum.pixels > 100_000, "{sum:?}");
        assert_eq!(sum.beyond_ties, 0, "{sum:?}");
        assert!(sum.share() < 0.03, "{sum:?}");
    }

    #[test]
    fn fractions_and_other_angles_differ_at_the_edges() {
        for part in [Part::SubPixel, Part::InBetween, Part::Both] {
            let sum = measured(part, 4);
            assert!((0.005..0.4).contains(&sum.share()), "{part:?} {sum:?}");
            assert!(sum.beyond_ties > 0, "{part:?} {sum:?}");
        }
    }

    #[test]
    fn a_sprite_drawn_one_pixel_aside_is_no_tie() {
        let mut plan = Plan::new(Part::Baked, PAGE);
        let picture = drawn(&plan, 0, PAGE);
        let mut moved = Picture::new(PAGE, [0; 4]);
        for y in 0..PAGE[1] {
            for x in 1..PAGE[0] {
                moved.set(x, y, picture.get(x - 1, y).unwrap());
            }
        }
        let mut sum = Difference::default();
        plan.compare(0, &moved, &mut sum);
        assert!(sum.beyond_ties > 100, "{sum:?}");
    }

    #[test]
    fn all_combinations_are_drawn_and_cells_do_not_overlap() {
        let plan = Plan::new(Part::Baked, PAGE);
        let draws: usize = plan.pages.iter().map(Vec::len).sum();
        assert_eq!(draws, 4 * 4 * 4 * 4 * 64);
        for page in &plan.pages {
            let mut taken = vec![false; (PAGE[0] * PAGE[1]) as usize];
            for draw in page {
                for y in draw.cell.y0..draw.cell.y1 {
                    for x in draw.cell.x0..draw.cell.x1 {
                        let at = &mut taken[(y * PAGE[0] + x) as usize];
                        assert!(!*at);
                        *at = true;
                    }
                }
            }
        }
    }
}
