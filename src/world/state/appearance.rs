//! All that a collider is besides where it stands, found once and shared: thousands of colliders
//! have a handful of looks between them, so that a collider carries a number instead.
//!
//! Used by the slots and by whoever settles pairs. What is kept true: equal looks have one number;
//! a look's sprite and frame are in the atlas.

use crate::atlas::{Atlas, Cast, Missing, Poses, Wanted};
use crate::geom::Flip;
use crate::geom::Point;
use crate::narrow::Accuracy;
use crate::pose::{self, Angle};
use crate::world::state::placement::PoseTable;
use crate::world::state::placement::{MaskSource, PlaceContext, PlacedMask, snap};
use crate::world::{Collider, PlaceError, Shape};
use std::collections::HashMap;

/// A collider without position, angle and scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Appearance {
    pub(crate) shape: Shape,
    pub(crate) frame: u32,
    pub(crate) plane: u32,
    pub(crate) flip: Flip,
    pub(crate) layers: u32,
    pub(crate) collides_with: u32,
    pub(crate) fixed: bool,
    pub(crate) sensor: bool,
    pub(crate) accuracy: Accuracy,
    pub(crate) min_overlap: u32,
}

impl Appearance {
    pub(crate) fn of(collider: &Collider) -> Self {
        let Collider { shape, frame, plane, flip, layers, collides_with, .. } = *collider;
        let Collider { fixed, sensor, accuracy, min_overlap, .. } = *collider;
        Self {
            shape,
            frame,
            plane,
            flip,
            layers,
            collides_with,
            fixed,
            sensor,
            accuracy,
            min_overlap,
        }
    }

    /// True where two colliders of these looks may meet.
    #[inline(always)]
    pub(crate) fn can_collide(&self, other: &Self) -> bool {
        self.rule().can_collide(other.rule())
    }

    fn rule(&self) -> PairRule {
        let uses_kernels =
            self.accuracy == Accuracy::Exact && matches!(self.shape, Shape::Sprite(_));
        let kernels = match self.min_overlap {
            _ if !uses_kernels => 0,
            0 | 1 => PairRule::TOUCH | PairRule::AREA,
            _ => PairRule::AREA,
        };
        PairRule { layers: self.layers, collides_with: self.collides_with, kernels }
    }

    /// True where the batch kernels settle its pairs: pixels of the atlas, one of which is enough.
    fn uses_touch_kernel(&self) -> bool {
        self.rule().kernels & PairRule::TOUCH != 0
    }
}

/// What of a look tells who settles its pairs: in few bytes, because it is asked for both of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairRule {
    layers: u32,
    collides_with: u32,
    /// Kernels that settle its pairs with others that they settle.
    pub(crate) kernels: u32,
}

impl PairRule {
    /// Those for which one pixel is enough.
    pub(crate) const TOUCH: u32 = 1;
    /// Those that count pixels: of all sprites that are looked at exactly.
    pub(crate) const AREA: u32 = 2;

    /// True where two colliders may meet.
    #[inline(always)]
    pub(crate) const fn can_collide(self, other: Self) -> bool {
        (self.layers & other.collides_with != 0) & (other.layers & self.collides_with != 0)
    }
}

/// The looks there are, by number.
#[derive(Clone, Debug)]
pub(crate) struct Appearances {
    all: Vec<Appearance>,
    /// Of each of them, apart from what is seldom asked for.
    casts: Vec<Cast>,
    poses: PoseTable,
    rules: Vec<PairRule>,
    indices: HashMap<Appearance, u32>,
    /// Of each of them, which was looked up after it last: animations and turns about come round
    /// again, and to hash a look takes twice as long as all else that setting one does.
    likely_next: Vec<u32>,
    /// True while all looks are plain.
    all_touch_kernel: bool,
    /// True while all looks are those of sprites that move.
    all_moving_sprites: bool,
    /// Steps of a full turn, while all looks have as many.
    angles: Option<u32>,
    /// What every look may meet.
    common_collides_with: u32,
    /// True while every look may meet every other.
    all_collide: bool,
}

impl Default for Appearances {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            casts: Vec::new(),
            poses: PoseTable::default(),
            rules: Vec::new(),
            indices: HashMap::new(),
            likely_next: Vec::new(),
            all_touch_kernel: true,
            all_moving_sprites: true,
            angles: None,
            common_collides_with: u32::MAX,
            all_collide: true,
        }
    }
}

impl Appearances {
    /// The look of this number.
    #[inline(always)]
    pub(crate) fn get(&self, index: u32) -> &Appearance {
        &self.all[index as usize]
    }

    /// Where the masks of this look come from.
    #[inline(always)]
    pub(crate) fn source(&self, index: u32) -> MaskSource {
        match self.get(index).shape {
            Shape::Sprite(_) => MaskSource::Atlas(self.casts[index as usize]),
            Shape::Mask(mask) => MaskSource::Mask(mask),
        }
    }

    /// Where a look's mask lies at this position, angle and scale: what [`PlacedMask::find`] says, but most
    /// have their poses in the table.
    pub(crate) fn placed(
        &self,
        context: &PlaceContext<'_>,
        index: u32,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, PlaceError> {
        let known = || {
            let cast = &self.casts[index as usize];
            let step = angle.step(cast.angles()).filter(|_| pose::is_size(scale))?;
            let nearest_scale = || context.records.poses().nearest_scale(cast, scale);
            let pose =
                self.poses.get(self.poses.appearances()[index as usize], step, nearest_scale)?;
            let Point { x, y } = snap(position, context.resolution)?;
            Some(pose.moved([x, y]))
        };
        match known() {
            Some(placed) => Ok(placed),
            None => PlacedMask::find(context, self.source(index), (position, angle, scale)),
        }
    }

    /// What is looked up of each look that is baked; [nobody](Cast::NOBODY) of another.
    #[inline(always)]
    pub(crate) fn casts(&self) -> &[Cast] {
        &self.casts
    }

    /// The poses of all looks.
    #[inline(always)]
    pub(crate) const fn poses(&self) -> &PoseTable {
        &self.poses
    }

    /// Steps of a full turn that every look has, if it is the same number.
    pub(crate) const fn angles(&self) -> Option<u32> {
        self.angles
    }

    /// True where there are all of these looks, and they are those of sprites that move.
    #[inline(always)]
    pub(crate) fn are_moving_sprites(&self, indices: &[u32]) -> bool {
        if self.all_moving_sprites {
            // Of all there are: the greatest number is nobody's.
            return indices.iter().fold(true, |all, &index| all & (index != u32::MAX));
        }
        indices.iter().fold(true, |all, &index| {
            all & self.all.get(index as usize).is_some_and(is_moving_sprite)
        })
    }

    /// True where all looks are plain sprites.
    pub(crate) const fn all_use_touch_kernel(&self) -> bool {
        self.all_touch_kernel
    }

    /// The rules of all looks.
    pub(crate) fn rules(&self) -> &[PairRule] {
        &self.rules
    }

    /// True where every look may meet every other.
    pub(crate) const fn all_collide(&self) -> bool {
        self.all_collide
    }

    /// The number of `appearance`, if it has one. `from` is the look of who shows it now, or of its
    /// neighbour: what followed that the last time may well follow again.
    pub(crate) fn index_of(&mut self, appearance: &Appearance, from: Option<u32>) -> Option<u32> {
        let Self { all, indices, likely_next, .. } = self;
        let likely_next = from.and_then(|from| likely_next.get_mut(from as usize));
        let likely =
            likely_next.as_deref().copied().filter(|&next| all[next as usize] == *appearance);
        if likely.is_some() {
            return likely;
        }
        let index = *indices.get(appearance)?;
        if let Some(likely_next) = likely_next {
            *likely_next = index;
        }
        Some(index)
    }

    /// Where masks of `appearance` would come from.
    pub(crate) fn mask_source_of(
        atlas: &Atlas,
        appearance: &Appearance,
    ) -> Result<MaskSource, PlaceError> {
        let Appearance { shape, frame, plane, flip, .. } = *appearance;
        match shape {
            Shape::Mask(mask) => Ok(MaskSource::Mask(mask)),
            Shape::Sprite(sprite) => {
                let wanted = Wanted { sprite, frame, plane, flip };
                atlas.records().cast(&wanted).map(MaskSource::Atlas).map_err(
                    |missing| match missing {
                        Missing::Sprite { sprites } => {
                            PlaceError::UnknownSprite { sprite, sprites }
                        }
                        Missing::Frame { frames } => PlaceError::UnknownFrame { frame, frames },
                        Missing::Plane { planes } => PlaceError::UnknownPlane { plane, planes },
                    },
                )
            }
        }
    }

    /// The number of `appearance`, whose masks come from `source`, one of `poses`: a new one where it is new.
    pub(crate) fn intern(
        &mut self,
        appearance: Appearance,
        source: MaskSource,
        poses: &Poses<'_>,
    ) -> Result<u32, PlaceError> {
        if let Some(index) = self.index_of(&appearance, None) {
            return Ok(index);
        }
        // The greatest number stands for nobody's look.
        let index = u32::try_from(self.all.len()).map_err(|_| PlaceError::Full)?;
        if index == u32::MAX {
            return Err(PlaceError::Full);
        }
        self.all_moving_sprites &= is_moving_sprite(&appearance);
        self.rules.push(appearance.rule());
        self.all.push(appearance);
        let cast = match source {
            MaskSource::Atlas(cast) => cast,
            MaskSource::Mask(_) => Cast::NOBODY,
        };
        let others = if index == 0 { Some(cast.angles()) } else { self.angles };
        self.angles = others.filter(|&angles| angles == cast.angles());
        self.poses.add(&cast, poses);
        self.casts.push(cast);
        self.indices.insert(appearance, index);
        // Itself, as good as any.
        self.likely_next.push(index);
        self.all_touch_kernel &= appearance.uses_touch_kernel();
        let common_collides_with = self.common_collides_with & appearance.collides_with;
        // The others were found to agree; they are asked again only where there is less to meet.
        let first_unchecked =
            if common_collides_with == self.common_collides_with { index as usize } else { 0 };
        self.common_collides_with = common_collides_with;
        self.all_collide = self.all_collide
            && self.all[first_unchecked..]
                .iter()
                .all(|appearance| appearance.layers & common_collides_with != 0);
        Ok(index)
    }
}

/// True for sprites that move.
#[inline(always)]
const fn is_moving_sprite(appearance: &Appearance) -> bool {
    !appearance.fixed & matches!(appearance.shape, Shape::Sprite(_))
}
