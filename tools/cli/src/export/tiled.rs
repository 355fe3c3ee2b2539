//! Shapes as a tileset of Tiled: a collection of images, or one sheet that a grid cuts.

use super::frame::{Frame, number};
use crate::CliError;
use crate::output::escaped;
use hitmask_bake::{Bake, Grid, GridOrder};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Component, Path};

/// Extensions of images that Tiled shows.
const IMAGES: [&str; 6] = ["png", "apng", "bmp", "gif", "tga", "webp"];

/// Leaves out sprites whose frames Tiled cannot show, with a warning each.
pub(super) fn shown<'a>(
    mut frames: Vec<Frame<'a>>,
    bake: &Bake,
    warnings: &mut Vec<String>,
) -> Result<Vec<Frame<'a>>, CliError> {
    let is_one = frames.iter().all(|frame| frame.source.name == frames[0].source.name);
    let mut left_out = BTreeMap::new();
    for frame in &frames {
        let name = frame.source.name;
        match bake.image_of(name) {
            Ok((_, Some(_))) if is_one => {}
            Ok((_, Some(_))) => {
                let cause =
                    format!("a tileset has one sheet, but {name:?} is one of several sprites");
                let help = format!("export it alone, with --sprite {name:?}");
                return Err(CliError::new(cause, help));
            }
            Ok((path, None)) if !is_image(path) => {
                left_out.insert(name, "is an image that Tiled does not read");
            }
            Ok(_) if frame.source.frame_count > 1 => {
                left_out.insert(name, "has several frames in one file");
            }
            Ok(_) => {}
            Err(reason) => {
                left_out.insert(name, reason);
            }
        }
    }
    frames.retain(|frame| !left_out.contains_key(frame.source.name));
    let shown = "Tiled shows whole images of one frame as they are, and sheets that --grid cuts";
    let text = |(name, reason): (&&str, &&str)| {
        format!("{name:?} is left out, because it {reason}: {shown}")
    };
    warnings.extend(left_out.iter().map(text));
    if frames.is_empty() {
        let reason =
            left_out.first_key_value().map(|(name, reason)| format!(": {name:?} {reason}"));
        let cause = format!("no sprite is an image that Tiled shows{}", reason.unwrap_or_default());
        let help = "name images of one frame each, or cut a sheet with --grid";
        return Err(CliError::new(cause, help));
    }
    Ok(frames)
}

/// Returns the tileset of frames that are [`shown`].
pub(super) fn text(frames: &[Frame<'_>], bake: &Bake, output: &Path) -> Result<String, CliError> {
    let images = frames.iter().filter_map(|frame| bake.image_of(frame.source.name).ok());
    let images: Vec<(&Path, Option<Grid>)> = images.collect();
    if let Some((path, Some(grid))) = images.first() {
        return sheet(frames, path, *grid, output);
    }
    let side = |axis: usize| frames.iter().map(|frame| frame.source.size[axis]).max().unwrap_or(0);
    let mut text = head(output, [side(0), side(1)], frames.len() as u64);
    text += " columns=\"0\">\n <grid orientation=\"orthogonal\" width=\"1\" height=\"1\"/>\n";
    for (id, (frame, (path, _))) in (0..).zip(frames.iter().zip(images)) {
        let size = size_of(path)?;
        text += &tile(id, frame, size, &image(path, size, output));
    }
    Ok(text + "</tileset>\n")
}

/// Returns the tileset of a sheet. Its tiles are numbered row by row.
fn sheet(frames: &[Frame<'_>], path: &Path, grid: Grid, output: &Path) -> Result<String, CliError> {
    let Grid { margin, spacing, .. } = grid;
    if margin[0] != margin[1] || spacing[0] != spacing[1] {
        let cause = "Tiled has one margin and one spacing for both axes, but the grid has two";
        return Err(CliError::new(cause, "export as JSON, or save the sheet with equal spaces"));
    }
    let size = size_of(path)?;
    let cells = [grid.columns, grid.rows];
    // The margin is on the sheet, because a tile was cut behind it. The spacing of one tile may be any.
    let length = |axis: usize| u64::from(size[axis] - margin[axis]) + u64::from(spacing[axis]);
    let tile_size = [0, 1].map(|axis| match (grid.tile[axis], cells[axis]) {
        (0, Some(cells)) => (length(axis) / u64::from(cells) - u64::from(spacing[axis])) as u32,
        (side, _) => side,
    });
    let step = |axis: usize| u64::from(tile_size[axis]) + u64::from(spacing[axis]);
    let fits = [0, 1].map(|axis| length(axis) / step(axis));
    let [columns, rows] = [0, 1].map(|axis| cells[axis].map_or(fits[axis], u64::from));
    let all = fits[0] * fits[1];
    let mut text = head(output, tile_size, all);
    let _ = write!(
        text,
        " spacing=\"{}\" margin=\"{}\" columns=\"{}\">\n{}",
        spacing[0],
        margin[0],
        fits[0],
        image(path, size, output)
    );
    // A frame that joins all others has no tile.
    for (i, frame) in (0..columns * rows).zip(frames) {
        let [x, y] = match grid.order {
            GridOrder::Rows => [i % columns, i / columns],
            GridOrder::Columns => [i / rows, i % rows],
        };
        text += &tile(y * fits[0] + x, frame, tile_size, "");
    }
    Ok(text + "</tileset>\n")
}

/// Returns the first attributes of a tileset, which is named after its file.
fn head(output: &Path, [width, height]: [u32; 2], count: u64) -> String {
    let name = output.file_stem().unwrap_or_default().to_string_lossy();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tileset version=\"1.10\" tiledversion=\"1.10.2\" \
         name=\"{}\" tilewidth=\"{width}\" tileheight=\"{height}\" tilecount=\"{count}\"",
        escaped(&name)
    )
}

/// Returns a tile with the name of its sprite as a property, and its pieces as objects. `size` is that of
/// the picture: a frame that has grown is larger on each side.
fn tile(id: u64, frame: &Frame<'_>, size: [u32; 2], image: &str) -> String {
    let mut text = format!(
        " <tile id=\"{id}\">\n  <properties>\n   <property name=\"sprite\" value=\"{}\"/>\n  </properties>\n{image}",
        escaped(frame.source.name)
    );
    let grown = [0, 1].map(|axis| (frame.source.size[axis] as f32 - size[axis] as f32) / 2.0);
    if !frame.pieces.pieces.is_empty() {
        text += "  <objectgroup draworder=\"index\" id=\"2\">\n";
        for (i, piece) in (1..).zip(&frame.pieces.pieces) {
            let [x, y] = piece[0];
            let points = piece.iter().map(|p| format!("{},{}", number(p[0] - x), number(p[1] - y)));
            let points = points.collect::<Vec<_>>().join(" ");
            let _ = writeln!(
                text,
                "   <object id=\"{i}\" x=\"{}\" y=\"{}\"><polygon points=\"{points}\"/></object>",
                number(x - grown[0]),
                number(y - grown[1])
            );
        }
        text += "  </objectgroup>\n";
    }
    text + " </tile>\n"
}

/// Returns the element of an image, named relative to the folder of the tileset.
fn image(path: &Path, [width, height]: [u32; 2], output: &Path) -> String {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let source = relative(folder.unwrap_or(Path::new(".")), path);
    let source = escaped(&source);
    format!("  <image source=\"{source}\" width=\"{width}\" height=\"{height}\"/>\n")
}

fn is_image(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    IMAGES.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns the width and height of an image.
fn size_of(path: &Path) -> Result<[u32; 2], CliError> {
    let reader = image::ImageReader::open(path).and_then(image::ImageReader::with_guessed_format);
    let size = reader.map_err(Into::into).and_then(image::ImageReader::into_dimensions);
    let size = size.map_err(|e| {
        let cause = format!("cannot read the size of {}: {e}", path.display());
        CliError::new(cause, "export again, or save the image as PNG")
    });
    size.map(Into::into)
}

/// Returns the path of a file from a folder, with `/` on every system.
fn relative(folder: &Path, file: &Path) -> String {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (folder, file) = (whole(folder), whole(file));
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return file.display().to_string();
    }
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file
        .components()
        .skip(shared)
        .map(|part: Component<'_>| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
