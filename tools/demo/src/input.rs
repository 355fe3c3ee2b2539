//! Keys, mouse and fingers as actions. Independent of the library that opens the window.

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Ten times as many sprites.
    More,
    /// A tenth of the sprites.
    Fewer,
    /// The next accuracy: exact, coarse, box.
    Accuracy,
    /// One thread, or as many as there are cores.
    Threads,
    /// The next naive comparison: none, drawn beforehand, redrawn for each pair.
    Naive,
    /// Stop or go on.
    Pause,
    /// One step while stopped.
    Step,
    /// Normals of overlaps.
    Normals,
    /// Boxes of pairs that overlap by box alone.
    Boxes,
    /// A closer view of the middle.
    Closer,
    /// A wider view of the middle.
    Wider,
    /// The whole area, or zoom 1 if it is shown already.
    ShowAll,
    /// Move the view.
    Left,
    /// Move the view.
    Right,
    /// Move the view.
    Up,
    /// Move the view.
    Down,
    /// Show or hide the list of keys.
    Help,
    /// Close the window.
    Quit,
}

impl Command {
    /// The keys that are listed in the window, with what they do.
    pub const HELP: [(&'static str, &'static str); 14] = [
        ("+ -", "10x more, fewer sprites"),
        ("A", "accuracy: exact, coarse, box"),
        ("T", "one thread or all"),
        ("V", "compare with naive tests"),
        ("Space", "pause"),
        (".", "single step"),
        ("N", "normals of contacts"),
        ("B", "boxes without contact"),
        ("Wheel, Z X", "zoom"),
        ("Arrows", "move the view"),
        ("F", "show all sprites"),
        ("Mouse", "grab a sprite, or the view"),
        ("H", "hide this list"),
        ("Q", "quit"),
    ];

    /// Returns the command of a key: a lower-case letter or a sign, an arrow for a cursor key.
    #[must_use]
    pub const fn of_key(key: char) -> Option<Self> {
        Some(match key {
            '+' | '=' => Self::More,
            '-' => Self::Fewer,
            'a' => Self::Accuracy,
            't' => Self::Threads,
            'v' => Self::Naive,
            ' ' => Self::Pause,
            '.' => Self::Step,
            'n' => Self::Normals,
            'b' => Self::Boxes,
            'z' => Self::Closer,
            'x' => Self::Wider,
            'f' => Self::ShowAll,
            '←' => Self::Left,
            '→' => Self::Right,
            '↑' => Self::Up,
            '↓' => Self::Down,
            'h' => Self::Help,
            'q' => Self::Quit,
            _ => return None,
        })
    }
}

/// One event of the user. Positions are in window pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// A key.
    Command(Command),
    /// A pointer went down: it grabs the sprite or the view there.
    Press([f32; 2]),
    /// The pointer that went down moved.
    Drag([f32; 2]),
    /// The pointer went up.
    Release,
    /// The pointer moved without a button, or left the window.
    Hover(Option<[f32; 2]>),
    /// The view moves by a number of pixels.
    Pan([f32; 2]),
    /// One step of zoom around a position.
    Zoom {
        /// The position that stays in place.
        at: [f32; 2],
        /// Whether sprites become larger.
        closer: bool,
    },
}

/// Ratio of distances of two fingers that gives one step of zoom.
const PINCH_STEP: f32 = 1.4;

/// Two fingers on the screen: they move the view and zoom.
#[derive(Clone, Debug, Default)]
pub struct Pinch {
    before: Option<[[f32; 2]; 2]>,
    /// Distance of the fingers at the last step of zoom.
    spread: f32,
}

impl Pinch {
    /// Takes the positions of two fingers in window pixels, or `None` if there are not two, and appends what they
    /// do to `actions`.
    pub fn update(&mut self, now: Option<[[f32; 2]; 2]>, actions: &mut Vec<Action>) {
        let middle = |[a, b]: [[f32; 2]; 2]| [0, 1].map(|axis| (a[axis] + b[axis]) / 2.0);
        let distance = |[a, b]: [[f32; 2]; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        if let (Some(before), Some(now)) = (self.before, now) {
            let ([x, y], at) = (middle(before), middle(now));
            if [x, y] != at {
                actions.push(Action::Pan([at[0] - x, at[1] - y]));
            }
            let spread = distance(now);
            if spread > self.spread * PINCH_STEP || spread * PINCH_STEP < self.spread {
                actions.push(Action::Zoom { at, closer: spread > self.spread });
                self.spread = spread;
            }
        } else if let Some(now) = now {
            self.spread = distance(now);
        }
        self.before = now;
    }
}
