//! Explanation of a pair's result: why two colliders touch or do not.
//!
//! [`World::explain`] is called by users while debugging. `WorldView::decide` applies the rules of
//! one pair; the tests compare it with updates.
//!
//! Invariants: the decision equals that of an update of the same state, at any accuracy.

use crate::geom::{Flip, Point, Rect};
use crate::narrow::{Accuracy, Certainty, Contact};
use crate::pose::{Angle, Pose, ScalePolicy};
use crate::world::min_overlap::LeastOverlap;
use crate::world::state::placement;
use crate::world::state::view::WorldView;
use crate::world::{Collider, ColliderId, MinOverlap, Pair, Shape, World};
use std::fmt;

/// One collider of an [`Explanation`]: its placement, its pose, and the rounding from one to the
/// other.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Pair, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot.at([0.25, 0.0]))?);
/// let [first, second] = world.explain(&Pair { a, b }).unwrap().sides;
/// assert_eq!(first.sprite.as_deref(), Some("a"));
/// assert_eq!((first.rect, second.id), (second.rect, b));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedCollider {
    /// Id of the collider.
    pub id: ColliderId,
    /// Name of the sprite; `None` for a runtime mask.
    pub sprite: Option<String>,
    /// The collider as it was placed.
    pub collider: Collider,
    /// The baked pose that stands for the angle and scale.
    pub pose: Pose,
    /// Angle of the pose minus the requested angle, in radians, from -pi to pi.
    pub angle_error: f32,
    /// Scale of the pose minus the requested scale.
    pub scale_error: f32,
    /// Position of the pixels minus the requested position, in units of positions.
    pub position_error: [f32; 2],
    /// Tight box of the set pixels, in mask pixels.
    pub rect: Rect,
}

/// Result of [`World::explain`]: whether and why two colliders touch. `Display` prints it as 3
/// lines of text.
///
/// If the accuracies of the two colliders differ, the table at [`DecidedBy`] gives the test that
/// decides.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use hitmask::{DecidedBy, Pair};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot.at([5.0, 0.0]))?);
/// let explanation = world.explain(&Pair { a, b }).unwrap();
/// assert!(!explanation.touches);
/// assert_eq!(explanation.decision, DecidedBy::Boxes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Whether an update would report the pair.
    pub touches: bool,
    /// The test that decided.
    pub decision: DecidedBy,
    /// Row of the first shared pixel, in mask pixels, if pixels were tested and one is shared. A
    /// collider at [`Accuracy::Box`] counts as its box, filled.
    pub row: Option<i32>,
    /// Bounding box, area and first pixel of the exact overlap, in mask pixels, whichever test
    /// decided. `None` if no pixel is shared, or if a collider is disabled.
    pub pixels: Option<Contact>,
    /// The two colliders, in the order of the pair.
    pub sides: [ExplainedCollider; 2],
    /// Accuracy of the world.
    pub accuracy: Accuracy,
}

impl World {
    /// Explains why two colliders touch, or do not, at their current placements. Returns `None` if
    /// one of them was removed.
    ///
    /// Tests the one pair, whether or not an update has seen the current placements.
    #[must_use]
    pub fn explain(&self, pair: &Pair) -> Option<Explanation> {
        let (a, b) = (self.slots.find(pair.a)?, self.slots.find(pair.b)?);
        let sides = [self.explained(pair.a)?, self.explained(pair.b)?];
        let pixels = self.overlap(pair).map(|touch| touch.contact());
        let [first, second] = sides.each_ref().map(|side| &side.collider);
        let apart =
            first.layers & second.collides_with == 0 || second.layers & first.collides_with == 0;
        let PairDecision { touches, decision, row } = if !(first.enabled && second.enabled) {
            PairDecision::new(false, DecidedBy::Disabled)
        } else if self.slots.share_owner(a, b) {
            PairDecision::new(false, DecidedBy::Owner)
        } else if apart {
            PairDecision::new(false, DecidedBy::Layers)
        } else if first.fixed && second.fixed {
            PairDecision::new(false, DecidedBy::Fixed)
        } else {
            self.view().decide(a, b)
        };
        Some(Explanation { touches, decision, row, pixels, sides, accuracy: self.accuracy })
    }

    fn explained(&self, id: ColliderId) -> Option<ExplainedCollider> {
        let collider = self.get(id)?;
        let resolution = self.atlas.resolution();
        let Point { x, y } = placement::snap(collider.position, resolution)?;
        // An even pivot lies at the edge of its pixel, an odd one in the middle.
        let middle = self.posed(id)?.pivot2.map(|half_pixels| half_pixels as f32 / 2.0);
        let [px, py] = collider.position;
        let position_error =
            [(x as f32 + middle[0]) / resolution - px, (y as f32 + middle[1]) / resolution - py];
        let sprite = collider.shape.sprite().and_then(|sprite| self.atlases.sprite(sprite));
        let mut explained = ExplainedCollider {
            id,
            sprite: sprite.map(|sprite| sprite.name().to_owned()),
            collider,
            pose: Pose::default(),
            angle_error: 0.0,
            scale_error: 0.0,
            position_error,
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
    /// Returns the pair as a JSON scene that `hitmask check` replays with the same atlas and the
    /// same result.
    ///
    /// Returns `None` if one of the colliders shows a runtime mask, because no atlas contains it.
    #[must_use]
    pub fn to_scene(&self) -> Option<String> {
        let name = |accuracy: Accuracy| match accuracy {
            Accuracy::Box => "box",
            Accuracy::Coarse => "coarse",
            Accuracy::Exact => "exact",
        };
        let side = |side: &ExplainedCollider, id: &str| {
            let Collider { position: [x, y], frame, plane, scale, flip, .. } = side.collider;
            let Collider { layers, collides_with, fixed, enabled, owner, .. } = side.collider;
            let Collider { min_overlap, accuracy, .. } = side.collider;
            let min_overlap = match min_overlap {
                MinOverlap::Pixels(pixels) => pixels.to_string(),
                MinOverlap::Size { width, height } => {
                    format!("{{\"width\":{width},\"height\":{height}}}")
                }
            };
            let sprite = quoted(side.sprite.as_ref()?);
            // An angle in turns is written as the pose's own angle, which selects the same pose.
            let angle = match side.collider.angle {
                Angle::Radians(radians) => radians,
                turn => (radians(turn) + f64::from(side.angle_error)) as f32,
            };
            let accuracy = name(accuracy);
            let Flip { x: flip_x, y: flip_y } = flip;
            Some(format!(
                "{{\"id\":\"{id}\",\"sprite\":{sprite},\"x\":{x},\"y\":{y},\"angle\":{angle},\"scale\":{scale},\
                 \"flip_x\":{flip_x},\"flip_y\":{flip_y},\"frame\":{frame},\"plane\":{plane},\"layers\":{layers},\
                 \"collides_with\":{collides_with},\"fixed\":{fixed},\"enabled\":{enabled},\"owner\":{owner},\"min_overlap\":{min_overlap},\
                 \"accuracy\":\"{accuracy}\"}}"
            ))
        };
        let [a, b] = &self.sides;
        let (a, b, accuracy) = (side(a, "a")?, side(b, "b")?, name(self.accuracy));
        // Replayed as it was shown, also where the world had another policy.
        let is_refused = |side: &ExplainedCollider| {
            let scale = side.collider.scale;
            !ScalePolicy::default().accepts(scale, scale + side.scale_error)
        };
        let any_scale = if self.sides.iter().any(is_refused) { "\"any_scale\":true," } else { "" };
        Some(format!(
            "{{\"accuracy\":\"{accuracy}\",{any_scale}\"colliders\":[\n  {a},\n  {b}\n]}}\n"
        ))
    }
}

/// Returns `text` as a JSON string literal.
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
            DecidedBy::Disabled => "because one is disabled",
            DecidedBy::Owner => "because they have one owner",
            DecidedBy::Layers => "by their layers",
            DecidedBy::Fixed => "because both are fixed",
            DecidedBy::Boxes => "by their boxes",
            DecidedBy::Levels => "by their coarse levels",
            DecidedBy::Pixels => "by their pixels",
            DecidedBy::MinOverlap => "by min_overlap",
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
                "\n  {name} (collider {}): step {}, {:+.3} rad from the requested angle; scale {}, {:+.3}; \
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

/// The test that decided a pair: the coarsest one that was sufficient.
///
/// An update tests each collider at its own [`accuracy`](crate::world::Collider::accuracy), or at
/// the world's if that is coarser. For each combination of accuracies, this test decides:
///
/// | One | The other | Decision |
/// |---|---|---|
/// | Box | Box | [`Boxes`](Self::Boxes), or [`MinOverlap`](Self::MinOverlap) by the area or size of the shared box |
/// | Box | Coarse or Exact | [`Pixels`](Self::Pixels), or `MinOverlap`: pixels of the second within the box of the first |
/// | Coarse | Coarse or Exact | [`Levels`](Self::Levels); `Pixels` if one of them has no levels |
/// | Exact | Exact | `Levels` if they give a certain answer; else `Pixels`, or `MinOverlap` |
///
/// Disjoint boxes decide at any accuracy. [`Accuracy::Coarse`] says which masks have levels. A
/// certain overlap of levels decides only if any shared mask pixel counts.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Pair, World};
/// use hitmask::DecidedBy;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot)?);
/// assert_eq!(world.explain(&Pair { a, b }).unwrap().decision, DecidedBy::Pixels);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecidedBy {
    /// One of the colliders is not [enabled](crate::world::Collider::enabled).
    Disabled,
    /// Both colliders belong to the same [owner](crate::world::Collider::owner).
    Owner,
    /// Layers: the layers of one are not in `collides_with` of the other.
    Layers,
    /// Both colliders are fixed; an update skips such pairs.
    Fixed,
    /// The tight boxes: they are disjoint, or the accuracy asks for no finer test.
    Boxes,
    /// The coarse levels, cells of 8 x 8 pixels. Either no cells overlap, or cells overlap and the
    /// accuracy asks for no finer test, or full cells overlap.
    Levels,
    /// The pixels: none is shared, or enough are.
    Pixels,
    /// The number of shared pixels, or the size of their box: below the `min_overlap` of one of the
    /// two.
    MinOverlap,
}

/// The result of one pair, and the test that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairDecision {
    pub(crate) touches: bool,
    pub(crate) decision: DecidedBy,
    /// Row of the first shared pixel, if pixels were tested.
    pub(crate) row: Option<i32>,
}

impl PairDecision {
    pub(crate) const fn new(touches: bool, decision: DecidedBy) -> Self {
        Self { touches, decision, row: None }
    }

    /// Returns the result of a pixel test.
    fn counted(contact: Option<Contact>, least: LeastOverlap) -> Self {
        let Some(contact) = contact else {
            return Self::new(false, DecidedBy::Pixels);
        };
        let touches = least.is_met_by(&contact);
        let decision = if touches { DecidedBy::Pixels } else { DecidedBy::MinOverlap };
        Self { touches, decision, row: Some(contact.point.y) }
    }
}

impl WorldView<'_> {
    /// Tests whether two colliders touch, by all rules except layers and the fixed flag.
    pub(crate) fn decide(&self, a: usize, b: usize) -> PairDecision {
        let Some(shared) = self.slots.rect(a).intersection(self.slots.rect(b)) else {
            return PairDecision::new(false, DecidedBy::Boxes);
        };
        let least = self.least_overlap(a, b);
        let counted = || PairDecision::counted(self.contact(a, b), least);
        match (self.accuracy(a), self.accuracy(b)) {
            (Accuracy::Box, Accuracy::Box) if !least.is_met_by(&Contact::of_boxes(shared)) => {
                PairDecision::new(false, DecidedBy::MinOverlap)
            }
            (Accuracy::Box, Accuracy::Box) => PairDecision::new(true, DecidedBy::Boxes),
            (Accuracy::Box, _) | (_, Accuracy::Box) => counted(),
            (Accuracy::Exact, Accuracy::Exact) => match self.levels(a, b) {
                Some(Certainty::No) => PairDecision::new(false, DecidedBy::Levels),
                Some(Certainty::Yes) if least.is_any() => {
                    PairDecision::new(true, DecidedBy::Levels)
                }
                _ => counted(),
            },
            _ => match self.levels(a, b) {
                Some(certainty) => PairDecision::new(certainty != Certainty::No, DecidedBy::Levels),
                None => PairDecision::counted(self.contact(a, b), LeastOverlap::ANY),
            },
        }
    }

    /// Compares the coarse levels; `None` if one of the masks has none.
    pub(crate) fn levels(&self, a: usize, b: usize) -> Option<Certainty> {
        let (a, b) = (self.posed(a), self.posed(b));
        a.mask.levels().and(b.mask.levels())?;
        Some(a.mask.coarse(b.mask, b.origin - a.origin))
    }
}
