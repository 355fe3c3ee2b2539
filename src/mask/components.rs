//! Connected components, from the runs of each row: runs that touch those of the row above join
//! their trees (union-find), and each tree is a component.

use super::{Mask, MaskRef};
use crate::geom::{Point, Rect};

/// Which pixels are neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Connectivity {
    /// Pixels that share an edge.
    Four,
    /// Pixels that share an edge or a corner.
    #[default]
    Eight,
}

/// A run of set pixels of row y, from column x0 up to, not including, x1.
#[derive(Clone, Copy)]
struct Run {
    y: u32,
    x0: u32,
    x1: u32,
    /// While components are sought, a run of the same one, earlier or itself; then the component.
    label: u32,
}

/// The connected components of a mask, numbered from 0 in the order in which reading the mask row
/// by row meets them. Made by [`MaskRef::components`].
#[derive(Clone)]
pub struct Components {
    /// Row by row, from the left.
    runs: Vec<Run>,
    /// The runs by component, in order within each.
    by_label: Vec<u32>,
    parts: Vec<Part>,
}

#[derive(Clone)]
struct Part {
    rect: Rect,
    area: u64,
    /// Where its runs start in `by_label`, and their number.
    start: u32,
    runs: u32,
}

/// One of the [`Components`] of a mask.
#[derive(Clone, Copy)]
pub struct Component<'a> {
    all: &'a Components,
    index: usize,
}

impl MaskRef<'_> {
    /// The connected components: islands of set pixels that no path of set pixels joins.
    ///
    /// ```
    /// use hitmask::{Connectivity, Mask, Rect};
    /// let mask: Mask = "
    ///     .##..#
    ///     ...#..
    /// ".parse()?;
    /// assert_eq!(mask.components(Connectivity::Four).len(), 3);
    /// let parts = mask.components(Connectivity::Eight); // corners connect
    /// let rects: Vec<Rect> = parts.iter().map(|part| part.rect()).collect();
    /// assert_eq!(rects, [Rect::new(1, 0, 4, 2), Rect::new(5, 0, 6, 1)]);
    /// assert_eq!(parts.largest().unwrap().mask().to_string(), "##.\n..#\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn components(self, connectivity: Connectivity) -> Components {
        let mut runs: Vec<Run> = Vec::new();
        let (mut above, mut first) = (0, 0);
        for y in 0..self.height() {
            for (x0, x1) in self.runs(y) {
                let label = runs.len() as u32;
                runs.push(Run { y, x0, x1, label });
                // Corners reach one pixel farther.
                let corner = u32::from(connectivity == Connectivity::Eight);
                while above < first && runs[above].x1 + corner <= x0 {
                    above += 1;
                }
                let mut other = above;
                while other < first && runs[other].x0 < x1 + corner {
                    join(&mut runs, other as u32, label);
                    other += 1;
                }
            }
            (above, first) = (first, runs.len());
        }
        Components::of(runs)
    }
}

/// The first run of the tree that `run` is in; halves the path to it for the next time.
fn root(runs: &mut [Run], mut run: u32) -> u32 {
    while runs[run as usize].label != run {
        let parent = runs[run as usize].label;
        runs[run as usize].label = runs[parent as usize].label;
        run = parent;
    }
    run
}

/// Makes one tree of two, with the earlier root.
fn join(runs: &mut [Run], a: u32, b: u32) {
    let (a, b) = (root(runs, a), root(runs, b));
    runs[a.max(b) as usize].label = a.min(b);
}

impl Components {
    /// From runs whose labels are the trees.
    fn of(mut runs: Vec<Run>) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        // A run's parent comes before it, so that its label is already the component's number.
        for i in 0..runs.len() {
            let Run { y, x0, x1, label } = runs[i];
            let label =
                if label as usize == i { parts.len() as u32 } else { runs[label as usize].label };
            runs[i].label = label;
            let rect = Rect::new(x0 as i32, y as i32, x1 as i32, y as i32 + 1);
            if label as usize == parts.len() {
                parts.push(Part { rect, area: 0, start: 0, runs: 0 });
            }
            let part = &mut parts[label as usize];
            part.rect.x0 = part.rect.x0.min(rect.x0);
            part.rect.x1 = part.rect.x1.max(rect.x1);
            part.rect.y1 = rect.y1;
            part.area += rect.area();
            part.runs += 1;
        }
        let mut start = 0;
        for part in &mut parts {
            part.start = start;
            start += part.runs;
        }
        let mut next: Vec<u32> = parts.iter().map(|part| part.start).collect();
        let mut by_label = vec![0; runs.len()];
        for (i, run) in (0..).zip(&runs) {
            let place = &mut next[run.label as usize];
            by_label[*place as usize] = i;
            *place += 1;
        }
        Self { runs, by_label, parts }
    }

    /// Their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// True where the mask has no set pixel.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The component of this number; `None` where there are not so many.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Component<'_>> {
        (index < self.len()).then_some(Component { all: self, index })
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Component<'_>> {
        (0..self.len()).map(|index| Component { all: self, index })
    }

    /// Those of at least `pixels` pixels, in order: the rest is dust.
    pub fn at_least(&self, pixels: u64) -> impl Iterator<Item = Component<'_>> {
        self.iter().filter(move |part| part.area() >= pixels)
    }

    /// The one with the most pixels, and of equal ones the first; `None` where there is none.
    #[must_use]
    pub fn largest(&self) -> Option<Component<'_>> {
        self.iter().reduce(|best, part| if part.area() > best.area() { part } else { best })
    }

    /// The one that the pixel (x, y) belongs to; `None` where it is clear or outside.
    #[must_use]
    pub fn at(&self, pixel: impl Into<[i32; 2]>) -> Option<Component<'_>> {
        let pixel = Point::from(pixel.into());
        let (Ok(x), Ok(y)) = (u32::try_from(pixel.x), u32::try_from(pixel.y)) else { return None };
        let past = self.runs.partition_point(|run| (run.y, run.x0) <= (y, x));
        let run = self.runs[..past].last().filter(|run| run.y == y && x < run.x1)?;
        Some(Component { all: self, index: run.label as usize })
    }
}

impl Component<'_> {
    /// Its number among the components of its mask.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The tight box round it, in the mask's pixels.
    #[must_use]
    pub fn rect(&self) -> Rect {
        self.part().rect
    }

    /// Number of its pixels.
    #[must_use]
    pub fn area(&self) -> u64 {
        self.part().area
    }

    /// Its pixels alone, cut down to [`rect`](Self::rect): pixel (0, 0) is that box's top-left.
    #[must_use]
    pub fn mask(&self) -> Mask {
        let Part { rect, start, runs, .. } = *self.part();
        let mut mask = Mask::clear_of(rect.width(), rect.height());
        for &run in &self.all.by_label[start as usize..][..runs as usize] {
            let Run { y, x0, x1, .. } = self.all.runs[run as usize];
            let (x0, x1, y) = (x0 as i32 - rect.x0, x1 as i32 - rect.x0, y as i32 - rect.y0);
            mask.fill_rect(Rect::new(x0, y, x1, y + 1), true);
        }
        mask
    }

    fn part(&self) -> &Part {
        &self.all.parts[self.index]
    }
}

impl std::fmt::Debug for Components {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl std::fmt::Debug for Component<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Part { rect, area, .. } = self.part();
        f.debug_struct("Component").field("rect", rect).field("area", area).finish()
    }
}

impl Mask {
    /// As [`MaskRef::components`].
    #[must_use]
    pub fn components(&self, connectivity: Connectivity) -> Components {
        self.as_ref().components(connectivity)
    }
}
