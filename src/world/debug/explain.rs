//! Why two colliders touch, or do not.

use crate::geom::{Flip, Point, Rect};
use crate::narrow::{Accuracy, Certainty, Contact};
use crate::pose::{Angle, Pose};
use crate::world::state::placement;
use crate::world::state::view::WorldView;
use crate::world::{Collider, ColliderId, Pair, Shape, World};
use std::fmt;

/// One side of an [`Explanation`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedCollider {
    /// The collider.
    pub id: ColliderId,
    /// Its sprite's name; `None` for a mask made at run time.
    pub sprite: Option<String>,
    /// As it was placed.
    pub collider: Collider,
    /// The baked pose that is shown.
    pub pose: Pose,
    /// From the angle asked for to that of the pose, in radians, from -pi to pi.
    pub angle_error: f32,
    /// From the scale asked for to that of the pose.
    pub scale_error: f32,
    /// From the position asked for to where the pixels lie, in units of positions.
    pub position_error: [f32; 2],
    /// Its tight box, in mask pixels.
    pub rect: Rect,
}

/// Why two colliders touch, or do not: made by [`World::explain`]. Prints as a few lines of text.
///
/// Of two whose accuracies differ, one may be looked at more closely than the other: [`DecidedBy`] says
/// what such a pair is settled by.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Whether an update would report them.
    pub touches: bool,
    /// What settled it.
    pub decision: DecidedBy,
    /// The row of the first shared pixel, in mask pixels, where pixels were looked at and one is shared:
    /// a collider at [`Accuracy::Box`] counts as its box, filled.
    pub row: Option<i32>,
    /// Box, area and first pixel of the overlap of their pixels, in mask pixels, whatever was looked
    /// at.
    pub pixels: Option<Contact>,
    /// The two.
    pub sides: [ExplainedCollider; 2],
    /// How closely the world looks.
    pub accuracy: Accuracy,
}

impl World {
    /// Why two colliders touch as they are placed now, or do not; `None` where one is no longer in
    /// the world. For the moments in which a game's tester does not believe it.
    #[must_use]
    pub fn explain(&self, pair: &Pair) -> Option<Explanation> {
        let (a, b) = (self.slots.find(pair.a)?, self.slots.find(pair.b)?);
        let sides = [self.explained(pair.a)?, self.explained(pair.b)?];
        let pixels = self.overlap(pair).map(|touch| touch.contact());
        let [first, second] = sides.each_ref().map(|side| &side.collider);
        let apart =
            first.layers & second.collides_with == 0 || second.layers & first.collides_with == 0;
        let Told { touches, decision, row } = if apart {
            Told::new(false, DecidedBy::Layers)
        } else if first.fixed && second.fixed {
            Told::new(false, DecidedBy::Fixed)
        } else {
            self.view().tell(a, b)
        };
        Some(Explanation { touches, decision, row, pixels, sides, accuracy: self.accuracy })
    }

    fn explained(&self, id: ColliderId) -> Option<ExplainedCollider> {
        let collider = self.get(id)?;
        let resolution = self.atlas.resolution();
        let Point { x, y } = placement::snap(collider.position, resolution)?;
        // What an even pivot is at the corner of, an odd one is in the middle of.
        let middle = self.posed(id)?.pivot2 as f32 / 2.0;
        let error = |pixel: i32, wanted: f32| (pixel as f32 + middle) / resolution - wanted;
        let [px, py] = collider.position;
        let sprite = collider.shape.sprite().and_then(|sprite| self.atlas.sprite(sprite));
        let mut explained = ExplainedCollider {
            id,
            sprite: sprite.map(|sprite| sprite.name().to_owned()),
            collider,
            pose: Pose::default(),
            angle_error: 0.0,
            scale_error: 0.0,
            position_error: [error(x, px), error(y, py)],
            rect: self.rect(id).unwrap_or_default(),
        };
        if let Some(sprite) = sprite {
            let pose = sprite.nearest(collider.angle, collider.scale)?;
            let turn = std::f64::consts::TAU;
            let shown = f64::from(pose.step) * turn / f64::from(sprite.angles());
            let off = (shown - radians(collider.angle) + turn / 2.0).rem_euclid(turn) - turn / 2.0;
            explained.pose = pose;
            explained.angle_error = off as f32;
            explained.scale_error = sprite.scales()[pose.scale as usize] - collider.scale;
        }
        Some(explained)
    }
}

fn radians(angle: Angle) -> f64 {
    match angle {
        Angle::Radians(radians) => f64::from(radians),
        Angle::Turn(turn) => f64::from(turn) / 65_536.0 * std::f64::consts::TAU,
    }
}

impl Explanation {
    /// The pair as a scene that `hitmask check` replays with the same atlas, to the same answer;
    /// `None` where one of them is a mask made at run time, which is in no atlas.
    #[must_use]
    pub fn to_scene(&self) -> Option<String> {
        let name = |accuracy: Accuracy| match accuracy {
            Accuracy::Box => "box",
            Accuracy::Coarse => "coarse",
            Accuracy::Exact => "exact",
        };
        let side = |side: &ExplainedCollider, id: &str| {
            let Collider { position: [x, y], frame, plane, scale, flip, .. } = side.collider;
            let Collider { layers, collides_with, fixed, min_overlap, accuracy, .. } =
                side.collider;
            let sprite = quoted(side.sprite.as_ref()?);
            // Of a part of a turn, the pose's own angle, since it means the same.
            let angle = match side.collider.angle {
                Angle::Radians(radians) => radians,
                turn => (radians(turn) + f64::from(side.angle_error)) as f32,
            };
            let accuracy = name(accuracy);
            let Flip { x: flip_x, y: flip_y } = flip;
            Some(format!(
                "{{\"id\":\"{id}\",\"sprite\":{sprite},\"x\":{x},\"y\":{y},\"angle\":{angle},\"scale\":{scale},\
                 \"flip_x\":{flip_x},\"flip_y\":{flip_y},\"frame\":{frame},\"plane\":{plane},\"layers\":{layers},\
                 \"collides_with\":{collides_with},\"fixed\":{fixed},\"min_overlap\":{min_overlap},\
                 \"accuracy\":\"{accuracy}\"}}"
            ))
        };
        let [a, b] = &self.sides;
        let (a, b, accuracy) = (side(a, "a")?, side(b, "b")?, name(self.accuracy));
        Some(format!("{{\"accuracy\":\"{accuracy}\",\"colliders\":[\n  {a},\n  {b}\n]}}\n"))
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = if self.touches { "they touch" } else { "they do not touch" };
        let reason = match self.decision {
            DecidedBy::Layers => "by their layers",
            DecidedBy::Fixed => "both being fixed",
            DecidedBy::Boxes => "by their boxes",
            DecidedBy::Boards => "by their coarse boards",
            DecidedBy::Pixels => "by their pixels",
            DecidedBy::MinOverlap => "by the least overlap asked for",
        };
        write!(f, "{answer}, {reason}")?;
        if let Some(contact) = self.pixels {
            let Contact { area, point: Point { x, y }, .. } = contact;
            write!(f, "; {area} pixels are shared, the first at ({x}, {y})")?;
        }
        for side in &self.sides {
            let ExplainedCollider { id, pose, rect, position_error: [x, y], .. } = side;
            let name = match (&side.sprite, side.collider.shape) {
                (Some(name), _) => name.clone(),
                (None, Shape::Mask(mask)) => format!("mask {}", mask.index()),
                (None, Shape::Sprite(sprite)) => format!("sprite {}", sprite.index()),
            };
            write!(
                f,
                "\n  {name} (collider {}): step {}, {:+.3} rad from what was asked; scale {}, {:+.3}; \
                 pixels {x:+.3}, {y:+.3} from its position; box {},{} .. {},{}",
                id.index(),
                pose.step,
                side.angle_error,
                pose.scale,
                side.scale_error,
                rect.x0,
                rect.y0,
                rect.x1,
                rect.y1
            )?;
        }
        Ok(())
    }
}

/// What settled a pair: the coarsest look that was enough.
///
/// An update takes each collider at its own [`accuracy`](crate::world::Collider::accuracy), or at the world's
/// where that is coarser. For two of different accuracies this decides:
///
/// | One | The other | Decision |
/// |---|---|---|
/// | Box | Box | [`Boxes`](Self::Boxes), or [`MinOverlap`](Self::MinOverlap) by the area that they share |
/// | Box | Coarse or Exact | [`Pixels`](Self::Pixels), or `MinOverlap`: the other's, in the box of the one |
/// | Coarse | Coarse or Exact | [`Boards`](Self::Boards); `Boxes` where one of them has no boards |
/// | Exact | Exact | `Boards` where they are certain and that is enough; else `Pixels`, or `MinOverlap` |
///
/// Boxes that do not overlap decide in any case. Masks of at most 16 pixels a side have no boards, nor
/// have those made at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecidedBy {
    /// Layers: one is on none that the other may meet.
    Layers,
    /// Both are fixed: an update does not ask such pairs.
    Fixed,
    /// The tight boxes: they do not overlap, or nothing closer was to be looked at.
    Boxes,
    /// The coarse boards: cells of 8 x 8 pixels that do not meet, or, where nothing closer was to
    /// be looked at, that do; or, seen from within, full cells that do.
    Boards,
    /// The pixels: none is shared, or enough are.
    Pixels,
    /// The number of shared pixels, below what one of the two asks for.
    MinOverlap,
}

/// An answer and what gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) touches: bool,
    pub(crate) decision: DecidedBy,
    /// Of the first pixel that was counted.
    pub(crate) row: Option<i32>,
}

impl Told {
    pub(crate) const fn new(touches: bool, decision: DecidedBy) -> Self {
        Self { touches, decision, row: None }
    }

    /// By pixels that were counted.
    fn counted(contact: Option<Contact>, least: u64) -> Self {
        let Some(Contact { area, point, .. }) = contact else {
            return Self::new(false, DecidedBy::Pixels);
        };
        let touches = area >= least;
        let decision = if touches { DecidedBy::Pixels } else { DecidedBy::MinOverlap };
        Self { touches, decision, row: Some(point.y) }
    }
}

impl WorldView<'_> {
    /// Whether two colliders touch, by all their rules but the layers, and what says so.
    pub(crate) fn tell(&self, a: usize, b: usize) -> Told {
        let Some(shared) = self.slots.rect(a).intersection(self.slots.rect(b)) else {
            return Told::new(false, DecidedBy::Boxes);
        };
        let least = self.min_overlap(a, b);
        let counted = || Told::counted(self.contact(a, b), least);
        match (self.accuracy(a), self.accuracy(b)) {
            (Accuracy::Box, Accuracy::Box) if shared.area() < least => {
                Told::new(false, DecidedBy::MinOverlap)
            }
            (Accuracy::Box, Accuracy::Box) => Told::new(true, DecidedBy::Boxes),
            (Accuracy::Box, _) | (_, Accuracy::Box) => counted(),
            (Accuracy::Exact, Accuracy::Exact) => match self.boards(a, b) {
                Some(Certainty::No) => Told::new(false, DecidedBy::Boards),
                Some(Certainty::Yes) if least == 1 => Told::new(true, DecidedBy::Boards),
                _ => counted(),
            },
            _ => match self.boards(a, b) {
                Some(certainty) => Told::new(certainty != Certainty::No, DecidedBy::Boards),
                None => Told::new(true, DecidedBy::Boxes),
            },
        }
    }

    /// What the boards say; `None` where one has none.
    fn boards(&self, a: usize, b: usize) -> Option<Certainty> {
        let (a, b) = (self.posed(a), self.posed(b));
        a.mask.boards().and(b.mask.boards())?;
        Some(a.mask.coarse(b.mask, b.origin - a.origin))
    }
}
