//! Tests every batch query against the per-pixel reference, and plays the recorded plays, without a test
//! harness.
//!
//! Called by `.ci/cross-target`, which runs it in node, and by the test below.

use hitmask::{Point, Simd};
use hitmask_scenes::Random;
use hitmask_scenes::batches::{assert_matches_reference, atlas, poses, random_mask};

/// Sides around the boundaries of words and blocks, in pixels.
const SIDES: [u32; 12] = [1, 7, 8, 9, 31, 63, 64, 65, 127, 128, 129, 300];
/// Number of pairs that are tested.
const PAIRS: usize = 2000;

/// Asks all queries with each instruction set.
///
/// # Panics
/// If an answer is wrong, which ends a run in node.
#[unsafe(no_mangle)]
pub extern "C" fn check_answers() {
    let mut random = Random::new(7);
    let sizes = (0..36).map(|i| (SIDES[i % 12], SIDES[random.below(12) as usize]));
    let sizes: Vec<(u32, u32)> = sizes.collect();
    let atlas = atlas(sizes.into_iter().map(|(w, h)| random_mask(w, h, &mut random)));
    let poses = poses(&atlas);
    let questions: Vec<(usize, usize, Point)> = (0..PAIRS)
        .map(|i| {
            let [a, b] = [0; 2].map(|_: i32| random.below(poses.len() as u32) as usize);
            let side = |i: usize| [poses[i].1.width() as i32, poses[i].1.height() as i32];
            let ([aw, ah], [bw, bh]) = (side(a), side(b));
            // Mostly boxes that overlap or share an edge; some are far apart, some at the limit.
            let further = [0, 0, 0, 0, 0, 0, 700, i32::MAX / 2 - 700][i % 8];
            let x = random.within(-bw - further, aw + 1 + further);
            let y = random.within(-bh - further, ah + 1 + further);
            (a, b, Point::new(x, y))
        })
        .collect();
    assert_matches_reference(&atlas, &questions, 7);
}

/// Returns the best available instruction set: 1 AVX-512, 2 AVX2, 3 SSE2, 4 NEON, 5 simd128, 0
/// none.
#[unsafe(no_mangle)]
pub extern "C" fn best() -> u32 {
    match Simd::preferred() {
        Simd::Avx512 => 1,
        Simd::Avx2 => 2,
        Simd::Sse2 => 3,
        Simd::Neon => 4,
        Simd::Wasm => 5,
        _ => 0,
    }
}

/// Returns the hash of recorded plays, from the first to `end`, exclusive.
#[unsafe(no_mangle)]
pub extern "C" fn hash_of_plays(first: u32, end: u32) -> u32 {
    hitmask_scenes::naive::hash_of_plays(first..end)
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_results_are_correct_on_the_expected_kernels() {
        super::check_answers();
        assert_eq!(super::best() == 0, cfg!(hitmask_fallback), "wrong instruction set");
    }
}
