//! The demo without a window: a PNG of the last frame, or an animated GIF.
//!
//! Every pair whose boxes overlap is compared with the per-pixel reference, up to a limit.
//! Invariants: the last frame of a GIF leads to the first, and the same options give the same bytes
//! on every machine.

use crate::app::placed;
use crate::art::Art;
use crate::blit::{Blitter, Layers};
use crate::camera::{Camera, Zoom};
use crate::crowd::{Crowd, Pace};
use crate::palette::{BOX, LIT_EDGE, OVERLAP};
use crate::panel::{self, grouped};
use crate::picture::{Color, Picture};
use crate::scene::{Scene, Show};
use hitmask::reference::Canvas;
use hitmask::{Accuracy, CallError, FileError, Pair, Point, World};
use hitmask_scenes::Stage;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Number of pairs of a frame that are compared with the per-pixel reference.
const CHECKED_PAIRS: usize = 2_000;
/// Duration of a frame of a GIF in units of 10 ms.
const FRAME_DELAY: u16 = 9;
/// Ticks of a horde in a frame of a GIF: about as many as its duration has.
const TICKS_PER_GIF_FRAME: u32 = 5;
/// Ticks of a second of a scene without a loop.
const TICK_RATE: f64 = 60.0;

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// Number of sprites.
    pub count: usize,
    /// Number of frames.
    pub frames: u32,
    /// Width and height of the picture in pixels.
    pub window: [i32; 2],
    /// Zoom; `None` shows the whole area.
    pub zoom: Option<Zoom>,
    /// Whether the last frame leads to the first. The sprites then fill the picture and no more.
    pub looped: bool,
    /// Whether the scene is a horde, which has no loop. Its stage is that of [`horde_stage`](crate::horde_stage).
    pub horde: bool,
    /// What is drawn besides sprites.
    pub layers: Layers,
    /// Whether a caption below the sprites gives the counts.
    pub caption: bool,
}

/// Counts of one frame, over all sprites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Number of pairs that overlap by box and not by pixel.
    pub boxes_only: usize,
    /// Number of pairs that touch.
    pub touching: usize,
    /// Number of shared pixels, summed over the pairs.
    pub overlap_pixels: u64,
    /// Number of pairs that were compared with the per-pixel reference.
    pub checked: usize,
}

/// The frames of a job.
#[derive(Debug)]
pub struct Frames {
    /// Counts of each frame.
    pub counts: Vec<Counts>,
    /// Duration of each tick: of passing the places to the world or of the walks, and of its update.
    pub ticks: Vec<Duration>,
    /// The last frame.
    pub last: Picture,
    /// The bytes of a GIF, if it was asked for.
    pub gif: Option<Vec<u8>>,
}

/// Draws the frames of a job, each with a caption of its counts, and checks their pairs.
///
/// # Errors
/// [`DemoError`] if a pair differs from the reference, or if a GIF has too many colours.
pub fn run(stage: &Stage, job: &Job, with_gif: bool) -> Result<Frames, DemoError> {
    let caption_top = job.window[1] - panel::caption(0, &[]).size()[1];
    // The sprites of an animation lie above the caption, others also below it.
    let height = if job.looped && job.caption { caption_top.max(0) } else { job.window[1] };
    let window = [job.window[0], height];
    let mut show: Box<dyn Show<'_> + '_> = if job.looped {
        let fill = |zoom: Zoom| window.map(|side| (f64::from(side) / zoom.factor()) as f32);
        let size = job.zoom.map_or_else(|| Crowd::size_for(job.count), fill);
        Box::new(Crowd::new(stage, job.count, size, Pace::Loop)?)
    } else {
        placed(stage, job.count, job.horde)?
    };
    let mut camera = Camera::new(window, show.scene().size(), job.zoom);
    let ticks_per_frame = if job.horde && with_gif { TICKS_PER_GIF_FRAME } else { 1 };
    let art = Art::new(&stage.atlas);
    let blitter = Blitter::default();
    let (mut seen, mut picture) = (Picture::default(), Picture::new(job.window, [0; 4]));
    let mut gif = with_gif.then(Gif::default);
    let (mut counts, mut ticks) = (Vec::new(), Vec::new());
    for frame in 0..job.frames {
        for tick in 0..ticks_per_frame {
            let loops = if job.looped {
                f64::from(frame) / f64::from(job.frames)
            } else {
                f64::from(frame * ticks_per_frame + tick + 1) / (TICK_RATE * Pace::SECONDS)
            };
            show.advance((loops.fract() * f64::from(u32::MAX)) as u32);
            let begin = Instant::now();
            show.update()?;
            ticks.push(begin.elapsed());
        }
        if job.zoom.is_some() {
            camera.centre = show.focus().map(f64::from);
        }
        let counted = check(show.scene())?;
        blitter.draw(&art, show.scene(), &camera, &job.layers, &mut seen);
        picture.copy_zoomed(&seen, camera.zoom.repeat());
        if job.caption {
            let caption = panel::caption(job.window[0], &parts(job, counted, show.found()));
            picture.draw(&caption, Point::new(0, caption_top));
        }
        if let Some(gif) = &mut gif {
            gif.push(&picture)?;
        }
        counts.push(counted);
    }
    let gif = gif.map(|gif| gif.encoded(job.window)).transpose()?;
    Ok(Frames { counts, ticks, last: picture, gif })
}

/// Draws the middle of an updated scene at zoom 1.
#[must_use]
pub fn still(scene: &Scene<'_>, window: [i32; 2]) -> Picture {
    let camera = Camera::new(window, scene.size(), Some(Zoom::In(1)));
    let (art, mut picture) = (Art::new(&scene.stage().atlas), Picture::default());
    Blitter::default().draw(&art, scene, &camera, &Layers::default(), &mut picture);
    picture
}

/// Returns the parts of the caption: a colour, whether its swatch is hollow, and a text.
fn parts(job: &Job, counts: Counts, found: String) -> Vec<(Color, bool, String)> {
    if job.horde {
        return vec![(LIT_EDGE, false, found)];
    }
    let overlap = grouped(counts.overlap_pixels as usize);
    let boxes = (BOX, true, format!("boxes only {:>2}", grouped(counts.boxes_only)));
    let others = [
        (LIT_EDGE, false, format!("touching {:>2}", grouped(counts.touching))),
        (OVERLAP, false, format!("overlap {overlap:>4} px")),
    ];
    job.layers.boxes.then_some(boxes).into_iter().chain(others).collect()
}

/// Compares the pairs of an updated scene with the per-pixel reference, and counts them.
///
/// # Errors
/// [`DemoError`] with the first pair that differs.
pub fn check(scene: &Scene<'_>) -> Result<Counts, DemoError> {
    let world = scene.world();
    let mut boxes = world.clone();
    boxes.set_accuracy(Accuracy::Box);
    boxes.update();
    let checked = check_pairs(scene.stage(), world, boxes.touching())?;
    let touching = world.touching();
    Ok(Counts {
        boxes_only: boxes.touching().len() - touching.len(),
        touching: touching.len(),
        overlap_pixels: touching.iter().filter_map(|p| world.contact(p)).map(|c| c.area).sum(),
        checked,
    })
}

/// Compares pairs with overlapping boxes with the per-pixel reference: all, or 2,000 that are
/// spread evenly. Returns their number.
///
/// # Errors
/// [`DemoError`] with the first pair that differs.
pub fn check_pairs(stage: &Stage, world: &World, boxes: &[Pair]) -> Result<usize, DemoError> {
    let mut canvas = Canvas::default();
    let sample = boxes.iter().step_by(boxes.len() / CHECKED_PAIRS + 1);
    let mut checked = 0;
    for pair in sample {
        let naive = stage.naive_area(&mut canvas, world, pair);
        let area = world.contact(pair).map(|contact| contact.area);
        let touches = world.touching().binary_search(pair).is_ok();
        if naive != area || touches != naive.is_some() {
            return Err(DemoError::mismatch(*pair));
        }
        checked += 1;
    }
    Ok(checked)
}

/// Bytes at the beginning of every file of [`write_png`], by which it is known from art.
pub const PNG_MARK: &[u8] = b"Software\0hitmask";

/// Writes a picture as a PNG file.
///
/// # Errors
/// [`DemoError`] if the file cannot be written.
pub fn write_png(path: &Path, picture: &Picture) -> Result<(), DemoError> {
    let failed = |cause: png::EncodingError| DemoError::of_file(path, &cause);
    let mut bytes = Vec::new();
    let [width, height] = picture.size().map(|side| side as u32);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.add_text_chunk("Software".to_owned(), "hitmask".to_owned()).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    let rgb: Vec<u8> = picture.pixels().iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    writer.write_image_data(&rgb).map_err(failed)?;
    writer.finish().map_err(failed)?;
    write(path, &bytes)
}

/// Writes a whole file at once: readers see the old content or the new.
///
/// # Errors
/// [`DemoError`] if the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), DemoError> {
    // The target of a link is replaced. Renamed when complete, so that a failed write leaves the old file.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut temporary = target.clone().into_os_string();
    temporary.push(".tmp");
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &target));
    written.map_err(|cause| {
        let _ = fs::remove_file(&temporary);
        DemoError::of_file(path, &cause)
    })
}

/// Frames of a GIF as indices into one palette.
#[derive(Debug, Default)]
struct Gif {
    colors: HashMap<Color, usize>,
    frames: Vec<Vec<u8>>,
}

impl Gif {
    fn push(&mut self, picture: &Picture) -> Result<(), DemoError> {
        let mut frame = Vec::with_capacity(picture.pixels().len());
        // Adjacent pixels mostly have the same colour.
        for run in picture.pixels().chunk_by(|a, b| a == b) {
            let next = self.colors.len();
            let index = u8::try_from(*self.colors.entry(run[0]).or_insert(next));
            let index = index.map_err(|_| {
                let cause = "the frames have more than 256 colours, the limit of a GIF";
                DemoError::new(cause, "give --zoom 1 or more")
            })?;
            frame.resize(frame.len() + run.len(), index);
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Frames are stored whole. Transparent pixels for unchanged areas would break runs of one
    /// colour, which makes the file larger.
    fn encoded(self, size: [i32; 2]) -> Result<Vec<u8>, gif::EncodingError> {
        let mut palette = vec![[0; 3]; self.colors.len()];
        for ([r, g, b, _], index) in self.colors {
            palette[index] = [r, g, b];
        }
        let [width, height] = size.map(|side| side as u16);
        let mut encoder = gif::Encoder::new(Vec::new(), width, height, palette.as_flattened())?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        for buffer in self.frames {
            let (delay, buffer) = (FRAME_DELAY, buffer.into());
            encoder.write_frame(&gif::Frame {
                delay,
                width,
                height,
                buffer,
                ..Default::default()
            })?;
        }
        encoder.into_inner()
    }
}

/// Why the demo failed, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoError {
    cause: String,
    help: String,
}

/// Remedy where a file cannot be written.
const DISK: &str = "check that the folder exists and is writable, and that the disk has room";

impl DemoError {
    /// Creates an error. `help` is an instruction without a full stop.
    #[must_use]
    pub fn new(cause: impl fmt::Display, help: impl Into<String>) -> Self {
        Self { cause: cause.to_string(), help: help.into() }
    }

    /// Creates the error of a pair that differs from the per-pixel reference.
    #[must_use]
    pub fn mismatch(pair: Pair) -> Self {
        let (a, b) = (pair.a.index(), pair.b.index());
        let cause =
            format!("colliders {a} and {b}: the result differs from the per-pixel reference");
        Self::new(cause, "this is a bug in hitmask: please report it with this line")
    }

    fn of_file(path: &Path, cause: &dyn fmt::Display) -> Self {
        Self::new(format!("cannot write {}: {cause}", path.display()), DISK)
    }

    /// Says how to fix the error.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl fmt::Display for DemoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for DemoError {}

impl From<CallError> for DemoError {
    fn from(error: CallError) -> Self {
        Self::new(&error, error.help())
    }
}

impl From<FileError> for DemoError {
    fn from(error: FileError) -> Self {
        Self::new(&error, error.help())
    }
}

impl From<gif::EncodingError> for DemoError {
    fn from(cause: gif::EncodingError) -> Self {
        Self::new(format!("cannot encode the GIF: {cause}"), DISK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::stage;
    use hitmask::Rect;

    const JOB: Job = Job {
        count: 12,
        frames: 6,
        window: [240, 160],
        zoom: Some(Zoom::In(2)),
        looped: true,
        horde: false,
        layers: Layers { normals: false, boxes: true, hover: None },
        caption: true,
    };

    /// Decodes the frames of a GIF to RGBA.
    fn decoded(bytes: &[u8]) -> (gif::Repeat, Vec<Vec<Color>>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.buffer.as_chunks::<4>().0.to_vec());
        }
        (decoder.repeat(), frames)
    }

    #[test]
    fn a_gif_shows_every_overlap_pixel_and_repeats() {
        let stage = stage();
        // Two sprites in a small picture touch in some frames and not in others.
        let job = Job { count: 2, frames: 64, window: [180, 140], ..JOB };
        let frames = run(&stage, &job, true).unwrap();
        let (repeat, pictures) = decoded(&frames.gif.unwrap());
        assert_eq!((repeat, pictures.len(), frames.counts.len()), (gif::Repeat::Infinite, 64, 64));
        assert_eq!(pictures[63], frames.last.pixels());
        let caption = panel::caption(0, &[]).size()[1];
        for (i, (picture, counts)) in pictures.iter().zip(&frames.counts).enumerate() {
            let above = &picture[..(180 * (140 - caption)) as usize];
            let white = above.iter().filter(|&&pixel| pixel == OVERLAP).count();
            assert_eq!(white as u64, 4 * counts.overlap_pixels, "frame {i}");
            assert!(counts.touching + counts.boxes_only <= 1, "{counts:?}");
            assert_eq!(counts.checked, counts.touching + counts.boxes_only);
        }
        let touching = frames.counts.iter().filter(|counts| counts.touching == 1).count();
        assert!((1..64).contains(&touching), "{touching}");
    }

    #[test]
    fn the_committed_gif_equals_what_the_demo_draws() {
        let job = Job { count: 40, frames: 45, window: [832, 468], ..JOB };
        let drawn = run(&stage(), &job, true).unwrap().gif.unwrap();
        let committed = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/demo.gif")).unwrap();
        let help = "run `hitmask-demo --headless 45 --gif tools/demo/demo.gif`";
        assert!(drawn == committed, "{help}");
        assert!(drawn.len() < 1_000_000, "{} bytes are too many for a page", drawn.len());
    }

    #[test]
    fn the_committed_gif_of_a_horde_equals_what_the_demo_draws_with_the_hero_in_its_middle() {
        let (window, zoom) = ([400, 240], Some(Zoom::In(1)));
        let (looped, layers) = (false, Layers::default());
        let job =
            Job { count: 2_000, frames: 24, window, zoom, looped, horde: true, layers, ..JOB };
        let frames = run(&crate::horde_stage(), &job, true).unwrap();
        // 5 ticks a frame.
        assert_eq!((frames.counts.len(), frames.ticks.len()), (24, 120));
        assert!(frames.counts.iter().all(|counts| counts.touching == 0 && counts.checked > 100));
        let middle = Rect::new(180, 100, 220, 140);
        let (_, pictures) = decoded(frames.gif.as_deref().unwrap());
        for picture in pictures {
            let near = |i: &usize| middle.contains(Point::new((i % 400) as i32, (i / 400) as i32));
            assert!((0..picture.len()).filter(near).any(|i| picture[i] == LIT_EDGE));
        }
        let committed =
            std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../guide/chapters/horde.gif"));
        let help = "run `hitmask-demo --horde --headless 24 --gif tools/guide/chapters/horde.gif`";
        assert!(frames.gif.unwrap() == committed.unwrap(), "{help}");
    }

    #[test]
    fn the_last_frame_leads_to_the_first() {
        let stage = stage();
        let step = |a: &[Color], b: &[Color]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        let frames = run(&stage, &Job { frames: 40, ..JOB }, true).unwrap();
        let (_, pictures) = decoded(&frames.gif.unwrap());
        let usual = pictures.windows(2).map(|two| step(&two[0], &two[1])).max().unwrap();
        let last = step(&pictures[39], &pictures[0]);
        assert!(last > 0 && last <= usual * 5 / 4, "{last} pixels change, usually up to {usual}");
    }

    #[test]
    fn the_same_job_gives_the_same_bytes_and_a_larger_zoom_another_picture() {
        let stage = stage();
        let [a, b] = [0; 2].map(|_| run(&stage, &JOB, true).unwrap());
        assert_eq!((a.gif, a.counts), (b.gif, b.counts));
        let live = Job { looped: false, count: 5_000, ..JOB };
        for zoom in [None, Some(Zoom::In(3)), Some(Zoom::Out(2))] {
            let frames = run(&stage, &Job { zoom, ..live }, false).unwrap();
            assert_eq!((frames.last.size(), frames.gif), ([240, 160], None));
            assert_ne!(frames.last, a.last);
            assert!(frames.counts.iter().all(|counts| counts.checked > 1_000));
        }
    }

    #[test]
    fn a_gif_of_reduced_sprites_is_refused() {
        let stage = stage();
        let job = Job { zoom: Some(Zoom::Out(1)), count: 200, ..JOB };
        let error = run(&stage, &job, true).unwrap_err();
        assert!(error.help().contains("--zoom") && error.to_string().contains("256"));
    }

    #[test]
    fn a_png_holds_the_picture_and_a_bad_path_is_named() {
        let folder = hitmask_scenes::Folder::new("demo-png");
        let mut picture = Picture::new([5, 3], [1, 2, 3, 255]);
        picture.set(4, 2, [250, 0, 7, 255]);
        let path = folder.path("a.png");
        write_png(&path, &picture).unwrap();
        let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        let expected: Vec<u8> =
            picture.pixels().iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        assert_eq!(bytes, expected);
        let missing = folder.path("no/a.png");
        let error = write_png(&missing, &picture).unwrap_err();
        assert!(error.to_string().contains("no/a.png"), "{error}");
    }
}
