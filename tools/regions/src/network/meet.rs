//! [`meet`]: connects the processes of a run, each with each.

use super::{GRACE, SAME_HOSTS, SAME_PROGRAM};
use crate::error::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::time::{Duration, Instant};
use std::{array, mem, thread};

/// Time between 2 looks at the listener and at the new connections.
const POLL: Duration = Duration::from_millis(5);
/// Number of accepted connections without a hello that are kept. Processes send their hello at once, so the oldest
/// are foreign. A process that is dropped all the same connects again.
const MAX_CALLERS: usize = 64;

const MAGIC: &[u8; 8] = b"hitmask\n";
const PROTOCOL: u64 = 1;
pub(super) const HELLO_BYTES: usize = 80;
pub(super) const PROCESS: Range<usize> = 24..32;

/// The fields of a hello that are equal in all processes of a run: name, bytes, remedy.
pub(super) const EQUAL_FIELDS: [(&str, Range<usize>, &str); 6] = [
    ("protocol version", 8..16, SAME_PROGRAM),
    ("crate version", 56..80, SAME_PROGRAM),
    ("number of processes", 16..24, SAME_HOSTS),
    ("run id", 32..40, "end the processes of other runs, or choose other ports"),
    ("atlas hash", 40..48, "give every process the same atlas file"),
    ("options hash", 48..56, "give every process the same options"),
];

/// What the processes of one run have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hello {
    /// The id of the run, chosen by the program that starts the processes.
    pub(crate) run: u64,
    /// The hash of the atlas.
    pub(crate) atlas: u64,
    /// The hash of the options of the plane.
    pub(crate) options: u64,
}

impl Hello {
    pub(super) fn encode(self, processes: usize, process: usize) -> [u8; HELLO_BYTES] {
        let Self { run, atlas, options } = self;
        let numbers = [PROTOCOL, processes as u64, process as u64, run, atlas, options];
        let mut bytes = [b' '; HELLO_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        for (field, number) in bytes[8..56].chunks_exact_mut(8).zip(numbers) {
            field.copy_from_slice(&number.to_le_bytes());
        }
        let version = env!("CARGO_PKG_VERSION").bytes();
        bytes[56..].iter_mut().zip(version).for_each(|(to, from)| *to = from);
        bytes
    }
}

/// A connection before its hello is complete.
struct Caller {
    socket: TcpStream,
    /// The process at the address to which this process connected; `None` if the connection was accepted.
    dialled: Option<usize>,
    hello: [u8; HELLO_BYTES],
    read: usize,
}

impl Caller {
    fn new(socket: TcpStream, dialled: Option<usize>) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, dialled, hello: [0; HELLO_BYTES], read: 0 })
    }

    /// Sends a hello, for which the send buffer of a new connection has space.
    fn greet(mut self, hello: &[u8]) -> io::Result<Self> {
        self.socket.write_all(hello)?;
        Ok(self)
    }

    /// Reads what has come. Returns whether the hello is complete.
    fn poll(&mut self) -> io::Result<bool> {
        while self.read < HELLO_BYTES {
            match self.socket.read(&mut self.hello[self.read..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.read += read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            let magic = self.read.min(MAGIC.len());
            if self.hello[..magic] != MAGIC[..magic] {
                return Err(io::Error::other("the answer is no hello of a plane"));
            }
        }
        Ok(self.read == HELLO_BYTES)
    }

    /// Returns the process index in the hello.
    fn process(&self) -> usize {
        u64::from_le_bytes(array::from_fn(|i| self.hello[PROCESS][i])) as usize
    }

    /// Returns the first difference to the hello of this process that rules out a common run.
    fn difference(&self, mine: &[u8]) -> Option<Error> {
        let theirs = &self.hello;
        let differs = |range: &Range<usize>| mine[range.clone()] != theirs[range.clone()];
        let error = |cause, help| Some(Error::new(ErrorKind::Mismatch, cause, help));
        let Some((name, range, help)) = EQUAL_FIELDS.into_iter().find(|(_, it, _)| differs(it))
        else {
            let (found, other) = (self.process(), self.dialled?);
            if mine[PROCESS] == theirs[PROCESS] {
                return error(format!("another process has the index {found} too"), SAME_HOSTS);
            }
            let cause = format!("the process at its address has index {found} instead of {other}");
            return if found == other { None } else { error(cause, SAME_HOSTS) };
        };
        let show = |hello: &[u8]| match hello[range.clone()].try_into() {
            Ok(number) => u64::from_le_bytes(number).to_string(),
            Err(_) => String::from_utf8_lossy(&hello[range.clone()]).trim_end().to_string(),
        };
        error(format!("its {name} is {}, but {} here", show(theirs), show(mine)), help)
    }
}

fn dial(host: &str, limit: Duration) -> io::Result<TcpStream> {
    let mut result = Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
    for address in host.to_socket_addrs()? {
        result = TcpStream::connect_timeout(&address, limit);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Connects this process to every other one: it calls those before it and accepts those after it.
pub(super) fn meet(
    listener: &TcpListener,
    hosts: &[String],
    process: usize,
    mine: &[u8],
    mut limit: Duration,
) -> Result<Vec<Option<TcpStream>>, Error> {
    let start = Instant::now();
    let mut sockets: Vec<_> = hosts.iter().map(|_| None).collect();
    let mut missing: BTreeSet<_> = (0..hosts.len()).filter(|&other| other != process).collect();
    let mut states = vec![String::from("did not connect"); hosts.len()];
    let mut callers = Vec::new();
    let mut dropped = 0;
    let mut refusal = None;
    while !missing.is_empty() && start.elapsed() < limit {
        for _ in 0..MAX_CALLERS {
            let Ok((socket, _)) = listener.accept() else { break };
            callers.extend(Caller::new(socket, None));
        }
        for &other in missing.range(..process) {
            if callers.iter().any(|caller| caller.dialled == Some(other)) {
                continue;
            }
            // The limit of one attempt is short, because the other connections wait for it.
            let Some(rest) = limit.checked_sub(start.elapsed()) else { break };
            let socket = dial(&hosts[other], GRACE.min(rest));
            let caller = socket.and_then(|socket| Caller::new(socket, Some(other))?.greet(mine));
            match caller {
                Ok(caller) => callers.push(caller),
                Err(error) => states[other] = error.to_string(),
            }
        }
        for mut caller in mem::take(&mut callers) {
            match caller.poll() {
                Ok(false) => callers.push(caller),
                Ok(true) => {
                    let other = caller.dialled.unwrap_or(caller.process());
                    let accepted = caller.dialled.is_none();
                    let difference = caller.difference(mine);
                    let is_missing = (!accepted || other > process) && missing.contains(&other);
                    let is_known =
                        other == process || sockets.get(other).is_some_and(Option::is_some);
                    let mut answer = mine.to_vec();
                    if difference.is_none() && !is_missing && is_known {
                        // It learns that another process has its index.
                        answer[PROCESS].copy_from_slice(&caller.hello[PROCESS]);
                    }
                    let caller = if accepted { caller.greet(&answer) } else { Ok(caller) };
                    match (difference, caller) {
                        (Some(error), _) => {
                            // The other processes learn of the difference in the rest of the time.
                            limit = limit.min(start.elapsed() + GRACE);
                            refusal.get_or_insert(error.of_process(other));
                            missing.remove(&other);
                        }
                        (None, Ok(caller)) if is_missing => {
                            missing.remove(&other);
                            sockets[other] = Some(caller.socket);
                        }
                        _ => dropped += 1,
                    }
                }
                Err(error) => match caller.dialled {
                    Some(other) => states[other] = error.to_string(),
                    None => dropped += 1,
                },
            }
        }
        let accepted = callers.iter().filter(|caller| caller.dialled.is_none()).count();
        let mut foreign = accepted.saturating_sub(MAX_CALLERS);
        dropped += foreign;
        callers.retain(|caller| {
            let is_dropped = foreign > 0 && caller.dialled.is_none();
            foreign -= usize::from(is_dropped);
            !is_dropped
        });
        if !missing.is_empty() {
            thread::sleep(POLL);
        }
    }
    if let Some(error) = refusal {
        return Err(error);
    }
    let Some(&first) = missing.first() else { return Ok(sockets) };
    for caller in &callers {
        match caller.dialled {
            Some(other) => states[other] = "no hello came".into(),
            None => dropped += 1,
        }
    }
    let state = |&other: &usize| format!("process {other} at {}: {}", hosts[other], states[other]);
    let list = missing.iter().map(state).collect::<Vec<_>>().join(", ");
    let cause = format!(
        "missing after {:.1} s: {list}; {dropped} foreign connections were dropped",
        limit.as_secs_f64(),
    );
    let help = "start every process within the time limit, and check the hosts and the firewall";
    Err(Error::new(ErrorKind::Lost, cause, help).of_process(first))
}
