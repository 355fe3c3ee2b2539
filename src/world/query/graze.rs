//! Who is hit, and who only near.

use crate::narrow::Graze;
use crate::world::{ColliderId, Filter, World};

impl World {
    /// Whom a collider hits and whom it only grazes: everybody of the filter who has a set pixel
    /// within `radius` pixels of one of its own, from centre to centre, and which of the two it is.
    /// In order of ids' indices, as they are placed now. Nobody where `id` is no longer in the
    /// world or has no pixel; with a radius of 0 only those that are hit.
    ///
    /// Pixels decide, whatever accuracy the colliders ask for; the filter alone says whom it is
    /// about, and `id` itself is left out. One search of the index, then for each whose box is so
    /// near one [`MaskRef::graze`](crate::MaskRef::graze), which says what it costs.
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, Filter, Graze, Mask, World};
    /// # let bytes = Bake::new().mask("ship", "####\n####".parse()?).mask("shot", Mask::disc(0)?);
    /// # let atlas = Atlas::from_vec(bytes.to_bytes()?)?;
    /// # let [ship, shot] = ["ship", "shot"].map(|name| atlas.sprite(name).unwrap());
    /// # let mut world = World::new(atlas);
    /// let ship = world.insert(Collider::new(ship))?;
    /// let near = world.insert(Collider::new(shot).at([0.0, 4.0]))?;
    /// let far = world.insert(Collider::new(shot).at([0.0, 40.0]))?;
    /// assert_eq!(world.graze(ship, 8, Filter::ALL), [(near, Graze::Graze)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn graze(&self, id: ColliderId, radius: u32, filter: Filter) -> Vec<(ColliderId, Graze)> {
        let Some(slot) = self.slots.find(id) else { return Vec::new() };
        let rect = self.slots.rect(slot);
        if rect.is_empty() {
            return Vec::new();
        }
        let view = self.view();
        let us = view.pixels(slot);
        let mut found = Vec::new();
        self.visit_filtered(rect.grown(radius), filter, |other| {
            let met = view.seen(other.slot(), filter.accuracy);
            let (theirs, offset) = met.beside(us.origin);
            let graze = us.mask().graze(theirs, offset, radius);
            if other != id && graze != Graze::Clear {
                found.push((other, graze));
            }
        });
        found.sort_unstable_by_key(|(other, _)| *other);
        found
    }
}
