//! Components of owned masks, grazes and unions of poses.

use hitmask::{
    Connectivity, Graze, GrowShape, Mask, Pivot, Point, Pose, PoseSet, Raster, Rect, Sampling,
};

fn mask(text: &str) -> Mask {
    text.parse().unwrap()
}

/// Returns a mask as text on one line, with `|` between rows.
fn rows(mask: &Mask) -> String {
    mask.to_string().trim_end().replace('\n', "|")
}

#[test]
fn algebra_components_and_their_rectangles() {
    let m = mask("##...#\n##..#.\n......\n#.....");
    let all = m.components(Connectivity::Eight);
    let rects: Vec<Rect> = all.iter().map(|part| part.rect()).collect();
    assert_eq!(rects, [Rect::new(0, 0, 2, 2), Rect::new(4, 0, 6, 2), Rect::new(0, 3, 1, 4)]);
    assert_eq!(all.largest().map(|part| part.area()), Some(4));
    assert_eq!(all.iter().filter(|part| part.area() >= 2).count(), 2);
    assert_eq!(all.at([4, 1]).map(|part| rows(&part.mask())), Some(".#|#.".to_owned()));
    assert_eq!(m.components(Connectivity::Four).iter().len(), 4);
}

#[test]
fn one_call_tells_hit_graze_and_clear() {
    let (ship, shot) = (mask("###"), mask("#"));
    let answers: Vec<Graze> = (0..5).map(|y| ship.graze(&shot, [1, y], 3)).collect();
    let [hit, near, clear] = [Graze::Hit, Graze::Graze, Graze::Clear];
    // The shot is 0 to 4 px below the ship, and the radius is 3 px.
    assert_eq!(answers, [hit, near, near, near, clear]);
    // A mask grown by 3 px beforehand gives the same answers.
    let halo = ship.grown(3, GrowShape::Disc).unwrap();
    assert!((0..5).all(|y| halo.touches(&shot, [4, y + 3]) == (answers[y as usize] != clear)));
}

#[test]
fn the_union_of_poses_catches_a_skipped_pose() {
    let blade = mask(&"#".repeat(20));
    let raster = Raster::new(&blade, Pivot::HalfTexels(0, 0), Sampling::Nearest).unwrap();
    let poses = PoseSet::new(64, [1.0]).unwrap();
    let posed: Vec<_> =
        (0..16).map(|step| raster.pose(&poses, Pose { step, scale: 0 }).unwrap()).collect();
    let (motion_frame, at) =
        Mask::union(posed.iter().map(|pose| (&pose.mask, pose.origin))).unwrap();
    // The fly at (12, 12) touches only poses in the middle of the quarter turn.
    let fly = mask("#");
    let hits = |mask: &Mask, origin: Point| mask.touches(&fly, Point::new(12, 12) - origin);
    assert!(hits(&motion_frame, at));
    assert!(!hits(&posed[0].mask, posed[0].origin) && !hits(&posed[15].mask, posed[15].origin));
}
