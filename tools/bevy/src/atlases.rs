//! The atlases of the world: which asset each belongs to, and which assets are awaited.

use crate::PixelAtlas;
use bevy_asset::{AssetId, Handle};
use hitmask::AtlasId;

/// The atlases in the order of adding.
#[derive(Debug, Default)]
pub(crate) struct Atlases {
    members: Vec<(Option<AssetId<PixelAtlas>>, AtlasId)>,
    /// The only atlas, if its asset was dropped.
    orphan: Option<AtlasId>,
    /// Atlases that the plugin loads. Held, so that they are not dropped.
    pub(crate) loaded_by_plugin: Vec<Handle<PixelAtlas>>,
}

impl Atlases {
    pub(crate) fn added(&mut self, asset: Option<AssetId<PixelAtlas>>, id: AtlasId) {
        self.members.push((asset, id));
    }

    pub(crate) fn replaced(&mut self, old: AtlasId, new: AtlasId) {
        self.members.iter_mut().filter(|member| member.1 == old).for_each(|member| member.1 = new);
        if self.orphan == Some(old) {
            self.orphan = Some(new);
        }
    }

    pub(crate) fn dropped(&mut self, id: AtlasId) {
        self.members.retain(|member| member.1 != id);
    }

    /// Remembers that the asset of the only atlas was dropped.
    pub(crate) fn orphaned(&mut self, asset: AssetId<PixelAtlas>) {
        self.orphan = self.of(asset);
        self.members.retain(|member| member.0 != Some(asset));
    }

    pub(crate) const fn orphan(&self) -> Option<AtlasId> {
        self.orphan
    }

    /// Gives the orphan to an asset.
    pub(crate) fn adopt(&mut self, asset: AssetId<PixelAtlas>) {
        self.members.extend(self.orphan.take().map(|id| (Some(asset), id)));
    }

    /// Returns the atlas of an asset.
    pub(crate) fn of(&self, asset: AssetId<PixelAtlas>) -> Option<AtlasId> {
        self.members.iter().find(|member| member.0 == Some(asset)).map(|member| member.1)
    }
}
