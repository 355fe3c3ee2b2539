//! The details of an overlap: normal, side, depth, shared pixels; and overlaps in another space,
//! such as that of a parent.
//!
//! Called by users and by `PairRef::overlap`. A coordinate in another space is mapped in f64 and
//! rounded once, so pixels far from the origin of the world lose nothing.

use super::normal::{Normal, slope};
use super::push_out;
use crate::geom::{Affine, Point, Rect};
use crate::mask::{Mask, MaskRef};
use crate::narrow::{Contact, OverlapPixels};

/// The details of an overlap of two masks. Each is computed when it is asked for.
///
/// [`Mask::overlap`] returns it in the first mask's pixels,
/// [`PairRef::overlap`](crate::PairRef::overlap) in the world's mask pixels.
///
/// ```
/// use hitmask::{Mask, Point, Side};
/// let hero: Mask = ".##.\n####\n####\n####".parse()?;
/// let floor: Mask = "##########\n##########".parse()?;
/// let overlap = hero.overlap(&floor, [-3, 3]).unwrap();
/// assert_eq!((overlap.contact().area, overlap.centroid()), (4, [2.0, 3.5]));
/// assert_eq!((overlap.normal().side(), overlap.push_out()), (Side::Below, Point::new(0, -1)));
/// assert_eq!(overlap.depth(), 1.0);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'a> {
    a: MaskRef<'a>,
    b: MaskRef<'a>,
    /// From the corner of `a` to that of `b`.
    offset: Point,
    /// The position of the corner of `a`.
    at: Point,
    contact: Contact,
    /// True if ways out are searched from the second mask.
    is_reversed: bool,
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
        Some(Self { a, b, offset, at, contact: a.contact(b, offset)?, is_reversed: false })
    }

    /// Returns the overlap with ways out of `b` reversed, if so told. A pair that is asked in both
    /// orders, once reversed, has opposite answers even where several ways are shortest.
    pub(crate) const fn reversed(self, is_reversed: bool) -> Self {
        Self { is_reversed, ..self }
    }

    /// Returns the box, the area and the first pixel.
    #[must_use]
    pub fn contact(&self) -> Contact {
        self.contact.translated(self.at)
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
        let level = || {
            let Point { x, y } = self.push_out();
            // The masks touch, so there is one.
            Normal::along(x.into(), y.into()).unwrap_or(Normal { x: 0.0, y: -1.0 })
        };
        slope(self.a, self.b, self.offset).unwrap_or_else(level)
    }

    /// Returns the shortest translation of the first mask that ends the overlap: see
    /// [`Mask::push_out`]. The costliest question here: each call searches anew, and takes
    /// longer for deeper overlaps and larger masks.
    #[must_use]
    pub fn push_out(&self) -> Point {
        let zero = Point::default();
        match self.is_reversed {
            true => zero - push_out::out(self.b, self.a, zero - self.offset).unwrap_or_default(),
            false => push_out::out(self.a, self.b, self.offset).unwrap_or_default(),
        }
    }

    /// Returns the depth in pixels: the length of [`push_out`](Self::push_out), at the same cost.
    #[must_use]
    pub fn depth(&self) -> f32 {
        let Point { x, y } = self.push_out();
        let (x, y) = (f64::from(x), f64::from(y));
        (x * x + y * y).sqrt() as f32
    }
}

/// A [`Contact`] in another space: see [`Contact::in_space`].
///
/// ```
/// use hitmask::{Affine, Mask};
/// let solid = Mask::solid(4, 4)?;
/// let contact = solid.contact(&solid, [2, 2]).unwrap();
/// // The parent is at (10, 0) and twice as large as the world.
/// let parent = Affine::translation([10.0, 0.0]) * Affine::scale([2.0, 2.0]);
/// let local = contact.in_space(parent).unwrap();
/// assert_eq!(local.bounds(), [[-4.0, 1.0], [-3.0, 2.0]]);
/// assert_eq!(local.point, [-3.75, 1.25]);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocalContact {
    /// The corners of [`Contact::rect`]: those at (x0, y0), (x1, y0), (x1, y1) and (x0, y1). Under
    /// a rotation they form a rotated rectangle.
    pub corners: [[f32; 2]; 4],
    /// The centre of the pixel [`Contact::point`].
    pub point: [f32; 2],
    /// The number of shared pixels, as in the world.
    pub area: u64,
}

/// The pixels and the way out of an [`Overlap`] in another space: see [`Overlap::in_space`]. [`Contact::in_space`]
/// gives its box.
///
/// ```
/// use hitmask::{Affine, Mask};
/// let (hero, floor) = (Mask::solid(4, 4)?, Mask::solid(20, 4)?);
/// let overlap = hero.overlap(&floor, [-8, 3]).unwrap();
/// // The parent is turned by a quarter: its x axis points down.
/// let parent = Affine::rotation(std::f32::consts::FRAC_PI_2);
/// let local = overlap.in_space(parent).unwrap();
/// let [x, y] = local.push_out();
/// assert!((x + 1.0).abs() < 1e-6 && y.abs() < 1e-6);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LocalOverlap<'a> {
    overlap: Overlap<'a>,
    /// Maps the pixels of the overlap to the space.
    from_pixels: Affine,
}

impl Contact {
    /// Returns the contact in the coordinates of a space, such as a parent. `space` maps the
    /// coordinates of the space to those of this contact, as the transform of a parent in the world
    /// does. Returns `None` where `space` is singular or not finite.
    ///
    /// Contacts are in mask pixels. For an atlas of another resolution than 1, give
    /// `Affine::scale([r, r]) * parent`, where r is the resolution.
    #[must_use]
    pub fn in_space(&self, space: Affine) -> Option<LocalContact> {
        let from_pixels = space.inverse()?;
        let Rect { x0, y0, x1, y1 } = self.rect;
        let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
        Some(LocalContact {
            corners: corners.map(|corner| from_pixels.map(corner.map(f64::from))),
            point: center(from_pixels, self.point),
            area: self.area,
        })
    }
}

/// Returns the image of the centre of a pixel.
fn center(from_pixels: Affine, Point { x, y }: Point) -> [f32; 2] {
    from_pixels.map([f64::from(x) + 0.5, f64::from(y) + 0.5])
}

impl LocalContact {
    /// Returns the least and the greatest x and y of the [corners](Self::corners): the box around
    /// them along the axes of the space.
    #[must_use]
    pub fn bounds(&self) -> [[f32; 2]; 2] {
        let by = |pick: fn(f32, f32) -> f32| {
            self.corners.into_iter().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
        };
        [by(f32::min).unwrap_or_default(), by(f32::max).unwrap_or_default()]
    }
}

impl<'a> Overlap<'a> {
    /// Returns the overlap in the coordinates of a space, such as a parent. `space` maps the
    /// coordinates of the space to those of this overlap, as the transform of a parent in the world
    /// does. Returns `None` where `space` is singular or not finite.
    ///
    /// Overlaps are in mask pixels. For an atlas of another resolution than 1, give
    /// `Affine::scale([r, r]) * parent`, where r is the resolution.
    #[must_use]
    pub fn in_space(&self, space: Affine) -> Option<LocalOverlap<'a>> {
        Some(LocalOverlap { overlap: *self, from_pixels: space.inverse()? })
    }
}

impl<'a> LocalOverlap<'a> {
    /// Returns an iterator over the centres of the shared pixels, in the order of
    /// [`Overlap::pixels`].
    pub fn pixels(&self) -> impl Iterator<Item = [f32; 2]> + use<'a> {
        let from_pixels = self.from_pixels;
        self.overlap.pixels().map(move |pixel| center(from_pixels, pixel))
    }

    /// Returns the image of [`Overlap::push_out`]: the translation to add to a position in the
    /// space. At the same cost.
    #[must_use]
    pub fn push_out(&self) -> [f32; 2] {
        let Point { x, y } = self.overlap.push_out();
        self.from_pixels.linear().map([x, y].map(f64::from))
    }
}
