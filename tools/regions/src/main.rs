//! Starts a plane of several processes on this machine, or one process of a plane over several machines.

mod crowd;

use clap::Parser;
use crowd::{Crowded, Measured};
use hitmask::{Rect, World};
use hitmask_regions::game::{Game, PlayedPlane, PlayedWorld, Seen, atlas};
use hitmask_regions::{Data, Options, Plane, launch, launch_again, local_hosts};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Moves colliders of one plane in several processes, and prints what a tick costs.
///
/// Without --process, starts all processes on this machine and waits for them.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub(crate) struct Args {
    /// Number of colliders.
    #[arg(long, default_value_t = 100_000)]
    colliders: usize,
    /// Number of processes.
    #[arg(long, default_value_t = 2)]
    processes: usize,
    /// Number of ticks.
    #[arg(long, default_value_t = 60)]
    ticks: u64,
    /// Regions per process.
    #[arg(long, default_value_t = 2)]
    regions: u16,
    /// Mask pixels that regions see beyond their sides.
    #[arg(long, default_value_t = 64)]
    halo: u32,
    /// Ticks from one comparison of loads to the next; 0 for none.
    #[arg(long, default_value_t = 64)]
    rebalance: u32,
    /// Number of views of 800 x 600 px that each process follows, at random places.
    #[arg(long, default_value_t = 0, conflicts_with = "play")]
    views: usize,
    /// Plays a random game of this seed instead of moving a crowd, and compares each tick with one world.
    #[arg(long, value_name = "SEED")]
    play: Option<u64>,
    /// Also moves the crowd in one world of one process, and compares CPU time and pairs.
    #[arg(long, conflicts_with = "save")]
    check: bool,
    /// Counts the ghosts and messages of a plane that is too large for this machine, without worlds.
    #[arg(long, conflicts_with = "save")]
    simulate: bool,
    /// Folder of snapshots, which all processes share. A run with snapshots in it goes on from the newest whole one.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Ticks from one snapshot to the next.
    #[arg(long, default_value_t = 100, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Starts a process that is lost again, from the newest snapshot, while the others wait for it.
    #[arg(long, requires = "save", requires = "play")]
    recover: bool,
    /// Takes the place of a process that was lost.
    #[arg(long, hide = true, requires = "recover")]
    rejoin: bool,
    /// Number of the run: snapshots and processes of other runs are refused.
    #[arg(long, default_value_t = 1)]
    run: u64,
    /// Seconds that a process waits for another one.
    #[arg(long, default_value_t = 30.0)]
    limit: f64,
    /// Is this process of the plane, counted from 0.
    #[arg(long, value_name = "INDEX", requires = "hosts")]
    process: Option<usize>,
    /// Addresses of all processes, host:port,host:port,...
    #[arg(long, value_delimiter = ',')]
    hosts: Vec<String>,
    /// Ends this process at a tick as a crash would, for tests.
    #[arg(long, hide = true, value_delimiter = ',', value_name = "PROCESS,TICK")]
    crash: Vec<u64>,
    /// Is the one world that --check compares with.
    #[arg(long, hide = true)]
    world: bool,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.process {
        Some(process) => work(&args, process),
        None if args.simulate => crowd::simulated(&args),
        None if args.world => crowd::one_world(&args).map(|measured| print!("{}", measured.line())),
        None => start(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(error) = error.downcast_ref::<hitmask_regions::Error>() {
                eprintln!("help: {}", error.help());
            }
            ExitCode::FAILURE
        }
    }
}

/// Number of times that lost processes are started again.
const MAX_STARTS: u32 = 16;

/// Side of the square of the random game, in pixels.
const PLAY_SIDE: f32 = 700.0;

impl Args {
    pub(crate) fn options(&self, side: f32) -> Options {
        let mut options = Options::new(Rect::new(0, 0, side as i32, side as i32));
        (options.run, options.halo, options.regions) = (self.run, self.halo, self.regions);
        (options.rebalance, options.recovers) = (self.rebalance, self.recover);
        options.limit = Duration::from_secs_f64(self.limit);
        options
    }
}

/// Starts the processes, and shows what they have measured.
fn start(args: &Args) -> Outcome<()> {
    if !args.hosts.is_empty() {
        return Err(
            "--hosts is for processes that are started one by one: add --process INDEX".into()
        );
    }
    let hosts = local_hosts(args.processes)?.join(",");
    let program = std::env::current_exe()?;
    let passed: Vec<String> = std::env::args().skip(1).collect();
    let child = |more: &[&str]| {
        let mut command = Command::new(&program);
        command.args(&passed).args(more);
        // Processes share the cores of this machine.
        if std::env::var_os("RAYON_NUM_THREADS").is_none() {
            command.env("RAYON_NUM_THREADS", "1");
        }
        command
    };
    let place = |process: usize| child(&["--process", &process.to_string(), "--hosts", &hosts]);
    let mut left = MAX_STARTS;
    let again = |process| {
        left = args.recover.then_some(left)?.checked_sub(1)?;
        eprintln!("process {process} is started again");
        let mut command = place(process);
        command.arg("--rejoin");
        Some(command)
    };
    let printed = launch_again(place, args.processes, again)?;
    // Such as the tick of a snapshot that the run goes on from.
    eprint!("{}", String::from_utf8_lossy(&printed[0].stderr));
    let texts: Vec<String> =
        printed.iter().map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).collect();
    if let Some(seed) = args.play {
        return compare(args, seed, &texts);
    }
    let measured: Vec<Measured> = texts.iter().filter_map(|text| Measured::read(text)).collect();
    crowd::show(&measured);
    if args.check {
        let one = launch(|_| child(&["--world"]), 1)?;
        let text = String::from_utf8_lossy(&one[0].stdout).into_owned();
        let one = Measured::read(&text).ok_or("the one world printed no figures")?;
        crowd::compare(&measured, &one)?;
    }
    Ok(())
}

impl Args {
    /// Returns the plane to the newest whole snapshot, if there is one. The first process says which.
    pub(crate) fn restore<D: Data>(&self, plane: &mut Plane<D>) -> Outcome<bool> {
        let Some(folder) = &self.save else { return Ok(false) };
        let restored = plane.restore(folder)?;
        if let Some(restored) = restored.as_ref().filter(|_| self.process == Some(0)) {
            for error in &restored.skipped {
                eprintln!("warning: {error}");
            }
            eprintln!("resumed from tick {}", restored.tick);
        }
        Ok(restored.is_some())
    }

    /// Saves the plane if this is a tick of a snapshot.
    pub(crate) fn save<D: Data>(&self, plane: &mut Plane<D>) -> Outcome<()> {
        match &self.save {
            Some(folder) if plane.ticks().is_multiple_of(self.every) => Ok(plane.save(folder)?),
            _ => Ok(()),
        }
    }
}

/// Is one process.
fn work(args: &Args, process: usize) -> Outcome<()> {
    let crash = match args.crash[..] {
        [of, tick] if of == process as u64 && !args.rejoin => Some(tick),
        _ => None,
    };
    let Some(seed) = args.play else {
        let plane = Plane::join(
            &args.hosts,
            process,
            crowd::template(),
            args.options(crowd::side(args.colliders)),
        )?;
        print!("{}", Crowded::new(plane, args)?.run(args)?.line());
        return Ok(());
    };
    let atlas = atlas();
    let game = Game::new(seed, &atlas, PLAY_SIDE);
    let (world, options) = (World::new(atlas), args.options(PLAY_SIDE));
    let mut played = if let Some(folder) = args.save.as_ref().filter(|_| args.rejoin) {
        PlayedPlane::resume(Plane::rejoin(&args.hosts, process, world, options, folder)?, game)
    } else {
        let mut plane = Plane::join(&args.hosts, process, world, options)?;
        if args.restore(&mut plane)? {
            PlayedPlane::resume(plane, game)
        } else {
            PlayedPlane::new(plane, game, args.colliders)?
        }
    };
    while played.plane.ticks() < args.ticks {
        if crash == Some(played.plane.ticks()) {
            std::process::abort();
        }
        let seen = played.tick()?;
        // At once, because this process may be lost.
        println!("{} {}", played.plane.ticks() - 1, seen.line());
        args.save(&mut played.plane)?;
    }
    Ok(())
}

/// Plays the game in one world, and compares each tick that the processes have printed.
fn compare(args: &Args, seed: u64, texts: &[String]) -> Outcome<()> {
    let atlas = atlas();
    let game = Game::new(seed, &atlas, PLAY_SIDE);
    let mut world = PlayedWorld::new(World::new(atlas), game, args.colliders)?;
    let mut seen: BTreeMap<u64, BTreeMap<usize, Seen>> = BTreeMap::new();
    for (process, line) in
        texts.iter().enumerate().flat_map(|(i, text)| text.lines().map(move |line| (i, line)))
    {
        let (tick, sums) = line.split_once(' ').unwrap_or_default();
        let sums = Seen::read(sums).ok_or("a process printed no sums")?;
        let before = seen.entry(tick.parse()?).or_default().insert(process, sums);
        // A process that was started again plays ticks again.
        if before.is_some_and(|before| before != sums) {
            return Err(format!("process {process} saw tick {tick} in two ways").into());
        }
    }
    let mut compared = 0;
    for tick in 0..args.ticks {
        let expected = world.tick()?;
        let Some(of) = seen.get(&tick) else {
            // A run that goes on from a snapshot has no earlier ticks.
            if compared == 0 {
                continue;
            }
            return Err(format!("seed {seed}: no process saw tick {tick}").into());
        };
        let sum = of.values().fold(Seen::default(), |sum, seen| sum.plus(*seen));
        if of.len() != texts.len() || sum != expected {
            return Err(format!(
                "seed {seed}, tick {tick}: {} processes saw {sum:?}, and one world {expected:?}",
                of.len()
            )
            .into());
        }
        compared += 1;
    }
    if compared == 0 && args.ticks > 0 {
        return Err("the snapshot is of a later tick than --ticks".into());
    }
    println!("{compared} ticks of {} processes equal those of one world", texts.len());
    Ok(())
}
