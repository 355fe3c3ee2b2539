//! Times of the parts of a frame, averaged so that they can be read.

/// Seconds of the parts of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Computing the places of all sprites: the work of a game.
    pub motion: f64,
    /// Passing the places to the world, and its update.
    pub update: f64,
    /// Drawing the picture.
    pub draw: f64,
    /// The naive tests of the same pairs.
    pub naive: f64,
    /// Showing the picture: upload, GPU, and waiting for the display.
    pub show: f64,
    /// The whole frame.
    pub frame: f64,
}

impl Times {
    fn fields(&mut self) -> [&mut f64; 6] {
        let Self { motion, update, draw, naive, show, frame } = self;
        [motion, update, draw, naive, show, frame]
    }
}

/// Averages times over half a second.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    sum: Times,
    frames: u32,
    shown: Times,
    /// Times of all frames, if they are kept.
    all: Option<Vec<Times>>,
}

/// Time after which the averages are shown, in seconds.
const SPAN: f64 = 0.5;

impl Meter {
    /// Creates a meter that also keeps the times of each frame, for [`medians`](Self::medians).
    #[must_use]
    pub fn keeping() -> Self {
        Self { all: Some(Vec::new()), ..Self::default() }
    }

    /// Adds a frame. Returns whether new averages are shown.
    pub fn add(&mut self, mut times: Times) -> bool {
        if let Some(all) = &mut self.all {
            all.push(times);
        }
        for (sum, time) in self.sum.fields().into_iter().zip(times.fields()) {
            *sum += *time;
        }
        self.frames += 1;
        if self.sum.frame < SPAN {
            return false;
        }
        self.shown = self.sum;
        for mean in self.shown.fields() {
            *mean /= f64::from(self.frames);
        }
        (self.sum, self.frames) = (Times::default(), 0);
        true
    }

    /// Returns the averages of the last half second that is complete.
    #[must_use]
    pub const fn shown(&self) -> Times {
        self.shown
    }

    /// Returns the median of each part over all frames but the first `skipped`; `None` if no frame
    /// was kept.
    #[must_use]
    pub fn medians(&self, skipped: usize) -> Option<Times> {
        let mut kept = self.all.as_ref()?.get(skipped..)?.to_vec();
        let mut medians = Times::default();
        for (i, median) in medians.fields().into_iter().enumerate() {
            let mut part: Vec<f64> = kept.iter_mut().map(|times| *times.fields()[i]).collect();
            part.sort_by(f64::total_cmp);
            *median = *part.get(part.len() / 2)?;
        }
        Some(medians)
    }
}
