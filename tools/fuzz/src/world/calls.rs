//! The calls of target `world`, decoded from bytes.

use arbitrary::Arbitrary;
use hitmask::{Angle, Line, Rect, Zone};

/// A number that a game could compute, including NaN and infinities.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) enum Number {
    Whole(i8),
    Part(i16),
    Far(u8),
    Bits(u32),
}

impl Number {
    pub(super) fn get(self) -> f32 {
        match self {
            Self::Whole(v) => v.into(),
            Self::Part(v) => f32::from(v) / 256.0,
            Self::Far(v) => {
                [1e9, -1e9, 2e9, 1_073_741_824.0, 8_388_608.5, 65_536.0, -3e8][usize::from(v) % 7]
            }
            Self::Bits(bits) => f32::from_bits(bits),
        }
    }
}

pub(super) type Place2 = [Number; 2];

pub(super) fn numbers<const N: usize>(numbers: [Number; N]) -> [f32; N] {
    numbers.map(Number::get)
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) enum Turn {
    Upright,
    Parts(u16),
    Radians(Number),
}

impl Turn {
    pub(super) fn get(self) -> Angle {
        match self {
            Self::Upright => Angle::default(),
            Self::Parts(parts) => Angle::turn(parts),
            Self::Radians(number) => Angle::radians(number.get()),
        }
    }
}

/// Settings of a collider.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) shape: u8,
    pub(super) frame: u8,
    pub(super) plane: u8,
    pub(super) flags: u8,
    pub(super) layers: u8,
    pub(super) scale: u8,
    pub(super) least: u8,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) enum Shape {
    Rect([i16; 4]),
    AnyRect([i32; 4]),
    Circle(Place2, Number),
    Ellipse(Place2, Place2),
    Line(Place2, Place2),
    Ray(Place2, Place2, Number),
    Point(Place2),
}

impl Shape {
    pub(super) fn zone(self) -> Option<Zone> {
        match self {
            Self::Rect([x, y, w, h]) => {
                let [x, y, w, h] = [x, y, w, h].map(|v| i32::from(v) / 16);
                Some(Zone::rect(Rect::new(x, y, x + w, y + h)))
            }
            Self::AnyRect([x0, y0, x1, y1]) => Some(Zone::rect(Rect::new(x0, y0, x1, y1))),
            Self::Circle(at, radius) => Zone::circle(numbers(at), radius.get()).ok(),
            Self::Ellipse(at, radii) => Zone::ellipse(numbers(at), numbers(radii)).ok(),
            Self::Point(at) => Zone::point(numbers(at)).ok(),
            Self::Line(..) | Self::Ray(..) => self.line().map(Zone::line),
        }
    }

    pub(super) fn line(self) -> Option<Line> {
        match self {
            Self::Line(from, to) => Line::new(numbers(from), numbers(to)).ok(),
            Self::Ray(from, way, length) => {
                Line::ray(numbers(from), numbers(way), length.get()).ok()
            }
            _ => None,
        }
    }
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub(super) enum Edit {
    Fill,
    Clear,
    Set(u8, u8),
    Rect([i16; 4]),
    /// Replaces the mask by one of another size.
    Replace(u8, u8),
}

#[derive(Arbitrary, Debug)]
pub(super) enum Call {
    Insert(Look, Place2, Turn),
    Set(u8, Look, Place2, Turn),
    Remove(u8),
    PlaceMany(Vec<(u8, Place2, Turn)>),
    MoveTo(Vec<(u8, Place2)>),
    InsertMask(u8, u8, u64, [i32; 2]),
    InsertTransformed([Number; 6], bool),
    Transform(u8, [Number; 6]),
    Edit(u8, Edit),
    RemoveMask(u8),
    Accuracy(u8),
    Update,
    UpdateWith(u32),
    Cast(u8, Place2),
    CastMask([i16; 2], [i32; 2]),
    Move(u8, Place2),
    Slide(u8, Place2, u8, u8),
    Query(Shape),
    Nearest(Place2, Number),
    Pick(Place2, Number),
    PushOut(u8, u32),
    FindFree([i16; 2], u32),
    Graze(u8, u32),
    Pair(u8, u8),
    Restore,
    GoBack,
    /// A round of all queries, once.
    Ask,
}
