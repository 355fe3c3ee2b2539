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

/// A finger on the screen, or the mouse while its button is down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// A number that stays while the finger is down.
    pub id: u64,
    /// Its position in window pixels.
    pub at: [f32; 2],
}

/// Ratio of distances of two fingers that gives one step of zoom.
const PINCH_STEP: f32 = 1.4;

/// Turns pointers that are down into actions. One pointer grabs and drags. Two pointers move the
/// view and zoom.
#[derive(Clone, Debug, Default)]
pub struct Pointers {
    down: Vec<Touch>,
    /// Distance of two fingers at the last step of zoom.
    spread: f32,
}

impl Pointers {
    /// Takes the pointers that are down now, and appends what they do to `actions`.
    pub fn update(&mut self, now: &[Touch], actions: &mut Vec<Action>) {
        let mut now = now.to_vec();
        now.sort_by_key(|touch| touch.id);
        let same = self.down.iter().map(|t| t.id).eq(now.iter().map(|t| t.id));
        match (self.down.as_slice(), now.as_slice()) {
            ([before], [after]) if same => {
                if before.at != after.at {
                    actions.push(Action::Drag(after.at));
                }
            }
            ([a, b], [c, d]) if same => {
                let (before, after) = (middle(a, b), middle(c, d));
                let by = [after[0] - before[0], after[1] - before[1]];
                if by != [0.0; 2] {
                    actions.push(Action::Pan(by));
                }
                let spread = distance(c, d);
                if spread > self.spread * PINCH_STEP || spread * PINCH_STEP < self.spread {
                    let closer = spread > self.spread;
                    actions.push(Action::Zoom { at: after, closer });
                    self.spread = spread;
                }
            }
            _ if same => {}
            (before, after) => {
                if before.len() == 1 {
                    actions.push(Action::Release);
                }
                match after {
                    // A finger that remains of two does not grab.
                    [touch] if before.len() <= 1 => actions.push(Action::Press(touch.at)),
                    [a, b] => self.spread = distance(a, b),
                    _ => {}
                }
            }
        }
        self.down = now;
    }
}

fn middle(a: &Touch, b: &Touch) -> [f32; 2] {
    [(a.at[0] + b.at[0]) / 2.0, (a.at[1] + b.at[1]) / 2.0]
}

fn distance(a: &Touch, b: &Touch) -> f32 {
    (a.at[0] - b.at[0]).hypot(a.at[1] - b.at[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(frames: &[&[(u64, [f32; 2])]]) -> Vec<Action> {
        let (mut pointers, mut actions) = (Pointers::default(), Vec::new());
        for frame in frames {
            let touches: Vec<Touch> = frame.iter().map(|&(id, at)| Touch { id, at }).collect();
            pointers.update(&touches, &mut actions);
        }
        actions
    }

    #[test]
    fn one_pointer_presses_drags_and_releases() {
        let frames: [&[_]; 5] =
            [&[(0, [5.0, 5.0])], &[(0, [5.0, 5.0])], &[(0, [9.0, 5.0])], &[], &[]];
        let expected = [Action::Press([5.0, 5.0]), Action::Drag([9.0, 5.0]), Action::Release];
        assert_eq!(actions(&frames), expected);
    }

    #[test]
    fn two_fingers_move_the_view_and_zoom_in_steps() {
        let frames: [&[_]; 5] = [
            &[(3, [100.0, 100.0])],
            &[(7, [200.0, 100.0]), (3, [100.0, 100.0])],
            &[(3, [110.0, 120.0]), (7, [210.0, 120.0])],
            &[(3, [60.0, 120.0]), (7, [260.0, 120.0])],
            &[(7, [260.0, 120.0])],
        ];
        let expected = [
            Action::Press([100.0, 100.0]),
            Action::Release,
            Action::Pan([10.0, 20.0]),
            Action::Zoom { at: [160.0, 120.0], closer: true },
        ];
        assert_eq!(actions(&frames), expected);
    }

    #[test]
    fn fingers_that_close_zoom_out() {
        let frames: [&[_]; 2] =
            [&[(1, [0.0, 0.0]), (2, [100.0, 0.0])], &[(1, [30.0, 0.0]), (2, [70.0, 0.0])]];
        let expected = [Action::Zoom { at: [50.0, 0.0], closer: false }];
        assert_eq!(actions(&frames), expected);
    }

    #[test]
    fn a_finger_that_replaces_another_presses_anew() {
        let frames: [&[_]; 2] = [&[(1, [0.0, 0.0])], &[(2, [9.0, 9.0])]];
        let expected = [Action::Press([0.0, 0.0]), Action::Release, Action::Press([9.0, 9.0])];
        assert_eq!(actions(&frames), expected);
    }

    #[test]
    fn every_listed_key_has_a_command_of_its_own() {
        let mut commands = Vec::new();
        for (keys, what) in Command::HELP {
            for key in keys.split(' ').filter(|key| key.chars().count() == 1) {
                let key = key.chars().next().unwrap().to_ascii_lowercase();
                let command = Command::of_key(key);
                assert!(command.is_some_and(|it| !commands.contains(&it)), "{key}: {what}");
                commands.extend(command);
            }
        }
        assert_eq!(commands.len(), 12);
        for key in [' ', '←', '→', '↑', '↓'] {
            assert!(Command::of_key(key).is_some());
        }
        assert_eq!(Command::of_key('ß'), None);
    }
}
