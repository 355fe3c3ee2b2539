//! Shapes of sprites about their pivots, against those of their images.

use hitmask::{
    Atlas, AtlasBuilder, CallError, Collider, Fit, Mask, Pivot, Settings, Shape, ShapeOptions,
    World,
};
use hitmask_scenes::{open, solid};
use proptest::prelude::*;

/// Returns the shape of the only sprite of an atlas.
fn shape(atlas: &Atlas, options: impl Into<ShapeOptions>) -> Shape {
    atlas.sprites().next().unwrap().shape(0, options).unwrap()
}

fn builder(mask: &Mask, pivot: Pivot) -> AtlasBuilder {
    let settings = Settings { pivot, ..Settings::default() };
    AtlasBuilder::new().settings(settings).mask("sprite", mask.clone())
}

proptest! {
    #![proptest_config(crate::config())]

    #[test]
    fn a_shape_of_a_sprite_is_that_of_its_image_about_the_pivot(
        mask in crate::masks(40),
        pivot in [-90..90, -90..90_i32],
        origin in [-4..4, -4..4_i32],
        kind in (0.1..4.0_f32, 0..4_u32, any::<bool>()),
    ) {
        let (max_error, min_area, y_up) = kind;
        let fit = [Fit::Nearest, Fit::Outside, Fit::Inside][(pivot[0] & 1) as usize + usize::from(y_up)];
        let origin = origin.map(|side| side as f32 / 2.0);
        let options =
            ShapeOptions { max_error, min_area, y_up, fit, origin, scale: 0.25, ..ShapeOptions::DEFAULT };
        let about = [0, 1].map(|axis| pivot[axis] as f32 / 2.0 + origin[axis]);
        let expected = mask.shape(ShapeOptions { origin: about, ..options }).unwrap();
        let bake = || builder(&mask, Pivot::HalfTexels(pivot[0], pivot[1]));
        for sprite in [
            open(&bake()),
            open(&bake().compact(true)),
            open(&bake().scales([0.5, 1.0, 2.0])),
            open(&bake().resolution(0.5).scales([1.0, 2.0, 3.0])),
        ] {
            let shape = shape(&sprite, options);
            prop_assert_eq!(shape.polygons(), expected.polygons());
            prop_assert_eq!(shape.pieces(), expected.pieces());
            prop_assert_eq!(shape.left_out(), expected.left_out());
        }
    }
}

#[test]
fn a_shape_is_in_pixels_of_the_image_at_every_resolution_and_scale() {
    for (resolution, scales) in [
        (2.0, vec![1.0]),
        (4.0, vec![0.5, 1.0]),
        (0.5, vec![1.0, 2.5]),
        (0.25, vec![1.0]),
        (1.0, vec![3.0]),
    ] {
        for pivot in [[16, 8], [0, 0], [32, 16], [-8, 40]] {
            let bake = builder(&solid(16, 8), Pivot::HalfTexels(pivot[0], pivot[1]));
            let atlas = open(&bake.resolution(resolution).scales(scales.clone()));
            let shape = shape(&atlas, 0.1);
            let [x, y] = pivot.map(|half| half as f32 / 2.0);
            let mut corners = shape.polygons()[0].border.clone();
            corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let expected = [[-x, -y], [-x, 8.0 - y], [16.0 - x, -y], [16.0 - x, 8.0 - y]];
            assert_eq!(corners, expected, "resolution {resolution}, scales {scales:?}");
        }
    }
}

#[test]
fn least_areas_are_in_pixels_of_the_image() {
    let mask: Mask = "##..####\n##..####\n....####\n....####".parse().unwrap();
    for resolution in [0.5, 1.0, 2.0] {
        let atlas = open(&builder(&mask, Pivot::Center).resolution(resolution));
        let left_out = |min_area| shape(&atlas, ShapeOptions { min_area, ..0.1.into() }).left_out();
        assert_eq!([left_out(4), left_out(5)], [[0, 0], [1, 0]], "resolution {resolution}");
    }
}

#[test]
fn a_body_of_the_pieces_covers_the_collider_at_its_position() {
    // Both parities on both axes: a wrong half of a pixel shows.
    for mask in ["###\n###", "####\n####\n####", "##\n##", "###\n###\n###"] {
        let atlas = open(&builder(&mask.parse().unwrap(), Pivot::Center));
        let shape = shape(&atlas, 0.1);
        let mut world = World::new(atlas.clone());
        let sprite = atlas.sprite_id("sprite").unwrap();
        let id = world.insert(Collider::new(sprite).at([30.0, 20.0])).unwrap();
        let rect = world.rect(id).unwrap();
        let corners = shape.polygons()[0].border.clone();
        let pivot2 = atlas.sprites().next().unwrap().pivot(0).unwrap();
        // A position names the pixel of the pivot; the pivot is half a pixel further where it is odd.
        let sides = |axis: usize| {
            let at = [30.0, 20.0][axis] + (pivot2[axis] & 1) as f32 / 2.0;
            let sides = corners.iter().map(|corner| corner[axis] + at);
            [sides.clone().fold(f32::MAX, f32::min), sides.fold(f32::MIN, f32::max)]
        };
        assert_eq!(sides(0), [rect.x0 as f32, rect.x1 as f32]);
        assert_eq!(sides(1), [rect.y0 as f32, rect.y1 as f32]);
    }
}

#[test]
fn frames_and_options_out_of_range_are_refused() {
    let atlas = open(&builder(&solid(2, 2), Pivot::Center).compact(true));
    let sprite = atlas.sprites().next().unwrap();
    let error = sprite.shape(1, 1.0).unwrap_err();
    assert_eq!(
        (error.to_string(), &*error.help()),
        (
            "invalid frame 1: above 0".into(),
            "give a number from 0 to 0, such as 0, the first frame"
        )
    );
    for bad in [0.0, -1.0, f32::NAN, 40_000.0] {
        assert!(matches!(sprite.shape(0, bad), Err(CallError::Number { name: "max_error", .. })));
    }
    let bad = ShapeOptions { origin: [f32::NAN, 0.0], ..1.0.into() };
    assert!(matches!(sprite.shape(0, bad), Err(CallError::Number { name: "origin x", .. })));
}
