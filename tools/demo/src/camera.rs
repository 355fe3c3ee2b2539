//! The camera: which part of the world the window shows, and how large.
//!
//! The picture is drawn at the size of world pixels and the window repeats each pixel, or it is
//! drawn at the size of window pixels and reduced. So every zoom has whole ratios, and all pixels
//! of a picture are equally large.

use crate::art::MAX_HALVINGS;
use hitmask::Rect;
use std::fmt;
use std::str::FromStr;

/// A ratio of window pixels to world pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// Each world pixel is this many window pixels wide.
    In(i32),
    /// Each window pixel is 2^k world pixels wide.
    Out(u32),
}

/// The magnifications, in order.
const MAGNIFIED: [i32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

impl Zoom {
    /// Returns window pixels per world pixel.
    #[must_use]
    pub fn factor(self) -> f64 {
        match self {
            Self::In(n) => f64::from(n),
            Self::Out(k) => 1.0 / f64::from(1 << k),
        }
    }

    /// Returns the next larger or smaller zoom; the same one at the end.
    #[must_use]
    pub fn stepped(self, closer: bool) -> Self {
        match (self, closer) {
            (Self::Out(1), true) => Self::In(1),
            (Self::Out(k), true) => Self::Out(k - 1),
            (Self::Out(k), false) => Self::Out((k + 1).min(MAX_HALVINGS)),
            (Self::In(1), false) => Self::Out(1),
            (Self::In(n), true) => Self::In(MAGNIFIED.into_iter().find(|&m| m > n).unwrap_or(n)),
            (Self::In(n), false) => Self::In(MAGNIFIED.into_iter().rfind(|&m| m < n).unwrap_or(1)),
        }
    }

    /// Returns the width of a window pixel in whole world pixels, at least 1.
    pub(crate) const fn world_per_pixel(self) -> i32 {
        match self {
            Self::In(_) => 1,
            Self::Out(k) => 1 << k,
        }
    }

    /// Returns the width of a picture pixel in window pixels.
    #[must_use]
    pub const fn repeat(self) -> i32 {
        match self {
            Self::In(n) => n,
            Self::Out(_) => 1,
        }
    }
}

impl fmt::Display for Zoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(n) => write!(f, "{n}"),
            Self::Out(k) => write!(f, "1/{}", 1 << k),
        }
    }
}

impl FromStr for Zoom {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let magnified = MAGNIFIED.map(Self::In).into_iter();
        let mut all = magnified.chain((1..=MAX_HALVINGS).map(Self::Out));
        all.find(|zoom| zoom.to_string() == text).ok_or_else(|| {
            "give 1/64, 1/32, 1/16, 1/8, 1/4, 1/2, 1, 2, 3, 4, 6, 8, 12 or 16".into()
        })
    }
}

/// The visible part of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// Width and height of the window in pixels.
    pub(crate) window: [i32; 2],
    /// The world position in the middle of the window.
    pub(crate) centre: [f64; 2],
    /// The zoom.
    pub(crate) zoom: Zoom,
}

impl Camera {
    /// Returns a camera on the middle of an area from (0, 0). Without a zoom, it shows the whole area.
    pub(crate) fn new(window: [i32; 2], size: [f32; 2], zoom: Option<Zoom>) -> Self {
        let mut camera = Self { window, centre: [0.0; 2], zoom: Zoom::In(1) };
        camera.show_all(size);
        camera.zoom = zoom.unwrap_or(camera.zoom);
        camera
    }

    /// Returns width and height of the picture to draw, in its own pixels. Repeated by
    /// [`Zoom::repeat`], it covers the window.
    pub(crate) fn picture_size(&self) -> [i32; 2] {
        let repeat = self.zoom.repeat();
        self.window.map(|side| (side + repeat - 1) / repeat)
    }

    /// Returns the world pixel at the top left of the picture. It is a multiple of the width of a
    /// picture pixel.
    pub(crate) fn origin(&self) -> [i32; 2] {
        let step = f64::from(self.zoom.world_per_pixel());
        [0, 1].map(|axis| {
            let half = f64::from(self.window[axis]) / 2.0 / self.zoom.factor();
            (((self.centre[axis] - half) / step).floor() * step) as i32
        })
    }

    /// Returns the world pixels that picture pixels show.
    pub(crate) fn in_world(&self, Rect { x0, y0, x1, y1 }: Rect) -> Rect {
        let ([x, y], side) = (self.origin(), self.zoom.world_per_pixel());
        Rect::new(x + x0 * side, y + y0 * side, x + x1 * side, y + y1 * side)
    }

    /// Returns the picture pixels that show world pixels.
    pub(crate) fn in_picture(&self, Rect { x0, y0, x1, y1 }: Rect) -> Rect {
        let ([x, y], side) = (self.origin(), self.zoom.world_per_pixel());
        let at = |at: i32, origin: i32| (at - origin).div_euclid(side);
        Rect::new(at(x0, x), at(y0, y), at(x1 - 1, x) + 1, at(y1 - 1, y) + 1)
    }

    /// Returns the world position shown at a window position.
    pub(crate) fn to_world(self, at: [f32; 2]) -> [f32; 2] {
        let origin = self.origin();
        let factor = self.zoom.factor();
        [0, 1].map(|axis| (f64::from(origin[axis]) + f64::from(at[axis]) / factor) as f32)
    }

    /// Moves the content of the window by a number of window pixels.
    pub(crate) fn pan(&mut self, by: [f32; 2]) {
        for axis in [0, 1] {
            self.centre[axis] -= f64::from(by[axis]) / self.zoom.factor();
        }
    }

    /// Moves the view along with a sprite, at zoom 1 and above.
    pub(crate) fn follow(&mut self, from: [f32; 2], to: [f32; 2]) {
        if self.zoom.factor() >= 1.0 {
            self.centre =
                [0, 1].map(|axis| self.centre[axis] + f64::from(to[axis]) - f64::from(from[axis]));
        }
    }

    /// Zooms by one step, and keeps the world position at a window position in place.
    pub(crate) fn zoom_at(&mut self, at: [f32; 2], closer: bool) {
        let from_middle =
            [0, 1].map(|axis| f64::from(at[axis]) - f64::from(self.window[axis]) / 2.0);
        let shown = [0, 1].map(|axis| self.centre[axis] + from_middle[axis] / self.zoom.factor());
        self.zoom = self.zoom.stepped(closer);
        self.centre = [0, 1].map(|axis| shown[axis] - from_middle[axis] / self.zoom.factor());
    }

    /// Shows a whole area from (0, 0), as large as it fits.
    pub(crate) fn show_all(&mut self, size: [f32; 2]) {
        let size = size.map(f64::from);
        self.centre = size.map(|side| side / 2.0);
        self.zoom = Zoom::In(MAGNIFIED[MAGNIFIED.len() - 1]);
        let fits = |zoom: Zoom| {
            (0..2).all(|axis| size[axis] * zoom.factor() <= f64::from(self.window[axis]) + 0.5)
        };
        while !fits(self.zoom) && self.zoom != self.zoom.stepped(false) {
            self.zoom = self.zoom.stepped(false);
        }
    }
}
