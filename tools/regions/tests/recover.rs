//! Processes that are lost, come and go while a plane plays: each tick equals that of one world.

use hitmask::{Atlas, Rect, World};
use hitmask_regions::game::{self, Game, PlayedPlane, PlayedWorld, Seen};
use hitmask_regions::{Error, ErrorKind, Options, Plane, local_hosts};
use hitmask_scenes::{Folder, Random};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

const SIDE: f32 = 700.0;
const COLLIDERS: usize = 80;
/// Ticks from one snapshot to the next.
const EVERY: u64 = 7;

fn atlas() -> Atlas {
    static ATLAS: LazyLock<Atlas> = LazyLock::new(game::atlas);
    ATLAS.clone()
}

/// What each process saw in a tick, and its input.
type OfProcesses = BTreeMap<usize, (Seen, u32)>;

/// A game of processes that are threads, each of which has its own plane.
struct Run {
    seed: u64,
    hosts: Vec<String>,
    options: Options,
    folder: Folder,
    /// What each process saw in each tick, and its input.
    seen: Mutex<BTreeMap<u64, OfProcesses>>,
    breaks: AtomicU32,
}

impl Run {
    fn new(name: &str, seed: u64, processes: usize, spare: u16) -> Self {
        let mut options = Options::new(Rect::new(0, 0, SIDE as i32, SIDE as i32));
        (options.run, options.halo, options.rebalance) = (seed, 9, 5);
        (options.spare, options.recovers) = (spare, true);
        options.limit = Duration::from_secs(20);
        Self {
            seed,
            hosts: local_hosts(processes).unwrap(),
            options,
            folder: Folder::new(&format!("regions-{name}-{seed}")),
            seen: Mutex::default(),
            breaks: AtomicU32::new(0),
        }
    }

    fn game(&self) -> Game {
        Game::new(self.seed, &atlas(), SIDE)
    }

    fn begin(&self, process: usize) -> Result<PlayedPlane, Error> {
        let world = World::new(atlas());
        let plane = Plane::join(&self.hosts, process, world, self.options.clone())?;
        PlayedPlane::new(plane, self.game(), COLLIDERS)
    }

    fn rejoin(&self, process: usize) -> Result<PlayedPlane, Error> {
        let (world, options) = (World::new(atlas()), self.options.clone());
        let plane = Plane::rejoin(&self.hosts, process, world, options, self.folder.root())?;
        Ok(PlayedPlane::resume(plane, self.game()))
    }

    /// Plays until `ends`, which the planes of all processes tell in the same tick.
    fn play(
        &self,
        played: &mut PlayedPlane,
        ends: &impl Fn(&mut Plane<u64>) -> bool,
    ) -> Result<(), Error> {
        let process = played.plane.process();
        while !ends(&mut played.plane) {
            let tick = played.plane.ticks();
            // What a player sends, which differs each time.
            let input = played.plane.inputs(|| self.breaks.load(Ordering::Relaxed))?;
            let seen = played.tick()?;
            let mut all = self.seen.lock().unwrap();
            let now = (seen, input);
            let before = all.entry(tick).or_default().insert(process, now);
            assert!(before.is_none_or(|before| before == now), "{tick}: {before:?}, {now:?}");
            drop(all);
            if played.plane.ticks() % EVERY == 1 {
                played.plane.save(self.folder.root())?;
            }
        }
        Ok(())
    }

    /// Plays as one process that breaks down `breaks` times, in rounds that `random` chooses.
    fn live(
        &self,
        process: usize,
        breaks: u32,
        ends: impl Fn(&mut Plane<u64>) -> bool,
        may_break: impl Fn(&Plane<u64>) -> bool,
    ) {
        let mut random = Random::new(self.seed * 64 + process as u64);
        let is_spare = process >= self.hosts.len() - usize::from(self.options.spare);
        let mut played = if is_spare { self.rejoin(process) } else { self.begin(process) }.unwrap();
        for broken in 0..=breaks {
            if broken == breaks {
                return self.play(&mut played, &ends).unwrap();
            }
            // Nothing resumes before the first snapshot.
            self.play(&mut played, &|plane| plane.ticks() > EVERY + 1 || ends(plane)).unwrap();
            if !may_break(&played.plane) {
                return self.play(&mut played, &ends).unwrap();
            }
            played.plane.break_in(u64::from(random.below(250)));
            match self.play(&mut played, &|plane| ends(plane) || !may_break(plane)) {
                Ok(()) => {
                    played.plane.break_in(u64::MAX / 2);
                    return self.play(&mut played, &ends).unwrap();
                }
                Err(error) => assert_eq!(
                    (error.kind, error.process),
                    (ErrorKind::Lost, Some(process)),
                    "{error}"
                ),
            }
            self.breaks.fetch_add(1, Ordering::Relaxed);
            drop(played);
            played = self.rejoin(process).unwrap();
        }
    }

    /// Returns the number of ticks, each of which one world played alike.
    fn compare(self) -> u64 {
        let atlas = atlas();
        let mut world = PlayedWorld::new(World::new(atlas), self.game(), COLLIDERS).unwrap();
        let seen = self.seen.into_inner().unwrap();
        for (i, (tick, of)) in seen.iter().enumerate() {
            let sum = of.values().fold(Seen::default(), |sum, (seen, _)| sum.plus(*seen));
            assert_eq!((i as u64, sum), (*tick, world.tick().unwrap()), "seed {}", self.seed);
        }
        seen.len() as u64
    }
}

fn is_heavy() -> bool {
    std::env::var_os("HITMASK_HEAVY").is_some()
}

#[test]
fn processes_that_break_down_lose_no_tick() {
    let mut broken = 0;
    for seed in 0..if is_heavy() { 12 } else { 2 } {
        let processes = 2 + seed as usize % 4;
        let run = Run::new("lost", seed, processes, 0);
        let ends = |plane: &mut Plane<u64>| plane.ticks() == 150;
        // The others are gone when the last tick is over.
        let may_break = |plane: &Plane<u64>| plane.ticks() < 140;
        std::thread::scope(|scope| {
            for process in 0..processes {
                let run = &run;
                scope.spawn(move || run.live(process, 3, ends, may_break));
            }
        });
        broken += run.breaks.load(Ordering::Relaxed);
        assert_eq!(run.compare(), 150);
    }
    println!("{broken} processes broke down");
    assert!(broken >= 6, "{broken} processes broke down");
}

/// Of processes 0 to 2, 3 and 4 come while the plane plays. Then 0 leaves, and then 3.
#[test]
fn processes_come_and_go_while_a_plane_plays() {
    let (mut broken, runs) = (0, if is_heavy() { 50 } else { 2 });
    for seed in 0..runs {
        let run = Run::new("come", 100 + seed, 5, 2);
        let has = |plane: &Plane<u64>, process| plane.members().contains(&process);
        std::thread::scope(|scope| {
            for process in 0..5 {
                let run = &run;
                let ends = move |plane: &mut Plane<u64>| {
                    let all = has(plane, 3) && has(plane, 4);
                    if process == 0 && all || process == 3 && !has(plane, 0) {
                        plane.leave();
                    }
                    plane.has_left() || plane.members() == [1, 2, 4]
                };
                let may_break = move |plane: &Plane<u64>| has(plane, 0);
                let breaks = u32::from(seed % 2 == 1);
                scope.spawn(move || run.live(process, breaks, ends, may_break));
            }
        });
        broken += run.breaks.load(Ordering::Relaxed);
        run.compare();
    }
    println!("{broken} processes broke down, {} came, and {} went", 2 * runs, 2 * runs);
}
