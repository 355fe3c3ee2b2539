//! Connected components by union-find over the runs of each row.
//!
//! Runs that touch a run of the row above join its tree; each tree is a component.
//!
//! Invariants: components are numbered in row-major order of their first run. `by_label` holds
//! every run exactly once.

use super::{Mask, MaskRef};
use crate::geom::{Point, Rect};

/// The rule that decides which pixels are neighbours.
///
/// ```
/// use hitmask::{Connectivity, Mask};
/// let diagonal: Mask = "#.\n.#".parse()?;
/// assert_eq!(diagonal.components(Connectivity::Four).iter().len(), 2);
/// assert_eq!(diagonal.components(Connectivity::Eight).iter().len(), 1);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Connectivity {
    /// Pixels that share an edge.
    Four,
    /// Pixels that share an edge or a corner.
    #[default]
    Eight,
}

/// A run of set pixels in row y, from column x0, included, to x1, excluded.
#[derive(Clone, Copy)]
struct LabelledRun {
    y: u32,
    x0: u32,
    x1: u32,
    /// The index of this or an earlier run of the same tree; at the end, of the component.
    label: u32,
}

/// The connected components of a mask, numbered from 0 in row-major order of their first pixel.
/// Returned by [`Mask::components`].
///
/// ```
/// use hitmask::{Connectivity, Mask};
/// let parts = "##..#".parse::<Mask>()?.components(Connectivity::Eight);
/// assert_eq!(parts.iter().map(|part| part.area()).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone)]
pub struct Components {
    /// In row-major order.
    runs: Vec<LabelledRun>,
    /// Indices into `runs`, grouped by component, ascending within each.
    by_label: Vec<u32>,
    parts: Vec<ComponentRuns>,
}

#[derive(Clone)]
struct ComponentRuns {
    rect: Rect,
    area: u64,
    /// Start of its runs in `by_label`, and their number.
    start: u32,
    runs: u32,
}

/// One connected component of a mask, borrowed from [`Components`].
///
/// ```
/// use hitmask::{Connectivity, Mask, Rect};
/// let parts = ".##".parse::<Mask>()?.components(Connectivity::Eight);
/// let part = parts.iter().next().unwrap();
/// assert_eq!((part.rect(), part.area()), (Rect::new(1, 0, 3, 1), 2));
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Component<'a> {
    all: &'a Components,
    index: usize,
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the connected components: maximal sets of set pixels joined by paths of set pixels.
    #[must_use]
    pub fn components(&self, connectivity: Connectivity) -> Components {
        fn of(mask: MaskRef<'_>, connectivity: Connectivity) -> Components {
            let mut runs: Vec<LabelledRun> = Vec::new();
            let (mut above, mut first) = (0, 0);
            for y in 0..mask.height() {
                for (x0, x1) in mask.runs(y) {
                    let label = runs.len() as u32;
                    runs.push(LabelledRun { y, x0, x1, label });
                    // Diagonal neighbours reach one pixel farther.
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
        of(self.as_ref(), connectivity)
    }
}

/// Returns the root of the tree of `run` and halves the path to it.
fn root(runs: &mut [LabelledRun], mut run: u32) -> u32 {
    while runs[run as usize].label != run {
        let parent = runs[run as usize].label;
        runs[run as usize].label = runs[parent as usize].label;
        run = parent;
    }
    run
}

/// Joins two trees; the earlier root stays the root.
fn join(runs: &mut [LabelledRun], a: u32, b: u32) {
    let (a, b) = (root(runs, a), root(runs, b));
    runs[a.max(b) as usize].label = a.min(b);
}

impl Mask {
    /// Sets the clear pixels that set pixels enclose: those from which no path of clear pixels leads to
    /// the edge of the mask. A path goes up, down, left and right.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let mut ring: Mask = ".##.\n#..#\n.##.".parse()?;
    /// ring.fill_holes();
    /// assert_eq!(ring.to_string(), ".##.\n####\n.##.\n");
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    pub fn fill_holes(&mut self) {
        let [right, bottom] = [self.width(), self.height()].map(|side| side as i32 + 1);
        // A frame of clear pixels connects all that is outside.
        let mut clear = self.as_ref().cut(Rect::new(-1, -1, right, bottom));
        clear.invert();
        let clear = clear.components(Connectivity::Four);
        if let Some(outside) = clear.at([0, 0]) {
            self.fill();
            self.erase(&outside.mask(), [-1, -1]);
        }
    }
}

impl Components {
    fn of(mut runs: Vec<LabelledRun>) -> Self {
        let mut parts: Vec<ComponentRuns> = Vec::new();
        // The parent of a run precedes it, so its label already is the component's number.
        for i in 0..runs.len() {
            let LabelledRun { y, x0, x1, label } = runs[i];
            let label =
                if label as usize == i { parts.len() as u32 } else { runs[label as usize].label };
            runs[i].label = label;
            let rect = Rect::new(x0 as i32, y as i32, x1 as i32, y as i32 + 1);
            if label as usize == parts.len() {
                parts.push(ComponentRuns { rect, area: 0, start: 0, runs: 0 });
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

    /// Returns all components in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Component<'_>> {
        (0..self.parts.len()).map(|index| Component { all: self, index })
    }

    /// Returns the component with the most pixels, the first of equals; `None` where there is none.
    #[must_use]
    pub fn largest(&self) -> Option<Component<'_>> {
        self.iter().reduce(|best, part| if part.area() > best.area() { part } else { best })
    }

    /// Returns the component of the pixel (x, y); `None` where the pixel is clear or outside.
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
    /// Returns the component's number among the components of its mask.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the tight box of the component, in the mask's pixels.
    #[must_use]
    pub fn rect(&self) -> Rect {
        self.part().rect
    }

    /// Returns the number of pixels.
    #[must_use]
    pub fn area(&self) -> u64 {
        self.part().area
    }

    /// Returns the pixels of this component alone, cropped to [`rect`](Self::rect). Pixel (0, 0) is
    /// that box's top-left pixel.
    #[must_use]
    pub fn mask(&self) -> Mask {
        let ComponentRuns { rect, start, runs, .. } = *self.part();
        let mut mask = Mask::clear_of(rect.width(), rect.height());
        for &run in &self.all.by_label[start as usize..][..runs as usize] {
            let LabelledRun { y, x0, x1, .. } = self.all.runs[run as usize];
            let (x0, x1, y) = (x0 as i32 - rect.x0, x1 as i32 - rect.x0, y as i32 - rect.y0);
            mask.fill_rect(Rect::new(x0, y, x1, y + 1), true);
        }
        mask
    }

    fn part(&self) -> &ComponentRuns {
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
        let ComponentRuns { rect, area, .. } = self.part();
        f.debug_struct("Component").field("rect", rect).field("area", area).finish()
    }
}
