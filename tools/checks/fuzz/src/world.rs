//! Target `world`: calls of a world in any order, with numbers of any bits and ids of any kind. The
//! naive world of `hitmask-scenes` makes them and knows the answers.

use crate::art;
use hitmask::World;
use hitmask_scenes::naive::{Form, Group, Naive, Options, Play, Source, ask_all};
use std::cell::OnceCell;

thread_local! {
    static OPTIONS: OnceCell<Options> = const { OnceCell::new() };
}

fn options() -> Options {
    Options {
        art: vec![vec![art::forms()]],
        forms: vec![Form::Drawn, Form::OnDemand],
        most: 24,
        side: 40,
        weights: vec![
            (Group::Place, 8),
            (Group::Rules, 3),
            (Group::Masks, 3),
            (Group::Moves, 3),
            (Group::Saves, 1),
            (Group::Misuse, 1),
            (Group::Ask, 6),
            (Group::Update, 3),
        ],
        is_wild: true,
    }
}

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    OPTIONS.with(|known| play(known.get_or_init(options), data));
}

/// Makes the calls that an input stands for, and an update.
pub(crate) fn play(options: &Options, data: &[u8]) {
    let mut play = Play::new(options, Source::Bytes(data));
    for _ in 0..80 {
        if play.is_spent() {
            break;
        }
        play.step();
    }
    play.update();
}

/// Limit of the pixels of a box for tests of every pixel.
const MAX_AREA: u64 = 1 << 14;

fn is_small(world: &World) -> bool {
    let boxes = world.iter().filter_map(|(id, _)| world.rect(id));
    world.len() <= 100 && boxes.map(|rect| rect.area()).max().unwrap_or(0) <= MAX_AREA
}

/// Tests that the last update found the same pairs as a test of all pairs.
pub fn check_touching(world: &World) {
    if is_small(world) {
        assert_eq!(world.touching(), Naive::of(world).touching(), "pairs of the update");
    }
}

/// Asks a world of a sound atlas one question of each kind. At another resolution than 1, zones are in
/// other units than pixels of masks.
pub fn check_answers(world: &World) {
    if is_small(world) && world.atlas().resolution() == 1.0 {
        ask_all(world);
    }
}
