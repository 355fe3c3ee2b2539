//! Reference results: tests of every collider.

use crate::art;
use hitmask::{
    Accuracy, Collider, ColliderId, Contact, Filter, Line, Mask, MinOverlap, Pair, Point, World,
    Zone,
};

/// Returns what an enabled collider is in moves: its pixels, or its tight box, filled.
fn in_moves(world: &World, id: ColliderId) -> Option<(Mask, Point)> {
    let collider = world.get(id).filter(|collider| collider.enabled)?;
    let (rect, posed) = (world.rect(id)?, world.posed(id)?);
    match collider.move_accuracy.unwrap_or(collider.accuracy.min(world.accuracy())) {
        Accuracy::Box => {
            let mask = Mask::solid(rect.width(), rect.height()).ok()?;
            Some((mask, Point::new(rect.x0, rect.y0)))
        }
        _ => Some((posed.mask.to_mask(), posed.origin)),
    }
}

/// Returns the colliders that block `id` and overlap it.
pub(super) fn blockers(world: &World, id: ColliderId) -> Vec<ColliderId> {
    let Some(own) = world.get(id) else { return Vec::new() };
    let is_met = |(other, met): &(ColliderId, Collider)| {
        let meets = own.layers & met.collides_with != 0 && met.layers & own.collides_with != 0;
        let apart = own.owner == 0 || own.owner != met.owner;
        *other != id
            && !met.sensor
            && meets
            && apart
            && in_moves(world, id)
                .zip(in_moves(world, *other))
                .is_some_and(|((mine, at), (theirs, there))| mine.touches(&theirs, there - at))
    };
    world.iter().filter(is_met).map(|(id, _)| id).collect()
}

/// Tests whether a contact, in mask pixels, is enough for the rule of a collider, in pixels.
fn suffices(contact: &Contact, collider: &Collider, resolution: f64) -> bool {
    match collider.min_overlap {
        MinOverlap::Pixels(pixels) => {
            contact.area as f64 >= f64::from(pixels) * resolution * resolution
        }
        MinOverlap::Size { width, height } => {
            f64::from(contact.rect.width()) >= f64::from(width) * resolution
                && f64::from(contact.rect.height()) >= f64::from(height) * resolution
        }
    }
}

/// Tests that the last update found the same pairs as a test of all pairs.
pub fn check_touching(world: &World) {
    let all: Vec<(ColliderId, Collider)> = world.iter().collect();
    if all.len() > 100 {
        return;
    }
    let resolution = world.atlas().resolution().into();
    let mut expected = Vec::new();
    for (i, (a, first)) in all.iter().enumerate() {
        for (b, second) in &all[i + 1..] {
            let pair = Pair { a: *a, b: *b };
            let meets = first.layers & second.collides_with != 0
                && second.layers & first.collides_with != 0;
            let levels = [first, second].map(|side| side.accuracy.min(world.accuracy()));
            let counts = levels.contains(&Accuracy::Box) || levels == [Accuracy::Exact; 2];
            let enough = world.contact(pair).is_some_and(|contact| {
                !counts || [first, second].iter().all(|side| suffices(&contact, side, resolution))
            });
            let apart = first.owner == 0 || first.owner != second.owner;
            if meets && apart && !(first.fixed && second.fixed) && enough {
                expected.push(pair);
            }
        }
    }
    assert_eq!(world.touching(), expected, "pairs of the update");
}

/// Returns the colliders that [`Filter::ALL`] selects: the enabled ones on at least one layer.
fn asked(world: &World) -> impl Iterator<Item = ColliderId> {
    world.iter().filter(|(_, collider)| collider.enabled && collider.layers != 0).map(|(id, _)| id)
}

/// Returns true if zones and lines in pixels are in mask pixels too, as masks take them.
fn is_unscaled(world: &World) -> bool {
    world.atlas().resolution() == 1.0
}

pub(super) fn check_zone(world: &World, zone: &Zone) {
    let Ok(found) = world.query(zone, Filter::ALL) else { return };
    if !is_unscaled(world) {
        return;
    }
    let meets = |id: &ColliderId| {
        world.posed(*id).is_some_and(|posed| posed.mask.touches_zone(zone, posed.origin))
    };
    let expected: Vec<_> = asked(world).filter(meets).collect();
    assert_eq!(found, expected, "in {zone:?}");
}

pub(super) fn check_line(world: &World, line: &Line) {
    let Ok(found) = world.ray_all(line, Filter::ALL) else { return };
    if !is_unscaled(world) {
        return;
    }
    let hit = |id: ColliderId| {
        let posed = world.posed(id)?;
        Some((id, posed.mask.first_line_hit(line, posed.origin)?))
    };
    let mut expected: Vec<_> = asked(world).filter_map(hit).collect();
    expected.sort_by_key(|(id, hit)| (hit.step, *id));
    assert_eq!(found, expected, "along {line:?}");
    assert_eq!(
        world.ray(line, Filter::ALL).unwrap(),
        expected.first().copied(),
        "first on {line:?}"
    );
}

pub(super) fn check_nearest(world: &World, at: [f32; 2], within: f32) {
    let Ok(found) = world.nearest(at, within, Filter::ALL) else { return };
    let resolution = world.atlas().resolution();
    let [px, py] = at.map(|v| f64::from(v * resolution));
    let distance = |id: ColliderId| {
        let posed = world.posed(id)?;
        let (width, height) = (posed.mask.width() as i32, posed.mask.height() as i32);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| Point::new(x, y)));
        let centers = pixels.filter(|p| posed.mask.get(p.x, p.y)).map(|p| {
            // In i64: a pixel may lie beyond the limits of i32.
            let center = |start: i32, p: i32| (i64::from(start) + i64::from(p)) as f64 + 0.5;
            let (dx, dy) = (center(posed.origin.x, p.x) - px, center(posed.origin.y, p.y) - py);
            dx * dx + dy * dy
        });
        Some((id, centers.reduce(f64::min)?.sqrt() / f64::from(resolution)))
    };
    let all = asked(world).filter_map(distance).filter(|(_, far)| *far <= f64::from(within));
    let least = all.min_by(|(a, far), (b, farther)| far.total_cmp(farther).then(a.cmp(b)));
    assert_eq!(found, least, "nearest to {at:?} within {within}");
}

pub(super) fn check_cast(world: &World, at: Point, by: Point) {
    let mask = art::arrow();
    let found = world.probe(&mask, at).cast(by, Filter::ALL);
    let met = |id: ColliderId| {
        let posed = world.posed(id)?;
        Some((mask.cast(posed.mask, posed.origin - at, by)?.step, id))
    };
    let least = asked(world).filter_map(met).min();
    let found = found.map(|(id, impact)| (impact.step, id));
    assert_eq!(found, least, "cast from {at:?} by {by:?}");
}
