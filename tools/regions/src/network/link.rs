//! [`Link`]: a connection between timely's threads and a socket.
//!
//! Timely's threads panic when a connection ends or carries other bytes. A [`Link`] checks every frame header
//! and notes each fault for the thread of the plane. After a fault it feeds timely's thread a clean end.

use super::{MAX_PARCEL_BYTES, Message, SAME_PROGRAM};
use crate::error::{Error, ErrorKind};
use std::array;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use timely_communication::allocator::zero_copy::stream::Stream;

/// The end of a connection.
#[derive(Clone)]
pub(super) struct Fault {
    /// The process at the other end.
    pub(super) peer: usize,
    /// Whether the process said goodbye and blamed none.
    pub(super) clean: bool,
    pub(super) error: Error,
}

/// The state that timely's threads share with the thread of the plane, which is woken at every change.
pub(super) struct Watch {
    thread: Thread,
    faults: Mutex<Vec<Fault>>,
    /// The number of connections on which this process has sent everything.
    pub(super) sent: AtomicUsize,
    /// The process that the goodbye of this one blames; [`Self::NONE`] if it is none.
    pub(super) blamed: AtomicU64,
}

impl Default for Watch {
    /// Makes the state for the calling thread.
    fn default() -> Self {
        Self {
            thread: thread::current(),
            faults: Mutex::default(),
            sent: AtomicUsize::new(0),
            blamed: AtomicU64::new(Self::NONE),
        }
    }
}

impl Watch {
    pub(super) const NONE: u64 = u64::MAX;

    /// Returns the faults in their order of time.
    pub(super) fn faults(&self) -> Vec<Fault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One end of a connection, as one of timely's threads uses it.
pub(super) struct Link {
    reader: BufReader<TcpStream>,
    watch: Arc<Watch>,
    process: usize,
    peer: usize,
    /// The header of the present frame. The position is the number of bytes that timely has.
    head: Cursor<[u8; Self::HEAD_BYTES]>,
    /// The number of bytes of the present message that timely does not have.
    body: usize,
    /// The number of frames that began.
    frames: u64,
    /// A fault is noted.
    ended: bool,
    /// Timely has the header of zeros that ends its thread.
    closed: bool,
}

impl Link {
    pub(super) const CHANNEL: usize = 0;
    pub(super) const HEAD_BYTES: usize = 48;

    pub(super) fn new(socket: TcpStream, watch: Arc<Watch>, process: usize, peer: usize) -> Self {
        let mut head = Cursor::new([0; Self::HEAD_BYTES]);
        head.set_position(Self::HEAD_BYTES as u64);
        let reader = BufReader::new(socket);
        Self { reader, watch, process, peer, head, body: 0, frames: 0, ended: false, closed: false }
    }

    fn end(&mut self, fault: Fault) {
        self.watch.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        self.watch.thread.unpark();
        self.ended = true;
    }

    fn lost(&self, error: &io::Error) -> Fault {
        let cause = match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                "it closed its connection in the middle of the run".into()
            }
            _ => format!("its connection failed: {error}"),
        };
        let help =
            "look at the output of this process: it crashed, was killed, or lost its network";
        let error = Error::new(ErrorKind::Lost, cause, help).of_process(self.peer);
        Fault { peer: self.peer, clean: false, error }
    }

    /// Reads the rest of a goodbye.
    fn goodbye(&mut self) -> io::Result<Fault> {
        let mut blamed = [0; 8];
        self.reader.read_exact(&mut blamed)?;
        let peer = self.peer;
        let (clean, process, cause) = match u64::from_le_bytes(blamed) {
            Watch::NONE => (true, peer, "it left the run".into()),
            blamed => {
                (false, blamed as usize, format!("process {peer} left the run because of it"))
            }
        };
        let help = "look at the output of the processes: one of them ended early";
        let error = Error::new(ErrorKind::Lost, cause, help).of_process(process);
        Ok(Fault { peer, clean, error })
    }

    /// Reads the next frame header. An `Err` is the end of the connection.
    fn next_head(&mut self) -> Result<[u8; Self::HEAD_BYTES], Fault> {
        let mut head = [0; Self::HEAD_BYTES];
        self.reader.read_exact(&mut head).map_err(|error| self.lost(&error))?;
        if head == [0; Self::HEAD_BYTES] {
            return Err(self.goodbye().unwrap_or_else(|error| self.lost(&error)));
        }
        let found: [u64; 6] =
            array::from_fn(|i| u64::from_be_bytes(array::from_fn(|byte| head[8 * i + byte])));
        let (target, bytes) = (self.process as u64, found[4]);
        let expected =
            [Self::CHANNEL as u64, self.peer as u64, target, target + 1, bytes, self.frames];
        let sizes =
            Message::HEADER_BYTES as u64..=(Message::HEADER_BYTES + MAX_PARCEL_BYTES) as u64;
        if found != expected || !sizes.contains(&bytes) {
            let cause = format!("it sent {found:?} as the header of frame {}", self.frames);
            let error = Error::new(ErrorKind::Garbage, cause, SAME_PROGRAM).of_process(self.peer);
            return Err(Fault { peer: self.peer, clean: false, error });
        }
        self.body = bytes as usize;
        self.frames += 1;
        Ok(head)
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.body == 0 && self.head.position() == Self::HEAD_BYTES as u64 && !self.closed {
            let mut head = [0; Self::HEAD_BYTES];
            if !self.ended {
                match self.next_head() {
                    Ok(next) => head = next,
                    Err(fault) => self.end(fault),
                }
            }
            self.head = Cursor::new(head);
            self.closed = self.ended;
        }
        if self.head.position() < Self::HEAD_BYTES as u64 {
            return self.head.read(buffer);
        }
        let size = buffer.len().min(self.body);
        let buffer = &mut buffer[..size];
        if !self.ended
            && let Err(error) = self.reader.read_exact(buffer)
        {
            self.end(self.lost(&error));
        }
        if self.ended {
            // Timely waits for whole frames. The fault is noted before this frame is received.
            buffer.fill(0);
        }
        self.body -= size;
        Ok(size)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut socket = self.reader.get_ref();
        match socket.write(bytes) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                // The reading thread notes the fault, because its socket ends too.
                let _ = socket.shutdown(Shutdown::Both);
                Ok(bytes.len())
            }
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        let socket = self.reader.get_ref().try_clone()?;
        Ok(Self::new(socket, Arc::clone(&self.watch), self.process, self.peer))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.reader.get_ref().set_nonblocking(nonblocking)
    }

    /// Completes the goodbye: timely calls this after the header of zeros.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let mut socket = self.reader.get_ref();
        let blamed = self.watch.blamed.load(Ordering::Acquire).to_le_bytes();
        // An error means that the other end is gone.
        let _ = socket.write_all(&blamed).and_then(|()| socket.shutdown(how));
        self.watch.sent.fetch_add(1, Ordering::Release);
        self.watch.thread.unpark();
        Ok(())
    }
}
