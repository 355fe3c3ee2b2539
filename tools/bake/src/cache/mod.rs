//! The cache file of a bake. It stores the stamp and content digest of each source, the key and
//! report data of each sprite, and the digest of the atlas.
//!
//! Read and written by `incremental`. Invariant: any malformed file is rejected. The cache never
//! decides what an atlas holds, only what need not be baked again.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod stamp;

pub(super) use stamp::Stamp;

use super::binary::{Digest, Reader, Writer, digest, probe};
use super::{CacheNote, SpriteReport, Warning};
use hitmask::baking::SpriteInfo;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const MAGIC: &[u8; 16] = b"HITMASK-CACHE\x1a\r\n";

/// The state of a file when its contents were read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FileState {
    pub(super) stamp: Stamp,
    /// True if an equal stamp proves equal contents.
    pub(super) is_settled: bool,
    /// The digest of its contents.
    pub(super) contents: Digest,
}

/// A sprite of the atlas: the digest of its input, and its report data.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sprite {
    pub(super) key: Digest,
    pub(super) info: SpriteInfo,
}

impl Sprite {
    pub(super) fn name(&self) -> &str {
        &self.info.baked.sprite
    }
}

/// The contents of a cache file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cache {
    /// Digest of the options of the bake as a whole.
    pub(super) plan: Digest,
    /// The atlas. Its digest covers the header, which holds checksums of the rest.
    pub(super) atlas: FileState,
    pub(super) files: BTreeMap<PathBuf, FileState>,
    /// In order of their names, as in the atlas.
    pub(super) sprites: Vec<Sprite>,
}

impl Cache {
    /// Reads the cache in a file. Returns `None` if there is no file, and a note if the file is not
    /// a valid cache.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, CacheNote> {
        // Reading a pipe would wait for a writer.
        if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            return Err(CacheNote::CacheDamaged { path: path.to_owned() });
        }
        match fs::read(path) {
            Ok(bytes) => Self::from_bytes(&bytes, path).map(Some),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(_) => Err(CacheNote::CacheDamaged { path: path.to_owned() }),
        }
    }

    fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, CacheNote> {
        let damaged = || CacheNote::CacheDamaged { path: path.to_owned() };
        let body = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let (body, end) = body.split_last_chunk::<16>().ok_or_else(damaged)?;
        let mut reader = Reader(body);
        if reader.digest().ok_or_else(damaged)? != probe() {
            return Err(CacheNote::CacheOfOtherVersion { path: path.to_owned() });
        }
        if Reader(end).digest() != Some(digest(body)) {
            return Err(damaged());
        }
        let cache = read(&mut reader).filter(|_| reader.0.is_empty());
        cache.ok_or_else(damaged)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.digest(probe());
        writer.digest(self.plan);
        write_file_state(&mut writer, &self.atlas);
        // Paths that are not Unicode are not stored; their files are read in every bake.
        let files: Vec<_> =
            self.files.iter().filter_map(|(path, seen)| Some((path.to_str()?, seen))).collect();
        writer.number(files.len() as u64);
        for (path, seen) in files {
            writer.text(path);
            write_file_state(&mut writer, seen);
        }
        writer.number(self.sprites.len() as u64);
        for Sprite { key, info } in &self.sprites {
            writer.digest(*key);
            write_info(&mut writer, info);
        }
        let end = digest(writer.0.as_slice());
        writer.digest(end);
        [MAGIC.as_slice(), &writer.0].concat()
    }

    /// Returns the index of a sprite in the atlas.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.sprites.binary_search_by(|sprite| sprite.name().cmp(name)).ok()
    }
}

fn read(reader: &mut Reader<'_>) -> Option<Cache> {
    let (plan, atlas) = (reader.digest()?, read_file_state(reader)?);
    let file =
        |reader: &mut Reader<'_>| Some((PathBuf::from(reader.text()?), read_file_state(reader)?));
    let files = (0..reader.count()?).map(|_| file(reader)).collect::<Option<_>>()?;
    let sprite =
        |reader: &mut Reader<'_>| Some(Sprite { key: reader.digest()?, info: read_info(reader)? });
    let sprites = (0..reader.count()?).map(|_| sprite(reader)).collect::<Option<Vec<_>>>()?;
    let is_sorted = sprites.is_sorted_by(|a, b| a.name() < b.name());
    is_sorted.then_some(Cache { plan, atlas, files, sprites })
}

fn write_file_state(writer: &mut Writer, state: &FileState) {
    let FileState { stamp: Stamp { len, modified, changed }, is_settled, contents } = *state;
    [len, modified, changed, is_settled.into()].into_iter().for_each(|n| writer.number(n));
    writer.digest(contents);
}

fn read_file_state(reader: &mut Reader<'_>) -> Option<FileState> {
    let (len, modified, changed) = (reader.number()?, reader.number()?, reader.number()?);
    let stamp = Stamp { len, modified, changed };
    Some(FileState { stamp, is_settled: reader.number()? == 1, contents: reader.digest()? })
}

fn write_info(writer: &mut Writer, info: &SpriteInfo) {
    let SpriteInfo { frames, warnings, appearance, pixels, baked, images } = info;
    let SpriteReport { sprite, angles, poses, error } = baked;
    writer.text(sprite);
    writer.number(*frames as u64);
    writer.number(*pixels);
    writer.number(u64::from(*angles));
    writer.number(*poses as u64);
    writer.number(u64::from(error.to_bits()));
    writer.number(appearance.is_some().into());
    writer.digest(appearance.unwrap_or_default());
    writer.number(images.len() as u64);
    images.iter().for_each(|image| writer.digest(*image));
    let encoded: Vec<[u64; 4]> = warnings.iter().filter_map(encode_warning).collect();
    writer.number(encoded.len() as u64);
    encoded.into_iter().flatten().for_each(|number| writer.number(number));
}

fn read_info(reader: &mut Reader<'_>) -> Option<SpriteInfo> {
    let sprite = reader.text()?.to_owned();
    let (frames, pixels) = (usize::try_from(reader.number()?).ok()?, reader.number()?);
    let angles = u32::try_from(reader.number()?).ok()?;
    let poses = usize::try_from(reader.number()?).ok()?;
    let error = f32::from_bits(u32::try_from(reader.number()?).ok()?);
    let has_appearance = reader.number()? == 1;
    let appearance = Some(reader.digest()?).filter(|_| has_appearance);
    let images = (0..reader.count()?).map(|_| reader.digest()).collect::<Option<_>>()?;
    let count = reader.count()?;
    let mut warnings = Vec::new();
    for _ in 0..count {
        let encoded = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        warnings.push(decode_warning(&sprite, encoded)?);
    }
    let baked = SpriteReport { sprite, angles, poses, error };
    Some(SpriteInfo { frames, warnings, appearance, pixels, baked, images })
}

/// Encodes a warning about one sprite as numbers. Warnings that depend on other sprites or on
/// files without sprites are computed in each bake.
fn encode_warning(warning: &Warning) -> Option<[u64; 4]> {
    match *warning {
        Warning::Empty { frame, .. } => Some([0, frame as u64, 0, 0]),
        Warning::Sensitive { frame, seen, solid, .. } => Some([1, frame as u64, seen, solid]),
        Warning::Thin { frame, .. } => Some([2, frame as u64, 0, 0]),
        Warning::Truncated { frame, .. } => Some([3, frame as u64, 0, 0]),
        _ => None,
    }
}

fn decode_warning(sprite: &str, [kind, frame, seen, solid]: [u64; 4]) -> Option<Warning> {
    let (sprite, frame) = (sprite.to_owned(), usize::try_from(frame).ok()?);
    match kind {
        0 => Some(Warning::Empty { sprite, frame }),
        1 => Some(Warning::Sensitive { sprite, frame, seen, solid }),
        2 => Some(Warning::Thin { sprite, frame }),
        3 => Some(Warning::Truncated { sprite, frame }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> Cache {
        let sprite = |name: &str, frames| {
            let text = || name.to_owned();
            let warnings = vec![
                Warning::Sensitive { sprite: text(), frame: 1, seen: 9, solid: 7 },
                Warning::Thin { sprite: text(), frame: 2 },
                Warning::Empty { sprite: text(), frame: 0 },
                Warning::Truncated { sprite: text(), frame: 4 },
            ];
            let baked = SpriteReport { sprite: text(), angles: 64, poses: 192, error: 1.5 };
            let (appearance, images) = ((frames > 2).then_some(5), vec![1, 3]);
            Sprite {
                key: 7,
                info: SpriteInfo { frames, warnings, appearance, pixels: 99, baked, images },
            }
        };
        let seen = |len, is_settled| {
            let stamp = Stamp { len, modified: 2, changed: 3 };
            FileState { stamp, is_settled, contents: 4 }
        };
        let files = [("art/a b.png", true), ("art/ü.png", false)];
        Cache {
            plan: 1,
            atlas: seen(77, true),
            files: files.map(|(path, is_settled)| (path.into(), seen(5, is_settled))).into(),
            sprites: vec![sprite("a b", 2), sprite("ü", 3)],
        }
    }

    #[test]
    fn a_written_cache_reads_back_equal() {
        let read = Cache::from_bytes(&cache().to_bytes(), Path::new("a.cache")).unwrap();
        assert_eq!(read, cache());
        assert_eq!((read.find("ü"), read.find("b")), (Some(1), None));
    }

    #[test]
    fn a_truncated_or_changed_cache_is_rejected() {
        let (bytes, path) = (cache().to_bytes(), Path::new("a.cache"));
        for len in 0..bytes.len() {
            assert!(Cache::from_bytes(&bytes[..len], path).is_err(), "{len}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            let note = Cache::from_bytes(&changed, path).unwrap_err();
            // Bytes 16 to 31 hold the version, after the magic.
            let is_of_other_version = matches!(note, CacheNote::CacheOfOtherVersion { .. });
            assert_eq!(is_of_other_version, (16..32).contains(&at), "{at}");
        }
        let longer = [bytes.as_slice(), b"\0"].concat();
        assert!(Cache::from_bytes(&longer, path).is_err());
    }

    #[test]
    fn forged_numbers_cause_no_panic() {
        let (bytes, path) = (cache().to_bytes(), Path::new("a.cache"));
        let body = 16..bytes.len() - 16;
        for at in body.clone().skip(16) {
            for value in [0_u64, 1, u64::MAX, 1 << 40] {
                let mut changed = bytes.clone();
                let end = (at + 8).min(body.end);
                changed[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
                let seal = digest(&changed[body.clone()]);
                changed.truncate(body.end);
                changed.extend(seal.to_le_bytes());
                let _ = Cache::from_bytes(&changed, path);
            }
        }
    }
}
