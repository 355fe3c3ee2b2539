//! The atlases of a combined one, by the numbers of their poses.
//!
//! Held by `Atlas`, made by `combined`. Generic, so that this file does not depend on `Atlas`.

#![deny(clippy::arithmetic_side_effects)]

/// The atlases of a combined one. Another atlas has none.
pub(super) struct Parts<A>(Vec<Part<A>>);

/// One atlas of a combined one.
pub(super) struct Part<A> {
    /// The number of its first pose in the combined atlas.
    pub(super) first_pose: u32,
    pub(super) atlas: A,
}

impl<A> Parts<A> {
    /// Returns the parts, in ascending order of their first poses.
    pub(super) const fn new(parts: Vec<Part<A>>) -> Self {
        Self(parts)
    }

    /// Returns the place of the atlas that a pose belongs to, the atlas, and the number of the pose
    /// in it.
    pub(super) fn of(&self, pose: u32) -> Option<(usize, &A, u32)> {
        let at = self.0.partition_point(|part| part.first_pose <= pose).checked_sub(1)?;
        let Part { first_pose, atlas } = self.0.get(at)?;
        Some((at, atlas, pose.checked_sub(*first_pose)?))
    }
}
