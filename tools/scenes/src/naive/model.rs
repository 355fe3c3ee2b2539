//! What the calls so far have made of a world: colliders, masks and atlases in plain lists.

use super::truth::{Naive, Shown};
use hitmask::{
    Accuracy, Affine, Atlas, Body, BodyPair, Collider, ColliderId, ColliderShape, Flip,
    MAX_POSITION, Mask, MaskId, Pair, Pivot, Point, Raster, ScalePolicy, SpriteId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The versions of the atlases that calls take: of each family, of each version, drawn and compact.
pub type Art = Vec<Vec<[Atlas; 2]>>;

/// A mask that is not in an atlas.
#[derive(Clone, Debug)]
pub(super) struct Loose {
    pub(super) mask: Arc<Mask>,
    pub(super) origin: Point,
    pub(super) drawn: Option<(Arc<Raster>, Affine)>,
}

impl Loose {
    pub(super) fn inserted(mask: Mask, pivot: Pivot) -> Self {
        let [x, y] = match pivot {
            Pivot::HalfTexels(x, y) => [x, y],
            _ => [mask.width() as i32, mask.height() as i32],
        };
        Self { mask: Arc::new(mask), origin: Point::new(-(x >> 1), -(y >> 1)), drawn: None }
    }

    /// Returns `None` if the transform is refused.
    pub(super) fn drawn(raster: Arc<Raster>, transform: Affine) -> Option<Self> {
        let posed = raster.transformed(transform).ok()?;
        let mask = Arc::new(posed.mask);
        Some(Self { mask, origin: posed.origin, drawn: Some((raster, transform)) })
    }
}

/// The state of a world, as far as answers depend on it.
#[derive(Clone, Debug)]
pub(super) struct Model<'a> {
    pub(super) art: &'a Art,
    pub(super) colliders: BTreeMap<ColliderId, Collider>,
    pub(super) masks: Vec<(MaskId, Loose)>,
    /// The colliders with their pixels, as of the last [`refresh`](Self::refresh).
    pub(super) naive: Naive<'a>,
    pub(super) accuracy: Accuracy,
    pub(super) policy: ScalePolicy,
    /// Versions of each family that the world has had since the family was added; the last is shown.
    pub(super) versions: Vec<Vec<usize>>,
    /// Number of changes of atlases.
    pub(super) changes: usize,
    /// True if a snapshot of before a change of atlases was restored; none is changed after that.
    pub(super) went_back: bool,
    /// The pairs of the last update, by the bodies and with the parts of that time.
    pub(super) touching: BTreeSet<Pair>,
    pub(super) bodies: BTreeMap<[Body; 2], [ColliderId; 2]>,
    /// The pairs of bodies that touch, began and ended, as the last update told them.
    pub(super) body_events: [Vec<BodyPair>; 3],
}

impl<'a> Model<'a> {
    pub(super) fn new(art: &'a Art, policy: ScalePolicy) -> Self {
        let mut versions = vec![Vec::new(); art.len()];
        versions[0].push(0);
        Self {
            art,
            colliders: BTreeMap::new(),
            masks: Vec::new(),
            naive: Naive::default(),
            accuracy: Accuracy::Exact,
            policy,
            versions,
            changes: 0,
            went_back: false,
            touching: BTreeSet::new(),
            bodies: BTreeMap::new(),
            body_events: Default::default(),
        }
    }

    pub(super) fn mask(&self, id: MaskId) -> Option<&Loose> {
        self.masks.iter().find(|(known, _)| *known == id).map(|(_, mask)| mask)
    }

    /// Returns the families of the world with the drawn atlas of their newest version.
    pub(super) fn newest(&self) -> impl Iterator<Item = (usize, &'a Atlas)> {
        let newest = self.versions.iter().enumerate();
        newest.filter_map(|(family, known)| Some((family, &self.art[family][*known.last()?][0])))
    }

    /// Returns the family of a sprite in the world, and the drawn atlas that its id names.
    pub(super) fn named(&self, sprite: SpriteId) -> Option<(usize, &'a Atlas)> {
        let of = sprite.atlas();
        let all =
            self.art.iter().enumerate().flat_map(|(family, versions)| {
                versions.iter().map(move |[drawn, _]| (family, drawn))
            });
        all.into_iter().find(|(_, atlas)| Some(atlas.id()) == of)
    }

    /// Returns a collider with the ids of the newest versions; `None` if its sprite has vanished.
    pub(super) fn renewed(&self, collider: Collider) -> Option<Collider> {
        let Some(sprite) = collider.shape.sprite() else { return Some(collider) };
        let (family, atlas) = self.named(sprite)?;
        let newest = &self.art[family][*self.versions[family].last()?][0];
        let sprite = atlas.sprite(sprite)?;
        let plane = sprite.planes().nth(collider.plane as usize)?;
        let sprite = newest.sprite(newest.sprite_id(sprite.name())?)?;
        let plane = sprite.plane(plane)?;
        let shape = Collider::new(sprite.id()).shape;
        (collider.frame < sprite.frame_count()).then_some(Collider { shape, plane, ..collider })
    }

    /// Returns a collider as the world has it after it was set; `None` if that is refused.
    pub(super) fn accepted(&self, collider: Collider) -> Option<Collider> {
        self.renewed(collider).filter(|collider| self.can_show(collider))
    }

    /// Returns true if the place, the angle and the scale of a collider are valid.
    pub(super) fn can_show(&self, collider: &Collider) -> bool {
        self.can_show_by(self.policy, collider)
    }

    /// As [`can_show`](Self::can_show), for a collider of the world that keeps its scale. A scale that was
    /// accepted once stays so under any later policy.
    pub(super) fn can_move(&self, collider: &Collider) -> bool {
        self.can_show_by(ScalePolicy::Nearest, collider)
    }

    fn can_show_by(&self, policy: ScalePolicy, collider: &Collider) -> bool {
        let is_there = collider.position.iter().all(|p| p.is_finite() && p.abs() <= MAX_POSITION);
        let turn = collider.angle.to_radians();
        if !is_there || !turn.is_finite() {
            return false;
        }
        match collider.shape {
            ColliderShape::Mask(id) => {
                let plain = (turn, collider.scale, collider.frame, collider.plane, collider.flip)
                    == (0.0, 1.0, 0, 0, Flip::NONE);
                plain && self.mask(id).is_some()
            }
            ColliderShape::Sprite(id) => {
                let sprite = self.named(id).and_then(|(_, atlas)| atlas.sprite(id));
                let is_baked = |baked: &f32| policy.accepts(collider.scale, *baked);
                sprite.is_some_and(|sprite| {
                    collider.scale > 0.0
                        && collider.scale.is_finite()
                        && sprite.scales().iter().any(is_baked)
                })
            }
        }
    }

    /// Returns true if a collider shows a version that was replaced.
    pub(super) fn is_outdated(&self, collider: &Collider) -> bool {
        let sprite = collider.shape.sprite();
        sprite.is_some_and(|sprite| {
            !self.newest().any(|(_, atlas)| Some(atlas.id()) == sprite.atlas())
        })
    }

    /// Returns a collider with its pixels.
    fn show(&self, id: ColliderId, collider: Collider) -> Option<Shown<'a>> {
        let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
        let at = Point::new(x, y);
        match collider.shape {
            ColliderShape::Mask(mask) => {
                let loose = self.mask(mask)?;
                Some(Shown::loose(id, collider, loose.mask.clone(), loose.origin + at))
            }
            ColliderShape::Sprite(sprite) => {
                let sprite = self.named(sprite)?.1.sprite(sprite)?.in_plane(collider.plane)?;
                let pose = sprite.nearest(collider.angle, collider.scale)?;
                let posed = sprite.posed(collider.frame, pose, collider.flip)?;
                let origin = posed.origin + at;
                Some(Shown::new(id, collider, hitmask::PosedRef { origin, ..posed }))
            }
        }
    }

    /// Returns a collider as it would show each plane of its sprite, in order. A mask has one plane.
    pub(super) fn planes(&self, id: ColliderId) -> Vec<Shown<'a>> {
        let Some(&collider) = self.colliders.get(&id) else { return Vec::new() };
        let count = if collider.shape.sprite().is_some() { u32::MAX } else { 1 };
        let planes = (0..count).map(|plane| Collider { plane, ..collider });
        planes.map_while(|shown| self.show(id, shown)).collect()
    }

    /// Brings [`naive`](Self::naive) up to date: shows the colliders that have changed again.
    pub(super) fn refresh(&mut self) {
        let mut before = std::mem::take(&mut self.naive.shown).into_iter().peekable();
        let mut shown = Vec::with_capacity(self.colliders.len());
        for (&id, &collider) in &self.colliders {
            while before.next_if(|old| old.id < id).is_some() {}
            // The pixels of a mask may be others.
            let is_same = |old: &Shown<'_>| old.id == id && old.collider == collider;
            let old = before.next_if(|old| is_same(old) && collider.shape.sprite().is_some());
            let new = || self.show(id, collider).expect("a pose of a drawn atlas");
            shown.push(old.unwrap_or_else(new));
        }
        self.naive = Naive { shown, accuracy: self.accuracy, resolution: 1.0 };
    }

    /// Returns the bodies that pairs are of, each with its first pair of parts.
    pub(super) fn bodies_of(&self, pairs: &BTreeSet<Pair>) -> BTreeMap<[Body; 2], [ColliderId; 2]> {
        let mut bodies = BTreeMap::new();
        for pair in pairs {
            let part = |id: ColliderId| (Body::of(id, self.colliders[&id].owner), id);
            let (a, b) = (part(pair.a), part(pair.b));
            let [(a, first), (b, second)] = if a <= b { [a, b] } else { [b, a] };
            bodies.entry([a, b]).or_insert([first, second]);
        }
        bodies
    }
}
