//! Calls that change a world.

use super::model::Loose;
use super::play::{Form, Play, copy_in, in_form, rebuilt};
use super::trace::{self, Columns, Keys, State, bits, xy};
use hitmask::{
    Accuracy, Affine, Angle, Atlas, CallError, Collider, ColliderId, ColliderShape, FileError,
    Filter, Flip, InUse, Mask, MaskId, MinOverlap, MoveRules, Pivot, PixelPath, Placement, Point,
    Raster, Rect, Sampling, World,
};
use std::sync::Arc;

/// Masks that a world holds at most.
const MAX_MASKS: usize = 6;

/// Returns the pixel of a position.
pub(super) fn pixel(position: [f32; 2]) -> Point {
    let [x, y] = position.map(|p| (f64::from(p) + 0.5).floor() as i32);
    Point::new(x, y)
}

/// Returns the path of a motion; `None` if it is too long to be stepped.
pub(super) fn path(from: [f32; 2], motion: [f32; 2]) -> Option<PixelPath> {
    let to = [from[0] + motion[0], from[1] + motion[1]];
    // An f32 holds every pixel up to there.
    let is_near = [from, to].as_flattened().iter().all(|p| p.abs() < 8e6);
    let path = is_near.then(|| PixelPath::new(pixel(to) - pixel(from)))?;
    (path.steps() < 600).then_some(path)
}

/// Adds an id to a short list of stale ones.
fn keep_some<T>(ids: &mut Vec<T>, id: T) {
    if ids.len() >= 32 {
        ids.swap_remove(0);
    }
    ids.push(id);
}

impl Play<'_> {
    /// Returns a number of pixels up to `reach`, in eighths, or any number in a wild play.
    pub(super) fn number(&mut self, reach: i32) -> f32 {
        if self.options.is_wild && self.source.one_in(8) {
            let far = [1e9, -1e9, 2e9, 1_073_741_824.0, 8_388_608.5, 65_536.0, -3e8];
            return match self.source.below(8) {
                at @ 0..7 => far[at as usize],
                _ => f32::from_bits(self.source.bits()),
            };
        }
        self.source.within(-8 * reach, 8 * reach) as f32 / 8.0
    }

    pub(super) fn numbers(&mut self, reach: i32) -> [f32; 2] {
        [0; 2].map(|_| self.number(reach))
    }

    fn angle(&mut self) -> Angle {
        match self.source.below(4) {
            0 => Angle::default(),
            1 => Angle::radians(self.number(9)),
            _ => Angle::turn(self.source.bits() as u16),
        }
    }

    /// Returns a collider of any sprite or mask, with any rules.
    pub(super) fn collider(&mut self) -> Option<Collider> {
        let newest: Vec<Atlas> = self.model.newest().map(|(_, atlas)| atlas.clone()).collect();
        let atlas = &newest[self.source.below(newest.len() as u32) as usize];
        let sprite =
            atlas.sprites().nth(self.source.below(atlas.sprites().len() as u32) as usize)?;
        let masks: Vec<_> = self.model.masks.iter().map(|(id, _)| *id).collect();
        let mask = if self.source.one_in(6) { self.source.pick(&masks) } else { None };
        let at = self.numbers(self.options.side);
        let shown = match mask {
            Some(mask) => Collider::from_mask(mask).at(at),
            None => Collider {
                frame: self.source.below(sprite.frame_count()),
                plane: self.source.below(sprite.plane_count()),
                flip: Flip { x: self.source.one_in(3), y: self.source.one_in(3) },
                angle: self.angle(),
                scale: self.scale(),
                ..Collider::new(sprite.id()).at(at)
            },
        };
        let mut collider = Collider { fixed: self.source.one_in(5), ..shown };
        for field in 0..10 {
            if self.source.one_in(5) {
                collider = self.with_rule(collider, field);
            }
        }
        Some(self.plain(collider))
    }

    fn scale(&mut self) -> f32 {
        let wild = [0.3, 1e9, 0.0, f32::NAN, -1.0];
        match self.source.below(8) {
            0 if self.options.is_wild => wild[self.source.below(5) as usize],
            0 | 1 => 0.7,
            _ => 1.0,
        }
    }

    /// Returns a collider with another value of one of its rules.
    pub(super) fn with_rule(&mut self, collider: Collider, rule: u32) -> Collider {
        let source = &mut self.source;
        let levels = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact, Accuracy::Exact];
        let level = levels[source.below(4) as usize];
        let mut collider = collider;
        match rule {
            0 => collider.layers = [1, 2, 4, 3, 0][source.below(5) as usize],
            1 => collider.collides_with = [u32::MAX, 0b110, 1, 2][source.below(4) as usize],
            2 => collider.enabled = source.below(4) != 0,
            3 => collider.owner = source.below(5),
            4 => collider.sensor = !collider.sensor,
            5 => collider.accuracy = level,
            6 => collider.move_accuracy = (!source.one_in(3)).then_some(level),
            7 => collider.min_overlap = MinOverlap::Pixels(source.below(90)),
            8 => {
                let [width, height] = [source.below(12), source.below(12)];
                collider.min_overlap = MinOverlap::Size { width, height };
            }
            9 => collider.user_data = source.bits().into(),
            _ => collider.fixed = !collider.fixed,
        }
        self.plain(collider)
    }

    fn insert(&mut self, collider: Collider) {
        if self.model.changes.is_multiple_of(4) {
            let others = (0..self.source.below(4)).filter_map(|_| self.collider());
            let colliders: Vec<Collider> = others.chain([collider]).collect();
            return self.insert_some(&colliders);
        }
        let accepted = self.model.accepted(collider);
        let id = self.expect(accepted.is_some(), |world, _| world.insert(collider));
        let call = Keys(collider, None);
        let answer = id.zip(accepted).map(|(id, collider)| (id.to_bits(), State(collider)));
        self.note(format_args!("insert({call})"), answer);
        self.model.colliders.extend(id.zip(accepted));
    }

    /// Inserts colliders by one call: all of them, or none.
    pub(super) fn insert_some(&mut self, colliders: &[Collider]) {
        let mut colliders = colliders.to_vec();
        if self.trace.is_some() {
            trace::unify(&mut colliders);
        }
        let accepted: Vec<Option<Collider>> =
            colliders.iter().map(|&collider| self.model.accepted(collider)).collect();
        let refused = accepted.iter().position(Option::is_none);
        let answer = self.all(|world, _| world.insert_all(&colliders));
        let states = || accepted.iter().flatten().copied().map(State).collect::<Vec<_>>();
        let ids = answer.as_ref().ok().map(|ids| (bits(ids), states()));
        self.note(format_args!("insert_all({})", Columns(&colliders, true)), ids);
        assert_eq!(answer.as_ref().err().map(CallError::item), refused.map(Some), "{answer:?}");
        self.model
            .colliders
            .extend(answer.into_iter().flatten().zip(accepted.into_iter().flatten()));
    }

    /// Sets a collider that shows the newest version, or fails to.
    pub(super) fn set(&mut self, id: ColliderId, collider: Collider) {
        let there = self.model.colliders.get(&id).copied();
        // A scale that was accepted once stays so, under any later policy.
        let keeps =
            |there: &Collider, new: &Collider| (there.shape, there.scale) == (new.shape, new.scale);
        let accepted = self.model.renewed(collider).filter(|new| match &there {
            Some(there) if keeps(there, new) => self.model.can_move(new),
            Some(_) => self.model.can_show(new),
            None => false,
        });
        self.expect(accepted.is_some(), |world, _| world.set(id, collider));
        let call = Keys(collider, there);
        self.note(format_args!("set({}, {call})", id.to_bits()), accepted.map(State));
        if let Some(accepted) = accepted {
            self.model.colliders.insert(id, accepted);
        }
    }

    fn remove(&mut self, id: ColliderId) {
        let removed = self.model.colliders.remove(&id);
        let answer = self.all(|world, _| Ok::<_, ()>(world.remove(id)));
        assert_eq!(answer, Ok(removed));
        self.note(format_args!("remove({})", id.to_bits()), removed.map(|_| ()));
        assert!(self.worlds.iter().all(|world| world.rect(id).is_none()));
        keep_some(&mut self.stale.0, id);
    }

    /// Sets the placement of a collider by a call that takes it.
    pub(super) fn put(
        &mut self,
        id: ColliderId,
        change: impl Fn(Collider) -> Collider,
        by_place: bool,
    ) {
        let there = self.model.colliders.get(&id).copied();
        let is_scaled = |new: &Collider| there.is_some_and(|there| there.scale != new.scale);
        let new = there.map(&change).filter(|new| match is_scaled(new) {
            true => self.model.can_show(new),
            false => self.model.can_move(new),
        });
        let asked = change(there.unwrap_or(Collider::new(hitmask::SpriteId::new(0))));
        let Collider { position, angle, scale, .. } = asked;
        self.expect(new.is_some(), |world, _| match by_place {
            true => world.place(id, position, angle, scale),
            false => world.move_to(id, position),
        });
        let (number, at, done) = (id.to_bits(), xy(position), new.map(State));
        match by_place {
            true => {
                let (angle, scale) = (f64::from(angle.to_radians()), f64::from(scale));
                self.note(format_args!("place({number}, {at:?}, {angle:?}, {scale:?})"), done);
            }
            false => self.note(format_args!("move_to({number}, {at:?})"), done),
        }
        if let Some(new) = new {
            self.model.colliders.insert(id, new);
        }
    }

    pub(super) fn place(&mut self) {
        let kind = self.source.below(14);
        let Some(collider) = self.collider() else { return };
        let Some(id) = self.any_id() else { return self.insert(collider) };
        match kind {
            0..9 if 2 * self.model.colliders.len() < self.options.most => self.insert(collider),
            0..4 if self.model.colliders.len() < self.options.most => self.insert(collider),
            0..6 => self.remove(id),
            6 => self.set(id, collider),
            7..10 => {
                let by = self.numbers(9);
                let near = |c: Collider| c.at([c.position[0] + by[0], c.position[1] + by[1]]);
                self.put(id, near, false);
            }
            10 => {
                let Collider { position, angle, scale, .. } = collider;
                let is_traced = self.trace.is_some();
                let angle = if is_traced { Angle::radians(angle.to_radians()) } else { angle };
                self.put(id, |c| Collider { angle, scale, ..c.at(position) }, true);
            }
            _ => self.place_many(),
        }
    }

    /// Places many colliders in one call: all or some, in order or not, some twice; most of them near
    /// their place or on it.
    fn place_many(&mut self) {
        let mut ids: Vec<ColliderId> = self.model.colliders.keys().copied().collect();
        match self.source.below(5) {
            0 => ids.reverse(),
            1 => ids.retain(|_| self.source.below(3) == 0),
            2 => ids.truncate(6),
            3 => ids.extend_from_within(..ids.len() / 4),
            _ => {}
        }
        if self.options.is_wild && self.source.one_in(4) {
            ids.extend(self.any_id());
        }
        let (reach, rests) =
            ([1, 4, self.options.side][self.source.below(3) as usize], self.source.below(3));
        let mut colliders = self.model.colliders.clone();
        let (mut places, mut refused) = (Vec::new(), None);
        for (at, id) in ids.iter().enumerate() {
            let there = colliders.get(id).copied();
            let Collider { position: [x, y], angle, shape, .. } =
                there.unwrap_or(Collider::new(hitmask::SpriteId::new(0)));
            let is_at_rest = rests > 0 && !self.source.one_in(8);
            let [right, down] = if is_at_rest { [0.0; 2] } else { self.numbers(reach) };
            let turns = shape.sprite().is_some() && reach > 4;
            let mut angle = if turns { self.angle() } else { angle };
            if self.trace.is_some() {
                let unit = places.first().map_or(angle, |first: &Placement| first.angle);
                angle = trace::in_unit(unit, angle);
            }
            let place = Placement { position: [x + right, y + down], angle };
            let new = there.map(|collider| Collider { angle, ..collider.at(place.position) });
            match new.filter(|new| self.model.can_move(new)) {
                Some(new) => _ = colliders.insert(*id, new),
                None => refused = refused.or(Some(at)),
            }
            places.push(place);
        }
        let answer = self.all(|world, _| world.set_placements(&ids, &places));
        if self.trace.is_some() {
            let at: Vec<_> = places.iter().map(|place| xy(place.position)).collect();
            let angles = trace::angles(places.iter().map(|place| place.angle));
            let after = ids.iter().filter_map(|id| colliders.get(id)).map(trace::place);
            let done = answer.as_ref().ok().map(|()| after.collect::<Vec<_>>());
            self.note(format_args!("set_placements({:?}, {at:?}, {angles})", bits(&ids)), done);
        }
        assert_eq!(answer.err().map(|error| error.item()), refused.map(Some));
        if refused.is_none() {
            self.model.colliders = colliders;
        }
    }

    pub(super) fn change_rules(&mut self) {
        if self.source.one_in(16) {
            let levels = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact, Accuracy::Exact];
            self.model.accuracy = levels[self.source.below(4) as usize];
            self.worlds.iter_mut().for_each(|world| world.set_accuracy(self.model.accuracy));
            let accuracy = trace::name(self.model.accuracy);
            self.note(format_args!("set_accuracy({accuracy:?})"), Some(()));
        } else if let Some((id, collider)) = self.any() {
            let rule = self.source.below(11);
            let changed = self.with_rule(collider, rule);
            self.set(id, changed);
        }
    }

    /// Returns a mask of up to 40 px a side: a few boxes, dots, or nothing.
    pub(super) fn picture(&mut self) -> Mask {
        let [width, height] = [0; 2].map(|_| 1 + self.source.below(40));
        let mut mask = Mask::new(width, height).expect("a small mask");
        for _ in 0..self.source.below(5) {
            let [x, y] = [self.source.below(width), self.source.below(height)].map(|v| v as i32);
            let [w, h] = [0; 2].map(|_| 1 + self.source.below(25) as i32);
            mask.fill_rect(Rect::new(x, y, x + w, y + h), true);
        }
        mask
    }

    fn transform(&mut self) -> Affine {
        let mut number = |reach: i32| f64::from(self.source.within(-reach, reach)) / 64.0;
        let [a, b, c, d] = [0; 4].map(|_| number(96));
        Affine { a, b, c, d, tx: number(2560), ty: number(2560) }
    }

    pub(super) fn change_masks(&mut self) {
        let ids: Vec<_> = self.model.masks.iter().map(|(id, _)| *id).collect();
        let (kind, picture, transform) = (self.source.below(9), self.picture(), self.transform());
        let raster = Raster::new(&picture, Pivot::Center, Sampling::Nearest).map(Arc::new);
        let raster = raster.expect("a small mask");
        let Some(id) = self.source.pick(&ids).filter(|_| kind > 1 || ids.len() >= MAX_MASKS) else {
            let pivots = [Pivot::Center, Pivot::HalfTexels(3, 5), Pivot::HalfTexels(-4, 0)];
            let pivot = pivots[self.source.below(3) as usize];
            let (id, loose) = match kind % 2 {
                0 => (
                    self.expect(true, |world, _| world.masks_mut().insert(picture.clone(), pivot)),
                    Loose::inserted(picture.clone(), pivot),
                ),
                _ => (
                    self.expect(true, |world, _| {
                        world.masks_mut().insert_drawn(raster.clone(), transform)
                    }),
                    Loose::drawn(raster.clone(), transform).expect("a small mask"),
                ),
            };
            let (number, card) = (id.map(MaskId::to_bits), trace::rows(&picture));
            match (kind % 2, pivot) {
                (0, Pivot::HalfTexels(x, y)) => {
                    let pivot = (f64::from(x) / 2.0, f64::from(y) / 2.0);
                    self.note(format_args!("insert_mask(M({card:?}), pivot={pivot:?})"), number);
                }
                (0, _) => self.note(format_args!("insert_mask(M({card:?}))"), number),
                _ => {
                    let by = trace::affine(transform);
                    self.note(format_args!("insert_transformed(M({card:?}), {by:?})"), number);
                }
            }
            return self.model.masks.extend(id.map(|id| (id, loose)));
        };
        let at = ids.iter().position(|known| *known == id).expect("one of them");
        let drawn = self.model.masks[at].1.drawn.clone();
        let number = id.to_bits();
        match kind {
            0..3 => {
                let is_shown = |c: &Collider| c.shape == ColliderShape::Mask(id);
                let is_free = !self.model.colliders.values().any(is_shown);
                if self.expect(is_free, |world, _| world.masks_mut().remove(id)).is_some() {
                    let (_, loose) = self.model.masks.swap_remove(at);
                    assert!(self.worlds.iter().all(|world| world.mask(id).is_none()));
                    keep_some(&mut self.stale.1, id);
                    let answer = Some(trace::rows(&loose.mask));
                    return self.note(format_args!("remove_mask({number})"), answer);
                }
                self.note(format_args!("remove_mask({number})"), None::<()>);
            }
            3 => {
                let transformed =
                    drawn.as_ref().and_then(|(raster, _)| Loose::drawn(raster.clone(), transform));
                let answer = self.expect(transformed.is_some(), |world, _| {
                    world.masks_mut().transform(id, transform)
                });
                let (by, is_done) = (trace::affine(transform), answer.is_some());
                if let (Some(new), Some(answer)) = (transformed, answer) {
                    let loose = &mut self.model.masks[at].1;
                    let fraction =
                        |t: Affine| [t.a, t.b, t.c, t.d, t.tx - t.tx.floor(), t.ty - t.ty.floor()];
                    let before = drawn.expect("a drawn mask").1;
                    let is_drawn = fraction(transform) != fraction(before);
                    assert_eq!(answer, is_drawn, "{before:?} {transform:?}");
                    let mask = if is_drawn { new.mask } else { std::mem::take(&mut loose.mask) };
                    *loose = Loose { mask, ..new };
                }
                self.note_mask(format_args!("transform_mask({number}, {by:?})"), id, is_done);
            }
            4 => {
                let redrawn = drawn.and_then(|(_, there)| Loose::drawn(raster.clone(), there));
                let answer = self.expect(redrawn.is_some(), |world, _| {
                    world.masks_mut().redraw(id, raster.clone())
                });
                if answer.is_some() {
                    self.model.masks[at].1 = redrawn.expect("a small mask");
                }
                let call = format!("redraw_mask({number}, M({:?}))", trace::rows(&picture));
                self.note_mask(format_args!("{call}"), id, answer.is_some());
            }
            _ => {
                // Often within the same tight box.
                let [x, y] = [0; 2].map(|_| self.source.below(40) as i32);
                let (way, solid) = (self.source.below(16), self.source.one_in(2));
                let mask = &self.model.masks[at].1.mask;
                let [w, h] = [mask.width(), mask.height()];
                // C replaces a mask by one of its size.
                let picture = match self.trace {
                    Some(_) => picture.cropped(Rect::new(0, 0, w as i32, h as i32)).expect("small"),
                    None => picture,
                };
                let rect = (x, y, x + 3, y + 2);
                self.edit_mask(id, |mask| match way {
                    0 => mask.fill(),
                    1 => mask.clear(),
                    2 => mask.invert(),
                    // The place of a drawing without pixels is not defined.
                    3 if w > 0 => *mask = picture.clone(),
                    _ => mask.fill_rect(Rect::new(x, y, x + 3, y + 2), solid),
                });
                let (whole, card) = ((0, 0, w, h), trace::rows(&picture));
                let call = match way {
                    0 | 1 => format!("fill_rect({number}, {whole:?}, {})", way == 0),
                    2 => format!("invert_mask({number})"),
                    3 if w > 0 => format!("replace_mask({number}, M({card:?}))"),
                    _ => format!("fill_rect({number}, {rect:?}, {solid})"),
                };
                self.note_mask(format_args!("{call}"), id, true);
            }
        }
        for (id, loose) in &self.model.masks {
            assert!(self.worlds.iter().all(|world| world.mask(*id) == Some(&*loose.mask)));
        }
        self.note_mask(format_args!("mask({number})"), id, self.model.mask(id).is_some());
    }

    /// Edits a mask in all worlds and in the model.
    pub(super) fn edit_mask(&mut self, id: MaskId, edit: impl Fn(&mut Mask)) {
        let worlds = &mut self.worlds;
        worlds.iter_mut().for_each(|world| world.masks_mut().edit(id, &edit).expect("a mask"));
        let loose = self.model.masks.iter_mut().find(|(known, _)| *known == id);
        edit(Arc::make_mut(&mut loose.expect("a mask").1.mask));
    }

    /// Takes the places of colliders from the first world after a move, which may only change places.
    fn follow(&mut self) {
        for (id, collider) in &mut self.model.colliders {
            collider.position = self.worlds[0].get(*id).expect("a collider").position;
        }
    }

    pub(super) fn move_some(&mut self) {
        let Some(id) = self.any_id() else { return };
        let reach = [9, 9, 60][self.source.below(3) as usize];
        let motion = self.numbers(reach);
        let there = self.model.colliders.get(&id).copied();
        let way = there.and_then(|there| path(there.position, motion));
        let rules = [
            MoveRules::default(),
            MoveRules { climb: 0, slip: 0, ..MoveRules::default() },
            MoveRules { climb: 2, slip: 1, ..MoveRules::default() },
            MoveRules { climb: 0, slip: 1, one_way: 0b10, rise: 2 },
        ];
        let rules = rules[self.source.below(4) as usize];
        let (number, go) = (id.to_bits(), xy(motion));
        self.model.refresh();
        let naive = &self.model.naive;
        match self.source.below(8) {
            0..4 => {
                let was_free = way.is_some() && !naive.is_blocked(id, Point::default());
                let slides = was_free && rules.climb + rules.slip == 0;
                let truth = slides.then(|| naive.slide(id, way.expect("a path").motion()));
                let moved =
                    self.all(|world, _| world.move_by_rules(id, motion, rules, Filter::SOLID));
                let MoveRules { climb, slip, one_way, rise } = rules;
                let by = format!("climb={climb}, slip={slip}, one_way={one_way}, rise={rise}");
                let answer = moved.as_ref().ok().map(trace::moved);
                self.note(format_args!("move_and_slide({number}, {go:?}, {by})"), answer);
                let Ok(moved) = moved else {
                    return assert!(way.is_none(), "a near motion of a collider is valid");
                };
                self.follow();
                assert!(
                    truth.is_none_or(|truth| truth == moved.translation),
                    "{truth:?} {moved:?}"
                );
                assert_eq!(self.model.colliders[&id].position, moved.position);
                let is_short = moved.translation != Point::default() && !moved.contacts.is_empty();
                self.tally.blocked += usize::from(is_short);
                if was_free && rules.one_way == 0 && path(moved.position, [0.0; 2]).is_some() {
                    self.model.refresh();
                    let naive = &self.model.naive;
                    assert!(!naive.is_blocked(id, Point::default()), "a free mover ends free");
                    let rest = self
                        .all(|world, _| world.move_by_rules(id, [0.0; 2], rules, Filter::SOLID));
                    let rest = rest.expect("a short motion");
                    assert_eq!((rest.position, rest.contacts.len()), (moved.position, 0));
                }
            }
            4 => {
                let hit = self.all(|world, _| world.cast(id, motion, Filter::SOLID));
                let answer =
                    self.all(|world, _| world.move_until_contact(id, motion, Filter::SOLID));
                assert_eq!(format!("{hit:?}"), format!("{answer:?}"));
                for name in ["cast", "move_until_contact"] {
                    let answer = answer.as_ref().ok().map(|hit| hit.as_ref().map(trace::hit));
                    self.note(format_args!("{name}({number}, {go:?})"), answer);
                }
                self.follow();
            }
            5 | 6 => {
                let owner = self.source.below(5);
                let is_owner = |c: &Collider| owner != 0 && c.owner == owner;
                let parts = self.model.colliders.iter().filter(|(_, c)| is_owner(c));
                let parts: Vec<(ColliderId, Collider)> = parts.map(|(&id, &c)| (id, c)).collect();
                assert!(self.worlds.iter().all(|world| {
                    world.bodies().parts(owner).iter().eq(parts.iter().map(|(id, _)| id))
                }));
                let end = |c: &Collider| [c.position[0] + motion[0], c.position[1] + motion[1]];
                let ends: Option<Vec<(ColliderId, Point)>> = parts
                    .iter()
                    .map(|(id, c)| path(c.position, motion).map(|path| (*id, path.motion())))
                    .collect();
                let truth = ends.map(|ends| naive.owner_step(&ends));
                let is_whole = self.source.one_in(3);
                let answer = match is_whole {
                    true => self.all(|world, _| {
                        world.move_body(owner, motion, Filter { layers: 0, ..Filter::SOLID })
                    }),
                    false => {
                        let hit =
                            self.all(|world, _| world.bodies().cast(owner, motion, Filter::SOLID));
                        let answer =
                            self.all(|world, _| world.move_body(owner, motion, Filter::SOLID));
                        assert_eq!(format!("{hit:?}"), format!("{answer:?}"));
                        answer
                    }
                };
                let calls: &[&str] =
                    if is_whole { &["translate_body"] } else { &["cast_body", "move_body"] };
                for name in calls {
                    let answer = answer.as_ref().ok().map(|hit| hit.as_ref().map(trace::body_hit));
                    self.note(format_args!("{name}({owner}, {go:?})"), answer);
                }
                self.follow();
                if !is_whole && let (Some(truth), Ok(hit)) = (truth, &answer) {
                    assert_eq!(hit.map(|hit| (hit.hit.impact.step, hit.part)), truth, "{motion:?}");
                }
                let goes = matches!(answer, Ok(None));
                for (id, before) in &parts {
                    let place = if goes { end(before) } else { self.model.colliders[id].position };
                    assert_eq!(self.model.colliders[id].position, place);
                }
            }
            _ => {
                let mut ids: Vec<ColliderId> = self.model.colliders.keys().copied().collect();
                ids.retain(|_| self.source.one_in(3));
                if self.source.one_in(2) {
                    // Some walk twice.
                    ids.extend_from_within(..ids.len() / 3);
                }
                let motions: Vec<[f32; 2]> = ids.iter().map(|_| self.numbers(9)).collect();
                let single = self.worlds.iter().map(World::clone).map(|mut world| {
                    let moves = ids.iter().zip(&motions);
                    let moved = moves.map(|(&id, &motion)| {
                        world.move_by_rules(id, motion, rules, Filter::SOLID)
                    });
                    moved.collect::<Result<Vec<_>, _>>()
                });
                let single = single.last().expect("a world");
                let many = self.all(|world, _| {
                    let mut moves = Vec::new();
                    let each = |_, moved| moves.push(moved);
                    world.move_all(&ids, &motions, rules, Filter::SOLID, each).map(|()| moves)
                });
                let MoveRules { climb, slip, one_way, rise } = rules;
                let by = format!("climb={climb}, slip={slip}, one_way={one_way}, rise={rise}");
                let list: Vec<_> = motions.iter().copied().map(xy).collect();
                let answer = many.as_ref().ok().map(|moved| trace::moves(&ids, moved));
                self.note(format_args!("move_all({:?}, {list:?}, {by})", bits(&ids)), answer);
                assert_eq!(
                    format!("{:?}", many.map_err(|error| error.cause().clone())),
                    format!("{single:?}")
                );
                self.follow();
            }
        }
    }

    pub(super) fn change_atlases(&mut self) {
        let art = &self.options.art;
        if self.source.one_in(3) {
            return self.set_budget();
        }
        if self.model.went_back {
            return;
        }
        let family = self.source.below(art.len() as u32) as usize;
        let version = self.source.below(art[family].len() as u32) as usize;
        let new = &art[family][version];
        let is_of = |c: &Collider| {
            let sprite = c.shape.sprite().and_then(|id| self.model.named(id));
            sprite.is_some_and(|(of, _)| of == family)
        };
        let shown = self.model.colliders.iter().filter(|(_, c)| is_of(c));
        let shown: Vec<ColliderId> = shown.map(|(&id, _)| id).collect();
        let Some(&newest) = self.model.versions[family].last() else {
            self.expect(true, |world, form| world.atlases_mut().add(in_form(new, form)));
            let id = Some(new[0].id().bits());
            self.note(format_args!("add_atlas(A({family}, {version}))"), id);
            self.model.versions[family].push(version);
            self.model.changes += 1;
            return;
        };
        let old = art[family][newest][0].id();
        assert!(
            self.all(|world, form| world.atlases_mut().add(in_form(&art[family][newest], form)))
                .is_err()
        );
        self.note(format_args!("add_atlas(A({family}, {newest}))"), None::<()>);
        let (is_only, number) = (self.model.newest().count() == 1, old.bits());
        match self.source.below(4) {
            0 => {
                let is_removed = self.source.one_in(2);
                let in_use = if is_removed { InUse::Remove } else { InUse::Refuse };
                let accepted = !is_only && (is_removed || shown.is_empty());
                let gone = self.expect(accepted, |world, _| world.atlases_mut().drop(old, in_use));
                let answer = gone.as_ref().map(|ids| bits(ids));
                self.note(format_args!("drop_atlas({number}, remove={is_removed})"), answer);
                if let Some(gone) = gone {
                    assert_eq!(gone, shown);
                    gone.iter().for_each(|id| _ = self.model.colliders.remove(id));
                    self.model.versions[family].clear();
                }
            }
            _ => {
                let accepted = version != newest;
                if !accepted {
                    return;
                }
                let report = self.expect(true, |world, form| {
                    world.atlases_mut().replace(old, in_form(new, form))
                });
                self.model.versions[family].push(version);
                let mut outdated = Vec::new();
                for id in shown {
                    let collider = self.model.colliders[&id];
                    match self.model.renewed(collider) {
                        Some(new) => _ = self.model.colliders.insert(id, new),
                        None => outdated.push(id),
                    }
                }
                self.tally.outdated += outdated.len();
                let report = report.expect("a report");
                let changed = report.changed.into_iter().map(|change| change.sprite);
                let changed: Vec<String> = changed.collect();
                let differ = (report.added, report.vanished, changed, bits(&outdated));
                let answer = Some((new[0].id().bits(), differ));
                self.note(format_args!("replace_atlas({number}, A({family}, {version}))"), answer);
                assert_eq!((report.atlas, report.outdated), (new[0].id(), outdated));
            }
        }
        self.model.changes += 1;
    }

    /// Sets a budget of poses: what is shown, some more, or none. Less is refused.
    fn set_budget(&mut self) {
        let (kind, more) = (self.source.below(4), u64::from(self.source.below(9000)));
        for (world, _) in self
            .worlds
            .iter_mut()
            .zip(&self.options.forms)
            .filter(|(_, form)| **form == Form::Limited)
        {
            let hash = world.state_hash();
            let needed = match world.atlases_mut().set_pose_budget(Some(0)) {
                Ok(()) => 0,
                Err(CallError::PoseBudget { needed, .. }) => needed,
                Err(other) => panic!("{other}"),
            };
            if needed > 0 {
                let refused = CallError::PoseBudget { needed, budget: needed - 1 };
                assert_eq!(world.atlases_mut().set_pose_budget(Some(needed - 1)), Err(refused));
            }
            let budget =
                [Some(needed), Some(needed + 1 + more), Some(needed * 2), None][kind as usize];
            world.atlases_mut().set_pose_budget(budget).expect("enough for what is shown");
            let stats = world.pose_stats();
            assert!(stats.budget == budget && budget.is_none_or(|budget| stats.bytes <= budget));
            assert_eq!(world.state_hash(), hash);
        }
        self.draw_ahead();
    }

    /// Draws some poses ahead, in every form. That changes no answer.
    fn draw_ahead(&mut self) {
        let colliders: Vec<Collider> = (0..4).filter_map(|_| self.collider()).collect();
        let accepted = |collider: &Collider| self.model.accepted(*collider);
        let refused = colliders.iter().position(|collider| accepted(collider).is_none());
        let most = u64::from(self.source.below(3)) * 2000;
        for world in &mut self.worlds {
            let hash = world.state_hash();
            match world.atlases_mut().draw_ahead(&colliders, |bytes| bytes < most) {
                Ok(drawn) => {
                    let poses = world.pose_stats().poses;
                    assert_eq!(
                        world.atlases_mut().draw_ahead(&colliders[..drawn], |_| false),
                        Ok(drawn)
                    );
                    assert_eq!(world.pose_stats().poses, poses);
                    assert!(refused.is_none_or(|refused| drawn <= refused));
                }
                Err(error) => {
                    let is_full = matches!(error.cause(), CallError::PoseBudget { .. });
                    assert!(is_full || error.item() == refused, "{error}");
                }
            }
            assert_eq!(world.state_hash(), hash);
            assert_eq!(world.validate(), Ok(()));
        }
    }

    pub(super) fn save_or_restore(&mut self) {
        let saved = self.worlds[0].snapshot();
        assert!(self.worlds.iter().all(|world| world.snapshot() == saved));
        for (world, spare) in self.worlds.iter().zip(&self.spares) {
            let difference = world.first_difference(spare);
            assert_eq!(difference.is_none(), spare.snapshot() == saved, "{difference:?}");
        }
        match self.source.below(4) {
            0 => {
                self.note(format_args!("save()"), Some(()));
                let (_, mut worlds, _) = self
                    .saved
                    .take()
                    .unwrap_or_else(|| (Vec::new(), self.spares.clone(), self.model.clone()));
                worlds.clone_from(&self.worlds);
                self.saved = Some((saved, worlds, self.model.clone()));
            }
            1 => {
                let Some((saved, worlds, model)) = &self.saved else { return };
                // A replay of a trace loads a snapshot, which needs the atlases of its time.
                let can_replay = self.trace.is_none() || model.changes == self.model.changes;
                if can_replay && self.source.one_in(2) {
                    self.worlds.clone_from(worlds);
                    assert!(self.worlds.iter().all(|world| world.snapshot() == *saved));
                    self.model = model.clone();
                    self.note(format_args!("load()"), Some(()));
                    return self.compare();
                }
                let (saved, model) = (saved.clone(), model.clone());
                let are_same = model.changes == self.model.changes;
                if !are_same && !self.source.one_in(4) {
                    return;
                }
                let answer = self.all(|world, _| {
                    let answer = world.restore(&saved);
                    assert!(answer.is_err() || world.snapshot() == saved);
                    answer
                });
                assert!(answer.is_ok() || !are_same, "{answer:?}");
                self.note(format_args!("load()"), answer.as_ref().ok());
                // Earlier versions are newest ones again. Those that came after them may still be known,
                // so no later call changes atlases.
                if answer.is_ok() {
                    let went_back = self.model.went_back || !are_same;
                    self.model = super::model::Model { went_back, ..model };
                }
            }
            2 => {
                let clone = self.source.one_in(2);
                for (world, spare) in self.worlds.iter_mut().zip(&mut self.spares) {
                    if clone { *world = world.clone() } else { copy_in(spare, world) }
                }
                self.note(format_args!("copy()"), Some(()));
            }
            _ => {
                self.note(format_args!("rebuild()"), Some(()));
                for (world, form) in self.worlds.iter_mut().zip(&self.options.forms) {
                    let copy = rebuilt(world);
                    match form {
                        // Keeps the budget. An angle of 0 is in turns after it, as in the others.
                        Form::Limited => world.restore(&copy.snapshot()).expect("its own state"),
                        _ => *world = copy,
                    }
                }
            }
        }
        self.compare();
    }

    /// Makes calls of the views of masks and atlases that are refused.
    pub(super) fn misuse_views(&mut self) {
        let mut picture = self.picture();
        picture.fill();
        let raster = Raster::new(&picture, Pivot::Center, Sampling::Nearest).map(Arc::new);
        let raster = raster.expect("a small mask");
        let pivot = Pivot::HalfTexels(i32::MAX, self.source.within(-9, 9));
        self.expect(false, |world, _| world.masks_mut().insert(picture.clone(), pivot));
        let bad = [
            Affine::translation([f32::NAN, 0.0]),
            Affine::scale([f32::INFINITY, 1.0]),
            Affine::translation([0.0, 1e9]),
        ];
        let bad = bad[self.source.below(3) as usize];
        self.expect(false, |world, _| world.masks_mut().insert_drawn(raster.clone(), bad));
        let masks: Vec<_> = self.model.masks.iter().map(|(id, _)| *id).collect();
        if let Some(id) = self.source.pick(&masks) {
            // Refused too if the mask has no raster.
            self.expect(false, |world, _| world.masks_mut().transform(id, bad));
        }
        let art = &self.options.art;
        let family = self.source.below(art.len() as u32) as usize;
        let new = art[0][0][0].clone().labelled(self.source.bits());
        if self.model.versions[family].is_empty() && !self.model.went_back {
            let absent = art[family][0][0].id();
            for in_use in [InUse::Refuse, InUse::Remove] {
                self.expect(false, |world, _| world.atlases_mut().drop(absent, in_use));
            }
            self.expect(false, |world, _| world.atlases_mut().replace(absent, new.clone()));
        }
    }

    /// Makes calls that are refused for each reason that a placement has.
    pub(super) fn misuse(&mut self) {
        let Some(good) = self.collider() else { return };
        let good = if good.shape.sprite().is_some() { good } else { good.turned(1.0) };
        let far =
            [[f32::INFINITY, 0.0], [3e9, 0.0], [0.0, f32::NAN]][self.source.below(3) as usize];
        let bad = [
            good.turned(f32::NAN),
            good.scaled(-1.0),
            good.scaled(if self.options.is_wild { f32::INFINITY } else { 99.0 }),
            good.with_frame(77),
            good.with_plane(9),
            good.at(far),
        ];
        let bad = bad[self.source.below(6) as usize];
        self.expect(false, |world, _| world.insert(bad));
        self.note(format_args!("insert({})", Keys(bad, None)), None::<()>);
        if let Some(id) = self.any_id() {
            self.expect(false, |world, _| world.set(id, bad));
            self.expect(false, |world, _| world.move_to(id, far));
            let (number, at) = (id.to_bits(), xy(far));
            let call = Keys(bad, self.model.colliders.get(&id).copied());
            self.note(format_args!("set({number}, {call})"), None::<()>);
            self.note(format_args!("move_to({number}, {at:?})"), None::<()>);
            self.note(format_args!("cast({number}, {at:?})"), None::<()>);
            self.expect(false, |world, _| {
                world.move_by_rules(id, far, MoveRules::default(), Filter::SOLID)
            });
            self.expect(false, |world, _| world.cast(id, far, Filter::SOLID));
            let places =
                [Placement::default(), Placement { position: far, ..Placement::default() }];
            self.expect(false, |world, _| world.set_placements(&[id, id], &places));
        }
        if let Some(id) = self.source.pick(&self.stale.0) {
            let is_back = self.model.colliders.contains_key(&id);
            self.expect(is_back, |world, _| {
                world.move_to(id, [0.0; 2]).and_then(|()| world.place(id, [0.0; 2], 0.0, 1.0))
            });
            if is_back {
                self.follow();
                self.model.colliders.entry(id).and_modify(|c| {
                    (c.angle, c.scale) = (Angle::radians(0.0), 1.0);
                });
            }
            let is_gone = |world: &mut World| world.get(id).is_none() && world.remove(id).is_none();
            assert!(is_back || self.worlds.iter_mut().all(is_gone));
            let (number, back) = (id.to_bits(), self.model.colliders.get(&id).copied().map(State));
            self.note(format_args!("place({number}, (0.0, 0.0), 0.0, 1.0)"), back);
            if !is_back {
                self.note(format_args!("move_to({number}, (0.0, 0.0))"), None::<()>);
                self.note(format_args!("remove({number})"), None::<()>);
                self.note(format_args!("get({number})"), None::<()>);
            }
        }
        if let Some(id) = self.source.pick(&self.stale.1) {
            let is_back = self.model.mask(id).is_some();
            assert!(
                self.worlds.iter_mut().all(|w| w.masks_mut().edit(id, |_| ()).is_some() == is_back)
            );
            if !is_back {
                self.expect(false, |world, _| world.masks_mut().remove(id));
                self.expect(false, |world, _| world.masks_mut().transform(id, Affine::IDENTITY));
                self.expect(false, |world, _| world.insert(Collider::from_mask(id)));
            }
        }
        self.expect(false, |world, _| -> Result<(), FileError> { world.restore(b"HITWORLD") });
    }
}
