//! The art of `bake` and `export`: its files, and how masks are made of them.

use crate::CliError;
use crate::cli_error::one_line;
use hitmask::CallError;
use hitmask_bake::{AlphaRule, Anchor, Bake, BakeLimits, ColorRange, Grid, GridOrder, Pivot};
use std::path::{Path, PathBuf};

/// Manifest that is read where no art is named.
const MANIFEST: &str = "hitmask.toml";

/// The arguments that name art.
#[derive(clap::Args)]
pub(crate) struct ArtArgs {
    /// Images, folders, or patterns such as 'art/**/*.png'. Default: those of the manifest.
    pub(crate) input: Vec<PathBuf>,
    /// Manifest with sources and their settings. Default without inputs: hitmask.toml, if the current
    /// folder has one. Command-line settings apply where the manifest has none.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
    /// Lowest alpha of a solid texel, 0 to 255.
    #[arg(long, value_name = "N", default_value_t = 128)]
    alpha: u8,
    /// Colour that is never solid, such as ff00ff, or a range of colours: 000000..202020. Two more
    /// digits are the alpha: 00000000..0000007f is a soft shadow. Repeatable.
    #[arg(long, value_name = "RRGGBB[AA]", value_parser = colors)]
    exclude_color: Vec<ColorRange>,
    /// Colour, or range of colours, whose texels alone can be solid. Repeatable.
    #[arg(long, value_name = "RRGGBB[AA]", value_parser = colors)]
    only_color: Vec<ColorRange>,
    /// Cut each image into the frames of one sprite, by the tile in texels: 32x32. More keys follow
    /// behind commas: margin=1, spacing=2x0, count=12, columns=8, rows=2, order=columns. Without a
    /// tile, columns and rows divide the image.
    #[arg(long, value_name = "WxH,..", value_parser = grid, requires = "input")]
    grid: Option<Grid>,
    /// Pivot of the sprites: X,Y in texels from the top-left corner, in steps of 0.5. Or center,
    /// top-left, top, top-right, left, right, bottom-left, bottom or bottom-right. Default: center.
    #[arg(long, value_name = "X,Y|NAME", value_parser = pivot, allow_hyphen_values = true)]
    pivot: Option<PivotArg>,
    /// Fill the holes of every mask.
    #[arg(long)]
    fill_holes: bool,
    /// Shrink every mask by this many texels, after holes are filled.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=256))]
    shrink: u32,
    /// Grow every mask by this many texels, after it has shrunk.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=256))]
    grow: u32,
    #[command(flatten)]
    limits: Limits,
}

/// Limits on what files may take to decode.
#[derive(clap::Args)]
struct Limits {
    /// Largest number of texels in all images of one file.
    #[arg(long, value_name = "N", default_value_t = BakeLimits::default().max_texels)]
    limit_texels: u64,
    /// Largest number of frames of one file.
    #[arg(long, value_name = "N", default_value_t = BakeLimits::default().max_frames)]
    limit_frames: u64,
    /// Largest memory for decoding one file, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = BakeLimits::default().max_decoding_bytes)]
    limit_decoding_bytes: u64,
    /// Largest number of texels of all frames of a sheet, before trimming.
    #[arg(long, value_name = "N", default_value_t = BakeLimits::default().max_untrimmed_texels)]
    limit_untrimmed_texels: u64,
    /// Largest number of pixels in all poses of one sprite, about 5 * 10^8 per second and core.
    #[arg(long, value_name = "N", default_value_t = BakeLimits::default().max_pose_pixels)]
    limit_pose_pixels: u64,
}

impl Limits {
    fn limits(&self) -> BakeLimits {
        BakeLimits {
            max_texels: self.limit_texels,
            max_frames: self.limit_frames,
            max_decoding_bytes: self.limit_decoding_bytes,
            max_untrimmed_texels: self.limit_untrimmed_texels,
            max_pose_pixels: self.limit_pose_pixels,
        }
    }
}

impl ArtArgs {
    /// Names the manifest of the current folder where no art is named.
    pub(crate) fn find_manifest(&mut self) -> Result<(), CliError> {
        if self.input.is_empty() && self.manifest.is_none() {
            if !Path::new(MANIFEST).is_file() {
                let cause = format!("no INPUT is given, and this folder has no {MANIFEST}");
                let help = "name images or a folder, or run hitmask init to write a manifest";
                return Err(CliError::new(cause, help).with_code(2));
            }
            self.manifest = Some(MANIFEST.into());
        }
        Ok(())
    }

    /// Adds the art to a bake whose other settings are set, because a manifest takes them as defaults.
    pub(crate) fn add_to(&self, bake: Bake) -> Result<Bake, CliError> {
        let mut bake = bake
            .limits(self.limits.limits())
            .alpha(AlphaRule::AtLeast(self.alpha))
            .fill_holes(self.fill_holes)
            .shrink(self.shrink)
            .grow(self.grow);
        bake = match self.pivot {
            Some(PivotArg::At(pivot)) => bake.pivot(pivot),
            Some(PivotArg::Anchor(anchor)) => bake.anchor(anchor),
            None => bake,
        };
        for &colors in &self.exclude_color {
            bake = bake.exclude_color(colors);
        }
        for &colors in &self.only_color {
            bake = bake.only_color(colors);
        }
        for input in &self.input {
            bake = match self.grid {
                Some(grid) => bake.sheets(input, grid)?,
                None => bake.sprites(input)?,
            };
        }
        if let Some(manifest) = &self.manifest {
            bake = bake.manifest(manifest)?;
        }
        Ok(bake)
    }
}

fn colors(text: &str) -> Result<ColorRange, String> {
    text.parse().map_err(|e: CallError| one_line(&e, e.help()))
}

/// A pivot as given: a point in texels, or one that depends on the size of the frame.
#[derive(Clone, Copy)]
enum PivotArg {
    At(Pivot),
    Anchor(Anchor),
}

fn pivot(text: &str) -> Result<PivotArg, String> {
    if text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return text.parse().map(PivotArg::Anchor);
    }
    let half_texels = |part: &str| {
        let twice = 2.0 * part.trim().parse::<f64>().ok()?;
        (twice.fract() == 0.0 && twice.abs() <= f64::from(hitmask::MAX_PIVOT))
            .then_some(twice as i32)
    };
    let (x, y) = text
        .split_once(',')
        .ok_or("give two numbers separated by a comma, such as 8,8, or a name such as bottom")?;
    match (half_texels(x), half_texels(y)) {
        (Some(x), Some(y)) => Ok(PivotArg::At(Pivot::HalfTexels(x, y))),
        _ => Err(format!(
            "give multiples of 0.5, at most {} texels from the corner",
            hitmask::MAX_PIVOT / 2
        )),
    }
}

/// Parses a grid: the tile, and keys behind commas.
fn grid(text: &str) -> Result<Grid, String> {
    let number = |text: &str| {
        let number = text.trim().parse::<u32>();
        number.map_err(|_| format!("{text:?} is not a whole number of texels"))
    };
    // One number stands for both axes.
    let pair = |text: &str| match text.split_once('x') {
        Some((x, y)) => Ok::<_, String>([number(x)?, number(y)?]),
        None => Ok([number(text)?; 2]),
    };
    let mut grid = Grid::of([0, 0]);
    for part in text.split(',') {
        let Some((key, value)) = part.split_once('=') else {
            grid.tile = pair(part)?;
            if grid.tile.contains(&0) {
                return Err("the sides of a tile must be at least 1".to_owned());
            }
            continue;
        };
        match key.trim() {
            "margin" => grid.margin = pair(value)?,
            "spacing" => grid.spacing = pair(value)?,
            "count" => grid.count = Some(number(value)?),
            "columns" => grid.columns = Some(number(value)?),
            "rows" => grid.rows = Some(number(value)?),
            "order" => {
                grid.order = match value.trim() {
                    "rows" => GridOrder::Rows,
                    "columns" => GridOrder::Columns,
                    other => {
                        return Err(format!("the order {other:?} is neither rows nor columns"));
                    }
                };
            }
            other => {
                return Err(format!(
                    "{other:?} is none of margin, spacing, count, columns, rows and order"
                ));
            }
        }
    }
    let is_divided = grid.columns.is_some() && grid.rows.is_some();
    if grid.tile == [0, 0] && !is_divided {
        return Err("give a tile such as 32x32, or columns and rows".to_owned());
    }
    Ok(grid)
}
