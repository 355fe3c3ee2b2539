//! Contacts by hand, and the references against each other.

use hitmask::reference::{Canvas, Drawing};
use hitmask::{Mask, Pivot, Point, Pose, PoseSet, Rect, Sampling, reference};
use hitmask_scenes::{PreparedImage, Random, named};

#[test]
fn a_contact_is_the_box_the_area_and_the_first_of_the_common_pixels() {
    let a: Mask = "
        ..##
        .###
        ##..
    "
    .parse()
    .unwrap();
    let b: Mask = "
        ###
        #.#
    "
    .parse()
    .unwrap();
    // At offset (1, 1), b has pixels at (1,1) (2,1) (3,1) (1,2) (3,2). a has the first four of
    // them.
    let contact = a.contact(&b, [1, 1]).unwrap();
    assert_eq!(contact.rect, Rect::new(1, 1, 4, 3));
    assert_eq!((contact.area, contact.point), (4, Point::new(1, 1)));
    assert_eq!(reference::contact(a.as_ref(), b.as_ref(), [1, 1]), Some(contact));
}

#[test]
fn the_canvas_and_prepared_references_agree_with_the_lookup_reference() {
    let poses = PoseSet::new(16, [0.5, 1.0]).unwrap();
    let masks = ["hull", "ring", "diagonal", "dot"].map(|name| named(name).mask());
    let (mut canvas, mut random) = (Canvas::default(), Random::new(4));
    let mut counts = [0; 2];
    for _ in 0..600 {
        let mut drawing = || {
            let source = &masks[random.below(4) as usize];
            let pose = Pose { step: random.below(16), scale: random.below(2) };
            let sampling = [Sampling::Nearest, Sampling::Coverage25][random.below(2) as usize];
            Drawing::new(source, Pivot::Center, sampling, &poses, pose).unwrap()
        };
        let (a, b) = (drawing(), drawing());
        let at_a = Point::new(random.within(-900, 900), random.within(-900, 900));
        let at_b = at_a + Point::new(random.within(-50, 51), random.within(-50, 51));
        let (posed_a, posed_b) = (a.posed(), b.posed());
        let (a, b) = if random.below(2) == 0 { (a, b) } else { (a.fitted(), b.fitted()) };
        let (corner_a, corner_b) = (posed_a.origin + at_a, posed_b.origin + at_b);
        let (mask_a, mask_b) = (posed_a.mask.as_ref(), posed_b.mask.as_ref());
        let truth = reference::contact(mask_a, mask_b, corner_b - corner_a)
            .map(|contact| contact.translated(corner_a));
        // One canvas for all pairs: it must keep no pixels of earlier pairs.
        assert_eq!(canvas.contact((&a, at_a), (&b, at_b)), truth);
        assert_eq!(canvas.contact((&b, at_b), (&a, at_a)), truth, "swapped");
        let first = canvas.first_point((&a, at_a), (&b, at_b));
        assert_eq!(first, truth.map(|contact| contact.point));
        let (image_a, image_b) = (PreparedImage::new(mask_a), PreparedImage::new(mask_b));
        let offset = corner_b - corner_a;
        let expected = reference::contact(mask_a, mask_b, offset);
        let parts = expected.map(|found| (found.rect, found.area, found.point));
        assert_eq!(image_a.contact(&image_b, offset), parts);
        assert_eq!(image_a.touches(&image_b, offset), expected.is_some());
        assert_eq!(image_a.first_point(&image_b, offset), expected.map(|contact| contact.point));
        assert_eq!(image_a.overlap_area(&image_b, offset), expected.map_or(0, |c| c.area));
        counts[usize::from(truth.is_some())] += 1;
    }
    // Both answers are common.
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}
