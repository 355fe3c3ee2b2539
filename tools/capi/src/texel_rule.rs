//! The rule that turns pixels of an image into solid pixels: alpha, channel and colours.

use crate::handles::hm_mask;
use crate::mask::MaskState;
use crate::pointers::{answer, given, slice};
use crate::status::{Answer, Failure, hm_status};
use crate::types::{hm_alpha_test, hm_channel, hm_color_range, hm_texel_rule};
use hitmask::{AlphaRule, Channel, ColorRange, Mask, TexelRule};

/// Solid if the value is at least `alpha`. The default.
pub const HM_ALPHA_AT_LEAST: hm_alpha_test = 0;
/// Solid if the value is greater than `alpha`.
pub const HM_ALPHA_ABOVE: hm_alpha_test = 1;
/// Solid if all bits of `alpha` are set in the value.
pub const HM_ALPHA_BITS: hm_alpha_test = 2;

/// The fourth byte of a pixel. The default.
pub const HM_CHANNEL_ALPHA: hm_channel = 0;
/// The first byte.
pub const HM_CHANNEL_RED: hm_channel = 1;
/// The second byte.
pub const HM_CHANNEL_GREEN: hm_channel = 2;
/// The third byte.
pub const HM_CHANNEL_BLUE: hm_channel = 3;

/// The value of hm_texel_rule.cookie.
const COOKIE: u32 = 0x4854_584c;

/// Returns the default rule: solid if alpha is at least 128, at any colour.
#[unsafe(no_mangle)]
pub extern "C" fn hm_default_texel_rule() -> hm_texel_rule {
    hm_texel_rule { cookie: COOKIE, alpha: 128, ..hm_texel_rule::default() }
}

impl hm_texel_rule {
    pub(crate) fn of(rule: AlphaRule) -> Self {
        let (alpha_test, alpha) = match rule {
            AlphaRule::AtLeast(alpha) => (HM_ALPHA_AT_LEAST, alpha),
            AlphaRule::Above(alpha) => (HM_ALPHA_ABOVE, alpha),
            AlphaRule::Bits(alpha) => (HM_ALPHA_BITS, alpha),
        };
        Self { alpha_test, alpha, ..hm_default_texel_rule() }
    }

    pub(crate) fn read(&self) -> Answer<TexelRule> {
        if self.cookie != COOKIE {
            return Err(Failure::uninitialised("hm_texel_rule", self.cookie));
        }
        let alpha = match self.alpha_test {
            HM_ALPHA_AT_LEAST => AlphaRule::AtLeast(self.alpha),
            HM_ALPHA_ABOVE => AlphaRule::Above(self.alpha),
            HM_ALPHA_BITS => AlphaRule::Bits(self.alpha),
            other => {
                let allowed = "give HM_ALPHA_AT_LEAST, _ABOVE or _BITS (0 to 2)";
                return Failure::value("alpha_test", other, allowed);
            }
        };
        let channel = match self.channel {
            HM_CHANNEL_ALPHA => Channel::Alpha,
            HM_CHANNEL_RED => Channel::Red,
            HM_CHANNEL_GREEN => Channel::Green,
            HM_CHANNEL_BLUE => Channel::Blue,
            other => {
                let allowed = "give HM_CHANNEL_ALPHA, _RED, _GREEN or _BLUE (0 to 3)";
                return Failure::value("channel", other, allowed);
            }
        };
        let colors = |items, count, name| -> Answer<Vec<ColorRange>> {
            let ranges: &[hm_color_range] = slice(items, count, name)?;
            Ok(ranges.iter().map(|&hm_color_range { from, to }| ColorRange { from, to }).collect())
        };
        Ok(TexelRule {
            alpha,
            channel,
            exclude_color: colors(self.exclude, self.exclude_count, "exclude")?,
            only_color: colors(self.only, self.only_count, "only")?,
        })
    }
}

/// Creates a mask from an image as hm_mask_from_rgba() does, with a rule for alpha, channel and
/// colours.
///
/// Errors: HM_BAD_MASK if `count` is not 4 * width * height, HM_UNINITIALISED, HM_BAD_VALUE,
/// HM_NULL_POINTER, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_rgba_by_rule(
    width: u32,
    height: u32,
    rgba: *const u8,
    count: usize,
    rule: *const hm_texel_rule,
    mask: *mut *mut hm_mask,
) -> hm_status {
    answer(mask, || {
        let rule = given(rule, "rule")?.read()?;
        let rgba = slice(rgba, count, "rgba")?;
        MaskState::store(Mask::from_rgba(width, height, rgba, rule)?)
    })
}

/// Returns the number of hm_texel_rule.alpha, for HM_ALPHA_BITS, that classic pixel collision
/// libraries call an alpha tolerance of `tolerance`, from 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn hm_alpha_tolerance(tolerance: f32) -> u8 {
    match AlphaRule::tolerance(tolerance) {
        AlphaRule::AtLeast(bits) | AlphaRule::Above(bits) | AlphaRule::Bits(bits) => bits,
    }
}
