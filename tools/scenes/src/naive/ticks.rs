//! Calls as the middle of a tick meets them: edits that change nothing, runs of many edits, and questions
//! right after them.

use super::changes::{path, pixel};
use super::play::{Play, in_form};
use hitmask::{
    Collider, ColliderId, FileError, Filter, Line, Mask, MaskId, MoveRules, Placement, Point, Rect,
    World, Zone,
};

/// A filter by which nothing blocks a move.
const FREE: Filter<'static> = Filter { layers: 0, ..Filter::SOLID };

impl Play<'_> {
    /// Makes a call that changes nothing that an answer depends on.
    pub(super) fn change_nothing(&mut self) {
        let (kind, hash) = (self.source.below(16), self.worlds[0].state_hash());
        let before = self.model.colliders.clone();
        match kind {
            0..9 => _ = self.any().map(|(id, collider)| self.set_alike(kind, id, collider)),
            9 | 10 => self.place_alike(),
            11 => self.edit_alike(),
            12 => self.replace_alike(),
            13 => {
                let (accuracy, policy) = (self.model.accuracy, self.model.policy);
                self.worlds.iter_mut().for_each(|world| world.set_accuracy(accuracy));
                self.expect(true, |world, _| world.set_scale_policy(policy));
            }
            14 => {
                let restore = |world: &mut World| world.restore(&world.snapshot());
                self.expect::<_, FileError>(true, |world, _| restore(world));
            }
            _ => {
                self.expect(true, |world, _| world.insert_all(&[]));
                self.expect(true, |world, _| world.set_placements(&[], &[]));
                self.expect(true, |world, _| world.atlases_mut().draw_ahead(&[], |_| true));
                let rules = MoveRules::default();
                self.expect(true, |world, _| world.move_all(&[], &[], rules, FREE, |_, _| ()));
            }
        }
        if before == self.model.colliders {
            assert_eq!(self.worlds[0].state_hash(), hash, "call {kind} that changes nothing");
        }
    }

    /// Sets a collider to what it is, within its pixel or with other user data.
    fn set_alike(&mut self, kind: u32, id: ColliderId, collider: Collider) {
        let Collider { position, angle, owner, .. } = collider;
        match kind {
            0 => self.set(id, collider),
            1 => {
                let user_data = self.source.below(3).into();
                self.set(id, Collider { user_data, ..collider });
            }
            2 => self.put(id, |c| c, false),
            3 => self.put(id, |c| c, true),
            4 | 5 => {
                let Point { x, y } = pixel(position);
                let [right, down] = [0; 2].map(|_| self.source.within(-4, 4) as f32 / 8.0);
                let near = [x as f32 + right, y as f32 + down];
                // Far from the origin an f32 has no such fraction.
                if pixel(near) == pixel(position) {
                    self.put(id, |c| c.at(near), false);
                }
            }
            6 => {
                let rules = MoveRules::default();
                self.expect(true, |world, _| world.move_by_rules(id, [0.0; 2], rules, FREE));
                self.expect(true, |world, _| world.move_until_contact(id, [0.0; 2], FREE));
            }
            7 => {
                self.expect(owner != 0, |world, _| world.move_body(owner, [0.0; 2], FREE));
            }
            _ => {
                let places = [Placement { position, angle }; 2];
                self.expect(true, |world, _| world.set_placements(&[id; 2], &places));
            }
        }
    }

    /// Places some or all colliders where they are, by one call.
    fn place_alike(&mut self) {
        let (mut ids, mut places) = (Vec::new(), Vec::new());
        let (part, again) = (self.source.below(4), self.source.one_in(3));
        for (&id, collider) in &self.model.colliders {
            if part == 0 || self.source.below(8) < part {
                ids.push(id);
                places.push(Placement { position: collider.position, angle: collider.angle });
            }
        }
        if again {
            ids.extend_from_within(..);
            places.extend_from_within(..);
        }
        self.expect(true, |world, _| world.set_placements(&ids, &places));
    }

    /// Edits a mask to what it is.
    fn edit_alike(&mut self) {
        let masks: Vec<MaskId> = self.model.masks.iter().map(|(id, _)| *id).collect();
        let Some(id) = self.source.pick(&masks) else { return };
        let drawn = self.model.mask(id).and_then(|loose| loose.drawn.clone());
        if let Some((_, transform)) = drawn.filter(|_| self.source.one_in(2)) {
            let drawn = self.expect(true, |world, _| world.masks_mut().transform(id, transform));
            return assert_eq!(drawn, Some(false), "drawn again at the same transform");
        }
        let way = self.source.below(3);
        let edit = |mask: &mut Mask| match way {
            0 => {}
            1 => {
                mask.invert();
                mask.invert();
            }
            _ => mask.fill_rect(Rect::new(3, 3, 3, 9), true),
        };
        let worlds = &mut self.worlds;
        worlds.iter_mut().for_each(|world| world.masks_mut().edit(id, edit).expect("a mask"));
    }

    /// Replaces an atlas by itself.
    fn replace_alike(&mut self) {
        let families: Vec<usize> = self.model.newest().map(|(family, _)| family).collect();
        let Some(family) = self.source.pick(&families).filter(|_| !self.model.went_back) else {
            return;
        };
        let version = *self.model.versions[family].last().expect("a family of the world");
        let same = &self.options.art[family][version];
        let report = self.expect(true, |world, form| {
            world.atlases_mut().replace(same[0].id(), in_form(same, form))
        });
        let report = report.expect("a report");
        assert!(report.added.is_empty() && report.vanished.is_empty() && report.changed.is_empty());
        let is_outdated = |id: &ColliderId| self.model.is_outdated(&self.model.colliders[id]);
        assert!(report.outdated.iter().all(is_outdated), "{report:?}");
    }

    /// Changes a run of colliders, one by one or by one call, and looks for some of them.
    pub(super) fn run(&mut self) {
        let ids: Vec<ColliderId> = self.model.colliders.keys().copied().collect();
        let Some(last) = ids.len().checked_sub(1) else { return };
        // More than a search tests one by one, more than an update lists, or few.
        let counts = [2, 49, 70, 8 + ids.len() / 8, 70 + ids.len() / 8, ids.len()];
        let count = counts[self.source.below(6) as usize].min(ids.len());
        let first = self.source.below(1 + last as u32) as usize;
        let stride = [1, 1, 7][self.source.below(3) as usize];
        let chosen = (0..count).map(|i| ids[(first + i * stride) % ids.len()]).collect::<Vec<_>>();
        let reach = [1, 2, 9, self.options.side][self.source.below(4) as usize];
        let is_alike = |id: &ColliderId| !self.model.is_outdated(&self.model.colliders[id]);
        let (newest, mut places) = (chosen.iter().filter(|id| is_alike(id)), Vec::new());
        let newest: Vec<ColliderId> = newest.copied().collect();
        match self.source.below(8) {
            0..4 => {
                for (i, &id) in chosen.iter().enumerate() {
                    let [x, y] = self.model.colliders[&id].position;
                    let [right, down] = self.numbers(reach);
                    self.move_silently(id, [x + right, y + down]);
                    // The next ones move after the search has packed what moved before.
                    if i % 60 == 59 {
                        self.look(2);
                    }
                }
            }
            4 => {
                for &id in &chosen {
                    let collider = self.model.colliders[&id];
                    let [x, y] = collider.position;
                    let [right, down] = self.numbers(reach);
                    let position = [x + right, y + down];
                    places.push(Placement { position, angle: collider.angle });
                }
                let can_move = |(id, place): (&ColliderId, &Placement)| {
                    let collider = self.model.colliders[id].at(place.position);
                    self.model.can_move(&collider)
                };
                if chosen.iter().zip(&places).all(can_move) {
                    self.expect(true, |world, _| world.set_placements(&chosen, &places));
                    for (id, place) in chosen.iter().zip(&places) {
                        let collider = self.model.colliders.get_mut(id).expect("a collider");
                        collider.position = place.position;
                    }
                }
            }
            5 => {
                let rule = [2, 10, 10][self.source.below(3) as usize];
                for &id in newest.iter().take(100) {
                    let changed = self.with_rule(self.model.colliders[&id], rule);
                    self.set_silently(id, changed);
                }
            }
            6 => {
                for &id in newest.iter().take(100) {
                    let frame = self.source.below(3);
                    let collider = self.model.colliders[&id];
                    let is_frame = |(_, atlas): (usize, &hitmask::Atlas)| {
                        let sprite = collider.shape.sprite().and_then(|id| atlas.sprite(id));
                        sprite.is_some_and(|sprite| frame < sprite.frame_count())
                    };
                    let named = collider.shape.sprite().and_then(|id| self.model.named(id));
                    if named.is_some_and(is_frame) {
                        self.set_silently(id, Collider { frame, ..collider });
                    }
                }
            }
            _ => {
                let mut alike = Vec::new();
                for id in newest.iter().take(70) {
                    // A short world is run through more than once.
                    let Some(collider) = self.model.colliders.remove(id) else { continue };
                    alike.push(collider);
                    let worlds = &mut self.worlds;
                    worlds.iter_mut().for_each(|world| _ = world.remove(*id).expect("a collider"));
                }
                let ids = self.expect(true, |world, _| world.insert_all(&alike));
                self.model.colliders.extend(ids.into_iter().flatten().zip(alike));
            }
        }
        self.look(48);
    }

    /// Moves a collider without checks of the whole world.
    fn move_silently(&mut self, id: ColliderId, position: [f32; 2]) {
        let moved = self.model.colliders[&id].at(position);
        if self.model.can_move(&moved) {
            let worlds = &mut self.worlds;
            worlds.iter_mut().for_each(|world| world.move_to(id, position).expect("a place"));
            self.model.colliders.insert(id, moved);
        }
    }

    /// Sets a collider that shows the newest version, without checks of the whole world.
    pub(super) fn set_silently(&mut self, id: ColliderId, collider: Collider) {
        // A budget of poses may refuse other frames.
        if self.worlds.iter().all(|world| world.pose_stats().budget.is_none()) {
            let worlds = &mut self.worlds;
            worlds.iter_mut().for_each(|world| world.set(id, collider).expect("a collider"));
            self.model.colliders.insert(id, collider);
        }
    }

    /// Asks what lies at the places of some colliders.
    pub(super) fn look(&mut self, count: u32) {
        self.model.refresh();
        for _ in 0..count {
            let shown = &self.model.naive.shown;
            if shown.is_empty() {
                return;
            }
            let one = &shown[self.source.below(shown.len() as u32) as usize];
            let (id, rect) = (one.id, one.rect.unwrap_or_default());
            let place = one.collider.position;
            let kind = self.source.below(8);
            let [right, down] = [0; 2].map(|_| self.source.within(-9, 10));
            let naive = &self.model.naive;
            let zone = Zone::rect(rect.translated(Point::new(right, down)));
            let at = [rect.x0 as f32 + right as f32, rect.y0 as f32 - 3.0];
            let line = Line::new(at, [at[0] + 40.0, at[1] + rect.height() as f32]).ok();
            let motion = [4 * right, 4 * down].map(|v| v as f32);
            let path = path(place, motion);
            let asked = |world: &World| match (kind, line, path) {
                (0 | 1, ..) => {
                    let near = world.nearest(at, 20.0, Filter::ALL).expect("a place");
                    assert_eq!(near, naive.nearest(at, 20.0, Filter::ALL), "near {at:?}");
                }
                (2, Some(line), _) => {
                    let hits = world.ray_all(&line, Filter::ALL).expect("a line");
                    assert_eq!(hits, naive.ray_all(&line, Filter::ALL), "along {line:?}");
                }
                (3, _, Some(path)) => {
                    let hits = world.cast_all(id, motion, Filter::ALL).expect("a short motion");
                    let steps = hits.iter().map(|hit| (hit.impact.step, hit.collider));
                    assert!(steps.eq(naive.cast_all(id, path)), "{id:?} by {motion:?}");
                }
                _ => {
                    let found = world.query(&zone, Filter::ALL).expect("a zone");
                    assert_eq!(found, naive.query(&zone, Filter::ALL), "in {zone:?}");
                }
            };
            self.worlds.iter().for_each(asked);
            self.tally.answers += self.worlds.len();
        }
    }
}
