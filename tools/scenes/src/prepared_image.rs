//! Sprites drawn beforehand as bytes, the second baseline of the benchmarks.

use hitmask::{MaskRef, Point, Rect};

/// A posed sprite drawn beforehand, one byte per pixel.
///
/// Two images are compared byte by byte, in row-major order, within the intersection of their
/// boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedImage {
    width: u32,
    height: u32,
    /// Alpha, row by row: 0 or 255.
    bytes: Vec<u8>,
}

impl PreparedImage {
    /// Returns the image of a mask, in the size of the mask.
    #[must_use]
    pub fn new(mask: MaskRef<'_>) -> Self {
        let (width, height) = (mask.width(), mask.height());
        let row = |y| (0..width as i32).map(move |x| if mask.get(x, y) { 255 } else { 0 });
        Self { width, height, bytes: (0..height as i32).flat_map(row).collect() }
    }

    /// Tests whether two images share a pixel. Stops at the first shared pixel.
    #[must_use]
    pub fn touches(&self, other: &Self, offset: impl Into<[i32; 2]>) -> bool {
        self.rows(other, Point::from(offset.into())).any(|(_, a, b)| a.iter().zip(b).any(both))
    }

    /// Returns the first shared pixel, from top to bottom and left to right.
    #[must_use]
    pub fn first_point(&self, other: &Self, offset: impl Into<[i32; 2]>) -> Option<Point> {
        self.rows(other, Point::from(offset.into())).find_map(|(corner, a, b)| {
            let x = a.iter().zip(b).position(both)?;
            Some(Point::new(corner.x + x as i32, corner.y))
        })
    }

    /// Returns the number of shared pixels.
    #[must_use]
    pub fn overlap_area(&self, other: &Self, offset: impl Into<[i32; 2]>) -> u64 {
        let count = |(_, a, b): (Point, &[u8], &[u8])| a.iter().zip(b).filter(|&p| both(p)).count();
        self.rows(other, Point::from(offset.into())).map(count).sum::<usize>() as u64
    }

    /// Returns box, area and first pixel of the overlap.
    #[must_use]
    pub fn contact(&self, other: &Self, offset: impl Into<[i32; 2]>) -> Option<(Rect, u64, Point)> {
        let mut found: Option<(Rect, u64, Point)> = None;
        for (Point { x, y }, a, b) in self.rows(other, Point::from(offset.into())) {
            let pixels = || a.iter().zip(b);
            let (Some(first), Some(last)) = (pixels().position(both), pixels().rposition(both))
            else {
                continue;
            };
            let (x0, x1) = (x + first as i32, x + last as i32 + 1);
            let (rect, area, _) =
                found.get_or_insert((Rect::new(x0, y, x1, y + 1), 0, Point::new(x0, y)));
            *rect = Rect::new(rect.x0.min(x0), rect.y0, rect.x1.max(x1), y + 1);
            *area += pixels().filter(|&p| both(p)).count() as u64;
        }
        found
    }

    /// Returns the rows of both images within the intersection of their boxes, and the start of
    /// each row.
    fn rows<'a>(
        &'a self,
        other: &'a Self,
        offset: Point,
    ) -> impl Iterator<Item = (Point, &'a [u8], &'a [u8])> {
        let end = |at: i32, side: u32| at.saturating_add(side as i32);
        let bounds = Rect::new(0, 0, self.width as i32, self.height as i32);
        let (x1, y1) = (end(offset.x, other.width), end(offset.y, other.height));
        let area = bounds.intersection(Rect::new(offset.x, offset.y, x1, y1)).unwrap_or_default();
        let row = move |image: &'a Self, x: i32, y: i32| {
            &image.bytes[y as usize * image.width as usize + x as usize..][..area.width() as usize]
        };
        (area.y0..area.y1).map(move |y| {
            let corner = Point::new(area.x0, y);
            (corner, row(self, area.x0, y), row(other, area.x0 - offset.x, y - offset.y))
        })
    }
}

fn both((a, b): (&u8, &u8)) -> bool {
    a & b != 0
}
