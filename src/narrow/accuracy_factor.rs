//! Accuracies by a factor, as older collision systems give them.
//!
//! Called by users of single pairs and of queries. Invariant: every factor above 0 has a level.

use super::Accuracy;
use std::borrow::Cow;
use std::fmt;

impl Accuracy {
    /// Returns the level nearest to an accuracy factor. At factor f a test looks at cells of 1 / f
    /// pixels: 1 is exact, below 1 is coarser.
    ///
    /// | Factor | Level | Its cells |
    /// |---|---|---|
    /// | 0.354 (1 / sqrt 8) and above | [`Exact`](Self::Exact) | 1 px |
    /// | 0.0442 (1 / sqrt 512) to 0.354 | [`Coarse`](Self::Coarse) | 8 px |
    /// | above 0, below 0.0442 | [`Box`](Self::Box) | counted as 64 px |
    ///
    /// The nearest level is the one with the least ratio of cell sizes. Above 1 the answer is
    /// [`Exact`](Self::Exact), because an atlas holds no finer pixels. AtlasBuilder it at a
    /// [resolution](crate::AtlasBuilder::resolution) of 2, 4 or 8 for those.
    ///
    /// ```
    /// use hitmask::Accuracy;
    ///
    /// let levels = [0.01, 0.1, 0.5, 1.0, 4.0].map(|factor| Accuracy::from_factor(factor).unwrap());
    /// let exact = Accuracy::Exact;
    /// assert_eq!(levels, [Accuracy::Box, Accuracy::Coarse, exact, exact, exact]);
    /// let error = Accuracy::from_factor(0.0).unwrap_err();
    /// assert_eq!(error.to_string(), "accuracy factor 0 is not above 0");
    /// ```
    ///
    /// # Errors
    /// Returns [`AccuracyError`] if the factor is not above 0.
    pub fn from_factor(factor: f32) -> Result<Self, AccuracyError> {
        // Squared in f64, so that the borders are exact: 1 / 8 and 1 / 512.
        let square = f64::from(factor) * f64::from(factor);
        match factor {
            _ if factor.is_nan() || factor <= 0.0 => Err(AccuracyError { factor }),
            _ if square >= 1.0 / 8.0 => Ok(Self::Exact),
            _ if square >= 1.0 / 512.0 => Ok(Self::Coarse),
            _ => Ok(Self::Box),
        }
    }
}

/// Error of [`Accuracy::from_factor`]: the factor is not above 0.
///
/// ```
/// let error = hitmask::Accuracy::from_factor(-1.0).unwrap_err();
/// assert_eq!(error.help(), "give a factor above 0: 1 for pixels, 0.1 for cells, 0.01 for boxes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AccuracyError {
    /// The offending factor.
    pub factor: f32,
}

impl fmt::Display for AccuracyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accuracy factor {} is not above 0", self.factor)
    }
}

impl AccuracyError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        "give a factor above 0: 1 for pixels, 0.1 for cells, 0.01 for boxes".into()
    }
}

impl std::error::Error for AccuracyError {}
