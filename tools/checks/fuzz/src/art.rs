//! Small sprites that cover the kinds of masks. Small inputs are fuzzed faster than large ones.

use hitmask::{
    Angle, Atlas, AtlasBuilder, Flip, Map, MapItem, MapShape, Mask, Pivot, Sampling, Settings,
};
use hitmask_scenes::mask_of;
use std::cell::OnceCell;

/// An arrow: one word wide, without coarse levels.
pub fn arrow() -> Mask {
    "..#..\n..##.\n#####\n..##.".parse().expect("a picture")
}

/// A block with a hole, with coarse levels.
pub fn block() -> Mask {
    mask_of(20, 18, |x, y| !(8..12).contains(&x) || !(6..15).contains(&y))
}

/// A bar, two strips wide.
pub fn bar() -> Mask {
    mask_of(70, 3, |x, y| (x + y) % 5 != 0)
}

/// A line with a small slope over three strips, and a steep line over more blocks than specialised
/// kernels cover. A walk over a pair of them is mostly empty. Each has few pixels, so that the
/// expensive queries run on them too.
pub fn lines() -> [Mask; 2] {
    [mask_of(150, 13, |x, y| x / 12 == y), mask_of(9, 220, |x, y| y / 25 == x)]
}

/// Dots over nine strips, whose coarse levels have rows of two words. Large enough to skip the
/// expensive queries, which would take 4x as long as on any other mask.
pub fn string() -> Mask {
    mask_of(520, 4, |x, y| (x + y) % 37 == 0 || x == 519)
}

/// Two masks of six strips and nine blocks, which are walked pair by pair. One is an empty border.
/// The other has dots in two corners and between, which a walk finds early, late or never.
pub fn large() -> [Mask; 2] {
    let border = mask_of(330, 70, |x, y| !(2..328).contains(&x) || !(2..68).contains(&y));
    let dots = mask_of(330, 70, |x, y| [(0, 0), (201, 66), (329, 69)].contains(&(x, y)));
    [border, dots]
}

/// The atlases that seeds are made of. Each covers other parts of the format.
pub fn bakes() -> Vec<(&'static str, AtlasBuilder)> {
    let still = Settings { angles: 1, ..Settings::default() };
    let scaled = Settings { angles: 4, scales: vec![0.5, 1.0, 2.0], ..Settings::default() };
    let covered = Settings { angles: 8, sampling: Sampling::Coverage25, ..Settings::default() };
    let odd = Settings { angles: 4, pivot: Pivot::HalfTexels(-3, 5), ..Settings::default() };
    let empty = || Mask::new(4, 4).expect("a small mask");
    let planes = |bake: AtlasBuilder| {
        let frames = [[block(), arrow_within_block()], [arrow_within_block(), block()]];
        bake.planes("target", ["rim", "bull"], frames).expect("two names, two masks of one size")
    };
    let all = AtlasBuilder::new()
        .angles(4)
        .mask("arrow", arrow())
        .mask("empty", empty())
        .frames_with("bar", [bar()], still.clone())
        .frames_with("block", [block(), arrow(), block()], odd.clone());
    vec![
        ("plain", AtlasBuilder::new().angles(4).mask("arrow", arrow())),
        ("still", AtlasBuilder::new().frames_with("bar", [bar(), arrow()], still.clone())),
        ("scaled", AtlasBuilder::new().frames_with("arrow", [arrow()], scaled)),
        ("covered", AtlasBuilder::new().frames_with("arrow", [arrow(), empty()], covered)),
        ("odd", AtlasBuilder::new().frames_with("block", [block()], odd)),
        ("planes", planes(AtlasBuilder::new().angles(1))),
        ("fine", AtlasBuilder::new().angles(4).resolution(2.0).mask("arrow", arrow())),
        ("coarse", AtlasBuilder::new().angles(4).resolution(0.5).mask("block", block())),
        ("lines", AtlasBuilder::new().frames_with("lines", lines(), still.clone())),
        ("string", AtlasBuilder::new().frames_with("string", [string()], still.clone())),
        ("large", AtlasBuilder::new().frames_with("large", large(), still.clone())),
        ("map", AtlasBuilder::new().frames_with("arrow", [arrow(), bar()], still).map(map())),
        ("all", planes(all)),
    ]
}

/// A map with two colliders and a point, and a value in each field.
fn map() -> Map {
    let text = |text: &str| text.to_owned();
    let arrow = || MapShape { sprite: text("arrow"), ..MapShape::default() };
    let turned = MapShape {
        frame: 1,
        angle: Angle::turn(16384),
        scale: 2.0,
        flip: Flip::Y,
        sensor: true,
        layers: 2,
        collides_with: 5,
        ..arrow()
    };
    let item = |name: &str, position: [f32; 2], shape: Option<MapShape>| MapItem {
        id: format!("things/{name}"),
        name: text(name),
        class: text("thing"),
        position,
        size: [5.0, 4.0],
        properties: vec![(text("key"), text(name))],
        shape,
    };
    Map {
        name: text("yard"),
        atlas: None,
        size: [64.0, 48.5],
        properties: vec![(text("music"), text(""))],
        items: vec![
            item("solid", [8.0, 2.5], Some(arrow())),
            item("door", [-3.0, 9.0], Some(turned)),
            item("start", [1.0, 1.0], None),
        ],
    }
}

/// The arrow in an image of the size of the block.
fn arrow_within_block() -> Mask {
    let mut image = Mask::new(20, 18).expect("a small mask");
    image.draw(&arrow(), [3, 9]);
    image
}

thread_local! {
    static FORMS: OnceCell<[Atlas; 2]> = const { OnceCell::new() };
}

/// The atlas of the last bake, which has the most sprites, drawn and compact.
pub fn forms() -> [Atlas; 2] {
    let bake = || both(&bakes().pop().expect("there are some").1);
    FORMS.with(|forms| forms.get_or_init(bake).clone())
}

/// Returns a bake, drawn and compact.
fn both(bake: &AtlasBuilder) -> [Atlas; 2] {
    [false, true].map(|compact| {
        let bytes = bake.clone().compact(compact).to_bytes().expect("it bakes");
        Atlas::from_vec(bytes).expect("it opens")
    })
}

/// Two families of atlases: three versions of the atlas of [`forms`], and a second atlas. Later versions
/// lack a frame, a plane or a sprite of earlier ones.
pub fn families() -> Vec<Vec<[Atlas; 2]>> {
    let planes = |planes: [&str; 2]| {
        let frames = [[block(), arrow_within_block()]];
        let bake = AtlasBuilder::new().angles(4).mask("arrow", bar());
        bake.planes("target", planes, frames).expect("two names, two masks of one size")
    };
    let versions = [
        planes(["bull", "rim"]).frames_with("block", [arrow(), block()], Settings::default()),
        planes(["rim", "far"]).mask("empty", arrow()).mask("new", block()),
    ];
    let second = AtlasBuilder::new().angles(4).mask("arrow", arrow()).mask("second", block());
    let first = std::iter::once(forms()).chain(versions.iter().map(both));
    vec![first.collect(), vec![both(&second)]]
}

/// The drawn one of [`forms`]. Worlds are created over it.
pub fn atlas() -> Atlas {
    let [drawn, _] = forms();
    drawn
}
