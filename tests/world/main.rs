//! The world: random plays against the naive world, and scenes made for one question each.

mod delta;
mod draw_ahead;
mod drawn;
mod edited_maps;
mod explain;
mod large;
mod limits;
mod many;
mod maps;
mod masks;
mod no_trace;
mod on_demand;
mod operations;
mod plays;
mod reload;
mod rollback;
mod scales;
mod several_atlases;
mod sprite_ids;
mod traces;
mod updates;
mod zeros;

use hitmask::{Angle, Atlas, Collider, Flip, SpriteId};
use hitmask_scenes::{Random, bake_of, open};

fn atlas() -> Atlas {
    let still = hitmask::Settings { angles: 1, ..Default::default() };
    let frames = ["###\n..#\n", "#..\n#..\n###\n", ""].map(|text| text.parse().unwrap());
    open(&bake_of(..200).angles(16).frames_with("walk", frames, still))
}

fn random_collider(random: &mut Random, atlas: &Atlas, side: i32) -> Collider {
    let sprite = SpriteId::of_atlas(atlas.id(), random.below(atlas.sprites().len() as u32));
    let mut coordinate = || random.within(-8 * side, 8 * side) as f32 / 8.0;
    let at = [coordinate(), coordinate()];
    let angle = match random.below(3) {
        0 => Angle::turn(random.bits() as u16),
        _ => Angle::radians(random.within(-900, 900) as f32 / 100.0),
    };
    Collider::new(sprite)
        .at(at)
        .turned(angle)
        .scaled(if random.below(4) == 0 { 0.7 } else { 1.0 })
        .flipped(Flip { x: random.below(3) == 0, y: random.below(3) == 0 })
        .with_frame(random.below(atlas.sprite(sprite).unwrap().frame_count()))
}
