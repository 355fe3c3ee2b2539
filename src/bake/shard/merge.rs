//! Merges the shards of one bake into an atlas.
//!
//! Part of the public API. Invariant: the result equals a bake without shards byte for byte.

use super::{HEAD_BYTES, Head, MergeError, SEALED_BYTES};
use crate::atlas::{
    AtlasFile, AtlasOptions, Bytes, CompactWriter, DrawError, Drawer, Entry, Finished, MAGIC,
    SHARD_MAGIC, Scratch, check_drawing_cost,
};
use crate::bake::BakeError;
use crate::bake::binary::{Reader, digest, probe};
use crate::bake::output_guard::{self, Kind};
use crate::bake::pipeline::unwritten;
use crate::bake::temporary_file::Replacement;
use crate::memory::parallel;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Sprites per batch.
const SPRITES_PER_BATCH: usize = 256;

/// The result of a [`merge`].
///
/// ```
/// let report = hitmask::MergeReport::default();
/// assert_eq!((report.shards, report.written), (0, false));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeReport {
    /// Number of shards.
    pub shards: usize,
    /// Number of sprites.
    pub sprites: usize,
    /// Size of the atlas in bytes.
    pub bytes: usize,
    /// False if the file already held these bytes and was left alone.
    pub written: bool,
}

/// Merges the shards of one bake into the atlas at `output`, which is written like
/// [`Bake::write`](crate::Bake::write) does. The atlas equals that of a single bake byte for byte.
/// The shards may be given in any order. Every byte of them is checked.
///
/// Poses are copied, not drawn. Those of [compact](crate::Bake::compact) shards are drawn, because
/// a compact atlas stores the size of the full one. The default limits of [`AtlasOptions`] apply to
/// them; [`AtlasOptions::merge`] takes others. A merge takes about the size of the atlas in
/// memory.
///
/// ```
/// use hitmask::{Bake, Mask, merge};
/// let folder = std::env::temp_dir().join(format!("hitmask-doc-merge-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let (dot, bar): (Mask, Mask) = ("#".parse()?, "####".parse()?);
/// let bake = || Bake::new().mask("dot", dot.clone()).mask("bar", bar.clone());
/// let parts = [1, 2].map(|i| folder.join(format!("part-{i}")));
/// bake().shard(1, 2).write(&parts[0])?; // here,
/// bake().shard(2, 2).write(&parts[1])?; // and there
/// merge(folder.join("sprites.hitmask"), &parts)?;
/// assert_eq!(std::fs::read(folder.join("sprites.hitmask"))?, bake().to_bytes()?);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MergeError`] with the path of the shard that is damaged, repeated, not a shard, or of another
/// bake or version. The same if a shard is missing, or if the atlas cannot be written.
/// [`MergeError::Output`] if `output` is one of the shards, is not a file, or is a file other than
/// an atlas. After an error, the previous file is unchanged.
pub fn merge<P: AsRef<Path>>(
    output: impl AsRef<Path>,
    shards: impl IntoIterator<Item = P>,
) -> Result<MergeReport, MergeError> {
    AtlasOptions::new().merge(output, shards)
}

impl AtlasOptions {
    /// Merges shards as [`merge`] does. The limits apply to what all compact shards draw together.
    ///
    /// # Errors
    /// As [`merge`]. [`MergeError::Sprites`] with [`AtlasError::OverLimit`](crate::AtlasError) if
    /// the poses may exceed a limit.
    pub fn merge<P: AsRef<Path>>(
        self,
        output: impl AsRef<Path>,
        shards: impl IntoIterator<Item = P>,
    ) -> Result<MergeReport, MergeError> {
        let paths: Vec<PathBuf> = shards.into_iter().map(|path| path.as_ref().to_owned()).collect();
        merge_all(output.as_ref(), &paths, self)
    }
}

fn merge_all(
    output: &Path,
    paths: &[PathBuf],
    options: AtlasOptions,
) -> Result<MergeReport, MergeError> {
    output_guard::check_output(output, Kind::Atlas, || paths.to_vec()).map_err(unwritable)?;
    let shards = ordered(paths.iter().enumerate().map(|(i, path)| read(i, path, options)))?;
    let compact = shards.iter().filter(|shard| shard.file.is_compact());
    if let Some(first) = shards.first() {
        check_drawing_cost(compact.map(|shard| shard.file.records()), &options)
            .map_err(|cause| MergeError::Sprites { path: first.path.clone(), cause })?;
    }
    let (of, sprites) = (shards.len(), shards.iter().map(|shard| shard.file.len()).sum());
    let mut new = Replacement::new(output).map_err(unwritable)?;
    let atlas = merged(shards, output, &mut new)?;
    let (bytes, written) = new.store(atlas).map_err(unwritable)?;
    Ok(MergeReport { shards: of, sprites, bytes, written })
}

/// Converts the error of a failed write.
fn unwritable(error: BakeError) -> MergeError {
    match error {
        BakeError::Write { path, cause } => MergeError::Write { path, cause },
        BakeError::Output { path, fault } => MergeError::Output { path, fault },
        _ => MergeError::AtlasTooLarge,
    }
}

struct Shard {
    path: PathBuf,
    head: Head,
    file: AtlasFile,
}

/// Reads a shard. `number` is its index among the given files.
fn read(number: usize, path: &Path, options: AtlasOptions) -> Result<Shard, MergeError> {
    let path = || path.to_owned();
    // Reading a pipe would wait for a writer.
    if fs::metadata(path()).is_ok_and(|meta| !meta.is_file()) {
        return Err(MergeError::NotAShard { path: path() });
    }
    let bytes =
        fs::read(path()).map_err(|cause| MergeError::Read { path: path(), cause: cause.into() })?;
    if bytes.starts_with(&MAGIC) {
        return Err(MergeError::AnAtlas { path: path() });
    }
    let head = bytes.strip_prefix(&SHARD_MAGIC).ok_or(MergeError::NotAShard { path: path() })?;
    let damaged = || MergeError::Damaged { path: path() };
    let mut reader = Reader(head);
    if reader.digest().ok_or_else(damaged)? != probe() {
        return Err(MergeError::Version { path: path() });
    }
    let head = Head::read(&mut reader).ok_or_else(damaged)?;
    let seal = bytes.get(..SEALED_BYTES).map(digest);
    let (Some(seal), Some((_, atlas))) = (seal, bytes.split_at_checked(HEAD_BYTES)) else {
        return Err(damaged());
    };
    if reader.digest() != Some(seal) {
        return Err(damaged());
    }
    let wrong = |cause| MergeError::Sprites { path: path(), cause };
    let atlas = Bytes::copied(atlas);
    drop(bytes);
    let file = AtlasFile::checked(atlas, number, options).map_err(wrong)?;
    file.verify().map_err(wrong)?;
    if file.len() as u64 != head.own_sprites() {
        return Err(damaged());
    }
    Ok(Shard { path: path(), head, file })
}

/// Sorts the shards by number, and checks that they form one complete bake.
fn ordered(
    shards: impl Iterator<Item = Result<Shard, MergeError>>,
) -> Result<Vec<Shard>, MergeError> {
    let mut all: Vec<Shard> = Vec::new();
    for shard in shards {
        let shard = shard?;
        if let Some(first) = all.first() {
            let Head { index: _, count, sprites, bake } = first.head;
            if shard.head != (Head { index: shard.head.index, count, sprites, bake }) {
                let (first, second) = (first.path.clone(), shard.path);
                return Err(MergeError::OtherBake { first, second });
            }
        }
        if let Some(same) = all.iter().find(|other| other.head.index == shard.head.index) {
            let (first, second) = (same.path.clone(), shard.path);
            return Err(MergeError::Twice {
                shard: shard.head.index.saturating_add(1),
                first,
                second,
            });
        }
        all.push(shard);
    }
    let Some(first) = all.first() else { return Err(MergeError::NoShards) };
    let (of, beside) = (first.head.count, first.path.clone());
    let is_there = |i: &u32| all.iter().any(|shard| shard.head.index == *i);
    let missing: Vec<u32> = (0..of).filter(|i| !is_there(i)).map(|i| i.saturating_add(1)).collect();
    if !missing.is_empty() {
        return Err(MergeError::Missing { shards: missing, of, beside });
    }
    all.sort_by_key(|shard| shard.head.index);
    Ok(all)
}

/// Returns the atlas with all sprites, in order of their names. A large atlas grows in `scratch`.
fn merged(
    shards: Vec<Shard>,
    output: &Path,
    scratch: &mut dyn Scratch,
) -> Result<Finished, MergeError> {
    let (Some(first), Some(of)) = (shards.first(), NonZeroUsize::new(shards.len())) else {
        return Err(MergeError::NoShards);
    };
    let count = shards.iter().map(|shard| shard.file.len()).sum();
    let place = |k: usize| (&shards[k % of], k / of);
    let name = |k: usize| {
        let (shard, i) = place(k);
        shard.file.name(i)
    };
    let damaged = |k: usize| MergeError::Damaged { path: place(k).0.path.clone() };
    let is_compact = first.file.is_compact();
    for k in 0..count {
        let file = &place(k).0.file;
        let is_like_first =
            file.is_compact() == is_compact && file.resolution() == first.file.resolution();
        if !is_like_first || k.checked_sub(1).is_some_and(|before| name(before) >= name(k)) {
            return Err(damaged(k));
        }
    }
    let resolution = first.file.resolution();
    let failed = |error| unwritable(unwritten(error, output));
    let mut drawer = if is_compact {
        Drawer::measuring(resolution)
    } else {
        Drawer::new(resolution, Some(scratch))
    };
    let mut compact = CompactWriter::new(resolution);
    let places: Vec<usize> = (0..count).collect();
    for batch in places.chunks(SPRITES_PER_BATCH) {
        let entries = parallel::map(batch, |&k| {
            let (shard, i) = place(k);
            let entry = if is_compact {
                shard.file.sprite(i).map(Entry::New)
            } else {
                shard.file.kept(i).map(Entry::Kept)
            };
            entry.ok_or_else(|| damaged(k))
        });
        let entries = entries.into_iter().collect::<Result<Vec<_>, _>>()?;
        drawer.add(&entries).map_err(|error| match error {
            DrawError::Write(error) => failed(error),
            DrawError::Pose { .. } => damaged(batch[0]),
        })?;
        for sprite in entries.into_iter().filter_map(Entry::into_source_sprite) {
            compact.add(&sprite).map_err(failed)?;
        }
    }
    // Frees the shards first, because the file may be assembled in memory.
    drop(shards);
    if !is_compact {
        return drawer.finish(&[]).map_err(failed);
    }
    let full = drawer.measured().map_err(failed)?;
    compact.finish(full).map(Finished::Bytes).map_err(failed)
}
