//! Lists of pairs of any length, empty lists, and ids that the atlas does not have.

use crate::{atlas, poses, random_mask};
use hitmask::{Atlas, AtlasBuilder, Batch, Mask, Point, PosePair, Simd};
use hitmask_scenes::Random;

#[test]
fn answers_beyond_the_last_pair_stay_as_they_were() {
    let atlas = atlas([Mask::new(1, 1).unwrap()]);
    let id = poses(&atlas)[0].0;
    let pair = PosePair { a: id, b: id, offset: Point::default() };
    for mut batch in [atlas.batch(), forced_batch(&atlas)] {
        // A list below and one above the limit of short lists.
        for n in [2, 20] {
            let mut answers = [true; 21];
            batch.touches(&[], &mut answers[..n + 1]);
            assert_eq!(answers, [true; 21]);
            batch.touches(&vec![pair; n], &mut answers[..n + 1]);
            assert!(answers[..n].iter().all(|&answer| !answer) && answers[n]);
            batch.touches(&vec![pair; n], &mut answers[..1]);
        }
    }
}

/// Returns a batch that runs the batch kernels for short lists too.
///
/// A default batch tests short lists pair by pair. An explicit instruction set disables that path.
fn forced_batch(atlas: &Atlas) -> Batch<'_> {
    atlas.batch().with_simd(Simd::available()[0])
}

#[test]
fn an_id_beyond_the_atlas_is_a_mask_without_pixels() {
    let mut random = Random::new(3);
    let large = atlas((0..40).map(|_| random_mask(9, 9, &mut random)));
    let small = atlas([random_mask(9, 9, &mut random)]);
    let id = poses(&large).last().unwrap().0;
    let pair = PosePair { a: id, b: id, offset: Point::default() };
    for mut batch in [small.batch(), forced_batch(&small)] {
        let mut answers = [true];
        batch.touches(&[pair], &mut answers);
        assert_eq!(answers, [false]);
    }
}

#[test]
fn short_lists_give_the_same_answers_as_the_batch_kernels() {
    let mut random = Random::new(9);
    let sizes = [(9, 9), (30, 70), (64, 64), (140, 90)];
    let atlas = atlas(sizes.map(|(w, h)| random_mask(w, h, &mut random)));
    let poses = poses(&atlas);
    let mut any = || poses[random.below(poses.len() as u32) as usize].0;
    let ids: Vec<_> = (0..60).map(|_| (any(), any())).collect();
    let pairs: Vec<PosePair> = ids
        .into_iter()
        .map(|(a, b)| PosePair { a, b, offset: [0; 2].map(|_| random.within(-40, 40)).into() })
        .collect();
    let (mut default, mut forced) = (atlas.batch(), forced_batch(&atlas));
    // A default batch uses the kernels from 10 pairs on.
    for n in 1..=12 {
        for some in pairs.chunks(n) {
            let mut ask = |is_forced: bool| {
                let batch = if is_forced { &mut forced } else { &mut default };
                let (mut hits, mut enough) = (vec![false; some.len()], vec![false; some.len()]);
                let (mut areas, mut contacts) = (vec![0; some.len()], vec![None; some.len()]);
                batch.touches(some, &mut hits);
                batch.overlap_at_least(30, some, &mut enough);
                batch.overlap_area(some, &mut areas);
                batch.contact(some, &mut contacts);
                (hits, enough, areas, contacts)
            };
            assert_eq!(ask(true), ask(false), "{some:?}");
        }
    }
}

#[test]
fn a_list_of_any_length_is_answered_in_order() {
    let mut random = Random::new(4);
    let sizes = (0..60).map(|i| (random.below(150) + 1, random.below(150) + 1, i));
    let sizes: Vec<_> = sizes.collect();
    let atlas = atlas(sizes.into_iter().map(|(w, h, i)| random_mask(w, h, &mut Random::new(i))));
    let poses = poses(&atlas);
    let pairs: Vec<PosePair> = (0..1500)
        .map(|_| {
            let [a, b] = [0; 2].map(|_: i32| poses[random.below(poses.len() as u32) as usize].0);
            PosePair { a, b, offset: Point::new(random.within(-99, 99), random.within(-99, 99)) }
        })
        .collect();
    let mut batch = atlas.batch();
    let mut all = vec![false; pairs.len()];
    batch.touches(&pairs, &mut all);
    // Lengths around the limit of short lists (9), powers of 2 and a chunk (512).
    for n in [1, 2, 9, 10, 15, 16, 17, 31, 127, 128, 129, 511, 512, 513, 1024, 1500] {
        let mut some = vec![true; n];
        batch.touches(&pairs[..n], &mut some);
        assert_eq!(some, all[..n], "the first {n}");
    }
}

#[test]
fn first_batches_of_many_jobs_on_a_small_pool_finish() {
    // Enough poses for the first batch to take a while, so that jobs overlap.
    let mask: Mask = format!("{}\n", "#".repeat(40)).repeat(40).parse().unwrap();
    let bytes = AtlasBuilder::new().angles(16384).mask("block", mask).to_bytes().unwrap();
    let (done, finished) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for _ in 0..30 {
            let atlas = Atlas::from_bytes(&bytes).unwrap();
            let (ids, atlas) = (poses(&atlas), &atlas);
            let pairs: Vec<PosePair> = [[0, 0], [100, 0]]
                .map(|at| PosePair { a: ids[0].0, b: ids[0].0, offset: at.into() })
                .repeat(8);
            let pairs = &pairs;
            pool.in_place_scope(|scope| {
                for _ in 0..40 {
                    scope.spawn(move |_| {
                        let mut answers = [false; 16];
                        atlas.batch().touches(pairs, &mut answers);
                        assert_eq!(answers, std::array::from_fn(|i| i % 2 == 0));
                    });
                }
            });
        }
        done.send(()).unwrap();
    });
    finished
        .recv_timeout(std::time::Duration::from_secs(120))
        .expect("the jobs hang, or one failed");
}
