//! Snapshots of a plane: a file for each region, and one that tells that they are complete.

use crate::error::{Error, ErrorKind};
use crate::message::{pack, unpack};
use crate::network::{Network, Purpose};
use crate::options::Options;
use crate::partition::Partition;
use crate::plane::{Data, Plane};
use crate::region::Region;
use hitmask::World;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{array, thread};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 16] = b"hitmask regions\n";
const VERSION: u32 = 1;
/// Snapshots that are kept: an older one serves if the machine stops during the newest.
const KEPT: usize = 2;
/// Time after which a process asks again to come.
const ASK_AGAIN: Duration = Duration::from_millis(50);

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
    margin: i32,
    /// The number of the last round before the processes were told that it is complete.
    round: u64,
    /// The processes that were told.
    told: Vec<u16>,
    roster: Roster,
}

/// The processes of a plane from a snapshot on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Roster {
    members: Vec<u16>,
    /// Those that have regions. The others leave at the next snapshot.
    owners: Vec<u16>,
    has_changed: bool,
}

/// What each process tells before a snapshot is complete.
#[derive(Clone, Serialize, Deserialize)]
struct Part {
    written: Result<(), Error>,
    inserted: u64,
    is_leaving: bool,
    /// Processes that ask to come.
    asking: Vec<u16>,
}

impl<D: Data> Plane<D> {
    /// Writes the state of the plane as of the last [`tick`](Self::tick) into a folder that all processes share, and
    /// removes all but the last two snapshots. A call of all processes together.
    ///
    /// Processes come and go here: those that have called [`rejoin`](Self::rejoin) or [`leave`](Self::leave).
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
        let recovers = self.options.recovers;
        let asking = self.mesh.network.iter().flat_map(|network| &network.asking);
        let asking = asking.map(|&process| process as u16).filter(|_| recovers).collect();
        let (inserted, is_leaving) = (self.inserted[process], self.is_leaving);
        let told = self.mesh.tell(Part { written, inserted, is_leaving, asking })?;
        for (&member, part) in self.mesh.members.iter().zip(&told) {
            self.inserted[usize::from(member)] = part.inserted;
        }
        let roster = self.roster(&told);
        let mut written: Result<(), Error> = told.into_iter().try_for_each(|part| part.written);
        let is_first = process == usize::from(self.mesh.members[0]);
        if is_first && written.is_ok() {
            written = self.complete(folder, &part, &header, &roster);
        }
        // The other processes wait until the snapshot is whole.
        let written = self.told(written.map(|()| roster));
        if is_first && written.is_err() {
            // What is left of it does no harm, and may take the space that is missing.
            let _ = fs::remove_dir_all(&part);
        }
        self.begin_journal(folder, written?)
    }

    /// Returns who takes part from this snapshot on. Those that leave have given their regions away at the next one.
    fn roster(&self, told: &[Part]) -> Roster {
        let mut members = self.mesh.members.clone();
        let mut owners = self.partition.owners.clone();
        members.retain(|process| owners.contains(process));
        owners.retain(|process| {
            let part = self.mesh.members.binary_search(process).ok().map(|i| &told[i]);
            part.is_none_or(|part| !part.is_leaving)
        });
        if owners.is_empty() {
            owners.extend(members.first());
        }
        for list in [&mut members, &mut owners] {
            list.extend(told.iter().flat_map(|part| &part.asking));
            list.sort_unstable();
            list.dedup();
        }
        let has_changed = owners != self.partition.owners;
        Roster { members, owners, has_changed }
    }

    /// Tells the processes that a snapshot is complete. What the first one tells counts, because it has written it.
    fn told(&mut self, written: Result<Roster, Error>) -> Result<Roster, Error> {
        let mut told = self.mesh.tell(written)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(told.swap_remove(0))
    }

    /// Takes the processes of a snapshot, which is the newest one from now on.
    fn begin_journal(&mut self, folder: &Path, roster: Roster) -> Result<(), Error> {
        self.saved = Some(self.ticks);
        self.has_new_owners |= roster.has_changed;
        let beside = self.mesh.beside();
        self.mesh.members = roster.members;
        self.partition.owners = roster.owners;
        let members = &self.mesh.members;
        if let Some(network) = self.mesh.network.as_mut().filter(|_| self.options.recovers) {
            network.retain(|process| members.contains(&(process as u16)));
            // A process may have to be told again that the snapshot is complete.
            network.recover_from(network.round);
            if members.binary_search(&self.mesh.process).is_err() {
                network.linger(&beside);
            } else {
                self.journal = Some(Journal::open(folder, self.ticks, self.mesh.process)?);
            }
        }
        Ok(())
    }

    /// Returns what `live` returns, such as what players have sent. With [`Options::recovers`](crate::Options) it is
    /// written beside the newest snapshot first, and a process that plays ticks again gets what was written.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Snapshot`] if the inputs cannot be written or read.
    pub fn inputs<I: Serialize + DeserializeOwned>(
        &mut self,
        live: impl FnOnce() -> I,
    ) -> Result<I, Error> {
        let Some(journal) = &mut self.journal else { return Ok(live()) };
        if let Some(bytes) = journal.again.pop_front() {
            return unpack(self.mesh.process.into(), &bytes);
        }
        let inputs = live();
        journal.write(&pack(&inputs)?)?;
        Ok(inputs)
    }

    /// Gives the regions of this process to the others. Call [`tick`](Self::tick) and [`save`](Self::save) until
    /// [`has_left`](Self::has_left), which is after two snapshots.
    pub const fn leave(&mut self) {
        self.is_leaving = true;
    }

    /// Returns whether this process takes part no more, so that its plane can be dropped.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.mesh.members.binary_search(&self.mesh.process).is_err()
    }

    /// Takes the place of a process that was lost, or comes as one of the spare ones. Returns the plane as of the
    /// newest snapshot. The game plays the ticks since then again, with the same calls as at the first time. The other
    /// processes wait for it where they need it, and lose no tick. A spare process waits for a snapshot that names it.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Options`] without [`Options::recovers`](crate::Options), [`ErrorKind::Snapshot`] if the
    /// newest snapshot is damaged, and [`ErrorKind::Lost`] if none names this process within the limit.
    pub fn rejoin(
        hosts: &[String],
        process: usize,
        template: World,
        options: Options,
        folder: impl AsRef<Path>,
    ) -> Result<Self, Error> {
        let folder = folder.as_ref();
        if !options.recovers {
            let cause = "a process comes into a run that does not recover";
            let help = "set Options::recovers in every process, or start all processes again";
            return Err(Error::new(ErrorKind::Options, cause, help).of_process(process));
        }
        let here = process as u16;
        let start = Instant::now();
        let members = vec![here];
        let mut plane = Self::over(None, template, options, members)?;
        plane.mesh.process = here;
        let (tick, complete) = loop {
            let listed = snapshots(folder).map_err(|error| refusal(folder, &error, SHARED))?;
            if let Some(&tick) = listed.last() {
                let complete = plane.read_complete(folder, tick)?;
                if complete.roster.members.contains(&here) {
                    break (tick, complete);
                }
            }
            if start.elapsed() > plane.options.limit {
                let cause = format!("{} has no snapshot that names it", folder.display());
                let help = "let the run save snapshots, or raise the time limit";
                return Err(Error::new(ErrorKind::Lost, cause, help).of_process(process));
            }
            let hello = plane.options.hello(&plane.template, Purpose::Come);
            Network::ask_to_come(hosts, process, hello, plane.options.limit);
            thread::sleep(ASK_AGAIN);
        };
        let Complete { partition, inserted, margin, round, told, roster } = complete;
        let regions = plane.read_regions(folder, tick, &partition)?;
        let is_told = told.contains(&here);
        let round = if is_told { round } else { round + 1 };
        let hello = plane.options.hello(&plane.template, Purpose::Resume);
        let mut network = Network::open(hosts, process, hello, round, plane.options.limit)?;
        network.recovers = true;
        plane.mesh.network = Some(network);
        (plane.mesh.members, plane.margin) = (told, margin);
        plane.take(partition, regions, inserted, tick);
        // Those that wait for it to hear of the snapshot do so no more.
        let roster = if is_told { plane.told(Ok(roster))? } else { roster };
        plane.begin_journal(folder, roster)?;
        Ok(plane)
    }

    /// Completes a snapshot whose regions are written, and removes older ones.
    fn complete(
        &self,
        folder: &Path,
        part: &Path,
        header: &Header,
        roster: &Roster,
    ) -> Result<(), Error> {
        for leaf in self.partition.leaves() {
            let path = part.join(format!("region-{}", leaf.region));
            fs::metadata(&path).map_err(|error| {
                let error = refusal(&path, &error, SHARED).of_region(leaf.region);
                error.of_process(leaf.process.into())
            })?;
        }
        let complete = Complete {
            partition: self.partition.clone(),
            inserted: self.inserted.clone(),
            margin: self.margin,
            round: self.mesh.network.as_ref().map_or(0, |network| network.round),
            told: self.mesh.members.clone(),
            roster: roster.clone(),
        };
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
            .map_err(|error| refusal(&path, &error, FREE).of_process(self.process()))
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
        let listed = self.mesh.tell(listed)?.into_iter().collect::<Result<Vec<_>, _>>()?;
        let ticks: BTreeSet<u64> = listed.into_iter().flatten().collect();
        let mut skipped = Vec::new();
        for &tick in ticks.iter().rev() {
            let read = self.read(folder, tick).map_err(|error| error.of_process(process));
            // Every process takes the snapshot, or none.
            let mut faults = self.mesh.tell(read.as_ref().err().cloned())?.into_iter().flatten();
            match (faults.next(), read) {
                (Some(error), _) if error.kind == ErrorKind::Snapshot => skipped.push(error),
                (Some(error), _) | (None, Err(error)) => return Err(error),
                (None, Ok((Complete { partition, inserted, margin, .. }, regions))) => {
                    for path in ticks.range(tick + 1..).map(|&tick| snapshot(folder, tick)) {
                        if process == usize::from(self.mesh.members[0]) {
                            // One that keeps its name is skipped again.
                            let _ = fs::rename(&path, path.with_extension("damaged"));
                        }
                    }
                    self.margin = margin;
                    self.take(partition, regions, inserted, tick);
                    self.saved = Some(tick);
                    return Ok(Some(Restored { tick, skipped }));
                }
            }
        }
        skipped.into_iter().next().map_or(Ok(None), Err)
    }

    /// Reads the regions of this process from a snapshot that other processes may have saved.
    fn read(&self, folder: &Path, tick: u64) -> Result<(Complete, Vec<Region<D>>), Error> {
        let mut complete = self.read_complete(folder, tick)?;
        let members = &self.mesh.members;
        complete.partition = complete.partition.with_owners(members.clone());
        let count = complete.partition.leaves().count();
        if count < members.len() {
            let cause = format!("the snapshot has {count} regions for {} processes", members.len());
            let help = "restore it with at most as many processes as it has regions";
            return Err(Error::new(ErrorKind::Options, cause, help));
        }
        let regions = self.read_regions(folder, tick, &complete.partition)?;
        complete.inserted.resize(complete.inserted.len().max(self.inserted.len()), 0);
        Ok((complete, regions))
    }

    fn read_complete(&self, folder: &Path, tick: u64) -> Result<Complete, Error> {
        let path = snapshot(folder, tick).join("complete");
        let bytes = read(&path, &self.header(tick))?;
        postcard::from_bytes(&bytes).map_err(|error| damage(&path, error))
    }

    fn read_regions(
        &self,
        folder: &Path,
        tick: u64,
        partition: &Partition,
    ) -> Result<Vec<Region<D>>, Error> {
        let (folder, wanted) = (snapshot(folder, tick), self.header(tick));
        let leaves = partition.leaves().filter(|leaf| leaf.process == self.mesh.process);
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
        regions.collect()
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
        Ok(self.mesh.sum(sum, u64::wrapping_add)?.wrapping_add(self.ticks))
    }
}

/// The inputs of a process since a snapshot: a length, a checksum and the bytes of each.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Those of ticks that are played again.
    again: VecDeque<Vec<u8>>,
}

impl Journal {
    /// Reads what was written since a snapshot, and goes on after it.
    fn open(folder: &Path, tick: u64, process: u16) -> Result<Self, Error> {
        let path = snapshot(folder, tick).join(format!("inputs-{process}"));
        let refused = |error| refusal(&path, &error, FREE).of_process(process.into());
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(refused)?,
        };
        let (mut again, mut rest, mut whole) = (VecDeque::new(), &bytes[..], 0);
        while let Some((head, more)) = rest.split_first_chunk::<16>() {
            let number = |at| u64::from_le_bytes(array::from_fn(|i| head[at + i]));
            // A process may have ended while it wrote the last ones, which the game has not seen.
            let Some((inputs, more)) = more.split_at_checked(number(0) as usize) else { break };
            if xxh3_64(inputs) != number(8) {
                break;
            }
            again.push_back(inputs.to_vec());
            rest = more;
            whole = bytes.len() - rest.len();
        }
        let file = File::options().create(true).append(true).open(&path).map_err(refused)?;
        file.set_len(whole as u64).map_err(refused)?;
        Ok(Self { path, file, again })
    }

    fn write(&mut self, inputs: &[u8]) -> Result<(), Error> {
        let mut bytes = (inputs.len() as u64).to_le_bytes().to_vec();
        bytes.extend(xxh3_64(inputs).to_le_bytes());
        bytes.extend(inputs);
        self.file.write_all(&bytes).map_err(|error| refusal(&self.path, &error, FREE))
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
