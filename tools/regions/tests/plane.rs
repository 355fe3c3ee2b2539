//! A plane of one process and many regions plays as one world does, and its snapshots are right or refused.

use hitmask::{Collider, Filter, Flip, MoveRules, Rect, SpriteId, World};
use hitmask_regions::game::{Game, PlayedPlane, PlayedWorld, Seen, atlas};
use hitmask_regions::{Answer, ErrorKind, Options, Plane, PlaneId, Question, Shape};
use hitmask_scenes::{Folder, Random};
use std::fs;
use std::path::PathBuf;

const SIDE: f32 = 700.0;

fn options(regions: u16, halo: u32, rebalance: u32) -> Options {
    let mut options = Options::new(Rect::new(0, 0, SIDE as i32, SIDE as i32));
    (options.regions, options.halo, options.rebalance) = (regions, halo, rebalance);
    options
}

fn plane<D: hitmask_regions::Data>(options: Options) -> Plane<D> {
    Plane::alone(World::new(atlas()), options).unwrap()
}

/// Returns whether regions split or merged.
fn play(seed: u64, options: Options, ticks: u64) -> bool {
    let atlas = atlas();
    let game = Game::new(seed, &atlas, SIDE);
    let told = format!("seed {seed}, {options:?}");
    let mut plane = PlayedPlane::new(plane(options), game, 150).unwrap();
    let mut world = PlayedWorld::new(World::new(atlas), game, 150).unwrap();
    let (mut began, mut regions) = (0, Vec::new());
    for tick in 0..ticks {
        let [a, b] = [plane.tick().unwrap(), world.tick().unwrap()];
        assert_eq!(a, b, "{told}, tick {tick}");
        began += plane.plane.began().len();
        regions.push(plane.plane.stats().regions);
    }
    assert!(began > ticks as usize, "{began} pairs began");
    regions.dedup();
    regions.len() > 1
}

#[test]
fn a_plane_of_many_regions_plays_as_one_world() {
    let cases = [(1, 0), (2, 0), (3, 64), (5, 1), (8, 30), (16, 200)].into_iter().enumerate();
    let changed = cases.filter(|&(seed, (regions, halo))| {
        play(seed as u64, options(regions, halo, 7 + seed as u32), 120)
    });
    assert!(changed.count() > 2, "regions split and merge");
}

/// Colliders of the game at random, inserted into a plane and into one world.
fn crowd(count: usize, options: Options) -> (Plane<u64>, World, Vec<PlaneId>) {
    let atlas = atlas();
    let game = Game::new(1, &atlas, SIDE);
    let (mut plane, mut world) = (plane(options), World::new(atlas));
    let mut ids = Vec::new();
    for key in 0..count as u64 {
        let collider = game.spawn(0, key);
        ids.push(plane.insert(collider, key).unwrap());
        world.insert(collider).unwrap();
    }
    plane.tick().unwrap();
    world.update();
    (plane, world, ids)
}

/// Colliders that share the first pixel of a line, or that are equally near, have an order: that of their ids.
#[test]
fn equal_answers_name_the_collider_of_lowest_id() {
    let mut plane = plane::<()>(options(8, 0, 0));
    let dot = Collider::new(SpriteId::new(0));
    let mut ids: Vec<PlaneId> = (0..40)
        .map(|i| {
            let x = [345.0, 355.0][i % 2];
            plane
                .insert(dot.at([x, 340.0 + i as f32]).flipped(Flip { x: i % 2 == 0, y: false }), ())
                .unwrap()
        })
        .collect();
    // Two at one place, the second of which has the lower slot in its world.
    ids.push(plane.insert(dot.at([90.0, 90.0]), ()).unwrap());
    plane.remove(ids[0]).unwrap();
    plane.tick().unwrap();
    ids.push(plane.insert(dot.at([90.0, 90.0]), ()).unwrap());
    plane.tick().unwrap();
    let asked = [Shape::Ray([0.0, 90.0], [300.0, 90.0]), Shape::Nearest([90.0, 0.0], 500.0)];
    let answers = plane.ask(&asked.map(Question::new)).unwrap();
    let Answer::Ray(Some((first, _))) = answers[0] else { panic!("{answers:?}") };
    let Answer::Nearest(Some((nearest, _))) = answers[1] else { panic!("{answers:?}") };
    assert_eq!([first, nearest], [ids[40]; 2]);
}

#[test]
fn walks_and_casts_meet_what_the_halo_shows_and_are_refused_beyond_it() {
    let (mut plane, mut world, ids) = crowd(200, options(9, 80, 0));
    let locals: Vec<_> = world.iter().map(|(id, _)| id).collect();
    let mut random = Random::new(7);
    let (mut hits, mut walks, mut refused) = (0, 0, 0);
    for (&id, &local) in ids.iter().zip(&locals) {
        let motion = [random.unit() * 200.0 - 100.0, random.unit() * 200.0 - 100.0];
        let expected = world.cast(local, motion, Filter::SOLID).unwrap();
        match plane.cast(id, motion, Filter::SOLID) {
            Ok(hit) => {
                let key = |id| plane.get(id).unwrap().user_data;
                let found = hit.map(|(id, hit)| (key(id), hit.position, hit.impact.step));
                let one = expected.map(|hit| {
                    (world.get(hit.collider).unwrap().user_data, hit.position, hit.impact.step)
                });
                // Of two that are met at one step, the lower slot of a world is named.
                assert_eq!(found.map(|hit| (hit.1, hit.2)), one.map(|hit| (hit.1, hit.2)));
                hits += usize::from(hit.is_some());
            }
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::Call);
                assert!(error.to_string().contains("halo of 80 px"), "{error}");
                refused += 1;
            }
        }
        let motion = motion.map(|d| d / 8.0);
        let before = plane.get(id);
        match plane.walk(id, motion, MoveRules::default(), Filter::SOLID) {
            Ok((result, contacts)) => {
                let one = world
                    .move_by_rules(local, motion, MoveRules::default(), Filter::SOLID)
                    .unwrap();
                assert_eq!((result.position, contacts.len()), (one.position, one.contacts.len()));
                walks += 1;
                // As ghosts that walked show at the next exchange.
                plane.tick().unwrap();
            }
            Err(error) => {
                assert_eq!((error.kind, plane.get(id)), (ErrorKind::Call, before));
                refused += 1;
            }
        }
    }
    assert!(
        hits > 20 && walks > 100 && refused > 20,
        "{hits} hits, {walks} walks, {refused} refused"
    );
}

#[test]
fn a_refused_call_leaves_the_plane_as_it_was() {
    let (mut plane, _, ids) = crowd(60, options(4, 10, 0));
    let hash = plane.state_hash().unwrap();
    let far = Collider::new(SpriteId::new(0)).at([f32::NAN, 0.0]);
    let unknown = Collider::new(SpriteId::new(1000));
    assert_eq!(plane.insert(far, 0).unwrap_err().kind, ErrorKind::Call);
    assert_eq!(plane.set(ids[3], unknown).unwrap_err().kind, ErrorKind::Call);
    let mut calls = 0;
    let refused = plane.drive(|_, place, _| {
        calls += 1;
        place.position[0] += 5.0;
        if calls == 50 {
            place.position[1] = f32::INFINITY;
        }
    });
    assert_eq!(refused.unwrap_err().kind, ErrorKind::Call);
    let nowhere = Question::new(Shape::Circle([0.0, 0.0], -1.0));
    assert_eq!(plane.ask(&[nowhere]).unwrap_err().kind, ErrorKind::Call);
    assert_eq!(plane.state_hash().unwrap(), hash);
    plane.remove(ids[5]).unwrap();
    let error = plane.remove(ids[5]).unwrap_err();
    assert_eq!(error.to_string(), format!("collider {} is not in this process", ids[5]));
    let full = World::new(atlas());
    let mut template = full.clone();
    template.insert(Collider::new(SpriteId::new(0))).unwrap();
    let kind = |world, options| Plane::<()>::alone(world, options).err().map(|error| error.kind);
    assert_eq!(kind(template, options(1, 0, 0)), Some(ErrorKind::Options));
    let mut none = options(1, 0, 0);
    none.bounds = Rect::new(0, 0, 1, 1);
    none.regions = 4;
    assert_eq!(kind(full, none), Some(ErrorKind::Options));
}

/// A plane that has played some ticks, and the sums of those that follow.
fn played(seed: u64, ticks: u64, options: &Options) -> PlayedPlane {
    let game = Game::new(seed, &atlas(), SIDE);
    let mut played = PlayedPlane::new(plane(options.clone()), game, 100).unwrap();
    for _ in 0..ticks {
        played.tick().unwrap();
    }
    played
}

/// Returns the tick of the snapshot, which is the newest.
fn restored(plane: &mut Plane<u64>, folder: &Folder) -> Option<u64> {
    let restored = plane.restore(folder.root()).unwrap()?;
    assert_eq!(restored.skipped, []);
    Some(restored.tick)
}

#[test]
fn a_restored_plane_goes_on_as_the_saved_one_did() {
    let folder = Folder::new("regions-restore");
    let options = options(6, 20, 5);
    let mut before = played(3, 30, &options);
    before.plane.save(folder.root()).unwrap();
    let expected: Vec<Seen> = (0..20).map(|_| before.tick().unwrap()).collect();
    let mut after = plane::<u64>(options);
    assert_eq!(restored(&mut after, &folder), Some(30));
    let game = Game::new(3, &atlas(), SIDE);
    let mut after = PlayedPlane::resume(after, game);
    let found: Vec<Seen> = (0..20).map(|_| after.tick().unwrap()).collect();
    assert_eq!(found, expected);
    assert_eq!(after.plane.state_hash().unwrap(), before.plane.state_hash().unwrap());
}

fn region_files(folder: &Folder) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder.root().join("tick-000000000010")).unwrap();
    let mut files: Vec<PathBuf> = listed.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn damaged_and_foreign_snapshots_are_refused_with_their_region() {
    let folder = Folder::new("regions-refused");
    let options = options(4, 20, 0);
    let mut saved = played(4, 10, &options);
    saved.plane.save(folder.root()).unwrap();
    let files = region_files(&folder);
    let [complete, first, second] = [&files[0], &files[1], &files[2]];
    let refusal_of = |kind, options: &Options| {
        let mut plane = plane::<u64>(options.clone());
        let error = plane.restore(folder.root()).unwrap_err();
        assert_eq!((error.kind, error.process, plane.ticks()), (kind, Some(0), 0));
        assert!(!error.help().is_empty());
        error
    };
    let refusal = |options: &Options| refusal_of(ErrorKind::Snapshot, options);
    // Another run, or another world.
    let mut other = options.clone();
    other.run = 9;
    let foreign = refusal_of(ErrorKind::Mismatch, &other);
    assert!(foreign.to_string().ends_with("complete: its run is 0 instead of 9"), "{foreign}");
    // Every byte of a region counts.
    let bytes = fs::read(first).unwrap();
    let region: u32 =
        first.file_name().unwrap().to_str().unwrap()["region-".len()..].parse().unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(first, damaged).unwrap();
        assert_eq!(refusal(&options).region, Some(region), "byte {at}");
    }
    // The file of another region, cut, and missing.
    fs::copy(second, first).unwrap();
    assert_eq!(refusal(&options).region, Some(region));
    fs::write(first, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(refusal(&options).region, Some(region));
    fs::remove_file(first).unwrap();
    assert_eq!(refusal(&options).region, Some(region));
    fs::write(first, &bytes).unwrap();
    fs::write(complete, "no snapshot").unwrap();
    assert!(refusal(&options).to_string().contains("no file of a snapshot"));
}

#[test]
fn the_snapshot_before_a_damaged_one_is_taken_and_the_fault_named() {
    let folder = Folder::new("regions-damaged");
    let options = options(4, 20, 0);
    let mut saved = played(4, 9, &options);
    saved.plane.save(folder.root()).unwrap();
    saved.tick().unwrap();
    saved.plane.save(folder.root()).unwrap();
    let file = region_files(&folder)[1].clone();
    fs::write(&file, "cut").unwrap();
    let mut plane = plane::<u64>(options.clone());
    let restored = plane.restore(folder.root()).unwrap().unwrap();
    assert_eq!((restored.tick, plane.ticks(), restored.skipped.len()), (9, 9, 1));
    let fault = &restored.skipped[0];
    assert_eq!((fault.kind, fault.process), (ErrorKind::Snapshot, Some(0)));
    assert!(file.ends_with(format!("region-{}", fault.region.unwrap())), "{fault}");
    assert!(fault.to_string().contains("tick-000000000010"), "{fault}");
    // The damaged one is put aside, and those of later ticks displace none of this run.
    let later = |tick| fs::create_dir(folder.root().join(format!("tick-{tick:012}"))).unwrap();
    (100..103).for_each(later);
    plane.save(folder.root()).unwrap();
    assert_eq!(names(&folder)[..2], ["tick-000000000009", "tick-000000000010.damaged"]);
}

#[test]
fn a_snapshot_folder_that_vanishes_or_is_none_is_survived_or_refused() {
    let folder = Folder::new("regions-vanished");
    let snaps = folder.root().join("snaps");
    let options = options(4, 20, 0);
    let mut saved = played(4, 9, &options);
    saved.plane.save(&snaps).unwrap();
    fs::remove_dir_all(&snaps).unwrap();
    assert_eq!(plane::<u64>(options.clone()).restore(&snaps).unwrap(), None);
    saved.tick().unwrap();
    saved.plane.save(&snaps).unwrap();
    assert_eq!(plane::<u64>(options.clone()).restore(&snaps).unwrap().unwrap().tick, 10);
    fs::remove_dir_all(&snaps).unwrap();
    fs::write(&snaps, "no folder").unwrap();
    let [save, restore] =
        [saved.plane.save(&snaps), plane::<u64>(options).restore(&snaps).map(drop)];
    for error in [save.unwrap_err(), restore.unwrap_err()] {
        assert_eq!((error.kind, error.process), (ErrorKind::Snapshot, Some(0)));
        assert!(error.to_string().contains("snaps") && error.help().contains("folder"), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_its_region_and_older_snapshots_stay() {
    let folder = Folder::new("regions-full");
    let options = options(4, 20, 0);
    let mut saved = played(4, 10, &options);
    saved.plane.save(folder.root()).unwrap();
    let file = region_files(&folder)[2].file_name().unwrap().to_owned();
    saved.tick().unwrap();
    let part = folder.root().join("tick-000000000011.part");
    fs::create_dir(&part).unwrap();
    std::os::unix::fs::symlink("/dev/full", part.join(&file)).unwrap();
    let hash = saved.plane.state_hash().unwrap();
    let error = saved.plane.save(folder.root()).unwrap_err();
    assert_eq!((error.kind, error.process), (ErrorKind::Snapshot, Some(0)));
    assert_eq!(format!("region-{}", error.region.unwrap()), file.to_str().unwrap());
    assert!(error.to_string().contains("No space left on device"), "{error}");
    assert_eq!(saved.plane.state_hash().unwrap(), hash);
    // The run goes on, and its next snapshot is whole.
    assert_eq!(restored(&mut plane(options.clone()), &folder), Some(10));
    saved.plane.save(folder.root()).unwrap();
    assert_eq!(restored(&mut plane(options), &folder), Some(11));
}

#[test]
fn the_last_two_snapshots_stay() {
    let folder = Folder::new("regions-two");
    let options = options(2, 0, 0);
    let mut saved = played(5, 1, &options);
    for _ in 0..4 {
        saved.plane.save(folder.root()).unwrap();
        saved.tick().unwrap();
    }
    assert_eq!(names(&folder), ["tick-000000000003", "tick-000000000004"]);
}

fn names(folder: &Folder) -> Vec<String> {
    let listed = fs::read_dir(folder.root()).unwrap();
    let mut names: Vec<_> =
        listed.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
