//! Parsers of command-line amounts: positive numbers with an optional unit suffix.

use std::str::FromStr;

/// Parses a number of pixels: `1` or `1px`.
pub(crate) fn pixels<T: FromStr + Copy + Into<f64>>(text: &str) -> Result<T, String> {
    amount(text, "px", "pixels, such as 1 or 1px")
}

/// Parses a number of megabytes: `64` or `64mb`.
pub(crate) fn megabytes(text: &str) -> Result<f64, String> {
    amount(text, "mb", "megabytes, such as 64 or 64mb")
}

/// Parses a positive finite number with an optional `unit` suffix in any case.
fn amount<T>(text: &str, unit: &str, examples: &str) -> Result<T, String>
where
    T: FromStr + Copy + Into<f64>,
{
    let text = text.trim();
    let number = text.len().checked_sub(unit.len()).and_then(|at| text.split_at_checked(at));
    let number = number.filter(|(_, end)| end.eq_ignore_ascii_case(unit)).map(|(number, _)| number);
    let amount: Option<T> = number.unwrap_or(text).trim_end().parse().ok();
    let amount = amount.ok_or_else(|| format!("not a number: give {examples}"))?;
    let size: f64 = amount.into();
    let is_good = size > 0.0 && size.is_finite();
    is_good.then_some(amount).ok_or_else(|| format!("give a positive number of {examples}"))
}
