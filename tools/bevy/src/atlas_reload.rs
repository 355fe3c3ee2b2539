//! Hot reload of atlases that are assets.
//!
//! An atlas asset joins the world when it is loaded. When its file changes, the new version takes the place of the old
//! one. When its last handle is dropped, it leaves the world.

use crate::atlas_asset::PixelAtlas;
use crate::pixel_world::PixelWorld;
use bevy_asset::{AssetEvent, AssetId, AssetLoadFailedEvent, Assets};
use bevy_ecs::prelude::*;
use hitmask::{Atlas, CallError, InUse, ReloadReport};
use tracing::{info, warn};

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
    ) -> Result<Option<ReloadReport>, CallError> {
        // Another atlas may have the id of this one.
        let labels = (0..).map(|label| labelled(&atlas, label));
        if let Some(old) = self.atlases.of(asset) {
            let report = each_label(labels, |atlas| self.replace_atlas(old, atlas))?;
            self.has_reloaded = true;
            return Ok(Some(report));
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
        match world.atlases_mut().drop(id, InUse::Remove) {
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

/// Calls `change` with the labelled atlases, until the world has no other atlas of that id. Two assets of equal
/// contents have the same id.
fn each_label<T>(
    atlases: impl Iterator<Item = Atlas>,
    mut change: impl FnMut(Atlas) -> Result<T, CallError>,
) -> Result<T, CallError> {
    let mut last = None;
    for atlas in atlases.take(1_000) {
        match change(atlas) {
            Err(CallError::SameAtlas(id)) => last = Some(CallError::SameAtlas(id)),
            other => return other,
        }
    }
    Err(last.unwrap_or(CallError::AtlasesTooLarge))
}
