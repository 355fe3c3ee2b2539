//! Capabilities of classic systems: spaces of parents, projections, and the angle of a collision.

use crate::{solid, world};
use hitmask::{
    Affine, AtlasBuilder, CallError, Collider, Mask, Pair, Pivot, Point, Raster, Rect, Sampling,
};
use hitmask_scenes::{mask_of, open, overlap, world_of};
use std::f32::consts::FRAC_PI_2;

/// Returns a shape without symmetry: a flag with a hole on a pole.
fn flag() -> Mask {
    mask_of(23, 31, |x, y| {
        let is_pole = x < 4;
        let is_cloth = y < 14 && x < 23 - y / 2 && !((9..13).contains(&x) && (4..7).contains(&y));
        is_pole || is_cloth
    })
}

/// A transform in the plain form of six numbers: the x, y and offset parts of both coordinates.
type Matrix = [[f64; 3]; 2];

/// Returns a level of a hierarchy: first the scales, then the rotation, then the offset.
fn level([x, y]: [f64; 2], radians: f64, [sx, sy]: [f64; 2]) -> Matrix {
    let (s, c) = radians.sin_cos();
    [[c * sx, -s * sy, x], [s * sx, c * sy, y]]
}

fn product(outer: Matrix, inner: Matrix) -> Matrix {
    let entry = |row: usize, column: usize| {
        let sum: f64 = (0..2).map(|i| outer[row][i] * inner[i][column]).sum();
        sum + if column == 2 { outer[row][2] } else { 0.0 }
    };
    [0, 1].map(|row| [0, 1, 2].map(|column| entry(row, column)))
}

fn image(m: Matrix, [x, y]: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|row| m[row][0] * x + m[row][1] * y + m[row][2])
}

/// Returns the point that `m` maps to `p`, by Cramer's rule.
fn preimage(m: Matrix, p: [f64; 2]) -> [f64; 2] {
    let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let [u, v] = [p[0] - m[0][2], p[1] - m[1][2]];
    [(u * m[1][1] - v * m[0][1]) / determinant, (v * m[0][0] - u * m[1][0]) / determinant]
}

fn affine(m: Matrix) -> Affine {
    let [[a, c, tx], [b, d, ty]] = m;
    Affine { a, b, c, d, tx, ty }
}

/// Asserts that `drawn` has the pixels whose centres `m` takes from a set texel of `source`. The
/// texels are relative to `pivot`. A centre on the edge of a texel may be either.
fn assert_pixels(drawn: (&Mask, Point), source: &Mask, pivot: [f64; 2], m: Matrix) {
    let (mask, at) = drawn;
    let (mut set, mut total) = (0, 0);
    let size = [mask.width() as i32, mask.height() as i32];
    for y in -9..size[1] + 9 {
        for x in -9..size[0] + 9 {
            let center = [f64::from(at.x + x) + 0.5, f64::from(at.y + y) + 0.5];
            // A pivot in the middle of a texel lies in the middle of a pixel.
            let center = [0, 1].map(|axis| center[axis] - pivot[axis].rem_euclid(1.0));
            let [u, v] = preimage(m, center);
            let texel = [u + pivot[0], v + pivot[1]];
            if texel.iter().any(|t| (t - t.round()).abs() < 1e-5) {
                continue;
            }
            let [i, j] = texel.map(|t| t.floor() as i32);
            assert_eq!(mask.get(x, y), source.get(i, j), "pixel ({x}, {y}) of texel ({i}, {j})");
            set += usize::from(source.get(i, j));
            total += 1;
        }
    }
    // The frame around the mask is clear, and the comparison covers most pixels.
    assert!(set > 50 && total > set && set * 10 >= mask.count() as usize * 9, "{set} {total}");
}

#[test]
fn nested_parents_with_uneven_scales_match_a_per_pixel_drawing() {
    let source = flag();
    // Each level has an offset, an angle and two scales; some mirror.
    let hierarchies: [&[Matrix]; 4] = [
        &[
            level([20.0, 50.0], 0.0, [1.0, 1.0]),
            level([400.0, -20.0], 0.4, [1.5, 0.75]),
            level([-1309.0, 20.0], -1.1, [1.25, 2.0]),
        ],
        &[level([-7.25, 3.5], 2.7, [0.6, 1.9]), level([31.0, -2.0], 0.9, [-1.7, 0.8])],
        &[level([0.0, 0.0], 1.0, [3.0, 0.5]), level([5.0, 5.0], -2.0, [0.5, 3.0])],
        &[
            level([1e6, -1e6], 0.2, [1.1, 1.3]),
            level([-9.5, 4.0], 0.3, [1.2, 0.9]),
            level([2.0, 8.0], 0.4, [0.8, -1.4]),
            level([-3.0, 6.75], 0.5, [1.3, 0.7]),
        ],
    ];
    for levels in hierarchies {
        let truth = levels.iter().copied().reduce(product).unwrap();
        let chain = levels.iter().fold(Affine::IDENTITY, |outer, &inner| outer * affine(inner));
        let mapped = chain.apply([7.0, -3.0]).map(f64::from);
        let expected = image(truth, [7.0, -3.0]);
        let error = (0..2).map(|i| (mapped[i] - expected[i]).abs()).fold(0.0, f64::max);
        assert!(error < 0.1, "{mapped:?} {expected:?}");
        let pivots = [(Pivot::Center, [11.5, 15.5]), (Pivot::HalfTexels(3, -10), [1.5, -5.0])];
        for (pivot, texels) in pivots {
            let raster = Raster::new(&source, pivot, Sampling::Nearest).unwrap();
            let drawn = raster.transformed(chain).unwrap();
            assert_pixels((&drawn.mask, drawn.origin), &source, texels, truth);
            // The same pixels in a world: the offset of the chain is the position.
            let mut world = world(&[("dot", &solid(1, 1), [0.0, 0.0])]).0;
            let near = Affine { tx: 0.0, ty: 0.0, ..chain };
            let shape = world.masks_mut().insert_drawn(raster, near).unwrap();
            let at = [truth[0][2].round(), truth[1][2].round()];
            let position = at.map(|v| v as f32);
            let id = world.insert(Collider::from_mask(shape).at(position)).unwrap();
            let posed = world.posed(id).unwrap();
            let placed = [[truth[0][0], truth[0][1], at[0]], [truth[1][0], truth[1][1], at[1]]];
            assert_pixels((&posed.mask.to_mask(), posed.origin), &source, texels, placed);
        }
    }
}

#[test]
fn the_answer_in_a_parents_space_maps_every_pixel() {
    let (world, ids) =
        world(&[("flag", &flag(), [40.0, 30.0]), ("slab", &solid(19, 40), [48.0, 22.0])]);
    let overlap = overlap(&world, Pair { a: ids[0], b: ids[1] }).unwrap();
    let contact = overlap.contact();
    let Rect { x0, y0, x1, y1 } = contact.rect;
    // Computed by hand: X = 100 - y / 2 and Y = 2 x give x = Y / 2 and y = 200 - 2 X.
    let by_hand = Affine { a: 0.0, b: 2.0, c: -0.5, d: 0.0, tx: 100.0, ty: 0.0 };
    let (local, local_contact) = (overlap.in_space(by_hand), contact.in_space(by_hand));
    let (local, local_contact) = (local.unwrap(), local_contact.unwrap());
    let hand = |x: f32, y: f32| [y / 2.0, 200.0 - 2.0 * x];
    let [x0f, y0f, x1f, y1f] = [x0, y0, x1, y1].map(|v| v as f32);
    assert_eq!(
        local_contact.corners,
        [hand(x0f, y0f), hand(x1f, y0f), hand(x1f, y1f), hand(x0f, y1f)]
    );
    let [min, max] = [hand(x1f, y0f), hand(x0f, y1f)];
    assert_eq!(local_contact.bounds(), [min, max]);
    assert_eq!(local_contact.area, contact.area);
    let pixels: Vec<Point> = overlap.pixels().collect();
    assert_eq!(pixels.len() as u64, contact.area);
    assert!(
        local.pixels().eq(pixels.iter().map(|p| hand(p.x as f32 + 0.5, p.y as f32 + 0.5))),
        "every pixel by hand"
    );
    let out = overlap.push_out();
    assert_eq!(local.push_out(), [out.y as f32 / 2.0, -2.0 * out.x as f32]);
    // Nested parents, each with its own angle and two scales, against Cramer's rule.
    let levels = [
        level([20.0, 50.0], 0.7, [1.5, 0.5]),
        level([4.0, -20.0], -1.9, [-0.75, 2.0]),
        level([-13.0, 2.0], 0.2, [3.0, 1.25]),
    ];
    let truth = levels.into_iter().reduce(product).unwrap();
    let nested = levels.iter().fold(Affine::IDENTITY, |outer, &inner| outer * affine(inner));
    let local = overlap.in_space(nested).unwrap();
    let local_contact = contact.in_space(nested).unwrap();
    let is_near = |found: [f32; 2], x: f64, y: f64| {
        let expected = preimage(truth, [x, y]);
        (0..2).all(|i| (f64::from(found[i]) - expected[i]).abs() < 1e-4)
    };
    let center = |p: Point| (f64::from(p.x) + 0.5, f64::from(p.y) + 0.5);
    let is_center = |found, p| is_near(found, center(p).0, center(p).1);
    assert_eq!(local.pixels().count(), pixels.len());
    assert!(local.pixels().zip(&pixels).all(|(found, &p)| is_center(found, p)));
    assert!(is_center(local_contact.point, contact.point));
    let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    for (found, corner) in local_contact.corners.into_iter().zip(corners) {
        assert!(is_near(found, f64::from(corner[0]), f64::from(corner[1])));
    }
    // Every pixel lies in the bounds, and a position moved by the push-out is apart.
    let [least, most] = local_contact.bounds();
    assert!(local.pixels().all(|p| (0..2).all(|i| least[i] < p[i] && p[i] < most[i])));
    let [dx, dy] = local.push_out();
    let back = Affine { tx: 0.0, ty: 0.0, ..nested }.apply([dx, dy]);
    assert!((back[0] - out.x as f32).abs() < 1e-4 && (back[1] - out.y as f32).abs() < 1e-4);
    // A parent without an inverse has no answer.
    for singular in [
        Affine::scale([0.0, 1.0]),
        Affine::scale([f32::NAN, 1.0]),
        Affine { a: 1.0, b: 2.0, c: 2.0, d: 4.0, tx: 0.0, ty: 0.0 },
        Affine::translation([f32::INFINITY, 0.0]),
    ] {
        assert_eq!(contact.in_space(singular), None);
        assert!(overlap.in_space(singular).is_none());
    }
}

#[test]
fn a_parents_space_is_exact_far_out_and_at_any_resolution() {
    // f32 cannot hold the odd pixels at 5 * 10^7, but the answer relative to a parent there can.
    let (world, ids) =
        world(&[("a", &solid(9, 9), [5e7, -5e7]), ("b", &solid(9, 9), [5e7 + 4.0, -5e7])]);
    let overlap = overlap(&world, Pair { a: ids[0], b: ids[1] }).unwrap();
    let parent = Affine::translation([5e7, -5e7]);
    let local = overlap.contact().in_space(parent).unwrap();
    let rect = overlap.contact().rect;
    let offset = |v: i32, base: i32| (v - base) as f32;
    assert_eq!(
        local.bounds(),
        [
            [offset(rect.x0, 50_000_000), offset(rect.y0, -50_000_000)],
            [offset(rect.x1, 50_000_000), offset(rect.y1, -50_000_000)]
        ]
    );
    assert_eq!(overlap.in_space(parent).unwrap().pixels().next(), Some(local.point));
    // At resolution 4 the answer of the world is in quarters of a pixel.
    let (mut world, sprite) =
        world_of(open(&AtlasBuilder::new().resolution(4.0).mask("a", solid(8, 8))), "a");
    let a = world.insert(sprite).unwrap();
    let b = world.insert(sprite.at([5.25, 6.5])).unwrap();
    let parent = Affine::translation([100.0, 0.0]) * Affine::scale([0.5, 0.5]);
    let fine = Affine::scale([4.0, 4.0]) * parent;
    let local = world.contact(Pair { a, b }).unwrap().in_space(fine).unwrap();
    // In the world the boxes share [1.25, 4] x [2.5, 4]; the parent is at 100 and half as large.
    assert_eq!(local.bounds(), [[-197.5, 5.0], [-192.0, 8.0]]);
}

#[test]
fn the_angle_follows_the_overlap_counted_pixel_by_pixel() {
    let (flag, other) = (flag(), mask_of(40, 30, |x, y| x * 2 + y * 3 > 50 && (x - y) % 11 != 0));
    let area = |dx: i32, dy: i32| {
        let pixels = (0..31).flat_map(|y| (0..23).map(move |x| (x, y)));
        pixels.filter(|&(x, y)| flag.get(x, y) && other.get(x - dx, y - dy)).count() as f64
    };
    let mut angles = std::collections::BTreeSet::new();
    for dy in (-29..31).step_by(4) {
        for dx in (-39..23).step_by(4) {
            let Some(overlap) = flag.overlap(&other, [dx, dy]) else { continue };
            let normal = overlap.normal();
            let slope = [area(dx + 1, dy) - area(dx - 1, dy), area(dx, dy + 1) - area(dx, dy - 1)];
            if slope == [0.0, 0.0] {
                continue;
            }
            let expected = slope[1].atan2(slope[0]);
            let difference = (f64::from(normal.radians()) - expected).abs();
            assert!(difference < 1e-6, "({dx}, {dy}): {normal:?} {slope:?}");
            assert!((f64::from(normal.degrees()) - expected.to_degrees()).abs() < 1e-4);
            angles.insert(normal.degrees() as i32 / 45);
        }
    }
    assert!(angles.len() > 5, "{angles:?}");
}

/// Returns the column-major matrix of a rotation about x, then y, then z, at an offset.
fn rotated([x, y, z]: [f32; 3], [tx, ty, tz]: [f32; 3]) -> [f32; 16] {
    let turn = |i: usize, j: usize, angle: f32| {
        let mut m = [[0.0; 3]; 3];
        (0..3).for_each(|k| m[k][k] = 1.0);
        let (s, c) = angle.sin_cos();
        (m[i][i], m[i][j], m[j][i], m[j][j]) = (c, -s, s, c);
        m
    };
    let times = |p: [[f32; 3]; 3], q: [[f32; 3]; 3]| {
        [0, 1, 2].map(|r| [0, 1, 2].map(|c| (0..3).map(|k| p[r][k] * q[k][c]).sum::<f32>()))
    };
    let m = times(turn(0, 1, z), times(turn(2, 0, y), turn(1, 2, x)));
    let column = |c: usize| [m[0][c], m[1][c], m[2][c], 0.0];
    [column(0), column(1), column(2), [tx, ty, tz, 1.0]].concat().try_into().unwrap()
}

#[test]
fn a_rotation_about_any_axis_is_tested_by_every_projected_pixel() {
    let source = flag();
    let raster = Raster::new(&source, Pivot::HalfTexels(23, 31), Sampling::Nearest).unwrap();
    for (angles, offset) in [
        ([0.9, 0.6, 0.4], [70.0, -30.0, 5.0]),
        ([-0.5, 1.1, -2.0], [0.25, 0.5, -80.0]),
        ([0.3, 2.5, 0.7], [-1000.75, 12.0, 0.0]),
    ] {
        let matrix = rotated(angles, offset);
        let flat = Affine::from_projected(matrix).unwrap();
        assert!(flat.b.abs() > 0.05 && flat.c.abs() > 0.05, "b and c are not zero: {flat:?}");
        let m = matrix.map(f64::from);
        let truth = [[m[0], m[4], m[12]], [m[1], m[5], m[13]]];
        let drawn = raster.transformed(flat).unwrap();
        assert_pixels((&drawn.mask, drawn.origin), &source, [11.5, 15.5], truth);
        // Entries of depth change nothing.
        let mut deep = matrix;
        [2, 6, 8, 9, 10, 11, 14].iter().for_each(|&i| deep[i] = 1e9);
        assert_eq!(Affine::from_projected(deep), Ok(flat));
    }
}

#[test]
fn a_perspective_matrix_is_refused_or_approximated_at_a_point() {
    let source = flag();
    let mut matrix = rotated([0.7, -0.8, 0.3], [60.0, 40.0, 0.0]);
    // A viewer at 300 px: w = 1 - z / 300, for the z of a point of the plane.
    (matrix[3], matrix[7]) = (-matrix[2] / 300.0, -matrix[6] / 300.0);
    let refused = Affine::from_projected(matrix);
    let reason = CallError::Perspective { x: matrix[3], y: matrix[7] };
    assert_eq!(refused, Err(reason));
    for pivot in [[0.0, 0.0], [11.5, 15.5], [-40.0, 25.0]] {
        let local = Affine::from_projected_at(matrix, pivot).unwrap();
        // The sprite is drawn by the approximation, about the point as its pivot.
        let about = local * Affine::translation(pivot);
        let raster = Raster::new(&source, Pivot::HalfTexels(23, 31), Sampling::Nearest).unwrap();
        let drawn = raster.transformed(about).unwrap();
        let truth = [[about.a, about.c, about.tx], [about.b, about.d, about.ty]];
        assert_pixels((&drawn.mask, drawn.origin), &source, [11.5, 15.5], truth);
    }
    let behind = Affine::from_projected_at(matrix, [matrix[3], matrix[7]].map(|v| -1e6 * v));
    assert!(matches!(behind, Err(CallError::Behind { .. })), "{behind:?}");
}

#[test]
fn a_card_that_is_turned_to_its_edge_has_no_pixel_off_its_line() {
    let side = 100.0_f64;
    let mut drawn = 0;
    for sampling in [Sampling::Nearest, Sampling::Coverage25] {
        for size in [100, 101] {
            let card = solid(size, size);
            let raster = Raster::new(&card, Pivot::Center, sampling).unwrap();
            for angle in [0.0, 0.1, 0.5, std::f32::consts::FRAC_PI_4, 1.1, FRAC_PI_2, 2.4, -0.785] {
                for squash in [
                    1e-2,
                    1e-4,
                    4e-7,
                    1e-7,
                    FRAC_PI_2.cos(),
                    1e-9,
                    3e-12,
                    1e-20,
                    1e-38,
                    f32::MIN_POSITIVE,
                ] {
                    for upright in [false, true] {
                        let scale = if upright { [1.0, squash] } else { [squash, 1.0] };
                        let turn = Affine::rotation(angle) * Affine::scale(scale);
                        let posed = raster.transformed(turn).unwrap();
                        // The image is a rectangle about the pivot.
                        let (s, c) = f64::from(angle).sin_cos();
                        let half = scale.map(|v| f64::from(v) * side / 2.0 + 0.51);
                        let at = f64::from(size % 2) / 2.0;
                        for p in posed
                            .mask
                            .overlap(&posed.mask, [0, 0])
                            .iter()
                            .flat_map(|all| all.pixels())
                        {
                            let [x, y] = [p.x + posed.origin.x, p.y + posed.origin.y]
                                .map(|v| f64::from(v) + 0.5 - at);
                            let [u, v] = [c * x + s * y, c * y - s * x];
                            let apart = [(u.abs(), half[0]), (v.abs(), half[1])];
                            let near = apart.iter().all(|(v, half)| *v <= half + 0.5);
                            assert!(near, "{sampling:?} {angle} {scale:?}: {x}, {y}");
                            drawn += 1;
                        }
                        // A line that passes through no pixel centre has no pixel.
                        if sampling == Sampling::Nearest
                            && size == 100
                            && angle == 0.5
                            && squash < 1e-6
                        {
                            assert_eq!(posed.mask.count(), 0, "{scale:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(drawn > 1000, "{drawn}");
}

#[test]
fn drawings_whose_pixels_fit_the_longest_side_are_accepted() {
    let at = |source: &Mask, transform| {
        let raster = Raster::new(source, Pivot::HalfTexels(0, 0), Sampling::Nearest).unwrap();
        raster.transformed(transform)
    };
    let most = hitmask::MAX_SIDE;
    for (w, h) in [(most, 1), (1, most)] {
        let bar = solid(w, h);
        for by in [[0.0, 0.0], [0.5, -0.25], [-3.75, 7.0]] {
            let posed = at(&bar, Affine::translation(by)).unwrap();
            assert_eq!((posed.mask.width(), posed.mask.height()), (w, h), "{by:?}");
        }
        let quarter = at(&bar, Affine::rotation(FRAC_PI_2)).unwrap();
        assert_eq!((quarter.mask.width(), quarter.mask.height()), (h, w));
        let wider = at(&bar, Affine::scale([1.0001, 1.0001]));
        assert!(matches!(wider, Err(hitmask::CallError::TooLarge { .. })));
    }
    // The corners of the box around a disc are clear, so it may turn at almost any size.
    let disc = Mask::disc(700).unwrap();
    let eighth = Affine::rotation(std::f32::consts::FRAC_PI_4);
    let raster = Raster::new(&disc, Pivot::Center, Sampling::Nearest).unwrap();
    let posed = raster.transformed(eighth).unwrap();
    assert!(posed.mask.width() <= 1403, "{}", posed.mask.width());
}
