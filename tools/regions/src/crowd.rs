//! A crowd of moving colliders: in a plane, and in one world.

use super::{Args, Outcome};
use hitmask::{Angle, Collider, Flip, Placement, Point, Pose, Rect, SpriteId, World};
use hitmask_regions::{Plane, Simulated, Traffic, View, simulate};
use hitmask_scenes::{Crowd, Random, Stage, scene};
use std::time::Instant;

/// Pixels of the plane per collider, as in the benches of worlds.
const SPACING: f32 = 80.0;

/// Ticks before the measured ones.
const FIRST_TICKS: u64 = 2;

/// Velocity in pixels per tick, and in radians per tick.
type Motion = [f32; 3];

/// A plane with the crowd.
pub(crate) struct Crowded {
    plane: Plane<Motion>,
    side: f32,
}

/// What one process measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// Milliseconds of a tick, median.
    ms: f64,
    /// Number of ticks: fewer than --ticks if the run goes on from a snapshot.
    ticks: f64,
    /// CPU seconds of all ticks.
    cpu: f64,
    colliders: f64,
    ghosts: f64,
    regions: f64,
    /// What was sent in all ticks: see [`Traffic`].
    rounds: f64,
    parcels: f64,
    messages: f64,
    bytes: f64,
    /// Sums over all ticks.
    began: f64,
    ended: f64,
    touching: f64,
}

/// Returns the world that regions begin with.
pub(crate) fn template() -> World {
    World::new(stage().atlas)
}

fn stage() -> Stage {
    Stage::new(30..=80)
}

/// Returns the side of the crowd's square, in pixels.
pub(crate) fn side(colliders: usize) -> f32 {
    (colliders as f32).sqrt() * SPACING
}

impl Crowded {
    /// Inserts the colliders that begin in the regions of this process, or goes on from a snapshot.
    pub(crate) fn new(mut plane: Plane<Motion>, args: &Args) -> Outcome<Self> {
        let side = side(args.colliders);
        if args.restore(&mut plane)? {
            return Ok(Self { plane, side });
        }
        let sprites = plane.template().atlas().sprites().len();
        let mut random = Random::new(2);
        let mut signed = |limit: f32| (random.unit() * 2.0 - 1.0) * limit;
        for placed in scene(1, args.colliders, sprites, side) {
            let motion = [signed(3.0), signed(3.0), signed(0.1)];
            if plane.is_here(placed.at) {
                let collider = Collider::new(SpriteId::new(placed.sprite as u32));
                plane.insert(collider.at(placed.at).turned(placed.angle), motion)?;
            }
        }
        // Two ticks bring all to their regions, and draw what is drawn at first.
        for _ in 0..FIRST_TICKS {
            plane.tick()?;
        }
        Ok(Self { plane, side })
    }

    /// Moves the crowd, and measures it.
    pub(crate) fn run(mut self, args: &Args) -> Outcome<Measured> {
        let Self { ref mut plane, side } = self;
        let before = plane.stats().traffic;
        let left = (args.ticks + FIRST_TICKS).checked_sub(plane.ticks());
        let left = left.ok_or("the snapshot is of a later tick than --ticks")?;
        let mut random = Random::new(3 + plane.process() as u64);
        let mut at = || (random.unit() * side) as i32;
        let mut views: Vec<View> = (0..args.views)
            .map(|_| [at(), at()])
            .map(|[x, y]| View::new(Rect::new(x, y, x + 800, y + 600)))
            .collect();
        let mut watched = 0.0;
        let measured = measure(left, || {
            plane.drive(|_, place, motion| step(place, motion, side))?;
            plane.tick()?;
            if args.views > 0 {
                let start = cpu_seconds();
                plane.watch(&mut views)?;
                watched += cpu_seconds() - start;
            }
            args.save(plane)?;
            Ok([plane.began().len(), plane.ended().len()])
        })?;
        if args.views > 0 {
            let seen: usize = views.iter().map(|view| view.seen().len()).sum();
            let ms = watched * 1e3 / left.max(1) as f64;
            eprintln!("{} views with {seen} colliders: {ms:.0} ms of CPU a tick", args.views);
        }
        let stats = plane.stats();
        let since = |of: fn(&Traffic) -> u64| (of(&stats.traffic) - of(&before)) as f64;
        Ok(Measured {
            colliders: stats.colliders as f64,
            ghosts: stats.ghosts as f64,
            regions: stats.regions as f64,
            rounds: since(|traffic| traffic.rounds),
            parcels: since(|traffic| traffic.parcels),
            messages: since(|traffic| traffic.messages),
            bytes: since(|traffic| traffic.bytes),
            touching: plane.touching().count() as f64,
            ..measured
        })
    }
}

/// Measures ticks, each of which returns the numbers of pairs that began and ended.
fn measure(ticks: u64, mut tick: impl FnMut() -> Outcome<[usize; 2]>) -> Outcome<Measured> {
    let mut times = Vec::new();
    let mut measured = Measured { ticks: ticks as f64, ..Measured::default() };
    let cpu = cpu_seconds();
    for _ in 0..ticks {
        let start = Instant::now();
        let [began, ended] = tick()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        measured.began += began as f64;
        measured.ended += ended as f64;
    }
    measured.cpu = cpu_seconds() - cpu;
    times.sort_by(f64::total_cmp);
    measured.ms = times.get(times.len() / 2).copied().unwrap_or_default();
    Ok(measured)
}

/// Moves one collider. One that leaves the square enters it on the opposite side.
fn step(place: &mut Placement, &mut [dx, dy, turn]: &mut Motion, side: f32) {
    let [x, y] = place.position;
    place.position = [(x + dx).rem_euclid(side), (y + dy).rem_euclid(side)];
    place.angle = Angle::radians(place.angle.to_radians() + turn);
}

/// Moves the same crowd in one world.
pub(crate) fn one_world(args: &Args) -> Outcome<Measured> {
    let mut crowd = Crowd::new(&stage(), args.colliders, SPACING)?;
    for _ in 0..FIRST_TICKS {
        crowd.world.update();
    }
    let measured = measure(args.ticks, || {
        crowd.step()?;
        crowd.world.update();
        Ok([crowd.world.began().len(), crowd.world.ended().len()])
    })?;
    let touching = crowd.world.touching().len() as f64;
    Ok(Measured { colliders: args.colliders as f64, touching, ..measured })
}

/// Returns the CPU seconds of this process, to 10 ms; 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return 0.0 };
    // The name of the program, in parentheses, may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Measured {
    fn figures(&mut self) -> [&mut f64; 13] {
        let Self { ms, ticks, cpu, colliders, ghosts, regions, began, ended, touching, .. } = self;
        let Self { rounds, parcels, messages, bytes, .. } = self;
        [
            ms, ticks, cpu, colliders, ghosts, regions, rounds, parcels, messages, bytes, began,
            ended, touching,
        ]
    }

    /// Returns the figures as one line for the process that started this one.
    pub(crate) fn line(mut self) -> String {
        self.figures().map(|figure| figure.to_string()).join(" ") + "\n"
    }

    /// Reads what [`line`](Self::line) returned.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let (mut read, mut fields) = (Self::default(), line.split_whitespace());
        for figure in read.figures() {
            *figure = fields.next()?.parse().ok()?;
        }
        Some(read)
    }

    /// Returns the sums over processes, which play the same ticks at the same time.
    fn sum(all: &[Self]) -> Self {
        let mut sum = Self::default();
        for mut one in all.iter().copied() {
            let [ms, ticks] = [sum.ms.max(one.ms), sum.ticks.max(one.ticks)];
            sum.figures().into_iter().zip(one.figures()).for_each(|(sum, one)| *sum += *one);
            (sum.ms, sum.ticks) = (ms, ticks);
        }
        sum
    }
}

/// Prints the figures of all processes.
pub(crate) fn show(measured: &[Measured]) {
    println!(
        "process  regions  colliders  ghosts  ms a tick  CPU ms a tick  rounds  parcels  messages  KB a tick"
    );
    let sum = Measured::sum(measured);
    let ticks = sum.ticks.max(1.0);
    for (process, one) in measured.iter().enumerate() {
        println!(
            "{process:7}  {:7}  {:9}  {:6}  {:9.2}  {:13.2}  {:6.1}  {:7.1}  {:8.0}  {:9.1}",
            one.regions,
            one.colliders,
            one.ghosts,
            one.ms,
            one.cpu * 1e3 / ticks,
            one.rounds / ticks,
            one.parcels / ticks,
            one.messages / ticks,
            one.bytes / ticks / 1024.0,
        );
    }
    println!(
        "{} pairs touch; {} began and {} ended in {} ticks",
        sum.touching, sum.began, sum.ended, sum.ticks
    );
}

/// Compares the processes with one world.
pub(crate) fn compare(measured: &[Measured], one: &Measured) -> Outcome<()> {
    let sum = Measured::sum(measured);
    println!(
        "one world: {:.2} ms and {:.2} s of CPU; the processes took {:.2} s, {:.3} of it",
        one.ms,
        one.cpu,
        sum.cpu,
        sum.cpu / one.cpu
    );
    let [found, expected] = [&sum, one].map(|of| (of.colliders, of.began, of.ended, of.touching));
    if found != expected {
        return Err(format!(
            "colliders, pairs that began, ended and touch: {found:?}, and in one world {expected:?}"
        )
        .into());
    }
    Ok(())
}

/// Counts the ghosts and messages of a crowd, and prints the mean and the largest of all processes.
pub(crate) fn simulated(args: &Args) -> Outcome<()> {
    let side = side(args.colliders);
    let atlas = stage().atlas;
    let poses: Vec<Rect> = atlas
        .sprites()
        .flat_map(|sprite| {
            (0..sprite.angles()).filter_map(move |step| {
                let posed = sprite.posed(0, Pose { step, scale: 0 }, Flip::NONE)?;
                let (mask, Point { x, y }) = (posed.mask, posed.origin);
                Some(Rect::new(x, y, x + mask.width() as i32, y + mask.height() as i32))
            })
        })
        .collect();
    let mut random = Random::new(1);
    let mut moved = || {
        let at = [random.unit() * side, random.unit() * side];
        let motion = [random.unit() * 6.0 - 3.0, random.unit() * 6.0 - 3.0];
        let bounds = poses[random.below(poses.len() as u32) as usize];
        let next = [at[0] + motion[0], at[1] + motion[1]];
        [at, next].map(|at| bounds.translated(at.map(|p| (p + 0.5).floor() as i32)))
    };
    let counts =
        simulate(&args.options(side), args.processes, (0..args.colliders).map(|_| moved()))?;
    println!(
        "a process   colliders  ghosts  handed over  messages  far  KB  parcels  peers  depth"
    );
    let mean = |of: Of| counts.iter().map(of).sum::<u64>() as f64 / counts.len() as f64;
    let most = |of: Of| counts.iter().map(of).max().unwrap_or(0) as f64;
    type Of = fn(&Simulated) -> u64;
    let all: [Of; 9] = [
        |one| one.colliders,
        |one| one.ghosts,
        |one| one.handed_over,
        |one| one.messages,
        |one| one.far,
        |one| one.bytes / 1024,
        |one| one.parcels,
        |one| one.peers,
        |one| one.depth,
    ];
    for (name, figures) in [("mean", all.map(mean)), ("largest", all.map(most))] {
        let [colliders, ghosts, handed_over, messages, far, kb, parcels, peers, depth] = figures;
        println!(
            "{name:9}  {colliders:10.0}  {ghosts:6.0}  {handed_over:11.0}  {messages:8.0}  {far:3}  {kb:2.0}  {parcels:7.1}  {peers:5.1}  {depth:5}"
        );
    }
    Ok(())
}
