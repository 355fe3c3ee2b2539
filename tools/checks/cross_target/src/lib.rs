//! Tests every batch query against the per-pixel reference, and plays the recorded game, without a test
//! harness.
//!
//! Called by `.ci/cross-target`, which runs it in node, and by the test below.

use hitmask::{
    Atlas, AtlasBuilder, Flip, Mask, MaskRef, Point, PoseId, PosePair, ScanOrder, Simd, reference,
};
use hitmask_scenes::{Random, RecordedGame};
use std::cell::RefCell;

/// Sides around the boundaries of words and blocks, in pixels.
const SIDES: [u32; 12] = [1, 7, 8, 9, 31, 63, 64, 65, 127, 128, 129, 300];
/// Number of pairs that are tested.
const PAIRS: usize = 3000;

/// Returns the number of wrong results over all queries and instruction sets; 0 is correct.
#[unsafe(no_mangle)]
pub extern "C" fn wrong_answers() -> u32 {
    let mut random = Random::new(7);
    let masks: Vec<Mask> = (0..36).map(|i| mask(SIDES[i % 12], &mut random)).collect();
    let bake = masks.iter().zip(0..).fold(AtlasBuilder::new().angles(1), |bake, (mask, i)| {
        bake.mask(format!("{i:02}"), mask.clone())
    });
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
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
    Simd::available().into_iter().map(|simd| wrong_with(simd, &atlas, &poses, &questions)).sum()
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

thread_local! {
    static GAME: RefCell<RecordedGame> = RefCell::default();
}

/// Plays further ticks of the recorded game.
#[unsafe(no_mangle)]
pub extern "C" fn play(ticks: u32) {
    GAME.with_borrow_mut(|game| (0..ticks).for_each(|_| game.tick()));
}

/// Returns the hash of all states of the recorded game.
#[unsafe(no_mangle)]
pub extern "C" fn states() -> u64 {
    GAME.with_borrow(|game| game.hashes()[0])
}

/// Returns the hash of all answers in the recorded game.
#[unsafe(no_mangle)]
pub extern "C" fn answers() -> u64 {
    GAME.with_borrow(|game| game.hashes()[1])
}

/// Returns a random mask, sparse to full. Two corners are set, so that trimming keeps its size.
fn mask(width: u32, random: &mut Random) -> Mask {
    let height = SIDES[random.below(12) as usize];
    let density = [1, 4, 32, 64][random.below(4) as usize];
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, random.below(64) < density);
        }
    }
    mask.set(0, 0, true);
    mask.set((width - 1) as i32, (height - 1) as i32, true);
    mask
}

/// Returns the pose of every sprite in all four mirrorings.
fn poses(atlas: &Atlas) -> Vec<(PoseId, MaskRef<'_>)> {
    let shown = atlas.sprites().flat_map(|sprite| {
        let pose = sprite.nearest(0.0, 1.0).unwrap();
        [(false, false), (false, true), (true, false), (true, true)].map(|(x, y)| {
            let mask = sprite.posed(0, pose, Flip { x, y }).unwrap().mask;
            (sprite.pose_id(0, pose, Flip { x, y }).unwrap(), mask)
        })
    });
    shown.collect()
}

/// Returns the number of wrong results with one instruction set.
fn wrong_with(
    simd: Simd,
    atlas: &Atlas,
    poses: &[(PoseId, MaskRef<'_>)],
    questions: &[(usize, usize, Point)],
) -> u32 {
    let pairs: Vec<PosePair> = questions
        .iter()
        .map(|&(a, b, offset)| PosePair { a: poses[a].0, b: poses[b].0, offset })
        .collect();
    let mut batch = atlas.batch().with_simd(simd);
    let mut hits = vec![true; pairs.len()];
    let mut areas = vec![u64::MAX; pairs.len()];
    let mut contacts = vec![None; pairs.len()];
    batch.touches(&pairs, &mut hits);
    batch.overlap_area(&pairs, &mut areas);
    batch.contact(&pairs, &mut contacts);
    let orders = [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right];
    let mut wrong = 0;
    for (i, &(a, b, offset)) in questions.iter().enumerate() {
        let (a, b) = (poses[a].1, poses[b].1);
        let truth = reference::contact(a, b, offset);
        wrong += u32::from(hits[i] != truth.is_some());
        wrong += u32::from(areas[i] != truth.map_or(0, |c| c.area));
        wrong += u32::from(contacts[i] != truth);
        wrong += u32::from(a.touches(b, offset) != truth.is_some());
        wrong += u32::from(a.contact(b, offset) != truth);
        let both = |p: &Point| a.get(p.x, p.y) && b.get(p.x - offset.x, p.y - offset.y);
        for order in orders {
            let point = a.first_overlap(order, b, offset);
            let on_edge = point.zip(truth).is_some_and(|(p, c)| {
                let r = c.rect;
                let edge = match order {
                    ScanOrder::Top => p.y == r.y0,
                    ScanOrder::Bottom => p.y == r.y1 - 1,
                    ScanOrder::Left => p.x == r.x0,
                    ScanOrder::Right => p.x == r.x1 - 1,
                };
                edge && both(&p)
            });
            wrong += u32::from(!on_edge && (point.is_some() || truth.is_some()));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_results_are_correct_on_the_expected_kernels() {
        assert_eq!(super::wrong_answers(), 0);
        assert_eq!(super::best() == 0, cfg!(hitmask_fallback), "wrong instruction set");
    }
}
