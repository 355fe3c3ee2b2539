//! A mask as a picture of half blocks: two rows of pixels in each line of a terminal.

use hitmask::MaskRef;

pub(super) fn blocks(mask: MaskRef<'_>) -> String {
    let (w, h) = (mask.width() as i32, mask.height() as i32);
    let mut text = String::new();
    for y in (0..h).step_by(2) {
        let line = (0..w).map(|x| match (mask.get(x, y), mask.get(x, y + 1)) {
            (true, true) => '\u{2588}',
            (true, false) => '\u{2580}',
            (false, true) => '\u{2584}',
            (false, false) => ' ',
        });
        text += line.collect::<String>().trim_end();
        text.push('\n');
    }
    text
}
