//! Target `capi`: calls of the C interface in any order, with handles, ids, lengths and numbers of
//! any kind.
//!
//! No call has an internal error. A refused call leaves its world as it was. Lengths are those of
//! the memory, or larger than any memory: what lies between is the caller's promise.

use crate::art;
use arbitrary::{Result, Unstructured};
use hitmask_capi::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut, without_provenance_mut};

/// Objects and ids that calls choose from: present, destroyed, and invented ones.
struct Bench<'d> {
    input: Unstructured<'d>,
    handles: Vec<usize>,
    ids: Vec<u64>,
}

/// Limit of the number of objects and of the number of ids.
const MAX_COUNT: usize = 40;
/// Limit of radii and sides, so that masks stay small.
const MAX_SIDE: u32 = 40;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let atlas = art::atlas();
    let bytes = atlas.as_bytes();
    let (status, atlas) =
        called(|out| hm_atlas_from_bytes(bytes.as_ptr(), bytes.len(), null(), out));
    assert_eq!(status, hm_status::HM_OK);
    let (status, world) = called(|out| hm_world_create(atlas, out));
    assert_eq!(status, hm_status::HM_OK);
    let (_, mask) = called(|out| hm_mask_disc(3, out));
    let (_, baker) = called(|out| hm_baker_create(out));
    let (_, batch) = called(|out| hm_batch_create(atlas, out));
    let (_, second) = called(|out| hm_atlas_labelled(atlas, 7, out));
    let (_, pose) = called(|out| hm_atlas_pose(atlas, 1, 0, 0, 0.5, 1.0, 0, 0, out, null_mut()));
    let local = 0u64;
    let handles = [
        world.addr(),
        world.addr(),
        world.addr(),
        atlas.addr(),
        mask.addr(),
        baker.addr(),
        batch.addr(),
        second.addr(),
        0,
        usize::MAX,
        (&raw const local).addr(),
        world.addr() ^ 1 << 23,
        world.addr() ^ 1 << 3,
    ];
    let mut bench = Bench {
        input: Unstructured::new(data),
        handles: handles.to_vec(),
        ids: vec![0, 1, pose, u64::MAX, 1 << 32, 1 << 32 | 7, 2 << 32],
    };
    for _ in 0..120 {
        if bench.input.is_empty() || bench.call().is_err() {
            break;
        }
    }
    for handle in bench.handles {
        let _ = hm_world_destroy(without_provenance_mut(handle));
        let _ = hm_atlas_destroy(without_provenance_mut(handle));
        let _ = hm_mask_destroy(without_provenance_mut(handle));
        let _ = hm_baker_destroy(without_provenance_mut(handle));
        let _ = hm_batch_destroy(without_provenance_mut(handle));
        let _ = hm_shape_destroy(without_provenance_mut(handle));
        let _ = hm_shape_grid_destroy(without_provenance_mut(handle));
    }
}

/// Fails on an internal error.
fn fine(status: hm_status) -> hm_status {
    let bugs = [hm_status::HM_PANIC, hm_status::HM_POISONED, hm_status::HM_INVALID_WORLD];
    assert!(!bugs.contains(&status), "{status:?}");
    status
}

impl Bench<'_> {
    fn handle<T>(&mut self) -> Result<*mut T> {
        let index = self.input.arbitrary::<u8>()?;
        Ok(without_provenance_mut(self.handles[usize::from(index) % self.handles.len()]))
    }

    fn id(&mut self) -> Result<u64> {
        let index = self.input.arbitrary::<u8>()?;
        Ok(self.ids[usize::from(index) % self.ids.len()])
    }

    fn number(&mut self) -> Result<f32> {
        Ok(match self.input.int_in_range(0..=9)? {
            0 => f32::from_bits(self.input.arbitrary()?),
            1 => 1e9,
            _ => f32::from(self.input.arbitrary::<i8>()?) / 2.0,
        })
    }

    fn vec2(&mut self) -> Result<hm_vec2> {
        Ok(hm_vec2 { x: self.number()?, y: self.number()? })
    }

    fn point(&mut self) -> Result<hm_point> {
        let [x, y] = self.input.arbitrary::<[i8; 2]>()?;
        let far = self.input.ratio(1, 16)?;
        let number = |v: i8| if far { i32::from(v) << 24 } else { v.into() };
        Ok(hm_point { x: number(x), y: number(y) })
    }

    fn rect(&mut self) -> Result<hm_rect> {
        let (from, to) = (self.point()?, self.point()?);
        Ok(hm_rect { x0: from.x, y0: from.y, x1: to.x, y1: to.y })
    }

    fn pair(&mut self) -> Result<hm_pair> {
        Ok(hm_pair { a: self.id()?, b: self.id()? })
    }

    fn length(&mut self, fits: usize) -> Result<usize> {
        let wrong = [usize::MAX, usize::MAX / 2, usize::MAX / 8 + 1];
        Ok(match self.input.int_in_range(0..=15)? {
            at @ 0..=2 => wrong[at],
            3 => 0,
            _ => fits,
        })
    }

    fn collider(&mut self) -> Result<hm_collider> {
        let mut collider = hm_default_collider();
        let flags = self.input.arbitrary::<u8>()?;
        collider.sprite = u64::from(self.input.int_in_range(0u8..=6)?);
        if flags & 1 != 0 {
            collider.mask = self.id()?;
            collider.sprite &= u64::from(flags >> 7);
        }
        collider.x = self.number()?;
        collider.y = self.number()?;
        collider.angle = if flags & 2 != 0 { self.number()? } else { 0.0 };
        collider.use_turn = flags & 4;
        collider.turn = u16::from(flags) * 257;
        collider.owner = u32::from(self.input.int_in_range(0u8..=3)?);
        collider.accuracy = self.input.int_in_range(0..=3)?;
        collider.fixed = flags & 8;
        collider.sensor = flags & 16;
        collider.cookie ^= u32::from(flags == 255);
        Ok(collider)
    }

    fn keep<T>(&mut self, call: hm_status, list: &mut Vec<T>, value: T) {
        let _ = self;
        if call == hm_status::HM_OK && list.len() < MAX_COUNT {
            list.push(value);
        }
    }

    fn keep_handle<T>(&mut self, (status, handle): (hm_status, *mut T)) -> hm_status {
        let mut handles = std::mem::take(&mut self.handles);
        self.keep(status, &mut handles, handle.addr());
        self.handles = handles;
        if status != hm_status::HM_OK {
            assert!(handle.is_null());
        }
        status
    }

    fn keep_id(&mut self, (status, id): (hm_status, u64)) -> hm_status {
        let mut ids = std::mem::take(&mut self.ids);
        self.keep(status, &mut ids, id);
        self.ids = ids;
        status
    }

    fn call(&mut self) -> Result<()> {
        let world = self.handle::<hm_world>()?;
        let before = called(|out| hm_world_state_hash(world, out));
        let status = match self.input.int_in_range(0u8..=3)? {
            0 => self.object()?,
            1 => self.change(world)?,
            2 => self.part(world)?,
            _ => self.question(world)?,
        };
        fine(status);
        if !matches!(status, hm_status::HM_OK | hm_status::HM_NONE) {
            assert!(!hm_last_error().is_null());
            let after = called(|out| hm_world_state_hash(world, out));
            assert_eq!(after, before, "a refused call changed the world");
        }
        fine(hm_world_validate(world));
        Ok(())
    }

    /// Creates, edits or destroys objects.
    fn object(&mut self) -> Result<hm_status> {
        let side = self.input.int_in_range(0..=MAX_SIDE)?;
        let other = self.handle::<hm_mask>()?;
        let mask = self.handle::<hm_mask>()?;
        let at = self.point()?;
        Ok(match self.input.int_in_range(0u8..=24)? {
            0 => self.keep_handle(called(|out| hm_mask_create(side, 9, out))),
            1 => self.keep_handle(called(|out| hm_mask_solid(3, side, out))),
            2 => self.keep_handle(called(|out| hm_mask_from_text(c"#.\n##".as_ptr(), out))),
            3 => self.keep_handle(called(|out| hm_mask_from_text(null(), out))),
            4 => {
                let (bytes, count) = ([200u8; 36], self.length(36)?);
                let made = |out: *mut _| hm_mask_from_rgba(3, 3, bytes.as_ptr(), count, 128, out);
                self.keep_handle(called(made))
            }
            5 => self.keep_handle(called(|out| hm_mask_clone(mask, out))),
            6 => self.keep_handle(called(|out| hm_mask_grown(mask, side % 5, side % 3, out))),
            7 => self.keep_handle(called(|out| hm_mask_cropped(mask, small(at, side), out))),
            8 => self.keep_handle(called(|out| hm_mask_overlap_mask(mask, other, at, out))),
            9 => hm_mask_blit(mask, other, at, side % 5),
            10 => hm_mask_set(mask, at.x, at.y, side as u8 & 1),
            11 => hm_mask_fill_rect(mask, self.rect()?, side as u8 & 1),
            12 => hm_mask_invert(mask),
            13 => called(|out| hm_mask_touches(mask, other, at, out)).0,
            14 => called(|out| hm_mask_contact(mask, other, at, out)).0,
            15 => called(|out| hm_mask_outline(mask, out)).0,
            16 => hm_mask_destroy(mask),
            17 => {
                let world = self.handle::<hm_world>()?;
                self.keep_handle(called(|out| hm_world_clone(world, out)))
            }
            18 => {
                let atlas = self.handle::<hm_atlas>()?;
                self.keep_handle(called(|out| hm_world_create(atlas, out)))
            }
            19 => {
                let atlas = self.handle::<hm_atlas>()?;
                let (_, bytes) = called(|out| hm_atlas_bytes(atlas, out));
                let count = self.length(bytes.count)?;
                self.keep_handle(called(|out| hm_atlas_from_bytes(bytes.items, count, null(), out)))
            }
            20 => {
                let atlas = self.handle::<hm_atlas>()?;
                let sprite = self.id()?;
                let (status, info) = called(|out| hm_atlas_sprite_info(atlas, sprite, out));
                assert_eq!(info.name.is_null(), status != hm_status::HM_OK);
                status
            }
            21 => {
                let baker = self.handle::<hm_baker>()?;
                let (masks, count) = ([mask.cast_const(), other.cast_const()], self.length(2)?);
                let mut settings = hm_default_bake_settings();
                settings.angles = side;
                let name: &CStr = [c"a", c"b", c""][side as usize % 3];
                hm_baker_add_masks(baker, name.as_ptr(), masks.as_ptr(), count, &settings)
            }
            22 => {
                let baker = self.handle::<hm_baker>()?;
                self.keep_handle(called(|out| hm_baker_bake_atlas(baker, out)))
            }
            23 => hm_world_destroy(self.handle()?),
            _ => hm_atlas_destroy(self.handle()?),
        })
    }

    fn change(&mut self, world: *mut hm_world) -> Result<hm_status> {
        let (id, side) = (self.id()?, self.input.int_in_range(0..=MAX_SIDE)?);
        Ok(match self.input.int_in_range(0u8..=21)? {
            0..=3 => {
                let collider = self.collider()?;
                self.keep_id(called(|out| hm_world_insert(world, &collider, out)))
            }
            4 => hm_world_set(world, id, &self.collider()?),
            5 => hm_world_remove(world, id),
            6 => hm_world_move_to(world, id, self.number()?, self.number()?),
            7 | 8 => {
                let ids = [id, self.id()?, self.id()?];
                let mut at = [hm_placement { x: 0.0, y: 0.0, angle: 0.0 }; 3];
                for at in &mut at {
                    *at = hm_placement { x: self.number()?, y: self.number()?, angle: 0.5 };
                }
                hm_world_set_placements(world, ids.as_ptr(), at.as_ptr(), self.length(3)?)
            }
            9 => hm_world_update(world),
            10 => hm_world_update_with(world, (side != 0).then_some(keep_some), null_mut()),
            11 => {
                called(|out| hm_world_move_and_slide(world, id, self.vec2().unwrap_or(FAR), out)).0
            }
            12 => {
                let motion = self.vec2()?;
                let keep: hm_keep_collider = (side > 9).then_some(keep_even);
                called(|out| {
                    hm_world_move_by_rules(world, id, motion, null(), keep, null_mut(), out)
                })
                .0
            }
            13 => {
                called(|out| hm_world_move_body(world, side % 4, self.vec2().unwrap_or(FAR), out)).0
            }
            14 => {
                let mask = self.handle::<hm_mask>()?;
                self.keep_id(called(|out| hm_world_insert_mask(world, mask, null(), out)))
            }
            15 => hm_world_fill_rect(world, id, self.rect()?, side as u8 & 1),
            16 => hm_world_fill_disc(world, id, self.point()?, side, side as u8 & 1),
            17 => hm_world_blit(world, id, self.handle()?, self.point()?, side % 5),
            18 => hm_world_remove_mask(world, id),
            19 => {
                let (_, bytes) = called(|out| hm_world_snapshot(world, out));
                let count = self.length(bytes.count)?;
                hm_world_restore(self.handle()?, bytes.items, count)
            }
            20 => hm_world_set_user_data(world, id, side.into()),
            _ => hm_world_set_accuracy(world, side as u8 % 5),
        })
    }

    /// Calls about several atlases, batches, shapes and planes.
    fn part(&mut self, world: *mut hm_world) -> Result<hm_status> {
        let (atlas, batch) = (self.handle::<hm_atlas>()?, self.handle::<hm_batch>()?);
        let (mask, other) = (self.handle::<hm_mask>()?, self.handle::<hm_mask>()?);
        let (id, at) = (self.id()?, self.point()?);
        let side = self.input.int_in_range(0..=MAX_SIDE)?;
        let pairs = [hm_pose_pair { a: id, b: self.id()?, at }; 12];
        let known = called(|out| hm_atlas_get_id(atlas, out)).1 ^ u32::from(side == 0);
        Ok(match self.input.int_in_range(0u8..=22)? {
            0 => called(|out| hm_world_add_atlas(world, atlas, out)).0,
            1 => hm_world_drop_atlas(world, known),
            2 => called(|out| hm_world_drop_atlas_and_colliders(world, known, out)).0,
            3 => called(|out| hm_world_replace_atlas(world, known, atlas, out)).0,
            4 => {
                let _ = called(|out| hm_world_sprite_change(world, side, out));
                called(|out| hm_world_atlases(world, out)).0
            }
            5 => self.keep_handle(called(|out| hm_world_atlas(world, known, out))),
            6 => self.keep_handle(called(|out| hm_atlas_labelled(atlas, side, out))),
            7 => {
                let (_, bytes) = called(|out| hm_world_snapshot(world, out));
                let (atlases, count) = ([atlas.cast_const(), self.handle()?], self.length(2)?);
                let over = |out: *mut _| {
                    let (from, size) = (bytes.items, bytes.count);
                    hm_world_from_snapshot_over(atlases.as_ptr(), count, from, size, out)
                };
                self.keep_handle(called(over))
            }
            8 => hm_world_set_pose_budget(world, u64::from(side) << 12),
            9 => self.keep_handle(called(|out| hm_batch_create(atlas, out))),
            10 => {
                let count = self.length(pairs.len())?;
                called(|out| hm_batch_touches(batch, pairs.as_ptr(), count, out)).0
            }
            11 => called(|out| hm_batch_contact(batch, pairs.as_ptr(), pairs.len(), out)).0,
            12 => called(|out| hm_batch_overlap_area(batch, pairs.as_ptr(), pairs.len(), out)).0,
            13 => {
                let corners = [self.vec2()?, self.vec2()?, self.vec2()?, self.vec2()?];
                let (starts, count) = ([0, side % 6, 4], self.length(2)?);
                let (corners, starts) = (corners.as_ptr(), starts.as_ptr());
                let made =
                    |out: *mut _| hm_mask_from_polygons(corners, 4, starts, count, out, null_mut());
                self.keep_handle(called(made))
            }
            14 => {
                let _ = called(|out| hm_mask_components(mask, side, out));
                self.keep_handle(called(|out| hm_mask_component(mask, side as usize % 3, out)))
            }
            15 => called(|out| hm_mask_polygons(mask, 4 + side % 5, out)).0,
            16 => {
                let (masks, ats) = ([mask.cast_const(), other], [at, self.point()?]);
                let count = self.length(2)?;
                let (masks, ats) = (masks.as_ptr(), ats.as_ptr());
                self.keep_handle(called(|out| hm_mask_union(masks, ats, count, out, null_mut())))
            }
            17 => called(|out| hm_mask_overlap(mask, other, at, out)).0,
            18 => {
                let mut rule = hm_default_texel_rule();
                rule.alpha_test = side as u8 % 4;
                rule.channel = side as u8 % 5;
                rule.cookie ^= u32::from(side == 7);
                rule.exclude_count = self.length(0)?;
                let (image, rule) = ([9u8; 16], &rule);
                let made =
                    |out: *mut _| hm_mask_from_rgba_by_rule(2, 2, image.as_ptr(), 16, rule, out);
                self.keep_handle(called(made))
            }
            19 => {
                let mut options = hm_default_shape_options();
                options.cookie ^= u32::from(side == 7);
                options.max_error = self.number()?;
                options.fit = side % 4;
                options.max_corners = side;
                options.min_area = side / 4;
                options.scale = self.number()?;
                options.origin = self.vec2()?;
                let options =
                    if self.input.arbitrary::<bool>()? { &raw const options } else { null() };
                match side % 4 {
                    0 => self.keep_handle(called(|out| hm_mask_shape(mask, options, out))),
                    1 => {
                        self.keep_handle(called(|out| hm_world_mask_shape(world, id, options, out)))
                    }
                    2 => self
                        .keep_handle(called(|out| hm_shape_grid_create(mask, side, options, out))),
                    _ => {
                        let made = |out: *mut _| hm_world_shape_grid(world, id, side, options, out);
                        self.keep_handle(called(made))
                    }
                }
            }
            20 => {
                let shape = self.handle::<hm_shape>()?;
                let _ = called(|out| hm_shape_rings(shape, out, null_mut()));
                let _ = called(|out| hm_shape_left_out(shape, out, null_mut()));
                let _ = called(|out| hm_shape_mass(shape, out));
                called(|out| hm_shape_pieces(shape, out, null_mut())).0
            }
            21 => {
                let (grid, rect) = (self.handle::<hm_shape_grid>()?, self.rect()?);
                let (_, count) = called(|out| hm_shape_grid_count(grid, out));
                let cell = count.wrapping_sub(side % 3);
                let _ = called(|out| hm_shape_grid_rings(grid, cell, out, null_mut()));
                let _ = called(|out| hm_shape_grid_pieces(grid, cell, out, null_mut()));
                let _ = called(|out| hm_shape_grid_chains(grid, cell, out, null_mut()));
                let _ = called(|out| hm_world_update_shape_grid(world, id, grid, rect, out));
                called(|out| hm_shape_grid_update(grid, mask, rect, out)).0
            }
            _ => called(|out| hm_atlas_plane_for_fade(atlas, id, side as u8, 0.7, out)).0,
        })
    }

    fn question(&mut self, world: *mut hm_world) -> Result<hm_status> {
        let (id, pair, at) = (self.id()?, self.pair()?, self.vec2()?);
        let radius = self.number()?;
        let mut filter = hm_default_filter();
        filter.except = id;
        filter.accuracy = self.input.int_in_range(0..=3)?;
        let filter = if self.input.arbitrary::<bool>()? { &raw const filter } else { null() };
        let mut buffer = [0u8; 64];
        Ok(match self.input.int_in_range(0u8..=19)? {
            0 => called(|out| hm_world_get(world, id, out)).0,
            1 => listed(called(|out| hm_world_touching(world, out))),
            2 => listed(called(|out| hm_world_began(world, out))),
            3 => called(|out| hm_world_contact(world, pair, out)).0,
            4 => called(|out| hm_world_overlap(world, pair, out)).0,
            5 => called(|out| hm_world_explain(world, pair, out)).0,
            6 => called(|out| hm_world_query_point(world, at.x, at.y, filter, out)).0,
            7 => called(|out| hm_world_query_circle(world, at.x, at.y, radius, filter, out)).0,
            8 => {
                called(|out| {
                    hm_world_query_rect(world, self.rect().unwrap_or(NOTHING), filter, out)
                })
                .0
            }
            9 => {
                let (mask, at) = (self.handle::<hm_mask>()?, self.point()?);
                called(|out| hm_world_query_mask(world, mask, at, filter, out)).0
            }
            10 => {
                called(|out| hm_world_ray(world, at, hm_vec2 { x: radius, y: at.x }, filter, out)).0
            }
            11 => called(|out| hm_world_pick(world, at.x, at.y, 4.0, id as u32 % 3, filter, out)).0,
            12 => called(|out| hm_world_nearest(world, at.x, at.y, radius, filter, out)).0,
            13 => called(|out| hm_world_cast(world, id, at, None, null_mut(), out)).0,
            14 => {
                called(|out| hm_world_cast_all(world, id, at, Some(keep_even), null_mut(), out)).0
            }
            15 => called(|out| hm_world_graze(world, id, at.x, filter, out)).0,
            16 => called(|out| hm_world_parts_of(world, id as u32 % 4, out)).0,
            17 => called(|out| hm_world_touching_bodies(world, out)).0,
            18 => {
                let (from, count) = (buffer.as_mut_ptr(), buffer.len());
                called(|size| hm_world_snapshot_to(world, from, count, size)).0
            }
            _ => {
                let (group, count) = ([pair.a, pair.b], self.length(2)?);
                let found = |out: *mut _| {
                    hm_world_touching_between(world, group.as_ptr(), count, &id, 1, out)
                };
                listed(called(found))
            }
        })
    }
}

const FAR: hm_vec2 = hm_vec2 { x: 1e9, y: 0.0 };
const NOTHING: hm_rect = hm_rect { x0: 0, y0: 0, x1: 0, y1: 0 };

/// Returns a rectangle whose sides are small.
fn small(at: hm_point, side: u32) -> hm_rect {
    let end = |from: i32| from.saturating_add(side as i32);
    hm_rect { x0: at.x, y0: at.y, x1: end(at.x), y1: end(at.y) }
}

/// A refused call lends nothing.
fn listed((status, pairs): (hm_status, hm_pairs)) -> hm_status {
    assert!(status == hm_status::HM_OK || pairs.count == 0);
    status
}

extern "C" fn keep_some(_: *mut std::ffi::c_void, pair: hm_pair, _: u64, _: u64) -> u8 {
    pair.b as u8 % 3
}

extern "C" fn keep_even(_: *mut std::ffi::c_void, collider: hm_collider_id, _: u64) -> u8 {
    !collider as u8 & 1
}
