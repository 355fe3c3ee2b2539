//! Atlases as assets: the loader of `.hitmask` files, and which asset each atlas of the world belongs to.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetId, AssetLoader, Handle, LoadContext};
use bevy_reflect::TypePath;
use hitmask::{Atlas, AtlasId};

/// An atlas of masks, as `hitmask bake` writes it, as an asset. The extension is `hitmask`.
///
/// Keep its handle: the atlas leaves the world when the last handle is dropped.
/// [`HitmaskPlugin::load`](crate::HitmaskPlugin::load) does both.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_hitmask::{PixelAtlas, PixelCollider};
///
/// fn enter_level(mut commands: Commands, assets: Res<AssetServer>) {
///     let atlas: Handle<PixelAtlas> = assets.load("level_2.hitmask");
///     commands.spawn(PixelCollider::named("door").in_atlas(atlas));
/// }
/// ```
#[derive(Asset, TypePath, Clone, Debug)]
pub struct PixelAtlas(pub Atlas);

#[derive(Debug, Default, TypePath)]
pub(crate) struct PixelAtlasLoader;

impl AssetLoader for PixelAtlasLoader {
    type Asset = PixelAtlas;
    type Settings = ();
    type Error = bevy_ecs::error::BevyError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<PixelAtlas, Self::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let atlas = Atlas::from_vec(bytes);
        Ok(PixelAtlas(atlas.map_err(|error| format!("{error}; {}", error.help()))?))
    }

    fn extensions(&self) -> &[&str] {
        &["hitmask"]
    }
}

/// The atlases in the order of adding.
#[derive(Clone, Debug, Default)]
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

    pub(crate) fn of(&self, asset: AssetId<PixelAtlas>) -> Option<AtlasId> {
        self.members.iter().find(|member| member.0 == Some(asset)).map(|member| member.1)
    }
}
