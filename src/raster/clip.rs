/// Which samples of a row lie inside the source on one axis, from row to row.
///
/// Along a row the coordinate goes in equal steps, so the samples inside are a range. Its ends are
/// quotients, which grow by the same amount from one row to the next: divided once, then carried
/// on by additions, in whole numbers and so exactly.
#[derive(Clone, Copy)]
pub(super) struct Clip {
    /// First sample inside, and first past them; for rows along which the coordinate stands still,
    /// the coordinate itself from either end of the source.
    ends: [Quotient; 2],
    samples: i64,
    stands_still: bool,
}

/// A distance in steps, rounded up, and how it grows.
#[derive(Clone, Copy)]
struct Quotient {
    steps: i64,
    /// What the distance is beyond the steps before, less one: from 0 to below `step`.
    rest: i64,
    step: i64,
    grows: [i64; 2],
}

impl Quotient {
    fn new(distance: i64, grows: i64, step: i64) -> Self {
        let up = distance + step - 1;
        Self {
            steps: up.div_euclid(step),
            rest: up.rem_euclid(step),
            step,
            grows: [grows.div_euclid(step), grows.rem_euclid(step)],
        }
    }

    #[inline(always)]
    fn next(&mut self) -> i64 {
        let steps = self.steps;
        let rest = self.rest + self.grows[1];
        let carries = rest >= self.step;
        self.rest = if carries { rest - self.step } else { rest };
        self.steps += self.grows[0] + i64::from(carries);
        steps
    }
}

impl Clip {
    /// For rows of `samples` samples: the coordinate begins at `at` in the first, grows by `along`
    /// from one sample to the next and by `down` from one row to the next, and is inside from 0 to
    /// below `end`.
    pub(super) fn new(at: i64, along: i64, down: i64, end: i64, samples: u32) -> Self {
        // Going down, the ends change places: at + i step <= end - 1, then < 0.
        let (distance, grows) = if along < 0 { (at - (end - 1), down) } else { (-at, -down) };
        let step = along.abs().max(1);
        let ends = [distance, distance + end].map(|d| Quotient::new(d, grows, step));
        Self { ends, samples: samples.into(), stands_still: along == 0 }
    }

    /// The samples of the next row, as a range, whose coordinate is inside.
    #[inline(always)]
    pub(super) fn next(&mut self) -> (i64, i64) {
        let [low, high] = [self.ends[0].next(), self.ends[1].next()];
        if self.stands_still {
            // These are -at and end - at.
            return (0, if low <= 0 && high > 0 { self.samples } else { 0 });
        }
        (low.max(0), high.min(self.samples))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(at: i64, along: i64, down: i64, end: i64) {
        let mut clip = Clip::new(at, along, down, end, 12);
        for row in 0..5 {
            let (low, high) = clip.next();
            for i in 0..12 {
                let is_inside = (0..end).contains(&(at + i * along + row * down));
                assert_eq!((low..high).contains(&i), is_inside, "{at} {along} {down} {end} {i}");
            }
        }
    }

    #[test]
    fn the_range_inside_is_what_stepping_finds() {
        for at in -20..20 {
            for along in -7..=7 {
                for down in [-3, 0, 1, 9] {
                    for end in [1, 5, 16] {
                        hold(at, along, down, end);
                    }
                }
            }
        }
        // As large as the largest image and pivot make them, and just beside whole quotients.
        for along in [1, 3, (1 << 31) - 1, 1 << 31, (1 << 38) + 7] {
            for end in [1 << 33, 300 << 33, 16_384 << 33] {
                for at in (-6..=6).map(|i| i * along) {
                    for off in -1..=1 {
                        for down in [along, -along, 1 << 37, 5 - (1 << 30)] {
                            hold(at + off, along, down, end);
                            hold(at + off, -along, down, end);
                            hold(end + at + off, -along, down, end);
                        }
                    }
                }
            }
        }
    }
}
