use super::link::Link;
use super::meet::{EQUAL_FIELDS, HELLO_BYTES, PROCESS};
use super::*;
use crate::launch::local_hosts;
use std::io::Read;
use std::ops::Range;
use std::panic;

/// A limit that no test reaches.
const LONG: Duration = Duration::from_secs(3600);
/// A limit that a test reaches only if it fails.
const ENOUGH: Duration = Duration::from_secs(10);
/// The limit of the tests that wait for it.
const SHORT: Duration = Duration::from_millis(200);
const HELLO: Hello = Hello { run: 1, atlas: 2, options: 3 };

/// Runs `play` on one thread per process, and returns the results in order.
fn on_threads<T: Send>(processes: usize, play: impl Fn(&[String], usize) -> T + Sync) -> Vec<T> {
    let hosts = local_hosts(processes).unwrap();
    thread::scope(|scope| {
        let start = |process| {
            let (hosts, play) = (&hosts, &play);
            scope.spawn(move || play(hosts, process))
        };
        let threads: Vec<_> = (0..processes).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn connect(hosts: &[String], process: usize) -> Network {
    Network::connect(hosts, process, HELLO, LONG).unwrap()
}

fn listen(host: &str) -> TcpListener {
    let listener = TcpListener::bind(host).unwrap();
    listener.set_nonblocking(true).unwrap();
    listener
}

/// Returns the sockets of a process that has said hello and does not follow the rules from then on.
fn intrude(hosts: &[String], process: usize) -> Vec<Option<TcpStream>> {
    let mine = HELLO.encode(hosts.len(), process);
    let sockets = meet::meet(&listen(&hosts[process]), hosts, process, &mine, LONG).unwrap();
    sockets.iter().flatten().for_each(|socket| socket.set_nonblocking(false).unwrap());
    sockets
}

/// Runs process 0 against `intruder`, which is process 1 and has the socket to process 0.
fn error_after(limit: Duration, intruder: impl Fn(&mut TcpStream) + Sync) -> Error {
    let errors = on_threads(2, |hosts, process| {
        if process == 0 {
            let mut network = Network::connect(hosts, process, HELLO, limit.max(SHORT)).unwrap();
            return network.exchange(Vec::new()).err();
        }
        let mut socket = intrude(hosts, 1).swap_remove(0).unwrap();
        intruder(&mut socket);
        // The test ends only if process 0 closes its socket.
        let _ = socket.read_to_end(&mut Vec::new());
        None
    });
    errors.into_iter().flatten().next().expect("process 0 noticed nothing")
}

/// Returns frame `seqno` of process 1 to process 0.
fn frame(seqno: u64, message: &Message) -> Vec<u8> {
    let length = message.length_in_bytes() as u64;
    let mut bytes = Vec::new();
    for number in [Link::CHANNEL as u64, 1, 0, 1, length, seqno] {
        bytes.extend(number.to_be_bytes());
    }
    message.into_bytes(&mut bytes);
    bytes
}

/// Returns the parcel that process `from` sends to process `to`.
fn parcel(round: u64, from: usize, to: usize) -> Option<Vec<u8>> {
    let seed = xxh3_64_with_seed(&[from as u8, to as u8], round);
    let size = match seed % 4 {
        0 => return None,
        1 => seed as usize % 3,
        2 => seed as usize % 1000,
        _ => seed as usize % 100_001,
    };
    Some((0..size as u64).map(|i| (seed.wrapping_mul(i + 1) >> 56) as u8).collect())
}

#[test]
fn every_parcel_of_200_rounds_arrives() {
    for processes in 1..=6 {
        on_threads(processes, |hosts, me| {
            let mut network = connect(hosts, me);
            assert_eq!((network.process(), network.processes()), (me, processes));
            let pack =
                |process, bytes: Option<Vec<u8>>| bytes.map(|bytes| Parcel { process, bytes });
            for round in 0..200 {
                let sent = (0..processes).filter_map(|to| pack(to, parcel(round, me, to)));
                let received = network.exchange(sent.collect()).unwrap();
                let expected =
                    (0..processes).filter_map(|from| pack(from, parcel(round, from, me)));
                assert!(received == expected.collect::<Vec<_>>(), "round {round} of process {me}");
            }
        });
    }
}

#[test]
fn a_parcel_of_64_mb_arrives_although_its_sender_leaves_at_once() {
    let bytes: Vec<u8> = (0..64_u32 << 20).map(|i| (i.wrapping_mul(i) >> 8) as u8).collect();
    on_threads(3, |hosts, me| {
        let sent = |process| Parcel { process, bytes: bytes.clone() };
        let sent = if me == 0 { vec![sent(1), sent(2)] } else { Vec::new() };
        let received = connect(hosts, me).exchange(sent).unwrap();
        let expected =
            if me == 0 { Vec::new() } else { vec![Parcel { process: 0, bytes: bytes.clone() }] };
        assert!(received == expected, "process {me}");
    });
}

#[test]
fn a_parcel_above_the_limit_is_refused_and_the_run_goes_on() {
    on_threads(2, |hosts, me| {
        let mut network = connect(hosts, me);
        let bytes = vec![0; MAX_PARCEL_BYTES + 1];
        let error = network.exchange(vec![Parcel { process: 1 - me, bytes }]).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Call, Some(1 - me)));
        assert_eq!(network.exchange(Vec::new()), Ok(Vec::new()));
    });
}

#[test]
fn each_different_field_of_a_hello_is_refused_on_both_sides() {
    for (name, range, _) in EQUAL_FIELDS {
        on_threads(3, |hosts, me| {
            let mut mine = HELLO.encode(3, me);
            // Process 1 differs from the others, which are refused by it and refuse it.
            mine[range.start] ^= u8::from(me == 1);
            let result = meet::meet(&listen(&hosts[me]), hosts, me, &mine, LONG);
            let error = result.expect_err(name);
            assert_eq!(error.kind, ErrorKind::Mismatch);
            assert!(if me == 1 { error.process != Some(1) } else { error.process == Some(1) });
            assert!(error.to_string().contains(name), "{error}");
        });
    }
}

#[test]
fn a_mismatch_names_both_values() {
    let errors = on_threads(2, |hosts, me| {
        let hello = Hello { atlas: 70 + me as u64, ..HELLO };
        Network::connect(hosts, me, hello, LONG).err().unwrap()
    });
    assert_eq!(errors[0].to_string(), "process 1: its atlas hash is 71, but 70 here");
    assert_eq!(errors[1].to_string(), "process 0: its atlas hash is 70, but 71 here");
    assert_eq!(errors[0].help(), "give every process the same atlas file");
}

#[test]
fn a_refused_process_does_not_wait_for_a_missing_one() {
    let hosts = local_hosts(3).unwrap();
    on_threads(2, |_, me| {
        let hello = Hello { atlas: me as u64, ..HELLO };
        let error = Network::connect(&hosts, me, hello, LONG).err().unwrap();
        assert_eq!((error.kind, error.process), (ErrorKind::Mismatch, Some(1 - me)));
    });
}

#[test]
fn other_lists_of_hosts_are_refused() {
    let errors = on_threads(2, |hosts, me| {
        let more = [hosts, &local_hosts(me).unwrap()].concat();
        Network::connect(&more, me, HELLO, LONG).err().unwrap()
    });
    assert_eq!(errors[0].to_string(), "process 1: its number of processes is 3, but 2 here");
    assert_eq!(errors[1].to_string(), "process 0: its number of processes is 2, but 3 here");

    // Process 1 takes the address of process 2 for that of process 0.
    let hosts = local_hosts(3).unwrap();
    let wrong = [hosts[2].clone(), hosts[1].clone(), hosts[0].clone()];
    thread::scope(|scope| {
        let mine = HELLO.encode(3, 2);
        let listener = listen(&hosts[2]);
        scope.spawn(move || meet::meet(&listener, &hosts, 2, &mine, SHORT).unwrap_err());
        let error = Network::connect(&wrong, 1, HELLO, LONG).err().unwrap();
        assert_eq!((error.kind, error.process), (ErrorKind::Mismatch, Some(0)), "{error}");
        assert!(error.to_string().contains("has index 2 instead of 0"), "{error}");
    });
}

/// Returns 7 open connections that say anything but the hello of a process that is missing.
fn strangers(host: &str, processes: usize) -> Vec<TcpStream> {
    let hello = |process| HELLO.encode(processes, process).to_vec();
    let texts = [
        Vec::new(),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        vec![0xFF; 1000],
        hello(1)[..HELLO_BYTES - 1].to_vec(),
        hello(0),
        hello(7),
        hello(usize::MAX),
    ];
    let connect = |text: Vec<u8>| {
        let mut socket = TcpStream::connect(host).unwrap();
        socket.write_all(&text).unwrap();
        socket
    };
    texts.into_iter().map(connect).collect()
}

#[test]
fn foreign_connections_do_not_disturb() {
    on_threads(2, |hosts, me| {
        let listener = listen(&hosts[me]);
        let mine = HELLO.encode(2, me);
        // The strangers of process 0 come before process 1, those of process 1 are never accepted.
        let _strangers = strangers(&hosts[me], 2);
        drop(TcpStream::connect(&hosts[me]).unwrap());
        let sockets = meet::meet(&listener, hosts, me, &mine, LONG).unwrap();
        let mut network = Network::new(sockets, me, LONG).unwrap();
        let sent = vec![Parcel { process: 1 - me, bytes: vec![me as u8] }];
        let received = network.exchange(sent).unwrap();
        assert_eq!(received, [Parcel { process: 1 - me, bytes: vec![1 - me as u8] }]);
    });
}

#[test]
fn missing_processes_are_named_after_the_limit() {
    let hosts = local_hosts(3).unwrap();
    let listener = listen(&hosts[1]);
    let _strangers = strangers(&hosts[1], 3);
    let error = meet::meet(&listener, &hosts, 1, &HELLO.encode(3, 1), SHORT).unwrap_err();
    assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(0)));
    let text = error.to_string();
    assert!(text.contains(&format!("missing after 0.2 s: process 0 at {}: ", hosts[0])), "{text}");
    assert!(text.contains(&format!("process 2 at {}: did not connect", hosts[2])), "{text}");
    assert!(text.ends_with("7 foreign connections were dropped"), "{text}");
}

#[test]
fn a_process_that_connects_twice_is_dropped_once() {
    let hosts = local_hosts(3).unwrap();
    let listener = listen(&hosts[0]);
    let mut twice = [(); 2].map(|()| TcpStream::connect(&hosts[0]).unwrap());
    twice.iter_mut().for_each(|socket| socket.write_all(&HELLO.encode(3, 1)).unwrap());
    let error = meet::meet(&listener, &hosts, 0, &HELLO.encode(3, 0), SHORT).unwrap_err();
    assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(2)));
    assert!(error.to_string().ends_with("1 foreign connections were dropped"), "{error}");
}

#[test]
fn processes_meet_among_300_silent_connections() {
    let hosts = local_hosts(2).unwrap();
    let listener = listen(&hosts[0]);
    thread::scope(|scope| {
        let first = scope.spawn(|| meet::meet(&listener, &hosts, 0, &HELLO.encode(2, 0), ENOUGH));
        let silent = |_| TcpStream::connect_timeout(&hosts[0].parse().unwrap(), ENOUGH).unwrap();
        let _silent: Vec<_> = (0..300).map(silent).collect();
        meet::meet(&listen(&hosts[1]), &hosts, 1, &HELLO.encode(2, 1), ENOUGH).unwrap();
        assert!(first.join().unwrap().unwrap()[1].is_some());
    });
}

#[test]
fn a_second_process_of_an_index_is_refused_and_the_first_one_stays() {
    let hosts = local_hosts(4).unwrap();
    let listener = listen(&hosts[0]);
    let meet = |listener: &TcpListener, process| {
        meet::meet(listener, &hosts[..3], process, &HELLO.encode(3, process), ENOUGH)
    };
    thread::scope(|scope| {
        let zero = scope.spawn(|| meet(&listener, 0));
        let greet = |process| {
            let mut socket = TcpStream::connect(&hosts[0]).unwrap();
            socket.write_all(&HELLO.encode(3, process)).unwrap();
            socket.read_exact(&mut [0; HELLO_BYTES]).unwrap();
            socket
        };
        let first = greet(1);
        let error = meet(&listen(&hosts[3]), 1).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Mismatch, Some(0)));
        assert_eq!(error.to_string(), "process 0: another process has the index 1 too");
        assert_eq!(error.help(), SAME_HOSTS);
        let _last = greet(2);
        let sockets = zero.join().unwrap().unwrap();
        let kept = sockets[1].as_ref().unwrap().peer_addr().unwrap();
        assert_eq!(kept, first.local_addr().unwrap());
    });
    // The address of a process that runs is taken.
    let _running = Network::connect(&hosts[3..], 0, HELLO, LONG).unwrap();
    let error = Network::connect(&hosts[3..], 0, HELLO, LONG).err().unwrap();
    assert_eq!((error.kind, error.process), (ErrorKind::Options, Some(0)));
    assert!(error.help().ends_with("end the other process of this index"), "{}", error.help());
}

/// Several addresses that do not answer take one limit together.
#[cfg(target_os = "linux")]
#[test]
fn addresses_that_do_not_answer_do_not_prolong_the_limit() {
    let hosts = local_hosts(3).unwrap();
    let full = |host: &String| {
        let listener = TcpListener::bind(host).unwrap();
        let connect = || TcpStream::connect_timeout(&host.parse().unwrap(), SHORT).ok();
        (std::iter::from_fn(connect).collect::<Vec<_>>(), listener)
    };
    let _full = [full(&hosts[0]), full(&hosts[1])];
    let error = meet::meet(&listen(&hosts[2]), &hosts, 2, &HELLO.encode(3, 2), SHORT).unwrap_err();
    assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(0)));
    let never = format!("process 1 at {}: did not connect", hosts[1]);
    assert!(error.to_string().contains(&never), "{error}");
}

#[test]
fn an_address_that_cannot_be_bound_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = taken.local_addr().unwrap().to_string();
    for host in [host, "localhost".into(), "203.0.113.1:9".into(), String::new()] {
        let error = Network::connect(std::slice::from_ref(&host), 0, HELLO, LONG).err().unwrap();
        assert_eq!((error.kind, error.process), (ErrorKind::Options, Some(0)));
        assert!(error.to_string().contains(&format!("address {host} cannot be bound")), "{error}");
    }
    let error = Network::connect(&[], 1, HELLO, LONG).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Options);
}

#[test]
fn garbage_after_the_hello_is_reported_at_once() {
    let good = || Message::new(1, 0, Some(vec![5; 100]));
    let mut long = frame(0, &good());
    long[32..40].copy_from_slice(&(MAX_PARCEL_BYTES as u64 + 25).to_be_bytes());
    let mut short = frame(0, &good());
    short[32..40].copy_from_slice(&23_u64.to_be_bytes());
    let mut corrupt = frame(0, &good());
    *corrupt.last_mut().unwrap() ^= 1;
    let texts = [
        (vec![0xAB; 48], "header of frame 0"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".to_vec(), "header of frame 0"),
        (long, "header of frame 0"),
        (short, "header of frame 0"),
        (frame(1, &good()), "header of frame 0"),
        (corrupt, "message of 100 bytes has a wrong checksum"),
        (frame(0, &Message::new(1, 1, None)), "round 1 instead of 0"),
    ];
    for (text, cause) in texts {
        let error = error_after(LONG, |socket| socket.write_all(&text).unwrap());
        assert_eq!((error.kind, error.process), (ErrorKind::Garbage, Some(1)), "{error}");
        assert!(error.to_string().contains(cause), "{error}");
    }
    let unknown = frame(0, &Message::new(9, 0, None));
    let error = error_after(LONG, |socket| socket.write_all(&unknown).unwrap());
    assert!(error.to_string().contains("unknown sender"), "{error}");
}

#[test]
fn a_vanished_process_is_named_at_once() {
    let message = frame(0, &Message::new(1, 0, Some(vec![5; 3_000_000])));
    // Before a frame, in its header, in the header of the message, in its bytes.
    for sent in [0, 20, 60, 1000, 2_500_000] {
        let error = error_after(LONG, |socket| {
            socket.write_all(&message[..sent]).unwrap();
            socket.shutdown(Shutdown::Both).unwrap();
        });
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)), "{error}");
    }
}

#[test]
fn all_others_name_the_process_that_vanished() {
    for _ in 0..10 {
        on_threads(4, |hosts, me| {
            if me == 2 {
                return drop(intrude(hosts, me));
            }
            let mut network = connect(hosts, me);
            let error = network.exchange(Vec::new()).unwrap_err();
            assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(2)), "{error}");
            assert_eq!(network.exchange(Vec::new()), Err(error));
        });
    }
}

#[test]
fn a_silent_process_is_named_after_the_limit() {
    let error = error_after(SHORT, |_| {});
    assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)));
    let text = error.to_string();
    assert!(text.contains("no message of round 0 within 0.2 s"), "{text}");
}

#[test]
fn a_silent_process_that_takes_no_bytes_does_not_block_the_drop() {
    on_threads(2, |hosts, me| {
        if me == 1 {
            // The end of process 0 closes the connection: only then this thread reads.
            let mut socket = intrude(hosts, me).swap_remove(0).unwrap();
            return drop(socket.write_all(&vec![0xAB; 100_000_000]));
        }
        let mut network = connect(hosts, me);
        let sent = vec![Parcel { process: 1, bytes: vec![7; 100_000_000] }];
        assert_eq!(network.exchange(sent).unwrap_err().kind, ErrorKind::Garbage);
    });
}

#[test]
fn the_others_learn_from_a_process_with_a_short_limit() {
    on_threads(3, |hosts, me| {
        if me == 2 {
            let sockets = intrude(hosts, me);
            for mut socket in sockets.into_iter().flatten() {
                let _ = socket.read_to_end(&mut Vec::new());
            }
            return;
        }
        let mine = HELLO.encode(3, me);
        let sockets = meet::meet(&listen(&hosts[me]), hosts, me, &mine, LONG).unwrap();
        let mut network = Network::new(sockets, me, if me == 0 { SHORT } else { LONG }).unwrap();
        let error = network.exchange(Vec::new()).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(2)), "{error}");
        assert_eq!(me == 1, error.to_string().contains("process 0 left the run because of it"));
    });
}

#[test]
fn a_process_that_left_or_panicked_is_named() {
    on_threads(2, |hosts, me| {
        let mut network = connect(hosts, me);
        assert_eq!(network.exchange(Vec::new()), Ok(Vec::new()));
        if me == 0 {
            let error = network.exchange(Vec::new()).unwrap_err();
            assert_eq!(error.to_string(), "process 1: it left the run");
        }
    });
    on_threads(2, |hosts, me| {
        let mut network = connect(hosts, me);
        if me == 0 {
            let error = network.exchange(Vec::new()).unwrap_err();
            assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)), "{error}");
        } else {
            let game = panic::AssertUnwindSafe(move || {
                let _network = network;
                panic::resume_unwind(Box::new("a fault of the game"));
            });
            assert!(panic::catch_unwind(game).is_err());
        }
    });
}

#[test]
fn the_fields_of_a_hello_cover_it() {
    let mut fields: Vec<Range<usize>> = EQUAL_FIELDS.map(|(_, range, _)| range).to_vec();
    fields.push(PROCESS);
    fields.sort_by_key(|range| range.start);
    assert!(fields.windows(2).all(|pair| pair[0].end == pair[1].start), "{fields:?}");
    assert_eq!((fields[0].start, fields[fields.len() - 1].end), (8, HELLO_BYTES));
}
