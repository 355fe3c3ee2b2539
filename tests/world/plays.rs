//! Random calls of every kind, against the model by pixels: each test chooses other atlases, counts and
//! weights. `HITMASK_SEEDS` plays more of them.

use hitmask::{AtlasBuilder, Mask, Settings};
use hitmask_scenes::naive::{Art, Form, Group, Options, Play, Source, Tally, all_kinds, forms};
use hitmask_scenes::{Random, cases, mask_of};

/// Returns an atlas of random sprites, frames and angles, some of which are missing.
fn random_atlas(seed: u64) -> AtlasBuilder {
    let mut random = Random::new(seed);
    let mut bake = AtlasBuilder::new();
    for name in 0..6 {
        if name != 0 && random.below(4) == 0 {
            continue;
        }
        let frames: Vec<Mask> = (0..1 + random.below(3))
            .map(|_| {
                let mut mask = Mask::new(3 + random.below(20), 3 + random.below(20)).unwrap();
                let (width, height) = (mask.width(), mask.height());
                for _ in 0..width * height / 2 {
                    mask.set(random.below(width) as i32, random.below(height) as i32, true);
                }
                mask
            })
            .collect();
        let angles = [1, 8, 16][random.below(3) as usize];
        bake = bake.frames_with(
            format!("r{name}"),
            frames,
            Settings { angles, ..Settings::default() },
        );
    }
    bake
}

fn one_family() -> Art {
    vec![vec![forms(&all_kinds(0))]]
}

/// Plays `rounds` updates with up to `between` calls before each, on some seeds.
fn play(options: &Options, seeds: u32, rounds: usize, between: &[u32]) -> Tally {
    let seeds = std::env::var("HITMASK_SEEDS").map_or(seeds, |seeds| seeds.parse().unwrap());
    let mut sum = Tally::default();
    for seed in 0..seeds {
        println!("seed {seed}");
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(1 + seed as usize % 3).build().unwrap();
        pool.install(|| {
            let mut random = Random::new(seed.into());
            let mut play = Play::new(options, Source::Seed(Random::new(seed.into())));
            play.fill(options.most * 2 / 3);
            (0..options.most.min(300)).for_each(|_| play.step());
            for _ in 0..rounds {
                let count = between[random.below(between.len() as u32) as usize];
                (0..count).for_each(|_| play.step());
                play.update();
            }
            sum += play.tally;
        });
    }
    println!("{sum:?}");
    sum
}

/// A size of world: colliders, half the side of their square in pixels, the groups of calls, the seeds of a
/// plain and of a heavy run, and the ticks of each seed.
type Size = (usize, i32, Vec<(Group, u32)>, [u32; 2], usize);

#[test]
fn searches_in_the_middle_of_ticks_find_what_the_pixels_show_after_any_edits() {
    let small = vec![
        (Group::Place, 6),
        (Group::Rules, 3),
        (Group::Masks, 2),
        (Group::Moves, 2),
        (Group::Atlases, 1),
        (Group::Saves, 1),
        (Group::Misuse, 1),
        (Group::Alike, 10),
        (Group::Runs, 10),
        (Group::Ask, 10),
    ];
    let large = vec![
        (Group::Place, 4),
        (Group::Moves, 1),
        (Group::Alike, 4),
        (Group::Runs, 8),
        (Group::Ask, 2),
    ];
    let largest = vec![(Group::Place, 1), (Group::Alike, 1), (Group::Runs, 3)];
    let sizes: [Size; 3] = [
        (50, 200, small, [18, 220], 40),
        (1000, 900, large, [6, 110], 12),
        (20_000, 4000, largest, [0, 8], 10),
    ];
    let mut sum = Tally::default();
    for (most, side, weights, [plain, heavy], ticks) in sizes {
        let art = vec![vec![forms(&all_kinds(0)), forms(&all_kinds(1))]];
        let forms = vec![Form::Drawn];
        let options = Options { art, forms, most, side, weights, is_wild: false };
        let tally = play(&options, cases(plain, heavy), ticks, &[4, 12, 20]);
        println!("{most} colliders: {tally:?}");
        sum += tally;
    }
    assert!(sum.answers > cases(100_000, 2_000_000) as usize, "{sum:?}");
}

#[test]
fn an_update_of_changes_equals_one_from_nothing_after_any_calls() {
    let options = Options {
        art: one_family(),
        forms: vec![Form::Drawn],
        most: 240,
        side: 300,
        weights: vec![
            (Group::Place, 20),
            (Group::Rules, 6),
            (Group::Masks, 3),
            (Group::Moves, 2),
            (Group::Saves, 1),
            (Group::Misuse, 1),
        ],
        is_wild: false,
    };
    let tally = play(&options, cases(3, 12), 60, &[0, 1, 2, 5, 12, 40]);
    assert!(tally.touches > 3000 && tally.refused > 50, "{tally:?}");
}

#[test]
fn poses_on_demand_give_the_answers_of_drawn_atlases_through_any_calls() {
    let options = Options {
        art: vec![vec![forms(&all_kinds(0)), forms(&all_kinds(1))], vec![forms(&random_atlas(3))]],
        forms: vec![Form::Drawn, Form::OnDemand, Form::Limited],
        most: 45,
        side: 130,
        weights: vec![
            (Group::Place, 10),
            (Group::Rules, 2),
            (Group::Masks, 1),
            (Group::Moves, 1),
            (Group::Atlases, 3),
            (Group::Saves, 1),
            (Group::Alike, 2),
            (Group::Misuse, 1),
            (Group::Ask, 4),
        ],
        is_wild: false,
    };
    let tally = play(&options, cases(8, 40), 20, &[4, 12]);
    assert!(tally.touches > 500 && tally.over_budget > 10 && tally.outdated > 10, "{tally:?}");
}

#[test]
fn a_replaced_atlas_keeps_colliders_and_gives_the_pairs_of_a_fresh_world() {
    let options = Options {
        art: vec![
            (0..4).map(|seed| forms(&random_atlas(seed))).collect(),
            vec![forms(&random_atlas(9))],
        ],
        forms: vec![Form::Drawn, Form::Limited],
        most: 60,
        side: 60,
        weights: vec![
            (Group::Place, 10),
            (Group::Atlases, 3),
            (Group::Saves, 4),
            (Group::Alike, 2),
            (Group::Runs, 1),
        ],
        is_wild: false,
    };
    let tally = play(&options, cases(8, 40), 20, &[1, 5, 12]);
    assert!(tally.touches > 400 && tally.outdated > 100, "{tally:?}");
}

#[test]
fn every_query_gives_the_answer_of_the_pixels() {
    let options = Options {
        art: one_family(),
        forms: vec![Form::Drawn],
        most: 110,
        side: 250,
        weights: vec![
            (Group::Place, 20),
            (Group::Rules, 3),
            (Group::Masks, 2),
            (Group::Moves, 4),
            (Group::Misuse, 1),
            (Group::Ask, 30),
        ],
        is_wild: false,
    };
    let tally = play(&options, cases(6, 20), 8, &[30, 400]);
    assert!(tally.found > 2000 && tally.blocked > 15, "{tally:?}");
}

/// Returns a lattice of bars, dots or a ring, so that boxes, cells and pixels give different answers.
fn pierced(side: u32, kind: u32) -> Mask {
    let radius = side as i32 / 2;
    mask_of(side, side - side / 7, |x, y| {
        let square = (x - radius).pow(2) + (y - radius).pow(2);
        match kind % 3 {
            0 => x % 41 < 17 && (y / 9) % 4 == 0,
            1 => x % 31 == 3 && y % 27 == 5,
            _ => square <= radius.pow(2) && square >= (radius - 12).pow(2),
        }
    })
}

#[test]
fn masks_with_coarse_levels_touch_by_their_accuracies() {
    let sides = [40, 300, 100, 260, 301];
    let bake = (0..).zip(sides).fold(AtlasBuilder::new().angles(4), |bake, (kind, side)| {
        bake.mask(format!("pierced {kind}"), pierced(side, kind))
    });
    let options = Options {
        art: vec![vec![forms(&bake)]],
        forms: vec![Form::Drawn],
        most: 90,
        side: 400,
        weights: vec![(Group::Place, 10), (Group::Rules, 10), (Group::Masks, 1), (Group::Ask, 2)],
        is_wild: false,
    };
    let tally = play(&options, cases(2, 8), 12, &[2, 5, 30]);
    assert!(tally.touches > 500, "{tally:?}");
}
