//! How two processes greet each other: [`Hello`], [`Door`] for the one that is called, and [`call`].

use super::{Event, GRACE, SAME_PROGRAM};
use crate::error::{Error, ErrorKind};
use std::array;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Number of accepted connections without a hello that are kept. Processes send their hello at once, so the oldest
/// are foreign. A process that is dropped all the same connects again.
const MAX_CALLERS: usize = 64;

pub(super) const SAME_HOSTS: &str = "give every process the same list of hosts, and its own index";
const MAGIC: &[u8; 8] = b"hitmask\n";
const PROTOCOL: u64 = 2;
pub(super) const HELLO_BYTES: usize = 96;
pub(super) const PROCESS: Range<usize> = 24..32;
const RESUME: Range<usize> = 80..88;
const PURPOSE: Range<usize> = 88..96;

/// The fields of a hello that are equal in all processes of a run: name, bytes, remedy.
pub(super) const EQUAL_FIELDS: [(&str, Range<usize>, &str); 6] = [
    ("protocol version", 8..16, SAME_PROGRAM),
    ("crate version", 56..80, SAME_PROGRAM),
    ("number of processes", 16..24, SAME_HOSTS),
    ("run id", 32..40, "end the processes of other runs, or choose other ports"),
    ("atlas hash", 40..48, "give every process the same atlas file"),
    ("options hash", 48..56, "give every process the same options"),
];

/// What the processes of one run have in common, and what this one wants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hello {
    /// The id of the run, chosen by the program that starts the processes.
    pub(crate) run: u64,
    /// The hash of the atlas.
    pub(crate) atlas: u64,
    /// The hash of the options of the plane.
    pub(crate) options: u64,
    pub(crate) purpose: Purpose,
}

/// Why a process connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It takes part in the run.
    Play,
    /// It takes the place of a process that was lost.
    Resume,
    /// It asks to be taken into a run.
    Come,
}

/// A hello as it is sent.
#[derive(Clone, Copy)]
pub(super) struct Encoded(pub(super) [u8; HELLO_BYTES]);

impl Hello {
    /// Returns the hello of a process that needs the parcels from round `resume` on.
    pub(super) fn encode(self, processes: usize, process: usize, resume: u64) -> Encoded {
        let Self { run, atlas, options, purpose } = self;
        let numbers = [PROTOCOL, processes as u64, process as u64, run, atlas, options];
        let mut bytes = [b' '; HELLO_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        for (field, number) in bytes[8..56].chunks_exact_mut(8).zip(numbers) {
            field.copy_from_slice(&number.to_le_bytes());
        }
        let version = env!("CARGO_PKG_VERSION").bytes();
        bytes[56..80].iter_mut().zip(version).for_each(|(to, from)| *to = from);
        bytes[RESUME].copy_from_slice(&resume.to_le_bytes());
        bytes[PURPOSE].copy_from_slice(&(purpose as u64).to_le_bytes());
        Encoded(bytes)
    }
}

impl Encoded {
    fn number(&self, field: Range<usize>) -> u64 {
        u64::from_le_bytes(array::from_fn(|i| self.0[field.start + i]))
    }

    pub(super) fn process(&self) -> usize {
        self.number(PROCESS) as usize
    }

    pub(super) fn resume(&self) -> u64 {
        self.number(RESUME)
    }

    pub(super) fn is_for(&self, purpose: Purpose) -> bool {
        self.number(PURPOSE) == purpose as u64
    }

    /// Takes the process index of another hello.
    pub(super) fn copy_process(&mut self, other: &Self) {
        self.0[PROCESS].copy_from_slice(&other.0[PROCESS]);
    }

    /// Returns the first difference to the hello of this process that rules out a common run. `called` is the
    /// process at whose address it was read.
    pub(super) fn difference(&self, mine: &Self, called: Option<usize>) -> Option<Error> {
        let (mine, theirs) = (&mine.0, &self.0);
        let differs = |range: &Range<usize>| mine[range.clone()] != theirs[range.clone()];
        let error = |cause, help| Some(Error::new(ErrorKind::Mismatch, cause, help));
        let Some((name, range, help)) = EQUAL_FIELDS.into_iter().find(|(_, it, _)| differs(it))
        else {
            let (found, other) = (self.process(), called?);
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

/// A connection whose other end has greeted.
pub(super) struct Met {
    pub(super) socket: TcpStream,
    pub(super) hello: Encoded,
    /// The process that this one has called; `None` if the other one called.
    pub(super) called: Option<usize>,
}

/// Reads a hello. Anything else is an error at its first wrong byte, or after a time.
fn read_hello(socket: &mut TcpStream, limit: Duration) -> io::Result<Encoded> {
    socket.set_read_timeout(Some(limit))?;
    let mut hello = [0; HELLO_BYTES];
    let (magic, rest) = hello.split_at_mut(MAGIC.len());
    socket.read_exact(magic)?;
    if magic != MAGIC {
        return Err(io::Error::other("the answer is no hello of a plane"));
    }
    socket.read_exact(rest)?;
    socket.set_read_timeout(None)?;
    Ok(Encoded(hello))
}

/// Calls a process, and returns the connection and its hello.
pub(super) fn call(
    host: &str,
    mine: &Encoded,
    limit: Duration,
) -> io::Result<(TcpStream, Encoded)> {
    let mut result = Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
    for address in host.to_socket_addrs()? {
        result = TcpStream::connect_timeout(&address, limit);
        if result.is_ok() {
            break;
        }
    }
    let mut socket = result?;
    socket.write_all(&mine.0)?;
    let hello = read_hello(&mut socket, limit)?;
    Ok((socket, hello))
}

/// The address of a process, and the thread that accepts connections there.
pub(super) struct Door {
    address: SocketAddr,
    closes: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    /// Opens an address. What greets there goes to `sender`. The address stays taken, so that no second process of
    /// this index can begin.
    pub(super) fn open(host: &str, sender: Sender<Event>) -> Result<Self, Error> {
        let bound = TcpListener::bind(host).and_then(|it| Ok((it.local_addr()?, it)));
        let (address, listener) = bound.map_err(|error| {
            let cause = format!("address {host} cannot be bound: {error}");
            let help = "choose an address of this machine, as host:port, with a free port, \
                or end the other process of this index";
            Error::new(ErrorKind::Options, cause, help)
        })?;
        let closes = Arc::new(AtomicBool::new(false));
        let is_closed = Arc::clone(&closes);
        let thread = thread::spawn(move || accept(&listener, &is_closed, &sender));
        Ok(Self { address, closes, thread: Some(thread) })
    }

    /// Frees the address.
    pub(super) fn close(&mut self) {
        self.closes.store(true, Ordering::Release);
        // Wakes the thread.
        if TcpStream::connect_timeout(&self.address, GRACE).is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, is_closed: &AtomicBool, sender: &Sender<Event>) {
    let callers: Arc<Mutex<VecDeque<(u64, TcpStream)>>> = Arc::default();
    for number in 0_u64.. {
        let accepted = listener.accept();
        if is_closed.load(Ordering::Acquire) {
            break;
        }
        let Ok((mut socket, _)) = accepted else {
            // Such as too many open files.
            thread::sleep(Duration::from_millis(5));
            continue;
        };
        let Ok(copy) = socket.try_clone() else { continue };
        let mut waiting = callers.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back((number, copy));
        if waiting.len() > MAX_CALLERS
            && let Some((_, oldest)) = waiting.pop_front()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        drop(waiting);
        let (callers, sender) = (Arc::clone(&callers), sender.clone());
        thread::spawn(move || {
            let hello = read_hello(&mut socket, GRACE);
            callers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .retain(|(other, _)| *other != number);
            let event = match hello {
                Ok(hello) => Event::Met(Met { socket, hello, called: None }),
                Err(_) => Event::Foreign,
            };
            let _ = sender.send(event);
        });
    }
}
