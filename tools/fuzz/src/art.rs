//! Small sprites of every kind: few bytes are fuzzed more thoroughly than many.

use hitmask::{Atlas, Bake, Mask, Pivot, Sampling, Settings};
use std::cell::OnceCell;

/// A mask of this size whose pixels are set where `is_set` says.
fn mask(width: u32, height: u32, is_set: impl Fn(u32, u32) -> bool) -> Mask {
    let mut mask = Mask::new(width, height).expect("a small mask");
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        mask.set(x, y, is_set(x, y));
    }
    mask
}

/// An arrow, of a single word and without boards.
pub fn arrow() -> Mask {
    "..#..\n..##.\n#####\n..##.".parse().expect("a picture")
}

/// A block with a hole, which has boards.
pub fn block() -> Mask {
    mask(20, 18, |x, y| !(8..12).contains(&x) || !(6..15).contains(&y))
}

/// A bar of two strips.
pub fn bar() -> Mask {
    mask(70, 3, |x, y| (x + y) % 5 != 0)
}

/// A line that falls slowly through three strips, and one that falls steeply through more blocks
/// than have kernels of their own: most of what is walked between two of them is empty. Each is few
/// pixels, so that what is dear is asked of them, too.
pub fn lines() -> [Mask; 2] {
    [mask(150, 13, |x, y| x / 12 == y), mask(9, 220, |x, y| y / 25 == x)]
}

/// Dots along nine strips, whose boards have rows of two words. One row less, and it would be asked
/// all that is dear, which takes a mask so wide four times as long as any other.
pub fn string() -> Mask {
    mask(520, 4, |x, y| (x + y) % 37 == 0 || x == 519)
}

/// Six strips of nine blocks, which are walked pair by pair: a border round nothing, and dots in two
/// corners and in between, which a walk comes to at its beginning, late, or not at all.
pub fn large() -> [Mask; 2] {
    let border = mask(330, 70, |x, y| !(2..328).contains(&x) || !(2..68).contains(&y));
    let dots = mask(330, 70, |x, y| [(0, 0), (201, 66), (329, 69)].contains(&(x, y)));
    [border, dots]
}

/// The atlases that seeds are made of: each exercises other parts of the format.
pub fn bakes() -> Vec<(&'static str, Bake)> {
    let still = Settings { angles: 1, ..Settings::default() };
    let scaled = Settings { angles: 4, scales: vec![0.5, 1.0, 2.0], ..Settings::default() };
    let covered = Settings { angles: 8, sampling: Sampling::Coverage25, ..Settings::default() };
    let odd = Settings { angles: 4, pivot: Pivot::HalfTexels(-3, 5), ..Settings::default() };
    let empty = || Mask::new(4, 4).expect("a small mask");
    let planes = |bake: Bake| {
        let frames = [[block(), arrow_within_block()], [arrow_within_block(), block()]];
        bake.planes("target", ["rim", "bull"], frames).expect("two names, two masks of one size")
    };
    let all = Bake::new()
        .angles(4)
        .mask("arrow", arrow())
        .mask("empty", empty())
        .frames_with("bar", [bar()], still.clone())
        .frames_with("block", [block(), arrow(), block()], odd.clone());
    vec![
        ("plain", Bake::new().angles(4).mask("arrow", arrow())),
        ("still", Bake::new().frames_with("bar", [bar(), arrow()], still.clone())),
        ("scaled", Bake::new().frames_with("arrow", [arrow()], scaled)),
        ("covered", Bake::new().frames_with("arrow", [arrow(), empty()], covered)),
        ("odd", Bake::new().frames_with("block", [block()], odd)),
        ("planes", planes(Bake::new().angles(1))),
        ("fine", Bake::new().angles(4).resolution(2.0).mask("arrow", arrow())),
        ("coarse", Bake::new().angles(4).resolution(0.5).mask("block", block())),
        ("lines", Bake::new().frames_with("lines", lines(), still.clone())),
        ("string", Bake::new().frames_with("string", [string()], still.clone())),
        ("large", Bake::new().frames_with("large", large(), still)),
        ("all", planes(all)),
    ]
}

/// The arrow in an image of the block's size.
fn arrow_within_block() -> Mask {
    let mut image = Mask::new(20, 18).expect("a small mask");
    image.draw(&arrow(), [3, 9]);
    image
}

thread_local! {
    static ATLAS: OnceCell<Atlas> = const { OnceCell::new() };
}

/// The last and fullest of the bakes, as it is: what worlds are made over.
pub fn atlas() -> Atlas {
    let bake = || {
        let bake = bakes().pop().expect("there are some").1;
        Atlas::from_vec(bake.to_bytes().expect("it bakes")).expect("it opens")
    };
    ATLAS.with(|atlas| atlas.get_or_init(bake).clone())
}
