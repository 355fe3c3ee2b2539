//! The checksum of the content of an atlas, equal for its drawn and its compact form.
//!
//! Part of the public API. Covers names and settings, and for each image the poses that determine
//! all others. That is the upright pose at the largest scale, if it shows every texel; else all poses.
//! Both forms give the same poses.
//!
//! Invariant: atlases of equal checksum have equal masks at every pose, up to chance.

#![deny(clippy::arithmetic_side_effects)]

use super::Atlas;
use super::drawing_cost;
use super::format::{SpriteRecord, sampling_from_byte};
use super::options::AtlasOptions;
use super::undrawn::PoseDrawer;
use super::validate::Records;
use crate::geom::Point;
use crate::memory::parallel;
use crate::pose::stored_steps;
use crate::raster::{PosedRef, Sampling};
use crc32fast::Hasher;
use std::collections::HashMap;

/// Undrawn sprites from which all cores are used.
const MIN_PARALLEL_SPRITES: usize = 128;

impl Atlas {
    /// Returns a checksum of the content: the names, the settings, and the masks of all poses.
    /// Atlases of equal content have equal checksums, drawn or not. Others almost always have
    /// different ones. Snapshots of a [`World`](crate::World) name their atlases by it.
    ///
    /// The first call reads one pose of every image. If the atlas is undrawn, it draws that pose, on
    /// all cores, in a few microseconds for each image of 64 px.
    ///
    /// If no upright pose shows every texel, it reads or draws all poses: about 1 microsecond for an
    /// undrawn pose of 64 px. So it is for sprites whose largest scale times the resolution is below
    /// 1, and for most of those with [`Sampling::Coverage25`](crate::Sampling) below 2. No drawn pose
    /// is kept.
    ///
    /// An undrawn atlas with such sprites may exceed
    /// [`DEFAULT_MAX_POSES`](crate::AtlasOptions::DEFAULT_MAX_POSES) or
    /// [`DEFAULT_MAX_SAMPLES`](crate::AtlasOptions::DEFAULT_MAX_SAMPLES). Then it reads their source
    /// masks instead, and the checksum differs from that of the drawn form.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        if let Some(&content) = self.content().get() {
            return content;
        }
        // Not computed by the cell: a cell that waits for parallel work can hang.
        let content = of_atlas(self);
        *self.content().get_or_init(|| content)
    }
}

fn of_atlas(atlas: &Atlas) -> u32 {
    let sprites: Vec<usize> = (0..atlas.records().sprites().len()).collect();
    let mut all = Hasher::new();
    all.update(&atlas.resolution().to_le_bytes());
    let records = atlas.records();
    // What is read of sprites without a pose that shows every texel.
    let hidden = if atlas.is_drawn()
        || records.sprites().iter().all(|sprite| shows_every_texel(&records, sprite))
        || drawing_cost::check(std::iter::once(records), &LIMITS).is_ok()
    {
        Part::AllPoses
    } else {
        Part::Source
    };
    // Stored poses are read faster than threads wake.
    let each = if atlas.is_drawn() || sprites.len() < MIN_PARALLEL_SPRITES {
        sprites.iter().map(|&i| of_sprite(atlas, i, hidden)).collect()
    } else {
        parallel::map(&sprites, |&i| of_sprite(atlas, i, hidden))
    };
    each.iter().for_each(|checksum: &u32| all.update(&checksum.to_le_bytes()));
    all.finalize()
}

fn of_sprite(atlas: &Atlas, i: usize, hidden: Part) -> u32 {
    let records = atlas.records();
    let sprite = &records.sprites()[i];
    let part = if shows_every_texel(&records, sprite) { Part::Upright } else { hidden };
    let SpriteRecord { angles, frames, scales, rule, rule_value, sampling, .. } = *sprite;
    let mut hash = Hasher::new();
    put(&mut hash, &[sprite.name_bytes, frames, angles, scales]);
    hash.update(&[rule, rule_value, sampling]);
    hash.update(records.name(i).as_bytes());
    records.scales_of(sprite).iter().for_each(|scale| hash.update(&scale.to_le_bytes()));
    for plane in records.planes_of(sprite) {
        put(&mut hash, &[plane.len() as u32]);
        hash.update(plane.as_bytes());
    }
    let all_poses = scales.saturating_mul(stored_steps(angles));
    let poses = match part {
        // The largest scale is the last one.
        Part::Upright => {
            let upright = all_poses.saturating_sub(stored_steps(angles));
            upright..upright.saturating_add(1)
        }
        Part::AllPoses => 0..all_poses,
        Part::Source => 0..0,
    };
    let (mut drawer, mut known) = (PoseDrawer::default(), HashMap::new());
    for (at, frame) in records.frames_of(sprite).iter().enumerate() {
        let [x, y] = frame.pivot.map(|half_texels| half_texels as u32);
        put(&mut hash, &[x, y, frame.width, frame.height]);
        let first_pose = atlas.first_pose((sprite.first_frame as usize).saturating_add(at));
        // All poses of a frame have numbers of 32 bits.
        for pose in poses.clone() {
            // Fails only in a file that no bake wrote.
            let Ok(posed) = atlas.pose(&mut drawer, first_pose.saturating_add(pose)) else {
                continue;
            };
            if part == Part::Upright {
                of_pose(&mut hash, posed);
                continue;
            }
            // Poses of a file may share one large mask, which is read once.
            let PosedRef { mask, origin, .. } = posed;
            let is_stored = atlas.is_drawn() && mask.strips() > 0;
            let key = is_stored.then(|| mask.rows(0).as_ptr());
            let checksum = match key.and_then(|key| known.get(&(key, mask.width(), mask.height())))
            {
                Some(&checksum) => checksum,
                None => {
                    let mut one = Hasher::new();
                    of_pose(&mut one, PosedRef { origin: Point::default(), ..posed });
                    let checksum = one.finalize();
                    key.map(|key| known.insert((key, mask.width(), mask.height()), checksum));
                    checksum
                }
            };
            put(&mut hash, &[checksum, origin.x as u32, origin.y as u32]);
        }
        if part == Part::Source {
            let at = frame.first_pose as usize;
            let (mask, origin) = (records.mask(at), records.origin(at));
            of_pose(&mut hash, PosedRef { mask, origin, pivot2: [0; 2] });
        }
    }
    hash.finalize()
}

/// The masks of a sprite that its checksum covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The upright pose at the largest scale, which shows every texel.
    Upright,
    AllPoses,
    /// The source mask, of an undrawn atlas with more poses than are drawn here.
    Source,
}

/// Limits of the poses that are drawn for a checksum: those of `AtlasOptions` without the bytes,
/// because none is kept. Constant, so that equal atlases have equal checksums.
const LIMITS: AtlasOptions = AtlasOptions::new().max_bytes(u64::MAX);

/// Returns true if the upright pose of a sprite at its largest scale shows every texel, so that it
/// determines all other poses.
fn shows_every_texel(records: &Records<'_>, sprite: &SpriteRecord) -> bool {
    let resolution = records.resolution().value();
    let px = records.scales_of(sprite).last().map_or(0.0, |scale| scale * resolution);
    match sampling_from_byte(sprite.sampling) {
        // The centre of a pixel lies on each texel.
        Some(Sampling::Nearest) => px >= 1.0,
        // A pixel lies on each texel alone: anywhere from 2 px on, and at 1 px if the pixels are the
        // texels, which the pivot of another resolution may prevent.
        _ => px >= 2.0 || (px == 1.0 && resolution == 1.0),
    }
}

fn of_pose(hash: &mut Hasher, PosedRef { mask, origin, .. }: PosedRef<'_>) {
    put(hash, &[mask.width(), mask.height(), origin.x as u32, origin.y as u32]);
    (0..mask.strips()).for_each(|strip| hash.update(bytemuck::cast_slice(mask.rows(strip))));
}

fn put(hash: &mut Hasher, numbers: &[u32]) {
    numbers.iter().for_each(|number| hash.update(&number.to_le_bytes()));
}
