//! Sprites that are placed in a world: what drawing, panels and checks read.
//!
//! [`Show`] is what moves them: a [`Crowd`](crate::Crowd) or a horde.

use crate::palette::Appearance;
use hitmask::{
    Accuracy, Angle, CallError, Collider, ColliderId, Filter, Pair, Placement, Rect, World, Zone,
};
use hitmask_scenes::Stage;
use std::fmt::Debug;

/// Width of the area of a crowd or a horde by its height.
pub(crate) const ASPECT: f64 = 16.0 / 9.0;

/// Sprites that move, with their scene.
pub trait Show<'s>: Debug + Send {
    /// Returns the sprites and their world.
    fn scene(&self) -> &Scene<'s>;

    /// Returns the scene for settings of its world such as the accuracy. Colliders must stay.
    fn scene_mut(&mut self) -> &mut Scene<'s>;

    /// Prepares the motion to a time of the loop, in 2^-32 loops of [`Pace::SECONDS`](crate::Pace::SECONDS).
    fn advance(&mut self, time: u32);

    /// Moves the sprites, updates the world, and notes which sprites are lit.
    ///
    /// # Errors
    /// None in practice, because the sprites stay near the area.
    fn update(&mut self) -> Result<(), CallError>;

    /// Takes a press at a position.
    fn grab(&mut self, at: [f32; 2]);

    /// Takes a drag to a position. Returns false if it moves nothing, so that it moves the view.
    fn drag(&mut self, to: [f32; 2]) -> bool;

    /// Takes the end of a press.
    fn release(&mut self);

    /// Returns the pair that a position is about.
    fn pair_at(&self, at: [f32; 2]) -> Option<Pair>;

    /// Returns the position that the view shows in its middle.
    fn focus(&self) -> [f32; 2];

    /// Says what the last update found, such as "12 pairs touch".
    fn found(&self) -> String;
}

/// The sprites and their world.
#[derive(Clone, Debug)]
pub struct Scene<'s> {
    stage: &'s Stage,
    pub(crate) world: World,
    size: [f32; 2],
    pub(crate) ids: Vec<ColliderId>,
    pub(crate) places: Vec<Placement>,
    pub(crate) looks: Vec<Appearance>,
    /// Whether the sprite is lit and drawn above the others.
    pub(crate) lit: Vec<bool>,
}

impl<'s> Scene<'s> {
    /// Creates an empty area from (0, 0) to `size` pixels.
    pub(crate) fn new(stage: &'s Stage, size: [f32; 2]) -> Self {
        let world = World::new(stage.atlas.clone());
        let (ids, places, looks, lit) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { stage, world, size, ids, places, looks, lit }
    }

    /// Inserts a sprite of a hue, after all others.
    pub(crate) fn insert(&mut self, collider: Collider, hue: u8) -> Result<(), CallError> {
        let Collider { position, angle, .. } = collider;
        let sprite = collider.shape.sprite().map_or(0, |sprite| sprite.index() as u16);
        self.ids.push(self.world.insert(collider)?);
        self.places.push(Placement { position, angle });
        self.looks.push(Appearance { sprite, hue });
        self.lit.push(false);
        Ok(())
    }

    /// Returns the topmost sprite with a pixel at a position. Sprites that touch are drawn above
    /// the others.
    #[must_use]
    pub fn pick(&self, at: [f32; 2]) -> Option<ColliderId> {
        let height = |id: ColliderId| (self.lit[id.index() as usize], id.index());
        self.world.pick(at, 0.0, Filter::ALL, height).ok().flatten()
    }

    /// Returns the pair that a position is about: the topmost sprite there, and the one that
    /// touches it or whose box overlaps its box. Prefers pairs that touch, then the box whose
    /// middle is nearest to the position. A sprite that is held is the first of the pair.
    #[must_use]
    pub fn pair_at(&self, at: [f32; 2], held: Option<ColliderId>) -> Option<Pair> {
        let pixel = at.map(|p| p.floor() as i32);
        let here = Rect::new(pixel[0], pixel[1], pixel[0] + 1, pixel[1] + 1);
        let first = held.or_else(|| self.pick(at));
        let first = first.or_else(|| self.boxes_in(here).into_iter().next())?;
        let others = self.boxes_in(self.world.rect(first)?);
        let key = |other: ColliderId| {
            let Rect { x0, y0, x1, y1 } = self.world.rect(other).unwrap_or_default();
            let away = [(x0 + x1) as f32 / 2.0 - at[0], (y0 + y1) as f32 / 2.0 - at[1]];
            let touches = self.world.touching().binary_search(&pair_of(first, other)).is_ok();
            (!touches, away[0] * away[0] + away[1] * away[1])
        };
        let other = others.into_iter().filter(|&other| other != first);
        let nearest = other.min_by(|&a, &b| {
            let ((a_apart, a_far), (b_apart, b_far)) = (key(a), key(b));
            a_apart.cmp(&b_apart).then(a_far.total_cmp(&b_far))
        });
        nearest.map(|other| pair_of(first, other))
    }

    /// Returns the world.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world for settings such as its accuracy. Colliders must stay.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Returns the baked sprites.
    #[must_use]
    pub const fn stage(&self) -> &'s Stage {
        self.stage
    }

    /// Returns width and height of the area, in pixels.
    #[must_use]
    pub const fn size(&self) -> [f32; 2] {
        self.size
    }

    /// Returns the number of sprites.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there is no sprite.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the sprites whose boxes meet a rectangle, in their order.
    pub(crate) fn boxes_in(&self, rect: Rect) -> Vec<ColliderId> {
        let boxes = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
        self.world.query(&Zone::rect(rect), boxes).unwrap_or_default()
    }
}

/// Returns the pair of two sprites.
pub(crate) fn pair_of(a: ColliderId, b: ColliderId) -> Pair {
    Pair { a: a.min(b), b: a.max(b) }
}

/// Returns an angle in 65,536ths of a turn. The angles of a scene are of that kind.
pub(crate) fn turn(angle: Angle) -> u16 {
    angle.as_turn().unwrap_or_else(|| {
        let turns = f64::from(angle.to_radians()) / std::f64::consts::TAU;
        (turns * 65_536.0).round().rem_euclid(65_536.0) as u32 as u16
    })
}
