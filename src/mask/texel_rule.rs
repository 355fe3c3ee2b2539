//! The rules that decide whether a texel is solid: excluded colours, the channel and the alpha rule,
//! in that order. Also the text form of colours.
//!
//! Used by `Mask::from_alpha`, `Mask::from_rgba` and the baker, so all give the same bits. The baker,
//! its manifest and the command line read colours with the parser of this file.

use super::Mask;
use crate::error::CallError;
use std::ops::RangeInclusive;
use std::str::FromStr;

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
    #[must_use]
    pub fn tolerance(t: f32) -> Self {
        // The conversion saturates: negative numbers and NaN become 0, large ones 255.
        Self::Bits(((255.0 * f64::from(t)).round() as u8).max(1))
    }

    /// Returns the threshold t if the rule counts exactly the alphas >= t.
    ///
    /// [`Bits`](Self::Bits) is a threshold if its bits are the highest ones. `Above(255)` counts no
    /// alpha, so it has no threshold.
    #[must_use]
    pub(crate) const fn threshold(self) -> Option<u8> {
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

/// A range of colours: red, green, blue and alpha each lie between two values.
///
/// A colour without alpha stands for that colour at every alpha.
///
/// ```
/// use hitmask::ColorRange;
/// let magenta = ColorRange::from([255, 0, 255]);
/// let nearly = ColorRange::from([247, 0, 247]..=[255, 8, 255]);
/// let dark = ColorRange::from([0, 0, 0]..=[40, 40, 60]);
/// assert!(magenta.contains([255, 0, 255, 9]) && !magenta.contains([250, 0, 255, 9]));
/// assert!(nearly.contains([250, 5, 255, 255]) && dark.contains([40, 0, 9, 255]));
/// // A soft shadow: black with an alpha of at most 127.
/// let shadow = ColorRange::from([0; 4]..=[0, 0, 0, 127]);
/// assert!(shadow.contains([0, 0, 0, 127]) && !shadow.contains([0, 0, 0, 128]));
/// ```
///
/// As text, a colour has 6 hexadecimal digits, or 8 with alpha; the `#` may be omitted. Two colours
/// with `..` between them are a range, both ends included. An end without alpha does not limit the
/// alpha on its side.
///
/// ```
/// use hitmask::ColorRange;
/// assert_eq!("#ff00ff".parse(), Ok(ColorRange::from([255, 0, 255])));
/// assert_eq!("#ff00ff80".parse(), Ok(ColorRange::from([255, 0, 255, 128])));
/// let shadow = ColorRange::from([0; 4]..=[32, 32, 32, 127]);
/// assert_eq!("#000000..#2020207f".parse(), Ok(shadow));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ColorRange {
    /// Lower bounds of red, green, blue and alpha, inclusive.
    pub from: [u8; 4],
    /// Upper bounds of red, green, blue and alpha, inclusive. The range is empty if one of them is
    /// less than its lower bound.
    pub to: [u8; 4],
}

impl ColorRange {
    /// Tests whether a texel of this red, green, blue and alpha lies in the range.
    #[must_use]
    pub fn contains(self, texel: [u8; 4]) -> bool {
        (0..4).all(|i| (self.from[i]..=self.to[i]).contains(&texel[i]))
    }
}

impl From<[u8; 3]> for ColorRange {
    /// Returns the range of one colour at every alpha.
    fn from(color: [u8; 3]) -> Self {
        Self::from(color..=color)
    }
}

impl From<[u8; 4]> for ColorRange {
    /// Returns the range of one colour at one alpha.
    fn from(color: [u8; 4]) -> Self {
        Self { from: color, to: color }
    }
}

impl From<RangeInclusive<[u8; 3]>> for ColorRange {
    /// Returns a range of colours at every alpha.
    fn from(range: RangeInclusive<[u8; 3]>) -> Self {
        let ([r, g, b], [r2, g2, b2]) = range.into_inner();
        Self { from: [r, g, b, 0], to: [r2, g2, b2, 255] }
    }
}

impl From<RangeInclusive<[u8; 4]>> for ColorRange {
    fn from(range: RangeInclusive<[u8; 4]>) -> Self {
        let (from, to) = range.into_inner();
        Self { from, to }
    }
}

/// Reads 6 or 8 hexadecimal digits, with or without `#`; without alpha digits, `alpha`.
fn color(text: &str, alpha: u8) -> Option<[u8; 4]> {
    let text = text.trim();
    let digits = text.strip_prefix('#').unwrap_or(text);
    // The conversion below would take a sign for a digit.
    if !matches!(digits.len(), 6 | 8) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    if digits.len() == 8 {
        return Some(value.to_be_bytes());
    }
    let [_, r, g, b] = value.to_be_bytes();
    Some([r, g, b, alpha])
}

impl FromStr for ColorRange {
    type Err = CallError;

    /// Reads a colour or a range of colours.
    ///
    /// # Errors
    /// [`CallError::BadColor`] if the text is neither, or if a lower bound of the range exceeds its
    /// upper bound.
    fn from_str(text: &str) -> Result<Self, CallError> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let bounds = color(from, 0).zip(color(to, 255));
        let range = bounds.map(|(from, to)| Self { from, to });
        range
            .filter(|range| range.from.iter().zip(range.to).all(|(&from, to)| from <= to))
            .ok_or_else(|| CallError::BadColor { text: text.to_owned() })
    }
}

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
/// let lava = TexelRule { only_color: vec!["#f05000..#ff6010".parse()?], ..TexelRule::default() };
/// let mask = Mask::from_rgba(4, 1, texels.as_flattened(), lava)?;
/// assert_eq!(mask.to_string(), "#.#.\n");
/// # Ok::<(), hitmask::CallError>(())
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
/// # Ok::<(), hitmask::CallError>(())
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
    pub(crate) fn mask(&self, width: u32, height: u32, rgba: &[u8]) -> Result<Mask, CallError> {
        // Evaluates the alpha rule once per value instead of once per texel.
        let solid: [bool; 256] = std::array::from_fn(|value| self.alpha.is_solid(value as u8));
        self.mask_where(width, height, rgba, |value| solid[usize::from(value)])
    }

    /// As `mask`, with another test of the channel than the alpha rule.
    pub(crate) fn mask_where(
        &self,
        width: u32,
        height: u32,
        rgba: &[u8],
        is_solid: impl Fn(u8) -> bool,
    ) -> Result<Mask, CallError> {
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
    /// Returns the mask of an image from its alpha bytes, row by row without padding.
    ///
    /// # Errors
    /// [`CallError::TooLarge`], or [`CallError::WrongLength`] if `alpha` is not `width * height`
    /// bytes.
    pub fn from_alpha(
        width: u32,
        height: u32,
        alpha: &[u8],
        rule: AlphaRule,
    ) -> Result<Self, CallError> {
        Self::check_size(width, height)?;
        Self::from_texels(width, height, alpha, 1, |texel| rule.is_solid(texel[0]))
    }

    /// Returns the mask of an image from its bytes red, green, blue, alpha, row by row without
    /// padding.
    ///
    /// The rule is an [`AlphaRule`], or a [`TexelRule`] with colours and a channel. A bake with the
    /// same rule gives the same bits. Costs a few operations per texel and range of colours.
    ///
    /// # Errors
    /// [`CallError::TooLarge`], or [`CallError::WrongLength`] if `rgba` is not `4 * width * height`
    /// bytes.
    pub fn from_rgba(
        width: u32,
        height: u32,
        rgba: &[u8],
        rule: impl Into<TexelRule>,
    ) -> Result<Self, CallError> {
        Self::check_size(width, height)?;
        rule.into().mask(width, height, rgba)
    }
}

impl Channel {
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
