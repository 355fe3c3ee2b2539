//! Calls that ask a world.

use super::changes::{path, pixel};
use super::play::Play;
use super::truth::{Naive, parts};
use crate::shorthand::{explain, overlap};
use hitmask::{
    Accuracy, Collider, ColliderId, Filter, Hit, Line, Mask, MoveRules, Pair, PixelPath, Point,
    Rect, World, Zone,
};

/// Kinds of questions.
const KINDS: u32 = 10;

/// A random question to a world.
pub(super) struct Question {
    kind: u32,
    pub(super) filter: Filter<'static>,
    pub(super) at: [f32; 2],
    pub(super) to: [f32; 2],
    zone: Option<Zone>,
    pub(super) ids: [Option<ColliderId>; 2],
    pub(super) motion: [f32; 2],
    pub(super) within: f32,
    pub(super) reach: u32,
}

impl Play<'_> {
    pub(super) fn question(&mut self) -> Question {
        let side = self.options.side;
        let except = if self.source.one_in(4) { self.any_id() } else { None };
        let levels = [Accuracy::Exact, Accuracy::Exact, Accuracy::Coarse, Accuracy::Box];
        let filter = Filter {
            layers: [u32::MAX, u32::MAX, 0b101, 0][self.source.below(4) as usize],
            sensors: !self.source.one_in(3),
            except,
            accuracy: levels[self.source.below(4) as usize],
            ..Filter::ALL
        };
        let at = self.numbers(side);
        Question {
            kind: self.source.below(KINDS),
            filter,
            at,
            to: self.numbers(side),
            zone: self.zone(at),
            ids: [0; 2].map(|_| self.any_id()),
            motion: self.numbers(150),
            within: self.number(90),
            reach: self.source.below(12),
        }
    }

    fn zone(&mut self, at: [f32; 2]) -> Option<Zone> {
        let Point { x, y } = pixel(at);
        let [w, h] = [0; 2].map(|_| self.source.within(-2, 60));
        let to = self.numbers(self.options.side);
        match self.source.below(6) {
            0 => Zone::point(at).ok(),
            1 => Some(Zone::rect(Rect::new(x, y, x.saturating_add(w), y.saturating_add(h)))),
            2 => Zone::circle(at, self.number(40).abs()).ok(),
            3 => Zone::ellipse(at, [self.number(40), self.number(90)].map(f32::abs)).ok(),
            4 => Line::new(at, to).ok().map(Zone::line),
            _ => Some(Zone::rect(Rect::new(i32::MIN, y, i32::MAX, y.saturating_add(h)))),
        }
    }

    /// Asks all worlds one random question.
    pub(super) fn ask(&mut self) {
        let question = self.question();
        self.model.refresh();
        let naive = &self.model.naive;
        for world in &self.worlds {
            self.tally.found += check(world, naive, &question).len();
            self.tally.answers += 1;
        }
        let [a, b] = question.ids;
        let Some((a, b)) = a.zip(b) else { return };
        let Pair { a, b } = Pair::from([a, b]);
        let colliders = [a, b].map(|id| self.model.colliders.get(&id).copied());
        let planes = [a, b].map(|id| self.model.planes(id));
        let are_enabled = colliders.iter().flatten().filter(|collider| collider.enabled).count();
        let mut touching = Vec::new();
        for (i, first) in (0..).zip(&planes[0]).filter(|_| are_enabled == 2) {
            for (j, second) in (0..).zip(&planes[1]) {
                if naive.contact(first, second, [Accuracy::Exact; 2]).is_some() {
                    touching.push([i, j]);
                }
            }
        }
        // What has no reference by pixels is the same in all worlds.
        let answers = self.worlds.iter().map(|world| {
            let Some(pair) = world.pair([a, b]) else {
                assert!(colliders.contains(&None), "{a:?} and {b:?} are colliders");
                return String::new();
            };
            assert_eq!(pair.colliders().map(Some), colliders);
            let stale = self.stale.0.last().filter(|id| ![a, b].contains(id));
            assert_eq!(
                (pair.pair(), pair.other(a), pair.other(b)),
                (Pair { a, b }, Some(b), Some(a))
            );
            assert_eq!(stale.and_then(|&id| pair.other(id)), None);
            assert_eq!(pair.planes(), touching, "{colliders:?}");
            let [normal, other] = [a, b].map(|id| pair.normal_of(id).map(<[f32; 2]>::from));
            assert_eq!(normal.is_some(), pair.contact().is_some(), "{pair:?}");
            if a != b {
                assert_eq!(normal.map(|sides| sides.map(|side| -side)), other, "{pair:?}");
            }
            let why = pair.explain();
            format!("{why:?} {normal:?} {:?}", [a, b].map(|id| pair.side_of(id)))
        });
        let answers: Vec<String> = answers.collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
}

/// Asks a world one question of each kind, and compares the answers with its pixels.
///
/// # Panics
/// If an answer is not that of the pixels.
pub fn ask_all(world: &World) {
    let naive = Naive::of(world);
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).take(12).collect();
    let zones = [
        Zone::circle([4.0, 3.0], 12.5).expect("a circle"),
        Zone::rect(Rect::new(i32::MIN, -9, i32::MAX, 9)),
        Zone::rect(Rect::new(-9, -9, 3, 5)),
    ];
    for kind in 0..KINDS {
        for (i, zone) in zones.into_iter().enumerate() {
            let pick = |at: usize| ids.get(at % ids.len().max(1)).copied();
            let question = Question {
                kind,
                filter: Filter { sensors: i != 1, ..Filter::ALL },
                at: [-30.5, 4.0],
                to: [90.0, 12.0 + 40.0 * i as f32],
                zone: Some(zone),
                ids: [pick(kind as usize + i), pick(kind as usize * i + 1)],
                motion: [40.0, 11.0 * i as f32 - 9.0],
                within: 1e9,
                reach: 3 * i as u32,
            };
            check(world, &naive, &question);
        }
    }
}

/// Compares an answer of a world with that of the pixels. Returns the colliders that it names.
fn check(world: &World, naive: &Naive<'_>, question: &Question) -> Vec<ColliderId> {
    let &Question { kind, filter, at, to, zone, ids: [a, b], motion, within, reach } = question;
    let mut found = Vec::new();
    match (kind, a) {
        (0, _) => found.extend(zone.iter().flat_map(|zone| check_zone(world, naive, zone, filter))),
        (1, _) => {
            let line = Line::new(at, to);
            found.extend(line.iter().flat_map(|line| check_line(world, naive, line, filter)));
        }
        (2, _) => found.extend(check_nearest(world, naive, at, within, filter)),
        (3, _) => check_mask(world, naive, pixel(at), reach, filter, &mut found),
        (4, _) => {
            let is_asked = |id: &ColliderId| id.index() % 2 == reach % 2;
            let group: Vec<ColliderId> = world.iter().map(|(id, _)| id).filter(is_asked).collect();
            let others: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
            let with = |&id: &ColliderId| {
                naive.touching_with(id).into_iter().map(move |other| Pair::from([id, other]))
            };
            let mut truth: Vec<Pair> = group.iter().flat_map(with).collect();
            truth.sort_unstable();
            truth.dedup();
            assert_eq!(world.touching_between(&group, &others), truth);
        }
        (5, Some(a)) => {
            let near = naive.nearest_to(a, within, filter).filter(|_| within >= 0.0);
            assert_eq!(world.nearest_to(a, within, filter).ok().flatten(), near);
            let radius = reach as f32 * 0.7;
            let grazed = world.graze(a, radius, filter).expect("a radius");
            assert_eq!(grazed, naive.graze(a, radius, filter), "{a:?} {radius}");
            found.extend(grazed.iter().map(|(id, _)| *id));
        }
        (6, Some(a)) => {
            let radius = reach as f32 * 0.7;
            let by = world.push_out(a, radius, Filter::SOLID).expect("a radius");
            assert_eq!(by, naive.push_out(a, radius), "{a:?} {radius}");
            let touched = world.touching_with(a);
            assert_eq!(touched, naive.touching_with(a));
            found.extend(touched);
        }
        (7 | 8, Some(a)) => check_casts(world, naive, a, motion, filter, &mut found),
        (_, Some(a)) => {
            let pairs = b.map(|b| Pair::from([a, b]));
            pairs.iter().for_each(|&pair| check_pair(world, naive, pair, &mut found));
        }
        _ => {}
    }
    found
}

fn check_zone(
    world: &World,
    naive: &Naive<'_>,
    zone: &Zone,
    filter: Filter<'_>,
) -> Vec<ColliderId> {
    let Ok(found) = world.query(zone, filter) else { return Vec::new() };
    assert_eq!(found, naive.query(zone, filter), "in {zone:?} by {filter:?}");
    // A mask of the zone gives the same answer.
    if let Some(bounds) = zone.bounds().filter(|bounds| bounds.area() < 1 << 14)
        && let Ok((mask, corner)) = Mask::from_zone(zone)
    {
        assert_eq!(world.probe(&mask, corner).touching(filter), found, "{bounds:?}");
    }
    found
}

fn check_line(
    world: &World,
    naive: &Naive<'_>,
    line: &Line,
    filter: Filter<'_>,
) -> Vec<ColliderId> {
    let Ok(hits) = world.ray_all(line, filter) else { return Vec::new() };
    assert_eq!(hits, naive.ray_all(line, filter), "along {line:?} by {filter:?}");
    assert_eq!(world.ray(line, filter).expect("the same line"), hits.first().copied());
    for (id, hit) in hits.iter().filter(|_| filter.accuracy != Accuracy::Box) {
        // The normal points away from the pixels around the hit, if they have a direction.
        let shown = naive.get(*id).expect("a collider");
        let around = (-3..=3).flat_map(|y| (-3..=3).map(move |x| Point::new(x, y)));
        let set = around.filter(|&by| shown.has(hit.point + by));
        let (x, y) = set.fold((0, 0), |(x, y), by| (x - by.x, y - by.y));
        if (x, y) != (0, 0) {
            let far = f64::from(x).hypot(y.into());
            let [x, y] = [x, y].map(|v| (f64::from(v) / far) as f32);
            assert!((hit.normal.x - x).abs() < 1e-6 && (hit.normal.y - y).abs() < 1e-6, "{hit:?}");
        }
    }
    hits.iter().map(|(id, _)| *id).collect()
}

fn check_nearest(
    world: &World,
    naive: &Naive<'_>,
    at: [f32; 2],
    within: f32,
    filter: Filter<'_>,
) -> Option<ColliderId> {
    let near = world.nearest(at, within, filter).ok()?;
    assert_eq!(
        near,
        naive.nearest(at, within, filter),
        "near {at:?} within {within} by {filter:?}"
    );
    let height = |id: ColliderId| id.index() % 3;
    let picked = world.pick(at, within, filter, height).expect("the same place");
    assert_eq!(picked, naive.pick(at, within, filter, height), "{at:?} {within} by {filter:?}");
    picked
}

/// Asks about a mask without a collider.
fn check_mask(
    world: &World,
    naive: &Naive<'_>,
    at: Point,
    reach: u32,
    filter: Filter<'_>,
    found: &mut Vec<ColliderId>,
) {
    let card = Mask::disc(6).expect("a small mask");
    let truth = naive.free_offset(card.as_ref(), at, reach, filter);
    assert_eq!(world.probe(&card, at).push_out(reach, filter), truth, "{at:?} by {filter:?}");
    let by = Point::new(7 * reach as i32 - 40, 90 - 11 * reach as i32);
    let met = world.probe(&card, at).cast_all(by, filter);
    let steps: Vec<_> = met.iter().map(|(id, impact)| (impact.step, *id)).collect();
    assert_eq!(steps, naive.cast_mask(card.as_ref(), at, PixelPath::new(by), filter));
    assert_eq!(world.probe(&card, at).cast(by, filter), met.first().copied());
    found.extend(met.iter().map(|(id, _)| *id));
}

fn check_casts(
    world: &World,
    naive: &Naive<'_>,
    id: ColliderId,
    motion: [f32; 2],
    filter: Filter<'_>,
    found: &mut Vec<ColliderId>,
) {
    let Some(path) = world.get(id).and_then(|own| path(own.position, motion)) else { return };
    let [x, y] = world.get(id).expect("a collider").position;
    let hits = world.cast_all(id, motion, Filter::ALL).expect("a short motion");
    let truth = naive.cast_all(id, path);
    let steps =
        |hits: &[Hit]| hits.iter().map(|hit| (hit.impact.step, hit.collider)).collect::<Vec<_>>();
    assert_eq!(steps(&hits), truth, "{motion:?}");
    let odd = |other: ColliderId| other.index() % 2 == 1;
    let kept = world
        .cast_all(id, motion, Filter { keep: Some(&odd), ..Filter::ALL })
        .expect("the same motion");
    let is_kept = |(_, other): &&(u32, ColliderId)| odd(*other);
    assert_eq!(steps(&kept), truth.iter().filter(is_kept).copied().collect::<Vec<_>>());
    // A filter selects among the same hits. The next one that is no sensor blocks a move.
    let shown = |other: ColliderId| naive.get(other).expect("a collider that is met");
    let selected: Vec<_> =
        truth.iter().filter(|(_, other)| shown(*other).is_selected(filter)).copied().collect();
    assert_eq!(steps(&world.cast_all(id, motion, filter).expect("the same motion")), selected);
    let first = world.cast(id, motion, filter).expect("the same motion");
    assert_eq!(steps(first.as_slice()), selected.first().copied().as_slice());
    let blocked = world.clone().move_until_contact(id, motion, filter).expect("the same motion");
    let solid = selected.iter().find(|(_, other)| !shown(*other).collider.sensor);
    assert_eq!(steps(blocked.as_slice()), solid.copied().as_slice());
    for hit in &hits {
        let free = path.at(hit.impact.step.saturating_sub(1));
        assert_eq!(pixel(hit.position), pixel([x, y]) + free);
        let shared = naive.contact_pixel(id, hit.impact.contact_offset, hit.collider);
        assert_eq!(Some(Point::from(hit.point.map(|p| p as i32))), shared, "{hit:?}");
    }
    // The first that is no sensor is the hit of a cast.
    let is_solid = |hit: &&Hit| world.get(hit.collider).is_some_and(|c: Collider| !c.sensor);
    let first = world.cast(id, motion, Filter::SOLID).expect("the same motion");
    assert_eq!(hits.iter().find(is_solid).copied(), first);
    // A move that nothing blocks passes the sensors on its way.
    let is_sensor = |(_, other): &&(u32, ColliderId)| world.get(*other).is_some_and(|c| c.sensor);
    let passed: Vec<ColliderId> = truth.iter().filter(is_sensor).map(|(_, other)| *other).collect();
    let moved = world.clone().move_by_rules(
        id,
        motion,
        MoveRules::default(),
        Filter { keep: Some(&|_| false), ..Filter::SOLID },
    );
    assert_eq!(moved.expect("the same motion").passed, passed, "{motion:?}");
    let own = naive.get(id).expect("a collider");
    let filter = Filter { except: Some(id), ..filter };
    let met = world.probe(own.mask(), own.at).cast_all(path.motion(), filter).into_iter();
    let met: Vec<_> = met.map(|(other, impact)| (impact.step, other)).collect();
    assert_eq!(met, naive.cast_mask(own.mask(), own.at, path, filter));
    found.extend(hits.iter().map(|hit| hit.collider));
}

fn check_pair(world: &World, naive: &Naive<'_>, pair: Pair, found: &mut Vec<ColliderId>) {
    let Some((a, b)) = naive.get(pair.a).zip(naive.get(pair.b)) else {
        return assert!(world.contact(pair).is_none() && explain(world, pair).is_none());
    };
    let are_enabled = a.collider.enabled && b.collider.enabled;
    let truth = |at: [Accuracy; 2]| are_enabled.then(|| naive.contact(a, b, at)).flatten();
    let (levels, are_coarse) = naive.accuracies(a, b);
    if !are_coarse {
        assert_eq!(
            world.contact(pair).map(parts),
            truth(levels),
            "{:?} {:?}",
            a.collider,
            b.collider
        );
    }
    let exact = truth([Accuracy::Exact; 2]);
    assert_eq!(overlap(world, pair).map(|overlap| parts(overlap.contact())), exact);
    let boxes =
        world.pair(pair).and_then(|pair| pair.contact_at(Accuracy::Box)).and_then(|at| at.contact);
    assert_eq!(boxes.map(parts), truth([Accuracy::Box; 2]));
    let why = explain(world, pair).expect("two colliders");
    let is_update = !(a.collider.fixed && b.collider.fixed);
    assert_eq!(why.touches, is_update && naive.touch(a, b), "{why:?}");
    assert_eq!(why.pixels.map(parts), exact);
    let far = (are_enabled && a.rect.is_some() && b.rect.is_some())
        .then(|| a.mask().distance(b.mask(), b.at - a.at))
        .flatten();
    assert_eq!(world.pair([pair.a, pair.b]).and_then(|pair| pair.distance()), far);
    found.extend(exact.map(|_| pair.a));
}
