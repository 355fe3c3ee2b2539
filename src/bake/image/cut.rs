//! Cutting frames out of a page: a rectangle of it, turned back upright, put where it lay in the
//! frame before the packer trimmed it.

use super::still::Still;
use crate::bake::frame::Frame;
use crate::geom::Rect;
use crate::mask::Mask;
use crate::raster::Pivot;

/// How a packer turned an image before it laid it on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Turned {
    /// Not at all.
    #[default]
    Upright,
    /// A quarter clockwise.
    Clockwise,
    /// Half a turn.
    Half,
    /// A quarter counter-clockwise.
    Counter,
}

/// A frame on a page. The maker has checked that the rectangle lies on the page, and that its
/// pixels, turned back, lie in the frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cut {
    /// The rectangle's corner on the page.
    pub(super) from: [u32; 2],
    /// Its width and height on the page, that is, as it was turned.
    pub(super) size: [u32; 2],
    pub(super) turned: Turned,
    /// Where its corner lies in the frame, upright.
    pub(super) at: [u32; 2],
    /// Width and height of the untrimmed frame.
    pub(super) frame: [u32; 2],
    pub(super) pivot: Option<Pivot>,
}

impl Cut {
    /// A rectangle that is a whole frame.
    pub(super) fn whole(from: [u32; 2], size: [u32; 2]) -> Self {
        let (turned, at, pivot) = (Turned::Upright, [0, 0], None);
        Self { from, size, turned, at, frame: size, pivot }
    }

    /// The frame, cut out of a page's image.
    pub(super) fn frame(&self, page: &Still) -> Frame {
        let planes = page.planes.iter().map(|(name, mask)| (name.clone(), self.mask(mask)));
        Frame {
            planes: planes.collect(),
            pivot: self.pivot,
            seen: Some(self.mask(&page.seen).count()),
        }
    }

    fn mask(&self, page: &Mask) -> Mask {
        let cut = cropped(page, self.from.map(|v| v as i32), self.size);
        let upright = match self.turned {
            Turned::Upright => cut,
            Turned::Clockwise => cut.quarter_turned().quarter_turned().quarter_turned(),
            Turned::Half => cut.flip_x().flip_y(),
            Turned::Counter => cut.quarter_turned(),
        };
        if [upright.width(), upright.height()] == self.frame {
            return upright;
        }
        cropped(&upright, self.at.map(|v| -(v as i32)), self.frame)
    }
}

/// The `size` pixels of `mask` from the pixel `from` on; those outside of it are clear. All numbers
/// are within the longest side of a mask.
fn cropped(mask: &Mask, [x, y]: [i32; 2], [width, height]: [u32; 2]) -> Mask {
    let area = Rect::new(x, y, x + width as i32, y + height as i32);
    mask.cropped(area).unwrap_or_else(|_| Mask::empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::dotted;

    #[test]
    fn a_cut_shows_the_rectangle_upright_where_it_lay_in_the_frame() {
        let page = dotted(200, 150);
        for (from, [w, h], at, frame) in [
            ([0, 0], [200, 150], [0, 0], [200, 150]),
            ([3, 5], [70, 20], [0, 0], [70, 20]),
            ([63, 1], [65, 64], [1, 2], [80, 90]),
            ([130, 149], [1, 1], [64, 0], [65, 1]),
            ([10, 10], [0, 0], [5, 5], [9, 9]),
        ] {
            for turned in [Turned::Upright, Turned::Clockwise, Turned::Half, Turned::Counter] {
                // On the page the rectangle lies as it was turned.
                let size =
                    if matches!(turned, Turned::Upright | Turned::Half) { [w, h] } else { [h, w] };
                if from[0] + size[0] > 200 || from[1] + size[1] > 150 {
                    continue;
                }
                let cut = Cut { from, size, turned, at, frame, pivot: None };
                let mask = cut.mask(&page);
                assert_eq!([mask.width(), mask.height()], frame);
                for y in 0..frame[1] as i32 {
                    for x in 0..frame[0] as i32 {
                        // The pixel (i, j) of the upright image, and where the packer put it.
                        let (i, j) = (x - at[0] as i32, y - at[1] as i32);
                        let (w, h) = (w as i32, h as i32);
                        let inside = (0..w).contains(&i) && (0..h).contains(&j);
                        let (u, v) = match turned {
                            Turned::Upright => (i, j),
                            Turned::Clockwise => (h - 1 - j, i),
                            Turned::Half => (w - 1 - i, h - 1 - j),
                            Turned::Counter => (j, w - 1 - i),
                        };
                        let truth = inside && page.get(from[0] as i32 + u, from[1] as i32 + v);
                        assert_eq!(mask.get(x, y), truth, "{cut:?} at {x}, {y}");
                    }
                }
            }
        }
    }
}
