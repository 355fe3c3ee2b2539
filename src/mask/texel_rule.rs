//! The rule that decides whether a texel is solid: excluded colours, the channel and the alpha
//! rule, in that order.
//!
//! Used by `Mask::from_rgba` and by the baker, so both give the same bits.

use super::{AlphaRule, ColorRange, Mask, MaskError};

/// The rule that decides from its colour and alpha whether a texel is solid.
///
/// A texel is solid if its colour is not left out and [`alpha`](Self::alpha) counts the value of
/// its [`channel`](Self::channel). [`Mask::from_rgba`] takes such a rule, and a bake applies the
/// rule of its [`Settings`](crate::Settings) with the same code.
///
/// ```
/// use hitmask::{Mask, TexelRule};
/// // Lava and rock: the mask of the lava alone, to test what touches that colour.
/// let texels = [[255, 80, 0, 255], [90, 90, 90, 255], [250, 85, 3, 255], [255, 80, 0, 0]];
/// let lava = TexelRule::of_color("#f05000..#ff6010".parse()?);
/// let mask = Mask::from_rgba(4, 1, texels.as_flattened(), lava)?;
/// assert_eq!(mask.to_string(), "#.#.\n");
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TexelRule {
    /// Rule for the value of the channel. Default alpha >= 128.
    pub alpha: AlphaRule,
    /// Channel that the alpha rule reads. Default alpha.
    pub channel: Channel,
    /// Colours whose texels are never solid. Default none.
    pub exclude_color: Vec<ColorRange>,
    /// Colours whose texels alone can be solid. Default none: texels of all colours.
    pub only_color: Vec<ColorRange>,
}

/// The channel that the alpha rule reads.
///
/// ```
/// use hitmask::{Channel, Mask, TexelRule};
/// let red = TexelRule { channel: Channel::Red, ..TexelRule::default() };
/// assert_eq!(Mask::from_rgba(2, 1, &[200, 0, 0, 0, 9, 9, 9, 255], red)?.to_string(), "#.\n");
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Channel {
    /// Alpha; 255 if the image has none. The default.
    #[default]
    Alpha,
    /// Red, for masks that are stored as colour.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

impl TexelRule {
    /// Returns the rule for the texels of a colour, with an alpha of at least 128.
    ///
    /// ```
    /// use hitmask::{ColorRange, TexelRule};
    /// let rule = TexelRule::of_color(ColorRange::near([255, 0, 0], 10));
    /// assert!(rule.is_solid([250, 5, 0, 255]));
    /// assert!(!rule.is_solid([250, 5, 0, 127]) && !rule.is_solid([200, 0, 0, 255]));
    /// ```
    #[must_use]
    pub fn of_color(colors: ColorRange) -> Self {
        Self { only_color: vec![colors], ..Self::default() }
    }

    /// Tests whether a texel of this red, green, blue and alpha is solid.
    #[must_use]
    pub fn is_solid(&self, texel: [u8; 4]) -> bool {
        self.value(texel).is_some_and(|value| self.alpha.is_solid(value))
    }

    /// Returns the value that the alpha rule reads, or `None` if the colour is left out.
    #[must_use]
    pub fn value(&self, texel: [u8; 4]) -> Option<u8> {
        let is_in = |ranges: &[ColorRange]| ranges.iter().any(|range| range.contains(texel));
        let is_left_out =
            is_in(&self.exclude_color) || !self.only_color.is_empty() && !is_in(&self.only_color);
        (!is_left_out).then_some(texel[self.channel.index()])
    }

    fn tests_colors(&self) -> bool {
        !(self.exclude_color.is_empty() && self.only_color.is_empty())
    }

    /// Returns the mask of an RGBA image under this rule.
    pub(crate) fn mask(&self, width: u32, height: u32, rgba: &[u8]) -> Result<Mask, MaskError> {
        // Evaluates the alpha rule once per value instead of once per texel.
        let solid: [bool; 256] = std::array::from_fn(|value| self.alpha.is_solid(value as u8));
        self.mask_where(width, height, rgba, |value| solid[usize::from(value)])
    }

    /// Returns the mask of an RGBA image with another test than the alpha rule for the value of the
    /// channel.
    pub(crate) fn mask_where(
        &self,
        width: u32,
        height: u32,
        rgba: &[u8],
        is_solid: impl Fn(u8) -> bool,
    ) -> Result<Mask, MaskError> {
        if self.tests_colors() {
            return Mask::from_texels(width, height, rgba, 4, |texel| {
                self.value([texel[0], texel[1], texel[2], texel[3]]).is_some_and(&is_solid)
            });
        }
        let channel = self.channel.index();
        Mask::from_texels(width, height, rgba, 4, |texel| is_solid(texel[channel]))
    }
}

impl Mask {
    /// Returns the mask of an image from its bytes red, green, blue, alpha, row by row without
    /// padding.
    ///
    /// The rule is an [`AlphaRule`], or a [`TexelRule`] with colours and a channel. A bake with the
    /// same rule gives the same bits. Costs a few operations per texel and range of colours.
    ///
    /// ```
    /// use hitmask::{AlphaRule, ColorRange, Mask, TexelRule};
    /// let texels = [[255, 0, 255, 255], [9, 9, 9, 255], [9, 9, 9, 0]];
    /// let mask = |rule: TexelRule| Mask::from_rgba(3, 1, texels.as_flattened(), rule);
    /// assert_eq!(mask(AlphaRule::default().into())?.to_string(), "##.\n");
    /// let magenta = ColorRange::from([255, 0, 255]);
    /// let no_key = TexelRule { exclude_color: vec![magenta], ..TexelRule::default() };
    /// assert_eq!(mask(no_key)?.to_string(), ".#.\n");
    /// assert_eq!(mask(TexelRule::of_color(magenta))?.to_string(), "#..\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::TooLarge`], or [`MaskError::WrongLength`] if `rgba` is not `4 * width * height`
    /// bytes.
    pub fn from_rgba(
        width: u32,
        height: u32,
        rgba: &[u8],
        rule: impl Into<TexelRule>,
    ) -> Result<Self, MaskError> {
        Self::check_size(width, height)?;
        rule.into().mask(width, height, rgba)
    }
}

impl Channel {
    /// Returns the index of the channel in the bytes of a texel.
    const fn index(self) -> usize {
        match self {
            Self::Red => 0,
            Self::Green => 1,
            Self::Blue => 2,
            Self::Alpha => 3,
        }
    }
}

impl From<AlphaRule> for TexelRule {
    /// Returns the rule that depends on alpha alone.
    fn from(alpha: AlphaRule) -> Self {
        Self { alpha, ..Self::default() }
    }
}

impl From<&Self> for TexelRule {
    fn from(rule: &Self) -> Self {
        rule.clone()
    }
}
