//! [`Network`]: frames between this process and those that it exchanges with, over TCP.
//!
//! A connection begins when a process first sends to the other one or waits for it: the process of higher index
//! calls. Wire format of one direction:
//! 1. A hello of 96 bytes ([`Hello`]). The process that is called answers that of the caller.
//! 2. Frames: 4 little-endian `u64` (kind, round, length, checksum) and the bytes. The last one is a goodbye.
//!
//! A process sends at most one parcel a round to another one, so the round orders and identifies the parcels. If
//! [`Network::recovers`] is set, each process keeps what it has sent since the last snapshot. A process that was lost
//! and plays these ticks again gets the parcels again, and what it sends twice is dropped.

mod meet;
#[cfg(test)]
mod tests;

pub(crate) use meet::{Hello, Purpose};

use crate::error::{Error, ErrorKind};
use meet::{Door, Met, SAME_HOSTS};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{array, thread};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Time for the other processes to take the last bytes of this one, and to tell which process is at fault.
const GRACE: Duration = Duration::from_secs(1);
/// Time between 2 attempts to connect.
const REDIAL: Duration = Duration::from_millis(20);
const SAME_PROGRAM: &str = "run the same build of the program in every process";
/// Largest size of a parcel.
pub(crate) const MAX_PARCEL_BYTES: usize = 1 << 30;
const HEAD_BYTES: usize = 32;

/// The kinds of frames.
const PARCEL: u64 = 0;
/// The sender leaves. The bytes are the error that ends its run, if there is one.
const GOODBYE: u64 = 1;
/// The sender has waited for long. The round is the index of the process that it waits for.
const WAITS: u64 = 2;

/// What happens on other threads.
enum Event {
    /// Two processes have greeted each other.
    Met(Met),
    /// A connection has not greeted.
    Foreign,
    /// A process could not be called.
    Missed(usize, io::Error),
    /// A frame of a connection.
    Frame { connection: u64, kind: u64, round: u64, bytes: Vec<u8> },
    /// The end of a connection.
    Ended(u64, Error),
}

/// Another process.
struct Peer {
    /// The connection and its number.
    connection: Option<(u64, TcpStream)>,
    /// The frames of the parcels that may be needed again, by round.
    sent: VecDeque<(u64, Vec<u8>)>,
    /// The first round whose parcel the process has not got.
    wants: u64,
    /// Parcels by round.
    inbox: VecDeque<(u64, Vec<u8>)>,
    /// Parcels of earlier rounds have come.
    next: u64,
    /// Why there is no connection.
    state: String,
    /// Whether there has been a connection.
    has_met: bool,
    /// Parcels of earlier rounds are not kept.
    dropped: u64,
    /// When to call, unless a call is under way.
    call_at: Option<Instant>,
    /// The process that it waits for.
    waits_for: Option<usize>,
    /// Why no connection will come.
    gone: Option<Error>,
}

/// The connections of a process.
pub(crate) struct Network {
    process: usize,
    hosts: Vec<String>,
    hello: Hello,
    limit: Duration,
    /// Number of the present round: equal in all processes that take part in it.
    pub(crate) round: u64,
    /// Whether parcels are kept.
    pub(crate) recovers: bool,
    /// Whether there is a snapshot from which a lost process can resume, so that it is waited for.
    is_saved: bool,
    /// The first round whose parcels are kept.
    kept: u64,
    peers: BTreeMap<usize, Peer>,
    connections: u64,
    /// The process of each open connection.
    open: BTreeMap<u64, usize>,
    /// Processes that ask to come.
    pub(crate) asking: BTreeSet<usize>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// A fault that ends the run, once a process is waited for.
    fault: Option<Error>,
    /// The round in which this process breaks down, for tests.
    pub(crate) breaks_at: u64,
    failed: Option<Error>,
    door: Door,
    foreign: usize,
}

impl Network {
    /// Opens the address of process number `process` of `hosts`, which has one `"host:port"` per process. `round` is
    /// the first round of this process. `limit` bounds every wait.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Options`] if `process` is out of range or its address cannot be bound.
    pub(crate) fn open(
        hosts: &[String],
        process: usize,
        hello: Hello,
        round: u64,
        limit: Duration,
    ) -> Result<Self, Error> {
        let Some(host) = hosts.get(process) else {
            let cause = format!("process index {process} is out of range: {} hosts", hosts.len());
            return Err(Error::new(ErrorKind::Options, cause, SAME_HOSTS));
        };
        let (sender, events) = channel();
        let door = Door::open(host, sender.clone()).map_err(|error| error.of_process(process))?;
        Ok(Self {
            process,
            hosts: hosts.to_vec(),
            hello,
            limit,
            round,
            recovers: false,
            is_saved: false,
            kept: round + 1,
            peers: BTreeMap::new(),
            connections: 0,
            open: BTreeMap::new(),
            asking: BTreeSet::new(),
            events,
            sender,
            fault: None,
            breaks_at: u64::MAX,
            failed: None,
            door,
            foreign: 0,
        })
    }

    pub(crate) const fn process(&self) -> usize {
        self.process
    }

    /// Returns the number of hosts, also of processes that do not take part.
    pub(crate) fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Keeps parcels from the present round on, and waits for lost processes from now on.
    pub(crate) fn recover_from(&mut self, round: u64) {
        (self.recovers, self.is_saved) = (true, true);
        self.kept = round;
        for peer in self.peers.values_mut() {
            let kept = peer.sent.partition_point(|(of, _)| *of < round);
            if peer.has_met {
                peer.sent.drain(..kept);
                peer.dropped = round;
            }
        }
    }

    /// Says goodbye to all but these processes.
    pub(crate) fn retain(&mut self, is_member: impl Fn(usize) -> bool) {
        let goodbye = goodbye(None);
        for (_, peer) in self.peers.iter_mut().filter(|(process, _)| !is_member(**process)) {
            peer.write(&goodbye);
        }
        self.peers.retain(|&process, _| is_member(process));
        self.open.retain(|_, process| is_member(*process));
        self.asking.retain(|&process| !is_member(process));
    }

    /// Waits until these processes have said goodbye. One that is lost before has its parcels again.
    pub(crate) fn linger(&mut self, processes: &[usize]) {
        let start = Instant::now();
        while processes.iter().any(|&process| self.peer(process).gone.is_none())
            && start.elapsed() < self.limit
        {
            self.call_missing();
            self.pump(REDIAL);
        }
    }

    fn peer(&mut self, process: usize) -> &mut Peer {
        let next = self.kept.min(self.round);
        self.peers.entry(process).or_insert_with(|| Peer {
            connection: None,
            sent: VecDeque::new(),
            wants: 0,
            inbox: VecDeque::new(),
            next,
            state: "did not connect".into(),
            has_met: false,
            dropped: 0,
            call_at: Some(Instant::now()),
            waits_for: None,
            gone: None,
        })
    }

    /// Sends the parcel of this round to a process.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Call`] for a parcel above the limit.
    pub(crate) fn send(&mut self, process: usize, bytes: &[u8]) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if bytes.len() > MAX_PARCEL_BYTES {
            let cause = format!(
                "a parcel of {} bytes is above the limit of {MAX_PARCEL_BYTES}",
                bytes.len()
            );
            let help = "move fewer colliders in one step, or use more regions";
            return Err(Error::new(ErrorKind::Call, cause, help).of_process(process));
        }
        let (round, recovers) = (self.round, self.recovers);
        if round >= self.breaks_at {
            self.abandon();
            let error = Error::new(ErrorKind::Lost, "it breaks down for a test", "let it resume");
            self.failed = Some(error.clone().of_process(self.process));
            return Err(error.of_process(self.process));
        }
        let bytes = frame(PARCEL, round, bytes);
        let peer = self.peer(process);
        let is_open = peer.connection.is_some();
        if is_open && round >= peer.wants {
            peer.write(&bytes);
        }
        if recovers || !is_open {
            peer.sent.push_back((round, bytes));
        }
        self.call_missing();
        Ok(())
    }

    /// Waits for the parcel of this round from a process.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Lost`], [`ErrorKind::Garbage`] or [`ErrorKind::Mismatch`] with the process at fault. The
    /// other processes learn of it, and all later calls return it.
    pub(crate) fn receive(&mut self, process: usize) -> Result<Vec<u8>, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.peer(process).waits_for = None;
        self.wait_for(process).inspect_err(|error| self.fail(error))
    }

    fn wait_for(&mut self, process: usize) -> Result<Vec<u8>, Error> {
        let (start, round) = (Instant::now(), self.round);
        let mut told = None;
        loop {
            let peer = self.peer(process);
            if let Some((found, bytes)) = peer.inbox.pop_front() {
                if found == round {
                    return Ok(bytes);
                }
                let cause = format!("a parcel is of round {found} instead of {round}");
                return Err(Error::new(ErrorKind::Garbage, cause, SAME_PROGRAM).of_process(process));
            }
            if let Some(error) = peer.gone.clone().or_else(|| self.fault.clone()) {
                return Err(error);
            }
            let is_saved = self.is_saved || !self.recovers;
            let peer = self.peer(process);
            if !is_saved && peer.has_met && peer.connection.is_none() {
                let cause = format!("{}, before the first snapshot", peer.state);
                let help = "start all processes again";
                return Err(Error::new(ErrorKind::Lost, cause, help).of_process(process));
            }
            let (is_open, culprit) = (peer.connection.is_some(), peer.waits_for.unwrap_or(process));
            self.call_missing();
            let elapsed = start.elapsed();
            if elapsed > self.limit / 2 && told != Some(culprit) {
                // The processes that wait for this one learn which process is at fault.
                told = Some(culprit);
                let notice = frame(WAITS, culprit as u64, &[]);
                self.peers.values_mut().for_each(|peer| peer.write(&notice));
            }
            // A process that is connected may be about to tell which other one is missing.
            let limit = if is_open { self.limit + GRACE.min(self.limit) } else { self.limit };
            let Some(rest) = limit.checked_sub(elapsed) else {
                return Err(self.silent(culprit));
            };
            self.pump(rest.min(if is_open { self.limit / 4 } else { REDIAL }));
        }
    }

    /// Returns the error of a process that has not answered.
    fn silent(&mut self, process: usize) -> Error {
        let (limit, round, foreign) = (self.limit.as_secs_f64(), self.round, self.foreign);
        let host = self.hosts[process].clone();
        let peer = self.peer(process);
        let (cause, help) = if peer.connection.is_some() {
            let cause = format!("it sent no parcel of round {round} within {limit:.1} s");
            (cause, "look why the process hangs, or raise the time limit")
        } else if peer.has_met {
            let cause = format!("no process took its place within {limit:.1} s: {}", peer.state);
            (cause, "start the process again with the purpose to resume, or start all processes")
        } else {
            let cause = format!(
                "missing at {host} after {limit:.1} s: {}; {foreign} foreign connections were dropped",
                peer.state
            );
            (
                cause,
                "start every process within the time limit, and check the hosts and the firewall",
            )
        };
        Error::new(ErrorKind::Lost, cause, help).of_process(process)
    }

    /// Handles what has happened, or what happens within a time.
    fn pump(&mut self, within: Duration) {
        let mut next = self.events.recv_timeout(within).ok();
        while let Some(event) = next {
            if let Err(error) = self.handle(event) {
                self.fault.get_or_insert(error);
            }
            next = self.events.try_recv().ok();
        }
    }

    fn handle(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Missed(process, error) => {
                let peer = self.peer(process);
                peer.state = error.to_string();
                peer.call_at = Some(Instant::now() + REDIAL);
            }
            Event::Foreign => self.foreign += 1,
            Event::Met(met) => return self.meet(met),
            Event::Frame { connection, kind, round, bytes } => {
                let Some(&process) = self.open.get(&connection) else { return Ok(()) };
                let peer = self.peer(process);
                match kind {
                    PARCEL if round >= peer.next => {
                        peer.next = round + 1;
                        peer.inbox.push_back((round, bytes));
                    }
                    // A process that was lost sends it again.
                    PARCEL => {}
                    WAITS => peer.waits_for = Some(round as usize),
                    _ => {
                        let error: Option<Error> = postcard::from_bytes(&bytes).unwrap_or_default();
                        peer.connection = None;
                        self.open.remove(&connection);
                        if let Some(error) = error {
                            return Err(error);
                        }
                        let help = "look at the output of the process: it ended early";
                        let error = Error::new(ErrorKind::Lost, "it left the run", help);
                        self.peer(process).gone = Some(error.of_process(process));
                    }
                }
            }
            Event::Ended(connection, error) => {
                let Some(process) = self.open.remove(&connection) else { return Ok(()) };
                let waits = self.recovers && error.kind == ErrorKind::Lost;
                let error = error.of_process(process);
                let peer = self.peer(process);
                peer.connection = None;
                if !waits {
                    return Err(error);
                }
                peer.state = error.to_string();
                peer.call_at = Some(Instant::now());
            }
        }
        Ok(())
    }

    /// Takes a connection whose other end has greeted, or refuses it.
    fn meet(&mut self, Met { mut socket, hello, called }: Met) -> Result<(), Error> {
        let other = called.unwrap_or(hello.process());
        if let Some(error) = hello.difference(&self.encoded(0), called) {
            self.foreign += 1;
            if called.is_none() {
                let _ = socket.write_all(&self.encoded(0).0);
            }
            if called.is_some() && hello.process() == self.process {
                return Err(error.of_process(other));
            }
            // A stranger does not disturb a process that runs.
            if other < self.hosts.len() && !self.peer(other).has_met {
                self.peer(other).gone = Some(error.of_process(other));
            }
            return Ok(());
        }
        let may_call = self.process < other && other < self.hosts.len();
        let is_known = self.peers.get(&other).is_some_and(|peer| peer.connection.is_some());
        let is_asking = hello.is_for(Purpose::Come);
        let is_new = (called.is_some() || may_call) && (!is_known || hello.is_for(Purpose::Resume));
        let resume = if is_new && !is_asking { self.peer(other).next } else { 0 };
        if called.is_none() {
            let mut answer = self.encoded(resume);
            if !is_asking && (is_known && !is_new || other == self.process) {
                // It learns that another process has its index.
                answer.copy_process(&hello);
            }
            let _ = socket.write_all(&answer.0);
        }
        if is_asking {
            self.asking.extend(Some(other).filter(|&other| other < self.hosts.len()));
        } else if !is_new {
            self.foreign += 1;
        } else if hello.resume() < self.peer(other).dropped {
            let (wants, kept) = (hello.resume(), self.kept);
            let cause = format!("it asks for round {wants}, and parcels are kept from {kept} on");
            let help = "let it resume from the newest snapshot, or start all processes again";
            let error = Error::new(ErrorKind::Snapshot, cause, help).of_process(other);
            let _ = socket.write_all(&goodbye(Some(&error)));
            // A connection that is closed before all of it is read may lose what was sent.
            thread::spawn(move || {
                let _ = socket.shutdown(Shutdown::Write);
                let _ = socket.set_read_timeout(Some(GRACE));
                io::copy(&mut socket, &mut io::sink())
            });
        } else {
            self.adopt(other, socket, hello.resume());
        }
        Ok(())
    }

    fn adopt(&mut self, process: usize, socket: TcpStream, wants: u64) {
        self.connections += 1;
        let (number, sender, recovers) = (self.connections, self.sender.clone(), self.recovers);
        let _ = socket.set_write_timeout(Some(self.limit));
        let peer = self.peer(process);
        let ready = socket.set_nodelay(true).and_then(|()| socket.try_clone());
        let reader = match ready {
            Ok(reader) => reader,
            Err(error) => {
                peer.state = error.to_string();
                peer.call_at = Some(Instant::now() + REDIAL);
                return;
            }
        };
        thread::spawn(move || read_frames(reader, number, &sender));
        if let Some((old, socket)) = peer.connection.replace((number, socket)) {
            let _ = socket.shutdown(Shutdown::Both);
            self.open.remove(&old);
        }
        let peer = self.peer(process);
        (peer.wants, peer.has_met, peer.gone) = (wants, true, None);
        for (round, bytes) in std::mem::take(&mut peer.sent) {
            if round >= wants {
                peer.write(&bytes);
            }
            if recovers {
                peer.sent.push_back((round, bytes));
            }
        }
        self.open.insert(number, process);
    }

    /// Calls the processes of lower index to which there is no connection.
    fn call_missing(&mut self) {
        let now = Instant::now();
        let lower: Vec<usize> =
            self.peers.range(..self.process).map(|(&process, _)| process).collect();
        for process in lower {
            let peer = self.peer(process);
            if peer.connection.is_none()
                && peer.gone.is_none()
                && peer.call_at.is_some_and(|at| at <= now)
            {
                peer.call_at = None;
                let resume = peer.next;
                self.call(process, resume);
            }
        }
    }

    fn call(&self, process: usize, resume: u64) {
        let (host, sender, hello) =
            (self.hosts[process].clone(), self.sender.clone(), self.encoded(resume));
        let limit = GRACE.min(self.limit);
        thread::spawn(move || {
            let event = meet::call(&host, &hello, limit)
                .map(|(socket, hello)| Event::Met(Met { socket, hello, called: Some(process) }))
                .unwrap_or_else(|error| Event::Missed(process, error));
            let _ = sender.send(event);
        });
    }

    /// Asks the other processes to take one among them.
    pub(crate) fn ask_to_come(hosts: &[String], process: usize, hello: Hello, limit: Duration) {
        let mine = hello.encode(hosts.len(), process, 0);
        for (_, host) in hosts.iter().enumerate().filter(|(other, _)| *other != process) {
            let _ = meet::call(host, &mine, GRACE.min(limit));
        }
    }

    fn encoded(&self, resume: u64) -> meet::Encoded {
        self.hello.encode(self.hosts.len(), self.process, resume)
    }

    /// Ends the run of this process, and tells the others why.
    fn fail(&mut self, error: &Error) {
        self.failed = Some(error.clone());
        if self.is_saved && error.kind == ErrorKind::Mismatch {
            // Another process has taken the place of this one, and goes on with the others.
            self.abandon();
        } else {
            self.say_goodbye(Some(error));
        }
    }

    fn say_goodbye(&mut self, error: Option<&Error>) {
        let goodbye = goodbye(error);
        for peer in self.peers.values_mut() {
            if error.is_some()
                && let Some((_, socket)) = &peer.connection
            {
                // A process that takes no bytes delays nobody.
                let _ = socket.set_write_timeout(Some(REDIAL));
            }
            peer.write(&goodbye);
            if let Some((_, socket)) = &peer.connection {
                let _ = socket.shutdown(Shutdown::Write);
            }
        }
    }

    /// Closes the connections as a crash would.
    pub(crate) fn abandon(&mut self) {
        for peer in self.peers.values_mut() {
            if let Some((_, socket)) = peer.connection.take() {
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
        self.open.clear();
    }
}

impl Drop for Network {
    /// Says goodbye, and waits until the others have taken what was sent.
    fn drop(&mut self) {
        if thread::panicking() {
            self.abandon();
        } else if self.failed.is_none() {
            self.say_goodbye(None);
        }
        let start = Instant::now();
        while !self.open.is_empty()
            && let Some(rest) = GRACE.min(self.limit).checked_sub(start.elapsed())
            && let Ok(event) = self.events.recv_timeout(rest)
        {
            match event {
                Event::Ended(number, _)
                | Event::Frame { connection: number, kind: GOODBYE, .. } => {
                    self.open.remove(&number);
                }
                _ => {}
            }
        }
        self.abandon();
        self.door.close();
    }
}

impl Peer {
    /// Writes a frame, if there is a connection. Its reading thread notes the end of a connection that fails.
    fn write(&mut self, frame: &[u8]) {
        if let Some((_, socket)) = &mut self.connection
            && socket.write_all(frame).is_err()
        {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

fn goodbye(error: Option<&Error>) -> Vec<u8> {
    frame(GOODBYE, 0, &postcard::to_stdvec(&error).unwrap_or_default())
}

fn frame(kind: u64, round: u64, bytes: &[u8]) -> Vec<u8> {
    let checksum = xxh3_64_with_seed(bytes, kind ^ round.rotate_left(32));
    let mut frame = Vec::with_capacity(HEAD_BYTES + bytes.len());
    for number in [kind, round, bytes.len() as u64, checksum] {
        frame.extend(number.to_le_bytes());
    }
    frame.extend_from_slice(bytes);
    frame
}

/// Reads the frames of a connection until it ends.
fn read_frames(socket: TcpStream, connection: u64, sender: &Sender<Event>) {
    let mut reader = BufReader::new(socket);
    loop {
        let event = match read_frame(&mut reader) {
            Ok((kind, round, bytes)) => Event::Frame { connection, kind, round, bytes },
            Err(error) => Event::Ended(connection, error),
        };
        let is_last = matches!(event, Event::Ended(..) | Event::Frame { kind: GOODBYE, .. });
        if sender.send(event).is_err() || is_last {
            // The other end learns that all has come.
            let _ = reader.get_ref().shutdown(Shutdown::Both);
            break;
        }
    }
}

fn read_frame(reader: &mut impl Read) -> Result<(u64, u64, Vec<u8>), Error> {
    let lost = |error: io::Error| {
        let cause = match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                "it closed its connection in the middle of the run".into()
            }
            _ => format!("its connection failed: {error}"),
        };
        let help =
            "look at the output of this process: it crashed, was killed, or lost its network";
        Error::new(ErrorKind::Lost, cause, help)
    };
    let garbage = |cause| Error::new(ErrorKind::Garbage, cause, SAME_PROGRAM);
    let mut head = [0; HEAD_BYTES];
    reader.read_exact(&mut head).map_err(lost)?;
    let [kind, round, length, checksum]: [u64; 4] =
        array::from_fn(|i| u64::from_le_bytes(array::from_fn(|byte| head[8 * i + byte])));
    if kind > WAITS || length > MAX_PARCEL_BYTES as u64 {
        return Err(garbage(format!("it sent {head:?} as the header of a frame")));
    }
    // A length that is wrong reserves no memory.
    let mut bytes = Vec::with_capacity(length.min(1 << 20) as usize);
    reader.take(length).read_to_end(&mut bytes).map_err(lost)?;
    if (bytes.len() as u64) < length {
        return Err(lost(io::ErrorKind::UnexpectedEof.into()));
    }
    if checksum != xxh3_64_with_seed(&bytes, kind ^ round.rotate_left(32)) {
        return Err(garbage(format!("a frame of {length} bytes has a wrong checksum")));
    }
    Ok((kind, round, bytes))
}
