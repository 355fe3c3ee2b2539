//! The list of the atlases of a scene: which sprite of the combined atlas an id names. Ids of an
//! earlier version of an atlas keep working by name, and frames of maps by their pictures.
//!
//! Invariants: no two atlases have one id. The names of a version stay known as long as an atlas
//! replaces it, even while its newest version lacks them.

use crate::atlas::{Atlas, MapShape, PoseRequest, Sprite};
use crate::error::CallError;
use crate::geom::Flip;
use crate::ids::{AtlasId, SpriteId};
use crate::memory::clone_fields::clone_fields;
use crate::scene::{Collider, ColliderShape};
use std::collections::{BTreeMap, HashMap};

#[derive(Debug)]
pub(crate) struct AtlasList {
    /// The present atlases in the order of adding, then earlier versions that colliders show or showed.
    pub(crate) members: Vec<Member>,
    pub(crate) versions: Vec<EarlierVersion>,
}

clone_fields!([] AtlasList { members, versions });

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) atlas: Atlas,
    /// The index of its first sprite in the combined atlas.
    first_sprite: u32,
    /// The newest version, if this is an earlier one.
    pub(crate) newest: Option<AtlasId>,
    /// The number of colliders that show it, if this is an earlier version.
    showing: usize,
}

impl Member {
    pub(crate) const fn new(atlas: Atlas, newest: Option<AtlasId>) -> Self {
        Self { atlas, first_sprite: 0, newest, showing: 0 }
    }

    fn is_visible(&self) -> bool {
        self.newest.is_none() || self.showing > 0
    }

    pub(crate) fn is_version_of(&self, id: AtlasId) -> bool {
        self.newest.unwrap_or(self.atlas.id()) == id
    }
}

impl AtlasList {
    pub(crate) fn new(atlas: Atlas) -> Self {
        Self { members: vec![Member::new(atlas, None)], versions: Vec::new() }
    }

    pub(crate) fn of(
        mut members: Vec<Member>,
        versions: Vec<EarlierVersion>,
    ) -> Result<(Self, Atlas), CallError> {
        let mut next = 0_u32;
        for Member { atlas, first_sprite, .. } in &mut members {
            *first_sprite = next;
            let sprites = atlas.sprites().len() as u32;
            next = next.checked_add(sprites).ok_or(CallError::AtlasesTooLarge)?;
        }
        let atlases: Vec<&Atlas> = members.iter().map(|member| &member.atlas).collect();
        let combined = match atlases[..] {
            [only] => only.clone(),
            _ => Atlas::combined(&atlases).ok_or(CallError::AtlasesTooLarge)?,
        };
        Ok((Self { members, versions }, combined))
    }

    /// Returns the list of a snapshot, where `newest` is the place of each newest version.
    pub(crate) fn of_snapshot(
        atlases: &[Atlas],
        newest: &[u32],
    ) -> Result<(Self, Atlas), CallError> {
        let mut members: Vec<Member> = Vec::with_capacity(atlases.len());
        for atlas in atlases {
            let (id, resolution) = (atlas.id(), atlas.resolution());
            if members.iter().any(|member| member.atlas.id() == id) {
                return Err(CallError::SameAtlas(id));
            }
            let world = atlases[0].resolution();
            if resolution != world {
                return Err(CallError::OtherResolution { atlas: resolution, world });
            }
            members.push(Member::new(atlas.clone(), None));
        }
        let (list, combined) = Self::of(members, Vec::new())?;
        Ok((list.with_newest(newest)?, combined))
    }

    /// Returns the list with other newest versions: `newest` holds a place for each atlas.
    pub(crate) fn with_newest(&self, newest: &[u32]) -> Result<Self, CallError> {
        let Self { mut members, mut versions } = self.clone();
        for (at, &place) in newest.iter().enumerate() {
            let (Some(member), Some(after)) =
                (self.members.get(at), self.members.get(place as usize))
            else {
                continue;
            };
            members[at].newest = None;
            if at == place as usize {
                continue;
            }
            let (old, new) = (&member.atlas, &after.atlas);
            // A newest version has no newer one, and comes first.
            if place as usize >= at || newest[place as usize] != place {
                return Err(CallError::UnknownAtlas(new.id()));
            }
            members[at].newest = Some(new.id());
            if !versions.iter().any(|version| version.has(old.id())) {
                EarlierVersion::add(&mut versions, old, new);
            }
        }
        Ok(Self { members, versions })
    }

    /// Counts the colliders that show each earlier version, given the sprites of all colliders.
    pub(crate) fn count_earlier(&mut self, shown: impl Iterator<Item = SpriteId>) {
        if self.members.iter().all(|member| member.newest.is_none()) {
            return;
        }
        self.members.iter_mut().for_each(|member| member.showing = 0);
        for sprite in shown {
            let is_own = |member: &&mut Member| sprite.within(member.atlas.id()).is_some();
            if let Some(member) = self.members.iter_mut().find(is_own) {
                member.showing += 1;
            }
        }
    }

    /// Notes that a collider no longer shows a sprite or a mask.
    #[inline]
    pub(crate) fn release(&mut self, shape: ColliderShape) {
        let ColliderShape::Sprite(sprite) = shape else { return };
        // Earlier versions are the last members.
        for member in self.members.iter_mut().rev().take_while(|member| member.newest.is_some()) {
            if sprite.within(member.atlas.id()).is_some() {
                member.showing = member.showing.saturating_sub(1);
            }
        }
    }

    /// Returns the list with the atlases of these ids first, in their order, then all others.
    pub(crate) fn ordered(&self, unlabelled_ids: &[u32]) -> Self {
        let (mut members, mut others) = (Vec::new(), self.members.clone());
        for id in unlabelled_ids {
            let place = others.iter().position(|member| member.atlas.unlabelled_id().bits() == *id);
            members.extend(place.map(|place| others.remove(place)));
        }
        members.extend(others);
        Self { members, versions: self.versions.clone() }
    }

    /// Returns the atlases that a snapshot of the first `count` lists: these, and all present ones.
    pub(crate) fn listed(&self, count: usize) -> Vec<Atlas> {
        let members = self.members.iter().enumerate();
        let listed = members.filter(|(at, member)| *at < count || member.newest.is_none());
        listed.map(|(_, member)| member.atlas.clone()).collect()
    }

    /// Returns the id of each atlas without its label, and the place of its newest version.
    pub(crate) fn unlabelled_ids(&self) -> impl Iterator<Item = [u32; 2]> {
        self.visible().enumerate().map(|(at, Member { atlas, newest, .. })| {
            let place =
                newest.and_then(|id| self.visible().position(|member| member.atlas.id() == id));
            [atlas.unlabelled_id().bits(), place.unwrap_or(at) as u32]
        })
    }

    /// Returns the atlas of creation, or its newest version, or the next one if it was dropped.
    #[inline(always)]
    pub(crate) fn first(&self) -> &Atlas {
        &self.members[0].atlas
    }

    /// Returns the present atlases, then earlier versions that colliders still show.
    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = &Atlas> {
        let atlases: Vec<&Atlas> = self.visible().map(|member| &member.atlas).collect();
        atlases.into_iter()
    }

    /// Returns the members but for earlier versions that no collider shows. Those stay until an atlas
    /// changes, because an earlier snapshot may show them again.
    fn visible(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.is_visible())
    }

    pub(crate) fn newest(&self, id: AtlasId) -> Result<AtlasId, CallError> {
        if self.present().any(|atlas| atlas.id() == id) {
            return Ok(id);
        }
        let version = self.versions.iter().find(|version| version.has(id));
        version.map(|version| version.newest).ok_or(CallError::UnknownAtlas(id))
    }

    fn present(&self) -> impl Iterator<Item = &Atlas> {
        self.members.iter().filter(|member| member.newest.is_none()).map(|member| &member.atlas)
    }

    /// Returns the collider with the id of a present atlas, found by name for an earlier version.
    #[inline(always)]
    pub(crate) fn own(&self, collider: Collider) -> Result<Collider, CallError> {
        let ColliderShape::Sprite(sprite) = collider.shape else { return Ok(collider) };
        if let [only] = &self.members[..]
            && let Some(own) = sprite.within(only.atlas.id())
        {
            return Ok(Collider { shape: ColliderShape::Sprite(own), ..collider });
        }
        self.own_of_several(collider, sprite)
    }

    #[cold]
    fn own_of_several(&self, collider: Collider, sprite: SpriteId) -> Result<Collider, CallError> {
        let mut present = self.present();
        let id = match (sprite.atlas(), present.next(), present.next()) {
            (Some(id), ..) => id,
            (None, Some(only), None) => only.id(),
            _ => return Err(CallError::OtherAtlas { sprite }),
        };
        if self.present().any(|atlas| atlas.id() == id) {
            let shape = ColliderShape::Sprite(SpriteId::of_atlas(id, sprite.index()));
            return Ok(Collider { shape, ..collider });
        }
        match self.versions.iter().find(|version| version.has(id)) {
            Some(version) => version.renamed(collider, sprite),
            None => Err(CallError::OtherAtlas { sprite }),
        }
    }

    /// Returns the name of a sprite of any version.
    pub(crate) fn name(&self, sprite: SpriteId) -> Option<&str> {
        let is_of = |version: &&EarlierVersion| sprite.atlas().is_some_and(|id| version.has(id));
        let version = self.versions.iter().find(is_of);
        match version {
            Some(version) => Some(&version.sprites.get(sprite.index() as usize)?.name),
            None => Some(self.member(sprite)?.atlas.sprite(sprite)?.name()),
        }
    }

    fn member(&self, sprite: SpriteId) -> Option<&Member> {
        self.members.iter().find(|member| sprite.within(member.atlas.id()).is_some())
    }

    pub(crate) fn sprite(&self, sprite: SpriteId) -> Option<Sprite<'_>> {
        self.member(sprite).filter(|member| member.is_visible())?.atlas.sprite(sprite)
    }

    pub(crate) fn request(
        &self,
        sprite: SpriteId,
        (frame, plane, flip): (u32, u32, Flip),
    ) -> Result<PoseRequest, CallError> {
        let member = self.member(sprite).ok_or(CallError::OtherAtlas { sprite })?;
        let sprites = member.atlas.sprites().len() as u32;
        if sprite.index() >= sprites {
            return Err(CallError::UnknownSprite { sprite, sprites });
        }
        let sprite = SpriteId::new(member.first_sprite + sprite.index());
        Ok(PoseRequest { sprite, frame, plane, flip })
    }

    pub(crate) fn place_of(&self, sprite: SpriteId) -> u32 {
        let is_own = |member: &Member| sprite.within(member.atlas.id()).is_some();
        self.visible().position(is_own).unwrap_or_default() as u32
    }
}

/// The names of an earlier version of an atlas. Versions with the same names share them, so that a
/// session of many reloads stays small.
#[derive(Clone, Debug)]
pub(crate) struct EarlierVersion {
    ids: Vec<AtlasId>,
    /// The newest version of the atlas.
    pub(crate) newest: AtlasId,
    sprites: Vec<NamedSprite>,
}

#[derive(Clone, Debug, PartialEq)]
struct NamedSprite {
    name: String,
    planes: Vec<String>,
    /// The pictures of frames that maps show.
    pictures: BTreeMap<u32, String>,
    /// The index in the newest version, and its number of frames.
    index: Option<u32>,
    frames: u32,
    /// For each plane: its index in the newest version.
    plane_indices: Vec<Option<u32>>,
    /// For each frame with a picture: its index in the newest version.
    frame_indices: BTreeMap<u32, Option<u32>>,
}

/// Returns the frames of a sprite that have a picture, of all sprites by name.
fn pictures_of(atlas: &Atlas) -> HashMap<String, BTreeMap<u32, String>> {
    let mut pictures: HashMap<String, BTreeMap<u32, String>> = HashMap::new();
    let shapes = atlas.maps().into_iter().flat_map(|map| map.items).filter_map(|item| item.shape);
    for MapShape { sprite, frame, picture, .. } in shapes.filter(|shape| !shape.picture.is_empty())
    {
        pictures.entry(sprite).or_default().insert(frame, picture);
    }
    pictures
}

impl EarlierVersion {
    /// Adds the names of `old`, which `new` replaces.
    pub(crate) fn add(versions: &mut Vec<Self>, old: &Atlas, new: &Atlas) {
        let added = Self::new(old, new);
        let is_same =
            |version: &&mut Self| (version.newest, &version.sprites) == (new.id(), &added.sprites);
        match versions.iter_mut().find(is_same) {
            Some(version) => version.ids.push(old.id()),
            None => versions.push(added),
        }
    }

    /// Forgets a version, which may be present again.
    pub(crate) fn forget(versions: &mut Vec<Self>, id: AtlasId) {
        versions.iter_mut().for_each(|version| version.ids.retain(|&earlier| earlier != id));
        versions.retain(|version| !version.ids.is_empty());
    }

    pub(crate) fn has(&self, id: AtlasId) -> bool {
        self.ids.contains(&id)
    }

    fn new(old: &Atlas, new: &Atlas) -> Self {
        let mut pictures = pictures_of(old);
        let named = |sprite: Sprite<'_>| NamedSprite {
            name: sprite.name().to_owned(),
            planes: sprite.planes().map(str::to_owned).collect(),
            pictures: pictures.remove(sprite.name()).unwrap_or_default(),
            index: None,
            frames: 0,
            plane_indices: Vec::new(),
            frame_indices: BTreeMap::new(),
        };
        let sprites = old.sprites().map(named).collect();
        let mut version = Self { ids: vec![old.id()], newest: new.id(), sprites };
        version.follow(new);
        version
    }

    pub(crate) fn follow(&mut self, newest: &Atlas) {
        self.newest = newest.id();
        let new_pictures = pictures_of(newest);
        for sprite in &mut self.sprites {
            let found = newest.sprite_id(&sprite.name).and_then(|id| newest.sprite(id));
            sprite.index = found.map(|sprite| sprite.id().index());
            sprite.frames = found.map_or(0, |sprite| sprite.frame_count());
            let plane = |name: &String| found.and_then(|sprite| sprite.plane(name));
            sprite.plane_indices = sprite.planes.iter().map(plane).collect();
            let pictures = new_pictures.get(&sprite.name).into_iter().flatten();
            let frames: HashMap<&String, u32> =
                pictures.map(|(&frame, picture)| (picture, frame)).collect();
            let frame = |(&old, picture): (&u32, &String)| (old, frames.get(picture).copied());
            sprite.frame_indices = sprite.pictures.iter().map(frame).collect();
        }
    }

    /// Returns a collider as [`renamed`](Self::renamed) does, if the newest version has its frame.
    pub(crate) fn taken_over(&self, collider: Collider, sprite: SpriteId) -> Option<Collider> {
        self.frame(sprite, collider.frame)?;
        self.renamed(collider, sprite).ok()
    }

    /// Returns the index in the newest version of a frame of a sprite of this version, if it is there.
    pub(crate) fn frame(&self, sprite: SpriteId, frame: u32) -> Option<u32> {
        let named = self.sprites.get(sprite.index() as usize)?;
        let found = named.frame_indices.get(&frame).copied().unwrap_or(Some(frame));
        found.filter(|&frame| frame < named.frames)
    }

    /// Returns a collider that shows `sprite` of this version with the names and the picture of it in the
    /// newest version.
    pub(crate) fn renamed(
        &self,
        collider: Collider,
        sprite: SpriteId,
    ) -> Result<Collider, CallError> {
        let Collider { plane, frame, .. } = collider;
        let Some(named) = self.sprites.get(sprite.index() as usize) else {
            return Err(CallError::UnknownSprite { sprite, sprites: self.sprites.len() as u32 });
        };
        let Some(&found_plane) = named.plane_indices.get(plane as usize) else {
            return Err(CallError::UnknownPlane { plane, planes: named.planes.len() as u32 });
        };
        let has_picture = named.frame_indices.contains_key(&frame);
        match (named.index, found_plane, self.frame(sprite, frame)) {
            (Some(index), Some(plane), found) if found.is_some() || !has_picture => {
                let shape = ColliderShape::Sprite(SpriteId::of_atlas(self.newest, index));
                Ok(Collider { shape, plane, frame: found.unwrap_or(frame), ..collider })
            }
            _ => Err(CallError::Vanished { sprite, plane }),
        }
    }
}
