//! Calls that change a world or update it. A refused call changes nothing.

use super::calls::{Call, Edit, Look, Number, Place2, Turn, numbers};
use super::questions::ask;
use super::truth::{blockers, check_touching};
use super::{Bench, MAX_COUNT};
use crate::art;
use hitmask::{
    Accuracy, Affine, Collider, ColliderId, Filter, Flip, Mask, MinOverlap, MoveRules, Pair, Pivot,
    Placement, Raster, Rect, Sampling, SpriteId, World,
};
use std::collections::BTreeSet;

impl Bench {
    fn collider(&self, look: Look, at: Place2, turn: Turn) -> Collider {
        let Look { shape, frame, plane, flags, layers, scale, least } = look;
        let flag = |bit: u8| flags & 1 << bit != 0;
        let shown = match shape {
            0..128 => {
                let index = u32::from(shape) % 6;
                Collider::new(SpriteId::of_atlas(self.world.atlas().id(), index))
            }
            _ => Collider::from_mask(self.mask(shape)),
        };
        let accuracy = [Accuracy::Exact, Accuracy::Exact, Accuracy::Coarse, Accuracy::Box];
        let scales = [1.0, 1.0, 1.0, 0.3, 1e9, 0.0, f32::NAN, -1.0];
        Collider {
            frame: u32::from(frame) % 4,
            plane: u32::from(plane) % 3,
            flip: Flip { x: flag(0), y: flag(1) },
            fixed: flag(2),
            sensor: flag(3),
            accuracy: accuracy[usize::from(flags >> 4) % 4],
            move_accuracy: [None, None, Some(Accuracy::Box), Some(Accuracy::Exact)]
                [usize::from(flags >> 6)],
            layers: if layers < 160 { 1 } else { u32::from(layers) },
            collides_with: if layers % 4 != 0 { u32::MAX } else { u32::from(layers) },
            scale: scales[usize::from(scale) % scales.len()],
            min_overlap: match u32::from(least) {
                0..128 => MinOverlap::default(),
                least @ 128..192 => (2 * (least - 128)).into(),
                least => [least / 8 % 8, least % 8].into(),
            },
            ..shown.at(numbers(at)).turned(turn.get())
        }
    }

    pub(super) fn update(&mut self, update: impl FnOnce(&mut World)) {
        let set = |pairs: &[Pair]| pairs.iter().copied().collect::<BTreeSet<Pair>>();
        let before = set(self.world.touching());
        update(&mut self.world);
        let after = set(self.world.touching());
        assert_eq!(set(self.world.began()), &after - &before, "began");
        assert_eq!(set(self.world.ended()), &before - &after, "ended");
    }

    pub(super) fn call(&mut self, call: Call) {
        match call {
            Call::Insert(look, at, turn) if self.world.len() < MAX_COUNT => {
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
            Call::PlaceMany(places) => self.set_placements(&places),
            Call::MoveTo(places) => {
                for &(id, at) in &places {
                    let _ = self.world.move_to(self.id(id), numbers(at));
                }
            }
            Call::InsertMask(width, height, bits, pivot) if self.masks.len() < MAX_COUNT => {
                let id = self.world.masks_mut().insert(
                    picture(width % 80, height % 40, bits),
                    match pivot {
                        [0, _] => Pivot::Center,
                        [x, y] => Pivot::HalfTexels(x >> (y & 31), y >> (x & 31)),
                    },
                );
                self.masks.extend(id);
            }
            Call::InsertTransformed(transform, fine) if self.masks.len() < MAX_COUNT => {
                let Some(transform) = affine(transform) else { return };
                let sampling = if fine { Sampling::Coverage25 } else { Sampling::Nearest };
                let raster = Raster::new(&art::block(), Pivot::Center, sampling);
                let raster = raster.expect("a small mask");
                self.masks.extend(self.world.masks_mut().insert_drawn(raster, transform));
            }
            Call::InsertMask(..) | Call::InsertTransformed(..) => {}
            Call::Transform(id, transform) => {
                let Some(transform) = affine(transform) else { return };
                let hash = self.world.state_hash();
                if self.world.masks_mut().transform(self.mask(id), transform).is_err() {
                    assert_eq!(self.world.state_hash(), hash);
                }
            }
            Call::Edit(id, edit) => {
                let id = self.mask(id);
                let _ = self.world.masks_mut().edit(id, |mask| edit_mask(mask, edit));
            }
            Call::RemoveMask(id) => {
                let id = self.mask(id);
                if self.world.masks_mut().remove(id).is_ok() {
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
                world.update_with(|touch| {
                    let pair = &touch.pair();
                    (pair.a.index() ^ pair.b.index()).wrapping_mul(seed) & 64 == 0
                });
            }),
            Call::Move(id, by) => {
                let _ = self.world.move_until_contact(self.id(id), numbers(by), Filter::SOLID);
            }
            Call::Slide(id, by, climb, slip) => self.slide(self.id(id), numbers(by), climb, slip),
            Call::Restore => {
                let saved = self.world.snapshot();
                let mut copy = self.world.clone();
                copy.restore(&saved).expect("its own snapshot");
                assert!(copy.snapshot() == saved);
                copy.validate().expect("a restored world is valid");
                copy.update();
                self.world.update();
                assert_eq!(copy.state_hash(), self.world.state_hash(), "state after restore");
                self.saved = Some(saved);
            }
            Call::GoBack => {
                let Some(saved) = &self.saved else { return };
                self.world.restore(saved).expect("its own snapshot");
            }
            Call::Ask if !self.has_asked => {
                ask(&mut self.world, true);
                self.has_asked = true;
            }
            Call::Ask => {}
            question => self.question(question),
        }
    }

    /// Tests that a bulk call changes all or nothing, and equals single calls.
    fn set_placements(&mut self, list: &[(u8, Place2, Turn)]) {
        let ids: Vec<_> = list.iter().map(|(id, ..)| self.id(*id)).collect();
        let place = |&(_, at, turn): &(u8, Place2, Turn)| Placement {
            position: numbers(at),
            angle: turn.get(),
        };
        let places: Vec<_> = list.iter().map(place).collect();
        let (hash, mut one_by_one) = (self.world.state_hash(), self.world.clone());
        let placed = self.world.set_placements(&ids, &places);
        let each = ids.iter().zip(&places).enumerate().try_for_each(|(index, (&id, place))| {
            let collider = one_by_one.get(id).ok_or((index, None))?;
            let Placement { position, angle } = *place;
            let set = one_by_one.set(id, Collider { position, angle, ..collider });
            set.map_err(|cause| (index, Some(cause)))
        });
        match (placed, each) {
            (Ok(()), Ok(())) => assert_eq!(self.world.state_hash(), one_by_one.state_hash()),
            (Err(error), Err((index, cause))) => {
                assert_eq!(error.index, index);
                if let Some(cause) = cause {
                    // Compares debug text, because NaN is not equal to itself.
                    assert_eq!(error.cause.to_string(), cause.to_string());
                }
                assert_eq!(self.world.state_hash(), hash);
            }
            (many, each) => panic!("{many:?} of many, {each:?} of each"),
        }
    }

    /// Tests that a collider without an overlap before a move has none after it.
    fn slide(&mut self, id: ColliderId, by: [f32; 2], climb: u8, slip: u8) {
        let number = |v: u8| if v == u8::MAX { u32::MAX } else { u32::from(v) % 4 };
        let rules = MoveRules { climb: number(climb), slip: number(slip), ..MoveRules::default() };
        let free = blockers(&self.world, id).is_empty();
        let before = self.world.get(id);
        let Ok(moved) = self.world.move_by_rules(id, by, rules, Filter::SOLID) else {
            assert_same(self.world.get(id), before);
            return;
        };
        let near = |at: [f32; 2]| at.iter().all(|v| v.abs() < 8e6);
        if free && near(moved.position) && before.is_some_and(|before| near(before.position)) {
            assert_eq!(blockers(&self.world, id), [], "{by:?} by {rules:?}: {moved:?}");
        }
    }
}

/// Compares debug text, because NaN is not equal to itself.
fn assert_same(a: Option<Collider>, b: Option<Collider>) {
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

/// Returns a small mask filled with repeated `bits`.
fn picture(width: u8, height: u8, bits: u64) -> Mask {
    let mut mask = Mask::new(width.into(), height.into()).expect("a small mask");
    let pixels = (0..u32::from(height)).flat_map(|y| (0..u32::from(width)).map(move |x| (x, y)));
    for (i, (x, y)) in pixels.enumerate() {
        mask.set(x as i32, y as i32, bits >> (i % 61) & 1 != 0);
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
                mask.set(x as i32, y as i32, true);
            }
        }
        Edit::Rect(rect) => {
            let [x0, y0, x1, y1] = rect.map(i32::from);
            mask.fill_rect(Rect::new(x0, y0, x1, y1), x0 & 1 == 0);
        }
        Edit::Replace(width, height) => *mask = picture(width % 70, height % 40, 0x9_0901),
    }
}

/// Returns a transform, if a small sprite under it is cheap to draw, or is refused early as too
/// large.
fn affine(of: [Number; 6]) -> Option<Affine> {
    let [a, b, c, d, tx, ty] = numbers(of).map(f64::from);
    let most = [a, b, c, d].into_iter().map(f64::abs).fold(0.0, f64::max);
    (!(16.0..40_000.0).contains(&most)).then_some(Affine { a, b, c, d, tx, ty })
}
