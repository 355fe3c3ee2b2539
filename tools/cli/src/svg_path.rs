//! Path data of SVG: the outline of a mask, and polygons.

use hitmask::{Connectivity, MaskRef, Point};

/// Returns closed loops along pixel edges, from the mask's top-left corner; empty for an empty mask. Filled
/// with either fill rule, they give the mask including its holes.
pub(crate) fn outline(mask: MaskRef<'_>) -> String {
    let polygons = mask.polygons(Connectivity::Four);
    polygons.iter().map(|polygon| loop_of(polygon.points())).collect()
}

/// Returns one closed loop. The `z` command draws its last side.
fn loop_of(corners: &[Point]) -> String {
    let sides = corners.windows(2).map(|pair| {
        let [a, b] = [pair[0], pair[1]];
        if a.y == b.y { format!("h{}", b.x - a.x) } else { format!("v{}", b.y - a.y) }
    });
    let start = corners.first().map(|Point { x, y }| format!("M{x} {y}")).unwrap_or_default();
    start + &sides.collect::<String>() + "z"
}

/// Returns the path data of a closed polygon.
pub(crate) fn closed(corners: &[[f32; 2]]) -> String {
    // A sum with 0 has no negative zero.
    let corners = corners.iter().map(|[x, y]| format!("{} {}", x + 0.0, y + 0.0));
    format!("M{}z", corners.collect::<Vec<_>>().join("L"))
}

#[cfg(test)]
mod tests {
    use super::outline;
    use hitmask::Mask;

    #[test]
    fn loops_follow_the_edges_of_pixels() {
        let path = |text: &str| outline(text.parse::<Mask>().unwrap().as_ref());
        assert_eq!(path("#"), "M0 0h1v1h-1z");
        assert_eq!(path("##\n#."), "M0 0h2v1h-1v1h-1z");
        assert_eq!(path("#.\n.#"), "M0 0h1v1h-1zM1 1h1v1h-1z", "corners do not join");
        assert_eq!(path("###\n#.#\n###"), "M0 0h3v3h-3zM1 2h1v-1h-1z", "a hole turns back");
        assert_eq!(path(".."), "");
    }
}
