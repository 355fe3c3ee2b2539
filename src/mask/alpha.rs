//! The rule that turns alpha into set pixels.
//!
//! Used by `Mask::from_alpha` and by `texel_rule`.

/// The rule that decides from its alpha (0 clear, 255 opaque) whether a texel is solid.
///
/// ```
/// use hitmask::AlphaRule;
/// assert!(AlphaRule::default().is_solid(128));
/// assert!(!AlphaRule::Above(128).is_solid(128));
/// assert!(!AlphaRule::Bits(0x88).is_solid(0x80));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AlphaRule {
    /// alpha >= t. The default, with t = 128.
    AtLeast(u8),
    /// alpha > t.
    Above(u8),
    /// All the bits of m are set in alpha: (alpha & m) == m.
    Bits(u8),
}

impl AlphaRule {
    /// Returns the rule that classic pixel collision libraries call an alpha tolerance of `t`.
    ///
    /// The tolerance is a bit mask, not a threshold. It is `Bits(round(255 t))`, at least `Bits(1)`,
    /// so a texel of alpha 0 is never solid. A `t` of 0 or less, or NaN, gives `Bits(1)`. A `t`
    /// above 1 counts as 1, as in those libraries.
    ///
    /// ```
    /// use hitmask::AlphaRule;
    /// assert_eq!(AlphaRule::tolerance(0.5), AlphaRule::Bits(0x80));
    /// assert_eq!(AlphaRule::tolerance(0.0), AlphaRule::Bits(1));
    /// assert_eq!(AlphaRule::tolerance(1.0), AlphaRule::Bits(255));
    /// ```
    #[must_use]
    pub fn tolerance(t: f32) -> Self {
        // The conversion saturates: negative numbers and NaN become 0, large ones 255.
        Self::Bits(((255.0 * f64::from(t)).round() as u8).max(1))
    }

    /// Returns the threshold t if the rule counts exactly the alphas >= t.
    ///
    /// [`Bits`](Self::Bits) is a threshold if its bits are the highest ones. `Above(255)` counts no
    /// alpha, so it has no threshold.
    ///
    /// ```
    /// use hitmask::AlphaRule;
    /// assert_eq!(AlphaRule::Above(31).threshold(), Some(32));
    /// assert_eq!(AlphaRule::Bits(0xc0).threshold(), Some(192));
    /// assert_eq!(AlphaRule::Bits(0x40).threshold(), None);
    /// ```
    #[must_use]
    pub const fn threshold(self) -> Option<u8> {
        match self {
            Self::AtLeast(t) => Some(t),
            Self::Above(t) => t.checked_add(1),
            Self::Bits(m) if m.leading_ones() + m.trailing_zeros() == 8 => Some(m),
            Self::Bits(_) => None,
        }
    }

    /// Tests whether a texel of this alpha is solid.
    #[must_use]
    pub const fn is_solid(self, alpha: u8) -> bool {
        match self {
            Self::AtLeast(t) => alpha >= t,
            Self::Above(t) => alpha > t,
            Self::Bits(m) => alpha & m == m,
        }
    }
}

impl Default for AlphaRule {
    fn default() -> Self {
        Self::AtLeast(128)
    }
}
