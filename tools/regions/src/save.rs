//! Snapshots of a plane: a file for each region, and one that tells that they are complete.

use crate::error::{Error, ErrorKind};
use crate::message::{Traffic, swap};
use crate::partition::Partition;
use crate::plane::{Data, Plane};
use crate::region::Region;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
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
    /// Returns [`ErrorKind::Snapshot`] in every process, with the process and the region whose file could not be
    /// written. The plane is as it was, and older snapshots stay.
    pub fn save(&mut self, folder: impl AsRef<Path>) -> Result<(), Error> {
        let folder = folder.as_ref();
        let header = self.header();
        let part = folder.join(format!("tick-{:012}.part", header.tick));
        let written = fs::create_dir_all(&part).map_err(|error| (None, refusal(&part, &error)));
        let written = written.and_then(|()| {
            self.regions.iter().try_for_each(|region| {
                let path = part.join(format!("region-{}", region.id));
                let failed = |cause| (Some(region.id), cause);
                let bytes = region
                    .save()
                    .map_err(|error| failed(format!("data cannot be packed: {error}")))?;
                write(&path, &header, &bytes).map_err(|error| failed(refusal(&path, &error)))
            })
        });
        let told = self.tell((written, self.inserted[self.process()]))?;
        for (kept, (_, inserted)) in self.inserted.iter_mut().zip(&told) {
            *kept = *inserted;
        }
        let mut written = told.into_iter().enumerate().find_map(|(process, (written, _))| {
            written.err().map(|(region, cause)| (process, region, cause))
        });
        if self.process() == 0 && written.is_none() {
            let inserted = self.inserted.clone();
            let complete = Complete { partition: self.partition.clone(), inserted };
            let path = part.join("complete");
            let bytes = postcard::to_stdvec(&complete).unwrap_or_default();
            let result = write(&path, &header, &bytes)
                .and_then(|()| {
                    let whole = part.with_extension("");
                    // A run that went back to an older snapshot writes this tick again.
                    if whole.exists() {
                        fs::remove_dir_all(&whole)?;
                    }
                    fs::rename(&part, whole)
                })
                .and_then(|()| {
                    snapshots(folder)?.into_iter().rev().skip(KEPT).try_for_each(fs::remove_dir_all)
                });
            written = result.err().map(|error| (0, None, refusal(&path, &error)));
        }
        // The other processes wait until the snapshot is whole.
        let failed = self.tell(written)?.into_iter().flatten().next();
        let Some((process, region, cause)) = failed else { return Ok(()) };
        if self.process() == 0 {
            // What is left of it does no harm, and may take the space that is missing.
            let _ = fs::remove_dir_all(&part);
        }
        let error = Error::new(
            ErrorKind::Snapshot,
            cause,
            "free space or name another folder; the run can go on",
        )
        .of_process(process);
        Err(region.map_or(error.clone(), |region| error.of_region(region)))
    }

    /// Returns to the newest complete snapshot of the folder, and returns its tick; `None` if there is none. Call it
    /// before anything else, in all processes together. Their number may be another than that of the snapshot.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Snapshot`] with the region whose file is missing, damaged, or of another run or world, and
    /// [`ErrorKind::Options`] if there are more processes than regions. The plane is as it was.
    pub fn restore(&mut self, folder: impl AsRef<Path>) -> Result<Option<u64>, Error> {
        let folder = folder.as_ref();
        let read = self.read(folder);
        let told = self.tell(read.as_ref().map(|_| ()).map_err(ToString::to_string))?;
        // Every process goes back, or none.
        let failed =
            told.into_iter().enumerate().find_map(|(process, read)| Some((process, read.err()?)));
        let read = match (read, failed) {
            (Err(error), _) => return Err(error),
            (Ok(_), Some((process, cause))) => {
                let help = "see the error of that process";
                return Err(Error::new(ErrorKind::Snapshot, cause, help).of_process(process));
            }
            (Ok(read), None) => read,
        };
        let Some((partition, regions, inserted, ticks)) = read else { return Ok(None) };
        self.take(partition, regions, inserted, ticks);
        Ok(Some(self.ticks))
    }

    fn read(&self, folder: &Path) -> Result<Option<Restored<D>>, Error> {
        let listed = snapshots(folder).map_err(|error| {
            Error::new(
                ErrorKind::Snapshot,
                refusal(folder, &error),
                "name a folder that can be read",
            )
        })?;
        let Some(newest) = listed.last() else { return Ok(None) };
        let mut wanted = self.header();
        let path = newest.join("complete");
        let (header, bytes) = read(&path, &wanted)?;
        let complete: Complete = postcard::from_bytes(&bytes).map_err(|error| {
            Error::new(
                ErrorKind::Snapshot,
                format!("{} cannot be read: {error}", path.display()),
                OLDER,
            )
        })?;
        wanted.tick = header.tick;
        let partition = complete.partition.with_processes(self.processes() as u16);
        let count = partition.leaves().count();
        if count < self.processes() {
            let cause =
                format!("the snapshot has {count} regions for {} processes", self.processes());
            let help = "restore it with at most as many processes as it has regions";
            return Err(Error::new(ErrorKind::Options, cause, help));
        }
        let here = self.process();
        let mut regions = Vec::new();
        for leaf in partition.leaves().filter(|leaf| usize::from(leaf.process) == here) {
            let path = newest.join(format!("region-{}", leaf.region));
            let of_region = |error: Error| error.of_region(leaf.region);
            let (header, bytes) = read(&path, &wanted).map_err(of_region)?;
            let region = Region::load_saved(&bytes, &self.template).map_err(of_region)?;
            if header.tick != wanted.tick || region.id != leaf.region || region.rect != leaf.rect {
                let cause =
                    format!("{} is region {} of tick {}", path.display(), region.id, header.tick);
                return Err(Error::new(ErrorKind::Snapshot, cause, OLDER).of_region(leaf.region));
            }
            regions.push(region);
        }
        let mut inserted = complete.inserted;
        inserted.resize(inserted.len().max(self.processes()), 0);
        Ok(Some((partition, regions, inserted, header.tick)))
    }

    fn header(&self) -> Header {
        let [world, _] = self.options.hashes(&self.template);
        Header { version: VERSION, run: self.options.run, world, tick: self.ticks }
    }

    /// Returns a hash of the colliders with their ids and data, and of the touching pairs: equal for equal states,
    /// however the plane is divided. A call of all processes together.
    ///
    /// # Errors
    /// Returns the errors of [`tick`](Self::tick).
    pub fn state_hash(&mut self) -> Result<u64, Error> {
        let packed = |error: postcard::Error| {
            Error::new(
                ErrorKind::Call,
                format!("data cannot be packed: {error}"),
                "use data that serde can write",
            )
        };
        let mut sum = 0_u64;
        for collider in self.iter() {
            sum = sum.wrapping_add(xxh3_64(&postcard::to_stdvec(&collider).map_err(packed)?));
        }
        for pair in self.touching() {
            sum = sum.wrapping_add(xxh3_64(&postcard::to_stdvec(&pair).map_err(packed)?));
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

/// What a snapshot holds for one process, with the colliders that each process has inserted, and the tick.
type Restored<D> = (Partition, Vec<Region<D>>, Vec<u64>, u64);

const OLDER: &str =
    "remove this snapshot to restore the one before, or name the folder of this run";

/// Returns the complete snapshots, the newest last.
fn snapshots(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_snapshot = path.extension().is_none()
            && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("tick-"));
        if is_snapshot {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn refusal(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn write(path: &Path, header: &Header, payload: &[u8]) -> std::io::Result<()> {
    let mut packed = postcard::to_stdvec(header).map_err(std::io::Error::other)?;
    packed.extend_from_slice(payload);
    let mut file = File::create(path)?;
    file.write_all(MAGIC)?;
    file.write_all(&xxh3_64(&packed).to_le_bytes())?;
    file.write_all(&packed)?;
    file.sync_all()
}

fn read(path: &Path, wanted: &Header) -> Result<(Header, Vec<u8>), Error> {
    let refused =
        |cause| Error::new(ErrorKind::Snapshot, format!("{}: {cause}", path.display()), OLDER);
    let bytes = fs::read(path).map_err(|error| refused(error.to_string()))?;
    let packed = bytes
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.split_first_chunk::<8>())
        .ok_or_else(|| refused("no file of a snapshot of a plane".into()))?;
    if xxh3_64(packed.1).to_le_bytes() != *packed.0 {
        return Err(refused("the file is damaged".into()));
    }
    let (header, payload) = postcard::take_from_bytes::<Header>(packed.1)
        .map_err(|error| refused(format!("the file cannot be read: {error}")))?;
    let differs = [
        ("version", u64::from(header.version), u64::from(wanted.version)),
        ("run", header.run, wanted.run),
        ("hash of the world", header.world, wanted.world),
    ];
    if let Some((name, found, expected)) =
        differs.iter().find(|(_, found, expected)| found != expected)
    {
        return Err(refused(format!(
            "its {name} is {found}, and that of this plane is {expected}"
        )));
    }
    Ok((header, payload.to_vec()))
}
