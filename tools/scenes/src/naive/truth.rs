//! Answers of a world, pixel by pixel: plain loops over all colliders, without an index, a cache or a
//! batch. No code of the machine decides here: rules are written a second time.

use crate::slide;
use hitmask::{
    Accuracy, Certainty, Collider, ColliderId, Contact, Filter, Graze, Line, LineHit, Mask,
    MaskRef, MinOverlap, Pair, PixelPath, Point, PosedRef, Rect, World, Zone,
};
use std::cmp::Reverse;
use std::sync::Arc;

/// A collider with its pixels.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The id.
    pub id: ColliderId,
    /// The rules.
    pub collider: Collider,
    pixels: Pixels<'a>,
    /// The place of the top-left pixel of the mask.
    pub at: Point,
    /// The tight box, if a pixel is set.
    pub rect: Option<Rect>,
}

/// The pixels of a collider: of an atlas, or of a mask that is not in one.
#[derive(Clone, Debug)]
enum Pixels<'a> {
    Atlas(MaskRef<'a>),
    Loose(Arc<Mask>),
}

/// All colliders of a world with their pixels.
#[derive(Clone, Debug, Default)]
pub struct Naive<'a> {
    /// The colliders, in order of their ids.
    pub shown: Vec<Shown<'a>>,
    /// The accuracy of the world.
    pub accuracy: Accuracy,
    /// Mask pixels per pixel.
    pub resolution: f32,
}

/// A mask at a place: the pixels of a collider, or its box, filled.
enum Seen<'a> {
    Pixels(MaskRef<'a>, Point),
    Filled(Mask, Point),
}

impl Seen<'_> {
    fn mask(&self) -> (MaskRef<'_>, Point) {
        match self {
            Self::Pixels(mask, at) => (*mask, *at),
            Self::Filled(mask, at) => (mask.as_ref(), *at),
        }
    }
}

impl<'a> Shown<'a> {
    /// Returns a collider as `posed` shows it.
    #[must_use]
    pub fn new(id: ColliderId, collider: Collider, posed: PosedRef<'a>) -> Self {
        let (mask, at) = (posed.mask, posed.origin);
        let rect = mask.bounds().map(|rect| rect.translated(at));
        Self { id, collider, pixels: Pixels::Atlas(mask), at, rect }
    }

    /// Returns a collider that shows a mask whose top-left pixel is at `at`.
    pub(super) fn loose(id: ColliderId, collider: Collider, mask: Arc<Mask>, at: Point) -> Self {
        let rect = mask.bounds().map(|rect| rect.translated(at));
        Self { id, collider, pixels: Pixels::Loose(mask), at, rect }
    }

    /// Returns the pixels.
    #[must_use]
    pub fn mask(&self) -> MaskRef<'_> {
        match &self.pixels {
            Pixels::Atlas(mask) => *mask,
            Pixels::Loose(mask) => (**mask).as_ref(),
        }
    }

    /// Tests whether the fields of a filter select the collider.
    pub fn is_selected(&self, filter: Filter<'_>) -> bool {
        let Collider { layers, sensor, enabled, .. } = self.collider;
        enabled
            && layers & filter.layers != 0
            && (filter.sensors || !sensor)
            && filter.except != Some(self.id)
    }

    fn seen(&self, accuracy: Accuracy) -> Seen<'_> {
        match self.rect {
            Some(rect) if accuracy == Accuracy::Box => {
                let mask = Mask::solid(rect.width(), rect.height()).expect("a tight box is a mask");
                Seen::Filled(mask, Point::new(rect.x0, rect.y0))
            }
            _ => Seen::Pixels(self.mask(), self.at),
        }
    }

    /// Tests whether a pixel of the plane is one of the collider's.
    #[must_use]
    pub fn has(&self, p: Point) -> bool {
        self.mask().get(p.x - self.at.x, p.y - self.at.y)
    }
}

/// Returns the box, the number and the first of the pixels that two masks share.
fn shared(a: &Seen<'_>, b: &Seen<'_>, within: Rect) -> Option<(Rect, u64, Point)> {
    let ((a, a_at), (b, b_at)) = (a.mask(), b.mask());
    let mut found: Option<(Rect, u64, Point)> = None;
    for (y, x) in (within.y0..within.y1).flat_map(|y| (within.x0..within.x1).map(move |x| (y, x))) {
        if a.get(x - a_at.x, y - a_at.y) && b.get(x - b_at.x, y - b_at.y) {
            let (rect, area, _) = found.get_or_insert((Rect::new(x, y, x, y), 0, Point::new(x, y)));
            *rect = Rect::new(rect.x0.min(x), rect.y0, rect.x1.max(x + 1), y + 1);
            *area += 1;
        }
    }
    found
}

/// Returns the box, the number and the first pixel of a contact.
#[must_use]
pub fn parts(contact: Contact) -> (Rect, u64, Point) {
    (contact.rect, contact.area, contact.point)
}

impl<'a> Naive<'a> {
    /// Returns the colliders of a world as the world shows them.
    #[must_use]
    pub fn of(world: &'a World) -> Self {
        let shown = world
            .iter()
            .filter_map(|(id, collider)| Some(Shown::new(id, collider, world.posed(id)?)));
        let (accuracy, resolution) = (world.accuracy(), world.atlas().resolution());
        Self { shown: shown.collect(), accuracy, resolution }
    }

    /// Returns a collider by its id.
    #[must_use]
    pub fn get(&self, id: ColliderId) -> Option<&Shown<'a>> {
        self.shown.binary_search_by_key(&id, |shown| shown.id).ok().map(|at| &self.shown[at])
    }

    fn level(&self, shown: &Shown<'_>) -> Accuracy {
        shown.collider.accuracy.min(self.accuracy)
    }

    /// Tests whether the rules of two colliders allow a touch, but for that of fixed ones.
    fn may_meet(&self, a: &Shown<'_>, b: &Shown<'_>) -> bool {
        let (one, other) = (&a.collider, &b.collider);
        a.id != b.id
            && (one.enabled && other.enabled)
            && (one.owner == 0 || one.owner != other.owner)
            && one.layers & other.collides_with != 0
            && other.layers & one.collides_with != 0
    }

    /// Returns the pixels that two enabled colliders share at these accuracies. Coarse ones count by
    /// their pixels.
    #[must_use]
    pub fn contact(
        &self,
        a: &Shown<'_>,
        b: &Shown<'_>,
        at: [Accuracy; 2],
    ) -> Option<(Rect, u64, Point)> {
        let within = a.rect?.intersection(b.rect?)?;
        shared(&a.seen(at[0]), &b.seen(at[1]), within)
    }

    /// Returns the accuracies of a pair, and true if its coarse levels decide.
    #[must_use]
    pub fn accuracies(&self, a: &Shown<'_>, b: &Shown<'_>) -> ([Accuracy; 2], bool) {
        let levels = [self.level(a), self.level(b)];
        (levels, levels.contains(&Accuracy::Coarse) && !levels.contains(&Accuracy::Box))
    }

    /// Tests whether two colliders touch by their rules, accuracies and least overlaps.
    #[must_use]
    pub fn touch(&self, a: &Shown<'_>, b: &Shown<'_>) -> bool {
        if !self.may_meet(a, b) {
            return false;
        }
        let (levels, are_coarse) = self.accuracies(a, b);
        if are_coarse {
            return a.rect.zip(b.rect).is_some_and(|(a, b)| a.intersection(b).is_some())
                && a.mask().coarse(b.mask(), b.at - a.at) != Certainty::No;
        }
        let side = |pixels: u32| f64::from(pixels) * f64::from(self.resolution);
        self.contact(a, b, levels).is_some_and(|(rect, area, _)| {
            [a, b].iter().all(|shown| match shown.collider.min_overlap {
                MinOverlap::Pixels(least) => {
                    area as f64 >= side(least) * f64::from(self.resolution)
                }
                MinOverlap::Size { width, height } => {
                    f64::from(rect.width()) >= side(width)
                        && f64::from(rect.height()) >= side(height)
                }
            })
        })
    }

    /// Returns the pairs that an update has to find.
    #[must_use]
    pub fn touching(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let mut boxes: Vec<(Rect, &Shown<'_>)> =
            self.shown.iter().filter_map(|shown| Some((shown.rect?, shown))).collect();
        boxes.sort_by_key(|(rect, _)| rect.x0);
        for (i, (rect, a)) in boxes.iter().enumerate() {
            let others = boxes[i + 1..].iter().take_while(|(other, _)| other.x0 < rect.x1);
            let others = others.filter(|(_, b)| !(a.collider.fixed && b.collider.fixed));
            pairs.extend(
                others.filter(|(_, b)| self.touch(a, b)).map(|(_, b)| Pair::from([a.id, b.id])),
            );
        }
        pairs.sort_unstable();
        pairs
    }

    /// Returns the colliders that touch another one now, fixed ones too.
    #[must_use]
    pub fn touching_with(&self, id: ColliderId) -> Vec<ColliderId> {
        let Some(own) = self.get(id) else { return Vec::new() };
        self.shown.iter().filter(|other| self.touch(own, other)).map(|other| other.id).collect()
    }

    /// Returns the colliders that a filter selects, with a mask at its accuracy. Given an area, only those
    /// whose box overlaps it.
    fn asked(
        &self,
        area: Option<Rect>,
        filter: Filter<'_>,
    ) -> impl Iterator<Item = (&Shown<'a>, Seen<'_>)> {
        self.shown.iter().filter_map(move |shown| {
            let rect = shown.rect?;
            let is_near = area.is_none_or(|area| area.intersection(rect).is_some());
            (is_near && shown.is_selected(filter)).then(|| (shown, shown.seen(filter.accuracy)))
        })
    }

    /// Returns the colliders with a pixel in a zone.
    #[must_use]
    pub fn query(&self, zone: &Zone, filter: Filter<'_>) -> Vec<ColliderId> {
        let bounds = zone.bounds();
        let meets = |seen: &Seen<'_>, rect: Rect| {
            let (mask, at) = seen.mask();
            let Some(shared) = bounds.and_then(|bounds| bounds.intersection(rect)) else {
                return false;
            };
            let mut pixels =
                (shared.y0..shared.y1).flat_map(|y| (shared.x0..shared.x1).map(move |x| [x, y]));
            pixels.any(|[x, y]| mask.get(x - at.x, y - at.y) && zone.contains(Point::new(x, y)))
        };
        let found = self
            .asked(Some(bounds.unwrap_or_default()), filter)
            .filter(|(shown, seen)| shown.rect.is_some_and(|rect| meets(seen, rect)));
        found.map(|(shown, _)| shown.id).collect()
    }

    /// Returns the colliders on a line, in the order of the line.
    #[must_use]
    pub fn ray_all(&self, line: &Line, filter: Filter<'_>) -> Vec<(ColliderId, LineHit)> {
        let hit = |(shown, seen): (&Shown<'_>, Seen<'_>)| {
            let (mask, at) = seen.mask();
            Some((shown.id, mask.first_line_hit(line, at)?))
        };
        let area = Zone::line(*line).bounds().unwrap_or_default();
        let mut hits: Vec<_> = self.asked(Some(area), filter).filter_map(hit).collect();
        hits.sort_by_key(|(id, hit)| (hit.step, *id));
        hits
    }

    /// Returns the least distance from a position, in mask pixels, to the centre of a pixel of each
    /// collider.
    fn distances(
        &self,
        [x, y]: [f32; 2],
        within: f32,
        filter: Filter<'_>,
    ) -> Vec<(f64, ColliderId)> {
        let area = around(Rect::new(0, 0, 1, 1), within * self.resolution).map(|area| {
            area.translated(Point::new((x * self.resolution) as i32, (y * self.resolution) as i32))
        });
        let [x, y] = [x, y].map(|v| f64::from(v * self.resolution));
        let distance = |(shown, seen): (&Shown<'_>, Seen<'_>)| {
            let (mask, at) = seen.mask();
            let pixels = (0..mask.height() as i32)
                .flat_map(|y| (0..mask.width() as i32).map(move |x| Point::new(x, y)));
            // In i64: a pixel may lie beyond the limits of i32.
            let centre = |start: i32, p: i32| (i64::from(start) + i64::from(p)) as f64 + 0.5;
            let far = pixels.filter(|p| mask.get(p.x, p.y)).map(|p| {
                let (dx, dy) = (centre(at.x, p.x) - x, centre(at.y, p.y) - y);
                dx * dx + dy * dy
            });
            Some((far.reduce(f64::min)?.sqrt() / f64::from(self.resolution), shown.id))
        };
        self.asked(area, filter).filter_map(distance).collect()
    }

    /// Returns the collider with the pixel nearest to a position.
    #[must_use]
    pub fn nearest(
        &self,
        at: [f32; 2],
        within: f32,
        filter: Filter<'_>,
    ) -> Option<(ColliderId, f64)> {
        let all = self
            .distances(at, within, filter)
            .into_iter()
            .filter(|(far, _)| *far <= f64::from(within));
        all.min_by(|a, b| a.partial_cmp(b).expect("no NaN")).map(|(far, id)| (id, far))
    }

    /// Returns the collider nearest to another one, which counts by its pixels.
    #[must_use]
    pub fn nearest_to(
        &self,
        id: ColliderId,
        within: f32,
        filter: Filter<'_>,
    ) -> Option<(ColliderId, f64)> {
        let own = self.get(id).filter(|own| own.collider.enabled && own.rect.is_some())?;
        let area = own.rect.and_then(|rect| around(rect, within * self.resolution));
        let filter_self = Filter { except: Some(id), ..filter };
        let all = self.asked(area, filter_self).filter_map(|(other, seen)| {
            if filter.except == Some(other.id) {
                return None;
            }
            let (mask, at) = seen.mask();
            Some((own.mask().distance(mask, at - own.at)? / f64::from(self.resolution), other.id))
        });
        let near = all.filter(|(far, _)| *far <= f64::from(within));
        near.min_by(|a, b| a.partial_cmp(b).expect("no NaN")).map(|(far, id)| (id, far))
    }

    /// Returns the topmost collider under a pointer, or else the nearest.
    #[must_use]
    pub fn pick<H: Copy + Ord>(
        &self,
        at: [f32; 2],
        radius: f32,
        filter: Filter<'_>,
        height: impl Fn(ColliderId) -> H,
    ) -> Option<ColliderId> {
        let under: Vec<ColliderId> = self.query(&Zone::point(at).ok()?, filter);
        let top = |ids: &[ColliderId]| ids.iter().copied().max_by_key(|&id| (height(id), id));
        if !under.is_empty() {
            return top(&under);
        }
        let near = self
            .distances(at, radius, filter)
            .into_iter()
            .filter(|(far, _)| *far <= f64::from(radius));
        let near = near.map(|(far, id)| (far, Reverse((height(id), id))));
        near.min_by(|a, b| a.partial_cmp(b).expect("no NaN")).map(|(_, Reverse((_, id)))| id)
    }

    /// Returns the colliders within `radius` of another one's pixels.
    #[must_use]
    pub fn graze(
        &self,
        id: ColliderId,
        radius: f32,
        filter: Filter<'_>,
    ) -> Vec<(ColliderId, Graze)> {
        let Some(own) = self.get(id).filter(|own| own.collider.enabled) else { return Vec::new() };
        let most = (f64::from(radius) * f64::from(self.resolution)).powi(2);
        let area = own.rect.and_then(|rect| around(rect, radius * self.resolution));
        let near = self.asked(area, filter).filter_map(|(other, seen)| {
            let (mask, at) = seen.mask();
            if other.id == id {
                return None;
            }
            if meet((own.mask(), own.at), (mask, at)) {
                return Some((other.id, Graze::Hit));
            }
            let square = own.mask().distance(mask, at - own.at)?.powi(2).round();
            (square <= most).then_some((other.id, Graze::Graze))
        });
        near.collect()
    }

    /// Returns the step of a motion at which a mask first meets each collider, in the order of steps.
    #[must_use]
    pub fn cast_mask(
        &self,
        mask: MaskRef<'_>,
        at: Point,
        path: PixelPath,
        filter: Filter<'_>,
    ) -> Vec<(u32, ColliderId)> {
        let area = mask.bounds().map(|rect| swept(rect.translated(at), path));
        let met = self.asked(area, filter).filter_map(|(shown, seen)| {
            Some((first_step((mask, at), seen.mask(), path)?, shown.id))
        });
        let mut met: Vec<(u32, ColliderId)> = met.collect();
        met.sort_unstable();
        met
    }

    /// Returns the shortest translation that frees a mask, up to `radius`: the first by rows of those
    /// equally short.
    fn shortest(radius: f32, is_free: impl Fn(Point) -> bool) -> Option<Point> {
        let reach = radius as i32;
        let ways = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (y, x)));
        let is_near = |(y, x): &(i32, i32)| f64::from(x * x + y * y) <= f64::from(radius).powi(2);
        let mut ways: Vec<_> = ways.filter(is_near).collect();
        ways.sort_by_key(|&(y, x)| (x * x + y * y, y, x));
        ways.into_iter().map(|(y, x)| Point::new(x, y)).find(|&by| is_free(by))
    }

    /// Returns the shortest translation that frees a mask from every collider.
    #[must_use]
    pub fn free_offset(
        &self,
        mask: MaskRef<'_>,
        at: Point,
        radius: u32,
        filter: Filter<'_>,
    ) -> Option<Point> {
        let area = mask.bounds().and_then(|rect| around(rect.translated(at), radius as f32));
        let seen: Vec<_> = self.asked(area, filter).map(|(_, seen)| seen).collect();
        Self::shortest(radius as f32, |by| {
            seen.iter().all(|seen| !meet((mask, at + by), seen.mask()))
        })
    }

    /// Returns the shortest translation that frees a collider from all that blocks it.
    #[must_use]
    pub fn push_out(&self, id: ColliderId, radius: f32) -> Option<[f32; 2]> {
        self.get(id)?;
        let by = Self::shortest(radius * self.resolution, |by| !self.is_blocked(id, by))?;
        Some([by.x, by.y].map(|v| v as f32 / self.resolution))
    }

    fn in_moves<'s>(&self, shown: &'s Shown<'a>) -> Seen<'s> {
        shown.seen(shown.collider.move_accuracy.unwrap_or_else(|| self.level(shown)))
    }

    /// Returns the colliders that block another one, moved by an offset.
    pub fn blockers(&self, id: ColliderId, by: Point) -> impl Iterator<Item = ColliderId> {
        let own = self.get(id).map(|own| (own, self.in_moves(own)));
        let met = self.shown.iter().filter(move |other| {
            own.as_ref().is_some_and(|(own, seen)| {
                let near = |rect: Rect| own.rect?.translated(by).intersection(rect);
                let (mask, at) = seen.mask();
                !other.collider.sensor
                    && self.may_meet(own, other)
                    && other.rect.and_then(near).is_some()
                    && meet((mask, at + by), self.in_moves(other).mask())
            })
        });
        met.map(|other| other.id)
    }

    /// Tests whether a collider, moved by an offset, overlaps one that blocks it.
    #[must_use]
    pub fn is_blocked(&self, id: ColliderId, by: Point) -> bool {
        self.blockers(id, by).next().is_some()
    }

    /// Returns the step of a motion at which a collider first meets each other one, sensors too.
    #[must_use]
    pub fn cast_all(&self, id: ColliderId, path: PixelPath) -> Vec<(u32, ColliderId)> {
        let Some(own) = self.get(id) else { return Vec::new() };
        let seen = self.in_moves(own);
        let area = swept(own.rect.unwrap_or_default(), path);
        let is_near =
            |other: &Shown<'_>| other.rect.is_some_and(|rect| rect.intersection(area).is_some());
        let met = self.shown.iter().filter(|other| self.may_meet(own, other) && is_near(other));
        let met = met.filter_map(|other| {
            Some((first_step(seen.mask(), self.in_moves(other).mask(), path)?, other.id))
        });
        let mut met: Vec<(u32, ColliderId)> = met.collect();
        met.sort_unstable();
        met
    }

    /// Returns the step at which a compound is blocked, and its first part that is. All parts follow the
    /// path of the first; at its end each goes to the pixel of its own position.
    #[must_use]
    pub fn owner_step(&self, parts: &[(ColliderId, Point)]) -> Option<(u32, ColliderId)> {
        let path = PixelPath::new(parts.first()?.1);
        let blocked = |id: ColliderId, by: Point| {
            self.get(id).is_some_and(|own| !own.collider.sensor) && self.is_blocked(id, by)
        };
        let first = |step: u32| {
            let part = parts.iter().find(|(id, _)| blocked(*id, path.at(step)))?;
            Some((step, part.0))
        };
        let at_end = || {
            let apart = parts.iter().filter(|(_, end)| *end != path.motion());
            let part = apart.copied().find(|&(id, end)| blocked(id, end))?;
            Some((path.steps() + 1, part.0))
        };
        (0..=path.steps()).find_map(first).or_else(at_end)
    }

    /// Returns the pixel nearest to the middle of the pixels that a mover and an obstacle share: the
    /// first by rows of those equally near.
    #[must_use]
    pub fn contact_pixel(&self, id: ColliderId, by: Point, other: ColliderId) -> Option<Point> {
        let (own, other) = (self.get(id)?, self.get(other)?);
        let (mask, at) = (self.in_moves(own), self.in_moves(other));
        let ((mask, start), (theirs, there)) = (mask.mask(), at.mask());
        let start = start + by;
        let pixels = (0..mask.height() as i32)
            .flat_map(|y| (0..mask.width() as i32).map(move |x| Point::new(x, y)))
            .filter(|p| mask.get(p.x, p.y))
            .map(|p| p + start)
            .filter(|p| theirs.get(p.x - there.x, p.y - there.y));
        let pixels: Vec<Point> = pixels.collect();
        let sum = |axis: fn(&Point) -> i32| {
            Some(pixels.iter().map(axis).min()? + pixels.iter().map(axis).max()?)
        };
        let (x2, y2) = (sum(|p| p.x)?, sum(|p| p.y)?);
        pixels.into_iter().min_by_key(|p| (2 * p.x - x2).pow(2) + (2 * p.y - y2).pow(2))
    }

    /// Returns how far a slide without climbing or slipping goes. The mover starts free. It moves
    /// pixel by pixel, and along one axis while the other is blocked.
    #[must_use]
    pub fn slide(&self, id: ColliderId, rest: Point) -> Point {
        slide(rest, 0, |by| !self.is_blocked(id, by))
    }
}

/// Returns all pixels at most so far from a box; `None` if these are very many.
fn around(rect: Rect, pixels: f32) -> Option<Rect> {
    let all = pixels.is_nan() || pixels.abs() > 1e6;
    (!all).then(|| {
        let by = pixels.abs() as i32 + 2;
        let [x0, y0] = [rect.x0, rect.y0].map(|low| low.saturating_sub(by));
        Rect::new(x0, y0, rect.x1.saturating_add(by), rect.y1.saturating_add(by))
    })
}

/// Returns the box of all places of a box on a path.
fn swept(rect: Rect, path: PixelPath) -> Rect {
    let Rect { x0, y0, x1, y1 } = rect.translated(path.motion());
    Rect::new(rect.x0.min(x0), rect.y0.min(y0), rect.x1.max(x1), rect.y1.max(y1))
}

/// Tests whether two masks at their places share a pixel.
fn meet((a, a_at): (MaskRef<'_>, Point), (b, b_at): (MaskRef<'_>, Point)) -> bool {
    a.touches(b, b_at - a_at)
}

/// Returns the first step of a motion at which two masks share a pixel.
fn first_step(
    (a, a_at): (MaskRef<'_>, Point),
    (b, b_at): (MaskRef<'_>, Point),
    path: PixelPath,
) -> Option<u32> {
    (0..=path.steps()).find(|&step| meet((a, a_at + path.at(step)), (b, b_at)))
}
