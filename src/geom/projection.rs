//! Affine transforms from 4 x 4 projection matrices, for flat objects rotated in space.
//!
//! Called by users. The result is drawn by `raster`, or split into a pose.
//!
//! Invariants: a result is finite. A matrix without perspective is reproduced exactly.

use super::Affine;
use crate::error::CallError;

/// The entries that map the plane z = 0. The others only affect depth.
const USED: [usize; 9] = [0, 1, 3, 4, 5, 7, 12, 13, 15];

impl Affine {
    /// Returns the effect of a column-major 4 x 4 matrix on the plane z = 0: the projection of a
    /// flat object rotated in space. The 7 entries that only affect depth are ignored.
    ///
    /// The order of the 16 numbers is that of CSS `matrix3d()` and of Flash's `Matrix3D.rawData`:
    /// the translation is at 12 and 13.
    ///
    /// # Errors
    /// [`CallError::Perspective`] for a matrix with perspective, which no affine transform
    /// reproduces: see [`from_projected_at`](Self::from_projected_at).
    /// [`CallError::Behind`] where the divisor w is 0. [`CallError::Transform`] for a
    /// result that is not finite.
    ///
    /// ```
    /// use hitmask::Affine;
    /// // A rotation by 60 degrees about the vertical axis halves the width.
    /// let (c, s) = (0.5, 0.866);
    /// let turned = [c, 0., -s, 0., 0., 1., 0., 0., s, 0., c, 0., 100., 50., -7., 1.];
    /// let flat = Affine::from_projected(turned)?;
    /// assert_eq!(flat, Affine::translation([100.0, 50.0]) * Affine::scale([0.5, 1.0]));
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    pub fn from_projected(matrix: [f32; 16]) -> Result<Self, CallError> {
        let (x, y) = (matrix[3], matrix[7]);
        if !USED.iter().all(|&i| matrix[i].is_finite()) {
            return Err(CallError::Transform);
        }
        if x != 0.0 || y != 0.0 {
            return Err(CallError::Perspective { x, y });
        }
        let m = matrix.map(f64::from);
        let w = m[15];
        if w == 0.0 {
            return Err(CallError::Behind { w: 0.0 });
        }
        let [a, b, c, d, tx, ty] = [m[0], m[1], m[4], m[5], m[12], m[13]].map(|v| v / w);
        let flat = Self { a, b, c, d, tx, ty };
        if flat.is_finite() { Ok(flat) } else { Err(CallError::Transform) }
    }

    /// Returns the affine transform closest to a column-major 4 x 4 matrix around a point of the
    /// plane z = 0. `point` is in the coordinates of the object, such as its pivot.
    ///
    /// `point` itself is mapped exactly, and so are directions and scales at it. Lost is
    /// perspective: parallel edges stay parallel, and the far side is as large as the near side.
    /// The error grows with the square of the distance from `point`. For a matrix without
    /// perspective the result is that of [`from_projected`](Self::from_projected).
    ///
    /// A 3 x 3 homography is a 4 x 4 matrix whose row and column 2 are those of the identity.
    ///
    /// # Errors
    /// [`CallError::Behind`] for a point that is not in front of the viewer.
    /// [`CallError::Transform`] for a result that is not finite.
    ///
    /// ```
    /// use hitmask::{Affine, CallError};
    /// // CSS: perspective(200px) rotateY(60deg).
    /// let (c, s) = (0.5, 0.866);
    /// let card = [c, 0., -s, s / 200., 0., 1., 0., 0., s, 0., c, -c / 200., 0., 0., 0., 1.];
    /// assert!(matches!(Affine::from_projected(card), Err(CallError::Perspective { .. })));
    /// let near = Affine::from_projected_at(card, [-100.0, 0.0])?;
    /// let far = Affine::from_projected_at(card, [100.0, 0.0])?;
    /// assert!(near.d > 1.7 && far.d < 0.7);
    /// # Ok::<(), CallError>(())
    /// ```
    pub fn from_projected_at(
        matrix: [f32; 16],
        point: impl Into<[f32; 2]>,
    ) -> Result<Self, CallError> {
        let point = point.into();
        if !point.iter().all(|p| p.is_finite()) {
            return Err(CallError::Transform);
        }
        match Self::from_projected(matrix) {
            Err(CallError::Perspective { .. }) => {}
            exact => return exact,
        }
        let m = matrix.map(f64::from);
        let [px, py] = point.map(f64::from);
        let row = |i: usize| m[i] * px + m[i + 4] * py + m[i + 12];
        let w = row(3);
        // The inputs are finite, and f64 holds the products of three of them.
        if w <= 0.0 {
            return Err(CallError::Behind { w: w as f32 });
        }
        let [x, y] = [row(0) / w, row(1) / w];
        // The derivative of a quotient, by each coordinate of the point.
        let along = |entry: f64, image: f64, w_along: f64| (entry - image * w_along) / w;
        let [a, b] = [along(m[0], x, m[3]), along(m[1], y, m[3])];
        let [c, d] = [along(m[4], x, m[7]), along(m[5], y, m[7])];
        let (tx, ty) = (x - a * px - c * py, y - b * px - d * py);
        let local = Self { a, b, c, d, tx, ty };
        if local.is_finite() { Ok(local) } else { Err(CallError::Transform) }
    }
}
