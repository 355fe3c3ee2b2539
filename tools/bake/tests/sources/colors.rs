//! Excluded colours, and channels other than alpha.

use super::folder::{rows, shown};
use hitmask::{AlphaRule, AtlasBuilder, Channel, ColorRange, Settings};

/// Magenta, nearly magenta, dark blue, transparent magenta, white.
const TEXELS: [[u8; 4]; 5] = [
    [255, 0, 255, 255],
    [250, 4, 255, 255],
    [10, 20, 60, 255],
    [255, 0, 255, 0],
    [255, 255, 255, 200],
];

fn picture(builder: AtlasBuilder) -> String {
    let builder = builder.angles(1).rgba("row", 5, 1, TEXELS.as_flattened()).unwrap();
    shown(&builder.to_bytes().unwrap()).remove(0).1.remove(0).0
}

fn without<const N: usize>(colors: [ColorRange; N]) -> String {
    let settings = Settings { exclude_color: colors.into(), ..Settings::default() };
    picture(AtlasBuilder::new().settings(settings))
}

#[test]
fn excluded_colours_are_clear_whatever_their_alpha() {
    assert_eq!(picture(AtlasBuilder::new()), "###.#\n");
    assert_eq!(without([[255, 0, 255].into()]), ".##.#\n");
    assert_eq!(without([([250, 0, 250]..=[255, 5, 255]).into()]), "..#.#\n");
    let dark = [0, 0, 0]..=[40, 40, 60];
    assert_eq!(without([dark.clone().into()]), "##..#\n");
    assert_eq!(without([dark.into(), [255; 3].into()]), "##...\n");
    // By this rule all texels are solid, except those with an excluded colour.
    let all = |exclude_color| Settings {
        alpha: AlphaRule::AtLeast(0),
        exclude_color,
        ..Settings::default()
    };
    assert_eq!(picture(AtlasBuilder::new().settings(all(vec![]))), "#####\n");
    let without_magenta = all(vec![[255, 0, 255].into()]);
    assert_eq!(picture(AtlasBuilder::new().settings(without_magenta)), ".##.#\n");
}

#[test]
fn the_alpha_rule_can_read_a_colour_channel() {
    for (channel, expected) in [
        (Channel::Alpha, "###.#\n"),
        (Channel::Red, "##.##\n"),
        (Channel::Green, "....#\n"),
        (Channel::Blue, "##.##\n"),
    ] {
        assert_eq!(
            picture(AtlasBuilder::new().settings(Settings { channel, ..Settings::default() })),
            expected,
            "{channel:?}"
        );
    }
    let settings = Settings {
        channel: Channel::Blue,
        exclude_color: vec![[255; 3].into()],
        ..Settings::default()
    };
    assert_eq!(picture(AtlasBuilder::new().settings(settings)), "##.#.\n");
}

#[test]
fn alpha_bytes_in_memory_give_a_mask() {
    let alpha = [0, 127, 128, 255, 3, 200];
    let builder = AtlasBuilder::new().angles(1).alpha_bytes("a", 3, 2, &alpha).unwrap();
    assert_eq!(shown(&builder.to_bytes().unwrap())[0].1[0].0, rows(&["..#", "#.#"]));
    assert!(AtlasBuilder::new().alpha_bytes("a", 4, 2, &alpha).is_err());
}
