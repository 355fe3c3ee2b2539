//! Assembles the bytes of an atlas from sprites in order of their names.
//!
//! Invariant: a full and a compact atlas of the same sprites give the same drawn atlas.

use super::BuildError;
use crate::atlas::{CompactWriter, Drawer, Entry, Finished, Scratch};
use crate::pose::Resolution;

/// An atlas that is being written, full or compact.
///
/// ```
/// use hitmask::baking::{Assembler, Entry, Finished, Frame, SourceSprite};
/// use hitmask::{Atlas, Mask, Settings};
/// let frames = [Frame::from(Mask::solid(3, 2)?)];
/// let sprite = SourceSprite::new("tile", &frames, &Settings::default(), 1.0)?;
/// let mut assembler = Assembler::new(1.0, false, None)?;
/// assembler.add(&[Entry::New(sprite)])?;
/// let Finished::Bytes(bytes) = assembler.finish(&[])? else { panic!("there is no file") };
/// assert_eq!(Atlas::from_vec(bytes)?.sprites().next().unwrap().name(), "tile");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Assembler<'s> {
    drawer: Drawer<'s>,
    compact: Option<CompactWriter>,
}

impl<'s> Assembler<'s> {
    /// Returns an atlas without sprites. A full atlas above 16 MiB grows in the scratch file, if
    /// there is one.
    ///
    /// # Errors
    /// [`BuildFault::Settings`](crate::BuildFault) if the resolution is invalid.
    pub fn new(
        resolution: f32,
        is_compact: bool,
        scratch: Option<&'s mut dyn Scratch>,
    ) -> Result<Self, BuildError> {
        let resolution = Resolution::new(resolution).map_err(BuildError::settings)?;
        Ok(if is_compact {
            let compact = Some(CompactWriter::new(resolution));
            Self { drawer: Drawer::measuring(resolution), compact }
        } else {
            Self { drawer: Drawer::new(resolution, scratch), compact: None }
        })
    }

    /// Appends sprites, whose names ascend over all calls. Draws their poses on all cores.
    ///
    /// # Errors
    /// [`BuildError`] if a pose is too large, or if the atlas cannot hold or write the sprites.
    pub fn add(&mut self, entries: &[Entry<'_>]) -> Result<(), BuildError> {
        self.drawer.add(entries)?;
        if let Some(compact) = &mut self.compact {
            for entry in entries {
                if let Entry::New(sprite) = entry {
                    compact.add(sprite)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the atlas, behind the bytes of `prefix`.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn finish(self, prefix: &[u8]) -> Result<Finished, BuildError> {
        let Some(compact) = self.compact else { return Ok(self.drawer.finish(prefix)?) };
        let full = self.drawer.measured()?;
        // Freed first, because the atlas is packed in memory.
        drop(self.drawer);
        let bytes = compact.finish(full)?;
        Ok(Finished::Bytes(if prefix.is_empty() { bytes } else { [prefix, &bytes].concat() }))
    }
}
