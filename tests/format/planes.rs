//! Sprites with several planes.

use crate::{baked, masks};
use hitmask::{
    Atlas, AtlasBuilder, BuildFault, Flip, Mask, Pivot, Pose, PoseSet, Raster, Sampling,
};

#[test]
fn every_plane_of_a_sprite_is_shown_at_every_pose() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    let target = atlas.sprite(atlas.sprite_id("target").unwrap()).unwrap();
    assert_eq!(target.planes().collect::<Vec<_>>(), ["rim", "bull"]);
    assert_eq!((target.plane("rim"), target.plane("bull")), (Some(0), Some(1)));
    assert_eq!((target.plane("body"), target.plane_count()), (None, 2));
    assert_eq!((target.frame_count(), atlas.frame_count()), (2, 9));
    assert!(target.in_plane(2).is_none());
    let poses = PoseSet::new(4, [1.0]).unwrap();
    let find = |name| masks().into_iter().find(|(n, _)| *n == name).unwrap().1;
    let expected = [[find("ring"), find("hull")], [find("hull"), Mask::new(64, 64).unwrap()]];
    for (frame, planes) in (0..).zip(&expected) {
        for (plane, mask) in (0..).zip(planes) {
            let raster = Raster::new(mask, Pivot::Center, Sampling::Nearest).unwrap();
            for step in 0..4 {
                let pose = Pose { step, scale: 0 };
                let posed = raster.pose(&poses, pose).unwrap();
                let shown = target.in_plane(plane).unwrap().posed(frame, pose, Flip::NONE);
                assert_eq!(shown.unwrap(), posed.as_ref(), "frame {frame}, plane {plane}");
                if plane == 0 {
                    assert_eq!(target.posed(frame, pose, Flip::NONE), shown);
                }
            }
        }
    }
    // The hull occurs twice and is stored once.
    let hull =
        |frame, plane| target.in_plane(plane).unwrap().pose_id(frame, Pose::default(), Flip::NONE);
    assert_eq!(hull(0, 1), hull(1, 0));
    let bar = atlas.sprite(atlas.sprite_id("bar").unwrap()).unwrap();
    assert_eq!((bar.planes().collect::<Vec<_>>(), bar.plane("body")), (vec!["body"], Some(0)));
}

#[test]
fn invalid_plane_names_and_masks_are_rejected() {
    let mask = |side| Mask::new(side, side).unwrap();
    let planes = |names: &[&str]| {
        let masks = names.iter().map(|_| mask(3)).collect::<Vec<_>>();
        AtlasBuilder::new().planes("a", names.to_vec(), [masks]).map(|_| ())
    };
    let many: Vec<String> = (0..256).map(|i| i.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let long = "x".repeat(256);
    planes(&many[..255]).unwrap();
    for (names, bad) in [
        (&[][..], ""),
        (&["a", ""], ""),
        (&["a", "b", "a"], "a"),
        (&[&long], &long),
        (&many, "255"),
    ] {
        match planes(names) {
            Err(error) => {
                assert_eq!(
                    (&error.fault, error.sprite.as_deref()),
                    (&BuildFault::Planes, Some("a"))
                );
                assert!(error.to_string().ends_with(&format!("{bad:?}")), "{error}");
            }
            Ok(()) => panic!("{bad:?}"),
        }
    }
    for second in [vec![mask(3)], vec![mask(3), mask(4)], vec![mask(3); 3]] {
        let frames = [vec![mask(5), mask(5)], second];
        let error = AtlasBuilder::new().planes("a", ["x", "y"], frames).unwrap_err();
        assert_eq!((&error.fault, error.frame), (&BuildFault::Planes, Some(1)));
        assert!(error.to_string().contains("needs 2 masks of equal size"), "{error}");
    }
}
