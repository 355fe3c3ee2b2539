//! Area, centroid and moment of inertia of polygons.

/// The mass properties of polygons, for a density of 1.
///
/// ```
/// use hitmask::{Mass, Mask};
/// let mass = Mask::solid(4, 2)?.shape(1.0)?.mass();
/// assert_eq!((mass.area, mass.centroid), (8.0, [2.0, 1.0]));
/// // A rectangle of sides a and b: a * b * (a^2 + b^2) / 12.
/// assert!((mass.inertia - 8.0 * 20.0 / 12.0).abs() < 1e-9);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    /// The area in square output units.
    pub area: f64,
    /// The centroid in output units; the origin where the area is 0.
    pub centroid: [f64; 2],
    /// The moment of inertia about the centroid: the integral of the squared distance.
    pub inertia: f64,
}

impl Mass {
    /// Returns the mass properties of closed polygons: the sum of those with positive area, less
    /// those with negative area, which are holes.
    #[must_use]
    pub fn of<'a>(polygons: impl IntoIterator<Item = &'a [[f32; 2]]>) -> Self {
        let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
        // Moments about a corner of the polygons lose fewer digits than those about the origin.
        let mut base = None;
        for corners in polygons {
            let [bx, by] = *base.get_or_insert(corners.first().copied().unwrap_or_default());
            let at =
                |[x, y]: [f32; 2]| [f64::from(x) - f64::from(bx), f64::from(y) - f64::from(by)];
            let next = corners.iter().cycle().skip(1);
            for (&a, &b) in corners.iter().zip(next) {
                let ([ax, ay], [bx, by]) = (at(a), at(b));
                let cross = ax * by - ay * bx;
                area += cross / 2.0;
                first = [first[0] + cross * (ax + bx) / 6.0, first[1] + cross * (ay + by) / 6.0];
                let squares = |a: f64, b: f64| a * a + a * b + b * b;
                second += cross * (squares(ax, bx) + squares(ay, by)) / 12.0;
            }
        }
        if area == 0.0 {
            return Self::default();
        }
        let [bx, by] = base.unwrap_or_default().map(f64::from);
        let [x, y] = first.map(|moment| moment / area);
        Self { area, centroid: [bx + x, by + y], inertia: second - area * (x * x + y * y) }
    }
}
