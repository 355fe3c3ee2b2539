//! Colliders lie where Bevy draws their sprites: pixel by pixel, by Bevy's own rule for the texel under a point.

use crate::support::*;
use bevy::asset::RenderAssetUsages;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_hitmask::hitmask::Mask;
use bevy_hitmask::{PixelCollider, PixelWorld};

/// Returns the pixels whose centre lies on a solid texel of the drawn sprite. `mask` is its image.
fn drawn(app: &App, entity: Entity, mask: &Mask) -> Vec<IVec2> {
    let sprite = app.world().get::<Sprite>(entity).expect("the sprite has an image");
    let anchor = app.world().get::<Anchor>(entity).copied().unwrap_or_default();
    let transform = app.world().get::<GlobalTransform>(entity).expect("the sprite has a transform");
    let images = app.world().resource::<Assets<Image>>();
    let layouts = app.world().resource::<Assets<TextureAtlasLayout>>();
    let inverse = transform.affine().inverse();
    let mut found = Vec::new();
    let at = transform.translation().truncate().round().as_ivec2();
    for x in at.x - 150..at.x + 150 {
        for y in at.y - 150..at.y + 150 {
            let centre = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, transform.translation().z);
            let local = inverse.transform_point3(centre).truncate();
            let texel = sprite.compute_pixel_space_point(local, anchor, images, layouts);
            if let Ok(texel) = texel
                && mask.get(texel.x as i32, texel.y as i32)
            {
                found.push(IVec2::new(x, y));
            }
        }
    }
    found.sort_unstable_by_key(|at| (at.x, at.y));
    found
}

fn image(app: &mut App, mask: &Mask) -> Handle<Image> {
    let mut image = Image::default();
    image.texture_descriptor.size.width = mask.width();
    image.texture_descriptor.size.height = mask.height();
    image.data = None;
    image.asset_usage = RenderAssetUsages::MAIN_WORLD;
    app.world_mut().resource_mut::<Assets<Image>>().add(image)
}

/// The sprite `letter` is 12 x 16, `odd` 13 x 17.
fn sprites() -> [(&'static str, Mask); 2] {
    [("letter", letter(12, 16)), ("odd", letter(13, 17))]
}

/// Spawns a sprite and compares its pixels. Returns how many of them differ, and their number.
fn compare(
    app: &mut App,
    (name, mask): &(&'static str, Mask),
    sprite: Sprite,
    anchor: Anchor,
    [transform, parent]: [Transform; 2],
) -> [usize; 2] {
    let sprite = Sprite { image: image(app, mask), ..sprite };
    let parent = app.world_mut().spawn(parent).id();
    let child = (sprite, anchor, transform, PixelCollider::named(*name), ChildOf(parent));
    let entity = app.world_mut().spawn(child).id();
    tick(app);
    let fault = app.world().resource::<PixelWorld>().fault(entity);
    assert_eq!(fault, None, "{transform:?} in {parent:?}");
    let (found, expected) = (pixels(app, entity), drawn(app, entity, mask));
    let differ = found.iter().filter(|at| !expected.contains(at)).count()
        + expected.iter().filter(|at| !found.contains(at)).count();
    app.world_mut().despawn(parent);
    [differ, expected.len()]
}

fn flips() -> impl Iterator<Item = Sprite> {
    [(false, false), (true, false), (false, true), (true, true)]
        .map(|(flip_x, flip_y)| Sprite { flip_x, flip_y, ..default() })
        .into_iter()
}

/// Returns a transform whose sprite has its texels on whole pixels.
fn placed(mask: &Mask, x: f32, y: f32) -> Transform {
    let half = |size: u32| (size % 2) as f32 / 2.0;
    Transform::from_xyz(x + half(mask.width()), y + half(mask.height()), 3.0)
}

#[test]
fn colliders_lie_where_bevy_draws_their_sprites() {
    let mut app = app();
    let none = Transform::IDENTITY;
    let mut compared = 0;
    let mut check = |sprite: &(&'static str, Mask), look: Sprite, anchor, transforms| {
        let what = format!("{} {look:?} {anchor:?} {transforms:?}", sprite.0);
        let [differ, all] = compare(&mut app, sprite, look, anchor, transforms);
        assert!(all > 0 && differ == 0, "{differ} of {all} pixels differ: {what}");
        compared += 1;
    };
    for sprite in &sprites() {
        let at = placed(&sprite.1, -20.0, 33.0);
        for look in flips() {
            // Mirrored by the transform as well, turned by half turns.
            for scale in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0)] {
                for turned in [0.0, std::f32::consts::PI] {
                    let transform =
                        at.with_scale(scale).with_rotation(Quat::from_rotation_z(turned));
                    check(sprite, look.clone(), Anchor::CENTER, [transform, none]);
                    // The same by the parent.
                    check(sprite, look.clone(), Anchor::CENTER, [none, transform]);
                }
            }
            // Anchors at corners: the image lies on whole pixels at whole positions.
            for anchor in [Anchor::BOTTOM_LEFT, Anchor::TOP_RIGHT, Anchor(Vec2::new(-0.5, 0.5))] {
                let at = Transform::from_xyz(5.0, -8.0, 0.0);
                check(sprite, look.clone(), anchor, [at, none]);
                check(
                    sprite,
                    look.clone(),
                    anchor,
                    [at.with_scale(Vec3::new(-1.0, 1.0, 1.0)), none],
                );
            }
            // Stretched: by a custom size, by the entity, by a parent.
            let [w, h] = [sprite.1.width() as f32, sprite.1.height() as f32];
            let wide = Sprite { custom_size: Some(Vec2::new(2.0 * w, h)), ..look.clone() };
            let at = Transform::from_xyz(4.0, 4.0, 0.0);
            check(sprite, wide, Anchor::BOTTOM_LEFT, [at, none]);
            let tall = at.with_scale(Vec3::new(1.0, 3.0, 1.0));
            check(sprite, look.clone(), Anchor::BOTTOM_LEFT, [tall, none]);
            check(sprite, look.clone(), Anchor::BOTTOM_LEFT, [at, tall]);
            let mirrored = at.with_scale(Vec3::new(-2.0, 3.0, 1.0));
            check(sprite, look.clone(), Anchor::BOTTOM_LEFT, [at, mirrored]);
            // Larger than every baked scale.
            let large = at.with_scale(Vec3::splat(4.0));
            check(sprite, look.clone(), Anchor::BOTTOM_LEFT, [large, none]);
        }
    }
    assert!(compared > 100);
}

/// At other angles Bevy computes in f32, so texels on an edge may fall to either side.
#[test]
fn turned_and_slanted_colliders_lie_where_bevy_draws_their_sprites_except_for_edges() {
    let mut app = app();
    let (mut differ, mut all) = (0, 0);
    for sprite in &sprites() {
        let at = placed(&sprite.1, 12.0, -5.0);
        for look in flips() {
            for step in [1, 5, 16, 23, 40, 63] {
                let angle = std::f32::consts::TAU * step as f32 / 64.0;
                let turned = at.with_rotation(Quat::from_rotation_z(angle));
                // At a quarter turn, its texels lie on whole pixels: the width of the image is its height then.
                let half = if step == 16 { (sprite.1.width() % 2) as f32 / 2.0 } else { 0.0 };
                let slanted = Transform::from_xyz(0.0, half, 0.0);
                let slanted = slanted.with_scale(Vec3::new(2.0, 1.0, 1.0));
                let flat = turned.with_translation(Vec3::ZERO);
                // A stretched parent slants its turned child.
                for transforms in [[turned, Transform::IDENTITY], [flat, slanted]] {
                    let found = compare(&mut app, sprite, look.clone(), Anchor::CENTER, transforms);
                    differ += found[0];
                    all += found[1];
                    assert!(found[0] * 12 <= found[1], "{found:?} {transforms:?}");
                }
            }
        }
    }
    assert!(differ * 50 <= all, "{differ} of {all}");
}

#[test]
fn the_index_of_the_texture_atlas_is_the_frame() {
    let mut app = app();
    let sprite = |index| Sprite {
        texture_atlas: Some(TextureAtlas { layout: Handle::default(), index }),
        ..default()
    };
    let collider = (PixelCollider::named("walk"), sprite(0), Transform::IDENTITY);
    let walker = app.world_mut().spawn(collider).id();
    tick(&mut app);
    assert_eq!(pixels(&app, walker).len(), 4 * 4);
    app.world_mut().get_mut::<Sprite>(walker).unwrap().texture_atlas.as_mut().unwrap().index = 1;
    tick(&mut app);
    assert_eq!(pixels(&app, walker).len(), 20 * 4);
    // The component wins.
    app.world_mut().entity_mut(walker).insert(bevy_hitmask::ColliderFrame(0));
    tick(&mut app);
    assert_eq!(pixels(&app, walker).len(), 4 * 4);
    app.world_mut().entity_mut(walker).remove::<bevy_hitmask::ColliderFrame>();
    tick(&mut app);
    assert_eq!(pixels(&app, walker).len(), 20 * 4);
    app.world_mut().entity_mut(walker).remove::<Sprite>();
    tick(&mut app);
    assert_eq!(pixels(&app, walker).len(), 4 * 4);
}
