//! Runs every query on an opened atlas, whatever its bytes are. Wrong pixels are allowed; a panic
//! or an endless loop is not.

use crate::world;
use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, Connectivity, Filter, Flip, GrowShape, Line, Map,
    MaskRef, Point, Pose, PosePair, PosedRef, Rect, ScanOrder, Simd, Sprite, SpriteId, World, Zone,
};

/// Limit of the poses that are queried by an execution.
const MAX_POSES: usize = 5;
/// Limit of the pixels of a box for expensive queries.
const MAX_SMALL_PIXELS: u64 = 1 << 11;
/// Limit of the maps that are placed in a world, and of the items of each.
const MAX_MAPS: usize = 3;
const MAX_ITEMS: usize = 8;

/// The queries that an execution makes on a drawn atlas. All of them would take 4x as long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Masks,
    Pairs,
    Batches,
    World,
}

impl Part {
    pub const ALL: [Self; 4] = [Self::Masks, Self::Pairs, Self::Batches, Self::World];
}

/// Asks an atlas, drawn or not, about itself.
pub fn settings(atlas: &Atlas) {
    let (_, _, _) = (atlas.frame_count(), atlas.pose_count(), atlas.id());
    assert!(atlas.resolution() > 0.0);
    for sprite in atlas.sprites() {
        let _ = sprite.draw(0, Pose::default(), Flip::X);
    }
    // Only the values of a map are compared: a section may have texts that no map uses.
    let maps = atlas.maps();
    let mut again = AtlasBuilder::new().angles(1).mask("arrow", crate::art::arrow());
    for map in &maps {
        assert_eq!(atlas.map(&map.name).as_ref(), Some(map));
        again = again.map(map.clone());
    }
    if !maps.is_empty() {
        let bytes = again.to_bytes().expect("what was read can be written");
        let again = Atlas::from_vec(bytes).expect("and read again").maps();
        let values = |map: &Map| Map { atlas: None, ..map.clone() };
        assert!(again.iter().map(values).eq(maps.iter().map(values)));
    }
}

/// Queries a drawn atlas. The number `from` selects the poses that queries are about.
pub fn atlas(atlas: &Atlas, part: Part, from: usize) {
    let is_sound = atlas.verify().is_ok();
    let mut poses: Vec<(PosedRef<'_>, hitmask::PoseId)> = Vec::new();
    for (index, sprite) in (0..).zip(atlas.sprites()) {
        assert_eq!(sprite.id().index(), index);
        assert_eq!(atlas.sprite_id(sprite.name()), Some(sprite.id()));
        one_sprite(sprite, part == Part::Masks, &mut poses);
    }
    assert!(atlas.sprite(SpriteId::new(u32::MAX)).is_none());
    // Of all poses, evenly, so that they are of several frames and sprites.
    let step = poses.len().div_ceil(MAX_POSES).max(1);
    let poses: Vec<_> = poses.iter().skip(from % step).step_by(step).collect();
    match part {
        Part::Masks => poses.iter().for_each(|(posed, _)| one_mask(posed.mask)),
        Part::Pairs => {
            for (i, (posed, _)) in poses.iter().enumerate() {
                for (other, _) in [i, i + 1].into_iter().filter_map(|j| poses.get(j)) {
                    two_masks(posed, other);
                }
            }
        }
        Part::Batches => {
            let ids: Vec<_> = poses.iter().map(|(_, id)| *id).collect();
            batches(atlas, &ids, is_sound);
        }
        Part::World => colliders(atlas, is_sound),
    }
}

fn one_sprite<'a>(
    sprite: Sprite<'a>,
    compares: bool,
    poses: &mut Vec<(PosedRef<'a>, hitmask::PoseId)>,
) {
    assert!(!sprite.name().is_empty() && !format!("{sprite:?}").is_empty());
    let _ = (sprite.alpha_rule(), sprite.sampling(), sprite.mask_bytes());
    let names: Vec<&str> = sprite.planes().collect();
    assert_eq!(names.len(), sprite.plane_count() as usize);
    for (plane, name) in (0..).zip(&names) {
        assert_eq!(sprite.plane(name), Some(plane));
    }
    assert!(sprite.in_plane(sprite.plane_count()).is_none());
    assert!(sprite.posed(sprite.frame_count(), Pose::default(), Flip::NONE).is_none());
    let [steps, scales] = [sprite.angles(), sprite.scales().len() as u32];
    for turn in [0.0, -1e30, f32::MAX, f32::NAN] {
        for scale in [1.0, 0.0, f32::INFINITY, f32::MIN_POSITIVE] {
            if let Some(pose) = sprite.nearest(turn, scale) {
                assert!(pose.step < steps && pose.scale < scales);
            }
        }
    }
    for plane in (0..sprite.plane_count()).take(5) {
        let Some(sprite) = sprite.in_plane(plane) else { panic!("plane {plane} is missing") };
        for frame in (0..sprite.frame_count()).take(9) {
            assert!(sprite.frame_size(frame).is_some() && sprite.pivot(frame).is_some());
            for step in (0..steps).take(5).chain([steps - 1]) {
                for scale in [0, scales - 1] {
                    one_pose(sprite, frame, Pose { step, scale }, poses);
                }
            }
        }
        let area = sprite.posed(0, Pose::default(), Flip::NONE).map_or(0, |p| cells(p.mask));
        if compares && area < MAX_SMALL_PIXELS / 16 && steps < 64 {
            let _ = sprite.fidelity().map(|fidelity| fidelity.share());
        }
    }
}

fn one_pose<'a>(
    sprite: Sprite<'a>,
    frame: u32,
    pose: Pose,
    poses: &mut Vec<(PosedRef<'a>, hitmask::PoseId)>,
) {
    for flip in [Flip::NONE, Flip::X, Flip::Y, Flip::XY] {
        let (posed, id) = (sprite.posed(frame, pose, flip), sprite.pose_id(frame, pose, flip));
        assert_eq!(posed.is_some(), id.is_some(), "{flip:?}");
        // A sprite that is never mirrored has one step.
        assert!(posed.is_some() || flip != Flip::NONE && sprite.angles() == 1, "a pose is missing");
        poses.extend(posed.zip(id));
    }
}

fn cells(mask: MaskRef<'_>) -> u64 {
    u64::from(mask.width()) * u64::from(mask.height())
}

fn one_mask(mask: MaskRef<'_>) {
    let [width, height] = [mask.width() as i32, mask.height() as i32];
    for at in [[0, 0], [width - 1, height - 1], [width, height], [-1, i32::MIN], [i32::MAX, 0]] {
        let _ = mask.get(at[0], at[1]);
    }
    let _ = (mask.count(), mask.bounds(), mask.centroid(), mask.angle());
    let line = Line::new([-3.0, -2.0], [90.0, 40.0]).expect("a short line");
    let _ = (mask.line_hits(&line, [0, 0]).count(), mask.first_line_hit(&line, [1, 2]));
    let circle = Zone::circle([5.5, 5.0], 6.5).expect("a small circle");
    let _ = (mask.touches_zone(&circle, [0, 0]), mask.touches_zone(&Zone::line(line), [-20, 3]));
    if cells(mask) > MAX_SMALL_PIXELS {
        return;
    }
    let owned = mask.to_mask();
    assert_eq!((owned.width(), owned.height()), (mask.width(), mask.height()));
    let _ = (mask.trimmed(), mask.to_bits(), mask.to_alpha(), mask.to_string());
    let _ = (mask.rects(), mask.outline().count(), mask.convex_hull());
    let _ = (mask.polygons(Connectivity::Four), mask.components(Connectivity::Eight).largest());
    let _ = (mask.grown(2, GrowShape::Disc), mask.shrunk(1, GrowShape::Square), mask.scaled(9, 4));
}

fn two_masks(a: &PosedRef<'_>, b: &PosedRef<'_>) {
    let [width, height] = [a.mask.width() as i32, a.mask.height() as i32];
    let small = cells(a.mask).max(cells(b.mask)) <= MAX_SMALL_PIXELS;
    let rect = b.rect();
    for offset in [
        [0, 0],
        [-7, 3],
        [width - 1, height - 1],
        [64, -1],
        [rect.x0, rect.y0],
        [i32::MIN, i32::MAX],
        [i32::MAX, i32::MIN],
    ] {
        let (a, b) = (a.mask, b.mask);
        let _ = (a.touches(b, offset), a.coarse(b, offset));
        let _ = (a.overlap_area(b, offset), a.contact(b, offset));
        let _ = (
            a.first_overlap(ScanOrder::Top, b, offset),
            a.overlap(b, offset).map(|both| both.pixels().count()),
        );
        for first in [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right] {
            let _ = a.first_overlap(first, b, offset);
        }
        if !small {
            continue;
        }
        let _ = (a.overlap_mask(b, offset), a.overlap(b, offset).map(|overlap| overlap.normal()));
        let _ = (a.push_out(b, offset), a.push_along(b, offset, [3, -2]));
        let _ = (a.nearest(b, offset), a.distance(b, offset), a.graze(b, offset, 3));
        let _ = (a.cast(b, offset, [50, -9]), a.cast(b, offset, [i32::MAX, i32::MIN]));
        if let Some(touch) = a.overlap(b, offset) {
            let _ = (touch.push_out(), touch.depth());
            let _ = (touch.normal(), touch.mask(), touch.centroid(), touch.pixels().count());
        }
    }
}

fn batches(atlas: &Atlas, ids: &[hitmask::PoseId], is_sound: bool) {
    let offsets = [[0, 0], [-9, 4], [63, 1], [i32::MAX, i32::MIN]].map(Point::from);
    let near = |i: usize| (i..ids.len()).take(3);
    let pairs: Vec<PosePair> = (0..ids.len())
        .flat_map(|i| near(i).map(move |j| (i, j)))
        .map(|(i, j)| PosePair { a: ids[i], b: ids[j], offset: offsets[(i + j) % 4] })
        .collect();
    let mut before = None;
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        let (mut touches, mut areas) = (vec![false; pairs.len()], vec![0; pairs.len()]);
        batch.touches(&pairs, &mut touches);
        batch.overlap_at_least(9, &pairs, &mut touches);
        batch.overlap_area(&pairs, &mut areas);
        let mut contacts = vec![None; pairs.len()];
        batch.contact(&pairs, &mut contacts);
        // Only for a sound atlas: set guard or padding pixels may count or not.
        if is_sound {
            let found = (touches, areas, contacts);
            assert_eq!(before.get_or_insert_with(|| found.clone()), &found, "{simd:?}");
        }
    }
}

fn colliders(atlas: &Atlas, is_sound: bool) {
    let mut world = World::new(atlas.clone());
    for (index, sprite) in atlas.sprites().take(6).enumerate() {
        for i in 0..4_u32 {
            let collider = Collider {
                frame: i % sprite.frame_count(),
                plane: i % sprite.plane_count(),
                flip: Flip { x: i & 1 != 0, y: i & 2 != 0 },
                fixed: i == 3,
                min_overlap: i.into(),
                ..Collider::new(sprite.id())
            };
            let at = [index as f32 * 5.0 - i as f32, i as f32 * 3.5];
            let scale = sprite.scales()[i as usize % sprite.scales().len()];
            let _ = world.insert(collider.at(at).turned(i as f32).scaled(scale));
        }
    }
    maps(&mut world);
    world.validate().expect("a world is valid, whatever its pixels are");
    world.update();
    world.validate().expect("and after an update");
    if is_sound {
        world::check_touching(&world);
        world::check_answers(&world);
    }
    // Masks of thousands of pixels per side are possible, and push-out of those is slow.
    let boxes = world.iter().filter_map(|(id, _)| world.rect(id)).map(|rect| rect.area());
    if boxes.max().unwrap_or(0) <= MAX_SMALL_PIXELS {
        queries(&mut world);
    }
    let saved = world.snapshot();
    world.restore(&saved).expect("its own snapshot");
    assert_eq!(world.snapshot(), saved);
    world.validate().expect("and restored");
    world.update();
}

/// Inserts the maps of the atlas. A refused map leaves the world as it was.
fn maps(world: &mut World) {
    for mut map in world.atlas().maps().into_iter().take(MAX_MAPS) {
        map.items.truncate(MAX_ITEMS);
        let (before, at) = (world.snapshot(), [12.5, -3.0]);
        match world.insert_map(&map, at) {
            Ok(mut placed) => {
                let mut places = placed.ids.iter().zip(&map.items);
                assert!(placed.ids.len() == map.items.len());
                assert!(places.all(|(id, item)| id.is_some() == item.shape.is_some()));
                let mut ids = placed.ids.iter().flatten();
                assert!(ids.all(|&id| world.get(id).is_some_and(|it| it.fixed)));
                let nothing = world.update_map(&mut placed, &map).expect("the same map");
                assert_eq!(nothing, hitmask::MapReport::default());
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(world.snapshot(), before, "{error}");
            }
        }
    }
}

/// Makes a fixed round of queries of a world, and moves its colliders. Queries may or may not count set
/// pixels in guards and padding of a damaged atlas, so no answer is compared.
pub fn queries(world: &mut World) {
    let line = |from: [f32; 2], to: [f32; 2]| Line::new(from, to).expect("a line");
    for line in [line([-30.5, 4.0], [90.0, 12.0]), line([3.0, -1e9], [-2.0, 1e9])] {
        let _ = (world.ray(&line, Filter::ALL), world.ray_all(&line, Filter::SOLID));
    }
    let circle = Zone::circle([4.0, 3.0], 12.5).expect("a circle");
    for zone in [circle, Zone::rect(Rect::new(i32::MIN, -9, i32::MAX, 9))] {
        let _ = world.query(&zone, Filter::ALL);
    }
    let _ = world.nearest([-40.0, 30.0], 1e9, Filter::ALL);
    for by in [[150, 31], [i32::MAX, i32::MIN]] {
        let _ = world.probe(&crate::art::arrow(), [-60, -8]).cast(by, Filter::ALL);
    }
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).take(12).collect();
    for (&id, &other) in ids.iter().zip(ids.iter().skip(1)) {
        let _ = (
            world.pair([id, other]).and_then(|pair| pair.explain()).map(|why| why.to_string()),
            world.pair([id, other]).and_then(|pair| pair.distance()),
            world.push_out(id, 40.5, Filter::SOLID),
        );
        let _ = (world.cast(id, [9.5, -4.0], Filter::SOLID), world.touching_with(id));
        let _ = (world.graze(id, 5.5, Filter::ALL), world.nearest_to(id, 60.0, Filter::SOLID));
    }
    for &id in &ids {
        let _ = world.move_and_slide(id, [7.0, -3.5]);
        let _ = world.move_until_contact(id, [-2.0, 30.0], Filter::SOLID);
    }
    world.validate().expect("after the moves");
}
