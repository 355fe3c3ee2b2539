//! 100 clients follow a plane of 2 processes over the loopback interface: each hears what comes, changes and goes in a
//! rectangle around its player.
//!
//! `cargo run -p hitmask-regions --example clients` prints what they have received.

use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Rect, World};
use hitmask_regions::{Options, Plane, PlaneId, View, local_hosts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

const CLIENTS: usize = 100;
const COLLIDERS: usize = 20_000;
const TICKS: u64 = 120;
const SIDE: f32 = 8000.0;

type Failure = Box<dyn Error + Send + Sync>;

/// What a client hears of a tick.
#[derive(Serialize, Deserialize)]
struct News {
    /// Those that came or changed: id and position.
    shown: Vec<(PlaneId, [f32; 2])>,
    went: Vec<PlaneId>,
    /// Number of colliders that the client has then, so that it can check.
    count: usize,
}

/// Returns the position of collider `i`, and its velocity in px per tick.
fn motion(i: usize) -> ([f32; 2], [f32; 2]) {
    let mixed = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let unit = |shift: u32| (mixed >> shift & 0xFFF) as f32 / 4096.0;
    ([unit(8) * SIDE, unit(20) * SIDE], [unit(32) * 6.0 - 3.0, unit(44) * 6.0 - 3.0])
}

/// Runs one process of the plane. Its clients' players are the first colliders that it inserts.
fn serve(hosts: &[String], process: usize, clients: &TcpListener) -> Result<(), Failure> {
    let bake = AtlasBuilder::new().mask("ship", Mask::disc(12)?);
    let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    let ship = Collider::new(atlas.sprite_id("ship").ok_or("the atlas has a ship")?);
    let options = Options::new(Rect::new(0, 0, SIDE as i32, SIDE as i32));
    let mut plane = Plane::<[f32; 2]>::join(hosts, process, World::new(atlas), options)?;
    let mut players: Vec<PlaneId> = Vec::new();
    for (at, velocity) in (0..COLLIDERS).map(motion) {
        if plane.is_here(at) {
            players.push(plane.insert(ship.at(at), velocity)?);
        }
    }
    let mut sockets: Vec<TcpStream> =
        clients.incoming().take(CLIENTS / 2).collect::<Result<_, _>>()?;
    let mut views = vec![View::default(); sockets.len()];
    for _ in 0..TICKS {
        plane.drive(|_, place, velocity| {
            let [x, y] = place.position;
            place.position = [x + velocity[0], y + velocity[1]].map(|p| p.rem_euclid(SIDE));
        })?;
        plane.tick()?;
        for (view, player) in views.iter_mut().zip(&players) {
            // A player that this process cannot see any more leaves its view where it was.
            if let Some(ship) = plane.get(*player) {
                let [x, y] = ship.position.map(|p| p as i32);
                view.look_at(Rect::new(x - 400, y - 300, x + 400, y + 300));
            }
        }
        plane.watch(&mut views)?;
        for (view, socket) in views.iter().zip(&mut sockets) {
            let shown = view.came().iter().chain(view.changed());
            let shown = shown.map(|(id, collider)| (*id, collider.position)).collect();
            let news = News { shown, went: view.went().to_vec(), count: view.seen().len() };
            let bytes = postcard::to_stdvec(&news)?;
            socket.write_all(&(bytes.len() as u32).to_le_bytes())?;
            socket.write_all(&bytes)?;
        }
    }
    Ok(())
}

/// Follows the plane, and returns the number of bytes and the colliders of the last tick.
fn follow(host: &str) -> Result<[usize; 2], Failure> {
    let mut socket = TcpStream::connect(host)?;
    let mut seen: BTreeMap<PlaneId, [f32; 2]> = BTreeMap::new();
    let mut received = 0;
    for _ in 0..TICKS {
        let mut length = [0; 4];
        socket.read_exact(&mut length)?;
        let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
        socket.read_exact(&mut bytes)?;
        received += bytes.len();
        let news: News = postcard::from_bytes(&bytes)?;
        seen.extend(news.shown);
        seen.retain(|id, _| news.went.binary_search(id).is_err());
        if seen.len() != news.count {
            return Err(format!("{} colliders instead of {}", seen.len(), news.count).into());
        }
    }
    Ok([received, seen.len()])
}

fn main() -> Result<(), Failure> {
    let hosts = &local_hosts(2)?;
    let doors = [TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?];
    let addresses = [doors[0].local_addr()?.to_string(), doors[1].local_addr()?.to_string()];
    thread::scope(|scope| {
        let servers: Vec<_> = doors
            .iter()
            .enumerate()
            .map(|(process, door)| scope.spawn(move || serve(hosts, process, door)))
            .collect();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| &addresses[client % 2])
            .map(|address| scope.spawn(move || follow(address)))
            .collect();
        let panicked = |_| Failure::from("a thread panicked");
        let (mut bytes, mut seen) = (0, 0);
        for client in clients {
            let [received, last] = client.join().map_err(panicked)??;
            bytes += received;
            seen += last;
        }
        servers.into_iter().try_for_each(|server| server.join().map_err(panicked)?)?;
        println!(
            "{CLIENTS} clients saw {} colliders each at the end, and received {} KB a tick each",
            seen / CLIENTS,
            bytes / CLIENTS / TICKS as usize / 1024
        );
        Ok(())
    })
}
