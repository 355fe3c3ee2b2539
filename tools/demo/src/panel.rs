//! Panels of text over the picture: meter, list of keys, and the pair under the pointer.

use crate::input::Command;
use crate::meter::Times;
use crate::picture::{Color, LETTER, Picture};
use hitmask::{Point, Rect};

const GROUND: Color = [10, 12, 18, 216];
const BORDER: Color = [58, 66, 88, 255];
const TEXT: Color = [214, 220, 232, 255];
const DIM: Color = [136, 146, 168, 255];
const ACCENT: Color = [255, 188, 92, 255];
/// Colours of the bars of the meter, in the order of its rows.
const BARS: [Color; 4] =
    [[255, 168, 62, 255], [52, 160, 168, 255], [84, 112, 160, 255], [206, 72, 72, 255]];

/// Width and height of a font pixel.
const ZOOM: [i32; 2] = [1, 2];
/// Width and height of a font pixel of the caption.
const CAPTION_ZOOM: [i32; 2] = [2, 2];
/// Width of a letter and height of a line.
const COLUMN: i32 = LETTER * ZOOM[0];
const LINE: i32 = LETTER * ZOOM[1] + 4;
const MARGIN: i32 = 12;
/// Distance of a panel from the edges of the window.
const GAP: i32 = 12;
/// Widest line of the explanation in letters.
const EXPLANATION_WIDTH: usize = 88;
/// Length of a bar for a frame of 1/60 s, in pixels.
const BAR_WIDTH: f64 = 90.0;
/// Letters of a row of the meter before its bar.
const BEFORE_BAR: i32 = 18;

/// A picture with an alpha channel, and its place in the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The pixels.
    pub picture: Picture,
    /// The corner of the window that the panel keeps to: 0 is left or top, 1 is right or bottom.
    corner: [i32; 2],
}

impl Panel {
    /// Returns the pixels of a window that the panel covers. A panel at the top goes below earlier ones that it would
    /// cover, as in the window of a phone.
    #[must_use]
    pub fn rect(&self, window: [i32; 2], earlier: &[Rect]) -> Rect {
        let [width, height] = self.picture.size();
        let [x, y] = [(0, width), (1, height)].map(|(axis, side)| match self.corner[axis] {
            0 => GAP,
            _ => (window[axis] - side - GAP).max(GAP),
        });
        let mut rect = Rect::new(x, y, x + width, y + height);
        for other in earlier {
            if self.corner[1] == 0 && rect.intersection(*other).is_some() {
                let y = other.y1 + GAP;
                rect = Rect::new(x, y, x + width, y + height);
            }
        }
        rect
    }

    fn new(columns: i32, rows: i32, corner: [i32; 2]) -> Self {
        let size = [columns * COLUMN + 2 * MARGIN, rows * LINE - 4 + 2 * MARGIN];
        let mut picture = Picture::new(size, GROUND);
        picture.frame(Rect::new(0, 0, size[0], size[1]), BORDER);
        for x in [0, size[0] - 1] {
            for y in [0, size[1] - 1] {
                picture.set(x, y, [0; 4]);
            }
        }
        Self { picture, corner }
    }

    fn write(&mut self, row: i32, column: i32, text: &str, color: Color) {
        let at = Point::new(MARGIN + column * COLUMN, MARGIN + row * LINE);
        self.picture.text(text, at, ZOOM, color);
    }
}

/// What the meter shows besides times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Status {
    pub(crate) sprites: usize,
    pub(crate) drawn: usize,
    /// What the last update found.
    pub(crate) found: String,
    /// Accuracy, threads and zoom.
    pub(crate) settings: String,
    pub(crate) paused: bool,
    /// Mode and answer of the naive side: pairs tested, and whether it agrees.
    pub(crate) naive: Option<(String, usize, bool)>,
}

pub(crate) fn meter(times: &Times, status: &Status) -> Panel {
    let rows = if status.naive.is_some() { 11 } else { 8 };
    let mut panel = Panel::new(29, rows, [0, 0]);
    panel.write(0, 0, "hitmask", ACCENT);
    let rate = match (status.paused, times.frame > 0.0) {
        (true, _) => "paused".into(),
        (false, true) => format!("{:.0} fps", 1.0 / times.frame),
        (false, false) => String::new(),
    };
    panel.write(0, 29 - rate.chars().count() as i32, &rate, TEXT);
    panel.write(1, 0, &format!("{} sprites", grouped(status.sprites)), TEXT);
    panel.write(2, 0, &format!("{} in view", grouped(status.drawn)), DIM);
    panel.write(3, 0, &status.found, TEXT);
    panel.write(4, 0, &status.settings, DIM);
    let mut bars = vec![("update", times.update), ("draw", times.draw), ("show", times.show)];
    let mut colors = vec![BARS[0], BARS[1], BARS[2]];
    if status.naive.is_some() {
        bars.push(("naive", times.naive));
        colors.push(BARS[3]);
    }
    for ((row, (name, seconds)), color) in (5..).zip(bars).zip(colors) {
        panel.write(row, 0, &format!("{name:6}{:>7.1} ms", seconds * 1e3), TEXT);
        let x = MARGIN + BEFORE_BAR * COLUMN;
        let y = MARGIN + row * LINE;
        let width = (seconds * 60.0).min(1.0) * BAR_WIDTH;
        panel.picture.fill(Rect::new(x, y + 3, x + BAR_WIDTH as i32, y + 13), BORDER);
        panel.picture.fill(Rect::new(x, y + 3, x + width as i32, y + 13), color);
    }
    if let Some((mode, pairs, agrees)) = &status.naive {
        let ratio = if times.update > 0.0 { times.naive / times.update } else { 0.0 };
        panel.write(9, 0, &format!("naive: {ratio:.1}x, {mode}"), ACCENT);
        let verdict = if *agrees { "same answer" } else { "ANOTHER ANSWER" };
        panel.write(10, 0, &format!("{} boxes, {verdict}", grouped(*pairs)), DIM);
    }
    panel
}

/// Returns the list of keys.
pub(crate) fn help() -> Panel {
    let column = Command::HELP.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0) as i32 + 2;
    let widest = Command::HELP.iter().map(|(_, what)| what.len()).max().unwrap_or(0) as i32;
    let mut panel = Panel::new(column + widest, Command::HELP.len() as i32, [1, 0]);
    for (row, (keys, what)) in (0..).zip(Command::HELP) {
        panel.write(row, 0, keys, ACCENT);
        panel.write(row, column, what, TEXT);
    }
    panel
}

/// Returns the explanation of a pair, as [`PairRef::explain`](hitmask::PairRef::explain) gives it.
pub(crate) fn explanation(text: &str, touches: bool) -> Panel {
    let lines: Vec<String> = text.lines().flat_map(|line| wrapped(line.trim())).collect();
    let mut panel = Panel::new(EXPLANATION_WIDTH as i32, lines.len() as i32, [0, 1]);
    for (row, line) in (0..).zip(&lines) {
        let color = match (row, touches) {
            (0, true) => ACCENT,
            (0, false) => TEXT,
            _ => DIM,
        };
        panel.write(row, 0, line, color);
    }
    panel
}

/// Returns a line of counts, each beside its colour.
pub(crate) fn caption(width: i32, parts: &[(Color, bool, String)]) -> Picture {
    let letter = LETTER * CAPTION_ZOOM[0];
    let mut picture =
        Picture::new([width, letter + 2 * MARGIN - 4], [GROUND[0], GROUND[1], GROUND[2], 255]);
    let (mut x, y) = (letter, MARGIN - 2);
    for (color, hollow, text) in parts {
        let swatch = Rect::new(x, y, x + letter, y + letter);
        if *hollow {
            picture.frame(swatch, *color);
        } else {
            picture.fill(swatch, *color);
        }
        x += letter * 3 / 2;
        picture.text(text, Point::new(x, y), CAPTION_ZOOM, TEXT);
        x += letter * (text.len() as i32 + 2);
    }
    picture
}

/// Breaks a line between words. The following lines are indented.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.chars().count() > EXPLANATION_WIDTH {
            lines.push(" ".into());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// Returns a number with commas between its thousands.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
