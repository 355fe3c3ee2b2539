//! The checksum of the content of an atlas, equal for its drawn and its compact form.
//!
//! Part of the public API. Covers names and settings, and for each image the upright pose at
//! the largest scale, which both forms give. At scale 1 or more that pose shows every texel.

#![deny(clippy::arithmetic_side_effects)]

use super::Atlas;
use super::format::SpriteRecord;
use super::undrawn::PoseDrawer;
use crate::memory::parallel;
use crate::pose::stored_steps;
use crate::raster::PosedRef;
use crc32fast::Hasher;

/// Undrawn sprites from which all cores are used.
const MIN_PARALLEL_SPRITES: usize = 128;

impl Atlas {
    /// Returns a checksum of the content: the names, the settings, and each image at its largest
    /// scale. Atlases of equal content have equal checksums, drawn or not. Others almost always
    /// have different ones.
    ///
    /// The first call reads one pose of every image, or draws it, on all cores, if the atlas is
    /// undrawn. That takes a few microseconds for each image of 64 px.
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
    // Stored poses are read faster than threads wake.
    let each = if atlas.is_drawn() || sprites.len() < MIN_PARALLEL_SPRITES {
        sprites.iter().map(|&i| of_sprite(atlas, i)).collect()
    } else {
        parallel::map(&sprites, |&i| of_sprite(atlas, i))
    };
    each.iter().for_each(|checksum: &u32| all.update(&checksum.to_le_bytes()));
    all.finalize()
}

fn of_sprite(atlas: &Atlas, i: usize) -> u32 {
    let records = atlas.records();
    let sprite = &records.sprites()[i];
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
    let mut drawer = PoseDrawer::default();
    for (at, frame) in records.frames_of(sprite).iter().enumerate() {
        let [x, y] = frame.pivot.map(|half_texels| half_texels as u32);
        put(&mut hash, &[x, y, frame.width, frame.height]);
        let first_pose = atlas.first_pose((sprite.first_frame as usize).saturating_add(at));
        // The largest scale is the last one. All poses of a frame have numbers of 32 bits.
        let before = sprite.scales.saturating_sub(1).saturating_mul(stored_steps(sprite.angles));
        let pose = first_pose.saturating_add(before);
        // Fails only in a file that no bake wrote.
        if let Ok(posed) = atlas.pose(&mut drawer, pose) {
            of_pose(&mut hash, posed);
        }
    }
    hash.finalize()
}

fn of_pose(hash: &mut Hasher, PosedRef { mask, origin, .. }: PosedRef<'_>) {
    put(hash, &[mask.width(), mask.height(), origin.x as u32, origin.y as u32]);
    (0..mask.strips()).for_each(|strip| hash.update(bytemuck::cast_slice(mask.rows(strip))));
}

fn put(hash: &mut Hasher, numbers: &[u32]) {
    numbers.iter().for_each(|number| hash.update(&number.to_le_bytes()));
}
