//! Shards: parts of one bake, for several processes or machines.
//!
//! Written by `Bake::write` and combined by [`merge()`]. A shard is a head followed by an atlas of some
//! sprites. Each shard computes the same division: by work, which follows from settings and what the files
//! state. The head has the shard number, the shard count, and two digests. One is of the names and settings
//! of all sprites, the other of the contents of all art. The digests prevent a merge of shards from different
//! bakes. Invariant: a merged atlas equals that of a bake without shards byte for byte.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

use crate::atomic_write::Replacement;
use crate::binary::{Digest, Ended, Reader, Writer, digest, probe};
use crate::cache::{self, FileState, Stamp};
use crate::error::{BakeError, BakeFault};
use crate::job::{Job, Plan};
use crate::output_guard::{self, Kind};
use crate::{pipeline, read_file};
use hitmask::baking::{Assembler, AtlasFile, Entry, Finished, MAGIC, SHARD_MAGIC, Scratch};
use hitmask::{AtlasOptions, BuildError, BuildFault, FileError};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
}

/// Returns the byte of an output where the atlas begins.
pub(super) fn start(plan: &Plan) -> u64 {
    if plan.shard.is_some() { HEAD_BYTES as u64 } else { 0 }
}

/// Checks a shard number, from 1, and the options of the bake.
fn check([index, count]: [u32; 2], plan: &Plan) -> Result<(), BakeError> {
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

/// Returns the head and the jobs of the shard that is baked. Without one, returns no head and all jobs. `all`
/// are the jobs of the whole bake, and `files` the states of their files.
pub(super) fn part<'a>(
    all: Vec<Job<'a>>,
    plan: &Plan,
    files: &BTreeMap<PathBuf, FileState>,
) -> Result<(Vec<u8>, Vec<Job<'a>>), BakeError> {
    let Some([index, count]) = plan.shard else { return Ok((Vec::new(), all)) };
    check([index, count], plan)?;
    let options_per_job: Vec<_> =
        all.iter().map(|job| (&job.source.name, &*job.settings)).collect();
    let bake = digest(&(options_per_job, plan.resolution.to_bits(), plan.compact));
    let (index, sprites) = (index.saturating_sub(1), all.len() as u64);
    let mut states = BTreeMap::new();
    for path in all.iter().flat_map(|job| job.source.files()) {
        let state = match files.get(path) {
            Some(&state) => state,
            // It cannot be read, or has no stamp.
            None => {
                let bytes = read_file::read(path)?;
                FileState::new(path, &bytes, Stamp::default(), SystemTime::UNIX_EPOCH)
            }
        };
        states.insert(path, state);
    }
    let states = |path: &Path| states.get(path).copied().unwrap_or_default();
    let art = art(&all, &|path| states(path).contents);
    let work: Vec<u64> =
        all.iter().map(|job| job.work(plan, &|path| states(path).images)).collect();
    let jobs = all.into_iter().zip(divide(&work, count));
    let jobs = jobs.filter(|&(_, shard)| shard == index).map(|(job, _)| job).collect();
    Ok((Head { index, count, sprites, bake, art }.to_bytes(), jobs))
}

/// Returns the shard of each job, from 0. The jobs, those with the most work first, go to the shard that has
/// the least so far. Ties are broken by the order of the jobs and of the shards.
fn divide(work: &[u64], count: u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..work.len()).collect();
    order.sort_by_key(|&k| Reverse(work[k]));
    let mut loads: BinaryHeap<_> = (0..count).map(|shard| Reverse((0_u64, shard))).collect();
    let mut shards = vec![0; work.len()];
    for k in order {
        if let Some(mut least) = loads.peek_mut() {
            let Reverse((load, shard)) = &mut *least;
            *load = load.saturating_add(work[k]);
            shards[k] = *shard;
        }
    }
    shards
}

/// Returns a digest of the contents of all files of these jobs, and of the frames that are taken of them.
/// It is the same in every folder.
fn art(all: &[Job<'_>], contents: &dyn Fn(&Path) -> Digest) -> Digest {
    let of_job = |job: &Job<'_>| {
        let files: Vec<_> = job.source.files().into_iter().map(contents).collect();
        (files, job.source.cut())
    };
    digest(&all.iter().map(of_job).collect::<Vec<_>>())
}

/// Returns the shard number, from 1, and the number of shards that a scheduler states by the variables `var`.
pub(super) fn of_scheduler(var: impl Fn(&str) -> Option<OsString>) -> Result<[u32; 2], BakeError> {
    const TASK: &str = "SLURM_ARRAY_TASK_ID";
    const INDEX: &str = "JOB_COMPLETION_INDEX";
    const COUNT: &str = "JOB_COMPLETIONS";
    let refused =
        |cause: String, help: &'static str| BakeError::new(BakeFault::Option, cause, help);
    let text = |name: &str| var(name).map(|value| value.to_string_lossy().into_owned());
    let number = |name: &str, help: &'static str| {
        let value =
            text(name).ok_or_else(|| refused(format!("the variable {name} is not set"), help))?;
        let no_number =
            |_| refused(format!("the variable {name} is {value:?}, not a whole number"), help);
        value.parse::<u32>().map_err(no_number)
    };
    match (text(TASK), text(INDEX)) {
        (Some(task), Some(index)) => {
            let cause = format!(
                "two schedulers number the shard: {TASK} is {task:?}, and {INDEX} is {index:?}"
            );
            Err(refused(
                cause,
                "remove the variable of one of them, or give the numbers of the shard, such as 1/4",
            ))
        }
        (Some(_), None) => {
            let help = "bake in a job array of Slurm, which sets the variable, or give the numbers of the shard, such as 1/4";
            let [min, max] = ["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"];
            let [task, count] = [number(TASK, help)?, number("SLURM_ARRAY_TASK_COUNT", help)?];
            let [first, last] = [number(min, help)?, number(max, help)?];
            let array = "submit the array as --array=1-N or --array=0-N, without a step or a list; to bake some shards again, give their numbers, such as 1/4";
            if first > 1 {
                let cause = format!("the job array begins at {first} by {min}, not at 0 or 1");
                return Err(refused(cause, array));
            }
            if last.checked_sub(first).and_then(|steps| steps.checked_add(1)) != Some(count) {
                let cause = format!(
                    "the job array has gaps: SLURM_ARRAY_TASK_COUNT is {count}, {min} is {first}, and {max} is {last}"
                );
                return Err(refused(cause, array));
            }
            if !(first..=last).contains(&task) {
                let cause =
                    format!("{TASK} is {task}, outside of the job array from {first} to {last}");
                return Err(refused(cause, array));
            }
            Ok([task.saturating_sub(first).saturating_add(1), count])
        }
        (None, Some(_)) => {
            let help = "bake in a job with completionMode: Indexed, and set JOB_COMPLETIONS in its manifest to the number of its completions";
            let [index, count] = [number(INDEX, help)?, number(COUNT, help)?];
            if index >= count {
                let cause =
                    format!("{INDEX} is {index}, and counts from 0, but {COUNT} is {count}");
                return Err(refused(cause, help));
            }
            Ok([index.saturating_add(1), count])
        }
        (None, None) => {
            let cause =
                format!("no scheduler numbers the shard: neither {TASK} nor {INDEX} is set");
            Err(refused(
                cause,
                "bake in a job array of Slurm or an indexed job of Kubernetes, or give the numbers of the shard, such as 1/4",
            ))
        }
    }
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
    let other = |rest| Err(BakeError::of_file(BakeFault::Shard, path, rest, help));
    if bytes.starts_with(&MAGIC) {
        return other(" is a whole atlas, not a shard");
    }
    if bytes.starts_with(cache::MAGIC) {
        return other(" is the cache of a bake, not a shard");
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
                    let help = "bake all shards of the same sources with the same settings, and remove those of an earlier bake";
                    (cause, help)
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
    let Some(first) = shards.first() else { return Err(no_shards()) };
    // The sprites, by shard and index, in order of their names.
    let all = shards.iter().flat_map(|shard| (0..shard.file.len()).map(move |i| (shard, i)));
    let mut places: Vec<(&Shard, usize)> = all.collect();
    places.sort_by_key(|&(shard, i)| shard.file.name(i));
    let damaged = |place: Option<&(&Shard, usize)>| {
        damaged(place.map_or(&first.path, |(shard, _)| &shard.path))
    };
    let is_compact = first.file.is_compact();
    let is_unlike_first = |shard: &&Shard| {
        let file = &shard.file;
        file.is_compact() != is_compact || file.resolution() != first.file.resolution()
    };
    let is_twice = |pair: &&[(&Shard, usize)]| {
        let [one, other] = [pair[0], pair[1]].map(|(shard, i)| shard.file.name(i));
        one == other
    };
    if let Some(shard) = shards.iter().find(is_unlike_first) {
        return Err(damaged(Some(&(shard, 0))));
    }
    if let Some(pair) = places.windows(2).find(is_twice) {
        return Err(damaged(pair.last()));
    }
    if places.len() as u64 != first.head.sprites {
        return Err(damaged(None));
    }
    let resolution = first.file.resolution();
    let failed = |error: BuildError, damaged: BakeError| match error.fault {
        BuildFault::Settings(_) => damaged,
        _ => pipeline::unwritten(error, output),
    };
    let mut assembler = Assembler::new(resolution, is_compact, Some(scratch))
        .map_err(|error| failed(error, damaged(None)))?;
    for batch in places.chunks(SPRITES_PER_BATCH) {
        let entries = batch.par_iter().map(|place| {
            let &(shard, i) = place;
            let entry = if is_compact {
                shard.file.sprite(i).map(Entry::New)
            } else {
                shard.file.kept(i).map(Entry::Kept)
            };
            entry.ok_or_else(|| damaged(Some(place)))
        });
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        assembler.add(&entries).map_err(|error| failed(error, damaged(batch.first())))?;
    }
    let maps = shards.iter().flat_map(|shard| shard.file.maps()).collect();
    let set = assembler.set_maps(maps);
    set.map_err(|error| failed(error, damaged(None)))?;
    // Frees the shards first, because the file may be assembled in memory.
    drop(shards);
    assembler.finish(&[]).map_err(|error| pipeline::unwritten(error, output))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the shard of an environment with these variables, or the error and its help.
    fn shard_of(vars: &[(&str, &str)]) -> Result<[u32; 2], [String; 2]> {
        let var = |name: &str| {
            vars.iter().find(|(known, _)| *known == name).map(|&(_, value)| value.into())
        };
        of_scheduler(var).map_err(|error| {
            assert_eq!(error.fault, BakeFault::Option);
            [error.to_string(), error.help().into_owned()]
        })
    }

    /// Returns the variables of Slurm, given their values: the task, the count, the first and the last.
    fn slurm(values: &str) -> Vec<(&'static str, &str)> {
        let names = [
            "SLURM_ARRAY_TASK_ID",
            "SLURM_ARRAY_TASK_COUNT",
            "SLURM_ARRAY_TASK_MIN",
            "SLURM_ARRAY_TASK_MAX",
        ];
        names.into_iter().zip(values.split(' ')).collect()
    }

    /// Returns the variables of Kubernetes: the index and the count.
    fn kubernetes(values: &str) -> Vec<(&'static str, &str)> {
        ["JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"].into_iter().zip(values.split(' ')).collect()
    }

    #[test]
    fn a_job_array_from_0_or_1_and_an_indexed_job_give_every_shard_once() {
        for i in 1..=4_u32 {
            assert_eq!(shard_of(&slurm(&format!("{i} 4 1 4"))), Ok([i, 4]));
            assert_eq!(shard_of(&slurm(&format!("{} 4 0 3", i - 1))), Ok([i, 4]));
            assert_eq!(shard_of(&kubernetes(&format!("{} 4", i - 1))), Ok([i, 4]));
        }
        assert_eq!(shard_of(&slurm("0 1 0 0")), Ok([1, 1]));
        // The count alone is no scheduler: a shell may have it for other reasons.
        let beside = [slurm("2 4 1 4"), vec![("JOB_COMPLETIONS", "9")]].concat();
        assert_eq!(shard_of(&beside), Ok([2, 4]));
    }

    #[test]
    fn an_environment_that_states_no_single_shard_is_refused_with_variable_and_value() {
        let both = [slurm("1 4 1 4"), kubernetes("0 4")].concat();
        for (vars, expected) in [
            (Vec::new(), "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"),
            (both, "SLURM_ARRAY_TASK_ID is \"1\", and JOB_COMPLETION_INDEX is \"0\""),
            (slurm("one 4 1 4"), "SLURM_ARRAY_TASK_ID is \"one\", not a whole number"),
            (slurm(" 4 1 4"), "SLURM_ARRAY_TASK_ID is \"\", not a whole number"),
            (slurm("1 -4 1 4"), "SLURM_ARRAY_TASK_COUNT is \"-4\", not a whole number"),
            (slurm("1 4 1.0 4"), "SLURM_ARRAY_TASK_MIN is \"1.0\", not a whole number"),
            (slurm("1 4 1 4294967296"), "_MAX is \"4294967296\", not a whole number"),
            (slurm("1"), "SLURM_ARRAY_TASK_COUNT is not set"),
            (slurm("1 4"), "SLURM_ARRAY_TASK_MIN is not set"),
            (slurm("1 4 1"), "SLURM_ARRAY_TASK_MAX is not set"),
            // --array=3-4, as some tasks are submitted again.
            (slurm("3 2 3 4"), "begins at 3 by SLURM_ARRAY_TASK_MIN, not at 0 or 1"),
            // --array=1,3,7, and --array=0-6:2
            (
                slurm("3 3 1 7"),
                "_COUNT is 3, SLURM_ARRAY_TASK_MIN is 1, and SLURM_ARRAY_TASK_MAX is 7",
            ),
            (
                slurm("2 4 0 6"),
                "_COUNT is 4, SLURM_ARRAY_TASK_MIN is 0, and SLURM_ARRAY_TASK_MAX is 6",
            ),
            (slurm("1 0 0 4294967295"), "the job array has gaps"),
            (slurm("0 4 1 4"), "SLURM_ARRAY_TASK_ID is 0, outside of the job array from 1 to 4"),
            (slurm("4 4 0 3"), "SLURM_ARRAY_TASK_ID is 4, outside of the job array from 0 to 3"),
            (kubernetes("a 4"), "JOB_COMPLETION_INDEX is \"a\", not a whole number"),
            (kubernetes("0 four"), "JOB_COMPLETIONS is \"four\", not a whole number"),
            (kubernetes("0"), "JOB_COMPLETIONS is not set"),
            (
                kubernetes("4 4"),
                "JOB_COMPLETION_INDEX is 4, and counts from 0, but JOB_COMPLETIONS is 4",
            ),
            (
                kubernetes("0 0"),
                "JOB_COMPLETION_INDEX is 0, and counts from 0, but JOB_COMPLETIONS is 0",
            ),
        ] {
            let [said, help] = shard_of(&vars).unwrap_err();
            assert!(said.contains(expected), "{said}");
            let (is_job, of_job) =
                (expected.contains("JOB_COMPLETIONS"), help.contains("set JOB_COMPLETIONS"));
            assert!(help.contains("numbers") || of_job, "{said}; {help}");
            assert!(of_job || !is_job, "{said}; {help}");
        }
    }

    #[test]
    fn the_largest_jobs_are_divided_first_and_ties_go_by_order() {
        assert_eq!(divide(&[5, 9, 5, 1, 4], 2), [1, 0, 1, 1, 0]);
        assert_eq!(divide(&[3; 7], 3), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(divide(&[8, 7], 4), [0, 1]);
        assert!(divide(&[], 4).is_empty());
        assert_eq!(divide(&[u64::MAX, u64::MAX, 1], 1), [0, 0, 0]);
    }

    #[test]
    fn no_shard_has_more_than_the_mean_and_the_largest_job() {
        let mut random = hitmask_scenes::Random::new(7);
        for count in [1, 2, 5, 16] {
            let work: Vec<u64> =
                (0..200).map(|_| 1 + u64::from(random.below(5000)).pow(2)).collect();
            let mut loads = vec![0; count as usize];
            for (shard, work) in divide(&work, count).into_iter().zip(&work) {
                loads[shard as usize] += work;
            }
            let (sum, largest) = (work.iter().sum::<u64>(), work.iter().max().unwrap());
            assert!(
                loads.iter().all(|load| *load <= sum / u64::from(count) + largest),
                "{loads:?}"
            );
        }
    }
}
