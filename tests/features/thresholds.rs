//! Capabilities of classic systems: thresholds and colours that a game chooses at run time.

use hitmask::{
    AlphaRule, Angle, AtlasBuilder, BuildFault, CallError, Channel, Collider, ColorRange, Filter,
    Flip, MAX_SIDE, Mask, Pair, Pivot, Pose, Settings, Sprite, TexelRule, World,
};
use hitmask_scenes::{Random, open};

const SIZE: [u32; 2] = [23, 17];

/// Returns random bytes of all values.
fn bytes(seed: u64, count: u32) -> Vec<u8> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.below(256) as u8).collect()
}

/// Returns a bake with pivots at the top-left corner, so that pixels of pose 0 are texels.
fn bake() -> AtlasBuilder {
    AtlasBuilder::new().pivot(Pivot::HalfTexels(0, 0)).angles(16)
}

/// Returns the texels of a plane, as flags row by row.
fn texels(sprite: Sprite<'_>, plane: u32) -> Vec<bool> {
    let posed = sprite.in_plane(plane).unwrap().posed(0, Pose::default(), Flip::NONE).unwrap();
    let [width, height] = SIZE.map(|side| side as i32);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.map(|(x, y)| posed.mask.get(x - posed.origin.x, y - posed.origin.y)).collect()
}

#[test]
fn one_bake_has_a_plane_for_each_threshold() {
    let alpha = bytes(1, SIZE[0] * SIZE[1]);
    for (rule, own) in [(AlphaRule::Above(99), Some(100)), (AlphaRule::Bits(0x41), None)] {
        // The order of the call does not matter.
        let made = bake().alpha(rule).thresholds([224, 32, 128]);
        let atlas = open(&made.alpha_bytes("fog", SIZE[0], SIZE[1], &alpha).unwrap());
        let fog = atlas.sprites().next().unwrap();
        assert!(fog.planes().eq(["body", "alpha32", "alpha128", "alpha224"]));
        let expected: Vec<_> = own.map(|own| (own, 0)).into_iter().collect();
        let expected = [expected, vec![(32, 1), (128, 2), (224, 3)]].concat();
        assert!(fog.threshold_planes().eq(expected.iter().copied()));
        let solid: Vec<bool> = alpha.iter().map(|&alpha| rule.is_solid(alpha)).collect();
        assert_eq!(texels(fog, 0), solid, "plane 0 stays the rule of the sprite");
        for (threshold, plane) in fog.threshold_planes() {
            let solid: Vec<bool> = alpha.iter().map(|&alpha| alpha >= threshold).collect();
            assert_eq!(texels(fog, plane), solid, "{threshold}");
        }
        for threshold in 0..=255 {
            // The least threshold that is at least the one of the call.
            let least = expected.iter().filter(|&&(t, _)| t >= threshold).min();
            assert_eq!(fog.plane_for_threshold(threshold), least.map(|&(_, plane)| plane));
        }
    }
}

#[test]
fn frames_and_planes_with_settings_of_their_own_are_those_of_a_bake_with_these_settings() {
    let settings = Settings {
        angles: 8,
        alpha: AlphaRule::Above(90),
        thresholds: vec![32, 224],
        motion_frame: true,
        ..Settings::default()
    };
    let rgba: Vec<u8> = bytes(4, 5 * 3 * 4);
    let alone = AtlasBuilder::new().settings(settings.clone()).rgba("fog", 5, 3, &rgba).unwrap();
    let own = AtlasBuilder::new().rgba_frames("fog", [5, 3], [&rgba], settings.clone()).unwrap();
    assert_eq!(own.to_bytes(), alone.to_bytes());
    let short = AtlasBuilder::new().rgba_frames("fog", [5, 3], [&rgba[1..]], settings.clone());
    assert!(matches!(short.err(), Some(CallError::WrongLength { .. })));

    let (body, eye): (Mask, Mask) = ("####".parse().unwrap(), "..#.".parse().unwrap());
    let frames = || [vec![body.clone(), eye.clone()]];
    let settings = Settings { thresholds: Vec::new(), ..settings };
    let alone =
        AtlasBuilder::new().settings(settings.clone()).planes("a", ["body", "eye"], frames());
    let own = AtlasBuilder::new().planes_with("a", ["body", "eye"], frames(), settings.clone());
    assert_eq!(own.unwrap().to_bytes(), alone.unwrap().to_bytes());
    let refused = AtlasBuilder::new().planes_with("a", ["eye", "eye"], frames(), settings);
    assert_eq!(refused.unwrap_err().fault, BuildFault::Planes);
}

#[test]
fn each_collider_and_each_query_chooses_its_threshold() {
    // Texels of alpha 50, 150 and 250, from left to right.
    let alpha = [50, 150, 250];
    let atlas = open(&bake().thresholds([1, 100, 200]).alpha_bytes("fog", 3, 1, &alpha).unwrap());
    let fog = atlas.sprites().next().unwrap().id();
    let plane = |t| atlas.sprite(fog).unwrap().plane_for_threshold(t).unwrap();
    let mut world = World::new(atlas.clone());
    let any = world.insert(Collider::new(fog).with_plane(plane(1))).unwrap();
    let dense = world.insert(Collider::new(fog).with_plane(plane(200))).unwrap();
    // Moved by -2, texel 2 of `dense` lies on texel 0 of `any`.
    for (x, meets) in [(-2.0, true), (-3.0, false), (0.0, true), (1.0, false)] {
        world.set(dense, Collider::new(fog).with_plane(plane(200)).at([x, 0.0])).unwrap();
        world.update();
        assert_eq!(world.touching() == [Pair { a: any, b: dense }], meets, "{x}");
    }
    // The same collider with another threshold: texel 1 counts too.
    world.set(dense, Collider::new(fog).with_plane(plane(100)).at([1.0, 0.0])).unwrap();
    world.update();
    assert_eq!(world.touching(), [Pair { a: any, b: dense }]);
    // A query chooses by its mask.
    world.remove(dense);
    let query = |threshold, x| {
        let sprite = atlas.sprite(fog).unwrap().in_plane(plane(threshold)).unwrap();
        let posed = sprite.posed(0, Pose::default(), Flip::NONE).unwrap();
        let at = [x + posed.origin.x, posed.origin.y];
        world.probe(posed.mask, at).touching(Filter::ALL) == [any]
    };
    assert_eq!([query(1, 2), query(100, 2), query(200, 2)], [true, false, false]);
    assert_eq!([query(1, 1), query(100, 1), query(200, 1)], [true, true, false]);
    assert_eq!([query(1, 0), query(100, 0), query(200, 0)], [true, true, true]);
}

#[test]
fn a_fade_multiplies_the_alpha_of_each_texel() {
    let alpha = bytes(2, SIZE[0] * SIZE[1]);
    let thresholds: Vec<u8> = (1..=17).map(|step| step * 15).collect();
    // Bits that are no threshold, so only the named planes count.
    let made = bake().alpha(AlphaRule::Bits(0x41)).thresholds(thresholds.clone());
    let atlas = open(&made.alpha_bytes("ghost", SIZE[0], SIZE[1], &alpha).unwrap());
    let ghost = atlas.sprites().next().unwrap();
    let (mut exact, mut between, mut gone) = (0, 0, 0);
    for threshold in [1, 15, 30, 100, 128, 255] {
        // As fractions of 255, as a renderer has them, and as other numbers.
        let steps = (0..=255).map(|step| step as f32 / 255.0);
        for fade in steps.chain([0.1, 0.25, 0.5, 0.7, 1.5, 2.0, 300.0, f32::MIN_POSITIVE]) {
            let passes = |alpha: u8| {
                let product = f64::from(alpha) * f64::from(fade);
                product + 1.0 / 4096.0 >= f64::from(threshold)
            };
            let truth: Vec<bool> = alpha.iter().map(|&alpha| passes(alpha)).collect();
            let least = (1..=255_u8).find(|&alpha| passes(alpha));
            let plane = ghost.plane_for_fade(threshold, fade);
            let is_within = |small: &[bool], large: &[bool]| {
                small.iter().zip(large).all(|(&small, &large)| large || !small)
            };
            let Some(plane) = plane else {
                // All thresholds up to 255 are possible, so no texel passes.
                assert!(least.is_none() && !truth.contains(&true), "{threshold} {fade}");
                gone += 1;
                continue;
            };
            let shown = texels(ghost, plane);
            let least = least.unwrap();
            if thresholds.contains(&least) {
                assert_eq!(shown, truth, "{threshold} {fade}");
                exact += 1;
                continue;
            }
            // Never a false hit; the next lower plane never misses one.
            assert!(is_within(&shown, &truth), "{threshold} {fade}");
            let below = thresholds.iter().rev().find(|&&lower| lower < least);
            if let Some(below) = below.and_then(|t| ghost.plane(&format!("alpha{t}"))) {
                assert!(is_within(&truth, &texels(ghost, below)), "{threshold} {fade}");
            }
            between += 1;
        }
    }
    assert!(exact > 50 && between > 50 && gone > 50, "{exact} {between} {gone}");
}

#[test]
fn a_sprite_that_is_not_seen_touches_nothing() {
    let made = bake().thresholds([40, 200]).alpha_bytes("ghost", 2, 1, &[100, 200]).unwrap();
    let atlas = open(&made);
    let ghost = atlas.sprites().next().unwrap();
    for fade in [0.0, -0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
        assert_eq!(ghost.plane_for_fade(1, fade), None, "{fade}");
    }
    assert_eq!(ghost.plane_for_fade(40, 0.2), ghost.plane("alpha200"));
    assert_eq!(ghost.plane_for_fade(41, 0.2), None);
    // The nearest `f32` is less than 0.7, and the product less than 140.
    assert_eq!(ghost.plane_for_fade(140, 0.7), ghost.plane("alpha200"));
    assert_eq!(ghost.plane_for_fade(255, f32::INFINITY), ghost.plane("alpha40"));
    // Every fade that a byte of alpha gives keeps the texels of that alpha at its own threshold.
    let whole = open(&bake().thresholds([255]).alpha_bytes("a", 1, 1, &[255]).unwrap());
    for step in 1..=255_u8 {
        let fade = f32::from(step) / 255.0;
        let shown = whole.sprites().next().unwrap();
        assert_eq!(shown.plane_for_fade(step, fade), shown.plane("alpha255"), "{step}");
    }
    // A fading collider: the plane follows the fade, and the last step disables it.
    let mut world = World::new(atlas.clone());
    let wall = world.insert(Collider::new(ghost.id()).with_plane(1)).unwrap();
    let fading = world.insert(Collider::new(ghost.id())).unwrap();
    let pixels = |world: &mut World, fade| {
        let collider = Collider::new(ghost.id());
        let shown = match ghost.plane_for_fade(100, fade) {
            Some(plane) => collider.with_plane(plane),
            None => collider.disabled(),
        };
        world.set(fading, shown).unwrap();
        world.update();
        world.contact(Pair { a: wall, b: fading }).map_or(0, |contact| contact.area)
    };
    assert_eq!(pixels(&mut world, 2.5), 2);
    assert_eq!(pixels(&mut world, 0.5), 1);
    assert_eq!(pixels(&mut world, 0.4), 0);
}

#[test]
fn colours_within_a_range_of_alpha_are_not_solid() {
    let rgba = bytes(3, 4 * SIZE[0] * SIZE[1]);
    let range = ColorRange { from: [0, 40, 0, 100], to: [255, 220, 200, 230] };
    let shadow = ColorRange::from([0; 4]..=[90, 90, 90, 127]);
    let without = |colors: [ColorRange; 2]| Settings {
        pivot: Pivot::HalfTexels(0, 0),
        angles: 16,
        alpha: AlphaRule::AtLeast(20),
        exclude_color: colors.into(),
        ..Settings::default()
    };
    let atlas = open(
        &bake().settings(without([range, shadow])).rgba("a", SIZE[0], SIZE[1], &rgba).unwrap(),
    );
    let truth = |texel: &[u8]| {
        let is_in =
            |from: [u8; 4], to: [u8; 4]| (0..4).all(|i| from[i] <= texel[i] && texel[i] <= to[i]);
        let is_out = is_in(range.from, range.to) || is_in([0; 4], [90, 90, 90, 127]);
        texel[3] >= 20 && !is_out
    };
    let expected: Vec<bool> = rgba.chunks_exact(4).map(truth).collect();
    let shown = atlas.sprites().next().unwrap();
    assert_eq!(texels(shown, 0), expected);
    // The same range without alpha leaves out more.
    let fewer = open(
        &bake()
            .settings(without([ColorRange::from([0, 40, 0]..=[255, 220, 200]), shadow]))
            .rgba("a", SIZE[0], SIZE[1], &rgba)
            .unwrap(),
    );
    let count = |texels: Vec<bool>| texels.into_iter().filter(|&solid| solid).count();
    assert!(count(texels(fewer.sprites().next().unwrap(), 0)) < count(expected));
}

#[test]
fn run_time_masks_follow_the_rules_of_the_baker() {
    let rgba = bytes(4, 4 * SIZE[0] * SIZE[1]);
    let half = ColorRange::from([0, 0, 0]..=[127, 255, 255]);
    let faint = ColorRange { from: [0, 0, 90, 0], to: [255, 255, 255, 160] };
    for alpha in [AlphaRule::default(), AlphaRule::Above(30), AlphaRule::Bits(5)] {
        for channel in [Channel::Alpha, Channel::Red, Channel::Green, Channel::Blue] {
            for (exclude, only) in [
                (vec![], vec![]),
                (vec![half, faint], vec![]),
                (vec![], vec![half]),
                (vec![faint], vec![half]),
            ] {
                let settings = Settings {
                    alpha,
                    channel,
                    exclude_color: exclude.clone(),
                    only_color: only.clone(),
                    pivot: Pivot::HalfTexels(0, 0),
                    ..Settings::default()
                };
                let rule = TexelRule { alpha, channel, exclude_color: exclude, only_color: only };
                assert_eq!(settings.texel_rule(), rule);
                let bake = AtlasBuilder::new().settings(settings);
                let atlas = open(&bake.rgba("a", SIZE[0], SIZE[1], &rgba).unwrap());
                let baked = texels(atlas.sprites().next().unwrap(), 0);
                let mask = Mask::from_rgba(SIZE[0], SIZE[1], &rgba, &rule).unwrap();
                let at = |i: usize| [i % SIZE[0] as usize, i / SIZE[0] as usize];
                for (i, texel) in rgba.chunks_exact(4).enumerate() {
                    let [x, y] = at(i).map(|v| v as i32);
                    assert_eq!(mask.get(x, y), baked[i], "{rule:?} {texel:?}");
                    let texel = [texel[0], texel[1], texel[2], texel[3]];
                    assert_eq!(rule.is_solid(texel), baked[i], "{rule:?} {texel:?}");
                }
            }
        }
    }
    let wrong = |len| Mask::from_rgba(3, 2, &vec![0; len], AlphaRule::default());
    assert_eq!(wrong(23), Err(CallError::WrongLength { expected: 24, got: 23 }));
    assert_eq!(wrong(6), Err(CallError::WrongLength { expected: 24, got: 6 }));
    let wide = Mask::from_rgba(40_000, 0, &[], AlphaRule::default());
    assert_eq!(wide, Err(CallError::TooLarge { width: 40_000, height: 0, most: MAX_SIDE }));
    assert!(wrong(24).is_ok());
}

#[test]
fn a_collider_touches_a_colour_of_the_background() {
    // A background of grey with a lava lake at x 10 to 19, y 5 to 9.
    let texel = |x: u32, y: u32| {
        if (10..20).contains(&x) && y >= 5 { [250, 80, 10, 255] } else { [90, 90, 90, 255] }
    };
    let texels: Vec<u8> = (0..10).flat_map(|y| (0..30).flat_map(move |x| texel(x, y))).collect();
    let only_color = vec![ColorRange::from([239, 64, 0]..=[255, 96, 16])];
    let lava = TexelRule { only_color, ..TexelRule::default() };
    let lava = Mask::from_rgba(30, 10, &texels, lava).unwrap();
    assert_eq!(lava.count(), 50);
    let ball: Mask = "##\n##".parse().unwrap();
    let atlas = open(&bake().mask("ball", ball));
    let ball = atlas.sprites().next().unwrap().id();
    let mut world = World::new(atlas.clone());
    let mask = world.masks_mut().insert(lava, Pivot::HalfTexels(0, 0)).unwrap();
    let lava = world.insert(Collider::from_mask(mask)).unwrap();
    let ball_id = world.insert(Collider::new(ball)).unwrap();
    for (at, area) in [
        ([0.0, 0.0], 0),
        ([8.0, 6.0], 0),
        ([9.0, 6.0], 2),
        ([9.0, 4.0], 1),
        ([12.0, 6.0], 4),
        ([19.0, 9.0], 1),
        ([20.0, 9.0], 0),
    ] {
        let turned = Angle::radians(0.0);
        world.set(ball_id, Collider::new(ball).at(at).turned(turned)).unwrap();
        world.update();
        let pair = Pair { a: lava, b: ball_id };
        let contact = world.contact(pair).map_or(0, |contact| contact.area);
        assert_eq!((contact, world.touching().contains(&pair)), (area, area > 0), "{at:?}");
    }
}
