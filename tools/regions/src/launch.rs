//! [`launch`]: the processes of a plane on one machine.

use crate::error::{Error, ErrorKind};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::mem;
use std::net::TcpListener;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between 2 looks at processes whose output is open. The end of an output wakes the watch at once.
const SLOW_TICK: Duration = Duration::from_millis(100);
/// Time between 2 looks at processes of which one is about to end.
const FAST_TICK: Duration = Duration::from_millis(5);
/// Time in which the failures of several processes count as one event.
const GRACE: Duration = Duration::from_millis(50);
/// Longest time to read the output of a process that failed.
const DRAIN_LIMIT: Duration = Duration::from_secs(1);
const STDERR_LINES: usize = 10;

/// A process that is killed together with its owner.
struct Process {
    child: Child,
    status: Option<ExitStatus>,
    /// The bytes of stdout and of stderr.
    output: [Vec<u8>; 2],
    /// The number of outputs that are open.
    open: usize,
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both do nothing if the process has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes from an output of a process, or none if the output is closed.
struct Piece {
    process: usize,
    output: usize,
    bytes: Vec<u8>,
}

impl Piece {
    /// Sends the bytes of `pipe` on another thread.
    fn forward(
        process: usize,
        output: usize,
        pipe: Option<impl Read + Send + 'static>,
        pieces: Sender<Self>,
    ) {
        let mut pipe = pipe.expect("the command has a pipe for each output");
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                let bytes = match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    result => buffer[..result.unwrap_or(0)].to_vec(),
                };
                let closed = bytes.is_empty();
                if pieces.send(Self { process, output, bytes }).is_err() || closed {
                    break;
                }
            }
        });
    }
}

/// Starts `processes` processes on this machine and waits for their ends. Their stdin is empty.
///
/// `command` returns the command of a process, given its index.
/// The first process that fails ends all others, because a plane cannot go on without one of its processes.
///
/// # Errors
/// - [`ErrorKind::Options`] if a process cannot be started.
/// - [`ErrorKind::Lost`] if a process fails. It is the first one, or one that a signal ended within 50 ms.
///   The error has its status and the last lines of its stderr.
pub fn launch(
    command: impl FnMut(usize) -> Command,
    processes: usize,
) -> Result<Vec<Output>, Error> {
    launch_again(command, processes, |_| None)
}

/// Does what [`launch`] does, but a process that fails is started again if `again` returns a command for it. Its
/// outputs are those of all its starts.
///
/// # Errors
/// Returns the errors of [`launch`].
pub fn launch_again(
    mut command: impl FnMut(usize) -> Command,
    processes: usize,
    mut again: impl FnMut(usize) -> Option<Command>,
) -> Result<Vec<Output>, Error> {
    // The sender stays alive, so that a wait for pieces lasts even if all outputs are closed.
    let (sender, pieces) = channel();
    let mut running = Vec::with_capacity(processes);
    for process in 0..processes {
        let child = start(process, command(process), &sender)?;
        running.push(Process { child, status: None, output: Default::default(), open: 2 });
    }
    let mut first_failure = None;
    loop {
        for (index, process) in running.iter_mut().enumerate() {
            if process.status.is_none() {
                process.status = process.child.try_wait().map_err(|error| {
                    let cause = format!("its status cannot be read: {error}");
                    let help = "start this program without SIGCHLD ignored";
                    Error::new(ErrorKind::Lost, cause, help).of_process(index)
                })?;
            }
            if process.status.is_some_and(|status| !status.success())
                && first_failure.is_none()
                && let Some(command) = again(index)
            {
                process.child = start(index, command, &sender)?;
                process.status = None;
                process.open += 2;
            }
            if process.status.is_some_and(|status| !status.success()) {
                first_failure.get_or_insert((index, Instant::now()));
            }
        }
        let killed = |it: &Process| it.status.is_some_and(|status| status.code().is_none());
        let killed = running.iter().position(killed);
        let all_ended = running.iter().all(|process| process.status.is_some() && process.open == 0);
        if let Some((first, since)) = first_failure
            && (killed.is_some() || all_ended || since.elapsed() > GRACE)
        {
            return Err(failure(&mut running, killed.unwrap_or(first), &pieces));
        }
        if all_ended {
            break;
        }
        let ends = running.iter().any(|process| process.open == 0 && process.status.is_none());
        let tick = if ends || first_failure.is_some() { FAST_TICK } else { SLOW_TICK };
        collect(&mut running, &pieces, tick);
    }
    let output = |process: &mut Process| {
        let [stdout, stderr] = mem::take(&mut process.output);
        process.status.map(|status| Output { status, stdout, stderr })
    };
    Ok(running.iter_mut().filter_map(output).collect())
}

fn start(process: usize, mut command: Command, pieces: &Sender<Piece>) -> Result<Child, Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        let cause = format!("{} cannot be started: {error}", command.get_program().display());
        Error::new(ErrorKind::Options, cause, "check the path of the program").of_process(process)
    })?;
    Piece::forward(process, 0, child.stdout.take(), pieces.clone());
    Piece::forward(process, 1, child.stderr.take(), pieces.clone());
    Ok(child)
}

/// Returns the error of the process that failed.
fn failure(running: &mut [Process], failed: usize, pieces: &Receiver<Piece>) -> Error {
    let start = Instant::now();
    while running[failed].open > 0 && start.elapsed() < DRAIN_LIMIT {
        collect(running, pieces, FAST_TICK);
    }
    let text = String::from_utf8_lossy(&running[failed].output[1]);
    let lines: Vec<_> = text.lines().collect();
    let tail = lines[lines.len().saturating_sub(STDERR_LINES)..].join("\n");
    let status = running[failed].status.map_or(String::new(), |status| status.to_string());
    let cause = format!("it ended with {status}; the last lines of its stderr:\n{tail}");
    let help = "correct the fault in this process; the others were ended with it";
    Error::new(ErrorKind::Lost, cause, help).of_process(failed)
}

/// Stores the next piece, if one comes within `limit`.
fn collect(running: &mut [Process], pieces: &Receiver<Piece>, limit: Duration) {
    if let Ok(Piece { process, output, bytes }) = pieces.recv_timeout(limit) {
        running[process].open -= usize::from(bytes.is_empty());
        running[process].output[output].extend(bytes);
    }
}

/// Returns `count` addresses of this machine with free ports, as `host:port`.
///
/// The ports lie below those that systems give to outgoing connections.
/// A call returns other ports than the earlier calls of this process.
///
/// # Errors
/// Returns the error of the last port if too few ports are free.
pub fn local_hosts(count: usize) -> io::Result<Vec<String>> {
    const FIRST: u64 = 20_000;
    const PORTS: u64 = 12_000;
    static NEXT: LazyLock<AtomicU64> =
        LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(FIRST)));
    let mut hosts = Vec::with_capacity(count);
    let mut attempts = 0;
    while hosts.len() < count {
        attempts += 1;
        let host = format!("127.0.0.1:{}", FIRST + NEXT.fetch_add(1, Ordering::Relaxed) % PORTS);
        match TcpListener::bind(&host) {
            Ok(_) => hosts.push(host),
            Err(error) if attempts >= PORTS => return Err(error),
            Err(_) => {}
        }
    }
    Ok(hosts)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Launches one shell per script.
    fn shells(scripts: &[&str]) -> Result<Vec<Output>, Error> {
        let command = |process: usize| {
            let mut command = Command::new("sh");
            command.arg("-c").arg(scripts[process]);
            command
        };
        launch(command, scripts.len())
    }

    /// A process that lasts longer than the test.
    const WAIT: &str = "exec sleep 1000";

    #[test]
    fn the_output_of_each_process_is_returned() {
        let outputs =
            shells(&["echo a; echo b >&2", "head -c 300000 /dev/zero", "cat", "exec >&- 2>&-"]);
        let outputs = outputs.unwrap();
        assert_eq!(outputs[0].stdout, b"a\n");
        assert_eq!(outputs[0].stderr, b"b\n");
        assert_eq!(outputs[1].stdout, vec![0; 300_000]);
        assert!(outputs[2].stdout.is_empty() && outputs[3].stdout.is_empty());
        assert!(outputs.iter().all(|output| output.status.success()));
        assert!(shells(&[]).unwrap().is_empty());
    }

    #[test]
    fn a_failure_ends_the_others_and_has_the_end_of_its_stderr() {
        let script = "for i in 1 2 3 4 5 6 7 8 9 10 11; do echo line $i >&2; done; exit 3";
        let error = shells(&[WAIT, WAIT, script]).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(2)));
        let text = error.to_string();
        assert!(text.contains("exit status: 3") && text.ends_with("line 10\nline 11"), "{text}");
        assert!(!text.contains("line 1\n"), "{text}");
    }

    #[test]
    fn processes_that_all_fail_at_once_are_a_failure() {
        for _ in 0..20 {
            let error = shells(&["echo no >&2; exit 1"; 3]).unwrap_err();
            assert!(error.to_string().contains("exit status: 1"), "{error}");
        }
    }

    #[test]
    fn a_process_that_a_signal_ended_is_preferred() {
        // Process 0 fails as soon as process 1 is killed.
        let folder = std::env::temp_dir().join(format!("hitmask-launch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let pipe = folder.join("pipe").display().to_string();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let scripts =
            [format!("cat {pipe}; exit 1"), format!("exec 3> {pipe}; kill -9 $$"), WAIT.into()];
        let error = shells(&scripts.each_ref().map(String::as_str)).unwrap_err();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)));
        assert!(error.to_string().contains("signal: 9"), "{error}");
    }

    #[test]
    fn a_child_that_holds_the_outputs_does_not_hide_a_failure() {
        let error = shells(&["sleep 2 & kill -9 $$", WAIT]).unwrap_err();
        assert_eq!(error.process, Some(0));
    }

    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let programs = ["sleep", "/no/such/program"];
        let command = |process: usize| {
            let mut command = Command::new(programs[process]);
            command.arg("1000");
            command
        };
        let error = launch(command, 2).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Options, Some(1)));
        assert!(error.to_string().contains("/no/such/program cannot be started"), "{error}");
    }

    #[test]
    fn local_hosts_differ_and_are_free() {
        let mut hosts = [local_hosts(3).unwrap(), local_hosts(3).unwrap()].concat();
        hosts.sort();
        hosts.dedup();
        assert_eq!(hosts.len(), 6);
    }
}
