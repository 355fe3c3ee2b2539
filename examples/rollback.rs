//! Rollback netcode with the crate `ggrs`: two ships shoot at ground that breaks, and at pickups.
//!
//! ```text
//! cargo run --release --example rollback synctest   each of 1,000 frames is played 8 times again
//! cargo run --release --example rollback p2p 0      and `p2p 1` in a second terminal: a lossy, slow line
//! cargo run --release --example rollback broken     a number outside of the state, found and named
//! ```

use ggrs::{
    Config, GgrsError, GgrsRequest, Message, NonBlockingSocket, PlayerType, PredictRepeatLast,
    SessionBuilder, SessionState, UdpNonBlockingSocket,
};
use hitmask::{Atlas, AtlasBuilder, Collider, ColliderId, Mask, MaskId, Pair, Pivot, Rect, World};
use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const FRAMES: i32 = 1000;
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const FIRE: u8 = 4;
/// The height of the ground's upper edge.
const GROUND_Y: i32 = 150;
/// Saves that are kept. A load goes back by at most 8 frames.
const SAVES: usize = 32;

/// All that a frame depends on: the world, and what is not in it. Shots carry their player as user data.
struct Game {
    world: World,
    ships: [ColliderId; 2],
    pickup: ColliderId,
    ground: MaskId,
    scores: [u32; 2],
    frame: u32,
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Self { world: self.world.clone(), ..*self }
    }

    /// The derived one would call `World::clone`, which allocates.
    fn clone_from(&mut self, source: &Self) {
        let Self { world, ships, pickup, ground, scores, frame } = source;
        self.world.clone_from(world);
        (self.ships, self.pickup, self.ground) = (*ships, *pickup, *ground);
        (self.scores, self.frame) = (*scores, *frame);
    }
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        let (ship, shot) = ("..#..\n.###.\n#####".parse()?, Mask::disc(2)?);
        let bake =
            AtlasBuilder::new().mask("ship", ship).mask("shot", shot).mask("coin", Mask::disc(20)?);
        let mut world = World::new(Atlas::from_vec(bake.to_bytes()?)?);
        let mut ground = Mask::new(256, 64)?;
        ground.fill();
        let ground = world.masks_mut().insert(ground, Pivot::HalfTexels(0, 0))?;
        world.insert(Collider::from_mask(ground).at([0.0, GROUND_Y as f32]).fixed())?;
        let collider = |world: &World, name| {
            world.atlas().sprite_id(name).map(Collider::new).ok_or("no sprite")
        };
        let coin = collider(&world, "coin")?.at([128.0, 100.0]);
        let pickup = world.insert(coin)?;
        let ship = collider(&world, "ship")?.turned(hitmask::Angle::turn(1 << 15));
        let ships = [world.insert(ship.at([60.0, 20.0]))?, world.insert(ship.at([190.0, 20.0]))?];
        Ok(Self { world, ships, pickup, ground, scores: [0; 2], frame: 0 })
    }

    /// Plays one frame. `wind` is 0 but in the broken game.
    fn step(&mut self, inputs: [u8; 2], wind: f32) -> Result<(), Box<dyn Error>> {
        let Self { world, ships, pickup, ground, scores, frame } = self;
        *frame += 1;
        let shot = Collider::new(world.atlas().sprite_id("shot").ok_or("no shot")?);
        for ((&ship, input), player) in ships.iter().zip(inputs).zip(1..) {
            let [x, y] = world.get(ship).ok_or("no ship")?.position;
            let by = f32::from(input & RIGHT != 0) - f32::from(input & LEFT != 0);
            world.move_to(ship, [(x + 2.0 * by).clamp(0.0, 255.0), y])?;
            if input & FIRE != 0 && frame.is_multiple_of(4) {
                world.insert(Collider { user_data: player, ..shot.at([x, y + 8.0]) })?;
            }
        }
        let is_shot =
            |world: &World, id| world.get(id).filter(|it: &Collider| it.shape == shot.shape);
        let shots: Vec<(ColliderId, Collider)> =
            world.iter().filter(|(_, it)| it.shape == shot.shape).collect();
        for (id, Collider { position: [x, y], .. }) in shots {
            world.move_to(id, [x + wind, y + 5.0])?;
            if y > 300.0 {
                world.remove(id);
            }
        }
        world.update();
        for Pair { a, b } in world.began().to_vec() {
            // The shot of the pair, if it is still there, and what it hit.
            let shots = [(a, b), (b, a)].map(|(id, other)| Some((id, is_shot(world, id)?, other)));
            let Some((id, Collider { user_data, .. }, other)) = shots.into_iter().flatten().next()
            else {
                continue;
            };
            let Some(contact) = world.contact(Pair { a, b }) else { continue };
            if other == *pickup {
                scores[user_data as usize - 1] += 1;
                let x = 20 + *frame * 37 % 216;
                world.move_to(*pickup, [x as f32, 100.0])?;
            } else if world.get(other).is_some_and(|it| it.fixed) {
                let (x, y) = (contact.point.x, contact.point.y - GROUND_Y);
                world.masks_mut().edit(*ground, |mask| {
                    mask.fill_rect(Rect::new(x - 5, y - 5, x + 6, y + 6), false)
                });
            }
            world.remove(id);
        }
        Ok(())
    }

    fn checksum(&self) -> u128 {
        let numbers = self.scores.map(u64::from).into_iter().chain([self.frame.into()]);
        let hash =
            numbers.fold(self.world.state_hash(), |hash, number| hash.rotate_left(9) ^ number);
        hash.into()
    }
}

/// The types of a session. The saves lie in [`Runner`], so that each is written again in place.
struct Types;

impl Config for Types {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = SocketAddr;
}

struct Runner {
    game: Game,
    saves: Vec<(i32, Game)>,
    is_broken: bool,
    /// The fault of the broken game: a part of its state that no save holds.
    wind: f32,
    /// What differed first between a frame and the same one played again.
    difference: Option<String>,
    counts: [u32; 3],
    times: [Duration; 3],
}

impl Runner {
    fn new(is_broken: bool) -> Result<Self, Box<dyn Error>> {
        let game = Game::new()?;
        let saves = vec![(-1, game.clone()); SAVES];
        Ok(Self {
            game,
            saves,
            is_broken,
            wind: 0.0,
            difference: None,
            counts: [0; 3],
            times: Default::default(),
        })
    }

    fn timed<R>(&mut self, what: usize, run: impl FnOnce(&mut Self) -> R) -> R {
        let start = Instant::now();
        let result = run(self);
        self.times[what] += start.elapsed();
        self.counts[what] += 1;
        result
    }

    fn handle(&mut self, requests: Vec<GgrsRequest<Types>>) -> Result<(), Box<dyn Error>> {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let hash = self.timed(2, |it| it.game.checksum());
                    let (saved_frame, saved) = &self.saves[frame as usize % SAVES];
                    if *saved_frame == frame && self.difference.is_none() {
                        self.difference = saved.world.first_difference(&self.game.world);
                    }
                    self.timed(0, |Self { game, saves, .. }| {
                        let (saved_frame, saved) = &mut saves[frame as usize % SAVES];
                        *saved_frame = frame;
                        saved.clone_from(game);
                    });
                    cell.save(frame, Some(()), Some(hash));
                }
                GgrsRequest::LoadGameState { frame, .. } => {
                    self.timed(1, |it| it.game.clone_from(&it.saves[frame as usize % SAVES].1));
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    self.wind += if self.is_broken { 0.01 } else { 0.0 };
                    self.game.step([inputs[0].0, inputs[1].0], self.wind)?;
                }
            }
        }
        Ok(())
    }

    fn report(&self) -> String {
        let mean =
            |at: usize| self.times[at].as_secs_f64() * 1e6 / f64::from(self.counts[at].max(1));
        let [saves, loads, _] = self.counts;
        format!(
            "{saves} saves of {:.1} us, {loads} loads of {:.1} us, hashes of {:.1} us; scores {:?}",
            mean(0),
            mean(1),
            mean(2),
            self.game.scores
        )
    }
}

/// What a player presses: held for some frames, as fingers do.
fn input(frame: i32, player: usize) -> u8 {
    let held = (frame / 12 + 7 * player as i32).wrapping_mul(0x9e37) >> 5;
    (held & 3) as u8 | if held & 12 == 0 { 0 } else { FIRE }
}

fn sync_test(frames: i32, is_broken: bool) -> Result<Runner, Box<dyn Error>> {
    let builder = SessionBuilder::<Types>::new()
        .with_num_players(2)?
        .with_check_distance(8)
        .with_max_prediction_window(9);
    let (mut session, mut runner) = (builder.start_synctest_session()?, Runner::new(is_broken)?);
    for frame in 0..frames {
        for player in 0..2 {
            session.add_local_input(player, input(frame, player))?;
        }
        match session.advance_frame() {
            Ok(requests) => runner.handle(requests)?,
            Err(GgrsError::MismatchedChecksum { .. }) if is_broken => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(runner)
}

/// A socket that loses every 5th message and delays all by 4 polls.
struct LossyLine {
    socket: UdpNonBlockingSocket,
    sent: u32,
    polls: u32,
    delayed: Vec<(u32, SocketAddr, Message)>,
}

impl NonBlockingSocket<SocketAddr> for LossyLine {
    fn send_to(&mut self, message: &Message, to: &SocketAddr) {
        self.sent += 1;
        if !self.sent.is_multiple_of(5) {
            self.socket.send_to(message, to);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.polls += 1;
        let due = self.polls + 4;
        self.delayed.extend(
            self.socket.receive_all_messages().into_iter().map(|(from, it)| (due, from, it)),
        );
        let arrived = self.delayed.partition_point(|(due, ..)| *due <= self.polls);
        self.delayed.drain(..arrived).map(|(_, from, message)| (from, message)).collect()
    }
}

fn peer_to_peer(player: usize) -> Result<(), Box<dyn Error>> {
    let port = |player: usize| 7700 + player as u16;
    let socket = UdpNonBlockingSocket::bind_to_port(port(player))?;
    let line = LossyLine { socket, sent: 0, polls: 0, delayed: Vec::new() };
    let remote = SocketAddr::from(([127, 0, 0, 1], port(1 - player)));
    let builder = SessionBuilder::<Types>::new().with_num_players(2)?.with_max_prediction_window(8);
    let builder = builder
        .add_player(PlayerType::Local, player)?
        .add_player(PlayerType::Remote(remote), 1 - player)?;
    let (mut session, mut runner) = (builder.start_p2p_session(line)?, Runner::new(false)?);
    let mut is_printed = false;
    // Plays on after the last frame, so that the other player gets all inputs.
    while session.current_frame() < FRAMES + 120 {
        session.poll_remote_clients();
        std::thread::sleep(Duration::from_millis(3));
        if session.current_state() != SessionState::Running {
            continue;
        }
        session.add_local_input(player, input(session.current_frame(), player))?;
        match session.advance_frame() {
            Ok(requests) => runner.handle(requests)?,
            Err(GgrsError::PredictionThreshold) => continue,
            // The other player has left after its last frame.
            Err(_) if is_printed => break,
            Err(error) => return Err(error.into()),
        }
        let (frame, last) = &runner.saves[FRAMES as usize % SAVES];
        if !is_printed && *frame == FRAMES && session.confirmed_frame() > FRAMES + 1 {
            println!("frame {FRAMES}: {:032x}; {}", last.checksum(), runner.report());
            is_printed = true;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["synctest"] => {
            println!("{FRAMES} frames agree: {}", sync_test(FRAMES, false)?.report())
        }
        ["broken"] => println!(
            "{:?} differs when a frame is played again",
            sync_test(FRAMES, true)?.difference
        ),
        ["p2p", player @ ("0" | "1")] => peer_to_peer(player.parse()?)?,
        _ => return Err("give `synctest`, `broken`, `p2p 0` or `p2p 1`".into()),
    }
    Ok(())
}

#[test]
fn frames_that_are_played_again_are_the_same() {
    let runner = sync_test(300, false).unwrap();
    assert_eq!(runner.difference, None);
    let [saves, loads, _] = runner.counts;
    assert!(saves > 2000 && loads > 250 && runner.game.scores != [0; 2], "{}", runner.report());
}

#[test]
fn a_number_outside_of_the_state_is_found_and_the_collider_is_named() {
    let difference = sync_test(300, true).unwrap().difference.unwrap();
    assert!(
        difference.starts_with("collider ") && difference.contains(": position.x "),
        "{difference}"
    );
}
