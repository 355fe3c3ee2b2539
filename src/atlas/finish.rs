//! Turns the records and masks of an `AtlasWriter` into a file, in memory or in the scratch file.
//!
//! Called by `assembler` and `compact`. Invariant: both places get the same bytes.

use super::aligned_bytes::Bytes;
use super::digest;
use super::format::*;
use super::pool_writer::WriteError;
use super::write::{AtlasWriter, Masks, count};
use crate::ids::AtlasId;
use crate::mask::LEVEL_SIDE;
use std::collections::HashMap;
use std::io::{self, BufWriter, Seek, Write};

/// A finished atlas.
#[derive(Debug)]
pub enum Finished {
    /// The bytes, behind those of the prefix.
    Bytes(Vec<u8>),
    /// The atlas is in the scratch file, behind the prefix.
    InScratch {
        /// Length of the file, prefix included.
        len: u64,
        /// First bytes of the atlas.
        header: [u8; size_of::<Header>()],
    },
}

impl Finished {
    /// Returns a digest of the header, which has checksums of everything else but the `prefix`.
    #[must_use]
    pub fn digest(&self, prefix: &[u8]) -> u128 {
        match self {
            Self::Bytes(bytes) => header_digest(bytes.get(prefix.len()..).unwrap_or_default()),
            Self::InScratch { header, .. } => header_digest(header),
        }
    }
}

/// Returns the digest of a header behind the file length, which compression changes.
pub(super) fn header_digest(atlas: &[u8]) -> u128 {
    digest::of_value(
        atlas.get(std::mem::offset_of!(Header, records_crc)..size_of::<Header>()).unwrap_or(atlas),
    )
}

impl AtlasWriter<'_> {
    pub(crate) fn measured(&self) -> Result<(u64, AtlasId), WriteError> {
        let mut header = self.header()?;
        if let Masks::Counted { crc, .. } = &self.masks {
            header.pool_crc = crc.clone().finalize();
        }
        header.records_crc = self.records_crc(&header)?;
        Ok((header.file_bytes, header.id()))
    }

    /// Returns the bytes of a compact atlas, which states size and id of the full one.
    pub(crate) fn into_bytes(mut self, full: (u64, AtlasId)) -> Result<Vec<u8>, WriteError> {
        let mut header = self.header()?;
        (header.full_bytes, header.full_id) = (full.0, full.1.bits());
        let len = usize::try_from(header.file_bytes).map_err(|_| WriteError::Full)?;
        let mut file = vec![0; len];
        self.put(header, &mut file);
        Ok(file)
    }

    pub(crate) fn finish_in_place(mut self) -> Result<Bytes, WriteError> {
        let header = self.header()?;
        let len = usize::try_from(header.file_bytes).map_err(|_| WriteError::Full)?;
        Ok(Bytes::filled_by(len, |file| self.put(header, file)))
    }

    /// Finishes a full atlas behind the bytes of `prefix`, in the scratch file if masks are there.
    pub(crate) fn finish(mut self, prefix: &[u8]) -> Result<Finished, WriteError> {
        let header = self.header()?;
        if matches!(&self.masks, Masks::Stored(pool) if pool.is_in_scratch()) {
            return self.finish_in_scratch(header, prefix);
        }
        let len = usize::try_from(header.file_bytes).map_err(|_| WriteError::Full)?;
        let mut file = vec![0; prefix.len() + len];
        let (start, atlas) = file.split_at_mut(prefix.len());
        start.copy_from_slice(prefix);
        self.put(header, atlas);
        Ok(Finished::Bytes(file))
    }

    /// Returns the header of a full atlas, or one of a compact atlas, without checksums.
    fn header(&self) -> Result<Header, WriteError> {
        let is_full = self.kind == KIND_FULL;
        let mut header = Header {
            magic: MAGIC,
            version: VERSION,
            header_bytes: size_of::<Header>() as u32,
            sprites: count(self.sprites.len())?,
            frames: count(self.frames.len())?,
            poses: count(self.hot.len())?,
            scales: count(self.scales.len())?,
            name_bytes: count(self.names.len())?,
            map_words: count(self.maps.len() / size_of::<u64>())?,
            pool_words: self.pool_words(),
            level_side: if is_full { LEVEL_SIDE } else { NO_LEVELS },
            resolution: self.resolution.log2(),
            kind: self.kind,
            ..Header::default()
        };
        (header.offsets, header.file_bytes) = header.layout();
        header.full_bytes = header.file_bytes;
        Ok(header)
    }

    /// Returns the start and the bytes of each section before the pool, in file order.
    fn sections(&self, at: Offsets) -> [(u64, &[u8]); 7] {
        [
            (at.sprites, bytemuck::cast_slice(&self.sprites)),
            (at.frames, bytemuck::cast_slice(&self.frames)),
            (at.hot, bytemuck::cast_slice(&self.hot)),
            (at.cold, bytemuck::cast_slice(&self.cold)),
            (at.scales, bytemuck::cast_slice(&self.scales)),
            (at.names, &self.names),
            (at.maps, &self.maps),
        ]
    }

    /// Returns the checksum of the records, which covers a header with its other fields.
    fn records_crc(&self, header: &Header) -> io::Result<u32> {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytemuck::bytes_of(header)[CHECKED_FROM..]);
        let at = header.offsets;
        each_byte(&self.sections(at), at.pool, &mut |bytes| {
            crc.update(bytes);
            Ok(())
        })?;
        Ok(crc.finalize())
    }

    /// Writes the file into a zeroed buffer of the length in `header`. Frees the masks.
    fn put(&mut self, mut header: Header, file: &mut [u8]) {
        let at = header.offsets;
        if let Masks::Stored(pool) = &mut self.masks {
            header.pool_crc = pool.move_to(&mut file[at.pool as usize..]);
        }
        for (start, bytes) in self.sections(at) {
            file[start as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        file[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(&header));
        header.records_crc = crc32fast::hash(&file[CHECKED_FROM..at.pool as usize]);
        file[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(&header));
    }

    /// Writes everything but the masks, which move to their place, into the scratch file.
    fn finish_in_scratch(
        mut self,
        mut header: Header,
        prefix: &[u8],
    ) -> Result<Finished, WriteError> {
        let at = header.offsets;
        // The masks are taken out, because the sections are read while the file is open.
        let crc = crc32fast::Hasher::new();
        let none = Masks::Counted { words: 0, halves: Vec::new(), crc };
        let Masks::Stored(mut pool) = std::mem::replace(&mut self.masks, none) else {
            return Err(WriteError::Full);
        };
        self.pose_by_hash = HashMap::new();
        self.runs = HashMap::new();
        let (file, pool_crc) = pool.move_to_scratch(prefix.len() as u64 + at.pool)?;
        header.pool_crc = pool_crc;
        header.records_crc = self.records_crc(&header)?;
        file.rewind()?;
        let mut out = BufWriter::new(file);
        out.write_all(prefix)?;
        out.write_all(bytemuck::bytes_of(&header))?;
        each_byte(&self.sections(at), at.pool, &mut |bytes| out.write_all(bytes))?;
        out.flush()?;
        let len = prefix.len() as u64 + header.file_bytes;
        Ok(Finished::InScratch { len, header: bytemuck::cast(header) })
    }
}

/// Gives all bytes between the header and the pool to `take`.
fn each_byte(
    sections: &[(u64, &[u8])],
    end: u64,
    take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    const ZEROS: [u8; SECTION_ALIGN as usize] = [0; SECTION_ALIGN as usize];
    let mut at = size_of::<Header>() as u64;
    for &(start, bytes) in sections.iter().chain([&(end, &[][..])]) {
        // A gap is shorter than the alignment.
        take(&ZEROS[..(start - at) as usize])?;
        take(bytes)?;
        at = start + bytes.len() as u64;
    }
    Ok(())
}
