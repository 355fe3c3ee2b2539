//! The checksum of the content of an atlas, equal for its drawn and its compact form.
//!
//! Called by `Atlas::checksum`. Covers names and settings, and for each image the upright pose at
//! the largest scale, which both forms give. At scale 1 or more that pose shows every texel.

use super::Atlas;
use super::format::SpriteRecord;
use super::undrawn::PoseDrawer;
use crate::memory::parallel;
use crate::raster::PosedRef;
use crc32fast::Hasher;

/// Returns the checksum of the content.
pub(super) fn checksum(atlas: &Atlas) -> u32 {
    let sprites: Vec<usize> = (0..atlas.records().sprites().len()).collect();
    let mut all = Hasher::new();
    all.update(&atlas.resolution().to_le_bytes());
    for checksum in parallel::map(&sprites, |&i| of_sprite(atlas, i)) {
        all.update(&checksum.to_le_bytes());
    }
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
        let pose = atlas.largest_upright(sprite, sprite.first_frame as usize + at);
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
