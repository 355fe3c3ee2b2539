//! Atlases as assets: the loader of `.hitmask` files, and hot reload.
//!
//! An atlas asset joins the world when it is loaded. When its file changes, the new version takes the place of the old
//! one. When its last handle is dropped, it leaves the world.

use crate::pixel_world::PixelWorld;
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetEvent, AssetId, AssetLoadFailedEvent, AssetLoader, Assets, LoadContext,
};
use bevy_ecs::prelude::*;
use bevy_reflect::TypePath;
use hitmask::{Atlas, AtlasChangeError, AtlasError, InUse, ReloadReport};
use std::fmt;
use tracing::{info, warn};

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

/// An atlas asset was replaced by a newer version of its file.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::AtlasReloaded;
/// fn show(mut reloads: MessageReader<AtlasReloaded>) {
///     for reload in reloads.read() {
///         println!("{} sprites changed their size", reload.report.changed.len());
///     }
/// }
/// ```
#[derive(Message, Clone, Debug)]
pub struct AtlasReloaded {
    /// The asset.
    pub atlas: AssetId<PixelAtlas>,
    /// The differences between both versions.
    pub report: ReloadReport,
}

/// The loader of [`PixelAtlas`].
#[derive(Debug, Default, TypePath)]
pub(crate) struct PixelAtlasLoader;

/// Error of a file that is no atlas, with the remedy.
#[derive(Debug)]
enum LoadError {
    Read(std::io::Error),
    Atlas(AtlasError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Atlas(error) => write!(f, "{error}; {}", error.help()),
        }
    }
}

impl std::error::Error for LoadError {}

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
        reader.read_to_end(&mut bytes).await.map_err(LoadError::Read)?;
        Ok(PixelAtlas(Atlas::from_vec(bytes).map_err(LoadError::Atlas)?))
    }

    fn extensions(&self) -> &[&str] {
        &["hitmask"]
    }
}

/// Adds, replaces and drops the atlases whose assets changed.
pub(crate) fn follow_assets(
    mut changes: MessageReader<AssetEvent<PixelAtlas>>,
    mut failures: MessageReader<AssetLoadFailedEvent<PixelAtlas>>,
    mut reloads: MessageWriter<AtlasReloaded>,
    mut pixels: ResMut<PixelWorld>,
    assets: Res<Assets<PixelAtlas>>,
) {
    // Colliders that wait for it report a fault.
    pixels.queue_all |= failures.read().count() > 0;
    for change in changes.read() {
        match *change {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => {
                let Some(PixelAtlas(atlas)) = assets.get(id) else { continue };
                match pixels.take(id, atlas.clone()) {
                    Ok(Some(report)) => {
                        info!("reloaded atlas {id}: {} sprites changed", report.changed.len());
                        reloads.write(AtlasReloaded { atlas: id, report });
                    }
                    Ok(None) => {}
                    Err(error) => warn!("atlas {id} is left out: {error}; {}", error.help()),
                }
            }
            AssetEvent::Removed { id } => pixels.drop_asset(id),
            AssetEvent::Unused { .. } | AssetEvent::LoadedWithDependencies { .. } => {}
        }
    }
}

impl PixelWorld {
    /// Adds the atlas of an asset, or replaces its earlier version.
    fn take(
        &mut self,
        asset: AssetId<PixelAtlas>,
        atlas: Atlas,
    ) -> Result<Option<ReloadReport>, AtlasChangeError> {
        // Another atlas may have the id of this one.
        let labels = (0..).map(|label| labelled(&atlas, label));
        if let Some(old) = self.atlases.of(asset) {
            return each_label(labels, |atlas| self.replace_atlas(old, atlas)).map(Some);
        }
        if let Some(old) = self.atlases.orphan() {
            each_label(labels, |atlas| self.replace_atlas(old, atlas))?;
            self.atlases.adopt(asset);
            return Ok(None);
        }
        each_label(labels, |atlas| self.add(Some(asset), atlas)).map(|_| None)
    }

    /// Drops the atlas of an asset. Its colliders wait for another one.
    fn drop_asset(&mut self, asset: AssetId<PixelAtlas>) {
        let (Some(id), Some(world)) = (self.atlases.of(asset), &mut self.world) else { return };
        match world.drop_atlas(id, InUse::Remove) {
            Ok(removed) => {
                for id in removed {
                    if let Some(entity) = self.entities.entity(id) {
                        self.entities.remove(entity);
                    }
                }
                self.atlases.dropped(id);
                self.atlases_changed();
            }
            // The last atlas stays until another one takes its place, because a world has at least one.
            Err(_) => self.atlases.orphaned(asset),
        }
    }
}

/// Returns an atlas under a label; 0 is none.
fn labelled(atlas: &Atlas, label: u32) -> Atlas {
    if label == 0 { atlas.clone() } else { atlas.clone().labelled(label) }
}

/// Calls `change` with the labelled atlases, until the world has no other atlas of that id. Two assets have the same
/// id if they differ in pixels only.
fn each_label<T>(
    atlases: impl Iterator<Item = Atlas>,
    mut change: impl FnMut(Atlas) -> Result<T, AtlasChangeError>,
) -> Result<T, AtlasChangeError> {
    let mut last = None;
    for atlas in atlases.take(1_000) {
        match change(atlas) {
            Err(AtlasChangeError::SameId(id)) => last = Some(AtlasChangeError::SameId(id)),
            other => return other,
        }
    }
    Err(last.unwrap_or(AtlasChangeError::TooLarge))
}
