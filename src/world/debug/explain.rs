//! Why two colliders touch, or do not.

use crate::geom::{Point, Rect};
use crate::narrow::{Accuracy, Contact};
use crate::pose::{Angle, Pose};
use crate::world::debug::decision::{Decision, Told};
use crate::world::state::placement;
use crate::world::{Collider, ColliderId, Pair, Shape, World};
use std::fmt;

/// One side of an [`Explanation`].
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
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
/// Of two whose accuracies differ, one may be looked at more closely than the other: [`Decision`] says
/// what such a pair is settled by.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Whether an update would report them.
    pub touches: bool,
    /// What settled it.
    pub decision: Decision,
    /// The row of the first shared pixel, in mask pixels, where pixels were looked at and one is shared:
    /// a collider at [`Accuracy::Box`] counts as its box, filled.
    pub row: Option<i32>,
    /// Box, area and first pixel of the overlap of their pixels, in mask pixels, whatever was looked
    /// at.
    pub pixels: Option<Contact>,
    /// The two.
    pub sides: [Explained; 2],
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
        let pixels = self.touch(pair).map(|touch| touch.contact());
        let [first, second] = sides.each_ref().map(|side| &side.collider);
        let apart =
            first.layers & second.collides_with == 0 || second.layers & first.collides_with == 0;
        let Told { touches, decision, row } = if apart {
            Told::new(false, Decision::Layers)
        } else if first.fixed && second.fixed {
            Told::new(false, Decision::Fixed)
        } else {
            self.view().tell(a, b)
        };
        Some(Explanation { touches, decision, row, pixels, sides, accuracy: self.accuracy })
    }

    fn explained(&self, id: ColliderId) -> Option<Explained> {
        let collider = self.get(id)?;
        let resolution = self.atlas.resolution();
        let Point { x, y } = placement::snap(collider.position, resolution)?;
        // What an even pivot is at the corner of, an odd one is in the middle of.
        let middle = self.posed(id)?.pivot2 as f32 / 2.0;
        let error = |pixel: i32, wanted: f32| (pixel as f32 + middle) / resolution - wanted;
        let [px, py] = collider.position;
        let sprite = collider.shape.sprite().and_then(|sprite| self.atlas.get(sprite));
        let mut explained = Explained {
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
        let side = |side: &Explained, id: &str| {
            let Collider { position: [x, y], frame, plane, scale, flip_x, flip_y, .. } =
                side.collider;
            let Collider { layers, collides_with, fixed, min_overlap, accuracy, .. } =
                side.collider;
            let sprite = quoted(side.sprite.as_ref()?);
            // Of a part of a turn, the pose's own angle, since it means the same.
            let angle = match side.collider.angle {
                Angle::Radians(radians) => radians,
                turn => (radians(turn) + f64::from(side.angle_error)) as f32,
            };
            let accuracy = name(accuracy);
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
            Decision::Layers => "by their layers",
            Decision::Fixed => "both being fixed",
            Decision::Boxes => "by their boxes",
            Decision::Boards => "by their coarse boards",
            Decision::Pixels => "by their pixels",
            Decision::MinOverlap => "by the least overlap asked for",
        };
        write!(f, "{answer}, {reason}")?;
        if let Some(contact) = self.pixels {
            let Contact { area, point: Point { x, y }, .. } = contact;
            write!(f, "; {area} pixels are shared, the first at ({x}, {y})")?;
        }
        for side in &self.sides {
            let Explained { id, pose, rect, position_error: [x, y], .. } = side;
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
