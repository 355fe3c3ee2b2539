//! The outlines of a mask.

use super::mass::Mass;
use super::options::{Fit, ShapeOptions};
use super::rings::{Rings, Tracing, UNIT};
use super::simplify::{self, Outlines};
use crate::error::CallError;
use crate::geom::Rect;
use crate::mask::{Connectivity, Mask, MaskRef};

/// The outlines of a mask as valid polygons, with the options that made them.
///
/// Returned by [`Mask::shape`], and for a sprite of an atlas by [`Sprite::shape`](crate::Sprite::shape).
#[derive(Clone, Debug)]
pub struct Shape {
    pub(super) outlines: Outlines,
    pub(super) left_out: [u32; 2],
    pub(super) options: ShapeOptions,
}

/// An outer border with its holes, in output units. Corners are in order, and the last is joined to
/// the first.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapePolygon {
    /// The outer border. Its area is positive: clockwise on screen with y down, counterclockwise with
    /// y up.
    pub border: Vec<[f32; 2]>,
    /// The holes. Their area is negative.
    pub holes: Vec<Vec<[f32; 2]>>,
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the outlines of the set pixels as valid polygons within an error.
    ///
    /// Pixel (x, y) is the square from (x, y) to (x + 1, y + 1). No point of an outline is farther
    /// than `max_error` from the exact border of the pixels. The reverse holds too. All rings are
    /// simplified together: none crosses or touches itself or another, and holes lie inside their
    /// border. A hole or an island keeps 3 corners or more, however small it is, unless `min_area`
    /// leaves it out. It becomes a triangle only where that keeps three quarters of its area.
    ///
    /// Pixels that meet only at a corner are joined by a neck of at most 0.7 px, which lies in the
    /// clear pixels. With [`Fit::Inside`] they are separated by such a gap instead.
    ///
    /// An empty mask gives a shape without polygons. Costs about 10 us for a sprite of 64 px.
    ///
    /// ```
    /// use hitmask::{Mask, ShapeOptions};
    /// let disc = Mask::disc(20)?;
    /// let shape = disc.shape(1.0)?;
    /// assert_eq!(shape.polygons().len(), 1);
    /// assert!(shape.polygons()[0].border.len() < 20);
    /// // Convex pieces of at most 8 corners, in metres, with y up and the centre as origin.
    /// let options = ShapeOptions { scale: 0.02, y_up: true, origin: [20.0, 20.0], ..1.0.into() };
    /// let pieces = disc.shape(options)?.pieces();
    /// assert!(pieces.pieces.iter().all(|piece| piece.len() <= 8));
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::Number`] where an option is out of range or not a number.
    pub fn shape(&self, options: impl Into<ShapeOptions>) -> Result<Shape, CallError> {
        let (mask, options) = (self.as_ref(), options.into());
        options.check()?;
        let region = Rect::new(0, 0, mask.width() as i32, mask.height() as i32);
        Ok(Shape::of(mask, region, [0, 0], options))
    }
}

impl Shape {
    /// Returns the shape of the pixels in `region` of a mask that lies at `offset`. Options are
    /// checked before.
    pub(super) fn of(
        mask: MaskRef<'_>,
        region: Rect,
        offset: [i32; 2],
        options: ShapeOptions,
    ) -> Self {
        let (limit, gap) = simplify::limits(options.max_error);
        let connectivity = match options.fit {
            Fit::Nearest | Fit::Outside => Connectivity::Eight,
            Fit::Inside => Connectivity::Four,
        };
        let tracing = Tracing { connectivity, gap, min_area: options.min_area };
        let rings = Rings::of(mask, region, tracing);
        let outlines = Outlines::of(&rings, limit, options.fit, offset);
        Self { outlines, left_out: rings.left_out, options }
    }

    /// Returns the outer borders, each with its holes, in the order of their topmost edges.
    #[must_use]
    pub fn polygons(&self) -> Vec<ShapePolygon> {
        let polygon = |rings: &[usize]| ShapePolygon {
            border: self.corners(rings[0]),
            holes: rings[1..].iter().map(|&hole| self.corners(hole)).collect(),
        };
        self.groups().iter().map(|rings| polygon(rings)).collect()
    }

    /// Returns the number of islands and of holes that `min_area` left out.
    #[must_use]
    pub fn left_out(&self) -> [u32; 2] {
        self.left_out
    }

    /// Returns area, centroid and moment of inertia of the polygons.
    #[must_use]
    pub fn mass(&self) -> Mass {
        let corners: Vec<Vec<[f32; 2]>> =
            (0..self.outlines.rings.len()).map(|r| self.corners(r)).collect();
        Mass::of(corners.iter().map(|corners| &corners[..]))
    }

    /// Returns each border followed by its holes, as indices of rings.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let rings = &self.outlines.rings;
        let mut groups = Vec::new();
        let mut places = vec![0; rings.len()];
        for (index, ring) in rings.iter().enumerate() {
            if ring.border == index {
                places[index] = groups.len();
                groups.push(vec![index]);
            } else {
                let place: usize = places[ring.border];
                groups[place].push(index);
            }
        }
        groups
    }

    /// Returns the corners of a ring in output units.
    fn corners(&self, ring: usize) -> Vec<[f32; 2]> {
        self.output(self.outlines.ring(ring).iter().map(|corner| corner.at))
    }

    /// Converts the corners of a polygon to output units.
    pub(super) fn output(
        &self,
        corners: impl DoubleEndedIterator<Item = [i32; 2]>,
    ) -> Vec<[f32; 2]> {
        let ShapeOptions { scale, y_up, origin, .. } = self.options;
        let [scale, ox, oy] = [scale, origin[0], origin[1]].map(f64::from);
        let unit = f64::from(UNIT);
        let at = |[x, y]: [i32; 2]| {
            let (x, y) = ((f64::from(x) / unit - ox) * scale, (f64::from(y) / unit - oy) * scale);
            [x as f32, if y_up { -y } else { y } as f32]
        };
        // A mirrored polygon runs the other way round.
        if y_up { corners.rev().map(at).collect() } else { corners.map(at).collect() }
    }
}
