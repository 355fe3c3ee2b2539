//! Palettes of indexed Aseprite files, from chunks of the new kind and of both old ones.
//!
//! Called by `chunks`.

use super::reader::{Cursor, Fault};

#[derive(Clone)]
pub(super) struct Palette {
    /// RGBA colours. An index beyond them is transparent.
    pub(super) colors: Vec<[u8; 4]>,
}

/// A colour that no chunk has set.
const OPAQUE_BLACK: [u8; 4] = [0, 0, 0, 255];

impl Palette {
    pub(super) fn black(colors: usize) -> Self {
        Self { colors: vec![OPAQUE_BLACK; colors] }
    }

    fn set(&mut self, index: usize, color: [u8; 4]) {
        if index >= self.colors.len() {
            self.colors.resize(index.saturating_add(1), OPAQUE_BLACK);
        }
        self.colors[index] = color;
    }

    /// Reads a chunk of the old kinds, whose channels have 8 bits or 6.
    pub(super) fn read_old(
        &mut self,
        cursor: &mut Cursor<'_>,
        has_6_bits: bool,
    ) -> Result<(), Fault> {
        let mut index = 0_usize;
        for _ in 0..cursor.u16()? {
            index = index.saturating_add(cursor.u8()?.into());
            let count = match cursor.u8()? {
                0 => 256,
                count => usize::from(count),
            };
            let end = index.saturating_add(count);
            if end > 256 {
                return Err(Fault::damaged("the palette has more than 256 colours"));
            }
            let colors = cursor.take(count.saturating_mul(3))?;
            for (index, rgb) in (index..).zip(colors.chunks_exact(3)) {
                let [r, g, b] = [rgb[0], rgb[1], rgb[2]].map(|channel| {
                    if has_6_bits { channel << 2 | channel >> 4 & 3 } else { channel }
                });
                self.set(index, [r, g, b, 255]);
            }
            index = end;
        }
        Ok(())
    }

    /// Reads a chunk of the new kind, whose colours have an alpha.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let [count, from, to] = [cursor.u32()?, cursor.u32()?, cursor.u32()?];
        cursor.take(8)?;
        if count > 0 {
            self.colors.resize(count.min(256) as usize, OPAQUE_BLACK);
        }
        for index in from..=to {
            let has_name = cursor.u16()? & 1 != 0;
            let color = [cursor.u8()?, cursor.u8()?, cursor.u8()?, cursor.u8()?];
            if has_name {
                let len = cursor.u16()?;
                cursor.take(len.into())?;
            }
            // A pixel has 8 bits, so it cannot refer to later colours.
            if index < 256 {
                self.set(index as usize, color);
            }
        }
        Ok(())
    }
}
