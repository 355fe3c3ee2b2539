//! Compares pieces that were read back from a file with the shape of a mask.

use hitmask::{GrowShape, Mask, Shape};
use hitmask_scenes::Picture;
use std::fs;
use std::path::Path;

type Corners = Vec<[f32; 2]>;

/// Writes the project's sprites as PNG files, and returns them.
pub(crate) fn write_sprites(folder: &Path) -> Vec<Picture> {
    fs::create_dir_all(folder).unwrap();
    let all = hitmask_scenes::all();
    for Picture { name, width, height, rgba } in &all {
        let path = folder.join(format!("{name}.png"));
        image::save_buffer(path, rgba, *width, *height, image::ExtendedColorType::Rgba8).unwrap();
    }
    all
}

/// Returns the corners in a flat list of coordinates.
pub(crate) fn corners(flat: &[f32]) -> Corners {
    assert_eq!(flat.len() % 2, 0, "{flat:?}");
    flat.chunks(2).map(|corner| [corner[0], corner[1]]).collect()
}

/// Moves corners by an offset.
pub(crate) fn moved(all: &[Corners], [dx, dy]: [f32; 2]) -> Vec<Corners> {
    let one = |corners: &Corners| corners.iter().map(|[x, y]| [x + dx, y + dy]).collect();
    all.iter().map(one).collect()
}

/// Returns the pixels whose centres polygons cover. Polygons that share a side share no pixel.
pub(crate) fn filled(polygons: &[Corners]) -> (Mask, [i32; 2]) {
    let (mask, at) = Mask::from_polygons(polygons.iter().map(Vec::as_slice)).unwrap();
    (mask, [at.x, at.y])
}

fn area(corners: &Corners) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let cross = |(a, b): (&[f32; 2], &[f32; 2])| {
        f64::from(a[0]) * f64::from(b[1]) - f64::from(a[1]) * f64::from(b[0])
    };
    corners.iter().zip(next).map(cross).sum::<f64>() / 2.0
}

/// Asserts that pieces in pixels from the top-left corner are convex, have at most 8 corners, are together
/// the shape of `mask` at 1 px of error, and cover its pixels within that error.
pub(crate) fn assert_pieces(name: &str, pieces: &[Corners], mask: &Mask) {
    let shape: Shape = mask.shape(1.0).unwrap();
    assert_eq!(shape.pieces().left_out, 0, "{name}");
    for piece in pieces {
        assert!((3..=8).contains(&piece.len()) && area(piece) > 0.0, "{name}: {piece:?}");
        let n = piece.len();
        let is_left =
            |i: usize| area(&vec![piece[i], piece[(i + 1) % n], piece[(i + 2) % n]]) >= 0.0;
        assert!((0..n).all(is_left), "{name}: {piece:?} is not convex");
    }
    let sum: f64 = pieces.iter().map(area).sum();
    assert!((sum - shape.mass().area).abs() < 1e-3, "{name}: {sum} px of area");
    let rings = shape.polygons().into_iter().flat_map(|p| std::iter::once(p.border).chain(p.holes));
    let (union, at) = filled(pieces);
    let (whole, place) = filled(&rings.collect::<Vec<_>>());
    assert!(union == whole && at == place, "{name}: the pieces are not the shape");
    let outside = mask.grown(1, GrowShape::Square).unwrap();
    let covered = union.overlap_area(&outside, [-1 - at[0], -1 - at[1]]);
    assert_eq!(covered, union.count(), "{name}: pieces leave the pixels");
    let inside = mask.shrunk(1, GrowShape::Square);
    assert_eq!(
        union.overlap_area(&inside, at.map(|v| -v)),
        inside.count(),
        "{name}: pixels are bare"
    );
}
