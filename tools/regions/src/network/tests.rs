use super::meet::{EQUAL_FIELDS, HELLO_BYTES, PROCESS};
use super::*;
use crate::game::on_threads;
use crate::launch::local_hosts;
use std::net::TcpListener;
use std::ops::Range;
use std::panic;

/// A limit that no test reaches.
const LONG: Duration = Duration::from_secs(3600);
/// The limit of the tests that wait for it.
const SHORT: Duration = Duration::from_millis(200);
const HELLO: Hello = Hello { run: 1, atlas: 2, options: 3, purpose: Purpose::Play };

fn open(hosts: &[String], process: usize) -> Network {
    Network::open(hosts, process, HELLO, 0, LONG).unwrap()
}

/// Opens the address of a process again that has closed it, to resume after a round.
fn resumed(hosts: &[String], process: usize, round: u64) -> Network {
    let hello = Hello { purpose: Purpose::Resume, ..HELLO };
    loop {
        match Network::open(hosts, process, hello, round, LONG) {
            Ok(network) => return network,
            Err(_) => thread::yield_now(),
        }
    }
}

/// Swaps parcels with other processes.
fn swap(network: &mut Network, sent: &[(usize, Vec<u8>)]) -> Result<Vec<Vec<u8>>, Error> {
    network.round += 1;
    sent.iter().try_for_each(|(to, bytes)| network.send(*to, bytes))?;
    sent.iter().map(|(from, _)| network.receive(*from)).collect()
}

fn nothing_for(others: impl IntoIterator<Item = usize>) -> Vec<(usize, Vec<u8>)> {
    others.into_iter().map(|other| (other, Vec::new())).collect()
}

/// Greets a process as another one does that breaks the rules from then on.
fn intrude(host: &str, processes: usize, process: usize) -> TcpStream {
    let mine = HELLO.encode(processes, process, 0);
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match meet::call(host, &mine, GRACE) {
            Ok((socket, _)) => return socket,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        thread::yield_now();
    }
}

/// Runs process 0 against `intruder`, which is process 1 and has the socket to process 0.
fn error_after(limit: Duration, intruder: impl Fn(&mut TcpStream) + Sync) -> Error {
    let errors = on_threads(2, |hosts, process| {
        if process == 0 {
            let mut network = Network::open(hosts, process, HELLO, 0, limit).unwrap();
            return swap(&mut network, &nothing_for([1])).err();
        }
        let mut socket = intrude(&hosts[0], 2, 1);
        intruder(&mut socket);
        // The test ends only if process 0 closes its socket.
        let _ = socket.read_to_end(&mut Vec::new());
        None
    });
    errors.into_iter().flatten().next().expect("process 0 noticed nothing")
}

/// Returns the parcel that process `from` sends to process `to`.
fn parcel(round: u64, from: usize, to: usize) -> Vec<u8> {
    let seed = xxh3_64_with_seed(&[from as u8, to as u8], round);
    let size = seed as usize % [1, 3, 1000, 100_001][(seed >> 60) as usize % 4];
    (0..size as u64).map(|i| (seed.wrapping_mul(i + 1) >> 56) as u8).collect()
}

/// Whether 2 processes exchange parcels in a round.
fn is_pair(round: u64, a: usize, b: usize) -> bool {
    let seed = xxh3_64_with_seed(&[a.min(b) as u8, a.max(b) as u8], !round);
    a != b && !seed.is_multiple_of(3)
}

#[test]
fn every_parcel_of_200_rounds_arrives_between_changing_processes() {
    for processes in 1..=6 {
        on_threads(processes, |hosts, me| {
            let mut network = open(hosts, me);
            for round in 1..200 {
                let others = (0..processes).filter(|&other| is_pair(round, me, other));
                let sent: Vec<_> = others.map(|to| (to, parcel(round, me, to))).collect();
                let came = swap(&mut network, &sent).unwrap();
                let expected = sent.iter().map(|&(from, _)| parcel(round, from, me));
                assert!(came.into_iter().eq(expected), "round {round} of process {me}");
            }
        });
    }
}

#[test]
fn a_parcel_of_64_mb_arrives_although_its_sender_leaves_at_once() {
    let bytes: Vec<u8> = (0..64_u32 << 20).map(|i| (i.wrapping_mul(i) >> 8) as u8).collect();
    on_threads(3, |hosts, me| {
        let mut network = open(hosts, me);
        network.round = 1;
        if me == 0 {
            for other in [1, 2] {
                network.send(other, &bytes).unwrap();
                assert_eq!(network.receive(other), Ok(Vec::new()));
            }
        } else {
            network.send(0, &[]).unwrap();
            assert!(network.receive(0).unwrap() == bytes, "process {me}");
        }
    });
}

#[test]
fn a_parcel_above_the_limit_is_refused_and_the_run_goes_on() {
    on_threads(2, |hosts, me| {
        let mut network = open(hosts, me);
        let error = network.send(1 - me, &vec![0; MAX_PARCEL_BYTES + 1]).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Call, Some(1 - me)));
        assert_eq!(swap(&mut network, &nothing_for([1 - me])), Ok(vec![Vec::new()]));
    });
}

#[test]
fn each_different_field_of_a_hello_is_refused_on_both_sides() {
    for (name, range, help) in EQUAL_FIELDS {
        let mut other = HELLO.encode(2, 1, 0);
        other.0[range.start] ^= 1;
        let hosts = local_hosts(1).unwrap();
        let both = [hosts[0].clone(), "127.0.0.1:1".into()];
        let mut network = open(&both, 0);
        thread::scope(|scope| {
            let called = scope.spawn(|| meet::call(&both[0], &other, GRACE).unwrap().1);
            let error = swap(&mut network, &nothing_for([1])).unwrap_err();
            assert_eq!((error.kind, error.process), (ErrorKind::Mismatch, Some(1)));
            assert!(error.to_string().contains(&format!("its {name} is ")), "{error}");
            assert_eq!(error.help(), help);
            let answer = called.join().unwrap().difference(&other, Some(0)).unwrap();
            assert!(answer.to_string().contains(name), "{answer}");
        });
    }
}

#[test]
fn another_list_of_hosts_is_refused() {
    // Process 1 takes the address of process 2 for that of process 0.
    let hosts = local_hosts(3).unwrap();
    let wrong = [hosts[2].clone(), hosts[1].clone(), hosts[0].clone()];
    let mut two = Network::open(&hosts, 2, HELLO, 0, SHORT).unwrap();
    let mut one = open(&wrong, 1);
    thread::scope(|scope| {
        scope.spawn(move || swap(&mut two, &nothing_for([0])).unwrap_err());
        let error = swap(&mut one, &nothing_for([0])).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Mismatch, Some(0)), "{error}");
        assert!(error.to_string().contains("has index 2 instead of 0"), "{error}");
    });
}

/// Returns 7 open connections that say anything but the hello of a process that is missing.
fn strangers(host: &str, processes: usize) -> Vec<TcpStream> {
    let hello = |process| HELLO.encode(processes, process, 0).0.to_vec();
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
        let mut network = open(hosts, me);
        let _strangers = strangers(&hosts[me], 2);
        drop(TcpStream::connect(&hosts[me]).unwrap());
        for _ in 0..3 {
            let came = swap(&mut network, &[(1 - me, vec![me as u8])]).unwrap();
            assert_eq!(came, [[1 - me as u8]]);
        }
    });
}

#[test]
fn processes_meet_among_300_silent_connections() {
    on_threads(2, |hosts, me| {
        let mut network = open(hosts, me);
        let silent = |_| TcpStream::connect(&hosts[me]).unwrap();
        let _silent: Vec<_> = (0..300).map(silent).collect();
        assert_eq!(swap(&mut network, &nothing_for([1 - me])), Ok(vec![Vec::new()]));
    });
}

#[test]
fn a_missing_process_is_named_after_the_limit() {
    let hosts = local_hosts(2).unwrap();
    for (me, state) in [(0, "did not connect; "), (1, "refused")] {
        let mut network = Network::open(&hosts, me, HELLO, 0, SHORT).unwrap();
        let error = swap(&mut network, &nothing_for([1 - me])).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1 - me)));
        let text = error.to_string();
        let missing = format!("missing at {} after 0.2 s: ", hosts[1 - me]);
        assert!(text.contains(&missing) && text.contains(state), "{text}");
    }
}

/// Process 0 waits for process 1, which waits for process 2, which is missing.
#[test]
fn the_process_that_is_missing_is_named_by_those_that_wait_for_others() {
    let hosts = local_hosts(3).unwrap();
    on_threads(2, |_, me| {
        let mut network = Network::open(&hosts, me, HELLO, 0, 3 * SHORT).unwrap();
        let both = nothing_for([1 - me]);
        swap(&mut network, &both).unwrap();
        network.round += 1;
        let error = network.receive(1 + me).unwrap_err();
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(2)), "{error}");
    });
}

#[test]
fn a_second_process_of_an_index_is_refused_and_the_first_one_stays() {
    let hosts = local_hosts(3).unwrap();
    let first_two = hosts[..2].to_vec();
    let (mut zero, mut one) = (open(&first_two, 0), open(&first_two, 1));
    thread::scope(|scope| {
        scope.spawn(|| swap(&mut one, &nothing_for([0])).unwrap());
        swap(&mut zero, &nothing_for([1])).unwrap();
    });
    thread::scope(|scope| {
        // The second one has an address of its own.
        let second = [hosts[0].clone(), hosts[2].clone()];
        let again = scope.spawn(move || {
            let mut again = open(&second, 1);
            swap(&mut again, &nothing_for([0])).unwrap_err()
        });
        zero.round += 1;
        zero.send(1, &[1]).unwrap();
        let until = Instant::now() + LONG;
        while !again.is_finished() && Instant::now() < until {
            zero.pump(REDIAL);
        }
        let error = again.join().unwrap();
        assert_eq!((error.kind, error.process), (ErrorKind::Mismatch, Some(0)));
        assert_eq!(error.to_string(), "process 0: another process has the index 1 too");
        assert_eq!(error.help(), SAME_HOSTS);
        let other = scope.spawn(|| swap(&mut one, &nothing_for([0])).unwrap());
        assert_eq!(zero.receive(1), Ok(Vec::new()));
        assert_eq!(other.join().unwrap(), [[1]]);
    });
    // The address of a process that runs is taken.
    let error = Network::open(&first_two, 0, HELLO, 0, LONG).err().unwrap();
    assert_eq!((error.kind, error.process), (ErrorKind::Options, Some(0)));
    assert!(error.help().ends_with("end the other process of this index"), "{}", error.help());
}

#[test]
fn an_address_that_cannot_be_bound_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = taken.local_addr().unwrap().to_string();
    for host in [host, "localhost".into(), "203.0.113.1:9".into(), String::new()] {
        let hosts = std::slice::from_ref(&host);
        let error = Network::open(hosts, 0, HELLO, 0, LONG).err().unwrap();
        assert_eq!((error.kind, error.process), (ErrorKind::Options, Some(0)));
        assert!(error.to_string().contains(&format!("address {host} cannot be bound")), "{error}");
    }
    let error = Network::open(&[], 1, HELLO, 0, LONG).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Options);
}

#[test]
fn garbage_after_the_hello_is_reported_at_once() {
    let good = || frame(PARCEL, 1, &[5; 100]);
    let [mut long, mut corrupt] = [good(), good()];
    long[16..24].copy_from_slice(&(MAX_PARCEL_BYTES as u64 + 1).to_le_bytes());
    *corrupt.last_mut().unwrap() ^= 1;
    let texts = [
        (vec![0xAB; 48], "the header of a frame"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".to_vec(), "header of a frame"),
        (long, "header of a frame"),
        (corrupt, "frame of 100 bytes has a wrong checksum"),
        (frame(PARCEL, 7, &[]), "round 7 instead of 1"),
    ];
    for (text, cause) in texts {
        let error = error_after(LONG, |socket| socket.write_all(&text).unwrap());
        assert_eq!((error.kind, error.process), (ErrorKind::Garbage, Some(1)), "{error}");
        assert!(error.to_string().contains(cause), "{error}");
    }
}

#[test]
fn a_vanished_process_is_named_at_once() {
    let message = frame(PARCEL, 1, &vec![5; 3_000_000]);
    // Before a frame, in its header, and in its bytes.
    for sent in [0, 20, 60, 2_500_000] {
        let error = error_after(LONG, |socket| {
            socket.write_all(&message[..sent]).unwrap();
            socket.shutdown(Shutdown::Both).unwrap();
        });
        assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)), "{error}");
    }
}

/// The error reaches process 3 through those that it is connected to.
#[test]
fn all_others_name_the_process_that_vanished() {
    for _ in 0..10 {
        let ready = std::sync::Barrier::new(4);
        let errors = on_threads(4, |hosts, me| {
            let mut network = open(hosts, me);
            let beside: Vec<usize> =
                [me.checked_sub(1), Some(me + 1)].into_iter().flatten().collect();
            let beside = nothing_for(beside.into_iter().filter(|&other| other < 4));
            swap(&mut network, &beside).unwrap();
            // All are connected then.
            ready.wait();
            if me == 1 {
                network.abandon();
                return None;
            }
            let error = loop {
                if let Err(error) = swap(&mut network, &beside) {
                    break error;
                }
            };
            assert_eq!(network.receive(0), Err(error.clone()));
            Some(error)
        });
        for error in errors.into_iter().flatten() {
            assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)), "{error}");
        }
    }
}

#[test]
fn a_silent_process_is_named_after_the_limit() {
    let error = error_after(SHORT, |_| {});
    assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)));
    let text = error.to_string();
    assert!(text.contains("no parcel of round 1 within 0.2 s"), "{text}");
}

#[test]
fn a_process_that_takes_no_bytes_is_named_after_the_limit() {
    let hosts = local_hosts(1).unwrap();
    let both = [hosts[0].clone(), "127.0.0.1:1".into()];
    let mut network = Network::open(&both, 0, HELLO, 0, SHORT).unwrap();
    let _silent = thread::scope(|scope| {
        let silent = scope.spawn(|| intrude(&both[0], 2, 1));
        network.round = 1;
        while !network.peers.get(&1).is_some_and(|peer| peer.has_met) {
            network.pump(SHORT);
        }
        silent.join().unwrap()
    });
    network.send(1, &vec![7; 100_000_000]).unwrap();
    let error = network.receive(1).unwrap_err();
    assert_eq!((error.kind, error.process), (ErrorKind::Lost, Some(1)), "{error}");
}

#[test]
fn a_process_that_left_or_panicked_is_named() {
    on_threads(2, |hosts, me| {
        let mut network = open(hosts, me);
        assert!(swap(&mut network, &nothing_for([1 - me])).is_ok());
        if me == 0 {
            let error = swap(&mut network, &nothing_for([1])).unwrap_err();
            assert_eq!(error.to_string(), "process 1: it left the run");
        }
    });
    on_threads(2, |hosts, me| {
        let mut network = open(hosts, me);
        assert!(swap(&mut network, &nothing_for([1 - me])).is_ok());
        if me == 0 {
            let error = swap(&mut network, &nothing_for([1])).unwrap_err();
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

/// A process that is lost plays its rounds again, with what the others have kept, and what it sends twice is dropped.
#[test]
fn a_process_that_resumes_gets_the_parcels_again() {
    on_threads(3, |hosts, me| {
        let others = || (0..3).filter(|&other| other != me);
        let play = |network: &mut Network, until| {
            while network.round < until {
                let round = network.round + 1;
                let sent: Vec<_> = others().map(|to| (to, parcel(round, me, to))).collect();
                let came = swap(network, &sent).unwrap();
                assert!(came.into_iter().eq(others().map(|from| parcel(round, from, me))));
            }
        };
        let mut network = open(hosts, me);
        play(&mut network, 10);
        network.recover_from(11);
        // Process 1 is lost in different rounds, which the others may have begun.
        for lost in 12..20 {
            if me == 1 {
                play(&mut network, lost);
                network.round += 1;
                network.send(0, &parcel(lost + 1, 1, 0)).unwrap();
                network.abandon();
                drop(network);
                network = resumed(hosts, me, 10);
                network.recover_from(11);
            }
        }
        play(&mut network, 60);
    });
}

#[test]
fn a_process_that_resumes_too_early_is_refused() {
    let errors = on_threads(2, |hosts, me| {
        let mut network = open(hosts, me);
        network.recovers = true;
        for _ in 0..5 {
            swap(&mut network, &nothing_for([1 - me])).unwrap();
        }
        network.recover_from(6);
        if me == 1 {
            network.abandon();
            drop(network);
            network = resumed(hosts, me, 2);
        } else {
            network.limit = 5 * SHORT;
        }
        swap(&mut network, &nothing_for([1 - me])).unwrap_err()
    });
    assert_eq!((errors[1].kind, errors[1].process), (ErrorKind::Snapshot, Some(1)));
    assert!(errors[1].to_string().contains("asks for round 3, and parcels are kept from 6"));
    assert_eq!((errors[0].kind, errors[0].process), (ErrorKind::Lost, Some(1)));
}

#[test]
fn the_fields_of_a_hello_cover_it() {
    let mut fields: Vec<Range<usize>> = EQUAL_FIELDS.map(|(_, range, _)| range).to_vec();
    fields.push(PROCESS);
    fields.sort_by_key(|range| range.start);
    assert!(fields.windows(2).all(|pair| pair[0].end == pair[1].start), "{fields:?}");
    assert_eq!((fields[0].start, fields[fields.len() - 1].end), (8, HELLO_BYTES - 16));
}
