//! Sprites of the project and of real games, with all that bodies need.

use crate::SCALE;
use hitmask::{
    Affine, AlphaRule, Mask, Pieces, Pivot, Posed, Raster, Sampling, Shape, ShapeOptions,
};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A sprite with its pieces in metres: y up, the pivot as origin.
#[derive(Debug)]
pub struct Sprite {
    /// The name.
    pub name: String,
    /// The set pixels.
    pub mask: Mask,
    /// RGBA bytes, row by row.
    pub rgba: Vec<u8>,
    /// The half-texel that is nearest to the centroid.
    pub pivot2: [i32; 2],
    /// The outlines.
    pub shape: Shape,
    /// The convex pieces.
    pub pieces: Pieces,
    raster: Raster,
}

/// Returns the options of all shapes.
#[must_use]
pub fn options(origin: [f32; 2]) -> ShapeOptions {
    ShapeOptions { scale: SCALE, y_up: true, origin, ..ShapeOptions::DEFAULT }
}

impl Sprite {
    /// Returns a sprite of an image; `None` where it has no set pixel.
    #[must_use]
    pub fn new(name: &str, [width, height]: [u32; 2], rgba: Vec<u8>) -> Option<Self> {
        let mask = Mask::from_rgba(width, height, &rgba, AlphaRule::default()).ok()?;
        let pivot2 = mask.centroid()?.map(|v| (2.0 * v).round() as i32);
        let shape = mask.shape(options(pivot2.map(|v| v as f32 / 2.0))).expect("legal options");
        let pivot = Pivot::HalfTexels(pivot2[0], pivot2[1]);
        let raster = Raster::new(&mask, pivot, Sampling::Nearest).expect("a pivot in the image");
        let pieces = shape.pieces();
        Some(Self { name: name.into(), mask, rgba, pivot2, shape, pieces, raster })
    }

    /// Draws the mask at a place, `zoom` pixels per pixel.
    #[must_use]
    pub fn posed(&self, placed: crate::Placed, zoom: f32) -> Posed {
        // The raster adds half a pixel for an odd pivot.
        let shift = |k: usize| f64::from(self.pivot2[k] & 1) / 2.0;
        let pixels = f64::from(zoom / SCALE);
        let [x, y] = placed.at.map(f64::from);
        // With y down, a counterclockwise angle is negative.
        let turned = Affine::rotation(-placed.angle) * Affine::scale([zoom, zoom]);
        let transform = Affine { tx: x * pixels - shift(0), ty: -y * pixels - shift(1), ..turned };
        self.raster.transformed(transform).expect("a sprite within the limits")
    }
}

/// Returns the project's sprites of up to `side` px.
#[must_use]
pub fn own(side: u32) -> Vec<Sprite> {
    let fits = |p: &hitmask_scenes::Picture| p.width.max(p.height) <= side;
    let pictures = hitmask_scenes::all().into_iter().filter(fits);
    pictures.filter_map(|p| Sprite::new(p.name, [p.width, p.height], p.rgba)).collect()
}

/// Returns `count` images of games, 12 to `side` px, from the Debian packages in target/corpus, which
/// `.ci/run` fetches. Returns none without them.
#[must_use]
pub fn real(count: usize, side: u32) -> Vec<Sprite> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/corpus/usr/share/games");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    let fits =
        |&[width, height]: &[u32; 2]| (12..=side).contains(&width) && (12..=side).contains(&height);
    let sprite = |path: &PathBuf| {
        let (size, rgba) = decode(path)?;
        let sprite = fits(&size).then(|| Sprite::new(path.file_stem()?.to_str()?, size, rgba));
        // Pictures without clear pixels are no sprites.
        sprite
            .flatten()
            .filter(|s| s.mask.count() < u64::from(size[0]) * u64::from(size[1]) * 9 / 10)
    };
    // Spread over all folders. A prime step meets each path once.
    let spread = (0..paths.len()).map(|i| &paths[i * 1009 % paths.len()]);
    spread.filter_map(sprite).take(count).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "png") {
            paths.push(path);
        }
    }
}

/// Returns size and RGBA bytes of a PNG file with alpha of 8 bits.
fn decode(path: &Path) -> Option<([u32; 2], Vec<u8>)> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path).ok()?));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut bytes).ok()?;
    (frame.color_type == png::ColorType::Rgba).then_some(([frame.width, frame.height], bytes))
}
