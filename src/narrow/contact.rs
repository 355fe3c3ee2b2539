use crate::geom::{Point, Rect};

/// Where two sprites overlap, in mask pixels. [`World::touch`](crate::World::touch) gives normal, depth
/// and the shared pixels themselves, [`MaskRef::touch`](crate::MaskRef::touch) those of two masks.
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
    /// The middle of the box: on a pixel's edge or at its centre, and not always where pixels are.
    #[must_use]
    pub const fn center(&self) -> [f32; 2] {
        let Rect { x0, y0, x1, y1 } = self.rect;
        [((x0 as f64 + x1 as f64) / 2.0) as f32, ((y0 as f64 + y1 as f64) / 2.0) as f32]
    }

    /// The contact of two solid boxes that share `rect`, which is not empty.
    pub(crate) fn of_boxes(rect: Rect) -> Self {
        Self { rect, area: rect.area(), point: Point::new(rect.x0, rect.y0) }
    }

    /// The same contact, `by` farther to the right and down.
    pub(crate) fn translated(self, by: Point) -> Self {
        Self { rect: self.rect.translated(by), area: self.area, point: self.point + by }
    }
}
