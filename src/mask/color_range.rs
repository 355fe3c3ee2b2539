//! Ranges of colours and their text form.
//!
//! Used by `texel_rule`. The baker, its manifest and the command line read colours with the parser
//! of this file.

use super::MaskError;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A range of colours: red, green, blue and alpha each lie between two values.
///
/// A colour without alpha stands for that colour at every alpha.
///
/// ```
/// use hitmask::ColorRange;
/// let magenta = ColorRange::from([255, 0, 255]);
/// let nearly = ColorRange::near([255, 0, 255], 8);
/// let dark = ColorRange::from([0, 0, 0]..=[40, 40, 60]);
/// assert!(magenta.contains([255, 0, 255, 9]) && !magenta.contains([250, 0, 255, 9]));
/// assert!(nearly.contains([250, 5, 255, 255]) && dark.contains([40, 0, 9, 255]));
/// // A soft shadow: black with an alpha of at most 127.
/// let shadow = ColorRange::from([0, 0, 0]).with_alpha(0..=127);
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
/// let shadow = ColorRange::from([0; 3]..=[32; 3]).with_alpha(0..=127);
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
    /// Returns the range of colours that differ by at most `tolerance` from `color` in each of red,
    /// green and blue, at every alpha.
    #[must_use]
    pub fn near(color: [u8; 3], tolerance: u8) -> Self {
        let from = color.map(|part| part.saturating_sub(tolerance));
        Self::from(from..=color.map(|part| part.saturating_add(tolerance)))
    }

    /// Returns the range with other bounds of alpha.
    ///
    /// ```
    /// use hitmask::ColorRange;
    /// let faint_red = ColorRange::near([255, 0, 0], 20).with_alpha(1..=99);
    /// assert!(faint_red.contains([250, 0, 0, 99]) && !faint_red.contains([250, 0, 0, 100]));
    /// ```
    #[must_use]
    pub fn with_alpha(self, alpha: RangeInclusive<u8>) -> Self {
        let ([r, g, b, _], [r2, g2, b2, _]) = (self.from, self.to);
        Self { from: [r, g, b, *alpha.start()], to: [r2, g2, b2, *alpha.end()] }
    }

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

/// Reads 6 or 8 hexadecimal digits, with or without `#`. Digits of alpha that are not there become
/// `alpha`.
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
    type Err = MaskError;

    /// Reads a colour or a range of colours.
    ///
    /// # Errors
    /// [`MaskError::BadColor`] if the text is neither, or if a lower bound of the range exceeds its
    /// upper bound.
    fn from_str(text: &str) -> Result<Self, MaskError> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let bounds = color(from, 0).zip(color(to, 255));
        let range = bounds.map(|(from, to)| Self { from, to });
        range
            .filter(|range| range.from.iter().zip(range.to).all(|(&from, to)| from <= to))
            .ok_or_else(|| MaskError::BadColor { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_has_6_or_8_digits_and_a_range_has_ordered_bounds() {
        let range = |from, to| Ok(ColorRange { from, to });
        for (text, expected) in [
            ("#0a0B0c", range([10, 11, 12, 0], [10, 11, 12, 255])),
            ("0a0b0c", range([10, 11, 12, 0], [10, 11, 12, 255])),
            ("#0a0b0c0d", range([10, 11, 12, 13], [10, 11, 12, 13])),
            (" #000000 .. #010203 ", range([0; 4], [1, 2, 3, 255])),
            ("#00000005..#010203", range([0, 0, 0, 5], [1, 2, 3, 255])),
            ("#000000..#01020304", range([0; 4], [1, 2, 3, 4])),
        ] {
            assert_eq!(text.parse::<ColorRange>(), expected, "{text}");
        }
        for text in [
            "",
            "red",
            "#fff",
            "#0000000",
            "##000000",
            "+00000",
            "#+0000000",
            "#ff00fg",
            "..",
            "#000000..",
            "#000000..#010101..#020202",
            "#000001..#000000",
            "#00000002..#00000001",
            "\u{e9}\u{e9}\u{e9}",
        ] {
            let error = text.parse::<ColorRange>().unwrap_err();
            assert_eq!(error, MaskError::BadColor { text: text.to_owned() });
        }
    }
}
