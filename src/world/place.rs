use super::{Collider, PlaceError};
use crate::atlas::{Atlas, Missing, PoseId, Records, Wanted};
use crate::geom::{Point, Rect};
use crate::mask::{HotMask, MaskRef};

/// Farthest that a collider may be from the origin on either axis, in pixels. Differences of two
/// positions, poses included, then fit an i32.
pub const MAX_POSITION: f32 = 1e9;

/// A collider, resolved: which stored pose it shows, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// The stored pose that is shown.
    pub(crate) pose: PoseId,
    /// Its mask, as the kernels take it: looked up once, when it is placed.
    pub(crate) hot: HotMask,
    /// The tight box in world pixels; empty where no pixel is set.
    pub(crate) rect: Rect,
}

impl Placement {
    pub(crate) fn new(atlas: &Atlas, collider: &Collider) -> Result<Self, PlaceError> {
        let Collider { sprite, frame, position, angle, scale, flip_x, flip_y } = *collider;
        let lattice = snap(position).ok_or(PlaceError::Position(position))?;
        let wanted = Wanted { sprite, frame, angle, scale, flip_x, flip_y };
        let located = atlas.records().locate(&wanted).map_err(|missing| match missing {
            Missing::Sprite { sprites } => PlaceError::UnknownSprite { sprite, sprites },
            Missing::Frame { frames } => PlaceError::UnknownFrame { frame, frames },
            Missing::Angle => PlaceError::Angle(angle),
            Missing::Scale => PlaceError::Scale(scale),
        })?;
        let rect = located.rect.translated(lattice);
        Ok(Self { pose: located.pose, hot: located.hot, rect })
    }

    /// The posed mask, as placed.
    pub(crate) fn mask<'a>(&self, records: &Records<'a>) -> MaskRef<'a> {
        let mask = records.mask(self.pose.index());
        if self.pose.is_flipped() { mask.flip_y() } else { mask }
    }
}

/// The lattice origin of a position: floor(p + 1/2) on each axis. `None` where it is not finite or
/// beyond [`MAX_POSITION`].
fn snap(position: [f32; 2]) -> Option<Point> {
    // In f64 the sum is exact wherever rounding could carry it across a whole number. The floor is
    // taken by hand: baseline x86-64 has no instruction for it, and calls a function.
    let [x, y] = position.map(|p| {
        let sum = f64::from(p) + 0.5;
        let towards_zero = sum as i32;
        towards_zero - i32::from(f64::from(towards_zero) > sum && towards_zero > i32::MIN)
    });
    position.iter().all(|p| p.abs() <= MAX_POSITION).then_some(Point::new(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_snap_to_the_floor_of_p_plus_a_half_without_rounding_the_sum() {
        for (p, pixel) in [
            (0.0, 0),
            (0.499_999_97, 0),
            (0.5, 1),
            (-0.5, 0),
            (-0.500_000_06, -1),
            (1.5, 2),
            (-1.5, -1),
            (-1e-40, 0),
            (8_388_607.5, 8_388_608),
            (16_777_217.0, 16_777_216),
            (1e9, 1_000_000_000),
            (-1e9, -1_000_000_000),
        ] {
            assert_eq!(snap([p, -0.0]), Some(Point::new(pixel, 0)), "{p}");
        }
    }

    #[test]
    fn what_is_not_a_place_is_refused() {
        for p in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.000_001e9, -2e9, f32::MAX] {
            assert_eq!(snap([p, 0.0]), None);
            assert_eq!(snap([0.0, p]), None);
        }
    }
}
