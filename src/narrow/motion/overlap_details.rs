//! The details of an overlap: normal, side, depth, shared pixels.
//!
//! Called by users and by `World::overlap`.

use super::normal::{Normal, Side, normal};
use super::push_out;
use crate::geom::{Point, Rect};
use crate::mask::{Mask, MaskRef};
use crate::narrow::{Contact, OverlapPixels, ScanOrder};

/// The details of an overlap of two masks. Each is computed when it is asked for.
///
/// [`Mask::overlap`] returns it in the first mask's pixels,
/// [`World::overlap`](crate::World::overlap) in the world's mask pixels.
///
/// ```
/// use hitmask::{Mask, Point, Side};
/// let hero: Mask = ".##.\n####\n####\n####".parse()?;
/// let floor: Mask = "##########\n##########".parse()?;
/// let overlap = hero.overlap(&floor, [-3, 3]).unwrap();
/// assert_eq!((overlap.contact().area, overlap.centroid()), (4, [2.0, 3.5]));
/// assert_eq!((overlap.side(), overlap.push_out()), (Side::Below, Point::new(0, -1)));
/// assert_eq!(overlap.depth(), 1.0);
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'a> {
    a: MaskRef<'a>,
    b: MaskRef<'a>,
    /// From the corner of `a` to that of `b`.
    offset: Point,
    /// The position of the corner of `a`.
    at: Point,
    /// In the pixels of `a`.
    contact: Contact,
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the details of the overlap of this mask and `other`, at `offset`; `None` if no pixel
    /// is set in both.
    #[must_use]
    pub fn overlap<'a>(
        &'a self,
        other: impl Into<MaskRef<'a>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Overlap<'a>> {
        Overlap::new((self.as_ref(), Point::default()), (other.into(), Point::from(offset.into())))
    }
}

impl<'a> Overlap<'a> {
    /// Returns the overlap of two masks, given the positions of their corners.
    pub(crate) fn new(
        (a, at): (MaskRef<'a>, Point),
        (b, to): (MaskRef<'a>, Point),
    ) -> Option<Self> {
        let offset = to - at;
        Some(Self { a, b, offset, at, contact: a.contact(b, offset)? })
    }

    /// Returns the box, the area and the first pixel.
    #[must_use]
    pub fn contact(&self) -> Contact {
        self.contact.translated(self.at)
    }

    /// Returns the first shared pixel, by `order`.
    #[must_use]
    pub fn first(&self, order: ScanOrder) -> Point {
        // The constructor found one.
        self.a.first_overlap(order, self.b, self.offset).unwrap_or(self.contact.point) + self.at
    }

    /// Returns an iterator over the shared pixels, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = Point> + use<'a> {
        let at = self.at;
        let pixels = OverlapPixels::new(self.a, self.b, self.offset);
        pixels.map(move |p| p + at)
    }

    /// Returns the shared pixels as a mask, whose top-left pixel is that of the contact's box.
    #[must_use]
    pub fn mask(&self) -> Mask {
        let rect = self.contact.rect;
        let mut mask = self.a.cut(rect);
        mask.intersect(self.b, self.offset - Point::new(rect.x0, rect.y0));
        mask
    }

    /// Returns the mean of the centres of the shared pixels.
    #[must_use]
    pub fn centroid(&self) -> [f32; 2] {
        let Rect { x0, y0, .. } = self.contact.rect;
        let centroid = self.mask().as_ref().centroid_at(Point::new(x0, y0));
        let [x, y] = centroid.unwrap_or_default().map(f64::from);
        [(x + f64::from(self.at.x)) as f32, (y + f64::from(self.at.y)) as f32]
    }

    /// Returns the direction in which the overlap shrinks fastest: see [`Normal`]. Costs 4 times an
    /// [`overlap_area`](Mask::overlap_area). For a level overlap, as deep inside a mask, it is
    /// the direction of [`push_out`](Self::push_out).
    #[must_use]
    pub fn normal(&self) -> Normal {
        // The masks touch, so there is one.
        normal(self.a, self.b, self.offset).unwrap_or(Normal { x: 0.0, y: -1.0 })
    }

    /// Returns the side of the first mask on which the second lies.
    #[must_use]
    pub fn side(&self) -> Side {
        self.normal().side()
    }

    /// Returns the shortest translation of the first mask that ends the overlap: see
    /// [`Mask::push_out`]. The costliest question here: each call searches anew, and takes
    /// longer for deeper overlaps and larger masks.
    #[must_use]
    pub fn push_out(&self) -> Point {
        push_out::out(self.a, self.b, self.offset).unwrap_or_default()
    }

    /// Returns the shortest translation of the first mask along a direction that ends the overlap;
    /// `None` for the direction (0, 0). See [`Mask::push_along`].
    #[must_use]
    pub fn push_along(&self, direction: impl Into<[i32; 2]>) -> Option<Point> {
        push_out::along(self.a, self.b, self.offset, Point::from(direction.into()))
    }

    /// Returns the depth in pixels: the length of [`push_out`](Self::push_out), at the same cost.
    #[must_use]
    pub fn depth(&self) -> f32 {
        let Point { x, y } = self.push_out();
        let (x, y) = (f64::from(x), f64::from(y));
        (x * x + y * y).sqrt() as f32
    }
}
