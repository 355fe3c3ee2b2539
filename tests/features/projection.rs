//! Affine transforms from projection matrices.

use hitmask::{Affine, CallError};

/// A matrix with perspective on both axes.
const PERSPECTIVE: [f32; 16] =
    [0.9, 0.2, 5.0, 0.002, -0.3, 1.1, 6.0, -0.001, 7.0, 8.0, 9.0, 0.4, 100.0, -40.0, 3.0, 1.25];

/// Returns the exact image of a point.
fn projected([x, y]: [f64; 2]) -> [f64; 2] {
    let m = PERSPECTIVE.map(f64::from);
    let row = |i: usize| m[i] * x + m[i + 4] * y + m[i + 12];
    [row(0) / row(3), row(1) / row(3)]
}

#[test]
fn the_approximation_has_the_value_and_the_derivatives_at_its_point() {
    for point in [[0.0, 0.0], [50.0, -30.0], [-120.0, 90.0], [400.0, 1.5]] {
        let local = Affine::from_projected_at(PERSPECTIVE, point).unwrap();
        let at = point.map(f64::from);
        let map = |[x, y]: [f64; 2]| {
            [local.a * x + local.c * y + local.tx, local.b * x + local.d * y + local.ty]
        };
        let (exact, mapped) = (projected(at), map(at));
        assert!((0..2).all(|i| (exact[i] - mapped[i]).abs() < 1e-9), "{exact:?} {mapped:?}");
        // Central differences, whose error is of the third order.
        let step = 1e-3;
        for (axis, columns) in [(0, [local.a, local.b]), (1, [local.c, local.d])] {
            let moved = |by: f64| {
                let mut p = at;
                p[axis] += by;
                projected(p)
            };
            let (after, before) = (moved(step), moved(-step));
            for i in 0..2 {
                let slope = (after[i] - before[i]) / (2.0 * step);
                assert!((slope - columns[i]).abs() < 1e-7, "{slope} {columns:?}");
            }
        }
    }
}

#[test]
fn the_error_grows_with_the_square_of_the_distance() {
    let local = Affine::from_projected_at(PERSPECTIVE, [20.0, 10.0]).unwrap();
    let error = |distance: f64| {
        let (x, y) = (20.0 + distance, 10.0);
        let exact = projected([x, y]);
        (local.a * x + local.c * y + local.tx - exact[0]).abs()
    };
    let ratio = error(2.0) / error(1.0);
    assert!((3.9..4.1).contains(&ratio), "{ratio}");
}

#[test]
fn a_matrix_without_perspective_is_exact_at_every_point() {
    let mut m = PERSPECTIVE;
    (m[3], m[7]) = (0.0, 0.0);
    let exact = Affine::from_projected(m).unwrap();
    assert_eq!((exact.a, exact.ty), (f64::from(0.9_f32) / 1.25, -32.0));
    for point in [[0.0, 0.0], [1e6, -3.0]] {
        assert_eq!(Affine::from_projected_at(m, point), Ok(exact));
    }
}

#[test]
fn refusals_name_their_reason() {
    let reason = CallError::Perspective { x: 0.002, y: -0.001 };
    assert_eq!(Affine::from_projected(PERSPECTIVE), Err(reason));
    let behind = Affine::from_projected_at(PERSPECTIVE, [-1000.0, 0.0]);
    assert!(matches!(behind, Err(CallError::Behind { w }) if w < 0.0), "{behind:?}");
    let mut flat = PERSPECTIVE;
    (flat[3], flat[7], flat[15]) = (0.0, 0.0, 0.0);
    assert_eq!(Affine::from_projected(flat), Err(CallError::Behind { w: 0.0 }));
    let bad = Err(CallError::Transform);
    // The other numbers of the matrix do not decide where a flat point lies.
    for i in [0, 1, 3, 4, 5, 7, 12, 13, 15] {
        let mut m = PERSPECTIVE;
        m[i] = f32::NAN;
        assert_eq!(Affine::from_projected(m), bad);
        assert_eq!(Affine::from_projected_at(m, [0.0, 0.0]), bad);
    }
    assert_eq!(Affine::from_projected_at(PERSPECTIVE, [f32::INFINITY, 0.0]), bad);
    let huge = [f32::MAX; 16];
    assert!(Affine::from_projected_at(huge, [f32::MAX, f32::MAX]).is_ok_and(Affine::is_finite));
}
