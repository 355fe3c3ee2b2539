//! The cache file of a bake. It stores the stamp and content digest of each source, and the key and
//! report data of each sprite. It also stores the digest of the atlas and the other warnings of the bake.
//!
//! Read and written by `incremental`. Invariant: any malformed file is rejected. The cache never
//! decides what an atlas holds, only what need not be baked again.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

use crate::binary::{Digest, Ended, Reader, Writer, digest, probe};
use crate::image::Images;
use crate::report::CacheNote;
use hitmask::baking::SpriteInfo;
use hitmask::{SpriteReport, Warning};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(super) const MAGIC: &[u8; 16] = b"HITMASK-CACHE\x1a\r\n";

/// The state of a file when its contents were read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FileState {
    pub(super) stamp: Stamp,
    /// True if an equal stamp proves equal contents.
    pub(super) is_settled: bool,
    /// The digest of its contents.
    pub(super) contents: Digest,
    /// The images that it states, if it is an image file.
    pub(super) images: Images,
}

impl FileState {
    /// Returns the state of a file at `path` with these bytes. `now` is a time before they were read.
    pub(super) fn new(path: &Path, bytes: &[u8], stamp: Stamp, now: SystemTime) -> Self {
        let (is_settled, contents) = (stamp.is_settled(now), digest(bytes));
        Self { stamp, is_settled, contents, images: Images::stated(path, bytes) }
    }
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
    /// Warnings about files, errors and the atlas as a whole.
    pub(super) others: Vec<Warning>,
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
        if reader.digest().map_err(|_| damaged())? != probe() {
            return Err(CacheNote::CacheOfOtherVersion { path: path.to_owned() });
        }
        if Reader(end).digest() != Ok(digest(body)) {
            return Err(damaged());
        }
        let cache = read(&mut reader).map_err(|_| damaged())?;
        if reader.0.is_empty() { Ok(cache) } else { Err(damaged()) }
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
        write_warnings(&mut writer, &self.others);
        let end = digest(writer.0.as_slice());
        writer.digest(end);
        [MAGIC.as_slice(), &writer.0].concat()
    }

    /// Returns the index of a sprite in the atlas.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.sprites.binary_search_by(|sprite| sprite.name().cmp(name)).ok()
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Cache, Ended> {
    let (plan, atlas) = (reader.digest()?, read_file_state(reader)?);
    let file =
        |reader: &mut Reader<'_>| Ok((PathBuf::from(reader.text()?), read_file_state(reader)?));
    let files = (0..reader.count()?).map(|_| file(reader)).collect::<Result<_, _>>()?;
    let sprite =
        |reader: &mut Reader<'_>| Ok(Sprite { key: reader.digest()?, info: read_info(reader)? });
    let sprites = (0..reader.count()?).map(|_| sprite(reader)).collect::<Result<Vec<_>, _>>()?;
    let is_sorted = sprites.is_sorted_by(|a, b| a.name() < b.name());
    let others = read_warnings(reader)?;
    if is_sorted { Ok(Cache { plan, atlas, files, sprites, others }) } else { Err(Ended) }
}

fn write_file_state(writer: &mut Writer, state: &FileState) {
    let FileState { stamp: Stamp { len, modified, changed }, is_settled, contents, images } =
        *state;
    let Images { frames, texels } = images;
    let numbers = [len, modified, changed, is_settled.into(), frames, texels];
    numbers.into_iter().for_each(|n| writer.number(n));
    writer.digest(contents);
}

fn read_file_state(reader: &mut Reader<'_>) -> Result<FileState, Ended> {
    let (len, modified, changed) = (reader.number()?, reader.number()?, reader.number()?);
    let stamp = Stamp { len, modified, changed };
    let is_settled = reader.number::<u64>()? == 1;
    let images = Images { frames: reader.number()?, texels: reader.number()? };
    Ok(FileState { stamp, is_settled, contents: reader.digest()?, images })
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
    write_warnings(writer, warnings);
}

fn read_info(reader: &mut Reader<'_>) -> Result<SpriteInfo, Ended> {
    let sprite = reader.text()?.to_owned();
    let (frames, pixels) = (reader.number()?, reader.number()?);
    let (angles, poses) = (reader.number()?, reader.number()?);
    let error = f32::from_bits(reader.number()?);
    let has_appearance = reader.number::<u64>()? == 1;
    let appearance = Some(reader.digest()?).filter(|_| has_appearance);
    let images = (0..reader.count()?).map(|_| reader.digest()).collect::<Result<_, _>>()?;
    let warnings = read_warnings(reader)?;
    let baked = SpriteReport { sprite, angles, poses, error };
    Ok(SpriteInfo { frames, warnings, appearance, pixels, baked, images })
}

/// Writes a warning: its kind, four numbers, and two texts. A kind that is not known here is left out.
fn write_warnings(writer: &mut Writer, warnings: &[Warning]) {
    let encoded = warnings.iter().filter_map(|warning| {
        let mut texts = String::new();
        let (kind, numbers, path) = match warning {
            Warning::Empty { frame, .. } => (0, [*frame as u64, 0, 0, 0], None),
            Warning::Sensitive { frame, seen, solid, .. } => {
                (1, [*frame as u64, *seen, *solid, 0], None)
            }
            Warning::Thin { frame, .. } => (2, [*frame as u64, 0, 0, 0], None),
            Warning::Truncated { frame, .. } => (3, [*frame as u64, 0, 0, 0], None),
            Warning::Sheet { tile: [width, height], frames, .. } => {
                (4, [*frames, *width, *height, 0].map(u64::from), None)
            }
            Warning::OverBudget { bytes, budget, .. } => (5, [*bytes, *budget, 0, 0], None),
            Warning::OverError { error, limit, angles, needed, .. } => {
                let numbers = [error.to_bits(), limit.to_bits(), *angles, *needed];
                (6, numbers.map(u64::from), None)
            }
            Warning::NotAnImage { path, .. } => (7, [0; 4], Some(path)),
            Warning::Scaled { scale, .. } => (8, [scale.to_bits().into(), 0, 0, 0], None),
            Warning::PageSize { path, stated: [w, h], size: [width, height], .. } => {
                (9, [*w, *h, *width, *height].map(u64::from), Some(path))
            }
            Warning::Page { path, .. } => (10, [0; 4], Some(path)),
            Warning::Opaque { .. } => (11, [0; 4], None),
            Warning::Level { path, cause, remedy, .. } => {
                texts = format!("{}\0{cause}\0{remedy}", path.to_str()?);
                (12, [0; 4], None)
            }
            _ => return None,
        };
        let text = path.map_or(Some(&*texts), |path| path.to_str())?;
        Some((kind, numbers, warning.sprite(), text.to_owned()))
    });
    let encoded: Vec<(u64, [u64; 4], &str, String)> = encoded.collect();
    writer.number(encoded.len() as u64);
    for (kind, numbers, sprite, text) in encoded {
        writer.number(kind);
        numbers.into_iter().for_each(|number| writer.number(number));
        writer.text(sprite);
        writer.text(&text);
    }
}

fn read_warnings(reader: &mut Reader<'_>) -> Result<Vec<Warning>, Ended> {
    (0..reader.count()?).map(|_| read_warning(reader)).collect()
}

fn read_warning(reader: &mut Reader<'_>) -> Result<Warning, Ended> {
    let kind: u64 = reader.number()?;
    let numbers: [u64; 4] =
        [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
    let (sprite, text) = (reader.text()?.to_owned(), reader.text()?);
    let frame = || usize::try_from(numbers[0]).map_err(|_| Ended);
    let whole = |i: usize| u32::try_from(numbers[i]).map_err(|_| Ended);
    Ok(match kind {
        0 => Warning::Empty { sprite, frame: frame()? },
        1 => {
            let [_, seen, solid, _] = numbers;
            Warning::Sensitive { sprite, frame: frame()?, seen, solid }
        }
        2 => Warning::Thin { sprite, frame: frame()? },
        3 => Warning::Truncated { sprite, frame: frame()? },
        4 => Warning::Sheet { sprite, tile: [whole(1)?, whole(2)?], frames: whole(0)? },
        5 => Warning::OverBudget { sprite, bytes: numbers[0], budget: numbers[1] },
        6 => {
            let [error, limit] = [whole(0)?, whole(1)?].map(f32::from_bits);
            Warning::OverError { sprite, error, limit, angles: whole(2)?, needed: whole(3)? }
        }
        7 => Warning::NotAnImage { sprite, path: text.into() },
        8 => Warning::Scaled { sprite, scale: f32::from_bits(whole(0)?) },
        9 => {
            let (stated, size) = ([whole(0)?, whole(1)?], [whole(2)?, whole(3)?]);
            Warning::PageSize { sprite, path: text.into(), stated, size }
        }
        10 => Warning::Page { sprite, path: text.into() },
        11 => Warning::Opaque { sprite },
        12 => {
            let mut texts = text.split('\0').map(str::to_owned);
            let [Some(path), Some(cause), Some(remedy)] = [0; 3].map(|_| texts.next()) else {
                return Err(Ended);
            };
            Warning::Level { sprite, path: path.into(), cause, remedy }
        }
        _ => return Err(Ended),
    })
}

/// Longest tick of a clock with fractions of a second: 15.6 ms on Windows, 10 ms on Linux.
const FINE_TICK: Duration = Duration::from_millis(20);
/// Longest tick of a clock with whole seconds only: 2 s on FAT, which memory cards use.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// The size and times of a file, which detect a change without reading the file.
///
/// A file that changes twice within one tick of the file system's clock keeps its stamp. So a stamp
/// proves equal contents only if its tick was over before the file was read: then it is *settled*.
/// Files without a settled stamp are compared by contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) len: u64,
    /// Modification time of the contents, in nanoseconds since 1970.
    pub(super) modified: u64,
    /// Time of the last change to contents or metadata, if the system has one. Programs cannot set
    /// it, unlike the modification time.
    pub(super) changed: u64,
}

impl Stamp {
    /// Returns the stamp of the file at `path`, or `None` if there is no file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let modified = nanoseconds(meta.modified().ok()?)?;
        Some(Self { len: meta.len(), modified, changed: changed(&meta) })
    }

    /// Returns true if a change at or after `now` would give another stamp.
    pub(super) fn is_settled(self, now: SystemTime) -> bool {
        let last = self.modified.max(self.changed);
        let tick =
            if self.modified.is_multiple_of(1_000_000_000) { COARSE_TICK } else { FINE_TICK };
        nanoseconds(now).is_some_and(|now| last.saturating_add(tick.as_nanos() as u64) <= now)
    }

    /// Returns the stamp of a file that was just written, and whether it is settled. Waits up to
    /// two fine ticks for that.
    pub(super) fn of_new(path: &Path) -> Option<(Self, bool)> {
        for _ in 0..2 {
            let now = SystemTime::now();
            let stamp = Self::of(path)?;
            if stamp.is_settled(now) {
                return Some((stamp, true));
            }
            std::thread::sleep(FINE_TICK);
        }
        Self::of(path).map(|stamp| (stamp, false))
    }
}

#[cfg(unix)]
fn changed(meta: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(meta.ctime()).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec().unsigned_abs())
}

#[cfg(not(unix))]
fn changed(meta: &Metadata) -> u64 {
    meta.created().ok().and_then(nanoseconds).unwrap_or(0)
}

/// Returns `None` for times before 1970.
fn nanoseconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
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
                Warning::Sheet { sprite: text(), tile: [32, 48], frames: 8 },
                Warning::Opaque { sprite: text() },
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
            let images = Images { frames: 6, texels: 8 };
            FileState { stamp, is_settled, contents: 4, images }
        };
        let files = [("art/a b.png", true), ("art/ü.png", false)];
        Cache {
            plan: 1,
            atlas: seen(77, true),
            files: files.map(|(path, is_settled)| (path.into(), seen(5, is_settled))).into(),
            sprites: vec![sprite("a b", 2), sprite("ü", 3)],
            others: vec![
                Warning::Scaled { sprite: "ui".into(), scale: 0.5 },
                Warning::NotAnImage { sprite: "x".into(), path: "art/x.ase".into() },
                Warning::PageSize {
                    sprite: "ui".into(),
                    path: "art/ui.png".into(),
                    stated: [64, 32],
                    size: [128, 64],
                },
                Warning::Page { sprite: "ui".into(), path: "art/ui.json".into() },
                Warning::Level {
                    sprite: "yard".into(),
                    path: "yard.tmx".into(),
                    cause: "2 tiles are left out".into(),
                    remedy: "remove them".into(),
                },
                Warning::OverBudget { sprite: "ü".into(), bytes: 9, budget: 8 },
                Warning::OverError {
                    sprite: "ü".into(),
                    error: 2.5,
                    limit: 1.0,
                    angles: 128,
                    needed: 320,
                },
            ],
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

    #[test]
    fn a_stamp_is_settled_once_its_tick_is_over() {
        let at = |nanoseconds| SystemTime::UNIX_EPOCH + Duration::from_nanos(nanoseconds);
        let second = 1_000_000_000;
        let fine = Stamp { len: 1, modified: 5 * second + 7, changed: 5 * second + 9 };
        assert!(!fine.is_settled(at(5 * second + 9)));
        assert!(!fine.is_settled(at(5 * second + 20_000_008)));
        assert!(fine.is_settled(at(5 * second + 20_000_009)));
        // A clock that runs behind proves nothing.
        assert!(!fine.is_settled(at(4 * second)));
        let coarse = Stamp { modified: 6 * second, ..fine };
        assert!(!coarse.is_settled(at(8 * second - 1)));
        assert!(coarse.is_settled(at(8 * second)));
    }

    #[test]
    fn a_stamp_detects_a_rewrite_with_the_old_modification_time() {
        let path = std::env::temp_dir().join(format!("hitmask-stamp-{}", std::process::id()));
        fs::write(&path, "one").unwrap();
        let old = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 500);
        let backdate = || {
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(old).unwrap();
        };
        backdate();
        std::thread::sleep(2 * FINE_TICK);
        let (before, is_settled) = Stamp::of_new(&path).unwrap();
        assert!(is_settled);
        fs::write(&path, "two").unwrap();
        backdate();
        let after = Stamp::of(&path).unwrap();
        assert_eq!((after.len, after.modified), (before.len, before.modified));
        // Only Unix has a time that programs cannot set.
        assert!(after != before || cfg!(not(unix)));
        fs::remove_file(&path).unwrap();
        assert_eq!(Stamp::of(&path), None);
        assert_eq!(Stamp::of(&std::env::temp_dir()), None);
    }
}
