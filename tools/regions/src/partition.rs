//! [`Partition`]: which region of the plane belongs to which process. Every process holds an equal copy.

use hitmask::{Point, Rect};
use rustc_hash::FxHashMap as HashMap;
use serde::{Deserialize, Serialize};

/// Number of a region, never used twice in a run.
pub(crate) type RegionId = u32;

/// The whole plane.
const PLANE: Rect = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);

/// Regions of fewer colliders are not split, unless a process would have no region.
const MIN_SPLIT: u64 = 16;

/// One region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Leaf {
    pub(crate) region: RegionId,
    pub(crate) process: u16,
    pub(crate) rect: Rect,
}

/// A tree of cuts, stored in depth-first order. Regions close to each other in this order are mostly neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Node {
    /// `low` holds the pixels whose coordinate on the axis (0 for x, 1 for y) is below `at`.
    Cut {
        axis: u8,
        at: i32,
        low: Box<Self>,
        high: Box<Self>,
    },
    Leaf(Leaf),
}

/// What a process tells of a region of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Load {
    pub(crate) region: RegionId,
    /// Number of colliders whose home it is.
    pub(crate) colliders: u64,
    /// The cut that halves them: axis and coordinate; `None` if no cut does.
    pub(crate) cut: Option<(u8, i32)>,
}

/// The regions of a plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Partition {
    root: Node,
    /// The processes that have regions, in order.
    pub(crate) owners: Vec<u16>,
    per_process: u16,
    next: RegionId,
}

impl Partition {
    /// Divides `bounds`, where most colliders are expected, evenly into `per_process` regions for each process.
    /// The regions at its sides reach to the ends of the plane.
    pub(crate) fn new(bounds: Rect, processes: u16, per_process: u16) -> Self {
        let first = Leaf { region: 0, process: 0, rect: PLANE };
        let owners = (0..processes).collect();
        let mut partition = Self { root: Node::Leaf(first), owners, per_process, next: 1 };
        let count = u32::from(processes) * u32::from(per_process);
        partition.root = partition.even(bounds, PLANE, count);
        partition.assign(&HashMap::default(), false);
        partition
    }

    fn even(&mut self, bounds: Rect, rect: Rect, count: u32) -> Node {
        let axis = u8::from(bounds.height() > bounds.width());
        let side = if axis == 0 { bounds.width() } else { bounds.height() };
        if count < 2 || side < 2 {
            let region = self.next;
            self.next += 1;
            return Node::Leaf(Leaf { region, process: 0, rect });
        }
        let low_count = count / 2;
        let from = if axis == 0 { bounds.x0 } else { bounds.y0 };
        let at = from + (u64::from(side) * u64::from(low_count) / u64::from(count)).max(1) as i32;
        let [(low, low_bounds), (high, high_bounds)] =
            [false, true].map(|high| (half(rect, axis, at, high), half(bounds, axis, at, high)));
        let low = Box::new(self.even(low_bounds, low, low_count));
        let high = Box::new(self.even(high_bounds, high, count - low_count));
        Node::Cut { axis, at, low, high }
    }

    /// Returns the regions, in depth-first order.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = Leaf> {
        let mut left = vec![&self.root];
        std::iter::from_fn(move || {
            let mut node = left.pop()?;
            while let Node::Cut { low, high, .. } = node {
                left.push(high);
                node = low;
            }
            let Node::Leaf(leaf) = node else { unreachable!("a node is a cut or a leaf") };
            Some(*leaf)
        })
    }

    /// Returns the region that contains a pixel. The last row and column of the plane count as the ones before.
    pub(crate) fn at(&self, pixel: Point) -> Leaf {
        let mut node = &self.root;
        loop {
            match node {
                Node::Leaf(leaf) => return *leaf,
                Node::Cut { axis, at, low, high } => {
                    let value = if *axis == 0 { pixel.x } else { pixel.y };
                    node = if value < *at { low } else { high };
                }
            }
        }
    }

    /// Calls `found` for each region that shares a pixel with `rect`, in depth-first order.
    pub(crate) fn overlapping(&self, rect: Rect, mut found: impl FnMut(Leaf)) {
        let mut left = vec![&self.root];
        while let Some(node) = left.pop() {
            match node {
                Node::Leaf(leaf) => found(*leaf),
                Node::Cut { axis, at, low, high } => {
                    let [from, to] =
                        if *axis == 0 { [rect.x0, rect.x1] } else { [rect.y0, rect.y1] };
                    if to > *at {
                        left.push(high);
                    }
                    if from < *at {
                        left.push(low);
                    }
                }
            }
        }
    }

    /// Returns the processes with a region that shares a pixel with `rect`, in order.
    pub(crate) fn processes(&self, rect: Rect) -> Vec<u16> {
        let mut processes = Vec::new();
        self.overlapping(rect, |leaf| processes.push(leaf.process));
        processes.sort_unstable();
        processes.dedup();
        processes
    }

    /// Returns the home of a collider with these bounds, and the other regions that see it with this halo. The home
    /// contains the top-left pixel. Most colliders have no ghost, which the home alone tells.
    pub(crate) fn places(&self, bounds: Rect, halo: i32) -> (Leaf, Vec<Leaf>) {
        let home = self.at(Point::new(bounds.x0, bounds.y0));
        let near = grown(bounds, halo);
        let mut ghosts = Vec::new();
        if !holds(home.rect, near) {
            self.overlapping(near, |leaf| {
                if leaf.region != home.region {
                    ghosts.push(leaf);
                }
            });
        }
        (home, ghosts)
    }

    /// Returns the processes with a region within `margin` of one of `process`, in order. `before` is a partition whose
    /// regions count too.
    pub(crate) fn near(&self, before: Option<&Self>, process: u16, margin: i32) -> Vec<u16> {
        let mut found = Vec::new();
        for one in before.into_iter().chain([self]) {
            for leaf in one.leaves().filter(|leaf| leaf.process == process) {
                let around = grown(leaf.rect, margin);
                for other in before.into_iter().chain([self]) {
                    found.extend(other.processes(around));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&other| other != process);
        found
    }

    /// Follows the loads: splits and merges regions, and gives them to processes. Returns whether anything
    /// changed. Every process passes the loads of all regions, so that all copies stay equal.
    ///
    /// A region that moves to another process, and one that is merged of two, has a new number. Of a region
    /// that is split, the lower part keeps it.
    pub(crate) fn rebalance(&mut self, loads: &[Load]) -> bool {
        let total: u64 = loads.iter().map(|load| load.colliders).sum();
        let cuts: HashMap<RegionId, (u8, i32)> =
            loads.iter().filter_map(|load| Some((load.region, load.cut?))).collect();
        let mut colliders: HashMap<RegionId, u64> =
            loads.iter().map(|load| (load.region, load.colliders)).collect();
        let before = self.clone();
        let owners = self.owners.len() as u64;
        let regions = owners * u64::from(self.per_process);
        let ideal = (total / regions).max(1);
        let mut count = self.leaves().count() as u64;
        let mut root = std::mem::replace(
            &mut self.root,
            Node::Leaf(Leaf { region: 0, process: 0, rect: PLANE }),
        );
        root.visit(&mut |node| match node {
            Node::Leaf(leaf) => {
                let all = colliders.get(&leaf.region).copied().unwrap_or(0);
                // A process that has come may have no region.
                let most = if count < owners { ideal } else { ideal * 3 / 2 };
                let is_large = all > most && all >= MIN_SPLIT;
                let cut = cuts.get(&leaf.region).filter(|_| is_large);
                let Some(&(axis, at)) = cut else { return };
                let [low, high] = [false, true].map(|high| half(leaf.rect, axis, at, high));
                if low.is_empty() || high.is_empty() {
                    return;
                }
                colliders.insert(leaf.region, all - all / 2);
                colliders.insert(self.next, all / 2);
                let low = Box::new(Node::Leaf(Leaf { rect: low, ..*leaf }));
                let high = Leaf { region: self.next, rect: high, ..*leaf };
                *node = Node::Cut { axis, at, low, high: Box::new(Node::Leaf(high)) };
                self.next += 1;
                count += 1;
            }
            Node::Cut { low, high, .. } => {
                let (&Node::Leaf(low), &Node::Leaf(high)) = (&**low, &**high) else { return };
                let both =
                    [low, high].map(|leaf| colliders.get(&leaf.region).copied().unwrap_or(0));
                let both: u64 = both.iter().sum();
                if count <= regions || both >= ideal / 2 {
                    return;
                }
                let rect = Rect::new(low.rect.x0, low.rect.y0, high.rect.x1, high.rect.y1);
                *node = Node::Leaf(Leaf { region: self.next, process: low.process, rect });
                colliders.insert(self.next, both);
                self.next += 1;
                count -= 1;
            }
        });
        self.root = root;
        self.assign(&colliders, true);
        *self != before
    }

    /// Gives the regions to the processes in depth-first order, if the present division is uneven. `renumber` gives
    /// each region that moves a new number.
    fn assign(&mut self, colliders: &HashMap<RegionId, u64>, renumber: bool) {
        let leaves: Vec<(Leaf, u64)> = self
            .leaves()
            .map(|leaf| {
                // A region costs something even without colliders.
                (leaf, colliders.get(&leaf.region).copied().unwrap_or(0) + 1)
            })
            .collect();
        let processes = self.owners.len();
        let total: u64 = leaves.iter().map(|(_, load)| load).sum();
        let mut wanted = Vec::with_capacity(leaves.len());
        let mut before = 0;
        for (i, (_, load)) in leaves.iter().enumerate() {
            // The process in whose part of the total load the middle of this region's load lies.
            let ideal = ((2 * before + load) * processes as u64 / (2 * total)) as usize;
            // Every process has a region: the last regions are kept for those that have none yet.
            let least = processes.saturating_sub(leaves.len() - i);
            let most = wanted.last().map_or(0, |&last: &usize| last + 1);
            wanted.push(ideal.max(least).min(most).min(processes - 1));
            before += load;
        }
        // The largest load, and whether a process has no region or a region no owner.
        let uneven = |of: &dyn Fn(usize) -> Option<usize>| {
            let mut sums = vec![0; processes];
            let mut is_lost = false;
            for (i, (_, load)) in leaves.iter().enumerate() {
                of(i).map_or_else(|| is_lost = true, |owner| sums[owner] += load);
            }
            let is_idle = is_lost || sums.contains(&0);
            (sums.into_iter().max().unwrap_or(0), is_idle)
        };
        let present = uneven(&|i| self.owners.binary_search(&leaves[i].0.process).ok());
        let better = uneven(&|i| Some(wanted[i]));
        // Moving a region costs about as much as some ticks, so an even division is not changed.
        let is_even = !present.1 && present.0 * processes as u64 <= total + total / 4;
        if is_even || (better >= present && !present.1) {
            return;
        }
        let owners = &self.owners;
        let mut wanted = wanted.into_iter().map(|owner| owners[owner]);
        let next = &mut self.next;
        self.root.visit(&mut |node| {
            if let Node::Leaf(leaf) = node {
                let process = wanted.next().unwrap_or(leaf.process);
                if leaf.process != process && renumber {
                    leaf.region = *next;
                    *next += 1;
                }
                leaf.process = process;
            }
        });
    }

    /// Gives the regions to other processes, before any of them has begun.
    pub(crate) fn with_owners(mut self, owners: Vec<u16>) -> Self {
        if self.owners != owners {
            self.owners = owners;
            self.assign(&HashMap::default(), false);
        }
        self
    }
}

impl Node {
    /// Calls `edit` for each leaf, and for each cut after both of its parts.
    fn visit(&mut self, edit: &mut impl FnMut(&mut Self)) {
        if let Self::Cut { low, high, .. } = self {
            low.visit(edit);
            high.visit(edit);
        }
        edit(self);
    }
}

/// Returns the part of `rect` below or from `at` on.
fn half(rect: Rect, axis: u8, at: i32, high: bool) -> Rect {
    match (axis, high) {
        (0, false) => Rect { x1: at.min(rect.x1), ..rect },
        (0, true) => Rect { x0: at.max(rect.x0), ..rect },
        (_, false) => Rect { y1: at.min(rect.y1), ..rect },
        (_, true) => Rect { y0: at.max(rect.y0), ..rect },
    }
}

/// Returns the rectangle with a margin; the ends of the plane bound it.
pub(crate) fn grown(rect: Rect, by: i32) -> Rect {
    Rect::new(
        rect.x0.saturating_sub(by),
        rect.y0.saturating_sub(by),
        rect.x1.saturating_add(by),
        rect.y1.saturating_add(by),
    )
}

/// Tests whether `rect` holds all of `other`.
pub(crate) fn holds(rect: Rect, other: Rect) -> bool {
    rect.x0 <= other.x0 && rect.y0 <= other.y0 && rect.x1 >= other.x1 && rect.y1 >= other.y1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every pixel is in one region, and each rectangle overlaps the regions of its pixels.
    fn check(partition: &Partition) {
        let leaves: Vec<Leaf> = partition.leaves().collect();
        let processes: BTreeSet<u16> = leaves.iter().map(|leaf| leaf.process).collect();
        assert!(processes.into_iter().eq(partition.owners.iter().copied()), "{partition:?}");
        let ids: BTreeSet<RegionId> = leaves.iter().map(|leaf| leaf.region).collect();
        assert_eq!(ids.len(), leaves.len());
        for x in (-50..150).step_by(7) {
            for y in (-50..150).step_by(7) {
                let inside: Vec<&Leaf> =
                    leaves.iter().filter(|leaf| leaf.rect.contains([x, y])).collect();
                assert_eq!(inside.len(), 1);
                assert_eq!(*inside[0], partition.at(Point::new(x, y)));
                let rect = Rect::new(x, y, x + 30, y + 9);
                let mut found = BTreeSet::new();
                partition.overlapping(rect, |leaf| assert!(found.insert(leaf.region)));
                let truth: BTreeSet<RegionId> = leaves
                    .iter()
                    .filter(|leaf| leaf.rect.intersection(rect).is_some())
                    .map(|leaf| leaf.region)
                    .collect();
                assert_eq!(found, truth);
            }
        }
    }

    #[test]
    fn every_pixel_is_in_one_region_and_every_process_has_one() {
        for processes in 1..7 {
            for per_process in 1..4 {
                check(&Partition::new(Rect::new(0, 0, 100, 60), processes, per_process));
            }
        }
    }

    #[test]
    fn a_partition_follows_the_colliders_wherever_they_are() {
        let mut state = 1_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        for processes in 1..7 {
            let mut partition = Partition::new(Rect::new(0, 0, 100, 100), processes, 2);
            for _ in 0..60 {
                // All colliders in one random square.
                let (x, y) = (below(80) as i32, below(80) as i32);
                let points: Vec<Point> = (0..2_000)
                    .map(|_| Point::new(x + below(20) as i32, y + below(20) as i32))
                    .collect();
                for _ in 0..6 {
                    let loads: Vec<Load> = partition
                        .leaves()
                        .map(|leaf| {
                            let mut inside: Vec<i32> = points
                                .iter()
                                .filter(|&&p| leaf.rect.contains(p))
                                .map(|p| p.x)
                                .collect();
                            inside.sort_unstable();
                            let cut = inside.get(inside.len() / 2).map(|&x| (0, x));
                            Load { region: leaf.region, colliders: inside.len() as u64, cut }
                        })
                        .collect();
                    partition.rebalance(&loads);
                    check(&partition);
                }
                let count = partition.leaves().count();
                assert!(count <= usize::from(processes) * 8, "{count} regions");
            }
        }
    }
}
