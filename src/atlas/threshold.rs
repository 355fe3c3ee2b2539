//! Planes by alpha threshold: their names, and the choice of one for a threshold or a fade.
//!
//! Part of the public API. The baker names such planes with this file. Invariant: a plane named
//! `alpha` and a number t from 1 to 255 has the texels whose alpha is at least t.

use super::sprite::Sprite;

/// Start of the name of every plane by threshold.
const PREFIX: &str = "alpha";

/// A product of alpha and fade counts as equal to a threshold if it is less by at most this. Without
/// it, a fade of 0.7 would clear a texel of alpha 200 at threshold 140, because the nearest `f32` is
/// less than 0.7.
const SLACK: f64 = 1.0 / 4096.0;

/// Returns the name of the plane by this threshold.
pub(crate) fn threshold_plane(threshold: u8) -> String {
    format!("{PREFIX}{threshold}")
}

/// Returns the threshold of a plane with a name of [`threshold_plane`]; none for `alpha032`.
fn threshold_of(plane: &str) -> Option<u8> {
    let number = plane.strip_prefix(PREFIX)?;
    let is_plain = number.starts_with(|first: char| ('1'..='9').contains(&first));
    number.parse().ok().filter(|_| is_plain)
}

impl Sprite<'_> {
    /// Returns the planes by threshold, as pairs of the threshold and the index of the plane.
    /// Ordered by plane.
    ///
    /// These are the planes named `alpha1` to `alpha255`, as
    /// [`AtlasBuilder::thresholds`](crate::AtlasBuilder::thresholds) makes them. Plane 0 is one of them if its
    /// [rule](Self::alpha_rule) counts exactly the alphas from some value on.
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder};
    /// let bake = AtlasBuilder::new().thresholds([32, 224]).alpha_bytes("fog", 3, 1, &[40, 150, 255])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let fog = atlas.sprites().next().unwrap();
    /// assert!(fog.planes().eq(["body", "alpha32", "alpha224"]));
    /// assert!(fog.threshold_planes().eq([(128, 0), (32, 1), (224, 2)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn threshold_planes(self) -> impl Iterator<Item = (u8, u32)> {
        (0..).zip(self.planes()).filter_map(move |(plane, name)| {
            let of_rule = || self.alpha_rule().threshold().filter(|_| plane == 0);
            Some((threshold_of(name).or_else(of_rule)?, plane))
        })
    }

    /// Returns the plane with the least threshold that is at least `threshold`. A collider or query
    /// thereby chooses how opaque a texel must be.
    ///
    /// Every pixel of that plane has an alpha of at least `threshold`, so a hit is never false. The
    /// plane lacks texels with an alpha from `threshold` up to its own threshold, and is exact if
    /// the two are equal. Returns `None` if `threshold` exceeds that of every plane. Returns the lower
    /// index of two planes with one threshold. Costs a pass over the names of the planes.
    #[must_use]
    pub fn plane_for_threshold(self, threshold: u8) -> Option<u32> {
        self.least_plane(|least| least >= threshold)
    }

    /// Returns the plane of a sprite that is drawn with an alpha of its own, such as one that fades
    /// out. A texel counts if its alpha times `fade` is at least `threshold`.
    ///
    /// `fade` is 1 for a sprite that is drawn as it is, and 0 for one that cannot be seen. It may
    /// exceed 1. The plane is the one of [`plane_for_threshold`](Self::plane_for_threshold) for the
    /// least alpha that counts: `threshold / fade`, rounded up. The product of an alpha and `fade`
    /// is exact, and counts if it is less than `threshold` by at most 1/4096. So a fade of
    /// 0.7, which no `f32` equals, keeps alpha 200 at threshold 140.
    ///
    /// Returns `None` if no plane has so great a threshold, and if `fade` is not above 0. The sprite
    /// then touches nothing: [disable](crate::Collider::disabled) its collider. Bake the threshold
    /// 255 too, so that opaque texels touch as long as any texel counts.
    #[must_use]
    pub fn plane_for_fade(self, threshold: u8, fade: f32) -> Option<u32> {
        // False for NaN too.
        let is_seen = fade > 0.0;
        // Exact: 8 bits times 24 bits.
        let shown = |alpha: u8| f64::from(alpha) * f64::from(fade);
        self.least_plane(|least| is_seen && shown(least) + SLACK >= f64::from(threshold))
    }

    fn least_plane(self, passes: impl Fn(u8) -> bool) -> Option<u32> {
        self.threshold_planes().filter(|&(least, _)| passes(least)).min().map(|(_, plane)| plane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_read_from_its_own_name_only() {
        for threshold in 1..=255 {
            assert_eq!(threshold_of(&threshold_plane(threshold)), Some(threshold));
        }
        for name in ["alpha", "alpha0", "alpha01", "alpha256", "alpha+1", "alpha1 ", "Alpha1", "1"]
        {
            assert_eq!(threshold_of(name), None, "{name}");
        }
    }
}
