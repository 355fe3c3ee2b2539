//! The rule for scales that no pose is baked at.

use super::nearest_scale;

/// Which scales a sprite may be placed at, given the scales that it is baked at. The nearest baked
/// scale is shown, so a scale that is far from all of them would be shown at a wrong size.
///
/// ```
/// use hitmask::ScalePolicy;
/// let standard = ScalePolicy::default();
/// assert_eq!(standard, ScalePolicy::Within(1.5));
/// assert!(standard.accepts(1.4, 1.0) && !standard.accepts(10.0, 1.0));
/// assert!(ScalePolicy::Nearest.accepts(10.0, 1.0) && !ScalePolicy::Exact.accepts(1.1, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ScalePolicy {
    /// Any scale. The nearest baked scale is shown, however far it is.
    Nearest,
    /// Scales of at most this factor times, and at least this fraction of, the nearest baked scale.
    /// The factor is 1 or more. With 1.5, the default, scales baked in steps of up to 2 leave no
    /// gap.
    Within(f32),
    /// Baked scales only.
    Exact,
}

impl Default for ScalePolicy {
    fn default() -> Self {
        Self::Within(1.5)
    }
}

impl ScalePolicy {
    /// Tests whether `scale` may be shown by the baked scale `baked`. Both are above 0.
    #[must_use]
    pub fn accepts(self, scale: f32, baked: f32) -> bool {
        // Products of two f32 are exact in f64.
        let [scale, baked, factor] = [scale, baked, self.factor()].map(f64::from);
        scale <= baked * factor && baked <= scale * factor
    }

    /// Returns the greatest accepted ratio of two scales.
    pub(crate) const fn factor(self) -> f32 {
        match self {
            Self::Nearest => f32::INFINITY,
            Self::Within(factor) => factor,
            Self::Exact => 1.0,
        }
    }

    /// Returns the policy of a factor; `None` for a number below 1 or NaN.
    pub(crate) fn of_factor(factor: f32) -> Option<Self> {
        match factor {
            f32::INFINITY => Some(Self::Nearest),
            1.0 => Some(Self::Exact),
            _ if factor > 1.0 => Some(Self::Within(factor)),
            _ => None,
        }
    }

    /// Returns the nearest of `scales` to a positive number if the policy refuses it.
    #[inline]
    pub(crate) fn refused(self, scales: &[f32], scale: f32) -> Option<f32> {
        let nearest = scales[nearest_scale(scales, scale) as usize];
        (!self.accepts(scale, nearest)).then_some(nearest)
    }
}
