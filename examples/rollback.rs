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
use hitmask::{Angle, Atlas, AtlasBuilder, Collider, ColliderId, Mask, MaskId, Pair, Pivot, Rect};
use hitmask::{SpriteId, World};
use std::collections::VecDeque;
use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const FRAMES: i32 = 1000;
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const FIRE: u8 = 4;
// The sprites of the atlas are in the order of their names.
const COIN: SpriteId = SpriteId::new(0);
const SHIP: SpriteId = SpriteId::new(1);
const SHOT: SpriteId = SpriteId::new(2);
/// The layer of shots.
const SHOTS: u32 = 2;
/// The height of the ground's upper edge.
const GROUND_Y: i32 = 150;
/// Saves that are kept. A load goes back by at most 8 frames.
const SAVES: usize = 32;

/// The whole state is the world. User data hold the score of a ship, the player of a shot, and the frame of the coin.
struct Game {
    world: World,
    ships: [ColliderId; 2],
    coin: ColliderId,
    ground: MaskId,
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        let ship = "..#..\n.###.\n#####".parse()?;
        let bake = AtlasBuilder::new().mask("coin", Mask::disc(20)?);
        let bake = bake.mask("ship", ship).mask("shot", Mask::disc(2)?);
        let mut world = World::new(Atlas::from_vec(bake.to_bytes()?)?);
        let ground = world.masks_mut().insert(Mask::solid(256, 64)?, Pivot::HalfTexels(0, 0))?;
        world.insert(Collider::from_mask(ground).at([0.0, GROUND_Y as f32]).fixed())?;
        let coin = world.insert(Collider::new(COIN).at([128.0, 100.0]))?;
        let ship = Collider::new(SHIP).turned(Angle::turn(1 << 15));
        let ships = [world.insert(ship.at([60.0, 20.0]))?, world.insert(ship.at([190.0, 20.0]))?];
        Ok(Self { world, ships, coin, ground })
    }

    /// Plays one frame. `wind` is 0 but in the broken game.
    fn step(&mut self, inputs: [u8; 2], wind: f32) -> Result<(), Box<dyn Error>> {
        let Self { world, ships, coin, ground } = self;
        let (shot, gone) = (Collider::new(SHOT).on_layers(SHOTS, u32::MAX), "a collider is gone");
        let mut pickup = world.get(*coin).ok_or(gone)?;
        pickup.user_data += 1;
        world.set(*coin, pickup)?;
        for ((&ship, input), player) in ships.iter().zip(inputs).zip(0..) {
            let [x, y] = world.get(ship).ok_or(gone)?.position;
            let by = f32::from(input & RIGHT != 0) - f32::from(input & LEFT != 0);
            world.move_to(ship, [(x + 2.0 * by).clamp(0.0, 255.0), y])?;
            if input & FIRE != 0 && pickup.user_data.is_multiple_of(4) {
                world.insert(Collider { user_data: player, ..shot.at([x, y + 8.0]) })?;
            }
        }
        let shots: Vec<_> = world.iter().filter(|(_, it)| it.layers == SHOTS).collect();
        for (id, Collider { position: [x, y], .. }) in shots {
            world.move_to(id, [x + wind, y + 5.0])?;
            if y > 300.0 {
                world.remove(id);
            }
        }
        world.update();
        for Pair { a, b } in world.began().to_vec() {
            let is_shot = |id| world.get(id).filter(|it| it.layers == SHOTS);
            // A shot that has hit is gone from its other pairs.
            let hit = [(a, b), (b, a)].map(|(id, other)| Some((id, is_shot(id)?.user_data, other)));
            let Some((id, player, other)) = hit.into_iter().flatten().next() else { continue };
            let Some(contact) = world.contact(Pair { a, b }) else { continue };
            if other == *coin {
                let ship = ships[player as usize];
                let it = world.get(ship).ok_or(gone)?;
                world.set(ship, Collider { user_data: it.user_data + 1, ..it })?;
                world.move_to(*coin, [(20 + pickup.user_data * 37 % 216) as f32, 100.0])?;
            } else if world.get(other).is_some_and(|it| it.fixed) {
                let (x, y) = (contact.point.x, contact.point.y - GROUND_Y);
                let crater = Rect::new(x - 5, y - 5, x + 6, y + 6);
                world.masks_mut().edit(*ground, |mask| mask.fill_rect(crater, false));
            }
            world.remove(id);
        }
        Ok(())
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
    saves: Vec<(i32, World)>,
    is_broken: bool,
    /// The fault of the broken game: a part of its state that no save holds.
    wind: f32,
    /// What differed first between a frame and the same one played again.
    difference: Option<String>,
    /// Number and time of saves, loads and hashes.
    spent: [(u32, Duration); 3],
}

impl Runner {
    fn new(is_broken: bool) -> Result<Self, Box<dyn Error>> {
        let game = Game::new()?;
        let saves = vec![(-1, game.world.clone()); SAVES];
        Ok(Self { game, saves, is_broken, wind: 0.0, difference: None, spent: Default::default() })
    }

    fn handle(&mut self, requests: Vec<GgrsRequest<Types>>) -> Result<(), Box<dyn Error>> {
        let Self { game, saves, spent: [saving, loading, hashing], .. } = self;
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let (saved_frame, saved) = &mut saves[frame as usize % SAVES];
                    let hash = timed(hashing, || game.world.state_hash());
                    if *saved_frame == frame && self.difference.is_none() {
                        self.difference = saved.first_difference(&game.world);
                    }
                    *saved_frame = frame;
                    timed(saving, || saved.clone_from(&game.world));
                    cell.save(frame, Some(()), Some(hash.into()));
                }
                GgrsRequest::LoadGameState { frame, .. } => {
                    timed(loading, || game.world.clone_from(&saves[frame as usize % SAVES].1));
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    self.wind += if self.is_broken { 0.01 } else { 0.0 };
                    game.step([inputs[0].0, inputs[1].0], self.wind)?;
                }
            }
        }
        Ok(())
    }

    fn scores(&self) -> [u64; 2] {
        let score = |ship| self.game.world.get(ship).map_or(0, |it| it.user_data);
        self.game.ships.map(score)
    }

    fn report(&self) -> String {
        let us =
            |(count, time): (u32, Duration)| time.as_secs_f64() * 1e6 / f64::from(count.max(1));
        let ([saves, loads, _], [save, load, hash]) =
            (self.spent.map(|it| it.0), self.spent.map(us));
        format!(
            "{saves} saves of {save:.1} us, {loads} loads of {load:.1} us, hashes of {hash:.1} us; \
             scores {:?}",
            self.scores()
        )
    }
}

fn timed<R>(spent: &mut (u32, Duration), run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = run();
    *spent = (spent.0 + 1, spent.1 + start.elapsed());
    result
}

/// What a player presses: held for some frames, as fingers do.
fn input(frame: i32, player: usize) -> u8 {
    let held = (frame / 12 + 7 * player as i32).wrapping_mul(0x9e37) >> 5;
    (held & 3) as u8 | if held & 12 == 0 { 0 } else { FIRE }
}

fn sync_test(frames: i32, is_broken: bool) -> Result<Runner, Box<dyn Error>> {
    let builder = SessionBuilder::<Types>::new().with_num_players(2)?.with_check_distance(8);
    let mut session = builder.with_max_prediction_window(9).start_synctest_session()?;
    let mut runner = Runner::new(is_broken)?;
    for frame in 0..frames {
        for player in 0..2 {
            session.add_local_input(player, input(frame, player))?;
        }
        match session.advance_frame() {
            Err(GgrsError::MismatchedChecksum { .. }) if is_broken => break,
            requests => runner.handle(requests?)?,
        }
    }
    Ok(runner)
}

/// A socket that loses every 5th message and delays all by 4 polls.
struct LossyLine {
    socket: UdpNonBlockingSocket,
    sent: u32,
    delayed: VecDeque<Vec<(SocketAddr, Message)>>,
}

impl NonBlockingSocket<SocketAddr> for LossyLine {
    fn send_to(&mut self, message: &Message, to: &SocketAddr) {
        self.sent += 1;
        if !self.sent.is_multiple_of(5) {
            self.socket.send_to(message, to);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.delayed.push_back(self.socket.receive_all_messages());
        self.delayed.pop_front().unwrap_or_default()
    }
}

fn peer_to_peer(player: usize) -> Result<(), Box<dyn Error>> {
    let port = [7700, 7701];
    let socket = UdpNonBlockingSocket::bind_to_port(port[player])?;
    // Four polls without messages.
    let line = LossyLine { socket, sent: 0, delayed: VecDeque::from(vec![Vec::new(); 4]) };
    let remote = SocketAddr::from(([127, 0, 0, 1], port[1 - player]));
    let builder = SessionBuilder::<Types>::new().with_num_players(2)?.with_max_prediction_window(8);
    let builder = builder.add_player(PlayerType::Local, player)?;
    let builder = builder.add_player(PlayerType::Remote(remote), 1 - player)?;
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
            Err(GgrsError::PredictionThreshold) => continue,
            // The other player has left after its last frame.
            Err(_) if is_printed => break,
            requests => runner.handle(requests?)?,
        }
        let (frame, last) = &runner.saves[FRAMES as usize % SAVES];
        if !is_printed && *frame == FRAMES && session.confirmed_frame() > FRAMES + 1 {
            println!("frame {FRAMES}: {:016x}; {}", last.state_hash(), runner.report());
            is_printed = true;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["synctest"] => {
            println!("{FRAMES} frames agree: {}", sync_test(FRAMES, false)?.report());
        }
        ["broken"] => {
            let difference = sync_test(FRAMES, true)?.difference;
            println!("{difference:?} differs when a frame is played again");
        }
        ["p2p", player @ ("0" | "1")] => peer_to_peer(player.parse()?)?,
        _ => return Err("give `synctest`, `broken`, `p2p 0` or `p2p 1`".into()),
    }
    Ok(())
}

#[test]
fn frames_that_are_played_again_are_the_same() {
    let runner = sync_test(300, false).unwrap();
    assert_eq!(runner.difference, None);
    let [(saves, _), (loads, _), _] = runner.spent;
    assert!(saves > 2000 && loads > 250 && runner.scores() != [0; 2], "{}", runner.report());
}

#[test]
fn a_number_outside_of_the_state_is_found_and_the_collider_is_named() {
    let text = sync_test(300, true).unwrap().difference.unwrap();
    assert!(text.starts_with("collider ") && text.contains(": position.x "), "{text}");
}
