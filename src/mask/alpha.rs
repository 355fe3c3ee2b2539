//! The rule that turns alpha into set pixels.
//!
//! Used by `Mask::from_alpha`, `Mask::from_rgba` and the baker.

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
