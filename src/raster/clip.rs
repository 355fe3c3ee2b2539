/// Where along a row a coordinate of the source lies inside it.
///
/// Along a row the coordinate goes in equal steps, so the samples inside are a range. Its ends are
/// quotients: guessed by a multiplication with 1 / step, which is pipelined where a 64-bit
/// division is not, and then put right in integers, so that they are exact whatever the guess.
#[derive(Clone, Copy)]
pub(super) struct Clip {
    step: i64,
    /// 1 / |step|.
    inverse: f64,
    end: i64,
    samples: i64,
}

impl Clip {
    /// For rows of `samples` samples, the coordinate growing by `step` from one to the next, and
    /// inside from 0 to below `end`.
    pub(super) fn new(step: i64, end: i64, samples: i64) -> Self {
        Self { step, inverse: 1.0 / step.unsigned_abs() as f64, end, samples }
    }

    pub(super) const fn step(self) -> i64 {
        self.step
    }

    /// The i of a row, as a range, for which 0 <= at + i step < end.
    #[inline(always)]
    pub(super) fn inside(self, at: i64) -> (i64, i64) {
        let (low, high) = match self.step.signum() {
            0 if (0..self.end).contains(&at) => (0, self.samples),
            0 => (0, 0),
            // at + i step >= 0 from the first of these on, and >= end from the second.
            1 => (self.steps_to(-at), self.steps_to(self.end - at)),
            // Going down, the ends change places: at + i step <= end - 1, then < 0.
            _ => (self.steps_to(at - (self.end - 1)), self.steps_to(at + 1)),
        };
        (low.max(0), high.min(self.samples))
    }

    /// The least number of steps that come to `distance` or more.
    #[inline(always)]
    fn steps_to(self, distance: i64) -> i64 {
        let step = self.step.abs();
        let mut steps = (distance as f64 * self.inverse) as i64;
        while steps * step < distance {
            steps += 1;
        }
        while (steps - 1) * step >= distance {
            steps -= 1;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(at: i64, step: i64, end: i64) {
        let (low, high) = Clip::new(step, end, 12).inside(at);
        for i in 0..12 {
            let is_inside = (0..end).contains(&(at + i * step));
            assert_eq!((low..high).contains(&i), is_inside, "{at} {step} {end} {i}");
        }
    }

    #[test]
    fn the_range_inside_is_what_stepping_finds() {
        for at in -20..20 {
            for step in -7..=7 {
                for end in [1, 5, 16] {
                    hold(at, step, end);
                }
            }
        }
        // As large as the largest image and pivot make them, and just beside whole quotients.
        for step in [1, 3, (1 << 31) - 1, 1 << 31, (1 << 38) + 7] {
            for end in [1 << 33, 300 << 33, 16_384 << 33] {
                for at in (-6..=6).map(|i| i * step) {
                    for off in -1..=1 {
                        hold(at + off, step, end);
                        hold(at + off, -step, end);
                        hold(end + at + off, -step, end);
                    }
                }
            }
        }
    }
}
