use super::check::Records;
use super::format::{FrameRecord, SpriteRecord};
use super::sprite::{PoseId, SpriteId};
use crate::geom::Rect;
use crate::mask::HotMask;
use crate::pose::{self, Angle, Pose, Shown};
use crate::raster::mirrored;

/// How a sprite is asked for: what a collider says of it, but for the place.
pub(crate) struct Wanted {
    pub(crate) sprite: SpriteId,
    pub(crate) frame: u32,
    pub(crate) angle: Angle,
    pub(crate) scale: f32,
    pub(crate) flip_x: bool,
    pub(crate) flip_y: bool,
}

/// The stored pose that shows it.
pub(crate) struct Located {
    pub(crate) pose: PoseId,
    pub(crate) hot: HotMask,
    /// The tight box, relative to the lattice origin; empty where no pixel is set.
    pub(crate) rect: Rect,
}

/// What there is not.
pub(crate) enum Missing {
    Sprite { sprites: u32 },
    Frame { frames: u32 },
    Angle,
    Scale,
}

impl Records<'_> {
    /// The stored pose nearest to what is wanted. In one function, because worlds call it for every
    /// collider that moves: each record is looked up once.
    pub(crate) fn locate(&self, wanted: &Wanted) -> Result<Located, Missing> {
        let sprites = self.sprites();
        let Some(sprite) = sprites.get(wanted.sprite.index() as usize) else {
            return Err(Missing::Sprite { sprites: sprites.len() as u32 });
        };
        let scales = &self.scales()[sprite.first_scale as usize..][..sprite.scales as usize];
        let Some(pose) = pose::nearest(sprite.angles, scales, wanted.angle, wanted.scale) else {
            let scale_is_good = wanted.scale.is_finite() && wanted.scale > 0.0;
            return Err(if scale_is_good { Missing::Angle } else { Missing::Scale });
        };
        if wanted.frame >= sprite.frames {
            return Err(Missing::Frame { frames: sprite.frames });
        }
        let frame = self.frames()[(sprite.first_frame + wanted.frame) as usize];
        // A world cannot tell more poses apart; no atlas of 2^31 poses fits a machine.
        let Some(pose) = shown_by(sprite, &frame, pose, wanted.flip_x, wanted.flip_y) else {
            return Err(Missing::Frame { frames: sprite.frames });
        };
        let (hot, cold) = (self.hot()[pose.index()], self.cold()[pose.index()]);
        let [x0, y0] = cold.origin;
        let half = frame.pivot[0] & 1 == 1;
        let y0 = if pose.is_flipped() { mirrored(y0, hot.height(), half) } else { y0 };
        let rect = Rect::new(x0, y0, x0 + hot.width() as i32, y0 + hot.height() as i32);
        Ok(Located { pose, hot: pose.hot(self.hot()), rect })
    }
}

/// The stored pose that shows a frame of a sprite at one of its poses, mirrored first, then turned;
/// `None` at 2^31 and beyond.
pub(super) fn shown_by(
    sprite: &SpriteRecord,
    frame: &FrameRecord,
    pose: Pose,
    flip_x: bool,
    flip_y: bool,
) -> Option<PoseId> {
    let shown = Shown::new(sprite.angles, pose.step, flip_x, flip_y);
    let index = frame.first_pose + pose.scale * pose::stored_steps(sprite.angles) + shown.step;
    PoseId::new(index, shown.flip_y)
}
