//! Shards: parts of one bake, for several processes or machines.
//!
//! Written by `Bake::write` and combined by [`merge()`]. A shard is a head followed by an atlas of
//! every n-th sprite in order of their names. The head has the shard number, the shard count, and two
//! digests. One is of the names and settings of all sprites, the other of the contents of all art. The digests prevent a
//! merge of shards from different bakes. Invariant: a merged atlas equals that of a bake without shards byte for byte.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

use crate::atomic_write::Replacement;
use crate::binary::{Digest, Ended, Reader, Writer, digest, probe};
use crate::error::{BakeError, BakeFault};
use crate::job::{Job, Plan};
use crate::output_guard::{self, Kind};
use crate::{pipeline, read_file};
use hitmask::baking::{Assembler, AtlasFile, Entry, Finished, MAGIC, SHARD_MAGIC, Scratch};
use hitmask::{AtlasOptions, BuildError, BuildFault, FileError};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Length of the head in bytes. A multiple of 64, so the atlas after it keeps its alignment.
const HEAD_BYTES: usize = 128;
/// Bytes of the head that its final digest covers.
const SEALED_BYTES: usize = 80;

/// Largest number of shards of one bake.
pub(super) const MAX_SHARDS: u32 = 65_536;

/// The head of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// Shard number, from 0.
    index: u32,
    count: u32,
    /// Number of sprites in all shards.
    sprites: u64,
    /// Digest of the names, settings and options of the bake.
    bake: Digest,
    /// Digest of the contents of all art, without paths.
    art: Digest,
}

impl Head {
    fn to_bytes(self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.0.extend(SHARD_MAGIC);
        writer.digest(probe());
        writer.number(u64::from(self.index));
        writer.number(u64::from(self.count));
        writer.number(self.sprites);
        writer.digest(self.bake);
        writer.digest(self.art);
        let seal = digest(writer.0.as_slice());
        writer.digest(seal);
        writer.0.resize(HEAD_BYTES, 0);
        writer.0
    }

    /// Reads the fields after magic and version.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Ended> {
        let (index, count) = (reader.number()?, reader.number()?);
        let (sprites, bake, art) = (reader.number()?, reader.digest()?, reader.digest()?);
        let head = Self { index, count, sprites, bake, art };
        if index < count && count <= MAX_SHARDS { Ok(head) } else { Err(Ended) }
    }

    /// Returns the number of sprites in this shard.
    fn own_sprites(&self) -> u64 {
        let (index, count) = (u64::from(self.index), u64::from(self.count));
        self.sprites.saturating_sub(index).div_ceil(count)
    }
}

/// Checks a shard number, from 1, and the options of the bake.
pub(super) fn check([index, count]: [u32; 2], plan: &Plan) -> Result<(), BakeError> {
    if index == 0 || index > count || count > MAX_SHARDS {
        let cause = format!("there is no shard {index} of {count}");
        let help = "number the shards from 1, up to 65536";
        return Err(BakeError::new(BakeFault::Option, cause, help));
    }
    if plan.max_bytes.is_some() {
        let cause = "a shard cannot keep a limit on the atlas size, because the limit depends on all sprites";
        let help = "remove the limit, or bake without shards";
        return Err(BakeError::new(BakeFault::Option, cause, help));
    }
    Ok(())
}

/// Returns the jobs of a shard: every `count`-th.
pub(super) fn jobs<'a>(all: Vec<Job<'a>>, [index, count]: [u32; 2]) -> Vec<Job<'a>> {
    all.into_iter().skip((index as usize).saturating_sub(1)).step_by(count as usize).collect()
}

/// Returns the head of a shard. `all` are the jobs of the whole bake. Reads all of their files.
pub(super) fn head(
    all: &[Job<'_>],
    plan: &Plan,
    [index, count]: [u32; 2],
) -> Result<Vec<u8>, BakeError> {
    let options_per_job: Vec<_> =
        all.iter().map(|job| (&job.source.name, &*job.settings)).collect();
    let bake = digest(&(options_per_job, plan.resolution.to_bits(), plan.compact));
    let (index, sprites) = (index.saturating_sub(1), all.len() as u64);
    Ok(Head { index, count, sprites, bake, art: art(all)? }.to_bytes())
}

/// Returns a digest of the contents of all files of these jobs, and of the frames that are taken of them.
/// It is the same in every folder.
fn art(all: &[Job<'_>]) -> Result<Digest, BakeError> {
    let paths: BTreeSet<&Path> = all.iter().flat_map(|job| job.source.files()).collect();
    let paths: Vec<&Path> = paths.into_iter().collect();
    let contents = |path: &&Path| Ok(digest(read_file::read(path)?.as_slice()));
    let contents: Vec<Digest> = paths.par_iter().map(contents).collect::<Result<_, BakeError>>()?;
    let known: BTreeMap<&Path, Digest> = paths.into_iter().zip(contents).collect();
    let of_job = |job: &Job<'_>| {
        let files: Vec<_> =
            job.source.files().iter().map(|path| known.get(path).copied()).collect();
        (files, job.source.cut())
    };
    Ok(digest(&all.iter().map(of_job).collect::<Vec<_>>()))
}

/// Remedy of a shard whose bytes are wrong.
const COPY: &str = "copy the shard or bake it again";

/// Sprites per batch.
const SPRITES_PER_BATCH: usize = 256;

/// The result of a [`merge`].
///
/// ```
/// let report = hitmask_bake::MergeReport::default();
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
/// a compact atlas stores the size of the full one. The limits of `options` apply to what all compact
/// shards draw together. A merge takes about the size of the atlas in memory.
///
/// ```
/// use hitmask::AtlasOptions;
/// use hitmask_bake::{Bake, Mask, merge};
/// let folder = std::env::temp_dir().join(format!("hitmask-doc-merge-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let (dot, bar): (Mask, Mask) = ("#".parse()?, "####".parse()?);
/// let bake = || Bake::new().mask("dot", dot.clone()).mask("bar", bar.clone());
/// let parts = [1, 2].map(|i| folder.join(format!("part-{i}")));
/// bake().shard(1, 2).write(&parts[0])?; // here,
/// bake().shard(2, 2).write(&parts[1])?; // and there
/// merge(folder.join("sprites.hitmask"), &parts, AtlasOptions::DEFAULT)?;
/// assert_eq!(std::fs::read(folder.join("sprites.hitmask"))?, bake().to_bytes()?);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BakeFault::Atlas`] with `FileError::OverLimit` if the poses may exceed a limit.
/// [`BakeError`] with the path of the shard that is damaged, repeated, not a shard, or of another
/// bake or version. The same if a shard is missing, or if the atlas cannot be written.
/// [`BakeFault::Output`] if `output` is one of the shards, is not a file, or is a file other than
/// an atlas. After an error, the previous file is unchanged.
pub fn merge<P: AsRef<Path>>(
    output: impl AsRef<Path>,
    shards: impl IntoIterator<Item = P>,
    options: AtlasOptions,
) -> Result<MergeReport, BakeError> {
    let paths: Vec<PathBuf> = shards.into_iter().map(|path| path.as_ref().to_owned()).collect();
    let output = output.as_ref();
    output_guard::check_output(output, Kind::Atlas, || paths.clone())?;
    let shards = ordered(paths.iter().enumerate().map(|(i, path)| read(i, path, options)))?;
    if let Some(first) = shards.first() {
        let compact = shards.iter().map(|shard| &shard.file).filter(|file| file.is_compact());
        AtlasFile::check_drawing_cost(compact, &options)
            .map_err(|cause| sprites(&first.path, cause))?;
    }
    let (of, sprites) = (shards.len(), shards.iter().map(|shard| shard.file.len()).sum());
    let mut new = Replacement::new(output)?;
    let atlas = merged(shards, output, &mut new)?;
    let (bytes, written) = new.store(atlas)?;
    Ok(MergeReport { shards: of, sprites, bytes, written })
}

struct Shard {
    path: PathBuf,
    head: Head,
    file: AtlasFile,
}

/// Returns the error of a shard with damaged sprites, or with too many.
fn sprites(path: &Path, cause: FileError) -> BakeError {
    let text = format!("the shard {}: {cause}", path.display());
    BakeError::new(BakeFault::Atlas(Box::new(cause)), text, COPY).of(path)
}

fn damaged(path: &Path) -> BakeError {
    let text = format!("the shard {} is damaged", path.display());
    BakeError::new(BakeFault::Damaged, text, COPY).of(path)
}

/// Reads a shard. `number` is its index among the given files.
fn read(number: usize, path: &Path, options: AtlasOptions) -> Result<Shard, BakeError> {
    let help = "name files that hitmask bake --shard has written";
    let not_a_shard = || BakeError::of_file(BakeFault::Shard, path, " is not a shard", help);
    let damaged = || damaged(path);
    // Reading a pipe would wait for a writer.
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(not_a_shard());
    }
    let bytes = fs::read(path).map_err(|cause| BakeError::read(path, cause))?;
    if bytes.starts_with(&MAGIC) {
        let rest = " is a whole atlas, not a shard";
        return Err(BakeError::of_file(BakeFault::Shard, path, rest, help));
    }
    let head = bytes.strip_prefix(&SHARD_MAGIC).ok_or_else(not_a_shard)?;
    let mut reader = Reader(head);
    if reader.digest().map_err(|_| damaged())? != probe() {
        let text = format!("another version of hitmask wrote {}", path.display());
        let help = "bake and merge all shards with the same version";
        return Err(BakeError::new(BakeFault::Shard, text, help).of(path));
    }
    let head = Head::read(&mut reader).map_err(|_| damaged())?;
    let seal = bytes.get(..SEALED_BYTES).map(digest);
    let (Some(seal), Some((_, atlas))) = (seal, bytes.split_at_checked(HEAD_BYTES)) else {
        return Err(damaged());
    };
    if reader.digest() != Ok(seal) {
        return Err(damaged());
    }
    let file = AtlasFile::copied(atlas, number, options).map_err(|cause| sprites(path, cause))?;
    drop(bytes);
    file.verify().map_err(|cause| sprites(path, cause))?;
    if file.len() as u64 != head.own_sprites() {
        return Err(damaged());
    }
    Ok(Shard { path: path.to_owned(), head, file })
}

/// Sorts the shards by number, and checks that they form one complete bake.
fn ordered(
    shards: impl Iterator<Item = Result<Shard, BakeError>>,
) -> Result<Vec<Shard>, BakeError> {
    let mut all: Vec<Shard> = Vec::new();
    for shard in shards {
        let shard = shard?;
        if let Some(first) = all.first() {
            let Head { index: _, count, sprites, bake, art } = first.head;
            let (one, other) = (first.path.display(), shard.path.display());
            if shard.head != (Head { index: shard.head.index, count, sprites, bake, art }) {
                let is_same_bake = shard.head
                    == Head { art: shard.head.art, index: shard.head.index, ..first.head };
                let (cause, help) = if is_same_bake {
                    let cause = format!(
                        "{one} and {other} are shards of different art: a file has changed between them"
                    );
                    (cause, "bake all shards again from the same files")
                } else {
                    let cause = format!(
                        "{one} and {other} are shards of different bakes: their sprites, settings or shard counts differ"
                    );
                    (cause, "bake all shards of the same sources with the same settings")
                };
                return Err(BakeError::new(BakeFault::Shard, cause, help).of(&first.path));
            }
        }
        if let Some(same) = all.iter().find(|other| other.head.index == shard.head.index) {
            let (first, second) = (same.path.display(), shard.path.display());
            let number = shard.head.index.saturating_add(1);
            let cause = format!("{first} and {second} are both shard {number}");
            let error = BakeError::new(BakeFault::Shard, cause, "name each shard once");
            return Err(error.of(&same.path));
        }
        all.push(shard);
    }
    let Some(first) = all.first() else { return Err(no_shards()) };
    let of = first.head.count;
    let is_there = |i: &u32| all.iter().any(|shard| shard.head.index == *i);
    let missing: Vec<u32> = (0..of).filter(|i| !is_there(i)).map(|i| i.saturating_add(1)).collect();
    if !missing.is_empty() {
        return Err(without(&missing, of, &first.path));
    }
    all.sort_by_key(|shard| shard.head.index);
    Ok(all)
}

fn no_shards() -> BakeError {
    BakeError::new(BakeFault::Nothing, "no shard was given", "name all shards of one bake")
}

/// Returns the error of a bake of `of` shards without the shards of these numbers.
fn without(missing: &[u32], of: u32, beside: &Path) -> BakeError {
    let numbers: Vec<String> = missing.iter().take(20).map(u32::to_string).collect();
    let numbers = match &numbers[..] {
        [number] => format!("number {number} is"),
        [first @ .., last] if missing.len() <= 20 => {
            format!("numbers {} and {last} are", first.join(", "))
        }
        _ => format!("numbers {}, ... are", numbers.join(", ")),
    };
    let cause = format!("of {of} shards, {numbers} missing beside {}", beside.display());
    let help = "bake the missing shards, or name their files too";
    BakeError::new(BakeFault::Shard, cause, help).of(beside)
}

/// Returns the atlas with all sprites, in order of their names. A large atlas grows in `scratch`.
fn merged(
    shards: Vec<Shard>,
    output: &Path,
    scratch: &mut dyn Scratch,
) -> Result<Finished, BakeError> {
    let (Some(first), Some(of)) = (shards.first(), NonZeroUsize::new(shards.len())) else {
        return Err(no_shards());
    };
    let count = shards.iter().map(|shard| shard.file.len()).sum();
    let place = |k: usize| (&shards[k % of], k / of);
    let name = |k: usize| {
        let (shard, i) = place(k);
        shard.file.name(i)
    };
    let damaged = |k: usize| damaged(&place(k).0.path);
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
    let failed = |error: BuildError, damaged: BakeError| match error.fault {
        BuildFault::Settings(_) => damaged,
        _ => pipeline::unwritten(error, output),
    };
    let mut assembler = Assembler::new(resolution, is_compact, Some(scratch))
        .map_err(|error| failed(error, damaged(0)))?;
    let places: Vec<usize> = (0..count).collect();
    for batch in places.chunks(SPRITES_PER_BATCH) {
        let entries = batch.par_iter().map(|&k| {
            let (shard, i) = place(k);
            let entry = if is_compact {
                shard.file.sprite(i).map(Entry::New)
            } else {
                shard.file.kept(i).map(Entry::Kept)
            };
            entry.ok_or_else(|| damaged(k))
        });
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        assembler.add(&entries).map_err(|error| failed(error, damaged(batch[0])))?;
    }
    let maps = shards.iter().flat_map(|shard| shard.file.maps()).collect();
    let set = assembler.set_maps(maps);
    set.map_err(|error| failed(error, damaged(0)))?;
    // Frees the shards first, because the file may be assembled in memory.
    drop(shards);
    assembler.finish(&[]).map_err(|error| pipeline::unwritten(error, output))
}
