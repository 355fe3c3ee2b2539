//! Calls of a world in any order, with numbers of any bits and ids of any kind. After each the
//! world holds together, and what it answers is what a look at every collider would answer.

use crate::{art, snapshot};
use arbitrary::{Arbitrary, Unstructured};
use hitmask::{
    Accuracy, Affine, Angle, Collider, ColliderId, Filter, Line, Mask, MaskId, MoveRules, Pair,
    Pivot, Place, Point, Raster, Rect, Sampling, SpriteId, World, Zone,
};
use std::collections::BTreeSet;

/// A number as a game may come to it.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Number {
    Whole(i8),
    Part(i16),
    Far(u8),
    Bits(u32),
}

impl Number {
    fn get(self) -> f32 {
        match self {
            Self::Whole(v) => v.into(),
            Self::Part(v) => f32::from(v) / 256.0,
            Self::Far(v) => {
                [1e9, -1e9, 2e9, 1_073_741_824.0, 8_388_608.5, 65_536.0, -3e8][usize::from(v) % 7]
            }
            Self::Bits(bits) => f32::from_bits(bits),
        }
    }
}

type Place2 = [Number; 2];

fn numbers<const N: usize>(numbers: [Number; N]) -> [f32; N] {
    numbers.map(Number::get)
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Turn {
    Upright,
    Parts(u16),
    Radians(Number),
}

impl Turn {
    fn get(self) -> Angle {
        match self {
            Self::Upright => Angle::default(),
            Self::Parts(parts) => Angle::Turn(parts),
            Self::Radians(number) => Angle::Radians(number.get()),
        }
    }
}

/// What a collider shows, and by which rules.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Look {
    shape: u8,
    frame: u8,
    plane: u8,
    flags: u8,
    layers: u8,
    scale: u8,
    least: u8,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Shape {
    Rect([i16; 4]),
    AnyRect([i32; 4]),
    Circle(Place2, Number),
    Ellipse(Place2, Place2),
    Line(Place2, Place2),
    Ray(Place2, Place2, Number),
    Point(Place2),
}

impl Shape {
    fn zone(self) -> Option<Zone> {
        match self {
            Self::Rect([x, y, w, h]) => {
                let [x, y, w, h] = [x, y, w, h].map(|v| i32::from(v) / 16);
                Some(Zone::rect(Rect::new(x, y, x + w, y + h)))
            }
            Self::AnyRect([x0, y0, x1, y1]) => Some(Zone::rect(Rect::new(x0, y0, x1, y1))),
            Self::Circle(at, radius) => Zone::circle(numbers(at), radius.get()).ok(),
            Self::Ellipse(at, radii) => Zone::ellipse(numbers(at), numbers(radii)).ok(),
            Self::Point(at) => Zone::point(numbers(at)).ok(),
            Self::Line(..) | Self::Ray(..) => self.line().map(Zone::line),
        }
    }

    fn line(self) -> Option<Line> {
        match self {
            Self::Line(from, to) => Line::new(numbers(from), numbers(to)).ok(),
            Self::Ray(from, way, length) => {
                Line::ray(numbers(from), numbers(way), length.get()).ok()
            }
            _ => None,
        }
    }
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Edit {
    Fill,
    Clear,
    Set(u8, u8),
    Rect([i16; 4]),
    /// Another mask in its place, of another size.
    Replace(u8, u8),
}

#[derive(Arbitrary, Debug)]
enum Call {
    Insert(Look, Place2, Turn),
    Set(u8, Look, Place2, Turn),
    Remove(u8),
    PlaceMany(Vec<(u8, Place2, Turn)>),
    SetMany(Vec<(u8, Place2)>),
    InsertMask(u8, u8, u64, [i32; 2]),
    InsertTransformed([Number; 6], bool),
    Transform(u8, [Number; 6]),
    Edit(u8, Edit),
    RemoveMask(u8),
    Accuracy(u8),
    Update,
    UpdateWith(u32),
    Cast(u8, Place2),
    CastMask([i16; 2], [i32; 2]),
    Move(u8, Place2),
    Slide(u8, Place2, u8, u8),
    Query(Shape),
    Nearest(Place2, Number),
    Pick(Place2, Number),
    PushOut(u8, u32),
    FindFree([i16; 2], u32),
    Graze(u8, u32),
    Pair(u8, u8),
    Restore,
    GoBack,
}

/// A world under test, with ids that are or were in it, or never were.
struct Bench {
    world: World,
    ids: Vec<ColliderId>,
    masks: Vec<MaskId>,
    saved: Option<Vec<u8>>,
}

/// Colliders of a world, and masks.
const MOST: usize = 24;

pub fn run(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let world = World::new(snapshot::atlas());
    // Ids of another world, whose slots were used before.
    let mut other = world.clone();
    let first = Collider::new(SpriteId::new(0));
    let ids = [(); 3].map(|()| {
        let id = other.insert(first).expect("the first sprite");
        other.remove(id);
        other.insert(first).expect("the first sprite")
    });
    let mask = other.insert_mask(art::arrow(), Pivot::Center).expect("a small mask");
    let mut bench = Bench { world, ids: ids.to_vec(), masks: vec![mask], saved: None };
    for _ in 0..80 {
        if input.is_empty() {
            break;
        }
        let Ok(call) = Call::arbitrary(&mut input) else { break };
        bench.call(call);
        bench.world.validate().expect("a world holds together");
    }
    bench.update(|world| world.update());
    ask(&mut bench.world);
}

impl Bench {
    fn id(&self, index: u8) -> ColliderId {
        self.ids[usize::from(index) % self.ids.len()]
    }

    fn mask(&self, index: u8) -> MaskId {
        self.masks[usize::from(index) % self.masks.len()]
    }

    fn collider(&self, look: Look, at: Place2, turn: Turn) -> Collider {
        let Look { shape, frame, plane, flags, layers, scale, least } = look;
        let flag = |bit: u8| flags & 1 << bit != 0;
        let shown = match shape {
            0..128 => Collider::new(SpriteId::new(u32::from(shape) % 6)),
            _ => Collider::from_mask(self.mask(shape)),
        };
        let accuracy = [Accuracy::Exact, Accuracy::Exact, Accuracy::Coarse, Accuracy::Box];
        let scales = [1.0, 1.0, 1.0, 0.3, 1e9, 0.0, f32::NAN, -1.0];
        Collider {
            frame: u32::from(frame) % 4,
            plane: u32::from(plane) % 3,
            flip_x: flag(0),
            flip_y: flag(1),
            fixed: flag(2),
            sensor: flag(3),
            accuracy: accuracy[usize::from(flags >> 4) % 4],
            layers: if layers < 160 { 1 } else { u32::from(layers) },
            collides_with: if layers % 4 != 0 { u32::MAX } else { u32::from(layers) },
            scale: scales[usize::from(scale) % scales.len()],
            min_overlap: if least < 128 { 1 } else { u32::from(least) - 128 },
            ..shown.at(numbers(at)).turned(turn.get())
        }
    }

    fn update(&mut self, update: impl FnOnce(&mut World)) {
        let set = |pairs: &[Pair]| pairs.iter().copied().collect::<BTreeSet<Pair>>();
        let before = set(self.world.touching());
        update(&mut self.world);
        let after = set(self.world.touching());
        assert_eq!(set(self.world.began()), &after - &before, "began");
        assert_eq!(set(self.world.ended()), &before - &after, "ended");
    }

    fn call(&mut self, call: Call) {
        match call {
            Call::Insert(look, at, turn) if self.world.len() < MOST => {
                let collider = self.collider(look, at, turn);
                let (before, hash) = (self.world.len(), self.world.state_hash());
                match self.world.insert(collider) {
                    Ok(id) => {
                        assert_same(self.world.get(id), Some(collider));
                        self.ids.push(id);
                    }
                    Err(_) => {
                        assert_eq!((self.world.len(), self.world.state_hash()), (before, hash))
                    }
                }
            }
            Call::Insert(..) => {}
            Call::Set(id, look, at, turn) => {
                let (id, collider) = (self.id(id), self.collider(look, at, turn));
                let hash = self.world.state_hash();
                match self.world.set(id, collider) {
                    Ok(()) => assert_same(self.world.get(id), Some(collider)),
                    Err(_) => assert_eq!(self.world.state_hash(), hash),
                }
            }
            Call::Remove(id) => {
                let id = self.id(id);
                let there = self.world.get(id);
                assert_same(self.world.remove(id), there);
                assert!(self.world.get(id).is_none() && self.world.rect(id).is_none());
            }
            Call::PlaceMany(places) => self.place_many(&places),
            Call::SetMany(places) => {
                let set = |&(id, at): &(u8, Place2)| {
                    let id = self.id(id);
                    Some((id, self.world.get(id)?.at(numbers(at))))
                };
                let list: Vec<_> = places.iter().filter_map(set).collect();
                let _ = self.world.set_many(list);
            }
            Call::InsertMask(width, height, bits, pivot) if self.masks.len() < MOST => {
                let id = self.world.insert_mask(
                    picture(width % 80, height % 40, bits),
                    match pivot {
                        [0, _] => Pivot::Center,
                        [x, y] => Pivot::HalfTexels(x >> (y & 31), y >> (x & 31)),
                    },
                );
                self.masks.extend(id);
            }
            Call::InsertTransformed(transform, fine) if self.masks.len() < MOST => {
                let Some(transform) = affine(transform) else { return };
                let sampling = if fine { Sampling::Coverage25 } else { Sampling::Nearest };
                let raster = Raster::new(&art::block(), Pivot::Center, sampling);
                let raster = raster.expect("a small mask");
                self.masks.extend(self.world.insert_transformed(raster, transform));
            }
            Call::InsertMask(..) | Call::InsertTransformed(..) => {}
            Call::Transform(id, transform) => {
                let Some(transform) = affine(transform) else { return };
                let hash = self.world.state_hash();
                if self.world.transform_mask(self.mask(id), transform).is_err() {
                    assert_eq!(self.world.state_hash(), hash);
                }
            }
            Call::Edit(id, edit) => {
                let id = self.mask(id);
                let _ = self.world.edit_mask(id, |mask| edit_mask(mask, edit));
            }
            Call::RemoveMask(id) => {
                let id = self.mask(id);
                if self.world.remove_mask(id).is_ok() {
                    assert!(self.world.mask(id).is_none());
                }
            }
            Call::Accuracy(level) => self.world.set_accuracy(
                [Accuracy::Exact, Accuracy::Coarse, Accuracy::Box][usize::from(level) % 3],
            ),
            Call::Update => {
                self.update(|world| world.update());
                check_touching(&self.world);
            }
            Call::UpdateWith(seed) => self.update(|world| {
                world.update_with(|pair, _, _| {
                    (pair.a.index() ^ pair.b.index()).wrapping_mul(seed) & 64 == 0
                });
            }),
            Call::Move(id, by) => {
                let _ = self.world.move_until_contact(self.id(id), numbers(by));
            }
            Call::Slide(id, by, climb, slip) => self.slide(self.id(id), numbers(by), climb, slip),
            Call::Restore => {
                let saved = self.world.snapshot();
                let mut copy = self.world.clone();
                copy.restore(&saved).expect("its own snapshot");
                assert!(copy.snapshot() == saved);
                copy.validate().expect("a restored world holds together");
                copy.update();
                self.world.update();
                assert_eq!(copy.state_hash(), self.world.state_hash(), "restored and updated");
                self.saved = Some(saved);
            }
            Call::GoBack => {
                let Some(saved) = &self.saved else { return };
                self.world.restore(saved).expect("its own snapshot");
            }
            question => self.question(question),
        }
    }

    fn question(&self, question: Call) {
        let world = &self.world;
        match question {
            Call::Cast(id, by) => {
                let _ = world.cast(self.id(id), numbers(by));
            }
            Call::CastMask(at, by) => check_cast(world, Point::from(at.map(i32::from)), by.into()),
            Call::Query(shape) => {
                if let Some(zone) = shape.zone() {
                    check_zone(world, &zone);
                }
                if let Some(line) = shape.line() {
                    check_line(world, &line);
                }
            }
            Call::Nearest(at, within) => check_nearest(world, numbers(at), within.get()),
            Call::Pick(at, radius) => {
                let height = |id: ColliderId| id.index() % 3;
                let _ = world.pick(numbers(at), radius.get(), Filter::ALL, height);
                let _ = world.query_point(numbers(at), Filter::SOLID);
                let _ = world.query_circle(numbers(at), radius.get(), Filter::ALL);
            }
            Call::PushOut(id, radius) => {
                let _ = world.push_out(self.id(id), radius >> (radius & 31));
                let _ = world.touched_by(self.id(id));
                let _ = world.nearest_to(self.id(id), radius as f32, Filter::ALL);
            }
            Call::FindFree(at, radius) => {
                let at = at.map(i32::from);
                let free = world.find_free(&art::arrow(), at, radius >> (radius & 31), Filter::ALL);
                if let Some(by) = free {
                    let at = Point::from(at) + by;
                    let found = world.query_mask(&art::arrow(), at, Filter::ALL);
                    assert!(found.is_empty(), "free is where nobody is");
                }
            }
            Call::Graze(id, radius) => {
                let _ = world.graze(self.id(id), radius >> (radius & 31), Filter::ALL);
            }
            Call::Pair(a, b) => {
                let (a, b) = (self.id(a), self.id(b));
                let pair = Pair { a, b };
                let touch = world.touch(&pair).map(|touch| {
                    let _ = (touch.push_out(), touch.normal(), touch.mask(), touch.depth());
                    touch.contact()
                });
                if let Some(explained) = world.explain(&pair) {
                    assert_eq!(explained.pixels, touch);
                    let _ = (explained.to_string(), explained.to_scene());
                }
                let _ = (world.contact(&pair), world.distance(a, b), world.between(&[a], &[b, a]));
            }
            _ => {}
        }
    }

    /// All or nothing, and the same as one by one.
    fn place_many(&mut self, list: &[(u8, Place2, Turn)]) {
        let ids: Vec<_> = list.iter().map(|(id, ..)| self.id(*id)).collect();
        let place = |&(_, at, turn): &(u8, Place2, Turn)| Place {
            position: numbers(at),
            angle: turn.get(),
        };
        let places: Vec<_> = list.iter().map(place).collect();
        let (hash, mut one_by_one) = (self.world.state_hash(), self.world.clone());
        let placed = self.world.place_many(&ids, &places);
        let each = ids.iter().zip(&places).enumerate().try_for_each(|(index, (&id, place))| {
            let collider = one_by_one.get(id).ok_or((index, None))?;
            let Place { position, angle } = *place;
            let set = one_by_one.set(id, Collider { position, angle, ..collider });
            set.map_err(|cause| (index, Some(cause)))
        });
        match (placed, each) {
            (Ok(()), Ok(())) => assert_eq!(self.world.state_hash(), one_by_one.state_hash()),
            (Err(error), Err((index, cause))) => {
                assert_eq!(error.index, index);
                if let Some(cause) = cause {
                    // By their words: what is not a number is not equal to itself.
                    assert_eq!(error.cause.to_string(), cause.to_string());
                }
                assert_eq!(self.world.state_hash(), hash);
            }
            (many, each) => panic!("{many:?} of many, {each:?} of each"),
        }
    }

    /// Whoever is free when it sets out stays free.
    fn slide(&mut self, id: ColliderId, by: [f32; 2], climb: u8, slip: u8) {
        let number = |v: u8| if v == u8::MAX { u32::MAX } else { u32::from(v) % 4 };
        let rules = MoveRules { climb: number(climb), slip: number(slip), one_way: 0 };
        let free = in_it(&self.world, id).is_empty();
        let before = self.world.get(id);
        let Ok(moved) = self.world.move_by_rules(id, by, rules) else {
            assert_same(self.world.get(id), before);
            return;
        };
        let near = |at: [f32; 2]| at.iter().all(|v| v.abs() < 8e6);
        if free && near(moved.position) && before.is_some_and(|before| near(before.position)) {
            assert_eq!(in_it(&self.world, id), [], "{by:?} by {rules:?}: {moved:?}");
        }
    }
}

/// The same, what is not a number being equal to itself.
fn assert_same(a: Option<Collider>, b: Option<Collider>) {
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

/// A small mask: its bits over and over.
fn picture(width: u8, height: u8, bits: u64) -> Mask {
    let mut mask = Mask::new(width.into(), height.into()).expect("a small mask");
    let pixels = (0..u32::from(height)).flat_map(|y| (0..u32::from(width)).map(move |x| (x, y)));
    for (i, (x, y)) in pixels.enumerate() {
        mask.set(x, y, bits >> (i % 61) & 1 != 0);
    }
    mask
}

fn edit_mask(mask: &mut Mask, edit: Edit) {
    match edit {
        Edit::Fill => mask.fill(),
        Edit::Clear => mask.clear(),
        Edit::Set(x, y) => {
            let (x, y) = (u32::from(x), u32::from(y));
            if x < mask.width() && y < mask.height() {
                mask.set(x, y, true);
            }
        }
        Edit::Rect(rect) => {
            let [x0, y0, x1, y1] = rect.map(i32::from);
            mask.fill_rect(Rect::new(x0, y0, x1, y1), x0 & 1 == 0);
        }
        Edit::Replace(width, height) => *mask = picture(width % 70, height % 40, 0x9_0901),
    }
}

/// A transform under which a small sprite stays of a size that is soon drawn; or is too large to be
/// drawn at all, which is soon found.
fn affine(of: [Number; 6]) -> Option<Affine> {
    let [a, b, c, d, tx, ty] = numbers(of).map(f64::from);
    let most = [a, b, c, d].into_iter().map(f64::abs).fold(0.0, f64::max);
    (!(16.0..20_000.0).contains(&most)).then_some(Affine { a, b, c, d, tx, ty })
}

/// Those of whom one pixel is in a collider, and who are in its way.
fn in_it(world: &World, id: ColliderId) -> Vec<ColliderId> {
    let Some(own) = world.get(id) else { return Vec::new() };
    let is_met = |(other, met): &(ColliderId, Collider)| {
        let meets = own.layers & met.collides_with != 0 && met.layers & own.collides_with != 0;
        *other != id && !met.sensor && meets && world.touch(&Pair { a: id, b: *other }).is_some()
    };
    world.iter().filter(is_met).map(|(id, _)| id).collect()
}

/// What the last update found is what a look at all pairs finds.
pub fn check_touching(world: &World) {
    let all: Vec<(ColliderId, Collider)> = world.iter().collect();
    if all.len() > 100 {
        return;
    }
    let mut expected = Vec::new();
    for (i, (a, first)) in all.iter().enumerate() {
        for (b, second) in &all[i + 1..] {
            let pair = Pair { a: *a, b: *b };
            let meets = first.layers & second.collides_with != 0
                && second.layers & first.collides_with != 0;
            let levels = [first, second].map(|side| side.accuracy.min(world.accuracy()));
            let counts = levels.contains(&Accuracy::Box) || levels == [Accuracy::Exact; 2];
            let least = first.min_overlap.max(second.min_overlap).max(1);
            let area = world.contact(&pair).map_or(0, |contact| contact.area);
            let enough = area >= if counts { least.into() } else { 1 };
            if meets && !(first.fixed && second.fixed) && enough {
                expected.push(pair);
            }
        }
    }
    assert_eq!(world.touching(), expected, "what the update found");
}

/// A fixed round of questions to a world.
pub fn ask(world: &mut World) {
    // Where guards or padding hold pixels, some ways to look at a mask count them and some do not.
    let is_sound = world.atlas().verify().is_ok();
    let line = |from: [f32; 2], to: [f32; 2]| Line::new(from, to).expect("a line");
    for line in [line([-30.5, 4.0], [90.0, 12.0]), line([3.0, -1e9], [-2.0, 1e9])] {
        let _ = (world.ray(&line, Filter::ALL), world.ray_all(&line, Filter::SOLID));
        if is_sound {
            check_line(world, &line);
        }
    }
    let circle = Zone::circle([4.0, 3.0], 12.5).expect("a circle");
    let across = Zone::rect(Rect::new(i32::MIN, -9, i32::MAX, 9));
    for zone in [circle, across, Zone::rect(Rect::new(-9, -9, 3, 5))] {
        let _ = world.query(&zone, Filter::ALL);
        if is_sound {
            check_zone(world, &zone);
        }
    }
    let _ = world.nearest([-40.0, 30.0], 1e9, Filter::ALL);
    let at = Point::new(-60, -8);
    for by in [Point::new(150, 31), Point::new(i32::MAX, i32::MIN)] {
        let _ = world.cast_mask(&art::arrow(), at, by, Filter::ALL);
        if is_sound {
            check_cast(world, at, by);
        }
    }
    if is_sound {
        check_nearest(world, [-40.0, 30.0], 1e9);
    }
    let ids: Vec<ColliderId> = world.ids().take(12).collect();
    for (&id, &other) in ids.iter().zip(ids.iter().skip(1)) {
        let pair = Pair { a: id, b: other };
        let _ = (world.explain(&pair).map(|why| why.to_scene()), world.distance(id, other));
        let _ = (world.cast(id, [9.5, -4.0]), world.push_out(id, 40), world.touched_by(id));
        let _ = (world.graze(id, 5, Filter::ALL), world.nearest_to(id, 60.0, Filter::SOLID));
    }
    for &id in &ids {
        let _ = world.move_and_slide(id, [7.0, -3.5]);
        let _ = world.move_until_contact(id, [-2.0, 30.0]);
    }
    world.validate().expect("after the moves");
}

/// Whom a query with [`Filter::ALL`] is about: those on any layer at all.
fn asked(world: &World) -> impl Iterator<Item = ColliderId> {
    world.iter().filter(|(_, collider)| collider.layers != 0).map(|(id, _)| id)
}

fn check_zone(world: &World, zone: &Zone) {
    let found = world.query(zone, Filter::ALL);
    let meets = |id: &ColliderId| {
        world.posed(*id).is_some_and(|posed| posed.mask.meets(zone, posed.origin))
    };
    let expected: Vec<_> = asked(world).filter(meets).collect();
    assert_eq!(found, expected, "in {zone:?}");
}

fn check_line(world: &World, line: &Line) {
    let hit = |id: ColliderId| {
        let posed = world.posed(id)?;
        Some((id, posed.mask.first_on_line(line, posed.origin)?))
    };
    let mut expected: Vec<_> = asked(world).filter_map(hit).collect();
    expected.sort_by_key(|(id, hit)| (hit.step, *id));
    assert_eq!(world.ray_all(line, Filter::ALL), expected, "along {line:?}");
    assert_eq!(world.ray(line, Filter::ALL), expected.first().copied(), "first on {line:?}");
}

fn check_nearest(world: &World, at: [f32; 2], within: f32) {
    let Ok(found) = world.nearest(at, within, Filter::ALL) else { return };
    let resolution = world.atlas().resolution();
    let pixel = Point::from(at.map(|v| (v * resolution).floor() as i32));
    let dot: Mask = "#".parse().expect("a dot");
    let distance = |id: ColliderId| {
        let posed = world.posed(id)?;
        let pixels = dot.distance(posed.mask, posed.origin - pixel)?;
        Some((id, pixels / f64::from(resolution)))
    };
    let all = asked(world).filter_map(distance).filter(|(_, far)| *far <= f64::from(within));
    let least = all.min_by(|(a, far), (b, farther)| far.total_cmp(farther).then(a.cmp(b)));
    assert_eq!(found, least, "nearest to {at:?} within {within}");
}

fn check_cast(world: &World, at: Point, by: Point) {
    let mask = art::arrow();
    let found = world.cast_mask(&mask, at, by, Filter::ALL);
    let met = |id: ColliderId| {
        let posed = world.posed(id)?;
        Some((mask.cast(posed.mask, posed.origin - at, by)?.step, id))
    };
    let least = asked(world).filter_map(met).min();
    let found = found.map(|(id, impact)| (impact.step, id));
    assert_eq!(found, least, "cast from {at:?} by {by:?}");
}
