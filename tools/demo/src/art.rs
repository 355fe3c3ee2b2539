//! The look of every pose, drawn once from its baked mask.
//!
//! At full size each set pixel of a mask gets a shade: outline, lit side, body or dark side. So the
//! pixels that are drawn are those that collide. For a zoom of 1 / 2^k, each pixel holds how much
//! of it the mask covers, and how much of that is outline. A reduced pose exists at up to 4 x 4
//! offsets, because a sprite moves by less than such a pixel.

use crate::threads;
use hitmask::{Atlas, Flip, Pose, Posed};
use std::sync::OnceLock;

/// Shades of the pixels of a pose at full size. 0 is transparent.
pub(crate) const EDGE: u8 = 1;
pub(crate) const LIGHT: u8 = 2;
pub(crate) const BODY: u8 = 3;
pub(crate) const DARK: u8 = 4;

/// Number of shares of outline that a reduced pixel can have.
pub(crate) const EDGE_SHARES: usize = 16;

/// Largest k of a zoom of 1 / 2^k.
pub(crate) const MAX_HALVINGS: u32 = 6;

/// Smallest k at which reduced sprites are drawn twice as opaque, so that thin ones are seen.
const MIN_GAIN: u32 = 4;

/// Base-2 logarithm of the offsets per reduced pixel and axis.
const PHASE_BITS: u32 = 2;

/// The looks of all poses of an atlas.
#[derive(Debug)]
pub(crate) struct Art {
    angles: u32,
    /// Indexed by sprite, then by angle step.
    full: Looks<u8>,
    /// Indexed by k - 1. Drawn when they are first needed.
    reduced: [OnceLock<Looks<u16>>; MAX_HALVINGS as usize],
    /// Greatest distance of a drawn pixel from a position on either axis, in pixels.
    reach: i32,
}

/// The looks of all poses at one zoom and at every offset.
#[derive(Debug)]
pub(crate) struct Looks<T> {
    /// Base-2 logarithm of the number of offsets per axis.
    pub(crate) phase_bits: u32,
    poses: usize,
    /// Indexed by offset in y, offset in x, and pose.
    pub(crate) looks: Vec<Look>,
    pub(crate) pixels: Vec<T>,
}

/// One look: a rectangle of pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// Index of the first pixel.
    pub(crate) start: u32,
    /// The top-left corner, relative to the picture pixel of the lattice origin.
    pub(crate) corner: [i16; 2],
    pub(crate) size: [u16; 2],
}

impl<T> Looks<T> {
    /// Returns the index of the look of a pose at an offset.
    pub(crate) fn index(&self, phase: [u32; 2], pose: usize) -> usize {
        ((phase[1] << self.phase_bits | phase[0]) as usize) * self.poses + pose
    }
}

impl Art {
    /// Draws all sprites of an atlas, at their first frame, plane and scale.
    pub(crate) fn new(atlas: &Atlas) -> Self {
        let angles = atlas.sprites().next().map_or(1, |sprite| sprite.angles());
        let mut poses = Vec::new();
        for sprite in atlas.sprites() {
            assert_eq!(sprite.angles(), angles, "all sprites have the same angles");
            for step in 0..angles {
                let posed = sprite.posed(0, Pose { step, scale: 0 }, Flip::NONE);
                let posed = posed.expect("the atlas is drawn");
                poses.push(Posed {
                    mask: posed.mask.to_mask(),
                    origin: posed.origin,
                    pivot2: posed.pivot2,
                });
            }
        }
        let full = joined(0, poses.len(), |pose, _| shaded(&poses[pose]));
        let reach = full.looks.iter().flat_map(|Look { corner, size, .. }| {
            [0, 1].map(|axis| {
                let (low, side) = (i32::from(corner[axis]), i32::from(size[axis]));
                low.abs().max((low + side).abs())
            })
        });
        // A position snaps by half a pixel, and a pixel of the smallest zoom is this wide.
        let reach = reach.max().unwrap_or(0) + 1 + (1 << MAX_HALVINGS);
        Self { angles, full, reduced: [const { OnceLock::new() }; MAX_HALVINGS as usize], reach }
    }

    /// Returns the index of a pose, for a sprite and an angle in 65,536ths of a turn.
    #[inline]
    pub(crate) fn pose(&self, sprite: u16, turn: u16) -> usize {
        let step = ((u32::from(turn) * self.angles + (1 << 15)) >> 16) % self.angles;
        (u32::from(sprite) * self.angles + step) as usize
    }

    /// Returns the greatest distance of a drawn pixel from a position on either axis.
    pub(crate) const fn reach(&self) -> i32 {
        self.reach
    }

    pub(crate) const fn full(&self) -> &Looks<u8> {
        &self.full
    }

    /// Returns the looks for a zoom of 1 / 2^`halvings`. The first call draws them.
    pub(crate) fn reduced(&self, halvings: u32) -> &Looks<u16> {
        self.reduced[halvings as usize - 1].get_or_init(|| {
            let bits = PHASE_BITS.min(halvings);
            joined(bits, self.full.looks.len(), |pose, phase| {
                let look = self.full.looks[pose];
                let count = usize::from(look.size[0]) * usize::from(look.size[1]);
                let shades = &self.full.pixels[look.start as usize..][..count];
                reduced((look, shades), halvings, bits, phase)
            })
        })
    }
}

/// Draws all poses at all offsets, in parallel, and joins their pixels.
fn joined<T: Copy + Send>(
    phase_bits: u32,
    poses: usize,
    draw: impl Fn(usize, [u32; 2]) -> (Look, Vec<T>) + Sync,
) -> Looks<T> {
    let mut drawn = vec![(Look::default(), Vec::new()); poses << (2 * phase_bits)];
    threads::for_each(&mut drawn, |i, look| {
        let phase = (i / poses) as u32;
        let mask = (1 << phase_bits) - 1;
        *look = draw(i % poses, [phase & mask, phase >> phase_bits]);
    });
    let mut pixels = Vec::with_capacity(drawn.iter().map(|(_, pixels)| pixels.len()).sum());
    let looks = drawn.iter().map(|(look, own)| {
        let start = pixels.len() as u32;
        pixels.extend_from_slice(own);
        Look { start, ..*look }
    });
    Looks { phase_bits, poses, looks: looks.collect(), pixels }
}

/// Draws a pose at full size.
fn shaded(posed: &Posed) -> (Look, Vec<u8>) {
    let (width, height) = (posed.mask.width() as i32, posed.mask.height() as i32);
    let is_set = |x, y| posed.mask.get(x, y);
    let is_edge = |x, y| is_set(x, y) && !neighbours(x, y).iter().all(|&[x, y]| is_set(x, y));
    let shade = |x, y| {
        if !is_set(x, y) {
            return 0;
        }
        if is_edge(x, y) {
            return EDGE;
        }
        match (is_edge(x - 1, y) || is_edge(x, y - 1), is_edge(x + 1, y) || is_edge(x, y + 1)) {
            (true, false) => LIGHT,
            (false, true) => DARK,
            _ => BODY,
        }
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let look = Look {
        start: 0,
        corner: [posed.origin.x as i16, posed.origin.y as i16],
        size: [width as u16, height as u16],
    };
    (look, pixels.map(|(x, y)| shade(x, y)).collect())
}

const fn neighbours(x: i32, y: i32) -> [[i32; 2]; 4] {
    [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]
}

/// Draws a pose at 1 / 2^`halvings`. Each pixel is its coverage from 0 to 255, plus 256 times its
/// share of outline.
fn reduced(
    (full, shades): (Look, &[u8]),
    halvings: u32,
    phase_bits: u32,
    phase: [u32; 2],
) -> (Look, Vec<u16>) {
    let side = 1_i32 << halvings;
    // The lattice origin lies this far from the corner of its pixel.
    let shift = phase.map(|phase| (phase << (halvings - phase_bits)) as i32);
    let start = [0, 1].map(|axis| i32::from(full.corner[axis]) + shift[axis]);
    let end = [0, 1].map(|axis| start[axis] + i32::from(full.size[axis]));
    let corner = start.map(|start| start.div_euclid(side));
    let size = [0, 1].map(|axis| ((end[axis] + side - 1).div_euclid(side) - corner[axis]).max(0));
    let mut counts = vec![[0_u32; 2]; (size[0] * size[1]) as usize];
    for (i, &shade) in shades.iter().enumerate().filter(|(_, shade)| **shade != 0) {
        let width = usize::from(full.size[0]);
        let x = (start[0] + (i % width) as i32).div_euclid(side) - corner[0];
        let y = (start[1] + (i / width) as i32).div_euclid(side) - corner[1];
        let [covered, edges] = &mut counts[(y * size[0] + x) as usize];
        *covered += 1;
        *edges += u32::from(shade == EDGE);
    }
    // So small, sprites are as bright as if they covered more.
    let gain = if halvings < MIN_GAIN { 1 } else { 2 };
    let area = (side * side) as u32;
    let pixels = counts.iter().map(|&[covered, edges]| {
        let share = edges * (EDGE_SHARES as u32 - 1) / covered.max(1);
        (gain * covered * 255 / area).min(255) as u16 | (share as u16) << 8
    });
    let look = Look { start: 0, corner: corner.map(|c| c as i16), size: size.map(|s| s as u16) };
    (look, pixels.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask::{Mask, Pivot, PoseSet, Raster, Sampling};

    fn posed(art: &str) -> Posed {
        let mask: Mask = art.parse().unwrap();
        let raster = Raster::new(&mask, Pivot::HalfTexels(0, 0), Sampling::Nearest).unwrap();
        raster.pose(&PoseSet::new(1, [1.0]).unwrap(), Pose::default()).unwrap()
    }

    #[test]
    fn reducing_keeps_the_covered_area_at_every_offset() {
        let posed = posed("########\n########\n#######.\n###.....\n##......");
        let area = posed.mask.count() as f32;
        let (full, shades) = shaded(&posed);
        for halvings in 1..MIN_GAIN {
            let bits = PHASE_BITS.min(halvings);
            for phase in 0..1 << (2 * bits) {
                let phase = [phase & ((1 << bits) - 1), phase >> bits];
                let (look, pixels) = reduced((full, &shades), halvings, bits, phase);
                assert_eq!(pixels.len(), usize::from(look.size[0]) * usize::from(look.size[1]));
                let covered: f32 = pixels.iter().map(|&p| f32::from(p & 255) / 255.0).sum();
                let covered = covered * (1 << (2 * halvings)) as f32;
                let rounding = pixels.len() as f32 * (1 << (2 * halvings)) as f32 / 255.0;
                assert!((covered - area).abs() <= rounding, "{covered} {area} at 1/2^{halvings}");
            }
        }
    }

    #[test]
    fn an_offset_of_half_a_pixel_moves_the_reduced_sprite() {
        let (full, shades) = shaded(&posed("##\n##"));
        let (aligned, pixels) = reduced((full, &shades), 1, 1, [0, 0]);
        assert_eq!((aligned.size, &pixels[..]), ([1, 1], &[255 | 15 << 8][..]));
        let (shifted, pixels) = reduced((full, &shades), 1, 1, [1, 0]);
        assert_eq!((shifted.size, &pixels[..]), ([2, 1], &[127 | 15 << 8; 2][..]));
    }
}
