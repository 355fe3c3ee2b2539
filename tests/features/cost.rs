//! The classic systems, without their flaws: what an answer takes.

use crate::{solid, world};
use hitmask::Rect;

#[test]
fn sk4_tg4_work_stays_within_the_intersection() {
    // A box of the union of these two could not even be told in 32 bits.
    let a = solid(16_000, 2);
    assert_eq!(a.overlap_area(&a, [i32::MAX, 0]), 0);
    assert_eq!(a.contact(&a, [15_999, 1]).unwrap().rect, Rect::new(15_999, 1, 16_000, 2));
}

#[test]
fn mc6_w2_nothing_is_drawn_again_for_a_test() {
    let (world, ids) = world(&[("a", &solid(9, 9), [0.0, 0.0])]);
    let atlas = world.atlas().clone();
    let sprite = atlas.get(atlas.sprite("a").unwrap()).unwrap();
    let pose = sprite.nearest(0.0, 1.0).unwrap();
    // What a collider shows is the atlas's own mask, at one place in memory for all.
    let (shown, baked) =
        (world.posed(ids[0]).unwrap(), sprite.posed(0, pose, false, false).unwrap());
    assert_eq!(shown.mask, baked.mask);
    assert!(std::ptr::eq(atlas.as_bytes(), world.atlas().as_bytes()));
}

#[test]
fn w5_the_speed_is_published_relative_to_the_naive_way() {
    // That the verbs give these figures is tested where the verbs are.
    let readme = include_str!("../../README.md");
    let rows = |head: &str| -> Vec<(&str, Vec<f64>)> {
        let table = readme.lines().skip_while(|line| !line.starts_with(head));
        let table: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
        let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim);
        let columns = cells(table[0]).count();
        let row = |line: &&'static str| {
            let label = cells(line).next().unwrap();
            let numbers: Vec<f64> = cells(line)
                .skip(1)
                .map(|cell| cell.replace(',', "").parse().unwrap_or_else(|_| panic!("{line}")))
                .collect();
            assert_eq!(numbers.len() + 1, columns, "{line}");
            (label, numbers)
        };
        table[2..].iter().map(row).collect()
    };
    let find = |rows: &[(&str, Vec<f64>)], label: &str| {
        let row = rows.iter().find(|(other, _)| *other == label);
        row.unwrap_or_else(|| panic!("no row {label}")).1.clone()
    };
    assert!(readme.contains("bench narrow --json") && readme.contains("`bench world`"));
    let pairs = rows("| size in pixels |");
    let times = find(&pairs, "naive / batch, AVX-512");
    let (naive, batch) = (find(&pairs, "naive raster"), find(&pairs, "a batch, AVX-512"));
    assert!(times.len() >= 6 && times.iter().all(|&times| times > 1.0), "{times:?}");
    for ((times, naive), batch) in times.iter().zip(naive).zip(batch) {
        // Each ratio is of one moment, and batches are rounded to a nanosecond.
        assert!((times * batch / naive - 1.0).abs() < 0.1, "{times} is not {naive} / {batch}");
    }
    let worlds = rows("| colliders | 1,000 | 10,000 |");
    let (ours, naive) = (find(&worlds, "hitmask, ms"), find(&worlds, "naive, ms"));
    assert!(ours.len() == 3 && ours.iter().zip(naive).all(|(ours, naive)| *ours < naive));
}
