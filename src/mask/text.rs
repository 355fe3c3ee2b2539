//! Masks from and to text: `#` for a set pixel, `.` for a clear one.
//!
//! Used by tests, examples and debug output.

use super::{Mask, MaskError};
use std::fmt;
use std::str::FromStr;

/// Parses rows of `#` (set) and `.` (clear). Indentation and blank lines are ignored, so that a
/// picture can be indented in source code. Text without rows is the 0 x 0 mask.
impl FromStr for Mask {
    type Err = MaskError;

    fn from_str(text: &str) -> Result<Self, MaskError> {
        let rows: Vec<(usize, usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.len() - line.trim_start().len(), line.trim()))
            .filter(|(.., row)| !row.is_empty())
            .collect();
        let width = rows.first().map_or(0, |(.., row)| row.chars().count());
        let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut mask = Self::new(side(width), side(rows.len()))?;
        for (y, &(line, indent, row)) in rows.iter().enumerate() {
            let got = row.chars().count();
            if got != width {
                return Err(MaskError::RaggedRow { line, expected: width, got });
            }
            for (x, found) in row.chars().enumerate() {
                match found {
                    '#' => mask.set(x as i32, y as i32, true),
                    '.' => {}
                    _ => {
                        let column = indent + x + 1;
                        return Err(MaskError::BadCharacter { found, line, column });
                    }
                }
            }
        }
        Ok(mask)
    }
}

/// One line per row, `#` for a set pixel and `.` for a clear one.
impl<P: AsRef<[u64]>> fmt::Display for Mask<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.height() as i32 {
            let row: String =
                (0..self.width() as i32).map(|x| if self.get(x, y) { '#' } else { '.' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsed_text_prints_unchanged() {
        let text = "..##..\n######\n#....#\n";
        assert_eq!(text.parse::<Mask>().unwrap().to_string(), text);
        let wide = format!("{}#\n", ".".repeat(129));
        assert_eq!(wide.parse::<Mask>().unwrap().to_string(), wide);
        assert_eq!("".parse::<Mask>().unwrap().to_string(), "");
    }

    #[test]
    fn a_bad_picture_is_refused_with_its_line_and_column() {
        assert_eq!(
            "\n  .#\n  .o".parse::<Mask>(),
            Err(MaskError::BadCharacter { found: 'o', line: 3, column: 4 })
        );
        assert_eq!(
            "##\n#".parse::<Mask>(),
            Err(MaskError::RaggedRow { line: 2, expected: 2, got: 1 })
        );
    }
}
