//! Decodes the frames of an Aseprite file: the planes of layers and slices, and the pivots of slices.
//!
//! Called by `decode` and `frame_source` of the parent folder.

use super::chunks;
use super::compose::Painter;
use super::file::{File, Layer, LayerKind, Slice};
use super::reader::Fault;
use crate::error::{BakeError, BakeFault};
use crate::image::cut;
use crate::image::image_file::{BODY, DecodedImage, ImageFile, reads_alpha_alone};
use crate::image::tags::Tag as FrameTag;
use crate::read_file;
use crate::settings::SourceSettings;
use hitmask::baking::TexelMasks;
use hitmask::{CallError, MAX_SIDE, Mask, Rect};
use std::path::Path;

/// Returns true if a file starts like an Aseprite file. Other programs use the extension .ase too.
pub(crate) fn is_aseprite(bytes: &[u8]) -> bool {
    bytes.get(4..6) == Some(&[0xE0, 0xA5])
}

/// Returns the number of frames of the file at `path`, and its tags with first and last frame. A
/// file of another format has no tags.
pub(crate) fn tags(path: &Path) -> Result<(usize, Vec<FrameTag>), BakeError> {
    let bytes = read_file::read(path)?;
    if !is_aseprite(&bytes) {
        return Ok((0, Vec::new()));
    }
    let file = chunks::parse(&bytes).map_err(|fault| fault.of(path))?;
    let tag = |(name, from, to): (_, u16, u16)| FrameTag { name, from: from.into(), to: to.into() };
    Ok((file.frames.len(), file.tags.into_iter().map(tag).collect()))
}

/// Decodes the frames of a file.
pub(crate) fn stills(image: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let &ImageFile { path, settings, .. } = image;
    let file = chunks::parse(bytes).map_err(|fault| fault.of(path))?;
    let [width, height] = file.size.map(u32::from);
    let too_large = || BakeError::too_large(path, [width, height], MAX_SIDE);
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(too_large());
    }
    let planes = planes(&file, path, settings)?;
    check_slices(&file, path, settings)?;
    let texels = u64::from(width).saturating_mul(height.into());
    let images = (file.frames.len() as u64).saturating_mul(planes.len() as u64);
    let of_slices = (file.frames.len() as u64).saturating_mul(settings.slices.len() as u64);
    image.check_frames(file.frames.len())?;
    image.check_texels(texels.max(1).saturating_mul(images.saturating_add(of_slices)))?;
    let painter = Painter::new(&file, !reads_alpha_alone(settings), image);
    // At most 4 * MAX_SIDE * MAX_SIDE.
    let canvas_bytes = texels.saturating_mul(4);
    // The planes, the slices and the thresholds of each frame, and its visible texels.
    let thresholds = settings.sprite.thresholds.len() as u64;
    let masks = images.saturating_add(of_slices);
    let masks = masks
        .saturating_add((file.frames.len() as u64).saturating_mul(thresholds.saturating_add(1)));
    let mask_bytes = (texels / 8).saturating_mul(masks);
    let _memory = image.reserve_memory(canvas_bytes.saturating_add(mask_bytes))?;
    let mut canvas = vec![0; canvas_bytes as usize];
    let mut stills = Vec::with_capacity(file.frames.len());
    for frame in 0..file.frames.len() {
        let mut masks = Vec::with_capacity(planes.len());
        // The visible texels of the body, and its planes by threshold.
        let mut of_body = None;
        for (name, layers) in &planes {
            canvas.fill(0);
            let drawn = painter.draw(frame, layers, &mut canvas);
            drawn.map_err(|fault| fault.at(&format!("frame {frame}")).of(path))?;
            let of_plane = TexelMasks::from_rgba([width, height], &canvas, &settings.sprite);
            let TexelMasks { solid, visible, by_threshold } = of_plane.map_err(|_| too_large())?;
            of_body.get_or_insert((visible, by_threshold));
            masks.push((name.clone(), solid));
        }
        for name in &settings.slices {
            let mask = slice_mask(&file.slices, name, frame, [width, height]);
            masks.push((name.clone(), mask.map_err(|_| too_large())?));
        }
        let pivot = pivot(&file.slices, frame).map(cut::pivot).transpose();
        let pivot = pivot.map_err(|fault| fault.of(path, &frame.to_string()))?;
        stills.extend(of_body.map(|(visible, by_threshold)| DecodedImage {
            planes: masks.into_iter().chain(by_threshold).collect(),
            rule: settings.sprite.alpha,
            visible,
            pivot,
            is_cut: false,
        }));
    }
    Ok(stills)
}

/// Returns the planes: each name with one flag per layer. The body is first and consists of all
/// visible layers, unless the settings define it.
fn planes(
    file: &File<'_>,
    path: &Path,
    settings: &SourceSettings,
) -> Result<Vec<(String, Vec<bool>)>, BakeError> {
    let body = settings.planes.iter().find(|plane| plane.name == BODY);
    let body = match body {
        Some(plane) => chosen(&file.layers, path, &plane.layers)?,
        None => visible(&file.layers),
    };
    let mut planes = vec![(BODY.to_owned(), body)];
    for plane in settings.planes.iter().filter(|plane| plane.name != BODY) {
        planes.push((plane.name.clone(), chosen(&file.layers, path, &plane.layers)?));
    }
    Ok(planes)
}

/// Returns an error if a slice of the settings is not in the file.
fn check_slices(file: &File<'_>, path: &Path, settings: &SourceSettings) -> Result<(), BakeError> {
    let names: Vec<&str> = file.slices.iter().map(|slice| slice.name.as_str()).collect();
    match settings.slices.iter().find(|slice| !names.contains(&slice.as_str())) {
        Some(slice) => Err(BakeError::no_slice(path, slice, &names)),
        None => Ok(()),
    }
}

/// Returns the mask of the slices of a name at a frame, on a canvas of `size`.
fn slice_mask(
    slices: &[Slice],
    name: &str,
    frame: usize,
    [width, height]: [u32; 2],
) -> Result<Mask, CallError> {
    let mut mask = Mask::new(width, height)?;
    for key in slices.iter().filter(|slice| slice.name == name).filter_map(|slice| slice.at(frame))
    {
        let ([x, y], [across, down]) = (key.corner, key.size);
        let [right, bottom] = [x.saturating_add_unsigned(across), y.saturating_add_unsigned(down)];
        mask.fill_rect(Rect::new(x, y, right, bottom), true);
    }
    Ok(mask)
}

/// Returns for each layer whether it and its groups are visible. Reference layers are not part of
/// the image.
fn visible(layers: &[Layer]) -> Vec<bool> {
    within(layers, |layer, of_group| {
        of_group.unwrap_or(true) && layer.is_visible() && !layer.is_reference()
    })
}

/// Returns for each layer whether it or one of its groups has one of these names. Hidden layers
/// count too. Reference layers in a chosen group do not.
fn chosen(layers: &[Layer], path: &Path, names: &[String]) -> Result<Vec<bool>, BakeError> {
    for name in names {
        let mut namesakes = layers.iter().filter(|layer| layer.name == *name).peekable();
        if namesakes.peek().is_none() {
            let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
            let help = format!("choose one of its layers: {}", names.join(", "));
            let rest = format_args!(" has no layer {name:?}");
            return Err(BakeError::of_file(BakeFault::NotFound, path, rest, help));
        }
        if namesakes.all(Layer::is_reference) {
            let cause = format!("layer {name:?} is a reference layer, which is never drawn");
            let remedy = "choose another layer, or turn it into a normal layer in Aseprite";
            return Err(Fault::unsupported(cause, remedy).of(path));
        }
    }
    let chosen =
        within(layers, |layer, of_group| of_group.unwrap_or(false) || names.contains(&layer.name));
    Ok(chosen.iter().zip(layers).map(|(&it, layer)| it && !layer.is_reference()).collect())
}

/// Evaluates `of` for each layer, given the result of the group that contains it.
fn within(layers: &[Layer], of: impl Fn(&Layer, Option<bool>) -> bool) -> Vec<bool> {
    let mut answers = Vec::with_capacity(layers.len());
    // Results of the groups around the current layer, outermost first.
    let mut groups: Vec<bool> = Vec::new();
    for layer in layers {
        groups.truncate(layer.level.into());
        let answer = of(layer, groups.last().copied());
        answers.push(answer);
        if layer.kind == LayerKind::Group {
            groups.push(answer);
        }
    }
    answers
}

/// Returns the pivot at a frame, from the first slice that has one and is not hidden there.
fn pivot(slices: &[Slice], frame: usize) -> Option<[f64; 2]> {
    slices.iter().find_map(|slice| {
        let key = slice.at(frame)?;
        let pivot = key.pivot?;
        Some([0, 1].map(|axis| f64::from(key.corner[axis]) + f64::from(pivot[axis])))
    })
}
