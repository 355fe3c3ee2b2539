//! The demo as an animated GIF: sprites that move and turn, the pairs that touch, and their pixels.
//!
//! Called by `demo::run` for an output that ends in `.gif`. Every position, touch and overlap pixel
//! comes from a [`World`]. Every pair whose boxes overlap is checked against the per-pixel
//! reference. Invariants: the last frame leads to the first, and the same options give the same
//! bytes on every machine.

use super::{Args, wrong};
use crate::picture::{Colour, LETTER, Picture};
use crate::{CliError, output};
use hitmask::reference::Canvas;
use hitmask::{
    Accuracy, Angle, Collider, ColliderId, Pair, Placement, Point, Rect, SpriteId, World,
};
use hitmask_scenes::{Random, Stage};
use serde::Serialize;
use std::collections::HashSet;

/// Names and widths in pixels of the sprites. Colliders are spread evenly over the sprites.
const SPRITES: [(&str, u32); 16] = [
    ("ring", 36),
    ("fighter", 24),
    ("star", 40),
    ("crescent", 32),
    ("hull", 30),
    ("frame", 50),
    ("blob", 36),
    ("bar", 48),
    ("star", 30),
    ("ring", 44),
    ("fighter", 28),
    ("crescent", 38),
    ("blob", 28),
    ("hull", 24),
    ("star", 34),
    ("ring", 28),
];
/// Default number of colliders.
const COLLIDERS: u32 = 40;
/// Upper bound of the number of colliders: more would cover each other.
const MAX_COLLIDERS: u32 = 1_000;
/// Default number of frames of the loop.
const FRAMES: u32 = 60;
/// Duration of a frame in units of 10 ms.
const FRAME_DELAY: u16 = 7;
/// Default width and height of the picture in world pixels.
const SIZE: [u32; 2] = [416, 234];
/// Width and height of a world pixel in file pixels.
const ZOOM: i32 = 2;
/// Height of the caption below the sprites in world pixels.
const CAPTION_HEIGHT: i32 = 18;
/// Width and height of a font pixel in file pixels.
const CAPTION_ZOOM: i32 = 2;
/// Least and greatest amplitude of a collider's motion in pixels.
const SWING: [f32; 2] = [6.0, 20.0];

const PAPER: Colour = [17, 20, 28];
const CAPTION_PAPER: Colour = [10, 12, 17];
const WORDS: Colour = [200, 206, 216];
/// Bounding boxes of pairs that overlap by box but not by pixel.
const BOX: Colour = [104, 116, 142];
const TOUCHING: Colour = [226, 120, 62];
const OVERLAP: Colour = [255, 255, 255];
/// Colours of sprites that touch nothing.
const IDLE_COLOURS: [Colour; 4] = [[62, 92, 142], [48, 116, 124], [92, 88, 150], [56, 120, 92]];
const PALETTE: [Colour; 10] = [
    PAPER,
    CAPTION_PAPER,
    WORDS,
    BOX,
    TOUCHING,
    OVERLAP,
    IDLE_COLOURS[0],
    IDLE_COLOURS[1],
    IDLE_COLOURS[2],
    IDLE_COLOURS[3],
];

/// Result of the animation, printed as JSON.
#[derive(Serialize)]
struct Answer {
    colliders: u32,
    /// Width and height of the file in pixels.
    size: [i32; 2],
    frames: Vec<Counts>,
    bytes: usize,
    output: String,
}

/// Counts of one frame.
#[derive(Clone, Copy, Serialize)]
struct Counts {
    /// Number of pairs that overlap by box but not by pixel.
    boxes_only: usize,
    touching: usize,
    /// Number of overlap pixels, summed over the touching pairs.
    overlap_pixels: u64,
}

/// Draws the animation and writes the GIF.
pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let colliders = args.colliders.unwrap_or(COLLIDERS);
    if colliders > MAX_COLLIDERS {
        return Err(CliError::new(
            format!("{colliders} colliders are too many for a GIF; the limit is {MAX_COLLIDERS}"),
            format!("give --colliders {MAX_COLLIDERS} or fewer, or an output that ends in .png"),
        ));
    }
    let frames = args.frames.unwrap_or(FRAMES);
    let [width, height] = args.size.unwrap_or(SIZE).map(|side| side as i32);
    let stage = Stage::scaled(&SPRITES);
    let mut scene = Scene::new(&stage, colliders, [width, height - CAPTION_HEIGHT])?;
    let mut gif = Gif::new([width * ZOOM, height * ZOOM]).map_err(|e| unencoded(args, &e))?;
    let mut counted = Vec::new();
    for frame in 0..frames {
        scene.step(frame, frames)?;
        let mut picture = Picture::new([width * ZOOM, height * ZOOM], PAPER);
        let counts = draw(&mut scene, &mut picture)?;
        caption(&mut picture, height - CAPTION_HEIGHT, width, counts);
        gif.push(&picture).map_err(|e| unencoded(args, &e))?;
        counted.push(counts);
    }
    let bytes = gif.encoder.into_inner().map_err(|e| output::cannot(&args.output, &e))?;
    output::write(&args.output, &bytes)?;
    let answer = Answer {
        colliders,
        size: [width * ZOOM, height * ZOOM],
        frames: counted,
        bytes: bytes.len(),
        output: args.output.display().to_string(),
    };
    if args.json {
        return output::print_json(&answer);
    }
    let touching: usize = answer.frames.iter().map(|counts| counts.touching).sum();
    output::print(&format!(
        "{}: {frames} frames of {colliders} colliders, {touching} touching pairs in all, {}\n\
         checked every pair with overlapping boxes against the per-pixel reference: all agree\n",
        answer.output,
        output::size(answer.bytes as u64)
    ))
}

fn unencoded(args: &Args, error: &gif::EncodingError) -> CliError {
    output::cannot(&args.output, error)
}

/// The world and the closed path of each collider.
struct Scene<'s> {
    stage: &'s Stage,
    world: World,
    ids: Vec<ColliderId>,
    paths: Vec<Path>,
    canvas: Canvas,
}

/// An elliptic path. One loop of the animation is one round and one full turn of the collider.
struct Path {
    centre: [f32; 2],
    /// Amplitude in x and y, in pixels.
    swing: [f32; 2],
    /// Phase at the first frame in x and y, in loops.
    phase: [f32; 2],
    /// Angle at the first frame, in 1/65536 turns.
    start: u16,
    is_clockwise: bool,
    /// Colour while the collider touches nothing.
    colour: Colour,
}

impl<'s> Scene<'s> {
    fn new(stage: &'s Stage, colliders: u32, [width, height]: [i32; 2]) -> Result<Self, CliError> {
        let mut world = World::new(stage.atlas.clone());
        let mut random = Random::new(5);
        let (mut ids, mut paths) = (Vec::new(), Vec::new());
        let mut deck: Vec<u32> =
            (0..SPRITES.len() as u32).cycle().take(colliders as usize).collect();
        for i in (1..deck.len()).rev() {
            deck.swap(i, random.below(i as u32 + 1) as usize);
        }
        for (i, sprite) in (0_u32..).zip(deck) {
            // The R2 low-discrepancy sequence, with powers of the plastic number.
            let spread = |ratio: f64| (0.5 + ratio * f64::from(i)).fract() as f32;
            let centre = [
                spread(0.754_877_666_246_692_7) * width as f32,
                spread(0.569_840_290_998_053_2) * height as f32,
            ];
            let mut swing = || SWING[0] + random.unit() * (SWING[1] - SWING[0]);
            paths.push(Path {
                centre,
                swing: [swing(), swing()],
                phase: [random.unit(), random.unit()],
                start: random.below(1 << 16) as u16,
                is_clockwise: random.below(2) == 0,
                colour: IDLE_COLOURS[random.below(IDLE_COLOURS.len() as u32) as usize],
            });
            ids.push(world.insert(Collider::new(SpriteId::new(sprite)).at(centre))?);
        }
        Ok(Self { stage, world, ids, paths, canvas: Canvas::default() })
    }

    /// Places every collider for a frame of the loop, and updates the world.
    fn step(&mut self, frame: u32, frames: u32) -> Result<(), CliError> {
        let time = frame as f32 / frames as f32;
        let turned = ((u64::from(frame) << 16) / u64::from(frames)) as u16;
        let places = self.paths.iter().map(|path| {
            let at =
                |axis: usize| path.centre[axis] + path.swing[axis] * wave(time + path.phase[axis]);
            let turned = if path.is_clockwise { turned } else { turned.wrapping_neg() };
            let angle = Angle::Turn(path.start.wrapping_add(turned));
            Placement { position: [at(0), at(1)], angle }
        });
        self.world.set_placements(&self.ids, &places.collect::<Vec<_>>())?;
        self.world.update();
        Ok(())
    }
}

/// Returns the sine of `phase` turns with an error below 0.06. Uses two parabolas, because
/// `f32::sin` gives different bits on different machines.
fn wave(phase: f32) -> f32 {
    let phase = phase.fract();
    let half = |part: f32| 16.0 * part * (0.5 - part);
    if phase < 0.5 { half(phase) } else { -half(phase - 0.5) }
}

/// Draws the current scene, and checks every pair against the per-pixel reference.
fn draw(scene: &mut Scene<'_>, picture: &mut Picture) -> Result<Counts, CliError> {
    let Scene { stage, world, ids, paths, canvas } = scene;
    let mut boxes = world.clone();
    boxes.set_accuracy(Accuracy::Box);
    boxes.update();
    let touching: HashSet<&Pair> = world.touching().iter().collect();
    for pair in boxes.touching() {
        let naive = stage.naive_area(canvas, world, pair);
        if touching.contains(pair) != naive.is_some() {
            return Err(wrong(pair));
        }
    }
    let boxes_only = boxes.touching().iter().filter(|pair| !touching.contains(*pair));
    let in_boxes_only: HashSet<ColliderId> =
        boxes_only.clone().flat_map(|pair| [pair.a, pair.b]).collect();
    let in_touching: HashSet<ColliderId> =
        touching.iter().flat_map(|pair| [pair.a, pair.b]).collect();

    // Touching sprites are drawn above the others.
    for is_touching in [false, true] {
        let level = ids.iter().zip(&*paths);
        for (id, path) in level.filter(|(id, _)| in_touching.contains(id) == is_touching) {
            let (Some(rect), Some(posed)) = (world.rect(*id), world.posed(*id)) else { continue };
            let colour = if is_touching { TOUCHING } else { path.colour };
            picture.mask(posed.mask, zoomed(rect.x0, rect.y0), ZOOM, colour);
        }
    }
    for id in ids.iter().filter(|id| in_boxes_only.contains(id)) {
        let Some(Rect { x0, y0, x1, y1 }) = world.rect(*id) else { continue };
        let [start, end] = [zoomed(x0, y0), zoomed(x1, y1)];
        picture.frame(Rect::new(start.x, start.y, end.x, end.y), BOX);
    }
    let mut overlap_pixels = 0;
    for pair in world.touching() {
        let parts = [pair.a, pair.b].map(|id| Some((world.rect(id)?, world.posed(id)?.mask)));
        let [Some((a, mask_a)), Some((b, mask_b))] = parts else { continue };
        let mut area = 0;
        for pixel in mask_a.overlap_pixels(mask_b, [b.x0 - a.x0, b.y0 - a.y0]) {
            let Point { x, y } = zoomed(a.x0 + pixel.x, a.y0 + pixel.y);
            picture.fill(Rect::new(x, y, x + ZOOM, y + ZOOM), OVERLAP);
            area += 1;
        }
        let naive = stage.naive_area(canvas, world, pair);
        if naive != Some(area) || world.contact(pair).map(|contact| contact.area) != naive {
            return Err(wrong(pair));
        }
        overlap_pixels += area;
    }
    Ok(Counts { boxes_only: boxes_only.count(), touching: touching.len(), overlap_pixels })
}

fn zoomed(x: i32, y: i32) -> Point {
    Point::new(x * ZOOM, y * ZOOM)
}

/// Draws the caption: the counts of the frame, each beside its colour.
fn caption(picture: &mut Picture, top: i32, width: i32, counts: Counts) {
    let Counts { boxes_only, touching, overlap_pixels } = counts;
    let at = zoomed(0, top);
    let end = zoomed(width, top + CAPTION_HEIGHT);
    picture.fill(Rect::new(at.x, at.y, end.x, end.y), CAPTION_PAPER);
    let parts = [
        (BOX, format!("boxes only {boxes_only:>2}")),
        (TOUCHING, format!("touching {touching:>2}")),
        (OVERLAP, format!("overlap {overlap_pixels:>4} px")),
    ];
    let letter = LETTER * CAPTION_ZOOM;
    let y = at.y + (CAPTION_HEIGHT * ZOOM - letter) / 2;
    let mut x = letter;
    for (colour, words) in parts {
        let swatch = Rect::new(x, y, x + letter, y + letter);
        if colour == BOX {
            picture.frame(swatch, BOX);
        } else {
            picture.fill(swatch, colour);
        }
        x += letter * 3 / 2;
        picture.words_zoomed(&words, Point::new(x, y), CAPTION_ZOOM, WORDS);
        x += letter * (words.len() as i32 + 2);
    }
}

/// GIF encoder for frames of one size and palette.
///
/// Frames are stored whole. Transparent pixels for unchanged areas would break runs of one colour,
/// which makes the file larger.
struct Gif {
    encoder: gif::Encoder<Vec<u8>>,
    size: [u16; 2],
}

impl Gif {
    fn new(size: [i32; 2]) -> Result<Self, gif::EncodingError> {
        let size = size.map(|side| side as u16);
        let mut encoder = gif::Encoder::new(Vec::new(), size[0], size[1], PALETTE.as_flattened())?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self { encoder, size })
    }

    /// Appends a frame. Invariant: all its colours are in the palette.
    fn push(&mut self, picture: &Picture) -> Result<(), gif::EncodingError> {
        let [width, height] = self.size;
        let mut buffer = Vec::with_capacity(usize::from(width) * usize::from(height));
        let mut last = (PALETTE[0], 0);
        for &colour in picture.rgb().as_chunks::<3>().0 {
            // Adjacent pixels mostly have the same colour.
            if colour != last.0 {
                let index = PALETTE.iter().position(|listed| *listed == colour);
                last = (colour, index.unwrap_or_default() as u8);
            }
            buffer.push(last.1);
        }
        self.encoder.write_frame(&gif::Frame {
            delay: FRAME_DELAY,
            width,
            height,
            buffer: buffer.into(),
            ..gif::Frame::default()
        })
    }
}
