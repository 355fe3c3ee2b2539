//! A trace of a play: each call and its right answer as a line of text, for replays in other languages.
//!
//! ```text
//! query_point((1.5, 2.0), layers=5, sensors=true, ignore=None, accuracy="box") => [4294967297]
//! move_to(4294967297, (3000000000.0, 0.0)) => refused
//! ```
//!
//! A call is an expression of Python with the names of its package, so a replay checks keywords too. Other replays
//! split both sides at punctuation. Numbers are exact: an f32 is written as an f64.
//!
//! Answers are those of the model. The model lacks ids to come, normals, times, hashes, and moves that climb. There
//! the answer is that of the world, after the play has compared the rest of it.

use super::art::{all_kinds, forms};
use super::asks::Question;
use super::changes::{path, pixel};
use super::model::{Art, Model};
use super::play::{Form, Group, Options, Play};
use super::source::Source;
use super::truth::{Naive, Shown, parts};
use crate::{Random, solid};
use hitmask::{
    Accuracy, Affine, Angle, AtlasBuilder, Body, BodyHit, BodyPair, Collider, ColliderId,
    ColliderShape, Filter, Graze, Hit, Impact, Line, LineHit, Mask, MaskId, MinOverlap, MoveResult,
    Pair, PixelPath, Point, Rect, Sampling, ScalePolicy, Settings, SpriteId, World, Zone,
};
use std::fmt::{self, Arguments, Debug, Display, Formatter, Write};
use std::path::{Path, PathBuf};

/// The text of a trace.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(String);

impl Trace {
    fn say(&mut self, call: Arguments<'_>, answer: impl Debug) {
        writeln!(self.0, "{call} => {answer:?}").expect("a text grows");
    }
}

/// Returns an id, or several, as numbers.
pub(super) fn bits(ids: &[ColliderId]) -> Vec<u64> {
    ids.iter().map(|id| id.to_bits()).collect()
}

fn pairs<'p>(pairs: impl IntoIterator<Item = &'p Pair>) -> Vec<[u64; 2]> {
    pairs.into_iter().map(|pair| [pair.a, pair.b].map(ColliderId::to_bits)).collect()
}

pub(super) fn xy(at: [f32; 2]) -> (f64, f64) {
    at.map(f64::from).into()
}

const fn ij(at: Point) -> (i32, i32) {
    (at.x, at.y)
}

const fn corners(rect: Rect) -> (i32, i32, i32, i32) {
    (rect.x0, rect.y0, rect.x1, rect.y1)
}

/// Returns a name of the library as that of Python.
pub(super) fn name(value: impl Debug) -> String {
    format!("{value:?}").to_lowercase()
}

/// Returns the rows of a mask on one line.
pub(super) fn rows(mask: &Mask) -> String {
    mask.to_string().trim_end().replace('\n', "/")
}

pub(super) const fn affine(by: Affine) -> (f64, f64, f64, f64, f64, f64) {
    (by.a, by.b, by.c, by.d, by.tx, by.ty)
}

fn body(body: Body) -> (&'static str, u64) {
    match body {
        Body::Owner(owner) => ("owner", owner.into()),
        Body::Collider(id) => ("collider", id.to_bits()),
    }
}

fn bodies(pairs: &[BodyPair]) -> impl Debug + use<> {
    let pair = |pair: &BodyPair| (body(pair.a), body(pair.b), pair.parts.map(ColliderId::to_bits));
    pairs.iter().map(pair).collect::<Vec<_>>()
}

fn line_hit((id, hit): &(ColliderId, LineHit)) -> (u64, (i32, i32), u32, u32, (f64, f64)) {
    (id.to_bits(), ij(hit.point), hit.step, hit.steps, xy([hit.normal.x, hit.normal.y]))
}

fn impact(impact: &Impact) -> impl Debug + use<> {
    let Impact { step, steps, free_offset, contact_offset, normal, .. } = *impact;
    let (time, offsets) = (f64::from(impact.time()), [ij(free_offset), ij(contact_offset)]);
    (step, steps, time, offsets, xy([normal.x, normal.y]), name(normal.side()))
}

pub(super) fn hit(hit: &Hit) -> impl Debug + use<> {
    (hit.collider.to_bits(), xy(hit.position), xy(hit.point), impact(&hit.impact))
}

pub(super) fn body_hit(found: &BodyHit) -> impl Debug + use<> {
    (found.part.to_bits(), body(found.body), hit(&found.hit))
}

pub(super) fn moved(by: &MoveResult) -> impl Debug + use<> {
    let contacts = by.contacts.iter().map(|(id, side)| (id.to_bits(), name(side)));
    let contacts: Vec<_> = contacts.collect();
    (xy(by.position), ij(by.translation), contacts, bits(&by.passed), bits(&by.stuck_in))
}

/// Returns the results of many moves as columns. Each contact, sensor and obstacle follows its mover.
pub(super) fn moves(ids: &[ColliderId], moved: &[MoveResult]) -> impl Debug + use<> {
    let places: Vec<_> = moved.iter().map(|by| (xy(by.position), ij(by.translation))).collect();
    let (mut contacts, mut passed, mut stuck) = (Vec::new(), Vec::new(), Vec::new());
    for (mover, by) in bits(ids).into_iter().zip(moved) {
        contacts.extend(by.contacts.iter().map(|(id, side)| (mover, id.to_bits(), name(side))));
        passed.extend(bits(&by.passed).into_iter().map(|id| [mover, id]));
        stuck.extend(bits(&by.stuck_in).into_iter().map(|id| [mover, id]));
    }
    (places, contacts, passed, stuck)
}

/// Returns the fields of a collider by the names of keyword arguments.
fn fields(collider: &Collider) -> Vec<(&'static str, String)> {
    let Collider { frame, plane, position, angle, scale, flip, layers, collides_with, .. } =
        *collider;
    let Collider { owner, fixed, sensor, enabled, accuracy, move_accuracy, user_data, .. } =
        *collider;
    let text = |value: &dyn Debug| format!("{value:?}");
    vec![
        match collider.shape {
            ColliderShape::Sprite(id) => ("sprite", text(&id.to_bits())),
            ColliderShape::Mask(id) => ("mask", text(&id.to_bits())),
        },
        ("frame", text(&frame)),
        ("plane", text(&plane)),
        ("at", text(&xy(position))),
        match angle.as_turn() {
            Some(turn) => ("turn", text(&turn)),
            None => ("angle", text(&f64::from(angle.to_radians()))),
        },
        ("scale", text(&f64::from(scale))),
        ("flip_x", text(&flip.x)),
        ("flip_y", text(&flip.y)),
        ("layers", text(&layers)),
        ("collides_with", text(&collides_with)),
        ("owner", text(&owner)),
        match collider.min_overlap {
            MinOverlap::Pixels(pixels) => ("min_overlap", text(&pixels)),
            MinOverlap::Size { width, height } => ("min_size", text(&(width, height))),
        },
        ("fixed", text(&fixed)),
        ("sensor", text(&sensor)),
        ("enabled", text(&enabled)),
        ("accuracy", text(&name(accuracy))),
        ("move_accuracy", move_accuracy.map_or("None".into(), |level| text(&name(level)))),
        ("user_data", text(&user_data)),
    ]
}

/// The fields of a collider but for its shape, with which edits of it answer.
pub(super) struct State(pub(super) Collider);

impl Debug for State {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let values = fields(&self.0).into_iter().skip(1).map(|(_, value)| value);
        f.write_str(&values.collect::<Vec<_>>().join(", "))
    }
}

pub(super) fn place(collider: &Collider) -> ((f64, f64), f64) {
    (xy(collider.position), f64::from(collider.angle.to_radians()))
}

/// The keyword arguments that make a collider of another one, or of none.
pub(super) struct Keys(pub(super) Collider, pub(super) Option<Collider>);

impl Display for Keys {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let before = fields(&self.1.unwrap_or(Collider::new(SpriteId::new(u32::MAX - 1))));
        let differ = fields(&self.0).into_iter().filter(|field| !before.contains(field));
        let keys = differ.map(|(name, value)| format!("{name}={value}"));
        f.write_str(&keys.collect::<Vec<_>>().join(", "))
    }
}

/// Makes colliders that one call of Python takes: alike but for sprite, place, angle and scale.
pub(super) fn unify(colliders: &mut [Collider]) {
    let Some(&first) = colliders.first() else { return };
    let is_sprite = |collider: &Collider| collider.shape.sprite().is_some();
    let is_one = colliders.iter().all(|collider| collider.shape == first.shape);
    for collider in colliders {
        let (position, both) = (collider.position, is_sprite(&first) && is_sprite(collider));
        let Collider { shape, angle, scale, .. } = if both { *collider } else { first };
        let (frame, plane) = if is_one { (first.frame, first.plane) } else { (0, 0) };
        let angle = in_unit(first.angle, angle);
        *collider = Collider { shape, frame, plane, position, angle, scale, ..first };
    }
}

/// Returns an angle in the unit of another one.
pub(super) fn in_unit(unit: Angle, angle: Angle) -> Angle {
    match (unit.as_turn(), angle.as_turn()) {
        (None, _) => Angle::radians(angle.to_radians()),
        (Some(_), None) => Angle::turn((angle.to_radians() * 10_430.0) as i32 as u16),
        _ => angle,
    }
}

/// Returns angles of one unit as a keyword argument.
pub(super) fn angles(angles: impl Iterator<Item = Angle> + Clone) -> String {
    let turns: Option<Vec<u16>> = angles.clone().map(Angle::as_turn).collect();
    let radians = || angles.map(|angle| f64::from(angle.to_radians())).collect::<Vec<_>>();
    turns.map_or_else(|| format!("angle={:?}", radians()), |turns| format!("turn={turns:?}"))
}

/// The arguments for alike colliders, with places or without.
pub(super) struct Columns<'c>(pub(super) &'c [Collider], pub(super) bool);

impl Display for Columns<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let all = || self.0.iter();
        let sprites: Option<Vec<u64>> =
            all().map(|c| c.shape.sprite().map(SpriteId::to_bits)).collect();
        match sprites {
            Some(sprites) => write!(f, "{sprites:?}, ")?,
            None => write!(f, "None, ")?,
        }
        if self.1 {
            write!(f, "{:?}, ", all().map(|c| xy(c.position)).collect::<Vec<_>>())?;
        }
        let scales: Vec<f64> = all().map(|c| c.scale.into()).collect();
        write!(f, "{}, scale={scales:?}", angles(all().map(|c| c.angle)))?;
        let Some(&first) = self.0.first() else { return Ok(()) };
        let base = Collider::new(SpriteId::new(0));
        let shape = if first.shape.sprite().is_some() { base.shape } else { first.shape };
        let Collider { position, angle, scale, .. } = base;
        let shared = Keys(Collider { shape, position, angle, scale, ..first }, Some(base));
        write!(f, ", {shared}")
    }
}

impl Play<'_> {
    /// Writes a call and its answer, if there is a trace. Without an answer the call is refused.
    pub(super) fn note(&mut self, call: Arguments<'_>, answer: Option<impl Debug>) {
        let Some(trace) = &mut self.trace else { return };
        match answer {
            Some(answer) => trace.say(call, answer),
            None => trace.say(call, format_args!("refused")),
        }
    }

    /// As [`note`](Self::note), of an edit of a mask, whose answer are its pixels.
    pub(super) fn note_mask(&mut self, call: Arguments<'_>, id: MaskId, is_accepted: bool) {
        let shown = self.model.mask(id).filter(|_| is_accepted && self.trace.is_some());
        let answer = shown.map(|loose| rows(&loose.mask));
        self.note(call, answer);
    }

    /// Returns a collider for the trace: other languages have one form of an angle of 0, and of no least overlap.
    pub(super) fn plain(&self, mut collider: Collider) -> Collider {
        if self.trace.is_some() {
            if collider.angle == Angle::default() {
                collider.angle = Angle::default();
            }
            if collider.min_overlap == (MinOverlap::Size { width: 0, height: 0 }) {
                collider.min_overlap = MinOverlap::Pixels(0);
            }
        }
        collider
    }

    /// Writes what an update has found.
    pub(super) fn note_events(&mut self, began: &[Pair], ended: &[Pair]) {
        let Some(trace) = &mut self.trace else { return };
        let touching = &self.model.touching;
        let stayed = touching.iter().filter(|pair| !began.contains(pair));
        trace.say(format_args!("touching()"), pairs(touching));
        trace.say(format_args!("began()"), pairs(began));
        trace.say(format_args!("ended()"), pairs(ended));
        trace.say(format_args!("stayed()"), pairs(stayed));
        let [touching, began, ended] = &self.model.body_events;
        trace.say(format_args!("touching_bodies()"), bodies(touching));
        trace.say(format_args!("began_bodies()"), bodies(began));
        trace.say(format_args!("ended_bodies()"), bodies(ended));
        self.note(format_args!("state_hash()"), Some(self.worlds[0].state_hash()));
    }

    /// Makes a call that only a trace needs: one that changes the world, or questions of one kind.
    pub(super) fn make_traced(&mut self) {
        let kind = self.source.below(8);
        if kind == 0 {
            return self.change_traced();
        }
        let question = self.question();
        self.model.refresh();
        let Some(trace) = &mut self.trace else { return };
        let (world, model) = (&self.worlds[0], &self.model);
        match kind {
            1 | 2 => trace.zones(&model.naive, &question),
            3 => trace.lines(&model.naive, &question),
            4 => trace.near(model, &question),
            5 => trace.pair(world, model, &question),
            6 => trace.casts(world, &model.naive, &question),
            _ => trace.state(world, model, &question),
        }
    }

    /// Makes a change that only a trace needs.
    fn change_traced(&mut self) {
        let masks: Vec<_> = self.model.masks.iter().map(|(id, _)| *id).collect();
        let (kind, mask) = (self.source.below(8), self.source.pick(&masks));
        let (data, picture) = (self.source.bits(), self.picture());
        let [x, y] = [0; 2].map(|_| self.source.within(-9, 30));
        let is_set = self.source.one_in(2);
        match (kind, mask, self.any()) {
            (0 | 1, Some(id), _) => {
                let card = if kind == 0 { Mask::disc(data % 9).expect("small") } else { picture };
                let radius = (card.width() / 2) as i32;
                let by =
                    if kind == 0 { Point::new(x - radius, y - radius) } else { Point::new(x, y) };
                self.edit_mask(id, |mask| match is_set {
                    true => mask.draw(&card, by),
                    false => mask.erase(&card, by),
                });
                let (number, at, card) = (id.to_bits(), (x, y), rows(&card));
                let call = match kind {
                    0 => format!("fill_disc({number}, {at:?}, {radius}, {is_set})"),
                    _ => format!("draw_mask({number}, M({card:?}), {at:?}, {is_set})"),
                };
                self.note_mask(format_args!("{call}"), id, true);
            }
            (2, ..) => {
                let ids: Vec<_> =
                    self.model.colliders.keys().copied().step_by(7 + data as usize % 9).collect();
                for id in &ids {
                    let removed = self.model.colliders.remove(id);
                    self.worlds.iter_mut().for_each(|world| assert_eq!(world.remove(*id), removed));
                }
                self.note(format_args!("remove_all({:?})", bits(&ids)), Some(()));
            }
            (3, ..) => {
                let mut colliders: Vec<_> = (0..3).filter_map(|_| self.collider()).collect();
                colliders.retain(|collider| collider.shape.sprite().is_some());
                unify(&mut colliders);
                colliders.retain(|collider| self.model.accepted(*collider).is_some());
                let drawn = self
                    .expect(true, |world, _| world.atlases_mut().draw_ahead(&colliders, |_| true));
                self.note(format_args!("draw_ahead({})", Columns(&colliders, false)), drawn);
            }
            (4, ..) => {
                let factor = 1.25 + (data % 8) as f32;
                self.model.policy = ScalePolicy::Within(factor);
                self.expect(true, |world, _| world.set_scale_policy(ScalePolicy::Within(factor)));
                self.note(format_args!("set_scale_policy({factor:?})"), Some(()));
            }
            (5, ..) => {
                for _ in 0..3 {
                    if let Some((id, collider)) = self.any() {
                        self.set(id, Collider { owner: 1 + data % 4, ..collider });
                    }
                }
            }
            (6, _, Some((id, collider))) if collider.shape.sprite().is_some() => {
                let radians = (data % 64) as f32 / 8.0 - 3.9;
                let turned = collider.turned(radians);
                self.set_silently(id, turned);
                let (id, done) = (id.to_bits(), Some(State(turned)));
                self.note(format_args!("turn_to({id}, {:?})", f64::from(radians)), done);
            }
            (_, _, Some((id, collider))) => {
                let user_data = u64::from(data) << (data % 33) | 1;
                let changed = Collider { user_data, ..collider };
                self.set_silently(id, changed);
                let (id, done) = (id.to_bits(), Some(State(changed)));
                self.note(format_args!("set_user_data({id}, {user_data})"), done);
            }
            _ => {}
        }
    }
}

/// Returns a filter as keyword arguments.
fn filter_keys(filter: Filter<'_>) -> String {
    let ignore = filter.except.map_or("None".into(), |id| id.to_bits().to_string());
    let (layers, sensors, accuracy) = (filter.layers, filter.sensors, name(filter.accuracy));
    format!("layers={layers}, sensors={sensors}, ignore={ignore}, accuracy={accuracy:?}")
}

/// Questions of a kind at one place, with the answers of the model.
impl Trace {
    fn zones(&mut self, naive: &Naive<'_>, question: &Question) {
        let &Question { filter, at, to, within, reach, .. } = question;
        let (by, center, place) = (filter_keys(filter), pixel(at), xy(at));
        let radii = [within.abs(), 3.0 + reach as f32 * 4.5];
        let rect = Rect::new(center.x, center.y, center.x + 9 + reach as i32, center.y + 40);
        let zones = [
            (format!("query_point({place:?}"), Zone::point(at)),
            (format!("query_rect({:?}", corners(rect)), Ok(Zone::rect(rect))),
            (format!("query_circle({place:?}, {:?}", radii[1]), Zone::circle(at, radii[1])),
            (format!("query_ellipse({place:?}, {:?}", xy(radii)), Zone::ellipse(at, radii)),
            (format!("query_line({place:?}, {:?}", xy(to)), Line::new(at, to).map(Zone::line)),
        ];
        for (call, zone) in zones {
            let found = naive.query(&zone.expect("a small zone"), filter);
            self.say(format_args!("{call}, {by})"), bits(&found));
        }
        let card = solid(7 + 2 * reach, 5);
        let rest = PixelPath::new(Point::default());
        let met = naive.cast_mask(card.as_ref(), center, rest, filter);
        let met: Vec<u64> = met.into_iter().map(|(_, id)| id.to_bits()).collect();
        let card = rows(&card);
        self.say(format_args!("query_mask(M({card:?}), {:?}, {by})", ij(center)), met);
    }

    fn lines(&mut self, naive: &Naive<'_>, question: &Question) {
        let &Question { filter, at, to, .. } = question;
        let hits = [[at, to], [to, at]].map(|[from, to]| {
            let line = Line::new(from, to).expect("a short line");
            naive.ray_all(&line, filter).iter().map(line_hit).collect::<Vec<_>>()
        });
        let (by, [start, end]) = (filter_keys(filter), [xy(at), xy(to)]);
        self.say(format_args!("ray({start:?}, {end:?}, {by})"), hits[0].first());
        self.say(format_args!("ray_all({start:?}, {end:?}, {by})"), &hits[0]);
        let firsts = hits.map(|hits| hits.first().copied().unwrap_or_default());
        let [there, back] = [[start, end], [end, start]];
        self.say(format_args!("rays({there:?}, {back:?}, {by})"), firsts);
    }

    fn near(&mut self, model: &Model<'_>, question: &Question) {
        let &Question { filter, at, to, within, reach, ids, .. } = question;
        let (naive, by, place) = (&model.naive, filter_keys(filter), xy(at));
        let (within, radius) = (within.abs(), reach as f32 * 0.7);
        let near = |found: Option<(ColliderId, f64)>| found.map(|(id, far)| (id.to_bits(), far));
        let found = near(naive.nearest(at, within, filter));
        self.say(format_args!("nearest({place:?}, {within:?}, {by})"), found);
        let data = |id: ColliderId| model.colliders[&id].user_data;
        let slot = |at| naive.pick(at, within, filter, ColliderId::index).map(ColliderId::to_bits);
        let found = naive.pick(at, within, filter, data).map(ColliderId::to_bits);
        self.say(format_args!("pick({place:?}, {within:?}, \"slot\", {by})"), slot(at));
        self.say(format_args!("pick({place:?}, {within:?}, \"data\", {by})"), found);
        let found = [at, to].map(|at| slot(at).unwrap_or(0));
        self.say(format_args!("picks({:?}, {within:?}, {by})", [place, xy(to)]), found);
        let (card, at) = (Mask::disc(6).expect("a small mask"), pixel(at));
        let found = naive.free_offset(card.as_ref(), at, reach, filter).map(ij);
        let (card, at) = (rows(&card), ij(at));
        self.say(format_args!("nearest_free_offset(M({card:?}), {at:?}, {reach}, {by})"), found);
        let Some(a) = ids[0].filter(|id| naive.get(*id).is_some()) else { return };
        let id = a.to_bits();
        let found = near(naive.nearest_to(a, within, filter));
        self.say(format_args!("nearest_to({id}, {within:?}, {by})"), found);
        let found = naive.graze(a, radius, filter).into_iter();
        let found = found
            .map(|(id, graze)| (id.to_bits(), if graze == Graze::Hit { "hit" } else { "graze" }));
        let call = format!("graze({id}, {:?}, {by})", f64::from(radius));
        self.say(format_args!("{call}"), found.collect::<Vec<_>>());
        let found = naive.push_out(a, radius).map(xy);
        self.say(format_args!("push_out({id}, {:?})", f64::from(radius)), found);
    }

    fn pair(&mut self, world: &World, model: &Model<'_>, question: &Question) {
        let naive = &model.naive;
        let [Some(a), Some(b)] = question.ids.map(|id| id.and_then(|id| naive.get(id))) else {
            return;
        };
        // Mostly two whose boxes overlap.
        let is_met = |other: &&Shown<'_>| {
            let shared = a.rect.zip(other.rect).and_then(|(a, b)| a.intersection(b));
            other.id != a.id && shared.is_some()
        };
        let b = naive.shown.iter().filter(is_met).max_by_key(|shown| shown.id == b.id).unwrap_or(b);
        let ((a, first), (b, second)) = ((a.id, a), (b.id, b));
        if a == b {
            return;
        }
        let are_enabled = first.collider.enabled && second.collider.enabled;
        let contact = |at: [Accuracy; 2]| {
            let found = are_enabled.then(|| naive.contact(first, second, at)).flatten();
            found.map(|(rect, area, point)| (area, corners(rect), ij(point)))
        };
        let both = [a, b].map(ColliderId::to_bits);
        let ids = format!("{}, {}", both[0], both[1]);
        let exact = contact([Accuracy::Exact; 2]);
        let overlap = world.pair(Pair { a, b }).and_then(|pair| pair.overlap());
        let overlap = overlap.map(|found| {
            let ((rect, area, point), normal) = (parts(found.contact()), found.normal());
            let shared = (area, corners(rect), ij(point));
            assert_eq!(Some(shared), exact, "{a:?} {b:?}");
            let (side, out, depth) = (name(normal.side()), ij(found.push_out()), found.depth());
            let normal = xy([normal.x, normal.y]);
            (shared, xy(found.centroid()), normal, side, out, f64::from(depth))
        });
        let (levels, are_coarse) = naive.accuracies(first, second);
        if !are_coarse {
            let contact = contact(levels);
            self.say(format_args!("contact({ids})"), contact);
            let details = overlap.as_ref().map(|(.., normal, _, out, _)| (*normal, *out));
            let all = (both, contact.unwrap_or_default(), details.unwrap_or_default());
            self.say(format_args!("contacts([({ids})], normals=true)"), all);
        }
        self.say(format_args!("overlap({ids})"), overlap);
        self.say(format_args!("contact_at({ids}, \"box\")"), contact([Accuracy::Box; 2]));
        let planes = [a, b].map(|id| model.planes(id));
        let mut shared = Vec::new();
        for (i, first) in (0..).zip(&planes[0]).filter(|_| are_enabled) {
            for (j, second) in (0..).zip(&planes[1]) {
                if naive.contact(first, second, [Accuracy::Exact; 2]).is_some() {
                    shared.push((i, j));
                }
            }
        }
        self.say(format_args!("overlapping_planes({ids})"), shared);
        let have_pixels = are_enabled && first.rect.is_some() && second.rect.is_some();
        let far = have_pixels.then(|| first.mask().distance(second.mask(), second.at - first.at));
        self.say(format_args!("distance({ids})"), far.flatten());
    }

    fn casts(&mut self, world: &World, naive: &Naive<'_>, question: &Question) {
        let &Question { filter, at, motion, reach, ids: [a, _], .. } = question;
        let by = Point::new(7 * reach as i32 - 40, 90 - 11 * reach as i32);
        let (card, start) = (Mask::disc(6).expect("a small mask"), pixel(at));
        let met = world.probe(&card, start).cast_all(by, filter);
        let steps: Vec<_> = met.iter().map(|(id, impact)| (impact.step, *id)).collect();
        assert_eq!(steps, naive.cast_mask(card.as_ref(), start, PixelPath::new(by), filter));
        let met: Vec<_> = met.iter().map(|(id, by)| (id.to_bits(), impact(by))).collect();
        let card = rows(&card);
        let given = format!("M({card:?}), {:?}, {:?}, {}", ij(start), ij(by), filter_keys(filter));
        self.say(format_args!("cast_mask({given})"), met.first());
        self.say(format_args!("cast_mask_all({given})"), &met);
        let Some((a, own)) = a.and_then(|a| Some((a, naive.get(a)?))) else { return };
        let Some(path) = path(own.collider.position, motion) else { return };
        let truth = naive.cast_all(a, path);
        let hits = world.cast_all(a, motion, Filter::ALL).expect("a short motion");
        assert!(hits.iter().map(|hit| (hit.impact.step, hit.collider)).eq(truth), "{motion:?}");
        let (id, by) = (a.to_bits(), xy(motion));
        let odd = hits.iter().filter(|hit| hit.collider.index() % 2 == 1).map(hit);
        let odd: Vec<_> = odd.collect();
        self.say(format_args!("cast_all({id}, {by:?})"), hits.iter().map(hit).collect::<Vec<_>>());
        self.say(format_args!("cast_all({id}, {by:?}, among=odd)"), odd);
        let is_solid = |hit: &&Hit| naive.get(hit.collider).is_some_and(|s| !s.collider.sensor);
        let mut solid = hits.iter().filter(is_solid);
        let first = solid.clone().next();
        let first_odd = solid.find(|hit| hit.collider.index() % 2 == 1).map(hit);
        self.say(format_args!("cast({id}, {by:?})"), first.map(hit));
        self.say(format_args!("cast({id}, {by:?}, among=odd)"), first_odd);
        let normal = |hit: &Hit| xy([hit.impact.normal.x, hit.impact.normal.y]);
        let column = first.map(|hit| {
            let time = f64::from(hit.impact.time());
            (hit.collider.to_bits(), xy(hit.position), xy(hit.point), time, normal(hit))
        });
        // A motion that hits nothing has an id of 0 in a column.
        match column {
            Some(column) => self.say(format_args!("casts([{id}], [{by:?}])"), column),
            None => self.say(format_args!("casts([{id}], [{by:?}])"), 0),
        }
    }

    fn state(&mut self, world: &World, model: &Model<'_>, question: &Question) {
        let (naive, reach) = (&model.naive, question.reach);
        let ids: Vec<ColliderId> = model.colliders.keys().copied().collect();
        self.say(format_args!("ids()"), bits(&ids));
        self.say(format_args!("count()"), ids.len());
        self.say(format_args!("accuracy()"), name(model.accuracy));
        if let ScalePolicy::Within(factor) = model.policy {
            self.say(format_args!("scale_policy()"), f64::from(factor));
        }
        self.say(format_args!("validate()"), ());
        let owner = reach % 5;
        let parts =
            ids.iter().copied().filter(|id| owner != 0 && model.colliders[id].owner == owner);
        self.say(format_args!("parts_of({owner})"), bits(&parts.collect::<Vec<_>>()));
        let group: Vec<_> = ids.iter().copied().filter(|id| id.index() % 2 == reach % 2).collect();
        let others: Vec<_> = ids.iter().copied().filter(|id| id.index() % 3 != reach % 3).collect();
        let with = |&id: &ColliderId| {
            let met = naive.touching_with(id).into_iter().filter(|id| others.contains(id));
            met.map(move |other| Pair::from([id, other]))
        };
        let met: std::collections::BTreeSet<Pair> = group.iter().flat_map(with).collect();
        let [group, others] = [bits(&group), bits(&others)];
        self.say(format_args!("touching_between({group:?}, {others:?})"), pairs(&met));
        let [Some(a), Some(b)] = question.ids else { return };
        let Some((shown, other)) = naive.get(a).zip(naive.get(b)) else { return };
        let (id, collider) = (a.to_bits(), shown.collider);
        self.say(format_args!("get({id})"), State(collider));
        self.say(format_args!("user_data({id})"), collider.user_data);
        self.say(format_args!("rect({id})"), shown.rect.map(corners));
        if shown.rect.is_some() {
            let posed = (rows(&shown.mask().to_mask()), ij(shown.at));
            self.say(format_args!("posed({id})"), posed);
        }
        self.say(format_args!("touching_with({id})"), bits(&naive.touching_with(a)));
        let places = [other, shown].map(|shown| place(&shown.collider));
        self.say(format_args!("placements({:?})", [b.to_bits(), id]), places);
        assert_eq!(world.len(), ids.len());
    }
}

/// Returns versions of two atlases: sprites of all kinds, some of which change, come or go.
fn art() -> Art {
    let ring = {
        let mut ring = Mask::disc(14).expect("a small mask");
        ring.erase(&Mask::disc(9).expect("a small mask"), [5, 5]);
        ring
    };
    let heart = Mask::disc(6).expect("a small mask");
    let heart = heart.cropped(Rect::new(-8, -8, 21, 21)).expect("a small mask");
    let hook: Mask = "######\n.....#\n.....#\n...###".parse().expect("a mask");
    let version = |version: u32| {
        let walk = [ring.clone(), solid(9, 30 + version), hook.clone()];
        let settings = Settings {
            angles: 8,
            scales: [0.7, 1.0].as_slice().into(),
            sampling: Sampling::Nearest,
            ..Settings::default()
        };
        let planes: [&str; 2] = if version == 0 { ["rim", "bull"] } else { ["arm", "bull"] };
        let bake = AtlasBuilder::new()
            .angles(16)
            .mask("block", solid(20 + 9 * version, 31))
            .mask("none", Mask::default())
            .frames_with("walk", walk, settings)
            .planes("target", planes, [[ring.clone(), heart.clone()]])
            .expect("two planes");
        bake.mask(if version == 0 { "first" } else { "added" }, hook.clone())
    };
    let other = AtlasBuilder::new().angles(4).mask("other", ring.clone());
    vec![vec![forms(&version(0)), forms(&version(1))], vec![forms(&other)]]
}

/// The weights of the groups of calls of a trace.
const WEIGHTS: [(Group, u32); 9] = [
    (Group::Place, 14),
    (Group::Rules, 4),
    (Group::Masks, 5),
    (Group::Moves, 6),
    (Group::Atlases, 2),
    (Group::Saves, 3),
    (Group::Misuse, 1),
    (Group::Trace, 14),
    (Group::Update, 3),
];

/// Returns the trace of a play.
fn traced(options: &Options, seed: u64) -> String {
    let mut play = Play::new(options, Source::Seed(Random::new(seed)));
    play.trace = Some(Trace::default());
    play.note(format_args!("create(A(0, 0))"), Some(()));
    play.fill(options.most / 2);
    (0..300).for_each(|_| play.step());
    play.update();
    play.trace.take().expect("a trace").0
}

/// Writes traces and the atlases that they name to a folder, and returns the traces.
///
/// # Panics
/// If a world and the model differ, or a file cannot be written.
pub fn write_traces(folder: &Path) -> Vec<PathBuf> {
    let (art, forms, weights) = (art(), vec![Form::Drawn], WEIGHTS.to_vec());
    let options = Options { art, forms, most: 40, side: 70, weights, is_wild: false };
    for (family, versions) in options.art.iter().enumerate() {
        for (version, [drawn, _]) in versions.iter().enumerate() {
            let file = folder.join(format!("atlas-{family}-{version}.hitmask"));
            std::fs::write(file, drawn.as_bytes()).expect("a file of the folder");
        }
    }
    let trace = |seed: u64| {
        let file = folder.join(format!("trace-{seed}.txt"));
        std::fs::write(&file, traced(&options, seed)).expect("a file of the folder");
        file
    };
    (0..12).map(trace).collect()
}

/// Returns the CRC-32 of the traces of some plays, which are the same on every machine and with every
/// instruction set.
///
/// Invariant: no number in them comes from a function that the system's mathematics library rounds, such
/// as sine. Only such numbers may differ between machines.
///
/// # Panics
/// If a world and the model differ.
#[must_use]
pub fn hash_of_plays(seeds: std::ops::Range<u32>) -> u32 {
    let art = vec![[0, 1].map(|version| forms(&all_kinds(version))).into()];
    let forms = vec![Form::Drawn, Form::Limited];
    let weights = WEIGHTS.into_iter().chain([(Group::Ask, 14)]).collect();
    let options = Options { art, forms, most: 120, side: 200, weights, is_wild: false };
    let mut hash = crc32fast::Hasher::new();
    seeds.for_each(|seed| hash.update(traced(&options, seed.into()).as_bytes()));
    hash.finalize()
}
