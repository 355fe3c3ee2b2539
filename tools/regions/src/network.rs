//! [`Network`]: an exchange over TCP, by the message layer of timely dataflow.
//!
//! Wire format of one direction of a connection:
//! 1. A hello of 80 bytes ([`Hello`]). The process that is called answers that of the caller.
//! 2. One frame of timely per round: a header of 48 bytes and a [`Message`].
//! 3. A goodbye: a frame header of zeros, and the index of the process at fault in 8 bytes.

mod link;
mod meet;
#[cfg(test)]
mod tests;

pub(crate) use meet::Hello;

use crate::error::{Error, ErrorKind};
use crate::exchange::{Exchange, Parcel};
use link::{Link, Watch};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{array, mem, thread};
use timely_bytes::arc::Bytes;
use timely_communication::allocator::ProcessBuilder;
use timely_communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely_communication::{Allocator, Bytesable, Hooks, Pull, Push};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Time for the other processes to take the last bytes of a run that failed.
const GRACE: Duration = Duration::from_secs(1);
const SAME_PROGRAM: &str = "run the same build of the program in every process";
const SAME_HOSTS: &str = "give every process the same list of hosts, and its own index";

/// Largest size of a parcel: with its headers it fills one buffer of 1 GiB. Timely doubles its buffers.
pub(crate) const MAX_PARCEL_BYTES: usize = (1 << 30) - 1024;

/// The messages of one sender whose rounds are not complete. `None` is a message without a parcel.
type Queue = VecDeque<Option<Vec<u8>>>;

/// A message of one process to another one in one round.
///
/// Wire format: 3 little-endian `u64` (sender and number of parcels, round, checksum) and the parcel.
struct Message {
    /// The index of the sender, plus 2^32 if there is a parcel.
    route: u64,
    round: u64,
    checksum: u64,
    bytes: Vec<u8>,
}

impl Message {
    const HEADER_BYTES: usize = 24;
    const PARCEL: u64 = 1 << 32;

    fn new(sender: usize, round: u64, parcel: Option<Vec<u8>>) -> Self {
        let route = sender as u64 | if parcel.is_some() { Self::PARCEL } else { 0 };
        let bytes = parcel.unwrap_or_default();
        Self { route, round, checksum: xxh3_64_with_seed(&bytes, route), bytes }
    }

    /// Checks a received message and stores its parcel. `round` is that of the first parcel of a queue.
    fn file(self, inbox: &mut [Queue], round: u64) -> Result<(), Error> {
        let Self { route, round: found, checksum, bytes } = self;
        let sender = (route % Self::PARCEL) as usize;
        let error = |cause| Error::new(ErrorKind::Garbage, cause, SAME_PROGRAM).of_process(sender);
        let Some(queue) = inbox.get_mut(sender).filter(|_| route < 2 * Self::PARCEL) else {
            return Err(error(format!("a message has the unknown sender {route:#x}")));
        };
        if checksum != xxh3_64_with_seed(&bytes, route) {
            return Err(error(format!("a message of {} bytes has a wrong checksum", bytes.len())));
        }
        let expected = round + queue.len() as u64;
        if found != expected {
            return Err(error(format!("a message is of round {found} instead of {expected}")));
        }
        queue.push_back((route >= Self::PARCEL).then_some(bytes));
        Ok(())
    }
}

impl Bytesable for Message {
    fn from_bytes(bytes: Bytes) -> Self {
        // A `Link` lets no shorter message pass.
        let number = |i: usize| u64::from_le_bytes(array::from_fn(|byte| bytes[8 * i + byte]));
        let parcel = bytes[Self::HEADER_BYTES..].to_vec();
        Self { route: number(0), round: number(1), checksum: number(2), bytes: parcel }
    }

    fn length_in_bytes(&self) -> usize {
        Self::HEADER_BYTES + self.bytes.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        for number in [self.route, self.round, self.checksum] {
            writer.write_all(&number.to_le_bytes()).expect("timely reserves the length");
        }
        writer.write_all(&self.bytes).expect("timely reserves the length");
    }
}

/// The ends of timely's channel.
struct Channel {
    senders: Vec<Box<dyn Push<Message>>>,
    receiver: Box<dyn Pull<Message>>,
    allocator: Allocator,
}

/// Several processes that are connected by TCP, each with each.
///
/// A `Network` stays on the thread that made it. Its waits park this thread.
pub(crate) struct Network {
    process: usize,
    limit: Duration,
    round: u64,
    /// The messages that have come, by sender.
    inbox: Vec<Queue>,
    failed: Option<Error>,
    watch: Arc<Watch>,
    sockets: Vec<TcpStream>,
    /// Keeps the address of this process, so that no second process of its index can begin.
    _listener: Option<TcpListener>,
    channel: Option<Channel>,
    guard: Option<CommsGuard>,
}

impl Network {
    /// Connects process number `process` of `hosts` to all others. `hosts` has one `"host:port"` per process.
    ///
    /// `limit` is the longest time of this call, and of every exchange.
    ///
    /// # Errors
    /// - [`ErrorKind::Options`] if `process` is out of range or its address cannot be bound.
    /// - [`ErrorKind::Mismatch`] if another process has another version, atlas, run, or other options.
    /// - [`ErrorKind::Lost`] if a process is missing when the limit has passed.
    pub(crate) fn connect(
        hosts: &[String],
        process: usize,
        hello: Hello,
        limit: Duration,
    ) -> Result<Self, Error> {
        let Some(host) = hosts.get(process) else {
            let cause = format!("process index {process} is out of range: {} hosts", hosts.len());
            return Err(Error::new(ErrorKind::Options, cause, SAME_HOSTS));
        };
        let listener = TcpListener::bind(host)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|error| {
                let cause = format!("address {host} cannot be bound: {error}");
                let help = "choose an address of this machine, as host:port, with a free port, \
                    or end the other process of this index";
                Error::new(ErrorKind::Options, cause, help).of_process(process)
            })?;
        let mine = hello.encode(hosts.len(), process);
        let sockets = meet::meet(&listener, hosts, process, &mine, limit)?;
        let mut network = Self::new(sockets, process, limit).map_err(|error| {
            let cause = format!("connections cannot be set up: {error}");
            let help = "allow this process more threads and open files";
            Error::new(ErrorKind::Lost, cause, help).of_process(process)
        })?;
        network._listener = Some(listener);
        Ok(network)
    }

    fn new(sockets: Vec<Option<TcpStream>>, process: usize, limit: Duration) -> io::Result<Self> {
        let watch = Arc::new(Watch::default());
        let inbox = sockets.iter().map(|_| VecDeque::new()).collect();
        let owned = sockets.iter().flatten().map(TcpStream::try_clone).collect::<Result<_, _>>()?;
        let link = |(peer, socket): (usize, Option<TcpStream>)| {
            socket.map(|socket| Link::new(socket, Arc::clone(&watch), process, peer))
        };
        let links = sockets.into_iter().enumerate().map(link).collect();
        let mut hooks = Hooks::default();
        // A buffer stays as large as the largest message, so a direction keeps one free buffer only.
        hooks.refill.limit = Some(1);
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(local, links, process, 1, hooks)?;
        let builder = builders.into_iter().next().expect("timely returns one builder per thread");
        let mut allocator = Allocator::Tcp(builder.build());
        let (senders, receiver) = allocator.allocate(Link::CHANNEL);
        Ok(Self {
            process,
            limit,
            round: 0,
            inbox,
            failed: None,
            watch,
            sockets: owned,
            _listener: None,
            channel: Some(Channel { senders, receiver, allocator }),
            guard: Some(guard),
        })
    }

    /// Sends one message per process, and waits until one of this round has come from each.
    fn run_round(&mut self, parcels: Vec<Parcel>) -> Result<Vec<Parcel>, Error> {
        let Self { process, ref watch, ref mut inbox, ref mut channel, .. } = *self;
        let channel = channel.as_mut().expect("only a drop takes the channel");
        let mut outbox: Vec<_> = inbox.iter().map(|_| None).collect();
        for Parcel { process, bytes } in parcels {
            let old = outbox[process].replace(bytes);
            debug_assert!(old.is_none(), "2 parcels for process {process}");
        }
        inbox[process].push_back(outbox[process].take());
        for (other, parcel) in outbox.into_iter().enumerate().filter(|&(other, _)| other != process)
        {
            channel.senders[other].send(Message::new(process, self.round, parcel));
        }
        channel.allocator.release();

        let start = Instant::now();
        loop {
            // The faults come first: all messages before a noted fault are received below.
            let faults = watch.faults();
            channel.allocator.receive();
            while let Some(message) = channel.receiver.recv() {
                message.file(inbox, self.round).map_err(|error| {
                    // A frame whose connection ended is filled up with zeros.
                    let fault = watch.faults().into_iter().find(|fault| !fault.clean);
                    fault.map_or(error, |fault| fault.error)
                })?;
            }
            channel.allocator.events().borrow_mut().clear();
            let missing: Vec<_> =
                (0..inbox.len()).filter(|&other| inbox[other].is_empty()).collect();
            let Some(&first) = missing.first() else { break };
            let ended = faults.iter().find(|fault| !fault.clean);
            let left = || faults.iter().find(|fault| missing.contains(&fault.peer));
            if let Some(fault) = ended.or_else(left) {
                return Err(fault.error.clone());
            }
            let Some(rest) = self.limit.checked_sub(start.elapsed()) else {
                let cause = format!(
                    "it sent no message of round {} within {:.1} s; processes without one: {missing:?}",
                    self.round,
                    self.limit.as_secs_f64()
                );
                let help = "look why the process hangs, or raise the time limit";
                return Err(Error::new(ErrorKind::Lost, cause, help).of_process(first));
            };
            channel.allocator.await_events(Some(rest));
        }
        self.round += 1;
        let parcel = |(process, queue): (usize, &mut Queue)| {
            queue.pop_front().flatten().map(|bytes| Parcel { process, bytes })
        };
        Ok(inbox.iter_mut().enumerate().filter_map(parcel).collect())
    }
}

impl Exchange for Network {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.inbox.len()
    }

    fn exchange(&mut self, parcels: Vec<Parcel>) -> Result<Vec<Parcel>, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if let Some(parcel) = parcels.iter().find(|parcel| parcel.bytes.len() > MAX_PARCEL_BYTES) {
            let (bytes, process) = (parcel.bytes.len(), parcel.process);
            let cause =
                format!("a parcel of {bytes} bytes is above the limit of {MAX_PARCEL_BYTES}");
            let help = "move fewer colliders in one step, or use more regions";
            return Err(Error::new(ErrorKind::Call, cause, help).of_process(process));
        }
        let result = self.run_round(parcels);
        self.failed = result.as_ref().err().cloned();
        result
    }
}

impl Drop for Network {
    /// Sends what is left and a goodbye, then closes the sockets. Timely's threads end with their sockets.
    fn drop(&mut self) {
        if thread::panicking() {
            // Timely's queues panic again when a panic drops them. The closed sockets tell the others.
            mem::forget((self.channel.take(), self.guard.take()));
        } else {
            let blamed = self.failed.as_ref().and_then(|error| error.process);
            self.watch.blamed.store(blamed.map_or(Watch::NONE, |it| it as u64), Ordering::Release);
            self.channel = None;
            let limit = if self.failed.is_some() { GRACE.min(self.limit) } else { self.limit };
            let start = Instant::now();
            while self.watch.sent.load(Ordering::Acquire) < self.sockets.len()
                && let Some(rest) = limit.checked_sub(start.elapsed())
            {
                thread::park_timeout(rest);
            }
        }
        for socket in &self.sockets {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}
