use super::normal::{Normal, Side, normal};
use super::push_out;
use crate::geom::Point;
use crate::mask::{Mask, MaskRef};
use crate::narrow::{Contact, OverlapPixels, ScanOrder};

/// Two masks that share pixels, and all that can be asked of it, found when it is asked.
///
/// Made by [`MaskRef::touch`], in the first mask's pixels, and by
/// [`World::touch`](crate::World::overlap), in the world's.
///
/// ```
/// use hitmask::{Mask, Point, Side};
/// let hero: Mask = ".##.\n####\n####\n####".parse()?;
/// let floor: Mask = "##########\n##########".parse()?;
/// let touch = hero.as_ref().overlap(&floor, [-3, 3]).unwrap();
/// assert_eq!((touch.contact().area, touch.centroid()), (4, [2.0, 3.5]));
/// assert_eq!((touch.side(), touch.push_out(), touch.depth()), (Side::Below, Point::new(0, -1), 1.0));
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'a> {
    a: MaskRef<'a>,
    b: MaskRef<'a>,
    /// From a's corner to b's.
    offset: Point,
    /// Where a's corner lies.
    at: Point,
    /// In a's pixels.
    contact: Contact,
}

impl<'a> MaskRef<'a> {
    /// All about the overlap of this mask and `other`, at `offset`; `None` where no pixel is set in
    /// both.
    #[must_use]
    pub fn overlap(
        self,
        other: impl Into<Self>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Overlap<'a>> {
        Overlap::new((self, Point::default()), (other.into(), Point::from(offset.into())))
    }
}

impl<'a> Overlap<'a> {
    /// Of two masks and where their corners lie.
    pub(crate) fn new(
        (a, at): (MaskRef<'a>, Point),
        (b, to): (MaskRef<'a>, Point),
    ) -> Option<Self> {
        let offset = to - at;
        Some(Self { a, b, offset, at, contact: a.contact(b, offset)? })
    }

    /// Box, area and first pixel.
    #[must_use]
    pub fn contact(&self) -> Contact {
        self.contact.translated(self.at)
    }

    /// The first shared pixel, by `order`.
    #[must_use]
    pub fn first(&self, order: ScanOrder) -> Point {
        // There is one: it was found before.
        self.a.first_overlap(order, self.b, self.offset).unwrap_or(self.contact.point) + self.at
    }

    /// Every shared pixel, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = Point> + use<'a> {
        let at = self.at;
        let pixels: OverlapPixels<'a> = self.a.overlap_pixels(self.b, self.offset);
        pixels.map(move |p| p + at)
    }

    /// The shared pixels as a mask, whose top-left pixel is that of the contact's box.
    #[must_use]
    pub fn mask(&self) -> Mask {
        let rect = self.contact.rect;
        let mut mask = self.a.cut(rect);
        mask.intersect(self.b, self.offset - Point::new(rect.x0, rect.y0));
        mask
    }

    /// The mean of the centres of the shared pixels.
    #[must_use]
    pub fn centroid(&self) -> [f32; 2] {
        let mask = self.a.overlap_mask(self.b, self.offset);
        let [x, y] = mask.centroid().unwrap_or_default().map(f64::from);
        [(x + f64::from(self.at.x)) as f32, (y + f64::from(self.at.y)) as f32]
    }

    /// Which way the first mask leaves the second most readily: see [`Normal`].
    #[must_use]
    pub fn normal(&self) -> Normal {
        // They touch, so there is one.
        normal(self.a, self.b, self.offset).unwrap_or(Normal { x: 0.0, y: -1.0 })
    }

    /// Where the second mask lies, seen from the first.
    #[must_use]
    pub fn side(&self) -> Side {
        self.normal().side()
    }

    /// The shortest translation of the first mask that parts them: see [`MaskRef::push_out`]. Searched for
    /// at each call, for longer than all else here, the deeper they are in each other and the larger.
    #[must_use]
    pub fn push_out(&self) -> Point {
        push_out::out(self.a, self.b, self.offset).unwrap_or_default()
    }

    /// The shortest translation of the first mask along a direction that parts them; `None` for
    /// the direction (0, 0). See [`MaskRef::push_along`].
    #[must_use]
    pub fn push_along(&self, direction: impl Into<[i32; 2]>) -> Option<Point> {
        push_out::along(self.a, self.b, self.offset, Point::from(direction.into()))
    }

    /// How deep they are in each other: the length of [`push_out`](Self::push_out) in pixels, and
    /// its cost.
    #[must_use]
    pub fn depth(&self) -> f32 {
        let Point { x, y } = self.push_out();
        let (x, y) = (f64::from(x), f64::from(y));
        (x * x + y * y).sqrt() as f32
    }
}
