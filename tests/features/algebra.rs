//! Operations on owned masks, one test for each group, and grazing.

use hitmask::{
    AlphaRule, Connectivity, Graze, GrowShape, Mask, MaskError, Pivot, Point, Pose, PoseSet,
    Raster, Rect, Sampling,
};

fn mask(text: &str) -> Mask {
    text.parse().unwrap()
}

/// Returns a mask as text on one line, with `|` between rows.
fn rows(mask: &Mask) -> String {
    mask.to_string().trim_end().replace('\n', "|")
}

#[test]
fn algebra_get_set_fill_clear_and_invert() {
    let mut m = Mask::new(3, 2).unwrap();
    m.set(1, 0, true);
    assert!(m.get(1, 0) && !m.get(0, 0) && !m.get(-1, 0) && !m.get(3, 0));
    m.invert();
    assert_eq!(rows(&m), "#.#|###");
    m.fill();
    m.fill_rect(Rect::new(-9, 1, 2, 9), false);
    assert_eq!(rows(&m), "###|..#");
    m.clear();
    assert_eq!(m.count(), 0);
}

#[test]
fn algebra_draw_erase_toggle_and_intersect_at_an_offset() {
    let (wall, stamp) = (mask("####\n####"), mask("##"));
    let after = |change: fn(&mut Mask, &Mask)| {
        let mut wall = wall.clone();
        change(&mut wall, &stamp);
        rows(&wall)
    };
    assert_eq!(after(|m, s| m.erase(s, [-1, 0])), ".###|####");
    assert_eq!(after(|m, s| m.toggle(s, [3, 1])), "####|###.");
    assert_eq!(after(|m, s| m.intersect(s, [1, 1])), "....|.##.");
    assert_eq!(after(|m, s| m.draw(s, [i32::MIN, i32::MAX])), "####|####");
    assert_eq!(rows(&wall.overlap_mask(&stamp, [2, 0])), "..##|....");
    let mut empty = Mask::new(4, 2).unwrap();
    empty.draw(&stamp, [2, 1]);
    assert_eq!(rows(&empty), "....|..##");
}

#[test]
fn algebra_scale_crop_and_raw_bits() {
    let m = mask("#.\n.#");
    assert_eq!(rows(&m.scaled(4, 4).unwrap()), "##..|##..|..##|..##");
    assert_eq!(rows(&m.cropped(Rect::new(-1, 0, 2, 1)).unwrap()), ".#.");
    assert_eq!(m.to_bits(), [0b1000_0000, 0b0100_0000]);
    assert_eq!(m.to_alpha(), [255, 0, 0, 255]);
    assert_eq!(Mask::from_bits(2, 2, &m.to_bits()), Ok(m.clone()));
    assert_eq!(Mask::from_alpha(2, 2, &[7, 0, 0, 1], AlphaRule::Above(0)), Ok(m));
}

#[test]
fn algebra_count_centroid_and_angle() {
    let bar = mask("####\n####");
    assert_eq!((bar.count(), bar.centroid(), bar.angle()), (8, Some([2.0, 1.0]), Some(0.0)));
    let rising = mask("..#\n.#.\n#..");
    assert_eq!(rising.angle().map(f32::to_degrees), Some(-45.0));
    let none = Mask::new(9, 9).unwrap();
    assert_eq!((none.count(), none.centroid(), none.angle()), (0, None, None));
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
fn algebra_outline_hull_and_polygons() {
    let ring = mask("####\n#..#\n####");
    assert_eq!(ring.outline().count(), 10);
    assert_eq!(ring.outline().step_by(5).collect::<Vec<_>>(), [[0, 0], [3, 2]].map(Point::from));
    assert_eq!(ring.convex_hull().unwrap().points().len(), 4);
    let polygons = ring.polygons(Connectivity::Eight);
    let holes: Vec<bool> = polygons.iter().map(|polygon| polygon.is_hole()).collect();
    assert_eq!(holes, [false, true]);
    // A physics engine wants few corners within a given tolerance: here less than 1/5 of them.
    let disc = &Mask::disc(30).unwrap().polygons(Connectivity::Eight)[0];
    let simple = disc.simplified(1.0).unwrap();
    assert!(simple.points().len() * 5 < disc.points().len());
    assert_eq!(disc.simplified(0.0), Err(MaskError::Tolerance(0.0)));
    assert_eq!(ring.rects().len(), 4);
}

#[test]
fn algebra_grow_shrink_and_convolve() {
    let dot = mask("#");
    let disc = dot.grown(2, GrowShape::Disc).unwrap();
    assert_eq!(rows(&disc), "..#..|.###.|#####|.###.|..#..");
    assert_eq!(disc.shrunk(2, GrowShape::Disc).count(), 1);
    assert_eq!(dot.grown(1, GrowShape::Square).unwrap().count(), 9);
    // A pixel is set where the second mask, moved there, touches the first.
    let touching = mask("#..#").convolve(&mask("##")).unwrap();
    assert_eq!(rows(&touching), "##.##");
}

#[test]
fn n5_one_call_tells_hit_graze_and_clear() {
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
fn n7_the_union_of_poses_catches_a_skipped_pose() {
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
