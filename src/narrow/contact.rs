use crate::geom::{Point, Rect};

/// Where two sprites overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contact {
    /// The tight box round the pixels set in both.
    pub rect: Rect,
    /// Number of pixels set in both.
    pub area: u64,
    /// A pixel set in both: the topmost, and of those the leftmost.
    pub point: Point,
}

impl Contact {
    /// The contact of two solid boxes that share `rect`, which is not empty.
    pub(crate) fn of_boxes(rect: Rect) -> Self {
        Self { rect, area: rect.area(), point: Point::new(rect.x0, rect.y0) }
    }

    /// The same contact, `by` farther to the right and down.
    pub(crate) fn translated(self, by: Point) -> Self {
        let point =
            Point::new(self.point.x.saturating_add(by.x), self.point.y.saturating_add(by.y));
        Self { rect: self.rect.translated(by), area: self.area, point }
    }
}
