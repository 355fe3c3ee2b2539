//! The outline of a mask as SVG path data: closed loops along pixel edges.
//!
//! Filled with either fill rule, the loops give the mask including its holes.

use hitmask::{Connectivity, Flip, MaskKey, MaskRef, Point, Sprite};
use rayon::prelude::*;
use std::collections::HashMap;

/// Outlines and pixel counts of masks. Each mask is read once, however many frames show it.
pub(super) struct Outlines(HashMap<MaskKey, (String, u64)>);

impl Outlines {
    /// Draws the outlines of all frames and planes, unrotated at the scale nearest to 1.
    pub(super) fn of(sprites: &[Sprite<'_>]) -> Self {
        let mut masks = HashMap::new();
        for sprite in sprites {
            let pose = sprite.nearest(0.0, 1.0).unwrap_or_default();
            for plane in (0..sprite.plane_count()).filter_map(|plane| sprite.in_plane(plane)) {
                let frames = 0..sprite.frame_count();
                let shown = frames.filter_map(|frame| plane.posed(frame, pose, Flip::NONE));
                masks.extend(shown.map(|posed| (posed.mask.key(), posed.mask)));
            }
        }
        let drawn = |(key, mask): (MaskKey, MaskRef<'_>)| (key, (outline(mask), mask.count()));
        Self(masks.into_par_iter().map(drawn).collect())
    }

    /// Returns path data and the number of set pixels of a mask of [`of`](Self::of).
    pub(super) fn get(&self, mask: MaskRef<'_>) -> (&str, u64) {
        self.0.get(&mask.key()).map_or(("", 0), |(path, count)| (path, *count))
    }
}

/// Returns path data in pixels from the mask's top-left corner; empty for an empty mask.
pub(crate) fn outline(mask: MaskRef<'_>) -> String {
    let polygons = mask.polygons(Connectivity::Four);
    polygons.iter().map(|polygon| closed(polygon.points())).collect()
}

/// Returns one closed loop. The `z` command draws its last side.
fn closed(corners: &[Point]) -> String {
    let sides = corners.windows(2).map(|pair| {
        let [a, b] = [pair[0], pair[1]];
        if a.y == b.y { format!("h{}", b.x - a.x) } else { format!("v{}", b.y - a.y) }
    });
    let start = corners.first().map(|Point { x, y }| format!("M{x} {y}")).unwrap_or_default();
    start + &sides.collect::<String>() + "z"
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
