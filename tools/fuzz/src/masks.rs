//! Target `masks`: two masks at an offset. The algebra and every query equal a count of pixels, and
//! the batches of every instruction set equal the queries of single pairs.

use arbitrary::{Result, Unstructured};
use hitmask::{
    Atlas, Bake, Flip, GrowShape, Mask, MaskRef, Point, PosePair, ScanOrder, Simd, reference,
};

/// Upper bounds on the sides of masks. Five strips, and more rows than specialised kernels cover.
const MAX_WIDTH: u32 = 270;
const MAX_HEIGHT: u32 = 150;

/// Pixels up to which the expensive queries run.
const MAX_SEARCHED: u32 = 1_600;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    // An input that ends early is no fault.
    let _ = compare(&mut Unstructured::new(data));
}

fn compare(u: &mut Unstructured<'_>) -> Result<()> {
    let (a, b) = (mask(u)?, mask(u)?);
    let reach = [MAX_WIDTH, MAX_HEIGHT].map(|side| side as i32 + 2);
    let mut within = |reach: i32| u.int_in_range(-reach..=reach);
    let offset = Point::new(within(reach[0])?, within(reach[1])?);
    let shape = if u.arbitrary()? { GrowShape::Square } else { GrowShape::Disc };
    let radius = u.int_in_range(0..=5)?;
    algebra(&a, &b, offset);
    one_mask(&a, radius, shape);
    pair((&a).into(), (&b).into(), offset);
    batches([a, b], offset);
    Ok(())
}

/// A mask of any size: from bits of the input, or a few rectangles.
fn mask(u: &mut Unstructured<'_>) -> Result<Mask> {
    let (width, height) = (u.int_in_range(0..=MAX_WIDTH)?, u.int_in_range(0..=MAX_HEIGHT)?);
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

/// Returns a mask of the size of `like` with the pixels for which `is_set` returns true.
fn drawn(like: &Mask, is_set: impl Fn(i32, i32) -> bool) -> Mask {
    let mut mask = Mask::new(like.width(), like.height()).expect("a small mask");
    for y in 0..like.height() as i32 {
        (0..like.width() as i32).filter(|&x| is_set(x, y)).for_each(|x| mask.set(x, y, true));
    }
    mask
}

fn algebra(a: &Mask, b: &Mask, offset: Point) {
    let other = |x, y| b.get(x - offset.x, y - offset.y);
    type Change = fn(&mut Mask, &Mask, Point);
    let changes: [(Change, fn(bool, bool) -> bool); 4] = [
        (|a, b, at| a.draw(b, at), |a, b| a | b),
        (|a, b, at| a.erase(b, at), |a, b| a & !b),
        (|a, b, at| a.intersect(b, at), |a, b| a & b),
        (|a, b, at| a.toggle(b, at), |a, b| a ^ b),
    ];
    for (change, rule) in changes {
        let mut changed = a.clone();
        change(&mut changed, b, offset);
        assert_eq!(changed, drawn(a, |x, y| rule(a.get(x, y), other(x, y))));
    }
}

fn one_mask(a: &Mask, radius: u32, shape: GrowShape) {
    let (width, height) = (a.width() as i32, a.height() as i32);
    assert_eq!(a.flip_x(), drawn(a, |x, y| a.get(width - 1 - x, y)));
    assert_eq!(a.flip_y(), drawn(a, |x, y| a.get(x, height - 1 - y)));
    assert_eq!(a.quarter_turned().quarter_turned(), a.flip_x().flip_y());
    let mut inverted = a.clone();
    inverted.invert();
    assert_eq!(inverted.count() + a.count(), u64::from(a.width()) * u64::from(a.height()));
    assert_eq!(Mask::from_bits(a.width(), a.height(), &a.to_bits()).as_ref(), Ok(a));
    let (tight, corner) = a.trimmed();
    assert_eq!(tight.count(), a.count());
    if let Some(bounds) = a.bounds() {
        assert_eq!([bounds.width(), bounds.height()], [tight.width(), tight.height()]);
        assert_eq!(corner, Point::new(bounds.x0, bounds.y0));
    }
    let rects = a.rects();
    let area: u64 = rects.iter().map(|rect| rect.area()).sum();
    assert_eq!(area, a.count());
    if a.width() * a.height() > MAX_SEARCHED {
        return;
    }
    let r = radius as i32;
    let reach: Vec<[i32; 2]> = (-r..=r)
        .flat_map(|y| (-r..=r).map(move |x| [x, y]))
        .filter(|[x, y]| shape == GrowShape::Square || x * x + y * y <= r * r)
        .collect();
    let grown = a.grown(radius, shape).expect("a small mask");
    if a.width() > 0 && a.height() > 0 {
        let is_near = |x, y| reach.iter().any(|[dx, dy]| a.get(x - r + dx, y - r + dy));
        assert_eq!(grown, drawn(&grown, is_near));
    }
    // Beyond the edges all is clear, so pixels near them go.
    let shrunk = a.shrunk(radius, shape);
    let is_inner = |x, y| reach.iter().all(|[dx, dy]| a.get(x + dx, y + dy));
    let inner = drawn(a, is_inner);
    assert_eq!((shrunk.trimmed().0, shrunk.count()), (inner.trimmed().0, inner.count()));
}

fn pair(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) {
    let contact = reference::contact(a, b, offset);
    assert_eq!(a.contact(b, offset), contact);
    assert_eq!(a.touches(b, offset), contact.is_some());
    let area = contact.map_or(0, |contact| contact.area);
    assert_eq!(a.overlap_area(b, offset), area);
    assert_eq!(a.overlap_rect(b, offset), contact.map(|contact| contact.rect));
    assert_eq!(a.first_overlap(ScanOrder::Top, b, offset), contact.map(|contact| contact.point));
    for least in [0, 1, area as u32, area as u32 + 1] {
        assert_eq!(a.overlap_at_least(least, b, offset), area >= u64::from(least.max(1)));
    }
    assert_eq!(a.overlap_mask(b, offset).count(), area);
    assert_eq!(a.overlap_pixels(b, offset).count() as u64, area);
    let pixels = |mask: MaskRef<'_>| mask.width() * mask.height();
    if pixels(a).max(pixels(b)) > MAX_SEARCHED {
        return;
    }
    assert_eq!(a.push_out(b, offset), reference::push_out(a, b, offset));
    if a.count() > 0 && b.count() > 0 {
        assert_eq!(a.nearest(b, offset), Some(reference::nearest(a, b, offset)));
    }
    let by = Point::new(37, -11);
    let steps = a.cast(b, offset, by).map(|hit| hit.step);
    assert_eq!(steps, reference::cast(a, b, offset, by));
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
                (sprite.pose_id(0, pose, flip).expect("it is stored"), posed.mask)
            })
        })
        .collect();
    let mut pairs = Vec::new();
    let mut truth = Vec::new();
    for &(first, one) in &poses {
        for &(second, other) in &poses {
            for offset in [offset, Point::new(offset.x / 3, offset.y / 3), Point::default()] {
                pairs.push(PosePair { a: first, b: second, offset });
                truth.push(reference::contact(one, other, offset));
            }
        }
    }
    let count = pairs.len();
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        let (mut touches, mut contacts) = (vec![false; count], vec![None; count]);
        batch.touches(&pairs, &mut touches);
        batch.contact(&pairs, &mut contacts);
        assert_eq!(contacts, truth, "{}", simd.name());
        assert!(touches.iter().zip(&truth).all(|(touches, truth)| *touches == truth.is_some()));
        let (mut areas, mut firsts) = (vec![0; count], vec![None; count]);
        batch.overlap_area(&pairs, &mut areas);
        batch.first_overlap(ScanOrder::Top, &pairs, &mut firsts);
        let truths = truth.iter().map(|t| t.map_or((0, None), |t| (t.area, Some(t.point))));
        assert!(areas.into_iter().zip(firsts).eq(truths), "{}", simd.name());
    }
}
