//! Snapshots of a plane: a file for each region, and one that tells that they are complete.

use crate::error::{Error, ErrorKind};
use crate::message::{Traffic, pack, swap};
use crate::partition::Partition;
use crate::plane::{Data, Plane};
use crate::region::Region;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 16] = b"hitmask regions\n";
const VERSION: u32 = 1;
/// Snapshots that are kept: an older one serves if the machine stops during the newest.
const KEPT: usize = 2;

/// What a file is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    version: u32,
    run: u64,
    world: u64,
    tick: u64,
}

/// The file that tells that a snapshot is complete.
#[derive(Serialize, Deserialize)]
struct Complete {
    partition: Partition,
    /// Colliders that each process has inserted.
    inserted: Vec<u64>,
}

impl<D: Data> Plane<D> {
    /// Writes the state of the plane as of the last [`tick`](Self::tick) into a folder that all processes share, and
    /// removes all but the last two snapshots. A call of all processes together.
    ///
    /// Takes about 140 bytes per collider with 8 bytes of data, and the time to write them.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Snapshot`] in every process, with the process and the region whose file cannot be
    /// written, or is not in the folder as the first process sees it. The plane is as it was, and older snapshots stay.
    pub fn save(&mut self, folder: impl AsRef<Path>) -> Result<(), Error> {
        let folder = folder.as_ref();
        let header = self.header(self.ticks);
        let process = self.process();
        let part = folder.join(format!("tick-{:012}.part", header.tick));
        let refused = |path: &Path, error: &io::Error| refusal(path, error, FREE);
        let written = fs::create_dir_all(&part).map_err(|error| refused(&part, &error));
        let written = written.and_then(|()| {
            self.regions.iter().try_for_each(|region| {
                let path = part.join(format!("region-{}", region.id));
                let packed = region.save().map_err(io::Error::other);
                packed
                    .and_then(|bytes| write(&path, &header, &bytes))
                    .map_err(|error| refused(&path, &error).of_region(region.id))
            })
        });
        let written = written.map_err(|error| error.of_process(process));
        let told = self.tell((written, self.inserted[process]))?;
        for (kept, (_, inserted)) in self.inserted.iter_mut().zip(&told) {
            *kept = *inserted;
        }
        let mut written: Result<(), Error> = told.into_iter().try_for_each(|(written, _)| written);
        if process == 0 && written.is_ok() {
            written = self.complete(folder, &part, &header);
        }
        // The other processes wait until the snapshot is whole.
        let written: Result<(), Error> = self.tell(written)?.into_iter().collect();
        if process == 0 && written.is_err() {
            // What is left of it does no harm, and may take the space that is missing.
            let _ = fs::remove_dir_all(&part);
        }
        written
    }

    /// Completes a snapshot whose regions are written, and removes older ones.
    fn complete(&self, folder: &Path, part: &Path, header: &Header) -> Result<(), Error> {
        for leaf in self.partition.leaves() {
            let path = part.join(format!("region-{}", leaf.region));
            fs::metadata(&path).map_err(|error| {
                let error = refusal(&path, &error, SHARED).of_region(leaf.region);
                error.of_process(leaf.process.into())
            })?;
        }
        let complete =
            Complete { partition: self.partition.clone(), inserted: self.inserted.clone() };
        let path = part.join("complete");
        let bytes = postcard::to_stdvec(&complete).unwrap_or_default();
        write(&path, header, &bytes)
            .and_then(|()| {
                let whole = part.with_extension("");
                // A run that went back to an older snapshot writes this tick again.
                if whole.exists() {
                    fs::remove_dir_all(&whole)?;
                }
                fs::rename(part, whole)
            })
            .and_then(|()| {
                let listed = snapshots(folder)?;
                let old = listed.range(..=header.tick).rev().skip(KEPT);
                old.map(|&tick| snapshot(folder, tick)).try_for_each(fs::remove_dir_all)
            })
            .map_err(|error| refusal(&path, &error, FREE).of_process(0))
    }

    /// Returns to the newest snapshot of the folder that is whole; `None` if the folder has no snapshots. Call it
    /// before anything else, in all processes together. Their number may be another than that of the snapshot.
    ///
    /// A damaged snapshot gets the extension `damaged` once an older one is restored.
    ///
    /// # Errors
    /// Returns the fault of the newest snapshot if none is whole: [`ErrorKind::Snapshot`], with the process and the
    /// region whose file is missing or damaged. Returns [`ErrorKind::Mismatch`] for a snapshot of another run or
    /// world, and [`ErrorKind::Options`] if there are more processes than regions. The plane is as it was.
    pub fn restore(&mut self, folder: impl AsRef<Path>) -> Result<Option<Restored>, Error> {
        let folder = folder.as_ref();
        let process = self.process();
        let listed = snapshots(folder).map_err(|error| {
            refusal(folder, &error, "name a folder that can be read").of_process(process)
        });
        // A snapshot that one process does not see is damaged.
        let listed = self.tell(listed)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        let ticks: BTreeSet<u64> = listed.into_iter().flatten().collect();
        let mut skipped = Vec::new();
        for &tick in ticks.iter().rev() {
            let read = self.read(folder, tick).map_err(|error| error.of_process(process));
            // Every process takes the snapshot, or none.
            let mut faults = self.tell(read.as_ref().err().cloned())?.into_iter().flatten();
            match (faults.next(), read) {
                (Some(error), _) if error.kind == ErrorKind::Snapshot => skipped.push(error),
                (Some(error), _) | (None, Err(error)) => return Err(error),
                (None, Ok((Complete { partition, inserted }, regions))) => {
                    for path in ticks.range(tick + 1..).map(|&tick| snapshot(folder, tick)) {
                        if process == 0 {
                            // One that keeps its name is skipped again.
                            let _ = fs::rename(&path, path.with_extension("damaged"));
                        }
                    }
                    self.take(partition, regions, inserted, tick);
                    return Ok(Some(Restored { tick, skipped }));
                }
            }
        }
        skipped.into_iter().next().map_or(Ok(None), Err)
    }

    /// Reads the regions of this process.
    fn read(&self, folder: &Path, tick: u64) -> Result<(Complete, Vec<Region<D>>), Error> {
        let folder = snapshot(folder, tick);
        let wanted = self.header(tick);
        let path = folder.join("complete");
        let mut complete: Complete =
            postcard::from_bytes(&read(&path, &wanted)?).map_err(|error| damage(&path, error))?;
        complete.partition = complete.partition.with_processes(self.processes() as u16);
        let count = complete.partition.leaves().count();
        if count < self.processes() {
            let cause =
                format!("the snapshot has {count} regions for {} processes", self.processes());
            let help = "restore it with at most as many processes as it has regions";
            return Err(Error::new(ErrorKind::Options, cause, help));
        }
        let here = self.process();
        let leaves = complete.partition.leaves().filter(|leaf| usize::from(leaf.process) == here);
        let regions = leaves.map(|leaf| {
            let path = folder.join(format!("region-{}", leaf.region));
            let loaded = read(&path, &wanted).and_then(|bytes| {
                let region = Region::load_saved(&bytes, &self.template);
                let region = region.map_err(|cause| damage(&path, cause))?;
                let is_leaf = region.id == leaf.region && region.rect == leaf.rect;
                let other = || damage(&path, format!("the file is of region {}", region.id));
                if is_leaf { Ok(region) } else { Err(other()) }
            });
            loaded.map_err(|error| error.of_region(leaf.region))
        });
        let regions = regions.collect::<Result<_, _>>()?;
        complete.inserted.resize(complete.inserted.len().max(self.processes()), 0);
        Ok((complete, regions))
    }

    fn header(&self, tick: u64) -> Header {
        let [world, _] = self.options.hashes(&self.template);
        Header { version: VERSION, run: self.options.run, world, tick }
    }

    /// Returns a hash of the colliders with their ids and data, and of the touching pairs: equal for equal states,
    /// however the plane is divided. A call of all processes together.
    ///
    /// # Errors
    /// Returns the errors of [`tick`](Self::tick).
    pub fn state_hash(&mut self) -> Result<u64, Error> {
        let mut sum = 0_u64;
        for collider in self.iter() {
            sum = sum.wrapping_add(xxh3_64(&pack(&collider)?));
        }
        for pair in self.touching() {
            sum = sum.wrapping_add(xxh3_64(&pack(&pair)?));
        }
        Ok(self.tell(sum)?.into_iter().fold(self.ticks, u64::wrapping_add))
    }

    /// Tells every process a value, and returns those of all, in order of the processes.
    pub(crate) fn tell<T: Clone + Serialize + DeserializeOwned>(
        &mut self,
        value: T,
    ) -> Result<Vec<T>, Error> {
        let sent = (0..self.processes() as u16).map(|process| (process, value.clone())).collect();
        // Not a part of what a game sends.
        swap(&mut *self.exchange, sent, &mut Traffic::default())
    }
}

/// What [`Plane::restore`] returned to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Restored {
    /// The tick of the snapshot.
    pub tick: u64,
    /// The fault of each newer snapshot, the newest first: each was damaged.
    pub skipped: Vec<Error>,
}

const FREE: &str = "free space or name another folder; the run can go on";
const SHARED: &str = "name a folder that all processes share";
const FOREIGN: &str = "name the folder of this run, or an empty one to begin anew";
const DAMAGED: &str =
    "name a folder that all processes share; if the file is lost, name an empty one to begin anew";

/// Returns the ticks of the complete snapshots.
fn snapshots(folder: &Path) -> io::Result<BTreeSet<u64>> {
    let mut found = BTreeSet::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        let tick = name.to_str().and_then(|name| name.strip_prefix("tick-"));
        found.extend(tick.and_then(|tick| tick.parse::<u64>().ok()));
    }
    Ok(found)
}

/// Returns the path of a complete snapshot.
fn snapshot(folder: &Path, tick: u64) -> PathBuf {
    folder.join(format!("tick-{tick:012}"))
}

fn refusal(path: &Path, error: &io::Error, help: &'static str) -> Error {
    Error::new(ErrorKind::Snapshot, format!("{}: {error}", path.display()), help)
}

fn damage(path: &Path, cause: impl Display) -> Error {
    Error::new(ErrorKind::Snapshot, format!("{}: {cause}", path.display()), DAMAGED)
}

fn write(path: &Path, header: &Header, payload: &[u8]) -> io::Result<()> {
    let mut packed = postcard::to_stdvec(header).map_err(io::Error::other)?;
    packed.extend_from_slice(payload);
    let mut file = File::create(path)?;
    file.write_all(MAGIC)?;
    file.write_all(&xxh3_64(&packed).to_le_bytes())?;
    file.write_all(&packed)?;
    file.sync_all()
}

/// Returns the bytes after the header.
fn read(path: &Path, wanted: &Header) -> Result<Vec<u8>, Error> {
    let bytes = fs::read(path).map_err(|error| damage(path, error))?;
    let (hash, packed) = bytes
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.split_first_chunk::<8>())
        .ok_or_else(|| damage(path, "no file of a snapshot of a plane"))?;
    if xxh3_64(packed).to_le_bytes() != *hash {
        return Err(damage(path, "the file is damaged"));
    }
    let (header, payload) =
        postcard::take_from_bytes::<Header>(packed).map_err(|error| damage(path, error))?;
    let differs = [
        ("version", u64::from(header.version), u64::from(wanted.version), ErrorKind::Mismatch),
        ("run", header.run, wanted.run, ErrorKind::Mismatch),
        ("hash of the world", header.world, wanted.world, ErrorKind::Mismatch),
        ("tick", header.tick, wanted.tick, ErrorKind::Snapshot),
    ];
    if let Some((name, found, expected, kind)) =
        differs.into_iter().find(|(_, found, expected, _)| found != expected)
    {
        let cause = format!("{}: its {name} is {found} instead of {expected}", path.display());
        return Err(Error::new(kind, cause, FOREIGN));
    }
    Ok(payload.to_vec())
}
