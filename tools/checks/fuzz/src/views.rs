//! Target `views`: calls of the views of a world: pairs, bodies, masks and atlases.
//!
//! The naive world of `hitmask-scenes` makes them, and knows the answers. Atlases are added, replaced and
//! dropped, which the target `world` leaves out.

use crate::{art, world};
use hitmask_scenes::naive::{Form, Group, Options};
use std::cell::OnceCell;

thread_local! {
    static OPTIONS: OnceCell<Options> = const { OnceCell::new() };
}

fn options() -> Options {
    Options {
        art: art::families(),
        forms: vec![Form::Drawn, Form::Limited],
        most: 16,
        side: 24,
        weights: vec![
            (Group::Place, 6),
            (Group::Rules, 1),
            (Group::Masks, 6),
            (Group::Moves, 1),
            (Group::Atlases, 5),
            (Group::Saves, 1),
            (Group::MisuseViews, 1),
            (Group::Ask, 4),
            (Group::Update, 4),
        ],
        is_wild: true,
    }
}

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    OPTIONS.with(|known| world::play(known.get_or_init(options), data));
}
