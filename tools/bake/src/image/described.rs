//! What the description of a sheet has: [`Described`], and what its pages contradict.
//!
//! Made by the readers of descriptions.

use super::cuts::Cuts;
use hitmask::Warning;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// What a description has.
pub(super) struct Described {
    /// The sprites by name.
    pub(super) sprites: Vec<(String, Cuts)>,
    /// The scales that it states, of all of its files and pages.
    pub(super) scales: Vec<f64>,
    /// The size that it states for each page. Runtimes ignore it, so it is not validated.
    pub(super) sizes: BTreeMap<PathBuf, [f64; 2]>,
}

impl Described {
    /// Returns the findings about the description with the name `name`. A page of another size than the
    /// stated one belongs to another export, unless it is scaled, or padded to powers of 2.
    pub(super) fn warnings(&self, name: &str) -> Vec<Warning> {
        let sprite = || name.to_owned();
        let stated = self.scales.iter().copied();
        let stated = stated.filter(|&scale| scale > 0.0 && scale.is_finite() && scale != 1.0);
        let mut known: Vec<f64> = stated.collect();
        known.sort_by(f64::total_cmp);
        known.dedup();
        let scaled =
            known.iter().map(|&scale| Warning::Scaled { sprite: sprite(), scale: scale as f32 });
        let other_size = |(path, &stated): (&PathBuf, &[f64; 2])| {
            let size = size(path)?;
            let stem = path.file_stem()?.to_string_lossy();
            let marks = [("@2x", 2.0), ("-hd", 2.0), ("@3x", 3.0), ("@4x", 4.0), ("-ipadhd", 4.0)];
            let of_name = marks.into_iter().find(|&(mark, _)| stem.ends_with(mark));
            let of_name = of_name.map(|(_, scale)| scale);
            let mut scales = known.iter().flat_map(|&scale| [scale, scale.recip()]);
            // Some tools are off by a texel.
            let has =
                |scale: f64| (0..2).all(|i| (f64::from(size[i]) - stated[i] * scale).abs() <= 1.0);
            let stated = stated.map(|side| side as u32);
            let is_padded = stated.map(u32::checked_next_power_of_two) == size.map(Some);
            let is_known = is_padded || has(1.0) || of_name.is_some_and(has) || scales.any(has);
            (!is_known).then(|| Warning::PageSize {
                sprite: sprite(),
                path: path.clone(),
                stated,
                size,
            })
        };
        scaled.chain(self.sizes.iter().filter_map(other_size)).collect()
    }
}

/// Returns the size of the image at `path`, if its head is one of a PNG, WebP, JPEG, BMP or TGA.
fn size(path: &Path) -> Option<[u32; 2]> {
    let file = BufReader::new(File::open(path).ok()?);
    if let Ok(header) = png::Decoder::new(file).read_header_info() {
        return Some([header.width, header.height]);
    }
    let reader = image::ImageReader::open(path).ok()?.with_guessed_format().ok()?;
    reader.into_dimensions().ok().map(<[u32; 2]>::from)
}
