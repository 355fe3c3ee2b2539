//! Explanation of a pair's result: why two colliders touch or do not.
//!
//! Invariant: the decision equals that of an update of the same state, at any accuracy.

use crate::geom::{Point, Rect};
use crate::ids::ColliderId;
use crate::narrow::{Accuracy, Contact};
use crate::pose::Pose;
use crate::query::PairRef;
use crate::scene::pair_rule::PairDecision;
use crate::scene::{Collider, ColliderShape, DecidedBy, Pair, Scene, placement};
use std::fmt;

/// One collider of an [`Explanation`]: its placement, its pose, and the rounding from one to the
/// other.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot.at([0.25, 0.0]))?);
/// let [first, second] = world.pair([a, b]).and_then(|pair| pair.explain()).unwrap().sides;
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

/// Result of [`PairRef::explain`]: whether and why two colliders touch. `Display` prints it as 3
/// lines of text.
///
/// If the accuracies of the two colliders differ, the table at [`DecidedBy`] gives the test that
/// decides.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use hitmask::DecidedBy;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot.at([5.0, 0.0]))?);
/// let explanation = world.pair([a, b]).and_then(|pair| pair.explain()).unwrap();
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

impl PairRef<'_> {
    /// Explains why two colliders touch, or do not, at their current placements. Returns `None` if
    /// one of them was removed.
    ///
    /// Tests the one pair, whether or not an update has seen the current placements.
    #[must_use]
    pub fn explain(&self) -> Option<Explanation> {
        let (scene, Pair { a, b }) = (self.scene(), self.pair());
        let sides = [explained(scene, a)?, explained(scene, b)?];
        let pixels = self.overlap().map(|touch| touch.contact());
        let PairDecision { touches, decision, row } = scene.view().decide(a.slot(), b.slot());
        Some(Explanation { touches, decision, row, pixels, sides, accuracy: scene.accuracy })
    }
}

fn explained(scene: &Scene, id: ColliderId) -> Option<ExplainedCollider> {
    let collider = scene.placed.get(id)?;
    let resolution = scene.stock.resolution();
    let Point { x, y } = placement::snap(collider.position, resolution)?;
    // An even pivot lies at the edge of its pixel, an odd one in the middle.
    let middle = scene.posed(id)?.pivot2.map(|half_pixels| half_pixels as f32 / 2.0);
    let [px, py] = collider.position;
    let position_error =
        [(x as f32 + middle[0]) / resolution - px, (y as f32 + middle[1]) / resolution - py];
    let sprite = collider.shape.sprite().and_then(|sprite| scene.stock.atlases.sprite(sprite));
    let mut explained = ExplainedCollider {
        id,
        sprite: sprite.map(|sprite| sprite.name().to_owned()),
        collider,
        pose: Pose::default(),
        angle_error: 0.0,
        scale_error: 0.0,
        position_error,
        rect: scene.placed.rect(id).unwrap_or_default(),
    };
    if let Some(sprite) = sprite {
        let pose = sprite.nearest(collider.angle, collider.scale)?;
        let turn = std::f64::consts::TAU;
        let shown = f64::from(pose.step) * turn / f64::from(sprite.angles());
        let off = (shown - collider.angle.radians_f64() + turn / 2.0).rem_euclid(turn) - turn / 2.0;
        explained.pose = pose;
        explained.angle_error = off as f32;
        explained.scale_error = sprite.scales()[pose.scale as usize] - collider.scale;
    }
    Some(explained)
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
                (None, ColliderShape::Mask(mask)) => format!("mask {}", mask.index()),
                (None, ColliderShape::Sprite(sprite)) => format!("sprite {}", sprite.index()),
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
