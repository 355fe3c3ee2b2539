//! Target `masks`: two masks at an offset. The algebra and every query equal a count of pixels, and
//! the batches of every instruction set equal the queries of single pairs.

use crate::pixels::{Found, Pixels};
use arbitrary::{Result, Unstructured};
use hitmask::{
    Atlas, Contact, Flip, GrowShape, Mask, MaskRef, Point, PosePair, ScanOrder, Simd, reference,
};
use hitmask_bake::Bake;

/// Upper bounds on the sides of masks. Five strips, and more rows than specialised kernels cover.
const MAX_WIDTH: u32 = 270;
const MAX_HEIGHT: u32 = 150;

/// Pixels of most masks: what a wide, a high or a square mask needs to have several words or blocks.
const MAX_PIXELS: u32 = 3_000;

/// Pixels up to which masks grow and shrink.
const MAX_GROWN: u32 = 1_600;

/// Pairs of pixels up to which the nearest ones are searched.
const MAX_PAIRS: u64 = 1 << 14;

/// Sum of sides up to which masks are pushed apart along them: the reference tries each offset.
const MAX_APART: u32 = 28;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    // An input that ends early is no fault.
    let _ = compare(&mut Unstructured::new(data));
}

fn compare(u: &mut Unstructured<'_>) -> Result<()> {
    let mut within = |reach: i32| u.int_in_range(-reach..=reach);
    let motion = Point::new(within(60)?, within(60)?);
    let near = Point::new(within(20)?, within(20)?);
    let radius = u.int_in_range(0..=5)?;
    let shape = if u.arbitrary()? { GrowShape::Square } else { GrowShape::Disc };
    let is_near = u.ratio(3, 4)?;
    let (a, b) = (mask(u)?, mask(u)?);
    // Near: an edge of `b` is near one of `a`, on each axis.
    let offset = if is_near {
        let mut edge = |a: u32, b: u32| {
            let edges = [0, a as i32 - b as i32, a as i32, -(b as i32)];
            Ok(edges[u.int_in_range(0..=3)?])
        };
        near + Point::new(edge(a.width(), b.width())?, edge(a.height(), b.height())?)
    } else {
        let mut within = |reach: u32| u.int_in_range(-(reach as i32) - 2..=reach as i32 + 2);
        Point::new(within(MAX_WIDTH)?, within(MAX_HEIGHT)?)
    };
    let pixels = [&a, &b].map(|mask| Pixels::of(mask.into()));
    algebra([&a, &b], &pixels, offset);
    one_mask(&a, &pixels[0], radius, shape);
    pair([&a, &b], &pixels, offset, motion);
    batches([a, b], offset);
    Ok(())
}

/// A mask of any size: from bits of the input, or a few rectangles.
fn mask(u: &mut Unstructured<'_>) -> Result<Mask> {
    let (width, mut height) = (u.int_in_range(0..=MAX_WIDTH)?, u.int_in_range(0..=MAX_HEIGHT)?);
    if u.ratio(31, 32)? {
        height = height.min(MAX_PIXELS / width.max(1));
    }
    let mut mask = Mask::new(width, height).expect("a small mask");
    if u.arbitrary()? {
        for row in 0..height {
            for column in (0..width).step_by(8) {
                let bits: u8 = u.arbitrary()?;
                (0..8.min(width - column))
                    .filter(|bit| bits >> bit & 1 == 1)
                    .for_each(|bit| mask.set((column + bit) as i32, row as i32, true));
            }
        }
        return Ok(mask);
    }
    for _ in 0..u.int_in_range(0..=6)? {
        let [x0, x1] = [u.int_in_range(-3..=width as i32)?, u.int_in_range(0..=width as i32 + 3)?];
        let [y0, y1] =
            [u.int_in_range(-3..=height as i32)?, u.int_in_range(0..=height as i32 + 3)?];
        mask.fill_rect(hitmask::Rect::new(x0, y0, x1, y1), u.ratio(3, 4)?);
    }
    Ok(mask)
}

fn algebra([a, b]: [&Mask; 2], [one, other]: &[Pixels; 2], offset: Point) {
    type Change = fn(&mut Mask, &Mask, Point);
    type Rule = fn(bool, bool) -> bool;
    let changes: [(Change, Rule); 4] = [
        (|a, b, at| a.draw(b, at), |a, b| a | b),
        (|a, b, at| a.erase(b, at), |a, b| a & !b),
        (|a, b, at| a.intersect(b, at), |a, b| a & b),
        (|a, b, at| a.toggle(b, at), |a, b| a ^ b),
    ];
    for (change, rule) in changes {
        let mut changed = a.clone();
        change(&mut changed, b, offset);
        assert_eq!(Pixels::of((&changed).into()), one.changed(other, offset, rule));
    }
}

fn one_mask(a: &Mask, pixels: &Pixels, radius: u32, shape: GrowShape) {
    let of = |mask: &Mask| Pixels::of(mask.into());
    assert_eq!(of(&a.flip_x()), pixels.flipped(Flip::X));
    assert_eq!(of(&a.flip_y()), pixels.flipped(Flip { x: false, y: true }));
    assert_eq!(a.quarter_turned().quarter_turned(), a.flip_x().flip_y());
    let mut inverted = a.clone();
    inverted.invert();
    assert_eq!(inverted.count() + a.count(), u64::from(a.width()) * u64::from(a.height()));
    assert_eq!(Mask::from_bits(a.width(), a.height(), &a.to_bits()).as_ref(), Ok(a));
    let whole = pixels.contact(pixels, Point::default());
    assert_eq!((a.bounds(), a.count()), (whole.map(|w| w.0), whole.map_or(0, |w| w.1)));
    let (tight, corner) = a.trimmed();
    assert_eq!(tight.count(), a.count());
    if let Some(bounds) = a.bounds() {
        assert_eq!([bounds.width(), bounds.height()], [tight.width(), tight.height()]);
        assert_eq!(corner, Point::new(bounds.x0, bounds.y0));
    }
    let rects = a.rects();
    let area: u64 = rects.iter().map(|rect| rect.area()).sum();
    assert_eq!(area, a.count());
    if a.width() * a.height() <= MAX_GROWN {
        grow_and_shrink(a, pixels, radius, shape);
    }
}

fn grow_and_shrink(a: &Mask, pixels: &Pixels, radius: u32, shape: GrowShape) {
    let r = radius as i32;
    // The columns that a pixel reaches to either side in a row that is `y` below it.
    let half = |y: i32| match shape {
        GrowShape::Square => r,
        _ => (0..=r).rev().find(|x| x * x + y * y <= r * r).expect("the pixel itself"),
    };
    let reach: Vec<(i32, i32)> = (-r..=r).map(|y| (y, half(y))).collect();
    let run = pixels.runs();
    let grown = a.grown(radius, shape).expect("a small mask");
    if a.width() > 0 && a.height() > 0 {
        let is_near = |x, y| reach.iter().any(|(dy, half)| run(x - r, y - r + dy, *half) > 0);
        let [width, height] = pixels.size();
        let expected = Pixels::new(width + 2 * r, height + 2 * r, is_near);
        assert_eq!(Pixels::of((&grown).into()), expected);
    }
    // Beyond the edges all is clear, so pixels near them go.
    let shrunk = a.shrunk(radius, shape);
    let is_inner = |x, y| reach.iter().all(|(dy, half)| run(x, y + dy, *half) == 2 * half + 1);
    let [width, height] = pixels.size();
    let inner = Pixels::new(width, height, is_inner);
    let found = Pixels::of((&shrunk).into());
    let tight = |pixels: &Pixels| pixels.contact(pixels, Point::default());
    match (tight(&found), tight(&inner)) {
        (Some((_, count, at)), Some((_, expected, to))) => {
            let both = found.contact(&inner, at - to);
            assert_eq!((count, both.map(|both| both.1)), (expected, Some(expected)));
        }
        (found, expected) => assert_eq!(found, expected),
    }
}

fn pair([a, b]: [&Mask; 2], [one, other]: &[Pixels; 2], offset: Point, motion: Point) {
    let [a, b]: [MaskRef<'_>; 2] = [a.into(), b.into()];
    let contact = one.contact(other, offset);
    assert_eq!(a.contact(b, offset).map(parts), contact);
    assert_eq!(a.touches(b, offset), contact.is_some());
    let area = contact.map_or(0, |contact| contact.1);
    assert_eq!(a.overlap_area(b, offset), area);
    assert_eq!(a.overlap_rect(b, offset), contact.map(|contact| contact.0));
    assert_eq!(a.first_overlap(ScanOrder::Top, b, offset), contact.map(|contact| contact.2));
    assert_eq!(a.overlap_mask(b, offset).count(), area);
    assert_eq!(a.overlap_pixels(b, offset).count() as u64, area);
    if (a.width() + b.width()).min(a.height() + b.height()) <= MAX_APART {
        assert_eq!(a.push_out(b, offset), reference::push_out(a, b, offset));
    }
    if a.count() * b.count() <= MAX_PAIRS {
        assert_eq!(a.nearest(b, offset), one.nearest(other, offset));
    }
    let steps = a.cast(b, offset, motion).map(|hit| hit.step);
    assert_eq!(steps, reference::cast(a, b, offset, motion));
}

fn parts(contact: Contact) -> Found {
    (contact.rect, contact.area, contact.point)
}

/// Compares the batches of every instruction set with the pixels, in all flips and both orders.
fn batches(masks: [Mask; 2], offset: Point) {
    let [a, b] = masks;
    let bake = Bake::new().angles(1).mask("a", a).mask("b", b);
    let atlas = Atlas::from_vec(bake.to_bytes().expect("it bakes")).expect("it opens");
    let poses: Vec<_> = atlas
        .sprites()
        .flat_map(|sprite| {
            let pose = sprite.nearest(0.0, 1.0).expect("one pose");
            [Flip::NONE, Flip { x: false, y: true }, Flip { x: true, y: false }].map(|flip| {
                let posed = sprite.posed(0, pose, flip).expect("it is drawn");
                let id = sprite.pose_id(0, pose, flip).expect("it is stored");
                (id, Pixels::of(posed.mask))
            })
        })
        .collect();
    let mut pairs = Vec::new();
    let mut truth = Vec::new();
    for (first, one) in &poses {
        for (second, other) in &poses {
            for offset in [offset, Point::new(offset.x / 3, offset.y / 3), Point::default()] {
                pairs.push(PosePair { a: *first, b: *second, offset });
                truth.push(one.contact(other, offset));
            }
        }
    }
    let count = pairs.len();
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        let (mut touches, mut contacts) = (vec![false; count], vec![None; count]);
        batch.touches(&pairs, &mut touches);
        batch.contact(&pairs, &mut contacts);
        let found = contacts.into_iter().map(|contact| contact.map(parts));
        assert!(found.eq(truth.iter().copied()), "{}", simd.name());
        assert!(touches.iter().zip(&truth).all(|(touches, truth)| *touches == truth.is_some()));
        let mut areas = vec![0; count];
        batch.overlap_area(&pairs, &mut areas);
        let truths = truth.iter().map(|t| t.map_or(0, |t| t.1));
        assert!(areas.into_iter().eq(truths), "{}", simd.name());
    }
}
